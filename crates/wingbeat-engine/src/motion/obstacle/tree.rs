//! A tree of boxes: which of many may meet another, at a cost in proportion to those nearby.
//!
//! Boxes are ordered so that each sixteen lie close together; around each sixteen is a box, around
//! each sixteen of those another, up to a short list that is always read. A node's sixteen are
//! tested at once, in lanes. The order is kept while boxes move and found anew from time to time:
//! it decides how long a search takes, never what it finds.

use std::ops::Range;

use wingbeat_steer::Domain;

use crate::median::{Bounds, MedianOrder, MedianRule};
use crate::parallel::Workers;
use crate::simd::{Float, Mask, Portable, Simd};

/// Boxes in a node: one register of the widest level.
const WIDE: usize = 16;

/// Nodes of the highest level: to read these few in turn costs less than to find out which of them
/// to read.
const TOP: usize = 4 * WIDE;

/// Levels of a tree of as many boxes as there are `u32`s.
const MOST_LEVELS: usize = 8;

/// As often boxes may move before their order is found anew.
const KEEP_ORDER: u32 = 64;

/// Slack of positions: eight times what they are rounded by; half of it is the skin of the
/// definition.
const SLACK: f64 = 1.0 / 1_048_576.0;

/// Of obstacles: four times what their own definition allows for.
const GRAIN: f64 = 1.0 / 35_184_372_088_832.0;

/// The number of the image seen directly, in one to three dimensions.
const DIRECT: [u32; 3] = [2, 12, 62];

/// Lowest and highest corner.
pub(super) type Ends<const D: usize> = ([f32; D], [f32; D]);

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct TreeHits {
    /// Boxes and images, ascending: see [`index`] and [`ObstacleTree::shift`].
    pub list: Vec<u64>,
    /// Room for leaves.
    leaves: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(super) struct ObstacleTree<const D: usize> {
    domain: Domain<[f32; D]>,
    /// Most sides by which the images are away that count.
    images: i32,
    boxes: Vec<Ends<D>>,
    /// Of balls, the radius about the middle of the box.
    balls: Vec<f32>,
    /// Boxes in the order of the leaves.
    order: Vec<u32>,
    /// How often the order has been kept.
    kept: u32,
    /// Lowest and highest ends, axis by axis, of all nodes: level by level, leaves first, each
    /// filled up to whole sixteens with boxes that nothing meets.
    ends: [[Vec<f32>; D]; 2],
    /// Where the levels begin there.
    levels: Vec<usize>,
    /// All of them.
    low: [f64; D],
    high: [f64; D],
}

/// Which box was found.
#[inline(always)]
pub(super) fn index(found: u64) -> usize {
    (found >> 8) as usize
}

/// A box in numbers of fewer digits, no smaller.
pub(super) fn outwards<const D: usize>(low: [f64; 3], high: [f64; 3]) -> Ends<D> {
    let (mut below, mut above) = ([0.0; D], [0.0; D]);
    for a in 0..D {
        let slack = low[a].abs().max(high[a].abs()) * GRAIN;
        below[a] = ((low[a] - slack) as f32).next_down();
        above[a] = ((high[a] + slack) as f32).next_up();
    }
    (below, above)
}

impl<const D: usize> ObstacleTree<D> {
    /// Of nothing; `images` is 1 or 2: how many sides of a periodic box away an image may be to
    /// count.
    pub fn new(domain: &Domain<[f32; D]>, images: i32) -> Self {
        Self {
            domain: *domain,
            images: if domain.is_periodic() { images } else { 0 },
            boxes: Vec::new(),
            balls: Vec::new(),
            order: Vec::new(),
            kept: 0,
            ends: std::array::from_fn(|_| std::array::from_fn(|_| Vec::new())),
            levels: Vec::new(),
            low: [0.0; D],
            high: [0.0; D],
        }
    }

    /// Takes these boxes; nothing is allocated once it has held as many.
    pub fn fill<T: Default + Send>(
        &mut self,
        count: usize,
        get: impl Fn(usize) -> Ends<D> + Sync,
        workers: &Workers<T>,
    ) {
        self.boxes.resize(count, ([0.0; D], [0.0; D]));
        workers.for_batches(count, [[self.boxes.as_mut_slice()]], &|first, [[boxes]], _| {
            for (i, ends) in (first..).zip(boxes) {
                *ends = get(i);
            }
        });
        if self.order.len() == count && self.kept < KEEP_ORDER {
            self.kept += 1;
        } else {
            self.kept = 0;
            self.order.clear();
            self.order.extend(0..count as u32);
            // To cut a box off takes several times as long as to place a boid.
            let (items, rule) = (&mut self.order[..], &BoxMiddles(&self.boxes));
            let (range, bounds) = (0..count, Bounds::NONE);
            workers.divide(8 * count, MedianOrder { items, range, bounds, rule });
        }
        self.enclose(workers);
    }

    /// Leaves, and what is around them.
    fn enclose<T: Default + Send>(&mut self, workers: &Workers<T>) {
        let Self { ends: [low, high], levels, order, boxes, .. } = self;
        let count = order.len();
        for a in 0..D {
            low[a].resize(count, f32::INFINITY);
            high[a].resize(count, f32::NEG_INFINITY);
        }
        let leaves =
            [low.each_mut().map(Vec::as_mut_slice), high.each_mut().map(Vec::as_mut_slice)];
        workers.for_batches(count, leaves, &|first, [low, high], _| {
            for a in 0..D {
                for ((low, high), &i) in low[a].iter_mut().zip(&mut *high[a]).zip(&order[first..]) {
                    (*low, *high) = (boxes[i as usize].0[a], boxes[i as usize].1[a]);
                }
            }
        });
        levels.clear();
        let mut first = 0;
        loop {
            let end = low[0].len().next_multiple_of(WIDE);
            levels.push(first);
            let above = if end - first > TOP { (end - first) / WIDE } else { 0 };
            for a in 0..D {
                low[a].resize(end, f32::INFINITY);
                high[a].resize(end, f32::NEG_INFINITY);
                low[a].resize(end + above, f32::INFINITY);
                high[a].resize(end + above, f32::NEG_INFINITY);
            }
            if above == 0 {
                break;
            }
            let (mut lows, mut highs): ([&[f32]; D], [&[f32]; D]) = ([&[]; D], [&[]; D]);
            let mut to: [[&mut [f32]; D]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| Default::default()));
            for (a, (low, high)) in low.iter_mut().zip(high.iter_mut()).enumerate() {
                let ((below, above), (highs_below, highs_above)) =
                    (low.split_at_mut(end), high.split_at_mut(end));
                (lows[a], highs[a]) = (&below[first..], &highs_below[first..]);
                (to[0][a], to[1][a]) = (above, highs_above);
            }
            workers.for_batches(above, to, &|first, [low, high], _| {
                for a in 0..D {
                    let sixteens =
                        lows[a].chunks_exact(WIDE).zip(highs[a].chunks_exact(WIDE)).skip(first);
                    for ((low, high), (lows, highs)) in
                        low[a].iter_mut().zip(&mut *high[a]).zip(sixteens)
                    {
                        *low = lows
                            .iter()
                            .fold(f32::INFINITY, |least, &x| if x < least { x } else { least });
                        *high = highs
                            .iter()
                            .fold(f32::NEG_INFINITY, |most, &x| if x > most { x } else { most });
                    }
                }
            });
            first = end;
        }
        for a in 0..D {
            self.low[a] =
                low[a][first..].iter().fold(f64::INFINITY, |least, &x| least.min(f64::from(x)));
            self.high[a] =
                high[a][first..].iter().fold(f64::NEG_INFINITY, |most, &x| most.max(f64::from(x)));
        }
    }

    /// Says which are balls: their radii about the middle of their boxes, infinite of others.
    pub fn round<T: Default + Send>(
        &mut self,
        radius: impl Fn(usize) -> f32 + Sync,
        workers: &Workers<T>,
    ) {
        self.balls.resize(self.boxes.len(), 0.0);
        workers.for_batches(
            self.boxes.len(),
            [[self.balls.as_mut_slice()]],
            &|first, [[balls]], _| {
                for (i, ball) in (first..).zip(balls) {
                    *ball = radius(i);
                }
            },
        );
    }

    /// The radius of the ball that a box holds, infinite if it holds something else.
    #[inline(always)]
    pub fn ball(&self, found: u64) -> f32 {
        self.balls[index(found)]
    }

    /// Where the image found is: what to add to its coordinates. Sides are a digit of base 5 an
    /// axis, the first the lowest, so that images ascend as those of the definition do.
    #[inline(always)]
    pub fn shift(&self, found: u64) -> [f32; D] {
        let mut rest = (found & 0xff) as u32;
        let mut shift = [0.0; D];
        if rest == DIRECT[D - 1] {
            return shift;
        }
        for a in 0..D {
            let step = (rest % 5) as f32 - 2.0;
            rest /= 5;
            // Not 0·∞: an open domain has sides too.
            shift[a] = if step == 0.0 { 0.0 } else { step * self.domain.side(a) };
        }
        shift
    }

    /// The ends of the box found, seen through its image.
    #[inline(always)]
    pub fn ends(&self, found: u64) -> Ends<D> {
        let ((mut below, mut above), shift) = (self.boxes[index(found)], self.shift(found));
        for a in 0..D {
            (below[a], above[a]) = (below[a] + shift[a], above[a] + shift[a]);
        }
        (below, above)
    }

    /// How far from one of the boxes a boid within `low`…`high` may be that comes within a skin of
    /// it: positions are rounded by no more where both can be.
    #[inline(always)]
    pub fn slack(&self, low: [f64; D], high: [f64; D]) -> f64 {
        let (mut boid, mut most) = (0.0, 0.0);
        for a in 0..D {
            boid = low[a].abs().max(high[a].abs()).max(boid);
            most = self.low[a].abs().max(self.high[a].abs()).max(most);
        }
        if self.images > 0 {
            for a in 0..D {
                most += 2.0 * f64::from(self.domain.side(a));
            }
        }
        most.min(boid) * SLACK
    }

    /// Lists, ascending by box and then image, all that may meet the box `low`…`high` or come
    /// within a skin of it. More may be listed, none twice.
    #[inline(always)]
    pub fn list<S: Simd>(&self, s: S, low: [f64; D], high: [f64; D], found: &mut TreeHits) {
        found.list.clear();
        let room = self.order.len().next_multiple_of(WIDE) + WIDE;
        if found.leaves.len() < room {
            found.leaves.resize(room, 0);
        }
        let slack = self.slack(low, high);
        let (mut from, mut to) = (low, high);
        let (mut first, mut last) = ([0; D], [0; D]);
        for a in 0..D {
            (from[a], to[a]) = (low[a] - slack, high[a] + slack);
            (first[a], last[a]) = (-self.images, self.images);
            if self.images > 0 {
                // Seen through the image k, what is at x is at x + k·L.
                let side = f64::from(self.domain.side(a));
                while first[a] < last[a] && from[a] > self.high[a] + f64::from(first[a]) * side {
                    first[a] += 1;
                }
                while first[a] < last[a] && to[a] < self.low[a] + f64::from(last[a]) * side {
                    last[a] -= 1;
                }
            }
        }
        let mut step = first;
        loop {
            self.list_image(s, from, to, step, found);
            let mut a = 0;
            while a < D && step[a] == last[a] {
                step[a] = first[a];
                a += 1;
            }
            if a == D {
                break;
            }
            step[a] += 1;
        }
        if found.list.len() > 1 {
            found.list.sort_unstable();
        }
    }

    /// The same where there are no lanes at hand.
    pub fn list_plainly(&self, low: [f64; D], high: [f64; D], found: &mut TreeHits) {
        self.list(Portable::new(), low, high, found);
    }

    #[inline(always)]
    fn list_image<S: Simd>(
        &self,
        s: S,
        from: [f64; D],
        to: [f64; D],
        step: [i32; D],
        found: &mut TreeHits,
    ) {
        let (mut low, mut high) = ([0.0; D], [0.0; D]);
        let mut image = 0;
        for a in (0..D).rev() {
            image = image * 5 + (step[a] + 2) as u64;
            let shift = if step[a] == 0 {
                0.0
            } else {
                f64::from(step[a]) * f64::from(self.domain.side(a))
            };
            let (start, end) = (from[a] - shift, to[a] - shift);
            if start > self.high[a] || end < self.low[a] {
                return;
            }
            (low[a], high[a]) = ((start as f32).next_down(), (end as f32).next_up());
        }
        let mut len = 0;
        let top = self.levels.len() - 1;
        for part in (self.levels[top]..self.ends[0][0].len()).step_by(WIDE) {
            if top == 0 {
                len = self.push(s, part, &low, &high, &mut found.leaves, len);
            } else {
                len = self.descend(s, part, &low, &high, &mut found.leaves, len);
            }
        }
        // Places that fill up the last sixteen meet nothing; should one be listed, it has no box
        // and is dropped here.
        let boxes = found.leaves[..len].iter().filter_map(|&leaf| self.order.get(leaf as usize));
        found.list.extend(boxes.map(|&i| u64::from(i) << 8 | image));
    }

    /// Adds the leaves that meet the box below sixteen nodes of the highest level.
    #[inline(always)]
    fn descend<S: Simd>(
        &self,
        s: S,
        at: usize,
        low: &[f32; D],
        high: &[f32; D],
        leaves: &mut [u32],
        mut len: usize,
    ) -> usize {
        // The nodes being read, one on each level, and which of their sixteen are still to be
        // entered.
        let mut open = [(0, 0_u32); MOST_LEVELS];
        let top = self.levels.len() - 1;
        let mut level = top;
        open[top] = (at - self.levels[top], self.meeting(s, at, low, high));
        loop {
            let (first, rest) = open[level];
            if rest == 0 {
                if level == top {
                    return len;
                }
                level += 1;
                continue;
            }
            open[level].1 = rest & (rest - 1);
            let node = (first + rest.trailing_zeros() as usize) * WIDE;
            if level == 1 {
                len = self.push(s, node, low, high, leaves, len);
            } else {
                level -= 1;
                open[level] = (node, self.meeting(s, self.levels[level] + node, low, high));
            }
        }
    }

    /// Adds the leaves of a node that meet the box.
    #[inline(always)]
    fn push<S: Simd>(
        &self,
        s: S,
        at: usize,
        low: &[f32; D],
        high: &[f32; D],
        leaves: &mut [u32],
        mut len: usize,
    ) -> usize {
        for part in (at..at + WIDE).step_by(S::LANES) {
            len = s.push_slots(leaves, len, part as u32, self.meet(s, part, low, high));
        }
        len
    }

    /// Which of a node's sixteen meet the box: a bit each.
    #[inline(always)]
    fn meeting<S: Simd>(&self, s: S, at: usize, low: &[f32; D], high: &[f32; D]) -> u32 {
        let mut bits = 0;
        for part in (0..WIDE).step_by(S::LANES) {
            bits |= self.meet(s, at + part, low, high).bits() << part;
        }
        bits
    }

    #[inline(always)]
    fn meet<S: Simd>(&self, s: S, at: usize, low: &[f32; D], high: &[f32; D]) -> S::M {
        let mut meet = s.first(S::LANES);
        for a in 0..D {
            let (below, above) = (s.load(&self.ends[0][a], at), s.load(&self.ends[1][a], at));
            meet = meet & below.le(s.splat(high[a])) & s.splat(low[a]).le(above);
        }
        meet
    }
}

/// Cuts boxes by their middles, so that each sixteen, and each sixteen of those, are near.
struct BoxMiddles<'a, const D: usize>(&'a [Ends<D>]);

impl<const D: usize> BoxMiddles<'_, D> {
    fn middle(&self, i: u32, axis: usize) -> f32 {
        let (low, high) = self.0[i as usize];
        low[axis] * 0.5 + high[axis] * 0.5
    }
}

impl<const D: usize> MedianRule<u32, D> for BoxMiddles<'_, D> {
    /// All parts but the last hold whole nodes, of as many levels as may be.
    fn cut(&self, range: &Range<usize>) -> Option<usize> {
        let count = range.len();
        if count <= WIDE {
            return None;
        }
        let mut whole = WIDE;
        while whole * WIDE < count {
            whole *= WIDE;
        }
        let half = (count / 2).next_multiple_of(whole).min((count - 1) / whole * whole);
        Some(range.start + half)
    }

    fn select(&self, order: &mut [u32], at: usize, axis: usize) -> f64 {
        let (_, &mut middle, _) = order.select_nth_unstable_by(at, |&i, &j| {
            self.middle(i, axis).total_cmp(&self.middle(j, axis)).then(i.cmp(&j))
        });
        f64::from(self.middle(middle, axis))
    }

    /// The smallest box around the middles: pieces of one wall fill little of what the cuts leave.
    fn bounds(&self, order: &[u32], _: Bounds<D>) -> Bounds<D> {
        order.iter().fold(Bounds::NONE, |bounds, &i| {
            let middle = crate::arrays::from_fn(|a| f64::from(self.middle(i, a)));
            bounds.hull(&Bounds { low: middle, high: middle })
        })
    }
}

#[cfg(test)]
#[path = "../../../tests/inside/tree.rs"]
mod tests;
