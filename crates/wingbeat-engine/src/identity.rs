//! Ids of boids, and ranks: their places in ascending order of ids.

use wingbeat_steer::{Vector, noise};

/// Identity of a boid: stays with it through every sort, and is never given to another.
///
/// Ids order the boids (ties in slot order, f64 observables, `--final` files). They are the host's
/// own where an initial state names them, otherwise counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct BoidId(u64);

impl BoidId {
    /// The id with this number.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The id's number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl std::fmt::Display for BoidId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether these ids, ascending, are counted from 0 without a gap, so that each is its own rank:
/// the last one tells.
#[inline(always)]
pub(crate) fn are_ranks(ids: &[BoidId]) -> bool {
    ids.last().is_none_or(|last| last.get() == ids.len() as u64 - 1)
}

/// The ids that ranks stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ids<'a> {
    /// All of them, ascending: a rank is a place among them.
    Listed(&'a [BoidId]),
    /// In a part of a flock, which does not know what boids are left elsewhere: a boid keeps the
    /// rank it had when the flock was cut, and those that came later go on from there.
    Kept(Kept<'a>),
}

/// Ranks that boids keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept<'a> {
    /// The ids of those ranks that are not ids themselves, ascending.
    pub first: &'a [BoidId],
    /// The id of the rank after those.
    pub next: u64,
    /// How many boids there are in all parts.
    pub boids: usize,
}

impl Kept<'_> {
    /// The rank that the boid of an id has, wherever it is, if it is any.
    pub fn rank_of(&self, id: BoidId) -> Option<u32> {
        match id.get().checked_sub(self.next) {
            Some(beyond) => u32::try_from(beyond).ok()?.checked_add(self.first.len() as u32),
            None => self.first.binary_search(&id).ok().map(|rank| rank as u32),
        }
    }
}

impl Ids<'_> {
    /// How many boids there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Listed(ids) => ids.len(),
            Self::Kept(kept) => kept.boids,
        }
    }

    /// Whether each is its own rank.
    #[inline(always)]
    pub fn are_ranks(&self) -> bool {
        match self {
            Self::Listed(ids) => are_ranks(ids),
            Self::Kept(kept) => kept.first.is_empty() && kept.next == 0,
        }
    }

    /// The id of a rank.
    #[inline(always)]
    pub fn of(&self, rank: u32) -> BoidId {
        match self {
            Self::Listed(ids) => ids[rank as usize],
            Self::Kept(kept) => match kept.first.get(rank as usize) {
                Some(id) => *id,
                None => BoidId(kept.next.wrapping_add(u64::from(rank) - kept.first.len() as u64)),
            },
        }
    }
}

/// The ids of a flock in slot order, and what their randomness is keyed by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity<'a> {
    pub rank: &'a [u32],
    pub ids: Ids<'a>,
    pub seed: u64,
    pub step: u64,
}

impl Identity<'_> {
    /// The hash-derived direction of the boid in `slot` at `step`. Lanes may ask for slots behind
    /// the last boid too: what they get is stale padding, never stored.
    pub fn direction<V: Vector>(&self, slot: usize, step: u64) -> V {
        noise::direction(self.seed, self.id(slot), step)
    }

    /// The id of the boid in `slot`; a stale one, never stored, for padding slots.
    #[inline(always)]
    pub fn id(&self, slot: usize) -> u64 {
        match self.ids {
            Ids::Listed(ids) => ids.get(self.rank[slot] as usize).map_or(0, |id| id.get()),
            Ids::Kept(_) => self.ids.of(self.rank[slot]).get(),
        }
    }
}
