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

/// Exits as they are tuned, and sources as the flock was built, with the six numbers of each line
/// of their outlines, and of an exit from when to when it is open.
pub fn places(tuned: &Scene, running: &Scene, edges: &Edges) -> Vec<Value> {
    // A scene that is refused is so elsewhere, with a message.
    let of = |scene, wanted| {
        let places = Place::all(scene, edges).unwrap_or_default();
        places.into_iter().filter(move |place| place.kind == wanted)
    };
    let value = |Place { kind, name, lines, open }: Place| {
        json!({
            "kind": kind, "name": name, "lines": lines.as_flattened().as_flattened(),
            "open": open,
        })
    };
    of(tuned, "exit").chain(of(running, "source")).map(value).collect()
}

/// The domain, as the player has it.
pub fn domain(edges: &Edges, dimensions: usize) -> Value {
    json!({
        "kind": edges.boundary.name(),
        "min": edges.bounds().map(|(min, _)| min[..dimensions].to_vec()),
        "max": edges.bounds().map(|(_, max)| max[..dimensions].to_vec()),
    })
}
