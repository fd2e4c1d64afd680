//! Density and mean speed in a rectangle.

use wingbeat_record::{Frame, RecordError};

/// A rectangle in the plane, edges included, in the recording's lengths (after scaling).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    min: [f64; 2],
    max: [f64; 2],
}

impl Area {
    /// A rectangle from its lowest to its highest corner.
    ///
    /// # Errors
    /// When a coordinate is not finite, or the corners are the wrong way round.
    pub fn new(corners: [f64; 4]) -> Result<Self, RecordError> {
        Self::named("area", corners)
    }

    /// The same, named otherwise in its refusal.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn named(name: &'static str, [x0, y0, x1, y1]: [f64; 4]) -> Result<Self, RecordError> {
        let area = Self::unchecked([x0, y0, x1, y1]);
        let finite = area.size().is_finite();
        if !(finite && x1 > x0 && y1 > y0) {
            let value = format!("{x0},{y0},{x1},{y1}");
            let allowed = "xmin,ymin,xmax,ymax with xmin < xmax and ymin < ymax".into();
            return Err(RecordError::Option { name, value, allowed });
        }
        Ok(area)
    }

    /// The same of corners that are known to be in order.
    pub(crate) fn unchecked([x0, y0, x1, y1]: [f64; 4]) -> Self {
        Self { min: [x0, y0], max: [x1, y1] }
    }

    /// Its size, length².
    pub fn size(&self) -> f64 {
        (self.max[0] - self.min[0]) * (self.max[1] - self.min[1])
    }

    /// Its lowest and its highest corner.
    pub fn corners(&self) -> [[f64; 2]; 2] {
        [self.min, self.max]
    }

    /// Whether a place is at most this far outside along each axis.
    pub(crate) fn within(&self, place: [f64; 2], margin: f64) -> bool {
        (0..2).all(|a| place[a] >= self.min[a] - margin && place[a] <= self.max[a] + margin)
    }

    /// Its four sides as seen from a place: an outward normal n and how far p · n may go for p
    /// inside.
    pub(crate) fn sides(&self, from: [f64; 2]) -> [([f64; 2], f64); 4] {
        let ([x0, y0], [x1, y1]) = (self.min, self.max);
        [
            ([1.0, 0.0], x1 - from[0]),
            ([-1.0, 0.0], from[0] - x0),
            ([0.0, 1.0], y1 - from[1]),
            ([0.0, -1.0], from[1] - y0),
        ]
    }

    fn contains(&self, position: [f64; 3]) -> bool {
        self.within([position[0], position[1]], 0.0)
    }

    /// The classical density N/A, individuals per length².
    pub fn density(&self, frame: &Frame<'_>) -> f64 {
        frame.rows.iter().filter(|row| self.contains(row.position)).count() as f64 / self.size()
    }

    /// Mean speed of those inside whose velocity is known, in the plane, length/time.
    pub fn mean_speed(&self, frame: &Frame<'_>) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0u32);
        for row in frame.rows.iter().filter(|row| self.contains(row.position)) {
            let speed =
                (row.velocity[0] * row.velocity[0] + row.velocity[1] * row.velocity[1]).sqrt();
            if !speed.is_nan() {
                sum += speed;
                count += 1;
            }
        }
        (count > 0).then(|| sum / f64::from(count))
    }
}
