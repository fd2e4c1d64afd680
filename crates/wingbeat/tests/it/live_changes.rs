//! A flock may change while it runs: boids come and go, ids stay, parameters move.

use wingbeat::steer::*;
use wingbeat::*;

fn params() -> Params {
    Params {
        rules: Rules {
            separation: Some(Separation::default()),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    }
}

fn flock(count: usize) -> Flock2 {
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [20.0; 2] }, ..Spawn::default() };
    Flock2::builder()
        .params(params())
        .domain(Domain::periodic([0.0; 2], [20.0; 2]))
        .seed(3)
        .spawn(count, spawn)
        .build()
        .unwrap()
}

fn dt() -> TimeStep {
    TimeStep::new(0.05).unwrap()
}

#[test]
fn ids_stay_with_their_boids_and_are_never_reused() {
    let mut flock = flock(500);
    let newcomer = flock.add([3.0, 4.0], [1.0, 0.0]).unwrap();
    assert_eq!(newcomer, BoidId::new(500));
    flock.step(dt());
    let moved = flock.frame().find(newcomer).unwrap();
    assert!((moved.position[0] - 3.0).abs() < 0.2 && (moved.position[1] - 4.0).abs() < 0.2);

    flock.remove(&[BoidId::new(7), newcomer, BoidId::new(250)]).unwrap();
    assert_eq!(flock.len(), 498);
    assert_eq!(flock.frame().find(newcomer).unwrap_err(), FlockError::UnknownBoid(newcomer));
    assert_eq!(
        flock.set_position(newcomer, [0.0; 2]).unwrap_err(),
        FlockError::UnknownBoid(newcomer)
    );
    assert_eq!(
        flock.add([1.0, 1.0], [0.0, 0.0]).unwrap(),
        BoidId::new(501),
        "id 500 is not given out again"
    );
    flock.step(dt());
    let ids: Vec<u64> = flock.frame().by_id().map(|b| b.id.get()).collect();
    let wanted: Vec<u64> = (0..502).filter(|id| ![7, 250, 500].contains(id)).collect();
    assert_eq!(ids, wanted);
}

#[test]
fn a_removal_is_all_or_nothing() {
    let mut flock = flock(10);
    let before = observe::state_hash(&flock.frame());
    assert!(flock.remove(&[BoidId::new(1), BoidId::new(99)]).is_err());
    assert!(flock.remove(&[BoidId::new(1), BoidId::new(1)]).is_err());
    assert_eq!((flock.len(), observe::state_hash(&flock.frame())), (10, before));
}

/// Removing boids leaves the others exactly as if a flock of only them had been built.
#[test]
fn those_who_stay_do_not_notice_the_bookkeeping() {
    let mut changed = flock(300);
    let gone: Vec<BoidId> = (0..300).filter(|id| id % 3 == 0).map(BoidId::new).collect();
    changed.step(dt());
    changed.remove(&gone).unwrap();
    let rest: Vec<Boid<2>> = changed.frame().by_id().collect();
    let built =
        Flock2::builder().params(params()).domain(*changed.domain()).seed(3).boids_with_ids(rest);
    let mut built = built.build().unwrap();
    for _ in 0..10 {
        changed.step(dt());
        built.step(dt());
        assert_eq!(observe::state_hash(&changed.frame()), observe::state_hash(&built.frame()));
    }
}

#[test]
fn everyone_may_leave_and_come_back() {
    let mut flock = flock(5);
    let all: Vec<BoidId> = flock.frame().ids().collect();
    flock.remove(&all).unwrap();
    flock.step(dt());
    assert!(flock.is_empty());
    flock.add([1.0, 1.0], [1.0, 0.0]).unwrap();
    flock.step(dt());
    assert_eq!(flock.len(), 1);
}

#[test]
fn parameters_change_between_steps_or_not_at_all() {
    let mut flock = flock(200);
    flock.step(dt());
    let mut wider = params();
    wider.rules.cohesion = Some(Cohesion {
        perception: Perception { radius: 3.0, ..Default::default() },
        ..Default::default()
    });
    flock.set_params(wider.clone()).unwrap();
    let by_set: Vec<Boid<2>> = flock.frame().by_id().collect();
    let built =
        Flock2::builder().params(wider).domain(*flock.domain()).seed(3).boids_with_ids(by_set);
    let mut built = built.build().unwrap();
    flock.step(dt());
    built.step(dt());
    assert_eq!(observe::state_hash(&flock.frame()), observe::state_hash(&built.frame()));

    let too_wide = Perception { radius: 10.1, ..Default::default() };
    let refused = flock.set_params(Params {
        rules: Rules {
            cohesion: Some(Cohesion { perception: too_wide, ..Default::default() }),
            ..params().rules
        },
        ..params()
    });
    assert!(refused.unwrap_err().to_string().starts_with("cohesion.radius = 10.1"));
    assert_eq!(
        flock.params().rules.cohesion.unwrap().perception.radius,
        3.0,
        "a refusal changes nothing"
    );
}

#[test]
fn positions_and_velocities_can_be_set_by_id() {
    let mut flock = flock(100);
    flock.step(dt());
    let id = BoidId::new(42);
    flock.set_position(id, [19.0, 21.0]).unwrap();
    flock.set_velocity(id, [0.5, 0.25]).unwrap();
    let boid = flock.frame().find(id).unwrap();
    assert_eq!(
        (boid.position, boid.velocity),
        ([19.0, 1.0], [0.5, 0.25]),
        "wrapped into the periodic box"
    );
    assert!(flock.set_velocity(id, [f32::NAN, 0.0]).is_err());
}

/// Before any look-up, after a few (by scanning) and after many (by an index), after steps,
/// arrivals and removals.
#[test]
fn boids_are_found_by_id_however_often_they_are_asked_for() {
    let mut flock = flock(200);
    for round in 0..4 {
        let all: Vec<Boid<2>> = flock.frame().by_id().collect();
        for boid in all.iter().chain(&all) {
            assert_eq!(flock.frame().find(boid.id).unwrap(), *boid, "round {round}");
        }
        match round {
            0 => flock.step(dt()),
            1 => flock.remove(&[BoidId::new(3), BoidId::new(150)]).unwrap(),
            _ => drop(flock.add([1.0, 2.0], [0.0; 2]).unwrap()),
        }
        assert_eq!(flock.frame().find(BoidId::new(9)).unwrap().id, BoidId::new(9), "round {round}");
    }
    assert!(flock.frame().find(BoidId::new(3)).is_err());
}

#[test]
fn many_are_moved_in_one_call_or_none() {
    let (mut one_by_one, mut at_once) = (flock(100), flock(100));
    one_by_one.step(dt());
    at_once.step(dt());
    let wanted: Vec<(BoidId, [f32; 2])> =
        (0..60).map(|i| (BoidId::new(99 - i), [i as f32 * 0.3, 7.0])).collect();
    for &(id, place) in &wanted {
        one_by_one.set_position(id, place).unwrap();
        one_by_one.set_velocity(id, [place[1], place[0]]).unwrap();
    }
    let velocities: Vec<_> = wanted.iter().map(|&(id, [x, y])| (id, [y, x])).collect();
    at_once.set_positions(&wanted).unwrap();
    at_once.set_velocities(&velocities).unwrap();
    let hash = observe::state_hash(&at_once.frame());
    assert_eq!(hash, observe::state_hash(&one_by_one.frame()));

    let unknown = [(BoidId::new(1), [1.0; 2]), (BoidId::new(500), [1.0; 2])];
    assert_eq!(
        at_once.set_positions(&unknown).unwrap_err(),
        FlockError::UnknownBoid(BoidId::new(500))
    );
    assert_eq!(
        at_once.set_velocities(&unknown).unwrap_err(),
        FlockError::UnknownBoid(BoidId::new(500))
    );
    assert!(
        at_once
            .set_positions(&[(BoidId::new(1), [1.0; 2]), (BoidId::new(2), [f32::NAN; 2])])
            .is_err()
    );
    assert!(
        at_once
            .set_velocities(&[(BoidId::new(1), [1.0; 2]), (BoidId::new(2), [f32::NAN; 2])])
            .is_err()
    );
    assert_eq!(observe::state_hash(&at_once.frame()), hash, "nothing of what was refused");
    one_by_one.step(dt());
    at_once.step(dt());
    assert_eq!(observe::state_hash(&at_once.frame()), observe::state_hash(&one_by_one.frame()));
}

#[test]
fn a_whole_state_is_set_by_ascending_id() {
    let (mut there, mut here) = (flock(80), flock(80));
    (0..5).for_each(|_| there.step(dt()));
    let (positions, velocities): (Vec<_>, Vec<_>) =
        there.frame().by_id().map(|boid| (boid.position, boid.velocity)).unzip();
    here.step(dt());
    here.set_state(&positions, &velocities).unwrap();
    assert_eq!(observe::state_hash(&here.frame()), observe::state_hash(&there.frame()));
    let refused = here.set_state(&positions[1..], &velocities).unwrap_err().to_string();
    assert_eq!(refused, "state = 79: allowed is one row a boid, 80");
    let mut bad = positions.clone();
    bad[79] = [f32::INFINITY; 2];
    assert!(here.set_state(&bad, &velocities).is_err());
    assert_eq!(observe::state_hash(&here.frame()), observe::state_hash(&there.frame()));
}

/// A copy goes on as the flock would have, in its own time, with all that boids remember.
#[test]
fn a_clone_goes_on_bit_for_bit() {
    let wander = Drive::new("wander", wingbeat::drive::WanderParameters::default());
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [9.0; 2] }, ..Spawn::default() };
    for threads in [1, 2] {
        let builder = Flock2::builder().params(params()).seed(5).spawn(3000, spawn);
        let mut flock =
            builder.drives(vec![wander.clone()]).steer_every(3).threads(threads).build().unwrap();
        (0..4).for_each(|_| flock.step(dt()));
        let mut copy = flock.clone();
        (0..7).for_each(|_| flock.step(dt()));
        let hash = observe::state_hash(&flock.frame());
        assert_ne!(observe::state_hash(&copy.frame()), hash, "a copy does not move by itself");
        std::thread::scope(|scope| {
            scope.spawn(|| (0..7).for_each(|_| copy.step(dt())));
            scope.spawn(|| (0..7).for_each(|_| flock.step(dt())));
        });
        assert_eq!(observe::state_hash(&copy.frame()), hash, "{threads} threads");
    }
}

/// Boids are placed when the flock is built, by the seed it has then.
#[test]
fn a_builder_may_be_told_things_in_any_order() {
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [9.0; 2] }, ..Spawn::default() };
    let before = Flock2::builder().seed(77).spawn(50, spawn).params(params()).build().unwrap();
    let after = Flock2::builder().params(params()).spawn(50, spawn).seed(77).build().unwrap();
    let other = Flock2::builder().params(params()).spawn(50, spawn).seed(78).build().unwrap();
    let hash = |flock: &Flock2| observe::state_hash(&flock.frame());
    assert_eq!(hash(&before), hash(&after));
    assert_ne!(hash(&before), hash(&other));
}

/// A boid that is captured has no part in what follows: it neither arrives nor leaves in that step.
#[test]
fn who_is_captured_neither_arrives_nor_leaves() {
    let named = |name: &str| Species { name: name.into(), ..Default::default() };
    let chase = Interaction {
        capture_radius: 0.5,
        ..Interaction::new(SpeciesId::new(1), SpeciesId::new(0), InteractionKind::Pursue, 5.0)
    };
    let params = Params {
        species: vec![named("hare"), named("fox")],
        interactions: vec![chase],
        ..Default::default()
    };
    let goal =
        wingbeat::drive::Goal { target: Some([0.0; 2]), arrival_radius: 1.0, ..Default::default() };
    let domain = Domain::absorbing([-9.0; 2], [9.0; 2]);
    let positions = [[0.0, 0.0], [0.3, 0.0], [0.0, 0.9], [8.9, 0.0], [8.9, 0.3]];
    let velocities = [[0.0; 2], [0.0; 2], [0.0; 2], [9.0, 0.0], [0.0; 2]];
    let mut flock = Flock2::builder()
        .params(params)
        .domain(domain)
        .drives(vec![Drive { weight: 0.0, ..Drive::new("home", goal) }])
        .boids(&positions, &velocities)
        .species([0, 1, 0, 0, 1].map(SpeciesId::new))
        .build()
        .unwrap();
    flock.step(TimeStep::new(0.1).unwrap());
    let [hare, fox, watcher, runner, hunter] = [0, 1, 2, 3, 4].map(BoidId::new);
    let wanted = [
        Event::Captured { captor: fox, prey: hare },
        Event::Captured { captor: hunter, prey: runner },
        Event::Arrived { boid: fox, drive: DriveId::new(0) },
        Event::Arrived { boid: watcher, drive: DriveId::new(0) },
    ];
    assert_eq!(flock.events(), wanted);
    assert_eq!(flock.frame().living(), [fox, watcher, hunter]);
}
