//! Couzin et al. 2002 in lanes.

use std::f32::consts::PI;

use wingbeat_steer::COINCIDENT;
use wingbeat_steer::model::Couzin2002;
use wingbeat_steer::noise::stream;

use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor};
use crate::simd::series::{gaussian, sin_cos_turns};
use crate::simd::{Float, Mask, Simd, Sum, Vectors};
use crate::terms::model::{InLanes, LaneModel, ModelBlock};

pub(crate) struct CouzinLanes {
    model: Couzin2002,
    /// Negative infinity when all round: the test then passes every candidate that does not
    /// coincide.
    cos_half: f32,
}

impl InLanes for Couzin2002 {
    type Lanes = CouzinLanes;

    fn in_lanes(self) -> CouzinLanes {
        let model = self;
        CouzinLanes { model, cos_half: model.cos_half_view().unwrap_or(f32::NEG_INFINITY) }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct CouzinVisitor<S: Simd, const D: usize> {
    coincident_sq: S::F,
    repulsion_sq: S::F,
    orientation_sq: S::F,
    attraction_sq: S::F,
    cos_half: S::F,
    away: Vectors<S, D>,
    along: Vectors<S, D>,
    towards: Vectors<S, D>,
    on_another: S::M,
    repelled: S::M,
    aligned: S::M,
    attracted: S::M,
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for CouzinVisitor<S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let (d, d_sq) = (other.distance, other.distance_sq);
        let coincident = d_sq.le(self.coincident_sq);
        let close = d_sq.lt(self.repulsion_sq);
        let inner = d_sq.lt(self.orientation_sq);
        let seen =
            d_sq.le_within(self.attraction_sq, other.offset.dot(own.heading).ge(self.cos_half * d));
        let direction = other.offset * (s.splat(1.0) / d);
        let (repels, aligns, attracts) = (
            close & !coincident,
            seen & inner & !close & !coincident,
            seen & !inner & !close & !coincident,
        );
        self.away = self.away.add_where(repels, direction);
        self.along = self.along.add_where(aligns, other.aligned);
        self.towards = self.towards.add_where(attracts, direction);
        self.on_another = self.on_another | coincident;
        self.repelled = self.repelled | repels;
        self.aligned = self.aligned | aligns;
        self.attracted = self.attracted | attracts;
    }
}

impl<const D: usize> LaneModel<D> for CouzinLanes {
    const NEEDS_HEADINGS: bool = true;
    type Visitor<S: Simd> = CouzinVisitor<S, D>;

    #[inline(always)]
    fn begin<S: Simd>(&self, s: S, boids: &ModelBlock<'_, S, D>) -> CouzinVisitor<S, D> {
        let model = &self.model;
        let (repulsion, orientation, attraction) =
            (model.repulsion_radius, model.orientation_radius(), model.attraction_radius());
        let nothing = Vectors::zero(s);
        CouzinVisitor {
            coincident_sq: s.splat(repulsion * repulsion * COINCIDENT),
            repulsion_sq: s.splat(repulsion * repulsion),
            orientation_sq: s.splat(orientation * orientation),
            attraction_sq: s.splat(attraction * attraction),
            cos_half: boids.own.at_rest.select(s.splat(f32::NEG_INFINITY), s.splat(self.cos_half)),
            away: nothing,
            along: nothing,
            towards: nothing,
            on_another: s.mask(0),
            repelled: s.mask(0),
            aligned: s.mask(0),
            attracted: s.mask(0),
        }
    }

    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        s: S,
        look: &CouzinVisitor<S, D>,
        boids: &ModelBlock<'_, S, D>,
    ) -> Vectors<S, D> {
        let away = Vectors::zero(s) - look.away;
        let outer = look.along + look.towards;
        let outer = Vectors::select(look.aligned & look.attracted, outer * s.splat(0.5), outer);
        let mut desired = Vectors::select(look.repelled, away, outer);
        if (look.on_another & boids.own.live).any() {
            desired =
                Vectors::select(look.on_another, away + boids.parting(s, look.on_another), desired);
        }
        let direction = boids.direction_or_heading(s, desired);
        let noise = boids.noise(s);
        let error =
            gaussian(s, noise.uniform(s, stream::MODEL), noise.uniform(s, stream::MODEL + 1))
                * s.splat(self.model.noise);
        let (sin, cos) = sin_cos_turns(s, error * s.splat(0.5 / PI));
        let mut side = direction.perpendicular(s).unit(s);
        if D == 3 {
            let (sin, cos) = sin_cos_turns(s, noise.uniform(s, stream::MODEL + 2));
            side = side * cos + direction.cross(side) * sin;
        }
        direction * cos + side * sin
    }
}
