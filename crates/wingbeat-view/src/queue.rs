//! Which change to the scene is worked on, and which wait: one at a time, in the order they were
//! asked for. Nothing can interrupt a build, but it need not be waited for: one that takes too long
//! is given up as soon as another change is asked for.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A change that has been worked on for so long is given up when another waits. A million boids are
/// built in about a second.
pub const PATIENCE: Duration = Duration::from_secs(3);

/// Threads that may still work on what was given up. Each may hold as much memory as a flock.
const MOST_GIVEN_UP: usize = 1;

/// Changes that may wait.
const MOST_WAITING: usize = 32;

/// Changes `C`, each with `R`, where its answer goes.
pub struct Queue<C, R> {
    working: Option<Working<R>>,
    waiting: VecDeque<(C, R)>,
    /// Numbers of those that were given up and are still worked on.
    given_up: Vec<u64>,
    last: u64,
}

struct Working<R> {
    number: u64,
    since: Instant,
    reply: R,
}

impl<C, R> Queue<C, R> {
    pub fn new() -> Self {
        Self { working: None, waiting: VecDeque::new(), given_up: Vec::new(), last: 0 }
    }

    /// Puts a change in line. Where too many wait, `reply` comes back with the reason.
    pub fn push(&mut self, change: C, reply: R) -> Result<(), (R, String)> {
        if self.waiting.len() >= MOST_WAITING {
            return Err((reply, format!("{MOST_WAITING} changes are waiting already")));
        }
        self.waiting.push_back((change, reply));
        Ok(())
    }

    /// The change to be worked on from now on, and its number; none while another is worked on.
    pub fn start(&mut self, now: Instant) -> Option<(u64, C)> {
        if self.working.is_some() {
            return None;
        }
        let (change, reply) = self.waiting.pop_front()?;
        self.last += 1;
        self.working = Some(Working { number: self.last, since: now, reply });
        Some((self.last, change))
    }

    /// A change is done: where its answer goes, unless it was given up.
    pub fn finish(&mut self, number: u64) -> Option<R> {
        self.given_up.retain(|&other| other != number);
        self.working.take_if(|working| working.number == number).map(|working| working.reply)
    }

    /// When [`give_up`](Self::give_up) is due, if ever.
    pub fn deadline(&self) -> Option<Instant> {
        let working = self.working.as_ref().filter(|_| !self.waiting.is_empty())?;
        Some(working.since + PATIENCE)
    }

    /// Ends the wait for a change that others have waited for too long; where too many have been
    /// given up already, the wait of those others. Returns where answers go, and which.
    pub fn give_up(&mut self, now: Instant) -> Vec<(R, String)> {
        let seconds = PATIENCE.as_secs();
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return Vec::new();
        }
        if self.given_up.len() >= MOST_GIVEN_UP {
            let line = || {
                "the change before this one takes long, and the one before that: ask again later"
                    .to_string()
            };
            return self.waiting.drain(..).map(|(_, reply)| (reply, line())).collect();
        }
        let working = self.working.take().into_iter().map(|working| {
            self.given_up.push(working.number);
            (
                working.reply,
                format!("given up after {seconds} s, when another change was asked for"),
            )
        });
        working.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_made_one_after_another() {
        let now = Instant::now();
        let mut queue = Queue::new();
        assert!(queue.push("radius", 'a').is_ok() && queue.push("weight", 'b').is_ok());
        assert_eq!(queue.start(now), Some((1, "radius")));
        assert_eq!(queue.start(now), None);
        assert_eq!((queue.finish(7), queue.finish(1), queue.finish(1)), (None, Some('a'), None));
        assert_eq!(queue.start(now), Some((2, "weight")));
        assert_eq!((queue.finish(2), queue.start(now), queue.deadline()), (Some('b'), None, None));
    }

    #[test]
    fn what_takes_long_is_given_up_when_another_waits() {
        let now = Instant::now();
        let late = now + PATIENCE;
        let mut queue = Queue::new();
        assert!(queue.push("endless", 'a').is_ok());
        assert_eq!(queue.start(now), Some((1, "endless")));
        // No other change waits: let it work.
        assert!(queue.deadline().is_none() && queue.give_up(late).is_empty());
        assert!(queue.push("endless too", 'b').is_ok());
        assert_eq!(queue.deadline(), Some(late));
        assert!(queue.give_up(late - Duration::from_millis(1)).is_empty());
        let given_up = queue.give_up(late);
        assert!(
            matches!(&given_up[..], [('a', line)] if line.contains("given up after 3 s")),
            "{given_up:?}"
        );
        assert_eq!(queue.start(late), Some((2, "endless too")));

        // Of two that cannot be stopped no third is made: what comes is refused, and what works may
        // still be done.
        let later = late + PATIENCE;
        assert!(queue.push("quick", 'c').is_ok());
        let refused = queue.give_up(later);
        assert!(matches!(&refused[..], [('c', line)] if line.contains("later")), "{refused:?}");
        assert_eq!(queue.finish(1), None);
        assert!(queue.push("quick", 'd').is_ok());
        assert!(matches!(&queue.give_up(later)[..], [('b', _)]));
        assert_eq!(queue.start(later), Some((3, "quick")));
        assert_eq!((queue.finish(2), queue.finish(3)), (None, Some('d')));
    }

    #[test]
    fn only_so_many_wait() {
        let mut queue = Queue::new();
        assert!((0..MOST_WAITING).all(|i| queue.push(i, i).is_ok()));
        assert!(matches!(queue.push(99, 99), Err((99, line)) if line.contains("32")));
    }
}
