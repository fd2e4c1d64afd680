//! What stands around a flock, as JSON for the player: the domain, exits and sources, and how large
//! bodies are. protocol.rs describes the keys.

use serde_json::{Value, json};
use wingbeat::Params;
use wingbeat_record::Edges;
use wingbeat_scene::{Place, Scene};

/// The radius of a body of each species, in the scene's order; one where there are no species, none
/// where boids are points.
pub fn radii(params: &Params) -> Vec<f32> {
    params.each_species().filter_map(|species| params.body_of(species)?.radius).collect()
}

/// Exits and sources, with the six numbers of each line of their outlines.
pub fn places(scene: &Scene, edges: &Edges) -> Vec<Value> {
    // A scene that is refused is so elsewhere, with a message.
    let places = Place::all(scene, edges).unwrap_or_default();
    places
        .into_iter()
        .map(|Place { kind, name, lines }| {
            json!({
                "kind": kind, "name": name, "lines": lines.as_flattened().as_flattened()
            })
        })
        .collect()
}

/// The domain, as the player has it.
pub fn domain(edges: &Edges, dimensions: usize) -> Value {
    json!({
        "kind": edges.boundary.name(),
        "min": edges.bounds().map(|(min, _)| min[..dimensions].to_vec()),
        "max": edges.bounds().map(|(_, max)| max[..dimensions].to_vec()),
    })
}
