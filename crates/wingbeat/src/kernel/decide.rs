//! From what boids have seen to what they do: in full registers, whatever the blocks they looked from.
//!
//! ```text
//! how the batch steers ahead of obstacles
//! for each register of boids that steer:
//!     responses to the rules' sums, or the model's word; forces of the host's own rules and of prey
//!     drives, obstacles, walls
//!     combine; write steering
//! ```

use super::finish::surrounded;
use super::kinds::{LaneTraits, SpeciesInBlock};
use super::world::{Scratch, Table, World};
use crate::block::{Block, Seats};
use crate::combine::Terms;
use crate::drive::DriveState;
use crate::obstacle::Avoid;
use crate::rule::three::ThreeSums;
use crate::simd::{Float, Level, MAX_LANES, Simd, Vectors, Whole, Work, dispatch};

/// Decides for the boids of a batch that begins at slot `first`, from what its scratch space holds.
#[inline(never)]
pub(super) fn decide<const D: usize>(
    level: Level,
    world: &World<'_, D>,
    first: usize,
    out: [&mut [f32]; D],
    scratch: &mut Scratch<D>,
) {
    dispatch(level, Batch { world, first, out, scratch });
}

struct Batch<'a, const D: usize> {
    world: &'a World<'a, D>,
    first: usize,
    out: [&'a mut [f32]; D],
    scratch: &'a mut Scratch<D>,
}

impl<const D: usize> Work for Batch<'_, D> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (world, turns) = (self.world, self.world.flock.turns.is_some());
        let rows = if turns { self.scratch.due.slots.len() } else { self.out[0].len() };
        if let Some(course) = world.course {
            let Scratch { due, obstacles: lists, .. } = &mut *self.scratch;
            s.outline(Avoid { course, lists, flock: &world.flock, due, first: self.first, rows });
        }
        for row in (0..rows).step_by(S::LANES) {
            self.decide(s, row, S::LANES.min(rows - row));
        }
    }
}

impl<const D: usize> Batch<'_, D> {
    #[inline(always)]
    fn decide<S: Simd>(&mut self, s: S, row: usize, count: usize) {
        let (world, prepared) = (self.world, self.world.prepared);
        let at = if world.flock.turns.is_some() { row } else { self.first + row };
        let block = Block::load(s, &world.flock, &self.scratch.due, (at, count), prepared.heads);
        self.scratch.present.find(s, &prepared.kinds, &world.flock, &block);
        let Scratch { present, sums, terms, notes, obstacles, .. } = &mut *self.scratch;
        let lanes = LaneTraits::new(s, &prepared.kinds, present);
        let mut terms = Terms::new(s, &prepared.combination, terms);
        if prepared.combination.follows_model() {
            terms.follow(Vectors(sums.load(s, 0, row, D)));
        } else {
            let weighted = weigh(s, world, &block, present, &lanes, sums, row);
            for rule in 0..3 {
                if prepared.kinds.terms[rule] {
                    terms.push(weighted[rule]);
                }
            }
        }
        for rule in 0..prepared.declared {
            terms.push(Vectors(sums.load(s, prepared.layout.declared + rule * D, row, D)));
        }
        let mut state = DriveState { busy: s.mask(0), resting: s.mask(0), max_speed: lanes.max_speed };
        if prepared.kinds.chases > 0 {
            terms.push(Vectors(sums.load(s, prepared.layout.chase, row, D)));
            state.busy = s.load_whole(&notes.busy[row..]).to_float().gt(s.splat(0.0));
        }
        if world.drives.is_some() {
            state.resting = block.resting(s, &world.flock, world.carried);
        }
        let terms = surrounded(s, world, &block, &state, (obstacles, row), terms);
        let steering = prepared.combination.combine(s, &terms, lanes.max_force);
        self.write(&block, row, steering);
    }

    #[inline(always)]
    fn write<S: Simd>(&mut self, block: &Block<S, D>, row: usize, steering: Vectors<S, D>) {
        for a in 0..D {
            if let (Seats::Row(_), true) = (&block.seats, block.count == S::LANES) {
                steering[a].store(&mut self.out[a][row..]);
                continue;
            }
            let mut buffer = [0.0; MAX_LANES];
            steering[a].store(&mut buffer);
            for (lane, &force) in buffer[..block.count].iter().enumerate() {
                self.out[a][block.seats.slot(lane) - self.first] = force;
            }
        }
    }
}

/// The weighted responses of separation, alignment and cohesion, each lane's under the rules of its species.
#[inline(always)]
fn weigh<S: Simd, const D: usize>(
    s: S,
    world: &World<'_, D>,
    block: &Block<S, D>,
    present: &SpeciesInBlock,
    lanes: &LaneTraits<S>,
    table: &Table,
    row: usize,
) -> [Vectors<S, D>; 3] {
    let kinds = &world.prepared.kinds;
    let sums = ThreeSums::of_columns(s, &table.load(s, 0, row, 3 * D + 2));
    let mut weighted = [Vectors::zero(s); 3];
    if let Some(responses) = &kinds.alike {
        return responses.weighted(s, &sums, &block.own, lanes.weights, lanes.max_speed);
    }
    for &(kind, who) in present.kinds() {
        let of_kind = kinds.list[kind].responses.weighted(s, &sums, &block.own, lanes.weights, lanes.max_speed);
        let mask = s.mask(who);
        for rule in 0..3 {
            weighted[rule] = Vectors::select(mask, of_kind[rule], weighted[rule]);
        }
    }
    weighted
}
