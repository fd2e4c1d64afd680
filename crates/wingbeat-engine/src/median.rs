//! Orders by median splits, in which neighbors in space are near in memory.
//!
//! ```text
//! order(range): select the items with the smaller coordinates along the longest side of its box,
//!               as many as go before the place where the rule cuts it; order both halves
//! ```
//!
//! Where a range is cut depends on its ends alone, so a node of a tree is a range of its order: no
//! tree keeps pointers, and each lays out its boxes as its search reads them.

use std::ops::Range;

use crate::parallel::Divide;

/// A box.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<const D: usize> {
    /// Lowest corner.
    pub low: [f64; D],
    /// Highest corner.
    pub high: [f64; D],
}

impl<const D: usize> Bounds<D> {
    /// Around no point.
    pub const NONE: Self = Self { low: [f64::INFINITY; D], high: [f64::NEG_INFINITY; D] };

    /// The box around two boxes.
    #[inline(always)]
    pub fn hull(&self, other: &Self) -> Self {
        let least = |a: usize| if other.low[a] < self.low[a] { other.low[a] } else { self.low[a] };
        let most =
            |a: usize| if other.high[a] > self.high[a] { other.high[a] } else { self.high[a] };
        Self { low: crate::arrays::from_fn(least), high: crate::arrays::from_fn(most) }
    }

    /// The axis along which the box is longest, the first of several.
    #[inline(always)]
    fn longest(&self) -> usize {
        let extent = |a: usize| self.high[a] - self.low[a];
        (1..D).fold(0, |longest, a| if extent(a) > extent(longest) { a } else { longest })
    }
}

/// How a tree cuts its ranges.
pub trait MedianRule<T, const D: usize>: Sync {
    /// Where a range is cut in two; `None` for a leaf.
    fn cut(&self, range: &Range<usize>) -> Option<usize>;

    /// Puts the items with the smallest coordinates along an axis before place `at`; returns the
    /// coordinate of the item that comes there.
    fn select(&self, items: &mut [T], at: usize, axis: usize) -> f64;

    /// A box around the items, which are within `known`: what the cuts above left of the first box.
    fn bounds(&self, _items: &[T], known: Bounds<D>) -> Bounds<D> {
        known
    }
}

/// Items of a task, at most.
const TASK: usize = 1024;

/// A range of items, to be put in order.
pub struct MedianOrder<'a, T, R, const D: usize> {
    /// All items of the range.
    pub items: &'a mut [T],
    /// Where they lie in the order.
    pub range: Range<usize>,
    /// The items are within.
    pub bounds: Bounds<D>,
    /// How ranges are cut.
    pub rule: &'a R,
}

impl<T: Send, R: MedianRule<T, D>, const D: usize> MedianOrder<'_, T, R, D> {
    /// Two halves of the range, or all of it again where it is a leaf.
    fn cut(self) -> Result<(Self, Self), Self> {
        let Some(middle) = self.rule.cut(&self.range) else { return Err(self) };
        let Self { items, range: Range { start, end }, bounds, rule } = self;
        let bounds = rule.bounds(items, bounds);
        let (axis, mut left, mut right) = (bounds.longest(), bounds, bounds);
        let at = rule.select(items, middle - start, axis);
        (left.high[axis], right.low[axis]) = (at, at);
        let (before, behind) = items.split_at_mut(middle - start);
        Ok((
            Self { items: before, range: start..middle, bounds: left, rule },
            Self { items: behind, range: middle..end, bounds: right, rule },
        ))
    }
}

impl<T: Send, R: MedianRule<T, D>, const D: usize> Divide for MedianOrder<'_, T, R, D> {
    type Out = ();

    fn halve(self) -> Result<(Self, Self), Self> {
        if self.range.len() <= TASK { Err(self) } else { self.cut() }
    }

    fn run(self) {
        if let Ok((left, right)) = self.cut() {
            left.run();
            right.run();
        }
    }
}
