//! Every key of a scene file in one table: what it takes, its unit, default, range, and what it
//! does.
//!
//! Keys are declared once, where the field is that they set: numbers by `parameters!`, all else by
//! `settings!` and `kinds!`, those of the engine in wingbeat-steer, those of scenes alone in the
//! files here, which list the structs, section by section. Reading, error messages, `docs/KEYS.md`,
//! editors' schema, sliders and the tests all go by the table.

// How to add a key. A line in the struct that has it, in wingbeat-steer or here. Then
// `WINGBEAT_WRITE_DOCS=1 cargo test -p wingbeat-scene`, and the code that uses the value.

mod agents;
mod key;
mod ramp;
mod sections;
mod worlds;

use std::sync::OnceLock;

use wingbeat::steer::RuleId;

use crate::named::{self, Family, with_rules};

pub(crate) use agents::*;
pub use key::Key;
pub use ramp::Ramp;
pub(crate) use sections::*;
pub use wingbeat::steer::parameters::{FARTHEST, SettingKind as KeyKind};
pub(crate) use worlds::*;

/// The sections of a scene file, in their usual order; a star stands for a name of the user's.
pub const SECTIONS: &[&str] = &with_rules::<{ 20 + RuleId::ALL.len() }>(
    &["page", "flock", "spawn", "domain", "floor", "initial", "agent"],
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
            Key::all::<HeadKeys>(""),
            Key::all::<PageKeys>("page"),
            sections::keys(),
            agents::keys(),
            worlds::keys(),
            agents::species_keys(),
            Key::all::<Ramp>("ramp.*"),
        ]
        .concat()
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
    directly_in(table).filter(move |key| key.is_of(kind)).map(|key| last(&key.name))
}

fn directly_in(table: &str) -> impl Iterator<Item = &'static Key> {
    let section = named::pattern(table).into_owned();
    keys().iter().filter(move |key| key.name.rsplit_once('.').is_some_and(|(at, _)| at == section))
}

/// Whether a table of a kind has keys that those of other kinds lack.
pub(crate) fn has_own(table: &str, kind: &str) -> bool {
    directly_in(table).any(|key| key.kinds.contains(&kind))
}

/// The last part of a dotted name.
pub(crate) fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
