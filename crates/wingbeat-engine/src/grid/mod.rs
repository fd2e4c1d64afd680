//! The stage `Sort`: boids into slot order; and from a box to the slots that may hold its boids.
//!
//! Slot order is the lexicographic order of (cell z, cell y, cell x, id): see
//! `wingbeat_steer::Cells`, whose one monotone function places boids and bounds searches alike.
//! Storage only decides how a cell finds its slots:
//!
//! * **dense**: the cells of a periodic box, else of the flock's own bounding box, one counter
//!   each; used while cells are in proportion to boids;
//! * **sparse**: the occupied rows, sorted; a search finds a row and then its x range by bisection.
//!   Used for everything else, so that memory depends on the boids alone: one boid at 10³⁰ costs
//!   one row.
//!
//! Both give the same order and the same runs.

use std::ops::Range;

use wingbeat_steer::{Cells, Domain, math};

use crate::columns::boids::{BackBuffers, Boids, Columns};
use crate::parallel::{Workers, pick};
use crate::simd::Level;

mod dense;
mod subcells;
mod search;
mod sparse;

use dense::Dense;
use sparse::Sparse;
pub use subcells::Crowds;
pub(crate) use subcells::{BYTES as FINE_BYTES, Boxes, FAN, FAN_BITS, SubcellOrder};

/// A dense grid may have this many cells per boid, and a few for nothing. Four bytes a cell: 12
/// bytes a boid.
const CELLS_PER_BOID: usize = 3;
const FREE_CELLS: usize = 4096;

/// Which storage to use; results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// Dense while cells are in proportion to boids.
    #[default]
    Automatic,
    /// Sorted rows, however small the world. For tests.
    Sparse,
}

/// Contiguous slots to search, all seen through the same image of a periodic box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run<const D: usize> {
    pub first: u32,
    pub end: u32,
    /// s·L per axis: the pair offset is (xⱼ − xᵢ) − s·L.
    pub shift: [f32; D],
}

/// How the runs of one search relate to periodic images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Images {
    /// No run is shifted.
    None,
    /// Each run has one fixed shift.
    Fixed,
    /// The box is too small for that: every lane picks the nearest image itself.
    PerLane,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach<const D: usize> {
    /// r·(1 + 2⁻²⁰), which covers every rounding between a search bound and a pair test.
    reach: f32,
    /// Periodic: the reach and a little of the side, per axis; a boid that far from both faces sees
    /// no image.
    margin: [f32; D],
    /// The radius is half a periodic side: fixed shifts would be ambiguous.
    half_box: bool,
}

impl<const D: usize> Reach<D> {
    /// A radius about the boids of a box.
    #[inline(always)]
    pub fn new(radius: f32, domain: &Domain<[f32; D]>) -> Self {
        let (mut margin, mut half_box) = ([0.0; D], false);
        for a in 0..D {
            margin[a] = radius * (1.0 + 1.0 / 262_144.0) + domain.side(a) * (1.0 / 262_144.0);
            half_box |= domain.is_periodic() && radius >= domain.side(a) * 0.5;
        }
        Self { reach: radius * (1.0 + 1.0 / 1_048_576.0), margin, half_box }
    }

    /// The reach along each axis, wide enough for images too.
    pub fn margin(&self) -> [f32; D] {
        self.margin
    }
}

/// The grid: cell shape, and for the present order where each cell's slots are.
#[derive(Clone, Debug)]
pub(crate) struct Grid<const D: usize> {
    cells: Cells<[f32; D]>,
    domain: Domain<[f32; D]>,
    /// How far the rules look.
    reach: Reach<D>,
    storage: Storage,
    slots: usize,
    /// Where boids can be that are in a part of a flock; everywhere otherwise.
    part: Option<[Gap; 3]>,
    /// Cells that may be occupied, inclusive, per axis.
    low: [i32; 3],
    high: [i32; 3],
    /// The slot each boid had before, in the order it has now.
    order: Vec<u32>,
    /// In use unless `start` is empty.
    dense: Dense,
    sparse: Sparse,
}

impl<const D: usize> Grid<D> {
    pub fn new(
        radius: f32,
        expected_neighbors: Option<f32>,
        domain: &Domain<[f32; D]>,
        storage: Storage,
    ) -> Self {
        Self {
            cells: Cells::new(radius, expected_neighbors, domain),
            domain: *domain,
            reach: Reach::new(radius, domain),
            storage,
            slots: 0,
            part: None,
            low: [0; 3],
            high: [0; 3],
            order: Vec::new(),
            dense: Dense::default(),
            sparse: Sparse::default(),
        }
    }

    /// Brings the boids into slot order, and all that they carry.
    pub fn sort<T: Default + Send>(
        &mut self,
        boids: &mut Boids<D>,
        back: &mut BackBuffers<D>,
        workers: &Workers<T>,
        level: Level,
    ) {
        let slots = boids.len();
        back.columns.resize(slots);
        self.find_order(&boids.front, &mut back.columns.rank[..slots], workers, level);
        boids.sort(&self.order, back, workers);
    }

    /// Finds the slot order of boids where they are. `rank` becomes their ranks in that order.
    pub fn find_order<T: Default + Send>(
        &mut self,
        columns: &Columns<D>,
        rank: &mut [u32],
        workers: &Workers<T>,
        level: Level,
    ) {
        self.slots = rank.len();
        match self.bound(columns, workers) {
            Some(cells) if self.storage == Storage::Automatic => {
                self.sort_dense(columns, rank, cells, workers, level);
            }
            _ => self.sort_sparse(columns, rank, workers),
        }
    }

    /// About the radius that the cells are made for: four cells along x, which are short.
    pub fn cell_size(&self) -> f32 {
        4.0 / self.cells.along(0).per_unit
    }

    /// The slot that each boid had before the order found last.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Takes the shape of another grid, not its boids.
    pub fn take_shape(&mut self, other: &Self) {
        let Self { cells, domain, reach, storage, part, .. } = other;
        (self.cells, self.domain, self.reach) = (*cells, *domain, *reach);
        (self.storage, self.part) = (*storage, *part);
    }

    /// Whether there are no boids.
    pub fn is_empty(&self) -> bool {
        self.slots == 0
    }

    /// Finds the box of cells to work in; their number, if a dense grid of them is in proportion.
    fn bound<T: Default + Send>(
        &mut self,
        columns: &Columns<D>,
        workers: &Workers<T>,
    ) -> Option<usize> {
        if self.domain.is_periodic() && self.part.is_none() {
            let mut high = [0; 3];
            for (a, high) in high.iter_mut().enumerate().take(D) {
                *high = self.cells.count(a) - 1;
            }
            if let Some(cells) = self.affordable([0; 3], high) {
                (self.low, self.high) = ([0; 3], high);
                return Some(cells);
            }
        }
        let (mut low, mut high) = ([0; 3], [0; 3]);
        if self.slots > 0 {
            // Cells are monotone in the coordinate, so the extremes are enough. Of zeros of both
            // signs either may come out: they are in one cell.
            let of = |range: Range<usize>| {
                columns.position.each_ref().map(|column| extremes(&column[range.clone()]))
            };
            let both = |left: [(f32, f32); D], right: [(f32, f32); D]| {
                crate::arrays::from_fn(|a| {
                    (math::min(left[a].0, right[a].0), math::max(left[a].1, right[a].1))
                })
            };
            let ends = workers.reduce(self.slots, &of, &both);
            for (a, (least, most)) in ends.into_iter().enumerate() {
                (low[a], high[a]) = (self.cells.cell(a, least), self.cells.cell(a, most));
            }
        }
        (self.low, self.high) = (low, high);
        self.affordable(low, high)
    }

    /// The shape of the cells.
    pub fn cells(&self) -> &Cells<[f32; D]> {
        &self.cells
    }

    /// Boids are in a part of a flock: none in these cells of each axis.
    pub fn be_of_part(&mut self, gaps: [Gap; 3]) {
        self.part = Some(gaps);
    }

    /// Boids may be anywhere.
    pub fn be_of_whole(&mut self) {
        self.part = None;
    }

    /// Cells along an axis, those in a gap left out.
    fn extent(&self, axis: usize) -> usize {
        self.extent_between(axis, self.low[axis], self.high[axis])
    }

    fn extent_between(&self, axis: usize, low: i32, high: i32) -> usize {
        let gap = self.gap(axis);
        (i64::from(gap.close(high)) - i64::from(gap.close(low)) + 1) as usize
    }

    #[inline(always)]
    fn gap(&self, axis: usize) -> Gap {
        self.part.map_or(Gap::default(), |gaps| gaps[axis])
    }

    /// Cells of a box, if a dense grid of them is in proportion.
    fn affordable(&self, low: [i32; 3], high: [i32; 3]) -> Option<usize> {
        let cells = (0..3).try_fold(1usize, |cells, a| {
            cells.checked_mul(self.extent_between(a, low[a], high[a]))
        })?;
        let most = (self.slots * CELLS_PER_BOID + FREE_CELLS).min(u32::MAX as usize);
        (cells <= most).then_some(cells)
    }

    fn dense_key(&self, cell: [i32; 3]) -> usize {
        let [x, y, z] = crate::arrays::from_fn(|a| {
            (self.gap(a).close(cell[a]) - self.gap(a).close(self.low[a])) as usize
        });
        (z * self.extent(1) + y) * self.extent(0) + x
    }

    /// The places along an axis of a dense grid, from 0, of the cells from one to another: less the
    /// first than the other where there are none.
    #[inline(always)]
    fn places(&self, axis: usize, first: i32, last: i32) -> (i32, i32) {
        let (gap, base) = (self.gap(axis), self.gap(axis).close(self.low[axis]));
        let (first, last) = (
            if gap.holds(first) { gap.end } else { first },
            if gap.holds(last) { gap.first - 1 } else { last },
        );
        (gap.close(first) - base, gap.close(last) - base)
    }

    fn is_dense(&self) -> bool {
        !self.dense.start.is_empty()
    }
}

/// Cells of an axis in which no boid is: from the first up to, and not with, the end. A part of a
/// flock at a face of a periodic box sees boids at the other one, and a grid of all cells between
/// would be larger than its flock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gap {
    pub first: i32,
    pub end: i32,
}

impl Gap {
    #[inline(always)]
    fn holds(self, cell: i32) -> bool {
        self.first <= cell && cell < self.end
    }

    /// A cell as it counts where the gap is left out. The same for all cells where there is none.
    #[inline(always)]
    fn close(self, cell: i32) -> i32 {
        if cell >= self.end { cell - (self.end - self.first) } else { cell }
    }
}

/// Smallest and largest of a column that is not empty; sixteen at a time, which breaks the chain of
/// dependent comparisons.
pub(crate) fn extremes(column: &[f32]) -> (f32, f32) {
    let (mut lows, mut highs) = ([column[0]; 16], [column[0]; 16]);
    let mut chunks = column.chunks_exact(16);
    let mut take = |chunk: &[f32]| {
        for ((low, high), &x) in lows.iter_mut().zip(&mut highs).zip(chunk) {
            *low = if x < *low { x } else { *low };
            *high = if x > *high { x } else { *high };
        }
    };
    chunks.by_ref().for_each(&mut take);
    take(chunks.remainder());
    let low = lows.iter().fold(column[0], |m, &x| if x < m { x } else { m });
    let high = highs.iter().fold(column[0], |m, &x| if x > m { x } else { m });
    (low, high)
}
