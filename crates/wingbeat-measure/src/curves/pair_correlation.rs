//! Pair correlation g(r).

use std::ops::Range;

use wingbeat::measuring::vectors::{minus, nearest_image};
use wingbeat::steer::Boundary;

use super::{Accumulate, CurveInput, CurveSettings, CurveTable};
use crate::pairs::{near, square_of};
use crate::tree::{BoxGaps, KdTree, Node};
use crate::{State, mix};

/// Bins up to the reach.
const BINS: usize = 64;
/// Pairs of a moment that are looked at, about; nearer than the reach are some of them.
pub(super) const MOST_PAIRS: u64 = 1 << 21;
/// Leaves by which pairs are counted beforehand.
const COUNTED: usize = 64;
/// Leaves of a task.
const TASK: usize = 16;
/// Mean distances of neighbors that are looked at, unless told otherwise: where the order of most
/// liquids has gone.
const DISTANCES: f64 = 8.0;

/// Over moments, by bin: sums of g, and how many moments there were.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct PairCorrelation {
    dimensions: usize,
    reach: f64,
    sums: Vec<[f64; 2]>,
}

/// The box: its sides, and whether it goes on beyond them.
pub(super) struct Window<const D: usize> {
    sides: [f64; D],
    is_periodic: bool,
}

impl<const D: usize> Window<D> {
    pub fn of(state: &State<'_, D>) -> Self {
        let domain = &state.domain;
        let bounds = state.individuals.bounds();
        // The box in which N are thrown is wider than the one around them, on average by this
        // (Ripley & Rasson 1977).
        let count = state.len() as f64;
        let wider = if count > 1.0 { (count + 1.0) / (count - 1.0) } else { 1.0 };
        let side = |a: usize| match domain.boundary {
            Boundary::Open => (bounds.high[a] - bounds.low[a]) * wider,
            _ => f64::from(domain.side(a)),
        };
        Self { sides: std::array::from_fn(side), is_periodic: domain.is_periodic() }
    }

    fn size(&self) -> f64 {
        self.sides.iter().fold(1.0, |size, side| size * side)
    }

    fn shortest(&self) -> f64 {
        self.sides
            .iter()
            .fold(f64::INFINITY, |least, &side| if side < least { side } else { least })
    }

    /// One over how much of the box has an individual at this way from it still in it.
    #[inline(always)]
    fn weight(&self, way: &[f64; D]) -> f64 {
        let mut part = 1.0;
        for a in 0..D {
            part *= if self.is_periodic { self.sides[a] } else { self.sides[a] - way[a].abs() };
        }
        if part > 0.0 { 1.0 / part } else { 0.0 }
    }
}

/// How far pairs are looked at unless told otherwise; `None` where all are on a line or a spot, or
/// alone.
pub(super) fn usual_reach<const D: usize>(state: &State<'_, D>) -> Option<f64> {
    let window = Window::of(state);
    let spacing = libm::pow(window.size() / state.len() as f64, 1.0 / D as f64);
    let (usual, most) = (DISTANCES * spacing, window.shortest() / 2.0);
    let reach = if usual < most { usual } else { most };
    (state.len() > 1 && reach > 0.0 && reach.is_finite()).then_some(reach)
}

/// Leaves whose individuals' pairs are looked at, evenly spread: all, unless there are too many
/// pairs.
pub(super) fn centers<const D: usize>(
    tree: &KdTree<D>,
    gaps: BoxGaps<D>,
    reach: f64,
    number: i64,
) -> Vec<Node> {
    let leaves = tree.leaves();
    let apart = leaves.len().div_ceil(COUNTED);
    let (mut pairs, mut looked, mut others) = (0u64, 0u64, Vec::new());
    for leaf in leaves.iter().step_by(apart) {
        near(tree, gaps, *leaf, reach * reach, &mut others);
        pairs += others.iter().map(|other| (leaf.len() * other.len()) as u64).sum::<u64>();
        looked += 1;
    }
    let all = u128::from(pairs) * leaves.len() as u128 / u128::from(looked);
    let stride = usize::try_from(all.div_ceil(u128::from(MOST_PAIRS)))
        .unwrap_or(usize::MAX)
        .clamp(1, leaves.len());
    // Others in every moment.
    let first = (mix(number as u64) % stride as u64) as usize;
    leaves.into_iter().skip(first).step_by(stride).collect()
}

/// Adds up what `see` finds of every pair within a reach of which one is of these leaves: it is
/// told both turns in the tree's order, and the way from the one to the other.
pub(super) fn pairs<const D: usize, T: Send + Default>(
    now: &CurveInput<'_, D>,
    tree: &KdTree<D>,
    (leaves, reach): (&[Node], f64),
    see: &(impl Fn(&mut T, usize, usize, [f64; D], f64) + Sync),
    both: &(impl Fn(T, T) -> T + Sync),
) -> T {
    let gaps = BoxGaps::new(&now.state.domain);
    let (reach_sq, all) = (square_of(reach), tree.bounds(tree.root()));
    let of = |range: Range<usize>| {
        let (mut found, mut others) = (T::default(), Vec::new());
        for leaf in &leaves[range] {
            let own = tree.bounds(*leaf);
            let gaps = gaps.seen_from(own, reach, all);
            near(tree, gaps, *leaf, reach_sq, &mut others);
            for other in &others {
                let wraps = gaps.wraps(own, tree.bounds(*other));
                for i in leaf.range() {
                    let here = tree.position(i);
                    for j in other.range() {
                        let mut way = minus(tree.position(j), here);
                        if let Some(sides) = wraps {
                            for a in 0..D {
                                way[a] = nearest_image(way[a], sides[a]);
                            }
                        }
                        let distance_sq = way.iter().fold(0.0, |sum, c| sum + c * c);
                        if distance_sq <= reach_sq && i != j {
                            see(&mut found, i, j, way, distance_sq);
                        }
                    }
                }
            }
        }
        found
    };
    now.state.pool.reduce(TASK, leaves.len(), &of, both)
}

impl Accumulate for PairCorrelation {
    fn add<const D: usize>(&mut self, now: &CurveInput<'_, D>) {
        let (Some(tree), Some(reach)) = (now.tree, now.reach) else { return };
        (self.dimensions, self.reach) = (D, reach);
        self.sums.resize(BINS, [0.0; 2]);
        let (window, count) = (Window::of(now.state), now.state.len());
        let leaves = centers(tree, BoxGaps::new(&now.state.domain), reach, now.number);
        let looked = leaves.iter().map(Node::len).sum::<usize>() as f64;
        let to_bin = BINS as f64 / reach;
        let see = |bins: &mut Vec<f64>, _: usize, _: usize, way: [f64; D], distance_sq: f64| {
            bins.resize(BINS, 0.0);
            let bin = (distance_sq.sqrt() * to_bin) as usize;
            bins[if bin < BINS { bin } else { BINS - 1 }] += window.weight(&way);
        };
        let both = |one: Vec<f64>, other: Vec<f64>| match (one.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => one,
            _ => one.iter().zip(&other).map(|(a, b)| a + b).collect(),
        };
        let bins: Vec<f64> = pairs(now, tree, (&leaves, reach), &see, &both);
        let width = reach / BINS as f64;
        // Where a bin reaches out of the box, or past the nearest image, it is unknown what there
        // would be.
        let most = if window.is_periodic { window.shortest() / 2.0 } else { window.shortest() };
        let pairs_of_all = looked * (count as f64 - 1.0);
        for (bin, sum) in self.sums.iter_mut().enumerate() {
            let outer = (bin + 1) as f64 * width;
            if outer <= most * (1.0 + 1e-12) && pairs_of_all > 0.0 {
                let found = bins.get(bin).copied().unwrap_or(0.0);
                let shell = ball::<D>(outer) - ball::<D>(bin as f64 * width);
                sum[0] += found * window.size() * window.size() / (pairs_of_all * shell);
                sum[1] += 1.0;
            }
        }
    }

    fn table(&self, _: &CurveSettings) -> CurveTable {
        let heads = [("distance", "length"), ("pair_correlation", ""), ("moments", "")];
        let width = self.reach / BINS as f64;
        let found = self.sums.iter().enumerate().filter(|(_, [_, moments])| *moments > 0.0);
        let rows: Vec<_> = found
            .map(|(bin, [sum, moments])| [(bin as f64 + 0.5) * width, sum / moments, *moments])
            .collect();
        CurveTable::of(1, heads, &rows)
    }
}

/// Area of a circle, volume of a ball.
fn ball<const D: usize>(radius: f64) -> f64 {
    let pi = std::f64::consts::PI;
    if D == 2 { pi * radius * radius } else { 4.0 / 3.0 * pi * radius * radius * radius }
}
