//! Fork and join on the threads of a flock. Work halves itself down to its tasks: where, depends on
//! its size alone. Results are joined pairwise, as the work was halved.

use std::ops::Range;
use std::sync::Arc;

use super::rows::Cut;
use crate::simd::with_default_rounding;

/// Whether there is but the calling thread, as in a web page: then no pool is started whatever is
/// asked for, and nothing that only threads need is compiled into the module that pages carry.
pub(super) const ONE_THREAD: bool = cfg!(target_family = "wasm");

/// Threads that share work.
#[derive(Clone, Debug)]
pub struct Pool(Threads);

#[derive(Clone, Debug)]
enum Threads {
    Caller,
    Global,
    Own(Arc<rayon::ThreadPool>),
}

impl Pool {
    /// The calling thread alone.
    pub const CALLER: &Self = &Self(Threads::Caller);
    /// rayon's global pool.
    pub const GLOBAL: &Self = &Self(Threads::Global);

    /// A pool of the flock's own.
    pub(super) fn own(pool: Arc<rayon::ThreadPool>) -> Self {
        Self(Threads::Own(pool))
    }

    /// Whether there is only the calling thread.
    pub fn is_caller(&self) -> bool {
        ONE_THREAD || matches!(self.0, Threads::Caller)
    }

    /// Calls `work(whether there are several threads)` on one of the threads.
    pub(super) fn on_threads<R: Send>(&self, work: impl FnOnce(bool) -> R + Send) -> R {
        let several = !self.is_caller();
        let (mut work, mut result) = (Some(work), None);
        let mut all = || result = work.take().map(|work| work(several));
        if several {
            self.hand_over(&mut all)
        } else {
            all()
        }
        result.expect("the work was done")
    }

    /// Does a work on one of the threads.
    #[inline(never)]
    pub(super) fn hand_over(&self, work: ErasedWork<'_>) {
        match &self.0 {
            Threads::Own(pool) => pool.install(work),
            // A thread of the pool need not wake another to enter it.
            Threads::Global if rayon::current_thread_index().is_none() => {
                rayon::join(work, || ()).0
            }
            _ => work(),
        }
    }

    /// Runs `work` on one of the threads, so that what it divides in turn need not wake others each
    /// time.
    pub fn enter<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.on_threads(|_| work())
    }

    /// Does two works, at once where there are threads.
    pub fn both<A: Send, B: Send>(
        &self,
        one: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        let (mut works, mut results) = ((Some(one), Some(other)), (None, None));
        self.on_threads(|several| {
            join(several, &mut || results.0 = works.0.take().map(|work| work()), &mut || {
                results.1 = works.1.take().map(|work| work())
            });
        });
        match results {
            (Some(one), Some(other)) => (one, other),
            _ => unreachable!("both works were done"),
        }
    }

    /// Does all of a work that divides itself.
    pub fn divide<W: Divide<Out = ()>>(&self, work: W) {
        self.on_threads(|several| fork(several, work, &no_result));
    }

    /// Hands out columns of one length in parts of at most `task` rows, each with the number of its
    /// first row.
    pub fn rows<E: Send, const C: usize>(
        &self,
        task: usize,
        columns: [&mut [E]; C],
        work: &(impl Fn(usize, [&mut [E]; C]) + Sync),
    ) {
        self.divide(Rows { first: 0, task, rows: columns, work });
    }

    /// As [`Workers::reduce`](super::Workers::reduce), in tasks of so many slots.
    pub fn reduce<R: Send>(
        &self,
        task: usize,
        slots: usize,
        of: &(impl Fn(Range<usize>) -> R + Sync),
        both: &(impl Fn(R, R) -> R + Sync),
    ) -> R {
        let work = Rows { first: 0, task, rows: 0..slots, work: &|_, range| of(range) };
        self.on_threads(|several| fork(several, work, both))
    }
}

/// Work that can be divided among threads.
pub trait Divide: Send + Sized {
    /// The result of a task.
    type Out: Send;

    /// Two halves of it, or all of it again where it is one task.
    fn halve(self) -> Result<(Self, Self), Self>;

    /// Does one task.
    fn run(self) -> Self::Out;
}

/// Does a work task by task, the halves at once if there are several threads. `both` joins the
/// results of two halves.
pub(super) fn fork<W: Divide>(
    several: bool,
    work: W,
    both: &(impl Fn(W::Out, W::Out) -> W::Out + Sync),
) -> W::Out {
    match work.halve() {
        Ok((left, right)) => {
            let (mut halves, mut results) = ([Some(left), Some(right)], [None, None]);
            let [one, other] = &mut halves;
            let [left, right] = &mut results;
            join(
                several,
                &mut || *left = one.take().map(|work| fork(several, work, both)),
                &mut || *right = other.take().map(|work| fork(several, work, both)),
            );
            match results {
                [Some(left), Some(right)] => with_default_rounding(|| both(left, right)),
                _ => unreachable!("both halves were done"),
            }
        }
        Err(work) => with_default_rounding(|| work.run()),
    }
}

/// Joins halves that have no result.
pub(super) fn no_result((): (), (): ()) {}

/// A work that is done once, its type forgotten, so that rayon's own part of it is compiled once
/// and not for each work there is.
pub(super) type ErasedWork<'a> = &'a mut (dyn FnMut() + Send);

/// Does two works, at once if there are several threads.
#[inline(never)]
fn join(several: bool, one: ErasedWork<'_>, other: ErasedWork<'_>) {
    if ONE_THREAD || !several {
        one();
        other();
    } else {
        rayon::join(one, other);
    }
}

/// Rows for which `work(number of the first, rows)` is called in tasks of so many; each begins at a
/// multiple of that.
pub(super) struct Rows<'a, C, F> {
    pub first: usize,
    pub task: usize,
    pub rows: C,
    pub work: &'a F,
}

impl<C: Cut, R: Send, F: Fn(usize, C) -> R + Sync> Divide for Rows<'_, C, F> {
    type Out = R;

    fn halve(self) -> Result<(Self, Self), Self> {
        let count = self.rows.rows();
        if count <= self.task {
            return Err(self);
        }
        let Self { first, task, rows, work } = self;
        let half = count.div_ceil(2).next_multiple_of(task);
        let (left, right) = rows.cut(half);
        Ok((
            Self { first, task, rows: left, work },
            Self { first: first + half, task, rows: right, work },
        ))
    }

    fn run(self) -> R {
        (self.work)(self.first, self.rows)
    }
}
