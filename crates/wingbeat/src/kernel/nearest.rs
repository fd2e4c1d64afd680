//! How far each boid of a block looks, where its rules count only their nearest: the pass over candidates before the one that sums.
//!
//! ```text
//! rows ← just above the squared radius                 (k + 1 rows of lanes and more, ascending in every lane)
//! for each listed slot:
//!     if it is seen and nearer than rows[k] for any lane: its d² waits; eight of them are sorted and merged into the rows
//! after each list: no further than the largest rows[k − 1] of any lane need be searched
//! limit ← min(rows[k − 1], radius²)                    the sums then go up to it, instead of to the radius
//! tied  ← rows[k − 1] = rows[k]: the lower id counts, which only the general loop (ranked.rs) decides
//! ```
//!
//! The result does not depend on the order of candidates, except where two are equally far. That is rare: a block with such a tie at
//! its border is steered again by the general loop, like one with coincident boids.

use std::cell::Cell;

use super::chosen::{Met, choose, prune};
use super::list::List;
use super::nearest_eyes::{FEW, FewEyes, NearestEyes, PendingDistances, ROWS, Reach, SEARCHES, SearchLanes};
use super::ranked::RankedEyes;
use super::search::{CandidateSource, look_everywhere, look_through};
use super::smallest::{BATCH, kept_for};
use super::world::World;
use crate::block::{Block, NearestLimits};
use crate::grid::{Images, Run};
use crate::rule::topological::{NearestRules, SharedSearch};
use crate::rule::{PreparedPerception, SightLanes};
use crate::simd::{Mask, Outlined, Simd};

/// The pass, as a function of its own.
pub(super) struct NearestPass<'a, S: Simd, const D: usize> {
    pub world: &'a World<'a, D>,
    pub nearest: &'a NearestRules,
    pub runs: &'a [Run<D>],
    pub list: &'a mut List,
    pub met: &'a mut Met,
    pub block: &'a Block<S, D>,
    pub reach: &'a mut Reach<S>,
}

impl<S: Simd, const D: usize> Outlined<S> for NearestPass<'_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let shared = &self.nearest.searches[..];
        if let [SharedSearch { sight, k: k @ ..FEW, .. }] = shared
            && sight.near_sq < 0.0
            && self.world.flock.fine.is_none()
        {
            self.few(s, sight, *k);
        } else {
            self.any(s, shared);
        }
    }
}

impl<S: Simd, const D: usize> NearestPass<'_, S, D> {
    /// One search, its rows in registers.
    #[inline(always)]
    fn few(self, s: S, sight: &PreparedPerception, k: usize) {
        let own = &self.block.own;
        let rows = [s.splat(sight.radius_sq.next_up()); FEW];
        let new = Cell::from_mut(&mut self.met.distance_sq[..]).as_slice_of_cells();
        let few = FewEyes { sight: sight.lanes(s, own), k, rows, new, len: 0, closest_sq: s.splat(f32::INFINITY) };
        let found = CandidateSource::new(self.runs, self.list, sight.radius_sq);
        let (few, listed) = look_through(s, self.world, found, few, self.block);
        let mut rows = few.rows;
        let coincident_sq = self.nearest.widest.coincident_sq;
        let searches = [SearchLanes { sight: few.sight, k, kept: FEW }];
        let rows = Cell::from_mut(&mut rows[..]).as_slice_of_cells();
        let eyes = NearestEyes {
            searches: &searches,
            rows,
            pending: PendingDistances::none(),
            closest_sq: few.closest_sq,
            coincident_sq,
        };
        *self.reach = eyes.reach(s, self.nearest, own, sight.radius_sq, listed);
        if self.nearest.all && !self.reach.tied {
            let limit = own.live.select(eyes.reached(0), s.splat(-1.0));
            self.reach.listed = prune(s, self.list, listed, self.met, limit);
        }
    }

    /// Any searches, their rows in memory.
    #[inline(always)]
    fn any(self, s: S, shared: &[SharedSearch]) {
        let own = &self.block.own;
        let mut rows = [s.splat(0.0); SEARCHES * ROWS];
        let mut searches = [SearchLanes { sight: SightLanes::none(s), k: 1, kept: FEW }; SEARCHES];
        let mut widest_sq = 0.0;
        for g in 0..shared.len() {
            let SharedSearch { sight, k, .. } = &shared[g];
            searches[g] = SearchLanes { sight: sight.lanes(s, own), k: *k, kept: kept_for(*k) };
            for row in &mut rows[g * ROWS..(g + 1) * ROWS] {
                *row = s.splat(sight.radius_sq.next_up());
            }
            widest_sq = if sight.radius_sq > widest_sq { sight.radius_sq } else { widest_sq };
        }
        let rows = Cell::from_mut(&mut rows[..]).as_slice_of_cells();
        let met = &mut *self.met;
        let pending = PendingDistances {
            new: Cell::from_mut(&mut met.distance_sq[..]).as_slice_of_cells(),
            slots: Cell::from_mut(&mut met.slots[..]).as_slice_of_cells(),
            first: [0, BATCH, 2 * BATCH],
            len: [0; SEARCHES],
            all: shared.len() == 1 && self.nearest.all && self.runs.iter().all(|run| run.shift == [0.0; D]),
        };
        let (searches, coincident_sq) = (&searches[..shared.len()], self.nearest.widest.coincident_sq);
        let eyes = NearestEyes { searches, rows, pending, closest_sq: s.splat(f32::INFINITY), coincident_sq };
        let found = CandidateSource::new(self.runs, self.list, widest_sq);
        let (eyes, listed) = look_through(s, self.world, found, eyes, self.block);
        *self.reach = eyes.reach(s, self.nearest, own, widest_sq, listed);
        if eyes.pending.all && !self.reach.tied {
            let (limit, count) = (own.live.select(eyes.reached(0), s.splat(-1.0)), eyes.pending.first[0]);
            self.reach.listed = choose(s, self.world.flock.fine, self.list, self.met, count, limit);
        }
    }
}

/// The pass that ids decide, as a function of its own.
pub(super) struct RankedPass<'a, S: Simd, const D: usize> {
    pub world: &'a World<'a, D>,
    pub nearest: &'a NearestRules,
    pub runs: &'a [Run<D>],
    pub list: &'a mut List,
    pub keys: &'a mut [u64],
    pub block: &'a Block<S, D>,
    pub images: Images,
    pub limits: &'a mut NearestLimits<S>,
}

impl<S: Simd, const D: usize> Outlined<S> for RankedPass<'_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let eyes = RankedEyes::new(self.nearest, self.world.flock.identity.rank, self.keys);
        let eyes = look_everywhere(s, self.world, self.runs, self.list, eyes, self.block, self.images);
        *self.limits = eyes.limits(s);
    }
}
