//! Files of trackers, simulators and spreadsheets: every command that reads recordings takes them
//! as they are, says in which units it measured, and refuses others in one line that names an
//! option which helps.

use crate::common::{Lab, npy, text};
use serde_json::Value;

const WIDE: &str = "time,x1,y1,x2,y2\n0.00,0,0,10,0\n0.04,1,2,11,2\n0.08,2,4,12,4\n";
const TREX: &str = "frame,time,missing,X#wcentroid (cm),Y#wcentroid (cm)\n0,0,0,100,0\n\
        1,0.04,1,inf,inf\n\
        2,0.08,0,100,300\n3,0.12,0,100,600\n";
const TRACKR: &str = "frame,id,x,y,n,width,height,angle,track\n1,1,10,20,5,1,1,0,7\n\
    2,1,11,21,5,1,1,0,7\n";
const EXCEL: &str = "\u{feff}Frame;Id;X [cm];Y [cm]\r\n0;1;150,5;2,5\r\n1;1;151,5;2,5\r\n";
const JUPEDSIM: &str = "# framerate: 8\n# id frame x/m y/m z/m\n3 0 1 2 0\n3 1 1.5 2 0\n";
const OWN: &str = "frame,id,x (cm),y (cm),vx,vy\n0,1,1,2,3,4\n1,1,4,6,3,4\n";
const ODD: &str = "frame,who,X1,Y1,x,y\n0,a,1,2,0,0\n1,a,3,2,0,0\n";

#[track_caller]
fn measured(lab: &Lab, args: &[&str]) -> Value {
    let output = lab.wingbeat(&[&["measure"], args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn layouts_are_read_right_away_with_their_units() {
    let lab = Lab::new();
    for (name, content, options, fps, speed, unit) in [
        ("wide.csv", WIDE, &[][..], 25.0, 25.0 * 5f64.sqrt(), "length/s"),
        // 300 cm in a frame.
        ("trex.csv", TREX, &[], 25.0, 75.0, "m/s"),
        ("trackr.csv", TRACKR, &[], 1.0, 2f64.sqrt(), "length/frame"),
        (
            "trackr.csv",
            TRACKR,
            &["--fps", "10", "--scale", "0.5"],
            10.0,
            5.0 * 2f64.sqrt(),
            "length/s",
        ),
        ("excel.csv", EXCEL, &["--fps", "2"], 2.0, 0.02, "m/s"),
        ("excel.csv", EXCEL, &["--fps", "2", "--scale", "1"], 2.0, 2.0, "length/s"),
        ("jupedsim.txt", JUPEDSIM, &[], 8.0, 4.0, "m/s"),
        ("odd.csv", ODD, &["--map-columns", "x=X1,y=Y1,id=who"], 1.0, 2.0, "length/frame"),
        // Speeds of the file's own, per second as it says, or per an unknown unit; not per frame.
        ("own.csv", &OWN.replace("vx,vy", "vx (cm/s),vy (cm/s)"), &[], 1.0, 0.05, "m/s"),
        ("own.csv", OWN, &[], 1.0, 0.05, ""),
        ("own.csv", OWN, &["--fps", "2"], 2.0, 0.05, "m/s"),
    ] {
        lab.write(name, content);
        let report = measured(&lab, &[&[name], options].concat());
        let mean = report["observables"]["mean_speed"]["mean"].as_f64().expect("a speed");
        assert!(
            (mean - speed).abs() < 1e-9 && report["fps"] == fps,
            "{name} {options:?}: {mean}, {}",
            report["fps"]
        );
        assert_eq!(
            report["units"]["mean_speed"].as_str().unwrap_or_default(),
            unit,
            "{name} {options:?}"
        );
    }
    let said = |args: &[&str]| text(&lab.wingbeat(&[&["measure"], args].concat()).stdout);
    let summary = said(&["trex.csv"]);
    for part in [
        "coordinates times 0.01, lengths in m\n",
        "mean_speed, m/s",
        "lengths are cm, as the file says",
    ] {
        assert!(summary.contains(part), "\"{part}\" is missing from:\n{summary}");
    }
    lab.write("own.csv", OWN);
    let own = said(&["own.csv"]);
    assert!(
        own.contains("times count frames\n")
            && !own.contains("per frame")
            && !own.contains("/frame"),
        "{own}"
    );
    let unknown = said(&["wide.csv"]);
    assert!(
        unknown.contains("the unit of the file, which does not say which")
            && unknown.contains("mean_speed, length/s"),
        "{unknown}"
    );
}

#[test]
fn every_command_that_reads_takes_the_same_options() {
    let lab = Lab::new();
    lab.write("odd.csv", ODD);
    let map = ["--map-columns", "x=X1,y=Y1,id=who", "--fps", "4", "--scale", "10", "--y-down"];
    for args in [
        &["convert", "odd.csv", "flat.csv"][..],
        &["replay", "odd.csv", "-o", "odd.html"],
        &["render", "odd.csv", "--png", "odd.png", "--size", "64x64"],
        &["plot", "odd.csv", "-o", "odd.svg"],
        &["measure", "odd.csv"],
    ] {
        let output = lab.wingbeat(&[args, &map].concat());
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(output.status.success(), "{args:?}: {said}");
        // A chart has no room for notes.
        assert!(
            args[0] == "plot" || said.contains("y points downwards in the file"),
            "{args:?}: {said}"
        );
    }
    let flat = std::fs::read_to_string(lab.path("flat.csv")).expect("a table");
    assert_eq!(flat, "frame,time,id,x,y,vx,vy\n0,0,0,10,-20,80,0\n1,0.25,0,30,-20,80,0\n");
}

#[test]
fn refusals_name_an_option_that_helps() {
    let lab = Lab::new();
    lab.write("odd.csv", ODD);
    lab.write("parts.csv", "frame,head_x,head_y,tail_x,tail_y\n0,1,2,3,4\n");
    lab.write("uneven.csv", "time,id,x,y\n0,1,2,3\n1,1,2,3\n1.4,1,2,3\n");
    lab.write("many.csv", "frame,x,y\n0,1,2\n0,3,4\n");
    lab.write("bare.csv", "0,1,2,3\n1,1,2,3\n");
    lab.write("units.csv", "frame,id,x/cm,y/mm\n0,1,2,3\n");
    lab.write("walk.txt", "1 0 2 3\n");
    lab.write("turned.npy", npy("<f4", "(30, 2, 5)", &[0; 1200]));
    lab.write("evil.npy", npy("|O", "()", b"\x80\x04cos\nsystem\n\x8c\x04true\x85R."));
    lab.write("pond.toml", "[flock]\nboids = 9\n[cohesion]\n");
    lab.write("order.csv", "step,time,individuals,polarization\n0,0,1,1\n1,1,1,1\n");
    let before = lab.files();
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["measure", "parts.csv"],
            &["parts.csv:1", "head_x,head_y,tail_x,tail_y", "--map-columns x=NAME,y=NAME"],
        ),
        (&["convert", "uneven.csv", "a.wbr"], &["not evenly spaced", "--map-columns frame=NAME"]),
        (
            &["measure", "many.csv"],
            &["many.csv:3", "frame 0 stands twice", "--map-columns id=NAME"],
        ),
        (&["measure", "bare.csv"], &["bare.csv:1", "names of columns"]),
        (&["measure", "units.csv"], &["x/cm, y/mm", "one unit"]),
        (
            &["measure", "odd.csv", "--map-columns", "x=X9,y=Y9"],
            &["--map-columns x=X9: allowed are frame, who, X1, Y1, x, y"],
        ),
        (
            &["measure", "odd.csv", "--map-columns", "w=X1"],
            &["--map-columns = w=X1", "ROLE=COLUMN", "frame, time, id, species"],
        ),
        (
            &["measure", "walk.txt", "--map-columns", "x=a,y=b"],
            &["--map-columns = x=a,y=b: allowed is nothing: the file has no header"],
        ),
        (
            &["replay", "turned.npy", "--map-columns", "x=a,y=b"],
            &["--map-columns", "a .npy has no columns with names"],
        ),
        (
            &["render", "turned.npy", "--png", "a.png"],
            &["[frames, 2 or 3, individuals], which numpy.swapaxes(a, 1, 2) puts right"],
        ),
        (
            &["convert", "odd.csv", "a.sqlite"],
            &["convert to = a.sqlite: allowed is a file that ends in .wbr"],
        ),
        (
            &["measure", "evil.npy"],
            &["an array of pickled objects: read it in Python: ", "numpy.load(\"evil.npy\""],
        ),
        (
            &["render", "pond.toml", "--png", "a.png", "--fps", "5"],
            &["--fps = 5: allowed is nothing here", "a scene"],
        ),
        (
            &["plot", "order.csv", "-o", "a.svg", "--y-down"],
            &["--y-down = true: allowed is nothing here"],
        ),
    ];
    for (args, expected) in cases {
        let output = lab.wingbeat(args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(
            stderr.starts_with("wingbeat: ") && stderr.lines().count() == 1,
            "{args:?}: {stderr}"
        );
        for part in *expected {
            assert!(stderr.contains(part), "{args:?}: \"{part}\" is missing from: {stderr}");
        }
    }
    assert_eq!(lab.files(), before, "nothing is left behind");
}

#[test]
fn an_initial_state_in_centimeters_is_converted_once() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", "[flock]\nboids = 2\ndimensions = 2\n[cohesion]\n");
    lab.write(
        "walk.txt",
        "# framerate: 10\n# id frame x/cm y/cm z/cm\n1 0 100 200 170\n\
        2 0 300 -400 170\n1 1 110 200 170\n",
    );
    for (set, name) in [(&[][..], "read.csv"), (&["--set", "initial.scale=0.01"], "told.csv")] {
        let output = lab.wingbeat(
            &[&["run", &scene, "--initial", "walk.txt", "--steps", "0", "--final", name], set]
                .concat(),
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(
            text(&output.stderr).contains("lengths are cm, as the file says"),
            set.is_empty(),
            "{}",
            text(&output.stderr)
        );
        let last = std::fs::read_to_string(lab.path(name)).expect("the file");
        assert_eq!(last, "id,x,y,vx,vy\n1,1,2,1,0\n2,3,-4,0,0\n", "{name}");
    }
}
