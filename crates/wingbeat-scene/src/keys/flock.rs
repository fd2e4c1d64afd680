//! Keys of what a scene is about: how many boids, where they start, and the edges of their world.

use wingbeat::Boundary;
use wingbeat::steer::parameters::limit;

use super::{Key, KeyKind, key, length, parameter_key, point};

pub(super) fn flock_keys() -> Vec<Key> {
    let most = wingbeat::MAX_BOIDS as i64;
    vec![
        key(
            "flock.boids",
            KeyKind::Whole { min: 0, max: most },
            "boids",
            "required unless an initial state is given",
            "How many boids.",
        ),
        key(
            "flock.dimensions",
            KeyKind::Whole { min: 2, max: 3 },
            "",
            "3",
            "2 for the plane, 3 for space.",
        ),
        key(
            "flock.seed",
            KeyKind::Whole { min: 0, max: i64::MAX },
            "",
            "1",
            "Key of all randomness: the same seed gives the same bits on every machine.",
        ),
        parameter_key("flock.dt", "flock.dt"),
        key(
            "flock.steps",
            KeyKind::Whole { min: 0, max: i64::MAX },
            "steps",
            "500",
            "How many steps a run makes.",
        ),
        key(
            "flock.steer_every",
            KeyKind::Whole { min: 1, max: i64::from(limit::STEER_EVERY) },
            "steps",
            "1",
            "Every boid steers once in this many steps, in turns by id, and holds its force in \
                between (and whether it is busy, with species). Larger: cheaper steps and later \
                reactions, forces being (steer_every - 1)/2 steps old on average.",
        ),
    ]
}

pub(super) fn spawn_keys() -> Vec<Key> {
    let speed = |name, default, about| {
        key(
            name,
            KeyKind::Number { min: 0.0, max: f64::from(limit::MAGNITUDE), above_min: false },
            "length/time",
            default,
            about,
        )
    };
    vec![
        key(
            "spawn.shape",
            KeyKind::Choice(&["box", "ball", "ring", "circle", "lattice"]),
            "",
            "uniform in the domain's box",
            "Where boids start: uniform in a box or ball, or on a circle in the x-y plane (ring), \
                at equal distances on such a circle (circle), or on a lattice. Left out in an \
                `open` domain: a box of spacing^D per boid.",
        ),
        length(
            "spawn.spacing",
            "1",
            "Mean distance between boids. Sizes the shape, and a domain whose min and max are left \
                out, from the count, so that `--boids` keeps the density.",
        ),
        point(
            "spawn.min",
            "length",
            "sized",
            "Lowest corner of a box or lattice; needs spawn.max.",
        ),
        point(
            "spawn.max",
            "length",
            "sized",
            "Highest corner of a box or lattice; needs spawn.min.",
        ),
        point("spawn.center", "length", "the domain's middle", "Middle of the shape."),
        length("spawn.radius", "sized", "Radius of a ball, ring or circle."),
        speed("spawn.speed", "1", "Mean speed at the start."),
        speed("spawn.speed_spread", "0", "Speeds are uniform within speed ± this, never below 0."),
        point(
            "spawn.heading",
            "",
            "every direction alike",
            "Common heading at the start; any length but zero.",
        ),
        key(
            "spawn.spread",
            KeyKind::Number { min: 0.0, max: 180.0, above_min: false },
            "degrees",
            "0",
            "How far headings may lie from spawn.heading.",
        ),
        key(
            "spawn.goal",
            KeyKind::Choice(&["none", "opposite", "random"]),
            "",
            "\"none\"",
            "A goal of its own for everyone, to which drives of the kind goal lead: the place \
                opposite of its own, seen from spawn.goal_center, or another place of the same \
                shape. Who comes from a source has none.",
        ),
        point(
            "spawn.goal_center",
            "length",
            "the domain's middle, or zeros",
            "Opposite: the point halfway.",
        ),
    ]
}

pub(super) fn domain_keys() -> Vec<Key> {
    vec![
        key(
            "domain.kind",
            KeyKind::Choice(Boundary::NAMES),
            "",
            "\"open\"",
            "What lies beyond an edge: nothing in particular, the opposite face, a wall that \
                pushes, a mirror, or nothing from which any boid comes back. Left out with a \
                floor: reflecting.",
        ),
        point(
            "domain.min",
            "length",
            "the floor's, or sized by spawn.spacing, about 0",
            "Lowest corner; needs domain.max. Given, the spawn follows it.",
        ),
        point(
            "domain.max",
            "length",
            "the floor's, or sized by spawn.spacing, about 0",
            "Highest corner; needs domain.min.",
        ),
        parameter_key("domain.margin", "domain.margin"),
        parameter_key("domain.strength", "domain.strength"),
        point(
            "domain.origin",
            "length",
            "zeros",
            "Where the scene's own zero lies in the world, kept in f64: initial states and \
                `--final` files hold world coordinates, everything else is relative to it. Keeps \
                far worlds exact.",
        ),
    ]
}

pub(super) fn floor_keys() -> Vec<Key> {
    vec![
        key(
            "floor.file",
            KeyKind::Text,
            "",
            "none",
            "A .wkt file of what boids walk on: POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION of \
                these, 2-D only. In a scene file the path is relative to that file.",
        ),
        key("floor.wkt", KeyKind::Text, "", "none", "In place of a file: its text."),
    ]
}

pub(super) fn initial_keys() -> Vec<Key> {
    let factor = |name, about| {
        key(name, KeyKind::Number { min: 1e-9, max: 1e9, above_min: false }, "1", "1", about)
    };
    vec![
        key(
            "initial.file",
            KeyKind::Text,
            "",
            "none",
            "A .csv or .npy file of a state, or a recording (.wbr, .npz, .xyz, .txt of the \
                pedestrian archives), to start from; it sets the count. In a scene file the path \
                is relative to that file.",
        ),
        key(
            "initial.frame",
            KeyKind::Whole { min: i64::MIN, max: i64::MAX },
            "",
            "the first of a recording",
            "Which frame of a recording; a .csv or .npy with it is read as one.",
        ),
        factor(
            "initial.scale",
            "Lengths of the file are multiplied by this: 0.01 reads centimetres as metres.",
        ),
        factor(
            "initial.time_scale",
            "Times of the file are multiplied by this: velocities by scale / time_scale.",
        ),
        key(
            "initial.center",
            KeyKind::PointOrTrue,
            "length",
            "not moved",
            "Moves the middle of the file's bounding box to this point; true: to the domain's \
                middle.",
        ),
    ]
}
