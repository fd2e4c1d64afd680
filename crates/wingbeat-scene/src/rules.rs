//! From keys to the engine's parameters.

use wingbeat::steer::Anticipation;
use wingbeat::steer::anticipation::GettingThrough;
use wingbeat::{
    AgentLimits, Params, Perception, Rules, Species, SpeciesId,
    steer::{
        Combine, Cruise, FieldOfView, Interaction, InteractionKind, Model, RuleId, SolidBody,
        SpeciesBody, Stamina, Term,
    },
};

use crate::SceneError;
use crate::document::Document;
use crate::keys::{CombineKeys, NeighborhoodKeys, NeighborhoodKind};

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
        anticipation: anticipation(document),
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
fn anticipation(document: &Document) -> Option<Anticipation> {
    let mut model = document.text("anticipation.kind").and_then(Anticipation::named)?;
    for (key, value) in document.numbers_in("anticipation", model.parameters()) {
        model.set(key, value);
    }
    Some(model)
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
            let place = names.iter().position(|known| *known == name).map(SpeciesId::new);
            place.ok_or_else(|| SceneError::Value {
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
        for (key, value) in document.numbers_in(&at, id.parameters()) {
            rules.set(id, key, value);
        }
        for (key, value) in document.settings_in(&at, id.settings()) {
            rules.choose(id, key, value);
        }
    }
    rules
}
