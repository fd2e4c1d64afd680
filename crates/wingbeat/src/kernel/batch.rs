//! One batch of one step: its boids look for one thing after the other, and then decide.

use std::sync::{Mutex, PoisonError};

use super::chase::NO_PREY;
use super::decide::decide;
use super::rules::ThreeRules;
use crate::kernel::input::{BatchPass, Scratch, StepInput};
use crate::simd::Level;

/// What boids look for beside, or instead of, the three rules.
pub(crate) struct Passes<'a, const D: usize> {
    /// The model, which takes the rules' place.
    pub model: Option<&'a dyn BatchPass<D>>,
    /// The host's own rules.
    pub host: Option<&'a dyn BatchPass<D>>,
}

/// Captors and their prey, as ranks, in no order.
pub(crate) type Captures = Mutex<Vec<(u32, u32)>>;

/// Steers the slots from `first` on, as many as there is steering to write. `busy` has 1 for boids
/// with a boid to flee, pursue or evade in range; it is empty where no species does that.
pub(crate) fn steer<const D: usize>(
    level: Level,
    world: &StepInput<'_, D>,
    lookers: &Passes<'_, D>,
    (first, steering, busy): (usize, [&mut [f32]; D], &mut [u32]),
    scratch: &mut Scratch<D>,
) {
    let batch = (first, steering[0].len());
    scratch.make_room(world, batch.1);
    if let Some(turns) = world.flock.turns {
        scratch.due.find(
            &world.flock,
            world.prepared.radius,
            turns,
            first..first + batch.1,
            level.lanes(),
        );
    }
    let kinds = &world.prepared.kinds;
    match lookers.model {
        Some(model) => model.look_from_batch(level, world, batch, scratch),
        None if kinds.flock || kinds.chases > 0 => {
            ThreeRules.look_from_batch(level, world, batch, scratch)
        }
        None if kinds.has_rules() => scratch.see_none(),
        None => {}
    }
    if let Some(host) = lookers.host {
        host.look_from_batch(level, world, batch, scratch);
    }
    if kinds.chases > 0 {
        mark(world, first, busy, scratch);
    }
    decide(level, world, first, steering, scratch);
}

/// Writes which of the boids that looked are busy, and their captures. The others stay as busy as
/// they were, and capture no boid.
fn mark<const D: usize>(
    world: &StepInput<'_, D>,
    first: usize,
    busy: &mut [u32],
    scratch: &Scratch<D>,
) {
    let (notes, rank, turns) =
        (&scratch.notes, world.flock.identity.rank, world.flock.turns.is_some());
    let rows = if turns { scratch.due.slots.len() } else { busy.len() };
    let slot = |row: usize| if turns { scratch.due.slots[row] as usize } else { first + row };
    for (row, &is_busy) in notes.busy[..rows].iter().enumerate() {
        busy[slot(row) - first] = is_busy;
    }
    let captors = notes.prey[..rows].iter().enumerate().filter(|(_, prey)| **prey != NO_PREY);
    let mut captures =
        captors.map(|(row, &prey)| (rank[slot(row)], rank[prey as usize])).peekable();
    if captures.peek().is_some() {
        world.captures.lock().unwrap_or_else(PoisonError::into_inner).extend(captures);
    }
}
