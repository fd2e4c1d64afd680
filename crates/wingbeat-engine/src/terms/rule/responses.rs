//! Responses to the sums of separation, alignment and cohesion.

use wingbeat_steer::{Alignment, AlignmentOf, Falloff, Response, Rules};

use crate::neighbors::BlockLanes;
use crate::simd::{Float, Mask, Simd, Vectors};
use crate::terms::rule::three::ThreeSums;

/// Separation's sum with the push that parts coincident boids, in the lanes that do.
#[inline(always)]
pub(crate) fn separate_coincident<S: Simd, const D: usize>(
    rules: &Rules,
    s: S,
    sums: &mut ThreeSums<S, D>,
    max_speed: f32,
    directions: impl FnOnce(u32) -> Vectors<S, D>,
) {
    let Some(rule) = rules.separation.filter(|_| sums.coincident.any()) else { return };
    let flees = rule.response == Response::Flee;
    let gain = match rule.falloff {
        _ if flees => max_speed,
        Falloff::Linear | Falloff::Inverse => 1.0,
        Falloff::Soft => rule.perception.radius * 0.25,
        Falloff::InverseSquare => 1.0 / rule.perception.radius,
    };
    let push = directions(sums.coincident.bits()) * s.splat(gain);
    // Sums are kept with the sign they are added up with; nothing is rounded by turning it
    // twice.
    let zero = Vectors::zero(s);
    let parted =
        if flees { sums.separation + push } else { zero - ((zero - sums.separation) + push) };
    sums.separation = Vectors::select(sums.coincident, parted, sums.separation);
}

/// Weighted responses, zero for rules that are absent; weights and speeds by lane.
#[inline(always)]
pub(crate) fn weighted_responses<S: Simd, const D: usize>(
    rules: &Rules,
    s: S,
    sums: &ThreeSums<S, D>,
    own: &BlockLanes<S, D>,
    weights: [S::F; 3],
    max_speed: S::F,
) -> [Vectors<S, D>; 3] {
    let (zero, one) = (s.splat(0.0), s.splat(1.0));
    let mut weighted = [Vectors::zero(s); 3];
    if let Some(rule) = &rules.separation {
        let flees = rule.response == Response::Flee;
        let apart = if flees { sums.separation } else { Vectors::zero(s) - sums.separation };
        weighted[0] = weigh(
            s,
            apart,
            own,
            if flees { Response::Raw } else { rule.response },
            weights[0],
            max_speed,
        );
    }
    if let Some(rule) = &rules.alignment {
        let response =
            weigh(s, alignment(s, rule, sums, own), own, rule.response, weights[1], max_speed);
        weighted[1] = response.or_zero(s, sums.alignment_count.gt(zero));
    }
    if let Some(rule) = &rules.cohesion {
        let mean = sums.cohesion * (one / sums.cohesion_count);
        let response = weigh(s, mean, own, rule.response, weights[2], max_speed);
        weighted[2] = response.or_zero(s, sums.cohesion_count.gt(zero));
    }
    weighted
}

/// The response to a rule's sum times its weight; a zero sum stays zero.
#[inline(always)]
pub(crate) fn weigh<S: Simd, const D: usize>(
    s: S,
    sum: Vectors<S, D>,
    own: &BlockLanes<S, D>,
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

/// Mean of the neighbors' velocities or headings, less the boid's own where alignment is relative.
/// Not to be used where none is seen.
#[inline(always)]
fn alignment<S: Simd, const D: usize>(
    s: S,
    rule: &Alignment,
    sums: &ThreeSums<S, D>,
    own: &BlockLanes<S, D>,
) -> Vectors<S, D> {
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
