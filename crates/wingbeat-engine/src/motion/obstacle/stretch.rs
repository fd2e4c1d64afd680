//! Obstacles near a stretch of consecutive boids: found in the tree once, then picked in lanes.
//!
//! The tree is searched with a box around all of the stretch. What it finds becomes columns of
//! ends, and each register tests its own box against these, as many boxes at once as there are
//! lanes: a few instructions instead of a walk down the tree.

use crate::motion::obstacle::tree::{Ends, TreeHits};
use crate::simd::{Float, MAX_LANES, Simd};

/// Boxes near a stretch of boids.
#[derive(Debug, Default)]
pub(super) struct Stretch {
    /// What the tree has found.
    pub hits: TreeHits,
    /// Lowest and highest ends of these boxes, axis by axis, filled up to whole registers with
    /// boxes that nothing meets.
    ends: [[Vec<f32>; 3]; 2],
    /// Which of them one register meets: their places in `hits.list`, ascending, and room for more.
    near: Vec<u32>,
}

impl Stretch {
    /// Writes the ends of the boxes in `hits.list` into columns.
    #[inline(always)]
    pub fn spread<const D: usize>(&mut self, get: impl Fn(u64) -> Ends<D>) {
        let Self { hits, ends: [low, high], near } = self;
        let count = hits.list.len();
        let whole = count.next_multiple_of(MAX_LANES);
        for a in 0..D {
            low[a].clear();
            high[a].clear();
            low[a].resize(whole, f32::INFINITY);
            high[a].resize(whole, f32::NEG_INFINITY);
        }
        for (k, &found) in hits.list.iter().enumerate() {
            let (below, above) = get(found);
            for a in 0..D {
                (low[a][k], high[a][k]) = (below[a], above[a]);
            }
        }
        if near.len() < whole + MAX_LANES {
            near.resize(whole + MAX_LANES, 0);
        }
    }

    /// Places in `hits.list` of the boxes that meet `low`…`high`, ascending.
    #[inline(always)]
    pub fn meeting<S: Simd, const D: usize>(
        &mut self,
        s: S,
        low: &[f32; D],
        high: &[f32; D],
    ) -> usize {
        let mut len = 0;
        for at in (0..self.hits.list.len()).step_by(S::LANES) {
            let mut meet = s.first(S::LANES);
            for a in 0..D {
                let (below, above) = (s.load(&self.ends[0][a], at), s.load(&self.ends[1][a], at));
                meet = meet & below.le(s.splat(high[a])) & s.splat(low[a]).le(above);
            }
            len = s.push_slots(&mut self.near, len, at as u32, meet);
        }
        len
    }

    /// The `k`-th of those that [`meeting`](Self::meeting) found last: its place in `hits.list`.
    #[inline(always)]
    pub fn near(&self, k: usize) -> usize {
        self.near[k] as usize
    }

    /// The ends of the box at a place in `hits.list`.
    #[inline(always)]
    pub fn ends<const D: usize>(&self, place: usize) -> Ends<D> {
        let (mut low, mut high) = ([0.0; D], [0.0; D]);
        for a in 0..D {
            (low[a], high[a]) = (self.ends[0][a][place], self.ends[1][a][place]);
        }
        (low, high)
    }
}
