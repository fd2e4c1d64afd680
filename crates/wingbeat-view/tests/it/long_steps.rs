//! Settings that make a step take long, or that are at an end of their range: the view goes on,
//! says so, hears what viewers ask for, and ends within a second.

use std::time::{Duration, Instant};

use crate::viewer::{Viewer, set};
use serde_json::json;
use wingbeat_scene::Machine;
use wingbeat_test_support::tier;
use wingbeat_view::{Options, View};

/// Boids that all see each other take several seconds a step: 22 billion pairs on one thread.
fn crowd() -> View {
    let sets = [
        set("flock.boids=150000"),
        set("spawn.spacing=1"),
        set("cohesion.radius=1"),
        set("alignment.radius=1"),
    ];
    let machine = Machine { level: None, threads: Some(1) };
    let options = Options { port: 0, speed: Some(1e6), machine, ..Options::default() };
    View::start("shoal", &sets, &options).expect("a view")
}

fn all_see_all(viewer: &mut Viewer) {
    viewer.grant(json!({ "do": "set", "key": "cohesion.radius", "value": "193" }));
}

fn warns(state: &serde_json::Value, words: &str) -> bool {
    let warnings = state["warnings"].as_array();
    warnings.is_some_and(|lines| {
        lines.iter().any(|line| line.as_str().is_some_and(|line| line.contains(words)))
    })
}

#[test]
fn a_long_step_is_reported_and_given_up_when_a_viewer_asks() {
    let view = crowd();
    let mut viewer = Viewer::of(&view);
    let before = viewer.frame_with("a step", |frame| frame.step >= 1);
    all_see_all(&mut viewer);
    viewer
        .state_with("a warning about the long step", |state| warns(state, "takes longer than 2 s"));
    // Heard in the midst of the step.
    let asked = Instant::now();
    viewer.grant(json!({ "do": "set", "key": "cohesion.radius", "value": "1" }));
    let heard = asked.elapsed();
    assert!(heard < Duration::from_secs(5), "heard after {heard:?}");
    viewer
        .state_with("it stands still", |state| state["paused"] == true && warns(state, "given up"));
    // The flock is as it was before, and goes on.
    viewer.grant(json!({ "do": "play" }));
    let after = viewer.frame_with("steps", |frame| frame.step >= before.step + 2);
    assert_eq!(after.run, 0, "no reset");
    viewer.state_with("nothing to tell of", |state| !warns(state, "longer than 2 s"));
}

#[test]
fn a_view_ends_within_a_second_whatever_its_flock_does() {
    // A busy machine may delay one end, but not three; a step that is waited for delays them all.
    let mut took = Vec::new();
    while took.len() < 3 {
        let view = crowd();
        let mut viewer = Viewer::of(&view);
        all_see_all(&mut viewer);
        std::thread::sleep(Duration::from_millis(500));
        let asked = Instant::now();
        view.stop();
        took.push(asked.elapsed());
        if took.iter().any(|took| *took < Duration::from_secs(1)) {
            return;
        }
    }
    panic!("it ended after {took:?}");
}

/// Numbers of a scene are set to both ends of its range and back, while twenty look on. Then
/// frames go on, or the refusal names the key, or the state says that steps take long.
fn every_end(scene: &str) {
    let view = View::start(
        scene,
        &[set("flock.boids=200")],
        &Options { port: 0, speed: Some(1e6), ..Options::default() },
    );
    let view = view.unwrap_or_else(|refusal| panic!("{scene}: {refusal}"));
    let mut lookers: Vec<Viewer> = (0..19).map(|_| Viewer::of(&view)).collect();
    let mut viewer = Viewer::of(&view);
    viewer.frame();
    let controls = viewer.state["controls"].as_array().expect("controls").clone();
    let (mut sets, mut refused, mut slow) = (0, 0, 0);
    // A third of the numbers, unless all scenes are tried.
    for control in controls.iter().step_by(if tier::survey() || tier::full() { 1 } else { 3 }) {
        let (Some(key), Some(allowed)) = (control["key"].as_str(), control["allowed"].as_array())
        else {
            continue;
        };
        if key == "flock.boids" {
            continue;
        }
        for end in allowed {
            sets += 1;
            let answer = viewer.ask(json!({ "do": "set", "key": key, "value": end.to_string() }));
            if let Some(line) = answer["error"].as_str() {
                assert!(
                    line.contains(key.rsplit('.').next().unwrap_or(key))
                        || line.contains(": allowed is"),
                    "{key} = {end}: {line}"
                );
                refused += 1;
                continue;
            }
            let frame = viewer.frame();
            let started = Instant::now();
            while viewer.frame().step <= frame.step {
                if warns(&viewer.state, "longer than 2 s") || viewer.state["paused"] == true {
                    slow += 1;
                    break;
                }
                assert!(
                    started.elapsed() < Duration::from_secs(20),
                    "{scene}: {key} = {end}: no frame, and nothing is said"
                );
            }
            if viewer.state["paused"] == true {
                viewer.grant(json!({ "do": "play" }));
            }
            // Who does not answer for long is shown out, and a busy machine makes it long.
            for looker in &mut lookers {
                looker.frame();
            }
        }
        let back =
            viewer.ask(json!({ "do": "set", "key": key, "value": control["value"].to_string() }));
        drop(back);
        for looker in &mut lookers {
            looker.frame();
        }
    }
    println!("{scene}: {sets} values set, {refused} refused, {slow} slow");
    assert!(sets > 20, "{scene}: {sets} values");
    let asked = Instant::now();
    view.stop();
    assert!(
        asked.elapsed() < Duration::from_secs(10),
        "{scene}: it ended after {:?}",
        asked.elapsed()
    );
}

#[test]
fn every_number_may_be_set_to_both_ends_while_twenty_look() {
    let all = tier::survey();
    let scenes = [
        "evacuation",
        "shoal",
        "hunter_prey",
        "murmuration",
        "leader",
        "counterflow",
        "couzin2002",
        "vision_cone_follow",
    ];
    for scene in &scenes[..if all { scenes.len() } else { 1 }] {
        every_end(scene);
    }
}
