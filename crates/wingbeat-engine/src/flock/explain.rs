//! Explanations: the textbook evaluated for one boid over the candidates of the flock's own grid.

use wingbeat_steer::{
    Context, Explanation, Perception, TextbookBoid, TextbookFlock, TimeStep, Turn,
};

use super::{Flock, Settings};
use crate::columns::boids::Boids;
use crate::flock::parts::FlockState;
use crate::identity::Identity;
use crate::kernel::{self, Captures, StepInput};
use crate::neighbors::SortedFlock;
use crate::simd::with_default_rounding;
use crate::terms::drive::{BlockState, Named, Now};
use crate::{BoidId, FlockError};

impl<const D: usize> Flock<D> {
    /// Why one boid goes where it goes in the **next** step, of `dt`, from the flock as it is now:
    /// its neighbors with distance and angle, each rule's sum, response, weight and vector,
    /// drives, the walls' push, the host's own rules, the combined force and its limit; then the
    /// [velocity and position](Explanation::advance) that follow.
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
    /// let dt = TimeStep::new(0.5)?;
    /// let why = flock.explain(id, dt)?;
    /// let Decision::Terms(combined) = &why.decision else { unreachable!() };
    /// let cohesion = &combined.terms[0];
    /// assert_eq!(cohesion.sees.as_ref().map(|sees| sees.neighbors[0].distance), Some(0.5));
    /// assert_eq!(cohesion.weighted, [1.0, 0.0]);
    /// assert_eq!(why.steering, [1.0, 0.0]);
    ///
    /// flock.step(dt);
    /// assert_eq!(flock.frame().find(id)?.position, why.advance.position);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When no living boid has this id.
    #[inline(never)]
    pub fn explain(
        &mut self,
        id: BoidId,
        dt: TimeStep,
    ) -> Result<Explanation<[f32; D]>, FlockError> {
        self.state.boids.rank_of(id)?;
        if !self.workspace.sorted {
            self.sort();
        }
        let FlockState { boids, time, .. } = &self.state;
        let drives = &mut self.derived.drives;
        if !self.host.declared.is_empty() && drives.looks() {
            // The host's own rules look where drives say, and those look the leader of each boid up
            // once a step.
            drives.prepare(&self.settings.drives, boids, *time, &self.machine.workers);
        }
        let slot = boids.slot_of(id)?;
        Ok(with_default_rounding(|| self.explain_slot(slot, id, dt)))
    }

    fn explain_slot(&self, slot: usize, id: BoidId, dt: TimeStep) -> Explanation<[f32; D]> {
        let FlockState { boids, seed, step, time, course, .. } = &self.state;
        let Settings { params, domain, .. } = &*self.settings;
        let columns = &boids.front;
        let own = columns.position(slot);
        let mut runs = Vec::new();
        self.workspace.grid.search(columns, &own, &own, &mut runs);
        // Runs are disjoint and ascend, so this is slot order.
        let slots: Vec<usize> =
            runs.iter().flat_map(|run| run.first as usize..run.end as usize).collect();
        let boid = |&slot: &usize| TextbookBoid {
            id: boids.id(slot),
            position: columns.position(slot),
            velocity: columns.velocity(slot),
        };
        let traits = |slot: &usize| (boids.id(*slot), boids.extra.traits(*slot));
        let mut among = TextbookFlock {
            params: params.clone(),
            domain: *domain,
            seed: *seed,
            step: *step,
            time: *time,
            traits: slots.iter().map(traits).collect(),
            obstacles: course.as_ref().map(|course| course.course.clone()).unwrap_or_default(),
            boids: slots.iter().map(boid).collect(),
            ..Default::default()
        };
        self.recall(slot, id, &mut among);
        let order: Vec<usize> = (0..slots.len()).collect();
        let i = slots.binary_search(&slot).expect("a search finds the boid it is about");
        let host_rules = self.host_forces(slot);
        let host_drives = self.own_drives(slot);
        let turn = self.turn_of(slot, id);
        let bodies = self.derived.bodies.as_ref().map(|bodies| bodies.told(boids, slot));
        let (boids, bodies) = (self.len(), bodies.as_deref());
        let (host_rules, host_drives) = (&*host_rules, &*host_drives);
        let context = Context { boids, host_rules, host_drives, turn, bodies };
        among.explain_in(i, &order, dt, &context)
    }

    /// How blocked the boid is where it anticipates, drives, and what it remembers of them; its
    /// leader is among the boids, behind those in slot order.
    fn recall(&self, slot: usize, id: BoidId, among: &mut TextbookFlock<[f32; D]>) {
        let Boids { front, extra, outcome, .. } = &self.state.boids;
        let blocked = outcome.blocked.get();
        among.blocked.extend(blocked.map(|blocked| (id.get(), f32::from_bits(blocked[slot]))));
        among.drives = self.settings.drives.clone();
        among.goals.extend(extra.goal(slot).map(|goal| (id.get(), goal)));
        for (place, drive) in self.settings.drives.iter().enumerate() {
            let memory = self.derived.drives.memory((place, drive), slot, extra);
            among.memories.insert((id.get(), place), memory);
            if let Some(parent) = drive.parent_of(id.get())
                && let Ok(at) = self.state.boids.slot_of(BoidId::new(parent))
            {
                let (position, velocity) = (front.position(at), front.velocity(at));
                among.boids.push(TextbookBoid { id: parent, position, velocity });
            }
        }
    }

    /// What each of the host's own drives does to one boid.
    fn own_drives(&self, slot: usize) -> Vec<[f32; D]> {
        let FlockState { boids, step, time, .. } = &self.state;
        let block = BlockState::alone(boids.front.position(slot), boids.front.velocity(slot));
        let now = Now::new(*step, *time);
        let force = |(_, drive): &Named<D>| {
            drive.block(self.machine.level, &block, &now).map(|lanes| lanes[0])
        };
        self.host.drives.iter().map(force).collect()
    }

    fn turn_of(&self, slot: usize, id: BoidId) -> Turn<[f32; D]> {
        let FlockState { boids, step, .. } = &self.state;
        let Some(slices) = &self.derived.slices else { return Turn::EveryStep };
        let every = self.settings.steer_every;
        if slices.turns(&boids.extra.phase, *step).is_due(slot) {
            return Turn::Due { every };
        }
        let n = u64::from(every);
        let since = (id.get() % n + step % n) % n;
        Turn::Holds {
            every,
            force: crate::arrays::from_fn(|a| boids.outcome.force[a].values()[slot]),
            steps_left: (n - since) as u32,
        }
    }

    /// What each of the host's own rules makes of the neighbors of one boid. There is no scalar
    /// form of them to ask, so they look from that slot themselves.
    fn host_forces(&self, slot: usize) -> Vec<(Perception, [f32; D])> {
        let Some(host) = &self.host.rules else { return Vec::new() };
        let (FlockState { boids, seed, step, time, .. }, level) = (&self.state, self.machine.level);
        let (columns, extra, captures) = (&boids.front, &boids.extra, Captures::default());
        let identity = Identity { rank: &columns.rank, ids: boids.ids(), seed: *seed, step: *step };
        let around = (&self.workspace.grid, &self.settings.domain);
        let listed = (&self.settings.drives[..], &self.host.drives[..]);
        let driving = self.derived.drives.driving(listed, (columns, extra), *time, level);
        let input = StepInput {
            // Headings are read by alignment and models only.
            flock: SortedFlock::new(columns, extra, identity, around),
            prepared: &self.derived.kernel,
            extra,
            course: None,
            // For the direction in which the boid looks.
            drives: driving.filter(|driving| driving.looks),
            captures: &captures,
        };
        let forces = kernel::forces_of_host(&**host, level, &input, slot);
        self.host.declared.iter().copied().zip(forces).collect()
    }
}
