//! Line charts: one or more lines or clouds of points over one axis, with error bars, units on the
//! axes and a legend, as SVG or PNG; several such charts one below another over the same axis
//! ([`Panels`]); and maps: a quantity over two axes as colours ([`HeatGrid`]), or over the plane
//! ([`HeatMap`]), with a floor plan where there is one ([`FloorPlan`]).
//!
//! ```
//! use wingbeat_render::plot::{Chart, Point, Series};
//! let points = vec![
//!     Point::with_error(0.0, 0.97, 0.01),
//!     Point::with_error(2.5, 0.61, 0.03),
//!     Point::new(5.0, 0.08),
//! ];
//! let chart = Chart {
//!     title: "order and noise".into(),
//!     x_label: "noise (radians)".into(),
//!     y_label: "polarization".into(),
//!     series: vec![Series { points, ..Series::default() }],
//!     ..Chart::default()
//! };
//! assert!(chart.svg()?.starts_with("<svg"));
//! assert_eq!(chart.png()?[1..4], *b"PNG");
//! # Ok::<(), wingbeat_render::plot::PlotError>(())
//! ```
//!
//! plotters lays out and draws. It knows how to write SVG; [PNG](Chart::png) is drawn by tiny-skia
//! with smooth edges, and its text with the outlines of DejaVu Sans, which the program carries with
//! it: nothing has to be installed. An SVG names common fonts, of which the program that shows it
//! takes the first it has.
mod axis;
mod chart;
mod clip;
mod draw;
mod grid;
mod map;
mod panels;
mod plan;
mod pixels;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::prelude::SVGBackend;

pub use chart::{Chart, MOST_SERIES, Point, SCALE, SIZE, Series};
pub use grid::HeatGrid;
pub use map::HeatMap;
pub use panels::{MOST_PANELS, Panels};
pub use plan::{FloorPlan, PlanExit};

/// Why there is no picture, in one line.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotError(String);

impl std::fmt::Display for PlotError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlotError {}

/// An SVG file's text, drawn on a canvas of so many fine pixels.
fn scalable(
    (width, height): (u32, u32),
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> draw::Drawn,
) -> Result<String, PlotError> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        draw(&root).map_err(refused)?;
    }
    // The view box keeps the fine pixels, the picture has the usual size.
    let fine = format!("width=\"{width}\" height=\"{height}\"");
    Ok(svg.replacen(
        &fine,
        &format!("width=\"{}\" height=\"{}\"", width / SCALE, height / SCALE),
        1,
    ))
}

fn refused(error: impl std::fmt::Display) -> PlotError {
    PlotError(format!("the chart cannot be drawn: {error}"))
}
