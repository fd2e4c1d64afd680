//! Vicsek et al. 1995 in lanes: a range test, a sum of headings, and one turn a boid.

use std::f32::consts::PI;

use wingbeat_steer::model::Vicsek1995;
use wingbeat_steer::noise::stream;

use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor};
use crate::simd::series::sin_cos_turns;
use crate::simd::{Float, Simd, Sum, Vectors};
use crate::terms::model::{InLanes, LaneModel, ModelBlock};

pub(crate) struct VicsekLanes(Vicsek1995);

impl InLanes for Vicsek1995 {
    type Lanes = VicsekLanes;

    fn in_lanes(self) -> VicsekLanes {
        VicsekLanes(self)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct VicsekVisitor<S: Simd> {
    radius_sq: S::F,
    headings: Vectors<S, 2>,
    /// Of the turn.
    sin: S::F,
    cos: S::F,
}

impl<S: Simd> CandidateVisitor<S, 2> for VicsekVisitor<S> {
    const MEETS_ITSELF: bool = true;

    #[inline(always)]
    fn visit(&mut self, _s: S, _own: &BlockLanes<S, 2>, other: &Candidate<S, 2>) {
        self.headings =
            self.headings.add_where(other.distance_sq.le(self.radius_sq), other.aligned);
    }
}

impl LaneModel<2> for VicsekLanes {
    type Visitor<S: Simd> = VicsekVisitor<S>;

    #[inline(always)]
    fn begin<S: Simd>(&self, s: S, boids: &ModelBlock<'_, S, 2>) -> VicsekVisitor<S> {
        let draw = boids.noise(s).uniform(s, stream::MODEL);
        let (sin, cos) =
            sin_cos_turns(s, (draw - s.splat(0.5)) * s.splat(self.0.noise * (0.5 / PI)));
        VicsekVisitor {
            radius_sq: s.splat(self.0.radius * self.0.radius),
            headings: Vectors::zero(s),
            sin,
            cos,
        }
    }

    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        s: S,
        look: &VicsekVisitor<S>,
        boids: &ModelBlock<'_, S, 2>,
    ) -> Vectors<S, 2> {
        let mean = boids.direction_or_heading(s, look.headings);
        let (sin, cos) = (look.sin, look.cos);
        let turned = Vectors([mean[0] * cos - mean[1] * sin, mean[0] * sin + mean[1] * cos]);
        turned * s.splat(self.0.speed)
    }
}
