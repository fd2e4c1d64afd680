//! Ids of boids, and what is derived from them.

use wingbeat_steer::{Vector, noise};

/// Identity of a boid: stays with it through every sort, and is never given to another.
///
/// Ids order the boids (ties in slot order, f64 observables, `--final` files). They are the host's own where an initial
/// state names them, otherwise counted from 0.
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

/// Whether these ids, ascending, are counted from 0 without a gap, so that each is its own rank: the last one tells.
#[inline(always)]
pub(crate) fn are_ranks(ids: &[BoidId]) -> bool {
    ids.last().is_none_or(|last| last.get() == ids.len() as u64 - 1)
}

/// The ids of a flock in slot order, and what their randomness is keyed by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity<'a> {
    pub rank: &'a [u32],
    pub ids: &'a [BoidId],
    pub seed: u64,
    pub step: u64,
}

impl Identity<'_> {
    /// The hash-derived direction of the boid in `slot` at `step`. Lanes may ask for slots behind
    /// the last boid too: what they get is stale padding, never stored.
    pub fn direction<V: Vector>(&self, slot: usize, step: u64) -> V {
        noise::direction(self.seed, self.id(slot), step)
    }

    /// See [`are_ranks`].
    #[inline(always)]
    pub fn ids_are_ranks(&self) -> bool {
        are_ranks(self.ids)
    }

    /// The id of the boid in `slot`; a stale one, never stored, for padding slots.
    #[inline(always)]
    pub fn id(&self, slot: usize) -> u64 {
        self.ids.get(self.rank[slot] as usize).map_or(0, |id| id.get())
    }
}
