//! Memory that is not there: refused before a run where that can be known, and no loss where it
//! runs out in the middle of one.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Lab, npy, text};
use wingbeat_test_support::tier;

/// Runs the command with so much address space, in KiB.
fn within(lab: &Lab, kibibytes: u64, args: &[&str]) -> Output {
    let mut command = Command::new("sh");
    let limited = format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"");
    command
        .args(["-c", &limited, env!("CARGO_BIN_EXE_wingbeat")])
        .args(args)
        .current_dir(lab.folder());
    command.output().expect("a shell")
}

/// From a limit that leaves room for nothing to one that leaves room for all. What threads and
/// their allocators reserve of it is not known before: near what a run needs it may still come to
/// the end of it, and then it has not touched what was there.
#[test]
fn a_limit_of_address_space_is_counted_before_the_run() {
    let lab = Lab::new();
    let limited = |mebibytes: u64| {
        lab.write("last.csv", "what was there");
        let run = [
            "run",
            "shoal",
            "--boids=500000",
            "--steps=1",
            "--threads=2",
            "--quiet",
            "--final=last.csv",
        ];
        let output = within(&lab, mebibytes << 10, &run);
        let (code, said) = (output.status.code(), text(&output.stderr));
        let stayed = std::fs::read(lab.path("last.csv")).expect("a file") == b"what was there";
        println!("{mebibytes} MiB: {code:?}: {said}");
        assert_eq!(stayed, code != Some(0), "{mebibytes} MiB: {code:?}: {said}");
        assert!(
            lab.files().iter().filter(|name| name.starts_with(".wingbeat-")).count() <= 1,
            "{:?}",
            lab.files()
        );
        (code, said)
    };
    // Positions and velocities alone take 8 MB, all of it 120.
    for mebibytes in tier::sample([60, 90, 120, 150], 3) {
        let (code, said) = limited(mebibytes);
        assert_eq!(code, Some(2), "{mebibytes} MiB: {said}");
        assert!(
            said.lines().count() == 1
                && said.contains("what the 0.")
                && said.contains(" GiB of free memory hold"),
            "{said}"
        );
    }
    for mebibytes in tier::sample([180, 210, 240, 300, 400], 2) {
        limited(mebibytes);
    }
    assert_eq!(limited(2000).0, Some(0));
}

/// What one line refuses before anything is written, and where it was a kill before.
#[test]
fn pictures_lists_and_archives_beyond_memory_are_refused() {
    let lab = Lab::new();
    let small = "[flock]\nboids = 5\ndimensions = 2\n";
    lab.write("small.toml", small);
    let list = |count: usize| "[1,2],".repeat(count);
    lab.write(
        "path.toml",
        format!(
            "{small}[drive.d]\nkind = \"path\"\npoints = [{}]\n",
            list(tier::either(300_000, 2_700_000))
        ),
    );
    let leader = format!(
        "{small}[drive.d]\nkind = \"leader\"\nparents = [{}]\n",
        list(tier::either(600_000, 2_700_000))
    );
    lab.write("leader.toml", leader);
    let keys: String = (0..500_000).map(|i| format!("k{i} = 1\n")).collect();
    lab.write("keys.toml", format!("{small}[x]\n{keys}"));
    // A million individuals: what is kept of each takes more than is allowed.
    lab.write("all.npy", npy("<f4", "(1, 1000000, 2)", &vec![0; 8_000_000]));
    assert!(lab.wingbeat(&["convert", "all.npy", "all.npz"]).status.success());
    for (args, said) in [
        (
            &["render", "small.toml", "--png", "o.png", "--size", "16384x16384"][..],
            "--size = 16384x16384: allowed is what the ",
        ),
        (
            &["render", "small.toml", "--gif", "o.gif", "--size", "8192x8192"],
            "GiB of free memory hold, at 12 bytes a pixel",
        ),
        (
            &["check", "path.toml"],
            "path.toml:6: drive.d.points = more than 10000 points: allowed is at most 10000 points",
        ),
        (
            &["check", "leader.toml"],
            "leader.toml:6: drive.d.parents = the end of more than 1000000 elements of lists: \
                allowed is",
        ),
        (
            &["check", "keys.toml"],
            "keys.toml:1: 500004 keys and elements of lists: allowed are what the 0.",
        ),
        (&["measure", "all.npz"], "all.npz position: 1000000 entries: allowed is at most "),
    ] {
        let begun = Instant::now();
        let output = within(
            &lab,
            if matches!(args[1], "all.npz" | "keys.toml") { 200_000 } else { 1_000_000 },
            args,
        );
        let refusal = text(&output.stderr);
        assert!(
            output.status.code() == Some(2) && refusal.lines().count() == 1,
            "{args:?}: {refusal}"
        );
        assert!(refusal.contains(said), "{args:?}: {refusal}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{args:?}: {:?}", begun.elapsed());
        assert!(!lab.path("o.png").exists() && !lab.path("o.gif").exists());
    }
}

/// A run that records, measures and writes checkpoints, to so many steps.
fn run(lab: &Lab, steps: u64, name: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wingbeat"));
    command.args([
        "run",
        "shoal",
        "--boids=60",
        "--threads=2",
        "--json",
        "--quiet",
        "--checkpoint-every=100",
        &format!("--steps={steps}"),
    ]);
    command
        .args([
            format!("--record={name}.wbr"),
            format!("--observe={name}.csv"),
            format!("--checkpoint={name}.wbc"),
        ])
        .args(more);
    command.current_dir(lab.folder()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What is measured of every step grows without end, and one day there is no room for it: the
/// system ends the run there.
#[test]
fn memory_that_runs_out_in_a_run_loses_nothing() {
    let (lab, steps) = (Lab::new(), 4000);
    let mut child = run(&lab, steps, "broken", &[]).spawn().expect("the binary runs");
    let begun = Instant::now();
    while !lab.path("broken.wbc").exists() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    // No more than it has, from here on.
    let limited = Command::new("prlimit")
        .args(["--pid", &child.id().to_string(), "--as=1048576"])
        .status()
        .expect("prlimit runs");
    assert!(limited.success() && child.try_wait().expect("it is ours").is_none());
    let output = child.wait_with_output().expect("it ends");
    let said = text(&output.stderr);
    // What cannot go on without room ends the process; where a library says that there is none, the
    // command does.
    let ended = match output.status.code() {
        None => said.starts_with("memory allocation of "),
        Some(1) => said.lines().count() == 1,
        _ => false,
    };
    assert!(ended, "{:?}: {said}", output.status);
    let broken = std::fs::read(lab.path("broken.wbr")).expect("the recording");
    let whole = run(&lab, steps, "whole", &[]).output().expect("the binary runs");
    let resumed =
        run(&lab, steps, "broken", &["--resume=broken.wbc"]).output().expect("the binary runs");
    let [whole, resumed] = [whole, resumed].map(|output| -> serde_json::Value {
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    });
    assert_eq!(resumed["state_hash"], whole["state_hash"]);
    for ending in ["wbr", "csv"] {
        let file =
            |name: &str| std::fs::read(lab.path(&format!("{name}.{ending}"))).expect("a file");
        assert!(file("broken") == file("whole"), "{ending}");
    }
    println!(
        "ran out of memory after {} bytes of {}",
        broken.len(),
        std::fs::metadata(lab.path("whole.wbr")).expect("a file").len()
    );
}

/// Arrays that are larger than the memory there is: read a block at a time, compressed or not, and
/// rows in a temporary file.
#[test]
#[cfg(target_os = "linux")]
fn arrays_larger_than_memory_are_measured() {
    let lab = Lab::new();
    // Zeros, a hole in the file system; as .npz the same again for velocities. The short form has
    // 22 MB of them, where the program and the rows that it sorts at a time leave 12.
    let (frames, room, positions) =
        tier::either((350, 95_000, "1,400,000 positions"), (700, 100_000, "2,800,000 positions"));
    let head = npy("<f8", &format!("({frames}, 4000, 2)"), &[]);
    let path = lab.write("all.npy", &head);
    let file = std::fs::OpenOptions::new().write(true).open(&path).expect("the file");
    file.set_len(head.len() as u64 + 8 * frames * 4000 * 2).expect("room for nothing");
    let small = |args: &[&str]| {
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("ulimit -v {room}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_wingbeat"))
            .args(args);
        // What threads reserve is not what is meant.
        command
            .envs([("MALLOC_ARENA_MAX", "1"), ("RAYON_NUM_THREADS", "1")])
            .current_dir(lab.folder());
        let output = command.output().expect("a shell");
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    small(&["convert", "all.npy", "all.npz"]);
    for file in ["all.npy", "all.npz"] {
        let said = small(&["measure", file, "--every", "500", "--columns", "mean_speed"]);
        assert!(said.contains(positions), "{said}");
    }
}
