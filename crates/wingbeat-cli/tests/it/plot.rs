//! `wingbeat plot`: pictures of observables over time.

use crate::common::{Lab, text};

const POND: &str = "[flock]\nboids = 60\ndimensions = 2\nseed = 7\n[separation]\nradius = 0.8\n\
        [alignment]\n\
        [cohesion]\nradius = 1.5\n";

fn ok(lab: &Lab, args: &[&str]) -> String {
    let output = lab.wingbeat(&[&["plot"], args].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Texts of an SVG, and how many points its lines have.
fn drawn(lab: &Lab, name: &str) -> (Vec<String>, Vec<usize>) {
    let svg = std::fs::read_to_string(lab.path(name)).expect("a chart");
    let document = roxmltree::Document::parse(&svg).expect("XML");
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text());
    let lines = document.descendants().filter(|node| {
        node.has_tag_name("polyline") && node.attribute("stroke") != Some("#6E6E6E")
    });
    let points = |node: roxmltree::Node<'_, '_>| {
        node.attribute("points").map_or(0, |points| points.split_whitespace().count())
    };
    (texts.map(|text| text.trim().to_string()).collect(), lines.map(points).collect())
}

#[test]
fn a_recording_and_its_observations_make_the_same_lines() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.json(&[&scene, "--steps", "20", "--record", "a.wbr", "--observe", "a.csv"]);
    let said = ok(&lab, &["a.wbr", "-o", "recording.svg"]);
    assert!(said.contains("recording.svg: 21 frames"), "{said}");
    ok(&lab, &["a.csv", "-o", "csv.svg"]);
    let (recording, csv) = (drawn(&lab, "recording.svg"), drawn(&lab, "csv.svg"));
    assert_eq!(recording.1, csv.1);
    assert_eq!(recording.1.iter().filter(|&&points| points == 21).count(), 2, "{:?}", recording.1);
    for word in ["time", "polarization", "milling", "a: polarization, milling"] {
        assert!(recording.0.iter().any(|text| text == word), "{word}: {:?}", recording.0);
    }
    ok(&lab, &["a.wbr", "-o", "one.svg", "--columns", "mean_speed", "--every", "5"]);
    let (texts, points) = drawn(&lab, "one.svg");
    assert!(
        texts.iter().any(|text| text == "mean speed (length/time)") && points.contains(&5),
        "{texts:?} {points:?}"
    );
    assert!(
        ok(&lab, &["a.wbr", "-o", "one.png", "--columns", "polarization,density", "--quiet"])
            .is_empty()
    );
    assert_eq!(&std::fs::read(lab.path("one.png")).expect("a chart")[1..4], b"PNG");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.json(&[&scene, "--steps", "3", "--record", "a.wbr", "--observe", "a.csv"]);
    lab.write("bad.csv", "step,time,individuals,polarization,milling\n0,0,2,0.5,x\n");
    let files = lab.files();
    for (args, expected) in [
        (&["a.wbr"][..], "--output"),
        (&["a.wbr", "-o", "a.jpg"], ".svg or .png"),
        (
            &["a.wbr", "-o", "a.svg", "--columns", "order"],
            "--columns = order: allowed is polarization, ",
        ),
        (&["a.wbr", "-o", "a.svg", "--columns", "groups"], "counted with --radius"),
        (&["a.csv", "-o", "a.svg", "--radius", "2"], "--radius = 2: allowed is nothing here"),
        (&["a.wbr", "-o", "a.svg", "--radius", "-2"], "a number above 0"),
        (&["bad.csv", "-o", "a.svg"], "line 2: \"x\": allowed is a number"),
        (&["none.wbr", "-o", "a.svg"], "no such file"),
        (&["a.wbr", "-o", "a.svg", "--every", "0"], "--every = 0"),
    ] {
        let output = lab.wingbeat(&[&["plot"], args].concat());
        let message = text(&output.stderr);
        assert_eq!(
            (output.status.code(), message.lines().count()),
            (Some(2), 1),
            "{args:?}: {message}"
        );
        assert!(message.contains(expected), "{args:?}: {message}");
    }
    assert_eq!(lab.files(), files);
}
