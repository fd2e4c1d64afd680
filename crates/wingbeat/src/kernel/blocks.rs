//! The loop over blocks, which all that look at others share: the three rules, models, the host's own rules, prey.
//!
//! ```text
//! for each block (of consecutive slots of a row, of those whose turn it is, or come again):
//!     own ← positions, velocities, headings, one boid a lane; which species they are; whom they look at
//!     runs ← slots within reach of the block's box                                              (grid/search.rs)
//!     look: candidates, list by list, and what the boids make of them; write that down
//!     a block whose boids coincide with others, or in which ids decide who is nearest, comes again, exactly
//! ```

use super::chase::NOBODY;
use super::filter::Filter;
use super::list::Listed;
use super::nearest::{NearestPass, RankedPass};
use super::nearest_eyes::Reach;
use super::search::{CandidateSource, look_everywhere};
use super::world::{BatchLooker, Scratch, World};
use crate::block::{Block, Eyes, NearestLimits, Own};
use crate::drive::{DriveState, SightDirection};
use crate::grid::Images;
use crate::rule::topological::RankedRule;
use crate::simd::{Float, Level, MAX_LANES, Simd, Work, dispatch};

/// What boids look at others for.
pub(super) trait Looker<const D: usize>: Sync {
    /// Whether headings of those who look are needed.
    const LOOKS_AHEAD: bool = true;
    /// Whether it has a field of view that follows whom a boid looks at.
    const GAZES: bool = true;

    /// Looks from a block and writes down what it sees; false where the block is to come again, `exactly`, and never then.
    fn look<S: Simd>(&self, s: S, from: &mut Outlook<'_, S, D>) -> bool;
}

/// A block, and all that looking from it takes.
pub(super) struct Outlook<'a, S: Simd, const D: usize> {
    pub world: &'a World<'a, D>,
    /// Its headings are where boids look.
    pub block: &'a Block<S, D>,
    /// The same boids with the headings they fly in.
    pub own: &'a Own<S, D>,
    pub images: Images,
    /// Whether the block has come again: coincident boids and ties have to be told apart now.
    pub exactly: bool,
    /// Where its boids stand in the batch.
    pub row: usize,
    pub scratch: &'a mut Scratch<D>,
}

impl<S: Simd, const D: usize> Outlook<'_, S, D> {
    /// Writes registers into columns of the table. Lanes beyond the block are written too, except by blocks that come again: those that
    /// follow are written already.
    #[inline(always)]
    pub fn store(&mut self, s: S, column: usize, lanes: &[S::F]) {
        self.scratch.sums.store(s, column, self.row, lanes, self.exactly.then_some(self.block.count));
    }

    /// Writes down who is busy, and the slots (as bits) of those whom captors have in reach.
    #[inline(always)]
    pub fn note(&mut self, busy: u32, captors: u32, prey: S::F) {
        let mut slots = [0.0; MAX_LANES];
        prey.store(&mut slots);
        let notes = &mut self.scratch.notes;
        for lane in 0..self.block.count {
            notes.busy[self.row + lane] = busy >> lane & 1;
            notes.prey[self.row + lane] = if captors >> lane & 1 == 1 { slots[lane].to_bits() } else { NOBODY };
        }
    }

    /// How far its boids look, where only their nearest count and the block is looked from for the first time.
    #[inline(always)]
    pub fn nearest(&mut self, s: S) -> Option<Reach<S>> {
        let (world, block) = (self.world, self.block);
        let nearest = world.prepared.nearest.as_ref().filter(|nearest| !nearest.searches.is_empty())?;
        let mut reach = Reach { of_rule: [s.splat(-1.0); 3], largest_sq: 0.0, tied: false, listed: Listed::default() };
        let Scratch { runs, list, met, present, .. } = &mut *self.scratch;
        s.outline(NearestPass { world, nearest, runs, list, met, present, block, reach: &mut reach });
        Some(reach)
    }

    /// How far lanes look under each of these rules, which count only their nearest, ids deciding among equals; `None` without such rules.
    #[inline(always)]
    pub fn ranked(&mut self, s: S, ranked: &[RankedRule], reach_sq: f32) -> Option<NearestLimits<S>> {
        if ranked.is_empty() {
            return None;
        }
        let mut limits = NearestLimits::none(s);
        s.outline(RankedPass { from: self, ranked, reach_sq, limits: &mut limits });
        Some(limits)
    }

    /// What eyes see of all candidates, in any box: for what is not worth a loop for each way to take offsets.
    #[inline(always)]
    pub fn look_at_all<E: Eyes<S, D>>(&mut self, s: S, reach_sq: f32, eyes: E) -> E {
        let (world, block, images) = (self.world, self.block, self.images);
        let Scratch { runs, list, present, .. } = &mut *self.scratch;
        let species = (!world.prepared.kinds.mingles).then_some((world.flock.species, &**present));
        let eyes = Filter { species, reach_sq: None, limits: None, itself: None, rank: world.flock.identity.rank, eyes };
        look_everywhere(s, world, CandidateSource::new(runs, list, reach_sq), eyes, block, images).eyes
    }
}

impl<L: Looker<D> + Send, const D: usize> BatchLooker<D> for L {
    fn look_from_batch(&self, level: Level, world: &World<'_, D>, batch: (usize, usize), scratch: &mut Scratch<D>) {
        dispatch(level, Blocks { looker: self, world, first: batch.0, end: batch.0 + batch.1, scratch });
    }
}

/// All blocks of a batch.
struct Blocks<'a, L, const D: usize> {
    looker: &'a L,
    world: &'a World<'a, D>,
    first: usize,
    end: usize,
    scratch: &'a mut Scratch<D>,
}

impl<L: Looker<D>, const D: usize> Work for Blocks<'_, L, D> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { looker, world, first: begin, end, scratch } = self;
        let flock = &world.flock;
        let turns = flock.turns.is_some();
        let (mut first, mut row_end) = (if turns { end } else { begin }, begin);
        scratch.again.clear();
        // Reserved once: however many blocks come again in a later step, nothing is allocated.
        scratch.again.reserve(end - begin);
        let mut due = 0;
        // One loop for all blocks, so that each of the large inlined parts below exists once.
        loop {
            let (at, count, exactly) = if first < end {
                let mut most = S::LANES;
                if flock.fine.is_some() {
                    // The finer order puts boids that lie close together into whole blocks.
                    most = S::LANES - first % S::LANES;
                    row_end = flock.grid.block_end(flock.columns, first).min(end);
                } else if first == row_end {
                    row_end = flock.grid.row_end(flock.columns.position(first)).min(end);
                }
                let count = most.min(row_end - first);
                first += count;
                (first - count, count, false)
            } else if let Some(&(at, count)) = scratch.due.blocks.get(due).filter(|_| turns) {
                due += 1;
                (at, count, false)
            } else {
                let Some((at, count)) = scratch.again.pop() else { break };
                (at, count, true)
            };
            let mut block = Block::load(s, flock, &scratch.due, (at, count), L::LOOKS_AHEAD).bounded(s, flock);
            let own = block.own;
            if let Some(driving) = world.drives.as_ref().filter(|driving| L::GAZES && driving.looks) {
                // A boid looks at its leader whether it chases or not: that is not known yet.
                let resting = block.resting(s, flock, world.carried);
                let state = DriveState { busy: s.mask(0), resting, max_speed: s.splat(0.0) };
                s.outline(SightDirection { driving, flock, block: &mut block, state: &state });
            }
            scratch.present.find(s, &world.prepared.kinds, flock, &block);
            let images = flock.grid.search(flock.columns, block.low, block.high, &mut scratch.runs);
            let row = if turns { at } else { at - begin };
            let done = looker.look(s, &mut Outlook { world, block: &block, own: &own, images, exactly, row, scratch });
            if !done {
                scratch.again.push((at, count));
            }
        }
    }
}
