//! `wingbeat measure`: the observables of a recording, and what the file lacks.
//!
//! [`args`] says what can be typed, [`frames`] reads, [`lines`] counts crossings, [`region`]
//! measures density, [`diagram`] and [`map`] show it, [`plan`] draws
//! what stands around, [`summary`] says all of it.

mod args;
mod diagram;
mod frames;
mod lines;
mod map;
mod plan;
mod region;
mod summary;

use wingbeat_measure::{Curves, Measurable, Wanted};
use wingbeat_record::{Frame, Recording};

use crate::failure::Failure;
use crate::files::Files;
use crate::individuals::{IndividualsFile, People};
use crate::observations::Observations;
use crate::options::every;
use crate::units::Units;
use crate::values::{Positive, given};
use crate::{interrupt, terminal};
use frames::each_frame;
use lines::Counted;
use plan::MapPlan;
use summary::Measured;

pub use args::MeasureArgs;
pub use frames::read_recording;
pub use region::Region;

/// Reads, measures, reports.
pub fn measure(args: &MeasureArgs) -> Result<(), Failure> {
    let options = args.read.options()?;
    let radius = given(&args.radius).map(|Positive(radius)| radius);
    let lines = lines::named(&args.line)?;
    let region = Region::new(args)?;
    let (every, wanted) = (every(&args.every), args.columns.wanted());
    if let Some(text) =
        args.map.as_ref().filter(|text| text.contains('=') && !text.ends_with(".png"))
    {
        return Err(Failure::value(
            "--map",
            text,
            "a file that ends in .png; columns are named with --map-columns",
        ));
    }
    let mut files = Files::default();
    files.read(&args.file)?;
    let outline = plan::outline(args, &mut files)?;
    let mut output = |flag, path: &Option<String>, extensions: &[&str]| {
        path.as_deref().map(|path| files.write(flag, path, extensions)).transpose()
    };
    let observe_output = output("--observe", &args.observe, &["csv"])?;
    let flow_output = output("--flow", &args.flow, &["csv"])?;
    let passages_output = output("--passages", &args.passages, &["csv"])?;
    let map_output = output("--map", &args.map, &["png"])?;
    let individuals_output = output("--individuals", &args.individuals, &["csv"])?;
    let curve_outputs = args.curves.outputs(&mut files)?;
    let diagram = |path: &String| files.write("--diagram", path, &["csv", "svg", "png"]);
    let diagram_outputs = args.diagram.iter().map(diagram).collect::<Result<Vec<_>, _>>()?;

    interrupt::listen()?;
    let recording = read_recording(&args.file, &options)?;
    let lines = Counted::all(lines, &recording, given(&args.window))?;
    args.outline.check(recording.dimensions())?;
    say_if_flattened(args, &recording);
    let units = Units::of(&recording);
    let plan = || MapPlan::of(&recording, outline, options.y_down);
    let map = map_output
        .map(|output| {
            map::gather(args, (&recording, &units), &region, (every, plan()))
                .map(|map| (output, map))
        })
        .transpose()?;
    let stride = every.saturating_mul(recording.found().frame_step.unsigned_abs());
    let mut watched = Watched {
        curves: args.curves.begin(&curve_outputs, 1.0 / recording.fps(), stride)?,
        individuals: individuals_output
            .map(|output| {
                IndividualsFile::begin(
                    &output,
                    "frame",
                    wanted,
                    radius.is_some(),
                    region.voronoi.is_some(),
                )
            })
            .transpose()?,
    };
    let observations = observe(&recording, (wanted, radius), &region, every, |frame, cells| {
        watched.see(frame, cells, (wanted, radius))
    })?;
    let pictures =
        diagram_outputs.iter().map(|output| diagram::content(args, output, &observations, &units));
    let pictures = pictures.collect::<Result<Vec<_>, _>>()?;
    // Whatever can be refused has been: now files are written.
    curve_outputs.write(&args.file, &watched.curves, &|unit| units.spell(unit))?;
    watched.individuals.map_or(Ok(()), IndividualsFile::finish)?;
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
    pictures
        .into_iter()
        .try_for_each(|(output, bytes)| output.write(|out| out.write_all(&bytes)))?;
    let measured = Measured {
        args,
        radius,
        recording: &recording,
        observations: &observations,
        lines: &lines,
        units: &units,
    };
    if args.print.json {
        return terminal::print(&format!("{:#}\n", measured.json()));
    }
    terminal::print(&measured.summary())
}

/// Notes that lines, areas and maps of a flock in space are those of its shadow.
fn say_if_flattened(args: &MeasureArgs, recording: &Recording) {
    let flags = [
        ("--map", args.map.is_some()),
        ("--area", args.area.is_some()),
        ("--line", !args.line.is_empty()),
    ];
    if let Some((flag, _)) =
        flags.into_iter().find(|(_, asked)| *asked && recording.dimensions() == 3)
    {
        terminal::note(&format!("{flag}: seen from above, z is left aside"));
    }
}

/// What else is made of frames while they pass.
struct Watched {
    curves: Curves,
    individuals: Option<IndividualsFile>,
}

impl Watched {
    fn see(
        &mut self,
        frame: &Frame<'_>,
        cells: Option<Vec<f64>>,
        (wanted, radius): (Wanted, Option<f64>),
    ) -> Result<(), Failure> {
        if !self.curves.is_empty() {
            frame.add_to(&mut self.curves, frame.number);
        }
        let Some(individuals) = &mut self.individuals else { return Ok(()) };
        individuals.push(People {
            number: frame.number,
            time: frame.time,
            ids: frame.rows.iter().map(|row| row.id).collect(),
            velocities: frame.rows.iter().map(|row| row.velocity).collect(),
            dimensions: frame.dimensions(),
            each: frame.each(wanted, radius),
            cells: cells.unwrap_or_default(),
        })
    }
}

/// Observables of every n-th frame that has boids; groups where a radius is given. `also` sees
/// every one of them, with the sizes of cells.
pub fn observe(
    recording: &Recording,
    (wanted, radius): (Wanted, Option<f64>),
    region: &Region,
    every: u64,
    mut also: impl FnMut(&Frame<'_>, Option<Vec<f64>>) -> Result<(), Failure>,
) -> Result<Observations, Failure> {
    let mut observations = Observations::with("frame", wanted, region.names());
    each_frame(recording, every, |frame| {
        let cells = region.cells(frame);
        let more = region.values(frame, cells.as_deref());
        observations.push((frame.number, frame.time), &frame.measure(wanted, radius), &more);
        also(frame, cells)
    })?;
    Ok(observations)
}
