//! `wingbeat measure`, and the same observables of a run: what they print and write, and what they
//! refuse.

use crate::common::{Lab, f32s, npy, text};
use serde_json::Value;
use wingbeat_test_support::tier;

const POND: &str = "[flock]\nboids = 60\ndimensions = 2\nseed = 7\ndt = 0.1\n[separation]\n\
    radius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n";
/// Two who walk side by side, and one that comes late and stands.
const WALK: &str = "# framerate: 10 fps\n1 0 0 0\n2 0 0 1\n1 1 0 2\n2 1 0 3\n2 2 0 5\n1 2 0 4\n\
    3 2 9 9\n";

#[track_caller]
fn measured(lab: &Lab, args: &[&str]) -> Value {
    let output = lab.wingbeat(&[&["measure"], args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn a_recording_is_measured_and_reported_on() {
    let lab = Lab::new();
    let walk = lab.write("walk.txt", WALK);
    let report = measured(
        &lab,
        &[&walk, "--radius", "2", "--scale", "0.5", "--line=-1,1.25,1,1.25", "--area=-1,0,1,2"],
    );
    assert_eq!(
        (report["fps"].as_f64(), report["scale"].as_f64(), report["frames_measured"].as_u64()),
        (Some(10.0), Some(0.5), Some(3))
    );
    assert_eq!(
        (report["found"]["ids"].as_u64(), report["found"]["late_ids"].as_u64()),
        (Some(3), Some(1))
    );
    assert_eq!(report["found"]["without_velocity"].as_u64(), Some(1));
    let speed = &report["observables"]["mean_speed"];
    assert_eq!(
        (speed["mean"].as_f64(), speed["min"].as_f64(), speed["max"].as_f64()),
        (Some(10.0), Some(10.0), Some(10.0))
    );
    assert_eq!(report["observables"]["polarization"]["median"].as_f64(), Some(1.0));
    assert_eq!(report["observables"]["groups"]["max"].as_f64(), Some(2.0));
    // One in it at 0 and 0.5, one at 1 and 1.5, one at 2 of 2 and 2.5.
    assert_eq!(report["observables"]["area_density"]["max"].as_f64(), Some(0.5));
    let line = &report["line"];
    assert_eq!(
        (line["to_left"].as_u64(), line["to_right"].as_u64(), line["persons"].as_u64()),
        (Some(2), Some(0), Some(2))
    );
    assert!((line["flow"].as_f64().expect("a flow") - 1.0 / 0.05).abs() < 1e-9, "{line}");

    let output = lab.wingbeat(&["measure", &walk, "--observe", "over_time.csv", "--every", "2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let summary = text(&output.stdout);
    for part in [
        "3 ids in 2-D",
        "10 frames per second, as the file says",
        "after the first frame: 1\n",
        "polarization",
        "--radius",
    ] {
        assert!(summary.contains(part), "\"{part}\" is missing from:\n{summary}");
    }
    let csv = std::fs::read_to_string(lab.path("over_time.csv")).expect("the file");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("frame,time,individuals,polarization,milling,"), "{}", lines[0]);
    assert_eq!(lines.len(), 3, "frames 0 and 2");
    assert!(lines[1].starts_with("0,0,2,1,0,") && lines[2].starts_with("2,0.2,3,1,"), "{csv}");
    assert!(lines[2].ends_with(",,"), "no groups without a radius: {csv}");
}

/// What was filled and smoothed is said, by every command that reads recordings; what cannot be is
/// refused.
#[test]
fn gaps_are_filled_and_tracks_smoothed_where_that_is_asked_for() {
    let lab = Lab::new();
    let rows = (0..30).filter(|frame| ![5, 6, 20, 21, 22, 23].contains(frame));
    let walk: String = rows.map(|frame| format!("1 {frame} {} 0\n", frame * frame)).collect();
    let walk = lab.write("walk.txt", format!("# framerate: 10 fps\n{walk}9 0 0 5\n9 1 1 5\n"));
    let plain = measured(&lab, &[&walk]);
    let report = measured(&lab, &[&walk, "--fill-gaps", "2", "--smooth", "7,2"]);
    let counts = [
        "gaps",
        "gaps_filled",
        "positions_filled",
        "positions_smoothed",
        "short_stretches",
        "positions_not_smoothed",
    ];
    let found =
        |report: &Value| counts.map(|name| report["found"][name].as_u64().expect("a count"));
    assert_eq!(found(&plain), [2, 0, 0, 0, 0, 0]);
    // Of the one 20 and 6 positions in a row; the other is seen twice.
    assert_eq!(found(&report), [2, 1, 2, 20, 2, 8]);
    let said =
        text(&lab.wingbeat(&["measure", &walk, "--fill-gaps", "2", "--smooth", "7,2"]).stdout);
    for part in [
        "the longest 4), 1 of them filled",
        "1 with 2 positions; 1 gaps stay",
        "order 2 over 7 of them (--smooth): 20,",
        "in 2 stretches",
    ] {
        assert!(said.contains(part), "\"{part}\" is missing from:\n{said}");
    }
    for args in [
        &["convert", &walk, "walk.csv"][..],
        &["render", &walk, "--png", "walk.png"],
        &["replay", &walk, "-o", "walk.html"],
    ] {
        let output = lab.wingbeat(&[args, &["--fill-gaps", "2", "--smooth", "7"]].concat());
        let said = text(&output.stderr);
        assert!(
            output.status.success()
                && said.contains("1 with 2 positions")
                && said.contains("order 3 over 7"),
            "{args:?}: {said}"
        );
    }
    let smoothed = std::fs::read_to_string(lab.path("walk.csv")).expect("the file");
    assert_eq!(smoothed.lines().count(), 1 + 26 + 2, "{smoothed}");
    let pond = lab.write("pond.toml", POND);
    lab.json(&[&pond, "--steps", "3", "--record", "shoal.wbr"]);
    for (args, refusal) in [
        ([&walk, "--smooth", "6"], "--smooth = 6: allowed is WINDOW[,ORDER]: an odd window"),
        ([&walk, "--smooth", "5,5"], "--smooth = 5,5: allowed is"),
        (
            [&walk, "--fill-gaps", "0"],
            "--fill-gaps = 0: allowed is a whole number of frames, 1 to 10000",
        ),
        (["shoal.wbr", "--fill-gaps", "3"], "--fill-gaps = 3: allowed is nothing with a .wbr"),
        (["shoal.wbr", "--smooth", "5"], "--smooth = 5,3: allowed is nothing with a .wbr"),
    ] {
        let output = lab.wingbeat(&[&["measure"], &args[..]].concat());
        let said = text(&output.stderr);
        assert!(
            output.status.code() == Some(2) && said.contains(refusal) && said.lines().count() == 1,
            "{args:?}: {said}"
        );
    }
}

#[test]
fn a_run_is_observed_over_time() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let report = lab.json(&[
        &scene,
        "--steps",
        "6",
        "--observe",
        "o.csv",
        "--every",
        "2",
        "--average-from",
        "2",
    ]);
    let csv = std::fs::read_to_string(lab.path("o.csv")).expect("the file");
    let mut reader = csv.lines();
    let names: Vec<&str> = reader.next().expect("a header").split(',').collect();
    let rows: Vec<Vec<f64>> = reader
        .map(|row| row.split(',').map(|cell| cell.parse().expect("a number")).collect())
        .collect();
    let column = |name: &str| names.iter().position(|known| *known == name).expect("a column");
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), [0.0, 2.0, 4.0, 6.0]);
    assert!((rows[3][column("time")] - 0.6).abs() < 1e-6);
    // The last row is the state the report describes; means are over the rows after step 2.
    for name in names.iter().skip(3) {
        // serde_json reads floats to within a last bit.
        let (row, last) = (rows[3][column(name)], report[name].as_f64().expect("a number"));
        assert!((row - last).abs() <= 1e-15 * last.abs(), "{name}: {row}, wanted {last}");
        let mean = (rows[2][column(name)] + rows[3][column(name)]) / 2.0;
        assert!(
            (report["observed_means"][name].as_f64().expect("a mean") - mean).abs()
                <= 1e-12 * mean.abs(),
            "{name}"
        );
    }
    assert_eq!(report["group_radius"].as_f64(), Some(1.5));
    // Without --observe the same means, and no file.
    let means = lab.json(&[&scene, "--steps", "6", "--every", "2", "--average-from", "2"]);
    assert_eq!((&means["observed_means"], lab.files().len()), (&report["observed_means"], 2));
    assert_eq!(means["state_hash"], report["state_hash"], "looking changes nothing");
}

#[test]
fn a_run_written_as_rows_measures_the_same() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let report = lab.json(&[&scene, "--steps", "5", "--final", "final.csv"]);
    let last = std::fs::read_to_string(lab.path("final.csv")).expect("the file");
    let rows: Vec<String> = last.lines().skip(1).map(|row| format!("5,{row}\n")).collect();
    lab.write("as_rows.csv", format!("frame,id,x,y,vx,vy\n{}", rows.concat()));
    let measured = measured(&lab, &["as_rows.csv", "--radius", "1.5"]);
    for name in [
        "polarization",
        "milling",
        "mean_speed",
        "nearest_neighbor_distance",
        "correlation_length",
        "groups",
    ] {
        // The shortest decimal brings back every f32, but is not that f32 to the last bit of an
        // f64.
        let (got, wanted) = (measured["observables"][name]["mean"].as_f64(), report[name].as_f64());
        let (got, wanted) = (got.expect("a number"), wanted.expect("a number"));
        assert!((got - wanted).abs() <= 1e-6 * wanted.abs(), "{name}: {got}, wanted {wanted}");
    }
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let lab = Lab::new();
    let walk = lab.write("walk.txt", WALK);
    let scene = lab.write("pond.toml", POND);
    lab.write("ragged.csv", "frame,id,x,y\n0,1,2\n");
    lab.write("empty.txt", "");
    lab.write("words.txt", "1 0 here there\n");
    lab.write("flat.npy", npy("<f4", "(2, 2)", &f32s(&[1.0; 4])));
    let before = lab.files();
    let cases: &[(&[&str], &[&str])] = &[
        (&["measure", "absent.csv"], &["absent.csv", "no such file"]),
        (&["measure", "ragged.csv"], &["ragged.csv:2", "the row has 3 columns"]),
        (&["measure", "empty.txt"], &["no individual in it"]),
        (&["measure", "words.txt"], &["words.txt:1", "column x = \"here\""]),
        (&["measure", "flat.npy"], &["shape [2, 2]"]),
        (&["measure", &scene], &["unknown kind of file"]),
        (&["measure"], &["FILE"]),
        (&["measure", &walk, "--fps", "0"], &["--fps = 0", "1e-6 to 1e6"]),
        (&["measure", &walk, "--fps", "fast"], &["--fps = fast", "a finite number"]),
        (&["measure", &walk, "--scale", "-1"], &["--scale = -1"]),
        (&["measure", &walk, "--radius", "0"], &["--radius = 0", "above 0"]),
        (&["measure", &walk, "--radius", "nan"], &["--radius = nan"]),
        (&["measure", &walk, "--every", "0"], &["--every = 0"]),
        (&["measure", &walk, "--line", "0,0,1"], &["--line = 0,0,1", "four"]),
        (&["measure", &walk, "--line", "-1,0,x,1,1"], &["--line", "four"]),
        (&["measure", &walk, "--line", "1,2,1,2"], &["--line = 1,2,1,2", "two different points"]),
        (&["measure", &walk, "--area", "1,1,0,2"], &["--area", "xmin < xmax"]),
        (&["measure", &walk, "--observe", "out.txt"], &["--observe = out.txt", ".csv"]),
        (&["measure", "words.txt", "--observe", "out.csv"], &["words.txt:1"]),
        (&["run", &scene, "--every", "2"], &["--every = 2", "nothing without"]),
        (&["run", &scene, "--observe", "out.csv", "--every", "0"], &["--every = 0"]),
        (&["run", &scene, "--observe", "out.json"], &["--observe = out.json"]),
    ];
    for (args, expected) in cases {
        let output = lab.wingbeat(args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert_eq!(
            (stderr.lines().count(), text(&output.stdout).as_str()),
            (1, ""),
            "{args:?}: {stderr}"
        );
        for part in *expected {
            assert!(stderr.contains(part), "{args:?}: \"{part}\" is missing from: {stderr}");
        }
    }
    assert_eq!(lab.files(), before, "files left behind");
}

/// Within 1 %.
#[track_caller]
fn near(value: &Value, wanted: f64) {
    let value = value.as_f64().expect("a number");
    assert!((value - wanted).abs() <= 0.01 * wanted, "{value}, wanted {wanted}");
}

/// Recordings of the sorts that `real_recordings_measure_as_docs_say` reads, of which every number
/// is known.
#[test]
fn made_up_recordings_measure_as_they_were_made() {
    let lab = Lab::new();
    // Ten fish, 30 frames at 32 a second, one unit a frame along x; fish k is missing in frame
    // k + 10.
    let place = |frame: usize, fish: usize| {
        if frame == fish + 10 { [f32::NAN; 2] } else { [frame as f32, 3.0 * fish as f32] }
    };
    let tracks: Vec<f32> =
        (0..30).flat_map(|frame| (0..10).flat_map(move |fish| place(frame, fish))).collect();
    let fish = lab.write("fish.npy", npy("<f4", "(30, 10, 2)", &f32s(&tracks)));
    let report = measured(&lab, &[&fish, "--fps", "32", "--radius", "3.5"]);
    let counts = ["ids", "frames", "positions", "missing_positions", "gaps"]
        .map(|key| report["found"][key].as_u64());
    assert_eq!(counts, [10, 30, 290, 10, 10].map(Some));
    near(&report["observables"]["polarization"]["mean"], 1.0);
    near(&report["observables"]["mean_speed"]["mean"], 32.0);
    // A fish that is missing splits the row of the others, but for the first and the last.
    assert_eq!(report["observables"]["groups"]["max"].as_f64(), Some(2.0));

    // Twenty people, ten frames of 1/25 s after each other, through the line y = 0 towards negative
    // y at 1.5 a second.
    let walked = |unit: f64| -> String {
        let steps = (0..20).flat_map(|person| (0..36).map(move |step| (person, step)));
        let row = |(person, step): (usize, usize)| {
            let (x, y) = (0.1 * (person % 3) as f64, 1.05 - 0.06 * step as f64);
            format!("{person} {} {} {}\n", 10 * person + step, x * unit, y * unit)
        };
        steps.map(row).collect()
    };
    let people = lab.write("people.txt", format!("# framerate: 25 fps\n{}", walked(1.0)));
    let report = measured(&lab, &[&people, "--line=-0.4,0,0.4,0", "--area=-0.4,-0.4,0.4,0.6"]);
    let crossed = ["persons", "to_right", "to_left"].map(|key| report["line"][key].as_u64());
    assert_eq!(crossed, [20, 20, 0].map(Some));
    near(&report["line"]["flow"], 2.5);
    near(&report["observables"]["area_mean_speed"]["mean"], 1.5);

    // In centimeters, and without a word on the frame rate.
    let people = lab.write("cm.txt", walked(100.0));
    let report = measured(&lab, &[&people, "--fps", "25", "--scale", "0.01"]);
    assert_eq!(report["found"]["ids"].as_u64(), Some(20));
    near(&report["observables"]["mean_speed"]["mean"], 1.5);
}

#[test]
#[ignore = "needs recordings that are not part of the project, in ../shared/data beside the \
    checkout"]
fn real_recordings_measure_as_docs_say() {
    let lab = Lab::new();
    let shared = |name: &str| format!("{}/../../../shared/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let report = measured(&lab, &[&shared("zebrafish_100.npy"), "--fps", "32", "--radius", "150"]);
    let found = &report["found"];
    let counts = ["ids", "frames", "positions", "missing_positions"].map(|key| found[key].as_u64());
    assert_eq!(counts, [100, 300, 28_256, 1744].map(Some));
    near(&report["observables"]["polarization"]["mean"], 0.678);

    let bottleneck =
        [&shared("pedestrians_bottleneck.txt"), "--line=-0.4,0,0.4,0", "--area=-0.4,0.5,0.4,1.3"];
    let report = measured(&lab, &bottleneck);
    assert_eq!(
        (report["line"]["persons"].as_u64(), report["line"]["to_left"].as_u64()),
        (Some(75), Some(0))
    );
    near(&report["line"]["flow"], 1.148);

    // PedPy 1.5.1 of the same file: Cutoff(radius=2, quad_segments=3), all in a walkable area that
    // cuts no cell; its mean of the speed is lower, as it counts what no cell covers as standing.
    let area = ["--area=-0.4,0.5,0.4,1.3", "--voronoi", "2", "--diagram", "door.csv"];
    let report =
        measured(&lab, &[&[shared("pedestrians_bottleneck.txt").as_str()], &area[..]].concat());
    let mean = report["observables"]["area_voronoi_density"]["mean"].as_f64().expect("a number");
    assert!((mean - 5.96119488410912).abs() < 1e-9, "{mean}");
    let door = std::fs::read_to_string(lab.path("door.csv")).expect("the file");
    for (frame, density, speed) in [
        (0, 3.520630155967419, 0.09542483611512266),
        (1000, 5.624663057458088, 0.15980013890170636),
    ] {
        let row: Vec<f64> = door
            .lines()
            .nth(frame + 1)
            .expect("a row")
            .split(',')
            .filter_map(|cell| cell.parse().ok())
            .collect();
        assert!((row[4] - density).abs() < 1e-9 && (row[5] - speed).abs() < 1e-9, "{row:?}");
    }

    let report =
        measured(&lab, &[&shared("pedestrians_corridor.txt"), "--fps", "16", "--scale", "0.01"]);
    assert_eq!(report["found"]["ids"].as_u64(), Some(170));
    near(&report["observables"]["mean_speed"]["mean"], 0.806);
}

#[test]
fn only_the_columns_asked_for_are_measured_and_written() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let args = ["run", &scene, "--steps", "4", "--every", "2", "--average-from", "0", "--json"];
    let all: Value = lab
        .json(&[&args[1..args.len() - 1], &["--observe", "all.csv", "--record", "r.wbr"]].concat());
    let some = lab.json(
        &[&args[1..args.len() - 1], &["--observe", "some.csv", "--columns", "groups, mean_speed"]]
            .concat(),
    );
    let rows = |name: &str| -> Vec<Vec<String>> {
        let csv = std::fs::read_to_string(lab.path(name)).expect("the file");
        csv.lines().map(|line| line.split(',').map(str::to_string).collect()).collect()
    };
    let same_as_of_all = |name: &str, counts: &str| {
        let (all, some) = (rows("all.csv"), rows(name));
        // In the order of all, whatever the order they were asked in.
        assert_eq!(some[0], [counts, "time", "individuals", "mean_speed", "groups"], "{name}");
        let place = |column: &String| {
            all[0].iter().position(|known| known == column).expect("a column of all")
        };
        assert_eq!(some.len(), all.len());
        for (row, of_all) in some.iter().zip(&all).skip(1) {
            let cells: Vec<&String> =
                some[0][3..].iter().map(|column| &of_all[place(column)]).collect();
            assert_eq!(row[3..].iter().collect::<Vec<_>>(), cells, "{name}");
        }
    };
    same_as_of_all("some.csv", "step");
    assert_eq!(some["observed_means"].as_object().map(serde_json::Map::len), Some(2));
    assert_eq!(some["observed_means"]["groups"], all["observed_means"]["groups"]);
    let report = measured(
        &lab,
        &[
            "r.wbr",
            "--radius",
            "1.5",
            "--every",
            "1",
            "--observe",
            "frames.csv",
            "--columns",
            "mean_speed,groups",
        ],
    );
    assert_eq!(report["observables"].as_object().map(serde_json::Map::len), Some(2));
    same_as_of_all("frames.csv", "frame");
    for (args, wanted) in [
        (
            &["run", &scene, "--observe", "o.csv", "--columns", "speed"][..],
            "--columns = speed: allowed is polarization, milling",
        ),
        (
            &["run", &scene, "--columns", "groups"],
            "--columns = groups: allowed is nothing without --observe",
        ),
        (&["measure", "r.wbr", "--columns", ""], "--columns = : allowed is polarization, milling"),
    ] {
        let refused = lab.wingbeat(args);
        assert_eq!(
            (refused.status.code(), text(&refused.stderr).contains(wanted)),
            (Some(2), true),
            "{}",
            text(&refused.stderr)
        );
    }
}

/// More positions than are held in memory: the table's rows are sorted in a file, the recording's
/// own are read where they are.
#[test]
fn a_long_table_measures_as_the_recording_it_was_made_of() {
    let lab = Lab::new();
    // In no periodic box, which a table could not tell of: in one, crossings are other ones.
    let walls = ["--set", "domain.kind=reflecting", "--boids", "20000", "--steps", "29"];
    let output = lab.wingbeat(&[&["run", "shoal", "--record", "r.wbr"], &walls[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let output = lab.wingbeat(&["convert", "r.wbr", "table.csv"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    // By id, as trackers write: no frame is whole before the last row.
    let table = std::fs::read_to_string(lab.path("table.csv")).expect("a table");
    let mut lines: Vec<&str> = table.lines().collect();
    let id = lines[0].split(',').position(|column| column == "id").expect("ids");
    lines[1..].sort_by_key(|line| line.split(',').nth(id).and_then(|id| id.parse::<u64>().ok()));
    lab.write("by_id.csv", &(lines.join("\n") + "\n"));
    let of = |file: &str| {
        let report =
            measured(&lab, &[file, "--columns", "polarization,mean_speed", "--line=-1e3,0,1e3,0"]);
        let found = &report["found"];
        (
            report["observables"].clone(),
            report["lines"].clone(),
            ["positions", "ids", "frames", "gaps"].map(|key| found[key].clone()),
        )
    };
    let (recording, table) = (of("r.wbr"), of("by_id.csv"));
    if tier::full() {
        assert_eq!(of("table.csv"), table);
    }
    assert_eq!(
        (table.2[0].as_u64(), &table.2, &table.1[0]["to_left"]),
        (Some(600_000), &recording.2, &recording.1[0]["to_left"])
    );
    // Nine digits of a number in single precision mean it, and are not it.
    for (name, column) in [("polarization", "mean"), ("mean_speed", "max")] {
        let [a, b] =
            [&recording.0, &table.0].map(|of| of[name][column].as_f64().expect("a number"));
        assert!((a - b).abs() < 1e-8 * a, "{name}: {a} {b}");
    }
}
