//! A finer order for crowds: beside slot order, for flocks whose boids look at their nearest alone.
//!
//! Cells are as large as the radius asks. In a crowd they hold hundreds, ordered by id, so that a few consecutive slots lie all over
//! their cell. Here each cell's boids are put in an order of their own:
//!
//! ```text
//! place  ← within its cell, by the position along a Morton curve through the box of the cell's boids, then by rank;
//!          many on one cell of the curve: once more among themselves, unless they are on one point
//! boxes  ← of 16 consecutive places, of 16 such boxes, and so on: bounds and the smallest rank
//! ```
//!
//! A cell's places are its slots' numbers, so a run of whole cells is the same range of either. Nothing depends on where boids lie
//! but the order itself, and memory is at most [`BYTES`] and four for each axis a boid.
#![forbid(unsafe_code)]

use wingbeat_steer::{Vector, math};

use super::{Grid, gather, pick};
use crate::boids::{Columns, PADDING};
use crate::parallel::Workers;

/// Places, and boxes, in a box: as many as the widest level has lanes.
pub(crate) const FAN: usize = 16;
/// Its binary logarithm.
pub(crate) const FAN_BITS: u32 = 4;

/// Bytes a boid, at most, beside the steering: two orders, keys, work, boxes.
pub(crate) const BYTES: u128 = 4 + 4 + 8 + 1 + 2;

/// Fewer are left as they are: they fill hardly more than a block.
const FEW: usize = 24;

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
#[derive(Clone, Debug)]
pub(crate) struct Fine<const D: usize> {
    /// Slot of every place.
    pub slot: Vec<u32>,
    /// Place of every slot.
    pub place: Vec<u32>,
    /// Of places, of boxes of places, and so on, until there is one.
    pub levels: Vec<Boxes<D>>,
    keys: Vec<u64>,
    /// Ranges of places that are not in order yet.
    todo: Vec<(u32, u32)>,
}

/// Bounds of what is in boxes; columns are longer than that by the padding.
#[derive(Clone, Debug)]
pub(crate) struct Boxes<const D: usize> {
    pub low: [Vec<f32>; D],
    pub high: [Vec<f32>; D],
    /// The smallest rank.
    pub rank: Vec<u32>,
}

impl<const D: usize> Default for Fine<D> {
    fn default() -> Self {
        Self { slot: Vec::new(), place: Vec::new(), levels: Vec::new(), keys: Vec::new(), todo: Vec::new() }
    }
}

impl<const D: usize> Fine<D>
where
    [f32; D]: Vector,
{
    /// Finds the order of a sorted flock, and brings its columns into it.
    pub fn build<T: Default + Send>(
        &mut self,
        grid: &Grid<D>,
        columns: &Columns<D>,
        into: &mut Columns<D>,
        workers: &Workers<T>,
    ) {
        let slots = grid.slots;
        self.slot.clear();
        self.slot.extend(0..slots as u32);
        // Once, however many will share a cell in a step to come.
        self.keys.clear();
        self.keys.reserve(slots);
        self.todo.clear();
        self.todo.reserve(slots / FEW);
        grid.crowded_cells(&mut self.todo);
        while let Some((first, end)) = self.todo.pop() {
            self.refine(columns, first, end);
        }
        self.place.resize(slots, 0);
        for (place, &slot) in self.slot.iter().enumerate() {
            self.place[slot as usize] = place as u32;
        }
        gather(columns, into, &self.slot, workers);
        pick(&columns.rank, &mut into.rank, &self.slot);
        self.bound(into, slots);
    }

    /// Orders a range of places whose slots ascend.
    fn refine(&mut self, columns: &Columns<D>, first: u32, end: u32) {
        let range = &mut self.slot[first as usize..end as usize];
        let (mut low, mut widest) = ([0.0; D], 0.0);
        for a in 0..D {
            let start = columns.position[a][range[0] as usize];
            let (mut least, mut most) = (start, start);
            for &slot in &*range {
                let x = columns.position[a][slot as usize];
                (least, most) = (math::min(least, x), math::max(most, x));
            }
            low[a] = least;
            let extent = f64::from(most) - f64::from(least);
            widest = if extent > widest { extent } else { widest };
        }
        // On one point slots, and so ranks, stay in order.
        if widest == 0.0 {
            return;
        }
        let bits = if D == 2 { 16 } else { 10 };
        let per_unit = f64::from((1 << bits) - 1) / widest;
        self.keys.clear();
        self.keys.extend(range.iter().map(|&slot| {
            let mut code = 0;
            for a in 0..D {
                let along = (f64::from(columns.position[a][slot as usize]) - f64::from(low[a])) * per_unit;
                code |= spread::<D>(along as u32) << a;
            }
            u64::from(code) << 32 | u64::from(slot)
        }));
        self.keys.sort_unstable();
        let mut from = 0;
        for (i, slot) in range.iter_mut().enumerate() {
            let key = self.keys[i];
            *slot = key as u32;
            if self.keys.get(i + 1).is_none_or(|next| next >> 32 != key >> 32) {
                if i + 1 - from >= FEW {
                    self.todo.push((first + from as u32, first + i as u32 + 1));
                }
                from = i + 1;
            }
        }
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

impl<const D: usize> Grid<D>
where
    [f32; D]: Vector,
{
    /// How many boids the row of a boid holds within a radius of its cell, on average: what a boid costs that looks at everybody in
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

/// Bits of a number with D − 1 zeros after each.
fn spread<const D: usize>(number: u32) -> u32 {
    let mut x = number;
    if D == 2 {
        x = (x | x << 8) & 0x00ff_00ff;
        x = (x | x << 4) & 0x0f0f_0f0f;
        x = (x | x << 2) & 0x3333_3333;
        (x | x << 1) & 0x5555_5555
    } else {
        x = (x | x << 16) & 0x0300_00ff;
        x = (x | x << 8) & 0x0300_f00f;
        x = (x | x << 4) & 0x030c_30c3;
        (x | x << 2) & 0x0924_9249
    }
}
