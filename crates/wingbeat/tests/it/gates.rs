//! Exits and sources of flocks: doors that open and close, memory, refusals, and that nothing
//! depends on threads. That flocks with gates and everything else equal the textbook is
//! combinations.rs; who is counted where, wingbeat-steer's tests.

use crate::common::*;
use wingbeat::snapshot::*;
use wingbeat::steer::gate::{ExitMemory, SourceMemory};
use wingbeat::steer::*;
use wingbeat::*;

/// Who left by which exit, as the flock tells.
pub(super) fn who_exited<const D: usize>(flock: &Flock<D>) -> Vec<(u64, usize)> {
    let who = |event: &Event| {
        if let Event::Exited { boid, exit } = event { Some((boid.get(), exit.get())) } else { None }
    };
    flock.events().iter().filter_map(who).collect()
}

/// Who entered from which source, as the flock tells.
pub(super) fn who_entered<const D: usize>(flock: &Flock<D>) -> Vec<(u64, usize)> {
    let who = |event: &Event| {
        if let Event::Entered { boid, source } = event {
            Some((boid.get(), source.get()))
        } else {
            None
        }
    };
    flock.events().iter().filter_map(who).collect()
}

/// A point of a box, by parts of its sides.
fn point<const D: usize>((low, high): ([f32; D], [f32; D]), parts: [f32; 3]) -> [f32; D] {
    std::array::from_fn(|a| low[a] + (high[a] - low[a]) * parts[a])
}

/// Exits of every shape about a box, one of them closed, one for one species; they overlap.
pub(super) fn exits<const D: usize>(
    corners: ([f32; D], [f32; D]),
    kinds: usize,
    random: &mut Random,
) -> Vec<Exit<[f32; D]>> {
    let side = corners.1[0] - corners.0[0];
    let at = |parts| point(corners, parts);
    let middle = [random.within(0.3, 0.7), random.within(0.3, 0.7), random.within(0.3, 0.7)];
    let ball = ObstacleShape::Sphere { center: at(middle), radius: side * 0.1 };
    let block = ObstacleShape::Box { min: at([0.01; 3]), max: at([0.2, 0.3, 0.9]), angle: 0.0 };
    let rod = ObstacleShape::Capsule {
        from: at([0.2, 0.8, 0.2]),
        to: at([0.8, 0.85, 0.3]),
        radius: side * 0.03,
    };
    let last = if D == 2 {
        ObstacleShape::Polygon {
            points: [[0.7, 0.1, 0.0], [0.95, 0.2, 0.0], [0.8, 0.4, 0.0], [0.82, 0.2, 0.0]]
                .map(at)
                .to_vec(),
        }
    } else {
        ObstacleShape::Sphere { center: at([0.8; 3]), radius: side * 0.15 }
    };
    let shapes = [ball, block, rod, last];
    let mut list: Vec<_> =
        (0..).zip(shapes).map(|(i, shape)| Exit::new(format!("exit {i}"), shape)).collect();
    list[random.below(4)].open = false;
    list[random.below(4)].species = Some(SpeciesId::new(random.below(kinds.max(1))));
    list
}

/// Gives exits hours that begin and end within the first few steps, and makes some of them
/// turnstiles.
pub(super) fn give_hours<const D: usize>(
    exits: &mut [Exit<[f32; D]>],
    windows: bool,
    every: bool,
    dt: f32,
    random: &mut Random,
) {
    let dt = f64::from(dt);
    for exit in exits {
        if windows {
            exit.opens = random.one_of(&[0.0, 0.0, 2.0, 2.5]) * dt;
            exit.closes = random.one_of(&[f64::INFINITY, f64::INFINITY, 4.0, 4.5]) * dt;
        }
        if every {
            exit.every = random.one_of(&[0.0, 0.4, 1.0, 1.7]) * dt;
        }
    }
}

/// Sources in a box: one that is crowded, one that ends, and a point.
pub(super) fn sources<const D: usize>(
    corners: ([f32; D], [f32; D]),
    kinds: usize,
    dt: f32,
    random: &mut Random,
) -> Vec<Source<[f32; D]>> {
    let at = |parts| point(corners, parts);
    let mut source = |name: &str, from: f32, to: f32, rate: f32| Source {
        name: name.into(),
        min: at([from; 3]),
        max: at([to; 3]),
        rate: rate / dt,
        species: SpeciesId::new(random.below(kinds.max(1))),
        velocity: std::array::from_fn(|a| [0.5, -0.25, 0.125][a]),
        ..Source::default()
    };
    let crowded = source("crowded", 0.0, 0.3, 3.5);
    let ends =
        Source { count: Some(7), from: f64::from(dt) * 1.5, ..source("ends", 0.0, 1.0, 2.3) };
    let hole = Source { until: f64::from(dt) * 4.0, ..source("hole", 0.5, 0.5, 1.0) };
    vec![crowded, ends, hole]
}

fn dt() -> TimeStep {
    TimeStep::new(0.05).unwrap()
}

/// Bodies that come from two sources, cross a walled box side by side and leave by an exit, or by
/// one for the second species alone.
fn corridor(seed: u64) -> FlockBuilder<2> {
    let named = |name: &str| Species { name: name.into(), ..Species::default() };
    let params = Params {
        species: vec![named("a"), named("b")],
        body: Some(SolidBody { radius: 0.2, ..SolidBody::default() }),
        ..Params::default()
    };
    let source = |name: &str, x: f32, velocity: f32, species: usize| Source {
        name: name.into(),
        min: [x, 2.0 * species as f32],
        max: [x + 1.0, 2.0 * species as f32 + 2.0],
        rate: 20.0,
        count: Some(60),
        species: SpeciesId::new(species),
        velocity: [velocity, 0.0],
        ..Source::default()
    };
    let door = |name: &str, x: f32| {
        Exit::new(name, ObstacleShape::Box { min: [x, 0.0], max: [x + 0.5, 4.0], angle: 0.0 })
    };
    let exits =
        vec![Exit { species: Some(SpeciesId::new(1)), ..door("b's", 0.0) }, door("right", 9.5)];
    let pillar = ObstacleShape::Sphere { center: [5.0, 2.0], radius: 0.5 };
    let pillar = Obstacle { name: "pillar".into(), shape: pillar, motion: ObstacleMotion::Static };
    let goal = |species: usize, x: f32| {
        let goal = wingbeat::drive::Goal {
            target: Some([x, 1.0 + 2.0 * species as f32]),
            ..Default::default()
        };
        Drive {
            species: Some(SpeciesId::new(species)),
            ..Drive::new(format!("goal {species}"), goal)
        }
    };
    Flock2::builder()
        .params(params)
        .domain(Domain::walled([0.0; 2], [10.0, 4.0], 0.0, 0.0))
        .obstacles(vec![pillar])
        .drives(vec![goal(0, 10.0), goal(1, 0.0)])
        .sources(vec![source("left", 0.5, 1.0, 0), source("right", 8.0, -1.0, 1)])
        .exits(exits)
        .seed(seed)
}

/// The smallest gap between two bodies of the corridor.
fn gap(flock: &Flock2) -> f64 {
    let places: Vec<[f64; 2]> =
        flock.frame().by_id().map(|boid| boid.position.map(f64::from)).collect();
    let mut least = f64::INFINITY;
    for (i, a) in places.iter().enumerate() {
        for b in &places[..i] {
            least = least.min(
                ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
                    - 2.0 * f64::from(0.2f32),
            );
        }
    }
    least
}

#[test]
fn bodies_enter_where_there_is_room_and_leave_by_their_own_exit() {
    let mut flock = corridor(3).build().unwrap();
    let (mut came, mut went, mut waited) = ([Vec::new(), Vec::new()], [0; 2], 0);
    for _ in 0..1600 {
        flock.step(dt());
        for (id, source) in who_entered(&flock) {
            came[source].push(id);
            assert_eq!(flock.traits(BoidId::new(id)).unwrap().species, SpeciesId::new(source));
        }
        for (id, exit) in who_exited(&flock) {
            // Species "a" has no exit on the left, and passes it.
            assert_eq!(
                (came[1 - exit].contains(&id), flock.traits(BoidId::new(id)).is_err()),
                (true, true)
            );
            went[exit] += 1;
        }
        waited += flock.checkpoint().state.sources.iter().filter(|source| source.tries > 0).count();
        // Rounding of ways of bodies that nearly touch.
        assert!(gap(&flock) >= 0.0, "{}", gap(&flock));
    }
    assert!(came.iter().all(|ids| ids.len() == 60 && ids.is_sorted()), "{came:?}");
    let mut all = came.concat();
    all.sort_unstable();
    assert_eq!(all, (0..120).collect::<Vec<u64>>());
    assert!(waited > 20 && went[0] > 20 && went[1] > 20, "{waited} {went:?}");
    assert_eq!(went[0] + went[1] + flock.len(), 120);
}

#[test]
fn gates_do_not_depend_on_levels_threads_and_batches() {
    let after = |builder: FlockBuilder<2>| {
        let mut flock = builder.build().unwrap();
        (0..200).for_each(|_| flock.step(dt()));
        (observe::state_hash(&flock.frame()), flock.checkpoint().state)
    };
    let wanted = after(corridor(5).threads(1).level(Level::Portable));
    for level in Level::available() {
        for (threads, batch) in [(1, 7), (3, 16), (8, 512)] {
            assert_eq!(
                after(corridor(5).level(level).threads(threads).batch(batch)),
                wanted,
                "{level} {threads} {batch}"
            );
        }
    }
    assert_ne!(after(corridor(6)), wanted);
}

#[test]
fn another_flock_goes_on_with_the_memory_of_sources() {
    for cut in [7, 31, 90] {
        let mut flock = corridor(9).build().unwrap();
        (0..cut).for_each(|_| flock.step(dt()));
        let boids: Vec<Boid<2>> = flock.frame().by_id().collect();
        let species = boids.iter().map(|boid| flock.traits(boid.id).unwrap().species);
        let mut other = corridor(9).species(species).boids_with_ids(boids.clone()).build().unwrap();
        let memory = flock.checkpoint().state;
        assert!(memory.sources.iter().all(|source| source.released > 0), "{memory:?}");
        assert_eq!(
            memory,
            StateRecord::new(memory.step, memory.time, memory.next_id, memory.columns.clone())
                .with_sources(memory.sources.clone())
                .with_exits(memory.exits.clone())
        );
        crate::restore(&mut other, &memory).unwrap();
        for _ in 0..60 {
            flock.step(dt());
            other.step(dt());
            assert_eq!(flock.events(), other.events());
        }
        assert_eq!(observe::state_hash(&flock.frame()), observe::state_hash(&other.frame()));
        assert_eq!(flock.checkpoint().state, other.checkpoint().state);
    }
    let mut flock = corridor(9).build().unwrap();
    let memory = |sources: Vec<SourceMemory>| flock.checkpoint().state.with_sources(sources);
    let (none, many) =
        (memory(Vec::new()), memory(vec![SourceMemory { released: 61, tries: 0 }; 2]));
    let before = flock.checkpoint().state;
    let refused =
        |flock: &mut Flock2, memory| crate::restore(flock, memory).unwrap_err().to_string();
    assert_eq!(
        refused(&mut flock, &none),
        "memory.sources = 0: allowed is 2, one for each source of this flock"
    );
    assert_eq!(
        refused(&mut flock, &many),
        "source.left.released = 61: allowed is at most 60, as many as it has"
    );
    assert_eq!(flock.checkpoint().state, before);
}

#[test]
fn doors_open_and_close_and_change_nothing_else() {
    let mut flock = corridor(4).build().unwrap();
    let open = flock.exits().to_vec();
    let closed: Vec<_> = open.iter().cloned().map(|exit| Exit { open: false, ..exit }).collect();
    flock.set_exits(closed.clone()).unwrap();
    let mut without = corridor(4).exits(Vec::new()).build().unwrap();
    for _ in 0..300 {
        flock.step(dt());
        without.step(dt());
        assert!(who_exited(&flock).is_empty());
    }
    assert_eq!(observe::state_hash(&flock.frame()), observe::state_hash(&without.frame()));
    flock.set_exits(open).unwrap();
    flock.step(dt());
    let gone = who_exited(&flock);
    assert!(!gone.is_empty());
    assert_eq!(flock.len() - who_entered(&flock).len() + gone.len(), without.len());
    let wide = Exit::new("wide", ObstacleShape::Sphere { center: [20.0, 2.0], radius: 1.0 });
    assert!(flock.set_exits(vec![wide]).is_err());
    assert_eq!(flock.exits().len(), 2);
}

#[test]
fn flocks_refuse_gates_that_cannot_work() {
    let refused = |builder: FlockBuilder<2>| builder.build().map(|_| ()).unwrap_err().to_string();
    let ball = |x: f32| Exit::new("door", ObstacleShape::Sphere { center: [x, 2.0], radius: 1.0 });
    assert_eq!(
        refused(corridor(1).exits(vec![ball(11.5)])),
        "exit.door.shape = 10.5 to 12.5 on axis 0: allowed is a region that reaches into 0 to 10, \
            the domain"
    );
    assert_eq!(
        refused(corridor(1).exits(vec![Exit { species: Some(SpeciesId::new(2)), ..ball(1.0) }])),
        "exit.door.species = 2: allowed is 0 to 1"
    );
    let source =
        Source { name: "gate".into(), min: [4.9, 1.9], max: [5.1, 2.1], ..Source::default() };
    assert_eq!(
        refused(corridor(1).sources(vec![source.clone()])),
        "source.gate.min = [4.9, 1.9] to max = [5.1, 2.1]: allowed is a box with room outside of \
            obstacle.pillar"
    );
    // Larger bodies, or no second species: parameters that leave no sense to a gate.
    let mut flock = corridor(1).build().unwrap();
    let other = Params { species: Vec::new(), ..flock.params().clone() };
    let refusal = flock.set_params(other).unwrap_err().to_string();
    assert!(refusal.starts_with("exit.b's.species = 1: allowed is 0: "), "{refusal}");
    let mut flock = corridor(1)
        .exits(Vec::new())
        .sources(vec![Source { min: [0.2; 2], max: [0.3; 2], ..source }])
        .build()
        .unwrap();
    let larger = Params {
        body: Some(SolidBody { radius: 0.4, ..SolidBody::default() }),
        ..flock.params().clone()
    };
    assert_eq!(
        flock.set_params(larger).unwrap_err().to_string(),
        "source.gate.max[0] = 0.3: allowed is a box that reaches into 0.4 to 9.6, their radius 0.4 \
            away from the domain's faces"
    );
    assert_eq!(flock.params().body.map(|body| body.radius), Some(0.2));
}

/// A source near a face of a periodic box minds those beyond the other.
#[test]
fn room_is_looked_for_through_the_faces_of_a_periodic_box() {
    let params = Params {
        body: Some(SolidBody { radius: 0.5, ..SolidBody::default() }),
        ..Params::default()
    };
    let source = Source {
        name: "edge".into(),
        min: [0.0; 2],
        max: [0.1, 8.0],
        rate: 20.0,
        ..Source::default()
    };
    let build = |x: f32| {
        // A column of bodies on the other side of the face.
        let places: Vec<[f32; 2]> = (0..8).map(|i| [x, i as f32 + 0.5]).collect();
        let flock =
            Flock2::builder().params(params.clone()).domain(Domain::periodic([0.0; 2], [8.0; 2]));
        let mut flock =
            flock.boids(&places, &[[0.0; 2]; 8]).sources(vec![source.clone()]).build().unwrap();
        (0..40).for_each(|_| flock.step(dt()));
        flock.len() - 8
    };
    assert_eq!(build(7.8), 0);
    assert!(build(6.9) >= 4);
}

/// The corridor with a turnstile at its right end.
fn turnstile(seed: u64) -> FlockBuilder<2> {
    let exits = corridor(seed).build().unwrap().exits().to_vec();
    let exits = exits.into_iter().map(|exit| Exit {
        every: if exit.species.is_none() { 0.73 } else { 0.0 },
        opens: 2.0,
        ..exit
    });
    corridor(seed).exits(exits.collect())
}

#[test]
fn bodies_queue_at_a_turnstile_and_leave_one_at_a_time() {
    let mut flock = turnstile(3).build().unwrap();
    let (mut times, mut queued) = (Vec::new(), 0);
    for _ in 0..1600 {
        flock.step(dt());
        times.extend(
            who_exited(&flock).into_iter().filter(|&(_, exit)| exit == 1).map(|_| flock.time()),
        );
        queued += flock.frame().by_id().filter(|boid| boid.position[0] >= 9.5).count();
        assert!(gap(&flock) >= 0.0, "{}", gap(&flock));
    }
    println!("{} left between {:.2} and {:.2}", times.len(), times[0], times[times.len() - 1]);
    assert!(times[0] >= 2.0 && times.len() == 60 && queued > 1000, "{} {queued}", times.len());
    for pair in times.windows(2) {
        assert!(pair[1] - pair[0] > 0.73 - f64::from(dt().get()), "{pair:?}");
    }
    // While a boid waits, one leaves per 0.73 on average, although steps of 0.05 do not divide
    // it.
    let rate = (times[40] - times[10]) / 30.0;
    assert!((rate - 0.73).abs() < 0.05 / 30.0 + 1e-9, "{rate}");
}

#[test]
fn another_flock_goes_on_with_the_memory_of_exits() {
    let mut flock = turnstile(9).build().unwrap();
    (0..150).for_each(|_| flock.step(dt()));
    let boids: Vec<Boid<2>> = flock.frame().by_id().collect();
    let species = boids.iter().map(|boid| flock.traits(boid.id).unwrap().species);
    let mut other = turnstile(9).species(species).boids_with_ids(boids.clone()).build().unwrap();
    let memory = flock.checkpoint().state;
    let last = memory.exits[1].last.expect("a boid left");
    assert!(last > 2.0 && last <= memory.time, "{memory:?}");
    crate::restore(&mut other, &memory).unwrap();
    for _ in 0..100 {
        flock.step(dt());
        other.step(dt());
        assert_eq!(flock.events(), other.events());
    }
    assert_eq!(
        (flock.checkpoint().state, observe::state_hash(&flock.frame())),
        (other.checkpoint().state, observe::state_hash(&other.frame()))
    );
    // A door that is shut for a while goes on where it was.
    let (exits, before) = (flock.exits().to_vec(), flock.checkpoint().state.exits);
    flock
        .set_exits(exits.iter().cloned().map(|exit| Exit { open: false, ..exit }).collect())
        .unwrap();
    flock.set_exits(exits).unwrap();
    assert_eq!(flock.checkpoint().state.exits, before);
    let before = flock.checkpoint().state;
    let mut refused = |exits| {
        crate::restore(&mut flock, &before.clone().with_exits(exits)).unwrap_err().to_string()
    };
    assert_eq!(
        refused(Vec::new()),
        "memory.exits = 0: allowed is 2, one for each exit of this flock"
    );
    let late = vec![ExitMemory { last: Some(1e9) }; 2];
    assert!(refused(late).starts_with("exit.b's.last = 1000000000: allowed is 0 to "));
    assert_eq!(flock.checkpoint().state, before);
}

#[test]
fn turnstiles_do_not_depend_on_levels_threads_and_batches() {
    let after = |builder: FlockBuilder<2>| {
        let mut flock = builder.build().unwrap();
        (0..300).for_each(|_| flock.step(dt()));
        (observe::state_hash(&flock.frame()), flock.checkpoint().state)
    };
    let wanted = after(turnstile(5).threads(1).level(Level::Portable));
    assert!(wanted.1.exits.iter().all(|memory| memory.last.is_some()));
    for (level, threads, batch) in
        [(Level::detect(), 1, 7), (Level::detect(), 3, 16), (Level::Portable, 8, 512)]
    {
        assert_eq!(
            after(turnstile(5).level(level).threads(threads).batch(batch)),
            wanted,
            "{level} {threads} {batch}"
        );
    }
}
