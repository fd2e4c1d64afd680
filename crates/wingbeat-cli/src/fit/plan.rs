//! Everything about a fit that is settled before its first run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use wingbeat_record::{Recording, same_file};
use wingbeat_scene::{Machine, Override, Scene, SceneError};

use super::args::FitArgs;
use super::search;
use super::target::TargetColumns;
use super::vary::{Varied, texts};
use crate::failure::Failure;
use crate::files::Files;
use crate::journal::{self, Header};
use crate::measure::read_recording;
use crate::options::{self, group_radius};
use crate::output::Output;
use crate::side::{SideMeasure, SideSampling, is_recording};
use crate::source;

/// Steps between two that are measured, if nothing is said.
const EVERY: u64 = 10;
/// Points that a search looks at for each key, if nothing is said.
const POINTS: usize = 25;
/// More of anything than this is taken for a typing error. Seeds are apart by it.
pub const BLOCK: u64 = 1000;
/// A search has seeds for two looks, the second with three times as many.
const MOST_RUNS: u64 = BLOCK / 4;
const MOST_SEARCHES: u64 = 100;

/// What seeds are for: none are used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// The points of a search.
    Search(usize),
    /// Those of a search for the standard errors.
    Refit(usize),
    /// Choosing among what searches found.
    Choice,
    /// Judging what was chosen.
    Fresh,
    /// Runs of the fitted scene that stand for a recording.
    Stand,
}

/// A fit, settled.
pub struct FitPlan<'a> {
    pub args: &'a FitArgs,
    pub varied: Vec<Varied>,
    /// The scene's text, read once, so that an edit meanwhile changes nothing.
    text: String,
    overrides: Vec<Override>,
    named_files: BTreeSet<PathBuf>,
    pub machine: Machine,
    pub sampling: SideSampling,
    pub measure: SideMeasure,
    pub columns: TargetColumns,
    pub output: Output,
    /// The scene's own values as they stand in it, where it has all of them.
    pub own: Option<Vec<String>>,
    /// Seconds, or what else times count, that the recording covers, and that a run does.
    pub covers: [f64; 2],
    /// What times of the recording count.
    pub time_unit: String,
    /// What was found or done on the way here.
    pub notes: Vec<String>,
    pub effort: Effort,
}

/// How much is looked at.
pub struct Effort {
    pub searches: usize,
    pub points: usize,
    runs: u64,
    fresh_runs: u64,
    refits: usize,
    search_seed: u64,
}

impl Effort {
    fn of(args: &FitArgs, keys: usize) -> Result<Self, Failure> {
        let least = keys as u64 + 2;
        let points =
            args.points.as_ref().map(|text| whole("--points", text, least, 100_000)).transpose()?;
        Ok(Self {
            searches: whole("--searches", &args.searches, 1, MOST_SEARCHES)? as usize,
            points: points.map_or(POINTS * keys, |points| points as usize),
            runs: whole("--runs", &args.runs, 1, MOST_RUNS)?,
            fresh_runs: whole("--fresh-runs", &args.fresh_runs, 1, BLOCK)?,
            refits: whole("--refits", &args.refits, 0, MOST_SEARCHES)? as usize,
            search_seed: whole("--search-seed", &args.search_seed, 0, 1_000_000_000)?,
        })
    }
}

impl<'a> FitPlan<'a> {
    /// Refuses whatever can be refused, before anything is run or written.
    pub fn new(args: &'a FitArgs) -> Result<Self, Failure> {
        let varied = Varied::parse(&args.vary)?;
        let (overrides, effort) = (overrides(args, &varied)?, Effort::of(args, varied.len())?);
        let mut measure = SideMeasure {
            wanted: args.columns.wanted()?,
            radius: group_radius(&args.radius)?,
            in_hull: false,
        };
        let (options, to_every) = (args.read.options()?, options::every(args.to_every.as_ref())?);
        let machine = args.machine.machine()?;
        if !is_recording(&args.to)? {
            return Err(Failure::value(
                "--to",
                &args.to,
                "a recording: run SCENE --record makes one of a scene",
            ));
        }
        let mut files = Files::default();
        let output = files.write("--out", &args.out, &["toml"])?;
        files.write("--out", &journal::path_beside(&args.out), &["csv"])?;
        files.read(&args.to)?;
        let text = source::text(&args.scene)?;
        let first = Scene::load(&args.scene, &overrides)?;
        files.read_scene(&args.scene, &first)?;
        check_folder(&args.scene, &first, &output)?;
        let sampling = sampling(args, &first)?;
        let built = first.build(&Machine { threads: Some(1), ..machine })?;
        let mut notes = built.notes;

        let recording = read_recording(&args.to, &options)?;
        notes.extend(recording.found().notes.iter().map(|note| format!("{}: {note}", args.to)));
        if recording.dimensions() != first.dimensions() {
            let message =
                format!("{}-D, and the scene in {}-D", recording.dimensions(), first.dimensions());
            return Err(Failure::BadInput(format!(
                "--to {}: is in {message}: allowed are two of the same",
                args.to
            )));
        }
        notes.extend(
            measure.settle_density([recording.edges(), built.flock.edges()]).map(str::to_string),
        );
        let to_from =
            options::frames_after("--to-from", &args.to_from, recording.found().last_frame)?;
        let (columns, without) =
            TargetColumns::of(&args.to, &measure.recording(&recording, to_from, to_every)?)?;
        if !without.is_empty() && args.columns.columns.is_some() {
            let allowed =
                format!("columns with values in {}, and not all 0 (groups take --radius)", args.to);
            return Err(Failure::value("--columns", &without.join(","), &allowed));
        }
        measure.wanted = options::wanted(&columns.names().join(","))?;
        let own: Option<Vec<f64>> = varied.iter().map(|varied| varied.own(&first)).collect();
        let own = own
            .map(|own| own.iter().map(|value| wingbeat_record::significant(*value, 9)).collect());
        let dt = f64::from(first.dt().get());
        let plan = Self {
            covers: [
                covered(&recording, to_from),
                (first.steps() - sampling.average_from) as f64 * dt,
            ],
            time_unit: recording.found().time_unit.to_string(),
            notes,
            named_files: first.files().into_iter().collect(),
            effort,
            own,
            args,
            varied,
            text,
            overrides,
            machine,
            sampling,
            measure,
            columns,
            output,
        };
        plan.check()?;
        Ok(plan)
    }

    /// Checks the ends of all ranges.
    fn check(&self) -> Result<(), Failure> {
        let keys = self.varied.len();
        let corner = |is_high: &dyn Fn(usize) -> bool| {
            (0..keys).map(|key| f64::from(u8::from(is_high(key)))).collect::<Vec<_>>()
        };
        let mut corners = vec![corner(&|_| false), corner(&|_| true)];
        corners.extend((0..keys).map(|one| corner(&|key| key == one)));
        corners.iter().try_for_each(|corner| {
            Ok(self.scene(&texts(&self.varied, corner), None)?.check_settings().map(|_| ())?)
        })
    }

    /// The scene with these values; with its own seed, if none is given.
    pub fn scene(&self, values: &[String], seed: Option<u64>) -> Result<Scene, SceneError> {
        let varied = self.varied.iter().zip(values).map(|(varied, value)| varied.set(value));
        let seed =
            seed.map(|seed| Override::flag("--search-seed", "flock.seed", &seed.to_string()));
        let overrides: Vec<_> = self.overrides.iter().cloned().chain(varied).chain(seed).collect();
        let folder = Path::new(&self.args.scene).parent().unwrap_or(Path::new(""));
        Ok(Scene::parse(&self.args.scene, &self.text, &overrides)?.in_folder(folder))
    }

    /// Where the scene's own values are in the box, if they are in it.
    pub fn own_place(&self) -> Option<Vec<f64>> {
        let own = self.own.as_ref()?;
        let place = |(varied, text): (&Varied, &String)| {
            Some(varied.place(text.parse().ok()?)).filter(|x| (0.0..=1.0).contains(x))
        };
        self.varied.iter().zip(own).map(place).collect()
    }

    pub fn seeds(&self, what: Seeds) -> Vec<u64> {
        let (block, count) = match what {
            Seeds::Search(i) => (i as u64, self.effort.runs),
            Seeds::Refit(i) => (MOST_SEARCHES + i as u64, self.effort.runs),
            Seeds::Choice => (2 * MOST_SEARCHES, self.effort.fresh_runs),
            Seeds::Fresh => (2 * MOST_SEARCHES + 1, self.effort.fresh_runs),
            Seeds::Stand => (2 * MOST_SEARCHES + 2, self.effort.refits as u64),
        };
        let first = (self.effort.search_seed * BLOCK + block) * BLOCK;
        (first..first + count).collect()
    }

    /// Seeds of a search: those of all its points, and three times as many for the second look at
    /// the best.
    pub fn two_looks(&self, search: Seeds) -> (Vec<u64>, Vec<u64>) {
        let first = self.seeds(search);
        let next = first.last().map_or(0, |last| last + 1);
        (first, (next..next + 3 * self.effort.runs).collect())
    }

    /// Runs of the whole fit, if no search ends early.
    pub fn most_runs(&self) -> u64 {
        let search = (self.effort.points + 3 * search::SECOND_LOOK) as u64 * self.effort.runs;
        let (searches, refits) = (self.effort.searches as u64, self.effort.refits as u64);
        searches * (search + self.effort.fresh_runs)
            + 3 * self.effort.fresh_runs
            + refits * (search + self.effort.fresh_runs + 1)
    }

    /// What the journal's runs depend on.
    pub fn header(&self) -> Result<Header, Failure> {
        let args = self.args;
        let reading =
            format!("{:?} {:?} {:?} {:?}", args.read, args.to_from, args.to_every, self.measure);
        let keys = self.varied.iter().map(|varied| varied.key.clone());
        Ok(Header {
            version: env!("CARGO_PKG_VERSION").into(),
            scene: args.scene.clone(),
            content: source::fingerprint(&self.text, &self.named_files)?,
            set: self
                .overrides
                .iter()
                .map(|set| (set.key().to_string(), set.value().to_string()))
                .collect(),
            swept: std::iter::once("target".to_string())
                .chain(keys)
                .chain(["flock.seed".to_string()])
                .collect(),
            columns: self.columns.names().iter().map(|name| name.to_string()).collect(),
            average_from: self.sampling.average_from,
            every: self.sampling.every,
            continued: None,
            recording: Some(source::fingerprint(
                &reading,
                &BTreeSet::from([PathBuf::from(&args.to)]),
            )?),
        })
    }
}

/// Values that stand in for the scene's own in all runs.
fn overrides(args: &FitArgs, varied: &[Varied]) -> Result<Vec<Override>, Failure> {
    if let Some(seed) = &args.values.start.flock.seed {
        return Err(Failure::value(
            "--seed",
            seed,
            "nothing here: --search-seed chooses all seeds of a fit",
        ));
    }
    let overrides = args.values.overrides()?;
    if let Some(twice) =
        overrides.iter().find(|set| varied.iter().any(|varied| varied.key == set.key()))
    {
        return Err(Failure::value(
            &format!("--set {}", twice.key()),
            twice.value(),
            "nothing: --vary varies it",
        ));
    }
    Ok(overrides)
}

/// Which steps are measured.
fn sampling(args: &FitArgs, scene: &Scene) -> Result<SideSampling, Failure> {
    let steps = scene.steps();
    let average_from =
        args.average_from.as_ref().map_or(Ok(0), |text| options::average_from(text, steps))?;
    let usual = if steps - average_from < EVERY { 1 } else { EVERY };
    let every = args.every.as_ref().map_or(Ok(usual), |text| options::every(Some(text)))?;
    if steps / every == average_from / every {
        let allowed = format!(
            "a whole number with a multiple among the measured steps, {} to {steps}",
            average_from + 1
        );
        return Err(Failure::value("--every", &every.to_string(), &allowed));
    }
    Ok(SideSampling { average_from, every })
}

/// Refuses a folder in which the fitted scene would not find its files.
fn check_folder(name: &str, scene: &Scene, output: &Output) -> Result<(), Failure> {
    let folder = output.path().parent().unwrap_or(Path::new(""));
    let written = Scene::parse(name, &scene.to_toml(), &[])?.in_folder(folder);
    let finds = |(there, here): (PathBuf, PathBuf)| same_file(&there, &here);
    if written.files().into_iter().zip(scene.files()).all(finds) {
        return Ok(());
    }
    let allowed = format!("a file in the folder of {name}, which names others from there");
    Err(Failure::value("--out", &output.path().display().to_string(), &allowed))
}

/// How much time a recording covers.
fn covered(recording: &Recording, after: Option<i64>) -> f64 {
    let found = recording.found();
    (found.last_frame - after.unwrap_or(found.first_frame - 1)) as f64 / recording.fps()
}

/// A whole number of an option.
fn whole(option: &str, text: &str, least: u64, most: u64) -> Result<u64, Failure> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number
        .ok_or_else(|| Failure::value(option, text, &format!("a whole number, {least} to {most}")))
}
