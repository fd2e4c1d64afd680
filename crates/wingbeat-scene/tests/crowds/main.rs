//! What crowds are compared with: people walk in corridors and through doors as they were counted
//! to, with the numbers of the presets.
//!
//! `cargo test -p wingbeat-scene --test crowds -- --nocapture` prints the tables that
//! docs/CROWDS.md has.

mod bottleneck;
mod building;
mod evacuation;
mod fundamental_diagram;
mod getting_through;
mod recording;

use std::collections::{HashMap, HashSet};

use wingbeat_scene::{AnyFlock, Machine, Override, Scene};

/// The people of the preset `fundamental_diagram`.
const PEOPLE: &str = "[agent]\nmax_speed = 1.34\nmax_speed_spread = 0.13\nmax_force = 30.0\n\
    [body]\nradius = 0.16\nmargin = 0.05\n[avoidance]\nweight = 0.0\n\
    [anticipation]\nkind = \"collision_free_speed\"\ntime_gap = 0.73\ntime_gap_spread = 0.3\n\
    strength = 5.0\nrange = 0.15\nwall_strength = 1.0\ndistance = 1.5\n\
    side_step = 2.5\nside_step_time = 0.5\nhaste = 1.0\nnoise = 0.3\n";

/// A scene, preset or file, with `KEY=VALUE`s.
fn scene(name: &str, settings: &[&str]) -> Scene {
    let overrides: Vec<Override> =
        settings.iter().map(|text| Override::set(text).expect("an override")).collect();
    Scene::load(name, &overrides).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn build(scene: &Scene) -> AnyFlock {
    let built = scene.build(&Machine::default()).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert!(built.warnings.is_empty(), "{:?}", built.warnings);
    built.flock
}

/// When people first come through the line y = `line` towards negative y, linear within a step, in
/// order of time: all until `until`, until every boid came, or until no boid is left.
fn passages(scene: &Scene, line: f64, until: f64) -> Vec<f64> {
    let mut flock = build(scene);
    let (people, dt) = (flock.len(), f64::from(scene.dt().get()));
    let mut at: HashMap<u64, f64> =
        flock.rows().iter().map(|row| (row.id, f64::from(row.position[1]))).collect();
    let (mut through, mut times) = (HashSet::new(), Vec::new());
    while times.len() < people && !flock.is_empty() && flock.time() < until {
        flock.step(scene.dt());
        for row in flock.rows() {
            let y = f64::from(row.position[1]);
            let before = at.insert(row.id, y).unwrap_or(y);
            if before > line && y <= line && through.insert(row.id) {
                times.push(flock.time() - dt * (line - y) / (before - y));
            }
        }
    }
    times.sort_by(f64::total_cmp);
    times
}

/// Persons a second between two parts of all passages: from 0.2 on the queue stands, until 0.8 it
/// has not run dry.
fn flow(times: &[f64], from: f64, to: f64) -> f64 {
    let at = |part: f64| (part * times.len() as f64) as usize - 1;
    (at(to) - at(from)) as f64 / (times[at(to)] - times[at(from)])
}
