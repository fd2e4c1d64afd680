//! The three rules when each has a radius and a sight of its own, or a falloff other than linear.
//!
//! As in [`shared`](super::shared), whoever coincides with somebody is only found, by the smallest squared distance; such a
//! block is steered again by [`three`](super::three). So this loop has no coincidence arithmetic.
#![forbid(unsafe_code)]

use wingbeat_steer::{Falloff, FieldOfView, Params, Perception, Response};

use super::three::ThreeSums;
use super::{Other, Own, Seen};
use crate::simd::{Float, Mask, Simd, Sum, Vectors};

/// One rule's range and sight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    /// −1, which is in nobody's range, for a rule that is absent.
    pub radius_sq: f32,
    /// Negative infinity when all round.
    cos_half: f32,
    /// −1 without a near radius.
    pub near_sq: f32,
}

/// The same in lanes.
#[derive(Clone, Copy)]
pub(crate) struct SightLanes<S: Simd> {
    pub radius_sq: S::F,
    /// Negative infinity for a boid at rest, which sees all round.
    cos_half: S::F,
    near_sq: S::F,
    /// Whether there is a near radius: a branch that always goes the same way costs less than a comparison.
    near: bool,
}

/// What this loop needs of the parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnSights {
    separation: Sight,
    alignment: Sight,
    cohesion: Sight,
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

impl Sight {
    pub fn new(perception: Option<Perception>) -> Self {
        let Some(perception) = perception else {
            return Self { radius_sq: -1.0, cos_half: f32::NEG_INFINITY, near_sq: -1.0 };
        };
        let near = perception.near_radius;
        Self {
            radius_sq: perception.radius * perception.radius,
            cos_half: match perception.view {
                FieldOfView::All => f32::NEG_INFINITY,
                FieldOfView::Cone { cos_half } => cos_half,
            },
            near_sq: if near > 0.0 { near * near } else { -1.0 },
        }
    }

    #[inline(always)]
    pub fn lanes<S: Simd, const D: usize>(&self, s: S, own: &Own<S, D>) -> SightLanes<S> {
        SightLanes {
            radius_sq: s.splat(self.radius_sq),
            cos_half: own.at_rest.select(s.splat(f32::NEG_INFINITY), s.splat(self.cos_half)),
            near_sq: s.splat(self.near_sq),
            near: self.near_sq >= 0.0,
        }
    }
}

impl<S: Simd> SightLanes<S> {
    /// Who sees a candidate whose offset has the inner product `ahead` with the heading.
    #[inline(always)]
    fn seen<const D: usize>(&self, other: &Other<S, D>, ahead: S::F) -> S::M {
        other.distance_sq.le_within(self.radius_sq, self.in_sight(other, ahead))
    }

    /// The same, however far it is.
    #[inline(always)]
    pub fn in_sight<const D: usize>(&self, other: &Other<S, D>, ahead: S::F) -> S::M {
        // The root is the same as `distance`, but taken only where it is asked for.
        let mut in_sight = ahead.ge(self.cos_half * other.distance_sq.sqrt());
        if self.near {
            in_sight = in_sight | other.distance_sq.le(self.near_sq);
        }
        in_sight
    }

    /// The same where there is no near radius.
    #[inline(always)]
    pub fn ahead<const D: usize>(&self, other: &Other<S, D>, ahead: S::F) -> S::M {
        ahead.ge(self.cos_half * other.distance)
    }

    /// Sees nobody.
    #[inline(always)]
    pub fn none(s: S) -> Self {
        Self { radius_sq: s.splat(-1.0), cos_half: s.splat(0.0), near_sq: s.splat(-1.0), near: false }
    }
}

impl OwnSights {
    pub fn new(params: &Params) -> Self {
        let perceptions = [
            params.separation.map(|rule| rule.perception),
            params.alignment.map(|rule| rule.perception),
            params.cohesion.map(|rule| rule.perception),
        ];
        let coincident = perceptions.iter().flatten().map(|p| Seen::new(p).coincident_sq);
        Self {
            separation: Sight::new(perceptions[0]),
            alignment: Sight::new(perceptions[1]),
            cohesion: Sight::new(perceptions[2]),
            falloff: params.separation.map_or(Falloff::Linear, |rule| rule.falloff),
            flee: params.separation.is_some_and(|rule| rule.response == Response::Flee),
            per_separation_radius: params.separation.map_or(0.0, |rule| 1.0 / rule.perception.radius),
            max_speed: params.agent.max_speed,
            coincident_sq: coincident.fold(0.0, |m, sq| if sq > m { sq } else { m }),
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

    /// Whether a boid of the block stands on somebody, so that the sums mean nothing.
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

impl<S: Simd> SightLanes<S> {
    /// These in the lanes of `mask`, `others` elsewhere.
    #[inline(always)]
    fn blend(&self, mask: S::M, others: &Self) -> Self {
        Self {
            radius_sq: mask.select(self.radius_sq, others.radius_sq),
            cos_half: mask.select(self.cos_half, others.cos_half),
            near_sq: mask.select(self.near_sq, others.near_sq),
            near: self.near | others.near,
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
    pub fn furthest_sq(&self) -> S::F {
        self.separation.radius_sq.max(self.alignment.radius_sq).max(self.cohesion.radius_sq)
    }

    #[inline(always)]
    pub fn visit<const D: usize>(&self, sums: &mut OwnSightsSums<S, D>, own: &Own<S, D>, other: &Other<S, D>) {
        sums.closest_sq = sums.closest_sq.min(other.distance_sq);
        let ahead = other.offset.dot(own.heading);
        let close = self.separation.seen(other, ahead);
        sums.separation = sums.separation.add_where(close, self.separation_term(own, other));
        let aligned = self.alignment.seen(other, ahead);
        sums.alignment = sums.alignment.add_where(aligned, other.aligned);
        sums.alignment_count = Float::add_where(sums.alignment_count, aligned, self.one);
        let joined = self.cohesion.seen(other, ahead);
        sums.cohesion = sums.cohesion.add_where(joined, other.offset);
        sums.cohesion_count = Float::add_where(sums.cohesion_count, joined, self.one);
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
