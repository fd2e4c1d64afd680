//! Observables over time: of a run's steps or a recording's frames, as CSV and in numbers.

use std::io::Write;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wingbeat_measure::{Observables, Wanted};
use wingbeat_record::exact_f64;
use wingbeat_scene::Built;

use crate::statistics::Statistics;

/// All measured steps or frames in order, the first to the last. A recording may have millions: a
/// moment takes 8 bytes a column and 24.
#[derive(Debug, Serialize, Deserialize)]
pub struct Observations {
    /// What the numbers count: "step" or "frame".
    #[serde(skip, default = "steps")]
    counts: &'static str,
    /// Which observables are columns.
    wanted: Wanted,
    /// Names of the columns after theirs, which only recordings have.
    #[serde(skip)]
    more: Vec<&'static str>,
    /// Number, time and how many are there.
    moments: Vec<(i64, f64, usize)>,
    /// A column for each name; NaN where there is no answer.
    columns: Vec<Vec<f64>>,
}

/// What those of runs count, which alone are written and read again.
fn steps() -> &'static str {
    "step"
}

impl Observations {
    /// No moments so far, of which these observables will be told.
    pub fn new(counts: &'static str, wanted: Wanted) -> Self {
        Self::with(counts, wanted, Vec::new())
    }

    /// The same with columns of these names beside.
    pub fn with(counts: &'static str, wanted: Wanted, more: Vec<&'static str>) -> Self {
        let columns = vec![Vec::new(); wanted.names().count() + more.len()];
        Self { counts, wanted, more, moments: Vec::new(), columns }
    }

    /// Adds a moment: its number and time, what was measured, and the values of the other columns.
    pub fn push(
        &mut self,
        (number, time): (i64, f64),
        observables: &Observables,
        more: &[Option<f64>],
    ) {
        self.moments.push((number, time, observables.individuals));
        let (wanted, names) = (self.wanted, Observables::NAMES);
        let own = observables
            .values()
            .into_iter()
            .zip(names)
            .filter(|(_, name)| wanted.names().any(|wanted| wanted == *name));
        let values = own.map(|(value, _)| value).chain(more.iter().copied());
        self.columns
            .iter_mut()
            .zip(values)
            .for_each(|(column, value)| column.push(value.unwrap_or(f64::NAN)));
    }

    /// Number and time of each.
    pub fn moments(&self) -> impl Iterator<Item = (i64, f64)> {
        self.moments.iter().map(|&(number, time, _)| (number, time))
    }

    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// One row a moment; a cell is empty where there is no answer. Numbers have the digits that
    /// bring an f64 back.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let names: Vec<&str> = self.columns().map(|(name, _)| name).collect();
        writeln!(out, "{},time,individuals,{}", self.counts, names.join(","))?;
        for (i, (number, time, individuals)) in self.moments.iter().enumerate() {
            write!(out, "{number},{},{individuals}", exact_f64(*time))?;
            for (_, values) in self.columns() {
                match known(values[i]) {
                    Some(value) => write!(out, ",{}", exact_f64(value))?,
                    None => write!(out, ",")?,
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Statistics of each observable over all moments that have an answer.
    pub fn statistics(&self) -> Vec<(&'static str, Option<Statistics>)> {
        self.answers().map(|(name, values)| (name, Statistics::of(values))).collect()
    }

    /// Means of each observable over the moments after this one; `null` where none has an answer.
    pub fn means_after(&self, number: i64) -> Map<String, Value> {
        let first = self.moments.partition_point(|(before, ..)| *before <= number);
        let mean = |values: &[f64]| {
            let known = values[first..].iter().copied().filter_map(known);
            let (sum, count) =
                known.fold((0.0, 0u64), |(sum, count), value| (sum + value, count + 1));
            if count > 0 { (sum / count as f64).into() } else { Value::Null }
        };
        self.columns().map(|(name, values)| (name.to_string(), mean(values))).collect()
    }

    /// Each column with its name; NaN where there is no answer.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, &[f64])> {
        self.wanted
            .names()
            .chain(self.more.iter().copied())
            .zip(self.columns.iter().map(Vec::as_slice))
    }

    /// Each column with its name, of the moments that have an answer.
    pub fn answers(&self) -> impl Iterator<Item = (&'static str, Vec<f64>)> {
        self.columns()
            .map(|(name, values)| (name, values.iter().copied().filter_map(known).collect()))
    }

    /// A column by its name, if there is one.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns().find_map(|(known, values)| (known == name).then_some(values))
    }
}

/// A value, unless there is no answer.
pub fn known(value: f64) -> Option<f64> {
    (!value.is_nan()).then_some(value)
}

/// Groups are those that can perceive each other; without rules there are none.
pub fn group_radius(built: &Built) -> Option<f64> {
    Some(f64::from(built.flock.params().largest_radius())).filter(|&radius| radius > 0.0)
}
