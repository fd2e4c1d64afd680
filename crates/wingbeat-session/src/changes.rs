//! Changes to the scene, made apart from the flock, which can fly on meanwhile.

use std::sync::Arc;

use wingbeat_scene::{AnyDomain, Built, Effect, Machine, Prepared, Scene, SceneError};

use crate::editable_scene::EditableScene;

/// What is to change.
pub enum Change {
    /// A key of the scene, as [`EditableScene::with`] takes it.
    Set {
        /// Dotted name.
        key: String,
        /// As TOML.
        value: String,
    },
    /// One of the three rules goes.
    Remove {
        /// Its name.
        rule: String,
    },
    /// The flock is built anew from the scene as tuned.
    Reset,
}

/// What a change starts from.
pub struct Basis {
    /// The scene as tuned so far.
    pub(super) scene: Arc<EditableScene>,
    /// The scene that the flock was built from.
    pub(super) running: Arc<Scene>,
    /// The flock's domain.
    pub(super) domain: AnyDomain,
    pub(super) machine: Machine,
}

/// A change that is made, but for what only the flock's own thread can do.
#[expect(
    clippy::large_enum_variant,
    reason = "it is boxed as a whole on its way to another thread"
)]
pub enum Changed {
    /// Another scene.
    Scene {
        /// The scene.
        scene: EditableScene,
        /// When it holds.
        effect: Effect,
        /// What the flock takes over from its next step on; `None` where it has to be built anew
        /// first.
        prepared: Option<Prepared>,
    },
    /// A flock built anew.
    Flock(Built),
}

impl Change {
    /// Makes the change. To read, check and build a scene may take long: a host may do it on
    /// another thread than the flock's.
    ///
    /// # Errors
    /// One line, in the words of `wingbeat check`.
    pub fn make(self, basis: &Basis) -> Result<Changed, String> {
        let (scene, effect) = match self {
            Self::Set { key, value } => basis.scene.with(&key, &value)?,
            Self::Remove { rule } => (basis.scene.without(&rule)?, Effect::NextStep),
            Self::Reset => {
                let built = build(basis.scene.scene(), &basis.machine)
                    .map_err(|refusal| refusal.to_string())?;
                return Ok(Changed::Flock(built));
            }
        };
        let prepared = if basis.can_follow(scene.scene()) {
            Some(scene.scene().prepare(basis.domain).map_err(|refusal| refusal.to_string())?)
        } else {
            None
        };
        Ok(Changed::Scene { scene, effect, prepared })
    }
}

impl Basis {
    /// Whether the flock that steps can take over a scene's rules: they are written for its
    /// dimensions and its model, and for bodies or points as it has.
    fn can_follow(&self, scene: &Scene) -> bool {
        let model = |scene: &Scene| scene.params().model.map(|model| model.name());
        let bodies = |scene: &Scene| scene.params().body.is_some();
        scene.dimensions() == self.running.dimensions()
            && model(scene) == model(&self.running)
            && bodies(scene) == bodies(&self.running)
    }
}

/// Builds a flock that frames can show.
///
/// # Errors
/// As [`Scene::build`], and where ids do not fit into a frame.
pub fn build(scene: &Scene, machine: &Machine) -> Result<Built, SceneError> {
    let built = scene.build(machine)?;
    match built.flock.rows().last().filter(|row| row.id > u64::from(u32::MAX)) {
        Some(row) => {
            let message = format!("id {}: allowed in a live view is 0 to {}", row.id, u32::MAX);
            Err(SceneError::Data { place: scene.name().to_string(), message })
        }
        None => Ok(built),
    }
}
