//! Keys of `[ramp.NAME]`.

use super::{FARTHEST, Key, KeyKind, key, number};

pub(super) fn ramp_keys() -> Vec<Key> {
    let end = |name: &str, about: &str| {
        number(name, -FARTHEST, FARTHEST, "of the key", "required", about)
    };
    vec![
        key(
            "ramp.*.key",
            KeyKind::Text,
            "",
            "required",
            "Which number changes as the flock flies: the dotted name of a key that takes any \
             number between two and can change in a live view, \
             but flock.dt. What else says its value has no say.",
        ),
        end("ramp.*.from", "Its value until start, within the key's own range."),
        end("ramp.*.to", "Its value from start + over on, within the key's own range."),
        key(
            "ramp.*.over",
            KeyKind::Number { min: 0.0, max: 1e12, above_min: true },
            "time",
            "required",
            "How long it takes from the one to the other, evenly. Larger: a slower change.",
        ),
        number(
            "ramp.*.start",
            0.0,
            1e12,
            "time",
            "0",
            "When it begins, in time of the flock. Larger: later.",
        ),
    ]
}
