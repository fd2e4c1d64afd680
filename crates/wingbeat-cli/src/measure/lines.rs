//! Lines that people cross: how many, when, and how many a second.

use std::io::Write;

use serde_json::{Value, json};
use wingbeat_measure::{FlowWindow, Line, Passages};
use wingbeat_record::Recording;

use super::frames::watched;
use crate::failure::Failure;
use crate::units::Units;
use crate::values::OptionValue;

/// Lines with their names, in the order given.
pub fn named(texts: &[String]) -> Result<Vec<(String, Line)>, Failure> {
    let mut lines: Vec<(String, Line)> = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let (name, corners) = text
            .split_once('=')
            .map_or((None, text.as_str()), |(name, corners)| (Some(name.trim()), corners));
        let name = name.map_or_else(|| (i + 1).to_string(), str::to_string);
        if name.is_empty()
            || name.contains(char::is_control)
            || lines.iter().any(|(other, _)| *other == name)
        {
            return Err(Failure::value(
                "--line",
                text,
                "NAME=X0,Y0,X1,Y1 with a name that no other line has",
            ));
        }
        let corners = <[f64; 4]>::read(corners)
            .map_err(|refused| Failure::BadInput(refused.of("--line", corners)))?;
        lines.push((name, Line::new(corners)?));
    }
    Ok(lines)
}

/// What a line counted.
pub struct Counted {
    name: String,
    /// The only line, and without a name of its own.
    is_plain: bool,
    passages: Passages,
    windows: Vec<FlowWindow>,
}

impl Counted {
    /// Counts over each line, and in windows of so many seconds if they are asked for.
    pub fn all(
        lines: Vec<(String, Line)>,
        recording: &Recording,
        seconds: Option<f64>,
    ) -> Result<Vec<Self>, Failure> {
        let is_plain = lines.len() == 1 && lines[0].0 == "1";
        let count = |(name, line): (String, Line)| {
            let passages = watched(|watch| line.passages_watched(recording, watch))?;
            let windows =
                seconds.map(|seconds| passages.windows(seconds)).transpose()?.unwrap_or_default();
            Ok(Self { name, is_plain, passages, windows })
        };
        lines.into_iter().map(count).collect()
    }

    /// Numbers over the whole recording.
    pub fn totals(&self) -> Value {
        let p = &self.passages;
        json!({
            "to_right": p.to_right, "to_left": p.to_left, "unseen": p.unseen, "persons": p.persons,
            "first_s": p.first_s, "last_s": p.last_s,
            "flow": p.flow, "specific_flow": p.specific_flow,
        })
    }

    /// The same with its name, and its windows where they are asked for.
    pub fn json(&self) -> Value {
        let mut line = self.totals();
        line["name"] = self.name.as_str().into();
        if !self.windows.is_empty() {
            let window = |w: &FlowWindow| {
                Value::Object(
                    HEAD[1..].iter().map(|name| name.to_string()).zip(numbers(w)).collect(),
                )
            };
            line["windows"] = self.windows.iter().map(window).collect();
        }
        line
    }

    /// For people.
    pub fn text(&self, units: &Units) -> String {
        let time = units.spell("time");
        let Passages { to_right, to_left, unseen, persons, .. } = self.passages;
        let name = if self.is_plain { String::new() } else { format!(" {}", self.name) };
        let mut text = format!(
            "\nline{name}: {persons} ids cross it, {to_right} times to the right, \
                {to_left} times to the left"
        );
        if unseen > 0 {
            text += &format!(", {unseen} times in a gap (not counted)");
        }
        if let (Some(first), Some(last)) = (self.passages.first_s, self.passages.last_s) {
            text += &format!("\n  first at {first:.2} {time}, last at {last:.2} {time}");
        }
        if let (Some(flow), Some(specific)) = (self.passages.flow, self.passages.specific_flow) {
            text += &format!(
                "\n  flow {flow:.3}/{time}, {specific:.3} {}",
                units.spell("1/(length\u{b7}time)")
            );
        }
        if !self.windows.is_empty() {
            text +=
                &format!("\n\n  {:>19}{:>17}{:>30}\n", "", "ids by then", format!("per {time}"));
            text += &format!(
                "  {:>19}{:>9}{:>9}{:>9}{:>9}{:>9}",
                time, "right", "left", "right", "left", "both"
            );
            text += &format!("{:>12}", "per length");
            for w in &self.windows {
                let [right, left] = w.flow;
                text += &format!(
                    "\n  {:>9.2} {:>9.2}{:>9}{:>9}",
                    w.start_s, w.end_s, w.crossed[0], w.crossed[1]
                );
                text += &format!(
                    "{right:>9.3}{left:>9.3}{:>9.3}{:>12.3}",
                    right + left,
                    w.specific_flow
                );
            }
        }
        text + "\n"
    }
}

/// Columns of `--flow`; in JSON a window has those after the first.
const HEAD: [&str; 10] = [
    "line",
    "start_s",
    "end_s",
    "persons",
    "persons_right",
    "persons_left",
    "flow",
    "flow_right",
    "flow_left",
    "specific_flow",
];

/// A window's numbers, in that order.
fn numbers(w: &FlowWindow) -> [Value; 9] {
    let ([right, left], [flow_right, flow_left]) = (w.crossed, w.flow);
    let flows = [flow_right + flow_left, flow_right, flow_left, w.specific_flow].map(Value::from);
    let [flow, flow_right, flow_left, specific_flow] = flows;
    let persons = (right + left).into();
    [
        w.start_s.into(),
        w.end_s.into(),
        persons,
        right.into(),
        left.into(),
        flow,
        flow_right,
        flow_left,
        specific_flow,
    ]
}

/// `--flow`: a row for each line and window.
pub fn write_flow(lines: &[Counted], out: &mut dyn Write) -> std::io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(HEAD)?;
    for line in lines {
        for window in &line.windows {
            let cells = numbers(window).map(|number| number.to_string());
            writer.write_record(std::iter::once(&line.name).chain(&cells))?;
        }
    }
    writer.flush()
}

/// `--passages`: a row for each line and person, by the time of the first crossing.
pub fn write_passages(lines: &[Counted], out: &mut dyn Write) -> std::io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["id", "time", "direction", "line"])?;
    for line in lines {
        for crossing in &line.passages.first_crossings {
            let direction = if crossing.to_right { "right" } else { "left" };
            writer.write_record([
                &crossing.id.to_string(),
                &crossing.time_s.to_string(),
                direction,
                &line.name,
            ])?;
        }
    }
    writer.flush()
}
