//! The circles of FLAME GPU in lanes.

use wingbeat_steer::COINCIDENT;
use wingbeat_steer::model::Circles;

use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor};
use crate::simd::series::sin_cos_turns;
use crate::simd::{Float, Mask, Simd, Sum, Vectors};
use crate::terms::model::{InLanes, LaneModel, ModelBlock};

pub(crate) struct CirclesLanes(Circles);

impl InLanes for Circles {
    type Lanes = CirclesLanes;

    fn in_lanes(self) -> CirclesLanes {
        CirclesLanes(self)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct CirclesVisitor<S: Simd, const D: usize> {
    radius_sq: S::F,
    coincident_sq: S::F,
    per_radius: S::F,
    repulse: S::F,
    sum: Vectors<S, D>,
    n: S::F,
    on_another: S::M,
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for CirclesVisitor<S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, _own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let (d, d_sq) = (other.distance, other.distance_sq);
        let coincident = d_sq.le(self.coincident_sq);
        let seen = d_sq.lt(self.radius_sq) & !coincident;
        let (sin, _) = sin_cos_turns(s, d * self.per_radius - s.splat(0.5));
        self.sum = self.sum.add_where(seen, other.offset * (sin * self.repulse / d));
        self.n = Float::add_where(self.n, seen, s.splat(1.0));
        self.on_another = self.on_another | coincident;
    }
}

impl<const D: usize> LaneModel<D> for CirclesLanes {
    const WIDE: bool = false;
    type Visitor<S: Simd> = CirclesVisitor<S, D>;

    #[inline(always)]
    fn begin<S: Simd>(&self, s: S, _boids: &ModelBlock<'_, S, D>) -> CirclesVisitor<S, D> {
        let radius_sq = self.0.radius * self.0.radius;
        CirclesVisitor {
            radius_sq: s.splat(radius_sq),
            coincident_sq: s.splat(radius_sq * COINCIDENT),
            per_radius: s.splat(1.0 / self.0.radius),
            repulse: s.splat(self.0.repulse),
            sum: Vectors::zero(s),
            n: s.splat(0.0),
            on_another: s.mask(0),
        }
    }

    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        s: S,
        look: &CirclesVisitor<S, D>,
        boids: &ModelBlock<'_, S, D>,
    ) -> Vectors<S, D> {
        let (mut sum, mut n) = (look.sum, look.n);
        if (look.on_another & boids.own.live).any() {
            let away = boids.parting(s, look.on_another) * look.repulse;
            sum = Vectors::select(look.on_another, sum + away, sum);
            n = look.on_another.select(n + s.splat(1.0), n);
        }
        (sum * (s.splat(1.0) / n)).or_zero(s, n.gt(s.splat(0.0)))
    }
}
