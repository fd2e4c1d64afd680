//! Bodies near the boids of a block: distances from every lane, and lists of slots, lane by lane.
//!
//! ```text
//! for each candidate in reach of some lane:
//!                      its slot and its d² from every lane are noted  (NearVisitor)
//! all count:           for each of them, it goes to the list of each lane that has it in reach
//!                      (list_all)
//! the k nearest count: kept ← the smallest d², in every lane at once, in ascending order
//!                      (smallest)
//!                      each whose d² is the n-th of kept is the n-th of the lane's list
//!                      (list_nearest)
//!                      lanes with two equal d² among these: sorted by (d², rank)
//! ```

use std::cell::Cell;

use wingbeat_steer::anticipation::{Nearby, Program, Wall};

use crate::motion::anticipate::planes::HalfPlanes;
use crate::motion::anticipate::relax::Relaxing;
use crate::neighbors::smallest::{Merge, kept_for};
use crate::neighbors::{BlockLanes, Candidate, CandidateVisitor, LIST, SearchScratch, key};
use crate::simd::{Float, MAX_LANES, Mask, Outlined, Simd};

/// Rows that are kept of the smallest d², with one for the next of them.
const ROWS: usize = 33;

/// How many of a list are found in one walk over the candidates: so many that all of it stays in
/// registers.
const AT_ONCE: usize = 5;

/// What one worker thread needs to look ahead; reused in every step.
#[derive(Debug, Default)]
pub(crate) struct NearScratch<const D: usize> {
    pub look: SearchScratch<D>,
    pub table: NearTable,
    pub others: Vec<Nearby<[f32; D]>>,
    pub walls: Vec<Wall<[f32; D]>>,
    pub program: Program<[f32; D]>,
    pub planes: HalfPlanes,
    pub relaxing: Relaxing,
    /// How far the last block had to look: the next begins there.
    pub hint: f32,
}

/// Candidates in reach of some lane, in slot order, and what each lane makes of them.
#[derive(Debug, Default)]
pub(crate) struct NearTable {
    /// d² from every lane; infinite in the lane of the boid itself.
    distances_sq: Vec<[f32; MAX_LANES]>,
    slots: Vec<u32>,
    len: usize,
    /// The slots of the n-th that counts for each lane, and how many do.
    lists: Vec<[u32; MAX_LANES]>,
    counts: [f32; MAX_LANES],
    /// Of one lane: (d², rank) and slot.
    keys: Vec<(u64, u32)>,
}

/// The smallest d² of every lane in ascending order, and behind those that are kept the next.
pub(crate) struct Smallest<S: Simd> {
    kept: [S::F; ROWS],
    wanted: usize,
}

impl<S: Simd> Smallest<S> {
    /// d² of the last that counts; infinite where there are not so many.
    #[inline(always)]
    pub fn last(&self) -> S::F {
        self.kept[self.wanted - 1]
    }
}

impl NearTable {
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Room for another list of candidates.
    pub fn reserve(&mut self) {
        let wanted = self.len + LIST;
        if self.slots.len() < wanted {
            let rows = wanted.next_power_of_two();
            self.distances_sq.resize(rows, [0.0; MAX_LANES]);
            self.slots.resize(rows, 0);
        }
    }

    /// Visitors that fill it.
    pub fn visitor<S: Simd>(&mut self, reach_sq: S::F, lanes: S::M) -> NearVisitor<'_, S> {
        NearVisitor {
            distances_sq: Cell::from_mut(self.distances_sq.as_mut_slice()).as_slice_of_cells(),
            slots: Cell::from_mut(self.slots.as_mut_slice()).as_slice_of_cells(),
            len: self.len,
            reach_sq,
            lanes,
        }
    }

    pub fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// The slots that count for a lane.
    pub fn of_lane(&self, lane: usize) -> impl Iterator<Item = usize> {
        self.lists[..self.counts[lane] as usize].iter().map(move |nth| nth[lane] as usize)
    }

    /// How many count at most for one lane.
    pub fn longest(&self) -> usize {
        self.counts.iter().fold(0.0, |most, &count| if count > most { count } else { most })
            as usize
    }

    /// The slots of the n-th of every lane, and the lanes that have one; any slot in the others.
    #[inline(always)]
    pub fn nth<S: Simd>(&self, s: S, nth: usize) -> (&[u32; MAX_LANES], S::M) {
        (&self.lists[nth], s.splat(nth as f32).lt(s.load(&self.counts, 0)))
    }

    /// Finds the smallest d² of every lane, so many of them and more.
    #[inline(always)]
    pub fn smallest<S: Simd>(&mut self, s: S, wanted: usize) -> Smallest<S> {
        let mut kept = [s.splat(f32::INFINITY); ROWS];
        let rows = Cell::from_mut(&mut kept[..=kept_for(wanted)]).as_slice_of_cells();
        let new = Cell::from_mut(&mut self.distances_sq[..self.len]).as_slice_of_cells();
        s.outline(Merge { kept: rows, new });
        Smallest { kept, wanted }
    }

    fn reserve_lists(&mut self, most: usize) {
        if self.lists.len() < most {
            self.lists.resize(most, [0; MAX_LANES]);
        }
    }

    /// Lists for each lane all up to a squared distance, in slot order.
    #[inline(always)]
    pub fn list_all<S: Simd>(&mut self, s: S, limit_sq: S::F, lanes: S::M) {
        self.reserve_lists(self.len);
        let mut counts = [0; MAX_LANES];
        for (row, &slot) in self.distances_sq[..self.len].iter().zip(&self.slots) {
            let mut bits = (s.load(row, 0).le(limit_sq) & lanes).bits();
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.lists[counts[lane]][lane] = slot;
                counts[lane] += 1;
            }
        }
        self.counts = counts.map(|count| count as f32);
    }

    /// Lists for each lane the nearest up to a squared distance, in the order of (d², rank).
    #[inline(always)]
    pub fn list_nearest<S: Simd>(
        &mut self,
        s: S,
        smallest: &Smallest<S>,
        reach_sq: f32,
        lanes: S::M,
        rank: &[u32],
    ) {
        let Smallest { kept, wanted } = smallest;
        let last = smallest.last();
        let limit_sq = last.lt(s.splat(reach_sq)).select(last, s.splat(reach_sq));
        let (one, mut count, mut tied) = (s.splat(1.0), s.splat(0.0), s.mask(0));
        for i in 0..*wanted {
            let counts = kept[i].le(limit_sq) & lanes;
            count = count.add_where(counts, one);
            tied = tied | (counts & kept[i + 1].le(kept[i]));
        }
        self.reserve_lists(wanted.next_multiple_of(AT_ONCE));
        self.counts = [0.0; MAX_LANES];
        count.store(&mut self.counts);
        let (rows, slots) = (&self.distances_sq[..self.len], &self.slots[..self.len]);
        for (lists, kept) in
            self.lists.chunks_exact_mut(AT_ONCE).zip(kept[..*wanted].chunks(AT_ONCE))
        {
            s.outline(Find { kept, rows, slots, lists });
        }
        let (mut limits, mut bits) = ([0.0; MAX_LANES], tied.bits());
        limit_sq.store(&mut limits);
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            self.list_tied(lane, limits[lane], *wanted, rank);
        }
    }

    /// The same for a lane in which ranks decide.
    #[inline(never)]
    fn list_tied(&mut self, lane: usize, limit_sq: f32, wanted: usize, rank: &[u32]) {
        let Self { keys, slots, distances_sq, len, .. } = self;
        keys.clear();
        let near =
            distances_sq[..*len].iter().zip(&*slots).filter(|(row, _)| row[lane] <= limit_sq);
        keys.extend(near.map(|(row, &slot)| (key(row[lane], rank[slot as usize]), slot)));
        keys.sort_unstable();
        keys.truncate(wanted);
        for (nth, &(_, slot)) in keys.iter().enumerate() {
            self.lists[nth][lane] = slot;
        }
        self.counts[lane] = keys.len() as f32;
    }
}

/// Finds in every lane the candidates whose d² is each of a few, as a function of its own.
struct Find<'a, S: Simd> {
    kept: &'a [S::F],
    rows: &'a [[f32; MAX_LANES]],
    slots: &'a [u32],
    /// Where their slots go.
    lists: &'a mut [[u32; MAX_LANES]],
}

impl<S: Simd> Outlined<S> for Find<'_, S> {
    #[inline(always)]
    fn run(self, s: S) {
        // Lanes that are not asked for have no place.
        let (mut kept, mut found) = ([s.splat(-1.0); AT_ONCE], [s.splat(0.0); AT_ONCE]);
        for i in 0..AT_ONCE {
            if i < self.kept.len() {
                kept[i] = self.kept[i];
            }
        }
        for (row, &slot) in self.rows.iter().zip(self.slots) {
            // Chosen bit by bit, so the bits of a slot serve as well as a number.
            let (distance_sq, slot) = (s.load(row, 0), s.splat(f32::from_bits(slot)));
            for i in 0..AT_ONCE {
                found[i] = distance_sq.equals(kept[i]).select(slot, found[i]);
            }
        }
        for (found, list) in found.iter().zip(self.lists) {
            let mut slots = [0.0; MAX_LANES];
            found.store(&mut slots);
            *list = slots.map(f32::to_bits);
        }
    }
}

/// Notes the boids in reach of some lane.
#[derive(Clone, Copy)]
pub(crate) struct NearVisitor<'a, S: Simd> {
    distances_sq: &'a [Cell<[f32; MAX_LANES]>],
    slots: &'a [Cell<u32>],
    pub len: usize,
    reach_sq: S::F,
    lanes: S::M,
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for NearVisitor<'_, S> {
    #[inline(always)]
    fn visit(&mut self, _s: S, _own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let mut row = [0.0; MAX_LANES];
        other.distance_sq.store(&mut row);
        self.distances_sq[self.len].set(row);
        self.slots[self.len].set(other.slot as u32);
        // Without a branch: it would be mispredicted.
        self.len += usize::from((other.distance_sq.le(self.reach_sq) & self.lanes).any());
    }
}
