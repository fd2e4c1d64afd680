//! A run whose flock is in parts: what `wingbeat-mpi run` does in another way than `wingbeat run`.
//! All else of a run is in one place.

use std::path::Path;

use wingbeat::{Event, TimeStep};
use wingbeat_record::checkpoint::AnyCheckpoint;
use wingbeat_record::{About, RecordedPart};
use wingbeat_scene::{AnyFlock, Built, Scene};

pub use crate::failure::Failure;
pub use crate::report::{PartsReport, Recorded};

/// Who steps a flock in parts: this process, and others that it tells what to do.
pub trait Parts {
    /// Gives the parts the flock before its first step here; no boid is in it from then on.
    ///
    /// # Errors
    /// When it cannot be in parts, or one of them is gone; so for all that follow.
    fn begin(&mut self, built: &mut Built, scene: &Scene) -> Result<(), Failure>;

    /// Makes a step; tells how many boids there were before it, and what happened.
    fn step(&mut self, dt: TimeStep) -> Result<Stepped, Failure>;

    /// The flock in one piece, for what looks at all of it.
    fn whole(&mut self) -> Result<AnyFlock, Failure>;

    /// Writes what a later step depends on, each part its boids, into files beside this one. Tells
    /// all but the boids, and the files' names.
    fn write_checkpoint(
        &mut self,
        path: &Path,
        made: u64,
    ) -> Result<(AnyCheckpoint, Vec<String>), Failure>;

    /// The file that names them is written: those of checkpoints before are of no more use.
    fn checkpoint_is_written(&mut self, path: &Path, made: u64);

    /// Begins a recording in this folder, each part a file of its own; or goes on with one that has
    /// so many frames, where that of this step comes next.
    fn begin_recording(
        &mut self,
        path: &Path,
        about: About,
        resumed: Option<(u64, u64)>,
    ) -> Result<(), Failure>;

    /// Records the flock as it is.
    fn record(&mut self) -> Result<(), Failure>;

    /// Waits until all that was recorded is on the disk; tells how much that is.
    fn sync_recording(&mut self) -> Result<RecordedPart, Failure>;

    /// Makes the recording whole.
    fn finish_recording(&mut self) -> Result<Recorded, Failure>;

    /// Threads of all parts together.
    fn threads(&self) -> usize;

    /// What was needed to keep the parts one flock.
    fn report(&mut self) -> Result<PartsReport, Failure>;
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
