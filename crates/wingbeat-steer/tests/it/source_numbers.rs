//! The five source systems' own numbers, and what the textbook says of single behaviors.

use std::f32::consts::PI;

use wingbeat_steer::behavior::{self, interception_time, pursuit_point};
use wingbeat_steer::glam::{Vec2, Vec3};
use wingbeat_steer::{
    Body, Jitter, Spline, Steering, Vector, Walker, WalkerParameters, Wander, WanderFrame,
    WanderParameters, next_waypoint,
};

/// The source's printed run of walk to target from (10, 10) to (0, 0).
const RUN: [Vec2; 6] = [
    Vec2::new(10.0, 10.0),
    Vec2::new(3.73, 6.71),
    Vec2::new(2.11, 3.23),
    Vec2::new(0.96, 1.68),
    Vec2::new(0.50, 0.79),
    Vec2::ZERO,
];

fn angle_between(a: Vec2, b: Vec2) -> f32 {
    a.angle_to(b)
}

#[test]
fn walk_to_target_repeats_the_sources_run() {
    let style = WalkerParameters::default();
    // Leg lengths are fixed by the distances alone; the printed waypoints have two decimals.
    let legs: Vec<f32> = RUN[..4].iter().map(|p| style.step(p.length())).collect();
    for (leg, expected) in legs.iter().zip([7.07, 3.84, 1.93, 1.00]) {
        assert!((leg - expected).abs() < 0.01, "legs {legs:?}");
    }
    // Recover each turn from the printed points, check that it was allowed, and walk it again.
    for pair in RUN.windows(2).take(4) {
        let (from, to) = (pair[0], pair[1]);
        let half_view = style.view(from.length()) / 2.0;
        let turned = angle_between(-from, to - from);
        assert!(turned.abs() <= half_view + 0.01, "turned {turned} of {half_view} at {from}");
        let roll = if turned > 0.0 { 0.0 } else { PI };
        let again = next_waypoint(from, Vec2::ZERO, turned.abs() / half_view, roll, &style);
        assert!((again - to).length() < 0.02, "{again} is not {to}");
    }
    assert_eq!(
        next_waypoint(RUN[4], Vec2::ZERO, 1.0, 0.0, &style),
        Vec2::ZERO,
        "nearer than a step: straight in"
    );
}

#[test]
fn no_turn_exceeds_half_the_current_view_and_every_walk_arrives() {
    let style = WalkerParameters::default();
    let (mut left, mut right) = (0, 0);
    for seed in 0..500 {
        let mut walker = Walker::new(style, Jitter::owned(seed, 0)).unwrap();
        let target = Vec2::new(3.0, -2.0);
        let walk = walker.waypoints(Vec2::new(200.0, 35.0), target);
        assert!(walk.len() < 60, "seed {seed}: {} waypoints", walk.len());
        assert_eq!(walk[walk.len() - 1], target);
        for pair in walk.windows(2) {
            let to_target = target - pair[0];
            let turned = angle_between(to_target, pair[1] - pair[0]);
            assert!(
                turned.abs() <= style.view(to_target.length()) / 2.0 + 1e-3,
                "seed {seed} at {}",
                pair[0]
            );
            left += i32::from(turned > 1e-3);
            right += i32::from(turned < -1e-3);
        }
    }
    let share = f64::from(left) / f64::from(left + right);
    assert!((share - 0.5).abs() < 0.02, "the coin is fair: {share}");
}

#[test]
fn the_walker_arrives_in_3d_with_random_steps_and_the_widest_view() {
    let style = WalkerParameters {
        field_of_view: 110.0,
        step_factor: 1.0,
        random_steps: true,
        ..Default::default()
    };
    for seed in 0..200 {
        let mut walker = Walker::new(style, Jitter::keyed(seed, 9)).unwrap();
        let walk = walker.waypoints(Vec3::new(80.0, -20.0, 40.0), Vec3::ZERO);
        assert!(walk.len() < 2000, "seed {seed}: {} waypoints", walk.len());
        let mut distances = walk.iter().map(|p| p.length());
        let mut last = distances.next().unwrap();
        for distance in distances {
            assert!(distance < last, "every leg brings it nearer");
            last = distance;
        }
    }
}

#[test]
fn the_walker_catches_any_target_slower_than_itself() {
    for seed in 0..50 {
        let mut walker = Walker::new(WalkerParameters::default(), Jitter::owned(seed, 1)).unwrap();
        let (mut at, mut target) = (Vec2::new(60.0, 0.0), Vec2::ZERO);
        let mut steps = 0;
        while at != target {
            target += Vec2::from_angle(seed as f32) * 0.08; // 80 % of the walker's speed
            at = walker.walk(at, target, 0.1);
            steps += 1;
            assert!(steps < 20_000, "seed {seed}: still {} away", at.distance(target));
        }
    }
}

#[test]
fn every_spline_passes_through_its_waypoints() {
    for seed in 0..100 {
        let mut walker = Walker::new(WalkerParameters::default(), Jitter::owned(seed, 0)).unwrap();
        let spline = walker.spline(Vec2::new(50.0, 30.0), Vec2::ZERO).unwrap();
        for (i, &waypoint) in spline.points().iter().enumerate() {
            assert_eq!(spline.at(i as f32), waypoint);
        }
        // Smooth: also just before and after each waypoint the curve is close by, and nowhere does
        // it run away.
        for i in 1..spline.points().len() - 1 {
            for side in [-1e-3, 1e-3] {
                assert!((spline.at(i as f32 + side) - spline.points()[i]).length() < 0.05);
            }
        }
        let longest = spline
            .points()
            .windows(2)
            .map(|p| p[0].distance(p[1]))
            .fold(0.0, wingbeat_steer::math::max);
        for point in spline.samples(16) {
            let nearest = spline
                .points()
                .iter()
                .map(|p| p.distance(point))
                .fold(f32::INFINITY, wingbeat_steer::math::min);
            assert!(nearest < longest, "seed {seed}: the curve strays {nearest}");
        }
    }
}

#[test]
fn a_spline_with_equal_points_stays_finite() {
    let spline = Spline::new([Vec2::ONE; 4]).unwrap();
    assert!(spline.samples(7).all(|p| p == Vec2::ONE));
}

/// Largest change of the force over one interval at a fixed heading, over many draws.
fn largest_change<V: Vector>(frame: WanderFrame, velocity: V, dt: f32) -> f32 {
    let style = WanderParameters { frame, ..Default::default() };
    let mut wander = Wander::new(style, Jitter::owned(5, 5)).unwrap();
    let steps_per_interval = (1.0 / dt).round() as usize;
    let (mut largest, mut before) = (0.0, wander.steer(velocity, 0.0));
    for step in 1..20_000 {
        let force = wander.steer(velocity, dt);
        if step % steps_per_interval == 0 {
            largest = wingbeat_steer::math::max(largest, force.minus(before).norm());
            before = force;
        }
    }
    largest
}

#[test]
fn wander_changes_by_at_most_its_bound_a_step() {
    let bound = 2.0 * 5.0 * libm_sin(0.25);
    assert!((bound - 2.47).abs() < 0.01);
    for (name, change) in [
        ("2-D world", largest_change(WanderFrame::World, Vec2::new(3.0, 1.0), 1.0)),
        ("2-D heading", largest_change(WanderFrame::Heading, Vec2::new(3.0, 1.0), 1.0)),
        ("3-D world", largest_change(WanderFrame::World, Vec3::new(3.0, 1.0, 2.0), 1.0)),
        ("3-D heading", largest_change(WanderFrame::Heading, Vec3::new(3.0, 1.0, 2.0), 1.0)),
        ("2-D in eight steps", largest_change(WanderFrame::World, Vec2::new(3.0, 1.0), 0.125)),
    ] {
        assert!(change <= bound + 1e-4, "{name}: {change} exceeds {bound}");
        assert!(change > 0.97 * bound, "{name}: {change} never comes near {bound}");
    }
}

fn libm_sin(x: f64) -> f32 {
    // Taylor suffices for a quarter: the test must not lean on what it tests.
    (x - x * x * x / 6.0 + x * x * x * x * x / 120.0) as f32
}

#[test]
fn wander_at_dt_one_is_the_sources() {
    // θ starts at 0; force = 10·h + 5·(cos θ, sin θ); then θ += U(−½, ½).
    let mut wander = Wander::new(WanderParameters::default(), Jitter::keyed(7, 3)).unwrap();
    let mut theta = 0.0_f32;
    for step in 0..1000 {
        let force = wander.steer(Vec2::new(0.0, 2.0), 1.0);
        let expected =
            Vec2::new(0.0, 10.0) + 5.0 * Vec2::new(theta.cos_pinned(), theta.sin_pinned());
        assert!((force - expected).length() < 2e-4, "step {step}: {force} is not {expected}");
        theta += wingbeat_steer::noise::uniform(7, 3, step, 16) - 0.5;
    }
}

/// Sine and cosine through glam, whose `libm` feature pins them.
trait Pinned {
    fn cos_pinned(self) -> f32;
    fn sin_pinned(self) -> f32;
}

impl Pinned for f32 {
    fn cos_pinned(self) -> f32 {
        Vec2::from_angle(self).x
    }

    fn sin_pinned(self) -> f32 {
        Vec2::from_angle(self).y
    }
}

#[test]
fn a_resting_wanderer_starts_moving() {
    let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0)).unwrap();
    assert_eq!(wander.steer(Vec2::ZERO, 1.0), Vec2::new(5.0, 0.0));
}

#[test]
fn a_track_does_not_depend_on_how_many_others_live() {
    let track = |crowd: u64| {
        let mut wanders: Vec<_> = (0..crowd)
            .map(|id| {
                Wander::<Vec3>::new(WanderParameters::default(), Jitter::owned(11, id)).unwrap()
            })
            .collect();
        let mut seen = Vec::new();
        for _ in 0..200 {
            for (id, wander) in wanders.iter_mut().enumerate() {
                let force = wander.steer(Vec3::X, 0.3);
                if id == 4 {
                    seen.push(force);
                }
            }
        }
        seen
    };
    assert_eq!(track(5), track(100));
}

#[test]
fn seek_slows_linearly_inside_the_radius() {
    let body = Body::new(Vec2::ZERO, Vec2::ZERO, 8.0, 1.0).unwrap();
    for (distance, speed) in
        [(0.0, 0.0), (5.0, 2.0), (10.0, 4.0), (19.0, 7.6), (20.0, 8.0), (20.001, 8.0), (500.0, 8.0)]
    {
        let mut steering = Steering::new(&body, 100.0).unwrap();
        let wanted = steering.seek(Vec2::new(distance, 0.0)).force();
        assert_eq!(wanted, Vec2::new(speed, 0.0), "at {distance}");
    }
}

#[test]
fn arrival_stops_without_overshoot_at_any_step() {
    for dt in [1.0 / 144.0, 1.0 / 60.0, 1.0 / 30.0, 0.1, 0.25, 0.5, 1.0] {
        let mut body = Body::new(Vec2::new(-60.0, 0.0), Vec2::ZERO, 4.0, 1.0).unwrap();
        let mut steering = Steering::new(&body, 1e6).unwrap();
        let mut last = body.position.x;
        for _ in 0..(120.0 / dt) as usize {
            steering.observe(&body);
            steering.arrive(Vec2::ZERO, 16.0);
            body.follow(steering.update(dt));
            assert!(body.position.x <= 1e-4, "dt {dt}: overshoots to {}", body.position.x);
            assert!(body.position.x >= last, "dt {dt}: turns back at {last}");
            last = body.position.x;
        }
        assert!(body.position.length() < 1e-2, "dt {dt}: stopped at {}", body.position);
        assert!(body.velocity.length() < 1e-2, "dt {dt}: still at {}", body.velocity);
    }
}

#[test]
fn pursuit_predicts_distance_over_own_speed_ahead() {
    let point = pursuit_point(Vec2::ZERO, Vec2::new(30.0, 0.0), Vec2::new(0.0, 2.0), 5.0);
    assert_eq!(point, Vec2::new(30.0, 12.0));
}

#[test]
fn interception_of_a_straight_runner_happens_where_predicted() {
    for (place, run) in
        [((40.0, 0.0), (0.0, 3.0)), ((10.0, 25.0), (-2.0, -2.0)), ((-8.0, 30.0), (1.0, 3.5))]
    {
        let (start, run) = (Vec2::from(place), Vec2::from(run));
        let due = interception_time(Vec2::ZERO, start, run, 5.0).expect("slower than the chaser");
        let meeting = start + run * due;
        assert!((meeting.length() - 5.0 * due).abs() < 1e-3, "the chaser gets there in time");

        let mut body = Body::new(Vec2::ZERO, meeting.normalize() * 5.0, 5.0, 1.0).unwrap();
        let mut steering = Steering::new(&body, 1e6).unwrap();
        let (mut runner, dt) = (start, 0.01);
        let mut time = 0.0;
        while body.position.distance(runner) > 0.05 {
            let quarry = Body::new(runner, run, 5.0, 1.0).unwrap();
            steering.observe(&body);
            steering.intercept(&quarry);
            body.follow(steering.update(dt));
            runner += run * dt;
            time += dt;
            assert!(time < due + 0.1, "not there after {time}, due at {due}");
        }
        assert!(
            body.position.distance(meeting) < 0.3,
            "met at {} instead of {meeting}",
            body.position
        );
    }
}

#[test]
fn pursuit_and_evasion_are_opposites_from_rest() {
    let (other, run) = (Vec3::new(5.0, -3.0, 2.0), Vec3::new(0.3, 1.0, -0.5));
    let chase = behavior::pursue(Vec3::ZERO, Vec3::ZERO, other, run, 4.0);
    let flight = behavior::evade(Vec3::ZERO, Vec3::ZERO, other, run, 4.0);
    assert_eq!(chase, -flight);
}

#[test]
fn the_two_flees_differ_by_twice_the_velocity() {
    let (x, v, t) = (Vec2::new(1.0, 2.0), Vec2::new(0.5, -0.25), Vec2::new(4.0, 6.0));
    let difference = behavior::flee_negated_seek(x, v, t, 2.0) - behavior::flee(x, v, t, 2.0);
    assert!((difference - 2.0 * v).length() < 1e-6);
}

#[test]
fn arrays_and_glam_give_the_same_bits() {
    let a =
        behavior::pursue([1.0, 2.0, 3.0], [0.1, 0.2, 0.3], [9.0, -4.0, 1.5], [1.0, 0.3, -0.7], 3.3);
    let of = Vec3::from_array;
    let b = behavior::pursue(
        of([1.0, 2.0, 3.0]),
        of([0.1, 0.2, 0.3]),
        of([9.0, -4.0, 1.5]),
        of([1.0, 0.3, -0.7]),
        3.3,
    );
    assert_eq!(a.map(f32::to_bits), b.to_array().map(f32::to_bits));
}
