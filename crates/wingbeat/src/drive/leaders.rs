//! The leaders of boids, looked up once a step.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use wingbeat_steer::drive::Leader;

use crate::boids::Boids;
use crate::identity::BoidId;
use crate::parallel::Workers;

/// Neither a slot nor a rank.
const NONE: u32 = u32::MAX;

/// The parents of one drive, looked up once a step.
#[derive(Debug, Default)]
pub(super) struct Leaders<const D: usize> {
    /// Of every rank the rank it follows, where boids have parents of their own. Valid until a boid is added or removed.
    parent: Vec<u32>,
    /// The slot of every rank. Threads that each read some slots write it wherever those boids' ranks are.
    slot: Vec<AtomicU32>,
    known: bool,
    /// The rank that boids without a parent of their own follow, and its slot.
    common: Option<u32>,
    common_slot: u32,
}

/// A copy looks everyone up before its next step, as the original does.
impl<const D: usize> Clone for Leaders<D> {
    fn clone(&self) -> Self {
        let slot = self.slot.iter().map(|slot| AtomicU32::new(slot.load(Ordering::Relaxed))).collect();
        Self { parent: self.parent.clone(), slot, ..*self }
    }
}

impl<const D: usize> Leaders<D> {
    /// After a boid was added or removed: ranks have changed.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Looks everyone up.
    pub fn find<T: Default + Send>(&mut self, leader: &Leader, boids: &Boids<D>, workers: &Workers<T>) {
        let rank = |id: u64| boids.rank_of(BoidId::new(id)).ok().map(|rank| rank as u32);
        if !self.known {
            self.common = leader.parent.and_then(rank);
            self.parent.clear();
            if !leader.parents.is_empty() {
                self.parent.resize(boids.len(), self.common.unwrap_or(NONE));
                for &(boid, parent) in &leader.parents {
                    if let Some(boid) = rank(boid) {
                        self.parent[boid as usize] = rank(parent).unwrap_or(NONE);
                    }
                }
            }
            self.known = true;
        }
        let ranks = &boids.front.rank[..boids.len()];
        if self.parent.is_empty() {
            let place = self.common.and_then(|common| {
                let find =
                    |range: Range<usize>| ranks[range.clone()].iter().position(|&rank| rank == common).map(|at| range.start + at);
                workers.reduce(boids.len(), &find, &|left, right| left.or(right))
            });
            self.common_slot = place.map_or(NONE, |slot| slot as u32);
            return;
        }
        self.slot.resize_with(boids.len(), AtomicU32::default);
        let slots = &self.slot;
        let write = |range: Range<usize>| {
            for (slot, &rank) in range.clone().zip(&ranks[range]) {
                slots[rank as usize].store(slot as u32, Ordering::Relaxed);
            }
        };
        workers.reduce(boids.len(), &write, &|(), ()| ());
    }

    /// The slot of the boid that the boid of this rank follows: never its own.
    #[inline(always)]
    pub fn slot_of(&self, rank: u32) -> Option<usize> {
        let parent = if self.parent.is_empty() { self.common.unwrap_or(NONE) } else { self.parent[rank as usize] };
        if parent == NONE || parent == rank {
            return None;
        }
        let slot = if self.parent.is_empty() { self.common_slot } else { self.slot[parent as usize].load(Ordering::Relaxed) };
        Some(slot as usize)
    }
}
