//! The three rules when each has a radius and a sight of its own, or a falloff other than linear.
//!
//! ```text
//! for each candidate, in every lane:
//!     separation += term(offset)     where d² ≤ its radius² and it is within its field of view
//!     alignment  += velocity or heading, and 1 to its count       where the same holds for alignment
//!     cohesion   += offset, and 1 to its count                    where the same holds for cohesion
//!     closest_sq ← min(closest_sq, d²)
//! ```
//!
//! As in [`shared`](super::shared), coincident boids are only detected, by the smallest squared distance; such a block is steered
//! again by [`three`](super::three). So this loop has no coincidence arithmetic.

use wingbeat_steer::{Falloff, Params, Perception, Response, math};

use super::perception::{PreparedPerception, SightLanes};
use super::three::ThreeSums;
use crate::block::{Eyes, NearestLimit, Other, Own};
use crate::simd::{Float, Mask, Simd, Sum, Vectors};

/// What this loop needs of the parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnSights {
    separation: PreparedPerception,
    alignment: PreparedPerception,
    cohesion: PreparedPerception,
    falloff: Falloff,
    flee: bool,
    per_separation_radius: f32,
    max_speed: f32,
    /// No pair further apart than this is coincident for any rule.
    pub coincident_sq: f32,
}

/// The parameters in lanes, so that the loop uses them as they lie in memory.
#[derive(Clone, Copy)]
pub(crate) struct OwnSightsLanes<S: Simd> {
    separation: SightLanes<S>,
    alignment: SightLanes<S>,
    cohesion: SightLanes<S>,
    falloff: Falloff,
    flee: bool,
    per_separation_radius: S::F,
    max_speed: S::F,
    one: S::F,
    zero: S::F,
}

/// Running sums.
#[derive(Clone, Copy)]
pub(crate) struct OwnSightsSums<S: Simd, const D: usize> {
    separation: Vectors<S, D>,
    alignment: Vectors<S, D>,
    cohesion: Vectors<S, D>,
    alignment_count: S::F,
    cohesion_count: S::F,
    pub closest_sq: S::F,
}

impl OwnSights {
    pub fn new(params: &Params) -> Self {
        let prepared = |perception: Option<&Perception>| perception.map_or(PreparedPerception::NONE, PreparedPerception::new);
        let separation = prepared(params.separation.as_ref().map(|rule| &rule.perception));
        let alignment = prepared(params.alignment.as_ref().map(|rule| &rule.perception));
        let cohesion = prepared(params.cohesion.as_ref().map(|rule| &rule.perception));
        let coincident_sq = math::max(separation.coincident_sq, math::max(alignment.coincident_sq, cohesion.coincident_sq));
        Self {
            separation,
            alignment,
            cohesion,
            falloff: params.separation.map_or(Falloff::Linear, |rule| rule.falloff),
            flee: params.separation.is_some_and(|rule| rule.response == Response::Flee),
            per_separation_radius: params.separation.map_or(0.0, |rule| 1.0 / rule.perception.radius),
            max_speed: params.agent.max_speed,
            coincident_sq,
        }
    }

    #[inline(always)]
    pub fn lanes<S: Simd, const D: usize>(&self, s: S, own: &Own<S, D>) -> OwnSightsLanes<S> {
        OwnSightsLanes {
            separation: self.separation.lanes(s, own),
            alignment: self.alignment.lanes(s, own),
            cohesion: self.cohesion.lanes(s, own),
            falloff: self.falloff,
            flee: self.flee,
            per_separation_radius: s.splat(self.per_separation_radius),
            max_speed: s.splat(self.max_speed),
            one: s.splat(1.0),
            zero: s.splat(0.0),
        }
    }

    #[inline(always)]
    pub fn begin<S: Simd, const D: usize>(s: S) -> OwnSightsSums<S, D> {
        OwnSightsSums {
            separation: Vectors::zero(s),
            alignment: Vectors::zero(s),
            cohesion: Vectors::zero(s),
            alignment_count: s.splat(0.0),
            cohesion_count: s.splat(0.0),
            closest_sq: s.splat(f32::INFINITY),
        }
    }

    /// Whether a boid of the block coincides with another: the sums are not to be used then.
    #[inline(always)]
    pub fn coincident<S: Simd, const D: usize>(&self, s: S, sums: &OwnSightsSums<S, D>, own: &Own<S, D>) -> bool {
        (sums.closest_sq.le(s.splat(self.coincident_sq)) & own.live).any()
    }
}

/// Where boids of several species share a block.
impl OwnSights {
    /// The form of separation's terms, which all lanes share; `None` where there is no separation.
    pub fn form(&self) -> Option<(Falloff, bool)> {
        (self.separation.radius_sq >= 0.0).then_some((self.falloff, self.flee))
    }

    /// The same with another form of separation.
    pub fn with_form(self, (falloff, flee): (Falloff, bool)) -> Self {
        Self { falloff, flee, ..self }
    }

    /// These parameters in the lanes of `mask`, `others` elsewhere.
    #[inline(always)]
    pub fn blend<S: Simd, const D: usize>(
        &self,
        s: S,
        own: &Own<S, D>,
        mask: S::M,
        others: &OwnSightsLanes<S>,
    ) -> OwnSightsLanes<S> {
        let ours = self.lanes(s, own);
        OwnSightsLanes {
            separation: ours.separation.blend(mask, &others.separation),
            alignment: ours.alignment.blend(mask, &others.alignment),
            cohesion: ours.cohesion.blend(mask, &others.cohesion),
            per_separation_radius: mask.select(ours.per_separation_radius, others.per_separation_radius),
            max_speed: mask.select(ours.max_speed, others.max_speed),
            ..ours
        }
    }
}

impl<S: Simd> OwnSightsLanes<S> {
    /// Looks no further than this, squared, under each rule, nor than the rule's own radius.
    #[inline(always)]
    pub fn reach(&mut self, of_rule: &[S::F; 3]) {
        self.separation.radius_sq = self.separation.radius_sq.min(of_rule[0]);
        self.alignment.radius_sq = self.alignment.radius_sq.min(of_rule[1]);
        self.cohesion.radius_sq = self.cohesion.radius_sq.min(of_rule[2]);
    }

    /// Square of how far lanes look under any rule.
    #[inline(always)]
    fn furthest_sq(&self) -> S::F {
        self.separation.radius_sq.max(self.alignment.radius_sq).max(self.cohesion.radius_sq)
    }

    /// One neighbour's part of separation. The branches go the same way for the whole flock.
    #[inline(always)]
    fn separation_term<const D: usize>(&self, own: &Own<S, D>, other: &Other<S, D>) -> Vectors<S, D> {
        if self.flee {
            return own.velocity - other.offset * (self.max_speed / other.distance);
        }
        let f = match self.falloff {
            Falloff::Linear => (self.one - other.distance * self.per_separation_radius).max(self.zero),
            Falloff::Inverse => self.one / other.distance,
            Falloff::InverseSquare => self.one / other.distance_sq,
        };
        other.offset * f
    }
}

/// What looks at candidates under this form.
#[derive(Clone, Copy)]
pub(crate) struct OwnSightsEyes<S: Simd, const D: usize> {
    pub lanes: OwnSightsLanes<S>,
    pub sums: OwnSightsSums<S, D>,
}

impl<S: Simd, const D: usize> Eyes<S, D> for OwnSightsEyes<S, D> {
    #[inline(always)]
    fn visit(&mut self, _s: S, own: &Own<S, D>, other: &Other<S, D>) {
        let (lanes, sums) = (&self.lanes, &mut self.sums);
        sums.closest_sq = sums.closest_sq.min(other.distance_sq);
        let ahead = other.offset.dot(own.heading);
        let close = lanes.separation.seen(other, ahead);
        sums.separation = sums.separation.add_where(close, lanes.separation_term(own, other));
        let aligned = lanes.alignment.seen(other, ahead);
        sums.alignment = sums.alignment.add_where(aligned, other.aligned);
        sums.alignment_count = Float::add_where(sums.alignment_count, aligned, lanes.one);
        let joined = lanes.cohesion.seen(other, ahead);
        sums.cohesion = sums.cohesion.add_where(joined, other.offset);
        sums.cohesion_count = Float::add_where(sums.cohesion_count, joined, lanes.one);
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        NearestLimit::up_to(s, self.lanes.furthest_sq())
    }
}

impl<S: Simd, const D: usize> OwnSightsSums<S, D> {
    /// The sums as the general rules have them.
    #[inline(always)]
    pub fn split(&self, s: S) -> ThreeSums<S, D> {
        ThreeSums {
            separation: self.separation,
            coincident: s.mask(0),
            alignment: self.alignment,
            alignment_count: self.alignment_count,
            cohesion: self.cohesion,
            cohesion_count: self.cohesion_count,
        }
    }
}
