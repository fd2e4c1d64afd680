//! What can be typed. Numbers arrive as text, so that the scene's own table refuses them with its own words.

use clap::{Args, Parser, Subcommand};
use wingbeat_scene::{Machine, Override, SceneError};

use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  wingbeat run murmuration                       100,000 starlings, with a summary at the end
  wingbeat run shoal --still shoal.png           and a picture of the last step
  wingbeat show shoal > my.toml                  a scene to edit
  wingbeat check my.toml                         what would be refused, and which knobs fight
  wingbeat run my.toml --set cohesion.weight=2 --json
  wingbeat run shoal --record shoal.wbr          every step, to look at, measure and convert
  wingbeat replay shoal.wbr                      a web page that plays it
  wingbeat convert shoal.wbr shoal.npz           for NumPy; or .csv, .xyz, .vtp, .ply
  wingbeat render shoal.wbr --gif shoal.gif      a film of it; or --png, --mp4
  wingbeat view shoal                            live in the browser, with sliders
  wingbeat explain shoal --boid 17 --step 200    why that fish turned
  wingbeat measure fish.npy --fps 32             the same numbers of a recording
  wingbeat plot shoal.wbr -o order.svg           observables over time, as a picture
  wingbeat sweep my.toml --set alignment.weight=0..2:11 --set seed=1..8 --out order.csv

Exit codes: 0 done, 2 bad input (one line says what, where and what is allowed), 130 stopped by Ctrl-C, 1 anything else.";

const RUN_EXAMPLES: &str = "\
Examples:
  wingbeat run murmuration --boids 20000 --threads 1
  wingbeat run shoal --steps 2000 --average-from 1000 --json
  wingbeat run shoal --set alignment.radius=2.5 --set domain.kind=walled --set domain.margin=4 --set domain.strength=20
  wingbeat run examples/scenes/tank.toml --initial fish.csv --final after.csv --still after.svg
  wingbeat run shoal --observe order.csv --every 10
  wingbeat run murmuration --record starlings.wbr --every 5
  wingbeat run shoal --html shoal.html

On a terminal a run also writes SCENE.html, a web page that replays it (--no-html: it does not). No file of yours is overwritten.

--record writes while the flock steps: .wbr (ours: exact, compact, good after a crash), .npz (NumPy), .csv, .xyz (OVITO),
.vtp (ParaView, a file a frame and a .pvd), .ply (Blender, a file a frame); .parquet and .arrow in a build with the features
of these names. docs/RECORDINGS.md says more. Ctrl-C stops after the
step it is at, with the recording and the summary of the steps made, and exit code 130.

--set takes any key of a scene file (docs/SCENES.md lists them) and a TOML value. Results depend on the scene and the seed
only, never on --threads or --level. Output files appear whole or not at all.";

const SWEEP_EXAMPLES: &str = "\
Examples:
  wingbeat sweep shoal --boids 300 --set alignment.weight=0..2:11 --set seed=1..8 --steps 1000 --average-from 500 \\
    --out order.csv --plot order.svg
  wingbeat sweep pond.toml --set cohesion.radius=1,1.5,3 --set boids=100..400:4 --set seed=1..16 --average-from 200 --out pond.csv
  wingbeat sweep pond.toml --set 'domain.max=[10, 10],[20, 20]' --set domain.kind=periodic,reflecting --out domains.csv

--set KEY=A..B:N sweeps N evenly spaced values from A to B, KEY=A..B whole numbers, KEY=A,B,C a list (of any kind of values);
KEY=VALUE holds for all runs. There is a run for every combination, and a row of FILE.csv for every combination of all but
seed: mean and standard error over the seeds of each observable's mean over the steps after --average-from.

Each finished run is a line of FILE.csv.runs.csv: the same command goes on from there after Ctrl-C or worse, and runs nothing
twice. FILE.csv has the same bytes however often that happened and whatever --threads. More in docs/SWEEPS.md.";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  wingbeat explain shoal --boid 17                 its first decision
  wingbeat explain shoal --boid 17 --step 200      after 200 steps: the decision it makes in step 201
  wingbeat explain my.toml --boid 0 --step 50 --set cohesion.weight=2 --json

The page has the boid's neighbors with distance and angle, each rule's sum, response, weight and vector, each other term, which
limit cut what, and what the step makes of it; --json has the same with all digits, and what each neighbor adds. The numbers
are the engine's own, bit for bit. docs/EXPLAIN.md reads one.";

const MEASURE_EXAMPLES: &str = "\
Examples:
  wingbeat measure fish.npy --fps 32 --radius 150
  wingbeat measure corridor.txt --fps 25 --scale 0.01 --observe corridor.csv --every 25
  wingbeat measure bottleneck.txt --line=-0.25,0,0.25,0 --area=-0.4,0.5,0.4,1.3

Velocities are central differences inside unbroken stretches of each track. Gaps, duplicates, rows out of order and everything
else that was done is reported. docs/MEASURES.md defines the observables.";

const CONVERT_EXAMPLES: &str = "\
Examples:
  wingbeat convert shoal.wbr shoal.npz
  wingbeat convert shoal.wbr shoal.vtp --every 10       shoal_000000.vtp, … and shoal.pvd
  wingbeat convert corridor.txt corridor.csv --fps 25 --scale 0.01

Reads .wbr, .npy, .npz, .csv, .xyz and .txt, writes .wbr, .npz, .csv, .xyz, .vtp and .ply, in single precision. A .wbr keeps its
own times and bits; where a file has no velocities, they are central differences. docs/RECORDINGS.md says more.";

/// Flocking and crowd steering: exact, reproducible, fast.
#[derive(Debug, Parser)]
#[command(name = "wingbeat", version, about, after_help = EXAMPLES)]
pub struct Cli {
    /// Nothing but results and errors: no progress, notes, maps or words on files that were written
    #[arg(long, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene and say what came of it
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// List the scenes that ship with the program, name first
    #[command(after_help = "Examples:\n  wingbeat presets\n  wingbeat presets | cut -d' ' -f1        names alone")]
    Presets,
    /// Print a preset's TOML, to edit
    #[command(after_help = "Example:\n  wingbeat show shoal > my.toml")]
    Show {
        /// A name from `wingbeat presets`
        preset: String,
    },
    /// Read and validate a scene, run nothing, and warn of knobs that fight
    #[command(
        after_help = "Example:\n  wingbeat check my.toml --set agent.max_speed=40\n\nWarnings go to standard error and leave the exit code 0."
    )]
    Check {
        /// A TOML file, or a preset's name
        scene: String,
        #[command(flatten)]
        values: SceneValues,
    },
    /// Write a recording in another format
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(ConvertArgs),
    /// Write a recording as a web page that plays it: one file, to open in any browser
    #[command(after_help = crate::replay::EXAMPLES)]
    Replay(crate::replay::ReplayArgs),
    /// Measure a recording: order, spacing, groups, flow and density, and what the file lacks
    #[command(after_help = MEASURE_EXAMPLES)]
    Measure(MeasureArgs),
    /// Run a scene for every combination of some values, in parallel: means and standard errors over seeds
    #[command(after_help = SWEEP_EXAMPLES)]
    Sweep(SweepArgs),
    /// Say why one boid goes where it goes: its neighbors, each rule's numbers, limits, and the step they make
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),
    /// Draw pictures and films of a recording or a scene
    #[command(after_help = crate::render::args::EXAMPLES)]
    Render(Box<crate::render::args::RenderArgs>),
    /// Draw observables over time, of a recording or of what --observe wrote
    #[command(after_help = crate::plot::EXAMPLES)]
    Plot(crate::plot::PlotArgs),
    /// Print completions for a shell: bash, zsh, fish, powershell or elvish
    #[command(after_help = crate::completions::EXAMPLES)]
    Completions(crate::completions::CompletionsArgs),
    /// Print the manual page, in roff
    #[command(after_help = "Example:\n  wingbeat man > ~/.local/share/man/man1/wingbeat.1")]
    Man,
    /// Show a scene's flock in the browser, live, with sliders for its parameters
    #[cfg(feature = "view")]
    #[command(after_help = crate::view::EXAMPLES)]
    View(crate::view::ViewArgs),
    /// Print the version, and which SIMD levels and how many threads this machine has
    #[command(after_help = "Example:\n  wingbeat info")]
    Info,
}

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

/// Values that stand in for the scene file's own.
#[derive(Args, Debug, Default, PartialEq)]
pub struct SceneValues {
    /// How many steps to make [key: flock.steps]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub steps: Option<String>,
    #[command(flatten)]
    pub start: StartValues,
}

impl SceneValues {
    /// The overrides in order of precedence, strongest last.
    pub fn overrides(&self) -> Result<Vec<Override>, SceneError> {
        self.start.overrides(self.steps.as_ref())
    }
}

/// The same without the steps to make, which not every command takes from the scene.
#[derive(Args, Debug, Default, PartialEq)]
pub struct StartValues {
    /// Time one step covers [key: flock.dt]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub dt: Option<String>,
    /// How many boids; presets keep their density [key: flock.boids]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub boids: Option<String>,
    /// Key of all randomness [key: flock.seed]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<String>,
    /// Start from this state, .csv or .npy, or from a recording's frame (--set initial.frame=N); it sets the count [key: initial.file]
    #[arg(long, value_name = "FILE")]
    pub initial: Option<String>,
    /// Override any key of the scene by its dotted name; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl StartValues {
    /// The overrides in order of precedence, strongest last.
    pub fn overrides(&self, steps: Option<&String>) -> Result<Vec<Override>, SceneError> {
        let mut overrides = self.set.iter().map(|text| Override::set(&with_full_name(text))).collect::<Result<Vec<_>, _>>()?;
        let flags = [
            ("--steps", "flock.steps", steps),
            ("--dt", "flock.dt", self.dt.as_ref()),
            ("--boids", "flock.boids", self.boids.as_ref()),
            ("--seed", "flock.seed", self.seed.as_ref()),
        ];
        for (flag, key, value) in flags {
            overrides.extend(value.map(|value| Override::flag(flag, key, value)));
        }
        overrides.extend(self.initial.as_ref().map(|path| Override::text("--initial", "initial.file", path)));
        Ok(overrides)
    }
}

#[derive(Args, Debug, Default, PartialEq)]
pub struct RunArgs {
    /// A TOML file, or a preset's name; left out: three commands to try
    pub scene: Option<String>,
    #[command(flatten)]
    pub values: SceneValues,
    #[command(flatten)]
    pub machine: MachineValues,
    /// Write the last state as CSV: id,x,y[,z],vx,vy[,vz], sorted by id
    #[arg(long = "final", value_name = "FILE.csv")]
    pub final_file: Option<String>,
    /// Draw the last state: triangles along the headings, coloured by them
    #[arg(long, value_name = "FILE.svg|.png")]
    pub still: Option<String>,
    /// Also report polarization and milling averaged over the steps after this one; with --every, all observables
    #[arg(long, value_name = "STEP", allow_negative_numbers = true)]
    pub average_from: Option<String>,
    /// Write all observables over time as CSV, from step 0 on; docs/MEASURES.md defines them
    #[arg(long, value_name = "FILE.csv")]
    pub observe: Option<String>,
    /// Record positions and velocities from step 0 on, in the format the file's ending names
    #[arg(long, value_name = "FILE.wbr|.npz|.csv|.xyz|.vtp|.ply")]
    pub record: Option<String>,
    /// Measure and record every N-th step only, for --observe, --average-from and --record [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    #[command(flatten)]
    pub page: crate::page::PageArgs,
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SweepArgs {
    /// A TOML file, or a preset's name
    pub scene: String,
    /// Sweep or fix a key of the scene; may be repeated. KEY=A..B:N, KEY=A..B, KEY=A,B,C or KEY=VALUE
    #[arg(long, value_name = "KEY=VALUES")]
    pub set: Vec<String>,
    /// How many steps each run makes [key: flock.steps]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub steps: Option<String>,
    /// Time one step covers [key: flock.dt]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub dt: Option<String>,
    /// How many boids; presets keep their density [key: flock.boids]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub boids: Option<String>,
    /// Key of all randomness; 1..8 averages over eight runs [key: flock.seed]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<String>,
    /// Start from this state, .csv or .npy, or from a recording's frame (--set initial.frame=N); it sets the count [key: initial.file]
    #[arg(long, value_name = "FILE")]
    pub initial: Option<String>,
    /// Time means are over the steps after this one [default: 0, all of them]
    #[arg(long, value_name = "STEP", allow_negative_numbers = true)]
    pub average_from: Option<String>,
    /// Measure all observables but polarization and milling at every N-th step only [default: 10, or 1 for under ten steps]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// Where means and standard errors go; the runs themselves go to FILE.csv.runs.csv
    #[arg(long, value_name = "FILE.csv")]
    pub out: String,
    /// Start over, even if some runs are finished
    #[arg(long)]
    pub fresh: bool,
    /// Draw an observable by the first key that is swept over numbers, with a line for each combination of the others
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<String>,
    /// The observable to draw [default: polarization]
    #[arg(long, value_name = "OBSERVABLE")]
    pub y: Option<String>,
    /// Runs at a time, 1 to 1024; fewer runs than that share the threads [default: as many as the machine has]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub threads: Option<String>,
    /// SIMD level: portable, avx2 or avx512 [default: the best this CPU has]
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<String>,
}

/// What a flock steps on; results do not depend on it.
#[derive(Args, Debug, Default, PartialEq)]
pub struct MachineValues {
    /// Worker threads, 1 to 1024 [default: as many as the machine has]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub threads: Option<String>,
    /// SIMD level: portable, avx2 or avx512 [default: the best this CPU has]
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<String>,
}

impl MachineValues {
    /// The same, checked.
    pub fn machine(&self) -> Result<Machine, Failure> {
        crate::run::machine(self.threads.as_ref(), self.level.as_ref())
    }
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A TOML file, or a preset's name
    pub scene: String,
    /// Which boid, by its id
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    pub boid: String,
    /// Steps to make first; explained is the decision of the step after them
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true)]
    pub step: String,
    // There is no --steps: it would be taken for --step.
    #[command(flatten)]
    pub start: StartValues,
    #[command(flatten)]
    pub machine: MachineValues,
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// A recording that can be read: .wbr, .npy, .npz, .csv, .xyz or .txt
    pub from: String,
    /// What to write: .wbr, .npz, .csv, .xyz, .vtp or .ply
    pub to: String,
    /// Frames per second, 1e-6 to 1e6 [default: what the file says, else 1]
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub fps: Option<String>,
    /// Multiply all coordinates, 1e-9 to 1e9 [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub scale: Option<String>,
    /// Take every N-th frame only [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct MeasureArgs {
    /// A recording: .wbr, .npz, .npy [frames, individuals, 2 or 3], .csv (frame,id,x,y[,z]), .xyz, .txt (id frame x y [z])
    pub file: String,
    /// Frames per second, 1e-6 to 1e6 [default: what the file says, else 1: times then count frames]
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub fps: Option<String>,
    /// Multiply all coordinates, 1e-9 to 1e9: 0.01 makes meters of centimeters [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub scale: Option<String>,
    /// Who is this close to another is in one group with it; without it, groups are not counted
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: Option<String>,
    /// Count who crosses this line, and the flow over it, after scaling
    #[arg(long, value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true)]
    pub line: Option<String>,
    /// Density and mean speed in this rectangle, after scaling
    #[arg(long, value_name = "XMIN,YMIN,XMAX,YMAX", allow_hyphen_values = true)]
    pub area: Option<String>,
    /// Write the observables of every measured frame as CSV
    #[arg(long, value_name = "FILE.csv")]
    pub observe: Option<String>,
    /// Measure every N-th frame only [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
