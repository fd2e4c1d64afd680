//! Changes to the scene, made on threads of their own: to read, check and build one may take long, and the flock flies on meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use wingbeat_scene::{AnyDomain, Built, Effect, Machine, Prepared, Scene, SceneError};

use crate::engine::Command;
use crate::tuned::TunedScene;

/// What is to change.
pub enum Change {
    /// A key of the scene, as [`TunedScene::with`] takes it.
    Set { key: String, value: String },
    /// One of the three rules goes.
    Remove { rule: String },
    /// The flock is built anew from the scene as tuned.
    Reset,
}

/// What a change starts from.
pub struct Basis {
    /// The scene as tuned so far.
    pub scene: Arc<TunedScene>,
    /// The scene that the flock was built from.
    pub running: Arc<Scene>,
    /// The flock's domain.
    pub domain: AnyDomain,
    pub machine: Machine,
}

/// A change that is made, but for what only the engine's thread can do.
#[expect(clippy::large_enum_variant, reason = "it is boxed as a whole on its way to the engine")]
pub enum Changed {
    Scene {
        scene: TunedScene,
        effect: Effect,
        /// What the flock takes over from its next step on; `None` where it has to be built anew first.
        prepared: Option<Prepared>,
    },
    Flock(Built),
}

impl Change {
    /// Makes the change on a thread of its own, which tells the engine when it is done.
    ///
    /// # Errors
    /// When the machine refuses a thread.
    pub fn start(self, basis: Basis, number: u64, engine: Sender<Command>) -> std::io::Result<()> {
        let work = move || {
            let made = catch_unwind(AssertUnwindSafe(|| self.make(&basis)));
            // What it died of was written to standard error.
            let made = made.unwrap_or_else(|_| Err("the view failed at this change and goes on without it".into()));
            // An engine that has stopped needs no change.
            let _ = engine.send(Command::Changed(number, Box::new(made)));
        };
        std::thread::Builder::new().name("view change".into()).spawn(work).map(drop)
    }

    fn make(self, basis: &Basis) -> Result<Changed, String> {
        let (scene, effect) = match self {
            Self::Set { key, value } => basis.scene.with(&key, &value)?,
            Self::Remove { rule } => (basis.scene.without(&rule)?, Effect::NextStep),
            Self::Reset => {
                let built = build(basis.scene.scene(), &basis.machine).map_err(|refusal| refusal.to_string())?;
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
    /// Whether the flock that steps can take over a scene's rules: they are written for its dimensions and its model.
    fn can_follow(&self, scene: &Scene) -> bool {
        let model = |scene: &Scene| scene.params().model.map(|model| model.name());
        scene.dimensions() == self.running.dimensions() && model(scene) == model(&self.running)
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
