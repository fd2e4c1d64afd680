//! What steps, sorts and steers in Wingbeat, compiled here for two dimensions and for three. The
//! crate to depend on is [`wingbeat`](https://docs.rs/wingbeat): it has all that is here, and its
//! documentation. What a program calls seldom is generic here and compiled there, so that a profile
//! can optimize the one and not the other.
#![deny(unsafe_code)]

#[cfg(not(any(feature = "plane", feature = "space")))]
compile_error!(
    "wingbeat has neither the feature \"plane\" nor \"space\": allowed is either, or both"
);

mod arrays;
pub mod simd;
mod identity;
mod error;
mod parallel;
mod median;
mod columns;
mod events;
mod domain;
mod grid;
mod neighbors;
mod terms;
mod motion;
mod kernel;
pub mod observe;
mod flock;
mod instantiations;
#[doc(hidden)]
pub mod measuring;

pub use columns::boids::Boid;
pub use columns::frame::Frame;
pub use columns::neighbor::{FocalBoid, Neighbor};
pub use error::FlockError;
pub use events::Event;
#[cfg(feature = "plane")]
pub use flock::Flock2;
#[cfg(feature = "space")]
pub use flock::Flock3;
pub use flock::spawn::{Shape, Spawn};
pub use flock::{Flock, FlockBuilder};
#[doc(hidden)]
pub use grid::{Crowds, Storage};
pub use identity::BoidId;
#[cfg(feature = "plane")]
#[doc(hidden)]
pub use instantiations::instantiations_2;
#[cfg(feature = "space")]
#[doc(hidden)]
pub use instantiations::instantiations_3;
#[doc(hidden)]
pub use instantiations::seldom;
pub use kernel::HostRules;
#[doc(hidden)]
pub use parallel::Brake;
pub use simd::Level;
pub use terms::drive;
pub use terms::rule;
pub use wingbeat_steer as steer;
pub use wingbeat_steer::{
    AgentLimits, Alignment, Cohesion, Domain, Params, Perception, Rules, Separation, Species,
    SpeciesId, TimeStep,
};

/// What a host asks of places and boids between steps: [`Flock::within`], [`Flock::first_hit`],
/// [`Flock::explain`].
pub mod query {
    pub use crate::flock::{Hit, HitTarget, Neighbors};

    /// Why one boid goes where it goes; see [`Flock::explain`](crate::Flock::explain).
    pub type Explanation<const D: usize> = crate::steer::Explanation<[f32; D]>;
}

/// Columns that a host keeps while the flock steps on.
pub mod frame {
    pub use crate::columns::vector_columns::VectorColumns;
}

/// States of a flock that are kept: to go back a few steps in a game, or to go on another day.
pub mod snapshot {
    pub use crate::flock::{
        Checkpoint, HostState, Settings, Snapshot, SnapshotRing, StateColumn, StateRecord,
    };
}

/// One flock in parts, each in a process or thread of its own.
pub mod subdomain {
    pub use crate::flock::{
        CommStats, PeerLost, Subdomain, SubdomainError, ThreadTransport, Transport,
    };
}

/// What a game or another first program needs: `use wingbeat::prelude::*`.
pub mod prelude {
    #[cfg(feature = "plane")]
    pub use crate::Flock2;
    #[cfg(feature = "space")]
    pub use crate::Flock3;
    pub use crate::drive::Goal;
    pub use crate::query::HitTarget;
    pub use crate::snapshot::{Snapshot, SnapshotRing};
    pub use crate::steer::{
        Drive, Exit, FieldOfView, Interaction, InteractionKind, Obstacle, ObstacleMotion,
        ObstacleShape, SolidBody, Traits, obstacle::Pose,
    };
    pub use crate::{
        AgentLimits, Alignment, Boid, BoidId, Cohesion, Domain, Event, FlockError, FocalBoid,
        Neighbor, Params, Perception, Rules, Separation, Shape, Spawn, Species, SpeciesId,
        TimeStep,
    };
    pub use crate::{observe, own_drive, pair_rule};
}

/// How many boids there may be, and what they take.
pub mod memory {
    use wingbeat_steer::{Drive, Params};

    /// Most boids a flock can hold: slots are counted in 32 bits, with room for the padding.
    pub const MAX_BOIDS: usize = (u32::MAX - 64) as usize;

    /// Bytes a flock of this size takes, buffers included (an upper estimate, used to refuse before
    /// allocating). What boids carry beside, of drives, species and bodies, is in [`bytes_a_boid`].
    pub const fn bytes_for<const D: usize>(boids: usize) -> u128 {
        let columns = 2 * (8 * D as u128 + 4);
        let steering_and_headings = 8 * D as u128;
        // Where not all steer in every step: phases, twice, and a back buffer for forces.
        let slices = 12;
        // Where boids look at their nearest alone: the finer order of a crowd, and steering in it.
        let crowd = crate::grid::FINE_BYTES + 4 * D as u128;
        // Where boids leave: those that stay, their ids, a bit for each that goes; and those
        // squeezed by an obstacle.
        let leaving = 4 + 8 + 1 + 4;
        // Ids and order; then keys, groups and cells of a dense grid, or keys and rows of a sparse
        // one, whichever is more; what parts of the flock have for each bucket, less than a byte.
        boids as u128
            * (columns + steering_and_headings + slices + crowd + leaving + 8 + 4 + 32 + 1)
    }

    /// The same for one boid of a flock of these parameters and drives, with what it carries and
    /// remembers of them.
    ///
    /// ```
    /// use wingbeat::Params;
    /// use wingbeat::drive::WanderParameters;
    /// use wingbeat::memory::{bytes_a_boid, bytes_for};
    /// use wingbeat::steer::{Drive, SolidBody};
    /// let stroll = vec![Drive::new("stroll", WanderParameters::default())];
    /// let body = Params { body: Some(SolidBody::default()), ..Params::default() };
    /// assert_eq!(bytes_a_boid::<3>(&Params::default(), &[]), bytes_for::<3>(1));
    /// assert!(bytes_a_boid::<3>(&body, &stroll) > bytes_for::<3>(1) + 40);
    /// ```
    #[inline(never)]
    pub fn bytes_a_boid<const D: usize>(params: &Params, drives: &[Drive<[f32; D]>]) -> u128 {
        let word = 4;
        let columns = crate::columns::extra::count::<D>(params) + crate::drive::remembered(drives);
        let goals = if drives.is_empty() { 0 } else { D };
        // Species in the finer order of a crowd.
        let species = if params.species.is_empty() { 0 } else { 1 };
        // Captures, and captured boids.
        let chases = if crate::columns::extra::chase(params) { 4 } else { 0 };
        // Radii and priorities.
        let bodies = if params.body.is_some() { 2 } else { 0 };
        // Answers, and rows of what is looked at.
        let anticipation = if params.anticipation.is_some() { D + 8 } else { 0 };
        let beside = columns + goals + species + chases + bodies + anticipation;
        // A column of each type more while they are sorted.
        let sorting = if beside == 0 { 0 } else { 2 };
        bytes_for::<D>(1) + (word * (beside + sorting)) as u128
    }
}
