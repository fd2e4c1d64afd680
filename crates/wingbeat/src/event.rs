//! What happens to boids in a step.

use crate::BoidId;

/// Something that happened in the last step; see [`Flock::events`](crate::Flock::events).
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
}
