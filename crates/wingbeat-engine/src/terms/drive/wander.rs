//! Wander in lanes: a point that strolls along a circle or a sphere ahead of the boid.

use std::ops::Range;

use wingbeat_steer::drive::{
    Memory, RADIANS_TO_TURNS, Stroll, WanderClock, WanderFrame, WanderParameters,
};
use wingbeat_steer::noise;

use crate::columns::boids::Boids;
use crate::neighbors::Keyed;
use crate::parallel::Workers;
use crate::simd::series::sin_cos_turns;
use crate::simd::{Float, Mask, Simd, Vectors, load_part, store_part};
use crate::terms::drive::lane_drive::{MovedLanes, Numbers};
use crate::terms::drive::{DriveLanes, InLanes, Interval, LaneDrive};

#[derive(Clone)]
pub(crate) struct WanderLanes {
    parameters: WanderParameters,
    clock: WanderClock,
}

impl InLanes for WanderParameters {
    type Lanes = WanderLanes;

    fn in_lanes(self) -> WanderLanes {
        WanderLanes { parameters: self, clock: WanderClock::at(0.0, self.interval) }
    }
}

impl WanderLanes {
    /// The intervals that a step ends.
    fn draws(&self, passed: &Interval) -> Range<u64> {
        let draw = |time| WanderClock::at(time, self.parameters.interval).draw;
        draw(passed.from)..draw(passed.to)
    }
}

impl<const D: usize> LaneDrive<D> for WanderLanes {
    fn columns(&self) -> &'static [f32] {
        if D == 2 { &[0.0] } else { &[1.0, 0.0, 0.0] }
    }

    fn memory(&self, usual: Memory<[f32; D]>, value: &dyn Fn(usize) -> f32) -> Memory<[f32; D]> {
        match usual {
            Memory::Stroll(usual) if D == 2 => Memory::Stroll(Stroll { angle: value(0), ..usual }),
            Memory::Stroll(usual) => {
                Memory::Stroll(Stroll { start: crate::arrays::from_fn(value), ..usual })
            }
            usual => usual,
        }
    }

    fn begin_step<T: Default + Send>(&mut self, _: &Boids<D>, time: f64, _: &Workers<T>) {
        self.clock = WanderClock::at(time, self.parameters.interval);
    }

    #[inline(always)]
    fn lane_force<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        let (parameters, heading) = (&self.parameters, lanes.block.own.heading);
        let mut stroll = Vectors::zero(s);
        for a in 0..strolls::<D>() {
            stroll[a] = lanes.memory(s, a);
        }
        let key = lanes.keyed(s, self.clock.draw);
        let point = strolled(s, &key, stroll, parameters.range, self.clock.part);
        let point =
            if parameters.frame == WanderFrame::World { point } else { framed(s, heading, point) };
        heading * s.splat(parameters.distance) + point * s.splat(parameters.radius)
    }

    fn progresses(&self, passed: &Interval) -> bool {
        !self.draws(passed).is_empty()
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
        let mut stroll = Vectors::<S, D>::zero(s);
        for a in 0..strolls::<D>() {
            stroll[a] = load_part(s, &*numbers[a], at);
        }
        for draw in self.draws(&moved.passed) {
            stroll = stroll_on(s, &moved.keyed(s, draw, at), stroll, self.parameters.range);
        }
        for a in 0..strolls::<D>() {
            store_part(s, stroll[a], &mut *numbers[a], at, live);
        }
    }
}

/// Columns of a wander: an angle in the plane, a point on the sphere in space.
const fn strolls<const D: usize>() -> usize {
    if D == 2 { 1 } else { D }
}

/// The turn of an interval, and in space its direction along the sphere.
#[inline(always)]
fn drawn<S: Simd, const D: usize>(
    s: S,
    key: &Keyed<S>,
    start: Vectors<S, D>,
    range: f32,
) -> (S::F, Vectors<S, D>) {
    let turn =
        (key.uniform(s, noise::stream::WANDER) - s.splat(0.5)) * s.splat(range * RADIANS_TO_TURNS);
    if D == 2 {
        return (turn, start);
    }
    let (sin, cos) = sin_cos_turns(s, key.uniform(s, noise::stream::WANDER + 1) * s.splat(0.5));
    (turn, start.tangent(s, cos, sin))
}

/// Where the point is when a part of the interval has passed; in the plane `stroll` holds the angle
/// in its first component.
#[inline(always)]
fn strolled<S: Simd, const D: usize>(
    s: S,
    key: &Keyed<S>,
    stroll: Vectors<S, D>,
    range: f32,
    part: f32,
) -> Vectors<S, D> {
    let (turn, along) = drawn(s, key, stroll, range);
    let turned = turn * s.splat(part);
    if D == 2 {
        let (sin, cos) = sin_cos_turns(s, stroll[0] + turned);
        let mut point = stroll;
        (point[0], point[1]) = (cos, sin);
        return point;
    }
    let (sin, cos) = sin_cos_turns(s, turned);
    stroll * cos + along * sin
}

/// Where it is when the interval is over.
#[inline(always)]
fn stroll_on<S: Simd, const D: usize>(
    s: S,
    key: &Keyed<S>,
    stroll: Vectors<S, D>,
    range: f32,
) -> Vectors<S, D> {
    if D == 3 {
        return strolled(s, key, stroll, range, 1.0).unit(s);
    }
    let angle = stroll[0] + drawn(s, key, stroll, range).0;
    let (half, one) = (s.splat(0.5), s.splat(1.0));
    let mut after = stroll;
    after[0] = angle.gt(half).select(angle - one, angle.lt(-half).select(angle + one, angle));
    after
}

/// `behavior::heading_frame`.
#[inline(always)]
fn framed<S: Simd, const D: usize>(
    s: S,
    forward: Vectors<S, D>,
    local: Vectors<S, D>,
) -> Vectors<S, D> {
    let (zero, one) = (s.splat(0.0), s.splat(1.0));
    let mut world = forward * local[0] + forward.tangent(s, one, zero) * local[1];
    if D == 3 {
        world = world + forward.tangent(s, zero, one) * local[D - 1];
    }
    Vectors::select(forward.largest().gt(zero), world, local)
}
