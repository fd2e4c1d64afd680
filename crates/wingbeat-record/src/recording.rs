//! A recording in order, frame by frame: velocities are computed where a frame is read.

use std::borrow::Cow;
use std::collections::HashMap;

use wingbeat_codec::Sequence;

use crate::{About, Edges, Found, RecordError, Row, SpeciesById, Watch};

/// The trajectories of all individuals. Up to half a million positions are held in memory; more are
/// sorted into a temporary file, and a `.wbr` is read where it is, so that a recording may be of
/// any length.
#[derive(Debug)]
pub struct Recording {
    pub(crate) dimensions: usize,
    pub(crate) sequence: Sequence,
    /// What has to be added to positions to get those of the world: what was taken off now, and
    /// before.
    pub(crate) origin: [f64; 3],
    /// How far positions reach, on the longest axis.
    pub(crate) extent: f64,
    pub(crate) found: Found,
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
        self.sequence.fps
    }

    /// What was in the file, and what was done about it.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// The domain; open where the file states none.
    pub fn edges(&self) -> Edges {
        self.sequence.edges
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
        self.sequence.moments.len()
    }

    /// Whether there is no such frame; a recording that was read has one.
    pub fn is_empty(&self) -> bool {
        self.sequence.moments.is_empty()
    }

    /// The number of the `k`-th frame with a position, from 0.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn number(&self, k: usize) -> i64 {
        self.sequence.moments[k].number
    }

    /// Which of the frames with a position has this number.
    pub fn find(&self, number: i64) -> Option<usize> {
        self.sequence.moments.binary_search_by_key(&number, |moment| moment.number).ok()
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
        let rows = self.sequence.rows(k)?;
        Ok(Frame {
            number,
            time: number as f64 / self.sequence.fps,
            rows,
            dimensions: self.dimensions,
            edges: self.sequence.edges,
        })
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
