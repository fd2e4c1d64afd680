//! Explanations of a [flock's](wingbeat) decisions as plain data, of either dimension: what
//! `wingbeat explain --json` prints and the live view answers with. docs/EXPLAIN.md describes each
//! key.
//!
//! ```
//! use wingbeat_page::explain::ExplanationData;
//! use wingbeat_scene::{Machine, Override, Scene};
//! let scene = Scene::load("shoal", &[Override::set("flock.boids=100")?])?;
//! let mut built = scene.build(&Machine::default())?;
//! let why = ExplanationData::of(&mut built.flock, 17, scene.name(), scene.dt(), &built.origin)?;
//! assert!(why.json()?.starts_with("{\n  \"scene\": \"shoal\",\n  \"boid\": 17,"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod convert;
mod data;
mod movement;
mod sentence;

pub use data::{
    AdvanceData, DecisionData, DriveData, ExplanationData, InteractionData, NeighborData,
    ObstacleData, RuleData, SightData, StaminaData, TermData, TurnData,
};
