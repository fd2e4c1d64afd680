//! Bounds of displacements of a block, in registers: one of each number for each body in the way.

use std::cell::Cell;

use wingbeat_steer::body::{Bound, SLACK};

use crate::motion::body::keep::Looking;
use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor, SearchScratch};
use crate::simd::{Float, MAX_LANES, Mask, Simd, Vectors, store_cells};

/// What one worker thread needs for bodies; reused in every step.
#[derive(Debug, Default)]
pub(crate) struct BodyScratch<const D: usize> {
    pub look: SearchScratch<D>,
    pub bounds: BoundTable,
    /// What each boid looks at of them.
    pub packed: BoundTable,
    /// Bounds of one boid by obstacles.
    pub of_obstacles: Vec<Bound<[f32; D]>>,
}

/// Bounds one after the other, each of D + 2 registers: the normal, how far ways go while sliding,
/// and how far at last. Both are infinite in lanes that a bound does not concern.
#[derive(Debug, Default)]
pub(crate) struct BoundTable {
    values: Vec<f32>,
    len: usize,
}

/// Numbers of a bound of the widest register in space.
const WIDEST: usize = 5 * MAX_LANES;

impl BoundTable {
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Room for so many more.
    pub fn reserve(&mut self, more: usize) {
        let wanted = (self.len + more) * WIDEST;
        if self.values.len() < wanted {
            self.values.resize(wanted, 0.0);
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// The same memory for visitors, which are copied about.
    pub fn cells(&mut self) -> &[Cell<f32>] {
        Cell::from_mut(self.values.as_mut_slice()).as_slice_of_cells()
    }

    #[inline(always)]
    pub fn push<S: Simd, const D: usize>(&mut self, bound: &LaneBound<S, D>) {
        self.reserve(1);
        let at = self.len * WIDEST;
        let row = &mut self.values[at..at + WIDEST];
        for a in 0..D {
            bound.normal[a].store(&mut row[a * MAX_LANES..]);
        }
        bound.while_sliding.store(&mut row[D * MAX_LANES..]);
        bound.at_last.store(&mut row[(D + 1) * MAX_LANES..]);
        self.len += 1;
    }

    #[inline(always)]
    pub fn load<S: Simd, const D: usize>(&self, s: S, place: usize) -> LaneBound<S, D> {
        let row = &self.values[place * WIDEST..(place + 1) * WIDEST];
        let mut normal = Vectors::zero(s);
        for a in 0..D {
            normal[a] = s.load(row, a * MAX_LANES);
        }
        LaneBound {
            normal,
            while_sliding: s.load(row, D * MAX_LANES),
            at_last: s.load(row, (D + 1) * MAX_LANES),
        }
    }

    /// The bounds that concern each of the given lanes, one under the other in their order. Each
    /// concerns few of the lanes, so that these are a quarter of the rows, and what follows takes
    /// one after the other.
    #[inline(always)]
    pub fn pack<S: Simd, const D: usize>(&mut self, s: S, all: &BoundTable, active: S::M) {
        self.clear();
        let mut counts = [0; MAX_LANES];
        for row in all.values.chunks_exact(WIDEST).take(all.len) {
            let mut bits =
                (s.load(row, (D + 1) * MAX_LANES).lt(s.splat(f32::INFINITY)) & active).bits();
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let place = counts[lane];
                counts[lane] += 1;
                self.open::<D>(place + 1);
                let packed = &mut self.values[place * WIDEST..(place + 1) * WIDEST];
                for number in 0..D + 2 {
                    packed[number * MAX_LANES + lane] = row[number * MAX_LANES + lane];
                }
            }
        }
    }

    /// One lane of a bound, the other lanes of which are void unless they are set too.
    pub fn set_lane<const D: usize>(&mut self, place: usize, lane: usize, bound: &Bound<[f32; D]>) {
        let row = &mut self.values[place * WIDEST..(place + 1) * WIDEST];
        for a in 0..D {
            row[a * MAX_LANES + lane] = bound.normal[a];
        }
        row[D * MAX_LANES + lane] = bound.while_sliding();
        row[(D + 1) * MAX_LANES + lane] = bound.at_last();
    }

    /// Void bounds, up to so many in all.
    pub fn open<const D: usize>(&mut self, len: usize) {
        while self.len < len {
            self.reserve(1);
            let row = &mut self.values[self.len * WIDEST..(self.len + 1) * WIDEST];
            row[..D * MAX_LANES].fill(0.0);
            row[D * MAX_LANES..].fill(f32::INFINITY);
            self.len += 1;
        }
    }
}

/// A bound, one boid a lane.
#[derive(Clone, Copy)]
pub(crate) struct LaneBound<S: Simd, const D: usize> {
    pub normal: Vectors<S, D>,
    pub while_sliding: S::F,
    pub at_last: S::F,
}

/// Sees bodies, and notes those whose bounds a way may meet.
#[derive(Clone, Copy)]
pub(super) struct BodyVisitor<'a, S: Simd, const D: usize> {
    pub looking: &'a Looking<'a, S, D>,
    pub cells: &'a [Cell<f32>],
    pub len: usize,
    /// Lanes whose way goes beyond a bound.
    pub hindered: S::M,
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for BodyVisitor<'_, S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, _own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let looking = self.looking;
        let distance = other.distance;
        let zero = s.splat(0.0);
        let gap = distance - (looking.radius + s.splat(looking.radii[other.slot]));
        let slack = (looking.scale + (distance + looking.reach)) * s.splat(SLACK);
        let room = looking.share(s, other.slot) * gap.gt(zero).select(gap, zero);
        let while_sliding = room - (slack + slack);
        let concerned = while_sliding.lt(looking.reach) & distance.gt(zero) & looking.lanes;
        if !concerned.any() {
            return;
        }
        let normal = other.offset * (s.splat(1.0) / distance);
        let never = s.splat(f32::INFINITY);
        let row = &self.cells[self.len * WIDEST..(self.len + 1) * WIDEST];
        for a in 0..D {
            // Not a number times zero: a lane that stands on the other has no direction.
            store_cells::<S>(concerned.select(normal[a], zero), &row[a * MAX_LANES..]);
        }
        store_cells::<S>(concerned.select(while_sliding, never), &row[D * MAX_LANES..]);
        store_cells::<S>(concerned.select(room - slack, never), &row[(D + 1) * MAX_LANES..]);
        self.len += 1;
        self.hindered = self.hindered | (concerned & looking.way.dot(normal).gt(while_sliding));
    }
}
