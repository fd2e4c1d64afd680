//! Starts outside the obstacles that stand still.

use wingbeat::steer::{ObstacleCourse, Obstacles};
use wingbeat::{Domain, ParamError, Shape, Spawn};

/// How often a boid's place is drawn again before the start counts as full.
const DRAWS: u64 = 200;

/// Positions and velocities.
pub(crate) type Placed<const D: usize> = (Vec<[f32; D]>, Vec<[f32; D]>);

/// The obstacles that stand still, with the bounding box of each.
pub(crate) struct Standing<const D: usize> {
    course: ObstacleCourse<[f32; D]>,
    boxes: Vec<([f64; 3], [f64; 3])>,
}

impl<const D: usize> Standing<D> {
    pub fn new(obstacles: &Obstacles<[f32; D]>, domain: &Domain<[f32; D]>) -> Result<Self, ParamError> {
        let list: Vec<_> = obstacles.list.iter().filter(|obstacle| !obstacle.motion.moves()).cloned().collect();
        let course = ObstacleCourse::new(Obstacles { list, avoidance: None }, domain)?;
        let boxes = (0..course.obstacles().list.len()).map(|i| course.bounds(i)).collect();
        Ok(Self { course, boxes })
    }

    /// Whether a position lies inside one of them. The boxes are asked first: they are far cheaper than the shapes.
    fn contains(&self, position: [f32; D]) -> bool {
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

    /// Positions and velocities of `count` boids. Those who would start inside an obstacle are drawn again; all others start as they
    /// would without obstacles. `None`: there is no room.
    pub fn place(&self, spawn: &Spawn<D>, count: usize, seed: u64) -> Option<Placed<D>> {
        let (mut positions, mut velocities) = spawn.place(count, seed);
        let mut inside: Vec<usize> = (0..count).filter(|&i| self.contains(positions[i])).collect();
        // A lattice has no free places left, so its boids are drawn again anywhere in its box.
        let shape = match spawn.shape {
            Shape::Lattice { min, max } => Shape::Box { min, max },
            shape => shape,
        };
        let again = Spawn { shape, ..*spawn };
        for draw in 1..=DRAWS {
            if inside.is_empty() {
                return Some((positions, velocities));
            }
            let (new_positions, new_velocities) = again.place(inside.len(), seed ^ draw.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            for (&i, (position, velocity)) in inside.iter().zip(new_positions.into_iter().zip(new_velocities)) {
                (positions[i], velocities[i]) = (position, velocity);
            }
            inside.retain(|&i| self.contains(positions[i]));
        }
        inside.is_empty().then_some((positions, velocities))
    }
}
