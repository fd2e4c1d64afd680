//! `--plot`: columns by a swept key with error bars, one column by two keys as colours, or how runs
//! differ that have nothing but seeds of their own.

use std::path::Path;

use wingbeat_render::plot::{Chart, HeatGrid, MOST_PANELS, MOST_SERIES, Panels, Point, Series};
use wingbeat_scene::known_key;

use super::args::{PlotForm, SweepArgs};
use super::axes::Axes;
use super::axis::Axis;
use super::distribution;
use super::table::{SweepRow, TableColumn};
use crate::columns::Columns;
use crate::events::EventReport;
use crate::failure::Failure;
use crate::files::Files;
use crate::labels::{spelled, title, unit_of, with_unit};
use crate::output::Output;
use crate::terminal;
use crate::units::Units;
use crate::values::{OneOf, given};

/// Two axes of at least so many values are drawn as a map, unless told otherwise.
const LEAST_OF_MAP: usize = 5;

/// What is drawn, decided before the first run.
#[derive(Debug)]
pub struct Picture {
    output: Output,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Lines {
        /// Which of the swept keys is the horizontal axis, with its values.
        x: (usize, Vec<f64>),
        /// Which of the columns are drawn, by panels.
        panels: Vec<Vec<TableColumn>>,
    },
    Map {
        /// The two keys, the horizontal one first, with their values.
        axes: [(usize, Vec<f64>); 2],
        column: TableColumn,
    },
    /// Seeds alone are swept.
    Distribution(Vec<TableColumn>),
}

impl Form {
    /// What the swept keys and the columns allow.
    fn of(
        args: &SweepArgs,
        path: &str,
        axes: &Axes,
        chosen: &[TableColumn],
    ) -> Result<Self, Failure> {
        if axes.swept.is_empty() && axes.seed_count() > 1 {
            return Ok(Self::Distribution(distribution::shared(args, chosen)?));
        }
        let numbers: Vec<(usize, Vec<f64>)> = axes
            .swept
            .iter()
            .enumerate()
            .filter_map(|(i, axis)| Some((i, axis.numbers()?)))
            .collect();
        let two = match &numbers[..] {
            [a, b] if axes.swept.len() == 2 => Some([a.clone(), b.clone()]),
            _ => None,
        };
        let is_map = match given(&args.plot_as) {
            Some(OneOf(form)) => form == PlotForm::Map,
            None => {
                let long = |axes: &[(usize, Vec<f64>); 2]| {
                    axes.iter().all(|(_, values)| values.len() >= LEAST_OF_MAP)
                };
                two.as_ref().is_some_and(long) && (args.y.is_none() || chosen.len() == 1)
            }
        };
        if is_map {
            let axes = two.ok_or_else(|| {
                Failure::value(
                    "--plot-as",
                    "map",
                    "lines: a map takes two keys swept over numbers, and no other but the seed",
                )
            })?;
            if args.y.is_some() && chosen.len() > 1 {
                return Err(Failure::value(
                    "--y",
                    args.y.as_deref().unwrap_or(""),
                    "one column, for a map",
                ));
            }
            Ok(Self::Map { axes, column: chosen[0].clone() })
        } else {
            let x = numbers.into_iter().next().ok_or_else(|| {
                let allowed = "nothing here: no key but seed is swept over numbers, so there is no \
                    horizontal axis (two seeds or more, and no other key, show how runs differ)";
                Failure::value("--plot", path, allowed)
            })?;
            // Axes of the same values may be far from each other where combinations are left out.
            let lines =
                axes.swept.iter().map(|axis| axis.values.len()).product::<usize>() / x.1.len();
            if lines > MOST_SERIES {
                let allowed = format!(
                    "at most {MOST_SERIES} lines, one for each combination of the other \
                        swept keys ({lines} here)"
                );
                return Err(Failure::value("--plot", path, &allowed));
            }
            Ok(Self::Lines { x, panels: panels(chosen, lines, args)? })
        }
    }
}

impl Picture {
    /// What is asked for, refused if it cannot be drawn.
    pub fn plan(
        args: &SweepArgs,
        columns: &Columns,
        axes: &Axes,
        files: &mut Files,
    ) -> Result<Option<Self>, Failure> {
        let chosen = chosen(args, columns)?;
        let Some(path) = &args.plot else {
            let form = args.plot_as.as_ref().map(|form| &form.text);
            let idle = [("--y", args.y.as_ref()), ("--plot-as", form)]
                .into_iter()
                .find_map(|(flag, text)| Some((flag, text?)));
            return idle.map_or(Ok(None), |(flag, text)| {
                Err(Failure::value(flag, text, "nothing without --plot"))
            });
        };
        let form = Form::of(args, path, axes, &chosen)?;
        let output = files.write("--plot", path, &["svg", "png"])?;
        Ok(Some(Self { output, form }))
    }

    pub fn path(&self) -> &Path {
        self.output.path()
    }

    /// Draws the rows and writes the file.
    pub fn write(
        &self,
        scene: &str,
        units: &Units,
        axes: &Axes,
        average_from: u64,
        rows: &[SweepRow],
    ) -> Result<(), Failure> {
        let is_png = self.output.extension() == "png";
        let drawn = match &self.form {
            Form::Lines { x, panels } => {
                let drawn = |columns: &Vec<TableColumn>| {
                    (columns.clone(), chart(x, columns, units, axes, rows))
                };
                let (full, empty): (Vec<_>, Vec<_>) =
                    panels.iter().map(drawn).partition(|(_, chart)| has_points(chart));
                let left_out: Vec<_> = empty.iter().flat_map(|(columns, _)| columns).collect();
                self.leave_out(&left_out, full.is_empty())?;
                let (panels, mut charts): (Vec<_>, Vec<_>) = full.into_iter().unzip();
                if let Some(last) = charts.last_mut() {
                    last.x_label = label(&axes.swept[x.0], units);
                }
                let panels = headed(charts, scene, x.0, &panels, axes, average_from, rows);
                if is_png { panels.png() } else { panels.svg().map(String::into_bytes) }
            }
            Form::Map { axes: two, column } => {
                let grid = map(two, column, scene, units, axes, average_from, rows);
                if is_png { grid.png() } else { grid.svg().map(String::into_bytes) }
            }
            Form::Distribution(columns) => {
                let (full, empty): (Vec<&TableColumn>, Vec<_>) =
                    columns.iter().partition(|(i, _)| !rows[0].samples[*i].is_empty());
                self.leave_out(&empty, full.is_empty())?;
                let panels = distribution::panels(&full, scene, units, average_from, &rows[0]);
                if is_png { panels.png() } else { panels.svg().map(String::into_bytes) }
            }
        };
        let bytes = drawn.map_err(|error| {
            Failure::Other(format!("--plot {}: {error}", self.path().display()))
        })?;
        self.output.write(|out| out.write_all(&bytes))
    }

    /// Says which columns have no number in any run, and fails where that holds for all.
    fn leave_out(&self, empty: &[&TableColumn], is_all: bool) -> Result<(), Failure> {
        if is_all {
            let why = "no run has a number in a column to draw: the table is written, --y names \
                other columns";
            return Err(Failure::Other(format!("--plot {}: {why}", self.path().display())));
        }
        let names: Vec<&str> = empty.iter().map(|(_, name)| name.as_str()).collect();
        if !names.is_empty() {
            let names = names.join(", ");
            terminal::note(&format!("--plot: no run has a number in {names}: left out"));
        }
        Ok(())
    }
}

/// The columns to draw: those of `--y`, else those of `--columns` if they are few, else the first.
fn chosen(args: &SweepArgs, columns: &Columns) -> Result<Vec<TableColumn>, Failure> {
    let names = columns.names();
    let Some(text) = &args.y else {
        let few =
            if args.columns.is_some() && names.len() <= MOST_PANELS { names.len() } else { 1 };
        return Ok(names.iter().cloned().enumerate().take(few).collect());
    };
    let mut chosen: Vec<TableColumn> = Vec::new();
    for name in text.split(',').map(str::trim) {
        let place = names
            .iter()
            .position(|known| *known == name)
            .filter(|place| chosen.iter().all(|(other, _)| other != place));
        let place = place.ok_or_else(|| {
            Failure::value("--y", name, &format!("{}, each once", names.join(", ")))
        })?;
        chosen.push((place, names[place].clone()));
    }
    Ok(chosen)
}

/// Columns of one unit share a panel, as long as their lines can be told apart.
fn panels(
    chosen: &[TableColumn],
    lines: usize,
    args: &SweepArgs,
) -> Result<Vec<Vec<TableColumn>>, Failure> {
    let mut panels: Vec<Vec<TableColumn>> = Vec::new();
    for column in chosen {
        let shares = |panel: &&mut Vec<TableColumn>| {
            (panel.len() + 1) * lines <= MOST_SERIES
                && unit_of(&panel[0].1, 2) == unit_of(&column.1, 2)
        };
        match panels.iter_mut().find(shares) {
            Some(panel) => panel.push(column.clone()),
            None => panels.push(vec![column.clone()]),
        }
    }
    if panels.len() > MOST_PANELS {
        return Err(Failure::value(
            "--y",
            args.y.as_deref().unwrap_or(""),
            &format!("at most {MOST_PANELS} columns with lines so many"),
        ));
    }
    Ok(panels)
}

/// Whether there is anything to draw.
fn has_points(chart: &Chart) -> bool {
    let mut points = chart.series.iter().flat_map(|series| &series.points);
    points.any(|point| point.x.is_finite() && point.y.is_finite())
}

/// The lines of some columns over one key.
fn chart(
    (x, numbers): &(usize, Vec<f64>),
    columns: &[TableColumn],
    units: &Units,
    axes: &Axes,
    rows: &[SweepRow],
) -> Chart {
    let others: Vec<usize> = (0..axes.swept.len()).filter(|i| i != x).collect();
    let mut series: Vec<Series> = Vec::new();
    for (column, name) in columns {
        for row in rows {
            let spoken = (columns.len() > 1).then(|| name.replace('_', " "));
            let names = spoken.into_iter().chain(others.iter().map(|&i| row.values[i].clone()));
            let label = names.collect::<Vec<_>>().join(", ");
            let place = series.iter().position(|line| line.label == label).unwrap_or_else(|| {
                series.push(Series { label, ..Series::default() });
                series.len() - 1
            });
            let value = axes.swept[*x].values.iter().position(|value| *value == row.values[*x]);
            let estimate = row.estimates[*column];
            if let (Some(value), Some(mean)) = (value, estimate.mean) {
                series[place].points.push(Point {
                    x: numbers[value],
                    y: mean,
                    error: estimate.standard_error,
                });
            }
        }
    }
    series.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
    let unit = spelled(units, &columns[0].1);
    Chart {
        y_label: if let [(_, only)] = columns {
            with_unit(&only.replace('_', " "), &unit)
        } else {
            unit
        },
        legend: others.iter().map(|&i| axes.swept[i].key.as_str()).collect::<Vec<_>>().join(", "),
        series,
        ..Chart::default()
    }
}

/// The same with what is written above and below all.
fn headed(
    mut charts: Vec<Chart>,
    scene: &str,
    x: usize,
    panels: &[Vec<TableColumn>],
    axes: &Axes,
    average_from: u64,
    rows: &[SweepRow],
) -> Panels {
    let columns: Vec<&str> = panels.iter().flatten().map(|(_, name)| name.as_str()).collect();
    let key = &axes.swept[x];
    charts[0].title =
        format!("{}: {} by {}", title(scene), columns.join(", ").replace('_', " "), key.key);
    charts[0].subtitle =
        subtitle(&columns, axes.seed_count(), average_from, rows, "; bars: \u{b1}1 standard error");
    Panels(charts)
}

/// One column over two keys.
fn map(
    two: &[(usize, Vec<f64>); 2],
    (column, name): &TableColumn,
    scene: &str,
    units: &Units,
    axes: &Axes,
    average_from: u64,
    rows: &[SweepRow],
) -> HeatGrid {
    // Values may have been given in any order.
    let sorted = |a: usize| {
        let mut values = two[a].1.clone();
        values.sort_by(f64::total_cmp);
        values
    };
    let [xs, ys] = [sorted(0), sorted(1)];
    let mut values = vec![None; xs.len() * ys.len()];
    for row in rows {
        let place = |a: usize, sorted: &[f64]| {
            let (key, numbers) = &two[a];
            let value = axes.swept[*key].values.iter().position(|value| *value == row.values[*key]);
            value.and_then(|value| sorted.iter().position(|&x| x == numbers[value]))
        };
        if let (Some(x), Some(y)) = (place(0, &xs), place(1, &ys)) {
            values[y * xs.len() + x] = row.estimates[*column].mean;
        }
    }
    let [x, y] = [&two[0], &two[1]].map(|(key, _)| &axes.swept[*key]);
    let spoken = name.replace('_', " ");
    HeatGrid {
        title: format!("{}: {spoken} by {} and {}", title(scene), x.key, y.key),
        subtitle: subtitle(&[name], axes.seed_count(), average_from, rows, ""),
        x_label: label(x, units),
        y_label: label(y, units),
        value_label: with_unit(&spoken, &spelled(units, name)),
        x_edges: HeatGrid::edges_around(&xs),
        y_edges: HeatGrid::edges_around(&ys),
        scale: HeatGrid::scale_of(&values),
        values,
        ..HeatGrid::default()
    }
}

/// A key with its unit.
fn label(axis: &Axis, units: &Units) -> String {
    let unit = known_key(&axis.key).map_or("", |known| known.unit);
    let spelled = units.spell(unit);
    // A pure number has none worth writing.
    with_unit(&axis.key, if unit == "1" { "" } else { &spelled })
}

/// What the numbers are means of; `errors` says how their errors are drawn.
fn subtitle(
    columns: &[&str],
    seeds: usize,
    average_from: u64,
    rows: &[SweepRow],
    errors: &str,
) -> String {
    let steps = match rows {
        [first, rest @ ..] if rest.iter().all(|row| row.steps == first.steps) => {
            first.steps.to_string()
        }
        _ => "the last".to_string(),
    };
    // What events tell is of the whole run.
    let first = if columns.iter().all(|column| EventReport::is_column(column)) {
        1
    } else {
        average_from + 1
    };
    let means = format!("means over steps {first} to {steps}");
    if seeds > 1 {
        format!("{means} and {seeds} seeds{errors}")
    } else {
        format!("{means}, one seed")
    }
}
