//! Scenes for [Wingbeat](wingbeat): a TOML file or a preset's name becomes a flock.
//!
//! [`Scene::load`] reads and checks, [`Scene::build`] places the boids or reads an initial state
//! from CSV or NPY. Whatever is not accepted is refused with one line that says where it was given,
//! the key, the value, and what is allowed.
//!
//! ```
//! use wingbeat_scene::{Machine, Override, Scene};
//! let scene = Scene::load(
//!     "shoal",
//!     &[Override::set("flock.boids=200")?, Override::set("alignment.weight=2.0")?],
//! )?;
//! let mut built = scene.build(&Machine::default())?;
//! for _ in 0..10 {
//!     built.flock.step(scene.dt());
//! }
//! assert!(built.flock.polarization() > 0.0);
//!
//! let refusal = Scene::parse("pond.toml", "[flock]\nboids = 10\n[cohesion]\nraduis = 2.0\n", &[])
//!     .unwrap_err();
//! assert_eq!(
//!     refusal.to_string(),
//!     "pond.toml:4: unknown key cohesion.raduis: nearest known key is cohesion.radius"
//! );
//! # Ok::<(), wingbeat_scene::SceneError>(())
//! ```
//!
//! The keys are listed in [`keys()`] and in the project's `docs/KEYS.md`, which is generated from
//! it.
#![forbid(unsafe_code)]

#[cfg(any(wingbeat_only = "plane", wingbeat_only = "space"))]
mod absent;
mod error;
mod flock;
mod host;
mod near;
mod memory;
mod named;
mod number;
mod keys;
mod advice;
mod lists;
mod overrides;
mod presets;
mod value;
mod document;
mod check;
mod reference;
mod rules;
mod ramp;
mod update;
mod scene;
mod changes;
mod contact;
mod dimension;
mod schedule;
mod floor;
mod initial;
mod settings;
mod lesson;
mod start;
mod to_toml;
mod worlds;
mod build;
mod inert;
mod outline;
mod warnings;

pub use build::{Built, Machine, Prepared};
pub use error::SceneError;
pub use flock::{AnyDomain, AnyFlock, Row, Start};
pub use keys::{FARTHEST, Key, KeyKind, SECTIONS, keys, known_key};
pub use lesson::Lesson;
pub use lists::MOST_POINTS;
pub use near::NearColumns;
pub use outline::{Layout, Outlines, Place, Segment, Shapes, Triangle};
pub use outline::{outline, plan_outline};
pub use overrides::Override;
pub use presets::{PRESETS, Preset, preset};
pub use ramp::Ramp;
pub use reference::key_tables;
pub use scene::{MOST_TEXT, Scene};
pub use schedule::Schedule;
pub use settings::{Effect, Setting, SettingValue};
#[doc(hidden)]
pub use wingbeat::Brake;
