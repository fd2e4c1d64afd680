//! Rings of points: what lies in them, and where their edges meet. In `f64` of `f32` coordinates, whose differences are exact.

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

/// Two edges that have a point in common, unless they follow each other in a ring and share only their corner.
pub(super) fn meeting(rings: &[&[Point]]) -> Option<[Edge; 2]> {
    let of_ring = |(ring, points): (usize, &&'_ [Point])| {
        let points: Vec<[Point; 2]> = edges(points).collect();
        points.into_iter().enumerate().map(move |(edge, ends)| Edge { ring, edge, ends })
    };
    let mut all: Vec<Edge> = rings.iter().enumerate().flat_map(of_ring).collect();
    let least =
        |edge: &Edge, axis: usize| if edge.ends[0][axis] < edge.ends[1][axis] { edge.ends[0][axis] } else { edge.ends[1][axis] };
    let most =
        |edge: &Edge, axis: usize| if edge.ends[0][axis] > edge.ends[1][axis] { edge.ends[0][axis] } else { edge.ends[1][axis] };
    // From left to right: each is compared with those that begin before it ends.
    all.sort_by(|a, b| least(a, 0).total_cmp(&least(b, 0)));
    for (i, one) in all.iter().enumerate() {
        for other in all[i + 1..].iter().take_while(|other| least(other, 0) <= most(one, 0)) {
            if least(other, 1) <= most(one, 1) && least(one, 1) <= most(other, 1) && meets(one, other, rings) {
                let in_order = (one.ring, one.edge) < (other.ring, other.edge);
                return Some(if in_order { [*one, *other] } else { [*other, *one] });
            }
        }
    }
    None
}

fn meets(one: &Edge, other: &Edge, rings: &[&[Point]]) -> bool {
    let ([a, b], [c, d]) = (one.ends, other.ends);
    if one.ring == other.ring {
        let corners = rings[one.ring].len();
        match ((one.edge + 1) % corners == other.edge, (other.edge + 1) % corners == one.edge) {
            // Of a triangle every edge follows every other both ways round.
            (true, _) => return folds_back(a, b, d),
            (_, true) => return folds_back(c, d, b),
            _ => {}
        }
    }
    let same_side = |p: f64, q: f64| (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
    !same_side(turn(a, b, c), turn(a, b, d)) && !same_side(turn(c, d, a), turn(c, d, b))
}

/// Whether the way from b on to c lies on that from a to b.
fn folds_back(a: Point, b: Point, c: Point) -> bool {
    let along = |axis: usize| (f64::from(b[axis]) - f64::from(a[axis])) * (f64::from(c[axis]) - f64::from(b[axis]));
    turn(a, b, c) == 0.0 && along(0) + along(1) < 0.0
}

/// Twice the area that a, b, c go round anticlockwise.
fn turn(a: Point, b: Point, c: Point) -> f64 {
    let side = |p: Point, axis: usize| f64::from(p[axis]) - f64::from(a[axis]);
    side(b, 0) * side(c, 1) - side(b, 1) * side(c, 0)
}
