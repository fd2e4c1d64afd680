//! Rings of points: their edges, the box around them, and what lies in them.

use super::Point;

/// An edge of a ring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Which ring it is of.
    pub ring: usize,
    /// Its number in the ring: from corner `edge` to the next.
    pub edge: usize,
    pub ends: [Point; 2],
}

/// The edges of a ring, each from a corner to the next.
pub(super) fn edges(ring: &[Point]) -> impl Iterator<Item = [Point; 2]> + '_ {
    (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]])
}

/// Lowest and highest corner of the box around some points.
pub(super) fn bounds<'a>(points: impl Iterator<Item = &'a Point>) -> [Point; 2] {
    points.fold([[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]], |[low, high], point| {
        [
            std::array::from_fn(|a| if point[a] < low[a] { point[a] } else { low[a] }),
            std::array::from_fn(|a| if point[a] > high[a] { point[a] } else { high[a] }),
        ]
    })
}

/// Whether a ring goes round a point: a ray from it meets an odd number of edges.
pub(super) fn contains(ring: &[Point], point: Point) -> bool {
    let passes = |[a, b]: [Point; 2]| {
        let (low, high) = if a[1] < b[1] { (a, b) } else { (b, a) };
        // Half open, so that a corner counts for one of its edges.
        low[1] <= point[1] && point[1] < high[1] && turn(low, high, point) > 0.0
    };
    edges(ring).filter(|&edge| passes(edge)).count() % 2 == 1
}

/// Relative to its two products, the largest error of a turn in `f64`: (3 + 16ε)ε with ε = 2⁻⁵³.
const ROUNDING: f64 = 3.331e-16;

/// The sign says on which side of the line from a to b lies c: above 0 on the left, 0 on the line.
/// It is exact. Where `f64` may round it away, products of two `f32` are exact in `f64`, and their
/// sum is kept as parts that do not overlap, in ascending order (Grow-Expansion, Shewchuk 1997).
pub(super) fn turn(a: Point, b: Point, c: Point) -> f64 {
    let side = |p: Point, axis: usize| f64::from(p[axis]) - f64::from(a[axis]);
    let [one, other] = [side(b, 0) * side(c, 1), side(b, 1) * side(c, 0)];
    if (one - other).abs() > ROUNDING * (one.abs() + other.abs()) {
        return one - other;
    }
    let product = |p: f32, q: f32| f64::from(p) * f64::from(q);
    let cross = |p: Point, q: Point| [product(p[0], q[1]), -product(p[1], q[0])];
    let terms = [cross(a, b), cross(b, c), cross(c, a)];
    let mut parts = [0.0; 6];
    for (count, &term) in terms.as_flattened().iter().enumerate() {
        let mut sum = term;
        for part in &mut parts[..count] {
            let both = sum + *part;
            let added = both - sum;
            *part = (sum - (both - added)) + (*part - added);
            sum = both;
        }
        parts[count] = sum;
    }
    parts.into_iter().rev().find(|&part| part != 0.0).unwrap_or(0.0)
}
