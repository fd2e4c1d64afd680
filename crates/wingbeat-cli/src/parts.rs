//! A run whose flock is in parts: what `wingbeat-mpi run` does in another way than `wingbeat run`. All else of a run is in one place.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use wingbeat::{Event, TimeStep};
use wingbeat_record::checkpoint::AnyCheckpoint;
use wingbeat_record::{About, Part};
use wingbeat_scene::{AnyFlock, Built, Scene};

use crate::run::RunArgs;

pub use crate::failure::Failure;
pub use crate::report::Recorded;
pub use crate::terminal::{be_quiet, complain, warn};

/// Who steps a flock in parts: this process, and others that it tells what to do.
pub trait Parts {
    /// Gives the parts the flock before its first step here; nobody is in it from then on.
    ///
    /// # Errors
    /// When it cannot be in parts, or one of them is gone; so for all that follow.
    fn begin(&mut self, built: &mut Built, scene: &Scene) -> Result<(), Failure>;

    /// Makes a step; tells how many boids there were before it, and what happened.
    fn step(&mut self, dt: TimeStep) -> Result<Stepped, Failure>;

    /// The flock in one piece, for whoever looks at all of it.
    fn whole(&mut self) -> Result<AnyFlock, Failure>;

    /// Writes what a later step depends on, each part its boids, into files beside this one. Tells all but the boids, and the files' names.
    fn write_checkpoint(&mut self, path: &Path, made: u64) -> Result<(AnyCheckpoint, Vec<String>), Failure>;

    /// The file that names them is written: those of checkpoints before are of no more use.
    fn checkpoint_is_written(&mut self, path: &Path, made: u64);

    /// Begins a recording as `.wbr`, each part a file of its own beside this one; or goes on with one of which so much was on the disk, where
    /// the frame of this step comes next.
    fn begin_recording(&mut self, path: &Path, about: About, resumed: Option<(u64, Vec<Part>)>) -> Result<(), Failure>;

    /// Records the flock as it is.
    fn record(&mut self) -> Result<(), Failure>;

    /// Waits until all that was recorded is on the disk; tells how much that is, of each part.
    fn sync_recording(&mut self) -> Result<Vec<Part>, Failure>;

    /// Makes the recording whole.
    fn finish_recording(&mut self) -> Result<Recorded, Failure>;

    /// Threads of all parts together.
    fn threads(&self) -> usize;

    /// What was needed to keep the parts one flock.
    fn report(&mut self) -> Result<PartsReport, Failure>;
}

/// What a report tells of parts.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct PartsReport {
    /// How many there are.
    pub ranks: usize,
    /// What the one with most work had to do when that was last looked at, in parts of the mean.
    pub imbalance: f64,
    /// How often the boundaries between them have moved.
    pub moved_boundaries: u64,
    /// Boids that moved to another part, by boid and step.
    pub moved: f64,
    /// Boids told to other parts, by boid and step.
    pub told: f64,
    /// Bytes sent, by boid and step.
    pub bytes: f64,
    /// The part of the time that messages were written and read, and that they were waited for: the largest of all parts.
    pub writing: f64,
    /// See `writing`.
    pub waiting: f64,
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

impl PartsReport {
    /// In a line.
    pub(crate) fn text(&self) -> String {
        let Self { ranks, imbalance, moved_boundaries, bytes, writing, waiting, .. } = *self;
        let (writing, waiting) = (100.0 * writing, 100.0 * waiting);
        let times = if moved_boundaries == 1 { "once" } else { "times" };
        let moved = if moved_boundaries == 1 { times.to_string() } else { format!("{moved_boundaries} {times}") };
        format!(
            "{ranks}, most work {imbalance:.2} of the mean, boundaries moved {moved}; {bytes:.2} bytes a boid and step, {writing:.1} % of the time to write and read, {waiting:.1} % to wait"
        )
    }
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

    /// The SIMD level, where one was asked for.
    pub fn level(&self) -> Option<&str> {
        self.0.machine.level.as_deref()
    }

    /// Threads of each part, unless it was said how many; and no page unless one was asked for.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.0.machine.threads.threads.get_or_insert_with(|| threads.to_string());
        self.0.page.no_html |= self.0.page.html.is_none() && !self.0.page.open;
        self
    }
}

/// Runs a scene in parts, and tells of it as `wingbeat run` does.
///
/// # Errors
/// When something is refused, or fails, or the user stops it.
pub fn run(arguments: &Arguments, parts: Box<dyn Parts>) -> Result<(), Failure> {
    crate::run::run_in_parts(&arguments.0, Some(parts))
}
