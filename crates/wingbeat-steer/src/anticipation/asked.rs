//! One boid of a flock asks its model of anticipation: whom it looks at, and what it makes of them.

use alloc::vec::Vec;

use super::{Anticipation, GettingThrough, Mover, Nearby, Program, Wall};
use crate::Vector;

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
