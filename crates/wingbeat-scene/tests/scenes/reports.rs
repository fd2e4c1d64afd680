//! Small files from people who do this job, each with its right result: what cannot work is warned
//! of by name, what takes the place of something else is told, and tables are read as what they
//! are.

use wingbeat_scene::{AnyFlock, Machine, Override, Scene};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reports/");

pub fn load(name: &str, sets: &[&str]) -> Scene {
    let sets: Vec<Override> =
        sets.iter().map(|set| Override::set(set).expect("an override")).collect();
    Scene::load(&format!("{FOLDER}{name}"), &sets)
        .unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
}

/// The warnings of a report, of which one has all of these words.
fn warned(name: &str, sets: &[&str], words: &[&str]) -> Vec<String> {
    let lines = load(name, sets).check().unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    let is_it = |line: &&String| words.iter().all(|word| line.contains(word));
    assert!(
        lines.iter().any(|line| is_it(&line)),
        "{name} {sets:?}: no warning with {words:?} in {lines:?}"
    );
    lines
}

/// No warning of these words.
fn silent(name: &str, sets: &[&str], words: &[&str]) {
    let lines = load(name, sets).check().unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    let found: Vec<_> =
        lines.iter().filter(|line| words.iter().all(|word| line.contains(word))).collect();
    assert!(found.is_empty(), "{name} {sets:?}: {found:?}");
}

#[test]
fn a_door_that_bodies_do_not_fit_through_is_warned_of() {
    let lines = warned(
        "door_too_narrow.toml",
        &[],
        &["[10, 5] is 0.3 wide", "body.radius = 0.16 need 0.32", "20 boids"],
    );
    assert_eq!(lines.len(), 1, "{lines:?}");
    silent("door_too_narrow.toml", &["body.radius=0.14"], &["fit through"]);
    // A second door, as wide as they need, is enough.
    let second = "floor.wkt=\"POLYGON ((0 0, 10 0, 10 4.85, 10.2 4.85, 10.2 0, 15 0, 15 10, 0 10, \
                  0 0), \
                  (10 5.15, 10.2 5.15, 10.2 9, 10 9, 10 5.15))\"";
    silent("door_too_narrow.toml", &[second], &["fit through"]);
}

#[test]
fn an_exit_that_no_middle_can_get_into_is_warned_of() {
    warned("exit_out_of_reach.toml", &[], &["exit.end", "0.16", "middle"]);
    silent("exit_out_of_reach.toml", &["exit.end.min=[9.5, 9.5]"], &["exit.end"]);
    silent("exit_out_of_reach.toml", &["body.radius=0.1"], &["exit.end"]);
}

#[test]
fn a_plan_in_another_unit_is_warned_of() {
    warned("plan_millimetres.toml", &[], &["23000", "another unit", "flock.steps"]);
    let meters = "floor.wkt=\"POLYGON ((0 0, 23 0, 23 20, 20 20, 20 3, 0 3, 0 0))\"";
    let inside = [
        "spawn.min=[0.5, 0.3]",
        "spawn.max=[14.0, 2.7]",
        "exit.end.min=[20, 19]",
        "exit.end.max=[23, 20]",
    ];
    let mut sets = vec![meters, "drive.way.cell=0.1"];
    sets.extend(inside);
    silent("plan_millimetres.toml", &sets, &["unit"]);
    // Slow walkers whose velocity a model chooses are not turned right round by their force.
    silent("plan_millimetres.toml", &sets, &["right round"]);
}

#[test]
fn a_goal_that_none_can_see_is_warned_of() {
    let hall = |target: &str| {
        let text = format!(
            "[flock]\nboids = 20\ndimensions = 2\n[floor]\n\
             wkt = \"POLYGON ((0 0, 10 0, 10 2, 2 2, 2 10, 0 10, 0 0))\"\n\
             [spawn]\nmin = [5, 0.2]\nmax = [9, 1.8]\n[drive.d]\nkind = \"goal\"\n\
             target = {target}\n"
        );
        Scene::parse("hall.toml", &text, &[]).expect("a scene").check().expect("accepted")
    };
    let lines = hall("[1, 9]");
    assert!(
        lines.len() == 1
            && lines[0].contains("no boid that starts can see")
            && lines[0].contains("flow"),
        "{lines:?}"
    );
    assert!(hall("[1, 1]").is_empty());
}

#[test]
fn goals_of_boids_from_a_file_are_as_the_spawn_says() {
    let scene = load("goal_ignored.toml", &[]);
    let mut built = scene.build(&Machine::default()).expect("a flock");
    for _ in 0..scene.steps() {
        built.step(scene.dt()).expect("a step");
    }
    let AnyFlock::Two(flock) = &built.flock else { panic!("a plane") };
    let xs: Vec<f32> = flock.frame().by_id().map(|boid| boid.position[0]).collect();
    assert!((xs[0] - 10.0).abs() < 0.3 && (xs[1] + 10.0).abs() < 0.3, "they swap places: {xs:?}");
}

#[test]
fn keys_whose_place_a_file_takes_are_warned_of() {
    let sets = ["spawn.speed=2", "spawn.min=[0, 0]", "spawn.max=[1, 1]"];
    let lines = warned(
        "goal_ignored.toml",
        &sets,
        &["spawn.max, spawn.min, spawn.speed have no effect", "initial.file"],
    );
    assert!(!lines.iter().any(|line| line.contains("spawn.goal")), "{lines:?}");
    silent("goal_ignored.toml", &[], &["no effect"]);
    // Goals drawn from the spawn's own box need it.
    let sets = ["spawn.min=[0, 0]", "spawn.max=[1, 1]", "spawn.goal=random"];
    let text = std::fs::read_to_string(format!("{FOLDER}goal_ignored.toml")).expect("a report");
    let text = text.replace("goal_center = [0.0, 0.0]\n", "");
    let sets: Vec<Override> =
        sets.iter().map(|set| Override::set(set).expect("an override")).collect();
    let scene =
        Scene::parse("random.toml", &text, &sets).expect("a scene").in_folder(FOLDER.as_ref());
    assert_eq!(scene.check().expect("accepted"), Vec::<String>::new());
}

/// Start files and recordings have one reader.
#[test]
fn start_files_of_spreadsheets_are_read() {
    let read = |file: &str| {
        let scene = load("start.toml", &[&format!("initial.file={FOLDER}{file}")]);
        let built =
            scene.build(&Machine::default()).unwrap_or_else(|refusal| panic!("{file}: {refusal}"));
        let AnyFlock::Two(flock) = &built.flock else { panic!("a plane") };
        let boid = |boid: wingbeat::Boid<2>| (boid.id.get(), boid.position, boid.velocity);
        flock.frame().by_id().map(boid).collect::<Vec<_>>()
    };
    let wanted = [(0, [1.5, 2.5], [0.1, 0.0]), (1, [3.5, 2.5], [0.0, 0.1])];
    assert_eq!(read("start_semicolons_commas.csv"), wanted, "semicolons, and commas in numbers");
    let places: Vec<[f32; 2]> = read("start_cm.csv").into_iter().map(|boid| boid.1).collect();
    assert_eq!(places, [[1.0, 2.0], [3.0, 2.0]], "centimeters, as the header says");
}
