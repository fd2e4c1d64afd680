//! The distance to the nearest other, beside comparing all with all.

use wingbeat::steer::parameters::limit;
use wingbeat::steer::*;
use wingbeat::*;
use wingbeat_measure::nearest_neighbor_distance;
use wingbeat_test_support::tier;

use crate::common::*;

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

fn brute_nearest<const D: usize>(flock: &Flock<D>) -> f64 {
    let boids: Vec<Boid<D>> = flock.frame().by_id().collect();
    let domain = flock.domain();
    let distance = |i: usize, j: usize| {
        let along = |a: usize| {
            let offset = f64::from(boids[j].position[a]) - f64::from(boids[i].position[a]);
            let side = f64::from(domain.side(a));
            let images = [offset, offset - side, offset + side].map(f64::abs);
            if domain.is_periodic() {
                images.into_iter().fold(f64::INFINITY, |m, o| if o < m { o } else { m })
            } else {
                offset
            }
        };
        (0..D).fold(0.0, |sum, a| sum + along(a) * along(a)).sqrt()
    };
    let nearest = |i: usize| {
        let others = (0..boids.len()).filter(|&j| j != i).map(|j| distance(i, j));
        others.fold(f64::INFINITY, |m, d| if d < m { d } else { m })
    };
    (0..boids.len()).fold(0.0, |sum, i| sum + nearest(i)) / boids.len() as f64
}

fn nearest_of<const D: usize>(seed: u64) {
    let mut random = Random::new(seed);
    let state = STATES[seed as usize % STATES.len()];
    let (kind, radius) = (random.one_of(&KINDS), random.one_of(&[1.0, 0.01, 300.0]));
    let domain = domain::<D>(kind, radius, &mut random);
    let boids = boids(state, &domain, radius, &mut random);
    let flock = still(
        &boids.iter().map(|b| b.position).collect::<Vec<_>>(),
        &boids.iter().map(|b| b.velocity).collect::<Vec<_>>(),
        domain,
    );
    let (got, wanted) = (nearest_neighbor_distance(&flock.frame(), &domain), brute_nearest(&flock));
    let wanted = if boids.len() < 2 { 0.0 } else { wanted };
    assert!(
        (got - wanted).abs() <= wanted * 1e-12,
        "{got}, wanted {wanted}: seed {seed} {D}-D {kind} {state} {radius}"
    );
}

#[test]
fn nearest_neighbor_distance_agrees_with_comparing_all() {
    for seed in 0..cases(600) {
        nearest_of::<2>(seed);
        nearest_of::<3>(seed);
    }
    let three = still(&[[0.0, 0.0], [0.0, 3.0], [1e30, 0.0]], &[[0.0; 2]; 3], Domain::open());
    let wanted = (3.0 + 3.0 + f64::from(1e30f32)) / 3.0;
    close(nearest_neighbor_distance(&three.frame(), &Domain::open()) / wanted, 1.0);
    let tank = Domain::periodic([0.0; 2], [10.0; 2]);
    let across = still(&[[0.5, 0.5], [9.5, 9.5]], &[[0.0; 2]; 2], tank);
    close(nearest_neighbor_distance(&across.frame(), &tank), 2f64.sqrt());
    let pile = still(&[[limit::POSITION; 2]; 9], &[[0.0; 2]; 9], Domain::open());
    assert_eq!(nearest_neighbor_distance(&pile.frame(), &Domain::open()), 0.0);
}
