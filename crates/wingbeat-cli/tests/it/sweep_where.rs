//! `sweep --where` and `--record`: which combinations are run, and what is kept of them.

use crate::common::{Lab, text};

const POND: &str = "[flock]\nboids = 20\ndimensions = 2\n[domain]\nkind = \"periodic\"\n\
        [separation]\n\
        radius = 0.8\n[alignment]\n";

const SWEEP: [&str; 8] = [
    "--set",
    "alignment.weight=0,0.5,10",
    "--set",
    "separation.weight=0..2:3",
    "--set",
    "seed=1..2",
    "--steps",
    "12",
];

fn read(lab: &Lab, name: &str) -> String {
    std::fs::read_to_string(lab.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn sweep(lab: &Lab, args: &[&str]) -> std::process::Output {
    lab.wingbeat(&[&["sweep", "pond.toml"], &SWEEP[..], args].concat())
}

/// Rows of the table, without its head.
fn rows(lab: &Lab, name: &str) -> Vec<String> {
    read(lab, name).lines().skip(1).map(str::to_string).collect()
}

#[test]
fn only_combinations_that_meet_all_conditions_are_run() {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    assert!(sweep(&lab, &["--out", "all.csv"]).status.success());
    let all = rows(&lab, "all.csv");
    assert_eq!(all.len(), 9);
    for (conditions, kept) in [
        (&["separation.weight<alignment.weight"][..], &[3, 6, 7, 8][..]),
        (&["separation.weight<alignment.weight", "alignment.weight < 10"], &[3]),
        (&["alignment.weight>=0.5", "separation.weight!=1"], &[3, 5, 6, 8]),
        (&["separation.weight=2.0"], &[2, 5, 8]),
    ] {
        let args: Vec<&str> =
            conditions.iter().flat_map(|condition| ["--where", *condition]).collect();
        let output = sweep(&lab, &[&args[..], &["--out", "some.csv", "--fresh"]].concat());
        assert!(output.status.success(), "{conditions:?}: {}", text(&output.stderr));
        let expected: Vec<String> = kept.iter().map(|&row: &usize| all[row].clone()).collect();
        assert_eq!(rows(&lab, "some.csv"), expected, "{conditions:?}");
        let said = format!("{} of 9 combinations are left", kept.len());
        assert!(text(&output.stderr).contains(&said), "{conditions:?}: {}", text(&output.stderr));
        assert_eq!(
            read(&lab, "some.csv.runs.csv").lines().count(),
            2 + 2 * kept.len(),
            "{conditions:?}"
        );
    }
}

#[test]
fn conditions_that_mean_nothing_are_refused_in_a_line() {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    let before = lab.files();
    for (condition, expected) in [
        ("alignment.weight", "KEY<VALUE or KEY<KEY"),
        ("alignment.weight<", "KEY<VALUE"),
        ("alignment.weight=<2", "KEY<VALUE"),
        ("alignment.weight<2<3", "KEY<VALUE"),
        ("alignmnt.weight<2", "alignmnt.weight: allowed is alignment.weight, separation.weight"),
        ("0<alignment.weight", "0: allowed is alignment.weight"),
        ("alignment.weight<many", "a comparison of numbers"),
        ("alignment.weight!=many", "a comparison of two numbers"),
        (
            "alignment.weight!=cohesion.weight",
            "cohesion.weight: allowed is a number, a text, or a key that is swept or given",
        ),
        ("seed<2", "without the seed"),
        ("alignment.weight>10", "none of 9 combinations meets alignment.weight>10"),
    ] {
        let output = sweep(&lab, &["--out", "out.csv", "--where", condition]);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{condition}: {stderr}");
        assert!(
            stderr.contains(expected) && stderr.contains("--where") && stderr.lines().count() == 1,
            "{condition}: {stderr}"
        );
        assert_eq!(lab.files(), before, "{condition}");
    }
}

#[test]
fn recordings_are_those_of_single_runs_and_change_no_number() {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    let chosen = ["--where", "alignment.weight=separation.weight", "--every", "3"];
    let args = |rest: &[&'static str]| [&chosen[..], rest].concat();
    assert!(sweep(&lab, &args(&["--out", "plain.csv"])).status.success());
    let output = sweep(&lab, &args(&["--out", "out.csv", "--record", "kept"]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(read(&lab, "out.csv"), read(&lab, "plain.csv"));
    let files = || -> Vec<String> {
        let entries = std::fs::read_dir(lab.path("kept")).expect("the folder");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let name = |seed: u8| format!("alignment.weight=0,separation.weight=0,seed={seed}.wbr");
    assert_eq!(files(), [name(1), name(2)]);
    let set = ["--set", "alignment.weight=0", "--set", "separation.weight=0"];
    let single = [
        &[
            "run",
            "pond.toml",
            "--seed",
            "2",
            "--steps",
            "12",
            "--every",
            "3",
            "--record",
            "single.wbr",
        ],
        &set[..],
    ]
    .concat();
    assert!(lab.wingbeat(&single).status.success());
    let frames = |file: &str| {
        let csv = lab.path("frames.csv");
        let output = lab.wingbeat(&["convert", file, csv.to_str().expect("a path")]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read(csv).expect("the frames")
    };
    assert_eq!(frames(&format!("kept/{}", name(2))), frames("single.wbr"));
    // What is missing is made again, and nothing else.
    std::fs::remove_file(lab.path("kept").join(name(1))).expect("removed");
    let before = std::fs::metadata(lab.path("kept").join(name(2)))
        .expect("there")
        .modified()
        .expect("a time");
    let again = sweep(&lab, &args(&["--out", "out.csv", "--record", "kept"]));
    assert!(text(&again.stdout).contains("2 runs, 0 of them new"), "{}", text(&again.stdout));
    assert_eq!(files(), [name(1), name(2)]);
    assert_eq!(
        std::fs::metadata(lab.path("kept").join(name(2)))
            .expect("there")
            .modified()
            .expect("a time"),
        before
    );
    for folder in ["pond.toml", "nowhere/kept", ""] {
        let refused = sweep(&lab, &args(&["--out", "other.csv", "--record", folder]));
        assert_eq!(refused.status.code(), Some(2), "{folder}: {}", text(&refused.stderr));
        assert!(
            text(&refused.stderr).starts_with("wingbeat: --record")
                || text(&refused.stderr).contains("--record = "),
            "{}",
            text(&refused.stderr)
        );
        assert!(!lab.path("other.csv.runs.csv").exists());
    }
}

/// Where large and small letters are one, a recording would take another's place.
#[test]
fn recordings_have_names_that_differ_in_more_than_capitals() {
    let lab = Lab::new();
    lab.write("pond.toml", "[flock]\ndimensions = 2\nsteps = 2\n[cohesion]\n");
    for name in ["A.csv", "a.csv"] {
        lab.write(name, "id,x,y,vx,vy\n1,0,0,1,0\n2,1,0,1,0\n");
    }
    let files = ["--set", "initial.file=A.csv,a.csv", "--out", "out.csv", "--record", "kept"];
    let refused = lab.wingbeat(&[&["sweep", "pond.toml"], &files[..]].concat());
    let message = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("two runs would be") && message.contains("a.csv.wbr"), "{message}");
    assert!(!lab.path("kept").exists());
}

/// A ramp would have its way in every run, under a name that says another value.
#[test]
fn what_a_ramp_changes_is_not_swept() {
    let lab = Lab::new();
    lab.write(
        "pond.toml",
        format!(
            "{POND}[ramp.calm]\nkey = \"alignment.weight\"\nfrom = 0.0\nto = 1.0\nover = 2.0\n"
        ),
    );
    let before = lab.files();
    let ends = ["--set", "ramp.calm.to=0.5,1", "--steps", "12", "--out", "out.csv"];
    let refused = lab
        .wingbeat(&[&["sweep", "pond.toml", "--set", "alignment.weight=0,1"], &ends[..]].concat());
    let stderr = text(&refused.stderr);
    assert_eq!((refused.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
    assert!(
        stderr.contains("alignment.weight = 0,1: allowed is ramp.calm.to or ramp.calm.from"),
        "{stderr}"
    );
    assert_eq!(lab.files(), before);
    // A value for all runs is warned of, as `run` and `check` do.
    let warned =
        lab.wingbeat(&[&["sweep", "pond.toml", "--set", "alignment.weight=1"], &ends[..]].concat());
    let stderr = text(&warned.stderr);
    assert!(
        warned.status.success()
            && stderr.contains("warning: alignment.weight has no effect: [ramp.calm]"),
        "{stderr}"
    );
}

#[test]
fn a_plot_leaves_out_what_no_run_has_a_number_of() {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    let asked = ["--columns", "polarization,t50", "--plot", "out.svg", "--fresh"];
    let drawn = sweep(&lab, &[&asked[..], &["--out", "out.csv", "--plot-as", "lines"]].concat());
    assert!(drawn.status.success(), "{}", text(&drawn.stderr));
    assert!(
        text(&drawn.stderr).contains("--plot: no run has a number in t50: left out"),
        "{}",
        text(&drawn.stderr)
    );
    assert!(
        read(&lab, "out.svg").contains("polarization") && !read(&lab, "out.svg").contains("t50")
    );
    // Nothing at all to draw: the table and what is said of it are there.
    for form in ["lines", "map"] {
        let empty = sweep(
            &lab,
            &[&asked[..], &["--out", "none.csv", "--y", "t50", "--plot-as", form]].concat(),
        );
        let stderr = text(&empty.stderr);
        assert_eq!(
            (empty.status.code(), rows(&lab, "none.csv").len()),
            (Some(1), 9),
            "{form}: {stderr}"
        );
        assert!(
            stderr.contains("--plot out.svg: ") && text(&empty.stdout).contains("none.csv"),
            "{form}: {stderr}"
        );
        assert!(!text(&empty.stdout).contains("the plot"), "{form}: {}", text(&empty.stdout));
    }
}
