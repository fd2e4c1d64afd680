//! From runs to the table: a row a combination, means and standard errors over its seeds.

use std::io::Write;

use super::columns::Columns;
use crate::events::EventReport;

/// Mean and standard error of one column over the runs that have an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// `None` of no runs.
    pub mean: Option<f64>,
    /// s/√n with s² = Σ(x − mean)²/(n − 1); `None` of fewer than two runs.
    pub standard_error: Option<f64>,
}

impl Estimate {
    /// Sums run in the order given.
    pub fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        if values.is_empty() {
            return Self::default();
        }
        let mean = values.iter().fold(0.0, |sum, value| sum + value) / count;
        let squares = values.iter().fold(0.0, |sum, value| sum + (value - mean) * (value - mean));
        let standard_error = (values.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt());
        Self { mean: Some(mean), standard_error }
    }
}

/// One combination.
#[derive(Clone, Debug)]
pub struct Row {
    /// Values of the swept keys but the seed.
    pub values: Vec<String>,
    pub seeds: usize,
    pub steps: u64,
    /// One for each column.
    pub estimates: Vec<Estimate>,
}

impl Row {
    /// Sums up the runs of a combination, in order of their seeds.
    pub fn of(values: Vec<String>, steps: u64, columns: &Columns, runs: &[&[Option<f64>]]) -> Self {
        let estimate = |(i, name): (usize, &&str)| {
            let answers: Vec<f64> = runs.iter().filter_map(|run| run[i]).collect();
            // The mean of the times that were reached would be below that of all: there is none until every run has got so far.
            let is_censored = EventReport::COLUMNS.contains(name) && answers.len() < runs.len();
            if is_censored { Estimate::default() } else { Estimate::of(&answers) }
        };
        Self { values, seeds: runs.len(), steps, estimates: columns.names().iter().enumerate().map(estimate).collect() }
    }
}

/// Writes the table as CSV; a cell is empty where there is no answer. Numbers have the digits that bring an f64 back.
pub fn write(
    keys: &[&str],
    columns: &Columns,
    average_from: u64,
    every: u64,
    rows: &[Row],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let settings = ["seeds", "steps", "average_from", "every"].map(str::to_string);
    let columns = columns.names().iter().flat_map(|name| [name.to_string(), format!("{name}_se")]);
    writer.write_record(keys.iter().map(|key| key.to_string()).chain(settings).chain(columns))?;
    let cell = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for row in rows {
        let settings = [row.seeds as u64, row.steps, average_from, every].map(|number| number.to_string());
        let estimates = row.estimates.iter().flat_map(|estimate| [cell(estimate.mean), cell(estimate.standard_error)]);
        writer.write_record(row.values.iter().cloned().chain(settings).chain(estimates))?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_is_the_samples_deviation_over_the_root_of_its_size() {
        // Mean 5, squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, s² = 32/7.
        let estimate = Estimate::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(estimate.mean, Some(5.0));
        let error = estimate.standard_error.expect("eight values");
        assert!((error - (32.0_f64 / 7.0 / 8.0).sqrt()).abs() < 1e-15, "{error}");
        assert_eq!(Estimate::of(&[3.0]), Estimate { mean: Some(3.0), standard_error: None });
        assert_eq!(Estimate::of(&[]), Estimate::default());
    }

    #[test]
    fn a_time_that_one_run_did_not_reach_has_no_mean() {
        let columns = Columns::parse(Some(&"t50,left,groups".to_string())).expect("known");
        let row = Row::of(Vec::new(), 9, &columns, &[&[Some(2.0), Some(3.0), None], &[None, Some(5.0), Some(7.0)]]);
        let means: Vec<_> = row.estimates.iter().map(|estimate| estimate.mean).collect();
        assert_eq!(means, [None, Some(4.0), Some(7.0)]);
    }
}
