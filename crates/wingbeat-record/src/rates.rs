//! Which frame rate a recording has, by the user and by its file.

use crate::RecordError;
use crate::significant;

/// Seconds by which times of a file may be others without a word: they are written to a
/// millisecond.
const LEAST_OFFSET: f64 = 0.001;

/// The frame rate that counts: the user's, the file's, or else one frame per unit of time.
pub(crate) fn frame_rate(
    given: Option<f64>,
    own: Option<f64>,
    has_velocities: bool,
    notes: &mut Vec<String>,
) -> f64 {
    match (given, own) {
        (Some(fps), _) => fps,
        (None, Some(fps)) => {
            // A time step is an f32, whose digits beyond the seventh mean nothing.
            notes.push(format!("{} frames per second, as the file says", significant(fps, 7)));
            fps
        }
        (None, None) => {
            let speeds = if has_velocities { "" } else { ", speeds are lengths per frame" };
            notes.push(format!("no frame rate given: times count frames{speeds}"));
            1.0
        }
    }
}

/// What is to be said of a file's times, where frames over the frame rate are others; refused where
/// no rate fits all of them.
pub(crate) fn of_times(
    shown: &str,
    given: Option<f64>,
    uneven: &Option<String>,
    offset: f64,
) -> Result<Option<String>, RecordError> {
    match (uneven, given) {
        (Some(why), None) => {
            let message =
                format!("{why}: allowed are even times, or --fps F, which counts frames alone");
            Err(RecordError::data(shown, message))
        }
        (Some(why), Some(_)) => Ok(Some(format!("{why}: --fps counts frames alone"))),
        (None, None) if offset.abs() > LEAST_OFFSET => Ok(Some(format!(
            "times count from frame 0, which the file has at {} s",
            significant(offset, 6)
        ))),
        _ => Ok(None),
    }
}
