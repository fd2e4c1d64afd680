//! Noise: a random force.

use super::{Driven, Field};
use crate::noise::{stream, uniform};
use crate::{ParamError, Vector, math};

parameters! {
    /// A force of fixed size in a direction drawn anew for every boid and step, all directions being equally likely.
    ///
    /// Formula: in the plane size·(cos, sin) of U₀ turns; in space, with z = 2·U₁ − 1, size·(√(1 − z²)·(cos, sin) of U₀ turns, z). U₀ and U₁ are keyed
    /// noise of (seed, id, step, 64 + 2·place + index), place being the drive's among the flock's. It is drawn once a step
    /// whatever dt, so the motion it causes depends on dt: over a time t velocities spread by size·√(t·dt).
    ///
    /// ```
    /// use wingbeat_steer::drive::Noise;
    /// assert_eq!(Noise::default().size, 1.0);
    /// ```
    /// Source: the random walk of Brownian motion.
    pub struct Noise in "drive." {
        size: f32 = 1.0, "mass·length/time²", 0.0 => 1e9, "Size of a force whose direction is drawn anew for every boid and step.", "more jitter";
    }
}

impl Noise {
    pub(super) fn check(&self, at: &Field<'_>) -> Result<(), ParamError> {
        at.ranges(self)
    }

    /// The first of the drive's two streams of keyed noise.
    pub fn stream(place: usize) -> u32 {
        stream::DRIVE + 2 * place as u32
    }

    pub(super) fn force<V: Vector>(&self, boid: &Driven<'_, V>, place: usize) -> V {
        let draw = |which| uniform(boid.seed, boid.id, boid.step, Self::stream(place) + which);
        let (sin, cos) = math::sin_cos_turns(draw(0));
        let flat = [cos, sin];
        if V::DIMENSIONS == 2 {
            return V::from_fn(|a| flat[a]).times(self.size);
        }
        let z = 2.0 * draw(1) - 1.0;
        let r = math::sqrt(1.0 - z * z);
        V::from_fn(|a| if a == 2 { z } else { flat[a] * r }).times(self.size)
    }
}
