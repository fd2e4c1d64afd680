//! The honest baseline: an ordinary, well-written scalar cell-list step.
//!
//! Cells one radius wide, counting sort into cell order every step, boids as structs so that one candidate is one cache line,
//! three contiguous cells at a time, the range test first so that most candidates cost one branch. What a careful
//! programmer writes without SIMD. It sums in another order than Wingbeat, so its bits differ; its physics does not.

use wingbeat::steer::Vector;
use wingbeat::{Flock, Params, View};

use crate::points::RADIUS;

/// Position and velocity together.
#[derive(Clone, Copy, Debug)]
struct Boid<const D: usize> {
    position: [f32; D],
    velocity: [f32; D],
}

/// A periodic flock on a scalar cell list, under the benchmark rules.
#[derive(Debug)]
pub struct ScalarGrid<const D: usize> {
    boids: Vec<Boid<D>>,
    sorted: Vec<Boid<D>>,
    forces: Vec<[f32; D]>,
    keys: Vec<u32>,
    start: Vec<u32>,
    cells: usize,
    side: f32,
    cos_half: f32,
    weights: [f32; 3],
    max_force: f32,
    max_speed: f32,
}

impl<const D: usize> ScalarGrid<D>
where
    [f32; D]: Vector,
{
    /// The same boids and rules as `flock`, whose domain is a cube from the origin.
    pub fn new(flock: &Flock<D>, params: &Params) -> Self {
        let boids: Vec<Boid<D>> = flock.frame().by_id().map(|b| Boid { position: b.position, velocity: b.velocity }).collect();
        let side = flock.domain().side(0);
        let cells = ((side / RADIUS) as usize).max(3);
        let view = params.cohesion.map(|c| c.perception.view);
        Self {
            sorted: boids.clone(),
            forces: vec![[0.0; D]; boids.len()],
            keys: vec![0; boids.len()],
            start: Vec::new(),
            boids,
            cells,
            side,
            cos_half: match view {
                Some(View::Cone { cos_half }) => cos_half,
                _ => -1.0,
            },
            weights: [
                params.separation.map_or(0.0, |r| r.weight),
                params.alignment.map_or(0.0, |r| r.weight),
                params.cohesion.map_or(0.0, |r| r.weight),
            ],
            max_force: params.agent.max_force,
            max_speed: params.agent.max_speed,
        }
    }

    /// The whole step.
    pub fn step(&mut self, dt: f32) {
        self.sort();
        self.steer();
        self.integrate(dt);
    }

    fn cell(&self, x: f32) -> usize {
        ((x * self.cells as f32 / self.side) as usize).min(self.cells - 1)
    }

    /// Counting sort into cell order.
    pub fn sort(&mut self) {
        self.start.clear();
        self.start.resize(self.cells.pow(D as u32) + 1, 0);
        for i in 0..self.boids.len() {
            let mut key = 0;
            for a in (0..D).rev() {
                key = key * self.cells + self.cell(self.boids[i].position[a]);
            }
            self.keys[i] = key as u32;
            self.start[key + 1] += 1;
        }
        for i in 1..self.start.len() {
            self.start[i] += self.start[i - 1];
        }
        for (boid, &key) in self.boids.iter().zip(&self.keys) {
            let slot = &mut self.start[key as usize];
            self.sorted[*slot as usize] = *boid;
            *slot += 1;
        }
        // Each start has moved to the next cell's; shift back.
        self.start.pop();
        self.start.insert(0, 0);
        std::mem::swap(&mut self.boids, &mut self.sorted);
    }

    /// Forces of all boids.
    pub fn steer(&mut self) {
        let mut ranges = Vec::with_capacity(32);
        for cell in 0..self.start.len() - 1 {
            let members = self.start[cell] as usize..self.start[cell + 1] as usize;
            if members.is_empty() {
                continue;
            }
            self.neighbor_ranges(cell, &mut ranges);
            for i in members {
                self.forces[i] = self.force(i, &ranges);
            }
        }
    }

    /// Slots of the 3^D cells around a cell, contiguous in x where the box's edge does not cut them.
    fn neighbor_ranges(&self, cell: usize, ranges: &mut Vec<(usize, usize)>) {
        ranges.clear();
        let n = self.cells;
        let (x, row) = (cell % n, cell / n);
        let (y, z) = (row % n, row / n);
        let around = |c: usize| [(c + n - 1) % n, c, (c + 1) % n];
        let layers: &[usize] = if D == 3 { &around(z) } else { &[0] };
        for &z in layers {
            for y in around(y) {
                let base = (z * n + y) * n;
                if x == 0 || x == n - 1 {
                    for x in around(x) {
                        ranges.push((self.start[base + x] as usize, self.start[base + x + 1] as usize));
                    }
                } else {
                    ranges.push((self.start[base + x - 1] as usize, self.start[base + x + 2] as usize));
                }
            }
        }
    }

    fn force(&self, i: usize, ranges: &[(usize, usize)]) -> [f32; D] {
        let own = self.boids[i];
        let heading = own.velocity.unit();
        let half = self.side * 0.5;
        let (mut n, mut separation, mut alignment, mut cohesion) = (0.0, [0.0; D], [0.0; D], [0.0; D]);
        for &(first, end) in ranges {
            for (slot, other) in self.boids[first..end].iter().enumerate() {
                let mut offset = other.position.minus(own.position);
                for o in &mut offset {
                    if *o > half {
                        *o -= self.side;
                    } else if *o < -half {
                        *o += self.side;
                    }
                }
                let d_sq = offset.norm_sq();
                if d_sq > RADIUS * RADIUS || first + slot == i {
                    continue;
                }
                let d = d_sq.sqrt();
                if offset.inner(heading) < self.cos_half * d {
                    continue;
                }
                n += 1.0;
                alignment = alignment.plus(other.velocity);
                cohesion = cohesion.plus(offset);
                if d < RADIUS * 0.5 {
                    separation = separation.minus(offset.times(1.0 - d * (2.0 / RADIUS)));
                }
            }
        }
        if n == 0.0 {
            return [0.0; D];
        }
        let alignment = alignment.times(1.0 / n).minus(own.velocity).times(self.weights[1]);
        let cohesion = cohesion.times(1.0 / n).times(self.weights[2]);
        separation.times(self.weights[0]).plus(alignment).plus(cohesion).truncate_to(self.max_force)
    }

    /// Velocities and positions.
    pub fn integrate(&mut self, dt: f32) {
        for (boid, force) in self.boids.iter_mut().zip(&self.forces) {
            boid.velocity = boid.velocity.plus(force.times(dt)).truncate_to(self.max_speed);
            for a in 0..D {
                let x = boid.position[a] + boid.velocity[a] * dt;
                boid.position[a] = if x < 0.0 {
                    x + self.side
                } else if x >= self.side {
                    x - self.side
                } else {
                    x
                };
            }
        }
    }

    /// Sum of all speeds, so that nothing is optimised away and the physics can be compared.
    pub fn mean_speed(&self) -> f64 {
        self.boids.iter().map(|b| f64::from(b.velocity.norm())).sum::<f64>() / self.boids.len().max(1) as f64
    }
}
