//! MASON's flockers in lanes.

use wingbeat_steer::model::Mason;

use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor};
use crate::simd::{Float, Simd, Sum, Vectors};
use crate::terms::model::{InLanes, LaneModel, ModelBlock};

pub(crate) struct MasonLanes(Mason);

impl InLanes for Mason {
    type Lanes = MasonLanes;

    fn in_lanes(self) -> MasonLanes {
        MasonLanes(self)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct MasonVisitor<S: Simd, const D: usize> {
    neighborhood_sq: S::F,
    offsets: Vectors<S, D>,
    away: Vectors<S, D>,
    steps: Vectors<S, D>,
    n: S::F,
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for MasonVisitor<S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, _own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let d_sq = other.distance_sq;
        let seen = d_sq.le(self.neighborhood_sq);
        let fade = s.splat(1.0) / (d_sq * d_sq + s.splat(1.0));
        self.offsets = self.offsets.add_where(seen, other.offset);
        self.away = self.away.add_where(seen, other.offset * fade);
        self.steps = self.steps.add_where(seen, other.velocity);
        self.n = Float::add_where(self.n, seen, s.splat(1.0));
    }
}

impl<const D: usize> LaneModel<D> for MasonLanes {
    const WIDE: bool = false;
    type Visitor<S: Simd> = MasonVisitor<S, D>;

    #[inline(always)]
    fn begin<S: Simd>(&self, s: S, _boids: &ModelBlock<'_, S, D>) -> MasonVisitor<S, D> {
        let nothing = Vectors::zero(s);
        MasonVisitor {
            neighborhood_sq: s.splat(self.0.neighborhood * self.0.neighborhood),
            offsets: nothing,
            away: nothing,
            steps: nothing,
            n: s.splat(0.0),
        }
    }

    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        s: S,
        look: &MasonVisitor<S, D>,
        boids: &ModelBlock<'_, S, D>,
    ) -> Vectors<S, D> {
        let (model, own) = (&self.0, boids.own.velocity);
        let per_boid = s.splat(1.0) / (look.n + s.splat(1.0));
        let cohesion = look.offsets * per_boid * s.splat(model.cohesion_gain());
        let others = (look.away * (s.splat(1.0) / look.n)).or_zero(s, look.n.gt(s.splat(0.0)));
        let avoidance = others * s.splat(model.avoidance_gain());
        let consistency = (own + look.steps) * per_boid * s.splat(model.consistency);
        let randomness = boids.noise(s).direction(s) * s.splat(model.randomness_gain());
        let sum = cohesion + avoidance + consistency + randomness + own * s.splat(model.momentum);
        sum.unit(s) * s.splat(model.jump)
    }
}
