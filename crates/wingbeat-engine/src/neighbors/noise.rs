//! Keyed noise in lanes: `wingbeat_steer::noise`, operation by operation.

use wingbeat_steer::noise;

use crate::identity::Identity;
use crate::neighbors::LaneAssignment;
use crate::simd::{Float, MAX_LANES, Simd, Vectors, Whole};

/// The rounds that the draws of a boid in a step share: all but the last.
#[derive(Clone, Copy)]
pub(crate) struct Keyed<S: Simd>(S::U);

impl<S: Simd> Keyed<S> {
    #[inline(always)]
    pub fn new(s: S, identity: &Identity<'_>, lane_slots: &LaneAssignment<S>) -> Self {
        let (low, high) = ids(s, identity, lane_slots);
        let step = identity.step;
        let h = mix(s, s.splat_whole(noise::seeded(identity.seed)).plus(low));
        let h = mix(s, h.xor(high));
        let h = mix(s, h.plus(s.splat_whole(step as u32)));
        Self(mix(s, h.xor(s.splat_whole((step >> 32) as u32))))
    }

    /// Uniform in [0, 1).
    #[inline(always)]
    pub fn uniform(&self, s: S, stream: u32) -> S::F {
        let bits = mix(s, self.0.plus(s.splat_whole(stream)));
        bits.shift_right(8).to_float() * s.splat(1.0 / 16_777_216.0)
    }

    /// `noise::direction`: unit vectors, +x where every component is 0.
    #[inline(always)]
    pub fn direction<const D: usize>(&self, s: S) -> Vectors<S, D> {
        let mut raw = Vectors::zero(s);
        for a in 0..D {
            raw[a] = s.splat(2.0) * self.uniform(s, noise::stream::PART + a as u32) - s.splat(1.0);
        }
        let mut ahead = Vectors::zero(s);
        ahead[0] = s.splat(1.0);
        Vectors::select(raw.largest().gt(s.splat(0.0)), raw.unit(s), ahead)
    }
}

/// Lower and upper halves of the ids.
#[inline(always)]
fn ids<S: Simd>(s: S, identity: &Identity<'_>, lane_slots: &LaneAssignment<S>) -> (S::U, S::U) {
    if let (true, LaneAssignment::Row(first)) = (identity.ids.are_ranks(), lane_slots) {
        // Read in a row; ids behind ranks lie scattered. It was a quarter of a Vicsek flock's
        // steering.
        return (s.load_whole(&identity.rank[*first..]), s.splat_whole(0));
    }
    let (mut low, mut high) = ([0; MAX_LANES], [0; MAX_LANES]);
    for lane in 0..S::LANES {
        let id = identity.id(lane_slots.slot(lane));
        (low[lane], high[lane]) = (id as u32, (id >> 32) as u32);
    }
    (s.load_whole(&low), s.load_whole(&high))
}

/// `noise::mix`.
#[inline(always)]
fn mix<S: Simd>(s: S, h: S::U) -> S::U {
    let h = h.xor(h.shift_right(16)).times(s.splat_whole(0x7feb_352d));
    let h = h.xor(h.shift_right(15)).times(s.splat_whole(0x846c_a68b));
    h.xor(h.shift_right(16))
}
