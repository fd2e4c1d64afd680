//! Sparse storage: occupied rows, sorted. Its memory depends on the boids alone.

use super::Grid;
use crate::boids::Columns;
use crate::parallel::Workers;

/// Where a row's slots begin, in sparse storage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub z: i32,
    pub y: i32,
    pub first: u32,
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

/// The occupied rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse {
    /// In slot order.
    pub rows: Vec<Row>,
    keys: Vec<SparseKey>,
}

impl<const D: usize> Grid<D> {
    pub(super) fn sort_sparse<T: Default + Send>(&mut self, columns: &Columns<D>, rank: &mut [u32], workers: &Workers<T>) {
        self.dense.start.clear();
        let mut keys = std::mem::take(&mut self.sparse.keys);
        keys.clear();
        keys.extend((0..self.slots).map(|slot| {
            let [x, y, z] = self.cells.of(columns.position(slot));
            SparseKey { z, y, x, rank: columns.rank[slot], slot: slot as u32 }
        }));
        // Ranks differ, so the order is total and an unstable sort deterministic.
        workers.sort(&mut keys);
        self.order.clear();
        self.order.extend(keys.iter().map(|key| key.slot));
        for (rank, key) in rank.iter_mut().zip(&keys) {
            *rank = key.rank;
        }
        self.sparse.rows.clear();
        for (slot, key) in keys.iter().enumerate() {
            if self.sparse.rows.last().is_none_or(|row| (row.z, row.y) != (key.z, key.y)) {
                self.sparse.rows.push(Row { z: key.z, y: key.y, first: slot as u32 });
            }
        }
        self.sparse.keys = keys;
    }
}

impl Sparse {
    /// Pairs (a, b) of one row where b is not before a and at most `cells` further in x, each counted both ways.
    pub fn pairs(&self, cells: i32) -> u64 {
        let (mut pairs, mut end) = (0, 0);
        for (slot, key) in self.keys.iter().enumerate() {
            let near = |other: &SparseKey| (other.z, other.y) == (key.z, key.y) && other.x <= key.x + cells;
            while self.keys.get(end).is_some_and(near) {
                end += 1;
            }
            pairs += 2 * (end - slot) as u64;
        }
        pairs
    }

    /// Adds the ranges of the slots of cells that hold `many` or more.
    pub fn cells_of(&self, many: usize, found: &mut Vec<(u32, u32)>) {
        let mut first = 0;
        for cell in self.keys.chunk_by(|a, b| (a.z, a.y, a.x) == (b.z, b.y, b.x)) {
            if cell.len() >= many {
                found.push((first, first + cell.len() as u32));
            }
            first += cell.len() as u32;
        }
    }
}
