//! Every key of a scene file in one table: what it takes, its unit, default, range, and what it does.
//!
//! Reading, error messages, `docs/SCENES.md` and the tests all go by this table, so they cannot disagree. Numbers that the
//! engine knows take their range and wording from the engine's own [`KNOBS`](wingbeat::steer::knobs::KNOBS).

use std::sync::OnceLock;

use wingbeat::steer::knobs::{Knob, knob, limit};
use wingbeat::steer::model::models;

use crate::number::{as_written, plain};

/// What a key takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A number, whole or not.
    Number {
        /// Smallest accepted.
        min: f64,
        /// Largest accepted.
        max: f64,
        /// Whether `min` itself is refused.
        above_min: bool,
    },
    /// A whole number.
    Whole {
        /// Smallest accepted.
        min: i64,
        /// Largest accepted.
        max: i64,
    },
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// As many numbers as the scene has dimensions, each within ±1e30.
    Point,
    /// A point, or `true` for "the middle of the domain".
    PointOrTrue,
    /// A list of distinct terms out of these.
    Terms(&'static [&'static str]),
}

/// One key of a scene file.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Dotted name: `separation.radius`.
    pub name: String,
    /// What it takes.
    pub kind: Kind,
    /// Unit, in the scene's own length and time; empty where there is none.
    pub unit: &'static str,
    /// What holds when it is left out, as a TOML value or in words.
    pub default: String,
    /// What it is.
    pub about: String,
    /// The model that has it, by name; empty for keys that are no model's own.
    pub model: &'static str,
}

/// The sections of a scene file, in their usual order.
pub const SECTIONS: &[&str] =
    &["flock", "spawn", "domain", "initial", "agent", "separation", "alignment", "cohesion", "neighborhood", "model", "grid"];

/// The three rules, which share most keys.
pub(crate) const RULES: [&str; 3] = ["separation", "alignment", "cohesion"];

/// Neighbours of a topological scene that does not say how many: what Ballerini et al. 2008 found with starlings.
pub(crate) const USUAL_NEAREST: u32 = 7;

/// Terms that `agent.priority` may name.
pub(crate) const TERMS: &[&str] = &["separation", "alignment", "cohesion", "walls"];

/// All keys, in the order of a scene file.
pub fn keys() -> &'static [Key] {
    static KEYS: OnceLock<Vec<Key>> = OnceLock::new();
    KEYS.get_or_init(|| {
        let mut keys = vec![key("about", Kind::Text, "", "\"\"", "One line for `wingbeat presets`.")];
        keys.extend(flock_keys());
        keys.extend(spawn_keys());
        keys.extend(domain_keys());
        keys.extend(initial_keys());
        keys.extend(agent_keys());
        for rule in RULES {
            keys.extend(rule_keys(rule));
        }
        keys.extend(neighborhood_keys());
        keys.extend(model_keys());
        keys.push(knob_key("grid.expected_neighbors", "grid.expected_neighbors"));
        keys
    })
}

/// The key of this name, in a scene of this model.
pub(crate) fn find(name: &str, model: Option<&str>) -> Option<&'static Key> {
    keys().iter().find(|key| key.name == name && (key.model.is_empty() || Some(key.model) == model))
}

/// Names of all models.
pub(crate) fn model_names() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| models().map(|model| model.name()).collect())
}

fn key(name: &str, kind: Kind, unit: &'static str, default: &str, about: &str) -> Key {
    Key { name: name.to_string(), kind, unit, default: default.to_string(), about: about.to_string(), model: "" }
}

/// A key that is one of the engine's knobs.
fn knob_key(name: &str, knob_name: &str) -> Key {
    of_knob(name, knob(knob_name).expect("the engine's table has this knob"))
}

fn of_knob(name: &str, knob: &Knob) -> Key {
    let &Knob { about, unit, default, min, max, larger, .. } = knob;
    // The engine's table has no open ends; a time step of 0 is the one number that is refused at its own bound.
    let kind = Kind::Number { min: as_written(min), max: as_written(max), above_min: knob.key == "flock.dt" };
    let default = if default.is_nan() { "none".to_string() } else { plain(default) };
    key(name, kind, unit, &default, &format!("{about} Larger: {larger}."))
}

fn length(name: &str, default: &str, about: &str) -> Key {
    key(name, Kind::Number { min: 1e-9, max: 1e12, above_min: false }, "length", default, about)
}

fn point(name: &str, unit: &'static str, default: &str, about: &str) -> Key {
    key(name, Kind::Point, unit, default, about)
}

fn flock_keys() -> Vec<Key> {
    let most = wingbeat::MAX_BOIDS as i64;
    vec![
        key(
            "flock.boids",
            Kind::Whole { min: 0, max: most },
            "boids",
            "required unless an initial state is given",
            "How many boids.",
        ),
        key("flock.dimensions", Kind::Whole { min: 2, max: 3 }, "", "3", "2 for the plane, 3 for space."),
        key(
            "flock.seed",
            Kind::Whole { min: 0, max: i64::MAX },
            "",
            "1",
            "Key of all randomness: the same seed gives the same bits on every machine.",
        ),
        knob_key("flock.dt", "flock.dt"),
        key("flock.steps", Kind::Whole { min: 0, max: i64::MAX }, "steps", "500", "How many steps a run makes."),
        key(
            "flock.steer_every",
            Kind::Whole { min: 1, max: i64::from(limit::STEER_EVERY) },
            "steps",
            "1",
            "Every boid steers once in this many steps, in turns by id, and holds its force in between. Larger: cheaper steps and later reactions, forces being (steer_every - 1)/2 steps old on average.",
        ),
    ]
}

fn spawn_keys() -> Vec<Key> {
    let speed = |name, default, about| {
        key(name, Kind::Number { min: 0.0, max: f64::from(limit::MAGNITUDE), above_min: false }, "length/time", default, about)
    };
    vec![
        key(
            "spawn.shape",
            Kind::Choice(&["box", "ball", "ring", "lattice"]),
            "",
            "uniform in the domain's box",
            "Where boids start: uniform in a box or ball, on a circle in the x-y plane, or on a lattice. Left out in an `open` domain: a box of spacing^D per boid.",
        ),
        length(
            "spawn.spacing",
            "1",
            "Mean distance between boids. Sizes the shape, and a domain whose min and max are left out, from the count, so that `--boids` keeps the density.",
        ),
        point("spawn.min", "length", "sized", "Lowest corner of a box or lattice; needs spawn.max."),
        point("spawn.max", "length", "sized", "Highest corner of a box or lattice; needs spawn.min."),
        point("spawn.center", "length", "the domain's middle", "Middle of the shape."),
        length("spawn.radius", "sized", "Radius of a ball or ring."),
        speed("spawn.speed", "1", "Mean speed at the start."),
        speed("spawn.speed_spread", "0", "Speeds are uniform within speed ± this, never below 0."),
        point("spawn.heading", "", "every direction alike", "Common heading at the start; any length but zero."),
        key(
            "spawn.spread",
            Kind::Number { min: 0.0, max: 180.0, above_min: false },
            "degrees",
            "0",
            "How far headings may lie from spawn.heading.",
        ),
    ]
}

fn domain_keys() -> Vec<Key> {
    vec![
        key(
            "domain.kind",
            Kind::Choice(&["open", "periodic", "walled", "reflecting"]),
            "",
            "\"open\"",
            "What lies beyond an edge: nothing in particular, the opposite face, a wall that pushes, or a mirror.",
        ),
        point(
            "domain.min",
            "length",
            "sized by spawn.spacing, about 0",
            "Lowest corner; needs domain.max. Given, the spawn follows it.",
        ),
        point("domain.max", "length", "sized by spawn.spacing, about 0", "Highest corner; needs domain.min."),
        knob_key("domain.margin", "domain.margin"),
        knob_key("domain.strength", "domain.strength"),
        point(
            "domain.origin",
            "length",
            "zeros",
            "Where the scene's own zero lies in the world, kept in f64: initial states and `--final` files hold world coordinates, everything else is relative to it. Keeps far worlds exact.",
        ),
    ]
}

fn initial_keys() -> Vec<Key> {
    let factor = |name, about| key(name, Kind::Number { min: 1e-9, max: 1e9, above_min: false }, "1", "1", about);
    vec![
        key(
            "initial.file",
            Kind::Text,
            "",
            "none",
            "A .csv or .npy file to start from; it sets the count. In a scene file the path is relative to that file.",
        ),
        factor("initial.scale", "Lengths of the file are multiplied by this: 0.01 reads centimetres as metres."),
        factor("initial.time_scale", "Times of the file are multiplied by this: velocities by scale / time_scale."),
        key(
            "initial.center",
            Kind::PointOrTrue,
            "length",
            "not moved",
            "Moves the middle of the file's bounding box to this point; true: to the domain's middle.",
        ),
    ]
}

fn agent_keys() -> Vec<Key> {
    vec![
        knob_key("agent.max_speed", "agent.max_speed"),
        knob_key("agent.min_speed", "agent.min_speed"),
        knob_key("agent.max_force", "agent.max_force"),
        knob_key("agent.mass", "agent.mass"),
        key(
            "agent.combine",
            Kind::Choice(&["weighted", "prioritized", "direction"]),
            "",
            "\"weighted\"",
            "How the terms become one force: their sum; each in turn until max_force is used up; or only the direction of their sum, at cruise_speed.",
        ),
        key(
            "agent.priority",
            Kind::Terms(TERMS),
            "",
            "[]",
            "Terms to take first, in this order; the rest follow as usual: separation, alignment, cohesion, walls.",
        ),
        knob_key("agent.cruise_speed", "agent.cruise_speed"),
        knob_key("agent.smoothing_rate", "agent.smoothing_rate"),
        key(
            "agent.stop_when_alone",
            Kind::Flag,
            "",
            "false",
            "Under `direction`: whether a boid whose terms sum to zero stops; otherwise it keeps its velocity.",
        ),
    ]
}

/// A number of nearest neighbours.
fn nearest_key(name: &str, default: &str, about: &str) -> Key {
    let about = format!("{about} Larger: smoother motion and a costlier step, nearer to a metric neighborhood.");
    key(name, Kind::Whole { min: 1, max: i64::from(limit::NEAREST) }, "boids", default, &about)
}

fn neighborhood_keys() -> Vec<Key> {
    vec![
        key(
            "neighborhood.kind",
            Kind::Choice(&["metric", "topological"]),
            "",
            "\"metric\"",
            "Whom a rule looks at of those in range and sight: all of them, or the k nearest, equal distances ordered by id.",
        ),
        nearest_key("neighborhood.k", &USUAL_NEAREST.to_string(), "Topological: no rule looks at more than this many."),
    ]
}

/// The name, and every model's own.
fn model_keys() -> Vec<Key> {
    let mut keys = vec![key(
        "model.name",
        Kind::Choice(model_names()),
        "",
        "required",
        "A whole model from the literature in place of rules and limits: [separation], [alignment], [cohesion], [agent] and [neighborhood] are left out with it. What is left out of flock.dt, flock.dimensions, domain.kind and spawn.speed is as usual for the model.",
    )];
    for model in models() {
        let own = |knob: &Knob| Key { model: model.name(), ..of_knob(&format!("model.{}", knob.key), knob) };
        keys.extend(model.knobs().iter().map(own));
    }
    keys
}

fn rule_keys(rule: &str) -> Vec<Key> {
    let named = |key: &str| format!("{rule}.{key}");
    let knobs = ["weight", "radius", "field_of_view", "cos_half_view", "near_radius"];
    let mut keys: Vec<Key> = knobs.iter().map(|key| knob_key(&named(key), &format!("rule.{key}"))).collect();
    let nearest = "Of those in range and sight only this many count, the nearest.";
    keys.push(nearest_key(&named("nearest"), "all of them", nearest));
    // Left out, sight is all round; as a cosine, −1 is a cone that happens to hold everyone.
    keys[3].default = "field_of_view decides".into();
    if rule == "separation" {
        keys.push(key(
            &named("falloff"),
            Kind::Choice(&["linear", "inverse", "inverse_square"]),
            "",
            "\"linear\"",
            "How the push fades with distance d: 1 − d/radius, 1/d (unit vectors), 1/d².",
        ));
    }
    if rule == "alignment" {
        keys.push(key(&named("of"), Kind::Choice(&["velocity", "heading"]), "", "\"velocity\"", "What is averaged."));
        keys.push(key(&named("relative"), Kind::Flag, "", "true", "Whether the own value is subtracted from the mean."));
        keys.push(key(&named("include_self"), Kind::Flag, "", "false", "Whether the own value is part of the mean."));
    }
    let responses: &[&str] = if rule == "separation" { &["raw", "unit", "steer", "flee"] } else { &["raw", "unit", "steer"] };
    keys.push(key(
        &named("response"),
        Kind::Choice(responses),
        "",
        "\"raw\"",
        "What is made of the sum: itself; its direction; direction·max_speed − v (on alignment with relative = false); separation only: flee, v − direction·max_speed per neighbour.",
    ));
    keys
}
