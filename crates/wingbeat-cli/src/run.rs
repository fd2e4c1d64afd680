//! `wingbeat run`: the main job. Reads, steps, measures, writes, reports.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use wingbeat::Level;
use wingbeat_scene::{Built, Machine, Scene};

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::files::Files;
use crate::happened::{Events, Happened};
use crate::observations::{Moment, Observations, every};
use crate::page::RunPage;
use crate::record::Record;
use crate::report::{Averages, Final, Recorded, Report};
use crate::{density, final_state, interrupt, progress, still, terminal};

const TRY: &str = "\
Nothing to run yet. Three commands to try:

  wingbeat run murmuration                  100,000 starlings over their roost
  wingbeat run shoal --still shoal.png      20,000 fish, and a picture of them
  wingbeat show shoal > my.toml             a scene of your own to edit, then: wingbeat run my.toml

wingbeat presets lists all scenes by name, wingbeat run --help all options.
";

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
    let machine = args.machine.machine()?;
    let average_from = args.average_from.as_ref().map(|text| average_from(text, scene.steps())).transpose()?;
    let every = sampling(args)?;
    let mut files = Files::default();
    files.read_scene(source, &scene)?;
    let mut output = |flag, path: &Option<String>, extensions: &[&str]| {
        path.as_deref().map(|path| files.write(flag, path, extensions)).transpose()
    };
    let observe_output = output("--observe", &args.observe, &["csv"])?;
    let final_output = output("--final", &args.final_file, &["csv"])?;
    let still_output = output("--still", &args.still, &["svg", "png"])?;
    let record_output = output("--record", &args.record, &wingbeat_record::writable())?;
    let page_target = args.page.target(source, args.json, &mut files)?;

    let mut built = scene.build(&machine)?;
    built.notes.iter().for_each(|note| terminal::note(note));
    interrupt::listen()?;
    let page = RunPage::start(page_target, &built, &scene);
    let record = record_output.map(|output| Record::start(&output, &built, &scene, args.every.as_ref())).transpose()?;
    let Stepped { made, boid_steps, stepping, averages, events, observations, recorded, page } =
        step(&mut built, &scene, average_from, every, record, page)?;

    if let Some(output) = &observe_output {
        output.write(|out| observations.write(out))?;
    }
    if let Some(output) = &final_output {
        output.write(|out| final_state::write(&built, out))?;
    }
    if let Some(output) = &still_output {
        still::write(&built.flock, made as f64 * f64::from(scene.dt().get()), output)?;
    }
    let mut report = report(&mut built, &scene, started, made, averages);
    report.ns_per_boid_step = (boid_steps > 0).then(|| stepping.as_secs_f64() * 1e9 / boid_steps as f64);
    report.boids = events.as_ref().map_or(report.boids, |events| events.boids);
    report.steps_per_second = (made > 0).then(|| made as f64 / stepping.as_secs_f64());
    report.events = events;
    report.recorded = recorded;
    report.page = page.and_then(RunPage::finish);
    if args.json {
        let radius = group_radius(&built);
        report.observed = Some(Final::new(&built.flock.observables(radius), radius));
        report.wall_s = started.elapsed().as_secs_f64();
        let json = report.json().map_err(|error| Failure::Other(format!("the report cannot be written as JSON: {error}")))?;
        terminal::print(&json)?;
        return stopped(made, &scene);
    }
    let mut text = report.summary(built.flock.mean_speed());
    if std::io::stdout().is_terminal() && !terminal::is_quiet() {
        text += "\n";
        text += &density::map_of(&built.flock);
    }
    terminal::print(&text)?;
    stopped(made, &scene)
}

/// Leaves with an exit code of its own where the user stopped the run.
fn stopped(made: u64, scene: &Scene) -> Result<(), Failure> {
    let steps = scene.steps();
    let message = || format!("stopped after {made} of {steps} steps; all that was made of them is written");
    if made < steps { Err(Failure::Stopped(message())) } else { Ok(()) }
}

/// What the flock is to run on.
pub fn machine(threads: Option<&String>, level: Option<&String>) -> Result<Machine, Failure> {
    let threads = threads.map(|text| {
        let threads = text.parse().ok().filter(|threads| (1..=1024).contains(threads));
        threads.ok_or_else(|| Failure::value("--threads", text, "a whole number, 1 to 1024"))
    });
    let names = Level::ALL.iter().map(|level| level.name()).collect::<Vec<_>>().join(", ");
    let level = level.map(|text| text.parse().map_err(|_| Failure::value("--level", text, &names)));
    Ok(Machine { level: level.transpose()?, threads: threads.transpose()? })
}

/// The step after which averages begin.
pub fn average_from(text: &str, steps: u64) -> Result<u64, Failure> {
    if steps == 0 {
        return Err(Failure::value("--average-from", text, "nothing: the run makes no steps"));
    }
    let allowed = format!("a whole number, 0 to {} (below the {steps} steps of the run)", steps - 1);
    let from = text.parse().ok().filter(|&from: &u64| from < steps);
    from.ok_or_else(|| Failure::value("--average-from", text, &allowed))
}

/// How many steps lie between two that are measured; `None` where nobody asked for that.
fn sampling(args: &RunArgs) -> Result<Option<u64>, Failure> {
    let Some(text) = &args.every else { return Ok(args.observe.is_some().then_some(1)) };
    if args.observe.is_none() && args.average_from.is_none() {
        if args.record.is_none() {
            return Err(Failure::value("--every", text, "nothing without --observe, --average-from or --record"));
        }
        return every(Some(text)).map(|_| None);
    }
    every(Some(text)).map(Some)
}

/// Groups are those who can perceive each other; without rules there are none.
pub fn group_radius(built: &Built) -> Option<f64> {
    Some(f64::from(built.flock.params().largest_radius())).filter(|&radius| radius > 0.0)
}

/// What came of the steps.
struct Stepped {
    /// How many: fewer than the scene's where the user stopped the run.
    made: u64,
    /// Boids over all of them: there may be fewer and fewer.
    boid_steps: u64,
    /// How long they alone took.
    stepping: Duration,
    averages: Option<Averages>,
    events: Option<Events>,
    observations: Observations,
    recorded: Option<Recorded>,
    page: Option<RunPage>,
}

/// Makes the steps, and whatever is wanted between them.
fn step(
    built: &mut Built,
    scene: &Scene,
    average_from: Option<u64>,
    every: Option<u64>,
    mut record: Option<Record>,
    mut page: Option<RunPage>,
) -> Result<Stepped, Failure> {
    let bar = progress::counted(scene.steps(), "steps");
    let mut stepping = Duration::ZERO;
    let (mut polarization, mut milling) = (0.0, 0.0);
    let radius = group_radius(built);
    let flock = &mut built.flock;
    let mut observations = Observations::new("step");
    let mut happened = Happened::new(flock);
    let (mut made, mut boid_steps) = (0, 0);
    loop {
        if every.is_some_and(|every| made % every == 0) {
            let time = made as f64 * f64::from(scene.dt().get());
            observations.push(Moment { number: made as i64, time, observables: flock.observables(radius), in_area: None });
        }
        if let Some(record) = &mut record {
            record.capture(flock, made).inspect_err(|_| bar.finish_and_clear())?;
        }
        page = page.and_then(|page| page.capture(flock, made));
        if made == scene.steps() || interrupt::requested() {
            break;
        }
        boid_steps += flock.len() as u64;
        let before = Instant::now();
        flock.step(scene.dt());
        stepping += before.elapsed();
        made += 1;
        happened.count(flock, made as f64 * f64::from(scene.dt().get()));
        if average_from.is_some_and(|from| made > from) {
            polarization += flock.polarization();
            milling += flock.milling();
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    // A run that was stopped before they began has no averages.
    let averages = average_from.filter(|&from| from < made).map(|from| {
        let count = (made - from) as f64;
        let observed_means = every.map(|_| observations.means_after(from as i64));
        Averages { mean_polarization: polarization / count, mean_milling: milling / count, observed_means }
    });
    let recorded = record.map(Record::finish).transpose()?;
    let events = happened.events(flock);
    Ok(Stepped { made, boid_steps, stepping, averages, events, observations, recorded, page })
}

fn report(built: &mut Built, scene: &Scene, started: Instant, made: u64, averages: Option<Averages>) -> Report {
    let mean_neighbors = built.flock.mean_neighbors();
    let flock = &built.flock;
    Report {
        scene: scene.name().to_string(),
        boids: flock.len(),
        dimensions: flock.dimensions(),
        steps: made,
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
