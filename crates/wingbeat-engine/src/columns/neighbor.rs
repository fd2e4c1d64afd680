//! Boids by value, as questions about places and closures see them.

use wingbeat_steer::SpeciesId;

use crate::BoidId;

/// A boid near a point, or near another boid: what [`Flock::within`](crate::Flock::within) and its
/// like find, and what [an own rule](crate::FlockBuilder::own_rule) sees.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor<const D: usize> {
    /// Identity.
    pub id: BoidId,
    /// Position, length.
    pub position: [f32; D],
    /// Velocity, length/time.
    pub velocity: [f32; D],
    /// Species; the first in a flock without species.
    pub species: SpeciesId,
    /// From the point to it, through the nearest image in a periodic box, length.
    pub offset: [f32; D],
    /// Length of the offset.
    pub distance: f32,
}

impl<const D: usize> Neighbor<D> {
    /// The unit vector to it, zero at distance 0: never NaN.
    pub fn direction(&self) -> [f32; D] {
        if self.distance > 0.0 { self.offset.map(|x| x / self.distance) } else { [0.0; D] }
    }
}

/// The boid that an [own rule](crate::FlockBuilder::own_rule) steers.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FocalBoid<const D: usize> {
    /// Identity.
    pub id: BoidId,
    /// Position, length.
    pub position: [f32; D],
    /// Velocity, length/time.
    pub velocity: [f32; D],
    /// Unit vector along the velocity; zero at rest.
    pub heading: [f32; D],
    /// Species; the first in a flock without species.
    pub species: SpeciesId,
    /// Steps that the flock made before.
    pub step: u64,
}
