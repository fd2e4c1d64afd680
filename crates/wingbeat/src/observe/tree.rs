//! The k-d tree in which neighbours are looked for: cells of one size would fail where flocks clump.

use std::ops::Range;

use super::individuals::Individuals;
use crate::parallel::{Divide, Pool};

/// Individuals in a leaf, compared one by one.
pub(super) const LEAF: usize = 8;
/// Individuals of a task.
const TASK: usize = 1024;

/// Ranges of `order` halved at their middle, again and again, each along its longest side.
pub(super) struct Tree<const D: usize> {
    /// Places.
    pub order: Vec<u32>,
    /// Axis and coordinate where a range was halved, at the index of its middle.
    pub splits: Vec<(u8, f64)>,
    pub low: [f64; D],
    pub high: [f64; D],
}

impl<const D: usize> Tree<D> {
    pub fn new(individuals: &Individuals<'_, D>, pool: &Pool) -> Self {
        let mut order: Vec<u32> = (0..individuals.len() as u32).collect();
        let (low, high) = bounds(&order, individuals);
        let mut splits = vec![(0, 0.0); order.len()];
        pool.divide(Part { individuals, order: &mut order, splits: &mut splits });
        Self { order, splits, low, high }
    }
}

/// A range of the order and of the splits, to be halved.
struct Part<'a, const D: usize> {
    individuals: &'a Individuals<'a, D>,
    order: &'a mut [u32],
    splits: &'a mut [(u8, f64)],
}

impl<'a, const D: usize> Part<'a, D> {
    /// Halves it at its middle; `None` for a leaf.
    fn cut(self) -> Option<(Self, Self)> {
        let Self { individuals, order, splits } = self;
        if order.len() <= LEAF {
            return None;
        }
        let (low, high) = bounds(order, individuals);
        let mut axis = 0;
        for a in 1..D {
            axis = if high[a] - low[a] > high[axis] - low[axis] { a } else { axis };
        }
        let middle = order.len() / 2;
        let along = |i: u32| individuals.position(i as usize)[axis];
        order.select_nth_unstable_by(middle, |&i, &j| along(i).total_cmp(&along(j)));
        splits[middle] = (axis as u8, along(order[middle]));
        let ((left, right), (left_splits, right_splits)) = (order.split_at_mut(middle), splits.split_at_mut(middle));
        // The first split of the right half is that of the whole: the half's own is at its middle, which is further on.
        Some((Self { individuals, order: left, splits: left_splits }, Self { individuals, order: right, splits: right_splits }))
    }
}

impl<const D: usize> Divide for Part<'_, D> {
    fn halve(self) -> Result<(Self, Self), Self> {
        if self.order.len() <= TASK {
            return Err(self);
        }
        Ok(self.cut().expect("more than a leaf"))
    }

    fn run(self) {
        if let Some((left, right)) = self.cut() {
            left.run();
            right.run();
        }
    }
}

/// The place of a range's node: no two ranges of a tree have one.
pub(super) fn middle(range: &Range<usize>) -> usize {
    range.start + range.len() / 2
}

/// The two halves of a range that is no leaf.
pub(super) fn halves(range: Range<usize>) -> (Range<usize>, Range<usize>) {
    let middle = middle(&range);
    (range.start..middle, middle..range.end)
}

/// The box around two boxes.
pub(super) fn hull<const D: usize>(one: ([f64; D], [f64; D]), other: ([f64; D], [f64; D])) -> ([f64; D], [f64; D]) {
    let least = |a: usize| if other.0[a] < one.0[a] { other.0[a] } else { one.0[a] };
    let most = |a: usize| if other.1[a] > one.1[a] { other.1[a] } else { one.1[a] };
    (std::array::from_fn(least), std::array::from_fn(most))
}

/// The box around some.
pub(super) fn bounds<const D: usize>(order: &[u32], individuals: &Individuals<'_, D>) -> ([f64; D], [f64; D]) {
    let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for &i in order {
        for (a, x) in individuals.position(i as usize).into_iter().enumerate() {
            low[a] = if x < low[a] { x } else { low[a] };
            high[a] = if x > high[a] { x } else { high[a] };
        }
    }
    (low, high)
}
