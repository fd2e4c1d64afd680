//! `--curve` and `--individuals`: what is found over many moments, and of every boid.

use crate::common::{Lab, text};

/// A file's columns by name; NaN for empty cells.
fn columns(lab: &Lab, file: &str) -> Vec<(String, Vec<f64>)> {
    let content =
        std::fs::read_to_string(lab.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut lines = content.lines();
    let names = lines.next().expect("a head").split(',').map(str::to_string);
    let rows: Vec<Vec<f64>> = lines
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect())
        .collect();
    names.enumerate().map(|(i, name)| (name, rows.iter().map(|row| row[i]).collect())).collect()
}

fn column(lab: &Lab, file: &str, name: &str) -> Vec<f64> {
    let found = columns(lab, file).into_iter().find(|(known, _)| known == name);
    found.unwrap_or_else(|| panic!("{name} in {file}")).1
}

fn good(lab: &Lab, args: &[&str]) {
    let output = lab.wingbeat(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
}

const CURVES: [&str; 7] = [
    "pair_correlation",
    "mean_squared_displacement",
    "velocity_autocorrelation",
    "speed",
    "turning_rate",
    "neighbor_map",
    "delays",
];

/// `--curve NAME=PREFIX-NAME.csv` for all of them.
fn all(prefix: &str) -> Vec<String> {
    CURVES
        .iter()
        .flat_map(|name| ["--curve".to_string(), format!("{name}={prefix}-{name}.csv")])
        .collect()
}

fn run(lab: &Lab, prefix: &str, args: &[&str]) {
    let curves = all(prefix);
    let curves: Vec<&str> = curves.iter().map(String::as_str).collect();
    good(
        lab,
        &[
            &["run", "shoal", "--boids", "80", "--every", "4", "--lags", "6", "--reach", "3"],
            args,
            &curves,
        ]
        .concat(),
    );
}

#[test]
fn a_run_and_its_recording_have_the_same_curves_and_rows() {
    let lab = Lab::new();
    run(&lab, "run", &["--steps", "40", "--record", "r.wbr", "--individuals", "run.csv"]);
    let curves = all("file");
    let curves: Vec<&str> = curves.iter().map(String::as_str).collect();
    let measure = ["measure", "r.wbr", "--lags", "6", "--reach", "3", "--individuals", "file.csv"];
    good(&lab, &[&measure[..], &curves].concat());
    for name in CURVES {
        let (one, other) =
            (columns(&lab, &format!("run-{name}.csv")), columns(&lab, &format!("file-{name}.csv")));
        assert!(one.iter().all(|(_, values)| !values.is_empty()), "{name}");
        for ((head, one), (other_head, other)) in one.iter().zip(&other) {
            assert_eq!((head, one.len()), (other_head, other.len()), "{name}");
            // A time step is an f32, and the recording's rate one over it.
            let same = one.iter().zip(other).all(|(a, b)| (a - b).abs() <= 1e-6 * (1.0 + a.abs()));
            assert!(same, "{name} {head}: {one:?} {other:?}");
        }
    }
    let (steps, turning) =
        (column(&lab, "run.csv", "step"), column(&lab, "run.csv", "turning_rate"));
    assert_eq!((steps.len(), steps[80 * 11 - 1]), (80 * 11, 40.0), "steps 0, 4, … 40");
    assert!(turning[..80].iter().all(|rate| rate.is_nan()), "before the first no boid turned");
    assert!(turning[80..].iter().all(|rate| rate.is_finite()));
    assert_eq!(column(&lab, "run.csv", "speed"), column(&lab, "file.csv", "speed"));
    let heads: Vec<String> = columns(&lab, "run.csv").into_iter().map(|(name, _)| name).collect();
    let wanted = "step,time,id,speed,turning_rate,nearest_neighbor_distance,group_size";
    assert_eq!(heads.join(","), wanted, "a run has a radius, by its rules");
    let heads: Vec<String> = columns(&lab, "file.csv").into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        heads.join(","),
        "frame,time,id,speed,turning_rate,nearest_neighbor_distance",
        "no --radius, no --voronoi"
    );
}

#[test]
fn a_run_that_goes_on_from_a_checkpoint_has_the_curves_of_one_that_was_not_broken_off() {
    let lab = Lab::new();
    run(&lab, "whole", &["--steps", "40"]);
    run(&lab, "half", &["--steps", "20", "--checkpoint", "c"]);
    run(&lab, "resumed", &["--steps", "40", "--checkpoint", "c", "--resume", "c"]);
    for name in CURVES {
        let of = |prefix: &str| {
            std::fs::read_to_string(lab.path(&format!("{prefix}-{name}.csv"))).expect("a table")
        };
        assert_eq!(of("resumed"), of("whole"), "{name}");
        assert_ne!(of("half"), of("whole"), "{name}");
    }
    let refused = |args: &[&str], with: &str| {
        let resume = ["run", "shoal", "--boids", "80", "--steps", "40", "--resume", "c"];
        let output = lab.wingbeat(&[&resume[..], args].concat());
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(2), String::new()),
            "{args:?}"
        );
        assert!(text(&output.stderr).contains(with), "{args:?}: {}", text(&output.stderr));
    };
    refused(
        &["--every", "4", "--curve", "speed=s.csv"],
        "--curve, --lags, --reach: allowed with --resume c is pair_correlation,",
    );
    refused(
        &["--every", "4", "--individuals", "i.csv"],
        "--individuals = i.csv: allowed is nothing with --checkpoint or --resume",
    );
}

#[test]
fn curves_are_drawn_and_individuals_have_the_columns_asked_for() {
    let lab = Lab::new();
    let rows: String = (0..20)
        .flat_map(|t| {
            (0..6).map(move |id| {
                format!("{t},{id},{},{}\n", t as f64 * 0.1 + f64::from(id), f64::from(id * id % 5))
            })
        })
        .collect();
    lab.write("six.csv", format!("frame,id,x (cm),y (cm)\n{rows}"));
    let pictures = [
        "--curve",
        "speed=s.svg",
        "--curve",
        "neighbor_map=n.png",
        "--curve",
        "pair_correlation=g.svg",
    ];
    good(&lab, &[&["measure", "six.csv", "--fps", "10"], &pictures[..]].concat());
    let picture = std::fs::read_to_string(lab.path("s.svg")).expect("a picture");
    assert!(
        picture.contains("six: speed")
            && picture.contains("speed (m/s)")
            && picture.contains("20 moments")
    );
    assert!(picture.contains("probability density (s/m)"));
    assert!(std::fs::read(lab.path("n.png")).expect("a picture").starts_with(b"\x89PNG"));
    let individuals = ["measure", "six.csv", "--fps", "10", "--individuals", "i.csv"];
    good(
        &lab,
        &[
            &individuals[..],
            &[
                "--voronoi",
                "0.03",
                "--columns",
                "groups,local_order",
                "--radius",
                "0.02",
                "--observe",
                "o.csv",
            ],
        ]
        .concat(),
    );
    let heads: Vec<String> = columns(&lab, "i.csv").into_iter().map(|(name, _)| name).collect();
    assert_eq!(heads.join(","), "frame,time,id,group_size,local_order,voronoi_area");
    let (each, mean) =
        (column(&lab, "i.csv", "voronoi_area"), column(&lab, "o.csv", "voronoi_area"));
    let first: f64 = each[..6].iter().sum::<f64>() / 6.0;
    assert!((first - mean[0]).abs() < 1e-15 && first > 0.0, "{first} {}", mean[0]);
    // All walk one way.
    assert!(column(&lab, "o.csv", "local_order").iter().all(|order| (order - 1.0).abs() < 1e-12));
}

#[test]
fn what_is_no_curve_is_refused_in_a_line() {
    let lab = Lab::new();
    lab.write("two.csv", "frame,id,x,y\n0,1,0,0\n0,2,1,0\n1,1,0,1\n1,2,1,1\n");
    for (args, with) in [
        (
            &["--curve", "msd=m.csv"][..],
            "--curve = msd: allowed is pair_correlation, mean_squared_displacement,",
        ),
        (&["--curve", "speed"], "--curve = speed: allowed is NAME=FILE"),
        (
            &["--curve", "speed=s.txt"],
            "--curve = s.txt: allowed is a file that ends in .csv or .svg or .png",
        ),
        (&["--curve", "delays=d.svg"], "--curve = d.svg: allowed is a file that ends in .csv"),
        (&["--curve", "speed=two.csv"], "allowed is another file than two.csv, which is read"),
        (
            &["--curve", "speed=s.csv", "--curve", "delays=s.csv"],
            "allowed is another file than s.csv",
        ),
        (
            &["--curve", "speed=s.csv", "--lags", "0"],
            "--lags = 0: allowed is a whole number, 1 to 10000",
        ),
        (
            &["--curve", "speed=s.csv", "--lags", "many"],
            "--lags = many: allowed is a whole number, 1 to 10000",
        ),
        (
            &["--curve", "speed=s.csv", "--reach", "-1"],
            "--reach = -1: allowed is a finite number above 0",
        ),
        (&["--lags", "9"], "--curve"),
        (&["--individuals", "i.svg"], "--individuals = i.svg: allowed is a file that ends in .csv"),
        (&["--walkable", "0,0,1,1"], "--voronoi"),
    ] {
        let output = lab.wingbeat(&[&["measure", "two.csv"], args].concat());
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(2), String::new()),
            "{args:?}"
        );
        assert!(text(&output.stderr).contains(with), "{args:?}: {}", text(&output.stderr));
    }
    assert_eq!(lab.files(), ["two.csv"], "nothing was written");
    let output = lab.wingbeat(&["run", "shoal", "--boids", "9", "--steps", "1", "--every", "2"]);
    assert!(
        text(&output.stderr).contains(
            "nothing without --observe, --average-from, --curve, --individuals or --record"
        )
    );
}

#[test]
fn in_a_periodic_box_ways_go_across_its_edges() {
    // To the right at 0.6 a frame, out of a box of 10 and in again; never near the line at 5.
    let frame = |x: f64| {
        format!(
            "1\nLattice=\"10 0 0 0 10 0 0 0 10\" pbc=\"T T F\" dimensions=2 \
            Properties=id:I:1:pos:R:3\n7 {x} 2 0\n"
        )
    };
    let lab = Lab::new();
    lab.write("box.xyz", [9.0, 9.6, 0.2, 0.8].map(frame).concat());
    let measure = |args: &[&str]| {
        let output =
            lab.wingbeat(&[&["measure", "box.xyz", "--fps", "1", "--json"], args].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let report = measure(&["--line=5,0,5,10", "--line=0.1,0,0.1,10", "--line=9.9,0,9.9,10"]);
    let speed = &report["observables"]["mean_speed"];
    assert!((speed["max"].as_f64().expect("a speed") - 0.6).abs() < 1e-6, "{speed}");
    let crossed = |line: usize| report["lines"][line]["persons"].as_u64();
    assert_eq!([0, 1, 2].map(crossed), [Some(0), Some(1), Some(1)], "{}", report["lines"]);
}
