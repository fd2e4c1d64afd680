//! Exits and sources of scenes, and the ways that lead to exits.

use wingbeat::{Event, SpeciesId};
use wingbeat_scene::{AnyFlock, Machine, Override, Scene};

/// A hall of 10 by 10 with a door in the north (x 4 to 6) and one in the east (y 4 to 6), an exit
/// behind each. People start in the south-west, nearer to the east door; a wall stands before it
/// when `walled`.
const HALL: &str = r#"
[flock]
boids = 12
dimensions = 2
dt = 0.05
[spawn]
min = [4.0, 0.5]
max = [7.0, 3.0]
speed = 0.0
[domain]
kind = "reflecting"
min = [0.0, 0.0]
max = [12.0, 12.0]
[agent]
max_speed = 1.4
max_force = 4.0
[body]
radius = 0.2
[anticipation]
kind = "collision_free_speed"
[obstacle.north_west]
kind = "box"
min = [0.0, 10.0]
max = [4.0, 10.3]
[obstacle.north_east]
kind = "box"
min = [6.0, 10.0]
max = [10.3, 10.3]
[obstacle.east_south]
kind = "box"
min = [10.0, 0.0]
max = [10.3, 4.0]
[obstacle.east_north]
kind = "box"
min = [10.0, 6.0]
max = [10.3, 10.0]
[exit.north]
kind = "box"
min = [4.0, 10.3]
max = [6.0, 11.5]
[exit.east]
kind = "box"
min = [10.3, 4.0]
max = [11.5, 6.0]
[drive.way]
kind = "flow"
to_exits = true
ways = "shortest"
clearance = 0.25
cell = 0.2
"#;

const SCREEN: &str = "[obstacle.screen]\nkind = \"box\"\nmin = [8.0, 0.0]\nmax = [8.2, 9.0]\n";

fn scene(text: &str, set: &[&str]) -> Scene {
    let set: Vec<Override> =
        set.iter().map(|set| Override::set(set).expect("an assignment")).collect();
    Scene::parse("hall.toml", text, &set).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// How many left by each exit, how many came, and how many are left.
fn count(scene: &Scene, steps: u32) -> (Vec<usize>, usize, usize) {
    let mut flock =
        scene.build(&Machine::default()).unwrap_or_else(|refusal| panic!("{refusal}")).flock;
    let (mut left, mut entered) = (vec![0; flock.exits().len()], 0);
    for _ in 0..steps {
        flock.step(scene.dt());
        for event in flock.events() {
            match event {
                Event::Exited { exit, .. } => left[exit.get()] += 1,
                Event::Entered { .. } => entered += 1,
                _ => {}
            }
        }
    }
    (left, entered, flock.len())
}

fn refusal(text: &str, set: &[&str]) -> String {
    let set: Vec<Override> =
        set.iter().map(|set| Override::set(set).expect("an assignment")).collect();
    let built =
        Scene::parse("hall.toml", text, &set).and_then(|scene| scene.build(&Machine::default()));
    built.map(|_| ()).expect_err("refused").to_string()
}

#[test]
fn all_take_the_exit_that_is_nearest_to_walk_to() {
    assert_eq!(
        count(&scene(HALL, &[]), 600),
        (vec![0, 12], 0, 0),
        "from the south-west it is nearer to the east door"
    );
    // Behind a screen with its way round in the north, the north door is nearer, though not as the
    // crow flies.
    let screened = format!("{HALL}{SCREEN}");
    assert_eq!(count(&scene(&screened, &[]), 600), (vec![12, 0], 0, 0));
    assert_eq!(
        count(&scene(&screened, &["exit.north.open=false"]), 900),
        (vec![0, 12], 0, 0),
        "round the screen"
    );
}

#[test]
fn an_exit_is_for_its_species() {
    let text = format!(
        "{HALL}species = \"guest\"\n[drive.back]\nkind = \"flow\"\nto_exits = true\n\
         species = \"staff\"\n\
         [species.guest]\ncount = 8\n[species.staff]\ncount = 4\n"
    );
    let north_for_staff = scene(&text, &["exit.north.species=staff", "exit.east.species=guest"]);
    assert_eq!(count(&north_for_staff, 700), (vec![4, 8], 0, 0));
}

#[test]
fn a_source_brings_as_many_as_it_says_and_they_find_their_way() {
    let text = format!(
        "{HALL}[source.train]\nmin = [0.5, 5.0]\nmax = [1.5, 9.0]\nrate = 2.0\ncount = 30\n\
            velocity = [1.0, 0.0]\n"
    );
    let (left, entered, remaining) = count(&scene(&text, &[]), 1_200);
    assert_eq!((left.iter().sum::<usize>(), entered, remaining), (42, 30, 0), "{left:?}");
    assert!(left[0] > 20, "the train is nearer to the north door: {left:?}");
    assert_eq!(
        count(&scene(&text, &["source.train.from=10", "source.train.until=12"]), 1_200).1,
        4
    );
}

/// Those that are there at the start and those that come later: no two of 24 walk alike, and each
/// as its id says.
#[test]
fn persons_differ_wherever_they_come_from() {
    let train = "[source.train]\nmin = [0.5, 5.0]\nmax = [1.5, 9.0]\nrate = 50.0\ncount = 12\n\
        velocity = [1.0, 0.0]\n";
    for (set, slowest, fastest) in [
        ("agent.max_speed_spread=0.26", 1.34 - 0.78, 1.34 + 0.78),
        ("agent.population=imo", 0.37, 1.85),
        ("agent.population=rimea", 0.4, 2.53),
    ] {
        let scene = scene(&format!("{HALL}{train}"), &["agent.max_speed=1.34", set]);
        let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
        // All are in before the first is out.
        (0..20).for_each(|_| flock.step(scene.dt()));
        let speed =
            |id: u64| flock.traits(id).expect("it lives").max_speed.expect("a speed of its own");
        let mut speeds: Vec<f32> = (0..24).map(speed).collect();
        let said = |id: u64| scene.params().max_speed_of(SpeciesId::default(), scene.seed(), id);
        assert!((0..24).all(|id| said(id) == Some(speed(id))), "{set}");
        speeds.sort_unstable_by(f32::total_cmp);
        speeds.dedup();
        assert!(
            speeds.len() == 24 && speeds[0] > slowest && speeds[23] < fastest,
            "{set}: {speeds:?}"
        );
    }
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    let source =
        |more: &str| format!("{HALL}[source.train]\nmin = [0.5, 5.0]\nmax = [1.5, 9.0]\n{more}");
    for (text, set, wanted) in [
        (HALL.to_string(), "exit.east.min=[20,4]", "exit.east"),
        (
            HALL.to_string(),
            "exit.east.species=guest",
            "exit.east.species = \"guest\": allowed is left out",
        ),
        (
            HALL.to_string(),
            "drive.way.toward=[[1,1]]",
            "drive.way.to_exits = true: allowed is left out where drive.way.toward",
        ),
        (source(""), "source.train.max=[0,9]", "source.train.max"),
        (source(""), "source.train.rate=0", "source.train.rate = 0: allowed is"),
        (
            source("species = \"x\"\n"),
            "source.train.rate=2",
            "source.train.species = \"x\": allowed is left out",
        ),
        (source(""), "obstacle.north_west.min=[0,4]", "source.train"),
        (source(""), "source.train.until=-1", "source.train.until = -1: allowed is"),
        (
            HALL.replace("min = [10.3, 4.0]\n", ""),
            "exit.east.open=true",
            "exit.east.min = nothing: allowed is given",
        ),
    ] {
        let line = refusal(&text, &[set]);
        assert!(line.contains(wanted) && line.lines().count() == 1, "{set}: {line}");
    }
    let closed = refusal(HALL, &["exit.east.open=false", "exit.north.open=false"]);
    assert!(
        closed.contains(
            "drive.way.to_exits = true: allowed is given with an [exit.NAME] that is open"
        ),
        "{closed}"
    );
}

#[test]
fn a_source_without_a_way_is_warned_of() {
    let shut = "[obstacle.shut_a]\nkind = \"box\"\nmin = [0, 4.5]\nmax = [3, 4.7]\n\
                [obstacle.shut_b]\nkind = \"box\"\n\
                min = [2.8, 4.7]\nmax = [3, 10]\n[source.train]\nmin = [0.5, 5.0]\n\
                max = [1.5, 9.0]\n";
    let lines = scene(&format!("{HALL}{shut}"), &[]).check().expect("accepted");
    assert!(
        lines
            .iter()
            .any(|line| line
                .contains("boids of source.train may come in where drive.way knows no way")),
        "{lines:?}"
    );
    assert!(
        scene(&format!("{HALL}{shut}"), &["obstacle.shut_b.max=[3,6]"])
            .check()
            .expect("accepted")
            .is_empty()
    );
}

#[test]
fn drives_that_overshoot_are_warned_of() {
    let lines = scene(HALL, &["drive.way.weight=2"]).check().expect("accepted");
    assert!(
        lines.len() == 1
            && lines[0].contains("drive.way.weight/mass·anticipation.response = 2 is above 1"),
        "{lines:?}"
    );
    assert!(
        scene(HALL, &["drive.way.weight=2", "agent.mass=2"]).check().expect("accepted").is_empty()
    );
}

#[test]
fn exits_change_on_a_flock_that_steps() {
    let text = format!("{HALL}{SCREEN}");
    let open = scene(&text, &[]);
    let mut flock = open.build(&Machine::default()).expect("a flock").flock;
    (0..40).for_each(|_| flock.step(open.dt()));
    scene(&text, &["exit.north.open=false"]).apply(&mut flock).expect("the door closes");
    let mut left = [0, 0];
    for _ in 0..900 {
        flock.step(open.dt());
        for event in flock.events() {
            if let Event::Exited { exit, .. } = event {
                left[exit.get()] += 1;
            }
        }
    }
    assert!(matches!(flock, AnyFlock::Two(_)));
    assert_eq!(left, [0, 12], "all take the other way");
}

#[test]
fn ways_are_planned_anew_when_a_door_closes_or_opens() {
    // Half are through the east door by 3.5 s; the others turn round and take the north door.
    let (left, _, remaining) = count(&scene(HALL, &["exit.east.closes=5"]), 900);
    assert!(left[0] > 0 && left[1] > 0 && remaining == 0, "{left:?}, {remaining} remain");
    assert_eq!(left[0] + left[1], 12);
    // No boid gets out before the only door opens, and people stand until then.
    let shut = scene(HALL, &["exit.east.open=false", "exit.north.opens=10"]);
    let mut flock = shut.build(&Machine::default()).expect("a flock").flock;
    (0..199).for_each(|_| flock.step(shut.dt()));
    assert!(
        flock.len() == 12 && flock.largest_speed() < 1e-3,
        "{} of 12, {}",
        flock.len(),
        flock.largest_speed()
    );
    assert_eq!(count(&shut, 600), (vec![12, 0], 0, 0));
}

#[test]
fn a_turnstile_lets_one_pass_at_a_time() {
    let turnstile = scene(HALL, &["exit.north.open=false", "exit.east.every=2"]);
    let (left, _, remaining) = count(&turnstile, 400);
    assert!(
        (5..=9).contains(&left[1]) && left[1] + remaining == 12,
        "in 20 s, the first after about 4: {left:?}"
    );
    assert_eq!(count(&turnstile, 800), (vec![0, 12], 0, 0));
}

#[test]
fn people_set_off_when_their_delay_is_over() {
    for (set, all_by) in [
        (["drive.way.delay_min=5", "drive.way.delay_max=15"], 15.0),
        (["drive.way.delay_median=8", "drive.way.delay_sigma=0.3"], 25.0),
        (["drive.way.delay_gamma_scale=0.5", "drive.way.delay_gamma_shape=18"], 25.0),
        (["drive.way.delay_weibull_scale=9", "drive.way.delay_weibull_shape=6"], 15.0),
    ] {
        let delayed = scene(HALL, &set);
        let mut flock = delayed.build(&Machine::default()).expect("a flock").flock;
        let start = flock.rows();
        (0..60).for_each(|_| flock.step(delayed.dt()));
        assert_eq!(flock.rows(), start, "no boid has moved after 3 s");
        let steps = ((all_by + 15.0) / 0.05) as u32;
        assert_eq!(count(&delayed, steps).2, 0, "all are out");
    }
    for (set, wanted) in [
        (
            &["drive.way.delay_min=5", "drive.way.delay_max=4"][..],
            "drive.way.delay_max = 4: allowed is",
        ),
        (
            &["drive.way.delay_min=5", "drive.way.delay_median=4"][..],
            "drive.way.delay_min = 5: allowed is left out where",
        ),
        (
            &["drive.way.delay_gamma_scale=5", "drive.way.delay_weibull_scale=4"][..],
            "delay_gamma_scale = 5: allowed is left out where",
        ),
        (
            &["drive.way.delay_gamma_scale=5", "drive.way.delay_gamma_shape=0.05"][..],
            "delay_gamma_shape = 0.05: allowed is a number, 0.1 to 100",
        ),
        (&["exit.east.opens=5", "exit.east.closes=4"][..], "exit.east.closes = 4: allowed is"),
        (&["drive.way.from=5", "drive.way.until=4"][..], "drive.way.until = 4: allowed is"),
    ] {
        let line = refusal(HALL, set);
        assert!(line.contains(wanted) && line.lines().count() == 1, "{set:?}: {line}");
    }
}
