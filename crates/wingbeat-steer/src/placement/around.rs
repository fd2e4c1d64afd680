//! Neighbors of bodies: bodies sorted by cells of the largest distance that counts.

use alloc::vec::Vec;

use crate::obstacle::Point;
use crate::{Domain, Vector};

/// Cells are this much longer than the distance, so that rounding of a place's cell never hides a
/// neighbor: where that rounding is more, coordinates are further apart than cells unless they are
/// the same.
const LONGER: f64 = 1.0 + 1.0 / 1024.0;

/// Places in cells: those within `reach` of a place are in its own cell or one next to it, through
/// the faces of a periodic box too.
pub(super) struct CellsAround {
    /// Cell (z, y, x) and index of each place, sorted: those of a row of cells follow each other.
    cells: Vec<([i64; 3], u32)>,
    origin: Point,
    size: Point,
    /// Cells along the axes of a periodic box; 0: without end.
    count: [i64; 3],
    dimensions: usize,
}

impl CellsAround {
    /// Sorts the places. O(n log n).
    pub fn new<V: Vector>(
        places: impl ExactSizeIterator<Item = Point>,
        reach: f64,
        domain: &Domain<V>,
    ) -> Self {
        let dimensions = V::DIMENSIONS;
        let mut around = Self {
            cells: Vec::new(),
            origin: [0.0; 3],
            size: [reach * LONGER; 3],
            count: [0; 3],
            dimensions,
        };
        for a in 0..if domain.is_periodic() { dimensions } else { 0 } {
            let side = f64::from(domain.side(a));
            // Far more than 2⁴⁰ are not told apart.
            around.count[a] = (libm::floor(side / around.size[a]) as i64).clamp(1, 1 << 40);
            around.origin[a] = f64::from(domain.min.axis(a));
            around.size[a] = side / around.count[a] as f64;
        }
        let mut cells = Vec::with_capacity(places.len());
        cells.extend(places.enumerate().map(|(i, place)| (around.cell(place), i as u32)));
        cells.sort_unstable();
        around.cells = cells;
        around
    }

    /// The cell (z, y, x) of a place.
    fn cell(&self, place: Point) -> [i64; 3] {
        let along = |a: usize| {
            if a >= self.dimensions {
                return 0;
            }
            let cell = libm::floor((place[a] - self.origin[a]) / self.size[a]) as i64;
            if self.count[a] > 0 { cell.clamp(0, self.count[a] - 1) } else { cell }
        };
        [along(2), along(1), along(0)]
    }

    /// Visits all within reach of a place, and others; each once, in an order that depends on the
    /// places alone. It ends when `visit` says so, with `false`.
    pub fn visit(&self, place: Point, visit: &mut impl FnMut(usize) -> bool) {
        let [z, y, x] = self.cell(place);
        for z in self.runs(2, z).into_iter().flatten().flat_map(|(first, last)| first..=last) {
            for y in self.runs(1, y).into_iter().flatten().flat_map(|(first, last)| first..=last) {
                for (first, last) in self.runs(0, x).into_iter().flatten() {
                    let start = self.cells.partition_point(|(cell, _)| *cell < [z, y, first]);
                    let row =
                        self.cells[start..].iter().take_while(|(cell, _)| *cell <= [z, y, last]);
                    for &(_, i) in row {
                        if !visit(i as usize) {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// A cell and those next to it along an axis, as at most two runs.
    fn runs(&self, axis: usize, cell: i64) -> [Option<(i64, i64)>; 2] {
        if axis >= self.dimensions {
            return [Some((0, 0)), None];
        }
        let last = self.count[axis] - 1;
        match self.count[axis] {
            0 => [Some((cell.saturating_sub(1), cell.saturating_add(1))), None],
            1..=3 => [Some((0, last)), None],
            _ if cell == 0 => [Some((0, 1)), Some((last, last))],
            _ if cell == last => [Some((last - 1, last)), Some((0, 0))],
            _ => [Some((cell - 1, cell + 1)), None],
        }
    }
}
