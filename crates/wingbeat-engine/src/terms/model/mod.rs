//! Whole models from the literature, in lanes: what `wingbeat_steer::model` defines, bit for bit.
//!
//! One file a model: what its boids see of a candidate ([`CandidateVisitor`]), and what becomes of
//! it ([`LaneModel::finish`]). Which files there are says `for_each_model!` of the definitions.

use crate::identity::Identity;
use crate::neighbors::{BlockLanes, CandidateVisitor, Keyed, LaneAssignment};
use crate::simd::{Mask, Simd, Vectors};
pub(crate) use crate::terms::InLanes;

macro_rules! files {
    (($d:tt) $($file:ident::$model:ident [$space:ident $lanes:ident])*) => {
        $(files! { $lanes $file })*
    };
    (own $file:ident) => {
        mod $file;
    };
    (shared $file:ident) => {};
}
wingbeat_steer::for_each_model!(files);

/// A model in lanes.
pub(crate) trait LaneModel<const D: usize>: Send + Sync + 'static {
    /// Whether it needs headings of the boids that look, `BlockLanes::heading` and
    /// `BlockLanes::at_rest`.
    const NEEDS_HEADINGS: bool = false;
    /// As [`Work::WIDE`](crate::simd::Work::WIDE).
    const WIDE: bool = true;
    /// What the boids of a block see: running sums, and the parameters in lanes.
    type Visitor<S: Simd>: CandidateVisitor<S, D>;

    /// Before the first candidate. What does not depend on candidates is best done here: long
    /// chains of arithmetic, such as a hash, then run beside the search.
    fn begin<S: Simd>(&self, s: S, boids: &ModelBlock<'_, S, D>) -> Self::Visitor<S>;

    /// The steering, after the last one.
    fn finish<S: Simd>(
        &self,
        s: S,
        look: &Self::Visitor<S>,
        boids: &ModelBlock<'_, S, D>,
    ) -> Vectors<S, D>;
}

/// What a model may ask about the boids of a block.
pub(crate) struct ModelBlock<'a, S: Simd, const D: usize> {
    pub own: &'a BlockLanes<S, D>,
    pub identity: &'a Identity<'a>,
    pub lane_slots: &'a LaneAssignment<S>,
    /// Boids of the flock.
    pub count: f32,
}

impl<S: Simd, const D: usize> ModelBlock<'_, S, D> {
    /// Their keyed noise of this step.
    #[inline(always)]
    fn noise(&self, s: S) -> Keyed<S> {
        Keyed::new(s, self.identity, self.lane_slots)
    }

    /// Headings along sums; where a sum is zero (as a velocity at rest is), the own heading, or for
    /// a boid at rest its hash-derived direction.
    #[inline(always)]
    fn direction_or_heading(&self, s: S, sum: Vectors<S, D>) -> Vectors<S, D> {
        let (unit, nothing) = sum.heading(s);
        let nothing = nothing & self.own.live;
        if !nothing.any() {
            return unit;
        }
        let (heading, at_rest) = self.own.velocity.heading(s);
        let hashed = self.lane_slots.directions(s, self.identity, (nothing & at_rest).bits(), 0);
        Vectors::select(nothing, Vectors::select(at_rest, hashed, heading), unit)
    }

    /// Their headings; of those at rest, hash-derived directions.
    #[inline(always)]
    fn heading_or_hash(&self, s: S) -> Vectors<S, D> {
        let (heading, at_rest) = self.own.velocity.heading(s);
        let lost = at_rest & self.own.live;
        if !lost.any() {
            return heading;
        }
        Vectors::select(lost, self.lane_slots.directions(s, self.identity, lost.bits(), 0), heading)
    }

    /// Directions in which the boids of the given lanes part that coincide with another.
    #[inline(always)]
    fn parting(&self, s: S, lanes: S::M) -> Vectors<S, D> {
        self.lane_slots.directions(
            s,
            self.identity,
            (lanes & self.own.live).bits(),
            self.identity.step,
        )
    }
}
