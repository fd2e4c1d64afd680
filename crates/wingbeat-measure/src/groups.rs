//! Groups: connected components of "within a radius of each other".

use wingbeat::measuring::vectors::{dot, minus};

use crate::pairs::square_of;
use crate::tree::{BoxGaps, KdTree, Node};

/// Sizes of the groups, largest first.
///
/// ```text
/// group(range):         if the box around it is within the radius, all are one group
///                       else group(one half), group(other half), join(one half, other half)
/// join(range, other):   nothing, if their boxes are further apart than the radius
///                       nothing, if both are one group already
///                       else join the halves of the larger with the other; at the leaves, pairs
/// ```
pub(crate) fn sizes<const D: usize>(tree: &KdTree<D>, gaps: BoxGaps<D>, radius: f64) -> Vec<usize> {
    let (_, mut sizes) = find(tree, gaps, radius);
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

/// By place, how many are in one's group.
pub(crate) fn size_of_each<const D: usize>(
    tree: &KdTree<D>,
    gaps: BoxGaps<D>,
    radius: f64,
) -> Vec<usize> {
    let (mut parents, sizes) = find(tree, gaps, radius);
    let mut of_each = vec![0; sizes.len()];
    for (turn, &place) in tree.order.iter().enumerate() {
        of_each[place as usize] = sizes[parents.root(turn)];
    }
    of_each
}

/// The groups as a union-find forest, with the size of each at its root.
fn find<const D: usize>(tree: &KdTree<D>, gaps: BoxGaps<D>, radius: f64) -> (Parents, Vec<usize>) {
    let count = tree.order.len();
    let (is_one, parents) = (vec![false; tree.nodes()], Parents((0..count as u32).collect()));
    let mut groups = Groups { tree, gaps, reach_sq: square_of(radius), is_one, parents };
    groups.group(tree.root());
    let mut sizes = vec![0; count];
    for i in 0..count {
        sizes[groups.parents.root(i)] += 1;
    }
    (groups.parents, sizes)
}

struct Groups<'a, const D: usize> {
    tree: &'a KdTree<D>,
    gaps: BoxGaps<D>,
    /// The square of the radius.
    reach_sq: f64,
    /// Which ranges are known to be of one group, by the index of their box.
    is_one: Vec<bool>,
    /// Of turns in the tree's order.
    parents: Parents,
}

impl<const D: usize> Groups<'_, D> {
    /// Finds the groups among a range.
    fn group(&mut self, node: Node) {
        let bounds = self.tree.bounds(node);
        // Rounding keeps order: no individual in the box is further from another than its corners
        // from each other, and a nearest image never is.
        let across = minus(bounds.high, bounds.low);
        if dot(&across, &across) <= self.reach_sq {
            self.is_one[node.index as usize] = true;
            for i in node.range().skip(1) {
                self.parents.unite(node.range().start, i);
            }
        } else if node.is_leaf() {
            self.pairs(node, node, false);
        } else {
            let (one, other) = node.halves();
            self.group(one);
            self.group(other);
            self.join(one, other);
        }
    }

    /// Makes one group of groups in two ranges, where an individual of one is within the radius of
    /// an individual of the other.
    fn join(&mut self, one: Node, other: Node) {
        if self.gaps.least_sq(self.tree.bounds(one), self.tree.bounds(other)) > self.reach_sq {
            return;
        }
        let are_two = self.is_one(one) && self.is_one(other);
        if are_two && self.parents.root(one.range().start) == self.parents.root(other.range().start)
        {
            return;
        }
        let (large, small) = if one.len() < other.len() { (other, one) } else { (one, other) };
        if large.is_leaf() {
            return self.pairs(large, small, are_two);
        }
        let (first, second) = large.halves();
        self.join(first, small);
        self.join(second, small);
    }

    /// Makes one group of every two within the radius of each other; of two groups as soon as there
    /// are two such.
    fn pairs(&mut self, node: Node, others: Node, are_two: bool) {
        // So many unions make one group of all.
        let mut wanting = if are_two { 1 } else { node.len() + others.len() };
        if node == others {
            wanting = node.len() - 1;
        }
        let wraps = self.gaps.wraps(self.tree.bounds(node), self.tree.bounds(others));
        for i in node.range() {
            let here = self.tree.position(i);
            let others = if node == others { i + 1..node.range().end } else { others.range() };
            for j in others {
                // Most are one group already, and most of these are seen to be.
                let is_near = || {
                    BoxGaps::distance_sq(minus(self.tree.position(j), here), wraps) <= self.reach_sq
                };
                if !self.parents.are_siblings(i, j) && is_near() {
                    wanting -= usize::from(self.parents.unite(i, j));
                    if wanting == 0 {
                        return;
                    }
                }
            }
        }
    }

    /// Whether all of a range are known to be one group: they are near each other, or both halves
    /// are, and one.
    fn is_one(&mut self, node: Node) -> bool {
        let index = node.index as usize;
        if !self.is_one[index] {
            let first = self.parents.root(node.range().start);
            self.is_one[index] = if node.is_leaf() {
                node.range().all(|i| self.parents.root(i) == first)
            } else {
                let (one, other) = node.halves();
                let known = self.is_one[one.index as usize] && self.is_one[other.index as usize];
                known && self.parents.root(other.range().start) == first
            };
        }
        self.is_one[index]
    }
}

/// Disjoint sets: each points towards the one that stands for its group.
struct Parents(Vec<u32>);

impl Parents {
    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] as usize != i {
            self.0[i] = self.0[self.0[i] as usize];
            i = self.0[i] as usize;
        }
        i
    }

    /// Whether both are known to be in one set without a walk.
    fn are_siblings(&self, i: usize, j: usize) -> bool {
        self.0[i] == self.0[j]
    }

    /// The lower stands for both, so that the sets do not depend on the order in which they are
    /// united. Whether there were two.
    fn unite(&mut self, i: usize, j: usize) -> bool {
        let (i, j) = (self.root(i), self.root(j));
        let (low, high) = if i < j { (i, j) } else { (j, i) };
        self.0[high] = low as u32;
        low < high
    }
}
