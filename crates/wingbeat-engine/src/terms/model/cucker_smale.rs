//! Cucker and Smale 2007 in lanes.

use wingbeat_steer::Model;
use wingbeat_steer::model::CuckerSmale;

use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor};
use crate::simd::series::{exp2, log2};
use crate::simd::{Float, Simd, Sum, Vectors};
use crate::terms::model::{InLanes, LaneModel, ModelBlock};

pub(crate) struct CuckerSmaleLanes {
    model: CuckerSmale,
    reach: f32,
}

impl InLanes for CuckerSmale {
    type Lanes = CuckerSmaleLanes;

    fn in_lanes(self) -> CuckerSmaleLanes {
        let model = self;
        CuckerSmaleLanes { model, reach: Model::from(model).reach() }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct CuckerSmaleVisitor<S: Simd, const D: usize> {
    radius_sq: S::F,
    minus_exponent: S::F,
    sum: Vectors<S, D>,
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for CuckerSmaleVisitor<S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let weight = exp2(s, self.minus_exponent * log2(s, s.splat(1.0) + other.distance_sq));
        let term = (other.velocity - own.velocity) * weight;
        self.sum = self.sum.add_where(other.distance_sq.le(self.radius_sq), term);
    }
}

impl<const D: usize> LaneModel<D> for CuckerSmaleLanes {
    type Visitor<S: Simd> = CuckerSmaleVisitor<S, D>;

    #[inline(always)]
    fn begin<S: Simd>(&self, s: S, _boids: &ModelBlock<'_, S, D>) -> CuckerSmaleVisitor<S, D> {
        CuckerSmaleVisitor {
            radius_sq: s.splat(self.reach * self.reach),
            minus_exponent: s.splat(-self.model.exponent),
            sum: Vectors::zero(s),
        }
    }

    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        s: S,
        look: &CuckerSmaleVisitor<S, D>,
        boids: &ModelBlock<'_, S, D>,
    ) -> Vectors<S, D> {
        look.sum * s.splat(self.model.strength / boids.count)
    }
}
