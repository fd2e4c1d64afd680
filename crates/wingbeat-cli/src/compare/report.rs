//! What a comparison says: a table for people, one JSON object for programs, rows for tables.

use std::io::Write;

use serde_json::{Map, Value, json};

use super::subject::{OpenedSide, Shared, Units};
use crate::labels::unit_of;
use crate::measure::short;
use crate::observations::Observations;
use crate::report::grouped;
use crate::sample::{Distance, Sample};
use crate::side::SideMeasure;

/// Both sides, observable by observable.
pub struct Comparison {
    sides: [SideReport; 2],
    radius: Option<f64>,
    pub rows: Vec<ComparisonRow>,
    /// What cannot be compared as it is.
    differing: Vec<&'static str>,
}

/// What is said of one side.
pub struct SideReport {
    pub name: String,
    about: String,
    runs: usize,
    moments: usize,
    units: Option<Units>,
}

/// One observable.
pub struct ComparisonRow {
    pub name: &'static str,
    /// As both sides have it, or `None` where they differ.
    pub unit: Option<String>,
    pub samples: [Option<Sample>; 2],
    /// `None` where one has no values, or the units differ.
    distance: Option<Distance>,
}

impl Comparison {
    pub fn new(
        subjects: &[OpenedSide; 2],
        runs: &[Vec<Observations>; 2],
        measure: &SideMeasure,
    ) -> Self {
        let side = |i: usize| SideReport {
            name: subjects[i].name.clone(),
            about: subjects[i].about(),
            runs: runs[i].len(),
            moments: runs[i].iter().map(Observations::len).sum(),
            units: subjects[i].units.clone(),
        };
        let sides = [side(0), side(1)];
        let differing = differing(&sides);
        let samples = |runs: &[Observations]| -> Vec<Option<Sample>> {
            let column = |name: &str| -> Vec<Vec<f64>> {
                let of = |run: &Observations| {
                    run.answers().find_map(|(known, values)| (known == name).then_some(values))
                };
                runs.iter().filter_map(of).collect()
            };
            measure.wanted.names().map(|name| Sample::of(&column(name))).collect()
        };
        let [first, second] = [samples(&runs[0]), samples(&runs[1])];
        let row = |((name, a), b): ((&'static str, Option<Sample>), Option<Sample>)| {
            let plain = unit_of(name, subjects[0].dimensions);
            let differs = differing
                .iter()
                .any(|kind| plain.contains(kind) || (*kind == "length" && name.contains("group")));
            let distance =
                a.as_ref().zip(b.as_ref()).filter(|_| !differs).and_then(|(a, b)| a.distance(b));
            let unit = (!differs).then(|| known(&plain, &sides));
            ComparisonRow { name, unit, samples: [a, b], distance }
        };
        let rows = measure.wanted.names().zip(first).zip(second).map(row).collect();
        Self { sides, radius: measure.radius, rows, differing }
    }

    /// What a reader of the numbers should know.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let counts_frames =
            |side: &SideReport| side.units.as_ref().is_some_and(|units| units.time == "frame");
        for kind in &self.differing {
            let option = match *kind {
                "length" => {
                    "--scale-a or --scale-b makes one unit of them (1 where they are in one)"
                }
                _ => "--fps makes seconds",
            };
            let unit = |i: usize| {
                self.sides[i].units.as_ref().map_or_else(String::new, |units| units.named(kind))
            };
            notes.push(format!(
                "{kind}s are {} in A and {} in B, and not comparable: {option}",
                unit(0),
                unit(1)
            ));
        }
        for (side, name) in self.sides.iter().zip(["A", "B"]) {
            if counts_frames(side) && !self.differing.contains(&"time") {
                notes.push(format!(
                    "times of {name} count frames, as no frame rate is known: --fps makes seconds"
                ));
            }
            let length = side.units.as_ref().and_then(|units| units.length);
            let other = &self.sides[usize::from(name == "A")];
            let other_length = other.units.as_ref().and_then(|units| units.length);
            if let (Some(unit), None, false) =
                (length, other_length, self.differing.contains(&"length"))
            {
                notes.push(format!(
                    "lengths of {name} are {unit}; those of {} are taken to be the same",
                    other.name
                ));
            }
        }
        if self.radius.is_none() && self.rows.iter().any(|row| row.name.contains("group")) {
            notes.push("groups are counted with --radius".into());
        }
        notes
    }

    pub fn json(&self, notes: &[String]) -> Value {
        let side = |i: usize| {
            let side = &self.sides[i];
            let length =
                side.units.as_ref().and_then(|units| units.length).map(|unit| unit.to_string());
            let time = side.units.as_ref().map(|units| units.time.clone());
            json!({
                "input": side.name, "runs": side.runs, "moments": side.moments,
                "length_unit": length, "time_unit": time
            })
        };
        let sample = |sample: &Option<Sample>| {
            sample.as_ref().map(|sample| {
                let mut value = json!(sample.statistics);
                value["standard_deviation"] = sample.standard_deviation.into();
                value["independent"] = sample.independent.into();
                value
            })
        };
        let row = |row: &ComparisonRow| {
            let [a, b] = &row.samples;
            let value = json!({
                "unit": row.unit, "a": sample(a), "b": sample(b), "distance": row.distance
            });
            (row.name.to_string(), value)
        };
        let rows: Map<String, Value> = self.rows.iter().map(row).collect();
        json!({
            "a": side(0), "b": side(1), "group_radius": self.radius, "observables": rows,
            "notes": notes
        })
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for (side, name) in self.sides.iter().zip(["A", "B"]) {
            text += &format!(
                "{name}  {}: {}; {} moments\n",
                side.name,
                side.about,
                grouped(side.moments as u64)
            );
        }
        text += &format!("\n{:36}", "");
        for head in
            ["mean", "sd", "quarter", "median", "quarter", "indep.", "delta", "KS", "distance"]
        {
            text += &format!("{head:>10}");
        }
        text.push('\n');
        for row in self.rows.iter().filter(|row| row.samples.iter().any(Option::is_some)) {
            let unit = row.unit.as_deref().unwrap_or("units differ");
            let named = if unit.is_empty() {
                row.name.to_string()
            } else {
                format!("{}, {unit}", row.name)
            };
            for (i, sample) in row.samples.iter().enumerate() {
                let label = if i == 0 { named.as_str() } else { "" };
                text += &format!("  {label:<31} {} ", ["A", "B"][i]);
                let cells = sample.as_ref().map_or_else(|| vec!["-".to_string(); 6], cells);
                let distance = row.distance.as_ref().filter(|_| i == 1);
                let distances = distance.map(|d| {
                    [
                        format!("{:+.3}", d.cliffs_delta),
                        format!("{:.3}", d.kolmogorov_smirnov),
                        short(d.standardized),
                    ]
                });
                cells
                    .iter()
                    .chain(distances.iter().flatten())
                    .for_each(|cell| text += &format!("{cell:>10}"));
                text.push('\n');
            }
        }
        text
    }

    /// A row for each observable; a cell is empty where there is no answer.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        let of = |side: &str| {
            [
                "count",
                "mean",
                "sd",
                "min",
                "lower_quartile",
                "median",
                "upper_quartile",
                "max",
                "independent",
            ]
            .map(|name| format!("{side}_{name}"))
        };
        let head =
            ["observable", "unit"].map(str::to_string).into_iter().chain(of("a")).chain(of("b"));
        writer.write_record(
            head.chain(
                ["cliffs_delta", "ks_distance", "standardized_distance"].map(str::to_string),
            ),
        )?;
        let cell = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        for row in &self.rows {
            let of = |sample: &Option<Sample>| -> [String; 9] {
                let Some(sample) = sample else { return Default::default() };
                let s = &sample.statistics;
                let numbers = [
                    s.mean,
                    sample.standard_deviation,
                    s.min,
                    s.lower_quartile,
                    s.median,
                    s.upper_quartile,
                    s.max,
                ];
                let mut cells = numbers.into_iter().map(Some).chain([sample.independent]).map(cell);
                std::array::from_fn(|i| {
                    if i == 0 { s.count.to_string() } else { cells.next().unwrap_or_default() }
                })
            };
            let distances = row
                .distance
                .map(|d| [d.cliffs_delta, d.kolmogorov_smirnov, d.standardized].map(Some));
            let distances = distances.unwrap_or_default().map(cell);
            let unit = row.unit.clone().unwrap_or_else(|| "units differ".into());
            let [a, b] = &row.samples;
            let cells =
                [row.name.to_string(), unit].into_iter().chain(of(a)).chain(of(b)).chain(distances);
            writer.write_record(cells)?;
        }
        writer.flush()
    }

    /// Names of both sides, which tell them apart.
    pub fn names(&self) -> [&str; 2] {
        [&self.sides[0].name, &self.sides[1].name]
    }
}

impl Units {
    fn named(&self, kind: &str) -> String {
        match (kind, self.length) {
            ("time", _) => self.time.clone(),
            (_, Some(unit)) => unit.to_string(),
            (_, None) => "of no stated unit".into(),
        }
    }
}

/// `length` and `time`, where both sides are not known to have the same unit. A scene has whatever
/// unit the other side has.
fn differing(sides: &[SideReport; 2]) -> Vec<&'static str> {
    let [Some(a), Some(b)] = [&sides[0].units, &sides[1].units] else { return Vec::new() };
    let lengths = match (a.length, b.length) {
        (Some(a), Some(b)) => a != b,
        (None, Some(_)) => a.shared != Some(Shared::Scaled),
        (Some(_), None) => b.shared != Some(Shared::Scaled),
        (None, None) => {
            let is_scaled = [a.shared, b.shared].contains(&Some(Shared::Scaled));
            !is_scaled && [a.shared, b.shared] != [Some(Shared::OfScenes); 2]
        }
    };
    let kinds = [("length", lengths), ("time", a.time != b.time)];
    kinds.into_iter().filter(|(_, differs)| *differs).map(|(kind, _)| kind).collect()
}

/// A unit with the names that either side states.
fn known(plain: &str, sides: &[SideReport; 2]) -> String {
    let units = || sides.iter().filter_map(|side| side.units.as_ref());
    let length = units()
        .find_map(|units| units.length)
        .map_or("length".to_string(), |unit| unit.to_string());
    let time = units().next().map_or("time", |units| &units.time);
    plain.replace("length", &length).replace("time", time)
}

fn cells(sample: &Sample) -> Vec<String> {
    let s = &sample.statistics;
    let numbers = [s.mean, sample.standard_deviation, s.lower_quartile, s.median, s.upper_quartile]
        .map(short);
    numbers
        .into_iter()
        .chain([sample.independent.map_or("-".into(), |count| format!("{count:.1}"))])
        .collect()
}
