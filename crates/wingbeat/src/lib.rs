//! Wingbeat: flocking engine.
#![deny(unsafe_code)]

mod boids;
mod builder;
mod combine;
mod erased;
mod error;
mod flock;
mod frame;
mod grid;
mod integrate;
mod kernel;
pub mod observe;
mod parallel;
mod rule;
pub mod simd;
mod spawn;

pub use boids::{Boid, BoidId};
pub use builder::FlockBuilder;
pub use erased::Kernel;
pub use error::FlockError;
pub use flock::{Flock, Flock2, Flock3};
pub use frame::Frame;
#[doc(hidden)]
pub use grid::Storage;
pub use rule::{Declared, Own, Pair, Rule, Rules};
pub use simd::Level;
pub use spawn::{Shape, Spawn};
pub use wingbeat_steer as steer;
pub use wingbeat_steer::{
    AgentLimits, Alignment, AlignmentOf, Boundary, Cohesion, Combine, Cruise, Domain, Falloff, ParamError, Params, Perception,
    Response, Separation, Term, TimeStep, View,
};

/// Most boids a flock can hold: slots are counted in 32 bits, with room for the padding.
pub const MAX_BOIDS: usize = (u32::MAX - 64) as usize;

/// Bytes a flock of this size takes, buffers included (an upper estimate, used to refuse before allocating).
pub const fn bytes_for<const D: usize>(boids: usize) -> u128 {
    // Two sets of columns, forces, ids, sort keys and order, and the bins of a dense grid.
    boids as u128 * (2 * (8 * D as u128 + 4) + 4 * D as u128 + 8 + 16 + 8)
}

/// The README's program, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
