//! The key table against the reader and the documentation: what it says is so.

use wingbeat_scene::{Key, KeyKind, Machine, Override, Scene, key_tables, keys};
use wingbeat_test_support::tier;

const POND: &str = "[flock]\nboids = 20\ndimensions = 2\n";

fn scene_with(assignments: &[String]) -> Result<Scene, wingbeat_scene::SceneError> {
    let overrides =
        assignments.iter().map(|text| Override::set(text)).collect::<Result<Vec<_>, _>>()?;
    Scene::parse("pond.toml", POND, &overrides)
}

/// Values that a key takes, its bounds among them.
fn accepted(key: &Key) -> Vec<String> {
    match key.name.as_str() {
        // What a ramp takes depends on the key it changes.
        "ramp.*.key" => return vec!["\"agent.max_speed\"".into(), "\"drive.it.weight\"".into()],
        "ramp.*.from" | "ramp.*.to" => return vec!["1".into(), "2.5".into()],
        // Keys of the scene.
        "page.sliders" => return vec!["\"cohesion.weight, flock.seed\"".into()],
        _ => {}
    }
    match &key.kind {
        KeyKind::Number { min, max, above_min } => {
            let lowest = if *above_min { 1e-9 } else { *min };
            vec![format!("{lowest:e}"), format!("{max:e}")]
        }
        KeyKind::Whole { min, max } => vec![min.to_string(), max.to_string()],
        KeyKind::Flag => vec!["true".into(), "false".into()],
        KeyKind::Text => vec!["\"some.csv\"".into()],
        KeyKind::Choice(words) => words.iter().map(|word| format!("\"{word}\"")).collect(),
        KeyKind::Point(most) => vec!["[1, 2.5]".into(), format!("[{most:e}, -{most:e}]")],
        KeyKind::Points { least, .. } => vec![format!("[{}]", vec!["[1, 2.5]"; *least].join(", "))],
        KeyKind::Pairs => vec!["[]".into(), "[[1, 0], [2, 1]]".into()],
        KeyKind::PointOrTrue => vec!["true".into(), "[1, 2.5]".into()],
        KeyKind::Terms(terms) => vec!["[]".into(), format!("{terms:?}")],
        kind => panic!("{}: which values does {kind:?} take?", key.name),
    }
}

/// A key's name with names in place of stars.
fn named(key: &Key) -> String {
    key.name.replace('*', "it")
}

/// What else a table that users name must say for a key of it to have a say.
fn companions(key: &Key) -> Vec<String> {
    let Some((section, _)) = key.name.rsplit_once('.').filter(|(section, _)| section.contains('*'))
    else {
        return Vec::new();
    };
    let of_section =
        |other: &&Key| other.name.rsplit_once('.').is_some_and(|(known, _)| known == section);
    let kind_key = keys().iter().filter(of_section).find(|other| other.name.ends_with(".kind"));
    let kinds = match kind_key.map(|key| &key.kind) {
        Some(KeyKind::Choice(kinds)) => *kinds,
        _ => &[],
    };
    let kind = key.kinds.first().or(kinds.first()).copied().unwrap_or_default();
    let mut more = Vec::new();
    if key.name.starts_with("species.") && key.name != "species.*.count"
        || key.name.starts_with("interaction.")
    {
        more.push("species.it.count=3".to_string());
    }
    match key.name.as_str() {
        "species.*.agent.min_speed" => more.push("species.it.agent.max_speed=1e9".into()),
        "species.*.agent.max_speed_spread" => more.push("species.it.agent.max_speed=5.2e8".into()),
        "ramp.*.key" => more.push("drive.it.kind=noise".into()),
        "species.*.alignment.response" => more.push("species.it.alignment.relative=false".into()),
        _ => {}
    }
    let needed = keys().iter().filter(of_section).filter(|other| {
        other.default == "required"
            && other.name != key.name
            && (other.kinds.is_empty() || other.kinds.contains(&kind))
    });
    needed
        .map(|other| {
            let value = if other.name.ends_with(".kind") {
                kind.to_string()
            } else if other.name.ends_with(".max")
                || other.name.starts_with("drive.") && other.name.ends_with(".to")
            {
                "[3, 4.5]".to_string()
            } else {
                accepted(other).swap_remove(0)
            };
            format!("{}={value}", named(other))
        })
        .chain(more)
        .collect()
}

#[test]
fn every_key_takes_what_the_table_says() {
    for key in keys() {
        for value in accepted(key) {
            // Another kind has other keys.
            if key.name.ends_with(".kind") {
                continue;
            }
            let mut assignments = companions(key);
            assignments.push(format!("{}={value}", named(key)));
            if key.name.starts_with("anticipation.") {
                assignments.extend([
                    "body.radius=0.1".to_string(),
                    format!("anticipation.kind={}", anticipation_of(key)),
                ]);
            } else if let ("model", Some(model)) = (section_of(key), key.kinds.first()) {
                assignments.push(format!("model.name={model}"));
            }
            // Keys that mean nothing alone.
            match key.name.as_str() {
                "flock.dimensions" => {}
                "agent.min_speed" => assignments.push("agent.max_speed=1e9".into()),
                "agent.max_speed_spread" => assignments.push("agent.max_speed=5.2e8".into()),
                "agent.max_speed" => assignments.push("agent.min_speed=0".into()),
                "alignment.response" => assignments.push("alignment.relative=false".into()),
                "model.update" => assignments.push("model.name=mesa".into()),
                name if name.starts_with("initial.") => {
                    assignments.push("initial.file=\"some.csv\"".into())
                }
                _ => {}
            }
            let scene = scene_with(&assignments);
            assert!(scene.is_ok(), "{assignments:?}: {}", scene.unwrap_err());
        }
    }
}

/// The model of anticipation that a key is one of, or any.
fn anticipation_of(key: &Key) -> &'static str {
    key.kinds.first().copied().unwrap_or("orca")
}

fn section_of(key: &Key) -> &str {
    key.name.split('.').next().unwrap_or("")
}

#[test]
fn a_default_changes_nothing() {
    for key in keys() {
        let section = section_of(key);
        let is_value = key.default == "[]"
            || key.default.starts_with('"')
            || key.default.parse::<f64>().is_ok()
            || key.default.parse::<bool>().is_ok();
        // A cosine is another way to say a field of view, and dimensions are given by the scene
        // under test.
        if !is_value || key.name == "flock.dimensions" {
            continue;
        }
        // The section has to be there either way: an empty rule's section switches the rule on.
        let header = match section {
            "flock" | "about" => String::new(),
            "initial" => "[initial]\nfile = \"some.csv\"\n".to_string(),
            // Wide enough a box for all that look far.
            "model" => {
                let name = key.kinds.first().unwrap_or(&"mesa");
                format!("[spawn]\nspacing = 20\n[model]\nname = \"{name}\"\n")
            }
            // No boid overlaps at the start.
            "body" => "[spawn]\nshape = \"lattice\"\n[body]\n".to_string(),
            "anticipation" => {
                let kind = anticipation_of(key);
                format!(
                    "[spawn]\nshape = \"lattice\"\n[body]\nradius = 0.2\n[anticipation]\n\
                    kind = \"{kind}\"\n"
                )
            }
            _ if key.name.contains('*') => {
                // A rule or the stamina of a species is there as soon as its table is.
                let name = named(key);
                let table = name.rsplit_once('.').map_or("", |(table, _)| table);
                let part = if table.split('.').count() > 2 && section == "species" {
                    format!("[{table}]\n")
                } else {
                    String::new()
                };
                format!("[domain]\nkind = \"periodic\"\nmin = [-9, -9]\nmax = [9, 9]\n{part}")
            }
            section => format!("[{section}]\n"),
        };
        let text = format!("[flock]\nboids = 20\ndimensions = 2\n{header}");
        let mut overrides: Vec<Override> =
            companions(key).iter().map(|text| Override::set(text).expect("an override")).collect();
        if key.kinds.contains(&"scatter") && !key.name.ends_with(".count") {
            overrides.push(Override::flag("--set", "obstacle.it.count", "3"));
        }
        if key.kinds.contains(&"flow") {
            overrides.push(Override::flag("--set", "drive.it.toward", "[[1, 2.5]]"));
        }
        let without = Scene::parse("pond.toml", &text, &overrides).expect("a scene");
        overrides.push(Override::flag("--set", &named(key), &key.default));
        let with = Scene::parse("pond.toml", &text, &overrides).expect("a scene");
        let facts = |scene: &Scene| {
            let mut params = scene.params().clone();
            // The engine writes its usual neighbor count as `None`.
            params.expected_neighbors = params.expected_neighbors.or(Some(20.0));
            (params, scene.dt(), scene.steps(), scene.seed(), scene.about().to_string())
        };
        assert_eq!(facts(&without), facts(&with), "{}", key.name);
        if section != "initial" {
            let hash = |scene: &Scene| {
                let mut flock = scene
                    .build(&Machine::default())
                    .unwrap_or_else(|error| panic!("{}: {error}", key.name))
                    .flock;
                (0..3).for_each(|_| flock.step(scene.dt()));
                flock.state_hash()
            };
            assert_eq!(hash(&without), hash(&with), "{}", key.name);
        }
    }
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/SCENES.md");

/// Those that are part of a scene are completed by a walled room with a hundred boids.
#[test]
fn every_example_of_the_documentation_runs() {
    let page = std::fs::read_to_string(PAGE).expect("docs/SCENES.md");
    let room = "[flock]\nboids = 100\ndimensions = 2\n[domain]\nkind = \"walled\"\n\
        min = [-30, -10]\nmax = [30, 40]\n";
    let examples: Vec<&str> =
        page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(examples.len(), 8);
    for example in examples {
        let is_whole = example.contains("[flock]") || example.contains("[species.");
        let text = if is_whole { example.to_string() } else { format!("{room}{example}") };
        let scene = Scene::parse("docs/SCENES.md", &text, &[])
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut flock = scene
            .build(&Machine::default())
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
            .flock;
        (0..5).for_each(|_| flock.step(scene.dt()));
    }
}

#[test]
fn the_documentation_has_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/KEYS.md");
    if tier::writes_docs() {
        std::fs::write(path, key_tables()).expect("docs/KEYS.md can be written");
    } else {
        assert!(
            std::fs::read_to_string(path).expect("docs/KEYS.md") == key_tables(),
            "docs/KEYS.md is out of date: run this test once with WINGBEAT_WRITE_DOCS=1"
        );
    }
}

#[test]
fn a_list_of_points_has_an_end() {
    let path = |count: usize| {
        let points = vec!["[1, 2]"; count].join(", ");
        let drive = format!("[drive.d]\nkind = \"path\"\npoints = [{points}]\n");
        Scene::parse("a.toml", &format!("[flock]\nboids = 1\ndimensions = 2\n{drive}"), &[])
    };
    assert!(path(10_000).is_ok());
    // Those that are one too many are read and counted; many more are not read.
    for count in [1, 10_001, 20_000] {
        let refusal = path(count).unwrap_err().to_string();
        let refused = refusal.starts_with("a.toml:6: drive.d.points = ") && refusal.len() < 250;
        let allowed = if count == 20_000 {
            "allowed is at most 10000 points"
        } else {
            "allowed is a list of 2 to 10000 points"
        };
        assert!(refused && refusal.contains(allowed), "{refusal:.200}");
    }
}
