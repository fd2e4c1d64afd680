//! What readers fill: a row for each individual and frame.

use std::collections::HashMap;

use crate::error::TEMPORARY;
use crate::row::Row;
use crate::snapshot::{About, Edges};
use crate::species::SpeciesById;
use crate::store::{Doubles, FrameRange, Store, Unsorted};
use crate::units::LengthUnit;
use crate::{RecordError, io_reason, memory};

/// The rows of a file, in its own order, and what else it states.
#[derive(Debug)]
pub struct Rows {
    /// The file, as the user knows it.
    pub shown: String,
    /// 2 or 3.
    pub dimensions: usize,
    /// In the file's own order.
    rows: Unsorted,
    /// Latest frame of each id so far.
    latest: HashMap<u64, i64>,
    /// Rows of an earlier frame than the row of the same id before.
    pub out_of_order: u64,
    /// Instead of rows: a recording that is read frame by frame.
    streamed: Option<(Store, Vec<FrameRange>)>,
    /// Whether it is one.
    pub is_stream: bool,
    /// The line that rows come from, in a text.
    pub line: u64,
    /// The frame and id of two rows that contradict each other; the line and the position of the
    /// first.
    sought: Option<(i64, u64)>,
    first: Option<(u64, [f64; 3])>,
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
    /// Whether lengths stay in that unit: a recording of a scene has the scene's.
    pub keeps_unit: bool,
    /// What was taken off positions before, where the file states it.
    pub origin: [f64; 3],
    /// The domain, where the file states it.
    pub edges: Option<Edges>,
    /// The recorded run, of a `.wbr`.
    pub about: Option<About>,
    /// Species, where the file names them.
    pub species: SpeciesById,
    /// What is worth knowing, one sentence each.
    pub notes: Vec<String>,
    /// Notes on rows that were not taken: they may be why no individual is left.
    pub left_out: Vec<String>,
    /// The time of frame 0, seconds, where the file states times: they count from there.
    pub time_offset: f64,
    /// Why its times do not tell one frame rate for all frames, where they do not.
    pub uneven: Option<String>,
}

impl Rows {
    /// No rows yet, of the file that the user knows as `shown`.
    pub fn new(shown: &str) -> Self {
        Self {
            shown: shown.to_string(),
            dimensions: 2,
            rows: Unsorted::default(),
            latest: HashMap::new(),
            out_of_order: 0,
            streamed: None,
            is_stream: false,
            line: 0,
            sought: None,
            first: None,
            has_velocities: false,
            has_velocities_per_second: false,
            missing: 0,
            span: None,
            fps: None,
            unit: None,
            keeps_unit: false,
            origin: [0.0; 3],
            edges: None,
            about: None,
            species: SpeciesById::default(),
            notes: Vec::new(),
            left_out: Vec::new(),
            time_offset: 0.0,
            uneven: None,
        }
    }

    /// Adds a row; one whose position is NaN is counted and left out.
    ///
    /// # Errors
    /// When there is no room for it, or it contradicts the row that is sought.
    pub fn push(&mut self, row: Row) -> Result<(), RecordError> {
        if row.position.iter().any(|x| x.is_nan()) {
            self.missing += 1;
            return Ok(());
        }
        if self.sought == Some((row.frame, row.id)) {
            self.contradict(&row)?;
        }
        // Checked before the table doubles, so that an endless file is refused before the machine
        // swaps.
        if self.latest.len() == self.latest.capacity() {
            memory::room_for(self.latest.len() as u128 * 2, &self.shown)?;
        }
        self.out_of_order += u64::from(
            self.latest.insert(row.id, row.frame).is_some_and(|before| row.frame < before),
        );
        self.rows.push(row).map_err(|error| cannot_sort(&self.shown, &error))
    }

    /// Takes a recording that is read frame by frame.
    pub fn stream(&mut self, store: Store, moments: Vec<FrameRange>) {
        (self.streamed, self.is_stream) = (Some((store, moments)), true);
    }

    /// Looks for two rows of this frame and id that contradict each other.
    pub fn seeking(mut self, sought: Option<(i64, u64)>) -> Self {
        self.sought = sought;
        self
    }

    /// Refuses a row whose id and frame were elsewhere before.
    fn contradict(&mut self, row: &Row) -> Result<(), RecordError> {
        let (line, position) = *self.first.get_or_insert((self.line, row.position));
        if position == row.position {
            return Ok(());
        }
        let message = contradiction(row, position, self.dimensions, &format!("in line {line}"));
        Err(RecordError::data(format!("{}:{}", self.shown, self.line), message))
    }

    /// The rows by frame and id.
    ///
    /// # Errors
    /// When there is no room for a temporary file.
    pub fn sorted(&mut self) -> Result<Sorted, RecordError> {
        match self.streamed.take() {
            Some((store, moments)) => Ok((store, moments, Doubles::default())),
            None => std::mem::take(&mut self.rows)
                .sorted()
                .map_err(|error| cannot_sort(&self.shown, &error)),
        }
    }
}

/// Rows by frame and id, their frames, and what stands twice.
pub type Sorted = (Store, Vec<FrameRange>, Doubles);

/// What is said of a row whose id and frame are elsewhere, too.
pub fn contradiction(row: &Row, other: [f64; 3], dimensions: usize, place: &str) -> String {
    let shown = |position: [f64; 3]| {
        let numbers = position[..dimensions].iter().map(|x| x.to_string());
        numbers.collect::<Vec<_>>().join(", ")
    };
    let (frame, id, here, there) = (row.frame, row.id, shown(row.position), shown(other));
    format!(
        "id {id} in frame {frame} is at ({here}) and {place} at ({there}): allowed is one \
        position for each id and frame"
    )
}

/// The refusal of a file for whose rows there is no room in a temporary one.
pub fn cannot_sort(shown: &str, error: &std::io::Error) -> RecordError {
    let folder = std::env::temp_dir();
    let message = format!(
        "its rows cannot be sorted in {}: {}: {TEMPORARY} names another folder",
        folder.display(),
        io_reason(error)
    );
    RecordError::data(shown, message)
}
