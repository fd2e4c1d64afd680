//! Runs that are killed and resumed: what comes of them is what would have come had nothing
//! killed them, byte for byte.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use wingbeat::Level;
use wingbeat_record::checkpoint;
use wingbeat_scene::PRESETS;

use crate::common::{Lab, text};
use wingbeat_test_support::{Random, tier};

/// Files that a run writes: the recording, observables, and the last state.
const WRITES: [(&str, &str); 3] =
    [("--record", "wbr"), ("--observe", "csv"), ("--final", "final.csv")];

fn start(lab: &Lab, args: &[String], name: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wingbeat"));
    command.arg("run").args(args).args(["--json", "--every", "3"]).current_dir(lab.folder());
    for (flag, ending) in WRITES {
        command.args([flag, &format!("{name}.{ending}")]);
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs")
}

/// The report of a run that came to its end.
fn report(child: Child, what: &str) -> serde_json::Value {
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{what}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{what}: {error}: {}", text(&output.stdout)))
}

/// Waits until a file is another than it was, or the program ends.
fn wait_for_another(path: &Path, before: &[u8], child: &mut Child) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        if std::fs::read(path).is_ok_and(|now| now != before) {
            return true;
        }
        if child.try_wait().expect("it is ours").is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    panic!("nothing is written to {}", path.display());
}

/// Runs a preset without a break, and then killed again and again, each time at another level and
/// on other threads.
fn goes_on(preset: &str, boids: u64, steps: u64, random: &mut Random) {
    let lab = Lab::new();
    let usual =
        [preset, "--boids", &boids.to_string(), "--steps", &steps.to_string()].map(str::to_string);
    let whole = report(start(&lab, &usual, "whole"), preset);
    let (mut kills, mut resumed) = (0, false);
    let broken = loop {
        let levels = Level::available();
        let level = levels[random.below(levels.len() as u64) as usize].name();
        let (threads, every) = (1 + random.below(3), 1 + random.below(7));
        let mut args = usual.to_vec();
        args.extend(["--level".into(), level.into(), "--threads".into(), threads.to_string()]);
        args.extend(
            ["--checkpoint", "c", "--checkpoint-every", &every.to_string()].map(str::to_string),
        );
        if resumed {
            args.extend(["--resume", "c"].map(str::to_string));
        }
        let before = std::fs::read(lab.path("c")).unwrap_or_default();
        let mut child = start(&lab, &args, "broken");
        if kills == tier::either(4, 10) || !wait_for_another(&lab.path("c"), &before, &mut child) {
            break report(child, preset);
        }
        // At any moment of what follows: a step, a frame, a checkpoint.
        std::thread::sleep(Duration::from_micros(random.below(8000)));
        child.kill().and_then(|()| child.wait()).expect("it is killed");
        (kills, resumed) = (kills + 1, true);
    };
    println!("{preset}: {kills} kills");
    assert!(kills > 2, "{preset}: {kills} kills");
    for key in [
        "state_hash",
        "steps",
        "ended",
        "events",
        "groups",
        "mean_neighbors",
        "nearest_neighbor_distance",
    ] {
        assert_eq!(broken[key], whole[key], "{preset}: {key}");
    }
    for (flag, ending) in WRITES {
        let [whole, broken] = ["whole", "broken"]
            .map(|name| std::fs::read(lab.path(&format!("{name}.{ending}"))).expect("a file"));
        assert!(whole == broken, "{preset}: {flag} differs");
    }
    // Temporary files of those that were killed are gone, too.
    let left: Vec<String> =
        lab.files().into_iter().filter(|name| name.starts_with(".wingbeat-")).collect();
    assert!(left.len() <= 1, "{preset}: {left:?}");
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_in_the_same_bits() {
    let seed = 20_261_123;
    let (mut random, full) = (Random::new(seed), tier::full());
    println!("seed {seed}");
    for preset in PRESETS {
        if full || ["hunter_prey", "evacuation"].contains(&preset.name) {
            let boids = if matches!(preset.name, "rvo_blocks") { 100 } else { 150 };
            goes_on(preset.name, boids, 150, &mut random);
        }
    }
}

/// A run to its end with one checkpoint, and that as bytes.
fn checkpointed(lab: &Lab) -> Vec<u8> {
    lab.json(&[
        "shoal",
        "--boids",
        "100",
        "--steps",
        "20",
        "--checkpoint",
        "good",
        "--record",
        "good.wbr",
    ]);
    std::fs::read(lab.path("good")).expect("the checkpoint")
}

#[test]
fn what_is_no_checkpoint_of_this_run_is_refused_in_one_line() {
    let lab = Lab::new();
    let good = checkpointed(&lab);
    let changed = |at: usize, to: u8| {
        let mut bytes = good.clone();
        bytes[at] = to;
        bytes
    };
    lab.write("cut", &good[..good.len() - 9]);
    lab.write("flipped", changed(good.len() / 2, good[good.len() / 2] ^ 4));
    lab.write("later", changed(8, 7));
    lab.write("earlier", changed(8, 1));
    lab.write("foreign", "id,x,y\n1,2,3\n");
    lab.write("empty", "");
    let other: Vec<u64> = vec![1, 2, 3];
    lab.write("kind", checkpoint::seal("flock of 2 dimensions", &other, None).expect("bytes"));
    lab.write("shape", checkpoint::seal("run", &other, None).expect("bytes"));
    let shoal = ["shoal", "--boids", "100"];
    let cases: [(&[&str], &str); 16] = [
        (&["--resume", "cut"], "cut: damaged or cut short: allowed is a whole checkpoint"),
        (&["--resume", "flipped"], "flipped: damaged or cut short"),
        (&["--resume", "later"], "later: version 7 of the format: allowed is 3 (a later"),
        (
            &["--resume", "earlier"],
            "earlier: version 1 of the format: allowed is 3 (an earlier wingbeat wrote it",
        ),
        (
            &["--resume", "foreign"],
            "foreign: not a checkpoint: allowed is what wingbeat run --checkpoint writes",
        ),
        (&["--resume", "empty"], "empty: damaged or cut short"),
        (&["--resume", "nowhere"], "nowhere: cannot read the checkpoint: no such file"),
        (&["--resume", "."], "cannot read the checkpoint"),
        (
            &["--resume", "kind"],
            "kind: a checkpoint of another kind (flock of 2 dimensions): allowed is one of a run",
        ),
        (&["--resume", "shape"], "shape: not what a run is written as"),
        (
            &["--resume", "good", "--seed", "9"],
            "good: a run of another scene: allowed is without flock.seed=9",
        ),
        (
            &["--resume", "good", "--steps", "10"],
            "20 steps are made: allowed is --steps of at least as many, not 10",
        ),
        (
            &["--resume", "good", "--observe", "o.csv"],
            "--observe, --every: allowed with --resume good is nothing measured",
        ),
        (
            &["--resume", "good"],
            "--record: allowed with --resume good is the recording that was begun",
        ),
        (
            &["--resume", "good", "--record", "good.csv"],
            "--record = good.csv: allowed is a file that ends in .wbr",
        ),
        (&["--checkpoint-every", "5"], "--checkpoint"),
    ];
    let before = lab.files();
    for (args, refusal) in cases {
        let all: Vec<&str> = ["run"].iter().chain(&shoal).chain(args).copied().collect();
        let output = lab.wingbeat(&all);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(refusal) && said.lines().count() == 1, "{args:?}: {said}");
        assert_eq!(lab.files(), before, "{args:?}");
    }
    // Another recording is not continued, nor is one that has lost frames.
    lab.json(&["shoal", "--boids", "90", "--steps", "20", "--record", "other.wbr"]);
    let whole = std::fs::read(lab.path("good.wbr")).expect("the recording");
    lab.write("short.wbr", &whole[..whole.len() / 2]);
    for (file, refusal) in
        [("other.wbr", "a recording of another run"), ("short.wbr", "as the checkpoint has it")]
    {
        let was = std::fs::read(lab.path(file)).expect("a file");
        let output = lab.wingbeat(&[
            "run", "shoal", "--boids", "100", "--steps", "40", "--resume", "good", "--record", file,
        ]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(refusal), "{}", text(&output.stderr));
        assert!(std::fs::read(lab.path(file)).expect("a file") == was, "{file} was changed");
    }
}

#[test]
fn a_finished_run_is_made_longer() {
    let lab = Lab::new();
    checkpointed(&lab);
    let longer = lab.json(&[
        "shoal",
        "--boids",
        "100",
        "--steps",
        "50",
        "--resume",
        "good",
        "--record",
        "good.wbr",
        "--checkpoint",
        "good",
    ]);
    let straight =
        lab.json(&["shoal", "--boids", "100", "--steps", "50", "--record", "straight.wbr"]);
    assert_eq!(
        (&longer["state_hash"], &longer["steps"]),
        (&straight["state_hash"], &straight["steps"])
    );
    assert_eq!(longer["recorded"]["frames"], 51);
    // Stopped at once, it has nothing more to say than before.
    let again = lab.json(&[
        "shoal", "--boids", "100", "--steps", "50", "--resume", "good", "--record", "good.wbr",
    ]);
    assert_eq!(again["state_hash"], straight["state_hash"]);
}
