//! The one place where a flock can be refused.

use std::sync::Arc;

use wingbeat_steer::drive::MAX_DRIVES;
use wingbeat_steer::{
    Domain, Drive, DriveKind, Obstacles, ParamError, Params, Perception, When, check_steer_every, knobs::limit,
};

use crate::combine::MAX_DECLARED;
use crate::drive::{Named, OwnDrive};
use crate::erased::Kernel;
use crate::grid::{Crowds, Storage};
use crate::parallel::BATCH;
use crate::rule::{Declared, Rule, Seen};
use crate::{Boid, BoidId, Flock, FlockError, Level, Spawn};

/// Collects what a flock needs; [`build`](FlockBuilder::build) checks it all, so that stepping cannot fail.
#[derive(Clone)]
pub struct FlockBuilder<const D: usize, R = ()> {
    pub(crate) params: Params,
    pub(crate) domain: Domain<[f32; D]>,
    pub(crate) seed: u64,
    pub(crate) steer_every: u32,
    pub(crate) level: Option<Level>,
    pub(crate) threads: Option<usize>,
    pub(crate) storage: Storage,
    pub(crate) crowds: Crowds,
    pub(crate) batch: usize,
    pub(crate) obstacles: Obstacles<[f32; D]>,
    pub(crate) rules: R,
    pub(crate) drives: Vec<Drive<[f32; D]>>,
    pub(crate) own_drives: Vec<Named<D>>,
    boids: Result<Vec<Boid<D>>, FlockError>,
    species: Vec<usize>,
}

impl<const D: usize, R: std::fmt::Debug> std::fmt::Debug for FlockBuilder<D, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FlockBuilder")
            .field("params", &self.params)
            .field("domain", &self.domain)
            .field("seed", &self.seed)
            .field("rules", &self.rules)
            .field("drives", &self.drives)
            .finish_non_exhaustive()
    }
}

impl<const D: usize> Default for FlockBuilder<D> {
    fn default() -> Self {
        Self {
            params: Params::default(),
            domain: Domain::open(),
            seed: 0,
            steer_every: 1,
            level: None,
            threads: None,
            storage: Storage::Automatic,
            crowds: Crowds::Automatic,
            batch: BATCH,
            obstacles: Obstacles::default(),
            rules: (),
            drives: Vec::new(),
            own_drives: Vec::new(),
            boids: Ok(Vec::new()),
            species: Vec::new(),
        }
    }
}

impl<const D: usize, R: Kernel<D>> FlockBuilder<D, R> {
    /// Adds an interaction of the host's own, beside those of [`params`](Self::params); at most four.
    #[must_use]
    pub fn rule<A: Rule<D>>(self, rule: A) -> FlockBuilder<D, (R, Declared<A>)> {
        let perception = rule.perception();
        FlockBuilder {
            params: self.params,
            domain: self.domain,
            seed: self.seed,
            steer_every: self.steer_every,
            level: self.level,
            threads: self.threads,
            storage: self.storage,
            crowds: self.crowds,
            batch: self.batch,
            obstacles: self.obstacles,
            rules: (self.rules, Declared { seen: Seen::new(&perception), rule, perception }),
            drives: self.drives,
            own_drives: self.own_drives,
            boids: self.boids,
            species: self.species,
        }
    }

    /// Forces a grid storage; for tests. Results do not depend on it.
    #[doc(hidden)]
    #[must_use]
    pub fn storage(mut self, storage: Storage) -> Self {
        self.storage = storage;
        self
    }

    /// Forces the order in which flocks are steered whose boids look at their nearest alone; for tests. Results do not depend on it.
    #[doc(hidden)]
    #[must_use]
    pub fn crowds(mut self, crowds: Crowds) -> Self {
        self.crowds = crowds;
        self
    }

    /// Forces the size of a parallel batch, at least 1; for tests. Results do not depend on it.
    #[doc(hidden)]
    #[must_use]
    pub fn batch(mut self, slots: usize) -> Self {
        self.batch = slots.max(1);
        self
    }

    /// Rules, limits and combination. Default: no rules.
    #[must_use]
    pub fn params(mut self, params: Params) -> Self {
        self.params = params;
        self
    }

    /// What boids steer round and never are inside of: a list, or [`Obstacles`] with how they steer. Default: none. Boids may not
    /// start inside one that stands still.
    #[must_use]
    pub fn obstacles(mut self, obstacles: impl Into<Obstacles<[f32; D]>>) -> Self {
        self.obstacles = obstacles.into();
        self
    }

    /// Terms that do not come from neighbours, at most sixteen; they come after the rules, in this order. Default: none.
    #[must_use]
    pub fn drives(mut self, drives: Vec<Drive<[f32; D]>>) -> Self {
        self.drives = drives;
        self
    }

    /// Adds a drive of the host's own, after those of [`drives`](Self::drives); see [`OwnDrive`].
    #[must_use]
    pub fn own_drive(mut self, name: impl Into<String>, drive: impl OwnDrive<D>) -> Self {
        self.own_drives.push((name.into(), Arc::new(drive)));
        self
    }

    /// The world's edges. Default: open.
    #[must_use]
    pub fn domain(mut self, domain: Domain<[f32; D]>) -> Self {
        self.domain = domain;
        self
    }

    /// Key of all randomness, of [`spawn`](Self::spawn) and inside steps. Default 0. Call it before `spawn`.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Time slicing: every boid steers once in this many steps, in turns by id ((id + step) mod `steps` = 0, and in its first
    /// step), and holds its force in between. Unit: steps; default 1, range 1 to 1000. Larger: cheaper steps and later
    /// reactions; 2 differs from 1 little more than a time step does from half of it, at 4 flocks were 10 to 15 % looser, at 8 a
    /// quarter to a third (docs/PERFORMANCE.md, with the speed gained).
    #[must_use]
    pub fn steer_every(mut self, steps: u32) -> Self {
        self.steer_every = steps;
        self
    }

    /// Forces a SIMD level. Default: the best this CPU has. Results do not depend on it.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = Some(level);
        self
    }

    /// Uses this many worker threads of the flock's own, 1 to 1024; 1 uses the calling thread alone. Default: rayon's
    /// global pool. Results do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// `count` boids placed by `spawn`, ids from 0, drawn with the builder's seed.
    #[must_use]
    pub fn spawn(mut self, count: usize, spawn: &Spawn<D>) -> Self {
        let allowed = spawn.check().map_err(FlockError::from).and_then(|()| room_for::<D>(count));
        self.boids = allowed.map(|()| {
            let (positions, velocities) = spawn.place(count, self.seed);
            numbered(&positions, &velocities)
        });
        self
    }

    /// Boids from the host's own arrays, ids from 0.
    #[must_use]
    pub fn boids(mut self, positions: &[[f32; D]], velocities: &[[f32; D]]) -> Self {
        self.boids = if positions.len() == velocities.len() {
            Ok(numbered(positions, velocities))
        } else {
            Err(FlockError::Lengths { positions: positions.len(), velocities: velocities.len() })
        };
        self
    }

    /// Boids with ids of the host's own, in any order.
    #[must_use]
    pub fn boids_with_ids(mut self, boids: Vec<Boid<D>>) -> Self {
        self.boids = Ok(boids);
        self
    }

    /// Species of the boids, in the order in which they are given or spawned: places in [`Params::species`]. Default: everybody is of
    /// the first.
    #[must_use]
    pub fn species(mut self, species: Vec<usize>) -> Self {
        self.species = species;
        self
    }

    /// Checks everything and builds the flock. Positions outside a periodic box are wrapped into it.
    ///
    /// # Errors
    /// Names what is refused, its value and what is allowed.
    pub fn build(self) -> Result<Flock<D>, FlockError> {
        let mut declared = Vec::new();
        self.rules.perceptions(&mut declared);
        check_rules(&self.params, &declared, &self.domain)?;
        check_turns(self.steer_every, &self.params)?;
        if let Some(threads) = self.threads
            && !(1..=1024).contains(&threads)
        {
            return Err(ParamError::new("threads", threads, "1 to 1024").into());
        }
        let level = self.level.unwrap_or_else(Level::detect);
        if !level.is_available() {
            return Err(FlockError::LevelUnavailable(level));
        }
        let mut builder = self;
        let mut boids = std::mem::replace(&mut builder.boids, Ok(Vec::new()))?;
        room_for::<D>(boids.len())?;
        for boid in &mut boids {
            *boid = admit(boid, &builder.domain)?;
        }
        let mut ids: Vec<BoidId> = boids.iter().map(|b| b.id).collect();
        ids.sort_unstable();
        if let Some(twice) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(FlockError::DuplicateId(twice[0]));
        }
        let exists = |id| ids.binary_search(&BoidId::new(id)).is_ok();
        check_drives(&builder.drives, &builder.own_drives, &builder.domain, &builder.params, exists)?;
        let species = kinds_by_id(&builder, &boids)?;
        Flock::from_checked(builder, level, declared, boids, &species)
    }
}

/// The species of the boids by ascending id; empty where everybody is of the first.
fn kinds_by_id<const D: usize, R>(builder: &FlockBuilder<D, R>, boids: &[Boid<D>]) -> Result<Vec<usize>, FlockError> {
    let (given, kinds) = (&builder.species, builder.params.species.len());
    if given.is_empty() {
        return Ok(Vec::new());
    }
    if given.len() != boids.len() {
        return Err(ParamError::new("species", given.len(), format!("one for each of the {} boids", boids.len())).into());
    }
    let mut by_id: Vec<(BoidId, usize)> = boids.iter().map(|boid| boid.id).zip(given.iter().copied()).collect();
    by_id.sort_unstable();
    match by_id.iter().find(|(_, kind)| *kind >= kinds) {
        None => Ok(by_id.into_iter().map(|(_, kind)| kind).collect()),
        Some(&(id, kind)) => Err(FlockError::Boid { id, refusal: ParamError::new("species", kind, places_of(kinds)) }),
    }
}

/// The places of so many species, in words.
fn places_of(kinds: usize) -> String {
    if kinds == 0 { "none: the flock has no species".into() } else { format!("0 to {}", kinds - 1) }
}

fn numbered<const D: usize>(positions: &[[f32; D]], velocities: &[[f32; D]]) -> Vec<Boid<D>> {
    let boid = |(i, (&position, &velocity))| Boid { id: BoidId::new(i as u64), position, velocity };
    positions.iter().zip(velocities).enumerate().map(boid).collect()
}

/// Refuses turns that are out of range, and turns of a model, which is a rule for every step.
pub(crate) fn check_turns(steer_every: u32, params: &Params) -> Result<(), ParamError> {
    check_steer_every(steer_every)?;
    match &params.model {
        _ if steer_every > 1 && !params.species.is_empty() => Err(ParamError::new("steer_every", steer_every, "1 with species")),
        Some(model) if steer_every > 1 => {
            Err(ParamError::new("steer_every", steer_every, format!("1 with model.name = {}", model.name())))
        }
        _ => Ok(()),
    }
}

/// Refuses drives of a model, which is a rule of its own.
pub(crate) fn check_driven(params: &Params, drives: usize) -> Result<(), ParamError> {
    match &params.model {
        Some(model) if drives > 0 => Err(ParamError::new("drives", drives, format!("none with model.name = {}", model.name()))),
        _ => Ok(()),
    }
}

/// Refuses drives that are out of range or do not go together.
pub(crate) fn check_drives<const D: usize>(
    drives: &[Drive<[f32; D]>],
    own: &[Named<D>],
    domain: &Domain<[f32; D]>,
    params: &Params,
    exists: impl Fn(u64) -> bool,
) -> Result<(), FlockError> {
    let count = drives.len() + own.len();
    check_driven(params, count)?;
    if count > MAX_DRIVES {
        return Err(ParamError::new("drives", count, format!("at most {MAX_DRIVES}")).into());
    }
    let taken = |name: &String| {
        drives.iter().map(|drive| &drive.name).chain(own.iter().map(|(name, _)| name)).filter(|n| *n == name).count()
    };
    if let Some((name, _)) = own.iter().find(|(name, _)| taken(name) > 1) {
        return Err(ParamError::new(format!("drive.{name}"), "given twice", "each name once").into());
    }
    check_whom(drives, params)?;
    Ok(wingbeat_steer::check_drives(drives, domain, exists)?)
}

/// Refuses drives of species that are not, and a gaze that would depend on what the gaze finds.
fn check_whom<const D: usize>(drives: &[Drive<[f32; D]>], params: &Params) -> Result<(), FlockError> {
    let kinds = params.species.len();
    for drive in drives {
        let named = |key: &str| format!("drive.{}.{key}", drive.name);
        if let Some(species) = drive.species.filter(|&species| species >= kinds) {
            return Err(ParamError::new(named("species"), species, places_of(kinds)).into());
        }
        let looks = matches!(&drive.kind, DriveKind::Leader(leader) if leader.looks);
        if looks && matches!(drive.when, When::Idle | When::Busy) {
            return Err(ParamError::new(named("when"), format!("{:?}", drive.when), "always or resting with looks").into());
        }
    }
    Ok(())
}

/// Refuses rules and an edge that do not go together.
pub(crate) fn check_rules<const D: usize>(
    params: &Params,
    declared: &[Perception],
    domain: &Domain<[f32; D]>,
) -> Result<(), FlockError> {
    params.check()?;
    domain.check(0.0)?;
    if let Some(model) = &params.model {
        model.check_world(domain)?;
        if !declared.is_empty() {
            let allowed = format!("none of the host's own with model.name = {}", model.name());
            return Err(ParamError::new("rules", declared.len(), allowed).into());
        }
    }
    if !params.species.is_empty() && !declared.is_empty() {
        return Err(ParamError::new("rules", declared.len(), "none of the host's own with species").into());
    }
    if declared.len() > MAX_DECLARED {
        return Err(ParamError::new("rules", declared.len(), format!("at most {MAX_DECLARED} of the host's own")).into());
    }
    for (i, perception) in declared.iter().enumerate() {
        let name = format!("rule[{i}]");
        perception.check(&name)?;
        domain.check(perception.radius).map_err(|refusal| ParamError { field: format!("{name}.radius"), ..refusal })?;
    }
    let radii = [
        ("separation.radius", params.separation.map(|r| r.perception.radius)),
        ("alignment.radius", params.alignment.map(|r| r.perception.radius)),
        ("cohesion.radius", params.cohesion.map(|r| r.perception.radius)),
    ];
    for (field, radius) in radii {
        if let Some(radius) = radius {
            domain.check(radius).map_err(|refusal| ParamError { field: field.into(), ..refusal })?;
        }
    }
    for (field, radius) in params.radii_of_species() {
        domain.check(radius).map_err(|refusal| ParamError { field, ..refusal })?;
    }
    Ok(())
}

/// The boid as it enters the domain, or why it may not.
pub(crate) fn admit<const D: usize>(boid: &Boid<D>, domain: &Domain<[f32; D]>) -> Result<Boid<D>, FlockError> {
    let refuse = |field: &str, axis: usize, value: f32, allowed: String| FlockError::Boid {
        id: boid.id,
        refusal: ParamError::new(format!("{field}[{axis}]"), value, allowed),
    };
    for (a, &v) in boid.velocity.iter().enumerate() {
        if v.is_nan() || v.abs() > limit::VELOCITY {
            return Err(refuse("velocity", a, v, format!("-{0} to {0}", limit::VELOCITY)));
        }
    }
    let mut admitted = *boid;
    for (a, &x) in boid.position.iter().enumerate() {
        if x.is_nan() || x.abs() > limit::POSITION {
            return Err(refuse("position", a, x, format!("-{0} to {0}", limit::POSITION)));
        }
        if domain.is_periodic() {
            admitted.position[a] = domain.settle(a, x, 0.0).0;
        }
    }
    if !domain.contains(admitted.position) {
        let outside = |a: &usize| boid.position[*a] < domain.min[*a] || boid.position[*a] > domain.max[*a];
        let a = (0..D).find(outside).unwrap_or(0);
        return Err(refuse("position", a, boid.position[a], format!("{} to {}, the domain", domain.min[a], domain.max[a])));
    }
    Ok(admitted)
}

/// Refuses a count whose columns would not fit, before anything of that size is allocated.
fn room_for<const D: usize>(boids: usize) -> Result<(), FlockError> {
    let bytes = crate::bytes_for::<D>(boids);
    let refused = FlockError::TooManyBoids { boids, bytes };
    if boids > crate::MAX_BOIDS {
        return Err(refused);
    }
    let mut probe: Vec<u8> = Vec::new();
    usize::try_from(bytes).ok().and_then(|bytes| probe.try_reserve_exact(bytes).ok()).ok_or(refused)
}
