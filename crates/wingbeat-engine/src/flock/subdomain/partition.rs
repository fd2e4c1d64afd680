//! The partition of a flock into subdomains: by rows of cells.
//!
//! ```text
//! plane:  y is cut into as many stretches of rows as there are parts
//! space:  z is cut into bands of layers, and each band in y into its own stretches of rows;
//!         parts are numbered band by band
//! ```
//!
//! So the rows of a part are a rectangle, whose surface is small, and in slot order one range of
//! the whole flock in the plane, and one a layer in space. Rows end where cells do: slot order,
//! which is by cells, is then the same in every part as in the whole.

use wingbeat_steer::{Cells, Domain};

use crate::grid::{Gap, Reach};

/// What the rows of one layer cost to steer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowCost {
    pub z: i32,
    pub y: i32,
    pub cost: u64,
}

/// A rectangle of rows: cells from the first up to, and not with, the last of each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowRectangle {
    pub z: [i32; 2],
    pub y: [i32; 2],
}

impl RowRectangle {
    pub fn hold(&self, z: i32, y: i32) -> bool {
        (self.z[0]..self.z[1]).contains(&z) && (self.y[0]..self.y[1]).contains(&y)
    }
}

/// Where a flock is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cuts {
    /// The first layer of each band but the first.
    layers: Vec<i32>,
    bands: Vec<Band>,
}

/// A band of layers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Band {
    /// Its first part.
    first: usize,
    /// The first row of each of its parts but the first.
    rows: Vec<i32>,
}

impl Cuts {
    /// Cuts after which every part has as much to do as the others, as nearly as whole rows allow.
    pub fn new(costs: &[RowCost], parts: usize) -> Self {
        let extent = |of: fn(&RowCost) -> i32| {
            let (low, high) = costs
                .iter()
                .map(of)
                .fold((i32::MAX, i32::MIN), |(low, high), at| (low.min(at), high.max(at)));
            (i64::from(high) - i64::from(low) + 1).max(1) as f64
        };
        let (layers, rows) = (extent(|row| row.z), extent(|row| row.y));
        // Bands as high as their parts are wide: the least surface.
        let bands = ((parts as f64 * layers / rows).sqrt().round() as usize)
            .clamp(1, parts)
            .min(layers as usize);
        let (each, more) = (parts / bands, parts % bands);
        let of_band: Vec<usize> = (0..bands).map(|band| each + usize::from(band < more)).collect();
        let layers = cut(costs.iter().map(|row| (row.z, row.cost)), &of_band);
        let mut cuts = Self { layers, bands: Vec::new() };
        let mut first = 0;
        for (band, &parts) in of_band.iter().enumerate() {
            let here = costs.iter().filter(|row| cuts.band(row.z) == band);
            cuts.bands.push(Band {
                first,
                rows: cut(here.map(|row| (row.y, row.cost)), &vec![1; parts]),
            });
            first += parts;
        }
        cuts
    }

    fn band(&self, z: i32) -> usize {
        self.layers.partition_point(|&layer| layer <= z)
    }

    /// The part whose row this is.
    pub fn owner(&self, z: i32, y: i32) -> usize {
        let Band { first, rows } = &self.bands[self.band(z)];
        first + rows.partition_point(|&row| row <= y)
    }

    /// The rows of a part.
    pub fn rows(&self, part: usize) -> RowRectangle {
        let at = self.bands.partition_point(|band| band.first <= part) - 1;
        let Band { first, rows } = &self.bands[at];
        let stretch = |cuts: &[i32], nth: usize| {
            let low = if nth == 0 { i32::MIN } else { cuts[nth - 1] };
            [low, cuts.get(nth).copied().unwrap_or(i32::MAX)]
        };
        RowRectangle { z: stretch(&self.layers, at), y: stretch(rows, part - first) }
    }

    /// All parts with a row within these ranges of layers and rows, first and last.
    fn within(&self, z: [i32; 2], y: [i32; 2], found: &mut Vec<usize>) {
        for band in self.band(z[0])..=self.band(z[1]) {
            let Band { first, rows } = &self.bands[band];
            let of = |y: i32| first + rows.partition_point(|&row| row <= y);
            found.extend(of(y[0])..=of(y[1]));
        }
    }
}

/// Where a line of costs is to be cut into stretches of so many shares each: the first place of
/// every stretch but the first.
fn cut(costs: impl Iterator<Item = (i32, u64)>, shares: &[usize]) -> Vec<i32> {
    let mut by_place = std::collections::BTreeMap::<i32, u64>::new();
    costs.for_each(|(place, cost)| *by_place.entry(place).or_default() += cost);
    let total: u128 = by_place.values().map(|&cost| u128::from(cost)).sum();
    let all: u128 = shares.iter().map(|&share| share as u128).sum();
    let (mut cuts, mut shared, mut so_far, mut places) =
        (Vec::new(), 0, 0, by_place.into_iter().peekable());
    let mut next = 0;
    for &share in &shares[..shares.len() - 1] {
        shared += share as u128;
        // The row that goes beyond is the next part's if more of it does than does not.
        while let Some((place, cost)) =
            places.next_if(|&(_, cost)| (2 * so_far + u128::from(cost)) * all <= 2 * total * shared)
        {
            so_far += u128::from(cost);
            next = place + 1;
        }
        cuts.push(places.peek().map_or(next, |&(place, _)| place));
    }
    cuts
}

/// Who is seen from where: how far boids look, whatever they look for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight<const D: usize> {
    cells: Cells<[f32; D]>,
    domain: Domain<[f32; D]>,
    /// As a search has it.
    margin: [f32; D],
}

/// A box: coordinates from the least to the largest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside<const D: usize> {
    low: [f32; D],
    high: [f32; D],
}

impl<const D: usize> Inside<D> {
    /// Whether the boid in a slot is in it.
    #[inline(always)]
    pub fn holds(&self, position: &[&[f32]; D], slot: usize) -> bool {
        let mut holds = true;
        for a in 1..D {
            holds &= self.low[a] <= position[a][slot] && position[a][slot] <= self.high[a];
        }
        holds
    }
}

/// The least number of which something holds that holds of all larger ones; infinity if of none.
fn least(holds: impl Fn(f32) -> bool) -> f32 {
    // Whole numbers in the order of the numbers whose bits they are.
    let number = |place: i32| {
        f32::from_bits(if place < 0 { !(place as u32) | 1 << 31 } else { place as u32 })
    };
    let place = |x: f32| {
        if x.is_sign_negative() { !(x.to_bits() & !(1 << 31)) as i32 } else { x.to_bits() as i32 }
    };
    let (mut low, mut high) =
        (i64::from(place(f32::NEG_INFINITY)), i64::from(place(f32::INFINITY)));
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(number(middle as i32)) { high = middle } else { low = middle + 1 }
    }
    number(low as i32)
}

/// Cells of an axis, first and last.
type Span = [i32; 2];

impl<const D: usize> Sight<D> {
    pub fn new(cells: Cells<[f32; D]>, domain: &Domain<[f32; D]>, radius: f32) -> Self {
        Self { cells, domain: *domain, margin: Reach::new(radius, domain).margin() }
    }

    /// Where all that see a boid, or are seen by it, are in these rows.
    pub fn inside(&self, rows: &RowRectangle) -> Inside<D> {
        let mut inside = Inside { low: [f32::NEG_INFINITY; D], high: [f32::INFINITY; D] };
        for a in 1..D {
            let [first, end] = if a == 1 { rows.y } else { rows.z };
            // Rows without an end on either side hold all images, too.
            if first == i32::MIN && end == i32::MAX {
                continue;
            }
            let (margin, periodic) = (self.margin[a], self.domain.is_periodic());
            let is_low = |x: f32| {
                let near = x - margin;
                (!periodic || near > self.domain.min[a])
                    && (first == i32::MIN || self.cells.cell(a, near) >= first)
            };
            let is_high = |x: f32| {
                let far = x + margin;
                (!periodic || far < self.domain.max[a])
                    && (end == i32::MAX || self.cells.cell(a, far) < end)
            };
            inside.low[a] = least(is_low);
            inside.high[a] = -least(|x| is_high(-x));
        }
        inside
    }

    /// The parts that see a boid there; some may not, and its own may be among them.
    pub fn seen_from(&self, cuts: &Cuts, position: &[f32; D], found: &mut Vec<usize>) {
        found.clear();
        let (ys, zs) = (
            self.spans(1, position),
            if D == 3 { self.spans(2, position) } else { ([[0; 2]; 3], 1) },
        );
        for z in &zs.0[..zs.1] {
            for y in &ys.0[..ys.1] {
                cuts.within(*z, *y, found);
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    /// The cells along an axis that are within the margin, through every image.
    fn spans(&self, axis: usize, position: &[f32; D]) -> ([Span; 3], usize) {
        let (x, margin) = (position[axis], self.margin[axis]);
        if !self.domain.is_periodic() {
            return (
                [[self.cells.cell(axis, x - margin), self.cells.cell(axis, x + margin)]; 3],
                1,
            );
        }
        // In f64 and a little wider, as a search near an edge.
        let (min, max) = (f64::from(self.domain.min[axis]), f64::from(self.domain.max[axis]));
        let side = f64::from(self.domain.side(axis));
        let margin = f64::from(margin) + side * (1.0 / 1_048_576.0);
        let (mut spans, mut count) = ([[0; 2]; 3], 0);
        for image in [-1.0, 0.0, 1.0] {
            let (first, last) =
                (f64::from(x) + image * side - margin, f64::from(x) + image * side + margin);
            if last >= min && first < max {
                spans[count] =
                    [self.cells.cell(axis, first as f32), self.cells.cell(axis, last as f32)];
                count += 1;
            }
        }
        (spans, count)
    }

    /// The cells of each axis that hold no boid in these rows or seen from them.
    pub fn gaps(&self, rows: &RowRectangle) -> [Gap; 3] {
        let mut gaps = [Gap::default(); 3];
        if !self.domain.is_periodic() {
            return gaps;
        }
        for (a, gap) in gaps.iter_mut().enumerate().take(D).skip(1) {
            let [first, end] = if a == 1 { rows.y } else { rows.z };
            let count = i64::from(self.cells.count(a));
            // A cell more for where boids lie in theirs, and one for rounding.
            let around = (f64::from(self.margin[a]) * f64::from(self.cells.along(a).per_unit))
                .ceil() as i64
                + 2;
            let (low, high) =
                (i64::from(first).max(0) - around, i64::from(end).min(count) + around);
            let (first, end) = match (low < 0, high > count) {
                (true, false) => (high, count + low),
                (false, true) => (high - count, low),
                _ => continue,
            };
            if first < end {
                *gap = Gap { first: first as i32, end: end as i32 };
            }
        }
        gaps
    }

    /// The row of a boid.
    pub fn row(&self, position: &[f32; D]) -> (i32, i32) {
        let [_, y, z] = self.cells.of(*position);
        (z, y)
    }
}
