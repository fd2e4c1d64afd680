//! From a box to the slots that must be searched.

use std::ops::Range;

use wingbeat_steer::Vector;

use super::{Grid, Images, Reach, Run};
use crate::columns::axes::Axes;
use crate::columns::boids::Columns;

/// Fewer layers than this are walked one by one, occupied or not: looking for the next occupied one
/// takes longer.
const WALKED: i32 = 16;

/// A range of cells along one axis, and the image it is seen through.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: i32,
    last: i32,
    image: i32,
}

/// Up to three spans of an axis, in ascending order of cells.
#[derive(Clone, Copy, Debug, Default)]
struct Spans {
    spans: [Span; 3],
    len: usize,
    per_lane: bool,
}

impl<const D: usize> Grid<D> {
    /// First slot after the row in which a boid at `position` lies.
    pub fn row_end(&self, position: [f32; D]) -> usize {
        let [_, y, z] = self.cells.of(position);
        if self.is_dense() {
            self.dense.start[self.dense_key([self.high[0], y, z]) + 1] as usize
        } else {
            let next = self.sparse.rows.partition_point(|row| (row.z, row.y) <= (z, y));
            self.sparse.rows.get(next).map_or(self.slots, |row| row.first as usize)
        }
    }

    /// The runs that hold everyone within reach of the box `low..=high`, in ascending slot order.
    /// The corners come by reference: by value they are read as a whole, just after being written
    /// number by number, for which a CPU waits.
    #[inline(always)]
    pub fn search(
        &self,
        columns: &Columns<D>,
        low: &[f32; D],
        high: &[f32; D],
        runs: &mut Vec<Run<D>>,
    ) -> Images {
        self.search_within(&self.reach, &columns.position, low, high, runs)
    }

    /// The same for another reach than that of the rules, among boids at these positions.
    pub fn search_within(
        &self,
        reach: &Reach<D>,
        position: &Axes<D>,
        low: &[f32; D],
        high: &[f32; D],
        runs: &mut Vec<Run<D>>,
    ) -> Images {
        runs.clear();
        if self.is_dense()
            && !reach.half_box
            && let Some((first, last)) = self.inner_cells(reach, low, high)
        {
            // Nearly every block: worth a way without images and sparse rows.
            self.dense_runs(first, last, runs);
            return Images::None;
        }
        self.search_anywhere(reach, position, low, high, runs)
    }

    /// First and last cells within reach, of a box that sees no image.
    #[inline]
    fn inner_cells(
        &self,
        reach: &Reach<D>,
        low: &[f32; D],
        high: &[f32; D],
    ) -> Option<([i32; 3], [i32; 3])> {
        let (mut first, mut last) = (self.low, self.high);
        for a in 0..D {
            let margin = if self.domain.is_periodic() { reach.margin[a] } else { reach.reach };
            let (near, far) = (low[a] - margin, high[a] + margin);
            if self.domain.is_periodic() && !(near > self.domain.min[a] && far < self.domain.max[a])
            {
                return None;
            }
            first[a] = self.cells.cell(a, near).max(self.low[a]);
            last[a] = self.cells.cell(a, far).min(self.high[a]);
        }
        Some((first, last))
    }

    /// The runs of dense cells from `first` to `last`.
    #[inline]
    fn dense_runs(&self, first: [i32; 3], last: [i32; 3], runs: &mut Vec<Run<D>>) {
        if first[0] > last[0] {
            return;
        }
        let (cells, whole_row, rows) =
            ((last[0] - first[0]) as usize + 1, self.extent(0), self.extent(1));
        let (ys, zs) = (self.places(1, first[1], last[1]), self.places(2, first[2], last[2]));
        for z in zs.0..=zs.1 {
            let mut at =
                (z as usize * rows + ys.0 as usize) * whole_row + (first[0] - self.low[0]) as usize;
            for _ in ys.0..=ys.1 {
                let (first, end) = (self.dense.start[at], self.dense.start[at + cells]);
                if first < end {
                    runs.push(Run { first, end, shift: [0.0; D] });
                }
                at += whole_row;
            }
        }
    }

    /// The same for any storage, and for a box that sees images.
    fn search_anywhere(
        &self,
        reach: &Reach<D>,
        position: &Axes<D>,
        low: &[f32; D],
        high: &[f32; D],
        runs: &mut Vec<Run<D>>,
    ) -> Images {
        let mut spans = [Spans { spans: [Span::default(); 3], len: 1, per_lane: false }; 3];
        for a in 0..D {
            spans[a] = if self.domain.is_periodic() {
                self.periodic_spans(reach, a, low[a], high[a])
            } else {
                let (first, last) = (
                    self.cells.cell(a, low[a] - reach.reach),
                    self.cells.cell(a, high[a] + reach.reach),
                );
                Spans { spans: [Span { first, last, image: 0 }; 3], len: 1, per_lane: false }
            };
        }
        // The direct image is always among the spans, so more than one span means a shifted one.
        let per_lane =
            reach.half_box || spans[0].per_lane || spans[1].per_lane || spans[2].per_lane;
        let shifted = spans[0].len + spans[1].len + spans[2].len > 3;
        let images = match (per_lane, shifted) {
            (true, _) => Images::PerLane,
            (false, true) => Images::Fixed,
            (false, false) => Images::None,
        };
        for z in spans[2].iter() {
            let (first_z, last_z) = (z.first.max(self.low[2]), z.last.min(self.high[2]));
            let is_long = !self.is_dense() && last_z.saturating_sub(first_z) >= WALKED;
            let mut cell_z = first_z;
            while cell_z <= last_z {
                if is_long {
                    match self.occupied_layer(cell_z) {
                        Some(occupied) if occupied <= last_z => cell_z = occupied,
                        _ => break,
                    }
                }
                if !self.gap(2).holds(cell_z) {
                    for y in spans[1].iter() {
                        self.runs_of_rows(position, &spans[0], *y, *z, cell_z, runs);
                    }
                }
                match cell_z.checked_add(1) {
                    Some(above) => cell_z = above,
                    None => break,
                }
            }
        }
        images
    }

    /// The first sparse layer from this one on that holds a boid, so that a search takes no longer
    /// the further apart boids are.
    #[inline(never)]
    fn occupied_layer(&self, from: i32) -> Option<i32> {
        let rows = &self.sparse.rows;
        rows.get(rows.partition_point(|row| row.z < from)).map(|row| row.z)
    }

    /// Raw offsets from the boid in `slot` to all that may be within reach, itself included.
    pub fn candidates<'a>(
        &self,
        columns: &'a Columns<D>,
        slot: usize,
        runs: &'a mut Vec<Run<D>>,
    ) -> impl Iterator<Item = [f32; D]> + 'a {
        let own = columns.position(slot);
        self.search(columns, &own, &own, runs);
        let slots = runs.iter().flat_map(|run| run.first..run.end);
        let axes = columns.position.each_ref();
        slots.map(move |other| {
            std::array::from_fn::<f32, D, _>(|a| axes[a][other as usize]).minus(own)
        })
    }

    /// Runs in the rows `y` of layer `cell_z`.
    fn runs_of_rows(
        &self,
        position: &Axes<D>,
        xs: &Spans,
        y: Span,
        z: Span,
        cell_z: i32,
        runs: &mut Vec<Run<D>>,
    ) {
        let (first_y, last_y) = (y.first.max(self.low[1]), y.last.min(self.high[1]));
        let mut add = |x: &Span, slots: Range<usize>| {
            if !slots.is_empty() {
                let images = [x.image, y.image, z.image];
                let shift = crate::arrays::from_fn(|a| {
                    if images[a] == 0 { 0.0 } else { images[a] as f32 * self.domain.side(a) }
                });
                runs.push(Run { first: slots.start as u32, end: slots.end as u32, shift });
            }
        };
        if self.is_dense() {
            for cell_y in first_y..=last_y {
                if self.gap(1).holds(cell_y) {
                    continue;
                }
                let row = self.dense_key([self.low[0], cell_y, cell_z]);
                for x in xs.iter() {
                    let (first_x, last_x) = (x.first.max(self.low[0]), x.last.min(self.high[0]));
                    if first_x <= last_x {
                        let at = |cell_x: i32| row + (cell_x - self.low[0]) as usize;
                        add(
                            x,
                            self.dense.start[at(first_x)] as usize
                                ..self.dense.start[at(last_x) + 1] as usize,
                        );
                    }
                }
            }
            return;
        }
        let first_row = self.sparse.rows.partition_point(|row| (row.z, row.y) < (cell_z, first_y));
        for (index, row) in self.sparse.rows.iter().enumerate().skip(first_row) {
            if (row.z, row.y) > (cell_z, last_y) {
                break;
            }
            let end =
                self.sparse.rows.get(index + 1).map_or(self.slots, |next| next.first as usize);
            let xs_of_row = &position[0][row.first as usize..end];
            for x in xs.iter() {
                let from = xs_of_row.partition_point(|&p| self.cells.cell(0, p) < x.first);
                let to = xs_of_row.partition_point(|&p| self.cells.cell(0, p) <= x.last);
                add(x, row.first as usize + from..row.first as usize + to);
            }
        }
    }

    /// The cells within reach along a periodic axis, through each image.
    fn periodic_spans(&self, reach: &Reach<D>, axis: usize, low: f32, high: f32) -> Spans {
        let (near, far) = (low - reach.margin[axis], high + reach.margin[axis]);
        if near > self.domain.min[axis] && far < self.domain.max[axis] {
            let (first, last) = (self.cells.cell(axis, near), self.cells.cell(axis, far));
            return Spans { spans: [Span { first, last, image: 0 }; 3], len: 1, per_lane: false };
        }
        self.edge_spans(reach, axis, low, high)
    }

    /// The same for a box near an edge, which looks through the neighboring images too.
    #[cold]
    fn edge_spans(&self, reach: &Reach<D>, axis: usize, low: f32, high: f32) -> Spans {
        let (min, side) = (f64::from(self.domain.min[axis]), f64::from(self.domain.side(axis)));
        let max = f64::from(self.domain.max[axis]);
        // In f64 and a little wider, so that no rounding of x ± L in f32 can leave a neighbor out.
        let reach = f64::from(reach.reach) + side * (1.0 / 1_048_576.0);
        let mut found = Spans::default();
        for image in -1..=1 {
            let first = f64::from(low) + f64::from(image) * side - reach;
            let last = f64::from(high) + f64::from(image) * side + reach;
            if last >= min && first < max {
                let (first, last) =
                    (self.cells.cell(axis, first as f32), self.cells.cell(axis, last as f32));
                found.spans[found.len] = Span { first, last, image };
                found.len += 1;
            }
        }
        if found.iter().zip(found.iter().skip(1)).any(|(a, b)| a.last >= b.first) {
            // The search meets its own image: take the whole axis once.
            found.spans[0] = Span { first: 0, last: self.cells.count(axis) - 1, image: 0 };
            found.len = 1;
            found.per_lane = true;
        }
        found
    }
}

impl Spans {
    #[inline]
    fn iter(&self) -> std::slice::Iter<'_, Span> {
        self.spans[..self.len].iter()
    }
}
