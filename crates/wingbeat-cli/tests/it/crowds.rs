//! What engineers ask of a crowd: who came through which door when, how dense it was, and how long
//! it took.

use serde_json::Value;

use crate::common::{Lab, text};

#[track_caller]
fn ok(lab: &Lab, args: &[&str]) -> String {
    let output = lab.wingbeat(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[track_caller]
fn near(value: &Value, wanted: f64) {
    let value = value.as_f64().expect("a number");
    assert!((value - wanted).abs() <= 1e-9, "{value}, wanted {wanted}");
}

fn read(lab: &Lab, name: &str) -> String {
    std::fs::read_to_string(lab.path(name)).expect("the file")
}

/// Twenty people, one every 0.4 s, at 1.5 a second from y = 1.05 toward negative y: through y = 0
/// at 0.7 s and on. The even ones take the door at x = 0, the odd ones that at x = 5, where one
/// more comes back at 7.5 s.
fn walkers() -> String {
    let row = |person: usize, step: usize| {
        let (x, y) = (5 * (person % 2), 1.05 - 0.06 * step as f64);
        format!("{person} {} {x} {y}\n", 10 * person + step)
    };
    let rows: String =
        (0..20).flat_map(|person| (0..36).map(move |step| row(person, step))).collect();
    format!("# framerate: 25 fps\n{rows}90 187 5 -1\n90 188 5 1\n")
}

#[test]
fn doors_count_their_own_people_window_by_window() {
    let lab = Lab::new();
    let walk = lab.write("walk.txt", walkers());
    let doors = ["--line", "west=-1,0,1,0", "--line=east=4,0,6,0", "--window", "4"];
    let files = ["--passages", "p.csv", "--flow", "f.csv", "--json"];
    let report: Value =
        serde_json::from_str(&ok(&lab, &[&["measure", &walk], &doors[..], &files].concat()))
            .expect("JSON");
    // Even people cross at 0.7 + 0.8 k, odd ones at 1.1 + 0.8 k; the recording ends with frame 225,
    // at 9 s.
    let [west, east] = [0, 1].map(|i| &report["lines"][i]);
    assert_eq!((&west["name"], &east["name"]), (&"west".into(), &"east".into()));
    assert_eq!(
        (&report["line"]["persons"], &report["line"]["to_right"]),
        (&10.into(), &10.into()),
        "the first line, as ever"
    );
    assert_eq!(
        (&east["persons"], &east["to_right"], &east["to_left"]),
        (&11.into(), &10.into(), &1.into())
    );
    near(&west["flow"], 1.0 / 0.8);
    let column = |line: &Value, key: &str| -> Vec<f64> {
        let windows = line["windows"].as_array().expect("windows");
        windows.iter().map(|window| window[key].as_f64().expect("a number")).collect()
    };
    assert_eq!(
        (column(west, "start_s"), column(west, "end_s")),
        (vec![0.0, 4.0, 8.0], vec![4.0, 8.0, 9.0])
    );
    assert_eq!(
        (column(west, "persons_right"), column(west, "flow_right")),
        (vec![5.0, 10.0, 10.0], vec![1.25, 1.25, 0.0])
    );
    assert_eq!(
        (column(east, "persons_right"), column(east, "persons_left")),
        (vec![4.0, 9.0, 10.0], vec![0.0, 1.0, 1.0])
    );
    assert_eq!(
        (column(east, "persons"), column(east, "flow")),
        (vec![4.0, 10.0, 11.0], vec![1.0, 1.5, 1.0])
    );
    assert_eq!(column(east, "specific_flow"), [0.5, 0.75, 0.5]);

    let flow = read(&lab, "f.csv");
    let rows: Vec<&str> = flow.lines().collect();
    assert_eq!(
        rows[0],
        "line,start_s,end_s,persons,persons_right,persons_left,flow,flow_right,flow_left,\
         specific_flow"
    );
    assert_eq!((rows.len(), rows[5]), (7, "east,4.0,8.0,10,9,1,1.5,1.25,0.25,0.75"));
    let passages = read(&lab, "p.csv");
    let rows: Vec<Vec<&str>> = passages.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!((rows.len(), &rows[0]), (22, &vec!["id", "time", "direction", "line"]));
    assert_eq!((rows[1][0], rows[1][2], rows[1][3]), ("0", "right", "west"));
    assert_eq!(
        rows[19..21],
        [["17", "7.5", "right", "east"], ["90", "7.5", "left", "east"]],
        "by time, then id"
    );
    for (i, row) in rows[1..11].iter().enumerate() {
        assert!(
            (row[1].parse::<f64>().expect("a time") - (0.7 + 0.8 * i as f64)).abs() < 1e-9,
            "{row:?}"
        );
    }
    let summary = ok(&lab, &[&["measure", &walk], &doors[..]].concat());
    for part in [
        "line west: 10 ids",
        "line east: 11 ids",
        "ids by then",
        "     4.00      8.00        9        1    1.250    0.250",
    ] {
        assert!(summary.contains(part), "\"{part}\" is missing from:\n{summary}");
    }
    assert!(
        ok(&lab, &["measure", &walk, "--line=4,0,6,0"])
            .contains("\nline: 11 ids cross it, 10 times to the right, 1 times")
    );
}

/// A lattice of 0.5 that walks along x at 0.5 a second, ten frames a second.
fn lattice() -> String {
    let row = |frame: usize, person: usize| {
        let [x, y] = [person % 12, person / 12].map(|place| 0.5 * place as f64);
        format!("{person} {frame} {} {y}\n", x + 0.05 * frame as f64)
    };
    let rows: String =
        (0..5).flat_map(|frame| (0..144).map(move |person| row(frame, person))).collect();
    format!("# framerate: 10 fps\n{rows}")
}

#[test]
fn cells_give_the_density_of_a_lattice_whatever_the_area() {
    let lab = Lab::new();
    let crowd = lab.write("crowd.txt", lattice());
    let ask = ["measure", &crowd, "--area=2.1,2,3.3,3.4", "--voronoi", "2"];
    let pictures = [
        "--diagram",
        "d.csv",
        "--diagram",
        "d.svg",
        "--map",
        "m.png",
        "--observe",
        "o.csv",
        "--json",
    ];
    let report: Value =
        serde_json::from_str(&ok(&lab, &[&ask[..], &pictures].concat())).expect("JSON");
    let observables = &report["observables"];
    for key in ["min", "max", "mean"] {
        near(&observables["area_voronoi_density"][key], 4.0);
        near(&observables["area_voronoi_speed"][key], 0.5);
    }
    assert!(
        observables["area_density"]["max"].as_f64().is_some_and(|heads| heads > 4.5),
        "{observables}"
    );
    assert!(read(&lab, "o.csv").lines().next().is_some_and(|head| {
        head.ends_with(",area_density,area_mean_speed,area_voronoi_density,area_voronoi_speed")
    }));
    let diagram = read(&lab, "d.csv");
    let rows: Vec<&str> = diagram.lines().collect();
    assert_eq!(
        (rows.len(), rows[0]),
        (6, "frame,time,density,speed,voronoi_density,voronoi_speed")
    );
    let last: Vec<f64> = rows[5].split(',').map(|cell| cell.parse().expect("a number")).collect();
    assert!(
        (last[1] - 0.4).abs() < 1e-12
            && (last[4] - 4.0).abs() < 1e-9
            && (last[5] - 0.5).abs() < 1e-9,
        "{last:?}"
    );
    let svg = read(&lab, "d.svg");
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let blue = document
        .descendants()
        .filter(|node| node.has_tag_name("circle") && node.attribute("fill") == Some("#0072B2"));
    assert_eq!(blue.count(), 5 + 1, "a point a frame, and its specimen");
    assert!(svg.contains("Weidmann") && svg.contains("Voronoi cells"), "{svg}");
    let map = std::fs::read(lab.path("m.png")).expect("the file");
    assert_eq!(map[1..4], *b"PNG");
    // Other cells, another map; the same again is the same.
    let draw = |more: &[&str]| {
        ok(&lab, &[&["measure", &crowd, "--map", "n.png"], more].concat());
        std::fs::read(lab.path("n.png")).expect("the file")
    };
    assert!(draw(&["--voronoi", "2"]) == map && draw(&["--voronoi", "0.2"]) != map);
    assert_ne!(draw(&[]), draw(&["--map-kind", "peak"]));
    // Without cells there are none.
    let report: Value =
        serde_json::from_str(&ok(&lab, &[&ask[..3], &["--json"]].concat())).expect("JSON");
    assert!(report["observables"]["area_voronoi_density"].is_null());
}

#[test]
fn walls_keep_cells_in() {
    let lab = Lab::new();
    let one = lab.write("one.txt", "1 0 1 1\n1 1 1 1\n");
    let density = |more: &[&str]| {
        let args = [&["measure", &one, "--area=0.9,0.9,1.1,1.1", "--voronoi", "5", "--json"], more]
            .concat();
        let report: Value = serde_json::from_str(&ok(&lab, &args)).expect("JSON");
        report["observables"]["area_voronoi_density"]["mean"].clone()
    };
    near(&density(&[]), 1.0 / 75.0);
    near(&density(&["--walkable=0,0,2,3"]), 1.0 / 6.0);
}

/// Ten who walk to the right at 1 a second and leave beyond 10.25: who starts at x is out after the
/// first half second from 10.25 − x.
fn hall(lab: &Lab) -> String {
    let rows: String = (0..10).map(|id| format!("{id},{},5,1,0\n", id + 1)).collect();
    let start = lab.write("start.csv", format!("id,x,y,vx,vy\n{rows}"));
    lab.write(
        "hall.toml",
        format!(
            "[flock]\ndimensions = 2\ndt = 0.5\n[domain]\nkind = \"absorbing\"\nmin = [0, 0]\n\
             max = [10.25, 10]\n\
             [initial]\nfile = '{start}'\n"
        ),
    )
}

#[test]
fn a_sweep_tells_how_long_it_took_to_leave() {
    let lab = Lab::new();
    let hall = hall(&lab);
    let ask = [
        "sweep",
        &hall,
        "--steps",
        "10,18,19",
        "--seed",
        "1..2",
        "--columns",
        "left,t50,t90,t100,arrived,polarization",
    ];
    ok(&lab, &[&ask[..], &["--out", "t.csv", "--plot", "t.svg", "--y", "t50"]].concat());
    let table = read(&lab, "t.csv");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(
        rows[0],
        "flock.steps,seeds,steps,average_from,every,left,left_se,t50,t50_se,t90,t90_se,\
         t100,t100_se,arrived,arrived_se,polarization,polarization_se"
    );
    // Five are out at 4.5 s, nine at 8.5 s, all at 9.5 s; polarization is 0 once no boid is there.
    assert_eq!(rows[1], "10,2,10,0,10,5,0,4.5,0,,,,,0,0,1,0");
    assert_eq!(rows[2], "18,2,18,0,10,9,0,4.5,0,8.5,0,,,0,0,1,0");
    assert!(rows[3].starts_with("19,2,19,0,10,10,0,4.5,0,8.5,0,9.5,0,0,0,"), "{table}");
    assert!(read(&lab, "t.svg").contains("t50 (time)"));
    // The same numbers as the run's own.
    let report = lab.json(&[&hall, "--steps", "18"]);
    assert_eq!(
        (&report["events"]["left"], &report["events"]["time_to_90"]),
        (&9.into(), &8.5.into())
    );
    // The journal knows these columns only; the same command takes all from there, other columns
    // are refused.
    assert!(read(&lab, "t.csv.runs.csv").contains(
        "\n\
                flock.steps,flock.seed,state_hash,left,t50,t90,t100,arrived,polarization,\
                line_hash\n"
    ));
    assert!(ok(&lab, &[&ask[..], &["--out", "t.csv"]].concat()).contains("6 runs, 0 of them new"));
    let other = lab.wingbeat(&[&ask[..6], &["--columns", "t50", "--out", "t.csv"]].concat());
    assert!(text(&other.stderr).contains("other columns"), "{}", text(&other.stderr));
    // All observables are the default, and a journal that names no columns is one of them.
    ok(&lab, &["sweep", &hall, "--steps", "10,12", "--out", "all.csv"]);
    assert!(read(&lab, "all.csv").starts_with(
        "flock.steps,seeds,steps,average_from,every,polarization,polarization_se,milling,"
    ));
    assert!(!read(&lab, "all.csv.runs.csv").contains("columns"));
    assert!(
        ok(&lab, &["sweep", &hall, "--steps", "10,12", "--out", "all.csv"])
            .contains("2 runs, 0 of them new")
    );
}

/// Six who walk to the right at 1 a second, each from one further left: three on a lower way with
/// an exit at x = 8, three on an upper one with an exit at x = 9. A third exit is never reached.
#[test]
fn a_sweep_has_columns_for_each_exit() {
    let lab = Lab::new();
    let rows: String = (0..6)
        .map(|id| format!("{id},{},{},1,0\n", 7.25 - f64::from(id / 2), 1 + 5 * (id % 2)))
        .collect();
    let start = lab.write("start.csv", format!("id,x,y,vx,vy\n{rows}"));
    let exit = |name: &str, x0: u32, y0: u32| {
        format!(
            "[exit.\"{name}\"]\nkind = \"box\"\nmin = [{x0}, {y0}]\nmax = [{}, {}]\n",
            x0 + 1,
            y0 + 2
        )
    };
    let exits = exit("low", 8, 0) + &exit("high", 9, 5) + &exit("none", 0, 8);
    let head = "[flock]\ndimensions = 2\ndt = 0.5\n[domain]\nkind = \"open\"\n[initial]\nfile = ";
    let two = lab.write("two.toml", format!("{head}'{start}'\n{exits}"));
    let columns = "exit.low.left,exit.low.flow,exit.low.last,exit.high.last,\
                   exit.none.left,exit.none.flow,exit.none.last,left";
    let ask = [
        "sweep",
        &two,
        "--steps",
        "4,9",
        "--columns",
        columns,
        "--out",
        "t.csv",
        "--plot",
        "t.svg",
        "--y",
        "exit.low.last",
    ];
    ok(&lab, &ask);
    let table = read(&lab, "t.csv");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let column = |row: usize, name: &str| {
        rows[row][rows[0].iter().position(|known| *known == name).expect(name)]
    };
    // From 7.25, 6.25, 5.25 they are at 8 or beyond after 1, 2, 3 s, and at 9 after 2, 3, 4 s.
    let values = |row: usize| columns.split(',').map(|name| column(row, name)).collect::<Vec<_>>();
    assert_eq!(values(1), ["2", "1", "2", "2", "0", "", "", "3"]);
    assert_eq!(values(2), ["3", "1", "3", "4", "0", "", "", "6"]);
    assert!(read(&lab, "t.svg").contains("exit.low.last (time)"));
    let refused = lab.wingbeat(&[
        "sweep",
        &two,
        "--steps",
        "4,9",
        "--columns",
        "exit.door.left",
        "--out",
        "u.csv",
    ]);
    let wanted = "--columns = exit.door.left: allowed is a column of an exit of the scene: low, \
        high, none";
    assert!(
        refused.status.code() == Some(2) && text(&refused.stderr).contains(wanted),
        "{}",
        text(&refused.stderr)
    );
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let lab = Lab::new();
    let walk = lab.write("walk.txt", walkers());
    let hall = hall(&lab);
    let before = lab.files();
    let area = "--area=0,0,1,1";
    let cases: &[(&[&str], &[&str])] = &[
        (&["--line=0,0,1,1", "--window", "0"], &["--window = 0", "above 0"]),
        (
            &["--line=0,0,1,1", "--window", "1e-9"],
            &["--window = 0.000000001", "100000 windows", "0.00 s to 9.00 s"],
        ),
        (&["--line=0,0,1,1", "--window", "soon"], &["--window = soon", "finite number"]),
        (&["--window", "2"], &["--line"]),
        (&["--passages", "p.csv"], &["--line"]),
        (&["--line=0,0,1,1", "--flow", "f.csv"], &["--window"]),
        (&["--line=0,0,1,1", "--passages", "p.txt"], &["--passages = p.txt", ".csv"]),
        (&["--line=a=0,0,1,1", "--line=a=0,0,2,2"], &["--line = a=0,0,2,2", "no other line"]),
        (&["--line==0,0,1,1"], &["--line = =0,0,1,1", "NAME="]),
        (&["--line=a=0,0,0,0"], &["--line = 0,0,0,0", "two different points"]),
        (&["--walkable", "0,0,1,1"], &["--voronoi"]),
        (&[area, "--voronoi", "0"], &["--voronoi = 0", "above 0"]),
        (&[area, "--voronoi", "2", "--walkable=1,0,0,1"], &["--walkable = 1,0,0,1", "xmin < xmax"]),
        (&["--diagram", "d.csv"], &["--area"]),
        (&[area, "--diagram", "d.txt"], &["--diagram = d.txt", ".csv or .svg or .png"]),
        (&[area, "--diagram", "d.csv", "--observe", "d.csv"], &["--diagram = d.csv", "--observe"]),
        (&["--area=70,70,71,71", "--diagram", "d.svg"], &["--diagram d.svg", "nothing to draw"]),
        (&["--map", "m.svg"], &["--map = m.svg", ".png"]),
        (&["--map", "m.png", "--cell", "0"], &["--cell = 0", "above 0"]),
        (&["--map", "m.png", "--cell", "1e-4"], &["--cell = 0.0001", "1000000 squares"]),
        (&["--map", "m.png", "--walkable=70,70,71,71"], &["walk.txt", "nothing to draw"]),
        (&["--map", "m.png", "--map-kind", "median"], &["median", "peak"]),
        (&["--cell", "0.2"], &["--map"]),
    ];
    let sweep = ["sweep", &hall, "--steps", "1,2", "--out", "s.csv"];
    let sweeps: &[(&[&str], &[&str])] = &[
        (&["--columns", "t50,t60"], &["--columns = t60", "polarization", "t90"]),
        (&["--columns", "t50,left,t50"], &["--columns = t50", "each once"]),
        (&["--columns", ""], &["--columns = "]),
        (&["--columns", "t50", "--plot", "s.svg", "--y", "left"], &["--y = left: allowed is t50"]),
    ];
    let measures = cases
        .iter()
        .map(|(args, expected)| ([&["measure", walk.as_str()], *args].concat(), expected));
    let sweeps = sweeps.iter().map(|(args, expected)| ([&sweep, *args].concat(), expected));
    for (args, expected) in measures.chain(sweeps) {
        let output = lab.wingbeat(&args);
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
