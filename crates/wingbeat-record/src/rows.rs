//! What formats fill: one row per sighting.

use crate::snapshot::Edges;
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
    /// Who.
    pub id: u64,
    /// Position; in the plane the third is 0.
    pub position: [f64; 3],
    /// Velocity, per second; NaN where it is not known.
    pub velocity: [f64; 3],
}

/// Rows as a file has them.
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
    /// Frames the file says it has, first and last, where it says so.
    pub span: Option<(i64, i64)>,
    /// Frames per second, where the file says so.
    pub fps: Option<f64>,
    /// What lies at the edges, where the file says so.
    pub edges: Option<Edges>,
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
            edges: None,
            notes: Vec::new(),
        }
    }

    /// Takes a row; one whose position is not a number is counted and left out.
    pub(crate) fn push(&mut self, row: Row) -> Result<(), RecordError> {
        if row.position.iter().any(|x| x.is_nan()) {
            self.missing += 1;
            return Ok(());
        }
        // Asked before the list doubles, so that an endless file is refused rather than swapped.
        if self.rows.len() == self.rows.capacity() && self.rows.len() >= 1 << 16 {
            memory::room_for(self.rows.len() as u128 * 2, &self.shown)?;
        }
        self.rows.push(row);
        Ok(())
    }
}
