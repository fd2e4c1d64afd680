//! Each sort starts from the order of the last; it must give what sorting from scratch gives, whoever moved, came or went.

use crate::common::{KINDS, Random, STATES, boids, domain};
use wingbeat::steer::Cells;
use wingbeat::*;

/// Everyone, in the order the flock has them, which is also checked to be the contract's.
fn in_order<const D: usize>(flock: &Flock<D>, cells: &Cells<[f32; D]>, context: &str) -> Vec<Boid<D>> {
    let found: Vec<Boid<D>> = flock.frame().by_slot().collect();
    let wanted = cells.slot_order(found.iter().map(|boid| (boid.position, boid.id.get())));
    assert!(wanted.iter().enumerate().all(|(slot, &index)| slot == index), "{context}: not in slot order");
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
            // Somewhere where somebody is: inside every domain.
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
            copies.push(Boid { id: BoidId::new(boid.id * 10 + copy), position: boid.position, velocity: boid.velocity });
        }
    }
    let params = Params { cohesion: Some(Cohesion::default()), ..Default::default() };
    let builder = || Flock::<D>::builder().params(params.clone()).domain(domain).threads(1 + (seed % 2) as usize);
    let mut flock = builder().boids_with_ids(copies).build().unwrap();
    let cells = Cells::new(params.largest_radius(), None, &domain);
    for round in 0..12 {
        if flock.is_empty() {
            return;
        }
        let context = format!("{context}, round {round}");
        change(&mut flock, &mut random);
        flock.sort();
        let mut fresh = builder().boids_with_ids(in_order(&flock, &cells, &context)).build().unwrap();
        // Counting neighbours goes through the cells' slots.
        assert_eq!(flock.mean_neighbors(), fresh.mean_neighbors(), "{context}");
    }
}

#[test]
fn an_order_does_not_depend_on_the_one_before() {
    for seed in 0..60 {
        resorted_equals_sorted::<2>(seed);
        resorted_equals_sorted::<3>(seed);
    }
}
