//! All that is near a block, for looks of any reach: bodies and anticipation look further or less far than the rules do.
//!
//! ```text
//! runs ← those within the distance of the block's box
//! until all are listed:
//!     list ← the next of them that pass the box test
//!     eyes ← what looks at this list: it may need room for so many first
//!     show the list to the eyes
//! ```

use super::{Block, Collector, Consume, DIRECT, Eyes, List, NEAREST, ROOM, SortedFlock};
use crate::grid::{Images, Reach, Run};
use crate::simd::{MAX_LANES, Simd};

/// Memory for such looks; one worker thread's, reused in every step.
#[derive(Debug)]
pub(crate) struct LookScratch<const D: usize> {
    runs: Vec<Run<D>>,
    list: Box<List>,
}

impl<const D: usize> Default for LookScratch<D> {
    fn default() -> Self {
        Self { runs: Vec::new(), list: Box::new([0; ROOM + MAX_LANES]) }
    }
}

/// A look from a block at all candidates up to a distance, a list at a time.
pub(crate) struct Surroundings<'a, S: Simd, const D: usize> {
    flock: &'a SortedFlock<'a, D>,
    block: &'a Block<S, D>,
    list: &'a mut List,
    collector: Collector<'a, D>,
    reach_sq: f32,
    per_lane: bool,
}

impl<'a, S: Simd, const D: usize> Surroundings<'a, S, D> {
    /// Candidates of a block up to `radius`.
    #[inline(always)]
    pub fn new(flock: &'a SortedFlock<'a, D>, block: &'a Block<S, D>, radius: f32, scratch: &'a mut LookScratch<D>) -> Self {
        let LookScratch { runs, list } = scratch;
        let reach = Reach::new(radius, flock.domain);
        let images = flock.grid.search_within(&reach, flock.columns, &block.low, &block.high, runs);
        let (collector, per_lane) = (Collector::new(runs), images == Images::PerLane);
        Self { flock, block, list, collector, reach_sq: radius * radius, per_lane }
    }

    /// Lists the next of them, at most [`LIST`](super::LIST); no when all have been listed.
    #[inline(always)]
    pub fn list_more(&mut self, s: S) -> bool {
        if self.collector.is_done() {
            return false;
        }
        self.collector.fill(s, self.flock, self.block, self.list, self.reach_sq, self.per_lane);
        true
    }

    /// Shows the listed ones to eyes. Few blocks see an image: those share one loop.
    #[inline(always)]
    pub fn show<E: Eyes<S, D>>(&mut self, s: S, eyes: &mut E) {
        let Self { flock, block, .. } = *self;
        let found = &self.collector.found;
        let (list, own, shift) = (&self.list[..found.len], found.own, found.shift);
        if shift == [0.0; D] && !self.per_lane {
            s.outline(Consume::<S, _, DIRECT, D> { flock, block, list, own, shift, eyes });
        } else {
            s.outline(Consume::<S, _, NEAREST, D> { flock, block, list, own, shift, eyes });
        }
    }
}
