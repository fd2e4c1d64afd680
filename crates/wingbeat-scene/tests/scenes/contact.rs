//! `check` warns of pairs that attract, ring or pass through each other, and the engine agrees.

use wingbeat::{Boid, BoidId, Domain, Flock};
use wingbeat_scene::{Machine, Override, PRESETS, Scene};

fn scene(text: &str) -> Scene {
    let text = format!("[flock]\nboids = 2\ndimensions = 2\n{text}");
    Scene::parse("pair.toml", &text, &[]).expect("a scene")
}

/// The warnings of this kind that a scene gets.
fn warnings(scene: &Scene) -> Vec<String> {
    let kinds = ["at contact", "ring about", "pass through each other"];
    let all = scene.check().expect("an accepted scene");
    all.into_iter().filter(|line| kinds.iter().any(|kind| line.contains(kind))).collect()
}

/// Two boids of the scene's rules alone in the open plane, with ids that steer in the same step.
fn pair(scene: &Scene, positions: [[f32; 2]; 2], velocities: [[f32; 2]; 2]) -> Flock<2> {
    let boid = |i: usize| {
        let (position, velocity) = (positions[i], velocities[i]);
        Boid { id: BoidId::new(i as u64 * 1000), position, velocity }
    };
    Flock::<2>::builder()
        .params(scene.params().clone())
        .domain(Domain::open())
        .seed(1)
        .steer_every(scene.steer_every())
        .boids_with_ids(vec![boid(0), boid(1)])
        .build()
        .expect("two boids")
}

fn distance(flock: &Flock<2>) -> f64 {
    let frame = flock.frame();
    let at: Vec<[f32; 2]> = frame.by_id().map(|boid| boid.position).collect();
    let along = |axis: usize| f64::from(at[1][axis]) - f64::from(at[0][axis]);
    (along(0) * along(0) + along(1) * along(1)).sqrt()
}

/// The number between `start` and the next space.
fn number_after(line: &str, start: &str) -> Option<f64> {
    line.split_once(start)?.1.split([' ', ';']).next()?.parse().ok()
}

const SOFT: &str = "separation.falloff = \"soft\": its push vanishes at contact while \
                    cohesion pulls (cohesion.weight = 1), so crowds pile up; \"linear\" with \
                    separation.weight = ";

#[test]
fn scenes_and_what_is_warned_of_them() {
    let unit = "[cohesion]\nresponse = \"unit\"\n";
    let species = "[species.a]\ncount = 1\n[species.a.separation]\nweight = 0.3\n\
                   [species.a.cohesion]\nresponse = \"unit\"\n[species.b]\ncount = 1\n";
    let slow = "[separation]\nweight = 9\n[agent]\nmax_force = 0.5\nmin_speed = 2\n";
    let firm = "[agent]\nmax_speed = 9\n";
    let first = "[agent]\ncombine = \"prioritized\"\nmax_force = 1.5\npriority = [\"cohesion\"]\n";
    let soft = "falloff = \"soft\"\n";
    let by_soft = [SOFT.to_string() + "1.5 keeps", SOFT.to_string() + "0.45 keeps"];
    let ringing = "dt = 0.2\n[separation]\nweight = 60\n[cohesion]\n";
    let rows: &[(&str, &[&str])] = &[
        ("[separation]\nweight = 0.3\n[cohesion]\n", &[]),
        ("[separation]\nweight = -0.3\n[cohesion]\n", &[]),
        ("[separation]\nweight = 0.3\n", &[]),
        (
            &format!("[separation]\nweight = 0.3\n{unit}"),
            &["separation.weight = 0.3: two boids alone attract each other at contact (5 % of \
               separation.radius), where separation pushes with 0.285 and cohesion pulls with 1 \
               (cohesion.weight = 1, unit): above 1.06 they part"],
        ),
        (&format!("[separation]\nweight = 1.06\n{unit}"), &[]),
        (&format!("[separation]\nresponse = \"unit\"\n{soft}weight = 2.5\n{unit}"), &[]),
        ("[separation]\nresponse = \"flee\"\n[cohesion]\nresponse = \"steer\"\n", &[]),
        (
            "[separation]\nradius = 100\nweight = 3\n[cohesion]\nradius = 200\n",
            &["2.85 and cohesion pulls with 5 (cohesion.weight = 1, raw): above 5.27 they part"],
        ),
        (species, &["species.a.separation.weight = 0.3: two boids alone attract"]),
        (&format!("[separation]\nweight = 3\n{unit}{first}"), &["separation before it"]),
        ("[separation]\nweight = 3\nfalloff = \"soft\"\n[cohesion]\nradius = 2\n", &[]),
        (&format!("[separation]\nweight = 3\n{soft}{unit}"), &[&by_soft[0]]),
        (&format!("[separation]\nweight = 0.9\n{soft}[cohesion]\n"), &[&by_soft[1]]),
        (
            slow,
            &["agent.max_force = 0.5: at agent.min_speed = 2 boids turn on circles of radius 8 \
               or \
               more, above 5·separation.radius = 5, so two that meet head-on pass through each \
               other; above 0.8 they can turn aside"],
        ),
        (&format!("dt = 0.2\n[separation]\nweight = 30\n[cohesion]\n{firm}"), &[]),
        (
            &format!("{ringing}{firm}"),
            &["flock.dt = 0.2: two boids alone ring about their rest distance of 0.984, since \
               separation and cohesion have the slope k = 61 there and \
               (k·dt² + c·dt)/(2·mass) = 1.22 is above 1; below a dt of 0.181 they do not"],
        ),
        // Cut to so small a force that the swing cannot be seen.
        (&format!("{ringing}{firm}max_force = 0.4\n"), &[]),
    ];
    for (text, expected) in rows {
        let lines = warnings(&scene(text));
        assert_eq!(lines.len(), expected.len(), "{text}: {lines:?}");
        let all = lines.iter().zip(*expected).all(|(line, part)| line.contains(part));
        assert!(all, "{text}: {lines:#?}");
    }
}

/// `shoal` without its stir and the tank of few fish, with `soft` and with `linear`.
#[test]
fn crowds_pile_up_where_check_warns() {
    let still = "drive.stir.size=0";
    let soft = "separation.falloff=soft";
    for (name, radius, sets, is_warned) in [
        ("shoal", 0.9, &[still, soft][..], true),
        ("shoal", 0.9, &[still, "separation.weight=3.6"][..], false),
        ("shoal", 0.9, &[still, soft, "separation.weight=32"][..], false),
        ("tank", 110.0, &[soft, "separation.weight=30"][..], false),
        ("tank", 110.0, &[][..], false),
    ] {
        let few = if name == "shoal" { &["flock.boids=2000"][..] } else { &[] };
        let sets = few.iter().chain(sets).map(|set| Override::set(set).expect("a setting"));
        let scene = Scene::load(name, &sets.collect::<Vec<_>>()).expect("a scene");
        let lines = warnings(&scene);
        assert_eq!(lines.len(), usize::from(is_warned), "{name}: {lines:?}");
        let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
        (0..600).for_each(|_| flock.step(scene.dt()));
        let at: Vec<[f32; 3]> = flock.rows().into_iter().map(|row| row.position).collect();
        let is_near = |a: &[f32; 3], b: &[f32; 3]| {
            let d_sq = (0..2).fold(0.0, |sum, k| sum + (a[k] - b[k]) * (a[k] - b[k]));
            d_sq < 0.0025 * radius * radius
        };
        let near = at.iter().filter(|a| at.iter().filter(|b| is_near(a, b)).count() > 1).count();
        let share = near as f64 / at.len() as f64;
        assert!(if is_warned { share > 0.05 } else { share < 0.01 }, "{name}: {share}");
    }
}

/// Every falloff and response, at contact and at rest: a pair comes nearer where check warns.
#[test]
fn pairs_come_nearer_where_check_warns() {
    let budget = "combine = \"prioritized\"\n";
    let reversed = format!("{budget}priority = [\"cohesion\"]\n");
    let strengths = [(0.01, 1.0), (0.3, 1.0), (1.0, 60.0), (30.0, 1.0), (30.0, 60.0)];
    let mut warned = 0;
    let mut cases = 0;
    for falloff in ["linear", "soft", "inverse", "inverse_square"] {
        for response in ["raw", "unit", "steer", "flee"] {
            for cohesion in ["raw", "unit", "steer"] {
                for agent in ["", budget, &reversed] {
                    for (weight, radius) in strengths {
                        let text = |weight: f64| {
                            format!(
                                "[agent]\n{agent}[separation]\nfalloff = \"{falloff}\"\nresponse = \
                                 \"{response}\"\nweight = {weight}\nradius = {radius}\n[cohesion]\n\
                                 response = \"{cohesion}\"\nradius = {radius}\n"
                            )
                        };
                        let lines = warning_that_holds(&scene(&text(weight)), radius);
                        cases += 1;
                        let Some(line) = lines else { continue };
                        warned += 1;
                        if let Some(cure) = number_after(&line, "): above ") {
                            let cured = warning_that_holds(&scene(&text(cure * 1.001)), radius);
                            assert_eq!(cured, None, "{line}");
                        }
                    }
                }
            }
        }
    }
    assert!(warned > cases / 5 && warned < cases / 2, "{warned} of {cases}");
}

/// The warning of a scene, which it has if and only if a pair at contact comes nearer in a step.
fn warning_that_holds(scene: &Scene, radius: f32) -> Option<String> {
    let lines = warnings(scene).into_iter().find(|line| line.contains("at contact"));
    let half = 0.025 * radius;
    let mut flock = pair(scene, [[-half, 0.0], [half, 0.0]], [[0.0; 2]; 2]);
    let before = distance(&flock);
    flock.step(scene.dt());
    let nearer = distance(&flock) < before * (1.0 - 1e-6);
    assert_eq!(nearer, lines.is_some(), "{lines:?}: {:?}", scene.params());
    lines
}

/// A pair a thousandth of the radius off its rest distance swings further and further where
/// check warns, and keeps its swing where it does not.
#[test]
fn pairs_ring_where_check_warns() {
    let square = "falloff = \"inverse_square\"\n[cohesion]\n";
    let square = |w: f64, c: f64| format!("[separation]\nweight = {w}\n{square}weight = {c}\n");
    let held = "[cohesion]\n[alignment]\nweight = 1.5\n";
    let held = |w: f64| format!("steer_every = 2\n[separation]\nweight = {w}\n{held}");
    for (text, rest, is_warned) in [
        ("[separation]\nweight = 39\n[cohesion]\n", 39.0 / 40.0, false),
        ("[separation]\nweight = 59\n[cohesion]\n", 59.0 / 60.0, true),
        ("[separation]\nweight = 59\n[cohesion]\n[agent]\nmass = 2\n", 59.0 / 60.0, false),
        // q = 2k·dt²/m = 2 and p = 2·dt = 0.4: (2 + 0.8)/4; then p = 1.2: (2 + 2.4)/4.
        ("[separation]\nweight = 24\n[cohesion]\n[alignment]\n", 24.0 / 25.0, false),
        ("[separation]\nweight = 24\n[cohesion]\n[alignment]\nweight = 3\n", 24.0 / 25.0, true),
        ("[separation]\nweight = 40\nfalloff = \"soft\"\n[cohesion]\n", 39.0 / 40.0, false),
        ("[separation]\nweight = 60\nfalloff = \"soft\"\n[cohesion]\n", 59.0 / 60.0, true),
        (&square(4.0, 15.0), 0.5164, false),
        (&square(7.0, 30.0), 0.48305, true),
        // Held for two steps: q = 0.56, p = 0.6: 2·(0.56 + 1.2)/4; then q = 1.2: 2·(1.2 + 1.2)/4.
        (&held(6.0), 6.0 / 7.0, false),
        (&held(14.0), 14.0 / 15.0, true),
    ] {
        let (head, rules) = text.split_once('[').expect("rules");
        let agent = if rules.contains("[agent]") { "" } else { "[agent]\n" };
        let limits = format!("{agent}max_force = 1000\nmax_speed = 100\n");
        let scene = scene(&format!("dt = 0.2\n{head}[{rules}{limits}"));
        let lines = warnings(&scene);
        assert_eq!(lines.len(), usize::from(is_warned), "{text}: {lines:?}");
        let half = (rest + 0.001) * 0.5;
        let mut flock = pair(&scene, [[-half as f32, 0.0], [half as f32, 0.0]], [[0.0; 2]; 2]);
        let mut swing: f64 = 0.0;
        for step in 0..300 {
            flock.step(scene.dt());
            let off = (distance(&flock) - rest).abs();
            swing = if step >= 250 && off > swing { off } else { swing };
        }
        assert!(if is_warned { swing > 0.02 } else { swing < 0.003 }, "{text}: {swing}");
    }
}

/// The closest that two boids come which fly head-on at `speed`, `aside` of each other's line.
fn closest(scene: &Scene, speed: f32, aside: f32) -> f64 {
    let (x, y) = (1.0, aside * 0.5);
    let mut flock = pair(scene, [[-x, -y], [x, y]], [[speed, 0.0], [-speed, 0.0]]);
    let mut least = f64::MAX;
    for _ in 0..(2.0 / (speed * scene.dt().get())) as u32 {
        flock.step(scene.dt());
        let d = distance(&flock);
        least = if d < least { d } else { least };
    }
    least
}

/// Whatever the falloff, boids that cannot turn within five radii miss each other by no more than
/// 5 % of the radius more than they would without separation; agile boids turn aside.
#[test]
fn pairs_pass_through_each_other_where_check_warns() {
    for falloff in ["linear", "soft", "inverse", "inverse_square"] {
        for (force, is_warned) in [(0.7, true), (40.0, false)] {
            let scene = scene(&format!(
                "dt = 0.005\n[agent]\nmin_speed = 2\nmax_force = {force}\n[separation]\n\
                 falloff = \"{falloff}\"\nweight = 200\n"
            ));
            assert_eq!(warnings(&scene).len(), usize::from(is_warned), "{falloff}, {force}");
            for aside in [0.02, 0.1, 0.3] {
                let missed = closest(&scene, 2.0, aside) - f64::from(aside);
                let holds = if is_warned { missed < 0.055 } else { missed > 0.25 };
                assert!(holds, "{falloff}, {force}, {aside}: {missed}");
            }
        }
    }
}

/// Boids that cross more than a radius in a step pass through each other unseen.
#[test]
fn boids_that_outrun_their_radius_pass_unseen() {
    let rest = "[spawn]\nspeed = 2\n[agent]\nmin_speed = 2\n[separation]\nweight = 40\n";
    let scene = |dt: f32| scene(&format!("dt = {dt}\n{rest}"));
    for (dt, is_warned) in [(0.7, true), (0.1, false)] {
        let scene = scene(dt);
        let lines = scene.check().expect("an accepted scene");
        assert_eq!(lines.iter().any(|line| line.contains("boids outrun what they see")), is_warned);
        let mut flock = pair(&scene, [[-2.1, -0.1], [2.1, 0.1]], [[2.0, 0.0], [-2.0, 0.0]]);
        let steps = if is_warned { 3 } else { 21 };
        (0..steps).for_each(|_| flock.step(scene.dt()));
        let is_straight = flock.frame().by_id().all(|boid| boid.velocity[1] == 0.0);
        assert_eq!(is_straight, is_warned, "dt = {dt}");
    }
}

/// Presets, the scene beside the examples, and the scenes of the documentation.
#[test]
fn scenes_that_ship_have_none() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let example = format!("{root}/examples/scenes/bottleneck.toml");
    for name in PRESETS.iter().map(|preset| preset.name).chain([&*example]) {
        let scene = Scene::load(name, &[]).expect("a scene");
        assert_eq!(warnings(&scene), Vec::<String>::new(), "{name}");
    }
    let documents = ["docs/SCENES.md", "docs/CROWDS.md", "docs/LITERATURE.md", "README.md"];
    let mut count = 0;
    for document in documents {
        let text = std::fs::read_to_string(format!("{root}/{document}")).expect("a document");
        for part in text.split("```toml\n").skip(1) {
            let toml = part.split("```").next().unwrap_or_default();
            let Ok(scene) = Scene::parse(document, toml, &[]) else { continue };
            if scene.check().is_ok() {
                assert_eq!(warnings(&scene), Vec::<String>::new(), "{document}: {toml}");
                count += 1;
            }
        }
    }
    assert!(count > 2, "{count} scenes");
}
