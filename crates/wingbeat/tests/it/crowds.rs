//! Crowds whose boids look at their nearest alone equal the textbook, bit for bit, in the finer
//! order as in slot order.

use crate::common::*;
use wingbeat::steer::*;
use wingbeat::steer::{TextbookBoid, Vector};
use wingbeat::*;
use wingbeat_test_support::{ThreadTime, tier};

const CROWDS: [&str; 8] = ["ball", "two", "point", "points", "line", "nested", "lattice", "thin"];

/// The place of a boid of a crowd about `middle`.
fn place<const D: usize>(crowd: &str, i: usize, middle: [f32; D], random: &mut Random) -> [f32; D] {
    let mut at = |a: usize, size: f32| middle[a] + size * random.within(-1.0, 1.0);
    <[f32; D]>::from_fn(|a| match crowd {
        "two" if i.is_multiple_of(2) => at(a, 0.3) + 0.6,
        "two" => at(a, 0.002),
        "point" => middle[a],
        "points" => middle[a] + 0.125 * ((i / 40) % 3) as f32,
        "line" if a > 0 => middle[a],
        // Ten scales in one another.
        "nested" => at(a, 0.5 / (1 << (2 * (i % 10))) as f32),
        "lattice" => middle[a] + 0.0625 * ((i / 7usize.pow(a as u32)) % 7) as f32,
        // Far fewer than are looked for, and a few far away.
        "thin" if i.is_multiple_of(9) => at(a, 1.4),
        "thin" => at(a, 0.01),
        _ => at(a, 0.4),
    })
}

fn case<const D: usize>(seed: u64, k: u32, kind: &str, crowd: &str) -> Case<D> {
    let mut random = Random::new(seed);
    let rules =
        [separations().len(), alignments().len(), cohesions().len()].map(|n| random.below(n));
    let mut params = Params {
        rules: Rules {
            separation: (random.below(4) != 0).then(|| {
                if random.coin() { Separation::default() } else { separations()[rules[0]] }
            }),
            alignment: (random.below(4) != 0).then(|| alignments()[rules[1]]),
            cohesion: Some(cohesions()[rules[2]]),
            ..Default::default()
        },
        ..Default::default()
    };
    perceive(&mut params, 1.0, &mut random);
    (params.combine, params.priority) = combine(random.below(COMBINES), &mut random);
    params.max_neighbors = Some(k);
    if random.below(4) == 0 {
        params
            .rules
            .cohesion
            .iter_mut()
            .for_each(|rule| rule.perception.nearest = Some(1 + random.below(8) as u32));
    }
    let domain = domain::<D>(kind, params.largest_radius(), &mut random);
    // Across a corner of the box, so that a periodic one is seen through images.
    let open = domain.boundary == Boundary::Open;
    let corner = !open && random.coin();
    let middle = <[f32; D]>::from_fn(|a| {
        if corner {
            domain.min[a]
        } else if open {
            0.0
        } else {
            (domain.min[a] + domain.max[a]) * 0.5
        }
    });
    let count = 60 + random.below(90);
    let boids = (0..count).map(|i| {
        let position = place(crowd, i, middle, &mut random);
        let position = <[f32; D]>::from_fn(|a| match domain.boundary {
            Boundary::Open => position[a],
            Boundary::Periodic => domain.settle(a, position[a], 0.0).0,
            _ => steer::math::clamp(position[a], domain.min[a], domain.max[a]),
        });
        let velocity = <[f32; D]>::from_fn(|_| random.within(-1.0, 1.0));
        TextbookBoid { id: (i as u64 * 7919) % 10_007, position, velocity }
    });
    let boids = boids.collect();
    Case {
        seed,
        name: format!("nearest {k} {kind} {crowd}"),
        params,
        domain,
        boids,
        dt: random.one_of(&[0.02, 0.1]),
    }
}

/// One step at every level, in either storage, on one thread and on three, in batches of any size,
/// equals the textbook's.
fn is_the_textbooks<const D: usize>(case: &Case<D>, crowds: Crowds, batches: &[usize]) {
    let mut textbook = textbook(case);
    textbook.step_by(case.dt);
    let wanted = bits(textbook.boids.iter().map(|b| (b.id, b.position, b.velocity)));
    for level in Level::available() {
        for (i, &batch) in batches.iter().enumerate() {
            let (threads, storage) = [(1, Storage::Automatic), (3, Storage::Sparse)][i % 2];
            let mut flock =
                builder(case, level, threads, storage).batch(batch).crowds(crowds).build().unwrap();
            flock.step(TimeStep::new(case.dt).unwrap());
            let found = bits(flock.frame().by_slot().map(|b| (b.id.get(), b.position, b.velocity)));
            let at = || {
                format!("seed {} {} {D}-D {level} {storage:?} batch {batch}", case.seed, case.name)
            };
            for (found, wanted) in found.iter().zip(&wanted) {
                assert_eq!(found, wanted, "{}", at());
            }
            assert_eq!(found.len(), wanted.len());
        }
    }
}

/// Every crowd × domain, k from 1 to 32.
#[test]
fn small_crowds_are_the_textbooks() {
    let repeats = if tier::full() { 60 } else { 2 };
    let mut seed = 7_000_000;
    for repeat in 0..repeats {
        for crowd in CROWDS {
            for kind in KINDS {
                seed += 1;
                let k = [1, 7, 8, 16, 17, 32][(repeat + seed as usize) % 6];
                is_the_textbooks(&case::<2>(seed, k, kind, crowd), Crowds::Always, &[512, 9]);
                is_the_textbooks(&case::<3>(seed, k, kind, crowd), Crowds::Always, &[512, 9]);
            }
        }
    }
}

/// A thousand and more in a radius, of which the finer order is chosen by itself: lists and boxes
/// of several levels.
#[test]
fn large_crowds_are_the_textbooks() {
    for (seed, crowd) in CROWDS.into_iter().enumerate() {
        let views = [(360.0, 32), (240.0, 16), (60.0, 7)];
        let (flat, solid) = (views[seed % 3], views[(seed + 1) % 3]);
        // In the short form one dimension of each, and half of the crowds.
        if tier::full() || seed % 4 == 0 {
            large::<2>(seed as u64, crowd, flat.0, flat.1);
        }
        if tier::full() || seed % 4 == 1 {
            large::<3>(seed as u64, crowd, solid.0, solid.1);
        }
    }
}

fn large<const D: usize>(seed: u64, crowd: &str, degrees: f64, k: u32) {
    let mut case = case::<D>(seed, k, "open", "ball");
    let perception = Perception { view: FieldOfView::degrees(degrees), ..Perception::default() };
    case.params.rules.separation = Some(Separation {
        perception: Perception { radius: 0.5, ..perception },
        ..Default::default()
    });
    case.params.rules.alignment = Some(Alignment { perception, ..Default::default() });
    case.params.rules.cohesion = Some(Cohesion { perception, ..Default::default() });
    case.name = format!("{crowd} {degrees} nearest {k}");
    let mut random = Random::new(seed);
    case.boids = (0..1200)
        .map(|i| {
            let position = place(crowd, i, [0.3; D], &mut random);
            let velocity = <[f32; D]>::from_fn(|_| random.within(-1.0, 1.0));
            TextbookBoid { id: (i as u64 * 7919) % 10_007, position, velocity }
        })
        .collect();
    is_the_textbooks(&case, Crowds::Automatic, &[512]);
}

/// A crowd steers the same however its boids take turns.
#[test]
fn turns_are_the_same_in_either_order() {
    for every in [2, 5, 40] {
        let case = case::<3>(11, 7, "periodic", "ball");
        let hash = |crowds| {
            let mut flock = builder(&case, Level::detect(), 1, Storage::Automatic)
                .crowds(crowds)
                .steer_every(every)
                .build()
                .unwrap();
            (0..9).for_each(|_| flock.step(TimeStep::new(case.dt).unwrap()));
            observe::state_hash(&flock.frame())
        };
        assert_eq!(hash(Crowds::Always), hash(Crowds::Never), "every {every}");
    }
}

/// What a flock of one crowd holds, and what a step of it allocates, when buffers have grown.
#[test]
fn a_crowded_step_allocates_nothing_and_memory_is_bounded() {
    let spawn = Spawn { shape: Shape::Ball { center: [0.0; 3], radius: 0.45 }, ..Spawn::default() };
    let cohesion = Cohesion { weight: 0.01, ..Default::default() };
    let params = Params { rules: cohesion.into(), max_neighbors: Some(16), ..Default::default() };
    let dt = TimeStep::new(1e-4).unwrap();
    let count = 20_000;
    let mut held = None;
    let counted = allocation_counter::measure(|| {
        let mut flock = Flock3::builder()
            .params(params.clone())
            .threads(1)
            .seed(3)
            .spawn(count, spawn)
            .build()
            .unwrap();
        (0..10).for_each(|_| flock.step(dt));
        held = Some(flock);
    });
    let per_boid = counted.bytes_current as f64 / count as f64;
    println!("{per_boid:.1} bytes a boid");
    assert!(per_boid <= 150.0, "{per_boid} bytes a boid");
    let mut flock = held.unwrap();
    let counted = allocation_counter::measure(|| (0..5).for_each(|_| flock.step(dt)));
    assert_eq!(counted.count_total, 0);
}

/// Four times as many on one point take some four times as long, not sixteen.
#[test]
fn boids_on_one_point_are_not_a_double_loop() {
    let best = |count: usize| {
        let params = Params {
            rules: Cohesion::default().into(),
            max_neighbors: Some(7),
            ..Default::default()
        };
        let builder = Flock3::builder()
            .params(params)
            .threads(1)
            .boids(&vec![[0.3; 3]; count], &vec![[0.0; 3]; count]);
        let mut flock = builder.build().unwrap();
        let mut time = || {
            flock.sort();
            let start = ThreadTime::now();
            flock.steer();
            start.elapsed()
        };
        (0..5).map(|_| time()).min().unwrap()
    };
    let (few, many) = (best(8_000), best(32_000));
    assert!(many < few * 9, "8,000 took {few:?}, 32,000 took {many:?}");
}

/// Where boids stand all around a crowd, a block's own box may hold more of it than a list does:
/// these blocks are summed run by run.
#[test]
fn blocks_as_wide_as_a_crowd_sum_in_slot_order() {
    let ball =
        |radius| Spawn { shape: Shape::Ball { center: [5.0; 3], radius }, ..Spawn::default() };
    let (mut positions, mut velocities) = ball(0.05).place(9_000, 1);
    let around = ball(0.49).place(300, 2);
    positions.extend(around.0);
    velocities.extend(around.1);
    let params =
        Params { rules: Cohesion::default().into(), max_neighbors: Some(16), ..Default::default() };
    for level in Level::available() {
        let hash = |crowds| {
            let builder = Flock3::builder()
                .params(params.clone())
                .boids(&positions, &velocities)
                .level(level)
                .crowds(crowds);
            let mut flock = builder.domain(Domain::periodic([0.0; 3], [10.0; 3])).build().unwrap();
            flock.step(TimeStep::new(0.01).unwrap());
            observe::state_hash(&flock.frame())
        };
        assert_eq!(hash(Crowds::Always), hash(Crowds::Never), "at {level}");
    }
}
