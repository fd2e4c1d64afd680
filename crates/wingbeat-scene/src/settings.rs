//! The settings of a scene key by key, for hosts that let people change them: sliders, forms.

use toml::de::DeValue;

use wingbeat::steer::RuleId;
pub use wingbeat::steer::parameters::SettingValue;

use crate::Scene;
use crate::keys::{Key, keys, of_kind};
use crate::named::{self, FAMILIES, in_table, inherited};
use crate::number::as_written;
use crate::value::{self, Origin};

/// When a changed value takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// From the next step on: the flock need not be built again.
    NextStep,
    /// When the flock is built again.
    Rebuild,
    /// Not on a flock at all: the key describes the run or the scene.
    None,
}

impl Key {
    /// When a changed value of this key takes effect.
    ///
    /// ```
    /// use wingbeat_scene::{Effect, keys};
    /// let effect = |name| keys().iter().find(|key| key.name == name).map(|key| key.effect());
    /// assert_eq!(effect("cohesion.weight"), Some(Effect::NextStep));
    /// assert_eq!(effect("flock.boids"), Some(Effect::Rebuild));
    /// ```
    pub fn effect(&self) -> Effect {
        let (section, key) = self.name.split_once('.').unwrap_or(("", &self.name));
        match (section, key) {
            // Another kind has other keys, so that changing it is writing another table.
            _ if key.ends_with(".kind") => Effect::None,
            ("species", "*.count") => Effect::Rebuild,
            ("species", part) if part.starts_with("*.spawn.") => Effect::Rebuild,
            ("" | "page", _) | ("flock", "steps") => Effect::None,
            ("flock", "dt" | "steer_every") => Effect::NextStep,
            ("model", "name")
            | ("body", "settle")
            | ("flock" | "spawn" | "domain" | "floor" | "initial" | "source", _) => Effect::Rebuild,
            _ => Effect::NextStep,
        }
    }

    /// Whether it makes bodies what they are.
    pub(crate) fn is_of_bodies(&self) -> bool {
        self.name.starts_with("body.") || self.name.starts_with("species.*.body.")
    }

    /// Whether a changed value takes effect while a flock flies.
    pub(crate) fn changes_in_flight(&self) -> bool {
        self.effect() == Effect::NextStep
    }
}

/// A key that applies in a scene.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Setting {
    /// Dotted name: that of the key, with the user's names in place of its stars.
    pub name: String,
    /// Its entry in the key table.
    pub key: &'static Key,
    /// The value given, or else the default. `None` where the default depends on other keys.
    pub value: Option<SettingValue>,
    /// Whether it was given.
    pub is_given: bool,
}

impl Scene {
    /// When a changed value of a key takes effect in this scene: points become bodies only when the
    /// flock is built again.
    pub fn effect_of(&self, key: &Key) -> Effect {
        let effect = key.effect();
        let makes_bodies =
            effect == Effect::NextStep && key.is_of_bodies() && self.params().body.is_none();
        if makes_bodies { Effect::Rebuild } else { effect }
    }

    /// All keys that apply in this scene, in the order of a scene file, with their values: those of
    /// the rules it has, of its model, of its domain's kind. Of `field_of_view` and `cos_half_view`
    /// only the one in use is listed.
    ///
    /// ```
    /// use wingbeat_scene::{Scene, SettingValue};
    /// let scene = Scene::parse("a.toml", "[flock]\nboids = 5\n[cohesion]\nweight = 0.5\n", &[])?;
    /// let value = |name: &str| {
    ///     scene
    ///         .settings()
    ///         .into_iter()
    ///         .find(|setting| setting.key.name == name)
    ///         .map(|setting| setting.value)
    /// };
    /// assert_eq!(value("cohesion.weight"), Some(Some(SettingValue::Number(0.5))));
    /// assert_eq!(value("cohesion.radius"), Some(Some(SettingValue::Number(1.0))));
    /// assert_eq!(value("alignment.radius"), None);
    /// # Ok::<(), wingbeat_scene::SceneError>(())
    /// ```
    pub fn settings(&self) -> Vec<Setting> {
        let listed =
            keys().iter().filter(|key| named::family(&key.name).is_none() && self.applies(key));
        let mut settings: Vec<Setting> =
            listed.map(|key| self.setting(key, key.name.clone())).collect();
        for family in &FAMILIES {
            for table in self.document.tables(family.name) {
                let kind = self.document.kind_of(table).unwrap_or_default();
                let listed = of_kind(family, kind).map(|key| (key, in_table(&key.name, table)));
                let listed = listed.filter(|(key, name)| self.applies_in_table(key, name));
                settings.extend(listed.map(|(key, name)| self.setting(key, name)));
            }
        }
        settings
    }

    /// Whether a key of a named table applies: those of a species' rule do where the rule is given,
    /// those of its limits do where no model takes their place.
    fn applies_in_table(&self, key: &Key, name: &str) -> bool {
        let document = &self.document;
        let (table, last) = name.rsplit_once('.').unwrap_or(("", name));
        let is_part = key.name.split('.').count() > 3 && key.name.starts_with("species.");
        let is_agent = table.ends_with(".agent") && self.params().model.is_none();
        let by_table = !is_part || is_agent || document.has_section(table);
        let by_others = match last {
            "field_of_view" => !document.has(&format!("{table}.cos_half_view")),
            "cos_half_view" => document.has(name),
            _ => true,
        };
        by_table && by_others
    }

    fn setting(&self, key: &'static Key, name: String) -> Setting {
        Setting { key, value: self.value_of(key, &name), is_given: self.document.has(&name), name }
    }

    /// Whether a key outside named tables applies.
    fn applies(&self, key: &Key) -> bool {
        let document = &self.document;
        let model = self.params().model;
        if !key.kinds.is_empty() {
            let anticipation = self.params().anticipation.map(|model| model.name());
            return model
                .map(|model| model.name())
                .into_iter()
                .chain(anticipation)
                .any(|name| key.kinds.contains(&name));
        }
        let (section, name) = key.name.split_once('.').unwrap_or(("", &key.name));
        let combine = document.text("agent.combine").unwrap_or("weighted");
        let has_species = !document.tables("species").is_empty();
        let by_section = match section {
            "agent" => model.is_none(),
            "model" | "initial" | "floor" | "body" | "anticipation" => {
                document.has_section(section)
            }
            "avoidance" => document.has_section("floor") || !document.tables("obstacle").is_empty(),
            _ if RuleId::NAMES.contains(&section) => document.has_section(section),
            _ => true,
        };
        let by_others = match (section, name) {
            ("flock", "boids") => !document.has("initial.file"),
            ("floor", _) => document.has(&key.name),
            ("agent", "cruise_speed" | "smoothing_rate" | "stop_when_alone") => {
                combine == "direction"
            }
            // Beside species, limits are what species inherit.
            ("agent", "max_speed" | "max_speed_spread" | "population") => {
                !has_species || document.has(&key.name)
            }
            ("agent", "max_force" | "mass" | "min_speed") => {
                combine != "direction" && (!has_species || document.has(&key.name))
            }
            ("agent", "priority") => combine == "prioritized",
            ("domain", "margin" | "strength") => document.text("domain.kind") == Some("walled"),
            ("neighborhood", "k") => document.text("neighborhood.kind") == Some("topological"),
            (rule, "field_of_view") => !document.has(&format!("{rule}.cos_half_view")),
            (_, "cos_half_view") => document.has(&key.name),
            _ => true,
        };
        by_section && by_others
    }

    fn value_of(&self, key: &Key, name: &str) -> Option<SettingValue> {
        if let Some(leaf) =
            self.document.leaf(name).or_else(|| self.document.leaf(inherited(name)?))
        {
            return leaf.of_kind(&key.kind);
        }
        let usual = self.params().model.map(|model| model.usual());
        match (key.name.as_str(), usual) {
            ("flock.dimensions", _) => {
                return i64::try_from(self.dimensions()).ok().map(SettingValue::Whole);
            }
            ("flock.dt", _) => {
                return Some(SettingValue::Number(as_written(f64::from(self.dt().get()))));
            }
            ("spawn.speed" | "species.*.spawn.speed", Some(usual)) => {
                return Some(SettingValue::Number(as_written(f64::from(usual.speed))));
            }
            ("domain.kind", _) => {
                return Some(SettingValue::Text(self.document.usual_domain().into()));
            }
            _ => {}
        }
        // A default that is not a TOML value describes in words where the value comes from.
        let default =
            value::leaf(DeValue::parse(&key.default).ok()?.get_ref(), Origin::Flag(String::new()));
        default.of_kind(&key.kind)
    }
}
