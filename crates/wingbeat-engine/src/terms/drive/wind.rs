//! Wind in lanes.

use wingbeat_steer::drive::Wind;

use crate::simd::{Simd, Vectors};
use crate::terms::drive::{DriveLanes, InLanes, LaneDrive};

impl<const D: usize> InLanes for Wind<[f32; D]> {
    type Lanes = Self;

    fn in_lanes(self) -> Self {
        self
    }
}

impl<const D: usize> LaneDrive<D> for Wind<[f32; D]> {
    #[inline(always)]
    fn lane_force<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        let vector = Vectors::splat(s, self.vector);
        if self.drag { vector - lanes.block.own.velocity } else { vector }
    }
}
