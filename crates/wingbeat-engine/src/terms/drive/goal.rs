//! Goal in lanes.

use std::ops::Range;

use wingbeat_steer::drive::{Goal, Memory, OnArrival};

use crate::columns::extra::Column;
use crate::domain::nearest_images;
use crate::simd::{Float, Simd, Vectors, load_part, store_part};
use crate::terms::drive::lane_drive::{MovedLanes, Numbers};
use crate::terms::drive::{DriveLanes, InLanes, Interval, LaneDrive};

impl<const D: usize> InLanes for Goal<[f32; D]> {
    type Lanes = Self;

    fn in_lanes(self) -> Self {
        self
    }
}

impl<const D: usize> LaneDrive<D> for Goal<[f32; D]> {
    fn columns(&self) -> &'static [f32] {
        if self.arrival_radius > 0.0 { &[0.0] } else { &[] }
    }

    fn memory(&self, usual: Memory<[f32; D]>, value: &dyn Fn(usize) -> f32) -> Memory<[f32; D]> {
        match usual {
            Memory::Settling(_) => Memory::Settling(value(0)),
            _ => Memory::Arrived(value(0) > 0.0),
        }
    }

    #[inline(always)]
    fn lane_force<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        let (way, near) = way_to_goal(s, self, lanes);
        let force = lanes.arrive(s, way, s.splat(self.slowing_radius)).or_zero(s, near);
        if !self.settles() {
            return force;
        }
        // Where boids have settled, they are to stand.
        let settled = lanes.memory(s, 0).ge(s.splat(1.0));
        Vectors::select(settled, self.waiting(s, lanes), force)
    }

    #[inline(always)]
    fn waiting<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        lanes.stop(s).or_zero(s, way_to_goal(s, self, lanes).1)
    }

    fn arrival(&self) -> Option<OnArrival> {
        (self.arrival_radius > 0.0).then_some(self.on_arrival)
    }

    fn progresses(&self, _passed: &Interval) -> bool {
        self.arrival_radius > 0.0
    }

    #[inline(always)]
    fn progress<S: Simd>(
        &self,
        s: S,
        moved: &MovedLanes<'_, D>,
        numbers: &mut Numbers<'_>,
        places: Range<usize>,
    ) {
        let (at, live) = (places.start, places.len());
        let (own, mut goals) = (&moved.extra.goals, Goals::common(s, self));
        if own[0].in_use() {
            let own = own.each_ref().map(Column::values);
            goals.own(Vectors::load(s, &own, moved.first + at));
        }
        let position = Vectors::load(s, &moved.columns.position.each_ref(), moved.first + at);
        let way = nearest_images(s, moved.domain, goals.place - position);
        let radius_sq = s.splat(self.arrival_radius * self.arrival_radius);
        let there = goals.has & way.dot(way).le(radius_sq) & moved.driven(s, at) & s.first(live);
        if let Some(marks) = moved.marked(s, load_part(s, &*numbers[0], at), there) {
            store_part(s, marks, &mut *numbers[0], at, live);
        }
    }
}

/// The way to the goal, and lanes that have one in range.
#[inline(always)]
fn way_to_goal<S: Simd, const D: usize>(
    s: S,
    goal: &Goal<[f32; D]>,
    lanes: &DriveLanes<'_, S, D>,
) -> (Vectors<S, D>, S::M) {
    let (own, mut goals) = (&lanes.driving.extra.goals, Goals::common(s, goal));
    if own[0].in_use() {
        let mut place = Vectors::zero(s);
        for a in 0..D {
            place[a] = lanes.load(s, own[a].values());
        }
        goals.own(place);
    }
    let way = lanes.way_to(s, goals.place);
    (way, goals.has & way.dot(way).le(s.splat(goal.range * goal.range)))
}

/// Where the boids of a block are to go.
struct Goals<S: Simd, const D: usize> {
    place: Vectors<S, D>,
    /// Lanes that have a goal.
    has: S::M,
}

impl<S: Simd, const D: usize> Goals<S, D> {
    #[inline(always)]
    fn common(s: S, goal: &Goal<[f32; D]>) -> Self {
        match goal.target {
            Some(target) => Self { place: Vectors::splat(s, target), has: s.first(S::LANES) },
            None => Self { place: Vectors::zero(s), has: s.first(0) },
        }
    }

    /// Goals of the boids' own, which take the place of the common one; NaN: none.
    #[inline(always)]
    fn own(&mut self, own: Vectors<S, D>) {
        let owns = own[0].le(own[0]);
        self.place = Vectors::select(owns, own, self.place);
        self.has = self.has | owns;
    }
}
