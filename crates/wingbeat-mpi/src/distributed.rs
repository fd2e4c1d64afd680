//! A flock over the ranks of a communicator.

use mpi::topology::Communicator;
use wingbeat::{
    BoidId, Event, Flock, TimeStep,
    subdomain::{CommStats, Subdomain, SubdomainError, Transport},
};

use crate::ranks::Ranks;

/// A flock whose boids are spread over the ranks of a communicator: each steps those in its part of
/// the world, and all together make the bits of the flock in one process.
///
/// All ranks make the same calls in the same order. Those that say *collective* wait for the
/// others; what they return is the same on every rank.
pub struct DistributedFlock<const D: usize> {
    part: Subdomain<D>,
    ranks: Ranks,
}

impl<const D: usize> DistributedFlock<D> {
    /// Spreads a flock that every rank has built alike; each keeps its share. Collective.
    ///
    /// # Errors
    /// When something of the flock cannot be in parts; see [`Subdomain::join`].
    pub fn new(flock: Flock<D>, communicator: &impl Communicator) -> Result<Self, SubdomainError> {
        let mut ranks = Ranks::new(communicator);
        Ok(Self { part: Subdomain::new(flock, &mut ranks)?, ranks })
    }

    /// Spreads a flock of which every rank has other boids, or one rank has all. Collective.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn join(flock: Flock<D>, communicator: &impl Communicator) -> Result<Self, SubdomainError> {
        let mut ranks = Ranks::new(communicator);
        Ok(Self { part: Subdomain::join(flock, &mut ranks)?, ranks })
    }

    /// One step of length `dt`; see [`Flock::step`]. Collective.
    ///
    /// # Errors
    /// When a rank is gone.
    pub fn step(&mut self, dt: TimeStep) -> Result<(), SubdomainError> {
        self.part.step(dt, &mut self.ranks)
    }

    /// The part of this rank.
    pub fn part(&self) -> &Subdomain<D> {
        &self.part
    }

    /// The part of this rank and the ranks, for whatever [`Subdomain`] can do beside.
    pub fn part_mut(&mut self) -> (&mut Subdomain<D>, &mut Ranks) {
        (&mut self.part, &mut self.ranks)
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.part.steps()
    }

    /// Time passed.
    pub fn time(&self) -> f64 {
        self.part.time()
    }

    /// Boids of this rank.
    pub fn len_here(&self) -> usize {
        self.part.len()
    }

    /// Boids of all ranks. Collective.
    ///
    /// # Errors
    /// When a rank is gone.
    pub fn len(&mut self) -> Result<usize, SubdomainError> {
        Ok(self.sum(self.part.len() as u64)? as usize)
    }

    /// Whether there is no boid. Collective.
    ///
    /// # Errors
    /// When a rank is gone.
    pub fn is_empty(&mut self) -> Result<bool, SubdomainError> {
        Ok(self.len()? == 0)
    }

    /// What happened in the last step, as [`Flock::events`] has it. Collective.
    ///
    /// # Errors
    /// When a rank is gone.
    pub fn events(&mut self) -> Result<Vec<Event>, SubdomainError> {
        self.part.events_of_all(&mut self.ranks)
    }

    /// The fingerprint of all boids, that of
    /// [`observe::state_hash`](wingbeat::observe::state_hash). Collective.
    ///
    /// # Errors
    /// When a rank is gone.
    pub fn state_hash(&mut self) -> Result<u64, SubdomainError> {
        let mine = self.part.state_hash();
        self.sum(mine)
    }

    /// Adds a boid and tells its id; see [`Subdomain::add`]. Collective.
    ///
    /// # Errors
    /// As [`Subdomain::add`].
    pub fn add(
        &mut self,
        position: [f32; D],
        velocity: [f32; D],
    ) -> Result<BoidId, SubdomainError> {
        self.part.add(position, velocity, &mut self.ranks)
    }

    /// Removes boids, wherever they are; see [`Subdomain::remove`]. Collective.
    ///
    /// # Errors
    /// As [`Subdomain::remove`].
    pub fn remove(&mut self, ids: &[BoidId]) -> Result<(), SubdomainError> {
        self.part.remove(ids, &mut self.ranks)
    }

    /// The flock in one piece, on one rank; `None` on the others. Collective.
    ///
    /// # Errors
    /// When a rank is gone.
    pub fn whole(&mut self, rank: usize) -> Result<Option<Flock<D>>, SubdomainError> {
        self.part.whole(rank, &mut self.ranks)
    }

    /// Lets `look` see the boids of this rank as a flock of their own.
    pub fn as_flock<R>(&mut self, look: impl FnOnce(&Flock<D>) -> R) -> R {
        self.part.as_flock(look)
    }

    /// Lets `change` set something that is set of every rank alike: parameters, drives, obstacles,
    /// exits.
    pub fn set<R>(&mut self, change: impl FnOnce(&mut Flock<D>) -> R) -> R {
        self.part.set(change)
    }

    /// What this rank has sent to others since it was asked last.
    pub fn take_traffic(&mut self) -> CommStats {
        self.part.take_traffic()
    }

    /// The wrapping sum of a number of every rank.
    fn sum(&mut self, mine: u64) -> Result<u64, SubdomainError> {
        let all = self.ranks.all(&[mine as u32, (mine >> 32) as u32])?;
        let numbers = all.iter().filter_map(|words| words.first_chunk());
        Ok(numbers.fold(0, |sum: u64, &[low, high]| {
            sum.wrapping_add(u64::from(low) | u64::from(high) << 32)
        }))
    }
}
