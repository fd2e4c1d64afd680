//! Steering behaviours for single agents, and the textbook flock the engine is held to.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod cells;
mod domain;
mod error;
pub mod knobs;
pub mod math;
pub mod noise;
mod params;
mod textbook;
mod vector;

pub use cells::{CELL_LIMIT, Cells};
pub use domain::{Boundary, Domain};
pub use error::ParamError;
pub use glam;
pub use params::{
    AgentLimits, Alignment, AlignmentOf, Cohesion, Combine, Cruise, Falloff, Params, Perception, Response, Separation, Term,
    TimeStep, View,
};
pub use textbook::{COINCIDENT, REST_SPEED, TextbookBoid, TextbookFlock, heading, prioritize};
pub use vector::Vector;

// ---- Steering for single agents ---------------------------------------------------------------------------------------
mod agent;
pub mod behavior;
pub mod blend;
mod hunt;
mod manager;
mod spline;
mod steering;
mod walker;

pub use agent::{Agent, Body};
pub use behavior::{BehaviorError, Jitter, Wander, WanderFrame, WanderParameters};
pub use blend::Blend;
pub use hunt::{HuntParameters, Hunter, Mood, Prey};
pub use manager::{Motion, Steering, SteeringTerm};
pub use spline::Spline;
pub use walker::{Walker, WalkerParameters, next_waypoint};

/// The guide's programs, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/STEERING.md")]
struct Guide;
