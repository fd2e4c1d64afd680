//! Places that are taken by bodies, one after the other.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::{Domain, Vector};

/// Bodies that have their places, in cells as long as the largest of them is wide.
#[derive(Clone, Debug)]
pub struct OccupiedPlaces<V> {
    domain: Domain<V>,
    cell: f64,
    /// Cells on each axis of a periodic box.
    around: [i64; 3],
    bodies: BTreeMap<[i64; 3], Vec<(V, f32)>>,
}

impl<V: Vector> OccupiedPlaces<V> {
    /// None yet, in a world of bodies of at most this radius.
    #[inline(never)]
    pub fn new(domain: &Domain<V>, largest: f32) -> Self {
        let cell = 2.0 * f64::from(largest);
        let mut around = [1; 3];
        for a in 0..V::DIMENSIONS {
            around[a] = ((f64::from(domain.side(a)) / cell) as i64).max(1);
        }
        Self { domain: *domain, cell, around, bodies: BTreeMap::new() }
    }

    /// A body that stands here from now on.
    #[inline(never)]
    pub fn take(&mut self, position: V, radius: f32) {
        self.bodies.entry(self.cell_of(position)).or_default().push((position, radius));
    }

    /// Whether a body here would touch neither a face nor another.
    #[inline(never)]
    pub fn has_room(&self, position: V, radius: f32) -> bool {
        self.is_clear_of_faces(position, radius) && self.is_clear_of_others(position, radius)
    }

    fn cell_of(&self, position: V) -> [i64; 3] {
        let mut cell = [0; 3];
        for a in 0..V::DIMENSIONS {
            let x = position.axis(a);
            cell[a] = if self.domain.is_periodic() {
                let part = f64::from(x - self.domain.min.axis(a)) / f64::from(self.domain.side(a));
                ((part * self.around[a] as f64) as i64).rem_euclid(self.around[a])
            } else {
                libm::floor(f64::from(x) / self.cell) as i64
            };
        }
        cell
    }

    fn is_clear_of_faces(&self, position: V, radius: f32) -> bool {
        let Domain { min, max, .. } = &self.domain;
        !self.domain.boundary.has_faces()
            || (0..V::DIMENSIONS).all(|a| {
                position.axis(a) - min.axis(a) > radius && max.axis(a) - position.axis(a) > radius
            })
    }

    fn is_clear_of_others(&self, position: V, radius: f32) -> bool {
        let cell = self.cell_of(position);
        (0..3usize.pow(V::DIMENSIONS as u32)).all(|number| {
            let mut near = [0; 3];
            for a in 0..V::DIMENSIONS {
                let there = cell[a] + (number / 3usize.pow(a as u32) % 3) as i64 - 1;
                let is_around = self.domain.is_periodic();
                near[a] = if is_around { there.rem_euclid(self.around[a]) } else { there };
            }
            self.bodies.get(&near).is_none_or(|others| {
                others.iter().all(|&(other, own)| {
                    self.gap(position, other) > f64::from(radius) + f64::from(own)
                })
            })
        })
    }

    fn gap(&self, one: V, other: V) -> f64 {
        let mut sum = 0.0;
        for a in 0..V::DIMENSIONS {
            let mut way = f64::from(one.axis(a)) - f64::from(other.axis(a));
            if self.domain.is_periodic() {
                let side = f64::from(self.domain.side(a));
                way -= side * libm::round(way / side);
            }
            sum += way * way;
        }
        libm::sqrt(sum)
    }
}
