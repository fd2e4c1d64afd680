//! Features that meet, on states that can be computed by hand: nearest neighbors and turns of
//! species, models that count species, and terms that are joined to what a model says.

use wingbeat_steer::drive::Wind;
use wingbeat_steer::model::{Circles, Couzin2002, CuckerSmale, Mason, Vicsek1995};
use wingbeat_steer::{
    Cohesion, Decision, Domain, Drive, Explanation, HeldForces, HostRule, Interaction,
    InteractionKind, Model, Params, Perception, Rules, Seen, Species, SpeciesId, Stamina, Term,
    TermSum, TextbookBoid, TextbookFlock, TimeStep, Traits, When,
};

const HARE: usize = 0;
const FOX: usize = 1;

/// A boid: id, species, position, velocity.
type Given = (u64, usize, [f32; 2], [f32; 2]);

fn flock(params: Params, boids: &[Given]) -> TextbookFlock<[f32; 2]> {
    let flock = TextbookFlock {
        params,
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
    };
    flock.check().expect("what goes together");
    flock
}

/// Hares and foxes, both with this cohesion.
fn kinds(cohesion: Option<Cohesion>) -> Vec<Species> {
    ["hare", "fox"]
        .map(|name| Species {
            name: name.into(),
            rules: Rules { cohesion, ..Default::default() },
            ..Default::default()
        })
        .to_vec()
}

fn wind(x: f32) -> Drive<[f32; 2]> {
    Drive::new("wind", Wind { vector: [x, 0.0], drag: false })
}

fn why(flock: &TextbookFlock<[f32; 2]>, i: usize) -> Explanation<[f32; 2]> {
    flock.explain(i, &flock.slot_order(), TimeStep::new(0.1).expect("a step"))
}

/// Ids of those that boid `i` sees under the first term that sees one, or under its model.
fn seen(flock: &TextbookFlock<[f32; 2]>, i: usize) -> Vec<u64> {
    let sees = match why(flock, i).decision {
        Decision::Terms(combined) => {
            combined.terms.iter().find_map(|part| part.sees.as_ref()).expect("a rule").clone()
        }
        Decision::Model(followed) => followed.sees,
    };
    let mut ids: Vec<u64> = sees.neighbors.iter().map(|one| one.id).collect();
    ids.sort_unstable();
    ids
}

fn joined(flock: &TextbookFlock<[f32; 2]>, i: usize) -> (TermSum, [f32; 2]) {
    let Decision::Model(followed) = why(flock, i).decision else { panic!("a model") };
    assert_eq!(followed.steering, flock.steering(&flock.slot_order())[i]);
    (followed.joined, followed.steering)
}

const ROW: [Given; 6] = [
    (0, HARE, [0.0, 0.0], [1.0, 0.0]),
    (1, FOX, [0.1, 0.0], [0.0, 1.0]),
    (2, HARE, [0.2, 0.0], [0.0, 1.0]),
    (3, FOX, [0.3, 0.0], [0.0, 1.0]),
    (4, HARE, [0.4, 0.0], [0.0, 1.0]),
    (5, HARE, [0.5, 0.0], [0.0, 1.0]),
];

#[test]
fn the_nearest_are_chosen_among_those_that_a_species_counts() {
    let nearest = |k| Cohesion {
        perception: Perception { nearest: k, ..Default::default() },
        ..Default::default()
    };
    let params = |k, cap| Params {
        species: kinds(Some(nearest(k))),
        max_neighbors: cap,
        ..Default::default()
    };
    // Foxes are nearer, and are not there for a hare's rules.
    assert_eq!(seen(&flock(params(Some(2), None), &ROW), 0), [2, 4]);
    assert_eq!(seen(&flock(params(None, Some(2)), &ROW), 0), [2, 4]);
    assert_eq!(seen(&flock(params(Some(2), Some(1)), &ROW), 0), [2]);
    let mingle =
        Interaction::new(SpeciesId::new(HARE), SpeciesId::new(FOX), InteractionKind::Flock, 1.0);
    let together = Params { interactions: vec![mingle], ..params(Some(2), None) };
    assert_eq!(seen(&flock(together.clone(), &ROW), 0), [1, 2]);
    assert_eq!(seen(&flock(together, &ROW), 1), [3], "what hares count is not what foxes count");
}

#[test]
fn a_cap_on_neighbors_does_not_limit_what_a_boid_flees() {
    let flee =
        Interaction::new(SpeciesId::new(HARE), SpeciesId::new(FOX), InteractionKind::Flee, 1.0);
    let params = Params {
        species: kinds(None),
        interactions: vec![flee],
        max_neighbors: Some(1),
        ..Default::default()
    };
    // One hare is nearer than the fox.
    let boids = [
        (0, HARE, [0.0, 0.0], [0.0; 2]),
        (1, HARE, [0.1, 0.0], [0.0; 2]),
        (2, FOX, [0.5, 0.0], [0.0; 2]),
    ];
    assert_eq!(flock(params, &boids).steering(&[0, 1, 2])[0], [-2.0, 0.0]);
}

#[test]
fn rules_of_the_hosts_own_see_those_that_the_species_counts_under_the_cap() {
    let count = HostRule {
        perception: Perception::default(),
        force: |_: &TextbookBoid<_>, seen: &[Seen<_>]| [seen.len() as f32, 0.0],
    };
    let force = |params: Params, boids: &[Given]| {
        let flock = TextbookFlock { host_rules: vec![count], ..flock(params, boids) };
        flock
            .terms(0, &flock.slot_order())
            .into_iter()
            .find(|(term, _)| *term == Term::HostRule(0))
            .expect("the rule")
            .1
    };
    let params = |cap| Params { species: kinds(None), max_neighbors: cap, ..Default::default() };
    assert_eq!(force(params(None), &ROW), [3.0, 0.0]);
    assert_eq!(force(params(Some(2)), &ROW), [2.0, 0.0]);
    assert_eq!(force(params(None), &ROW[..2]), [0.0, 0.0], "no boid that counts");
    let model = Model::from(CuckerSmale::default());
    assert_eq!(force(Params { model: Some(model), ..params(None) }, &ROW), [3.0, 0.0]);
}

/// A fox that pursues, and a hare in its range.
fn hunt(capture_radius: f32) -> TextbookFlock<[f32; 2]> {
    let pursue = Interaction {
        capture_radius,
        ..Interaction::new(SpeciesId::new(FOX), SpeciesId::new(HARE), InteractionKind::Pursue, 10.0)
    };
    let mut species = kinds(None);
    species[FOX].stamina = Some(Stamina { capacity: 2.5, drain: 1.0, recover: 1.0 });
    let params = Params { species, interactions: vec![pursue], ..Default::default() };
    flock(params, &[(0, FOX, [0.0, 0.0], [0.0; 2]), (1, HARE, [5.0, 0.0], [0.0; 2])])
}

#[test]
fn who_takes_turns_holds_its_force_and_whether_it_was_busy() {
    let mut flock = hunt(0.0);
    flock.drives.push(Drive {
        when: When::Resting,
        species: Some(SpeciesId::new(FOX)),
        ..wind(-9.0)
    });
    flock.drives.push(Drive {
        when: When::Busy,
        species: Some(SpeciesId::new(FOX)),
        name: "hurry".into(),
        ..wind(1.0)
    });
    let mut forces = HeldForces::new(4).expect("turns");
    flock.step_holding(1.0, &mut forces); // step 0, the turn of boid 0 and the first of both
    let chasing = forces.of(0).expect("a force");
    assert_eq!(
        (chasing, forces.is_busy(0), forces.is_busy(1)),
        ([3.0, 0.0], true, false),
        "pursuit, and the drive for who is busy"
    );
    // The hare is out of range from now on. The fox does not look: it stays busy, tires, and rests
    // in the end.
    flock.boids[1].position = [500.0, 0.0];
    let mut told = Vec::new();
    for _ in 1..4 {
        flock.step_holding(1.0, &mut forces);
        let fox = flock.traits[&0];
        told.push((fox.spent, fox.resting, forces.of(0).expect("a force")));
    }
    assert_eq!(
        told,
        [(2.0, false, chasing), (2.5, true, chasing), (1.5, true, chasing)],
        "it rests, and goes on as it did"
    );
    flock.step_holding(1.0, &mut forces); // step 4, its turn
    assert_eq!(
        (forces.of(0), forces.is_busy(0)),
        (Some([-5.0, 0.0]), false),
        "it rests: max_force of the wind for those that do"
    );
}

#[test]
fn captures_are_made_in_a_boids_turn_alone() {
    let mut flock = hunt(0.3);
    let mut forces = HeldForces::new(3).expect("turns");
    flock.step_holding(0.01, &mut forces);
    flock.boids[1].position = [0.1, 0.0];
    for _ in 1..3 {
        flock.step_holding(0.01, &mut forces);
        assert_eq!((&flock.captured[..], flock.boids.len()), (&[][..], 2), "not its turn");
    }
    flock.step_holding(0.01, &mut forces);
    assert_eq!((&flock.captured[..], flock.boids.len()), (&[(0, 1)][..], 1));
}

#[test]
fn a_model_is_held_between_turns() {
    let model = Model::from(Couzin2002 { noise: 0.0, ..Default::default() });
    let boids = [(0, HARE, [0.0, 0.0], [1.0, 0.0]), (1, HARE, [2.0, 0.0], [0.0, 1.0])];
    let mut flock = flock(Params { model: Some(model), ..Default::default() }, &boids);
    flock.drives.push(wind(-0.5));
    let mut forces = HeldForces::new(2).expect("turns");
    flock.step_holding(0.1, &mut forces);
    let first = [forces.of(0), forces.of(1)];
    flock.boids[0].velocity = [0.0, -1.0]; // what boid 1 would align with
    flock.step_holding(0.1, &mut forces); // the turn of boid 1
    assert_eq!(forces.of(0), first[0]);
    assert_ne!(forces.of(1), first[1]);
}

#[test]
fn a_model_sees_those_that_the_species_counts_and_under_a_cap_the_nearest_of_them() {
    let with = |model: Model, species: Vec<Species>, cap| {
        flock(
            Params { model: Some(model), species, max_neighbors: cap, ..Default::default() },
            &ROW,
        )
    };
    let no_one_special: Vec<Given> =
        ROW.map(|(id, _, position, velocity)| (id, 0, position, velocity)).to_vec();
    let vicsek = Model::from(Vicsek1995 { speed: 1.0, radius: 0.45, noise: 0.0 });
    // It counts itself in any case, as none of the nearest.
    assert_eq!(seen(&with(vicsek, kinds(None), None), 0), [0, 2, 4]);
    assert_eq!(seen(&with(vicsek, kinds(None), Some(1)), 0), [0, 2]);
    let params = Params { model: Some(vicsek), max_neighbors: Some(3), ..Default::default() };
    assert_eq!(seen(&flock(params, &no_one_special), 0), [0, 1, 2, 3]);
    // Not itself; and every boid counts for N, whether seen or not.
    let cucker = Model::from(CuckerSmale { strength: 6.0, exponent: 0.0, radius: None });
    let one = with(cucker, kinds(None), Some(1));
    assert_eq!(seen(&one, 0), [2]);
    assert_eq!(one.steering(&one.slot_order())[0], [-1.0, 1.0], "6/6 times (0, 1) − (1, 0)");
}

#[test]
fn what_is_joined_to_a_model_is_in_its_own_unit() {
    let two = [(0, HARE, [0.0, 0.0], [1.0, 0.0]), (1, HARE, [9.0, 0.0], [0.0, 1.0])];
    let of = |model: Model, drives: Vec<Drive<[f32; 2]>>| TextbookFlock {
        drives,
        ..flock(Params { model: Some(model), ..Default::default() }, &two)
    };
    let alone = |model: Model| {
        let (how, steering) = joined(&of(model, Vec::new()), 0);
        assert_eq!(how, TermSum::Alone);
        steering
    };
    // An acceleration and a displacement: the sum.
    let cucker = Model::from(CuckerSmale { radius: Some(1.0), ..Default::default() });
    assert_eq!(alone(cucker), [0.0, 0.0]);
    assert_eq!(joined(&of(cucker, vec![wind(0.25)]), 0), (TermSum::Sum, [0.25, 0.0]));
    let circles = Model::from(Circles { radius: 1.0, ..Default::default() });
    assert_eq!(joined(&of(circles, vec![wind(-0.25)]), 0), (TermSum::Sum, [-0.25, 0.0]));
    // A direction: alone, the boid goes on; a wish at right angles turns it by half of that.
    let couzin = Model::from(Couzin2002 {
        repulsion_radius: 0.5,
        orientation_width: 0.0,
        attraction_width: 0.0,
        noise: 0.0,
        ..Default::default()
    });
    assert_eq!(alone(couzin), [1.0, 0.0]);
    let aside = Drive::new("aside", Wind { vector: [0.0, 0.5], drag: false }).weighted(2.0);
    let (how, steering) = joined(&of(couzin, vec![aside]), 0);
    let half = 0.5f32.sqrt();
    assert!(
        how == TermSum::Direction
            && (steering[0] - half).abs() < 1e-6
            && (steering[1] - half).abs() < 1e-6,
        "{steering:?}"
    );
    // A velocity keeps the model's speed.
    let vicsek = Model::from(Vicsek1995 { speed: 0.5, radius: 1.0, noise: 0.0 });
    assert_eq!(alone(vicsek), [0.5, 0.0]);
    assert_eq!(joined(&of(vicsek, vec![wind(7.0)]), 0), (TermSum::Velocity(0.5), [0.5, 0.0]));
    assert_eq!(joined(&of(vicsek, vec![wind(-7.0)]), 0), (TermSum::Velocity(0.5), [-0.5, 0.0]));
    // Where all cancels out there is no direction: what the model says.
    assert_eq!(joined(&of(vicsek, vec![wind(-0.5)]), 0), (TermSum::Kept, [0.5, 0.0]));
}

/// A force against the velocity, weighted so that it grows from step to step, ends at the accepted
/// range.
#[test]
fn what_is_joined_to_a_displacement_stays_finite() {
    let drag = Drive::new("drag", Wind { vector: [1.0, -2.0], drag: true }).weighted(1e9);
    for model in
        [Model::from(Circles { radius: 1.0, ..Default::default() }), CuckerSmale::default().into()]
    {
        let params = Params { model: Some(model), species: kinds(None), ..Default::default() };
        let mut flock = TextbookFlock { drives: vec![drag.clone()], ..flock(params, &ROW) };
        for _ in 0..100 {
            flock.step_by(1.0);
            let within = |x: f32, limit: f32| x.abs() <= limit;
            assert!(
                flock.boids.iter().all(|boid| boid.velocity.iter().all(|&v| within(v, 1e12))),
                "{:?}",
                flock.boids
            );
            assert!(
                flock.boids.iter().all(|boid| boid.position.iter().all(|&x| within(x, 1e15))),
                "{:?}",
                flock.boids
            );
        }
    }
}

#[test]
fn walls_that_push_are_a_term_beside_a_model_and_walls_that_only_stop_are_none() {
    let model = Model::from(Vicsek1995 { speed: 1.0, radius: 0.1, noise: 0.0 });
    let boids = [(0, HARE, [0.5, 5.0], [-1.0, 0.0])];
    let within = |strength| {
        let domain = Domain::walled([0.0; 2], [10.0; 2], 1.0, strength);
        TextbookFlock {
            domain,
            ..flock(Params { model: Some(model), ..Default::default() }, &boids)
        }
    };
    assert_eq!(joined(&within(0.0), 0), (TermSum::Alone, [-1.0, 0.0]));
    // Halfway into the margin half the strength pushes: not enough at 1, more than enough at 4.
    assert_eq!(joined(&within(1.0), 0), (TermSum::Velocity(1.0), [-1.0, 0.0]));
    assert_eq!(joined(&within(4.0), 0), (TermSum::Velocity(1.0), [1.0, 0.0]));
}

#[test]
fn beside_a_model_pursuit_goes_by_its_speed_or_the_boids_own() {
    let pursue =
        Interaction::new(SpeciesId::new(FOX), SpeciesId::new(HARE), InteractionKind::Pursue, 10.0);
    let boids = [(0, FOX, [0.0, 0.0], [0.0; 2]), (1, HARE, [0.0, 5.0], [0.0; 2])];
    let chase = |model: Model, own: Option<f32>| {
        let params = Params {
            model: Some(model),
            species: kinds(None),
            interactions: vec![pursue],
            ..Default::default()
        };
        let mut flock = flock(params, &boids);
        flock.traits.insert(
            0,
            Traits { species: SpeciesId::new(FOX), max_speed: own, ..Default::default() },
        );
        flock.terms(0, &flock.slot_order())
    };
    let mason = Model::from(Mason { jump: 0.75, ..Default::default() });
    assert_eq!(
        chase(mason, None),
        [(Term::Interactions, [0.0, 0.75])],
        "no other terms are in this flock"
    );
    assert_eq!(chase(mason, Some(0.5)), [(Term::Interactions, [0.0, 0.5])]);
    assert_eq!(
        chase(CuckerSmale::default().into(), None),
        [(Term::Interactions, [0.0, 2.0])],
        "without a speed the usual maximum"
    );
}

#[test]
fn rules_and_limits_of_species_have_no_say_beside_a_model() {
    let model = Some(Model::from(Vicsek1995::default()));
    let refused = |species: Vec<Species>| {
        Params { model, species, ..Default::default() }.check().unwrap_err().to_string()
    };
    let allowed = "allowed is left out with model.name = vicsek1995, which takes the place of \
        rules and limits";
    assert_eq!(
        refused(kinds(Some(Cohesion::default()))),
        format!("species.hare.cohesion = given: {allowed}")
    );
    let mut species = kinds(None);
    species[FOX].agent.max_speed = 3.0;
    assert_eq!(refused(species), format!("species.fox.agent = given: {allowed}"));
}

/// Turns in every step are no turns: one code path, whatever is in the flock.
#[test]
fn turns_in_every_step_change_nothing() {
    let mut whole = hunt(0.5);
    whole.drives.push(Drive { species: Some(SpeciesId::new(HARE)), ..wind(-1.0) });
    let mut held = whole.clone();
    let mut forces = HeldForces::new(1).expect("turns");
    for _ in 0..40 {
        whole.step_by(0.1);
        held.step_holding(0.1, &mut forces);
        assert_eq!(
            (&whole.boids, &whole.traits, &whole.captured),
            (&held.boids, &held.traits, &held.captured)
        );
    }
    assert_eq!(whole.boids.len(), 1, "the hare was captured");
}
