//! Flocks that look at their nearest alone equal the textbook, bit for bit, and one neighbor more
//! makes a difference.

use crate::common::*;
use wingbeat::steer::*;
use wingbeat::steer::{TextbookBoid, Vector};
use wingbeat::*;
use wingbeat_test_support::tier;

const NEAREST: [u32; 5] = [1, 2, 7, 16, 32];

/// The three rules, drawn.
fn rules(random: &mut Random) -> Params {
    // Half of them as the fast loop for one sight has them.
    let plain = random.coin();
    let separation = if plain { Separation::default() } else { random.one_of(&separations()) };
    let mut params = Params {
        rules: Rules {
            separation: (random.below(4) != 0).then_some(separation),
            alignment: (random.below(4) != 0).then(|| random.one_of(&alignments())),
            cohesion: Some(random.one_of(&cohesions())),
            ..Default::default()
        },
        ..Default::default()
    };
    perceive(&mut params, 1.0, random);
    params
}

/// Nearest `k` for all by the cap; for all rules each; or for some of them, of different numbers.
fn look_at_nearest(params: &mut Params, k: u32, random: &mut Random) {
    let one = |random: &mut Random| {
        let other = random.one_of(&NEAREST);
        random.one_of(&[Some(k), Some(k), Some(other), None])
    };
    match random.below(4) {
        0 => params.max_neighbors = Some(k),
        choice => {
            let all = if choice == 1 { [Some(k); 3] } else { [one(random), one(random), Some(k)] };
            params.rules.separation.iter_mut().for_each(|rule| rule.perception.nearest = all[0]);
            params.rules.alignment.iter_mut().for_each(|rule| rule.perception.nearest = all[1]);
            params.rules.cohesion.iter_mut().for_each(|rule| rule.perception.nearest = all[2]);
            params.max_neighbors = if choice == 3 { Some(random.one_of(&NEAREST)) } else { None };
        }
    }
}

/// Points of a lattice a power of two apart, some left out: no two on one point, and many at the
/// same distance.
fn lattice<const D: usize>(low: [f32; D], random: &mut Random) -> Vec<TextbookBoid<[f32; D]>> {
    let side = if D == 2 { 9 } else { 5 };
    let mut boids = Vec::new();
    for point in 0..(side as u64).pow(D as u32) {
        if random.below(6) != 0 {
            let place = |a: usize| (point / (side as u64).pow(a as u32) % side as u64) as f32;
            let position = <[f32; D]>::from_fn(|a| low[a] + 0.25 * place(a));
            let velocity = <[f32; D]>::from_fn(|_| random.within(-1.0, 1.0));
            boids.push(TextbookBoid { id: (point * 7919) % 10_007, position, velocity });
        }
    }
    boids
}

fn case<const D: usize>(
    seed: u64,
    k: u32,
    kind: &str,
    state: &str,
    random: &mut Random,
) -> Case<D> {
    let mut params = rules(random);
    (params.combine, params.priority) = combine(random.below(COMBINES), random);
    look_at_nearest(&mut params, k, random);
    let domain = domain(kind, params.largest_radius(), random);
    let boids = if state == "lattice" {
        let low = if kind == "open" { [0.0; D] } else { domain.min.map(|x| x.ceil()) };
        let inside = |boid: &TextbookBoid<[f32; D]>| domain.contains(boid.position);
        lattice(low, random).into_iter().filter(inside).collect()
    } else {
        boids(state, &domain, params.largest_radius(), random)
    };
    let name = format!("nearest {k} {kind} {state}");
    Case { seed, name, params, domain, boids, dt: random.one_of(&[0.02, 0.3]) }
}

/// Every number × domain × state.
#[test]
fn the_nearest_are_the_textbooks() {
    let repeats = if tier::full() { 4 } else { 1 };
    let mut seed = 3_000_000u64;
    for _ in 0..repeats {
        for k in NEAREST {
            for kind in KINDS {
                for state in STATES.into_iter().chain(["lattice", "lattice"]) {
                    seed += 1;
                    if !tier::full() && !seed.is_multiple_of(3) {
                        continue;
                    }
                    let mut random = Random::new(seed);
                    let case2 = case::<2>(seed, k, kind, state, &mut random);
                    agrees(&case2, &mut random);
                    let case3 = case::<3>(seed, k, kind, state, &mut random);
                    agrees(&case3, &mut random);
                }
            }
        }
    }
}

/// A crowd in a large periodic box, some in one clump, some on one point, some on a lattice.
fn crowd<const D: usize>(k: u32) -> Case<D> {
    let mut random = Random::new(u64::from(k) + D as u64);
    let side = if D == 2 { 24.0 } else { 9.0 };
    let place = |i: u64, random: &mut Random| match i % 8 {
        0..3 => side * 0.5 + random.within(-0.2, 0.2),
        3 => side * 0.25,
        4 => random.below(4) as f32 * 0.25,
        _ => random.within(0.0, side * 0.999),
    };
    let boids = (0..2500).map(|i| {
        let position = <[f32; D]>::from_fn(|_| place(i, &mut random));
        TextbookBoid {
            id: i * 3 % 9001,
            position,
            velocity: <[f32; D]>::from_fn(|_| random.within(-1.0, 1.0)),
        }
    });
    let boids = boids.collect();
    let perception = Perception { view: FieldOfView::degrees(240.0), ..Perception::default() };
    let params = Params {
        rules: Rules {
            separation: Some(Separation {
                perception: Perception { radius: 0.5, ..perception },
                ..Default::default()
            }),
            alignment: Some(Alignment { perception, ..Default::default() }),
            cohesion: Some(Cohesion { perception, ..Default::default() }),
            ..Default::default()
        },
        max_neighbors: Some(k),
        ..Default::default()
    };
    Case {
        seed: 1,
        name: "crowd".into(),
        params,
        domain: Domain::periodic([0.0; D], [side; D]),
        boids,
        dt: 0.05,
    }
}

fn hash_after<const D: usize>(
    case: &Case<D>,
    level: Level,
    threads: usize,
    batch: usize,
    storage: Storage,
    every: u32,
) -> u64 {
    let mut flock =
        builder(case, level, threads, storage).batch(batch).steer_every(every).build().unwrap();
    (0..5).for_each(|_| flock.step(TimeStep::new(case.dt).unwrap()));
    observe::state_hash(&flock.frame())
}

fn every_way_gives_the_same_hash<const D: usize>(k: u32, every: u32) {
    let case = crowd::<D>(k);
    let wanted = hash_after(&case, Level::Portable, 1, 512, Storage::Automatic, every);
    for level in Level::available() {
        for (threads, batch, storage) in [
            (1, 37, Storage::Automatic),
            (3, 64, Storage::Sparse),
            (3, 512, Storage::Automatic),
            (1, 1, Storage::Sparse),
        ] {
            let hash = hash_after(&case, level, threads, batch, storage, every);
            assert_eq!(
                hash, wanted,
                "{D}-D nearest {k}, every {every}: {level}, {threads} \
                threads, batch {batch}, {storage:?}"
            );
        }
    }
}

/// More boids than one list holds lie in one place here, so that the search narrows between lists.
#[test]
fn levels_threads_batches_and_storages_agree() {
    for (k, every) in [(1, 1), (7, 1), (32, 1), (7, 3)] {
        every_way_gives_the_same_hash::<2>(k, every);
        every_way_gives_the_same_hash::<3>(k, every);
    }
}

#[test]
fn a_crowd_is_the_textbooks() {
    for k in [7, 16] {
        let case = crowd::<2>(k);
        let mut textbook = textbook(&case);
        textbook.step_by(case.dt);
        let mut flock = engine(&case, Level::detect(), 1, Storage::Automatic);
        flock.step(TimeStep::new(case.dt).unwrap());
        let found = bits(flock.frame().by_slot().map(|b| (b.id.get(), b.position, b.velocity)));
        assert!(
            found == bits(textbook.boids.iter().map(|b| (b.id, b.position, b.velocity))),
            "nearest {k}"
        );
    }
}

/// With as many as there are, nothing changes; with one less, something does.
#[test]
fn the_last_neighbor_counts() {
    let ring = |i: u64| [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][i as usize];
    let mut boids: Vec<_> = (0..4)
        .map(|i| TextbookBoid { id: 10 + i, position: ring(i), velocity: [0.0; 2] })
        .collect();
    boids.push(TextbookBoid { id: 1, position: [0.0; 2], velocity: [0.0; 2] });
    let pull = |k| {
        let perception = Perception { nearest: k, ..Perception::default() };
        let params = Params {
            rules: Cohesion { perception, ..Default::default() }.into(),
            ..Default::default()
        };
        let case = Case {
            seed: 1,
            name: "ring".into(),
            params,
            domain: Domain::open(),
            boids: boids.clone(),
            dt: 1.0,
        };
        let mut flock = engine(&case, Level::detect(), 1, Storage::Automatic);
        flock.step(TimeStep::new(1.0).unwrap());
        flock.frame().find(BoidId::new(1)).unwrap().position
    };
    assert_eq!(pull(None), [0.0, 0.0]);
    assert_eq!(pull(Some(4)), [0.0, 0.0]);
    // All are at the same distance, so the smallest ids are chosen.
    assert_eq!(pull(Some(1)), [1.0, 0.0]);
    assert_eq!(pull(Some(2)), [0.5, 0.5]);
    assert_eq!(pull(Some(3)), [0.0, 1.0 / 3.0]);
}

#[test]
fn no_nearest_and_more_than_32_are_refused() {
    let refusal =
        |params: Params| Flock2::builder().params(params).build().unwrap_err().to_string();
    let sees = |k| Perception { nearest: Some(k), ..Perception::default() };
    for k in [0, 33, u32::MAX] {
        let allowed = format!("= {k}: allowed is 1 to 32, or none");
        let params = Params { max_neighbors: Some(k), ..Default::default() };
        assert_eq!(refusal(params), format!("max_neighbors {allowed}"));
        let params = Params {
            rules: Alignment { perception: sees(k), ..Default::default() }.into(),
            ..Default::default()
        };
        assert_eq!(refusal(params), format!("alignment.nearest {allowed}"));
    }
    for k in [1, 32] {
        let params = Params {
            rules: Cohesion { perception: sees(k), ..Default::default() }.into(),
            ..Default::default()
        };
        assert!(params.check().is_ok());
    }
}

#[test]
fn a_step_allocates_nothing() {
    let mut params = crowd::<3>(7).params;
    params.expected_neighbors = None;
    for state in ["lattice", "uniform"] {
        let shape = match state {
            "lattice" => Shape::Lattice { min: [0.0; 3], max: [6.0; 3] },
            _ => Shape::Box { min: [0.0; 3], max: [6.0; 3] },
        };
        let spawn = Spawn { shape, ..Spawn::default() };
        let domain = Domain::periodic([0.0; 3], [6.0; 3]);
        let mut flock = Flock3::builder()
            .params(params.clone())
            .domain(domain)
            .threads(1)
            .spawn(2000, spawn)
            .build()
            .unwrap();
        let dt = TimeStep::new(0.02).unwrap();
        (0..20).for_each(|_| flock.step(dt));
        let counted = allocation_counter::measure(|| (0..10).for_each(|_| flock.step(dt)));
        assert_eq!(counted.count_total, 0, "{state}");
    }
}
