//! What a page needs to know of a scene: the domain, and all that its engine runs it from.

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Value, json};
use wingbeat_record::About;
use wingbeat_scene::Scene;
use wingbeat_session::surroundings::{domain, places, radii};

use crate::command;

/// The scene a recording is of, or what is known of it, as JSON for the player.
///
/// `toml` is the scene for the engine in the page, with everything that the run was given; `null`
/// where the file holds no scene, or one that a page cannot run: then `unexplained` says why.
/// `explain` has the `command` line that explains a boid, but for the boid and the step, and
/// whether that `is_whole`: all that the run had is in it.
pub fn scene_json(about: &About) -> Value {
    let scene = scene_of(about);
    let unexplained = scene.as_ref().and_then(why_not);
    json!({
        "name": title(about),
        "about": scene.as_ref().map_or("", |scene| scene.about()),
        "noun": scene.as_ref().map_or("boids", |scene| scene.noun()),
        "dt": about.dt,
        "every": about.every,
        "seed": about.seed,
        "origin": &about.origin[..about.dimensions],
        "domain": domain(&about.edges, about.dimensions),
        "radii": scene.as_ref().map_or_else(Vec::new, |scene| radii(scene.params())),
        "places": scene.as_ref().map_or_else(Vec::new, |scene| places(scene, scene, &about.edges)),
        "toml": (scene.is_some() && unexplained.is_none()).then_some(&about.scene),
        "unexplained": unexplained,
        "explain": scene.as_ref().map(|scene| {
            let (command, is_whole) = command::command(&about.name, scene);
            json!({ "command": command, "is_whole": is_whole })
        }),
    })
}

/// The scene that a recording holds.
pub(crate) fn scene_of(about: &About) -> Option<Scene> {
    if about.scene.is_empty() { None } else { Scene::parse(&about.name, &about.scene, &[]).ok() }
}

/// Why a page cannot run a scene, as a sentence; `None` where it can. The boids that a scene starts
/// with are no file to a page: it holds them.
pub(crate) fn why_not(scene: &Scene) -> Option<String> {
    let initial = scene.initial_file();
    let file = scene.files().into_iter().find(|file| Some(file) != initial.as_ref())?;
    Some(format!("A page cannot read files, and the scene names {}.", file.display()))
}

/// What a page is called: the scene, or of a file without one the file, whose path it has for a
/// name.
pub(crate) fn title(about: &About) -> Cow<'_, str> {
    Path::new(&about.name).file_name().map_or(Cow::Borrowed(""), |name| name.to_string_lossy())
}
