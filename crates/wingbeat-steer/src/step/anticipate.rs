//! One boid asks its anticipation model: the neighbors and walls in reach, and the answer.

use alloc::vec::Vec;

use crate::Vector;
use crate::contact::OtherBody;
use crate::step::contacts::NearbyBodies;
use crate::step::integrate::{StepInput, preferred_velocity};
use crate::terms::anticipation::answer::{Anticipated, Decided, Wish};
use crate::terms::anticipation::definition::{Mover, Nearby};
use crate::terms::anticipation::{Program, faces_near};

impl<V: Vector> NearbyBodies<'_, V> {
    /// What the model says to one boid; `None` in flocks without anticipation.
    pub fn anticipate(
        &self,
        own: &OtherBody<V>,
        input: &StepInput<'_, V>,
    ) -> Option<Anticipated<V>> {
        let params = self.params;
        let (model, body) = (params.anticipation?, params.body?);
        let &StepInput { boid, limits, steering, blocked, dt, seed, step, time } = input;
        let (through, wider) = (params.getting_through, 1.0 + body.margin);
        let preferred = preferred_velocity(boid, steering, dt, params, limits, seed);
        let (velocity, radius, max_speed) =
            (boid.velocity, own.radius * wider, limits.max_speed * through.haste);
        let mover = Mover { id: boid.id, seed, step, velocity, preferred, radius, max_speed, dt };
        let reach = model.reach(self.largest * wider);
        let mut near: Vec<(u64, Nearby<V>)> = Vec::new();
        for other in self.others {
            let raw = other.position.minus(boid.position);
            let offset = V::from_fn(|a| self.domain.image(a, raw.axis(a)));
            let distance_sq = offset.norm_sq();
            if distance_sq <= reach * reach {
                let share = 1.0 - body.share_of(own.priority, other.priority);
                let (velocity, radius) = (other.velocity, other.radius * wider);
                near.push((other.id, Nearby { offset, distance_sq, velocity, radius, share }));
            }
        }
        if let Some(nearest) = model.nearest() {
            near.sort_unstable_by(|a, b| {
                a.1.distance_sq.total_cmp(&b.1.distance_sq).then(a.0.cmp(&b.0))
            });
            near.truncate(nearest);
        }
        let (others, near): (Vec<u64>, Vec<Nearby<V>>) = near.into_iter().unzip();
        let mut walls = Vec::new();
        self.obstacles.walls_near(
            boid.position,
            reach,
            &mut self.obstacles.all(),
            &mut Vec::new(),
            &mut walls,
        );
        faces_near(boid.position, reach, self.domain, &mut walls);
        let wish = Wish {
            mover,
            blocked,
            mass: limits.mass,
            part: through.part(dt),
            draw: through.draw_at(time),
        };
        let Decided { asked, blocked, answer } =
            model.decide(&through, &mut Program::default(), &wish, &near, &walls);
        let (model, walls) = (model.name(), walls.len());
        Some(Anticipated { model, preferred, asked, blocked, others, walls, answer })
    }
}
