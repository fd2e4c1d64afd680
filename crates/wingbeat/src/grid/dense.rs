//! Dense storage: one counter for each cell of a box.
#![forbid(unsafe_code)]

use wingbeat_steer::Vector;

use super::{Grid, pick};
use crate::boids::Columns;
use crate::parallel::Workers;
use crate::simd::{Level, Simd, Work, dispatch};

/// An order is mended while at most one boid in so many has changed its cell; beyond, counting all is cheaper.
const MENDABLE: usize = 8;

/// Someone who is in another cell than before. Ordered as slots are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    key: u32,
    rank: u32,
    slot: u32,
}

/// The cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Dense {
    /// First slot of each cell, and one more entry. Empty when storage is sparse.
    pub start: Vec<u32>,
    /// Cell of every slot, as sorted last.
    keys: Vec<u32>,
    /// Cell of every slot of the last order, as boids are now.
    fresh: Vec<u32>,
    /// Who has changed its cell, by new cell and rank.
    arrivals: Vec<Arrival>,
    /// The same by old slot.
    leaving: Vec<u32>,
    /// The rows of boids that `keys` is about.
    pub generation: Option<u64>,
}

impl<const D: usize> Grid<D>
where
    [f32; D]: Vector,
{
    /// By cell; within a cell by rank. `same`: the last order was of the same boids in the same cells.
    pub(super) fn sort_dense<T: Default + Send>(
        &mut self,
        columns: &Columns<D>,
        cells: usize,
        workers: &Workers<T>,
        level: Level,
        same: bool,
    ) {
        self.sparse.rows.clear();
        let mut dense = std::mem::take(&mut self.dense);
        dense.fresh.resize(self.slots, 0);
        let grid = &*self;
        workers.sweep(self.slots, [[dense.fresh.as_mut_slice()]], &|first, [[keys]], _| {
            dispatch(level, Keys { grid, columns, first, keys });
        });
        self.order.resize(self.slots, 0);
        if same && dense.find_movers(&columns.rank) {
            workers.sort(&mut dense.arrivals);
            dense.mend_order(&columns.rank, &mut self.order);
            dense.mend_starts();
        } else {
            dense.count(cells, &columns.rank, &mut self.order);
        }
        dense.keys.resize(self.slots, 0);
        let (fresh, order) = (&dense.fresh, &self.order);
        workers.sweep(self.slots, [[dense.keys.as_mut_slice()]], &|first, [[keys]], _| {
            pick(fresh, keys, &order[first..]);
        });
        self.dense = dense;
    }
}

/// The cells of a batch of boids, as indices into the dense grid.
struct Keys<'a, const D: usize>
where
    [f32; D]: Vector,
{
    grid: &'a Grid<D>,
    columns: &'a Columns<D>,
    first: usize,
    keys: &'a mut [u32],
}

impl<const D: usize> Work for Keys<'_, D>
where
    [f32; D]: Vector,
{
    // Nothing here is in lanes, but the compiler may use the level's vectors.
    #[inline(always)]
    fn run<S: Simd>(self, _s: S) {
        self.keys.fill(0);
        // One axis after the other, so that each pass reads one column.
        for a in (0..D).rev() {
            let (low, extent) = (self.grid.low[a], self.grid.extent(a) as u32);
            let column = &self.columns.position[a][self.first..self.first + self.keys.len()];
            for i in 0..self.keys.len() {
                self.keys[i] = self.keys[i] * extent + (self.grid.cells.cell(a, column[i]) - low) as u32;
            }
        }
    }
}

impl Dense {
    /// Counting sort.
    fn count(&mut self, cells: usize, rank: &[u32], order: &mut [u32]) {
        self.start.clear();
        self.start.resize(cells + 1, 0);
        for &key in &self.fresh {
            self.start[key as usize] += 1;
        }
        let mut total = 0;
        for start in &mut self.start {
            total += std::mem::replace(start, total);
        }
        // Each start moves to its end while filling; shifted back afterwards.
        for (slot, &key) in self.fresh.iter().enumerate() {
            let next = &mut self.start[key as usize];
            order[*next as usize] = slot as u32;
            *next += 1;
        }
        self.start.copy_within(0..cells, 1);
        self.start[0] = 0;
        for cell in self.start.windows(2) {
            let members = &mut order[cell[0] as usize..cell[1] as usize];
            if members.len() > 1 && !members.is_sorted_by_key(|&slot| rank[slot as usize]) {
                members.sort_unstable_by_key(|&slot| rank[slot as usize]);
            }
        }
    }

    /// Lists who has changed its cell; `false` if they are too many to mend.
    fn find_movers(&mut self, rank: &[u32]) -> bool {
        let most = self.fresh.len() / MENDABLE;
        self.arrivals.clear();
        self.leaving.clear();
        self.arrivals.reserve(most);
        self.leaving.reserve(most);
        const CHUNK: usize = 16;
        for (chunk, (now, before)) in self.fresh.chunks(CHUNK).zip(self.keys.chunks(CHUNK)).enumerate() {
            // Without a branch a boid, and without a call: most chunks have nobody who moved.
            let different = now.iter().zip(before).fold(0, |different, (now, before)| different | (now ^ before));
            if different == 0 {
                continue;
            }
            if self.leaving.len() + CHUNK > most {
                return false;
            }
            for (i, (&key, &old)) in now.iter().zip(before).enumerate() {
                if key != old {
                    let slot = chunk * CHUNK + i;
                    self.leaving.push(slot as u32);
                    self.arrivals.push(Arrival { key, rank: rank[slot], slot: slot as u32 });
                }
            }
        }
        true
    }

    /// The old order without those who leave, and with those who arrive: two ascending sequences merged.
    fn mend_order(&self, rank: &[u32], order: &mut [u32]) {
        let mut merge = Merge { order, next: 0, out: 0, leaving: &self.leaving };
        for arrival in &self.arrivals {
            let (first, end) = (self.start[arrival.key as usize], self.start[arrival.key as usize + 1]);
            let members = &rank[first as usize..end as usize];
            // Those about to leave are still in their ranks' order.
            let before = members.partition_point(|&rank| rank < arrival.rank);
            merge.stay_until(first + before as u32);
            merge.push(arrival.slot);
        }
        merge.stay_until(self.fresh.len() as u32);
    }

    /// Moves the starts of all cells by those who came and went before.
    fn mend_starts(&mut self) {
        let mut left = self.leaving.iter().map(|&slot| self.keys[slot as usize]).peekable();
        let mut arrived = self.arrivals.iter().map(|arrival| arrival.key).peekable();
        let (mut from, mut gain) = (0, 0u32);
        while let Some(key) = [left.peek(), arrived.peek()].into_iter().flatten().min().copied() {
            for start in &mut self.start[from..=key as usize] {
                *start = start.wrapping_add(gain);
            }
            from = key as usize + 1;
            while left.next_if_eq(&key).is_some() {
                gain = gain.wrapping_sub(1);
            }
            while arrived.next_if_eq(&key).is_some() {
                gain = gain.wrapping_add(1);
            }
        }
        // Whoever left arrived somewhere: behind the last of them nothing changes.
    }
}

/// The state of a merge.
struct Merge<'a> {
    order: &'a mut [u32],
    /// First slot of the old order not yet looked at.
    next: u32,
    out: usize,
    /// Slots to skip from now on.
    leaving: &'a [u32],
}

impl Merge<'_> {
    fn push(&mut self, slot: u32) {
        self.order[self.out] = slot;
        self.out += 1;
    }

    /// Takes everyone who stays, up to the old slot `end`.
    fn stay_until(&mut self, end: u32) {
        while let Some((&gone, rest)) = self.leaving.split_first()
            && gone < end
        {
            self.stay(gone);
            self.next = gone + 1;
            self.leaving = rest;
        }
        self.stay(end);
        self.next = end;
    }

    fn stay(&mut self, end: u32) {
        let many = (end - self.next) as usize;
        for (i, place) in self.order[self.out..self.out + many].iter_mut().enumerate() {
            *place = self.next + i as u32;
        }
        self.out += many;
    }
}
