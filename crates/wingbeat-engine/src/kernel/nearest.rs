//! The limit of each boid of a block, where its rules count only their nearest: the pass over
//! candidates before the one that sums.
//!
//! ```text
//! rows ← just above the squared radius      (k + 1 rows of lanes or more, ascending in every lane)
//! for each listed slot:
//!     if it is seen and nearer than rows[k] for any lane: queue its d²; merge eight into the rows
//! after each list: search only nearer than the largest rows[k] of any lane
//! limit ← min(rows[k − 1], radius²)          the sums then go up to it, instead of to the radius
//! tied  ← rows[k − 1] = rows[k]: the lower id counts, which only ranked.rs decides
//! ```
//!
//! The result does not depend on the order of candidates, except where two are equally far. That is
//! rare: a block with such a tie at its border runs again, exactly, like one with
//! coincident boids.

use std::cell::Cell;

use super::blocks::PassContext;
use super::ranked::RankedVisitor;
use crate::kernel::kept::{choose, prune};
use crate::kernel::nearest_visitor::{
    FEW, FastReach, MAX_SEARCHES, NearestVisitor, PendingDistances, SearchLanes,
};
use crate::neighbors::NearestLimits;
use crate::neighbors::smallest::{BATCH, kept_for};
use crate::simd::{Float, Mask, Outlined, Simd};
use crate::terms::rule::SightLanes;
use crate::terms::rule::topological::{MOST, NearestRules, RankedRule, SharedSearch};

/// The pass, as a function of its own. It leaves the list of kept candidates, where it can.
pub(super) struct NearestSearch<'a, 'b, S: Simd, const D: usize> {
    pub context: &'a mut PassContext<'b, S, D>,
    pub nearest: &'a NearestRules,
    pub reach: &'a mut FastReach<S>,
}

impl<S: Simd, const D: usize> Outlined<S> for NearestSearch<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let input = self.context.input;
        if let [SharedSearch { of_kind }] = &self.nearest.searches[..]
            && let [(sight, ..FEW)] = of_kind[..]
            && sight.near_sq < 0.0
            && input.flock.fine.is_none()
            && input.prepared.kinds.all_count_all
        {
            self.search::<FEW, 1>(s);
        } else {
            self.search::<{ MOST + 1 }, MAX_SEARCHES>(s);
        }
    }
}

impl<S: Simd, const D: usize> NearestSearch<'_, '_, S, D> {
    /// Up to so many searches, each with so many rows.
    #[inline(always)]
    fn search<const ROWS: usize, const SEARCHES: usize>(self, s: S) {
        let few = ROWS == FEW;
        let PassContext { input, block, present, candidates, kept, .. } = self.context;
        let (own, shared) = (&block.own, &self.nearest.searches[..]);
        let mut rows = [[s.splat(0.0); ROWS]; SEARCHES];
        let mut searches =
            [SearchLanes { sight: SightLanes::none(s), of_kind: &[], most: 1, kept: FEW };
                SEARCHES];
        let mut widest_sq = 0.0;
        for g in 0..shared.len() {
            let of_kind = &shared[g].of_kind[..];
            let present = present.kinds();
            let (sight, _) = &of_kind[present[0].0];
            let (mut lanes, mut beyond) = (sight.lanes(s, own), s.splat(sight.radius_sq.next_up()));
            for &(kind, members) in &present[1..] {
                let ((sight, _), mask) = (&of_kind[kind], s.mask(members));
                lanes = sight.lanes(s, own).blend(mask, &lanes);
                beyond = mask.select(s.splat(sight.radius_sq.next_up()), beyond);
            }
            let most = of_kind.iter().fold(1, |most, (_, k)| most.max(*k));
            searches[g] = SearchLanes { sight: lanes, of_kind, most, kept: kept_for(most) };
            rows[g] = [beyond; ROWS];
            let radius_sq = lanes.radius_sq.reduce_max();
            widest_sq = if radius_sq > widest_sq { radius_sq } else { widest_sq };
        }
        let rows = Cell::from_mut(rows.as_flattened_mut()).as_slice_of_cells();
        let pending = PendingDistances {
            new: Cell::from_mut(&mut kept.distances[..]).as_slice_of_cells(),
            slots: Cell::from_mut(&mut kept.slots[..]).as_slice_of_cells(),
            first: [0, BATCH, 2 * BATCH],
            len: [0; MAX_SEARCHES],
            all: !few
                && shared.len() == 1
                && self.nearest.all
                && candidates.runs.iter().all(|run| run.shift == [0.0; D]),
        };
        let visitor = NearestVisitor::<S, ROWS, SEARCHES> {
            searches: &searches,
            count: shared.len(),
            present,
            rows,
            pending,
            closest_sq: s.splat(f32::INFINITY),
            coincident_sq: self.nearest.widest.coincident_sq,
        };
        let visitor = if const { ROWS == FEW } {
            candidates.look(s, widest_sq, visitor)
        } else {
            candidates.look_counting(s, widest_sq, visitor)
        };
        *self.reach = visitor.reach(s, self.nearest, own);
        if self.reach.tied {
            return;
        }
        let limit = own.live.select(visitor.reached(s, 0), s.splat(-1.0));
        let count = visitor.pending.first[0];
        if few && self.nearest.all {
            candidates.listed = prune(s, candidates.list, candidates.listed, kept, limit);
        } else if visitor.pending.all {
            candidates.listed = choose(s, input.flock.fine, candidates.list, kept, count, limit);
        }
    }
}

/// The pass that ids decide, as a function of its own.
pub(super) struct RankedSearch<'a, 'b, S: Simd, const D: usize> {
    pub context: &'a mut PassContext<'b, S, D>,
    pub ranked: &'a [RankedRule],
    pub reach_sq: f32,
    pub limits: &'a mut NearestLimits<S>,
}

impl<S: Simd, const D: usize> Outlined<S> for RankedSearch<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let PassContext { input, candidates, keys, .. } = self.context;
        let visitor = RankedVisitor::new(self.ranked, input.flock.identity.rank, keys);
        *self.limits = candidates.look_at_all(s, self.reach_sq, visitor).limits(s);
    }
}
