//! What a chart shows.

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
    /// Its points in the order the line takes. Those that are not finite are left out, and the line
    /// goes on without them.
    pub points: Vec<Point>,
    /// Draws small pale points without a line between them: a cloud. Default false.
    pub scattered: bool,
    /// Draws the line alone, without a mark at each point: for curves whose points are corners or
    /// samples. Default false; a line of more than 60 points has no marks either way.
    pub unmarked: bool,
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

    pub(super) fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.error.is_none_or(f64::is_finite)
    }
}
