//! `wingbeat measure`: the observables of a recording, and what the file lacks.

use std::path::Path;

use clap::Args;
use serde_json::{Map, Value, json};
use wingbeat_record::{Area, Found, Line, Options, Passages, Recording, read_watched};

use crate::failure::Failure;
use crate::files::Files;
use crate::observations::{Moment, Observations};
use crate::options::{Print, ReadValues, every, group_radius};
use crate::report::grouped;
use crate::{interrupt, progress, terminal};

const EXAMPLES: &str = "\
Examples:
  wingbeat measure fish.npy --fps 32 --radius 150
  wingbeat measure corridor.txt --fps 25 --scale 0.01 --observe corridor.csv --every 25
  wingbeat measure bottleneck.txt --line=-0.25,0,0.25,0 --area=-0.4,0.5,0.4,1.3

Velocities are central differences inside unbroken stretches of each track. Gaps, duplicates, rows out of order and everything
else that was done is reported. docs/MEASURES.md defines the observables.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct MeasureArgs {
    /// A recording: .wbr, .npz, .npy [frames, individuals, 2 or 3], .csv (frame,id,x,y[,z]), .xyz, .txt (id frame x y [z])
    pub file: String,
    #[command(flatten)]
    pub read: ReadValues,
    /// Boids this close to each other are of one group; without it, groups are not counted
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
    #[command(flatten)]
    pub print: Print,
}

/// Reads, measures, reports.
pub fn measure(args: &MeasureArgs) -> Result<(), Failure> {
    let options = args.read.options()?;
    let radius = group_radius(&args.radius)?;
    let corners = |flag, text: &Option<String>| text.as_ref().map(|text| four_numbers(flag, text)).transpose();
    let line = corners("--line", &args.line)?.map(Line::new).transpose()?;
    let area = corners("--area", &args.area)?.map(Area::new).transpose()?;
    let every = every(args.every.as_ref())?;
    let mut files = Files::default();
    files.read(&args.file)?;
    let output = args.observe.as_deref().map(|path| files.write("--observe", path, &["csv"])).transpose()?;

    interrupt::listen()?;
    let recording = read_recording(&args.file, &options)?;
    let observations = observe(&recording, radius, area.as_ref(), every)?;
    let passages = line.map(|line| line.passages(&recording));
    if let Some(output) = &output {
        output.write(|out| observations.write(out))?;
    }
    let measured = Measured { args, scale: options.scale, radius, recording: &recording, observations: &observations, passages };
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
pub fn observe(recording: &Recording, radius: Option<f64>, area: Option<&Area>, every: u64) -> Result<Observations, Failure> {
    let mut observations = Observations::new("frame");
    let frames = recording.frames().step_by(usize::try_from(every).unwrap_or(usize::MAX));
    let bar = progress::counted(frames.len() as u64, "frames");
    for frame in frames {
        if interrupt::requested() {
            bar.finish_and_clear();
            return Err(Failure::Stopped("stopped; nothing is written".into()));
        }
        observations.push(Moment {
            number: frame.number,
            time: frame.time,
            observables: frame.observables(radius),
            in_area: area.map(|area| (area.density(&frame), area.mean_speed(&frame))),
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(observations)
}

/// Everything there is to report.
struct Measured<'a> {
    args: &'a MeasureArgs,
    scale: f64,
    radius: Option<f64>,
    recording: &'a Recording,
    observations: &'a Observations,
    passages: Option<Passages>,
}

impl Measured<'_> {
    fn json(&self) -> Value {
        let mut observables = Map::new();
        for (name, statistics) in self.observations.statistics() {
            observables.insert(name.to_string(), json!(statistics));
        }
        let mut report = json!({
            "file": self.args.file,
            "dimensions": self.recording.dimensions(),
            "fps": self.recording.fps(),
            "scale": self.scale,
            "group_radius": self.radius,
            "found": found_json(self.recording.found()),
            "frames_measured": self.observations.len(),
            "observables": observables,
        });
        if let Some(p) = &self.passages {
            report["line"] = json!({
                "to_right": p.to_right, "to_left": p.to_left, "unseen": p.unseen, "persons": p.persons,
                "first_s": p.first_s, "last_s": p.last_s, "flow": p.flow, "specific_flow": p.specific_flow,
            });
        }
        report
    }

    fn summary(&self) -> String {
        let found = self.recording.found();
        let mut text = format!(
            "{}: {} ids in {}-D, frames {} to {}, {} positions\n",
            self.args.file,
            grouped(found.ids as u64),
            self.recording.dimensions(),
            found.first_frame,
            found.last_frame,
            grouped(found.positions as u64)
        );
        let (fps, scale) = (wingbeat_record::significant(self.recording.fps(), 7), self.scale);
        text += &format!("  {fps} frames/s, coordinates times {scale}\n\nwhat was found, and done\n");
        found_lines(found).iter().for_each(|line| text += &format!("  {line}\n"));
        text += &format!("\nover {} frames", grouped(self.observations.len() as u64));
        text += &format!("{:>20}{:>11}{:>11}{:>11}{:>11}{:>11}\n", "mean", "min", "quarter", "median", "quarter", "max");
        for (name, statistics) in self.observations.statistics() {
            if let Some(s) = statistics {
                text += &format!("  {name:<26}");
                for value in [s.mean, s.min, s.lower_quartile, s.median, s.upper_quartile, s.max] {
                    text += &format!(" {:>10}", short(value));
                }
                text += "\n";
            }
        }
        if self.radius.is_none() {
            text += "  groups are counted with --radius\n";
        }
        self.passages.iter().for_each(|passages| text += &passage_lines(passages));
        text
    }
}

/// Four digits that say something.
fn short(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-3..1e7).contains(&size) {
        let decimals = if size >= 1000.0 {
            0
        } else if size >= 100.0 {
            1
        } else if size >= 10.0 {
            2
        } else {
            3
        };
        format!("{value:.decimals$}")
    } else {
        format!("{value:.2e}")
    }
}

fn found_json(found: &Found) -> Value {
    json!({
        "positions": found.positions, "ids": found.ids, "frames": found.frames,
        "first_frame": found.first_frame, "last_frame": found.last_frame, "frame_step": found.frame_step,
        "empty_frames": found.empty_frames, "missing_positions": found.missing_positions,
        "gaps": found.gaps, "gap_frames": found.gap_frames, "longest_gap": found.longest_gap,
        "late_ids": found.late_ids, "early_leavers": found.early_leavers,
        "duplicates": found.duplicates, "contradictions": found.contradictions, "out_of_order": found.out_of_order,
        "without_velocity": found.without_velocity, "notes": found.notes,
    })
}

fn found_lines(found: &Found) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |what: &str, count: u64, done: String| {
        if count > 0 {
            lines.push(format!("{what}: {}{done}", grouped(count)));
        }
    };
    line("frames in which somebody was seen", found.frames as u64, String::new());
    line("frames in which nobody was", found.empty_frames, ", not measured".into());
    line("positions missing", found.missing_positions, ", left out".into());
    let (longest, lacking) = (found.longest_gap, grouped(found.gap_frames));
    let filled = format!(" ({lacking} frames, the longest {longest}), not filled, no velocity across");
    line("gaps in tracks", found.gaps, filled);
    line("ids that come after the first frame", found.late_ids as u64, String::new());
    line("ids that leave before the last frame", found.early_leavers as u64, String::new());
    line("rows out of order", found.out_of_order, ", sorted".into());
    let contradictions = grouped(found.contradictions);
    line("duplicate rows", found.duplicates, format!(" ({contradictions} contradict), the first in the file kept"));
    line("positions without a velocity", found.without_velocity, ", left out where one is needed".into());
    if found.frame_step != 1 {
        lines.push(format!("frames are {} apart: tracks are unbroken at that distance", found.frame_step));
    }
    lines.extend(found.notes.iter().cloned());
    lines
}

fn passage_lines(passages: &Passages) -> String {
    let Passages { to_right, to_left, unseen, persons, .. } = passages;
    let mut text = format!("\nline: {persons} ids cross it, {to_right} times to the right, {to_left} times to the left");
    if *unseen > 0 {
        text += &format!(", {unseen} times in a gap (not counted)");
    }
    if let (Some(first), Some(last)) = (passages.first_s, passages.last_s) {
        text += &format!("\n  first at {first:.2} s, last at {last:.2} s");
    }
    if let (Some(flow), Some(specific)) = (passages.flow, passages.specific_flow) {
        text += &format!("\n  flow {flow:.3} per second, {specific:.3} per second and length");
    }
    text + "\n"
}
