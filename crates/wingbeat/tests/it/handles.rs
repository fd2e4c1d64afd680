//! Handles, and the calls that a game makes first: what names lead to, boids that come one by one,
//! and the flock that `Params::boids` makes.

use wingbeat::drive::Wind;
use wingbeat::steer::*;
use wingbeat::*;

fn hares_and_whales(body: Option<SolidBody>) -> (Params, [SpeciesId; 2]) {
    let mut params = Params { body, ..Params::default() };
    let mut whale = Species::new("whale", Rules::default());
    whale.agent.max_speed = 0.5;
    whale.body.radius = body.map(|_| 2.0);
    let hare = params.add_species(Species::new("hare", Rules::boids(3.0)));
    let whale = params.add_species(whale);
    params.interactions.push(Interaction::new(hare, whale, InteractionKind::Flee, 6.0));
    (params, [hare, whale])
}

fn said<T: std::fmt::Debug>(refused: Result<T, FlockError>) -> String {
    refused.expect_err("it is refused").to_string()
}

#[test]
fn names_lead_to_handles() {
    let ball = |x: f32| ObstacleShape::Sphere { center: [x, 0.0], radius: 1.0 };
    let named = |name: &str| Source {
        name: name.into(),
        min: [0.0, 20.0],
        max: [1.0, 21.0],
        ..Source::default()
    };
    let (params, [hare, whale]) = hares_and_whales(None);
    let flock = Flock2::builder()
        .params(params)
        .obstacles(vec![Obstacle::new("oak", ball(10.0)), Obstacle::new("ash", ball(-10.0))])
        .exits(vec![Exit::new("den", ball(30.0)), Exit::new("burrow", ball(40.0))])
        .sources(vec![named("spring"), named("brook")])
        .drives(vec![Drive::new("wind", Wind { vector: [1.0, 0.0], ..Default::default() })])
        .build()
        .expect("a flock");
    assert_eq!(flock.species_named("whale"), Ok(whale));
    assert_eq!(flock.species_named("hare"), Ok(hare));
    assert_eq!(flock.obstacle_named("ash"), Ok(ObstacleId::new(1)));
    assert_eq!(flock.exit_named("burrow"), Ok(ExitId::new(1)));
    assert_eq!(flock.source_named("brook"), Ok(SourceId::new(1)));
    assert_eq!(flock.drive_named("wind"), Ok(DriveId::new(0)));
    assert_eq!(said(flock.species_named("Hare")), "species = Hare: allowed is hare, whale");
    assert_eq!(said(flock.obstacle_named("elm")), "obstacle = elm: allowed is oak, ash");
    assert_eq!(said(flock.exit_named("")), "exit = : allowed is den, burrow");
    assert_eq!(said(flock.source_named("sea")), "source = sea: allowed is spring, brook");
    assert_eq!(said(flock.drive_named("rain")), "drive = rain: allowed is wind");
    let bare = Flock2::builder().build().expect("a flock");
    assert_eq!(said(bare.exit_named("den")), "exit = den: allowed is none: there is no exit");
}

#[test]
fn boids_that_come_one_by_one_are_those_of_the_builder() {
    let (params, [hare, whale]) = hares_and_whales(None);
    let empty = || Flock2::builder().params(params.clone()).seed(3);
    let place = |i: usize| [(i % 10) as f32 * 0.7, (i / 10) as f32 * 0.9];
    let kind = |i: usize| if i.is_multiple_of(7) { whale } else { hare };
    let places: Vec<[f32; 2]> = (0..100).map(place).collect();
    let mut at_once = empty()
        .boids(&places, &vec![[0.3, 0.1]; 100])
        .species((0..100).map(kind))
        .build()
        .expect("a flock");
    let mut one_by_one = empty().build().expect("a flock");
    for (i, &place) in places.iter().enumerate() {
        let id = one_by_one.add_as(kind(i), glam::Vec2::from(place), [0.3, 0.1]).expect("room");
        assert_eq!(id, BoidId::new(i as u64));
    }
    let dt = TimeStep::new(0.05).expect("a time step");
    for _ in 0..60 {
        at_once.step(dt);
        one_by_one.step(dt);
    }
    let hash = |flock: &Flock2| observe::state_hash(&flock.frame());
    assert_eq!(hash(&at_once), hash(&one_by_one));
    one_by_one.remove_one(BoidId::new(7)).expect("it lives");
    assert!(one_by_one.boid(BoidId::new(7)).is_err() && one_by_one.len() == 99);
    assert!(one_by_one.remove_one(BoidId::new(7)).is_err());
}

/// A body comes with the radius of its species, and a species that there is not with none.
#[test]
fn a_whale_needs_more_room_than_a_hare() {
    let body = SolidBody { radius: 0.25, ..SolidBody::default() };
    let (params, [hare, whale]) = hares_and_whales(Some(body));
    let mut flock = Flock2::builder().params(params).build().expect("a flock");
    flock.add_as(hare, [0.0, 0.0], [0.0; 2]).expect("room");
    let refused = said(flock.add_as(whale, [1.0, 0.0], [0.0; 2]));
    assert!(refused.contains("at least 2.25 from boid 0"), "{refused}");
    assert_eq!((flock.is_free([1.0, 0.0], 2.0), flock.is_free([1.0, 0.0], 0.25)), (false, true));
    flock.add_as(hare, [1.0, 0.0], [0.0; 2]).expect("room");
    flock.add_as(whale, [3.5, 0.0], [0.0; 2]).expect("room");
    let none = SpeciesId::new(9);
    let refused = said(flock.add_as(none, [50.0, 0.0], [0.0; 2]));
    assert_eq!(refused, "species = 9: allowed is 0 to 1");
    assert_eq!(flock.len(), 3);
}

/// What `Params::boids` promises by its name: from random headings they come to fly one way, and do
/// not fall together.
#[test]
fn boids_flock() {
    fn order<const D: usize>(radius: f32, boids: usize, seed: u64) -> (f64, f64) {
        let times = boids as f32 / 6.0;
        let side = radius * if D == 2 { times.sqrt() } else { libm::cbrtf(times) };
        let (min, max) = ([0.0; D], [side; D]);
        let spawn = Spawn { shape: Shape::Box { min, max }, speed: radius, ..Spawn::default() };
        let mut params = Params::boids(radius);
        (params.agent.max_speed, params.agent.max_force) = (2.0 * radius, 4.0 * radius);
        let mut flock = Flock::<D>::builder()
            .params(params)
            .domain(Domain::periodic(min, max))
            .seed(seed)
            .spawn(boids, spawn)
            .build()
            .expect("a flock");
        let dt = TimeStep::new(0.05).expect("a time step");
        (0..1_500).for_each(|_| flock.step(dt));
        // How near the nearest of each is, in the middle of all.
        let mut near: Vec<f64> = flock
            .frame()
            .by_id()
            .filter_map(|boid| flock.nearest_where(boid.position, |other| other.id != boid.id))
            .map(|other| f64::from(other.distance / radius))
            .collect();
        near.sort_unstable_by(f64::total_cmp);
        (observe::polarization(&flock.frame()), near[near.len() / 2])
    }
    for seed in 1..=3 {
        for (order, apart) in [order::<2>(1.0, 300, seed), order::<3>(5.0, 300, seed)] {
            assert!(order > 0.9, "seed {seed}: polarization {order}");
            assert!(apart > 0.2, "seed {seed}: the nearest is {apart} radii away");
        }
    }
}
