//! The command as scripts use it: what it prints, what it writes, and that results depend on the
//! scene and seed only.

use crate::common::{Lab, f32s, npy, npy_in, text};
use wingbeat::Level;
use wingbeat_scene::{PRESETS, Preset};
use wingbeat_test_support::tier;

const POND: &str = "[flock]\nboids = 200\ndimensions = 2\nseed = 7\n[separation]\nradius = 0.8\n\
        [alignment]\n\
        [cohesion]\nradius = 1.5\n";

const KEYS: [&str; 26] = [
    "angular_momentum",
    "boids",
    "correlation_length",
    "density",
    "dimensions",
    "dt",
    "ended",
    "events",
    "group_radius",
    "groups",
    "largest_group",
    "level",
    "local_order",
    "mean_neighbors",
    "mean_speed",
    "milling",
    "nearest_neighbor_distance",
    "ns_per_boid_step",
    "polarization",
    "scene",
    "seed",
    "state_hash",
    "steps",
    "threads",
    "unit",
    "wall_s",
];

fn keys(report: &serde_json::Value) -> Vec<String> {
    let mut keys: Vec<String> = report.as_object().expect("an object").keys().cloned().collect();
    keys.sort();
    keys
}

#[test]
fn json_has_exactly_its_keys() {
    let lab = Lab::new();
    let report = lab.json(&["shoal", "--boids", "300", "--steps", "5"]);
    assert_eq!(keys(&report), KEYS);
    assert_eq!((report["scene"].as_str(), report["boids"].as_u64()), (Some("shoal"), Some(300)));
    assert_eq!((report["dimensions"].as_u64(), report["steps"].as_u64()), (Some(2), Some(5)));
    assert_eq!((report["dt"].as_f64(), report["seed"].as_u64()), (Some(0.05), Some(1)));
    let hash = report["state_hash"].as_str().expect("a text");
    assert!(hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()), "{hash}");
    assert!(report["ns_per_boid_step"].as_f64().expect("a number") > 0.0);

    let report = lab.json(&["shoal", "--boids", "300", "--steps", "5", "--average-from", "2"]);
    let mut expected: Vec<&str> = KEYS.to_vec();
    expected.extend(["mean_milling", "mean_polarization"]);
    expected.sort_unstable();
    assert_eq!(keys(&report), expected);
}

#[test]
fn averages_are_over_the_steps_after() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let per_step = |steps: &str| {
        lab.json(&[&scene, "--steps", steps])["polarization"].as_f64().expect("a number")
    };
    let mean = (per_step("4") + per_step("5")) / 2.0;
    let report = lab.json(&[&scene, "--steps", "5", "--average-from", "3"]);
    assert!((report["mean_polarization"].as_f64().expect("a number") - mean).abs() < 1e-12);
}

#[test]
fn nothing_depends_on_threads_or_level() {
    let lab = Lab::new();
    // Space and the plane, species, a crowd among walls.
    let few = ["murmuration", "vicsek1995", "hunter_prey", "building"];
    let tried = |preset: &&Preset| tier::full() || few.contains(&preset.name);
    for preset in PRESETS.iter().filter(tried) {
        // Some have no room for more.
        let boids = match preset.name {
            "rvo_blocks" => "100",
            "counterflow" | "crossing" => "200",
            "building" => "400",
            _ => "1500",
        };
        let base = ["--boids", boids, "--steps", "4", "--set", "about=\"any\""];
        let mut hashes = Vec::new();
        for level in Level::available() {
            for threads in ["1", "2", "3"] {
                let mut args = vec![preset.name, "--threads", threads, "--level", level.name()];
                args.extend(base);
                let report = lab.json(&args);
                assert_eq!(
                    (report["level"].as_str(), report["threads"].to_string()),
                    (Some(level.name()), threads.to_string())
                );
                hashes.push(report["state_hash"].clone());
            }
        }
        assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{}: {hashes:?}", preset.name);
    }
}

#[test]
fn a_final_state_is_an_initial_state() {
    let lab = Lab::new();
    for preset in tier::sample(PRESETS, 4) {
        let ran = lab.json(&[preset.name, "--boids", "500", "--steps", "3", "--final", "last.csv"]);
        let read = lab.json(&[preset.name, "--initial", "last.csv", "--steps", "0"]);
        assert_eq!(ran["state_hash"], read["state_hash"], "{}", preset.name);
        assert_eq!(read["boids"].as_u64(), ran["events"]["remaining"].as_u64());
        assert!(read["ns_per_boid_step"].is_null());
    }
    assert_eq!(lab.files(), ["last.csv"]);
    lab.json(&["shoal", "--boids", "500", "--steps", "3", "--final", "last.csv"]);
    let csv = std::fs::read_to_string(lab.path("last.csv")).expect("the file");
    assert!(csv.starts_with("id,x,y,vx,vy\n0,"), "{}", &csv[..60]);
    assert_eq!(csv.lines().count(), 501);
}

#[test]
fn final_states_and_recordings_say_whose_the_boids_are() {
    let lab = Lab::new();
    let start = [
        "hunter_prey",
        "--boids",
        "40",
        "--steps",
        "3",
        "--set",
        "interaction.hunter.prey.capture_radius=0",
    ];
    lab.json(&[&start[..], &["--final", "last.csv"]].concat());
    let read = |name: &str| std::fs::read_to_string(lab.path(name)).expect("a table");
    let last = read("last.csv");
    assert!(
        last.starts_with("id,species,x,y,vx,vy\n0,prey,") && last.contains(",hunter,"),
        "{last:.80}"
    );
    // The same boids in another order, and hunters among them that the counts would make prey.
    let (header, rows) = last.split_once('\n').expect("a header");
    let backwards: Vec<&str> = rows.lines().rev().collect();
    let swapped = format!("{header}\n{}\n", backwards.join("\n").replace("0,prey,", "0,hunter,"));
    lab.write("swapped.csv", &swapped);
    lab.json(&["hunter_prey", "--initial", "swapped.csv", "--steps", "0", "--final", "again.csv"]);
    let sorted = |text: &str| {
        let mut rows: Vec<String> = text.lines().skip(1).map(str::to_string).collect();
        rows.sort();
        rows
    };
    assert_eq!(sorted(&read("again.csv")), sorted(&swapped));
    for format in ["wbr", "csv", "xyz", "npz"] {
        let file = format!("run.{format}");
        lab.json(&["hunter_prey", "--initial", "swapped.csv", "--steps", "0", "--record", &file]);
        let frame = ["--set", "initial.frame=0"];
        lab.json(
            &[
                &["hunter_prey", "--initial", &file, "--steps", "0", "--final", "again.csv"],
                &frame[..],
            ]
            .concat(),
        );
        assert_eq!(sorted(&read("again.csv")), sorted(&swapped), "{format}");
    }
    // A file that names none: the first rows are the first species', as ever.
    let bare: String = sorted(&last)
        .iter()
        .map(|row| row.replace(",prey", "").replace(",hunter", "") + "\n")
        .collect();
    lab.write("bare.csv", format!("id,x,y,vx,vy\n{bare}"));
    let output = lab.wingbeat(&[
        "run",
        "hunter_prey",
        "--initial",
        "bare.csv",
        "--steps",
        "0",
        "--final",
        "again.csv",
    ]);
    assert!(
        text(&output.stderr).contains("bare.csv: names no species"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(read("again.csv").matches(",hunter,").count(), last.matches(",hunter,").count());
    // A scene without species has no use for the column, one with others none for these.
    let output = lab.wingbeat(&["run", "shoal", "--initial", "last.csv", "--steps", "0"]);
    assert!(
        output.status.success() && text(&output.stderr).contains("columns ignored: species"),
        "{}",
        text(&output.stderr)
    );
    for (file, place) in [
        ("wolf.csv", "wolf.csv:3: column species = \"wolf\""),
        ("wolf.xyz", "wolf.xyz id 1: column species = \"wolf\""),
    ] {
        lab.write("wolf.csv", "id,species,x,y\n0,prey,5,5\n1,wolf,7,7\n");
        lab.write(
            "wolf.xyz",
            "2\nProperties=species:S:1:pos:R:3:id:I:1 dimensions=2\nprey 5 5 0 0\nwolf 7 7 0 1\n",
        );
        let output = lab.wingbeat(&["run", "hunter_prey", "--initial", file, "--steps", "0"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            message.contains(place) && message.contains("allowed is prey, hunter"),
            "{message}"
        );
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

/// The case that the counts of the scene would deal anew: some have been captured, and a run goes
/// on from what is left.
#[test]
fn a_run_goes_on_with_the_species_it_ended_with() {
    let lab = Lab::new();
    let scene = "[flock]\ndimensions = 2\nsteps = 300\n[domain]\nkind = \"reflecting\"\n\
                 min = [-30, -30]\nmax = [30, 30]\n\
                 [species.prey]\ncount = 100\n[species.hunter]\ncount = 20\n\
                 [species.hunter.agent]\nmax_speed = 4.0\n\
                 [interaction.hunter.prey]\nkind = \"pursue\"\nradius = 30.0\n\
                 capture_radius = 1.0\n";
    lab.write("hunt.toml", scene);
    let report =
        lab.json(&["hunt.toml", "--final", "last.csv", "--record", "run.wbr", "--every", "300"]);
    assert!(report["events"]["captured"].as_u64() > Some(0), "{report}");
    let last = std::fs::read_to_string(lab.path("last.csv")).expect("a table");
    assert_eq!(last.matches(",hunter,").count(), 20);
    lab.json(&["hunt.toml", "--initial", "last.csv", "--steps", "0", "--final", "again.csv"]);
    assert_eq!(std::fs::read_to_string(lab.path("again.csv")).expect("a table"), last);
    let from_frame = [
        "--initial",
        "run.wbr",
        "--set",
        "initial.frame=1",
        "--steps",
        "0",
        "--final",
        "again.csv",
    ];
    lab.json(&[&["hunt.toml"], &from_frame[..]].concat());
    assert_eq!(std::fs::read_to_string(lab.path("again.csv")).expect("a table"), last);
}

#[test]
fn files_hold_world_coordinates() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let far = ["--set", "domain.origin=[1e6, -2e6]"];
    let run = |rest: &[&str]| lab.json(&[&[scene.as_str()], &far[..], rest].concat());
    let ran = run(&["--steps", "3", "--final", "far.csv"]);
    let read = run(&["--initial", "far.csv", "--steps", "0"]);
    assert_eq!(ran["state_hash"], read["state_hash"]);
    let csv = std::fs::read_to_string(lab.path("far.csv")).expect("the file");
    let x: f64 = csv
        .lines()
        .nth(1)
        .and_then(|row| row.split(',').nth(1))
        .and_then(|x| x.parse().ok())
        .expect("a number");
    assert!((x - 1e6).abs() < 100.0, "{x}");
    // The origin moves the world, not the flock.
    assert_eq!(ran["state_hash"], lab.json(&[&scene, "--steps", "3"])["state_hash"]);
}

#[test]
fn initial_states_come_in_any_shape() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let csv = lab.write("a.csv", "id,x,y,vx,vy\n0,1,2,0.5,0\n1,3,4,0,0.5\n");
    let mixed = lab.write("b.csv", "vy,name,y,vx,x,id\n0.5,bea,4,0,3,1\n0,abe,2,0.5,1,0\n");
    let binary =
        lab.write("c.npy", npy("<f4", "(2, 4)", &f32s(&[1.0, 2.0, 0.5, 0.0, 3.0, 4.0, 0.0, 0.5])));
    let wide: Vec<u8> =
        [1.0f64, 2.0, 0.5, 0.0, 3.0, 4.0, 0.0, 0.5].iter().flat_map(|x| x.to_be_bytes()).collect();
    let big_endian = lab.write("d.npy", npy(">f8", "(2, 4)", &wide));
    let by_columns = f32s(&[1.0, 3.0, 2.0, 4.0, 0.5, 0.0, 0.0, 0.5]);
    let fortran = lab.write("e.npy", npy_in("True", "<f4", "(2, 4)", &by_columns));
    let hash =
        |file: &str| lab.json(&[&scene, "--initial", file, "--steps", "2"])["state_hash"].clone();
    for other in [&mixed, &binary, &big_endian, &fortran] {
        assert_eq!(hash(&csv), hash(other), "{other}");
    }
    let output = lab.wingbeat(&["run", &scene, "--initial", &mixed, "--steps", "0"]);
    assert!(text(&output.stderr).contains("columns ignored: name"), "{}", text(&output.stderr));

    let resting = lab.write("f.csv", "x,y\n1,2\n3,4\n");
    let output = lab.wingbeat(&["run", &scene, "--initial", &resting, "--steps", "0"]);
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("at rest")
            && stderr.contains("numbered by row")
            && stderr.contains("2 boids, in place of"),
        "{stderr}"
    );
}

#[test]
fn a_periodic_box_takes_boids_from_outside() {
    let lab = Lab::new();
    let scene = lab.write(
        "pond.toml",
        format!("{POND}[domain]\nkind = \"periodic\"\nmin = [0, 0]\nmax = [10, 10]\n"),
    );
    let outside = lab.write("outside.csv", "x,y,vx,vy\n12.5,-1.5,1,0\n5,5,0,1\n");
    let inside = lab.write("inside.csv", "x,y,vx,vy\n2.5,8.5,1,0\n5,5,0,1\n");
    let hash =
        |file: &str| lab.json(&[&scene, "--initial", file, "--steps", "3"])["state_hash"].clone();
    assert_eq!(hash(&outside), hash(&inside));
    let output = lab.wingbeat(&["run", &scene, "--initial", &outside, "--steps", "0"]);
    assert!(
        text(&output.stderr).contains("1 boids outside the periodic box"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn units_can_be_changed_on_reading() {
    let lab = Lab::new();
    let scene = lab.write(
        "pond.toml",
        format!(
            "{POND}[initial]\nfile = \"cm.csv\"\nscale = 0.01\ntime_scale = 0.5\ncenter = [0, 0]\n"
        ),
    );
    lab.write("cm.csv", "x,y,vx,vy\n100,200,50,0\n300,400,0,50\n");
    lab.json(&[&scene, "--steps", "0", "--final", "m.csv"]);
    let csv = std::fs::read_to_string(lab.path("m.csv")).expect("the file");
    assert_eq!(csv, "id,x,y,vx,vy\n0,-1,-1,1,0\n1,1,1,0,1\n");
}

#[test]
fn neighbors_are_those_in_range() {
    let lab = Lab::new();
    // Domains in which a plain double loop needs no images; walls push, and must not count.
    for (preset, domain) in [
        ("shoal", "domain.kind=open"),
        ("murmuration", "domain.kind=open"),
        ("murmuration", "domain.kind=walled"),
    ] {
        let args =
            [preset, "--boids", "500", "--steps", "20", "--set", domain, "--final", "last.csv"];
        let told = lab.json(&args)["mean_neighbors"].as_f64().expect("a number");
        let csv = std::fs::read_to_string(lab.path("last.csv")).expect("the file");
        let dimensions = if csv.starts_with("id,x,y,z") { 3 } else { 2 };
        let position = |row: &str| {
            row.split(',').skip(1).take(dimensions).map(|x| x.parse().expect("a number")).collect()
        };
        let boids: Vec<Vec<f64>> = csv.lines().skip(1).map(position).collect();
        let radius: f64 = if preset == "shoal" { 2.5 } else { 2.6 };
        let distance_sq = |one: &[f64], other: &[f64]| {
            one.iter().zip(other).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
        };
        let pairs = |one: &Vec<f64>| {
            boids.iter().filter(|other| distance_sq(one, other) <= radius * radius).count() - 1
        };
        let counted = boids.iter().map(pairs).sum::<usize>() as f64 / boids.len() as f64;
        assert!((told - counted).abs() < 0.01, "{preset} {domain}: told {told}, counted {counted}");
    }
}

#[test]
fn set_reaches_every_kind_of_key() {
    let lab = Lab::new();
    let plain = lab.json(&["shoal", "--boids", "300", "--steps", "2"]);
    let same = lab.json(&["shoal", "--set", "flock.boids=300", "--set", "flock.steps=2"]);
    assert_eq!(plain["state_hash"], same["state_hash"]);
    for set in [
        "cohesion.weight=0.1",
        "separation.falloff=inverse",
        "spawn.heading=[1, 0]",
        "domain.kind=\"open\"",
        "flock.seed=2",
        "flock.steer_every=2",
    ] {
        let other = lab.json(&["shoal", "--boids", "300", "--steps", "2", "--set", set]);
        assert_ne!(plain["state_hash"], other["state_hash"], "{set}");
    }
    // A flag wins over --set, the last --set over the first.
    let report = lab.json(&[
        "shoal",
        "--set",
        "flock.seed=5",
        "--set",
        "flock.seed=6",
        "--boids",
        "300",
        "--set",
        "flock.boids=9",
    ]);
    assert_eq!((report["seed"].as_u64(), report["boids"].as_u64()), (Some(6), Some(300)));
}

#[test]
fn boids_keep_the_density() {
    let lab = Lab::new();
    // Rooms and starts of a given size hold as many as there are.
    let given = [
        "three_rules",
        "predator_and_prey",
        "tank",
        "round_tank",
        "evacuation",
        "building",
        "bottleneck",
        "fundamental_diagram",
        "counterflow",
        "crossing",
        "stadium",
        "rvo_blocks",
        "fish_bodies",
        "leader",
        "vision_cone_follow",
    ];
    let sized = |name: &str| given.contains(&name);
    for preset in tier::sample(PRESETS.iter().filter(|preset| !sized(preset.name)), 4) {
        let neighbors = |boids: &str| {
            lab.json(&[preset.name, "--boids", boids, "--steps", "0"])["mean_neighbors"]
                .as_f64()
                .expect("a number")
        };
        let (few, many) = (neighbors("2000"), neighbors("4000"));
        if few > 2000.0 * 0.3 {
            // A group that is looked at as a whole, as in Couzin's and Unity's: its size is part of
            // the model.
            continue;
        }
        // Walled and open flocks have a rim, whose share falls with the count.
        assert!(
            (few / many - 1.0).abs() < 0.15,
            "{}: {few} for 2,000, {many} for 4,000",
            preset.name
        );
    }
}

#[test]
fn stills_are_pictures() {
    let lab = Lab::new();
    for preset in ["shoal", "murmuration"] {
        lab.json(&[preset, "--boids", "500", "--steps", "1", "--still", "a.svg"]);
        lab.json(&[preset, "--boids", "500", "--steps", "1", "--still", "a.PNG"]);
        let svg = std::fs::read_to_string(lab.path("a.svg")).expect("the drawing");
        assert_eq!(svg.matches("<path ").count(), 500);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        let png = std::fs::read(lab.path("a.PNG")).expect("the picture");
        assert_eq!((&png[..8], &png[12..16]), (&b"\x89PNG\r\n\x1a\n"[..], &b"IHDR"[..]));
    }
    assert_eq!(lab.files(), ["a.PNG", "a.svg"]);
}

#[test]
fn every_subcommand_answers() {
    let lab = Lab::new();
    let stdout = |args: &[&str]| {
        let output = lab.wingbeat(args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let listed = stdout(&["presets"]);
    let names: Vec<&str> =
        listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>());
    for preset in PRESETS {
        assert_eq!(stdout(&["show", preset.name]), preset.text);
    }
    for preset in tier::sample(PRESETS, 3) {
        assert!(stdout(&["check", preset.name]).contains("accepted"));
        lab.write("copy.toml", preset.text);
        let (here, there) = (["--boids", "400", "--steps", "1"], "copy.toml");
        let hash = |scene: &str| lab.json(&[&[scene], &here[..]].concat())["state_hash"].clone();
        assert_eq!(hash(preset.name), hash(there));
    }
    let info = stdout(&["info"]);
    assert!(
        Level::available().iter().all(|level| info.contains(level.name()))
            && info.contains(env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(stdout(&["run"]).matches("  wingbeat ").count(), 3);
    assert!(
        stdout(&[]).contains("Examples:") && stdout(&["help", "run"]).contains("--average-from")
    );
    let summary = stdout(&["run", "shoal", "--boids", "300", "--steps", "2"]);
    assert!(
        ["ns per boid", "polarization", "level", "state hash"]
            .iter()
            .all(|part| summary.contains(part)),
        "{summary}"
    );
    // Not a terminal: no map, no bar.
    assert!(!summary.chars().any(|c| ('\u{2800}'..'\u{2900}').contains(&c)), "{summary}");
}

#[test]
fn check_warns_of_parameters_that_fight() {
    let lab = Lab::new();
    for (set, expected) in [
        ("separation.radius=9", "separation.radius = 9 is above cohesion.radius"),
        ("agent.max_speed=100", "outrun"),
        ("flock.steer_every=1000", "between turns"),
        ("cohesion.weight=0", "cohesion.weight = 0"),
        ("alignment.field_of_view=1", "sees almost none"),
        ("alignment.near_radius=3", "alignment.near_radius"),
        ("separation.weight=-1", "falls together"),
        ("agent.cruise_speed=2", "agent.cruise_speed has no effect"),
        ("spawn.speed=5", "spawn.speed = 5 lies outside"),
        ("agent.max_force=1e6", "max_force"),
        ("domain.strength=5", "domain.strength has no effect"),
        ("neighborhood.k=5", "neighborhood.k has no effect"),
    ] {
        let scene = lab.write("pond.toml", POND);
        let output = lab.wingbeat(&["check", &scene, "--set", set]);
        let stderr = text(&output.stderr);
        assert!(output.status.success() && stderr.contains(expected), "{set}: {stderr}");
    }
    let scene = lab.write("pond.toml", POND);
    let output = lab.wingbeat(&["check", &scene, "--boids", "5000", "--set", "spawn.spacing=0.1"]);
    assert!(text(&output.stderr).contains("neighbors in range"), "{}", text(&output.stderr));
    let far =
        lab.write("far.toml", format!("{POND}[spawn]\nmin = [1000000, 0]\nmax = [1000010, 10]\n"));
    let output = lab.wingbeat(&["check", &far]);
    assert!(text(&output.stderr).contains("16 rounding steps"), "{}", text(&output.stderr));
}

/// Twenty boids that leave a room at a point of it.
const ROOM: &str = "[flock]\nboids = 20\ndimensions = 2\ndt = 0.1\nsteps = 200\n[domain]\n\
                    kind = \"walled\"\nmin = [0, 0]\n\
                    max = [10, 10]\n[separation]\nradius = 0.5\n[drive.out]\nkind = \"goal\"\n\
                    target = [5, 5]\n\
                    slowing_radius = 0\narrival_radius = 0.5\non_arrival = \"leave\"\nweight = 3\n";

#[test]
fn a_run_tells_who_arrived_and_left() {
    let lab = Lab::new();
    let room = lab.write("room.toml", ROOM);
    let args = [
        room.as_str(),
        "--average-from",
        "10",
        "--observe",
        "room.csv",
        "--record",
        "room.wbr",
        "--final",
        "last.csv",
    ];
    let report = lab.json(&args);
    let events = &report["events"];
    let count = |key: &str| events[key].as_u64();
    assert_eq!(
        (report["boids"].as_u64(), count("boids"), count("remaining")),
        (Some(20), Some(20), Some(0)),
        "{events}"
    );
    assert_eq!(
        (count("arrived"), count("arrivals"), count("left"), count("captured")),
        (Some(20), Some(20), Some(20), Some(0))
    );
    let times = ["time_to_50", "time_to_90", "time_to_100"]
        .map(|key| events[key].as_f64().expect("a time"));
    assert!(
        0.0 < times[0] && times[0] < times[1] && times[1] <= times[2] && times[2] < 20.0,
        "{times:?}"
    );
    assert!(report["mean_polarization"].as_f64().is_some_and(f64::is_finite));
    // Observed, recorded and written as long as there is any boid.
    let observed = std::fs::read_to_string(lab.path("room.csv")).expect("the file");
    let counts: Vec<u64> =
        observed.lines().skip(1).filter_map(|row| row.split(',').nth(2)?.parse().ok()).collect();
    assert_eq!((counts.len(), counts[0], counts[200]), (201, 20, 0));
    assert!(counts.windows(2).all(|pair| pair[0] >= pair[1]));
    assert_eq!(report["recorded"]["frames"].as_u64(), Some(201));
    assert_eq!(std::fs::read_to_string(lab.path("last.csv")).expect("the file"), "id,x,y,vx,vy\n");
    let output = lab.wingbeat(&["run", &room]);
    let summary = text(&output.stdout);
    for line in [
        "20 boids in 2-D",
        "arrived       20 of 20",
        "left          20 of 20",
        "times         half by ",
    ] {
        assert!(summary.contains(line), "\"{line}\" is missing from: {summary}");
    }
    // A box that lets every boid out, without a goal: the room empties all the same, and a
    // recording of it can be read.
    let gone = "[flock]\nboids = 20\ndimensions = 2\ndt = 0.1\nsteps = 200\n[domain]\n\
                kind = \"absorbing\"\nmin = [0, 0]\nmax = [10, 10]\n\
                [drive.out]\nkind = \"wind\"\nvector = [3, 0]\n";
    let blown = lab.write("blown.toml", gone);
    let report = lab.json(&[&blown, "--record", "blown.wbr"]);
    let count = |key: &str| report["events"][key].as_u64();
    assert_eq!(
        (count("left"), count("arrived"), count("remaining")),
        (Some(20), Some(0), Some(0)),
        "{report}"
    );
    assert!(report["events"]["time_to_100"].as_f64().is_some_and(|time| time > 1.0), "{report}");
    let read = lab.wingbeat(&["measure", &lab.path("blown.wbr").to_string_lossy(), "--json"]);
    assert!(read.status.success(), "{}", text(&read.stderr));
    // No boid arrives where no boid may: zeros, and times that were not reached.
    let report = lab.json(&[&room, "--set", "drive.out.arrival_radius=0"]);
    let wanted = serde_json::json!({
        "boids": 20, "entered": 0, "remaining": 20, "exits": [], "flow": null,
        "arrived": 0, "arrivals": 0, "captured": 0, "left": 0, "squeezed": 0,
        "time_to_50": null, "time_to_90": null, "time_to_100": null,
    });
    assert_eq!((&report["events"], report["boids"].as_u64()), (&wanted, Some(20)));
    let summary =
        text(&lab.wingbeat(&["run", &room, "--set", "drive.out.arrival_radius=0"]).stdout);
    assert!(!summary.contains("arrived") && !summary.contains("times"), "{summary}");
}

/// The same run with a unit and without: no number changes, and every line that has a length or a
/// time says what it is in.
#[test]
fn a_unit_is_said_wherever_lengths_are() {
    let lab = Lab::new();
    let room = lab.write("room.toml", ROOM);
    let run = |more: &[&str]| text(&lab.wingbeat(&[&["run", &room], more].concat()).stdout);
    let (plain, meters) = (run(&[]), run(&["--set", "unit=m", "--record", "room.wbr"]));
    let line = |text: &str, start: &str| {
        text.lines().find(|line| line.contains(start)).unwrap_or_default().to_string()
    };
    for (start, units) in [("200 steps of 0.1", 1), ("half by ", 3)] {
        let (without, with) = (line(&plain, start), line(&meters, start));
        assert_eq!(with.matches(" s").count(), without.matches(" s").count() + units, "{with}");
        assert_eq!(with.replace(" s,", ",").trim_end_matches(" s"), without);
    }
    let report = lab.json(&[&room, "--set", "unit=m"]);
    let usual = lab.json(&[&room]);
    assert_eq!((report["unit"].as_str(), usual["unit"].as_str()), (Some("m"), None));
    assert_eq!(
        (&report["state_hash"], &report["events"]),
        (&usual["state_hash"], &usual["events"])
    );

    // The recording carries it, and so does an array made of it.
    let convert = lab.wingbeat(&["convert", "room.wbr", "room.npz"]);
    assert!(convert.status.success(), "{}", text(&convert.stderr));
    for file in ["room.wbr", "room.npz"] {
        let measured = text(&lab.wingbeat(&["measure", file, "--line", "0,4,10,4"]).stdout);
        for part in ["lengths in m", "mean_speed, m/s", "density, boids/m\u{b2}", "/(m\u{b7}s)"] {
            assert!(measured.contains(part), "{file}: \"{part}\" is missing from: {measured}");
        }
        let drawn = lab.wingbeat(&["plot", file, "-o", "speed.svg", "--columns", "mean_speed"]);
        assert!(drawn.status.success(), "{}", text(&drawn.stderr));
        let svg = std::fs::read_to_string(lab.path("speed.svg")).expect("the file");
        assert!(svg.contains("mean speed (m/s)") && svg.contains("time (s)"), "{file}");
        let other = lab.wingbeat(&["measure", file, "--unit", "px"]);
        let refusal = text(&other.stderr);
        assert_eq!(other.status.code(), Some(2), "{file}: {refusal}");
        assert!(refusal.contains("unit = px: allowed is m, as the file says"), "{file}: {refusal}");
    }
    run(&["--set", "unit=m", "--steps", "20", "--curve", "speed=speed.svg", "--observe", "o.csv"]);
    lab.wingbeat(&["plot", "o.csv", "-o", "o.svg", "--columns", "mean_speed", "--unit", "m"]);
    for file in ["speed.svg", "o.svg"] {
        let svg = std::fs::read_to_string(lab.path(file)).expect("the file");
        assert!(svg.contains("speed (m/s)"), "{file}");
    }

    // A scene in another unit starts from it in its own, or says why it cannot.
    let start = |unit: &str| {
        let unit = format!("unit={unit}");
        let args = ["run", &room, "--set", &unit, "--initial", "room.wbr", "--steps", "0"];
        lab.wingbeat(&[&args[..], &["--final", "start.csv"]].concat())
    };
    let x = || -> f64 {
        let rows = std::fs::read_to_string(lab.path("start.csv")).expect("the file");
        let row = rows.lines().nth(1).expect("a boid");
        row.split(',').nth(1).and_then(|x| x.parse().ok()).expect("a number")
    };
    assert!(start("m").status.success());
    let meters = x();
    let output = start("km");
    assert!(text(&output.stderr).contains("lengths are m: converted to km, the scene's unit"));
    assert!((x() / meters * 1000.0 - 1.0).abs() < 1e-6, "{} {meters}", x());
    let refusal = text(&start("px").stderr);
    assert!(refusal.contains("allowed is a recording in px, the scene's unit; this one is in m"));
    let lost = text(&lab.wingbeat(&["convert", "room.wbr", "room.csv"]).stderr);
    assert!(lost.contains("lengths are m: a .csv has no place for it"), "{lost}");
    let refused = lab.wingbeat(&["run", &room, "--set", "unit=ells"]);
    assert!(text(&refused.stderr).contains("unit = \"ells\": allowed is m, cm, mm, km, px, bl"));
}

#[test]
fn captures_are_told() {
    let lab = Lab::new();
    let report = lab.json(&["hunter_prey", "--boids", "300", "--steps", "200"]);
    let events = &report["events"];
    let captured = events["captured"].as_u64().expect("a number");
    assert!(captured > 0, "{events}");
    assert_eq!(
        (events["remaining"].as_u64(), events["left"].as_u64()),
        (Some(300 - captured), Some(0)),
        "{events}"
    );
}

#[test]
fn a_run_starts_from_a_frame_of_a_recording() {
    let lab = Lab::new();
    let room = lab.write("room.toml", ROOM);
    let walk = lab.write(
        "walk.txt",
        "# framerate: 10 fps\n1 0 1 1 0\n1 1 1.1 1 0\n1 2 1.2 1 0\n7 1 2 3 0\n7 2 2 3.2 0\n",
    );
    let from = |frame: &str| {
        let set = format!("initial.frame={frame}");
        let report = lab.json(&[
            &room,
            "--initial",
            &walk,
            "--set",
            &set,
            "--steps",
            "0",
            "--final",
            "start.csv",
        ]);
        (
            report["boids"].as_u64(),
            std::fs::read_to_string(lab.path("start.csv")).expect("the file"),
        )
    };
    let (boids, start) = from("1");
    let rows: Vec<Vec<f64>> = start
        .lines()
        .skip(1)
        .map(|row| row.split(',').filter_map(|cell| cell.parse().ok()).collect())
        .collect();
    assert_eq!((boids, rows.len()), (Some(2), 2));
    let near = |row: &[f64], expected: [f64; 5]| {
        row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5)
    };
    assert!(near(&rows[0], [1.0, 1.1, 1.0, 1.0, 0.0]), "{start}");
    assert!(near(&rows[1], [7.0, 2.0, 3.0, 0.0, 2.0]), "{start}");
    assert_eq!(from("0").0, Some(1));
}

/// A hall of ten by ten whose people leave by a door in the north, or cannot.
fn hall(lab: &Lab, on_arrival: &str) -> String {
    let text = format!(
        "[flock]\nboids = 20\ndimensions = 2\ndt = 0.1\nsteps = 1000\n[domain]\n\
         kind = \"reflecting\"\nmin = [0, 0]\nmax = [10, 10]\n\
         [drive.out]\nkind = \"goal\"\ntarget = [5, 9]\nslowing_radius = 2\narrival_radius = 0.5\n\
         on_arrival = \"{on_arrival}\"\n"
    );
    lab.write("hall.toml", &text)
}

#[test]
fn a_run_ends_when_no_boid_is_left() {
    let lab = Lab::new();
    let scene = hall(&lab, "leave");
    let all = lab.json(&[&scene]);
    assert_eq!((all["ended"].as_str(), all["steps"].as_u64()), (Some("steps"), Some(1000)));
    let observed = lab.path("order.csv").to_str().expect("a path").to_string();
    let early = lab.json(&[&scene, "--until", "empty", "--observe", &observed]);
    let steps = early["steps"].as_u64().expect("a number");
    assert_eq!((early["ended"].as_str(), steps < 500), (Some("empty"), true));
    // It ends after the very step in which the last one left.
    assert_eq!(
        early["events"]["time_to_100"].as_f64().map(|time| (time * 10.0 + 0.5) as u64),
        Some(steps),
        "{}",
        early["events"]
    );
    let before = lab.json(&[&scene, "--steps", &(steps - 1).to_string(), "--until", "empty"]);
    assert_eq!(
        (before["ended"].as_str(), before["steps"].as_u64()),
        (Some("steps"), Some(steps - 1))
    );
    let lines = std::fs::read_to_string(&observed).expect("a table").lines().count() as u64;
    assert_eq!(lines, 1 + steps + 1, "a header, step 0, and every step made");
    let people = lab.wingbeat(&["run", &scene, "--until", "empty"]);
    assert!(
        text(&people.stdout).contains(&format!("{steps} steps of 0.1, until none was left")),
        "{}",
        text(&people.stdout)
    );
    // No boid to begin with.
    let empty = lab.json(&[&scene, "--boids", "0", "--until", "settled"]);
    assert_eq!((empty["ended"].as_str(), empty["steps"].as_u64()), (Some("empty"), Some(0)));
}

#[test]
fn a_run_ends_when_no_boid_moves() {
    let lab = Lab::new();
    let scene = hall(&lab, "stay");
    let settled = lab.json(&[&scene, "--until", "settled"]);
    let steps = settled["steps"].as_u64().expect("a number");
    assert_eq!(
        (settled["ended"].as_str(), (100..1000).contains(&steps)),
        (Some("settled"), true),
        "{steps}"
    );
    assert_eq!(lab.json(&[&scene, "--until", "empty"])["ended"], "steps", "they stay");
    // A hundred steps before the end a boid moved, one step later no boid did any more.
    let speed_after = |steps: u64| {
        let file = lab.path("last.csv").to_str().expect("a path").to_string();
        lab.json(&[&scene, "--steps", &steps.to_string(), "--final", &file]);
        let speed = |line: &str| {
            let numbers: Vec<f64> = line.split(',').filter_map(|cell| cell.parse().ok()).collect();
            (numbers[3] * numbers[3] + numbers[4] * numbers[4]).sqrt()
        };
        let rows = std::fs::read_to_string(file).expect("a state");
        rows.lines()
            .skip(1)
            .map(speed)
            .fold(0.0, |most: f64, speed| if speed > most { speed } else { most })
    };
    assert!(
        speed_after(steps - 100) > 0.002 && speed_after(steps - 99) <= 0.002,
        "a thousandth of max_speed = 2"
    );
    // Who never stops never settles.
    let pond = lab.write("pond.toml", POND);
    assert_eq!(lab.json(&[&pond, "--until", "settled", "--steps", "150"])["ended"], "steps");
    let refused = lab.wingbeat(&["run", &pond, "--until", "dawn"]);
    let stderr = text(&refused.stderr);
    assert_eq!((refused.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
    assert!(
        stderr.contains("--until")
            && stderr.contains("dawn")
            && stderr.contains("empty or settled"),
        "{stderr}"
    );
}

#[test]
fn a_run_repeats_what_check_warns_of() {
    let lab = Lab::new();
    let set = ["evacuation", "--set", "drive.way.cell=2"];
    let of = |command: &[&str]| text(&lab.wingbeat(&[command, &set].concat()).stderr).to_string();
    let check = of(&["check"]);
    assert!(
        check.contains("warning: ")
            && check.contains("1000 boids (the first is 0) start where drive.way knows no way"),
        "{check}"
    );
    assert_eq!(of(&["run", "--steps", "1"]), check);
    assert_eq!(of(&["run", "--steps", "1", "--quiet"]), "");
}

/// Two hundred spheres that fill the room, each on its way: no boid has a place, and a step says so
/// soon.
#[test]
fn a_room_full_of_what_moves_is_warned_of_and_stepped() {
    let lab = Lab::new();
    let room = "[flock]\nboids = 400\ndimensions = 2\n[domain]\nkind = \"walled\"\n\
        min = [-30, -30]\nmax = [30, 30]\n";
    let scene = format!(
        "{room}[obstacle.o]\nkind = \"scatter\"\nradius = 64.0\nspeed = 0.4\ncount = 200\n"
    );
    lab.write("full.toml", scene);
    let checked = text(&lab.wingbeat(&["check", "full.toml"]).stderr);
    assert!(
        checked.contains("obstacle o-0 moves and is as large as the domain (200 such)"),
        "{checked}"
    );
    let begun = std::time::Instant::now();
    let report = lab.json(&["full.toml", "--steps", "5", "--threads", "1"]);
    assert_eq!(report["events"]["remaining"], 400);
    // Within a second where a pair after another would take minutes.
    assert!(begun.elapsed().as_secs_f64() < 30.0, "{:?}", begun.elapsed());
}

#[test]
fn times_of_reports_are_those_of_the_step_as_it_is_written() {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    let steps = [
        "--dt",
        "0.1",
        "--steps",
        "376",
        "--every",
        "376",
        "--observe",
        "order.csv",
        "--individuals",
        "each.csv",
    ];
    let output = lab.wingbeat(&[&["run", "pond.toml"], &steps[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    for (name, start) in [("order.csv", "376,37.6,"), ("each.csv", "376,37.6,")] {
        let table = std::fs::read_to_string(lab.path(name)).expect("a table");
        assert!(table.lines().last().is_some_and(|last| last.starts_with(start)), "{table}");
    }
}
