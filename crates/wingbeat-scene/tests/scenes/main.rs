//! The tests of scenes, as one program: what they link is linked once for all of them, not once for each.
//!
//! `cargo test -p wingbeat-scene --test scenes presets::` runs one file.

mod contact;
mod explain;
mod floors;
mod gates;
mod in_turn;
mod keys;
mod keys_act;
mod memory;
mod models;
mod preset_worlds;
mod presets;
mod random_worlds;
mod reach;
mod reports;
mod same_bits;
mod sense;
mod settings;
mod species;
mod text;
mod walls;
mod worlds;

use wingbeat::steer::gate::{Exits, Sources};
use wingbeat::steer::{TextbookBoid, TextbookFlock};
use wingbeat::{Boid, Flock};
use wingbeat_scene::{AnyFlock, Machine, Scene};

/// The naive flock of the same boids in the same world, before its first step.
fn textbook_of<const D: usize>(flock: &Flock<D>, seed: u64) -> TextbookFlock<[f32; D]> {
    let frame = flock.frame();
    let boids = || frame.by_id();
    let boid = |b: Boid<D>| TextbookBoid { id: b.id.get(), position: b.position, velocity: b.velocity };
    let traits = |b: Boid<D>| (b.id.get(), flock.traits(b.id).expect("a boid of the flock"));
    let goal = |b: Boid<D>| Some((b.id.get(), flock.goal(b.id).expect("a boid of the flock")?));
    TextbookFlock {
        params: flock.params().clone(),
        domain: *flock.domain(),
        seed,
        boids: boids().map(boid).collect(),
        traits: boids().map(traits).collect(),
        drives: flock.drives().to_vec(),
        obstacles: flock.obstacles().cloned().unwrap_or_default(),
        goals: boids().filter_map(goal).collect(),
        exits: Exits::new(flock.exits().to_vec(), flock.params(), flock.domain()).expect("exits of a flock"),
        sources: Sources::new(flock.sources().to_vec(), flock.params(), flock.domain(), flock.obstacles()).expect("its sources"),
        ..Default::default()
    }
}

/// A scene's flock before its first step, on one thread.
fn start(scene: &Scene) -> AnyFlock {
    scene.build(&Machine { level: None, threads: Some(1) }).unwrap_or_else(|error| panic!("{error}")).flock
}

/// As many boids as asked for, or as a preset that has room for no more can start with.
fn at_most(preset: &str, wanted: usize) -> usize {
    let most = match preset {
        "rvo_blocks" => 100,
        "counterflow" => 400,
        "crossing" => 200,
        _ => wanted,
    };
    if most < wanted { most } else { wanted }
}
