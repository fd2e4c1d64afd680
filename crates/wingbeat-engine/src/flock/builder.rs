//! The builder: collects settings and boids; the one place where a flock can be refused.

use std::sync::Arc;

use wingbeat_steer::{Domain, Drive, Exit, Obstacles, ParamError, Params, Perception, Source};

use crate::flock::checks::{
    admit_all, check_drives, check_settings, distinct_ids, room_for, species_by_id,
};
use crate::flock::parts::{Host, Machine};
use crate::flock::{HostState, Settings};
use crate::grid::{Crowds, Storage};
use crate::kernel::{BatchPass, HostRules, OwnRule, OwnRules};
use crate::parallel::{BATCH, Workers};
use crate::terms::drive::{Named, OwnDrive};
use crate::terms::rule::{Declared, Rule};
use crate::{Boid, BoidId, Flock, FlockError, FocalBoid, Level, Neighbor, Spawn, SpeciesId};

/// Collects what a flock needs, in any order; [`build`](FlockBuilder::build) checks it all, so that
/// stepping cannot fail.
#[derive(Clone)]
pub struct FlockBuilder<const D: usize, R = ()> {
    plan: FlockPlan<D>,
    rules: R,
}

/// Everything but the host's own rules. It does not depend on their type, so that a host with rules
/// need not compile it again.
#[derive(Clone)]
pub(crate) struct FlockPlan<const D: usize> {
    pub settings: Settings<D>,
    pub seed: u64,
    pub level: Option<Level>,
    pub threads: Option<usize>,
    pub storage: Storage,
    /// Every rule has a pass of its own.
    pub unfused: bool,
    pub crowds: Crowds,
    pub batch: usize,
    pub own_rules: Vec<OwnRule<D>>,
    pub own_drives: Vec<Named<D>>,
    pub host_memory: Option<Arc<dyn HostState>>,
    pub start: Start<D>,
    pub species: Vec<SpeciesId>,
}

/// Where boids come from. Spawned ones are placed when the flock is built, since the seed may be
/// told later.
#[derive(Clone)]
pub(crate) enum Start<const D: usize> {
    Given(Vec<Boid<D>>),
    Spawned(usize, Spawn<D>),
    /// Positions and velocities of different number.
    Refused(FlockError),
}

impl<const D: usize, R: std::fmt::Debug> std::fmt::Debug for FlockBuilder<D, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FlockBuilder")
            .field("params", &self.plan.settings.params)
            .field("domain", &self.plan.settings.domain)
            .field("seed", &self.plan.seed)
            .field("rules", &self.rules)
            .field("drives", &self.plan.settings.drives)
            .finish_non_exhaustive()
    }
}

impl<const D: usize> Default for FlockBuilder<D> {
    #[inline(never)]
    fn default() -> Self {
        let plan = FlockPlan {
            settings: Settings {
                params: Params::default(),
                domain: Domain::open(),
                steer_every: 1,
                drives: Vec::new(),
                obstacles: Obstacles::default(),
                exits: Vec::new(),
                sources: Vec::new(),
            },
            seed: 0,
            level: None,
            threads: None,
            storage: Storage::Automatic,
            unfused: false,
            crowds: Crowds::Automatic,
            batch: BATCH,
            own_rules: Vec::new(),
            own_drives: Vec::new(),
            host_memory: None,
            start: Start::Given(Vec::new()),
            species: Vec::new(),
        };
        Self { plan, rules: () }
    }
}

impl<const D: usize, R: HostRules<D>> FlockBuilder<D, R> {
    /// Adds an interaction of the host's own, beside those of [`params`](Self::params); at most
    /// four.
    #[must_use]
    pub fn rule<A: Rule<D>>(self, rule: A) -> FlockBuilder<D, (R, Declared<A>)> {
        FlockBuilder { plan: self.plan, rules: (self.rules, Declared::new(Arc::new(rule))) }
    }

    /// Adds an interaction of the host's own as a closure: the force on a boid by the neighbors
    /// that it sees, which come in slot order, so that sums are the same on every machine. A number
    /// for `perception` is a radius, all round. It counts as one of the rules of the host's own: at
    /// most four with those of [`rule`](Self::rule), after which closures come, by their places, in
    /// an order of [`Term`](crate::steer::Term)s. It is called for every boid, also for one that
    /// sees no other: what does not come from neighbors at all, as a current, is a rule with a
    /// small radius, which costs little.
    ///
    /// ```
    /// use wingbeat::{Flock2, TimeStep};
    /// let stiffness = 0.5;
    /// let mut flock = Flock2::builder()
    ///     .own_rule(2.0, move |_, neighbors| {
    ///         let mut force = [0.0; 2];
    ///         for other in neighbors {
    ///             for a in 0..2 {
    ///                 force[a] += stiffness * other.offset[a];
    ///             }
    ///         }
    ///         force
    ///     })
    ///     .boids(&[[0.0, 0.0], [1.0, 0.0]], &[[0.0; 2]; 2])
    ///     .build()?;
    /// flock.step(TimeStep::new(0.1)?);
    /// assert!(flock.frame().find(flock.frame().living()[0])?.velocity[0] > 0.0);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// The force must be finite: what is not goes into the boid's state. The closure is called from
    /// several threads at once, in no order, so what it captures is read, not changed. What SIMD
    /// gains is lost: at 20 neighbors a step takes 2 to 4 times as long as with the same rule by
    /// [`pair_rule!`](crate::pair_rule) (docs/PERFORMANCE.md), which is the next thing to write
    /// once the rule is right.
    #[must_use]
    pub fn own_rule(
        mut self,
        perception: impl Into<Perception>,
        force: impl Fn(&FocalBoid<D>, &[Neighbor<D>]) -> [f32; D] + Send + Sync + 'static,
    ) -> Self {
        let perception = perception.into();
        self.plan.own_rules.push(OwnRule { perception, force: Arc::new(force) });
        self
    }

    /// Gives each of the three rules a pass of its own; for tests, and so only where assertions are
    /// on. Results do not depend on it.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    #[must_use]
    pub fn unfused(mut self) -> Self {
        self.plan.unfused = true;
        self
    }

    /// Forces a grid storage; for tests. Results do not depend on it.
    #[doc(hidden)]
    #[must_use]
    pub fn storage(mut self, storage: Storage) -> Self {
        self.plan.storage = storage;
        self
    }

    /// Forces the order in which flocks are steered whose boids look at their nearest alone; for
    /// tests. Results do not depend on it.
    #[doc(hidden)]
    #[must_use]
    pub fn crowds(mut self, crowds: Crowds) -> Self {
        self.plan.crowds = crowds;
        self
    }

    /// Forces the size of a parallel batch, at least 1; for tests. Results do not depend on it.
    #[doc(hidden)]
    #[must_use]
    pub fn batch(mut self, slots: usize) -> Self {
        self.plan.batch = slots.max(1);
        self
    }

    /// Rules, limits and combination. Default: no rules.
    #[must_use]
    pub fn params(mut self, params: Params) -> Self {
        self.plan.settings.params = params;
        self
    }

    /// What boids steer round and never are inside of: a list, or [`Obstacles`] with how they
    /// steer. Default: none. Boids may not start inside one that stands still.
    #[must_use]
    pub fn obstacles(mut self, obstacles: impl Into<Obstacles<[f32; D]>>) -> Self {
        self.plan.settings.obstacles = obstacles.into();
        self
    }

    /// Terms that do not come from neighbors, at most sixteen; they come after the rules, in this
    /// order. Default: none.
    #[must_use]
    pub fn drives(mut self, drives: Vec<Drive<[f32; D]>>) -> Self {
        self.plan.settings.drives = drives;
        self
    }

    /// Adds a drive of the host's own, after those of [`drives`](Self::drives); see [`OwnDrive`].
    #[must_use]
    pub fn own_drive(mut self, name: impl Into<String>, drive: impl OwnDrive<D>) -> Self {
        self.plan.own_drives.push((name.into(), Arc::new(drive)));
        self
    }

    /// What the host's own rules and drives remember from step to step, to be taken along into
    /// checkpoints and saved states. Default: nothing.
    #[must_use]
    pub fn host_memory(mut self, memory: Arc<dyn HostState>) -> Self {
        self.plan.host_memory = Some(memory);
        self
    }

    /// Where boids leave the flock, at most 64: a boid that ends a step inside an open one is gone.
    /// Default: none.
    #[must_use]
    pub fn exits(mut self, exits: Vec<Exit<[f32; D]>>) -> Self {
        self.plan.settings.exits = exits;
        self
    }

    /// From where boids come to the flock while it runs, at most 64; those of one step enter in the
    /// order of their sources. Default: none.
    #[must_use]
    pub fn sources(mut self, sources: Vec<Source<[f32; D]>>) -> Self {
        self.plan.settings.sources = sources;
        self
    }

    /// The world's edges. Default: open.
    #[must_use]
    pub fn domain(mut self, domain: Domain<[f32; D]>) -> Self {
        self.plan.settings.domain = domain;
        self
    }

    /// Key of all randomness, of [`spawn`](Self::spawn) and inside steps. Default 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.plan.seed = seed;
        self
    }

    /// Time slicing: every boid steers once in this many steps, in turns by id ((id + step) mod
    /// `steps` = 0, and in its first step), and holds its force in between. Unit: steps; default 1,
    /// range 1 to 1000. Larger: cheaper steps and later reactions; 2 differs from 1 little more
    /// than a time step does from half of it, at 4 flocks were 10 to 15 % looser, at 8 a quarter to
    /// a third (docs/PERFORMANCE.md, with the speed gained).
    #[must_use]
    pub fn steer_every(mut self, steps: u32) -> Self {
        self.plan.settings.steer_every = steps;
        self
    }

    /// Forces a SIMD level. Default: the best this CPU has. Results do not depend on it.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.plan.level = Some(level);
        self
    }

    /// Uses this many worker threads of the flock's own, 1 to 1024; 1 uses the calling thread
    /// alone. Default: rayon's global pool. Results do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.plan.threads = Some(threads);
        self
    }

    /// `count` boids placed by a [`Spawn`] when the flock is built, or all over a
    /// [`Shape`](crate::Shape), ids from 0, drawn with the builder's [`seed`](Self::seed).
    #[must_use]
    pub fn spawn(mut self, count: usize, spawn: impl Into<Spawn<D>>) -> Self {
        self.plan.start = Start::Spawned(count, spawn.into());
        self
    }

    /// Boids from the host's own arrays, ids from 0.
    #[must_use]
    pub fn boids(mut self, positions: &[[f32; D]], velocities: &[[f32; D]]) -> Self {
        self.plan.start = if positions.len() == velocities.len() {
            Start::Given(numbered(positions, velocities))
        } else {
            Start::Refused(FlockError::Lengths {
                positions: positions.len(),
                velocities: velocities.len(),
            })
        };
        self
    }

    /// Boids with ids of the host's own, in any order.
    #[must_use]
    pub fn boids_with_ids(mut self, boids: Vec<Boid<D>>) -> Self {
        self.plan.start = Start::Given(boids);
        self
    }

    /// Species of the boids, in the order in which they are given or spawned. Default: every boid
    /// is of the first.
    #[must_use]
    pub fn species(mut self, species: impl IntoIterator<Item = SpeciesId>) -> Self {
        self.plan.species = species.into_iter().collect();
        self
    }

    /// Checks everything and builds the flock. Positions outside a periodic box are wrapped into
    /// it. Bodies that overlap, or reach into a face or an obstacle that stands still, are refused,
    /// or moved apart first ([`SolidBody::settle`](crate::steer::SolidBody::settle)).
    ///
    /// # Errors
    /// Names what is refused, its value and what is allowed.
    pub fn build(self) -> Result<Flock<D>, FlockError> {
        let mut declared = Vec::new();
        self.rules.perceptions(&mut declared);
        self.plan.build(declared, self.rules.erase())
    }
}

impl<const D: usize> FlockPlan<D> {
    /// Checks everything; `declared` is what the host's own rules perceive, `rules` what runs them.
    #[inline(never)]
    pub fn build(
        mut self,
        mut declared: Vec<Perception>,
        rules: Option<Arc<dyn BatchPass<D>>>,
    ) -> Result<Flock<D>, FlockError> {
        let in_lanes = declared.len();
        declared.extend(self.own_rules.iter().map(|rule| rule.perception));
        check_settings(&self.settings, &declared)?;
        let rules = OwnRules::after(rules, in_lanes, std::mem::take(&mut self.own_rules));
        if let Some(threads) = self.threads
            && !(1..=1024).contains(&threads)
        {
            return Err(ParamError::new("threads", threads, "1 to 1024").into());
        }
        let level = self.level.unwrap_or_else(Level::detect);
        if !level.is_available() {
            return Err(FlockError::LevelUnavailable(level));
        }
        let start = std::mem::replace(&mut self.start, Start::Given(Vec::new()));
        let Settings { params, domain, drives, .. } = &self.settings;
        let mut boids = start.boids(self.seed, crate::memory::bytes_a_boid(params, drives))?;
        admit_all(&mut boids, domain)?;
        let ids = distinct_ids(&boids)?;
        let exists = |id| ids.binary_search(&BoidId::new(id)).is_ok();
        check_drives(drives, &self.own_drives, &self.settings, exists)?;
        let species = species_by_id(&self.species, params, &boids)?;
        let Self { settings, seed, storage, unfused, crowds, .. } = self;
        let workers = Arc::new(Workers::new(self.threads, self.batch)?);
        let drives = self.own_drives.into();
        let host = Host { declared, rules, drives, memory: self.host_memory };
        let machine = Machine { level, workers, storage, unfused, crowds };
        Flock::assemble(Arc::new(settings), host, machine, (boids, &species), seed)
    }
}

impl<const D: usize> Start<D> {
    /// The boids, if there is room for them.
    fn boids(self, seed: u64, bytes_a_boid: u128) -> Result<Vec<Boid<D>>, FlockError> {
        match self {
            Self::Given(boids) => room_for(boids.len(), bytes_a_boid).map(|()| boids),
            Self::Spawned(count, spawn) => {
                spawn.check()?;
                room_for(count, bytes_a_boid)?;
                let (positions, velocities) = spawn.place(count, seed);
                Ok(numbered(&positions, &velocities))
            }
            Self::Refused(refusal) => Err(refusal),
        }
    }
}

#[inline(never)]
pub(crate) fn numbered<const D: usize>(
    positions: &[[f32; D]],
    velocities: &[[f32; D]],
) -> Vec<Boid<D>> {
    let boid = |(i, (&position, &velocity))| Boid { id: BoidId::new(i as u64), position, velocity };
    positions.iter().zip(velocities).enumerate().map(boid).collect()
}
