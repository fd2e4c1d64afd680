//! `run --record` and `convert`, as scripts use them and as machines end them.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Lab, text};
use wingbeat_record::{Snapshot, WbrReader};
use wingbeat_test_support::tier;

const POND: &str = "[flock]\nboids = 300\ndimensions = 2\nseed = 7\nsteps = 30\n[separation]\n\
    radius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n";

/// Hashes of all frames of a `.wbr`.
fn hashes(lab: &Lab, name: &str) -> Vec<u64> {
    let mut reader = WbrReader::open(&lab.path(name)).unwrap_or_else(|error| panic!("{error}"));
    let mut frame = Snapshot::new(reader.about().dimensions);
    let mut hash = |k| {
        reader
            .read(k, &mut frame)
            .map(|()| frame.state_hash())
            .unwrap_or_else(|error| panic!("{error}"))
    };
    (0..WbrReader::open(&lab.path(name)).expect("a reader").len()).map(&mut hash).collect()
}

#[test]
fn a_run_records_from_step_0_and_says_so() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let report = lab.json(&[&scene, "--record", "a.wbr", "--every", "4"]);
    let bytes = std::fs::metadata(lab.path("a.wbr")).expect("the file").len();
    assert_eq!(
        report["recorded"],
        serde_json::json!({ "file": "a.wbr", "frames": 8, "bytes": bytes })
    );
    assert!(report.get("observed_means").is_none());
    let all = hashes(&lab, "a.wbr");
    let hash = |steps: &str| {
        lab.json(&[&scene, "--steps", steps])["state_hash"].as_str().expect("a hash").to_string()
    };
    let shown = |k: usize| format!("{:016x}", all[k]);
    assert_eq!((shown(0), shown(7)), (hash("0"), hash("28")));
    // Recording changes no bit, and the recording holds the scene it is of.
    assert_eq!(report["state_hash"].as_str(), Some(hash("30").as_str()));
    let reader = WbrReader::open(&lab.path("a.wbr")).expect("a reader");
    let again = lab.write("again.toml", &reader.about().scene);
    assert_eq!(report["state_hash"], lab.json(&[&again])["state_hash"]);
    assert_eq!((reader.about().seed, reader.about().every, reader.step(7)), (7, 4, 28));
    let output = lab.wingbeat(&["run", &scene, "--record", "b.csv"]);
    assert!(
        text(&output.stdout).contains("recorded      b.csv, 31 frames, "),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn every_format_is_recorded_and_converted() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for dimensions in ["2", "3"] {
        let run = |file: &str| {
            lab.json(&[
                &scene,
                "--steps",
                "6",
                "--set",
                &format!("flock.dimensions={dimensions}"),
                "--record",
                file,
            ])
        };
        for file in ["a.wbr", "a.npz", "a.csv", "a.xyz", "a.vtp", "a.ply"] {
            assert_eq!(run(file)["recorded"]["frames"].as_u64(), Some(7), "{file}");
        }
        for (direct, converted) in
            [("a.npz", "b.npz"), ("a.csv", "b.csv"), ("a.xyz", "b.xyz"), ("a.ply", "b.ply")]
        {
            let output = lab.wingbeat(&["convert", "a.wbr", converted, "--json"]);
            assert!(output.status.success(), "{}", text(&output.stderr));
            let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(report["recorded"]["frames"].as_u64(), Some(7));
            let file = |name: &str| {
                std::fs::read(lab.path(&name.replace(".ply", "_000006.ply"))).expect("the file")
            };
            assert!(file(direct) == file(converted), "{direct} and {converted} differ");
        }
        let observed = lab.wingbeat(&["measure", "a.wbr", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&observed.stdout).expect("JSON");
        assert_eq!(
            (report["found"]["positions"].as_u64(), report["dimensions"].to_string()),
            (Some(2100), dimensions.into())
        );
    }
}

#[test]
fn a_measured_recording_says_what_the_run_said() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.json(&[&scene, "--observe", "run.csv", "--record", "a.wbr", "--every", "5"]);
    let output = lab.wingbeat(&["measure", "a.wbr", "--observe", "measured.csv"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let columns = |name: &str| -> Vec<Vec<String>> {
        let csv = std::fs::read_to_string(lab.path(name)).expect("a file");
        // Without the number and the time, which count steps there and frames here, and without
        // groups.
        csv.lines()
            .map(|line| line.split(',').skip(2).take(8).map(str::to_string).collect())
            .collect()
    };
    assert_eq!(columns("run.csv"), columns("measured.csv"));
    assert_eq!(columns("run.csv").len(), 8);
}

#[test]
fn what_cannot_be_recorded_is_refused_before_the_run() {
    let lab = Lab::new();
    for (args, expected) in [
        (
            &["run", "shoal", "--record", "a.txt"][..],
            "--record = a.txt: allowed is a file that ends in .wbr or .npz or",
        ),
        (
            &["run", "shoal", "--record", "absent/a.wbr"],
            "--record = absent/a.wbr: allowed is a file in a folder that exists",
        ),
        (
            &["run", "shoal", "--every", "2"],
            "nothing without --observe, --average-from, --curve, --individuals or --record",
        ),
        (
            &["run", "shoal", "--record", "a.wbr", "--every", "0"],
            "--every = 0: allowed is a whole number from 1",
        ),
        (&["convert", "a.wbr", "b.txt"], "convert to = b.txt: allowed is"),
        (&["convert", "a.wbr", "b.csv"], "no such file"),
        (&["convert", "a.wbr"], "arguments were not provided: <TO>"),
    ] {
        let output = lab.wingbeat(args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(expected) && message.lines().count() == 1, "{args:?}: {message}");
    }
    assert!(lab.files().is_empty(), "{:?}", lab.files());
}

/// A run without end, once it has recorded something.
fn endless(lab: &Lab, scene: &str, file: &str) -> std::process::Child {
    // What an earlier one left says nothing of this one.
    let _ = std::fs::remove_file(lab.path(file));
    let mut command = Command::new(env!("CARGO_BIN_EXE_wingbeat"));
    command
        .args(["run", scene, "--steps", "100000000", "--json", "--record", file])
        .current_dir(lab.folder());
    let child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let begun = Instant::now();
    while std::fs::metadata(lab.path(file)).map_or(0, |data| data.len()) < 2000
        && begun.elapsed().as_secs() < 60
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn a_killed_recording_is_sound_to_its_last_whole_frame() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let full = tier::full();
    let mut most = 0;
    for round in 0..if full { 20 } else { 4 } {
        let mut child = endless(&lab, &scene, "killed.wbr");
        // No two rounds end at the same place in a frame.
        std::thread::sleep(Duration::from_micros(500 + 7919 * round % 100_000));
        child.kill().and_then(|()| child.wait()).expect("it is killed");
        let killed = hashes(&lab, "killed.wbr");
        assert!(!killed.is_empty(), "round {round}");
        assert!(WbrReader::open(&lab.path("killed.wbr")).expect("a reader").note().is_some());
        let seen = killed.len().min(40);
        let steps = (seen - 1).to_string();
        lab.json(&[&scene, "--steps", &steps, "--record", "whole.wbr"]);
        assert_eq!(killed[..seen], hashes(&lab, "whole.wbr"), "round {round}");
        most = most.max(killed.len());
    }
    assert!(most > 1);
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_ends_with_its_recording_and_its_summary() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    // Under nohup the tests hand on that they ignore it, and a run outlives its terminal.
    let ignored = std::fs::read_to_string("/proc/self/status").ok().and_then(|status| {
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    });
    for (file, signal) in [("a.wbr", "-INT"), ("b.wbr", "-TERM"), ("c.wbr", "-HUP")] {
        if signal == "-HUP" && ignored.is_some_and(|signals| signals & 1 == 1) {
            eprintln!("NOT TESTED: SIGHUP is ignored here (nohup)");
            continue;
        }
        let child = endless(&lab, &scene, file);
        let kill = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .expect("kill runs");
        assert!(kill.success());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("stopped after "), "{}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let reader = WbrReader::open(&lab.path(file)).expect("a reader");
        assert_eq!(
            (report["recorded"]["frames"].as_u64(), reader.note()),
            (Some(reader.len() as u64), None)
        );
        assert_eq!(report["steps"].as_u64(), Some(reader.len() as u64 - 1));
        let last = hashes(&lab, file)[reader.len() - 1];
        assert_eq!(report["state_hash"].as_str(), Some(format!("{last:016x}").as_str()));
    }
}

/// What `nohup` starts outlives its terminal.
#[test]
#[cfg(target_os = "linux")]
fn a_run_that_is_to_outlive_its_terminal_does() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_wingbeat")])
        .current_dir(lab.folder());
    command
        .args(["run", &scene, "--steps", "3000", "--record", "a.wbr"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("a shell");
    while !lab.path("a.wbr").exists() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = Command::new("kill").args(["-HUP", &child.id().to_string()]).status();
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(WbrReader::open(&lab.path("a.wbr")).expect("a reader").len(), 3001);
}

/// A process that is killed takes its time and leaves an unfinished file; the next that writes
/// there takes it away.
#[test]
#[cfg(unix)]
fn what_a_killed_run_left_is_removed_by_the_next_and_what_is_written_is_not() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let unfinished = || {
        lab.files().into_iter().filter(|name| name.starts_with(".wingbeat-")).collect::<Vec<_>>()
    };
    let begun = |file: &str, count: usize| {
        let args = ["run", &scene, "--steps", "100000000", "--record", file];
        let mut command = Command::new(env!("CARGO_BIN_EXE_wingbeat"));
        let child = command
            .args(args)
            .current_dir(lab.folder())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let since = Instant::now();
        while unfinished().len() < count && since.elapsed().as_secs() < 60 {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Past the trial whether the file can be written.
        std::thread::sleep(Duration::from_millis(300));
        child.expect("the binary runs")
    };
    let mut killed = begun("a.csv", 1);
    let mut living = begun("b.csv", 2);
    killed.kill().and_then(|()| killed.wait()).expect("it is killed");
    assert_eq!(unfinished().len(), 2, "{:?}", lab.files());
    assert!(lab.wingbeat(&["run", &scene, "--steps", "1", "--final", "c.csv"]).status.success());
    assert_eq!(unfinished().len(), 1, "{:?}", lab.files());
    assert!(
        Command::new("kill")
            .args(["-INT", &living.id().to_string()])
            .status()
            .expect("kill runs")
            .success()
    );
    assert_eq!(living.wait().expect("it ends").code(), Some(130));
    assert_eq!(lab.files(), ["b.csv", "c.csv", "pond.toml"]);
}

/// Runs with files limited to so many blocks of 512 bytes: the disk is full after that.
#[cfg(unix)]
fn on_a_full_disk(lab: &Lab, args: &[&str]) -> std::process::Output {
    let limited = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command
        .args(["-c", limited, env!("CARGO_BIN_EXE_wingbeat")])
        .args(args)
        .current_dir(lab.folder());
    command.output().expect("a shell")
}

#[test]
#[cfg(unix)]
fn a_full_disk_ends_the_run_in_one_line_and_what_was_written_stays() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for file in ["a.wbr", "a.csv", "a.npz", "a.xyz"] {
        let output = on_a_full_disk(&lab, &["run", &scene, "--steps", "3000", "--record", file]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(
            message.lines().count() == 1 && message.contains("cannot be written after "),
            "{message}"
        );
        assert!(output.stdout.is_empty());
    }
    assert_eq!(lab.files(), ["a.wbr", "pond.toml"]);
    let kept = hashes(&lab, "a.wbr");
    assert!(kept.len() > 2, "{}", kept.len());
    lab.json(&[&scene, "--steps", &(kept.len() - 1).to_string(), "--record", "whole.wbr"]);
    assert_eq!(kept, hashes(&lab, "whole.wbr"));
    // The part of a frame that fitted was taken back.
    let recording = wingbeat_record::read(&lab.path("a.wbr"), &wingbeat_record::Options::default())
        .expect("a recording");
    assert_eq!(recording.found().frames, kept.len());
}

/// A folder is removed, with all that was written there: by hand, with a disk that is taken out, by
/// a job that tidies up.
#[test]
#[cfg(unix)]
fn a_folder_that_goes_away_during_a_run_ends_it_in_one_line() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let cases: [(&str, &[&str], &str); 4] = [
        (
            "a.wbr",
            &["--checkpoint", "c", "--checkpoint-every", "50"],
            "a.wbr: was removed or replaced while it was written",
        ),
        ("a.wbr", &["--checkpoint", "gone/c", "--checkpoint-every", "50"], "gone/"),
        ("a.wbr", &[], "a.wbr: was removed or replaced while it was written"),
        ("a.csv", &[], "a.csv: cannot be written after "),
    ];
    for (file, more, refusal) in cases {
        let gone = lab.path("gone");
        std::fs::create_dir(&gone).expect("a folder");
        let path = format!("gone/{file}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_wingbeat"));
        command
            .args(["run", &scene, "--steps", "100000000", "--quiet", "--record", &path])
            .args(more)
            .current_dir(lab.folder());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let begun = Instant::now();
        // A .wbr has its name from its first frame on, others in the end.
        let is_there = |entry: &std::fs::DirEntry| file == "a.csv" || entry.file_name() == file;
        let begun_to = |entry: std::fs::DirEntry| {
            is_there(&entry) && entry.metadata().is_ok_and(|file| file.len() > 2000)
        };
        while !std::fs::read_dir(&gone).expect("a folder").flatten().any(begun_to)
            && begun.elapsed().as_secs() < 60
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Something may be written there at this moment.
        while gone.exists() {
            let _ = std::fs::remove_dir_all(&gone);
        }
        if more.is_empty() {
            // Nothing is looked at until the end.
            let kill = Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status()
                .expect("kill runs");
            assert!(kill.success());
        }
        let removed = Instant::now();
        while child.try_wait().expect("it is ours").is_none() {
            if removed.elapsed().as_secs() > 30 {
                child.kill().expect("it is killed");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().expect("it ends");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{file} {more:?}: {said}");
        assert!(said.lines().count() == 1 && said.contains(refusal), "{file} {more:?}: {said}");
        assert!(output.stdout.is_empty() && !gone.exists(), "{file} {more:?}");
    }
}

/// A file system of its own that is soon full, unmounted at the end.
#[cfg(target_os = "linux")]
struct SmallDisk(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl SmallDisk {
    fn mount(lab: &Lab) -> Self {
        let folder = lab.path("disk");
        std::fs::create_dir(&folder).expect("a folder");
        let output = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=128k", "tmpfs"])
            .arg(&folder)
            .output();
        let output = output.expect("mount runs");
        assert!(output.status.success(), "{}", text(&output.stderr));
        Self(folder)
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        // What cannot be unmounted is the system's to tidy up.
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// The test with ulimit stands in for it where mounting is not allowed.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "mounts a file system, which takes root"]
fn a_disk_that_is_really_full_ends_the_run_in_one_line_too() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let disk = SmallDisk::mount(&lab);
    for file in ["a.csv", "a.npz", "a.xyz", "a.vtp", "a.wbr"] {
        let path = format!("disk/{file}");
        let output = lab.wingbeat(&["run", &scene, "--steps", "3000", "--record", &path]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{file}: {message}");
        assert!(
            message.lines().count() == 1 && message.contains("cannot be written after "),
            "{file}: {message}"
        );
        assert!(message.contains("No space left on device"), "{file}: {message}");
        let left = std::fs::read_dir(&disk.0).expect("the disk").filter_map(Result::ok);
        let left: Vec<String> =
            left.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        match file {
            "a.wbr" => assert_eq!(left, ["a.wbr"]),
            // A file a frame: those that are there are whole.
            "a.vtp" => {
                assert!(
                    left.iter().all(|name| name.starts_with("a_") && name.ends_with(".vtp")),
                    "{left:?}"
                );
                left.iter()
                    .for_each(|name| std::fs::remove_file(disk.0.join(name)).expect("a frame"));
            }
            _ => assert!(left.is_empty(), "{file}: {left:?}"),
        }
    }
    let kept = hashes(&lab, "disk/a.wbr");
    assert!(kept.len() > 2, "{}", kept.len());
    let recording =
        wingbeat_record::read(&lab.path("disk/a.wbr"), &wingbeat_record::Options::default())
            .expect("a recording");
    assert_eq!(recording.found().frames, kept.len());
    lab.json(&[&scene, "--steps", &(kept.len() - 1).to_string(), "--record", "whole.wbr"]);
    assert_eq!(kept, hashes(&lab, "whole.wbr"));
}

/// The folder of several ranks' files is one recording for every command, and none writes into it.
#[test]
fn a_folder_of_ranks_is_read_as_one_recording() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    std::fs::create_dir(lab.path("one")).expect("a folder");
    lab.json(&[&scene, "--record", "one/night.wbr"]);
    std::fs::create_dir(lab.path("night.wbr")).expect("a folder");
    std::fs::copy(lab.path("one/night.wbr"), lab.path("night.wbr/0-0of1.wbr")).expect("a copy");
    for (command, file) in [
        (&["measure"][..], None),
        (&["convert"], Some("csv")),
        (&["convert"], Some("wbr")),
        (&["plot", "-o"], Some("svg")),
        (&["replay", "-o"], Some("html")),
        (&["render", "--gif"], Some("gif")),
    ] {
        let run = |recording: &str| {
            let out = file.map(|ending| format!("out.{ending}"));
            let mut args = [&command[..1], &[recording], &command[1..]].concat();
            args.extend(out.as_deref());
            let output = lab.wingbeat(&args);
            assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
            // A page says whose it is.
            let made = out.map_or(output.stdout, |out| std::fs::read(lab.path(&out)).expect("it"));
            String::from_utf8_lossy(&made).replace(recording, "RECORDING")
        };
        assert!(run("one/night.wbr") == run("night.wbr"), "{command:?}");
    }
    let from = |recording: &str| lab.json(&[&scene, "--initial", recording])["state_hash"].clone();
    assert_eq!(from("one/night.wbr"), from("night.wbr"));
    for args in [
        &["convert", "night.wbr", "night.wbr/b.csv"][..],
        &["plot", "night.wbr", "-o", "night.wbr/b.svg"],
        &["convert", "night.wbr", "night.wbr"],
        &["run", "pond.toml", "--record", "night.wbr"],
    ] {
        let output = lab.wingbeat(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let message = text(&output.stderr);
        assert!(message.contains("night.wbr") && message.contains("allowed is"), "{message}");
    }
    assert_eq!(std::fs::read_dir(lab.path("night.wbr")).expect("a folder").count(), 1);
}
