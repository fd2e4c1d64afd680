//! The main columns: position, velocity and rank of each boid, in slot order, with the ids beside.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use wingbeat_steer::Params;

use crate::FlockError;
use crate::columns::axes::Axes;
use crate::columns::column::AnyColumn;
pub(crate) use crate::columns::extra::PADDING;
use crate::columns::extra::{Column, ExtraColumns, Info, Outcome, Spare, Use};
use crate::identity::{BoidId, Ids, Kept, are_ranks};
use crate::parallel::{Workers, pick};

mod ghosts;
pub(crate) use ghosts::GhostBoid;

/// After so many look-ups of boids by id since boids last changed their slots, an index of all is
/// made: a look-up by scanning takes about a twentieth of the time that making the index does.
const SCANS: u32 = 16;

/// One boid's state, by value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "[f32; D]: serde::Serialize",
        deserialize = "[f32; D]: serde::Deserialize<'de>"
    ))
)]
pub struct Boid<const D: usize> {
    /// Identity.
    pub id: BoidId,
    /// Position, length.
    pub position: [f32; D],
    /// Velocity, length/time.
    pub velocity: [f32; D],
}

/// Position, velocity and rank of every slot. A rank is the place of a boid's id among the living
/// ids in ascending order: half the size of an id, and ordered alike.
#[derive(Clone, Debug)]
pub(crate) struct Columns<const D: usize> {
    pub position: Axes<D>,
    pub velocity: Axes<D>,
    pub rank: Vec<u32>,
}

impl<const D: usize> Columns<D> {
    pub fn with_rows(rows: usize) -> Self {
        Self { position: Axes::new(rows), velocity: Axes::new(rows), rank: vec![0; rows + PADDING] }
    }

    /// Becomes the same, in the room that is there.
    pub fn copy_from(&mut self, from: &Self) {
        self.position.copy_from(&from.position);
        self.velocity.copy_from(&from.velocity);
        self.rank.clone_from(&from.rank);
    }

    pub fn resize(&mut self, rows: usize) {
        self.position.resize(rows);
        self.velocity.resize(rows);
        self.rank.resize(rows + PADDING, 0);
    }

    #[inline]
    pub fn position(&self, slot: usize) -> [f32; D] {
        self.position.at(slot)
    }

    #[inline]
    pub fn velocity(&self, slot: usize) -> [f32; D] {
        self.velocity.at(slot)
    }

    fn set_position(&mut self, slot: usize, position: [f32; D]) {
        self.position.each_mut().into_iter().zip(position).for_each(|(axis, x)| axis[slot] = x);
    }

    fn set_velocity(&mut self, slot: usize, velocity: [f32; D]) {
        self.velocity.each_mut().into_iter().zip(velocity).for_each(|(axis, x)| axis[slot] = x);
    }

    fn set(&mut self, slot: usize, position: [f32; D], velocity: [f32; D], rank: u32) {
        self.set_position(slot, position);
        self.set_velocity(slot, velocity);
        self.rank[slot] = rank;
    }
}

/// Positions and velocities of `from` in the given order into `to`.
pub(crate) fn gather<T: Default + Send, const D: usize>(
    from: &Columns<D>,
    to: &mut Columns<D>,
    order: &[u32],
    workers: &Workers<T>,
) {
    let (position, velocity) = (to.position.renewed(), to.velocity.renewed());
    workers.sweep(order.len(), [position, velocity], &|first, [position, velocity], _| {
        for a in 0..D {
            pick(&from.position[a], position[a], &order[first..]);
            pick(&from.velocity[a], velocity[a], &order[first..]);
        }
    });
}

/// Which boids there are.
#[derive(Clone, Copy)]
pub(crate) struct Members<'a> {
    listed: &'a [BoidId],
    part: Option<&'a SubdomainMembers>,
}

impl<'a> Members<'a> {
    /// The ids that ranks stand for.
    #[inline]
    pub fn ids(self) -> Ids<'a> {
        self.part.map_or(Ids::Listed(self.listed), |part| Ids::Kept(part.kept()))
    }

    /// The slots of boids that steer and move, in ascending ranges: all of them, but in a part of a
    /// flock.
    #[inline]
    pub fn own(self) -> impl Iterator<Item = Range<usize>> + Clone + 'a {
        let all = self.part.is_none().then_some(0..self.listed.len());
        self.part.map_or(&[][..], |part| &part.own).iter().cloned().chain(all)
    }
}

/// All boids: every column in slot order, and the living ids in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct Boids<const D: usize> {
    pub front: Columns<D>,
    pub extra: ExtraColumns<D>,
    pub outcome: Outcome<D>,
    /// Empty in a part of a flock.
    pub ids: Vec<BoidId>,
    /// In a part of a flock, whose ranks are ids: which boids are here.
    pub part: Option<SubdomainMembers>,
    next_id: u64,
    index: Index,
}

/// The boids of a part of a flock: its own, and while it steers those around them, which are other
/// parts' own.
#[derive(Clone, Debug, Default)]
pub(crate) struct SubdomainMembers {
    /// See [`Kept`].
    pub first: Vec<BoidId>,
    pub next: u64,
    /// How many are here.
    pub slots: usize,
    /// How many there are in all parts.
    pub all: usize,
    /// Slots of its own boids, ascending.
    pub own: Vec<Range<usize>>,
}

impl SubdomainMembers {
    /// No ghosts are present.
    pub fn all_are_own(&mut self) {
        self.own.clear();
        self.own.push(0..self.slots);
    }

    pub fn kept(&self) -> Kept<'_> {
        Kept { first: &self.first, next: self.next, boids: self.all }
    }
}

/// Room to reorder boids in: what is read in one order is written here in another, and then both
/// change places.
#[derive(Clone, Debug)]
pub(crate) struct BackBuffers<const D: usize> {
    pub columns: Columns<D>,
    spare: Spare,
    /// Kept, because crowds leave a few at a time.
    leaving: Leaving,
}

impl<const D: usize> Default for BackBuffers<D> {
    fn default() -> Self {
        let (spare, leaving) = (Spare::default(), Leaving::default());
        Self { columns: Columns::with_rows(0), spare, leaving }
    }
}

/// Room to work in while boids leave.
#[derive(Clone, Debug, Default)]
struct Leaving {
    /// Who goes: a bit for each rank, 64 in a word.
    gone: Vec<u64>,
    /// How many stay of those before each word.
    stay: Vec<u32>,
    /// The slots that stay, ascending.
    kept: Vec<u32>,
    counts: Vec<u32>,
    /// The ids of those that stay.
    ids: Vec<BoidId>,
}

impl Leaving {
    fn goes(&self, rank: u32) -> bool {
        self.gone[rank as usize / 64] >> (rank % 64) & 1 == 1
    }

    /// The rank to come of one that stays.
    fn rank_now(&self, rank: u32) -> u32 {
        let before = !self.gone[rank as usize / 64] & ((1 << (rank % 64)) - 1);
        self.stay[rank as usize / 64] + before.count_ones()
    }
}

/// The slot of every rank, made when it is worth while.
#[derive(Debug, Default)]
struct Index {
    slots: OnceLock<Vec<u32>>,
    look_ups: AtomicU32,
}

/// A copy makes its own when it needs one.
impl Clone for Index {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<const D: usize> Boids<D> {
    /// Boids from a list that is already checked; ids must be unique.
    #[inline(never)]
    pub fn new(boids: Vec<Boid<D>>) -> Self {
        let mut all = Self {
            front: Columns::with_rows(boids.len()),
            extra: ExtraColumns::default(),
            outcome: Outcome::default(),
            ids: boids.iter().map(|b| b.id).collect(),
            part: None,
            index: Index::default(),
            next_id: boids.last().map_or(0, |b| b.id.get().saturating_add(1)),
        };
        for (slot, boid) in boids.iter().enumerate() {
            all.front.set(slot, boid.position, boid.velocity, slot as u32);
        }
        all
    }

    pub fn len(&self) -> usize {
        self.part.as_ref().map_or(self.ids.len(), |part| part.slots)
    }

    /// What kernels read of the boids, and what they write.
    #[inline]
    pub fn split(&mut self) -> (Members<'_>, &Columns<D>, &ExtraColumns<D>, &mut Outcome<D>) {
        let (members, front, extra, outcome) = self.split_mut();
        (members, front, extra, outcome)
    }

    /// The same, where the columns are written, too.
    #[inline]
    pub fn split_mut(
        &mut self,
    ) -> (Members<'_>, &mut Columns<D>, &ExtraColumns<D>, &mut Outcome<D>) {
        let Self { front, extra, outcome, ids, part, .. } = self;
        (Members { listed: ids, part: part.as_ref() }, front, extra, outcome)
    }

    /// Which boids there are.
    #[inline]
    pub fn members(&self) -> Members<'_> {
        Members { listed: &self.ids, part: self.part.as_ref() }
    }

    /// The ids that ranks stand for.
    #[inline]
    pub fn ids(&self) -> Ids<'_> {
        self.members().ids()
    }

    /// The slots of boids that steer and move; see [`Members::own`].
    #[inline]
    pub fn own(&self) -> impl Iterator<Item = Range<usize>> + Clone + '_ {
        self.members().own()
    }

    /// The id of the boid in a slot.
    pub fn id(&self, slot: usize) -> u64 {
        self.ids().of(self.front.rank[slot]).get()
    }

    /// The id the next boid added will have.
    pub fn next_id(&self) -> u64 {
        self.next_id
    }

    /// The next boid added will have this id, which is beyond all others.
    pub fn expect_id(&mut self, id: u64) {
        self.next_id = id;
    }

    /// Adds a boid under the next id, in the last slot until the next sort.
    pub fn add(&mut self, position: [f32; D], velocity: [f32; D]) -> Result<BoidId, FlockError> {
        let (id, slot) = (BoidId::new(self.next_id), self.len());
        if slot >= crate::memory::MAX_BOIDS || self.next_id == u64::MAX {
            return Err(FlockError::TooManyBoids {
                boids: slot + 1,
                bytes: crate::memory::bytes_for::<D>(slot + 1),
            });
        }
        self.next_id += 1;
        let rank = self
            .part
            .as_ref()
            .map_or(Some(slot as u32), |part| part.kept().rank_of(id))
            .unwrap_or(u32::MAX);
        if self.part.is_none() {
            self.ids.push(id);
        }
        self.resize(slot + 1, slot);
        self.front.set(slot, position, velocity, rank);
        Ok(id)
    }

    /// Boids are in other slots now.
    fn forget_slots(&mut self) {
        self.index = Index::default();
    }

    /// Whether boids hold their forces until their next turn.
    pub fn holds_forces(&self) -> bool {
        self.outcome.force[0].in_use()
    }

    /// Marks of squeezed boids are in use from now on, where there are obstacles.
    pub fn mark_squeezed(&mut self, wanted: bool) {
        let (slots, squeezed) = (self.len(), &mut self.outcome.squeezed);
        squeezed.travels(wanted);
        if wanted {
            squeezed.make_room(slots);
        }
    }

    /// Has those columns in use that these parameters call for.
    pub fn fit(&mut self, params: &Params) {
        let slots = self.len();
        self.each_column_mut(&mut |info, column| {
            if let Use::Params(when) = info.used {
                column.be_used(when(params), slots);
            }
        });
    }

    /// All columns beside position, velocity and rank.
    fn each_column(&self, work: &mut dyn FnMut(Info, &dyn AnyColumn)) {
        self.extra.each(work);
        self.outcome.each(work);
    }

    /// The same, to write.
    fn each_column_mut(&mut self, work: &mut dyn FnMut(Info, &mut dyn AnyColumn)) {
        self.extra.each_mut(work);
        self.outcome.each_mut(work);
    }

    /// Brings all boids into this order.
    pub fn sort<T: Default + Send>(
        &mut self,
        order: &[u32],
        back: &mut BackBuffers<D>,
        workers: &Workers<T>,
    ) {
        gather(&self.front, &mut back.columns, order, workers);
        std::mem::swap(&mut self.front, &mut back.columns);
        if self.holds_forces() {
            self.outcome.make_room(order.len());
        }
        self.reorder(order, &mut back.spare, workers);
    }

    /// Takes everything but position, velocity and rank along to where a sort has put its boid.
    fn reorder<T: Default + Send>(
        &mut self,
        order: &[u32],
        spare: &mut Spare,
        workers: &Workers<T>,
    ) {
        self.extra.reorder(spare, order, workers);
        self.outcome.reorder(spare, order, workers);
        self.forget_slots();
    }

    /// Keeps a copy of boids here, in the room that is there: no ids are all those below their
    /// number.
    pub fn save(&mut self, from: &Self) {
        self.copy_columns(from);
        self.ids.clear();
        self.ids.extend_from_slice(if are_ranks(&from.ids) { &[] } else { &from.ids });
    }

    /// Becomes what was [saved](Self::save).
    pub fn load(&mut self, from: &Self) {
        let boids = from.front.rank.len() - PADDING;
        if !from.ids.is_empty() {
            self.ids.clone_from(&from.ids);
        } else if !(are_ranks(&self.ids) && self.len() == boids) {
            self.ids.clear();
            self.ids.extend((0..boids as u64).map(BoidId::new));
        }
        self.copy_columns(from);
        self.forget_slots();
    }

    fn copy_columns(&mut self, from: &Self) {
        self.front.copy_from(&from.front);
        self.extra.memories.resize_with(from.extra.memories.len(), Column::default);
        self.extra.copy_from(&from.extra);
        self.outcome.copy_from(&from.outcome);
        self.next_id = from.next_id;
    }

    /// Removes boids in one sweep, O(n) however many they are.
    pub fn remove<T: Default + Send>(
        &mut self,
        ids: &[BoidId],
        back: &mut BackBuffers<D>,
        workers: &Workers<T>,
    ) -> Result<(), FlockError> {
        let slots = self.len();
        let BackBuffers { columns: back, spare, leaving } = back;
        leaving.gone.clear();
        leaving.gone.resize(slots.div_ceil(64), 0);
        for &id in ids {
            let found = self.rank_of(id);
            let twice = found.as_ref().is_ok_and(|&rank| leaving.goes(rank as u32));
            let (false, Ok(rank)) = (twice, found) else {
                return Err(FlockError::UnknownBoid(id));
            };
            leaving.gone[rank / 64] |= 1 << (rank % 64);
        }
        leaving.stay.clear();
        leaving.stay.extend(
            leaving
                .gone
                .iter()
                .scan(0, |stay, gone| Some(std::mem::replace(stay, *stay + gone.count_zeros()))),
        );
        let (mut kept, mut counts) =
            (std::mem::take(&mut leaving.kept), std::mem::take(&mut leaving.counts));
        let mut living = std::mem::take(&mut leaving.ids);
        let (leaves, all, rank) = (&*leaving, &self.ids, &self.front.rank);
        let stays = |&slot: &usize| !leaves.goes(rank[slot]);
        workers.select(
            slots,
            &|range| range.filter(stays).map(|slot| slot as u32),
            &mut counts,
            (&mut kept, 0),
        );
        let lives = |&rank: &usize| !leaves.goes(rank as u32);
        workers.select(
            slots,
            &|range| range.filter(lives).map(|rank| all[rank]),
            &mut counts,
            (&mut living, BoidId::new(0)),
        );
        back.resize(slots);
        gather(&self.front, back, &kept, workers);
        workers.sweep(kept.len(), [[back.rank.as_mut_slice()]], &|first, [[to]], _| {
            pick(rank, to, &kept[first..]);
            to.iter_mut().for_each(|rank| *rank = leaves.rank_now(*rank));
        });
        std::mem::swap(&mut self.front, back);
        std::mem::swap(&mut self.ids, &mut living);
        self.reorder(&kept, spare, workers);
        self.front.resize(kept.len());
        (leaving.kept, leaving.counts, leaving.ids) = (kept, counts, living);
        Ok(())
    }

    /// Place of an id among the living: at once where no id is missing, otherwise by bisection.
    pub fn rank_of(&self, id: BoidId) -> Result<usize, FlockError> {
        if let Some(part) = &self.part {
            return part
                .kept()
                .rank_of(id)
                .map(|rank| rank as usize)
                .ok_or(FlockError::UnknownBoid(id));
        }
        let (first, place) = (self.ids.first().map_or(0, |first| first.get()), id.get());
        let guess = usize::try_from(place.wrapping_sub(first)).unwrap_or(usize::MAX);
        if self.ids.get(guess) == Some(&id) {
            return Ok(guess);
        }
        self.ids.binary_search(&id).map_err(|_| FlockError::UnknownBoid(id))
    }

    /// Slot of an id: the first few look-ups after boids have changed their slots scan the flock,
    /// then an index is made.
    pub fn slot_of(&self, id: BoidId) -> Result<usize, FlockError> {
        let rank = self.rank_of(id)?;
        if let Some(slots) = self.index.slots.get() {
            return Ok(slots[rank] as usize);
        }
        if self.index.look_ups.fetch_add(1, Ordering::Relaxed) >= SCANS {
            return Ok(self.index.slots.get_or_init(|| self.slots_by_id())[rank] as usize);
        }
        let slot = self.front.rank[..self.len()].iter().position(|&r| r == rank as u32);
        Ok(slot.expect("every living rank has a slot"))
    }

    /// Slots of all boids by ascending id; made once for each order of the slots.
    pub fn slots(&self) -> &[u32] {
        self.index.slots.get_or_init(|| self.slots_by_id())
    }

    /// Slots in the order of their ids.
    #[inline(never)]
    pub fn slots_by_id(&self) -> Vec<u32> {
        let mut slots = vec![0; self.len()];
        for (slot, &rank) in self.front.rank[..self.len()].iter().enumerate() {
            slots[rank as usize] = slot as u32;
        }
        slots
    }

    pub fn set_position(&mut self, slot: usize, position: [f32; D]) {
        self.front.set_position(slot, position);
    }

    pub fn set_velocity(&mut self, slot: usize, velocity: [f32; D]) {
        self.front.set_velocity(slot, velocity);
    }
}
