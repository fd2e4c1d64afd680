//! `replay`, and the page that `run` ends in.

use crate::common::{Lab, text};

const POND: &str = "[flock]\nboids = 200\ndimensions = 2\nseed = 7\nsteps = 30\n[separation]\n\
    radius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n";

fn page(lab: &Lab, name: &str) -> String {
    text(&std::fs::read(lab.path(name)).unwrap_or_else(|error| panic!("{name}: {error}")))
}

#[test]
fn a_recording_becomes_a_page() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for file in ["a.wbr", "a.npz", "a.csv", "a.xyz"] {
        lab.json(&[&scene, "--record", file]);
        let output = lab.wingbeat(&["replay", file, "-o", "page.html", "--every", "2", "--json"]);
        assert!(output.status.success(), "{file}: {}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(
            (report["page"]["frames"].as_u64(), report["frames_recorded"].as_u64()),
            (Some(16), Some(31)),
            "{file}"
        );
        assert_eq!(report["page"]["bytes"].as_u64(), Some(page(&lab, "page.html").len() as u64));
        assert!(
            report["position_error"].as_f64().is_some_and(|error| error > 0.0 && error < 0.01),
            "{report}"
        );
    }
    let output = lab.wingbeat(&["replay", "a.wbr"]);
    assert!(text(&output.stdout).starts_with("a.html, 31 frames, "), "{}", text(&output.stdout));
    assert!(page(&lab, "a.html").contains("wingbeat page"));
    // Again is fine, but not over a file that is no page of Wingbeat's.
    assert!(lab.wingbeat(&["replay", "a.wbr"]).status.success());
    lab.write("a.html", "mine");
    let output = lab.wingbeat(&["replay", "a.wbr"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(page(&lab, "a.html"), "mine");
}

/// Two recordings in one page, each whole; what one says of itself is said of both.
#[test]
fn two_recordings_are_shown_side_by_side() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.json(&[&scene, "--record", "a.wbr"]);
    let walk = lab.write("walk.csv", "frame,id,x,y\n5,1,0,0\n6,1,1,0\n7,1,2,0\n");
    let output = lab.wingbeat(&[
        "replay",
        &walk,
        "a.wbr",
        "--fps",
        "8",
        "--outline",
        "circle:0,0,3",
        "-o",
        "both.html",
        "--json",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let both = page(&lab, "both.html");
    assert_eq!(
        (report["page"]["frames"].as_u64(), report["page"]["bytes"].as_u64()),
        (Some(31), Some(both.len() as u64))
    );
    assert_eq!(report["recordings"][0]["from"], walk.as_str());
    assert_eq!(
        [0, 1].map(|k| report["recordings"][k]["frames_recorded"].as_u64()),
        [Some(3), Some(31)]
    );
    // Each half is the page it would be alone, but for what an attribute needs.
    assert_eq!(both.matches("<iframe title=").count(), 2);
    for (args, title) in [
        (&["replay", walk.as_str(), "--fps", "8"][..], "walk.csv"),
        (&["replay", "a.wbr"], "a.wbr"),
    ] {
        assert!(
            lab.wingbeat(&[args, &["--outline", "circle:0,0,3", "-o", "one.html"]].concat())
                .status
                .success()
        );
        let half = both
            .split(&format!("<iframe title=\"{title}\" srcdoc=\""))
            .nth(1)
            .expect("a half")
            .split('"')
            .next()
            .expect("its end");
        assert_eq!(
            half.replace("&quot;", "\"").replace("&amp;", "&"),
            page(&lab, "one.html"),
            "{title}"
        );
    }
    assert!(page(&lab, "one.html").contains("\"kind\":\"outline\""));
    let output = lab.wingbeat(&["replay", "a.wbr", &walk]);
    assert!(
        text(&output.stdout).starts_with("a-walk.html, 31 frames, "),
        "{}",
        text(&output.stdout)
    );
    for (args, refusal) in [
        (
            &["a.wbr", "a.wbr", "--fps", "8"][..],
            "--fps = 8: allowed is nothing: a .wbr has its own times",
        ),
        (&["a.wbr", "none.csv"], "none.csv: cannot read the recording"),
        (&["a.wbr", "a.wbr", "a.wbr"], "unexpected"),
    ] {
        let output = lab.wingbeat(&[&["replay"], args, &["-o", "no.html"]].concat());
        assert!(
            output.status.code() == Some(2) && text(&output.stderr).contains(refusal),
            "{args:?}: {}",
            text(&output.stderr)
        );
    }
    assert!(!lab.path("no.html").exists());
}

#[test]
fn bad_input_is_one_line_and_leaves_no_page() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.json(&[&scene, "--record", "a.wbr"]);
    lab.write("notes.md", "# no recording");
    lab.write("broken.wbr", "WBRWBRWBRWBR");
    let cases: [(&[&str], &str); 9] = [
        (&["none.wbr", "-o", "p.html"], "none.wbr: cannot read the recording: no such file"),
        (&["notes.md", "-o", "p.html"], "notes.md: unknown kind of file"),
        (&["broken.wbr", "-o", "p.html"], "broken.wbr: not a .wbr recording"),
        (&["a.wbr", "-o", "p.txt"], "-o = p.txt: allowed is a file that ends in .html"),
        (
            &["a.wbr", "-o", "no/p.html"],
            "-o = no/p.html: allowed is a file in a folder that exists",
        ),
        (
            &["a.wbr", "-o", "p.html", "--size", "0.2"],
            "--size = 0.2: allowed is a number of megabytes, 1 to 1000",
        ),
        (&["a.wbr", "-o", "p.html", "--every", "0"], "--every = 0: allowed is"),
        (
            &["a.wbr", "-o", "p.html", "--fps", "25"],
            "--fps = 25: allowed is nothing: a .wbr has its own times",
        ),
        (
            &["a.wbr", "-o", "p.html", "--scale", "2"],
            "--scale = 2: allowed is 1: a .wbr stays exact",
        ),
    ];
    for (args, message) in cases {
        let all: Vec<&str> = ["replay"].iter().chain(args).copied().collect();
        let output = lab.wingbeat(&all);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.starts_with(&format!("wingbeat: {message}")), "{args:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(!lab.path("p.html").exists());
    }
}

#[test]
fn a_run_ends_in_a_page_when_asked_for() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let report = lab.json(&[&scene, "--html", "pond.html"]);
    let html = page(&lab, "pond.html");
    let bytes = html.len();
    assert_eq!(
        report["page"],
        serde_json::json!({ "file": "pond.html", "frames": 31, "bytes": bytes })
    );
    // The scene and the engine are in it, for explanations.
    assert!(html.contains("[cohesion]\\nradius = 1.5") && html.contains("const packedEngine = "));
    // It changes no bit of the run.
    assert_eq!(report["state_hash"], lab.json(&[&scene])["state_hash"]);
    let output = lab.wingbeat(&["run", &scene, "--html", "pond.html"]);
    assert!(
        text(&output.stdout).contains("  see it move   open pond.html in a browser (31 frames, "),
        "{}",
        text(&output.stdout)
    );
    // Without a terminal there is none that was not asked for.
    assert!(lab.wingbeat(&["run", &scene, "--steps", "2"]).status.success());
    assert_eq!(lab.files(), ["pond.html", "pond.toml"]);
}

/// The folder that the page is recorded in is not to be had: the run is made and told, and the
/// command fails.
#[test]
fn a_page_that_was_asked_for_and_cannot_be_made_is_an_error() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let run = |args: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_wingbeat"));
        let nowhere = lab.path("nowhere");
        command
            .arg("run")
            .arg(&scene)
            .args(args)
            .env("TMPDIR", &nowhere)
            .env("TMP", &nowhere)
            .current_dir(lab.folder());
        command.output().expect("the binary runs")
    };
    let output = run(&["--html", "pond.html"]);
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("no page pond.html"), "{said}");
    assert!(run(&[]).status.success());
    assert_eq!(lab.files(), ["pond.toml"]);
}

#[test]
fn a_run_overwrites_no_file_but_its_own_pages() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.write("index.html", "<!doctype html><p>mine");
    let output = lab.wingbeat(&["run", &scene, "--html", "index.html"]);
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(
        said.contains("--html = index.html") && said.contains("no page of Wingbeat's"),
        "{said}"
    );
    assert_eq!(page(&lab, "index.html"), "<!doctype html><p>mine");
    for args in [["--html", "p.txt"], ["--html", "no/p.html"]] {
        let output = lab.wingbeat(&["run", &scene, args[0], args[1]]);
        assert_eq!(
            (output.status.code(), text(&output.stderr).lines().count()),
            (Some(2), 1),
            "{}",
            text(&output.stderr)
        );
    }
    assert_eq!(
        lab.wingbeat(&["run", &scene, "--html", "p.html", "--no-html"]).status.code(),
        Some(2)
    );
}
