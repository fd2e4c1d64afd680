//! Bodies of the textbook flock: the others that a boid may not overlap.

use alloc::vec::Vec;

use crate::Vector;
use crate::contact::OtherBody;
use crate::reference::TextbookFlock;

impl<V: Vector> TextbookFlock<V> {
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
