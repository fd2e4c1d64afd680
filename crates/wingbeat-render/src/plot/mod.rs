//! Line charts: one or more lines or clouds of points over one axis, with error bars, units on the axes and a legend, as SVG or PNG;
//! and maps: a quantity over the plane as colours, as PNG.
//!
//! ```
//! use wingbeat_render::plot::{Chart, Point, Series};
//! let points = vec![Point::with_error(0.0, 0.97, 0.01), Point::with_error(2.5, 0.61, 0.03), Point::new(5.0, 0.08)];
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
//! plotters lays out and draws. It knows how to write SVG; [PNG](Chart::png) is drawn by tiny-skia with smooth edges, and its
//! text with the outlines of DejaVu Sans, which the program carries with it: nothing has to be installed. An SVG names common
//! fonts, of which the program that shows it takes the first it has.
mod axis;
mod chart;
mod draw;
mod map;
mod pixels;

use plotters::drawing::IntoDrawingArea;
use plotters::prelude::SVGBackend;

pub use chart::{Chart, MOST_SERIES, Point, SCALE, SIZE, Series};
pub use map::HeatMap;

/// Why there is no picture, in one line.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotError(String);

impl std::fmt::Display for PlotError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlotError {}

impl Chart {
    /// The chart as an SVG file's text.
    ///
    /// # Errors
    /// When there are more lines than [`MOST_SERIES`], or no finite point at all.
    pub fn svg(&self) -> Result<String, PlotError> {
        let chart = self.checked()?;
        let (width, height) = (SIZE.0 * SCALE, SIZE.1 * SCALE);
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            draw::draw(&root, &chart).map_err(refused)?;
        }
        // The view box keeps the fine pixels, the picture has the usual size.
        let fine = format!("width=\"{width}\" height=\"{height}\"");
        Ok(svg.replacen(&fine, &format!("width=\"{}\" height=\"{}\"", SIZE.0, SIZE.1), 1))
    }

    /// The chart as a PNG file's bytes.
    ///
    /// # Errors
    /// As [`svg`](Self::svg).
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let chart = self.checked()?;
        let mut pixels = pixels::Pixels::new(SIZE.0 * SCALE, SIZE.1 * SCALE).map_err(refused)?;
        {
            let root = (&mut pixels).into_drawing_area();
            draw::draw(&root, &chart).map_err(refused)?;
        }
        pixels.png().map_err(refused)
    }

    /// A copy of what can be drawn.
    fn checked(&self) -> Result<Self, PlotError> {
        let lines = self.series.len();
        if lines > MOST_SERIES {
            return Err(PlotError(format!("{lines} lines in one chart: allowed is at most {MOST_SERIES}")));
        }
        let mut chart = self.clone();
        chart.series.iter_mut().for_each(|series| series.points.retain(Point::is_finite));
        if chart.series.iter().all(|series| series.points.is_empty()) {
            return Err(PlotError("nothing to draw: no point has a number on both axes".into()));
        }
        let Self { title, subtitle, x_label, y_label, legend, series } = &mut chart;
        let labels = series.iter_mut().map(|series| &mut series.label);
        for text in [title, subtitle, x_label, y_label, legend].into_iter().chain(labels) {
            // XML has no way to write most control characters.
            text.retain(|c| !c.is_control());
        }
        Ok(chart)
    }
}

fn refused(error: impl std::fmt::Display) -> PlotError {
    PlotError(format!("the chart cannot be drawn: {error}"))
}
