//! `wingbeat run`: the main job. Reads, steps, measures, writes, reports.

use std::io::IsTerminal;
use std::path::Path;
use std::time::Instant;

use clap::{Args, FromArgMatches};
use wingbeat::TimeStep;
use wingbeat_measure::{Curves, Measurable, Wanted};
use wingbeat_scene::{AnyFlock, Built, Scene};

use crate::checkpoint::{Checkpointing, SavedRun};
use crate::curves::{CurveArgs, CurveOutputs};
use crate::failure::Failure;
use crate::files::Files;
use crate::individuals::{IndividualsFile, People};
use crate::observations::group_radius;
use crate::options::{ColumnValues, MachineValues, Print, SceneValues, average_from, every};
use crate::output::Output;
use crate::page::{PageArgs, PageTarget, RunPage};
use crate::parts::Parts;
use crate::record::Record;
use crate::report::{Final, Report};
use crate::run_statistics::{RunSampling, RunStatistics};
use crate::until::{Ended, Until, UntilWord};
use crate::values::{Every, Given, OneOf, given, with_negative_numbers};
use crate::{density, final_state, interrupt, open, progress, still, terminal};

const EXAMPLES: &str = "\
Examples:
  wingbeat run murmuration --boids 20000 --threads 1
  wingbeat run shoal --steps 2000 --average-from 1000 --json
  wingbeat run shoal --set alignment.radius=2.5 --set domain.kind=walled --set domain.margin=4 \
    --set domain.strength=20
  wingbeat run shoal --final after.csv --still after.svg
  wingbeat run shoal --initial after.csv           and on from there
  wingbeat run shoal --observe order.csv --every 10
  wingbeat run shoal --observe order.csv --columns polarization,groups
  wingbeat run shoal --curve speed=speeds.svg --curve mean_squared_displacement=msd.csv --lags 200
  wingbeat run evacuation --steps 20000 --until empty     ends when the last one is out
  wingbeat run evacuation --exits out.csv                 who left by which exit, and when
  wingbeat run murmuration --record starlings.wbr --every 5
  wingbeat run murmuration --steps 100000 --checkpoint night.wbc      broken off, it goes on with:
  wingbeat run murmuration --steps 100000 --checkpoint night.wbc --resume night.wbc
  wingbeat run shoal --html shoal.html
  wingbeat run shoal --open                        the page of the run, in the browser

On a terminal a run also writes SCENE.html, a web page that replays it, unless another file has that
name (--no-html: no page).

--record writes while the flock steps: .wbr (Wingbeat's own: exact, compact, readable after a
crash), .npz (NumPy), .csv, .xyz (OVITO), .vtp (ParaView, a file a frame and a .pvd), .ply (Blender,
a file a frame). docs/RECORDINGS.md says more. Ctrl-C ends the run after the present step, with the
recording and the summary of the steps that were made, and exit code 130.

--checkpoint writes all that a later step depends on, and all that was counted and measured, every
1000 steps, at the end and when the run is stopped. --resume goes on from there, at whatever --level
and on whatever --threads, with the same other options, and ends in the bits of a run that was never
broken off: state, events, observables, recording (.wbr only). --steps counts from the start.
docs/RECORDINGS.md says more.

--set takes any key of a scene file (docs/KEYS.md lists them) and a TOML value. Results depend on
the scene and the seed only, never on --threads or --level. Output files appear whole or not at all,
and never in place of a file that is read.";

const TRY: &str = "\
Nothing to run yet. Three commands to try:

  wingbeat run murmuration                  100,000 starlings over their roost
  wingbeat run shoal --still shoal.png      20,000 fish, and a picture of them
  wingbeat show shoal > my.toml             a scene of your own to edit, then: wingbeat run my.toml

wingbeat presets lists all scenes by name, wingbeat run --help all options.
";

#[derive(Args, Debug, Default, PartialEq)]
#[command(after_help = EXAMPLES)]
pub struct RunArgs {
    /// A TOML file, or a preset's name; left out: three commands to try
    pub scene: Option<String>,
    #[command(flatten)]
    pub values: SceneValues,
    #[command(flatten)]
    pub machine: MachineValues,
    /// Write the last state as CSV: id[,species],x,y[,z],vx,vy[,vz], sorted by id
    #[arg(long = "final", value_name = "FILE.csv")]
    pub final_file: Option<String>,
    /// Draw the last state: a triangle for each boid, pointing along its heading, colored by its
    /// species or else by its heading
    #[arg(long, value_name = "FILE.svg|.png")]
    pub still: Option<String>,
    /// Also report polarization and milling averaged over the steps after this one; with --every,
    /// all observables
    #[arg(long, value_name = "STEP")]
    pub average_from: Option<String>,
    /// Write observables over time as CSV, from step 0 on; docs/MEASURES.md defines them
    #[arg(long, value_name = "FILE.csv")]
    pub observe: Option<String>,
    #[command(flatten)]
    pub columns: ColumnValues,
    #[command(flatten)]
    pub curves: CurveArgs,
    /// Write a row for every boid at every measured step as CSV: speed, turning rate, nearest
    /// neighbor, group, local order
    #[arg(long, value_name = "FILE.csv")]
    pub individuals: Option<String>,
    /// Record positions and velocities from step 0 on, in the format that the file's ending names
    #[arg(long, value_name = "FILE.wbr|.npz|.csv|.xyz|.vtp|.ply")]
    pub record: Option<String>,
    /// Measure and record every N-th step only,
    /// for --observe, --average-from, --curve, --individuals and --record [default: 1]
    #[arg(long, value_name = "N")]
    pub every: Option<Given<Every>>,
    /// Write who left by which exit and when as CSV: id,time,exit, in time
    #[arg(long, value_name = "FILE.csv")]
    pub exits: Option<String>,
    /// End before all steps are made: when no boid is left or still to come (empty), or also when
    /// no boid moves (settled: no speed above a thousandth of the largest max_speed in 100 steps in
    /// a row)
    #[arg(long, value_name = "empty|settled")]
    pub until: Option<Given<OneOf<UntilWord>>>,
    /// Write a checkpoint from time to time and at the end, from which --resume goes on: in place
    /// of the one before, whole or not at all
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<String>,
    /// Steps from one checkpoint to the next [default: 1000]
    #[arg(long, value_name = "N", requires = "checkpoint")]
    pub checkpoint_every: Option<Given<Every>>,
    /// Resume from a checkpoint of this scene, in the bits of the run that wrote it; its .wbr
    /// recording is appended to
    #[arg(long, value_name = "FILE")]
    pub resume: Option<String>,
    #[command(flatten)]
    pub page: PageArgs,
    #[command(flatten)]
    pub print: Print,
}

/// What was typed after the name of another program that runs scenes.
///
/// # Errors
/// When it is not understood.
pub fn arguments(
    name: &'static str,
    about: &'static str,
    typed: impl Iterator<Item = String>,
) -> Result<RunArgs, Failure> {
    let command = RunArgs::augment_args(
        clap::Command::new(name).about(about).version(env!("CARGO_PKG_VERSION")).after_help(""),
    );
    let command = with_negative_numbers(command);
    let matches =
        command.try_get_matches_from(typed).map_err(|error| Failure::of_arguments(error, &[]))?;
    RunArgs::from_arg_matches(&matches).map_err(|error| Failure::of_arguments(error, &[]))
}

/// Runs a scene; without one, says what could be run.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    run_in_parts(args, None)
}

/// The same, its flock in parts if there are any.
///
/// # Errors
/// When something is refused, or fails, or the user stops it.
pub fn run_in_parts(args: &RunArgs, mut parts: Option<Box<dyn Parts>>) -> Result<(), Failure> {
    let started = Instant::now();
    let Some(source) = &args.scene else {
        if *args == RunArgs::default() {
            return terminal::print(TRY);
        }
        return Err(Failure::BadInput(
            "run: no scene was given: allowed is a TOML file or a name from wingbeat presets"
                .into(),
        ));
    };
    let scene = Scene::load(source, &args.values.overrides()?)?;
    if args.exits.is_some() && !scene.has_exits() {
        return Err(Failure::BadInput(format!(
            "--exits: {source} has none: allowed with a scene that has an [exit.NAME]"
        )));
    }
    let machine = args.machine.machine();
    let average_from =
        args.average_from.as_ref().map(|text| average_from(text, scene.steps())).transpose()?;
    let measured = measured_every(args)?;
    if let Some(names) = args.columns.columns.as_ref().filter(|_| measured.is_none()) {
        let allowed = "nothing without --observe, --individuals or --average-from with --every";
        return Err(Failure::value("--columns", &names.text, allowed));
    }
    let wanted = args.columns.wanted();
    // Observables that no output asks for are not computed.
    let is_told = args.observe.is_some() || average_from.is_some();
    let sampling = RunSampling {
        average_from,
        every: measured,
        wanted: if is_told { wanted } else { Wanted::NONE },
    };
    let until = Until::new(given(&args.until));
    let Targets { observe, last, exits, still, record, checkpoint, page, curves, individuals } =
        Targets::new(args, source, &scene, parts.is_some())?;
    let growing = args.curves.begin(&curves, f64::from(scene.dt().get()), measured.unwrap_or(1))?;
    let resumed = args
        .resume
        .as_ref()
        .map(|path| resume(path, args, &scene, sampling, &growing))
        .transpose()?;

    let mut built = scene.build(&machine)?;
    built.warnings.iter().for_each(|warning| terminal::warn(warning));
    built.notes.iter().for_each(|note| terminal::note(note));
    let (account, recorded) = match (resumed, &args.resume) {
        (Some(run), Some(path)) => {
            run.restore(path, &mut built.flock)?;
            (run.state.account, run.state.recorded)
        }
        _ => (RunStatistics::new(&built.flock, sampling, growing, until), None),
    };
    interrupt::listen()?;
    let page = page.map(|target| RunPage::start(target, &built, &scene)).transpose()?;
    // Parts record their boids themselves, as .wbr; other formats have all boids in one file, and
    // are made where the flock is looked at.
    let (in_parts, record) = match record {
        Some(output) if parts.is_some() && output.extension() == "wbr" => (Some(output), None),
        record => (None, record),
    };
    let record = record
        .map(|output| Record::start(&output, &built, &scene, every(&args.every), recorded))
        .transpose()?;
    let recording_every = in_parts.as_ref().map(|_| every(&args.every));
    let radius = group_radius(&built).is_some();
    let individuals = individuals
        .map(|output| IndividualsFile::begin(&output, "step", wanted, radius, false))
        .transpose()?;
    let along = RunOutputs { record, page, individuals, wanted, recording_every };
    if let Some(parts) = &mut parts {
        let about = recording_every.map(|every| built.about(&scene, every)).transpose()?;
        parts.begin(&mut built, &scene)?;
        if let (Some(output), Some(about)) = (&in_parts, about) {
            let resumed = recorded.map(|part| (account.made, part.frames));
            parts.begin_recording(output.path(), about, resumed)?;
        }
    }
    // The flock itself is with its parts from here on.
    let (ended, account, along) =
        step((&mut built, &mut parts), &scene, account, along, checkpoint)?;
    let recorded = match parts.as_mut().filter(|_| recording_every.is_some()) {
        Some(parts) => Some(parts.finish_recording()?),
        None => along.record.map(Record::finish).transpose()?,
    };
    let page = along.page;
    curves.write(source, &account.curves, &str::to_string)?;
    along.individuals.map_or(Ok(()), IndividualsFile::finish)?;

    if let Some(output) = &observe {
        output.write(|out| account.observations.write(out))?;
    }
    if let Some(output) = &last {
        output.write(|out| final_state::write(&built, out))?;
    }
    if let Some(output) = &exits {
        output.write(|out| account.counter.write_exits(out))?;
    }
    if let Some(output) = &still {
        still::write(&built.flock, account.time(scene.dt()), output)?;
    }
    let mut report = report(&mut built, &scene, started, ended, &account);
    if let Some(parts) = &mut parts {
        report.threads = parts.threads();
        report.parts = Some(parts.report()?);
    }
    report.recorded = recorded;
    // What else was made of the run is told first.
    let (page, no_page) = match page.map(RunPage::finish).transpose() {
        Ok(page) => (page.flatten(), Ok(())),
        Err(failure) => (None, Err(failure)),
    };
    report.page = page;
    let page = report.page.as_ref().filter(|_| args.page.open).map(|page| page.file.clone());
    if args.print.json {
        let radius = group_radius(&built);
        report.observed = Some(Final::new(&built.flock.observables(radius), radius));
        report.wall_s = started.elapsed().as_secs_f64();
        let json = report.json().map_err(|error| {
            Failure::Other(format!("the report cannot be written as JSON: {error}"))
        })?;
        terminal::print(&json)?;
    } else {
        let mut text = report.summary(built.flock.mean_speed());
        if std::io::stdout().is_terminal() && !terminal::is_quiet() {
            text += "\n";
            text += &density::map_of(&built.flock);
        }
        terminal::print(&text)?;
    }
    page.iter().for_each(|page| open::file(page));
    stopped(ended, account.made, &scene).and(no_page)
}

/// Where everything goes that a run may write.
struct Targets {
    observe: Option<Output>,
    last: Option<Output>,
    exits: Option<Output>,
    still: Option<Output>,
    record: Option<Output>,
    checkpoint: Option<Checkpointing>,
    page: Option<PageTarget>,
    curves: CurveOutputs,
    individuals: Option<Output>,
}

impl Targets {
    /// Refuses what cannot be written, before anything is.
    fn new(args: &RunArgs, source: &str, scene: &Scene, in_parts: bool) -> Result<Self, Failure> {
        let mut files = Files::default();
        files.read_scene(source, scene)?;
        let resume = args.resume.as_ref().map(Path::new);
        resume.map_or(Ok(()), |path| files.read(path))?;
        let mut output = |flag, path: &Option<String>, extensions: &[&str]| {
            path.as_deref().map(|path| files.write(flag, path, extensions)).transpose()
        };
        let observe = output("--observe", &args.observe, &["csv"])?;
        let last = output("--final", &args.final_file, &["csv"])?;
        let exits = output("--exits", &args.exits, &["csv"])?;
        let still = output("--still", &args.still, &["svg", "png"])?;
        // Only these are complete at every moment, and so can be continued.
        let is_broken_off = args.checkpoint.is_some() || args.resume.is_some();
        let formats = if is_broken_off { vec!["wbr"] } else { wingbeat_record::writable() };
        let record = match &args.record {
            Some(path) if in_parts && path.to_ascii_lowercase().ends_with(".wbr") => {
                Some(files.write_folder("--record", path)?)
            }
            path => output("--record", path, &formats)?,
        };
        let checkpoint = args
            .checkpoint
            .as_deref()
            .map(|path| files.write_over("--checkpoint", path, &[], resume))
            .transpose()?;
        let checkpoint =
            checkpoint.map(|output| Checkpointing::new(output, given(&args.checkpoint_every)));
        if args.resume.is_some() && (args.page.html.is_some() || args.page.open) {
            let allowed = "without --resume: it would lack what was before; record, and wingbeat \
                replay makes a page of all";
            return Err(Failure::BadInput(format!("--html or --open: allowed is {allowed}")));
        }
        let page = if args.resume.is_some() {
            None
        } else {
            args.page.target(source, args.print.json, &mut files)?
        };
        let curves = args.curves.outputs(&mut files)?;
        if let Some(path) = args.individuals.as_ref().filter(|_| is_broken_off) {
            let allowed = "nothing with --checkpoint or --resume: record, and wingbeat measure \
                writes it of all steps";
            return Err(Failure::value("--individuals", path, allowed));
        }
        let individuals = args
            .individuals
            .as_deref()
            .map(|path| files.write("--individuals", path, &["csv"]))
            .transpose()?;
        Ok(Self { observe, last, exits, still, record, checkpoint, page, curves, individuals })
    }
}

/// The run that a checkpoint belongs to, if it can be resumed as these options say: what is written
/// in the end tells of all steps.
fn resume(
    path: &str,
    args: &RunArgs,
    scene: &Scene,
    sampling: RunSampling,
    curves: &Curves,
) -> Result<SavedRun, Failure> {
    let run = SavedRun::read(path, scene)?;
    let state = &run.state;
    let refuse = |option: &str, allowed: &str| {
        Err(Failure::BadInput(format!("{option}: allowed with --resume {path} is {allowed}")))
    };
    let RunSampling { average_from, every, wanted } = state.account.sampling;
    if average_from != sampling.average_from {
        return refuse(
            "--average-from",
            &average_from.map_or("to leave it out".into(), |from| format!("{from}, as before")),
        );
    }
    if every != sampling.every {
        let allowed = every.map_or("nothing measured, as before".into(), |every| {
            format!("measuring every {every} steps, as before")
        });
        return refuse("--observe, --every", &allowed);
    }
    if wanted != sampling.wanted {
        let names: Vec<&str> = wanted.names().collect();
        return refuse("--columns", &format!("{}, as before", names.join(",")));
    }
    let before: Vec<&str> = state.account.curves.which().map(|curve| curve.name()).collect();
    if !curves.which().map(|curve| curve.name()).eq(before.iter().copied())
        || state.account.curves.settings() != curves.settings()
    {
        let allowed = if before.is_empty() {
            "to leave it out".into()
        } else {
            format!("{}, as before", before.join(", "))
        };
        return refuse("--curve, --lags, --reach", &allowed);
    }
    match (&args.record, state.recorded) {
        (Some(_), None) => refuse("--record", "to leave it out: nothing was recorded before"),
        (None, Some(_)) => refuse("--record", "the recording that was begun, to be continued"),
        _ => Ok(run),
    }
}

/// Leaves with an exit code of its own where the user stopped the run.
fn stopped(ended: Ended, made: u64, scene: &Scene) -> Result<(), Failure> {
    let steps = scene.steps();
    let message =
        || format!("stopped after {made} of {steps} steps; all that was made of them is written");
    if ended == Ended::Interrupted { Err(Failure::Stopped(message())) } else { Ok(()) }
}

/// How many steps lie between two that are measured; `None` where that was not asked for.
fn measured_every(args: &RunArgs) -> Result<Option<u64>, Failure> {
    let is_measured =
        args.observe.is_some() || args.individuals.is_some() || !args.curves.curve.is_empty();
    let Some(asked) = &args.every else { return Ok(is_measured.then_some(1)) };
    if !is_measured && args.average_from.is_none() {
        if args.record.is_none() {
            let allowed = "nothing without --observe, --average-from, --curve, --individuals or \
                --record";
            return Err(Failure::value("--every", &asked.text, allowed));
        }
        return Ok(None);
    }
    Ok(Some(asked.0))
}

/// What is written while a flock steps.
struct RunOutputs {
    record: Option<Record>,
    page: Option<RunPage>,
    individuals: Option<IndividualsFile>,
    /// Files with rows of single boids.
    wanted: Wanted,
    /// Steps from one frame to the next that parts record themselves.
    recording_every: Option<u64>,
}

impl RunOutputs {
    /// Whether anything takes the flock down after so many steps.
    fn is_due(&self, account: &RunStatistics) -> bool {
        let made = account.made;
        self.page.as_ref().is_some_and(|page| page.is_due(made))
            || self.record.as_ref().is_some_and(|record| record.is_due(made))
            || self.individuals.is_some() && account.is_sampled()
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

/// Makes the steps, and whatever is wanted between them.
fn step(
    (built, parts): (&mut Built, &mut Option<Box<dyn Parts>>),
    scene: &Scene,
    mut account: RunStatistics,
    mut along: RunOutputs,
    checkpoint: Option<Checkpointing>,
) -> Result<(Ended, RunStatistics, RunOutputs), Failure> {
    let bar = progress::counted(scene.steps(), "steps");
    bar.set_position(account.made);
    let (first, dt) = (account.made, scene.dt());
    let mut left = built.flock.len();
    let ended = loop {
        let made = account.made;
        let is_over = (made == scene.steps()).then_some(Ended::Steps);
        let is_stopped = interrupt::requested().then_some(Ended::Interrupted);
        // Before this step is measured and recorded, which a resumed run does first.
        let is_last = is_over.or(is_stopped).is_some();
        if let Some(checkpoint) =
            checkpoint.as_ref().filter(|due| made > first && (due.is_due(made) || is_last))
        {
            let recorded = along.record.as_mut().map(Record::sync).transpose();
            let written = match parts {
                Some(parts) => checkpoint.write_parts(
                    scene,
                    &account,
                    parts.as_mut(),
                    along.recording_every.is_some(),
                ),
                None => recorded
                    .and_then(|recorded| checkpoint.write(scene, &built.flock, &account, recorded)),
            };
            written.inspect_err(|_| bar.finish_and_clear())?;
        }
        if let Some(parts) = parts {
            if along.recording_every.is_some_and(|every| made.is_multiple_of(every)) {
                parts.record().inspect_err(|_| bar.finish_and_clear())?;
            }
            let is_over = is_last || account.until.is_watched() && left == 0;
            if is_over || account.looks() || along.is_due(&account) {
                built.flock = parts.whole().inspect_err(|_| bar.finish_and_clear())?;
            }
        }
        // Ramps may change how far boids look.
        let radius = group_radius(built);
        let flock = &built.flock;
        account.measure(flock, dt, radius);
        along.capture(flock, &account, (dt, radius)).inspect_err(|_| bar.finish_and_clear())?;
        // In parts, a flock of which no boid is left has just been looked at.
        let ended = if parts.is_none() || left == 0 || account.until.watches_speed() {
            account.end(flock)
        } else {
            None
        };
        if let Some(ended) = ended.or(is_over).or(is_stopped) {
            break ended;
        }
        match parts {
            None => account.step(built, dt).map_err(Failure::from),
            Some(parts) => {
                let before = Instant::now();
                parts.step(dt).map(|stepped| {
                    left = stepped.left;
                    account.stepped(&stepped, before.elapsed(), dt);
                })
            }
        }
        .inspect_err(|_| bar.finish_and_clear())?;
        bar.inc(1);
    };
    bar.finish_and_clear();
    Ok((ended, account, along))
}

fn report(
    built: &mut Built,
    scene: &Scene,
    started: Instant,
    ended: Ended,
    account: &RunStatistics,
) -> Report {
    let mean_neighbors = built.flock.mean_neighbors();
    let flock = &built.flock;
    let events = account.counter.report(flock);
    Report {
        scene: scene.name().to_string(),
        boids: events.boids,
        dimensions: flock.dimensions(),
        steps: account.made,
        ended,
        dt: scene.dt().get(),
        seed: scene.seed(),
        level: flock.level().name(),
        threads: flock.threads(),
        state_hash: format!("{:016x}", flock.state_hash()),
        mean_neighbors,
        polarization: flock.polarization(),
        ns_per_boid_step: account.ns_per_boid_step(),
        steps_per_second: account.steps_per_second(),
        wall_s: started.elapsed().as_secs_f64(),
        recorded: None,
        page: None,
        observed: None,
        averages: account.averages(),
        parts: None,
        events: Some(events),
    }
}
