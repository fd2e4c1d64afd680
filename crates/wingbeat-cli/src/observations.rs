//! Observables over time: of a run's steps or a recording's frames, as CSV and in numbers.

use std::io::Write;

use serde_json::{Map, Value};
use wingbeat::observe::Observables;
use wingbeat_scene::Built;

use crate::statistics::Statistics;

/// One measured step or frame.
#[derive(Clone, Debug)]
pub struct Moment {
    pub number: i64,
    pub time: f64,
    pub observables: Observables,
    /// Density and mean speed in the area, if one was asked for.
    pub in_area: Option<(f64, Option<f64>)>,
}

/// All of them in order, the first to the last.
#[derive(Debug)]
pub struct Observations {
    /// What the numbers count: "step" or "frame".
    counts: &'static str,
    moments: Vec<Moment>,
}

/// Names of the columns beside the observables' own, where an area is given.
const AREA: [&str; 2] = ["area_density", "area_mean_speed"];

impl Observations {
    pub fn new(counts: &'static str) -> Self {
        Self { counts, moments: Vec::new() }
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
        let after = Self { counts: self.counts, moments: self.moments.iter().filter(|m| m.number > number).cloned().collect() };
        let mean = |statistics: Option<Statistics>| statistics.map(|statistics| statistics.mean).into();
        after.statistics().into_iter().map(|(name, statistics)| (name.to_string(), mean(statistics))).collect()
    }

    /// Each column with its name.
    pub fn columns(&self) -> Vec<(&'static str, Vec<Option<f64>>)> {
        let values: Vec<_> = self.moments.iter().map(|moment| moment.observables.values()).collect();
        let column = |i: usize| values.iter().map(|row| row[i]).collect();
        let mut columns: Vec<_> = Observables::NAMES.into_iter().enumerate().map(|(i, name)| (name, column(i))).collect();
        if self.moments.iter().any(|moment| moment.in_area.is_some()) {
            let area =
                |moment: &Moment| [moment.in_area.map(|(density, _)| density), moment.in_area.and_then(|(_, speed)| speed)];
            columns.extend((0..2).map(|i| (AREA[i], self.moments.iter().map(|moment| area(moment)[i]).collect())));
        }
        columns
    }
}

/// Groups are those who can perceive each other; without rules there are none.
pub fn group_radius(built: &Built) -> Option<f64> {
    Some(f64::from(built.flock.params().largest_radius())).filter(|&radius| radius > 0.0)
}
