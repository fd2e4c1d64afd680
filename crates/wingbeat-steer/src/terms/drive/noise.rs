//! Noise: a random force.

use crate::math::noise::{stream, uniform};
use crate::terms::behavior::stroll::WanderClock;
use crate::terms::drive::definition::{DriveDefinition, Driven, Field};
use crate::{Domain, ParamError, Vector, math};

parameters! {
    /// A force of fixed size whose direction is drawn anew for every boid and interval, all
    /// directions being equally likely: a diffusion of velocities.
    ///
    /// Formula: with k = trunc(time/interval), in the plane size·(cos, sin) of U₀ turns; in space,
    /// with z = 2·U₁ − 1, size·(√(1 − z²)·(cos, sin) of U₀ turns, z). U₀ and U₁ are keyed noise of
    /// (seed, id, k, 64 + 2·place + index), place being the drive's among the flock's.
    ///
    /// A force is held for its interval, so the motion does not depend on dt as long as dt is at
    /// most the interval: in a time t, long against the interval, the squared velocity of a free
    /// boid at rest grows by (size/mass)²·interval·t on average, whatever dt. Another interval
    /// scatters alike with size·√interval unchanged. A step that is longer than the interval, and
    /// where boids take turns (`steer_every` = n) a turn of n·dt, takes the place of it: one draw a
    /// turn.
    ///
    /// White noise, a draw a step with a force of size/√dt, would be the same diffusion for small
    /// dt, but for the largest force, which cuts such forces off as dt falls.
    ///
    /// ```
    /// use wingbeat_steer::drive::Noise;
    /// assert_eq!(Noise::default(), Noise { size: 1.0, interval: 1.0 });
    /// ```
    /// Source: the random walk of Brownian motion, with the finite correlation time of Ornstein and
    /// Uhlenbeck 1930.
    pub struct Noise in "drive." {
        size: f32 = 1.0, "mass·length/time²", 0.0 => 1e9, "Size of a force whose direction is \
            drawn anew for every boid and interval.", "more jitter";
        interval: f32 = 1.0, "time", 1e-3 => 1e6, "Time between draws. From dt on what comes of it \
            does not depend on dt.", "longer pushes one way: boids scatter as the root of it";
    }
}

impl Noise {
    /// The first of the drive's two streams of keyed noise.
    pub fn stream(place: usize) -> u32 {
        stream::DRIVE + 2 * place as u32
    }
}

impl<V: Vector> DriveDefinition<V> for Noise {
    const NAME: &'static str = "noise";

    fn check(&self, at: &Field<'_>, _domain: &Domain<V>) -> Result<(), ParamError> {
        at.ranges(self)
    }

    fn force(&self, place: usize, boid: &Driven<'_, V>) -> V {
        let interval = WanderClock::at(boid.time, self.interval).draw;
        let draw = |which| uniform(boid.seed, boid.id, interval, Self::stream(place) + which);
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
