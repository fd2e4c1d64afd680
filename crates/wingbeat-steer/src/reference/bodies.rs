//! Bodies: where a boid moves among the others, none of which it overlaps.

use alloc::vec::Vec;

use crate::Vector;
use crate::contact::OtherBody;
use crate::reference::TextbookFlock;
use crate::step::integrate::{Environment, Integrated, StepInput};
use crate::step::move_boid;

impl<V: Vector> TextbookFlock<V> {
    /// What becomes of boid `i` by its steering, others being where they were when the step began.
    pub(super) fn moved(&self, i: usize, order: &[usize], steering: V, dt: f32) -> Integrated<V> {
        let (params, own, boid) = (&self.params, self.traits_of(i), &self.boids[i]);
        let environment = Environment {
            domain: &self.domain,
            course: &self.obstacles,
            radius: own.radius(params),
        };
        let input = StepInput {
            boid,
            limits: &own.limits(params),
            steering,
            blocked: self.blocked.get(&boid.id).copied().unwrap_or(0.0),
            dt,
            seed: self.seed,
            step: self.step,
            time: self.time,
        };
        move_boid(&input, params, environment, &self.bodies_about(i, order))
    }

    /// The body of boid `i`, and then all others in slot order; nothing in a flock of points.
    pub(super) fn bodies_about(&self, i: usize, order: &[usize]) -> Vec<OtherBody<V>> {
        if self.params.body.is_none() {
            return Vec::new();
        }
        let others = order.iter().copied().filter(|&j| j != i);
        core::iter::once(i).chain(others).map(|j| self.body_of(j)).collect()
    }

    fn body_of(&self, i: usize) -> OtherBody<V> {
        let (boid, own) = (&self.boids[i], self.traits_of(i));
        let priority = self.params.body_of(own.species).map_or(0.0, |body| body.priority);
        OtherBody {
            id: boid.id,
            position: boid.position,
            velocity: boid.velocity,
            radius: own.radius(&self.params),
            priority,
        }
    }
}
