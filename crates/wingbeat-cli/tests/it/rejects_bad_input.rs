//! Bad input: exit code 2, one line on standard error that names what, where, the value and what is
//! allowed, nothing on standard output, and no file left behind.

use crate::common::{Lab, f32s, npy, text};
use wingbeat::Level;
use wingbeat::steer::parameters::{PARAMETERS, ParameterInfo};

const POND: &str = "[flock]\nboids = 20\ndimensions = 2\n[cohesion]\nradius = 2.0\n";

/// Runs with `--final` and `--still` as well, so that anything half-written would show.
#[track_caller]
fn refused(lab: &Lab, args: &[&str], expected: &[&str]) {
    let before = lab.files();
    let mut all = vec!["run"];
    all.extend(args);
    all.extend(["--steps=2", "--final=out.csv", "--still=out.svg"]);
    let output = lab.wingbeat(&all);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: one line, not:\n{stderr}");
    assert_eq!(text(&output.stdout), "", "{args:?}");
    for part in expected {
        assert!(stderr.contains(part), "{args:?}: \"{part}\" is missing from: {stderr}");
    }
    assert_eq!(lab.files(), before, "{args:?}: files left behind");
}

/// The keys of a scene file that a parameter stands for.
fn keys_of(parameter: &ParameterInfo) -> Vec<String> {
    match parameter.key.strip_prefix("rule.") {
        Some(key) => {
            ["separation", "alignment", "cohesion"].map(|rule| format!("{rule}.{key}")).to_vec()
        }
        None => vec![parameter.key.to_string()],
    }
}

#[test]
fn every_parameter_just_outside_its_range() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for parameter in PARAMETERS {
        let below =
            if parameter.min == 0.0 { -1e-3 } else { parameter.min - parameter.min.abs() * 0.01 };
        let above = parameter.max * 1.01;
        for key in keys_of(parameter) {
            for value in [below, above] {
                let set = format!("{key}={value:e}");
                refused(
                    &lab,
                    &[&scene, "--set", &set],
                    &["--set", &key, &format!("{value:e}"), "allowed is"],
                );
            }
        }
    }
    refused(&lab, &[&scene, "--dt", "0"], &["--dt", "flock.dt", "= 0", "above 0, at most 1000"]);
    refused(&lab, &[&scene, "--dt", "1e-60"], &["--dt", "flock.dt", "1e-60", "above 0"]);
}

#[test]
fn numbers_that_are_none() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for value in [
        "nan",
        "inf",
        "-inf",
        "1e39",
        "-1e300",
        "true",
        "\"2\"",
        "[2.0]",
        "{ a = 1 }",
        "1979-05-27",
    ] {
        for parameter in PARAMETERS {
            let key = &keys_of(parameter)[0];
            refused(&lab, &[&scene, "--set", &format!("{key}={value}")], &["--set", key]);
        }
    }
    // The same through a file, with its line.
    for (line, shown) in [
        ("dt = nan", "nan"),
        ("dt = inf", "inf"),
        ("dt = \"fast\"", "\"fast\""),
        ("dt = 1e39", "1e39"),
    ] {
        let bad = lab.write("bad.toml", format!("[flock]\nboids = 20\n{line}\n"));
        refused(&lab, &[&bad], &["bad.toml:3", "flock.dt", shown, "above 0, at most 1000"]);
    }
}

#[test]
fn counts_that_are_none() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for value in ["0", "1001", "-4", "2.5", "\"4\""] {
        let set = format!("flock.steer_every={value}");
        refused(
            &lab,
            &[&scene, "--set", &set],
            &["--set", "flock.steer_every", value, "1 to 1000"],
        );
    }
    for key in ["neighborhood.k", "separation.nearest"] {
        for value in ["0", "33", "-1", "1.5", "\"7\""] {
            refused(
                &lab,
                &[&scene, "--set", &format!("{key}={value}")],
                &["--set", key, value, "1 to 32"],
            );
        }
    }
    for (flag, key) in
        [("--boids", "flock.boids"), ("--steps", "flock.steps"), ("--seed", "flock.seed")]
    {
        for value in ["-1", "2.5", "many", "99999999999999999999", "1e3"] {
            if flag == "--steps" {
                let set = format!("{key}={value}");
                // --steps is given by the helper, so the other way to say it.
                let output = lab.wingbeat(&["run", &scene, "--set", &set]);
                assert_eq!(output.status.code(), Some(2), "{set}");
            } else {
                refused(&lab, &[&scene, flag, value], &[flag, key, value, "a whole number, 0 to"]);
            }
        }
    }
    for value in ["1", "4", "2.0", "\"2\""] {
        let set = format!("flock.dimensions={value}");
        refused(&lab, &[&scene, "--set", &set], &["flock.dimensions", value, "2 to 3"]);
    }
    for value in ["0", "-1", "1025", "two"] {
        refused(&lab, &[&scene, "--threads", value], &["--threads", value, "1 to 1024"]);
    }
    for value in ["2", "-1", "x", "1.5"] {
        refused(&lab, &[&scene, "--average-from", value], &["--average-from", value, "0 to 1"]);
    }
    // More than memory holds: refused before anything is allocated.
    refused(
        &lab,
        &[&scene, "--boids", "4294967231"],
        &["--boids", "flock.boids", "4294967231", "allowed is 0 to"],
    );
    refused(
        &lab,
        &[&scene, "--boids", "4294967232"],
        &["--boids", "flock.boids", "4294967232", "4294967231"],
    );
}

#[test]
fn words_that_are_none() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for (set, expected) in [
        ("domain.kind=\"torus\"", "open, periodic, walled, reflecting"),
        ("spawn.shape=\"cone\"", "box, ball, ring, circle, lattice"),
        ("agent.combine=average", "weighted, prioritized, direction"),
        ("agent.priority=[\"separation\", \"separation\"]", "distinct terms"),
        (
            "agent.priority=[\"fear\"]",
            "separation, alignment, cohesion, formation, interactions, obstacles, walls, \
                drive.NAME",
        ),
        ("agent.priority=[\"drive.home\"]", "it has no drives"),
        ("separation.falloff=\"cubic\"", "linear, soft, inverse, inverse_square"),
        ("alignment.of=\"speed\"", "velocity, heading"),
        ("alignment.relative=1", "true or false"),
        ("alignment.response=\"flee\"", "raw, unit, steer"),
        ("cohesion.response=\"flee\"", "raw, unit, steer"),
        ("alignment.response=\"steer\"", "alignment.relative = false"),
        ("about=3", "a text"),
        ("cohesion=2", "a table"),
        ("domain.min=[0, 0, 0]", "a list of 2 numbers"),
        ("domain.origin=[0, nan]", "a list of 2 numbers"),
        ("domain.origin=[0, 1e31]", "-1e30 to 1e30"),
        ("spawn.heading=[0, 0]", "at least one number that is not 0"),
        ("initial.scale=2", "initial.file"),
    ] {
        let key = set.split('=').next().unwrap_or(set).split('.').next().unwrap_or(set);
        refused(&lab, &[&scene, "--set", set], &[key, expected]);
    }
    refused(
        &lab,
        &[&scene, "--set", "cohesion.weight"],
        &["--set", "cohesion.weight", "KEY=VALUE"],
    );
    refused(&lab, &[&scene, "--set", "=2"], &["--set", "KEY=VALUE"]);
    refused(
        &lab,
        &[&scene, "--set", "cohesion.weight=[2"],
        &["--set", "cohesion.weight", "not a TOML value"],
    );
}

#[test]
fn unknown_keys_name_the_nearest() {
    let lab = Lab::new();
    for (text, expected) in [
        ("[cohesion]\nraduis = 1.0\n", ["bad.toml:5", "cohesion.raduis", "cohesion.radius"]),
        ("[seperation]\nradius = 1.0\n", ["bad.toml:5", "seperation.radius", "separation.radius"]),
        ("[cohesoin]\n", ["bad.toml:4", "[cohesoin]", "cohesion"]),
        ("bonds = 3\n", ["bad.toml:4", "flock.bonds", "flock.boids"]),
        (
            "[drive.north]\nkind = \"wind\"\nvektor = [1, 0]\nvector = [1, 0]\n",
            ["bad.toml:6", "drive.north.vektor", "drive.north.vector"],
        ),
        ("steer_evry = 2\n", ["bad.toml:4", "flock.steer_evry", "nearest known key is flock."]),
    ] {
        let bad = lab.write("bad.toml", format!("[flock]\nboids = 20\ndimensions = 2\n{text}"));
        refused(&lab, &[&bad], &expected);
    }
    let scene = lab.write("pond.toml", POND);
    refused(
        &lab,
        &[&scene, "--set", "agent.maxspeed=2"],
        &["--set", "agent.maxspeed", "agent.max_speed"],
    );
    refused(&lab, &[&scene, "--bois", "2"], &["--bois", "--boids"]);
}

#[test]
fn scenes_that_cannot_be_read() {
    let lab = Lab::new();
    refused(&lab, &["missing.toml"], &["missing.toml", "no such file"]);
    refused(&lab, &["murmurration"], &["murmurration", "nearest preset is murmuration"]);
    refused(&lab, &["."], &[".", "folder"]);
    let bad = lab.write("bad.toml", "[flock]\nboids = 20\nboids = 30\n");
    refused(&lab, &[&bad], &["bad.toml:3", "duplicate"]);
    let bad = lab.write("bad.toml", "[flock\nboids = 20\n");
    refused(&lab, &[&bad], &["bad.toml:1"]);
    let bad = lab.write("bad.toml", b"[flock]\nboids = 20 # \xff\xfe\n");
    refused(&lab, &[&bad], &["bad.toml", "UTF-8"]);
    let bad = lab.write("bad.toml", "");
    refused(&lab, &[&bad], &["bad.toml", "flock.boids"]);
    // No scene, but options: not a question for help.
    let output = lab.wingbeat(&["run", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let output = lab.wingbeat(&["show", "nothing"]);
    assert_eq!(
        (output.status.code(), text(&output.stderr).contains("murmuration")),
        (Some(2), true)
    );
    let output = lab.wingbeat(&["check", "missing.toml"]);
    assert_eq!((output.status.code(), text(&output.stderr).lines().count()), (Some(2), 1));
}

#[test]
fn csv_files_with_something_wrong() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for (content, expected) in [
        ("id,x,y\n0,1,2\n1,3\n", vec![":3", "2 columns", "allowed is 3"]),
        ("id,x,y\n0,1,2\n1,3,4,5\n", vec![":3", "4 columns", "allowed is 3"]),
        ("x,y\n1,2\n3,abc\n", vec![":3", "column y", "\"abc\"", "a finite number"]),
        ("x,y\n1,NaN\n", vec![":2", "column y", "NaN"]),
        ("x,y\n1,inf\n", vec![":2", "column y", "inf"]),
        ("x,y\n1,\n", vec![":2", "column y", "\"\""]),
        ("x,y\n1,1e31\n", vec![":2", "column y", "1e31", "-1e30 to 1e30"]),
        ("x,y,vx,vy\n1,1,0,1e13\n", vec![":2", "column vy", "1e13", "-1e12 to 1e12"]),
        ("id,x,y\n7,1,2\n7,3,4\n", vec![":3", "id = 7", ":2", "once"]),
        ("id,x,y\n1.5,1,2\n", vec![":2", "column id", "1.5", "a whole number"]),
        ("id,x,y\n-1,1,2\n", vec![":2", "column id", "-1"]),
        ("id,x\n0,1\n", vec![":1", "column y is missing", "id,x"]),
        ("1,2\n3,4\n", vec![":1", "column x is missing"]),
        ("x,y,vx\n1,2,3\n", vec![":1", "column vy is missing"]),
        ("x,y,x\n1,2,3\n", vec![":1", "column x", "twice"]),
        ("x,y,z\n1,2,3\n", vec![":1", "column z", "flock.dimensions = 2"]),
        ("", vec!["column x is missing"]),
    ] {
        let csv = lab.write("fish.csv", content);
        let mut parts = vec!["fish.csv"];
        parts.extend(expected);
        refused(&lab, &[&scene, "--initial", &csv], &parts);
    }
    let csv = lab.write("fish.csv", "x,y\n1,2\n3,4\n");
    refused(
        &lab,
        &[&scene, "--initial", &csv, "--boids", "3"],
        &["--boids", "flock.boids = 3", "2, the boids in"],
    );
    let walls = ["domain.kind=reflecting", "domain.min=[0, 0]", "domain.max=[3, 3.5]"];
    let sets: Vec<&str> = walls.iter().flat_map(|set| ["--set", set]).collect();
    let args: Vec<&str> = [scene.as_str(), "--initial", &csv].into_iter().chain(sets).collect();
    refused(&lab, &args, &["fish.csv:3", "column y = 4", "0 to 3.5"]);
    refused(&lab, &[&scene, "--initial", "missing.csv"], &["missing.csv", "no such file"]);
    refused(&lab, &[&scene, "--initial", "."], &["folder"]);
    let other = lab.write("fish.dat", "x,y\n1,2\n");
    refused(&lab, &[&scene, "--initial", &other], &["fish.dat", "ends in one of", ".csv"]);
    let other = lab.write("fish.txt", "x,w\n1,2\n");
    refused(&lab, &[&scene, "--initial", &other], &["fish.txt:1"]);
    let track = lab.write("walk.txt", "1 0 0.5 1\n1 1 0.6 1\n2 1 2 2\n");
    let frame = ["--initial", &track, "--set", "initial.frame=7"];
    refused(
        &lab,
        &[&[scene.as_str()], &frame[..]].concat(),
        &["--set", "initial.frame = 7", "0 to 1"],
    );
    let space = ["--set", "flock.dimensions=3", "--initial", &track];
    refused(&lab, &[&[scene.as_str()], &space[..]].concat(), &["walk.txt", "flock.dimensions = 3"]);
    let space = lab.write("space.toml", "[flock]\nboids = 20\n[cohesion]\n");
    refused(&lab, &[&space, "--initial", &csv], &["fish.csv:1", "column z is missing"]);
}

#[test]
fn npy_files_with_something_wrong() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let eight = f32s(&[1.0; 8]);
    let huge = "(4611686018427387904, 4611686018427387904)";
    for (bytes, expected) in [
        (npy("<f4", "(4, 2, 1)", &eight), vec!["shape [4, 2, 1]", "[boids, 4] or [boids, 2]"]),
        (npy("<f4", "(8,)", &eight), vec!["shape [8]", "[boids, 4] or [boids, 2]"]),
        (npy("<f4", "(2, 5)", &f32s(&[1.0; 10])), vec!["shape [2, 5]"]),
        (npy("<f4", "(2, 6)", &f32s(&[1.0; 12])), vec!["shape [2, 6]", "flock.dimensions = 2"]),
        (npy("<f4", "(2, 3)", &f32s(&[1.0; 6])), vec!["shape [2, 3]", "flock.dimensions = 2"]),
        (npy("<i4", "(2, 4)", &eight), vec!["dtype", "f4 or f8"]),
        (npy("<f2", "(2, 4)", &eight), vec!["dtype", "f4 or f8"]),
        (
            npy("<f4", "(200, 4)", &eight),
            vec!["shape [200, 4]", "3200 bytes", "allowed is what the file holds"],
        ),
        (
            npy("<f4", "(1000000000000, 4)", &eight),
            vec!["shape [1000000000000, 4]", "allowed is what the file holds"],
        ),
        (
            npy("<f4", huge, &eight),
            vec!["shape [4611686018427387904, 4611686018427387904]", "[boids, 4] or [boids, 2]"],
        ),
        (
            npy("<f4", "(4611686018427387904, 4)", &eight),
            vec!["73786976294838206464 bytes", "allowed is what the file holds"],
        ),
        (
            npy("<f4", "(2, 4)", &f32s(&[1.0, 2.0, 3.0, 4.0, 5.0, f32::NAN, 7.0, 8.0])),
            vec!["row 1", "column 1", "NaN"],
        ),
        (b"PK\x03\x04 not an array at all".to_vec(), vec!["not an NPY file"]),
        (Vec::new(), vec!["not an NPY file"]),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec(), vec!["header"]),
        (b"\x93NUMPY\x01\x00\x04\x00{'a'\n".to_vec(), vec!["NPY"]),
    ] {
        let file = lab.write("fish.npy", bytes);
        let mut parts = vec!["fish.npy"];
        parts.extend(expected);
        refused(&lab, &[&scene, "--initial", &file], &parts);
    }
}

#[test]
fn worlds_that_do_not_fit() {
    let lab = Lab::new();
    let pond = |domain: &str| lab.write("pond.toml", format!("{POND}[domain]\n{domain}\n"));
    let scene = pond("kind = \"periodic\"\nmin = [0, 0]\nmax = [10, 3.9]");
    refused(&lab, &[&scene], &["pond.toml:5", "cohesion.radius = 2.0", "1.95"]);
    refused(
        &lab,
        &["shoal", "--boids", "10"],
        &["shoal:", "alignment.radius = 2.0", "sized by spawn.spacing for 10 boids"],
    );
    let scene = pond("kind = \"walled\"\nmin = [0, 5]\nmax = [10, 5]");
    refused(&lab, &[&scene], &["pond.toml:9", "domain.max", "above domain.min"]);
    let scene = pond("kind = \"walled\"\nmin = [0, 5]");
    refused(&lab, &[&scene], &["pond.toml:8", "domain.min", "domain.max"]);
    let scene = pond(
        "kind = \"walled\"\nmin = [0, 0]\nmax = [10, 10]\n[spawn]\nshape = \"ball\"\nradius = 6.0",
    );
    refused(&lab, &[&scene], &["pond.toml:12", "spawn.radius = 6.0", "0 to 10"]);
    let scene = pond("\n[spawn]\nshape = \"ball\"\nmin = [0, 0]");
    refused(&lab, &[&scene], &["spawn.min", "box or lattice"]);
    let scene = pond("\n[spawn]\nradius = 2.0");
    refused(&lab, &[&scene], &["spawn.radius", "ball, ring or circle"]);
    let scene =
        lab.write("pond.toml", format!("{POND}field_of_view = 240\ncos_half_view = -0.5\n"));
    refused(&lab, &[&scene], &["pond.toml:7", "cohesion.cos_half_view = -0.5", "field_of_view"]);
    let scene = lab.write("pond.toml", POND);
    refused(
        &lab,
        &[&scene, "--set", "agent.min_speed=3"],
        &["--set", "agent.min_speed = 3", "agent.max_speed"],
    );
}

/// A pond in a walled box, with tables of its own from line 11 on.
fn walled(lab: &Lab, tables: &str) -> String {
    let domain = "[domain]\nkind = \"walled\"\nmin = [0, 0]\nmax = [10, 10]\n\n";
    lab.write("pond.toml", format!("{POND}{domain}{tables}"))
}

#[test]
fn drives_that_make_no_sense() {
    let lab = Lab::new();
    for (tables, expected) in [
        (
            "[drive.home]\n",
            vec!["pond.toml:11", "drive.home.kind = nothing", "goal, wander, leader"],
        ),
        (
            "[drive.home]\nkind = \"gaol\"",
            vec!["pond.toml:12", "drive.home.kind = \"gaol\"", "goal, wander"],
        ),
        ("[drive]\nweight = 2", vec!["pond.toml:11", "[drive] = a table", "[drive.NAME]"]),
        (
            "[drive.\"my home\"]\nkind = \"goal\"",
            vec!["pond.toml:11", "my home", "letters, digits, _ and -"],
        ),
        (
            "[drive.home]\nkind = \"goal\"\ntraget = [1, 1]",
            vec!["pond.toml:13", "drive.home.traget", "drive.home.target"],
        ),
        (
            "[drive.home]\nkind = \"goal\"\nvector = [1, 1]",
            vec!["pond.toml:13", "drive.home.vector", "target", "a key of wind"],
        ),
        (
            "[drive.home]\nkind = \"goal\"\ntarget = [1, 11]",
            vec!["pond.toml:13", "drive.home.target", "0 to 10, the domain"],
        ),
        (
            "[drive.home]\nkind = \"goal\"\ntarget = [1]",
            vec!["pond.toml:13", "drive.home.target = [1]", "2 numbers"],
        ),
        (
            "[drive.wind]\nkind = \"wind\"",
            vec!["pond.toml:11", "drive.wind.vector = nothing", "given"],
        ),
        (
            "[drive.boss]\nkind = \"leader\"\nparent = 20",
            vec!["pond.toml:13", "drive.boss.parent = 20", "a boid that exists"],
        ),
        (
            "[drive.boss]\nkind = \"leader\"\nparents = [[3, 99]]",
            vec!["pond.toml:13", "drive.boss.parents", "99", "exists"],
        ),
        (
            "[drive.boss]\nkind = \"leader\"\nparents = [[3, 1, 2]]",
            vec!["pond.toml:13", "drive.boss.parents", "pairs"],
        ),
        (
            "[drive.way]\nkind = \"path\"\npoints = [[1, 1], [2, 12]]",
            vec!["pond.toml:13", "drive.way.points[1]", "12", "domain"],
        ),
        (
            "[drive.way]\nkind = \"path\"\npoints = [[1, 1]]",
            vec!["pond.toml:13", "drive.way.points", "2 to 10000 points"],
        ),
        (
            "[drive.way]\nkind = \"noise\"\nspecies = \"fish\"",
            vec!["pond.toml:13", "drive.way.species", "no [species.NAME]"],
        ),
        (
            "[drive.way]\nkind = \"flow\"",
            vec!["pond.toml:11", "drive.way.toward = nothing", "drive.way.file"],
        ),
        (
            "[drive.way]\nkind = \"flow\"\ntoward = [[1, 12]]",
            vec!["pond.toml:13", "drive.way.toward", "inside the grid"],
        ),
        (
            "[drive.way]\nkind = \"flow\"\ntoward = [[1, 1]]\ncell = 1e-6",
            vec!["pond.toml:14", "drive.way.cell = 1e-6", "at least"],
        ),
        ("[drive.way]\nkind = \"flow\"\nfile = \"no.npy\"", vec!["no.npy", "no such file"]),
        (
            "[drive.way]\nkind = \"flow\"\nfile = \"a.npy\"\ntoward = [[1, 1]]",
            vec!["pond.toml:14", "drive.way.toward", "left out"],
        ),
    ] {
        refused(&lab, &[&walled(&lab, tables)], &expected);
    }
    let many: String = (0..17).map(|i| format!("[drive.d{i}]\nkind = \"noise\"\n")).collect();
    refused(
        &lab,
        &[&walled(&lab, &many)],
        &["pond.toml:43", "[drive.NAME]", "17 tables", "at most 16"],
    );
    let wind = walled(&lab, "[drive.wind]\nkind = \"wind\"\nvector = [1, 0]\n");
    refused(
        &lab,
        &[&wind, "--set", "drive.wint.weight=2"],
        &["--set", "drive.wint.kind", "drive.wind"],
    );
    refused(
        &lab,
        &[&wind, "--set", "drive.wind.weight=1e10"],
        &["--set", "drive.wind.weight = 1e10", "-1e9 to 1e9"],
    );
}

#[test]
fn flow_fields_of_another_shape() {
    let lab = Lab::new();
    let scene = walled(&lab, "[drive.way]\nkind = \"flow\"\nfile = \"way.npy\"\n");
    for (bytes, expected) in [
        (
            npy("<f4", "(2, 3, 3)", &f32s(&[1.0; 18])),
            vec!["way.npy", "shape [2, 3, 3]", "[ny, nx, 2]"],
        ),
        (npy("<f4", "(2, 3)", &f32s(&[1.0; 6])), vec!["way.npy", "shape [2, 3]", "[ny, nx, 2]"]),
        (npy("<f4", "(1, 3, 2)", &f32s(&[1.0; 6])), vec!["way.npy", "shape [1, 3, 2]", "2 nodes"]),
        (
            npy("<f4", "(2, 2, 2)", &f32s(&[f32::NAN; 8])),
            vec!["way.npy", "flow.values[0][0] = NaN", "-1e9 to 1e9"],
        ),
        (npy("<f4", "(20, 20, 2)", &f32s(&[1.0; 8])), vec!["way.npy", "3200 bytes"]),
        (npy("<i4", "(2, 2, 2)", &f32s(&[1.0; 8])), vec!["way.npy", "dtype", "f4 or f8"]),
    ] {
        lab.write("way.npy", bytes);
        refused(&lab, &[&scene], &expected);
    }
    lab.write("way.npy", npy("<f4", "(2, 3, 2)", &f32s(&[1.0; 12])));
    let output = lab.wingbeat(&["run", &scene, "--steps", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn obstacles_that_are_none() {
    let lab = Lab::new();
    for (tables, expected) in [
        (
            "[obstacle.bow]\nkind = \"polygon\"\npoints = [[1, 1], [3, 3], [3, 1], [1, 3]]",
            vec![
                "pond.toml:13",
                "obstacle.bow.points",
                "meets edge",
                "only at their shared corners",
            ],
        ),
        (
            "[obstacle.bow]\nkind = \"polygon\"\npoints = [[1, 1], [3, 3]]",
            vec!["pond.toml:13", "3 to 10000 points"],
        ),
        (
            "[obstacle.rock]\nkind = \"sphere\"\nradius = 1",
            vec!["pond.toml:11", "obstacle.rock.center = nothing"],
        ),
        (
            "[obstacle.rock]\nkind = \"sphere\"\ncenter = [1, 1]\nradius = -1",
            vec!["pond.toml:14", "obstacle.rock.radius = -1"],
        ),
        (
            "[obstacle.box]\nkind = \"box\"\nmin = [1, 1]\nmax = [1, 2]",
            vec!["pond.toml:14", "obstacle.box.max", "above"],
        ),
        (
            "[obstacle.wall]\nkind = \"wall\"\nfrom = [1, 1]\nto = [1, 1]",
            vec!["pond.toml:14", "obstacle.wall.to", "another point"],
        ),
        (
            "[obstacle.rock]\nkind = \"sphere\"\ncenter = [1, 1]\nradius = 1\nvelocity = [1, 0]",
            vec!["pond.toml:15", "obstacle.rock.velocity", "motion = static", "motion = line"],
        ),
        (
            "[obstacle.rock]\nkind = \"sphere\"\ncenter = [1, 1]\nradius = 1\nmotion = \"circle\"\n\
                orbit = [2, 2]",
            vec!["pond.toml:11", "obstacle.rock.period", "at least 0.001"],
        ),
        (
            "[obstacle.rocks]\nkind = \"scatter\"\nradius = 1",
            vec!["pond.toml:11", "obstacle.rocks.count = nothing"],
        ),
        (
            "[obstacle.rocks]\nkind = \"scatter\"\ncount = 2\nradius = 1\nradius_max = 0.5",
            vec![
                "pond.toml:15",
                "obstacle.rocks.radius_max = 0.5",
                "at least obstacle.rocks.radius",
            ],
        ),
        (
            "[obstacle.all]\nkind = \"box\"\nmin = [-1, -1]\nmax = [11, 11]",
            vec!["spawn.shape", "room outside the obstacles"],
        ),
    ] {
        refused(&lab, &[&walled(&lab, tables)], &expected);
    }
    let space =
        ["murmuration", "--set", "obstacle.w={kind=\"wall\", from=[0, 0, 0], to=[1, 1, 1]}"];
    refused(&lab, &space, &["--set", "obstacle.w.kind", "sphere, capsule or box"]);
    let open = lab.write(
        "pond.toml",
        format!("{POND}[obstacle.r]\nkind = \"scatter\"\ncount = 2\nradius = 1\n"),
    );
    refused(&lab, &[&open], &["pond.toml:6", "obstacle.r.min", "open"]);
    let csv = lab.write("fish.csv", "x,y\n5,5\n");
    let rock = walled(&lab, "[obstacle.rock]\nkind = \"sphere\"\ncenter = [5, 5]\nradius = 1\n");
    refused(&lab, &[&rock, "--initial", &csv], &["boid", "outside of obstacle.rock"]);
}

#[test]
fn species_and_interactions_that_are_none() {
    let lab = Lab::new();
    let hunt = "[species.hare]\ncount = 9\n[species.fox]\ncount = 1\n";
    let alone = |tables: &str| {
        lab.write("pond.toml", format!("[flock]\nboids = 20\ndimensions = 2\n{tables}"))
    };
    for (tables, expected) in [
        (
            "[interaction.wolf.hare]\nkind = \"pursue\"",
            vec!["pond.toml:8", "[interaction.wolf.hare] = wolf", "hare, fox"],
        ),
        (
            "[interaction.fox.hares]\nkind = \"pursue\"",
            vec!["pond.toml:8", "[interaction.fox.hares] = hares", "hare, fox"],
        ),
        (
            "[interaction.fox]\nkind = \"pursue\"",
            vec!["pond.toml:8", "[interaction] = a table", "[interaction.SPECIES.OTHER]"],
        ),
        (
            "[interaction.fox.hare]\nkind = \"eat\"",
            vec!["pond.toml:9", "interaction.fox.hare.kind", "ignore, flock, flee"],
        ),
        (
            "[interaction.fox.hare]\nkind = \"flee\"\ncapture_radius = 1",
            vec!["pond.toml:10", "capture_radius", "a key of pursue"],
        ),
        (
            "[species.fox.separation]\nraduis = 1",
            vec!["pond.toml:9", "species.fox.separation.raduis", "species.fox.separation.radius"],
        ),
        (
            "[species.fox.seperation]\nradius = 1",
            vec!["pond.toml:8", "species.fox.seperation", "separation"],
        ),
        (
            "[species.wolf]\ncount = 1\nagent = 3",
            vec!["pond.toml:10", "species.wolf.agent = 3", "a table"],
        ),
        ("[species.wolf]", vec!["pond.toml:8", "species.wolf.count = nothing", "given"]),
        ("[cohesion]", vec!["pond.toml:8", "cohesion", "left out with species"]),
        (
            "[agent]\nmin_speed = 3",
            vec!["pond.toml:9", "species.hare.agent.min_speed = 3", "at most agent.max_speed (2)"],
        ),
        (
            "[drive.d]\nkind = \"noise\"\nspecies = \"wolf\"",
            vec!["pond.toml:10", "drive.d.species = \"wolf\"", "hare, fox"],
        ),
        (
            "[species.fox.agent]\nmax_speed = -1",
            vec!["pond.toml:9", "species.fox.agent.max_speed = -1", "0 to"],
        ),
    ] {
        refused(&lab, &[&alone(&format!("{hunt}{tables}\n"))], &expected);
    }
    let none = alone("[interaction.fox.hare]\nkind = \"pursue\"\n");
    refused(&lab, &[&none], &["pond.toml:4", "[interaction.fox.hare]", "no [species.NAME]"]);
    let scene = alone(hunt);
    refused(
        &lab,
        &[&scene, "--set", "species.wolf.agent.max_speed=2"],
        &["--set", "species.wolf.count", "given"],
    );
}

#[test]
fn machines_that_are_not_there() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    refused(&lab, &[&scene, "--level", "sse9"], &["--level", "sse9", "portable, avx2, avx512"]);
    for level in Level::ALL.iter().filter(|level| !level.is_available()) {
        refused(
            &lab,
            &[&scene, "--level", level.name()],
            &["--level", level.name(), "allowed is portable"],
        );
    }
}

#[test]
fn output_files_that_cannot_be() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    std::fs::create_dir(lab.path("folder.csv")).expect("a folder");
    let before = lab.files();
    for (flag, path, allowed) in [
        ("--final", "out.txt", ".csv"),
        ("--final", "nowhere/out.csv", "exists"),
        ("--final", "folder.csv", "not a folder"),
        ("--still", "out.jpg", ".svg or .png"),
        ("--still", "out", ".svg or .png"),
    ] {
        let output = lab.wingbeat(&["run", &scene, "--steps", "1", flag, path]);
        let stderr = text(&output.stderr);
        assert_eq!(
            (output.status.code(), stderr.lines().count()),
            (Some(2), 1),
            "{flag} {path}: {stderr}"
        );
        assert!([flag, path, allowed].iter().all(|part| stderr.contains(part)), "{stderr}");
    }
    assert_eq!(lab.files(), before);
}

/// A device, and a pipe that no process writes to, in the place of every file that is read; and
/// files longer than any row or scene.
#[test]
#[cfg(unix)]
fn files_without_end_are_refused_at_once() {
    let lab = Lab::new();
    let pond = lab.write("pond.toml", POND);
    lab.json(&[&pond, "--steps", "2", "--record", "a.wbr"]);
    assert!(
        std::process::Command::new("mkfifo")
            .arg(lab.path("pipe"))
            .status()
            .expect("mkfifo runs")
            .success()
    );
    let link =
        |to: &str, name: &str| std::os::unix::fs::symlink(to, lab.path(name)).expect("a link");
    for (to, kind) in [("/dev/zero", "zero"), ("pipe", "pipe")] {
        for ending in ["toml", "csv", "npy", "npz", "xyz", "txt", "wbr", "wkt"] {
            link(to, &format!("{kind}.{ending}"));
        }
        lab.write(&format!("floor-{kind}.toml"), format!("{POND}[floor]\nfile = \"{kind}.wkt\"\n"));
        let flow = "[domain]\nkind = \"walled\"\nmin = [0, 0]\nmax = [9, 9]\n[drive.way]\n\
            kind = \"flow\"\nfile = ";
        lab.write(&format!("flow-{kind}.toml"), format!("{POND}{flow}\"{kind}.npy\"\n"));
    }
    // No line, no record and no text ends: sparse, so that they take no room on the disk.
    for (name, head) in [
        ("line.csv", "id,x,y\n1,"),
        ("quote.csv", "id,x,y\n1,\"\n"),
        ("kinds.csv", "id,species\n1,\"\n"),
        ("seen.csv", "step,time,individuals,a\n1,"),
        ("long.toml", "#"),
        ("long.wkt", " "),
    ] {
        let path = lab.write(name, head);
        std::fs::File::options()
            .append(true)
            .open(path)
            .and_then(|file| file.set_len(1 << 32))
            .expect("a sparse file");
    }
    lab.write("floor-long.toml", format!("{POND}[floor]\nfile = \"long.wkt\"\n"));
    let mut commands: Vec<(Vec<String>, &str)> = Vec::new();
    let mut add =
        |line: String, said| commands.push((line.split(' ').map(str::to_string).collect(), said));
    for kind in ["zero", "pipe"] {
        for line in [
            "run {}.toml",
            "check floor-{}.toml",
            "check flow-{}.toml",
            "plot {}.csv -o o.svg",
            "view {}.toml --port 0",
        ] {
            add(line.replace("{}", kind), "allowed is a regular file");
        }
        add(format!("sweep {kind}.toml --set seed=1..2 --out o.csv"), "allowed is a regular file");
        add(
            format!("render a.wbr --png o.png --color species --species {kind}.csv"),
            "allowed is a regular file",
        );
        for ending in ["csv", "npy", "npz", "xyz", "txt", "wbr"] {
            add(format!("run pond.toml --initial {kind}.{ending}"), "allowed is a regular file");
            add(format!("measure {kind}.{ending}"), "allowed is a regular file");
        }
        for line in [
            "run pond.toml --steps 1 --final {}.csv",
            "run pond.toml --steps 1 --record {}.wbr",
            "convert a.wbr {}.npz",
        ] {
            add(line.replace("{}", kind), "allowed is a regular file");
        }
    }
    for line in [
        "run pond.toml --initial line.csv",
        "run pond.toml --initial quote.csv",
        "plot seen.csv -o o.svg",
    ] {
        add(line.to_string(), "longer than 65536 bytes");
    }
    add(
        "render a.wbr --png o.png --color species --species kinds.csv".to_string(),
        "longer than 65536 bytes",
    );
    add("check long.toml".to_string(), "at most 16777216 bytes");
    add("check floor-long.toml".to_string(), "at most 16777216 bytes");
    let before = lab.files();
    for (args, said) in commands {
        let limited = "ulimit -v 4000000; exec timeout -s KILL 20 \"$0\" \"$@\"";
        let mut command = std::process::Command::new("sh");
        command
            .args(["-c", limited, env!("CARGO_BIN_EXE_wingbeat")])
            .args(&args)
            .current_dir(lab.folder());
        let output = command.output().expect("a shell");
        let message = text(&output.stderr);
        assert_eq!(
            (output.status.code(), message.lines().count()),
            (Some(2), 1),
            "{args:?}: {message}"
        );
        assert!(message.contains(said), "{args:?}: {message}");
        assert_eq!(lab.files(), before, "{args:?}");
    }
}

/// A few lines of text that stand for millions of obstacles, or for obstacles that a million nodes
/// look at.
#[test]
fn scenes_that_would_take_minutes_are_refused_by_check() {
    let lab = Lab::new();
    let room = "[flock]\nboids = 1\n[domain]\nkind = \"periodic\"\nmin = [-10, -10, -10]\n\
        max = [10, 10, 10]\n";
    let scatters: String = (0..64)
        .map(|k| format!("[obstacle.o{k}]\nkind = \"scatter\"\ncount = 1000000\nradius = 1e-3\n"))
        .collect();
    lab.write("bomb.toml", format!("{room}{scatters}"));
    let way = "[drive.d]\nkind = \"flow\"\ntoward = [[0, 0, 0]]\n";
    let large = "[obstacle.o]\nkind = \"scatter\"\nradius = 2.0\ncount = 100000\n";
    lab.write("looks.toml", format!("{room}{way}{large}"));
    for (scene, said) in
        [("bomb.toml", "obstacle.o1.count = 1000000"), ("looks.toml", "drive.d.cell")]
    {
        let begun = std::time::Instant::now();
        let output = lab.wingbeat(&["check", scene]);
        let message = text(&output.stderr);
        assert_eq!(
            (output.status.code(), message.lines().count()),
            (Some(2), 1),
            "{scene}: {message}"
        );
        assert!(message.contains(said) && message.contains("allowed is"), "{message}");
        assert!(begun.elapsed().as_secs() < 30, "{scene}: {:?}", begun.elapsed());
    }
    // A thousand small ones are looked at where they are.
    lab.write(
        "small.toml",
        format!("{room}{way}[obstacle.o]\nkind = \"scatter\"\nradius = 0.1\ncount = 1000\n"),
    );
    assert!(lab.wingbeat(&["check", "small.toml"]).status.success());
}

#[test]
fn unknown_commands_name_the_nearest_and_those_of_python_its_call() {
    let lab = Lab::new();
    for (args, expected) in [
        (
            &["compare", "fish.npy", "pond.toml", "--fps", "32"][..],
            "unknown command compare: wingbeat.compare(a, b) of the Python package does this",
        ),
        (
            &["fit", "pond.toml", "--to", "fish.npy", "--vary", "cohesion.weight=0..3"],
            "unknown command fit: wingbeat.fit(...) of the Python package does this",
        ),
        (
            &["--quiet", "fit", "--help"],
            "unknown command fit: wingbeat.fit(...) of the Python package does this",
        ),
        (&["rnu", "shoal"], "unknown command rnu: the nearest is run"),
        (&["mesure"], "unknown command mesure: the nearest is measure"),
        (&["--quiet", "ru\nn"], "unknown command ru\\nn: the nearest is run"),
    ] {
        let output = lab.wingbeat(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(
            (text(&output.stderr), text(&output.stdout)),
            (format!("wingbeat: {expected}\n"), String::new())
        );
    }
}

#[test]
fn files_that_python_reads_name_its_line() {
    let lab = Lab::new();
    lab.write("fish.h5", "\u{89}HDF\r\n");
    let cases: [(&[&str], &str); 5] = [
        (&["measure", "fish.h5"], "wingbeat: fish.h5: "),
        (&["render", "fish.h5", "--png", "a.png"], "wingbeat: fish.h5: "),
        (&["convert", "fish.h5", "a.wbr"], "wingbeat: fish.h5: "),
        (&["replay", "fish.h5", "-o", "a.html"], "wingbeat: fish.h5: "),
        (&["run", "shoal", "--initial", "fish.h5"], "fish.h5: "),
    ];
    for (args, place) in cases {
        let output = lab.wingbeat(args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        let line = format!("{place}read it in Python: h = h5py.File(\"fish.h5\")");
        assert!(stderr.contains(&line) && stderr.lines().count() == 1, "{args:?}: {stderr}");
        assert_eq!(lab.files(), ["fish.h5"], "{args:?}");
    }
}
