//! A visitor that keeps the nearest by distance and id, exactly, one lane at a time.

use std::cell::Cell;

use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor, NearestLimit, NearestLimits, key};
use crate::simd::{Float, MAX_LANES, Mask, Simd};
use crate::terms::rule::topological::{MOST, RankedRule};

/// Keeps the smallest pairs of (d², rank) of every rule, a lane at a time: for blocks that are
/// run exactly, and for rules of the host's own.
#[derive(Clone, Copy)]
pub(super) struct RankedVisitor<'a> {
    ranked: &'a [RankedRule],
    rank: &'a [u32],
    keys: &'a [Cell<u64>],
}

impl<'a> RankedVisitor<'a> {
    /// `keys` is [`keys_for`](Self::keys_for) long.
    pub fn new(ranked: &'a [RankedRule], rank: &'a [u32], keys: &'a mut [u64]) -> Self {
        let keys = &mut keys[..Self::keys_for(ranked.len())];
        keys.fill(u64::MAX);
        Self { ranked, rank, keys: Cell::from_mut(keys).as_slice_of_cells() }
    }

    pub fn keys_for(rules: usize) -> usize {
        rules * MAX_LANES * MOST
    }

    /// The furthest of any rule's k-th pair, lane by lane.
    #[inline(always)]
    fn furthest<S: Simd>(&self, s: S) -> NearestLimit<S> {
        let mut furthest = [0; MAX_LANES];
        for n in 0..self.ranked.len() {
            let RankedRule { seen, k, .. } = &self.ranked[n];
            for lane in 0..S::LANES {
                // While fewer than k are seen, all in range count.
                let last = self.keys[(n * MAX_LANES + lane) * MOST + k - 1]
                    .get()
                    .min(key(seen.radius_sq, u32::MAX));
                furthest[lane] = if last > furthest[lane] { last } else { furthest[lane] };
            }
        }
        NearestLimit::new(s, &furthest)
    }

    /// The k-th pair of every lane and rule.
    #[inline(always)]
    pub fn limits<S: Simd>(&self, s: S) -> NearestLimits<S> {
        let mut limits = NearestLimits::none(s);
        for n in 0..self.ranked.len() {
            let mut last = [u64::MAX; MAX_LANES];
            for lane in 0..S::LANES {
                last[lane] = self.keys[(n * MAX_LANES + lane) * MOST + self.ranked[n].k - 1].get();
            }
            limits.set(s, self.ranked[n].rule, &last);
        }
        limits.furthest = self.furthest(s);
        limits
    }
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for RankedVisitor<'_> {
    const IN_ANY_ORDER: bool = true;

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        self.furthest(s)
    }

    #[inline(always)]
    fn visit(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        for n in 0..self.ranked.len() {
            let (seen, _) = self.ranked[n].seen.test(s, own, other);
            let mut bits = seen.bits();
            if bits == 0 {
                continue;
            }
            let mut distance_sq = [0.0; MAX_LANES];
            other.distance_sq.store(&mut distance_sq);
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let from = (n * MAX_LANES + lane) * MOST;
                insert(
                    &self.keys[from..from + self.ranked[n].k],
                    key(distance_sq[lane], self.rank[other.slot]),
                );
            }
        }
    }
}

/// Puts a key into ascending ones, whose largest falls out.
#[inline]
fn insert(keys: &[Cell<u64>], key: u64) {
    let mut at = keys.len();
    while at > 0 && keys[at - 1].get() > key {
        at -= 1;
        if at + 1 < keys.len() {
            keys[at + 1].set(keys[at].get());
        }
    }
    if at < keys.len() {
        keys[at].set(key);
    }
}
