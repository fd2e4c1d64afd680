//! Individuals per area or volume: of the box, or in open space of the convex hull.

use std::collections::HashSet;

use wingbeat::measuring::Individuals;
use wingbeat::measuring::vectors::{cross, dot, minus, norm};
use wingbeat::{Domain, steer::Boundary};

/// Distances below this part of the extent are rounding: a point so close to a face does not stick
/// out of it.
const FLAT: f64 = 1e-12;

pub(crate) fn density<const D: usize>(
    individuals: &Individuals<D>,
    domain: &Domain<[f32; D]>,
) -> Option<f64> {
    let size = if domain.boundary == Boundary::Open {
        hull_size(individuals)?
    } else {
        (0..D).fold(1.0, |size, a| size * f64::from(domain.side(a)))
    };
    Some(individuals.len() as f64 / size)
}

/// Area or volume of the convex hull, `None` where it has none.
fn hull_size<const D: usize>(individuals: &Individuals<D>) -> Option<f64> {
    let points = Points {
        individuals,
        first: individuals.position((!individuals.positions[0].is_empty()).then_some(0)?),
    };
    let mut extent = 0.0;
    for (_, point) in points.in_order() {
        extent =
            point.iter().fold(extent, |extent, x| if x.abs() > extent { x.abs() } else { extent });
    }
    let (size, smallest) = if D == 2 {
        (hull_area(points.in_order().map(|(_, [x, y, _])| [x, y]).collect()), extent * extent)
    } else {
        (hull_volume(&points, extent)?, extent * extent * extent)
    };
    (size > smallest * FLAT).then_some(size)
}

/// Positions relative to the first of them, so that a far world loses no digits; in the plane the
/// third coordinate is 0.
struct Points<'a, const D: usize> {
    individuals: &'a Individuals<D>,
    first: [f64; D],
}

impl<const D: usize> Points<'_, D> {
    fn at(&self, place: usize) -> [f64; 3] {
        let local = minus(self.individuals.position(place), self.first);
        std::array::from_fn(|a| if a < D { local[a] } else { 0.0 })
    }

    fn in_order(&self) -> impl Iterator<Item = (usize, [f64; 3])> {
        (0..self.individuals.len()).map(|place| (place, self.at(place)))
    }
}

/// Area of a hull in the plane: Andrew's monotone chain, then the shoelace formula.
fn hull_area(mut points: Vec<[f64; 2]>) -> f64 {
    points.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let mut area = 0.0;
    for upper in [false, true] {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for i in 0..points.len() {
            let point = points[if upper { points.len() - 1 - i } else { i }];
            while chain.len() >= 2
                && turn(chain[chain.len() - 2], chain[chain.len() - 1], point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        area += chain
            .windows(2)
            .fold(0.0, |sum, edge| sum + edge[0][0] * edge[1][1] - edge[1][0] * edge[0][1]);
    }
    area / 2.0
}

/// A triangle of the hull, seen counterclockwise from outside.
struct Face {
    corners: [usize; 3],
    normal: [f64; 3],
    at: f64,
}

impl Face {
    fn new<const D: usize>(points: &Points<'_, D>, corners: [usize; 3]) -> Self {
        let [a, b, c] = corners.map(|corner| points.at(corner));
        let normal = cross(minus(b, a), minus(c, a));
        let length = norm(normal);
        let normal = if length > 0.0 { normal.map(|x| x / length) } else { normal };
        Self { corners, normal, at: dot(&normal, &a) }
    }

    fn height(&self, point: [f64; 3]) -> f64 {
        dot(&self.normal, &point) - self.at
    }

    fn edges(&self) -> [(usize, usize); 3] {
        let [a, b, c] = self.corners;
        [(a, b), (b, c), (c, a)]
    }
}

/// Volume of a hull in space, one point after the other: faces that see the point give way to a
/// cone from it to their outline.
///
/// The surface stays closed whatever rounding does to the choice of faces (the cone has the outline
/// as its edge), so an error of the choice costs a sliver of the volume and no more.
fn hull_volume<const D: usize>(points: &Points<'_, D>, extent: f64) -> Option<f64> {
    let mut faces = first_faces(points, extent)?;
    let mut outline = HashSet::new();
    let mut edges = Vec::new();
    for (i, point) in points.in_order() {
        outline.clear();
        edges.clear();
        faces.retain(|face| {
            let stays = face.height(point) <= extent * FLAT;
            if !stays {
                edges.extend(face.edges());
                outline.extend(face.edges());
            }
            stays
        });
        // In the order of the faces, not of the set: the order of sums must not depend on hashing.
        for &(a, b) in edges.iter().filter(|(a, b)| !outline.contains(&(*b, *a))) {
            faces.push(Face::new(points, [a, b, i]));
        }
    }
    let volume = |face: &Face| {
        let [a, b, c] = face.corners.map(|corner| points.at(corner));
        dot(&a, &cross(b, c)) / 6.0
    };
    Some(faces.iter().fold(0.0, |sum, face| sum + volume(face)))
}

/// A tetrahedron of far apart points, so that most others are inside from the start.
fn first_faces<const D: usize>(points: &Points<'_, D>, extent: f64) -> Option<Vec<Face>> {
    let furthest = |measure: &dyn Fn([f64; 3]) -> f64| {
        let mut best = (0, -1.0);
        for (i, point) in points.in_order() {
            let size = measure(point);
            best = if size > best.1 { (i, size) } else { best };
        }
        best
    };
    let (a, _) = furthest(&|p| dot(&p, &p));
    let first = points.at(a);
    let (b, length_sq) = furthest(&|p| dot(&minus(p, first), &minus(p, first)));
    let axis = minus(points.at(b), first);
    let (c, area_sq) = furthest(&|p| {
        let span = cross(axis, minus(p, first));
        dot(&span, &span)
    });
    let base = Face::new(points, [a, b, c]);
    let (d, height) = furthest(&|p| base.height(p).abs());
    let flat = extent * FLAT;
    if length_sq.sqrt() <= flat || area_sq.sqrt() <= flat * extent || height <= flat {
        return None;
    }
    // The base has to look away from the fourth.
    let (b, c) = if base.height(points.at(d)) > 0.0 { (c, b) } else { (b, c) };
    Some(
        [[a, b, c], [a, d, b], [b, d, c], [c, d, a]]
            .map(|corners| Face::new(points, corners))
            .into(),
    )
}
