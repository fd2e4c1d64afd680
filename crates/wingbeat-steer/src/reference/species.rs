//! What a boid's species decides: its traits, limits and rules, and the boids its rules count.

use alloc::string::String;

use crate::reference::TextbookFlock;
use crate::{AgentLimits, Rules, SpeciesId, Traits, Vector};

impl<V: Vector> TextbookFlock<V> {
    /// What is the boid's own, the limits drawn for it included.
    pub(super) fn traits_of(&self, i: usize) -> Traits {
        self.given_traits_of(i).drawn(&self.params, self.seed, self.boids[i].id)
    }

    /// What the boid was given.
    pub(super) fn given_traits_of(&self, i: usize) -> Traits {
        self.traits.get(&self.boids[i].id).copied().unwrap_or_default()
    }

    /// Its limits, its own included.
    pub(super) fn limits_of(&self, i: usize) -> AgentLimits {
        self.traits_of(i).limits(&self.params)
    }

    /// The limits of its species, or of the flock.
    pub(super) fn common_limits(&self, i: usize) -> AgentLimits {
        self.params.common_limits(self.traits_of(i).species)
    }

    /// The rules of its species, or of the flock.
    pub(super) fn rules_of(&self, i: usize) -> &Rules {
        self.params.rules_of(self.traits_of(i).species)
    }

    /// Name of a species by its place; `None` in a flock without species.
    pub(super) fn species_name(&self, species: SpeciesId) -> Option<String> {
        self.params.kind(species).map(|species| species.name.clone())
    }

    /// Whether the rules of `i`, its model and the host's own rules count `j`.
    pub(super) fn flock_together(&self, i: usize, j: usize) -> bool {
        self.params.species.is_empty()
            || self.params.flocks_with(self.traits_of(i).species, self.traits_of(j).species)
    }
}
