//! What hosts of Wingbeat stand on: a [flock that follows requests](LiveFlock), behind the live
//! view's server, a page's buttons, Python, C and Bevy alike, and why a boid goes where it goes.
//!
//! ```
//! use wingbeat_session::{EditableScene, LiveFlock, Request};
//! use wingbeat_scene::{Machine, Override};
//! let scene = EditableScene::load("shoal", &[Override::set("flock.boids=50")?])?;
//! let mut flock = LiveFlock::new(scene, Machine::default(), None, false)?;
//! let answer =
//!     flock.follow(Request::Set { id: 1, key: "cohesion.weight".into(), value: "0.5".into() });
//! assert_eq!((answer.id, answer.error, answer.effect), (1, None, Some("next_step")));
//! flock.step();
//! assert_eq!(flock.frame(0.0, [0.0; 3]).len(), 52 + 50 * (4 + 16));
//! assert!(flock.toml().contains("weight = 0.5"));
//! # Ok::<(), wingbeat_scene::SceneError>(())
//! ```
//!
//! The messages are described at the head of src/protocol.rs, frames at that of src/frame.rs.
//!
//! # Floor plan
//!
//! ```text
//! explain/           why a boid goes where it goes, as the engine itself says it: data for JSON
//! surroundings.rs    domain, exits, sources and bodies, as JSON for the player
//! edit.rs            values changed in a scene's text; comments and order are kept
//! editable_scene.rs  a scene and its text, edited together
//! frame.rs           a flock after a step, as the bytes that pages get
//! controls.rs        sliders for the numbers of a scene
//! protocol.rs        requests, answers and states
//! changes.rs         changes that take time, made beside the flock and then adopted
//! flock.rs           the flock that follows requests
//! host.rs            what hosts with arrays need of it: events as columns, many steps at once
//! ```
#![forbid(unsafe_code)]

pub mod explain;
pub mod surroundings;
mod edit;
mod editable_scene;
mod frame;
mod controls;
mod protocol;
mod changes;
mod flock;
mod host;

pub use changes::{Basis, Change, Changed};
pub use controls::{Control, ControlValue, Slider};
pub use editable_scene::EditableScene;
pub use flock::{LiveFlock, RequestOutcome, check_speed};
pub use frame::{HEAD_BYTES, frame_of};
pub use host::{EVENT_KINDS, EventColumns, NOTHING_ELSE};
pub use protocol::{Answer, Request, State};
