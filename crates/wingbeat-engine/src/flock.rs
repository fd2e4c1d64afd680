//! The flock: its parts, its assembly, and what a host may ask and change.

use std::sync::Arc;

use wingbeat_steer::{Domain, Params, Traits, Vector};

use crate::columns::boids::Boids;
use crate::columns::slices::Slices;
use crate::flock::parts::{Derived, FlockState, Host, Machine, Workspace, grid_of, kernel_tables};
use crate::flock::species_state::{drawn, fit, undrawn};
use crate::kernel;
use crate::motion::anticipate::AnticipationState;
use crate::motion::body::{self, BodyColumns};
use crate::motion::exits_and_sources::ExitsAndSources;
use crate::motion::obstacle::ObstacleIndex;
use crate::{Boid, FlockError, Frame, Level, SpeciesId};

mod bodies;
pub(crate) mod builder;
#[cfg(feature = "serde")]
pub(crate) mod bytes;
pub(crate) mod checks;
mod checkpoint;
mod clock;
mod crowd;
mod drives;
mod explain;
mod gates;
mod host_state;
mod members;
mod state_record;
mod motion;
mod own_rules;
mod obstacles;
pub(crate) mod parts;
mod queries;
mod subdomain;
mod snapshot;
mod settings;
pub(crate) mod spawn;
mod species;
mod species_state;
mod step;

pub use builder::FlockBuilder;
pub(crate) use builder::FlockPlan;
pub use checkpoint::Checkpoint;
pub use host_state::HostState;
pub use queries::{Hit, HitTarget, Neighbors};
pub use settings::Settings;
pub use snapshot::{Snapshot, SnapshotRing};
pub use state_record::{StateColumn, StateRecord};
pub use subdomain::{CommStats, PeerLost, Subdomain, SubdomainError, ThreadTransport, Transport};

/// A flock of boids in `D` = 2 or 3 dimensions: it owns the columns, the grid, the rules and the
/// threads.
///
/// ```
/// use wingbeat::{
///     Alignment, Cohesion, Domain, Flock3, Params, Rules, Separation, Shape, Spawn, TimeStep,
///     observe,
/// };
/// let params = Params {
///     rules: Rules {
///         separation: Some(Separation { weight: 2.5, ..Default::default() }),
///         alignment: Some(Alignment::default()),
///         cohesion: Some(Cohesion::default()),
///         ..Default::default()
///     },
///     ..Default::default()
/// };
/// let (min, max) = ([0.0; 3], [8.0; 3]);
/// let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
/// let mut flock = Flock3::builder()
///     .params(params)
///     .domain(Domain::periodic(min, max))
///     .seed(1)
///     .spawn(500, spawn)
///     .build()?;
/// let dt = TimeStep::new(0.02)?;
/// for _ in 0..100 {
///     flock.step(dt);
/// }
/// assert!(observe::polarization(&flock.frame()) > 0.1);
/// # Ok::<(), wingbeat::FlockError>(())
/// ```
///
/// A clone goes on as the flock would, bit for bit, on the same threads. O(n); a host's own rules
/// and drives are shared.
pub struct Flock<const D: usize> {
    settings: Arc<Settings<D>>,
    host: Host<D>,
    state: FlockState<D>,
    derived: Derived<D>,
    workspace: Workspace<D>,
    machine: Machine<D>,
}

/// A flock in the plane.
#[cfg(feature = "plane")]
pub type Flock2 = Flock<2>;
/// A flock in space.
#[cfg(feature = "space")]
pub type Flock3 = Flock<3>;

// By hand: a derived one is `#[inline]`, and every program that clones a flock would compile it.
impl<const D: usize> Clone for Flock<D> {
    #[inline(never)]
    fn clone(&self) -> Self {
        Self {
            settings: Arc::clone(&self.settings),
            host: self.host.clone(),
            state: self.state.clone(),
            derived: self.derived.clone(),
            workspace: self.workspace.clone(),
            machine: self.machine.share(),
        }
    }
}

/// No flock has it: a change of parameters is checked as a whole.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "parameters of a flock are changed and checked in one call",
    label = "this is `edit_params`",
    note = "`flock.edit_params(|params| params.agent.max_speed = 5.0)?;`"
)]
pub trait ParamsMut {}

/// Flocks can be sent to other threads and read from several.
const _: () = {
    const fn usable_from_any_thread<T: Clone + Send + Sync>() {}
    usable_from_any_thread::<Flock<2>>();
    usable_from_any_thread::<Flock<3>>();
};

impl<const D: usize> std::fmt::Debug for Flock<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Flock")
            .field("boids", &self.len())
            .field("dimensions", &D)
            .field("step", &self.state.step)
            .field("level", &self.machine.level)
            .field("threads", &self.threads())
            .finish_non_exhaustive()
    }
}

impl<const D: usize> Flock<D> {
    /// Starts a flock; see [`FlockBuilder`].
    pub fn builder() -> FlockBuilder<D> {
        FlockBuilder::default()
    }

    /// A flock of settings that are already checked.
    fn assemble(
        settings: Arc<Settings<D>>,
        host: Host<D>,
        machine: Machine<D>,
        (mut boids, species): (Vec<Boid<D>>, &[SpeciesId]),
        seed: u64,
    ) -> Result<Self, FlockError> {
        let Settings { params, domain, obstacles, exits, sources, .. } = &*settings;
        let course = ObstacleIndex::new(obstacles, domain, 0.0)?.map(Box::new);
        if let Some(course) = &course {
            course.admit_all(&boids)?;
        }
        boids.sort_unstable_by_key(|boid| boid.id);
        body::set_up(params, domain, course.as_deref(), &mut boids, species)?;
        let around = (params, domain);
        let gates =
            ExitsAndSources::new(exits.clone(), sources.clone(), around, course.as_deref())?;
        let mut boids = Boids::new(boids);
        let derived = Derived::new(&settings, &host, &machine, (seed, &mut boids))?;
        Self::set_species(&mut boids, species, params, seed);
        let workspace = Workspace::new(&settings, derived.kernel.radius, machine.storage);
        let state = FlockState { boids, seed, step: 0, time: 0.0, course, gates };
        Ok(Self { settings, host, state, derived, workspace, machine })
    }

    /// The boids' species, by ascending id, and what is drawn of them.
    #[inline(never)]
    pub(crate) fn set_species(
        boids: &mut Boids<D>,
        species: &[SpeciesId],
        params: &Params,
        seed: u64,
    ) {
        // Slots are in the order of ids until the first sort.
        for (slot, &species) in species.iter().enumerate() {
            let own = Traits { species, ..Traits::default() };
            let traits = drawn(own, params, seed, boids.id(slot));
            boids.extra.set_traits(slot, &traits, boids.len());
        }
    }

    /// A view of the flock as it is now.
    pub fn frame(&self) -> Frame<'_, D> {
        let steering = self.workspace.steered.then_some(&self.state.boids.outcome.force);
        Frame {
            boids: &self.state.boids,
            step: self.state.step,
            steering,
            pool: self.machine.workers.pool(),
        }
    }

    /// Number of boids.
    pub fn len(&self) -> usize {
        self.state.boids.len()
    }

    /// Whether there is no boid.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Mean number of others within the largest perception radius, sight ignored, in the present
    /// state; 0 without rules.
    ///
    /// It sorts the flock, which changes no result, and counts one boid at a time: several times
    /// the cost of a step.
    #[inline(never)]
    pub fn mean_neighbors(&mut self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        self.sort();
        self.count_neighbors() as f64 / self.len() as f64
    }

    /// How many others own boids have within the largest perception radius, all together. Needs a
    /// sorted flock.
    fn count_neighbors(&self) -> u64 {
        if self.derived.kernel.radius_sq == 0.0 {
            return 0;
        }
        let (slots, grid, columns) =
            (self.state.boids.len(), &self.workspace.grid, &self.state.boids.front);
        let (domain, radius_sq) = (&self.settings.domain, self.derived.kernel.radius_sq);
        let mut counts = vec![0u32; slots];
        self.machine.workers.for_batches(
            slots,
            [[counts.as_mut_slice()]],
            &|first, [[counts]], scratch| {
                for (i, count) in counts.iter_mut().enumerate() {
                    let others = grid.candidates(columns, first + i, &mut scratch.runs);
                    *count =
                        others.filter(|&offset| within(offset, domain, radius_sq)).count() as u32;
                }
            },
        );
        // Each boid has found itself too.
        self.state.boids.own().flatten().map(|slot| u64::from(counts[slot]) - 1).sum()
    }

    /// The SIMD level in use.
    pub fn level(&self) -> Level {
        self.machine.level
    }

    /// Worker threads in use.
    pub fn threads(&self) -> usize {
        self.machine.workers.threads()
    }

    /// The rules.
    pub fn params(&self) -> &Params {
        &self.settings.params
    }

    /// The world's edges.
    pub fn domain(&self) -> &Domain<[f32; D]> {
        &self.settings.domain
    }

    /// Steps from one turn of a boid to the next; see [`FlockBuilder::steer_every`].
    pub fn steer_every(&self) -> u32 {
        self.settings.steer_every
    }

    /// Changes how often a boid steers. A change makes the next step a turn of everyone.
    ///
    /// # Errors
    /// When `steps` is not within 1 to 1000; nothing is changed then.
    #[inline(never)]
    pub fn set_steer_every(&mut self, steps: u32) -> Result<(), FlockError> {
        wingbeat_steer::check_steer_every(steps)?;
        if steps != self.steer_every() {
            Arc::make_mut(&mut self.settings).steer_every = steps;
            self.derived.slices = Slices::new(steps, &mut self.state.boids);
        }
        Ok(())
    }

    /// Changes the rules from the next step on. Bodies that overlap from then on may only move
    /// apart. Boids keep what of their own still means something: a boid of a species that is no
    /// more is of the first, no boid has spent more stamina than there is now, and without bodies
    /// no boid keeps the radius of one. Boids that steer every n steps hold their forces until
    /// their next turn, except when what they hold would mean something else (a force, a direction,
    /// a velocity): then the next step is a turn of everyone.
    ///
    /// # Errors
    /// As [`FlockBuilder::build`]; nothing is changed then.
    #[inline(never)]
    pub fn set_params(&mut self, params: Params) -> Result<(), FlockError> {
        checks::check_rules(&params, &self.host.declared, &self.settings.domain)?;
        self.state.gates.check(&params, &self.settings.domain, self.state.course.as_deref())?;
        let model = params.model.as_ref().map(kernel::model).transpose()?;
        let settings = Arc::make_mut(&mut self.settings);
        let before = std::mem::replace(&mut settings.params, params);
        let params = &settings.params;
        let (boids, seed) = (&mut self.state.boids, self.state.seed);
        let derived = &mut self.derived;
        derived.kernel = kernel_tables(settings, &self.host, &self.machine);
        fit([&before, params], seed, boids);
        derived.bodies = BodyColumns::new(params, &settings.domain);
        derived.anticipation = AnticipationState::new(params);
        derived.model = model;
        let meant = |params: &Params| std::mem::discriminant(&params.advance());
        if meant(params) != meant(&before)
            && let Some(slices) = &mut derived.slices
        {
            slices.renew(&mut boids.extra.phase);
        }
        self.workspace.grid = grid_of(settings, derived.kernel.radius, self.machine.storage);
        self.workspace.boids_moved();
        Ok(())
    }

    /// Changes some of the rules; as [`set_params`](Self::set_params).
    ///
    /// ```
    /// use wingbeat::{Flock2, Params};
    /// let mut flock = Flock2::builder().params(Params::boids(2.0)).build()?;
    /// flock.edit_params(|params| params.agent.max_speed = 3.0)?;
    /// assert_eq!(flock.params().agent.max_speed, 3.0);
    /// assert!(flock.edit_params(|params| params.agent.mass = 0.0).is_err());
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// As [`set_params`](Self::set_params); nothing is changed then.
    pub fn edit_params(&mut self, edit: impl FnOnce(&mut Params)) -> Result<(), FlockError> {
        let mut params = self.params().clone();
        edit(&mut params);
        self.set_params(params)
    }

    /// What is looked for first, and is not there: the compiler tells what is.
    #[doc(hidden)]
    pub fn params_mut(&mut self) -> &mut Params
    where
        Self: ParamsMut,
    {
        &mut Arc::make_mut(&mut self.settings).params
    }

    /// The key of the randomness inside steps.
    pub fn seed(&self) -> u64 {
        self.state.seed
    }

    /// Changes the key of the randomness inside steps, and draws limits that differ from boid to
    /// boid anew.
    pub fn reseed(&mut self, seed: u64) {
        let before = std::mem::replace(&mut self.state.seed, seed);
        if self.settings.params.limits_differ() {
            for slot in 0..self.state.boids.len() {
                let (id, traits) = (self.state.boids.id(slot), self.state.boids.extra.traits(slot));
                let own = undrawn(traits, (traits.species, &self.settings.params, before), id);
                self.state.boids.extra.set_traits(
                    slot,
                    &drawn(own, &self.settings.params, seed, id),
                    self.state.boids.len(),
                );
            }
        }
    }
}

/// Whether a raw offset is within the radius through its nearest image.
fn within<const D: usize>(offset: [f32; D], domain: &Domain<[f32; D]>, radius_sq: f32) -> bool {
    <[f32; D]>::from_fn(|a| domain.image(a, offset[a])).norm_sq() <= radius_sq
}
