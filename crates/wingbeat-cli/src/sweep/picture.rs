//! `--plot`: a column by a swept key, with error bars.

use std::path::Path;

use wingbeat_render::plot::{Chart, MOST_SERIES, Point, Series};
use wingbeat_scene::known_key;

use super::axes::Axes;
use super::columns::Columns;
use super::table::Row;
use crate::events::EventReport;
use crate::failure::Failure;
use crate::files::Files;
use crate::labels::{title, unit_of, with_unit};
use crate::output::Output;

/// What is drawn, decided before the first run.
#[derive(Debug)]
pub struct Picture {
    output: Output,
    /// Which of the swept keys is the horizontal axis.
    x: usize,
    /// Its values.
    numbers: Vec<f64>,
    /// Which of the columns is the vertical one, and its name.
    y: (usize, &'static str),
}

impl Picture {
    /// What is asked for, refused if it cannot be drawn.
    pub fn plan(
        plot: Option<&String>,
        y: Option<&String>,
        columns: &Columns,
        axes: &Axes,
        files: &mut Files,
    ) -> Result<Option<Self>, Failure> {
        let names = columns.names();
        let known = |name: &String| {
            let found = names.iter().position(|known| known == name);
            found.ok_or_else(|| Failure::value("--y", name, &names.join(", ")))
        };
        let y = y.map(|name| known(name).map(|place| (name, place))).transpose()?;
        let Some(path) = plot else {
            return match y {
                Some((name, _)) => Err(Failure::value("--y", name, "nothing without --plot")),
                None => Ok(None),
            };
        };
        let output = files.write("--plot", path, &["svg", "png"])?;
        let numbers = axes.swept.iter().enumerate().find_map(|(i, axis)| Some((i, axis.numbers()?)));
        let (x, numbers) = numbers.ok_or_else(|| {
            Failure::value("--plot", path, "nothing here: no key but seed is swept over numbers, so there is no horizontal axis")
        })?;
        let lines = axes.combinations / numbers.len();
        if lines > MOST_SERIES {
            let allowed = format!("at most {MOST_SERIES} lines, one for each combination of the other swept keys ({lines} here)");
            return Err(Failure::value("--plot", path, &allowed));
        }
        let place = y.map_or(0, |(_, place)| place);
        Ok(Some(Self { output, x, numbers, y: (place, names[place]) }))
    }

    pub fn path(&self) -> &Path {
        self.output.path()
    }

    /// Draws the rows and writes the file.
    pub fn write(&self, scene: &str, dimensions: usize, axes: &Axes, average_from: u64, rows: &[Row]) -> Result<(), Failure> {
        let chart = self.chart(scene, dimensions, axes, average_from, rows);
        let drawn = if self.output.extension() == "png" { chart.png() } else { chart.svg().map(String::into_bytes) };
        let bytes = drawn.map_err(|error| Failure::Other(format!("--plot {}: {error}", self.path().display())))?;
        self.output.write(|out| out.write_all(&bytes))
    }

    fn chart(&self, scene: &str, dimensions: usize, axes: &Axes, average_from: u64, rows: &[Row]) -> Chart {
        let key = &axes.swept[self.x];
        let (y, name) = self.y;
        let spoken = name.replace('_', " ");
        let unit = known_key(&key.key).map_or("", |known| known.unit);
        // A pure number has none worth writing.
        let unit = if unit == "1" { "" } else { unit };
        let others: Vec<usize> = (0..axes.swept.len()).filter(|&i| i != self.x).collect();
        let mut series: Vec<Series> = Vec::new();
        for row in rows {
            let names: Vec<&str> = others.iter().map(|&i| row.values[i].as_str()).collect();
            let label = names.join(", ");
            let place = series.iter().position(|line| line.label == label).unwrap_or_else(|| {
                series.push(Series { label, ..Series::default() });
                series.len() - 1
            });
            let value = axes.swept[self.x].values.iter().position(|value| *value == row.values[self.x]);
            let estimate = row.estimates[y];
            if let (Some(value), Some(mean)) = (value, estimate.mean) {
                series[place].points.push(Point { x: self.numbers[value], y: mean, error: estimate.standard_error });
            }
        }
        series.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
        Chart {
            title: format!("{}: {spoken} by {}", title(scene), key.key),
            subtitle: subtitle(name, axes.seed_count(), average_from, rows),
            x_label: with_unit(&key.key, unit),
            y_label: with_unit(&spoken, &unit_of(name, dimensions)),
            legend: others.iter().map(|&i| axes.swept[i].key.as_str()).collect::<Vec<_>>().join(", "),
            series,
        }
    }
}

fn subtitle(column: &str, seeds: usize, average_from: u64, rows: &[Row]) -> String {
    let steps = match rows {
        [first, rest @ ..] if rest.iter().all(|row| row.steps == first.steps) => first.steps.to_string(),
        _ => "the last".to_string(),
    };
    // What events tell is of the whole run.
    let first = if EventReport::COLUMNS.contains(&column) { 1 } else { average_from + 1 };
    let means = format!("means over steps {first} to {steps}");
    if seeds > 1 { format!("{means} and {seeds} seeds; bars: \u{b1}1 standard error") } else { format!("{means}, one seed") }
}
