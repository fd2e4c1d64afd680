//! Explanations: the textbook evaluated for one boid over the candidates of the flock's own grid.

use wingbeat_steer::{Context, Explanation, Perception, TextbookBoid, TextbookFlock, Turn};

use super::Flock;
use crate::identity::Identity;
use crate::kernel::{self, Captures, StepInput};
use crate::neighbors::SortedFlock;
use crate::simd::with_default_rounding;
use crate::{BoidId, FlockError};

impl<const D: usize> Flock<D> {
    /// What the steering of one boid in the **next** step is made of, from the flock as it is now:
    /// its neighbors with distance and angle, each rule's sum, response, weight and vector,
    /// drives, the walls' push, the host's own rules, what the combination and its limit make of
    /// them. [`Explanation::advance`] goes on to the velocity and position.
    ///
    /// Everything equals what the next step does bit for bit, if nothing is changed before it. A
    /// model's parts are not listed, only the boids it sees, its answer, and the further terms that
    /// are joined to it; of a rule of the host's own, the boids it sees and its force. Where boids
    /// take turns ([`steer_every`](crate::FlockBuilder::steer_every)) it says whether it is this
    /// one's, and otherwise the force it holds.
    ///
    /// It sorts the flock if that has not been done since the last change, which changes no result
    /// but leaves [`Frame::steering`](crate::Frame::steering) empty until the next step; after that
    /// it looks at the boids near this one alone. The boid is found as by
    /// [`set_position`](Self::set_position).
    ///
    /// ```
    /// use wingbeat::{Cohesion, Flock2, Params, TimeStep, steer::Decision};
    /// let params = Params {
    ///     rules: Cohesion { weight: 2.0, ..Default::default() }.into(),
    ///     ..Default::default()
    /// };
    /// let mut flock = Flock2::builder()
    ///     .params(params)
    ///     .boids(&[[0.0, 0.0], [0.5, 0.0]], &[[0.0; 2]; 2])
    ///     .build()?;
    /// let id = flock.frame().boid(0).id;
    /// let why = flock.explain(id)?;
    /// let Decision::Terms(combined) = &why.decision else { unreachable!() };
    /// let cohesion = &combined.terms[0];
    /// assert_eq!(cohesion.sees().map(|sees| sees.neighbors[0].distance), Some(0.5));
    /// assert_eq!(cohesion.weighted, [1.0, 0.0]);
    /// assert_eq!(why.steering, [1.0, 0.0]);
    ///
    /// let dt = TimeStep::new(0.5)?;
    /// flock.step(dt);
    /// assert_eq!(flock.frame().find(id)?.position, why.advance(dt).position);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When no living boid has this id.
    #[inline(never)]
    pub fn explain(&mut self, id: BoidId) -> Result<Explanation<[f32; D]>, FlockError> {
        self.state.boids.rank_of(id)?;
        if !self.workspace.sorted {
            self.sort();
        }
        if !self.host.declared.is_empty() && self.derived.drives.looks() {
            // The host's own rules look where drives say, and those look the leader of each boid up
            // once a step.
            self.derived.drives.prepare(
                &self.settings.drives,
                &self.state.boids,
                self.state.time,
                &self.machine.workers,
            );
        }
        let slot = self.state.boids.slot_of(id)?;
        Ok(with_default_rounding(|| self.explain_slot(slot, id)))
    }

    fn explain_slot(&self, slot: usize, id: BoidId) -> Explanation<[f32; D]> {
        let columns = &self.state.boids.front;
        let own = columns.position(slot);
        let mut runs = Vec::new();
        self.workspace.grid.search(columns, &own, &own, &mut runs);
        // Runs are disjoint and ascend, so this is slot order.
        let slots: Vec<usize> =
            runs.iter().flat_map(|run| run.first as usize..run.end as usize).collect();
        let boid = |&slot: &usize| TextbookBoid {
            id: self.state.boids.ids().of(columns.rank[slot]).get(),
            position: columns.position(slot),
            velocity: columns.velocity(slot),
        };
        let mut among = TextbookFlock {
            params: self.settings.params.clone(),
            domain: self.settings.domain,
            seed: self.state.seed,
            step: self.state.step,
            traits: slots
                .iter()
                .map(|slot| (boid(slot).id, self.state.boids.extra.traits(*slot)))
                .collect(),
            time: self.state.time,
            obstacles: self
                .state
                .course
                .as_ref()
                .map_or_else(Default::default, |course| course.course.clone()),
            boids: slots.iter().map(boid).collect(),
            ..Default::default()
        };
        self.recall(slot, id, &mut among);
        let order: Vec<usize> = (0..slots.len()).collect();
        let i = slots.binary_search(&slot).expect("a search finds the boid it is about");
        let host_rules = self.host_forces(slot);
        let host_drives = self.own_drives(slot);
        let turn = self.turn_of(slot, id);
        let bodies =
            self.derived.bodies.as_ref().map(|bodies| bodies.told(&self.state.boids, slot));
        let (boids, bodies) = (self.len(), bodies.as_deref());
        let blocked = self
            .state
            .boids
            .outcome
            .blocked
            .get()
            .map_or(0.0, |blocked| f32::from_bits(blocked[slot]));
        let context = Context {
            boids,
            host_rules: &host_rules,
            host_drives: &host_drives,
            turn,
            bodies,
            blocked,
        };
        among.explain_in(i, &order, &context)
    }

    /// Drives, and what the boid remembers of them; its leader is among the boids, behind
    /// those in slot order.
    fn recall(&self, slot: usize, id: BoidId, among: &mut TextbookFlock<[f32; D]>) {
        among.drives = self.settings.drives.clone();
        among.goals.extend(self.state.boids.extra.goal(slot).map(|goal| (id.get(), goal)));
        for (place, drive) in self.settings.drives.iter().enumerate() {
            among.memories.insert(
                (id.get(), place),
                self.derived.drives.memory((place, drive), slot, &self.state.boids.extra),
            );
            if let Some(parent) = drive.parent_of(id.get())
                && let Ok(at) = self.state.boids.slot_of(BoidId::new(parent))
            {
                let columns = &self.state.boids.front;
                let (position, velocity) = (columns.position(at), columns.velocity(at));
                among.boids.push(TextbookBoid { id: parent, position, velocity });
            }
        }
    }

    /// What each of the host's own drives does to one boid.
    fn own_drives(&self, slot: usize) -> Vec<[f32; D]> {
        let columns = &self.state.boids.front;
        let block =
            crate::terms::drive::BlockState::alone(columns.position(slot), columns.velocity(slot));
        let now = crate::terms::drive::Now::new(self.state.step, self.state.time);
        let force = |(_, drive): &crate::terms::drive::Named<D>| {
            drive.block(self.machine.level, &block, &now).map(|lanes| lanes[0])
        };
        self.host.drives.iter().map(force).collect()
    }

    fn turn_of(&self, slot: usize, id: BoidId) -> Turn<[f32; D]> {
        let Some(slices) = &self.derived.slices else { return Turn::EveryStep };
        let every = slices.every();
        if slices.turns(&self.state.boids.extra.phase, self.state.step).is_due(slot) {
            return Turn::Due { every };
        }
        let n = u64::from(every);
        let since = (id.get() % n + self.state.step % n) % n;
        Turn::Holds {
            every,
            force: std::array::from_fn(|a| self.state.boids.outcome.force[a].values()[slot]),
            steps_left: (n - since) as u32,
        }
    }

    /// What each of the host's own rules makes of the neighbors of one boid. There is no scalar
    /// form of them to ask, so they look from that slot themselves.
    fn host_forces(&self, slot: usize) -> Vec<(Perception, [f32; D])> {
        let Some(host) = &self.host.rules else { return Vec::new() };
        let (columns, extra) = (&self.state.boids.front, &self.state.boids.extra);
        let (ids, captures) = (self.state.boids.ids(), Captures::default());
        let identity =
            Identity { rank: &columns.rank, ids, seed: self.state.seed, step: self.state.step };
        let listed = (&self.settings.drives[..], &self.host.drives[..]);
        let input = StepInput {
            // Headings are read by alignment and models only.
            flock: SortedFlock::new(
                columns,
                extra,
                identity,
                (&self.workspace.grid, &self.settings.domain),
            ),
            prepared: &self.derived.kernel,
            extra,
            course: None,
            // For the direction in which the boid looks.
            drives: self
                .derived
                .drives
                .driving(listed, (columns, extra), self.state.time, self.machine.level)
                .filter(|driving| driving.looks),
            captures: &captures,
        };
        let forces = kernel::forces_of_host(&**host, self.machine.level, &input, slot);
        self.host.declared.iter().copied().zip(forces).collect()
    }
}
