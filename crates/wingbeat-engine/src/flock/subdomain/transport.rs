//! The transport between subdomains: what it has to do, and one for threads of one process.

use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// The other parts of a flock, as one of them sees them. Every part makes the same calls in the
/// same order.
pub trait Transport {
    /// Which of the parts this is, from 0.
    fn rank(&self) -> usize;

    /// How many parts there are.
    fn size(&self) -> usize;

    /// Sends a message to each of the parts, by rank, and waits for theirs: what has come, by rank.
    /// Empty messages need not travel; what a part sends to itself is not sent.
    ///
    /// # Errors
    /// When a part is no longer there.
    fn exchange(&mut self, messages: Vec<Vec<u32>>) -> Result<Vec<Vec<u32>>, PeerLost>;

    /// Tells all parts the same and hears what they tell, by rank; its own included.
    ///
    /// # Errors
    /// When a part is no longer there.
    fn all(&mut self, words: &[u32]) -> Result<Vec<Vec<u32>>, PeerLost> {
        let mut heard = self.exchange(vec![words.to_vec(); self.size()])?;
        heard[self.rank()] = words.to_vec();
        Ok(heard)
    }
}

/// A part of a flock is no longer there: the others cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerLost {
    /// Which, if it is known.
    pub rank: Option<usize>,
}

impl fmt::Display for PeerLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rank {
            Some(rank) => write!(f, "rank {rank} is no longer there"),
            None => write!(f, "a rank is no longer there"),
        }
    }
}

impl std::error::Error for PeerLost {}

/// How long a thread waits for the others before it takes them for lost.
const PATIENCE: Duration = Duration::from_secs(120);

/// Parts that are threads of one process.
#[derive(Debug)]
pub struct ThreadTransport {
    rank: usize,
    to: Vec<Sender<Vec<u32>>>,
    from: Vec<Receiver<Vec<u32>>>,
}

impl ThreadTransport {
    /// So many, each to be given to a thread.
    pub fn new(size: usize) -> Vec<Self> {
        let mut all: Vec<Self> =
            (0..size).map(|rank| Self { rank, to: Vec::new(), from: Vec::new() }).collect();
        for from in 0..size {
            for to in 0..size {
                let (sender, receiver) = channel();
                all[from].to.push(sender);
                all[to].from.push(receiver);
            }
        }
        all
    }
}

impl Transport for ThreadTransport {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn exchange(&mut self, messages: Vec<Vec<u32>>) -> Result<Vec<Vec<u32>>, PeerLost> {
        for (rank, (to, message)) in self.to.iter().zip(messages).enumerate() {
            if rank != self.rank {
                to.send(message).map_err(|_| PeerLost { rank: Some(rank) })?;
            }
        }
        let heard = |(rank, from): (usize, &Receiver<_>)| {
            if rank == self.rank {
                Ok(Vec::new())
            } else {
                from.recv_timeout(PATIENCE).map_err(|_| PeerLost { rank: Some(rank) })
            }
        };
        self.from.iter().enumerate().map(heard).collect()
    }
}
