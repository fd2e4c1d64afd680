//! What a recording measured: one JSON object for programs, tables for people.

use serde_json::{Map, Value, json};
use wingbeat_record::{Found, Recording};

use super::args::MeasureArgs;
use super::lines::Counted;
use crate::labels::{in_table, spelled};
use crate::observations::Observations;
use crate::report::grouped;
use crate::units::Units;

/// Everything there is to report.
pub struct Measured<'a> {
    pub args: &'a MeasureArgs,
    pub radius: Option<f64>,
    pub recording: &'a Recording,
    pub observations: &'a Observations,
    pub lines: &'a [Counted],
    pub units: &'a Units,
}

impl Measured<'_> {
    pub fn json(&self) -> Value {
        let (mut observables, mut of_each) = (Map::new(), Map::new());
        let found = self.recording.found();
        for (name, statistics) in self.observations.statistics() {
            observables.insert(name.to_string(), json!(statistics));
            let unit = spelled(self.units, name);
            if !unit.is_empty() {
                of_each.insert(name.to_string(), json!(unit));
            }
        }
        let mut report = json!({
            "file": self.args.file,
            "dimensions": self.recording.dimensions(),
            "fps": self.recording.fps(),
            "scale": found.scale,
            "length_unit": found.length_unit.map(|unit| unit.to_string()),
            "time_unit": found.time_unit.to_string(),
            "units": of_each,
            "group_radius": self.radius,
            "found": found_json(found),
            "frames_measured": self.observations.len(),
            "observables": observables,
        });
        if let Some(first) = self.lines.first() {
            report["line"] = first.totals();
            report["lines"] = self.lines.iter().map(Counted::json).collect();
        }
        report
    }

    pub fn summary(&self) -> String {
        let found = self.recording.found();
        let units = self.units;
        let mut text = format!(
            "{}: {} ids in {}-D, frames {} to {}, {} positions\n",
            self.args.file,
            grouped(found.ids as u64),
            self.recording.dimensions(),
            found.first_frame,
            found.last_frame,
            grouped(found.positions as u64)
        );
        let fps = wingbeat_record::significant(self.recording.fps(), 7);
        let times = if found.scale == 1.0 {
            String::new()
        } else {
            format!(", coordinates times {}", found.scale)
        };
        let lengths = match found.length_unit {
            Some(unit) => format!("lengths in {unit}"),
            None if self.args.read.scale.is_some() => {
                "lengths in the unit that --scale makes".into()
            }
            None => "lengths in the unit of the file, which does not say which".into(),
        };
        let per = units.spell("time").replace("frame", "s");
        text += &format!("  {fps} frames/{per}{times}, {lengths}\n\nwhat was found, and done\n");
        found_lines(found).iter().for_each(|line| text += &format!("  {line}\n"));
        text += &format!("\nover {} frames", grouped(self.observations.len() as u64));
        text += &format!(
            "{:>28}{:>11}{:>11}{:>11}{:>11}{:>11}\n",
            "mean", "min", "quarter", "median", "quarter", "max"
        );
        for (name, statistics) in self.observations.statistics() {
            if let Some(s) = statistics {
                text += &format!("  {:<34}", in_table(units, name));
                for value in [s.mean, s.min, s.lower_quartile, s.median, s.upper_quartile, s.max] {
                    text += &format!(" {:>10}", short(value));
                }
                text += "\n";
            }
        }
        if self.radius.is_none() {
            text += "  groups are counted with --radius\n";
        }
        self.lines.iter().for_each(|line| text += &line.text(units));
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
        "first_frame": found.first_frame, "last_frame": found.last_frame,
        "frame_step": found.frame_step,
        "empty_frames": found.empty_frames, "missing_positions": found.missing_positions,
        "gaps": found.gaps, "gap_frames": found.gap_frames, "longest_gap": found.longest_gap,
        "gaps_filled": found.gaps_filled, "positions_filled": found.positions_filled,
        "positions_smoothed": found.positions_smoothed, "short_stretches": found.short_stretches,
        "positions_not_smoothed": found.positions_not_smoothed,
        "late_ids": found.late_ids, "early_leavers": found.early_leavers,
        "duplicates": found.duplicates, "contradictions": found.contradictions,
        "out_of_order": found.out_of_order,
        "jumps": found.jumps, "positions_at_origin": found.positions_at_origin,
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
    line("frames in which an individual was seen", found.frames as u64, String::new());
    line("frames in which no individual was", found.empty_frames, ", not measured".into());
    line("positions missing", found.missing_positions, ", left out".into());
    let (longest, lacking) = (found.longest_gap, grouped(found.gap_frames));
    let done = match found.gaps_filled {
        0 => "not filled, no velocity across".into(),
        filled => format!("{} of them filled, no velocity across the others", grouped(filled)),
    };
    let filled = format!(" ({lacking} frames, the longest {longest}), {done}");
    line("gaps in tracks", found.gaps, filled);
    line("ids that come after the first frame", found.late_ids as u64, String::new());
    line("ids that leave before the last frame", found.early_leavers as u64, String::new());
    line("rows out of order", found.out_of_order, ", sorted".into());
    line("duplicate rows", found.duplicates, ", the first in the file kept".into());
    line(
        "positions without a velocity",
        found.without_velocity,
        ", left out where one is needed".into(),
    );
    if found.frame_step != 1 {
        lines.push(format!(
            "frames are {} apart: tracks are unbroken at that distance",
            found.frame_step
        ));
    }
    lines.extend(found.notes.iter().cloned());
    lines
}
