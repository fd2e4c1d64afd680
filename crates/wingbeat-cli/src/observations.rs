//! Observables over time: of a run's steps or a recording's frames, as CSV and in numbers.

use std::io::Write;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wingbeat::observe::{Observables, Wanted};
use wingbeat_record::VoronoiMeasure;
use wingbeat_scene::Built;

use crate::statistics::Statistics;

/// One measured step or frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Moment {
    pub number: i64,
    pub time: f64,
    pub observables: Observables,
    /// If one was asked for, which is of recordings: no run is checkpointed with it.
    #[serde(skip)]
    pub in_area: Option<InArea>,
    /// Mean size of Voronoi cells, likewise.
    #[serde(skip)]
    pub voronoi_area: Option<f64>,
}

/// Density and mean speed in an area at one moment.
#[derive(Clone, Copy, Debug)]
pub struct InArea {
    /// Heads over area.
    pub density: f64,
    pub speed: Option<f64>,
    /// By cells, if that was asked for.
    pub voronoi: Option<VoronoiMeasure>,
}

impl InArea {
    /// Density and speed by heads, then by cells.
    pub fn pairs(&self) -> [(Option<f64>, Option<f64>); 2] {
        let cells = self.voronoi;
        [(Some(self.density), self.speed), (cells.map(|cells| cells.density), cells.and_then(|cells| cells.speed))]
    }
}

/// All of them in order, the first to the last.
#[derive(Debug, Serialize, Deserialize)]
pub struct Observations {
    /// What the numbers count: "step" or "frame".
    #[serde(skip, default = "steps")]
    counts: &'static str,
    /// Which are columns.
    wanted: Wanted,
    moments: Vec<Moment>,
}

/// Names of the columns beside the observables' own, where an area is given: by heads, and by cells.
const AREA: [[&str; 2]; 2] = [["area_density", "area_mean_speed"], ["area_voronoi_density", "area_voronoi_speed"]];

/// What those of runs count, which alone are written and read again.
fn steps() -> &'static str {
    "step"
}

impl Observations {
    pub fn new(counts: &'static str, wanted: Wanted) -> Self {
        Self { counts, wanted, moments: Vec::new() }
    }

    pub fn push(&mut self, moment: Moment) {
        self.moments.push(moment);
    }

    pub fn times(&self) -> Vec<f64> {
        self.moments.iter().map(|moment| moment.time).collect()
    }

    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// What was measured in the area, with its moment.
    pub fn in_area(&self) -> impl Iterator<Item = (&Moment, InArea)> {
        self.moments.iter().filter_map(|moment| Some((moment, moment.in_area?)))
    }

    /// One row a moment; a cell is empty where there is no answer. Numbers have the digits that bring an f64 back.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let columns = self.columns();
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        writeln!(out, "{},time,individuals,{}", self.counts, names.join(","))?;
        for (i, moment) in self.moments.iter().enumerate() {
            write!(out, "{},{},{}", moment.number, moment.time, moment.observables.individuals)?;
            for (_, values) in &columns {
                match values[i] {
                    Some(value) => write!(out, ",{value}")?,
                    None => write!(out, ",")?,
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Statistics of each observable over all moments that have an answer.
    pub fn statistics(&self) -> Vec<(&'static str, Option<Statistics>)> {
        let of = |values: Vec<Option<f64>>| Statistics::of(values.into_iter().flatten().collect());
        self.columns().into_iter().map(|(name, values)| (name, of(values))).collect()
    }

    /// Means of each observable over the moments after this one; `null` where none has an answer.
    pub fn means_after(&self, number: i64) -> Map<String, Value> {
        let after = Self {
            counts: self.counts,
            wanted: self.wanted,
            moments: self.moments.iter().filter(|m| m.number > number).cloned().collect(),
        };
        let mean = |statistics: Option<Statistics>| statistics.map(|statistics| statistics.mean).into();
        after.statistics().into_iter().map(|(name, statistics)| (name.to_string(), mean(statistics))).collect()
    }

    /// Each column with its name.
    pub fn columns(&self) -> Vec<(&'static str, Vec<Option<f64>>)> {
        let values: Vec<_> = self.moments.iter().map(|moment| moment.observables.values()).collect();
        let column = |i: usize| values.iter().map(|row| row[i]).collect();
        let names = Observables::NAMES.into_iter().enumerate();
        let asked = names.filter(|(_, name)| self.wanted.names().any(|wanted| wanted == *name));
        let mut columns: Vec<_> = asked.map(|(i, name)| (name, column(i))).collect();
        if self.moments.iter().any(|moment| moment.voronoi_area.is_some()) {
            columns.push(("voronoi_area", self.moments.iter().map(|moment| moment.voronoi_area).collect()));
        }
        let asked = |kind: usize| self.in_area().any(|(_, in_area)| in_area.pairs()[kind].0.is_some());
        for (kind, [density, speed]) in AREA.into_iter().enumerate().filter(|(kind, _)| asked(*kind)) {
            let pairs = self.moments.iter().map(|moment| moment.in_area.map_or((None, None), |in_area| in_area.pairs()[kind]));
            let (densities, speeds) = pairs.unzip();
            columns.extend([(density, densities), (speed, speeds)]);
        }
        columns
    }
}

/// Groups are those who can perceive each other; without rules there are none.
pub fn group_radius(built: &Built) -> Option<f64> {
    Some(f64::from(built.flock.params().largest_radius())).filter(|&radius| radius > 0.0)
}
