//! What can be typed after `wingbeat fit`.

use clap::Args;

use crate::options::{ColumnValues, MachineValues, Print, ReadValues, SceneValues};

const EXAMPLES: &str = "\
Examples:
  wingbeat fit tank.toml --to fish.npy --fps 32 --vary separation.weight=0..60 \
    --vary alignment.weight=0..5 \\
    --vary cohesion.weight=0..3 --columns polarization,mean_speed,nearest_neighbor_distance \
    --average-from 100 --out fitted.toml
  wingbeat fit couzin2002 --to milling.wbr --vary model.orientation_width=0..4 \
    --out fitted.toml --json

The scene is flown with other values of the keys of --vary until its observables are distributed,
over moments, as those of the recording. What is made smaller: in each run, for each column, how far
values of the recording must be moved on average to become those of the run (Wasserstein's first
distance), in standard deviations of the recording; of the columns the root mean square; of that the
mean over runs.

A search looks at points spread over all ranges, then goes on from the best with COBYLA. All points
of a search are flown with the same seeds; other searches have others. The best point of all
searches and their mean are flown again with seeds that no search has had, and the better of them on
these is the fit. Refits then search for it again from runs of the fitted scene itself: how far they
come out from it is the standard error of each key.

Each finished run is a line of FILE.toml.runs.csv: after Ctrl-C, or whatever else ended the fit, the
same command goes on from there. Results do not depend on --threads. docs/COMPARING.md says more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct FitArgs {
    /// A TOML file, or a preset's name
    pub scene: String,
    /// What the scene is to come close to: a recording, as `measure` reads it
    #[arg(long, value_name = "RECORDING")]
    pub to: String,
    /// A key that is varied, and between which numbers; may be repeated, up to 8 times
    #[arg(long, value_name = "KEY=A..B", required = true)]
    pub vary: Vec<String>,
    #[command(flatten)]
    pub read: ReadValues,
    /// Measure the recording at the frames after this one [default: all of them]
    #[arg(long, value_name = "FRAME", allow_negative_numbers = true)]
    pub to_from: Option<String>,
    /// Measure every N-th frame of the recording only [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub to_every: Option<String>,
    /// Boids this close to each other are of one group [default: groups are not counted]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: Option<String>,
    #[command(flatten)]
    pub columns: ColumnValues,
    #[command(flatten)]
    pub values: SceneValues,
    /// Measure runs at the steps after this one [default: 0, all of them]
    #[arg(long, value_name = "STEP", allow_negative_numbers = true)]
    pub average_from: Option<String>,
    /// Measure runs at every N-th step only [default: 10, or 1 for under ten steps]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// How many searches are made, each with seeds of its own
    #[arg(long, value_name = "N", default_value = "4", allow_negative_numbers = true)]
    pub searches: String,
    /// How many points a search may look at [default: 25 for each key]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub points: Option<String>,
    /// How many runs each point is flown, with as many seeds
    #[arg(long, value_name = "N", default_value = "4", allow_negative_numbers = true)]
    pub runs: String,
    /// How many runs with fresh seeds the result is judged by
    #[arg(long, value_name = "N", default_value = "16", allow_negative_numbers = true)]
    pub fresh_runs: String,
    /// How many searches begin anew from runs of the fitted scene, for the standard errors; 0 for
    /// none
    #[arg(long, value_name = "N", default_value = "4", allow_negative_numbers = true)]
    pub refits: String,
    /// Where all seeds of the fit begin: another number is another fit
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true)]
    pub search_seed: String,
    /// Where the fitted scene goes; the runs themselves go to FILE.toml.runs.csv
    #[arg(long, value_name = "FILE.toml")]
    pub out: String,
    /// Start over, even if some runs are finished
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub machine: MachineValues,
    #[command(flatten)]
    pub print: Print,
}
