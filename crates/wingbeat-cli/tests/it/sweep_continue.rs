//! `sweep --continue`: runs that go on from each other, and what they show of a memory.

use wingbeat_scene::{AnyFlock, Machine, Override, Scene};

use crate::common::{Lab, text};
use wingbeat_test_support::tier;

const POND: &str = "[flock]\nboids = 60\ndimensions = 2\n[domain]\nkind = \"periodic\"\n\
    [separation]\nradius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n";

/// Two weights of cohesion times two seeds: four chains of six runs.
const CHAINS: [&str; 13] = [
    "--set",
    "alignment.weight=0..2:3",
    "--set",
    "cohesion.weight=0.5,1",
    "--set",
    "seed=3..4",
    "--continue",
    "alignment.weight",
    "--there-and-back",
    "--steps",
    "40",
    "--average-from",
    "20",
];

fn read(lab: &Lab, name: &str) -> String {
    std::fs::read_to_string(lab.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn table(csv: &str) -> Vec<std::collections::HashMap<String, String>> {
    let lines: String =
        csv.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    csv::Reader::from_reader(lines.as_bytes())
        .deserialize()
        .map(|row| row.expect("a row"))
        .collect()
}

fn sweep(lab: &Lab, args: &[&str]) -> std::process::Output {
    lab.wingbeat(&[&["sweep"], args].concat())
}

#[track_caller]
fn swept(lab: &Lab, args: &[&str]) -> String {
    let output = sweep(lab, args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The hashes of a chain, each stage stepped by a flock of its own that was restored from a
/// checkpoint of the one before.
fn by_checkpoints(weights: &[&str], cohesion: &str, seed: &str) -> Vec<String> {
    let mut before: Option<wingbeat::snapshot::Checkpoint<2>> = None;
    let mut hashes = Vec::new();
    for weight in weights {
        let set = |text: String| Override::set(&text).expect("an assignment");
        let overrides =
            [("alignment.weight", *weight), ("cohesion.weight", cohesion), ("flock.seed", seed)];
        let overrides = overrides.map(|(key, value)| set(format!("{key}={value}")));
        let scene = Scene::parse("pond", POND, &overrides).expect("a scene");
        let mut built = scene.build(&Machine { threads: Some(1), level: None }).expect("a flock");
        if let (AnyFlock::Two(flock), Some(state)) = (&mut built.flock, &before) {
            flock.restore(state).expect("a state");
        }
        // A checkpoint brings the parameters of its own flock.
        scene.apply(&mut built.flock).expect("accepted");
        (0..40).for_each(|_| built.flock.step(scene.dt()));
        hashes.push(format!("{:016x}", built.flock.state_hash()));
        let AnyFlock::Two(flock) = &built.flock else { panic!("a flock in the plane") };
        before = Some(flock.checkpoint());
    }
    hashes
}

#[test]
fn each_run_goes_on_from_the_checkpoint_of_the_one_before() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    swept(&lab, &[&[scene.as_str(), "--out", "out.csv"], &CHAINS[..]].concat());
    let (rows, runs) = (table(&read(&lab, "out.csv")), table(&read(&lab, "out.csv.runs.csv")));
    assert_eq!((rows.len(), runs.len()), (12, 24));
    let order: Vec<_> = rows[..3]
        .iter()
        .map(|row| {
            ["alignment.weight", "cohesion.weight", "direction"].map(|key| row[key].as_str())
        })
        .collect();
    assert_eq!(order, [["0", "0.5", "up"], ["0", "0.5", "down"], ["0", "1", "up"]]);
    for (cohesion, seed) in [("0.5", "3"), ("1", "4")] {
        let expected = by_checkpoints(&["0", "1", "2", "2", "1", "0"], cohesion, seed);
        let found =
            [("0", "up"), ("1", "up"), ("2", "up"), ("2", "down"), ("1", "down"), ("0", "down")]
                .map(|(weight, way)| {
                    let same = |run: &&std::collections::HashMap<String, String>| {
                        [
                            ("alignment.weight", weight),
                            ("cohesion.weight", cohesion),
                            ("direction", way),
                            ("flock.seed", seed),
                        ]
                        .iter()
                        .all(|(key, value)| run[*key] == *value)
                    };
                    runs.iter().find(same).expect("a run")["state_hash"].clone()
                });
        assert_eq!(found[..], expected[..], "cohesion {cohesion}, seed {seed}");
        let alone = lab.json(&[
            &scene,
            "--steps",
            "40",
            "--seed",
            seed,
            "--set",
            "alignment.weight=0",
            "--set",
            &format!("cohesion.weight={cohesion}"),
        ]);
        assert_eq!(
            alone["state_hash"].as_str(),
            Some(found[0].as_str()),
            "the first is a run like any other"
        );
    }
}

#[test]
fn a_chain_that_was_interrupted_ends_in_the_same_bytes() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let args = |out: &'static str, threads: &'static str| {
        [&[scene.as_str(), "--out", out, "--threads", threads], &CHAINS[..]].concat()
    };
    swept(&lab, &args("out.csv", "1"));
    let (whole, journal) = (read(&lab, "out.csv"), read(&lab, "out.csv.runs.csv"));
    for lines in [3, 5, 8, 25] {
        let kept: String = journal.split_inclusive('\n').take(lines).collect();
        std::fs::write(lab.path("out.csv.runs.csv"), kept).expect("written");
        let said = swept(&lab, &args("out.csv", "1"));
        assert!(said.contains(&format!("{} of them new", 26 - lines)), "{lines} lines: {said}");
        assert_eq!(
            (read(&lab, "out.csv"), read(&lab, "out.csv.runs.csv")),
            (whole.clone(), journal.clone()),
            "{lines} lines"
        );
    }
    swept(&lab, &args("many.csv", "3"));
    assert_eq!(read(&lab, "many.csv"), whole);
    // Falling values are gone over downwards first.
    swept(
        &lab,
        &[
            &scene,
            "--set",
            "agent.mass=2,1",
            "--continue",
            "agent.mass",
            "--there-and-back",
            "--steps",
            "3",
            "--out",
            "fall.csv",
        ],
    );
    let ways: Vec<_> =
        table(&read(&lab, "fall.csv")).iter().map(|row| row["direction"].clone()).collect();
    assert_eq!(ways, ["down", "up", "down", "up"]);
}

#[test]
fn what_cannot_be_continued_is_refused_in_a_line() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let before = lab.files();
    for (args, expected) in [
        (
            &["--set", "boids=10,20", "--continue", "boids"][..],
            "--continue = boids: allowed is a key that can change while a flock flies",
        ),
        (&["--set", "seed=1..3", "--continue", "seed"], "but not the seed"),
        (&["--set", "agent.mass=1,2", "--continue", "alignment.weight"], "a key that --set sweeps"),
        (&["--set", "agent.mass=1,2", "--continue", "alignmnt"], "a key that --set sweeps"),
        (
            &["--set", "agent.combine=weighted,prioritized", "--continue", "agent.combine"],
            "swept over numbers",
        ),
        (
            &["--set", "agent.mass=1,3,2", "--continue", "agent.mass"],
            "rise from each to the next, or fall",
        ),
        (&["--set", "agent.mass=1,2", "--there-and-back"], "--continue"),
    ] {
        let output =
            sweep(&lab, &[&[scene.as_str(), "--steps", "5", "--out", "out.csv"], args].concat());
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(expected) && stderr.lines().count() == 1, "{args:?}: {stderr}");
        assert_eq!(lab.files(), before, "{args:?}");
    }
    // What went on from other values is another sweep.
    let args = |values: &'static str| {
        [
            "pond.toml",
            "--set",
            values,
            "--continue",
            "agent.mass",
            "--steps",
            "5",
            "--out",
            "out.csv",
        ]
    };
    swept(&lab, &args("agent.mass=1,2"));
    let output = sweep(&lab, &args("agent.mass=1,1.5,2"));
    assert!(text(&output.stderr).contains("other continued values"), "{}", text(&output.stderr));
}

/// Couzin et al. 2002, figure 3: a group whose zone of orientation is widened mills where one whose
/// zone is narrowed flies straight.
#[test]
fn couzins_school_remembers_where_it_comes_from() {
    let lab = Lab::new();
    let chain = [
        "--set",
        "model.orientation_width=0,2.5,4",
        "--continue",
        "model.orientation_width",
        "--there-and-back",
    ];
    let rest = [
        "--set",
        tier::either("seed=1001..1002", "seed=1001..1004"),
        "--steps",
        "3000",
        "--average-from",
        "1500",
        "--columns",
        "polarization,milling",
    ];
    swept(&lab, &[&["couzin2002", "--out", "out.csv"], &chain[..], &rest].concat());
    let runs = table(&read(&lab, "out.csv.runs.csv"));
    let of = |way: &str, column: &str| -> Vec<f64> {
        let here = runs
            .iter()
            .filter(|run| run["model.orientation_width"] == "2.5" && run["direction"] == way);
        here.map(|run| run[column].parse().expect("a number")).collect()
    };
    let (least, most) = (
        |values: Vec<f64>| values.into_iter().fold(1.0, |a, b| if b < a { b } else { a }),
        |values: Vec<f64>| values.into_iter().fold(0.0, |a, b| if b > a { b } else { a }),
    );
    // Farther apart than any two seeds: polarization 0.20 to 0.29 up and 0.998 down, milling 0.73
    // to 0.77 and 0.02 to 0.03.
    let (up, down) = (of("up", "polarization"), of("down", "polarization"));
    assert!(
        most(up.clone()) + 0.4 < least(down.clone()),
        "polarization of seeds 1001 to 1004: up {up:?}, down {down:?}"
    );
    let (up, down) = (of("up", "milling"), of("down", "milling"));
    assert!(
        most(down.clone()) + 0.4 < least(up.clone()),
        "milling of seeds 1001 to 1004: up {up:?}, down {down:?}"
    );
}
