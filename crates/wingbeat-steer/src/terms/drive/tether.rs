//! Tether: back to an anchor.

use crate::terms::behavior::length_and_direction;
use crate::terms::drive::definition::{DriveDefinition, DriveParts, Driven, Field, check_place};
use crate::{Domain, ParamError, Vector, math};

/// A tether pulls no harder than at this distance beyond its radius, so that no force overflows.
pub const FARTHEST_PULL: f32 = 1e12;

parameters! {
    /// Leaves boids alone within a radius of an anchor, and pulls them back beyond it like a
    /// spring.
    ///
    /// Formula: d the distance to the anchor through the nearest image; unit(o)·((d −
    /// radius)·strength) where d > radius, else 0.
    ///
    /// ```
    /// use wingbeat_steer::drive::Tether;
    /// let nest = Tether { anchor: [0.0, 0.0], radius: 5.0, strength: 2.0 };
    /// ```
    /// Source: UnitySteer (steer for tether), with a pull that begins at 0.
    pub struct Tether<V: Vector> in "drive." {
        radius: f32 = 1.0, "length", 0.0 => 1e12, "How far they may go.", "more freedom";
        strength: f32 = 1.0, "mass/time²", 0.0 => 1e9, "Force per length beyond.", "a stiffer \
            tether";
    }
    settings {
        anchor: V = V::origin(), shown "zeros", in "length" from -1e30 => 1e30, "Where \
            boids are kept, inside the domain.";
    }
}

impl<V: Vector> DriveDefinition<V> for Tether<V> {
    const NAME: &'static str = "tether";

    fn check(&self, at: &Field<'_>, domain: &Domain<V>) -> Result<(), ParamError> {
        check_place(&at.key("anchor"), self.anchor, domain)?;
        at.ranges(self)
    }

    fn force(&self, _place: usize, boid: &Driven<'_, V>) -> V {
        let (distance, direction) = length_and_direction(boid.way_to(self.anchor));
        if distance > self.radius {
            direction.times(math::min(distance - self.radius, FARTHEST_PULL) * self.strength)
        } else {
            V::origin()
        }
    }

    fn parts(&self, boid: &Driven<'_, V>, _force: Option<V>) -> DriveParts<V> {
        DriveParts::toward(boid, self.anchor)
    }
}
