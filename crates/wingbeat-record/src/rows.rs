//! What readers fill: a row for each individual and frame.

use std::collections::HashMap;

use crate::row::Row;
use crate::snapshot::Edges;
use crate::species::SpeciesById;
use crate::store::{Doubles, Moment, Store, Unsorted};
use crate::units::LengthUnit;
use crate::{RecordError, io_reason, memory};

/// The rows of a file, in its own order, and what else it states.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The file, as the user knows it.
    pub shown: String,
    pub dimensions: usize,
    /// In the file's own order.
    rows: Unsorted,
    /// Latest frame of each id so far, and how many rows are of an earlier one.
    latest: HashMap<u64, i64>,
    pub out_of_order: u64,
    /// Instead of rows: a recording that is read frame by frame.
    pub streamed: Option<(Store, Vec<Moment>)>,
    /// Whether velocities come from the file.
    pub has_velocities: bool,
    /// Whether the file says that they are per second.
    pub has_velocities_per_second: bool,
    /// Rows without a position.
    pub missing: u64,
    /// First and last frame, where the file states them.
    pub span: Option<(i64, i64)>,
    /// Frames per second, where the file states them.
    pub fps: Option<f64>,
    /// The unit of its lengths, where the file states it; coordinates are as they stand there.
    pub unit: Option<LengthUnit>,
    /// The domain, where the file states it.
    pub edges: Option<Edges>,
    /// Species, where the file names them.
    pub species: SpeciesById,
    pub notes: Vec<String>,
    /// Notes on rows that were not taken: they may be why nobody is left.
    pub left_out: Vec<String>,
    /// The time of frame 0, seconds, where the file states times: they count from there.
    pub time_offset: f64,
    /// Why its times do not tell one frame rate for all frames, where they do not.
    pub uneven: Option<String>,
}

impl Rows {
    pub(crate) fn new(shown: &str) -> Self {
        Self {
            shown: shown.to_string(),
            dimensions: 2,
            rows: Unsorted::default(),
            latest: HashMap::new(),
            out_of_order: 0,
            streamed: None,
            has_velocities: false,
            has_velocities_per_second: false,
            missing: 0,
            span: None,
            fps: None,
            unit: None,
            edges: None,
            species: SpeciesById::default(),
            notes: Vec::new(),
            left_out: Vec::new(),
            time_offset: 0.0,
            uneven: None,
        }
    }

    /// Adds a row; one whose position is NaN is counted and left out.
    pub(crate) fn push(&mut self, row: Row) -> Result<(), RecordError> {
        if row.position.iter().any(|x| x.is_nan()) {
            self.missing += 1;
            return Ok(());
        }
        // Checked before the table doubles, so that an endless file is refused before the machine swaps.
        if self.latest.len() == self.latest.capacity() {
            memory::room_for(self.latest.len() as u128 * 2, &self.shown)?;
        }
        self.out_of_order += u64::from(self.latest.insert(row.id, row.frame).is_some_and(|before| row.frame < before));
        self.rows.push(row).map_err(|error| cannot_sort(&self.shown, &error))
    }

    /// The rows by frame and id.
    pub(crate) fn sorted(&mut self) -> Result<(Store, Vec<Moment>, Doubles), RecordError> {
        match self.streamed.take() {
            Some((store, moments)) => Ok((store, moments, Doubles::default())),
            None => std::mem::take(&mut self.rows).sorted().map_err(|error| cannot_sort(&self.shown, &error)),
        }
    }
}

/// The refusal of a file for whose rows there is no room in a temporary one.
pub(crate) fn cannot_sort(shown: &str, error: &std::io::Error) -> RecordError {
    let folder = std::env::temp_dir();
    let message = format!("its rows cannot be sorted in {}: {}: TMPDIR names another folder", folder.display(), io_reason(error));
    RecordError::data(shown, message)
}
