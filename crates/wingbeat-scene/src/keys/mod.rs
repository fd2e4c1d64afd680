//! Every key of a scene file in one table: what it takes, its unit, default, range, and what it
//! does.
//!
//! Reading, error messages, `docs/KEYS.md` and the tests all go by this table, so they cannot
//! disagree. Numbers that the engine knows take their range and wording from the engine's own
//! [`PARAMETERS`](wingbeat::steer::parameters::PARAMETERS).

mod drive;
mod flock;
mod gate;
mod obstacle;
mod ramp;
mod rules;
mod species;

use std::sync::OnceLock;

use wingbeat::RuleId;
use wingbeat::steer::model::models;
use wingbeat::steer::parameters::{ParameterInfo, Parameters, parameter};

use crate::named::{self, Family, with_rules};
use crate::number::{as_written, plain};

/// What a key takes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum KeyKind {
    /// A number, whole or not.
    Number {
        /// Smallest accepted.
        min: f64,
        /// Largest accepted.
        max: f64,
        /// Whether `min` itself is refused.
        above_min: bool,
    },
    /// A whole number.
    Whole {
        /// Smallest accepted.
        min: i64,
        /// Largest accepted.
        max: i64,
    },
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// As many numbers as the scene has dimensions, each at most so large in size.
    Point(f64),
    /// A point, or `true` for "the middle of the domain".
    PointOrTrue,
    /// A list of points, at most 10,000.
    Points {
        /// How many at least.
        least: usize,
        /// How large coordinates may be in size.
        most: f64,
    },
    /// A list of pairs of whole numbers, 0 and above.
    Pairs,
    /// A list of distinct terms out of these, and `drive.NAME`.
    Terms(&'static [&'static str]),
}

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
    /// The model that has it, or the model of anticipation, by name; empty for keys that are no
    /// model's own.
    pub model: &'static str,
    /// In a table that users name, the kinds that have it; empty where every kind does, and outside
    /// such tables.
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

/// Neighbors of a topological scene that does not say how many: what Ballerini et al. 2008 found
/// with starlings.
pub(crate) const USUAL_NEAREST: u32 = 7;

/// Terms that `agent.priority` may name, beside drives.
pub(crate) const TERMS: &[&str] =
    &with_rules::<{ 3 + RuleId::ALL.len() }>(&[], &["interactions", "obstacles", "walls"]);

/// All keys, in the order of a scene file.
pub fn keys() -> &'static [Key] {
    static KEYS: OnceLock<Vec<Key>> = OnceLock::new();
    KEYS.get_or_init(|| {
        let mut keys =
            vec![key("about", KeyKind::Text, "", "\"\"", "One line for `wingbeat presets`.")];
        keys.extend(flock::flock_keys());
        keys.extend(flock::spawn_keys());
        keys.extend(flock::domain_keys());
        keys.extend(flock::floor_keys());
        keys.extend(flock::initial_keys());
        keys.extend(rules::agent_keys());
        keys.extend(RuleId::ALL.iter().flat_map(|&rule| rules::rule_keys(rule)));
        keys.extend(rules::neighborhood_keys());
        keys.extend(rules::model_keys());
        keys.extend(rules::body_keys());
        keys.extend(rules::anticipation_keys());
        keys.push(parameter_key("grid.expected_neighbors", "grid.expected_neighbors"));
        keys.extend(drive::drive_keys());
        keys.extend(obstacle::obstacle_keys());
        keys.extend(gate::exit_keys());
        keys.extend(gate::source_keys());
        keys.extend(species::species_keys());
        keys.extend(species::interaction_keys());
        keys.extend(ramp::ramp_keys());
        keys
    })
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

pub(crate) use rules::anticipation_names;

/// The key of this name, in a scene of this model, be it one of flocks or of anticipation.
pub(crate) fn find(name: &str, model: Option<&str>) -> Option<&'static Key> {
    keys().iter().find(|key| key.name == name && (key.model.is_empty() || Some(key.model) == model))
}

/// The key of this name in a table that users name, of a kind or of none.
pub(crate) fn find_in(name: &str, kind: Option<&str>) -> Option<&'static Key> {
    let pattern = named::pattern(name);
    keys().iter().find(|key| {
        key.name == pattern
            && (key.kinds.is_empty() || kind.is_some_and(|kind| key.kinds.contains(&kind)))
    })
}

/// The key by which tables of a sort say which kind they are.
pub(crate) fn kind_key(family: &Family) -> Option<&'static Key> {
    keys().iter().find(|key| key.name.strip_prefix(family.section) == Some(".kind"))
}

/// Keys of a sort of tables that a kind has.
pub(crate) fn of_kind(family: &Family, kind: &str) -> impl Iterator<Item = &'static Key> {
    let start = format!("{}.", family.name);
    keys().iter().filter(move |key| {
        key.name.starts_with(&start) && (key.kinds.is_empty() || key.kinds.contains(&kind))
    })
}

/// The last part of a dotted name.
pub(crate) fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Names of all models.
pub(crate) fn model_names() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| models().map(|model| model.name()).collect())
}

fn key(name: &str, kind: KeyKind, unit: &'static str, default: &str, about: &str) -> Key {
    Key {
        name: name.to_string(),
        kind,
        unit,
        default: default.to_string(),
        about: about.to_string(),
        model: "",
        kinds: &[],
    }
}

/// A key that is one of the engine's parameters.
fn parameter_key(name: &str, parameter_name: &str) -> Key {
    of_parameter(name, parameter(parameter_name).expect("the engine's table has this parameter"))
}

fn of_parameter(name: &str, parameter: &ParameterInfo) -> Key {
    let &ParameterInfo { about, unit, default, min, max, larger, .. } = parameter;
    // The engine's table has no open ends; a time step of 0 is the one number that is refused at
    // its own bound.
    let kind = KeyKind::Number {
        min: as_written(min),
        max: as_written(max),
        above_min: parameter.key == "flock.dt",
    };
    let default = if default.is_nan() { "none".to_string() } else { plain(default) };
    key(name, kind, unit, &default, &format!("{about} Larger: {larger}."))
}

/// The keys of all numbers of a struct of the engine's, in a section.
fn keys_of<P: Parameters>(section: &str) -> Vec<Key> {
    P::PARAMETERS
        .iter()
        .map(|parameter| of_parameter(&format!("{section}.{}", parameter.name()), parameter))
        .collect()
}

fn number(name: &str, min: f64, max: f64, unit: &'static str, default: &str, about: &str) -> Key {
    key(name, KeyKind::Number { min, max, above_min: false }, unit, default, about)
}

fn length(name: &str, default: &str, about: &str) -> Key {
    key(name, KeyKind::Number { min: 1e-9, max: 1e12, above_min: false }, "length", default, about)
}

/// The same keys, of these kinds only.
fn of_kinds(kinds: &'static [&'static str], keys: Vec<Key>) -> impl Iterator<Item = Key> {
    keys.into_iter().map(move |key| Key { kinds, ..key })
}

/// The largest coordinate of the world.
pub const FARTHEST: f64 = 1e30;

fn point(name: &str, unit: &'static str, default: &str, about: &str) -> Key {
    point_within(FARTHEST, name, unit, default, about)
}

/// A point or vector whose numbers are at most so large in size.
fn point_within(most: f64, name: &str, unit: &'static str, default: &str, about: &str) -> Key {
    key(name, KeyKind::Point(most), unit, default, about)
}
