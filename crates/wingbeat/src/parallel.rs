//! Splitting columns into batches for rayon, without allocating and without regard to the number of
//! threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rayon::slice::ParallelSliceMut;

use crate::FlockError;
use crate::simd::with_default_rounding;

/// Slots a batch holds unless told otherwise: small enough to balance a clump, large enough that a
/// task costs nothing beside it. Results do not depend on it.
pub(crate) const BATCH: usize = 512;

/// Batches of a flock that is stepped on the calling thread alone: waking others takes longer than
/// they save.
const ALONE: usize = 4;

/// Batches of a task that only moves memory about; a steering task is one batch.
const SWEEP: usize = 16;

/// Whether there is but the calling thread, as in a web page: then no pool is started whatever is
/// asked for, and nothing that only threads need is compiled into the module that pages carry.
const ONE_THREAD: bool = cfg!(target_family = "wasm");

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

#[derive(Clone, Debug)]
pub(crate) enum Pool {
    /// The calling thread alone.
    Caller,
    /// rayon's global pool.
    Global,
    /// A pool of the flock's own.
    Own(Arc<rayon::ThreadPool>),
}

impl<T: Default + Send> Workers<T> {
    /// `None`: rayon's global pool; one thread: the caller; more: a pool of their own. Where there
    /// is but one thread, it is the caller.
    pub fn new(threads: Option<usize>, batch: usize) -> Result<Self, FlockError> {
        let pool = match threads {
            _ if ONE_THREAD => Pool::Caller,
            Some(1) => Pool::Caller,
            None => Pool::Global,
            Some(threads) => {
                let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                Pool::Own(Arc::new(
                    built.map_err(|e| FlockError::Threads { threads, reason: e.to_string() })?,
                ))
            }
        };
        Ok(Self::on(pool, batch))
    }

    /// The same threads for another flock, which has scratch space of its own.
    pub fn share(&self) -> Self {
        Self::on(self.pool.clone(), self.batch)
    }

    fn on(pool: Pool, batch: usize) -> Self {
        let brake = Brake::default();
        let mut workers = Self { pool, scratch: Vec::new(), batch, clock: Clock::default(), brake };
        workers.scratch.resize_with(workers.threads(), Mutex::default);
        workers
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
        match &self.pool {
            _ if ONE_THREAD => 1,
            Pool::Caller => 1,
            Pool::Global => rayon::current_num_threads(),
            Pool::Own(pool) => pool.current_num_threads(),
        }
    }

    /// Runs `work` on one of the threads, if they are worth their waking for so many slots. What it
    /// does with the workers in turn then need not cross over again, which a small flock would
    /// feel.
    pub fn enter<R: Send>(&self, slots: usize, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            _ if ONE_THREAD || slots <= self.batch * ALONE => work(),
            Pool::Caller => work(),
            Pool::Global => rayon::join(work, || ()).0,
            Pool::Own(pool) => pool.install(work),
        }
    }

    /// Sorts by the items' own order, which must be total: no two are equal.
    pub fn sort<E: Ord + Send>(&self, items: &mut [E]) {
        match &self.pool {
            _ if ONE_THREAD || items.len() <= self.batch * ALONE => items.sort_unstable(),
            Pool::Caller => self.clocked(|| items.sort_unstable()),
            Pool::Global => items.par_sort_unstable(),
            Pool::Own(pool) => pool.install(|| items.par_sort_unstable()),
        }
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
        self.split_up(
            self.steering(self.batch),
            slots,
            flat(columns),
            &|first, columns, scratch| {
                work(first, grouped(columns), scratch);
            },
        );
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
        let (before, both) = (slots.start, (flat(columns), marks).cut(slots.start).1);
        self.split_up(
            self.steering(batch),
            slots.len(),
            both,
            &|first, (columns, marks), scratch| {
                work(before + first, grouped(columns), marks, scratch);
            },
        );
    }

    /// As [`for_batches`](Self::for_batches), for work that takes a few nanoseconds a slot: a task
    /// is many batches.
    pub fn sweep<'a, E: Send, const K: usize, const C: usize>(
        &self,
        slots: usize,
        columns: ColumnGroups<'a, E, K, C>,
        work: &(impl Fn(usize, ColumnGroups<'a, E, K, C>, &mut T) + Sync),
    ) {
        self.split_up(self.sweeping(), slots, flat(columns), &|first, columns, scratch| {
            work(first, grouped(columns), scratch)
        });
    }

    /// A sweep over some slots.
    pub fn sweep_within<'a, E: Send, const K: usize, const C: usize>(
        &self,
        slots: Range<usize>,
        columns: ColumnGroups<'a, E, K, C>,
        work: &(impl Fn(usize, ColumnGroups<'a, E, K, C>, &mut T) + Sync),
    ) {
        let (before, columns) = (slots.start, flat(columns).cut(slots.start).1);
        self.split_up(self.sweeping(), slots.len(), columns, &|first, columns, scratch| {
            work(before + first, grouped(columns), scratch);
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
        let (before, both) = (slots.start, (flat(columns), marks).cut(slots.start).1);
        self.split_up(self.sweeping(), slots.len(), both, &|first, (columns, marks), scratch| {
            work(before + first, grouped(columns), marks, scratch);
        });
    }

    /// A task is a batch of this size.
    fn steering(&self, batch: usize) -> SplitPlan {
        SplitPlan { batch, task: batch, alone: self.batch * ALONE, brakes: true }
    }

    /// A task is many batches.
    fn sweeping(&self) -> SplitPlan {
        SplitPlan { batch: self.batch, task: self.task(), alone: self.task(), brakes: false }
    }

    /// From here on nothing depends on what the work is or how many columns it has, so that it is
    /// compiled once for each type of number and not, with all of rayon's own, once for each use.
    #[inline(never)]
    fn split_up<C: Cut>(&self, plan: SplitPlan, slots: usize, columns: C, work: Batch<'_, C, T>) {
        let columns = columns.cut(slots).0;
        match &self.pool {
            _ if ONE_THREAD || slots <= plan.alone => self.run(plan, 0, columns, work),
            Pool::Caller => self.clocked(|| self.run(plan, 0, columns, work)),
            Pool::Global => self.split(plan, 0, slots, columns, work),
            Pool::Own(pool) => pool.install(|| self.split(plan, 0, slots, columns, work)),
        }
    }

    fn split<C: Cut>(
        &self,
        plan: SplitPlan,
        first: usize,
        slots: usize,
        columns: C,
        work: Batch<'_, C, T>,
    ) {
        if slots <= plan.task {
            return self.run(plan, first, columns, work);
        }
        let half = slots.div_ceil(2).next_multiple_of(plan.task);
        let (left, right) = columns.cut(half);
        rayon::join(
            || self.split(plan, first, half, left, work),
            || self.split(plan, first + half, slots - half, right, work),
        );
    }

    /// One batch after the other.
    fn run<C: Cut>(
        &self,
        plan: SplitPlan,
        mut first: usize,
        mut columns: C,
        work: Batch<'_, C, T>,
    ) {
        let thread = if ONE_THREAD { None } else { rayon::current_thread_index() };
        let worker = thread.unwrap_or(0) % self.scratch.len();
        let scratch = &self.scratch[worker];
        let mut scratch = scratch.lock().unwrap_or_else(|poisoned| {
            // A thread has panicked in the middle of a batch: what is left of it says nothing.
            scratch.clear_poison();
            let mut anew = poisoned.into_inner();
            *anew = T::default();
            anew
        });
        with_default_rounding(|| {
            while !(columns.is_over() || plan.brakes && self.brake.is_pulled()) {
                let (batch, rest) = columns.cut(plan.batch);
                work(first, batch, &mut scratch);
                columns = rest;
                first += plan.batch;
            }
        });
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

    /// Does all of a work that divides itself. `slots` is how many boids it is about: few are left
    /// to the calling thread.
    pub fn divide<W: Divide>(&self, slots: usize, work: W) {
        match &self.pool {
            _ if ONE_THREAD || slots <= self.task() => alone(work),
            Pool::Caller => self.clocked(|| alone(work)),
            pool => pool.divide(work),
        }
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
        match &self.pool {
            _ if ONE_THREAD || slots <= task => Pool::Caller.reduce(task, slots, of, both),
            Pool::Caller => self.clocked(|| Pool::Caller.reduce(task, slots, of, both)),
            pool => pool.reduce(task, slots, of, both),
        }
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
        let (slots, first) = (0..slots, 0);
        counts.clear();
        counts.resize(slots.len().div_ceil(part), 0);
        self.divide(slots.len(), Counting { of, slots: slots.clone(), part, first, counts });
        into.resize(counts.iter().map(|&count| count as usize).sum(), any);
        if !into.is_empty() {
            self.divide(slots.len(), Listing { of, slots, part, first, counts, into });
        }
    }

    /// The calling thread alone.
    pub fn caller() -> Self {
        Self::on(Pool::Caller, BATCH)
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

    fn clocked<R>(&self, work: impl FnOnce() -> R) -> R {
        if !self.is_clocked() {
            return work();
        }
        let begun = Instant::now();
        let result = work();
        self.clock.nanoseconds.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }
}

impl Pool {
    /// Whether there is only the calling thread.
    pub fn is_caller(&self) -> bool {
        ONE_THREAD || matches!(self, Self::Caller)
    }

    /// Runs `work` on one of the threads, so that what it divides in turn need not wake others each
    /// time.
    pub fn enter<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.both(work, || ()).0
    }

    /// Does two works, at once where there are threads.
    pub fn both<A: Send, B: Send>(
        &self,
        one: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        match self {
            _ if ONE_THREAD => (one(), other()),
            Self::Caller => (one(), other()),
            Self::Global => rayon::join(one, other),
            Self::Own(pool) => pool.install(|| rayon::join(one, other)),
        }
    }

    /// Does all of a work that divides itself.
    pub fn divide<W: Divide>(&self, work: W) {
        match self {
            _ if ONE_THREAD => alone(work),
            Self::Caller => alone(work),
            Self::Global => together(work),
            Self::Own(pool) => pool.install(|| together(work)),
        }
    }

    /// Hands out columns of one length in parts of at most `task` rows, each with the number of its
    /// first row.
    pub fn rows<E: Send, const C: usize>(
        &self,
        task: usize,
        columns: [&mut [E]; C],
        work: &(impl Fn(usize, [&mut [E]; C]) + Sync),
    ) {
        self.divide(RowColumns { first: 0, task, columns, work });
    }

    /// As [`Workers::reduce`], in tasks of so many slots.
    pub fn reduce<R: Send>(
        &self,
        task: usize,
        slots: usize,
        of: &(impl Fn(Range<usize>) -> R + Sync),
        both: &(impl Fn(R, R) -> R + Sync),
    ) -> R {
        let alone = || with_default_rounding(|| reduce_alone(task, 0..slots, of, both));
        match self {
            _ if ONE_THREAD => alone(),
            Self::Caller => alone(),
            Self::Global => reduce_together(task, 0..slots, of, both),
            Self::Own(pool) => pool.install(|| reduce_together(task, 0..slots, of, both)),
        }
    }
}

/// Work that can be divided among threads.
pub(crate) trait Divide: Send + Sized {
    /// Two halves of it, or all of it again where it is one task.
    fn halve(self) -> Result<(Self, Self), Self>;

    /// Does one task.
    fn run(self);
}

/// Rows of columns, from one on.
struct RowColumns<'a, E, F, const C: usize> {
    first: usize,
    task: usize,
    columns: [&'a mut [E]; C],
    work: &'a F,
}

impl<E: Send, F: Fn(usize, [&mut [E]; C]) + Sync, const C: usize> Divide
    for RowColumns<'_, E, F, C>
{
    fn halve(self) -> Result<(Self, Self), Self> {
        let count = self.columns[0].len();
        if count <= self.task {
            return Err(self);
        }
        let Self { first, task, columns, work } = self;
        let half = (count / 2).next_multiple_of(task).min(count - 1);
        let (left, right) = split_all(columns, half);
        Ok((
            Self { first, task, columns: left, work },
            Self { first: first + half, task, columns: right, work },
        ))
    }

    fn run(self) {
        (self.work)(self.first, self.columns);
    }
}

/// Splits all of some columns at a row.
pub(crate) fn split_all<E, const C: usize>(
    columns: [&mut [E]; C],
    at: usize,
) -> ([&mut [E]; C], [&mut [E]; C]) {
    let mut right = columns.map(Some);
    let left = std::array::from_fn(|c| {
        let (left, rest) = right[c].take().unwrap_or_default().split_at_mut(at);
        right[c] = Some(rest);
        left
    });
    (left, right.map(Option::unwrap_or_default))
}

fn alone<W: Divide>(work: W) {
    match work.halve() {
        Ok((left, right)) => {
            alone(left);
            alone(right);
        }
        Err(work) => with_default_rounding(|| work.run()),
    }
}

fn together<W: Divide>(work: W) {
    match work.halve() {
        Ok((left, right)) => {
            rayon::join(|| together(left), || together(right));
        }
        Err(work) => with_default_rounding(|| work.run()),
    }
}

/// Parts of the slots in which something is counted.
struct Counting<'a, F> {
    of: &'a F,
    /// All slots.
    slots: Range<usize>,
    part: usize,
    /// The first of these parts.
    first: usize,
    counts: &'a mut [u32],
}

/// The slots of a part.
fn slots_of(part: usize, number: usize, slots: &Range<usize>) -> Range<usize> {
    number * part..slots.end.min((number + 1) * part)
}

impl<I: Iterator, F: Fn(Range<usize>) -> I + Sync> Divide for Counting<'_, F> {
    fn halve(self) -> Result<(Self, Self), Self> {
        if self.counts.len() <= 1 {
            return Err(self);
        }
        let Self { of, slots, part, first, counts } = self;
        let half = counts.len() / 2;
        let (left, right) = counts.split_at_mut(half);
        let left = Self { of, slots: slots.clone(), part, first, counts: left };
        Ok((left, Self { of, slots, part, first: first + half, counts: right }))
    }

    fn run(self) {
        for count in self.counts {
            *count = (self.of)(slots_of(self.part, self.first, &self.slots)).count() as u32;
        }
    }
}

/// Parts of the slots of which something is listed.
struct Listing<'a, E, F> {
    of: &'a F,
    slots: Range<usize>,
    part: usize,
    first: usize,
    counts: &'a [u32],
    into: &'a mut [E],
}

impl<E: Send, I: Iterator<Item = E>, F: Fn(Range<usize>) -> I + Sync> Divide for Listing<'_, E, F> {
    fn halve(self) -> Result<(Self, Self), Self> {
        if self.counts.len() <= 1 {
            return Err(self);
        }
        let Self { of, slots, part, first, counts, into } = self;
        let half = counts.len() / 2;
        let (left, right) = counts.split_at(half);
        let (left_into, right_into) =
            into.split_at_mut(left.iter().map(|&count| count as usize).sum());
        let left = Self { of, slots: slots.clone(), part, first, counts: left, into: left_into };
        Ok((left, Self { of, slots, part, first: first + half, counts: right, into: right_into }))
    }

    fn run(self) {
        let found = (self.of)(slots_of(self.part, self.first, &self.slots));
        self.into.iter_mut().zip(found).for_each(|(into, found)| *into = found);
    }
}

/// Where a range is cut in two, at a multiple of the task; `None` if it is one.
fn cut(task: usize, range: &Range<usize>) -> Option<usize> {
    (range.len() > task).then(|| range.start + range.len().div_ceil(2).next_multiple_of(task))
}

fn reduce_alone<R>(
    task: usize,
    range: Range<usize>,
    of: &impl Fn(Range<usize>) -> R,
    both: &impl Fn(R, R) -> R,
) -> R {
    match cut(task, &range) {
        Some(at) => both(
            reduce_alone(task, range.start..at, of, both),
            reduce_alone(task, at..range.end, of, both),
        ),
        None => of(range),
    }
}

fn reduce_together<R: Send>(
    task: usize,
    range: Range<usize>,
    of: &(impl Fn(Range<usize>) -> R + Sync),
    both: &(impl Fn(R, R) -> R + Sync),
) -> R {
    match cut(task, &range) {
        Some(at) => {
            let (left, right) = rayon::join(
                || reduce_together(task, range.start..at, of, both),
                || reduce_together(task, at..range.end, of, both),
            );
            both(left, right)
        }
        None => with_default_rounding(|| of(range)),
    }
}

/// How slots are divided.
#[derive(Clone, Copy)]
struct SplitPlan {
    /// Slots of one call.
    batch: usize,
    /// Slots of one task, a multiple of `batch`.
    task: usize,
    /// Up to so many slots the calling thread does it all.
    alone: usize,
    /// Whether batches that have not begun are left out once the brake is pulled.
    brakes: bool,
}

/// K groups of C columns, of which all have the same length.
pub(crate) type ColumnGroups<'a, E, const K: usize, const C: usize> = [[&'a mut [E]; C]; K];

/// Most columns of one call.
const MOST: usize = 6;

/// Columns one after the other; unused ones are empty.
type Flat<'a, E> = [&'a mut [E]; MOST];

/// What to do with a batch.
type Batch<'w, C, T> = &'w (dyn Fn(usize, C, &mut T) + Sync);

fn flat<E, const K: usize, const C: usize>(columns: ColumnGroups<'_, E, K, C>) -> Flat<'_, E> {
    const { assert!(K * C <= MOST && K * C > 0) };
    let mut columns = columns.into_iter().flatten();
    std::array::from_fn(|_| columns.next().unwrap_or_default())
}

fn grouped<E, const K: usize, const C: usize>(columns: Flat<'_, E>) -> ColumnGroups<'_, E, K, C> {
    let mut columns = columns.into_iter();
    std::array::from_fn(|_| std::array::from_fn(|_| columns.next().unwrap_or_default()))
}

/// Columns of one length that can be cut at a row.
trait Cut: Send + Sized {
    fn cut(self, at: usize) -> (Self, Self);

    fn is_over(&self) -> bool;
}

impl<E: Send> Cut for Flat<'_, E> {
    fn cut(self, at: usize) -> (Self, Self) {
        let mut right = Self::default();
        let mut left = Self::default();
        for ((column, left), right) in self.into_iter().zip(&mut left).zip(&mut right) {
            (*left, *right) = column.split_at_mut(at.min(column.len()));
        }
        (left, right)
    }

    fn is_over(&self) -> bool {
        self[0].is_empty()
    }
}

impl<C: Cut> Cut for (C, &mut [u32]) {
    fn cut(self, at: usize) -> (Self, Self) {
        let (columns, marks) = self;
        let ((left, right), (marked, rest)) =
            (columns.cut(at), marks.split_at_mut(at.min(marks.len())));
        ((left, marked), (right, rest))
    }

    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}

/// `to[i] = from[order[i]]`.
pub(crate) fn pick<E: Copy>(from: &[E], to: &mut [E], order: &[u32]) {
    for (to, &slot) in to.iter_mut().zip(order) {
        *to = from[slot as usize];
    }
}
