//! A flock that steers every n steps equals the textbook that does, bit for bit, whatever it runs
//! on, and works less.

use crate::common::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use wingbeat::simd::Vectors;
use wingbeat::steer::*;
use wingbeat::steer::{HeldForces, TextbookBoid};
use wingbeat::*;
use wingbeat_test_support::tier;

const STEPS: u64 = 24;

/// Bits of a boid: id, then of the force it holds, then of its position and velocity after the
/// step.
type Bits<const D: usize> = (u64, [u32; D], [u32; D], [u32; D]);

/// What happens to a flock before a step.
#[derive(Clone, Debug)]
enum Event<const D: usize> {
    Add([f32; D], [f32; D]),
    Remove(Vec<u64>),
    Params(Box<Params>),
}

/// Newcomers, losses and other rules, at steps that no n divides alike.
fn events<const D: usize>(case: &Case<D>, random: &mut Random) -> Vec<(u64, Event<D>)> {
    let some = |random: &mut Random| case.boids[random.below(case.boids.len())];
    let mut events: Vec<(u64, Event<D>)> = [3, 3, 8, 13, 20]
        .map(|step| (step, Event::Add(some(random).position, some(random).velocity)))
        .to_vec();
    let gone: Vec<u64> = case.boids.iter().map(|b| b.id).filter(|_| random.below(5) == 0).collect();
    let (early, late) = gone.split_at(gone.len() / 2);
    events.extend([(5, Event::Remove(early.to_vec())), (14, Event::Remove(late.to_vec()))]);
    let mut params = case.params.clone();
    params.agent.max_force *= 0.5;
    if let Some(rule) = &mut params.rules.cohesion {
        rule.perception.radius *= 0.5;
    }
    events.push((11, Event::Params(Box::new(params))));
    events
}

fn textbook_bits<const D: usize>(
    case: &Case<D>,
    every: u32,
    events: &[(u64, Event<D>)],
) -> Vec<Vec<Bits<D>>> {
    let mut flock = textbook(case);
    let mut forces = HeldForces::new(every).unwrap();
    let mut next = flock.boids.iter().map(|b| b.id).max().map_or(0, |id| id + 1);
    let mut rows = Vec::new();
    for step in 0..STEPS {
        for (_, event) in events.iter().filter(|(at, _)| *at == step) {
            match event.clone() {
                Event::Add(position, velocity) => {
                    flock.boids.push(TextbookBoid { id: next, position, velocity });
                    next += 1;
                }
                Event::Remove(ids) => flock.boids.retain(|b| !ids.contains(&b.id)),
                Event::Params(params) => flock.set_params(*params),
            }
        }
        flock.step_holding(case.dt, &mut forces);
        let bits = |v: [f32; D]| v.map(f32::to_bits);
        let row = |b: &TextbookBoid<[f32; D]>| {
            (b.id, bits(forces.of(b.id).unwrap()), bits(b.position), bits(b.velocity))
        };
        let mut now: Vec<Bits<D>> = flock.boids.iter().map(row).collect();
        now.sort_unstable();
        rows.push(now);
    }
    rows
}

fn check<const D: usize>(case: &Case<D>, every: u32, random: &mut Random) {
    let events = events(case, random);
    let wanted = textbook_bits(case, every, &events);
    for level in Level::available() {
        for storage in [Storage::Automatic, Storage::Sparse] {
            let (threads, batch) = random.one_of(&[(1, 512), (1, 5), (3, 1), (3, 4)]);
            let mut flock = builder(case, level, threads, storage)
                .batch(batch)
                .steer_every(every)
                .build()
                .unwrap();
            for (step, wanted) in (0..).zip(&wanted) {
                for (_, event) in events.iter().filter(|(at, _)| *at == step) {
                    match event.clone() {
                        Event::Add(position, velocity) => {
                            flock.add(position, velocity).unwrap();
                        }
                        Event::Remove(ids) => {
                            let living = flock.frame().living().to_vec();
                            let ids =
                                ids.into_iter().map(BoidId::new).filter(|id| living.contains(id));
                            flock.remove(&ids.collect::<Vec<_>>()).unwrap();
                        }
                        Event::Params(params) => flock.set_params(*params).unwrap(),
                    }
                }
                if random.below(4) == 0 {
                    flock.mean_neighbors(); // sorts
                }
                flock.step(TimeStep::new(case.dt).unwrap());
                let frame = flock.frame();
                let bits = |v: [f32; D]| v.map(f32::to_bits);
                // A frame has no steering where boids have left an absorbing domain; what they hold
                // shows in the next step.
                let told = flock.events().is_empty();
                let force = |slot: usize| {
                    std::array::from_fn(|a| if told { frame.steering(a)[slot] } else { 0.0 })
                };
                let row = |(slot, b): (usize, Boid<D>)| {
                    (b.id.get(), bits(force(slot)), bits(b.position), bits(b.velocity))
                };
                let mut found: Vec<Bits<D>> = frame.by_slot().enumerate().map(row).collect();
                found.sort_unstable();
                let held =
                    |&(id, force, x, v): &Bits<D>| (id, if told { force } else { [0; D] }, x, v);
                for (found, wanted) in found.iter().zip(wanted.iter().map(held)) {
                    let at = || {
                        format!(
                            "seed {} {D}-D {level} {storage:?} {threads} threads, batch {batch}",
                            case.seed
                        )
                    };
                    assert_eq!(*found, wanted, "n = {every} step {step}: {}\n{case:?}", at());
                }
                assert_eq!(found.len(), wanted.len());
            }
        }
    }
}

fn run<const D: usize>(seed: u64, every: u32, kind: &str, state: &str, combination: usize) {
    let mut random = Random::new(seed);
    let mut params = Params {
        rules: Rules {
            separation: Some(random.one_of(&separations())),
            alignment: Some(random.one_of(&alignments())),
            cohesion: Some(random.one_of(&cohesions())),
            ..Default::default()
        },
        ..Default::default()
    };
    perceive(&mut params, 1.0, &mut random);
    (params.combine, params.priority) = combine(combination, &mut random);
    let radius = params.largest_radius();
    let domain = domain::<D>(kind, radius, &mut random);
    let mut boids = boids(state, &domain, radius, &mut random);
    // An id at the far end: id + step has to be found without overflow.
    boids.push(TextbookBoid {
        id: u64::MAX - 20,
        position: boids[0].position,
        velocity: boids[0].velocity,
    });
    let case = Case {
        seed,
        name: format!("{kind} {state}"),
        params,
        domain,
        boids,
        dt: random.one_of(&[0.02, 0.3]),
    };
    check(&case, every, &mut random);
}

#[test]
fn a_sliced_flock_agrees_with_the_textbook() {
    let mut random = Random::new(9);
    let mut seed = 3_000_000;
    for every in [2, 3, 7, 1000] {
        for kind in KINDS {
            for state in STATES.iter().filter(|&&state| state != "few") {
                seed += 1;
                if !tier::full() && random.below(4) != 0 {
                    continue;
                }
                let combination = random.below(COMBINES);
                run::<2>(seed, every, kind, state, combination);
                run::<3>(seed, every, kind, state, combination);
            }
        }
    }
}

fn params() -> Params {
    Params {
        rules: Rules {
            separation: Some(Separation { weight: 2.5, ..Default::default() }),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    }
}

fn dt() -> TimeStep {
    TimeStep::new(0.05).unwrap()
}

/// Some fifteen neighbors each, so that no boid is alone.
fn flock(boids: usize) -> FlockBuilder<3> {
    let side =
        (1..).map(|side| side as f32).find(|side| side * side * side > boids as f32 / 4.0).unwrap();
    let (min, max) = ([0.0; 3], [side; 3]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    Flock3::builder()
        .params(params())
        .domain(Domain::periodic(min, max))
        .seed(4)
        .threads(1)
        .spawn(boids, spawn)
}

fn hash_after(mut flock: Flock3, steps: usize) -> u64 {
    (0..steps).for_each(|_| flock.step(dt()));
    observe::state_hash(&flock.frame())
}

#[test]
fn levels_threads_batches_and_storages_agree() {
    for every in [2, 5] {
        let wanted =
            hash_after(flock(3000).steer_every(every).level(Level::Portable).build().unwrap(), 12);
        for level in Level::available() {
            for threads in [1, 2, 3, 8] {
                for (batch, storage) in
                    [(512, Storage::Automatic), (64, Storage::Sparse), (7, Storage::Automatic)]
                {
                    let builder = flock(3000)
                        .steer_every(every)
                        .level(level)
                        .threads(threads)
                        .batch(batch)
                        .storage(storage);
                    assert_eq!(
                        hash_after(builder.build().unwrap(), 12),
                        wanted,
                        "n = {every} {level} {threads} {batch}"
                    );
                }
            }
        }
    }
}

#[test]
fn steering_every_step_is_what_a_flock_does_unasked() {
    let unasked = hash_after(flock(1000).build().unwrap(), 10);
    assert_eq!(hash_after(flock(1000).steer_every(1).build().unwrap(), 10), unasked);
    assert_ne!(hash_after(flock(1000).steer_every(2).build().unwrap(), 10), unasked);
}

/// Forces by id, as bits.
fn forces(flock: &Flock3) -> Vec<[u32; 3]> {
    let frame = flock.frame();
    let mut forces = vec![[0; 3]; flock.len()];
    for (slot, id) in frame.ids().enumerate() {
        forces[id.get() as usize] = std::array::from_fn(|a| frame.steering(a)[slot].to_bits());
    }
    forces
}

/// Ids of those whose force changed in a step.
fn who_steers(flock: &mut Flock3) -> Vec<u64> {
    let before = forces(flock);
    flock.step(dt());
    let after = forces(flock);
    (0..)
        .zip(before.iter().zip(&after))
        .filter(|(_, (before, after))| before != after)
        .map(|(id, _)| id)
        .collect()
}

fn slice_at(boids: u64, step: u64, every: u64) -> Vec<u64> {
    (0..boids).filter(|id| (id + step).is_multiple_of(every)).collect()
}

/// Boids among neighbors never feel the same twice here, so a force that stays is a force that is
/// held.
#[test]
fn boids_take_turns_by_id_and_hold_their_force_in_between() {
    let mut flock = flock(400).steer_every(4).build().unwrap();
    flock.step(dt());
    for step in 1..9 {
        assert_eq!(who_steers(&mut flock), slice_at(400, step, 4), "step {step}");
    }
}

#[test]
fn a_change_of_turns_lets_everyone_steer_once() {
    let mut flock = flock(400).steer_every(4).build().unwrap();
    (0..5).for_each(|_| flock.step(dt()));
    flock.set_steer_every(4).unwrap();
    assert_eq!(who_steers(&mut flock), slice_at(400, 5, 4), "four is what it was");
    flock.set_steer_every(3).unwrap();
    assert_eq!(flock.steer_every(), 3);
    assert_eq!(who_steers(&mut flock).len(), 400);
    assert_eq!(who_steers(&mut flock), slice_at(400, 7, 3));
    for refused in [0, 1001, u32::MAX] {
        let wanted = format!("steer_every = {refused}: allowed is 1 to 1000");
        assert_eq!(flock.set_steer_every(refused).unwrap_err().to_string(), wanted);
        assert_eq!(self::flock(10).steer_every(refused).build().unwrap_err().to_string(), wanted);
    }
    assert_eq!(flock.steer_every(), 3, "a refusal changes nothing");

    flock.set_steer_every(1).unwrap();
    let boids = flock.frame().by_id().collect();
    let built = Flock3::builder()
        .params(params())
        .domain(*flock.domain())
        .seed(4)
        .boids_with_ids(boids)
        .build()
        .unwrap();
    assert_eq!(hash_after(flock, 5), hash_after(built, 5), "as if it had never been sliced");
}

/// A held direction means nothing as a force.
#[test]
fn forces_are_not_held_where_they_would_become_directions() {
    let mut flock = flock(400).steer_every(4).build().unwrap();
    (0..5).for_each(|_| flock.step(dt()));
    flock.set_params(Params { combine: Combine::Prioritized, ..params() }).unwrap();
    assert_eq!(who_steers(&mut flock), slice_at(400, 5, 4), "a force is a force");
    flock
        .set_params(Params { combine: Combine::Direction(Cruise::default()), ..params() })
        .unwrap();
    assert_eq!(who_steers(&mut flock).len(), 400);
    assert_eq!(who_steers(&mut flock), slice_at(400, 7, 4));
}

/// Counts the candidates its blocks look at.
struct Counter(Arc<AtomicU64>);

pair_rule! {
    impl<S, D> Rule for Counter {
        type Sum = Vectors<S, D>;
        fn perception(&self) -> Perception { Perception::default() }
        fn term(&self, s, own, pair) {
            self.0.fetch_add(1, Ordering::Relaxed);
            pair.offset
        }
        fn force(&self, s, own, sum) { sum }
    }
}

/// The work of the candidate loop falls with n, though the boids of a block lie further apart then.
#[test]
fn work_falls_with_the_share_that_steers() {
    for level in Level::available() {
        let candidates = |every: u32| {
            let count = Arc::new(AtomicU64::new(0));
            let builder = flock(6000).level(level).steer_every(every).rule(Counter(count.clone()));
            let mut flock = builder.build().unwrap();
            flock.step(dt());
            count.store(0, Ordering::Relaxed);
            (0..every).for_each(|_| flock.step(dt()));
            count.load(Ordering::Relaxed) as f64 / f64::from(every)
        };
        let all = candidates(1);
        for (every, share) in [(2, 0.9), (4, 0.7), (8, 0.5), (16, 0.3), (100, 0.06)] {
            let part = candidates(every) / all;
            assert!(part < share, "{level} n = {every}: {part} of the candidates of n = 1");
        }
    }
}
