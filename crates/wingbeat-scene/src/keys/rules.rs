//! Keys of agents, rules and models.

use std::sync::OnceLock;
use wingbeat::steer::parameters::{ParameterInfo, SettingInfo, SettingKind, SettingValue, limit};

use wingbeat::SolidBody;
use wingbeat::steer::anticipation::{GettingThrough, anticipations};
use wingbeat::steer::model::models;
use wingbeat::{AgentLimits, Cruise, Population, RuleId};

use super::{
    Key, KeyKind, TERMS, USUAL_NEAREST, key, keys_of, model_names, of_parameter, parameter_key,
};

/// What agents may do.
pub(super) fn limit_keys(section: &str) -> Vec<Key> {
    let mut keys = keys_of::<AgentLimits>(section);
    keys.push(key(
        &format!("{section}.population"),
        KeyKind::Choice(population_names()),
        "",
        "\"none\"",
        "Persons of a standard, in metres and seconds: each has a max_speed of its own, drawn by \
            its id, and max_speed counts for responses of rules alone. imo: passengers of a ship \
            (MSC.1/Circ.1533), 0.37 to 1.85; rimea: visitors of a building by their ages, 0.4 to \
            2.5. Left out with max_speed_spread.",
    ));
    keys
}

/// Names of all populations.
fn population_names() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| Population::NAMED.iter().map(|(name, _)| *name).collect())
}

pub(super) fn agent_keys() -> Vec<Key> {
    let mut keys = limit_keys("agent");
    keys.extend([
        key(
            "agent.combine",
            KeyKind::Choice(&["weighted", "prioritized", "direction"]),
            "",
            "\"weighted\"",
            "How the terms become one force: their sum; each in turn until max_force is used up; \
                or only the direction of their sum, at cruise_speed.",
        ),
        key(
            "agent.priority",
            KeyKind::Terms(TERMS),
            "",
            "[]",
            "Terms to take first, in this order; the rest follow as usual: rules in the order of \
                this page, drives in the order of the file, obstacles, walls.",
        ),
    ]);
    keys.extend(keys_of::<Cruise>("agent"));
    keys.push(key(
        "agent.stop_when_alone",
        KeyKind::Flag,
        "",
        "false",
        "Under `direction`: whether a boid whose terms sum to zero stops; otherwise it keeps its \
            velocity.",
    ));
    keys
}

/// A number of nearest neighbors.
fn nearest_key(name: &str, default: &str, about: &str) -> Key {
    let about = format!(
        "{about} Larger: smoother motion and a costlier step, nearer to a metric neighborhood."
    );
    key(name, KeyKind::Whole { min: 1, max: i64::from(limit::NEAREST) }, "boids", default, &about)
}

pub(super) fn neighborhood_keys() -> Vec<Key> {
    vec![
        key(
            "neighborhood.kind",
            KeyKind::Choice(&["metric", "topological"]),
            "",
            "\"metric\"",
            "Which boids a rule (of any species) or the model looks at of those in range and sight \
                that count as neighbors: all of them, or the k nearest, equal distances ordered by \
                id.",
        ),
        nearest_key(
            "neighborhood.k",
            &USUAL_NEAREST.to_string(),
            "Topological: neither a rule nor the model looks at more than this many.",
        ),
    ]
}

/// The name, and every model's own.
pub(super) fn model_keys() -> Vec<Key> {
    let mut keys = vec![key(
        "model.name",
        KeyKind::Choice(model_names()),
        "",
        "required",
        "A whole model from the literature in place of rules and limits: [agent] and the \
            sections of rules are left out with it, of the scene and of its species. Drives, \
            interactions, obstacles and walls that push are joined to what it says, in its own \
            unit. What is left out of flock.dt, flock.dimensions, domain.kind and \
            spawn.speed is as usual for the model.",
    )];
    keys.push(key(
        "model.update",
        KeyKind::Choice(&["at_once", "sequential"]),
        "",
        "\"at_once\"",
        "Who moves when. at_once: everyone looks at the same state, and then everyone moves. \
            sequential: one boid after the other, in an order drawn anew for each step, as \
            netlogo, mesa, agents_jl and mason do in their own tools; these only, up to 5000 boids \
            with nothing beside the model, on one thread (docs/LITERATURE.md).",
    ));
    for model in models() {
        let own = |parameter: &ParameterInfo| Key {
            model: model.name(),
            ..of_parameter(&format!("model.{}", parameter.key), parameter)
        };
        keys.extend(model.parameters().iter().map(own));
    }
    keys
}

/// What bodies have.
pub(super) fn body_keys() -> Vec<Key> {
    let mut keys = keys_of::<SolidBody>("body");
    keys.push(key(
        "body.settle",
        KeyKind::Flag,
        "",
        "false",
        "Whether bodies that overlap at the start are moved apart before the first step; otherwise \
            such a start is refused.",
    ));
    keys
}

/// The kind, every kind's own, and what all have.
pub(super) fn anticipation_keys() -> Vec<Key> {
    let mut keys = vec![key(
        "anticipation.kind",
        KeyKind::Choice(anticipation_names()),
        "",
        "required",
        "How bodies avoid each other before they meet, after steering; needs [body]. orca and \
            collision_free_speed choose a velocity, social_force and power_law add a force.",
    )];
    for model in anticipations() {
        let own = |parameter: &ParameterInfo| Key {
            model: model.name(),
            ..of_parameter(&format!("anticipation.{}", parameter.name()), parameter)
        };
        keys.extend(model.parameters().iter().map(own));
    }
    keys.extend(keys_of::<GettingThrough>("anticipation"));
    keys
}

/// Names of all models of anticipation.
pub(crate) fn anticipation_names() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| anticipations().map(|model| model.name()).collect())
}

pub(super) fn rule_keys(rule: RuleId) -> Vec<Key> {
    let named = |key: &str| format!("{}.{key}", rule.name());
    let parameters = ["weight", "radius", "field_of_view", "cos_half_view", "near_radius"];
    let mut keys: Vec<Key> =
        parameters.iter().map(|key| parameter_key(&named(key), &format!("rule.{key}"))).collect();
    let nearest = "Of those in range and sight only this many count, the nearest.";
    keys.push(nearest_key(&named("nearest"), "all of them", nearest));
    // Left out, sight is all round; as a cosine, −1 is a cone that happens to hold everyone.
    keys[3].default = "field_of_view decides".into();
    let own = rule.parameters().iter().filter(|own| own.name() != "weight");
    keys.extend(own.map(|own| of_parameter(&named(own.name()), own)));
    keys.extend(rule.settings().iter().map(|setting| setting_key(&named(setting.key), setting)));
    keys
}

/// A setting that is no number.
fn setting_key(name: &str, setting: &SettingInfo) -> Key {
    let kind = match setting.kind {
        SettingKind::Choice(words) => KeyKind::Choice(words),
        _ => KeyKind::Flag,
    };
    let default = match (setting.default)() {
        SettingValue::Word(word) => format!("\"{word}\""),
        SettingValue::Flag(flag) => flag.to_string(),
        _ => String::new(),
    };
    key(name, kind, "", &default, setting.about)
}
