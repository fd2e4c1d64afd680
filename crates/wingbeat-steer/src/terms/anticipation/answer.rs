//! The input and the answer of an anticipation model.

use alloc::vec::Vec;

use crate::terms::anticipation::definition::Mover;

/// What a model of anticipation says.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Answer<V> {
    /// The velocity to take, in place of what steering would have made of it.
    Velocity(V),
    /// A force beside the steering. Largest forces do not limit it.
    Force(V),
}

/// What a boid makes of others that it foresees to meet.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Anticipated<V> {
    /// The model's name.
    pub model: &'static str,
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
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub answer: Answer<V>,
}

/// One boid's wish, before the turn and noise of
/// [`GettingThrough`](crate::anticipation::GettingThrough).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish<V> {
    /// The boid; its preferred velocity is that of its steering.
    pub mover: Mover<V>,
    /// β of the step before: how far the wish was turned, radians to the right.
    pub blocked: f32,
    /// Its mass.
    pub mass: f32,
    /// The [part](crate::anticipation::GettingThrough::part) of the way to a new β that a step
    /// covers.
    pub part: f32,
    /// The [number](crate::anticipation::GettingThrough::draw_at) of the noise that is held.
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
