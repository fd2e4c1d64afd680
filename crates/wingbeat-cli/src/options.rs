//! Options that several subcommands share, and what their values are checked by. Numbers arrive as
//! text, so that the table of a scene's keys, or the check here, refuses them in its own words.

use clap::Args;
use wingbeat::Level;
use wingbeat_measure::{Observables, Wanted};
use wingbeat_record::{ColumnNames, Options, Smooth};
use wingbeat_scene::{Machine, Override, SceneError};

use crate::failure::Failure;

/// Keys of `[flock]` that `--set` also takes without their section.
const SHORT_NAMES: [&str; 4] = ["boids", "dt", "seed", "steps"];

/// A key as scenes name it.
pub fn full_name(key: &str) -> String {
    if SHORT_NAMES.contains(&key) { format!("flock.{key}") } else { key.to_string() }
}

/// An assignment with its key as scenes name it; anything else as it is.
fn with_full_name(assignment: &str) -> String {
    match assignment.split_once('=') {
        Some((key, value)) => format!("{}={value}", full_name(key.trim())),
        None => assignment.to_string(),
    }
}

#[derive(Args, Debug, Default, PartialEq)]
pub struct Steps {
    /// How many steps to make [key: flock.steps]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub steps: Option<String>,
}

/// Values of the scene with an option of their own.
#[derive(Args, Debug, Default, PartialEq)]
pub struct FlockValues {
    /// Time that one step covers [key: flock.dt]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub dt: Option<String>,
    /// How many boids; presets keep their density [key: flock.boids]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub boids: Option<String>,
    /// Seed of all random numbers [key: flock.seed]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<String>,
    /// Start from this state, .csv or .npy, or from a recording's frame (--set initial.frame=N); it
    /// sets the count [key: initial.file]
    #[arg(long, value_name = "FILE")]
    pub initial: Option<String>,
}

impl FlockValues {
    /// Option, key and value of those that are numbers, and of the steps.
    pub fn numbers<'a>(
        &'a self,
        steps: Option<&'a String>,
    ) -> impl Iterator<Item = (&'static str, &'static str, &'a String)> {
        let all = [
            ("--steps", "flock.steps", steps),
            ("--dt", "flock.dt", self.dt.as_ref()),
            ("--boids", "flock.boids", self.boids.as_ref()),
            ("--seed", "flock.seed", self.seed.as_ref()),
        ];
        all.into_iter().filter_map(|(option, key, value)| Some((option, key, value?)))
    }
}

/// Values that stand in for the scene file's own, but for the steps to make, which not every
/// command takes from the scene.
#[derive(Args, Debug, Default, PartialEq)]
pub struct StartValues {
    #[command(flatten)]
    pub flock: FlockValues,
    /// Override any key of the scene by its dotted name; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl StartValues {
    /// The overrides in order of precedence, strongest last.
    pub fn overrides(&self, steps: Option<&String>) -> Result<Vec<Override>, SceneError> {
        let mut overrides = self
            .set
            .iter()
            .map(|text| Override::set(&with_full_name(text)))
            .collect::<Result<Vec<_>, _>>()?;
        overrides.extend(
            self.flock
                .numbers(steps)
                .map(|(option, key, value)| Override::flag(option, key, value)),
        );
        overrides.extend(
            self.flock
                .initial
                .as_ref()
                .map(|path| Override::text("--initial", "initial.file", path)),
        );
        Ok(overrides)
    }
}

/// The same with the steps.
#[derive(Args, Debug, Default, PartialEq)]
pub struct SceneValues {
    #[command(flatten)]
    pub steps: Steps,
    #[command(flatten)]
    pub start: StartValues,
}

impl SceneValues {
    /// The overrides in order of precedence, strongest last.
    pub fn overrides(&self) -> Result<Vec<Override>, SceneError> {
        self.start.overrides(self.steps.steps.as_ref())
    }
}

#[derive(Args, Debug, Default, PartialEq)]
pub struct Threads {
    /// Worker threads, 1 to 1024 [default: as many as the machine has]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub threads: Option<String>,
}

impl Threads {
    /// How many, if that was said.
    pub fn count(&self) -> Result<Option<usize>, Failure> {
        let Some(text) = &self.threads else { return Ok(None) };
        let threads = text.parse().ok().filter(|threads| (1..=1024).contains(threads));
        threads
            .map(Some)
            .ok_or_else(|| Failure::value("--threads", text, "a whole number, 1 to 1024"))
    }
}

/// What a flock steps on; results do not depend on it.
#[derive(Args, Debug, Default, PartialEq)]
pub struct MachineValues {
    #[command(flatten)]
    pub threads: Threads,
    /// SIMD level: portable, avx2 or avx512 [default: the best this CPU has]
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<String>,
}

impl MachineValues {
    /// The same, checked.
    pub fn machine(&self) -> Result<Machine, Failure> {
        let names = || Level::ALL.iter().map(|level| level.name()).collect::<Vec<_>>().join(", ");
        let level = self
            .level
            .as_ref()
            .map(|text| text.parse().map_err(|_| Failure::value("--level", text, &names())));
        Ok(Machine { level: level.transpose()?, threads: self.threads.count()? })
    }
}

/// How a recording is read.
#[derive(Args, Debug, Default, PartialEq)]
pub struct ReadValues {
    /// Frames per second of the recording, 1e-6 to 1e6 [default: what the file says, else 1: times
    /// then count frames]
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub fps: Option<String>,
    /// Multiply all coordinates of the recording, 1e-9 to 1e9 [default: what makes meters of a unit
    /// that the file states, else 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub scale: Option<String>,
    /// In the recording y points downwards, as pixels do: change its sign, of positions and
    /// velocities
    #[arg(long)]
    pub y_down: bool,
    /// Columns of a table by their names in its header, for x, y, z, vx, vy, vz, frame, time, id,
    /// species: x=X1,y=Y1
    #[arg(long, value_name = "ROLE=COLUMN,...")]
    pub map_columns: Option<String>,
    /// Fill gaps in tracks of up to N missing positions by a cubic spline, 1 to 10000; longer ones
    /// stay [default: none]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub fill_gaps: Option<String>,
    /// Smooth tracks by polynomials of order ORDER, 1 to 9 [default: 3], over WINDOW positions,
    /// odd, 3 to 9999; velocities are theirs too (Savitzky-Golay) [default: none]
    #[arg(long, value_name = "WINDOW[,ORDER]", allow_hyphen_values = true)]
    pub smooth: Option<String>,
}

impl ReadValues {
    /// The same, as the library takes it.
    pub fn options(&self) -> Result<Options, Failure> {
        let columns = self
            .map_columns
            .as_ref()
            .map(|text| text.parse::<ColumnNames>())
            .transpose()?
            .unwrap_or_default();
        let (fps, scale) = (optional("--fps", &self.fps)?, optional("--scale", &self.scale)?);
        let fill_gaps = self.fill_gaps.as_ref().map(|text| {
            let most = text.parse().ok().filter(|most| (1..=10_000).contains(most));
            most.ok_or_else(|| {
                Failure::value("--fill-gaps", text, "a whole number of frames, 1 to 10000")
            })
        });
        let smooth = self.smooth.as_ref().map(|text| text.parse::<Smooth>()).transpose()?;
        Ok(Options {
            fps,
            scale,
            y_down: self.y_down,
            columns,
            fill_gaps: fill_gaps.transpose()?,
            smooth,
            ..Options::default()
        })
    }

    /// What was given, with the option's name.
    pub fn given(&self) -> Option<(&'static str, &str)> {
        let values = [
            ("--fps", &self.fps),
            ("--scale", &self.scale),
            ("--map-columns", &self.map_columns),
            ("--fill-gaps", &self.fill_gaps),
            ("--smooth", &self.smooth),
        ];
        let given = values.into_iter().find_map(|(flag, value)| Some((flag, value.as_deref()?)));
        given.or(self.y_down.then_some(("--y-down", "true")))
    }
}

/// Which observables are measured.
#[derive(Args, Debug, Default, PartialEq)]
pub struct ColumnValues {
    /// Measure these observables alone, names apart by commas [default: all but local_order;
    /// docs/MEASURES.md lists them]
    #[arg(long, value_name = "NAMES")]
    pub columns: Option<String>,
}

impl ColumnValues {
    /// The same as a set.
    pub fn wanted(&self) -> Result<Wanted, Failure> {
        self.columns.as_ref().map_or(Ok(Wanted::USUAL), |names| wanted(names))
    }
}

/// `--columns`: names of observables apart by commas.
pub fn wanted(names: &str) -> Result<Wanted, Failure> {
    let one = |name: &str| {
        name.trim()
            .parse()
            .map_err(|_| Failure::value("--columns", name.trim(), &Observables::NAMES.join(", ")))
    };
    names.split(',').try_fold(Wanted::NONE, |all, name| Ok(all | one(name)?))
}

/// How results are printed.
#[derive(Args, Debug, Default, PartialEq)]
pub struct Print {
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

pub fn number(option: &str, text: &str) -> Result<f64, Failure> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| Failure::value(option, text, "a finite number"))
}

/// A number of an option that may be left out.
pub fn optional(option: &str, text: &Option<String>) -> Result<Option<f64>, Failure> {
    text.as_ref().map(|text| number(option, text)).transpose()
}

/// Corners of a line or a rectangle.
pub fn four_numbers(flag: &str, text: &str) -> Result<[f64; 4], Failure> {
    let numbers: Vec<f64> = text
        .split(',')
        .filter_map(|part| part.trim().parse().ok())
        .filter(|x: &f64| x.is_finite())
        .collect();
    let four = numbers.try_into().ok().filter(|_| text.split(',').count() == 4);
    four.ok_or_else(|| Failure::value(flag, text, "four finite numbers apart by commas"))
}

/// `--radius`: how close the members of a group are.
pub fn group_radius(text: &Option<String>) -> Result<Option<f64>, Failure> {
    let radius = optional("--radius", text)?;
    match (radius, text) {
        (Some(radius), Some(text)) if radius <= 0.0 => {
            Err(Failure::value("--radius", text, "a number above 0"))
        }
        _ => Ok(radius),
    }
}

/// `--every`: how many steps or frames lie between two that are taken.
pub fn every(text: Option<&String>) -> Result<u64, Failure> {
    text.map_or(Ok(1), |text| steps_apart("--every", text))
}

/// How many steps lie between two.
pub fn steps_apart(option: &str, text: &str) -> Result<u64, Failure> {
    text.parse()
        .ok()
        .filter(|&every| every > 0)
        .ok_or_else(|| Failure::value(option, text, "a whole number from 1"))
}

/// `--average-from`: the step after which averages begin.
pub fn average_from(text: &str, steps: u64) -> Result<u64, Failure> {
    if steps == 0 {
        return Err(Failure::value("--average-from", text, "nothing: the run makes no steps"));
    }
    let allowed =
        format!("a whole number, 0 to {} (below the {steps} steps of the run)", steps - 1);
    let from = text.parse().ok().filter(|&from: &u64| from < steps);
    from.ok_or_else(|| Failure::value("--average-from", text, &allowed))
}
