//! Mesa's boid flockers in lanes, and the flocking of Agents.jl, which shares the formula.

use wingbeat_steer::model::{AgentsJl, Mesa};

use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor};
use crate::simd::{Float, Simd, Sum, Vectors};
use crate::terms::model::{InLanes, LaneModel, ModelBlock};

pub(crate) struct MesaLanes {
    speed: f32,
    vision: f32,
    separation: f32,
    cohere: f32,
    separate: f32,
    along: f32,
}

impl InLanes for Mesa {
    type Lanes = MesaLanes;

    fn in_lanes(self) -> MesaLanes {
        MesaLanes {
            speed: self.speed,
            vision: self.vision,
            separation: self.separation,
            cohere: self.cohere_factor,
            separate: self.separate_factor,
            along: self.match_factor,
        }
    }
}

impl InLanes for AgentsJl {
    type Lanes = MesaLanes;

    fn in_lanes(self) -> MesaLanes {
        MesaLanes {
            speed: self.speed,
            vision: self.visual_distance,
            separation: self.separation,
            cohere: self.cohere_factor,
            separate: self.separate_factor,
            along: self.match_factor,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct MesaVisitor<S: Simd, const D: usize> {
    vision_sq: S::F,
    separation_sq: S::F,
    offsets: Vectors<S, D>,
    close: Vectors<S, D>,
    headings: Vectors<S, D>,
    n: S::F,
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for MesaVisitor<S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, _own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let seen = other.distance_sq.le(self.vision_sq);
        self.offsets = self.offsets.add_where(seen, other.offset);
        self.close =
            self.close.add_where(seen & other.distance_sq.lt(self.separation_sq), other.offset);
        self.headings = self.headings.add_where(seen, other.aligned);
        self.n = Float::add_where(self.n, seen, s.splat(1.0));
    }
}

impl<const D: usize> LaneModel<D> for MesaLanes {
    const WIDE: bool = false;
    type Visitor<S: Simd> = MesaVisitor<S, D>;

    #[inline(always)]
    fn begin<S: Simd>(&self, s: S, _boids: &ModelBlock<'_, S, D>) -> MesaVisitor<S, D> {
        let nothing = Vectors::zero(s);
        MesaVisitor {
            vision_sq: s.splat(self.vision * self.vision),
            separation_sq: s.splat(self.separation * self.separation),
            offsets: nothing,
            close: nothing,
            headings: nothing,
            n: s.splat(0.0),
        }
    }

    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        s: S,
        look: &MesaVisitor<S, D>,
        boids: &ModelBlock<'_, S, D>,
    ) -> Vectors<S, D> {
        let heading = boids.heading_or_hash(s);
        let apart = look.offsets * s.splat(self.cohere) - look.close * s.splat(self.separate);
        let sum = apart + look.headings * s.splat(self.along);
        let wanted = heading + sum * (s.splat(1.0) / look.n);
        let bent = look.n.gt(s.splat(0.0)) & wanted.largest().gt(s.splat(0.0));
        Vectors::select(bent, wanted.unit(s), heading) * s.splat(self.speed)
    }
}
