//! A scene written down is the scene it was.

use wingbeat_scene::{Machine, Override, PRESETS, Scene};
use wingbeat_test_support::tier;

fn hash(scene: &Scene) -> u64 {
    let mut built = scene.build(&Machine::default()).unwrap_or_else(|error| panic!("{error}"));
    (0..2).for_each(|_| built.flock.step(scene.dt()));
    built.flock.state_hash()
}

#[test]
fn presets_and_overrides_come_back() {
    for preset in tier::sample(PRESETS, 3) {
        let overrides = ["flock.boids=200", "flock.seed=0x1f", "alignment.weight=1_0.5"]
            .map(|text| Override::set(text).expect("an override"));
        let scene = Scene::load(preset.name, &overrides)
            .or_else(|_| Scene::load(preset.name, &overrides[..2]))
            .expect("a scene");
        let text = scene.to_toml();
        let again =
            Scene::parse("again", &text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(
            (again.to_toml(), again.seed(), hash(&again)),
            (text, 31, hash(&scene)),
            "{}",
            preset.name
        );
    }
}

#[test]
fn texts_are_quoted() {
    let text = "about = \"a \\\"b\\\" \\\\ c\\n\\u007f ü\"\n[flock]\nboids = 3\ndimensions = 2\n\
        [domain]\nmin = [0, 0.5]\nmax = [1e1, 20]\n";
    let scene = Scene::parse("a.toml", text, &[]).expect("a scene");
    let again = Scene::parse("b.toml", &scene.to_toml(), &[]).expect("the same");
    assert_eq!((again.about(), hash(&again)), ("a \"b\" \\ c\n\u{7f} ü", hash(&scene)));
}

/// Sums run in the order of the file, so the order of drives is the scene's too, and so is what a
/// flag adds.
#[test]
fn named_tables_keep_their_order() {
    let text = "[flock]\nboids = 30\ndimensions = 2\n[drive.zeta]\nkind = \"wind\"\n\
                vector = [0.1, 0.7]\n[drive.alpha]\n\
                kind = \"noise\"\nsize = 0.3\n[drive.mid]\nkind = \"tether\"\n[obstacle.b]\n\
                kind = \"sphere\"\ncenter = [9, 9]\n\
                radius = 1\n[obstacle.a]\nkind = \"sphere\"\ncenter = [-9, 9]\nradius = 1\n";
    let more = Override::set("drive.aaa={kind = \"wind\", vector = [1, 0]}").expect("an override");
    let weight = Override::set("drive.alpha.weight=2").expect("an override");
    let scene = Scene::parse("a.toml", text, &[weight, more]).expect("a scene");
    let again = scene.to_toml();
    let names: Vec<&str> = again
        .lines()
        .filter(|line| line.starts_with("[drive.") || line.starts_with("[obstacle."))
        .collect();
    assert_eq!(
        names,
        [
            "[drive.zeta]",
            "[drive.alpha]",
            "[drive.mid]",
            "[drive.aaa]",
            "[obstacle.b]",
            "[obstacle.a]"
        ]
    );
    assert!(again.contains("weight = 2"), "{again}");
    let again = Scene::parse("b.toml", &again, &[]).expect("the same");
    assert_eq!(hash(&again), hash(&scene));
}
