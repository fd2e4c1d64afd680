//! Drives of a flock: setting them, and the progress of the boids they act on.

use wingbeat_steer::drive::{Drive, check_place};
use wingbeat_steer::{Boundary, TimeStep};

use super::Flock;
use crate::simd::with_default_rounding;
use crate::terms::drive::{Interval, Moved};
use crate::{BoidId, Event, FlockError, flock::checks};

impl<const D: usize> Flock<D> {
    /// The drives, in the order of their terms; the host's own are not among them.
    pub fn drives(&self) -> &[Drive<[f32; D]>] {
        self.drives.list()
    }

    /// Other drives from the next step on. What boids remember (where a wander's point is, whether
    /// they have arrived, their next waypoint) is kept where the drive in the same place is still
    /// of use to it ([`Drive::continues`]), and begins anew elsewhere.
    ///
    /// # Errors
    /// As [`FlockBuilder::build`](crate::FlockBuilder::build); nothing is changed then.
    #[inline(never)]
    pub fn set_drives(&mut self, drives: Vec<Drive<[f32; D]>>) -> Result<(), FlockError> {
        let exists = |id| self.boids.rank_of(BoidId::new(id)).is_ok();
        checks::check_drives(&drives, self.drives.own(), &self.domain, &self.params, exists)?;
        let terms = self.drives.count();
        self.drives.replace(drives, &mut self.boids);
        self.settings.take();
        if self.drives.count() != terms {
            self.prepared = self.prepare(&self.params, self.prepared.radius);
        }
        Ok(())
    }

    /// A boid's own goal; `None` where goals draw it to their common target, if they have one.
    ///
    /// # Errors
    /// When the id is unknown.
    #[inline(never)]
    pub fn goal(&self, id: BoidId) -> Result<Option<[f32; D]>, FlockError> {
        Ok(self.boids.extra.goal(self.boids.slot_of(id)?))
    }

    /// Gives a boid a goal of its own, to which every [`Goal`](crate::terms::drive::Goal) drives it
    /// instead of its common target, or takes it away. Arrivals count anew. The boid is found as by
    /// [`set_position`](Self::set_position).
    ///
    /// # Errors
    /// When the id is unknown, or the goal outside the domain's box.
    #[inline(never)]
    pub fn set_goal(&mut self, id: BoidId, goal: Option<[f32; D]>) -> Result<(), FlockError> {
        let slot = self.boids.slot_of(id)?;
        self.check_goal(id, goal)?;
        self.drives.set_goal(slot, goal, &mut self.boids);
        Ok(())
    }

    /// The same for many boids at once, all or none; O(n + k) once for each step, then O(k).
    ///
    /// ```
    /// use wingbeat::{Drive, Flock2, TimeStep, drive::Goal};
    /// let drive = Drive::new("goal", Goal { arrival_radius: 0.5, ..Default::default() });
    /// let mut flock = Flock2::builder()
    ///     .drives(vec![drive])
    ///     .boids(&[[0.0, 0.0], [9.0, 9.0]], &[[0.0; 2]; 2])
    ///     .build()?;
    /// let ids: Vec<_> = flock.frame().living().to_vec();
    /// flock.set_goals(&[(ids[0], Some([1.0, 0.0])), (ids[1], Some([9.0, 5.0]))])?;
    /// let dt = TimeStep::new(0.05)?;
    /// while flock.events().is_empty() {
    ///     flock.step(dt);
    /// }
    /// assert_eq!(flock.events(), [wingbeat::Event::Arrived { boid: ids[0], drive: 0 }]);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// As [`set_goal`](Self::set_goal); nothing is changed then.
    #[inline(never)]
    pub fn set_goals(&mut self, goals: &[(BoidId, Option<[f32; D]>)]) -> Result<(), FlockError> {
        for &(id, goal) in goals {
            self.boids.rank_of(id)?;
            self.check_goal(id, goal)?;
        }
        self.boids.slots();
        for &(id, goal) in goals {
            self.drives.set_goal(self.boids.slot_of(id)?, goal, &mut self.boids);
        }
        Ok(())
    }

    fn check_goal(&self, id: BoidId, goal: Option<[f32; D]>) -> Result<(), FlockError> {
        let Some(goal) = goal else { return Ok(()) };
        check_place("goal", goal, &self.domain).map_err(|refusal| FlockError::Boid { id, refusal })
    }

    /// What happened in the last step: captures by the captors' ids, arrivals by id and drive, who
    /// left by an exit, which boids obstacles squeeze, which left the domain, and who entered, by
    /// id. Who was captured, or left where it arrived, by an exit or out of the domain, is no
    /// longer in the flock; who entered is. Empty before the first step.
    ///
    /// ```
    /// use wingbeat::{Event, Flock2, Interaction, InteractionKind, Params, Species, TimeStep};
    /// let named = |name: &str| Species { name: name.into(), ..Default::default() };
    /// let chase = Interaction {
    ///     capture_radius: 0.5,
    ///     ..Interaction::new(1, 0, InteractionKind::Pursue, 5.0)
    /// };
    /// let params = Params {
    ///     species: vec![named("hare"), named("fox")],
    ///     interactions: vec![chase],
    ///     ..Default::default()
    /// };
    /// let mut flock = Flock2::builder()
    ///     .params(params)
    ///     .boids(&[[0.0, 0.0], [0.3, 0.0]], &[[0.0; 2]; 2])
    ///     .species(vec![0, 1])
    ///     .build()?;
    /// flock.step(TimeStep::new(0.1)?);
    /// let [Event::Captured { captor, prey }] = flock.events() else { unreachable!() };
    /// assert_eq!((captor.get(), prey.get(), flock.len()), (1, 0, 1));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    pub fn events(&self) -> &[Event] {
        &self.happened.events
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Time passed: the lengths of all steps, added up in `f64`.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// After the boids have moved: memories go on, arrivals are noted.
    pub(super) fn remember_and_arrive(&mut self, dt: TimeStep) {
        if self.drives.count() > 0 {
            let passed = Interval {
                seed: self.seed,
                step: self.step,
                from: self.time,
                to: self.time + f64::from(dt.get()),
            };
            let (boids, domain, happened) = (&mut self.boids, &self.domain, &mut self.happened);
            let on = (self.level, &*self.workers);
            if let Some(bodies) = self.bodies.as_ref().filter(|_| self.drives.settles()) {
                let (radii, largest) = (&bodies.radii[..], bodies.largest);
                let moved =
                    Moved { params: &self.params, grid: &self.grid, radii, largest, passed };
                with_default_rounding(|| {
                    self.drives.press(
                        boids,
                        domain,
                        moved,
                        (&*self.workers, |scratch| &mut scratch.runs),
                    )
                });
            }
            with_default_rounding(|| self.drives.progress(boids, domain, passed, on, happened));
        }
    }

    /// A boid that is outside of an absorbing domain leaves.
    pub(super) fn leave_domain(&mut self) {
        if self.domain.boundary == Boundary::Absorbing {
            let (columns, ids, domain) = (&self.boids.front, self.boids.ids(), &self.domain);
            let outside = |slot| !domain.contains(columns.position(slot));
            let found = self.happened.find(self.boids.len(), outside, &self.workers);
            self.happened.left(found.iter().map(|&slot| ids.of(columns.rank[slot as usize])));
            self.happened.put_back(found);
        }
    }
}
