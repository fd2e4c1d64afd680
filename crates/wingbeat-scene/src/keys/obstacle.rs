//! Keys of `[avoidance]` and `[obstacle.NAME]`.

use wingbeat::Avoidance;
use wingbeat::steer::parameters::limit;

use super::{Key, KeyKind, key, keys_of, length, number, of_kinds, point_within};

/// The largest coordinate of an obstacle, as decimal.
const LARGEST: f64 = 1e12;

/// Kinds of obstacles.
const KINDS: &[&str] = &["sphere", "capsule", "box", "wall", "polygon", "scatter"];

/// All of which there is one.
const SINGLE: &[&str] = &["sphere", "capsule", "box", "wall", "polygon"];

pub(super) fn obstacle_keys() -> Vec<Key> {
    let mut keys = keys_of::<Avoidance>("avoidance");
    keys.push(key(
        "obstacle.*.kind",
        KeyKind::Choice(KINDS),
        "",
        "required",
        "The shape: a ball or disc; all within a radius of a segment; a box; a segment without \
                thickness (2-D); a simple polygon (2-D); or many balls at random places. No boid \
                ends a step inside.",
    ));
    keys.extend(shape_keys("obstacle.*"));
    let ends = ends("obstacle.*");
    keys.extend(of_kinds(&["wall"], ends.into()));
    keys.extend(of_kinds(&["scatter"], scatter_keys()));
    keys.extend(of_kinds(SINGLE, motion_keys()));
    keys
}

/// The keys of shapes that have an inside.
pub(super) fn shape_keys(section: &str) -> Vec<Key> {
    let key_of =
        |key: &str, about: &str| place(&format!("{section}.{key}"), "length", "required", about);
    let thick = |about| length(&format!("{section}.radius"), "required", about);
    let points = KeyKind::Points { least: 3, most: LARGEST };
    let corners = "Corners in order, either way round; the last is joined to the first. Edges meet \
        only at corners.";
    let turned = "Degrees anticlockwise about its middle; 2-D only.";
    let mut keys = Vec::new();
    keys.extend(of_kinds(&["sphere"], vec![key_of("center", "Its middle."), thick("Its radius.")]));
    keys.extend(of_kinds(
        &["capsule"],
        ends(section).into_iter().chain([thick("Half its thickness.")]).collect(),
    ));
    keys.extend(of_kinds(
        &["box"],
        vec![
            key_of("min", "Lowest corner."),
            key_of("max", "Highest corner, above min on every axis."),
            number(&format!("{section}.angle"), -360.0, 360.0, "degrees", "0", turned),
        ],
    ));
    keys.extend(of_kinds(
        &["polygon"],
        vec![key(&format!("{section}.points"), points, "length", "required", corners)],
    ));
    keys
}

fn ends(section: &str) -> [Key; 2] {
    [("from", "One end of the segment."), ("to", "The other end.")]
        .map(|(key, about)| place(&format!("{section}.{key}"), "length", "required", about))
}

fn scatter_keys() -> Vec<Key> {
    vec![
        key(
            "obstacle.*.count",
            KeyKind::Whole { min: 1, max: 1_000_000 },
            "",
            "by spacing",
            "How many: NAME-0, NAME-1, …",
        ),
        length(
            "obstacle.*.spacing",
            "none",
            "In place of a count: their mean distance, so that as many fit the box as have room. \
                Larger: fewer.",
        ),
        key(
            "obstacle.*.seed",
            KeyKind::Whole { min: 0, max: i64::MAX },
            "",
            "flock.seed",
            "Key of their places, sizes and ways.",
        ),
        length("obstacle.*.radius", "required", "Their radius, or the smallest of a range."),
        length(
            "obstacle.*.radius_max",
            "radius",
            "Largest radius; sizes are uniform between the two.",
        ),
        place(
            "obstacle.*.min",
            "length",
            "the domain's",
            "Lowest corner of the box their middles are in; needed in an open domain.",
        ),
        place(
            "obstacle.*.max",
            "length",
            "the domain's",
            "Highest corner of that box; needed in an open domain.",
        ),
        number(
            "obstacle.*.speed",
            0.0,
            1e9,
            "length/time",
            "0",
            "How fast they move, each in a direction of its own. Larger: harder to give way to.",
        ),
        number(
            "obstacle.*.speed_max",
            0.0,
            1e9,
            "length/time",
            "speed",
            "Largest speed; speeds are uniform between the two.",
        ),
        ends_key("wrap in a periodic domain whose box it is, else turn_back"),
    ]
}

fn motion_keys() -> Vec<Key> {
    vec![
        key(
            "obstacle.*.motion",
            KeyKind::Choice(&["static", "line", "circle", "waypoints", "host"]),
            "",
            "\"static\"",
            "Whether it stands still, moves in a line, round a circle, along a closed line of \
                points, or as the host says by `Flock::set_obstacle_pose`.",
        ),
        point_within(
            f64::from(limit::MAGNITUDE),
            "obstacle.*.velocity",
            "length/time",
            "required for line",
            "Line: its velocity.",
        ),
        place(
            "obstacle.*.range_min",
            "length",
            "no range",
            "Line: lowest corner of the box its middle stays in; needs range_max.",
        ),
        place(
            "obstacle.*.range_max",
            "length",
            "no range",
            "Line: highest corner of that box; needs range_min.",
        ),
        ends_key("turn_back"),
        place(
            "obstacle.*.orbit",
            "length",
            "required for circle",
            "Circle: what its middle goes round, in the x-y plane.",
        ),
        number(
            "obstacle.*.period",
            -1e9,
            1e9,
            "time",
            "required for circle",
            "Circle: time of a turn, anticlockwise; negative: clockwise. At least 0.001 in size. \
                Larger: slower.",
        ),
        key(
            "obstacle.*.waypoints",
            KeyKind::Points { least: 2, most: LARGEST },
            "length",
            "required for waypoints",
            "Waypoints: the points; it is shifted by as much as a walker from the first.",
        ),
        number(
            "obstacle.*.speed",
            0.0,
            1e9,
            "length/time",
            "required for waypoints",
            "Waypoints: speed along the line. Larger: faster.",
        ),
    ]
}

fn ends_key(default: &str) -> Key {
    let about = "What happens at the ends of the range: it goes back as it came, or starts again \
        at the other end.";
    key("obstacle.*.ends", KeyKind::Choice(&["turn_back", "wrap"]), "", default, about)
}

fn place(name: &str, unit: &'static str, default: &str, about: &str) -> Key {
    point_within(LARGEST, name, unit, default, about)
}
