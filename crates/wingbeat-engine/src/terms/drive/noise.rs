//! Noise in lanes.

use wingbeat_steer::drive::{Noise, WanderClock};

use crate::columns::boids::Boids;
use crate::parallel::Workers;
use crate::simd::series::sin_cos_turns;
use crate::simd::{Float, Simd, Vectors};
use crate::terms::drive::{DriveLanes, InLanes, LaneDrive};

#[derive(Clone)]
pub(crate) struct NoiseLanes {
    noise: Noise,
    /// The number of the interval under way.
    draw: u64,
}

impl InLanes for Noise {
    type Lanes = NoiseLanes;

    fn in_lanes(self) -> NoiseLanes {
        NoiseLanes { noise: self, draw: 0 }
    }
}

impl<const D: usize> LaneDrive<D> for NoiseLanes {
    fn begin_step<T: Default + Send>(&mut self, _: &Boids<D>, time: f64, _: &Workers<T>) {
        self.draw = WanderClock::at(time, self.noise.interval).draw;
    }

    #[inline(always)]
    fn lane_force<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        let (key, stream) = (lanes.keyed(s, self.draw), Noise::stream(lanes.place));
        let (sin, cos) = sin_cos_turns(s, key.uniform(s, stream));
        let mut way = Vectors::zero(s);
        (way[0], way[1]) = (cos, sin);
        if D == 3 {
            let z = s.splat(2.0) * key.uniform(s, stream + 1) - s.splat(1.0);
            let r = (s.splat(1.0) - z * z).sqrt();
            (way[0], way[1], way[2]) = (cos * r, sin * r, z);
        }
        way * s.splat(self.noise.size)
    }
}
