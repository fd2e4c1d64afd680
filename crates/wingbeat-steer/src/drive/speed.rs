//! Speed: to a wanted speed, without turning.

use super::Field;
use crate::behavior::heading;
use crate::knobs::limit;
use crate::{ParamError, Vector};

/// Speeds a boid up or slows it down along its heading; 0 at rest, where there is none.
///
/// Formula: h·((speed − √(v·v))·rate).
///
/// ```
/// use wingbeat_steer::drive::Speed;
/// assert_eq!(Speed { speed: 3.0, rate: 2.0 }.force([0.0, 1.0]), [0.0, 4.0]);
/// ```
/// Source: self-propulsion as in most models of animal groups; UnitySteer (steer for speed).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Speed {
    /// The speed wanted, length/time. Default 1, range 0…1e9. Larger: faster.
    pub speed: f32,
    /// How fast it is approached, 1/time at mass 1. Default 1, range 0…1e9. Larger: sooner; above 1/dt it overshoots.
    pub rate: f32,
}

impl Default for Speed {
    fn default() -> Self {
        Self { speed: 1.0, rate: 1.0 }
    }
}

impl Speed {
    pub(super) fn check(&self, at: &Field<'_>) -> Result<(), ParamError> {
        at.within("speed", self.speed, 0.0, limit::MAGNITUDE)?;
        at.within("rate", self.rate, 0.0, limit::MAGNITUDE)
    }

    /// The force on a boid of this velocity.
    pub fn force<V: Vector>(&self, velocity: V) -> V {
        heading(velocity).times((self.speed - velocity.norm_plain()) * self.rate)
    }
}
