//! The loop over blocks, shared by all passes: the three rules, models, the host's
//! own rules, prey.
//!
//! ```text
//! for each block (consecutive slots of a row; slots whose turn it is; blocks that run again):
//!     own ← positions, velocities, headings, axis of sight, species; one boid a lane
//!     runs ← slots within reach of the block's box                           (grid/search.rs)
//!     pass: list candidates, visit them, write the sums into the table
//!     where boids have prey: the same for the nearest prey
//!     a block with coincident boids, or with ties among the nearest, runs again, exactly
//! ```

use super::chase::{FindPrey, NO_PREY};
use super::nearest::{NearestSearch, RankedSearch};
use super::search::Candidates;
use crate::grid::{Images, Run};
use crate::kernel::input::{BatchPass, ChaseResults, HostPasses, NeighborSums, Scratch, StepInput};
use crate::kernel::kept::KeptCandidates;
use crate::kernel::nearest_visitor::FastReach;
use crate::kernel::own_rules::OwnRuleScratch;
use crate::neighbors::{Block, BlockLanes, DueSlots, Listed, NearestLimits};
use crate::simd::{Float, Level, MAX_LANES, Outlined, Portable, Simd, Work, dispatch, runs_wide};
use crate::terms::drive::{DriveState, SightDirection};
use crate::terms::rule::topological::RankedRule;
use crate::terms::species_table::SpeciesInBlock;

/// One pass over the neighbors of every block: the three rules, a model, or the host's own rules.
pub(super) trait NeighborPass<const D: usize>: Sync {
    /// Whether the headings of the block's boids are needed.
    const NEEDS_HEADINGS: bool = true;
    /// Whether it has a field of view about the axis of sight.
    const HAS_SIGHT: bool = true;
    /// As [`CandidateVisitor::HOT`](crate::neighbors::CandidateVisitor::HOT).
    const HOT: bool = false;
    /// Whether prey is searched from the same blocks.
    const FINDS_PREY: bool = true;
    /// As [`Work::WIDE`].
    const WIDE: bool = true;

    /// The host's own rules, if it runs those.
    fn host(&self) -> Option<&dyn HostPasses<D>> {
        None
    }

    /// Runs the pass on a block and writes its sums; false where the block must run again,
    /// `exactly`, and never then.
    fn run<S: Simd>(&self, s: S, context: &mut PassContext<'_, S, D>) -> bool;
}

/// What a pass reads and writes for one block.
pub(super) struct PassContext<'a, S: Simd, const D: usize> {
    pub input: &'a StepInput<'a, D>,
    /// The boids in lanes; where a drive turns their gaze, with the axes of sight for headings.
    pub block: &'a Block<S, D>,
    /// The same boids with the headings of their velocities: what the host's own rules are shown.
    pub unturned: &'a BlockLanes<S, D>,
    /// Whether this is the block's second run, which decides coincidence and ties exactly.
    pub exactly: bool,
    /// The block's first row in the batch's table.
    pub row: usize,
    pub present: &'a SpeciesInBlock,
    /// The slots that may hold neighbors.
    pub candidates: Candidates<'a, S, D>,
    pub kept: &'a mut KeptCandidates,
    pub keys: &'a mut [u64],
    pub sums: &'a mut NeighborSums,
    pub chases_found: &'a mut ChaseResults,
    pub own_rules: &'a mut OwnRuleScratch<D>,
}

impl<S: Simd, const D: usize> PassContext<'_, S, D> {
    /// Writes registers into columns of the table. Lanes beyond the block are written too, except
    /// by blocks that run again: the rows after them are written already.
    #[inline(always)]
    pub fn store(&mut self, s: S, column: usize, lanes: &[S::F]) {
        self.sums.store(s, column, self.row, lanes, self.exactly.then_some(self.block.count));
    }

    /// Writes which boids are busy, and the slots (as bits) of prey that captors have in reach.
    #[inline(always)]
    pub fn store_chase(&mut self, busy: u32, captors: u32, prey: S::F) {
        let mut slots = [0.0; MAX_LANES];
        prey.store(&mut slots);
        for lane in 0..self.block.count {
            self.chases_found.busy[self.row + lane] = busy >> lane & 1;
            self.chases_found.prey[self.row + lane] =
                if captors >> lane & 1 == 1 { slots[lane].to_bits() } else { NO_PREY };
        }
    }

    /// The limit of each boid in the block's first run, where only the nearest count.
    #[inline(always)]
    pub fn nearest(&mut self, s: S) -> Option<FastReach<S>> {
        let nearest =
            self.input.prepared.nearest.as_ref().filter(|nearest| !nearest.searches.is_empty())?;
        let mut reach = FastReach { of_rule: [s.splat(-1.0); 3], largest_sq: 0.0, tied: false };
        s.outline(NearestSearch { context: self, nearest, reach: &mut reach });
        Some(reach)
    }

    /// The limit of each lane under each of these rules, which count only their nearest, ids
    /// deciding among equals; `None` without such rules.
    #[inline(always)]
    pub fn ranked(
        &mut self,
        s: S,
        ranked: &[RankedRule],
        reach_sq: f32,
    ) -> Option<NearestLimits<S>> {
        if ranked.is_empty() {
            return None;
        }
        let mut limits = NearestLimits::none(s);
        s.outline(RankedSearch { context: self, ranked, reach_sq, limits: &mut limits });
        Some(limits)
    }
}

impl<L: NeighborPass<D> + Send, const D: usize> BatchPass<D> for L {
    fn level(&self, level: Level) -> Level {
        if runs_wide(L::WIDE) { level } else { level.min(Level::Avx2) }
    }

    fn run_batch(
        &self,
        level: Level,
        input: &StepInput<'_, D>,
        batch: (usize, usize),
        scratch: &mut Scratch<D>,
    ) {
        dispatch(level, Blocks { pass: self, input, batch, scratch });
    }

    fn host(&self) -> Option<&dyn HostPasses<D>> {
        NeighborPass::host(self)
    }
}

/// Runs a pass on the slots of a batch in portable lanes, whatever the machine has.
pub(super) fn run_portably<L: NeighborPass<D>, const D: usize>(
    pass: &L,
    input: &StepInput<'_, D>,
    batch: (usize, usize),
    scratch: &mut Scratch<D>,
) {
    Blocks { pass, input, batch, scratch }.run(Portable::new());
}

/// All blocks of a batch.
struct Blocks<'a, L, const D: usize> {
    pass: &'a L,
    input: &'a StepInput<'a, D>,
    batch: (usize, usize),
    scratch: &'a mut Scratch<D>,
}

impl<L: NeighborPass<D>, const D: usize> Work for Blocks<'_, L, D> {
    const WIDE: bool = L::WIDE;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { pass, input, batch: (first, count), scratch } = self;
        let Scratch {
            runs,
            list,
            deferred,
            due,
            again,
            keys,
            sums,
            chases_found,
            kept,
            present,
            prey,
            own_rules,
            ..
        } = scratch;
        let mut cutter = BlockCutter::new(input, first, first + count, due, again);
        let chases = L::FINDS_PREY && input.prepared.kinds.chases > 0;
        let mut current = CurrentBlock::empty(s);
        let needs = (L::NEEDS_HEADINGS, L::HAS_SIGHT);
        loop {
            let next = NextBlock {
                input,
                cutter: &mut cutter,
                runs,
                present,
                current: &mut current,
                needs,
            };
            if L::HOT {
                next.run(s)
            } else {
                s.outline(next)
            }
            let CurrentBlock { block, unturned, turned, images, exactly, at, row } = &current;
            let unturned = if *turned { unturned } else { &block.own };
            if block.count == 0 {
                break;
            }
            let (input, block, present) = (input, block, &**present);
            let candidates = Candidates {
                input,
                block,
                images: *images,
                runs,
                present,
                list,
                deferred,
                listed: Listed::default(),
            };
            let mut context = PassContext {
                input,
                block,
                unturned,
                exactly: *exactly,
                row: *row,
                present,
                candidates,
                kept,
                keys,
                sums,
                chases_found,
                own_rules,
            };
            let done = pass.run(s, &mut context);
            if chases && !exactly {
                s.outline(FindPrey { context: &mut context, prey });
            }
            if !done {
                cutter.again.push((*at, block.count));
            }
        }
    }
}

/// Cuts a batch into blocks.
struct BlockCutter<'a> {
    /// The batch: its first slot, and where it ends.
    batch_first: usize,
    end: usize,
    /// Where the next block begins, and where its row ends.
    first: usize,
    row_end: usize,
    due: &'a DueSlots,
    /// Blocks of slots whose turn it is that are done.
    passed: usize,
    /// Blocks that must run again.
    again: &'a mut Vec<(usize, usize)>,
}

impl<'a> BlockCutter<'a> {
    fn new<const D: usize>(
        input: &StepInput<'_, D>,
        first: usize,
        end: usize,
        due: &'a DueSlots,
        again: &'a mut Vec<(usize, usize)>,
    ) -> Self {
        again.clear();
        // Reserved once: however many blocks run again in a later step, nothing is allocated.
        again.reserve(end - first);
        let begun = if input.flock.turns.is_some() { end } else { first };
        Self { batch_first: first, end, first: begun, row_end: first, due, passed: 0, again }
    }

    /// The first slot (or the first place among the due ones), how many there are, and whether the
    /// block runs again.
    #[inline(always)]
    fn next<const D: usize>(
        &mut self,
        input: &StepInput<'_, D>,
        lanes: usize,
    ) -> Option<(usize, usize, bool)> {
        let flock = &input.flock;
        if self.first < self.end {
            let mut most = lanes;
            if flock.fine.is_some() {
                // The finer order puts boids that lie close together into whole blocks.
                most = lanes - self.first % lanes;
                self.row_end = flock.grid.block_end(flock.columns, self.first).min(self.end);
            } else if self.first == self.row_end {
                self.row_end = flock.grid.row_end(flock.columns.position(self.first)).min(self.end);
            }
            let count = most.min(self.row_end - self.first);
            self.first += count;
            return Some((self.first - count, count, false));
        }
        if let Some(&(at, count)) =
            self.due.blocks.get(self.passed).filter(|_| flock.turns.is_some())
        {
            self.passed += 1;
            return Some((at, count, false));
        }
        self.again.pop().map(|(at, count)| (at, count, true))
    }
}

/// The block being processed; empty after the last one.
struct CurrentBlock<S: Simd, const D: usize> {
    block: Block<S, D>,
    /// Its boids before they turned to their axis of sight; a copy where they did, since masks just
    /// written are slow to read as a whole.
    unturned: BlockLanes<S, D>,
    turned: bool,
    images: Images,
    exactly: bool,
    at: usize,
    row: usize,
}

impl<S: Simd, const D: usize> CurrentBlock<S, D> {
    #[inline(always)]
    fn empty(s: S) -> Self {
        let block = Block::empty(s);
        Self {
            unturned: block.own,
            turned: false,
            block,
            images: Images::None,
            exactly: false,
            at: 0,
            row: 0,
        }
    }
}

/// Cuts the next block and finds the runs within its reach: as a function of its own, compiled once
/// for all passes.
struct NextBlock<'a, 'b, S: Simd, const D: usize> {
    input: &'a StepInput<'a, D>,
    cutter: &'a mut BlockCutter<'b>,
    runs: &'a mut Vec<Run<D>>,
    present: &'a mut SpeciesInBlock,
    /// [`NeighborPass::NEEDS_HEADINGS`] and [`NeighborPass::HAS_SIGHT`].
    needs: (bool, bool),
    current: &'a mut CurrentBlock<S, D>,
}

impl<S: Simd, const D: usize> Outlined<S> for NextBlock<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { input, cutter, runs, present, needs: (needs_headings, has_sight), current } =
            self;
        let Some((at, count, exactly)) = cutter.next(input, S::LANES) else {
            return current.block.count = 0;
        };
        let (flock, block) = (&input.flock, &mut current.block);
        block.take(s, flock, cutter.due, (at, count), needs_headings);
        block.bound(s, flock);
        current.turned = false;
        if let Some(driving) = input.drives.as_ref().filter(|driving| has_sight && driving.looks) {
            (current.unturned, current.turned) = (block.own, true);
            // A boid looks at its leader whether it chases or not: that is not known yet.
            let resting = block.resting(s, flock, input.extra);
            let state = DriveState { busy: s.mask(0), resting, max_speed: s.splat(0.0) };
            s.outline(SightDirection { driving, flock, block, state: &state });
        }
        present.find(s, &input.prepared.kinds, flock, block);
        current.images = flock.grid.search(flock.columns, &block.low, &block.high, runs);
        current.row = if flock.turns.is_some() { at } else { at - cutter.batch_first };
        (current.exactly, current.at) = (exactly, at);
    }
}
