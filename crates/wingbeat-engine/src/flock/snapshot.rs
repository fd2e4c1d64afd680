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

use crate::FlockError;
use crate::columns::boids::{Boids, PADDING};
use crate::columns::extra::listed;
use crate::flock::parts::FlockState;
use crate::flock::{Flock, Settings, StateRecord};
use crate::observe::{boid_hash, hash_on};

/// A state of a flock, kept in memory: [`Flock::save`] fills it, [`Flock::load`] goes back to it.
/// Once its buffers have grown, neither allocates. For what is to outlive the program there is
/// [`Checkpoint`](crate::snapshot::Checkpoint).
///
/// Size: 8·D + 4 bytes a boid, 8 more where an id is missing among them, and what they carry beside
/// (species, stamina, drives' memories, ...).
#[derive(Clone, Debug)]
pub struct Snapshot<const D: usize> {
    settings: Option<Arc<Settings<D>>>,
    boids: Boids<D>,
    seed: u64,
    /// Without columns: boids have those.
    record: StateRecord,
}

impl<const D: usize> Default for Snapshot<D> {
    fn default() -> Self {
        let (boids, record) = (Boids::new(Vec::new()), StateRecord::default());
        Self { settings: None, boids, seed: 0, record }
    }
}

impl<const D: usize> Snapshot<D> {
    /// Steps that had been made.
    pub fn step(&self) -> u64 {
        self.record.step
    }

    /// A fingerprint of all that can change a later bit of the boids: ids, positions, velocities,
    /// everything they carry and remember, where the host has moved obstacles, and what its own
    /// rules and drives remember. Two peers that compute the same game have the same,
    /// step by step, and where they first differ one of them has done something else. A host that
    /// wants to compare positions and velocities alone takes
    /// [`observe::state_hash`](crate::observe::state_hash). O(N).
    #[inline(never)]
    pub fn hash(&self) -> u64 {
        let StateRecord { step, time, next_id, sources, exits, obstacles, host, .. } = &self.record;
        let columns = &self.boids.front;
        let of = |slot: usize| {
            let state = columns.position(slot).into_iter().chain(columns.velocity(slot));
            boid_hash(self.id(slot), state)
        };
        let boids = columns.rank.len() - PADDING;
        let mut hashes: Vec<u64> = (0..boids).map(of).collect();
        let mut columns = listed(&self.boids.extra, &self.boids.outcome);
        columns.sort_by_key(|(info, column)| (column.is_whole(), info.place));
        for (_, column) in columns {
            column.hash(&mut hashes, if column.is_whole() { hash_on } else { hash_number_on });
        }
        let others = [boids as u64, *next_id, self.seed, *step, time.to_bits()];
        let sources = sources.iter().flat_map(|source| [source.released, source.tries]);
        let exits = exits.iter().map(|exit| exit.last.unwrap_or(-1.0).to_bits());
        let poses = obstacles.iter().flat_map(|at| {
            let now = at.position.into_iter().chain(at.turn).chain(at.velocity);
            let next = at.pose.position.into_iter().chain([at.pose.angle]);
            now.chain(next.map(f64::from)).map(f64::to_bits)
        });
        let host = host.iter().map(|&byte| u64::from(byte));
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
        let rank = self.boids.front.rank[slot];
        self.boids.ids.get(rank as usize).map_or(u64::from(rank), |id| id.get())
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
    /// use wingbeat::{Domain, Flock2, Params, Shape, Spawn, TimeStep, observe, snapshot::Snapshot};
    /// let spawn =
    ///     Spawn { shape: Shape::Box { min: [0.0; 2], max: [20.0; 2] }, ..Spawn::default() };
    /// let mut flock = Flock2::builder()
    ///     .domain(Domain::periodic([0.0; 2], [20.0; 2]))
    ///     .spawn(200, spawn)
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
        into.boids.save(&self.state.boids);
        into.seed = self.state.seed;
        self.record_to(&mut into.record);
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
        self.load_host(&from.record.host)?;
        if let Some(other) = other {
            *self = other;
        }
        let FlockState { boids, seed, course, .. } = &mut self.state;
        boids.load(&from.boids);
        *seed = from.seed;
        if let Some(course) = course.as_mut().filter(|course| course.moves()) {
            let StateRecord { obstacles, time, .. } = &from.record;
            let told = course.remember(obstacles, *time, &self.machine.workers);
            debug_assert!(told.is_ok(), "they are of a flock of the same settings: {told:?}");
        }
        let told = self.go_on_from(&from.record);
        debug_assert!(told.is_ok(), "it is of a flock of the same settings: {told:?}");
        self.workspace.happened.clear();
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
/// use wingbeat::{Flock2, TimeStep, snapshot::SnapshotRing};
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
        if state.step() == step && state.settings.is_some() {
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
