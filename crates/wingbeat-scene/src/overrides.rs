//! Values given beside the scene file: `--set KEY=VALUE`, `--boids N` and their like.

use crate::SceneError;

/// One key that overrides the scene file's.
///
/// ```
/// use wingbeat_scene::{Override, Scene};
/// let scene = Scene::load(
///     "shoal",
///     &[Override::set("agent.max_speed=3.0")?, Override::flag("--boids", "flock.boids", "500")],
/// )?;
/// assert_eq!(scene.params().agent.max_speed, 3.0);
/// assert!(Override::set("agent.max_speed").is_err());
/// # Ok::<(), wingbeat_scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    pub(crate) flag: String,
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) is_text: bool,
}

impl Override {
    /// A dotted key and a TOML value, as `--set` takes them. A bare word is taken as a text.
    ///
    /// # Errors
    /// When there is no `=`, or nothing before it.
    pub fn set(assignment: &str) -> Result<Self, SceneError> {
        match assignment.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => {
                Ok(Self::flag("--set", key.trim(), value.trim()))
            }
            _ => Err(SceneError::Syntax {
                place: "--set".into(),
                message: format!(
                    "{assignment}: allowed is KEY=VALUE, for example separation.radius=0.5"
                ),
            }),
        }
    }

    /// A TOML value for `key`, reported as given by `flag`.
    pub fn flag(flag: &str, key: &str, value: &str) -> Self {
        Self { flag: flag.into(), key: key.into(), value: value.into(), is_text: false }
    }

    /// Dotted name of the key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The value as it was given.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Whether that is a text whatever it looks like.
    pub fn is_text(&self) -> bool {
        self.is_text
    }

    /// A text for `key` whatever it looks like (a path), reported as given by `flag`.
    pub fn text(flag: &str, key: &str, value: &str) -> Self {
        Self { is_text: true, ..Self::flag(flag, key, value) }
    }
}
