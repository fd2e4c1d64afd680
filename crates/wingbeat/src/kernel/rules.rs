//! The kernel of flocks without species: the three rules, and the host's own.
//!
//! ```text
//! for each block (of consecutive slots, of those whose turn it is, or come again):
//!     look at a leader; search; where only the nearest count, find how far each lane looks
//!     fast loop, unless the box is tiny or a number of nearest is tied: sums, and the closest d²
//!     if a boid of the block coincides with another: the block comes again, under the general loop
//!     otherwise: responses, drives, obstacles, walls; combine; write the block's own slots
//! ```

use std::sync::Arc;

use super::eyes::GeneralEyes;
use super::finish::{store, surrounded};
use super::list::Listed;
use super::nearest::{NearestPass, RankedPass};
use super::nearest_eyes::Reach;
use super::prepared::Fast;
use super::ranked::RankedEyes;
use super::search::{CandidateSource, look_everywhere, look_through};
use super::world::{Scratch, Steer, World};
use crate::block::{Block, Eyes, NearestLimits, Seats};
use crate::combine::Terms;
use crate::drive::{DriveState, SightDirection};
use crate::grid::Images;
use crate::rule::own_sights::{OwnSights, OwnSightsEyes};
use crate::rule::shared::{Shared, SharedEyes};
use crate::rule::three::{Three, ThreeSums};
use crate::rule::{Declared, Rule, Rules};
use crate::simd::{Float, Level, MAX_LANES, Simd, Work, dispatch};

/// Where the nearest lie within this part of the squared radius, candidates are listed anew for the sums, up to there.
const LIST_ANEW: f32 = 0.6;

impl<R: Rules<D>, const D: usize> Steer<D> for R {
    fn batch(&self, level: Level, world: &World<'_, D>, first: usize, out: [&mut [f32]; D], scratch: &mut Scratch<D>) {
        dispatch(level, Batch { rules: self, world, first, out, scratch });
    }
}

/// Rules and the kernel that runs them. Implemented by Wingbeat for every list of rules.
pub trait Kernel<const D: usize>: Rules<D> {
    /// The kernel, its rules forgotten: one virtual call a batch.
    #[doc(hidden)]
    fn erase(self) -> Arc<dyn Steer<D>>;
}

/// A flock without rules of the host's own: its kernel is compiled in this crate (doors.rs).
impl<const D: usize> Kernel<D> for () {
    #[inline(never)]
    fn erase(self) -> Arc<dyn Steer<D>> {
        Arc::new(())
    }
}

/// Rules of the host's own: compiled by the crate that names them.
impl<R: Rules<D>, A: Rule<D>, const D: usize> Kernel<D> for (R, Declared<A>) {
    fn erase(self) -> Arc<dyn Steer<D>> {
        Arc::new(self)
    }
}

struct Batch<'a, R, const D: usize> {
    rules: &'a R,
    world: &'a World<'a, D>,
    first: usize,
    out: [&'a mut [f32]; D],
    scratch: &'a mut Scratch<D>,
}

impl<R: Rules<D>, const D: usize> Work for Batch<'_, R, D> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let end = self.first + self.out[0].len();
        // A flock without rules of the host's own has a fast loop; blocks it cannot handle come again.
        let fast = if R::COUNT == 0 { self.world.prepared.fast.as_ref() } else { None };
        let (mut first, mut row_end) = (self.first, self.first);
        self.scratch.again.clear();
        // Reserved once: however many blocks come again in a later step, nothing is allocated.
        self.scratch.again.reserve(self.out[0].len());
        self.scratch.due.blocks.clear();
        if let Some(nearest) = &self.world.prepared.nearest {
            self.scratch.keys.resize(RankedEyes::keys_for(nearest), 0);
        }
        if let Some(turns) = self.world.flock.turns {
            self.scratch.due.find(&self.world.flock, self.world.prepared.radius, turns, first..end, S::LANES);
            first = end;
        }
        let mut due = 0;
        // One loop for all blocks, so that each of the large inlined parts below exists once.
        loop {
            let (at, count, fast) = if first < end {
                let mut most = S::LANES;
                if self.world.flock.fine.is_some() {
                    // The finer order puts boids that lie close together into whole blocks.
                    most = S::LANES - first % S::LANES;
                    row_end = self.world.flock.grid.block_end(self.world.flock.columns, first).min(end);
                } else if first == row_end {
                    row_end = self.world.flock.grid.row_end(self.world.flock.columns.position(first)).min(end);
                }
                let count = most.min(row_end - first);
                first += count;
                (first - count, count, fast)
            } else if let Some(&(at, count)) = self.scratch.due.blocks.get(due) {
                due += 1;
                (at, count, fast)
            } else {
                let Some((at, count)) = self.scratch.again.pop() else { break };
                (at, count, None)
            };
            let mut block = Block::load(s, &self.world.flock, &self.scratch.due, at, count);
            let looks = self.world.drives.as_ref().filter(|driving| driving.looks);
            if let Some(driving) = looks {
                let state = DriveState::alike(s, driving.max_speed);
                s.outline(SightDirection { driving, flock: &self.world.flock, block: &mut block, state: &state });
            }
            let images = self.world.flock.grid.search(self.world.flock.columns, block.low, block.high, &mut self.scratch.runs);
            let fixed = images != Images::PerLane;
            let reach = if fast.is_some() && fixed { self.nearest(s, &block) } else { None };
            let sums = match fast {
                Some(_) if !fixed || matches!(reach, Some(Reach { tied: true, .. })) => None,
                Some(Fast::Shared(shared)) => {
                    let mut lanes = shared.lanes(s, &block.own);
                    if let Some(reach) = &reach {
                        lanes.reach(&reach.of_rule);
                    }
                    let eyes = SharedEyes { lanes, sums: Shared::begin(s) };
                    let sums = self.look_within(s, eyes, &block, &reach).sums;
                    (!shared.coincident(s, &sums, &block.own)).then(|| (sums.split(s), self.rules.begin(s)))
                }
                Some(Fast::OwnSights(sights)) => {
                    let mut lanes = sights.lanes(s, &block.own);
                    if let Some(reach) = &reach {
                        lanes.reach(&reach.of_rule);
                    }
                    let eyes = OwnSightsEyes { lanes, sums: OwnSights::begin(s) };
                    let sums = self.look_within(s, eyes, &block, &reach).sums;
                    (!sights.coincident(s, &sums, &block.own)).then(|| (sums.split(s), self.rules.begin(s)))
                }
                None => Some(self.look(s, &block, images)),
            };
            if looks.is_some() {
                // The sight direction was for looking alone.
                (block.own.heading, block.own.at_rest) = block.own.velocity.heading(s);
            }
            match sums {
                Some((three, declared)) => self.decide(s, &block, &three, declared),
                None => self.scratch.again.push((block.first, block.count)),
            }
        }
    }
}

impl<R: Rules<D>, const D: usize> Batch<'_, R, D> {
    /// How far the boids of the block look, where only the nearest count.
    #[inline(always)]
    fn nearest<S: Simd>(&mut self, s: S, block: &Block<S, D>) -> Option<Reach<S>> {
        let world = self.world;
        let nearest = world.prepared.nearest.as_ref()?;
        let mut reach = Reach { of_rule: [s.splat(-1.0); 3], largest_sq: 0.0, tied: false, listed: Listed::default() };
        let (runs, list, met) = (&self.scratch.runs[..], &mut *self.scratch.list, &mut *self.scratch.met);
        s.outline(NearestPass { world, nearest, runs, list, met, block, reach: &mut reach });
        Some(reach)
    }

    /// What `eyes` see from the block within reach, or within the radius.
    #[inline(always)]
    fn look_within<S: Simd, E: Eyes<S, D>>(&mut self, s: S, eyes: E, block: &Block<S, D>, reach: &Option<Reach<S>>) -> E {
        let radius_sq = self.world.prepared.radius_sq;
        let (reach_sq, listed) = match reach {
            Some(Reach { listed, largest_sq, .. }) if listed.chosen || *largest_sq >= radius_sq * LIST_ANEW => {
                (*largest_sq, *listed)
            }
            Some(reach) => (reach.largest_sq, Listed::default()),
            None => (radius_sq, Listed::default()),
        };
        let found = CandidateSource { runs: &self.scratch.runs, list: &mut self.scratch.list, reach_sq, listed };
        look_through(s, self.world, found, eyes, block).0
    }

    /// What the block sees, under any rules and in any box.
    #[inline(always)]
    fn look<S: Simd>(&mut self, s: S, block: &Block<S, D>, images: Images) -> (ThreeSums<S, D>, R::Sums<S>) {
        let (world, rules) = (self.world, self.rules);
        let rank = world.flock.identity.rank;
        let mut limits = None;
        if let Some(nearest) = &world.prepared.nearest {
            let mut found = NearestLimits::none(s);
            let (runs, list, keys) = (&self.scratch.runs[..], &mut *self.scratch.list, &mut self.scratch.keys[..]);
            s.outline(RankedPass { world, nearest, runs, list, keys, block, images, limits: &mut found });
            limits = Some(found);
        }
        let (three, sums, declared) = (&world.prepared.three, Three::begin(s), rules.begin(s));
        let eyes = GeneralEyes { three, rules, sums, declared, limits: limits.as_ref(), rank };
        let eyes = look_everywhere(s, world, &self.scratch.runs, &mut self.scratch.list, eyes, block, images);
        (eyes.sums, eyes.declared)
    }

    /// Responses, combination; writes the block's own slots.
    #[inline(always)]
    fn decide<S: Simd>(&mut self, s: S, block: &Block<S, D>, three: &ThreeSums<S, D>, declared: R::Sums<S>) {
        let world = self.world;
        let mut terms = Terms::new(s, &world.prepared.combination, &mut self.scratch.terms);
        world.prepared.three.finish(s, three, &block.own, &world.flock.identity, &block.seats, &mut terms);
        self.rules.finish(s, declared, &block.own, &mut terms);
        let state = DriveState::alike(s, world.drives.as_ref().map_or(0.0, |driving| driving.max_speed));
        let terms = surrounded(s, world, block, &state, &mut self.scratch.obstacles, terms);
        let steering = world.prepared.combination.combine(s, &terms);
        if let Seats::Each { slots, .. } = &block.seats {
            for a in 0..D {
                let mut buffer = [0.0; MAX_LANES];
                steering[a].store(&mut buffer);
                for (&slot, &force) in slots[..block.count].iter().zip(&buffer) {
                    self.out[a][slot as usize - self.first] = force;
                }
            }
            return;
        }
        store(s, steering, &mut self.out, block.first - self.first, block.count);
    }
}
