//! Snapshots in memory: saved and restored states of a flock, in buffers that are reused.
//!
//! ```text
//! save    each column in slot order is copied as it lies;
//!         settings are shared, and ids copied only where one is missing
//! load    the same the other way round;
//!         the next step sorts, which gives the order it would have been
//! ```

use std::sync::Arc;

use wingbeat_steer::ParamError;
use wingbeat_steer::gate::{ExitMemory, SourceMemory};
use wingbeat_steer::obstacle::ObstacleState;

use crate::columns::boids::Columns;
use crate::columns::extra::{Column, ExtraColumns, Outcome, listed};
use crate::flock::{Flock, Settings};
use crate::identity::are_ranks;
use crate::observe::{boid_hash, hash_on};
use crate::{BoidId, FlockError};

/// A state of a flock, kept in memory: [`Flock::save`] fills it, [`Flock::load`] goes back to it.
/// Once its buffers have grown, neither allocates. For what is to outlive the program there is
/// [`Checkpoint`](crate::Checkpoint).
///
/// Size: 8·D + 4 bytes a boid, 8 more where an id is missing among them, and what they carry beside
/// (species, stamina, drives' memories, ...).
#[derive(Clone, Debug)]
pub struct Snapshot<const D: usize> {
    settings: Option<Arc<Settings<D>>>,
    columns: Columns<D>,
    extra: ExtraColumns<D>,
    outcome: Outcome<D>,
    /// How many boids there are; empty `ids` are all those below this.
    boids: usize,
    ids: Vec<BoidId>,
    next_id: u64,
    sources: Vec<SourceMemory>,
    exits: Vec<ExitMemory>,
    obstacles: Vec<ObstacleState>,
    host: Vec<u8>,
    seed: u64,
    step: u64,
    time: f64,
}

impl<const D: usize> Default for Snapshot<D> {
    fn default() -> Self {
        Self {
            settings: None,
            columns: Columns::with_rows(0),
            extra: ExtraColumns::default(),
            outcome: Outcome::default(),
            boids: 0,
            ids: Vec::new(),
            next_id: 0,
            sources: Vec::new(),
            exits: Vec::new(),
            obstacles: Vec::new(),
            host: Vec::new(),
            seed: 0,
            step: 0,
            time: 0.0,
        }
    }
}

impl<const D: usize> Snapshot<D> {
    /// Steps that had been made.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// A fingerprint of all that can change a later bit of the boids: ids, positions, velocities,
    /// everything they carry and remember, where the host has moved obstacles, and what its own
    /// rules and drives remember. Two peers that compute the same game have the same,
    /// step by step, and where they first differ one of them has done something else. A host that
    /// wants to compare positions and velocities alone takes
    /// [`observe::state_hash`](crate::observe::state_hash). O(N).
    #[inline(never)]
    pub fn hash(&self) -> u64 {
        let of = |slot: usize| {
            let state = self.columns.position(slot).into_iter().chain(self.columns.velocity(slot));
            boid_hash(self.id(slot), state)
        };
        let mut hashes: Vec<u64> = (0..self.boids).map(of).collect();
        let mut columns = listed(&self.extra, &self.outcome);
        columns.sort_by_key(|(info, column)| (column.is_whole(), info.place));
        for (_, column) in columns {
            column.hash(&mut hashes, if column.is_whole() { hash_on } else { hash_number_on });
        }
        let others = [self.boids as u64, self.next_id, self.seed, self.step, self.time.to_bits()];
        let sources = self.sources.iter().flat_map(|source| [source.released, source.tries]);
        let exits = self.exits.iter().map(|exit| exit.last.unwrap_or(-1.0).to_bits());
        let poses = self.obstacles.iter().flat_map(|at| {
            let now = at.position.into_iter().chain(at.turn).chain(at.velocity);
            let next = at.pose.position.into_iter().chain([at.pose.angle]);
            now.chain(next.map(f64::from)).map(f64::to_bits)
        });
        let host = self.host.iter().map(|&byte| u64::from(byte));
        let all = others
            .into_iter()
            .chain(sources)
            .chain(exits)
            .chain(poses)
            .chain(host)
            .flat_map(|x| [x as u32, (x >> 32) as u32]);
        hashes.into_iter().fold(boid_hash(u64::MAX, all.map(f32::from_bits)), u64::wrapping_add)
    }

    fn id(&self, slot: usize) -> u64 {
        let rank = self.columns.rank[slot];
        self.ids.get(rank as usize).map_or(u64::from(rank), |id| id.get())
    }
}

/// Nothing is written NaN; two of them may have other bits.
fn hash_number_on(hash: u64, bits: u32) -> u64 {
    hash_on(hash, if f32::from_bits(bits).is_nan() { f32::NAN.to_bits() } else { bits })
}

impl<const D: usize> Flock<D> {
    /// Keeps the flock's state, in place of what was kept there before: everything that can change
    /// a later bit.
    ///
    /// ```
    /// use wingbeat::{Domain, Flock2, Params, Shape, Snapshot, Spawn, TimeStep, observe};
    /// let spawn =
    ///     Spawn { shape: Shape::Box { min: [0.0; 2], max: [20.0; 2] }, ..Spawn::default() };
    /// let mut flock = Flock2::builder()
    ///     .domain(Domain::periodic([0.0; 2], [20.0; 2]))
    ///     .spawn(200, &spawn)
    ///     .build()?;
    /// let dt = TimeStep::new(0.02)?;
    /// let mut saved = Snapshot::default();
    /// flock.save(&mut saved);
    /// (0..8).for_each(|_| flock.step(dt));
    /// let hash = observe::state_hash(&flock.frame());
    /// flock.load(&saved)?;
    /// (0..8).for_each(|_| flock.step(dt));
    /// assert_eq!(observe::state_hash(&flock.frame()), hash);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    #[inline(never)]
    pub fn save(&self, into: &mut Snapshot<D>) {
        if !into.settings.as_ref().is_some_and(|settings| Arc::ptr_eq(&self.settings, settings)) {
            into.settings = Some(Arc::clone(&self.settings));
        }
        into.columns.copy_from(&self.state.boids.front);
        let memories = self.state.boids.extra.memories.len();
        into.extra.memories.resize_with(memories, Column::default);
        into.extra.copy_from(&self.state.boids.extra);
        into.outcome.copy_from(&self.state.boids.outcome);
        into.boids = self.len();
        into.ids.clear();
        into.ids.extend_from_slice(if are_ranks(&self.state.boids.ids) {
            &[]
        } else {
            &self.state.boids.ids
        });
        into.next_id = self.state.boids.next_id();
        into.sources.clear();
        into.sources.extend_from_slice(self.state.gates.sources.memory());
        into.exits.clear();
        into.exits.extend_from_slice(self.state.gates.exits.memory());
        into.obstacles.clear();
        if let Some(course) = self.state.course.as_ref().filter(|course| course.moves()) {
            course.course.tell_memory(&mut into.obstacles);
        }
        into.host.clear();
        if let Some(host) = &self.host.memory {
            host.save(&mut into.host);
        }
        (into.seed, into.step, into.time) = (self.state.seed, self.state.step, self.state.time);
    }

    /// Goes back to a state of this flock, or takes over that of another with the same rules and
    /// drives of the host's own. The next step is what it would have been then. There are no
    /// [events](Self::events) until then.
    ///
    /// # Errors
    /// When nothing was saved there, the host refuses what its own rules and drives are to
    /// remember, or, of another flock's state, as
    /// [`FlockBuilder::build`](crate::FlockBuilder::build); nothing is changed then.
    #[inline(never)]
    pub fn load(&mut self, from: &Snapshot<D>) -> Result<(), FlockError> {
        let Some(settings) = &from.settings else {
            return Err(
                ParamError::new("saved", "nothing", "a state that a flock was saved to").into()
            );
        };
        let is_same = Arc::ptr_eq(&self.settings, settings);
        let other = if is_same { None } else { Some(self.with_settings(settings, from.seed)?) };
        self.load_host(&from.host)?;
        if let Some(other) = other {
            *self = other;
        }
        let boids = &mut self.state.boids;
        boids.adopt(&from.columns, from.boids, &from.ids, from.next_id);
        boids.extra.copy_from(&from.extra);
        boids.outcome.copy_from(&from.outcome);
        if let Some(slices) = &mut self.derived.slices {
            slices.go_on(&self.state.boids.extra.phase);
        }
        let gates = &mut self.state.gates;
        let told = gates
            .sources
            .remember(&from.sources)
            .and_then(|()| gates.exits.remember(&from.exits, from.time));
        debug_assert!(told.is_ok(), "they are of a flock of the same settings: {told:?}");
        if let Some(course) = self.state.course.as_mut().filter(|course| course.moves()) {
            let told = course.remember(&from.obstacles, from.time, &self.machine.workers);
            debug_assert!(told.is_ok(), "they are of a flock of the same settings: {told:?}");
        }
        (self.state.seed, self.state.step, self.state.time) = (from.seed, from.step, from.time);
        self.derived.drives.forget_leaders();
        self.workspace.happened.clear();
        (self.workspace.steered, self.workspace.sorted) = (false, false);
        Ok(())
    }

    /// What the host's own rules and drives are to remember.
    pub(super) fn load_host(&self, bytes: &[u8]) -> Result<(), FlockError> {
        let refused = |value: String, allowed: String| {
            Err(ParamError::new("host memory", value, allowed).into())
        };
        match &self.host.memory {
            Some(host) => host.load(bytes).or_else(|why| {
                refused(format!("{} bytes", bytes.len()), format!("what the host wrote ({why})"))
            }),
            None if bytes.is_empty() => Ok(()),
            None => refused(
                format!("{} bytes", bytes.len()),
                "none: this flock was given no host_memory".into(),
            ),
        }
    }
}

/// The states of the last steps, in a ring: for games that go back when a player's input comes
/// late.
///
/// ```
/// use wingbeat::{Flock2, SnapshotRing, TimeStep};
/// let mut flock = Flock2::builder().boids(&[[0.0, 0.0], [3.0, 0.0]], &[[1.0, 0.0]; 2]).build()?;
/// let (mut history, dt) = (SnapshotRing::new(8), TimeStep::new(0.1)?);
/// for _ in 0..20 {
///     history.save(&flock);
///     flock.step(dt);
/// }
/// history.load(14, &mut flock)?;
/// assert_eq!((flock.steps(), history.hash(14)? == history.hash(15)?), (14, false));
/// assert_eq!(
///     history.load(11, &mut flock).unwrap_err().to_string(),
///     "step = 11: allowed is 12 to 19, which are kept"
/// );
/// # Ok::<(), wingbeat::FlockError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SnapshotRing<const D: usize> {
    states: Vec<Snapshot<D>>,
}

impl<const D: usize> SnapshotRing<D> {
    /// Room for so many states, at least one.
    #[inline(never)]
    pub fn new(states: usize) -> Self {
        Self { states: vec![Snapshot::default(); states.max(1)] }
    }

    /// Keeps a flock's state, in place of that of its step, or of the one that many steps before.
    pub fn save(&mut self, flock: &Flock<D>) {
        let place = self.place(flock.steps());
        flock.save(&mut self.states[place]);
    }

    /// Takes a flock back to the state after so many steps; those of later steps stay until they
    /// are saved again.
    ///
    /// # Errors
    /// When that state is not kept any more, or as [`Flock::load`].
    pub fn load(&self, step: u64, flock: &mut Flock<D>) -> Result<(), FlockError> {
        flock.load(self.find(step)?)
    }

    /// [`Snapshot::hash`] of the state after so many steps.
    ///
    /// # Errors
    /// When that state is not kept any more.
    pub fn hash(&self, step: u64) -> Result<u64, FlockError> {
        Ok(self.find(step)?.hash())
    }

    fn find(&self, step: u64) -> Result<&Snapshot<D>, FlockError> {
        let kept = || self.states.iter().filter(|state| state.settings.is_some());
        let state = &self.states[self.place(step)];
        if state.step == step && state.settings.is_some() {
            return Ok(state);
        }
        let ends = kept().map(Snapshot::step).min().zip(kept().map(Snapshot::step).max());
        let allowed = ends.map_or("nothing: none is kept".into(), |(first, last)| {
            format!("{first} to {last}, which are kept")
        });
        Err(ParamError::new("step", step, allowed).into())
    }

    fn place(&self, step: u64) -> usize {
        (step % self.states.len() as u64) as usize
    }
}
