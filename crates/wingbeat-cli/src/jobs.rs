//! Many jobs at once: each on a thread of its own, or on several where there are fewer jobs than
//! threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use wingbeat_scene::Machine;

use crate::failure::Failure;
use crate::interrupt;

/// How many threads there are to share out.
pub fn threads(machine: &Machine) -> usize {
    machine
        .threads
        .or_else(|| std::thread::available_parallelism().ok().map(Into::into))
        .unwrap_or(1)
}

/// What a lock holds. A thread that panicked while holding it has ended the command's work anyway.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work(job, threads it may use, stop)` for jobs 0 to `jobs`, as many at a time as there are
/// threads. The first failure stops the others and is returned.
///
/// Threads of our own rather than rayon's: a rayon thread that waits for a flock's own pool takes
/// up another job in the meantime, and with it another flock's memory.
pub fn all(
    jobs: usize,
    threads: usize,
    work: impl Fn(usize, usize, &AtomicBool) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let workers = if jobs < threads { jobs } else { threads };
    let (next, stop, failure) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None));
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let own = threads / workers + usize::from(worker < threads % workers);
            let (next, stop, failure, work) = (&next, &stop, &failure, &work);
            scope.spawn(move || {
                loop {
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    if job >= jobs || stop.load(Ordering::Relaxed) || interrupt::requested() {
                        break;
                    }
                    if let Err(refusal) = work(job, own, stop) {
                        stop.store(true, Ordering::Relaxed);
                        locked(failure).get_or_insert(refusal);
                    }
                }
            });
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once_and_threads_are_shared_out() {
        for (jobs, threads) in [(0, 2), (1, 3), (2, 5), (7, 2), (5, 5)] {
            let done = Mutex::new(Vec::new());
            let given = Mutex::new(Vec::new());
            let work = |job, own, _: &AtomicBool| {
                done.lock().expect("a list").push(job);
                given.lock().expect("a list").push(own);
                Ok(())
            };
            all(jobs, threads, work).expect("no failure");
            let mut done = done.into_inner().expect("a list");
            done.sort_unstable();
            assert_eq!(done, (0..jobs).collect::<Vec<_>>());
            let most = given.into_inner().expect("a list").into_iter().max().unwrap_or(1);
            assert!(if jobs < threads {
                (threads / jobs.max(1)..=threads).contains(&most) || jobs == 0
            } else {
                most == 1
            });
        }
    }

    #[test]
    fn the_first_failure_stops_the_rest() {
        let done = AtomicUsize::new(0);
        let failed = all(1000, 1, |job, _, _| {
            done.fetch_add(1, Ordering::Relaxed);
            if job == 3 { Err(Failure::Other("no".into())) } else { Ok(()) }
        });
        assert!(failed.is_err() && done.into_inner() == 4);
    }
}
