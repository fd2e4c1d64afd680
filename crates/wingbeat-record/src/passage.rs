//! Crossings of a line, and the flow over it.

use std::collections::HashMap;

use crate::{RecordError, Recording};

/// A line in the plane from one point to another, in the recording's lengths (after scaling).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    from: [f64; 2],
    to: [f64; 2],
}

/// Crossings of a line, and the flow over it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Passages {
    /// Crossings to the right of who looks from the line's start to its end.
    pub to_right: u64,
    /// Crossings to the left.
    pub to_left: u64,
    /// Moves across a gap in a track that end on the other side of the line. They are not counted: the way between is unknown.
    pub unseen: u64,
    /// Individuals who crossed at least once.
    pub persons: usize,
    /// When the first of them crossed for the first time, seconds.
    pub first_s: Option<f64>,
    /// When the last of them did, seconds.
    pub last_s: Option<f64>,
    /// Flow J = (persons − 1)/(last_s − first_s), per second; `None` for fewer than two.
    pub flow: Option<f64>,
    /// Flow over the length of the line, per second and length: the specific flow where the line spans an opening.
    pub specific_flow: Option<f64>,
}

impl Line {
    /// A line between two points.
    ///
    /// # Errors
    /// When a coordinate is not finite, or the points are one.
    pub fn new([x0, y0, x1, y1]: [f64; 4]) -> Result<Self, RecordError> {
        let line = Self { from: [x0, y0], to: [x1, y1] };
        let length = line.length();
        if !(length.is_finite() && length > 0.0) {
            let value = format!("{x0},{y0},{x1},{y1}");
            return Err(RecordError::Option { name: "line", value, allowed: "two different points x0,y0,x1,y1".into() });
        }
        Ok(line)
    }

    fn length(&self) -> f64 {
        let [x, y] = self.along();
        (x * x + y * y).sqrt()
    }

    fn along(&self) -> [f64; 2] {
        [self.to[0] - self.from[0], self.to[1] - self.from[1]]
    }

    /// Above 0 on the left of the line, below on the right.
    fn side(&self, [x, y, _]: [f64; 3]) -> f64 {
        let along = self.along();
        along[0] * (y - self.from[1]) - along[1] * (x - self.from[0])
    }

    /// Where on the way from `p` to `q` the line is met, 0 to 1. A point on the line belongs to its left.
    fn crossing(&self, p: [f64; 3], q: [f64; 3]) -> Option<f64> {
        let (here, there) = (self.side(p), self.side(q));
        if (here >= 0.0) == (there >= 0.0) {
            return None;
        }
        let part = here / (here - there);
        let along = self.along();
        let met = [p[0] + (q[0] - p[0]) * part - self.from[0], p[1] + (q[1] - p[1]) * part - self.from[1]];
        let place = (met[0] * along[0] + met[1] * along[1]) / (along[0] * along[0] + along[1] * along[1]);
        (0.0..=1.0).contains(&place).then_some(part)
    }

    /// Counts crossings inside unbroken stretches of tracks. An individual who crosses back and forth counts once for the flow,
    /// at the first crossing.
    pub fn passages(&self, recording: &Recording) -> Passages {
        let (mut to_right, mut to_left, mut unseen) = (0, 0, 0);
        let mut first_times: HashMap<u64, f64> = HashMap::new();
        for (a, b, unbroken) in recording.moves() {
            let Some(part) = self.crossing(a.position, b.position) else { continue };
            if !unbroken {
                unseen += 1;
                continue;
            }
            if self.side(a.position) >= 0.0 {
                to_right += 1
            } else {
                to_left += 1
            }
            // Moves come by ascending frame within each id: the first met is the first made.
            let frame = a.frame as f64 + (b.frame - a.frame) as f64 * part;
            first_times.entry(a.id).or_insert(frame / recording.fps());
        }
        let mut times: Vec<f64> = first_times.into_values().collect();
        times.sort_unstable_by(f64::total_cmp);
        let (first_s, last_s) = (times.first().copied(), times.last().copied());
        let seconds = first_s.zip(last_s).map_or(0.0, |(first, last)| last - first);
        let flow = (seconds > 0.0).then(|| (times.len() - 1) as f64 / seconds);
        let specific_flow = flow.map(|flow| flow / self.length());
        Passages { to_right, to_left, unseen, persons: times.len(), first_s, last_s, flow, specific_flow }
    }
}
