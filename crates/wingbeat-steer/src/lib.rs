//! Steering behaviours for single agents, and the textbook flock the engine is held to.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod math;
pub mod noise;
mod vector;

pub use glam;
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
pub use manager::{Motion, Steering, Term};
pub use spline::Spline;
pub use walker::{Walker, WalkerParameters, next_waypoint};
