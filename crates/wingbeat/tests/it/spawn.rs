//! Initial states: inside their region, evenly spread, as fast and as aligned as asked, the same
//! for the same seed.

use wingbeat::steer::Vector;
use wingbeat::steer::*;
use wingbeat::*;

fn places<const D: usize>(shape: Shape<D>, count: usize, seed: u64) -> Vec<[f32; D]> {
    let (positions, velocities) = Spawn { shape, ..Spawn::default() }.place(count, seed);
    assert_eq!((positions.len(), velocities.len()), (count, count));
    positions
}

/// Share of the values up to each tenth must be that tenth, within four standard deviations.
fn assert_uniform(values: impl Iterator<Item = f32>, what: &str) {
    let values: Vec<f32> = values.collect();
    let n = values.len() as f64;
    for tenth in 1..10 {
        let share =
            values.iter().filter(|&&x| f64::from(x) <= f64::from(tenth) / 10.0).count() as f64 / n;
        let wanted = f64::from(tenth) / 10.0;
        let deviation = (wanted * (1.0 - wanted) / n).sqrt();
        assert!(
            (share - wanted).abs() < 4.0 * deviation,
            "{what}: {share} of the values up to {wanted}"
        );
    }
}

#[test]
fn a_box_is_filled_evenly_and_its_far_faces_left_free() {
    let (min, max) = ([-3.0, 10.0, 0.0], [1.0, 10.5, 900.0]);
    let positions = places(Shape::Box { min, max }, 20_000, 5);
    for a in 0..3 {
        assert!(positions.iter().all(|p| p[a] >= min[a] && p[a] < max[a]), "axis {a}");
        assert_uniform(positions.iter().map(|p| (p[a] - min[a]) / (max[a] - min[a])), "box");
    }
    // Where rounding would land on the far face: a box one step of f32 wide.
    let thin = places(Shape::Box { min: [1.0, 1.0], max: [1.0f32.next_up(), 2.0] }, 1000, 5);
    assert!(thin.iter().all(|p| p[0] == 1.0));
    assert!(places(Shape::Box { min: [0.0; 2], max: [1.0; 2] }, 0, 5).is_empty());
}

fn ball_is_uniform<const D: usize>(center: [f32; D], radius: f32) {
    let positions = places(Shape::Ball { center, radius }, 20_000, 6);
    let distances: Vec<f32> = positions.iter().map(|p| p.minus(center).norm() / radius).collect();
    assert!(distances.iter().all(|&d| d <= 1.000_001), "{D}-D");
    // As many within a sphere as its share of the volume: (d/r)^D is uniform.
    assert_uniform(
        distances.iter().map(|&d| if D == 2 { d * d } else { d * d * d }),
        "ball, by distance",
    );
    for a in 0..D {
        let side = positions.iter().filter(|p| p[a] > center[a]).count();
        assert!((9700..10_300).contains(&side), "{side} of 20,000 on one side of axis {a}");
    }
}

#[test]
fn a_ball_is_filled_evenly() {
    ball_is_uniform([0.0, 0.0], 1.0);
    ball_is_uniform([5.0, -7.0], 3.0);
    ball_is_uniform([0.0, 0.0, 0.0], 2.0);
    ball_is_uniform([5.0, -7.0, 20.0], 0.5);
}

#[test]
fn a_ring_is_a_circle_in_the_plane() {
    let center = [4.0, -2.0, 9.0];
    let positions = places(Shape::Ring { center, radius: 3.0 }, 20_000, 7);
    assert!(positions.iter().all(|p| p[2] == 9.0 && (p.minus(center).norm() - 3.0).abs() < 1e-5));
    let turns = positions.iter().map(|p| {
        let angle = libm::atan2(f64::from(p[1] - center[1]), f64::from(p[0] - center[0]));
        (angle / std::f64::consts::TAU) as f32 + 0.5
    });
    assert_uniform(turns, "ring, by angle");
}

/// Mean distance to the nearest other.
fn mean_spacing(flock: &Flock3) -> f32 {
    let boids: Vec<_> = flock.frame().by_slot().map(|boid| boid.position).collect();
    let distance = |i: usize, j: usize| {
        let way = boids[j].minus(boids[i]);
        <[f32; 3]>::from_fn(|a| flock.domain().image(a, way[a])).norm()
    };
    let nearest = |i: usize| {
        let others = (0..boids.len()).filter(|&j| j != i);
        others.fold(f32::INFINITY, |least, j| wingbeat::steer::math::min(least, distance(i, j)))
    };
    (0..boids.len()).map(nearest).sum::<f32>() / boids.len() as f32
}

#[test]
fn a_lattice_is_evenly_spaced() {
    let lattice = |min, max, count| places(Shape::Lattice { min, max }, count, 8);
    let positions = lattice([0.0, 0.0], [10.0, 8.0], 20);
    let wanted: Vec<[f32; 2]> =
        (0..20).map(|i| [1.0 + 2.0 * (i % 5) as f32, 1.0 + 2.0 * (i / 5) as f32]).collect();
    assert_eq!(positions, wanted, "five by four, two apart, row by row");
    assert_eq!(lattice([-1.0; 2], [1.0; 2], 1), [[0.0, 0.0]]);
    let cube = places(Shape::Lattice { min: [-3.0; 3], max: [3.0; 3] }, 1000, 8);
    let domain = Domain::periodic([-3.0; 3], [3.0; 3]);
    let flock = Flock3::builder().domain(domain).boids(&cube, &[[0.0; 3]; 1000]).build().unwrap();
    let spacing = mean_spacing(&flock);
    assert!((spacing - 0.6).abs() < 1e-5, "ten by ten by ten, also across the edge: {spacing}");
    // More nodes than boids, and a long thin box: still inside and none on another.
    let mut odd = lattice([0.0, 0.0], [1000.0, 1.0], 777);
    assert!(odd.iter().all(|p| p[0] > 0.0 && p[0] < 1000.0 && p[1] > 0.0 && p[1] < 1.0));
    odd.sort_by(|a, b| a.partial_cmp(b).unwrap());
    odd.dedup();
    assert_eq!(odd.len(), 777);
}

#[test]
fn speeds_are_spread_about_the_mean() {
    let speeds = |speed, speed_spread| {
        let spawn = Spawn::<3> { speed, speed_spread, ..Spawn::default() };
        spawn.place(20_000, 9).1.into_iter().map(Vector::norm).collect::<Vec<f32>>()
    };
    assert!(speeds(2.5, 0.0).iter().all(|s| (s - 2.5).abs() < 1e-6));
    let spread = speeds(2.0, 0.5);
    assert!(spread.iter().all(|s| (1.5 - 1e-6..=2.5 + 1e-6).contains(s)));
    assert_uniform(spread.iter().map(|s| s - 1.5), "speed");
    assert!(speeds(1.0, 4.0).contains(&0.0), "never below 0");
    assert!(speeds(0.0, 0.0).iter().all(|&s| s == 0.0));
}

fn headings_of<const D: usize>(heading: [f32; D], heading_spread: f32) {
    let spawn = Spawn { heading: Some(heading), heading_spread, speed: 1.0, ..Spawn::default() };
    let velocities = spawn.place(2000, 10).1;
    let angles: Vec<f64> = velocities
        .iter()
        .map(|v| {
            let cosine = f64::from(v.inner(Vector::unit(heading)));
            libm::acos(if cosine > 1.0 { 1.0 } else { cosine }).to_degrees()
        })
        .collect();
    let widest = angles.iter().fold(0.0, |m, &angle| if angle > m { angle } else { m });
    // The angle of two f32 directions is known to a few hundredths of a degree.
    assert!(
        widest <= f64::from(heading_spread) + 0.05,
        "{widest} degrees of {heading_spread} in {D}-D"
    );
    assert!(
        widest >= f64::from(heading_spread) * 0.9,
        "the spread is used: {widest} of {heading_spread} in {D}-D"
    );
    if heading_spread < 90.0 {
        let mean = velocities.iter().fold([0.0; D], |sum, &v| sum.plus(v)).times(1.0 / 2000.0);
        let aside = mean.minus(Vector::unit(heading).times(mean.norm())).norm();
        assert!(
            aside < 0.06,
            "as many to one side as to the other: {aside} for {heading_spread} in {D}-D"
        );
    }
}

#[test]
fn headings_keep_within_their_spread() {
    for spread in [0.0, 0.5, 10.0, 19.9, 20.0, 45.0, 90.0, 180.0] {
        headings_of([1.0, 0.0], spread);
        headings_of([-3.0, 4.0], spread);
        headings_of([1.0, 2.0, 3.0], spread);
    }
    let free = Spawn::<2>::default().place(20_000, 10).1;
    let turn = |v: &[f32; 2]| {
        (libm::atan2(f64::from(v[1]), f64::from(v[0])) / std::f64::consts::TAU) as f32 + 0.5
    };
    assert_uniform(free.iter().map(turn), "without a heading, every direction alike");
}

/// The stream of random numbers is part of every scene: these change only when all initial states
/// are meant to change.
#[test]
fn the_same_seed_gives_the_same_state_everywhere() {
    let ball = Spawn {
        shape: Shape::Ball { center: [1.0, 2.0, 3.0], radius: 5.0 },
        speed_spread: 0.25,
        ..Spawn::default()
    };
    let boxed = Spawn { heading: Some([1.0, 1.0]), heading_spread: 30.0, ..Spawn::<2>::default() };
    let ball_hash = |seed| {
        observe::state_hash(
            &Flock3::builder().seed(seed).spawn(1000, ball).build().unwrap().frame(),
        )
    };
    let box_hash = |seed| {
        observe::state_hash(
            &Flock2::builder().seed(seed).spawn(1000, boxed).build().unwrap().frame(),
        )
    };
    assert_eq!(
        format!("{:016x} {:016x}", ball_hash(1), box_hash(1)),
        "301497a0a1b8f02b 6aebfd88b8f58b97"
    );
    assert_ne!(ball_hash(1), ball_hash(2));
    // The first boids do not depend on how many follow.
    let (few, many) = (ball.place(10, 3), ball.place(1000, 3));
    assert_eq!((&few.0[..], &few.1[..]), (&many.0[..10], &many.1[..10]));
}
