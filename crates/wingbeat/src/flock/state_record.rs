//! The state record: what a later step depends on beside positions and velocities, by id.

use wingbeat_steer::ParamError;
use wingbeat_steer::anticipation::LARGEST_TURN;
use wingbeat_steer::gate::{ExitMemory, SourceMemory};
use wingbeat_steer::obstacle::ObstacleState;

use crate::FlockError;
use crate::columns::column::AnyColumn;
use crate::columns::extra::{Column, ExtraColumns, Info, Outcome, listed};
use crate::flock::Flock;
use crate::motion::obstacle::ObstacleIndex;

/// What a flock remembers beside positions and velocities; [`Flock::memory`] tells it,
/// [`Flock::remember`] takes it. With both, a flock of the same parameters, drives, obstacles,
/// domain and seed goes on in the same bits.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct StateRecord {
    /// Steps made.
    pub step: u64,
    /// Time passed: the lengths of all steps, added up in `f64`.
    pub time: f64,
    /// The id of the next boid that is added.
    pub next_id: u64,
    /// What each boid remembers, one column for each quantity, in an order that depends on the
    /// flock's parameters and drives alone.
    pub columns: Vec<StateColumn>,
    /// What each source remembers, in their order.
    pub sources: Vec<SourceMemory>,
    /// What each exit remembers, in their order.
    pub exits: Vec<ExitMemory>,
    /// What each obstacle remembers that the host moves, in their order; nothing: they are where
    /// they were at first.
    pub obstacles: Vec<ObstacleState>,
    /// What the host's own rules and drives remember.
    pub host: Vec<u8>,
}

/// One quantity that every boid remembers.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct StateColumn {
    /// `species`, `spent` and `resting` (stamina), `busy`, `max_speed`, `mass`, `radius` and `goal`
    /// (a boid's own; NaN: none), `drive`, `phase` and `held` (turns to steer, and the force until
    /// the next), `blocked` (bits of how blocked a boid with anticipation is). Those of several
    /// numbers are as many columns of one name.
    pub name: String,
    /// A value for each boid by ascending id: a whole number, or the bits of an `f32`.
    #[cfg_attr(feature = "serde", serde(with = "crate::flock::bytes::column"))]
    pub bits: Vec<u32>,
}

impl StateRecord {
    /// Memory of columns, to be given to [`Flock::remember`].
    pub fn new(step: u64, time: f64, next_id: u64, columns: Vec<StateColumn>) -> Self {
        Self { step, time, next_id, columns, ..Self::default() }
    }

    /// The same in a flock with sources.
    #[must_use]
    pub fn with_sources(mut self, sources: Vec<SourceMemory>) -> Self {
        self.sources = sources;
        self
    }

    /// The same in a flock with exits.
    #[must_use]
    pub fn with_exits(mut self, exits: Vec<ExitMemory>) -> Self {
        self.exits = exits;
        self
    }
}

impl StateColumn {
    /// A column of this name.
    pub fn new(name: impl Into<String>, bits: Vec<u32>) -> Self {
        Self { name: name.into(), bits }
    }
}

impl<const D: usize> Flock<D> {
    /// What the flock remembers beside positions and velocities; O(n).
    ///
    /// ```
    /// use wingbeat::{Flock2, TimeStep};
    /// let build = || Flock2::builder().boids(&[[0.0, 0.0], [1.0, 0.0]], &[[1.0, 0.0]; 2]).build();
    /// let (mut flock, mut other, dt) = (build()?, build()?, TimeStep::new(0.1)?);
    /// flock.step(dt);
    /// other.remember(&flock.memory())?;
    /// assert_eq!((other.memory().step, other.time()), (1, flock.time()));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    #[inline(never)]
    pub fn memory(&self) -> StateRecord {
        let slots = self.state.boids.slots();
        let gather = |(info, column): (Info, &dyn AnyColumn)| {
            let mut bits = Vec::with_capacity(slots.len());
            column.gather(slots, &mut bits);
            StateColumn::new(info.name, bits)
        };
        let columns = listed(&self.state.boids.extra, &self.state.boids.outcome);
        let columns = columns.into_iter().map(gather).collect();
        let sources = self.state.gates.sources.memory().to_vec();
        let exits = self.state.gates.exits.memory().to_vec();
        let (mut obstacles, mut host) = (Vec::new(), Vec::new());
        self.state.course.iter().for_each(|course| course.course.tell_memory(&mut obstacles));
        self.host.memory.iter().for_each(|memory| memory.save(&mut host));
        let (step, time, next_id) = (self.state.step, self.state.time, self.state.boids.next_id());
        StateRecord { step, time, next_id, columns, sources, exits, obstacles, host }
    }

    /// Remembers what another flock of the same parameters, drives, obstacles, domain and boids
    /// did, from the next step on. Obstacles go where their motions have them at that time.
    ///
    /// # Errors
    /// When the columns are not those that this flock has, or a value is not accepted; nothing is
    /// changed then.
    #[inline(never)]
    pub fn remember(&mut self, memory: &StateRecord) -> Result<(), FlockError> {
        self.check_clock(memory)?;
        let (mut extra, mut outcome) =
            (self.state.boids.extra.clone(), self.state.boids.outcome.clone());
        let told = |name: &str| memory.columns.iter().any(|column| column.name == name);
        extra.use_own(&|info, in_use| in_use || told(info.name), self.len());
        if self.state.boids.holds_forces() {
            outcome.make_room(self.len());
        }
        self.scatter((&mut extra, &mut outcome), &memory.columns)?;
        self.check_memory(&extra, &outcome)?;
        let obstacles = self.state.course.as_ref().map(|course| course.course.obstacles());
        let mut course = obstacles
            .map(|obstacles| ObstacleIndex::new(obstacles, &self.settings.domain, memory.time))
            .transpose()?
            .flatten();
        match &mut course {
            Some(course) if !memory.obstacles.is_empty() => {
                course.remember(&memory.obstacles, memory.time, &self.machine.workers)?
            }
            None if !memory.obstacles.is_empty() => {
                return Err(ParamError::new(
                    "memory.obstacles",
                    memory.obstacles.len(),
                    "none: this flock has no obstacles",
                )
                .into());
            }
            _ => {}
        }
        self.state.gates.exits.check_memory(&memory.exits, memory.time)?;
        self.state.gates.sources.check_memory(&memory.sources)?;
        self.load_host(&memory.host)?;
        self.state.gates.sources.remember(&memory.sources)?;
        self.state.gates.exits.remember(&memory.exits, memory.time)?;

        self.state.course = course.map(Box::new);
        if let Some(slices) = &mut self.derived.slices {
            slices.go_on(&extra.phase);
        }
        (self.state.boids.extra, self.state.boids.outcome) = (extra, outcome);
        self.state.boids.expect_id(memory.next_id);
        (self.state.step, self.state.time) = (memory.step, memory.time);
        self.derived.drives.forget_leaders();
        (self.workspace.steered, self.workspace.sorted) = (false, false);
        Ok(())
    }

    fn check_clock(&self, memory: &StateRecord) -> Result<(), ParamError> {
        if !(memory.time.is_finite() && memory.time >= 0.0) {
            return Err(ParamError::new("time", memory.time, "a number, at least 0"));
        }
        let least = self.state.boids.ids.last().map_or(0, |id| id.get().saturating_add(1));
        if memory.next_id < least {
            return Err(ParamError::new(
                "next_id",
                memory.next_id,
                format!("at least {least}, beyond all ids"),
            ));
        }
        Ok(())
    }

    /// Values into the columns that are in use, each of which is told once.
    fn scatter(
        &self,
        (extra, outcome): (&mut ExtraColumns<D>, &mut Outcome<D>),
        told: &[StateColumn],
    ) -> Result<(), ParamError> {
        let (mut rest, mut refusal) = (told.iter().collect::<Vec<_>>(), None);
        let mut refuse = |value: String, allowed: String| {
            refusal.get_or_insert_with(|| ParamError::new("memory", value, allowed));
        };
        let mut scatter = |Info { name, .. }: Info, column: &mut dyn AnyColumn| {
            if !column.is_used() {
                return;
            }
            let Some(place) = rest.iter().position(|told| told.name == name) else {
                let allowed = format!("a column {name}: boids of this flock remember it");
                return refuse("nothing".into(), allowed);
            };
            let bits = &rest.remove(place).bits;
            if bits.len() == self.len() {
                return column.scatter(self.state.boids.slots(), bits);
            }
            let allowed = format!("{}, one a boid, in the column {name}", self.len());
            refuse(bits.len().to_string(), allowed);
        };
        extra.each_mut(&mut scatter);
        outcome.each_mut(&mut scatter);
        if let Some(StateColumn { name, .. }) = rest.first() {
            refuse(name.clone(), "what a boid of this flock remembers, once".into());
        }
        refusal.map_or(Ok(()), Err)
    }

    /// Refuses what would lead out of a list, or away from numbers.
    fn check_memory(
        &self,
        extra: &ExtraColumns<D>,
        outcome: &Outcome<D>,
    ) -> Result<(), FlockError> {
        self.derived.drives.check_memory(&self.settings.drives, extra, self.len())?;
        for (&id, &slot) in self.state.boids.ids.iter().zip(self.state.boids.slots()) {
            let slot = slot as usize;
            let refuse = |field: &str, value: String, allowed: String| {
                Err(FlockError::Boid { id, refusal: ParamError::new(field, value, allowed) })
            };
            extra
                .traits(slot)
                .check(&self.settings.params)
                .map_err(|refusal| FlockError::Boid { id, refusal })?;
            let goal = extra.goal(slot);
            if goal.is_some_and(|goal| goal.iter().any(|x| !x.is_finite())) {
                return refuse("goal", format!("{goal:?}"), "finite numbers".into());
            }
            let blocked = outcome.blocked.get().map_or(0, |blocked| blocked[slot]);
            let blocked = f32::from_bits(blocked);
            if !(-LARGEST_TURN..=LARGEST_TURN).contains(&blocked) {
                return refuse(
                    "blocked",
                    blocked.to_string(),
                    format!("-{LARGEST_TURN} to {LARGEST_TURN}"),
                );
            }
            let held = outcome.force.iter().filter_map(Column::get);
            let force: Vec<f32> = held.map(|column| column[slot]).collect();
            if force.iter().any(|x| !x.is_finite()) {
                return refuse("held", format!("{force:?}"), "finite numbers".into());
            }
            if let Some(slices) = &self.derived.slices
                && !slices.is_phase_of(id, extra.phase.values()[slot])
            {
                return refuse(
                    "phase",
                    extra.phase.values()[slot].to_string(),
                    "the id modulo flock.steer_every".into(),
                );
            }
        }
        Ok(())
    }
}
