//! Whom each lane of a block looks at, where that is known: lanes then take one neighbour of their own after the other, instead of
//! all taking every candidate.
//!
//! ```text
//! of those kept by the search:  each lane takes who is within its limit     (as many as k, since none is tied)
//! slots in lanes, sorted by the network that sorts distances                (floats, exact below 2²⁴)
//! for each round: lanes collect the columns of their next neighbour, and every rule looks at it
//! ```
#![forbid(unsafe_code)]

use std::cell::Cell;

use wingbeat_steer::Vector;

use super::candidates::{Block, collect};
use super::eyes::Eyes;
use super::smallest::{BATCH, Merge, kept_for};
use super::world::World;
use crate::grid::{Fine, Run};
use crate::rule::Other;
use crate::rule::nearest::MOST;
use crate::simd::{Float, MAX_LANES, Mask, Piece, Simd};

/// Candidates of a search that are kept: a block of sixteen has 100 to 500 that come near enough.
pub(super) const KEPT: usize = 1024;

/// Nobody.
const NONE: u32 = u32::MAX;

/// Work space of the choice: some 80 KiB a thread, of which crowds use the most.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// Of candidates kept, their squared distances in lanes; infinite for who does not see them.
    pub distance_sq: [[f32; MAX_LANES]; KEPT],
    pub places: [u32; KEPT],
    /// Who sees a place, and the place, of those within somebody's limit.
    hits: [(u32, u32); KEPT],
    /// Slots that lanes look at, counted from the first of the search; infinite beyond.
    slots: [[f32; MAX_LANES]; MOST],
    /// Round by round: a place for each lane, or [`NONE`].
    rounds: [[u32; MAX_LANES]; MOST],
}

impl Chosen {
    pub const fn new() -> Self {
        Self {
            distance_sq: [[0.0; MAX_LANES]; KEPT],
            places: [0; KEPT],
            hits: [(0, 0); KEPT],
            slots: [[0.0; MAX_LANES]; MOST],
            rounds: [[NONE; MAX_LANES]; MOST],
        }
    }
}

/// Finds who is within every lane's limit, of the first `kept`, by ascending slot; how many rounds it takes. `None` where it has to be
/// done in another way: images, or a flock whose slots are too many for floats.
#[inline(always)]
pub(super) fn choose<S: Simd, const D: usize>(
    s: S,
    fine: &Fine<D>,
    runs: &[Run<D>],
    chosen: &mut Chosen,
    kept: usize,
    limit: S::F,
    k: usize,
) -> Option<usize> {
    let (first, last) = (runs.first()?.first, runs.last()?.end);
    if last - first > 1 << f32::MANTISSA_DIGITS || runs.iter().any(|run| run.shift != [0.0; D]) {
        return None;
    }
    // Few are within anybody's limit, so these first, without a branch.
    let mut found = 0;
    for at in 0..kept {
        let bits = s.load(&chosen.distance_sq[at], 0).le(limit).bits();
        chosen.hits[found] = (bits, chosen.places[at]);
        found += usize::from(bits != 0);
    }
    let (slots, mut count) = (&mut chosen.slots[..k], [0; MAX_LANES]);
    slots.fill([f32::INFINITY; MAX_LANES]);
    for hit in 0..found {
        let (mut bits, place) = chosen.hits[hit];
        let slot = (fine.slot[place as usize] - first) as f32;
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            slots[count[lane]][lane] = slot;
            count[lane] += 1;
        }
    }
    let mut sorted = [s.splat(f32::INFINITY); MOST + 1];
    let sorted = &Cell::from_mut(&mut sorted[..]).as_slice_of_cells()[..=kept_for(k)];
    for new in Cell::from_mut(slots).as_slice_of_cells().chunks(BATCH) {
        s.outline(Merge { kept: sorted, new });
    }
    let mut rounds = 0;
    for round in 0..k {
        let mut slots = [f32::INFINITY; MAX_LANES];
        sorted[round].get().store(&mut slots);
        for lane in 0..S::LANES {
            let some = slots[lane] < f32::INFINITY;
            rounds = if some { round + 1 } else { rounds };
            chosen.rounds[round][lane] = if some { fine.place[first as usize + slots[lane] as usize] } else { NONE };
        }
    }
    Some(rounds)
}

/// Shows every lane its own neighbours, as a function of its own.
pub(super) struct Gather<'a, S: Simd, E, const D: usize>
where
    [f32; D]: Vector,
{
    pub world: &'a World<'a, D>,
    pub block: &'a Block<S, D>,
    pub chosen: &'a Chosen,
    pub rounds: usize,
    pub eyes: &'a mut E,
}

impl<S: Simd, E: Eyes<S, D>, const D: usize> Piece<S> for Gather<'_, S, E, D>
where
    [f32; D]: Vector,
{
    #[inline(always)]
    fn run(self, s: S) {
        let (world, own) = (self.world, self.block.own);
        let mut eyes = *self.eyes;
        for round in 0..self.rounds {
            // Whoever has nobody left collects the first place of all, and does not see it.
            let mut places = self.chosen.rounds[round];
            let mut there = 0;
            for lane in 0..S::LANES {
                if places[lane] == NONE {
                    places[lane] = 0;
                } else {
                    there |= 1 << lane;
                }
            }
            let there = s.mask(there);
            let position = collect(s, &world.columns.position, &places);
            let offset = position - own.position;
            let velocity = collect(s, &world.columns.velocity, &places);
            let aligned = if world.prepared.aligns_headings { collect(s, &world.aligned, &places) } else { velocity };
            let distance_sq = there.select(offset.dot(offset), s.splat(f32::INFINITY));
            let distance = distance_sq.sqrt();
            let other = Other { position, offset, slot: 0, distance_sq, distance, velocity, aligned };
            eyes.visit(s, &own, &other);
        }
        *self.eyes = eyes;
    }
}
