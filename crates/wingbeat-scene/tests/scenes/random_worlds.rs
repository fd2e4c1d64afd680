//! Random worlds, looked at by the geometry of `random_world`: boids are on the floor, outside of
//! what stands still, on the side of every wall that they started on, and the textbook's. And
//! `check` says what a run says, in the same words.
//!
//! `WINGBEAT_SURVEY=1 cargo test -p wingbeat-scene --test scenes random_worlds -- --nocapture`
//! flies 20,000 worlds; `WINGBEAT_SEED=N` one of them.

use wingbeat_scene::{Machine, Scene};

use crate::random_world::{Random, World, fly};
use wingbeat_test_support::tier;

fn seeds(short: u64, full: u64) -> std::ops::Range<u64> {
    if let Some(seed) = tier::seed() {
        return seed..seed + 1;
    }
    0..if tier::survey() { full } else { short }
}

#[test]
fn worlds_hold_whatever_is_in_them() {
    let (mut faults, mut refused, seeds) = (Vec::new(), 0, seeds(tier::either(100, 300), 20_000));
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let world = World::new(&mut Random::seeded(seed), seed);
        match fly(&world) {
            Ok(true) => {}
            Ok(false) => refused += 1,
            Err(fault) => faults.push(format!("WINGBEAT_SEED={seed}: {fault}\n{}", world.text)),
        }
    }
    println!("{count} worlds: {} faults, {refused} starts refused", faults.len());
    assert!(
        faults.is_empty(),
        "{} of {count} worlds:\n{}",
        faults.len(),
        faults[..faults.len().min(5)].join("\n")
    );
    assert!(
        refused * 4 < count || count == 1,
        "{refused} of {count} starts refused: too few worlds are flown"
    );
}

/// Scenes of every kind, some of them refused: `check` and a run say the same, and warn of the
/// same.
#[test]
fn check_says_what_a_run_says() {
    let (mut differ, mut refused, seeds) = (Vec::new(), 0, seeds(tier::either(40, 120), 5_000));
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let mut text = World::new(&mut Random::seeded(seed), seed).text;
        let mut random = Random::seeded(!seed);
        spoil(&mut text, &mut random);
        let parsed = Scene::parse("scene.toml", &text, &[]);
        let Ok(scene) = parsed else {
            refused += 1;
            continue;
        };
        let checked = scene.check().map_err(|refusal| refusal.to_string());
        let built = scene.build(&Machine { level: None, threads: Some(1) });
        let built = built.map(|built| built.warnings).map_err(|refusal| refusal.to_string());
        refused += u64::from(built.is_err());
        if checked != built {
            differ.push(format!("WINGBEAT_SEED={seed}: check {checked:?}, run {built:?}\n{text}"));
        }
    }
    println!("{count} scenes: {} differ, {refused} refused", differ.len());
    assert!(
        differ.is_empty(),
        "{} of {count}:\n{}",
        differ.len(),
        differ[..differ.len().min(3)].join("\n")
    );
}

/// Adds what may be refused only once boids are placed, or once the flock is built.
fn spoil(text: &mut String, r: &mut Random) {
    let more = [
        "[drive.after]\nkind = \"leader\"\nparent = 0\nlooks = true\nwhen = \"idle\"\n",
        "[drive.after]\nkind = \"leader\"\nparent = 500\n",
        "[species.a]\ncount = 2\n[species.b]\n",
        "[species.a]\n[species.a.spawn]\nmin = [-1, -1]\nmax = [-0.5, -0.5]\n",
        "[source.s]\nmin = [-1, -1]\nmax = [1, 1]\nrate = 1\n",
        "[drive.way]\nkind = \"flow\"\nto_exits = true\n",
        "[drive.way]\nkind = \"flow\"\ntoward = [[0, 0]]\n",
        "[obstacle.big]\nkind = \"sphere\"\ncenter = [0, 0]\nradius = 9\n",
        "[anticipation]\nkind = \"orca\"\n",
        "[anticipation]\nkind = \"power_law\"\n",
        "[drive.round]\nkind = \"wander\"\nwhen = \"busy\"\n",
        "[model]\nname = \"vicsek1995\"\n",
        "[ramp.m]\nkey = \"body.margin\"\nfrom = 0\nto = 1\n",
        "[ramp.c]\nkey = \"cohesion.radius\"\nfrom = 1\nto = 30\n",
    ];
    for _ in 0..r.below(3) {
        *text += more[r.below(more.len())];
    }
    if r.one_in(4) {
        *text = text.replace("radius = 0.2\n", "radius = 2.4\n").replace("boids = 2", "boids = 21");
    }
}
