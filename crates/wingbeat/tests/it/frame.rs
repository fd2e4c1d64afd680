//! A frame shows the flock as it is, never what it was.

use wingbeat::steer::*;
use wingbeat::*;

fn flock(count: usize) -> Flock2 {
    let params = Params { rules: Cohesion::default().into(), ..Default::default() };
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [5.0; 2] }, ..Spawn::default() };
    Flock2::builder().params(params).spawn(count, spawn).build().unwrap()
}

#[test]
fn steering_is_shown_only_of_the_boids_it_was_made_for() {
    let dt = TimeStep::new(0.1).unwrap();
    let mut flock = flock(10);
    assert!(flock.frame().steering(0).is_empty(), "no boid has steered yet");
    flock.step(dt);
    assert_eq!(flock.frame().steering(1).len(), 10);
    // More than the columns' padding, so that stale columns would be too short.
    for i in 0..40 {
        flock.add([i as f32 * 0.1, 0.0], [0.0; 2]).unwrap();
        assert!(flock.frame().steering(0).is_empty(), "after an addition");
    }
    flock.step(dt);
    assert_eq!(flock.frame().steering(0).len(), 50);
    assert!(flock.remove(&[BoidId::new(99)]).is_err());
    assert_eq!(flock.frame().steering(0).len(), 50, "a refused removal changes nothing");
    flock.remove(&[BoidId::new(3)]).unwrap();
    assert!(flock.frame().steering(0).is_empty(), "after a removal");
}

#[test]
fn slots_and_ids_show_the_same_boids() {
    let mut flock = flock(300);
    for _ in 0..5 {
        flock.step(TimeStep::new(0.2).unwrap());
    }
    let frame = flock.frame();
    assert_eq!((frame.len(), frame.step(), frame.is_empty()), (300, 5, false));
    let mut by_slot: Vec<Boid<2>> = frame.by_slot().collect();
    for (slot, boid) in by_slot.iter().enumerate() {
        let columns = (
            [frame.positions(0)[slot], frame.positions(1)[slot]],
            [frame.velocities(0)[slot], frame.velocities(1)[slot]],
        );
        assert_eq!((boid.position, boid.velocity), columns);
        assert_eq!(frame.boid(slot), *boid);
        assert_eq!(frame.find(boid.id), Ok(*boid));
    }
    assert!(frame.ids().eq(by_slot.iter().map(|b| b.id)));
    by_slot.sort_unstable_by_key(|b| b.id);
    assert!(frame.by_id().eq(by_slot));
}
