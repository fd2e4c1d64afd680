//! What is true of obstacles, one boid at a time: none gets in, none gets through, and what is
//! no solid is refused.

use wingbeat_steer::obstacle::{AtEnds, Pose, Range};
use wingbeat_steer::*;
use wingbeat_test_support::Random;

fn point<V: Vector>(random: &mut Random, side: f32) -> V {
    V::from_fn(|_| random.within(-side, side))
}

fn obstacle<V>(name: &str, shape: ObstacleShape<V>, motion: ObstacleMotion<V>) -> Obstacle<V> {
    Obstacle { name: name.into(), shape, motion }
}

/// A star with `n` points: simple, and not convex.
fn star<V: Vector>(random: &mut Random, middle: V, size: f32) -> ObstacleShape<V> {
    let n = 3 + random.below(6);
    let point = |i: usize, random: &mut Random| {
        let turn = i as f32 / n as f32;
        let (sin, cos) = math::sin_cos_turns(turn);
        let r = size * random.within(0.3, 1.0);
        V::from_fn(|a| middle.axis(a) + r * [cos, sin][a])
    };
    ObstacleShape::Polygon { points: (0..n).map(|i| point(i, random)).collect() }
}

fn shape<V: Vector>(random: &mut Random, kind: usize, side: f32) -> ObstacleShape<V> {
    let middle: V = point(random, side);
    let size = random.within(0.05, 0.4) * side;
    let radius = random.within(0.01, 0.2) * side;
    let other = middle.plus(point(random, size));
    match kind {
        0 => ObstacleShape::Sphere { center: middle, radius },
        1 => ObstacleShape::Capsule { from: middle, to: other, radius },
        2 => {
            let half = V::from_fn(|_| random.within(0.1, 1.0) * size);
            let angle = if V::DIMENSIONS == 2 && random.below(2) == 0 {
                random.within(-180.0, 180.0)
            } else {
                0.0
            };
            ObstacleShape::Box { min: middle.minus(half), max: middle.plus(half), angle }
        }
        3 => ObstacleShape::Wall { from: middle, to: other },
        _ => star(random, middle, size),
    }
}

fn motion<V: Vector>(
    random: &mut Random,
    kind: usize,
    shape: &ObstacleShape<V>,
    side: f32,
) -> ObstacleMotion<V> {
    let middle = shape.middle();
    let reach = V::from_fn(|_| random.within(0.1, 0.5) * side);
    let ends = [AtEnds::TurnBack, AtEnds::Wrap][random.below(2)];
    match kind {
        0 => ObstacleMotion::Static,
        1 => ObstacleMotion::Line { velocity: point(random, side), range: None },
        2 => {
            let range = Some(Range { min: middle.minus(reach), max: middle.plus(reach), ends });
            ObstacleMotion::Line { velocity: point(random, side), range }
        }
        3 => {
            ObstacleMotion::Circle { center: point(random, side), period: random.within(0.5, 5.0) }
        }
        4 => {
            let points = (0..3).map(|_| point(random, side)).collect();
            ObstacleMotion::Waypoints { points, speed: random.within(0.0, side) }
        }
        _ => ObstacleMotion::Host,
    }
}

fn domain<V: Vector>(random: &mut Random, side: f32) -> Domain<V> {
    let (min, max) = (V::uniform(-side), V::uniform(side));
    match random.below(4) {
        0 => Domain::open(),
        1 => Domain::periodic(min, max),
        2 => Domain::walled(min, max, 0.0, 0.0),
        _ => Domain::reflecting(min, max),
    }
}

/// The worst depth that boids were in after steps with random velocities, and how often they met
/// anything.
fn worst<V: Vector>(seed: u64, moving: bool) -> (f64, usize) {
    let mut random = Random::new(seed);
    let side = [1.0, 10.0, 3000.0][random.below(3)];
    let domain: Domain<V> = domain(&mut random, side);
    let kinds = if V::DIMENSIONS == 2 { 5 } else { 3 };
    let count = 1 + random.below(4);
    let list = (0..count).map(|i| {
        let kind = random.below(kinds);
        let shape = shape(&mut random, kind, 0.6 * side);
        let how = if moving { random.below(6) } else { 0 };
        let motion = motion(&mut random, how, &shape, side);
        obstacle(&format!("o{i}"), shape, motion)
    });
    let obstacles: Obstacles<V> = Obstacles { list: list.collect(), avoidance: None };
    let mut obstacles = ObstacleSet::new(obstacles, &domain).expect("obstacles");
    let (mut time, dt) = (0.0, 0.1);
    let mut boids = Vec::new();
    while boids.len() < 8 {
        let place: V = point(&mut random, side * 0.999);
        if obstacles.solid_at(place).is_none() {
            boids.push(place);
        }
    }
    let (mut worst, mut met) = (0.0, 0);
    for step in 0..40 {
        for i in 0..count {
            if obstacles.obstacles().list[i].motion == ObstacleMotion::Host && step % 3 == 0 {
                let angle = if V::DIMENSIONS == 2 { random.within(-30.0, 30.0) } else { 0.0 };
                obstacles
                    .set_pose(
                        ObstacleId::new(i),
                        Pose { position: point(&mut random, 0.1 * side), angle },
                    )
                    .expect("a pose");
            }
        }
        obstacles.begin_step(time, dt);
        for boid in &mut boids {
            let fast = [0.0, 0.1, 1.0, 30.0, 1e4][random.below(5)] * side;
            let velocity: V = point(&mut random, fast);
            let moved = boid.plus(velocity.times(dt));
            let kept = obstacles.keep_outside(*boid, moved, velocity, dt, &mut obstacles.all());
            assert!(
                kept.position.all_finite() && kept.velocity.all_finite(),
                "seed {seed}: {kept:?}"
            );
            assert!(domain.contains(kept.position), "seed {seed}: {kept:?} left {domain:?}");
            met += usize::from(kept.met.is_some());
            *boid = kept.position;
        }
        obstacles.end_step(time, dt);
        time += f64::from(dt);
        for &boid in &boids {
            let depth = obstacles.penetration(boid);
            assert!(
                moving || depth == 0.0,
                "seed {seed} step {step}: {depth} inside at {boid:?} in {obstacles:?}"
            );
            worst = if depth > worst { depth } else { worst };
        }
    }
    (worst, met)
}

#[test]
fn no_boid_gets_into_what_stands_still() {
    let met: usize = (0..400)
        .map(|seed| worst::<[f32; 2]>(seed, false).1 + worst::<[f32; 3]>(seed, false).1)
        .sum();
    println!("{met} contacts");
    assert!(met > 3000, "{met}");
}

#[test]
fn no_boid_is_in_what_moves() {
    let found: Vec<_> = (0..400)
        .flat_map(|seed| [worst::<[f32; 2]>(seed, true), worst::<[f32; 3]>(seed, true)])
        .collect();
    let deepest =
        found.iter().fold(0.0, |most, &(depth, _)| if depth > most { depth } else { most });
    println!("deepest {deepest}, {} contacts", found.iter().map(|found| found.1).sum::<usize>());
    assert_eq!(deepest, 0.0);
}

/// The refusal of one obstacle in the plane.
fn refused(
    shape: ObstacleShape<[f32; 2]>,
    motion: ObstacleMotion<[f32; 2]>,
    domain: &Domain<[f32; 2]>,
) -> String {
    let obstacles = Obstacles::from(vec![obstacle("it", shape, motion)]);
    obstacles.check(domain).map_or_else(|refusal| refusal.to_string(), |()| "accepted".into())
}

#[test]
fn what_is_no_solid_is_refused_by_name() {
    use ObstacleMotion::Static;
    let open = Domain::open();
    let polygon = |points: &[[f32; 2]]| ObstacleShape::Polygon { points: points.to_vec() };
    let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
    let shapes = [
        (
            ObstacleShape::Sphere { center: [0.0; 2], radius: 0.0 },
            "obstacle.it.radius = 0: allowed is ",
        ),
        (
            ObstacleShape::Sphere { center: [f32::NAN, 0.0], radius: 1.0 },
            "obstacle.it.center[0] = NaN: allowed is -1e12 to 1e12",
        ),
        (
            ObstacleShape::Capsule { from: [0.0; 2], to: [0.0, 2e12], radius: 1.0 },
            "obstacle.it.to[1] = 2e12: allowed is -1e12 to 1e12",
        ),
        (
            ObstacleShape::Box { min: [0.0; 2], max: [1.0, 0.0], angle: 0.0 },
            "obstacle.it.max[1] = 0: allowed is above obstacle.it.min[1] = 0",
        ),
        (
            ObstacleShape::Box { min: [0.0; 2], max: [1.0; 2], angle: 400.0 },
            "obstacle.it.angle = 400: allowed is -360 to 360",
        ),
        (
            ObstacleShape::Wall { from: [1.0; 2], to: [1.0; 2] },
            "obstacle.it.to = [1.0, 1.0]: allowed is another point than obstacle.it.from",
        ),
        (polygon(&square[..2]), "obstacle.it.points = 2 points: allowed is 3 to 10000 points"),
        (polygon(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), "obstacle.it.points = "),
        (
            polygon(&[square[0], square[1], square[3], square[2]]),
            "obstacle.it.points = edge 1 (points 1 and 2) meets edge 3 (points 3 and 0): allowed \
                is edges that meet only at",
        ),
        (
            polygon(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 2.0]]),
            "obstacle.it.points = edge 0 (points 0 and 1) meets edge 1",
        ),
        (
            polygon(&[square[0], square[0], square[1], square[2]]),
            "obstacle.it.points = edge 0 (points 0 and 1) without length",
        ),
        (polygon(&square), "accepted"),
        (polygon(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]), "accepted"),
    ];
    for (shape, wanted) in shapes {
        let found = refused(shape.clone(), Static, &open);
        assert!(found.starts_with(wanted), "{shape:?}: {found}");
    }
    let ball = || ObstacleShape::Sphere { center: [0.0; 2], radius: 1.0 };
    let range = |ends| Some(Range { min: [1.0; 2], max: [2.0; 2], ends });
    let motions = [
        (
            ObstacleMotion::Line { velocity: [2e9, 0.0], range: None },
            "obstacle.it.velocity[0] = 2e9: allowed is",
        ),
        (
            ObstacleMotion::Line { velocity: [1.0, 0.0], range: range(AtEnds::Wrap) },
            "obstacle.it.middle[0] = 0: allowed is 1 to 2",
        ),
        (
            ObstacleMotion::Circle { center: [1.0; 2], period: 0.0 },
            "obstacle.it.period = 0: allowed is 0.001 to 1e9 in size",
        ),
        (
            ObstacleMotion::Waypoints { points: vec![[0.0; 2]], speed: 1.0 },
            "obstacle.it.waypoints = 1 points: allowed is 2 to",
        ),
        (
            ObstacleMotion::Waypoints { points: vec![[0.0; 2]; 2], speed: -1.0 },
            "obstacle.it.speed = -1: allowed is 0 to",
        ),
        (ObstacleMotion::Waypoints { points: vec![[0.0; 2]; 2], speed: 1.0 }, "accepted"),
    ];
    for (motion, wanted) in motions {
        let found = refused(ball(), motion.clone(), &open);
        assert!(found.starts_with(wanted), "{motion:?}: {found}");
    }
    let periodic = Domain::periodic([0.0; 2], [0.9; 2]);
    assert!(
        refused(ball(), Static, &periodic)
            .starts_with("obstacle.it.length = 2: allowed is at most two periodic sides")
    );
    let twice =
        Obstacles::from(vec![obstacle("it", ball(), Static), obstacle("it", ball(), Static)]);
    assert_eq!(
        twice.check(&open).unwrap_err().to_string(),
        "obstacle.it = given twice: allowed is every name once"
    );
    let wall = ObstacleShape::Wall { from: [0.0; 3], to: [1.0; 3] };
    let flat = Obstacles::from(vec![obstacle("it", wall, Static)])
        .check(&Domain::open())
        .unwrap_err()
        .to_string();
    assert_eq!(
        flat,
        "obstacle.it.kind = wall: allowed is sphere, capsule or box in three dimensions"
    );
    let avoidance = Some(Avoidance { horizon: -1.0, ..Avoidance::default() });
    let back = Obstacles { list: vec![obstacle("it", ball(), Static)], avoidance }
        .check(&open)
        .unwrap_err()
        .to_string();
    assert_eq!(back, "avoidance.horizon = -1: allowed is 0 to 1000");
}

fn obstacles<V: Vector>(
    shape: ObstacleShape<V>,
    motion: ObstacleMotion<V>,
    avoidance: Avoidance,
) -> ObstacleSet<V> {
    let obstacles =
        Obstacles { list: vec![obstacle("it", shape, motion)], avoidance: Some(avoidance) };
    ObstacleSet::new(obstacles, &Domain::open()).expect("obstacles")
}

#[test]
fn who_will_come_too_near_turns_aside_the_sooner_the_harder() {
    let avoidance = Avoidance { weight: 8.0, horizon: 2.0, clearance: 1.0 };
    let ball = obstacles(
        ObstacleShape::Sphere { center: [10.0, 0.0], radius: 1.0 },
        ObstacleMotion::Static,
        avoidance,
    );
    // The path of 8 reaches the distance of 2 after 6, where x is 8.
    let threat = ball.threat([2.0, 0.0], [4.0, 0.0]).expect("ahead");
    assert_eq!((threat.urgency, threat.depth, threat.aside), (0.25, 0.0, [0.0, 1.0]));
    assert_eq!(threat.force(&avoidance), [0.0, 2.0]);
    assert_eq!(ball.threat([4.0, 0.0], [4.0, 0.0]).expect("ahead").urgency, 0.5);
    // Out of the way, behind, too far, at rest.
    for (x, v) in [
        ([2.0, 3.0], [4.0, 0.0]),
        ([14.0, 0.0], [4.0, 0.0]),
        ([0.0, 0.0], [1.0, 0.0]),
        ([5.0, 0.0], [0.0, 0.0]),
    ] {
        assert_eq!(ball.threat(x, v).map_or(0.0, |threat| threat.urgency), 0.0, "{x:?} {v:?}");
    }
    // To its left, below the middle: away from it.
    let below = ball.threat([2.0, -0.5], [4.0, 0.0]).expect("ahead");
    assert!(below.aside[1] < -0.999 && below.urgency > 0.19, "{below:?}");
    // Within the clearance, at rest: straight out.
    let near = ball.threat([8.5, 0.0], [0.0, 0.0]).expect("near");
    assert_eq!((near.depth, near.outward, near.force(&avoidance)), (0.5, [-1.0, 0.0], [-4.0, 0.0]));
    // A ball that comes is as urgent as one that is gone to.
    let motion = ObstacleMotion::Line { velocity: [-4.0, 0.0], range: None };
    let comes =
        obstacles(ObstacleShape::Sphere { center: [10.0, 0.0], radius: 1.0 }, motion, avoidance);
    assert_eq!(comes.threat([2.0, 0.0], [0.0, 0.0]).expect("comes").urgency, 0.25);
    // Walls turn aside along themselves; boxes in space too.
    let wall = obstacles(
        ObstacleShape::Wall { from: [9.0, -20.0], to: [9.0, 20.0] },
        ObstacleMotion::Static,
        avoidance,
    );
    let along = wall.threat([2.0, 0.0], [4.0, 1.0]).expect("ahead");
    assert!(along.aside[1] > 0.9 && along.aside[0] < 0.0 && along.urgency > 0.2, "{along:?}");
    let block =
        ObstacleShape::Box { min: [9.0, -20.0, -20.0], max: [12.0, 20.0, 20.0], angle: 0.0 };
    let block = obstacles(block, ObstacleMotion::Static, avoidance);
    assert_eq!(block.threat([2.0, 0.0, 0.0], [4.0, 0.0, 0.0]).expect("ahead").urgency, 0.25);
}

#[test]
fn motions_are_where_time_says() {
    let ball = |x: f32, y: f32| ObstacleShape::Sphere { center: [x, y], radius: 0.5 };
    let place = |motion: ObstacleMotion<[f32; 2]>, t: f64| {
        let mut obstacles = obstacles(ball(1.0, 0.0), motion, Avoidance::default());
        obstacles.move_to(t);
        obstacles.pose(ObstacleId::new(0)).position
    };
    let range = |ends| Some(Range { min: [0.0, 0.0], max: [4.0, 0.0], ends });
    let line = |ends| ObstacleMotion::Line { velocity: [2.0, 0.0], range: range(ends) };
    // From 1 at 2 a unit of time: at 4 after 1.5, back at 0 after 3.5, at 1 again after 4.
    for (t, turned, wrapped) in
        [(0.0, 0.0, 0.0), (1.0, 2.0, 2.0), (2.0, 2.0, 0.0), (3.5, -1.0, 3.0), (4.0, 0.0, 0.0)]
    {
        assert_eq!(place(line(AtEnds::TurnBack), t), [turned, 0.0], "{t}");
        if t != 3.5 {
            assert_eq!(place(line(AtEnds::Wrap), t), [wrapped, 0.0], "{t}");
        }
    }
    let circle = |period| ObstacleMotion::Circle { center: [0.0, 0.0], period };
    let quarter = place(circle(4.0), 1.0);
    assert!((quarter[0] + 1.0).abs() < 1e-6 && (quarter[1] - 1.0).abs() < 1e-6, "{quarter:?}");
    let other = place(circle(-4.0), 1.0);
    assert!((other[0] + 1.0).abs() < 1e-6 && (other[1] + 1.0).abs() < 1e-6, "{other:?}");
    let points = vec![[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]];
    let walk = ObstacleMotion::Waypoints { points, speed: 1.0 };
    for (t, at) in [
        (2.0, [2.0, 0.0]),
        (5.0, [3.0, 2.0]),
        (9.5, [1.5, 2.0]),
        (12.0, [0.0, 0.0]),
        (14.0, [2.0, 0.0]),
    ] {
        assert_eq!(place(walk.clone(), t), at, "{t}");
    }
}

#[test]
fn a_boid_slides_along_what_it_meets() {
    let shape = ObstacleShape::Box { min: [2.0, -5.0], max: [4.0, 5.0], angle: 0.0 };
    let mut obstacles = obstacles(shape, ObstacleMotion::Static, Avoidance::default());
    obstacles.begin_step(0.0, 1.0);
    let met = obstacles.keep_outside([0.0, 0.0], [4.0, 2.0], [4.0, 2.0], 1.0, &mut obstacles.all());
    assert_eq!((met.met, met.velocity), (Some(0), [0.0, 2.0]));
    assert!(
        (met.position[0] - 2.0).abs() < 1e-4 && met.position[0] < 2.0 && met.position[1] == 2.0,
        "{met:?}"
    );
    // Into a corner of two: it stops.
    let faces = [[0.0, -1.0, 1.0, 1.0], [-1.0, 0.0, 1.0, 1.0]];
    let list = faces.iter().enumerate().map(|(i, &[x0, y0, x1, y1])| {
        let shape = ObstacleShape::Box { min: [x0, y0], max: [x1, y1], angle: 0.0 };
        obstacle(&format!("o{i}"), shape, ObstacleMotion::Static)
    });
    let mut obstacles =
        ObstacleSet::new(list.collect::<Vec<_>>().into(), &Domain::open()).expect("obstacles");
    obstacles.begin_step(0.0, 1.0);
    let met =
        obstacles.keep_outside([-0.5, -0.5], [0.5, 0.6], [1.0, 1.1], 1.0, &mut obstacles.all());
    assert!(
        met.position[0] < 0.0 && met.position[1] < 0.0 && met.velocity.largest() < 1e-6,
        "{met:?}"
    );
}

/// Where a segment first meets an obstacle, told by its distance alone, at many places of the way.
#[test]
fn the_first_hit_is_where_the_distance_first_falls_to_nothing() {
    const PLACES: usize = 1000;
    let mut met = [0; 2];
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let some = |random: &mut Random| [random.within(0.0, 10.0), random.within(0.0, 10.0)];
        let domain =
            if seed % 3 == 0 { Domain::periodic([0.0; 2], [10.0; 2]) } else { Domain::open() };
        let (at, size) = (some(&mut random), random.within(0.8, 3.0));
        let corner = |x: f32, y: f32| [at[0] + x * size, at[1] + y * size];
        let shape = match seed % 5 {
            0 => ObstacleShape::Sphere { center: at, radius: size },
            1 => ObstacleShape::Capsule { from: at, to: corner(1.0, 0.5), radius: 0.4 * size },
            2 => ObstacleShape::Box {
                min: corner(-1.0, -0.5),
                max: corner(1.0, 0.5),
                angle: random.within(-90.0, 90.0),
            },
            3 => ObstacleShape::Wall { from: at, to: corner(1.0, 0.7) },
            _ => ObstacleShape::Polygon {
                points: vec![
                    corner(-1.0, -1.0),
                    corner(1.0, -1.0),
                    corner(0.0, 0.0),
                    corner(0.2, 1.0),
                ],
            },
        };
        let thin = matches!(shape, ObstacleShape::Wall { .. });
        let one = Obstacle { name: "one".into(), shape, motion: ObstacleMotion::Static };
        let set = ObstacleSet::new(vec![one].into(), &domain).expect("an obstacle");
        for _ in 0..20 {
            let (from, to) = (some(&mut random), some(&mut random));
            let (all, list) = (&mut set.all(), &mut Vec::new());
            let hit = set.first_hit(from, to, &mut |_| true, all, list);
            let place = |part: f64| from.plus(to.minus(from).times(part as f32));
            let long = to.minus(from).norm();
            // A wall has no inside: the way comes nearer to it than half its own pace.
            let depth = if thin { f64::from(long) / PLACES as f64 * 0.51 } else { 0.0 };
            let part = |i: usize| i as f64 / PLACES as f64;
            let first = (0..=PLACES).find(|&i| set.distance(0, place(part(i))) <= depth);
            let about = format!("seed {seed}: {from:?} to {to:?}: {hit:?}, {first:?}");
            match (hit, first) {
                (Some(hit), Some(first)) => {
                    // It meets a wall at a flat angle a while after it comes so near.
                    let slack = if thin { 40.0 } else { 1.6 } / PLACES as f64;
                    assert!((hit.part - part(first)).abs() < slack, "{about}");
                    let out = place(hit.part).plus(hit.normal.times(0.02));
                    assert!(set.distance(0, out) > 0.0 || hit.part == 0.0, "{about}");
                    assert!((hit.normal.norm() - 1.0).abs() < 1e-6, "{about}");
                    met[0] += 1;
                }
                (None, None) => met[1] += 1,
                // It grazes the surface, or ends at a wall's side.
                (Some(hit), None) => {
                    assert!(set.distance(0, place(hit.part)) < 1e-3, "{about}");
                }
                (None, Some(_)) => assert!(thin, "{about}"),
            }
        }
    }
    assert!(met.iter().all(|&met| met > 150), "{met:?}");
}
