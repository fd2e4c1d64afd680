//! What happened in a step.

use crate::BoidId;

/// Something that happened to a boid in a step; see [`Flock::events`](crate::Flock::events).
///
/// Events come in the order of their kinds here, those of a kind by the ids of their boids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Event {
    /// A boid caught the one it pursued, which is no more.
    Captured {
        /// Who did.
        captor: BoidId,
        /// Whom.
        prey: BoidId,
    },
    /// A boid has come within the arrival radius of a goal, once for each goal.
    Arrived {
        /// Who.
        boid: BoidId,
        /// The place of the goal's drive among the flock's.
        drive: usize,
    },
    /// A boid has gone out of an [absorbing](crate::Boundary::Absorbing) domain, and so out of the flock.
    Left {
        /// Who.
        boid: BoidId,
    },
}
