//! The parts of a flock as the ranks of an MPI communicator.

use mpi::Count;
use mpi::collective::CommunicatorCollectives;
use mpi::datatype::PartitionMut;
use mpi::point_to_point::{Destination, Source};
use mpi::request::{WaitGuard, scope};
use mpi::topology::{Communicator, SimpleCommunicator};
use wingbeat::{PeerLost, Peers};

/// Tags of messages between two ranks; the communicator is a duplicate of the host's, so no other can be meant.
const BOIDS: i32 = 0;

/// All ranks of a communicator, each with a part of a flock.
///
/// It makes a duplicate of the communicator for itself (a collective call), so that nothing of the host's own messages is in its way.
pub struct Ranks {
    world: SimpleCommunicator,
    rank: usize,
    size: usize,
}

impl Ranks {
    /// The ranks of a communicator.
    pub fn new(communicator: &impl Communicator) -> Self {
        let world = communicator.duplicate();
        let (rank, size) = (world.rank() as usize, world.size() as usize);
        Self { world, rank, size }
    }

    /// Where messages go.
    pub fn communicator(&self) -> &SimpleCommunicator {
        &self.world
    }
}

impl Peers for Ranks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn exchange(&mut self, messages: Vec<Vec<u32>>) -> Result<Vec<Vec<u32>>, PeerLost> {
        // A part of 2³¹ words would be of more boids than there may be.
        let lengths: Vec<Count> = messages.iter().map(|words| words.len() as Count).collect();
        let mut coming = vec![0 as Count; self.size];
        self.world.all_to_all_into(&lengths[..], &mut coming[..]);
        let mut heard: Vec<Vec<u32>> = coming.iter().map(|&length| vec![0; length as usize]).collect();
        heard[self.rank].clear();
        let is_other = |rank: usize| rank != self.rank;
        scope(|scope| {
            let mut under_way = Vec::new();
            for (rank, words) in heard.iter_mut().enumerate().filter(|(rank, words)| is_other(*rank) && !words.is_empty()) {
                let from = self.world.process_at_rank(rank as i32);
                under_way.push(WaitGuard::from(from.immediate_receive_into_with_tag(scope, &mut words[..], BOIDS)));
            }
            for (rank, words) in messages.iter().enumerate().filter(|(rank, words)| is_other(*rank) && !words.is_empty()) {
                let to = self.world.process_at_rank(rank as i32);
                under_way.push(WaitGuard::from(to.immediate_send_with_tag(scope, &words[..], BOIDS)));
            }
            drop(under_way);
        });
        Ok(heard)
    }

    fn all(&mut self, words: &[u32]) -> Result<Vec<Vec<u32>>, PeerLost> {
        let mut lengths = vec![0 as Count; self.size];
        self.world.all_gather_into(&(words.len() as Count), &mut lengths[..]);
        let mut begins = Vec::with_capacity(self.size);
        let mut total = 0;
        for &length in &lengths {
            begins.push(total);
            total += length;
        }
        let mut together = vec![0u32; total as usize];
        {
            let mut parts = PartitionMut::new(&mut together[..], &lengths[..], &begins[..]);
            self.world.all_gather_varcount_into(words, &mut parts);
        }
        let part = |(&begin, &length): (&Count, &Count)| together[begin as usize..(begin + length) as usize].to_vec();
        Ok(begins.iter().zip(&lengths).map(part).collect())
    }
}
