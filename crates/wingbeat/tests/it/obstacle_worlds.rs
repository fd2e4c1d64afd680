//! What is true of worlds with obstacles: none inside, none through, none changed by what is
//! far away.

use crate::common::courses::*;
use crate::common::*;
use wingbeat::steer::ObstacleId;
use wingbeat::steer::obstacle::Pose;
use wingbeat::steer::*;
use wingbeat::steer::{Decision, ObstacleSet, TextbookBoid, Vector};
use wingbeat::*;
use wingbeat_test_support::tier;

fn step(dt: f32) -> TimeStep {
    TimeStep::new(dt).expect("a time step")
}

fn flocking() -> Params {
    Params {
        rules: Rules {
            separation: Some(Separation { weight: 2.0, ..Default::default() }),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        agent: AgentLimits { max_speed: 4.0, max_force: 20.0, ..Default::default() },
        ..Default::default()
    }
}

fn wall(name: &str, from: [f32; 2], to: [f32; 2]) -> Obstacle<[f32; 2]> {
    Obstacle {
        name: name.into(),
        shape: ObstacleShape::Wall { from, to },
        motion: ObstacleMotion::Static,
    }
}

fn disc(
    name: &str,
    center: [f32; 2],
    radius: f32,
    motion: ObstacleMotion<[f32; 2]>,
) -> Obstacle<[f32; 2]> {
    Obstacle { name: name.into(), shape: ObstacleShape::Sphere { center, radius }, motion }
}

/// The worst depth inside anything over some steps of a flock among obstacles of all kinds, some of
/// them overlapping.
fn worst_depth<const D: usize>(seed: u64, steps: usize) -> f64 {
    let mut random = Random::new(seed);
    let side = 12.0;
    let domain = match seed % 4 {
        0 => Domain::open(),
        1 => Domain::periodic([0.0; D], [side; D]),
        2 => Domain::walled([0.0; D], [side; D], 1.0, 10.0),
        _ => Domain::reflecting([0.0; D], [side; D]),
    };
    let list = course(&mut random, ([0.0; D], [side; D]), 12, (None, None));
    let obstacles =
        Obstacles { list, avoidance: (!seed.is_multiple_of(3)).then(Avoidance::default) };
    let course = ObstacleSet::new(obstacles.clone(), &domain).expect("obstacles");
    let mut boids = Vec::new();
    while boids.len() < 60 {
        let position = <[f32; D]>::from_fn(|_| random.within(0.0, side * 0.999));
        let velocity = <[f32; D]>::from_fn(|_| random.within(-4.0, 4.0));
        if course.solid_at(position).is_none() {
            boids.push(Boid { id: BoidId::new(boids.len() as u64), position, velocity });
        }
    }
    let builder = Flock::<D>::builder()
        .params(flocking())
        .domain(domain)
        .seed(seed)
        .threads(1)
        .obstacles(obstacles);
    let mut flock = builder.boids_with_ids(boids).build().expect("a flock");
    let mut worst = 0.0;
    for now in 0..steps {
        flock.step(step(0.05));
        let course = flock.obstacles().expect("obstacles");
        for boid in flock.frame().by_slot() {
            let depth = course.penetration(boid.position);
            worst = if depth > worst { depth } else { worst };
            assert!(
                domain.contains(boid.position),
                "seed {seed} step {now}: {boid:?} left the domain"
            );
        }
    }
    worst
}

#[test]
fn no_boid_is_ever_inside() {
    let steps = if tier::full() { 10_000 } else { 150 };
    let mut worst = 0.0;
    for seed in 0..tier::either(7, 20) {
        for depth in [worst_depth::<2>(seed, steps), worst_depth::<3>(seed, steps)] {
            worst = if depth > worst { depth } else { worst };
        }
    }
    println!("worst penetration over {steps} steps of seeds, in 2-D and 3-D: {worst}");
    assert_eq!(worst, 0.0);
}

#[test]
fn a_hundred_thousand_fast_boids_stay_outside() {
    let side = 400.0;
    let domain = Domain::reflecting([0.0; 2], [side; 2]);
    let mut random = Random::new(7);
    let mut list = Vec::new();
    for i in 0..60 {
        let middle = [random.within(0.0, side), random.within(0.0, side)];
        let (kind, how) = (random.below(shapes::<2>()), random.one_of(&[0, 2, 3]));
        let shape = shape(&mut random, kind, middle, 6.0);
        let motion = motion(&mut random, how, &shape, 6.0);
        list.push(Obstacle { name: format!("o{i}"), shape, motion });
    }
    let course = ObstacleSet::new(list.clone().into(), &domain).expect("obstacles");
    let mut boids = Vec::new();
    while boids.len() < 100_000 {
        let position = [random.within(0.0, side), random.within(0.0, side)];
        let velocity = [random.within(-300.0, 300.0), random.within(-300.0, 300.0)];
        if course.solid_at(position).is_none() {
            boids.push(Boid { id: BoidId::new(boids.len() as u64), position, velocity });
        }
    }
    let agent = AgentLimits { max_speed: 300.0, ..Default::default() };
    let builder = Flock2::builder()
        .params(Params { agent, ..Default::default() })
        .domain(domain)
        .obstacles(list);
    let mut flock = builder.boids_with_ids(boids).build().expect("a flock");
    let mut worst = 0.0;
    for _ in 0..tier::either(1, 3) {
        // Some twenty obstacles' sizes a step.
        flock.step(step(0.3));
        let course = flock.obstacles().expect("obstacles");
        for boid in flock.frame().by_slot() {
            let depth = course.penetration(boid.position);
            worst = if depth > worst { depth } else { worst };
        }
    }
    println!("worst penetration of 100,000 fast boids: {worst}");
    assert_eq!((worst, flock.len()), (0.0, 100_000));
}

#[test]
fn thin_walls_are_not_crossed_at_any_speed() {
    for speed in [1.0, 30.0, 1e4, 1e9] {
        for (at, size) in [([0.0, 0.0], 1.0), ([1e5, -3e4], 100.0)] {
            let corner = |x: f32, y: f32| [at[0] + size * x, at[1] + size * y];
            let corners =
                [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            let list =
                (0..4).map(|i| wall(&format!("w{i}"), corners[i], corners[(i + 1) % 4])).collect();
            let mut random = Random::new(3);
            let within = |p: [f32; 2]| (0..2).all(|a| p[a] > corners[0][a] && p[a] < corners[2][a]);
            let boids: Vec<Boid<2>> = (0..400)
                .map(|i| Boid {
                    id: BoidId::new(i),
                    position: corner(
                        random.within(-0.9, 0.9) + if i % 2 == 0 { 0.0 } else { 3.0 },
                        random.within(-0.9, 0.9),
                    ),
                    velocity: [random.within(-speed, speed), random.within(-speed, speed)],
                })
                .collect();
            let agent = AgentLimits { max_speed: 1e9, min_speed: speed, ..Default::default() };
            let obstacles = Obstacles { list, avoidance: None };
            let builder = Flock2::builder()
                .params(Params { agent, ..Default::default() })
                .obstacles(obstacles)
                .seed(5);
            let mut flock = builder.boids_with_ids(boids.clone()).build().expect("a flock");
            for now in 0..50 {
                for id in 0..400 {
                    let velocity = [random.within(-speed, speed), random.within(-speed, speed)];
                    flock.set_velocity(BoidId::new(id), velocity).expect("a velocity");
                }
                flock.step(step(0.7));
                for boid in flock.frame().by_slot() {
                    let inside = boid.id.get() % 2 == 0;
                    assert_eq!(
                        within(boid.position),
                        inside,
                        "speed {speed} step {now}: {boid:?} of {corners:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_moves_pushes_who_rests() {
    let motion = ObstacleMotion::Line { velocity: [1.0, 0.0], range: None };
    let obstacles =
        Obstacles { list: vec![disc("ball", [0.0, 0.0], 1.0, motion)], avoidance: None };
    let domain = Domain::walled([-10.0; 2], [10.0; 2], 0.0, 0.0);
    let builder = Flock2::builder().domain(domain).obstacles(obstacles);
    let mut flock = builder
        .boids(&[[2.0, 0.0], [2.0, 0.25], [2.0, 3.0]], &[[0.0; 2]; 3])
        .build()
        .expect("a flock");
    for _ in 0..40 {
        flock.step(step(0.5));
    }
    let at: Vec<[f32; 2]> = flock.frame().by_id().map(|b| b.position).collect();
    // One in the way is pushed to the face, squeezed, and let go; one beside it slides off; the
    // third has never been touched.
    assert!(at[0][0] >= 9.0 && at[1][1] > 0.25, "{at:?}");
    assert_eq!(at[2], [2.0, 3.0]);
    let course = flock.obstacles().expect("obstacles");
    assert!(at.iter().all(|&p| course.penetration(p) == 0.0), "{at:?}");
}

#[test]
fn a_boid_out_of_range_changes_no_other_bits_among_obstacles() {
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let list = course(&mut random, ([-3.0; 2], [3.0; 2]), 10, (None, Some(4)));
        let boids: Vec<TextbookBoid<[f32; 2]>> = (0..300)
            .map(|id| TextbookBoid {
                id,
                position: [random.within(-3.0, 3.0), random.within(-3.0, 3.0)],
                velocity: [random.within(-1.0, 1.0), random.within(-1.0, 1.0)],
            })
            .collect();
        let name = "independence".to_string();
        let alone =
            Case { seed, name, params: flocking(), domain: Domain::open(), boids, dt: 0.05 };
        let states = |case: &Case<2>| {
            let builder =
                builder(case, Level::detect(), 2, Storage::Automatic).obstacles(list.clone());
            let mut flock = builder.build().expect("a flock");
            (0..5).for_each(|_| flock.step(step(case.dt)));
            bits(flock.frame().by_slot().map(|b| (b.id.get(), b.position, b.velocity)))
        };
        let wanted = states(&alone);
        for distance in [12.0, 1e6, -1e30] {
            let mut joined = alone.clone();
            joined.boids.push(TextbookBoid {
                id: 1 << 50,
                position: [distance, 0.5],
                velocity: [0.25; 2],
            });
            assert_eq!(states(&joined)[..300], wanted, "seed {seed} at {distance}");
        }
    }
}

#[test]
fn an_explanation_tells_of_obstacles_what_the_step_does() {
    let list = vec![disc("tree", [3.0, 0.1], 1.0, ObstacleMotion::Static)];
    let mut flock = Flock2::builder()
        .obstacles(list)
        .boids(&[[0.0, 0.0], [1.875, 0.0]], &[[3.0, 0.0]; 2])
        .build()
        .expect("a flock");
    for id in [0, 1].map(BoidId::new) {
        let mut copy = Flock2::builder().obstacles(flock.obstacles().unwrap().obstacles().clone());
        copy = copy.boids(&[[0.0, 0.0], [1.875, 0.0]], &[[3.0, 0.0]; 2]);
        let mut copy = copy.build().expect("a flock");
        let why = flock.explain(id, step(0.25)).expect("a boid");
        copy.step(step(0.25));
        let advanced = why.advance;
        let boid = copy.frame().find(id).expect("a boid");
        assert_eq!((boid.position, boid.velocity), (advanced.position, advanced.velocity));
        assert_eq!(advanced.obstacle.as_deref(), (id.get() == 1).then_some("tree"));
        let Decision::Terms(combined) = why.decision else { panic!("terms") };
        let ahead = combined.terms[0].obstacle.as_ref().expect("an obstacle");
        let force = combined.terms[0].weighted;
        // It lies ahead to the left: pass on the right.
        assert!(
            combined.terms[0].term == Term::Obstacles
                && (ahead.name.as_str(), ahead.threat.obstacle) == ("tree", 0)
                && force[1] < 0.0,
            "{combined:?}"
        );
    }
}

#[test]
fn obstacles_change_live_and_none_starts_inside() {
    let tree = |radius| disc("tree", [0.0, 0.0], radius, ObstacleMotion::Static);
    let built = |x: f32| {
        Flock2::builder().obstacles(vec![tree(1.0)]).boids(&[[x, 0.0]], &[[0.0; 2]]).build()
    };
    let refused = "boid 0: position = [0.5, 0.0]: allowed is outside of obstacle.tree";
    assert_eq!(built(0.5).expect_err("inside").to_string(), refused);
    let mut flock = built(1.5).expect("outside");
    let id = BoidId::new(0);
    assert_eq!(flock.set_position(id, [0.5, 0.0]).expect_err("inside").to_string(), refused);
    assert_eq!(
        flock.add([0.0, 0.5], [0.0; 2]).expect_err("inside").to_string().split(':').next(),
        Some("boid 1")
    );
    // What comes on top of it pushes it out in the next step.
    flock.set_obstacles(vec![tree(2.0)]).expect("obstacles");
    flock.step(step(0.1));
    assert!(flock.frame().boid(0).position[0] > 2.0);
    let bad = flock.set_obstacles(vec![tree(-1.0)]).expect_err("no ball").to_string();
    assert!(bad.starts_with("obstacle.tree.radius = -1: allowed is "), "{bad}");
    let still =
        flock.set_obstacle_pose(flock.obstacle_named("tree").expect("a tree"), Pose::default());
    let still = still.expect_err("static").to_string();
    assert_eq!(
        still,
        "obstacle.tree.motion = scripted: allowed is the host's own, to set its pose"
    );
    let unknown = flock.obstacle_named("bush").expect_err("no bush").to_string();
    assert_eq!(unknown, "obstacle = bush: allowed is tree");
    let none = ObstacleId::new(1);
    let none = flock.set_obstacle_pose(none, Pose::default()).expect_err("no bush").to_string();
    assert_eq!(none, "obstacle = 1: allowed is a place in the list of 1");
    flock.set_obstacles(Obstacles::default()).expect("none");
    assert!(flock.obstacles().is_none());
    flock.set_position(id, [0.0, 0.0]).expect("nothing is there");
}

/// Obstacles of 10¹² beside one of 1, in a world without end.
#[test]
fn any_size_of_obstacle_will_do() {
    let list = vec![
        disc("pebble", [0.0, 5.0], 1.0, ObstacleMotion::Static),
        disc("moon", [0.0, -1e12], 1e12, ObstacleMotion::Static),
        disc("far", [1e12, 1e12], 1.0, ObstacleMotion::Line { velocity: [1e9, 0.0], range: None }),
    ];
    let boids: Vec<Boid<2>> = (0..100)
        .map(|i| Boid {
            id: BoidId::new(i),
            position: [i as f32 - 50.0, 7.0],
            velocity: [1.0, -3.0],
        })
        .collect();
    let mut flock =
        Flock2::builder().obstacles(list).boids_with_ids(boids).build().expect("a flock");
    for _ in 0..100 {
        flock.step(step(0.1));
        let course = flock.obstacles().expect("obstacles");
        for boid in flock.frame().by_slot() {
            assert!(
                boid.position.all_finite() && course.penetration(boid.position) == 0.0,
                "{boid:?}"
            );
        }
    }
    // The moon's surface is a line here; f64 has no more than a tenth of a millimetre of it.
    assert!(flock.frame().by_slot().all(|b| b.position[1] > -0.01), "{:?}", flock.frame().boid(0));
}
