//! What can be typed after `wingbeat sweep`.

use clap::Args;

use crate::options::{FlockValues, MachineValues, Steps};

const EXAMPLES: &str = "\
Examples:
  wingbeat sweep shoal --boids 300 --set alignment.weight=0..2:11 --set seed=1..8 --steps 1000 --average-from 500 \\
    --out order.csv --plot order.svg
  wingbeat sweep pond.toml --set cohesion.radius=1,1.5,3 --set boids=100..400:4 --set seed=1..16 --average-from 200 --out pond.csv
  wingbeat sweep evacuation --boids 100,300,1000 --seed 1..8 --columns t50,t90,left --out exit.csv --plot exit.svg
  wingbeat sweep pond.toml --set 'domain.max=[10, 10],[20, 20]' --set domain.kind=periodic,reflecting --out domains.csv

--set KEY=A..B:N sweeps N evenly spaced values from A to B, KEY=A..B whole numbers, KEY=A,B,C a list (of any kind of values);
KEY=VALUE holds for all runs. --steps, --dt, --boids and --seed take the same: --seed 1..8. There is a run for every combination,
and a row of FILE.csv for every combination of all keys but the seed: mean and standard error, over the seeds, of each observable's
mean over the steps after --average-from.

Each thread makes a run; where there are fewer runs than threads, runs get several. Each finished run is a line of
FILE.csv.runs.csv: after Ctrl-C, or whatever else ended the sweep, the same command goes on from there and repeats no run. FILE.csv
has the same bytes however often that happened and whatever --threads. docs/SWEEPS.md says more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SweepArgs {
    /// A TOML file, or a preset's name
    pub scene: String,
    /// Sweep or fix a key of the scene; may be repeated. KEY=A..B:N, KEY=A..B, KEY=A,B,C or KEY=VALUE
    #[arg(long, value_name = "KEY=VALUES")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub steps: Steps,
    #[command(flatten)]
    pub flock: FlockValues,
    /// Average over the steps after this one [default: 0, all of them]
    #[arg(long, value_name = "STEP", allow_negative_numbers = true)]
    pub average_from: Option<String>,
    /// Measure all observables but polarization and milling at every N-th step only [default: 10, or 1 for under ten steps]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// Which numbers become columns, apart by commas: observables, and of the events of a run arrived, arrivals, captured, left,
    /// remaining, squeezed, t50, t90, t100 [default: all observables]
    #[arg(long, value_name = "NAMES")]
    pub columns: Option<String>,
    /// Where means and standard errors go; the runs themselves go to FILE.csv.runs.csv
    #[arg(long, value_name = "FILE.csv")]
    pub out: String,
    /// Start over, even if some runs are finished
    #[arg(long)]
    pub fresh: bool,
    /// Draw a column by the first key that is swept over numbers, with a line for each combination of the others
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<String>,
    /// The column to draw [default: the first]
    #[arg(long, value_name = "COLUMN")]
    pub y: Option<String>,
    #[command(flatten)]
    pub machine: MachineValues,
}
