//! Ctrl-C, while a command reads or makes many runs.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Lab, text};

const POND: &str = "[flock]\nboids = 60\ndimensions = 2\nseed = 7\n[domain]\nkind = \"periodic\"\n\
    [separation]\nradius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n";

fn interrupt(child: &Child) {
    let kill =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
}

fn start(lab: &Lab, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wingbeat"));
    command
        .args(args)
        .current_dir(lab.folder())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

/// A recording that grows faster than it is read, to a command that is interrupted meanwhile.
fn interrupted_while_reading(args: &[&str]) {
    let lab = Lab::new();
    let mut file = std::fs::File::create(lab.path("endless.csv")).expect("the file");
    file.write_all(b"frame,id,x,y\n").expect("written");
    let mut frame = 0;
    let mut write = || {
        frame += 1;
        let rows: String = (0..10_000).map(|id| format!("{frame},{id},{id},{frame}\n")).collect();
        file.write_all(rows.as_bytes()).expect("written");
    };
    (0..20).for_each(|_| write());
    let mut child = start(&lab, args);
    let begun = Instant::now();
    // Until it is past its start and reads.
    while begun.elapsed().as_millis() < 300 {
        write();
    }
    interrupt(&child);
    let interrupted = Instant::now();
    while child.try_wait().expect("a child").is_none() && interrupted.elapsed().as_secs() < 30 {
        write();
    }
    let output = child.wait_with_output().expect("it ends");
    assert!(interrupted.elapsed().as_secs() < 5, "{args:?} reads on");
    let message = text(&output.stderr);
    assert_eq!(
        (output.status.code(), message.lines().count()),
        (Some(130), 1),
        "{args:?}: {message}"
    );
    assert!(message.contains("stopped") && output.stdout.is_empty(), "{message}");
    assert_eq!(lab.files(), ["endless.csv"]);
}

#[test]
fn whatever_reads_stops_at_ctrl_c_and_leaves_nothing() {
    interrupted_while_reading(&["convert", "endless.csv", "a.xyz"]);
    interrupted_while_reading(&["measure", "endless.csv", "--observe", "a.csv"]);
    interrupted_while_reading(&["render", "endless.csv", "--png", "a.png"]);
}

#[test]
fn a_sweep_stops_at_ctrl_c_and_goes_on_from_there() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let args = |last: &'static str| {
        [
            "sweep",
            "pond.toml",
            "--set",
            last,
            "--set",
            "seed=1..2",
            "--out",
            "s.csv",
            "--threads",
            "1",
        ]
    };
    let _ = scene;
    let child = start(&lab, &args("steps=20,100000000"));
    let begun = Instant::now();
    let runs = || {
        std::fs::read_to_string(lab.path("s.csv.runs.csv"))
            .map_or(0, |journal| journal.lines().count())
    };
    // The runs of few steps are in the journal, one without end is being made.
    let mut before = 0;
    while begun.elapsed().as_secs() < 60 && (runs() < 2 || runs() != before) {
        before = runs();
        std::thread::sleep(Duration::from_millis(200));
    }
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(
        message.contains("stopped after 2 of 4 runs; the same command goes on from there"),
        "{message}"
    );
    assert_eq!(lab.files(), ["pond.toml", "s.csv.runs.csv"]);
    let output = lab.wingbeat(&args("steps=20,21"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("2 of 4 runs were finished before"),
        "{}",
        text(&output.stderr)
    );
}
