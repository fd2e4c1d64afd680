//! What can be typed after `wingbeat measure`.

use clap::Args;

use crate::curves::CurveArgs;
use crate::options::{ColumnValues, Print, ReadValues};
use crate::outline::OutlineValues;
use crate::values::{Every, Given, Positive};

const EXAMPLES: &str = "\
Examples:
  wingbeat measure fish.npy --fps 32 --radius 150
  wingbeat measure fish.csv --map-columns x=X1,y=Y1,id=fish --fps 30 --y-down
  wingbeat measure corridor.txt --fps 16 --scale 0.01 --observe corridor.csv --every 16
  wingbeat measure bottleneck.txt --line=-0.25,0,0.25,0 --area=-0.4,0.5,0.4,1.3
  wingbeat measure hall.wbr --line west=0,1,0,3 --line east=20,1,20,3 --window 10 \
    --passages exits.csv
  wingbeat measure bottleneck.txt --area=-0.4,0.5,0.4,1.3 --voronoi 2 \
    --diagram diagram.csv --diagram diagram.svg
  wingbeat measure fish.npy --fps 32 --curve pair_correlation=g.svg \
    --curve delays=who_leads.csv --lags 64
  wingbeat measure bottleneck.txt --voronoi 2 --individuals people.csv
  wingbeat measure bottleneck.txt --map crowd.png --cell 0.1 --voronoi 2
  wingbeat measure hall.txt --map crowd.png --outline hall.wkt

Velocities are central differences inside unbroken stretches of each track, or with --smooth
derivatives of local polynomials. Gaps, duplicates, rows out of order and everything else that was
done is reported. docs/MEASURES.md defines the observables.";

#[derive(Args, Debug)]
#[command(
    after_help = EXAMPLES,
    group = clap::ArgGroup::new("where").args(["voronoi", "map"]).multiple(true)
)]
pub struct MeasureArgs {
    /// A recording: .wbr, .npz, .npy [frames, individuals, 2 or 3], .csv or .tsv (frame,id,x,y[,z]
    /// or x1,y1,x2,y2,...), .xyz, .txt (id frame x y [z])
    pub file: String,
    #[command(flatten)]
    pub read: ReadValues,
    /// Boids this close to each other are of one group; without it, groups are not counted
    #[arg(long, value_name = "R")]
    pub radius: Option<Given<Positive>>,
    /// Count who crosses this line, and the flow over it, after scaling; may be repeated
    #[arg(long, value_name = "[NAME=]X0,Y0,X1,Y1", allow_hyphen_values = true)]
    pub line: Vec<String>,
    /// Flow over each line, and how many have crossed it, every S seconds
    #[arg(long, value_name = "S", requires = "line")]
    pub window: Option<Given<f64>>,
    /// Write the same as CSV: a row for each line and window
    #[arg(long, value_name = "FILE.csv", requires = "window")]
    pub flow: Option<String>,
    /// Write who crossed each line for the first time when, and in which direction, as CSV
    #[arg(long, value_name = "FILE.csv", requires = "line")]
    pub passages: Option<String>,
    /// Density and mean speed in this rectangle, after scaling
    #[arg(long, value_name = "XMIN,YMIN,XMAX,YMAX", allow_hyphen_values = true)]
    pub area: Option<Given<[f64; 4]>>,
    /// Sizes of Voronoi cells, cut at this distance (2 is usual in meters), and density and speed
    /// in the area by them too
    #[arg(long, value_name = "R")]
    pub voronoi: Option<Given<f64>>,
    /// No individual can stand outside this rectangle: it cuts cells, and is what --map shows
    #[arg(
        long,
        value_name = "XMIN,YMIN,XMAX,YMAX",
        allow_hyphen_values = true,
        requires = "where"
    )]
    pub walkable: Option<Given<[f64; 4]>>,
    /// Speed by density in the area, frame by frame: rows, or a picture with Weidmann's curve; may
    /// be repeated
    #[arg(long, value_name = "FILE.csv|.svg|.png", requires = "area")]
    pub diagram: Vec<String>,
    /// Draw density place by place, over all measured frames
    #[arg(long, value_name = "FILE.png")]
    pub map: Option<String>,
    /// Side of a square of the map, after scaling [default: 0.2]
    #[arg(long, value_name = "D", requires = "map")]
    pub cell: Option<Given<f64>>,
    /// What the map shows of each square: its mean density over time, or the highest of any frame
    #[arg(
        long,
        value_name = "KIND",
        requires = "map",
        default_value = "mean",
        value_parser = ["mean", "peak"]
    )]
    pub map_kind: String,
    #[command(flatten)]
    pub outline: OutlineValues,
    /// Write the observables of every measured frame as CSV
    #[arg(long, value_name = "FILE.csv")]
    pub observe: Option<String>,
    #[command(flatten)]
    pub columns: ColumnValues,
    #[command(flatten)]
    pub curves: CurveArgs,
    /// Write a row for every individual in every measured frame as CSV: speed, turning rate,
    /// nearest neighbor, group, local order, Voronoi cell
    #[arg(long, value_name = "FILE.csv")]
    pub individuals: Option<String>,
    /// Measure every N-th frame only [default: 1]
    #[arg(long, value_name = "N")]
    pub every: Option<Given<Every>>,
    #[command(flatten)]
    pub print: Print,
}
