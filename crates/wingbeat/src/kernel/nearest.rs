//! Who is among the nearest: the pass over candidates before the one that sums.
//!
//! ```text
//! rows ← just above the squared radius                 (k + 1 rows of lanes and more, ascending in every lane)
//! for each listed slot:
//!     if it is seen and nearer than rows[k] for any lane: its d² waits; eight of them are sorted and merged into the rows
//! after each list: no further than the largest rows[k − 1] of any lane need be searched
//! limit ← min(rows[k − 1], radius²)                    the sums then go up to it, instead of to the radius
//! tied  ← rows[k − 1] = rows[k]: ids decide, which the general loop knows how to do
//! ```
//!
//! The order of candidates does not matter here, so ties are all there is to know about ids. They are rare: a block with one at
//! its border is steered again by the general loop, like one with coincident boids.
#![forbid(unsafe_code)]

use std::cell::Cell;

use super::candidates::Block;
use super::chosen::{KEPT, Listed, Met, choose, prune};
use super::eyes::Eyes;
use super::smallest::{BATCH, Merge, kept_for, merge_list};
use super::world::{List, World};
use super::{Found, look_everywhere, look_through};
use crate::grid::{Images, Run};
use crate::rule::nearest::{Group, Limit, Limits, MOST, Nearest, Ranked, key};
use crate::rule::own_sights::{Sight, SightLanes};
use crate::rule::{Other, Own};
use crate::simd::{Float, MAX_LANES, Mask, Piece, Simd};

/// Most searches of the fast loops: one for each of the three rules.
const GROUPS: usize = 3;
/// Rows of a search, with one for the next after the k nearest.
const ROWS: usize = MOST + 1;

/// Rows that fit into registers.
const FEW: usize = 8;

/// How far the fast loops look.
#[derive(Clone, Copy)]
pub(super) struct Reach<S: Simd> {
    /// Squared, for each of the three rules; a lane sees up to there. Negative without the rule.
    pub of_rule: [S::F; 3],
    /// The largest of them, within which candidates are listed.
    pub largest_sq: f32,
    /// Whether ids must decide for a boid of the block, or it coincides with another, so that the rest means nothing.
    pub tied: bool,
    /// What the list holds, if that is everybody who matters, seen directly.
    pub listed: Listed,
}

/// The pass, as a function of its own.
pub(super) struct Select<'a, S: Simd, const D: usize> {
    pub world: &'a World<'a, D>,
    pub nearest: &'a Nearest,
    pub runs: &'a [Run<D>],
    pub list: &'a mut List,
    pub met: &'a mut Met,
    pub block: &'a Block<S, D>,
    pub reach: &'a mut Reach<S>,
}

impl<S: Simd, const D: usize> Piece<S> for Select<'_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let groups = &self.nearest.groups[..];
        if let [Group { sight, k: k @ ..FEW, .. }] = groups
            && sight.near_sq < 0.0
            && self.world.fine.is_none()
        {
            self.few(s, sight, *k);
        } else {
            self.any(s, groups);
        }
    }
}

impl<S: Simd, const D: usize> Select<'_, S, D> {
    /// One search, its rows in registers.
    #[inline(always)]
    fn few(self, s: S, sight: &Sight, k: usize) {
        let own = &self.block.own;
        let rows = [s.splat(sight.radius_sq.next_up()); FEW];
        let new = Cell::from_mut(&mut self.met.distance_sq[..]).as_slice_of_cells();
        let few = FewEyes { sight: sight.lanes(s, own), k, rows, new, len: 0, closest_sq: s.splat(f32::INFINITY) };
        let found = Found { runs: self.runs, list: self.list, reach_sq: sight.radius_sq, listed: Listed::default() };
        let (few, listed) = look_through(s, self.world, found, few, self.block);
        let mut rows = few.rows;
        let coincident_sq = self.nearest.widest.coincident_sq;
        let searches = [Search { sight: few.sight, k, kept: FEW }];
        let rows = Cell::from_mut(&mut rows[..]).as_slice_of_cells();
        let eyes = NearestEyes { searches: &searches, rows, waiting: Waiting::none(), closest_sq: few.closest_sq, coincident_sq };
        *self.reach = eyes.reach(s, self.nearest, own, sight.radius_sq, listed);
        if self.nearest.all && !self.reach.tied {
            let limit = own.live.select(eyes.reached(0), s.splat(-1.0));
            self.reach.listed = prune(s, self.list, listed, self.met, limit);
        }
    }

    /// Any searches, their rows in memory.
    #[inline(always)]
    fn any(self, s: S, groups: &[Group]) {
        let own = &self.block.own;
        let mut rows = [s.splat(0.0); GROUPS * ROWS];
        let mut searches = [Search { sight: SightLanes::none(s), k: 1, kept: FEW }; GROUPS];
        let mut widest_sq = 0.0;
        for g in 0..groups.len() {
            let Group { sight, k, .. } = &groups[g];
            searches[g] = Search { sight: sight.lanes(s, own), k: *k, kept: kept_for(*k) };
            for row in &mut rows[g * ROWS..(g + 1) * ROWS] {
                *row = s.splat(sight.radius_sq.next_up());
            }
            widest_sq = if sight.radius_sq > widest_sq { sight.radius_sq } else { widest_sq };
        }
        let rows = Cell::from_mut(&mut rows[..]).as_slice_of_cells();
        let met = &mut *self.met;
        let waiting = Waiting {
            new: Cell::from_mut(&mut met.distance_sq[..]).as_slice_of_cells(),
            slots: Cell::from_mut(&mut met.slots[..]).as_slice_of_cells(),
            first: [0, BATCH, 2 * BATCH],
            len: [0; GROUPS],
            all: groups.len() == 1 && self.nearest.all && self.runs.iter().all(|run| run.shift == [0.0; D]),
        };
        let (searches, coincident_sq) = (&searches[..groups.len()], self.nearest.widest.coincident_sq);
        let eyes = NearestEyes { searches, rows, waiting, closest_sq: s.splat(f32::INFINITY), coincident_sq };
        let found = Found { runs: self.runs, list: self.list, reach_sq: widest_sq, listed: Listed::default() };
        let (eyes, listed) = look_through(s, self.world, found, eyes, self.block);
        *self.reach = eyes.reach(s, self.nearest, own, widest_sq, listed);
        if eyes.waiting.all && !self.reach.tied {
            let (limit, count) = (own.live.select(eyes.reached(0), s.splat(-1.0)), eyes.waiting.first[0]);
            self.reach.listed = choose(s, self.world.fine, self.list, self.met, count, limit);
        }
    }
}

/// The pass that ids decide, as a function of its own.
pub(super) struct Rank<'a, S: Simd, const D: usize> {
    pub world: &'a World<'a, D>,
    pub nearest: &'a Nearest,
    pub runs: &'a [Run<D>],
    pub list: &'a mut List,
    pub keys: &'a mut [u64],
    pub block: &'a Block<S, D>,
    pub images: Images,
    pub limits: &'a mut Limits<S>,
}

impl<S: Simd, const D: usize> Piece<S> for Rank<'_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let eyes = RankedEyes::new(self.nearest, self.world.whose.rank, self.keys);
        let eyes = look_everywhere(s, self.world, self.runs, self.list, eyes, self.block, self.images);
        *self.limits = eyes.limits(s);
    }
}

/// One search in lanes.
#[derive(Clone, Copy)]
struct Search<S: Simd> {
    sight: SightLanes<S>,
    k: usize,
    /// Rows kept, at least k; the next is the smallest of those that fell out.
    kept: usize,
}

/// Squared distances that are to be merged into the rows.
#[derive(Clone, Copy)]
struct Waiting<'a> {
    new: &'a [Cell<[f32; MAX_LANES]>],
    /// Whose they are.
    slots: &'a [Cell<u32>],
    /// Where those of each search begin that wait, and how many they are.
    first: [usize; GROUPS],
    len: [usize; GROUPS],
    /// Whether those are kept that have been merged: there is one search, and room.
    all: bool,
}

impl Waiting<'_> {
    #[inline(always)]
    fn none() -> Self {
        Self { new: &[], slots: &[], first: [0; GROUPS], len: [0; GROUPS], all: false }
    }
}

/// Keeps the smallest squared distances.
#[derive(Clone, Copy)]
struct NearestEyes<'a, S: Simd> {
    searches: &'a [Search<S>],
    rows: &'a [Cell<S::F>],
    waiting: Waiting<'a>,
    /// The smallest of all, seen or not.
    closest_sq: S::F,
    /// No pair further apart than this is coincident for any rule.
    coincident_sq: f32,
}

impl<S: Simd> NearestEyes<'_, S> {
    /// What the search found.
    #[inline(always)]
    fn reach<const D: usize>(&self, s: S, nearest: &Nearest, own: &Own<S, D>, searched_sq: f32, listed: Listed) -> Reach<S> {
        let mut reach = Reach { of_rule: [s.splat(-1.0); 3], largest_sq: 0.0, tied: false, listed };
        let mut largest = s.splat(0.0);
        for rule in 0..3 {
            reach.of_rule[rule] = match nearest.of_rule[rule] {
                Ok(group) => self.reached(group),
                Err(radius_sq) => s.splat(radius_sq),
            };
            largest = largest.max(reach.of_rule[rule]);
        }
        reach.largest_sq = own.live.select(largest, s.splat(0.0)).reduce_max();
        // A rule that looks at everybody may look further than the searches did.
        reach.listed = if reach.largest_sq <= searched_sq { listed } else { Listed::default() };
        // Where boids coincide the general loop decides too.
        let mut tied = self.closest_sq.le(s.splat(self.coincident_sq));
        for group in 0..self.searches.len() {
            tied = tied | self.tied(group);
        }
        reach.tied = (tied & own.live).any();
        reach
    }

    /// Merges those that wait into the rows of a search.
    #[inline(always)]
    fn merge(&mut self, s: S, group: usize) {
        let (first, len) = (self.waiting.first[group], self.waiting.len[group]);
        let new = &self.waiting.new[first..first + len];
        s.outline(Merge { kept: &self.rows[group * ROWS..=group * ROWS + self.searches[group].kept], new });
        self.waiting.len[group] = 0;
        if self.waiting.all {
            self.waiting.all = first + len + BATCH <= KEPT;
            self.waiting.first[group] = if self.waiting.all { first + len } else { 0 };
        }
    }

    /// The same for all searches.
    #[inline(always)]
    fn merge_all(&mut self, s: S) {
        for group in 0..self.searches.len() {
            if self.waiting.len[group] > 0 {
                self.merge(s, group);
            }
        }
    }

    /// Up to where the lanes look under a search.
    #[inline(always)]
    fn reached(&self, group: usize) -> S::F {
        let Search { sight, k, .. } = &self.searches[group];
        self.rows[group * ROWS + k - 1].get().min(sight.radius_sq)
    }

    /// Where one more is as far as the last.
    #[inline(always)]
    fn tied(&self, group: usize) -> S::M {
        let Search { sight, k, .. } = &self.searches[group];
        let (last, next) = (self.rows[group * ROWS + k - 1].get(), self.rows[group * ROWS + k].get());
        next.le(last) & next.le(sight.radius_sq)
    }
}

impl<S: Simd, const D: usize> Eyes<S, D> for NearestEyes<'_, S> {
    const SEARCHES: bool = true;

    #[inline(always)]
    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>) {
        self.closest_sq = self.closest_sq.min(other.distance_sq);
        // Whoever has no direction counts as seen: where nobody is further away, a search without it would never end.
        let coincident = other.distance_sq.le(s.splat(self.coincident_sq));
        for g in 0..self.searches.len() {
            let Search { sight, k, .. } = &self.searches[g];
            let in_sight = sight.in_sight(other, other.offset.dot(own.heading)) | coincident;
            let nearer = other.distance_sq.lt(self.rows[g * ROWS + k].get()) & in_sight;
            let mut lanes = [0.0; MAX_LANES];
            nearer.select(other.distance_sq, s.splat(f32::INFINITY)).store(&mut lanes);
            // Written down in any case, and written over where nobody is interested: that is as good as random.
            let waiting = &mut self.waiting;
            let at = waiting.first[g] + waiting.len[g];
            waiting.new[at].set(lanes);
            waiting.slots[at].set(other.slot as u32);
            waiting.len[g] += usize::from(nearer.any());
            if waiting.len[g] == BATCH {
                self.merge(s, g);
            }
        }
    }

    #[inline(always)]
    fn narrow(&mut self, s: S, own: &Own<S, D>, _reach_sq: f32) -> f32 {
        self.merge_all(s);
        let mut largest = s.splat(0.0);
        for group in 0..self.searches.len() {
            largest = largest.max(self.reached(group));
        }
        own.live.select(largest, s.splat(0.0)).reduce_max()
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> Limit<S> {
        self.merge_all(s);
        let mut largest = s.splat(0.0);
        for g in 0..self.searches.len() {
            largest = largest.max(self.rows[g * ROWS + self.searches[g].k].get());
        }
        Limit::below(s, largest)
    }
}

/// The same for one search of at most seven: distances are written down, and merged a list at a time.
#[derive(Clone, Copy)]
struct FewEyes<'a, S: Simd> {
    sight: SightLanes<S>,
    k: usize,
    rows: [S::F; FEW],
    /// Squared distances of this list's candidates; infinite for who does not see them.
    new: &'a [Cell<[f32; MAX_LANES]>],
    len: usize,
    /// The smallest of all, seen or not.
    closest_sq: S::F,
}

impl<S: Simd, const D: usize> Eyes<S, D> for FewEyes<'_, S> {
    const SEARCHES: bool = true;

    #[inline(always)]
    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>) {
        let seen = self.sight.ahead(other, other.offset.dot(own.heading));
        self.closest_sq = self.closest_sq.min(other.distance_sq);
        let mut lanes = [0.0; MAX_LANES];
        seen.select(other.distance_sq, s.splat(f32::INFINITY)).store(&mut lanes);
        self.new[self.len].set(lanes);
        self.len += 1;
    }

    #[inline(always)]
    fn narrow(&mut self, s: S, own: &Own<S, D>, _reach_sq: f32) -> f32 {
        merge_list(s, &mut self.rows, self.new, self.len);
        self.len = 0;
        let limit = self.rows[self.k - 1].min(self.sight.radius_sq);
        own.live.select(limit, s.splat(0.0)).reduce_max()
    }
}

/// Keeps the smallest pairs of (d², rank) of every rule, a lane at a time: for blocks with ties, coincident boids or images that
/// each lane chooses, and for rules of the host's own.
#[derive(Clone, Copy)]
pub(super) struct RankedEyes<'a> {
    ranked: &'a [Ranked],
    rank: &'a [u32],
    keys: &'a [Cell<u64>],
}

impl<'a> RankedEyes<'a> {
    /// `keys` is [`keys_for`](Self::keys_for) long.
    pub fn new(nearest: &'a Nearest, rank: &'a [u32], keys: &'a mut [u64]) -> Self {
        keys.fill(u64::MAX);
        Self { ranked: &nearest.ranked, rank, keys: Cell::from_mut(keys).as_slice_of_cells() }
    }

    pub fn keys_for(nearest: &Nearest) -> usize {
        nearest.ranked.len() * MAX_LANES * MOST
    }

    /// The furthest of any rule's k-th pair, lane by lane.
    #[inline(always)]
    fn furthest<S: Simd>(&self, s: S) -> Limit<S> {
        let mut furthest = [0; MAX_LANES];
        for n in 0..self.ranked.len() {
            let Ranked { seen, k, .. } = &self.ranked[n];
            for lane in 0..S::LANES {
                // Fewer than k are seen yet: anybody in range.
                let last = self.keys[(n * MAX_LANES + lane) * MOST + k - 1].get().min(key(seen.radius_sq, u32::MAX));
                furthest[lane] = if last > furthest[lane] { last } else { furthest[lane] };
            }
        }
        Limit::new(s, &furthest)
    }

    /// The k-th pair of every lane and rule.
    #[inline(always)]
    pub fn limits<S: Simd>(&self, s: S) -> Limits<S> {
        let mut limits = Limits::none(s);
        for n in 0..self.ranked.len() {
            let mut last = [u64::MAX; MAX_LANES];
            for lane in 0..S::LANES {
                last[lane] = self.keys[(n * MAX_LANES + lane) * MOST + self.ranked[n].k - 1].get();
            }
            limits.set(s, self.ranked[n].rule, &last);
        }
        limits.furthest = self.furthest(s);
        limits
    }
}

impl<S: Simd, const D: usize> Eyes<S, D> for RankedEyes<'_> {
    const SEARCHES: bool = true;

    #[inline(always)]
    fn limit(&mut self, s: S) -> Limit<S> {
        self.furthest(s)
    }

    #[inline(always)]
    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>) {
        for n in 0..self.ranked.len() {
            let (seen, _) = self.ranked[n].seen.test(s, own, other);
            let mut bits = seen.bits();
            if bits == 0 {
                continue;
            }
            let mut distance_sq = [0.0; MAX_LANES];
            other.distance_sq.store(&mut distance_sq);
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let from = (n * MAX_LANES + lane) * MOST;
                insert(&self.keys[from..from + self.ranked[n].k], key(distance_sq[lane], self.rank[other.slot]));
            }
        }
    }
}

/// Puts a key into ascending ones, whose largest falls out.
#[inline]
fn insert(keys: &[Cell<u64>], key: u64) {
    let mut at = keys.len();
    while at > 0 && keys[at - 1].get() > key {
        at -= 1;
        if at + 1 < keys.len() {
            keys[at + 1].set(keys[at].get());
        }
    }
    if at < keys.len() {
        keys[at].set(key);
    }
}
