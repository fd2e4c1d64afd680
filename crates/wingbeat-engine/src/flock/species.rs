//! Species of a flock: traits of boids, and the stamina and captures of a step.

use wingbeat_steer::body::check_radius;
use wingbeat_steer::{TimeStep, Traits};

use super::Flock;
use crate::flock::species_state::{drawn, tire, undrawn};
use crate::{BoidId, FlockError, SpeciesId};

impl<const D: usize> Flock<D> {
    /// What is a boid's own: its species, stamina, limits. The boid is found as by
    /// [`set_position`](Self::set_position).
    ///
    /// # Errors
    /// When no living boid has this id.
    #[inline(never)]
    pub fn traits(&self, id: BoidId) -> Result<Traits, FlockError> {
        Ok(self.state.boids.extra.traits(self.state.boids.slot_of(id)?))
    }

    /// Species of all boids, in slot order. Nothing in flocks without species.
    pub fn species(&self) -> impl ExactSizeIterator<Item = SpeciesId> + '_ {
        self.frame().species().iter().map(|&species| SpeciesId::new(species as usize))
    }

    /// The species of this name.
    ///
    /// # Errors
    /// Names those that there are.
    #[inline(never)]
    pub fn species_named(&self, name: &str) -> Result<SpeciesId, FlockError> {
        Ok(self.settings.params.species_named(name)?)
    }

    /// Gives a boid another species, other stamina, or limits of its own. The boid is found as by
    /// [`set_position`](Self::set_position). Where limits differ from boid to boid
    /// ([`AgentLimits::max_speed_spread`](crate::AgentLimits::max_speed_spread)), one that is given
    /// none, or the one drawn for it, has that of its species that is drawn for its id. A larger
    /// body may overlap others; two that do may only move apart.
    ///
    /// ```
    /// # use wingbeat::{Flock2, steer::Traits};
    /// let mut flock = Flock2::builder().boids(&[[0.0, 0.0]], &[[1.0, 0.0]]).build()?;
    /// let id = flock.frame().boid(0).id;
    /// flock.set_traits(id, Traits { max_speed: Some(0.5), ..flock.traits(id)? })?;
    /// assert!(flock.set_traits(id, Traits { mass: Some(0.0), ..Traits::default() }).is_err());
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When the id is unknown, there is no such species, or a number is not accepted; nothing is
    /// changed then.
    #[inline(never)]
    pub fn set_traits(&mut self, id: BoidId, traits: Traits) -> Result<(), FlockError> {
        let slot = self.state.boids.slot_of(id)?;
        let refused = |refusal| FlockError::Boid { id, refusal };
        traits.check(&self.settings.params).map_err(refused)?;
        if let Some(radius) = traits.radius {
            check_radius("radius", radius, &self.settings.domain).map_err(refused)?;
        }
        let (params, seed, species) =
            (&self.settings.params, self.state.seed, self.state.boids.extra.species_of(slot));
        let traits =
            drawn(undrawn(traits, (species, params, seed), id.get()), params, seed, id.get());
        self.state.boids.extra.set_traits(slot, &traits, self.state.boids.len());
        // Its body may be larger than all others.
        self.workspace.queries.clear();
        Ok(())
    }

    /// After the boids have moved: stamina.
    pub(super) fn tire(&mut self, dt: TimeStep) {
        tire(&self.settings.params.species, &mut self.state.boids, dt.get(), &self.machine.workers);
    }

    /// Notes captures: captors and their prey.
    pub(super) fn tell_captures(&mut self) {
        let ids = self.state.boids.ids();
        for &(captor, prey) in self.workspace.captures.captured() {
            self.workspace.happened.captured(ids.of(captor), ids.of(prey));
        }
    }
}
