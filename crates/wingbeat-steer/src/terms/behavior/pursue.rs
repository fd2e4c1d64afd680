//! Behaviors that aim at where another agent will be.

use crate::terms::behavior::geometry::{
    distance, heading, heading_frame, length_and_direction, predict, travel_time,
};
use crate::terms::behavior::seek::{arrive, flee, seek};
use crate::{Vector, math};

/// Chases another agent by seeking the place it will have reached.
///
/// Formula: `seek(x_other + v_other·T)`, T = d/(max_speed + c) with d the distance and c the speed
/// at which the other comes nearer, at least 0: the time until the two meet if the chaser goes
/// straight there. T is recomputed every call, so the chase closes in however the quarry turns. A
/// larger `max_speed` (the chaser's own) looks less far ahead.
///
/// For a quarry that runs away or crosses, c = 0 and T = d/max_speed, as in the steering manager.
/// OpenSteer divides by the current speed, which is 0 for a chaser at rest, and corrects that by a
/// table of nine factors. Without c the place foreseen for a quarry that comes faster than
/// max_speed lies behind the chaser, which would turn round.
///
/// ```
/// use wingbeat_steer::behavior::pursue;
/// // The quarry is 10 away and the chaser covers that in 5: aim 5·1 to its right.
/// let force = pursue([0.0, 0.0], [0.0, 0.0], [0.0, 10.0], [1.0, 0.0], 2.0);
/// assert!((force[0] / force[1] - 0.5).abs() < 1e-6);
/// ```
/// Source: Reynolds 1999; the prediction time is the steering manager's, but for c.
#[inline]
pub fn pursue<V: Vector>(
    position: V,
    velocity: V,
    other: V,
    other_velocity: V,
    max_speed: f32,
) -> V {
    seek(position, velocity, pursuit_point(position, other, other_velocity, max_speed), max_speed)
}

/// Flees from the place another agent will have reached.
///
/// Formula: `flee(x_other + v_other·T)`, T = min(d/‖v_other‖, d/(max_speed + c)) with d the
/// distance and c the speed at which the other comes nearer, at least 0. The first is how long the
/// other needs to get here, as in OpenSteer; the second, the time until the two meet if the agent
/// went there, is what OpenSteer leaves to the caller (`maxPredictionTime`).
///
/// The place foreseen is never behind the agent as seen from the other, so the wanted velocity
/// never has a part towards where the other is. The first time alone foresees the agent's own place
/// when the other comes straight, and rounding would choose the direction.
///
/// ```
/// use wingbeat_steer::behavior::evade;
/// let force = evade([0.0, 0.0], [0.0, 0.0], [0.0, 10.0], [0.0, 0.0], 2.0);
/// assert_eq!(force, [0.0, -2.0]); // a resting hunter: straight away
/// let force = evade([0.0, 0.0], [0.0, 0.0], [0.0, 10.0], [0.0, -9.0], 2.0);
/// assert_eq!(force, [0.0, -2.0]); // and so from one that comes, however fast
/// ```
/// Source: Reynolds 1999; OpenSteer, `steerForEvasion`.
#[inline]
pub fn evade<V: Vector>(
    position: V,
    velocity: V,
    other: V,
    other_velocity: V,
    max_speed: f32,
) -> V {
    flee(position, velocity, evasion_point(position, other, other_velocity, max_speed), max_speed)
}

/// The point [`pursue`] seeks: `x_other + v_other·d/(max_speed + c)`.
///
/// ```
/// use wingbeat_steer::behavior::pursuit_point;
/// assert_eq!(pursuit_point([0.0, 0.0], [0.0, 10.0], [1.0, 0.0], 2.0), [5.0, 10.0]);
/// // Where they meet.
/// assert_eq!(pursuit_point([0.0, 0.0], [0.0, 10.0], [0.0, -3.0], 2.0), [0.0, 4.0]);
/// ```
/// Source: see [`pursue`].
#[inline]
pub fn pursuit_point<V: Vector>(position: V, other: V, other_velocity: V, max_speed: f32) -> V {
    predict(other, other_velocity, meeting_time(position, other, other_velocity, max_speed, 0.0))
}

/// The point [`evade`] flees: `x_other + v_other·d/max(‖v_other‖, max_speed + c)`.
///
/// ```
/// use wingbeat_steer::behavior::evasion_point;
/// assert_eq!(evasion_point([0.0, 0.0], [0.0, 10.0], [1.0, 0.0], 2.0), [5.0, 10.0]);
/// // A fast one has gone no farther than 10.
/// assert_eq!(evasion_point([0.0, 0.0], [0.0, 10.0], [4.0, 0.0], 2.0), [10.0, 10.0]);
/// ```
/// Source: see [`evade`].
#[inline]
pub fn evasion_point<V: Vector>(position: V, other: V, other_velocity: V, max_speed: f32) -> V {
    predict(
        other,
        other_velocity,
        meeting_time(position, other, other_velocity, max_speed, other_velocity.norm()),
    )
}

/// d/max(`at_least`, max_speed + c); 0 where `max_speed` is not positive.
fn meeting_time<V: Vector>(
    position: V,
    other: V,
    other_velocity: V,
    max_speed: f32,
    at_least: f32,
) -> f32 {
    let (distance, towards) = length_and_direction(other.minus(position));
    let closing = math::max(-towards.inner(other_velocity), 0.0);
    if max_speed > 0.0 {
        travel_time(distance, math::max(at_least, max_speed + closing))
    } else {
        0.0
    }
}

/// How long until something that moves at a constant `speed` can meet another that keeps its
/// velocity; `None` if never.
///
/// Formula: the smallest t ≥ 0 with `‖o + v·t‖ = speed·t`, o the offset to the other; solved in
/// f64, so that it holds over the whole accepted range. A larger speed meets earlier.
///
/// ```
/// use wingbeat_steer::behavior::interception_time;
/// // A 3-4-5 triangle, twice.
/// assert_eq!(interception_time([0.0, 0.0], [6.0, 0.0], [0.0, 4.0], 5.0), Some(2.0));
/// assert_eq!(interception_time([0.0, 0.0], [6.0, 0.0], [9.0, 0.0], 5.0), None); // it outruns us
/// ```
/// Source: the quadratic of ballistics; Bourg and Seemann 2004, "AI for Game Developers".
pub fn interception_time<V: Vector>(
    position: V,
    other: V,
    other_velocity: V,
    speed: f32,
) -> Option<f32> {
    let (mut oo, mut ov, mut vv) = (0.0_f64, 0.0_f64, 0.0_f64);
    for a in 0..V::DIMENSIONS {
        let offset = f64::from(other.axis(a)) - f64::from(position.axis(a));
        let v = f64::from(other_velocity.axis(a));
        oo += offset * offset;
        ov += offset * v;
        vv += v * v;
    }
    if oo == 0.0 {
        return Some(0.0);
    }
    // (s² − v²)·t² − 2·(o·v)·t − o² = 0, divided by t² so that equal speeds need no special case:
    // o²·q² + 2·ov·q − k = 0.
    let k = f64::from(speed) * f64::from(speed) - vv;
    let discriminant = ov * ov + oo * k;
    if discriminant < 0.0 {
        return None;
    }
    let root = libm::sqrt(discriminant);
    // The larger 1/t is the earlier meeting; written so that nothing cancels.
    let rate = if ov > 0.0 { k / (ov + root) } else { (root - ov) / oo };
    let time = (1.0 / rate) as f32;
    (rate > 0.0 && time.is_finite()).then_some(time)
}

/// Heads straight for the point where it will meet another agent that keeps its velocity;
/// [`pursue`] if it never can.
///
/// Formula: t = [`interception_time`] at `max_speed`; `seek(x_other + v_other·t)`. Against a
/// straight runner the path is straight, where [`pursue`]'s bends.
///
/// ```
/// use wingbeat_steer::behavior::intercept;
/// let force = intercept([0.0, 0.0], [0.0, 0.0], [6.0, 0.0], [0.0, 4.0], 5.0);
/// assert!((force[0] - 3.0).abs() < 1e-5 && (force[1] - 4.0).abs() < 1e-5); // toward (6, 8)
/// ```
/// Source: Reynolds 1999 notes it as the better prediction for pursuit.
pub fn intercept<V: Vector>(
    position: V,
    velocity: V,
    other: V,
    other_velocity: V,
    max_speed: f32,
) -> V {
    match interception_time(position, other, other_velocity, max_speed) {
        Some(time) => seek(position, velocity, predict(other, other_velocity, time), max_speed),
        None => pursue(position, velocity, other, other_velocity, max_speed),
    }
}

/// Flies in formation: arrives at a point that keeps a fixed place beside another agent.
///
/// Formula: place = x_other + `local_offset` turned by the other's [`heading_frame`]; the desired
/// velocity is the arrival at that place plus v_other, truncated to `max_speed`; force = desired −
/// v. Arriving in the place's own moving frame is what makes the place be held rather than trailed,
/// so no prediction is needed. Offset in world units; `slowing_radius` as in [`arrive`].
///
/// ```
/// use wingbeat_steer::behavior::offset_pursuit;
/// let place = [-2.0, 3.0]; // 2 behind, 3 to the left
/// let in_place =
///     offset_pursuit([8.0, 3.0], [1.0, 0.0], ([10.0, 0.0], [1.0, 0.0]), place, 4.0, 5.0);
/// assert_eq!(in_place, [0.0, 0.0]);
/// ```
/// Source: Reynolds 1999 (offset pursuit).
pub fn offset_pursuit<V: Vector>(
    position: V,
    velocity: V,
    other: (V, V),
    local_offset: V,
    max_speed: f32,
    slowing_radius: f32,
) -> V {
    let (other_position, other_velocity) = other;
    let place = predict(other_position, heading_frame(other_velocity, local_offset), 1.0);
    // Closing velocity in the place's own frame: a boid that rides beside it at the same velocity
    // sees it at rest.
    let closing = arrive(position, V::origin(), place, max_speed, slowing_radius);
    closing.plus(other_velocity).truncate_to(math::max(max_speed, 0.0)).minus(velocity)
}

/// Steers between two others, as a bodyguard does.
///
/// Formula: T = distance to their present midpoint / max_speed; [`arrive`] at the midpoint of their
/// positions in T.
///
/// ```
/// use wingbeat_steer::behavior::interpose;
/// let force = interpose(
///     [0.0, 0.0],
///     [0.0, 0.0],
///     ([4.0, 8.0], [0.0, 0.0]),
///     ([-4.0, 8.0], [0.0, 0.0]),
///     2.0,
///     16.0,
/// );
/// assert_eq!(force, [0.0, 1.0]);
/// ```
/// Source: Buckland 2005, "Programming Game AI by Example".
pub fn interpose<V: Vector>(
    position: V,
    velocity: V,
    first: (V, V),
    second: (V, V),
    max_speed: f32,
    slowing_radius: f32,
) -> V {
    let midpoint = |a: V, b: V| a.times(0.5).plus(b.times(0.5));
    let time = travel_time(distance(midpoint(first.0, second.0), position), max_speed);
    let target = midpoint(predict(first.0, first.1, time), predict(second.0, second.1, time));
    arrive(position, velocity, target, max_speed, slowing_radius)
}

/// Follows a leader: arrives at a point behind it, and steps aside when in its way.
///
/// Formula: with h the leader's heading, target = x_leader − h·distance_behind ([`arrive`]). If the
/// agent is ahead of the leader, within `2·distance_behind` along h and `distance_behind` across
/// it, it instead steers straight sideways out of the way at `max_speed` (to the first cross
/// direction if it stands exactly in line). A resting leader is approached up to `distance_behind`
/// from wherever the agent is. Add [`separation`](crate::behavior::separation) so that followers do
/// not crowd.
///
/// Distance in world units, 0…1e12; larger follows from farther behind.
///
/// ```
/// use wingbeat_steer::behavior::follow_leader;
/// let leader = ([10.0, 0.0], [1.0, 0.0]);
/// // In place, and in its way.
/// assert_eq!(follow_leader([8.0, 0.0], [0.0, 0.0], leader, 2.0, 3.0, 4.0), [0.0, 0.0]);
/// assert_eq!(follow_leader([12.0, 0.5], [0.0, 0.0], leader, 2.0, 3.0, 4.0), [0.0, 3.0]);
/// ```
/// Source: Reynolds 1999 (leader following).
pub fn follow_leader<V: Vector>(
    position: V,
    velocity: V,
    leader: (V, V),
    distance_behind: f32,
    max_speed: f32,
    slowing_radius: f32,
) -> V {
    let (leader_position, leader_velocity) = leader;
    let forward = heading(leader_velocity);
    let offset = position.minus(leader_position);
    if forward == V::origin() {
        let place = predict(leader_position, offset.unit().times(distance_behind), 1.0);
        return arrive(position, velocity, place, max_speed, slowing_radius);
    }
    let ahead = offset.inner(forward);
    let sideways = offset.minus(forward.times(ahead));
    if ahead > 0.0 && ahead < 2.0 * distance_behind && sideways.norm() < distance_behind {
        let away = if sideways == V::origin() {
            crate::terms::behavior::geometry::tangent(forward, 1.0, 0.0)
        } else {
            sideways.unit()
        };
        return away.times(max_speed).minus(velocity);
    }
    let place = predict(leader_position, forward.times(-distance_behind), 1.0);
    arrive(position, velocity, place, max_speed, slowing_radius)
}
