//! Bodies: where a boid moves among the others, none of which it overlaps.

use crate::step::anticipate::AnticipationInput;
use alloc::vec::Vec;

use crate::reference::TextbookFlock;
use crate::step::integrate::{Environment, Integrated, advance};
use crate::{Vector, math};
use crate::{contact::OtherBody, step::contacts::NearbyBodies};

impl<V: Vector> TextbookFlock<V> {
    /// What becomes of boid `i` by its steering, others being where they were when the step began.
    pub(super) fn moved(&self, i: usize, order: &[usize], steering: V, dt: f32) -> Integrated<V> {
        let (params, domain, course) = (&self.params, &self.domain, &self.obstacles);
        let own = self.traits_of(i);
        let ground = Environment { domain, course, radius: own.radius(params) };
        let (boid, limits, seed, step) = (&self.boids[i], own.limits(params), self.seed, self.step);
        let bodies = self.bodies_about(i, order);
        let Some((own, others)) = bodies.split_first() else {
            return advance(boid, steering, None, dt, params, &limits, ground, seed);
        };
        let largest =
            bodies.iter().fold(params.largest_body(), |most, body| math::max(most, body.radius));
        let among = NearbyBodies { params, domain, course, others, largest };
        let blocked = self.blocked.get(&boid.id).copied().unwrap_or(0.0);
        let asker = AnticipationInput {
            boid,
            limits: &limits,
            steering,
            blocked,
            dt,
            seed,
            step,
            time: self.time,
        };
        let mut advanced = advance(
            boid,
            steering,
            among.anticipate(own, &asker),
            dt,
            params,
            &limits,
            ground,
            seed,
        );
        among.keep_apart(own, &mut advanced, dt);
        advanced
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
