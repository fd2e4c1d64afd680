//! The boids sample of Unity's entities in lanes, as shipped and fixed.

use wingbeat_steer::model::{Unity, UnityFixed};

use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor};
use crate::simd::{Float, Mask, Simd, Sum, Vectors};
use crate::terms::model::{InLanes, LaneModel, ModelBlock};

pub(crate) struct UnityLanes {
    model: UnityFixed,
    /// Whether a cell's first boid speaks for all of it.
    as_shipped: bool,
}

impl InLanes for UnityFixed {
    type Lanes = UnityLanes;

    fn in_lanes(self) -> UnityLanes {
        UnityLanes { model: self, as_shipped: false }
    }
}

impl InLanes for Unity {
    type Lanes = UnityLanes;

    fn in_lanes(self) -> UnityLanes {
        UnityLanes { model: self.into(), as_shipped: true }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct UnityVisitor<S: Simd, const D: usize> {
    reach_sq: S::F,
    per_cell: S::F,
    /// The own cell.
    home: Vectors<S, D>,
    n: S::F,
    headings: Vectors<S, D>,
    offsets: Vectors<S, D>,
    first: Vectors<S, D>,
    first_heading: Vectors<S, D>,
    doubled: S::F,
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for UnityVisitor<S, D> {
    const MEETS_ITSELF: bool = true;

    #[inline(always)]
    fn visit(&mut self, s: S, _own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let mut seen = other.distance_sq.le(self.reach_sq);
        for a in 0..D {
            let cell = floor(s, other.position[a] * self.per_cell);
            seen = seen & cell.le(self.home[a]) & self.home[a].le(cell);
        }
        let first = seen & self.n.le(s.splat(0.0));
        self.first = Vectors::select(first, other.position, self.first);
        self.first_heading = Vectors::select(first, other.aligned, self.first_heading);
        let doubled = (self.doubled + self.doubled).min(s.splat(Unity::ENDLESS));
        self.doubled = (seen & !first).select(doubled, self.doubled);
        self.headings = self.headings.add_where(seen, other.aligned);
        self.offsets = self.offsets.add_where(seen, other.offset);
        self.n = Float::add_where(self.n, seen, s.splat(1.0));
    }
}

impl<const D: usize> LaneModel<D> for UnityLanes {
    const WIDE: bool = false;
    type Visitor<S: Simd> = UnityVisitor<S, D>;

    #[inline(always)]
    fn begin<S: Simd>(&self, s: S, boids: &ModelBlock<'_, S, D>) -> UnityVisitor<S, D> {
        let reach = self.model.cell_radius * Unity::DIAGONAL;
        let per_cell = s.splat(1.0 / self.model.cell_radius);
        let mut home = boids.own.position * per_cell;
        for a in 0..D {
            home[a] = floor(s, home[a]);
        }
        let nothing = Vectors::zero(s);
        UnityVisitor {
            reach_sq: s.splat(reach * reach),
            per_cell,
            home,
            n: s.splat(0.0),
            headings: nothing,
            offsets: nothing,
            first: nothing,
            first_heading: nothing,
            doubled: s.splat(Unity::SMALL),
        }
    }

    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        s: S,
        look: &UnityVisitor<S, D>,
        boids: &ModelBlock<'_, S, D>,
    ) -> Vectors<S, D> {
        let position = boids.own.position;
        let (heading, _) = boids.own.velocity.heading(s);
        if !self.as_shipped {
            let alignment = (look.headings * (s.splat(1.0) / look.n) - heading).unit(s);
            let separation = (Vectors::zero(s) - look.offsets).unit(s);
            let wanted = self.towards_target(s, position, alignment, separation);
            return self.around_obstacle(s, position, look.first, wanted);
        }
        let infinite = s.splat(Unity::INFINITE);
        let lost = (look.first.largest() * look.doubled).ge(infinite)
            | (look.first_heading.largest() * look.doubled).ge(infinite);
        let part = look.doubled * (s.splat(1.0) / look.n);
        let alignment = term(s, look.first_heading * part - heading * s.splat(Unity::SMALL));
        let separation =
            term(s, position * (look.n * s.splat(Unity::SMALL)) - look.first * look.doubled);
        let wanted = self.towards_target(s, position, alignment, separation);
        self.around_obstacle(s, position, look.first, wanted.or_zero(s, !lost))
    }
}

impl UnityLanes {
    /// The direction of the weighted terms and the way to the target.
    #[inline(always)]
    fn towards_target<S: Simd, const D: usize>(
        &self,
        s: S,
        position: Vectors<S, D>,
        alignment: Vectors<S, D>,
        separation: Vectors<S, D>,
    ) -> Vectors<S, D> {
        let model = &self.model;
        let towards = (point(s, model.target()) - position).unit(s) * s.splat(model.target_weight);
        let sum = alignment * s.splat(model.alignment_weight)
            + separation * s.splat(model.separation_weight)
            + towards;
        sum.unit(s)
    }

    /// The heading wanted, or where the cell's first boid is too near to the obstacle, the way
    /// round it.
    #[inline(always)]
    fn around_obstacle<S: Simd, const D: usize>(
        &self,
        s: S,
        position: Vectors<S, D>,
        first: Vectors<S, D>,
        wanted: Vectors<S, D>,
    ) -> Vectors<S, D> {
        let berth = s.splat(self.model.obstacle_aversion_distance);
        let obstacle = point(s, self.model.obstacle());
        let near = (first - obstacle).norm(s).lt(berth);
        let way = position - obstacle;
        Vectors::select(near, way.unit(s) * berth - way, wanted)
    }
}

/// A term of the source: a direction, or nothing where the square of its length is infinite there.
#[inline(always)]
fn term<S: Simd, const D: usize>(s: S, vector: Vectors<S, D>) -> Vectors<S, D> {
    vector.unit(s).or_zero(s, vector.norm(s).lt(s.splat(1.0)))
}

/// A place in as many dimensions as there are.
#[inline(always)]
fn point<S: Simd, const D: usize>(s: S, place: [f32; 3]) -> Vectors<S, D> {
    let mut point = Vectors::zero(s);
    for a in 0..D {
        point[a] = s.splat(place[a]);
    }
    point
}

/// The largest whole number not above `x`. Floats from 2²³ on have no fraction; smaller ones are
/// rounded by adding it.
#[inline(always)]
fn floor<S: Simd>(s: S, x: S::F) -> S::F {
    let whole = s.splat(8_388_608.0);
    let size = x.abs();
    let rounded = (size + whole) - whole;
    let rounded = x.lt(s.splat(0.0)).select(-rounded, rounded);
    let below = rounded.gt(x).select(rounded - s.splat(1.0), rounded);
    size.lt(whole).select(below, x)
}
