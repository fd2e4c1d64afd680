//! A flock that follows requests: what the live view has behind its server, and a page behind its
//! own buttons.
//!
//! ```
//! use wingbeat_page::live::{EditableScene, LiveFlock, Request};
//! use wingbeat_scene::{Machine, Override};
//! let scene = EditableScene::load("shoal", &[Override::set("flock.boids=50")?])?;
//! let mut flock = LiveFlock::new(scene, Machine::default(), None, false)?;
//! let answer =
//!     flock.follow(Request::Set { id: 1, key: "cohesion.weight".into(), value: "0.5".into() });
//! assert_eq!((answer.id, answer.error, answer.effect), (1, None, Some("next_step")));
//! flock.step();
//! assert_eq!(flock.frame(0.0, [0.0; 3]).len(), 48 + 50 * (4 + 16));
//! assert!(flock.toml().contains("weight = 0.5"));
//! # Ok::<(), wingbeat_scene::SceneError>(())
//! ```
//!
//! The messages are described in the project's `docs/VIEW.md`.

mod changes;
mod controls;
mod edit;
mod flock;
mod frame;
mod host;
mod protocol;
mod editable_scene;

pub use changes::{Basis, Change, Changed};
pub use controls::{Control, ControlValue, Slider};
pub use editable_scene::EditableScene;
pub use flock::{LiveFlock, RequestOutcome, check_speed};
pub use frame::HEAD_BYTES;
pub(crate) use frame::frame_of;
pub use host::{EVENT_KINDS, EventColumns, NOTHING_ELSE};
pub use protocol::{Answer, Request, State};
