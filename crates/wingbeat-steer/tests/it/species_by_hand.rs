//! Species on states that can be computed by hand: what engine and textbook share, and who is
//! picked of equals.

use wingbeat_steer::{
    Interaction, InteractionKind, Params, Species, SpeciesId, Stamina, TextbookBoid, TextbookFlock,
    Traits,
};

const HARE: usize = 0;
const FOX: usize = 1;

/// A flock of hares and foxes: id, species, position, velocity. Every boid's maximum speed is 2.
fn flock(
    interactions: Vec<Interaction>,
    boids: &[(u64, usize, [f32; 2], [f32; 2])],
) -> TextbookFlock<[f32; 2]> {
    let species = |name: &str| Species { name: name.into(), ..Default::default() };
    TextbookFlock {
        params: Params {
            species: vec![species("hare"), species("fox")],
            interactions,
            ..Default::default()
        },
        boids: boids
            .iter()
            .map(|&(id, _, position, velocity)| TextbookBoid { id, position, velocity })
            .collect(),
        traits: boids
            .iter()
            .map(|&(id, species, ..)| {
                (id, Traits { species: SpeciesId::new(species), ..Default::default() })
            })
            .collect(),
        ..Default::default()
    }
}

fn capture(radius: f32) -> Interaction {
    Interaction {
        capture_radius: radius,
        ..Interaction::new(SpeciesId::new(FOX), SpeciesId::new(HARE), InteractionKind::Pursue, 10.0)
    }
}

#[track_caller]
fn near(found: [f32; 2], wanted: [f32; 2]) {
    assert!(
        (found[0] - wanted[0]).abs() < 2e-6 && (found[1] - wanted[1]).abs() < 2e-6,
        "{found:?}, not {wanted:?}"
    );
}

#[test]
fn stamina_falls_while_busy_and_comes_back_at_rest() {
    let stamina = Stamina { capacity: 2.5, drain: 2.0, recover: 1.0 };
    let mut own = Traits::default();
    let mut after = |busy: bool, dt: f32| {
        own.tire(Some(&stamina), busy, dt);
        (own.spent, own.resting)
    };
    assert_eq!(after(false, 0.5), (0.0, false), "who is idle spends nothing");
    assert_eq!(after(true, 0.5), (1.0, false));
    assert_eq!(after(false, 0.5), (1.0, false), "and gets nothing back");
    assert_eq!(after(true, 0.5), (2.0, false));
    assert_eq!(
        after(true, 0.5),
        (2.5, true),
        "no more than the capacity is spent, and then it rests"
    );
    assert_eq!(after(true, 0.75), (1.75, true), "busy or not, it rests until it is full");
    assert_eq!(after(false, 0.75), (1.0, true));
    assert_eq!(after(true, 0.75), (0.25, true));
    assert_eq!(after(true, 0.75), (0.0, false), "full, and no fuller");
    assert_eq!(after(true, 0.5), (1.0, false));
    // Spending it all to the last is to be tired; getting it all back to the last is to be full.
    let exact = Stamina { capacity: 1.0, drain: 2.0, recover: 2.0 };
    let mut own = Traits::default();
    own.tire(Some(&exact), true, 0.5);
    assert_eq!((own.spent, own.resting), (1.0, true));
    own.tire(Some(&exact), true, 0.5);
    assert_eq!((own.spent, own.resting), (0.0, false));
    // Without stamina nothing costs anything.
    let mut own = Traits { spent: 0.25, resting: true, ..Default::default() };
    own.tire(None, true, 1.0);
    assert_eq!((own.spent, own.resting), (0.25, true));
}

#[test]
fn a_tired_fox_lets_the_hare_go_and_takes_up_the_chase_again() {
    let chase =
        Interaction::new(SpeciesId::new(FOX), SpeciesId::new(HARE), InteractionKind::Pursue, 1e6);
    let mut flock =
        flock(vec![chase], &[(0, HARE, [1000.0, 0.0], [0.0; 2]), (1, FOX, [0.0; 2], [0.0; 2])]);
    flock.params.species[FOX].stamina = Some(Stamina { capacity: 1.0, drain: 1.0, recover: 1.0 });
    let mut chases = Vec::new();
    for _ in 0..6 {
        chases.push(flock.steering(&[0, 1])[1] != [0.0; 2]);
        flock.boids[1].velocity = [0.0; 2];
        flock.step_in_order(0.5, &[0, 1]);
        flock.boids[1].velocity = [0.0; 2];
    }
    // Two steps of half a unit of time to spend it, two to get it back.
    assert_eq!(chases, [true, true, false, false, true, true]);
}

#[test]
fn who_evades_picks_the_first_of_two_equally_near() {
    let evade =
        Interaction::new(SpeciesId::new(HARE), SpeciesId::new(FOX), InteractionKind::Evade, 5.0);
    let boids = [
        (0, HARE, [0.0; 2], [0.0; 2]),
        (1, FOX, [3.0, 0.0], [0.0, 1.0]),
        (2, FOX, [-3.0, 0.0], [0.0, -1.0]),
    ];
    let flock = flock(vec![evade], &boids);
    // Three away at speed 2: there in 1.5, when the fox is at (3, 1.5), or (-3, -1.5). Away from
    // there: 2/√5 and 1/√5, times 2.
    near(flock.steering(&[0, 1, 2])[0], [-1.788_854_4, -0.894_427_2]);
    near(flock.steering(&[0, 2, 1])[0], [1.788_854_4, 0.894_427_2]);
    near(flock.steering(&[2, 1, 0])[0], [1.788_854_4, 0.894_427_2]);
    // A nearer one is picked wherever it stands in the order.
    let mut nearer = flock.clone();
    nearer.boids[1].position[0] = 2.999;
    assert!(nearer.steering(&[2, 1, 0])[0][0] < 0.0);
}

#[test]
fn a_prey_has_one_captor_the_first_by_id() {
    let boids = [
        (9, HARE, [0.0; 2], [0.0; 2]),
        (5, FOX, [1.0, 0.0], [0.0; 2]),
        (3, FOX, [-1.0, 0.0], [0.0; 2]),
    ];
    let mut foxes = flock(vec![capture(1.0)], &boids);
    foxes.step_in_order(0.1, &[1, 0, 2]);
    assert_eq!(foxes.captured, [(3, 9)], "at the radius itself it is captured");
    assert_eq!(foxes.boids.iter().map(|boid| boid.id).collect::<Vec<_>>(), [5, 3]);
    let mut short = flock(vec![capture(1.0f32.next_down())], &boids);
    short.step_in_order(0.1, &[1, 0, 2]);
    assert_eq!((short.captured.len(), short.boids.len()), (0, 3), "beyond it is not");
}

#[test]
fn a_captor_takes_the_first_of_two_equally_near_and_nothing_if_that_is_taken() {
    let hares = [(1, HARE, [0.5, 0.0], [0.0; 2]), (2, HARE, [-0.5, 0.0], [0.0; 2])];
    let one_fox = [hares[0], hares[1], (7, FOX, [0.0; 2], [0.0; 2])];
    for (order, prey) in [([0, 1, 2], 1), ([1, 0, 2], 2)] {
        let mut flock = flock(vec![capture(1.0)], &one_fox);
        flock.step_in_order(0.1, &order);
        assert_eq!(flock.captured, [(7, prey)], "order {order:?}");
    }
    // Both foxes pick the first hare; the second fox captures no boid, though the other hare is as
    // near.
    let two_foxes =
        [hares[0], hares[1], (7, FOX, [0.0; 2], [0.0; 2]), (4, FOX, [0.0; 2], [0.0; 2])];
    let mut flock = flock(vec![capture(1.0)], &two_foxes);
    flock.step_in_order(0.1, &[0, 1, 2, 3]);
    assert_eq!(flock.captured, [(4, 1)]);
    assert_eq!(flock.boids.iter().map(|boid| boid.id).collect::<Vec<_>>(), [2, 7, 4]);
}
