//! What can be typed after `wingbeat sweep`.

use clap::Args;

use crate::columns::Columns;
use crate::options::{FlockValues, MachineValues, Steps};
use crate::values::{Every, Given, OneOf, Word};

const EXAMPLES: &str = "\
Examples:
  wingbeat sweep shoal --boids 300 --set alignment.weight=0..2:11 --set seed=1..8 --steps 1000 \
    --average-from 500 \\
    --out order.csv --plot order.svg
  wingbeat sweep pond.toml --set cohesion.radius=1,1.5,3 --set boids=100..400:4 \
    --set seed=1..16 --average-from 200 --out pond.csv
  wingbeat sweep evacuation --boids 100,300,1000 --seed 1..8 --columns t50,t90,left \
    --out exit.csv --plot exit.svg
  wingbeat sweep building --seed 1..20 --columns t50,t90,t100 --out times.csv --plot times.svg
  wingbeat sweep pond.toml --set 'domain.max=[10, 10],[20, 20]' \
    --set domain.kind=periodic,reflecting --out domains.csv
  wingbeat sweep couzin2002 --set model.orientation_width=0..4:17 \
    --continue model.orientation_width --there-and-back \
    --set seed=1..8 --steps 5000 --average-from 2500 --columns polarization,milling --out \
    memory.csv --plot memory.svg

--set KEY=A..B:N sweeps N evenly spaced values from A to B, KEY=A..B whole numbers, KEY=A,B,C a list
(of any kind of values); KEY=VALUE holds for all runs. --steps, --dt, --boids and --seed take the
same: --seed 1..8. There is a run for every combination, and a row of FILE.csv for every combination
of all keys but the seed: mean and standard error, over the seeds, of each observable's mean over
the steps after --average-from. Where the seed alone is swept, the row also has quantiles of each
over the seeds: COLUMN_min, _q10, _q25, _median, _q75, _q90, _max.

--where leaves out combinations: --where 'separation.weight<alignment.weight' --where 'boids>=100'
keeps those for which both hold. --record FOLDER keeps the runs as recordings, for instance
FOLDER/alignment.weight=0.5,seed=3.wbr; runs that were made before without are made again for that.

--continue KEY makes the runs along one key one after the other, each from the last state of the one
before, in the order of the values: what a flock does then depends on where it comes from.
--there-and-back goes back over the same values from the last to the first.

Each thread makes a run; where there are fewer runs than threads, runs get several. Each finished
run is a line of FILE.csv.runs.csv: after Ctrl-C, or whatever else ended the sweep, the same command
goes on from there and repeats no run. FILE.csv has the same bytes however often that happened and
whatever --threads. docs/COMMANDS.md says more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SweepArgs {
    /// A TOML file, or a preset's name
    pub scene: String,
    /// Sweep or fix a key of the scene; may be repeated. KEY=A..B:N, KEY=A..B, KEY=A,B,C or
    /// KEY=VALUE
    #[arg(long, value_name = "KEY=VALUES")]
    pub set: Vec<String>,
    /// Only combinations that meet this: a swept key compared by < <= > >= = != with a value or
    /// another key; may be repeated, then all hold
    #[arg(long = "where", value_name = "KEY<VALUE")]
    pub conditions: Vec<String>,
    #[command(flatten)]
    pub steps: Steps,
    #[command(flatten)]
    pub flock: FlockValues,
    /// Go on from one value of this key to the next: each run begins with the last state of the one
    /// before
    #[arg(long = "continue", value_name = "KEY")]
    pub continued: Option<String>,
    /// With --continue: over the same values back, too; a column `direction` says up or down
    #[arg(long, requires = "continued")]
    pub there_and_back: bool,
    /// Average over the steps after this one [default: 0, all of them]
    #[arg(long, value_name = "STEP")]
    pub average_from: Option<String>,
    /// Measure all observables but polarization and milling at every N-th step only [default: 10,
    /// or 1 for under ten steps]
    #[arg(long, value_name = "N")]
    pub every: Option<Given<Every>>,
    /// Record each run, every --every steps, as a .wbr of its own in this folder, named by its
    /// values
    #[arg(long, value_name = "FOLDER")]
    pub record: Option<String>,
    // The table that reads it says what it takes.
    #[arg(long, value_name = "NAMES", help = Columns::help())]
    pub columns: Option<String>,
    /// Where means and standard errors go, and quantiles where the seed alone is swept; the runs
    /// themselves go to FILE.csv.runs.csv
    #[arg(long, value_name = "FILE.csv")]
    pub out: String,
    /// Start over, even if some runs are finished
    #[arg(long)]
    pub fresh: bool,
    /// Draw columns by the first key that is swept over numbers, with a line for each combination
    /// of the others; or, where two keys are swept over five numbers each or more and nothing else,
    /// one column by both as colours; or, where the seed alone is swept, how the runs differ: the
    /// cumulative share of runs and a histogram
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<String>,
    /// The columns to draw, apart by commas; those whose units differ get axes of their own; where
    /// the seed alone is swept, columns of one unit [default: all of --columns if those are at most
    /// 8, else the first; where the seed alone is swept, those of them with the first one's unit]
    #[arg(long, value_name = "COLUMNS")]
    pub y: Option<String>,
    /// Lines or a map of colours, whatever is swept
    #[arg(long, value_name = "lines|map")]
    pub plot_as: Option<Given<OneOf<PlotForm>>>,
    #[command(flatten)]
    pub machine: MachineValues,
}

/// What `--plot-as` takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlotForm {
    Lines,
    Map,
}

impl Word for PlotForm {
    const WORDS: &[(&str, Self)] = &[("lines", Self::Lines), ("map", Self::Map)];
}
