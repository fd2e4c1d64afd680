//! Columns of a subdomain: boids move in and out, and ghosts are appended, a few in every step.

use crate::BoidId;
use crate::columns::boids::{Boids, SubdomainMembers};
use crate::columns::extra::{ExtraColumns, PADDING};
use crate::identity::Ids;

/// What of a boid is sent to other subdomains.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GhostBoid {
    /// What those around it see: id, position, velocity, species, radius.
    Seen,
    /// Everything: it moves there.
    All,
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

    /// These boids, whose slots ascend, are no longer here; others take their slots. Told are the
    /// slots that are filled, and from where.
    pub fn drop_slots(&mut self, slots: &[u32]) -> Vec<(u32, u32)> {
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
            let (numbers, whole) = self.extra.columns_mut();
            numbers.for_each(|column| fill(column, &moves));
            whole.for_each(|column| fill(column, &moves));
            for column in
                self.steering.iter_mut().filter(|column| self.holds_steering && !column.is_empty())
            {
                fill(column, &moves);
            }
        }
        self.resize(stay, stay);
        moves
    }

    /// So many boids are here; those from the given slot on have the usual values of what boids
    /// carry, and anything for position and velocity.
    pub(super) fn resize(&mut self, slots: usize, before: usize) {
        self.front.resize(slots);
        self.back.resize(slots);
        self.extra.resize(slots, before);
        for column in
            self.steering.iter_mut().filter(|column| self.holds_steering && !column.is_empty())
        {
            column.resize(slots + PADDING, 0.0);
        }
        if let Some(part) = &mut self.part {
            part.slots = slots;
        }
        self.forget_slots();
    }

    /// Tells of boids, column by column.
    pub fn tell(&mut self, slots: &[u32], told: GhostBoid, into: &mut Vec<u32>) {
        into.push(slots.len() as u32);
        if slots.is_empty() {
            return;
        }
        self.each_column(told, &mut |column| match column {
            GhostValues::Numbers(column) => {
                into.extend(slots.iter().map(|&slot| column[slot as usize].to_bits()))
            }
            GhostValues::Whole(column) => {
                into.extend(slots.iter().map(|&slot| column[slot as usize]))
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
        self.each_column(told, &mut |column| {
            let (values, rest) = words.split_at(count);
            words = rest;
            match column {
                GhostValues::Numbers(column) => column[first..]
                    .iter_mut()
                    .zip(values)
                    .for_each(|(to, &bits)| *to = f32::from_bits(bits)),
                GhostValues::Whole(column) => {
                    column[first..].iter_mut().zip(values).for_each(|(to, &value)| *to = value)
                }
            }
        });
        words
    }

    /// All columns of which something is told, in one order.
    fn each_column(&mut self, told: GhostBoid, work: &mut dyn FnMut(GhostValues<'_>)) {
        work(GhostValues::Whole(&mut self.front.rank));
        for axis in self.front.position.each_mut().into_iter().chain(self.front.velocity.each_mut())
        {
            work(GhostValues::Numbers(axis));
        }
        if told == GhostBoid::Seen {
            let ExtraColumns { species, radius, .. } = &mut self.extra;
            [species]
                .into_iter()
                .filter(|column| column.in_use())
                .for_each(|column| work(GhostValues::Whole(column.values_mut())));
            [radius]
                .into_iter()
                .filter(|column| column.in_use())
                .for_each(|column| work(GhostValues::Numbers(column.values_mut())));
            return;
        }
        let slots = self.len() + PADDING;
        let (numbers, whole) = self.extra.columns_mut();
        whole.for_each(|column| work(GhostValues::Whole(column)));
        numbers.for_each(|column| work(GhostValues::Numbers(column)));
        if self.holds_steering {
            for column in &mut self.steering {
                // Before the first step there are none yet.
                column.resize(slots, 0.0);
                work(GhostValues::Numbers(column));
            }
        }
    }
}

enum GhostValues<'a> {
    Numbers(&'a mut [f32]),
    Whole(&'a mut [u32]),
}

fn fill<T: Copy>(column: &mut [T], moves: &[(u32, u32)]) {
    for &(to, from) in moves {
        column[to as usize] = column[from as usize];
    }
}
