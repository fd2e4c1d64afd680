//! Species of the textbook flock: rules by species, interactions, captures and stamina.

use alloc::vec::Vec;

use crate::explanation::{Seen, Target};
use crate::reference::Looked;
use crate::reference::TextbookFlock;
use crate::{
    AgentLimits, Alignment, Cohesion, Interaction, Separation, Traits, Vector, math,
    params::species,
};

impl<V: Vector> TextbookFlock<V> {
    /// What is the boid's own, the limits drawn for it included.
    pub(super) fn traits_of(&self, i: usize) -> Traits {
        self.given_traits_of(i).drawn(&self.params, self.seed, self.boids[i].id)
    }

    /// What the boid was given.
    fn given_traits_of(&self, i: usize) -> Traits {
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
    pub(super) fn rules_of(
        &self,
        i: usize,
    ) -> (Option<Separation>, Option<Alignment>, Option<Cohesion>) {
        self.params.rules_of(self.traits_of(i).species)
    }

    /// Whether the rules of `i`, its model and the host's own rules count `j`.
    pub(super) fn flock_together(&self, i: usize, j: usize) -> bool {
        self.params.species.is_empty()
            || self.params.flocks_with(self.traits_of(i).species, self.traits_of(j).species)
    }

    /// What a boid makes of those it flees, pursues or evades: one for each such interaction, in
    /// the order of declaration. Who rests makes nothing of them.
    pub(super) fn chase_parts(&self, i: usize, order: &[usize]) -> Vec<Target<V>> {
        let (own, boid, max_speed) =
            (self.traits_of(i), self.boids[i], self.limits_of(i).max_speed);
        let met = |interaction: &Interaction| {
            let picked = if own.resting { None } else { self.nearest(i, order, interaction) };
            let force = picked.map_or(V::origin(), |one| {
                species::chase(interaction.kind, one.offset, one.velocity, boid.velocity, max_speed)
            });
            Target {
                interaction: *interaction,
                picked,
                force,
                weighted: force.times(interaction.weight),
            }
        };
        self.params.chases_of(own.species).map(met).collect()
    }

    /// Whether it flees, pursues or evades any boid.
    pub(super) fn is_busy(&self, i: usize) -> bool {
        // Whether there is a boid does not depend on the order.
        let order: Vec<usize> = (0..self.boids.len()).collect();
        self.chase_parts(i, &order).iter().any(|met| met.picked.is_some())
    }

    /// The nearest it acts upon, of equally near ones the first.
    fn nearest(&self, i: usize, order: &[usize], interaction: &Interaction) -> Option<Seen<V>> {
        let radius_sq = interaction.radius * interaction.radius;
        let mut best: Option<Seen<V>> = None;
        for &j in order {
            if i == j || self.traits_of(j).species != interaction.other {
                continue;
            }
            let raw = self.boids[j].position.minus(self.boids[i].position);
            let offset = V::from_fn(|a| self.domain.image(a, raw.axis(a)));
            let distance_sq = offset.norm_sq();
            if distance_sq <= radius_sq && best.is_none_or(|best| distance_sq < best.distance_sq) {
                best = Some(Seen {
                    offset,
                    distance: math::sqrt(distance_sq),
                    distance_sq,
                    coincident: distance_sq == 0.0,
                    ..Seen::itself(&self.boids[j])
                });
            }
        }
        best
    }

    /// What boid `i` decides: its steering, whether it is busy, and the prey it captures.
    pub(super) fn look(&self, i: usize, order: &[usize]) -> Looked<V> {
        let parts = self.chase_parts(i, order);
        let within = |met: &&Target<V>| {
            let reach = met.interaction.capture_radius;
            reach > 0.0 && met.picked.is_some_and(|one| one.distance_sq <= reach * reach)
        };
        Looked {
            id: self.boids[i].id,
            steering: self.decide(i, order, &self.whole()).steering(),
            busy: parts.iter().any(|met| met.picked.is_some()),
            capture: parts.iter().find(within).and_then(|met| met.picked).map(|one| one.id),
        }
    }

    /// After every boid has moved: stamina, and captures by ascending id of the captor; a prey is
    /// captured once.
    pub(super) fn settle_chases(&mut self, dt: f32, looked: &[Looked<V>]) {
        self.captured.clear();
        if self.params.interactions.is_empty() {
            return;
        }
        for (i, &Looked { id, busy, .. }) in looked.iter().enumerate() {
            let mut own = self.given_traits_of(i);
            own.tire(
                self.params.species.get(own.species).and_then(|species| species.stamina.as_ref()),
                busy,
                dt,
            );
            self.traits.insert(id, own);
        }
        let mut captors: Vec<_> =
            looked.iter().filter_map(|one| Some((one.id, one.capture?))).collect();
        captors.sort_unstable();
        for (captor, prey) in captors {
            if !self.captured.iter().any(|&(_, taken)| taken == prey) {
                self.captured.push((captor, prey));
            }
        }
        let captured = &self.captured;
        self.boids.retain(|boid| !captured.iter().any(|&(_, prey)| prey == boid.id));
    }
}
