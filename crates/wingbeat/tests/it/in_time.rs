//! Drives in time on the engine: people who set off when they are told, and that nothing depends on
//! threads. That timed drives equal the textbook is combinations.rs; the definitions by hand are
//! wingbeat-steer's tests.

use wingbeat::drive::*;
use wingbeat::snapshot::*;
use wingbeat::steer::Anticipation;
use wingbeat::steer::anticipation::Orca;
use wingbeat::steer::*;
use wingbeat::*;

fn dt() -> TimeStep {
    TimeStep::new(0.05).unwrap()
}

/// RiMEA 5: ten persons in a room of 8 m by 5 m, with delays of 10 s to 100 s. Each stands until
/// its delay is over and sets off then.
#[test]
fn ten_persons_set_off_when_they_are_told() {
    let delay = Delay::Uniform { min: 10.0, max: 100.0 };
    let params = Params {
        agent: AgentLimits { max_speed: 1.34, ..AgentLimits::default() },
        body: Some(SolidBody { radius: 0.2, ..SolidBody::default() }),
        anticipation: Some(Anticipation::Orca(Orca::default())),
        ..Params::default()
    };
    let places: Vec<[f32; 2]> = (0..10).map(|i| [1.0, 0.25 + 0.5 * i as f32]).collect();
    let field =
        FlowField::from_function([0.0; 2], [8.0, 5.0], [3, 3], |_: [f32; 2]| [1.0, 0.0]).unwrap();
    let way = Drive::new("way out", Flow::new(field)).delayed(delay);
    let door =
        Exit::new("door", ObstacleShape::Box { min: [7.5, 0.0], max: [8.0, 5.0], angle: 0.0 });
    // No walls: who anticipates would slow down before the one behind the door.
    let builder = Flock2::builder().params(params).seed(5);
    let builder = builder.boids(&places, &[[0.0; 2]; 10]).drives(vec![way]).exits(vec![door]);
    let mut flock = builder.build().unwrap();
    let sets_off: Vec<f64> = (0..10).map(|id| delay.of(5, id)).collect();
    let mut out = Vec::new();
    while flock.time() < 120.0 {
        let begins = flock.time();
        flock.step(dt());
        for boid in flock.frame().by_id() {
            let who = boid.id.get() as usize;
            let way = boid.position[0] - 1.0;
            if begins < sets_off[who] {
                assert!(
                    way.abs() < 1e-6 && boid.velocity[0].abs() < 1e-6,
                    "{who} moves before {}: {boid:?}",
                    sets_off[who]
                );
            } else {
                assert!(way > 0.0, "{who} stands at {begins}, and sets off at {}", sets_off[who]);
            }
        }
        out.extend(flock.events().iter().filter_map(|event| match event {
            Event::Exited { boid, .. } => Some((boid.get() as usize, flock.time())),
            _ => None,
        }));
    }
    println!("set off at {sets_off:.2?}, out at {out:.2?}");
    assert!(flock.is_empty() && out.len() == 10);
    for (who, at) in out {
        // 6.5 m at 1.34 m/s, and some time to speed up.
        let took = at - sets_off[who];
        assert!((6.5 / 1.34..8.0).contains(&took), "{who} took {took}");
    }
    let spread = sets_off.iter().fold((f64::INFINITY, 0.0), |(a, b), &x| {
        (if x < a { x } else { a }, if x > b { x } else { b })
    });
    assert!(spread.0 >= 10.0 && spread.1 <= 100.0 && spread.1 - spread.0 > 40.0, "{spread:?}");
}

/// A box of boids with a goal that has a window, a path with delays, and wander.
fn timed(drives: impl Fn(Vec<Drive<[f32; 2]>>) -> Vec<Drive<[f32; 2]>>) -> FlockBuilder<2> {
    let (min, max) = ([0.0; 2], [12.0; 2]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    let params = Params { rules: Separation::default().into(), ..Default::default() };
    let goal = Goal { target: Some([6.0, 6.0]), arrival_radius: 1.0, ..Default::default() };
    let road =
        wingbeat::steer::behavior::Path::looped([[2.0, 2.0], [9.0, 2.0], [9.0, 9.0]], 1.0).unwrap();
    let list = vec![
        Drive::new("goal", goal),
        Drive::new("rounds", Path::new(road)),
        Drive::new("wander", WanderParameters::default()).weighted(0.1),
    ];
    let builder =
        Flock2::builder().params(params).domain(Domain::walled(min, max, 1.0, 3.0)).seed(4);
    builder.spawn(600, spawn).drives(drives(list))
}

fn after(builder: FlockBuilder<2>) -> (u64, StateRecord) {
    let mut flock = builder.build().unwrap();
    (0..30).for_each(|_| flock.step(dt()));
    (observe::state_hash(&flock.frame()), flock.checkpoint().state)
}

#[test]
fn timed_drives_do_not_depend_on_levels_threads_batches_and_storages() {
    let uniform = Delay::Uniform { min: 0.2, max: 1.7 };
    let times = |list: Vec<Drive<[f32; 2]>>| {
        let [goal, rounds, wander]: [_; 3] = list.try_into().unwrap();
        let delay = Delay::LogNormal { median: 0.5, sigma: 0.9 };
        vec![
            Drive::between(goal, 0.3, 1.1).delayed(delay),
            Drive::delayed(rounds, uniform),
            Drive::delayed(wander, uniform),
        ]
    };
    for every in [1, 3] {
        let wanted = after(timed(times).steer_every(every).threads(1).level(Level::Portable));
        for level in Level::available() {
            for (threads, batch, storage) in
                [(1, 7, Storage::Automatic), (3, 64, Storage::Sparse), (8, 512, Storage::Automatic)]
            {
                let builder = timed(times)
                    .steer_every(every)
                    .level(level)
                    .threads(threads)
                    .batch(batch)
                    .storage(storage);
                assert_eq!(after(builder), wanted, "{every} {level} {threads} {batch} {storage:?}");
            }
        }
    }
    assert_ne!(after(timed(times)), after(timed(|list| list)));
}

/// A window that is always open and delays of nothing change no bit.
#[test]
fn times_that_bound_nothing_change_nothing() {
    let always = |list: Vec<Drive<[f32; 2]>>| {
        let times = |drive: Drive<[f32; 2]>| {
            drive.between(0.0, 1e12).delayed(Delay::Uniform { min: 0.0, max: 0.0 })
        };
        list.into_iter().map(times).collect()
    };
    assert_eq!(after(timed(always)), after(timed(|list| list)));
    let never = |list: Vec<Drive<[f32; 2]>>| {
        list.into_iter().map(|drive| drive.between(1.6, 9.0)).collect()
    };
    let (without, _) = after(timed(|_| Vec::new()));
    assert_eq!(after(timed(never)).0, without);
}

/// A way that is another once a door has closed: who is under way turns back to the other door, on
/// every level alike.
#[test]
fn a_crowd_follows_another_field_from_its_time_on() {
    let hall = |doors: &[[f32; 2]]| {
        FlowField::toward([0.0; 2], [20.0, 10.0], [41, 21], doors, |_| false).unwrap()
    };
    let (near, far) = ([19.5, 5.0], [0.5, 5.0]);
    let way = Flow { later: vec![(4.0, hall(&[far]))], ..Flow::new(hall(&[near])) };
    let door = |name: &str, [x, _]: [f32; 2]| {
        Exit::new(
            name,
            ObstacleShape::Box { min: [x - 0.5, 0.0], max: [x + 0.5, 10.0], angle: 0.0 },
        )
    };
    let exits = vec![Exit { closes: 4.0, ..door("near", near) }, door("far", far)];
    let places: Vec<[f32; 2]> =
        (0..180).map(|i| [2.0 + (i / 10) as f32 * 0.9, 0.7 + (i % 10) as f32 * 0.9]).collect();
    let builder = |level: Level, threads: usize| {
        let domain = Domain::walled([0.0; 2], [20.0, 10.0], 0.0, 0.0);
        let builder = Flock2::builder()
            .domain(domain)
            .boids(&places, &vec![[0.0; 2]; 180])
            .exits(exits.clone());
        builder
            .drives(vec![Drive::new("way", way.clone())])
            .level(level)
            .threads(threads)
            .batch(16)
            .build()
            .unwrap()
    };
    let run = |level: Level, threads: usize| {
        let (mut flock, mut out) = (builder(level, threads), Vec::new());
        while !flock.is_empty() && flock.time() < 60.0 {
            flock.step(dt());
            let time = flock.time();
            out.extend(flock.events().iter().filter_map(|event| match *event {
                Event::Exited { boid, exit } => Some((boid, exit, time)),
                _ => None,
            }));
        }
        assert!(flock.is_empty(), "{} are left", flock.len());
        out
    };
    let out = run(Level::Portable, 1);
    assert_eq!(out.len(), 180);
    let by = |exit: usize| out.iter().filter(move |one| one.1 == ExitId::new(exit));
    println!("{} by the near door, {} by the far one", by(0).count(), by(1).count());
    // At 2 m/s: by the near door who was within some 8 m of it.
    assert!(by(0).all(|one| one.2 < 4.0) && by(1).all(|one| one.2 > 4.0));
    assert!((40..100).contains(&by(0).count()));
    for level in Level::available() {
        assert_eq!(run(level, 3), out, "{level}");
    }
}
