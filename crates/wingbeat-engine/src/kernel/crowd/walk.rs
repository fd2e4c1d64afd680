//! The walk down the boxes of a crowd: lists the places of one ring that may matter to some lane.

use std::ops::Index;

use crate::grid::{Boxes, FAN, FAN_BITS, Images, Run, SubcellOrder};
use crate::kernel::input::StepInput;
use crate::kernel::search::Candidates;
use crate::neighbors::{Block, List, NearestLimit, gap_nearest};
use crate::simd::{Float, Mask, Simd, Vectors};
use crate::terms::rule::topological::WidestView;

/// Most boxes waiting: sixteen of a run and fifteen for each of eight levels.
const WAITING: usize = 9 * FAN;

/// Where one lane's limit is this many times another's, squared, boxes are tested lane by lane.
const UNLIKE: f32 = 9.0;

/// Part of its distance by which a box may miss the field of view and is looked into all the same:
/// some thousand times what rounding amounts to.
const SLACK: f32 = 1.0 / 4096.0;

/// A walk through the runs of a search, down the boxes.
pub(super) struct Walk<'a, const D: usize> {
    pub fine: &'a SubcellOrder<D>,
    pub runs: &'a [Run<D>],
    /// Runs begun.
    pub begun: usize,
    pub run: Run<D>,
    /// Boxes to look into, level and number in one.
    waiting: [u32; WAITING],
    depth: usize,
    /// Square of where the ring begins, and ends.
    from_sq: f32,
    pub to_sq: f32,
    pub len: usize,
}

impl<'a, const D: usize> Walk<'a, D> {
    #[inline(always)]
    pub fn new(fine: &'a SubcellOrder<D>, runs: &'a [Run<D>]) -> Self {
        let run = Run { first: 0, end: 0, shift: [0.0; D] };
        Self {
            fine,
            runs,
            begun: 0,
            run,
            waiting: [0; WAITING],
            depth: 0,
            from_sq: 0.0,
            to_sq: f32::INFINITY,
            len: 0,
        }
    }

    /// From the first run on again.
    #[inline(always)]
    pub fn ring(&mut self, from_sq: f32, to_sq: f32) {
        (self.begun, self.depth, self.from_sq, self.to_sq) = (0, 0, from_sq, to_sq);
    }
}

impl<const D: usize> Walk<'_, D> {
    /// Fills the list with the next candidates within the lanes' limits, of one
    /// shift, until there are enough.
    #[inline(always)]
    pub fn fill<S: Simd>(
        &mut self,
        s: S,
        from: &mut Candidates<'_, S, D>,
        limit: &NearestLimit<S>,
        enough: usize,
    ) {
        let (walk, Candidates { input, block, list, images, .. }) = (self, from);
        let (live, per_lane) = (block.own.live, *images == Images::PerLane);
        let reach_sq = limit.reach_sq(s, live);
        let widest = &input.prepared.nearest.as_ref().map_or(EVERYTHING, |nearest| nearest.widest);
        let least_sq = live.select(limit.distance_sq, s.splat(f32::INFINITY)).reduce_min();
        let by_rank = limit.by_rank(s).any();
        let careful = by_rank || reach_sq > least_sq * UNLIKE;
        let (low, high) = (Vectors::splat(s, block.low), Vectors::splat(s, block.high));
        let test = BoxTest {
            s,
            input,
            block,
            low,
            high,
            widest,
            limit: *limit,
            reach_sq,
            careful,
            per_lane,
        };
        walk.len = 0;
        while walk.len < enough {
            let waiting = walk.depth.saturating_sub(1);
            if walk.depth > 0 {
                walk.depth -= 1;
                let box_ = walk.waiting[walk.depth];
                let (level, number) = (box_ >> LEVEL, (box_ & ((1 << LEVEL) - 1)) as usize);
                test.open_boxes(walk, list, level as usize - 1, number * FAN, (number + 1) * FAN);
                // The first of them next: among boids on one point it has the smallest ranks.
                walk.waiting[waiting..walk.depth].reverse();
                continue;
            }
            let Some(run) = walk.runs.get(walk.begun) else { break };
            if walk.len > 0 && run.shift != walk.run.shift && !per_lane {
                break;
            }
            walk.run = *run;
            if per_lane {
                walk.run.shift = [0.0; D];
            }
            walk.begun += 1;
            let mut level = 0;
            while level + 1 < walk.fine.levels.len()
                && ((run.end - 1) >> bits_of(level)) - (run.first >> bits_of(level)) >= FAN as u32
            {
                level += 1;
            }
            test.open_boxes(walk, list, level, 0, usize::MAX);
            walk.waiting[..walk.depth].reverse();
        }
    }
}

/// Level above, number below this bit.
const LEVEL: u32 = 28;

/// No view is a limit.
const EVERYTHING: WidestView =
    WidestView { cos_half: f32::NEG_INFINITY, round_sq: 0.0, coincident_sq: 0.0, about: 0.0 };

/// Places in a box of a level, as a power of two.
#[inline(always)]
fn bits_of(level: usize) -> u32 {
    FAN_BITS * (level as u32 + 1)
}

/// What decides whether to look into a box.
struct BoxTest<'a, S: Simd, const D: usize> {
    s: S,
    input: &'a StepInput<'a, D>,
    block: &'a Block<S, D>,
    /// The block's box.
    low: Vectors<S, D>,
    high: Vectors<S, D>,
    widest: &'a WidestView,
    limit: NearestLimit<S>,
    /// The largest of the limits.
    reach_sq: f32,
    /// Whether a test lane by lane is worth its time.
    careful: bool,
    per_lane: bool,
}

impl<S: Simd, const D: usize> BoxTest<'_, S, D> {
    /// Tests the boxes of a level from one number to another, as far as they touch the run:
    /// those that matter wait to be looked into, or are listed.
    #[inline(always)]
    fn open_boxes(
        &self,
        walk: &mut Walk<'_, D>,
        list: &mut List,
        level: usize,
        first: usize,
        end: usize,
    ) {
        let (s, run) = (self.s, walk.run);
        let first = first.max((run.first >> bits_of(level)) as usize);
        let end = end.min(((run.end - 1) >> bits_of(level)) as usize + 1);
        let boxes = &walk.fine.levels[level];
        let gaps = ImageGaps::new(self, &boxes.low, &boxes.high, run.shift);
        let (reach_sq, to_sq) = (s.splat(self.reach_sq), s.splat(walk.to_sq));
        let mut at = first;
        while at < end {
            let gap_sq = gaps.sq(at);
            let near =
                gap_sq.le_within(reach_sq, s.first(S::LANES.min(end - at))) & gap_sq.lt(to_sq);
            let mut bits = near.bits();
            while bits != 0 {
                let number = at + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if self.careful && !self.matters(walk, boxes, number) {
                    continue;
                }
                if level > 0 {
                    walk.waiting[walk.depth] = (level as u32) << LEVEL | number as u32;
                    walk.depth += 1;
                } else {
                    self.list(walk, list, number * FAN);
                }
            }
            at += S::LANES;
        }
    }

    /// Whether a box may hold a candidate that some lane sees.
    #[inline(always)]
    fn matters(&self, walk: &Walk<'_, D>, boxes: &Boxes<D>, number: usize) -> bool {
        let (s, own) = (self.s, &self.block.own);
        let (mut near, mut far, mut gap) =
            (Vectors::<S, D>::zero(s), Vectors::<S, D>::zero(s), Vectors::<S, D>::zero(s));
        for a in 0..D {
            let shift = s.splat(walk.run.shift[a]);
            // Offsets of its faces.
            near[a] = (s.splat(boxes.low[a][number]) - own.position[a]) - shift;
            far[a] = (s.splat(boxes.high[a][number]) - own.position[a]) - shift;
            gap[a] = if self.per_lane {
                gap_nearest(s, near[a], -far[a], self.input.flock.domain.side(a))
            } else {
                near[a].max(-far[a]).max(s.splat(0.0))
            };
        }
        let gap_sq = gap.dot(gap);
        let within = self.limit.admits(s, gap_sq, boxes.rank[number]) & own.live;
        if self.widest.cos_half == f32::NEG_INFINITY || self.per_lane || !within.any() {
            return within.any();
        }
        (within & !self.hidden(near, far, gap_sq)).any()
    }

    /// Lanes that certainly see nothing of the box between these offsets.
    #[inline(always)]
    fn hidden(&self, near: Vectors<S, D>, far: Vectors<S, D>, gap_sq: S::F) -> S::M {
        let (s, own, cos_half) = (self.s, &self.block.own, self.widest.cos_half);
        let (mut ahead, mut furthest_sq) = (s.splat(0.0), s.splat(0.0));
        for a in 0..D {
            ahead = ahead + (near[a] * own.heading[a]).max(far[a] * own.heading[a]);
            let furthest = near[a].abs().max(far[a].abs());
            furthest_sq = furthest_sq + furthest * furthest;
        }
        let furthest = furthest_sq.sqrt();
        // The least that c·d can be in the box.
        let needed = s.splat(cos_half) * if cos_half < 0.0 { furthest } else { gap_sq.sqrt() };
        let blind =
            ahead.lt(needed - furthest * s.splat(SLACK)) & gap_sq.gt(s.splat(self.widest.round_sq));
        blind & !own.at_rest
    }

    /// Lists a box of sixteen places, as far as they are of the run and in the ring.
    #[inline(always)]
    fn list(&self, walk: &mut Walk<'_, D>, list: &mut List, first: usize) {
        let (s, run) = (self.s, walk.run);
        let columns = &self.input.flock.columns.position;
        let gaps = ImageGaps::new(self, columns, columns, run.shift);
        let (reach_sq, from_sq, to_sq) =
            (s.splat(self.reach_sq), s.splat(walk.from_sq), s.splat(walk.to_sq));
        let (run_first, end) = (run.first as usize, (first + FAN).min(run.end as usize));
        let mut at = first;
        while at < end {
            let gap_sq = gaps.sq(at);
            let mut near = gap_sq.le(reach_sq) & gap_sq.ge(from_sq) & gap_sq.lt(to_sq);
            // Hardly ever does a run begin or end within a box.
            if at < run_first || at + S::LANES > end {
                let before = run_first.saturating_sub(at).min(S::LANES);
                near = near & s.first(S::LANES.min(end - at)) & !s.first(before);
            }
            walk.len = s.push_slots(list, walk.len, at as u32, near);
            at += S::LANES;
        }
    }
}

/// Distances of boxes from the block, through one image.
struct ImageGaps<'a, S: Simd, const D: usize> {
    test: &'a BoxTest<'a, S, D>,
    low: [&'a [f32]; D],
    high: [&'a [f32]; D],
    shifted: bool,
    shifts: Vectors<S, D>,
}

impl<'a, S: Simd, const D: usize> ImageGaps<'a, S, D> {
    #[inline(always)]
    fn new(
        test: &'a BoxTest<'a, S, D>,
        low: &'a impl Index<usize, Output: AsRef<[f32]>>,
        high: &'a impl Index<usize, Output: AsRef<[f32]>>,
        shift: [f32; D],
    ) -> Self {
        // Cut to one length, so that one bounds check serves all.
        let (mut lows, mut highs): ([&[f32]; D], [&[f32]; D]) = ([&[]; D], [&[]; D]);
        let length = low[0].as_ref().len();
        for a in 0..D {
            (lows[a], highs[a]) = (&low[a].as_ref()[..length], &high[a].as_ref()[..length]);
        }
        let shifts = Vectors::splat(test.s, shift);
        Self { test, low: lows, high: highs, shifted: shift != [0.0; D], shifts }
    }

    /// Squared, of boxes from number `at` on.
    #[inline(always)]
    fn sq(&self, at: usize) -> S::F {
        let (s, test) = (self.test.s, self.test);
        let mut gap = Vectors::<S, D>::zero(s);
        for a in 0..D {
            let above = s.load(self.low[a], at) - test.high[a];
            let below = test.low[a] - s.load(self.high[a], at);
            gap[a] = if test.per_lane {
                gap_nearest(s, above, below, test.input.flock.domain.side(a))
            } else if self.shifted {
                (above - self.shifts[a]).max(below + self.shifts[a]).max(s.splat(0.0))
            } else {
                above.max(below).max(s.splat(0.0))
            };
        }
        gap.dot(gap)
    }
}
