//! The candidates that count for some lane of a block, where only the nearest do: of all that the
//! search visited, those within a lane's limit. The loop that sums then visits only these.

use crate::grid::SubcellOrder;
use crate::neighbors::{List, Listed};
use crate::simd::{Float, MAX_LANES, Mask, Simd};

/// At most this many candidates of a search are kept: all of an ordinary flock's list; in a crowd
/// those that come near enough, usually 100 to 500. Where there are more, the loop that sums lists
/// them anew.
pub(super) const KEPT: usize = 1024;

/// The candidates that a search keeps: some 100 KiB a thread, of which crowds use the most.
#[derive(Clone, Debug)]
pub(super) struct KeptCandidates {
    /// Squared distances in lanes; infinite in lanes that do not see the candidate.
    pub distances: [[f32; MAX_LANES]; KEPT],
    pub slots: [u32; KEPT],
    order: Order,
}

impl KeptCandidates {
    pub const fn new() -> Self {
        Self { distances: [[0.0; MAX_LANES]; KEPT], slots: [0; KEPT], order: Order::new() }
    }
}

/// Keeps in a list, whose distances are known, the candidates within some lane's limit.
#[inline(always)]
pub(super) fn prune<S: Simd>(
    s: S,
    list: &mut List,
    listed: Listed,
    kept: &KeptCandidates,
    limit: S::F,
) -> Listed {
    let (list, distance_sq) = (&mut list[..listed.len], &kept.distances[..listed.len]);
    let (mut len, mut own) = (0, [0; 2]);
    for (part, (from, to)) in
        [(0, listed.own.0), listed.own, (listed.own.1, listed.len)].into_iter().enumerate()
    {
        for at in from..to {
            list[len] = list[at];
            len += usize::from(s.load(&distance_sq[at], 0).le(limit).any());
        }
        if part < 2 {
            own[part] = len;
        }
    }
    Listed { len, own: (own[0], own[1]), reach_sq: 0.0, chosen: true }
}

/// Lists those of the first `count` kept that are within some lane's limit, by ascending slot.
#[inline(always)]
pub(super) fn choose<S: Simd, const D: usize>(
    s: S,
    fine: Option<&SubcellOrder<D>>,
    list: &mut List,
    kept: &mut KeptCandidates,
    count: usize,
    limit: S::F,
) -> Listed {
    let mut len = 0;
    for (distance_sq, &slot) in kept.distances[..count].iter().zip(&kept.slots[..count]) {
        list[len] = slot;
        len += usize::from(s.load(distance_sq, 0).le(limit).any());
    }
    if let Some(fine) = fine {
        kept.order.by_slot(fine, &mut list[..len]);
    }
    Listed { len, own: (0, len), reach_sq: 0.0, chosen: true }
}

/// Sorts places by their slots.
#[inline(never)]
pub(super) fn by_slot<const D: usize>(fine: &SubcellOrder<D>, list: &mut [u32]) {
    for place in list.iter_mut() {
        *place = fine.slot[*place as usize];
    }
    list.sort_unstable();
    for slot in list.iter_mut() {
        *slot = fine.place[*slot as usize];
    }
}

/// Words of a summary, each of as many words of bits, each of as many slots.
const WORD: usize = u64::BITS as usize;

/// Sorts a few slots of many by putting each where it belongs: a bit a slot, and a bit for every
/// word that holds one. Sorting some 75 by comparing them takes three times as long.
#[derive(Clone, Debug)]
struct Order {
    bits: [u64; WORD * WORD],
    summary: [u64; WORD],
}

impl Order {
    const fn new() -> Self {
        Self { bits: [0; WORD * WORD], summary: [0; WORD] }
    }

    /// As [`by_slot`]; no place is listed twice.
    #[inline(never)]
    fn by_slot<const D: usize>(&mut self, fine: &SubcellOrder<D>, list: &mut [u32]) {
        let (mut least, mut most) = (u32::MAX, 0);
        for &place in &*list {
            let slot = fine.slot[place as usize];
            (least, most) = (least.min(slot), most.max(slot));
        }
        if most.saturating_sub(least) as usize >= WORD * WORD * WORD {
            return by_slot(fine, list);
        }
        for &place in &*list {
            let at = (fine.slot[place as usize] - least) as usize;
            let word = at / WORD % (WORD * WORD);
            self.bits[word] |= 1 << (at % WORD);
            self.summary[word / WORD] |= 1 << (word % WORD);
        }
        let mut places = list.iter_mut();
        for (group, summary) in self.summary.iter_mut().enumerate() {
            while *summary != 0 {
                let word = group * WORD + summary.trailing_zeros() as usize;
                *summary &= *summary - 1;
                let bits = &mut self.bits[word];
                while *bits != 0 {
                    let slot = least as usize + word * WORD + bits.trailing_zeros() as usize;
                    *bits &= *bits - 1;
                    if let Some(place) = places.next() {
                        *place = fine.place[slot];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "../../tests/inside/kept.rs"]
mod tests;
