//! What several anticipation models share.

use core::f32::consts::LOG2_E;

use crate::terms::anticipation::definition::{Mover, Nearby, Wall};
use crate::{
    COINCIDENT, Vector, heading,
    math::{self, noise},
};

/// Exponents to base 2 are kept at or below this: an exponential is 2⁶⁰ at most, so that no sum of
/// them overflows.
pub const LARGEST_EXPONENT: f32 = 60.0;

/// eˣ as 2^(x·log₂ e) by the series of [`math::exp2`]: at least 2⁻¹²⁶ and at most 2⁶⁰.
///
/// ```
/// use wingbeat_steer::anticipation::exponential;
/// assert_eq!(exponential(0.0), 1.0);
/// assert!((exponential(-1.0) - 0.36787944).abs() < 2e-7 && exponential(1e30) == 2f32.powf(60.0));
/// ```
pub fn exponential(x: f32) -> f32 {
    math::exp2(math::min(x * LOG2_E, LARGEST_EXPONENT))
}

/// A boid or a wall, as a disc or ball to keep away from.
#[derive(Clone, Copy)]
pub(super) struct Contact<V> {
    /// The way to its centre (of a wall: to its nearest point).
    pub offset: V,
    /// How far that is.
    pub distance: f32,
    /// Direction to it, a unit vector.
    pub toward: V,
    /// Where the two bodies touch: the sum of their radii (of a wall: the mover's alone).
    pub contact: f32,
    /// Its velocity.
    pub velocity: V,
}

impl<V: Vector> Contact<V> {
    /// Another boid. One that stands on the same point (d² ≤ contact²·2⁻⁴⁰) is parted from in a
    /// direction drawn for the step.
    pub fn other(mover: &Mover<V>, other: &Nearby<V>) -> Self {
        let contact = mover.radius + other.radius;
        let distance = math::sqrt(other.distance_sq);
        let toward = if other.distance_sq <= contact * contact * COINCIDENT {
            noise::direction::<V>(mover.seed, mover.id, mover.step).times(-1.0)
        } else {
            other.offset.times(1.0 / distance)
        };
        Self { offset: other.offset, distance, toward, contact, velocity: other.velocity }
    }

    /// A wall's nearest point; `None` on the wall itself, where it has no direction.
    pub fn wall(mover: &Mover<V>, wall: &Wall<V>) -> Option<Self> {
        let toward = wall.offset.unit();
        let known = toward.largest() > 0.0;
        let met = Self {
            offset: wall.offset,
            distance: wall.distance,
            toward,
            contact: mover.radius,
            velocity: wall.velocity,
        };
        known.then_some(met)
    }
}

/// Where a boid looks: along the preferred velocity, without one along its own; 0 at rest.
pub(super) fn look<V: Vector>(mover: &Mover<V>) -> V {
    let way = mover.preferred.unit();
    if way.largest() > 0.0 { way } else { heading(mover.velocity) }
}

/// The vector, or `otherwise` where numbers beyond all measure (above 10¹⁸ or so) have made it
/// overflow.
pub(super) fn finite_or<V: Vector>(vector: V, otherwise: V) -> V {
    if vector.all_finite() { vector } else { otherwise }
}
