//! Line charts: one or more lines over one axis, with error bars, units on the axes and a legend, as SVG or PNG.
//!
//! ```
//! use wingbeat_render::plot::{Chart, Point, Series};
//! let points = vec![Point::with_error(0.0, 0.97, 0.01), Point::with_error(2.5, 0.61, 0.03), Point::new(5.0, 0.08)];
//! let chart = Chart {
//!     title: "order and noise".into(),
//!     x_label: "noise (radians)".into(),
//!     y_label: "polarization".into(),
//!     series: vec![Series { label: String::new(), points }],
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
mod draw;
mod pixels;

use plotters::drawing::IntoDrawingArea;
use plotters::prelude::SVGBackend;

/// Width and height of a chart in CSS pixels; a PNG has [`SCALE`] squared as many.
pub const SIZE: (u32, u32) = (960, 600);

/// Device pixels to a CSS pixel. plotters places by whole pixels, so it is given the finer ones.
pub const SCALE: u32 = 2;

/// Lines that can be told apart, and named in a legend that fits.
pub const MOST_SERIES: usize = 14;

/// A line chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What it shows, above it.
    pub title: String,
    /// A second line in small type: settings, source. May be empty.
    pub subtitle: String,
    /// What the horizontal axis counts, with its unit.
    pub x_label: String,
    /// What the vertical axis counts, with its unit.
    pub y_label: String,
    /// Heads the legend: what the lines differ in. May be empty.
    pub legend: String,
    /// The lines; at most [`MOST_SERIES`].
    pub series: Vec<Series>,
}

/// One line of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend. There is no legend if no line has a name.
    pub label: String,
    /// Its points in the order the line takes. Those that are not finite are left out, and the line goes on without them.
    pub points: Vec<Point>,
}

/// One point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where on the horizontal axis.
    pub x: f64,
    /// Where on the vertical axis.
    pub y: f64,
    /// Half the length of its error bar; `None` draws none.
    pub error: Option<f64>,
}

impl Point {
    /// A point without an error bar.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, error: None }
    }

    /// A point with an error bar from `y - error` to `y + error`.
    pub fn with_error(x: f64, y: f64, error: f64) -> Self {
        Self { x, y, error: Some(error) }
    }

    fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.error.is_none_or(f64::is_finite)
    }
}

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
