//! What a page and the view say to each other in JSON; frames are binary, see [`frame`](crate::frame).

use serde::{Deserialize, Serialize};
use wingbeat_explain::Page;

use crate::controls::Control;

/// What a page may ask for.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Wish {
    /// The page has drawn the last frame and takes another. The only wish without an answer.
    Next {},
    /// A key of the scene.
    Set {
        /// Whom to answer.
        id: u32,
        /// Dotted name.
        key: String,
        /// As TOML, the way `--set` takes it.
        value: String,
    },
    /// Without one of the three rules; to set a key of it brings it back.
    Remove {
        /// Whom to answer.
        id: u32,
        /// Which.
        rule: String,
    },
    /// Stands still.
    Pause {
        /// Whom to answer.
        id: u32,
    },
    /// Goes on.
    Play {
        /// Whom to answer.
        id: u32,
    },
    /// Stands still after another step.
    Step {
        /// Whom to answer.
        id: u32,
    },
    /// Builds the flock anew from the scene as tuned.
    Reset {
        /// Whom to answer.
        id: u32,
    },
    /// How much faster than the scene's own time.
    Speed {
        /// Whom to answer.
        id: u32,
        /// 1 is real time.
        factor: f64,
    },
    /// Why a boid goes where it goes.
    Explain {
        /// Whom to answer.
        id: u32,
        /// Its id.
        boid: u64,
    },
}

/// What a wish came to.
#[derive(Debug, Default, Serialize)]
#[serde(tag = "type", rename = "answer")]
pub struct Answer {
    /// The wish's.
    pub id: u32,
    /// Why not, in one line; `null` where all is well.
    pub error: Option<String>,
    /// When a value that was set holds: `next_step` or `rebuild`; `null` where it is for other commands only (`flock.steps`).
    pub effect: Option<&'static str>,
    /// What `explain --json` prints.
    pub page: Option<Box<Page>>,
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
    /// Whether who leaves on one side enters on the other.
    pub periodic: bool,
    /// How many.
    pub boids: usize,
    /// Time one step covers.
    pub dt: f32,
    /// Whether it stands still.
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
