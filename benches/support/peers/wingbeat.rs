//! Wingbeat at one level, on one thread or several.

use wingbeat::{Flock, Level};

use crate::points::State;
use crate::scalar_rules::Boid;
use crate::steps::{Stepper, Steps};

pub struct Wingbeat<const D: usize>(Flock<D>);

impl<const D: usize> Wingbeat<D> {
    pub fn new(state: &State<D>, level: Level, threads: usize) -> Self {
        Self(state.flock().level(level).threads(threads).build().expect("a valid flock"))
    }
}

impl<const D: usize> Steps for Wingbeat<D> {
    fn step(&mut self) {
        self.0.step(super::dt());
    }
}

impl<const D: usize> Stepper<D> for Wingbeat<D> {
    fn restart(&mut self, state: &State<D>) {
        // There is no call that puts every boid back, and a new flock is one: this is not measured.
        *self = Self::new(state, self.0.level(), self.0.threads());
    }

    fn pairs(&mut self) -> u64 {
        // A mean over whole numbers: exact in f64 up to far more pairs than there are.
        (self.0.mean_neighbors() * self.0.len() as f64).round() as u64
    }

    fn boids(&mut self) -> Vec<Boid<D>> {
        self.0
            .frame()
            .by_slot()
            .map(|b| Boid { position: b.position, velocity: b.velocity })
            .collect()
    }
}
