//! No command writes onto a file that it reads, nor twice onto one file, under whatever names:
//! nothing of the user's is lost.

use std::collections::BTreeMap;

use crate::common::{Lab, f32s, npy, text};

const POND: &str = "[flock]\nboids = 9\ndimensions = 2\nsteps = 3\n[cohesion]\nradius = 1.5\n";
const STATE: &str = "id,x,y,vx,vy\n0,1,2,0.5,0\n1,3,4,0,0.5\n";

/// All files of a folder with their content.
fn contents(lab: &Lab) -> BTreeMap<String, Vec<u8>> {
    let file = |name: String| {
        lab.path(&name)
            .is_file()
            .then(|| (name.clone(), std::fs::read(lab.path(&name)).expect("a file")))
    };
    lab.files().into_iter().filter_map(file).collect()
}

/// The command is refused in one line that names the flag and both files, and every file stays as
/// it is.
#[track_caller]
fn refused(lab: &Lab, args: &[&str], flag: &str, other: &str) {
    let before = contents(lab);
    let output = lab.wingbeat(args);
    let message = text(&output.stderr);
    assert_eq!(
        (output.status.code(), message.lines().count()),
        (Some(2), 1),
        "{args:?}: {message}"
    );
    assert!(message.starts_with(&format!("wingbeat: {flag} = ")), "{args:?}: {message}");
    assert!(
        message.contains(&format!("allowed is another file than {other}")),
        "{args:?}: {message}"
    );
    assert!(contents(lab) == before, "{args:?}: files have changed");
}

/// A recording, a scene that starts from a state, and one that reads a field.
fn lab() -> Lab {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.json(&[&scene, "--record", "a.wbr"]);
    lab.json(&[&scene, "--record", "a.csv"]);
    lab.write("state.csv", STATE);
    lab.write("from_state.toml", format!("{POND}[initial]\nfile = \"state.csv\"\n"));
    lab.write("way.npy", npy("<f4", "(2, 2, 2)", &f32s(&[1.0; 8])));
    let room = "[domain]\nkind = \"walled\"\nmin = [0, 0]\nmax = [10, 10]\n";
    lab.write(
        "from_field.toml",
        format!("{POND}{room}[drive.way]\nkind = \"flow\"\nfile = \"way.npy\"\n"),
    );
    lab
}

#[test]
fn a_run_does_not_write_onto_what_it_starts_from() {
    let lab = lab();
    let here = lab.folder().join("a.wbr").display().to_string();
    std::fs::create_dir(lab.path("deep")).expect("a folder");
    for name in ["a.wbr", "./a.wbr", "deep/../a.wbr", &here] {
        refused(
            &lab,
            &["run", "pond.toml", "--initial", "a.wbr", "--record", name],
            "--record",
            "a.wbr, which is read",
        );
    }
    for flag in ["--final", "--observe", "--record"] {
        refused(
            &lab,
            &["run", "from_state.toml", flag, "state.csv"],
            flag,
            "state.csv, which is read",
        );
    }
    // A scene may have any name.
    lab.write("pond_000002.ply", POND);
    lab.write("pond.svg", POND);
    refused(
        &lab,
        &["run", "pond.svg", "--still", "./pond.svg"],
        "--still",
        "pond.svg, which is read",
    );
    refused(
        &lab,
        &["run", "pond_000002.ply", "--record", "pond.ply"],
        "--record",
        "pond_000002.ply, which is read",
    );
    lab.write("pond.pvd", POND);
    refused(
        &lab,
        &["run", "pond.pvd", "--record", "pond.vtp"],
        "--record",
        "pond.pvd, which is read",
    );
}

#[test]
fn no_command_writes_one_file_twice() {
    let lab = lab();
    for [(one, path), (other, same)] in [
        [("--observe", "new.csv"), ("--final", "./new.csv")],
        [("--final", "new.csv"), ("--record", "new.csv")],
        // One that is there already.
        [("--observe", "a.csv"), ("--record", "a.csv")],
    ] {
        let args = ["run", "pond.toml", one, path, other, same];
        refused(&lab, &args, other, &format!("{path}, which {one} writes"));
    }
    let args = [
        "run",
        "pond.toml",
        "--steps",
        "1",
        "--final",
        "b.csv",
        "--observe",
        "c.csv",
        "--record",
        "d.csv",
    ];
    assert!(lab.wingbeat(&args).status.success(), "three files are three files");
}

#[test]
fn recordings_are_not_written_onto_themselves() {
    let lab = lab();
    lab.write("kinds_000001.png", "id,species\n0,cod\n");
    refused(&lab, &["convert", "a.csv", "./a.csv"], "convert to", "a.csv, which is read");
    refused(&lab, &["measure", "a.csv", "--observe", "a.csv"], "--observe", "a.csv, which is read");
    let kinds = [
        "--png",
        "kinds.png",
        "--every",
        "1",
        "--color",
        "species",
        "--species",
        "kinds_000001.png",
    ];
    refused(
        &lab,
        &[&["render", "a.wbr"], &kinds[..]].concat(),
        "--png",
        "kinds_000001.png, which is read",
    );
    // Numbers at the end of a name mean nothing in other formats.
    std::fs::copy(lab.path("a.csv"), lab.path("b_000001.csv")).expect("a copy");
    assert!(lab.wingbeat(&["convert", "b_000001.csv", "b.csv"]).status.success());
}

#[test]
fn a_sweep_keeps_what_its_runs_read() {
    let lab = lab();
    std::fs::copy(lab.path("state.csv"), lab.path("other.csv")).expect("a copy");
    let sweep = ["sweep", "pond.toml", "--set", "initial.file=state.csv,other.csv", "--out"];
    refused(&lab, &[&sweep[..], &["other.csv"]].concat(), "--out", "other.csv, which is read");
    lab.write("new.csv.runs.csv", STATE);
    let from_runs = [
        "sweep",
        "pond.toml",
        "--set",
        "cohesion.weight=1,2",
        "--initial",
        "new.csv.runs.csv",
        "--out",
        "new.csv",
    ];
    refused(&lab, &from_runs, "--out", "new.csv.runs.csv, which is read");
}

#[test]
#[cfg(unix)]
fn links_are_followed_to_the_file_they_lead_to() {
    let lab = lab();
    let hard = |from: &str, to: &str| {
        std::fs::hard_link(lab.path(from), lab.path(to)).expect("a hard link")
    };
    let soft = |from: &str, to: &str| {
        std::os::unix::fs::symlink(lab.path(from), lab.path(to)).expect("a symbolic link")
    };
    for k in 0..2 {
        let link = |from: &str, to: &str| if k == 0 { hard(from, to) } else { soft(from, to) };
        let name = |ending: &str| format!("link{k}.{ending}");
        for (file, ending) in [
            ("a.wbr", "wbr"),
            ("a.wbr", "npz"),
            ("a.wbr", "svg"),
            ("a.wbr", "html"),
            ("a.wbr", "gif"),
        ] {
            link(file, &name(ending));
        }
        link("way.npy", &name("csv"));
        link("pond.toml", &name("png"));
        let (wbr, npz, svg, csv) = (name("wbr"), name("npz"), name("svg"), name("csv"));
        refused(&lab, &["convert", "a.wbr", &wbr], "convert to", "a.wbr, which is read");
        refused(&lab, &["convert", "a.wbr", &npz], "convert to", "a.wbr, which is read");
        refused(
            &lab,
            &["run", "pond.toml", "--initial", "a.wbr", "--record", &wbr],
            "--record",
            "a.wbr, which is read",
        );
        refused(
            &lab,
            &["run", "from_field.toml", "--final", &csv],
            "--final",
            "way.npy, which is read",
        );
        refused(
            &lab,
            &["run", "pond.toml", "--still", &name("png")],
            "--still",
            "pond.toml, which is read",
        );
        refused(&lab, &["plot", "a.wbr", "-o", &svg], "--output", "a.wbr, which is read");
        refused(&lab, &["replay", "a.wbr", "-o", &name("html")], "-o", "a.wbr, which is read");
        refused(&lab, &["render", "a.wbr", "--gif", &name("gif")], "--gif", "a.wbr, which is read");
        refused(
            &lab,
            &["render", "pond.toml", "--png", &name("png")],
            "--png",
            "pond.toml, which is read",
        );
        let sweep = ["sweep", "from_field.toml", "--set", "cohesion.weight=1,2"];
        refused(&lab, &[&sweep[..], &["--out", &csv]].concat(), "--out", "way.npy, which is read");
        let plot = [
            "sweep",
            "pond.toml",
            "--set",
            "cohesion.weight=1,2",
            "--out",
            "s.csv",
            "--plot",
            &name("png"),
        ];
        refused(&lab, &plot, "--plot", "pond.toml, which is read");
    }
    // Two names of one file are one output.
    lab.write("x.csv", "");
    hard("x.csv", "y.csv");
    refused(
        &lab,
        &["run", "pond.toml", "--observe", "x.csv", "--final", "y.csv"],
        "--final",
        "x.csv, which --observe writes",
    );
    // Also if it is not there yet.
    soft("new.csv", "z.csv");
    refused(
        &lab,
        &["run", "pond.toml", "--observe", "new.csv", "--final", "z.csv"],
        "--final",
        "new.csv, which --observe writes",
    );
}

/// Every output treats a symbolic link alike: it stays, and what it leads to is written.
#[test]
#[cfg(unix)]
fn links_are_written_through_by_every_output() {
    let lab = lab();
    std::fs::create_dir(lab.path("deep")).expect("a folder");
    let run = ["run", "pond.toml", "--steps", "2"];
    let plot = [
        "sweep",
        "pond.toml",
        "--set",
        "seed=1,2",
        "--set",
        "cohesion.weight=1,2",
        "--steps",
        "9",
        "--out",
        "s.csv",
        "--plot",
    ];
    for (args, ending) in [
        (&[&run[..], &["--final"]].concat(), "csv"),
        (&[&run[..], &["--observe"]].concat(), "csv"),
        (&[&run[..], &["--still"]].concat(), "svg"),
        (&[&run[..], &["--html"]].concat(), "html"),
        (&[&run[..], &["--record"]].concat(), "wbr"),
        (&[&run[..], &["--record"]].concat(), "npz"),
        (&vec!["convert", "a.wbr"], "xyz"),
        (&vec!["render", "a.wbr", "--size", "32x32", "--gif"], "gif"),
        (&vec!["measure", "a.wbr", "--observe"], "csv"),
        (&plot.to_vec(), "svg"),
    ] {
        let link = format!("link.{ending}");
        for is_there in [false, true] {
            std::os::unix::fs::symlink(format!("deep/real.{ending}"), lab.path(&link))
                .expect("a link");
            let real = lab.path(&format!("deep/real.{ending}"));
            if is_there && ending != "html" {
                std::fs::write(&real, "before").expect("a file");
            }
            let output = lab.wingbeat(&[&args[..], &[&link]].concat());
            assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
            assert!(
                lab.path(&link).is_symlink() && real.is_file() && !real.is_symlink(),
                "{args:?}"
            );
            assert!(std::fs::read(&real).expect("a file") != b"before", "{args:?}");
            std::fs::remove_file(lab.path(&link)).expect("removed");
        }
        std::fs::remove_file(lab.path(&format!("deep/real.{ending}"))).expect("removed");
    }
}
