//! Nearest-neighbor distance, by the tree of a state.

use wingbeat::measuring::{Bounds, Level, Pool, Simd, Work, dispatch};

use crate::tree::{BoxGaps, KdTree, LEAF, Node};

/// Leaves of a task.
const TASK: usize = 128;
/// More nodes than can wait on the way down: one a halving, of fewer than 2³².
const DEEPEST: usize = 32;

/// Distances to the nearest other, by place; infinite where there is no other.
pub(crate) fn distances<const D: usize>(
    tree: &KdTree<D>,
    gaps: BoxGaps<D>,
    pool: &Pool,
    level: Level,
) -> Vec<f64> {
    let leaves = tree.leaves();
    let mut found = vec![[f64::INFINITY; LEAF]; leaves.len()];
    pool.rows(TASK, [&mut found], &|first, [found]: [&mut [[f64; LEAF]]; 1]| {
        dispatch(
            level,
            Searches { tree, gaps, leaves: &leaves[first..first + found.len()], found },
        );
    });
    let mut distances = vec![f64::INFINITY; tree.order.len()];
    for (leaf, found) in leaves.iter().zip(&found) {
        for (&place, &distance) in tree.order[leaf.range()].iter().zip(found) {
            distances[place as usize] = distance;
        }
    }
    distances
}

/// Leaves for whose individuals the nearest is searched.
struct Searches<'a, const D: usize> {
    tree: &'a KdTree<D>,
    gaps: BoxGaps<D>,
    leaves: &'a [Node],
    found: &'a mut [[f64; LEAF]],
}

impl<const D: usize> Work for Searches<'_, D> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (leaf, found) in self.leaves.iter().zip(self.found) {
            *found = nearest(self.tree, self.gaps, *leaf).map(f64::sqrt);
        }
    }
}

/// The squared distances of those in a leaf to the nearest other: searched in ever larger ranges
/// around it, the nearer half first, until no box that is left is nearer than what each has found.
#[inline(always)]
fn nearest<const D: usize>(tree: &KdTree<D>, gaps: BoxGaps<D>, leaf: Node) -> [f64; LEAF] {
    let (own, count) = (tree.bounds(leaf), leaf.len());
    // Beyond the last, no individual: NaN is not nearer than anything.
    let positions = tree.lanes(leaf);
    let mut best = [0.0; LEAF];
    for one in &mut best[..count] {
        *one = f64::INFINITY;
    }
    for j in leaf.range() {
        let before = best[j - leaf.range().start];
        nearer(&mut best, &positions, tree.position(j), gaps.wraps(own, own));
        // No individual is its own neighbor.
        best[j - leaf.range().start] = before;
    }
    let mut worst = largest(&best);
    let gaps = gaps.seen_from(own, worst.sqrt(), tree.bounds(tree.root()));
    // The other halves on the way from the root: the last is the nearest.
    let mut waiting = [(leaf, 0.0); DEEPEST];
    let mut count_waiting = 0;
    let mut node = tree.root();
    while !node.is_leaf() {
        let (first, second) = node.halves();
        let is_first = leaf.range().start < second.range().start;
        let other = if is_first { second } else { first };
        waiting[count_waiting] = (other, gaps.least_sq(own, tree.bounds(other)));
        count_waiting += 1;
        node = if is_first { first } else { second };
    }
    while count_waiting > 0 {
        count_waiting -= 1;
        let (mut node, gap) = waiting[count_waiting];
        if gap >= worst {
            continue;
        }
        while !node.is_leaf() {
            let (first, second) = node.halves();
            let gap = gaps.least_sq(own, tree.bounds(first));
            let other_gap = gaps.least_sq(own, tree.bounds(second));
            let is_first = gap <= other_gap;
            let near = if is_first { (first, gap) } else { (second, other_gap) };
            let far = if is_first { (second, other_gap) } else { (first, gap) };
            if far.1 < worst {
                waiting[count_waiting] = far;
                count_waiting += 1;
            }
            if near.1 >= worst {
                break;
            }
            node = near.0;
        }
        if node.is_leaf() {
            meet(tree, gaps, (own, &positions), node, &mut best);
            worst = largest(&best);
        }
    }
    best
}

/// Compares those of a leaf with those of another.
#[inline(always)]
fn meet<const D: usize>(
    tree: &KdTree<D>,
    gaps: BoxGaps<D>,
    (own, positions): (&Bounds<D>, &[[f64; LEAF]; D]),
    other: Node,
    best: &mut [f64; LEAF],
) {
    // Two loops: in the first, which is that of most, there are no images.
    match gaps.wraps(own, tree.bounds(other)) {
        None => {
            for j in other.range() {
                nearer(best, positions, tree.position(j), None);
            }
        }
        wraps => {
            for j in other.range() {
                nearer(best, positions, tree.position(j), wraps);
            }
        }
    }
}

/// Where an individual is nearer than the best so far, that is the best.
#[inline(always)]
fn nearer<const D: usize>(
    best: &mut [f64; LEAF],
    positions: &[[f64; LEAF]; D],
    other: [f64; D],
    wraps: Option<[f64; D]>,
) {
    let distances_sq = BoxGaps::distances_sq(other, positions, wraps);
    for i in 0..LEAF {
        best[i] = if distances_sq[i] < best[i] { distances_sq[i] } else { best[i] };
    }
}

/// The largest of all, halves compared at once.
#[inline(always)]
fn largest(best: &[f64; LEAF]) -> f64 {
    let mut most = *best;
    let mut width = LEAF / 2;
    while width > 0 {
        for i in 0..width {
            most[i] = if most[i + width] > most[i] { most[i + width] } else { most[i] };
        }
        width /= 2;
    }
    most[0]
}
