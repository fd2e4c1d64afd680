//! What can be typed after `wingbeat compare`.

use clap::Args;

use crate::failure::Failure;
use crate::options::{ColumnValues, MachineValues, Print, ReadValues, SceneValues};

const EXAMPLES: &str = "\
Examples:
  wingbeat compare fish.npy tank.toml --fps 32 --runs 8 --average-from 100 --plot fish.svg
  wingbeat compare shoal shoal --set-b alignment.weight=0 --boids 300
  wingbeat compare fish.npy tank.toml --fps 32 --html both.html
  wingbeat compare before.wbr after.wbr --radius 2 --columns polarization,groups --json
  wingbeat compare pixels.csv meters.csv --fps 30 --scale-a 0.0021 --out both.csv

A and B are recordings or scenes (a TOML file, a preset's name). Every observable is measured at
many moments of each, and the two distributions are put side by side. Reading options hold for every
recording and values of the scene for every scene among the two; those that end in -a or -b hold for
one side, and come before. Recordings are measured at every frame, scenes at every tenth step.

  delta     Cliff's delta: how often B is above A, less how often below, over all pairs of \
            moments; -1 to 1
  KS        the largest gap between the two cumulative distributions; 0 to 1
  distance  how far values of A must be moved on average to become those of B, in standard \
            deviations of A

Moments that follow each other are alike: `indep.` says how many independent ones would tell as
much. There are no p-values, as they would take all moments for independent. docs/COMPARING.md says
more.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    /// A recording, a TOML file or a preset's name: what the other is compared with
    pub a: String,
    /// Another
    pub b: String,
    #[command(flatten)]
    pub read: ReadValues,
    #[command(flatten)]
    pub own: OwnValues,
    /// Boids this close to each other are of one group, on both sides [default: the largest
    /// perception radius of the scenes]
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: Option<String>,
    #[command(flatten)]
    pub columns: ColumnValues,
    #[command(flatten)]
    pub values: SceneValues,
    /// Measure scenes at the steps after this one [default: 0, all of them]; of
    /// recordings, --average-from-a and -b say it
    #[arg(long, value_name = "STEP", allow_negative_numbers = true)]
    pub average_from: Option<String>,
    /// Fly each scene so often, with as many seeds from its own on; moments of all runs are put
    /// together [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub runs: Option<String>,
    /// Measure every N-th frame or step only [default: 1 of recordings; 10 of scenes, or 1 of under
    /// ten steps]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// Write the comparison as CSV: a row for each observable
    #[arg(long, value_name = "FILE.csv")]
    pub out: Option<String>,
    /// Draw the distributions, an observable below the other: at most 8
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<String>,
    /// Write a web page that shows both side by side, in step by time: recordings whole, scenes by
    /// their first run
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<String>,
    #[command(flatten)]
    pub machine: MachineValues,
    #[command(flatten)]
    pub print: Print,
}

/// Options of one side alone.
#[derive(Args, Debug, Default, PartialEq)]
#[command(next_help_heading = "One side alone")]
pub struct OwnValues {
    /// --fps of A
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub fps_a: Option<String>,
    /// --fps of B
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub fps_b: Option<String>,
    /// --scale of A
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub scale_a: Option<String>,
    /// --scale of B
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub scale_b: Option<String>,
    /// --y-down of A
    #[arg(long)]
    pub y_down_a: bool,
    /// --y-down of B
    #[arg(long)]
    pub y_down_b: bool,
    /// --map-columns of A
    #[arg(long, value_name = "ROLE=COLUMN,...")]
    pub map_columns_a: Option<String>,
    /// --map-columns of B
    #[arg(long, value_name = "ROLE=COLUMN,...")]
    pub map_columns_b: Option<String>,
    /// --every of A
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every_a: Option<String>,
    /// --every of B
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every_b: Option<String>,
    /// Measure A at the steps or frames after this one
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub average_from_a: Option<String>,
    /// Measure B at the steps or frames after this one
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub average_from_b: Option<String>,
    /// --set of A; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set_a: Vec<String>,
    /// --set of B; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set_b: Vec<String>,
}

/// What one side is given: its own options, which come before those of both.
pub struct SideValues {
    pub read: ReadValues,
    pub set: Vec<String>,
    pub every: Option<String>,
    pub average_from: Option<String>,
}

impl CompareArgs {
    /// What side A (0) or B (1) is given. Options of its own that mean nothing to it are refused.
    pub fn side(&self, side: usize, is_recording: bool) -> Result<SideValues, Failure> {
        let own = &self.own;
        let (fps, scale, y_down, map_columns, every, from, set) = if side == 0 {
            (
                &own.fps_a,
                &own.scale_a,
                own.y_down_a,
                &own.map_columns_a,
                &own.every_a,
                &own.average_from_a,
                &own.set_a,
            )
        } else {
            (
                &own.fps_b,
                &own.scale_b,
                own.y_down_b,
                &own.map_columns_b,
                &own.every_b,
                &own.average_from_b,
                &own.set_b,
            )
        };
        let name = if side == 0 { "a" } else { "b" };
        let down = y_down.then(|| "true".to_string());
        let reading =
            [("fps", fps), ("scale", scale), ("y-down", &down), ("map-columns", map_columns)];
        let refused = |option: &str, value: &str, what: &str| {
            Err(Failure::value(
                &format!("--{option}-{name}"),
                value,
                &format!("nothing here: {what}"),
            ))
        };
        if let (false, Some((option, value))) =
            (is_recording, reading.into_iter().find_map(|(o, v)| Some((o, v.as_ref()?))))
        {
            return refused(option, value, "it is for recordings, and this side is a scene");
        }
        if let (true, Some(value)) = (is_recording, set.first()) {
            return refused("set", value, "it is for scenes, and this side is a recording");
        }
        let both = &self.read;
        let or = |own: &Option<String>, both: &Option<String>| own.clone().or_else(|| both.clone());
        let read = ReadValues {
            fps: or(fps, &both.fps),
            scale: or(scale, &both.scale),
            y_down: y_down || both.y_down,
            map_columns: or(map_columns, &both.map_columns),
            fill_gaps: both.fill_gaps.clone(),
            smooth: both.smooth.clone(),
        };
        let average_from =
            from.clone().or_else(|| self.average_from.clone().filter(|_| !is_recording));
        Ok(SideValues { read, set: set.clone(), every: or(every, &self.every), average_from })
    }
}
