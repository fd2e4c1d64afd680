//! The scalar baseline in a box with mirrors.

use super::Stepper;
use crate::points::{DT, State, rules};
use crate::scalar_grid::ScalarGrid;
use crate::scalar_rules::Boid;

pub struct Baseline<const D: usize>(ScalarGrid<D, false>);

impl<const D: usize> Baseline<D> {
    pub fn new(state: &State<D>) -> Self {
        Self(ScalarGrid::new(state, &rules()))
    }
}

impl<const D: usize> Stepper<D> for Baseline<D> {
    fn restart(&mut self, state: &State<D>) {
        self.0.restart(&state.boids);
    }

    fn step(&mut self) {
        self.0.step(DT);
    }

    fn pairs(&mut self) -> u64 {
        self.0.pairs()
    }

    fn boids(&self) -> Vec<Boid<D>> {
        self.0.boids().to_vec()
    }
}
