//! The limit of each lane where only the nearest count: up to a distance, and at that distance up
//! to a rank.

use crate::neighbors::Candidate;
use crate::simd::{Float, MAX_LANES, Mask, Simd};

/// Rules that share a pass: the three, or the host's own.
const RULES: usize = MAX_DECLARED;

/// The limit of a block's lanes: candidates up to this pair of (d², rank), itself included.
#[derive(Clone, Copy)]
pub struct NearestLimit<S: Simd> {
    pub(crate) distance_sq: S::F,
    /// The rank in two halves of 16 bits, which floats hold exactly.
    high: S::F,
    low: S::F,
}

impl<S: Simd> NearestLimit<S> {
    /// From keys of [`key`], lane by lane.
    #[inline(always)]
    pub(crate) fn new(s: S, keys: &[u64; MAX_LANES]) -> Self {
        let mut lanes = [[f32::INFINITY; MAX_LANES]; 3];
        for lane in 0..S::LANES {
            // While fewer than k are seen, all of them count.
            if keys[lane] != u64::MAX {
                let (high, low) = halves(keys[lane] as u32);
                lanes[0][lane] = f32::from_bits((keys[lane] >> 32) as u32);
                lanes[1][lane] = high;
                lanes[2][lane] = low;
            }
        }
        Self {
            distance_sq: s.load(&lanes[0], 0),
            high: s.load(&lanes[1], 0),
            low: s.load(&lanes[2], 0),
        }
    }

    /// All nearer than this, squared.
    #[inline(always)]
    pub(crate) fn below(s: S, distance_sq: S::F) -> Self {
        Self { distance_sq, high: s.splat(-1.0), low: s.splat(-1.0) }
    }

    /// All up to this distance, squared.
    #[inline(always)]
    pub(crate) fn up_to(s: S, distance_sq: S::F) -> Self {
        Self { distance_sq, high: s.splat(f32::INFINITY), low: s.splat(-1.0) }
    }

    /// Whether one whose rank is at least this, at this squared distance or further, may be looked
    /// at.
    #[inline(always)]
    pub(crate) fn admits(&self, s: S, distance_sq: S::F, rank: u32) -> S::M {
        let (high, low) = halves(rank);
        self.covers(distance_sq, s.splat(high), s.splat(low))
    }

    /// Square of the furthest that a boid which counts for one of the lanes can be.
    #[inline(always)]
    pub(crate) fn reach_sq(&self, s: S, lanes: S::M) -> f32 {
        let reach_sq = lanes.select(self.distance_sq, s.splat(0.0)).reduce_max();
        // Of a hundred thousand at one distance, none is nearer than those found.
        let inclusive = self.high.ge(s.splat(0.0)).any();
        if inclusive { reach_sq } else { reach_sq.next_down() }
    }

    /// Lanes where ranks decide.
    #[inline(always)]
    pub(crate) fn by_rank(&self, s: S) -> S::M {
        self.high.ge(s.splat(0.0)) & self.high.lt(s.splat(f32::INFINITY))
    }

    #[inline(always)]
    fn covers(&self, distance_sq: S::F, high: S::F, low: S::F) -> S::M {
        let before = high.lt(self.high) | (high.le(self.high) & low.le(self.low));
        distance_sq.lt(self.distance_sq) | (distance_sq.le(self.distance_sq) & before)
    }
}

/// Distance and rank as one number that orders as the pair does: the bits of floats that are not
/// negative order as they do.
#[inline(always)]
pub(crate) fn key(distance_sq: f32, rank: u32) -> u64 {
    u64::from(distance_sq.to_bits()) << 32 | u64::from(rank)
}

#[inline(always)]
fn halves(rank: u32) -> (f32, f32) {
    ((rank >> 16) as f32, (rank & 0xffff) as f32)
}

/// The limits of every rule.
#[derive(Clone, Copy)]
pub struct NearestLimits<S: Simd> {
    of_rule: [NearestLimit<S>; RULES],
    /// The furthest limit of rules that count only their nearest.
    pub(crate) furthest: NearestLimit<S>,
}

impl<S: Simd> NearestLimits<S> {
    /// No limit for any rule.
    #[inline(always)]
    pub(crate) fn none(s: S) -> Self {
        let none = NearestLimit::new(s, &[u64::MAX; MAX_LANES]);
        Self { of_rule: [none; RULES], furthest: none }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, s: S, rule: usize, keys: &[u64; MAX_LANES]) {
        self.of_rule[rule] = NearestLimit::new(s, keys);
    }
}

/// Whether a candidate is among the nearest: the limits, if there are any, and its rank.
#[derive(Clone, Copy)]
pub struct NearestTest<'a, S: Simd> {
    limits: Option<&'a NearestLimits<S>>,
    high: S::F,
    low: S::F,
}

impl<'a, S: Simd> NearestTest<'a, S> {
    #[inline(always)]
    pub(crate) fn new(
        s: S,
        limits: Option<&'a NearestLimits<S>>,
        rank: &[u32],
        slot: usize,
    ) -> Self {
        // Without limits the rank is not needed.
        let (high, low) = if limits.is_some() { halves(rank[slot]) } else { (0.0, 0.0) };
        Self { limits, high: s.splat(high), low: s.splat(low) }
    }

    /// Of the lanes that see the candidate, those among whose nearest it is.
    #[inline(always)]
    pub(crate) fn among<const D: usize>(
        &self,
        rule: usize,
        other: &Candidate<S, D>,
        seen: S::M,
    ) -> S::M {
        let Some(limits) = self.limits else { return seen };
        let limit = &limits.of_rule[rule];
        seen & limit.covers(other.distance_sq, self.high, self.low)
    }
}

/// Rules of the host's own a flock may have.
pub(crate) const MAX_DECLARED: usize = 4;
