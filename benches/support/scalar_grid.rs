//! The honest baseline: an ordinary, well-written scalar cell-list step.
//!
//! Cells one radius wide, counting sort into cell order every step, boids as structs so that one
//! candidate is one cache line, three contiguous cells at a time, the range test first so that most
//! candidates cost one branch. What a careful programmer writes without SIMD. It sums in another
//! order than Wingbeat, so its bits differ; its physics does not.

use wingbeat::Params;
use wingbeat::steer::Vector;

use crate::points::{RADIUS, REACH, State};
use crate::scalar_rules::{Boid, ScalarRules, Sums, integrate};

/// A flock on a scalar cell list, under the benchmark rules, in a box that is periodic or mirrors.
#[derive(Debug)]
pub struct ScalarGrid<const D: usize, const PERIODIC: bool> {
    pub(crate) boids: Vec<Boid<D>>,
    sorted: Vec<Boid<D>>,
    forces: Vec<[f32; D]>,
    keys: Vec<u32>,
    pub(crate) start: Vec<u32>,
    cells: usize,
    pub(crate) side: f32,
    rules: ScalarRules,
}

impl<const D: usize, const PERIODIC: bool> ScalarGrid<D, PERIODIC> {
    /// The boids of `state`, whose domain is a cube from the origin.
    pub fn new(state: &State<D>, params: &Params) -> Self {
        let (boids, side) = (state.boids.clone(), state.domain.side(0));
        Self {
            sorted: boids.clone(),
            forces: vec![[0.0; D]; boids.len()],
            keys: vec![0; boids.len()],
            start: Vec::new(),
            boids,
            // A little wider than a radius, so that no rounding puts two boids in range two cells
            // apart.
            cells: ((side / REACH) as usize).max(3),
            side,
            rules: ScalarRules::new(params),
        }
    }

    /// Puts every boid back where it was given.
    pub fn restart(&mut self, boids: &[Boid<D>]) {
        self.boids.copy_from_slice(boids);
    }

    /// The boids, in the order of cells.
    pub fn boids(&self) -> &[Boid<D>] {
        &self.boids
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

    /// Slots of the 3^D cells around a cell, contiguous in x where the box's edge does not cut
    /// them.
    pub(crate) fn neighbor_ranges(&self, cell: usize, ranges: &mut Vec<(usize, usize)>) {
        ranges.clear();
        let n = self.cells;
        let (x, row) = (cell % n, cell / n);
        let (y, z) = (row % n, row / n);
        // Beyond an edge that is no passage lies no cell; a number that is none is left out.
        let around = |c: usize| {
            let (below, above) =
                if PERIODIC { ((c + n - 1) % n, (c + 1) % n) } else { (c.wrapping_sub(1), c + 1) };
            [below, c, above]
        };
        let layers = if D == 3 { around(z) } else { [0, n, n] };
        for z in layers.into_iter().filter(|&z| z < n) {
            for y in around(y).into_iter().filter(|&y| y < n) {
                let base = (z * n + y) * n;
                if PERIODIC && (x == 0 || x == n - 1) {
                    for x in around(x) {
                        ranges.push((
                            self.start[base + x] as usize,
                            self.start[base + x + 1] as usize,
                        ));
                    }
                } else {
                    let (first, last) = (x.saturating_sub(1), (x + 1).min(n - 1));
                    ranges.push((
                        self.start[base + first] as usize,
                        self.start[base + last + 1] as usize,
                    ));
                }
            }
        }
    }

    #[inline(always)]
    pub(crate) fn offset(&self, from: [f32; D], to: [f32; D]) -> [f32; D] {
        let half = self.side * 0.5;
        let mut offset = to.minus(from);
        if PERIODIC {
            for o in &mut offset {
                if *o > half {
                    *o -= self.side;
                } else if *o < -half {
                    *o += self.side;
                }
            }
        }
        offset
    }

    fn force(&self, i: usize, ranges: &[(usize, usize)]) -> [f32; D] {
        let own = self.boids[i];
        let heading = own.velocity.unit();
        let mut sums = Sums::default();
        for &(first, end) in ranges {
            for (slot, other) in self.boids[first..end].iter().enumerate() {
                let offset = self.offset(own.position, other.position);
                let d_sq = offset.norm_sq();
                if d_sq > RADIUS * RADIUS || first + slot == i {
                    continue;
                }
                sums.add(offset, d_sq.sqrt(), heading, other.velocity, &self.rules);
            }
        }
        sums.force(own.velocity, &self.rules)
    }

    /// Velocities and positions.
    pub fn integrate(&mut self, dt: f32) {
        for (boid, force) in self.boids.iter_mut().zip(&self.forces) {
            integrate::<D, PERIODIC>(boid, *force, &self.rules, dt, self.side);
        }
    }

    /// Ordered pairs within a radius of each other, sight ignored.
    pub fn pairs(&mut self) -> u64 {
        self.sort();
        let (mut pairs, mut ranges) = (0, Vec::new());
        for cell in 0..self.start.len() - 1 {
            self.neighbor_ranges(cell, &mut ranges);
            for own in &self.boids[self.start[cell] as usize..self.start[cell + 1] as usize] {
                for &(first, end) in &ranges {
                    let others = self.boids[first..end].iter();
                    let near = others.filter(|b| {
                        self.offset(own.position, b.position).norm_sq() <= RADIUS * RADIUS
                    });
                    pairs += near.count() as u64;
                }
            }
        }
        // Each boid has found itself too.
        pairs - self.boids.len() as u64
    }
}
