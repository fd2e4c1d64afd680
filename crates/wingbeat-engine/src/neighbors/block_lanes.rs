//! The boids of a block, and a candidate relative to them.

use crate::simd::{Mask, Simd, Vectors};

/// The boids of a block, one per lane.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BlockLanes<S: Simd, const D: usize> {
    /// Positions.
    pub position: Vectors<S, D>,
    /// Velocities.
    pub velocity: Vectors<S, D>,
    /// Headings, zero at rest.
    pub heading: Vectors<S, D>,
    /// Lanes at rest.
    pub at_rest: S::M,
    /// Lanes that hold a boid of the block.
    pub(crate) live: S::M,
}

/// A neighbor as the boids of a block see it: the same neighbor in every lane, from each lane's
/// own place.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Pair<S: Simd, const D: usize> {
    /// The way to the neighbor, xⱼ − xᵢ, through the nearest image of a periodic box.
    pub offset: Vectors<S, D>,
    /// Squared length of the offset.
    pub distance_sq: S::F,
    /// Length of the offset.
    pub distance: S::F,
    /// Lanes that coincide with the neighbor (d² ≤ r²·2⁻⁴⁰): do not use offset and distance there.
    pub coincident: S::M,
    /// The neighbor's velocity.
    pub velocity: Vectors<S, D>,
}

impl<S: Simd, const D: usize> Pair<S, D> {
    /// 1/d, and 0 where the two coincide: never infinite.
    #[inline(always)]
    pub fn inverse_distance(&self, s: S) -> S::F {
        self.coincident.select(s.splat(0.0), s.splat(1.0) / self.distance)
    }

    /// The unit vector to the neighbor, and 0 where the two coincide: never NaN.
    #[inline(always)]
    pub fn direction(&self, s: S) -> Vectors<S, D> {
        self.offset * self.inverse_distance(s)
    }
}

/// A candidate, before any rule has tested whether a lane sees it.
#[derive(Clone, Copy)]
pub struct Candidate<S: Simd, const D: usize> {
    /// Where it is, not where its image is.
    pub(crate) position: Vectors<S, D>,
    pub(crate) offset: Vectors<S, D>,
    /// Its slot.
    pub(crate) slot: usize,
    /// Infinite in the lane of the boid itself, which thus is out of every rule's range.
    pub(crate) distance_sq: S::F,
    pub(crate) distance: S::F,
    pub(crate) velocity: Vectors<S, D>,
    /// What alignment averages: velocity or heading.
    pub(crate) aligned: Vectors<S, D>,
}
