//! The slots of a block's lanes: consecutive ones, or where not all boids steer in every step,
//! those whose turn it is.

use std::ops::Range;

use wingbeat_steer::math;

use crate::columns::slices::Turns;
use crate::identity::Identity;
use crate::neighbors::SortedFlock;
use crate::simd::{Float, MAX_LANES, Simd, Vectors, Whole};

/// What a block of its own costs beside what lies within reach of a single boid, as a multiple of
/// that. Steering at n = 16 in 3-D, 20 neighbors, took 44 ns a boid and step at 1 to 2, and 83 ns
/// where rows were not cut at all.
const BLOCK_COST: f32 = 2.0;

/// The slots of a block's lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LaneAssignment<S: Simd> {
    /// Consecutive ones from here on.
    Row(usize),
    /// Ascending ones; lanes without a boid repeat the first.
    Each {
        slots: [u32; MAX_LANES],
        /// How far each is from the first: less than a batch is long, so exact.
        places: S::F,
    },
}

impl<S: Simd> LaneAssignment<S> {
    #[inline(always)]
    pub fn slot(&self, lane: usize) -> usize {
        match self {
            Self::Row(first) => first + lane,
            Self::Each { slots, .. } => slots[lane] as usize,
        }
    }

    /// The lanes' values of a column that is in slot order; stale in lanes from `count` on.
    #[inline(always)]
    pub fn column<const D: usize>(
        &self,
        s: S,
        flock: &SortedFlock<'_, D>,
        column: &[f32],
        count: usize,
    ) -> S::F {
        if let (None, Self::Row(first)) = (flock.fine, self) {
            return s.load(column, *first);
        }
        let mut lanes = [0.0; MAX_LANES];
        for lane in 0..count {
            lanes[lane] = column[flock.slot(self.slot(lane))];
        }
        s.load(&lanes, 0)
    }

    /// The same of a column of whole numbers below 2²⁴.
    #[inline(always)]
    pub fn numbers<const D: usize>(
        &self,
        s: S,
        flock: &SortedFlock<'_, D>,
        column: &[u32],
        count: usize,
    ) -> S::F {
        if let (None, Self::Row(first)) = (flock.fine, self) {
            return s.load_whole(&column[*first..]).to_float();
        }
        let mut lanes = [0; MAX_LANES];
        for lane in 0..count {
            lanes[lane] = column[flock.slot(self.slot(lane))];
        }
        s.load_whole(&lanes).to_float()
    }

    /// Whole numbers below 2²⁴ of a column in the order of the positions, which in a crowd is not
    /// slot order; stale in lanes without a boid.
    #[inline(always)]
    pub fn numbers_by_place(&self, s: S, column: &[u32]) -> S::F {
        match self {
            Self::Row(first) => s.load_whole(&column[*first..]).to_float(),
            Self::Each { slots, .. } => {
                let mut lanes = [0; MAX_LANES];
                for lane in 0..S::LANES {
                    lanes[lane] = column[slots[lane] as usize];
                }
                s.load_whole(&lanes).to_float()
            }
        }
    }

    /// The map from slots to lanes.
    #[inline(always)]
    pub fn finder(&self, s: S) -> LaneFinder<S> {
        match self {
            Self::Row(first) => LaneFinder { first: *first, row: true, places: s.splat(0.0) },
            Self::Each { slots, places } => {
                LaneFinder { first: slots[0] as usize, row: false, places: *places }
            }
        }
    }

    /// The hash-derived directions at `step` of the boids in the given lanes, zero elsewhere.
    /// Rarely needed, so one lane at a time.
    #[inline(always)]
    pub fn directions<const D: usize>(
        &self,
        s: S,
        identity: &Identity<'_>,
        lanes: u32,
        step: u64,
    ) -> Vectors<S, D> {
        let mut columns = [[0.0; MAX_LANES]; D];
        let slots = crate::arrays::from_fn(|lane| self.slot(lane % S::LANES));
        hash(identity, lanes, &slots, step, &mut columns);
        Vectors::load(s, &columns, 0)
    }
}

/// The part of [`LaneAssignment`] that tells which lane holds a slot: small enough for registers,
/// and no copy of what was just written in parts.
#[derive(Clone, Copy)]
pub(crate) struct LaneFinder<S: Simd> {
    first: usize,
    row: bool,
    places: S::F,
}

impl<S: Simd> LaneFinder<S> {
    /// The lane that holds a slot, if any does.
    #[inline(always)]
    pub fn lane_of(&self, s: S, slot: usize) -> S::M {
        if self.row {
            let lane = slot.wrapping_sub(self.first);
            return s.mask(if lane < S::LANES { 1 << lane } else { 0 });
        }
        // Lanes compare floats only. Of a slot outside the batch the place may be rounded: to a
        // number as large.
        let place = s.splat((slot as u32).wrapping_sub(self.first as u32) as f32);
        self.places.le(place) & place.le(self.places)
    }
}

/// The hash-derived directions of the boids in the given lanes. No arithmetic in lanes, so compiled
/// once for all callers.
#[inline(never)]
fn hash<const D: usize>(
    identity: &Identity<'_>,
    lanes: u32,
    slots: &[usize; MAX_LANES],
    step: u64,
    columns: &mut [[f32; MAX_LANES]; D],
) {
    for (lane, &slot) in slots.iter().enumerate() {
        if lanes >> lane & 1 == 1 {
            let direction: [f32; D] = identity.direction(slot, step);
            for a in 0..D {
                columns[a][lane] = direction[a];
            }
        }
    }
}

/// The slots of a batch whose turn it is, cut into blocks.
#[derive(Debug, Default)]
pub(crate) struct DueSlots {
    pub slots: Vec<u32>,
    /// Blocks: a place in `slots`, and how many from there on.
    pub blocks: Vec<(usize, usize)>,
}

impl DueSlots {
    /// The seats of the block of `count` from the place `first` on, and their slots.
    #[inline(always)]
    pub fn lane_slots<S: Simd>(
        &self,
        s: S,
        first: usize,
        count: usize,
    ) -> (LaneAssignment<S>, [u32; MAX_LANES]) {
        let due = &self.slots[first..first + count];
        let (mut slots, mut places) = ([due[0]; MAX_LANES], [0.0; MAX_LANES]);
        for (lane, &slot) in due.iter().enumerate() {
            slots[lane] = slot;
            places[lane] = (slot - due[0]) as f32;
        }
        (LaneAssignment::Each { slots, places: s.load(&places, 0) }, slots)
    }

    /// Finds them, row by row, and cuts the rows into blocks of at most `lanes`.
    pub fn find<const D: usize>(
        &mut self,
        flock: &SortedFlock<'_, D>,
        radius: f32,
        turns: Turns<'_>,
        batch: Range<usize>,
        lanes: usize,
    ) {
        self.slots.clear();
        self.blocks.clear();
        // Once, however many will steer in a step to come.
        self.slots.reserve(batch.len());
        self.blocks.reserve(batch.len());
        let mut slot = batch.start;
        while slot < batch.end {
            let row_end = flock.grid.row_end(flock.columns.position(slot)).min(batch.end);
            let row = self.slots.len();
            self.slots.extend(
                (slot..row_end)
                    .filter(|&slot| turns.is_due(flock.slot(slot)))
                    .map(|slot| slot as u32),
            );
            self.cut(flock, radius, row, lanes);
            slot = row_end;
        }
    }

    /// Cuts the slots from the place `row` on into blocks: where one is full, and where the next
    /// boid would enlarge the surroundings (the box and a radius about it, whose boids all lanes
    /// must look at) by more than a block of its own costs.
    fn cut<const D: usize>(
        &mut self,
        flock: &SortedFlock<'_, D>,
        radius: f32,
        row: usize,
        lanes: usize,
    ) {
        let diameter = 2.0 * radius;
        let mut alone = 1.0;
        for _ in 0..D {
            alone *= diameter;
        }
        let (mut low, mut high, mut surroundings) = ([0.0; D], [0.0; D], alone);
        let mut first = row;
        for place in row..self.slots.len() {
            let position = flock.columns.position(self.slots[place] as usize);
            let (mut joined_low, mut joined_high, mut joined) = (position, position, 1.0);
            for a in 0..D {
                if place > first {
                    joined_low[a] = math::min(low[a], position[a]);
                    joined_high[a] = math::max(high[a], position[a]);
                }
                joined *= joined_high[a] - joined_low[a] + diameter;
            }
            let full = place - first == lanes;
            if full || (place > first && joined - surroundings > alone * BLOCK_COST) {
                self.blocks.push((first, place - first));
                first = place;
                (low, high, surroundings) = (position, position, alone);
            } else {
                (low, high, surroundings) = (joined_low, joined_high, joined);
            }
        }
        if first < self.slots.len() {
            self.blocks.push((first, self.slots.len() - first));
        }
    }
}
