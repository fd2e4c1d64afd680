//! The steps of a run, of one process or on several ranks, and what is written between them.

use std::time::Instant;

use indicatif::ProgressBar;
use wingbeat::TimeStep;
use wingbeat_measure::{Measurable, Wanted};
use wingbeat_record::RecordedPart;
use wingbeat_scene::{AnyFlock, Built, Scene};

use crate::checkpoint::Checkpointing;
use crate::failure::Failure;
use crate::individuals::{IndividualsFile, People};
use crate::observations::group_radius;
use crate::page::RunPage;
use crate::ranks::Ranks;
use crate::record::Record;
use crate::run_statistics::RunStatistics;
use crate::until::Ended;
use crate::{interrupt, progress};

/// What is written while a flock steps.
#[derive(Default)]
pub struct RunOutputs {
    pub record: Option<Record>,
    /// What this rank records of its boids.
    pub own: Option<Record>,
    pub page: Option<RunPage>,
    pub individuals: Option<IndividualsFile>,
    /// Files with rows of single boids.
    pub wanted: Wanted,
}

impl RunOutputs {
    /// Whether anything takes the whole flock down after so many steps.
    fn is_due(&self, account: &RunStatistics, made: u64) -> bool {
        self.page.as_ref().is_some_and(|page| page.is_due(made))
            || self.record.as_ref().is_some_and(|record| record.is_due(made))
            || self.individuals.is_some() && account.is_sampled_after(made)
    }

    /// Waits until all that was recorded is on the disk; tells how much that is.
    fn sync(&mut self) -> Result<Option<RecordedPart>, Failure> {
        self.own.as_mut().or(self.record.as_mut()).map(Record::sync).transpose()
    }

    /// Takes down the flock as it is after so many steps; individuals where it is their turn.
    fn capture(
        &mut self,
        flock: &AnyFlock,
        account: &RunStatistics,
        (dt, radius): (TimeStep, Option<f64>),
    ) -> Result<(), Failure> {
        let made = account.made;
        if let Some(individuals) = self.individuals.as_mut().filter(|_| account.is_sampled()) {
            let (ids, velocities) = flock.velocities();
            let (number, time, each) =
                (made as i64, account.time(dt), flock.each(self.wanted, radius));
            let dimensions = flock.dimensions();
            individuals.push(People {
                number,
                time,
                ids,
                velocities,
                dimensions,
                each,
                cells: Vec::new(),
            })?;
        }
        self.page.iter_mut().for_each(|page| page.capture(flock, made));
        self.record.as_mut().map_or(Ok(()), |record| record.capture(flock, made))
    }
}

/// What ranks have agreed on before a step.
#[derive(Default)]
struct Agreed {
    /// Why no step is to be made.
    ended: Option<Ended>,
    /// Whether a rank was told to stop.
    is_stopped: bool,
    /// Whether the first rank looks at the whole flock after the step.
    looks: bool,
}

impl Agreed {
    /// Signals of all ranks, and what the first one, which looks at the flock, has seen and will
    /// look at. Collective.
    fn on(
        ranks: &mut Ranks<'_>,
        seen: Result<Option<Ended>, Failure>,
        looks: bool,
    ) -> Result<Self, Failure> {
        const STOP: u32 = 1;
        const LOOK: u32 = 2;
        const EMPTY: u32 = 4;
        const SETTLED: u32 = 8;
        let (_, bits) = ranks.agree_on(seen, |ended| {
            let of = |bit, is_set| if is_set { bit } else { 0 };
            of(STOP, interrupt::requested())
                | of(LOOK, looks)
                | of(EMPTY, *ended == Some(Ended::Empty))
                | of(SETTLED, *ended == Some(Ended::Settled))
        })?;
        let ended = [(EMPTY, Ended::Empty), (SETTLED, Ended::Settled)];
        Ok(Self {
            ended: ended.into_iter().find(|(bit, _)| bits & bit != 0).map(|(_, ended)| ended),
            is_stopped: bits & STOP != 0,
            looks: bits & LOOK != 0,
        })
    }
}

/// Makes the steps, and whatever is wanted between them. Collective.
pub fn step(
    stepped: (&mut Built, Option<&mut Ranks<'_>>),
    scene: &Scene,
    mut account: RunStatistics,
    mut outputs: RunOutputs,
    checkpoint: Option<Checkpointing>,
) -> Result<(Ended, RunStatistics, RunOutputs), Failure> {
    let bar = progress::counted(scene.steps(), "steps");
    bar.set_position(account.made);
    let ended = steps(stepped, scene, (&mut account, &mut outputs), checkpoint, &bar);
    bar.finish_and_clear();
    Ok((ended?, account, outputs))
}

fn steps(
    (built, mut ranks): (&mut Built, Option<&mut Ranks<'_>>),
    scene: &Scene,
    (account, outputs): (&mut RunStatistics, &mut RunOutputs),
    checkpoint: Option<Checkpointing>,
    bar: &ProgressBar,
) -> Result<Ended, Failure> {
    let (first, dt) = (account.made, scene.dt());
    let looks = |account: &RunStatistics, outputs: &RunOutputs, made| {
        account.looks_after(made) || outputs.is_due(account, made)
    };
    let (mut left, mut agreed) = (0, Agreed::default());
    if let Some(ranks) = ranks.as_deref_mut() {
        left = ranks.len();
        agreed = Agreed::on(ranks, Ok(None), looks(account, outputs, first))?;
    }
    loop {
        let made = account.made;
        let is_stopped = agreed.is_stopped || ranks.is_none() && interrupt::requested();
        let ends = if made == scene.steps() {
            Some(Ended::Steps)
        } else {
            is_stopped.then_some(Ended::Interrupted)
        };
        // Before this step is measured and recorded, which a resumed run does first.
        if let Some(checkpoint) =
            checkpoint.as_ref().filter(|due| made > first && (due.is_due(made) || ends.is_some()))
        {
            let recorded = outputs.sync();
            match ranks.as_deref_mut() {
                Some(ranks) => checkpoint.write_ranks(scene, account, ranks, recorded)?,
                None => checkpoint.write(scene, &built.flock, account, recorded?)?,
            }
        }
        let ended = match ranks.as_deref_mut() {
            None => look(built, account, outputs, dt)?,
            Some(ranks) => {
                let may_end = left == 0 && account.until.is_watched();
                let looked = agreed.looks || ends.is_some() || may_end;
                if looked {
                    ranks.gather(built)?;
                }
                let own = outputs.own.as_mut();
                let seen = own.map_or(Ok(()), |own| own.capture_rank(ranks, made));
                let is_seen = looked && ranks.is_first();
                let seen = seen.and_then(|()| match is_seen {
                    true => look(built, account, outputs, dt),
                    false => Ok(None),
                });
                agreed = Agreed::on(ranks, seen, looks(account, outputs, made + 1))?;
                agreed.ended
            }
        };
        if let Some(ended) = ended.or(ends) {
            return Ok(ended);
        }
        match ranks.as_deref_mut() {
            None => account.step(built, dt)?,
            Some(ranks) => {
                let before = Instant::now();
                let stepped = ranks.step(dt)?;
                left = stepped.left;
                account.stepped(&stepped, before.elapsed(), dt);
            }
        }
        bar.inc(1);
    }
}

/// Measures the flock as it is, and takes it down; tells whether it has come to the end that was
/// asked for.
fn look(
    built: &Built,
    account: &mut RunStatistics,
    outputs: &mut RunOutputs,
    dt: TimeStep,
) -> Result<Option<Ended>, Failure> {
    // Ramps may change how far boids look.
    let radius = group_radius(built);
    account.measure(&built.flock, dt, radius);
    outputs.capture(&built.flock, account, (dt, radius))?;
    Ok(account.end(&built.flock))
}
