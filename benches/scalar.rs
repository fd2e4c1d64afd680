//! The scalar API in nanoseconds per agent and update: `scalar/seek`, `scalar/wander`,
//! `scalar/manager_update`.
//!
//! One iteration serves one agent of a crowd of [`AGENTS`], in turn, so that caches and branch
//! prediction see different agents as a game's do. Agents are 2-D, as the source's manager has
//! them; `…_3d` is the same in three dimensions.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wingbeat_benches::machine;
use wingbeat_steer::glam::{Vec2, Vec3};
use wingbeat_steer::{Body, Jitter, Steering, Vector, Wander, WanderParameters, behavior};

const AGENTS: usize = 64;
const DT: f32 = 1.0 / 60.0;

fn bodies<V: Vector>() -> Vec<Body<V>> {
    (0..AGENTS)
        .map(|i| {
            let mut jitter = Jitter::owned(1, i as u64);
            let mut draw = |size: f32| V::from_fn(|_| (jitter.uniform(0, 0) - 0.5) * size);
            Body::new(draw(100.0), draw(4.0), 4.0, 1.0).expect("in range")
        })
        .collect()
}

fn wanders<V: Vector>() -> Vec<Wander<V>> {
    (0..AGENTS)
        .map(|i| {
            Wander::new(WanderParameters::default(), Jitter::owned(2, i as u64)).expect("in range")
        })
        .collect()
}

fn seek(criterion: &mut Criterion) {
    let crowd = bodies::<Vec2>();
    criterion.bench_function("scalar/seek", |bench| {
        let mut turns = (0..AGENTS).cycle();
        bench.iter(|| {
            let body = &crowd[turns.next().unwrap_or(0)];
            behavior::seek(body.position, body.velocity, black_box(Vec2::new(10.0, 20.0)), 4.0)
        });
    });
}

fn wander<V: Vector>(criterion: &mut Criterion, name: &str) {
    let crowd = bodies::<V>();
    let mut wanders = wanders::<V>();
    criterion.bench_function(name, |bench| {
        let mut turns = (0..AGENTS).cycle();
        bench.iter(|| {
            let turn = turns.next().unwrap_or(0);
            wanders[turn].steer(crowd[turn].velocity, DT)
        });
    });
}

/// Three behaviors added, blended, limited, and the agent moved.
fn manager_update<V: Vector>(criterion: &mut Criterion, name: &str) {
    let mut flock = bodies::<V>();
    let mut managers: Vec<_> =
        flock.iter().map(|body| Steering::new(body, 10.0).expect("in range")).collect();
    let target = V::from_fn(|a| 10.0 * (a + 1) as f32);
    let quarry =
        Body::new(V::from_fn(|a| -5.0 * a as f32), V::uniform(1.0), 4.0, 1.0).expect("in range");
    criterion.bench_function(name, |bench| {
        let mut turns = (0..AGENTS).cycle();
        bench.iter(|| {
            let turn = turns.next().unwrap_or(0);
            let steering = &mut managers[turn];
            steering.observe(&flock[turn]);
            steering.seek(black_box(target));
            steering.weighted(0.5).flee(black_box(V::origin()));
            steering.weighted(2.0).pursue(black_box(&quarry));
            flock[turn].follow(steering.update(DT));
        });
    });
}

fn scalar(criterion: &mut Criterion) {
    machine::announce();
    seek(criterion);
    wander::<Vec2>(criterion, "scalar/wander");
    wander::<Vec3>(criterion, "scalar/wander_3d");
    manager_update::<Vec2>(criterion, "scalar/manager_update");
    manager_update::<Vec3>(criterion, "scalar/manager_update_3d");
}

criterion_group!(benches, scalar);
criterion_main!(benches);
