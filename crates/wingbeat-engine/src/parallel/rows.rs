//! Rows for the threads: columns of one length or a range of slots, cut in two at a row.

use std::ops::Range;

/// Columns of one length or a range of slots; both can be cut in two at a row.
pub(super) trait Cut: Send + Sized {
    /// How many rows there are.
    fn rows(&self) -> usize;

    fn cut(self, at: usize) -> (Self, Self);
}

impl Cut for Range<usize> {
    fn rows(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let middle = self.start + at;
        (self.start..middle, middle..self.end)
    }
}

/// All columns are cut at the row, shorter ones at their end.
impl<E: Send, const C: usize> Cut for [&mut [E]; C] {
    fn rows(&self) -> usize {
        self[0].len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let mut right = self;
        let left = right.each_mut().map(|column| {
            let whole = std::mem::take(column);
            let (left, rest) = whole.split_at_mut(at.min(whole.len()));
            *column = rest;
            left
        });
        (left, right)
    }
}

/// Columns with a column of marks beside, which may be empty.
impl<C: Cut> Cut for (C, &mut [u32]) {
    fn rows(&self) -> usize {
        self.0.rows()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let ((left, right), ([marks], [rest])) = (self.0.cut(at), [self.1].cut(at));
        ((left, marks), (right, rest))
    }
}

/// K groups of C columns, of which all have the same length.
pub(crate) type ColumnGroups<'a, E, const K: usize, const C: usize> = [[&'a mut [E]; C]; K];

/// Most columns of one call.
const MOST: usize = 6;

/// Columns one after the other; unused ones are empty.
pub(super) type Flat<'a, E> = [&'a mut [E]; MOST];

/// The same with a column of marks beside.
pub(super) type MarkedColumns<'a, E> = (Flat<'a, E>, &'a mut [u32]);

pub(super) fn flat<E, const K: usize, const C: usize>(
    columns: ColumnGroups<'_, E, K, C>,
) -> Flat<'_, E> {
    const { assert!(K * C <= MOST && K * C > 0) };
    let mut columns = columns.into_iter().flatten();
    std::array::from_fn(|_| columns.next().unwrap_or_default())
}

pub(super) fn grouped<E, const K: usize, const C: usize>(
    columns: Flat<'_, E>,
) -> ColumnGroups<'_, E, K, C> {
    let mut columns = columns.into_iter();
    std::array::from_fn(|_| std::array::from_fn(|_| columns.next().unwrap_or_default()))
}

/// `to[i] = from[order[i]]`.
pub(crate) fn pick<E: Copy>(from: &[E], to: &mut [E], order: &[u32]) {
    for (to, &slot) in to.iter_mut().zip(order) {
        *to = from[slot as usize];
    }
}
