//! Bodies at the start, those that join, and those that a host puts together.

use super::ruler::Ruler;
use wingbeat::steer::drive::Goal;
use wingbeat::steer::*;
use wingbeat::*;

fn bodies_of(radius: f32, settle: bool) -> Params {
    Params { body: Some(SolidBody { radius, settle, ..Default::default() }), ..Default::default() }
}

fn at<const D: usize>(id: u64, position: [f32; D]) -> Boid<D> {
    Boid { id: BoidId::new(id), position, velocity: [id as f32; D] }
}

#[test]
fn a_start_that_overlaps_is_refused_by_name() {
    let builder = || Flock2::builder().params(bodies_of(0.25, false));
    let refused = |builder: FlockBuilder<2>| builder.build().unwrap_err().to_string();
    let message = refused(builder().boids_with_ids(vec![
        at(9, [5.0, 5.0]),
        at(7, [1.0, 2.0]),
        at(3, [1.0, 2.25]),
    ]));
    let allowed = "allowed is at least 0.5 from boid 3, the radii of both; body.settle = true \
        moves bodies apart at the start";
    assert_eq!(message, format!("boid 7: position = [1.0, 2.0]: {allowed}"));
    let across = vec![at(0, [0.125, 5.0]), at(1, [9.875, 5.0])];
    assert!(builder().boids_with_ids(across.clone()).build().is_ok());
    let torus = builder().domain(Domain::periodic([0.0; 2], [10.0; 2]));
    assert!(
        refused(torus.boids_with_ids(across.clone()))
            .starts_with("boid 1: position = [9.875, 5.0]: allowed is at least 0.5")
    );
    let room = builder().domain(Domain::reflecting([0.0; 2], [10.0; 2]));
    assert!(
        refused(room.boids_with_ids(across))
            .starts_with("boid 0: position[0] = 0.125: allowed is 0.25 to 9.75")
    );
    // Radii of species, which are told in the order of the boids.
    let mut params = bodies_of(0.25, false);
    params.species =
        (0..2).map(|i| Species { name: format!("kind{i}"), ..Default::default() }).collect();
    params.species[1].body.radius = Some(1.0);
    let pair = vec![at(8, [0.0, 0.0]), at(2, [1.0, 0.0])];
    let alike = |species| {
        Flock2::builder().params(params.clone()).species(species).boids_with_ids(pair.clone())
    };
    assert!(alike([0, 0].map(SpeciesId::new)).build().is_ok());
    for species in [[1, 0], [0, 1]].map(|both| both.map(SpeciesId::new)) {
        assert!(
            refused(alike(species))
                .starts_with("boid 8: position = [0.0, 0.0]: allowed is at least 1.25 from boid 2")
        );
    }
}

#[test]
fn an_obstacle_that_stands_has_no_bodies_in_it_at_the_start() {
    let pillar = |motion| Obstacle {
        name: "pillar".into(),
        shape: ObstacleShape::Sphere { center: [0.0, 0.0], radius: 1.0 },
        motion,
    };
    let build = |motion, settle| {
        let builder =
            Flock2::builder().params(bodies_of(0.25, settle)).obstacles(vec![pillar(motion)]);
        builder.boids_with_ids(vec![at(4, [1.125, 0.0])]).build()
    };
    let refused = build(ObstacleMotion::Static, false).unwrap_err().to_string();
    assert_eq!(
        refused,
        "boid 4: position = [1.125, 0.0]: allowed is at least 0.25 from obstacle.pillar, its radius"
    );
    assert!(build(ObstacleMotion::Host, false).is_ok(), "one that moves pushes");
    let moved = build(ObstacleMotion::Static, true).unwrap().frame().boid(0).position;
    assert!(moved[0] >= 1.25 && moved[0] < 1.26 && moved[1] == 0.0, "{moved:?}");
}

#[test]
fn who_joins_bodies_needs_room() {
    let obstacle = ObstacleShape::Wall { from: [5.0, 0.0], to: [5.0, 9.0] };
    let wall = Obstacle { name: "wall".into(), shape: obstacle, motion: ObstacleMotion::Static };
    let builder = Flock2::builder().params(bodies_of(0.25, false)).obstacles(vec![wall]);
    let mut flock = builder.boids(&[[0.0, 0.0], [1.0, 0.0]], &[[0.0; 2]; 2]).build().unwrap();
    let before = observe::state_hash(&flock.frame());
    let refused = flock.add([0.75, 0.25], [0.0; 2]).unwrap_err().to_string();
    assert!(
        refused.starts_with("boid 2: position = [0.75, 0.25]: allowed is at least 0.5 from boid 1"),
        "{refused}"
    );
    let refused = flock.add([4.875, 1.0], [0.0; 2]).unwrap_err().to_string();
    assert!(refused.ends_with("at least 0.25 from obstacle.wall, its radius"), "{refused}");
    assert_eq!((flock.len(), observe::state_hash(&flock.frame())), (2, before));
    assert_eq!(flock.add([0.5, 0.5], [0.0; 2]), Ok(BoidId::new(2)));
    assert!(flock.add([0.5, 0.75], [0.0; 2]).is_err(), "who has joined is in the way");
}

#[test]
fn a_crowd_settles_before_its_first_step() {
    let domain = Domain::reflecting([0.0; 2], [20.0; 2]);
    let spawn = Spawn { shape: Shape::Box { min: [0.25; 2], max: [19.75; 2] }, ..Spawn::default() };
    let builder = |settle| {
        Flock2::builder().params(bodies_of(0.25, settle)).domain(domain).seed(3).spawn(1000, spawn)
    };
    assert!(builder(false).build().is_err());
    let flock = builder(true).build().unwrap();
    let gaps = Ruler::default().measure(&flock, &[0.25; 1000]);
    assert!(gaps.bodies >= 0.0 && gaps.faces >= 0.0, "{gaps:?}");
    assert!(flock.frame().by_id().map(|boid| boid.id.get()).eq(0..1000));
    let again = builder(true).threads(1).build().unwrap();
    assert_eq!(observe::state_hash(&flock.frame()), observe::state_hash(&again.frame()));
    // Places go with ids, however they are given.
    let pile = vec![at(9, [0.0, 0.0]), at(1, [50.0, 0.0]), at(5, [0.125, 0.0])];
    let flock =
        Flock2::builder().params(bodies_of(0.25, true)).boids_with_ids(pile).build().unwrap();
    let all: Vec<Boid<2>> = flock.frame().by_id().collect();
    assert_eq!(all[0], at(1, [50.0, 0.0]));
    assert!(
        all[1].position[0] > 0.3 && all[2].position[0] < -0.15 && all[1].velocity == [5.0; 2],
        "{all:?}"
    );
    let tight = Domain::periodic([0.0; 2], [4.0; 2]);
    let refused = builder(true).spawn(100, spawn).domain(tight).build().unwrap_err().to_string();
    assert!(
        refused.starts_with(
            "body.settle = true, and after 1000 rounds 100 of 100 bodies overlap still"
        ),
        "{refused}"
    );
}

/// What hosts do later is not refused, but never gets worse.
#[test]
fn bodies_that_a_host_puts_together_only_move_apart() {
    let goal =
        Drive::new("goal", Goal { target: Some([3.0, 0.0]), ..Default::default() }).weighted(100.0);
    let builder = Flock2::builder().params(bodies_of(0.25, false)).drives(vec![goal]);
    let mut flock = builder.boids(&[[0.0, 0.0], [6.0, 0.5]], &[[0.0; 2]; 2]).build().unwrap();
    let mut ruler = Ruler::default();
    for place in [[2.7, 0.1], [3.3, 0.2]] {
        flock.set_position(BoidId::new(1), place).unwrap();
        flock.set_position(BoidId::new(0), [3.0, 0.0]).unwrap();
        let mut gap = ruler.measure(&flock, &[0.25; 2]).bodies;
        assert!(gap < -0.1);
        for step in 0..500 {
            flock.step(TimeStep::new(0.05).unwrap());
            let now = ruler.measure(&flock, &[0.25; 2]).bodies;
            assert!(now >= gap, "step {step}: {gap} to {now}");
            gap = now.min(0.0);
        }
    }
}
