//! The state record: what a later step depends on beside positions and velocities, by id.

use wingbeat_steer::ParamError;
use wingbeat_steer::anticipation::LARGEST_TURN;
use wingbeat_steer::gate::{ExitMemory, SourceMemory};
use wingbeat_steer::obstacle::ObstacleState;

use crate::FlockError;
use crate::columns::column::AnyColumn;
use crate::columns::extra::{Column, ExtraColumns, Info, Outcome, listed};
use crate::flock::Flock;
use crate::flock::parts::FlockState;
use crate::motion::obstacle::ObstacleIndex;

/// What a flock remembers beside positions and velocities. With both, a flock of the same settings
/// and seed goes on in the same bits: a [`Checkpoint`](crate::snapshot::Checkpoint) holds them all.
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
    /// A record of these columns.
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
    #[inline(never)]
    pub(crate) fn record(&self) -> StateRecord {
        let mut record = StateRecord::default();
        self.record_to(&mut record);
        let boids = &self.state.boids;
        let slots = boids.slots();
        let gather = |(info, column): (Info, &dyn AnyColumn)| {
            let mut bits = Vec::with_capacity(slots.len());
            column.gather(slots, &mut bits);
            StateColumn::new(info.name, bits)
        };
        record.columns = listed(&boids.extra, &boids.outcome).into_iter().map(gather).collect();
        record
    }

    /// All of it but columns, in the room that is there.
    pub(super) fn record_to(&self, record: &mut StateRecord) {
        let FlockState { boids, step, time, course, gates, .. } = &self.state;
        (record.step, record.time, record.next_id) = (*step, *time, boids.next_id());
        record.sources.clear();
        record.sources.extend_from_slice(gates.sources.memory());
        record.exits.clear();
        record.exits.extend_from_slice(gates.exits.memory());
        record.obstacles.clear();
        course.iter().for_each(|course| course.course.tell_memory(&mut record.obstacles));
        record.host.clear();
        self.host.memory.iter().for_each(|memory| memory.save(&mut record.host));
    }

    /// Goes on from a record of the boids that are there. Obstacles go where their motions have
    /// them at that time.
    ///
    /// # Errors
    /// When the columns are not those that this flock has, or a value is not accepted; nothing is
    /// changed then.
    pub(super) fn restore_record(&mut self, record: &StateRecord) -> Result<(), FlockError> {
        self.check_clock(record)?;
        let FlockState { boids, course, gates, .. } = &self.state;
        let (mut extra, mut outcome) = (boids.extra.clone(), boids.outcome.clone());
        let told = |name: &str| record.columns.iter().any(|column| column.name == name);
        extra.use_own(&|info, in_use| in_use || told(info.name), boids.len());
        if boids.holds_forces() {
            outcome.make_room(boids.len());
        }
        self.scatter((&mut extra, &mut outcome), &record.columns)?;
        self.check_columns(&extra, &outcome)?;
        let obstacles = course.as_ref().map(|course| course.course.obstacles());
        let mut course = obstacles
            .map(|obstacles| ObstacleIndex::new(obstacles, &self.settings.domain, record.time))
            .transpose()?
            .flatten();
        match &mut course {
            Some(course) if !record.obstacles.is_empty() => {
                course.remember(&record.obstacles, record.time, &self.machine.workers)?
            }
            None if !record.obstacles.is_empty() => {
                return Err(ParamError::new(
                    "memory.obstacles",
                    record.obstacles.len(),
                    "none: this flock has no obstacles",
                )
                .into());
            }
            _ => {}
        }
        gates.exits.check_memory(&record.exits, record.time)?;
        gates.sources.check_memory(&record.sources)?;
        self.load_host(&record.host)?;

        self.state.course = course.map(Box::new);
        (self.state.boids.extra, self.state.boids.outcome) = (extra, outcome);
        self.state.boids.expect_id(record.next_id);
        self.go_on_from(record)
    }

    /// The clock, and what exits and sources remember; what was found of boids before is not
    /// theirs.
    pub(super) fn go_on_from(&mut self, record: &StateRecord) -> Result<(), FlockError> {
        let FlockState { boids, step, time, gates, .. } = &mut self.state;
        gates.sources.remember(&record.sources)?;
        gates.exits.remember(&record.exits, record.time)?;
        (*step, *time) = (record.step, record.time);
        if let Some(slices) = &mut self.derived.slices {
            slices.go_on(&boids.extra.phase);
        }
        self.boids_changed();
        Ok(())
    }

    fn check_clock(&self, record: &StateRecord) -> Result<(), ParamError> {
        if !(record.time.is_finite() && record.time >= 0.0) {
            return Err(ParamError::new("time", record.time, "a number, at least 0"));
        }
        let least = self.state.boids.ids.last().map_or(0, |id| id.get().saturating_add(1));
        if record.next_id < least {
            return Err(ParamError::new(
                "next_id",
                record.next_id,
                format!("at least {least}, beyond all ids"),
            ));
        }
        Ok(())
    }

    /// Values into the columns that are in use, each of which is told once.
    #[inline(never)]
    pub(crate) fn scatter(
        &self,
        (extra, outcome): (&mut ExtraColumns<D>, &mut Outcome<D>),
        told: &[StateColumn],
    ) -> Result<(), ParamError> {
        let (mut rest, mut refusal) = (told.iter().collect::<Vec<_>>(), None);
        let mut refuse = |value: String, allowed: String| {
            refusal.get_or_insert_with(|| ParamError::new("memory", value, allowed));
        };
        let mut scatter = |Info { name, .. }: Info, column: &mut dyn AnyColumn| {
            if !column.in_use() {
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
    #[inline(never)]
    pub(crate) fn check_columns(
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
