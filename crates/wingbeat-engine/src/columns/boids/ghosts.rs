//! Columns of a subdomain: boids move in and out, and ghosts are appended, a few in every step.

use crate::BoidId;
use crate::columns::boids::{Boids, Columns, SubdomainMembers};
use crate::columns::column::{AnyColumn, Word, fill};
use crate::columns::extra::Info;
use crate::identity::Ids;

/// What of a boid is sent to other subdomains.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GhostBoid {
    /// What those around it see: id, position, velocity, species, radius.
    Seen,
    /// Everything: it moves there.
    All,
}

impl GhostBoid {
    fn has(self, info: Info, column: &dyn AnyColumn) -> bool {
        column.in_use() && (info.is_seen || self == Self::All)
    }
}

impl<const D: usize> Boids<D> {
    /// Boids have ranks that they keep from now on, and others of `all` are elsewhere; see
    /// [`Kept`](crate::identity::Kept).
    pub fn become_part(&mut self, first: Vec<BoidId>, next: u64, all: usize) {
        self.keep_ranks(Some(SubdomainMembers { first, next, all, ..SubdomainMembers::default() }));
    }

    /// Boids have the ranks that they keep as those of this part, unless this is none.
    pub fn keep_ranks(&mut self, part: Option<SubdomainMembers>) {
        let Some(part) = part else { return };
        let slots = self.ids.len();
        let (ids, kept) = (std::mem::take(&mut self.ids), part.kept());
        for rank in &mut self.front.rank[..slots] {
            *rank = kept.rank_of(ids[*rank as usize]).unwrap_or(u32::MAX);
        }
        let mut part = SubdomainMembers { slots, ..part };
        part.all_are_own();
        self.part = Some(part);
        self.forget_slots();
    }

    /// Ranks are places among the ids of the boids here, which become a flock for themselves. Told
    /// is what they were a part of.
    pub fn become_flock(&mut self) -> Option<SubdomainMembers> {
        let part = self.part.take()?;
        let mut slots: Vec<u32> = (0..part.slots as u32).collect();
        slots.sort_unstable_by_key(|&slot| self.front.rank[slot as usize]);
        let ids = Ids::Kept(part.kept());
        self.ids = slots.iter().map(|&slot| ids.of(self.front.rank[slot as usize])).collect();
        for (rank, slot) in (0..).zip(slots) {
            self.front.rank[slot as usize] = rank;
        }
        self.forget_slots();
        Some(part)
    }

    /// These boids, whose slots ascend, are no longer here; others take their slots.
    pub fn drop_slots(&mut self, slots: &[u32]) {
        let stay = self.len() - slots.len();
        let holes = slots.iter().copied().take_while(|&slot| (slot as usize) < stay);
        let mut gone = slots[slots.partition_point(|&slot| (slot as usize) < stay)..]
            .iter()
            .copied()
            .peekable();
        let last = (stay as u32..self.len() as u32).filter(|slot| gone.next_if_eq(slot).is_none());
        let moves: Vec<(u32, u32)> = holes.zip(last).collect();
        if !moves.is_empty() {
            for axis in
                self.front.position.each_mut().into_iter().chain(self.front.velocity.each_mut())
            {
                fill(axis, &moves);
            }
            fill(&mut self.front.rank, &moves);
            self.each_column_mut(&mut |_, column| column.fill(&moves));
        }
        self.resize(stay, stay);
    }

    /// So many boids are here; those from the given slot on have the usual values of what boids
    /// carry, and anything for position and velocity.
    pub(super) fn resize(&mut self, slots: usize, before: usize) {
        self.front.resize(slots);
        self.each_column_mut(&mut |_, column| column.resize(slots, before));
        if let Some(part) = &mut self.part {
            part.slots = slots;
        }
        self.forget_slots();
    }

    /// Tells of boids, column by column.
    pub fn tell(&self, slots: &[u32], told: GhostBoid, into: &mut Vec<u32>) {
        into.push(slots.len() as u32);
        if slots.is_empty() {
            return;
        }
        let Columns { position, velocity, rank } = &self.front;
        put(rank, slots, into);
        for axis in position.each_ref().into_iter().chain(velocity.each_ref()) {
            put(axis, slots, into);
        }
        self.each_column(&mut |info, column| {
            if told.has(info, column) {
                column.gather(slots, into);
            }
        });
    }

    /// Hears of boids, which are here from now on, in the last slots. What follows is told.
    pub fn hear<'a>(&mut self, words: &'a [u32], told: GhostBoid) -> &'a [u32] {
        let Some((&count, mut words)) = words.split_first() else { return words };
        let (count, first) = (count as usize, self.len());
        if count == 0 {
            return words;
        }
        self.resize(first + count, first);
        if self.holds_forces() {
            self.outcome.make_room(first + count);
        }
        let slots: Vec<u32> = (first as u32..).take(count).collect();
        let mut next = || {
            let (values, rest) = words.split_at(count);
            words = rest;
            values
        };
        let Columns { position, velocity, rank } = &mut self.front;
        set(&mut rank[first..], next());
        for axis in position.each_mut().into_iter().chain(velocity.each_mut()) {
            set(&mut axis[first..], next());
        }
        self.each_column_mut(&mut |info, column| {
            if told.has(info, column) {
                column.scatter(&slots, next());
            }
        });
        words
    }
}

/// Appends the values of slots as bits.
fn put<T: Word>(values: &[T], slots: &[u32], into: &mut Vec<u32>) {
    into.extend(slots.iter().map(|&slot| T::TO_BITS(values[slot as usize])));
}

fn set<T: Word>(values: &mut [T], bits: &[u32]) {
    values.iter_mut().zip(bits).for_each(|(value, &bits)| *value = T::FROM_BITS(bits));
}
