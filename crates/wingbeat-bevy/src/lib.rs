#![doc = include_str!("../README.md")]
//!
//! # Floor plan
//!
//! ```text
//! plugin.rs      sets of systems, and the order in which they run
//! settings.rs    how entities follow the flock
//! flock.rs       the resource: the flock, the entity of each boid, where every boid was and is
//! components.rs  what a user puts on entities, and the queue of what came and went
//! changes.rs     from entities to the flock, before a step
//! step.rs        the step; entities for new boids, messages of events, despawning
//! messages.rs    what happened, as messages
//! follow.rs      from the flock to transforms, between two steps
//! spatial_query.rs  which boids are near a point, for systems
//! roster.rs      ids, entities and seats
//! poses.rs       states of the last two steps, by seat
//! axes.rs        from the scene's coordinates to Bevy's, and headings to rotations
//! ```
#![forbid(unsafe_code)]

mod axes;
mod components;
mod messages;
mod poses;
mod roster;
mod flock;
mod settings;
mod changes;
mod follow;
mod step;
mod spatial_query;
mod plugin;

pub use axes::Axes;
pub use components::{Boid, Goal, Obstacle, Species};
pub use flock::Flock;
pub use messages::{Arrived, Captured, Entered, Exited, Left, Member, Refused, Squeezed, Teleport};
pub use plugin::{WingbeatPlugin, WingbeatSystems};
pub use settings::{Departed, FlockSettings};
pub use spatial_query::{NearBoid, SpatialQuery};
pub use wingbeat::{
    BoidId, SpeciesId,
    steer::{DriveId, ExitId, SourceId},
};
pub use wingbeat_scene::{Machine, Override, SceneError};
pub use wingbeat_session::{EditableScene, LiveFlock};
