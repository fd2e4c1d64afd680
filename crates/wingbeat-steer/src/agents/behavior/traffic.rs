//! Getting along with moving others: flow fields, collision avoidance between unaligned agents,
//! queuing.

use crate::terms::behavior::geometry::{heading, predict, tangent};
use crate::{Vector, math};

/// Follows a flow field, as a leaf follows the wind.
///
/// Formula: `F(x + v·prediction_time) − v`, F truncated to `max_speed`. `field` gives the wanted
/// velocity at a place. Prediction time 0…1e3; larger turns earlier.
///
/// ```
/// use wingbeat_steer::behavior::follow_flow;
/// let whirl = |at: [f32; 2]| [-at[1], at[0]];
/// assert_eq!(follow_flow([2.0, 0.0], [0.0, 0.0], whirl, 1.0, 5.0), [0.0, 2.0]);
/// ```
/// Source: Reynolds 1999 (flow field following).
pub fn follow_flow<V: Vector>(
    position: V,
    velocity: V,
    field: impl Fn(V) -> V,
    prediction_time: f32,
    max_speed: f32,
) -> V {
    let wanted =
        field(predict(position, velocity, prediction_time)).truncate_to(math::max(max_speed, 0.0));
    wanted.minus(velocity)
}

/// When two bodies that keep their velocities are closest: in the past if negative, 0 at equal
/// velocities.
///
/// Formula: `t = −(o·w)/w²`, o the offset to the other and w its velocity relative to the agent's.
///
/// ```
/// use wingbeat_steer::behavior::closest_approach;
/// assert_eq!(closest_approach([10.0, 3.0], [-2.0, 0.0]), 5.0);
/// ```
/// Source: Reynolds 1999.
#[inline]
pub fn closest_approach<V: Vector>(offset: V, relative_velocity: V) -> f32 {
    let speed = relative_velocity.norm();
    if speed == 0.0 {
        return 0.0;
    }
    // Along a unit vector first, so that neither product overflows; the quotient is kept finite for
    // the same reason.
    math::clamp(-offset.inner(relative_velocity.unit()) / speed, -f32::MAX, f32::MAX)
}

/// Steers sideways out of the most imminent collision with agents that come from any direction.
///
/// Formula: for every other, t = [`closest_approach`]; a collision is due if 0 ≤ t ≤ horizon and
/// the two are then within `clearance` of each other. For the earliest one, with e the offset from
/// the other's place at t to the agent's own: force = `max_force`·unit(the part of e across the
/// heading). If that is zero (head-on) both give way to their own left, so that they pass each
/// other. At rest the agent does not move.
///
/// `clearance` in world units, 0…1e12 (twice the body radius or more): larger keeps a wider berth.
/// `horizon` in units of time, 0…1e3: larger gives way earlier.
///
/// ```
/// use wingbeat_steer::behavior::avoid_collisions;
/// let others = [([10.0, 1.0], [-1.0, 0.0])];
/// let force = avoid_collisions([0.0, 0.0], [1.0, 0.0], others, 2.0, 10.0, 3.0);
/// assert_eq!(force, [0.0, -3.0]); // it will pass on the left: go right
/// ```
/// Source: Reynolds 1999 (unaligned collision avoidance).
pub fn avoid_collisions<V: Vector>(
    position: V,
    velocity: V,
    others: impl IntoIterator<Item = (V, V)>,
    clearance: f32,
    horizon: f32,
    max_force: f32,
) -> V {
    let forward = heading(velocity);
    if forward == V::origin() {
        return V::origin();
    }
    let mut first: Option<(f32, V)> = None;
    for (other, other_velocity) in others {
        let offset = other.minus(position);
        let relative_velocity = other_velocity.minus(velocity);
        let time = closest_approach(offset, relative_velocity);
        if !(0.0..=horizon).contains(&time) || first.is_some_and(|(earliest, _)| earliest <= time) {
            continue;
        }
        let gap = predict(offset, relative_velocity, time);
        if gap.norm() <= clearance {
            first = Some((time, gap.times(-1.0)));
        }
    }
    let Some((_, escape)) = first else {
        return V::origin();
    };
    let sideways = escape.minus(forward.times(escape.inner(forward)));
    // What is left of a head-on meeting is rounding noise: a convention beats it.
    let noise = math::max(escape.norm(), clearance) * 1e-4;
    let direction =
        if sideways.norm() <= noise { tangent(forward, 1.0, 0.0) } else { sideways.unit() };
    direction.times(max_force)
}

/// Queues: brakes behind others that are ahead, near and slower.
///
/// Formula: for every other with o·h > 0, ‖o − (o·h)·h‖ ≤ width and o·h ≤ look_ahead that moves
/// along h more slowly than the agent: wanted speed = max(its speed along h, 0); the force is
/// `h·(slowest wanted − v·h)·(1 − (o·h − gap)/(look_ahead − gap))`, the last factor kept within
/// 0…1, so that the braking is full at distance `gap` and fades to none at `look_ahead`. Zero at
/// rest. It brakes, it does not hold: against a steady pull toward the door an agent still creeps,
/// so add separation.
///
/// `width`, `gap` and `look_ahead` in world units, 0…1e12. A larger look-ahead brakes earlier and
/// more gently.
///
/// ```
/// use wingbeat_steer::behavior::queue;
/// let standing = [([2.0, 0.0], [0.0, 0.0])];
/// assert_eq!(queue([0.0, 0.0], [3.0, 0.0], standing, 1.0, 2.0, 6.0), [-3.0, 0.0]);
/// ```
/// Source: Reynolds 1999 (queuing).
pub fn queue<V: Vector>(
    position: V,
    velocity: V,
    others: impl IntoIterator<Item = (V, V)>,
    width: f32,
    gap: f32,
    look_ahead: f32,
) -> V {
    let forward = heading(velocity);
    let speed = velocity.inner(forward);
    let mut braking = 0.0_f32;
    for (other, other_velocity) in others {
        let offset = other.minus(position);
        let ahead = offset.inner(forward);
        let sideways = offset.minus(forward.times(ahead));
        if !(ahead > 0.0 && ahead <= look_ahead && sideways.norm() <= width) {
            continue;
        }
        let excess = speed - math::max(other_velocity.inner(forward), 0.0);
        let room = look_ahead - gap;
        let nearness =
            if room > 0.0 { math::clamp(1.0 - (ahead - gap) / room, 0.0, 1.0) } else { 1.0 };
        braking = math::max(braking, excess * nearness);
    }
    forward.times(-braking)
}
