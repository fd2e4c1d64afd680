//! Speed: to a wanted speed, without turning.

use crate::terms::behavior::heading;
use crate::terms::drive::driven::Field;
use crate::{ParamError, Vector};

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
    pub(super) fn check(&self, at: &Field<'_>) -> Result<(), ParamError> {
        at.ranges(self)
    }

    /// The force on a boid of this velocity.
    pub fn force<V: Vector>(&self, velocity: V) -> V {
        heading(velocity).times((self.speed - velocity.norm_plain()) * self.rate)
    }
}
