//! The behaviors that drives are made of, as pure functions; `agents/behavior` has the others.

pub(crate) mod geometry;
pub(crate) mod jitter;
pub(crate) mod path;
pub(crate) mod pursue;
pub(crate) mod seek;
pub(crate) mod shape;
pub(crate) mod stroll;
pub(crate) mod wander;

pub(crate) use geometry::{heading, length_and_direction};
pub use path::Path;
pub(crate) use path::follow_path_from;
pub(crate) use seek::arrival_velocity;
pub use wander::{WanderFrame, WanderParameters};
