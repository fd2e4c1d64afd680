//! Terms that do not come from neighbours.

use super::world::World;
use crate::block::Block;
use crate::combine::Terms;
use crate::domain::wall_force;
use crate::drive::{DriveBlock, DriveState};
use crate::obstacle::Lists;
use crate::simd::Simd;

/// Adds what does not come from neighbours: drives, obstacles, walls.
#[inline(always)]
pub(super) fn surrounded<'a, S: Simd, const D: usize>(
    s: S,
    world: &World<'_, D>,
    block: &Block<S, D>,
    state: &DriveState<S>,
    (lists, row): (&Lists, usize),
    mut terms: Terms<'a, S, D>,
) -> Terms<'a, S, D> {
    if let Some(driving) = &world.drives {
        // A copy, so that in flocks without drives the terms can stay in registers.
        let mut handed = terms;
        s.outline(DriveBlock { driving, flock: &world.flock, block, state, terms: &mut handed });
        terms = handed;
    }
    if world.course.is_some() {
        terms.push(lists.forces.load(s, row));
    }
    if world.prepared.combination.feels_walls() {
        terms.push(wall_force(s, world.flock.domain, block.own.position));
    }
    terms
}
