//! Explanations of a [flock's](wingbeat) decisions in scenes of either dimension: what `wingbeat
//! explain --json` prints and the live view answers with. docs/EXPLAIN.md describes each key.
//!
//! ```
//! use wingbeat_session::explain::SceneExplanation;
//! use wingbeat_scene::{Machine, Override, Scene};
//! let scene = Scene::load("shoal", &[Override::set("flock.boids=100")?])?;
//! let mut built = scene.build(&Machine::default())?;
//! let why = SceneExplanation::of(&mut built.flock, 17, scene.name(), scene.dt(), &built.origin)?;
//! assert!(why.json()?.starts_with("{\n  \"scene\": \"shoal\",\n  \"sentence\": "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::Serialize;
use wingbeat::{BoidId, Explanation, FlockError, TimeStep};
use wingbeat_scene::AnyFlock;

mod movement;
mod sentence;

use sentence::sentence;

/// Why one boid of a scene goes where it goes in one step. Numbers are written with enough digits
/// to give the same `f32` when they are read; scripts rely on the keys.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct SceneExplanation {
    /// Name of the scene.
    pub scene: String,
    /// The answer in one sentence without its subject: what the boid does in the step, and what
    /// contributes most to that.
    pub sentence: String,
    /// Where the scene's zero lies in the world: positions are the engine's, and this added to them
    /// gives the scene's.
    pub origin: Vec<f64>,
    /// The decision and the step.
    #[serde(flatten)]
    pub explanation: AnyExplanation,
}

/// An explanation of either dimension.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum AnyExplanation {
    /// In the plane.
    Two(Explanation<2>),
    /// In space.
    Three(Explanation<3>),
}

impl SceneExplanation {
    /// Explains what a boid of a scene's flock will do in the next step; `origin` is where the
    /// scene's zero lies in the world.
    ///
    /// # Errors
    /// When there is no boid of this id.
    pub fn of(
        flock: &mut AnyFlock,
        id: u64,
        scene: &str,
        dt: TimeStep,
        origin: &[f64],
    ) -> Result<Self, FlockError> {
        let id = BoidId::new(id);
        let (sentence, explanation) = match flock {
            AnyFlock::Two(flock) => {
                let why = flock.explain(id, dt)?;
                (sentence(&why), AnyExplanation::Two(why))
            }
            AnyFlock::Three(flock) => {
                let why = flock.explain(id, dt)?;
                (sentence(&why), AnyExplanation::Three(why))
            }
        };
        Ok(Self { scene: scene.to_string(), sentence, origin: origin.to_vec(), explanation })
    }

    /// One JSON object, on many lines.
    ///
    /// # Errors
    /// None in practice: numbers and texts can always be written.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}
