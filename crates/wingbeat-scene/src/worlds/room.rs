//! Room for bodies at the start: those that would overlap another, a face or an obstacle are drawn
//! again.

use std::collections::HashMap;

use wingbeat::{Domain, Spawn};

use super::outside::{Placed, StaticObstacles, drawn_again};

/// How often the place of one body is drawn again before the start counts as full.
const DRAWS: u64 = 2_000;

/// Bodies that have their places.
pub(crate) struct Room<'a, const D: usize> {
    domain: Domain<[f32; D]>,
    /// What bodies keep their radius from: walls without thickness too.
    walls: &'a StaticObstacles<D>,
    /// As long as the largest body is wide.
    cell: f64,
    /// Cells on each axis of a periodic box.
    around: [i64; D],
    /// Looked up, never walked through, so that its order does not matter.
    taken: HashMap<[i64; D], Vec<([f32; D], f32)>>,
}

impl<'a, const D: usize> Room<'a, D> {
    /// Empty, in a world of bodies of at most this radius.
    pub fn new(domain: &Domain<[f32; D]>, walls: &'a StaticObstacles<D>, largest: f32) -> Self {
        let cell = 2.0 * f64::from(largest);
        let around = std::array::from_fn(|a| ((f64::from(domain.side(a)) / cell) as i64).max(1));
        Self { domain: *domain, walls, cell, around, taken: HashMap::new() }
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
            self.taken.entry(self.cell_of(positions[i])).or_default().push((positions[i], radius));
        }
        Some((positions, velocities))
    }

    fn cell_of(&self, position: [f32; D]) -> [i64; D] {
        std::array::from_fn(|a| {
            if !self.domain.is_periodic() {
                return (f64::from(position[a]) / self.cell).floor() as i64;
            }
            let part = f64::from(position[a] - self.domain.min[a]) / f64::from(self.domain.side(a));
            ((part * self.around[a] as f64) as i64).rem_euclid(self.around[a])
        })
    }

    fn has_room(&self, position: [f32; D], radius: f32) -> bool {
        self.is_clear_of_faces(position, radius)
            && !self.walls.is_near(position, radius)
            && self.is_clear_of_others(position, radius)
    }

    fn is_clear_of_faces(&self, position: [f32; D], radius: f32) -> bool {
        let faces = self.domain.boundary.has_faces();
        !faces
            || (0..D).all(|a| {
                position[a] - self.domain.min[a] > radius
                    && self.domain.max[a] - position[a] > radius
            })
    }

    fn is_clear_of_others(&self, position: [f32; D], radius: f32) -> bool {
        let cell = self.cell_of(position);
        (0..3usize.pow(D as u32)).all(|number| {
            let near: [i64; D] = std::array::from_fn(|a| {
                let there = cell[a] + (number / 3usize.pow(a as u32) % 3) as i64 - 1;
                if self.domain.is_periodic() { there.rem_euclid(self.around[a]) } else { there }
            });
            let others = self.taken.get(&near);
            others.is_none_or(|others| {
                others.iter().all(|&(other, own)| {
                    self.gap(position, other) > f64::from(radius) + f64::from(own)
                })
            })
        })
    }

    fn gap(&self, one: [f32; D], other: [f32; D]) -> f64 {
        let way = |a: usize| {
            let way = f64::from(one[a]) - f64::from(other[a]);
            let side = f64::from(self.domain.side(a));
            if self.domain.is_periodic() { way - side * (way / side).round() } else { way }
        };
        (0..D).map(|a| way(a) * way(a)).sum::<f64>().sqrt()
    }
}
