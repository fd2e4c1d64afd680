//! The three rules as rules with a pass each, which tests compare with the loop that sums all
//! three.

use wingbeat_steer::{Alignment, AlignmentOf, Cohesion, Falloff, Response, Separation};

use super::lane_rule::{LaneRule, LaneTally, RuleBlock};
use crate::neighbors::Candidate;
use crate::simd::{Float, Mask, Simd, Vectors};

impl LaneRule for Separation {
    #[inline(always)]
    fn lane_term<S: Simd, const D: usize>(
        &self,
        s: S,
        boids: &RuleBlock<'_, S, D>,
        other: &Candidate<S, D>,
    ) -> (Vectors<S, D>, S::F) {
        let (one, per_radius) = (s.splat(1.0), s.splat(1.0 / self.perception.radius));
        let term = if self.response == Response::Flee {
            boids.own.velocity - other.offset * (s.splat(boids.max_speed) / other.distance)
        } else {
            other.offset
                * match self.falloff {
                    Falloff::Linear => one / other.distance - per_radius,
                    Falloff::Soft => (one - other.distance * per_radius).max(s.splat(0.0)),
                    Falloff::Inverse => one / other.distance,
                    Falloff::InverseSquare => one / other.distance_sq,
                }
        };
        (term, one)
    }

    #[inline(always)]
    fn lane_wanted<S: Simd, const D: usize>(
        &self,
        s: S,
        boids: &RuleBlock<'_, S, D>,
        tally: &LaneTally<S, D>,
    ) -> (Vectors<S, D>, S::M) {
        let flees = self.response == Response::Flee;
        let apart = if flees { tally.sum } else { Vectors::zero(s) - tally.sum };
        let coincident = tally.coincident & boids.own.live;
        if !coincident.any() {
            return (apart, s.first(S::LANES));
        }
        let gain = match self.falloff {
            _ if flees => boids.max_speed,
            Falloff::Linear | Falloff::Inverse => 1.0,
            Falloff::Soft => self.perception.radius * 0.25,
            Falloff::InverseSquare => 1.0 / self.perception.radius,
        };
        let (identity, lanes) = (boids.identity, coincident.bits());
        let push = boids.lane_slots.directions(s, identity, lanes, identity.step) * s.splat(gain);
        (Vectors::select(coincident, apart + push, apart), s.first(S::LANES))
    }
}

impl LaneRule for Alignment {
    #[inline(always)]
    fn lane_term<S: Simd, const D: usize>(
        &self,
        s: S,
        _boids: &RuleBlock<'_, S, D>,
        other: &Candidate<S, D>,
    ) -> (Vectors<S, D>, S::F) {
        let value = match self.of {
            AlignmentOf::Velocity => other.velocity,
            AlignmentOf::Heading => other.velocity.heading(s).0,
        };
        (value, s.splat(1.0))
    }

    #[inline(always)]
    fn lane_wanted<S: Simd, const D: usize>(
        &self,
        s: S,
        boids: &RuleBlock<'_, S, D>,
        tally: &LaneTally<S, D>,
    ) -> (Vectors<S, D>, S::M) {
        let (one, own) = (s.splat(1.0), boids.own);
        let own = match self.of {
            AlignmentOf::Velocity => own.velocity,
            AlignmentOf::Heading => own.heading,
        };
        let mean = if self.include_self {
            (own + tally.sum) * (one / (tally.weight + one))
        } else {
            tally.sum * (one / tally.weight)
        };
        let wanted = if self.relative { mean - own } else { mean };
        (wanted, tally.weight.gt(s.splat(0.0)))
    }
}

impl LaneRule for Cohesion {
    #[inline(always)]
    fn lane_term<S: Simd, const D: usize>(
        &self,
        s: S,
        _boids: &RuleBlock<'_, S, D>,
        other: &Candidate<S, D>,
    ) -> (Vectors<S, D>, S::F) {
        (other.offset, s.splat(1.0))
    }
}
