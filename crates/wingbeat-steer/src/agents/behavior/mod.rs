//! Every steering behavior as a pure function: plain arguments in, a force out.
//!
//! A force here is a wanted change of velocity per unit of time at mass 1 (Reynolds 1999:
//! `steering = desired − velocity`). [`Steering`](crate::Steering) adds them up, limits them and
//! moves an agent; nothing else is needed to use them.
//!
//! **Arguments** are expected in the accepted range: coordinates within ±1e30, velocities within
//! ±1e12, speeds and forces 0…1e9, radii 0…1e12. Within it no result is ever NaN or infinite, also
//! for coincident agents, zero velocities, zero radii and targets at distance 0. Parameters that
//! live longer than a call are checked where their type is constructed and refused with a
//! [`ParamError`](crate::ParamError).
//!
//! Behaviors by what they aim at:
//!
//! * a place: [`seek`], [`arrive`], [`flee`], [`tether`], [`contain`]
//! * another agent: [`pursue`], [`intercept`], [`evade`], [`offset_pursuit`], [`interpose`],
//!   [`follow_leader`], [`match_velocity`]
//! * the surroundings: [`avoid_obstacles`], [`follow_wall`], [`hide`], [`follow_path`],
//!   [`follow_path_from`], [`follow_flow`]
//! * many others: [`separation`], [`alignment`], [`cohesion`], [`SeekFlee`], [`avoid_collisions`],
//!   [`queue`]
//! * itself: [`wander()`], [`match_speed`], [`minimum_speed`], [`Facing`]

// How to add a behavior for single agents. A function here (in terms/behavior/ if a drive needs
// it), its re-export below, a method in agents/steering/, a row in README.md, its name in
// `all_forces` of tests/it/properties.rs.

mod facing;
mod flocking;
mod obstacle;
mod traffic;

pub use facing::{Facing, look_rotation};
pub use flocking::{SeekFlee, alignment, cohesion, falloff, in_sight, separation};
pub use obstacle::{avoid_obstacles, contain, follow_wall, free_distance, hide};
pub use traffic::{avoid_collisions, closest_approach, follow_flow, queue};

pub use crate::terms::behavior::geometry::{heading, heading_frame, predict};
pub use crate::terms::behavior::jitter::Jitter;
pub use crate::terms::behavior::path::{Path, follow_path, follow_path_from};
pub use crate::terms::behavior::pursue::{
    evade, evasion_point, follow_leader, intercept, interception_time, interpose, offset_pursuit,
    pursue, pursuit_point,
};
pub use crate::terms::behavior::seek::{
    arrive, flee, flee_negated_seek, match_speed, match_velocity, minimum_speed, seek, tether,
};
pub use crate::terms::behavior::shape::{AxisBox, Capsule, Shape, Sphere};
pub use crate::terms::behavior::wander::{Wander, WanderFrame, WanderParameters, wander};

pub(crate) use crate::terms::behavior::geometry::{
    length_and_direction, tangent, time_step, within_reach,
};
