//! Crowds: from a block to its candidates where columns are in the finer order (grid/subcells.rs).
//!
//! All columns are in that order here, so what is a slot to the rest of the kernel is a *place* in
//! the finer order. The nearest are searched for in rings:
//!
//! ```text
//! [from, to) ← up to some half of the extent of the block's own box of sixteen
//! until no lane's bound reaches as far as `from`:
//!         (a lane's bound: the least d² that changes nothing)
//!     for each run of slots within the radius, down the boxes of boxes:
//!         skip boxes outside every lane's bound or, with slack, outside its sight
//!         of boxes of sixteen that begin before `to`: list the places whose distance from the
//!             block's box is in the ring
//!     whenever some are listed: broadcast them, and bounds shrink
//!     [from, to) ← to, twice as far; everything, once all bounds are about as near
//! ```
//!
//! The sums then visit the candidates that some lane keeps (kernel/kept.rs), sorted by slot.
//! Distances to boxes are built like those of the box test: no rounding makes a box further than
//! what is in it. Sight is tested with slack.

use super::search::Candidates;
use crate::grid::{FAN, Run, SubcellOrder};
use crate::kernel::input::StepInput;
use crate::kernel::kept::by_slot;
use crate::neighbors::{Found, NearestLimit, ROOM};
use crate::simd::{Outlined, Simd};

mod walk;

use walk::Walk;

/// A search visits its list once it has this many: bounds shrink with each list.
const ENOUGH: usize = 128;

/// How far the first ring reaches where sixteen are searched in every direction, in extents of a
/// box of sixteen, squared: so far that most blocks need no second.
const FIRST_RING: f32 = 0.45;
/// The same for blocks of fewer lanes, whose boids are less far apart.
const FIRST_RING_OF_FEWER: f32 = 0.25;

/// The candidates of a block of a crowd, a list at a time: searched for in rings, or for sums, by
/// ascending slot.
pub(super) struct Rings<'a, const D: usize> {
    walk: Walk<'a, D>,
    searches: bool,
    /// Set once a list overflows: the runs that are left, which are listed in order from then on,
    /// and where in the first of them to go on.
    in_order: Option<&'a [Run<D>]>,
    next: u32,
}

/// Lists the next candidates within the lanes' limits, as a function of its own.
pub(super) struct NextRing<'a, 'b, 'c, S: Simd, const D: usize> {
    pub rings: &'a mut Rings<'b, D>,
    pub from: &'a mut Candidates<'c, S, D>,
    pub limit: &'a NearestLimit<S>,
    pub found: &'a mut Option<Found<D>>,
}

impl<S: Simd, const D: usize> Outlined<S> for NextRing<'_, '_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        *self.found = self.rings.next(s, self.from, self.limit);
    }
}

impl<'a, const D: usize> Rings<'a, D> {
    #[inline(always)]
    pub fn new<S: Simd>(
        from: &Candidates<'a, S, D>,
        fine: &'a SubcellOrder<D>,
        searches: bool,
    ) -> Self {
        let mut walk = Walk::new(fine, from.runs);
        if searches {
            walk.to_sq = first_ring(from.input, fine, from.block.lane_slots.slot(0), S::LANES);
        }
        Self { walk, searches, in_order: None, next: 0 }
    }

    #[inline(always)]
    fn next<S: Simd>(
        &mut self,
        s: S,
        from: &mut Candidates<'_, S, D>,
        limit: &NearestLimit<S>,
    ) -> Option<Found<D>> {
        loop {
            if let Some(runs) = self.in_order {
                return self.list_in_order(runs, from);
            }
            let (begun, walk) = (self.walk.begun, &mut self.walk);
            walk.fill(s, from, limit, if self.searches { ENOUGH } else { FULL });
            if walk.len == 0 {
                let reach_sq = limit.reach_sq(s, from.block.own.live);
                if reach_sq < walk.to_sq || walk.to_sq == f32::INFINITY {
                    return None;
                }
                let to_sq =
                    if reach_sq < walk.to_sq * 16.0 { f32::INFINITY } else { walk.to_sq * 4.0 };
                walk.ring(walk.to_sq, to_sq);
                continue;
            }
            if !self.searches && walk.len >= FULL {
                let runs = &walk.runs[begun..];
                (self.in_order, self.next) = (Some(runs), runs.first().map_or(0, |run| run.first));
                continue;
            }
            if !self.searches {
                by_slot(walk.fine, &mut from.list[..walk.len]);
            }
            return Some(Found { len: walk.len, own: (0, walk.len), shift: walk.run.shift });
        }
    }

    /// All of the next places of a run, by ascending slot.
    fn list_in_order<S: Simd>(
        &mut self,
        runs: &'a [Run<D>],
        from: &mut Candidates<'_, S, D>,
    ) -> Option<Found<D>> {
        let run = runs.first()?;
        let places = &self.walk.fine.place[self.next as usize..run.end as usize];
        let len = places.len().min(ROOM);
        from.list[..len].copy_from_slice(&places[..len]);
        self.next += len as u32;
        if self.next == run.end {
            self.in_order = Some(&runs[1..]);
            self.next = runs.get(1).map_or(0, |next| next.first);
        }
        Some(Found { len, own: (0, len), shift: run.shift })
    }
}

/// Sums that list more than this are made run by run instead.
const FULL: usize = ROOM - FAN * FAN;

/// Square of where the first ring ends.
#[inline(always)]
fn first_ring<const D: usize>(
    input: &StepInput<'_, D>,
    fine: &SubcellOrder<D>,
    place: usize,
    lanes: usize,
) -> f32 {
    let extent = fine.widest(place);
    let part = if lanes < FAN { FIRST_RING_OF_FEWER } else { FIRST_RING };
    let (first, least) = (
        extent * extent * part * fine.spread,
        input.prepared.radius_sq * wingbeat_steer::COINCIDENT,
    );
    if first > least { first } else { least }
}
