//! `wingbeat run`: the main job. Reads, steps, measures, writes, reports.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use clap::Args;
use wingbeat::observe::Wanted;
use wingbeat_scene::{Built, Scene};

use crate::events::EventCounter;
use crate::failure::Failure;
use crate::files::Files;
use crate::observations::{Moment, Observations, group_radius};
use crate::options::{MachineValues, Print, SceneValues, average_from, every};
use crate::page::{PageArgs, RunPage};
use crate::record::Record;
use crate::report::{Averages, Final, Recorded, Report};
use crate::until::{Ended, Until};
use crate::{density, final_state, interrupt, open, progress, still, terminal};

const EXAMPLES: &str = "\
Examples:
  wingbeat run murmuration --boids 20000 --threads 1
  wingbeat run shoal --steps 2000 --average-from 1000 --json
  wingbeat run shoal --set alignment.radius=2.5 --set domain.kind=walled --set domain.margin=4 --set domain.strength=20
  wingbeat run shoal --final after.csv --still after.svg
  wingbeat run shoal --initial after.csv           and on from there
  wingbeat run shoal --observe order.csv --every 10
  wingbeat run evacuation --steps 20000 --until empty     ends when the last one is out
  wingbeat run evacuation --exits out.csv                 who left by which exit, and when
  wingbeat run murmuration --record starlings.wbr --every 5
  wingbeat run shoal --html shoal.html
  wingbeat run shoal --open                        the page of the run, in the browser

On a terminal a run also writes SCENE.html, a web page that replays it, unless another file has that name (--no-html: no page).

--record writes while the flock steps: .wbr (Wingbeat's own: exact, compact, readable after a crash), .npz (NumPy), .csv, .xyz (OVITO),
.vtp (ParaView, a file a frame and a .pvd), .ply (Blender, a file a frame); .parquet and .arrow in a build with the features of
these names. docs/RECORDINGS.md says more. Ctrl-C ends the run after the present step, with the recording and the summary of the
steps that were made, and exit code 130.

--set takes any key of a scene file (docs/SCENES.md lists them) and a TOML value. Results depend on the scene and the seed
only, never on --threads or --level. Output files appear whole or not at all, and never in place of a file that is read.";

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
    /// Draw the last state: a triangle for each boid, pointing along its heading, colored by its species or else by its heading
    #[arg(long, value_name = "FILE.svg|.png")]
    pub still: Option<String>,
    /// Also report polarization and milling averaged over the steps after this one; with --every, all observables
    #[arg(long, value_name = "STEP", allow_negative_numbers = true)]
    pub average_from: Option<String>,
    /// Write all observables over time as CSV, from step 0 on; docs/MEASURES.md defines them
    #[arg(long, value_name = "FILE.csv")]
    pub observe: Option<String>,
    /// Record positions and velocities from step 0 on, in the format that the file's ending names
    #[arg(long, value_name = "FILE.wbr|.npz|.csv|.xyz|.vtp|.ply")]
    pub record: Option<String>,
    /// Measure and record every N-th step only, for --observe, --average-from and --record [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// Write who left by which exit and when as CSV: id,time,exit, in time
    #[arg(long, value_name = "FILE.csv")]
    pub exits: Option<String>,
    /// End before all steps are made: when nobody is left or still to come (empty), or also when nobody moves (settled: no speed above a thousandth
    /// of the largest max_speed in 100 steps in a row)
    #[arg(long, value_name = "empty|settled")]
    pub until: Option<String>,
    #[command(flatten)]
    pub page: PageArgs,
    #[command(flatten)]
    pub print: Print,
}

/// Runs a scene; without one, says what could be run.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let started = Instant::now();
    let Some(source) = &args.scene else {
        if *args == RunArgs::default() {
            return terminal::print(TRY);
        }
        return Err(Failure::BadInput("run: no scene was given: allowed is a TOML file or a name from wingbeat presets".into()));
    };
    let scene = Scene::load(source, &args.values.overrides()?)?;
    if args.exits.is_some() && !scene.has_exits() {
        return Err(Failure::BadInput(format!("--exits: {source} has none: allowed with a scene that has an [exit.NAME]")));
    }
    let machine = args.machine.machine()?;
    let average_from = args.average_from.as_ref().map(|text| average_from(text, scene.steps())).transpose()?;
    let every = measured_every(args)?;
    let until = Until::new(args.until.as_ref())?;
    let mut files = Files::default();
    files.read_scene(source, &scene)?;
    let mut output = |flag, path: &Option<String>, extensions: &[&str]| {
        path.as_deref().map(|path| files.write(flag, path, extensions)).transpose()
    };
    let observe_output = output("--observe", &args.observe, &["csv"])?;
    let final_output = output("--final", &args.final_file, &["csv"])?;
    let exits_output = output("--exits", &args.exits, &["csv"])?;
    let still_output = output("--still", &args.still, &["svg", "png"])?;
    let record_output = output("--record", &args.record, &wingbeat_record::writable())?;
    let page_target = args.page.target(source, args.print.json, &mut files)?;

    let mut built = scene.build(&machine)?;
    built.warnings.iter().for_each(|warning| terminal::warn(warning));
    built.notes.iter().for_each(|note| terminal::note(note));
    interrupt::listen()?;
    let page = page_target.map(|target| RunPage::start(target, &built, &scene)).transpose()?;
    let record = record_output.map(|output| Record::start(&output, &built, &scene, args.every.as_ref())).transpose()?;
    let Stepped { made, ended, boid_steps, stepping, averages, counter, observations, recorded, page } =
        step(&mut built, &scene, Sampling { average_from, every }, until, record, page)?;

    if let Some(output) = &observe_output {
        output.write(|out| observations.write(out))?;
    }
    if let Some(output) = &final_output {
        output.write(|out| final_state::write(&built, out))?;
    }
    if let Some(output) = &exits_output {
        output.write(|out| counter.write_exits(out))?;
    }
    if let Some(output) = &still_output {
        still::write(&built.flock, made as f64 * f64::from(scene.dt().get()), output)?;
    }
    let mut report = report(&mut built, &scene, started, (made, ended), averages);
    report.ns_per_boid_step = (boid_steps > 0).then(|| stepping.as_secs_f64() * 1e9 / boid_steps as f64);
    let events = counter.report(&built.flock);
    report.boids = events.boids;
    report.steps_per_second = (made > 0).then(|| made as f64 / stepping.as_secs_f64());
    report.events = Some(events);
    report.recorded = recorded;
    // What else was made of the run is told first.
    let (page, no_page) =
        page.map_or(Ok(None), RunPage::finish).map_or_else(|failure| (None, Err(failure)), |page| (page, Ok(())));
    report.page = page;
    let page = report.page.as_ref().filter(|_| args.page.open).map(|page| page.file.clone());
    if args.print.json {
        let radius = group_radius(&built);
        report.observed = Some(Final::new(&built.flock.observables(radius), radius));
        report.wall_s = started.elapsed().as_secs_f64();
        let json = report.json().map_err(|error| Failure::Other(format!("the report cannot be written as JSON: {error}")))?;
        terminal::print(&json)?;
        page.iter().for_each(|page| open::file(page));
        return stopped(ended, made, &scene).and(no_page);
    }
    let mut text = report.summary(built.flock.mean_speed());
    if std::io::stdout().is_terminal() && !terminal::is_quiet() {
        text += "\n";
        text += &density::map_of(&built.flock);
    }
    terminal::print(&text)?;
    page.iter().for_each(|page| open::file(page));
    stopped(ended, made, &scene).and(no_page)
}

/// Leaves with an exit code of its own where the user stopped the run.
fn stopped(ended: Ended, made: u64, scene: &Scene) -> Result<(), Failure> {
    let steps = scene.steps();
    let message = || format!("stopped after {made} of {steps} steps; all that was made of them is written");
    if ended == Ended::Interrupted { Err(Failure::Stopped(message())) } else { Ok(()) }
}

/// How many steps lie between two that are measured; `None` where that was not asked for.
fn measured_every(args: &RunArgs) -> Result<Option<u64>, Failure> {
    let Some(text) = &args.every else { return Ok(args.observe.is_some().then_some(1)) };
    if args.observe.is_none() && args.average_from.is_none() {
        if args.record.is_none() {
            return Err(Failure::value("--every", text, "nothing without --observe, --average-from or --record"));
        }
        return every(Some(text)).map(|_| None);
    }
    every(Some(text)).map(Some)
}

/// When a run is measured.
#[derive(Clone, Copy)]
struct Sampling {
    /// The step after which averages begin.
    average_from: Option<u64>,
    /// Steps between two that are measured.
    every: Option<u64>,
}

/// What came of the steps.
struct Stepped {
    /// How many: fewer than the scene's where something else ended the run.
    made: u64,
    ended: Ended,
    /// Boids over all of them: there may be fewer and fewer.
    boid_steps: u64,
    /// How long they alone took.
    stepping: Duration,
    averages: Option<Averages>,
    counter: EventCounter,
    observations: Observations,
    recorded: Option<Recorded>,
    page: Option<RunPage>,
}

/// Makes the steps, and whatever is wanted between them.
fn step(
    built: &mut Built,
    scene: &Scene,
    Sampling { average_from, every }: Sampling,
    mut until: Until,
    mut record: Option<Record>,
    mut page: Option<RunPage>,
) -> Result<Stepped, Failure> {
    let bar = progress::counted(scene.steps(), "steps");
    let mut stepping = Duration::ZERO;
    let (mut polarization, mut milling) = (0.0, 0.0);
    let radius = group_radius(built);
    let flock = &mut built.flock;
    let mut observations = Observations::new("step");
    let mut counter = EventCounter::new(flock);
    let (mut made, mut boid_steps) = (0, 0);
    let ended = loop {
        let sampled = every.is_some_and(|every| made % every == 0);
        let averaged = average_from.is_some_and(|from| made > from);
        let means = if averaged { Wanted::POLARIZATION | Wanted::MILLING } else { Wanted::NONE };
        let observables = flock.measure(if sampled { Wanted::ALL } else { means }, radius);
        if averaged {
            polarization += observables.polarization.unwrap_or(0.0);
            milling += observables.milling.unwrap_or(0.0);
        }
        if sampled {
            let time = made as f64 * f64::from(scene.dt().get());
            observations.push(Moment { number: made as i64, time, observables, in_area: None });
        }
        if let Some(record) = &mut record {
            record.capture(flock, made).inspect_err(|_| bar.finish_and_clear())?;
        }
        page.iter_mut().for_each(|page| page.capture(flock, made));
        let is_over = || (made == scene.steps()).then_some(Ended::Steps);
        let is_stopped = || interrupt::requested().then_some(Ended::Interrupted);
        if let Some(ended) = until.end(flock).or_else(is_over).or_else(is_stopped) {
            break ended;
        }
        boid_steps += flock.len() as u64;
        let before = Instant::now();
        flock.step(scene.dt());
        stepping += before.elapsed();
        made += 1;
        counter.count(flock, made as f64 * f64::from(scene.dt().get()));
        bar.inc(1);
    };
    bar.finish_and_clear();
    // A run that was stopped before they began has no averages.
    let averages = average_from.filter(|&from| from < made).map(|from| {
        let count = (made - from) as f64;
        let observed_means = every.map(|_| observations.means_after(from as i64));
        Averages { mean_polarization: polarization / count, mean_milling: milling / count, observed_means }
    });
    let recorded = record.map(Record::finish).transpose()?;
    Ok(Stepped { made, ended, boid_steps, stepping, averages, counter, observations, recorded, page })
}

fn report(built: &mut Built, scene: &Scene, started: Instant, (made, ended): (u64, Ended), averages: Option<Averages>) -> Report {
    let mean_neighbors = built.flock.mean_neighbors();
    let flock = &built.flock;
    Report {
        scene: scene.name().to_string(),
        boids: flock.len(),
        dimensions: flock.dimensions(),
        steps: made,
        ended,
        dt: scene.dt().get(),
        seed: scene.seed(),
        level: flock.level().name(),
        threads: flock.threads(),
        state_hash: format!("{:016x}", flock.state_hash()),
        mean_neighbors,
        polarization: flock.polarization(),
        ns_per_boid_step: None,
        steps_per_second: None,
        wall_s: started.elapsed().as_secs_f64(),
        recorded: None,
        page: None,
        observed: None,
        averages,
        events: None,
    }
}
