//! Anticipation: what boids make of others that they would meet, between steering and integration.
//!
//! ```text
//! preferred ← what steering alone would make of every velocity                                  (integrate.rs)
//! for each block of consecutive slots of a row:                                                 (look.rs)
//!     near ← bodies within reach of each lane; where only the nearest count, as far as there are enough           (near.rs)
//!     preferred ← after the step aside and noise                                                (asks.rs)
//!     answer ← ORCA in the plane: half-planes and their program                                 (planes.rs)
//!              lanes where that has no solution: the second program, when there is one for every lane     (relax.rs)
//!              all else: the definition itself, on what was found
//! answer: a velocity in place of steering's, or a force beside it                               (integrate.rs)
//! ```

use wingbeat_steer::anticipation::{Anticipation, GettingThrough};
use wingbeat_steer::{Params, SolidBody};

use crate::boids::Boids;

mod asks;
mod look;
mod near;
mod planes;
mod relax;

pub(crate) use look::{Asking, answer};
pub(crate) use near::NearScratch;

/// What a flock with anticipation keeps from step to step.
#[derive(Clone, Debug)]
pub(crate) struct Foresight<const D: usize> {
    pub model: Anticipation,
    pub through: GettingThrough,
    pub body: SolidBody,
    /// Maximum speeds of every species.
    pub max_speeds: Vec<f32>,
    /// By slot: the preferred velocity, and then the answer in its place.
    pub columns: [Vec<f32>; D],
}

impl<const D: usize> Foresight<D> {
    /// `None` in a flock without anticipation.
    pub fn new(params: &Params, boids: &mut Boids<D>) -> Option<Self> {
        let slots = boids.len();
        boids.carried.blocked.used(params.anticipation.is_some(), 0, slots);
        let (model, body) = (params.anticipation?, params.body?);
        let max_speeds = (0..=params.species.len().saturating_sub(1)).map(|kind| params.common_limits(kind).max_speed).collect();
        Some(Self { model, through: params.getting_through, body, max_speeds, columns: std::array::from_fn(|_| Vec::new()) })
    }

    /// The answers, and whether they are velocities.
    pub fn answers(&self) -> ([&[f32]; D], bool) {
        (self.columns.each_ref().map(Vec::as_slice), self.model.is_velocity())
    }
}
