//! The k-d tree for searches of observables: cells of one size would fail where flocks clump.

use std::ops::Range;

use wingbeat::Domain;
use wingbeat::measuring::vectors::{dot, nearest_image, nearest_images, sides};
use wingbeat::measuring::{Bounds, Individuals, MedianOrder, MedianRule, Pool};

/// Individuals of a leaf, compared one by one.
pub(crate) const LEAF: usize = 16;
/// Ways across the edges of a periodic domain are rounded by so much, relative to the largest
/// number in them.
const EDGE_ERROR: f64 = 1e-15;

/// Rounding of a reach and of what is compared with it, in sides; far more than there is.
const REACH_ERROR: f64 = 1e-9;

/// Individuals in an order in which those near in space are near in memory: a range of it is halved
/// again and again, each time along its longest side, until there are at most [`LEAF`] left. All
/// leaves but the last are full.
pub(crate) struct KdTree<const D: usize> {
    /// Places of individuals.
    pub order: Vec<u32>,
    /// Their positions in this order, one column an axis.
    pub positions: [Vec<f64>; D],
    /// Boxes around ranges: each before those of its first half, which come before those of its
    /// second.
    boxes: Vec<Bounds<D>>,
}

/// A range of a tree's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// Of its box.
    pub index: u32,
    start: u32,
    end: u32,
}

impl Node {
    fn root(count: usize) -> Self {
        Self { index: 0, start: 0, end: count as u32 }
    }

    #[inline(always)]
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    #[inline(always)]
    pub fn is_leaf(&self) -> bool {
        self.len() <= LEAF
    }

    /// The two halves of a range that is no leaf: half of its leaves each, or one less.
    #[inline(always)]
    pub fn halves(&self) -> (Self, Self) {
        let middle = middle(&self.range()) as u32;
        let first = Self { index: self.index + 1, start: self.start, end: middle };
        (first, Self { index: self.index + boxes(first.len()) + 1, start: middle, end: self.end })
    }
}

/// Where a range that is no leaf is cut.
#[inline(always)]
fn middle(range: &Range<usize>) -> usize {
    range.start + range.len().div_ceil(LEAF) / 2 * LEAF
}

/// How many boxes there are around so many and their halves.
#[inline(always)]
fn boxes(count: usize) -> u32 {
    2 * count.div_ceil(LEAF) as u32 - 1
}

impl<const D: usize> KdTree<D> {
    /// Of at least one individual.
    pub fn new(individuals: &Individuals<D>, pool: &Pool) -> Self {
        let count = individuals.len();
        let mut entries: Vec<Entry<D>> =
            (0..count).map(|place| (individuals.position(place), place as u32)).collect();
        let bounds = individuals.bounds();
        pool.divide(MedianOrder { items: &mut entries, range: 0..count, bounds, rule: &Leaves });
        let mut tree = Self {
            order: entries.iter().map(|(_, place)| *place).collect(),
            positions: std::array::from_fn(|a| entries.iter().map(|(p, _)| p[a]).collect()),
            boxes: vec![Bounds::NONE; boxes(count) as usize],
        };
        tree.surround(tree.root());
        tree
    }

    pub fn root(&self) -> Node {
        Node::root(self.order.len())
    }

    /// How many boxes there are.
    pub fn nodes(&self) -> usize {
        self.boxes.len()
    }

    #[inline(always)]
    pub fn bounds(&self, node: Node) -> &Bounds<D> {
        &self.boxes[node.index as usize]
    }

    /// The position of an individual that has this turn in the order.
    #[inline(always)]
    pub fn position(&self, turn: usize) -> [f64; D] {
        let mut position = [0.0; D];
        for a in 0..D {
            position[a] = self.positions[a][turn];
        }
        position
    }

    /// The positions of those in a leaf, an individual a lane; NaN in the lanes beyond the last.
    #[inline(always)]
    pub fn lanes(&self, leaf: Node) -> [[f64; LEAF]; D] {
        let mut lanes = [[f64::NAN; LEAF]; D];
        for a in 0..D {
            lanes[a][..leaf.len()].copy_from_slice(&self.positions[a][leaf.range()]);
        }
        lanes
    }

    /// All leaves, in order.
    pub fn leaves(&self) -> Vec<Node> {
        let (mut leaves, mut waiting) = (Vec::new(), vec![self.root()]);
        while let Some(node) = waiting.pop() {
            if node.is_leaf() {
                leaves.push(node);
            } else {
                let (first, second) = node.halves();
                waiting.extend([second, first]);
            }
        }
        leaves
    }

    /// Puts boxes around a range and its parts.
    fn surround(&mut self, node: Node) -> Bounds<D> {
        let bounds = if node.is_leaf() {
            node.range().fold(Bounds::NONE, |bounds, turn| {
                let position = self.position(turn);
                bounds.hull(&Bounds { low: position, high: position })
            })
        } else {
            let (first, second) = node.halves();
            self.surround(first).hull(&self.surround(second))
        };
        self.boxes[node.index as usize] = bounds;
        bounds
    }
}

/// A position, and whose it is.
type Entry<const D: usize> = ([f64; D], u32);

/// Cuts ranges of entries into full leaves.
struct Leaves;

impl<const D: usize> MedianRule<Entry<D>, D> for Leaves {
    fn cut(&self, range: &Range<usize>) -> Option<usize> {
        (range.len() > LEAF).then(|| middle(range))
    }

    fn select(&self, entries: &mut [Entry<D>], at: usize, axis: usize) -> f64 {
        let (_, (position, _), _) =
            entries.select_nth_unstable_by(at, |(p, _), (q, _)| p[axis].total_cmp(&q[axis]));
        position[axis]
    }
}

/// How boxes lie to each other in a domain.
#[derive(Clone, Copy)]
pub(crate) struct BoxGaps<const D: usize> {
    /// Sides of a periodic domain.
    sides: Option<[f64; D]>,
}

impl<const D: usize> BoxGaps<D> {
    pub fn new(domain: &Domain<[f32; D]>) -> Self {
        Self { sides: sides(domain) }
    }

    /// The same without images, where no individual's image is nearer than `reach` to any
    /// individual in a box: all are in the box `all`.
    #[inline(always)]
    pub fn seen_from(self, one: &Bounds<D>, reach: f64, all: &Bounds<D>) -> Self {
        let Some(sides) = self.sides else { return self };
        for a in 0..D {
            let reach = reach + sides[a] * REACH_ERROR;
            // Not so either where an individual has not found any individual yet.
            let is_inside = one.high[a] + reach < all.low[a] + sides[a]
                && one.low[a] - reach > all.high[a] - sides[a];
            if !is_inside {
                return self;
            }
        }
        Self { sides: None }
    }

    /// No more than the squared distance of any individual in one box from any individual in
    /// another, as [`distance_sq`](Self::distance_sq) rounds it: rounding keeps order, and across
    /// edges there is a margin.
    #[inline(always)]
    pub fn least_sq(&self, one: &Bounds<D>, other: &Bounds<D>) -> f64 {
        let mut gap = [0.0; D];
        for a in 0..D {
            let (least, most) = (other.low[a] - one.high[a], other.high[a] - one.low[a]);
            gap[a] = match self.sides {
                Some(sides) => least_across(least, most, sides[a]),
                None if least > 0.0 => least,
                None if most < 0.0 => -most,
                None => 0.0,
            };
        }
        dot(&gap, &gap)
    }

    /// The sides, if an individual in one box may be nearest to an image of an individual in the
    /// other that is not themselves.
    #[inline(always)]
    pub fn wraps(&self, one: &Bounds<D>, other: &Bounds<D>) -> Option<[f64; D]> {
        let sides = self.sides?;
        for a in 0..D {
            let half = sides[a] / 2.0;
            if other.low[a] - one.high[a] <= -half || other.high[a] - one.low[a] >= half {
                return Some(sides);
            }
        }
        None
    }

    /// The squared distances of a place from those in [lanes](KdTree::lanes), to the nearest images
    /// where there are `wraps`.
    #[inline(always)]
    pub fn distances_sq(
        place: [f64; D],
        lanes: &[[f64; LEAF]; D],
        wraps: Option<[f64; D]>,
    ) -> [f64; LEAF] {
        let mut distances_sq = [0.0; LEAF];
        for a in 0..D {
            let mut ways = [0.0; LEAF];
            for i in 0..LEAF {
                ways[i] = place[a] - lanes[a][i];
            }
            if let Some(sides) = wraps {
                nearest_images(&mut ways, sides[a]);
            }
            for i in 0..LEAF {
                distances_sq[i] += ways[i] * ways[i];
            }
        }
        distances_sq
    }

    /// The squared length of a way, in a periodic domain of that to the nearest image.
    #[inline(always)]
    pub fn distance_sq(way: [f64; D], wraps: Option<[f64; D]>) -> f64 {
        let mut way = way;
        if let Some(sides) = wraps {
            for a in 0..D {
                way[a] = nearest_image(way[a], sides[a]);
            }
        }
        dot(&way, &way)
    }
}

/// The least distance along a periodic axis of two whose difference lies in a range.
#[inline(always)]
fn least_across(least: f64, most: f64, side: f64) -> f64 {
    if least >= -side && most <= side {
        // Inside one box there are three images. Rounding keeps order, so no individual is nearer
        // than these.
        let here = if least > 0.0 {
            least
        } else if most < 0.0 {
            -most
        } else {
            0.0
        };
        let (above, below) = (side - most, side + least);
        let nearer = if above < here { above } else { here };
        return if below < nearer { below } else { nearer };
    }
    if (least / side).floor() != (most / side).floor() {
        return 0.0;
    }
    // Between two images no individual is nearer to either than those at the ends.
    let error = |way: f64| way.abs() * EDGE_ERROR;
    let (least, most) = (
        nearest_image(least, side).abs() - error(least),
        nearest_image(most, side).abs() - error(most),
    );
    let nearer = if least < most { least } else { most };
    if nearer > 0.0 { nearer } else { 0.0 }
}
