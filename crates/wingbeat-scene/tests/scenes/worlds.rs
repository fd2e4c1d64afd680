//! Drives and obstacles of scenes: what is written is what the flock has.

use wingbeat::drive::{Goal, OnArrival};
use wingbeat::steer::Domain;
use wingbeat::{
    Flock, SpeciesId,
    steer::{Drive, DriveKind, ObstacleMotion, ObstacleShape},
};
use wingbeat_scene::{AnyFlock, Machine, Override, Scene, SettingValue};

const POND: &str = "[flock]\nboids = 50\ndimensions = 2\n[domain]\nkind = \"walled\"\n\
    min = [0, 0]\nmax = [10, 10]\n";

fn built(tables: &str, overrides: &[&str]) -> Flock<2> {
    let overrides: Vec<Override> =
        overrides.iter().map(|text| Override::set(text).expect("an override")).collect();
    let scene = Scene::parse("pond.toml", &format!("{POND}{tables}"), &overrides)
        .unwrap_or_else(|error| panic!("{error}"));
    match scene.build(&Machine::default()).unwrap_or_else(|error| panic!("{error}")).flock {
        AnyFlock::Two(flock) => flock,
        AnyFlock::Three(_) => panic!("a plane"),
    }
}

#[test]
fn drives_are_built_in_the_order_of_the_file() {
    let tables = "[drive.z]\nkind = \"goal\"\ntarget = [9, 1]\narrival_radius = 0.5\n\
                  on_arrival = \"leave\"\n\
                  [drive.a]\nkind = \"wind\"\nvector = [1, 2]\ndrag = true\nwhen = \"idle\"\n";
    let flock = built(tables, &["drive.z.weight=-2.5"]);
    let drives = flock.drives();
    let target = Some([9.0, 1.0]);
    let goal =
        Goal { target, arrival_radius: 0.5, on_arrival: OnArrival::Leave, ..Default::default() };
    assert_eq!(drives[0], Drive::new("z", goal).weighted(-2.5));
    assert_eq!((drives[1].name.as_str(), drives[1].when), ("a", wingbeat::drive::When::Idle));
    assert_eq!(
        drives[1].kind,
        DriveKind::Wind(wingbeat::drive::Wind { vector: [1.0, 2.0], drag: true })
    );
}

#[test]
fn a_field_leads_round_a_wall_that_is_thinner_than_its_cells() {
    let wall = "[obstacle.wall]\nkind = \"wall\"\nfrom = [5.03, 0]\nto = [5.03, 8]\n";
    let way = "[drive.way]\nkind = \"flow\"\ntoward = [[9, 1]]\ncell = 0.25\n";
    let ahead = |tables: &str| match &built(tables, &[]).drives()[0].kind {
        DriveKind::Flow(flow) => flow.field.at([4.0, 1.0]),
        other => panic!("{other:?}"),
    };
    let free = ahead(way);
    assert!(free[0] > 0.99, "straight on without a wall: {free:?}");
    let round = ahead(&format!("{wall}{way}"));
    assert!(round[1] > 0.8, "up, to the end of the wall: {round:?}");
}

#[test]
fn scattered_spheres_are_as_many_and_as_large_as_the_scene_says() {
    let tables = "[obstacle.rocks]\nkind = \"scatter\"\ncount = 40\nradius = 0.1\n\
            radius_max = 0.3\n\
            speed = 0.5\nspeed_max = 1.5\n";
    let list = |overrides: &[&str]| {
        built(tables, overrides).obstacles().expect("obstacles").obstacles().list.clone()
    };
    let rocks = list(&[]);
    assert_eq!(rocks.len(), 40);
    for rock in &rocks {
        let ObstacleShape::Sphere { center, radius } = rock.shape else { panic!("{rock:?}") };
        assert!(
            (0.1..=0.3).contains(&radius) && center.iter().all(|x| (0.0..=10.0).contains(x)),
            "{rock:?}"
        );
        let ObstacleMotion::Line { velocity: [x, y], .. } = rock.motion else { panic!("{rock:?}") };
        let speed = (x * x + y * y).sqrt();
        assert!((0.499..=1.501).contains(&speed), "{rock:?}");
    }
    let radii = rocks.iter().map(|rock| {
        if let ObstacleShape::Sphere { radius, .. } = rock.shape { radius } else { 0.0 }
    });
    assert!(radii.clone().any(|radius| radius < 0.15) && radii.clone().any(|radius| radius > 0.25));
    // More of them are the same and others; another seed is others.
    assert_eq!(list(&["obstacle.rocks.count=60"])[..40], rocks[..]);
    let spaced = tables.replace("count = 40", "spacing = 2");
    assert_eq!(
        built(&spaced, &[]).obstacles().map(|course| course.obstacles().list.len()),
        Some(25),
        "10 × 10 / 2 × 2"
    );
    assert_ne!(list(&["obstacle.rocks.seed=9"]), rocks);
    assert_eq!(list(&["obstacle.rocks.seed=1"]), rocks, "flock.seed is 1");
}

#[test]
fn none_starts_inside_what_stands_still_and_the_others_start_as_ever() {
    let rock = "[obstacle.rock]\nkind = \"sphere\"\ncenter = [5, 5]\nradius = 3\n";
    let (with, without) = (built(rock, &[]), built("", &[]));
    let inside = |[x, y]: [f32; 2]| (x - 5.0) * (x - 5.0) + (y - 5.0) * (y - 5.0) < 9.0;
    let mut moved = 0;
    for (a, b) in with.frame().by_id().zip(without.frame().by_id()) {
        assert!(!inside(a.position), "{a:?}");
        assert!(Domain::reflecting([0.0; 2], [10.0; 2]).contains(a.position));
        if inside(b.position) { moved += 1 } else { assert_eq!(a, b) }
    }
    assert!(moved > 5, "{moved}");
}

#[test]
fn settings_list_named_tables_by_their_names() {
    let tables = "[drive.z]\nkind = \"speed\"\nrate = 3\n[drive.a]\nkind = \"noise\"\n";
    let scene = Scene::parse("pond.toml", &format!("{POND}{tables}"), &[]).expect("a scene");
    let settings = scene.settings();
    let names: Vec<&str> = settings
        .iter()
        .map(|setting| setting.name.as_str())
        .filter(|name| name.starts_with("drive"))
        .collect();
    let of = |drive: &str, last: &[&str]| -> Vec<String> {
        let scaled = [
            "delay_gamma_scale",
            "delay_gamma_shape",
            "delay_weibull_scale",
            "delay_weibull_shape",
        ];
        let times = [
            &["from", "until", "delay_min", "delay_max", "delay_median", "delay_sigma"][..],
            &scaled,
        ]
        .concat();
        ["kind", "weight", "species", "when"]
            .iter()
            .chain(&times)
            .chain(last)
            .map(|key| format!("drive.{drive}.{key}"))
            .collect()
    };
    assert_eq!(names, [of("z", &["speed", "rate"]), of("a", &["size", "interval"])].concat());
    let value = |name: &str| {
        settings
            .iter()
            .find(|setting| setting.name == name)
            .and_then(|setting| setting.value.clone())
    };
    assert_eq!(value("drive.z.rate"), Some(SettingValue::Number(3.0)));
    assert_eq!(value("drive.z.speed"), Some(SettingValue::Number(1.0)));
    assert_eq!(value("drive.z.species"), None);
}

#[test]
fn a_scene_is_applied_to_a_flock_that_steps() {
    let tables = "[drive.stroll]\nkind = \"wander\"\n[obstacle.rock]\nkind = \"sphere\"\n\
        center = [5, 5]\nradius = 1\n";
    let scene = |set: &str| {
        Scene::parse(
            "pond.toml",
            &format!("{POND}{tables}"),
            &[Override::set(set).expect("an override")],
        )
        .expect("a scene")
    };
    let before = scene("flock.seed=1");
    let mut flock = before.build(&Machine::default()).expect("a flock").flock;
    (0..5).for_each(|_| flock.step(before.dt()));
    scene("obstacle.rock.radius=2").apply(&mut flock).expect("obstacles");
    scene("drive.stroll.weight=0.5").apply(&mut flock).expect("drives");
    let AnyFlock::Two(flock) = &flock else { panic!("a plane") };
    assert_eq!(flock.drives()[0].weight, 0.5);
    let obstacles = &flock.obstacles().expect("obstacles").obstacles().list;
    // The last scene applied holds as a whole.
    assert_eq!(obstacles[0].shape, ObstacleShape::Sphere { center: [5.0, 5.0], radius: 1.0 });
    assert!(
        before
            .apply(
                &mut Scene::load(
                    "murmuration",
                    &[Override::set("flock.boids=300").expect("an override")]
                )
                .and_then(|scene| scene.build(&Machine::default()))
                .expect("a flock")
                .flock
            )
            .is_err()
    );
}

const HUNT: &str = "[species.hare]\ncount = 30\n[species.hare.cohesion]\nweight = 0.5\n\
                    [species.fox]\ncount = 3\n\
                    [species.fox.agent]\nmax_speed = 3\n[species.fox.stamina]\ncapacity = 9\n\
                    [interaction.fox.hare]\n\
                    kind = \"pursue\"\nradius = 4\ncapture_radius = 0.5\n[drive.stroll]\n\
                    kind = \"wander\"\nspecies = \"fox\"\n\
                    when = \"resting\"\n";

fn hunt(overrides: &[&str]) -> Flock<2> {
    let overrides: Vec<Override> =
        overrides.iter().map(|text| Override::set(text).expect("an override")).collect();
    let text = format!("{}{HUNT}", POND.replace("boids = 50\n", ""));
    let scene =
        Scene::parse("hunt.toml", &text, &overrides).unwrap_or_else(|error| panic!("{error}"));
    match scene.build(&Machine::default()).unwrap_or_else(|error| panic!("{error}")).flock {
        AnyFlock::Two(flock) => flock,
        AnyFlock::Three(_) => panic!("a plane"),
    }
}

fn foxes(flock: &Flock<2>) -> Vec<u64> {
    let is_fox =
        |id: &u64| flock.traits(wingbeat::BoidId::new(*id)).expect("a boid").species.get() == 1;
    flock.frame().by_id().map(|boid| boid.id.get()).filter(is_fox).collect()
}

#[test]
fn species_are_as_many_as_the_scene_says() {
    let flock = hunt(&[]);
    assert_eq!((flock.len(), foxes(&flock)), (33, vec![30, 31, 32]));
    let params = flock.params();
    assert_eq!((params.species[0].name.as_str(), params.species[1].agent.max_speed), ("hare", 3.0));
    assert_eq!(params.species[0].rules.cohesion.map(|rule| rule.weight), Some(0.5));
    assert_eq!(
        params.species[1].stamina.map(|stamina| (stamina.capacity, stamina.drain)),
        Some((9.0, 2.0))
    );
    let hunt = params.interactions[0];
    assert_eq!(
        (hunt.species.get(), hunt.other.get(), hunt.kind, hunt.capture_radius),
        (1, 0, wingbeat::steer::InteractionKind::Pursue, 0.5)
    );
    assert_eq!(
        (flock.drives()[0].species.map(SpeciesId::get), flock.drives()[0].when),
        (Some(1), wingbeat::drive::When::Resting)
    );
}

/// Of another total the proportion stays, and no boid is lost in rounding.
#[test]
fn another_total_is_shared_out_in_proportion() {
    for (boids, expected) in [(66, 6), (11, 1), (5, 0), (17, 2), (0, 0)] {
        let flock = hunt(&[&format!("flock.boids={boids}")]);
        assert_eq!((flock.len(), foxes(&flock).len()), (boids, expected));
    }
}

#[test]
fn bodies_that_share_a_target_settle_unless_the_scene_says_otherwise() {
    let of = |tables: &str| {
        let flock =
            built(&format!("[drive.go]\nkind = \"goal\"\narrival_radius = 0.5\n{tables}"), &[]);
        let DriveKind::Goal(goal) = &flock.drives()[0].kind else { panic!("a goal") };
        goal.on_arrival
    };
    assert_eq!(of("target = [1, 1]\n"), OnArrival::Stay);
    assert_eq!(of("target = [1, 1]\non_arrival = \"settle\"\n"), OnArrival::Settle);
    assert_eq!(of("target = [1, 1]\n[body]\nradius = 0.01\nsettle = true\n"), OnArrival::Settle);
    assert_eq!(
        of("target = [1, 1]\non_arrival = \"stay\"\n[body]\nradius = 0.01\nsettle = true\n"),
        OnArrival::Stay
    );
    assert_eq!(of("[body]\nradius = 0.01\nsettle = true\n"), OnArrival::Stay, "each its own goal");
}
