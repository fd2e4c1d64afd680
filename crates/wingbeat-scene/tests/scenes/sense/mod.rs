//! What is true of flocks, measured from outside: that boids keep apart, and what a preset's flock is like after a while.
//!
//! A twin that shares a definition cannot see that the definition does not do what its name says. These tests can: they know nothing of
//! the rules. With `WINGBEAT_FULL=1` five seeds fly 5,000 steps, otherwise three seeds 2,000; a failure prints scene, seed and step.

mod observer;
mod symmetry;

use std::ops::RangeInclusive;
use std::path::Path;

use observer::{Figures, Snapshot, too_near};
use wingbeat_scene::{AnyFlock, Machine, Override, PRESETS, Scene};

/// Nearer than this part of the separation radius, two boids lie upon each other.
const UPON: f64 = 0.05;

/// Presets that pile up, or have no separation that could keep boids apart, because their sources are so.
const SOURCES: &[(&str, &str)] = &[
    ("vision_cone", "its source's separation is soft, and seen in a cone of 60° alone"),
    ("vision_cone_follow", "as vision_cone; all are drawn to one parent, which they may not see"),
    ("seek_flee", "its source flees those in front alone, with a force that max_force cuts to a tenth"),
    ("vicsek1995", "points without separation (Vicsek et al. 1995)"),
    ("cucker_smale", "points without separation (Cucker and Smale 2007)"),
    ("circles", "points that turn, without separation"),
    ("mesa", "Mesa's own separation divides by all neighbors and hardly pushes (docs/DIALECTS.md)"),
    ("agents_jl", "as Mesa's"),
    ("unity", "its source's separation is by cells"),
    ("unity_fixed", "as unity"),
    ("couzin2002", "a whole model with a zone of repulsion: tests/scenes/preset_worlds.rs measures it"),
    ("netlogo", "a whole model: turns away from the nearest alone"),
    ("mason", "a whole model: docs/DIALECTS.md"),
];

/// What a flock is like after some steps: ranges outside what six seeds measured.
struct Expected {
    scene: &'static str,
    boids: usize,
    /// Boids nearer than this are of one group.
    link: f64,
    steps: usize,
    /// Median distance to the nearest, by the separation radius.
    nearest: RangeInclusive<f64>,
    low: RangeInclusive<f64>,
    polarization: RangeInclusive<f64>,
    speed: RangeInclusive<f64>,
    groups: RangeInclusive<f64>,
}

fn full() -> bool {
    std::env::var_os("WINGBEAT_FULL").is_some_and(|v| v == "1")
}

fn seeds() -> RangeInclusive<u64> {
    if full() { 1..=5 } else { 1..=3 }
}

fn load(scene: &str, boids: Option<usize>, seed: u64) -> Scene {
    let mut overrides = vec![Override::flag("--seed", "flock.seed", &seed.to_string())];
    overrides.extend(boids.map(|count| Override::flag("--boids", "flock.boids", &count.to_string())));
    Scene::load(scene, &overrides).unwrap_or_else(|error| panic!("{scene}: {error}"))
}

fn start(scene: &Scene) -> AnyFlock {
    scene.build(&Machine { level: None, threads: Some(1) }).unwrap_or_else(|error| panic!("{error}")).flock
}

/// Length by which distances of a scene are told: the largest separation radius of its species.
fn unit(flock: &AnyFlock) -> f64 {
    let near = too_near(flock, 1.0);
    (0..flock.params().species.len().max(1)).map(near).fold(0.0, f64::max)
}

/// Flies a scene, and hands what is seen at these steps to `look`.
fn fly(scene: &Scene, steps: &[usize], mut look: impl FnMut(usize, &AnyFlock)) {
    let mut flock = start(scene);
    let mut done = 0;
    for &at in steps {
        (done..at).for_each(|_| flock.step(scene.dt()));
        done = at;
        look(at, &flock);
    }
}

#[test]
fn probe() {
    for (scene, boids, link) in [("shoal", 1000, 0.9), ("murmuration", 1000, 2.6), ("leader", 100, 2.5), ("hunter_prey", 1020, 60.0), ("obstacle_course", 1500, 2.2), ("fish_bodies", 1500, 1.0), ("reynolds1987", 300, 2.0), ("opensteer", 200, 9.0)] {
        for seed in 1..=6 {
            let loaded = load(scene, Some(boids), seed);
            fly(&loaded, &[500, 2000, 5000], |at, flock| {
                let u = unit(flock);
                let f = Snapshot::of(flock).figures(too_near(flock, UPON), link);
                println!("{scene} seed {seed} at {at}: near {:.4} NN {:.3} low {:.3} cv {:.2} pol {:.2} speed {:.2} groups {}", f.near, f.nearest / u, f.low, f.spread, f.polarization, f.speed, f.groups);
                if scene == "murmuration" { println!("   density {:.3}", Snapshot::of(flock).density_within(3)); }
            });
        }
    }
}
