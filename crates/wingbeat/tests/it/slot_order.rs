//! Each sort starts from the order of the last; it must give what sorting from scratch gives,
//! whatever boids moved, came or went.

use crate::common::{KINDS, Random, STATES, boids, domain};
use wingbeat::drive;
use wingbeat::steer::Cells;
use wingbeat::steer::*;
use wingbeat::*;
use wingbeat_test_support::tier;

/// Everyone, in the order the flock has them, which is also checked to be the contract's.
fn in_order<const D: usize>(
    flock: &Flock<D>,
    cells: &Cells<[f32; D]>,
    context: &str,
) -> Vec<Boid<D>> {
    let found: Vec<Boid<D>> = flock.frame().by_slot().collect();
    let wanted = cells.slot_order(found.iter().map(|boid| (boid.position, boid.id.get())));
    assert!(
        wanted.iter().enumerate().all(|(slot, &index)| slot == index),
        "{context}: not in slot order"
    );
    found
}

/// Random changes between sorts: a few boids move, many move, everyone moves, some come, some go.
fn change<const D: usize>(flock: &mut Flock<D>, random: &mut Random) {
    let ids: Vec<BoidId> = flock.frame().by_id().map(|boid| boid.id).collect();
    match random.below(6) {
        0 => flock.step(TimeStep::new(0.02).unwrap()),
        1 => flock.step(TimeStep::new(2.0).unwrap()),
        2 => {
            let gone: Vec<BoidId> = ids.iter().copied().filter(|_| random.below(10) == 0).collect();
            flock.remove(&gone).unwrap();
        }
        3 => {
            let position = flock.frame().find(ids[random.below(ids.len())]).unwrap().position;
            flock.add(position, [0.0; D]).unwrap();
            // As many as before, but not the same.
            if random.coin() {
                flock.remove(&[ids[random.below(ids.len())]]).unwrap();
            }
        }
        few_or_many => {
            // Somewhere where a boid is: inside every domain.
            for _ in 0..if few_or_many == 4 { 3 } else { ids.len() / 4 } {
                let to = flock.frame().find(ids[random.below(ids.len())]).unwrap().position;
                flock.set_position(ids[random.below(ids.len())], to).unwrap();
            }
        }
    }
}

fn resorted_equals_sorted<const D: usize>(seed: u64) {
    let mut random = Random::new(seed);
    let (kind, state) = (random.one_of(&KINDS), random.one_of(&STATES));
    let context = format!("seed {seed}, {D}-D {kind} {state}");
    let domain = domain::<D>(kind, 1.0, &mut random);
    // Ten copies of a state: cells with many, and several tasks.
    let mut copies = Vec::new();
    for copy in 0..10 {
        for boid in boids(state, &domain, 1.0, &mut random) {
            copies.push(Boid {
                id: BoidId::new(boid.id * 10 + copy),
                position: boid.position,
                velocity: boid.velocity,
            });
        }
    }
    let params = Params { rules: Cohesion::default().into(), ..Default::default() };
    let builder = || {
        Flock::<D>::builder().params(params.clone()).domain(domain).threads(1 + (seed % 2) as usize)
    };
    let mut flock = builder().boids_with_ids(copies).build().unwrap();
    let cells = Cells::new(params.largest_radius(), None, &domain);
    for round in 0..12 {
        if flock.is_empty() {
            return;
        }
        let context = format!("{context}, round {round}");
        change(&mut flock, &mut random);
        flock.sort();
        let mut fresh =
            builder().boids_with_ids(in_order(&flock, &cells, &context)).build().unwrap();
        // Counting neighbors goes through the cells' slots.
        assert_eq!(flock.mean_neighbors(), fresh.mean_neighbors(), "{context}");
    }
}

#[test]
fn an_order_does_not_depend_on_the_one_before() {
    for seed in 0..tier::either(20, 60) {
        resorted_equals_sorted::<2>(seed);
        resorted_equals_sorted::<3>(seed);
    }
}

/// Places for a state that is hard on a sort which divides the flock: in no order at all.
fn places<const D: usize>(state: &str, count: usize, random: &mut Random) -> Vec<[f32; D]> {
    let side = (1..).find(|side: &usize| (0..D).fold(1, |cells, _| cells * side) >= count).unwrap();
    let mut places: Vec<[f32; D]> = (0..count)
        .map(|i| {
            let mut rest = i;
            std::array::from_fn(|_| match state {
                "one cell" => random.within(0.5, 0.501),
                "one in each cell" => {
                    let at = rest % side;
                    rest /= side;
                    at as f32 + 0.25
                }
                "two crowds" => {
                    random.within(0.0, 0.3) + if i % 2 == 0 { 0.0 } else { side as f32 - 0.4 }
                }
                "one row" => 0.5,
                _ => random.within(0.0, side as f32 * 0.999),
            })
        })
        .collect();
    if state == "one row" {
        places.iter_mut().for_each(|place| place[0] = random.within(0.0, side as f32 * 0.999));
    }
    for i in (1..count).rev() {
        places.swap(i, random.below(i + 1));
    }
    places
}

/// Sorts a flock that lies in no order, then one that is nearly in order, and looks at the order
/// both times.
fn divided<const D: usize>(
    state: &str,
    seed: u64,
    storage: Storage,
    domain: Domain<[f32; D]>,
    whole: &[BoidId],
) {
    let mut random = Random::new(seed);
    let count = whole.len();
    let (first, second) =
        (places::<D>(state, count, &mut random), places::<D>(state, count, &mut random));
    let params = Params { rules: Cohesion::default().into(), ..Default::default() };
    let cells = Cells::new(params.largest_radius(), None, &domain);
    let mut found: Option<Vec<[Vec<u64>; 3]>> = None;
    for threads in tier::sample([1, 2, 3, 7], 2) {
        let mut of_batches = Vec::new();
        for batch in tier::sample([1, 7, 512], 2) {
            let context = format!(
                "{D}-D {state} {storage:?} {:?}, {threads} threads, batch {batch}",
                domain.boundary
            );
            let builder = Flock::<D>::builder()
                .params(params.clone())
                .domain(domain)
                .threads(threads)
                .batch(batch)
                .storage(storage);
            let mut flock = builder.boids(&first, &vec![[0.0; D]; count]).build().unwrap();
            let sorted = |flock: &mut Flock<D>| -> Vec<u64> {
                flock.sort();
                in_order(flock, &cells, &context).iter().map(|boid| boid.id.get()).collect()
            };
            let once = sorted(&mut flock);
            // A few are elsewhere.
            let moves: Vec<_> = (0..count / 20).map(|i| (whole[i * 20], second[i])).collect();
            flock.set_positions(&moves).unwrap();
            let again = sorted(&mut flock);
            flock.set_state(&second, &vec![[0.0; D]; count]).unwrap();
            of_batches.push([once, again, sorted(&mut flock)]);
        }
        // Whatever the batch, too.
        assert!(
            of_batches.iter().all(|orders| *orders == of_batches[0]),
            "{D}-D {state} {storage:?}, {threads} threads"
        );
        let wanted = found.get_or_insert_with(|| of_batches.clone());
        assert!(*wanted == of_batches, "{D}-D {state} {storage:?}, {threads} threads");
    }
}

#[test]
fn threads_and_batches_do_not_change_the_order() {
    // Enough for several buckets (grid/dense.rs), of which each part has some.
    let whole: Vec<BoidId> = (0..20_000).map(BoidId::new).collect();
    for (seed, state) in ["one cell", "one in each cell", "two crowds", "one row", "anywhere"]
        .into_iter()
        .enumerate()
    {
        for storage in [Storage::Automatic, Storage::Sparse] {
            let seed = seed as u64;
            divided::<2>(state, seed, storage, Domain::open(), &whole);
            divided::<3>(state, seed, storage, Domain::open(), &whole);
            divided::<2>(state, seed, storage, Domain::periodic([0.0; 2], [142.0; 2]), &whole);
            divided::<3>(state, seed, storage, Domain::periodic([0.0; 3], [28.0; 3]), &whole);
        }
    }
}

/// Whichever boids leave, they leave the same flock behind on any number of threads, and one that
/// goes on as well.
#[test]
fn those_who_leave_leave_the_same_behind() {
    let mut wanted: Option<(Vec<Boid<3>>, u64)> = None;
    for threads in tier::sample([1, 2, 3, 7], 2) {
        for batch in tier::sample([1, 7, 512], 2) {
            let (min, max) = ([0.0; 3], [12.0; 3]);
            let spawn = Spawn { shape: Shape::Box { min, max }, speed: 1.0, ..Spawn::default() };
            let goal = drive::Goal {
                target: Some([6.0; 3]),
                arrival_radius: 0.5,
                on_arrival: drive::OnArrival::Leave,
                ..Default::default()
            };
            let drives = vec![
                Drive::new("door", goal),
                Drive::new("after", drive::Leader::each((0..500).map(|i| (i * 3 + 1, i * 3)))),
                Drive::new("all", drive::Leader::common(4_444)),
                Drive::new(
                    "wander",
                    drive::WanderParameters { interval: 0.1, ..Default::default() },
                ),
            ];
            let params = Params { rules: Separation::default().into(), ..Default::default() };
            let builder = Flock3::builder()
                .params(params)
                .domain(Domain::absorbing(min, max))
                .seed(7)
                .steer_every(2);
            let builder = builder.threads(threads).batch(batch).drives(drives).spawn(20_000, spawn);
            let mut flock = builder.build().unwrap();
            let mut events = 0u64;
            for step in 0..6 {
                flock.step(TimeStep::new(0.1).unwrap());
                events = events * 31 + flock.events().len() as u64;
                if step == 2 {
                    let gone: Vec<BoidId> =
                        flock.frame().living().iter().copied().step_by(7).collect();
                    flock.remove(&gone).unwrap();
                    assert!(
                        flock.remove(&gone[..1]).is_err()
                            && flock.remove(&[flock.frame().living()[0]; 2]).is_err()
                    );
                }
            }
            let found = (flock.frame().by_slot().collect::<Vec<_>>(), events);
            assert!(found.0.len() < 17_000 && found.0.len() > 1000, "{}", found.0.len());
            let wanted = wanted.get_or_insert_with(|| found.clone());
            assert!(*wanted == found, "{threads} threads, batch {batch}");
        }
    }
}
