//! From a block to its candidates: the box test that lists them, and the loop that broadcasts them.
//!
//! ```text
//! for each run of slots within reach of the block's box, ascending:
//!     gap ← distance from the box to each of LANES positions, through the run's image
//!     list the slots whose gap² ≤ reach², in order and without a branch;
//!         hand the list on when it is full
//! for each listed slot:
//!     offset, distance ← from every lane to its position; infinite in the lane of the boid itself
//!     visitor.visit(candidate), which may defer it
//! for each deferred slot, in the same order:
//!     visitor.visit_deferred(candidate)
//! ```

use wingbeat_steer::Domain;

use crate::domain::nearest_image;
use crate::grid::Run;
use crate::neighbors::list::{LIST, List};
use crate::neighbors::{Block, BlockLanes, Candidate, CandidateVisitor, LaneFinder, SortedFlock};
use crate::simd::{Float, MAX_LANES, Mask, Outlined, Simd, Vectors};

/// How offsets are taken, known when the loop is compiled.
pub(crate) const DIRECT: u8 = 0;
pub(crate) const SHIFTED: u8 = 1;
pub(crate) const NEAREST: u8 = 2;

/// A list of candidates that are seen through one shift.
#[derive(Clone, Copy)]
pub(crate) struct Found<const D: usize> {
    pub len: usize,
    /// Seen directly: from where to where in the list a boid may meet itself.
    pub own: (usize, usize),
    pub shift: [f32; D],
}

/// Walks the runs of a search, listing what passes the box test, a list at a time.
pub(crate) struct Collector<'r, const D: usize> {
    runs: &'r [Run<D>],
    /// Where to go on within the first of `runs`.
    next: usize,
    pub found: Found<D>,
}

impl<'r, const D: usize> Collector<'r, D> {
    #[inline(always)]
    pub fn new(runs: &'r [Run<D>]) -> Self {
        let next = runs.first().map_or(0, |run| run.first as usize);
        Self { runs, next, found: Found { len: 0, own: (0, 0), shift: [0.0; D] } }
    }

    /// Whether all are listed.
    #[inline(always)]
    pub fn is_done(&self) -> bool {
        self.runs.is_empty()
    }

    /// Fills the list with those up to a distance, squared.
    #[inline(always)]
    pub fn fill<S: Simd>(
        &mut self,
        s: S,
        flock: &SortedFlock<'_, D>,
        block: &Block<S, D>,
        list: &mut List,
        reach_sq: f32,
        per_lane: bool,
    ) {
        let shift = self.runs.first().map_or([0.0; D], |run| run.shift);
        self.found = Found { len: 0, own: (0, 0), shift };
        // A loop for each way to take gaps, so that the usual one is short.
        if per_lane {
            self.fill_through::<S, NEAREST>(s, flock, block, list, reach_sq, shift);
        } else if shift != [0.0; D] {
            self.fill_through::<S, SHIFTED>(s, flock, block, list, reach_sq, shift);
        } else {
            self.fill_through::<S, DIRECT>(s, flock, block, list, reach_sq, shift);
        }
    }

    #[inline(always)]
    fn fill_through<S: Simd, const IMAGES: u8>(
        &mut self,
        s: S,
        flock: &SortedFlock<'_, D>,
        block: &Block<S, D>,
        list: &mut List,
        reach_sq: f32,
        shift: [f32; D],
    ) {
        let (own_first, own_last) =
            (block.lane_slots.slot(0), block.lane_slots.slot(block.count - 1));
        let (low, high) =
            (Vectors::<S, D>::splat(s, block.low), Vectors::<S, D>::splat(s, block.high));
        let shifts = Vectors::<S, D>::splat(s, shift);
        let (radius_sq, zero) = (s.splat(reach_sq), s.splat(0.0));
        // Cut to one length, so that one bounds check serves all axes.
        let rows = flock.identity.rank.len();
        let mut columns = [NONE; D];
        for a in 0..D {
            columns[a] = &flock.columns.position[a][..rows];
        }
        let mut len = self.found.len;
        // Slots ascend: own ones are between the last step that begins before them and the last
        // that does not begin behind them.
        let mut own = (len, len);
        'runs: while let Some(run) = self.runs.first() {
            if IMAGES != NEAREST && run.shift != shift {
                break;
            }
            let (mut next, end) = (self.next, run.end as usize);
            while next < end {
                if len > LIST - MAX_LANES {
                    self.next = next;
                    break 'runs;
                }
                let position = Vectors::load(s, &columns, next);
                let mut gap = Vectors::<S, D>::zero(s);
                for a in 0..D {
                    gap[a] = match IMAGES {
                        // To the nearest point of the box: the same difference, of whichever sign,
                        // with an operation less.
                        DIRECT => position[a] - position[a].max(low[a]).min(high[a]),
                        SHIFTED => {
                            let (above, below) = (position[a] - high[a], low[a] - position[a]);
                            (above - shifts[a]).max(below + shifts[a]).max(zero)
                        }
                        _ => gap_nearest(
                            s,
                            position[a] - high[a],
                            low[a] - position[a],
                            flock.domain.side(a),
                        ),
                    };
                }
                let near = gap.dot(gap).le_within(radius_sq, s.first(S::LANES.min(end - next)));
                own.0 = if next <= own_first { len } else { own.0 };
                len = s.push_slots(list, len, next as u32, near);
                own.1 = if next <= own_last { len } else { own.1 };
                next += S::LANES;
            }
            self.runs = &self.runs[1..];
            self.next = self.runs.first().map_or(0, |run| run.first as usize);
        }
        (self.found.len, self.found.own) = (len, own);
    }
}

/// [`Collector::fill`] as a function of its own, compiled once for all visitors but the hottest.
pub(crate) struct FillList<'a, 'r, S: Simd, const D: usize> {
    pub collector: &'a mut Collector<'r, D>,
    pub flock: &'a SortedFlock<'a, D>,
    pub block: &'a Block<S, D>,
    pub list: &'a mut List,
    pub reach_sq: f32,
    pub per_lane: bool,
}

impl<S: Simd, const D: usize> Outlined<S> for FillList<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { collector, flock, block, list, reach_sq, per_lane } = self;
        collector.fill(s, flock, block, list, reach_sq, per_lane);
    }
}

/// The gap to the box through whichever image is nearest: never more than any lane's own offset.
#[inline(always)]
pub(crate) fn gap_nearest<S: Simd>(s: S, above: S::F, below: S::F, side: f32) -> S::F {
    let side = s.splat(side);
    let direct = above.max(below);
    let up = (above - side).max(below + side);
    let down = (above + side).max(below - side);
    direct.min(up).min(down).max(s.splat(0.0))
}

/// A list of candidates on its way to the visitor.
pub(crate) struct CandidateList<'a, S: Simd, const D: usize> {
    pub flock: &'a SortedFlock<'a, D>,
    pub block: &'a Block<S, D>,
    pub slots: &'a [u32],
    /// Room for the slots that are deferred: longer than the list where visitors defer.
    pub deferred: &'a mut [u32],
    /// As in [`Found`].
    pub own: (usize, usize),
    pub shift: [f32; D],
    /// Whether each lane has an image of its own.
    pub per_lane: bool,
}

impl<S: Simd, const D: usize> CandidateList<'_, S, D> {
    /// Shows all of it to the visitor, in a loop that is compiled for them.
    #[inline(always)]
    pub fn show<E: CandidateVisitor<S, D>>(self, s: S, visitor: &mut E) {
        let Self { flock, block, slots: list, deferred, own, shift, per_lane } = self;
        if shift == [0.0; D] && !(E::ANY_BOX && per_lane) {
            s.outline(Consume::<S, E, DIRECT, D> {
                flock,
                block,
                list,
                deferred,
                own,
                shift,
                visitor,
            });
        } else if E::ANY_BOX {
            s.outline(Consume::<S, E, NEAREST, D> {
                flock,
                block,
                list,
                deferred,
                own,
                shift,
                visitor,
            });
        } else {
            s.outline(Consume::<S, E, SHIFTED, D> {
                flock,
                block,
                list,
                deferred,
                own,
                shift,
                visitor,
            });
        }
    }
}

/// Broadcasts each listed slot to the block and hands it to the visitor.
pub(crate) struct Consume<'a, S: Simd, E, const IMAGES: u8, const D: usize> {
    pub flock: &'a SortedFlock<'a, D>,
    pub block: &'a Block<S, D>,
    pub list: &'a [u32],
    /// Room for the slots that are deferred: longer than the list where visitors defer.
    pub deferred: &'a mut [u32],
    /// As in [`Found`].
    pub own: (usize, usize),
    pub shift: [f32; D],
    pub visitor: &'a mut E,
}

impl<S: Simd, E: CandidateVisitor<S, D>, const IMAGES: u8, const D: usize> Outlined<S>
    for Consume<'_, S, E, IMAGES, D>
{
    #[inline(always)]
    fn run(self, s: S) {
        // A copy, so that sums stay in registers.
        let mut visitor = *self.visitor;
        let broadcast = Broadcast::<S, IMAGES, D>::new(s, self.flock, self.block, self.shift);
        let mut deferred = Deferred { slots: self.deferred, len: 0 };
        if IMAGES == DIRECT && !E::MEETS_ITSELF {
            let (from, to) = self.own;
            // One loop for both sides of the own part, so that what is inlined into it exists once.
            let mut side = &self.list[..from];
            for after in [false, true] {
                for &slot in side {
                    let again = visitor.visit_or_defer(
                        s,
                        &broadcast.own,
                        &broadcast.other(s, slot as usize, false),
                    );
                    deferred.push_if::<S, E, D>(slot, again);
                }
                if !after {
                    for &slot in &self.list[from..to] {
                        let again = visitor.visit_or_defer(
                            s,
                            &broadcast.own,
                            &broadcast.other(s, slot as usize, true),
                        );
                        deferred.push_if::<S, E, D>(slot, again);
                    }
                    side = &self.list[to..];
                }
            }
        } else {
            // No boid is its own image through a fixed shift.
            let own = IMAGES == NEAREST && !E::MEETS_ITSELF;
            for &slot in self.list {
                let again = visitor.visit_or_defer(
                    s,
                    &broadcast.own,
                    &broadcast.other(s, slot as usize, own),
                );
                deferred.push_if::<S, E, D>(slot, again);
            }
        }
        if E::DEFERS {
            let own = IMAGES != SHIFTED && !E::MEETS_ITSELF;
            for &slot in &deferred.slots[..deferred.len] {
                visitor.visit_deferred(s, &broadcast.own, &broadcast.other(s, slot as usize, own));
            }
        }
        *self.visitor = visitor;
    }
}

/// Slots to visit again.
struct Deferred<'a> {
    slots: &'a mut [u32],
    len: usize,
}

impl Deferred<'_> {
    /// Without a branch: which candidates are deferred cannot be predicted.
    #[inline(always)]
    fn push_if<S: Simd, E: CandidateVisitor<S, D>, const D: usize>(
        &mut self,
        slot: u32,
        again: bool,
    ) {
        if E::DEFERS {
            self.slots[self.len] = slot;
            self.len += usize::from(again);
        }
    }
}

/// The columns and the block, ready for candidates.
struct Broadcast<'a, S: Simd, const IMAGES: u8, const D: usize> {
    domain: &'a Domain<[f32; D]>,
    position: [&'a [f32]; D],
    velocity: [&'a [f32]; D],
    aligned: [&'a [f32]; D],
    own: BlockLanes<S, D>,
    finder: LaneFinder<S>,
    shifts: Vectors<S, D>,
}

impl<'a, S: Simd, const IMAGES: u8, const D: usize> Broadcast<'a, S, IMAGES, D> {
    #[inline(always)]
    fn new(s: S, flock: &'a SortedFlock<'a, D>, block: &Block<S, D>, shift: [f32; D]) -> Self {
        // All columns cut to one length, so that one bounds check serves them all.
        let rows = flock.identity.rank.len();
        let (mut position, mut velocity, mut aligned) = ([NONE; D], [NONE; D], [NONE; D]);
        for a in 0..D {
            position[a] = &flock.columns.position[a][..rows];
            velocity[a] = &flock.columns.velocity[a][..rows];
            aligned[a] = &flock.aligned[a][..rows];
        }
        let shifts = Vectors::<S, D>::splat(s, shift);
        Self {
            domain: flock.domain,
            position,
            velocity,
            aligned,
            own: block.own,
            finder: block.lane_slots.finder(s),
            shifts,
        }
    }

    /// A slot as the block sees it. `own`, known when compiled: it may be of the block itself, and
    /// must not meet itself.
    #[inline(always)]
    fn other(&self, s: S, slot: usize, own: bool) -> Candidate<S, D> {
        let position = row(s, &self.position, slot);
        let mut offset = position - self.own.position;
        for a in 0..D {
            offset[a] = match IMAGES {
                DIRECT => offset[a],
                SHIFTED => offset[a] - self.shifts[a],
                _ => nearest_image(s, offset[a], self.domain.side(a)),
            };
        }
        let mut distance_sq = offset.dot(offset);
        if own {
            distance_sq = self.finder.lane_of(s, slot).select(s.splat(f32::INFINITY), distance_sq);
        }
        Candidate {
            position,
            offset,
            slot,
            distance_sq,
            distance: distance_sq.sqrt(),
            velocity: row(s, &self.velocity, slot),
            aligned: row(s, &self.aligned, slot),
        }
    }
}

/// A column not yet known.
const NONE: &[f32] = &[];

/// One slot of every column, broadcast.
#[inline(always)]
fn row<S: Simd, const D: usize>(s: S, columns: &[&[f32]; D], slot: usize) -> Vectors<S, D> {
    let mut row = Vectors::zero(s);
    for a in 0..D {
        row[a] = s.splat(columns[a][slot]);
    }
    row
}
