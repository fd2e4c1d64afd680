//! Sparse storage: occupied rows, sorted. Its memory depends on the boids alone.

use super::Grid;
use crate::columns::boids::Columns;
use crate::parallel::Workers;

/// Where a row's slots begin, in sparse storage.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SparseRow {
    pub z: i32,
    pub y: i32,
    pub first: u32,
}

/// A boid on its way through the sparse sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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
    pub rows: Vec<SparseRow>,
    keys: Vec<SparseKey>,
    /// How many rows begin in each part of the keys.
    begun: Vec<u32>,
}

impl<const D: usize> Grid<D> {
    pub(super) fn sort_sparse<T: Default + Send>(
        &mut self,
        columns: &Columns<D>,
        rank: &mut [u32],
        workers: &Workers<T>,
    ) {
        self.dense.start.clear();
        let slots = self.slots;
        let mut sparse = std::mem::take(&mut self.sparse);
        let Sparse { rows, keys, begun } = &mut sparse;
        keys.resize(slots, SparseKey::default());
        let cells = &self.cells;
        workers.sweep(slots, [[keys.as_mut_slice()]], &|first, [[keys]], _| {
            for (slot, key) in (first..).zip(keys) {
                let [x, y, z] = cells.of(columns.position(slot));
                *key = SparseKey { z, y, x, rank: columns.rank[slot], slot: slot as u32 };
            }
        });
        // Ranks differ, so the order is total and an unstable sort deterministic.
        workers.sort(keys);
        self.order.resize(slots, 0);
        let sorted = keys.as_slice();
        workers.sweep(slots, [[self.order.as_mut_slice(), rank]], &|first, [[order, rank]], _| {
            for ((order, rank), key) in order.iter_mut().zip(rank).zip(&sorted[first..]) {
                (*order, *rank) = (key.slot, key.rank);
            }
        });
        let begins = |&slot: &usize| {
            slot == 0
                || (sorted[slot - 1].z, sorted[slot - 1].y) != (sorted[slot].z, sorted[slot].y)
        };
        let row =
            |slot: usize| SparseRow { z: sorted[slot].z, y: sorted[slot].y, first: slot as u32 };
        workers.select(
            slots,
            &|range| range.filter(begins).map(row),
            begun,
            (rows, SparseRow::default()),
        );
        self.sparse = sparse;
    }
}

impl Sparse {
    /// Pairs (a, b) of one row where b is not before a and at most `cells` further in x, each
    /// counted both ways.
    pub fn pairs(&self, cells: i32) -> u64 {
        let (mut pairs, mut end) = (0, 0);
        for (slot, key) in self.keys.iter().enumerate() {
            let near = |other: &SparseKey| {
                (other.z, other.y) == (key.z, key.y) && other.x <= key.x + cells
            };
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
