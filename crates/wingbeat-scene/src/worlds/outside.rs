//! Starts outside the obstacles that stand still, and on the floor.

use wingbeat::steer::{Obstacle, ObstacleCourse, Obstacles};
use wingbeat::{Domain, ParamError, Shape, Spawn};

use crate::floor::Floor;

/// How often places are drawn again before the start counts as full: for each boid on average, but for small flocks, which may stand on
/// a narrow floor in a wide box.
const DRAWS: usize = 200;

/// Boids of a flock that is not small in this regard.
const MANY: usize = 10_000;

/// Positions and velocities.
pub(crate) type Placed<const D: usize> = (Vec<[f32; D]>, Vec<[f32; D]>);

/// The obstacles that stand still, with the bounding box of each.
pub(crate) struct Standing<const D: usize> {
    course: ObstacleCourse<[f32; D]>,
    boxes: Vec<([f64; 3], [f64; 3])>,
    /// What everybody stands on, if that is not everywhere.
    floor: Option<Floor>,
}

impl<const D: usize> Standing<D> {
    pub fn new(obstacles: &Obstacles<[f32; D]>, domain: &Domain<[f32; D]>, floor: Option<Floor>) -> Result<Self, ParamError> {
        // Nobody is inside of what has no inside.
        let is_asked = |obstacle: &&Obstacle<_>| !obstacle.motion.moves() && !obstacle.shape.is_thin();
        let list: Vec<_> = obstacles.list.iter().filter(is_asked).cloned().collect();
        let course = ObstacleCourse::new(Obstacles { list, avoidance: None }, domain)?;
        let boxes = (0..course.obstacles().list.len()).map(|i| course.bounds(i)).collect();
        Ok(Self { course, boxes, floor })
    }

    /// Whether a position lies inside one of the obstacles. The boxes are asked first: they are far cheaper than the shapes.
    fn holds(&self, position: [f32; D]) -> bool {
        let domain = self.course.domain();
        let images: &[f64] = if domain.is_periodic() { &[0.0, -1.0, 1.0, -2.0, 2.0] } else { &[0.0] };
        let overlaps = |a: usize, low: f64, high: f64| {
            let side = if domain.is_periodic() { f64::from(domain.side(a)) } else { 0.0 };
            images.iter().any(|image| (low..=high).contains(&(f64::from(position[a]) + image * side)))
        };
        self.boxes
            .iter()
            .enumerate()
            .any(|(i, (low, high))| (0..D).all(|a| overlaps(a, low[a], high[a])) && self.course.holds(i, position))
    }

    /// Whether nobody can be at a position: inside an obstacle, or off the floor.
    pub fn is_closed(&self, position: [f32; D]) -> bool {
        let is_off = |floor: &Floor| !floor.contains([position[0], position[1]]);
        self.floor.as_ref().is_some_and(is_off) || self.holds(position)
    }

    /// Positions and velocities of `count` boids. Those who would start inside an obstacle or off the floor are drawn again; all others start as they
    /// would without obstacles. `None`: there is no room.
    pub fn place(&self, spawn: &Spawn<D>, count: usize, seed: u64) -> Option<Placed<D>> {
        let (mut positions, mut velocities) = spawn.place(count, seed);
        let mut inside: Vec<usize> = (0..count).filter(|&i| self.is_closed(positions[i])).collect();
        // A lattice has no free places left, so its boids are drawn again anywhere in its box.
        let shape = match spawn.shape {
            Shape::Lattice { min, max } => Shape::Box { min, max },
            shape => shape,
        };
        let again = Spawn { shape, ..*spawn };
        let mut left = DRAWS * if count > MANY { count } else { MANY };
        for draw in 1u64.. {
            if inside.is_empty() {
                return Some((positions, velocities));
            }
            left = left.checked_sub(inside.len())?;
            let (new_positions, new_velocities) = again.place(inside.len(), seed ^ draw.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            for (&i, (position, velocity)) in inside.iter().zip(new_positions.into_iter().zip(new_velocities)) {
                (positions[i], velocities[i]) = (position, velocity);
            }
            inside.retain(|&i| self.is_closed(positions[i]));
        }
        None
    }
}
