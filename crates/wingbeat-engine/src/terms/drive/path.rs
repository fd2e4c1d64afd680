//! Path in lanes; a road is followed a boid at a time, by the definition itself.

use std::ops::Range;

use wingbeat_steer::drive::{Follow, Memory, Path};

use crate::simd::{Float, MAX_LANES, Simd, Vectors};
use crate::terms::drive::lane_drive::{MovedLanes, Numbers};
use crate::terms::drive::{DriveLanes, InLanes, Interval, LaneDrive};

#[derive(Clone)]
pub(crate) struct PathLanes<const D: usize> {
    path: Path<[f32; D]>,
    /// Of every waypoint, the distance from which boids slow down before it.
    slowing: Vec<f32>,
}

impl<const D: usize> InLanes for Path<[f32; D]> {
    type Lanes = PathLanes<D>;

    fn in_lanes(self) -> PathLanes<D> {
        let points = 0..self.road.waypoints().len();
        let slowing = points.map(|next| self.slowing_at(next)).collect();
        PathLanes { path: self, slowing }
    }
}

impl<const D: usize> LaneDrive<D> for PathLanes<D> {
    /// The next waypoint; on a road how far along it, below 0 before it is joined.
    fn columns(&self) -> &'static [f32] {
        if self.path.follow == Follow::Waypoints { &[0.0] } else { &[-1.0] }
    }

    fn memory(&self, usual: Memory<[f32; D]>, value: &dyn Fn(usize) -> f32) -> Memory<[f32; D]> {
        match usual {
            Memory::Next(_) => Memory::Next(value(0) as usize),
            _ => Memory::Along(value(0)),
        }
    }

    fn check(&self, number: f32) -> Result<(), String> {
        let (points, length) = (self.slowing.len(), self.path.road.length());
        if self.path.follow == Follow::Waypoints {
            let is_one = number >= 0.0 && (number as usize) < points;
            return is_one.then_some(()).ok_or_else(|| format!("0 to {}, a waypoint", points - 1));
        }
        let allowed = || format!("at most {length}, the length of the road");
        (number <= length).then_some(()).ok_or_else(allowed)
    }

    #[inline(always)]
    fn lane_force<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        if self.path.follow == Follow::Waypoints {
            self.to_waypoints(s, lanes)
        } else {
            self.along_road(s, lanes)
        }
    }

    #[inline(always)]
    fn waiting<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        lanes.stop(s)
    }

    fn progresses(&self, _passed: &Interval) -> bool {
        true
    }

    /// The definition itself, a boid at a time.
    #[inline(always)]
    fn progress<S: Simd>(
        &self,
        _s: S,
        moved: &MovedLanes<'_, D>,
        numbers: &mut Numbers<'_>,
        places: Range<usize>,
    ) {
        let path = &self.path;
        for place in places {
            let slot = moved.first + place;
            if !moved.members.drives(&moved.identity, slot) {
                continue;
            }
            let (position, number) = (moved.columns.position(slot), &mut numbers[0][place]);
            *number = match path.follow {
                Follow::Waypoints => path.take(*number as usize, position, moved.domain) as f32,
                _ => path.road.progress(*number, position),
            };
        }
    }
}

impl<const D: usize> PathLanes<D> {
    #[inline(always)]
    fn to_waypoints<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        let (points, mut next) = (self.path.road.waypoints(), [0.0; MAX_LANES]);
        lanes.memory(s, 0).store(&mut next);
        let (mut places, mut radii) = ([[0.0; MAX_LANES]; D], [0.0; MAX_LANES]);
        for lane in 0..lanes.block.count {
            let next = next[lane] as usize;
            radii[lane] = self.slowing[next];
            for a in 0..D {
                places[a][lane] = points[next][a];
            }
        }
        let way = lanes.way_to(s, Vectors::load(s, &places, 0));
        lanes.arrive(s, way, s.load(&radii, 0))
    }

    #[inline(always)]
    fn along_road<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        let (mut force, mut max_speed, mut along) =
            ([[0.0; MAX_LANES]; D], [0.0; MAX_LANES], [0.0; MAX_LANES]);
        lanes.max_speed(s).store(&mut max_speed);
        lanes.memory(s, 0).store(&mut along);
        let columns = lanes.flock.columns;
        for lane in 0..lanes.block.count {
            let slot = lanes.block.lane_slots.slot(lane);
            let (position, velocity) = (columns.position(slot), columns.velocity(slot));
            let way = self.path.along_road(position, velocity, along[lane], max_speed[lane]);
            for a in 0..D {
                force[a][lane] = way[a];
            }
        }
        Vectors::load(s, &force, 0)
    }
}
