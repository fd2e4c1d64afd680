//! ROOM 2, steer: every boid looks at its neighbours and decides.
//!
//! A register holds several **boids of one block**; candidates are broadcast one after the other. (The usual way round,
//! one boid against a register of candidates, needs horizontal sums, whose order depends on the lane width.)
//!
//! ```text
//! for each block of up to LANES consecutive slots of one grid row:
//!     own         ← positions, velocities, headings, one boid a lane
//!     [low, high] ← bounding box of the block
//!     for each run of slots within reach of the box, ascending:             (grid/search.rs)
//!         list ← those whose distance to the box is within the radius       (vector test, branch-free push)
//!     for each listed slot, ascending:
//!         broadcast it; offset, distance; every rule tests range and sight and adds under its mask
//!     means, responses, combination; write the block's own slots
//! ```
//!
//! The box test is built from the same operations as the pair test in the same order, and subtraction, squaring, addition
//! round monotonically: a neighbour of any lane passes. What fails a mask adds +0.0. So each lane's sum is exactly the
//! textbook's sum in slot order, whatever the block, the batch, or the number of lanes.
#![forbid(unsafe_code)]

use std::sync::Arc;

use crate::combine::{Terms, wall_force};
use crate::drive::{DriveBlock, Gaze, Moods};
use crate::grid::{Images, Run};
use crate::obstacle::{Avoid, Lists};
use crate::rule::nearest::Limits;
use crate::rule::own_sights::OwnSights;
use crate::rule::shared::Shared;
use crate::rule::three::{Three, ThreeSums};
use crate::rule::{Declared, Rule, Rules};
use crate::simd::{Float, Level, MAX_LANES, Simd, Vectors, Work, dispatch};

mod candidates;
mod chosen;
mod crowd;
mod eyes;
pub(crate) mod headings;
pub(crate) mod kinds;
mod models;
mod nearest;
mod seats;
mod smallest;
pub(crate) mod species;
mod world;

pub(crate) use candidates::Block;
use candidates::{Collector, Consume, DIRECT, NEAREST, SHIFTED};
use chosen::Listed;
use crowd::look_about;
pub(crate) use eyes::Eyes;
use eyes::{GeneralEyes, OwnEyes, SharedEyes};
pub(crate) use models::ModelKernel;
use nearest::{Rank, RankedEyes, Reach, Select};
pub(crate) use seats::Seats;
use world::{Fast, List};
pub(crate) use world::{Prepared, Scratch, World};

/// Candidates are listed again where the nearest lie within this part of the squared radius.
const LIST_ANEW: f32 = 0.6;

/// One batch of one step, whatever the rules: the one virtual call of a batch.
pub trait Steer<const D: usize>: Send + Sync {
    /// Steers the slots from `first` on, as many as the columns of `out` are long.
    fn batch(&self, level: Level, world: &World<'_, D>, first: usize, out: [&mut [f32]; D], scratch: &mut Scratch<D>);
}

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

/// A flock without rules of its own: its kernel is compiled in this crate (doors.rs).
impl<const D: usize> Kernel<D> for () {
    #[inline(never)]
    fn erase(self) -> Arc<dyn Steer<D>> {
        Arc::new(())
    }
}

/// Rules of one's own: compiled by whoever wrote them.
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
        // A flock without rules of its own has a fast loop; blocks it cannot handle come again.
        let fast = if R::COUNT == 0 { self.world.prepared.fast.as_ref() } else { None };
        let (mut first, mut row_end) = (self.first, self.first);
        self.scratch.again.clear();
        // Once, however many will come again in a step to come.
        self.scratch.again.reserve(self.out[0].len());
        self.scratch.active.blocks.clear();
        if let Some(nearest) = &self.world.prepared.nearest {
            self.scratch.keys.resize(RankedEyes::keys_for(nearest), 0);
        }
        if let Some(turns) = self.world.turns {
            self.scratch.active.find(self.world, turns, first..end, S::LANES);
            first = end;
        }
        let mut active = 0;
        // One loop for all blocks, so that each of the large inlined parts below exists once.
        loop {
            let (at, count, fast) = if first < end {
                let mut most = S::LANES;
                if self.world.fine.is_some() {
                    // Those that belong together.
                    most = S::LANES - first % S::LANES;
                    row_end = self.world.grid.block_end(self.world.columns, first).min(end);
                } else if first == row_end {
                    row_end = self.world.grid.row_end(self.world.columns.position(first)).min(end);
                }
                let count = most.min(row_end - first);
                first += count;
                (first - count, count, fast)
            } else if let Some(&(at, count)) = self.scratch.active.blocks.get(active) {
                active += 1;
                (at, count, fast)
            } else {
                let Some((at, count)) = self.scratch.again.pop() else { break };
                (at, count, None)
            };
            let mut block = Block::load(s, self.world, &self.scratch.active, at, count);
            let looks = self.world.drives.as_ref().filter(|driving| driving.looks);
            if let Some(driving) = looks {
                let moods = Moods::alike(s, driving.max_speed);
                s.outline(Gaze { driving, world: self.world, block: &mut block, moods: &moods });
            }
            let images = self.world.grid.search(self.world.columns, block.low, block.high, &mut self.scratch.runs);
            let fixed = images != Images::PerLane;
            let reach = if fast.is_some() && fixed { self.nearest(s, &block) } else { None };
            let sums = match fast {
                Some(_) if !fixed || matches!(reach, Some(Reach { tied: true, .. })) => None,
                Some(Fast::Shared(shared)) => {
                    let mut lanes = shared.lanes(s, &block.own);
                    if let Some(reach) = &reach {
                        lanes.reach(&reach.of_rule);
                    }
                    let eyes = SharedEyes { shared: lanes, sums: Shared::begin(s) };
                    let sums = self.look_within(s, eyes, &block, &reach).sums;
                    (!shared.coincident(s, &sums, &block.own)).then(|| (sums.split(s), self.rules.begin(s)))
                }
                Some(Fast::OwnSights(sights)) => {
                    let mut lanes = sights.lanes(s, &block.own);
                    if let Some(reach) = &reach {
                        lanes.reach(&reach.of_rule);
                    }
                    let eyes = OwnEyes { sights: lanes, sums: OwnSights::begin(s) };
                    let sums = self.look_within(s, eyes, &block, &reach).sums;
                    (!sights.coincident(s, &sums, &block.own)).then(|| (sums.split(s), self.rules.begin(s)))
                }
                None => Some(self.look(s, &block, images)),
            };
            if looks.is_some() {
                // Only eyes were turned.
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
        s.outline(Select { world, nearest, runs, list, met, block, reach: &mut reach });
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
        let found = Found { runs: &self.scratch.runs, list: &mut self.scratch.list, reach_sq, listed };
        look_through(s, self.world, found, eyes, block).0
    }

    /// What the block sees, under any rules and in any box.
    #[inline(always)]
    fn look<S: Simd>(&mut self, s: S, block: &Block<S, D>, images: Images) -> (ThreeSums<S, D>, R::Sums<S>) {
        let (world, rules) = (self.world, self.rules);
        let rank = world.whose.rank;
        let mut limits = None;
        if let Some(nearest) = &world.prepared.nearest {
            let mut found = Limits::none(s);
            let (runs, list, keys) = (&self.scratch.runs[..], &mut *self.scratch.list, &mut self.scratch.keys[..]);
            s.outline(Rank { world, nearest, runs, list, keys, block, images, limits: &mut found });
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
        world.prepared.three.finish(s, three, &block.own, &world.whose, &block.seats, &mut terms);
        self.rules.finish(s, declared, &block.own, &mut terms);
        let moods = Moods::alike(s, world.drives.as_ref().map_or(0.0, |driving| driving.max_speed));
        let terms = surrounded(s, world, block, &moods, &mut self.scratch.obstacles, terms);
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

/// Adds what does not come from neighbours: drives, obstacles, walls.
#[inline(always)]
fn surrounded<'a, S: Simd, const D: usize>(
    s: S,
    world: &World<'_, D>,
    block: &Block<S, D>,
    moods: &Moods<S>,
    lists: &mut Lists,
    mut terms: Terms<'a, S, D>,
) -> Terms<'a, S, D> {
    if let Some(driving) = &world.drives {
        // A copy, so that in flocks without drives the terms can stay in registers.
        let mut handed = terms;
        s.outline(DriveBlock { driving, world, block, moods, terms: &mut handed });
        terms = handed;
    }
    if let Some(course) = world.course {
        let mut force = Vectors::zero(s);
        s.outline(Avoid { course, lists, own: &block.own, force: &mut force });
        terms.push(force);
    }
    terms.push(wall_force(s, world.domain, block.own.position));
    terms
}

/// Writes the first `count` lanes to `out` from `at` on.
#[inline(always)]
fn store<S: Simd, const D: usize>(_s: S, steering: Vectors<S, D>, out: &mut [&mut [f32]; D], at: usize, count: usize) {
    for a in 0..D {
        let out = &mut out[a][at..at + count];
        if count == S::LANES {
            steering[a].store(out);
        } else {
            let mut buffer = [0.0; MAX_LANES];
            steering[a].store(&mut buffer);
            out.copy_from_slice(&buffer[..count]);
        }
    }
}

/// Where candidates come from.
struct Found<'a, const D: usize> {
    runs: &'a [Run<D>],
    list: &'a mut List,
    /// Square of how far to look.
    reach_sq: f32,
    /// What the list holds already, all of them; nothing if it has to be filled from the runs.
    listed: Listed,
}

/// What `eyes` see from the block through runs of fixed shifts, up to a distance that they may shorten; and what one list
/// held, if that was everyone, seen directly.
#[inline(always)]
fn look_through<S: Simd, E: Eyes<S, D>, const D: usize>(
    s: S,
    world: &World<'_, D>,
    found: Found<'_, D>,
    mut eyes: E,
    block: &Block<S, D>,
) -> (E, Listed) {
    let Found { runs, list, reach_sq, listed } = found;
    if let Some(fine) = world.fine
        && listed.len == 0
    {
        return (look_about::<S, E, false, D>(s, world, fine, runs, list, eyes, block), Listed::default());
    }
    let mut collector = Collector::new(runs, reach_sq, listed);
    let (mut lists, mut direct) = (0, Listed::default());
    while let Some(shift) = collector.fill(s, world, block, list, false) {
        let list = &list[..collector.len];
        lists += 1;
        let own = collector.own;
        direct = match lists {
            1 if !collector.shifted => Listed { len: list.len(), own, chosen: false },
            _ => Listed::default(),
        };
        if collector.shifted {
            s.outline(Consume::<S, E, SHIFTED, false, D> { world, block, list, own, shift, eyes: &mut eyes });
        } else {
            s.outline(Consume::<S, E, DIRECT, true, D> { world, block, list, own, shift, eyes: &mut eyes });
        }
        collector.reach_sq = eyes.narrow(s, &block.own, collector.reach_sq);
    }
    (eyes, direct)
}

/// The same in any box, all the way to the radius.
#[inline(always)]
fn look_everywhere<S: Simd, E: Eyes<S, D>, const D: usize>(
    s: S,
    world: &World<'_, D>,
    runs: &[Run<D>],
    list: &mut List,
    mut eyes: E,
    block: &Block<S, D>,
    images: Images,
) -> E {
    let radius_sq = world.prepared.radius_sq;
    if images != Images::PerLane {
        return look_through(s, world, Found { runs, list, reach_sq: radius_sq, listed: Listed::default() }, eyes, block).0;
    }
    if let Some(fine) = world.fine {
        return look_about::<S, E, true, D>(s, world, fine, runs, list, eyes, block);
    }
    let mut collector = Collector::new(runs, radius_sq, Listed::default());
    while let Some(shift) = collector.fill(s, world, block, list, true) {
        let list = &list[..collector.len];
        let own = collector.own;
        s.outline(Consume::<S, _, NEAREST, true, D> { world, block, list, own, shift, eyes: &mut eyes });
    }
    eyes
}
