//! Keys of agents, rules, models, bodies and species.

use wingbeat::steer::anticipation::{GettingThrough, anticipations};
use wingbeat::steer::model::models;
use wingbeat::steer::parameters::{
    COS_HALF_VIEW, FIELD_OF_VIEW, ParameterInfo, SettingKind, limit, parameter,
};
use wingbeat::steer::{Anticipation, settings, words};
use wingbeat::{
    AgentLimits, Perception,
    steer::{Combine, Cruise, Interaction, Model, RuleId, SolidBody, SpeciesBody, Stamina},
};

use super::key::{Key, insert_after};
use super::sections::{AnyPoint, SpawnKeys};
use crate::named::{self, with_rules};

/// Terms that `agent.priority` may name, beside drives.
const TERMS: &[&str] =
    &with_rules::<{ 3 + RuleId::ALL.len() }>(&[], &["interactions", "obstacles", "walls"]);

settings! {
    /// How the terms of `[agent]` become one force.
    pub(crate) struct CombineKeys in "agent." {}
    settings {
        combine: Option<String> = None, shown "\"weighted\"",
            takes SettingKind::Choice(Combine::NAMES), "How the terms become one force: their \
            sum; each in turn until max_force is used up; or only the direction of their sum, at \
            cruise_speed.";
        priority: Vec<String> = Vec::new(), takes SettingKind::Terms(TERMS), "Terms to take \
            first, in this order; the rest follow as usual: rules in the order of this page, \
            drives in the order of the file, obstacles, walls.";
    }
}

words! {
    /// Which boids in range and sight count.
    pub(crate) enum NeighborhoodKind {
        #[default]
        Metric = "metric",
        Topological = "topological",
    }
}

settings! {
    /// `[neighborhood]`.
    pub(crate) struct NeighborhoodKeys in "neighborhood." {}
    settings {
        kind: NeighborhoodKind = NeighborhoodKind::Metric, "Which boids a rule (of any species) or \
            the model looks at of those in range and sight that count as neighbors: all of them, \
            or the k nearest, equal distances ordered by id.";
        // What Ballerini et al. 2008 found with starlings.
        k: u32 = 7, in "boids" from 1.0 => limit::NEAREST as f64, "Topological: neither a rule nor \
            the model looks at more than this many. Larger: smoother motion and a costlier step, \
            nearer to a metric neighborhood.";
    }
}

words! {
    /// Who moves when.
    pub(crate) enum Update {
        #[default]
        AtOnce = "at_once",
        Sequential = "sequential",
    }
}

settings! {
    /// `[model]`, but for what each model has of its own.
    struct ModelKeys in "model." {}
    settings {
        name: Option<String> = None, shown "required", takes SettingKind::Choice(Model::NAMES), "A \
            whole model from the literature in place of rules and limits: [agent] and the sections \
            of rules are left out with it, of the scene and of its species. Drives, interactions, \
            obstacles and walls that push are joined to what it says, in its own unit. What is \
            left out of flock.dt, flock.dimensions, domain.kind and spawn.speed is as usual for \
            the model.";
        update: Update = Update::AtOnce, "Who moves when. at_once: everyone looks at the same \
            state, and then everyone moves. sequential: one boid after the other, in an order \
            drawn anew for each step, as netlogo, mesa, agents_jl and mason do in their own tools; \
            these only, up to 5000 boids with nothing beside the model, on one thread \
            (docs/LITERATURE.md).";
    }
}

settings! {
    /// `[anticipation]`, but for what each kind has of its own.
    struct AnticipationKeys in "anticipation." {}
    settings {
        kind: Option<String> = None, shown "required",
            takes SettingKind::Choice(Anticipation::NAMES), "How bodies avoid each other before \
            they meet, after steering; needs [body]. orca and collision_free_speed choose a \
            velocity, social_force and power_law add a force.";
    }
}

settings! {
    /// `[species.NAME]`, but for the tables within it.
    struct SpeciesKeys in "species." {}
    settings {
        count: Option<u32> = None, shown "required",
            in "boids" from 0.0 => (u32::MAX - limit::NEAREST * 2) as f64, "How many, the first \
            ids being of the first species of the file. Where flock.boids or an initial state \
            makes another total, it is shared out in this proportion; an initial state that names \
            species tells whose they are.";
    }
}

/// Keys of agents, rules, models, neighborhoods and bodies.
pub(super) fn keys() -> Vec<Key> {
    let own = |section: &str, name: &'static &'static str, parameters: &[ParameterInfo]| {
        let key = |parameter| Key::number(section, parameter).of_kind(name);
        parameters.iter().map(key).collect::<Vec<_>>()
    };
    let mut keys = Key::all::<AgentLimits>("agent");
    keys.extend(Key::all::<CombineKeys>("agent"));
    keys.extend(Key::all::<Cruise>("agent"));
    keys.extend(RuleId::ALL.iter().flat_map(|rule| rule_keys(*rule, "")));
    keys.extend(Key::all::<NeighborhoodKeys>("neighborhood"));
    keys.extend(Key::all::<ModelKeys>("model"));
    let models = Model::NAMES.iter().zip(models());
    keys.extend(models.flat_map(|(name, model)| own("model", name, model.parameters())));
    keys.extend(Key::all::<SolidBody>("body"));
    keys.extend(Key::all::<AnticipationKeys>("anticipation"));
    let kinds = Anticipation::NAMES.iter().zip(anticipations());
    keys.extend(kinds.flat_map(|(name, kind)| own("anticipation", name, kind.parameters())));
    keys.extend(Key::all::<GettingThrough>("anticipation"));
    keys.extend(parameter("grid.expected_neighbors").map(|grid| Key::number("grid", grid)));
    keys
}

/// Keys of a rule: those of the neighbors it sees between its weight and its own.
fn rule_keys(rule: RuleId, within: &str) -> Vec<Key> {
    let section = format!("{within}{}", rule.name());
    let number = |parameter| Key::number(&section, parameter);
    let is_weight = |parameter: &&ParameterInfo| parameter.name() == "weight";
    let (weight, own): (Vec<_>, Vec<_>) = rule.parameters().iter().partition(is_weight);
    let mut keys: Vec<Key> = weight.into_iter().map(number).collect();
    keys.extend(Key::all::<Perception>(&section));
    let radius = format!("{section}.radius");
    // Left out, sight is all round; as a cosine, −1 is a cone that happens to hold everyone.
    let cosine = Key { default: "field_of_view decides".into(), ..number(&COS_HALF_VIEW) };
    insert_after(&mut keys, &radius, cosine);
    insert_after(&mut keys, &radius, number(&FIELD_OF_VIEW));
    keys.extend(own.into_iter().map(number));
    keys.extend(rule.settings().iter().map(|setting| Key::setting(&section, setting)));
    keys
}

/// Keys of species, the tables within them, and what they are to each other.
pub(super) fn species_keys() -> Vec<Key> {
    let mut keys = Key::all::<SpeciesKeys>("species.*");
    let mut parts = Key::all::<AgentLimits>("species.*.agent");
    parts.extend(Key::all::<SpawnKeys<AnyPoint>>("species.*.spawn"));
    keys.extend(parts.into_iter().map(|key| match named::inherited(&key.name) {
        Some(common) => {
            let section = common.split('.').next().unwrap_or(common);
            let about = format!("{} Left out: as [{section}] has it.", key.about);
            Key { about, ..key }
        }
        None => key,
    }));
    keys.extend(RuleId::ALL.iter().flat_map(|rule| rule_keys(*rule, "species.*.")));
    keys.extend(Key::all::<Stamina>("species.*.stamina"));
    keys.extend(Key::all::<SpeciesBody>("species.*.body"));
    keys.extend(Key::all::<Interaction>("interaction.*.*").into_iter().map(|key| {
        let kinds: &[&str] = match key.name.rsplit('.').next() {
            Some("kind") => &[],
            // Only boids that pursue capture others.
            Some("capture_radius") => &["pursue"],
            _ => &["flee", "pursue", "evade"],
        };
        key.of_kinds(kinds)
    }));
    // The kind comes first, as in every table.
    let kind = keys.iter().position(|key| key.name == "interaction.*.*.kind");
    let first = keys.iter().position(|key| key.name.starts_with("interaction."));
    if let (Some(first), Some(kind)) = (first, kind) {
        keys[first..=kind].rotate_right(1);
    }
    keys
}
