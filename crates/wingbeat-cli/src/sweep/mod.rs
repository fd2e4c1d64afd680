//! `wingbeat sweep`: a scene for every combination of some values, in parallel, and what came of it
//! as one table.
//!
//! [`args`] says what can be typed, [`axes`] reads what is swept, [`chain`] which runs go on from
//! each other, [`condition`] which are made, `crate::columns` what is asked of them, [`runs`] makes
//! the runs, [`journal`] keeps those that are finished, [`table`] averages over seeds, [`spread`]
//! counts how they differ, [`picture`] draws, of seeds alone by [`distribution`], [`recordings`]
//! keeps what flew.

mod args;
mod axes;
mod axis;
mod chain;
mod condition;
mod continued;
mod distribution;
mod picture;
mod recordings;
mod runs;
mod spread;
mod table;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use wingbeat_scene::{Built, Machine, Scene, SceneError};

use crate::columns::{Columns, Sampling};
use crate::failure::Failure;
use crate::files::Files;
use crate::journal::{self, Finished, Header, Journal};
use crate::labels::in_table;
use crate::output::Output;
use crate::report::grouped;
use crate::units::Units;
use crate::{interrupt, jobs, options, progress, source, terminal};

pub use args::SweepArgs;
use axes::Axes;
use picture::Picture;
use recordings::Recordings;
use runs::SweepRuns;
use table::SweepRow;

/// Finished runs by their values.
type Known = HashMap<Vec<String>, Finished>;

/// Steps between two measurements of the observables that take longer than a step.
const EVERY: u64 = 10;

/// Everything about a sweep that is settled before its first run.
struct SweepPlan<'a> {
    args: &'a SweepArgs,
    axes: Axes,
    columns: Columns,
    /// The scene's text, read once, so that an edit meanwhile changes nothing.
    text: String,
    machine: Machine,
    sampling: Sampling,
    /// Steps of each combination.
    steps: Vec<u64>,
    units: Units,
    /// What the scene of the first combination contradicts itself in.
    warnings: Vec<String>,
    /// Files that the scenes of the runs name.
    named_files: BTreeSet<PathBuf>,
    output: Output,
    picture: Option<Picture>,
    recordings: Option<Recordings>,
}

/// Runs all combinations and writes the table.
pub fn sweep(args: &SweepArgs) -> Result<(), Failure> {
    let started = Instant::now();
    let plan = SweepPlan::new(args)?;
    let (journal, mut finished) = Journal::open(plan.output.path(), &plan.header()?, args.fresh)?;
    let journal_path = journal.path().to_path_buf();
    let all = plan.axes.combinations * plan.axes.seed_count();
    plan.recordings.as_ref().map_or(Ok(()), Recordings::begin)?;
    if plan.axes.kept.is_some() {
        let possible = plan
            .axes
            .swept
            .iter()
            .fold(1, |product: usize, axis| product.saturating_mul(axis.values.len()));
        terminal::note(&format!(
            "--where: {} of {possible} combinations are left",
            plan.axes.combinations
        ));
    }
    let resumed = (0..all).filter(|&run| finished.contains_key(&plan.names(run))).count();
    if resumed > 0 {
        terminal::note(&format!(
            "{resumed} of {all} runs were finished before ({})",
            journal_path.display()
        ));
    }
    plan.warnings.iter().for_each(|warning| terminal::warn(warning));
    interrupt::listen()?;
    let new = plan.run(&finished, journal)?;
    let made = resumed + new.len();
    finished.extend(new);
    if made < all && interrupt::requested() {
        return Err(Failure::Stopped(format!(
            "stopped after {made} of {all} runs; the same command goes on from there"
        )));
    }

    let rows = plan.rows(&finished)?;
    let Sampling { average_from, every } = plan.sampling;
    let keys: Vec<&str> = plan.axes.swept.iter().map(|axis| axis.key.as_str()).collect();
    plan.output.write(|out| table::write(&keys, &plan.columns, average_from, every, &rows, out))?;
    // The table is whole: what it is summed up to is said even if nothing can be drawn of it.
    let draw = |picture: &Picture| {
        picture.write(&args.scene, &plan.units, &plan.axes, average_from, &rows)
    };
    let drawn = plan.picture.as_ref().map_or(Ok(()), draw);
    let mut text = format!(
        "{}: {} runs, {} of them new, in {:.1} s\n",
        args.scene,
        grouped(all as u64),
        grouped((all - resumed) as u64),
        started.elapsed().as_secs_f64()
    );
    let mut line = |path: &Path, what: String| {
        text += &format!("  {:<28}  {what}\n", path.display().to_string())
    };
    line(plan.output.path(), table::described(&rows, plan.axes.seed_count()));
    line(&journal_path, "the runs; the same command goes on from here".into());
    plan.picture
        .iter()
        .filter(|_| drawn.is_ok())
        .for_each(|picture| line(picture.path(), "the plot".into()));
    plan.recordings.iter().for_each(|recordings| {
        line(recordings.folder(), format!("{} recordings", grouped(all as u64)))
    });
    for (name, spread) in table::spreads(&rows, &plan.columns) {
        text += &format!("  {:<28}  {spread}\n", in_table(&plan.units, name));
    }
    terminal::say(&text)?;
    drawn
}

impl<'a> SweepPlan<'a> {
    /// Refuses whatever can be refused, before anything is run or written.
    fn new(args: &'a SweepArgs) -> Result<Self, Failure> {
        let axes = Axes::parse(args)?;
        let columns = Columns::parse(args.columns.as_ref())?;
        let machine = args.machine.machine();
        let mut files = Files::default();
        let output = files.write("--out", &args.out, &["csv"])?;
        files.write("--out", &journal::path_beside(&args.out), &["csv"])?;
        let picture = Picture::plan(args, &columns, &axes, &mut files)?;
        // Its refusals are those of `run`.
        let first = Scene::load(&args.scene, &axes.overrides(0, 0))?;
        files.read_scene(&args.scene, &first)?;
        let mut plan = Self {
            text: source::text(&args.scene)?,
            units: Units::of_scene(&first),
            sampling: Sampling { average_from: 0, every: EVERY },
            steps: Vec::with_capacity(axes.combinations),
            warnings: Vec::new(),
            named_files: BTreeSet::new(),
            args,
            axes,
            columns,
            machine,
            output,
            picture,
            recordings: None,
        };
        plan.check()?;
        plan.recordings = Recordings::plan(args.record.as_ref(), &plan.axes, &plan.named_files)?;
        plan.named_files.iter().try_for_each(|path| files.read(path))?;
        Ok(plan)
    }

    /// Checks every combination, and every seed.
    fn check(&mut self) -> Result<(), Failure> {
        for combination in 0..self.axes.combinations {
            let scene = self.scene(combination, 0)?;
            let warnings = scene.check_settings()?;
            if combination == 0 {
                self.warnings = warnings;
            }
            self.refuse_ramped(&scene)?;
            self.columns.check("--columns", &scene)?;
            if let Some(text) = &self.args.average_from {
                self.sampling.average_from = options::average_from(text, scene.steps())?;
            } else if scene.steps() == 0 {
                return Err(Failure::BadInput(format!(
                    "{}: flock.steps = 0: allowed is 1 or more, to average over",
                    self.args.scene
                )));
            }
            self.steps.push(scene.steps());
            self.named_files.extend(scene.files());
        }
        let fewest = self.steps.iter().min().copied().unwrap_or(0);
        self.sampling.every = self.every(fewest)?;
        // Whole numbers from 0 are seeds; the rest is for the scene to refuse, in its own words. A
        // million need not wait for it.
        let seeds = self.axes.seeds.iter().flat_map(|axis| axis.values.iter().enumerate());
        for (seed, _) in seeds.filter(|(_, value)| {
            !value.parse().is_ok_and(|seed: i64| seed >= 0 && seed.to_string() == **value)
        }) {
            self.scene(0, seed)?;
        }
        Ok(())
    }

    /// Refuses to sweep what a ramp of the scene changes: all runs would be the same, under
    /// different names.
    fn refuse_ramped(&self, scene: &Scene) -> Result<(), Failure> {
        let swept = self
            .axes
            .swept
            .iter()
            .flat_map(|axis| scene.ramps().iter().map(move |ramp| (axis, ramp)));
        let Some((axis, ramp)) = swept.into_iter().find(|(axis, ramp)| ramp.key == axis.key) else {
            return Ok(());
        };
        let (name, values) = (&ramp.name, axis.values.join(","));
        let allowed = format!(
            "ramp.{name}.to or ramp.{name}.from, since [ramp.{name}] changes \
            this key as the flock flies"
        );
        Err(Failure::value(&format!("{} {}", axis.flag, axis.key), &values, &allowed))
    }

    /// How far apart the measured steps are, such that at least one lies among the last of the
    /// shortest run.
    fn every(&self, steps: u64) -> Result<u64, Failure> {
        let from = self.sampling.average_from;
        let Some(asked) = &self.args.every else {
            return Ok(if steps - from < EVERY { 1 } else { EVERY });
        };
        let every = asked.0;
        if steps / every == from / every {
            let allowed = format!(
                "a whole number with a multiple among the averaged steps, {} to {steps}",
                from + 1
            );
            return Err(Failure::value("--every", &asked.text, &allowed));
        }
        Ok(every)
    }

    fn scene(&self, combination: usize, seed: usize) -> Result<Scene, SceneError> {
        let folder = Path::new(&self.args.scene).parent().unwrap_or(Path::new(""));
        let scene =
            Scene::parse(&self.args.scene, &self.text, &self.axes.overrides(combination, seed))?;
        Ok(scene.in_folder(folder))
    }

    fn names(&self, run: usize) -> Vec<String> {
        self.axes.names(run / self.axes.seed_count(), run % self.axes.seed_count())
    }

    fn header(&self) -> Result<Header, Failure> {
        Ok(Header {
            version: env!("CARGO_PKG_VERSION").into(),
            scene: self.args.scene.clone(),
            content: source::fingerprint(&self.text, &self.named_files)?,
            set: self
                .axes
                .fixed
                .iter()
                .map(|axis| (axis.key.clone(), axis.values[0].clone()))
                .collect(),
            swept: self.axes.keys().into_iter().map(str::to_string).collect(),
            columns: self.columns.names().to_vec(),
            average_from: self.sampling.average_from,
            every: self.sampling.every,
            continued: self
                .axes
                .continued
                .as_ref()
                .map(|continued| continued.about(&self.axes.swept, &self.args.conditions)),
        })
    }

    /// Makes the runs that are pending; each is in the journal as soon as it is finished. Where
    /// runs go on from each other, all of a chain are made again for one that is not finished: the
    /// states between them are not kept.
    fn run(&self, before: &Known, journal: Journal) -> Result<Known, Failure> {
        let is_new = |run: &usize| !before.contains_key(&self.names(*run));
        // A recording of a run that the journal does not know is of another sweep.
        let to_record = |run: usize| {
            self.recordings.as_ref().filter(|to| is_new(&run) || !to.path(&self.axes, run).exists())
        };
        let is_pending = |run: &usize| is_new(run) || to_record(*run).is_some();
        let pending: Vec<Vec<usize>> =
            self.axes.chains().into_iter().filter(|chain| chain.iter().any(is_pending)).collect();
        let seeds = self.axes.seed_count();
        let steps = pending
            .iter()
            .flatten()
            .fold(0_u64, |sum, run| sum.saturating_add(self.steps[run / seeds]));
        let bar = progress::runs(steps);
        let all = self.axes.combinations * seeds;
        let done =
            AtomicUsize::new(all - pending.iter().flatten().filter(|run| is_new(run)).count());
        bar.set_message(format!("{}/{all} runs", done.load(Ordering::Relaxed)));
        let said = AtomicUsize::new(0);
        let written = Mutex::new((journal, HashMap::new()));
        jobs::all(pending.len(), jobs::threads(&self.machine), |job, threads, stop| {
            let machine = Machine { threads: Some(threads), ..self.machine };
            let running =
                SweepRuns { columns: &self.columns, sampling: self.sampling, bar: &bar, stop };
            let mut flown: Option<Built> = None;
            for &run in &pending[job] {
                let scene = self.scene(run / seeds, run % seeds)?;
                let built = match &mut flown {
                    Some(built) => {
                        scene.apply(&mut built.flock)?;
                        built.schedule = scene.schedule();
                        built
                    }
                    none => none.insert(scene.build(&machine)?),
                };
                let start = |recordings: &Recordings| {
                    recordings.start(&self.axes, run, built, &scene, self.sampling.every)
                };
                let record = to_record(run).map(start).transpose()?;
                let finished = runs::one(&scene, built, &running, record)?;
                // The same of every run.
                if !built.notes.is_empty() && said.fetch_add(1, Ordering::Relaxed) == 0 {
                    built.notes.iter().for_each(|note| bar.suspend(|| terminal::note(note)));
                }
                let Some(finished) = finished else { return Ok(()) };
                let names = self.names(run);
                if let Some(earlier) = before.get(&names) {
                    same_again(&names, earlier, &finished)?;
                    continue;
                }
                let mut written = jobs::locked(&written);
                written.0.append(&names, &finished)?;
                written.1.insert(names, finished);
                bar.set_message(format!("{}/{all} runs", done.fetch_add(1, Ordering::Relaxed) + 1));
            }
            Ok(())
        })?;
        bar.finish_and_clear();
        Ok(written.into_inner().unwrap_or_else(PoisonError::into_inner).1)
    }

    /// The table, in order of combinations.
    fn rows(&self, finished: &Known) -> Result<Vec<SweepRow>, Failure> {
        let missing = |names: &[String]| {
            Failure::Other(format!("run {} is missing from the journal", names.join(", ")))
        };
        let row = |combination: usize| {
            let runs = (0..self.axes.seed_count()).map(|seed| {
                let names = self.axes.names(combination, seed);
                finished.get(&names).map(|run| run.values.as_slice()).ok_or_else(|| missing(&names))
            });
            let values = self.axes.values(combination).into_iter().map(str::to_string).collect();
            Ok(SweepRow::of(
                values,
                self.steps[combination],
                &self.columns,
                &runs.collect::<Result<Vec<_>, _>>()?,
            ))
        };
        (0..self.axes.combinations).map(row).collect()
    }
}

/// Refuses to go on where a run that was made again did not end as the journal says.
fn same_again(names: &[String], earlier: &Finished, now: &Finished) -> Result<(), Failure> {
    if earlier.state_hash == now.state_hash {
        return Ok(());
    }
    let message = "ends in another state than the journal has: --fresh starts over";
    Err(Failure::Other(format!("run {} {message}", names.join(", "))))
}
