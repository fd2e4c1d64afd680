//! Options that several subcommands share. Values of a scene's keys arrive as text, so that the
//! table of keys refuses them in its own words.

use clap::Args;
use wingbeat::Level;
use wingbeat_measure::Wanted;
use wingbeat_record::{ColumnNames, LengthUnit, Options, Smooth};
use wingbeat_scene::{Machine, Override, SceneError};

use crate::failure::Failure;
use crate::values::{Every, Given, OptionValue, Refused, Whole, given};

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
    #[arg(long, value_name = "N")]
    pub steps: Option<String>,
}

/// Values of the scene with an option of their own.
#[derive(Args, Debug, Default, PartialEq)]
pub struct FlockValues {
    /// Time that one step covers [key: flock.dt]
    #[arg(long, value_name = "S")]
    pub dt: Option<String>,
    /// How many boids; presets keep their density [key: flock.boids]
    #[arg(long, value_name = "N")]
    pub boids: Option<String>,
    /// Seed of all random numbers [key: flock.seed]
    #[arg(long, value_name = "N")]
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
    #[arg(long, value_name = "T")]
    pub threads: Option<Given<Whole<1, 1024>>>,
}

impl Threads {
    /// How many, if that was said.
    pub fn count(&self) -> Option<usize> {
        given(&self.threads).map(|Whole(threads)| threads as usize)
    }
}

/// What a flock steps on; results do not depend on it.
#[derive(Args, Debug, Default, PartialEq)]
pub struct MachineValues {
    #[command(flatten)]
    pub threads: Threads,
    /// SIMD level: portable, avx2 or avx512 [default: the best this CPU has]
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<Given<Level>>,
}

impl MachineValues {
    /// The same, as scenes take it.
    pub fn machine(&self) -> Machine {
        Machine { level: given(&self.level), threads: self.threads.count() }
    }
}

/// How a recording is read.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub struct ReadValues {
    /// Frames per second of the recording, 1e-6 to 1e6 [default: what the file says, else 1: times
    /// then count frames]
    #[arg(long, value_name = "F")]
    pub fps: Option<Given<f64>>,
    /// Multiply all coordinates of the recording, 1e-9 to 1e9 [default: what makes meters of cm, mm
    /// or km that a table states, else 1]
    #[arg(long, value_name = "S")]
    pub scale: Option<Given<f64>>,
    /// Unit of lengths in the recording: m, cm, mm, km, px or bl (body lengths); cm, mm and km of a
    /// table become m. With --scale, the unit that it makes [default: what the file says]
    #[arg(long, value_name = "UNIT")]
    pub unit: Option<Given<LengthUnit>>,
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
    #[arg(long, value_name = "N")]
    pub fill_gaps: Option<Given<GapLength>>,
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
        let smooth = self.smooth.as_ref().map(|text| text.parse::<Smooth>()).transpose()?;
        Ok(Options {
            fps: given(&self.fps),
            scale: given(&self.scale),
            unit: given(&self.unit),
            y_down: self.y_down,
            columns,
            fill_gaps: given(&self.fill_gaps).map(|GapLength(most)| most),
            smooth,
            ..Options::default()
        })
    }

    /// What was given, with the option's name.
    pub fn given(&self) -> Option<(&'static str, &str)> {
        let values = [
            ("--fps", self.fps.as_ref().map(|given| &given.text)),
            ("--scale", self.scale.as_ref().map(|given| &given.text)),
            ("--unit", self.unit.as_ref().map(|given| &given.text)),
            ("--map-columns", self.map_columns.as_ref()),
            ("--fill-gaps", self.fill_gaps.as_ref().map(|given| &given.text)),
            ("--smooth", self.smooth.as_ref()),
        ];
        let given = values.into_iter().find_map(|(flag, text)| Some((flag, text?.as_str())));
        given.or(self.y_down.then_some(("--y-down", "true")))
    }
}

/// A unit of length, by its name or symbol.
impl OptionValue for LengthUnit {
    fn read(text: &str) -> Result<Self, Refused> {
        Self::parse(text).ok_or_else(|| Self::SYMBOLS.join(", ").into())
    }
}

/// How long a gap is filled, in frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GapLength(u64);

impl OptionValue for GapLength {
    fn read(text: &str) -> Result<Self, Refused> {
        let most = text.parse().ok().filter(|most| (1..=10_000).contains(most));
        most.map(Self).ok_or_else(|| "a whole number of frames, 1 to 10000".into())
    }
}

/// Which observables are measured.
#[derive(Args, Debug, Default, PartialEq)]
pub struct ColumnValues {
    /// Measure these observables alone, names apart by commas [default: all but local_order;
    /// docs/MEASURES.md lists them]
    #[arg(long, value_name = "NAMES")]
    pub columns: Option<Given<Wanted>>,
}

impl ColumnValues {
    /// The same as a set.
    pub fn wanted(&self) -> Wanted {
        given(&self.columns).unwrap_or(Wanted::USUAL)
    }
}

/// How results are printed.
#[derive(Args, Debug, Default, PartialEq)]
pub struct Print {
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

/// `--every`, where nothing is left out by default.
pub fn every(option: &Option<Given<Every>>) -> u64 {
    given(option).map_or(1, |Whole(every)| every)
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
