//! One key, made of the row at its field.

use std::slice;

use wingbeat::steer::parameters::{ParameterInfo, Parameters, SettingInfo, SettingValue};

use super::KeyKind;
use crate::number::{as_written, plain};

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
    pub(super) fn is_of(&self, kind: Option<&str>) -> bool {
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

/// Puts a key into a list behind the one of this name.
pub(super) fn insert_after(keys: &mut Vec<Key>, name: &str, key: Key) {
    let place = keys.iter().position(|known| known.name == name);
    keys.insert(place.map_or(keys.len(), |place| place + 1), key);
}
