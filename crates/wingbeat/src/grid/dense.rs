//! Dense storage: one counter for each cell of a box, and a counting sort.
//!
//! ```text
//! key    ← cell of each boid                                      one sweep, all threads
//! start  ← how many have each key, then their running sum
//! order  ← each boid to the next free place of its key
//! within a cell by rank: hardly ever needed, since boids come in the order of the last step
//! ```

use wingbeat_steer::CellAxis;

use super::{Grid, pick};
use crate::boids::{Columns, PADDING};
use crate::parallel::Workers;
use crate::simd::{Float, Level, Simd, Work, dispatch};

/// Boids looked at together: as many as columns have to spare.
const CHUNK: usize = PADDING;

/// The cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Dense {
    /// First slot of each cell, and one more entry. Empty when storage is sparse.
    pub start: Vec<u32>,
    /// Cell of every boid, in the order they come in.
    keys: Vec<u32>,
    /// Cell of every slot.
    sorted: Vec<u32>,
    /// Rank and old slot of those in a crowded cell while it is sorted; kept, so that a step allocates nothing.
    crowd: Vec<(u32, u32)>,
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
        let mut dense = std::mem::take(&mut self.dense);
        dense.keys.resize(self.slots, 0);
        dense.sorted.resize(self.slots, 0);
        self.order.resize(self.slots, 0);
        let grid = &*self;
        workers.sweep(self.slots, [[dense.keys.as_mut_slice()]], &|first, [[keys]], _| {
            dispatch(level, Keys { grid, columns, first, keys });
        });
        count(&dense.keys, cells, &mut dense.start);
        place(&dense.keys, &mut dense.start, &mut self.order);
        let (keys, order) = (&dense.keys, &self.order);
        workers.sweep(self.slots, [[dense.sorted.as_mut_slice(), &mut *rank]], &|first, [[sorted, rank]], _| {
            pick(keys, sorted, &order[first..]);
            pick(&columns.rank, rank, &order[first..]);
        });
        rank_cells(&mut dense, &mut self.order, rank);
        self.dense = dense;
    }
}

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
            let (origin, per_unit, least, most) = (s.splat(origin), s.splat(per_unit), s.splat(low), s.splat(high));
            let (low, extent, column) = (grid.low[a], grid.extent(a) as u32, &columns.position[a]);
            for (chunk, keys) in keys.chunks_mut(CHUNK).enumerate() {
                let mut cells = [0; CHUNK];
                for lanes in 0..CHUNK / S::LANES {
                    // Columns are longer than the flock; what is computed there is not kept.
                    let x = s.load(column, first + chunk * CHUNK + lanes * S::LANES);
                    let inside = ((x - origin) * per_unit).max(least).min(most);
                    inside.store_floor(&mut cells[lanes * S::LANES..]);
                }
                for (key, &cell) in keys.iter_mut().zip(&cells) {
                    *key = *key * extent + (cell - low) as u32;
                }
            }
        }
    }
}

/// First place of each key, and one more entry.
fn count(keys: &[u32], cells: usize, start: &mut Vec<u32>) {
    start.clear();
    start.resize(cells + 1, 0);
    // From both ends of the flock: neighbours share a counter, and each would wait for the one before.
    let (left, right) = keys.split_at(keys.len() / 2);
    for (&l, &r) in left.iter().zip(right) {
        start[l as usize] += 1;
        start[r as usize] += 1;
    }
    for &key in &right[left.len()..] {
        start[key as usize] += 1;
    }
    let mut total = 0;
    for start in start.iter_mut() {
        total += std::mem::replace(start, total);
    }
}

/// Puts each boid into the next free place of its key.
fn place(keys: &[u32], start: &mut [u32], order: &mut [u32]) {
    // Each start moves to its end while filling; shifted back afterwards.
    let mut put = |slot: usize, key: u32| {
        let next = &mut start[key as usize];
        order[*next as usize] = slot as u32;
        *next += 1;
    };
    let (left, right) = keys.split_at(keys.len() / 2);
    for (slot, (&l, &r)) in left.iter().zip(right).enumerate() {
        put(slot, l);
        put(left.len() + slot, r);
    }
    for (slot, &key) in keys.iter().enumerate().skip(2 * left.len()) {
        put(slot, key);
    }
    let cells = start.len() - 1;
    start.copy_within(0..cells, 1);
    start[0] = 0;
}

/// Sorts by rank the cells that are not: those that a boid came into.
fn rank_cells(dense: &mut Dense, order: &mut [u32], rank: &mut [u32]) {
    let Dense { start, sorted, crowd, .. } = dense;
    let mut first = 0;
    while first + 1 < sorted.len() {
        let pairs = CHUNK.min(sorted.len() - 1 - first);
        let (keys, ranks) = (&sorted[first..=first + pairs], &rank[first..=first + pairs]);
        // Without a branch a boid: most pairs are in order.
        let mut wrong = 0u32;
        for i in 0..pairs {
            wrong |= u32::from((keys[i] == keys[i + 1]) & (ranks[i] > ranks[i + 1])) << i;
        }
        while wrong != 0 {
            let slot = first + wrong.trailing_zeros() as usize;
            wrong &= wrong - 1;
            // Unless the cell was sorted a moment ago.
            if rank[slot] > rank[slot + 1] {
                let key = sorted[slot] as usize;
                let cell = start[key] as usize..start[key + 1] as usize;
                sort_by_rank(&mut order[cell.clone()], &mut rank[cell], crowd);
            }
        }
        first += pairs;
    }
}

/// Sorts a cell's boids by rank, and their ranks with them.
fn sort_by_rank(order: &mut [u32], rank: &mut [u32], crowd: &mut Vec<(u32, u32)>) {
    const FEW: usize = 32;
    if rank.len() > FEW {
        crowd.clear();
        crowd.extend(rank.iter().copied().zip(order.iter().copied()));
        crowd.sort_unstable();
        for ((place, rank), &member) in order.iter_mut().zip(rank).zip(crowd.iter()) {
            (*rank, *place) = member;
        }
        return;
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
