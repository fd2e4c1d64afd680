//! What was found in a file.

use crate::units::{LengthUnit, TimeUnit};

/// What was found in a file, and what was done about it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// Positions in the file that are kept; filled ones are not among them.
    pub positions: usize,
    /// Individuals.
    pub ids: usize,
    /// Frames with at least one position.
    pub frames: usize,
    /// First frame: of the file where the format states it (NPY), else the first with a position.
    pub first_frame: i64,
    /// Last frame, likewise.
    pub last_frame: i64,
    /// The smallest distance between two frames. Tracks are unbroken where one follows the other at
    /// this distance.
    pub frame_step: i64,
    /// Frames from first to last without any position.
    pub empty_frames: u64,
    /// Rows without a position, left out: NaN, or empty cells.
    pub missing_positions: u64,
    /// Breaks inside tracks, as the file has them. Velocities are not taken across those that are
    /// not filled.
    pub gaps: u64,
    /// Positions missing in these gaps, in units of `frame_step`.
    pub gap_frames: u64,
    /// Positions missing in the longest gap.
    pub longest_gap: u64,
    /// Gaps that were filled (`Options::fill_gaps`).
    pub gaps_filled: u64,
    /// Positions that were filled in.
    pub positions_filled: u64,
    /// Positions that were smoothed (`Options::smooth`), filled ones
    /// among them.
    pub positions_smoothed: u64,
    /// Unbroken stretches shorter than the window: left as they are.
    pub short_stretches: u64,
    /// Positions in these.
    pub positions_not_smoothed: u64,
    /// Individuals seen for the first time after the first frame.
    pub late_ids: usize,
    /// Individuals seen for the last time before the last frame.
    pub early_leavers: usize,
    /// Rows whose id and frame occurred before: the first in the file is kept.
    pub duplicates: u64,
    /// Always 0: of one id in one frame at two places, the file is refused.
    pub contradictions: u64,
    /// Moves at least 50 times as long as the median move of their track.
    pub jumps: u64,
    /// Positions exactly at the origin, far from their tracks: they may stand for "not seen".
    pub positions_at_origin: u64,
    /// Rows with an earlier frame than the previous row of the same id; they are sorted in.
    pub out_of_order: u64,
    /// Positions alone between gaps, which have no velocity.
    pub without_velocity: u64,
    /// Whether velocities are the file's own, rather than differences of positions; those of
    /// smoothed positions are neither.
    pub has_velocities: bool,
    /// The unit of lengths as they are here: meters where the file states a unit of length, pixels
    /// where it says so, `None` where it is not known.
    pub length_unit: Option<LengthUnit>,
    /// What coordinates of the file were multiplied by.
    pub scale: f64,
    /// What times count.
    pub time_unit: TimeUnit,
    /// What speeds are per: as times where velocities are differences; of velocities of the file's
    /// own, seconds where a frame rate or the file says so, and `None` where neither does.
    pub speed_time: Option<TimeUnit>,
    /// Anything else worth knowing, one sentence each.
    pub notes: Vec<String>,
}
