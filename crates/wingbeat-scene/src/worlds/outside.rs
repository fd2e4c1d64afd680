//! Starts that keep clear of obstacles.

use wingbeat::steer::{ObstacleCourse, Obstacles};
use wingbeat::{Domain, ParamError, Shape, Spawn};

/// How often a place is drawn anew before the start counts as full.
const DRAWS: u64 = 200;

/// Positions and velocities.
pub(crate) type Placed<const D: usize> = (Vec<[f32; D]>, Vec<[f32; D]>);

/// What stands still, and the box about each.
struct Standing<const D: usize> {
    course: ObstacleCourse<[f32; D]>,
    boxes: Vec<([f64; 3], [f64; 3])>,
}

impl<const D: usize> Standing<D> {
    /// Whether somebody at this place would be inside.
    fn holds(&self, place: [f32; D]) -> bool {
        let domain = self.course.domain();
        let turns: &[f64] = if domain.is_periodic() { &[0.0, -1.0, 1.0, -2.0, 2.0] } else { &[0.0] };
        let meets = |a: usize, low: f64, high: f64| {
            let side = if turns.len() > 1 { f64::from(domain.side(a)) } else { 0.0 };
            turns.iter().any(|turn| (low..=high).contains(&(f64::from(place[a]) + turn * side)))
        };
        self.boxes
            .iter()
            .enumerate()
            .any(|(i, (low, high))| (0..D).all(|a| meets(a, low[a], high[a])) && self.course.holds(i, place))
    }
}

/// Positions and velocities of `count` boids, those who would start inside what stands still drawn anew, the others as ever.
/// `None`: there is no room.
pub(crate) fn place<const D: usize>(
    spawn: &Spawn<D>,
    count: usize,
    seed: u64,
    obstacles: &Obstacles<[f32; D]>,
    domain: &Domain<[f32; D]>,
) -> Result<Option<Placed<D>>, ParamError> {
    let (mut positions, mut velocities) = spawn.place(count, seed);
    let list: Vec<_> = obstacles.list.iter().filter(|obstacle| !obstacle.motion.moves()).cloned().collect();
    let course = ObstacleCourse::new(Obstacles { list, avoidance: None }, domain)?;
    let boxes = (0..course.obstacles().list.len()).map(|i| course.bounds(i)).collect();
    let standing = Standing { course, boxes };
    let mut inside: Vec<usize> = (0..count).filter(|&i| standing.holds(positions[i])).collect();
    // A lattice has no other places: who has none there starts anywhere in its box.
    let shape = match spawn.shape {
        Shape::Lattice { min, max } => Shape::Box { min, max },
        shape => shape,
    };
    let anew = Spawn { shape, ..*spawn };
    for draw in 1..=DRAWS {
        if inside.is_empty() {
            return Ok(Some((positions, velocities)));
        }
        let (places, speeds) = anew.place(inside.len(), seed ^ draw.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for (&i, (place, speed)) in inside.iter().zip(places.into_iter().zip(speeds)) {
            (positions[i], velocities[i]) = (place, speed);
        }
        inside.retain(|&i| standing.holds(positions[i]));
    }
    Ok(inside.is_empty().then_some((positions, velocities)))
}
