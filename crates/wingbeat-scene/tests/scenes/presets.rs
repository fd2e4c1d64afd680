//! The scenes that ship, and how their size follows the count.

use wingbeat::Event;
use wingbeat_measure::Measurable;
use wingbeat_scene::{AnyFlock, Machine, Override, PRESETS, Scene};
use wingbeat_test_support::tier;

fn boids(count: usize) -> Override {
    Override::flag("--boids", "flock.boids", &count.to_string())
}

#[test]
fn every_preset_reads_checks_builds_and_steps() {
    for preset in PRESETS {
        let whole = Scene::load(preset.name, &[]).expect("a scene");
        assert_eq!(
            whole.check().expect("nothing to refuse"),
            Vec::<String>::new(),
            "{}",
            preset.name
        );
        let count = crate::at_most(preset.name, 600);
        let scene = Scene::load(preset.name, &[boids(count)]).expect("a scene");
        assert!(
            !scene.about().is_empty() && preset.text.starts_with("# "),
            "{} teaches",
            preset.name
        );
        let mut built = scene.build(&Machine::default()).expect("a flock");
        let mut gone = 0;
        for _ in 0..3 {
            built.flock.step(scene.dt());
            gone += built
                .flock
                .events()
                .iter()
                .filter(|event| matches!(event, Event::Captured { .. } | Event::Exited { .. }))
                .count();
        }
        assert_eq!(
            (built.flock.len() + gone, built.flock.dimensions()),
            (count, scene.dimensions()),
            "{}",
            preset.name
        );
        assert!(built.notes.is_empty());
        assert!(built.flock.rows().iter().all(|row| row.position.iter().all(|x| x.is_finite())));
    }
}

#[test]
fn presets_have_the_promised_size() {
    let sizes = |name: &str| {
        Scene::load(name, &[]).map(|scene| (scene.boids(), scene.dimensions())).expect("a scene")
    };
    assert_eq!(sizes("murmuration"), (Some(100_000), 3));
    assert_eq!(sizes("shoal"), (Some(20_000), 2));
    assert_eq!(Scene::load("seek_flee", &[]).map(|scene| scene.dt().get()), Ok(1.0));
}

/// Side lengths of a flock's domain.
fn sides(flock: &AnyFlock) -> [f32; 3] {
    let (min, max) = flock.bounds().expect("a box");
    std::array::from_fn(|a| max[a] - min[a])
}

#[test]
fn spacing_sizes_the_box() {
    for (name, spacing, dimensions) in
        [("shoal", 0.9f32, 2), ("murmuration", 2.4, 3), ("opensteer", 17.1, 3)]
    {
        for count in [1000usize, 8000] {
            let flock = Scene::load(name, &[boids(count)])
                .and_then(|scene| scene.build(&Machine::default()))
                .expect("a flock")
                .flock;
            let volume: f32 = sides(&flock)[..dimensions].iter().product();
            let expected = (0..dimensions).fold(count as f32, |v, _| v * spacing);
            assert!((volume / expected - 1.0).abs() < 1e-4, "{name} {count}: {volume} {expected}");
        }
    }
}

#[test]
fn the_spawn_follows_a_domain_that_is_given() {
    let spread = |text: &str| {
        let text = format!("[flock]\nboids = 4000\ndimensions = 2\n{text}");
        let rows = Scene::parse("a.toml", &text, &[])
            .and_then(|s| s.build(&Machine::default()))
            .expect("a flock")
            .flock
            .rows();
        let fold = |a: usize| {
            rows.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], row| {
                let x = row.position[a];
                [if x < low { x } else { low }, if x > high { x } else { high }]
            })
        };
        [fold(0), fold(1)].map(|[low, high]| [low.round(), high.round()])
    };
    let tank = "[domain]\nkind = \"walled\"\nmin = [100, 200]\nmax = [300, 240]\n";
    assert_eq!(spread(tank), [[100.0, 300.0], [200.0, 240.0]]);
    assert_eq!(
        spread(&format!("{tank}[spawn]\nspacing = 0.1\n")),
        [[100.0, 300.0], [200.0, 240.0]]
    );
    assert_eq!(
        spread(&format!("{tank}[spawn]\nshape = \"ball\"\n")),
        [[180.0, 220.0], [200.0, 240.0]]
    );
    assert_eq!(
        spread(&format!("{tank}[spawn]\nshape = \"ring\"\nradius = 10\n")),
        [[190.0, 210.0], [210.0, 230.0]]
    );
    assert_eq!(
        spread(&format!("{tank}[spawn]\nshape = \"box\"\nspacing = 0.5\n")),
        [[184.0, 216.0], [204.0, 236.0]]
    );
    assert_eq!(
        spread(&format!("{tank}[spawn]\nmin = [110, 210]\nmax = [120, 220]\n")),
        [[110.0, 120.0], [210.0, 220.0]]
    );
    // Open, nothing given: a box of spacing² a boid about zero, 63.2 a side.
    assert_eq!(spread(""), [[-32.0, 32.0], [-32.0, 32.0]]);
    assert_eq!(
        spread("[spawn]\nspacing = 2.0\ncenter = [100, 0]\n"),
        [[37.0, 163.0], [-63.0, 63.0]]
    );
}

#[test]
fn the_tank_holds_its_fish() {
    let scene = Scene::load("tank", &[]).expect("a scene");
    assert_eq!(scene.check().expect("nothing to refuse"), Vec::<String>::new());
    let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
    let (min, max) = flock.bounds().expect("a tank");
    for step in 0..scene.steps() {
        flock.step(scene.dt());
        for row in flock.rows() {
            assert!(
                (0..2).all(|a| (min[a]..=max[a]).contains(&row.position[a])),
                "step {step}: {row:?}"
            );
            let speed =
                (row.velocity[0] * row.velocity[0] + row.velocity[1] * row.velocity[1]).sqrt();
            // The recorded range is 0.9 to 1403 px/s; a fish that touches the glass may lose its
            // outward part.
            assert!((1.0..=901.0).contains(&speed), "step {step}: {speed}");
        }
    }
}

#[test]
fn the_murmuration_neither_collapses_nor_freezes() {
    let scene = Scene::load("murmuration", &[boids(3000)]).expect("a scene");
    let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
    let mut most = 0.0;
    for step in 0..scene.steps() {
        flock.step(scene.dt());
        if step % 100 == 99 {
            let neighbors = flock.mean_neighbors();
            most = if neighbors > most { neighbors } else { most };
        }
    }
    assert!((5.0..80.0).contains(&most), "{most} neighbors");
    assert!((7.0..=12.0).contains(&flock.mean_speed()), "{}", flock.mean_speed());
    let agree = flock.observables(None).correlation_length.expect("birds that fly");
    assert!((5.0..25.0).contains(&agree), "directions are alike over {agree} metres");
}

/// Boids at the start and at the end of a preset, with what happened to the others: arrivals (or
/// leaving by an exit) and captures.
fn lived(name: &str, overrides: &[&str]) -> (usize, usize, usize, usize) {
    let overrides: Vec<Override> =
        overrides.iter().map(|text| Override::set(text).expect("an override")).collect();
    let scene = Scene::load(name, &overrides).expect("a scene");
    let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
    let start = flock.len();
    let (mut arrived, mut captured) = (0, 0);
    for _ in 0..scene.steps() {
        flock.step(scene.dt());
        for event in flock.events() {
            match event {
                Event::Arrived { .. } | Event::Exited { .. } => arrived += 1,
                Event::Captured { .. } => captured += 1,
                _ => {}
            }
        }
    }
    (start, flock.len(), arrived, captured)
}

/// Every boid that is no longer inside is in an event, and every boid gets out within the scene's
/// steps.
#[test]
fn the_evacuation_empties_and_loses_no_one() {
    assert_eq!(lived("evacuation", &["flock.boids=200", "flock.steps=3000"]), (200, 0, 200, 0));
    let (steps, expected) = tier::either(("400", 930..990), ("1200", 850..950));
    let steps = format!("flock.steps={steps}");
    let (start, left, arrived, captured) = lived("evacuation", &[&steps]);
    assert_eq!((start, captured), (left + arrived, 0));
    assert!(expected.contains(&left), "{left} after {steps}");
}

#[test]
fn hunters_capture_and_prey_that_evade_live_longer() {
    let (start, left, _, captured) = lived("hunter_prey", &[]);
    assert_eq!((start, left + captured), (1020, 1020));
    let (_, _, _, careless) = lived("hunter_prey", &["interaction.prey.hunter.weight=0"]);
    println!("captured {captured}, of prey that do not evade {careless}");
    assert!(captured > 0 && careless > captured, "{captured} {careless}");
}
