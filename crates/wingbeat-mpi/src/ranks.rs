//! The parts of a flock as the ranks of an MPI communicator.

use mpi::Count;
use mpi::collective::CommunicatorCollectives;
use mpi::datatype::PartitionMut;
use mpi::point_to_point::{Destination, Source};
use mpi::request::{WaitGuard, scope};
use mpi::topology::{Communicator, SimpleCommunicator};
use wingbeat::subdomain::{PeerLost, Transport};

/// Tags of messages between two ranks; the communicator is a duplicate of the host's, so no other
/// can be meant.
const BOIDS: i32 = 0;

/// MPI counts words in 31 bits: what is longer goes in pieces.
const LONGEST: usize = 1 << 30;

/// Words that travel together with how many there are.
const BLOCK: usize = 16;

/// All ranks of a communicator, each with a part of a flock.
///
/// It makes a duplicate of the communicator for itself (a collective call), so that nothing of the
/// host's own messages is in its way.
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

impl Transport for Ranks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn exchange(&mut self, messages: Vec<Vec<u32>>) -> Result<Vec<Vec<u32>>, PeerLost> {
        let lengths: Vec<u64> = messages.iter().map(|words| words.len() as u64).collect();
        let mut coming = vec![0u64; self.size];
        self.world.all_to_all_into(&lengths[..], &mut coming[..]);
        coming[self.rank] = 0;
        let mut heard: Vec<Vec<u32>> =
            coming.iter().map(|&length| vec![0; length as usize]).collect();
        scope(|scope| {
            let mut under_way = Vec::new();
            for (rank, words) in heard.iter_mut().enumerate() {
                let from = self.world.process_at_rank(rank as i32);
                // Pieces of one sender come in the order in which they were sent.
                for piece in words.chunks_mut(LONGEST) {
                    under_way.push(WaitGuard::from(
                        from.immediate_receive_into_with_tag(scope, piece, BOIDS),
                    ));
                }
            }
            for (rank, words) in messages.iter().enumerate().filter(|(rank, _)| *rank != self.rank)
            {
                let to = self.world.process_at_rank(rank as i32);
                for piece in words.chunks(LONGEST) {
                    under_way
                        .push(WaitGuard::from(to.immediate_send_with_tag(scope, piece, BOIDS)));
                }
            }
            drop(under_way);
        });
        Ok(heard)
    }

    fn all(&mut self, words: &[u32]) -> Result<Vec<Vec<u32>>, PeerLost> {
        // What is short travels with its length; the rest follows where any rank has more.
        let mut block = [0u32; BLOCK];
        let short = words.len().min(BLOCK - 1);
        block[0] = words.len() as u32;
        block[1..=short].copy_from_slice(&words[..short]);
        let mut blocks = vec![0u32; BLOCK * self.size];
        self.world.all_gather_into(&block[..], &mut blocks[..]);
        let mut heard: Vec<Vec<u32>> = blocks
            .chunks_exact(BLOCK)
            .map(|block| block[1..=(block[0] as usize).min(BLOCK - 1)].to_vec())
            .collect();
        let lengths: Vec<Count> = blocks
            .chunks_exact(BLOCK)
            .map(|block| (block[0] as usize).saturating_sub(BLOCK - 1) as Count)
            .collect();
        if lengths.iter().all(|&length| length == 0) {
            return Ok(heard);
        }
        let mut begins = Vec::with_capacity(self.size);
        let mut total = 0;
        for &length in &lengths {
            begins.push(total);
            total += length;
        }
        let mut together = vec![0u32; total as usize];
        {
            let mut parts = PartitionMut::new(&mut together[..], &lengths[..], &begins[..]);
            self.world.all_gather_varcount_into(&words[short..], &mut parts);
        }
        for ((heard, &begin), &length) in heard.iter_mut().zip(&begins).zip(&lengths) {
            heard.extend_from_slice(&together[begin as usize..(begin + length) as usize]);
        }
        Ok(heard)
    }
}
