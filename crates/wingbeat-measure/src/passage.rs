//! Crossings of a line, and the flow over it.

use std::collections::HashMap;

use wingbeat_record::{RecordError, Recording, Watch};

/// More windows than this are taken for a typing error.
const MOST_WINDOWS: f64 = 1e5;

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
    /// Crossings to the right as seen from the line's start to its end.
    pub to_right: u64,
    /// Crossings to the left.
    pub to_left: u64,
    /// Moves across a gap in a track that end on the other side of the line. They are not counted:
    /// the way between is unknown.
    pub unseen: u64,
    /// Individuals that crossed at least once.
    pub persons: usize,
    /// When the first of them crossed for the first time, seconds.
    pub first_s: Option<f64>,
    /// When the last of them did, seconds.
    pub last_s: Option<f64>,
    /// Flow J = (persons − 1)/(last_s − first_s), per second; `None` for fewer than two.
    pub flow: Option<f64>,
    /// Flow over the length of the line, per second and length: the specific flow where the line
    /// spans an opening.
    pub specific_flow: Option<f64>,
    /// The first crossing of each of these individuals, by time, then id: N(t) is how many of them
    /// are not later than t.
    pub first_crossings: Vec<Crossing>,
    /// Length of the line.
    length: f64,
    /// Times of the recording's first and last frame.
    span_s: [f64; 2],
}

/// An individual's first crossing of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Who.
    pub id: u64,
    /// When, seconds; linear between the two frames.
    pub time_s: f64,
    /// To the right as seen from the line's start to its end, or to the left.
    pub to_right: bool,
}

/// First crossings of a line in a window of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowWindow {
    /// Where it begins, seconds: a whole multiple of its length, or the recording's beginning.
    pub start_s: f64,
    /// Where it ends: as far, or the recording's end.
    pub end_s: f64,
    /// N(`end_s`): who has crossed for the first time by then, to the right and to the left.
    pub crossed: [u64; 2],
    /// First crossings in the window over its length, per second, to the right and to the left.
    pub flow: [f64; 2],
    /// Both together, over the length of the line: per second and length.
    pub specific_flow: f64,
}

impl Passages {
    /// The recording in windows of this many seconds, [k·seconds, (k + 1)·seconds), cut at its
    /// first and last frame. Every individual counts once, at the first crossing.
    ///
    /// # Errors
    /// Unless `seconds` is above 0 and there are at most 100,000 windows.
    pub fn windows(&self, seconds: f64) -> Result<Vec<FlowWindow>, RecordError> {
        let [start_s, end_s] = self.span_s;
        // What lies on an edge but for rounding lies on it.
        let window_of = |time: f64| (time / seconds + 1e-9).floor();
        let first = window_of(start_s);
        let count = ((end_s / seconds - 1e-9).ceil() - first).max(0.0);
        if !(seconds > 0.0 && seconds.is_finite() && count <= MOST_WINDOWS) {
            let allowed = format!(
                "a number above 0, with at most {MOST_WINDOWS} windows from \
                {start_s:.2} s to {end_s:.2} s"
            );
            return Err(RecordError::Option {
                name: "window",
                value: seconds.to_string(),
                allowed,
            });
        }
        let mut windows = Vec::with_capacity(count as usize);
        let (mut crossed, mut next) = ([0u64; 2], 0);
        for k in 0..count as usize {
            let edge = |k: f64| ((first + k) * seconds).clamp(start_s, end_s);
            let (start_s, end_s) = (edge(k as f64), edge(k as f64 + 1.0));
            let before = crossed;
            // The last frame belongs to the last window.
            let is_last = k + 1 == count as usize;
            while let Some(crossing) = self.first_crossings.get(next) {
                if !is_last && window_of(crossing.time_s) > first + k as f64 {
                    break;
                }
                crossed[usize::from(!crossing.to_right)] += 1;
                next += 1;
            }
            let flow = [0, 1].map(|side| (crossed[side] - before[side]) as f64 / (end_s - start_s));
            let specific_flow = (flow[0] + flow[1]) / self.length;
            windows.push(FlowWindow { start_s, end_s, crossed, flow, specific_flow });
        }
        Ok(windows)
    }
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
            return Err(RecordError::Option {
                name: "line",
                value,
                allowed: "two different points x0,y0,x1,y1".into(),
            });
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

    /// Where on the way from `p` to `q` the line is met, 0 to 1; the third coordinates do not
    /// count. A point on the line belongs to its left.
    ///
    /// ```
    /// let door = wingbeat_measure::Line::new([0.0, -1.0, 0.0, 1.0])?;
    /// assert_eq!(door.crossing([-1.0, 0.0, 0.0], [3.0, 0.0, 0.0]), Some(0.25));
    /// assert_eq!(door.crossing([-1.0, 2.0, 0.0], [3.0, 2.0, 0.0]), None);
    /// # Ok::<(), wingbeat_record::RecordError>(())
    /// ```
    pub fn crossing(&self, p: [f64; 3], q: [f64; 3]) -> Option<f64> {
        let (here, there) = (self.side(p), self.side(q));
        if (here >= 0.0) == (there >= 0.0) {
            return None;
        }
        let part = here / (here - there);
        let along = self.along();
        let met = [
            p[0] + (q[0] - p[0]) * part - self.from[0],
            p[1] + (q[1] - p[1]) * part - self.from[1],
        ];
        let place =
            (met[0] * along[0] + met[1] * along[1]) / (along[0] * along[0] + along[1] * along[1]);
        (0.0..=1.0).contains(&place).then_some(part)
    }

    /// Counts crossings inside unbroken stretches of tracks. An individual that crosses back and
    /// forth counts once for the flow, at the first crossing.
    ///
    /// # Errors
    /// When the recording cannot be read any more.
    pub fn passages(&self, recording: &Recording) -> Result<Passages, RecordError> {
        self.passages_watched(recording, &|_, _| true)
    }

    /// [`passages`](Self::passages), watched: `watch` is told how many frames of how many are done,
    /// and answers whether to go on.
    ///
    /// # Errors
    /// As [`passages`](Self::passages); and [`RecordError::Stopped`] where `watch` says so.
    pub fn passages_watched(
        &self,
        recording: &Recording,
        watch: Watch<'_>,
    ) -> Result<Passages, RecordError> {
        let (mut to_right, mut to_left, mut unseen) = (0, 0, 0);
        let mut first_crossings: HashMap<u64, Crossing> = HashMap::new();
        recording.each_move(watch, |a, b, unbroken| {
            // Across an edge of a periodic box the way leaves on one side and comes in on the
            // other.
            let shift = recording.edges().shift(a.position, b.position);
            let moved = |from: [f64; 3], sign: f64| -> [f64; 3] {
                std::array::from_fn(|axis| from[axis] + sign * shift[axis])
            };
            let images =
                [(a.position, moved(b.position, -1.0)), (moved(a.position, 1.0), b.position)];
            let crossed =
                images.into_iter().find_map(|(from, to)| Some((self.crossing(from, to)?, from)));
            let Some((part, from)) = crossed else { return };
            if !unbroken {
                unseen += 1;
                return;
            }
            let rightward = self.side(from) >= 0.0;
            *if rightward { &mut to_right } else { &mut to_left } += 1;
            // Moves come by ascending frame within each id: the first met is the first made.
            let frame = a.frame as f64 + (b.frame - a.frame) as f64 * part;
            let crossing =
                Crossing { id: a.id, time_s: frame / recording.fps(), to_right: rightward };
            first_crossings.entry(a.id).or_insert(crossing);
        })?;
        let mut first_crossings: Vec<Crossing> = first_crossings.into_values().collect();
        first_crossings
            .sort_unstable_by(|a, b| a.time_s.total_cmp(&b.time_s).then(a.id.cmp(&b.id)));
        let persons = first_crossings.len();
        let [first_s, last_s] = [first_crossings.first(), first_crossings.last()]
            .map(|one| one.map(|crossing| crossing.time_s));
        let seconds = first_s.zip(last_s).map_or(0.0, |(first, last)| last - first);
        let flow = (seconds > 0.0).then(|| (persons - 1) as f64 / seconds);
        let length = self.length();
        let specific_flow = flow.map(|flow| flow / length);
        let found = recording.found();
        let span_s =
            [found.first_frame, found.last_frame].map(|frame| frame as f64 / recording.fps());
        Ok(Passages {
            to_right,
            to_left,
            unseen,
            persons,
            first_s,
            last_s,
            flow,
            specific_flow,
            first_crossings,
            length,
            span_s,
        })
    }
}
