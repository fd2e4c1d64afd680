//! Crowds: from a block to its candidates where columns are in the finer order (grid/fine.rs).
//!
//! All columns are in that order here, so what the rest of the kernel calls a slot is a place. The nearest are searched for in rings:
//!
//! ```text
//! [from, to) ← up to half the extent of the block's own box of sixteen
//! until no lane's bound reaches as far as `from`:                         (a lane's bound: the least d² that changes nothing)
//!     for each run of slots within the radius, down the boxes of boxes:
//!         skip what no lane has within its bound and, widely, within its sight
//!         list boxes of sixteen whose distance from the nearest lane is in the ring
//!     whenever some are listed: broadcast them, and bounds shrink
//!     [from, to) ← to, twice as far; everything, once all bounds are about as near
//! ```
//!
//! The sums then visit those that some lane chose (kernel/chosen.rs), sorted by slot. Distances to boxes are built like those of the box test:
//! no rounding makes a box further than what is in it. Sight is tested with slack.

use super::candidates::{Consume, DIRECT, NEAREST};
use super::chosen::{KEPT, by_slot};
use super::list::{List, ROOM};
use super::world::World;
use crate::block::{Block, Eyes};
use crate::grid::{FAN, Fine, Run};
use crate::simd::{Float, Mask, Simd};

mod walk;

use walk::{FillRing, Walk};

/// A search looks at those listed once they are so many: bounds shrink with each list.
const ENOUGH: usize = 128;

/// How far the first ring reaches where sixteen are looked for in every direction, in extents of a box of sixteen, squared: so far
/// that most blocks need no second.
const FIRST_RING: f32 = 0.45;
/// The same for blocks of fewer lanes, which see less far apart.
const FIRST_RING_OF_FEWER: f32 = 0.25;

/// What `eyes` see from the block: searched for in rings, or summed by ascending slot.
#[inline(always)]
pub(super) fn look_about<S: Simd, E: Eyes<S, D>, const PER_LANE: bool, const D: usize>(
    s: S,
    world: &World<'_, D>,
    fine: &Fine<D>,
    runs: &[Run<D>],
    list: &mut List,
    mut eyes: E,
    block: &Block<S, D>,
) -> E {
    let begun = eyes;
    let mut walk = Walk::new(fine, runs);
    let enough = if E::SEARCHES { ENOUGH } else { FULL };
    if E::SEARCHES {
        walk.to_sq = first_ring(world, fine, block.seats.slot(0), S::LANES);
    }
    let mut limit = eyes.limit(s);
    loop {
        loop {
            s.outline(FillRing { world, block, walk: &mut walk, limit, list, enough, per_lane: PER_LANE });
            if walk.len == 0 {
                break;
            }
            if !E::SEARCHES {
                if walk.len >= FULL {
                    return look_in_order::<S, E, PER_LANE, D>(s, world, fine, runs, list, begun, block);
                }
                by_slot(fine, &mut list[..walk.len]);
            }
            consume::<S, E, PER_LANE, D>(s, world, block, &list[..walk.len], walk.run.shift, &mut eyes);
            limit = eyes.limit(s);
        }
        let reach_sq = block.own.live.select(limit.distance_sq, s.splat(0.0)).reduce_max();
        if reach_sq < walk.to_sq || walk.to_sq == f32::INFINITY {
            return eyes;
        }
        let to_sq = if reach_sq < walk.to_sq * 16.0 { f32::INFINITY } else { walk.to_sq * 4.0 };
        walk.ring(walk.to_sq, to_sq);
    }
}

/// Sums that list more than this are made run by run instead (`look_in_order`).
const FULL: usize = ROOM - FAN * FAN;

/// Square of where the first ring ends.
#[inline(always)]
fn first_ring<const D: usize>(world: &World<'_, D>, fine: &Fine<D>, place: usize, lanes: usize) -> f32 {
    let extent = fine.widest(place);
    let part = if lanes < FAN { FIRST_RING_OF_FEWER } else { FIRST_RING };
    let (first, least) = (extent * extent * part * fine.spread, world.prepared.radius_sq * wingbeat_steer::COINCIDENT);
    if first > least { first } else { least }
}

/// The sums of a block that sees more than a list holds: all of the runs by ascending slot.
#[inline(always)]
fn look_in_order<S: Simd, E: Eyes<S, D>, const PER_LANE: bool, const D: usize>(
    s: S,
    world: &World<'_, D>,
    fine: &Fine<D>,
    runs: &[Run<D>],
    list: &mut List,
    mut eyes: E,
    block: &Block<S, D>,
) -> E {
    for run in runs {
        for places in fine.place[run.first as usize..run.end as usize].chunks(ROOM) {
            list[..places.len()].copy_from_slice(places);
            consume::<S, E, PER_LANE, D>(s, world, block, &list[..places.len()], run.shift, &mut eyes);
        }
    }
    eyes
}

/// Broadcasts the listed places. A boid may meet itself anywhere in a list that is seen directly.
#[inline(always)]
fn consume<S: Simd, E: Eyes<S, D>, const PER_LANE: bool, const D: usize>(
    s: S,
    world: &World<'_, D>,
    block: &Block<S, D>,
    list: &[u32],
    shift: [f32; D],
    eyes: &mut E,
) {
    // No more at once than the eyes may keep.
    for list in list.chunks(KEPT) {
        let own = (0, list.len());
        if PER_LANE || shift != [0.0; D] {
            s.outline(Consume::<S, E, NEAREST, true, D> { world, block, list, own, shift, eyes });
        } else {
            s.outline(Consume::<S, E, DIRECT, true, D> { world, block, list, own, shift, eyes });
        }
    }
}
