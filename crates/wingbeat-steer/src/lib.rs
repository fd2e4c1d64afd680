//! Steering behaviors for single agents, and the textbook flock that the engine `wingbeat` is held
//! to, bit for bit. "The host" is the program that uses the library.
//!
//! | what | where |
//! |---|---|
//! | every behavior as a pure function: plain arguments in, a force out | [`behavior`] |
//! | the manager: behaviors add up by name and weight | [`Steering`], [`SteeringTerm`] |
//! | what the manager makes of an agent: position and velocity | [`Motion`] |
//! | your agent: four questions; or a ready-made one (no solid body) | [`Agent`], [`Body`] |
//! | minds and memories | [`Wander`], [`Walker`], [`Hunter`], [`Prey`] |
//! | how forces become one | [`blend`], [`Blend`] |
//! | randomness of an agent's own | [`Jitter`], [`noise`] |
//! | smooth curves | [`Spline`] |
//! | what a flock does | [`Params`], [`Combine`], [`Domain`], [`TimeStep`] |
//! | kinds of boids and what they mean to each other | [`Species`], [`Interaction`], [`Traits`] |
//! | bodies that never overlap | [`SolidBody`], [`body`] |
//! | obstacles that stand or move | [`Obstacle`], [`ObstacleSet`], [`obstacle`] |
//! | boids that steer in turns; sequential update | [`HeldForces`], [`step_sequentially`] |
//! | the three rules of a flock | [`Separation`], [`Alignment`], [`Cohesion`] |
//! | drives beside neighbors: goals, wander, leaders, paths, flow fields | [`Drive`], [`drive`] |
//! | whole models from the literature | [`Model`], [`model`] |
//! | where boids leave a flock and where others come to it | [`Exit`], [`Source`], [`gate`] |
//! | how someone with a body keeps from walking into others | [`Anticipation`], [`anticipation`] |
//! | every number a user may set, with unit, default, range and effect | [`parameters`] |
//! | the flock as a slow, obvious double loop: the definition | [`TextbookFlock`] |
//! | why a boid went where it went | [`Explanation`], [`Integrated`] |
//! | the order in which neighbors are summed | [`Cells`] |
//! | arithmetic with pinned rounding, over glam's vectors or plain arrays | [`math`], [`Vector`] |
//!
//! ```
//! use wingbeat_steer::{Body, Jitter, Steering, Wander, WanderParameters, behavior, glam::Vec2};
//!
//! // Position, velocity, maximum speed, mass.
//! let mut bird = Body::new(Vec2::ZERO, Vec2::X, 4.0, 1.0)?;
//! let mut steering = Steering::new(&bird, 10.0)?; // maximum force
//! let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0))?; // seed, agent
//! let dt = 1.0 / 60.0;
//! for _ in 0..60 {
//!     steering.observe(&bird); // something else may have moved it
//!     steering.seek(Vec2::new(50.0, 0.0));
//!     steering.weighted(0.25).wander(&mut wander, dt); // the weight is for the next term only
//!     bird.follow(steering.update(dt));
//! }
//! assert!(bird.position.x > 1.0);
//!
//! // The same behaviors without a manager, and with plain arrays:
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
//! none). An [`Explanation`] can be written; wingbeat-session's `explain` lists its keys.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

// Layers, from below: a module uses only those listed before it (`.ci/circles.py --layers`).
pub mod math; // arithmetic with pinned rounding, vectors, keyed noise
#[macro_use]
mod schema; // parameters with their ranges, refusals
mod space; // domain, cells, time step, a boid
mod ids; // handles of what a flock has several of
mod terms; // what makes a force: rules, models, anticipation, drives; their limits and combination
mod contact; // solid bodies: how much of a displacement the others leave
mod params; // all parameters of a flock, species and traits, checks of one against another
pub mod obstacle; // shapes, motion, steering ahead, never inside
mod placement; // where bodies may start
pub mod gate; // exits and sources
mod step; // the step of one boid: anticipation, integration, contacts; sequential update
mod explanation; // the numbers of a decision, kept
mod reference; // the textbook flock
mod agents; // the toolkit for single agents
mod instantiations; // what is compiled here for all users

pub use agents::agent::{Agent, Body, Motion};
pub use agents::behavior::{self, Jitter, Wander, WanderFrame, WanderParameters};
pub use agents::blend::{self, Blend};
pub use agents::hunt::{HuntParameters, Hunter, Mood, Prey};
pub use agents::manager::{Steering, SteeringTerm};
pub use agents::spline::Spline;
pub use agents::walker::{Walker, WalkerParameters, next_waypoint};
pub use contact::{SolidBody, SpeciesBody};
#[doc(hidden)]
pub use explanation::Context;
pub use explanation::{
    Combined, Decision, DriveForce, Explanation, ModelDecision, ObstacleAhead, RuleParts,
    StaminaLeft, Target, TermParts, Turn,
};
pub use gate::{Exit, Source};
pub use glam;
pub use ids::{DriveId, ExitId, ObstacleId, SourceId, SpeciesId};
#[doc(hidden)]
pub use instantiations::{instantiations_2, instantiations_3};
pub use math::noise;
pub use math::vector::Vector;
pub use obstacle::{Avoidance, Obstacle, ObstacleMotion, ObstacleSet, ObstacleShape, Obstacles};
pub use params::slicing::{HeldForces, check_steer_every, has_turn};
pub use params::species::{
    FARSIGHT, Interaction, InteractionKind, MAX_CHASES, MAX_SPECIES, Species, Stamina, chase,
};
pub use params::traits::Traits;
pub use params::{Extras, Params};
#[doc(hidden)]
pub use reference::HostRule;
pub use reference::TextbookFlock;
pub use schema::error::{ParamError, check_components, check_range};
pub use space::boid::{COINCIDENT, REST_SPEED, TextbookBoid, heading};
pub use space::cells::{CELL_LIMIT, CellAxis, Cells};
pub use space::domain::{Boundary, Domain};
pub use space::time_step::{IntoTimeStep, TimeStep};
pub use step::integrate::{EdgeEffect, Integrated, Limit};
pub use step::sequential::{moves_sequentially, step_sequentially, update_order};
pub use terms::anticipation::{self, Anticipation};
pub use terms::budget::prioritize;
pub use terms::drive::{self, Drive, DriveKind, FlowField, When, check_drives};
pub use terms::limits::{AgentLimits, Combine, Cruise};
pub use terms::model::{self, Model};
pub use terms::population::Population;
pub use terms::rule::{
    self, Alignment, AlignmentOf, Cohesion, Falloff, FieldOfView, Formation, Neighborhood,
    Perception, Response, RuleId, Rules, Seen, Separation,
};
pub use terms::steering_kind::{Advance, BEHIND, LargestTurn, TermSum, perpendicular, veer};
pub use terms::term::Term;

/// Every number a user may set: what it does, its unit, default, range, and what a larger value
/// does. Each is declared once, where its field is.
pub mod parameters {
    pub use crate::params::parameter_table::{PARAMETERS, parameter};
    pub use crate::schema::error::Decimal;
    pub use crate::schema::kinds::*;
    pub use crate::schema::limit;
    pub use crate::schema::parameter_info::*;
    pub use crate::schema::setting::*;
}

/// Solid bodies: no two overlap, whatever the density, speed, time step or rules. The bound that
/// each step keeps, and why it holds: docs/MODEL.md, *Bodies*.
pub mod body {
    pub use crate::contact::*;
    pub use crate::params::bodies::check_bodies;
    pub use crate::placement::occupied::OccupiedPlaces;
    pub use crate::placement::start::{Start, check_newcomer, overlaps_any};
}
