//! The leaders of boids, looked up once a step.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use wingbeat_steer::drive::Leader;

use crate::columns::boids::Boids;
use crate::identity::BoidId;
use crate::parallel::Workers;

/// Neither a slot nor a rank.
const NONE: u32 = u32::MAX;

/// The parents of one drive, looked up once a step.
#[derive(Debug, Default)]
pub(super) struct Leaders<const D: usize> {
    /// Of every rank the rank it follows, where boids have parents of their own. Valid until a boid
    /// is added or removed.
    parent: Vec<u32>,
    /// The slot of every rank. Threads that each read some slots write it wherever those boids'
    /// ranks are.
    slot: Vec<AtomicU32>,
    known: bool,
    /// The rank that boids without a parent of their own follow, and its slot.
    common: Option<u32>,
    common_slot: u32,
    /// In a subdomain: leaders of boids, and where they are.
    known_here: Option<KnownHere>,
}

/// Leaders in a subdomain, where most are elsewhere: by ascending ranks, which boids
/// keep.
#[derive(Clone, Debug, Default)]
struct KnownHere {
    parents: Vec<(u32, u32)>,
    slots: Vec<(u32, u32)>,
}

/// The ranks of those that are followed, ascending.
pub(super) fn followed<const D: usize>(leader: &Leader, boids: &Boids<D>) -> Vec<u32> {
    let parents = leader.parents.iter().map(|&(_, parent)| parent);
    let rank = |id: u64| boids.rank_of(BoidId::new(id)).ok();
    let mut ranks: Vec<u32> =
        parents.chain(leader.parent).filter_map(rank).map(|rank| rank as u32).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

/// A copy looks everyone up before its next step, as the original does.
impl<const D: usize> Clone for Leaders<D> {
    fn clone(&self) -> Self {
        let slot =
            self.slot.iter().map(|slot| AtomicU32::new(slot.load(Ordering::Relaxed))).collect();
        Self { parent: self.parent.clone(), slot, known_here: self.known_here.clone(), ..*self }
    }
}

impl<const D: usize> Leaders<D> {
    /// After a boid was added or removed: ranks have changed.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Looks everyone up.
    pub fn find<T: Default + Send>(
        &mut self,
        leader: &Leader,
        boids: &Boids<D>,
        workers: &Workers<T>,
    ) {
        if boids.part.is_some() {
            return self.find_here(leader, boids);
        }
        self.known_here = None;
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
                let find = |range: Range<usize>| {
                    ranks[range.clone()]
                        .iter()
                        .position(|&rank| rank == common)
                        .map(|at| range.start + at)
                };
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

    /// The same in a part of a flock.
    fn find_here(&mut self, leader: &Leader, boids: &Boids<D>) {
        let known = self.known_here.get_or_insert_default();
        if !self.known {
            let rank = |id: u64| boids.rank_of(BoidId::new(id)).map_or(NONE, |rank| rank as u32);
            self.common = leader.parent.map(rank);
            known.parents.clear();
            known
                .parents
                .extend(leader.parents.iter().map(|&(boid, parent)| (rank(boid), rank(parent))));
            // Of several, the last one counts.
            known.parents.reverse();
            known.parents.sort_by_key(|&(boid, _)| boid);
            known.parents.dedup_by_key(|(boid, _)| *boid);
            self.known = true;
        }
        let followed = followed(leader, boids);
        let ranks = (0..).zip(&boids.front.rank[..boids.len()]);
        known.slots.clear();
        known.slots.extend(
            ranks
                .filter(|(_, rank)| followed.binary_search(rank).is_ok())
                .map(|(slot, &rank)| (rank, slot)),
        );
        known.slots.sort_unstable();
    }

    /// The slot of the boid that the boid of this rank follows: never its own.
    #[inline(always)]
    pub fn slot_of(&self, rank: u32) -> Option<usize> {
        if let Some(known) = &self.known_here {
            return self.slot_here(known, rank);
        }
        let parent = if self.parent.is_empty() {
            self.common.unwrap_or(NONE)
        } else {
            self.parent[rank as usize]
        };
        if parent == NONE || parent == rank {
            return None;
        }
        let slot = if self.parent.is_empty() {
            self.common_slot
        } else {
            self.slot[parent as usize].load(Ordering::Relaxed)
        };
        Some(slot as usize)
    }

    #[cold]
    fn slot_here(&self, known: &KnownHere, rank: u32) -> Option<usize> {
        let own = known
            .parents
            .binary_search_by_key(&rank, |&(boid, _)| boid)
            .ok()
            .map(|at| known.parents[at].1);
        let parent = own.or(self.common).filter(|&parent| parent != rank)?;
        let at = known.slots.binary_search_by_key(&parent, |&(id, _)| id).ok()?;
        Some(known.slots[at].1 as usize)
    }
}
