//! A quantity over the plane: a grid of squares.

use super::{FloorPlan, HeatGrid, PlotError};

/// A quantity on a grid of squares; axes have the same scale. Squares at 0 stay white, or have a
/// pale tint where a [`FloorPlan`] says that they are walkable; the highest are darkest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// What it shows, above it.
    pub title: String,
    /// A second line in small type: settings, source. May be empty.
    pub subtitle: String,
    /// What the horizontal axis counts, with its unit.
    pub x_label: String,
    /// What the vertical axis counts, with its unit.
    pub y_label: String,
    /// What the colours count, with its unit.
    pub value_label: String,
    /// The lowest corner.
    pub low: [f64; 2],
    /// Side of a square.
    pub side: f64,
    /// How many squares lie beside each other.
    pub columns: usize,
    /// A value for each square, 0 or more, row by row from the lowest y, and from the lowest x in
    /// each.
    pub values: Vec<f64>,
    /// What is drawn over the squares. Default none.
    pub plan: Option<FloorPlan>,
}

impl HeatMap {
    /// The map as a PNG file's bytes: as high as a [`Chart`](super::Chart), and at most as wide.
    ///
    /// # Errors
    /// When no value is above 0, a number is not finite, or rows are not whole.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let numbers = self.low.iter().chain([&self.side]).chain(&self.values);
        if !numbers.clone().all(|x| x.is_finite())
            || self.side <= 0.0
            || !self.values.len().is_multiple_of(self.columns)
        {
            return Err(PlotError(
                "the map cannot be drawn: allowed are finite numbers in whole rows of squares"
                    .into(),
            ));
        }
        if self.highest() <= 0.0 {
            return Err(PlotError("nothing to draw: the map is 0 everywhere".into()));
        }
        self.grid().png()
    }

    /// The same as cells between edges.
    fn grid(&self) -> HeatGrid {
        let edges = |a: usize, count: usize| {
            (0..=count).map(|i| self.low[a] + self.side * i as f64).collect()
        };
        HeatGrid {
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            x_label: self.x_label.clone(),
            y_label: self.y_label.clone(),
            value_label: self.value_label.clone(),
            x_edges: edges(0, self.columns),
            y_edges: edges(1, self.values.len() / self.columns),
            values: self.values.iter().map(|&value| (value > 0.0).then_some(value)).collect(),
            scale: [0.0, self.highest()],
            equal_axes: true,
            plain_gaps: true,
            plan: self.plan.clone(),
        }
    }

    fn highest(&self) -> f64 {
        self.values.iter().copied().fold(0.0, |a, b| if b > a { b } else { a })
    }
}
