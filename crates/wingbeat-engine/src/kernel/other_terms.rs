//! Terms that not every flock has: rules that have a pass, the host's own rules, prey, drives,
//! obstacles.

use crate::kernel::input::{ChaseResults, NeighborSums, StepInput};
use crate::motion::obstacle::Lists;
use crate::neighbors::Block;
use crate::simd::{Float, Simd, Vectors, Whole};
use crate::terms::combine::Terms;
use crate::terms::drive::{DriveBlock, DriveState};

/// Adds the rules that have a pass, the host's own rules, prey, drives and obstacles.
#[inline(always)]
pub(super) fn push_other_terms<'a, S: Simd, const D: usize>(
    s: S,
    input: &StepInput<'_, D>,
    block: &Block<S, D>,
    max_speed: S::F,
    (table, chases_found, lists): (&NeighborSums, &ChaseResults, &Lists),
    row: usize,
    mut terms: Terms<'a, S, D>,
) -> Terms<'a, S, D> {
    let prepared = input.prepared;
    for rule in 0..prepared.passes.ids.len() {
        terms.push(Vectors(table.load(s, prepared.layout.passes + rule * D, row, D)));
    }
    for rule in 0..prepared.declared {
        terms.push(Vectors(table.load(s, prepared.layout.declared + rule * D, row, D)));
    }
    let mut state = DriveState { busy: s.mask(0), resting: s.mask(0), max_speed };
    if prepared.kinds.chases > 0 {
        terms.push(Vectors(table.load(s, prepared.layout.chase, row, D)));
        state.busy = s.load_whole(&chases_found.busy[row..]).to_float().gt(s.splat(0.0));
    }
    if let Some(driving) = &input.drives {
        state.resting = block.resting(s, &input.flock, input.extra);
        // A copy, so that in flocks without drives the terms can stay in registers.
        let mut handed = terms;
        s.outline(DriveBlock {
            driving,
            flock: &input.flock,
            block,
            state: &state,
            terms: &mut handed,
        });
        terms = handed;
    }
    if input.course.is_some() {
        terms.push(lists.forces.load(s, row));
    }
    terms
}
