//! From runs to the table: a row a combination, means and standard errors over its seeds, and
//! quantiles where seeds alone are swept.

use std::io::Write;

use wingbeat_record::exact_f64;

use super::spread::{QUANTILES, quantiles};
use crate::columns::Columns;
use crate::events::EventReport;
use crate::report::grouped;
use crate::statistics::Estimate;

/// A column's place in the table, and its name.
pub type TableColumn = (usize, String);

/// One combination.
#[derive(Clone, Debug)]
pub struct SweepRow {
    /// Values of the swept keys but the seed.
    pub values: Vec<String>,
    pub seeds: usize,
    pub steps: u64,
    /// One for each column.
    pub estimates: Vec<Estimate>,
    /// For each column the numbers of the runs that have one, in order of their seeds. Empty where
    /// other keys are swept: those tables have no quantiles.
    pub samples: Vec<Vec<f64>>,
}

impl SweepRow {
    /// Sums up the runs of a combination, in order of their seeds.
    pub fn of(values: Vec<String>, steps: u64, columns: &Columns, runs: &[&[Option<f64>]]) -> Self {
        let answers = |i: usize| -> Vec<f64> { runs.iter().filter_map(|run| run[i]).collect() };
        let estimate = |(i, name): (usize, &String)| {
            let answers = answers(i);
            // The mean of the times that were reached would be below that of all: there is none
            // until every run has got so far.
            let is_censored = EventReport::is_column(name) && answers.len() < runs.len();
            if is_censored { Estimate::default() } else { Estimate::of(&answers) }
        };
        let is_of_seeds_alone = values.is_empty() && runs.len() > 1;
        let sampled = if is_of_seeds_alone { columns.names().len() } else { 0 };
        Self {
            values,
            samples: (0..sampled).map(answers).collect(),
            seeds: runs.len(),
            steps,
            estimates: columns.names().iter().enumerate().map(estimate).collect(),
        }
    }

    /// A column's quantiles over the seeds, where seeds alone are swept. As the mean, none where a
    /// run did not reach a time: they would be below those of all runs.
    fn quantiles(&self, column: usize) -> Option<[f64; QUANTILES.len()]> {
        self.estimates[column].mean.and_then(|_| quantiles(self.samples.get(column)?))
    }
}

/// What the table holds, in words.
pub fn described(rows: &[SweepRow], seeds: usize) -> String {
    let count = match rows {
        [only] if !only.samples.is_empty() => {
            return format!("1 row: means, standard errors and quantiles over {seeds} seeds");
        }
        [_] => "1 row".to_string(),
        _ => format!("{} rows", grouped(rows.len() as u64)),
    };
    let over = if seeds > 1 { format!("{seeds} seeds each") } else { "one seed each".into() };
    format!("{count}: means and standard errors, {over}")
}

/// How the runs differ in each column, where seeds alone are swept: the column's name, and its
/// extremes, quartiles and median in words.
pub fn spreads<'a>(
    rows: &'a [SweepRow],
    columns: &'a Columns,
) -> impl Iterator<Item = (&'a str, String)> {
    let spread = |row: &SweepRow, column: usize| {
        let [min, _, q25, median, q75, _, max] = row.quantiles(column)?.map(rounded);
        Some(format!("{min} to {max}, half of the runs {q25} to {q75}, median {median}"))
    };
    rows.iter().filter(|row| !row.samples.is_empty()).flat_map(move |row| {
        let said = move |(i, name): (usize, &'a String)| {
            let missing = row.seeds - row.samples[i].len();
            let none = || format!("no quantiles: {missing} of {} runs have no number", row.seeds);
            (name.as_str(), spread(row, i).unwrap_or_else(none))
        };
        columns.names().iter().enumerate().map(said)
    })
}

/// A number with four digits, as people read it.
fn rounded(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
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
    let has_quantiles = rows.iter().any(|row| !row.samples.is_empty());
    let endings: Vec<&str> =
        QUANTILES.iter().filter(|_| has_quantiles).map(|(ending, _)| *ending).collect();
    let named = |name: &String| {
        let endings = ["se"].into_iter().chain(endings.iter().copied());
        let beside: Vec<String> = endings.map(|ending| format!("{name}_{ending}")).collect();
        [name.clone()].into_iter().chain(beside)
    };
    let columns = columns.names().iter().flat_map(named);
    writer.write_record(keys.iter().map(|key| key.to_string()).chain(settings).chain(columns))?;
    let cell = |value: Option<f64>| value.map_or_else(String::new, exact_f64);
    for row in rows {
        let settings =
            [row.seeds as u64, row.steps, average_from, every].map(|number| number.to_string());
        let answers = row.estimates.iter().enumerate().flat_map(|(i, estimate)| {
            let quantiles = row.quantiles(i);
            let quantiles = (0..endings.len()).map(move |q| cell(quantiles.map(|all| all[q])));
            [cell(estimate.mean), cell(estimate.standard_error)].into_iter().chain(quantiles)
        });
        writer.write_record(row.values.iter().cloned().chain(settings).chain(answers))?;
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
        let medians = [0, 1, 2].map(|i| row.quantiles(i).map(|all| all[3]));
        assert_eq!(medians, [None, Some(4.0), Some(7.0)], "nor quantiles");
        let rows = [row];
        let said: Vec<_> = spreads(&rows, &columns).map(|(_, said)| said).collect();
        assert_eq!(said[0], "no quantiles: 1 of 2 runs have no number");
        assert_eq!(said[1], "3 to 5, half of the runs 3.5 to 4.5, median 4");
    }
}
