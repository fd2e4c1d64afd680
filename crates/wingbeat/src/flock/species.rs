//! Species of a flock: what boids have of their own, and what becomes of those that chase.
#![forbid(unsafe_code)]

use wingbeat_steer::{TimeStep, Traits};

use super::Flock;
use crate::{BoidId, Event, FlockError};

impl<const D: usize> Flock<D> {
    /// What is a boid's own: its species, stamina, limits. It scans the flock for the id.
    ///
    /// # Errors
    /// When no living boid has this id.
    #[inline(never)]
    pub fn traits(&self, id: BoidId) -> Result<Traits, FlockError> {
        Ok(self.society.traits(self.boids.slot_of(id)?))
    }

    /// Species of all boids, in slot order, as whole numbers; empty in flocks without species.
    pub fn species(&self) -> &[f32] {
        self.society.view().map_or(&[], |society| &society.species[..self.len()])
    }

    /// Gives a boid another species, other stamina, or limits of its own. It scans the flock for the id.
    ///
    /// ```
    /// # use wingbeat::{Flock2, Traits};
    /// let mut flock = Flock2::builder().boids(&[[0.0, 0.0]], &[[1.0, 0.0]]).build()?;
    /// let id = flock.frame().boid(0).id;
    /// flock.set_traits(id, Traits { max_speed: Some(0.5), ..flock.traits(id)? })?;
    /// assert!(flock.set_traits(id, Traits { mass: Some(0.0), ..Traits::default() }).is_err());
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When the id is unknown, there is no such species, or a number is not accepted; nothing is changed then.
    #[inline(never)]
    pub fn set_traits(&mut self, id: BoidId, traits: Traits) -> Result<(), FlockError> {
        let slot = self.boids.slot_of(id)?;
        traits.check(&self.params).map_err(|refusal| FlockError::Boid { id, refusal })?;
        self.society.set(slot, &traits, self.boids.len());
        Ok(())
    }

    /// After the boids have moved: stamina, and captures.
    pub(super) fn settle(&mut self, dt: TimeStep) {
        self.society.tire(self.boids.len(), dt.get(), &self.workers);
        let mut captured = self.society.take_prey();
        let ids = &self.boids.ids;
        for &(captor, prey) in self.society.captures(&self.boids) {
            let (captor, prey) = (ids[captor as usize], ids[prey as usize]);
            self.events.push(Event::Captured { captor, prey });
            captured.push(prey);
        }
        self.dismiss(&captured);
        self.society.put_prey(captured);
    }
}
