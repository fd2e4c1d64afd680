//! Formation in lanes.

use wingbeat_steer::Formation;

use super::lane_rule::{LaneRule, RuleBlock};
use crate::neighbors::Candidate;
use crate::simd::{Mask, Simd, Vectors};

impl LaneRule for Formation {
    #[inline(always)]
    fn lane_term<S: Simd, const D: usize>(
        &self,
        s: S,
        boids: &RuleBlock<'_, S, D>,
        other: &Candidate<S, D>,
    ) -> (Vectors<S, D>, S::F) {
        let (heading, at_rest) = (boids.own.heading, boids.own.at_rest);
        let across = other.offset - heading * other.offset.dot(heading);
        let place = heading * s.splat(self.ahead) + across.unit(s) * s.splat(self.aside);
        let term = (other.offset - place).or_zero(s, !at_rest);
        (term, at_rest.select(s.splat(0.0), s.splat(1.0)))
    }
}
