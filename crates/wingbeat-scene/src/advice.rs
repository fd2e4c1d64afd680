//! What may have been meant by an unknown key, section or preset.

use strsim::jaro_winkler;

use crate::keys::{self, SECTIONS, keys};
use crate::named::{self, header};

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

/// What may have been meant by an unknown dotted key, in a table of a kind or of none.
pub(crate) fn advice(name: &str, kind: Option<&str>) -> String {
    let (table, slip) = name.rsplit_once('.').unwrap_or(("", name));
    if let Some(meant) = closest(slip, keys::in_table(table, kind)) {
        return format!("nearest known key is {table}.{meant}");
    }
    if let Some(family) = named::family(name) {
        return format!("allowed are tables {}", family.shown);
    }
    // A key without a section, or in a wrong one, can still end like the right one.
    let score = |known: &str| {
        let (known_section, known_last) = known.rsplit_once('.').unwrap_or(("", known));
        let end = jaro_winkler(slip, known_last);
        let both = 0.5 * jaro_winkler(table, known_section) + 0.5 * end;
        if both > 0.9 * end { both } else { 0.9 * end }
    };
    let best = keys()
        .iter()
        .map(|key| (score(&key.name), key.name.as_str()))
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    let meant = best.map_or("about", |(_, known)| known);
    if table.is_empty() {
        format!("nearest known key is {meant}")
    } else {
        format!("nearest known key is {meant}; known sections are {}", sections())
    }
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
            let advice = advice(slip, None);
            assert!(advice.contains(&format!("is {meant}")), "{slip}: {advice}");
        }
        assert!(section_advice("seperation").starts_with("nearest known section is separation"));
    }
}
