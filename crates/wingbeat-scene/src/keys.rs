//! Every key of a scene file in one table: what it takes, its unit, default, range, and what it
//! does.
//!
//! Keys are declared once, where the field is that they set: numbers by `parameters!`, all else by
//! `settings!` and `kinds!`, those of the engine in wingbeat-steer, those of scenes alone beside
//! what reads them. This module only lists the structs, section by section. Reading, error
//! messages, `docs/KEYS.md`, editors' schema, sliders and the tests all go by the table.

// How to add a key. A line in the struct that has it, in wingbeat-steer or here. Then
// `WINGBEAT_WRITE_DOCS=1 cargo test -p wingbeat-scene`, and the code that uses the value.

use std::slice;
use std::sync::OnceLock;

use wingbeat::RuleId;
use wingbeat::steer::parameters::{ParameterInfo, Parameters, SettingInfo, SettingValue};

use crate::named::{self, Family, with_rules};
use crate::number::{as_written, plain};
use crate::ramp::Ramp;
use crate::{rules, sections, worlds};

pub use wingbeat::steer::parameters::{FARTHEST, SettingKind as KeyKind};

/// One key of a scene file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Key {
    /// Dotted name: `separation.radius`. A star stands for a name of the user's: `drive.*.weight`.
    pub name: String,
    /// What it takes.
    pub kind: KeyKind,
    /// Unit, in the scene's own length and time; empty where there is none.
    pub unit: &'static str,
    /// What holds when it is left out, as a TOML value or in words.
    pub default: String,
    /// What it is.
    pub about: String,
    /// In a table that is of one of several kinds (of a model, say), those that have it; empty
    /// where every kind does.
    pub kinds: &'static [&'static str],
}

/// The sections of a scene file, in their usual order; a star stands for a name of the user's.
pub const SECTIONS: &[&str] = &with_rules::<{ 19 + RuleId::ALL.len() }>(
    &["flock", "spawn", "domain", "floor", "initial", "agent"],
    &[
        "neighborhood",
        "model",
        "body",
        "anticipation",
        "grid",
        "drive.*",
        "avoidance",
        "obstacle.*",
        "exit.*",
        "source.*",
        "species.*",
        "interaction.*.*",
        "ramp.*",
    ],
);

/// All keys, in the order of a scene file.
pub fn keys() -> &'static [Key] {
    static KEYS: OnceLock<Vec<Key>> = OnceLock::new();
    KEYS.get_or_init(|| {
        [
            Key::all::<sections::Head>(""),
            sections::keys(),
            rules::keys(),
            worlds::keys(),
            rules::species_keys(),
            Key::all::<Ramp>("ramp.*"),
        ]
        .concat()
    })
}

impl Key {
    /// A number of the engine's, in a section.
    pub(crate) fn number(section: &str, parameter: &ParameterInfo) -> Self {
        let &ParameterInfo { about, unit, default, min, max, larger, .. } = parameter;
        Self {
            name: format!("{section}.{}", parameter.name()),
            // The engine's table has no open ends; a time step of 0 is the one number that is
            // refused at its own bound.
            kind: KeyKind::Number {
                min: as_written(min),
                max: as_written(max),
                above_min: parameter.key == "flock.dt",
            },
            unit,
            default: if default.is_nan() { "none".into() } else { plain(default) },
            about: format!("{about} Larger: {larger}."),
            kinds: &[],
        }
    }

    /// What is no such number, in a section.
    pub(crate) fn setting(section: &str, setting: &SettingInfo) -> Self {
        let dot = if section.is_empty() { "" } else { "." };
        let default = if setting.shown.is_empty() {
            (setting.default)().as_ref().map(as_toml).unwrap_or_default()
        } else {
            setting.shown.into()
        };
        Self {
            name: format!("{section}{dot}{}", setting.key),
            kind: setting.kind,
            unit: setting.unit,
            default,
            about: setting.about.into(),
            kinds: &[],
        }
    }

    /// All that a struct has, in a section.
    pub(crate) fn all<P: Parameters>(section: &str) -> Vec<Self> {
        let numbers = P::PARAMETERS.iter().map(|parameter| Self::number(section, parameter));
        numbers.chain(P::SETTINGS.iter().map(|setting| Self::setting(section, setting))).collect()
    }

    /// Whether tables of a kind, or of none, have it.
    fn is_of(&self, kind: Option<&str>) -> bool {
        self.kinds.is_empty() || kind.is_some_and(|kind| self.kinds.contains(&kind))
    }

    /// The same key, of these kinds only.
    pub(crate) fn of_kinds(self, kinds: &'static [&'static str]) -> Self {
        Self { kinds, ..self }
    }

    /// The same, of one kind.
    pub(crate) fn of_kind(self, kind: &'static &'static str) -> Self {
        self.of_kinds(slice::from_ref(kind))
    }

    /// The key that names a species.
    pub(crate) fn species(section: &str, default: &str, about: &str) -> Self {
        let (name, default) = (format!("{section}.species"), default.into());
        Self { name, kind: KeyKind::Text, default, ..Self::kind(section, &[], about) }
    }

    /// The key that chooses the kind of tables that users name.
    pub(crate) fn kind(section: &str, kinds: &'static [&'static str], about: &str) -> Self {
        Self {
            name: format!("{section}.kind"),
            kind: KeyKind::Choice(kinds),
            unit: "",
            default: "required".into(),
            about: about.into(),
            kinds: &[],
        }
    }
}

/// A default as TOML has it.
fn as_toml(value: &SettingValue) -> String {
    match value {
        SettingValue::Number(x) => plain(*x),
        SettingValue::Whole(whole) => whole.to_string(),
        SettingValue::Flag(flag) => flag.to_string(),
        SettingValue::Text(text) => format!("\"{text}\""),
        other => {
            let items = other.items().unwrap_or_default().iter().map(as_toml);
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The key that a dotted name stands for, be it one in a table that users name: of several kinds or
/// models that have one of this name, the first.
///
/// ```
/// use wingbeat_scene::known_key;
/// assert_eq!(
///     known_key("drive.north.weight").map(|key| key.name.as_str()),
///     Some("drive.*.weight")
/// );
/// assert_eq!(known_key("cohesion.raduis"), None);
/// ```
pub fn known_key(name: &str) -> Option<&'static Key> {
    let pattern = named::pattern(name);
    keys().iter().find(|key| key.name == pattern)
}

/// The key of this name, in a table of a kind or of none.
pub(crate) fn find(name: &str, kind: Option<&str>) -> Option<&'static Key> {
    let pattern = named::pattern(name);
    keys().iter().find(|key| key.name == pattern && key.is_of(kind))
}

/// The key by which tables of a sort say which kind they are.
pub(crate) fn kind_key(family: &Family) -> Option<&'static Key> {
    keys().iter().find(|key| key.name.strip_prefix(family.section) == Some(".kind"))
}

/// Keys of a sort of tables that a kind has.
pub(crate) fn of_kind(family: &Family, kind: &str) -> impl Iterator<Item = &'static Key> {
    let start = format!("{}.", family.name);
    keys().iter().filter(move |key| key.name.starts_with(&start) && key.is_of(Some(kind)))
}

/// Keys of a table of a kind or of none, by their last names; not those of tables within it.
pub(crate) fn in_table(table: &str, kind: Option<&str>) -> impl Iterator<Item = &'static str> {
    let section = named::pattern(table).into_owned();
    let known = move |key: &&Key| key.name.rsplit_once('.').is_some_and(|(at, _)| at == section);
    keys().iter().filter(known).filter(move |key| key.is_of(kind)).map(|key| last(&key.name))
}

/// Whether a table of a kind has keys that those of other kinds lack.
pub(crate) fn has_own(table: &str, kind: &str) -> bool {
    let within = |key: &&Key| key.name.rsplit_once('.').is_some_and(|(at, _)| at == table);
    keys().iter().filter(within).any(|key| key.kinds.contains(&kind))
}

/// The last part of a dotted name.
pub(crate) fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
