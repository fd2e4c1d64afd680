//! Obstacles as lines, and as surfaces, for pictures.

mod arena;
mod layout;
mod mesh;
mod places;
#[cfg(test)]
mod tests;

pub use arena::{outline, plan_outline};
pub use layout::Layout;
pub use places::Place;
use wingbeat::steer::{Exit, ObstacleMotion, ObstacleSet, ObstacleShape};
use wingbeat::{Domain, steer::ObstacleId};
use wingbeat_record::Edges;

use crate::dimension::by_dimension;
use crate::worlds;
use crate::{AnyFlock, Scene, SceneError};

/// Straight pieces of a circle.
const PIECES: usize = 48;

/// A line from one point to another, in the scene's own coordinates; the third is 0 in the plane.
pub type Segment = [[f32; 3]; 2];

/// A triangle, in the scene's own coordinates. In the plane its corners go round anticlockwise, in
/// space as seen from outside.
pub type Triangle = [[f32; 3]; 3];

/// Obstacles for pictures that fill them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes {
    /// Edges: all around each obstacle in the plane, those of boxes in space. A wall is its line.
    pub lines: Vec<Segment>,
    /// What is filled. All obstacles together have at most some 100,000, unless there are more than
    /// 1,500 of them or polygons of many corners: the more obstacles, the coarser round ones are.
    pub triangles: Vec<Triangle>,
}

/// A scene's obstacles at any time, for recordings of it.
// A trait object rather than an enum of both dimensions, whose arms would be compiled where one
// dimension is left out.
pub struct Outlines(Box<dyn PathCommands + Send + Sync>);

/// Obstacles of either dimension.
trait PathCommands {
    fn move_to(&mut self, time: f64);
    fn moves(&self) -> bool;
    fn lines(&self) -> Vec<Segment>;
    fn shapes(&self) -> Shapes;
}

impl<const D: usize> PathCommands for ObstacleSet<[f32; D]> {
    fn move_to(&mut self, time: f64) {
        self.move_to(time);
    }

    fn moves(&self) -> bool {
        self.moves()
    }

    fn lines(&self) -> Vec<Segment> {
        lines(self)
    }

    fn shapes(&self) -> Shapes {
        shapes(self)
    }
}

impl Outlines {
    /// Those of a scene whose world has these edges, if it has any.
    ///
    /// # Errors
    /// When an obstacle is not accepted.
    pub fn of(scene: &Scene, edges: &Edges) -> Result<Option<Self>, SceneError> {
        by_dimension!(scene, outlines::<2>(scene, edges), outlines::<3>(scene, edges))
    }

    /// Their lines at a time. Obstacles that the host moves are drawn where they start.
    pub fn at(&mut self, time: f64) -> Vec<Segment> {
        self.0.move_to(time);
        self.0.lines()
    }

    /// Their edges and surfaces at a time. Obstacles that the host moves are drawn where they
    /// start.
    pub fn shapes_at(&mut self, time: f64) -> Shapes {
        self.0.move_to(time);
        self.0.shapes()
    }

    /// Whether any of them moves, so that they are not the same at all times.
    pub fn moves(&self) -> bool {
        self.0.moves()
    }
}

fn outlines<const D: usize>(scene: &Scene, edges: &Edges) -> Result<Option<Outlines>, SceneError> {
    let corner = |wide: [f32; 3]| std::array::from_fn(|a| wide[a]);
    let domain: Domain<[f32; D]> =
        Domain { boundary: edges.boundary, min: corner(edges.min), max: corner(edges.max) };
    let obstacles = worlds::obstacles(scene, &domain)?;
    if obstacles.is_empty() {
        return Ok(None);
    }
    let obstacles = ObstacleSet::new(obstacles, &domain);
    obstacles
        .map(|obstacles| Some(Outlines(Box::new(obstacles))))
        .map_err(|refusal| scene.document.refuse_param(refusal))
}

impl AnyFlock {
    /// Its exits, as lines.
    pub fn exit_outlines(&self) -> Vec<Segment> {
        match self {
            Self::Two(flock) => exit_lines(flock.exits()),
            Self::Three(flock) => exit_lines(flock.exits()),
        }
    }

    /// The obstacles as they are now, as lines.
    pub fn outlines(&self) -> Vec<Segment> {
        match self {
            Self::Two(flock) => flock.obstacles().map_or_else(Vec::new, lines),
            Self::Three(flock) => flock.obstacles().map_or_else(Vec::new, lines),
        }
    }
}

fn exit_lines<const D: usize>(exits: &[Exit<[f32; D]>]) -> Vec<Segment> {
    exits.iter().flat_map(|exit| Place::new("exit", &exit.name, &exit.shape).lines).collect()
}

fn lines<const D: usize>(obstacles: &ObstacleSet<[f32; D]>) -> Vec<Segment> {
    let mut lines = Vec::new();
    for (i, obstacle) in obstacles.obstacles().list.iter().enumerate() {
        let placed = placing(obstacles, i);
        chains(&obstacle.shape, &mut |points: &[[f64; 3]]| {
            lines.extend(points.windows(2).map(|pair| [placed(pair[0]), placed(pair[1])]));
        });
    }
    lines
}

fn shapes<const D: usize>(obstacles: &ObstacleSet<[f32; D]>) -> Shapes {
    let list = &obstacles.obstacles().list;
    let pieces = mesh::pieces::<D>(list.len());
    let mut shapes = Shapes::default();
    for i in 0..list.len() {
        let placed = placing(obstacles, i);
        let mut line = |chain: &[[f64; 3]]| {
            shapes.lines.extend(chain.windows(2).map(|pair| [placed(pair[0]), placed(pair[1])]));
        };
        let mut fill = |corners: [[f64; 3]; 3]| shapes.triangles.push(corners.map(&placed));
        match &list[i].shape {
            shape @ ObstacleShape::Wall { .. } => chains(shape, &mut line),
            shape if D == 2 => {
                let mut corners = mesh::corners(shape, pieces);
                mesh::cut(&corners, &mut fill);
                corners.extend(corners.first().copied());
                line(&corners);
            }
            ObstacleShape::Sphere { center, radius } => {
                mesh::capsule(wide(center), wide(center), f64::from(*radius), pieces, &mut fill);
            }
            ObstacleShape::Capsule { from, to, radius } => {
                mesh::capsule(wide(from), wide(to), f64::from(*radius), pieces, &mut fill);
            }
            shape @ ObstacleShape::Box { min, max, .. } => {
                mesh::cuboid(wide(min), wide(max), &mut fill);
                // What is round in space has no edges: its circles would lie over the surface like
                // wires.
                chains(shape, &mut line);
            }
            // A shape that no picture knows yet is not drawn.
            _ => {}
        }
    }
    shapes
}

/// Carries the points of an obstacle's shape to where it is now.
fn placing<const D: usize>(
    obstacles: &ObstacleSet<[f32; D]>,
    i: usize,
) -> impl Fn([f64; 3]) -> [f32; 3] + use<D> {
    let pose = obstacles.pose(ObstacleId::new(i));
    let is_turned = obstacles.obstacles().list[i].motion == ObstacleMotion::Host;
    let (sin, cos) = libm::sincos(if is_turned { f64::from(pose.angle).to_radians() } else { 0.0 });
    let shift: [f64; 3] = wide(&pose.position);
    move |[x, y, z]| {
        let turned = [cos * x - sin * y, sin * x + cos * y, z];
        std::array::from_fn(|a| (turned[a] + shift[a]) as f32)
    }
}

fn wide<const D: usize>(point: &[f32; D]) -> [f64; 3] {
    std::array::from_fn(|a| if a < D { f64::from(point[a]) } else { 0.0 })
}

/// The corners of a box, from the lowest on anticlockwise, at a height.
fn box_corners(min: [f64; 3], max: [f64; 3], angle: f32, z: f64) -> [[f64; 3]; 4] {
    let (sin, cos) = libm::sincos(f64::from(angle).to_radians());
    let middle = [(min[0] + max[0]) * 0.5, (min[1] + max[1]) * 0.5];
    [[min[0], min[1]], [max[0], min[1]], [max[0], max[1]], [min[0], max[1]]].map(|[x, y]| {
        let (x, y) = (x - middle[0], y - middle[1]);
        [middle[0] + cos * x - sin * y, middle[1] + sin * x + cos * y, z]
    })
}

/// Draws a shape as chains of points.
fn chains<const D: usize>(shape: &ObstacleShape<[f32; D]>, draw: &mut dyn FnMut(&[[f64; 3]])) {
    match shape {
        ObstacleShape::Sphere { center, radius } => {
            rings::<D>(wide(center), f64::from(*radius), draw)
        }
        ObstacleShape::Wall { from, to } => draw(&[wide(from), wide(to)]),
        ObstacleShape::Capsule { from, to, radius } => {
            let (from, to, radius) = (wide(from), wide(to), f64::from(*radius));
            rings::<D>(from, radius, draw);
            rings::<D>(to, radius, draw);
            sides::<D>(from, to, radius, draw);
        }
        ObstacleShape::Polygon { points } => {
            let mut corners: Vec<[f64; 3]> = points.iter().map(wide).collect();
            corners.extend(corners.first().copied());
            draw(&corners);
        }
        ObstacleShape::Box { min, max, angle } => {
            let (min, max) = (wide(min), wide(max));
            let levels = [min[2], max[2]].map(|z| box_corners(min, max, *angle, z));
            for [a, b, c, d] in levels.into_iter().take(D - 1) {
                draw(&[a, b, c, d, a]);
            }
            if D == 3 {
                (0..4).for_each(|k| draw(&[levels[0][k], levels[1][k]]));
            }
        }
        // A shape that no picture knows yet is not drawn.
        _ => {}
    }
}

/// A circle, in space three of them.
fn rings<const D: usize>(center: [f64; 3], radius: f64, draw: &mut dyn FnMut(&[[f64; 3]])) {
    let planes: &[[usize; 2]] = if D == 2 { &[[0, 1]] } else { &[[0, 1], [0, 2], [1, 2]] };
    for [a, b] in planes {
        let point = |k: usize| {
            let (sin, cos) = libm::sincos(k as f64 / PIECES as f64 * std::f64::consts::TAU);
            let mut point = center;
            point[*a] += radius * cos;
            point[*b] += radius * sin;
            point
        };
        draw(&(0..=PIECES).map(point).collect::<Vec<_>>());
    }
}

/// The straight sides of a capsule: two in the plane, four in space.
fn sides<const D: usize>(
    from: [f64; 3],
    to: [f64; 3],
    radius: f64,
    draw: &mut dyn FnMut(&[[f64; 3]]),
) {
    let along: [f64; 3] = std::array::from_fn(|a| to[a] - from[a]);
    let length = libm::sqrt(along.iter().fold(0.0, |sum, x| sum + x * x));
    if length == 0.0 {
        return;
    }
    let flat = libm::sqrt(along[0] * along[0] + along[1] * along[1]);
    let across =
        if flat > 0.0 { [-along[1] / flat, along[0] / flat, 0.0] } else { [1.0, 0.0, 0.0] };
    let up = [
        (along[1] * across[2] - along[2] * across[1]) / length,
        (along[2] * across[0] - along[0] * across[2]) / length,
        (along[0] * across[1] - along[1] * across[0]) / length,
    ];
    for way in [across, up].into_iter().take(D - 1) {
        for side in [-radius, radius] {
            draw(&[from, to].map(|end| std::array::from_fn(|a| end[a] + side * way[a])));
        }
    }
}
