//! The honest baseline of the Vicsek model: the scalar cell list of [`ScalarGrid`] with its own
//! inner loop.
//!
//! All have one speed, so the sum of velocities has the direction of the sum of headings, and
//! no boid needs a root per pair.

use std::f32::consts::PI;

use wingbeat::steer::{Vector, math, model::Vicsek1995, noise};

use crate::points::{RADIUS, State, rules};
use crate::scalar_grid::ScalarGrid;
use crate::scalar_rules::Boid;

/// A Vicsek flock on a scalar cell list, in a periodic square.
#[derive(Debug)]
pub struct ScalarVicsek {
    grid: ScalarGrid<2, true>,
    turned: Vec<[f32; 2]>,
    model: Vicsek1995,
    step: u64,
}

impl ScalarVicsek {
    /// The boids of `state`; the model's radius must be that of the benchmarks.
    pub fn new(state: &State<2>, model: Vicsek1995) -> Self {
        assert_eq!(model.radius, RADIUS, "cells are sized by the benchmarks' radius");
        Self {
            grid: ScalarGrid::new(state, &rules()),
            turned: vec![[0.0; 2]; state.boids.len()],
            model,
            step: 0,
        }
    }

    /// Puts every boid back where it was given.
    pub fn restart(&mut self, boids: &[Boid<2>]) {
        self.grid.restart(boids);
    }

    /// The boids, in the order of cells.
    pub fn boids(&self) -> &[Boid<2>] {
        self.grid.boids()
    }

    /// The whole step.
    pub fn step(&mut self, dt: f32) {
        self.grid.sort();
        let mut ranges = Vec::with_capacity(32);
        for cell in 0..self.grid.start.len() - 1 {
            let members = self.grid.start[cell] as usize..self.grid.start[cell + 1] as usize;
            if !members.is_empty() {
                self.grid.neighbor_ranges(cell, &mut ranges);
                for i in members {
                    self.turned[i] = self.turn(i, &ranges);
                }
            }
        }
        let side = self.grid.side;
        for (boid, &turned) in self.grid.boids.iter_mut().zip(&self.turned) {
            for x_and_v in boid.position.iter_mut().zip(boid.velocity) {
                let x = *x_and_v.0 + x_and_v.1 * dt;
                *x_and_v.0 = if x < 0.0 {
                    x + side
                } else if x >= side {
                    x - side
                } else {
                    x
                };
            }
            boid.velocity = turned;
        }
        self.step += 1;
    }

    /// The new velocity of a boid.
    fn turn(&self, i: usize, ranges: &[(usize, usize)]) -> [f32; 2] {
        let own = self.grid.boids[i];
        let mut sum = [0.0; 2];
        for &(first, end) in ranges {
            for other in &self.grid.boids[first..end] {
                if self.grid.offset(own.position, other.position).norm_sq() <= RADIUS * RADIUS {
                    sum = sum.plus(other.velocity);
                }
            }
        }
        let length = sum.norm_plain();
        let [x, y] = if length > 0.0 { sum.times(self.model.speed / length) } else { own.velocity };
        let draw = noise::uniform(1, i as u64, self.step, 0) - 0.5;
        let (sin, cos) = math::sin_cos_turns(draw * (self.model.noise * (0.5 / PI)));
        [x * cos - y * sin, x * sin + y * cos]
    }
}
