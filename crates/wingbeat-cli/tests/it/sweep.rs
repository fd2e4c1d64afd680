//! `wingbeat sweep`: the same numbers as single runs, the same file whatever happened on the way.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Lab, text};
use wingbeat_test_support::tier;

const POND: &str = "[flock]\nboids = 60\ndimensions = 2\n[domain]\nkind = \"periodic\"\n\
    [separation]\nradius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n";

/// Twelve runs of two keys and the seed.
const SWEEP: [&str; 10] = [
    "--set",
    "alignment.weight=0..2:3",
    "--set",
    "domain.kind=periodic,reflecting",
    "--set",
    "seed=3..4",
    "--steps",
    "40",
    "--average-from",
    "20",
];

fn sweep(lab: &Lab, args: &[&str]) -> std::process::Output {
    lab.wingbeat(&[&["sweep"], args].concat())
}

#[track_caller]
fn swept(lab: &Lab, args: &[&str]) -> String {
    let output = sweep(lab, args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn read(lab: &Lab, name: &str) -> String {
    std::fs::read_to_string(lab.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Rows of a CSV file by column name; `#` lines are left out.
fn table(csv: &str) -> Vec<std::collections::HashMap<String, String>> {
    let lines: String =
        csv.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let mut reader = csv::Reader::from_reader(lines.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

#[test]
fn a_row_is_the_mean_of_single_runs_bit_for_bit() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    swept(&lab, &[&[scene.as_str(), "--out", "out.csv"], &SWEEP[..]].concat());
    let (rows, runs) = (table(&read(&lab, "out.csv")), table(&read(&lab, "out.csv.runs.csv")));
    assert_eq!((rows.len(), runs.len()), (6, 12));
    let order: Vec<_> = rows
        .iter()
        .map(|row| (row["alignment.weight"].as_str(), row["domain.kind"].as_str()))
        .collect();
    assert_eq!(order[..3], [("0", "periodic"), ("0", "reflecting"), ("1", "periodic")]);
    for row in &rows {
        let (weight, kind) = (
            format!("alignment.weight={}", row["alignment.weight"]),
            format!("domain.kind={}", row["domain.kind"]),
        );
        let single = |seed: &str| {
            lab.json(&[
                &scene,
                "--steps",
                "40",
                "--average-from",
                "20",
                "--every",
                "10",
                "--seed",
                seed,
                "--set",
                &weight,
                "--set",
                &kind,
            ])
        };
        let pair = [single("3"), single("4")];
        for name in [
            "polarization",
            "milling",
            "mean_speed",
            "nearest_neighbor_distance",
            "correlation_length",
            "groups",
            "density",
        ] {
            let [a, b] = [0, 1].map(|i| {
                let report = &pair[i];
                let value = match name {
                    "polarization" | "milling" => &report[format!("mean_{name}")],
                    _ => &report["observed_means"][name],
                };
                value.as_f64().unwrap_or_else(|| panic!("{name} of {report}"))
            });
            let mean = (0.0 + a + b) / 2.0;
            assert_eq!(
                number(&row[name]).to_bits(),
                mean.to_bits(),
                "{name} of {weight} {kind}: {a} and {b}"
            );
            // Of two values, half their distance.
            assert!(
                (number(&row[&format!("{name}_se")]) - (a - b).abs() / 2.0).abs() < 1e-12,
                "{name}"
            );
        }
        let hashes: Vec<&str> =
            pair.iter().map(|report| report["state_hash"].as_str().expect("a text")).collect();
        let of_run = |seed: &str| {
            let same = |run: &&std::collections::HashMap<String, String>| {
                run["flock.seed"] == seed
                    && ["alignment.weight", "domain.kind"].iter().all(|key| run[*key] == row[*key])
            };
            runs.iter().find(same).expect("a run")["state_hash"].clone()
        };
        assert_eq!([of_run("3"), of_run("4")], hashes[..]);
        assert_eq!(
            [&row["seeds"], &row["steps"], &row["average_from"], &row["every"]],
            ["2", "40", "20", "10"]
        );
    }
}

#[test]
fn one_seed_has_no_standard_error() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    swept(&lab, &[&scene, "--set", "cohesion.weight=1,2", "--steps", "5", "--out", "out.csv"]);
    let rows = table(&read(&lab, "out.csv"));
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert!(number(&row["polarization"]) > 0.0);
        assert_eq!(
            (row["polarization_se"].as_str(), row["seeds"].as_str(), row["every"].as_str()),
            ("", "1", "1")
        );
    }
}

#[test]
fn threads_change_no_byte() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for threads in ["1", "2", "5", "40"] {
        let out = format!("{threads}.csv");
        swept(&lab, &[&[scene.as_str(), "--threads", threads, "--out", &out], &SWEEP[..]].concat());
        assert_eq!(read(&lab, &out), read(&lab, "1.csv"), "{threads} threads");
    }
}

#[test]
fn a_killed_sweep_goes_on_where_it_was() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let long = [
        "--set",
        "alignment.weight=0..2:6",
        "--set",
        "seed=1..5",
        "--steps",
        tier::either("1200", "4000"),
        "--average-from",
        "20",
        "--every",
        "500",
    ];
    let all = |out: &'static str| {
        [&["sweep", scene.as_str(), "--out", out, "--threads", "2"], &long[..]].concat()
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_wingbeat"));
    let mut child = child
        .args(all("out.csv"))
        .current_dir(lab.folder())
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let begun = Instant::now();
    let lines = || {
        std::fs::read_to_string(lab.path("out.csv.runs.csv"))
            .map_or(0, |journal| journal.lines().count())
    };
    while lines() < 5 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("gone");
    let done = lines() - 2;
    assert!((3..30).contains(&done), "{done} of 30 runs were done when it was killed");
    assert!(!lab.path("out.csv").exists(), "no table before all is done");

    let output = lab.wingbeat(&all("out.csv"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains(&format!("{done} of 30 runs were finished before")),
        "{}",
        text(&output.stderr)
    );
    assert!(lab.wingbeat(&all("whole.csv")).status.success());
    assert_eq!(read(&lab, "out.csv"), read(&lab, "whole.csv"));
    assert_eq!(lines(), 32);
    // Again: nothing is left to run.
    assert!(text(&lab.wingbeat(&all("out.csv")).stdout).contains("30 runs, 0 of them new"));
}

#[test]
fn a_torn_last_line_is_run_again() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let args = [&[scene.as_str(), "--out", "out.csv", "--threads", "1"], &SWEEP[..]].concat();
    swept(&lab, &args);
    let (table, journal) = (read(&lab, "out.csv"), read(&lab, "out.csv.runs.csv"));
    let head = journal.match_indices('\n').nth(1).expect("two lines").0 + 1;
    // Anywhere: in a line, at its end without the line break, in the head, at nothing.
    for kept in [journal.len() - 1, journal.len() - 30, head + 5, head, head - 1, 30, 3, 0] {
        std::fs::write(lab.path("out.csv.runs.csv"), &journal[..kept]).expect("written");
        std::fs::remove_file(lab.path("out.csv")).expect("removed");
        swept(&lab, &args);
        assert_eq!(read(&lab, "out.csv"), table, "{kept} bytes kept");
        assert_eq!(read(&lab, "out.csv.runs.csv"), journal, "{kept} bytes kept");
    }
    // A line broken elsewhere does not come from a kill.
    std::fs::write(lab.path("out.csv.runs.csv"), journal.replacen(",periodic,", ",", 1))
        .expect("written");
    let output = sweep(&lab, &args);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("out.csv.runs.csv is damaged in line 3"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn more_values_run_only_what_is_new() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let args = |seeds: &'static str, out: &'static str| {
        [
            scene.as_str(),
            "--set",
            seeds,
            "--set",
            "cohesion.weight=1,2",
            "--steps",
            "9",
            "--out",
            out,
        ]
    };
    swept(&lab, &args("seed=1..3", "out.csv"));
    assert!(swept(&lab, &args("seed=1..5", "out.csv")).contains("10 runs, 4 of them new"));
    swept(&lab, &args("seed=1..5", "whole.csv"));
    assert_eq!(read(&lab, "out.csv"), read(&lab, "whole.csv"));
}

#[test]
fn runs_of_another_sweep_are_refused_by_name() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let args = [&[scene.as_str(), "--out", "out.csv"], &SWEEP[..]].concat();
    swept(&lab, &args);
    let (before, journal) = (read(&lab, "out.csv"), read(&lab, "out.csv.runs.csv"));
    let refused = |args: &[&str], what: &str| {
        let output = sweep(&lab, args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        for part in ["--out out.csv", "out.csv.runs.csv", what, "--fresh"] {
            assert!(stderr.contains(part), "{args:?}: {part} is missing from: {stderr}");
        }
        assert_eq!(
            (read(&lab, "out.csv"), read(&lab, "out.csv.runs.csv")),
            (before.clone(), journal.clone())
        );
    };
    let mut other = args.clone();
    other[10] = "41";
    refused(&other, "other fixed values");
    other = args.clone();
    other[12] = "21";
    refused(&other, "other average-from");
    refused(&[&args[..], &["--every", "5"]].concat(), "other every");
    refused(&[&args[..], &["--set", "agent.mass=1,2"]].concat(), "other swept keys");
    lab.write("pond.toml", POND.replace("0.8", "0.7"));
    refused(&args, "other scene");
    let changed = swept(&lab, &[&args[..], &["--fresh"]].concat());
    assert!(changed.contains("12 of them new") && read(&lab, "out.csv") != before);

    lab.write("mine.csv.runs.csv", "id,x,y\n");
    let output =
        sweep(&lab, &[&[scene.as_str(), "--fresh", "--out", "mine.csv"], &SWEEP[..]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is no journal"), "{}", text(&output.stderr));
    assert_eq!(read(&lab, "mine.csv.runs.csv"), "id,x,y\n");
}

#[test]
fn initial_states_are_part_of_the_sweep() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.write("start.csv", "x,y,vx,vy\n1,1,1,0\n2,2,0,1\n3,1,1,1\n");
    let args = [
        &scene,
        "--initial",
        "start.csv",
        "--set",
        "domain.kind=open",
        "--set",
        "alignment.weight=0,1",
        "--steps",
        "12",
        "--out",
        "out.csv",
    ];
    let output = sweep(&lab, &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stderr).matches("numbered by row").count(),
        1,
        "said once: {}",
        text(&output.stderr)
    );
    let run = [
        "--initial",
        "start.csv",
        "--set",
        "domain.kind=open",
        "--set",
        "alignment.weight=1",
        "--steps",
        "12",
    ];
    let single = lab.json(&[&[scene.as_str()], &run[..]].concat());
    let runs = table(&read(&lab, "out.csv.runs.csv"));
    let run = runs.iter().find(|run| run["alignment.weight"] == "1").expect("a run");
    assert_eq!(Some(run["state_hash"].as_str()), single["state_hash"].as_str());
    lab.write("start.csv", "x,y,vx,vy\n1,1,1,0\n2,2,0,1\n3,1,1,0.5\n");
    assert!(text(&sweep(&lab, &args).stderr).contains("other scene"));
}

/// A sweep may go on elsewhere: what its journal has of scene and files is the same on 32-bit
/// machines.
#[test]
fn the_hash_of_a_sweeps_files_is_the_same_on_every_machine() {
    let lab = Lab::new();
    let scene = lab.write(
        "pond.toml",
        "[flock]\ndimensions = 2\n[initial]\nfile = \"start.csv\"\n[separation]\n",
    );
    lab.write("start.csv", "id,x,y\n0,1,2\n1,3,4\n");
    swept(&lab, &[&scene, "--set", "seed=1..2", "--steps", "2", "--out", "out.csv"]);
    let journal = read(&lab, "out.csv.runs.csv");
    assert!(journal.contains("\"content\":\"ca8fef9e6a101834cdae8ea400bfeb62\""), "{journal}");
}

#[test]
fn a_journal_that_is_being_written_is_left_alone() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let args = [&[scene.as_str(), "--out", "out.csv"], &SWEEP[..]].concat();
    swept(&lab, &args);
    let journal = std::fs::File::open(lab.path("out.csv.runs.csv")).expect("the journal");
    journal.lock().expect("no other thread has it");
    let output = sweep(&lab, &[&args[..], &["--fresh"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("is being written by another sweep"),
        "{}",
        text(&output.stderr)
    );
    // A program that another test is starting has the file open until it is another program:
    // closing alone would not unlock it.
    journal.unlock().expect("it was locked");
    swept(&lab, &args);
}

#[test]
fn quiet_says_nothing() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let args = [&[scene.as_str(), "--out", "out.csv", "--quiet"], &SWEEP[..]].concat();
    for _ in 0..2 {
        let output = sweep(&lab, &args);
        assert_eq!(
            (output.status.code(), text(&output.stdout), text(&output.stderr)),
            (Some(0), String::new(), String::new())
        );
    }
}

#[test]
fn a_plot_has_axes_a_legend_and_error_bars() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for (plot, extra) in [("a.svg", &["--y", "nearest_neighbor_distance"][..]), ("b.png", &[])] {
        swept(
            &lab,
            &[&[scene.as_str(), "--out", "out.csv", "--plot", plot], &SWEEP[..], extra].concat(),
        );
    }
    let svg = read(&lab, "a.svg");
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let texts: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.text())
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect();
    for said in [
        "pond: nearest neighbor distance by alignment.weight",
        "means over steps 21 to 40 and 2 seeds; bars: ±1 standard error",
        "alignment.weight",
        "nearest neighbor distance (length)",
        "domain.kind",
        "periodic",
        "reflecting",
        "0.0",
        "2.0",
    ] {
        assert!(texts.contains(&said), "{said} is missing: {texts:?}");
    }
    let polylines = document.descendants().filter(|node| {
        node.has_tag_name("polyline") && node.attribute("stroke") == Some("#0072B2")
    });
    assert_eq!(
        polylines.count(),
        1 + 3 * 3 + 1,
        "a line, three bars with two caps each, the legend's specimen"
    );
    assert_eq!(std::fs::read(lab.path("b.png")).expect("the file")[..4], *b"\x89PNG");
}

/// Texts of a picture in the folder.
fn texts(lab: &Lab, name: &str) -> Vec<String> {
    let svg = read(lab, name);
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let texts =
        document.descendants().filter_map(|node| node.text()).map(|text| text.trim().to_string());
    texts.filter(|text| !text.is_empty()).collect()
}

#[test]
fn two_long_axes_make_a_map_and_columns_of_other_units_get_axes_of_their_own() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let two =
        ["--set", "alignment.weight=0..2:5", "--set", "cohesion.weight=0.5..1:6", "--steps", "10"];
    let draw = |rest: &[&'static str]| {
        swept(
            &lab,
            &[&[scene.as_str(), "--out", "two.csv", "--plot", "a.svg"], &two[..], rest].concat(),
        );
        texts(&lab, "a.svg")
    };
    let map = draw(&[]);
    for said in [
        "pond: polarization by alignment.weight and cohesion.weight",
        "alignment.weight",
        "cohesion.weight",
        "polarization",
        "0.7",
    ] {
        assert!(map.iter().any(|text| text == said), "{said} is missing: {map:?}");
    }
    let lines = draw(&["--plot-as", "lines"]);
    assert!(lines.contains(&"pond: polarization by alignment.weight".to_string()), "{lines:?}");
    let panels = draw(&["--y", "polarization,milling,mean_speed"]);
    for said in ["polarization, 0.5", "milling, 1", "mean speed (length/time)"] {
        assert!(panels.iter().any(|text| text == said), "{said} is missing: {panels:?}");
    }
    let refused = |rest: &[&'static str], expected: &str| {
        let output = sweep(
            &lab,
            &[&[scene.as_str(), "--out", "two.csv", "--plot", "a.svg"], &two[..], rest].concat(),
        );
        let stderr = text(&output.stderr);
        assert!(
            output.status.code() == Some(2)
                && stderr.contains(expected)
                && stderr.lines().count() == 1,
            "{rest:?}: {stderr}"
        );
    };
    refused(&["--plot-as", "bars"], "--plot-as = bars: allowed is lines or map");
    refused(&["--plot-as", "map", "--y", "polarization,milling"], "one column, for a map");
    refused(&["--plot-as", "map", "--set", "agent.mass=1,2"], "a map takes two keys");
    refused(&["--y", "polarization,polarization"], "polarization, milling");
}

#[test]
fn short_names_work_in_run_too() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let long = lab.json(&[&scene, "--set", "flock.seed=5", "--set", "flock.steps=3"]);
    assert_eq!(
        lab.json(&[&scene, "--set", "seed=5", "--set", "steps=3"])["state_hash"],
        long["state_hash"]
    );
}

#[test]
fn bad_input_is_refused_before_anything_is_run() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let base = ["--steps", "20", "--average-from", "5", "--out", "out.csv"];
    let before = lab.files();
    let refused = |args: &[&str], expected: &[&str]| {
        let output = sweep(&lab, &[&[scene.as_str()], args].concat());
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{args:?}: one line, not:\n{stderr}");
        for part in expected {
            assert!(stderr.contains(part), "{args:?}: \"{part}\" is missing from: {stderr}");
        }
        assert_eq!(lab.files(), before, "{args:?}: files left behind");
    };
    for (set, expected) in [
        (
            "alignment.weight=0..1:1",
            &["--set: alignment.weight = 0..1:1", "N a whole number, 2 to 1000000"][..],
        ),
        ("alignment.weight=0..1:0", &["2 to 1000000"]),
        ("alignment.weight=0..1:99999999999", &["2 to 1000000"]),
        ("alignment.weight=0..1:2.5", &["2 to 1000000"]),
        ("alignment.weight=0..1:", &["2 to 1000000"]),
        ("alignment.weight=1..0:3", &["A below B"]),
        ("alignment.weight=1..1:3", &["A below B"]),
        ("alignment.weight=..:3", &["two numbers"]),
        ("alignment.weight=a..b:3", &["two numbers"]),
        ("alignment.weight=0..inf:3", &["two numbers"]),
        ("alignment.weight=0..2.5", &["two whole numbers A and B, or A..B:N"]),
        ("seed=5..2", &["--set: flock.seed = 5..2", "A at most B"]),
        ("seed=1..", &["two whole numbers"]),
        ("seed=1..2000000", &["at most 1000000 values"]),
        ("seed=-9000000000000000000..9000000000000000000", &["at most 1000000 values"]),
        ("seed=-1..2", &["flock.seed = -1", "a whole number, 0 to"]),
        ("seed=1,-2", &["flock.seed = -2", "a whole number, 0 to"]),
        ("seed=1,02", &["flock.seed = \"02\"", "a whole number, 0 to"]),
        ("seed=1,2.5", &["flock.seed = 2.5", "a whole number, 0 to"]),
        ("seed=1,2,1.0", &["values that differ (1.0 is there twice)"]),
        ("alignment.weight=1,,2", &["KEY=A..B:N"]),
        ("alignment.weight=1,many", &["alignment.weight = \"many\"", "a number, "]),
        ("alignment.weight=0..1e12:3", &["alignment.weight = 5", "allowed is a number, "]),
        ("boids=10..21:3", &["flock.boids = 15.5", "a whole number"]),
        (
            "domain.kind=periodic,torus",
            &["domain.kind = \"torus\"", "open, periodic, walled, reflecting"],
        ),
        ("alignment.radius=1,5", &["alignment.radius = 5"]),
        (
            "alignmnt.weight=0..1:3",
            &["unknown key alignmnt.weight: nearest known key is alignment.weight"],
        ),
        ("weight=1,2", &["unknown key weight: nearest known key is"]),
        ("alignment.weight", &["--set = alignment.weight", "KEY=A..B:N"]),
        ("=1,2", &["KEY=A..B:N"]),
        ("steps=30", &["flock.steps is given twice", "--set"]),
        ("steps=2,30", &["flock.steps is given twice"]),
    ] {
        refused(&[&["--set", set], &base[..]].concat(), expected);
    }
    let pair = |first, second| [&["--set", first, "--set", second], &base[..]].concat();
    refused(&pair("seed=1..3", "flock.seed=4"), &["flock.seed is given twice"]);
    refused(
        &pair("seed=1..2000", "agent.mass=1..2:1000"),
        &["1000 of agent.mass times 2000 of flock.seed are too many runs", "1000000"],
    );
    let one = ["--set", "alignment.weight=0,1"];
    let with = |rest: &[&'static str]| [&one[..], rest].concat();
    for from in ["20", "21", "-1", "x"] {
        refused(
            &with(&["--steps", "20", "--average-from", from, "--out", "out.csv"]),
            &["--average-from", from, "0 to 19"],
        );
    }
    refused(
        &with(&["--set", "steps=10,40", "--average-from", "20", "--out", "out.csv"]),
        &["--average-from = 20", "0 to 9"],
    );
    refused(&with(&["--steps", "0", "--out", "out.csv"]), &["flock.steps = 0", "1 or more"]);
    refused(&[&with(&base)[..], &["--every", "50"]].concat(), &["--every = 50", "6 to 20"]);
    refused(&[&with(&base)[..], &["--every", "0"]].concat(), &["--every = 0"]);
    refused(&[&with(&base)[..], &["--threads", "0"]].concat(), &["--threads = 0", "1 to 1024"]);
    refused(&with(&["--out", "nowhere/out.csv"]), &["--out", "nowhere/out.csv", "does not"]);
    refused(&with(&["--out", "out.txt"]), &["--out", "ends in .csv"]);
    refused(&with(&["--out", "."]), &["--out"]);
    refused(&one, &["--out"]);
    let plot = |path, rest: &[&'static str]| [&with(&base)[..], &["--plot", path], rest].concat();
    refused(&plot("a.jpg", &[]), &["--plot = a.jpg", ".svg or .png"]);
    refused(&plot("a.svg", &["--y", "order"]), &["--y = order", "polarization, milling"]);
    refused(
        &[&with(&base)[..], &["--y", "milling"]].concat(),
        &["--y = milling", "nothing without --plot"],
    );
    refused(&plot("a.svg", &["--set", "agent.mass=1..2:15"]), &["at most 14 lines", "15 here"]);
    let more = ["--threads", "1", "--seed", "1,1"];
    refused(
        &[&with(&base)[..], &more].concat(),
        &["--seed: flock.seed = 1,1", "values that differ"],
    );
    let unplotted = [
        &["--set", "domain.kind=open,periodic", "--set", "seed=1..2", "--plot", "a.svg"],
        &base[..],
    ]
    .concat();
    refused(&unplotted, &["no key but seed is swept over numbers"]);
    std::fs::create_dir(lab.path("taken.csv.runs.csv")).expect("a folder");
    let output = sweep(&lab, &[&[scene.as_str()], &one[..], &["--out", "taken.csv"]].concat());
    assert!(
        output.status.code() == Some(2)
            && text(&output.stderr).contains("taken.csv.runs.csv: allowed is a file, not a folder")
    );
    let output = sweep(&lab, &["shoall", "--out", "out.csv"]);
    assert!(
        output.status.code() == Some(2) && text(&output.stderr).contains("nearest preset is shoal")
    );
}

/// `sweep --help` and COMMANDS.md name each column that is allowed, as the refusal of another does.
#[test]
fn each_column_is_in_the_help_and_in_the_docs() {
    let lab = Lab::new();
    let refused = lab.wingbeat(&["sweep", "shoal", "--columns", "none of them", "--out", "x.csv"]);
    let said = text(&refused.stderr);
    let names = said.trim_end().rsplit_once("each once of ").expect("the names").1.split(", ");
    let help = text(&lab.wingbeat(&["sweep", "--help"]).stdout);
    let docs = include_str!("../../../../docs/COMMANDS.md");
    // Names stand between commas, semicolons, spaces and brackets, and lines are broken at spaces.
    let is_end = |c: char| c.is_whitespace() || ",;[]".contains(c);
    let words: std::collections::HashSet<&str> = help.split(is_end).collect();
    let mut of_events = 0;
    for name in names {
        assert!(words.contains(name), "--help has no {name}");
        if !wingbeat_measure::Observables::NAMES.contains(&name) {
            assert!(docs.contains(&format!("`{name}`")), "COMMANDS.md has no `{name}`");
            of_events += 1;
        }
    }
    assert!(of_events >= 14, "{of_events} in {said}");
}
