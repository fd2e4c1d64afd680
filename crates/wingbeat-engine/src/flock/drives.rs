//! Drives of a flock: setting them, and the progress of the boids they act on.

use std::sync::Arc;

use wingbeat_steer::drive::{Drive, check_place};
use wingbeat_steer::{Boundary, DriveId, TimeStep};

use super::{Flock, Settings};
use crate::flock::parts::{FlockState, Workspace, kernel_tables};
use crate::simd::with_default_rounding;
use crate::terms::drive::{Interval, Moved, settles};
use crate::{BoidId, Event, FlockError, flock::checks};

impl<const D: usize> Flock<D> {
    /// The drives, in the order of their terms; the host's own are not among them.
    pub fn drives(&self) -> &[Drive<[f32; D]>] {
        &self.settings.drives
    }

    /// The drive of this name, of the host's own ones too.
    ///
    /// # Errors
    /// Names those that there are.
    #[inline(never)]
    pub fn drive_named(&self, name: &str) -> Result<DriveId, FlockError> {
        let own = self.host.drives.iter().map(|(name, _)| &**name);
        let names = self.drives().iter().map(|drive| &*drive.name).chain(own);
        Ok(DriveId::named(name, names)?)
    }

    /// Other drives from the next step on. What boids remember (where a wander's point is, whether
    /// they have arrived, their next waypoint) is kept where the drive in the same place is still
    /// of use to it ([`Drive::continues`]), and begins anew elsewhere.
    ///
    /// # Errors
    /// As [`FlockBuilder::build`](crate::FlockBuilder::build); nothing is changed then.
    #[inline(never)]
    pub fn set_drives(&mut self, drives: Vec<Drive<[f32; D]>>) -> Result<(), FlockError> {
        let exists = |id| self.state.boids.rank_of(BoidId::new(id)).is_ok();
        checks::check_drives(&drives, &self.host.drives, &self.settings, exists)?;
        let settings = Arc::make_mut(&mut self.settings);
        let before = std::mem::replace(&mut settings.drives, drives);
        self.derived.drives.replace([&before, &settings.drives], &mut self.state.boids);
        if before.len() != settings.drives.len() {
            self.derived.kernel = kernel_tables(settings, &self.host, &self.machine);
        }
        Ok(())
    }

    /// A boid's own goal; `None` where goals draw it to their common target, if they have one.
    ///
    /// # Errors
    /// When the id is unknown.
    #[inline(never)]
    pub fn goal(&self, id: BoidId) -> Result<Option<[f32; D]>, FlockError> {
        Ok(self.state.boids.extra.goal(self.state.boids.slot_of(id)?))
    }

    /// Gives a boid a goal of its own, to which every [`Goal`](crate::terms::drive::Goal) drives it
    /// instead of its common target, or takes it away. Arrivals count anew. The boid is found as by
    /// [`set_position`](Self::set_position).
    ///
    /// # Errors
    /// When the id is unknown, or the goal outside the domain's box.
    #[inline(never)]
    pub fn set_goal(&mut self, id: BoidId, goal: Option<[f32; D]>) -> Result<(), FlockError> {
        let slot = self.state.boids.slot_of(id)?;
        self.check_goal(id, goal)?;
        self.derived.drives.set_goal(slot, goal, &mut self.state.boids);
        Ok(())
    }

    /// The same for many boids at once, all or none; O(n + k) once for each step, then O(k).
    ///
    /// ```
    /// use wingbeat::{Flock2, TimeStep, drive::Goal, steer::Drive};
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
    /// let home = flock.drive_named("goal")?;
    /// assert_eq!(flock.events(), [wingbeat::Event::Arrived { boid: ids[0], drive: home }]);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// As [`set_goal`](Self::set_goal); nothing is changed then.
    #[inline(never)]
    pub fn set_goals(&mut self, goals: &[(BoidId, Option<[f32; D]>)]) -> Result<(), FlockError> {
        for &(id, goal) in goals {
            self.state.boids.rank_of(id)?;
            self.check_goal(id, goal)?;
        }
        self.state.boids.slots();
        for &(id, goal) in goals {
            self.derived.drives.set_goal(
                self.state.boids.slot_of(id)?,
                goal,
                &mut self.state.boids,
            );
        }
        Ok(())
    }

    fn check_goal(&self, id: BoidId, goal: Option<[f32; D]>) -> Result<(), FlockError> {
        let Some(goal) = goal else { return Ok(()) };
        check_place("goal", goal, &self.settings.domain)
            .map_err(|refusal| FlockError::Boid { id, refusal })
    }

    /// What happened in the last step: captures by the captors' ids, arrivals by id and drive, who
    /// left by an exit, which boids obstacles squeeze, which left the domain, and who entered, by
    /// id. Who was captured, or left where it arrived, by an exit or out of the domain, is no
    /// longer in the flock; who entered is. Empty before the first step.
    ///
    /// ```
    /// use wingbeat::steer::{Interaction, InteractionKind};
    /// use wingbeat::{Event, Flock2, Params, Rules, Species, TimeStep};
    /// let mut params = Params::default();
    /// let hare = params.add_species(Species::new("hare", Rules::default()));
    /// let fox = params.add_species(Species::new("fox", Rules::default()));
    /// let chase = Interaction::new(fox, hare, InteractionKind::Pursue, 5.0);
    /// params.interactions.push(Interaction { capture_radius: 0.5, ..chase });
    /// let mut flock = Flock2::builder()
    ///     .params(params)
    ///     .boids(&[[0.0, 0.0], [0.3, 0.0]], &[[0.0; 2]; 2])
    ///     .species([hare, fox])
    ///     .build()?;
    /// flock.step(TimeStep::new(0.1)?);
    /// let [Event::Captured { captor, prey }] = flock.events() else { unreachable!() };
    /// assert_eq!((captor.get(), prey.get(), flock.len()), (1, 0, 1));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    pub fn events(&self) -> &[Event] {
        &self.workspace.happened.events
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.state.step
    }

    /// Time passed: the lengths of all steps, added up in `f64`.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// After the boids have moved: memories go on, arrivals are noted.
    pub(super) fn remember_and_arrive(&mut self, dt: TimeStep) {
        if self.has_drives() {
            let FlockState { boids, seed, step, time, .. } = &mut self.state;
            let to = *time + f64::from(dt.get());
            let passed = Interval { seed: *seed, step: *step, from: *time, to };
            let Settings { params, domain, drives: list, .. } = &*self.settings;
            let (drives, Workspace { grid, back, happened, .. }) =
                (&mut self.derived.drives, &mut self.workspace);
            let (level, workers) = (self.machine.level, &*self.machine.workers);
            if let Some(bodies) = self.derived.bodies.as_ref().filter(|_| settles(list)) {
                let (radii, largest) = (&bodies.radii[..], bodies.largest);
                let before = &back.columns;
                let moved = Moved { before, params, grid, radii, largest, passed };
                with_default_rounding(|| {
                    drives.press(
                        list,
                        (boids, domain),
                        moved,
                        (workers, |scratch| &mut scratch.runs),
                    )
                });
            }
            with_default_rounding(|| {
                drives.progress(list, (boids, domain), passed, (level, workers), happened)
            });
        }
    }

    /// Whether there are drives, listed or the host's own.
    pub(super) fn has_drives(&self) -> bool {
        !(self.settings.drives.is_empty() && self.host.drives.is_empty())
    }

    /// A boid that is outside of an absorbing domain leaves.
    pub(super) fn leave_domain(&mut self) {
        if self.settings.domain.boundary == Boundary::Absorbing {
            let (columns, ids, domain) =
                (&self.state.boids.front, self.state.boids.ids(), &self.settings.domain);
            let outside = |slot| !domain.contains(columns.position(slot));
            let found = self.workspace.happened.find(
                self.state.boids.len(),
                outside,
                &self.machine.workers,
            );
            self.workspace
                .happened
                .left(found.iter().map(|&slot| ids.of(columns.rank[slot as usize])));
            self.workspace.happened.put_back(found);
        }
    }
}
