//! A recording in order, frame by frame: velocities are computed where a frame is read.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::RecordError;
use crate::found::Found;
use crate::row::Row;
use crate::snapshot::{About, Edges};
use crate::species::SpeciesById;
use crate::store::{FrameRange, Store};
use crate::watch::Watch;

/// The trajectories of all individuals. Up to half a million positions are held in memory; more are
/// sorted into a temporary file, and a `.wbr` is read where it is, so that a recording may be of
/// any length.
#[derive(Debug)]
pub struct Recording {
    pub(crate) dimensions: usize,
    pub(crate) fps: f64,
    pub(crate) store: Store,
    pub(crate) moments: Vec<FrameRange>,
    /// What coordinates are multiplied by.
    pub(crate) factors: [f64; 3],
    /// What is taken off them before.
    pub(crate) taken_off: [f64; 3],
    /// What has to be added to positions to get those of the world: what was taken off now, and
    /// before.
    pub(crate) origin: [f64; 3],
    /// How far positions reach, on the longest axis.
    pub(crate) extent: f64,
    pub(crate) found: Found,
    pub(crate) edges: Edges,
    pub(crate) about: Option<About>,
    pub(crate) species: SpeciesById,
}

/// One moment of a recording.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// Its number.
    pub number: i64,
    /// number / fps, seconds.
    pub time: f64,
    /// One row for each individual seen, by ascending id.
    pub rows: Cow<'a, [Row]>,
    dimensions: usize,
    edges: Edges,
}

impl Frame<'_> {
    /// 2 or 3.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The domain that the file states; open space where it states none.
    pub fn edges(&self) -> Edges {
        self.edges
    }
}

impl Recording {
    /// 2 or 3.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Frames per second.
    pub fn fps(&self) -> f64 {
        self.fps
    }

    /// What was in the file, and what was done about it.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// The domain; open where the file states none.
    pub fn edges(&self) -> Edges {
        self.edges
    }

    /// The recorded run of a `.wbr`, in the file's own coordinates: before they are scaled or y is
    /// turned round. `None` of other formats.
    pub fn about(&self) -> Option<&About> {
        self.about.as_ref()
    }

    /// The species of all individuals; without names where the file names none.
    pub fn species(&self) -> &SpeciesById {
        &self.species
    }

    /// How many frames have at least one position.
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// Whether there is no such frame; a recording that was read has one.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// The number of the `k`-th frame with a position, from 0.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn number(&self, k: usize) -> i64 {
        self.moments[k].number
    }

    /// Which of the frames with a position has this number.
    pub fn find(&self, number: i64) -> Option<usize> {
        self.moments.binary_search_by_key(&number, |moment| moment.number).ok()
    }

    /// Frames with at least one position, in order.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = Result<Frame<'_>, RecordError>> {
        (0..self.len()).map(|k| self.frame(k))
    }

    /// The `k`-th of [`frames`](Self::frames), from 0.
    ///
    /// # Errors
    /// When the file cannot be read any more, or is damaged there.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn frame(&self, k: usize) -> Result<Frame<'_>, RecordError> {
        let number = self.number(k);
        let mut rows = self.store.rows(&self.moments[k])?;
        if self.factors != [1.0; 3] || self.taken_off != [0.0; 3] {
            for row in rows.to_mut() {
                row.position = self.place(row.position);
                row.velocity = scaled(row.velocity, self.factors);
            }
        }
        if !self.found.has_velocities && rows.iter().any(is_without_velocity) {
            self.differences(k, rows.to_mut())?;
        }
        Ok(Frame {
            number,
            time: number as f64 / self.fps,
            rows,
            dimensions: self.dimensions,
            edges: self.edges,
        })
    }

    /// A position of the file, as it is here.
    fn place(&self, position: [f64; 3]) -> [f64; 3] {
        scaled(std::array::from_fn(|axis| position[axis] - self.taken_off[axis]), self.factors)
    }

    /// Velocities of the rows of a frame that have none yet: central differences inside unbroken
    /// stretches, one-sided ones at their ends, NaN for positions between two gaps.
    fn differences(&self, k: usize, rows: &mut [Row]) -> Result<(), RecordError> {
        let beside = |other: Option<usize>| {
            let moment = other.and_then(|other| self.moments.get(other));
            let follows = |moment: &&FrameRange| {
                (moment.number - self.number(k)).abs() == self.found.frame_step
            };
            moment.filter(follows).map_or(Ok(Cow::default()), |moment| self.store.rows(moment))
        };
        let (before, after) = (beside(k.checked_sub(1))?, beside(Some(k + 1))?);
        let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
        for row in rows {
            let here = *row;
            // All are by ascending id.
            let at = |side: &mut std::iter::Peekable<std::slice::Iter<'_, Row>>| {
                while side.next_if(|other| other.id < here.id).is_some() {}
                let other = side.peek().filter(|other| other.id == here.id)?;
                Some((other.frame, self.place(other.position)))
            };
            let (from, to) = (at(&mut before), at(&mut after));
            let (from, to) = (
                from.unwrap_or((here.frame, here.position)),
                to.unwrap_or((here.frame, here.position)),
            );
            let seconds = (to.0 - from.0) as f64 / self.fps;
            if !is_without_velocity(row) {
                continue;
            }
            let way = if self.edges.is_periodic() {
                // Each of the two by itself: together they may be longer than half a side.
                let [one, other] =
                    [self.edges.way(from.1, here.position), self.edges.way(here.position, to.1)];
                std::array::from_fn(|a| one[a] + other[a])
            } else {
                self.edges.way(from.1, to.1)
            };
            row.velocity = way.map(|way| if seconds > 0.0 { way / seconds } else { f64::NAN });
        }
        Ok(())
    }

    /// Calls `each` with consecutive positions of one individual, and whether there is no gap
    /// between them: frame by frame. `watch` is told how many frames of how many are done.
    ///
    /// # Errors
    /// As [`frame`](Self::frame); and [`RecordError::Stopped`] where `watch` says so.
    pub fn each_move(
        &self,
        watch: Watch<'_>,
        mut each: impl FnMut(&Row, &Row, bool),
    ) -> Result<(), RecordError> {
        let mut last: HashMap<u64, Row> = HashMap::new();
        for k in 0..self.len() {
            if !watch(k as u64, self.len() as u64) {
                return Err(RecordError::Stopped);
            }
            for row in self.frame(k)?.rows.iter() {
                if let Some(before) = last.insert(row.id, *row) {
                    each(&before, row, row.frame - before.frame == self.found.frame_step);
                }
            }
        }
        Ok(())
    }
}

fn is_without_velocity(row: &Row) -> bool {
    row.velocity.iter().any(|v| v.is_nan())
}

/// A vector in other units; of 0 that changes its sign, 0 is left.
fn scaled(vector: [f64; 3], factors: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| vector[axis] * factors[axis] + 0.0)
}
