//! What readers fill: a row for each individual and frame.

use crate::snapshot::Edges;
use crate::species::SpeciesById;
use crate::units::LengthUnit;
use crate::{RecordError, memory};

/// Largest coordinate taken, as in the engine.
pub(crate) const FARTHEST: f64 = 1e30;
/// Last frame number taken: beyond, times are not exact.
pub(crate) const LAST_FRAME: i64 = 1 << 53;

/// One individual in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Number of the frame.
    pub frame: i64,
    /// Id of the individual.
    pub id: u64,
    /// Position; in the plane the third coordinate is 0.
    pub position: [f64; 3],
    /// Velocity, length per time; NaN where it is unknown.
    pub velocity: [f64; 3],
}

/// The rows of a file, in its own order, and what else it states.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The file, as the user knows it.
    pub shown: String,
    pub dimensions: usize,
    pub rows: Vec<Row>,
    /// Whether velocities come from the file.
    pub has_velocities: bool,
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
}

impl Rows {
    pub(crate) fn new(shown: &str) -> Self {
        Self {
            shown: shown.to_string(),
            dimensions: 2,
            rows: Vec::new(),
            has_velocities: false,
            missing: 0,
            span: None,
            fps: None,
            unit: None,
            edges: None,
            species: SpeciesById::default(),
            notes: Vec::new(),
        }
    }

    /// Adds a row; one whose position is NaN is counted and left out.
    pub(crate) fn push(&mut self, row: Row) -> Result<(), RecordError> {
        if row.position.iter().any(|x| x.is_nan()) {
            self.missing += 1;
            return Ok(());
        }
        // Checked before the list doubles, so that an endless file is refused before the machine swaps.
        if self.rows.len() == self.rows.capacity() {
            memory::room_for(self.rows.len() as u128 * 2, &self.shown)?;
        }
        self.rows.push(row);
        Ok(())
    }
}
