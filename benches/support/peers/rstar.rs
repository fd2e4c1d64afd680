//! rstar: an R*-tree, loaded in bulk every step.
//!
//! `locate_within_distance` is the call made for this; going through the box around the sphere by
//! internal iteration, and testing the distance here, takes a third less time. Nodes of 16 or 32
//! measured the same as those of the default.

use std::ops::ControlFlow;

use rstar::{AABB, RTree, RTreeObject};
use wingbeat::steer::Vector;

use crate::points::{DT, RADIUS, REACH, State};
use crate::scalar_rules::{Boid, ScalarRules, Sums, integrate};
use crate::steps::{Stepper, Steps};

/// A boid in the tree: with its velocity, so that a boid that finds it need not look it up.
#[derive(Clone, Copy)]
struct Member<const D: usize> {
    boid: Boid<D>,
    index: u32,
}

impl<const D: usize> RTreeObject for Member<D> {
    type Envelope = AABB<[f32; D]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_point(self.boid.position)
    }
}

pub struct Rstar<const D: usize> {
    boids: Vec<Boid<D>>,
    forces: Vec<[f32; D]>,
    rules: ScalarRules,
    side: f32,
}

impl<const D: usize> Rstar<D> {
    pub fn new(state: &State<D>) -> Self {
        Self {
            forces: vec![[0.0; D]; state.boids.len()],
            boids: state.boids.clone(),
            rules: ScalarRules::new(&state.params),
            side: state.domain.side(0),
        }
    }

    /// A tree takes the boids it is made of, so a step cannot do without a new list of them.
    fn tree(&self) -> RTree<Member<D>> {
        RTree::bulk_load(
            self.boids
                .iter()
                .enumerate()
                .map(|(i, &boid)| Member { boid, index: i as u32 })
                .collect(),
        )
    }
}

/// Visits every boid in the box that holds the sphere of reach.
#[inline(always)]
fn each_near<const D: usize>(
    tree: &RTree<Member<D>>,
    position: [f32; D],
    mut visit: impl FnMut(&Member<D>),
) {
    let (low, high) = (position.minus([REACH; D]), position.plus([REACH; D]));
    let _: ControlFlow<()> =
        tree.locate_in_envelope_intersecting_int(AABB::from_corners(low, high), |other| {
            visit(other);
            ControlFlow::Continue(())
        });
}

impl<const D: usize> Steps for Rstar<D> {
    fn step(&mut self) {
        let tree = self.tree();
        for own in &tree {
            let heading = own.boid.velocity.unit();
            let mut sums = Sums::default();
            each_near(&tree, own.boid.position, |other| {
                if other.index != own.index {
                    sums.look(own.boid.position, heading, &other.boid, &self.rules);
                }
            });
            self.forces[own.index as usize] = sums.force(own.boid.velocity, &self.rules);
        }
        for (boid, force) in self.boids.iter_mut().zip(&self.forces) {
            integrate::<D, false>(boid, *force, &self.rules, DT, self.side);
        }
    }
}

impl<const D: usize> Stepper<D> for Rstar<D> {
    fn restart(&mut self, state: &State<D>) {
        self.boids.copy_from_slice(&state.boids);
    }

    fn pairs(&mut self) -> u64 {
        let tree = self.tree();
        let mut pairs = 0;
        for own in &tree {
            each_near(&tree, own.boid.position, |other| {
                let d_sq = other.boid.position.minus(own.boid.position).norm_sq();
                pairs += u64::from(other.index != own.index && d_sq <= RADIUS * RADIUS);
            });
        }
        pairs
    }

    fn boids(&mut self) -> Vec<Boid<D>> {
        self.boids.clone()
    }
}
