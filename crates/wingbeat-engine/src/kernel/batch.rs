//! One batch of one step: the passes over neighbors, one after the other, then the decision.

use std::sync::{Mutex, PoisonError};

use super::chase::NO_PREY;
use super::decide::decide;
use super::rule_passes::RulePasses;
use super::rules::ThreeRules;
use crate::kernel::input::{BatchPass, Scratch, StepInput};
use crate::simd::Level;

/// Passes beside, or instead of, that of the three rules.
pub(crate) struct OtherPasses<'a, const D: usize> {
    /// The model, which takes the rules' place.
    pub model: Option<&'a dyn BatchPass<D>>,
    /// The host's own rules.
    pub host: Option<&'a dyn BatchPass<D>>,
}

/// Captors and their prey, as ranks, in no order.
pub(crate) type Captures = Mutex<Vec<(u32, u32)>>;

/// Steers the slots from `first` on, as many as the columns of steering are long. `busy` has 1 for
/// boids with a boid to flee, pursue or evade in range; it is empty where no species does that.
pub(crate) fn steer<const D: usize>(
    level: Level,
    input: &StepInput<'_, D>,
    passes: &OtherPasses<'_, D>,
    (first, steering, busy): (usize, [&mut [f32]; D], &mut [u32]),
    scratch: &mut Scratch<D>,
) {
    let batch = (first, steering[0].len());
    scratch.make_room(input, batch.1);
    if let Some(turns) = input.flock.turns {
        scratch.due.find(
            &input.flock,
            input.prepared.radius,
            turns,
            first..first + batch.1,
            level.lanes(),
        );
    }
    let kinds = &input.prepared.kinds;
    match passes.model {
        Some(model) => model.run_batch(level, input, batch, scratch),
        None if kinds.any_sees || kinds.chases > 0 => {
            ThreeRules.run_batch(level, input, batch, scratch)
        }
        None if kinds.has_rules() => scratch.clear_sums(),
        None => {}
    }
    if !input.prepared.passes.ids.is_empty() {
        RulePasses.run_batch(level, input, batch, scratch);
    }
    if let Some(host) = passes.host {
        host.run_batch(level, input, batch, scratch);
    }
    if kinds.chases > 0 {
        mark(input, first, busy, scratch);
    }
    decide(level, input, first, steering, scratch);
}

/// Writes which of the boids that looked are busy, and their captures. The others stay as busy as
/// they were, and capture no boid.
fn mark<const D: usize>(
    input: &StepInput<'_, D>,
    first: usize,
    busy: &mut [u32],
    scratch: &Scratch<D>,
) {
    let (chases_found, rank, turns) =
        (&scratch.chases_found, input.flock.identity.rank, input.flock.turns.is_some());
    let rows = if turns { scratch.due.slots.len() } else { busy.len() };
    let slot = |row: usize| if turns { scratch.due.slots[row] as usize } else { first + row };
    for (row, &is_busy) in chases_found.busy[..rows].iter().enumerate() {
        busy[slot(row) - first] = is_busy;
    }
    let captors =
        chases_found.prey[..rows].iter().enumerate().filter(|(_, prey)| **prey != NO_PREY);
    let mut captures =
        captors.map(|(row, &prey)| (rank[slot(row)], rank[prey as usize])).peekable();
    if captures.peek().is_some() {
        input.captures.lock().unwrap_or_else(PoisonError::into_inner).extend(captures);
    }
}
