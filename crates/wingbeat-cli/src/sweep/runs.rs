//! One run of a sweep, and what of it is kept.

use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use wingbeat::observe::Wanted;
use wingbeat_scene::{Built, Scene};

use super::columns::Columns;
use super::recordings::RunRecord;
use crate::account::Means;
use crate::events::EventCounter;
use crate::failure::Failure;
use crate::interrupt;
use crate::journal::Finished;
use crate::observations::{Observations, group_radius};

/// Which steps count.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Steps after this one.
    pub average_from: u64,
    /// Of those, multiples of this for the observables that take longer than a step.
    pub every: u64,
}

/// The same for all runs of a sweep.
pub struct Running<'a> {
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
    running: &Running<'_>,
    mut record: Option<RunRecord>,
) -> Result<Option<Finished>, Failure> {
    let Running { columns, sampling, bar, stop } = *running;
    let mut observations = Observations::new("step", columns.wanted());
    let (wanted, each_step) = (columns.wanted(), Wanted::POLARIZATION | Wanted::MILLING);
    let mut means = Means::default();
    let mut counter = EventCounter::new(&built.flock);
    record.as_mut().map_or(Ok(()), |record| record.capture(built, 0))?;
    for made in 1..=scene.steps() {
        if stop.load(Ordering::Relaxed) || interrupt::requested() {
            return Ok(None);
        }
        built.step(scene.dt())?;
        let flock = &built.flock;
        let time = made as f64 * f64::from(scene.dt().get());
        counter.count(flock.events(), time);
        if made > sampling.average_from {
            let sampled = made % sampling.every == 0;
            // Asked for or not, the two cost little; the others are measured only if they are.
            let observables = flock.measure(if sampled { wanted | each_step } else { each_step }, group_radius(built));
            means.add(&observables);
            if sampled {
                observations.push((made as i64, time), &observables, &[]);
            }
        }
        record.as_mut().map_or(Ok(()), |record| record.capture(built, made))?;
        bar.inc(1);
    }
    record.map_or(Ok(()), RunRecord::finish)?;
    let [polarization, milling] = means.means();
    let statistics = observations.statistics();
    let events = counter.report(&built.flock);
    let value = |name: &&str| match *name {
        "polarization" => polarization,
        "milling" => milling,
        name => match statistics.iter().find(|(known, _)| *known == name) {
            Some((_, statistics)) => statistics.map(|statistics| statistics.mean),
            None => events.column(name),
        },
    };
    let values = columns.names().iter().map(value).collect();
    Ok(Some(Finished { state_hash: built.flock.state_hash(), values }))
}
