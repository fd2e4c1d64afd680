//! `model.update = "sequential"` through the command: runs, recordings, sweeps and checkpoints.

use crate::common::{Lab, text};

const IN_TURN: [&str; 5] = ["agents_jl", "--set", "model.update=sequential", "--seed", "3"];

fn run(lab: &Lab, rest: &[&str]) -> serde_json::Value {
    lab.json(&[&IN_TURN[..], rest].concat())
}

#[test]
fn sequential_runs_are_the_same_at_any_level_and_broken_off() {
    let lab = Lab::new();
    let steps = ["--steps", "60", "--average-from", "20", "--every", "5"];
    let whole = run(&lab, &[&steps[..], &["--observe", "a.csv", "--record", "a.wbr"]].concat());
    for machine in [["--level", "portable"], ["--threads", "3"]] {
        let other = run(&lab, &[&steps[..], &machine, &["--no-html"]].concat());
        assert_eq!(other["state_hash"], whole["state_hash"], "{machine:?}");
        assert_eq!(other["observed_means"], whole["observed_means"], "{machine:?}");
    }
    let at_once = lab.json(&[&["agents_jl", "--seed", "3"], &steps[..]].concat());
    assert_ne!(at_once["state_hash"], whole["state_hash"]);

    let part = [
        "--average-from",
        "20",
        "--every",
        "5",
        "--observe",
        "b.csv",
        "--record",
        "b.wbr",
        "--checkpoint",
        "b.wbc",
    ];
    run(&lab, &[&["--steps", "30"], &part[..]].concat());
    let resumed = run(&lab, &[&["--steps", "60", "--resume", "b.wbc"], &part[..]].concat());
    assert_eq!(resumed["state_hash"], whole["state_hash"]);
    let read = |name: &str| std::fs::read(lab.path(name)).expect("written");
    assert_eq!(read("b.csv"), read("a.csv"));

    let out = ["--out", "s.csv", "--steps", "60"];
    let output = lab.wingbeat(&[&["sweep"], &IN_TURN[..3], &["--set", "seed=2..3"], &out].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let hash = whole["state_hash"].as_str().expect("a text");
    assert!(
        text(&read("s.csv.runs.csv"))
            .lines()
            .any(|line| line.starts_with("3,") && line.contains(hash))
    );
}

#[test]
fn what_a_boid_sees_in_its_turn_is_not_explained() {
    let lab = Lab::new();
    let output = lab.wingbeat(&[
        "explain",
        "mesa",
        "--set",
        "model.update=sequential",
        "--boid",
        "1",
        "--step",
        "3",
    ]);
    let stderr = text(&output.stderr);
    assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
    assert!(stderr.contains("model.update = sequential: allowed is at_once"), "{stderr}");
}
