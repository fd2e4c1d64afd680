//! Anticipation in lanes: velocities or forces that avoid others ahead, between steering and
//! integration.
//!
//! ```text
//! preferred ← what steering alone would make of every velocity                      (integrate.rs)
//! for each block of consecutive slots of a row:                                          (pass.rs)
//!     near ← bodies within reach of each lane; where only the nearest count, as far as there are
//!            enough                                                                     (near.rs)
//!     ORCA in the plane:
//!         half-planes of all that are near; what of it is ahead, and comes
//!                                                                        (planes.rs, evaluate.rs)
//!         preferred ← after noise and the turn                                       (evaluate.rs)
//!         answer ← the program of the half-planes                                      (planes.rs)
//!                  lanes where that has no solution: the second program, when there is one for
//!                  every lane                                                           (relax.rs)
//!     all else: the definition itself, on what was found
//! answer: a velocity in place of steering's, or a force beside it                   (integrate.rs)
//! ```

use wingbeat_steer::anticipation::{Anticipation, GettingThrough};
use wingbeat_steer::{AgentLimits, Params, SolidBody};

use crate::columns::boids::Columns;
use crate::motion::body::BodyColumns;
use crate::parallel::Workers;

mod evaluate;
mod pass;
mod near;
mod planes;
mod relax;

pub(crate) use near::NearScratch;
pub(crate) use pass::{AnticipationInput, answer};

/// What a flock with anticipation keeps from step to step.
#[derive(Clone, Debug)]
pub(crate) struct AnticipationState<const D: usize> {
    pub model: Anticipation,
    pub through: GettingThrough,
    pub body: SolidBody,
    /// Limits of every species.
    pub limits: Vec<AgentLimits>,
    /// By slot, for what looks at others in lanes: position and velocity; radius and priority,
    /// unless all are alike.
    pub motion: Vec<[f32; 4]>,
    pub bodies: Vec<[f32; 4]>,
}

impl<const D: usize> AnticipationState<D> {
    /// `None` in a flock without anticipation.
    pub fn new(params: &Params) -> Option<Self> {
        let (model, body) = (params.anticipation?, params.body?);
        let limits = params.each_species().map(|kind| params.common_limits(kind)).collect();
        let (through, motion, bodies) = (params.getting_through, Vec::new(), Vec::new());
        Some(Self { model, through, body, limits, motion, bodies })
    }

    /// Brings together, slot by slot, what is looked at of others in lanes: of ORCA in the plane.
    pub fn bring<T: Default + Send>(
        &mut self,
        columns: &Columns<D>,
        bodies: &BodyColumns,
        workers: &Workers<T>,
    ) {
        if !matches!((&self.model, D), (Anticipation::Orca(_), 2)) {
            return;
        }
        let slots = columns.rank.len();
        let [x, y] = [0, 1].map(|a| &columns.position[a][..slots]);
        let [u, v] = [0, 1].map(|a| &columns.velocity[a][..slots]);
        self.motion.resize(slots, [0.0; 4]);
        workers.sweep(slots, [[self.motion.as_mut_slice()]], &|first, [[motion]], _| {
            let (x, y, u, v) = (&x[first..], &y[first..], &u[first..], &v[first..]);
            for ((((row, &x), &y), &u), &v) in motion.iter_mut().zip(x).zip(y).zip(u).zip(v) {
                *row = [x, y, u, v];
            }
        });
        self.bodies.resize(if bodies.alike { 0 } else { slots }, [0.0; 4]);
        workers.sweep(self.bodies.len(), [[self.bodies.as_mut_slice()]], &|first, [[rows]], _| {
            for (slot, row) in (first..).zip(rows) {
                *row = [
                    bodies.radii[slot],
                    bodies.priorities.get(slot).copied().unwrap_or(0.0),
                    0.0,
                    0.0,
                ];
            }
        });
    }
}
