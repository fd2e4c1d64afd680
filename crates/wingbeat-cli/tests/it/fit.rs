//! `wingbeat fit`: it finds what made a flock, says honestly how well, and goes on where it was.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{Lab, text};
use wingbeat_test_support::tier;

/// A cohesive flock in open water, kept lively by noise.
const POND: &str = "[flock]\nboids = 100\ndimensions = 2\nsteps = 600\ndt = 0.05\n[spawn]\n\
    spacing = 0.9\nspeed = 1.5\n[domain]\nkind = \"open\"\n[agent]\nmax_speed = 2.5\n\
    min_speed = 0.8\nmax_force = 40.0\n[separation]\nweight = 8.0\nradius = 0.9\n[alignment]\n\
    weight = 1.2\nradius = 2.0\n[cohesion]\nweight = 0.5\nradius = 8.0\n[drive.noise]\n\
    kind = \"noise\"\nsize = 20.0\ninterval = 0.05\n";
const TRUTH: [(&str, f64); 3] =
    [("separation.weight", 8.0), ("alignment.weight", 1.2), ("cohesion.weight", 0.5)];
const VARY: [&str; 6] = [
    "--vary",
    "separation.weight=0..20",
    "--vary",
    "alignment.weight=0..4",
    "--vary",
    "cohesion.weight=0..3",
];

/// A fit of a few runs.
const SMALL: [&str; 19] = [
    "fit",
    "pond.toml",
    "--to",
    "pond.wbr",
    "--vary",
    "alignment.weight=0..3",
    "--vary",
    "cohesion.weight=0..2",
    "--steps",
    "40",
    "--searches",
    "2",
    "--refits",
    "2",
    "--points",
    "12",
    "--runs=2",
    "--fresh-runs=3",
    "--quiet",
];

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    let run = [
        "run",
        "pond.toml",
        "--boids",
        "40",
        "--seed",
        "7",
        "--steps",
        "40",
        "--record",
        "pond.wbr",
        "--quiet",
    ];
    let output = lab.wingbeat(&run);
    assert!(output.status.success(), "{}", text(&output.stderr));
    lab
}

fn read(lab: &Lab, name: &str) -> String {
    std::fs::read_to_string(lab.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[track_caller]
fn fitted(lab: &Lab, args: &[&str]) -> Value {
    let output = lab.wingbeat(&[args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Lines of a journal in any order.
fn lines(journal: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = journal.lines().collect();
    lines.sort_unstable();
    lines
}

/// Three weights of 100 fish, from a recording of them and another guess. With `WINGBEAT_FULL=1`
/// over more runs.
#[test]
fn a_flock_gives_away_what_made_it() {
    let is_full = tier::full();
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    let steps = if is_full { "1600" } else { "500" };
    let run = lab.wingbeat(&[
        "run",
        "pond.toml",
        "--seed",
        "77",
        "--steps",
        steps,
        "--record",
        "pond.wbr",
        "--quiet",
    ]);
    assert!(run.status.success(), "{}", text(&run.stderr));
    let guesses = [
        ("weight = 8.0", "weight = 3.0"),
        ("weight = 1.2", "weight = 3.0"),
        ("weight = 0.5", "weight = 2.0"),
    ];
    let guess = guesses
        .into_iter()
        .fold(POND.to_string(), |scene, (truth, guess)| scene.replace(truth, guess));
    lab.write("guess.toml", guess);
    let begin = [
        "fit",
        "guess.toml",
        "--to",
        "pond.wbr",
        "--to-from",
        "200",
        "--average-from",
        "200",
        "--out",
        "fit.toml",
    ];
    let effort: &[&str] = if is_full {
        &[]
    } else {
        &["--searches=2", "--refits=3", "--points=40", "--runs=2", "--fresh-runs=8"]
    };
    let found = fitted(&lab, &[&begin[..], &VARY, &["--steps", steps], effort].concat());
    for (key, truth) in TRUTH {
        let key = &found["keys"][key];
        let (value, error) = (number(&key["fitted"]), number(&key["standard_error"]));
        assert!((value - truth).abs() < 3.0 * error, "{key}: truth {truth}");
        // An error as wide as the range would be no answer.
        let range = number(&key["high"]) - number(&key["low"]);
        assert!(error < 0.5 * range, "{key}");
    }
    let cohesion = &found["keys"]["cohesion.weight"];
    assert!((number(&cohesion["fitted"]) - 0.5).abs() < 0.25, "{cohesion}");
    // As near as two runs of one scene are to each other, and nearer by far than the guess.
    let objective = &found["objective"];
    let of = |what: &str| number(&objective[what]["mean"]);
    assert!(of("fitted") < 2.0 * number(&objective["fitted_to_itself"]), "{objective}");
    assert!(of("fitted") < 0.2 * of("before"), "{objective}");
    // What is written is the scene with these values.
    let scene = read(&lab, "fit.toml");
    let written = format!("[cohesion]\nradius = 8.0\nweight = {}", number(&cohesion["fitted"]));
    assert!(scene.contains(&written), "{written} is missing from {scene}");
    assert!(lab.wingbeat(&["check", "fit.toml"]).status.success());
}

#[test]
fn threads_change_no_byte() {
    let lab = lab();
    let by = |threads: &str, out: &str| {
        fitted(&lab, &[&SMALL[..], &["--threads", threads, "--out", out]].concat())["keys"].clone()
    };
    assert_eq!(by("1", "one.toml"), by("3", "three.toml"));
    assert_eq!(read(&lab, "one.toml"), read(&lab, "three.toml"));
    assert_eq!(lines(&read(&lab, "one.toml.runs.csv")), lines(&read(&lab, "three.toml.runs.csv")));
    // Refits are toward runs of the fitted scene, each a target of its own.
    let journal = read(&lab, "one.toml.runs.csv");
    let targets: std::collections::BTreeSet<&str> =
        journal.lines().skip(2).filter_map(|line| line.split(',').next()).collect();
    assert!(targets.len() == 3 && targets.contains("recording"), "{targets:?}");
    // Another seed is another search.
    assert_ne!(
        by("2", "one.toml"),
        fitted(&lab, &[&SMALL[..], &["--search-seed", "2", "--out", "other.toml"]].concat())["keys"]
    );
}

#[test]
fn a_killed_fit_goes_on_where_it_was() {
    let lab = lab();
    let all = |out: &'static str| [&SMALL[..], &["--threads", "2", "--out", out]].concat();
    let whole = fitted(&lab, &all("whole.toml"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_wingbeat"));
    let mut child = child
        .args(all("out.toml"))
        .current_dir(lab.folder())
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let begun = Instant::now();
    let done = || {
        std::fs::read_to_string(lab.path("out.toml.runs.csv"))
            .map_or(0, |journal| journal.lines().count())
    };
    while done() < 12 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("killed");
    child.wait().expect("gone");
    assert!(
        done() >= 12 && !lab.path("out.toml").exists(),
        "{} lines, and no scene before all is done",
        done()
    );
    let kept = read(&lab, "out.toml.runs.csv");
    let resumed = fitted(&lab, &all("out.toml"));
    assert_eq!((&resumed["keys"], &resumed["objective"]), (&whole["keys"], &whole["objective"]));
    let journal = read(&lab, "out.toml.runs.csv");
    assert!(
        journal.starts_with(&kept[..=kept.rfind('\n').expect("a line")]),
        "runs that were finished are not made again"
    );
    assert_eq!(lines(&journal), lines(&read(&lab, "whole.toml.runs.csv")));
    let scene = |name: &str| read(&lab, name);
    assert_eq!(scene("out.toml"), scene("whole.toml"));
    // All of it is known now.
    let again = lab.wingbeat(&[&SMALL[..], &["--out", "out.toml"]].concat());
    assert!(
        text(&again.stdout).contains("2 searches and 2 refits, 0 runs made"),
        "{}",
        text(&again.stdout)
    );
}

#[test]
fn a_journal_of_anything_else_is_refused() {
    let lab = lab();
    let out =
        |args: &[&'static str]| lab.wingbeat(&[&SMALL[..], &["--out", "out.toml"], args].concat());
    assert!(out(&[]).status.success());
    let (scene, journal) = (read(&lab, "out.toml"), read(&lab, "out.toml.runs.csv"));
    let expected = [
        (vec!["--vary", "separation.weight=0..9"], "other swept keys"),
        (vec!["--columns", "polarization"], "other columns"),
        (vec!["--average-from", "20"], "other average-from"),
        (vec!["--every", "4"], "other every"),
        (vec!["--set", "separation.weight=2"], "other fixed values"),
        (vec!["--scale", "2"], "other recording, or how it is read"),
        (vec!["--to-from", "10"], "other recording, or how it is read"),
    ];
    for (args, why) in expected {
        let refused = out(&args);
        let stderr = text(&refused.stderr);
        assert_eq!(
            (refused.status.code(), stderr.lines().count()),
            (Some(2), 1),
            "{args:?}: {stderr}"
        );
        assert!(
            stderr.contains("holds runs of another fit") && stderr.contains(why),
            "{args:?}: {stderr}"
        );
        assert_eq!(
            (read(&lab, "out.toml"), read(&lab, "out.toml.runs.csv")),
            (scene.clone(), journal.clone())
        );
    }
    // More of the same goes on from what is there.
    let more =
        lab.wingbeat(&[&SMALL[..17], &["--fresh-runs=4", "--quiet", "--out", "out.toml"]].concat());
    assert!(
        more.status.success() && read(&lab, "out.toml.runs.csv").starts_with(&journal),
        "{}",
        text(&more.stderr)
    );
    let sweep =
        ["sweep", "pond.toml", "--set", "cohesion.weight=1,2", "--steps", "3", "--out", "out.csv"];
    assert!(lab.wingbeat(&sweep).status.success());
    std::fs::copy(lab.path("out.csv.runs.csv"), lab.path("other.toml.runs.csv")).expect("a copy");
    let refused = lab.wingbeat(&[&SMALL[..], &["--out", "other.toml"]].concat());
    assert!(
        text(&refused.stderr).contains("other.toml.runs.csv is no journal of a fit"),
        "{}",
        text(&refused.stderr)
    );
    let damaged = journal.replacen("recording,", "recordinG,", 1);
    lab.write("out.toml.runs.csv", damaged);
    let refused = out(&[]);
    assert!(text(&refused.stderr).contains("is damaged in line 3"), "{}", text(&refused.stderr));
    assert!(out(&["--fresh"]).status.success());
}

#[test]
fn without_refits_there_are_no_standard_errors() {
    let lab = lab();
    let found =
        fitted(&lab, &[&SMALL[..12], &SMALL[14..], &["--refits=0", "--out", "out.toml"]].concat());
    let key = &found["keys"]["cohesion.weight"];
    assert!(
        key["standard_error"].is_null() && found["objective"]["fitted_to_itself"].is_null(),
        "{found}"
    );
    assert_eq!(key["searches"].as_array().map(Vec::len), Some(2));
    assert_eq!(number(&key["before"]), 0.5);
    // Of three fresh runs.
    assert!(number(&found["objective"]["fitted"]["standard_error"]) > 0.0);
    let journal = read(&lab, "out.toml.runs.csv");
    let seeds: std::collections::BTreeSet<&str> =
        journal.lines().skip(2).filter_map(|line| line.split(',').nth(3)).collect();
    // Two for the points of a search, six for the second look; three to choose, and three that
    // no boid has had.
    let block = |first: u64, count: u64| (first..first + count).map(|seed| seed.to_string());
    let expected = block(1_000_000, 8)
        .chain(block(1_001_000, 8))
        .chain(block(1_200_000, 3))
        .chain(block(1_201_000, 3));
    let expected: Vec<String> = expected.collect();
    assert_eq!(seeds.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn bad_input_is_refused() {
    let lab = lab();
    lab.write("space.toml", "[flock]\nboids = 9\ndimensions = 3\n[cohesion]\n");
    std::fs::create_dir(lab.path("elsewhere")).expect("a folder");
    lab.write("state.csv", "id,x,y,vx,vy\n0,1,1,1,0\n1,2,2,0,1\n");
    lab.write(
        "started.toml",
        "[flock]\ndimensions = 2\n[initial]\nfile = \"state.csv\"\n[cohesion]\n",
    );
    let refused = |args: &str, expected: &str| {
        let before = lab.files();
        let output = lab.wingbeat(&[&["fit"], &args.split(' ').collect::<Vec<_>>()[..]].concat());
        let stderr = text(&output.stderr);
        assert_eq!(
            (output.status.code(), text(&output.stdout).as_str()),
            (Some(2), ""),
            "{args}: {stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{args}: {stderr}");
        assert!(stderr.contains(expected), "{args}: \"{expected}\" is missing from: {stderr}");
        assert_eq!(lab.files(), before, "{args}: files left behind");
    };
    let vary = "--vary cohesion.weight=0..2";
    let all = format!("pond.toml --to pond.wbr {vary} --out o.toml");
    for (text, why) in [
        ("cohesion.weight", "allowed is KEY=A..B with two finite numbers, A below B"),
        ("cohesion.weight=2", "KEY=A..B"),
        ("cohesion.weight=2..1", "A below B"),
        ("cohesion.weight=0..inf", "finite"),
        ("cohesion.wait=0..1", "a key that takes any number between two"),
        ("boids=10..20", "a key that takes any number between two"),
        ("cohesion.weight=0..1", "each key once"),
        ("separation.radius=-1..1", "separation.radius"),
    ] {
        refused(&format!("{all} --vary {text}"), why);
        refused(&format!("{all} --vary {text}"), "--vary");
    }
    refused(
        &format!("pond.toml --to pond.toml {vary} --out o.toml"),
        "--to = pond.toml: allowed is a recording",
    );
    refused(&format!("pond.toml --to gone.wbr {vary} --out o.toml"), "gone.wbr");
    refused(
        &format!("space.toml --to pond.wbr {vary} --out o.toml"),
        "--to pond.wbr: is in 2-D, and the scene in 3-D",
    );
    refused(&format!("{all} --seed 3"), "--seed = 3: allowed is nothing here");
    refused(
        &format!("{all} --set cohesion.weight=1"),
        "--set cohesion.weight = 1: allowed is nothing: --vary varies it",
    );
    refused(&format!("{all} --searches 0"), "--searches = 0: allowed is a whole number, 1 to 100");
    refused(&format!("{all} --runs 251"), "--runs = 251: allowed is a whole number, 1 to 250");
    refused(&format!("{all} --fresh-runs no"), "--fresh-runs = no");
    refused(&format!("{all} --refits -1"), "--refits = -1");
    refused(&format!("{all} --points 2"), "--points = 2: allowed is a whole number, 3 to");
    refused(&format!("{all} --search-seed 1.5"), "--search-seed = 1.5");
    refused(&format!("{all} --average-from 600"), "--average-from = 600");
    refused(&format!("{all} --every 601"), "--every = 601");
    refused(&format!("{all} --to-from 40"), "--to-from = 40: allowed is a whole number below 40");
    refused(&format!("{all} --columns groups"), "no values of groups");
    refused(
        &format!("{all} --columns groups,milling"),
        "--columns = groups: allowed is columns with values in pond.wbr",
    );
    refused(
        &format!("pond.toml --to pond.wbr {vary} --out pond.toml"),
        "--out = pond.toml: allowed is another file",
    );
    refused(
        &format!("pond.toml --to pond.wbr {vary} --out o.csv"),
        "--out = o.csv: allowed is a file that ends in .toml",
    );
    refused(
        &format!("started.toml --to pond.wbr {vary} --out elsewhere/o.toml"),
        "a file in the folder of started.toml",
    );
}
