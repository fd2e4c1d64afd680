//! The list of candidates of a block.

use crate::simd::MAX_LANES;

/// Candidates listed before they are summed: 4 KiB of slots stay in the first-level cache, and a
/// clump of any size fits.
pub(crate) const LIST: usize = 1024;

/// Neighbors of a block in a crowd that are sorted by slot at once; hardly ever more than a few
/// hundred.
pub(crate) const ROOM: usize = 4096;

/// A list, and room for the widest push behind its end.
pub(crate) type List = [u32; ROOM + MAX_LANES];

/// A list that need not be made again: all candidates up to a distance, seen directly.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Listed {
    /// 0 without one.
    pub len: usize,
    /// From where to where a boid may meet itself.
    pub own: (usize, usize),
    /// Square of the distance up to which it holds all.
    pub reach_sq: f32,
    /// Whether it holds only those that are among the nearest of some lane, which the next look
    /// wants.
    pub chosen: bool,
}

/// Where less than this part of the squared distance is wanted, candidates are listed anew, up to
/// there.
const LIST_ANEW: f32 = 0.6;

impl Listed {
    /// Whether it serves a search up to this distance, squared.
    #[inline(always)]
    pub fn serves(&self, reach_sq: f32) -> bool {
        self.len > 0
            && (self.chosen || (reach_sq <= self.reach_sq && reach_sq >= self.reach_sq * LIST_ANEW))
    }
}
