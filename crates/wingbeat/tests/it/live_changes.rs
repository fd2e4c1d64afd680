//! A flock may change while it runs: boids come and go, ids stay, parameters move.

use wingbeat::*;

fn params() -> Params {
    Params {
        separation: Some(Separation::default()),
        alignment: Some(Alignment::default()),
        cohesion: Some(Cohesion::default()),
        ..Default::default()
    }
}

fn flock(count: usize) -> Flock2 {
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [20.0; 2] }, ..Spawn::default() };
    Flock2::builder().params(params()).domain(Domain::periodic([0.0; 2], [20.0; 2])).seed(3).spawn(count, &spawn).build().unwrap()
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
    assert_eq!(flock.set_position(newcomer, [0.0; 2]).unwrap_err(), FlockError::UnknownBoid(newcomer));
    assert_eq!(flock.add([1.0, 1.0], [0.0, 0.0]).unwrap(), BoidId::new(501), "id 500 is not given out again");
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
    let built = Flock2::builder().params(params()).domain(*changed.domain()).seed(3).boids_with_ids(rest);
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
    wider.cohesion = Some(Cohesion { perception: Perception { radius: 3.0, ..Default::default() }, ..Default::default() });
    flock.set_params(wider.clone()).unwrap();
    let by_set: Vec<Boid<2>> = flock.frame().by_id().collect();
    let built = Flock2::builder().params(wider).domain(*flock.domain()).seed(3).boids_with_ids(by_set);
    let mut built = built.build().unwrap();
    flock.step(dt());
    built.step(dt());
    assert_eq!(observe::state_hash(&flock.frame()), observe::state_hash(&built.frame()));

    let too_wide = Perception { radius: 10.1, ..Default::default() };
    let refused =
        flock.set_params(Params { cohesion: Some(Cohesion { perception: too_wide, ..Default::default() }), ..params() });
    assert!(refused.unwrap_err().to_string().starts_with("cohesion.radius = 10.1"));
    assert_eq!(flock.params().cohesion.unwrap().perception.radius, 3.0, "a refusal changes nothing");
}

#[test]
fn positions_and_velocities_can_be_set_by_id() {
    let mut flock = flock(100);
    flock.step(dt());
    let id = BoidId::new(42);
    flock.set_position(id, [19.0, 21.0]).unwrap();
    flock.set_velocity(id, [0.5, 0.25]).unwrap();
    let boid = flock.frame().find(id).unwrap();
    assert_eq!((boid.position, boid.velocity), ([19.0, 1.0], [0.5, 0.25]), "wrapped into the periodic box");
    assert!(flock.set_velocity(id, [f32::NAN, 0.0]).is_err());
}
