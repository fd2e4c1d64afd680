//! Vectors of all boids in one allocation, which hosts may share while the flock steps on.

use std::ops::Index;
use std::sync::Arc;

use crate::columns::extra::PADDING;
use crate::columns::vector_columns::VectorColumns;

/// Rows are made room for in so many at a time, so that all axes lie alike to cache lines and
/// vector loads.
const TOGETHER: usize = 16;

/// Positions or velocities in slot order, an axis after the other, each longer than the flock by
/// the padding.
///
/// The memory is shared with an owner that [keeps](Self::share) it. It is copied, or new memory
/// taken, only where it would be written meanwhile; a step writes what it moves into the back
/// buffer, and so copies nothing.
#[derive(Clone, Debug)]
pub(crate) struct Axes<const D: usize> {
    values: Arc<[f32]>,
    /// Rows from the start of an axis to that of the next.
    stride: usize,
    /// Rows in use, padding included.
    rows: usize,
}

impl<const D: usize> Axes<D> {
    /// All zero.
    pub fn new(rows: usize) -> Self {
        let stride = (rows + PADDING).next_multiple_of(TOGETHER);
        Self { values: zeros(D * stride), stride, rows: rows + PADDING }
    }

    /// Room for more rows or fewer; those that come may hold anything.
    pub fn resize(&mut self, rows: usize) {
        let needed = rows + PADDING;
        if needed > self.stride {
            // Half as much again, as vectors grow: boids may come one by one.
            let stride = needed.max(self.stride + self.stride / 2).next_multiple_of(TOGETHER);
            let mut roomy = Self { values: zeros(D * stride), stride, rows: self.rows };
            for (to, from) in roomy.each_mut().into_iter().zip(self.each_ref()) {
                to.copy_from_slice(from);
            }
            *self = roomy;
        }
        self.rows = needed;
    }

    /// Becomes the same, in the room that is there.
    pub fn copy_from(&mut self, from: &Self) {
        if self.stride < from.rows {
            *self = Self::new(from.rows - PADDING);
        }
        self.rows = from.rows;
        for (to, from) in self.renewed().into_iter().zip(from.each_ref()) {
            to.copy_from_slice(from);
        }
    }

    /// Every axis.
    #[inline(always)]
    pub fn each_ref(&self) -> [&[f32]; D] {
        crate::arrays::from_fn(|a| &self[a])
    }

    /// The vector of a slot.
    #[inline(always)]
    pub fn at(&self, slot: usize) -> [f32; D] {
        crate::arrays::from_fn(|a| self.values[a * self.stride + slot])
    }

    /// Every axis, to change some of it.
    pub fn each_mut(&mut self) -> [&mut [f32]; D] {
        let (stride, rows) = (self.stride, self.rows);
        let mut axes = Arc::make_mut(&mut self.values).chunks_exact_mut(stride);
        std::array::from_fn(|_| axes.next().map_or(&mut [][..], |axis| &mut axis[..rows]))
    }

    /// Every axis, to write all of it: what is in them may be anything.
    pub fn renewed(&mut self) -> [&mut [f32]; D] {
        if Arc::get_mut(&mut self.values).is_none() {
            self.values = zeros(D * self.stride);
        }
        self.each_mut()
    }

    #[cfg(test)]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The first so many rows, to be kept by a host: what it gets never changes.
    pub fn share(&self, slots: usize) -> VectorColumns {
        VectorColumns::new(Arc::clone(&self.values), self.stride, slots, D)
    }
}

impl<const D: usize> Index<usize> for Axes<D> {
    type Output = [f32];

    #[inline(always)]
    fn index(&self, axis: usize) -> &[f32] {
        &self.values[axis * self.stride..][..self.rows]
    }
}

fn zeros(count: usize) -> Arc<[f32]> {
    std::iter::repeat_n(0.0, count).collect()
}

#[cfg(test)]
#[path = "../../tests/inside/axes.rs"]
mod tests;
