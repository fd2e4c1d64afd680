//! Speed in lanes.

use wingbeat_steer::drive::Speed;

use crate::simd::{Float, Simd, Vectors};
use crate::terms::drive::{DriveLanes, InLanes, LaneDrive};

impl InLanes for Speed {
    type Lanes = Self;

    fn in_lanes(self) -> Self {
        self
    }
}

impl<const D: usize> LaneDrive<D> for Speed {
    #[inline(always)]
    fn lane_force<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        toward(s, lanes, self.speed, self.rate)
    }

    #[inline(always)]
    fn waiting<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        toward(s, lanes, 0.0, self.rate)
    }
}

#[inline(always)]
fn toward<S: Simd, const D: usize>(
    s: S,
    lanes: &DriveLanes<'_, S, D>,
    speed: f32,
    rate: f32,
) -> Vectors<S, D> {
    let own = &lanes.block.own;
    let missing = s.splat(speed) - own.velocity.dot(own.velocity).sqrt();
    own.heading * (missing * s.splat(rate))
}
