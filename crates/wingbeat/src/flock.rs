//! The flock: owns state, settings and buffers, and steps in the stages of [`Stage`].

use std::sync::{Arc, OnceLock};

use wingbeat_steer::{Boundary, Domain, Params, Perception, TimeStep, Vector, math};

use crate::columns::boids::{Boids, Columns, named, own};
use crate::columns::extra::{Column, Outcome};
use crate::columns::slices::Slices;
use crate::events::StepEvents;
use crate::flock::crowd::Crowd;
use crate::grid::{Grid, Storage};
use crate::identity::Identity;
use crate::kernel::{self, BatchPass, OtherPasses, Prepared, Scratch, StepInput, headings};
use crate::motion::anticipate::AnticipationState;
use crate::motion::body::{self, BodyColumns};
use crate::motion::exits_and_sources::ExitsAndSources;
use crate::motion::integrate::{self, Motion};
use crate::motion::obstacle::ObstacleIndex;
use crate::neighbors::SortedFlock;
use crate::parallel::Workers;
use crate::simd::with_default_rounding;
use crate::terms::combine::ExtraTerms;
use crate::terms::drive::Drives;
use crate::{Boid, Brake, FlockError, Frame, Level, Traits};
use crate::{
    flock::species_state::{SpeciesState, drawn, undrawn},
    motion::limits::Limits,
};

mod bodies;
mod builder;
#[cfg(feature = "serde")]
mod bytes;
mod checks;
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
mod obstacles;
mod subdomain;
mod snapshot;
mod settings;
pub(crate) mod spawn;
mod species;
mod species_state;

pub use builder::FlockBuilder;
pub(crate) use builder::FlockPlan;
pub use checkpoint::Checkpoint;
pub use host_state::HostState;
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
///     .spawn(500, &spawn)
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
    boids: Boids<D>,
    grid: Grid<D>,
    storage: Storage,
    /// Every rule has a pass of its own.
    unfused: bool,
    params: Params,
    prepared: Prepared,
    /// Perceptions of the host's own rules.
    declared: Vec<Perception>,
    /// The host's own rules.
    rules: Option<Arc<dyn BatchPass<D>>>,
    /// The model, which takes the three rules' place.
    model: Option<Arc<dyn BatchPass<D>>>,
    domain: Domain<[f32; D]>,
    species: SpeciesState,
    /// Turns, where not all steer in every step.
    slices: Option<Slices>,
    /// The finer order of flocks whose boids look at their nearest alone.
    crowd: Crowd<D>,
    drives: Drives<D>,
    /// What happened in the last step.
    happened: StepEvents,
    /// Preferred velocities, and then what anticipation puts in their place; empty without.
    answers: [Vec<f32>; D],
    /// Headings, where alignment or a model reads those of neighbors; empty otherwise.
    headings: [Vec<f32>; D],
    workers: Arc<Workers<Scratch<D>>>,
    /// Obstacles, if there are any.
    course: Option<Box<ObstacleIndex<D>>>,
    /// Bodies, where boids are no points.
    bodies: Option<BodyColumns>,
    /// Anticipation, where bodies avoid each other before they meet.
    anticipation_state: Option<AnticipationState<D>>,
    /// Where boids leave, and from where others come.
    gates: ExitsAndSources<D>,
    /// What the host's own rules and drives remember.
    host_memory: Option<Arc<dyn HostState>>,
    /// What the host has set, once it has been asked for since it changed last.
    settings: OnceLock<Arc<Settings<D>>>,
    seed: u64,
    step: u64,
    /// Time passed: the lengths of all steps, added up.
    time: f64,
    /// Whether forces are of the boids as they are.
    steered: bool,
    /// Whether boids are in slot order and the grid knows it: nothing has changed since the last
    /// sort.
    sorted: bool,
    level: Level,
}

/// A flock in the plane.
pub type Flock2 = Flock<2>;
/// A flock in space.
pub type Flock3 = Flock<3>;

// By hand: a derived one is `#[inline]`, and every program that clones a flock would compile it.
impl<const D: usize> Clone for Flock<D> {
    #[inline(never)]
    fn clone(&self) -> Self {
        Self {
            boids: self.boids.clone(),
            grid: self.grid.clone(),
            storage: self.storage,
            unfused: self.unfused,
            params: self.params.clone(),
            prepared: self.prepared.clone(),
            declared: self.declared.clone(),
            rules: self.rules.clone(),
            model: self.model.clone(),
            domain: self.domain,
            species: self.species.clone(),
            slices: self.slices.clone(),
            crowd: self.crowd.clone(),
            drives: self.drives.clone(),
            happened: self.happened.clone(),
            answers: self.answers.clone(),
            headings: self.headings.clone(),
            workers: Arc::new(self.workers.share()),
            course: self.course.clone(),
            bodies: self.bodies.clone(),
            anticipation_state: self.anticipation_state.clone(),
            gates: self.gates.clone(),
            host_memory: self.host_memory.clone(),
            settings: self.settings.clone(),
            seed: self.seed,
            step: self.step,
            time: self.time,
            steered: self.steered,
            sorted: self.sorted,
            level: self.level,
        }
    }
}

/// Flocks can be sent to other threads and read from several.
const _: () = {
    const fn usable_from_any_thread<T: Clone + Send + Sync>() {}
    usable_from_any_thread::<Flock2>();
    usable_from_any_thread::<Flock3>();
};

impl<const D: usize> std::fmt::Debug for Flock<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Flock")
            .field("boids", &self.len())
            .field("dimensions", &D)
            .field("step", &self.step)
            .field("level", &self.level)
            .field("threads", &self.threads())
            .finish_non_exhaustive()
    }
}

impl<const D: usize> Flock<D> {
    /// Starts a flock; see [`FlockBuilder`].
    pub fn builder() -> FlockBuilder<D> {
        FlockBuilder::default()
    }

    pub(crate) fn from_checked(
        plan: FlockPlan<D>,
        level: Level,
        workers: Arc<Workers<Scratch<D>>>,
        (declared, rules): (Vec<Perception>, Option<Arc<dyn BatchPass<D>>>),
        mut boids: Vec<Boid<D>>,
        species: &[usize],
    ) -> Result<Self, FlockError> {
        let radius = largest_radius(&plan.params, &declared);
        let course = ObstacleIndex::new(&plan.obstacles, &plan.domain, 0.0)?.map(Box::new);
        if let Some(course) = &course {
            boids.iter().try_for_each(|boid| course.admit(boid.id, boid.position))?;
        }
        boids.sort_unstable_by_key(|boid| boid.id);
        body::set_up(&plan.params, &plan.domain, course.as_deref(), &mut boids, species)?;
        let gates = ExitsAndSources::new(
            plan.exits,
            plan.sources,
            (&plan.params, &plan.domain),
            course.as_deref(),
        )?;
        let mut boids = Boids::new(boids);
        let species_state = SpeciesState::new(&plan.params, plan.seed, &mut boids);
        // Slots are in the order of ids until the first sort.
        for (slot, &species) in species.iter().enumerate() {
            let traits = drawn(
                Traits { species, ..Traits::default() },
                &plan.params,
                plan.seed,
                boids.id(slot),
            );
            boids.extra.set_traits(slot, &traits, boids.len());
        }
        let drives = Drives::new(plan.drives, plan.own_drives.into(), &mut boids);
        let anticipation_state = AnticipationState::new(&plan.params);
        Ok(Self {
            slices: Slices::new(plan.steer_every, &mut boids),
            species: species_state,
            boids,
            grid: Grid::new(radius, plan.params.expected_neighbors, &plan.domain, plan.storage),
            storage: plan.storage,
            unfused: plan.unfused,
            crowd: Crowd::new(plan.crowds),
            prepared: Prepared::new::<D>(
                &plan.params,
                radius,
                &declared,
                drives.count(),
                around(plan.obstacles.steers(), &plan.domain),
                plan.unfused,
            ),
            course,
            bodies: BodyColumns::new(&plan.params, &plan.domain),
            anticipation_state,
            gates,
            host_memory: plan.host_memory,
            settings: OnceLock::new(),
            drives,
            happened: StepEvents::default(),
            answers: std::array::from_fn(|_| Vec::new()),
            declared,
            rules,
            model: plan.params.model.as_ref().map(kernel::model).transpose()?,
            headings: std::array::from_fn(|_| Vec::new()),
            workers,
            params: plan.params,
            domain: plan.domain,
            seed: plan.seed,
            step: 0,
            time: 0.0,
            steered: false,
            sorted: false,
            level,
        })
    }

    /// One step of length `dt`. It cannot fail, and within the accepted ranges it makes no NaN and
    /// no infinity. Should a rule or a drive of the host's own panic, so does this, on whatever
    /// thread that was; the flock is then as it was before the step, and can be stepped again.
    #[inline(never)]
    pub fn step(&mut self, dt: TimeStep) {
        let workers = Arc::clone(&self.workers);
        workers.release();
        let is_made = workers.enter(self.len(), || {
            for stage in Stage::IN_ORDER {
                match stage {
                    Stage::Sort => self.sort(),
                    Stage::Steer => self.steer(),
                    Stage::MoveFreely => self.move_freely(dt),
                    Stage::ResolveContacts => self.resolve_contacts(dt),
                    Stage::Conclude => self.conclude(dt),
                }
                if workers.is_braked() {
                    return false;
                }
            }
            true
        });
        if is_made {
            self.step += 1;
            self.time = self.end_of(dt);
        }
    }

    /// What gives up a step under way, from another thread.
    #[doc(hidden)]
    pub fn brake(&self) -> Brake {
        self.workers.brake().clone()
    }

    /// Whether the last step was given up; asked once. A flock that was stopped in the middle of a
    /// step is good for nothing but to be overwritten by a clone from before.
    #[doc(hidden)]
    pub fn gave_up(&mut self) -> bool {
        self.workers.release()
    }

    /// When a step that begins now ends; like all that steps compute, whatever rounding the host
    /// has set.
    fn end_of(&self, dt: TimeStep) -> f64 {
        with_default_rounding(|| self.time + f64::from(dt.get()))
    }

    /// [`Stage::Sort`].
    #[doc(hidden)]
    #[inline(never)]
    pub fn sort(&mut self) {
        with_default_rounding(|| self.grid.sort(&mut self.boids, &self.workers, self.level));
        self.steered = false;
        self.sorted = true;
    }

    /// [`Stage::Steer`]. Needs a sorted flock.
    #[doc(hidden)]
    #[inline(never)]
    pub fn steer(&mut self) {
        let (workers, level, prepared) = (&*self.workers, self.level, &self.prepared);
        let slots = self.boids.len();
        self.boids.outcome.make_room(slots);
        self.drives.prepare(&self.boids, self.time, workers);
        let fine = self.crowd.find(prepared, &self.grid, &mut self.boids, level.lanes(), workers);
        let Boids { front, back, extra, outcome: Outcome { force, busy, .. }, ids, part, .. } =
            &mut self.boids;
        let (front, extra, part) = (&*front, &*extra, part.as_ref());
        let columns = if fine { &*back } else { front };
        let (seed, step) = (self.seed, self.step);
        let identity = Identity { rank: &columns.rank, ids: named(ids, part), seed, step };
        let mut flock = SortedFlock::new(columns, extra, identity, (&self.grid, &self.domain));
        flock.turns = self.slices.as_ref().map(|slices| slices.turns(&extra.phase, step));
        if prepared.reads_headings {
            flock.aligned = refresh_headings(columns, &mut self.headings, slots, level, workers);
        }
        if fine {
            (flock.species, flock.fine) = (&self.crowd.species, Some(&self.crowd.fine));
        }
        let turns = flock.turns;
        let input = StepInput {
            flock,
            prepared,
            extra,
            course: self.course.as_deref().filter(|course| course.steers()),
            drives: self.drives.driving(front, extra, self.time, level),
            captures: self.species.captures(),
        };
        let passes = OtherPasses { model: self.model.as_deref(), host: self.rules.as_deref() };
        let usual = workers.batch();
        let batch = self.slices.as_ref().map_or(usual, |slices| slices.batch(usual));
        for slots in own(ids, part) {
            let (busy, force) = (busy.values_mut(), force.each_mut().map(Column::values_mut));
            let fine_force = self.crowd.steering.each_mut().map(Vec::as_mut_slice);
            let columns = [if fine { fine_force } else { force }];
            workers.for_batches_marked(
                batch,
                slots,
                columns,
                busy,
                &|first, [out], busy, scratch| {
                    kernel::steer(level, &input, &passes, (first, out, busy), scratch);
                },
            );
        }
        if fine {
            self.crowd.hand_over(force, turns, slots, workers);
        }
        if let Some(slices) = &mut self.slices {
            slices.steered(&mut self.boids.extra.phase);
        }
        self.steered = true;
    }

    /// [`Stage::MoveFreely`] and [`Stage::ResolveContacts`].
    #[doc(hidden)]
    #[inline(never)]
    pub fn integrate(&mut self, dt: TimeStep) {
        self.move_freely(dt);
        self.resolve_contacts(dt);
    }

    /// [`Stage::MoveFreely`]: bodies move from the front columns into the back ones, since contacts
    /// need to know where the others were.
    fn move_freely(&mut self, dt: TimeStep) {
        if let Some(course) = &mut self.course {
            course.begin_step(self.time, dt.get(), &self.workers);
        }
        self.boids.mark_squeezed(self.course.is_some());
        self.prepare_bodies();
        self.anticipate(dt.get());
        let Boids { front, back, extra, outcome, ids, part, .. } = &mut self.boids;
        let part = part.as_ref();
        let Outcome { force, squeezed, .. } = outcome;
        let steering = force.each_ref().map(Column::values);
        let identity =
            Identity { rank: &front.rank, ids: named(ids, part), seed: self.seed, step: self.step };
        let limits = Limits::new(&self.prepared.kinds, extra);
        let solid = (self.course.as_deref(), self.bodies.as_ref());
        let mut motion =
            Motion::new(steering, identity, &self.params, limits, &self.domain, dt.get(), solid);
        motion.answers = self.anticipation_state.as_ref().map(|anticipation| {
            (self.answers.each_ref().map(Vec::as_slice), anticipation.model.is_velocity())
        });
        let level = self.level;
        let to = if self.bodies.is_some() {
            (&mut back.position, &mut back.velocity)
        } else {
            (&mut front.position, &mut front.velocity)
        };
        for slots in own(ids, part) {
            let columns = [to.0.each_mut(), to.1.each_mut()];
            self.workers.sweep_marked(
                slots,
                columns,
                squeezed.values_mut(),
                &|first, [position, velocity], squeezed, scratch| {
                    integrate::integrate(
                        level,
                        &motion,
                        first,
                        (position, velocity, squeezed),
                        &mut scratch.obstacles,
                    );
                },
            );
        }
    }

    /// [`Stage::ResolveContacts`].
    fn resolve_contacts(&mut self, dt: TimeStep) {
        self.keep_bodies_apart(dt.get());
        if let Some(course) = &mut self.course {
            course.end_step(self.time, dt.get(), &self.workers);
        }
        self.sorted = false;
    }

    /// [`Stage::Conclude`]. Boids that leave are removed together; then others enter.
    fn conclude(&mut self, dt: TimeStep) {
        self.happened.clear();
        let absorbs = self.domain.boundary == Boundary::Absorbing;
        if absorbs
            || self.drives.count() > 0
            || self.prepared.kinds.chases > 0
            || self.gates.exits.any_open()
        {
            self.happened.make_room(self.len());
        }
        self.tire_and_capture(dt);
        self.remember_and_arrive(dt);
        let end = self.end_of(dt);
        self.leave_by_exits((self.time, end));
        self.tell_squeezed();
        self.leave_domain();
        let gone = self.happened.gone();
        if !gone.is_empty() {
            let removed = self.boids.remove(gone, &self.workers);
            debug_assert!(removed.is_ok(), "they live, and each is named once: {removed:?}");
            self.drives.forget_leaders();
            self.steered = false;
        }
        with_default_rounding(|| self.enter(end));
    }

    /// Other parameters as the kernel wants them.
    fn prepare(&self, params: &Params, radius: f32) -> Prepared {
        let steers_ahead = self.course.as_ref().is_some_and(|course| course.steers());
        Prepared::new::<D>(
            params,
            radius,
            &self.declared,
            self.drives.count(),
            around(steers_ahead, &self.domain),
            self.unfused,
        )
    }

    /// A view of the flock as it is now.
    pub fn frame(&self) -> Frame<'_, D> {
        let steering = self.steered.then_some(&self.boids.outcome.force);
        Frame { boids: &self.boids, step: self.step, steering, pool: self.workers.pool() }
    }

    /// Number of boids.
    pub fn len(&self) -> usize {
        self.boids.len()
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
        if self.prepared.radius_sq == 0.0 {
            return 0;
        }
        let (slots, grid, columns) = (self.boids.len(), &self.grid, &self.boids.front);
        let (domain, radius_sq) = (&self.domain, self.prepared.radius_sq);
        let mut counts = vec![0u32; slots];
        self.workers.for_batches(
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
        self.boids.own().flatten().map(|slot| u64::from(counts[slot]) - 1).sum()
    }

    /// The SIMD level in use.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Worker threads in use.
    pub fn threads(&self) -> usize {
        self.workers.threads()
    }

    /// The rules.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The world's edges.
    pub fn domain(&self) -> &Domain<[f32; D]> {
        &self.domain
    }

    /// Steps from one turn of a boid to the next; see [`FlockBuilder::steer_every`].
    pub fn steer_every(&self) -> u32 {
        self.slices.as_ref().map_or(1, Slices::every)
    }

    /// Changes how often a boid steers. A change makes the next step a turn of everyone.
    ///
    /// # Errors
    /// When `steps` is not within 1 to 1000; nothing is changed then.
    #[inline(never)]
    pub fn set_steer_every(&mut self, steps: u32) -> Result<(), FlockError> {
        wingbeat_steer::check_steer_every(steps)?;
        if steps != self.steer_every() {
            self.slices = Slices::new(steps, &mut self.boids);
            self.settings.take();
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
        checks::check_rules(&params, &self.declared, &self.domain)?;
        self.gates.check(&params, &self.domain, self.course.as_deref())?;
        let model = params.model.as_ref().map(kernel::model).transpose()?;
        let radius = largest_radius(&params, &self.declared);
        self.grid = Grid::new(radius, params.expected_neighbors, &self.domain, self.storage);
        self.sorted = false;
        self.prepared = self.prepare(&params, radius);
        self.species.adopt([&self.params, &params], self.seed, &mut self.boids);
        self.bodies = BodyColumns::new(&params, &self.domain);
        self.anticipation_state = AnticipationState::new(&params);
        self.model = model;
        let meant = |params: &Params| std::mem::discriminant(&params.advance());
        if meant(&params) != meant(&self.params)
            && let Some(slices) = &mut self.slices
        {
            slices.renew(&mut self.boids.extra.phase);
        }
        self.params = params;
        self.settings.take();
        Ok(())
    }

    /// The key of the randomness inside steps.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Changes the key of the randomness inside steps, and draws limits that differ from boid to
    /// boid anew.
    pub fn reseed(&mut self, seed: u64) {
        let before = std::mem::replace(&mut self.seed, seed);
        if self.params.limits_differ() {
            for slot in 0..self.boids.len() {
                let (id, traits) = (self.boids.id(slot), self.boids.extra.traits(slot));
                let own = undrawn(traits, (traits.species, &self.params, before), id);
                self.boids.extra.set_traits(
                    slot,
                    &drawn(own, &self.params, seed, id),
                    self.boids.len(),
                );
            }
        }
    }
}

/// The stages of a step. Between any two of them a step can be given up ([`Flock::brake`]).
#[derive(Clone, Copy)]
enum Stage {
    /// Boids into slot order, by grid cell: neighbors in space become neighbors in memory. Writes
    /// the columns of positions, velocities and ranks, and all extra columns.
    Sort,
    /// Each boid looks at its neighbors, and its terms are combined. Reads the sorted columns,
    /// writes steering; boids that capture others note them.
    Steer,
    /// Anticipation replaces preferred velocities, then steering becomes velocity and position,
    /// with obstacles and faces met. Bodies move as if there were no other bodies.
    MoveFreely,
    /// Displacements of bodies are cut to what the bounds by other bodies allow.
    ResolveContacts,
    /// Bookkeeping after the move: stamina, captures, progress of drives, arrivals, exits, the
    /// edges of an absorbing domain, sources.
    Conclude,
}

impl Stage {
    const IN_ORDER: [Self; 5] =
        [Self::Sort, Self::Steer, Self::MoveFreely, Self::ResolveContacts, Self::Conclude];
}

/// Headings of all boids, in the order of the columns.
fn refresh_headings<'a, T: Default + Send, const D: usize>(
    columns: &Columns<D>,
    headings: &'a mut [Vec<f32>; D],
    slots: usize,
    level: Level,
    workers: &Workers<T>,
) -> [&'a [f32]; D] {
    for column in headings.iter_mut() {
        column.resize(columns.rank.len(), 0.0);
    }
    let written = headings.each_mut().map(Vec::as_mut_slice);
    workers.sweep(slots, [written], &|first, [headings], _| {
        headings::headings(level, &columns.velocity, first, headings)
    });
    headings.each_ref().map(Vec::as_slice)
}

fn around<const D: usize>(steers_ahead: bool, domain: &Domain<[f32; D]>) -> ExtraTerms {
    ExtraTerms { steers_ahead, walls_push: domain.pushes() }
}

fn largest_radius(params: &Params, declared: &[Perception]) -> f32 {
    declared.iter().fold(params.largest_radius(), |r, p| math::max(r, p.radius))
}

/// Whether a raw offset is within the radius through its nearest image.
fn within<const D: usize>(offset: [f32; D], domain: &Domain<[f32; D]>, radius_sq: f32) -> bool {
    <[f32; D]>::from_fn(|a| domain.image(a, offset[a])).norm_sq() <= radius_sq
}
