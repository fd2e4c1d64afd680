//! Numbers about flocks, on states whose answer is known by hand or by brute force.

use crate::common::*;
use wingbeat::observe::{mean_position, mean_speed, milling, order, polarization, state_hash};
use wingbeat::steer::Vector;
use wingbeat::steer::*;
use wingbeat::*;
use wingbeat_test_support::tier;

fn cases(ordinary: u64) -> u64 {
    let full = tier::full();
    if full { ordinary * 30 } else { ordinary }
}

fn still<const D: usize>(
    positions: &[[f32; D]],
    velocities: &[[f32; D]],
    domain: Domain<[f32; D]>,
) -> Flock<D> {
    Flock::builder().domain(domain).boids(positions, velocities).build().unwrap()
}

fn close(got: f64, wanted: f64) {
    assert!((got - wanted).abs() <= 1e-6, "{got}, wanted {wanted}");
}

// ---- Order
// -------------------------------------------------------------------------------------------------

#[test]
fn polarization_is_one_when_all_fly_alike() {
    let of = |velocities: &[[f32; 2]]| {
        let positions: Vec<[f32; 2]> = (0..velocities.len()).map(|i| [i as f32, 0.0]).collect();
        polarization(&still(&positions, velocities, Domain::open()).frame())
    };
    assert_eq!(of(&[]), 0.0);
    assert_eq!(of(&[[3.0, 4.0], [0.3, 0.4], [6e11, 8e11]]).round(), 1.0);
    close(of(&[[3.0, 4.0], [0.3, 0.4], [6e11, 8e11]]), 1.0);
    assert_eq!(of(&[[1.0, 0.0], [-5.0, 0.0]]), 0.0, "two against each other");
    close(of(&[[1.0, 0.0], [2.0, 0.0], [-5.0, 0.0]]), 1.0 / 3.0);
    close(of(&[[1.0, 0.0], [0.0, 1.0]]), 0.5f64.sqrt());
    assert_eq!(
        of(&[[1.0, 0.0], [0.0, 0.0], [2.0, 0.0], [1e-16, 0.0]]),
        0.5,
        "a boid that rests counts as zero"
    );
    assert_eq!(of(&[[0.0; 2]; 5]), 0.0);
}

#[test]
fn mean_speed_is_of_lengths_not_of_vectors() {
    let velocities = [[3.0, 4.0, 0.0], [-3.0, -4.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
    assert_eq!(mean_speed(&still(&[[0.0; 3]; 4], &velocities, Domain::open()).frame()), 3.0);
    assert_eq!(mean_speed(&still::<3>(&[], &[], Domain::open()).frame()), 0.0);
    let fast = still(&[[0.0; 3]], &[[1e12, -1e12, 1e12]], Domain::open());
    assert!(
        (mean_speed(&fast.frame()) / 3f64.sqrt() - f64::from(1e12f32)).abs() < 1.0,
        "no overflow"
    );
}

/// `count` boids on a circle, each flying along it; every `opposed`-th the other way.
fn ring(count: usize, center: [f32; 3], opposed: usize, domain: Domain<[f32; 3]>) -> f64 {
    let mut positions = Vec::new();
    let mut velocities = Vec::new();
    for i in 0..count {
        let angle = std::f64::consts::TAU * i as f64 / count as f64;
        let (sin, cos) = (libm::sin(angle) as f32, libm::cos(angle) as f32);
        let way = if opposed > 0 && i % opposed == 0 { -1.0 } else { 1.0 };
        let position = [center[0] + 2.0 * cos, center[1] + 2.0 * sin, center[2]];
        positions.push(std::array::from_fn(|a| domain.settle(a, position[a], 0.0).0));
        velocities.push([-sin * way, cos * way, 0.0]);
    }
    milling(&still(&positions, &velocities, domain).frame(), &domain)
}

#[test]
fn milling_is_one_in_a_ring_and_zero_in_an_opposed_ring() {
    let periodic = Domain::periodic([-1.0; 3], [9.0; 3]);
    for (domain, center) in [
        (Domain::open(), [0.0; 3]),
        (Domain::open(), [1000.0, -500.0, 3.0]),
        (periodic, [4.0; 3]),
        // Round a corner of the box: the ring lies in four pieces.
        (periodic, [-1.0, 9.0, -1.0]),
        (periodic, [-0.5, 4.0, 8.7]),
    ] {
        // Circular means along each axis are the middle only where the ring is symmetric along
        // each.
        for count in [4, 8, 60] {
            let got = ring(count, center, 0, domain);
            assert!((got - 1.0).abs() < 1e-4, "{got} of {count} round {center:?}");
        }
        let opposed = ring(60, center, 2, domain);
        assert!(opposed < 1e-4, "{opposed} round {center:?}");
        let third = ring(60, center, 3, domain);
        assert!((third - 1.0 / 3.0).abs() < 1e-4, "{third}: 40 one way, 20 the other");
    }
    // Flying outwards is not milling.
    let burst = still(&[[1.0, 0.0], [-1.0, 0.0]], &[[1.0, 0.0], [-1.0, 0.0]], Domain::open());
    assert_eq!(milling(&burst.frame(), &Domain::open()), 0.0);
    assert_eq!(milling(&still::<2>(&[], &[], Domain::open()).frame(), &Domain::open()), 0.0);
}

// ---- Place
// -------------------------------------------------------------------------------------------------

#[test]
fn mean_position_is_circular_where_the_world_is() {
    let mean = |positions: &[[f32; 2]], domain| {
        mean_position(
            &still(positions, &[[0.0; 2]].repeat(positions.len()), domain).frame(),
            &domain,
        )
    };
    assert_eq!(mean(&[[1.0, 2.0], [3.0, 8.0]], Domain::open()), [2.0, 5.0]);
    assert_eq!(mean(&[[1e30, 0.0], [-1e30, 4.0]], Domain::open()), [0.0, 2.0]);
    let tank = Domain::periodic([0.0; 2], [10.0, 20.0]);
    for (positions, wanted) in [
        ([[1.0, 5.0], [3.0, 6.0]], [2.0, 5.5]),
        ([[9.0, 18.0], [2.0, 19.0]], [0.5, 18.5]),
        ([[7.0, 19.0], [2.0 - 0.5, 3.0]], [9.25, 1.0]),
        ([[9.0, 11.0], [9.5, 12.0]], [9.25, 11.5]),
    ] {
        let got = mean(&positions, tank);
        close(got[0], wanted[0]);
        close(got[1], wanted[1]);
    }
    for seed in 0..cases(200) {
        let mut random = Random::new(seed);
        let positions: Vec<[f32; 2]> =
            (0..5).map(|_| [random.within(-7.0, 3.0), random.within(100.0, 100.5)]).collect();
        let domain = Domain::periodic([-7.0, 100.0], [3.0, 100.5]);
        let mean = mean(&positions, domain);
        assert!(
            domain.contains(mean.map(|x| x as f32)),
            "the mean is in the box: {mean:?} seed {seed}"
        );
    }
}

// ---- Neighbors
// -------------------------------------------------------------------------------------------------

fn neighbors_of<const D: usize>(seed: u64) {
    let mut random = Random::new(seed);
    let state = STATES[seed as usize % STATES.len()];
    let radius = random.one_of(&[1.0, 0.3, 60.0]);
    let mut params = Params {
        rules: Rules {
            cohesion: Some(Cohesion::default()),
            separation: Some(Separation::default()),
            ..Default::default()
        },
        ..Default::default()
    };
    perceive(&mut params, radius, &mut random);
    // Boxes are sized in radii: a third of the axes is exactly two of them, so that the radius is
    // exactly half.
    let radius = params.largest_radius();
    let kind = random.one_of(&["periodic", "periodic", "open", "walled"]);
    let domain = domain::<D>(kind, radius, &mut random);
    let boids = boids(state, &domain, radius, &mut random);
    let case = Case { seed, name: format!("{kind} {state}"), params, domain, boids, dt: 0.1 };
    let storage = random.one_of(&[Storage::Automatic, Storage::Sparse]);
    let mut flock = engine(&case, Level::detect(), 1, storage);
    let before = state_hash(&flock.frame());
    let count = |i: usize, j: usize| {
        let raw = case.boids[j].position.minus(case.boids[i].position);
        let offset = <[f32; D]>::from_fn(|a| domain.image(a, raw[a]));
        u32::from(i != j && offset.norm_sq() <= radius * radius)
    };
    let n = case.boids.len();
    let total: u32 =
        (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| count(i, j)).sum();
    let wanted = if n == 0 { 0.0 } else { f64::from(total) / n as f64 };
    assert_eq!(
        flock.mean_neighbors(),
        wanted,
        "seed {seed} {D}-D {kind} {state} {storage:?}\n{case:?}"
    );
    assert_eq!(state_hash(&flock.frame()), before, "counting changes nothing: seed {seed}");
}

#[test]
fn mean_neighbors_agrees_with_counting_all() {
    for seed in 0..cases(1000) {
        neighbors_of::<2>(seed);
        neighbors_of::<3>(seed);
    }
}

#[test]
fn mean_neighbors_counts_within_the_largest_radius_whatever_is_seen() {
    let sees = |radius, view| Perception { radius, view, near_radius: 0.0, nearest: None };
    let params = Params {
        rules: Rules {
            separation: Some(Separation {
                perception: sees(1.0, FieldOfView::All),
                ..Default::default()
            }),
            cohesion: Some(Cohesion {
                perception: sees(2.0, FieldOfView::degrees(0.0)),
                ..Default::default()
            }),
            ..Default::default()
        },
        ..Default::default()
    };
    let positions = [[0.0, 0.0], [2.0, 0.0], [4.5, 0.0], [0.0, 2.0]];
    let build = |params| {
        Flock2::builder().params(params).boids(&positions, &[[0.0, -1.0]; 4]).build().unwrap()
    };
    // Pairs within 2: the first with the second and with the fourth.
    assert_eq!(build(params).mean_neighbors(), 4.0 / 4.0);
    assert_eq!(
        build(Params::default()).mean_neighbors(),
        0.0,
        "without rules no boid is a neighbor"
    );
    assert_eq!(Flock2::builder().build().unwrap().mean_neighbors(), 0.0);
    // The smallest box there is: everyone sees everyone once.
    let half = Params { rules: Cohesion::default().into(), ..Default::default() };
    let tiny = Flock3::builder().params(half).domain(Domain::periodic([0.0; 3], [2.0; 3]));
    let boids: Vec<[f32; 3]> = (0..8)
        .map(|i| [0.5 + (i & 1) as f32, 0.5 + (i >> 1 & 1) as f32, 0.5 + (i >> 2) as f32])
        .collect();
    assert_eq!(
        tiny.boids(&boids, &[[0.0; 3]; 8]).build().unwrap().mean_neighbors(),
        3.0,
        "exactly half the side away"
    );
}

// ---- Fingerprint
// -------------------------------------------------------------------------------------------------

#[test]
fn a_state_hash_knows_every_bit_and_no_order() {
    let boid = |id: u64, position: [f32; 2], velocity: [f32; 2]| Boid {
        id: BoidId::new(id),
        position,
        velocity,
    };
    let hash = |boids: &[Boid<2>]| {
        let params = Params { rules: Cohesion::default().into(), ..Default::default() };
        let mut flock =
            Flock2::builder().params(params).boids_with_ids(boids.to_vec()).build().unwrap();
        let before = state_hash(&flock.frame());
        flock.sort();
        assert_eq!(state_hash(&flock.frame()), before, "the sort changes slots only");
        before
    };
    let state = [
        boid(3, [9.0, 2.0], [0.5, 0.0]),
        boid(1, [-4.0, 7.0], [0.0, 1.0]),
        boid(8, [0.0, -7.0], [2.0, 2.0]),
    ];
    let reference = hash(&state);
    assert_eq!(hash(&[state[2], state[0], state[1]]), reference, "no order");
    assert_eq!(hash(&state[..1]).wrapping_add(hash(&state[1..])), reference, "parts hash apart");
    assert_eq!(hash(&[]), 0);
    let mut others = Vec::new();
    for change in 0..6 {
        let mut changed = state;
        match change {
            0 => changed[0].id = BoidId::new(4),
            1 => changed[1].position[0] = changed[1].position[0].next_up(),
            2 => changed[1].velocity[1] = changed[1].velocity[1].next_down(),
            3 => changed[2].position[0] = -0.0,
            4 => {
                (changed[0].velocity, changed[1].velocity) =
                    (changed[1].velocity, changed[0].velocity)
            }
            _ => changed[0].position = [2.0, 9.0],
        }
        others.push(hash(&changed));
    }
    others.push(reference);
    others.sort_unstable();
    others.dedup();
    assert_eq!(others.len(), 7, "each change gives another hash");
}

/// A large flock is looked at by its threads; sums are still made in the order of ids.
#[test]
fn threads_do_not_change_what_is_observed() {
    fn same<const D: usize>(domain: Domain<[f32; D]>) {
        let shape = Shape::Box { min: [0.0; D], max: [20.0; D] };
        let spawn = Spawn { shape, speed: 1.0, ..Spawn::default() };
        let mut wanted = None;
        for threads in [1, 2, 3, 7] {
            let params = Params { rules: Alignment::default().into(), ..Default::default() };
            let builder =
                Flock::<D>::builder().params(params).domain(domain).seed(3).threads(threads);
            let mut flock = builder.spawn(40_000, spawn).build().unwrap();
            flock.sort();
            let (frame, domain) = (flock.frame(), flock.domain());
            let found = order(&frame, domain);
            assert_eq!(found.polarization, Some(polarization(&frame)));
            assert_eq!(found.milling, Some(milling(&frame, domain)));
            assert_eq!(found.mean_speed, Some(mean_speed(&frame)));
            let found = (found, mean_position(&frame, domain), state_hash(&frame));
            assert_eq!(*wanted.get_or_insert(found), found, "{threads} threads");
        }
    }
    same::<2>(Domain::open());
    same::<3>(Domain::periodic([0.0; 3], [20.0; 3]));
}
