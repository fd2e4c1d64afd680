//! Rules that have a pass of their own, in lanes.

use wingbeat_steer::rule::RuleDefinition;

use crate::identity::Identity;
use crate::neighbors::{BlockLanes, Candidate, LaneAssignment};
use crate::simd::{Float, Simd, Vectors};

/// What a rule may ask about the boids of a block.
pub(crate) struct RuleBlock<'a, S: Simd, const D: usize> {
    /// With the headings of their velocities.
    pub own: &'a BlockLanes<S, D>,
    #[cfg_attr(not(debug_assertions), expect(dead_code, reason = "of rules that part boids"))]
    pub identity: &'a Identity<'a>,
    #[cfg_attr(not(debug_assertions), expect(dead_code, reason = "of rules that part boids"))]
    pub lane_slots: &'a LaneAssignment<S>,
    /// The maximum speed of their species.
    pub max_speed: f32,
}

/// What a rule has added up over the neighbors that lanes see.
#[derive(Clone, Copy)]
pub(crate) struct LaneTally<S: Simd, const D: usize> {
    pub sum: Vectors<S, D>,
    pub weight: S::F,
    /// Lanes that coincide with a neighbor they see.
    pub coincident: S::M,
}

/// A rule in lanes, operation by operation as its definition. Velocities are all that it may ask of
/// a candidate: `Candidate::aligned` is for the three rules' loop.
pub(crate) trait LaneRule: RuleDefinition {
    /// [`RuleDefinition::term`]. Lanes that do not see the candidate are ignored by the pass.
    fn lane_term<S: Simd, const D: usize>(
        &self,
        s: S,
        boids: &RuleBlock<'_, S, D>,
        other: &Candidate<S, D>,
    ) -> (Vectors<S, D>, S::F);

    /// [`RuleDefinition::wanted`], and the lanes that have something to respond to.
    #[inline(always)]
    fn lane_wanted<S: Simd, const D: usize>(
        &self,
        s: S,
        _boids: &RuleBlock<'_, S, D>,
        tally: &LaneTally<S, D>,
    ) -> (Vectors<S, D>, S::M) {
        (tally.sum * (s.splat(1.0) / tally.weight), tally.weight.gt(s.splat(0.0)))
    }
}
