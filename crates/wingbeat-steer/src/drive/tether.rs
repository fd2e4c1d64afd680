//! Tether: back to an anchor.

use super::{Driven, Field, check_place};
use crate::behavior::length_and_direction;
use crate::knobs::limit;
use crate::{Domain, ParamError, Vector, math};

/// A tether pulls no harder than at this distance beyond its radius, so that no force overflows.
pub const FARTHEST_PULL: f32 = 1e12;

/// Leaves boids alone within a radius of an anchor, and pulls them back beyond it like a spring.
///
/// Formula: d the distance to the anchor through the nearest image; unit(o)·((d − radius)·strength) where d > radius, else 0.
///
/// ```
/// use wingbeat_steer::drive::Tether;
/// let nest = Tether { anchor: [0.0, 0.0], radius: 5.0, strength: 2.0 };
/// ```
/// Source: UnitySteer (steer for tether), with a pull that begins at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Tether<V> {
    /// Where boids are kept, length; inside the domain's box.
    pub anchor: V,
    /// How far they may go, length. Range 0…1e12. Larger: more freedom.
    pub radius: f32,
    /// Force per length beyond. Range 0…1e9. Larger: a stiffer tether.
    pub strength: f32,
}

impl<V: Vector> Default for Tether<V> {
    fn default() -> Self {
        Self { anchor: V::origin(), radius: 1.0, strength: 1.0 }
    }
}

impl<V: Vector> Tether<V> {
    pub(super) fn check(&self, at: &Field<'_>, domain: &Domain<V>) -> Result<(), ParamError> {
        check_place(&at.key("anchor"), self.anchor, domain)?;
        at.within("radius", self.radius, 0.0, limit::RADIUS)?;
        at.within("strength", self.strength, 0.0, limit::MAGNITUDE)
    }

    pub(super) fn force(&self, boid: &Driven<'_, V>) -> V {
        let (distance, direction) = length_and_direction(boid.way_to(self.anchor));
        if distance > self.radius {
            direction.times(math::min(distance - self.radius, FARTHEST_PULL) * self.strength)
        } else {
            V::origin()
        }
    }
}
