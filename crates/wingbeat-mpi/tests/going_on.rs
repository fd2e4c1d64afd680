//! Checkpoints of any number of ranks are resumed by any other; a rank that dies or is told to
//! stop, or a disk that is full, ends a run in one line.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{PROGRAM, frames, mpirun, report, results, run, said, text};

/// The results of a run that was broken off and resumed on other numbers of ranks each time.
#[test]
fn any_number_of_ranks_resumes_any_other() {
    for scene in [
        &["evacuation", "--boids", "400"][..],
        &["hunter_prey", "--boids", "300"],
        &["murmuration", "--boids", "1500"],
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("night.wbc");
        let file = text(&path);
        let unbroken = results(report(3, &[scene, &["--steps", "300"]].concat()));
        report(3, &[scene, &["--steps", "120", "--checkpoint", file]].concat());
        report(5, &[scene, &["--steps", "200", "--checkpoint", file, "--resume", file]].concat());
        report(1, &[scene, &["--steps", "260", "--checkpoint", file, "--resume", file]].concat());
        // Files of checkpoints before are gone.
        let files = fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(files, 2, "the checkpoint and the boids of one rank");
        assert_eq!(
            results(report(4, &[scene, &["--steps", "300", "--resume", file]].concat())),
            unbroken,
            "{scene:?}"
        );
        // The command that runs in one process goes on from it, too.
        report(2, &[scene, &["--steps", "260", "--checkpoint", file, "--resume", file]].concat());
    }
}

#[test]
fn a_part_that_is_missing_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("night.wbc");
    report(2, &["shoal", "--boids", "300", "--steps", "10", "--checkpoint", text(&path)]);
    fs::remove_file(folder.path().join("night.wbc.10-1")).expect("there is a part");
    let output = run(2, &["shoal", "--boids", "300", "--steps", "20", "--resume", text(&path)]);
    let said = said(&output);
    assert!(said.len() == 1 && said[0].contains("night.wbc.10-1"), "{said:?}");
    assert_eq!(output.status.code(), Some(2));
}

/// What cannot be written is said once, by name, and the checkpoint before is whole.
#[test]
fn a_checkpoint_that_one_rank_cannot_write_ends_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("night.wbc");
    // A folder is where the third rank's second part should be.
    fs::create_dir_all(folder.path().join("night.wbc.40-2").join("in the way")).expect("a folder");
    let options = [
        "shoal",
        "--boids",
        "600",
        "--steps",
        "100",
        "--checkpoint",
        text(&path),
        "--checkpoint-every",
        "20",
    ];
    let output = run(4, &options);
    let said = said(&output);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("--checkpoint") && said[0].contains("night.wbc.40-2"), "{said:?}");
    assert_eq!(output.status.code(), Some(1));
    fs::remove_dir_all(folder.path().join("night.wbc.40-2")).expect("a folder");
    let resumed =
        results(report(2, &["shoal", "--boids", "600", "--steps", "100", "--resume", text(&path)]));
    assert_eq!(resumed, results(report(2, &["shoal", "--boids", "600", "--steps", "100"])));
}

#[test]
fn what_is_refused_is_refused_once_with_code_two() {
    for (options, named) in [
        (&["cucker_smale"][..], "model.name"),
        (&["nosuch"], "nosuch"),
        (&["shoal", "--steps", "-3"], "steps"),
        (&["mesa", "--set", "model.update=sequential"], "model.update"),
        (&["shoal", "--nosuch"], "--nosuch"),
    ] {
        let output = run(3, options);
        let said = said(&output);
        assert!(said.len() == 1 && said[0].contains(named), "{options:?}: {said:?}");
        assert_eq!(output.status.code(), Some(2), "{options:?}");
    }
}

/// Keeps the number and the exit code of a rank's process in files. `mpirun` hears of a failure a
/// while later, so that it ends no run that would have ended by itself.
const WRAPPED: &str = r#"
trap : TERM
"$@" &
pid=$!
echo $pid > "$FOLDER/pid.$OMPI_COMM_WORLD_RANK"
wait $pid
code=$?
while kill -0 $pid 2>/dev/null; do wait $pid; code=$?; done
echo $code > "$FOLDER/code.$OMPI_COMM_WORLD_RANK"
[ $code = 0 ] || sleep 2
exit $code
"#;

fn number(path: &Path) -> Option<i64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// `mpirun` of [`WRAPPED`] ranks, once there is a checkpoint.
fn begun(ranks: usize, folder: &Path, checkpoint: &Path, options: &[&str]) -> Child {
    let mut command: Command = mpirun(ranks);
    command.env("FOLDER", folder).args(["sh", "-c", WRAPPED, "sh", PROGRAM, "run"]).args(options);
    let child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("mpirun starts");
    let begun = Instant::now();
    while !checkpoint.exists() && begun.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(5));
    }
    child
}

/// A signal that one rank hears stops all after a step, with a checkpoint.
#[test]
fn a_signal_to_any_rank_stops_all() {
    let scene = ["shoal", "--boids", "2000", "--steps", "4000", "--checkpoint-every", "50"];
    for victim in 0..3 {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("night.wbc");
        let child =
            begun(3, folder.path(), &path, &[&scene[..], &["--checkpoint", text(&path)]].concat());
        let pid = number(&folder.path().join(format!("pid.{victim}"))).expect("a process");
        let killed = Command::new("kill").args(["-TERM", &pid.to_string()]).status();
        assert!(killed.expect("kill runs").success());
        let output = child.wait_with_output().expect("it ends");
        let said = said(&output);
        assert!(said.len() == 1 && said[0].contains("stopped after"), "rank {victim}: {said:?}");
        for rank in 0..3 {
            let code = number(&folder.path().join(format!("code.{rank}")));
            assert_eq!(code, Some(130), "rank {rank} when rank {victim} was told to stop");
        }
        let words: Vec<&str> = said[0].split(' ').collect();
        let after = words.iter().position(|&word| word == "after").expect("a number");
        let made = words[after + 1];
        let rest = ["shoal", "--boids", "2000", "--steps", made];
        let resumed = report(2, &[&rest[..], &["--resume", text(&path)]].concat());
        assert_eq!(results(resumed), results(report(1, &rest)), "{made} steps");
    }
}

/// One of four ranks is killed at a random moment. What they recorded until then is there, and with
/// what those that resume the run record, the recording of a run that was never broken off.
#[test]
fn a_rank_that_dies_ends_the_run_and_its_checkpoint_is_resumed() {
    let scene = ["murmuration", "--boids", "4000", "--steps", "400", "--every", "8"];
    let lab = tempfile::tempdir().expect("a folder");
    let whole = lab.path().join("night.wbr");
    let mut unbroken = results(report(2, &[&scene[..], &["--record", text(&whole)]].concat()));
    unbroken["recorded"].take();
    let recorded = frames(&whole);
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let (mut killed, mut tries, mut slowest) = (0, 0, Duration::ZERO);
    while killed < 10 {
        tries += 1;
        assert!(tries < 40, "runs end before they can be broken off");
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let (victim, wait) = (random % 4, Duration::from_millis(random / 4 % 700));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("night.wbc");
        let recording = folder.path().join("night.wbr");
        let record = ["--record", text(&recording)];
        let save = ["--checkpoint", text(&path), "--checkpoint-every", "10"];
        let options = [&scene[..], &record, &save].concat();
        let child = begun(4, folder.path(), &path, &options);
        sleep(wait);
        let Some(pid) = number(&folder.path().join(format!("pid.{victim}"))) else { continue };
        let status =
            Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill runs");
        let died = Instant::now();
        let output = child.wait_with_output().expect("it ends");
        if !status.success() || output.status.success() || !output.stdout.is_empty() {
            // It was over before: the report is there.
            continue;
        }
        killed += 1;
        slowest = slowest.max(died.elapsed());
        assert!(
            died.elapsed() < Duration::from_secs(10),
            "rank {victim} after {wait:?}: {:?}",
            died.elapsed()
        );
        let said = said(&output);
        let one = said.len() == 1 && said[0].contains(&format!("rank {victim} is no longer there"));
        assert!(
            one,
            "rank {victim} after {wait:?}: {said:?}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        for rank in (0..4).filter(|&rank| rank != victim) {
            let code = number(&folder.path().join(format!("code.{rank}")));
            assert_eq!(code, Some(1), "rank {rank} when rank {victim} died after {wait:?}");
        }
        let ranks = 1 + (random / 4096 % 4) as usize;
        let before = frames(&recording);
        assert!(before.len() > 1 && before[..] == recorded[..before.len()], "rank {victim}");
        let options = [&scene[..], &record, &["--resume", text(&path)]].concat();
        let mut resumed = results(report(ranks, &options));
        assert_eq!(resumed["recorded"]["frames"], recorded.len());
        resumed["recorded"].take();
        assert_eq!(resumed, unbroken, "rank {victim} after {wait:?}, resumed on {ranks} ranks");
        assert!(frames(&recording) == recorded, "rank {victim}, resumed on {ranks} ranks");
    }
    println!("10 ranks killed in {tries} runs; the slowest of the others ended after {slowest:?}");
}
