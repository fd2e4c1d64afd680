//! Obstacles cut into triangles.

use std::f64::consts::{PI, TAU};

use wingbeat::steer::ObstacleShape;

use super::{box_corners, wide};

type Point = [f64; 3];

/// Triangles that all round obstacles of a scene may have together.
const MOST: usize = 100_000;
/// Fewest and most pieces of a circle.
const PIECES: [usize; 2] = [8, 48];

/// In how many pieces circles are cut when this many obstacles are drawn. Even.
pub(super) fn pieces<const D: usize>(obstacles: usize) -> usize {
    let most = MOST / obstacles.max(1);
    // A disc of n pieces has n - 2 triangles, a capsule in the plane n; a ball n (n - 2), a capsule
    // in space n².
    let fit = if D == 2 { most } else { libm::sqrt(most as f64) as usize };
    fit.clamp(PIECES[0], if D == 2 { PIECES[1] } else { PIECES[1] / 2 }) / 2 * 2
}

/// The corners of a shape in the plane, anticlockwise. Of a wall, which has no inside, and of
/// shapes not known here there are none.
pub(super) fn corners<const D: usize>(
    shape: &ObstacleShape<[f32; D]>,
    pieces: usize,
) -> Vec<Point> {
    let arc = |center: Point, radius: f64, first: f64, turn: f64, steps: usize| {
        (0..steps).map(move |k| {
            let (sin, cos) = libm::sincos(first + turn * k as f64 / pieces as f64);
            [center[0] + radius * cos, center[1] + radius * sin, 0.0]
        })
    };
    match shape {
        ObstacleShape::Sphere { center, radius } => {
            arc(wide(center), f64::from(*radius), 0.0, TAU, pieces).collect()
        }
        ObstacleShape::Capsule { from, to, radius } => {
            let (from, to, radius) = (wide(from), wide(to), f64::from(*radius));
            let right = libm::atan2(to[1] - from[1], to[0] - from[0]) - PI / 2.0;
            // A half circle of n pieces has n + 1 corners.
            let half = |center, first| arc(center, radius, first, TAU, pieces / 2 + 1);
            half(to, right).chain(half(from, right + PI)).collect()
        }
        ObstacleShape::Box { min, max, angle } => {
            box_corners(wide(min), wide(max), *angle, 0.0).to_vec()
        }
        ObstacleShape::Polygon { points } => {
            let mut corners: Vec<Point> = points.iter().map(wide).collect();
            if area(&corners) < 0.0 {
                corners.reverse();
            }
            corners
        }
        _ => Vec::new(),
    }
}

/// Cuts a simple polygon, anticlockwise, into triangles: ears are taken off it one after the other.
/// An ear is a corner that the polygon turns left at, and none of the corners at which it turns
/// right is in the triangle with its neighbors: a polygon of n corners, r of them to the right,
/// takes time of the order of n · r, one without any n.
pub(super) fn cut(corners: &[Point], fill: &mut impl FnMut([Point; 3])) {
    let mut left: Vec<Point> = corners.to_vec();
    let mut at = 0;
    let mut refused = 0;
    while left.len() > 3 {
        let n = left.len();
        at %= n;
        let ear = [left[(at + n - 1) % n], left[at], left[(at + 1) % n]];
        // Every simple polygon has an ear. If rounding hides the last one, the corner at hand is
        // taken all the same.
        if is_ear(&left, at, ear) || refused > n {
            if turn(ear) > 0.0 {
                fill(ear);
            }
            left.remove(at);
            refused = 0;
        } else {
            at += 1;
            refused += 1;
        }
    }
    if let [a, b, c] = left[..] {
        fill([a, b, c]);
    }
}

fn is_ear(left: &[Point], at: usize, ear: [Point; 3]) -> bool {
    let n = left.len();
    let [a, b, c] = ear;
    let bend = turn(ear);
    // A corner that lies on a straight edge is taken off, with nothing to fill.
    bend == 0.0
        || bend > 0.0
            && (2..n - 1).all(|k| {
                let i = (at + k) % n;
                let p = left[i];
                let is_outside =
                    turn([a, b, p]) < 0.0 || turn([b, c, p]) < 0.0 || turn([c, a, p]) < 0.0;
                is_outside || turn([left[(i + n - 1) % n], p, left[(i + 1) % n]]) > 0.0
            })
}

/// Twice the area that three points go round anticlockwise.
pub(super) fn turn([a, b, c]: [Point; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The area that corners go round anticlockwise.
pub(super) fn area(corners: &[Point]) -> f64 {
    // About the first corner: far from the origin, the products would swallow the digits.
    corners.windows(2).map(|pair| turn([corners[0], pair[0], pair[1]]) * 0.5).sum()
}

/// The surface of a capsule in space, and of a ball, which has both ends in one place: circles
/// about its axis, joined.
pub(super) fn capsule(
    from: Point,
    to: Point,
    radius: f64,
    pieces: usize,
    fill: &mut impl FnMut([Point; 3]),
) {
    let along: Point = std::array::from_fn(|a| to[a] - from[a]);
    let length = libm::sqrt(along.iter().map(|x| x * x).sum());
    let axis = if length > 0.0 { along.map(|x| x / length) } else { [0.0, 0.0, 1.0] };
    let other = if axis[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    let across = unit(cross(other, axis));
    let up = cross(axis, across);
    let circle = |center: Point, rise: f64| -> Vec<Point> {
        let (sin, cos) = libm::sincos(rise);
        let point = |k: usize| {
            let (side, ahead) = libm::sincos(TAU * k as f64 / pieces as f64);
            let off = |a: usize| cos * (ahead * across[a] + side * up[a]) + sin * axis[a];
            std::array::from_fn(|a| center[a] + radius * off(a))
        };
        (0..=pieces).map(point).collect()
    };
    // From the south pole to the north pole; a ball has one equator, a capsule one at each end.
    let rows = pieces / 2;
    let rise = |k: usize| PI * (k as f64 / rows as f64 - 0.5);
    let south = (0..=rows / 2).map(|k| circle(from, rise(k)));
    let from_equator = if length > 0.0 && rows.is_multiple_of(2) { rows / 2 } else { rows / 2 + 1 };
    let circles: Vec<Vec<Point>> =
        south.chain((from_equator..=rows).map(|k| circle(to, rise(k)))).collect();
    for (row, pair) in circles.windows(2).enumerate() {
        for k in 0..pieces {
            let [a, b, c, d] = [pair[0][k], pair[0][k + 1], pair[1][k + 1], pair[1][k]];
            // At a pole a circle is a point, and one of the two triangles none.
            if row > 0 {
                fill([a, b, c]);
            }
            if row + 2 < circles.len() {
                fill([a, c, d]);
            }
        }
    }
}

/// The six faces of a box in space.
pub(super) fn cuboid(min: Point, max: Point, fill: &mut impl FnMut([Point; 3])) {
    let [low, high] = [min[2], max[2]].map(|z| box_corners(min, max, 0.0, z));
    let mut face = |[a, b, c, d]: [Point; 4]| {
        fill([a, b, c]);
        fill([a, c, d]);
    };
    face(high);
    face([low[3], low[2], low[1], low[0]]);
    for k in 0..4 {
        let next = (k + 1) % 4;
        face([low[k], low[next], high[next], high[k]]);
    }
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: Point) -> Point {
    let length = libm::sqrt(a.iter().map(|x| x * x).sum());
    a.map(|x| x / length)
}
