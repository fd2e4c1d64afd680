//! The scalar API in nanoseconds per agent and update: `scalar/seek`, `scalar/wander`, `scalar/manager_update`.
//!
//! One iteration serves one agent of a crowd of [`AGENTS`], in turn, so that caches and branch prediction see different agents
//! as a game's do.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wingbeat_steer::{Body, Jitter, Steering, Wander, WanderParameters, behavior, glam::Vec3};

const AGENTS: usize = 64;
const DT: f32 = 1.0 / 60.0;

fn bodies() -> Vec<Body<Vec3>> {
    (0..AGENTS)
        .map(|i| {
            let mut jitter = Jitter::owned(1, i as u64);
            let mut draw = |size: f32| Vec3::from_array(std::array::from_fn(|_| (jitter.uniform(0, 0) - 0.5) * size));
            Body::new(draw(100.0), draw(4.0), 4.0, 1.0).expect("in range")
        })
        .collect()
}

fn wanders() -> Vec<Wander<Vec3>> {
    (0..AGENTS)
        .map(|i| Wander::new(WanderParameters::default(), Jitter::owned(2, i as u64)).expect("in range"))
        .collect()
}

fn scalar(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scalar");
    let crowd = bodies();
    let target = Vec3::new(10.0, 20.0, 30.0);

    group.bench_function("seek", |bench| {
        let mut turns = (0..AGENTS).cycle();
        bench.iter(|| {
            let body = &crowd[turns.next().unwrap_or(0)];
            behavior::seek(body.position, body.velocity, black_box(target), 4.0)
        });
    });

    let mut wanders = wanders();
    group.bench_function("wander", |bench| {
        let mut turns = (0..AGENTS).cycle();
        bench.iter(|| {
            let turn = turns.next().unwrap_or(0);
            wanders[turn].steer(crowd[turn].velocity, DT)
        });
    });

    // Three behaviours added, blended, limited, and the agent moved.
    let quarry = Body::new(Vec3::new(-20.0, 5.0, 0.0), Vec3::new(1.0, 2.0, 0.0), 4.0, 1.0).expect("in range");
    let mut flock = bodies();
    let mut managers: Vec<Steering<Vec3>> =
        flock.iter().map(|body| Steering::new(body, 10.0).expect("in range")).collect();
    group.bench_function("manager_update", |bench| {
        let mut turns = (0..AGENTS).cycle();
        bench.iter(|| {
            let turn = turns.next().unwrap_or(0);
            let steering = &mut managers[turn];
            steering.observe(&flock[turn]);
            steering.seek(black_box(target));
            steering.weighted(0.5).flee(black_box(Vec3::ZERO));
            steering.weighted(2.0).pursue(black_box(&quarry));
            flock[turn].follow(steering.update(DT));
        });
    });

    // The same with wander, whose sine and cosine are the dearest part.
    group.bench_function("manager_update_with_wander", |bench| {
        let mut turns = (0..AGENTS).cycle();
        bench.iter(|| {
            let turn = turns.next().unwrap_or(0);
            let steering = &mut managers[turn];
            steering.observe(&flock[turn]);
            steering.seek(black_box(target));
            steering.weighted(0.5).wander(&mut wanders[turn], DT);
            steering.weighted(2.0).pursue(black_box(&quarry));
            flock[turn].follow(steering.update(DT));
        });
    });
    group.finish();
}

criterion_group!(benches, scalar);
criterion_main!(benches);
