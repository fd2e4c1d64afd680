//! Dense storage: one counter for each cell of a box, and a counting sort in two levels, on all
//! threads.
//!
//! ```text
//! for each part of the flock (consecutive boids, in the order they come in):
//!     key      ← cell of each boid
//!     grouped  ← the part's boids by bucket, a bucket being some thousand consecutive cells
//! first        ← how many boids are in the buckets before each bucket
//!                (one thread: at most 256 × 512 additions)
//! for each bucket (its boids are those that the parts have grouped for it):
//!     start    ← how many boids each of its cells has, then their running sum
//!     order    ← each boid to the next free place of its cell
//!     within a cell by rank: hardly ever needed, since boids come in the order of the last step
//! ```
//!
//! A part writes its own range of boids, a bucket its own ranges of cells and of slots: that is why
//! no two threads ever write the same memory, and why the result does not depend on them. Why this
//! way: docs/decisions/0021-a-sort-on-many-threads.md.

use std::ops::Range;

use wingbeat_steer::CellAxis;

use super::{Grid, pick};
use crate::columns::boids::{Columns, PADDING};
use crate::parallel::{Divide, MOST_PARTS, Workers};
use crate::simd::{Float, Level, Simd, Work, dispatch};

/// Boids looked at together: as many as columns have to spare.
const CHUNK: usize = PADDING;

/// Most buckets: each part has counters for them on the stack, and they should stay in the first
/// cache.
const MOST_BUCKETS: usize = 512;

/// Boids of a bucket if they are spread evenly: their cells and slots should stay in the second
/// cache.
const BUCKET: usize = 2048;

/// Runs of a part that are grouped in turn: neighbors share a counter, and each would wait for the
/// one before.
const RUNS: usize = 4;

/// Slots whose cells are looked up together when ranks are checked.
const STRETCH: usize = 512;

/// The cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Dense {
    /// First slot of each cell, and one more entry. Empty when storage is sparse.
    pub start: Vec<u32>,
    /// Cell of every boid, in the order they come in.
    keys: Vec<u32>,
    /// The boids of every part by bucket, each as its place in the order they come in. Not filled
    /// where there is one bucket.
    grouped: Vec<u32>,
    /// For every part, where its buckets begin among its boids, and one more entry.
    begins: Vec<u32>,
    /// First slot of each bucket, and one more entry.
    first: Vec<u32>,
}

/// How cells and boids are divided.
#[derive(Clone, Copy)]
struct Division {
    /// Boids of a part.
    part: usize,
    buckets: usize,
    /// The bucket of a key: the key shifted to the right by so much.
    shift: u32,
    cells: usize,
}

impl Division {
    fn new<T: Default + Send>(slots: usize, cells: usize, workers: &Workers<T>) -> Self {
        let part = workers.task().max(slots.div_ceil(MOST_PARTS)).next_multiple_of(CHUNK);
        let several = slots > workers.task() && (workers.threads() > 1 || workers.is_clocked());
        let most = if several { (slots / BUCKET).clamp(1, MOST_BUCKETS) } else { 1 };
        let last = cells - 1;
        let mut shift = 0;
        while last >> shift >= most {
            shift += 1;
        }
        Self { part, buckets: (last >> shift) + 1, shift, cells }
    }

    /// The cells of some buckets.
    fn cells(&self, buckets: &Range<usize>) -> Range<usize> {
        buckets.start << self.shift..(buckets.end << self.shift).min(self.cells)
    }
}

impl<const D: usize> Grid<D> {
    /// By cell; within a cell by rank. `rank` becomes the ranks in the new order.
    pub(super) fn sort_dense<T: Default + Send>(
        &mut self,
        columns: &Columns<D>,
        rank: &mut [u32],
        cells: usize,
        workers: &Workers<T>,
        level: Level,
    ) {
        self.sparse.rows.clear();
        let slots = self.slots;
        let mut dense = std::mem::take(&mut self.dense);
        let division = Division::new(slots, cells, workers);
        dense.keys.resize(slots, 0);
        dense.grouped.resize(slots, 0);
        dense.begins.resize(slots.div_ceil(division.part).max(1) * (division.buckets + 1), 0);
        dense.start.resize(cells + 1, 0);
        dense.start[0] = 0;
        self.order.resize(slots, 0);
        let Dense { start, keys, grouped, begins, first } = &mut dense;
        workers.divide(
            slots,
            Parts { grid: self, columns, level, division, first: 0, keys, grouped, begins },
        );
        let buckets = add_up(begins, division.buckets, first);
        let boids = BucketedBoids { division, keys, grouped, begins, first, ranks: &columns.rank };
        // Entry k + 1 counts cell k first, then runs from where the cell begins to where it ends:
        // which is where the next one begins.
        let order = &mut self.order;
        workers.divide(slots, Buckets { boids, buckets, start: &mut start[1..], order, rank });
        self.dense = dense;
    }
}

/// Parts of the flock, to be grouped by bucket.
struct Parts<'a, const D: usize> {
    grid: &'a Grid<D>,
    columns: &'a Columns<D>,
    level: Level,
    division: Division,
    /// The first boid of these parts, and columns from there on.
    first: usize,
    keys: &'a mut [u32],
    grouped: &'a mut [u32],
    begins: &'a mut [u32],
}

impl<const D: usize> Divide for Parts<'_, D> {
    type Out = ();

    fn halve(self) -> Result<(Self, Self), Self> {
        let Division { part, buckets, .. } = self.division;
        if self.keys.len() <= part {
            return Err(self);
        }
        let parts = self.keys.len().div_ceil(part) / 2;
        let Self { grid, columns, level, division, first, keys, grouped, begins } = self;
        let (left, right) = keys.split_at_mut(parts * part);
        let (left_grouped, right_grouped) = grouped.split_at_mut(parts * part);
        let (left_begins, right_begins) = begins.split_at_mut(parts * (buckets + 1));
        Ok((
            Self {
                grid,
                columns,
                level,
                division,
                first,
                keys: left,
                grouped: left_grouped,
                begins: left_begins,
            },
            Self {
                grid,
                columns,
                level,
                division,
                first: first + parts * part,
                keys: right,
                grouped: right_grouped,
                begins: right_begins,
            },
        ))
    }

    fn run(self) {
        let Self { grid, columns, level, division, first, keys, grouped, begins } = self;
        for (batch, keys) in keys.chunks_mut(KEYS).enumerate() {
            dispatch(level, Keys { grid, columns, first: first + batch * KEYS, keys });
        }
        group(keys, first as u32, division.shift, begins, grouped);
    }
}

/// Boids whose cells are computed together: one axis after the other, so that they should stay in
/// the first cache.
const KEYS: usize = 512;

/// The cells of a batch of boids, as indices into the dense grid.
struct Keys<'a, const D: usize> {
    grid: &'a Grid<D>,
    columns: &'a Columns<D>,
    first: usize,
    keys: &'a mut [u32],
}

impl<const D: usize> Work for Keys<'_, D> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { grid, columns, first, keys } = self;
        keys.fill(0);
        // One axis after the other, so that each pass reads one column.
        for a in (0..D).rev() {
            let CellAxis { origin, per_unit, low, high } = grid.cells.along(a);
            let (origin, per_unit, least, most) =
                (s.splat(origin), s.splat(per_unit), s.splat(low), s.splat(high));
            let (gap, extent, column) = (grid.gap(a), grid.extent(a) as u32, &columns.position[a]);
            let (low, left_out) = (gap.close(grid.low[a]), gap.end - gap.first);
            for (chunk, keys) in keys.chunks_mut(CHUNK).enumerate() {
                let mut cells = [0; CHUNK];
                for lanes in 0..CHUNK / S::LANES {
                    // Columns are longer than the flock; what is computed there is not kept.
                    let x = s.load(column, first + chunk * CHUNK + lanes * S::LANES);
                    let inside = ((x - origin) * per_unit).max(least).min(most);
                    inside.store_floor(&mut cells[lanes * S::LANES..]);
                }
                for (key, &cell) in keys.iter_mut().zip(&cells) {
                    // Without a gap nothing is left out, whatever its end.
                    let beyond = if cell >= gap.end { left_out } else { 0 };
                    *key = *key * extent + (cell - beyond - low) as u32;
                }
            }
        }
    }
}

/// The boids of a part by bucket, in the order they come in; where buckets begin among them.
fn group(keys: &[u32], first: u32, shift: u32, begins: &mut [u32], grouped: &mut [u32]) {
    let buckets = begins.len() - 1;
    if buckets == 1 {
        return begins.copy_from_slice(&[0, keys.len() as u32]);
    }
    let run = keys.len() / RUNS;
    let mut counts = [[0u32; MOST_BUCKETS]; RUNS];
    // Buckets are fewer than MOST_BUCKETS: the remainder changes nothing and spares a check of
    // bounds.
    let bucket = |key: u32| (key >> shift) as usize % MOST_BUCKETS;
    for i in 0..run {
        for r in 0..RUNS {
            counts[r][bucket(keys[r * run + i])] += 1;
        }
    }
    for &key in &keys[RUNS * run..] {
        counts[RUNS - 1][bucket(key)] += 1;
    }
    let mut total = 0;
    for (b, begin) in begins.iter_mut().enumerate() {
        *begin = total;
        if b < buckets {
            for count in &mut counts {
                total += std::mem::replace(&mut count[b], total);
            }
        }
    }
    let mut put = |r: usize, i: usize| {
        let next = &mut counts[r][bucket(keys[i])];
        grouped[*next as usize] = first + i as u32;
        *next += 1;
    };
    for i in 0..run {
        for r in 0..RUNS {
            put(r, r * run + i);
        }
    }
    for i in RUNS * run..keys.len() {
        put(RUNS - 1, i);
    }
}

/// First slots of the buckets, from how many every part has for each. All buckets.
fn add_up(begins: &[u32], buckets: usize, first: &mut Vec<u32>) -> Range<usize> {
    first.clear();
    first.resize(buckets + 1, 0);
    for begins in begins.chunks_exact(buckets + 1) {
        for ((total, begin), end) in first.iter_mut().zip(begins).zip(&begins[1..]) {
            *total += end - begin;
        }
    }
    let mut total = 0;
    for first in first.iter_mut() {
        total += std::mem::replace(first, total);
    }
    0..buckets
}

/// The flock grouped by bucket.
#[derive(Clone, Copy)]
struct BucketedBoids<'a> {
    division: Division,
    keys: &'a [u32],
    grouped: &'a [u32],
    begins: &'a [u32],
    first: &'a [u32],
    ranks: &'a [u32],
}

impl<'a> BucketedBoids<'a> {
    /// The boids of a bucket, part by part: two halves to be taken in turn, since neighbors share
    /// a counter and each would wait for the one before, and one more if they are odd.
    fn of(&self, bucket: usize) -> impl Iterator<Item = (&'a [u32], &'a [u32], &'a [u32])> {
        let parts = self
            .grouped
            .chunks(self.division.part)
            .zip(self.begins.chunks_exact(self.division.buckets + 1));
        parts.map(move |(grouped, begins)| {
            let boids = &grouped[begins[bucket] as usize..begins[bucket + 1] as usize];
            let (left, rest) = boids.split_at(boids.len() / 2);
            let (right, last) = rest.split_at(left.len());
            (left, right, last)
        })
    }

    /// The slots of some buckets.
    fn slots(&self, buckets: &Range<usize>) -> Range<usize> {
        self.first[buckets.start] as usize..self.first[buckets.end] as usize
    }
}

/// Buckets, to be brought into slot order.
struct Buckets<'a> {
    boids: BucketedBoids<'a>,
    buckets: Range<usize>,
    /// Where their cells end.
    start: &'a mut [u32],
    order: &'a mut [u32],
    rank: &'a mut [u32],
}

impl Divide for Buckets<'_> {
    type Out = ();

    fn halve(self) -> Result<(Self, Self), Self> {
        let Range { start: low, end: high } = self.buckets;
        if high - low <= 1 {
            return Err(self);
        }
        // Where half of their boids are on either side, as nearly as may be.
        let Self { boids, start, order, rank, .. } = self;
        let slots = boids.slots(&(low..high));
        let middle = (slots.start + slots.end) / 2;
        let at = low + boids.first[low..high].partition_point(|&first| (first as usize) < middle);
        let at = at.clamp(low + 1, high - 1);
        let (cells, slots) =
            (boids.division.cells(&(low..at)).len(), boids.slots(&(low..at)).len());
        let (left_start, right_start) = start.split_at_mut(cells);
        let (left_order, right_order) = order.split_at_mut(slots);
        let (left_rank, right_rank) = rank.split_at_mut(slots);
        Ok((
            Self { boids, buckets: low..at, start: left_start, order: left_order, rank: left_rank },
            Self {
                boids,
                buckets: at..high,
                start: right_start,
                order: right_order,
                rank: right_rank,
            },
        ))
    }

    fn run(self) {
        let Self { boids, buckets, start, order, rank } = self;
        let (bucket, slots) = (buckets.start, boids.slots(&buckets));
        let bucket =
            Bucket { boids, bucket, cell: boids.division.cells(&buckets).start, slot: slots.start };
        bucket.count(start);
        bucket.place(start, order);
        pick(boids.ranks, rank, order);
        bucket.rank_cells(start, order, rank);
    }
}

/// One bucket.
struct Bucket<'a> {
    boids: BucketedBoids<'a>,
    bucket: usize,
    /// Its first cell and its first slot.
    cell: usize,
    slot: usize,
}

impl Bucket<'_> {
    /// Where each cell begins.
    fn count(&self, start: &mut [u32]) {
        start.fill(0);
        let BucketedBoids { division, keys, .. } = self.boids;
        if division.buckets == 1 {
            // They are not grouped.
            let (left, right) = keys.split_at(keys.len() / 2);
            for (&l, &r) in left.iter().zip(right) {
                start[l as usize] += 1;
                start[r as usize] += 1;
            }
            for &key in &right[left.len()..] {
                start[key as usize] += 1;
            }
        } else {
            for (left, right, last) in self.boids.of(self.bucket) {
                for (&l, &r) in left.iter().zip(right) {
                    start[keys[l as usize] as usize - self.cell] += 1;
                    start[keys[r as usize] as usize - self.cell] += 1;
                }
                for &boid in last {
                    start[keys[boid as usize] as usize - self.cell] += 1;
                }
            }
        }
        let mut total = self.slot as u32;
        for start in start {
            total += std::mem::replace(start, total);
        }
    }

    /// Each boid into the next free place of its cell; each start becomes an end.
    fn place(&self, start: &mut [u32], order: &mut [u32]) {
        let BucketedBoids { division, keys, .. } = self.boids;
        let mut put = |boid: u32, cell: usize| {
            let next = &mut start[cell];
            order[*next as usize - self.slot] = boid;
            *next += 1;
        };
        if division.buckets == 1 {
            let (left, right) = keys.split_at(keys.len() / 2);
            for (i, (&l, &r)) in left.iter().zip(right).enumerate() {
                put(i as u32, l as usize);
                put((left.len() + i) as u32, r as usize);
            }
            for (i, &key) in keys.iter().enumerate().skip(2 * left.len()) {
                put(i as u32, key as usize);
            }
        } else {
            for (left, right, last) in self.boids.of(self.bucket) {
                for (&l, &r) in left.iter().zip(right) {
                    put(l, keys[l as usize] as usize - self.cell);
                    put(r, keys[r as usize] as usize - self.cell);
                }
                for &boid in last {
                    put(boid, keys[boid as usize] as usize - self.cell);
                }
            }
        }
    }

    /// Sorts by rank the cells that are not: those that a boid came into.
    fn rank_cells(&self, start: &[u32], order: &mut [u32], rank: &mut [u32]) {
        let mut room = [0; STRETCH + 1];
        let mut first = 0;
        while first + 1 < order.len() {
            let pairs = STRETCH.min(order.len() - 1 - first);
            let keys = &mut room[..=pairs];
            pick(self.boids.keys, keys, &order[first..=first + pairs]);
            for at in (0..pairs).step_by(CHUNK) {
                let mut wrong = in_disorder(&keys[at..], &rank[first + at..]);
                while wrong != 0 {
                    let pair = at + wrong.trailing_zeros() as usize;
                    wrong &= wrong - 1;
                    // Unless the cell was sorted a moment ago.
                    if rank[first + pair] > rank[first + pair + 1] {
                        let cell = keys[pair] as usize - self.cell;
                        let begin =
                            if cell == 0 { 0 } else { start[cell - 1] as usize - self.slot };
                        let cell = begin..start[cell] as usize - self.slot;
                        sort_by_rank(&mut order[cell.clone()], &mut rank[cell], self.boids.ranks);
                    }
                }
            }
            first += pairs;
        }
    }
}

/// Which of sixteen pairs of neighbors are of one cell and not in the order of their ranks: a bit
/// each. Without a branch a boid: most are in order.
#[inline(always)]
fn in_disorder(keys: &[u32], ranks: &[u32]) -> u32 {
    let mut wrong = [0; CHUNK];
    if let (Some(keys), Some(ranks)) =
        (keys.first_chunk::<{ CHUNK + 1 }>(), ranks.first_chunk::<{ CHUNK + 1 }>())
    {
        for i in 0..CHUNK {
            wrong[i] = u32::from((keys[i] == keys[i + 1]) & (ranks[i] > ranks[i + 1]));
        }
        if wrong.iter().fold(0, |any, wrong| any | wrong) == 0 {
            return 0;
        }
    } else {
        for i in 0..keys.len().min(ranks.len()) - 1 {
            wrong[i] = u32::from((keys[i] == keys[i + 1]) & (ranks[i] > ranks[i + 1]));
        }
    }
    (0..CHUNK).fold(0, |bits, i| bits | wrong[i] << i)
}

/// Sorts a cell's boids by rank, and their ranks with them; `ranks` are those of the flock.
fn sort_by_rank(order: &mut [u32], rank: &mut [u32], ranks: &[u32]) {
    const FEW: usize = 32;
    if rank.len() > FEW {
        order.sort_unstable_by_key(|&boid| ranks[boid as usize]);
        return pick(ranks, rank, order);
    }
    for i in 1..rank.len() {
        let mut j = i;
        while j > 0 && rank[j - 1] > rank[j] {
            rank.swap(j - 1, j);
            order.swap(j - 1, j);
            j -= 1;
        }
    }
}
