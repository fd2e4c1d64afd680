//! `wingbeat run`: the main job. Reads, steps, measures, writes, reports.

use std::io::IsTerminal;
use std::path::Path;
use std::time::Instant;

use clap::{Args, FromArgMatches};
use wingbeat_measure::{Curves, Measurable, Wanted};
use wingbeat_record::RecordedPart;
use wingbeat_scene::{Built, Scene};

use crate::checkpoint::{Checkpointing, SavedRun};
use crate::curves::{CurveArgs, CurveOutputs};
use crate::failure::Failure;
use crate::files::Files;
use crate::individuals::IndividualsFile;
use crate::observations::group_radius;
use crate::options::{ColumnValues, MachineValues, Print, SceneValues, average_from, every};
use crate::output::Output;
use crate::page::{PageArgs, PageTarget, RunPage};
use crate::ranks::{Beginning, Ranks};
use crate::record::Record;
use crate::report::{Final, Report};
use crate::run_statistics::{RunSampling, RunStatistics};
use crate::steps::{RunOutputs, step};
use crate::units::Units;
use crate::until::{Ended, Until, UntilWord};
use crate::values::{Every, Given, OneOf, Whole, given, with_negative_numbers};
use crate::{density, final_state, interrupt, open, still, terminal};

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

impl RunArgs {
    /// The same on one of several ranks: of one thread unless it was said how many, and without a
    /// page unless one was asked for. Ranks but the first write nothing of the whole flock.
    pub fn on_rank(mut self, is_first: bool) -> Self {
        self.machine.threads.threads.get_or_insert_with(|| Given::of("1".into(), Whole(1)));
        self.page.no_html |= self.page.html.is_none() && !self.page.open;
        if is_first {
            return self;
        }
        let record = self.record.filter(|path| is_wbr(path));
        Self {
            scene: self.scene,
            values: self.values,
            machine: self.machine,
            every: self.every.filter(|_| record.is_some()),
            record,
            checkpoint: self.checkpoint,
            checkpoint_every: self.checkpoint_every,
            resume: self.resume,
            page: PageArgs { no_html: true, ..PageArgs::default() },
            ..Self::default()
        }
    }
}

/// Runs a scene; without one, says what could be run.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    run_on(args, None)
}

/// The same, on several ranks where there are some. Collective.
pub fn run_on(args: &RunArgs, mut ranks: Option<&mut Ranks<'_>>) -> Result<(), Failure> {
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
    if ranks.is_some() && scene.moves_sequentially() {
        return Err(Failure::BadInput(
            "model.update = \"sequential\": allowed is at_once, where a flock is on several ranks: \
                boids that move one after the other are on one"
                .into(),
        ));
    }
    let sampling = sampling(args, &scene)?;
    let mut targets = Targets::new(args, source, &scene, ranks.is_some())?;
    let dt = scene.dt().as_written();
    let growing = args.curves.begin(&targets.curves, dt, sampling.every.unwrap_or(1))?;
    let Begun { mut built, account, outputs, .. } = match ranks.as_deref_mut() {
        None => begin(args, &scene, &mut targets, (sampling, growing))?,
        Some(ranks) => begin_on(ranks, args, &scene, &mut targets, (sampling, growing))?,
    };
    let stepped = (&mut built, ranks.as_deref_mut());
    let (ended, account, mut outputs) =
        step(stepped, &scene, account, outputs, targets.checkpoint.take())?;
    let mut of_ranks = None;
    if let Some(ranks) = ranks {
        let recorded = match (outputs.own.take(), &targets.folder) {
            (Some(own), Some(folder)) => Some(own.finish_ranks(folder.path(), ranks)?),
            _ => None,
        };
        of_ranks = Some((ranks.report()?, recorded));
        if !ranks.is_first() {
            return stopped(ended, account.made, &scene);
        }
    }
    let recorded = outputs.record.map(Record::finish).transpose()?;
    let units = Units::of_scene(&scene);
    targets.curves.write(source, &account.curves, &|unit| units.spell(unit))?;
    outputs.individuals.map_or(Ok(()), IndividualsFile::finish)?;
    targets.write(&built, &account, &scene)?;
    let mut report = report(&mut built, &scene, started, ended, &account);
    report.recorded = recorded;
    if let Some(((of_ranks, threads), recorded)) = of_ranks {
        (report.threads, report.parts) = (threads, Some(of_ranks));
        report.recorded = report.recorded.or(recorded);
    }
    let no_page = print(args, report, &mut built, (outputs.page, started))?;
    stopped(ended, account.made, &scene).and(no_page)
}

/// When a run is measured, as the options say.
fn sampling(args: &RunArgs, scene: &Scene) -> Result<RunSampling, Failure> {
    let average_from =
        args.average_from.as_ref().map(|text| average_from(text, scene.steps())).transpose()?;
    let every = measured_every(args)?;
    if let Some(names) = args.columns.columns.as_ref().filter(|_| every.is_none()) {
        let allowed = "nothing without --observe, --individuals or --average-from with --every";
        return Err(Failure::value("--columns", &names.text, allowed));
    }
    // Observables that no output asks for are not computed.
    let is_told = args.observe.is_some() || average_from.is_some();
    let wanted = if is_told { args.columns.wanted() } else { Wanted::NONE };
    Ok(RunSampling { average_from, every, wanted })
}

/// A run before its first step.
struct Begun {
    built: Built,
    account: RunStatistics,
    outputs: RunOutputs,
    /// How much of its recording there is.
    recorded: Option<RecordedPart>,
}

/// Builds the scene, or resumes a run of it, and begins what is written while it steps.
fn begin(
    args: &RunArgs,
    scene: &Scene,
    targets: &mut Targets,
    (sampling, growing): (RunSampling, Curves),
) -> Result<Begun, Failure> {
    let resumed = args
        .resume
        .as_ref()
        .map(|path| resume(path, args, scene, (sampling, &growing), targets.folder.is_some()))
        .transpose()?;
    let mut built = scene.build(&args.machine.machine())?;
    built.warnings.iter().for_each(|warning| terminal::warn(warning));
    built.notes.iter().for_each(|note| terminal::note(note));
    let (account, recorded) = match (resumed, &args.resume) {
        (Some(run), Some(path)) => {
            run.restore(path, &mut built.flock)?;
            (run.state.account, run.state.recorded)
        }
        _ => {
            let until = Until::new(given(&args.until));
            (RunStatistics::new(&built.flock, sampling, growing, until), None)
        }
    };
    interrupt::listen()?;
    let page =
        targets.page.take().map(|target| RunPage::start(target, &built, scene)).transpose()?;
    let record = targets.record.take();
    let record = record
        .map(|output| Record::start(&output, &built, scene, every(&args.every), recorded))
        .transpose()?;
    let (radius, wanted) = (group_radius(&built).is_some(), args.columns.wanted());
    let individuals = targets.individuals.take();
    let individuals = individuals
        .map(|output| IndividualsFile::begin(&output, "step", wanted, radius, false))
        .transpose()?;
    let outputs = RunOutputs { record, own: None, page, individuals, wanted };
    Ok(Begun { built, account, outputs, recorded })
}

/// The same on several ranks: the first begins the run, and all share its boids. Collective.
fn begin_on(
    ranks: &mut Ranks<'_>,
    args: &RunArgs,
    scene: &Scene,
    targets: &mut Targets,
    (sampling, growing): (RunSampling, Curves),
) -> Result<Begun, Failure> {
    let machine = args.machine.machine();
    let (own, rest) = if ranks.is_first() {
        let Begun { built, account, outputs, recorded } =
            begin(args, scene, targets, (sampling, growing))?;
        let about = targets.folder.as_ref().map(|_| built.about(scene, every(&args.every)));
        let about = about.transpose()?;
        let until = account.until.clone();
        let beginning = Beginning { made: account.made, about, recorded, until };
        (Some((built, beginning)), Ok((account, outputs)))
    } else {
        interrupt::listen()?;
        (None, Err(growing))
    };
    let (built, beginning) = ranks.spread(scene, &machine, own)?;
    let Beginning { made, about, recorded, until } = beginning;
    let (account, mut outputs) = rest.unwrap_or_else(|growing| {
        let mut account = RunStatistics::new(&built.flock, sampling, growing, until);
        account.made = made;
        (account, RunOutputs::default())
    });
    if let (Some(folder), Some(about)) = (&targets.folder, about) {
        let resumed = recorded.map(|part| (made, part.frames));
        outputs.own = Some(Record::of_rank(folder.path(), about, resumed, ranks)?);
    }
    Ok(Begun { built, account, outputs, recorded })
}

fn is_wbr(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".wbr")
}

/// Where everything goes that a run may write.
struct Targets {
    observe: Option<Output>,
    last: Option<Output>,
    exits: Option<Output>,
    still: Option<Output>,
    record: Option<Output>,
    /// The folder that ranks record into.
    folder: Option<Output>,
    checkpoint: Option<Checkpointing>,
    page: Option<PageTarget>,
    curves: CurveOutputs,
    individuals: Option<Output>,
}

impl Targets {
    /// Refuses what cannot be written, before anything is.
    fn new(args: &RunArgs, source: &str, scene: &Scene, on_ranks: bool) -> Result<Self, Failure> {
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
        let (in_folder, in_file) = if on_ranks && args.record.as_deref().is_some_and(is_wbr) {
            (args.record.as_deref(), &None)
        } else {
            (None, &args.record)
        };
        let record = output("--record", in_file, &formats)?;
        let folder = in_folder.map(|path| files.write_folder("--record", path)).transpose()?;
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
        Ok(Self {
            observe,
            last,
            exits,
            still,
            record,
            folder,
            checkpoint,
            page,
            curves,
            individuals,
        })
    }

    /// Writes what there is to write at the end.
    fn write(&self, built: &Built, account: &RunStatistics, scene: &Scene) -> Result<(), Failure> {
        if let Some(output) = &self.observe {
            output.write(|out| account.observations.write(out))?;
        }
        if let Some(output) = &self.last {
            output.write(|out| final_state::write(built, out))?;
        }
        if let Some(output) = &self.exits {
            output.write(|out| account.counter.write_exits(out))?;
        }
        if let Some(output) = &self.still {
            let time = account.time(scene.dt());
            still::write(&built.flock, time, scene, output)?;
        }
        Ok(())
    }
}

/// The run that a checkpoint belongs to, if it can be resumed as these options say: what is written
/// in the end tells of all steps.
fn resume(
    path: &str,
    args: &RunArgs,
    scene: &Scene,
    (sampling, curves): (RunSampling, &Curves),
    in_folder: bool,
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
        // A rank's file has only its boids.
        (Some(_), Some(_)) if state.is_of_ranks() != in_folder => {
            let (program, what) = if in_folder {
                ("wingbeat run", "one file")
            } else {
                ("wingbeat-mpi run", "a folder of ranks' files")
            };
            refuse("--record", &format!("to be continued with {program}: it is {what}"))
        }
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
        noun: scene.noun(),
        remaining: flock.len(),
        wall_s: started.elapsed().as_secs_f64(),
        recorded: None,
        page: None,
        observed: None,
        averages: account.averages(),
        parts: None,
        events: Some(events),
        unit: scene.unit().map(|unit| unit.to_string()),
        units: Units::of_scene(scene),
    }
}

/// Finishes the page and prints the report; tells what went wrong with a page that was asked for,
/// once everything else that was made of the run is told.
fn print(
    args: &RunArgs,
    mut report: Report,
    built: &mut Built,
    (page, started): (Option<RunPage>, Instant),
) -> Result<Result<(), Failure>, Failure> {
    let (page, no_page) = match page.map(RunPage::finish).transpose() {
        Ok(page) => (page.flatten(), Ok(())),
        Err(failure) => (None, Err(failure)),
    };
    report.page = page;
    let page = report.page.as_ref().filter(|_| args.page.open).map(|page| page.file.clone());
    if args.print.json {
        let radius = group_radius(built);
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
    Ok(no_page)
}
