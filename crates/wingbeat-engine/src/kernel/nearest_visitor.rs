//! Visitors that keep the smallest squared distances, lane by lane.

use std::cell::Cell;

use crate::kernel::kept::KEPT;
use crate::neighbors::smallest::{BATCH, Merge};
use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor, NearestLimit};
use crate::simd::{Float, MAX_LANES, Mask, Simd};
use crate::terms::rule::topological::{NearestRules, RuleReach};
use crate::terms::rule::{PreparedPerception, SightLanes};
use crate::terms::species_table::SpeciesInBlock;

/// Most searches of the fast loops: one for each of the three rules.
pub(super) const MAX_SEARCHES: usize = 3;
/// Rows of a search of fewer neighbors: they stay in registers while a list is merged.
pub(super) const FEW: usize = 8;

/// Limits of the fast loops.
#[derive(Clone, Copy)]
pub(super) struct FastReach<S: Simd> {
    /// Squared, for each of the three rules; a lane sees up to there. Negative without the rule.
    pub of_rule: [S::F; 3],
    /// The largest of them, within which candidates are listed.
    pub largest_sq: f32,
    /// Whether ids must decide for a boid of the block, or it coincides with another: the rest is
    /// not to be used then.
    pub tied: bool,
}

/// One search in lanes.
#[derive(Clone, Copy)]
pub(super) struct SearchLanes<'a, S: Simd> {
    pub sight: SightLanes<S>,
    /// How many neighbors each species counts.
    pub of_kind: &'a [(PreparedPerception, usize)],
    /// The most of any.
    pub most: usize,
    /// Rows kept, at least as many; the next is the smallest of those that fell out.
    pub kept: usize,
}

/// Squared distances that are to be merged into the rows.
#[derive(Clone, Copy)]
pub(super) struct PendingDistances<'a> {
    pub new: &'a [Cell<[f32; MAX_LANES]>],
    /// The slots they belong to.
    pub slots: &'a [Cell<u32>],
    /// Where the pending ones of each search begin, and how many they are.
    pub first: [usize; MAX_SEARCHES],
    pub len: [usize; MAX_SEARCHES],
    /// Whether merged ones are kept as well: there is one search, and room.
    pub all: bool,
}

/// Keeps the smallest squared distances, in this many rows a search. With [`FEW`] rows there is one
/// search, which stores the distances of a whole list before it merges them.
#[derive(Clone, Copy)]
pub(super) struct NearestVisitor<'a, S: Simd, const ROWS: usize, const SEARCHES: usize> {
    pub searches: &'a [SearchLanes<'a, S>; SEARCHES],
    /// How many of them there are.
    pub count: usize,
    pub present: &'a SpeciesInBlock,
    pub rows: &'a [Cell<S::F>],
    pub pending: PendingDistances<'a>,
    /// The smallest of all, seen or not.
    pub closest_sq: S::F,
    /// No pair further apart than this is coincident for any rule.
    pub coincident_sq: f32,
}

impl<S: Simd, const ROWS: usize, const SEARCHES: usize> NearestVisitor<'_, S, ROWS, SEARCHES> {
    pub const FEW_ROWS: bool = ROWS == FEW;

    /// The limit of each rule, from what was found.
    #[inline(always)]
    pub fn reach<const D: usize>(
        &self,
        s: S,
        nearest: &NearestRules,
        own: &BlockLanes<S, D>,
    ) -> FastReach<S> {
        let mut reach = FastReach { of_rule: [s.splat(-1.0); 3], largest_sq: 0.0, tied: false };
        let mut largest = s.splat(0.0);
        for rule in 0..3 {
            let of = |kind: usize| match nearest.of_rule[rule][kind] {
                RuleReach::Search(search) => self.reached(s, search),
                RuleReach::Radius(radius_sq) => s.splat(radius_sq),
            };
            reach.of_rule[rule] = self.by_kind(s, of);
            largest = largest.max(reach.of_rule[rule]);
        }
        reach.largest_sq = own.live.select(largest, s.splat(0.0)).reduce_max();
        // A block with coincident boids runs again, too.
        let mut tied = self.closest_sq.le(s.splat(self.coincident_sq));
        for which in 0..self.count {
            tied = tied | self.tied(s, which);
        }
        reach.tied = (tied & own.live).any();
        reach
    }

    /// Merges the pending distances into the rows of a search.
    #[inline(always)]
    fn merge(&mut self, s: S, which: usize) {
        let (first, mut len) = (self.pending.first[which], self.pending.len[which]);
        if Self::FEW_ROWS {
            // Whole batches: a list has room for them.
            let end = len.next_multiple_of(BATCH);
            for beyond in &self.pending.new[len..end] {
                beyond.set([f32::INFINITY; MAX_LANES]);
            }
            len = end;
        }
        let (row, rows) = (which * ROWS, ROWS.min(self.searches[which].kept + 1));
        s.outline(Merge {
            kept: &self.rows[row..row + rows],
            new: &self.pending.new[first..first + len],
        });
        self.pending.len[which] = 0;
        if self.pending.all {
            self.pending.all = first + len + BATCH <= KEPT;
            self.pending.first[which] = if self.pending.all { first + len } else { 0 };
        }
    }

    /// The same for all searches.
    #[inline(always)]
    fn merge_all(&mut self, s: S) {
        for which in 0..self.count {
            if self.pending.len[which] > 0 {
                self.merge(s, which);
            }
        }
    }

    /// What each lane's species says.
    #[inline(always)]
    fn by_kind(&self, s: S, of: impl Fn(usize) -> S::F) -> S::F {
        let kinds = self.present.kinds();
        let mut all = of(kinds[0].0);
        for &(kind, members) in &kinds[1..] {
            all = s.mask(members).select(of(kind), all);
        }
        all
    }

    /// The last row that counts in each lane, or the `next` after it.
    #[inline(always)]
    fn last(&self, s: S, which: usize, next: usize) -> S::F {
        self.by_kind(s, |kind| {
            self.rows[which * ROWS + self.searches[which].of_kind[kind].1 - 1 + next].get()
        })
    }

    /// The limit of the lanes under a search.
    #[inline(always)]
    pub fn reached(&self, s: S, which: usize) -> S::F {
        self.last(s, which, 0).min(self.searches[which].sight.radius_sq)
    }

    /// Where one more is as far as the last.
    #[inline(always)]
    fn tied(&self, s: S, which: usize) -> S::M {
        let next = self.last(s, which, 1);
        next.le(self.last(s, which, 0)) & next.le(self.searches[which].sight.radius_sq)
    }
}

impl<S: Simd, const D: usize, const ROWS: usize, const SEARCHES: usize> CandidateVisitor<S, D>
    for NearestVisitor<'_, S, ROWS, SEARCHES>
{
    const IN_ANY_ORDER: bool = true;
    const HOT: bool = Self::FEW_ROWS;

    #[inline(always)]
    fn visit(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        self.closest_sq = self.closest_sq.min(other.distance_sq);
        let (mut lanes, beyond) = ([0.0; MAX_LANES], s.splat(f32::INFINITY));
        if Self::FEW_ROWS {
            let pending = &mut self.pending;
            let seen = self.searches[0].sight.ahead(other, other.offset.dot(own.heading));
            seen.select(other.distance_sq, beyond).store(&mut lanes);
            pending.new[pending.len[0]].set(lanes);
            pending.len[0] += 1;
            return;
        }
        // A coincident boid has no direction and counts as seen: without it, a search in which all
        // coincide would never end.
        let coincident = other.distance_sq.le(s.splat(self.coincident_sq));
        for g in 0..self.count {
            let SearchLanes { sight, most, .. } = &self.searches[g];
            let in_sight = sight.in_sight(other, other.offset.dot(own.heading)) | coincident;
            let nearer = other.distance_sq.lt(self.rows[g * ROWS + most].get()) & in_sight;
            nearer.select(other.distance_sq, beyond).store(&mut lanes);
            // Stored in any case, and overwritten where no lane wants it: an unpredictable branch
            // would cost more.
            let pending = &mut self.pending;
            let at = pending.first[g] + pending.len[g];
            pending.new[at].set(lanes);
            pending.slots[at].set(other.slot as u32);
            pending.len[g] += usize::from(nearer.any());
            if pending.len[g] == BATCH {
                self.merge(s, g);
            }
        }
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        self.merge_all(s);
        let mut largest = s.splat(0.0);
        for g in 0..self.count {
            largest = largest.max(self.rows[g * ROWS + self.searches[g].most].get());
        }
        NearestLimit::below(s, largest)
    }
}
