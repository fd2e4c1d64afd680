//! The list of candidates of a block.

use crate::simd::MAX_LANES;

/// Candidates listed before they are summed: 4 KiB of slots stay in the first-level cache, and a clump of any size fits.
pub(super) const LIST: usize = 1024;

/// Neighbours of a block in a crowd that are sorted by slot at once; hardly ever more than a few hundred.
pub(super) const ROOM: usize = 4096;

/// A list, and room for the widest push behind its end.
pub(super) type List = [u32; ROOM + MAX_LANES];

/// A list that need not be made again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Listed {
    /// 0 without one.
    pub len: usize,
    /// From where to where a boid may meet itself.
    pub own: (usize, usize),
    /// Whether it holds only candidates that are among the nearest of some lane.
    pub chosen: bool,
}
