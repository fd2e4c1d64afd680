//! Slot order: the order in which neighbors are summed, and therefore part of the definition.
//!
//! f32 addition is not associative, so "the sum over neighbors" means nothing until an order is
//! given. Wingbeat's is the lexicographic order of (cell z, cell y, cell x, id), cells as signed
//! integers at absolute multiples of their size (in a periodic box: of the box's own division). It
//! depends on the parameters and the boids' own positions only, never on the other boids, the SIMD
//! level, the thread count or the storage.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::{Domain, Vector, math, space::domain::floor};

/// Cell indices are clamped to ±2³⁰, so that a search a few cells further cannot overflow.
pub const CELL_LIMIT: i32 = 1 << 30;

/// The grid's shape: one monotone function from a coordinate to a cell, for sorting and searching
/// alike.
///
/// Cells are a quarter of the largest radius long in x (runs of slots are contiguous there, so
/// short cells cost nothing and cut the search finely) and one to one and a half radii across in y
/// and z (three rows a side are searched, rarely four).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cells<V> {
    origin: V,
    per_unit: V,
    low: [i32; 3],
    high: [i32; 3],
}

impl<V: Vector> Cells<V> {
    /// The shape for a flock whose largest perception radius is `radius` (0: no rule, any shape
    /// does).
    pub fn new(radius: f32, expected_neighbors: Option<f32>, domain: &Domain<V>) -> Self {
        let radius = if radius > 0.0 { radius } else { 1.0 };
        // Measured (docs/decisions): wider rows pay where few neighbors are in range, since they
        // fill blocks better.
        let across = match expected_neighbors {
            Some(k) if k < 10.0 => 1.5,
            Some(k) if k >= 40.0 => 1.0,
            _ => 1.25,
        };
        let size = |axis: usize| radius * if axis == 0 { 0.25 } else { across };
        let mut cells =
            Self { origin: V::origin(), per_unit: V::origin(), low: [0; 3], high: [0; 3] };
        if domain.is_periodic() {
            let count = |axis: usize| {
                // At least one cell; far more than 2²⁴ would not be told apart in f32 anyway.
                math::clamp(floor(domain.side(axis) / size(axis)), 1.0, 16_777_216.0)
            };
            cells.origin = domain.min;
            cells.per_unit = V::from_fn(|a| count(a) / domain.side(a));
            for a in 0..V::DIMENSIONS {
                cells.high[a] = count(a) as i32 - 1;
            }
        } else {
            cells.per_unit = V::from_fn(|a| 1.0 / size(a));
            for a in 0..V::DIMENSIONS {
                (cells.low[a], cells.high[a]) = (-CELL_LIMIT, CELL_LIMIT);
            }
        }
        cells
    }

    /// The cell a coordinate lies in: floor((x − origin)·per_unit), kept within the grid's bounds.
    /// Monotone in `x`.
    #[inline(always)]
    pub fn cell(&self, axis: usize, x: f32) -> i32 {
        let CellAxis { origin, per_unit, low, high } = self.along(axis);
        // Clamp as floats first: a cast of a huge float would be at the mercy of its saturation.
        let inside = math::clamp((x - origin) * per_unit, low, high);
        let whole = inside as i32;
        whole - i32::from((whole as f32) > inside)
    }

    /// The numbers behind [`cell`](Self::cell), for implementations in vectors.
    #[inline(always)]
    pub fn along(&self, axis: usize) -> CellAxis {
        CellAxis {
            origin: self.origin.axis(axis),
            per_unit: self.per_unit.axis(axis),
            low: self.low[axis] as f32,
            high: self.high[axis] as f32,
        }
    }

    /// Number of cells along `axis` of a periodic box.
    #[inline]
    pub fn count(&self, axis: usize) -> i32 {
        self.high[axis] - self.low[axis] + 1
    }

    /// The cells of a position, x first; 0 for axes a 2-D position does not have.
    #[inline(always)]
    pub fn of(&self, position: V) -> [i32; 3] {
        let mut cells = [0; 3];
        for (a, cell) in cells.iter_mut().enumerate().take(V::DIMENSIONS) {
            *cell = self.cell(a, position.axis(a));
        }
        cells
    }

    /// Which of two boids (position, id) comes first in slot order.
    pub fn order(&self, a: (V, u64), b: (V, u64)) -> Ordering {
        let key = |(position, id): (V, u64)| {
            let [x, y, z] = self.of(position);
            (z, y, x, id)
        };
        key(a).cmp(&key(b))
    }

    /// Indices of the boids in slot order, found by plain sorting: the definition the engine's sort
    /// is tested against.
    pub fn slot_order(&self, boids: impl Iterator<Item = (V, u64)>) -> Vec<usize> {
        let boids: Vec<(V, u64)> = boids.collect();
        let mut order: Vec<usize> = (0..boids.len()).collect();
        order.sort_by(|&i, &j| self.order(boids[i], boids[j]));
        order
    }
}

/// How one axis is divided: a coordinate lies in cell ⌊(x − origin)·per_unit⌋, the product kept
/// within `low` and `high`, which are whole numbers an `i32` can hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellAxis {
    /// Coordinate at which cell 0 begins.
    pub origin: f32,
    /// Cells per unit of length.
    pub per_unit: f32,
    /// First cell.
    pub low: f32,
    /// Last cell.
    pub high: f32,
}
