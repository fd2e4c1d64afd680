//! NetLogo's flocking in lanes.

use wingbeat_steer::model::NetLogo;
use wingbeat_steer::{COINCIDENT, LargestTurn};

use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor};
use crate::simd::{Float, Mask, Simd, Sum, Vectors};
use crate::terms::model::{InLanes, LaneModel, ModelBlock};

pub(crate) struct NetLogoLanes {
    model: NetLogo,
    align: LargestTurn,
    cohere: LargestTurn,
    separate: LargestTurn,
}

impl InLanes for NetLogo {
    type Lanes = NetLogoLanes;

    fn in_lanes(self) -> NetLogoLanes {
        let model = self;
        let [align, cohere, separate] = model.largest_turns();
        NetLogoLanes { model, align, cohere, separate }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct NetLogoVisitor<S: Simd> {
    vision_sq: S::F,
    coincident_sq: S::F,
    along: Vectors<S, 2>,
    towards: Vectors<S, 2>,
    nearest_sq: S::F,
    nearest: Vectors<S, 2>,
}

impl<S: Simd> CandidateVisitor<S, 2> for NetLogoVisitor<S> {
    #[inline(always)]
    fn visit(&mut self, s: S, _own: &BlockLanes<S, 2>, other: &Candidate<S, 2>) {
        let d_sq = other.distance_sq;
        let seen = d_sq.le(self.vision_sq);
        let nearer = seen & d_sq.lt(self.nearest_sq);
        self.nearest_sq = nearer.select(d_sq, self.nearest_sq);
        self.nearest = Vectors::select(nearer, other.aligned, self.nearest);
        self.along = self.along.add_where(seen, other.aligned);
        let apart = seen & d_sq.gt(self.coincident_sq);
        self.towards =
            self.towards.add_where(apart, other.offset * (s.splat(1.0) / other.distance));
    }
}

impl LaneModel<2> for NetLogoLanes {
    const WIDE: bool = false;
    type Visitor<S: Simd> = NetLogoVisitor<S>;

    #[inline(always)]
    fn begin<S: Simd>(&self, s: S, _boids: &ModelBlock<'_, S, 2>) -> NetLogoVisitor<S> {
        let vision_sq = self.model.vision * self.model.vision;
        let nothing = Vectors::zero(s);
        NetLogoVisitor {
            vision_sq: s.splat(vision_sq),
            coincident_sq: s.splat(vision_sq * COINCIDENT),
            along: nothing,
            towards: nothing,
            nearest_sq: s.splat(f32::INFINITY),
            nearest: nothing,
        }
    }

    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        s: S,
        look: &NetLogoVisitor<S>,
        boids: &ModelBlock<'_, S, 2>,
    ) -> Vectors<S, 2> {
        let model = &self.model;
        let heading = boids.heading_or_hash(s);
        let too_near =
            look.nearest_sq.lt(s.splat(model.minimum_separation * model.minimum_separation));
        let away = turn(s, heading, look.nearest, heading, &self.separate);
        let aligned = turn(s, heading, heading, look.along.unit(s), &self.align);
        let together = turn(s, aligned, aligned, look.towards.unit(s), &self.cohere);
        Vectors::select(too_near, away, together) * s.splat(model.speed)
    }
}

/// A heading, turned by the angle that leads from one direction to another, at most by so much.
#[inline(always)]
fn turn<S: Simd>(
    s: S,
    heading: Vectors<S, 2>,
    from: Vectors<S, 2>,
    to: Vectors<S, 2>,
    most: &LargestTurn,
) -> Vectors<S, 2> {
    let zero = s.splat(0.0);
    let ahead = from.dot(to);
    let left = from[0] * to[1] - from[1] * to[0];
    let size = left.abs();
    let forwards = ahead.gt(zero);
    let within = if most.wide {
        forwards | size.ge(s.splat(most.sin))
    } else {
        forwards & size.le(s.splat(most.sin))
    };
    let furthest = left.gt(zero).select(s.splat(most.sin), s.splat(-most.sin));
    let (cos, sin) = (within.select(ahead, s.splat(most.cos)), within.select(left, furthest));
    let turned =
        Vectors([heading[0] * cos - heading[1] * sin, heading[0] * sin + heading[1] * cos]);
    let directions = from.largest().gt(zero) & to.largest().gt(zero);
    Vectors::select(directions, turned, heading)
}
