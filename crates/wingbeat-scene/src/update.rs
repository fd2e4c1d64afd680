//! `model.update`: which scenes may have boids that move one after the other.

use wingbeat::steer::moves_sequentially;

use crate::SceneError;
use crate::document::Document;
use crate::keys::Update;

/// Whether boids move one after the other.
pub(crate) fn is_sequential(document: &Document) -> bool {
    document.text("model.update") == Some(Update::Sequential.word())
}

/// Refuses boids that move one after the other where the model's tool does not do that, or where
/// there is more than the model.
pub(crate) fn check(document: &Document) -> Result<(), SceneError> {
    if !is_sequential(document) {
        return Ok(());
    }
    let refuse = |allowed: &str| Err(document.refuse("model.update", allowed));
    let model = document.model();
    if !model.is_some_and(|model| moves_sequentially(&model)) {
        let name = model.map_or("", |model| model.name());
        return refuse(&format!(
            "at_once with model.name = {name}; netlogo, mesa, agents_jl and \
            mason move one after the other"
        ));
    }
    let alone = "the model takes this, and nothing beside it has a turn";
    for family in ["drive", "obstacle", "exit", "source", "species", "interaction"] {
        if let Some(table) = document.tables(family).first() {
            return refuse(&format!("at_once in a scene with [{table}]: {alone}"));
        }
    }
    for section in ["body", "anticipation", "neighborhood"] {
        if document.has_section(section) {
            return refuse(&format!("at_once in a scene with [{section}]: {alone}"));
        }
    }
    if document.whole("flock.steer_every").is_some_and(|every| every != 1) {
        return refuse("at_once with flock.steer_every above 1");
    }
    match document.text("domain.kind") {
        Some(kind @ ("walled" | "absorbing")) => {
            refuse(&format!("at_once with domain.kind = {kind}"))
        }
        _ => Ok(()),
    }
}
