//! Seek, arrive and flee: the formulas that other behaviors build on.

use crate::Vector;
use crate::terms::behavior::geometry::{heading, length_and_direction};

/// Steers toward a point as fast as the agent can go.
///
/// Formula: `unit(target − x)·max_speed − v`. The force is in units of speed: it is what takes the
/// agent to the desired velocity in one unit of time at mass 1. A larger `max_speed` (0…1e9) pulls
/// harder. At the target itself it brakes (`−v`).
///
/// ```
/// use wingbeat_steer::behavior::seek;
/// assert_eq!(seek([0.0, 0.0], [1.0, 0.0], [0.0, 10.0], 2.0), [-1.0, 2.0]);
/// ```
/// Source: Reynolds 1999, "Steering Behaviors For Autonomous Characters".
#[inline]
pub fn seek<V: Vector>(position: V, velocity: V, target: V, max_speed: f32) -> V {
    let (_, direction) = length_and_direction(target.minus(position));
    direction.times(max_speed).minus(velocity)
}

/// Seeks a point and slows down inside a radius around it, so as to stop there.
///
/// Formula: desired speed `max_speed`, or `max_speed·distance/slowing_radius` where distance ≤
/// slowing_radius; force `direction·speed − v`. Radius in world units, 0…1e12 (0, negative or NaN:
/// [`seek`]); the manager's default is 20. A larger radius brakes earlier and more gently.
///
/// Applied as `v += force·dt/mass` it settles without overshoot at every `dt ≤ mass` if
/// `slowing_radius ≥ 4·max_speed·mass` (the damping is then at least critical) and `max_force` does
/// not bind.
///
/// ```
/// use wingbeat_steer::behavior::arrive;
/// let force = arrive([0.0, 0.0], [0.0, 0.0], [5.0, 0.0], 8.0, 20.0);
/// assert_eq!(force, [2.0, 0.0]); // a quarter of the radius away, a quarter of the speed
/// ```
/// Source: Reynolds 1999 (arrival).
#[inline]
pub fn arrive<V: Vector>(
    position: V,
    velocity: V,
    target: V,
    max_speed: f32,
    slowing_radius: f32,
) -> V {
    arrival_velocity(target.minus(position), max_speed, slowing_radius).minus(velocity)
}

/// The velocity that [`arrive`] steers for, along the way to the target.
#[inline]
pub(crate) fn arrival_velocity<V: Vector>(way: V, max_speed: f32, slowing_radius: f32) -> V {
    let (distance, direction) = length_and_direction(way);
    let slowing = slowing_radius > 0.0 && distance <= slowing_radius;
    let speed = if slowing { max_speed * (distance / slowing_radius) } else { max_speed };
    direction.times(speed)
}

/// Steers straight away from a point as fast as the agent can go.
///
/// Formula: `−unit(target − x)·max_speed − v`. A larger `max_speed` pushes harder. On top of the
/// point there is no way "away": it brakes (`−v`).
///
/// ```
/// use wingbeat_steer::behavior::flee;
/// assert_eq!(flee([0.0, 0.0], [1.0, 0.0], [0.0, 10.0], 2.0), [-1.0, -2.0]);
/// ```
/// Source: Reynolds 1999.
#[inline]
pub fn flee<V: Vector>(position: V, velocity: V, target: V, max_speed: f32) -> V {
    let (_, direction) = length_and_direction(target.minus(position));
    direction.times(-max_speed).minus(velocity)
}

/// The other thing called flee: seek turned round, `v − unit(target − x)·max_speed`.
///
/// It differs from [`flee`] by `2·v`: instead of correcting toward the escape velocity it pushes on
/// along the present one, so an agent at full escape speed is still accelerated by twice its speed.
/// Kept because the seek-flee flock is written with it.
///
/// ```
/// use wingbeat_steer::behavior::flee_negated_seek;
/// assert_eq!(flee_negated_seek([0.0, 0.0], [1.0, 0.0], [0.0, 10.0], 2.0), [1.0, -2.0]);
/// ```
/// Source: the seek-flee flock of the five source systems.
#[inline]
pub fn flee_negated_seek<V: Vector>(position: V, velocity: V, target: V, max_speed: f32) -> V {
    let (_, direction) = length_and_direction(target.minus(position));
    velocity.minus(direction.times(max_speed))
}

/// Steers toward one agent's velocity.
///
/// Formula: `v_other − v`, the alignment of one neighbor. Unbounded but by the two speeds.
///
/// ```
/// use wingbeat_steer::behavior::match_velocity;
/// assert_eq!(match_velocity([1.0, 1.0], [3.0, 0.0]), [2.0, -1.0]);
/// ```
/// Source: Reynolds 1987 (velocity matching).
#[inline]
pub fn match_velocity<V: Vector>(velocity: V, other_velocity: V) -> V {
    other_velocity.minus(velocity)
}

/// Speeds up or slows down to a wanted speed without turning.
///
/// Formula: `h·speed − v` with h the heading, or `start` (a unit vector) at rest. Speed 0…1e9.
///
/// ```
/// use wingbeat_steer::behavior::match_speed;
/// assert_eq!(match_speed([0.0, 4.0], 5.0, [1.0, 0.0]), [0.0, 1.0]);
/// assert_eq!(match_speed([0.0, 0.0], 5.0, [1.0, 0.0]), [5.0, 0.0]);
/// ```
/// Source: UnitySteer (steer for speed).
#[inline]
pub fn match_speed<V: Vector>(velocity: V, speed: f32, start: V) -> V {
    let forward = heading(velocity);
    let forward = if forward == V::origin() { start } else { forward };
    forward.times(speed).minus(velocity)
}

/// Keeps an agent from falling below a speed; zero at or above it.
///
/// Formula: [`match_speed`] to `min_speed` where ‖v‖ < min_speed, else zero. Speed 0…1e9; larger
/// drives harder.
///
/// ```
/// use wingbeat_steer::behavior::minimum_speed;
/// assert_eq!(minimum_speed([0.0, 1.0], 3.0, [1.0, 0.0]), [0.0, 2.0]);
/// assert_eq!(minimum_speed([0.0, 9.0], 3.0, [1.0, 0.0]), [0.0, 0.0]);
/// ```
/// Source: birds and fish cannot stop; UnitySteer's minimum speed.
#[inline]
pub fn minimum_speed<V: Vector>(velocity: V, min_speed: f32, start: V) -> V {
    if velocity.norm() < min_speed { match_speed(velocity, min_speed, start) } else { V::origin() }
}

/// Leaves an agent alone within a distance of its anchor and pulls it back beyond.
///
/// Formula: `seek(anchor)` where ‖anchor − x‖ > length, else zero. Length in world units, 0…1e12;
/// larger gives more freedom.
///
/// ```
/// use wingbeat_steer::behavior::tether;
/// assert_eq!(tether([3.0, 0.0], [0.0, 0.0], [0.0, 0.0], 5.0, 1.0), [0.0, 0.0]);
/// assert_eq!(tether([9.0, 0.0], [0.0, 0.0], [0.0, 0.0], 5.0, 1.0), [-1.0, 0.0]);
/// ```
/// Source: UnitySteer (steer for tether).
#[inline]
pub fn tether<V: Vector>(position: V, velocity: V, anchor: V, length: f32, max_speed: f32) -> V {
    let (distance, _) = length_and_direction(anchor.minus(position));
    if distance > length { seek(position, velocity, anchor, max_speed) } else { V::origin() }
}
