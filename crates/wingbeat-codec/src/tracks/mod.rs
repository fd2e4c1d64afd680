//! Tracks mended: gaps filled, positions smoothed, one individual after the other.
//!
//! ```text
//! rows by frame and id ──► by id and frame ──► spline.rs fills gaps
//!     ──► smooth.rs, stretch by stretch ──► by frame and id
//! ```
//!
//! Beside what sorting holds, at most a window of rows is in memory, however long tracks are.

mod smooth;
mod spline;

use std::io;

use crate::RecordError;
use crate::row::Row;
use crate::store::{FrameRange, Order, Store, Unsorted};
use crate::watch::Watch;

pub use smooth::Smooth;
use smooth::Smoother;
use spline::Filler;

/// Rows between two looks at whether to go on.
const BETWEEN_LOOKS: u64 = 1 << 12;

/// What is to be done with tracks.
#[derive(Clone, Copy, Debug)]
pub struct Mending {
    /// Positions missing in the longest gap that is filled.
    pub fill_gaps: u64,
    /// How positions are smoothed, where they are.
    pub smooth: Option<Smooth>,
    /// How far apart frames of an unbroken track are.
    pub frame_step: i64,
    /// Frames per second.
    pub fps: f64,
    /// Whether velocities are the file's own: then filled positions get one too, else all are
    /// differences of positions.
    pub has_velocities: bool,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mended {
    /// Gaps that were filled.
    pub gaps_filled: u64,
    /// Positions in them.
    pub positions_filled: u64,
    /// Positions that were smoothed.
    pub positions_smoothed: u64,
    /// Stretches shorter than the window.
    pub short_stretches: u64,
    /// Positions in them.
    pub positions_not_smoothed: u64,
}

/// Why it was not done to the end.
#[derive(Debug)]
pub enum Trouble {
    /// Of a temporary file.
    Io(io::Error),
    /// Of the recording, or asked for.
    Other(RecordError),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<RecordError> for Trouble {
    fn from(error: RecordError) -> Self {
        Self::Other(error)
    }
}

impl Mending {
    /// All rows with gaps filled and positions smoothed.
    ///
    /// # Errors
    /// When rows cannot be read or sorted, or `watch` says to stop.
    pub fn mend(
        &self,
        store: &Store,
        moments: &[FrameRange],
        watch: Watch<'_>,
    ) -> Result<(Store, Vec<FrameRange>, Mended), Trouble> {
        let rows: u64 = moments.iter().map(|moment| moment.rows.end - moment.rows.start).sum();
        let mut by_track = Unsorted::ordered(Order::Track);
        let mut done = 0;
        let mut look = |count: u64| {
            done += count;
            // Read once by frames and once by tracks.
            let is_due = done % BETWEEN_LOOKS < count;
            if is_due && !watch(done, 2 * rows) { Err(RecordError::Stopped) } else { Ok(()) }
        };
        for moment in moments {
            let rows = store.rows(moment)?;
            look(rows.len() as u64)?;
            rows.iter().try_for_each(|row| by_track.push(*row))?;
        }
        let mut mended = Mended::default();
        let mut out = Unsorted::default();
        let mut filler = Filler::new(self);
        let mut smoother = self.smooth.map(|smooth| Smoother::new(smooth, self));
        by_track.each(|row| -> Result<(), Trouble> {
            look(1)?;
            filler.take(Some(row), &mut mended, |row, mended| {
                hand_on(&mut smoother, row, mended, &mut out)
            })?;
            Ok(())
        })?;
        filler
            .take(None, &mut mended, |row, mended| hand_on(&mut smoother, row, mended, &mut out))?;
        if let Some(smoother) = &mut smoother {
            smoother.end(&mut mended, |row| out.push(row))?;
        }
        let (store, moments, _) = out.sorted()?;
        Ok((store, moments, mended))
    }
}

/// To the smoother, or where there is none to what is kept.
fn hand_on(
    smoother: &mut Option<Smoother>,
    row: Row,
    mended: &mut Mended,
    out: &mut Unsorted,
) -> io::Result<()> {
    match smoother {
        Some(smoother) => smoother.take(row, mended, |row| out.push(row)),
        None => out.push(row),
    }
}

#[cfg(test)]
mod tests;
