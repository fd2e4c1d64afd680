//! One obstacle as geometry: distances to it, and the contact of a path that leads into it. In
//! `f64`, since few boids touch, so that rounding is far below the skin left between a boid and a
//! surface.

use alloc::vec::Vec;

use super::ObstacleShape;
use super::shape::length;
use crate::Vector;

/// A point or vector with three coordinates; flat ones end in 0.
pub(crate) type Point = [f64; 3];

/// Steps towards a surface; they close in quadratically, so that six are many.
const APPROACHES: usize = 32;

/// What rounding leaves along a wall's axis is small beside its length, yet not beside the skin: a
/// way out that leans by more than `f32` resolves ends slides beyond the wall. A unit in the last
/// place of 1 in `f32`.
const LEAN: f64 = 1.0 / 16_777_216.0;

/// Only nearer than this share of the coordinates can a way out lean so much.
const NEAR: f64 = 1e-7;

pub(super) fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scale(a: Point, k: f64) -> Point {
    [a[0] * k, a[1] * k, a[2] * k]
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn largest(a: Point) -> f64 {
    a.iter().fold(0.0, |most, x| if x.abs() > most { x.abs() } else { most })
}

/// Length and direction; zeros of zero.
fn measured(v: Point) -> (f64, Point) {
    let long = length(v);
    if long > 0.0 { (long, scale(v, 1.0 / long)) } else { (0.0, [0.0; 3]) }
}

/// A convex part of a solid: what its surface is `radius` away from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// A segment; a point where both ends are one.
    Segment(Point, Point),
    /// A box with faces across the axes.
    Block(Point, Point),
}

impl Part {
    /// How far a point is from it (negative inside a block), and the way from it, a unit vector.
    fn distance(&self, point: Point) -> (f64, Point) {
        match *self {
            Self::Segment(from, to) => {
                let (long, axis) = measured(sub(to, from));
                let along = dot(sub(point, from), axis);
                let nearest = if along <= 0.0 {
                    from
                } else if along >= long {
                    to
                } else {
                    add(from, scale(axis, along))
                };
                let away = sub(point, nearest);
                let (mut distance, mut outward) = measured(away);
                // Rounding leaves some 1e-15 of these lengths along the axis.
                let size = long + point[0].abs() + point[1].abs() + point[2].abs();
                if distance < NEAR * size && along > 0.0 && along < long {
                    let leans = dot(away, axis);
                    if leans.abs() > LEAN * distance {
                        (distance, outward) = measured(sub(away, scale(axis, leans)));
                    }
                }
                (distance, if distance > 0.0 { outward } else { aside(axis) })
            }
            Self::Block(low, high) => {
                let mut kept = point;
                let (mut depth, mut out) = (f64::INFINITY, [0.0; 3]);
                for a in 0..3 {
                    if kept[a] < low[a] {
                        kept[a] = low[a];
                    } else if kept[a] > high[a] {
                        kept[a] = high[a];
                    }
                    for (side, gap) in [(-1.0, point[a] - low[a]), (1.0, high[a] - point[a])] {
                        if gap < depth {
                            (depth, out) = (gap, [0.0; 3]);
                            out[a] = side;
                        }
                    }
                }
                if kept == point { (-depth, out) } else { measured(sub(point, kept)) }
            }
        }
    }
}

/// A unit vector across another; of zero, the first axis.
fn aside(axis: Point) -> Point {
    let [x, y, z] = axis;
    if x == 0.0 && y == 0.0 { [1.0, 0.0, 0.0] } else { measured([-y, x, 0.0 * z]).1 }
}

/// Where a path ends that led into a solid, and what it met.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolidContact {
    /// Part of the path until then.
    pub after: f64,
    /// The place on the path, at rest with the solid.
    pub at: Point,
    /// A skin away from it: where a boid that stops stays.
    pub stop: Point,
    /// From there on along the surface.
    pub slid: Point,
    /// Out of the solid.
    pub normal: Point,
}

/// A shape in its own coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Solid {
    parts: Vec<Part>,
    /// Corners of what they enclose, if they do.
    area: Vec<Point>,
    radius: f64,
    pub thin: bool,
    pub corners: Vec<Point>,
    /// Its largest coordinate.
    pub extent: f64,
}

impl Solid {
    pub fn new<V: Vector>(shape: &ObstacleShape<V>) -> Self {
        let (corners, radius) = (shape.corners(), shape.radius());
        let n = corners.len();
        let edges = || (0..n).map(|i| Part::Segment(corners[i], corners[(i + 1) % n])).collect();
        let (parts, area) = match shape {
            ObstacleShape::Sphere { .. } => {
                ([Part::Segment(corners[0], corners[0])].to_vec(), Vec::new())
            }
            ObstacleShape::Capsule { .. } | ObstacleShape::Wall { .. } => {
                ([Part::Segment(corners[0], corners[1])].to_vec(), Vec::new())
            }
            ObstacleShape::Box { .. } if V::DIMENSIONS == 3 => {
                ([Part::Block(corners[0], corners[1])].to_vec(), Vec::new())
            }
            ObstacleShape::Box { .. } | ObstacleShape::Polygon { .. } => (edges(), corners.clone()),
        };
        let extent = corners
            .iter()
            .fold(0.0, |most, &corner| if largest(corner) > most { largest(corner) } else { most });
        Self { parts, area, radius, thin: shape.is_thin(), extent: extent + radius, corners }
    }

    /// The radius about its corners.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Signed distance of the surface, negative inside, and the way out.
    pub fn distance(&self, point: Point) -> (f64, Point) {
        let mut nearest = (f64::INFINITY, [0.0; 3]);
        for part in &self.parts {
            let found = part.distance(point);
            if found.0 < nearest.0 {
                nearest = found;
            }
        }
        let (distance, outward) = nearest;
        if self.encloses(point) {
            (-distance, scale(outward, -1.0))
        } else {
            (distance - self.radius, outward)
        }
    }

    /// Whether a point is within the area, counting the edges that a ray crosses.
    fn encloses(&self, [x, y, _]: Point) -> bool {
        let (n, mut inside) = (self.area.len(), false);
        for i in 0..n {
            let ([ax, ay, _], [bx, by, _]) = (self.area[i], self.area[(i + 1) % n]);
            if (ay > y) != (by > y) {
                let right = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
                inside ^= if by > ay { right > 0.0 } else { right < 0.0 };
            }
        }
        inside
    }

    /// What becomes of the straight path between two points, of a body of a radius about them (0: a
    /// point). A path that starts outside ends outside, on the side it came from; one that starts
    /// inside and ends there is put out through the nearest surface. `None`: the path is free, and
    /// ends at least half a skin away.
    ///
    /// A body nearer to the surface than its radius starts outside all the same: along the path it
    /// is taken to be as large as fits there, so that it never changes sides.
    pub(super) fn contact(
        &self,
        from: Point,
        to: Point,
        body: f64,
        skin: f64,
    ) -> Option<SolidContact> {
        let room = self.distance(from).0;
        let fits = if room < body { room } else { body };
        if fits >= 0.0 {
            let mut first: Option<SolidContact> = None;
            for part in &self.parts {
                let met = self.met_on_the_way(part, (from, to), fits, skin);
                if let Some(met) = met
                    && first.is_none_or(|first| met.after < first.after)
                {
                    first = Some(met);
                }
            }
            if first.is_some() {
                return first;
            }
        }
        let (distance, normal) = self.distance(to);
        let distance = distance - body;
        if distance >= 0.5 * skin {
            return None;
        }
        let out = add(to, scale(normal, skin - distance));
        Some(SolidContact { after: 1.0, at: to, stop: out, slid: out, normal })
    }

    /// How far the surface of each convex part is from a point, and the way from it; of what
    /// encloses the point only its surface, how deep it is inside.
    pub fn distances(&self, point: Point, visit: &mut dyn FnMut(f64, Point)) {
        if self.encloses(point) {
            let (distance, outward) = self.distance(point);
            return visit(distance, outward);
        }
        for part in &self.parts {
            let (distance, outward) = part.distance(point);
            visit(distance - self.radius, outward);
        }
    }

    /// Newton's steps along the path: the distance from a convex part is convex on a line, so they
    /// never pass the first place where it falls to half a skin.
    fn met_on_the_way(
        &self,
        part: &Part,
        (from, to): (Point, Point),
        body: f64,
        skin: f64,
    ) -> Option<SolidContact> {
        let (long, ahead) = measured(sub(to, from));
        let mut walked = 0.0;
        for approach in 0..=APPROACHES {
            let at = add(from, scale(ahead, walked));
            let (gap, normal) = part.distance(at);
            let (distance, closing) = (gap - self.radius - body, -dot(normal, ahead));
            if closing <= 1e-9 {
                return None;
            }
            if distance <= 0.5625 * skin || approach == APPROACHES {
                let stop = add(at, scale(normal, skin - distance));
                let rest = sub(to, at);
                let inwards = dot(rest, normal);
                let along = sub(rest, scale(normal, if inwards < 0.0 { inwards } else { 0.0 }));
                return Some(SolidContact {
                    after: walked / long,
                    at,
                    stop,
                    slid: add(stop, along),
                    normal,
                });
            }
            walked += (distance - 0.5 * skin) / closing;
            if walked > long {
                return None;
            }
        }
        None
    }
}
