//! Speed: to a wanted speed, without turning.

use crate::terms::behavior::heading;
use crate::terms::drive::definition::{DriveDefinition, Driven, Field};
use crate::{Domain, ParamError, Vector};

parameters! {
    /// Speeds a boid up or slows it down along its heading; 0 at rest, where there is none.
    ///
    /// Formula: h·((speed − √(v·v))·rate).
    ///
    /// ```
    /// use wingbeat_steer::drive::Speed;
    /// assert_eq!(Speed { speed: 3.0, rate: 2.0 }.force([0.0, 1.0]), [0.0, 4.0]);
    /// ```
    /// Source: self-propulsion as in most models of animal groups; UnitySteer (steer for speed).
    pub struct Speed in "drive." {
        speed: f32 = 1.0, "length/time", 0.0 => 1e9, "The speed wanted.", "faster";
        rate: f32 = 1.0, "1/time", 0.0 => 1e9, "How fast it is approached, at mass 1.", "sooner; \
            above 1/dt it overshoots";
    }
}

impl Speed {
    /// The force on a boid of this velocity.
    pub fn force<V: Vector>(&self, velocity: V) -> V {
        heading(velocity).times((self.speed - velocity.norm_plain()) * self.rate)
    }
}

impl<V: Vector> DriveDefinition<V> for Speed {
    const NAME: &'static str = "speed";

    fn check(&self, at: &Field<'_>, _domain: &Domain<V>) -> Result<(), ParamError> {
        at.ranges(self)
    }

    fn desired(&self, boid: &Driven<'_, V>) -> Option<V> {
        let heading = heading(boid.velocity);
        (heading.largest() > 0.0).then(|| heading.times(self.speed))
    }

    fn force(&self, _place: usize, boid: &Driven<'_, V>) -> V {
        self.force(boid.velocity)
    }

    /// Approached at the same rate.
    fn waiting(&self, boid: &Driven<'_, V>) -> Option<V> {
        Some(Self { speed: 0.0, ..*self }.force(boid.velocity))
    }
}
