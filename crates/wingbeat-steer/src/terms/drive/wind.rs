//! Wind: the same everywhere.

use crate::terms::drive::definition::{DriveDefinition, Driven, Field};
use crate::{Domain, ParamError, Vector};

settings! {
    /// A constant push, or the drag of air that moves.
    ///
    /// Formula: `vector`; with `drag` on, vector − v, so that boids are carried along at the wind's
    /// velocity and the weight is the strength of the drag (1/time at mass 1; larger: carried along
    /// sooner).
    ///
    /// ```
    /// use wingbeat_steer::drive::Wind;
    /// assert_eq!(Wind { vector: [2.0, 0.0], drag: true }.force([0.5, 1.0]), [1.5, -1.0]);
    /// ```
    /// Source: drag in proportion to relative velocity (Stokes).
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
    pub struct Wind<V: Vector> in "drive." {}
    settings {
        vector: V = V::origin(), shown "required", in "mass·length/time²" from -1e9 => 1e9, "The \
            force; with drag the velocity of the air.";
        drag: bool = false, "Whether boids are dragged along: vector - velocity in place of \
            vector.";
    }
}

impl<V: Vector> Wind<V> {
    /// The force on a boid of this velocity.
    pub fn force(&self, velocity: V) -> V {
        if self.drag { self.vector.minus(velocity) } else { self.vector }
    }
}

impl<V: Vector> DriveDefinition<V> for Wind<V> {
    const NAME: &'static str = "wind";

    fn check(&self, at: &Field<'_>, _domain: &Domain<V>) -> Result<(), ParamError> {
        at.ranges(self)
    }

    fn desired(&self, _boid: &Driven<'_, V>) -> Option<V> {
        self.drag.then_some(self.vector)
    }

    fn force(&self, _place: usize, boid: &Driven<'_, V>) -> V {
        self.force(boid.velocity)
    }

    /// The boid has no say in what the air does.
    fn waiting(&self, _boid: &Driven<'_, V>) -> Option<V> {
        None
    }
}
