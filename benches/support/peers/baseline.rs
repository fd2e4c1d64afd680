//! The scalar baseline in a box with mirrors.

use crate::points::{DT, State};
use crate::scalar_grid::ScalarGrid;
use crate::scalar_rules::Boid;
use crate::steps::{Stepper, Steps};

pub struct Baseline<const D: usize>(ScalarGrid<D, false>);

impl<const D: usize> Baseline<D> {
    pub fn new(state: &State<D>) -> Self {
        Self(ScalarGrid::new(state, &state.params))
    }
}

impl<const D: usize> Steps for Baseline<D> {
    fn step(&mut self) {
        self.0.step(DT);
    }
}

impl<const D: usize> Stepper<D> for Baseline<D> {
    fn restart(&mut self, state: &State<D>) {
        self.0.restart(&state.boids);
    }

    fn pairs(&mut self) -> u64 {
        self.0.pairs()
    }

    fn boids(&mut self) -> Vec<Boid<D>> {
        self.0.boids().to_vec()
    }
}
