//! Obstacle avoidance, wall following, containment and hiding: behaviors around [`Shape`]s.

use crate::terms::behavior::geometry::{distance, heading, length_and_direction, predict, tangent};
use crate::terms::behavior::pursue::evade;
use crate::terms::behavior::seek::{arrive, seek};
use crate::terms::behavior::shape::Shape;
use crate::{Vector, math};

/// How often the view ahead is probed at most; each probe advances by the free distance found.
const PROBES: usize = 64;

/// How far an agent can go straight ahead before its own body touches a shape; `None` if free for
/// `look_ahead`.
///
/// Sphere tracing: from the agent, step along the heading by the distance to the surface less the
/// body's radius, which can never jump over it; stop where it is touched (to within 2⁻¹⁰ of
/// look_ahead) or after look_ahead. At most 64 probes.
///
/// ```
/// use wingbeat_steer::behavior::{Sphere, free_distance};
/// let tree = Sphere::new([10.0, 0.0], 2.0)?;
/// let free = free_distance([0.0, 0.0], [1.0, 0.0], 1.0, 20.0, &tree).unwrap();
/// assert!((free - 7.0).abs() < 0.03);
/// assert_eq!(free_distance([0.0, 3.5], [1.0, 0.0], 1.0, 20.0, &tree), None);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Hart 1996, "Sphere Tracing".
pub fn free_distance<V: Vector>(
    position: V,
    forward: V,
    body_radius: f32,
    look_ahead: f32,
    shape: &(impl Shape<V> + ?Sized),
) -> Option<f32> {
    let close = look_ahead * (1.0 / 1024.0);
    let mut along = 0.0_f32;
    for _ in 0..PROBES {
        let (_, surface) = shape.nearest(predict(position, forward, along));
        let gap = surface - body_radius;
        if gap <= 0.0 || (along > 0.0 && gap < close && approaches(position, forward, along, shape))
        {
            return Some(along);
        }
        // Never less than `close`, so that a path along the surface is walked through rather than
        // crept along.
        along += math::max(gap, close);
        if along > look_ahead {
            return None;
        }
    }
    None
}

/// Whether going on along `forward` brings the surface nearer.
fn approaches<V: Vector>(
    position: V,
    forward: V,
    along: f32,
    shape: &(impl Shape<V> + ?Sized),
) -> bool {
    shape.nearest(predict(position, forward, along)).0.inner(forward) < 0.0
}

/// Turns an agent sideways before it runs into the nearest of several shapes.
///
/// Formula: probe `look_ahead` along the heading (see [`free_distance`]); for the shape touched
/// first, let n be its outward normal where it is touched; force = `max_force`·unit(n − (n·h)·h),
/// the part across the heading (head-on, an arbitrary cross direction). Already overlapping:
/// `max_force·n`. Nothing ahead, or at rest: zero.
///
/// `body_radius` and `look_ahead` in world units, 0…1e12 (2 to 4 stopping distances is usual); a
/// larger look-ahead turns earlier. `max_force` 0…1e9.
///
/// ```
/// use wingbeat_steer::behavior::{Sphere, avoid_obstacles};
/// let trees = [Sphere::new([10.0, -1.0], 2.0)?];
/// let force = avoid_obstacles([0.0, 0.0], [3.0, 0.0], 0.5, 20.0, 4.0, &trees);
/// // It lies to the right: pass on the left.
/// assert!(force[0].abs() < 1e-5 && (force[1] - 4.0).abs() < 1e-5);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Reynolds 1999 (obstacle avoidance); the constant size is OpenSteer's.
pub fn avoid_obstacles<'a, V: Vector, S: Shape<V> + ?Sized + 'a>(
    position: V,
    velocity: V,
    body_radius: f32,
    look_ahead: f32,
    max_force: f32,
    shapes: impl IntoIterator<Item = &'a S>,
) -> V {
    let forward = heading(velocity);
    let mut first: Option<(f32, V)> = None;
    for shape in shapes {
        let (outward, surface) = shape.nearest(position);
        if surface < body_radius {
            let out = if outward == V::origin() {
                V::from_fn(|a| if a == 0 { 1.0 } else { 0.0 })
            } else {
                outward
            };
            return out.times(max_force);
        }
        if forward == V::origin() || surface - body_radius > look_ahead {
            continue;
        }
        if let Some(along) = free_distance(position, forward, body_radius, look_ahead, shape)
            && first.is_none_or(|(nearest, _)| along < nearest)
        {
            first = Some((along, shape.nearest(predict(position, forward, along)).0));
        }
    }
    let Some((_, normal)) = first else {
        return V::origin();
    };
    across(normal, forward).times(max_force)
}

/// Unit vector of the part of `normal` across `forward`; a fixed cross direction where there is
/// none.
fn across<V: Vector>(normal: V, forward: V) -> V {
    let lateral = normal.minus(forward.times(normal.inner(forward)));
    // Below this the direction would be rounding noise.
    if lateral.norm() < 1e-4 { tangent(forward, 1.0, 0.0) } else { lateral.unit() }
}

/// Goes along a wall at a given distance from it.
///
/// Formula: f = x + v·prediction_time; q = the wall's surface nearest to f; `seek(q + n·offset)`, n
/// the outward normal there. Offset in world units, 0…1e12: larger keeps farther off. Prediction
/// time 0…1e3: larger cuts corners more.
///
/// ```
/// use wingbeat_steer::behavior::{AxisBox, follow_wall};
/// let wall = AxisBox::new([-100.0, -1.0], [100.0, 0.0])?;
/// let force = follow_wall([0.0, 2.0], [3.0, 0.0], &wall, 2.0, 1.0, 3.0);
/// assert_eq!(force, [0.0, 0.0]); // already following
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Reynolds 1999 (wall following).
pub fn follow_wall<V: Vector>(
    position: V,
    velocity: V,
    wall: &(impl Shape<V> + ?Sized),
    offset: f32,
    prediction_time: f32,
    max_speed: f32,
) -> V {
    let future = predict(position, velocity, prediction_time);
    let (outward, surface) = wall.nearest(future);
    seek(position, velocity, predict(future, outward.times(offset - surface), 1.0), max_speed)
}

/// Keeps an agent inside a region.
///
/// Formula: f = x + v·prediction_time; zero if f lies inside; else `seek` the mirror image of f in
/// the surface, f − 2·distance·n, or the region's middle if that image is outside too. Prediction
/// time 0…1e3; larger turns back earlier.
///
/// ```
/// use wingbeat_steer::behavior::{AxisBox, contain};
/// let yard = AxisBox::new([0.0, 0.0], [10.0, 10.0])?;
/// assert_eq!(contain([5.0, 5.0], [1.0, 0.0], &yard, 2.0, 3.0), [0.0, 0.0]);
/// // About to leave: turn back.
/// assert!(contain([9.0, 5.0], [3.0, 1.0], &yard, 2.0, 3.0)[0] < -3.0);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Reynolds 1999 (containment).
pub fn contain<V: Vector>(
    position: V,
    velocity: V,
    region: &(impl Shape<V> + ?Sized),
    prediction_time: f32,
    max_speed: f32,
) -> V {
    let future = predict(position, velocity, prediction_time);
    let (outward, surface) = region.nearest(future);
    if surface <= 0.0 {
        return V::origin();
    }
    let mirror = predict(future, outward.times(-2.0 * surface), 1.0);
    let target = if region.nearest(mirror).1 <= 0.0 { mirror } else { region.middle() };
    seek(position, velocity, target, max_speed)
}

/// Hides from a threat behind the nearest of several shapes; evades it in the open.
///
/// Formula: for every shape the hiding place is m + unit(m − x_threat)·(size + clearance), m its
/// middle; [`arrive`] at the nearest place, or [`evade`](crate::behavior::evade) the threat if
/// there is no shape. `threat` is (position, velocity). Clearance in world units, 0…1e12; larger
/// hides farther behind.
///
/// ```
/// use wingbeat_steer::behavior::{Sphere, hide};
/// let trees = [Sphere::new([10.0, 0.0], 2.0)?];
/// let force = hide([10.0, 4.0], [0.0, 0.0], ([0.0, 0.0], [0.0, 0.0]), &trees, 1.0, (2.0, 0.0));
/// assert!(force[0] > 0.0 && force[1] < 0.0); // toward (13, 0)
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// `speed` is (max_speed, slowing_radius). Source: Buckland 2005, "Programming Game AI by Example".
pub fn hide<'a, V: Vector, S: Shape<V> + ?Sized + 'a>(
    position: V,
    velocity: V,
    threat: (V, V),
    shapes: impl IntoIterator<Item = &'a S>,
    clearance: f32,
    speed: (f32, f32),
) -> V {
    let (max_speed, slowing_radius) = speed;
    let mut best: Option<(f32, V)> = None;
    for shape in shapes {
        let middle = shape.middle();
        let (_, away) = length_and_direction(middle.minus(threat.0));
        let place = predict(middle, away.times(shape.size() + clearance), 1.0);
        let length = distance(place, position);
        if best.is_none_or(|(shortest, _)| length < shortest) {
            best = Some((length, place));
        }
    }
    match best {
        Some((_, place)) => arrive(position, velocity, place, max_speed, slowing_radius),
        None => evade(position, velocity, threat.0, threat.1, max_speed),
    }
}
