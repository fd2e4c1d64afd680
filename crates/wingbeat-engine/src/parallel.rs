//! Splitting columns into batches for rayon, without allocating and without regard to the number of
//! threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rayon::slice::ParallelSliceMut;

use self::fork::{ErasedWork, ONE_THREAD, Rows, fork, no_result};
use self::rows::{Cut, MarkedColumns, flat, grouped};
use crate::FlockError;

mod rows;
mod fork;

pub use self::fork::{Divide, Pool};
pub(crate) use self::rows::{ColumnGroups, pick};

/// Slots a batch holds unless told otherwise: small enough to balance a clump, large enough that a
/// task costs nothing beside it. Results do not depend on it.
pub(crate) const BATCH: usize = 512;

/// Batches of a flock that is stepped on the calling thread alone: waking others takes longer than
/// they save.
const ALONE: usize = 4;

/// Batches of a task that only moves memory about; a steering task is one batch.
const SWEEP: usize = 16;

/// Most parts that one thread adds up.
pub(crate) const MOST_PARTS: usize = 256;

/// The threads a flock works on, and one scratch space for each.
pub(crate) struct Workers<T> {
    pool: Pool,
    scratch: Vec<Mutex<T>>,
    batch: usize,
    clock: Clock,
    brake: Brake,
}

/// How long the threads' common work took, measured only when asked for: what else a step does, one
/// thread does alone.
#[derive(Default)]
struct Clock {
    on: AtomicBool,
    nanoseconds: AtomicU64,
}

/// What gives up a step under way, from another thread: batches of steering, looking ahead and
/// keeping bodies apart that have not begun are left out. See
/// [`Flock::brake`](crate::Flock::brake).
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct Brake(Arc<AtomicBool>);

impl Brake {
    /// Gives up the step under way.
    pub fn pull(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_pulled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl<T: Default + Send> Workers<T> {
    /// `None`: rayon's global pool; one thread: the caller; more: a pool of their own. Where there
    /// is but one thread, it is the caller.
    pub fn new(threads: Option<usize>, batch: usize) -> Result<Self, FlockError> {
        let (pool, threads) = match threads {
            _ if ONE_THREAD => (Pool::CALLER.clone(), 1),
            Some(1) => (Pool::CALLER.clone(), 1),
            None => (Pool::GLOBAL.clone(), rayon::current_num_threads()),
            Some(threads) => {
                let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let own = built.map_err(|e| FlockError::Threads { threads, reason: e.to_string() });
                let own = Arc::new(own?);
                (Pool::own(own.clone()), own.current_num_threads())
            }
        };
        Ok(Self::on(pool, threads, batch))
    }

    /// The same threads for another flock, which has scratch space of its own.
    pub fn share(&self) -> Self {
        Self::on(self.pool.clone(), self.threads(), self.batch)
    }

    fn on(pool: Pool, threads: usize, batch: usize) -> Self {
        let mut scratch = Vec::new();
        scratch.resize_with(threads, Mutex::default);
        Self { pool, scratch, batch, clock: Clock::default(), brake: Brake::default() }
    }

    pub fn brake(&self) -> &Brake {
        &self.brake
    }

    /// Whether the brake was pulled; it no longer is.
    pub fn release(&self) -> bool {
        self.brake.0.swap(false, Ordering::Relaxed)
    }

    pub fn is_braked(&self) -> bool {
        self.brake.is_pulled()
    }

    /// Slots in a batch.
    pub fn batch(&self) -> usize {
        self.batch
    }

    pub fn threads(&self) -> usize {
        self.scratch.len()
    }

    /// Runs `work` on one of the threads, if they are worth their waking for so many slots. What it
    /// does with the workers in turn then need not cross over again, which a small flock would
    /// feel.
    pub fn enter<R: Send>(&self, slots: usize, work: impl FnOnce() -> R + Send) -> R {
        if slots <= self.batch * ALONE { work() } else { self.pool.enter(work) }
    }

    /// Sorts by the items' own order, which must be total: no two are equal.
    pub fn sort<E: Ord + Send>(&self, items: &mut [E]) {
        self.on_threads(items.len() <= self.batch * ALONE, |several| {
            if ONE_THREAD || !several { items.sort_unstable() } else { items.par_sort_unstable() }
        });
    }

    /// Calls `work(first slot, chunk of every column, scratch)` for each batch of `slots` rows.
    ///
    /// Batches begin at multiples of the batch size, whichever thread works on them. All columns
    /// must be at least `slots` long.
    pub fn for_batches<'a, E: Send, const K: usize, const C: usize>(
        &self,
        slots: usize,
        columns: ColumnGroups<'a, E, K, C>,
        work: &(impl Fn(usize, ColumnGroups<'a, E, K, C>, &mut T) + Sync),
    ) {
        let plan = self.steering(self.batch);
        self.split_groups(plan, 0..slots, columns, &mut [], &|first, columns, _, scratch| {
            work(first, columns, scratch);
        });
    }

    /// The same of some slots, with batches of another size than usual that begin with the first of
    /// them, and a column of whole numbers beside, which may be empty.
    pub fn for_batches_marked<'a, const K: usize, const C: usize>(
        &self,
        batch: usize,
        slots: Range<usize>,
        columns: ColumnGroups<'a, f32, K, C>,
        marks: &'a mut [u32],
        work: &(impl Fn(usize, ColumnGroups<'a, f32, K, C>, &'a mut [u32], &mut T) + Sync),
    ) {
        self.split_groups(self.steering(batch), slots, columns, marks, work);
    }

    /// As [`for_batches`](Self::for_batches), for work that takes a few nanoseconds a slot: a task
    /// is many batches.
    pub fn sweep<'a, E: Send, const K: usize, const C: usize>(
        &self,
        slots: usize,
        columns: ColumnGroups<'a, E, K, C>,
        work: &(impl Fn(usize, ColumnGroups<'a, E, K, C>, &mut T) + Sync),
    ) {
        self.sweep_within(0..slots, columns, work);
    }

    /// A sweep over some slots.
    pub fn sweep_within<'a, E: Send, const K: usize, const C: usize>(
        &self,
        slots: Range<usize>,
        columns: ColumnGroups<'a, E, K, C>,
        work: &(impl Fn(usize, ColumnGroups<'a, E, K, C>, &mut T) + Sync),
    ) {
        let plan = self.sweeping();
        self.split_groups(plan, slots, columns, &mut [], &|first, columns, _, scratch| {
            work(first, columns, scratch);
        });
    }

    /// A sweep over some slots with a column of whole numbers beside, which may be empty.
    pub fn sweep_marked<'a, const K: usize, const C: usize>(
        &self,
        slots: Range<usize>,
        columns: ColumnGroups<'a, f32, K, C>,
        marks: &'a mut [u32],
        work: &(impl Fn(usize, ColumnGroups<'a, f32, K, C>, &'a mut [u32], &mut T) + Sync),
    ) {
        self.split_groups(self.sweeping(), slots, columns, marks, work);
    }

    /// A task is a batch of this size.
    fn steering(&self, batch: usize) -> SplitPlan {
        SplitPlan { batch, task: batch, brakes: true }
    }

    /// A task is many batches.
    fn sweeping(&self) -> SplitPlan {
        SplitPlan { batch: self.batch, task: self.task(), brakes: false }
    }

    fn split_groups<'a, E: Send, const K: usize, const C: usize>(
        &self,
        plan: SplitPlan,
        slots: Range<usize>,
        columns: ColumnGroups<'a, E, K, C>,
        marks: &'a mut [u32],
        work: &(impl Fn(usize, ColumnGroups<'a, E, K, C>, &'a mut [u32], &mut T) + Sync),
    ) {
        self.split_up(plan, slots, (flat(columns), marks), &|first, (columns, marks), scratch| {
            work(first, grouped(columns), marks, scratch);
        });
    }

    /// From here on nothing depends on what the work is or how many columns it has, so that it is
    /// compiled once for each type of number and not, with all of rayon's own, once for each use.
    #[inline(never)]
    fn split_up<'a, E: Send>(
        &self,
        plan: SplitPlan,
        slots: Range<usize>,
        columns: MarkedColumns<'a, E>,
        work: Batch<'_, 'a, E, T>,
    ) {
        let (first, rows) = (slots.start, columns.cut(slots.start).1.cut(slots.len()).0);
        let few = slots.len() <= plan.task.max(self.batch * ALONE);
        // The calling thread does all batches in one task.
        let task = if few || self.pool.is_caller() { slots.len() } else { plan.task };
        let run = |first, rows| self.run(plan, first, rows, work);
        self.fork(few, Rows { first, task, rows, work: &run }, &no_result);
    }

    /// One batch after the other.
    fn run<'a, E: Send>(
        &self,
        plan: SplitPlan,
        mut first: usize,
        mut rows: MarkedColumns<'a, E>,
        work: Batch<'_, 'a, E, T>,
    ) {
        let thread = if ONE_THREAD { None } else { rayon::current_thread_index() };
        let scratch = &self.scratch[thread.unwrap_or(0) % self.scratch.len()];
        let mut scratch = scratch.lock().unwrap_or_else(|poisoned| {
            // A thread has panicked in the middle of a batch: what is left of it says nothing.
            scratch.clear_poison();
            let mut anew = poisoned.into_inner();
            *anew = T::default();
            anew
        });
        while !(rows.rows() == 0 || plan.brakes && self.brake.is_pulled()) {
            let (batch, rest) = rows.cut(plan.batch);
            work(first, batch, &mut scratch);
            rows = rest;
            first += plan.batch;
        }
    }

    /// Slots of a task that only moves memory about. A flock of no more is sorted by the calling
    /// thread alone.
    pub fn task(&self) -> usize {
        self.batch * SWEEP
    }

    /// Where the threads are.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Calls `work(whether there are several threads)` on one of the threads, or on the calling one
    /// if it is about `few` boids.
    fn on_threads<R: Send>(&self, few: bool, work: impl FnOnce(bool) -> R + Send) -> R {
        let several = !few && !self.pool.is_caller();
        let (mut work, mut result) = (Some(work), None);
        let mut all = || result = work.take().map(|work| work(several));
        if several {
            self.pool.hand_over(&mut all);
        } else if few {
            all();
        } else {
            self.clocked(&mut all);
        }
        result.expect("the work was done")
    }

    /// As [`divide`](Self::divide), with a result; `few` boids are left to the calling thread.
    fn fork<W: Divide>(
        &self,
        few: bool,
        work: W,
        both: &(impl Fn(W::Out, W::Out) -> W::Out + Sync),
    ) -> W::Out {
        self.on_threads(few, |several| fork(several, work, both))
    }

    /// Does all of a work that divides itself. `slots` is how many boids it is about: few are left
    /// to the calling thread.
    pub fn divide<W: Divide<Out = ()>>(&self, slots: usize, work: W) {
        self.fork(slots <= self.task(), work, &no_result);
    }

    /// What `of` finds in ranges of the slots, each a task or a part of one, put together by `both`
    /// in the order of the ranges. Where ranges end depends on the number of slots alone.
    pub fn reduce<R: Send>(
        &self,
        slots: usize,
        of: &(impl Fn(Range<usize>) -> R + Sync),
        both: &(impl Fn(R, R) -> R + Sync),
    ) -> R {
        let task = self.task();
        let work = Rows { first: 0, task, rows: 0..slots, work: &|_, range| of(range) };
        self.fork(slots <= task, work, both)
    }

    /// Lists what `of` finds in ranges of the slots, in their order. It is asked twice: how much
    /// there is, and, if there is any, what. `counts` is room to work in, of at most [`MOST_PARTS`]
    /// numbers; `any` value will do.
    pub fn select<E: Copy + Send, I: Iterator<Item = E>>(
        &self,
        slots: usize,
        of: &(impl Fn(Range<usize>) -> I + Sync),
        counts: &mut Vec<u32>,
        (into, any): (&mut Vec<E>, E),
    ) {
        let part = self.task().max(slots.div_ceil(MOST_PARTS));
        let slots_of = |number: usize| number * part..slots.min((number + 1) * part);
        counts.clear();
        counts.resize(slots.div_ceil(part), 0);
        let count = |number, [counts]: [&mut [u32]; 1]| {
            for count in counts {
                *count = of(slots_of(number)).count() as u32;
            }
        };
        self.divide(slots, Rows { first: 0, task: 1, rows: [&mut counts[..]], work: &count });
        into.resize(counts.iter().map(|&count| count as usize).sum(), any);
        if into.is_empty() {
            return;
        }
        let mut rest = into.as_mut_slice();
        let mut lists: [&mut [E]; MOST_PARTS] = std::array::from_fn(|number| {
            let count = counts.get(number).map_or(0, |&count| count as usize);
            rest.split_off_mut(..count).unwrap_or_default()
        });
        let list = |number, [lists]: [&mut [&mut [E]]; 1]| {
            for list in lists {
                list.iter_mut().zip(of(slots_of(number))).for_each(|(to, found)| *to = found);
            }
        };
        let rows = [&mut lists[..counts.len()]];
        self.divide(slots, Rows { first: 0, task: 1, rows, work: &list });
    }

    /// The calling thread alone.
    pub fn caller() -> Self {
        Self::on(Pool::CALLER.clone(), 1, BATCH)
    }

    /// From now on, on one thread: how long does what several could do together take? See
    /// [`clocked_time`](Self::clocked_time).
    pub fn start_clock(&self) {
        self.clock.on.store(true, Ordering::Relaxed);
    }

    /// Whether that is measured. Work is then divided as for several threads.
    pub fn is_clocked(&self) -> bool {
        self.clock.on.load(Ordering::Relaxed)
    }

    /// How long it has taken since this was last asked.
    pub fn clocked_time(&self) -> Duration {
        Duration::from_nanos(self.clock.nanoseconds.swap(0, Ordering::Relaxed))
    }

    #[inline(never)]
    fn clocked(&self, work: ErasedWork<'_>) {
        if ONE_THREAD || !self.is_clocked() {
            return work();
        }
        let begun = Instant::now();
        work();
        self.clock.nanoseconds.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }
}

/// How slots are divided.
#[derive(Clone, Copy)]
struct SplitPlan {
    /// Slots of one call.
    batch: usize,
    /// Slots of one task, a multiple of `batch`.
    task: usize,
    /// Whether batches that have not begun are left out once the brake is pulled.
    brakes: bool,
}

/// The work on one batch.
type Batch<'w, 'a, E, T> = &'w (dyn Fn(usize, MarkedColumns<'a, E>, &mut T) + Sync);
