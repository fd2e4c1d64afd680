//! A finer order for crowds: beside slot order, for flocks whose boids count only their nearest.
//!
//! Cells are as large as the radius asks. In a crowd they hold hundreds, ordered by id, so that a
//! few consecutive slots lie all over their cell. Here each cell's boids are put in an order of
//! their own:
//!
//! ```text
//! place  ← within its cell: halved at the median across the longest side (by coordinate, then by
//!          slot), the halves again, down to as many as a block has lanes
//! boxes  ← of 16 consecutive places, of 16 such boxes, and so on: bounds and the smallest rank
//! ```
//!
//! A cell's places are its slots' numbers, so a run of whole cells is the same range of either.
//! Nothing depends on where boids lie but the order itself, and memory is at most [`BYTES`] and
//! four for each axis a boid.

use std::ops::Range;

use wingbeat_steer::math;

use crate::columns::boids::gather;
use crate::columns::boids::{Columns, PADDING};
use crate::grid::{Grid, pick};
use crate::median::{Bounds, MedianOrder, MedianRule};
use crate::parallel::{Divide, Workers};

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
pub(crate) struct SubcellOrder<const D: usize> {
    /// Slot of every place.
    pub slot: Vec<u32>,
    /// Place of every slot.
    pub place: Vec<u32>,
    /// Of places, of boxes of places, and so on, until there is one.
    pub levels: Vec<Boxes<D>>,
    /// How far the nearest reach, in extents of a box of sixteen, squared, as a multiple of what
    /// sixteen do.
    pub spread: f32,
    keys: Vec<u64>,
    /// Ranges of places that are to be put in order.
    cells: Vec<(u32, u32)>,
    counts: Vec<u32>,
}

/// Bounds of what is in boxes; columns are longer than that by the padding.
#[derive(Clone, Debug)]
pub(crate) struct Boxes<const D: usize> {
    pub low: [Vec<f32>; D],
    pub high: [Vec<f32>; D],
    /// The smallest rank.
    pub rank: Vec<u32>,
}

impl<const D: usize> SubcellOrder<D> {
    /// For searches of about so many.
    pub fn expect(&mut self, about: f32) {
        let boxes = about / FAN as f32;
        // Their square root in two dimensions, their cube root in three, squared; no more than an
        // estimate.
        self.spread = if D == 2 {
            boxes
        } else {
            boxes / (0..20).fold(1.0, |r: f32, _| (2.0 * r + boxes / (r * r)) / 3.0)
        };
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
        self.slot.resize(slots, 0);
        self.place.resize(slots, 0);
        self.keys.resize(slots, 0);
        // Once, however many will be crowded in a step to come.
        self.cells.clear();
        self.cells.reserve(slots / FEW);
        grid.crowded_cells(&mut self.counts, &mut self.cells, workers);
        let (slot, place, keys) = (&mut self.slot[..], &mut self.place[..], &mut self.keys[..]);
        workers.divide(
            slots,
            Halves {
                columns,
                lanes,
                task: workers.task(),
                cells: &self.cells,
                first: 0,
                slot,
                place,
                keys,
            },
        );
        gather(columns, into, &self.slot, workers);
        let slot = &self.slot;
        workers.sweep(slots, [[into.rank.as_mut_slice()]], &|first, [[rank]], _| {
            pick(&columns.rank, rank, &slot[first..])
        });
        self.bound(into, slots, workers);
    }

    /// Boxes of every level.
    fn bound<T: Default + Send>(
        &mut self,
        columns: &Columns<D>,
        places: usize,
        workers: &Workers<T>,
    ) {
        let mut count = places;
        let mut level = 0;
        loop {
            let boxes = count.div_ceil(FAN);
            if self.levels.len() == level {
                self.levels.push(Boxes {
                    low: [const { Vec::new() }; D],
                    high: [const { Vec::new() }; D],
                    rank: Vec::new(),
                });
            }
            let (below, above) = self.levels.split_at_mut(level);
            let to = &mut above[0];
            match below.last() {
                None => to.hold(
                    columns.position.each_ref(),
                    columns.position.each_ref(),
                    &columns.rank,
                    count,
                    workers,
                ),
                Some(boxes) => {
                    to.hold(slices(&boxes.low), slices(&boxes.high), &boxes.rank, count, workers)
                }
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
    fn hold<T: Default + Send>(
        &mut self,
        low: [&[f32]; D],
        high: [&[f32]; D],
        rank: &[u32],
        count: usize,
        workers: &Workers<T>,
    ) {
        let boxes = count.div_ceil(FAN);
        for column in self.low.iter_mut().chain(&mut self.high) {
            column.resize(boxes + PADDING, 0.0);
            column[boxes..].fill(0.0);
        }
        let (lows, highs) = (
            self.low.each_mut().map(Vec::as_mut_slice),
            self.high.each_mut().map(Vec::as_mut_slice),
        );
        workers.for_batches(boxes, [lows, highs], &|first, [to_low, to_high], _| {
            for a in 0..D {
                let (low, high) = (
                    low[a][first * FAN..count].chunks(FAN),
                    high[a][first * FAN..count].chunks(FAN),
                );
                for (to, xs) in to_low[a].iter_mut().zip(low) {
                    *to = xs.iter().fold(xs[0], |m, &x| math::min(m, x));
                }
                for (to, xs) in to_high[a].iter_mut().zip(high) {
                    *to = xs.iter().fold(xs[0], |m, &x| math::max(m, x));
                }
            }
        });
        self.rank.resize(boxes, 0);
        workers.for_batches(boxes, [[self.rank.as_mut_slice()]], &|first, [[to]], _| {
            for (to, ranks) in to.iter_mut().zip(rank[first * FAN..count].chunks(FAN)) {
                *to = ranks.iter().fold(u32::MAX, |m, &rank| m.min(rank));
            }
        });
    }
}

fn slices<const D: usize>(columns: &[Vec<f32>; D]) -> [&[f32]; D] {
    columns.each_ref().map(Vec::as_slice)
}

/// Places whose order is to be found: a range that no crowded cell crosses the ends of.
struct Halves<'a, const D: usize> {
    columns: &'a Columns<D>,
    lanes: usize,
    /// Places of a task, at least.
    task: usize,
    /// The crowded cells in it.
    cells: &'a [(u32, u32)],
    /// The first place, which is the first slot too, and columns from there on.
    first: usize,
    slot: &'a mut [u32],
    place: &'a mut [u32],
    keys: &'a mut [u64],
}

impl<const D: usize> Divide for Halves<'_, D> {
    type Out = ();

    fn halve(self) -> Result<(Self, Self), Self> {
        let (middle, end) = (self.first + self.slot.len() / 2, self.first + self.slot.len());
        // The middle, or an end of the cell that it is in.
        let before = self.cells.partition_point(|cell| (cell.0 as usize) < middle);
        let mut cut =
            self.cells[..before].last().map_or(middle, |cell| middle.max(cell.1 as usize));
        if cut == end && before > 0 {
            cut = self.cells[before - 1].0 as usize;
        }
        if self.slot.len() <= self.task || cut <= self.first || cut >= end {
            return Err(self);
        }
        let Self { columns, lanes, task, cells, first, slot, place, keys } = self;
        let (left_cells, right_cells) =
            cells.split_at(cells.partition_point(|cell| (cell.0 as usize) < cut));
        let (left_slot, right_slot) = slot.split_at_mut(cut - first);
        let (left_place, right_place) = place.split_at_mut(cut - first);
        let (left_keys, right_keys) = keys.split_at_mut(cut - first);
        let left = Self {
            columns,
            lanes,
            task,
            cells: left_cells,
            first,
            slot: left_slot,
            place: left_place,
            keys: left_keys,
        };
        let right = Self {
            columns,
            lanes,
            task,
            cells: right_cells,
            first: cut,
            slot: right_slot,
            place: right_place,
            keys: right_keys,
        };
        Ok((left, right))
    }

    fn run(self) {
        let Self { columns, lanes, cells, first, slot, place, keys, .. } = self;
        for (slot, number) in slot.iter_mut().zip(first as u32..) {
            *slot = number;
        }
        let rule = &SubcellCuts { columns, lanes };
        for &(begin, end) in cells {
            let range = begin as usize..end as usize;
            let mut bounds = Bounds { low: [0.0; D], high: [0.0; D] };
            for a in 0..D {
                let xs = &columns.position[a][range.clone()];
                bounds.low[a] = f64::from(xs.iter().fold(xs[0], |m, &x| math::min(m, x)));
                bounds.high[a] = f64::from(xs.iter().fold(xs[0], |m, &x| math::max(m, x)));
            }
            let here = begin as usize - first..end as usize - first;
            let items = &mut keys[here.clone()];
            items.iter_mut().zip(begin..).for_each(|(key, slot)| *key = u64::from(slot));
            MedianOrder { items: &mut *items, range, bounds, rule }.run();
            slot[here].iter_mut().zip(items).for_each(|(slot, key)| *slot = *key as u32);
        }
        for (number, &slot) in (first as u32..).zip(&*slot) {
            place[slot as usize - first] = number;
        }
    }
}

/// Cuts places where a block of so many lanes may begin. An item is a key: its lower half is the
/// slot, its upper half the coordinate along the axis of the last cut.
struct SubcellCuts<'a, const D: usize> {
    columns: &'a Columns<D>,
    lanes: usize,
}

impl<const D: usize> MedianRule<u64, D> for SubcellCuts<'_, D> {
    fn cut(&self, range: &Range<usize>) -> Option<usize> {
        let middle = ((range.start + range.end) / 2 + self.lanes / 2) / self.lanes * self.lanes;
        (range.start < middle && middle < range.end).then_some(middle)
    }

    fn select(&self, keys: &mut [u64], at: usize, axis: usize) -> f64 {
        let column = &self.columns.position[axis];
        for key in &mut *keys {
            let slot = *key as u32;
            *key = u64::from(ordered(column[slot as usize])) << 32 | u64::from(slot);
        }
        let (_, &mut middle, _) = keys.select_nth_unstable(at);
        f64::from(column[middle as u32 as usize])
    }
}

impl<const D: usize> Grid<D> {
    /// How many boids the row of a boid holds within a radius of its cell, on average: what a boid
    /// costs that looks at all in reach grows with it.
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
                let (from, to) =
                    (cell.saturating_sub(CELLS_OF_RADIUS), (cell + 1 + CELLS_OF_RADIUS).min(last));
                pairs +=
                    u64::from(start[cell + 1] - start[cell]) * u64::from(start[to] - start[from]);
            }
        } else {
            pairs = self.sparse.pairs(CELLS_OF_RADIUS as i32);
        }
        pairs as f64 / self.slots as f64
    }

    /// First slot after the cell in which a boid at `position` lies, or after its row where the
    /// cell holds few.
    pub fn block_end(&self, columns: &Columns<D>, slot: usize) -> usize {
        let position = columns.position(slot);
        let row_end = self.row_end(position);
        let end = if self.is_dense() {
            self.dense.start[self.dense_key(self.cells.of(position)) + 1] as usize
        } else {
            let cell = self.cells.cell(0, position[0]);
            slot + columns.position[0][slot..row_end]
                .partition_point(|&x| self.cells.cell(0, x) <= cell)
        };
        if end - slot >= FEW { end } else { row_end }
    }

    /// Ranges of the slots of cells that hold more than a few.
    fn crowded_cells<T: Default + Send>(
        &self,
        counts: &mut Vec<u32>,
        found: &mut Vec<(u32, u32)>,
        workers: &Workers<T>,
    ) {
        if self.is_dense() {
            let start = &self.dense.start;
            let of = |cells: Range<usize>| {
                let cells =
                    start[cells.start..=cells.end].windows(2).map(|cell| (cell[0], cell[1]));
                cells.filter(|(first, end)| (end - first) as usize >= FEW)
            };
            workers.select(start.len() - 1, &of, counts, (found, (0, 0)));
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
