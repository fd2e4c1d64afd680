//! What must not matter does not: boids out of everyone's range, and the names of boids.

use crate::common::*;
use wingbeat::steer::*;
use wingbeat::steer::{TextbookBoid, Vector};
use wingbeat::*;

fn flock_case<const D: usize>(seed: u64, count: usize) -> Case<D> {
    let mut random = Random::new(seed);
    let mut params = Params {
        rules: Rules {
            separation: Some(Separation { weight: 2.0, ..Default::default() }),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    };
    perceive(&mut params, 1.0, &mut random);
    let boids = (0..count)
        .map(|i| TextbookBoid {
            id: i as u64,
            position: <[f32; D]>::from_fn(|_| random.within(-3.0, 3.0)),
            velocity: <[f32; D]>::from_fn(|_| random.within(-1.0, 1.0)),
        })
        .collect();
    Case { seed, name: "independence".into(), params, domain: Domain::open(), boids, dt: 0.05 }
}

fn states<const D: usize>(case: &Case<D>, steps: usize) -> Vec<(u64, [f32; D], [f32; D])> {
    let mut flock = engine(case, Level::detect(), 2, Storage::Automatic);
    for _ in 0..steps {
        flock.step(TimeStep::new(case.dt).unwrap());
    }
    flock.frame().by_id().map(|b| (b.id.get(), b.position, b.velocity)).collect()
}

fn a_distant_boid_changes_nothing<const D: usize>(seed: u64, count: usize, distance: f32) {
    let alone = flock_case::<D>(seed, count);
    let mut joined = alone.clone();
    let position = <[f32; D]>::from_fn(|a| if a == seed as usize % D { distance } else { 0.5 });
    joined.boids.push(TextbookBoid { id: 1 << 50, position, velocity: [0.25; D] });
    let (alone, joined) = (states(&alone, 3), states(&joined, 3));
    assert_eq!(
        bits(alone.into_iter()),
        bits(joined.into_iter().take(count)),
        "seed {seed} {D}-D at {distance}"
    );
}

#[test]
fn a_boid_out_of_range_changes_no_other_bits() {
    for seed in 0..30 {
        // 10 r; far; and so far that a dense grid becomes a sparse one.
        for distance in [10.0, -13.5, 1e6, -1e6, 1e30, -1e30] {
            a_distant_boid_changes_nothing::<2>(seed, 300, distance);
            a_distant_boid_changes_nothing::<3>(seed, 300, distance);
        }
    }
}

/// By its name a boid has a maximum speed of its own, where they differ.
fn alike<const D: usize>(mut case: Case<D>) -> Case<D> {
    case.params.agent.max_speed_spread = 0.0;
    case
}

#[test]
fn order_preserving_names_change_no_bit() {
    for seed in 0..20 {
        let case = alike(flock_case::<3>(seed, 400));
        let mut renamed = case.clone();
        for boid in &mut renamed.boids {
            boid.id = boid.id * 1000 + 17;
        }
        let named = states(&case, 10).into_iter().map(|(id, x, v)| (id * 1000 + 17, x, v));
        // No boid of this case coincides with another or stands still, so no hash of an id is ever
        // asked for.
        assert_eq!(bits(named), bits(states(&renamed, 10).into_iter()), "seed {seed}");
    }
}

#[test]
fn any_names_agree_within_rounding_after_one_step() {
    for seed in 0..20 {
        let case = alike(flock_case::<3>(seed, 400));
        let mut renamed = case.clone();
        for boid in &mut renamed.boids {
            boid.id = (boid.id * 7919) % 100_003;
        }
        let before = states(&case, 1);
        let mut after = states(&renamed, 1);
        after
            .sort_unstable_by_key(|&(id, ..)| (0..400u64).position(|i| (i * 7919) % 100_003 == id));
        for (b, a) in before.iter().zip(&after) {
            assert!(
                b.1.minus(a.1).norm() < 1e-5 && b.2.minus(a.2).norm() < 1e-5,
                "seed {seed} boid {}: {b:?} {a:?}",
                b.0
            );
        }
    }
}
