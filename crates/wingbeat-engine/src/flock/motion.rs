//! Setting positions and velocities of boids.
//!
//! Where a host puts bodies is not checked for overlaps, as that would be for nothing while it
//! moves one after the other: those that overlap may only move apart until they do not.

use super::Flock;
use crate::{Boid, BoidId, FlockError, flock::checks};

impl<const D: usize> Flock<D> {
    /// Moves a boid. Its id is found at once or by bisection (O(log n)) if ids are missing; its
    /// slot by a scan for the first few look-ups after a step, and at once after that
    /// ([`set_positions`](Self::set_positions) is for many in one call). It may overlap other
    /// bodies there; two that do may only move apart.
    ///
    /// # Errors
    /// When the id is unknown or the position not accepted.
    pub fn set_position(
        &mut self,
        id: BoidId,
        position: impl Into<[f32; D]>,
    ) -> Result<(), FlockError> {
        self.place_boid(id, position.into())
    }

    #[inline(never)]
    pub(crate) fn place_boid(&mut self, id: BoidId, position: [f32; D]) -> Result<(), FlockError> {
        let position = self.admit_position(id, position)?;
        let slot = self.state.boids.slot_of(id)?;
        self.workspace.boids_moved();
        self.state.boids.set_position(slot, position);
        Ok(())
    }

    /// Changes a boid's velocity; the boid is found as by [`set_position`](Self::set_position).
    ///
    /// # Errors
    /// When the id is unknown or the velocity not accepted.
    pub fn set_velocity(
        &mut self,
        id: BoidId,
        velocity: impl Into<[f32; D]>,
    ) -> Result<(), FlockError> {
        self.send_boid(id, velocity.into())
    }

    #[inline(never)]
    pub(crate) fn send_boid(&mut self, id: BoidId, velocity: [f32; D]) -> Result<(), FlockError> {
        checks::admit_velocity(id, velocity)?;
        let slot = self.state.boids.slot_of(id)?;
        self.state.boids.set_velocity(slot, velocity);
        Ok(())
    }

    /// Moves many boids, all or none; O(n + k) for k of n boids, once for each step, then O(k).
    /// Bodies may overlap, as after [`set_position`](Self::set_position).
    ///
    /// ```
    /// use wingbeat::Flock2;
    /// let mut flock = Flock2::builder().boids(&[[0.0, 0.0], [1.0, 0.0]], &[[0.0; 2]; 2]).build()?;
    /// let ids = flock.frame().living().to_vec();
    /// flock.set_positions(&[(ids[1], [5.0, 5.0]), (ids[0], [2.0, 2.0])])?;
    /// flock.set_velocities(&[(ids[0], [1.0, 0.0])])?;
    /// assert_eq!(flock.frame().find(ids[1])?.position, [5.0, 5.0]);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When an id is unknown or a position not accepted; nothing is changed then.
    #[inline(never)]
    pub fn set_positions(&mut self, positions: &[(BoidId, [f32; D])]) -> Result<(), FlockError> {
        for &(id, position) in positions {
            self.state.boids.rank_of(id)?;
            self.admit_position(id, position)?;
        }
        self.state.boids.slots();
        for &(id, position) in positions {
            let slot = self.state.boids.slot_of(id)?;
            self.state.boids.set_position(slot, checks::settled(position, &self.settings.domain));
        }
        self.workspace.boids_moved();
        Ok(())
    }

    /// Changes the velocities of many boids, all or none; as
    /// [`set_positions`](Self::set_positions).
    ///
    /// # Errors
    /// When an id is unknown or a velocity not accepted; nothing is changed then.
    #[inline(never)]
    pub fn set_velocities(&mut self, velocities: &[(BoidId, [f32; D])]) -> Result<(), FlockError> {
        for &(id, velocity) in velocities {
            self.state.boids.rank_of(id)?;
            checks::admit_velocity(id, velocity)?;
        }
        self.state.boids.slots();
        for &(id, velocity) in velocities {
            let slot = self.state.boids.slot_of(id)?;
            self.state.boids.set_velocity(slot, velocity);
        }
        Ok(())
    }

    /// Moves every boid: positions and velocities in columns by ascending id, as
    /// [`Frame::by_id`](crate::Frame::by_id) walks them. Bodies may overlap, as after
    /// [`set_position`](Self::set_position).
    ///
    /// ```
    /// use wingbeat::Flock2;
    /// let mut flock =
    ///     Flock2::builder().boids(&[[0.0, 0.0], [1.0, 0.0]], &[[0.0; 2]; 2]).build()?;
    /// flock.set_state(&[[5.0, 0.0], [6.0, 0.0]], &[[0.0, 1.0]; 2])?;
    /// assert_eq!(
    ///     flock.frame().by_id().map(|boid| boid.position[0]).collect::<Vec<_>>(),
    ///     [5.0, 6.0]
    /// );
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When there are more or fewer positions or velocities than boids, or one is not accepted;
    /// nothing is changed then.
    #[inline(never)]
    pub fn set_state(
        &mut self,
        positions: &[[f32; D]],
        velocities: &[[f32; D]],
    ) -> Result<(), FlockError> {
        for given in [positions.len(), velocities.len()] {
            if given != self.len() {
                return Err(wingbeat_steer::ParamError::new(
                    "state",
                    given,
                    format!("one row a boid, {}", self.len()),
                )
                .into());
            }
        }
        let ids = &self.state.boids.ids;
        for ((&id, &position), &velocity) in ids.iter().zip(positions).zip(velocities) {
            self.admit_position(id, position)?;
            checks::admit_velocity(id, velocity)?;
        }
        let slots = self.state.boids.slots().to_vec();
        for ((slot, &position), &velocity) in slots.into_iter().zip(positions).zip(velocities) {
            self.state
                .boids
                .set_position(slot as usize, checks::settled(position, &self.settings.domain));
            self.state.boids.set_velocity(slot as usize, velocity);
        }
        self.workspace.boids_moved();
        Ok(())
    }

    /// These boids instead of all others, under their own ids. They are of the first species,
    /// without traits, goals or a past: [`restore`](Self::restore) goes back to a state with all of
    /// these. Bodies may overlap, and a boid inside an obstacle is outside after the next step:
    /// squeezed between two, boids are. O(n·log n).
    ///
    /// ```
    /// use wingbeat::{Boid, Flock2};
    /// let mut flock = Flock2::builder().boids(&[[0.0, 0.0], [1.0, 0.0]], &[[0.0; 2]; 2]).build()?;
    /// let then: Vec<Boid<2>> = flock.frame().by_id().collect();
    /// flock.remove(&[then[1].id])?;
    /// flock.set_boids(&then)?;
    /// assert_eq!(flock.frame().by_id().collect::<Vec<_>>(), then);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When an id is named twice, or a state is not accepted; nothing is changed then.
    #[inline(never)]
    pub fn set_boids(&mut self, boids: &[Boid<D>]) -> Result<(), FlockError> {
        checks::room_for(
            boids.len(),
            crate::memory::bytes_a_boid(&self.settings.params, &self.settings.drives),
        )?;
        let mut boids = boids.to_vec();
        boids.sort_unstable_by_key(|boid| boid.id);
        checks::distinct_ids(&boids)?;
        if let Some(last) = boids.last().filter(|last| last.id.get() == u64::MAX) {
            return Err(FlockError::UnknownBoid(last.id));
        }
        checks::admit_all(&mut boids, &self.settings.domain)?;
        let living = self.state.boids.ids.clone();
        self.remove(&living)?;
        let next = self.state.boids.next_id();
        self.welcome_all(&boids)?;
        let beyond = boids.last().map_or(0, |last| last.id.get() + 1);
        self.state.boids.expect_id(if beyond > next { beyond } else { next });
        Ok(())
    }

    /// The position as it enters the domain, outside of obstacles.
    pub(super) fn admit_position(
        &self,
        id: BoidId,
        position: [f32; D],
    ) -> Result<[f32; D], FlockError> {
        let boid =
            checks::admit(&Boid { id, position, velocity: [0.0; D] }, &self.settings.domain)?;
        if let Some(course) = &self.state.course {
            course.admit(id, boid.position)?;
        }
        Ok(boid.position)
    }
}
