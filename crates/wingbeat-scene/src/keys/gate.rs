//! Keys of `[exit.NAME]` and `[source.NAME]`.

use wingbeat::Source;
use wingbeat::steer::parameters::limit;

use super::obstacle::shape_keys;
use super::{FARTHEST, Key, KeyKind, key, number, point, point_within};

/// Kinds of exits.
const KINDS: &[&str] = &["sphere", "capsule", "box", "polygon"];

pub(super) fn exit_keys() -> Vec<Key> {
    let mut keys = vec![key(
        "exit.*.kind",
        KeyKind::Choice(KINDS),
        "",
        "required",
        "The shape of the region: a boid that ends a step inside has left the flock, through \
            this exit. Up to 64 exits; the first of the file that holds a boid counts it.",
    )];
    keys.extend(shape_keys("exit.*"));
    keys.extend([
        key(
            "exit.*.species",
            KeyKind::Text,
            "",
            "everyone",
            "Who may leave by it: a [species.NAME].",
        ),
        key(
            "exit.*.open",
            KeyKind::Flag,
            "",
            "true",
            "Whether boids may leave by it. No way leads to an exit that is closed.",
        ),
        number(
            "exit.*.opens",
            0.0,
            1e12,
            "time",
            "0",
            "When it opens. Ways are planned anew then. Larger: later.",
        ),
        number(
            "exit.*.closes",
            0.0,
            1e12,
            "time",
            "never",
            "When it closes, at or after opens. Ways are planned anew then. Larger: later.",
        ),
        number(
            "exit.*.every",
            0.0,
            1e12,
            "time",
            "0",
            "At most one leaves in so much time, as by a turnstile, the lowest id first; the \
                others inside wait, and a queue forms. Larger: a slower turnstile.",
        ),
    ]);
    keys
}

pub(super) fn source_keys() -> Vec<Key> {
    let usual = Source::<[f32; 2]>::default();
    vec![
        point_within(
            FARTHEST,
            "source.*.min",
            "length",
            "required",
            "Lowest corner of the box in which boids come.",
        ),
        point(
            "source.*.max",
            "length",
            "required",
            "Highest corner, at or above min on every axis.",
        ),
        key(
            "source.*.rate",
            KeyKind::Number { min: 0.0, max: 1e6, above_min: true },
            "boids/time",
            &usual.rate.to_string(),
            "How many are due in a unit of time, at equal intervals; a boid without room waits. \
                Larger: a denser stream.",
        ),
        key(
            "source.*.count",
            KeyKind::Whole { min: 0, max: i64::MAX },
            "boids",
            "no bound",
            "How many in all.",
        ),
        number("source.*.from", 0.0, 1e12, "time", "0", "When it begins. Larger: later."),
        number(
            "source.*.until",
            0.0,
            1e12,
            "time",
            "never",
            "When it ends, at or after from. Larger: later.",
        ),
        key(
            "source.*.species",
            KeyKind::Text,
            "",
            "the first",
            "Whose they are: a [species.NAME].",
        ),
        point_within(
            f64::from(limit::MAGNITUDE),
            "source.*.velocity",
            "length/time",
            "zeros",
            "How they come in.",
        ),
    ]
}
