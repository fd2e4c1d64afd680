//! `[agent]`, rules, models, bodies and species: their keys, and the engine's parameters from
//! them.

use wingbeat::steer::anticipation::{GettingThrough, anticipations};
use wingbeat::steer::model::models;
use wingbeat::steer::parameters::{
    COS_HALF_VIEW, FIELD_OF_VIEW, ParameterInfo, Parameters, SettingKind, limit, parameter,
};
use wingbeat::steer::{Anticipation, settings, words};
use wingbeat::{
    AgentLimits, Combine, Cruise, FieldOfView, Interaction, InteractionKind, Model, Params,
    Perception, RuleId, Rules, SolidBody, Species, SpeciesBody, Stamina, Term,
};

use crate::SceneError;
use crate::document::Document;
use crate::keys::Key;
use crate::named::{self, with_rules};
use crate::sections::{Plane, SpawnKeys};

/// Terms that `agent.priority` may name, beside drives.
const TERMS: &[&str] =
    &with_rules::<{ 3 + RuleId::ALL.len() }>(&[], &["interactions", "obstacles", "walls"]);

settings! {
    /// How the terms of `[agent]` become one force.
    struct CombineKeys in "agent." {}
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
pub(crate) fn keys() -> Vec<Key> {
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

/// Keys of a rule: those of whom it sees between its weight and its own.
fn rule_keys(rule: RuleId, within: &str) -> Vec<Key> {
    let section = format!("{within}{}", rule.name());
    let number = |parameter| Key::number(&section, parameter);
    let (weight, own) = rule.parameters().split_at(1);
    let (radius, near_radius) = Perception::PARAMETERS.split_at(1);
    let mut keys: Vec<Key> = weight.iter().chain(radius).map(number).collect();
    keys.push(number(&FIELD_OF_VIEW));
    // Left out, sight is all round; as a cosine, −1 is a cone that happens to hold everyone.
    keys.push(Key { default: "field_of_view decides".into(), ..number(&COS_HALF_VIEW) });
    keys.extend(near_radius.iter().map(number));
    let settings = Perception::SETTINGS.iter();
    keys.extend(settings.map(|setting| Key::setting(&section, setting)));
    keys.extend(own.iter().map(number));
    keys.extend(rule.settings().iter().map(|setting| Key::setting(&section, setting)));
    keys
}

/// Keys of species, the tables within them, and what they are to each other.
pub(crate) fn species_keys() -> Vec<Key> {
    let mut keys = Key::all::<SpeciesKeys>("species.*");
    let mut parts = Key::all::<AgentLimits>("species.*.agent");
    parts.extend(Key::all::<SpawnKeys<Plane>>("species.*.spawn"));
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

/// The parameters a document describes, checked.
pub(crate) fn params(document: &Document) -> Result<Params, SceneError> {
    let of_species = document
        .tables("species")
        .into_iter()
        .flat_map(|table| RuleId::NAMES.iter().map(move |rule| format!("{table}.{rule}")));
    let of_flock = RuleId::NAMES.iter().map(|rule| rule.to_string());
    for rule in of_flock.chain(of_species) {
        if document.has(&format!("{rule}.field_of_view"))
            && document.has(&format!("{rule}.cos_half_view"))
        {
            let allowed =
                format!("left out where {rule}.field_of_view is given: they say the same");
            return Err(document.refuse(&format!("{rule}.cos_half_view"), &allowed));
        }
    }
    let model = document.model();
    if let Some(model) = &model {
        stands_alone(document, model)?;
    }
    let has = |section| document.has_section(section);
    let species = species(document);
    let params = Params {
        model,
        // Limits beside species are what species inherit: the flock has none of its own then.
        agent: if species.is_empty() {
            document.read("agent", AgentLimits::default())
        } else {
            AgentLimits::default()
        },
        rules: rules(document, ""),
        species,
        interactions: interactions(document)?,
        combine: combine(document),
        priority: priority(document)?,
        expected_neighbors: document.narrow("grid.expected_neighbors"),
        max_neighbors: most_neighbors(document),
        body: has("body").then(|| document.read("body", SolidBody::default())),
        anticipation: anticipation(document)?,
        getting_through: document.read("anticipation", GettingThrough::default()),
    };
    // Ranges were checked key by key; what is left are combinations without a meaning.
    params.check().map_err(|refusal| document.refuse_param(refusal))?;
    Ok(params)
}

/// Refuses what has no say beside a model: rules and limits, the flock's and those of species.
fn stands_alone(document: &Document, model: &Model) -> Result<(), SceneError> {
    let parts = || RuleId::NAMES.iter().copied().chain(["agent"]);
    let of_species = document
        .tables("species")
        .into_iter()
        .flat_map(|table| parts().map(move |part| format!("{table}.{part}")));
    for section in parts().map(str::to_string).chain(of_species) {
        if document.has_section(&section) {
            return Err(SceneError::Value {
                place: document.place_of_section(&section),
                key: format!("[{section}]"),
                value: "a table".into(),
                allowed: format!(
                    "left out with model.name = {}, which takes the place of rules and limits",
                    model.name()
                ),
            });
        }
    }
    Ok(())
}

/// How bodies avoid each other before they meet.
fn anticipation(document: &Document) -> Result<Option<Anticipation>, SceneError> {
    if !document.has_section("anticipation") {
        return Ok(None);
    }
    let Some(mut model) = document.text("anticipation.kind").and_then(Anticipation::named) else {
        return Err(document.refuse("anticipation.kind", &Anticipation::NAMES.join(", ")));
    };
    for parameter in model.parameters() {
        if let Some(value) = document.narrow(&format!("anticipation.{}", parameter.name())) {
            model.set(parameter.name(), value);
        }
    }
    Ok(Some(model))
}

/// How many neighbors `[neighborhood]` lets every rule or the model look at.
fn most_neighbors(document: &Document) -> Option<u32> {
    let keys = document.read("neighborhood", NeighborhoodKeys::default());
    (keys.kind == NeighborhoodKind::Topological).then_some(keys.k)
}

/// The species, in the order of the file. Limits that one does not give are those of `[agent]`.
fn species(document: &Document) -> Vec<Species> {
    let tables = document.tables("species");
    let common = document.read("agent", AgentLimits::default());
    let one = |table: &&str| {
        let part = |part: &str| format!("{table}.{part}");
        let has = |section: &str| document.has_section(&part(section));
        Species {
            name: table.trim_start_matches("species.").to_string(),
            agent: document.read(&part("agent"), common),
            rules: rules(document, &format!("{table}.")),
            stamina: has("stamina").then(|| document.read(&part("stamina"), Stamina::default())),
            body: document.read(&part("body"), SpeciesBody::default()),
        }
    };
    tables.iter().map(one).collect()
}

/// What species are to each other, in the order of the file.
fn interactions(document: &Document) -> Result<Vec<Interaction>, SceneError> {
    let species = document.tables("species");
    let names: Vec<&str> =
        species.iter().map(|table| table.trim_start_matches("species.")).collect();
    let mut interactions = Vec::new();
    for table in document.tables("interaction") {
        let place = |end: usize| {
            let name = table.split('.').nth(end).unwrap_or_default();
            names.iter().position(|known| *known == name).ok_or_else(|| SceneError::Value {
                place: document.place_of_section(table),
                key: format!("[{table}]"),
                value: name.to_string(),
                allowed: if names.is_empty() {
                    "left out: the scene has no [species.NAME]".into()
                } else {
                    names.join(", ")
                },
            })
        };
        let usual = Interaction::new(place(1)?, place(2)?, InteractionKind::Ignore, 1.0);
        interactions.push(document.read(table, usual));
    }
    Ok(interactions)
}

fn combine(document: &Document) -> Combine {
    match document.text("agent.combine") {
        Some("prioritized") => Combine::Prioritized,
        Some("direction") => Combine::Direction(document.read("agent", Cruise::default())),
        _ => Combine::Weighted,
    }
}

fn priority(document: &Document) -> Result<Vec<Term>, SceneError> {
    let drives = document.tables("drive");
    let place = |name: &str| match drives.iter().position(|drive| *drive == name) {
        Some(place) => Ok(Term::Drive(place)),
        None if drives.is_empty() => {
            Err(document.refuse("agent.priority", "terms the scene has: it has no drives"))
        }
        None => Err(document.refuse(
            "agent.priority",
            &format!("terms the scene has: its drives are {}", drives.join(", ")),
        )),
    };
    let term = |name: &String| name.parse().or_else(|_| place(name));
    document.read("agent", CombineKeys::default()).priority.iter().map(term).collect()
}

fn perception(document: &Document, rule: &str) -> Perception {
    let usual = Perception::default();
    let number = |key: &str| document.number(&format!("{rule}.{key}"));
    let view = match (number("field_of_view"), number("cos_half_view")) {
        (Some(degrees), _) => FieldOfView::degrees(degrees),
        (None, Some(cos_half)) => FieldOfView::Cone { cos_half: cos_half as f32 },
        (None, None) => usual.view,
    };
    Perception { view, ..document.read(rule, usual) }
}

/// The rules of the flock, or of the species whose keys begin with `start`.
fn rules(document: &Document, start: &str) -> Rules {
    let mut rules = Rules::default();
    for &id in RuleId::ALL {
        let at = format!("{start}{}", id.name());
        if !document.has_section(&at) {
            continue;
        }
        rules.insert(id);
        if let Some(sees) = rules.perception_mut(id) {
            *sees = perception(document, &at);
        }
        for parameter in id.parameters() {
            if let Some(value) = document.narrow(&format!("{at}.{}", parameter.name())) {
                rules.set(id, parameter.name(), value);
            }
        }
        for setting in id.settings() {
            if let Some(value) = document.value(&format!("{at}.{}", setting.key)) {
                rules.choose(id, setting.key, value);
            }
        }
    }
    rules
}
