//! Starts outside the obstacles that stand still, and on the floor.

use wingbeat::steer::anticipation::Wall;
use wingbeat::steer::gate::Exits;
use wingbeat::steer::obstacle::ObstacleBoxes;
use wingbeat::steer::{Obstacle, ObstacleSet, ObstacleShape, Obstacles};
use wingbeat::{Domain, Shape, Spawn, SpeciesId, steer::ParamError};

use crate::floor::Floor;

/// How often places are drawn again before the start counts as full: for each boid on average, but
/// for small flocks, which may stand on a narrow floor in a wide box.
const DRAWS: usize = 200;

/// Boids of a flock that is not small in this regard.
const MANY: usize = 10_000;

/// Positions and velocities.
pub(crate) type Placed<const D: usize> = (Vec<[f32; D]>, Vec<[f32; D]>);

/// The obstacles that stand still, with the bounding box of each.
pub(crate) struct StaticObstacles<const D: usize> {
    pub boxes: ObstacleBoxes<[f32; D]>,
    /// What all boids stand on, if that is not everywhere.
    floor: Option<Floor>,
    /// Where none of these species starts either.
    exits: Exits<[f32; D]>,
    species: Vec<SpeciesId>,
}

impl<const D: usize> StaticObstacles<D> {
    /// The same, with exits closed to starts of the species that they let out.
    pub fn without(self, exits: Exits<[f32; D]>) -> Self {
        Self { exits, ..self }
    }

    /// Whose starts are asked for from now on.
    pub fn ask_for(&mut self, species: impl Iterator<Item = SpeciesId>) {
        self.species.clear();
        self.species.extend(species);
    }

    /// Those that no boid can be inside of: walls without thickness have no inside.
    pub fn new(
        obstacles: &Obstacles<[f32; D]>,
        domain: &Domain<[f32; D]>,
        floor: Option<Floor>,
    ) -> Result<Self, ParamError> {
        Self::of(obstacles, domain, floor, |obstacle| !obstacle.shape.is_thin())
    }

    /// All of them.
    pub fn all(
        obstacles: &Obstacles<[f32; D]>,
        domain: &Domain<[f32; D]>,
    ) -> Result<Self, ParamError> {
        Self::of(obstacles, domain, None, |_| true)
    }

    fn of(
        obstacles: &Obstacles<[f32; D]>,
        domain: &Domain<[f32; D]>,
        floor: Option<Floor>,
        is_asked: impl Fn(&Obstacle<[f32; D]>) -> bool,
    ) -> Result<Self, ParamError> {
        let asked =
            obstacles.list.iter().filter(|obstacle| !obstacle.motion.moves() && is_asked(obstacle));
        let obstacles = ObstacleSet::new(
            Obstacles { list: asked.cloned().collect(), avoidance: None },
            domain,
        )?;
        let boxes = ObstacleBoxes::new(obstacles);
        Ok(Self { boxes, floor, exits: Exits::default(), species: Vec::new() })
    }

    /// The obstacle that a position lies inside of, by its name, and how far from its surface.
    pub fn holder(&self, position: [f32; D]) -> Option<(&str, f64)> {
        let (holder, depth) = self.boxes.holder(position)?;
        Some((&self.obstacles().obstacles().list[holder].name, depth))
    }

    /// Whether an obstacle is nearer to a position than `reach`, or holds it.
    pub fn is_near(&self, position: [f32; D], reach: f32) -> bool {
        self.boxes.is_near(position, reach)
    }

    fn obstacles(&self) -> &ObstacleSet<[f32; D]> {
        self.boxes.obstacles()
    }

    /// Their shapes.
    pub fn shapes(&self) -> impl Iterator<Item = &ObstacleShape<[f32; D]>> {
        self.obstacles().obstacles().list.iter().map(|obstacle| &obstacle.shape)
    }

    /// The nearest points of all convex parts within a reach of a position.
    pub fn parts_near(&self, position: [f32; D], reach: f32) -> Vec<Wall<[f32; D]>> {
        let mut parts = Vec::new();
        let mut near = &self.boxes;
        self.obstacles().walls_near(position, reach, &mut near, &mut Vec::new(), &mut parts);
        parts
    }

    /// Whether nothing stands between two positions.
    pub fn is_free(&self, from: [f32; D], to: [f32; D]) -> bool {
        self.boxes.is_free(from, to)
    }

    /// Whether a position is off the floor, if there is one.
    pub fn is_off(&self, position: [f32; D]) -> bool {
        self.floor.as_ref().is_some_and(|floor| !floor.contains([position[0], position[1]]))
    }

    /// Whether no boid can start at a position: inside an obstacle, off the floor, or in an exit.
    pub fn is_closed(&self, position: [f32; D]) -> bool {
        self.is_off(position)
            || self.exits.hold(position, |whose| self.species.contains(&whose))
            || self.boxes.holds(position)
    }

    /// Positions and velocities of `count` boids. Those that would start inside an obstacle or off
    /// the floor are drawn again; all others start as they would without obstacles. `None`: there
    /// is no room.
    pub fn place(&self, spawn: &Spawn<D>, count: usize, seed: u64) -> Option<Placed<D>> {
        let (mut positions, mut velocities) = spawn.place(count, seed);
        let mut inside: Vec<usize> = (0..count).filter(|&i| self.is_closed(positions[i])).collect();
        let again = drawn_again(spawn);
        let mut left = DRAWS * if count > MANY { count } else { MANY };
        for draw in 1u64.. {
            if inside.is_empty() {
                return Some((positions, velocities));
            }
            left = left.checked_sub(inside.len())?;
            let (new_positions, new_velocities) =
                again.place(inside.len(), seed ^ draw.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            for (&i, (position, velocity)) in
                inside.iter().zip(new_positions.into_iter().zip(new_velocities))
            {
                (positions[i], velocities[i]) = (position, velocity);
            }
            inside.retain(|&i| self.is_closed(positions[i]));
        }
        None
    }
}

/// Where those that have no place are drawn again: lattices and circles have no free places left,
/// so anywhere in the box or on the ring.
pub(super) fn drawn_again<const D: usize>(spawn: &Spawn<D>) -> Spawn<D> {
    let shape = match spawn.shape {
        Shape::Lattice { min, max } => Shape::Box { min, max },
        Shape::Circle { center, radius } => Shape::Ring { center, radius },
        shape => shape,
    };
    Spawn { shape, ..*spawn }
}
