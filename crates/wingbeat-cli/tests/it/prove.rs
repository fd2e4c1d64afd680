//! `wingbeat prove`: verdicts, exit codes, and the page that it writes.

use std::path::Path;

use serde_json::Value;

use crate::common::{Lab, text};
use wingbeat_test_support::tier;

/// One that walks 4 m at 1 m/s to an exit: after 4.05 s, as a step is 0.05 s.
const WALK: &str = "title = 'One walks'\nsuite = 'imo'\nsource = 'a test'\n\
    published = '4 m in 4 s'\nexpected = 'pass'\n\
    seeds = 3\nuntil = 'empty'\nset = ['agent.max_speed=1']\nscene = '''\n[flock]\nboids = 1\n\
    dimensions = 2\ndt = 0.05\nsteps = 200\n\
    [spawn]\nshape = 'lattice'\nspeed = 1.0\nheading = [1, 0]\nmin = [0.9, 0.9]\nmax = [1.1, 1.1]\n\
    [domain]\nkind = 'reflecting'\nmin = [0, 0]\nmax = [6, 2]\n\
    [body]\nradius = 0.1\n[exit.end]\nkind = 'box'\nmin = [5, 0]\nmax = [6, 2]\n[agent]\n\
    max_force = 100.0\n\
    [drive.on]\nkind = 'wind'\nvector = [1.0, 0.0]\ndrag = true\n'''\n\
    [variant.usual]\n[variant.slow]\nset = ['drive.on.vector=[0.5, 0.0]']\n\
    [measure.speed]\nquantity = 'vx'\nfrom = 2\nevery = 0.05\n\
    [check.time]\nvalue = 'exit.end.last'\nunit = 's'\nvariants = ['usual']\nover = 'each'\n\
    target = 4.1\nwithin = 0.2\n\
    [check.speed]\nvalue = 'speed'\nvariants = ['slow']\nrelative = 'ratio'\nto_variant = 'usual'\n\
    target = 0.5\nwithin = 0.1\n\
    [check.slower]\nvalue = 't100'\norder = 'rising'\nby_part = 0.5\n";

fn json(lab: &Lab, args: &[&str]) -> (Value, Option<i32>) {
    let output = lab.wingbeat(&[&["prove", "--json"], args].concat());
    let value = serde_json::from_slice(&output.stdout);
    (
        value.unwrap_or_else(|error| panic!("{args:?}: {error}: {}", text(&output.stderr))),
        output.status.code(),
    )
}

#[test]
fn verdicts_are_compared_with_the_file() {
    let lab = Lab::new();
    let walk = lab.write("walk.toml", WALK);
    let (report, code) = json(&lab, &[&walk]);
    let proof = &report["proofs"][0];
    assert_eq!(
        (code, &report["as_expected"], &proof["verdict"]),
        (Some(0), &true.into(), &"pass".into()),
        "{report:#}"
    );
    assert_eq!((&proof["name"], &proof["runs"]), (&"walk".into(), &6.into()));
    let time = proof["checks"][0]["measured"][0]["low"].as_f64().expect("a number");
    assert!((3.9..4.3).contains(&time), "{time}");

    // The same with another time: a fail that was not expected, and one that was.
    let broken = WALK.replace("target = 4.1", "target = 5.1");
    let wrong = lab.write("wrong.toml", &broken);
    let (report, code) = json(&lab, &[&wrong]);
    assert_eq!(
        (code, &report["proofs"][0]["verdict"], &report["differ"]),
        (Some(1), &"fail".into(), &1.into())
    );
    let output = lab.wingbeat(&["prove", &wrong]);
    assert!(
        text(&output.stderr).contains("verdicts are not as expected: wrong (fail, not pass)"),
        "{}",
        text(&output.stderr)
    );
    assert!(text(&output.stdout).contains("(wanted: 4.9 to 5.3)"), "{}", text(&output.stdout));
    let known = lab.write(
        "known.toml",
        broken.replace("expected = 'pass'", "expected = 'fail'\nwhy = 'a test'"),
    );
    assert_eq!(json(&lab, &[&known]).1, Some(0));
    // What passes where a fail is expected is not as expected either.
    let mended = lab.write(
        "mended.toml",
        WALK.replace("expected = 'pass'", "expected = 'fail'\nwhy = 'a test'"),
    );
    assert_eq!(json(&lab, &[&mended]).1, Some(1));
    // A time that is not reached holds nothing.
    let late = lab.write("late.toml", WALK.replace("steps = 200", "steps = 60"));
    assert!(
        json(&lab, &[&late]).0["proofs"][0]["measured"]
            .as_str()
            .expect("a text")
            .contains("time not reached")
    );
}

#[test]
fn the_table_is_the_same_on_any_number_of_threads_and_becomes_pages() {
    let lab = Lab::new();
    let walk = lab.write("walk.toml", WALK);
    let measured =
        |threads: &str| json(&lab, &[&walk, "--threads", threads]).0["proofs"][0]["checks"].clone();
    assert_eq!(measured("1"), measured("3"));
    lab.write("table.md", "# Mine\n<!-- wingbeat prove -->\nold\n");
    let output = lab.wingbeat(&["prove", &walk, "--html", "t.html", "--out", "table.md"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(lab.path("t.html")).expect("a page");
    assert!(
        page.contains("wingbeat page") && page.contains("4 m in 4 s") && !page.contains("<script")
    );
    let table = std::fs::read_to_string(lab.path("table.md")).expect("a table");
    assert!(
        table.starts_with("# Mine\n<!-- wingbeat prove -->\n\n## At a glance\n")
            && table.contains("\n| IMO MSC.1/Circ.1533 | 1 |  |  |\n")
            && !table.contains("old"),
        "{table}"
    );
    assert!(table.contains("| `walk`: One walks | pass | 4 m in 4 s | time 4 s; "), "{table}");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let lab = Lab::new();
    let mut cases = vec![
        (
            vec!["prove".to_string(), "rimea_99".into()],
            "NAME = rimea_99: allowed is a suite (rimea, nist",
        ),
        (vec!["prove".into(), "none.toml".into()], "none.toml: cannot read the proof"),
        (
            vec!["prove".into(), "rimea_1".into(), "--data".into(), "nowhere".into()],
            "--data = nowhere: allowed is a folder",
        ),
        (
            vec!["prove".into(), "rimea_1".into(), "--html".into(), "t.txt".into()],
            "--html = t.txt: allowed is a file that ends in .html",
        ),
    ];
    let files = [
        ("key", WALK.replace("seeds = 3", "seads = 3"), "unknown key seads: allowed here are"),
        (
            "exit",
            WALK.replace("exit.end.last", "exit.door.last"),
            "value = exit.door.last: allowed is a column of an exit of the scene: end",
        ),
        (
            "set",
            WALK.replace("agent.max_speed=1'", "agent.max_sped=1'"),
            "proof set, variant usual: --set: unknown key agent.max_sped",
        ),
        ("toml", WALK.replace("seeds = 3", "seeds = = 3"), "toml.toml:6:"),
    ];
    for (name, text, message) in files {
        let path = lab.write(&format!("{name}.toml"), text);
        cases.push((vec!["prove".into(), path], message));
    }
    for (args, message) in cases {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = lab.wingbeat(&args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(message) && stderr.lines().count() == 1, "{args:?}: {stderr}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn recordings_that_are_not_there_are_skipped() {
    let lab = Lab::new();
    let (report, code) = json(&lab, &["recorded"]);
    assert_eq!(code, Some(0));
    let proofs = report["proofs"].as_array().expect("proofs");
    assert!(
        proofs.len() >= 2 && proofs.iter().all(|proof| proof["verdict"] == "skipped"),
        "{report:#}"
    );
}

/// docs/PROOFS.md has every proof as its file has it. `WINGBEAT_WRITE_DOCS=1` runs them all and
/// writes it.
#[test]
fn the_page_has_every_proof() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/PROOFS.md");
    let lab = Lab::new();
    if tier::writes_docs() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
        let (page, data) = (page.display().to_string(), data.display().to_string());
        let output = lab.wingbeat(&["prove", "--out", &page, "--data", &data]);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    }
    let text = std::fs::read_to_string(&page).expect("docs/PROOFS.md");
    let (report, _) = json(&lab, &["--list"]);
    let cell = |value: &Value| value.as_str().unwrap_or_default().replace('|', "\\|");
    for proof in report["proofs"].as_array().expect("proofs") {
        let verdict = match proof["expected"].as_str() {
            Some("fail") => "**fail**",
            Some("pass") => "pass",
            _ => "not built",
        };
        let row = format!(
            "| `{}`: {} | {verdict} | {} | ",
            cell(&proof["name"]),
            cell(&proof["title"]),
            cell(&proof["published"])
        );
        assert!(
            text.lines().any(|line| line.starts_with(&row)),
            "docs/PROOFS.md is out of date: run this test once with WINGBEAT_WRITE_DOCS=1: {row}"
        );
    }
}
