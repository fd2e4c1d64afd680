//! Nearest-neighbour distance, by expanding rings of cells.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use wingbeat_steer::{Domain, Vector};

use super::{at_least_one, nearest_image};
use crate::Frame;

/// Rings searched before a boid is compared with everybody: only a boid far from all others gets there.
const RINGS: i64 = 12;

/// Mean over all boids of the distance to the nearest other, length; 0 for fewer than two boids. Unlike a rule, it has no
/// radius. Coincident boids are at distance 0.
///
/// About 200 ns a boid; it allocates.
pub fn nearest_neighbor_distance<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> f64
where
    [f32; D]: Vector,
{
    if frame.len() < 2 {
        return 0.0;
    }
    let positions: Vec<[f64; D]> = frame.by_id().map(|boid| boid.position.map(f64::from)).collect();
    let cells = RingCells::new(&positions);
    let distance = |i: usize, j: usize| {
        let mut sum = 0.0;
        for (a, (there, here)) in positions[j].iter().zip(&positions[i]).enumerate() {
            let offset = nearest_image(there - here, domain, a);
            sum += offset * offset;
        }
        sum.sqrt()
    };
    let nearest = |i: usize| {
        if !domain.is_periodic()
            && let Some(found) = cells.search(i, &positions, distance)
        {
            return found;
        }
        cells.search_periodic(i, &positions, domain, distance)
    };
    (0..positions.len()).fold(0.0, |sum, i| sum + nearest(i)) / at_least_one(positions.len())
}

/// Boids by cell, cells about as large as the space one boid has.
struct RingCells<const D: usize> {
    size: f64,
    members: HashMap<[i64; D], Vec<usize>>,
}

impl<const D: usize> RingCells<D> {
    fn new(positions: &[[f64; D]]) -> Self {
        // From the middle 80 % along each axis, so that one boid far away does not make one huge cell of all others.
        let mut volume = 1.0;
        for a in 0..D {
            let mut column: Vec<f64> = positions.iter().map(|p| p[a]).collect();
            column.sort_unstable_by(f64::total_cmp);
            let tenth = column.len() / 10;
            let extent = column[column.len() - 1 - tenth] - column[tenth];
            volume *= if extent > 0.0 { extent / 0.8 } else { 1.0 };
        }
        let per_boid = volume / positions.len() as f64;
        let size = if D == 2 { per_boid.sqrt() } else { libm::cbrt(per_boid) };
        let size = if size > 1e-30 { size } else { 1.0 };
        let mut members: HashMap<[i64; D], Vec<usize>> = HashMap::new();
        for (i, position) in positions.iter().enumerate() {
            members.entry(Self::cell(size, position)).or_default().push(i);
        }
        Self { size, members }
    }

    fn cell(size: f64, position: &[f64; D]) -> [i64; D] {
        // Saturating casts: a boid at 1e30 shares the last cell with others as far away.
        position.map(|x| (x / size).floor() as i64)
    }

    /// The nearest of boid `i`, if it is within the rings searched.
    fn search(&self, i: usize, positions: &[[f64; D]], distance: impl Fn(usize, usize) -> f64) -> Option<f64> {
        let home = Self::cell(self.size, &positions[i]);
        let mut best = f64::INFINITY;
        for ring in 0..=RINGS {
            self.visit_ring(home, ring, |j| {
                if j != i {
                    let d = distance(i, j);
                    best = if d < best { d } else { best };
                }
            });
            // Whoever is in a further ring is at least this far away.
            if best <= ring as f64 * self.size {
                return Some(best);
            }
        }
        None
    }

    fn visit_ring(&self, home: [i64; D], ring: i64, mut visit: impl FnMut(usize)) {
        let width = 2 * ring + 1;
        for index in 0..width.pow(D as u32) {
            let mut rest = index;
            let mut on_ring = false;
            let mut cell = home;
            for c in &mut cell {
                let step = rest % width - ring;
                rest /= width;
                on_ring |= step.abs() == ring;
                *c = c.saturating_add(step);
            }
            if on_ring && let Some(members) = self.members.get(&cell) {
                members.iter().for_each(|&j| visit(j));
            }
        }
    }

    /// As [`search`](Self::search) around every image of boid `i`, and everybody if that is not enough.
    fn search_periodic(
        &self,
        i: usize,
        positions: &[[f64; D]],
        domain: &Domain<[f32; D]>,
        distance: impl Fn(usize, usize) -> f64,
    ) -> f64
    where
        [f32; D]: Vector,
    {
        let mut best = f64::INFINITY;
        if domain.is_periodic() {
            for ring in 0..=RINGS {
                for image in 0..3usize.pow(D as u32) {
                    let mut rest = image;
                    let mut moved = positions[i];
                    for (a, x) in moved.iter_mut().enumerate() {
                        *x += (rest % 3) as f64 * f64::from(domain.side(a)) - f64::from(domain.side(a));
                        rest /= 3;
                    }
                    self.visit_ring(Self::cell(self.size, &moved), ring, |j| {
                        if j != i {
                            let d = distance(i, j);
                            best = if d < best { d } else { best };
                        }
                    });
                }
                if best <= ring as f64 * self.size {
                    return best;
                }
            }
        }
        (0..positions.len()).filter(|&j| j != i).fold(best, |best, j| {
            let d = distance(i, j);
            if d < best { d } else { best }
        })
    }
}
