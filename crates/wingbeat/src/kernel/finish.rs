//! What all kernels end with: terms that do not come from neighbours, and forces written down.

use super::world::World;
use crate::block::Block;
use crate::combine::Terms;
use crate::domain::wall_force;
use crate::drive::{DriveBlock, DriveState};
use crate::obstacle::{Avoid, Lists};
use crate::simd::{Float, MAX_LANES, Simd, Vectors};

/// Adds what does not come from neighbours: drives, obstacles, walls.
#[inline(always)]
pub(super) fn surrounded<'a, S: Simd, const D: usize>(
    s: S,
    world: &World<'_, D>,
    block: &Block<S, D>,
    state: &DriveState<S>,
    lists: &mut Lists,
    mut terms: Terms<'a, S, D>,
) -> Terms<'a, S, D> {
    if let Some(driving) = &world.drives {
        // A copy, so that in flocks without drives the terms can stay in registers.
        let mut handed = terms;
        s.outline(DriveBlock { driving, flock: &world.flock, block, state, terms: &mut handed });
        terms = handed;
    }
    if let Some(course) = world.course {
        let mut force = Vectors::zero(s);
        s.outline(Avoid { course, lists, own: &block.own, force: &mut force });
        terms.push(force);
    }
    terms.push(wall_force(s, world.flock.domain, block.own.position));
    terms
}

/// Writes the first `count` lanes to `out` from `at` on.
#[inline(always)]
pub(super) fn store<S: Simd, const D: usize>(_s: S, steering: Vectors<S, D>, out: &mut [&mut [f32]; D], at: usize, count: usize) {
    for a in 0..D {
        let out = &mut out[a][at..at + count];
        if count == S::LANES {
            steering[a].store(out);
        } else {
            let mut buffer = [0.0; MAX_LANES];
            steering[a].store(&mut buffer);
            out.copy_from_slice(&buffer[..count]);
        }
    }
}
