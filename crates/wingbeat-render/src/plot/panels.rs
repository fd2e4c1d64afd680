//! Charts one below another.

use plotters::drawing::IntoDrawingArea;

use super::chart::{Chart, MOST_SERIES, Point, SCALE, SIZE};
use super::{PlotError, draw, pixels, refused, scalable};

/// Most charts in one picture.
pub const MOST_PANELS: usize = 8;

/// Height of one of several charts, in CSS pixels.
const PANEL_HEIGHT: u32 = 380;

impl Chart {
    /// The chart as an SVG file's text.
    ///
    /// # Errors
    /// When there are more lines than [`MOST_SERIES`], or no finite point at all.
    pub fn svg(&self) -> Result<String, PlotError> {
        Panels(vec![self.clone()]).svg()
    }

    /// The chart as a PNG file's bytes.
    ///
    /// # Errors
    /// As [`svg`](Self::svg).
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        Panels(vec![self.clone()]).png()
    }

    /// A copy of what can be drawn.
    fn checked(&self) -> Result<Self, PlotError> {
        let lines = self.series.len();
        if lines > MOST_SERIES {
            return Err(PlotError(format!(
                "{lines} lines in one chart: allowed is at most {MOST_SERIES}"
            )));
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

/// Charts one below another, for quantities with units of their own over the same horizontal axis:
/// that has the same ends in all of them. The title and the subtitle are the first chart's; what
/// the horizontal axis counts is written below the last. At most [`MOST_PANELS`].
///
/// ```
/// use wingbeat_render::plot::{Chart, Panels, Point, Series};
/// let of = |y_label: &str, y| {
///     let points = (0..4).map(|x| Point::new(f64::from(x), y * f64::from(x))).collect();
///     Chart {
///         y_label: y_label.into(),
///         series: vec![Series { points, ..Series::default() }],
///         ..Chart::default()
///     }
/// };
/// assert!(
///     Panels(vec![of("speed (length/time)", 0.1), of("boids", 100.0)]).svg()?.starts_with("<svg")
/// );
/// # Ok::<(), wingbeat_render::plot::PlotError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panels(
    /// The charts, the uppermost first.
    pub Vec<Chart>,
);

impl Panels {
    /// The charts as an SVG file's text.
    ///
    /// # Errors
    /// When there is none or more than [`MOST_PANELS`], or one has more lines than [`MOST_SERIES`]
    /// or no finite point.
    pub fn svg(&self) -> Result<String, PlotError> {
        let charts = self.checked()?;
        scalable(size(&charts), |root| draw::draw(root, &charts))
    }

    /// The charts as a PNG file's bytes.
    ///
    /// # Errors
    /// As [`svg`](Self::svg).
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let charts = self.checked()?;
        let (width, height) = size(&charts);
        let mut pixels = pixels::Pixels::new(width, height).map_err(refused)?;
        {
            let root = (&mut pixels).into_drawing_area();
            draw::draw(&root, &charts).map_err(refused)?;
        }
        pixels.png().map_err(refused)
    }

    fn checked(&self) -> Result<Vec<Chart>, PlotError> {
        let charts = self.0.len();
        if charts == 0 || charts > MOST_PANELS {
            return Err(PlotError(format!(
                "{charts} charts in one picture: allowed is 1 to {MOST_PANELS}"
            )));
        }
        self.0.iter().map(Chart::checked).collect()
    }
}

/// Width and height in the canvas's pixels.
fn size(charts: &[Chart]) -> (u32, u32) {
    let height = if charts.len() == 1 {
        SIZE.1 * SCALE
    } else {
        draw::headed_height(&charts[0].subtitle) + charts.len() as u32 * PANEL_HEIGHT * SCALE
    };
    (SIZE.0 * SCALE, height)
}
