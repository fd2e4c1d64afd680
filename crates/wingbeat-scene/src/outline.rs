//! Obstacles as lines, for pictures.

use wingbeat::steer::{ObstacleCourse, ObstacleMotion, ObstacleShape};
use wingbeat::{Domain, Flock};
use wingbeat_record::Edges;

use crate::dimension::by_dimension;
use crate::worlds;
use crate::{AnyFlock, Scene, SceneError};

/// Straight pieces of a circle.
const PIECES: usize = 48;

/// A line from one point to another, in the scene's own coordinates; the third is 0 in the plane.
pub type Segment = [[f32; 3]; 2];

/// A scene's obstacles at any time, for recordings of it.
pub struct Outlines(Either);

enum Either {
    Two(Box<ObstacleCourse<[f32; 2]>>),
    Three(Box<ObstacleCourse<[f32; 3]>>),
}

impl Outlines {
    /// Those of a scene whose world has these edges, if it has any.
    ///
    /// # Errors
    /// When an obstacle is not accepted.
    pub fn of(scene: &Scene, edges: &Edges) -> Result<Option<Self>, SceneError> {
        by_dimension!(
            scene,
            Ok(course(scene, edges)?.map(|course| Self(Either::Two(Box::new(course))))),
            Ok(course(scene, edges)?.map(|course| Self(Either::Three(Box::new(course))))),
        )
    }

    /// Their lines at a time. Obstacles that the host moves are drawn where they start.
    pub fn at(&mut self, time: f64) -> Vec<Segment> {
        match &mut self.0 {
            Either::Two(course) => {
                course.set_out(time);
                lines(course, false)
            }
            Either::Three(course) => {
                course.set_out(time);
                lines(course, false)
            }
        }
    }

    /// The lines of those that stand still, for pictures without a time.
    pub fn standing(&self) -> Vec<Segment> {
        match &self.0 {
            Either::Two(course) => lines(course, true),
            Either::Three(course) => lines(course, true),
        }
    }
}

fn course<const D: usize>(scene: &Scene, edges: &Edges) -> Result<Option<ObstacleCourse<[f32; D]>>, SceneError> {
    let corner = |wide: [f32; 3]| std::array::from_fn(|a| wide[a]);
    let domain = Domain { boundary: edges.boundary, min: corner(edges.min), max: corner(edges.max) };
    let obstacles = worlds::obstacles(scene, &domain)?;
    if obstacles.is_empty() {
        return Ok(None);
    }
    let course = ObstacleCourse::new(obstacles, &domain);
    course.map(Some).map_err(|refusal| scene.document.refuse_param(refusal))
}

impl AnyFlock {
    /// The obstacles as they are now, as lines.
    pub fn outlines(&self) -> Vec<Segment> {
        fn of<const D: usize>(flock: &Flock<D>) -> Vec<Segment> {
            flock.obstacles().map_or_else(Vec::new, |course| lines(course, false))
        }
        match self {
            Self::Two(flock) => of(flock),
            Self::Three(flock) => of(flock),
        }
    }
}

fn lines<const D: usize>(course: &ObstacleCourse<[f32; D]>, standing_only: bool) -> Vec<Segment> {
    let mut lines = Vec::new();
    for (i, obstacle) in course.obstacles().list.iter().enumerate() {
        if standing_only && obstacle.motion.moves() {
            continue;
        }
        let pose = course.pose(i);
        let angle = if obstacle.motion == ObstacleMotion::Host { f64::from(pose.angle).to_radians() } else { 0.0 };
        let (sin, cos) = libm::sincos(angle);
        let shift: [f64; 3] = std::array::from_fn(|a| if a < D { f64::from(pose.position[a]) } else { 0.0 });
        let placed = |[x, y, z]: [f64; 3]| {
            let turned = [cos * x - sin * y, sin * x + cos * y, z];
            std::array::from_fn(|a| (turned[a] + shift[a]) as f32)
        };
        chains(&obstacle.shape, &mut |points: &[[f64; 3]]| {
            lines.extend(points.windows(2).map(|pair| [placed(pair[0]), placed(pair[1])]));
        });
    }
    lines
}

/// Draws a shape as chains of points.
fn chains<const D: usize>(shape: &ObstacleShape<[f32; D]>, draw: &mut dyn FnMut(&[[f64; 3]])) {
    let wide = |point: &[f32; D]| -> [f64; 3] { std::array::from_fn(|a| if a < D { f64::from(point[a]) } else { 0.0 }) };
    match shape {
        ObstacleShape::Sphere { center, radius } => rings::<D>(wide(center), f64::from(*radius), draw),
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
            let (sin, cos) = libm::sincos(f64::from(*angle).to_radians());
            let middle = [(min[0] + max[0]) * 0.5, (min[1] + max[1]) * 0.5];
            let corner = |k: usize, z: f64| {
                let x = if matches!(k % 4, 1 | 2) { max[0] } else { min[0] } - middle[0];
                let y = if matches!(k % 4, 2 | 3) { max[1] } else { min[1] } - middle[1];
                [middle[0] + cos * x - sin * y, middle[1] + sin * x + cos * y, z]
            };
            for z in [min[2], max[2]].into_iter().take(D - 1) {
                draw(&[0, 1, 2, 3, 4].map(|k| corner(k, z)));
            }
            if D == 3 {
                (0..4).for_each(|k| draw(&[corner(k, min[2]), corner(k, max[2])]));
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
fn sides<const D: usize>(from: [f64; 3], to: [f64; 3], radius: f64, draw: &mut dyn FnMut(&[[f64; 3]])) {
    let along: [f64; 3] = std::array::from_fn(|a| to[a] - from[a]);
    let length = libm::sqrt(along.iter().fold(0.0, |sum, x| sum + x * x));
    if length == 0.0 {
        return;
    }
    let flat = libm::sqrt(along[0] * along[0] + along[1] * along[1]);
    let across = if flat > 0.0 { [-along[1] / flat, along[0] / flat, 0.0] } else { [1.0, 0.0, 0.0] };
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
