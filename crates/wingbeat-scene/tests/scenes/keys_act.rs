//! Every key acts: in a scene in which it applies, another value changes some bit of some step, or
//! it is refused, or warned of by name. What changes nothing is listed here with the reason.

use std::collections::BTreeSet;

use wingbeat_scene::{Key, KeyKind, Machine, Override, PRESETS, Scene, SettingValue, keys};
use wingbeat_test_support::tier;

/// Keys that change no bit, and why that is right.
const INERT: &[(&str, &str)] = &[
    ("about", "a line for people"),
    ("unit", "what lengths are called, not how long they are"),
    ("page.title", "a line for people"),
    ("page.text", "a few sentences for people"),
    ("page.sliders", "which sliders come first on a page"),
    ("flock.steps", "how long a run is, not what a step does"),
    ("domain.origin", "where the scene lies in the world: of files, not of steps"),
    ("grid.expected_neighbors", "the size of cells: how fast, not what"),
];

const STEPS: [usize; 2] = [20, 120];

/// Worlds in which keys apply that presets do not use.
const WORLDS: &[&str] = &[
    include_str!("worlds_of_keys/plane.toml"),
    include_str!("worlds_of_keys/crowd.toml"),
    include_str!("worlds_of_keys/skein.toml"),
    include_str!("worlds_of_keys/column.toml"),
];

fn set(key: &str, value: &str) -> Option<Override> {
    Override::set(&format!("{key}={value}")).ok()
}

/// What the scene comes to after some steps; `None` where it is refused.
fn hash(scene: &Scene, steps: usize) -> Option<u64> {
    let mut built = scene.build(&Machine { level: None, threads: Some(1) }).ok()?;
    for _ in 0..steps {
        built.step(scene.dt()).ok()?;
    }
    Some(built.flock.state_hash())
}

/// Values of a key other than the one it has.
fn others(key: &Key, value: Option<&SettingValue>) -> Vec<String> {
    match &key.kind {
        KeyKind::Number { min, max, .. } => {
            let now = if let Some(SettingValue::Number(now)) = value { *now } else { 1.0 };
            let ends = [now * 0.5, now * 2.0, now + 0.3, now - 0.3, now + 3.0, min + 0.1, *max];
            ends.iter()
                .filter(|x| **x != now && (*min..=*max).contains(*x))
                .map(f64::to_string)
                .collect()
        }
        KeyKind::Whole { min, max } => {
            let now = if let Some(SettingValue::Whole(now)) = value { *now } else { *min };
            let next = [now + 1, now - 1, now.saturating_mul(2), *min, *max];
            next.iter()
                .filter(|x| **x != now && (*min..=*max).contains(*x))
                .map(i64::to_string)
                .collect()
        }
        KeyKind::Flag => {
            let now = matches!(value, Some(SettingValue::Flag(true)));
            vec![(!now).to_string()]
        }
        KeyKind::Choice(words) => {
            let is_now = |word: &str| matches!(value, Some(SettingValue::Text(now)) if now == word);
            let others = words.iter().filter(|word| !is_now(word) && !key.default.contains(**word));
            others.map(|word| format!("\"{word}\"")).collect()
        }
        KeyKind::Point(_) | KeyKind::PointOrTrue => {
            ["[0.7, 0.3]", "[0.7, 0.3, 0.2]", "[3, 2]", "[3, 2, 1]", "[-3, 0.5]", "[-3, 0.5, 1]"]
                .map(String::from)
                .to_vec()
        }
        KeyKind::Points { .. } => {
            ["[[0.5, 0.5], [1, 2], [3, 1]]", "[[0.5, 0.5, 1], [1, 2, 0], [3, 1, 1]]"]
                .map(String::from)
                .to_vec()
        }
        KeyKind::Pairs => vec!["[[2, 0], [3, 0]]".into()],
        KeyKind::Terms(terms) => terms.iter().map(|term| format!("[\"{term}\"]")).collect(),
        // Texts: names of files and of species have tests of their own.
        _ => Vec::new(),
    }
}

/// What a key is called that has namesakes of other kinds or models.
fn identity(key: &Key) -> String {
    [key.name.as_str(), &key.kinds.join(",")]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// What a value of a key comes to.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Refused,
    Acts,
    Told,
    Inert,
}

/// A scene, and what it comes to.
struct Base {
    name: String,
    text: String,
    sets: Vec<Override>,
    scene: Scene,
    hashes: [Option<Option<u64>>; 2],
}

impl Base {
    fn new(name: &str, text: String, sets: Vec<Override>) -> Self {
        let scene = Scene::parse(name, &text, &sets).unwrap_or_else(|refusal| panic!("{refusal}"));
        scene
            .build(&Machine { level: None, threads: Some(1) })
            .unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        Self { name: name.into(), text, sets, scene, hashes: [None; 2] }
    }

    fn outcome(&mut self, key: &str, value: &str) -> Outcome {
        let mut sets = self.sets.clone();
        sets.extend(set(key, value));
        let Ok(other) = Scene::parse(&self.name, &self.text, &sets) else {
            return Outcome::Refused;
        };
        for (known, steps) in self.hashes.iter_mut().zip(STEPS) {
            let before = *known.get_or_insert_with(|| hash(&self.scene, steps));
            let Some(after) = hash(&other, steps) else { return Outcome::Refused };
            if Some(after) != before {
                return Outcome::Acts;
            }
        }
        let lines = other.check_settings().unwrap_or_default();
        let is_told = lines.iter().any(|line| line.contains(key) && line.contains("no effect"));
        if is_told { Outcome::Told } else { Outcome::Inert }
    }
}

/// Whether a key has to act here. The short form takes a quarter of the keys, by their names.
fn is_tried(key: &Key) -> bool {
    let all = tier::full() || tier::survey();
    let sum: u32 = identity(key).bytes().map(u32::from).sum();
    let is_explained = INERT.iter().any(|(name, _)| *name == key.name);
    !matches!(key.kind, KeyKind::Text) && !is_explained && (all || sum.is_multiple_of(4))
}

/// What was found out of keys.
#[derive(Default)]
struct Found {
    tried: BTreeSet<String>,
    acts: BTreeSet<String>,
    /// Keys that do nothing, each with a scene and the setting in it.
    idle: Vec<(String, String)>,
    /// Settings that act, are named in a warning, do nothing, are refused.
    counts: [usize; 4],
}

impl Found {
    /// Once is enough, but for the survey, which tries every setting of the worlds.
    fn wants(&self, key: &Key, is_world: bool) -> bool {
        let is_known = self.acts.contains(&identity(key)) && !(tier::survey() && is_world);
        is_tried(key) && !is_known
    }

    /// Tries the settings of a scene.
    fn look(&mut self, base: &mut Base, is_world: bool) {
        for setting in base.scene.settings() {
            if !self.wants(setting.key, is_world) {
                continue;
            }
            let of = identity(setting.key);
            let mut outcomes = Vec::new();
            for value in others(setting.key, setting.value.as_ref()) {
                let outcome = base.outcome(&setting.name, &value);
                outcomes.push(outcome);
                if outcome == Outcome::Acts {
                    self.acts.insert(of.clone());
                    break;
                }
            }
            self.tried.insert(of.clone());
            let best = |outcome| outcomes.contains(&outcome);
            let which = [Outcome::Acts, Outcome::Told, Outcome::Inert]
                .into_iter()
                .position(best)
                .unwrap_or(3);
            self.counts[which] += 1;
            if which == 2 {
                self.idle.push((of, format!("{}: {}", base.name, setting.name)));
            }
        }
    }
}

#[test]
fn every_key_acts_or_is_reported() {
    let plane = || WORLDS[0].to_string();
    let crowd = |kind: &str| {
        let text = WORLDS[1].replace("\"collision_free_speed\"", &format!("\"{kind}\""));
        if kind == "collision_free_speed" {
            text
        } else {
            text.replace("time_gap_spread = 0.2\n", "")
        }
    };
    let mut bases = vec![Base::new("plane", plane(), Vec::new())];
    bases.extend(
        WORLDS[2..].iter().map(|text| Base::new("formation", text.to_string(), Vec::new())),
    );
    for kind in ["collision_free_speed", "orca", "social_force", "power_law"] {
        bases.push(Base::new(&format!("crowd of {kind}"), crowd(kind), Vec::new()));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("start.csv");
    std::fs::write(
        &file,
        "frame,id,x,y,vx,vy\n0,1,1,2,0.5,0\n0,2,2,3,0,1\n1,1,1.5,2,0.4,0\n1,2,2,4,0.1,1\n",
    )
    .expect("a file");
    let text = format!(
        "[flock]\ndimensions = 2\n[cohesion]\nradius = 5\n[initial]\nfile = {:?}\nframe = 0\n\
         scale = 1.5\ntime_scale = 2\n\
         center = [1, 1]\n",
        file.display().to_string()
    );
    bases.push(Base::new("a start from a file", text, Vec::new()));
    let mut found = Found::default();
    bases.iter_mut().for_each(|base| found.look(base, true));
    for preset in PRESETS {
        let scene = Scene::parse(preset.name, preset.text, &[]).expect("a preset");
        if !scene.settings().iter().any(|setting| found.wants(setting.key, false)) {
            continue;
        }
        // As few boids as its box has room for.
        let few = |count: &&str| {
            let scene = Scene::parse(
                preset.name,
                preset.text,
                &[set("flock.boids", count).expect("an assignment")],
            );
            scene.is_ok_and(|scene| scene.build(&Machine { level: None, threads: Some(1) }).is_ok())
        };
        let count = ["40", "150", "600", "2000"]
            .into_iter()
            .find(few)
            .unwrap_or_else(|| panic!("{}: no size", preset.name));
        let sets = set("flock.boids", count).into_iter().collect();
        found.look(&mut Base::new(preset.name, preset.text.into(), sets), false);
    }
    let Found { tried, acts, idle, counts } = found;
    // What acts in one world may have no occasion to in another.
    let inert: Vec<&String> =
        idle.iter().filter(|(of, _)| !acts.contains(of)).map(|(_, setting)| setting).collect();
    let missing: Vec<String> = keys()
        .iter()
        .filter(|key| is_tried(key))
        .map(identity)
        .filter(|of| !tried.contains(of))
        .collect();
    let [act, told, none, refused] = counts;
    println!(
        "of {} settings {act} act, {told} are named in a warning, {refused} are refused, {none} do \
            nothing",
        counts.iter().sum::<usize>()
    );
    assert!(inert.is_empty() && missing.is_empty(), "inert: {inert:#?}\nnever tried: {missing:#?}");
}
