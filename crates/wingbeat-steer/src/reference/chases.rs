//! Interactions of species: boids that flee, pursue and evade others, captures and stamina.

use alloc::vec::Vec;

use crate::Seen;
use crate::explanation::Target;
use crate::params::species;
use crate::reference::{Looked, TextbookFlock};
use crate::{Interaction, Vector, math};

impl<V: Vector> TextbookFlock<V> {
    /// What a boid makes of those it flees, pursues or evades: one for each such interaction, in
    /// the order of declaration. Who rests makes nothing of them.
    pub(super) fn chase_parts(&self, i: usize, order: &[usize]) -> Vec<Target<V>> {
        let (own, boid, max_speed) =
            (self.traits_of(i), self.boids[i], self.limits_of(i).max_speed);
        let met = |interaction: &Interaction| {
            let picked = if own.resting { None } else { self.nearest(i, order, interaction) };
            let force = picked.as_ref().map_or(V::origin(), |one| {
                species::chase(interaction.kind, one.offset, one.velocity, boid.velocity, max_speed)
            });
            Target {
                interaction: *interaction,
                species: self.species_name(interaction.other).unwrap_or_default(),
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
            let nearer = |best: &Seen<V>| distance_sq < best.distance_sq;
            if distance_sq <= radius_sq && best.as_ref().is_none_or(nearer) {
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
                self.params.kind(own.species).and_then(|species| species.stamina.as_ref()),
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
