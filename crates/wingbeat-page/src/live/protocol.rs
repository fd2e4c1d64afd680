//! What a page and a flock say to each other in JSON; frames are binary.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::controls::Control;
use crate::explain::ExplanationData;

/// What a page may ask for.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// The page has drawn the last frame and takes another. The only request without an answer.
    Next {},
    /// A key of the scene.
    Set {
        /// The page's number for it, which its answer bears.
        id: u32,
        /// Dotted name.
        key: String,
        /// As TOML, the way `--set` takes it.
        value: String,
    },
    /// One of the three rules goes; setting a key of it brings it back.
    Remove {
        /// The page's number for it, which its answer bears.
        id: u32,
        /// Its name.
        rule: String,
    },
    /// The flock stands still.
    Pause {
        /// The page's number for it, which its answer bears.
        id: u32,
    },
    /// The flock goes on.
    Play {
        /// The page's number for it, which its answer bears.
        id: u32,
    },
    /// One step, and then the flock stands still.
    Step {
        /// The page's number for it, which its answer bears.
        id: u32,
    },
    /// The flock is built anew from the scene as tuned.
    Reset {
        /// The page's number for it, which its answer bears.
        id: u32,
    },
    /// How much faster than the scene's own time steps are made.
    Speed {
        /// The page's number for it, which its answer bears.
        id: u32,
        /// 1 is real time.
        factor: f64,
    },
    /// Why a boid goes where it goes.
    Explain {
        /// The page's number for it, which its answer bears.
        id: u32,
        /// Id of the boid.
        boid: u64,
    },
}

impl Request {
    /// The page's number for it; 0 where there is none.
    pub fn id(&self) -> u32 {
        match *self {
            Self::Next {} => 0,
            Self::Set { id, .. }
            | Self::Remove { id, .. }
            | Self::Pause { id }
            | Self::Play { id }
            | Self::Step { id }
            | Self::Reset { id }
            | Self::Speed { id, .. }
            | Self::Explain { id, .. } => id,
        }
    }
}

/// What became of a request.
#[derive(Debug, Default, Serialize)]
#[serde(tag = "type", rename = "answer")]
pub struct Answer {
    /// The request's number.
    pub id: u32,
    /// Why not, in one line; `null` where all is well.
    pub error: Option<String>,
    /// When a value that was set holds: `next_step` or `rebuild`; `null` where it is for other commands only (`flock.steps`).
    pub effect: Option<&'static str>,
    /// What `explain --json` prints.
    pub page: Option<Box<ExplanationData>>,
}

impl Answer {
    /// That of a request which was refused, in one line.
    pub fn refused(error: String) -> Self {
        Self { error: Some(error), ..Self::default() }
    }
}

/// How things stand: sent to every viewer at its start and after every change.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "state")]
pub struct State {
    /// Name of the scene.
    pub scene: String,
    /// What it says about itself.
    pub about: String,
    /// 2 or 3.
    pub dimensions: usize,
    /// Lowest and highest corner of the domain; `null` where it has no edges.
    pub bounds: Option<[Vec<f32>; 2]>,
    /// Whether boids that leave on one side enter on the other.
    pub periodic: bool,
    /// The domain as in pages of recordings: its kind, and its corners where it has edges.
    pub domain: Value,
    /// Names of the species, in the scene's order; empty where there are none.
    pub species: Vec<String>,
    /// How many boids there are.
    pub boids: usize,
    /// Time one step covers.
    pub dt: f32,
    /// Whether the flock stands still.
    pub paused: bool,
    /// How much faster than the scene's own time.
    pub speed: f64,
    /// How often the flock has been built anew.
    pub run: u32,
    /// Keys whose values wait for a reset.
    pub pending: Vec<String>,
    /// Of the three rules, those the scene does not have.
    pub absent: Vec<&'static str>,
    /// Values that are accepted, but unlikely to be meant.
    pub warnings: Vec<String>,
    /// All keys that have a say.
    pub controls: Vec<Control>,
}
