//! Exits in time by hand: hours, turnstiles, and what they remember.

use wingbeat_steer::gate::{ExitMemory, Exits};
use wingbeat_steer::{
    Domain, Exit, ObstacleShape, Params, Species, SpeciesId, TextbookBoid, TextbookFlock, Traits,
};

type Flat = [f32; 2];

fn door(name: &str) -> Exit<Flat> {
    Exit::new(name, ObstacleShape::Box { min: [0.0, 0.0], max: [4.0, 4.0], angle: 0.0 })
}

/// Resting boids, all in the door.
fn flock(exits: Vec<Exit<Flat>>, ids: &[u64]) -> TextbookFlock<Flat> {
    let exits = Exits::new(exits, &Params::default(), &Domain::open()).expect("exits");
    let boid = |&id: &u64| TextbookBoid {
        id,
        position: [1.0 + 0.01 * id as f32, 1.0],
        velocity: [0.0; 2],
    };
    TextbookFlock { exits, boids: ids.iter().map(boid).collect(), ..TextbookFlock::default() }
}

/// Times at which steps ended and who left in them.
fn leaving(flock: &mut TextbookFlock<Flat>, dt: f32, steps: usize) -> Vec<(f64, u64)> {
    let mut told = Vec::new();
    for _ in 0..steps {
        flock.step_by(dt);
        told.extend(flock.exited.iter().map(|&(id, _)| (flock.time, id)));
    }
    told
}

#[test]
fn a_door_is_open_when_the_step_ends_from_its_opening_until_before_it_closes() {
    for (opens, closes, first) in
        [(0.0, f64::INFINITY, Some(0.5)), (1.5, f64::INFINITY, Some(1.5)), (1.4, 9.0, Some(1.5))]
    {
        let mut flock = flock(vec![Exit { opens, closes, ..door("a") }], &[3, 1]);
        let wanted: Vec<(f64, u64)> =
            first.into_iter().flat_map(|time| [(time, 1), (time, 3)]).collect();
        assert_eq!(leaving(&mut flock, 0.5, 8), wanted, "{opens} {closes}");
    }
    for (opens, closes) in [(0.0, 0.5), (1.6, 2.0), (1.5, 1.5)] {
        assert!(
            leaving(&mut flock(vec![Exit { opens, closes, ..door("a") }], &[1]), 0.5, 8).is_empty(),
            "{opens} {closes}"
        );
    }
    // One that is shut stays shut, and leaves the others to the next that is open.
    let exits = vec![
        Exit { open: false, ..door("shut") },
        Exit { opens: 1.0, ..door("late") },
        door("always"),
    ];
    let mut flock = flock(exits, &[0]);
    flock.step_by(0.5);
    assert_eq!(flock.exited, [(0, 2)]);
}

#[test]
fn a_queue_of_five_leaves_one_at_a_time_the_lowest_id_first() {
    let every = |every: f64| vec![Exit { every, ..door("turnstile") }];
    let all = [9, 2, 7, 4, 5];
    // The first at once.
    let told = leaving(&mut flock(every(1.0), &all), 0.25, 40);
    assert_eq!(told, [(0.25, 2), (1.25, 4), (2.25, 5), (3.25, 7), (4.25, 9)]);
    // Its turn falls within a step: it leaves at that step's end, and so many leave in the long run
    // whatever the length of steps.
    let mut flock_of_five = flock(every(0.6), &all);
    let told = leaving(&mut flock_of_five, 0.25, 40);
    assert_eq!(told, [(0.25, 2), (1.0, 4), (1.5, 5), (2.25, 7), (2.75, 9)]);
    let last = flock_of_five.exits.memory()[0].last.expect("a boid left");
    assert!((last - 2.65).abs() < 1e-12, "{last}");
    // Several in a step, where it is that quick.
    let told = leaving(&mut flock(every(0.5), &all), 1.0, 40);
    assert_eq!(told, [(1.0, 2), (2.0, 4), (2.0, 5), (3.0, 7), (3.0, 9)]);
    // No bound.
    assert_eq!(leaving(&mut flock(every(0.0), &all), 1.0, 1).len(), 5);
}

/// By a turnstile of 11/16: 16/11 per time, whether steps are shorter or longer than that.
#[test]
fn so_many_leave_per_time_whatever_the_length_of_steps() {
    let ids: Vec<u64> = (0..1000).collect();
    for dt in [0.0625, 0.5, 3.0] {
        let mut flock = flock(
            vec![Exit {
                every: 0.6875,
                ..Exit::new("hall", ObstacleShape::Sphere { center: [0.0; 2], radius: 90.0 })
            }],
            &ids,
        );
        let mut gone = 0;
        for _ in 0..(96.0 / dt) as usize {
            flock.step_by(dt);
            gone += flock.exited.len();
            let served = ((flock.time - f64::from(dt)) / 0.6875) as usize + 1;
            assert_eq!(gone, served, "dt {dt} at {}", flock.time);
        }
    }
}

#[test]
fn who_waits_at_a_turnstile_may_go_and_who_comes_late_is_let_out_at_once() {
    let mut flock = flock(vec![Exit { every: 10.0, ..door("slow") }, door("behind it")], &[1, 2]);
    // Both are in the first exit that holds them: the second waits there, and does not leave by the
    // other.
    assert_eq!(leaving(&mut flock, 1.0, 3), [(1.0, 1)]);
    flock.boids[0].position = [-1.0, 0.0];
    assert!(leaving(&mut flock, 1.0, 12).is_empty());
    flock.boids[0].position = [1.0, 1.0];
    assert_eq!(leaving(&mut flock, 1.0, 1), [(16.0, 2)]);
    assert_eq!(flock.exits.memory(), [ExitMemory { last: Some(16.0) }, ExitMemory { last: None }]);
}

#[test]
fn a_turnstile_serves_its_species_alone() {
    let named = |name: &str| Species { name: name.into(), ..Species::default() };
    let params = Params { species: vec![named("a"), named("b")], ..Params::default() };
    let list = vec![
        Exit { every: 1.0, species: Some(SpeciesId::new(1)), ..door("b's") },
        Exit { every: 2.0, ..door("all") },
    ];
    let mut flock = flock(Vec::new(), &[0, 1, 2, 3]);
    flock.exits = Exits::new(list, &params, &Domain::open()).expect("exits");
    flock.set_params(params);
    flock.traits =
        [1, 3].map(|id| (id, Traits { species: SpeciesId::new(1), ..Traits::default() })).into();
    flock.step_by(1.0);
    assert_eq!(flock.exited, [(0, 1), (1, 0)]);
    flock.step_by(1.0);
    assert_eq!(flock.exited, [(3, 0)]);
    flock.step_by(1.0);
    assert_eq!(flock.exited, [(2, 1)]);
}

#[test]
fn exits_go_on_with_what_they_remember() {
    let params = Params::default();
    let exits = |list: Vec<Exit<Flat>>| Exits::new(list, &params, &Domain::open()).expect("exits");
    let list = vec![Exit { every: 2.0, ..door("a") }, Exit { every: 3.0, ..door("b") }];
    let mut before = exits(list.clone());
    assert!(before.lets_out(1, (0.0, 1.0)));
    // By name, in whatever place.
    let mut after = exits(vec![door("new"), list[1].clone(), Exit { every: 2.0, ..door("a") }]);
    after.go_on_from(&before);
    assert_eq!(
        after.memory().iter().map(|memory| memory.last).collect::<Vec<_>>(),
        [None, Some(1.0), None]
    );
    assert!(
        !after.lets_out(1, (3.0, 3.5))
            && after.lets_out(1, (3.5, 4.5))
            && after.lets_out(2, (3.5, 4.5))
    );
    assert_eq!(after.memory()[1].last, Some(4.0));
    let told = |memory: &[Option<f64>], time: f64| {
        let memory: Vec<_> = memory.iter().map(|&last| ExitMemory { last }).collect();
        let mut other = exits(list.clone());
        let told = other.remember(&memory, time).map_err(|refusal| refusal.to_string());
        assert_eq!(other.memory() == memory, told.is_ok());
        told
    };
    assert_eq!(told(&[Some(7.0), None], 7.0), Ok(()));
    assert_eq!(
        told(&[None], 7.0).unwrap_err(),
        "memory.exits = 1: allowed is 2, one for each exit of this flock"
    );
    assert_eq!(
        told(&[None, Some(7.5)], 7.0).unwrap_err(),
        "exit.b.last = 7.5: allowed is 0 to 7, the time of the memory"
    );
    assert!(told(&[Some(f64::NAN), None], 7.0).unwrap_err().starts_with("exit.a.last = NaN"));
    assert!(told(&[Some(-1.0), None], 7.0).unwrap_err().starts_with("exit.a.last = -1"));
}

#[test]
fn hours_that_are_none_are_refused() {
    let refused =
        |exit| Exits::new(vec![exit], &Params::default(), &Domain::open()).unwrap_err().to_string();
    let good = door("door");
    assert_eq!(
        refused(Exit { opens: -1.0, ..good.clone() }),
        "exit.door.opens = -1: allowed is 0 to 1e12"
    );
    assert_eq!(
        refused(Exit { every: f64::NAN, ..good.clone() }),
        "exit.door.every = NaN: allowed is 0 to 1e12"
    );
    assert_eq!(
        refused(Exit { every: f64::INFINITY, ..good.clone() }),
        "exit.door.every = inf: allowed is 0 to 1e12"
    );
    let closed = Exit { opens: 3.0, closes: 2.0, ..good.clone() };
    assert_eq!(refused(closed), "exit.door.closes = 2: allowed is at least exit.door.opens = 3");
    assert!(refused(Exit { closes: f64::NAN, ..good }).starts_with("exit.door.closes = NaN"));
}
