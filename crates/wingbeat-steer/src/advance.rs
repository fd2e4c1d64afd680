//! From steering to velocity to position: the ways there are to move a boid.
//!
//! The three rules end in a force or a direction; a model from the literature says how its own steering is meant.

use crate::{Cruise, Domain, Params, REST_SPEED, TextbookBoid, Vector, math, noise};

/// What integration makes of a boid's steering s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advance {
    /// s is a force: v + (s/mass)·dt within the speed limits, then x + v·dt.
    Accelerate,
    /// s is a direction: v goes there at once or smoothly, then x + v·dt.
    Cruise(Cruise),
    /// s is the new velocity. x + v·dt with it, or with the velocity from before.
    Replace {
        /// Whether the boid moves with the velocity it had (Vicsek).
        move_with_old: bool,
    },
    /// s is an acceleration: v + s·dt without limits but the accepted range (each component within ±10¹²), then x + v·dt.
    Unlimited,
    /// s is the displacement of the step, whatever dt: x + s, and v = s.
    Displace,
    /// s is a direction: the heading turns there by at most so much, v = heading·speed, then x + v·dt.
    Veer {
        /// Speed, length/time.
        speed: f32,
        /// Largest turn, degrees/time.
        turning_rate: f32,
    },
    /// s is a heading h leans to, as a frame-by-frame engine has it: h ← unit(h + (s − h)·dt), kept if that is zero; v = speed·h,
    /// then x + v·dt.
    Lean {
        /// Speed, length/time.
        speed: f32,
    },
}

/// Moves a boid by its steering.
pub(crate) fn advance<V: Vector>(
    boid: &mut TextbookBoid<V>,
    steering: V,
    dt: f32,
    params: &Params,
    domain: &Domain<V>,
    seed: u64,
) {
    let old = boid.velocity;
    let (velocity, way) = match params.advance() {
        Advance::Accelerate => {
            let mass = params.agent.mass;
            let wanted = V::from_fn(|a| old.axis(a) + steering.axis(a) / mass * dt);
            let velocity = limit_speed(wanted, boid, params, seed);
            (velocity, velocity.times(dt))
        }
        Advance::Cruise(cruise) => {
            let velocity = turn_to(steering, old, dt, &cruise);
            (velocity, velocity.times(dt))
        }
        Advance::Replace { move_with_old } => (steering, if move_with_old { old } else { steering }.times(dt)),
        Advance::Unlimited => {
            let wanted = old.plus(steering.times(dt));
            let limit = crate::knobs::limit::VELOCITY;
            let velocity = V::from_fn(|a| math::clamp(wanted.axis(a), -limit, limit));
            (velocity, velocity.times(dt))
        }
        Advance::Displace => (steering, steering),
        Advance::Veer { speed, turning_rate } => {
            let velocity = veer(crate::heading(old), steering, &LargestTurn::new(turning_rate, dt)).times(speed);
            (velocity, velocity.times(dt))
        }
        Advance::Lean { speed } => {
            let heading = crate::heading(old);
            let leant = heading.plus(steering.minus(heading).times(dt));
            let velocity = if leant.largest() > 0.0 { leant.unit() } else { heading }.times(speed);
            (velocity, velocity.times(dt))
        }
    };
    let moved = boid.position.plus(way);
    let settled = |a: usize| domain.settle(a, moved.axis(a), velocity.axis(a));
    boid.position = V::from_fn(|a| settled(a).0);
    boid.velocity = V::from_fn(|a| settled(a).1);
}

fn limit_speed<V: Vector>(wanted: V, boid: &TextbookBoid<V>, params: &Params, seed: u64) -> V {
    let (min_speed, max_speed) = (params.agent.min_speed, params.agent.max_speed);
    let speed = wanted.norm();
    if speed > max_speed {
        wanted.times(max_speed / speed)
    } else if speed >= min_speed {
        wanted
    } else if speed >= REST_SPEED {
        wanted.times(min_speed / speed)
    } else if boid.velocity.norm() >= REST_SPEED {
        boid.velocity.unit().times(min_speed)
    } else {
        noise::direction::<V>(seed, boid.id, 0).times(min_speed)
    }
}

fn turn_to<V: Vector>(direction: V, velocity: V, dt: f32, cruise: &Cruise) -> V {
    if direction.largest() == 0.0 && !cruise.stop_when_alone {
        return velocity;
    }
    let wanted = direction.times(cruise.cruise_speed);
    if cruise.smoothing_rate == 0.0 {
        return wanted;
    }
    let t = math::approach(cruise.smoothing_rate, dt);
    velocity.plus(wanted.minus(velocity).times(t))
}

/// The largest turn of one step, in the form that [`veer`] tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LargestTurn {
    /// Its cosine.
    pub cos: f32,
    /// Its sine; −1 from 180° on, where every direction is within it.
    pub sin: f32,
    /// Whether it is above 90°.
    pub wide: bool,
}

impl LargestTurn {
    /// The turn that `turning_rate` degrees per unit of time allow in `dt`, evaluated in f64 with the pinned `libm`.
    pub fn new(turning_rate: f32, dt: f32) -> Self {
        let degrees = f64::from(turning_rate) * f64::from(dt);
        if degrees >= 180.0 {
            return Self { cos: -1.0, sin: -1.0, wide: true };
        }
        let (sin, cos) = libm::sincos(degrees * (core::f64::consts::PI / 180.0));
        Self { cos: cos as f32, sin: sin as f32, wide: degrees > 90.0 }
    }
}

/// Straight behind: where the part of a direction across the heading is less than this, it does not tell left from right.
pub const BEHIND: f32 = 1e-3;

/// The direction `target`, or if that is further away than the largest turn, the heading turned towards it by that much.
///
/// Both are unit vectors; a heading of zero (a boid at rest) takes the target. The part of the target across the heading
/// tells the angle between them: small angles are lost in a cosine. With the target straight behind, the turn is to the left
/// (in 3-D: about an axis fixed by the heading, see [`perpendicular`]).
///
/// ```
/// use wingbeat_steer::{LargestTurn, veer};
/// let most = LargestTurn::new(30.0, 1.0);
/// let turned = veer([1.0, 0.0], [0.0, 1.0], &most);
/// assert!((turned[1] - 0.5).abs() < 1e-6); // 30° of the 90° wanted
/// assert_eq!(veer([1.0, 0.0], [0.0, 1.0], &LargestTurn::new(120.0, 1.0)), [0.0, 1.0]);
/// ```
pub fn veer<V: Vector>(heading: V, target: V, most: &LargestTurn) -> V {
    let along = target.inner(heading);
    let across = target.minus(heading.times(along));
    let size = across.norm_plain();
    let ahead = along > 0.0;
    let within = if most.wide { ahead || size >= most.sin } else { ahead && size <= most.sin };
    if within || heading.largest() == 0.0 {
        return target.unit();
    }
    let side = if !ahead && size < BEHIND { perpendicular(heading) } else { across };
    heading.times(most.cos).plus(side.unit().times(most.sin)).unit()
}

/// A vector at right angles to another: its left in the plane; in space its cross product with the axis along which its
/// component is smallest (the first of equal ones).
pub fn perpendicular<V: Vector>(v: V) -> V {
    let [x, y] = [v.axis(0), v.axis(1)];
    if V::DIMENSIONS == 2 {
        return V::from_fn(|a| [-y, x][a]);
    }
    let z = v.axis(2);
    let sizes = [x.abs(), y.abs(), z.abs()];
    let crossed = if sizes[0] <= sizes[1] && sizes[0] <= sizes[2] {
        [0.0, z, -y]
    } else if sizes[1] <= sizes[2] {
        [-z, 0.0, x]
    } else {
        [y, -x, 0.0]
    };
    V::from_fn(|a| crossed[a])
}
