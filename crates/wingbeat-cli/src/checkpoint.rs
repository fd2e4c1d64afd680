//! `run --checkpoint` and `--resume`: a run that is broken off goes on where it was, on whatever
//! machine, and ends in the same bits.
//!
//! A checkpoint is everything that a later line of output depends on: the scene, the flock, what
//! was counted and measured so far, and how much of the recording there was. It is written between
//! two steps, in place of the one before, whole or not at all.

use std::path::Path;

use serde::{Deserialize, Serialize};
use wingbeat_record::RecordedPart;
use wingbeat_record::checkpoint::{self, AnyCheckpoint};
use wingbeat_scene::{AnyFlock, Scene};

use crate::failure::Failure;
use crate::output::Output;
use crate::ranks::{Ranks, remove_older_parts};
use crate::run_statistics::RunStatistics;
use crate::terminal;
use crate::values::{Every, Whole};

/// What the files say they are.
const KIND: &str = "run";

/// Steps from one checkpoint to the next, unless told otherwise.
const EVERY: u64 = 1000;

/// What a run writes from time to time.
pub struct Checkpointing {
    output: Output,
    every: u64,
}

/// Everything of a run between two steps.
#[derive(Serialize, Deserialize)]
pub struct RunState<A = RunStatistics> {
    /// Version of the program: another may compute other bits.
    version: String,
    /// The scene as TOML.
    scene: String,
    /// What was counted and measured so far.
    pub account: A,
    /// How much of the recording was on the disk, where there was one.
    pub recorded: Option<RecordedPart>,
    /// Files with the boids, beside this one, of a run on several ranks: what is in here has none
    /// then.
    #[serde(default)]
    parts: Vec<String>,
}

impl RunState {
    /// Whether several ranks wrote it.
    pub fn is_of_ranks(&self) -> bool {
        !self.parts.is_empty()
    }
}

/// A run as its checkpoint has it.
pub struct SavedRun {
    pub state: RunState,
    flock: AnyCheckpoint,
}

impl Checkpointing {
    /// Every so many steps, as the option says.
    pub fn new(output: Output, every: Option<Every>) -> Self {
        Self { output, every: every.map_or(EVERY, |Whole(every)| every) }
    }

    /// Whether the checkpoint after so many steps is due.
    pub fn is_due(&self, made: u64) -> bool {
        made.is_multiple_of(self.every)
    }

    /// Writes the run as it is.
    pub fn write(
        &self,
        scene: &Scene,
        flock: &AnyFlock,
        account: &RunStatistics,
        recorded: Option<RecordedPart>,
    ) -> Result<(), Failure> {
        self.write_state((scene, account), flock.checkpoint(), Vec::new(), recorded)
    }

    /// The same on several ranks: the boids of each, and then the file that names them. Collective.
    pub fn write_ranks(
        &self,
        scene: &Scene,
        account: &RunStatistics,
        ranks: &mut Ranks<'_>,
        recorded: Result<Option<RecordedPart>, Failure>,
    ) -> Result<(), Failure> {
        let (path, made) = (self.output.path(), account.made);
        let saved = recorded.and_then(|recorded| Ok((ranks.save(path, made)?, recorded)));
        let ((flock, files), recorded) = ranks.agree(saved)?;
        let is_first = ranks.is_first();
        ranks.agree(if is_first {
            self.write_state((scene, account), flock, files, recorded)
        } else {
            Ok(())
        })?;
        if is_first {
            remove_older_parts(path, made);
        }
        Ok(())
    }

    fn write_state(
        &self,
        (scene, account): (&Scene, &RunStatistics),
        flock: AnyCheckpoint,
        parts: Vec<String>,
        recorded: Option<RecordedPart>,
    ) -> Result<(), Failure> {
        let (version, scene) = (env!("CARGO_PKG_VERSION").into(), scene.to_toml());
        let state = RunState { version, scene, account, recorded, parts };
        let failed = |why: String| {
            Failure::Other(format!("--checkpoint {}: {why}", self.output.path().display()))
        };
        let bytes = checkpoint::seal(KIND, &state, Some(&flock)).map_err(failed)?;
        self.output.write(|out| out.write_all(&bytes))
    }
}

impl SavedRun {
    /// Reads one, and refuses it if it is of another scene than this.
    pub fn read(path: &str, scene: &Scene) -> Result<Self, Failure> {
        let refuse = |why: String| Err(Failure::BadInput(format!("--resume {path}: {why}")));
        let (state, flock): (RunState, _) = checkpoint::read(Path::new(path), KIND)?;
        let Some(mut flock) = flock else {
            return refuse("without a flock: allowed is with one".into());
        };
        checkpoint::read_parts(&mut flock, Path::new(path), &state.parts)?;
        let was = Scene::parse(scene.name(), &state.scene, &[])?;
        match scene.changes_from(&was) {
            Some(changes) if changes.is_empty() => {}
            Some(changes) => {
                return refuse(format!(
                    "a run of another scene: allowed is without {}",
                    changes.join(", ")
                ));
            }
            None => {
                return refuse(format!(
                    "a run of another scene: allowed is one of {}",
                    scene.name()
                ));
            }
        }
        let made = state.account.made;
        if made > scene.steps() {
            return refuse(format!(
                "{made} steps are made: allowed is --steps of at least as many, not {}",
                scene.steps()
            ));
        }
        if state.version != env!("CARGO_PKG_VERSION") {
            let (was, is) = (&state.version, env!("CARGO_PKG_VERSION"));
            terminal::warn(&format!(
                "{path} was written by wingbeat {was}, and {is} may compute other bits from here on"
            ));
        }
        Ok(Self { state, flock })
    }

    /// Puts a flock of the scene where the run was.
    pub fn restore(&self, path: &str, flock: &mut AnyFlock) -> Result<(), Failure> {
        let restored = flock.restore(&self.flock);
        restored.map_err(|refusal| Failure::BadInput(format!("--resume {path}: {refusal}")))
    }
}
