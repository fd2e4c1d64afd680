//! The tests of the engine, as one program: what is generic in the engine is compiled once for all
//! of them, not once for each.
//!
//! `cargo test -p wingbeat --test it topological::` runs one file.

#[path = "../common/mod.rs"]
mod common;

mod agrees_with_textbook;
mod bodies;
mod combinations;
mod crowds;
mod driven;
mod drives;
mod explain;
mod formation;
mod frame;
mod gates;
mod going_on;
mod handles;
mod in_time;
mod independence;
mod invariants;
mod live_changes;
mod model_physics;
mod models;
mod observe;
mod obstacle_worlds;
mod obstacles;
mod other_tools;
mod parts;
mod persons;
mod queries;
mod rejects_bad_boids;
mod rejects_bad_input;
#[cfg(feature = "serde")]
mod serial;
mod settling;
mod side_by_side;
mod slot_order;
mod soak;
mod spawn;
mod species;
mod time_slicing;
mod topological;
mod user_rule;

/// A flock of the same boids with another state.
fn restore<const D: usize>(
    flock: &mut wingbeat::Flock<D>,
    state: &wingbeat::snapshot::StateRecord,
) -> Result<(), wingbeat::FlockError> {
    let mut checkpoint = flock.checkpoint();
    checkpoint.state = state.clone();
    flock.restore(&checkpoint)
}
