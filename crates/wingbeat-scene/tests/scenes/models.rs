//! `[model]` in scene files: keys, defaults, and what is refused.

use wingbeat::steer::model::models;
use wingbeat::{Params, steer::Boundary};
use wingbeat_scene::{AnyFlock, Machine, Override, Scene, SceneError};

fn scene(text: &str, sets: &[&str]) -> Result<Scene, SceneError> {
    let overrides = sets.iter().map(|set| Override::set(set)).collect::<Result<Vec<_>, _>>()?;
    Scene::parse("a.toml", text, &overrides)
}

fn refusal(text: &str, sets: &[&str]) -> String {
    let built = scene(text, sets).and_then(|scene| scene.build(&Machine::default()));
    let refused = built.map(|_| ()).expect_err(text);
    assert!(refused.is_bad_input());
    let told = refused.to_string();
    assert_eq!(told.lines().count(), 1);
    told
}

const FLOCK: &str = "[flock]\nboids = 50\n";

fn of(name: &str, rest: &str) -> String {
    format!("{FLOCK}[model]\nname = \"{name}\"\n{rest}")
}

#[test]
fn a_name_alone_is_a_scene() {
    for model in models() {
        // So that half the box is as wide as any model looks.
        let scene = scene(&of(model.name(), ""), &["spawn.spacing=5"]).expect("a scene");
        let usual = model.usual();
        assert_eq!(
            (scene.dimensions(), scene.dt().get()),
            (usual.dimensions, usual.dt),
            "{}",
            model.name()
        );
        let found = scene.params().model.expect("a model");
        assert!(
            found.name() == model.name()
                && found
                    .parameters()
                    .iter()
                    .all(|parameter| found.get(parameter.key) == model.get(parameter.key))
        );
        assert_eq!(scene.check(), Ok(vec![]), "{}", model.name());
        let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
        let periodic = match &flock {
            AnyFlock::Two(flock) => flock.domain().boundary == Boundary::Periodic,
            AnyFlock::Three(flock) => flock.domain().boundary == Boundary::Periodic,
        };
        assert_eq!(periodic, usual.periodic, "{}", model.name());
        assert!((flock.mean_speed() - f64::from(usual.speed)).abs() < 1e-6, "{}", model.name());
        flock.step(scene.dt());
    }
}

#[test]
fn every_parameter_is_a_key_and_can_be_set() {
    for model in models() {
        for parameter in model.parameters() {
            let value = if parameter.max < 0.25 { parameter.max } else { 0.25 };
            let key = format!("model.{}", parameter.key);
            let set = format!("{key}={value}");
            let read =
                |scene: Scene| scene.params().model.and_then(|model| model.get(parameter.key));
            assert_eq!(
                scene(&of(model.name(), ""), &[&set]).map(read),
                Ok(Some(value as f32)),
                "{set}"
            );
            let line = format!("{} = {value}\n", parameter.key);
            assert_eq!(
                scene(&of(model.name(), &line), &[]).map(read),
                Ok(Some(value as f32)),
                "{line}"
            );
            for outside in [parameter.max * 1.01, parameter.min - 1.0] {
                let refused = refusal(&of(model.name(), ""), &[&format!("{key}={outside:e}")]);
                assert!(
                    refused
                        .starts_with(&format!("--set: {key} = {outside:e}: allowed is a number, ")),
                    "{refused}"
                );
            }
        }
    }
}

#[test]
fn foreign_keys_and_rules_are_refused() {
    let vicsek = |rest: &str| of("vicsek1995", rest);
    assert_eq!(
        refusal(&vicsek("turning_rate = 40\n"), &[]),
        "a.toml:5: model.turning_rate = 40: allowed is left out: name = vicsek1995 has name, \
            update, speed, radius, noise (it is a key of couzin2002)"
    );
    let told = refusal(&vicsek("nose = 1\n"), &[]);
    assert!(
        told.starts_with(
            "a.toml:5: unknown key model.nose: nearest known key is model.noise; \
            vicsek1995 has name, update, speed"
        ),
        "{told}"
    );
    for section in ["separation", "alignment", "cohesion", "agent"] {
        let told = refusal(&vicsek(&format!("[{section}]\n")), &[]);
        let start = format!(
            "a.toml:5: [{section}] = a table: allowed is left out with model.name = vicsek1995"
        );
        assert!(told.starts_with(&start), "{told}");
    }
    let told = refusal(&vicsek(""), &["separation.weight=2"]);
    assert!(
        told.starts_with("--set: [separation] = a table: allowed is left out with model.name"),
        "{told}"
    );
    for section in ["species.hare.separation", "species.hare.agent"] {
        let told = refusal(&vicsek(&format!("[species.hare]\ncount = 5\n[{section}]\n")), &[]);
        let start = format!(
            "a.toml:7: [{section}] = a table: allowed is left out with model.name = vicsek1995"
        );
        assert!(told.starts_with(&start), "{told}");
    }
    let told = refusal(&vicsek(""), &["flock.dimensions=3"]);
    assert!(
        told.starts_with("--set: flock.dimensions = 3: allowed is 2 with model.name = vicsek1995"),
        "{told}"
    );
}

#[test]
fn a_model_needs_a_known_name() {
    for (text, told) in [
        (
            format!("{FLOCK}[model]\n"),
            "a.toml:3: model.name = nothing: allowed is vicsek1995, couzin2002,",
        ),
        (
            format!("{FLOCK}[model]\nnoise = 1\n"),
            "a.toml:3: model.name = nothing: allowed is vicsek1995, couzin2002,",
        ),
        (of("vicsek", ""), "a.toml:4: model.name = \"vicsek\": allowed is vicsek1995, couzin2002,"),
        (
            format!("{FLOCK}[model]\nname = 3\n"),
            "a.toml:4: model.name = 3: allowed is vicsek1995, couzin2002,",
        ),
        (format!("model = 3\n{FLOCK}"), "a.toml:1: model = 3: allowed is a table: [model]"),
    ] {
        let refused = refusal(&text, &[]);
        assert!(refused.starts_with(told), "{refused}");
    }
    let told = refusal(FLOCK, &["model.noise=1"]);
    assert!(told.contains("model.name = nothing: allowed is vicsek1995"), "{told}");
}

/// Whatever a scene may have beside rules it may have beside a model, and beside species.
#[test]
fn a_model_goes_with_everything_but_rules() {
    let rest = r#"
        [species.hare]
        count = 30
        [species.fox]
        count = 10
        [species.fox.stamina]
        drain = 3
        [interaction.fox.hare]
        kind = "pursue"
        radius = 2
        capture_radius = 0.2
        [neighborhood]
        kind = "topological"
        k = 5
        [domain]
        kind = "walled"
        margin = 1
        strength = 2
        [drive.stroll]
        kind = "wander"
        species = "hare"
        weight = 0.1
        [obstacle.stone]
        kind = "sphere"
        center = [0, 0]
        radius = 0.5
    "#;
    for model in models() {
        let plane = "flock.dimensions=2";
        let scene =
            scene(&of(model.name(), rest), &[plane, "flock.steer_every=3"]).expect("a scene");
        assert_eq!((scene.params().max_neighbors, scene.steer_every()), (Some(5), 3));
        scene.check().expect("a scene without contradictions");
        let names: Vec<String> = scene.settings().into_iter().map(|setting| setting.name).collect();
        for name in [
            "neighborhood.k",
            "flock.steer_every",
            "species.fox.stamina.drain",
            "drive.stroll.weight",
            "domain.strength",
        ] {
            assert!(names.iter().any(|listed| listed == name), "{name}: {names:?}");
        }
        assert!(!names.iter().any(|name| name.contains("agent")), "{names:?}");
        scene.build(&Machine::default()).expect("a flock");
    }
}

#[test]
fn species_go_with_nearest_neighbors_and_turns() {
    let text = r#"
        [flock]
        boids = 40
        steer_every = 4
        [neighborhood]
        kind = "topological"
        [species.hare]
        count = 30
        [species.hare.cohesion]
        nearest = 3
        [species.fox]
        count = 10
    "#;
    let scene = scene(text, &[]).expect("a scene");
    let Params { max_neighbors, species, .. } = scene.params();
    assert_eq!(
        (*max_neighbors, species[0].rules.cohesion.and_then(|rule| rule.perception.nearest)),
        (Some(7), Some(3))
    );
    scene.check().expect("a scene without contradictions");
    let names: Vec<String> = scene.settings().into_iter().map(|setting| setting.name).collect();
    for name in [
        "neighborhood.k",
        "flock.steer_every",
        "species.hare.cohesion.nearest",
        "species.fox.agent.max_speed",
    ] {
        assert!(names.iter().any(|listed| listed == name), "{name}: {names:?}");
    }
    scene.build(&Machine::default()).expect("a flock");
}

#[test]
fn what_looks_like_a_mistake_is_told() {
    let warnings = |text: &str, sets: &[&str]| {
        scene(text, sets).and_then(|scene| scene.check()).expect("a scene").join("\n")
    };
    assert!(
        warnings(&of("circles", ""), &["flock.dt=0.5"])
            .contains("--set: flock.dt has no effect on motion")
    );
    assert!(
        warnings(&of("vicsek1995", ""), &["model.speed=0.6"])
            .contains("model.speed·dt = 0.6 is above half of the radius 1")
    );
    assert!(warnings(&of("couzin2002", ""), &["flock.boids=1000"]).contains("neighbors in range"));
    // Speed by whatever name.
    let wide = "[domain]\nkind = \"open\"\n";
    assert!(
        warnings(&of("mason", wide), &["model.jump=6"])
            .contains("model.jump·dt = 6 is above half of the radius 10")
    );
    assert!(
        warnings(&of("unity", ""), &["model.move_speed=400"])
            .contains("model.move_speed·dt = 8 is above half of the radius 13.8")
    );
}

/// Other tools call what a boid sees by other names.
#[test]
fn a_box_too_small_is_told_by_the_models_own_key() {
    let told = refusal(&of("netlogo", ""), &[]);
    assert!(
        told.contains("model.vision = 5: allowed is at most half the periodic side 7.07"),
        "{told}"
    );
    let told = refusal(&of("unity", ""), &["domain.kind=periodic"]);
    assert!(
        told.contains(
            "model.cell_radius = 8: allowed is such that boids look at most half the periodic side"
        ),
        "{told}"
    );
    assert!(told.contains("they look 13.8"), "{told}");
    let told = refusal(&of("netlogo", ""), &["flock.dimensions=3"]);
    assert!(
        told.contains("flock.dimensions = 3: allowed is 2 with model.name = netlogo"),
        "{told}"
    );
}
