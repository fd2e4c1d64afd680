//! The page that runs a scene by itself.

use serde_json::json;
use wingbeat_scene::{Machine, Override, SceneError};

use crate::live::{LiveFlock, TunedScene};
use crate::scene::why_not;
use crate::start::start_element;
use crate::{assets, command};

/// Most steps that a page makes before it first shows its flock; it also stops after a fraction of a second.
const WARM_UP: u64 = 400;

/// A page that runs a scene, a preset or a file, by itself: one file, no recording, no server.
///
/// ```
/// let page = wingbeat_page::scene_page("shoal", &[])?;
/// assert!(wingbeat_page::is_page(page.as_bytes()) && page.len() < 700_000);
/// # Ok::<(), wingbeat_scene::SceneError>(())
/// ```
///
/// # Errors
/// When the scene is not accepted, or needs files beside the state that it starts from: a page cannot read any.
pub fn scene_page(source: &str, overrides: &[Override]) -> Result<String, SceneError> {
    let tuned = TunedScene::load(source, overrides)?;
    let (scene, toml) = (tuned.scene().clone(), tuned.toml());
    if let Some(why) = why_not(&scene) {
        return Err(SceneError::Data { place: source.to_string(), message: why });
    }
    let name = scene.name().rsplit(['/', '\\']).next().unwrap_or_default();
    // Only a flock that is built shows whether the scene holds, and whom it starts with.
    let from_file = scene.initial_file().is_some();
    let start = if from_file {
        let flock = LiveFlock::new(tuned, Machine::default(), None, true)?;
        start_element(&flock.frame(0.0, [0.0; 3]))
    } else {
        String::new()
    };
    let (command, is_whole) = command::command(scene.name(), &scene);
    let about = json!({
        "name": name,
        "about": scene.about(),
        "toml": toml,
        "warm_up": (scene.steps() / 4).min(WARM_UP),
        "explain": { "command": command, "is_whole": is_whole },
    });
    let parts =
        assets::player(&format!("{name} · Wingbeat"), "Wingbeat.playScene(document);", "'none'", Some(scene.dimensions()));
    Ok(format!("{}{}{start}{}", parts.before, assets::json_element("scene", &about), parts.after))
}
