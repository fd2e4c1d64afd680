//! Adding and removing boids, and one by its id.

use wingbeat_steer::Traits;

use super::Flock;
use crate::flock::parts::FlockState;
use crate::flock::species_state::drawn;
use crate::{Boid, BoidId, FlockError, SpeciesId, flock::checks, motion::body};

impl<const D: usize> Flock<D> {
    /// The boid of this id, in constant time if no id is missing, else by bisection. The first few
    /// calls after boids moved look for its slot; then they make an index of all, and take a dozen
    /// nanoseconds from then on.
    ///
    /// ```
    /// use wingbeat::Flock2;
    /// let mut flock = Flock2::builder().build()?;
    /// let id = flock.add([1.0, 2.0], [0.0, 1.0])?;
    /// assert_eq!(flock.boid(id)?.position, [1.0, 2.0]);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When no living boid has this id.
    pub fn boid(&self, id: BoidId) -> Result<Boid<D>, FlockError> {
        self.frame().find(id)
    }

    /// Adds a boid and tells its id, larger than any before. It is of the first species; among
    /// bodies it needs room for its own, which takes O(n) to find out.
    ///
    /// # Errors
    /// When its state is not accepted or there is no room.
    pub fn add(
        &mut self,
        position: impl Into<[f32; D]>,
        velocity: impl Into<[f32; D]>,
    ) -> Result<BoidId, FlockError> {
        self.add_boid(SpeciesId::default(), position.into(), velocity.into())
    }

    /// The same for a boid of a species.
    ///
    /// ```
    /// use wingbeat::{Flock2, Params, Rules, Species};
    /// let mut params = Params::default();
    /// params.add_species(Species::new("hare", Rules::boids(2.0)));
    /// let fox = params.add_species(Species::new("fox", Rules::default()));
    /// let mut flock = Flock2::builder().params(params).build()?;
    /// let reynard = flock.add_as(fox, [1.0, 2.0], [0.0, 1.0])?;
    /// assert_eq!(flock.traits(reynard)?.species, flock.species_named("fox")?);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// As [`add`](Self::add), and when there is no such species.
    pub fn add_as(
        &mut self,
        species: SpeciesId,
        position: impl Into<[f32; D]>,
        velocity: impl Into<[f32; D]>,
    ) -> Result<BoidId, FlockError> {
        self.add_boid(species, position.into(), velocity.into())
    }

    #[inline(never)]
    pub(crate) fn add_boid(
        &mut self,
        species: SpeciesId,
        position: [f32; D],
        velocity: [f32; D],
    ) -> Result<BoidId, FlockError> {
        let own = Traits { species, ..Traits::default() };
        own.check(&self.settings.params)?;
        let boid = Boid { id: BoidId::new(self.state.boids.next_id()), position, velocity };
        let boid = checks::admit(&boid, &self.settings.domain)?;
        if let Some(course) = &self.state.course {
            course.admit(boid.id, boid.position)?;
        }
        if let Some(bodies) = &self.derived.bodies {
            body::admit_newcomer(
                bodies,
                &self.state.boids,
                (&boid, species),
                &self.settings.domain,
                self.state.course.as_deref(),
            )?;
        }
        self.welcome(species, boid.position, boid.velocity)
    }

    /// Adds many boids, each a position and a velocity, all or none, and tells their ids, in the
    /// same order. As [`add`](Self::add) one after the other; bodies need room beside each other,
    /// too.
    ///
    /// ```
    /// use wingbeat::Flock2;
    /// let mut flock = Flock2::builder().build()?;
    /// let ids = flock.add_all([([1.0, 2.0], [0.0; 2]), ([3.0, 4.0], [0.0; 2])])?;
    /// assert_eq!(flock.boid(ids[1])?.position, [3.0, 4.0]);
    /// assert!(flock.add_all([([5.0, 6.0], [0.0; 2]), ([f32::NAN, 0.0], [0.0; 2])]).is_err());
    /// assert_eq!(flock.len(), 2);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When a state is not accepted or there is no room; nothing is changed then.
    pub fn add_all(
        &mut self,
        boids: impl IntoIterator<Item = (impl Into<[f32; D]>, impl Into<[f32; D]>)>,
    ) -> Result<Vec<BoidId>, FlockError> {
        let boids =
            boids.into_iter().map(|(position, velocity)| (position.into(), velocity.into()));
        self.add_list(&boids.collect::<Vec<_>>())
    }

    #[inline(never)]
    pub(crate) fn add_list(
        &mut self,
        boids: &[([f32; D], [f32; D])],
    ) -> Result<Vec<BoidId>, FlockError> {
        let first = self.state.boids.next_id();
        let mut added = Vec::with_capacity(boids.len());
        for &(position, velocity) in boids {
            match self.add_boid(SpeciesId::default(), position, velocity) {
                Ok(id) => added.push(id),
                Err(refusal) => {
                    self.remove(&added)?;
                    self.state.boids.expect_id(first);
                    return Err(refusal);
                }
            }
        }
        Ok(added)
    }

    /// A boid more of a species, under the next id, whose state is accepted.
    pub(super) fn welcome(
        &mut self,
        species: SpeciesId,
        position: [f32; D],
        velocity: [f32; D],
    ) -> Result<BoidId, FlockError> {
        let FlockState { boids, seed, .. } = &mut self.state;
        let id = boids.add(position, velocity)?;
        let (slot, own) = (boids.len() - 1, Traits { species, ..Traits::default() });
        let traits = drawn(own, &self.settings.params, *seed, id.get());
        boids.extra.set_traits(slot, &traits, slot + 1);
        if let Some(slices) = &mut self.derived.slices {
            slices.welcome(slot, boids);
        }
        self.boids_changed();
        Ok(id)
    }

    /// Boids of the first species under their own ids, which ascend from the next one on, and whose
    /// states are accepted.
    #[inline(never)]
    pub(crate) fn welcome_all(&mut self, boids: &[Boid<D>]) -> Result<(), FlockError> {
        for boid in boids {
            self.state.boids.expect_id(boid.id.get());
            self.welcome(SpeciesId::default(), boid.position, boid.velocity)?;
        }
        Ok(())
    }

    /// Removes boids, all or none. Their ids are never used again.
    ///
    /// # Errors
    /// When an id is not of a living boid, or is named twice.
    #[inline(never)]
    pub fn remove(&mut self, ids: &[BoidId]) -> Result<(), FlockError> {
        self.state.boids.remove(ids, &mut self.workspace.back, &self.machine.workers)?;
        self.boids_changed();
        Ok(())
    }

    /// Removes a boid. Its id is never used again.
    ///
    /// # Errors
    /// When no living boid has this id.
    pub fn remove_one(&mut self, id: BoidId) -> Result<(), FlockError> {
        self.remove(&[id])
    }

    /// Others are here, or in another order: leaders, forces and the order are to be found anew.
    pub(super) fn boids_changed(&mut self) {
        self.derived.drives.forget_leaders();
        self.workspace.steered = false;
        self.workspace.boids_moved();
    }
}
