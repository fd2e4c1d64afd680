//! Goal: to a point, slowing down before it.

use super::{Driven, Field, check_place};
use crate::behavior::arrival_velocity;
use crate::{Domain, ParamError, Vector};

parameters! {
    /// Drives a boid to its own goal (`Flock::set_goal`), or where it has none to a common target; without either the force is 0.
    ///
    /// Formula: o the way to the goal through the nearest image, d its length;
    /// unit(o)·max_speed·min(1, d/slowing_radius) − v within `range`, 0 beyond: [`arrive`](crate::behavior::arrive).
    ///
    /// ```
    /// use wingbeat_steer::drive::{Goal, OnArrival};
    /// let door = Goal { target: Some([9.0, 5.0]), arrival_radius: 0.5, on_arrival: OnArrival::Leave, ..Default::default() };
    /// assert_eq!((door.slowing_radius, door.range), (1.0, f32::INFINITY));
    /// ```
    /// Source: Reynolds 1999 (seek, arrival).
    pub struct Goal<V> in "drive." {
        slowing_radius: f32 = 1.0, "length", 0.0 => 1e12, "Within this distance the wanted speed falls in proportion; 0: no slowing down.", "earlier and gentler braking";
        arrival_radius: f32 = 0.0, "length", 0.0 => 1e12, "Who ends a step this near has arrived; 0: nobody does.", "sooner";
    }
    with {
        /// The target of all who have no goal of their own, length; inside the domain's box. Default: none.
        pub target: Option<V> = None;
        /// What becomes of those who have arrived, which is told once for each goal. Default: they stay.
        pub on_arrival: OnArrival = OnArrival::Stay;
        /// The goal draws only those this near, length. Default: infinite; range above 0. Larger: it draws from further away.
        #[cfg_attr(feature = "serde", serde(default = "crate::serial::no_bound", with = "crate::serial::bound"))]
        pub range: f32 = f32::INFINITY;
    }
}

/// What becomes of a boid that has arrived.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum OnArrival {
    /// It stays, and is still drawn to the goal.
    #[default]
    Stay,
    /// It leaves the flock at the end of the step, as through a door.
    Leave,
}

impl<V: Vector> Goal<V> {
    pub(super) fn check(&self, at: &Field<'_>, domain: &Domain<V>) -> Result<(), ParamError> {
        if let Some(target) = self.target {
            check_place(&at.key("target"), target, domain)?;
        }
        at.ranges(self)?;
        if self.range > 0.0 { Ok(()) } else { Err(ParamError::new(at.key("range"), self.range, "above 0, or inf")) }
    }

    fn way(&self, boid: &Driven<'_, V>) -> Option<V> {
        Some(boid.way_to(self.target_of(boid)?))
    }

    /// Where it leads the boid.
    pub(super) fn target_of(&self, boid: &Driven<'_, V>) -> Option<V> {
        boid.goal.or(self.target)
    }

    /// The velocity it would have the boid take; `None` without a target in range.
    pub(super) fn desired(&self, boid: &Driven<'_, V>) -> Option<V> {
        let way = self.way(boid).filter(|way| way.norm_sq() <= self.range * self.range)?;
        Some(arrival_velocity(way, boid.max_speed, self.slowing_radius))
    }

    /// Whether it stands within the arrival radius.
    pub(super) fn is_at(&self, boid: &Driven<'_, V>) -> bool {
        let near = |way: V| way.norm_sq() <= self.arrival_radius * self.arrival_radius;
        self.arrival_radius > 0.0 && self.way(boid).is_some_and(near)
    }
}
