//! Exits and sources by hand: who is counted where, when others come and where they find room, what
//! is refused.

use wingbeat_steer::drive::{Goal, OnArrival};
use wingbeat_steer::gate::{Exits, MAX_TRIES, SourceMemory, Sources};
use wingbeat_steer::noise::{stream, uniform};
use wingbeat_steer::{
    Domain, Drive, Exit, Obstacle, ObstacleMotion, ObstacleSet, ObstacleShape, Params, SolidBody,
    Source, Species, SpeciesId, TextbookBoid, TextbookFlock, Traits, Vector, math,
};

type Flat = [f32; 2];

fn block(x: f32, y: f32, side: f32) -> ObstacleShape<Flat> {
    ObstacleShape::Box { min: [x, y], max: [x + side, y + side], angle: 0.0 }
}

fn resting(id: u64, position: Flat) -> TextbookBoid<Flat> {
    TextbookBoid { id, position, velocity: [0.0; 2] }
}

fn two_species() -> Params {
    let named = |name: &str| Species { name: name.into(), ..Species::default() };
    Params { species: vec![named("a"), named("b")], ..Params::default() }
}

fn solid(radius: f32) -> Params {
    Params { body: Some(SolidBody { radius, ..SolidBody::default() }), ..Params::default() }
}

fn exits(list: Vec<Exit<Flat>>, params: &Params, domain: &Domain<Flat>) -> Exits<Flat> {
    Exits::new(list, params, domain).expect("exits")
}

fn sources(list: Vec<Source<Flat>>, params: &Params) -> Sources<Flat> {
    Sources::new(list, params, &Domain::open(), None).expect("sources")
}

fn exit_error(list: Vec<Exit<Flat>>, params: &Params, domain: &Domain<Flat>) -> String {
    Exits::new(list, params, domain).unwrap_err().to_string()
}

fn source_error(source: Source<Flat>, params: &Params, domain: &Domain<Flat>) -> String {
    Sources::new(vec![source], params, domain, None).unwrap_err().to_string()
}

#[test]
fn who_ends_a_step_inside_leaves_by_the_first_exit_that_holds_it() {
    let params = two_species();
    let list = vec![
        Exit { open: false, ..Exit::new("closed", block(0.0, 0.0, 4.0)) },
        Exit { species: Some(SpeciesId::new(1)), ..Exit::new("b's", block(0.0, 0.0, 2.0)) },
        Exit::new("left", block(1.0, 0.0, 1.0)),
        Exit::new("right", block(2.0, 0.0, 1.0)),
    ];
    let places = [
        [0.5, 0.5],
        [0.5, 0.6],
        [1.5, 0.5],
        [1.5, 0.6],
        [2.0, 1.0],
        [3.0, 0.0],
        [3.1, 0.5],
        [2.5, 1.1],
        [3.5, 0.5],
    ];
    let mut flock = TextbookFlock {
        exits: exits(list, &params, &Domain::open()),
        params,
        boids: (10..).zip(places).map(|(id, place)| resting(id, place)).collect(),
        traits: [11, 13]
            .map(|id| (id, Traits { species: SpeciesId::new(1), ..Traits::default() }))
            .into(),
        ..TextbookFlock::default()
    };
    // It walks out within the step, and is not counted; another one in.
    flock.boids[4].velocity = [0.0, 0.5];
    flock.boids[8].velocity = [-1.0, 0.0];
    flock.step_by(1.0);
    // By the species of 11 and 13 it is the second exit; on the edge is inside; of two that touch
    // it is the first.
    assert_eq!(flock.exited, [(11, 1), (12, 2), (13, 1), (15, 3), (18, 3)]);
    assert_eq!(flock.boids.iter().map(|boid| boid.id).collect::<Vec<_>>(), [10, 14, 16, 17]);
    flock.step_by(1.0);
    assert!(flock.exited.is_empty());
}

#[test]
fn exits_come_after_arrivals_and_before_the_domain() {
    let goal = |on_arrival| Goal {
        target: Some([9.5, 5.0]),
        arrival_radius: 1.0,
        on_arrival,
        ..Default::default()
    };
    let after = |on_arrival| {
        let domain = Domain::absorbing([0.0; 2], [10.0; 2]);
        let (inside, outside) = (resting(0, [9.5, 5.0]), resting(1, [10.5, 5.0]));
        let far = resting(2, [-1.0, 5.0]);
        let mut flock = TextbookFlock {
            exits: exits(
                vec![Exit::new("door", block(9.0, 4.5, 2.0))],
                &Params::default(),
                &domain,
            ),
            drives: vec![Drive::new("goal", goal(on_arrival)).weighted(0.0)],
            domain,
            boids: vec![inside, outside, far],
            ..TextbookFlock::default()
        };
        flock.step_by(0.01);
        assert!(flock.boids.is_empty());
        (flock.arrived, flock.exited, flock.left)
    };
    assert_eq!(after(OnArrival::Leave), (vec![(0, 0), (1, 0)], vec![], vec![2]));
    assert_eq!(after(OnArrival::Stay), (vec![(0, 0), (1, 0)], vec![(0, 0), (1, 0)], vec![2]));
}

#[test]
fn exits_of_every_shape() {
    let turned = ObstacleShape::Box { min: [-2.0, -0.5], max: [2.0, 0.5], angle: 90.0 };
    // An arrow whose notch is outside.
    let arrow =
        ObstacleShape::Polygon { points: vec![[0.0, 0.0], [4.0, 2.0], [0.0, 4.0], [1.0, 2.0]] };
    let rod = ObstacleShape::Capsule { from: [0.0, 0.0], to: [4.0, 0.0], radius: 0.25 };
    let ball = ObstacleShape::Sphere { center: [1.0, 1.0], radius: 0.5 };
    for (shape, inside, outside) in [
        (turned, [0.0, 1.9], [1.9, 0.0]),
        (arrow, [1.2, 2.0], [0.9, 2.0]),
        (rod, [4.2, 0.0], [4.2, 0.2]),
        (ball, [1.5, 1.0], [1.4, 1.4]),
    ] {
        let exits = exits(vec![Exit::new("door", shape)], &Params::default(), &Domain::open());
        assert_eq!(
            (exits.of(inside, SpeciesId::new(0), 0.0), exits.of(outside, SpeciesId::new(0), 0.0)),
            (Some(0), None),
            "{exits:?}"
        );
        assert!(exits.may_hold(inside));
    }
    let block = ObstacleShape::Box { min: [0.0; 3], max: [1.0, 2.0, 3.0], angle: 0.0 };
    let exits = Exits::new(vec![Exit::new("room", block)], &Params::default(), &Domain::open())
        .expect("an exit");
    assert_eq!(
        (
            exits.of([1.0, 2.0, 3.0], SpeciesId::new(0), 0.0),
            exits.of([0.5, 1.0, 3.1], SpeciesId::new(0), 0.0)
        ),
        (Some(0), None)
    );
}

/// Steps a flock of sources alone and tells how many have come after each.
fn counted(source: Source<Flat>, dt: f32, steps: usize) -> Vec<usize> {
    let params = Params::default();
    let mut flock = TextbookFlock {
        sources: sources(vec![source], &params),
        params,
        ..TextbookFlock::default()
    };
    let step = |flock: &mut TextbookFlock<Flat>| {
        flock.step_by(dt);
        flock.boids.len()
    };
    (0..steps).map(|_| step(&mut flock)).collect()
}

#[test]
fn so_many_have_come_by_each_time() {
    let source = Source { name: "s".into(), max: [1.0; 2], rate: 2.0, ..Source::default() };
    // Two a time: at 0.5, 1, 1.5, …
    assert_eq!(counted(source.clone(), 0.25, 9), [0, 1, 1, 2, 2, 3, 3, 4, 4]);
    // However long a step is.
    assert_eq!(counted(source.clone(), 1.5, 3), [3, 6, 9]);
    assert_eq!(
        counted(Source { from: 1.0, ..source.clone() }, 0.25, 9),
        [0, 0, 0, 0, 0, 1, 1, 2, 2]
    );
    assert_eq!(
        counted(Source { until: 1.5, ..source.clone() }, 0.25, 9),
        [0, 1, 1, 2, 2, 3, 3, 3, 3]
    );
    assert_eq!(
        counted(Source { until: 1.4, ..source.clone() }, 0.25, 9),
        [0, 1, 1, 2, 2, 2, 2, 2, 2]
    );
    assert_eq!(
        counted(Source { count: Some(3), ..source.clone() }, 0.25, 9),
        [0, 1, 1, 2, 2, 3, 3, 3, 3]
    );
    assert_eq!(counted(Source { rate: 0.4, ..source }, 1.0, 8), [0, 0, 1, 1, 2, 2, 2, 3]);
}

#[test]
fn they_enter_in_order_at_keyed_places_with_the_next_ids() {
    let params = two_species();
    let first = Source {
        name: "first".into(),
        min: [-1.0, 2.0],
        max: [3.0, 2.0],
        rate: 2.0,
        ..Source::default()
    };
    let second = Source {
        name: "second".into(),
        species: SpeciesId::new(1),
        velocity: [0.5, 0.0],
        rate: 1.0,
        ..first.clone()
    };
    let mut flock = TextbookFlock {
        sources: sources(vec![first, second], &params),
        exits: exits(vec![Exit::new("door", block(50.0, 0.0, 1.0))], &params, &Domain::open()),
        params,
        seed: 77,
        boids: vec![resting(41, [50.5, 0.5])],
        ..TextbookFlock::default()
    };
    flock.step_by(1.0);
    // 41 has left in this very step, and its id is not used again.
    assert_eq!(
        (flock.exited.clone(), flock.entered.clone()),
        (vec![(41, 0)], vec![(42, 0), (43, 0), (44, 1)])
    );
    let place = |source: u32, number: u64| {
        [-1.0 + 4.0 * uniform(77, number, 0, stream::SOURCE + 4 * source), 2.0]
    };
    let wanted =
        [(42, place(0, 0), [0.0; 2]), (43, place(0, 1), [0.0; 2]), (44, place(1, 0), [0.5, 0.0])];
    let told: Vec<_> =
        flock.boids.iter().map(|boid| (boid.id, boid.position, boid.velocity)).collect();
    assert_eq!(told, wanted);
    assert_eq!([43, 44].map(|id| flock.traits[&id].species.get()), [0, 1]);
    // They steer from the next step on.
    flock.step_by(1.0);
    assert_eq!(flock.boids[2].position, [wanted[2].1[0] + 0.5, 2.0]);
    assert_eq!(flock.entered, [(45, 0), (46, 0), (47, 1)]);
    flock.boids.clear();
    flock.step_by(1.0);
    assert_eq!(flock.entered, [(48, 0), (49, 0), (50, 1)]);
}

#[test]
fn bodies_wait_for_room_and_those_behind_them_too() {
    let params = solid(0.5);
    let point = Source { name: "point".into(), rate: 4.0, ..Source::default() };
    let other = Source {
        name: "other".into(),
        min: [9.0, 0.0],
        max: [9.0, 0.0],
        rate: 4.0,
        ..Source::default()
    };
    let mut flock = TextbookFlock {
        sources: sources(vec![point, other], &params),
        params,
        // It just touches a body at the first source, and overlaps one at the second.
        boids: vec![resting(0, [1.0, 0.0]), resting(1, [9.9999, 0.0])],
        ..TextbookFlock::default()
    };
    flock.step_by(1.0);
    // Four are due at each; a point has room for one.
    assert_eq!(flock.entered, [(2, 0)]);
    let memory = |released, tries| SourceMemory { released, tries };
    assert_eq!(flock.sources.memory(), [memory(1, MAX_TRIES), memory(0, MAX_TRIES)]);
    flock.boids.retain(|boid| boid.id != 1);
    flock.step_by(1.0);
    assert_eq!(flock.entered, [(3, 1)]);
    assert_eq!(flock.sources.memory(), [memory(1, 2 * MAX_TRIES), memory(1, MAX_TRIES)]);
    // Larger bodies need more room, each its own.
    flock.boids.retain(|boid| boid.id == 0);
    flock.traits.insert(0, Traits { radius: Some(0.5001), ..Traits::default() });
    flock.step_by(1.0);
    assert_eq!(flock.entered, [(4, 1)]);
}

#[test]
fn who_waits_finds_the_gap_that_opens() {
    // A line with room for one between two bodies, hard to hit: it takes some steps, each with
    // other places.
    let params = solid(0.5);
    let line = Source {
        name: "line".into(),
        min: [0.0; 2],
        max: [40.0, 0.0],
        rate: 1.0,
        count: Some(1),
        ..Source::default()
    };
    let crowd = |gap: f32| {
        (0..40).map(|i| resting(i, [i as f32 + if i < 20 { 0.0 } else { gap }, 0.0])).collect()
    };
    let mut flock = TextbookFlock {
        sources: sources(vec![line], &params),
        params,
        boids: crowd(1.05),
        seed: 4,
        ..TextbookFlock::default()
    };
    let steps = (1..2000).find(|_| {
        flock.step_by(1.0);
        !flock.entered.is_empty()
    });
    let place = flock.boids[40].position[0];
    assert!((20.0..=20.05).contains(&place), "{place}");
    assert!(steps > Some(2), "{steps:?}");
    assert_eq!(flock.sources.memory(), [SourceMemory { released: 1, tries: 0 }]);
}

#[test]
fn faces_and_obstacles_leave_no_room() {
    let tree = |motion| Obstacle {
        name: "tree".into(),
        shape: ObstacleShape::Sphere { center: [5.0, 1.0], radius: 1.0 },
        motion,
    };
    let drift = ObstacleMotion::Line { velocity: [0.0; 2], range: None };
    for (radius, motion) in
        [(0.5, ObstacleMotion::Static), (0.5, drift), (0.0, ObstacleMotion::Static)]
    {
        let params = if radius > 0.0 { solid(radius) } else { Params::default() };
        let domain = Domain::reflecting([0.0; 2], [10.0, 4.0]);
        let obstacles = ObstacleSet::new(vec![tree(motion)].into(), &domain).expect("a tree");
        let source =
            Source { name: "all".into(), max: [10.0, 4.0], rate: 300.0, ..Source::default() };
        let sources =
            Sources::new(vec![source], &params, &domain, Some(&obstacles)).expect("a source");
        let mut flock =
            TextbookFlock { sources, domain, params, obstacles, ..TextbookFlock::default() };
        flock.step_by(0.1);
        // Without steps of their own they are where they entered.
        let least = |of: &dyn Fn(&TextbookBoid<Flat>) -> f32| {
            flock.boids.iter().map(of).fold(f32::INFINITY, math::min)
        };
        assert!(flock.boids.len() > if radius > 0.0 { 8 } else { 25 }, "{}", flock.boids.len());
        let by_tree = least(&|boid| boid.position.minus([5.0, 1.0]).norm() - 1.0 - radius);
        let by_faces = least(&|boid| {
            let [x, y] = boid.position;
            math::min(math::min(x, y), math::min(4.0 - y, 10.0 - x))
        });
        assert!(by_tree >= 0.0 && by_faces >= radius, "{by_tree} {by_faces}");
    }
}

#[test]
fn exits_that_cannot_work_are_refused() {
    let (none, open) = (Params::default(), Domain::open());
    let walled = Domain::reflecting([0.0; 2], [10.0; 2]);
    let periodic = Domain::periodic([0.0; 2], [10.0; 2]);
    let door = |x: f32| Exit::new("door", block(x, 1.0, 2.0));
    assert_eq!(
        exit_error(vec![door(1.0), door(2.0)], &none, &open),
        "exit.door = given twice: allowed is every name once"
    );
    assert_eq!(
        exit_error(vec![Exit::new("", block(0.0, 0.0, 1.0))], &none, &open),
        "exit = without a name: allowed is a name of at least one letter"
    );
    let many = (0..65).map(|i| Exit::new(format!("{i}"), block(1.0, 1.0, 1.0))).collect();
    assert_eq!(exit_error(many, &none, &open), "exits = 65: allowed is at most 64");
    let wall = ObstacleShape::Wall { from: [0.0; 2], to: [1.0; 2] };
    assert!(
        exit_error(vec![Exit::new("door", wall)], &none, &open)
            .starts_with("exit.door.kind = wall: allowed is a shape")
    );
    assert_eq!(
        exit_error(vec![Exit::new("door", block(1.0, 1.0, 0.0))], &none, &open),
        "exit.door.max[0] = 1: allowed is above exit.door.min[0] = 1"
    );
    assert_eq!(
        exit_error(
            vec![
                Exit { species: Some(SpeciesId::new(0)), ..door(1.0) },
                Exit { species: Some(SpeciesId::new(1)), ..Exit::new("b", block(0.0, 0.0, 1.0)) }
            ],
            &none,
            &open
        ),
        "exit.b.species = 1: allowed is 0: every boid is of one species"
    );
    assert!(
        Exits::new(vec![door(9.0), Exit::new("b", block(-2.0, 1.0, 2.0))], &none, &walled).is_ok()
    );
    assert_eq!(
        exit_error(vec![door(10.5)], &none, &walled),
        "exit.door.shape = 10.5 to 12.5 on axis 0: allowed is a region that reaches into 0 to 10, \
            the domain"
    );
    assert_eq!(
        exit_error(vec![door(9.0)], &none, &periodic),
        "exit.door.shape = 9 to 11 on axis 0: allowed is a region within 0 to 10, the periodic \
            domain"
    );
    assert!(Exits::new(vec![door(8.0)], &none, &periodic).is_ok());
}

#[test]
fn sources_that_cannot_work_are_refused() {
    let (none, open) = (Params::default(), Domain::open());
    let walled = Domain::walled([0.0; 2], [10.0; 2], 0.0, 0.0);
    let good = Source { name: "s".into(), min: [1.0; 2], max: [2.0; 2], ..Source::default() };
    assert!(Sources::new(vec![good.clone()], &solid(0.25), &walled, None).is_ok());
    for (source, told) in [
        (
            Source { rate: 0.0, ..good.clone() },
            "source.s.rate = 0: allowed is above 0, at most 1000000",
        ),
        (
            Source { rate: f32::NAN, ..good.clone() },
            "source.s.rate = NaN: allowed is above 0, at most 1000000",
        ),
        (Source { from: -1.0, ..good.clone() }, "source.s.from = -1: allowed is 0 to 1e12"),
        (
            Source { from: 3.0, until: 2.0, ..good.clone() },
            "source.s.until = 2: allowed is at least source.s.from = 3",
        ),
        (
            Source { species: SpeciesId::new(1), ..good.clone() },
            "source.s.species = 1: allowed is 0: every boid is of one species",
        ),
        (
            Source { max: [2.0, 0.5], ..good.clone() },
            "source.s.max[1] = 0.5: allowed is at least source.s.min[1] = 1",
        ),
        (
            Source { max: [2.0, 10.5], ..good.clone() },
            "source.s.max[1] = 10.5: allowed is 0 to 10, the domain",
        ),
        (
            Source { velocity: [0.0, f32::NAN], ..good.clone() },
            "source.s.velocity[1] = NaN: allowed is -1e12 to 1e12",
        ),
        (
            Source { min: [f32::NAN, 0.0], ..good.clone() },
            "source.s.min[0] = NaN: allowed is -1e30 to 1e30",
        ),
    ] {
        assert_eq!(source_error(source, &none, &walled), told);
    }
    let corner = Source { min: [9.8, 1.0], max: [10.0, 2.0], ..good.clone() };
    assert!(
        source_error(corner, &solid(0.25), &walled)
            .starts_with("source.s.min[0] = 9.8: allowed is a box that reaches into 0.25 to 9.75")
    );
    let twice =
        Sources::new(vec![good.clone(), good.clone()], &none, &open, None).unwrap_err().to_string();
    assert_eq!(twice, "source.s = given twice: allowed is every name once");
    // Within an obstacle that stands, wholly: at its edge there is room for points, and for no
    // body.
    let rock = |motion| Obstacle {
        name: "rock".into(),
        shape: ObstacleShape::Sphere { center: [1.5; 2], radius: 0.7 },
        motion,
    };
    let refused = |source: &Source<Flat>, params: &Params, motion| {
        let obstacles = ObstacleSet::new(vec![rock(motion)].into(), &open).expect("a rock");
        Sources::new(vec![source.clone()], params, &open, Some(&obstacles))
            .err()
            .map(|refusal| refusal.to_string())
    };
    let told = "source.s.min = [1.0, 1.0] to max = [2.0, 2.0]: allowed is a box with room outside \
        of obstacle.rock";
    assert_eq!(refused(&good, &none, ObstacleMotion::Static), None);
    assert_eq!(refused(&good, &solid(0.1), ObstacleMotion::Static), Some(told.into()));
    assert_eq!(refused(&good, &solid(0.1), ObstacleMotion::Host), None);
}
