//! Whom some lane of a block looks at, where only the nearest count: of all whom the search met, those within a lane's limit. The
//! loop that sums then visits them alone.
#![forbid(unsafe_code)]

use super::world::List;
use crate::grid::Fine;
use crate::simd::{Float, MAX_LANES, Mask, Simd};

/// Candidates of a search that are kept: a list of an ordinary flock, and in a crowd all that come near enough, 100 to 500.
pub(super) const KEPT: usize = 1024;

/// What a search met: some 70 KiB a thread, of which crowds use the most.
#[derive(Clone, Debug)]
pub(super) struct Met {
    /// Squared distances in lanes; infinite for who does not see them.
    pub distance_sq: [[f32; MAX_LANES]; KEPT],
    pub slots: [u32; KEPT],
}

impl Met {
    pub const fn new() -> Self {
        Self { distance_sq: [[0.0; MAX_LANES]; KEPT], slots: [0; KEPT] }
    }
}

/// A list that need not be made again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Listed {
    /// 0 without one.
    pub len: usize,
    /// From where to where a boid may meet itself.
    pub own: (usize, usize),
    /// Whether it holds those alone who are among somebody's nearest.
    pub chosen: bool,
}

/// Leaves in a list, whose distances are known, whoever is within some lane's limit.
#[inline(always)]
pub(super) fn prune<S: Simd>(s: S, list: &mut List, listed: Listed, met: &Met, limit: S::F) -> Listed {
    let (list, distance_sq) = (&mut list[..listed.len], &met.distance_sq[..listed.len]);
    let (mut len, mut own) = (0, [0; 2]);
    for (part, (from, to)) in [(0, listed.own.0), listed.own, (listed.own.1, listed.len)].into_iter().enumerate() {
        for at in from..to {
            list[len] = list[at];
            len += usize::from(s.load(&distance_sq[at], 0).le(limit).any());
        }
        if part < 2 {
            own[part] = len;
        }
    }
    Listed { len, own: (own[0], own[1]), chosen: true }
}

/// Lists those of the first `count` met that are within some lane's limit, by ascending slot.
#[inline(always)]
pub(super) fn choose<S: Simd, const D: usize>(
    s: S,
    fine: Option<&Fine<D>>,
    list: &mut List,
    met: &Met,
    count: usize,
    limit: S::F,
) -> Listed {
    let mut len = 0;
    for (distance_sq, &slot) in met.distance_sq[..count].iter().zip(&met.slots[..count]) {
        list[len] = slot;
        len += usize::from(s.load(distance_sq, 0).le(limit).any());
    }
    if let Some(fine) = fine {
        by_slot(fine, &mut list[..len]);
    }
    Listed { len, own: (0, len), chosen: true }
}

/// Sorts places by their slots.
#[inline(never)]
pub(super) fn by_slot<const D: usize>(fine: &Fine<D>, list: &mut [u32]) {
    for place in list.iter_mut() {
        *place = fine.slot[*place as usize];
    }
    list.sort_unstable();
    for slot in list.iter_mut() {
        *slot = fine.place[*slot as usize];
    }
}
