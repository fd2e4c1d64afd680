//! Steering behaviours for single agents, and the textbook flock that the engine `wingbeat` is held
//! to, bit for bit.
//!
//! | what | where |
//! |---|---|
//! | every behaviour as a pure function: plain arguments in, a force out | [`behavior`] |
//! | the manager: behaviours add up by name and weight, and move an agent | [`Steering`], [`SteeringTerm`], [`Motion`] |
//! | your agent: four questions; or a ready-made one | [`Agent`], [`Body`] |
//! | minds and memories | [`Wander`], [`Walker`], [`Hunter`], [`Prey`] |
//! | how forces become one | [`blend`], [`Blend`] |
//! | randomness of an agent's own | [`Jitter`], [`noise`] |
//! | smooth curves | [`Spline`] |
//! | what a flock does | [`Params`], [`Separation`], [`Alignment`], [`Cohesion`], [`Combine`], [`Domain`], [`TimeStep`] |
//! | what drives boids beside their neighbours: goals, wander, leaders, paths, flow fields | [`Drive`], [`drive`] |
//! | whole models from the literature | [`Model`], [`model`] |
//! | where boids leave a flock and where others come to it | [`Exit`], [`Source`], [`gate`] |
//! | what someone with a body does so as not to walk into others | [`Anticipation`], [`anticipation`] |
//! | every number a user may set, with unit, default, range and effect | [`knobs`] |
//! | the flock as a slow, obvious double loop: the definition | [`TextbookFlock`] |
//! | why a boid went where it went | [`Explanation`], [`Advanced`] |
//! | the order in which neighbours are summed | [`Cells`] |
//! | arithmetic with pinned rounding, over glam's vectors or plain arrays | [`math`], [`Vector`] |
//!
//! ```
//! use wingbeat_steer::{Body, Jitter, Steering, Wander, WanderParameters, behavior, glam::Vec2};
//!
//! let mut bird = Body::new(Vec2::ZERO, Vec2::X, 4.0, 1.0)?; // position, velocity, maximum speed, mass
//! let mut steering = Steering::new(&bird, 10.0)?;           // maximum force
//! let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0))?; // seed, agent
//! let dt = 1.0 / 60.0;
//! for _ in 0..60 {
//!     steering.observe(&bird);                              // something else may have moved it
//!     steering.seek(Vec2::new(50.0, 0.0));
//!     steering.weighted(0.25).wander(&mut wander, dt);      // the weight is for the next term only
//!     bird.follow(steering.update(dt));
//! }
//! assert!(bird.position.x > 1.0);
//!
//! // The same behaviours without a manager, and with plain arrays:
//! assert_eq!(behavior::seek([0.0, 0.0], [1.0, 0.0], [0.0, 10.0], 2.0), [-1.0, 2.0]);
//! # Ok::<(), wingbeat_steer::ParamError>(())
//! ```
//!
//! The same inputs give the same bits on every machine: square roots are IEEE, all else that is not
//! elementary comes from the `libm` crate, nothing is fused, and randomness is keyed or owned by
//! the agent. Within the accepted ranges no result is NaN or infinite.
//!
//! Without the default feature `std` the crate is `no_std` with `alloc`; results are the same.
//!
//! With the feature `serde` everything a user sets can be written and read with serde: [`Params`]
//! and all in it, [`Traits`], [`Drive`]s, [`Obstacles`], [`Domain`], [`TimeStep`]. Words are those
//! of scene files, numbers that are left out are as usual, and names that mean nothing are refused.
//! Ranges are checked where they always are, when a flock is built: reading a value refuses only
//! what the type itself cannot hold (a [`TimeStep`] of 0, a path without points, a model that is
//! none).
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

#[macro_use]
mod parameters;

mod advance;
mod anticipate;
mod bodies;
mod by_species;
mod boid;
mod budget;
mod contacts;
mod integrate;
mod knob_table;
pub mod limit;
mod traits;
pub mod anticipation;
pub mod body;
mod cells;
mod domain;
mod doors;
pub mod drive;
mod error;
mod explanation;
pub mod gate;
mod in_turn;
pub mod knobs;
mod limits;
pub mod math;
pub mod model;
pub mod noise;
pub mod obstacle;
mod own_limits;
mod params;
mod population;
mod rules;
#[cfg(feature = "serde")]
mod serial;
pub(crate) mod placement;
mod right;
mod slicing;
mod species;
mod textbook;
mod time_step;
mod vector;

pub use advance::{Advance, BEHIND, Joined, LargestTurn, perpendicular, veer};
pub use anticipation::Anticipation;
pub use body::{SolidBody, SpeciesBody};
pub use boid::{COINCIDENT, REST_SPEED, TextbookBoid, heading};
pub use budget::prioritize;
pub use cells::{CELL_LIMIT, CellAxis, Cells};
pub use domain::{Boundary, Domain};
#[doc(hidden)]
pub use doors::{doors_2, doors_3};
pub use drive::{Drive, DriveKind, FlowField, When, check_drives};
pub use error::{ParamError, check_components, check_range};
#[doc(hidden)]
pub use explanation::Context;
pub use explanation::{
    Combined, Decision, Explanation, Followed, Made, Met, Neighborhood, RuleParts, Seen, TermParts,
    Turn,
};
pub use gate::{Exit, Source};
pub use glam;
pub use in_turn::{moves_in_turn, step_in_turn, turns};
pub use integrate::{Advanced, Limit};
pub use limits::{AgentLimits, Combine, Cruise};
pub use model::Model;
pub use obstacle::{Avoidance, Obstacle, ObstacleCourse, ObstacleMotion, ObstacleShape, Obstacles};
pub use params::{Extras, Params, Term};
pub use population::Population;
pub use rules::{
    Alignment, AlignmentOf, Cohesion, Falloff, FieldOfView, Perception, Response, Separation,
};
pub use slicing::{HeldForces, check_steer_every, has_turn};
pub use species::{
    FARSIGHT, Interaction, InteractionKind, MAX_CHASES, MAX_SPECIES, Species, Stamina, chase,
};
#[doc(hidden)]
pub use textbook::HostRule;
pub use textbook::TextbookFlock;
pub use time_step::TimeStep;
pub use traits::Traits;
pub use vector::Vector;

// ---- Steering for single agents
mod agent;
pub mod behavior;
pub mod blend;
mod hunt;
mod manager;
mod spline;
mod steering;
mod walker;

pub use agent::Motion;
pub use agent::{Agent, Body};
pub use behavior::{Jitter, Wander, WanderFrame, WanderParameters};
pub use blend::Blend;
pub use hunt::{HuntParameters, Hunter, Mood, Prey};
pub use manager::{Steering, SteeringTerm};
pub use spline::Spline;
pub use walker::{Walker, WalkerParameters, next_waypoint};
