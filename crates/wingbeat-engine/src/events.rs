//! Events of a step: captures, arrivals, exits, entries.

use std::ops::Range;

use crate::parallel::{MOST_PARTS, Workers};
use wingbeat_steer::{DriveId, ExitId, SourceId};

use crate::BoidId;

/// Something that happened to a boid in a step; see [`Flock::events`](crate::Flock::events).
///
/// Events come in the order of their kinds here, those of a kind by the ids of their boids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Event {
    /// A boid caught the one it pursued, which is no more.
    Captured {
        /// Who did.
        captor: BoidId,
        /// The boid.
        prey: BoidId,
    },
    /// A boid has come within the arrival radius of a goal, once for each goal.
    Arrived {
        /// Who.
        boid: BoidId,
        /// The goal's drive.
        drive: DriveId,
    },
    /// A boid has left the flock by an exit.
    Exited {
        /// Who.
        boid: BoidId,
        /// The exit.
        exit: ExitId,
    },
    /// An obstacle overlaps a boid that has no room to give way: other bodies leave none, or no
    /// straight way past obstacles at rest leads to a free place. One event for every step that
    /// ends so.
    Squeezed {
        /// Who is.
        boid: BoidId,
    },
    /// A boid has gone out of an [absorbing](crate::steer::Boundary::Absorbing) domain, and so out
    /// of the flock.
    Left {
        /// Who.
        boid: BoidId,
    },
    /// A boid has come to the flock.
    Entered {
        /// Who, by its new id.
        boid: BoidId,
        /// Its source.
        source: SourceId,
    },
}

impl Event {
    /// Its kind, then two numbers of 64 bits, the lower half of each first.
    pub(crate) fn words(&self) -> [u32; 5] {
        let (kind, one, other) = match *self {
            Self::Captured { captor, prey } => (0, captor.get(), prey.get()),
            Self::Arrived { boid, drive } => (1, boid.get(), drive.get() as u64),
            Self::Exited { boid, exit } => (2, boid.get(), exit.get() as u64),
            Self::Squeezed { boid } => (3, boid.get(), 0),
            Self::Left { boid } => (4, boid.get(), 0),
            Self::Entered { boid, source } => (5, boid.get(), source.get() as u64),
        };
        [kind, one as u32, (one >> 32) as u32, other as u32, (other >> 32) as u32]
    }

    /// What has these words, if any event does.
    pub(crate) fn of_words(words: &[u32]) -> Option<Self> {
        let &[kind, low, high, other_low, other_high] = words else { return None };
        let number = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let (boid, other) = (BoidId::new(number(low, high)), number(other_low, other_high));
        let place = other as usize;
        Some(match kind {
            0 => Self::Captured { captor: boid, prey: BoidId::new(other) },
            1 => Self::Arrived { boid, drive: DriveId::new(place) },
            2 => Self::Exited { boid, exit: ExitId::new(place) },
            3 => Self::Squeezed { boid },
            4 => Self::Left { boid },
            5 => Self::Entered { boid, source: SourceId::new(place) },
            _ => return None,
        })
    }
}

/// The events of a step so far, and the boids that are gone because of them; they leave the columns
/// together when all is told.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepEvents {
    pub events: Vec<Event>,
    /// Each once, in no order.
    gone: Vec<BoidId>,
    /// The first so many were captured; they ascend.
    captured: usize,
    found: Vec<u32>,
    counts: Vec<u32>,
}

/// Boids to which something happens in one step that room is made for beforehand.
const MOSTLY: usize = 1024;

impl StepEvents {
    /// A new step begins.
    pub fn clear(&mut self) {
        self.events.clear();
        self.gone.clear();
        self.captured = 0;
    }

    /// Once, before the first of a kind of event can come: room for as many as mostly happen in one
    /// step.
    pub fn make_room(&mut self, slots: usize) {
        if self.events.capacity() == 0 {
            let room = slots.min(MOSTLY);
            self.events.reserve(room);
            self.gone.reserve(room);
            self.found.reserve(room);
            self.counts.reserve(MOST_PARTS);
        }
    }

    /// The slots for which something holds, ascending; the list is to be [put
    /// back](Self::put_back).
    pub fn find<T: Default + Send>(
        &mut self,
        slots: usize,
        holds: impl Fn(usize) -> bool + Sync,
        workers: &Workers<T>,
    ) -> Vec<u32> {
        let (holds, mut found) = (&holds, std::mem::take(&mut self.found));
        let those =
            |range: Range<usize>| range.filter(move |&slot| holds(slot)).map(|slot| slot as u32);
        workers.select(slots, &those, &mut self.counts, (&mut found, 0));
        found
    }

    pub fn put_back(&mut self, found: Vec<u32>) {
        self.found = found;
    }

    /// Each prey is named once, by the first of its captors.
    pub fn captured(&mut self, captor: BoidId, prey: BoidId) {
        self.events.push(Event::Captured { captor, prey });
        self.gone.push(prey);
    }

    /// A boid that is captured has no part in what follows; a boid that arrives may still arrive
    /// elsewhere in the same step.
    pub fn captures_are_told(&mut self) {
        self.settle();
        self.captured = self.gone.len();
    }

    pub fn arrived(&mut self, boid: BoidId, drive: DriveId, leaves: bool) {
        if self.gone[..self.captured].binary_search(&boid).is_err() {
            self.events.push(Event::Arrived { boid, drive });
            if leaves {
                self.gone.push(boid);
            }
        }
    }

    /// The events of boids in exits, from the given place on.
    pub fn told_from(&self, begun: usize) -> &[Event] {
        &self.events[begun..]
    }

    /// Those that are in an exit, in any order, each with the exit's place: noted from the returned
    /// place on, by ascending ids, as if all left.
    pub fn inside_exits(&mut self, who: impl Iterator<Item = (BoidId, ExitId)>) -> usize {
        self.settle();
        let (events, gone) = (&mut self.events, &self.gone);
        let begun = events.len();
        let living = who.filter(|(boid, _)| gone.binary_search(boid).is_err());
        events.extend(living.map(|(boid, exit)| Event::Exited { boid, exit }));
        events[begun..].sort_unstable();
        begun
    }

    /// Of those noted from there on, boids that are let out have left; the others get no event.
    pub fn exited(&mut self, begun: usize, mut lets_out: impl FnMut(ExitId) -> bool) {
        let mut end = begun;
        for place in begun..self.events.len() {
            if let Event::Exited { exit, .. } = self.events[place]
                && lets_out(exit)
            {
                self.events.swap(end, place);
                end += 1;
            }
        }
        self.events.truncate(end);
        self.leave(begun);
    }

    /// A boid that is in the flock from now on.
    pub fn entered(&mut self, boid: BoidId, source: SourceId) {
        self.events.push(Event::Entered { boid, source });
    }

    /// Those that obstacles squeeze, ascending.
    pub fn squeezed(&mut self, who: impl Iterator<Item = BoidId>) {
        self.settle();
        let begun = self.events.len();
        let (events, gone) = (&mut self.events, &self.gone);
        events.extend(
            who.filter(|boid| gone.binary_search(boid).is_err())
                .map(|boid| Event::Squeezed { boid }),
        );
        events[begun..].sort_unstable();
    }

    /// Every boid that is outside, in any order.
    pub fn left(&mut self, outside: impl Iterator<Item = BoidId>) {
        self.settle();
        let (events, gone) = (&mut self.events, &self.gone);
        let begun = events.len();
        events.extend(
            outside
                .filter(|boid| gone.binary_search(boid).is_err())
                .map(|boid| Event::Left { boid }),
        );
        events[begun..].sort_unstable();
        self.leave(begun);
    }

    /// The boids of the events from the given one on are gone.
    fn leave(&mut self, begun: usize) {
        let left = self.events[begun..].iter().map(|event| match *event {
            Event::Left { boid }
            | Event::Arrived { boid, .. }
            | Event::Exited { boid, .. }
            | Event::Squeezed { boid }
            | Event::Entered { boid, .. }
            | Event::Captured { prey: boid, .. } => boid,
        });
        self.gone.extend(left);
    }

    /// Those that are gone, each once.
    pub fn gone(&mut self) -> &[BoidId] {
        self.settle();
        &self.gone
    }

    fn settle(&mut self) {
        self.gone.sort_unstable();
        self.gone.dedup();
    }
}
