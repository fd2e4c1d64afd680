//! A batch of boids asks its model of anticipation.

use wingbeat_steer::anticipation::{Answer, Mover, Nearby, faces_near};
use wingbeat_steer::{Traits, math};

use super::Foresight;
use super::near::NearScratch;
use crate::block::{Block, Collector, Consume, DIRECT, NEAREST, SortedFlock, key};
use crate::body::BodyColumns;
use crate::carried::Carried;
use crate::grid::{Images, Reach};
use crate::obstacle::{Course, Lists};
use crate::simd::{Level, Simd, Work, dispatch};

/// Those of whom only the nearest count are searched for ever further, by this factor.
const FURTHER: f32 = 2.0;

/// The first search goes this many times as far as the largest body.
const FIRST: f32 = 6.0;

/// What boids that ask read.
pub(crate) struct Asking<'a, const D: usize> {
    pub flock: SortedFlock<'a, D>,
    pub foresight: &'a Foresight<D>,
    pub bodies: &'a BodyColumns,
    pub course: Option<&'a Course<D>>,
    pub carried: &'a Carried<D>,
    pub dt: f32,
    /// The part of the way to how blocked it is that a step covers.
    pub part: f32,
}

impl<const D: usize> Asking<'_, D> {
    fn max_speed(&self, slot: usize) -> f32 {
        let Traits { species, max_speed, .. } = self.carried.traits(slot);
        max_speed.unwrap_or(self.foresight.max_speeds[species])
    }

    /// How far a model looks.
    fn reach(&self) -> f32 {
        self.foresight.model.reach(self.bodies.largest * (1.0 + self.foresight.body.margin))
    }
}

/// Puts answers in the place of the preferred velocities of a batch that begins at slot `first`, and bits of how blocked boids are now in
/// the place of those of before.
pub(crate) fn answer<const D: usize>(
    level: Level,
    asking: &Asking<'_, D>,
    first: usize,
    (answers, blocked): ([&mut [f32]; D], &mut [u32]),
    (scratch, lists): (&mut NearScratch<D>, &mut Lists),
) {
    dispatch(level, Batch { asking, first, answers, blocked, scratch, lists });
}

struct Batch<'a, 'b, const D: usize> {
    asking: &'a Asking<'a, D>,
    first: usize,
    answers: [&'b mut [f32]; D],
    blocked: &'b mut [u32],
    scratch: &'a mut NearScratch<D>,
    lists: &'a mut Lists,
}

impl<const D: usize> Work for Batch<'_, '_, D> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let flock = &self.asking.flock;
        let (mut slot, end) = (self.first, self.first + self.blocked.len());
        let mut row_end = slot;
        while slot < end {
            if slot == row_end {
                row_end = flock.grid.row_end(flock.columns.position(slot)).min(end);
            }
            let count = S::LANES.min(row_end - slot);
            let mut block = Block::<S, D>::of_row(s, flock, (slot, count), false);
            block.bound(s, flock);
            self.look(s, &block);
            for lane in 0..count {
                self.ask(slot + lane, lane);
            }
            slot += count;
        }
    }
}

impl<const D: usize> Batch<'_, '_, D> {
    /// Finds those in reach of every lane; where only the nearest count, at least so many of them, unless there are fewer.
    #[inline(always)]
    fn look<S: Simd>(&mut self, s: S, block: &Block<S, D>) {
        let whole = self.asking.reach();
        let Some(wanted) = self.asking.foresight.model.nearest() else { return self.look_within(s, block, whole) };
        let begun = math::max(self.scratch.hint, self.asking.bodies.largest * FIRST);
        let mut reach = if begun < whole { begun } else { whole };
        loop {
            self.look_within(s, block, reach);
            let fewest = (0..block.count).map(|lane| self.scratch.table.count(lane)).min().unwrap_or(0);
            if fewest >= wanted || reach >= whole {
                // A block that found many more than it needed need not have looked so far.
                self.scratch.hint = if fewest > 3 * wanted { reach / FURTHER } else { reach };
                return;
            }
            reach = if reach * FURTHER < whole { reach * FURTHER } else { whole };
        }
    }

    #[inline(always)]
    fn look_within<S: Simd>(&mut self, s: S, block: &Block<S, D>, reach: f32) {
        let flock = &self.asking.flock;
        let NearScratch { runs, list, table, .. } = &mut *self.scratch;
        table.clear();
        let images = flock.grid.search_within(&Reach::new(reach, flock.domain), flock.columns, &block.low, &block.high, runs);
        let per_lane = images == Images::PerLane;
        let mut collector = Collector::new(runs);
        while !collector.is_done() {
            collector.fill(s, flock, block, list, reach * reach, per_lane);
            let found = &collector.found;
            table.reserve();
            let mut eyes = table.eyes::<S>(s.splat(reach * reach), block.own.live);
            let (list, own, shift) = (&list[..found.len], found.own, found.shift);
            if shift == [0.0; D] && !per_lane {
                s.outline(Consume::<S, _, DIRECT, D> { flock, block, list, own, shift, eyes: &mut eyes });
            } else {
                s.outline(Consume::<S, _, NEAREST, D> { flock, block, list, own, shift, eyes: &mut eyes });
            }
            let len = eyes.len;
            table.set_len(len);
        }
    }

    /// One boid asks: scalar code, which has no use for a level's instructions.
    #[inline(never)]
    fn ask(&mut self, slot: usize, lane: usize) {
        let Asking { flock, foresight, bodies, course, dt, part, .. } = self.asking;
        let Foresight { model, through, body, .. } = foresight;
        let wider = 1.0 + body.margin;
        let (at, columns) = (slot - self.first, flock.columns);
        let preferred = std::array::from_fn(|a| self.answers[a][at]);
        let mover = Mover {
            id: flock.identity.ids[columns.rank[slot] as usize].get(),
            seed: flock.identity.seed,
            step: flock.identity.step,
            velocity: columns.velocity(slot),
            preferred,
            radius: bodies.radii[slot] * wider,
            max_speed: self.asking.max_speed(slot) * through.haste,
            dt: *dt,
        };
        let (asked, blocked) = through.asks_with(&mover, f32::from_bits(self.blocked[at]), *part);
        self.blocked[at] = blocked.to_bits();
        let mover = Mover { preferred: asked, ..mover };
        let NearScratch { table, keys, others, walls, program, .. } = &mut *self.scratch;
        let nearby = |slot_of: u32, offset: [f32; D], distance_sq: f32| {
            let other = slot_of as usize;
            let share = 1.0 - bodies.share(slot, other);
            Nearby { offset, distance_sq, velocity: columns.velocity(other), radius: bodies.radii[other] * wider, share }
        };
        others.clear();
        match model.nearest() {
            None => others.extend(table.of_lane(lane).map(|(slot, offset, d_sq)| nearby(slot, offset, d_sq))),
            Some(wanted) => {
                keys.clear();
                let found = || table.of_lane::<D>(lane);
                keys.extend((0..).zip(found()).map(|(i, (slot, _, d_sq))| (key(d_sq, columns.rank[slot as usize]), i)));
                if keys.len() > wanted {
                    keys.select_nth_unstable(wanted - 1);
                    keys.truncate(wanted);
                }
                keys.sort_unstable();
                others.extend(keys.iter().map(|&(_, i)| {
                    let (slot, offset, d_sq) = table.nth_of_lane(lane, i as usize);
                    nearby(slot, offset, d_sq)
                }));
            }
        }
        walls.clear();
        let (position, reach) = (columns.position(slot), self.asking.reach());
        if let Some(course) = course {
            course.walls_near(position, reach, self.lists, walls);
        }
        faces_near(position, reach, flock.domain, walls);
        let (Answer::Velocity(answer) | Answer::Force(answer)) = model.says(program, &mover, others, walls);
        for a in 0..D {
            self.answers[a][at] = answer[a];
        }
    }
}
