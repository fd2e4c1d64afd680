//! From numbers to flocks.
//!
//! A number is a place in the table, from 1, and the generation of that place, which grows with
//! every flock that leaves it:
//!
//! ```text
//! generation · 2³² + place
//! ```
//!
//! So a number of a flock that was freed is of no other, until a place has been used 2³² times; it
//! is not used again then.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::status::{Failure, WingbeatStatus, forget};
use crate::types::WingbeatFlock;

/// A flock behind its number, each with a lock of its own, so that two of them step at once.
type Entry<T> = Arc<Mutex<Option<T>>>;

struct Place<T> {
    generation: u32,
    entry: Option<Entry<T>>,
}

/// Flocks by their numbers.
pub(crate) struct Table<T> {
    places: RwLock<Places<T>>,
}

struct Places<T> {
    all: Vec<Place<T>>,
    free: Vec<u32>,
}

impl<T> Table<T> {
    pub const fn new() -> Self {
        Self { places: RwLock::new(Places { all: Vec::new(), free: Vec::new() }) }
    }

    /// Takes a flock in and tells its number.
    pub fn insert(&self, value: T) -> Result<WingbeatFlock, Failure> {
        let entry = Some(Arc::new(Mutex::new(Some(value))));
        // Nothing panics while this lock is held but for want of memory, which ends the program.
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        let index = match places.free.pop() {
            Some(index) => index,
            None => {
                let index = u32::try_from(places.all.len()).ok().filter(|&index| index < u32::MAX);
                let index = index.ok_or_else(|| {
                    Failure::new(WingbeatStatus::WingbeatErrorMachine, "no room for another flock")
                })?;
                places.all.push(Place { generation: 0, entry: None });
                index
            }
        };
        let place = &mut places.all[index as usize];
        place.entry = entry;
        Ok(number(place.generation, index))
    }

    /// Does something with a flock; one call after the other for the same flock.
    ///
    /// If it panics, the flock is dropped: what it computed is in no known state.
    pub fn with<R>(
        &self,
        flock: WingbeatFlock,
        act: impl FnOnce(&mut T) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let entry = self.find(flock)?;
        let mut held = entry.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(value) = held.as_mut() else {
            let text = "the flock was lost to a fault in Wingbeat: allowed is wingbeat_free";
            return Err(Failure::new(WingbeatStatus::WingbeatErrorPanic, text));
        };
        catch_unwind(AssertUnwindSafe(|| act(value))).unwrap_or_else(|what| {
            let failure = Failure::panic(&*what);
            forget(what);
            // Its memory stays, as the host may still read from it.
            std::mem::forget(held.take());
            Err(failure)
        })
    }

    /// Frees a flock. If another thread is at work with it, its memory stays until that is done.
    pub fn remove(&self, flock: WingbeatFlock) -> Result<(), Failure> {
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        let (generation, index) = parts(flock)?;
        let place =
            places.all.get_mut(index as usize).filter(|place| place.generation == generation);
        let Some((entry, place)) = place.and_then(|place| Some((place.entry.take()?, place)))
        else {
            return Err(unknown(flock));
        };
        if let Some(next) = generation.checked_add(1) {
            place.generation = next;
            places.free.push(index);
        }
        drop(places);
        drop(entry);
        Ok(())
    }

    fn find(&self, flock: WingbeatFlock) -> Result<Entry<T>, Failure> {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        let (generation, index) = parts(flock)?;
        let place = places.all.get(index as usize).filter(|place| place.generation == generation);
        place.and_then(|place| place.entry.clone()).ok_or_else(|| unknown(flock))
    }
}

fn number(generation: u32, index: u32) -> WingbeatFlock {
    u64::from(generation) << 32 | (u64::from(index) + 1)
}

fn parts(flock: WingbeatFlock) -> Result<(u32, u32), Failure> {
    let index = (flock as u32).checked_sub(1).ok_or_else(|| unknown(flock))?;
    Ok(((flock >> 32) as u32, index))
}

fn unknown(flock: WingbeatFlock) -> Failure {
    Failure::new(
        WingbeatStatus::WingbeatErrorHandle,
        format!("flock {flock}: allowed is one that was opened and not freed"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status<R>(done: Result<R, Failure>) -> WingbeatStatus {
        done.map_or_else(|failure| failure.status, |_| WingbeatStatus::WingbeatOk)
    }

    #[test]
    fn numbers_that_are_of_no_flock_are_answered() {
        let table = Table::new();
        let first = table.insert(1).expect("room");
        for number in [0, first + 1, first | 1 << 32, u64::MAX, 1 << 32, u64::from(u32::MAX)] {
            assert_eq!(
                status(table.with(number, |_| Ok(()))),
                WingbeatStatus::WingbeatErrorHandle,
                "{number}"
            );
            assert_eq!(
                status(table.remove(number)),
                WingbeatStatus::WingbeatErrorHandle,
                "{number}"
            );
        }
        assert_eq!(table.with(first, |value| Ok(*value)), Ok(1));
    }

    #[test]
    fn a_freed_number_is_never_of_the_next_flock() {
        let table = Table::new();
        let mut old = Vec::new();
        for round in 0..100 {
            let flock = table.insert(round).expect("room");
            assert!(!old.contains(&flock));
            assert_eq!(status(table.remove(flock)), WingbeatStatus::WingbeatOk);
            assert_eq!(status(table.remove(flock)), WingbeatStatus::WingbeatErrorHandle);
            old.push(flock);
        }
        let last = table.insert(100).expect("room");
        assert!(
            old.iter().all(|&flock| status(table.with(flock, |_| Ok(())))
                == WingbeatStatus::WingbeatErrorHandle)
        );
        assert_eq!(table.with(last, |value| Ok(*value)), Ok(100));
    }

    #[test]
    fn a_place_whose_generations_are_used_up_is_left_empty() {
        let table = Table::new();
        let first = table.insert(1).expect("room");
        table.remove(first).expect("it is there");
        table.places.write().expect("no panic").all[0].generation = u32::MAX;
        let last = table.insert(2).expect("room");
        assert_eq!(last, number(u32::MAX, 0));
        table.remove(last).expect("it is there");
        assert_eq!(table.insert(3), Ok(number(0, 1)));
        assert_eq!(status(table.with(last, |_| Ok(()))), WingbeatStatus::WingbeatErrorHandle);
    }

    #[test]
    fn a_flock_that_panics_is_lost_and_others_are_not() {
        let table = Table::new();
        let (one, two) = (table.insert(1).expect("room"), table.insert(2).expect("room"));
        assert_eq!(
            status(table.with(one, |_| -> Result<(), _> { panic!("a fault") })),
            WingbeatStatus::WingbeatErrorPanic
        );
        assert_eq!(status(table.with(one, |_| Ok(()))), WingbeatStatus::WingbeatErrorPanic);
        assert_eq!(table.with(two, |value| Ok(*value)), Ok(2));
        assert_eq!(status(table.remove(one)), WingbeatStatus::WingbeatOk);
        assert_eq!(status(table.remove(one)), WingbeatStatus::WingbeatErrorHandle);
    }

    /// Each waits until the other is inside, which could not be with one lock for all.
    #[test]
    fn two_flocks_are_at_work_at_once() {
        let table = Table::new();
        let flocks = [table.insert(0).expect("room"), table.insert(0).expect("room")];
        let both = std::sync::Barrier::new(2);
        std::thread::scope(|scope| {
            for flock in flocks {
                let (table, both) = (&table, &both);
                scope.spawn(move || {
                    table.with(flock, |_| {
                        both.wait();
                        Ok(())
                    })
                });
            }
        });
    }

    #[test]
    fn one_flock_in_two_threads_is_at_work_once_at_a_time() {
        let table = Table::new();
        let flock = table.insert(0u64).expect("room");
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        let counted = table.with(flock, |value| {
                            *value += 1;
                            Ok(())
                        });
                        counted.expect("it is there");
                    }
                });
            }
        });
        assert_eq!(table.with(flock, |value| Ok(*value)), Ok(20_000));
    }
}
