//! The same bits at every level, thread count, batch size and storage, and slot order as the
//! contract says.

mod common;
use common::*;
use wingbeat::steer::anticipation::anticipations;
use wingbeat::steer::*;
use wingbeat::steer::{Anticipation, Cells, Vector};
use wingbeat::*;
use wingbeat_test_support::tier;

fn flocking(radius: f32) -> Params {
    let view = FieldOfView::degrees(240.0);
    let seen = |radius| Perception { radius, view, near_radius: 0.0, nearest: None };
    Params {
        rules: Rules {
            separation: Some(Separation {
                weight: 2.5,
                perception: seen(radius * 0.5),
                ..Default::default()
            }),
            alignment: Some(Alignment { perception: seen(radius), ..Default::default() }),
            cohesion: Some(Cohesion { perception: seen(radius), ..Default::default() }),
            ..Default::default()
        },
        ..Default::default()
    }
}

/// A flock of 3,000: uniform, with a clump, a pile of coincident boids, and some at rest.
fn mixed<const D: usize>(kind: &str, seed: u64) -> Case<D> {
    let mut random = Random::new(seed);
    let side = if D == 2 { 20.0 } else { 8.0 };
    let domain = match kind {
        "open" => Domain::open(),
        "periodic" => Domain::periodic([0.0; D], [side; D]),
        "walled" => Domain::walled([0.0; D], [side; D], 1.0, 4.0),
        "absorbing" => Domain::absorbing([0.0; D], [side; D]),
        _ => Domain::reflecting([0.0; D], [side; D]),
    };
    let boids = (0..3000)
        .map(|i| steer::TextbookBoid {
            id: i * 3 % 9001,
            position: <[f32; D]>::from_fn(|_| match i % 10 {
                0 => side * 0.5 + random.within(-0.2, 0.2),
                1 => side * 0.25,
                _ => random.within(0.0, side * 0.999),
            }),
            velocity: <[f32; D]>::from_fn(
                |_| if i % 7 == 0 { 0.0 } else { random.within(-1.0, 1.0) },
            ),
        })
        .collect();
    Case { seed, name: kind.into(), params: flocking(1.0), domain, boids, dt: 0.05 }
}

fn hash_after<const D: usize>(
    case: &Case<D>,
    steps: usize,
    level: Level,
    threads: usize,
    batch: usize,
    storage: Storage,
) -> u64 {
    let boids = case.boids.iter().map(|b| Boid {
        id: BoidId::new(b.id),
        position: b.position,
        velocity: b.velocity,
    });
    let mut flock = Flock::<D>::builder()
        .params(case.params.clone())
        .domain(case.domain)
        .seed(case.seed)
        .level(level)
        .threads(threads)
        .batch(batch)
        .storage(storage)
        .boids_with_ids(boids.collect())
        .build()
        .unwrap();
    for _ in 0..steps {
        flock.step(TimeStep::new(case.dt).unwrap());
    }
    observe::state_hash(&flock.frame())
}

fn every_way_gives_the_same_hash<const D: usize>(kind: &str, seed: u64) {
    let case = mixed::<D>(kind, seed);
    let wanted = hash_after(&case, 5, Level::Portable, 1, 512, Storage::Automatic);
    let mut ways = Vec::new();
    for level in Level::available() {
        for threads in [1, 2, 3, 8] {
            for (batch, storage) in [
                (512, Storage::Automatic),
                (64, Storage::Sparse),
                (37, Storage::Automatic),
                (1, Storage::Sparse),
            ] {
                ways.push((level, threads, batch, storage));
            }
        }
    }
    // A fifth of them here, other ones for the next kind.
    let first = tier::either(seed as usize % 5, 0);
    for (level, threads, batch, storage) in tier::sample(ways.into_iter().skip(first), 5) {
        let hash = hash_after(&case, 5, level, threads, batch, storage);
        assert_eq!(
            hash, wanted,
            "{D}-D {kind} seed {seed}: {level}, {threads} threads, batch {batch}, {storage:?}"
        );
    }
}

#[test]
fn levels_threads_batches_and_storages_agree() {
    for (seed, kind) in KINDS.iter().enumerate() {
        every_way_gives_the_same_hash::<2>(kind, seed as u64 + 1);
        every_way_gives_the_same_hash::<3>(kind, seed as u64 + 11);
    }
}

/// Bodies in a crowd that presses on, with every model of anticipation and none: obstacles in the
/// way, one of which moves.
fn bodies_agree<const D: usize>(model: Option<Anticipation>, kind: &str, seed: u64) {
    let Case { params, domain, boids, dt, .. } = mixed::<D>(kind, seed);
    let params = Params {
        body: Some(SolidBody { radius: 0.12, ..Default::default() }),
        anticipation: model,
        ..params
    };
    let ball = |name: &str, at: f32, motion| {
        let shape = ObstacleShape::Sphere { center: [at; D], radius: 0.7 };
        Obstacle { name: name.into(), shape, motion }
    };
    let roller = ObstacleMotion::Line { velocity: [1.0; D], range: None };
    let obstacles = vec![ball("pillar", 2.0, ObstacleMotion::Static), ball("roller", 5.0, roller)];
    let standing =
        |boid: &&steer::TextbookBoid<[f32; D]>| boid.position.minus([2.0; D]).norm() > 0.8;
    let boids: Vec<_> = boids
        .iter()
        .filter(standing)
        .map(|b| Boid { id: BoidId::new(b.id), position: b.position, velocity: b.velocity })
        .collect();
    let drive =
        Drive::new("on", steer::drive::Goal { target: Some([4.0; D]), ..Default::default() });
    let mut wanted = None;
    for level in Level::available() {
        // At the portable level the first; of each level another one for the next model.
        let ways =
            [(1, 512, Storage::Automatic), (2, 37, Storage::Sparse), (8, 64, Storage::Automatic)];
        for (way, (threads, batch, storage)) in ways.into_iter().enumerate() {
            let tried = wanted.is_none() || way == seed as usize % 3;
            if !tier::full() && !tried {
                continue;
            }
            let builder = Flock::<D>::builder()
                .domain(domain)
                .seed(seed)
                .level(level)
                .threads(threads)
                .batch(batch);
            let builder =
                builder.storage(storage).obstacles(obstacles.clone()).drives(vec![drive.clone()]);
            let mut flock = builder.boids_with_ids(boids.clone()).build().unwrap();
            // Some of them overlap: those that are given bodies later may.
            flock.set_params(params.clone()).unwrap();
            for _ in 0..5 {
                flock.step(TimeStep::new(dt).unwrap());
            }
            let hash = observe::state_hash(&flock.frame());
            let at = || {
                format!(
                    "{D}-D {kind} {model:?} seed {seed}: {level}, {threads} threads, \
                batch {batch}, {storage:?}"
                )
            };
            assert_eq!(*wanted.get_or_insert(hash), hash, "{}", at());
        }
    }
}

#[test]
fn bodies_are_the_same_on_every_level_and_thread() {
    let models = std::iter::once(None).chain(anticipations().map(Some));
    for (seed, mut model) in models.enumerate() {
        let kind = KINDS[seed % KINDS.len()];
        if let Some(model) = &mut model {
            model.set("distance", 1.5);
        }
        bodies_agree::<2>(model, kind, seed as u64 + 1);
        bodies_agree::<3>(model, kind, seed as u64 + 11);
    }
}

#[test]
fn the_hash_sees_every_bit() {
    let case = mixed::<2>("open", 5);
    let mut other = case.clone();
    other.boids[1234].velocity[1] = other.boids[1234].velocity[1].next_up();
    let hash = |case| hash_after::<2>(case, 0, Level::Portable, 1, 512, Storage::Automatic);
    assert_ne!(hash(&case), hash(&other));
}

/// Slot order after a step's sort is the lexicographic order of (cell z, y, x, id), in either
/// storage.
#[test]
fn slot_order_is_the_contracts() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let kind = random.one_of(&KINDS);
        let state = random.one_of(&STATES);
        slot_order::<2>(seed, kind, state);
        slot_order::<3>(seed, kind, state);
    }
}

fn slot_order<const D: usize>(seed: u64, kind: &str, state: &str) {
    let mut random = Random::new(seed);
    let domain = domain::<D>(kind, 1.0, &mut random);
    let boids = boids(state, &domain, 1.0, &mut random);
    let case = Case { seed, name: state.into(), params: flocking(1.0), domain, boids, dt: 0.1 };
    let cells = Cells::new(1.0, None, &domain);
    let order = cells.slot_order(case.boids.iter().map(|b| (b.position, b.id)));
    let wanted: Vec<u64> = order.iter().map(|&i| case.boids[i].id).collect();
    for storage in [Storage::Automatic, Storage::Sparse] {
        let mut flock = engine(&case, Level::detect(), 1, storage);
        flock.sort();
        let found: Vec<u64> = flock.frame().ids().map(BoidId::get).collect();
        assert_eq!(found, wanted, "seed {seed} {D}-D {kind} {state} {storage:?}");
    }
}

/// The same in a large flock, where tasks are many: a million boids with `WINGBEAT_FULL=1`.
#[test]
fn a_large_flock_agrees_too() {
    let full = tier::full();
    let (count, side) = if full { (1_000_000, 60.0) } else { (30_000, 19.0) };
    let (min, max) = ([0.0; 3], [side; 3]);
    let spawn = Spawn { shape: Shape::Box { min, max }, speed: 1.0, ..Spawn::default() };
    let mut wanted = None;
    for level in Level::available() {
        for threads in [1, 2, 5] {
            let builder =
                Flock3::builder().params(flocking(1.0)).domain(Domain::periodic(min, max)).seed(5);
            let mut flock =
                builder.level(level).threads(threads).spawn(count, spawn).build().unwrap();
            for _ in 0..4 {
                flock.step(TimeStep::new(0.02).unwrap());
            }
            let hash = observe::state_hash(&flock.frame());
            assert_eq!(
                *wanted.get_or_insert(hash),
                hash,
                "{count} boids: {level}, {threads} threads"
            );
        }
    }
}
