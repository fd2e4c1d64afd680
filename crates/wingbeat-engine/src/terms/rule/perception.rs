//! Range and field of view of a rule, prepared for lanes.

use wingbeat_steer::{COINCIDENT, FieldOfView, Perception};

use crate::neighbors::{BlockLanes, Candidate};
use crate::simd::{Float, Mask, Simd};

/// A rule's range and field of view, ready for tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PreparedPerception {
    /// −1, below every squared distance, for a rule that is absent.
    pub radius_sq: f32,
    /// Negative infinity when all round.
    pub cos_half: f32,
    /// −1 without a near radius.
    pub near_sq: f32,
    /// Up to here two boids coincide.
    pub coincident_sq: f32,
}

/// The same in lanes.
#[derive(Clone, Copy)]
pub(crate) struct SightLanes<S: Simd> {
    pub radius_sq: S::F,
    /// Negative infinity for a boid at rest, which sees all round.
    pub cos_half: S::F,
    near_sq: S::F,
    /// Up to here two boids coincide.
    pub coincident_sq: S::F,
    /// Whether there is a near radius: a branch that always goes the same way costs less than
    /// comparing all lanes.
    near: bool,
}

impl PreparedPerception {
    /// Sees nothing.
    pub const NONE: Self =
        Self { radius_sq: -1.0, cos_half: f32::NEG_INFINITY, near_sq: -1.0, coincident_sq: -1.0 };

    pub fn new(perception: &Perception) -> Self {
        let (radius_sq, near) = (perception.radius * perception.radius, perception.near_radius);
        let cos_half = match perception.view {
            FieldOfView::All => f32::NEG_INFINITY,
            FieldOfView::Cone { cos_half } => cos_half,
        };
        let near_sq = if near > 0.0 { near * near } else { -1.0 };
        Self { radius_sq, cos_half, near_sq, coincident_sq: radius_sq * COINCIDENT }
    }

    /// Lanes that see the candidate, and lanes that coincide with it, told apart.
    #[inline(always)]
    pub fn test<S: Simd, const D: usize>(
        &self,
        s: S,
        own: &BlockLanes<S, D>,
        other: &Candidate<S, D>,
    ) -> (S::M, S::M) {
        let near = other.distance_sq.le(s.splat(self.radius_sq));
        let coincident = other.distance_sq.le(s.splat(self.coincident_sq));
        if self.cos_half == f32::NEG_INFINITY {
            return (near, coincident);
        }
        let ahead = other.offset.dot(own.heading).ge(s.splat(self.cos_half) * other.distance);
        let any_angle = own.at_rest | coincident | other.distance_sq.le(s.splat(self.near_sq));
        (near & (ahead | any_angle), coincident)
    }

    #[inline(always)]
    pub fn lanes<S: Simd, const D: usize>(&self, s: S, own: &BlockLanes<S, D>) -> SightLanes<S> {
        SightLanes {
            radius_sq: s.splat(self.radius_sq),
            cos_half: own.at_rest.select(s.splat(f32::NEG_INFINITY), s.splat(self.cos_half)),
            near_sq: s.splat(self.near_sq),
            coincident_sq: s.splat(self.coincident_sq),
            near: self.near_sq >= 0.0,
        }
    }
}

impl<S: Simd> SightLanes<S> {
    /// Lanes that see a candidate whose offset has the inner product `ahead` with the heading.
    #[inline(always)]
    pub fn seen<const D: usize>(&self, other: &Candidate<S, D>, ahead: S::F) -> S::M {
        other.distance_sq.le_within(self.radius_sq, self.in_sight(other, ahead))
    }

    /// The same, however far it is.
    #[inline(always)]
    pub fn in_sight<const D: usize>(&self, other: &Candidate<S, D>, ahead: S::F) -> S::M {
        // The root is the same as `distance`, but taken only where it is asked for.
        let mut in_sight = ahead.ge(self.cos_half * other.distance_sq.sqrt());
        if self.near {
            in_sight = in_sight | other.distance_sq.le(self.near_sq);
        }
        in_sight
    }

    /// The same where there is no near radius.
    #[inline(always)]
    pub fn ahead<const D: usize>(&self, other: &Candidate<S, D>, ahead: S::F) -> S::M {
        ahead.ge(self.cos_half * other.distance)
    }

    /// Sees nothing.
    #[inline(always)]
    pub fn none(s: S) -> Self {
        Self {
            radius_sq: s.splat(-1.0),
            cos_half: s.splat(0.0),
            near_sq: s.splat(-1.0),
            coincident_sq: s.splat(0.0),
            near: false,
        }
    }

    /// These in the lanes of `mask`, `others` elsewhere.
    #[inline(always)]
    pub fn blend(&self, mask: S::M, others: &Self) -> Self {
        Self {
            radius_sq: mask.select(self.radius_sq, others.radius_sq),
            cos_half: mask.select(self.cos_half, others.cos_half),
            near_sq: mask.select(self.near_sq, others.near_sq),
            coincident_sq: mask.select(self.coincident_sq, others.coincident_sq),
            near: self.near | others.near,
        }
    }
}
