//! One boid of a flock asks its model of anticipation: whom it looks at, and what it makes of them.

use alloc::vec::Vec;

use super::{Anticipation, GettingThrough, Mover, Nearby, Program, Wall};
use crate::advance::preferred_velocity;
use crate::body::{Among, OtherBody};
use crate::{AgentLimits, Boundary, Domain, TextbookBoid, Vector};

/// What a model of anticipation says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer<V> {
    /// The velocity to take, in place of what steering would have made of it.
    Velocity(V),
    /// A force beside the steering. Largest forces do not limit it.
    Force(V),
}

/// What a boid makes of others that it foresees to meet.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Anticipated<V> {
    /// The velocity that it would choose by its steering alone.
    pub preferred: V,
    /// The same after noise and the turn: what the model is asked with.
    pub asked: V,
    /// β, how far its wish is turned to the right, radians: what it remembers.
    pub blocked: f32,
    /// Those it looks at, by id: all in reach in slot order, or the nearest in the order of (d²,
    /// id).
    pub others: Vec<u64>,
    /// The walls it looks at.
    pub walls: usize,
    /// What the model says.
    pub answer: Answer<V>,
}

/// Who asks.
#[derive(Clone, Copy)]
pub(crate) struct Asker<'a, V> {
    pub boid: &'a TextbookBoid<V>,
    pub limits: &'a AgentLimits,
    pub steering: V,
    /// How blocked it was.
    pub blocked: f32,
    pub dt: f32,
    pub seed: u64,
    pub step: u64,
    /// When the step begins.
    pub time: f64,
}

impl<V: Vector> Among<'_, V> {
    /// What the model says to one boid; `None` in flocks without anticipation.
    pub fn anticipate(&self, own: &OtherBody<V>, asker: &Asker<'_, V>) -> Option<Anticipated<V>> {
        let params = self.params;
        let (model, body) = (params.anticipation?, params.body?);
        let &Asker { boid, limits, steering, blocked, dt, seed, step, time } = asker;
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
        self.course.walls_near(
            boid.position,
            reach,
            &mut self.course.everyone(),
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
        Some(Anticipated { preferred, asked, blocked, others, walls: walls.len(), answer })
    }
}

/// The faces of a box that bodies do not pass, as walls, those within `reach`: the lower and the
/// upper one of each axis.
pub fn faces_near<V: Vector>(
    position: V,
    reach: f32,
    domain: &Domain<V>,
    walls: &mut Vec<Wall<V>>,
) {
    if !matches!(domain.boundary, Boundary::Walled { .. } | Boundary::Reflecting) {
        return;
    }
    for axis in 0..V::DIMENSIONS {
        let x = position.axis(axis);
        for (sign, distance) in
            [(-1.0, x - domain.min.axis(axis)), (1.0, domain.max.axis(axis) - x)]
        {
            if distance <= reach {
                let offset = V::from_fn(|a| if a == axis { sign * distance } else { 0.0 });
                walls.push(Wall { offset, distance, velocity: V::origin() });
            }
        }
    }
}

/// One boid's wish, before the turn and noise of [`GettingThrough`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish<V> {
    /// The boid; its preferred velocity is that of its steering.
    pub mover: Mover<V>,
    /// β of the step before: how far the wish was turned, radians to the right.
    pub blocked: f32,
    /// Its mass.
    pub mass: f32,
    /// The [part](GettingThrough::part) of the way to a new β that a step covers.
    pub part: f32,
    /// The [number](GettingThrough::draw_at) of the noise that is held.
    pub draw: u64,
}

/// What a boid decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decided<V> {
    /// The preferred velocity after noise and the turn: what the model was asked with.
    pub asked: V,
    /// β of this step.
    pub blocked: f32,
    /// What the model says.
    pub answer: Answer<V>,
}

impl Anticipation {
    /// Turns and bends the wish of one boid by `through` and asks the model, worked out in
    /// `program`, which may be used again and then allocates nothing. To the force of a model the
    /// force of the turn is added: (asked − preferred)·mass/response.
    pub fn decide<V: Vector>(
        &self,
        through: &GettingThrough,
        program: &mut Program<V>,
        wish: &Wish<V>,
        others: &[Nearby<V>],
        walls: &[Wall<V>],
    ) -> Decided<V> {
        let preferred = wish.mover.preferred;
        let (asked, blocked) =
            through.asks_with(&wish.mover, others, wish.blocked, wish.part, wish.draw);
        let said = self.answer(program, &Mover { preferred: asked, ..wish.mover }, others, walls);
        let answer = if self.is_velocity() {
            Answer::Velocity(said)
        } else {
            Answer::Force(said.plus(asked.minus(preferred).times(wish.mass / through.response)))
        };
        Decided { asked, blocked, answer }
    }
}
