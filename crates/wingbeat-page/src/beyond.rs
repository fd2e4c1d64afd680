//! What the player cannot compute, and the command line that can.

use wingbeat::steer::model::EVERYONE;
use wingbeat::{Boundary, Params};
use wingbeat_record::Edges;
use wingbeat_scene::Scene;

/// A scene's file is text that somebody wrote; what is larger, or no file at all, is not read.
const LARGEST_SCENE: u64 = 1 << 20;

/// What the scene has beyond the three rules of one species, in words for the reader; empty where it has nothing.
pub(crate) fn beyond(scene: &Scene, edges: &Edges) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |what: String| {
        if !found.contains(&what) {
            found.push(what);
        }
    };
    // What is not known here is named rather than passed over: a new section, or a new parameter, which does not compile below.
    for setting in scene.settings() {
        match setting.name.split_once('.').map_or("", |(section, _)| section) {
            "" | "flock" | "spawn" | "initial" | "domain" | "agent" | "grid" => {}
            "separation" | "alignment" | "cohesion" | "neighborhood" => {}
            "drive" => add("drives".into()),
            "obstacle" | "avoidance" => add("obstacles".into()),
            "species" | "interaction" => add("species".into()),
            "model" => add("a whole model".into()),
            other => add(format!("[{other}]")),
        }
    }
    let Params {
        agent: _,
        separation: _,
        alignment: _,
        cohesion: _,
        combine: _,
        priority: _,
        expected_neighbors: _,
        max_neighbors: _,
        species: _,
        interactions: _,
        model: _,
    } = scene.params();
    if scene.steer_every() > 1 {
        add("turns to steer (flock.steer_every)".into());
    }
    if !matches!(
        edges.boundary,
        Boundary::Open | Boundary::Periodic | Boundary::Walled { .. } | Boundary::Reflecting | Boundary::Absorbing
    ) {
        add("a domain of this kind".into());
    }
    found
}

/// How far boids look, where all look equally far and not at everyone.
pub(crate) fn radius(scene: &Scene) -> Option<f32> {
    let params = scene.params();
    let reach = match &params.model {
        _ if !params.species.is_empty() => return None,
        Some(model) => model.reach(),
        None => params.largest_radius(),
    };
    (reach > 0.0 && reach < EVERYONE).then_some(reach)
}

/// `wingbeat explain` of the scene, but for the boid and the step: with `--set` for all that the run had otherwise than the file or
/// preset of this name. Second, whether that is the whole of it; it is not where the scene's file is not at hand.
pub(crate) fn command(name: &str, scene: &Scene) -> (String, bool) {
    let from = is_at_hand(name).then(|| Scene::load(name, &[]).ok()).flatten();
    let changes = from.and_then(|from| scene.changes_from(&from));
    let is_whole = changes.is_some();
    let changes = changes.unwrap_or_default().into_iter().map(|change| format!(" --set {}", shell_word(&change)));
    (format!("wingbeat explain {}{}", shell_word(name), changes.collect::<String>()), is_whole)
}

/// A recording may come from anywhere and name anything: a device, for one, never ends.
fn is_at_hand(name: &str) -> bool {
    wingbeat_scene::preset(name).is_some()
        || std::fs::metadata(name).is_ok_and(|about| about.is_file() && about.len() <= LARGEST_SCENE)
}

/// A text as one word of a shell.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-+./,:=@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_string() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(shell_word("my/scene.toml"), "my/scene.toml");
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's; rm"), "'it'\\''s; rm'");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn what_is_no_scene_file_is_not_read() {
        assert!(is_at_hand("shoal") && !is_at_hand("/dev/zero") && !is_at_hand("nowhere.toml") && !is_at_hand("/"));
    }
}
