//! Stamina and captures of a flock's species.

use std::sync::{Mutex, PoisonError};

use wingbeat_steer::{Params, Stamina, Traits};

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
    (species, params, seed): (usize, &Params, u64),
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

/// Stamina and captures. What a boid has of its own lies in columns of [`ExtraColumns`].
#[derive(Debug, Default)]
pub(crate) struct SpeciesState {
    stamina: Vec<Option<Stamina>>,
    /// Captor and prey, as ranks: in no order while boids look, then by captors.
    caught: Captures,
    /// Prey and its place among the captures; kept so that it need not be allocated again.
    prey: Vec<(u32, u32)>,
}

/// A copy has captured no boid yet.
impl Clone for SpeciesState {
    fn clone(&self) -> Self {
        Self { stamina: self.stamina.clone(), ..Self::default() }
    }
}

impl SpeciesState {
    pub fn new<const D: usize>(params: &Params, seed: u64, boids: &mut Boids<D>) -> Self {
        let mut state = Self::default();
        state.adopt([params; 2], seed, boids);
        state
    }

    /// Other parameters: boids keep what of their own still means something ([`Traits::adapted`]),
    /// and limits that were drawn are drawn anew. Stamina begins anew where no boid had any.
    pub fn adopt<const D: usize>(
        &mut self,
        [before, params]: [&Params; 2],
        seed: u64,
        boids: &mut Boids<D>,
    ) {
        let slots = boids.len();
        self.stamina = params.species.iter().map(|kind| kind.stamina).collect();
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
        if boids.outcome.busy.in_use() {
            self.caught = Mutex::new(Vec::with_capacity(slots.min(EXPECTED_CAPTURES)));
            self.prey.reserve(slots.min(EXPECTED_CAPTURES));
        }
    }

    /// Where boids that look note their captures; empty so far.
    pub fn captures(&mut self) -> &Captures {
        self.caught.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        &self.caught
    }

    /// Captures in this subdomain and elsewhere.
    pub fn caught(&mut self) -> &mut Vec<(u32, u32)> {
        self.caught.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a step changes in every boid's stamina.
    pub fn tire<T: Default + Send, const D: usize>(
        &self,
        boids: &mut Boids<D>,
        dt: f32,
        workers: &Workers<T>,
    ) {
        let slots = boids.len();
        let ExtraColumns { species, spent, resting, .. } = &mut boids.extra;
        if !spent.in_use() {
            return;
        }
        let (species, busy, stamina) = (species.values(), boids.outcome.busy.get(), &self.stamina);
        let (spent, resting) = (spent.values_mut(), resting.values_mut());
        workers.sweep_marked(0..slots, [[spent]], resting, &|first, [[spent]], resting, _| {
            for (i, (spent, resting)) in spent.iter_mut().zip(resting).enumerate() {
                let slot = first + i;
                let mut traits =
                    Traits { spent: *spent, resting: *resting > 0, ..Traits::default() };
                let busy = busy.is_some_and(|busy| busy[slot] > 0);
                traits.tire(stamina[species[slot] as usize].as_ref(), busy, dt);
                (*spent, *resting) = (traits.spent, u32::from(traits.resting));
            }
        });
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
