//! `--curve`: what is found over many moments, as a table or a picture.

use clap::Args;
use wingbeat_measure::{Curve, CurveSettings, CurveTable, Curves};
use wingbeat_record::exact_f64;
use wingbeat_render::plot::{Chart, HeatGrid, Point, Series};

use crate::failure::Failure;
use crate::files::Files;
use crate::labels::{title, with_unit};
use crate::output::Output;
use crate::report::grouped;
use crate::values::{Given, OptionValue, Refused, Whole, given};

#[derive(Args, Debug, Default, PartialEq)]
pub struct CurveArgs {
    /// Write what is found over all measured moments, as a table or a picture: pair_correlation,
    /// mean_squared_displacement, velocity_autocorrelation, speed, turning_rate, neighbor_map,
    /// delays (docs/MEASURES.md); may be repeated
    #[arg(long, value_name = "NAME=FILE.csv|.svg|.png")]
    pub curve: Vec<Given<CurveFile>>,
    /// Lags of curves over time, 1 to 10000: as many times the distance of measured moments
    /// [default: 50]
    #[arg(long, value_name = "N", requires = "curve")]
    pub lags: Option<Given<Whole<1, 10_000>>>,
    /// How far pairs are looked at by pair_correlation and neighbor_map [default: eight mean
    /// distances, at most half the box]
    #[arg(long, value_name = "R", requires = "curve")]
    pub reach: Option<Given<f64>>,
}

/// Where curves go.
#[derive(Debug, Default)]
pub struct CurveOutputs(Vec<(Curve, Output)>);

impl CurveArgs {
    /// Which curves go where; refuses what cannot be written.
    pub fn outputs(&self, files: &mut Files) -> Result<CurveOutputs, Failure> {
        let one = |to: &Given<CurveFile>| {
            let formats: &[&str] =
                if to.curve == Curve::Delays { &["csv"] } else { &["csv", "svg", "png"] };
            Ok((to.curve, files.write("--curve", &to.path, formats)?))
        };
        self.curve.iter().map(one).collect::<Result<_, _>>().map(CurveOutputs)
    }

    /// The curves that are asked for, of moments so many numbers apart, each number so much time.
    pub fn begin(
        &self,
        outputs: &CurveOutputs,
        interval: f64,
        stride: u64,
    ) -> Result<Curves, Failure> {
        let mut settings =
            CurveSettings { stride, reach: given(&self.reach), ..CurveSettings::new(interval) };
        if let Some(Whole(lags)) = given(&self.lags) {
            settings.lags = lags as usize;
        }
        let wanted: Vec<Curve> = outputs.0.iter().map(|(curve, _)| *curve).collect();
        Curves::new(&wanted, settings).map_err(|refusal| {
            Failure::value(&format!("--{}", refusal.field), &refusal.value, &refusal.allowed)
        })
    }
}

/// `NAME=FILE`: a curve, and where it goes.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveFile {
    curve: Curve,
    path: String,
}

impl OptionValue for CurveFile {
    fn read(text: &str) -> Result<Self, Refused> {
        let (name, path) = text.split_once('=').ok_or("NAME=FILE")?;
        let names = || Curve::ALL.iter().map(|curve| curve.name()).collect::<Vec<_>>().join(", ");
        let curve = name.trim().parse().map_err(|_| Refused::part(name.trim(), names()))?;
        Ok(Self { curve, path: path.to_string() })
    }
}

impl CurveOutputs {
    /// All files, drawn and in writing; `unit` tells what the units of a table are called here.
    /// Nothing is written before all can be.
    pub fn write(
        &self,
        of: &str,
        curves: &Curves,
        unit: &dyn Fn(&str) -> String,
    ) -> Result<(), Failure> {
        let content = |(curve, output): &(Curve, Output)| {
            let table = curves.table(*curve).unwrap_or_default();
            let refused = |error: &dyn std::fmt::Display| {
                Failure::BadInput(format!("--curve {}: {error}", output.path().display()))
            };
            let is_png = output.extension() == "png";
            if output.extension() == "csv" {
                return Ok(rows(&table).into_bytes());
            }
            let subtitle = format!("{} moments", grouped(curves.moments()));
            let drawn = if table.axes == 1 {
                let chart = chart(of, &table, subtitle, unit);
                if is_png { chart.png() } else { chart.svg().map(String::into_bytes) }
            } else {
                let map = map(of, &table, subtitle, unit);
                if is_png { map.png() } else { map.svg().map(String::into_bytes) }
            };
            drawn.map_err(|error| refused(&error))
        };
        let contents = self.0.iter().map(content).collect::<Result<Vec<Vec<u8>>, Failure>>()?;
        let mut files = self.0.iter().zip(contents);
        files.try_for_each(|((_, output), bytes)| output.write(|out| out.write_all(&bytes)))
    }
}

/// A row for each of the table's, with the digits that bring an f64 back.
fn rows(table: &CurveTable) -> String {
    let heads: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    let mut text = heads.join(",") + "\n";
    for row in 0..table.columns.first().map_or(0, |column| column.values.len()) {
        let cells: Vec<String> =
            table.columns.iter().map(|column| exact_f64(column.values[row])).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

fn label(table: &CurveTable, column: usize, unit: &dyn Fn(&str) -> String) -> String {
    let column = &table.columns[column];
    with_unit(&column.name.replace('_', " "), &unit(column.unit))
}

fn heading(of: &str, table: &CurveTable) -> String {
    format!("{}: {}", title(of), table.name.replace('_', " "))
}

fn chart(of: &str, table: &CurveTable, subtitle: String, unit: &dyn Fn(&str) -> String) -> Chart {
    let [x, y, ..] = &table.columns[..] else { return Chart::default() };
    let points = x.values.iter().zip(&y.values).map(|(&x, &y)| Point::new(x, y)).collect();
    Chart {
        title: heading(of, table),
        subtitle,
        x_label: label(table, 0, unit),
        y_label: label(table, 1, unit),
        series: vec![Series { points, ..Series::default() }],
        ..Chart::default()
    }
}

/// A table of two axes, whose rows run along the second first.
fn map(of: &str, table: &CurveTable, subtitle: String, unit: &dyn Fn(&str) -> String) -> HeatGrid {
    let [x, y, value, ..] = &table.columns[..] else { return HeatGrid::default() };
    let across = x.values.iter().take_while(|&&first| x.values.first() == Some(&first)).count();
    let xs: Vec<f64> = x.values.iter().step_by(across.max(1)).copied().collect();
    let ys = &y.values[..across];
    let values: Vec<Option<f64>> = (0..across)
        .flat_map(|row| (0..xs.len()).map(move |column| Some(value.values[column * across + row])))
        .collect();
    HeatGrid {
        title: heading(of, table),
        subtitle,
        x_label: label(table, 0, unit),
        y_label: label(table, 1, unit),
        value_label: label(table, 2, unit),
        x_edges: HeatGrid::edges_around(&xs),
        y_edges: HeatGrid::edges_around(ys),
        scale: HeatGrid::scale_of(&values),
        values,
        equal_axes: true,
        ..HeatGrid::default()
    }
}
