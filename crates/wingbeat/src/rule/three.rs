//! Separation, alignment and cohesion, each with a radius and a sight of its own: every case of MODEL.md.

use wingbeat_steer::{Alignment, AlignmentOf, Cohesion, Falloff, Params, Response, Separation};

use super::perception::PreparedPerception;
use crate::block::{NearestTest, Other, Own, Seats};
use crate::combine::Terms;
use crate::identity::Identity;
use crate::simd::{Float, Mask, Simd, Sum, Vectors};

/// A rule and its perception, prepared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PreparedRule<R> {
    rule: R,
    prepared: PreparedPerception,
}

/// The three rules as far as they are present.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Three {
    pub separation: Option<PreparedRule<Separation>>,
    pub alignment: Option<PreparedRule<Alignment>>,
    pub cohesion: Option<PreparedRule<Cohesion>>,
    pub max_speed: f32,
}

/// Running sums of the three rules. A rule that is absent leaves its own untouched.
#[derive(Clone, Copy)]
pub(crate) struct ThreeSums<S: Simd, const D: usize> {
    pub separation: Vectors<S, D>,
    /// Lanes that coincide with a boid that separation sees.
    pub coincident: S::M,
    pub alignment: Vectors<S, D>,
    pub alignment_count: S::F,
    pub cohesion: Vectors<S, D>,
    pub cohesion_count: S::F,
}

impl Three {
    pub fn new(params: &Params) -> Self {
        Self {
            separation: params.separation.map(|rule| PreparedRule { rule, prepared: PreparedPerception::new(&rule.perception) }),
            alignment: params.alignment.map(|rule| PreparedRule { rule, prepared: PreparedPerception::new(&rule.perception) }),
            cohesion: params.cohesion.map(|rule| PreparedRule { rule, prepared: PreparedPerception::new(&rule.perception) }),
            max_speed: params.agent.max_speed,
        }
    }

    #[inline(always)]
    pub fn begin<S: Simd, const D: usize>(s: S) -> ThreeSums<S, D> {
        ThreeSums {
            separation: Vectors::zero(s),
            coincident: s.mask(0),
            alignment: Vectors::zero(s),
            alignment_count: s.splat(0.0),
            cohesion: Vectors::zero(s),
            cohesion_count: s.splat(0.0),
        }
    }

    #[inline(always)]
    pub fn visit<S: Simd, const D: usize>(
        &self,
        s: S,
        sums: &mut ThreeSums<S, D>,
        own: &Own<S, D>,
        other: &Other<S, D>,
        nearest: &NearestTest<'_, S>,
    ) {
        if let Some(PreparedRule { rule, prepared }) = &self.separation {
            let (seen, coincident) = prepared.test(s, own, other);
            let seen = nearest.among(0, other, seen);
            let apart = seen & !coincident;
            let term: Vectors<S, D> = if rule.response == Response::Flee {
                own.velocity - other.offset * (s.splat(self.max_speed) / other.distance)
            } else {
                let f = match rule.falloff {
                    Falloff::Linear => {
                        let per_radius = s.splat(1.0 / rule.perception.radius);
                        (s.splat(1.0) - other.distance * per_radius).max(s.splat(0.0))
                    }
                    Falloff::Inverse => s.splat(1.0) / other.distance,
                    Falloff::InverseSquare => s.splat(1.0) / other.distance_sq,
                };
                other.offset * f
            };
            sums.separation = sums.separation.add_where(apart, term);
            sums.coincident = sums.coincident | (coincident & seen);
        }
        if let Some(PreparedRule { prepared, .. }) = &self.alignment {
            let (seen, _) = prepared.test(s, own, other);
            let seen = nearest.among(1, other, seen);
            sums.alignment = sums.alignment.add_where(seen, other.aligned);
            sums.alignment_count = Float::add_where(sums.alignment_count, seen, s.splat(1.0));
        }
        if let Some(PreparedRule { prepared, .. }) = &self.cohesion {
            let (seen, _) = prepared.test(s, own, other);
            let seen = nearest.among(2, other, seen);
            sums.cohesion = sums.cohesion.add_where(seen, other.offset);
            sums.cohesion_count = Float::add_where(sums.cohesion_count, seen, s.splat(1.0));
        }
    }

    /// Weighted responses, in the usual order, of the rules present.
    #[inline(always)]
    pub fn finish<S: Simd, const D: usize>(
        &self,
        s: S,
        sums: &ThreeSums<S, D>,
        own: &Own<S, D>,
        identity: &Identity<'_>,
        seats: &Seats<S>,
        terms: &mut Terms<'_, S, D>,
    ) {
        let weighted = self.weighted(s, sums, own, identity, seats);
        let present = [self.separation.is_some(), self.alignment.is_some(), self.cohesion.is_some()];
        for rule in 0..3 {
            if present[rule] {
                terms.push(weighted[rule]);
            }
        }
    }

    /// The same, zero for rules that are absent.
    #[inline(always)]
    pub fn weighted<S: Simd, const D: usize>(
        &self,
        s: S,
        sums: &ThreeSums<S, D>,
        own: &Own<S, D>,
        identity: &Identity<'_>,
        seats: &Seats<S>,
    ) -> [Vectors<S, D>; 3] {
        let mut weights = [s.splat(0.0); 3];
        weights[0] = s.splat(self.separation.map_or(0.0, |of| of.rule.weight));
        weights[1] = s.splat(self.alignment.map_or(0.0, |of| of.rule.weight));
        weights[2] = s.splat(self.cohesion.map_or(0.0, |of| of.rule.weight));
        let mut separation = Vectors::zero(s);
        if let Some(PreparedRule { rule, .. }) = &self.separation {
            separation = self.separation(s, rule, sums, identity, seats);
        }
        self.responses(s, separation, sums, own, weights, s.splat(self.max_speed))
    }

    /// The same with weights and maximum speeds by lane, where no boids coincide.
    #[inline(always)]
    pub fn weighted_by<S: Simd, const D: usize>(
        &self,
        s: S,
        sums: &ThreeSums<S, D>,
        own: &Own<S, D>,
        weights: [S::F; 3],
        max_speed: S::F,
    ) -> [Vectors<S, D>; 3] {
        let mut separation = Vectors::zero(s);
        if let Some(PreparedRule { rule, .. }) = &self.separation {
            separation = apart(s, rule, sums);
        }
        self.responses(s, separation, sums, own, weights, max_speed)
    }

    /// Weighted responses, zero for rules that are absent, to what separation and the other sums come to.
    #[inline(always)]
    fn responses<S: Simd, const D: usize>(
        &self,
        s: S,
        separation: Vectors<S, D>,
        sums: &ThreeSums<S, D>,
        own: &Own<S, D>,
        weights: [S::F; 3],
        max_speed: S::F,
    ) -> [Vectors<S, D>; 3] {
        let mut weighted = [Vectors::zero(s); 3];
        if let Some(PreparedRule { rule, .. }) = &self.separation {
            let response = if rule.response == Response::Flee { Response::Raw } else { rule.response };
            weighted[0] = weigh(s, separation, own, response, weights[0], max_speed);
        }
        if let Some(PreparedRule { rule, .. }) = &self.alignment {
            let response = weigh(s, alignment(s, rule, sums, own), own, rule.response, weights[1], max_speed);
            weighted[1] = response.or_zero(s, sums.alignment_count.gt(s.splat(0.0)));
        }
        if let Some(PreparedRule { rule, .. }) = &self.cohesion {
            let mean = sums.cohesion * (s.splat(1.0) / sums.cohesion_count);
            let response = weigh(s, mean, own, rule.response, weights[2], max_speed);
            weighted[2] = response.or_zero(s, sums.cohesion_count.gt(s.splat(0.0)));
        }
        weighted
    }

    #[inline(always)]
    fn separation<S: Simd, const D: usize>(
        &self,
        s: S,
        rule: &Separation,
        sums: &ThreeSums<S, D>,
        identity: &Identity<'_>,
        seats: &Seats<S>,
    ) -> Vectors<S, D> {
        let sum = apart(s, rule, sums);
        if !sums.coincident.any() {
            return sum;
        }
        let gain = match rule.falloff {
            _ if rule.response == Response::Flee => self.max_speed,
            Falloff::Linear => rule.perception.radius * 0.25,
            Falloff::Inverse => 1.0,
            Falloff::InverseSquare => 1.0 / rule.perception.radius,
        };
        let away = seats.directions(s, identity, sums.coincident.bits(), identity.step);
        Vectors::select(sums.coincident, sum + away * s.splat(gain), sum)
    }
}

/// Separation's sum without the push that parts coincident boids.
#[inline(always)]
fn apart<S: Simd, const D: usize>(s: S, rule: &Separation, sums: &ThreeSums<S, D>) -> Vectors<S, D> {
    if rule.response == Response::Flee { sums.separation } else { Vectors::zero(s) - sums.separation }
}

/// The response to a rule's sum times its weight; a zero sum stays zero.
#[inline(always)]
fn weigh<S: Simd, const D: usize>(
    s: S,
    sum: Vectors<S, D>,
    own: &Own<S, D>,
    response: Response,
    weight: S::F,
    max_speed: S::F,
) -> Vectors<S, D> {
    let response = match response {
        Response::Raw | Response::Flee => sum,
        Response::Unit => sum.unit(s),
        Response::Steer => sum.unit(s) * max_speed - own.velocity,
    };
    let something = sum.largest().gt(s.splat(0.0));
    response.or_zero(s, something) * weight
}

/// Mean of the neighbours' velocities or headings, less the boid's own where alignment is relative. Not to be used where none is
/// seen.
#[inline(always)]
fn alignment<S: Simd, const D: usize>(s: S, rule: &Alignment, sums: &ThreeSums<S, D>, own: &Own<S, D>) -> Vectors<S, D> {
    let quantity = match rule.of {
        AlignmentOf::Velocity => own.velocity,
        AlignmentOf::Heading => own.heading,
    };
    let mean = if rule.include_self {
        let per_boid = s.splat(1.0) / (sums.alignment_count + s.splat(1.0));
        (quantity + sums.alignment) * per_boid
    } else {
        sums.alignment * (s.splat(1.0) / sums.alignment_count)
    };
    if rule.relative { mean - quantity } else { mean }
}
