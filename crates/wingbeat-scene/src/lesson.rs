//! What a scene's page says: `[page]`.

use wingbeat::steer::RuleId;

use crate::advice::closest;
use crate::{Effect, Scene, SceneError, known_key};

/// Words for the page of a scene, and which sliders come first on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lesson {
    /// The heading; empty for the scene's name.
    pub title: String,
    /// A few sentences of Markdown.
    pub text: String,
    /// Keys, each with a sentence about it, which may be empty. Without any a page chooses.
    pub sliders: Vec<(String, String)>,
}

impl Scene {
    /// What its page says.
    ///
    /// ```
    /// use wingbeat_scene::Scene;
    /// let text = "[page]\ntitle = \"Two\"\nsliders = \"\"\"\ncohesion.weight: How they gather.\n\
    ///     agent.max_speed, agent.max_force\"\"\"\n[flock]\nboids = 2\n[cohesion]\n";
    /// let lesson = Scene::parse("two.toml", text, &[])?.lesson();
    /// assert_eq!(lesson.title, "Two");
    /// let keys: Vec<&str> = lesson.sliders.iter().map(|(key, _)| key.as_str()).collect();
    /// assert_eq!(keys, ["cohesion.weight", "agent.max_speed", "agent.max_force"]);
    /// assert_eq!(lesson.sliders[0].1, "How they gather.");
    /// # Ok::<(), wingbeat_scene::SceneError>(())
    /// ```
    pub fn lesson(&self) -> Lesson {
        let text = |key| self.document.text(key).unwrap_or("").trim().to_string();
        let pair = |(key, note): (&str, &str)| (key.trim().to_string(), note.trim().to_string());
        let sliders = text("page.sliders");
        let of_line = |line: &str| match line.split_once(':') {
            Some(about) => vec![pair(about)],
            None => line.split(',').map(|key| pair((key, ""))).collect(),
        };
        let sliders = sliders.lines().flat_map(of_line).filter(|(key, _)| !key.is_empty());
        Lesson { title: text("page.title"), sliders: sliders.collect(), text: text("page.text") }
    }

    /// Refuses sliders of keys that the scene does not have.
    pub(crate) fn check_lesson(&self) -> Result<(), SceneError> {
        let lesson = self.lesson();
        if lesson.sliders.is_empty() {
            return Ok(());
        }
        let settings = self.settings();
        let acts = settings.iter().filter(|setting| setting.key.effect() != Effect::None);
        let names: Vec<&str> = acts.map(|setting| setting.name.as_str()).collect();
        let refuse = |key: &str, allowed: String| {
            let place = self.document.place_of("page.sliders");
            let (key, value) = ("page.sliders".into(), key.into());
            Err(SceneError::Value { place, key, value, allowed })
        };
        for (i, (key, _)) in lesson.sliders.iter().enumerate() {
            if lesson.sliders[..i].iter().any(|(other, _)| other == key) {
                return refuse(key, "every key once".into());
            }
            if !names.contains(&key.as_str()) && !is_of_rule(key) {
                let meant = closest(key, names.iter().copied()).unwrap_or_default();
                return refuse(key, format!("keys that act in this scene, nearest is {meant}"));
            }
        }
        Ok(())
    }
}

/// Whether it is a key of a rule, which a page switches off and on.
fn is_of_rule(key: &str) -> bool {
    let section = key.split('.').next().unwrap_or_default();
    RuleId::ALL.iter().any(|rule| rule.name() == section) && known_key(key).is_some()
}
