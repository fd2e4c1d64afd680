//! Density over time, place by place.

use crate::area::Area;
use crate::voronoi::Voronoi;
use wingbeat_record::{Frame, RecordError, Recording, Watch};

/// More places than this are taken for a typing error.
const MOST_PLACES: f64 = 1e6;

/// Density on a grid of squares, gathered frame by frame: its mean over time and its peak.
#[derive(Clone, Debug, PartialEq)]
pub struct DensityMap {
    side: f64,
    /// The lowest corner of the lowest square, in squares from the origin.
    first: [f64; 2],
    columns: usize,
    rows: usize,
    frames: u64,
    /// By rows from the lowest y, and columns from the lowest x.
    sums: Vec<f64>,
    peaks: Vec<f64>,
    /// The frame that is being counted, and where it is not 0.
    now: Vec<f64>,
    touched: Vec<usize>,
}

impl DensityMap {
    /// A grid of squares of this side, on multiples of it, that holds a rectangle; without one, all
    /// positions of the recording.
    ///
    /// # Errors
    /// Unless the side is above 0 and there are at most a million squares.
    pub fn new(recording: &Recording, side: f64, over: Option<&Area>) -> Result<Self, RecordError> {
        Self::new_watched(recording, side, over, &|_, _| true)
    }

    /// [`new`](Self::new), watched: `watch` is told how many frames of how many were looked at for
    /// positions, and answers whether to go on.
    ///
    /// # Errors
    /// As [`new`](Self::new); and [`RecordError::Stopped`] where `watch` says so.
    pub fn new_watched(
        recording: &Recording,
        side: f64,
        over: Option<&Area>,
        watch: Watch<'_>,
    ) -> Result<Self, RecordError> {
        let [low, high] =
            over.map_or_else(|| Self::extent(recording, watch), |area| Ok(area.corners()))?;
        let first = low.map(|x| (x / side + ROUNDING).floor());
        let [columns, rows] =
            [0, 1].map(|a| ((high[a] / side - ROUNDING).ceil() - first[a]).max(1.0));
        if !(side > 0.0 && side.is_finite() && columns * rows <= MOST_PLACES) {
            let size = format!("{:.4} by {:.4}", high[0] - low[0], high[1] - low[1]);
            let allowed = format!("a number above 0, with at most {MOST_PLACES} squares on {size}");
            return Err(RecordError::Option { name: "cell", value: side.to_string(), allowed });
        }
        let (columns, rows) = (columns as usize, rows as usize);
        let none = vec![0.0; columns * rows];
        let (sums, peaks, now) = (none.clone(), none.clone(), none);
        Ok(Self { side, first, columns, rows, frames: 0, sums, peaks, now, touched: Vec::new() })
    }

    /// Lowest and highest corner of the box around all positions of a recording, which a map covers
    /// unless it is told another; watched as [`new_watched`](Self::new_watched) is.
    ///
    /// # Errors
    /// When a frame cannot be read; and [`RecordError::Stopped`] where `watch` says so.
    pub fn extent(recording: &Recording, watch: Watch<'_>) -> Result<[[f64; 2]; 2], RecordError> {
        let mut corners = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for (k, frame) in recording.frames().enumerate() {
            if !watch(k as u64, recording.len() as u64) {
                return Err(RecordError::Stopped);
            }
            for row in frame?.rows.iter() {
                for a in 0..2 {
                    corners[0][a] = corners[0][a].min(row.position[a]);
                    corners[1][a] = corners[1][a].max(row.position[a]);
                }
            }
        }
        Ok(corners)
    }

    /// Counts a frame: heads in each square over its size, or with cells one over the size of the
    /// cell that holds the square's middle. Heads are coarse: one in a square of 0.2 m is 25 per
    /// m².
    pub fn count(&mut self, frame: &Frame<'_>, cells: Option<&Voronoi>) {
        self.frames += 1;
        match cells {
            Some(voronoi) => self.count_cells(frame, voronoi),
            None => self.count_heads(frame),
        }
        for place in self.touched.drain(..) {
            let density = std::mem::take(&mut self.now[place]);
            self.sums[place] += density;
            self.peaks[place] = self.peaks[place].max(density);
        }
    }

    fn count_heads(&mut self, frame: &Frame<'_>) {
        let size = [self.columns, self.rows];
        for row in frame.rows.iter() {
            let place = [0, 1].map(|a| {
                let along = row.position[a] / self.side - self.first[a];
                // The highest edge belongs to the last square.
                (0.0..=size[a] as f64).contains(&along).then(|| (along as usize).min(size[a] - 1))
            });
            if let [Some(column), Some(up)] = place {
                self.add(up * self.columns + column, 1.0 / (self.side * self.side));
            }
        }
    }

    fn count_cells(&mut self, frame: &Frame<'_>, voronoi: &Voronoi) {
        for cell in voronoi.cells(frame, Some(&self.area())) {
            let corners: Vec<[f64; 2]> = cell
                .corners
                .iter()
                .map(|corner| [0, 1].map(|a| corner[a] / self.side - self.first[a] - 0.5))
                .collect();
            let heights = || corners.iter().map(|corner| corner[1]);
            let (low, high) = (
                heights().fold(f64::INFINITY, f64::min),
                heights().fold(f64::NEG_INFINITY, f64::max),
            );
            for up in below(low, self.rows)..below(high, self.rows) {
                let ends = crossed(&corners, up as f64 + ROUNDING);
                // Where two cells meet in a square's middle, it is the one to the right that has
                // it.
                for column in below(ends[0], self.columns)..below(ends[1], self.columns) {
                    self.add(up * self.columns + column, 1.0 / cell.size);
                }
            }
        }
    }

    fn add(&mut self, place: usize, density: f64) {
        if self.now[place] == 0.0 {
            self.touched.push(place);
        }
        self.now[place] += density;
    }

    /// What the grid covers.
    pub fn area(&self) -> Area {
        let [x, y] = self.first;
        let [x1, y1] = [x + self.columns as f64, y + self.rows as f64];
        Area::unchecked([x, y, x1, y1].map(|squares| squares * self.side))
    }

    /// Side of a square.
    pub fn side(&self) -> f64 {
        self.side
    }

    /// How many squares lie beside each other.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many lie above each other.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Mean density over the frames that were counted, row by row from the lowest y, from the
    /// lowest x in each.
    pub fn mean(&self) -> Vec<f64> {
        self.sums
            .iter()
            .map(|sum| if self.frames > 0 { sum / self.frames as f64 } else { 0.0 })
            .collect()
    }

    /// The highest density of any frame, in the same order.
    pub fn peak(&self) -> &[f64] {
        &self.peaks
    }
}

/// What lies on a whole number but for rounding lies on it, in squares: two cells that meet there
/// both see it on the same side.
const ROUNDING: f64 = 1e-9;

/// How many of the whole numbers 0 to `count` − 1 are below x.
fn below(x: f64, count: usize) -> usize {
    // A cast cuts what is below zero.
    ((x - ROUNDING).ceil() as usize).min(count)
}

/// From where to where a convex polygon is met at this height.
fn crossed(corners: &[[f64; 2]], height: f64) -> [f64; 2] {
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        if (a[1] < height) != (b[1] < height) {
            let x = a[0] + (b[0] - a[0]) * ((height - a[1]) / (b[1] - a[1]));
            ends = [ends[0].min(x), ends[1].max(x)];
        }
    }
    ends
}
