//! Splitting columns into batches for rayon, without allocating and without regard to the number of threads.
#![forbid(unsafe_code)]

use std::sync::{Mutex, PoisonError};

use rayon::slice::ParallelSliceMut;

use crate::FlockError;
use crate::simd::with_default_rounding;

/// Slots a batch holds unless told otherwise: small enough to balance a clump, large enough that a task costs nothing
/// beside it. Results do not depend on it.
pub(crate) const BATCH: usize = 512;

/// The threads a flock works on, and one scratch space for each.
pub(crate) struct Workers<T> {
    pool: Pool,
    scratch: Vec<Mutex<T>>,
    batch: usize,
}

enum Pool {
    /// The calling thread alone.
    Caller,
    /// rayon's global pool.
    Global,
    /// A pool of the flock's own.
    Own(rayon::ThreadPool),
}

impl<T: Default + Send> Workers<T> {
    /// `None`: rayon's global pool; one thread: the caller; more: a pool of their own.
    pub fn new(threads: Option<usize>, batch: usize) -> Result<Self, FlockError> {
        let pool = match threads {
            Some(1) => Pool::Caller,
            None => Pool::Global,
            Some(threads) => {
                let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                Pool::Own(built.map_err(|e| FlockError::Threads { threads, reason: e.to_string() })?)
            }
        };
        let mut workers = Self { pool, scratch: Vec::new(), batch };
        workers.scratch.resize_with(workers.threads(), Mutex::default);
        Ok(workers)
    }

    /// Slots in a batch.
    pub fn batch(&self) -> usize {
        self.batch
    }

    pub fn threads(&self) -> usize {
        match &self.pool {
            Pool::Caller => 1,
            Pool::Global => rayon::current_num_threads(),
            Pool::Own(pool) => pool.current_num_threads(),
        }
    }

    /// Sorts by the items' own order, which must be total: no two are equal.
    pub fn sort<E: Ord + Send>(&self, items: &mut [E]) {
        match &self.pool {
            _ if items.len() <= self.batch => items.sort_unstable(),
            Pool::Caller => items.sort_unstable(),
            Pool::Global => items.par_sort_unstable(),
            Pool::Own(pool) => pool.install(|| items.par_sort_unstable()),
        }
    }

    /// Calls `work(first slot, chunk of every column, scratch)` for each batch of `slots` rows.
    ///
    /// Batches begin at multiples of the batch size, whoever works on them. All columns must be at least `slots` long.
    pub fn for_batches<'a, E: Send, const K: usize, const C: usize>(
        &self,
        slots: usize,
        columns: Columns<'a, E, K, C>,
        work: &(impl Fn(usize, Columns<'a, E, K, C>, &mut T) + Sync),
    ) {
        self.for_batches_of(self.batch, slots, columns, work);
    }

    /// The same with batches of another size than usual.
    pub fn for_batches_of<'a, E: Send, const K: usize, const C: usize>(
        &self,
        batch: usize,
        slots: usize,
        columns: Columns<'a, E, K, C>,
        work: &(impl Fn(usize, Columns<'a, E, K, C>, &mut T) + Sync),
    ) {
        let columns = columns.map(|group| group.map(|column| &mut column[..slots]));
        match &self.pool {
            _ if slots <= batch => self.run_all(batch, columns, work),
            Pool::Caller => self.run_all(batch, columns, work),
            Pool::Global => self.split(batch, 0, slots, columns, work),
            Pool::Own(pool) => pool.install(|| self.split(batch, 0, slots, columns, work)),
        }
    }

    fn run_all<'a, E, const K: usize, const C: usize>(
        &self,
        size: usize,
        mut columns: Columns<'a, E, K, C>,
        work: &impl Fn(usize, Columns<'a, E, K, C>, &mut T),
    ) {
        let mut scratch = self.scratch[0].lock().unwrap_or_else(PoisonError::into_inner);
        let mut first = 0;
        while !columns[0][0].is_empty() {
            let (batch, rest) = split_columns(columns, size);
            with_default_rounding(|| work(first, batch, &mut scratch));
            columns = rest;
            first += size;
        }
    }

    fn split<'a, E: Send, const K: usize, const C: usize>(
        &self,
        batch: usize,
        first: usize,
        slots: usize,
        columns: Columns<'a, E, K, C>,
        work: &(impl Fn(usize, Columns<'a, E, K, C>, &mut T) + Sync),
    ) {
        if slots <= batch {
            let worker = rayon::current_thread_index().unwrap_or(0) % self.scratch.len();
            let mut scratch = self.scratch[worker].lock().unwrap_or_else(PoisonError::into_inner);
            return with_default_rounding(|| work(first, columns, &mut scratch));
        }
        let half = slots.div_ceil(2).next_multiple_of(batch);
        let (left, right) = split_columns(columns, half);
        rayon::join(|| self.split(batch, first, half, left, work), || self.split(batch, first + half, slots - half, right, work));
    }
}

/// K groups of C columns, of which all have the same length.
pub(crate) type Columns<'a, E, const K: usize, const C: usize> = [[&'a mut [E]; C]; K];

/// Every column cut at the same row.
fn split_columns<'a, E, const K: usize, const C: usize>(
    columns: Columns<'a, E, K, C>,
    at: usize,
) -> (Columns<'a, E, K, C>, Columns<'a, E, K, C>) {
    let mut right: Columns<'a, E, K, C> = std::array::from_fn(|_| std::array::from_fn(|_| &mut [] as &mut [E]));
    let mut rest = right.iter_mut().flatten();
    let left = columns.map(|group| {
        group.map(|column| {
            let (left, right) = column.split_at_mut(at.min(column.len()));
            if let Some(rest) = rest.next() {
                *rest = right;
            }
            left
        })
    });
    (left, right)
}
