//! Sweeps over seeds alone: how runs differ, in quantiles and in a picture.

use std::collections::HashMap;

use crate::common::{Lab, text};

const POND: &str = "[flock]\nboids = 40\ndimensions = 2\n[domain]\nkind = \"periodic\"\n\
    [separation]\nradius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n";

/// The endings of a column's quantiles, each with its part of the runs.
const QUANTILES: [(&str, f64); 7] = [
    ("min", 0.0),
    ("q10", 0.1),
    ("q25", 0.25),
    ("median", 0.5),
    ("q75", 0.75),
    ("q90", 0.9),
    ("max", 1.0),
];

#[track_caller]
fn swept(lab: &Lab, args: &[&str]) -> [String; 2] {
    let output = lab.wingbeat(&[&["sweep"], args].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    [text(&output.stdout), text(&output.stderr)]
}

fn read(lab: &Lab, name: &str) -> String {
    std::fs::read_to_string(lab.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Rows of a CSV file by column name; `#` lines are left out.
fn table(csv: &str) -> Vec<HashMap<String, String>> {
    let lines: Vec<&str> = csv.lines().filter(|line| !line.starts_with('#')).collect();
    let text = lines.join("\n");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// Quantile p of n values: the value at place (n − 1)·p in order, linear between two.
fn quantile(values: &[f64], p: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = p * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below * (1.0 - place.fract()) + above * place.fract()
}

#[track_caller]
fn has_quantiles_of(row: &HashMap<String, String>, column: &str, values: &[f64]) {
    for (ending, p) in QUANTILES {
        let (name, wanted) = (format!("{column}_{ending}"), quantile(values, p));
        let got: f64 = row[&name].parse().unwrap_or_else(|_| panic!("{name}: {}", row[&name]));
        assert!((got - wanted).abs() < 1e-12 * (1.0 + wanted.abs()), "{name}: {got}, not {wanted}");
    }
}

#[test]
fn quantiles_over_seeds_are_those_of_single_runs_and_of_the_journal() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let seeds = ["9", "1", "2", "5", "30", "7"];
    let columns = "polarization,nearest_neighbor_distance,left";
    let settings = ["--steps", "60", "--average-from", "20", "--every", "10"];
    let args = [
        &[&scene, "--seed", "9,1,2,5,30,7", "--columns", columns, "--out", "out.csv"],
        &settings[..],
    ];
    let [said, _] = swept(&lab, &args.concat());
    assert!(said.contains("1 row: means, standard errors and quantiles over 6 seeds"), "{said}");
    let (rows, runs) = (table(&read(&lab, "out.csv")), table(&read(&lab, "out.csv.runs.csv")));
    assert_eq!((rows.len(), runs.len(), rows[0]["seeds"].as_str()), (1, 6, "6"));
    for column in columns.split(',') {
        let values: Vec<f64> =
            runs.iter().map(|run| run[column].parse().expect("a number")).collect();
        has_quantiles_of(&rows[0], column, &values);
    }
    let single = |seed: &&str| {
        let report = lab.json(&[&[scene.as_str(), "--seed", seed], &settings[..]].concat());
        let distance = &report["observed_means"]["nearest_neighbor_distance"];
        [&report["mean_polarization"], distance].map(|value| value.as_f64().expect("a number"))
    };
    let singles: Vec<[f64; 2]> = seeds.iter().map(single).collect();
    for (i, column) in ["polarization", "nearest_neighbor_distance"].into_iter().enumerate() {
        let values: Vec<f64> = singles.iter().map(|values| values[i]).collect();
        has_quantiles_of(&rows[0], column, &values);
        let low = rows[0][&format!("{column}_min")].as_str();
        assert!(low < rows[0][&format!("{column}_max")].as_str(), "runs differ in {column}");
    }
}

#[test]
fn tables_over_other_keys_and_over_one_seed_have_no_quantiles() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for args in [
        &["--set", "cohesion.weight=1,2", "--seed", "1..3"][..],
        &["--seed", "4..4"],
        &["--seed", "4"],
    ] {
        let base = [scene.as_str(), "--steps", "5", "--columns", "milling", "--out", "out.csv"];
        swept(&lab, &[&base[..], &["--fresh"], args].concat());
        let head = read(&lab, "out.csv").lines().next().expect("a head").to_string();
        assert!(head.ends_with("every,milling,milling_se"), "{args:?}: {head}");
    }
}

/// Seeds of a hall, and steps in which half of the people leave in each run, all in none.
const HALL: [&str; 9] =
    ["building", "--boids", "40", "--seed", "1..6", "--steps", "500", "--columns", "t50,t90,t100"];

#[test]
fn a_time_that_some_runs_do_not_reach_has_no_quantiles_and_a_share_below_one() {
    let lab = Lab::new();
    let [said, notes] =
        swept(&lab, &[&HALL[..], &["--out", "out.csv", "--plot", "out.svg"]].concat());
    let (rows, runs) = (table(&read(&lab, "out.csv")), table(&read(&lab, "out.csv.runs.csv")));
    let reached = |column: &str| -> Vec<f64> {
        runs.iter().filter_map(|run| run[column].parse().ok()).collect()
    };
    let [half, most] = ["t50", "t90"].map(reached);
    assert!(half.len() == 6 && (1..6).contains(&most.len()), "{half:?} {most:?}");
    has_quantiles_of(&rows[0], "t50", &half);
    let missing = 6 - most.len();
    for (ending, _) in QUANTILES {
        assert_eq!(rows[0][&format!("t90_{ending}")], "", "the others are later");
    }
    assert!(said.contains(&format!("no quantiles: {missing} of 6 runs have no number")), "{said}");
    for note in [
        format!("--plot: {missing} of 6 runs have no number in t90: its share of runs ends below"),
        "--plot: no run has a number in t100: left out".into(),
    ] {
        assert!(notes.contains(&note), "{notes}");
    }
    // The first line of a color is its curve of shares: all runs reach t50, some t90.
    let [all, some] = ["#0072B2", "#D55E00"].map(|color| {
        let curve = &lines(&read(&lab, "out.svg"), color)[0];
        (curve[0][1] - curve[curve.len() - 1][1]) * 6.0
    });
    assert!((some / all * 6.0 - most.len() as f64).abs() < 0.05, "{some} of {all}: {most:?}");
}

/// The corners of the lines of one color, upper panel first, in pixels.
fn lines(svg: &str, color: &str) -> Vec<Vec<[f64; 2]>> {
    let document = roxmltree::Document::parse(svg).expect("well-formed");
    let is_line = |node: &roxmltree::Node<'_, '_>| {
        node.has_tag_name("polyline") && node.attribute("stroke") == Some(color)
    };
    let corner = |pair: &str| {
        let (x, y) = pair.split_once(',').expect("x,y");
        [x, y].map(|text| text.parse().expect("a number"))
    };
    let corners = |node: roxmltree::Node<'_, '_>| {
        node.attribute("points").unwrap_or("").split_whitespace().map(corner).collect()
    };
    document.descendants().filter(is_line).map(corners).collect()
}

#[test]
fn the_plot_of_seeds_alone_is_a_step_curve_above_a_histogram() {
    let lab = Lab::new();
    let plot = ["--out", "out.csv", "--plot", "out.svg", "--y", "t50"];
    swept(&lab, &[&HALL[..], &plot].concat());
    let svg = read(&lab, "out.svg");
    for said in
        ["building: t50 of 6 seeds", "cumulative share of runs", "t50 (s)", "runs", "seed alone"]
    {
        assert!(svg.contains(said), "{said} is missing");
    }
    assert_eq!(svg.matches("<circle").count(), 0, "corners have no marks");
    let lines = lines(&svg, "#0072B2");
    let [shares, heaps] = &lines[..] else { panic!("{} lines", lines.len()) };
    let times: Vec<f64> = table(&read(&lab, "out.csv.runs.csv"))
        .iter()
        .map(|run| run["t50"].parse().expect("a number"))
        .collect();
    // Up by a sixth at each run's time; pixels of a later time are farther right.
    assert_eq!(shares.len(), 2 * times.len());
    let [low, high] = [0.0, 1.0].map(|p| quantile(&times, p));
    let [[left, bottom], [right, top]] = [shares[0], shares[shares.len() - 1]];
    for (i, pair) in shares.chunks(2).enumerate() {
        let time = quantile(&times, i as f64 / (times.len() - 1) as f64);
        let x = left + (right - left) * (time - low) / (high - low);
        let y = bottom + (top - bottom) * (i + 1) as f64 / times.len() as f64;
        assert!((pair[1][0] - x).abs() <= 1.5 && (pair[1][1] - y).abs() <= 1.5, "{pair:?}: {x}");
    }
    // The bins' heights sum up to six runs: five bins of the same width, between the same ends.
    assert!((heaps[0][0] - left).abs() < 1.0 && (heaps[heaps.len() - 1][0] - right).abs() < 1.0);
    let levels: Vec<f64> =
        heaps[1..heaps.len() - 1].chunks(2).map(|pair| heaps[0][1] - pair[0][1]).collect();
    let all: f64 = levels.iter().sum();
    let runs = levels.iter().map(|level| level / all * times.len() as f64);
    assert!(levels.len() >= 5, "{levels:?}");
    assert!(runs.clone().all(|count| (count - count.round()).abs() < 0.05), "{levels:?}");

    // Several columns of a unit share the panels, and have a legend with lines and no marks.
    let plot = ["--out", "out.csv", "--plot", "two.svg", "--y", "t50,t90"];
    swept(&lab, &[&HALL[..], &plot].concat());
    let svg = read(&lab, "two.svg");
    assert!(svg.contains("building: t50, t90 of 6 seeds") && !svg.contains("<circle"));
    for color in ["#0072B2", "#D55E00"] {
        assert_eq!(self::lines(&svg, color).len(), 3, "two lines and the legend's specimen");
    }
    swept(&lab, &[&HALL[..], &["--out", "out.csv", "--plot", "two.png"]].concat());
    assert_eq!(std::fs::read(lab.path("two.png")).expect("the file")[..4], *b"\x89PNG");
}

#[test]
fn plots_of_nothing_and_of_columns_that_share_no_axis_are_refused() {
    let lab = Lab::new();
    let refused = |args: &[&str], code: i32, parts: &[&str]| {
        let all = [&["sweep", "building", "--steps", "9", "--out", "out.csv"], args].concat();
        let output = lab.wingbeat(&[&all[..], &["--plot", "out.svg"]].concat());
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
        let line = stderr.lines().find(|line| line.starts_with("wingbeat:")).unwrap_or("");
        for part in parts {
            assert!(line.contains(part), "{args:?}: {part} is missing from: {stderr}");
        }
        assert!(!lab.path("out.svg").exists());
    };
    for one in ["3", "3..3"] {
        refused(
            &["--seed", one],
            2,
            &["--plot = out.svg", "no horizontal axis (two seeds or more, and no other key"],
        );
    }
    let two = ["--seed", "1..2", "--columns", "t50,left,t90"];
    let with = |rest: &[&'static str]| [&two[..], rest].concat();
    refused(&with(&["--y", "t50,left"]), 2, &["--y = t50,left", "columns of one unit"]);
    refused(&with(&["--y", "t100"]), 2, &["--y = t100", "t50, left, t90, each once"]);
    refused(&with(&["--plot-as", "map"]), 2, &["--plot-as = map", "nothing where the seed alone"]);
    refused(&with(&["--plot-as", "lines"]), 2, &["--plot-as = lines"]);
    // Nine steps are too few for anyone to leave.
    refused(&with(&[]), 1, &["--plot out.svg", "no run has a number", "the table is written"]);
    assert!(read(&lab, "out.csv").contains("left_median"));
}
