//! Floor plans: `[floor]`, the area that people walk on, from a text in the OGC's well-known form
//! (WKT).
//!
//! A plan is one polygon or several that lie apart. The outer ring of each becomes walls without
//! thickness, its holes become solid polygons: obstacles like others, which boids do not cross.
//! What they do not say is which side of the walls is inside; so the start asks
//! [`Floor::contains`].

mod read;
mod rings;
mod sweep;
mod wkt;

use wingbeat::steer::{Obstacle, ObstacleMotion, ObstacleShape};

use crate::{Scene, SceneError};

pub(crate) use read::{floor, plan_rings};

/// A point of a plan, in the scene's own coordinates.
type Point = [f32; 2];

/// Part of the longest side that the domain of a plan extends beyond it, when no key gives the
/// domain.
const MARGIN: f64 = 0.01;

/// A checked plan: rings that are simple, holes inside of their polygons, polygons apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Floor {
    polygons: Vec<Polygon>,
}

/// One polygon of a plan. The last corner of a ring is joined to the first.
#[derive(Clone, Debug, PartialEq)]
struct Polygon {
    outer: Vec<Point>,
    holes: Vec<Vec<Point>>,
}

impl Scene {
    /// The same scene with its floor plan as a text of its own rather than in a file: for pages and
    /// recordings, which lie elsewhere.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn with_floor_inside(mut self) -> Result<Self, SceneError> {
        if self.document.has("floor.file")
            && let Some((text, _)) = read::text(&self)?
        {
            self.document.rename_text("floor.file", "floor.wkt", text);
        }
        Ok(self)
    }

    /// The text of its floor plan, where it has that inside.
    pub fn floor_wkt(&self) -> Option<&str> {
        self.document.text("floor.wkt")
    }
}

impl Polygon {
    /// The outer ring, then the holes.
    fn rings(&self) -> impl Iterator<Item = &[Point]> {
        std::iter::once(self.outer.as_slice()).chain(self.holes.iter().map(Vec::as_slice))
    }
}

impl Floor {
    /// The box around it.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        let corners = self.polygons.iter().flat_map(|polygon| &polygon.outer);
        rings::bounds(corners).map(|corner| corner.map(f64::from))
    }

    /// The box of a domain that is left out: a little more than the plan.
    pub fn usual_domain(&self) -> [[f64; 2]; 2] {
        let [min, max] = self.bounds();
        let sides = [max[0] - min[0], max[1] - min[1]];
        let margin = if sides[0] > sides[1] { sides[0] } else { sides[1] } * MARGIN;
        [min.map(|x| x - margin), max.map(|x| x + margin)]
    }

    /// Whether a position lies on it.
    pub fn contains(&self, position: Point) -> bool {
        self.polygons.iter().any(|polygon| {
            rings::contains(&polygon.outer, position)
                && !polygon.holes.iter().any(|hole| rings::contains(hole, position))
        })
    }

    /// The edges of all rings.
    pub fn lines(&self) -> impl Iterator<Item = [[f32; 3]; 2]> + '_ {
        let rings = self.polygons.iter().flat_map(Polygon::rings);
        rings.flat_map(rings::edges).map(|ends| ends.map(|[x, y]| [x, y, 0.0]))
    }

    /// The walls around it and what stands on it: `floor-0-outer-3`, `floor-0-hole-1`.
    pub fn obstacles<const D: usize>(&self) -> impl Iterator<Item = Obstacle<[f32; D]>> {
        // A floor is refused in space.
        let place = |point: Point| std::array::from_fn(|a| point[a % 2]);
        let standing =
            |name: String, shape| Obstacle { name, shape, motion: ObstacleMotion::Static };
        self.polygons.iter().enumerate().flat_map(move |(i, Polygon { outer, holes })| {
            let edges = rings::edges(outer).enumerate();
            let walls = edges.map(move |(edge, [from, to])| {
                standing(
                    format!("floor-{i}-outer-{edge}"),
                    ObstacleShape::Wall { from: place(from), to: place(to) },
                )
            });
            let holes = holes.iter().enumerate().map(move |(hole, points)| {
                let points = points.iter().map(|&point| place(point)).collect();
                standing(format!("floor-{i}-hole-{hole}"), ObstacleShape::Polygon { points })
            });
            walls.chain(holes)
        })
    }
}
