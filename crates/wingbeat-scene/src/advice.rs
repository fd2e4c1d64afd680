//! What may have been meant by an unknown key, section or preset.

use strsim::jaro_winkler;

use crate::keys::{self, Key, SECTIONS, keys};
use crate::named::{Family, header, pattern};

/// The known name most like `name`.
pub(crate) fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut best = (0.0, None);
    for candidate in known {
        let score = jaro_winkler(name, candidate);
        if score > best.0 || best.1.is_none() {
            best = (score, Some(candidate));
        }
    }
    best.1
}

/// What may have been meant by an unknown dotted key.
pub(crate) fn advice(name: &str) -> String {
    let (section, last) = name.rsplit_once('.').unwrap_or(("", name));
    let known_section = SECTIONS.contains(&section);
    let within = || {
        keys()
            .iter()
            .map(|key| key.name.as_str())
            .filter(|known| known.starts_with(&format!("{section}.")))
    };
    let score = |known: &str| {
        let (known_section, known_last) = known.rsplit_once('.').unwrap_or(("", known));
        // A key without a section, or in a wrong one, can still end like the right one.
        let end = jaro_winkler(last, known_last);
        let both = 0.5 * jaro_winkler(section, known_section) + 0.5 * end;
        if both > 0.9 * end { both } else { 0.9 * end }
    };
    let all = || keys().iter().map(|key| key.name.as_str());
    let best_of = |names: &mut dyn Iterator<Item = &'static str>| {
        names
            .map(|known| (score(known), known))
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
    };
    let best = if known_section { best_of(&mut within()) } else { best_of(&mut all()) };
    let meant = best.map_or("about", |(_, known)| known);
    if known_section || section.is_empty() {
        format!("nearest known key is {meant}")
    } else {
        format!("nearest known key is {meant}; known sections are {}", sections())
    }
}

/// What may have been meant by an unknown key in a named table.
pub(crate) fn advice_in_table(name: &str, table: &str, family: &Family, kind: &str) -> String {
    let within = |key: &&Key| {
        key.name.rsplit_once('.').is_some_and(|(section, _)| section == pattern(table))
    };
    let known = keys::of_kind(family, kind).filter(within).map(|key| keys::last(&key.name));
    match closest(keys::last(name), known) {
        Some(meant) if name.starts_with(table) && !table.is_empty() => {
            format!("nearest known key is {table}.{meant}")
        }
        _ => format!("allowed are tables {}", family.shown),
    }
}

/// What may have been meant by an unknown key of a model.
pub(crate) fn advice_among(name: &str, keys: &[&str]) -> String {
    let (section, last) = name.rsplit_once('.').unwrap_or(("model", name));
    let first = if section == "model" { "name" } else { "kind" };
    let known = std::iter::once(first).chain(keys.iter().copied());
    format!("nearest known key is {section}.{}", closest(last, known).unwrap_or(first))
}

/// All sections as documentation writes them: `drive.NAME` for named tables.
fn sections() -> String {
    SECTIONS
        .iter()
        .map(|section| header(section).trim_matches(['[', ']']).to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

/// What may have been meant by an unknown section.
pub(crate) fn section_advice(name: &str) -> String {
    let meant = header(closest(name, SECTIONS.iter().copied()).unwrap_or("flock"));
    format!(
        "nearest known section is {}; known sections are {}",
        meant.trim_matches(['[', ']']),
        sections()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised() {
        for (slip, meant) in [
            ("separation.raduis", "separation.radius"),
            ("boids", "flock.boids"),
            ("flock.boid", "flock.boids"),
            ("seperation.weight", "separation.weight"),
            ("agent.maxspeed", "agent.max_speed"),
            ("alignment.fov", "alignment.field_of_view"),
            ("cohesion.field_of_veiw", "cohesion.field_of_view"),
        ] {
            assert!(advice(slip).contains(&format!("is {meant}")), "{slip}: {}", advice(slip));
        }
        assert!(section_advice("seperation").starts_with("nearest known section is separation"));
    }
}
