//! What has to be set to make one scene of another.

use wingbeat::steer::parameters::SettingValue;

use crate::value::KeyValue;
use crate::{Override, Scene};

impl Scene {
    /// The assignments, as `--set` takes them, that make this scene of `other`, which a command can
    /// load; in the order of keys. `None` where no assignments do, since `other` has something that
    /// this scene lacks. Of how many steps a run makes nothing is said: commands are told that
    /// otherwise.
    ///
    /// ```
    /// use wingbeat_scene::{Override, Scene};
    /// let usual = Scene::load("shoal", &[])?;
    /// let faster = Scene::load(
    ///     "shoal",
    ///     &[Override::set("agent.max_speed=3.0")?, Override::set("flock.steps=9")?],
    /// )?;
    /// assert_eq!(faster.changes_from(&usual), Some(vec!["agent.max_speed=3.0".to_string()]));
    /// assert_eq!(usual.changes_from(&Scene::load("leader", &[])?), None);
    /// # Ok::<(), wingbeat_scene::SceneError>(())
    /// ```
    pub fn changes_from(&self, other: &Scene) -> Option<Vec<String>> {
        let differs = |key: &str, leaf: &KeyValue| {
            other.document.leaf(key).is_none_or(|was| assigned(was) != assigned(leaf))
        };
        let leaves = self.document.leaves().filter(|&(key, leaf)| differs(key, leaf));
        let mut changes: Vec<String> =
            leaves.map(|(key, leaf)| format!("{key}={}", assigned(leaf))).collect();
        // The order of sections counts, and a section may be there without a key: only making the
        // scene again shows whether it is the same.
        let overrides = changes
            .iter()
            .map(|change| Override::set(change))
            .collect::<Result<Vec<_>, _>>()
            .ok()?;
        let made = Scene::parse(other.name(), &other.to_toml(), &overrides).ok()?;
        changes.retain(|change| !change.starts_with("flock.steps="));
        (made.to_toml() == self.to_toml()).then_some(changes)
    }
}

/// A value as `--set` takes it: a text without quotes where it cannot be taken for anything else.
fn assigned(leaf: &KeyValue) -> String {
    match &leaf.value {
        Some(SettingValue::Text(text)) if is_bare(text) => text.clone(),
        _ => leaf.as_toml(),
    }
}

fn is_bare(text: &str) -> bool {
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    is_word && !matches!(text, "true" | "false" | "inf" | "nan")
}
