//! Wander in lanes: a point that strolls along a circle or a sphere ahead of the boid.

use wingbeat_steer::drive::RADIANS_TO_TURNS;
use wingbeat_steer::noise;

use crate::neighbors::Keyed;
use crate::simd::series::sin_cos_turns;
use crate::simd::{Float, Mask, Simd, Vectors};

/// Columns of a wander: an angle in the plane, a point on the sphere in space.
pub(super) const fn strolls<const D: usize>() -> usize {
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
pub(super) fn strolled<S: Simd, const D: usize>(
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
pub(super) fn stroll_on<S: Simd, const D: usize>(
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
pub(super) fn framed<S: Simd, const D: usize>(
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
