//! What a scene says it has set is what it has set.

use wingbeat::Params;
use wingbeat_scene::{KeyKind, Override, PRESETS, Scene, SettingValue};
use wingbeat_test_support::tier;

fn written(value: &SettingValue) -> String {
    match value {
        SettingValue::Number(number) => format!("{number:e}"),
        SettingValue::Whole(whole) => whole.to_string(),
        SettingValue::Flag(flag) => flag.to_string(),
        SettingValue::Text(text) => format!("{text:?}"),
        SettingValue::List(items) => {
            format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", "))
        }
        other => panic!("how is {other:?} written?"),
    }
}

/// Every value, defaults included, given again changes nothing: neither the rules nor where boids
/// start.
#[test]
fn values_given_again_are_the_same_scene() {
    for (number, preset) in PRESETS.iter().enumerate() {
        let scene = Scene::load(preset.name, &[]).expect("a preset");
        let settings = scene.settings();
        assert!(
            settings.iter().any(|setting| setting.is_given && setting.key.name == "flock.boids"),
            "{}",
            preset.name
        );
        let values = settings
            .iter()
            .filter_map(|setting| Some((&setting.name, written(setting.value.as_ref()?))));
        let overrides: Vec<Override> =
            values.map(|(key, value)| Override::flag("again", key, &value)).collect();
        let again = Scene::load(preset.name, &overrides)
            .unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        // Left out, it is the default: the bits below are the same.
        let params = Params {
            expected_neighbors: scene.params().expected_neighbors,
            ..again.params().clone()
        };
        assert_eq!(
            (&params, again.dt(), again.dimensions()),
            (scene.params(), scene.dt(), scene.dimensions())
        );
        let bits = |scene: &Scene| {
            let mut flock = scene.build(&Default::default()).expect("a flock").flock;
            (0..3).for_each(|_| flock.step(scene.dt()));
            flock.state_hash()
        };
        // Of every third preset, unless it is the long form.
        if !tier::full() && number % 3 > 0 {
            continue;
        }
        let small = |scene: &str, more: &[Override]| {
            let few = [
                more,
                &[Override::flag("few", "flock.boids", &crate::at_most(scene, 500).to_string())],
            ]
            .concat();
            Scene::load(scene, &few).expect("a preset")
        };
        assert_eq!(
            bits(&small(preset.name, &overrides)),
            bits(&small(preset.name, &[])),
            "{}",
            preset.name
        );
    }
}

/// Only what has a say is listed, and numbers are within what their key allows.
#[test]
fn what_has_no_say_is_not_listed() {
    let names = |text: &str| -> Vec<String> {
        let scene = Scene::parse("a.toml", text, &[]).expect("a scene");
        scene.settings().iter().map(|setting| setting.name.clone()).collect()
    };
    let rules = names("[flock]\nboids = 5\n[alignment]\ncos_half_view = 0.5\n");
    let has = |names: &[String], name: &str| names.iter().any(|known| known == name);
    for (name, expected) in [
        ("alignment.cos_half_view", true),
        ("alignment.field_of_view", false),
        ("cohesion.weight", false),
        ("agent.max_force", true),
        ("agent.cruise_speed", false),
        ("model.noise", false),
        ("domain.margin", false),
        ("neighborhood.k", false),
    ] {
        assert_eq!(has(&rules, name), expected, "{name}");
    }
    let model = names("[flock]\nboids = 5\n[model]\nname = \"vicsek1995\"\n");
    assert!(
        has(&model, "model.noise")
            && !has(&model, "agent.max_speed")
            && !has(&model, "model.turning_rate")
    );
    for preset in PRESETS {
        for setting in Scene::load(preset.name, &[]).expect("a preset").settings() {
            match (&setting.key.kind, &setting.value) {
                (&KeyKind::Number { min, max, .. }, Some(SettingValue::Number(x))) => {
                    assert!((min..=max).contains(x), "{setting:?}")
                }
                (&KeyKind::Whole { min, max }, Some(SettingValue::Whole(x))) => {
                    assert!((min..=max).contains(x), "{setting:?}")
                }
                _ => {}
            }
        }
    }
}
