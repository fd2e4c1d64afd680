//! `wingbeat plot`: observables over time, of a recording or of what `--observe` wrote.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use clap::Args;
use wingbeat_measure::Wanted;
use wingbeat_record::{ShortRecords, open_regular};
use wingbeat_render::plot::{Chart, MOST_SERIES, Panels, Point, Series};

use crate::failure::Failure;
use crate::files::Files;
use crate::labels::{spelled, title, with_unit};
use crate::measure::{Region, observe, read_recording};
use crate::observations::known;
use crate::options::{ReadValues, every};
use crate::report::grouped;
use crate::units::Units;
use crate::values::{Every, Given, OptionValue, Positive, given};
use crate::{interrupt, terminal};

const EXAMPLES: &str = "\
Examples:
  wingbeat plot shoal.wbr -o order.svg
  wingbeat plot order.csv -o order.png --columns polarization,milling,correlation_length
  wingbeat plot order.csv -o order.svg --columns polarization,mean_speed       \
    one above the other: their units differ
  wingbeat plot fish.npy -o groups.svg --columns groups --fps 32 --radius 150 --every 8

The first argument is a recording, whose observables are computed as `measure` computes them, or the
CSV that --observe of `run` or `measure` wrote. --columns takes any of its columns; docs/MEASURES.md
defines them.";

/// Drawn when nothing is asked for: pure numbers, on one scale.
const COLUMNS: &str = "polarization,milling";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlotArgs {
    /// A recording (.wbr, .npz, .npy, .csv, .tsv, .xyz, .txt), or the CSV that --observe wrote
    pub file: String,
    /// Where the picture goes
    #[arg(short, long, value_name = "FILE.svg|.png")]
    pub output: String,
    /// Which observables, apart by commas
    #[arg(long, value_name = "NAMES", default_value = COLUMNS)]
    pub columns: String,
    #[command(flatten)]
    pub read: ReadValues,
    /// Boids this close to each other are of one group; for columns of groups of a recording
    #[arg(long, value_name = "R")]
    pub radius: Option<Given<Positive>>,
    /// Draw every N-th frame or row only [default: 1]
    #[arg(long, value_name = "N")]
    pub every: Option<Given<Every>>,
}

/// Values over time.
struct TimeTable {
    times: Vec<f64>,
    columns: Vec<(String, Vec<Option<f64>>)>,
    /// Whether it is of a file of observables, which says neither dimensions nor units.
    counts_only: bool,
    /// "steps" or "frames".
    counts: &'static str,
    units: Units,
}

/// Reads or measures, draws.
pub fn plot(args: &PlotArgs) -> Result<(), Failure> {
    let mut files = Files::default();
    files.read(&args.file)?;
    let output = files.write("--output", &args.output, &["svg", "png"])?;
    let every = every(&args.every);
    interrupt::listen()?;
    let observed = observed_counts(&args.file);
    let table = match observed {
        Some(counts) => {
            let radius = args.radius.as_ref().map(|radius| ("--radius", radius.text.as_str()));
            let read = ReadValues { unit: None, ..args.read.clone() };
            if let Some((flag, value)) = read.given().or(radius) {
                return Err(Failure::value(
                    flag,
                    value,
                    "nothing here: the file has observables, not positions",
                ));
            }
            TimeTable {
                units: Units::of_length(given(&args.read.unit), 2),
                ..TimeTable::read(&args.file, counts, every)?
            }
        }
        None => TimeTable::measure(args, every)?,
    };
    let chart = table.panels(args)?;
    let drawn =
        if output.extension() == "png" { chart.png() } else { chart.svg().map(String::into_bytes) };
    let bytes = drawn.map_err(|error| Failure::BadInput(format!("{}: {error}", args.file)))?;
    output.write(|out| out.write_all(&bytes))?;
    terminal::say(&format!(
        "{}: {} {}\n",
        args.output,
        grouped(table.times.len() as u64),
        table.counts
    ))
}

/// Bytes of the first line that are looked at.
const LONGEST_HEAD: u64 = 1000;

/// Whether a file is what `--observe` writes, and what it counts.
fn observed_counts(file: &str) -> Option<&'static str> {
    let mut first = String::new();
    // A file that cannot be read is refused where it is read in full.
    BufReader::new(open_regular(Path::new(file)).ok()?.0.take(LONGEST_HEAD))
        .read_line(&mut first)
        .ok()?;
    [("step,time,individuals,", "steps"), ("frame,time,individuals,", "frames")]
        .into_iter()
        .find_map(|(start, counts)| first.starts_with(start).then_some(counts))
}

impl TimeTable {
    fn measure(args: &PlotArgs, every: u64) -> Result<Self, Failure> {
        let options = args.read.options()?;
        let radius = given(&args.radius).map(|Positive(radius)| radius);
        let recording = read_recording(&args.file, &options)?;
        let wanted = Wanted::read(&args.columns)
            .map_err(|refused| Failure::BadInput(refused.of("--columns", &args.columns)))?;
        let observations =
            observe(&recording, (wanted, radius), &Region::default(), every, |_, _| Ok(()))?;
        let columns = observations.columns();
        let columns = columns
            .map(|(name, values)| (name.to_string(), values.iter().copied().map(known).collect()))
            .collect();
        Ok(Self {
            times: observations.moments().map(|(_, time)| time).collect(),
            columns,
            counts_only: false,
            counts: "frames",
            units: Units::of(&recording),
        })
    }

    fn read(file: &str, counts: &'static str, every: u64) -> Result<Self, Failure> {
        let malformed = |error: csv::Error| {
            Failure::BadInput(format!("{file}: {}", error.to_string().replace('\n', " ")))
        };
        let (content, _) =
            open_regular(Path::new(file)).map_err(|error| malformed(error.into()))?;
        let (content, record_is_read) = ShortRecords::new(content);
        let mut reader = csv::Reader::from_reader(content);
        // What counts, the time and how many there are come first.
        let names: Vec<String> =
            reader.headers().map_err(malformed)?.iter().skip(2).map(str::to_string).collect();
        let mut table = Self {
            times: Vec::new(),
            columns: names.into_iter().map(|name| (name, Vec::new())).collect(),
            counts_only: true,
            counts,
            units: Units::default(),
        };
        for (row, record) in reader.records().enumerate() {
            let record = record.map_err(malformed)?;
            record_is_read();
            if !(row as u64).is_multiple_of(every) {
                continue;
            }
            let value = |i: usize| {
                let cell = record[i].trim();
                let refuse = || {
                    Failure::BadInput(format!(
                        "{file}: line {}: \"{}\": allowed is a number, or nothing",
                        row + 2,
                        cell.escape_debug()
                    ))
                };
                if cell.is_empty() {
                    Ok(None)
                } else {
                    cell.parse().map(Some).map_err(|_| refuse())
                }
            };
            table.times.push(value(1)?.unwrap_or(f64::NAN));
            for (i, (_, values)) in table.columns.iter_mut().enumerate() {
                values.push(value(i + 2)?);
            }
        }
        Ok(table)
    }

    /// A chart for each unit, in the order in which they are asked for.
    fn panels(&self, args: &PlotArgs) -> Result<Panels, Failure> {
        let wanted: Vec<&str> = args.columns.split(',').map(str::trim).collect();
        if wanted.len() > MOST_SERIES {
            return Err(Failure::value(
                "--columns",
                &args.columns,
                &format!("at most {MOST_SERIES} names"),
            ));
        }
        let unit = |name: &str| match name {
            // How many a unit holds depends on what the file does not say.
            "density" if self.counts_only => "boids/lengthᴰ".to_string(),
            name => spelled(&self.units, name),
        };
        let mut by_unit: Vec<(String, Vec<&str>)> = Vec::new();
        for name in &wanted {
            let unit = unit(name);
            match by_unit.iter_mut().find(|(known, _)| *known == unit) {
                Some((_, names)) => names.push(name),
                None => by_unit.push((unit, vec![name])),
            }
        }
        let mut charts = Vec::new();
        for (unit, names) in &by_unit {
            let mut series =
                names.iter().map(|name| self.line(name, args)).collect::<Result<Vec<_>, _>>()?;
            let y_label = match names[..] {
                [one] => with_unit(&one.replace('_', " "), unit),
                _ => unit.clone(),
            };
            if let [only] = &mut series[..] {
                // The axis names it.
                only.label.clear();
            }
            charts.push(Chart { y_label, series, ..Chart::default() });
        }
        if let Some(first) = charts.first_mut() {
            first.title = format!("{}: {}", title(&args.file), wanted.join(", ").replace('_', " "));
            first.subtitle = format!("{} {}", grouped(self.times.len() as u64), self.counts);
        }
        if let Some(last) = charts.last_mut() {
            last.x_label = self.units.time_label();
        }
        Ok(Panels(charts))
    }

    /// The line of one column.
    fn line(&self, name: &str, args: &PlotArgs) -> Result<Series, Failure> {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        let found = self.columns.iter().find(|(known, _)| known == name);
        let (_, values) =
            found.ok_or_else(|| Failure::value("--columns", name, &names.join(", ")))?;
        let points = self
            .times
            .iter()
            .zip(values)
            .filter_map(|(&time, value)| Some(Point::new(time, (*value)?)));
        let points: Vec<Point> = points.collect();
        if points.is_empty() {
            let hint = if name.contains("group") {
                "; groups of a recording are counted with --radius"
            } else {
                ""
            };
            return Err(Failure::value(
                "--columns",
                name,
                &format!("one that has values in {}{hint}", args.file),
            ));
        }
        Ok(Series { label: name.replace('_', " "), points, ..Series::default() })
    }
}
