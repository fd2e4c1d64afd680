//! `--diagram`: the fundamental diagram, speed by density in an area.

use std::io::Write;

use wingbeat_record::exact_f64;
use wingbeat_render::plot::{Chart, Point, Series};

use super::args::MeasureArgs;
use super::region::AREA;
use crate::failure::Failure;
use crate::labels::{title, with_unit};
use crate::observations::{Observations, known};
use crate::output::Output;
use crate::report::grouped;
use crate::units::Units;

/// Points of Weidmann's curve.
const CURVE: u32 = 120;
/// Where it reaches 0, per m².
const JAM: f64 = 5.4;

/// What is to be written: rows, or a picture.
pub fn content(
    args: &MeasureArgs,
    output: &Output,
    observations: &Observations,
    units: &Units,
) -> Result<Vec<u8>, Failure> {
    let refused = |error: &dyn std::fmt::Display| {
        Failure::BadInput(format!("--diagram {}: {error}", output.path().display()))
    };
    match output.extension().as_str() {
        "csv" => {
            let mut bytes = Vec::new();
            rows(args.voronoi.is_some(), observations, &mut bytes)
                .map_err(|error| refused(&error))?;
            Ok(bytes)
        }
        "png" => chart(args, observations, units).png().map_err(|error| refused(&error)),
        _ => chart(args, observations, units)
            .svg()
            .map(String::into_bytes)
            .map_err(|error| refused(&error)),
    }
}

/// Densities and speeds in the area, one way, if they were asked for.
fn pair<'a>(observations: &'a Observations, names: [&str; 2]) -> Option<[&'a [f64]; 2]> {
    Some([observations.column(names[0])?, observations.column(names[1])?])
}

/// A row for each frame; a cell is empty where no individual's speed is known.
fn rows(has_cells: bool, observations: &Observations, out: &mut Vec<u8>) -> std::io::Result<()> {
    let kinds = 1 + usize::from(has_cells);
    writeln!(
        out,
        "frame,time,density,speed{}",
        if has_cells { ",voronoi_density,voronoi_speed" } else { "" }
    )?;
    let cell = |value: Option<f64>| value.map_or_else(String::new, exact_f64);
    for (i, (number, time)) in observations.moments().enumerate() {
        write!(out, "{number},{time}")?;
        for [densities, speeds] in
            AREA.into_iter().take(kinds).filter_map(|names| pair(observations, names))
        {
            write!(out, ",{},{}", cell(known(densities[i])), cell(known(speeds[i])))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn chart(args: &MeasureArgs, observations: &Observations, units: &Units) -> Chart {
    let mut series = Vec::new();
    for (label, names) in ["heads", "Voronoi cells"].into_iter().zip(AREA) {
        let Some([densities, speeds]) = pair(observations, names) else { continue };
        let pairs = densities.iter().zip(speeds);
        let points: Vec<Point> =
            pairs.filter_map(|(d, v)| Some(Point::new(known(*d)?, known(*v)?))).collect();
        if !points.is_empty() {
            series.push(Series {
                label: label.into(),
                points,
                scattered: true,
                ..Series::default()
            });
        }
    }
    if !series.is_empty() {
        let densities = (1..=CURVE).map(|i| f64::from(i) / f64::from(CURVE) * JAM);
        let points = densities.map(|density| Point::new(density, weidmann(density))).collect();
        series.push(Series { label: "Weidmann (m, s)".into(), points, ..Series::default() });
    }
    Chart {
        title: format!("{}: speed by density", title(&args.file)),
        subtitle: format!(
            "{} frames, area {}{}",
            grouped(observations.len() as u64),
            args.area.as_ref().map_or("", |area| &area.text),
            units.after("length")
        ),
        x_label: with_unit("density", &units.spell("1/length\u{b2}")),
        y_label: with_unit("mean speed", &units.spell("length/time")),
        legend: String::new(),
        series,
    }
}

/// Speed of pedestrians at a density, m/s and 1/m²: Weidmann 1993, Transporttechnik der Fussgänger.
fn weidmann(density: f64) -> f64 {
    1.34 * (1.0 - libm::exp(-1.913 * (1.0 / density - 1.0 / JAM)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_is_weidmanns() {
        // His table: free walk 1.34 m/s, 1.06 at 1 per m², standstill at 5.4.
        let near = |density: f64, speed: f64| {
            assert!((weidmann(density) - speed).abs() < 0.005, "{}", weidmann(density))
        };
        near(0.01, 1.34);
        near(1.0, 1.06);
        near(2.0, 0.61);
        near(5.0, 0.04);
        near(JAM, 0.0);
    }
}
