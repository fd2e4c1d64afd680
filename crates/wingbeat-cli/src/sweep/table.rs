//! From runs to the table: a row a combination, means and standard errors over its seeds.

use std::io::Write;

use wingbeat_record::exact_f64;

use crate::columns::Columns;
use crate::events::EventReport;
use crate::statistics::Estimate;

/// One combination.
#[derive(Clone, Debug)]
pub struct SweepRow {
    /// Values of the swept keys but the seed.
    pub values: Vec<String>,
    pub seeds: usize,
    pub steps: u64,
    /// One for each column.
    pub estimates: Vec<Estimate>,
}

impl SweepRow {
    /// Sums up the runs of a combination, in order of their seeds.
    pub fn of(values: Vec<String>, steps: u64, columns: &Columns, runs: &[&[Option<f64>]]) -> Self {
        let estimate = |(i, name): (usize, &String)| {
            let answers: Vec<f64> = runs.iter().filter_map(|run| run[i]).collect();
            // The mean of the times that were reached would be below that of all: there is none
            // until every run has got so far.
            let is_censored = EventReport::is_column(name) && answers.len() < runs.len();
            if is_censored { Estimate::default() } else { Estimate::of(&answers) }
        };
        Self {
            values,
            seeds: runs.len(),
            steps,
            estimates: columns.names().iter().enumerate().map(estimate).collect(),
        }
    }
}

/// Writes the table as CSV; a cell is empty where there is no answer. Numbers have the digits that
/// bring an f64 back.
pub fn write(
    keys: &[&str],
    columns: &Columns,
    average_from: u64,
    every: u64,
    rows: &[SweepRow],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let settings = ["seeds", "steps", "average_from", "every"].map(str::to_string);
    let columns = columns.names().iter().flat_map(|name| [name.clone(), format!("{name}_se")]);
    writer.write_record(keys.iter().map(|key| key.to_string()).chain(settings).chain(columns))?;
    let cell = |value: Option<f64>| value.map_or_else(String::new, exact_f64);
    for row in rows {
        let settings =
            [row.seeds as u64, row.steps, average_from, every].map(|number| number.to_string());
        let estimates = row
            .estimates
            .iter()
            .flat_map(|estimate| [cell(estimate.mean), cell(estimate.standard_error)]);
        writer.write_record(row.values.iter().cloned().chain(settings).chain(estimates))?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_one_run_did_not_reach_has_no_mean() {
        let columns = Columns::parse(Some(&"t50,left,groups".to_string())).expect("known");
        let row = SweepRow::of(
            Vec::new(),
            9,
            &columns,
            &[&[Some(2.0), Some(3.0), None], &[None, Some(5.0), Some(7.0)]],
        );
        let means: Vec<_> = row.estimates.iter().map(|estimate| estimate.mean).collect();
        assert_eq!(means, [None, Some(4.0), Some(7.0)]);
    }
}
