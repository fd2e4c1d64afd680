//! A finer order for crowds: beside slot order, for flocks whose boids look at their nearest alone.
//!
//! Cells are as large as the radius asks. In a crowd they hold hundreds, ordered by id, so that a few consecutive slots lie all over
//! their cell. Here each cell's boids are put in an order of their own:
//!
//! ```text
//! place  ← within its cell: halved at the median across the longest side (by coordinate, then by slot), the halves again,
//!          down to as many as a block has lanes
//! boxes  ← of 16 consecutive places, of 16 such boxes, and so on: bounds and the smallest rank
//! ```
//!
//! A cell's places are its slots' numbers, so a run of whole cells is the same range of either. Nothing depends on where boids lie
//! but the order itself, and memory is at most [`BYTES`] and four for each axis a boid.

use wingbeat_steer::math;

use super::{Grid, gather, pick};
use crate::boids::{Columns, PADDING};
use crate::parallel::Workers;

/// Places, and boxes, in a box: as many as the widest level has lanes.
pub(crate) const FAN: usize = 16;
/// Its binary logarithm.
pub(crate) const FAN_BITS: u32 = 4;

/// Bytes a boid, at most, beside the steering: two orders, keys, work, boxes.
pub(crate) const BYTES: u128 = 4 + 4 + 8 + 2 + 2;

/// Cells of fewer are left as they are: they fill hardly more than a block.
pub(crate) const FEW: usize = 24;

/// Cells along x that a radius covers.
const CELLS_OF_RADIUS: usize = 4;

/// Which order flocks are steered in; results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crowds {
    /// The finer one where it is worth its making.
    #[default]
    Automatic,
    /// The finer one wherever it can be. For tests.
    Always,
    /// Slot order. For tests.
    Never,
}

/// The finer order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fine<const D: usize> {
    /// Slot of every place.
    pub slot: Vec<u32>,
    /// Place of every slot.
    pub place: Vec<u32>,
    /// Of places, of boxes of places, and so on, until there is one.
    pub levels: Vec<Boxes<D>>,
    /// How far the nearest reach, in extents of a box of sixteen, squared, as a multiple of what sixteen do.
    pub spread: f32,
    keys: Vec<u64>,
    /// Ranges of places that are to be put in order.
    cells: Vec<(u32, u32)>,
    halves: Vec<Half<D>>,
}

/// A range of places, and a box that holds them.
#[derive(Clone, Copy, Debug)]
struct Half<const D: usize> {
    first: usize,
    end: usize,
    low: [f32; D],
    high: [f32; D],
}

/// Bounds of what is in boxes; columns are longer than that by the padding.
#[derive(Clone, Debug)]
pub(crate) struct Boxes<const D: usize> {
    pub low: [Vec<f32>; D],
    pub high: [Vec<f32>; D],
    /// The smallest rank.
    pub rank: Vec<u32>,
}

impl<const D: usize> Fine<D> {
    /// For searches of about so many.
    pub fn expect(&mut self, about: f32) {
        let boxes = about / FAN as f32;
        // Their square root in two dimensions, their cube root in three, squared; no more than an estimate.
        self.spread = if D == 2 { boxes } else { boxes / (0..20).fold(1.0, |r: f32, _| (2.0 * r + boxes / (r * r)) / 3.0) };
    }

    /// Finds the order of a sorted flock, and brings its columns into it.
    pub fn build<T: Default + Send>(
        &mut self,
        grid: &Grid<D>,
        columns: &Columns<D>,
        into: &mut Columns<D>,
        lanes: usize,
        workers: &Workers<T>,
    ) {
        let slots = grid.slots;
        self.slot.clear();
        self.slot.extend(0..slots as u32);
        // Once, however many will share a cell in a step to come.
        self.keys.clear();
        self.keys.reserve(slots);
        self.cells.clear();
        self.cells.reserve(slots / FEW);
        grid.crowded_cells(&mut self.cells);
        self.halves.clear();
        self.halves.reserve(usize::BITS as usize);
        for cell in 0..self.cells.len() {
            let (first, end) = (self.cells[cell].0 as usize, self.cells[cell].1 as usize);
            let (mut low, mut high) = ([0.0; D], [0.0; D]);
            for a in 0..D {
                let xs = &columns.position[a][first..end];
                low[a] = xs.iter().fold(xs[0], |m, &x| math::min(m, x));
                high[a] = xs.iter().fold(xs[0], |m, &x| math::max(m, x));
            }
            self.halves.push(Half { first, end, low, high });
            while let Some(half) = self.halves.pop() {
                self.halve(columns, half, lanes);
            }
        }
        self.place.resize(slots, 0);
        for (place, &slot) in self.slot.iter().enumerate() {
            self.place[slot as usize] = place as u32;
        }
        gather(columns, into, &self.slot, workers);
        pick(&columns.rank, &mut into.rank, &self.slot);
        self.bound(into, slots);
    }

    /// Halves a range across its longest side, at a place that a block of so many lanes may begin at.
    fn halve(&mut self, columns: &Columns<D>, half: Half<D>, lanes: usize) {
        let Half { first, end, low, high } = half;
        let middle = ((first + end) / 2 + lanes / 2) / lanes * lanes;
        if middle <= first || middle >= end {
            return;
        }
        let mut axis = 0;
        for a in 1..D {
            axis = if high[a] - low[a] > high[axis] - low[axis] { a } else { axis };
        }
        let column = &columns.position[axis];
        self.keys.clear();
        self.keys
            .extend(self.slot[first..end].iter().map(|&slot| u64::from(ordered(column[slot as usize])) << 32 | u64::from(slot)));
        self.keys.select_nth_unstable(middle - first);
        for (slot, &key) in self.slot[first..end].iter_mut().zip(&self.keys) {
            *slot = key as u32;
        }
        let cut = column[self.slot[middle] as usize];
        let (mut left_high, mut right_low) = (high, low);
        (left_high[axis], right_low[axis]) = (cut, cut);
        self.halves.push(Half { first: middle, end, low: right_low, high });
        self.halves.push(Half { first, end: middle, low, high: left_high });
    }

    /// Boxes of every level.
    fn bound(&mut self, columns: &Columns<D>, places: usize) {
        let mut count = places;
        let mut level = 0;
        loop {
            let boxes = count.div_ceil(FAN);
            if self.levels.len() == level {
                self.levels.push(Boxes { low: [const { Vec::new() }; D], high: [const { Vec::new() }; D], rank: Vec::new() });
            }
            let (below, above) = self.levels.split_at_mut(level);
            let to = &mut above[0];
            match below.last() {
                None => to.hold(columns.position.each_ref(), columns.position.each_ref(), &columns.rank, count),
                Some(boxes) => to.hold(boxes.low.each_ref(), boxes.high.each_ref(), &boxes.rank, count),
            }
            count = boxes;
            level += 1;
            if count <= 1 {
                break;
            }
        }
        self.levels.truncate(level);
    }

    /// The bounds of what is in each box of sixteen places.
    pub fn widest(&self, place: usize) -> f32 {
        let (boxes, at) = (&self.levels[0], place / FAN);
        (0..D).fold(0.0, |widest, a| math::max(widest, boxes.high[a][at] - boxes.low[a][at]))
    }
}

impl<const D: usize> Boxes<D> {
    /// Becomes the boxes of sixteen each of the first `count`.
    fn hold(&mut self, low: [&Vec<f32>; D], high: [&Vec<f32>; D], rank: &[u32], count: usize) {
        let boxes = count.div_ceil(FAN);
        for a in 0..D {
            self.low[a].clear();
            self.low[a].extend(low[a][..count].chunks(FAN).map(|xs| xs.iter().fold(xs[0], |m, &x| math::min(m, x))));
            self.low[a].resize(boxes + PADDING, 0.0);
            self.high[a].clear();
            self.high[a].extend(high[a][..count].chunks(FAN).map(|xs| xs.iter().fold(xs[0], |m, &x| math::max(m, x))));
            self.high[a].resize(boxes + PADDING, 0.0);
        }
        self.rank.clear();
        self.rank.extend(rank[..count].chunks(FAN).map(|ranks| ranks.iter().fold(u32::MAX, |m, &rank| m.min(rank))));
    }
}

impl<const D: usize> Grid<D> {
    /// How many boids the row of a boid holds within a radius of its cell, on average: what a boid costs that looks at all in
    /// reach grows with it.
    pub fn crowding(&self) -> f64 {
        if self.slots == 0 {
            return 0.0;
        }
        let mut pairs = 0u64;
        if self.is_dense() {
            // Across the ends of rows too: an estimate may.
            let start = &self.dense.start;
            let last = start.len() - 1;
            for cell in 0..last {
                let (from, to) = (cell.saturating_sub(CELLS_OF_RADIUS), (cell + 1 + CELLS_OF_RADIUS).min(last));
                pairs += u64::from(start[cell + 1] - start[cell]) * u64::from(start[to] - start[from]);
            }
        } else {
            pairs = self.sparse.pairs(CELLS_OF_RADIUS as i32);
        }
        pairs as f64 / self.slots as f64
    }

    /// First slot after the cell in which a boid at `position` lies, or after its row where the cell holds few.
    pub fn block_end(&self, columns: &Columns<D>, slot: usize) -> usize {
        let position = columns.position(slot);
        let row_end = self.row_end(position);
        let end = if self.is_dense() {
            self.dense.start[self.dense_key(self.cells.of(position)) + 1] as usize
        } else {
            let cell = self.cells.cell(0, position[0]);
            slot + columns.position[0][slot..row_end].partition_point(|&x| self.cells.cell(0, x) <= cell)
        };
        if end - slot >= FEW { end } else { row_end }
    }

    /// Ranges of the slots of cells that hold more than a few.
    fn crowded_cells(&self, found: &mut Vec<(u32, u32)>) {
        if self.is_dense() {
            let cells = self.dense.start.windows(2).filter(|cell| (cell[1] - cell[0]) as usize >= FEW);
            found.extend(cells.map(|cell| (cell[0], cell[1])));
        } else {
            self.sparse.cells_of(FEW, found);
        }
    }
}

/// Bits that order as numbers do.
fn ordered(x: f32) -> u32 {
    // So that both zeros are one.
    let bits = (x + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}
