//! All candidates of a block up to any reach: for bodies and anticipation, whose reach differs from
//! the rules'.
//!
//! ```text
//! runs ← those within the distance of the block's box
//! until all are listed:
//!     list ← the next of them that pass the box test
//!     visitor ← what looks at this list: it may need room for so many first
//!     show the list to the visitor, or those in it that some lane is near to
//! ```

use std::cell::Cell;

use crate::grid::{Images, Reach, Run};
use crate::neighbors::{
    Block, BlockLanes, Candidate, CandidateVisitor, Collector, Consume, DIRECT, List, NEAREST,
    ROOM, SortedFlock,
};
use crate::simd::{Float, MAX_LANES, Mask, Simd};

/// Scratch space of such searches, one a worker thread, reused in every step.
#[derive(Debug)]
pub(crate) struct SearchScratch<const D: usize> {
    runs: Vec<Run<D>>,
    list: Box<List>,
    near: Box<List>,
}

impl<const D: usize> Default for SearchScratch<D> {
    fn default() -> Self {
        let list = || Box::new([0; ROOM + MAX_LANES]);
        Self { runs: Vec::new(), list: list(), near: list() }
    }
}

/// A search of a block for all candidates up to a distance, a list at a time.
pub(crate) struct Surroundings<'a, S: Simd, const D: usize> {
    flock: &'a SortedFlock<'a, D>,
    block: &'a Block<S, D>,
    list: &'a mut List,
    near: &'a mut List,
    collector: Collector<'a, D>,
    reach_sq: f32,
    per_lane: bool,
}

impl<'a, S: Simd, const D: usize> Surroundings<'a, S, D> {
    /// Candidates of a block up to `radius`.
    #[inline(always)]
    pub fn new(
        flock: &'a SortedFlock<'a, D>,
        block: &'a Block<S, D>,
        radius: f32,
        scratch: &'a mut SearchScratch<D>,
    ) -> Self {
        let SearchScratch { runs, list, near } = scratch;
        let reach = Reach::new(radius, flock.domain);
        let images = flock.grid.search_within(
            &reach,
            &flock.columns.position,
            &block.low,
            &block.high,
            runs,
        );
        let (collector, per_lane) = (Collector::new(runs), images == Images::PerLane);
        Self { flock, block, list, near, collector, reach_sq: radius * radius, per_lane }
    }

    /// Lists the next of them, at most [`LIST`](crate::neighbors::LIST); no when all have been
    /// listed.
    #[inline(always)]
    pub fn list_more(&mut self, s: S) -> bool {
        if self.collector.is_done() {
            return false;
        }
        self.collector.fill(s, self.flock, self.block, self.list, self.reach_sq, self.per_lane);
        true
    }

    /// Shows the listed ones to a visitor.
    #[inline(always)]
    pub fn show<E: CandidateVisitor<S, D>>(&mut self, s: S, visitor: &mut E) {
        let Self { flock, block, per_lane, .. } = *self;
        let found = &self.collector.found;
        show(
            s,
            (flock, block, per_lane),
            (&self.list[..found.len], found.own, found.shift),
            visitor,
        );
    }

    /// Shows a visitor those of the listed that are within some lane's distance, squared.
    #[inline(always)]
    pub fn show_near<E: CandidateVisitor<S, D>>(&mut self, s: S, near_sq: S::F, visitor: &mut E) {
        let (found, slots) =
            (self.collector.found, Cell::from_mut(&mut self.near[..]).as_slice_of_cells());
        let mut sift = ReachFilter::<S> { slots, len: 0, near_sq };
        let Self { flock, block, per_lane, .. } = *self;
        show(
            s,
            (flock, block, per_lane),
            (&self.list[..found.len], found.own, found.shift),
            &mut sift,
        );
        let len = sift.len;
        show(s, (flock, block, per_lane), (&self.near[..len], (0, len), found.shift), visitor);
    }
}

/// Keeps the slots of those near some lane.
#[derive(Clone, Copy)]
struct ReachFilter<'a, S: Simd> {
    slots: &'a [Cell<u32>],
    len: usize,
    near_sq: S::F,
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for ReachFilter<'_, S> {
    #[inline(always)]
    fn visit(&mut self, _s: S, _own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        self.slots[self.len].set(other.slot as u32);
        // Without a branch: it would be mispredicted.
        self.len += usize::from(other.distance_sq.le(self.near_sq).any());
    }
}

/// Shows a visitor a list. Few blocks see an image: those share one loop.
#[inline(always)]
fn show<S: Simd, E: CandidateVisitor<S, D>, const D: usize>(
    s: S,
    (flock, block, per_lane): (&SortedFlock<'_, D>, &Block<S, D>, bool),
    (list, own, shift): (&[u32], (usize, usize), [f32; D]),
    visitor: &mut E,
) {
    if shift == [0.0; D] && !per_lane {
        s.outline(Consume::<S, _, DIRECT, D> {
            flock,
            block,
            list,
            deferred: &mut [],
            own,
            shift,
            visitor,
        });
    } else {
        s.outline(Consume::<S, _, NEAREST, D> {
            flock,
            block,
            list,
            deferred: &mut [],
            own,
            shift,
            visitor,
        });
    }
}
