//! A checkpoint is all of a flock: another flock of the scene that restores it goes on in the same
//! bits.

use wingbeat::{
    FlockError,
    snapshot::{StateColumn, StateRecord},
};
use wingbeat_scene::{AnyFlock, Override, PRESETS, Scene};

use crate::start;
use wingbeat_test_support::tier;

/// Steps made by the first flock alone, and then by both.
const STEPS: [usize; 2] = [40, 30];

fn scene(name: &str, changes: &[&str]) -> Scene {
    let boids =
        if matches!(name, "cucker_smale" | "couzin2002") { 150 } else { crate::at_most(name, 400) };
    let mut all = vec![Override::flag("--boids", "flock.boids", &boids.to_string())];
    all.extend(changes.iter().map(|change| Override::set(change).expect("a change")));
    Scene::load(name, &all).expect("a scene")
}

fn state(flock: &AnyFlock) -> StateRecord {
    flock.checkpoint().state_mut().clone()
}

/// The same boids with another state.
fn restore(flock: &mut AnyFlock, state: &StateRecord) -> Result<(), FlockError> {
    let mut checkpoint = flock.checkpoint();
    *checkpoint.state_mut() = state.clone();
    flock.restore(&checkpoint)
}

/// Whether another flock goes on as the first, with its state and with its boids alone.
fn goes_on(scene: &Scene, name: &str) -> bool {
    let (mut first, mut other, mut forgetful) = (start(scene), start(scene), start(scene));
    (0..STEPS[0]).for_each(|_| first.step(scene.dt()));
    // It has a past of its own, which must not show.
    (0..7).for_each(|_| other.step(scene.dt()));
    forgetful.set_rows(&first.rows()).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    let checkpoint = first.checkpoint();
    other.restore(&checkpoint).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    assert_eq!(other.checkpoint(), checkpoint, "{name}");
    assert_eq!((state(&other).step, first.len()), (STEPS[0] as u64, other.len()), "{name}");
    for step in 0..STEPS[1] {
        [&mut first, &mut other, &mut forgetful]
            .into_iter()
            .for_each(|flock| flock.step(scene.dt()));
        assert_eq!(other.state_hash(), first.state_hash(), "{name}: {step} steps on");
        assert_eq!(other.events(), first.events(), "{name}: {step} steps on");
    }
    assert_eq!(other.checkpoint(), first.checkpoint(), "{name}");
    forgetful.state_hash() != first.state_hash()
}

#[test]
fn every_preset_goes_on_in_the_same_bits() {
    let with_memory = ["hunter_prey", "leader", "vicsek1995", "mason"];
    // Those, and in the short form a third of the others.
    let tried = |&(number, name): &(usize, &str)| {
        tier::full() || number % 3 == 0 || with_memory.contains(&name)
    };
    let names = PRESETS.iter().map(|preset| preset.name).enumerate().filter(tried);
    let needs: Vec<&str> =
        names.map(|(_, name)| name).filter(|name| goes_on(&scene(name, &[]), name)).collect();
    // Of the others where boids are and how they move is all there is.
    for name in with_memory {
        assert!(
            needs.contains(&name),
            "{name} goes on in the same bits without its memory: {needs:?}"
        );
    }
}

#[test]
fn turns_drives_and_moving_obstacles_go_on_in_the_same_bits() {
    let rock = [
        "obstacle.rock.kind=sphere",
        "obstacle.rock.center=[0.0, 0.0]",
        "obstacle.rock.radius=1.0",
    ];
    let moving =
        [&rock[..], &["obstacle.rock.motion=line", "obstacle.rock.velocity=[1.0, 0.0]"]].concat();
    let stroll = ["drive.stroll.kind=wander", "drive.stroll.interval=0.2", "spawn.speed=1.0"];
    let goal = [
        "drive.home.kind=goal",
        "drive.home.target=[1.0, 1.0]",
        "drive.home.arrival_radius=4.0",
        "drive.home.on_arrival=leave",
    ];
    for (name, changes) in [
        ("shoal", &["flock.steer_every=3"][..]),
        ("hunter_prey", &["flock.steer_every=4"]),
        ("shoal", &moving),
        ("shoal", &stroll),
        ("murmuration", &stroll),
        ("shoal", &goal),
    ] {
        assert!(
            goes_on(&scene(name, changes), &format!("{name} {changes:?}")) || changes == goal,
            "{name} {changes:?}: no memory needed"
        );
    }
}

#[test]
fn memory_of_another_flock_is_refused_and_changes_nothing() {
    let scene = scene("leader", &["flock.steer_every=2"]);
    let mut flock = start(&scene);
    (0..5).for_each(|_| flock.step(scene.dt()));
    let good = state(&flock);
    let changed = |change: &dyn Fn(&mut Vec<StateColumn>)| {
        let mut columns = good.columns.clone();
        change(&mut columns);
        StateRecord::new(good.step, good.time, good.next_id, columns)
    };
    let set = |name: &'static str, bits: u32| {
        changed(&|columns| {
            columns.iter_mut().find(|column| column.name == name).expect(name).bits[3] = bits
        })
    };
    let cases = [
        (changed(&|columns| drop(columns.pop())), "memory = nothing: allowed is a column held"),
        (
            changed(&|columns| columns.push(StateColumn::new("tail", Vec::new()))),
            "memory = tail: allowed is what a boid",
        ),
        (changed(&|columns| columns[0].bits.truncate(1)), "memory = 1: allowed is 400, one a boid"),
        (set("held", f32::NAN.to_bits()), "boid 3: held"),
        (set("phase", 0), "boid 3: phase = 0: allowed is the id modulo"),
        (set("drive", 4.0f32.to_bits()), "drive.rounds = 4: allowed is 0 to 3, a waypoint"),
        (set("drive", f32::NAN.to_bits()), "drive.rounds = NaN: allowed is 0 to 3, a waypoint"),
        (StateRecord::new(5, f64::NAN, good.next_id, good.columns.clone()), "time = NaN"),
        (
            StateRecord::new(5, 0.0, 399, good.columns.clone()),
            "next_id = 399: allowed is at least 400",
        ),
    ];
    for (memory, refusal) in cases {
        let said = restore(&mut flock, &memory).expect_err(refusal).to_string();
        assert!(said.starts_with(refusal), "{said}, not {refusal}");
        assert_eq!(state(&flock), good, "{refusal}: something was changed");
    }
    let rows = flock.rows();
    assert!(flock.set_rows(&[rows[0], rows[0]]).is_err());
    let mut strange = rows[..300].to_vec();
    strange[5].position[0] = f32::NAN;
    assert!(flock.set_rows(&strange).is_err());
    assert_eq!(flock.rows(), rows, "nothing was changed");
}
