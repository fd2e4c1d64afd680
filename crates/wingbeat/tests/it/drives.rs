//! Drives: lanes equal the definition bit for bit, whatever the flock and whatever is changed on
//! the way.

use crate::common::*;
use wingbeat::drive::*;
use wingbeat::steer::*;
use wingbeat::steer::{HeldForces, TextbookBoid, TextbookFlock, Vector, behavior};
use wingbeat::*;
use wingbeat_test_support::tier;

const STEPS: u64 = 14;

/// A place in the domain's box, or anywhere near in an open one.
fn place<const D: usize>(domain: &Domain<[f32; D]>, random: &mut Random) -> [f32; D] {
    let open = domain.boundary == Boundary::Open;
    std::array::from_fn(|a| {
        let (low, high) = if open { (0.0, 4.0) } else { (domain.min[a], domain.max[a]) };
        low + (high - low) * random.within(0.0, 0.999)
    })
}

pub const KINDS_OF_DRIVES: usize = 12;

/// A drive of one of the kinds, all else drawn.
fn kind<const D: usize>(
    number: usize,
    domain: &Domain<[f32; D]>,
    ids: &[u64],
    random: &mut Random,
) -> DriveKind<[f32; D]> {
    let slowing_radius = random.one_of(&[0.0, 0.5, 2.0]);
    let mut field = |outside| {
        let (min, max): ([f32; D], [f32; D]) = ([0.1; D], [3.7; D]);
        let value = |_| std::array::from_fn(|_| random.one_of(&[0.0, 1.0, -1.0, 0.3, 25.0]));
        FlowField::from_function(min, max, [3; D], value).unwrap().outside(outside)
    };
    match number {
        0 => Goal { target: Some(place(domain, random)), slowing_radius, ..Default::default() }
            .into(),
        1 => Goal {
            target: random.coin().then(|| place(domain, random)),
            slowing_radius,
            arrival_radius: random.one_of(&[0.1, 0.4]),
            on_arrival: random.one_of(&[OnArrival::Leave, OnArrival::Stay, OnArrival::Settle]),
            range: random.one_of(&[f32::INFINITY, 1.0]),
        }
        .into(),
        2 | 3 => WanderParameters {
            distance: random.one_of(&[10.0, 0.5]),
            radius: random.one_of(&[5.0, 1.0]),
            range: random.one_of(&[1.0, std::f32::consts::TAU]),
            // As long as a step, several in one, several steps, and some that no step ends.
            interval: random.one_of(&[1.0, 0.3, 0.005, 0.07]),
            frame: if number == 2 { WanderFrame::World } else { WanderFrame::Heading },
        }
        .into(),
        4 => Leader {
            looks: true,
            distance: random.one_of(&[None, Some(0.5)]),
            ..Leader::common(random.one_of(ids))
        }
        .into(),
        5 => {
            let pairs: Vec<(u64, u64)> = ids
                .iter()
                .filter(|_| random.coin())
                .map(|&id| (id, ids[id as usize % ids.len()]))
                .collect();
            let parent = random.coin().then(|| ids[0]);
            Leader {
                distance: random.one_of(&[None, Some(0.5)]),
                parent,
                looks: random.coin(),
                ..Leader::each(pairs)
            }
            .into()
        }
        6 | 7 => {
            let points: Vec<[f32; D]> =
                (0..1 + random.below(6)).map(|_| place(domain, random)).collect();
            let radius = random.one_of(&[0.2, 0.6]);
            let road = if random.coin() {
                behavior::Path::open(points, radius)
            } else {
                behavior::Path::looped(points, radius)
            };
            let follow = if number == 6 { Follow::Waypoints } else { Follow::Road };
            Path { follow, slowing_radius, prediction_time: 0.4, ..Path::new(road.unwrap()) }.into()
        }
        8 => Flow { raw: true, ..Flow::new(field(Outside::Clamp)) }.into(),
        9 => Flow::new(field(Outside::Zero)).into(),
        10 => Tether {
            anchor: place(domain, random),
            radius: 0.6,
            strength: random.one_of(&[1.0, 30.0]),
        }
        .into(),
        _ => match random.below(4) {
            0 => Noise { size: 2.0, interval: random.one_of(&[1.0, 0.3, 0.005, 0.07]) }.into(),
            1 => Speed { speed: 1.5, rate: 3.0 }.into(),
            2 => Wind { vector: [0.3; D], drag: false }.into(),
            _ => Wind { vector: [-0.7; D], drag: true }.into(),
        },
    }
}

pub fn drives<const D: usize>(
    numbers: &[usize],
    domain: &Domain<[f32; D]>,
    ids: &[u64],
    species: usize,
    random: &mut Random,
) -> Vec<Drive<[f32; D]>> {
    let mut drive = |(place, &number): (usize, &usize)| {
        let kind = kind(number, domain, ids, random);
        let whens: &[When] = match &kind {
            // What a boid looks at may not depend on what it sees.
            DriveKind::Leader(leader) if leader.looks => &[When::Always, When::Resting],
            _ => &[When::Always, When::Always, When::Always, When::Idle, When::Resting, When::Busy],
        };
        Drive {
            weight: random.one_of(&[1.0, 1.0, 0.3, -0.5]),
            species: if species > 0 && random.coin() {
                Some(SpeciesId::new(random.below(species)))
            } else {
                None
            },
            when: random.one_of(whens),
            ..Drive::new(place, kind)
        }
    };
    numbers.iter().enumerate().map(&mut drive).collect()
}

/// Gives drives windows of time and delays that begin and end within the first few steps, some at
/// the very time of a step.
pub fn give_times<const D: usize>(
    drives: &mut [Drive<[f32; D]>],
    windows: bool,
    delays: bool,
    dt: f32,
    random: &mut Random,
) {
    let dt = f64::from(dt);
    for drive in drives {
        if windows {
            drive.from = random.one_of(&[0.0, 0.0, 1.5, 2.0]) * dt;
            drive.until = random.one_of(&[f64::INFINITY, f64::INFINITY, 3.2, 4.0]) * dt;
            if let DriveKind::Flow(flow) = &mut drive.kind {
                let turned = |by: f32| {
                    let values =
                        flow.field.values().iter().map(|value| value.map(|x| x * by)).collect();
                    let (min, max) = flow.field.bounds();
                    let shape = flow.field.shape();
                    FlowField::new(min, max, &shape[..D], values)
                        .unwrap()
                        .outside(flow.field.beyond())
                };
                flow.later = vec![
                    (1.0 * dt, turned(-1.0)),
                    (2.5 * dt, turned(0.5)),
                    (4.0 * dt, turned(0.0)),
                ];
            }
        }
        if delays {
            drive.delay = random.one_of(&[
                Delay::None,
                Delay::Uniform { min: 0.0, max: 4.0 * dt },
                Delay::Uniform { min: dt, max: dt },
                Delay::LogNormal { median: 2.0 * dt, sigma: 0.8 },
                Delay::LogNormal { median: dt, sigma: 5.0 },
                Delay::Gamma { shape: 1.3, scale: 2.0 * dt },
                Delay::Weibull { shape: 1.2, scale: 2.0 * dt },
            ]);
        }
    }
}

/// What happens to a flock before a step.
#[derive(Clone, Debug)]
enum Change<const D: usize> {
    Add([f32; D], [f32; D]),
    Remove(u64),
    Goal(u64, Option<[f32; D]>),
    Drives(Vec<Drive<[f32; D]>>),
}

struct Run<const D: usize> {
    case: Case<D>,
    drives: Vec<Drive<[f32; D]>>,
    changes: Vec<(u64, Change<D>)>,
    every: u32,
}

/// Boids, arrivals, and who left an absorbing domain.
type Row<const D: usize> = (Vec<(u64, [u32; D], [u32; D])>, Vec<(u64, usize)>, Vec<u64>);

/// What the textbook makes of it.
fn wanted<const D: usize>(run: &Run<D>) -> Vec<Row<D>> {
    let mut flock = TextbookFlock { drives: run.drives.clone(), ..textbook(&run.case) };
    let mut forces = HeldForces::new(run.every).unwrap();
    let mut next = flock.boids.iter().map(|b| b.id).max().map_or(0, |id| id + 1);
    (0..STEPS)
        .map(|step| {
            for (_, change) in run.changes.iter().filter(|(at, _)| *at == step) {
                let lives = |id: u64| flock.boids.iter().any(|b| b.id == id);
                match change.clone() {
                    Change::Add(position, velocity) => {
                        flock.boids.push(TextbookBoid { id: next, position, velocity });
                        next += 1;
                    }
                    Change::Remove(id) => flock.boids.retain(|b| b.id != id),
                    Change::Goal(id, goal) if lives(id) => flock.set_goal(id, goal),
                    Change::Goal(..) => {}
                    Change::Drives(drives) => flock.set_drives(drives),
                }
            }
            flock.step_holding(run.case.dt, &mut forces);
            (
                bits(flock.boids.iter().map(|b| (b.id, b.position, b.velocity))),
                flock.arrived.clone(),
                flock.left.clone(),
            )
        })
        .collect()
}

pub fn arrival(event: &Event) -> (BoidId, usize) {
    match *event {
        Event::Arrived { boid, drive } => (boid, drive.get()),
        other => panic!("{other:?}"),
    }
}

fn check<const D: usize>(run: &Run<D>, random: &mut Random) {
    let wanted = wanted(run);
    for level in Level::available() {
        let (threads, batch) = random.one_of(&[(1, 512), (1, 5), (3, 4)]);
        let storage = random.one_of(&[Storage::Automatic, Storage::Sparse]);
        let crowds = random.one_of(&[Crowds::Automatic, Crowds::Always]);
        let builder = builder(&run.case, level, threads, storage)
            .batch(batch)
            .crowds(crowds)
            .steer_every(run.every);
        let mut flock = builder.drives(run.drives.clone()).build().unwrap();
        for (step, wanted) in (0..).zip(&wanted) {
            for (_, change) in run.changes.iter().filter(|(at, _)| *at == step) {
                let lives = |id: u64| flock.frame().living().contains(&BoidId::new(id));
                match change.clone() {
                    Change::Add(position, velocity) => drop(flock.add(position, velocity).unwrap()),
                    Change::Remove(id) if lives(id) => flock.remove(&[BoidId::new(id)]).unwrap(),
                    Change::Goal(id, goal) if lives(id) => {
                        flock.set_goal(BoidId::new(id), goal).unwrap()
                    }
                    Change::Drives(drives) => flock.set_drives(drives).unwrap(),
                    _ => {}
                }
            }
            let explained = flock.frame().living().get(random.below(60)).copied();
            let explained = explained.map(|id| {
                (id, flock.explain(id, TimeStep::new(run.case.dt).unwrap()).unwrap().advance)
            });
            flock.step(TimeStep::new(run.case.dt).unwrap());
            let found = bits(flock.frame().by_slot().map(|b| (b.id.get(), b.position, b.velocity)));
            let at = || {
                let Case { seed, name, .. } = &run.case;
                format!(
                    "seed {seed} {name} {D}-D {level} {crowds:?} n = {} step {step}\n{:#?}\n{:?}",
                    run.every, run.drives, run.case
                )
            };
            assert_eq!(found.len(), wanted.0.len(), "boids: {}", at());
            for (found, wanted) in found.iter().zip(&wanted.0) {
                assert_eq!(found, wanted, "id, position, velocity: {}", at());
            }
            let (arrived, left): (Vec<&Event>, Vec<&Event>) =
                flock.events().iter().partition(|event| matches!(event, Event::Arrived { .. }));
            let arrived = arrived.into_iter().map(arrival).map(|(boid, drive)| (boid.get(), drive));
            assert_eq!(arrived.collect::<Vec<_>>(), wanted.1, "arrivals: {}", at());
            assert_eq!(
                left.into_iter().map(leaver).collect::<Vec<_>>(),
                wanted.2,
                "who left: {}",
                at()
            );
            let finite = |b: Boid<D>| b.position.all_finite() && b.velocity.all_finite();
            assert!(flock.frame().by_slot().all(finite), "NaN or infinity: {}", at());
            // Why a boid goes where it goes is what it does, drives included; some have left.
            if let Some((id, advanced)) = explained
                && let Ok(boid) = flock.frame().find(id)
            {
                assert_eq!(
                    advanced.position.map(f32::to_bits),
                    boid.position.map(f32::to_bits),
                    "explained {id}: {}",
                    at()
                );
            }
        }
    }
}

fn run<const D: usize>(seed: u64, numbers: &[usize], kind: &str, state: &str) {
    let mut random = Random::new(seed);
    let cohesion = Cohesion {
        weight: 0.3,
        perception: Perception { radius: 0.8, ..Default::default() },
        ..Default::default()
    };
    let mut params = Params {
        rules: Rules { separation: random.coin().then(Separation::default), ..Default::default() },
        ..Default::default()
    };
    params.rules.cohesion = random.coin().then_some(cohesion);
    params.rules.alignment = random.coin().then(|| random.one_of(&alignments()));
    if random.coin() {
        perceive(&mut params, 1.0, &mut random);
    }
    params.max_neighbors = random.one_of(&[None, None, Some(3)]);
    (params.combine, params.priority) = combine(random.below(COMBINES), &mut random);
    params.priority.extend(random.coin().then_some(Term::Drive(0)));
    params.agent.max_force = random.one_of(&[5.0, 0.7, 1e3]);
    params.agent.mass = random.one_of(&[1.0, 0.3]);
    let domain = domain::<D>(kind, 1.0, &mut random);
    let boids = boids(state, &domain, 1.0, &mut random);
    let ids: Vec<u64> = boids.iter().map(|b| b.id).collect();
    let driven = drives(numbers, &domain, &ids, 0, &mut random);
    let mut others = driven.clone();
    others.reverse();
    others[0].weight = 0.7;
    for (place, drive) in others.iter_mut().enumerate() {
        drive.name = format!("other {place}");
    }
    let boid = |random: &mut Random| random.one_of(&ids);
    // Leaders may not have left when drives are changed.
    let follows = driven.iter().any(|drive| matches!(drive.kind, DriveKind::Leader(_)));
    let mut changes: Vec<(u64, Change<D>)> = Vec::new();
    for step in [0, 1, 4, 9] {
        changes.push((step, Change::Goal(boid(&mut random), Some(place(&domain, &mut random)))));
    }
    changes.push((5, Change::Goal(boid(&mut random), None)));
    changes.push((2, Change::Add(place(&domain, &mut random), [0.1; D])));
    if !follows && !numbers.contains(&1) {
        changes.push((6, Change::Remove(boid(&mut random))));
    }
    changes.push((6, Change::Drives(if follows { Vec::new() } else { others.clone() })));
    changes.push((8, Change::Remove(ids[0])));
    if !follows {
        changes.push((11, Change::Drives(driven.clone())));
    }
    let case = Case {
        seed,
        name: format!("{kind} {state} {numbers:?}"),
        params,
        domain,
        boids,
        dt: random.one_of(&[0.02, 0.3]),
    };
    let every = random.one_of(&[1, 1, 3]);
    check(&Run { case, drives: driven, changes, every }, &mut random);
}

const DRIVEN_STATES: [&str; 6] =
    ["uniform", "clump", "at_rest", "across_the_wrap", "one_point", "outlier"];

#[test]
fn every_drive_agrees_with_its_definition() {
    let mut seed = 7_000_000u64;
    for number in 0..KINDS_OF_DRIVES {
        for kind in KINDS {
            for state in DRIVEN_STATES {
                seed += 1;
                let every = if kind == "periodic" { 2 } else { 4 };
                if !tier::full() && !seed.is_multiple_of(every) {
                    continue;
                }
                run::<2>(seed, &[number], kind, state);
                run::<3>(seed, &[number], kind, state);
            }
        }
    }
}

/// A term of a negative weight is −0 where its drive does not act: zeros sum to the sign that the
/// textbook has.
#[test]
fn drives_that_do_not_act_add_the_zero_of_their_definition() {
    let wind = |name: &str, when, from| Drive {
        weight: -0.5,
        when,
        from,
        ..Drive::new(name, Wind { vector: [1.0, 2.0], drag: false })
    };
    let model = steer::model::CuckerSmale { strength: 0.0, ..Default::default() };
    let boids = (0..9).map(|id| TextbookBoid {
        id,
        position: [0.1 * id as f32, 0.0],
        velocity: [0.3 * id as f32 - 1.2, 0.4 * (id % 3) as f32],
    });
    let case = Case {
        seed: 1,
        name: "zeros".into(),
        params: Params { model: Some(model.into()), ..Default::default() },
        domain: Domain::open(),
        boids: boids.collect(),
        dt: 0.1,
    };
    let drives = vec![wind("resting", When::Resting, 0.0), wind("later", When::Always, 5.0)];
    let book = TextbookFlock { drives: drives.clone(), ..textbook(&case) };
    let wanted = book.steering(&book.slot_order()).into_iter().map(|force| force.map(f32::to_bits));
    let wanted: Vec<_> = book.boids.iter().map(|boid| boid.id).zip(wanted).collect();
    assert!(wanted.iter().any(|(_, force)| force[0] == (-0.0f32).to_bits()), "{wanted:?}");
    for level in Level::available() {
        let builder = builder(&case, level, 1, Storage::Automatic).drives(drives.clone());
        let mut flock = builder.build().unwrap();
        flock.sort();
        flock.steer();
        let frame = flock.frame();
        for (id, force) in &wanted {
            let slot = frame.ids().position(|found| found.get() == *id).unwrap();
            let found = [0, 1].map(|a| frame.steering(a)[slot].to_bits());
            assert_eq!(found, *force, "boid {id} at {level}");
        }
    }
}

#[test]
fn many_drives_agree_with_their_definitions() {
    let mut random = Random::new(3);
    for seed in 0..60 {
        let numbers: Vec<usize> =
            (0..1 + random.below(MAX_DRIVES)).map(|_| random.below(KINDS_OF_DRIVES)).collect();
        let (kind, state) = (random.one_of(&KINDS), random.one_of(&DRIVEN_STATES));
        run::<2>(7_100_000 + seed, &numbers, kind, state);
        run::<3>(7_100_000 + seed, &numbers, kind, state);
    }
}
