//! Keys of `[species.NAME]`, the tables within it, and `[interaction.SPECIES.OTHER]`.

use wingbeat::steer::parameters::limit;
use wingbeat::{Interaction, RuleId, SpeciesBody, Stamina};

use super::flock::spawn_keys;
use super::rules::{limit_keys, rule_keys};
use super::{Key, KeyKind, key, keys_of, of_kinds};
use crate::named;

/// What one species may be to another.
const KINDS: &[&str] = &["ignore", "flock", "flee", "pursue", "evade"];

pub(super) fn species_keys() -> Vec<Key> {
    let most = i64::from(u32::MAX - limit::NEAREST * 2);
    let mut keys = vec![key(
        "species.*.count",
        KeyKind::Whole { min: 0, max: most },
        "boids",
        "required",
        "How many, the first ids being of the first species of the file. Where flock.boids or an \
            initial state makes another total, it is shared out in this proportion; an initial \
            state that names species tells whose they are.",
    )];
    let inherits = |key: Key, from: &str| Key {
        about: format!("{} Left out: as [{from}] has it.", key.about),
        ..key
    };
    keys.extend(limit_keys("species.*.agent").into_iter().map(|key| inherits(key, "agent")));
    let spawn = spawn_keys().into_iter().map(within);
    keys.extend(spawn.map(|key| {
        if named::inherited(&key.name).is_some() { inherits(key, "spawn") } else { key }
    }));
    keys.extend(RuleId::ALL.iter().flat_map(|&rule| rule_keys(rule)).map(within));
    keys.extend(keys_of::<Stamina>("species.*.stamina"));
    keys.extend(keys_of::<SpeciesBody>("species.*.body"));
    keys
}

/// A key of the scene's own as one of a species.
fn within(key: Key) -> Key {
    Key { name: format!("species.*.{}", key.name), ..key }
}

pub(super) fn interaction_keys() -> Vec<Key> {
    let mut keys = vec![key(
        "interaction.*.*.kind",
        KeyKind::Choice(KINDS),
        "",
        "required",
        "What boids of SPECIES do about boids of OTHER: the rules do not see it (usual between two \
            species), count it as a neighbor (usual within one), or it flees, pursues or evades \
            the nearest in range. At most four of the last three kinds a species.",
    )];
    // Only boids that pursue capture others.
    let (capture, chase): (Vec<Key>, Vec<Key>) = keys_of::<Interaction>("interaction.*.*")
        .into_iter()
        .partition(|key| key.name.ends_with(".capture_radius"));
    keys.extend(of_kinds(&["flee", "pursue", "evade"], chase));
    keys.extend(of_kinds(&["pursue"], capture));
    keys
}
