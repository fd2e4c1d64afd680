//! The loop over blocks, which all that look at others share: the three rules, models, the host's
//! own rules, prey.
//!
//! ```text
//! for each block (of consecutive slots of a row, of those whose turn it is, or come again):
//!     own ← positions, velocities, headings, one boid a lane; which species they are; their axis of sight
//!     runs ← slots within reach of the block's box                                              (grid/search.rs)
//!     look: candidates, list by list, and what the boids make of them; write that down
//!     where boids are after others: the same for their prey
//!     a block whose boids coincide with others, or in which ids decide who is nearest, comes again, exactly
//! ```

use super::chase::{LookForPrey, NO_PREY};
use super::nearest::{NearestPass, RankedPass};
use super::search::Candidates;
use crate::grid::{Images, Run};
use crate::kernel::input::{BatchPass, ChaseResults, NeighborSums, Scratch, StepInput};
use crate::kernel::kept::KeptCandidates;
use crate::kernel::nearest_visitor::FastReach;
use crate::neighbors::{Block, BlockLanes, DueSlots, Listed, NearestLimits};
use crate::simd::{Float, Level, MAX_LANES, Outlined, Simd, Work, dispatch};
use crate::terms::drive::{DriveState, SightDirection};
use crate::terms::rule::topological::RankedRule;
use crate::terms::species_table::SpeciesInBlock;

/// What boids look at others for.
pub(super) trait NeighborPass<const D: usize>: Sync {
    /// Whether headings of those who look are needed.
    const LOOKS_AHEAD: bool = true;
    /// Whether it has a field of view about the axis of sight.
    const GAZES: bool = true;
    /// As [`CandidateVisitor::HOT`](crate::neighbors::CandidateVisitor::HOT).
    const HOT: bool = false;
    /// Whether boids look for prey beside.
    const CHASES: bool = true;

    /// Looks from a block and writes down what it sees; false where the block is to come again,
    /// `exactly`, and never then.
    fn look<S: Simd>(&self, s: S, from: &mut PassContext<'_, S, D>) -> bool;
}

/// A block, and all that looking from it takes.
pub(super) struct PassContext<'a, S: Simd, const D: usize> {
    pub world: &'a StepInput<'a, D>,
    /// Its headings are where boids look.
    pub block: &'a Block<S, D>,
    /// The same boids with the headings they fly in.
    pub own: &'a BlockLanes<S, D>,
    /// Whether the block has come again: coincident boids and ties have to be told apart now.
    pub exactly: bool,
    /// Where its boids stand in the batch.
    pub row: usize,
    pub present: &'a SpeciesInBlock,
    /// What the boids may see.
    pub candidates: Candidates<'a, S, D>,
    pub met: &'a mut KeptCandidates,
    pub keys: &'a mut [u64],
    pub sums: &'a mut NeighborSums,
    pub notes: &'a mut ChaseResults,
}

impl<S: Simd, const D: usize> PassContext<'_, S, D> {
    /// Writes registers into columns of the table. Lanes beyond the block are written too, except
    /// by blocks that come again: those that follow are written already.
    #[inline(always)]
    pub fn store(&mut self, s: S, column: usize, lanes: &[S::F]) {
        self.sums.store(s, column, self.row, lanes, self.exactly.then_some(self.block.count));
    }

    /// Writes which boids are busy, and the slots (as bits) of prey that captors have in reach.
    #[inline(always)]
    pub fn note(&mut self, busy: u32, captors: u32, prey: S::F) {
        let mut slots = [0.0; MAX_LANES];
        prey.store(&mut slots);
        for lane in 0..self.block.count {
            self.notes.busy[self.row + lane] = busy >> lane & 1;
            self.notes.prey[self.row + lane] =
                if captors >> lane & 1 == 1 { slots[lane].to_bits() } else { NO_PREY };
        }
    }

    /// How far its boids look, where only their nearest count and the block is looked from for the
    /// first time.
    #[inline(always)]
    pub fn nearest(&mut self, s: S) -> Option<FastReach<S>> {
        let nearest =
            self.world.prepared.nearest.as_ref().filter(|nearest| !nearest.searches.is_empty())?;
        let mut reach = FastReach { of_rule: [s.splat(-1.0); 3], largest_sq: 0.0, tied: false };
        s.outline(NearestPass { from: self, nearest, reach: &mut reach });
        Some(reach)
    }

    /// How far lanes look under each of these rules, which count only their nearest, ids deciding
    /// among equals; `None` without such rules.
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
        s.outline(RankedPass { from: self, ranked, reach_sq, limits: &mut limits });
        Some(limits)
    }
}

impl<L: NeighborPass<D> + Send, const D: usize> BatchPass<D> for L {
    fn look_from_batch(
        &self,
        level: Level,
        world: &StepInput<'_, D>,
        batch: (usize, usize),
        scratch: &mut Scratch<D>,
    ) {
        dispatch(level, Blocks { looker: self, world, batch, scratch });
    }
}

/// All blocks of a batch.
struct Blocks<'a, L, const D: usize> {
    looker: &'a L,
    world: &'a StepInput<'a, D>,
    batch: (usize, usize),
    scratch: &'a mut Scratch<D>,
}

impl<L: NeighborPass<D>, const D: usize> Work for Blocks<'_, L, D> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { looker, world, batch: (first, count), scratch } = self;
        let Scratch {
            runs, list, deferred, due, again, keys, sums, notes, met, present, prey, ..
        } = scratch;
        let mut cutting = Cutting::new(world, first, first + count, due, again);
        let chases = L::CHASES && world.prepared.kinds.chases > 0;
        let mut standing = CurrentBlock::nowhere(s);
        let looks = (L::LOOKS_AHEAD, L::GAZES);
        loop {
            let next = NextBlock {
                world,
                cutting: &mut cutting,
                runs,
                present,
                standing: &mut standing,
                looks,
            };
            if L::HOT {
                next.run(s)
            } else {
                s.outline(next)
            }
            let CurrentBlock { block, before, turned, images, exactly, at, row } = &standing;
            let own = if *turned { before } else { &block.own };
            if block.count == 0 {
                break;
            }
            let (world, block, present) = (world, block, &**present);
            let candidates = Candidates {
                world,
                block,
                images: *images,
                runs,
                present,
                list,
                deferred,
                listed: Listed::default(),
            };
            let mut from = PassContext {
                world,
                block,
                own,
                exactly: *exactly,
                row: *row,
                present,
                candidates,
                met,
                keys,
                sums,
                notes,
            };
            let done = looker.look(s, &mut from);
            if chases && !exactly {
                s.outline(LookForPrey { from: &mut from, prey });
            }
            if !done {
                cutting.again.push((*at, block.count));
            }
        }
    }
}

/// Where a batch is cut into blocks.
struct Cutting<'a> {
    batch: usize,
    end: usize,
    /// Where the next block begins, and where the row ends that it is of.
    first: usize,
    row_end: usize,
    due: &'a DueSlots,
    /// Blocks of those whose turn it is that are done.
    passed: usize,
    /// Blocks that are to come again.
    again: &'a mut Vec<(usize, usize)>,
}

impl<'a> Cutting<'a> {
    fn new<const D: usize>(
        world: &StepInput<'_, D>,
        first: usize,
        end: usize,
        due: &'a DueSlots,
        again: &'a mut Vec<(usize, usize)>,
    ) -> Self {
        again.clear();
        // Reserved once: however many blocks come again in a later step, nothing is allocated.
        again.reserve(end - first);
        let begun = if world.flock.turns.is_some() { end } else { first };
        Self { batch: first, end, first: begun, row_end: first, due, passed: 0, again }
    }

    /// The first slot or place, and how many follow it; and whether the block comes again.
    #[inline(always)]
    fn next<const D: usize>(
        &mut self,
        world: &StepInput<'_, D>,
        lanes: usize,
    ) -> Option<(usize, usize, bool)> {
        let flock = &world.flock;
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

/// A block that is about to look; of no boid after the last.
struct CurrentBlock<S: Simd, const D: usize> {
    block: Block<S, D>,
    /// Its boids before they turned to their axis of sight; a copy where they did, since masks just
    /// written are slow to read as a whole.
    before: BlockLanes<S, D>,
    turned: bool,
    images: Images,
    exactly: bool,
    at: usize,
    row: usize,
}

impl<S: Simd, const D: usize> CurrentBlock<S, D> {
    #[inline(always)]
    fn nowhere(s: S) -> Self {
        let block = Block::empty(s);
        Self {
            before: block.own,
            turned: false,
            block,
            images: Images::None,
            exactly: false,
            at: 0,
            row: 0,
        }
    }
}

/// Cuts the next block and finds who may be in its reach: as a function of its own, compiled once
/// whatever is looked for.
struct NextBlock<'a, 'b, S: Simd, const D: usize> {
    world: &'a StepInput<'a, D>,
    cutting: &'a mut Cutting<'b>,
    runs: &'a mut Vec<Run<D>>,
    present: &'a mut SpeciesInBlock,
    /// [`NeighborPass::LOOKS_AHEAD`] and [`NeighborPass::GAZES`].
    looks: (bool, bool),
    standing: &'a mut CurrentBlock<S, D>,
}

impl<S: Simd, const D: usize> Outlined<S> for NextBlock<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { world, cutting, runs, present, looks: (ahead, gazes), standing } = self;
        let Some((at, count, exactly)) = cutting.next(world, S::LANES) else {
            return standing.block.count = 0;
        };
        let (flock, block) = (&world.flock, &mut standing.block);
        block.take(s, flock, cutting.due, (at, count), ahead);
        block.bound(s, flock);
        standing.turned = false;
        if let Some(driving) = world.drives.as_ref().filter(|driving| gazes && driving.looks) {
            (standing.before, standing.turned) = (block.own, true);
            // A boid looks at its leader whether it chases or not: that is not known yet.
            let resting = block.resting(s, flock, world.extra);
            let state = DriveState { busy: s.mask(0), resting, max_speed: s.splat(0.0) };
            s.outline(SightDirection { driving, flock, block, state: &state });
        }
        present.find(s, &world.prepared.kinds, flock, block);
        standing.images = flock.grid.search(flock.columns, &block.low, &block.high, runs);
        standing.row = if flock.turns.is_some() { at } else { at - cutting.batch };
        (standing.exactly, standing.at) = (exactly, at);
    }
}
