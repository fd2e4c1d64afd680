//! The three rules when they share one sight, as most flocks do: one sight test, one count, no coincidence arithmetic.
//!
//! ```text
//! for each candidate, in every lane:
//!     ahead      ← offset · heading ≥ cos(half the field of view) · d
//!     separation += offset · max(1 − d/separation radius, 0)     where ahead and d² ≤ its radius²
//!     alignment  += velocity or heading, cohesion += offset, count += 1    where ahead and d² ≤ radius²
//!     closest_sq ← min(closest_sq, d²)
//! ```
//!
//! Coincident boids are detected by the smallest squared distance; the rare block that has such a pair is steered again by
//! [`three`](super::three), so this loop need not handle it.

use wingbeat_steer::{Falloff, Params, Perception, Response, math};

use super::perception::PreparedPerception;
use super::three::ThreeSums;
use crate::block::{Eyes, NearestLimit, Other, Own};
use crate::simd::{Float, Mask, Simd, Sum, Vectors};

/// What the shared loop needs of the parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shared {
    /// Negative infinity when all round: the test then passes every candidate that does not coincide.
    cos_half: f32,
    separation_sq: f32,
    per_separation_radius: f32,
    /// Range of alignment and cohesion.
    radius_sq: f32,
    /// No pair nearer than this is coincident for any rule.
    pub coincident_sq: f32,
}

/// Running sums of the shared loop.
#[derive(Clone, Copy)]
pub(crate) struct SharedSums<S: Simd, const D: usize> {
    separation: Vectors<S, D>,
    alignment: Vectors<S, D>,
    cohesion: Vectors<S, D>,
    count: S::F,
    pub closest_sq: S::F,
}

/// The parameters in lanes, so that the loop uses them as they lie in memory.
#[derive(Clone, Copy)]
pub(crate) struct SharedLanes<S: Simd> {
    /// Cosine of half the field of view, negative infinity for a boid at rest, which sees all round.
    cos_half: S::F,
    separation_sq: S::F,
    per_separation_radius: S::F,
    radius_sq: S::F,
    one: S::F,
    zero: S::F,
}

impl Shared {
    /// The shared form of these parameters, if they have one.
    pub fn new(params: &Params) -> Option<Self> {
        let (separation, alignment, cohesion) = (params.separation, params.alignment, params.cohesion);
        if separation.is_some_and(|s| s.falloff != Falloff::Linear || s.response == Response::Flee) {
            return None;
        }
        let perceptions = [separation.map(|r| r.perception), alignment.map(|r| r.perception), cohesion.map(|r| r.perception)];
        let mut present = perceptions.iter().flatten();
        let view = present.next()?.view;
        if perceptions.iter().flatten().any(|p| p.view != view || p.near_radius > 0.0) {
            return None;
        }
        let outer = [perceptions[1], perceptions[2]];
        let radius = outer.iter().flatten().next().map_or(0.0, |p| p.radius);
        let nearest = |p: Perception| params.capped(p).nearest;
        let alike = |p: &Perception| p.radius == radius && outer.iter().flatten().all(|q| nearest(*q) == nearest(*p));
        if !outer.iter().flatten().all(alike) {
            return None;
        }
        let prepared = |p: Option<Perception>| p.map_or(PreparedPerception::NONE, |p| PreparedPerception::new(&p));
        let (inner, outer) = (prepared(perceptions[0]), prepared(perceptions[1].or(perceptions[2])));
        Some(Self {
            // An absent rule has that of all round, negative infinity.
            cos_half: math::max(inner.cos_half, outer.cos_half),
            separation_sq: inner.radius_sq,
            per_separation_radius: separation.map_or(0.0, |s| 1.0 / s.perception.radius),
            radius_sq: outer.radius_sq,
            coincident_sq: math::max(inner.coincident_sq, outer.coincident_sq),
        })
    }

    #[inline(always)]
    pub fn lanes<S: Simd, const D: usize>(&self, s: S, own: &Own<S, D>) -> SharedLanes<S> {
        SharedLanes {
            cos_half: own.at_rest.select(s.splat(f32::NEG_INFINITY), s.splat(self.cos_half)),
            separation_sq: s.splat(self.separation_sq),
            per_separation_radius: s.splat(self.per_separation_radius),
            radius_sq: s.splat(self.radius_sq),
            one: s.splat(1.0),
            zero: s.splat(0.0),
        }
    }

    #[inline(always)]
    pub fn begin<S: Simd, const D: usize>(s: S) -> SharedSums<S, D> {
        SharedSums {
            separation: Vectors::zero(s),
            alignment: Vectors::zero(s),
            cohesion: Vectors::zero(s),
            count: s.splat(0.0),
            closest_sq: s.splat(f32::INFINITY),
        }
    }

    /// Whether a boid of the block coincides with another: the sums are not to be used then.
    #[inline(always)]
    pub fn coincident<S: Simd, const D: usize>(&self, s: S, sums: &SharedSums<S, D>, own: &Own<S, D>) -> bool {
        (sums.closest_sq.le(s.splat(self.coincident_sq)) & own.live).any()
    }
}

/// Where boids of several species share a block.
impl Shared {
    /// Sees nothing.
    pub const BLIND: Self = Self {
        cos_half: f32::NEG_INFINITY,
        separation_sq: -1.0,
        per_separation_radius: 0.0,
        radius_sq: -1.0,
        coincident_sq: 0.0,
    };

    /// These parameters in the lanes of `mask`, `others` elsewhere.
    #[inline(always)]
    pub fn blend<S: Simd, const D: usize>(&self, s: S, own: &Own<S, D>, mask: S::M, others: &SharedLanes<S>) -> SharedLanes<S> {
        let ours = self.lanes(s, own);
        SharedLanes {
            cos_half: mask.select(ours.cos_half, others.cos_half),
            separation_sq: mask.select(ours.separation_sq, others.separation_sq),
            per_separation_radius: mask.select(ours.per_separation_radius, others.per_separation_radius),
            radius_sq: mask.select(ours.radius_sq, others.radius_sq),
            one: ours.one,
            zero: ours.zero,
        }
    }
}

impl<S: Simd> SharedLanes<S> {
    /// Looks no further than this, squared, under each rule, nor than the rule's own radius. Alignment and cohesion are alike where both exist.
    #[inline(always)]
    pub fn reach(&mut self, of_rule: &[S::F; 3]) {
        self.separation_sq = self.separation_sq.min(of_rule[0]);
        self.radius_sq = self.radius_sq.min(of_rule[1].max(of_rule[2]));
    }

    /// Square of how far lanes look under any rule.
    #[inline(always)]
    fn furthest_sq(&self) -> S::F {
        self.separation_sq.max(self.radius_sq)
    }
}

/// What looks at candidates under this form.
#[derive(Clone, Copy)]
pub(crate) struct SharedEyes<S: Simd, const D: usize> {
    pub lanes: SharedLanes<S>,
    pub sums: SharedSums<S, D>,
}

impl<S: Simd, const D: usize> Eyes<S, D> for SharedEyes<S, D> {
    #[inline(always)]
    fn visit(&mut self, _s: S, own: &Own<S, D>, other: &Other<S, D>) {
        let (lanes, sums) = (&self.lanes, &mut self.sums);
        sums.closest_sq = sums.closest_sq.min(other.distance_sq);
        let ahead = other.offset.dot(own.heading).ge(lanes.cos_half * other.distance);
        let seen = other.distance_sq.le_within(lanes.radius_sq, ahead);
        let close = other.distance_sq.le_within(lanes.separation_sq, ahead);
        let f = (lanes.one - other.distance * lanes.per_separation_radius).max(lanes.zero);
        sums.separation = sums.separation.add_where(close, other.offset * f);
        sums.alignment = sums.alignment.add_where(seen, other.aligned);
        sums.cohesion = sums.cohesion.add_where(seen, other.offset);
        sums.count = Float::add_where(sums.count, seen, lanes.one);
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        NearestLimit::up_to(s, self.lanes.furthest_sq())
    }
}

impl<S: Simd, const D: usize> SharedSums<S, D> {
    /// The sums as the general rules have them.
    #[inline(always)]
    pub fn split(&self, s: S) -> ThreeSums<S, D> {
        ThreeSums {
            separation: self.separation,
            coincident: s.mask(0),
            alignment: self.alignment,
            alignment_count: self.count,
            cohesion: self.cohesion,
            cohesion_count: self.count,
        }
    }
}
