//! Tables that users name: `[drive.NAME]`, `[obstacle.NAME]`, `[exit.NAME]`, `[source.NAME]`,
//! `[species.NAME]`, `[interaction.SPECIES.OTHER]`, `[ramp.NAME]`.

use std::borrow::Cow;

use wingbeat::steer::RuleId;
use wingbeat::steer::gate::MAX_GATES;

/// One family of named tables.
#[derive(Debug)]
pub(crate) struct Family {
    /// First part of the table's name.
    pub name: &'static str,
    /// Its section in the key table, a star for each name.
    pub section: &'static str,
    /// How many names follow the first part.
    pub names: usize,
    /// Tables that one of them may contain.
    pub parts: &'static [&'static str],
    /// How a message writes the names.
    pub shown: &'static str,
    /// Most tables of this family in one scene.
    pub most: usize,
}

/// Names with those of all rules in between.
pub(crate) const fn with_rules<const N: usize>(
    before: &[&'static str],
    after: &[&'static str],
) -> [&'static str; N] {
    let (mut names, mut at) = ([""; N], 0);
    let lists = [before, RuleId::NAMES, after];
    let mut list = 0;
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            names[at] = lists[list][i];
            (at, i) = (at + 1, i + 1);
        }
        list += 1;
    }
    assert!(at == N, "as many names as there are");
    names
}

/// The tables within a species, named as in a scene without species.
pub(crate) const SPECIES_PARTS: &[&str] =
    &with_rules::<{ 4 + RuleId::ALL.len() }>(&["agent", "spawn"], &["stamina", "body"]);

/// All families of named tables.
pub(crate) const FAMILIES: [Family; 7] = [
    Family {
        name: "drive",
        section: "drive.*",
        names: 1,
        parts: &[],
        shown: "[drive.NAME]",
        most: 16,
    },
    Family {
        name: "obstacle",
        section: "obstacle.*",
        names: 1,
        parts: &[],
        shown: "[obstacle.NAME]",
        most: 1_000_000,
    },
    Family {
        name: "exit",
        section: "exit.*",
        names: 1,
        parts: &[],
        shown: "[exit.NAME]",
        most: MAX_GATES,
    },
    Family {
        name: "source",
        section: "source.*",
        names: 1,
        parts: &[],
        shown: "[source.NAME]",
        most: MAX_GATES,
    },
    Family {
        name: "species",
        section: "species.*",
        names: 1,
        parts: SPECIES_PARTS,
        shown: "[species.NAME]",
        most: 64,
    },
    Family {
        name: "interaction",
        section: "interaction.*.*",
        names: 2,
        parts: &[],
        shown: "[interaction.SPECIES.OTHER]",
        most: 64 * 64,
    },
    Family {
        name: "ramp",
        section: "ramp.*",
        names: 1,
        parts: &[],
        shown: "[ramp.NAME]",
        most: 16,
    },
];

/// The family of a table, or of a key in one, by its dotted path.
pub(crate) fn family(path: &str) -> Option<&'static Family> {
    let head = path.split('.').next().unwrap_or(path);
    FAMILIES.iter().find(|family| family.name == head)
}

/// The path as the key table has it, with a star for each name: `drive.north.weight` is
/// `drive.*.weight`.
pub(crate) fn pattern(path: &str) -> Cow<'_, str> {
    let Some(family) = family(path) else { return Cow::Borrowed(path) };
    let starred = path
        .split('.')
        .enumerate()
        .map(|(i, part)| if (1..=family.names).contains(&i) { "*" } else { part });
    Cow::Owned(starred.collect::<Vec<_>>().join("."))
}

/// The key by which a table says which kind it is.
pub(crate) fn tag(table: &str) -> &'static str {
    if table == "model" { "name" } else { "kind" }
}

/// A key of the table with the names of another path: `drive.*.weight` in `drive.north` is
/// `drive.north.weight`.
pub(crate) fn in_table(pattern: &str, table: &str) -> String {
    let mut names = table.split('.').skip(1);
    let filled = pattern
        .split('.')
        .map(|part| if part == "*" { names.next().unwrap_or(part) } else { part });
    filled.collect::<Vec<_>>().join(".")
}

/// Keys that say how boids start, rather than where.
const OF_EVERY_SPAWN: &[&str] = &[
    "spawn.spacing",
    "spawn.speed",
    "spawn.speed_spread",
    "spawn.heading",
    "spawn.spread",
    "spawn.goal",
    "spawn.goal_center",
];

/// The key of the scene's own that holds for a species which does not give this one: `agent.mass`
/// for `species.hare.agent.mass`.
pub(crate) fn inherited(key: &str) -> Option<&str> {
    let (_, own) = key.strip_prefix("species.")?.split_once('.')?;
    (own.starts_with("agent.") || OF_EVERY_SPAWN.contains(&own)).then_some(own)
}

/// A section as documentation writes it: `[drive.NAME]`, `[species.NAME.separation]`.
pub(crate) fn header(section: &str) -> String {
    match family(section) {
        Some(family) => {
            let part = section.strip_prefix(family.section).unwrap_or("");
            format!("{}{part}]", family.shown.trim_end_matches(']'))
        }
        None => format!("[{section}]"),
    }
}

impl Family {
    /// Whether a table lies within one of this family: `species.hare.separation` does.
    pub fn is_part(&self, table: &str) -> bool {
        let mut rest = table.split('.').skip(self.names + 1);
        rest.next().is_some_and(|part| self.parts.contains(&part)) && rest.next().is_none()
    }
}

/// Whether a user's name for a table is short and plain enough for `--set` and messages.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_stars_and_back() {
        for (path, starred) in [
            ("drive.north.weight", "drive.*.weight"),
            ("interaction.wolf.sheep.radius", "interaction.*.*.radius"),
            ("drive.north", "drive.*"),
            ("drive", "drive"),
            ("flock.boids", "flock.boids"),
        ] {
            assert_eq!(pattern(path), starred);
            assert_eq!(in_table(starred, path), path);
        }
        assert!(
            is_name("north-2_b")
                && !is_name("")
                && !is_name("a b")
                && !is_name("a.b")
                && !is_name("ä")
        );
    }
}
