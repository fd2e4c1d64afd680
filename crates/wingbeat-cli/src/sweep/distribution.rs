//! How runs differ that have nothing but seeds of their own, as a picture: the cumulative share of
//! runs, and below it a histogram.

use wingbeat_render::plot::{Chart, MOST_SERIES, Panels, Point, Series};

use super::args::SweepArgs;
use super::spread::{Bins, cumulative};
use super::table::{SweepRow, TableColumn};
use crate::events::EventReport;
use crate::failure::Failure;
use crate::labels::{spelled, title, unit_of, with_unit};
use crate::terminal;
use crate::units::Units;

/// The columns that are drawn: those of `--y`, which have to share a unit, else those that share
/// the first one's.
pub fn shared(args: &SweepArgs, chosen: &[TableColumn]) -> Result<Vec<TableColumn>, Failure> {
    if let Some(form) = &args.plot_as {
        let allowed = "nothing where the seed alone is swept: the plot shows how runs differ";
        return Err(Failure::value("--plot-as", &form.text, allowed));
    }
    // Two or three dimensions change the unit of one column, and that has no other like it.
    let unit = unit_of(&chosen[0].1, 2);
    let same = chosen.iter().filter(|(_, name)| unit_of(name, 2) == unit).cloned();
    let same: Vec<TableColumn> = same.collect();
    match &args.y {
        Some(text) if same.len() < chosen.len() || same.len() > MOST_SERIES => {
            let allowed = format!(
                "at most {MOST_SERIES} columns of one unit where the seed alone is swept, as they \
                share an axis"
            );
            Err(Failure::value("--y", text, &allowed))
        }
        _ => Ok(same),
    }
}

/// The two panels of these columns, each of which has a number in at least one run.
pub fn panels(
    columns: &[&TableColumn],
    scene: &str,
    units: &Units,
    average_from: u64,
    row: &SweepRow,
) -> Panels {
    let samples: Vec<&[f64]> = columns.iter().map(|(i, _)| row.samples[*i].as_slice()).collect();
    for ((_, name), sample) in columns.iter().zip(&samples) {
        let missing = row.seeds - sample.len();
        if missing > 0 {
            terminal::note(&format!(
                "--plot: {missing} of {} runs have no number in {name}: its share of runs ends \
                below 1",
                row.seeds
            ));
        }
    }
    let line = |name: &str, corners: Vec<(f64, f64)>| Series {
        label: name.replace('_', " "),
        points: corners.into_iter().map(|(x, y)| Point::new(x, y)).collect(),
        unmarked: true,
        ..Series::default()
    };
    // A single line needs no name, and the lower panel has the colors of the upper one.
    let named = |name: &'_ String| if columns.len() > 1 { name.clone() } else { String::new() };
    let shares = columns.iter().zip(&samples);
    let shares =
        shares.map(|((_, name), sample)| line(&named(name), cumulative(sample, row.seeds)));
    let bins = Bins::of(&samples);
    let heaps = bins
        .iter()
        .flat_map(|bins| samples.iter().map(|sample| line("", bins.outline(&bins.counts(sample)))));
    let names: Vec<String> = columns.iter().map(|(_, name)| name.replace('_', " ")).collect();
    let unit = spelled(units, &columns[0].1);
    let x_label = match &names[..] {
        [only] => with_unit(only, &unit),
        _ if unit_of(&columns[0].1, 2) == "time" => units.time_label(),
        _ => unit,
    };
    Panels(vec![
        Chart {
            title: format!("{}: {} of {} seeds", title(scene), names.join(", "), row.seeds),
            subtitle: subtitle(columns, average_from, row),
            y_label: "cumulative share of runs".into(),
            series: shares.collect(),
            ..Chart::default()
        },
        Chart { x_label, y_label: "runs".into(), series: heaps.collect(), ..Chart::default() },
    ])
}

/// What the numbers of a run are.
fn subtitle(columns: &[&TableColumn], average_from: u64, row: &SweepRow) -> String {
    // What events tell is of the whole run.
    if columns.iter().all(|(_, name)| EventReport::is_column(name)) {
        format!("{} runs of {} steps that differ in the seed alone", row.seeds, row.steps)
    } else {
        let first = average_from + 1;
        format!(
            "means over steps {first} to {} of {} runs that differ in the seed alone",
            row.steps, row.seeds
        )
    }
}
