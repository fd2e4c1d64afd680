//! Local order: how well each is aligned with those around it.

use wingbeat::measuring::vectors::{norm, unit};
use wingbeat::measuring::{Bounds, Individuals, Level, Pool, Simd, Work, dispatch};

use crate::pairs::{near, square_of};
use crate::tree::{BoxGaps, KdTree, LEAF, Node};

/// Leaves of a task.
const TASK: usize = 64;

/// By place: ‖Σ h‖ over all within the radius, oneself among them, by their number; NaN for whose
/// velocity is not known, which also counts for no other.
pub(crate) fn of_each<const D: usize>(
    tree: &KdTree<D>,
    gaps: BoxGaps<D>,
    individuals: &Individuals<D>,
    radius: f64,
    (pool, level): (&Pool, Level),
) -> Vec<f64> {
    let ahead = KnownHeadings::of(tree, individuals);
    let leaves = tree.leaves();
    let mut found = vec![[f64::NAN; LEAF]; leaves.len()];
    let reach = (radius, square_of(radius));
    pool.rows(TASK, [&mut found], &|first, [found]: [&mut [[f64; LEAF]]; 1]| {
        dispatch(
            level,
            Orders {
                tree,
                gaps,
                ahead: &ahead,
                reach,
                leaves: &leaves[first..first + found.len()],
                found,
            },
        );
    });
    let mut orders = vec![f64::NAN; individuals.len()];
    for (leaf, found) in leaves.iter().zip(&found) {
        for (turn, &order) in leaf.range().zip(found) {
            if ahead.known[turn] > 0.0 {
                orders[tree.order[turn] as usize] = order;
            }
        }
    }
    orders
}

/// Headings in the tree's order, and 1 for those that have one; zeros for whose velocity is not
/// known.
struct KnownHeadings<const D: usize> {
    headings: [Vec<f64>; D],
    known: Vec<f64>,
}

impl<const D: usize> KnownHeadings<D> {
    fn of(tree: &KdTree<D>, individuals: &Individuals<D>) -> Self {
        let count = individuals.len();
        let mut ahead =
            Self { headings: std::array::from_fn(|_| vec![0.0; count]), known: vec![0.0; count] };
        for (turn, &place) in tree.order.iter().enumerate() {
            let velocity = individuals.velocity(place as usize);
            if velocity.iter().all(|c| !c.is_nan()) {
                let heading = unit(velocity);
                ahead.known[turn] = 1.0;
                for a in 0..D {
                    ahead.headings[a][turn] = heading[a];
                }
            }
        }
        ahead
    }
}

/// Leaves for whose individuals the order around them is found.
struct Orders<'a, const D: usize> {
    tree: &'a KdTree<D>,
    gaps: BoxGaps<D>,
    ahead: &'a KnownHeadings<D>,
    /// The radius and its square.
    reach: (f64, f64),
    leaves: &'a [Node],
    found: &'a mut [[f64; LEAF]],
}

impl<const D: usize> Work for Orders<'_, D> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { tree, gaps, ahead, reach: (radius, radius_sq), leaves, found } = self;
        let all = tree.bounds(tree.root());
        let mut others = Vec::new();
        for (leaf, found) in leaves.iter().zip(found) {
            let (own, count) = (tree.bounds(*leaf), leaf.len());
            // Beyond the last, no individual: NaN is not within any radius.
            let positions = tree.lanes(*leaf);
            let gaps = gaps.seen_from(own, radius, all);
            let mut sums = Sums { headings: [[0.0; LEAF]; D], counts: [0.0; LEAF] };
            near(tree, gaps, *leaf, radius_sq, &mut others);
            for other in &others {
                sums.gather((tree, gaps, ahead), (own, &positions), *other, radius_sq);
            }
            for i in 0..count {
                let mut heading = [0.0; D];
                for a in 0..D {
                    heading[a] = sums.headings[a][i];
                }
                found[i] = norm(heading) / sums.counts[i];
            }
        }
    }
}

/// Sums of those around each of a leaf.
struct Sums<const D: usize> {
    headings: [[f64; LEAF]; D],
    counts: [f64; LEAF],
}

impl<const D: usize> Sums<D> {
    /// Adds those of a leaf that are within the radius.
    #[inline(always)]
    fn gather(
        &mut self,
        (tree, gaps, ahead): (&KdTree<D>, BoxGaps<D>, &KnownHeadings<D>),
        (own, positions): (&Bounds<D>, &[[f64; LEAF]; D]),
        other: Node,
        radius_sq: f64,
    ) {
        let wraps = gaps.wraps(own, tree.bounds(other));
        for j in other.range() {
            let distances_sq = BoxGaps::distances_sq(tree.position(j), positions, wraps);
            let known = ahead.known[j];
            for i in 0..LEAF {
                self.counts[i] += if distances_sq[i] <= radius_sq { known } else { 0.0 };
            }
            for a in 0..D {
                let heading = ahead.headings[a][j];
                for i in 0..LEAF {
                    self.headings[a][i] += if distances_sq[i] <= radius_sq { heading } else { 0.0 };
                }
            }
        }
    }
}
