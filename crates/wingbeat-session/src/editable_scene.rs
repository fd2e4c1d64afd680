//! A scene that viewers change: its text, in which values are replaced and comments and order kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::de::DeValue;
use wingbeat::steer::RuleId;
use wingbeat_record::read_text;
use wingbeat_scene::{
    Effect, Key, MOST_TEXT, Override, Scene, SceneError, Start, keys, known_key, preset,
};

use crate::edit;

/// Longest key: `species.NAME.separation.near_radius` with a name of 64 characters has 92, an
/// interaction's 156.
const LONGEST_KEY: usize = 160;

/// Most parts of a key: `species.NAME.separation.weight`.
const MOST_PARTS: usize = 4;

/// Deepest value that is parsed at all. A list of points is 2 deep; a stack holds thousands.
const DEEPEST_VALUE: usize = 32;

/// A scene and the text it is read from. Every change is made in the text, and the scene read from
/// it again.
#[derive(Clone)]
pub struct EditableScene {
    text: String,
    scene: Scene,
    warnings: Vec<String>,
    /// Where relative paths inside the scene start.
    folder: PathBuf,
    /// Boids that the flock starts with, whatever the text says.
    start: Option<Arc<Start>>,
}

impl EditableScene {
    /// Reads a preset or a file as [`Scene::load`] does, and writes the overrides into its text.
    ///
    /// # Errors
    /// As [`Scene::load`] and [`Scene::check`].
    pub fn load(source: &str, overrides: &[Override]) -> Result<Self, SceneError> {
        let scene = Scene::load(source, overrides)?;
        let (text, folder) = match preset(source) {
            Some(preset) => (preset.text.to_string(), PathBuf::new()),
            None => {
                let path = Path::new(source);
                let message = |error: std::io::Error| SceneError::File {
                    path: source.into(),
                    message: error.to_string(),
                };
                (
                    read_text(path, MOST_TEXT).map_err(message)?,
                    path.parent().unwrap_or(Path::new("")).to_path_buf(),
                )
            }
        };
        Self::written(scene, text, folder, overrides)
    }

    /// The same of a scene's text; `name` is what messages call it.
    ///
    /// # Errors
    /// As [`Scene::parse`] and [`Scene::check`].
    pub fn with_overrides(
        name: &str,
        text: &str,
        overrides: &[Override],
    ) -> Result<Self, SceneError> {
        Self::written(
            Scene::parse(name, text, overrides)?,
            text.to_string(),
            PathBuf::new(),
            overrides,
        )
    }

    /// A scene, and the text it is read from but for the overrides.
    fn written(
        scene: Scene,
        mut text: String,
        folder: PathBuf,
        overrides: &[Override],
    ) -> Result<Self, SceneError> {
        scene.check_settings()?;
        for change in overrides {
            let value = if change.is_text() {
                edit::quoted(change.value())
            } else {
                value_of(change.key(), change.value())?
            };
            put(&mut text, change.key(), &value)?;
        }
        // Wherever the saved text will lie, the file is still found.
        if let Some(file) = scene.initial_file() {
            let file = std::path::absolute(&file).unwrap_or(file);
            put(&mut text, "initial.file", &edit::quoted(&file.to_string_lossy()))?;
        }
        // A page has no folder, and lies anywhere.
        let scene = scene.with_floor_inside()?;
        if let Some(wkt) = scene.floor_wkt() {
            put(&mut text, "floor.wkt", &edit::quoted(wkt))?;
        }
        let tuned = Self::read(scene.name(), text, folder, None)?;
        debug_assert_eq!(tuned.scene.params(), scene.params());
        Ok(tuned)
    }

    /// The same with another text, which stands where this one does.
    ///
    /// # Errors
    /// As [`Scene::parse`] and [`Scene::check`].
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn with_text(&self, text: String) -> Result<Self, SceneError> {
        Self::read(self.scene.name(), text, self.folder.clone(), self.start.clone())
    }

    /// The same scene, its flock starting with these boids; see [`Scene::with_start`].
    ///
    /// # Errors
    /// As [`Scene::check`].
    pub fn with_start(self, start: Arc<Start>) -> Result<Self, SceneError> {
        Self::read(self.scene.name(), self.text, self.folder, Some(start))
    }

    /// Reads a scene from a text; `name` is what messages call it. With `start` its flock starts
    /// with these boids rather than those it spawns or reads from a file.
    ///
    /// # Errors
    /// As [`Scene::parse`] and [`Scene::check`].
    pub fn parse(name: &str, text: &str, start: Option<Arc<Start>>) -> Result<Self, SceneError> {
        Self::read(name, text.to_string(), PathBuf::new(), start)
    }

    fn read(
        name: &str,
        text: String,
        folder: PathBuf,
        start: Option<Arc<Start>>,
    ) -> Result<Self, SceneError> {
        let mut scene = Scene::parse(name, &text, &[])?.in_folder(&folder);
        if let Some(start) = &start {
            scene = scene.with_start(Arc::clone(start));
        }
        let warnings = scene.check_settings()?;
        Ok(Self { text, scene, warnings, folder, start })
    }

    /// The scene as it stands.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What is accepted, but unlikely to be meant.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Its text: what is read from it is [`scene`](Self::scene), bit for bit.
    pub fn toml(&self) -> &str {
        &self.text
    }

    /// The same with one key changed to a value written as in TOML (a bare word is a text, as with
    /// `--set`), and when the change holds. Another model starts with its own defaults. No file is
    /// read but those the scene named when it was loaded.
    ///
    /// # Errors
    /// One line that names the key, the value and what is allowed.
    pub fn with(&self, key: &str, value: &str) -> Result<(Self, Effect), String> {
        // Before the value is looked at: any connected viewer may send any key.
        let effect = self.scene.effect_of(self.changeable(key)?);
        if key == "flock.boids" && (self.start.is_some() || self.scene.initial_file().is_some()) {
            return Err("flock.boids: the initial state sets the count".into());
        }
        if too_deep(value) {
            return Err(format!(
                "{key}: allowed is a value of at most {DEEPEST_VALUE} brackets within each other"
            ));
        }
        let mut text = self.text.clone();
        let changed = value_of(key, value).and_then(|value| {
            if DeValue::parse(&value).is_ok_and(|value| holds_table(value.get_ref())) {
                let message = format!(
                    "{key}: allowed is a number, a text, true, false or a list \
                    of them, but no table"
                );
                return Err(SceneError::Syntax { place: "value".into(), message });
            }
            put(&mut text, key, &value)?;
            Self::read(self.scene.name(), text, self.folder.clone(), self.start.clone())
        });
        let tuned = changed.map_err(|refusal| line(&refusal))?;
        Ok((tuned, effect))
    }

    /// The scene's key of this name, unless it says which file to read: that is chosen when the
    /// view is started.
    fn changeable(&self, key: &str) -> Result<&'static Key, String> {
        if key.len() > LONGEST_KEY || key.split('.').count() > MOST_PARTS {
            return Err(format!(
                "a key of {} bytes: allowed is up to {LONGEST_KEY}, in {MOST_PARTS} parts",
                key.len()
            ));
        }
        let shown = key.escape_debug();
        if key == "initial" || key.starts_with("initial.") || key.rsplit('.').next() == Some("file")
        {
            return Err(format!("{shown}: files are chosen when the view is started"));
        }
        if let Some(known) = known_key(key) {
            return Ok(known);
        }
        let is_section = keys()
            .iter()
            .any(|known| known.name.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')));
        // Reading a text opens no file; its refusal says which key may have been meant.
        let advice =
            match Scene::parse(self.scene.name(), &self.text, &[Override::text("key", key, "")]) {
                Err(refusal @ SceneError::UnknownKey { .. }) if !is_section => line(&refusal),
                _ => format!("{shown}: allowed is a key of the scene"),
            };
        Err(advice)
    }

    /// The same without one of the three rules.
    ///
    /// # Errors
    /// One line: when it is no rule, or the rest does not hold without it.
    pub fn without(&self, rule: &str) -> Result<Self, String> {
        if !RuleId::NAMES.contains(&rule) {
            return Err(format!(
                "{}: allowed is {}",
                rule.escape_debug(),
                RuleId::NAMES.join(", ")
            ));
        }
        let mut text = self.text.clone();
        edit::remove(&mut text, rule)?;
        Self::read(self.scene.name(), text, self.folder.clone(), self.start.clone())
            .map_err(|refusal| line(&refusal))
    }
}

/// A value as TOML, of one as it is typed: that, or a bare word.
fn value_of(key: &str, typed: &str) -> Result<String, SceneError> {
    let typed = typed.trim();
    match DeValue::parse(typed) {
        Ok(value) => Ok(typed[value.span()].to_string()),
        Err(_)
            if !typed.is_empty()
                && typed.chars().all(|c| c.is_alphanumeric() || "_-./\\ ".contains(c)) =>
        {
            Ok(edit::quoted(typed))
        }
        Err(error) => {
            let message = format!("{key} = {typed}: not a TOML value: {}", error.message());
            Err(SceneError::Syntax { place: "value".into(), message })
        }
    }
}

/// Whether brackets nest deeper in a typed value than [`DEEPEST_VALUE`]. Parsing, printing and
/// dropping a value all recurse into it, so this comes first. It counts without knowing TOML: where
/// there may be a text or a comment, whose brackets mean nothing, every one that opens counts and
/// none that closes.
fn too_deep(typed: &str) -> bool {
    let may_be_text = typed.contains(['"', '\'', '#']);
    let mut depth = 0usize;
    typed.chars().any(|c| {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' if !may_be_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEPEST_VALUE
    })
}

/// Whether a table is part of a value.
fn holds_table(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::Table(_) => true,
        DeValue::Array(items) => items.iter().any(|item| holds_table(item.get_ref())),
        _ => false,
    }
}

/// Writes a value where its key stands, or where it belongs; a table key by key.
fn put(text: &mut String, key: &str, value: &str) -> Result<(), SceneError> {
    let syntax = |message| SceneError::Syntax { place: key.into(), message };
    let parsed = DeValue::parse(value).map_err(|error| syntax(error.message().to_string()))?;
    if let DeValue::Table(table) = parsed.get_ref() {
        return table.iter().try_for_each(|(name, item)| {
            put(text, &format!("{key}.{}", name.get_ref()), &value[item.span()])
        });
    }
    let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
    // The other way to say the same.
    match name {
        "field_of_view" => {
            edit::remove(text, &format!("{section}.cos_half_view")).map_err(syntax)?
        }
        "cos_half_view" => {
            edit::remove(text, &format!("{section}.field_of_view")).map_err(syntax)?
        }
        "wkt" => edit::remove(text, &format!("{section}.file")).map_err(syntax)?,
        _ => {}
    }
    // Parameters of one model are none of another.
    if key == "model.name" {
        for parameter in
            edit::others_in(text, "model", "name", parsed.get_ref().as_str()).map_err(syntax)?
        {
            edit::remove(text, &parameter).map_err(syntax)?;
        }
    }
    edit::put(text, key, value).map_err(syntax)
}

/// A refusal without its place: it is shown where the value was given. One line, whatever was
/// typed.
fn line(refusal: &SceneError) -> String {
    let text = match refusal {
        SceneError::Value { key, value, allowed, .. } => {
            format!("{key} = {value}: allowed is {allowed}")
        }
        SceneError::UnknownKey { key, advice, .. } => format!("unknown key {key}: {advice}"),
        SceneError::Syntax { message, .. } => message.clone(),
        other => other.to_string(),
    };
    wingbeat_record::one_line(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shoal() -> EditableScene {
        EditableScene::load("shoal", &[Override::flag("--boids", "flock.boids", "500")])
            .expect("a preset")
    }

    #[test]
    fn a_change_keeps_the_rest_of_the_text() {
        let before = shoal();
        let (after, effect) = before.with("cohesion.weight", "0.75").expect("a weight");
        assert_eq!(
            (effect, after.scene().params().rules.cohesion.map(|rule| rule.weight)),
            (Effect::NextStep, Some(0.75))
        );
        let (old, new) = (before.toml(), after.toml());
        let differing: Vec<_> =
            old.lines().zip(new.lines()).filter(|(old, new)| old != new).collect();
        assert_eq!(
            (differing.len(), old.lines().count()),
            (1, new.lines().count()),
            "{differing:?}"
        );
        assert!(new.starts_with('#') && new.contains("weight = 0.75"), "{new}");
        let comment = |line: &str| line.split_once('#').map(|(_, comment)| comment.to_string());
        assert_eq!(comment(differing[0].0), comment(differing[0].1));
    }

    #[test]
    fn refusals_are_one_line_and_change_nothing() {
        let tuned = shoal();
        for (key, value, parts) in [
            ("cohesion.weight", "1e12", ["cohesion.weight = 1e12", "-1e9 to 1e9"]),
            ("cohesion.raduis", "1", ["cohesion.raduis", "cohesion.radius"]),
            ("cohesion.weight", "a\nb", ["cohesion.weight", "TOML"]),
            ("cohesion.weight", "", ["cohesion.weight", "TOML"]),
            ("agent.combine", "any", ["agent.combine = \"any\"", "weighted"]),
            ("flock.boids", "-1", ["flock.boids = -1", "0 to"]),
            ("cohesion", "{ weight = 2 }", ["cohesion", "a key of the scene"]),
            ("cohesion.radius", "1e11", ["cohesion.radius", "box"]),
            ("cohesion.weight", "{ weight = 2 }", ["cohesion.weight", "no table"]),
            ("domain.min", "[0, { x = 1 }]", ["domain.min", "no table"]),
            (
                "drive.gust",
                "{ kind = \"wind\", vector = [1, 0] }",
                ["drive.gust", "a key of the scene"],
            ),
        ] {
            let refusal =
                tuned.with(key, value).err().unwrap_or_else(|| panic!("{key} = {value} was taken"));
            assert!(refusal.lines().count() == 1, "{refusal}");
            parts.iter().for_each(|part| {
                assert!(refusal.contains(part), "\"{part}\" is missing from: {refusal}")
            });
        }
        assert!(tuned.without("agent").is_err());
    }

    /// Whatever nests, and however long it is, gets an answer; what is in a text does not nest.
    #[test]
    fn nesting_is_bounded_before_anything_is_parsed() {
        let tuned = shoal();
        const DEEP: usize = 30_000;
        let nested = |open: &str, close: &str| open.repeat(DEEP) + "1" + &close.repeat(DEEP);
        for value in [
            nested("[", "]"),
            nested("{a=", "}"),
            nested("[{a=", "}]"),
            "[".repeat(DEEP),
            "{a=".repeat(DEEP),
            // The texts close what they do not open.
            "[\"]\",".repeat(DEEP),
            "['}]',{a=".repeat(DEEP),
            "[#]\n".repeat(DEEP),
        ] {
            let refusal = tuned.with("cohesion.weight", &value).err().expect("a refusal");
            assert!(refusal.contains("brackets") && refusal.len() < 200, "{refusal}");
        }
        for key in [
            "a.".repeat(DEEP) + "a",
            "cohesion.".repeat(DEEP) + "weight",
            "a".repeat(DEEP),
            ".".repeat(DEEP),
            "drive.a.b.c.d".into(),
        ] {
            let refusal = tuned.with(&key, "1").err().expect("a refusal");
            assert!(refusal.contains("in 4 parts") && refusal.len() < 200, "{refusal}");
        }
        let pairs = |n: usize| format!("[{}]", "[1, 0], ".repeat(n));
        let (led, _) = tuned.with("drive.lead.kind", "leader").expect("a drive");
        assert!(
            led.with("drive.lead.parents", &pairs(300))
                .err()
                .is_none_or(|refusal| !refusal.contains("brackets"))
        );
        assert!(tuned.with("about", "\"all [brackets] there are: {}()[]\"").is_ok());
    }

    /// Every key of the table fits, with names as long as they may be.
    #[test]
    fn the_longest_key_fits() {
        let name = "n".repeat(64);
        let longest = keys()
            .iter()
            .map(|key| key.name.replace('*', &name))
            .max_by_key(String::len)
            .expect("keys");
        assert!(longest.len() <= LONGEST_KEY, "{longest}");
        assert!(keys().iter().all(|key| key.name.split('.').count() <= MOST_PARTS));
    }

    /// Not even to say that it is not there: nothing tells one path from another.
    #[test]
    fn no_request_makes_it_read_a_file() {
        let folder = std::env::temp_dir();
        let there = folder.to_str().expect("a path of letters");
        let refusal_of = |tuned: &EditableScene, key: &str, path: &str| {
            let value = ["{file=PATH}", "{kind='flow',file=PATH,min=[-1,-1],max=[1,1]}", "PATH"]
                .map(|value| {
                    let typed = value.replace("PATH", &format!("'{path}'"));
                    tuned
                        .with(key, &typed)
                        .err()
                        .unwrap_or_else(|| panic!("{key} = {typed} was taken"))
                });
            value.map(|line| {
                assert!(line.lines().count() == 1 && !line.contains(path), "{line}");
                line
            })
        };
        for key in [
            "initial",
            "initial.file",
            "initial.frame",
            "drive.x",
            "drive.x.file",
            "obstacle.x",
            "x.file",
            "file",
            "drive",
        ] {
            let tuned = shoal();
            assert_eq!(
                refusal_of(&tuned, key, there),
                refusal_of(&tuned, key, "/not/there"),
                "{key}"
            );
        }
        assert!(
            shoal().with("drive.x.file", "a.npy").err().expect("a refusal").contains("started")
        );
    }

    /// A floor plan travels with the text: a page reads no files, and lies anywhere.
    #[test]
    fn a_floor_plan_is_taken_in() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, content: &str| {
            std::fs::write(folder.path().join(name), content).expect("a file");
            folder.path().join(name).to_str().expect("a path of letters").to_string()
        };
        file("plan.wkt", "POLYGON ((0 0, 9 0, 9 4, 0 4, 0 0))\n");
        let text = "[flock]\nboids = 20\ndimensions = 2\n# the hall\n[floor]\nfile = \"plan.wkt\"\n\
            [cohesion]\n";
        let tuned = EditableScene::load(&file("hall.toml", text), &[]).expect("a scene");
        assert!(
            tuned.toml().contains("[floor]\nwkt = \"POLYGON ((0 0, 9 0")
                && !tuned.toml().contains("plan.wkt"),
            "{}",
            tuned.toml()
        );
        let (faster, _) = tuned.with("cohesion.weight", "2").expect("a value");
        assert!(faster.scene().files().is_empty());
        std::fs::remove_file(folder.path().join("plan.wkt")).expect("a file");
        assert_eq!(
            EditableScene::parse("page", faster.toml(), None).expect("no file is read").warnings(),
            faster.warnings()
        );
    }

    /// A developer who adds a key that takes a text decides here whether it may name a file.
    #[test]
    fn texts_that_name_files_are_known() {
        let harmless = [
            "about",
            "page.title",
            "page.text",
            "page.sliders",
            "drive.*.species",
            "exit.*.species",
            "source.*.species",
            "floor.wkt",
            "ramp.*.key",
        ];
        for key in keys().iter().filter(|key| {
            key.kind == wingbeat_scene::KeyKind::Text && !harmless.contains(&key.name.as_str())
        }) {
            let refusal = shoal().with(&key.name.replace('*', "x"), "a").err().expect("a refusal");
            assert!(refusal.contains("when the view is started"), "{refusal}");
        }
    }

    #[test]
    fn rules_come_and_go_and_models_are_exchanged() {
        let tuned = shoal().without("cohesion").expect("two rules");
        assert_eq!(tuned.scene().params().rules.cohesion, None);
        let (tuned, _) = tuned.with("cohesion.weight", "2").expect("three rules");
        assert_eq!(tuned.scene().params().rules.cohesion.map(|rule| rule.weight), Some(2.0));
        let (tuned, _) = tuned.with("cohesion.cos_half_view", "0").expect("a cone");
        let (tuned, _) =
            tuned.with("cohesion.field_of_view", "90").expect("the other way to say it");
        assert!(!tuned.toml().contains("cos_half_view"));

        let couzin = EditableScene::load("couzin2002", &[]).expect("a preset");
        let (cucker, effect) = couzin.with("model.name", "cucker_smale").expect("another model");
        assert_eq!(
            (effect, cucker.scene().params().model.map(|model| model.name())),
            (Effect::Rebuild, Some("cucker_smale"))
        );
        assert!(!cucker.toml().contains("orientation_width = "));
    }

    /// Every preset, every key it has: given again, it is the same scene.
    #[test]
    fn the_text_is_the_scene() {
        for preset in wingbeat_scene::PRESETS {
            let few = [
                Override::flag("--boids", "flock.boids", "500"),
                Override::flag("--seed", "flock.seed", "7"),
            ];
            let tuned = EditableScene::load(preset.name, &few).expect("a preset");
            let again = Scene::parse("again", tuned.toml(), &[]).expect("its text");
            assert_eq!(
                (again.params(), again.seed(), again.boids()),
                (tuned.scene().params(), 7, Some(500)),
                "{}",
                preset.name
            );
        }
    }
}
