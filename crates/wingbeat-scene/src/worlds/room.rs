//! Room for bodies at the start: those that would overlap another, a face or an obstacle are drawn
//! again.

use wingbeat::steer::body::OccupiedPlaces;
use wingbeat::{Domain, Spawn};

use super::outside::{Placed, StaticObstacles, drawn_again};

/// How often the place of one body is drawn again before the start counts as full.
const DRAWS: u64 = 2_000;

/// Bodies that have their places.
pub(crate) struct Room<'a, const D: usize> {
    /// What bodies keep their radius from: walls without thickness too.
    walls: &'a StaticObstacles<D>,
    taken: OccupiedPlaces<[f32; D]>,
}

impl<'a, const D: usize> Room<'a, D> {
    /// Empty, in a world of bodies of at most this radius.
    pub fn new(domain: &Domain<[f32; D]>, walls: &'a StaticObstacles<D>, largest: f32) -> Self {
        Self { walls, taken: OccupiedPlaces::new(domain, largest) }
    }

    /// Gives every body of a group its place, redrawing as `spawn` does where `standing` or the
    /// others leave no room; `None` where that comes to nothing.
    pub fn settle(
        &mut self,
        (mut positions, mut velocities): Placed<D>,
        radii: &[f32],
        standing: &StaticObstacles<D>,
        (spawn, seed): (&Spawn<D>, u64),
    ) -> Option<Placed<D>> {
        let again = drawn_again(spawn);
        let mut draw = 0u64;
        for (i, &radius) in radii.iter().enumerate() {
            let mut left = DRAWS;
            while standing.is_closed(positions[i]) || !self.has_room(positions[i], radius) {
                left = left.checked_sub(1)?;
                draw += 1;
                let (position, velocity) =
                    again.place(1, seed ^ draw.wrapping_mul(0xD1B5_4A32_D192_ED03));
                (positions[i], velocities[i]) = (position[0], velocity[0]);
            }
            self.taken.take(positions[i], radius);
        }
        Some((positions, velocities))
    }

    fn has_room(&self, position: [f32; D], radius: f32) -> bool {
        self.taken.has_room(position, radius) && !self.walls.is_near(position, radius)
    }
}
