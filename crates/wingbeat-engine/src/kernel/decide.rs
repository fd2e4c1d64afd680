//! The decision: from the sums over neighbors to steering, in full registers, whatever the blocks
//! were.
//!
//! ```text
//! how the batch steers ahead of obstacles
//! for each register of boids that steer:
//!     responses to the rules' sums, or the model's steering
//!     forces of the host's own rules and of prey, drives, obstacles               (other_terms.rs)
//!     walls
//!     combine; write steering
//! ```

use super::other_terms::push_other_terms;
use crate::domain::wall_force;
use crate::kernel::input::{NeighborSums, Scratch, StepInput};
use crate::motion::obstacle::Avoid;
use crate::neighbors::{Block, LaneAssignment};
use crate::simd::{Float, Level, MAX_LANES, Simd, Vectors, Work, dispatch};
use crate::terms::combine::Terms;
use crate::terms::rule::responses::weighted_responses;
use crate::terms::rule::three::ThreeSums;
use crate::terms::species_table::{LaneTraits, ONE_SPECIES};

/// Decides the steering of a batch that begins at slot `first`, from the sums in its scratch space.
#[inline(never)]
pub(super) fn decide<const D: usize>(
    level: Level,
    input: &StepInput<'_, D>,
    first: usize,
    out: [&mut [f32]; D],
    scratch: &mut Scratch<D>,
) {
    dispatch(level, DecideBatch { input, first, out, scratch });
}

struct DecideBatch<'a, const D: usize> {
    input: &'a StepInput<'a, D>,
    first: usize,
    out: [&'a mut [f32]; D],
    scratch: &'a mut Scratch<D>,
}

impl<const D: usize> Work for DecideBatch<'_, D> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (input, turns) = (self.input, self.input.flock.turns.is_some());
        let rows = if turns { self.scratch.due.slots.len() } else { self.out[0].len() };
        if let Some(course) = input.course {
            let Scratch { due, obstacles: lists, .. } = &mut *self.scratch;
            s.outline(Avoid { course, lists, flock: &input.flock, due, first: self.first, rows });
        }
        let plain = self.is_plain();
        for row in (0..rows).step_by(S::LANES) {
            let count = S::LANES.min(rows - row);
            if plain {
                self.decide::<S, true>(s, row, count)
            } else {
                self.decide::<S, false>(s, row, count)
            }
        }
    }
}

impl<const D: usize> DecideBatch<'_, D> {
    /// Whether the three rules (or a model) and walls are all there is, of one species, whose boids
    /// all steer in every step. Such decisions are so short that asking each register what else
    /// there might be would double them; hence a second compilation.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        let StepInput { flock, prepared, course, drives, .. } = self.input;
        let others = prepared.passes.ids.len() + prepared.declared + prepared.kinds.chases;
        others == 0
            && prepared.kinds.list.len() == 1
            && flock.turns.is_none()
            && course.is_none()
            && drives.is_none()
    }

    /// Compiled twice: `PLAIN` as [`is_plain`](Self::is_plain) says.
    #[inline(always)]
    fn decide<S: Simd, const PLAIN: bool>(&mut self, s: S, row: usize, count: usize) {
        let (input, prepared, flock) = (self.input, self.input.prepared, &self.input.flock);
        let at = if !PLAIN && flock.turns.is_some() { row } else { self.first + row };
        let Scratch { due, present, sums, terms, chases_found, obstacles, .. } = &mut *self.scratch;
        let (block, present) = if PLAIN {
            (Block::of_row(s, flock, (at, count), prepared.heads), &ONE_SPECIES[..])
        } else {
            let block = Block::load(s, flock, due, (at, count), prepared.heads);
            present.find(s, &prepared.kinds, flock, &block);
            (block, present.kinds())
        };
        let lanes = LaneTraits::of(s, &prepared.kinds, present);
        let mut terms = Terms::new(s, &prepared.combination, terms);
        if prepared.combination.follows_model() {
            terms.follow(Vectors(sums.load(s, 0, row, D)));
        } else if prepared.kinds.has_rules() {
            let weighted = weigh(s, input, &block, present, &lanes, sums, row);
            for rule in 0..3 {
                if prepared.kinds.terms[rule] {
                    terms.push(weighted[rule]);
                }
            }
        }
        if !PLAIN {
            terms = push_other_terms(
                s,
                input,
                &block,
                lanes.max_speed,
                (sums, chases_found, obstacles),
                row,
                terms,
            );
        }
        if prepared.combination.feels_walls() {
            terms.push(wall_force(s, flock.domain, block.own.position));
        }
        let steering = prepared.combination.combine(s, &terms, lanes.max_force);
        self.write(&block, row, steering);
    }

    #[inline(always)]
    fn write<S: Simd>(&mut self, block: &Block<S, D>, row: usize, steering: Vectors<S, D>) {
        for a in 0..D {
            if let (LaneAssignment::Row(_), true) = (&block.lane_slots, block.count == S::LANES) {
                steering[a].store(&mut self.out[a][row..]);
                continue;
            }
            let mut buffer = [0.0; MAX_LANES];
            steering[a].store(&mut buffer);
            for (lane, &force) in buffer[..block.count].iter().enumerate() {
                self.out[a][block.lane_slots.slot(lane) - self.first] = force;
            }
        }
    }
}

/// The weighted responses of separation, alignment and cohesion, each lane's under the rules of its
/// species.
#[inline(always)]
fn weigh<S: Simd, const D: usize>(
    s: S,
    input: &StepInput<'_, D>,
    block: &Block<S, D>,
    present: &[(usize, u32)],
    lanes: &LaneTraits<S>,
    table: &NeighborSums,
    row: usize,
) -> [Vectors<S, D>; 3] {
    let kinds = &input.prepared.kinds;
    let sums = ThreeSums::of_columns(s, &table.load(s, 0, row, 3 * D + 2));
    let mut weighted = [Vectors::zero(s); 3];
    if let Some(rules) = &kinds.alike {
        return weighted_responses(rules, s, &sums, &block.own, lanes.weights, lanes.max_speed);
    }
    for &(kind, members) in present {
        let of_kind = weighted_responses(
            &kinds.list[kind].rules,
            s,
            &sums,
            &block.own,
            lanes.weights,
            lanes.max_speed,
        );
        let mask = s.mask(members);
        for rule in 0..3 {
            weighted[rule] = Vectors::select(mask, of_kind[rule], weighted[rule]);
        }
    }
    weighted
}
