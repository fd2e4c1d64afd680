//! Reports of boids that went through walls, ended inside obstacles or left the floor: each file of
//! `tests/reports` with its right result, in the file's own numbers and by geometry in f64.

use wingbeat::Event;
use wingbeat_scene::{AnyFlock, Built, Machine, Override, Scene};

macro_rules! report {
    ($name:literal) => {
        ($name, include_str!(concat!("../reports/", $name, ".toml")))
    };
}

fn scene((name, text): (&str, &str), sets: &[&str]) -> Scene {
    let sets: Vec<Override> =
        sets.iter().map(|set| Override::set(set).expect("an override")).collect();
    Scene::parse(name, text, &sets).unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
}

fn built(scene: &Scene) -> Built {
    let built = scene.build(&Machine { level: None, threads: Some(1) });
    built.unwrap_or_else(|refusal| panic!("{}: {refusal}", scene.name()))
}

/// Where boids are, by ids, and how many are squeezed: before the first step and after each.
fn flown(scene: &Scene, steps: usize) -> Vec<(Vec<[f64; 2]>, usize)> {
    let mut built = built(scene);
    let mut frames = Vec::new();
    for step in 0..=steps {
        if step > 0 {
            built.step(scene.dt()).unwrap_or_else(|refusal| panic!("{refusal}"));
        }
        let AnyFlock::Two(flock) = &built.flock else { panic!("a plane") };
        let squeezed =
            flock.events().iter().filter(|event| matches!(event, Event::Squeezed { .. })).count();
        frames.push((
            flock.frame().by_id().map(|boid| boid.position.map(f64::from)).collect(),
            squeezed,
        ));
    }
    frames
}

#[test]
fn a_body_in_a_periodic_box_goes_the_way_that_is_tested() {
    for (places, _) in flown(&scene(report!("periodic_body_inside_obstacle"), &[]), 40) {
        let [x, y] = places[0];
        let near = |image: f64| libm::hypot(x + 1.5 - 20.0 * image, y);
        let distance = [-1.0, 0.0, 1.0].map(near).into_iter().fold(f64::INFINITY, f64::min);
        assert!(distance >= 1.25, "{distance} from the middle of a rock of radius 1: {places:?}");
    }
    let frames = flown(&scene(report!("periodic_body_crosses_wall"), &[]), 40);
    // How far it is beyond the wall: as the wall spans the box, its image is 20 further on.
    let beyond = |frame: &(Vec<[f64; 2]>, usize)| (frame.0[0][0] + 8.0).rem_euclid(20.0);
    for pair in frames.windows(2) {
        let [from, to] = [beyond(&pair[0]), beyond(&pair[1])];
        assert!(
            (0.2499..=19.7501).contains(&to) && to - from > -10.0,
            "through the wall at -8: {pair:?}"
        );
    }
}

/// Ways of every length, from any place, against any wall that spans a periodic box.
#[test]
fn bodies_keep_their_side_of_a_wall_at_ways_of_a_tenth_to_three_sides() {
    for seed in 0..200u64 {
        let part = 0.1 * libm::pow(30.0, seed as f64 / 199.0);
        let speed = 20.0 * part;
        let text = format!(
            "[flock]\nboids = 3\ndimensions = 2\ndt = 1\nseed = {seed}\n[domain]\n\
             kind = \"periodic\"\n\
             min = [-10, -10]\nmax = [10, 10]\n[spawn]\nmin = [-7.7, -9]\nmax = [6, 9]\n\
             speed = {speed}\n\
             [agent]\nmax_speed = {speed}\nmin_speed = {speed}\n[body]\nradius = 0.25\n\
             [obstacle.wall]\nkind = \"wall\"\nfrom = [-8, -10]\nto = [-8, 10]\n\
             [obstacle.rock]\nkind = \"sphere\"\ncenter = [8, 4]\nradius = 1\n"
        );
        let frames = flown(&scene(("ways", &text), &[]), 6);
        for (places, _) in &frames {
            for &[x, y] in places {
                // From the wall to its next image, and all images of the rock.
                let beyond = (x + 8.0).rem_euclid(20.0);
                assert!(
                    (0.2499..=19.7501).contains(&beyond),
                    "seed {seed}, {part} sides: {x} is within the wall"
                );
                let near = |i: f64, j: f64| libm::hypot(x - 8.0 - 20.0 * i, y - 4.0 - 20.0 * j);
                let images =
                    (-1..=1).flat_map(|i| (-1..=1).map(move |j| near(f64::from(i), f64::from(j))));
                assert!(
                    images.fold(f64::INFINITY, f64::min) >= 1.2499,
                    "seed {seed}, {part} sides: in the rock"
                );
            }
        }
        // In one step no body gets further than a tenth of a side, less than the way to the other
        // side.
        for pair in frames.windows(2) {
            for (before, after) in pair[0].0.iter().zip(&pair[1].0) {
                let went = (0..2)
                    .map(|a| after[a] - before[a])
                    .map(|way| way - 20.0 * (way / 20.0).round());
                assert!(
                    went.map(|way| way * way).sum::<f64>().sqrt() <= 2.01,
                    "seed {seed}: {before:?} to {after:?}"
                );
                let [from, to] = [before, after].map(|place| (place[0] + 8.0).rem_euclid(20.0));
                assert!(
                    (to - from).abs() < 10.0,
                    "seed {seed}, {part} sides: through the wall, {before:?} to {after:?}"
                );
            }
        }
    }
}

#[test]
fn a_squeezed_boid_stays_on_its_floor() {
    let strip = |[x, y]: [f64; 2]| (0.0..=10.0).contains(&x) && (0.0..=2.0).contains(&y);
    let frames = flown(&scene(report!("squeezed_point_put_off_floor"), &[]), 60);
    assert!(frames.iter().all(|(places, _)| strip(places[0])), "{frames:?}");

    let bend = |[x, y]: [f64; 2]| {
        (0.0..=10.0).contains(&x) && (0.0..=2.0).contains(&y)
            || x <= 4.0 && (0.0..=9.0).contains(&y)
    };
    let frames = flown(&scene(report!("squeezed_body_put_off_floor"), &[]), 60);
    assert!(frames.iter().all(|(places, _)| bend(places[0])), "{frames:?}");
}

/// A bus as long as the passage leaves no free place on the floor: it passes over, and the event
/// says so.
#[test]
fn a_boid_without_a_free_place_stays_and_is_reported() {
    for body in ["", "[body]\nradius = 0.2\n"] {
        let text = format!(
            "[flock]\nboids = 1\ndimensions = 2\ndt = 0.1\n[floor]\n\
             wkt = \"POLYGON ((0 0, 10 0, 10 2, 0 2, 0 0))\"\n\
             [spawn]\nmin = [9, 0.9]\nmax = [9.1, 1.1]\nspeed = 0\n{body}\
             [obstacle.bus]\nkind = \"box\"\nmin = [-20, -1]\nmax = [8, 3]\nmotion = \"line\"\n\
             velocity = [1, 0]\n"
        );
        let frames = flown(&scene(("bus", &text), &[]), 40);
        let inside = |[x, y]: [f64; 2]| (0.0..=10.0).contains(&x) && (0.0..=2.0).contains(&y);
        assert!(frames.iter().all(|(places, _)| inside(places[0])), "off the floor: {frames:?}");
        assert!(frames.iter().any(|(_, squeezed)| *squeezed == 1), "no event: {frames:?}");
        // Once pressed against the wall it goes no further, and each step tells of it.
        let last = &frames[frames.len() - 5..];
        assert!(
            last.iter().all(|(places, squeezed)| *squeezed == 1 && places == &last[0].0),
            "{last:?}"
        );
    }
}

/// A pillar that grows over boids puts them out on their side of a wall, whatever is nearer.
#[test]
fn who_is_grown_over_stays_on_its_side() {
    let text = "[flock]\nboids = 20\ndimensions = 2\ndt = 0.1\n[spawn]\nmin = [-0.2, -1]\n\
                max = [-0.05, 1]\nspeed = 0\n\
                [domain]\nkind = \"reflecting\"\nmin = [-5, -5]\nmax = [5, 5]\n\
                [obstacle.wall]\nkind = \"wall\"\nfrom = [0, -5]\nto = [0, 5]\n\
                [obstacle.pillar]\nkind = \"sphere\"\ncenter = [-1.5, 0]\nradius = 0.5\n\
                [ramp.r]\nkey = \"obstacle.pillar.radius\"\nfrom = 0.5\nto = 3\nover = 2\n";
    for (places, _) in flown(&scene(("pillar", text), &[]), 30) {
        assert!(places.iter().all(|place| place[0] < 0.0), "through the wall at x = 0: {places:?}");
    }
}

#[test]
fn a_settled_start_is_on_the_floor() {
    let report = report!("settle_starts_off_floor");
    for seed in 1..=20 {
        let Ok(built) = scene(report, &[&format!("flock.seed={seed}")]).build(&Machine::default())
        else {
            panic!("seed {seed}: refused");
        };
        let AnyFlock::Two(flock) = &built.flock else { panic!("a plane") };
        for boid in flock.frame().by_id() {
            let [x, y] = boid.position.map(f64::from);
            let in_diamond = x.abs() + y.abs() <= 10.0;
            // The hole: a triangle with its tip up.
            let in_hole = y > -2.5 && y < 2.5 - 2.0 * x.abs();
            assert!(in_diamond && !in_hole, "seed {seed}: boid {} starts at {x}, {y}", boid.id);
        }
    }
}

#[test]
fn ramps_of_bodies_want_bodies() {
    let (name, text) = report!("body_ramp_crosses_wall_at_start");
    let refused = Scene::parse(name, text, &[])
        .expect_err("a ramp of body.margin without [body]")
        .to_string();
    assert!(refused.contains("ramp.r.key") && refused.contains("[body]"), "{refused}");

    // With bodies, those of the first step have room at the start, or the start is refused.
    let with = format!("{text}[body]\nradius = 0.05\n").replace("body.margin", "body.radius");
    let refused = scene((name, &with), &[])
        .build(&Machine::default())
        .err()
        .map(|refusal| refusal.to_string());
    assert!(
        refused.is_some_and(|line| line.contains("room for all bodies")),
        "a radius of 0.1 beside a wall at 0.1"
    );
}

#[test]
fn a_body_that_grows_never_changes_sides() {
    let report = report!("body_growth_crosses_wall");
    for turn in ["[1, 0]", "[1, 0.3]", "[0.2, -1]", "[0, 1]"] {
        for (places, _) in flown(&scene(report, &[&format!("spawn.heading={turn}")]), 100) {
            assert!(places[0][0] < 0.5, "heading {turn}: through the wall at x = 0.5: {places:?}");
        }
    }
}

#[test]
fn far_apart_bodies_in_space_take_no_longer() {
    let scene = scene(report!("bodies_far_apart_3d_search"), &[]);
    let begun = std::time::Instant::now();
    let mut built = built(&scene);
    (0..2).for_each(|_| built.step(scene.dt()).expect("a step"));
    let seconds = begun.elapsed().as_secs_f64();
    assert!(seconds < 20.0, "{seconds:.1} s for two steps of 100 boids (milliseconds are usual)");
}

#[test]
fn spawns_keep_a_radius_from_walls_and_out_of_exits() {
    let report = report!("spawn_near_wall");
    for seed in 1..=50 {
        let seed = format!("flock.seed={seed}");
        let AnyFlock::Two(flock) = built(&scene(report, &[&seed])).flock else { panic!("a plane") };
        for boid in flock.frame().by_id() {
            assert!(
                boid.position.iter().all(|x| (0.2..=9.8).contains(x)),
                "{seed}: {:?}",
                boid.position
            );
        }
        // Half of the floor is an exit.
        let text = format!("{}[exit.e]\nkind = \"box\"\nmin = [0, 0]\nmax = [10, 5]\n", report.1);
        for text in [text.clone(), text.replace("[body]\nradius = 0.2\n", "")] {
            let AnyFlock::Two(flock) = built(&scene((report.0, &text), &[&seed])).flock else {
                panic!("a plane")
            };
            let lowest = flock
                .frame()
                .by_id()
                .map(|boid| boid.position[1])
                .fold(f32::INFINITY, wingbeat::steer::math::min);
            assert!(lowest > 5.0, "{seed}: a boid starts in the exit, y = {lowest}");
        }
    }
    let full = scene(report, &["body.radius=1.2"])
        .build(&Machine::default())
        .err()
        .map(|refusal| refusal.to_string());
    assert!(
        full.as_ref().is_some_and(|line| line.contains("body.settle")),
        "the refusal names a cure: {full:?}"
    );
}

#[test]
fn check_refuses_what_a_run_refuses_in_its_words() {
    let scene = scene(report!("check_accepts_what_run_refuses"), &[]);
    let refused = scene.build(&Machine::default()).err().map(|refusal| refusal.to_string());
    assert!(refused.is_some());
    assert_eq!(scene.check().err().map(|refusal| refusal.to_string()), refused);
}

/// Bodies that a moving obstacle holds at the start are parted among themselves all the same: it
/// moves on.
#[test]
fn what_moves_does_not_keep_a_start_from_settling() {
    let text = "[flock]\nboids = 30\ndimensions = 2\ndt = 0.1\n[domain]\nkind = \"reflecting\"\n\
                min = [-5, -5]\nmax = [5, 5]\n\
                [spawn]\nmin = [-0.5, -0.5]\nmax = [0.5, 0.5]\nspeed = 0\n[body]\nradius = 0.2\n\
                settle = true\n\
                [obstacle.bus]\nkind = \"box\"\nmin = [-6, -6]\nmax = [6, 6]\nmotion = \"line\"\n\
                velocity = [9, 0]\n";
    let frames = flown(&scene(("bus", text), &[]), 20);
    for (i, [ax, ay]) in frames[0].0.iter().enumerate() {
        for [bx, by] in &frames[0].0[..i] {
            assert!(
                libm::hypot(ax - bx, ay - by) >= 0.4 - 1e-6,
                "two overlap at the start: {:?}",
                frames[0]
            );
        }
    }
    assert!(frames[20].1 == 0, "the bus has left, and still squeezes {}", frames[20].1);
}
