//! What holds for any input in the accepted range. A failing case is printed, with the seed that
//! repeats it.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use wingbeat_steer::behavior::*;
use wingbeat_steer::glam::{Mat2, Mat3, Quat, Vec2, Vec3};
use wingbeat_steer::{
    Blend, Body, Jitter, Spline, Steering, Vector, Walker, WalkerParameters, blend, next_waypoint,
};
use wingbeat_test_support::tier;

/// Fixed seed: the same cases on every machine. Set WINGBEAT_SEED to try others; a failure
/// prints the seed.
fn config() -> ProptestConfig {
    let seed = tier::seed().unwrap_or(1999);
    println!("seed {seed} (set WINGBEAT_SEED to change it)");
    ProptestConfig {
        cases: 2000,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..Default::default()
    }
}

/// A number that is often nasty: zeros, tiny and huge ones, up to `limit`.
fn nasty(limit: f32) -> impl Strategy<Value = f32> + Clone {
    prop_oneof![
        3 => -10.0_f32..10.0,
        1 => Just(0.0),
        1 => Just(-0.0),
        1 => Just(limit),
        1 => Just(-limit),
        1 => Just(1e-38_f32),
        1 => Just(-1e-42_f32),
        1 => -limit..limit,
    ]
}

/// A size (radius, speed, time) from 0 to `limit`.
fn size(limit: f32) -> impl Strategy<Value = f32> + Clone {
    nasty(limit).prop_map(f32::abs)
}

fn place() -> impl Strategy<Value = [f32; 3]> + Clone {
    prop::array::uniform3(nasty(1e30))
}

fn speed() -> impl Strategy<Value = [f32; 3]> + Clone {
    prop::array::uniform3(nasty(1e12))
}

/// Every behavior's force for one situation, by name.
fn all_forces<V: Vector>(
    x: V,
    v: V,
    t: V,
    w: V,
    [max_speed, radius, time]: [f32; 3],
) -> Vec<(&'static str, V)> {
    let others = [(t, w), (x, v), (x, w)];
    let places = || others.iter().map(|o| o.0);
    let sphere = Sphere::new(t, radius).unwrap();
    let capsule = Capsule::new(t, x, radius).unwrap();
    let low = V::from_fn(|a| wingbeat_steer::math::min(x.axis(a), t.axis(a)));
    let high = V::from_fn(|a| wingbeat_steer::math::max(x.axis(a), t.axis(a)));
    let cuboid = AxisBox::new(low, high).unwrap();
    let shapes: [&dyn Shape<V>; 3] = [&sphere, &capsule, &cuboid];
    let dynamic = || shapes.iter().copied();
    let open = Path::open([x, t, t, x.minus(v.times(0.5)).truncate_to(1e30)], radius).unwrap();
    let looped = Path::looped([t, x], radius).unwrap();
    let walker = WalkerParameters::default();
    let pair = |a: V, b: V| (a, b);
    let mut forces = vec![
        ("seek", seek(x, v, t, max_speed)),
        ("arrive", arrive(x, v, t, max_speed, radius)),
        ("flee", flee(x, v, t, max_speed)),
        ("flee_negated_seek", flee_negated_seek(x, v, t, max_speed)),
        ("match_velocity", match_velocity(v, w)),
        ("match_speed", match_speed(v, max_speed, V::origin())),
        ("minimum_speed", minimum_speed(v, max_speed, V::origin())),
        ("tether", tether(x, v, t, radius, max_speed)),
        ("pursue", pursue(x, v, t, w, max_speed)),
        ("evade", evade(x, v, t, w, max_speed)),
        ("intercept", intercept(x, v, t, w, max_speed)),
        ("offset_pursuit", offset_pursuit(x, v, (t, w), V::uniform(radius), max_speed, radius)),
        ("interpose", interpose(x, v, (t, w), (x, v), max_speed, radius)),
        ("follow_leader", follow_leader(x, v, (t, w), radius, max_speed, radius)),
        ("follow_path open", follow_path(x, v, &open, time, max_speed)),
        ("follow_path looped", follow_path(x, v, &looped, time, max_speed)),
        (
            "follow_path_from open",
            follow_path_from(x, v, &open, open.progress(-1.0, t), time, max_speed),
        ),
        (
            "follow_path_from looped",
            follow_path_from(x, v, &looped, looped.progress(0.0, w), time, max_speed),
        ),
        ("follow_flow", follow_flow(x, v, |_| w, time, max_speed)),
        ("avoid_obstacles", avoid_obstacles(x, v, radius, radius, max_speed, dynamic())),
        ("hide", hide(x, v, pair(t, w), dynamic(), radius, (max_speed, radius))),
        ("hide in the open", hide(x, v, pair(t, w), [&sphere; 0], radius, (max_speed, radius))),
        ("cohesion", cohesion(x, places())),
        ("alignment", alignment(v, others.iter().map(|o| o.1))),
        ("separation inverse_square", separation(x, places(), radius, falloff::inverse_square)),
        ("avoid_collisions", avoid_collisions(x, v, others, radius, time, max_speed)),
        ("queue", queue(x, v, others, radius, radius, time)),
        ("seek_flee", SeekFlee::default().steer((x, v), others, max_speed)),
        ("next_waypoint", next_waypoint(x, t, 0.7, 1.0, &walker)),
        ("heading_frame", heading_frame(v, w)),
        ("toward_direction", blend::toward_direction(v, w, max_speed, radius, time)),
        ("prioritized", blend::prioritized([v, w], max_speed)),
    ];
    for (name, shape) in [("sphere", shapes[0]), ("capsule", shapes[1]), ("box", shapes[2])] {
        forces.push((name, follow_wall(x, v, shape, radius, time, max_speed)));
        forces.push((name, contain(x, v, shape, time, max_speed)));
    }
    forces.extend(Spline::new([x, t, t, x]).unwrap().samples(3).map(|p| ("spline", p)));
    forces
}

/// The same for the manager: all terms, both blendings, three updates.
fn manager_motion<V: Vector>(
    x: V,
    v: V,
    t: V,
    w: V,
    [max_speed, radius, time]: [f32; 3],
) -> Vec<(&'static str, V)> {
    let body = Body::new(x, v, max_speed, 1e-9).unwrap();
    let other = Body::new(t, w, max_speed, 1.0).unwrap();
    let mut results = Vec::new();
    for blend in [Blend::Weighted, Blend::Prioritized] {
        let mut steering = Steering::new(&body, max_speed).unwrap().with_blend(blend);
        for _ in 0..3 {
            steering
                .seek(t)
                .flee(t)
                .arrive(t, radius)
                .weighted(1e9)
                .pursue(&other)
                .weighted(-1e9)
                .evade(&other);
            let motion = steering.update(time);
            results.extend([("position", motion.position), ("velocity", motion.velocity)]);
        }
    }
    results
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_force_is_ever_nan_or_infinite(
        x in place(), v in speed(), t in place(), w in speed(),
        max_speed in size(1e9), radius in size(1e12), time in size(1e3), same in 0..4,
    ) {
        // Coincident agents, and targets at distance 0, in a quarter of the cases each.
        let t = if same == 0 { x } else { t };
        let w = if same == 1 { v } else { w };
        let v = if same == 2 { [0.0; 3] } else { v };
        let sizes = [max_speed, radius, time];
        for (name, force) in
            all_forces(x, v, t, w, sizes).into_iter().chain(manager_motion(x, v, t, w, sizes))
        {
            prop_assert!(force.all_finite(), "{name} in 3-D: {force:?}");
        }
        let flat = |a: [f32; 3]| [a[0], a[1]];
        let (x, v, t, w) = (flat(x), flat(v), flat(t), flat(w));
        for (name, force) in
            all_forces(x, v, t, w, sizes).into_iter().chain(manager_motion(x, v, t, w, sizes))
        {
            prop_assert!(force.all_finite(), "{name} in 2-D: {force:?}");
        }
    }

    #[test]
    fn truncation_never_lengthens(v in place(), limit in size(1e12)) {
        let cut = v.truncate_to(limit);
        prop_assert!(cut.norm() <= v.norm());
        // To 4 ulps of the limit, or below the smallest number a component can be.
        prop_assert!(cut.norm() <= limit * (1.0 + 4.0 * f32::EPSILON) + 1e-44, "{cut:?}");
    }

    #[test]
    fn an_update_keeps_its_limits(
        x in prop::array::uniform2(-1e3_f32..1e3), v in prop::array::uniform2(-9.0_f32..9.0),
        target in prop::array::uniform2(-1e3_f32..1e3), max_speed in 0.1_f32..10.0,
        max_force in 0.0_f32..50.0) {
        let body = Body::new(x, v.truncate_to(max_speed), max_speed, 2.0).unwrap();
        let mut steering = Steering::new(&body, max_force).unwrap();
        steering.seek(target).weighted(7.0).flee([1.0, 2.0]);
        prop_assert!(steering.force().norm() <= max_force * (1.0 + 4.0 * f32::EPSILON));
        let motion = steering.update(0.1);
        prop_assert!(motion.velocity.norm() <= max_speed * (1.0 + 4.0 * f32::EPSILON));
        let gained = motion.velocity.minus(body.velocity).norm();
        prop_assert!(gained <= max_force / 2.0 * 0.1 + 1e-5, "no more than max_force/mass·dt: \
            {gained}");
        prop_assert_eq!(steering.force(), [0.0, 0.0]);
    }

    #[test]
    fn the_budget_is_never_exceeded_and_the_first_is_served_first(
        forces in prop::collection::vec(prop::array::uniform3(-5.0_f32..5.0), 1..6),
        budget in 0.0_f32..10.0) {
        let force = blend::prioritized(forces.iter().copied(), budget);
        prop_assert!(force.norm() <= budget * 1.000_001 + 1e-6);
        if forces[0].norm() >= budget {
            prop_assert!(force.minus(forces[0].truncate_to(budget)).norm() <= 1e-5);
        }
    }

    #[test]
    fn turning_and_moving_the_plane_turns_the_forces(
        x in prop::array::uniform2(-50.0_f32..50.0), v in prop::array::uniform2(-3.0_f32..3.0),
        t in prop::array::uniform2(-50.0_f32..50.0), w in prop::array::uniform2(-3.0_f32..3.0),
        shift in prop::array::uniform2(-40.0_f32..40.0), angle in 0.0_f32..6.3,
    ) {
        let (x, v, t, w, shift) =
            (Vec2::from(x), Vec2::from(v), Vec2::from(t), Vec2::from(w), Vec2::from(shift));
        prop_assume!((t - x).length() > 1.0 && v.length() > 0.1 && w.length() > 0.1);
        let turn = Mat2::from_angle(angle);
        let moved = |p: Vec2| turn * p + shift;
        equivariant(x, v, t, w, |p| turn * p, moved)?;
    }

    #[test]
    fn turning_and_moving_space_turns_the_forces(
        x in prop::array::uniform3(-50.0_f32..50.0), v in prop::array::uniform3(-3.0_f32..3.0),
        t in prop::array::uniform3(-50.0_f32..50.0), w in prop::array::uniform3(-3.0_f32..3.0),
        shift in prop::array::uniform3(-40.0_f32..40.0), angle in 0.0_f32..6.3,
    ) {
        let (x, v, t, w, shift) =
            (Vec3::from(x), Vec3::from(v), Vec3::from(t), Vec3::from(w), Vec3::from(shift));
        prop_assume!((t - x).length() > 1.0 && v.length() > 0.1 && w.length() > 0.1);
        let turn = Mat3::from_quat(Quat::from_axis_angle(Vec3::new(0.36, 0.48, 0.8), angle));
        let moved = |p: Vec3| turn * p + shift;
        equivariant(x, v, t, w, |p| turn * p, moved)?;
    }

    #[test]
    fn a_longer_time_intercepts_where_both_are(
        o in prop::array::uniform3(-50.0_f32..50.0), v in prop::array::uniform3(-3.0_f32..3.0),
        speed in 0.0_f32..6.0) {
        if let Some(time) = interception_time([0.0; 3], o, v, speed) {
            prop_assert!(time >= 0.0);
            if time < 1e3 {
                let there = predict(o, v, time).norm();
                prop_assert!((there - speed * time).abs() <= 1e-3 * (1.0 + there), "{there} in \
                    {time}");
            }
        } else {
            prop_assert!(speed <= v.norm() * 1.000_001, "a faster chaser always meets");
        }
    }

    #[test]
    fn a_walk_from_anywhere_arrives(
        x in prop::array::uniform2(-300.0_f32..300.0), seed in any::<u64>(),
        view in 0.0_f32..110.0) {
        let style = WalkerParameters { field_of_view: view, ..Default::default() };
        let walk = Walker::new(style, Jitter::owned(seed, 0)).unwrap().waypoints(x, [0.0, 0.0]);
        prop_assert_eq!(walk[walk.len() - 1], [0.0, 0.0]);
        prop_assert!(walk.len() < 300);
    }
}

/// Asserts that forces turn with the world and do not care where it is, to 1e-4 of the largest
/// involved (positions up to 150 lose 1e-5 of a unit to rounding; forces are of the order of the
/// speeds).
fn equivariant<V: Vector>(
    x: V,
    v: V,
    t: V,
    w: V,
    turn: impl Fn(V) -> V,
    moved: impl Fn(V) -> V,
) -> Result<(), TestCaseError> {
    let forces = |x: V, v: V, t: V, w: V| {
        let sphere = Sphere::new(t, 0.5).unwrap();
        // Not through x: standing exactly on its start, rounding would decide whether the agent
        // moves on.
        let path = Path::open([x.plus(w.times(5.0)), t.plus(v)], 0.2).unwrap();
        let others = [(t, w)];
        [
            ("seek", seek(x, v, t, 3.0)),
            ("arrive", arrive(x, v, t, 3.0, 20.0)),
            ("flee", flee(x, v, t, 3.0)),
            ("flee_negated_seek", flee_negated_seek(x, v, t, 3.0)),
            ("tether", tether(x, v, t, 1.0, 3.0)),
            ("pursue", pursue(x, v, t, w, 3.0)),
            ("evade", evade(x, v, t, w, 3.0)),
            ("intercept", intercept(x, v, t, w, 9.0)),
            (
                "offset_pursuit",
                offset_pursuit(
                    x,
                    v,
                    (t, w),
                    V::from_fn(|a| if a == 0 { -2.0 } else { 0.0 }),
                    3.0,
                    9.0,
                ),
            ),
            ("interpose", interpose(x, v, (t, w), (x, v), 3.0, 9.0)),
            ("hide", hide(x, v, (t.plus(w), w), [&sphere], 1.0, (3.0, 9.0))),
            ("follow_wall", follow_wall(x, v, &sphere, 2.0, 0.1, 3.0)),
            ("follow_path", follow_path(x, v, &path, 0.1, 3.0)),
            ("separation", separation(x, [t], 200.0, falloff::linear(200.0))),
            ("cohesion", cohesion(x, [t])),
            ("alignment", alignment(v, [w])),
            ("queue", queue(x, v, others, 30.0, 1.0, 90.0)),
        ]
    };
    let before = forces(x, v, t, w);
    let after = forces(moved(x), turn(v), moved(t), turn(w));
    for ((name, a), (_, b)) in before.into_iter().zip(after) {
        let gap = turn(a).minus(b).norm();
        let scale = 1.0 + a.norm();
        // Thresholds (a radius, a cone) may fall on either side of the rounding: those are exact
        // zeros on one side.
        let edge = a == V::origin() || b == V::origin();
        prop_assert!(
            edge || gap <= 2e-4 * scale,
            "{name}: {a:?} turned is not {b:?}, off by {gap}"
        );
    }
    Ok(())
}
