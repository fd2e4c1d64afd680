//! What part of the world a flock fills.

use crate::{Boids, Bounds};

/// A box of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lowest corner; in the plane the third is 0.
    pub low: [f64; 3],
    /// Highest corner.
    pub high: [f64; 3],
}

impl Extent {
    /// The flock with a little air, strays left out; in the plane never flatter than 1 : 4.
    pub fn around(boids: &Boids<'_>) -> Self {
        let mut spans = [[0.0; 2]; 3];
        for (a, span) in spans.iter_mut().enumerate().take(boids.dimensions) {
            *span = nearly_all(boids.positions[a]);
        }
        let length = |span: [f64; 2]| span[1] - span[0];
        let widest =
            spans.iter().map(|&span| length(span)).fold(0.0, |a, b| if b > a { b } else { a });
        for span in spans.iter_mut().take(boids.dimensions) {
            // So that a flock in a row still makes a picture.
            if length(*span) < widest / 4.0 {
                *span = about((span[0] + span[1]) / 2.0, widest / 4.0);
            }
        }
        Self { low: spans.map(|span| span[0]), high: spans.map(|span| span[1]) }
    }

    /// The whole box; of `dimensions` axes.
    pub fn of(bounds: &Bounds, dimensions: usize) -> Self {
        let corner = |corner: [f32; 3]| {
            std::array::from_fn(|a| if a < dimensions { f64::from(corner[a]) } else { 0.0 })
        };
        Self { low: corner(bounds.min), high: corner(bounds.max) }
    }

    /// Length along each axis.
    pub fn size(&self) -> [f64; 3] {
        std::array::from_fn(|a| self.high[a] - self.low[a])
    }

    /// Its middle.
    pub fn center(&self) -> [f64; 3] {
        std::array::from_fn(|a| (self.low[a] + self.high[a]) / 2.0)
    }

    /// Points around the ellipsoid in the box, or all but: a flock fills a box as a ball does.
    pub(crate) fn rim(&self) -> Vec<[f64; 3]> {
        let (middle, size) = (self.center(), self.size());
        let ways = (0..27)
            .map(|i| [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1].map(f64::from))
            .filter(|way| *way != [0.0; 3]);
        ways.map(|way| {
            let length = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
            std::array::from_fn(|a| middle[a] + way[a] / length * size[a] * 0.52)
        })
        .collect()
    }

    pub(crate) fn corners(&self) -> [[f64; 3]; 8] {
        let corner = |i: usize| {
            std::array::from_fn(|a| if i >> a & 1 == 1 { self.high[a] } else { self.low[a] })
        };
        std::array::from_fn(corner)
    }

    /// A part of the way from here to there: the middle by one share, the size by another where it
    /// grows, and slower where it shrinks, so that a picture does not breathe.
    pub(crate) fn toward(&self, to: &Self) -> Self {
        let (here, there) = (self.center(), to.center());
        let (own, wanted) = (self.size(), to.size());
        let mut next = *self;
        for a in 0..3 {
            let middle = here[a] + (there[a] - here[a]) * 0.25;
            let share = if wanted[a] > own[a] { 0.15 } else { 0.03 };
            let half = (own[a] + (wanted[a] - own[a]) * share) / 2.0;
            (next.low[a], next.high[a]) = (middle - half, middle + half);
        }
        next
    }
}

/// Where nearly all values lie, with air around.
fn nearly_all(values: &[f32]) -> [f64; 2] {
    let mut values: Vec<f32> = values.iter().copied().filter(|x| x.is_finite()).collect();
    if values.is_empty() {
        return [-1.0, 1.0];
    }
    // The middle 99 %, with a tenth of it around, or everyone if that is less.
    let (first, last, stray) = (0, values.len() - 1, values.len() / 200);
    let mut at = |place: usize| f64::from(*values.select_nth_unstable_by(place, f32::total_cmp).1);
    let [lowest, low, high, highest] = [first, stray, last - stray, last].map(&mut at);
    let air = (high - low) * 0.1;
    let low = if low - air < lowest { lowest } else { low - air };
    let high = if high + air > highest { highest } else { high + air };
    let air = (high - low) * 0.04;
    if high > low { [low - air, high + air] } else { about(low, 2.0) }
}

/// An interval of this length about a middle.
fn about(middle: f64, length: f64) -> [f64; 2] {
    // A far middle may swallow the length; half a part in a thousand is always visible.
    let half = length / 2.0;
    let least = middle.abs() * 5e-4;
    let half = if half > least { half } else { least };
    [middle - half, middle + half]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(points: &[[f32; 2]]) -> Extent {
        let column = |a: usize| points.iter().map(|point| point[a]).collect::<Vec<f32>>();
        let (ids, columns) = ((0..points.len() as u64).collect::<Vec<_>>(), [column(0), column(1)]);
        Extent::around(&Boids::new(0.0, &ids, &columns, &columns).expect("boids"))
    }

    #[test]
    fn strays_do_not_shrink_the_flock() {
        let mut points: Vec<[f32; 2]> =
            (0..1000u16).map(|i| [f32::from(i % 32), f32::from(i / 32)]).collect();
        points.push([1e6, 1e6]);
        assert!(around(&points).size()[0] < 60.0);
    }

    #[test]
    fn any_flock_has_an_extent() {
        for points in [
            vec![],
            vec![[0.0, 0.0]],
            vec![[1e30, -1e30]],
            vec![[0.0, 0.0], [100.0, 0.0]],
            vec![[f32::NAN, 1.0]],
        ] {
            let [width, height, _] = around(&points).size();
            assert!(
                width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite(),
                "{points:?}"
            );
        }
    }
}
