//! One run of a sweep, and what of it is kept.

use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use wingbeat_scene::{Built, Scene};

use super::recordings::RunRecord;
use crate::columns::{Columns, RunColumns, Sampling};
use crate::failure::Failure;
use crate::interrupt;
use crate::journal::Finished;

/// The same for all runs of a sweep.
pub struct SweepRuns<'a> {
    pub columns: &'a Columns,
    pub sampling: Sampling,
    pub bar: &'a ProgressBar,
    /// Set where another run has failed.
    pub stop: &'a AtomicBool,
}

/// Makes the steps of one run, exactly as `wingbeat run` does; `None` if it was told to stop.
pub fn one(
    scene: &Scene,
    built: &mut Built,
    running: &SweepRuns<'_>,
    mut record: Option<RunRecord>,
) -> Result<Option<Finished>, Failure> {
    let SweepRuns { columns, sampling, bar, stop } = *running;
    let mut numbers = RunColumns::new(columns, sampling, &built.flock);
    record.as_mut().map_or(Ok(()), |record| record.capture(built, 0))?;
    for made in 1..=scene.steps() {
        if stop.load(Ordering::Relaxed) || interrupt::requested() {
            return Ok(None);
        }
        built.step(scene.dt())?;
        numbers.add(built, made, scene.dt().time_of(made));
        record.as_mut().map_or(Ok(()), |record| record.capture(built, made))?;
        bar.inc(1);
    }
    record.map_or(Ok(()), RunRecord::finish)?;
    Ok(Some(Finished {
        state_hash: built.flock.state_hash(),
        values: numbers.values(&built.flock),
    }))
}
