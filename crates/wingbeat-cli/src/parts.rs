//! A run whose flock is in parts: what `wingbeat-mpi run` does in another way than `wingbeat run`. All else of a run is in one place.

use std::path::Path;
use std::process::ExitCode;

use wingbeat::{Event, TimeStep};
use wingbeat_record::checkpoint::AnyCheckpoint;
use wingbeat_scene::{AnyFlock, Built, Scene};

use crate::run::RunArgs;

pub use crate::failure::Failure;
pub use crate::terminal::{be_quiet, complain, warn};

/// Who steps a flock in parts: this process, and others that it tells what to do.
pub trait Parts {
    /// Gives the parts a flock before its first step here.
    ///
    /// # Errors
    /// When it cannot be in parts, or one of them is gone; so for all that follow.
    fn begin(&mut self, built: &Built, scene: &Scene) -> Result<(), Failure>;

    /// Makes a step; tells how many boids there were before it, and what happened.
    fn step(&mut self, dt: TimeStep) -> Result<Stepped, Failure>;

    /// The flock in one piece, for whoever looks at all of it.
    fn whole(&mut self) -> Result<AnyFlock, Failure>;

    /// Writes what a later step depends on, each part its boids, into files beside this one; tells all but the boids, and the files' names.
    fn write_checkpoint(&mut self, path: &Path, made: u64) -> Result<(AnyCheckpoint, Vec<String>), Failure>;

    /// The file that names them is written: those of the checkpoint before are of no more use.
    fn checkpoint_is_written(&mut self) -> Result<(), Failure>;

    /// Threads of all parts together.
    fn threads(&self) -> usize;
}

/// What came of a step.
pub struct Stepped {
    /// Boids when it began.
    pub boids: usize,
    /// Boids when it ended.
    pub left: usize,
    /// What happened, in order.
    pub events: Vec<Event>,
}

/// Says what went wrong, in the words and with the exit code of the command.
pub fn leave(failure: Failure) -> ExitCode {
    crate::leave(failure)
}

/// What was typed after the name of a program that runs scenes as `wingbeat run` does.
pub struct Arguments(RunArgs);

impl Arguments {
    /// Reads it.
    ///
    /// # Errors
    /// When it is not understood.
    pub fn read(name: &'static str, about: &'static str, typed: impl Iterator<Item = String>) -> Result<Self, Failure> {
        crate::run::arguments(name, about, typed).map(Self)
    }

    /// Whether nothing is to be told but results and errors.
    pub fn is_json(&self) -> bool {
        self.0.print.json
    }
}

/// Runs a scene in parts, and tells of it as `wingbeat run` does.
///
/// # Errors
/// When something is refused, or fails, or the user stops it.
pub fn run(arguments: &Arguments, parts: Box<dyn Parts>) -> Result<(), Failure> {
    crate::run::run_in_parts(&arguments.0, Some(parts))
}
