//! kiddo: an immutable k-d tree, built anew every step; every boid within a radius, unsorted,
//! visited without a list.
//!
//! `with_points` and a scratch of one's own measured the same within noise.

use kiddo::{ImmutableKdTree, SquaredEuclidean};
use wingbeat::steer::Vector;

use crate::points::{DT, RADIUS, REACH, State};
use crate::scalar_rules::{Boid, ScalarRules, Sums, integrate};
use crate::steps::{Stepper, Steps};

pub struct Kiddo<const D: usize> {
    boids: Vec<Boid<D>>,
    positions: Vec<[f32; D]>,
    forces: Vec<[f32; D]>,
    rules: ScalarRules,
    side: f32,
}

impl<const D: usize> Kiddo<D> {
    pub fn new(state: &State<D>) -> Self {
        Self {
            positions: vec![[0.0; D]; state.boids.len()],
            forces: vec![[0.0; D]; state.boids.len()],
            boids: state.boids.clone(),
            rules: ScalarRules::new(&state.params),
            side: state.domain.side(0),
        }
    }

    fn tree(&mut self) -> ImmutableKdTree<f32, D> {
        for (position, boid) in self.positions.iter_mut().zip(&self.boids) {
            *position = boid.position;
        }
        ImmutableKdTree::<f32, D>::builder()
            .with_serial_construction()
            .build_from_slice(&self.positions)
            .expect("finite positions")
    }
}

/// Visits the index of every boid within reach.
#[inline(always)]
fn each_near<const D: usize>(
    tree: &ImmutableKdTree<f32, D>,
    position: [f32; D],
    mut visit: impl FnMut(usize),
) {
    let query = tree.query(&position).within::<SquaredEuclidean<f32>>(REACH * REACH).unsorted();
    query.without_distances().visit(|found| visit(found.item as usize));
}

impl<const D: usize> Steps for Kiddo<D> {
    fn step(&mut self) {
        let tree = self.tree();
        for (i, boid) in self.boids.iter().enumerate() {
            let heading = boid.velocity.unit();
            let mut sums = Sums::default();
            each_near(&tree, boid.position, |j| {
                if j != i {
                    sums.look(boid.position, heading, &self.boids[j], &self.rules);
                }
            });
            self.forces[i] = sums.force(boid.velocity, &self.rules);
        }
        for (boid, force) in self.boids.iter_mut().zip(&self.forces) {
            integrate::<D, false>(boid, *force, &self.rules, DT, self.side);
        }
    }
}

impl<const D: usize> Stepper<D> for Kiddo<D> {
    fn restart(&mut self, state: &State<D>) {
        self.boids.copy_from_slice(&state.boids);
    }

    fn pairs(&mut self) -> u64 {
        let tree = self.tree();
        let mut pairs = 0;
        for (i, boid) in self.boids.iter().enumerate() {
            each_near(&tree, boid.position, |j| {
                let d_sq = self.boids[j].position.minus(boid.position).norm_sq();
                pairs += u64::from(j != i && d_sq <= RADIUS * RADIUS);
            });
        }
        pairs
    }

    fn boids(&mut self) -> Vec<Boid<D>> {
        self.boids.clone()
    }
}
