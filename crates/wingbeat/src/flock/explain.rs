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
        self.boids.rank_of(id)?;
        if !self.sorted {
            self.sort();
        }
        if !self.declared.is_empty() && self.drives.looks() {
            // The host's own rules look where drives say, and those look the leader of each boid up
            // once a step.
            self.drives.prepare(&self.boids, self.time, &self.workers);
        }
        let slot = self.boids.slot_of(id)?;
        Ok(with_default_rounding(|| self.explain_slot(slot, id)))
    }

    fn explain_slot(&self, slot: usize, id: BoidId) -> Explanation<[f32; D]> {
        let columns = &self.boids.front;
        let own = columns.position(slot);
        let mut runs = Vec::new();
        self.grid.search(columns, &own, &own, &mut runs);
        // Runs are disjoint and ascend, so this is slot order.
        let slots: Vec<usize> =
            runs.iter().flat_map(|run| run.first as usize..run.end as usize).collect();
        let boid = |&slot: &usize| TextbookBoid {
            id: self.boids.ids().of(columns.rank[slot]).get(),
            position: columns.position(slot),
            velocity: columns.velocity(slot),
        };
        let mut among = TextbookFlock {
            params: self.params.clone(),
            domain: self.domain,
            seed: self.seed,
            step: self.step,
            traits: slots
                .iter()
                .map(|slot| (boid(slot).id, self.boids.extra.traits(*slot)))
                .collect(),
            time: self.time,
            obstacles: self
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
        let bodies = self.bodies.as_ref().map(|bodies| bodies.told(&self.boids, slot));
        let (boids, bodies) = (self.len(), bodies.as_deref());
        let blocked =
            self.boids.outcome.blocked.get().map_or(0.0, |blocked| f32::from_bits(blocked[slot]));
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
        among.drives = self.drives.list().to_vec();
        among.goals.extend(self.boids.extra.goal(slot).map(|goal| (id.get(), goal)));
        for (place, drive) in self.drives.list().iter().enumerate() {
            among
                .memories
                .insert((id.get(), place), self.drives.memory(place, slot, &self.boids.extra));
            if let Some(parent) = drive.parent_of(id.get())
                && let Ok(at) = self.boids.slot_of(BoidId::new(parent))
            {
                let columns = &self.boids.front;
                let (position, velocity) = (columns.position(at), columns.velocity(at));
                among.boids.push(TextbookBoid { id: parent, position, velocity });
            }
        }
    }

    /// What each of the host's own drives does to one boid.
    fn own_drives(&self, slot: usize) -> Vec<[f32; D]> {
        let columns = &self.boids.front;
        let block =
            crate::terms::drive::BlockState::alone(columns.position(slot), columns.velocity(slot));
        let now = crate::terms::drive::Now::new(self.step, self.time);
        let force = |(_, drive): &crate::terms::drive::Named<D>| {
            drive.block(self.level, &block, &now).map(|lanes| lanes[0])
        };
        self.drives.own().iter().map(force).collect()
    }

    fn turn_of(&self, slot: usize, id: BoidId) -> Turn<[f32; D]> {
        let Some(slices) = &self.slices else { return Turn::EveryStep };
        let every = slices.every();
        if slices.turns(&self.boids.extra.phase, self.step).is_due(slot) {
            return Turn::Due { every };
        }
        let n = u64::from(every);
        let since = (id.get() % n + self.step % n) % n;
        Turn::Holds {
            every,
            force: std::array::from_fn(|a| self.boids.outcome.force[a].values()[slot]),
            steps_left: (n - since) as u32,
        }
    }

    /// What each of the host's own rules makes of the neighbors of one boid. There is no scalar
    /// form of them to ask, so they look from that slot themselves.
    fn host_forces(&self, slot: usize) -> Vec<(Perception, [f32; D])> {
        let Some(host) = &self.rules else { return Vec::new() };
        let (columns, extra) = (&self.boids.front, &self.boids.extra);
        let (ids, captures) = (self.boids.ids(), Captures::default());
        let identity = Identity { rank: &columns.rank, ids, seed: self.seed, step: self.step };
        let input = StepInput {
            // Headings are read by alignment and models only.
            flock: SortedFlock::new(columns, extra, identity, (&self.grid, &self.domain)),
            prepared: &self.prepared,
            extra,
            course: None,
            // For the direction in which the boid looks.
            drives: self
                .drives
                .driving(columns, extra, self.time, self.level)
                .filter(|driving| driving.looks),
            captures: &captures,
        };
        let forces = kernel::forces_of_host(&**host, self.level, &input, slot);
        self.declared.iter().copied().zip(forces).collect()
    }
}
