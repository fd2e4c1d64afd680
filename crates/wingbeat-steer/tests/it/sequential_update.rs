//! Boids that move one after the other, on small cases worked out by hand from the tools' own
//! procedures.

use wingbeat_steer::model::{Mason, Mesa, NetLogo, Unity};
use wingbeat_steer::{Domain, Model, TextbookBoid, step_sequentially, update_order};

type Boid = ([f32; 2], [f32; 2]);

fn boids(states: &[Boid]) -> Vec<TextbookBoid<[f32; 2]>> {
    states
        .iter()
        .zip(0..)
        .map(|(&(position, velocity), id)| TextbookBoid { id, position, velocity })
        .collect()
}

/// A seed that gives the boids their turns in this order.
fn seed_for(order: &[usize]) -> u64 {
    let still = boids(&vec![([0.0; 2], [0.0; 2]); order.len()]);
    (0..1000)
        .find(|&seed| update_order(&still, seed, 0) == order)
        .expect("every order of a few comes up in a thousand seeds")
}

/// The boids after a step of 1 in which they had their turns in this order.
fn stepped(
    model: impl Into<Model>,
    order: &[usize],
    domain: &Domain<[f32; 2]>,
    states: &[Boid],
) -> Vec<Boid> {
    let mut all = boids(states);
    assert!(step_sequentially(&model.into(), domain, (seed_for(order), 0), 1.0, &mut all));
    all.into_iter().map(|boid| (boid.position, boid.velocity)).collect()
}

#[track_caller]
fn near(found: [f32; 2], expected: [f32; 2]) {
    for a in 0..2 {
        assert!((found[a] - expected[a]).abs() < 2e-6, "{found:?}, but by hand {expected:?}");
    }
}

/// A heading so many degrees left of +x.
fn at(degrees: f32) -> [f32; 2] {
    let radians = f64::from(degrees).to_radians();
    [libm::cos(radians) as f32, libm::sin(radians) as f32]
}

#[test]
fn mesas_second_boid_sees_where_the_first_has_gone() {
    let model =
        Mesa { cohere_factor: 1.0, separate_factor: 0.0, match_factor: 0.0, ..Mesa::default() };
    let (left, right) = (([0.0, 0.0], [0.0, 1.0]), ([3.0, 0.0], [0.0, 1.0]));
    // The first: unit((0, 1) + (3, 0)) = (3, 1)/√10, and there it goes.
    // The second: unit((0, 1) + (0.948683 − 3, 0.316228)) = (−2.051317, 1.316228)/2.437285.
    let found = stepped(model, &[0, 1], &Domain::open(), &[left, right]);
    near(found[0].0, [0.948_683, 0.316_228]);
    near(found[1].1, [-0.841_640, 0.540_039]);
    near(found[1].0, [3.0 - 0.841_640, 0.540_039]);
    // The other way round it is the mirror image.
    let found = stepped(model, &[1, 0], &Domain::open(), &[left, right]);
    near(found[1].0, [3.0 - 0.948_683, 0.316_228]);
    near(found[0].0, [0.841_640, 0.540_039]);
}

#[test]
fn mesas_boids_see_and_go_through_the_seam_of_a_torus() {
    let model = Mesa {
        cohere_factor: 1.0,
        separate_factor: 0.0,
        match_factor: 0.0,
        vision: 4.0,
        ..Mesa::default()
    };
    let torus = Domain::periodic([0.0; 2], [10.0; 2]);
    // As above, moved to the seam: 9 and 3 to its right, which is 2.
    let found =
        stepped(model, &[1, 0], &torus, &[([9.0, 5.0], [0.0, 1.0]), ([2.0, 5.0], [0.0, 1.0])]);
    near(found[1].0, [2.0 - 0.948_683, 5.316_228]);
    near(found[0].0, [9.0 + 0.841_640, 5.540_039]);
    let found =
        stepped(model, &[0, 1], &torus, &[([9.5, 5.0], [0.0, 1.0]), ([2.5, 5.0], [0.0, 1.0])]);
    near(found[0].0, [0.448_683, 5.316_228]);
}

#[test]
fn masons_three_flockers_follow_those_who_have_gone() {
    let model = Mason {
        avoidance: 0.0,
        randomness: 0.0,
        consistency: 0.0,
        momentum: 0.0,
        ..Mason::default()
    };
    let rest = [0.0; 2];
    let found = stepped(
        model,
        &[0, 1, 2],
        &Domain::open(),
        &[([0.0, 0.0], rest), ([4.0, 0.0], rest), ([4.0, 4.0], rest)],
    );
    // 0.7 along (4, 0) + (4, 4); then along (−3.373901, 0.313050) + (0, 4); then along the ways to
    // where both are now.
    near(found[0].0, [0.626_099, 0.313_050]);
    near(found[1].0, [3.568_705, 0.551_349]);
    near(found[2].0, [3.670_619, 3.382_336]);
}

#[test]
fn netlogos_birds_see_new_headings_at_old_places() {
    let model = NetLogo { max_cohere_turn: 0.0, ..NetLogo::default() };
    let states = [([0.0, 0.0], at(0.0)), ([2.0, 0.0], at(4.0))];
    // At once they would exchange headings. In turn the first takes the second's, and the second
    // finds itself aligned.
    let found = stepped(model, &[0, 1], &Domain::open(), &states);
    found.iter().for_each(|boid| near(boid.1, at(4.0)));
    let found = stepped(model, &[1, 0], &Domain::open(), &states);
    found.iter().for_each(|boid| near(boid.1, at(0.0)));
    near(found[0].0, [1.0, 0.0]);
    // 1.05 apart: had the first gone its way of 1, the second would turn from it, to 4.5°. It
    // aligns, as places change in the end.
    let model = NetLogo { max_align_turn: 1.0, ..model };
    let found =
        stepped(model, &[0, 1], &Domain::open(), &[([0.0, 0.0], at(0.0)), ([1.05, 0.0], at(3.0))]);
    near(found[0].1, at(1.0));
    near(found[1].1, at(2.0));
}

#[test]
fn every_step_draws_an_order_of_its_own_and_all_orders_are_as_likely() {
    let three = boids(&[([0.0; 2], [0.0; 2]); 3]);
    let mut counts = std::collections::BTreeMap::new();
    for step in 0..6000 {
        *counts.entry(update_order(&three, 9, step)).or_insert(0) += 1;
    }
    // 1000 each, with a standard deviation of 29.
    assert!(
        counts.len() == 6 && counts.values().all(|count| (880..1120).contains(count)),
        "seed 9: {counts:?}"
    );
    // Who is there, and not where in the list, decides whose turn it is.
    let mut other = three.clone();
    other.remove(0);
    for step in 0..50 {
        let ids = |boids: &[TextbookBoid<[f32; 2]>]| {
            update_order(boids, 9, step).into_iter().map(|i| boids[i].id).collect::<Vec<_>>()
        };
        let kept: Vec<u64> = ids(&three).into_iter().filter(|&id| id != 0).collect();
        assert_eq!(ids(&other), kept, "step {step}");
    }
}

#[test]
fn models_that_move_everyone_at_once_are_not_stepped() {
    let mut all = boids(&[([0.0; 2], [1.0, 0.0]), ([1.0; 2], [1.0, 0.0])]);
    let before = all.clone();
    assert!(!step_sequentially(
        &Model::from(Unity::default()),
        &Domain::open(),
        (1, 0),
        1.0,
        &mut all
    ));
    assert_eq!(all, before);
}
