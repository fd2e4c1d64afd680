//! Tether in lanes.

use wingbeat_steer::drive::{FARTHEST_PULL, Tether};

use crate::simd::{Float, Mask, Simd, Vectors};
use crate::terms::drive::{DriveLanes, InLanes, LaneDrive};

impl<const D: usize> InLanes for Tether<[f32; D]> {
    type Lanes = Self;

    fn in_lanes(self) -> Self {
        self
    }
}

impl<const D: usize> LaneDrive<D> for Tether<[f32; D]> {
    #[inline(always)]
    fn lane_force<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        let (distance, direction) =
            lanes.way_to(s, Vectors::splat(s, self.anchor)).length_and_direction(s);
        let radius = s.splat(self.radius);
        let (beyond, farthest) = (distance - radius, s.splat(FARTHEST_PULL));
        let pull = beyond.lt(farthest).select(beyond, farthest) * s.splat(self.strength);
        (direction * pull).or_zero(s, distance.gt(radius))
    }
}
