//! Nearest-neighbour distance, by the tree of a state.

use std::ops::Range;

use wingbeat_steer::Domain;

use super::individuals::Individuals;
use super::tree::{LEAF, Tree, halves, middle};
use super::vectors::{norm, offset};
use crate::parallel::{Divide, Pool};

/// Individuals of a task.
const TASK: usize = 1024;
/// Images are shifted by a rounded sum: the tree is searched this much further, relative to the coordinate.
const SHIFT_ERROR: f64 = 1e-15;

/// Mean distance to the nearest other; `None` for fewer than two. Threads share the tree and the searches; one adds up.
pub(super) fn mean_distance<const D: usize>(
    individuals: &Individuals<'_, D>,
    domain: &Domain<[f32; D]>,
    pool: &Pool,
) -> Option<f64> {
    if individuals.len() < 2 {
        return None;
    }
    let tree = Tree::new(individuals, pool);
    // In the order of the tree, where neighbours follow each other.
    let mut found = vec![0.0; individuals.len()];
    pool.divide(Searches { tree: &tree, individuals, domain, of: &tree.order, found: &mut found });
    let mut nearest = vec![0.0; individuals.len()];
    for (&i, &distance) in tree.order.iter().zip(&found) {
        nearest[i as usize] = distance;
    }
    Some(individuals.in_order().fold(0.0, |sum, i| sum + nearest[i]) / individuals.len() as f64)
}

/// Individuals, in the order of the tree, for whom the nearest is searched.
struct Searches<'a, const D: usize> {
    tree: &'a Tree<D>,
    individuals: &'a Individuals<'a, D>,
    domain: &'a Domain<[f32; D]>,
    of: &'a [u32],
    found: &'a mut [f64],
}

impl<const D: usize> Divide for Searches<'_, D> {
    fn halve(self) -> Result<(Self, Self), Self> {
        if self.of.len() <= TASK {
            return Err(self);
        }
        let Self { tree, individuals, domain, of, found } = self;
        let (left, right) = of.split_at(of.len() / 2);
        let (left_found, right_found) = found.split_at_mut(left.len());
        Ok((
            Self { tree, individuals, domain, of: left, found: left_found },
            Self { tree, individuals, domain, of: right, found: right_found },
        ))
    }

    fn run(self) {
        let Self { tree, individuals, domain, of, found } = self;
        for (&i, found) in of.iter().zip(found) {
            let i = i as usize;
            let position = individuals.position(i);
            let distance = |j: usize| norm(offset(&position, &individuals.position(j), domain));
            let mut search = Search { tree, of: i, best: f64::INFINITY, slack: 0.0, distance };
            search.range(0..tree.order.len(), &position);
            if domain.is_periodic() {
                images(&position, domain).for_each(|image| search.image(&image));
            }
            *found = search.best;
        }
    }
}

/// The other images of a position in the boxes around.
fn images<const D: usize>(position: &[f64; D], domain: &Domain<[f32; D]>) -> impl Iterator<Item = [f64; D]> {
    let all = 3usize.pow(D as u32);
    (0..all).filter(move |&image| image != all / 2).map(move |image| {
        let (mut rest, mut moved) = (image, *position);
        for (a, x) in moved.iter_mut().enumerate() {
            *x += (rest % 3) as f64 * f64::from(domain.side(a)) - f64::from(domain.side(a));
            rest /= 3;
        }
        moved
    })
}

struct Search<'a, const D: usize, F> {
    tree: &'a Tree<D>,
    of: usize,
    best: f64,
    slack: f64,
    distance: F,
}

impl<const D: usize, F: Fn(usize) -> f64> Search<'_, D, F> {
    /// Looks for somebody nearer than the best so far, from another image of the same individual.
    fn image(&mut self, from: &[f64; D]) {
        let (mut gap, mut slack) = ([0.0; D], 0.0);
        for a in 0..D {
            let outside = [self.tree.low[a] - from[a], from[a] - self.tree.high[a]];
            for beyond in outside {
                gap[a] = if beyond > gap[a] { beyond } else { gap[a] };
            }
            slack += from[a].abs() * SHIFT_ERROR;
        }
        if norm(gap) - slack < self.best {
            self.slack = slack;
            self.range(0..self.tree.order.len(), from);
        }
    }

    fn range(&mut self, range: Range<usize>, from: &[f64; D]) {
        if range.len() <= LEAF {
            for j in self.tree.order[range].iter().map(|&j| j as usize).filter(|&j| j != self.of) {
                let d = (self.distance)(j);
                self.best = if d < self.best { d } else { self.best };
            }
            return;
        }
        let (axis, split) = self.tree.splits[middle(&range)];
        let (below, above) = halves(range);
        // Whoever is on the other side of the middle is at least this far away.
        let beyond = from[usize::from(axis)] - split;
        let (near, far) = if beyond < 0.0 { (below, above) } else { (above, below) };
        self.range(near, from);
        if beyond.abs() - self.slack < self.best {
            self.range(far, from);
        }
    }
}
