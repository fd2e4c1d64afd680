//! Adding and removing boids.

use std::ops::Range;

use super::Flock;
use crate::flock::species_state::drawn;
use crate::{Boid, BoidId, FlockError, Traits, flock::checks, motion::body};

impl<const D: usize> Flock<D> {
    /// Adds a boid and tells its id, larger than any before. It is of the first species; among
    /// bodies it needs room for its own, which takes O(n) to find out.
    ///
    /// # Errors
    /// When its state is not accepted or there is no room.
    #[inline(never)]
    pub fn add(&mut self, position: [f32; D], velocity: [f32; D]) -> Result<BoidId, FlockError> {
        let boid = Boid { id: BoidId::new(self.state.boids.next_id()), position, velocity };
        let boid = checks::admit(&boid, &self.settings.domain)?;
        if let Some(course) = &self.state.course {
            course.admit(boid.id, boid.position)?;
        }
        if let Some(bodies) = &self.derived.bodies {
            body::admit_newcomer(
                bodies,
                &self.state.boids,
                &boid,
                &self.settings.domain,
                self.state.course.as_deref(),
            )?;
        }
        self.welcome(boid.position, boid.velocity)
    }

    /// Adds many boids, all or none, and tells their ids, which follow each other. As
    /// [`add`](Self::add) one after the other; bodies need room beside each other, too.
    ///
    /// ```
    /// use wingbeat::{BoidId, Flock2};
    /// let mut flock = Flock2::builder().build()?;
    /// assert_eq!(flock.add_all(&[([1.0, 2.0], [0.0; 2]), ([3.0, 4.0], [0.0; 2])])?, 0..2);
    /// assert!(flock.add_all(&[([5.0, 6.0], [0.0; 2]), ([f32::NAN, 0.0], [0.0; 2])]).is_err());
    /// assert_eq!((flock.len(), flock.add([5.0, 6.0], [0.0; 2])?), (2, BoidId::new(2)));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When a state is not accepted or there is no room; nothing is changed then.
    #[inline(never)]
    pub fn add_all(&mut self, boids: &[([f32; D], [f32; D])]) -> Result<Range<u64>, FlockError> {
        let first = self.state.boids.next_id();
        for &(position, velocity) in boids {
            if let Err(refusal) = self.add(position, velocity) {
                let added: Vec<BoidId> =
                    (first..self.state.boids.next_id()).map(BoidId::new).collect();
                self.remove(&added)?;
                self.state.boids.expect_id(first);
                return Err(refusal);
            }
        }
        Ok(first..self.state.boids.next_id())
    }

    /// A boid more, under the next id, whose state is accepted.
    pub(super) fn welcome(
        &mut self,
        position: [f32; D],
        velocity: [f32; D],
    ) -> Result<BoidId, FlockError> {
        let id = self.state.boids.add(position, velocity)?;
        if self.settings.params.limits_differ() {
            let slot = self.state.boids.len() - 1;
            self.state.boids.extra.set_traits(
                slot,
                &drawn(Traits::default(), &self.settings.params, self.state.seed, id.get()),
                slot + 1,
            );
        }
        if let Some(slices) = &mut self.derived.slices {
            slices.welcome(self.state.boids.len() - 1, &mut self.state.boids);
        }
        self.boids_changed();
        Ok(id)
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

    /// Others are here, or in another order: leaders, forces and the order are to be found anew.
    pub(super) fn boids_changed(&mut self) {
        self.derived.drives.forget_leaders();
        self.workspace.steered = false;
        self.workspace.boids_moved();
    }
}
