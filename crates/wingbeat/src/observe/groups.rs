//! Groups: connected components of "within a radius of each other".

use std::ops::Range;

use wingbeat_steer::Domain;

use super::individuals::Individuals;
use super::tree::{LEAF, Tree, bounds, halves, hull, middle};
use super::vectors::{minus, nearest_image, norm, offset};
use crate::parallel::Pool;

/// Ways across the edges of a periodic domain are rounded by so much, relative to the largest number in them.
const EDGE_ERROR: f64 = 1e-15;

/// Sizes of the groups, largest first.
///
/// ```text
/// group(range):         if the box around it is within the radius, all are one group
///                       else group(one half), group(other half), join(one half, other half)
/// join(range, other):   nothing, if their boxes are further apart than the radius
///                       nothing, if both are one group already
///                       else join the halves of the larger with the other; at the leaves, pairs
/// ```
pub(super) fn sizes<const D: usize>(
    individuals: &Individuals<'_, D>,
    domain: &Domain<[f32; D]>,
    pool: &Pool,
    radius: f64,
) -> Vec<usize> {
    let count = individuals.len();
    if !(radius > 0.0 && radius.is_finite()) {
        return vec![1; count];
    }
    let tree = Tree::new(individuals, pool);
    let nobody = Part { low: [0.0; D], high: [0.0; D], is_one: false };
    let parents = Parents((0..count as u32).collect());
    let mut groups = Groups { individuals, domain, radius, tree: &tree, parts: vec![nobody; count], parents };
    if count > 0 {
        groups.surround(0..count);
        groups.group(0..count);
    }
    let mut sizes = vec![0; count];
    for i in 0..count {
        sizes[groups.parents.root(i)] += 1;
    }
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

/// A range of the tree's order: the box around it, and whether all of it is known to be one group.
#[derive(Clone, Copy)]
struct Part<const D: usize> {
    low: [f64; D],
    high: [f64; D],
    is_one: bool,
}

struct Groups<'a, const D: usize> {
    individuals: &'a Individuals<'a, D>,
    domain: &'a Domain<[f32; D]>,
    radius: f64,
    tree: &'a Tree<D>,
    /// Of the range whose middle this is.
    parts: Vec<Part<D>>,
    /// Of turns in the tree's order.
    parents: Parents,
}

impl<const D: usize> Groups<'_, D> {
    /// Puts a box around a range and around its parts.
    fn surround(&mut self, range: Range<usize>) -> ([f64; D], [f64; D]) {
        let (low, high) = if range.len() <= LEAF {
            bounds(&self.tree.order[range.clone()], self.individuals)
        } else {
            let (one, other) = halves(range.clone());
            hull(self.surround(one), self.surround(other))
        };
        // Rounding keeps order: nobody in the box is further from another than its corners from each other, and a nearest image never is.
        let is_one = norm(minus(high, low)) <= self.radius;
        self.parts[middle(&range)] = Part { low, high, is_one };
        (low, high)
    }

    /// Finds the groups among a range.
    fn group(&mut self, range: Range<usize>) {
        if self.parts[middle(&range)].is_one {
            range.clone().skip(1).for_each(|i| self.parents.unite(range.start, i));
        } else if range.len() <= LEAF {
            self.pairs(range.clone(), range);
        } else {
            let (one, other) = halves(range);
            self.group(one.clone());
            self.group(other.clone());
            self.join(one, other);
        }
    }

    /// Makes one group of groups in two ranges, where somebody of one is within the radius of somebody of the other.
    fn join(&mut self, one: Range<usize>, other: Range<usize>) {
        if self.gap(&one, &other) > self.radius {
            return;
        }
        if self.is_one(&one) && self.is_one(&other) && self.parents.root(one.start) == self.parents.root(other.start) {
            return;
        }
        let (large, small) = if one.len() < other.len() { (other, one) } else { (one, other) };
        if large.len() <= LEAF {
            return self.pairs(large, small);
        }
        let (first, second) = halves(large);
        self.join(first, small.clone());
        self.join(second, small);
    }

    /// Makes one group of every two within the radius of each other.
    fn pairs(&mut self, range: Range<usize>, others: Range<usize>) {
        let position = |turn: usize| self.individuals.position(self.tree.order[turn] as usize);
        for i in range {
            let here = position(i);
            for j in others.clone() {
                if norm(offset(&here, &position(j), self.domain)) <= self.radius {
                    self.parents.unite(i, j);
                }
            }
        }
    }

    /// Whether all of a range are known to be one group: they are near each other, or both halves are, and one.
    fn is_one(&mut self, range: &Range<usize>) -> bool {
        let place = middle(range);
        if !self.parts[place].is_one {
            let first = self.parents.root(range.start);
            self.parts[place].is_one = if range.len() <= LEAF {
                range.clone().all(|i| self.parents.root(i) == first)
            } else {
                let (one, other) = halves(range.clone());
                let known = self.parts[middle(&one)].is_one && self.parts[middle(&other)].is_one;
                known && self.parents.root(other.start) == first
            };
        }
        self.parts[place].is_one
    }

    /// No more than the distance of anybody in one range from anybody in another.
    fn gap(&self, one: &Range<usize>, other: &Range<usize>) -> f64 {
        let (one, other) = (&self.parts[middle(one)], &self.parts[middle(other)]);
        norm::<D>(std::array::from_fn(|a| {
            let (least, most) = (other.low[a] - one.high[a], other.high[a] - one.low[a]);
            if !self.domain.is_periodic() {
                return if least > 0.0 {
                    least
                } else if most < 0.0 {
                    -most
                } else {
                    0.0
                };
            }
            let side = f64::from(self.domain.side(a));
            if (least / side).floor() != (most / side).floor() {
                return 0.0;
            }
            // Between two images nobody is nearer to either than those at the ends.
            let (least, most) = (nearest_image(least, side).abs() - error(least), nearest_image(most, side).abs() - error(most));
            let nearer = if least < most { least } else { most };
            if nearer > 0.0 { nearer } else { 0.0 }
        }))
    }
}

/// How far rounding may have moved the nearest image of a way.
fn error(way: f64) -> f64 {
    way.abs() * EDGE_ERROR
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

    /// The lower stands for both, so that the sets do not depend on the order in which they are united.
    fn unite(&mut self, i: usize, j: usize) {
        let (i, j) = (self.root(i), self.root(j));
        let (low, high) = if i < j { (i, j) } else { (j, i) };
        self.0[high] = low as u32;
    }
}
