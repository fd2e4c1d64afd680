//! Boids that may not enter: states out of range, outside the walls, twice the same id, too many;
//! and machines that cannot do what was asked. A refusal changes nothing.

use std::time::{Duration, Instant};

use wingbeat::memory::*;
use wingbeat::steer::*;
use wingbeat::*;

const NAN: f32 = f32::NAN;
const INFINITY: f32 = f32::INFINITY;

fn message<T>(result: Result<T, FlockError>) -> String {
    result.err().expect("it was accepted").to_string()
}

fn domains() -> [Domain<[f32; 2]>; 4] {
    let (min, max) = ([0.0; 2], [10.0; 2]);
    [
        Domain::open(),
        Domain::periodic(min, max),
        Domain::walled(min, max, 1.0, 1.0),
        Domain::reflecting(min, max),
    ]
}

/// States no domain accepts: position, velocity, and how the refusal begins after "boid N: ".
fn never() -> Vec<([f32; 2], [f32; 2], &'static str)> {
    let (at, still) = ([1.0, 2.0], [0.0; 2]);
    vec![
        ([NAN, 1.0], still, "position[0] = NaN: allowed is -10000"),
        ([1.0, INFINITY], still, "position[1] = inf: allowed is -10000"),
        ([1e30f32.next_up(), 1.0], still, "position[0] = 1000000"),
        ([1.0, -1e30f32.next_up()], still, "position[1] = -1000000"),
        (at, [NAN, 0.0], "velocity[0] = NaN: allowed is -1000000000000 to 1000000000000"),
        (at, [0.0, -INFINITY], "velocity[1] = -inf: allowed is -1000000000000 to"),
        (at, [1e12f32.next_up(), 0.0], "velocity[0] = 1000000060000: allowed is -1000000000000 to"),
        (at, [0.0, -1e12f32.next_up()], "velocity[1] = -1000000060000: allowed is"),
    ]
}

fn one(
    position: [f32; 2],
    velocity: [f32; 2],
    domain: Domain<[f32; 2]>,
) -> Result<Flock2, FlockError> {
    let boid = Boid { id: BoidId::new(77), position, velocity };
    Flock2::builder().domain(domain).boids_with_ids(vec![boid]).build()
}

#[test]
fn states_out_of_range_are_refused_in_every_domain() {
    for domain in domains() {
        for (position, velocity, wanted) in never() {
            let refused = message(one(position, velocity, domain));
            assert!(
                refused.starts_with(&format!("boid 77: {wanted}")),
                "{refused}, wanted {wanted}, {domain:?}"
            );
        }
        assert!(one([10.0f32.next_down(), 0.0], [1e12, -1e12], domain).is_ok(), "{domain:?}");
    }
    assert!(
        one([1e30, -1e30], [0.0; 2], Domain::open()).is_ok(),
        "the ends of the world are in it"
    );
}

#[test]
fn outside_the_walls_is_refused_and_outside_a_periodic_box_wrapped() {
    let [_, periodic, walled, reflecting] = domains();
    for domain in [walled, reflecting] {
        for (position, wanted) in [
            (
                [10.0f32.next_up(), 5.0],
                "boid 77: position[0] = 10.000001: allowed is 0 to 10, the domain",
            ),
            ([5.0, -1e-45], "boid 77: position[1] = -0.000"),
        ] {
            let refused = message(one(position, [0.0; 2], domain));
            assert!(
                refused.starts_with(wanted) && refused.ends_with("allowed is 0 to 10, the domain"),
                "{refused}"
            );
        }
        assert!(one([0.0, 10.0], [0.0; 2], domain).is_ok(), "the faces belong to the box");
    }
    for (outside, inside) in [(10.0, 0.0), (10.5, 0.5), (-0.5, 9.5), (-20.0, 0.0), (34.0, 4.0)] {
        let flock = one([outside, 5.0], [0.0; 2], periodic).unwrap();
        assert_eq!(flock.frame().boid(0).position, [inside, 5.0], "from {outside}");
    }
    for outside in [1e30, -1e30, -1e-45, 1e8] {
        let flock = one([outside, 5.0], [0.0; 2], periodic).unwrap();
        assert!(periodic.contains(flock.frame().boid(0).position), "from {outside}");
    }
}

#[test]
fn ids_are_given_once_and_arrays_are_of_one_length() {
    let boid = |id| Boid { id: BoidId::new(id), position: [1.0; 3], velocity: [0.0; 3] };
    let twice = Flock3::builder().boids_with_ids(vec![boid(5), boid(9), boid(5)]).build();
    assert_eq!(twice.unwrap_err(), FlockError::DuplicateId(BoidId::new(5)));
    let lengths = message(Flock3::builder().boids(&[[0.0; 3]; 3], &[[0.0; 3]; 2]).build());
    assert_eq!(lengths, "2 velocities for 3 positions: allowed is one each");
    assert!(
        Flock3::builder().boids_with_ids(vec![boid(u64::MAX), boid(0)]).build().is_ok(),
        "any id may be given"
    );
}

#[test]
fn threads_and_levels_a_machine_cannot_have_are_refused() {
    for threads in [0, 1025, usize::MAX] {
        let refused = message(Flock2::builder().threads(threads).build());
        assert_eq!(refused, format!("threads = {threads}: allowed is 1 to 1024"));
    }
    for threads in [1, 2] {
        assert_eq!(Flock2::builder().threads(threads).build().unwrap().threads(), threads);
    }
    for &level in Level::ALL {
        let built = Flock2::builder().level(level).build();
        if level.is_available() {
            assert_eq!(built.unwrap().level(), level);
        } else {
            let refused = message(built);
            let lacks = if level.is_compiled() { "available on this CPU" } else { "compiled" };
            let wanted = format!("level {level} is not {lacks}");
            assert!(refused.starts_with(&wanted), "{refused}");
        }
    }
    assert_eq!(
        "sse9".parse::<Level>().unwrap_err().to_string(),
        "level = sse9: allowed is portable, avx2, avx512"
    );
}

#[test]
fn too_many_boids_are_refused_before_anything_is_allocated() {
    let start = Instant::now();
    for count in [usize::MAX, usize::MAX / 100, MAX_BOIDS + 1] {
        let flat = Flock2::builder().spawn(count, Spawn::default()).build().unwrap_err();
        assert_eq!(flat, FlockError::TooManyBoids { boids: count, bytes: bytes_for::<2>(count) });
        let space = message(Flock3::builder().spawn(count, Spawn::default()).build());
        assert!(
            space.starts_with(&format!("{count} boids need "))
                && space.ends_with(&format!("at most {MAX_BOIDS} boids"))
        );
    }
    assert!(start.elapsed() < Duration::from_secs(1), "refused without trying");
}

#[test]
fn spawns_that_make_no_sense_are_refused() {
    let [_, _, walled, _] = domains();
    let place = |shape| Spawn { shape, ..Spawn::default() };
    let cube = |min, max| place(Shape::Box { min, max });
    let ball = |center, radius| place(Shape::Ball { center, radius });
    let lattice = |min, max| place(Shape::Lattice { min, max });
    let moving = |speed, speed_spread| Spawn { speed, speed_spread, ..Spawn::default() };
    let heading = |heading, heading_spread| Spawn {
        heading: Some(heading),
        heading_spread,
        ..Spawn::default()
    };
    let table = [
        (cube([NAN, 0.0], [1.0; 2]), "spawn.min[0] = NaN: allowed is -1"),
        (cube([0.0; 2], [1.0, INFINITY]), "spawn.max[1] = inf: allowed is 0 to 1"),
        (cube([0.0; 2], [1.0, -1.0]), "spawn.max[1] = -1: allowed is 0 to 1"),
        (lattice([0.0; 2], [INFINITY; 2]), "spawn.max[0] = inf: allowed is 0 to"),
        (ball([0.0; 2], NAN), "spawn.radius = NaN: allowed is 0 to"),
        (ball([0.0, -INFINITY], 1.0), "spawn.center[1] = -inf: allowed is -1"),
        (
            place(Shape::Ring { center: [5.0; 2], radius: -1.0 }),
            "spawn.radius = -1: allowed is 0 to",
        ),
        (moving(-1.0, 0.0), "spawn.speed = -1: allowed is 0 to 1000000000000"),
        (
            moving(1e12f32.next_up(), 0.0),
            "spawn.speed = 1000000060000: allowed is 0 to 1000000000000",
        ),
        (moving(1.0, NAN), "spawn.speed_spread = NaN: allowed is 0 to 1000000000000"),
        (
            heading([0.0; 2], 0.0),
            "spawn.heading = [0.0, 0.0]: allowed is a finite direction, not zero",
        ),
        (heading([NAN, 1.0], 0.0), "spawn.heading = [NaN, 1.0]: allowed is a finite direction"),
        (heading([1.0, 0.0], 181.0), "spawn.heading_spread = 181: allowed is 0 to 180"),
        // Not the spawn's fault, but the domain's.
        (cube([11.0; 2], [12.0; 2]), "boid 0: position[0] = 11."),
    ];
    for (spawn, wanted) in table {
        let refused = message(Flock2::builder().domain(walled).spawn(20, spawn).build());
        assert!(refused.starts_with(wanted), "{refused}, wanted {wanted} for {spawn:?}");
    }
    for spawn in [cube([5.0; 2], [5.0; 2]), lattice([5.0; 2], [5.0; 2]), ball([5.0; 2], 0.0)] {
        let flock = Flock2::builder().domain(walled).spawn(20, spawn).build().unwrap();
        assert!(
            flock.frame().by_slot().all(|b| b.position == [5.0; 2]),
            "a point is a region too: {spawn:?}"
        );
    }
}

/// Every refusal of a living flock leaves it as it was, to the bit.
#[test]
fn a_refused_change_changes_nothing() {
    for domain in domains() {
        let spawn =
            Spawn { shape: Shape::Box { min: [0.0; 2], max: [10.0; 2] }, ..Spawn::default() };
        let mut flock = Flock2::builder().domain(domain).spawn(50, spawn).build().unwrap();
        flock.step(TimeStep::new(0.1).unwrap());
        let before = (flock.len(), observe::state_hash(&flock.frame()));
        let (id, unknown) = (BoidId::new(7), BoidId::new(50));
        let unchanged = |flock: &Flock2, what: &str| {
            assert_eq!(
                (flock.len(), observe::state_hash(&flock.frame())),
                before,
                "{what} {domain:?}"
            );
        };
        for (position, velocity, wanted) in never() {
            assert!(
                message(flock.add(position, velocity)).starts_with(&format!("boid 50: {wanted}"))
            );
            unchanged(&flock, "add");
            if wanted.starts_with("position") {
                assert!(
                    message(flock.set_position(id, position))
                        .starts_with(&format!("boid 7: {wanted}"))
                );
            } else {
                assert!(
                    message(flock.set_velocity(id, velocity))
                        .starts_with(&format!("boid 7: {wanted}"))
                );
            }
            unchanged(&flock, "set");
        }
        if matches!(domain.boundary, Boundary::Walled { .. } | Boundary::Reflecting) {
            assert!(flock.add([11.0, 5.0], [0.0; 2]).is_err());
            assert!(flock.set_position(id, [5.0, -1.0]).is_err());
        }
        assert_eq!(flock.set_position(unknown, [1.0; 2]), Err(FlockError::UnknownBoid(unknown)));
        assert_eq!(flock.set_velocity(unknown, [1.0; 2]), Err(FlockError::UnknownBoid(unknown)));
        assert_eq!(flock.remove(&[id, unknown]), Err(FlockError::UnknownBoid(unknown)));
        assert_eq!(flock.frame().find(unknown), Err(FlockError::UnknownBoid(unknown)));
        unchanged(&flock, "all");
        assert_eq!(
            flock.add([1.0; 2], [0.0; 2]).unwrap(),
            unknown,
            "no id was used up by refusals"
        );
    }
}
