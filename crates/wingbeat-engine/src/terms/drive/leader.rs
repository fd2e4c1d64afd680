//! Leader in lanes: the leaders of boids are looked up once a step.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use wingbeat_steer::drive::Leader;

use crate::columns::boids::Boids;
use crate::identity::BoidId;
use crate::parallel::Workers;
use crate::simd::{MAX_LANES, Simd, Vectors};
use crate::terms::drive::{DriveLanes, InLanes, LaneDrive};

/// Neither a slot nor a rank.
const NONE: u32 = u32::MAX;

#[derive(Clone)]
pub(crate) struct LeaderLanes {
    leader: Leader,
    pub(super) leaders: Leaders,
}

impl InLanes for Leader {
    type Lanes = LeaderLanes;

    fn in_lanes(self) -> LeaderLanes {
        LeaderLanes { leader: self, leaders: Leaders::default() }
    }
}

impl<const D: usize> LaneDrive<D> for LeaderLanes {
    fn begin_step<T: Default + Send>(&mut self, boids: &Boids<D>, _: f64, workers: &Workers<T>) {
        self.leaders.find(&self.leader, boids, workers);
    }

    #[inline(always)]
    fn lane_force<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        let (position, velocity, has) = self.parents(s, lanes);
        let way = lanes.way_to(s, position);
        let force = match self.leader.distance {
            None => way.unit(s),
            Some(distance) => {
                let (heading, _) = velocity.heading(s);
                lanes.arrive(s, way - heading * s.splat(distance), s.splat(distance))
            }
        };
        force.or_zero(s, has)
    }

    #[inline(always)]
    fn waiting<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        if self.leader.distance.is_none() {
            return Vectors::zero(s);
        }
        lanes.stop(s).or_zero(s, self.parents(s, lanes).2)
    }
}

impl LeaderLanes {
    /// Whether boids look at their leaders.
    pub fn looks(&self) -> bool {
        self.leader.looks
    }

    /// Positions and velocities of the leaders, and lanes that have one.
    #[inline(always)]
    pub fn parents<S: Simd, const D: usize>(
        &self,
        s: S,
        lanes: &DriveLanes<'_, S, D>,
    ) -> (Vectors<S, D>, Vectors<S, D>, S::M) {
        let (mut position, mut velocity) = ([[0.0; MAX_LANES]; D], [[0.0; MAX_LANES]; D]);
        let (boids, mut has) = (lanes.driving.boids, 0);
        for lane in 0..lanes.block.count {
            let rank = lanes.flock.identity.rank[lanes.block.lane_slots.slot(lane)];
            let Some(slot) = self.leaders.slot_of(rank) else { continue };
            has |= 1 << lane;
            for a in 0..D {
                position[a][lane] = boids.position[a][slot];
                velocity[a][lane] = boids.velocity[a][slot];
            }
        }
        (Vectors::load(s, &position, 0), Vectors::load(s, &velocity, 0), s.mask(has))
    }

    /// The ranks of those that are followed, ascending.
    pub fn followed<const D: usize>(&self, boids: &Boids<D>) -> Vec<u32> {
        followed(&self.leader, boids)
    }
}

/// The parents of one drive, looked up once a step.
#[derive(Debug, Default)]
pub(super) struct Leaders {
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
fn followed<const D: usize>(leader: &Leader, boids: &Boids<D>) -> Vec<u32> {
    let parents = leader.parents.iter().map(|&(_, parent)| parent);
    let rank = |id: u64| boids.rank_of(BoidId::new(id)).ok();
    let mut ranks: Vec<u32> =
        parents.chain(leader.parent).filter_map(rank).map(|rank| rank as u32).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

/// A copy looks everyone up before its next step, as the original does.
impl Clone for Leaders {
    fn clone(&self) -> Self {
        let slot =
            self.slot.iter().map(|slot| AtomicU32::new(slot.load(Ordering::Relaxed))).collect();
        Self { parent: self.parent.clone(), slot, known_here: self.known_here.clone(), ..*self }
    }
}

impl Leaders {
    /// After a boid was added or removed: ranks have changed.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Looks everyone up.
    pub fn find<T: Default + Send, const D: usize>(
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
    fn find_here<const D: usize>(&mut self, leader: &Leader, boids: &Boids<D>) {
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
