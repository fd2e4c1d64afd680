//! A scene written as TOML.

use std::collections::BTreeMap;
use std::fmt::Write;

use wingbeat::steer::parameters::SettingValue;

use crate::Scene;
use crate::named::{FAMILIES, family};
use crate::value::KeyValue;

impl Scene {
    /// The scene as TOML, overrides included; parsed again, it is the same scene. Comments are
    /// lost, and of the order only that of named tables is kept. Paths are written as they were
    /// given.
    ///
    /// ```
    /// use wingbeat_scene::{Override, Scene};
    /// let scene = Scene::parse(
    ///     "a.toml",
    ///     "[flock]\nboids = 5\n[cohesion]\n",
    ///     &[Override::set("flock.seed=9")?],
    /// )?;
    /// assert_eq!(scene.to_toml(), "[cohesion]\n\n[flock]\nboids = 5\nseed = 9\n");
    /// # Ok::<(), wingbeat_scene::SceneError>(())
    /// ```
    pub fn to_toml(&self) -> String {
        let mut sections: BTreeMap<&str, Vec<(&str, &KeyValue)>> = BTreeMap::new();
        sections.extend(self.document.sections().map(|section| (section, Vec::new())));
        for (path, leaf) in self.document.leaves() {
            let (section, key) = path.rsplit_once('.').unwrap_or(("", path));
            sections.entry(section).or_default().push((key, leaf));
        }
        // The order of named tables is part of the scene: it is the order of sums.
        let named: Vec<&str> =
            FAMILIES.iter().flat_map(|family| self.document.tables(family.name)).collect();
        let plain = sections.keys().copied().filter(|section| family(section).is_none());
        let with_parts =
            |table| {
                let parts = FAMILIES
                    .iter()
                    .flat_map(|family| family.parts)
                    .map(move |part| format!("{table}.{part}"));
                std::iter::once(table).chain(parts.filter_map(|part| {
                    sections.get_key_value(part.as_str()).map(|(&path, _)| path)
                }))
            };
        let sections = plain
            .chain(named.into_iter().flat_map(with_parts))
            .map(|section| (section, sections.get(section).map_or(&[][..], Vec::as_slice)));
        let mut text = String::new();
        for (section, leaves) in sections {
            if !text.is_empty() {
                text.push('\n');
            }
            if !section.is_empty() {
                // Writing to a text cannot fail.
                let _ = writeln!(text, "[{section}]");
            }
            for (key, leaf) in leaves {
                let _ = writeln!(text, "{key} = {}", leaf.as_toml());
            }
        }
        text
    }
}

impl KeyValue {
    /// The value as TOML has it.
    pub fn as_toml(&self) -> String {
        match &self.value {
            Some(SettingValue::Text(text)) => quoted(text),
            Some(SettingValue::Whole(whole)) => whole.to_string(),
            // Texts in lists are names, which stand as they are.
            _ => self.shown.clone(),
        }
    }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
