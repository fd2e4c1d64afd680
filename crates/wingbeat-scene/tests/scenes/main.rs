//! The tests of scenes, as one program: what they link is linked once for all of them, not once for
//! each.
//!
//! `cargo test -p wingbeat-scene --test scenes presets::` runs one file.

mod contact;
mod crowd_reports;
mod explain;
mod floors;
mod gates;
mod keys;
mod keys_act;
mod memory;
mod models;
mod preset_worlds;
mod presets;
mod random_world;
mod random_worlds;
mod reach;
mod refusals;
mod reports;
mod same_bits;
mod sense;
mod sequential_update;
mod settings;
mod species;
mod text;
mod textbook;
mod walls;
mod worlds;

use textbook::textbook_of;
use wingbeat_scene::{AnyFlock, Machine, Scene};

/// A scene's flock before its first step, on one thread.
fn start(scene: &Scene) -> AnyFlock {
    scene
        .build(&Machine { level: None, threads: Some(1) })
        .unwrap_or_else(|error| panic!("{error}"))
        .flock
}

/// As many boids as asked for, or as a preset that has room for no more can start with.
fn at_most(preset: &str, wanted: usize) -> usize {
    let most = match preset {
        "rvo_blocks" => 100,
        "counterflow" => 400,
        "crossing" => 200,
        "building" => 400,
        _ => wanted,
    };
    if most < wanted { most } else { wanted }
}
