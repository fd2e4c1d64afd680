//! What a player needs to know of a scene: the domain, and all that decides where a boid goes, defaults filled in.

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Value, json};
use wingbeat::steer::Extras;
use wingbeat::{AlignmentOf, Boundary, Combine, Falloff, FieldOfView, Params, Perception, Response, Term};
use wingbeat_record::{About, Edges};
use wingbeat_scene::{Outlines, Scene};

use crate::beyond;

/// Lines and triangles of obstacles in a page: some 60 and 90 characters each.
const MOST_PARTS: usize = 40_000;

/// The scene a recording is of, or what is known of it, as JSON for the player.
///
/// `decision` is `null` where the file holds no scene. Where there is nothing but the three rules of one species it is
/// `{"kind": "rules", …}` with every parameter of them as the engine has it, and the player computes forces. In all other scenes
/// it is `{"kind": "engine", …}` with what the player does not know in `beyond` (`drives`, say), and with how far boids look in
/// `radius` where that is one number; of those scenes the player shows no forces. `explain` has the `command` line that does, but for
/// the boid and the step, and whether that `is_whole`: all that the run had is in it.
pub fn scene_json(about: &About) -> Value {
    let scene = (!about.scene.is_empty()).then(|| Scene::parse(&about.name, &about.scene, &[]).ok()).flatten();
    json!({
        "name": title(about),
        "about": scene.as_ref().map_or("", |scene| scene.about()),
        "dt": about.dt,
        "every": about.every,
        "seed": about.seed,
        "origin": &about.origin[..about.dimensions],
        "domain": domain(&about.edges, about.dimensions),
        "decision": scene.as_ref().map(|scene| decision(scene, &about.edges)),
        "explain": scene.as_ref().map(|scene| {
            let (command, is_whole) = beyond::command(&about.name, scene);
            json!({ "command": command, "is_whole": is_whole })
        }),
        "standing": scene.as_ref().and_then(|scene| static_obstacles(scene, &about.edges)),
    })
}

/// The obstacles that do not move: `lines`, six numbers each, and `triangles`, nine; more than a page has room for are not drawn.
fn static_obstacles(scene: &Scene, edges: &Edges) -> Option<Value> {
    let shapes = Outlines::of(scene, edges).ok().flatten()?.standing();
    let parts = shapes.lines.len() + shapes.triangles.len();
    // An f32 as short as it can be written, not with the digits it has as an f64.
    let short = |x: &f32| x.to_string().parse().unwrap_or(f64::from(*x));
    let lines: Vec<f64> = shapes.lines.as_flattened().as_flattened().iter().map(short).collect();
    let triangles: Vec<f64> = shapes.triangles.as_flattened().as_flattened().iter().map(short).collect();
    (0 < parts && parts <= MOST_PARTS).then(|| json!({ "lines": lines, "triangles": triangles }))
}

fn domain(edges: &Edges, dimensions: usize) -> Value {
    let (kind, margin, strength) = match edges.boundary {
        Boundary::Open => ("open", None, None),
        Boundary::Periodic => ("periodic", None, None),
        Boundary::Walled { margin, strength } => ("walled", Some(margin), Some(strength)),
        Boundary::Reflecting => ("reflecting", None, None),
        Boundary::Absorbing => ("absorbing", None, None),
        // The player draws the box of a kind it does not know, and changes no boid's path at it.
        _ => ("other", None, None),
    };
    json!({
        "kind": kind,
        "margin": margin,
        "strength": strength,
        "min": edges.bounds().map(|(min, _)| min[..dimensions].to_vec()),
        "max": edges.bounds().map(|(_, max)| max[..dimensions].to_vec()),
    })
}

fn decision(scene: &Scene, edges: &Edges) -> Value {
    let params = scene.params();
    let beyond = beyond::beyond(scene, edges);
    if !beyond.is_empty() {
        return json!({ "kind": "engine", "beyond": beyond, "radius": beyond::radius(scene) });
    }
    let agent = &params.agent;
    json!({
        "kind": "rules",
        "max_speed": agent.max_speed,
        "min_speed": agent.min_speed,
        "max_force": agent.max_force,
        "combine": match params.combine {
            Combine::Weighted => "weighted",
            Combine::Prioritized => "prioritized",
            Combine::Direction(_) => "direction",
        },
        "order": params.term_order(Extras::default()).into_iter().filter_map(name).collect::<Vec<_>>(),
        "separation": params.separation.map(|rule| merged(perception(params, rule.perception), json!({
            "weight": rule.weight,
            "response": response(rule.response),
            "falloff": match rule.falloff {
                Falloff::Linear => "linear",
                Falloff::Inverse => "inverse",
                Falloff::InverseSquare => "inverse_square",
            },
        }))),
        "alignment": params.alignment.map(|rule| merged(perception(params, rule.perception), json!({
            "weight": rule.weight,
            "response": response(rule.response),
            "of": match rule.of {
                AlignmentOf::Velocity => "velocity",
                AlignmentOf::Heading => "heading",
            },
            "relative": rule.relative,
            "include_self": rule.include_self,
        }))),
        "cohesion": params.cohesion.map(|rule| merged(perception(params, rule.perception), json!({
            "weight": rule.weight,
            "response": response(rule.response),
        }))),
    })
}

fn name(term: Term) -> Option<&'static str> {
    match term {
        Term::Separation => Some("separation"),
        Term::Alignment => Some("alignment"),
        Term::Cohesion => Some("cohesion"),
        Term::Walls => Some("walls"),
        // The player knows the three rules and walls. Scenes have no rules of a host's own.
        _ => None,
    }
}

fn perception(params: &Params, perception: Perception) -> Value {
    let Perception { radius, view, near_radius, nearest } = params.capped(perception);
    let cos_half_view = match view {
        FieldOfView::All => None,
        FieldOfView::Cone { cos_half } => Some(cos_half),
    };
    json!({ "radius": radius, "cos_half_view": cos_half_view, "near_radius": near_radius, "nearest": nearest })
}

fn merged(mut one: Value, mut other: Value) -> Value {
    if let (Some(one), Some(other)) = (one.as_object_mut(), other.as_object_mut()) {
        one.append(other);
    }
    one
}

fn response(response: Response) -> &'static str {
    match response {
        Response::Raw => "raw",
        Response::Unit => "unit",
        Response::Steer => "steer",
        Response::Flee => "flee",
    }
}

/// What a page is called: the scene, or of a file without one the file, whose path it has for a name.
pub(crate) fn title(about: &About) -> Cow<'_, str> {
    Path::new(&about.name).file_name().map_or(Cow::Borrowed(""), |name| name.to_string_lossy())
}
