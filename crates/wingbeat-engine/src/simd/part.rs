//! Columns whose last register is not full.

use std::cell::Cell;

use super::{Float, MAX_LANES, Simd};

/// Lanes from `at` on; zeros beyond the end of the batch.
#[inline(always)]
pub(crate) fn load_part<S: Simd>(s: S, column: &[f32], at: usize) -> S::F {
    if at + S::LANES <= column.len() {
        return s.load(column, at);
    }
    let mut buffer = [0.0; MAX_LANES];
    buffer[..column.len() - at].copy_from_slice(&column[at..]);
    s.load(&buffer, 0)
}

/// Writes the first `live` lanes to the column from `at` on: all that a batch has there.
#[inline(always)]
pub(crate) fn store_part<S: Simd>(_s: S, lanes: S::F, column: &mut [f32], at: usize, live: usize) {
    if at + S::LANES <= column.len() {
        return lanes.store(&mut column[at..]);
    }
    let mut buffer = [0.0; MAX_LANES];
    lanes.store(&mut buffer);
    column[at..at + live].copy_from_slice(&buffer[..live]);
}

/// Writes all lanes to the front of cells: for visitors, which are copied about and share the
/// memory they write to.
#[inline(always)]
pub(crate) fn store_cells<S: Simd>(lanes: S::F, cells: &[Cell<f32>]) {
    let mut buffer = [0.0; MAX_LANES];
    lanes.store(&mut buffer);
    for lane in 0..S::LANES {
        cells[lane].set(buffer[lane]);
    }
}
