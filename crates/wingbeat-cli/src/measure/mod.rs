//! `wingbeat measure`: the observables of a recording, and what the file lacks.
//!
//! [`lines`] counts who crosses, [`region`] measures density, [`diagram`] and [`map`] show it, [`summary`] says all of it.

mod diagram;
mod lines;
mod map;
mod region;
mod summary;

use std::path::Path;

use clap::Args;
use wingbeat_record::{Frame, Options, Recording, read_watched};

use crate::failure::Failure;
use crate::files::Files;
use crate::observations::{Moment, Observations};
use crate::options::{Print, ReadValues, every, group_radius};
use crate::{interrupt, progress, terminal};
use lines::Counted;
pub use region::Region;
use summary::Measured;

const EXAMPLES: &str = "\
Examples:
  wingbeat measure fish.npy --fps 32 --radius 150
  wingbeat measure corridor.txt --fps 25 --scale 0.01 --observe corridor.csv --every 25
  wingbeat measure bottleneck.txt --line=-0.25,0,0.25,0 --area=-0.4,0.5,0.4,1.3
  wingbeat measure hall.wbr --line west=0,1,0,3 --line east=20,1,20,3 --window 10 --passages exits.csv
  wingbeat measure bottleneck.txt --area=-0.4,0.5,0.4,1.3 --voronoi 2 --diagram diagram.csv --diagram diagram.svg
  wingbeat measure bottleneck.txt --map crowd.png --cell 0.1 --voronoi 2

Velocities are central differences inside unbroken stretches of each track. Gaps, duplicates, rows out of order and everything
else that was done is reported. docs/MEASURES.md defines the observables.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("where").args(["area", "map"]).multiple(true))]
pub struct MeasureArgs {
    /// A recording: .wbr, .npz, .npy [frames, individuals, 2 or 3], .csv (frame,id,x,y[,z]), .xyz, .txt (id frame x y [z])
    pub file: String,
    #[command(flatten)]
    pub read: ReadValues,
    /// Boids this close to each other are of one group; without it, groups are not counted
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: Option<String>,
    /// Count who crosses this line, and the flow over it, after scaling; may be repeated
    #[arg(long, value_name = "[NAME=]X0,Y0,X1,Y1", allow_hyphen_values = true)]
    pub line: Vec<String>,
    /// Flow over each line, and how many have crossed it, every S seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true, requires = "line")]
    pub window: Option<String>,
    /// Write the same as CSV: a row for each line and window
    #[arg(long, value_name = "FILE.csv", requires = "window")]
    pub flow: Option<String>,
    /// Write who crossed each line for the first time when, and in which direction, as CSV
    #[arg(long, value_name = "FILE.csv", requires = "line")]
    pub passages: Option<String>,
    /// Density and mean speed in this rectangle, after scaling
    #[arg(long, value_name = "XMIN,YMIN,XMAX,YMAX", allow_hyphen_values = true)]
    pub area: Option<String>,
    /// Density and speed by Voronoi cells too, cut at this distance (2 is usual in meters)
    #[arg(long, value_name = "R", allow_negative_numbers = true, requires = "where")]
    pub voronoi: Option<String>,
    /// Nobody can stand outside this rectangle: it cuts cells, and is what --map shows
    #[arg(long, value_name = "XMIN,YMIN,XMAX,YMAX", allow_hyphen_values = true, requires = "where")]
    pub walkable: Option<String>,
    /// Speed by density in the area, frame by frame: rows, or a picture with Weidmann's curve; may be repeated
    #[arg(long, value_name = "FILE.csv|.svg|.png", requires = "area")]
    pub diagram: Vec<String>,
    /// Draw density place by place, over all measured frames
    #[arg(long, value_name = "FILE.png")]
    pub map: Option<String>,
    /// Side of a square of the map, after scaling [default: 0.2]
    #[arg(long, value_name = "D", allow_negative_numbers = true, requires = "map")]
    pub cell: Option<String>,
    /// What the map shows of each square: its mean density over time, or the highest of any frame
    #[arg(long, value_name = "KIND", requires = "map", default_value = "mean", value_parser = ["mean", "peak"])]
    pub map_kind: String,
    /// Write the observables of every measured frame as CSV
    #[arg(long, value_name = "FILE.csv")]
    pub observe: Option<String>,
    /// Measure every N-th frame only [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub every: Option<String>,
    #[command(flatten)]
    pub print: Print,
}

/// Reads, measures, reports.
pub fn measure(args: &MeasureArgs) -> Result<(), Failure> {
    let options = args.read.options()?;
    let radius = group_radius(&args.radius)?;
    let lines = lines::named(&args.line)?;
    let region = Region::new(args)?;
    let every = every(args.every.as_ref())?;
    let mut files = Files::default();
    files.read(&args.file)?;
    let mut output = |flag, path: &Option<String>, extensions: &[&str]| {
        path.as_deref().map(|path| files.write(flag, path, extensions)).transpose()
    };
    let observe_output = output("--observe", &args.observe, &["csv"])?;
    let flow_output = output("--flow", &args.flow, &["csv"])?;
    let passages_output = output("--passages", &args.passages, &["csv"])?;
    let map_output = output("--map", &args.map, &["png"])?;
    let diagram = |path: &String| files.write("--diagram", path, &["csv", "svg", "png"]);
    let diagram_outputs = args.diagram.iter().map(diagram).collect::<Result<Vec<_>, _>>()?;

    interrupt::listen()?;
    let recording = read_recording(&args.file, &options)?;
    let lines = Counted::all(lines, &recording, &args.window)?;
    let map = map_output.map(|output| map::gather(args, &recording, &region, every).map(|map| (output, map))).transpose()?;
    let observations = observe(&recording, radius, &region, every)?;
    let pictures = diagram_outputs.iter().map(|output| diagram::content(args, output, &observations));
    let pictures = pictures.collect::<Result<Vec<_>, _>>()?;
    // Whatever can be refused has been: now files are written.
    if let Some(output) = &observe_output {
        output.write(|out| observations.write(out))?;
    }
    if let Some(output) = &flow_output {
        output.write(|out| lines::write_flow(&lines, out))?;
    }
    if let Some(output) = &passages_output {
        output.write(|out| lines::write_passages(&lines, out))?;
    }
    let pictures = diagram_outputs.into_iter().zip(pictures).chain(map);
    pictures.into_iter().try_for_each(|(output, bytes)| output.write(|out| out.write_all(&bytes)))?;
    let (scale, lines) = (options.scale, &lines);
    let measured = Measured { args, scale, radius, recording: &recording, observations: &observations, lines };
    if args.print.json {
        return terminal::print(&format!("{:#}\n", measured.json()));
    }
    terminal::print(&measured.summary())
}

fn four_numbers(flag: &str, text: &str) -> Result<[f64; 4], Failure> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).filter(|x: &f64| x.is_finite()).collect();
    let four = numbers.try_into().ok().filter(|_| text.split(',').count() == 4);
    four.ok_or_else(|| Failure::value(flag, text, "four finite numbers apart by commas"))
}

/// Reads a recording, with the time left, and Ctrl-C.
pub fn read_recording(file: &str, options: &Options) -> Result<Recording, Failure> {
    let bar = progress::bytes();
    let recording = read_watched(Path::new(file), options, &progress::watch(&bar));
    bar.finish_and_clear();
    Ok(recording?)
}

/// Observables of every n-th frame that has boids.
pub fn observe(recording: &Recording, radius: Option<f64>, region: &Region, every: u64) -> Result<Observations, Failure> {
    let mut observations = Observations::new("frame");
    each_frame(recording, every, |frame| {
        let (number, time) = (frame.number, frame.time);
        observations.push(Moment { number, time, observables: frame.observables(radius), in_area: region.measure(frame) });
    })?;
    Ok(observations)
}

/// Does something with every n-th frame that has boids, with the time left, and Ctrl-C.
fn each_frame(recording: &Recording, every: u64, mut each: impl FnMut(&Frame<'_>)) -> Result<(), Failure> {
    let frames = recording.frames().step_by(usize::try_from(every).unwrap_or(usize::MAX));
    let bar = progress::counted(frames.len() as u64, "frames");
    for frame in frames {
        if interrupt::requested() {
            bar.finish_and_clear();
            return Err(Failure::Stopped("stopped; nothing is written".into()));
        }
        each(&frame);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}
