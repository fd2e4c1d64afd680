//! One of the two that are compared: opened, and measured.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use wingbeat_page::{Page, PageOptions};
use wingbeat_record::{Edges, LengthUnit, Options, Recording};
use wingbeat_scene::{Machine, Override, Scene};

use super::args::{CompareArgs, SideValues};
use super::page;
use crate::failure::Failure;
use crate::files::Files;
use crate::measure::read_recording;
use crate::observations::{Observations, group_radius};
use crate::options::{average_from, every, frames_after, full_name, steps_apart};
use crate::side::{Run, SideMeasure, SideSampling};
use crate::{jobs, progress};

/// Steps between two that are measured, if nothing is said: neighboring steps are nearly the same.
const EVERY: u64 = 10;
/// More runs than this are taken for a typing error.
const MOST_RUNS: u64 = 10_000;

/// A side, opened.
pub struct OpenedSide {
    pub name: String,
    pub dimensions: usize,
    pub edges: Edges,
    /// What the file says, of a recording.
    pub units: Option<Units>,
    /// The largest perception radius, of a scene with rules.
    radius: Option<f64>,
    /// What was found or done while it was opened.
    pub notes: Vec<String>,
    what: What,
}

/// In what a recording's numbers are.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    pub length: Option<LengthUnit>,
    /// Why lengths may be compared with others of no stated unit, if they may.
    pub shared: Option<Shared>,
    pub time: String,
}

/// Lengths whose unit the file does not state, and that are known all the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shared {
    /// A `.wbr` has those of scenes.
    OfScenes,
    /// `--scale` makes the other side's of them.
    Scaled,
}

enum What {
    Recording {
        recording: Box<Recording>,
        /// How it was read.
        options: Box<Options>,
        after: Option<i64>,
        every: u64,
    },
    /// A scene for each seed.
    Scenes { scenes: Vec<Scene>, sampling: SideSampling },
}

impl OpenedSide {
    /// Reads a recording, or checks a scene.
    pub fn open(
        name: &str,
        is_recording: bool,
        given: &SideValues,
        args: &CompareArgs,
        files: &mut Files,
    ) -> Result<Self, Failure> {
        if !is_recording {
            return Self::scene(name, given, args, files);
        }
        let (options, every) = (given.read.options()?, every(given.every.as_ref())?);
        files.read(name)?;
        let recording = read_recording(name, &options)?;
        let found = recording.found();
        let is_ours =
            Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wbr"));
        let shared = options.scale.map(|_| Shared::Scaled).or(is_ours.then_some(Shared::OfScenes));
        let after = frames_after("--average-from", &given.average_from, found.last_frame)?;
        let notes = found.notes.iter().map(|note| format!("{name}: {note}")).collect();
        Ok(Self {
            name: name.into(),
            dimensions: recording.dimensions(),
            edges: recording.edges(),
            units: Some(Units {
                length: found.length_unit,
                shared,
                time: found.time_unit.to_string(),
            }),
            radius: None,
            notes,
            what: What::Recording {
                recording: Box::new(recording),
                options: Box::new(options),
                after,
                every,
            },
        })
    }

    fn scene(
        name: &str,
        given: &SideValues,
        args: &CompareArgs,
        files: &mut Files,
    ) -> Result<Self, Failure> {
        let runs = args.runs.as_ref().map_or(Ok(1), |text| {
            let runs = text.parse().ok().filter(|runs| (1..=MOST_RUNS).contains(runs));
            runs.ok_or_else(|| {
                Failure::value("--runs", text, &format!("a whole number, 1 to {MOST_RUNS}"))
            })
        })?;
        let mut overrides = args.values.overrides()?;
        for assignment in &given.set {
            let (key, value) = assignment.split_once('=').unwrap_or((assignment, ""));
            let key = full_name(key.trim());
            // The last of a key counts, and it is this side's own.
            overrides.retain(|other| other.key() != key);
            overrides.push(Override::set(&if assignment.contains('=') {
                format!("{key}={value}")
            } else {
                key
            })?);
        }
        let first = Scene::load(name, &overrides)?;
        files.read_scene(name, &first)?;
        let seed = |i: u64| {
            let seed = first.seed().wrapping_add(i).to_string();
            let mut overrides = overrides.clone();
            overrides.retain(|other| other.key() != "flock.seed");
            overrides.push(Override::flag("--runs", "flock.seed", &seed));
            Scene::load(name, &overrides)
        };
        let scenes = (0..runs).map(seed).collect::<Result<Vec<_>, _>>()?;
        let steps = first.steps();
        let from = given.average_from.as_ref().map_or(Ok(0), |text| average_from(text, steps))?;
        let usual = if steps - from < EVERY { 1 } else { EVERY };
        let every = given.every.as_ref().map_or(Ok(usual), |text| steps_apart("--every", text))?;
        if steps / every == from / every {
            let message = format!(
                "{name}: no step after {from} is a multiple of {every}: allowed \
                is at least one among {steps}"
            );
            return Err(Failure::BadInput(message));
        }
        let built = first.build(&Machine { threads: Some(1), ..Machine::default() })?;
        Ok(Self {
            name: name.into(),
            dimensions: first.dimensions(),
            edges: built.flock.edges(),
            units: None,
            radius: group_radius(&built),
            notes: built.notes,
            what: What::Scenes { scenes, sampling: SideSampling { average_from: from, every } },
        })
    }

    /// What there is of it, in words.
    pub fn about(&self) -> String {
        match &self.what {
            What::Recording { recording, after, every, .. } => {
                let which =
                    if *every > 1 { format!(", every {every} frames") } else { String::new() };
                let found = recording.found();
                format!(
                    "{} ids in {}-D, frames {} to {}{which}",
                    found.ids,
                    self.dimensions,
                    after.map_or(found.first_frame, |after| after + 1),
                    found.last_frame
                )
            }
            What::Scenes { scenes, sampling } => {
                let runs = if scenes.len() == 1 {
                    "1 run".into()
                } else {
                    format!("{} runs", scenes.len())
                };
                let (first, last, every) =
                    (sampling.average_from + 1, scenes[0].steps(), sampling.every);
                format!(
                    "{runs} of a scene in {}-D, every {every} steps from {first} to {last}",
                    self.dimensions
                )
            }
        }
    }

    /// A page that shows it: the whole recording, or the first run.
    pub fn page(&self, limit: u64, machine: &Machine) -> Result<Page, Failure> {
        match &self.what {
            What::Recording { options, .. } => page::of_recording(
                Path::new(&self.name),
                options,
                &PageOptions { limit, ..PageOptions::default() },
            ),
            What::Scenes { scenes, .. } => page::of_scene(&scenes[0], machine, limit),
        }
    }

    /// The observables of every measured moment, run by run.
    pub fn measure(
        &self,
        measure: &SideMeasure,
        machine: &Machine,
    ) -> Result<Vec<Observations>, Failure> {
        let (scenes, sampling) = match &self.what {
            What::Recording { recording, after, every, .. } => {
                return Ok(vec![measure.recording(recording, *after, *every)?]);
            }
            What::Scenes { scenes, sampling } => (scenes, *sampling),
        };
        let bar = progress::runs(scenes.len() as u64 * scenes[0].steps());
        let done = AtomicUsize::new(0);
        let runs: Vec<Mutex<Option<Observations>>> =
            scenes.iter().map(|_| Mutex::new(None)).collect();
        jobs::all(scenes.len(), jobs::threads(machine), |job, threads, stop| {
            let machine = Machine { threads: Some(threads), ..*machine };
            let flown = measure.scene(
                &scenes[job],
                &machine,
                sampling,
                &Run { bar: &bar, by_steps: true, stop },
            )?;
            bar.set_message(format!(
                "{}: {}/{} runs",
                self.name,
                done.fetch_add(1, Ordering::Relaxed) + 1,
                scenes.len()
            ));
            *jobs::locked(&runs[job]) = flown.map(|flown| flown.observations);
            Ok(())
        })?;
        bar.finish_and_clear();
        let runs: Option<Vec<_>> = runs.iter().map(|run| jobs::locked(run).take()).collect();
        runs.ok_or_else(|| Failure::Stopped("stopped; nothing is written".into()))
    }
}

/// Settles what both sides share, group radius and density, and says so. What cannot be compared at
/// all is refused.
pub fn settle(
    subjects: &[OpenedSide; 2],
    measure: &mut SideMeasure,
    is_radius_given: bool,
) -> Result<Vec<String>, Failure> {
    let [a, b] = subjects;
    if a.dimensions != b.dimensions {
        let message = format!(
            "{}-D, and {} is in {}-D: allowed are two of the same",
            a.dimensions, b.name, b.dimensions
        );
        return Err(Failure::BadInput(format!("{}: is in {message}", a.name)));
    }
    let mut notes: Vec<String> =
        measure.settle_density([a.edges, b.edges]).map(str::to_string).into_iter().collect();
    if !is_radius_given {
        let mut radii: Vec<f64> = [a.radius, b.radius].into_iter().flatten().collect();
        radii.dedup();
        match radii[..] {
            [] => {}
            [radius] => measure.radius = Some(radius),
            _ => notes.push(
                "groups are left out, as the perception radii of the scenes differ: \
                --radius counts them"
                    .into(),
            ),
        }
    }
    Ok(notes)
}
