//! `wingbeat compare`: both sides are measured alike, and what cannot be compared is not.

use serde_json::Value;

use crate::common::{Lab, text};

const POND: &str = "[flock]\nboids = 60\ndimensions = 2\nsteps = 40\n[spawn]\nspeed = 1.0\n\
    [domain]\nkind = \"walled\"\nmin = [0, 0]\nmax = [9, 9]\n[agent]\nmax_speed = 2.0\n\
    [separation]\nradius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n";

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    let output =
        lab.wingbeat(&["run", "pond.toml", "--seed", "5", "--record", "pond.wbr", "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    lab
}

#[track_caller]
fn compared(lab: &Lab, args: &[&str]) -> Value {
    let output = lab.wingbeat(&[&["compare"], args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[track_caller]
fn refused(lab: &Lab, args: &[&str], expected: &[&str]) {
    let before = lab.files();
    let output = lab.wingbeat(&[&["compare"], args].concat());
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert_eq!(
        (stderr.lines().count(), text(&output.stdout).as_str()),
        (1, ""),
        "{args:?}: {stderr}"
    );
    for part in expected {
        assert!(stderr.contains(part), "{args:?}: \"{part}\" is missing from: {stderr}");
    }
    assert_eq!(lab.files(), before, "{args:?}: files left behind");
}

/// The CSV form of a recording has no box.
fn csv(lab: &Lab) {
    assert!(lab.wingbeat(&["convert", "pond.wbr", "pond.csv"]).status.success());
}

#[test]
fn a_scene_is_measured_as_the_recording_of_its_run() {
    let lab = lab();
    // The state before the first step is in the recording, and not measured of runs.
    let sides =
        ["pond.wbr", "pond.toml", "--average-from-a", "0", "--every", "1", "--set-b", "seed=5"];
    let same = compared(&lab, &[&sides[..], &["--radius", "1.5"]].concat());
    let observables = same["observables"].as_object().expect("observables");
    assert!(observables.len() >= 9);
    for (name, row) in observables {
        assert_eq!(row["a"], row["b"], "{name}");
        assert_eq!(row["a"]["count"], 40, "{name}");
        assert_eq!(row["distance"]["standardized"], 0.0, "{name}: {row}");
        assert_eq!(row["distance"]["kolmogorov_smirnov"], 0.0, "{name}");
    }
    // Groups are at the scene's own radius, if nothing is said.
    let radius = compared(&lab, &sides);
    assert_eq!(
        (&radius["group_radius"], &radius["observables"]),
        (&Value::from(1.5), &same["observables"])
    );
}

#[test]
fn densities_are_of_boxes_or_of_hulls_on_both_sides() {
    let lab = lab();
    csv(&lab);
    let sides = [
        "--average-from-a",
        "0",
        "--every",
        "1",
        "--set-b",
        "seed=5",
        "--columns",
        "density",
        "--fps",
        "20",
    ];
    let hulls = compared(&lab, &[&["pond.csv", "pond.toml"], &sides[..]].concat());
    let row = &hulls["observables"]["density"];
    let [a, b] = ["a", "b"].map(|side| row[side]["mean"].as_f64().expect("a mean"));
    // Nine digits of a CSV.
    assert!((a - b).abs() < 1e-5 * a && a > 60.0 / 81.0 * 1.01, "{row}");
    assert!(
        hulls["notes"].to_string().contains("in the convex hull on both sides"),
        "{}",
        hulls["notes"]
    );
    let recordings = compared(
        &lab,
        &["pond.csv", "pond.wbr", "--fps-a", "20", "--scale-a", "1", "--columns", "density"],
    );
    assert!(
        recordings["observables"]["density"]["distance"]["standardized"]
            .as_f64()
            .expect("a number")
            < 1e-4
    );
    let boxes = compared(&lab, &[&["pond.wbr", "pond.toml"], &sides[..8]].concat());
    assert!(
        (boxes["observables"]["density"]["b"]["mean"].as_f64().expect("a mean") - 60.0 / 81.0)
            .abs()
            < 1e-12
    );
    // A periodic box is no hull, and the flock in it has none.
    let periodic = ["--set-b", "domain.kind=periodic", "--columns", "density,polarization"];
    let left_out = compared(&lab, &[&["pond.csv", "pond.toml"], &periodic[..]].concat());
    let names: Vec<&String> =
        left_out["observables"].as_object().expect("observables").keys().collect();
    assert_eq!(names, ["polarization"]);
    assert!(left_out["notes"].to_string().contains("density is left out"), "{}", left_out["notes"]);
}

#[test]
fn one_side_alone_can_be_changed() {
    let lab = lab();
    let slower = compared(
        &lab,
        &["pond.toml", "pond.toml", "--set-b", "agent.max_speed=0.5", "--columns", "mean_speed"],
    );
    let row = &slower["observables"]["mean_speed"];
    assert_eq!(
        (&row["distance"]["cliffs_delta"], &row["distance"]["kolmogorov_smirnov"]),
        (&(-1.0).into(), &1.0.into()),
        "{row}"
    );
    // By the definition: how far values move, over the deviation of A or a twentieth of its mean.
    let of = |side: &str, what: &str| row[side][what].as_f64().expect("a number");
    let unit = of("a", "standard_deviation").max(0.05 * of("a", "mean"));
    let moved = (of("a", "mean") - of("b", "mean")) / unit;
    assert!(
        (row["distance"]["standardized"].as_f64().expect("a number") - moved).abs() < 1e-9,
        "{row}"
    );
    // An option of one side comes before that of both.
    let scaled =
        ["pond.wbr", "pond.wbr", "--scale", "100", "--scale-b", "2", "--columns", "mean_speed"];
    let scaled = compared(&lab, &scaled)["observables"]["mean_speed"].clone();
    let ratio = scaled["a"]["mean"].as_f64().expect("a mean")
        / scaled["b"]["mean"].as_f64().expect("a mean");
    assert!((ratio - 50.0).abs() < 1e-4, "{scaled}");
}

#[test]
fn lengths_in_other_units_are_not_compared() {
    let lab = Lab::new();
    let rows: String = (0..30)
        .map(|k| format!("{},{},{},{}\n", k / 3, k % 3, k % 3 * 7 + k, k * k % 11))
        .collect();
    lab.write("camera.csv", format!("frame,id,x (px),y (px)\n{rows}"));
    lab.write("hall.csv", format!("frame,id,x (cm),y (cm)\n{rows}"));
    let apart = compared(&lab, &["camera.csv", "hall.csv", "--fps", "5", "--radius", "1"]);
    let row = |name: &str| apart["observables"][name].clone();
    for name in ["mean_speed", "nearest_neighbor_distance", "density", "groups"] {
        assert!(
            row(name)["distance"].is_null()
                && row(name)["unit"].is_null()
                && !row(name)["a"].is_null(),
            "{name}: {}",
            row(name)
        );
    }
    let turned = row("polarization")["distance"]["standardized"].as_f64().expect("a number");
    assert!(turned < 1e-12, "{turned}");
    assert!(
        apart["notes"]
            .to_string()
            .contains("lengths are px in A and m in B, and not comparable: --scale-a"),
        "{apart}"
    );
    // A user who knows how long a pixel is says so.
    let together = compared(&lab, &["camera.csv", "hall.csv", "--fps", "5", "--scale-a", "0.01"]);
    assert_eq!(together["observables"]["mean_speed"]["distance"]["standardized"], 0.0);
    // Without a stated unit they are in one only if --scale says so, or both are recordings of our
    // own.
    lab.write("table.csv", format!("frame,id,x,y\n{rows}"));
    for (sides, units) in [
        (["table.csv", "hall.csv"], "of no stated unit in A and m in B"),
        (["table.csv", "table.csv"], "of no stated unit in A and"),
    ] {
        let unknown = compared(&lab, &[&sides[..], &["--fps", "5"]].concat());
        assert!(unknown["observables"]["mean_speed"]["distance"].is_null(), "{sides:?}");
        assert!(!unknown["observables"]["polarization"]["distance"].is_null(), "{sides:?}");
        assert!(unknown["notes"].to_string().contains(units), "{unknown}");
        let told = compared(&lab, &[&sides[..], &["--fps", "5", "--scale-a", "1"]].concat());
        assert!(!told["observables"]["mean_speed"]["distance"].is_null(), "{sides:?}");
    }
    // Nor are seconds and frames.
    let times = compared(
        &lab,
        &[
            "hall.csv",
            "hall.csv",
            "--fps-a",
            "5",
            "--columns",
            "mean_speed,nearest_neighbor_distance",
        ],
    );
    assert!(times["observables"]["mean_speed"]["distance"].is_null());
    assert_eq!(times["observables"]["nearest_neighbor_distance"]["distance"]["standardized"], 0.0);
}

#[test]
fn tables_and_plots_say_the_same() {
    let lab = lab();
    let args = [
        "compare",
        "pond.wbr",
        "pond.toml",
        "--runs",
        "3",
        "--out",
        "out.csv",
        "--plot",
        "out.svg",
        "--columns",
    ];
    let printed = lab.wingbeat(&[&args[..], &["polarization,mean_speed,groups"]].concat());
    assert!(printed.status.success(), "{}", text(&printed.stderr));
    let printed = text(&printed.stdout);
    assert!(
        printed.contains("41 moments")
            && printed.contains("3 runs of a scene")
            && printed.contains("12 moments"),
        "{printed}"
    );
    let table = std::fs::read_to_string(lab.path("out.csv")).expect("the table");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let head = reader.headers().expect("a head").clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(
        rows.iter().map(|row| &row[0]).collect::<Vec<_>>(),
        ["polarization", "mean_speed", "groups"]
    );
    let json = compared(
        &lab,
        &["pond.wbr", "pond.toml", "--runs", "3", "--columns", "polarization,mean_speed,groups"],
    );
    for row in &rows {
        let cell = |name: &str| -> f64 {
            let place = head
                .iter()
                .position(|head| head == name)
                .unwrap_or_else(|| panic!("no column {name}"));
            row[place].parse().expect("a number")
        };
        let known = &json["observables"][&row[0]];
        assert_eq!(cell("a_mean"), known["a"]["mean"].as_f64().expect("a mean"));
        assert_eq!(cell("b_sd"), known["b"]["standard_deviation"].as_f64().expect("a number"));
        assert_eq!(cell("b_count"), 12.0);
        assert_eq!(
            cell("ks_distance"),
            known["distance"]["kolmogorov_smirnov"].as_f64().expect("a number")
        );
    }
    let svg = std::fs::read_to_string(lab.path("out.svg")).expect("the plot");
    let document = roxmltree::Document::parse(&svg).expect("XML");
    let texts: Vec<&str> =
        document.descendants().filter_map(|node| node.text()).map(str::trim).collect();
    for expected in [
        "pond and pond",
        "mean speed (length/s)",
        "groups",
        "A: pond",
        "B: pond",
        "part of the moments below",
    ] {
        assert!(texts.contains(&expected), "{expected} is missing: {texts:?}");
    }
}

#[test]
fn threads_change_no_byte() {
    let lab = lab();
    let by = |threads: &str| {
        lab.wingbeat(&[
            "compare",
            "pond.wbr",
            "pond.toml",
            "--runs",
            "5",
            "--json",
            "--threads",
            threads,
        ])
        .stdout
    };
    assert_eq!(text(&by("1")), text(&by("3")));
}

#[test]
fn bad_input_is_refused() {
    let lab = lab();
    csv(&lab);
    lab.write("space.toml", "[flock]\nboids = 9\ndimensions = 3\n[cohesion]\n");
    refused(&lab, &["pond.wbr", "nothing.toml"], &["nothing.toml"]);
    refused(
        &lab,
        &["pond.wbr", "space.toml"],
        &["pond.wbr: is in 2-D, and space.toml is in 3-D: allowed are two of the same"],
    );
    refused(
        &lab,
        &["pond.toml", "pond.toml", "--fps", "3"],
        &["--fps = 3: allowed is nothing here"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.toml", "--scale-b", "3"],
        &["--scale-b = 3: allowed is nothing here", "this side is a scene"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.toml", "--set-a", "seed=3"],
        &["--set-a = seed=3", "this side is a recording"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.csv", "--runs", "3"],
        &["--runs = 3: allowed is nothing here"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.csv", "--steps", "3"],
        &["pond.wbr, pond.csv: two recordings", "--steps"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.toml", "--runs", "0"],
        &["--runs = 0: allowed is a whole number, 1 to 10000"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.toml", "--average-from", "40"],
        &["--average-from = 40: allowed is", "0 to 39"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.toml", "--average-from-a", "40"],
        &["= 40: allowed is a whole number below 40, the last frame"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.toml", "--every-b", "41"],
        &["pond.toml: no step after 0 is a multiple of 41"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.toml", "--columns", "order"],
        &["--columns = order: allowed is polarization"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.toml", "--radius", "-1"],
        &["--radius = -1: allowed is a number above 0"],
    );
    refused(&lab, &["pond.wbr", "pond.toml", "--set-b", "cohesion.wait=1"], &["cohesion.wait"]);
    refused(
        &lab,
        &["pond.wbr", "pond.toml", "--out", "pond.wbr.txt"],
        &["--out = pond.wbr.txt", ".csv"],
    );
    refused(
        &lab,
        &["pond.csv", "pond.toml", "--out", "pond.csv"],
        &["--out = pond.csv: allowed is another file than pond.csv"],
    );
    refused(
        &lab,
        &["pond.wbr", "pond.csv", "--columns", "groups", "--plot", "a.svg"],
        &["--plot = a.svg", "no observable has values"],
    );
}

#[test]
fn a_page_shows_both_sides() {
    let lab = lab();
    csv(&lab);
    let args =
        ["compare", "pond.csv", "pond.toml", "--fps-a", "20", "--html", "both.html", "--runs", "2"];
    let output = lab.wingbeat(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(lab.path("both.html")).expect("the page");
    assert_eq!(page.matches("<iframe").count(), 2);
    assert!(page.contains("pond.csv and pond.toml") && page.len() > 100_000);
    // A page may take the place of a page, and of nothing else.
    assert!(lab.wingbeat(&args).status.success());
    lab.write("mine.html", "<p>mine</p>");
    refused(
        &lab,
        &["pond.csv", "pond.toml", "--html", "mine.html"],
        &["--html = mine.html: allowed is another name"],
    );
    assert_eq!(std::fs::read_to_string(lab.path("mine.html")).expect("still there"), "<p>mine</p>");
    let mut left = lab.files();
    left.retain(|name| {
        !["both.html", "mine.html", "pond.csv", "pond.toml", "pond.wbr"].contains(&name.as_str())
    });
    assert_eq!(left, Vec::<String>::new(), "nothing else is left");
}
