//! Stamina and captures of a flock's species.

use std::sync::PoisonError;

use wingbeat_steer::{Params, Species, SpeciesId, Traits};

use crate::columns::boids::Boids;
use crate::columns::extra::ExtraColumns;
use crate::kernel::Captures;
use crate::parallel::Workers;
use crate::simd::with_default_rounding;

/// What a boid has of its own, with the limits drawn for its id where those of its species differ;
/// whatever rounding the host has set.
pub(crate) fn drawn(traits: Traits, params: &Params, seed: u64, id: u64) -> Traits {
    if params.limits_differ() {
        with_default_rounding(|| traits.drawn(params, seed, id))
    } else {
        traits
    }
}

/// The same of a boid that had limits drawn for its id as one of a species, under other parameters
/// and another seed.
pub(crate) fn undrawn(
    traits: Traits,
    (species, params, seed): (SpeciesId, &Params, u64),
    id: u64,
) -> Traits {
    if params.limits_differ() {
        with_default_rounding(|| traits.undrawn(species, params, seed, id))
    } else {
        traits
    }
}

/// Captures of one step that room is made for beforehand; with more, the list grows and stays so.
const EXPECTED_CAPTURES: usize = 1024;

/// The columns that parameters call for, in place of those of others: boids keep what of their own
/// still means something ([`Traits::adapted`]), and limits that were drawn are drawn anew. Stamina
/// begins anew where no boid had any.
pub(crate) fn fit<const D: usize>([before, params]: [&Params; 2], seed: u64, boids: &mut Boids<D>) {
    let slots = boids.len();
    boids.fit(params);
    if boids.extra.species.in_use()
        || boids.extra.radius.in_use()
        || before.limits_differ()
        || params.limits_differ()
    {
        for slot in 0..slots {
            let (id, traits) = (boids.id(slot), boids.extra.traits(slot));
            let own = undrawn(traits, (traits.species, before, seed), id).adapted(params);
            boids.extra.set_traits(slot, &drawn(own, params, seed, id), slots);
        }
    }
    if params.limits_differ() {
        boids.extra.use_own_limits(slots);
    }
}

/// What a step changes in every boid's stamina.
pub(crate) fn tire<T: Default + Send, const D: usize>(
    kinds: &[Species],
    boids: &mut Boids<D>,
    dt: f32,
    workers: &Workers<T>,
) {
    let slots = boids.len();
    let ExtraColumns { species, spent, resting, .. } = &mut boids.extra;
    if !spent.in_use() {
        return;
    }
    let (species, busy) = (species.values(), boids.outcome.busy.get());
    let (spent, resting) = (spent.values_mut(), resting.values_mut());
    workers.sweep_marked(0..slots, [[spent]], resting, &|first, [[spent]], resting, _| {
        for (i, (spent, resting)) in spent.iter_mut().zip(resting).enumerate() {
            let slot = first + i;
            let mut traits = Traits { spent: *spent, resting: *resting > 0, ..Traits::default() };
            let busy = busy.is_some_and(|busy| busy[slot] > 0);
            traits.tire(kinds[species[slot] as usize].stamina.as_ref(), busy, dt);
            (*spent, *resting) = (traits.spent, u32::from(traits.resting));
        }
    });
}

/// Captures of one step.
#[derive(Debug, Default)]
pub(crate) struct StepCaptures {
    /// Captor and prey, as ranks: in no order while boids look, then by captors.
    caught: Captures,
    /// Prey and its place among the captures; kept so that it need not be allocated again.
    prey: Vec<(u32, u32)>,
}

/// A copy has captured no boid yet.
impl Clone for StepCaptures {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl StepCaptures {
    /// Where boids that look note their captures: empty so far, with room beforehand for those of
    /// so many boids.
    pub fn begin(&mut self, boids: usize) -> &Captures {
        let expected = boids.min(EXPECTED_CAPTURES);
        let caught = self.caught();
        caught.clear();
        caught.reserve(expected);
        self.prey.clear();
        self.prey.reserve(expected);
        &self.caught
    }

    /// Captures in this subdomain and elsewhere.
    pub fn caught(&mut self) -> &mut Vec<(u32, u32)> {
        self.caught.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Captors and their prey, as ranks, by the captors' ids: each prey once, by the first of its
    /// captors. Every boid looked at the same moment, so a boid that is captured may still capture.
    pub fn captured(&mut self) -> &[(u32, u32)] {
        let caught = self.caught.get_mut().unwrap_or_else(PoisonError::into_inner);
        if caught.is_empty() {
            return caught;
        }
        caught.sort_unstable();
        self.prey.clear();
        self.prey.extend(caught.iter().enumerate().map(|(place, &(_, prey))| (prey, place as u32)));
        self.prey.sort_unstable();
        self.prey.dedup_by_key(|(prey, _)| *prey);
        let (mut place, prey) = (0, &self.prey);
        caught.retain(|(_, other)| {
            let first = prey
                .binary_search_by_key(other, |(prey, _)| *prey)
                .is_ok_and(|at| prey[at].1 == place);
            place += 1;
            first
        });
        caught
    }
}
