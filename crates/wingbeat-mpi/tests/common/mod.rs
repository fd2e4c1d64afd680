//! The program under `mpirun`.
#![allow(dead_code)]

use std::path::Path;
use std::process::{Command, Output};

use wingbeat_record::{Snapshot, WbrReader};

/// The program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_wingbeat-mpi");

/// `mpirun` for so many ranks, whatever user this is and however few cores there are.
pub fn mpirun(ranks: usize) -> Command {
    let mut command = Command::new("mpirun");
    command.args([
        "--oversubscribe",
        "--allow-run-as-root",
        "--bind-to",
        "none",
        "-n",
        &ranks.to_string(),
    ]);
    command
}

/// Runs a scene on so many ranks.
pub fn run(ranks: usize, options: &[&str]) -> Output {
    mpirun(ranks).arg(PROGRAM).arg("run").args(options).output().expect("mpirun starts")
}

/// The report of a run that went well.
pub fn report(ranks: usize, options: &[&str]) -> serde_json::Value {
    let output = run(ranks, &[options, &["--json", "--no-html"]].concat());
    assert!(
        output.status.success(),
        "{ranks} ranks {options:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// What of a report is the same however it was made.
pub fn results(mut report: serde_json::Value) -> serde_json::Value {
    if let Some(fields) = report.as_object_mut() {
        for machine in
            ["level", "threads", "ns_per_boid_step", "steps_per_second", "wall_s", "parts"]
        {
            fields.remove(machine);
        }
    }
    report
}

/// What the program itself says, among what `mpirun` adds.
pub fn said(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines().filter(|line| line.starts_with("wingbeat")).map(str::to_string).collect()
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// All frames of a recording.
pub fn frames(path: &Path) -> Vec<Snapshot> {
    let mut reader = WbrReader::open(path).expect("a recording");
    let (count, dimensions) = (reader.len(), reader.about().dimensions);
    (0..count)
        .map(|frame| {
            let mut snapshot = Snapshot::new(dimensions);
            reader.read(frame, &mut snapshot).expect("a frame");
            snapshot
        })
        .collect()
}
