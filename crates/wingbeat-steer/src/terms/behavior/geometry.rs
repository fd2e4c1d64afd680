//! Geometry of behaviors: headings, predictions and frames that stay finite for any input.

use crate::{Vector, math};

/// Coordinates are kept within ± this, the accepted range, wherever a position is predicted.
const FARTHEST: f32 = 1e30;

/// The direction of travel: `v·(1/‖v‖)`, and zero at rest (‖v‖ < 1e-15).
///
/// ```
/// use wingbeat_steer::behavior::heading;
/// assert_eq!(heading([0.0, 4.0]), [0.0, 1.0]);
/// assert_eq!(heading([0.0, 0.0]), [0.0, 0.0]);
/// ```
#[inline]
pub fn heading<V: Vector>(velocity: V) -> V {
    crate::space::boid::heading(velocity)
}

/// Where something will be after `time` if it keeps its velocity: `x + v·time`, kept within ±1e30
/// on every axis.
///
/// A negative or NaN time counts as 0.
///
/// ```
/// use wingbeat_steer::behavior::predict;
/// assert_eq!(predict([1.0, 2.0], [3.0, 0.0], 2.0), [7.0, 2.0]);
/// ```
#[inline]
pub fn predict<V: Vector>(position: V, velocity: V, time: f32) -> V {
    // A finite time, so that a resting other (0·∞) stays where it is.
    let time = if time > 0.0 { math::min(time, f32::MAX) } else { 0.0 };
    within_reach(V::from_fn(|a| position.axis(a) + velocity.axis(a) * time))
}

/// A position kept within ±1e30 on every axis (the end of the accepted range), infinities included.
#[inline]
pub(crate) fn within_reach<V: Vector>(position: V) -> V {
    // One comparison nearly always; the clamps would cost two for every axis.
    if position.largest() <= FARTHEST {
        position
    } else {
        V::from_fn(|a| math::clamp(position.axis(a), -FARTHEST, FARTHEST))
    }
}

/// Turns a vector given in an agent's own frame into the world's: component 0 points along the
/// heading, component 1 to its left (2-D), components 1 and 2 across it (3-D). At rest the frame is
/// the world's.
///
/// In 3-D the two cross directions form the right-handed frame of Duff et al. 2017, smooth
/// everywhere but at heading −z.
///
/// ```
/// use wingbeat_steer::behavior::heading_frame;
/// // 2 ahead, 1 to the left of someone going up.
/// assert_eq!(heading_frame([0.0, 5.0], [2.0, 1.0]), [-1.0, 2.0]);
/// ```
pub fn heading_frame<V: Vector>(velocity: V, local: V) -> V {
    let forward = heading(velocity);
    if forward == V::origin() {
        return local;
    }
    let side = tangent(forward, 1.0, 0.0);
    let mut world = forward.times(local.axis(0)).plus(side.times(local.axis(1)));
    if V::DIMENSIONS == 3 {
        world = world.plus(tangent(forward, 0.0, 1.0).times(local.axis(2)));
    }
    world
}

/// A direction across the unit vector `forward`: `cos_roll`·first + `sin_roll`·second cross
/// direction (2-D: the left-hand one times `cos_roll`).
pub(crate) fn tangent<V: Vector>(forward: V, cos_roll: f32, sin_roll: f32) -> V {
    let (x, y) = (forward.axis(0), forward.axis(1));
    if V::DIMENSIONS == 2 {
        return V::from_fn(|a| cos_roll * if a == 0 { -y } else { x });
    }
    let z = forward.axis(2);
    // Duff et al. 2017, "Building an Orthonormal Basis, Revisited": no branch, no cancellation near
    // the poles.
    let sign = if z < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + z);
    let b = x * y * a;
    let first = [b, sign + y * y * a, -y];
    let second = [-(1.0 + sign * x * x * a), -sign * b, sign * x];
    V::from_fn(|i| cos_roll * first[i] + sin_roll * second[i])
}

/// Length and direction of an offset; a zero offset has direction zero.
#[inline]
pub(crate) fn length_and_direction<V: Vector>(offset: V) -> (f32, V) {
    let length_sq = offset.norm_sq();
    // Within these bounds no square over- or underflows; outside them the scaled (slower) form
    // takes over.
    if (1e-30..=1e30).contains(&length_sq) {
        let length = math::sqrt(length_sq);
        (length, offset.times(1.0 / length))
    } else {
        (offset.norm(), offset.unit())
    }
}

/// Distance between two points.
#[inline]
pub(crate) fn distance<V: Vector>(a: V, b: V) -> f32 {
    length_and_direction(a.minus(b)).0
}

/// `distance/speed`, 0 where the speed is not positive: how far ahead a chaser looks. Infinity is
/// fine for [`predict`].
#[inline]
pub(crate) fn travel_time(distance: f32, speed: f32) -> f32 {
    if speed > 0.0 { distance / speed } else { 0.0 }
}

/// A time step as the scalar API takes it: kept within 0…1000; NaN counts as 0.
#[inline]
pub(crate) fn time_step(dt: f32) -> f32 {
    if dt > 0.0 { math::min(dt, 1e3) } else { 0.0 }
}
