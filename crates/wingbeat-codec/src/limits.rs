//! Numbers beyond which nothing is taken, whatever the format.

use std::ops::RangeInclusive;

/// Frames per second that are taken.
pub const FPS: RangeInclusive<f64> = 1e-6..=1e6;
/// Largest coordinate taken, as in the engine.
pub const FARTHEST: f64 = 1e30;
/// Last frame number taken: beyond, times are not exact.
pub const LAST_FRAME: i64 = 1 << 53;
