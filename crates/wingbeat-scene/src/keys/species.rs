//! Keys of `[species.NAME]`, the tables within it, and `[interaction.WHO.WHOM]`.

use wingbeat::steer::knobs::limit;

use super::rules::{agent_keys, rule_keys};
use super::{Key, Kind, RULES, key, number, of_kinds};

/// What one species may be to another.
const KINDS: &[&str] = &["ignore", "flock", "flee", "pursue", "evade"];

/// Limits that every species has of its own.
const LIMITS: [&str; 4] = ["max_speed", "min_speed", "max_force", "mass"];

pub(super) fn species_keys() -> Vec<Key> {
    let most = i64::from(u32::MAX - limit::NEAREST * 2);
    let mut keys = vec![key(
        "species.*.count",
        Kind::Whole { min: 0, max: most },
        "boids",
        "required",
        "How many, the first ids being of the first species of the file. Where flock.boids or an initial state makes another total, it is shared out in this proportion.",
    )];
    let limits = agent_keys().into_iter().filter(|key| LIMITS.iter().any(|limit| key.name.ends_with(limit)));
    keys.extend(limits.map(within));
    for rule in RULES {
        // Nearest neighbours are for flocks of one kind.
        keys.extend(rule_keys(rule).into_iter().filter(|key| !key.name.ends_with(".nearest")).map(within));
    }
    keys.extend([
        number("species.*.stamina.capacity", 1e-9, 1e9, "1", "200", "Stamina of who is rested. Without this table chases and escapes cost nothing. Larger: longer chases and longer rests."),
        number("species.*.stamina.drain", 0.0, 1e9, "1/time", "2", "Spent while busy: while somebody to flee, pursue or evade is in range. At 0 the boid rests, and its interactions do nothing. Larger: shorter chases."),
        number("species.*.stamina.recover", 1e-9, 1e9, "1/time", "1", "Regained while resting, until it is full. Larger: shorter rests."),
    ]);
    keys
}

/// A key of the scene's own as one of a species.
fn within(key: Key) -> Key {
    Key { name: format!("species.*.{}", key.name), ..key }
}

pub(super) fn interaction_keys() -> Vec<Key> {
    let mut keys = vec![key(
        "interaction.*.*.kind",
        Kind::Choice(KINDS),
        "",
        "required",
        "What species WHO does about WHOM: the rules do not see it (usual between two species), count it as a neighbor (usual within one), or it flees, pursues or evades the nearest in range. At most four of the last three kinds a species.",
    )];
    let chase = vec![
        number(
            "interaction.*.*.radius",
            1e-9,
            1e12,
            "length",
            "1",
            "How far it sees them, all round. Larger: earlier escapes and chases, costlier steps.",
        ),
        number("interaction.*.*.weight", -1e9, 1e9, "1", "1", "Factor on the force. Larger: it wins over the rules."),
    ];
    keys.extend(of_kinds(&["flee", "pursue", "evade"], chase));
    let capture =
        "Who is this near to its prey captures it, and the prey is no more; 0: nobody is captured. Larger: easier hunts.";
    keys.extend(of_kinds(&["pursue"], vec![number("interaction.*.*.capture_radius", 0.0, 1e12, "length", "0", capture)]));
    keys
}
