//! ROOM 1, sort: boids into slot order, and from a box to the slots it must search.
//!
//! Slot order is the lexicographic order of (cell z, cell y, cell x, id): see `wingbeat_steer::Cells`, whose one monotone
//! function places boids and bounds searches alike. Storage only decides how a cell finds its slots:
//!
//! * **dense**: the cells of the flock's own bounding box, one counter each; used while cells are in proportion to boids;
//! * **sparse**: the occupied rows, sorted; a search finds a row and then its x range by bisection. Used for everything
//!   else, so that memory depends on the boids alone: one boid at 10³⁰ costs one row.
//!
//! Both give the same order and the same runs.
#![forbid(unsafe_code)]

use std::ops::Range;

use wingbeat_steer::{Cells, Domain, Vector};

use crate::boids::{Boids, Columns};
use crate::parallel::Workers;

/// A dense grid may have this many cells per boid, and a few for nothing. Four bytes a cell: 16 bytes a boid.
const CELLS_PER_BOID: usize = 4;
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

/// A range of cells along one axis, and the image it is seen through.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: i32,
    last: i32,
    image: i32,
}

/// Up to three spans of an axis, in ascending order of cells.
#[derive(Clone, Copy, Debug, Default)]
struct Spans {
    spans: [Span; 3],
    len: usize,
    per_lane: bool,
}

/// Where a row's slots begin, in sparse storage.
#[derive(Clone, Copy, Debug)]
struct Row {
    z: i32,
    y: i32,
    first: u32,
}

/// A boid on its way through the sparse sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SparseKey {
    z: i32,
    y: i32,
    x: i32,
    rank: u32,
    slot: u32,
}

/// The grid: cell shape, and for the present order where each cell's slots are.
#[derive(Clone, Debug)]
pub(crate) struct Grid<const D: usize>
where
    [f32; D]: Vector,
{
    cells: Cells<[f32; D]>,
    domain: Domain<[f32; D]>,
    /// r·(1 + 2⁻²⁰), which covers every rounding between a search bound and a pair test.
    reach: f32,
    /// Periodic: the reach and a little of the side, per axis; whoever is that far from both faces sees no image.
    margin: [f32; D],
    /// Some radius is half a periodic side: fixed shifts would be ambiguous.
    half_box: bool,
    storage: Storage,
    slots: usize,
    /// Occupied cells, inclusive, per axis.
    low: [i32; 3],
    high: [i32; 3],
    /// Dense: first slot of each cell, and one more entry. Empty when sparse.
    start: Vec<u32>,
    /// Sparse: occupied rows in slot order. Empty when dense.
    rows: Vec<Row>,
    keys: Vec<u32>,
    order: Vec<u32>,
    sparse_keys: Vec<SparseKey>,
}

impl<const D: usize> Grid<D>
where
    [f32; D]: Vector,
{
    pub fn new(radius: f32, expected_neighbors: Option<f32>, domain: &Domain<[f32; D]>, storage: Storage) -> Self {
        let half_box = domain.is_periodic() && (0..D).any(|a| radius >= domain.side(a) * 0.5);
        Self {
            cells: Cells::new(radius, expected_neighbors, domain),
            domain: *domain,
            reach: radius * (1.0 + 1.0 / 1_048_576.0),
            margin: std::array::from_fn(|a| radius * (1.0 + 1.0 / 262_144.0) + domain.side(a) * (1.0 / 262_144.0)),
            half_box,
            storage,
            slots: 0,
            low: [0; 3],
            high: [0; 3],
            start: Vec::new(),
            rows: Vec::new(),
            keys: Vec::new(),
            order: Vec::new(),
            sparse_keys: Vec::new(),
        }
    }

    /// Brings the boids into slot order.
    pub fn sort<T: Default + Send>(&mut self, boids: &mut Boids<D>, workers: &Workers<T>) {
        self.slots = boids.len();
        self.bound(&boids.front);
        match self.dense_cells() {
            Some(cells) if self.storage == Storage::Automatic => self.sort_dense(&boids.front, cells, workers),
            _ => self.sort_sparse(&boids.front, workers),
        }
        gather(&boids.front, &mut boids.back, &self.order, workers);
        std::mem::swap(&mut boids.front, &mut boids.back);
    }

    /// The last sort: which slot each slot was before.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Finds the occupied cells.
    fn bound(&mut self, columns: &Columns<D>) {
        (self.low, self.high) = ([0; 3], [0; 3]);
        for a in 0..D {
            if self.slots == 0 {
                continue;
            }
            let (low, high) = extremes(&columns.position[a][..self.slots]);
            // Cells are monotone in the coordinate, so the extremes are enough.
            (self.low[a], self.high[a]) = (self.cells.cell(a, low), self.cells.cell(a, high));
        }
    }

    fn extent(&self, axis: usize) -> usize {
        (i64::from(self.high[axis]) - i64::from(self.low[axis]) + 1) as usize
    }

    /// Cells of the flock's bounding box, if a dense grid of them is in proportion.
    fn dense_cells(&self) -> Option<usize> {
        let cells = (0..3).try_fold(1usize, |cells, a| cells.checked_mul(self.extent(a)))?;
        let affordable = (self.slots * CELLS_PER_BOID + FREE_CELLS).min(u32::MAX as usize);
        (cells <= affordable).then_some(cells)
    }

    fn dense_key(&self, cell: [i32; 3]) -> usize {
        let [x, y, z] = std::array::from_fn(|a| (cell[a] - self.low[a]) as usize);
        (z * self.extent(1) + y) * self.extent(0) + x
    }

    /// Counting sort by cell; within a cell by rank.
    fn sort_dense<T: Default + Send>(&mut self, columns: &Columns<D>, cells: usize, workers: &Workers<T>) {
        self.rows.clear();
        let mut keys = std::mem::take(&mut self.keys);
        keys.resize(self.slots, 0);
        let grid = &*self;
        workers.for_batches(self.slots, [[keys.as_mut_slice()]], &|first, [[keys]], _| {
            keys.fill(0);
            // One axis after the other, so that each pass reads one column and the compiler can use vectors.
            for a in (0..D).rev() {
                let (low, extent) = (grid.low[a], grid.extent(a) as u32);
                for (key, &x) in keys.iter_mut().zip(&columns.position[a][first..]) {
                    *key = *key * extent + (grid.cells.cell(a, x) - low) as u32;
                }
            }
        });
        self.start.clear();
        self.start.resize(cells + 1, 0);
        for &key in &keys {
            self.start[key as usize] += 1;
        }
        let mut total = 0;
        for start in &mut self.start {
            total += std::mem::replace(start, total);
        }
        self.order.resize(self.slots, 0);
        // Each start moves to its end while filling; shifted back afterwards.
        for (slot, &key) in keys.iter().enumerate() {
            let next = &mut self.start[key as usize];
            self.order[*next as usize] = slot as u32;
            *next += 1;
        }
        self.start.copy_within(0..cells, 1);
        self.start[0] = 0;
        let rank = &columns.rank;
        for cell in self.start.windows(2) {
            let members = &mut self.order[cell[0] as usize..cell[1] as usize];
            if members.len() > 1 && !members.is_sorted_by_key(|&slot| rank[slot as usize]) {
                members.sort_unstable_by_key(|&slot| rank[slot as usize]);
            }
        }
        self.keys = keys;
    }

    fn sort_sparse<T: Default + Send>(&mut self, columns: &Columns<D>, workers: &Workers<T>) {
        self.start.clear();
        let mut keys = std::mem::take(&mut self.sparse_keys);
        keys.clear();
        keys.extend((0..self.slots).map(|slot| {
            let [x, y, z] = self.cells.of(columns.position(slot));
            SparseKey { z, y, x, rank: columns.rank[slot], slot: slot as u32 }
        }));
        // Ranks differ, so the order is total and an unstable sort deterministic.
        workers.sort(&mut keys);
        self.order.clear();
        self.order.extend(keys.iter().map(|key| key.slot));
        self.rows.clear();
        for (slot, key) in keys.iter().enumerate() {
            if self.rows.last().is_none_or(|row| (row.z, row.y) != (key.z, key.y)) {
                self.rows.push(Row { z: key.z, y: key.y, first: slot as u32 });
            }
        }
        self.sparse_keys = keys;
    }

    fn is_dense(&self) -> bool {
        !self.start.is_empty()
    }

    /// First slot after the row in which a boid at `position` lies.
    pub fn row_end(&self, position: [f32; D]) -> usize {
        let [_, y, z] = self.cells.of(position);
        if self.is_dense() {
            self.start[self.dense_key([self.high[0], y, z]) + 1] as usize
        } else {
            let next = self.rows.partition_point(|row| (row.z, row.y) <= (z, y));
            self.rows.get(next).map_or(self.slots, |row| row.first as usize)
        }
    }

    /// The runs that hold everyone within reach of the box `low..=high`, in ascending slot order.
    pub fn search(&self, columns: &Columns<D>, low: [f32; D], high: [f32; D], runs: &mut Vec<Run<D>>) -> Images {
        runs.clear();
        let mut spans = [Spans { spans: [Span::default(); 3], len: 1, per_lane: false }; 3];
        for a in 0..D {
            spans[a] = if self.domain.is_periodic() {
                self.periodic_spans(a, low[a], high[a])
            } else {
                let (first, last) = (self.cells.cell(a, low[a] - self.reach), self.cells.cell(a, high[a] + self.reach));
                Spans { spans: [Span { first, last, image: 0 }; 3], len: 1, per_lane: false }
            };
        }
        // The direct image is always among the spans, so more than one span means a shifted one.
        let per_lane = self.half_box || spans[0].per_lane || spans[1].per_lane || spans[2].per_lane;
        let shifted = spans[0].len + spans[1].len + spans[2].len > 3;
        let images = match (per_lane, shifted) {
            (true, _) => Images::PerLane,
            (false, true) => Images::Fixed,
            (false, false) => Images::None,
        };
        for z in spans[2].iter() {
            let (first_z, last_z) = (z.first.max(self.low[2]), z.last.min(self.high[2]));
            for cell_z in first_z..=last_z {
                for y in spans[1].iter() {
                    self.runs_of_rows(columns, &spans[0], *y, *z, cell_z, runs);
                }
            }
        }
        images
    }

    /// Raw offsets from the boid in `slot` to everyone who may be in its reach, itself included.
    pub fn candidates<'a>(
        &self,
        columns: &'a Columns<D>,
        slot: usize,
        runs: &'a mut Vec<Run<D>>,
    ) -> impl Iterator<Item = [f32; D]> + 'a {
        let own = columns.position(slot);
        self.search(columns, own, own, runs);
        let slots = runs.iter().flat_map(|run| run.first..run.end);
        slots.map(move |other| columns.position(other as usize).minus(own))
    }

    /// Runs in the rows `y` of layer `cell_z`.
    fn runs_of_rows(&self, columns: &Columns<D>, xs: &Spans, y: Span, z: Span, cell_z: i32, runs: &mut Vec<Run<D>>) {
        let (first_y, last_y) = (y.first.max(self.low[1]), y.last.min(self.high[1]));
        let mut add = |x: &Span, slots: Range<usize>| {
            if !slots.is_empty() {
                let images = [x.image, y.image, z.image];
                let shift = std::array::from_fn(|a| if images[a] == 0 { 0.0 } else { images[a] as f32 * self.domain.side(a) });
                runs.push(Run { first: slots.start as u32, end: slots.end as u32, shift });
            }
        };
        if self.is_dense() {
            for cell_y in first_y..=last_y {
                let row = self.dense_key([self.low[0], cell_y, cell_z]);
                for x in xs.iter() {
                    let (first_x, last_x) = (x.first.max(self.low[0]), x.last.min(self.high[0]));
                    if first_x <= last_x {
                        let at = |cell_x: i32| row + (cell_x - self.low[0]) as usize;
                        add(x, self.start[at(first_x)] as usize..self.start[at(last_x) + 1] as usize);
                    }
                }
            }
            return;
        }
        let first_row = self.rows.partition_point(|row| (row.z, row.y) < (cell_z, first_y));
        for (index, row) in self.rows.iter().enumerate().skip(first_row) {
            if (row.z, row.y) > (cell_z, last_y) {
                break;
            }
            let end = self.rows.get(index + 1).map_or(self.slots, |next| next.first as usize);
            let xs_of_row = &columns.position[0][row.first as usize..end];
            for x in xs.iter() {
                let from = xs_of_row.partition_point(|&p| self.cells.cell(0, p) < x.first);
                let to = xs_of_row.partition_point(|&p| self.cells.cell(0, p) <= x.last);
                add(x, row.first as usize + from..row.first as usize + to);
            }
        }
    }

    /// The cells within reach along a periodic axis, through each image.
    fn periodic_spans(&self, axis: usize, low: f32, high: f32) -> Spans {
        let (near, far) = (low - self.margin[axis], high + self.margin[axis]);
        if near > self.domain.min[axis] && far < self.domain.max[axis] {
            let (first, last) = (self.cells.cell(axis, near), self.cells.cell(axis, far));
            return Spans { spans: [Span { first, last, image: 0 }; 3], len: 1, per_lane: false };
        }
        self.edge_spans(axis, low, high)
    }

    /// The same for a box near an edge, which looks through the neighbouring images too.
    #[cold]
    fn edge_spans(&self, axis: usize, low: f32, high: f32) -> Spans {
        let (min, side) = (f64::from(self.domain.min[axis]), f64::from(self.domain.side(axis)));
        let max = f64::from(self.domain.max[axis]);
        // In f64 and a little wider, so that no rounding of x ± L in f32 can leave a neighbour out.
        let reach = f64::from(self.reach) + side * (1.0 / 1_048_576.0);
        let mut found = Spans::default();
        for image in -1..=1 {
            let first = f64::from(low) + f64::from(image) * side - reach;
            let last = f64::from(high) + f64::from(image) * side + reach;
            if last >= min && first < max {
                let (first, last) = (self.cells.cell(axis, first as f32), self.cells.cell(axis, last as f32));
                found.spans[found.len] = Span { first, last, image };
                found.len += 1;
            }
        }
        if found.iter().zip(found.iter().skip(1)).any(|(a, b)| a.last >= b.first) {
            // The search meets its own image: take the whole axis once.
            found.spans[0] = Span { first: 0, last: self.cells.count(axis) - 1, image: 0 };
            found.len = 1;
            found.per_lane = true;
        }
        found
    }
}

impl Spans {
    #[inline]
    fn iter(&self) -> std::slice::Iter<'_, Span> {
        self.spans[..self.len].iter()
    }
}

/// Smallest and largest of a column that is not empty; sixteen at a time, which breaks the chain of dependent comparisons.
fn extremes(column: &[f32]) -> (f32, f32) {
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

/// Columns of `from` in the given order into `to`.
fn gather<T: Default + Send, const D: usize>(from: &Columns<D>, to: &mut Columns<D>, order: &[u32], workers: &Workers<T>) {
    let position = to.position.each_mut().map(Vec::as_mut_slice);
    let velocity = to.velocity.each_mut().map(Vec::as_mut_slice);
    workers.for_batches(order.len(), [position, velocity], &|first, [position, velocity], _| {
        for a in 0..D {
            pick(&from.position[a], position[a], &order[first..]);
            pick(&from.velocity[a], velocity[a], &order[first..]);
        }
    });
    workers.for_batches(order.len(), [[to.rank.as_mut_slice()]], &|first, [[rank]], _| {
        pick(&from.rank, rank, &order[first..]);
    });
}

/// `to[i] = from[order[i]]`.
pub(crate) fn pick<E: Copy>(from: &[E], to: &mut [E], order: &[u32]) {
    for (to, &slot) in to.iter_mut().zip(order) {
        *to = from[slot as usize];
    }
}
