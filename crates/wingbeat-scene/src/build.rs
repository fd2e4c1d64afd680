//! From a scene to a flock.

use std::cell::OnceCell;
use std::collections::HashSet;

use wingbeat::steer::check_drives;
use wingbeat::{
    Boid, BoidId, Domain, Flock, FlockBuilder, FlockError, Level, Params, SpeciesId, TimeStep,
};
use wingbeat_record::About;

use crate::dimension::by_dimension;
use crate::floor::{self, Floor};
use crate::initial::{self, State};
use crate::scene::Scene;
use crate::start::{Group, OwnGoal};
use crate::worlds::outside::{Placed, StaticObstacles};
use crate::worlds::room::Room;
use crate::worlds::{self, Ask, World};
use crate::{AnyDomain, AnyFlock, SceneError, Schedule, memory, schedule, start};

/// What a flock runs on. None of it changes results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine {
    /// SIMD level; `None` = the best this CPU has.
    pub level: Option<Level>,
    /// Worker threads; `None` = as many as the machine has.
    pub threads: Option<usize>,
}

/// A flock as a scene describes it.
pub struct Built {
    /// The flock, before its first step. Where the scene has ramps, or boids that move one after
    /// the other, only [`step`](Self::step) follows it.
    pub flock: AnyFlock,
    /// Where the scene's zero lies in the world (`domain.origin`), one number per dimension.
    pub origin: Vec<f64>,
    /// What [`check`](Scene::check) warns of.
    pub warnings: Vec<String>,
    /// What was done to the initial state, for the user to read: columns ignored, boids wrapped,
    /// values left at their default.
    pub notes: Vec<String>,
    /// How the flock follows its scene; see [`step`](Self::step).
    pub schedule: Schedule,
}

impl Built {
    /// Makes one step, with the numbers that the scene's ramps have at its beginning, and in the
    /// scene's order.
    ///
    /// # Errors
    /// When the flock refuses one of the numbers; no step is made then.
    pub fn step(&mut self, dt: TimeStep) -> Result<(), SceneError> {
        self.schedule.step(&mut self.flock, dt)
    }

    /// The description of a recording of every `every`-th step; `scene` is the one that the flock
    /// was built from.
    ///
    /// # Errors
    /// When the scene's floor plan cannot be read any more.
    pub fn about(&self, scene: &Scene, every: u64) -> Result<About, SceneError> {
        let mut origin = [0.0; 3];
        origin.iter_mut().zip(&self.origin).for_each(|(to, &from)| *to = from);
        Ok(About {
            dimensions: self.flock.dimensions(),
            dt: scene.dt().as_written(),
            every,
            seed: scene.seed(),
            name: scene.name().to_string(),
            scene: scene.clone().with_floor_inside()?.to_toml(),
            edges: self.flock.edges(),
            origin,
            species: scene.params().species_names(),
            unit: scene.unit(),
        })
    }
}

/// The rules, drives and obstacles of a scene, computed for flocks of one domain; see
/// [`Scene::prepare`].
pub struct Prepared {
    scene: Scene,
    world: AnyWorld,
}

enum AnyWorld {
    Two(World<2>),
    Three(World<3>),
}

impl Prepared {
    /// Gives them to a flock that steps, as [`Scene::apply`] does.
    ///
    /// # Errors
    /// As [`Scene::apply`].
    pub fn apply(self, flock: &mut AnyFlock) -> Result<(), SceneError> {
        match (self.world, flock) {
            (AnyWorld::Two(world), AnyFlock::Two(flock)) => self.scene.apply_in(world, flock),
            (AnyWorld::Three(world), AnyFlock::Three(flock)) => self.scene.apply_in(world, flock),
            (_, flock) => Err(self.scene.other_dimensions(flock.dimensions())),
        }
    }
}

/// What a flock is built from: the scene's sizes and files resolved, all of it checked, and no boid
/// placed yet.
pub(crate) struct Plan<const D: usize> {
    pub count: usize,
    pub domain: Domain<[f32; D]>,
    pub floor: Option<Floor>,
    pub groups: Vec<Group<D>>,
    pub world: World<D>,
    /// What the flock starts with: ramps have the values of their beginning.
    pub params: Params,
    state: Option<State<D>>,
}

/// Where one boid wants to go.
#[derive(Clone, Copy)]
enum Goal<const D: usize> {
    At([f32; D]),
    /// As far beyond this point as it starts before it.
    Beyond([f64; D]),
}

impl<const D: usize> Goal<D> {
    fn from(self, start: [f32; D]) -> [f32; D] {
        match self {
            Self::At(place) => place,
            Self::Beyond(center) => {
                std::array::from_fn(|a| (2.0 * center[a] - f64::from(start[a])) as f32)
            }
        }
    }
}

/// A boid before the first step.
pub(crate) struct InitialBoid<const D: usize> {
    pub id: u64,
    pub species: SpeciesId,
    pub position: [f32; D],
}

impl<const D: usize> Plan<D> {
    /// Positions of the initial state; empty where boids are spawned.
    pub fn positions(&self) -> impl Iterator<Item = [f32; D]> {
        self.state.iter().flat_map(|state| state.boids.iter().map(|boid| boid.position))
    }
}

impl Scene {
    /// Builds the flock.
    ///
    /// # Errors
    /// When the initial state is refused, or keys that do not go together: a radius over half a
    /// periodic box, a start outside the walls, more boids than memory holds.
    pub fn build(&self, machine: &Machine) -> Result<Built, SceneError> {
        self.check_turns()?;
        self.built(Ask::Whither, machine)
    }

    /// Builds the flock, with drives as far as is asked of them.
    pub(crate) fn built(&self, ask: Ask, machine: &Machine) -> Result<Built, SceneError> {
        by_dimension!(
            self,
            self.build_in::<2>(ask, machine, AnyFlock::Two),
            self.build_in::<3>(ask, machine, AnyFlock::Three)
        )
    }

    fn build_in<const D: usize>(
        &self,
        ask: Ask,
        machine: &Machine,
        wrap: fn(Flock<D>) -> AnyFlock,
    ) -> Result<Built, SceneError> {
        let plan = self.plan::<D>(ask)?;
        let placed = self.placed(&plan)?;
        let warnings = self.warnings(&plan, placed.as_ref())?;
        let mut builder = self.builder(&plan.domain, plan.params.clone());
        let goals = self.goals(&plan)?;
        builder = builder.drives(plan.world.drives.clone()).obstacles(plan.world.obstacles.clone());
        builder =
            builder.exits(plan.world.exits.list().to_vec()).sources(plan.world.sources.clone());
        if let Some(level) = machine.level {
            builder = builder.level(level);
        }
        if let Some(threads) = machine.threads {
            builder = builder.threads(threads);
        }
        let by_flag = self.about_initial(&plan, true);
        let (mut notes, mut species) = (Vec::new(), None);
        builder = match (plan.state, placed) {
            (Some(state), _) => {
                (notes, species) = (state.notes, state.species);
                builder.boids_with_ids(state.boids)
            }
            (None, Some((positions, velocities))) => builder.boids(&positions, &velocities),
            (None, None) => builder.spawn(plan.count, plan.groups[0].spawn),
        };
        builder = builder.species(species.unwrap_or_else(|| self.species_by_id(plan.count)));
        let mut flock = builder.build().map_err(|refusal| self.refuse_flock(refusal))?;
        if !goals.is_empty() {
            // In the order of ids, as boids are by id.
            let mut goals = goals.into_iter().peekable();
            let goal = |boid: Boid<D>| {
                let (_, goal) = goals.next_if(|(id, _)| *id == boid.id)?;
                Some((boid.id, Some(goal.from(boid.position))))
            };
            let goals: Vec<_> = flock.frame().by_id().filter_map(goal).collect();
            flock.set_goals(&goals).map_err(|refusal| self.refuse_flock(refusal))?;
        }
        notes.extend(by_flag);
        let (mut flock, mut schedule) = (wrap(flock), self.schedule());
        schedule.follow(&mut flock)?;
        Ok(Built { flock, origin: self.origin::<D>().to_vec(), warnings, notes, schedule })
    }

    /// Gives a flock the rules, drives, obstacles and exits of this scene from its next step on;
    /// its sources stay as they are. Its boids stay, and so does what they remember of drives that
    /// the scene still has.
    ///
    /// # Errors
    /// When the flock is of other dimensions or models than the scene, or refuses something;
    /// nothing that was refused is changed.
    pub fn apply(&self, flock: &mut AnyFlock) -> Result<(), SceneError> {
        self.prepare(flock.domain())?.apply(flock)
    }

    /// Computes what [`apply`](Self::apply) gives a flock of this domain: flow fields may take
    /// seconds, and a host may want to have them computed on another thread than the flock's.
    ///
    /// # Errors
    /// When the domain is of other dimensions than the scene, or a drive or an obstacle is refused.
    pub fn prepare(&self, domain: AnyDomain) -> Result<Prepared, SceneError> {
        let world = by_dimension!(
            self,
            match domain {
                AnyDomain::Two(domain) => worlds::world(self, &domain).map(AnyWorld::Two),
                AnyDomain::Three(_) => Err(self.other_dimensions(3)),
            },
            match domain {
                AnyDomain::Two(_) => Err(self.other_dimensions(2)),
                AnyDomain::Three(domain) => worlds::world(self, &domain).map(AnyWorld::Three),
            },
        );
        Ok(Prepared { scene: self.clone(), world: world? })
    }

    fn other_dimensions(&self, dimensions: usize) -> SceneError {
        self.document.refuse("flock.dimensions", &format!("{dimensions}, as of the flock"))
    }

    /// Gives a flock the parameters alone, without a look at what is around it.
    pub(crate) fn apply_params(&self, flock: &mut AnyFlock) -> Result<(), SceneError> {
        let set = match flock {
            AnyFlock::Two(flock) => flock.set_params(self.params().clone()),
            AnyFlock::Three(flock) => flock.set_params(self.params().clone()),
        };
        set.map_err(|refusal| self.refuse_flock(refusal))
    }

    fn apply_in<const D: usize>(
        &self,
        world: World<D>,
        flock: &mut Flock<D>,
    ) -> Result<(), SceneError> {
        let refused = |refusal| self.refuse_flock(refusal);
        if self.params() != flock.params() {
            flock.set_params(self.params().clone()).map_err(refused)?;
        }
        flock.set_steer_every(self.steer_every()).map_err(refused)?;
        if world.drives != flock.drives() {
            flock.set_drives(world.drives).map_err(refused)?;
        }
        if world.exits.list() != flock.exits() {
            flock.set_exits(world.exits.list().to_vec()).map_err(refused)?;
        }
        // Only if they differ: setting obstacles puts those that the host moves back to their
        // start.
        if flock.obstacles().map_or(!world.obstacles.is_empty(), |obstacles| {
            *obstacles.obstacles() != world.obstacles
        }) {
            flock.set_obstacles(world.obstacles).map_err(refused)?;
        }
        Ok(())
    }

    /// Positions and velocities at the start, where that is for the scene to say; the engine itself
    /// places a flock of which all start alike and nothing is in the way.
    pub(crate) fn placed<const D: usize>(
        &self,
        plan: &Plan<D>,
    ) -> Result<Option<Placed<D>>, SceneError> {
        let nothing_around = plan.world.obstacles.is_empty() && plan.world.exits.list().is_empty();
        let is_plain = nothing_around && plan.groups.len() == 1 && plan.params.body.is_none();
        if plan.state.is_some() || is_plain { Ok(None) } else { self.place(plan).map(Some) }
    }

    /// Who starts where, of placed boids or of an initial state.
    pub(crate) fn initial<const D: usize>(
        &self,
        plan: &Plan<D>,
        placed: Option<&Placed<D>>,
    ) -> Vec<InitialBoid<D>> {
        let told = plan.state.as_ref().and_then(|state| state.species.clone());
        let species = told.unwrap_or_else(|| self.species_by_id(plan.count));
        let species = species.into_iter().chain(std::iter::repeat(SpeciesId::default()));
        let read = plan
            .state
            .iter()
            .flat_map(|state| state.boids.iter().map(|boid| (boid.id.get(), boid.position)));
        let drawn = placed.iter().flat_map(|(positions, _)| (0..).zip(positions.iter().copied()));
        read.chain(drawn)
            .zip(species)
            .map(|((id, position), species)| InitialBoid { id, species, position })
            .collect()
    }

    /// Where boids want to go that have a goal of their own, in the order of ids.
    fn goals<const D: usize>(&self, plan: &Plan<D>) -> Result<Vec<(BoidId, Goal<D>)>, SceneError> {
        if plan.groups.iter().all(|group| group.goal == OwnGoal::None) {
            return Ok(Vec::new());
        }
        let standing =
            StaticObstacles::new(&plan.world.obstacles, &plan.domain, plan.floor.clone());
        let standing = standing.map_err(|refusal| self.document.refuse_param(refusal))?;
        let mut goals = Vec::new();
        for group in &plan.groups {
            let members = self.members(plan, group);
            let places = match group.goal {
                OwnGoal::None => continue,
                OwnGoal::Opposite(center) => vec![Goal::Beyond(center); members.len()],
                OwnGoal::Random => {
                    // Another stream than that of the starts.
                    let placed = standing.place(
                        &group.spawn,
                        members.len(),
                        group.seed ^ 0x8CB9_2BA7_2F3D_8DD7,
                    );
                    let key = format!("{}.shape", group.section);
                    let allowed = "a start with room for goals outside the obstacles that stand \
                        still";
                    placed
                        .ok_or_else(|| self.document.refuse(&key, allowed))?
                        .0
                        .into_iter()
                        .map(Goal::At)
                        .collect()
                }
            };
            goals.extend(members.into_iter().zip(places));
        }
        goals.sort_unstable_by_key(|(id, _)| *id);
        Ok(goals)
    }

    /// The boids of a group: of an initial state those of its species.
    fn members<const D: usize>(&self, plan: &Plan<D>, group: &Group<D>) -> Vec<BoidId> {
        let Some(state) = &plan.state else {
            return group
                .members
                .iter()
                .flat_map(|(_, boids)| boids.clone())
                .map(|i| BoidId::new(i as u64))
                .collect();
        };
        let species = state.species.clone().unwrap_or_else(|| self.species_by_id(plan.count));
        let of = |i: usize| species.get(i).copied().unwrap_or_default();
        let is_member = |i: usize| group.members.iter().any(|(species, _)| *species == of(i));
        (0..).zip(&state.boids).filter(|(i, _)| is_member(*i)).map(|(_, boid)| boid.id).collect()
    }

    /// Positions and velocities at the start, no boid inside an obstacle that stands still.
    fn place<const D: usize>(&self, plan: &Plan<D>) -> Result<Placed<D>, SceneError> {
        let refused = |refusal| self.document.refuse_param(refusal);
        let standing =
            StaticObstacles::new(&plan.world.obstacles, &plan.domain, plan.floor.clone())
                .map_err(refused)?;
        let mut standing = standing.without(plan.world.exits.clone());
        let walls = StaticObstacles::all(&plan.world.obstacles, &plan.domain).map_err(refused)?;
        let on_floor = if plan.floor.is_some() { ", on the floor" } else { "" };
        let (mut positions, mut velocities) =
            (vec![[0.0; D]; plan.count], vec![[0.0; D]; plan.count]);
        let params = &plan.params;
        let mut room = Room::new(&plan.domain, &walls, params.largest_body());
        for group in &plan.groups {
            let key = format!("{}.shape", group.section);
            standing.ask_for(group.members.iter().map(|(species, _)| *species));
            let placed =
                standing.place(&group.spawn, group.count(), group.seed).ok_or_else(|| {
                    let exits = if plan.world.exits.list().is_empty() { "" } else { "exits and " };
                    let allowed = format!(
                        "a start with room outside {exits}the obstacles that stand still{on_floor}"
                    );
                    self.document.refuse(&key, &allowed)
                })?;
            // Bodies that are moved apart later may overlap now.
            let placed = if params.body.is_some_and(|body| !body.settle) {
                let radius = |species: SpeciesId| {
                    params.body_of(species).and_then(|body| body.radius).unwrap_or(0.0)
                };
                let radii: Vec<f32> = group
                    .members
                    .iter()
                    .flat_map(|(species, boids)| boids.clone().map(|_| radius(*species)))
                    .collect();
                room.settle(placed, &radii, &standing, (&group.spawn, group.seed)).ok_or_else(
                    || {
                        let allowed = "a start with room for all bodies (fewer boids, a smaller \
                        body.radius, or body.settle = true)";
                        self.document.refuse(&key, allowed)
                    },
                )?
            } else {
                placed
            };
            let (mut places, mut ways) = placed;
            if plan.groups.len() == 1 {
                return Ok((places, ways));
            }
            for (_, boids) in group.members.iter().rev() {
                let rest = places.len() - boids.len();
                positions[boids.clone()].copy_from_slice(&places.split_off(rest));
                velocities[boids.clone()].copy_from_slice(&ways.split_off(rest));
            }
        }
        Ok((positions, velocities))
    }

    /// Reads the initial state, sizes the domain, and checks everything that needs no boid to be
    /// placed.
    pub(crate) fn plan<const D: usize>(&self, ask: Ask) -> Result<Plan<D>, SceneError> {
        let raw = if self.start.is_none() { initial::read::<D>(self)? } else { None };
        let started = self.start.as_ref().map(|start| State::of(start));
        let read = raw.as_ref().map(|raw| raw.positions.len());
        let count = read
            .or(started.as_ref().map(|state| state.boids.len()))
            .unwrap_or(self.boids().unwrap_or(0));
        if let Some(raw) = &raw
            && self.document.is_override("flock.boids")
            && self.boids() != Some(count)
        {
            return Err(self
                .document
                .refuse("flock.boids", &format!("{count}, the boids in {}", raw.path)));
        }
        memory::room_for::<D>(count, |allowed| self.document.refuse("flock.boids", allowed))?;
        let floor = floor::floor(self)?;
        let domain = start::domain::<D>(&self.document, count, floor.as_ref())?;
        schedule::check_count(self, count)?;
        // An empty flock asks the engine whether rules, limits and domain go together, before boids
        // take memory.
        let params = self.params_at_start()?;
        self.builder(&domain, params.clone())
            .build()
            .map_err(|refusal| self.too_large_for_box(refusal, count))?;
        let shares =
            if self.params().species.is_empty() { vec![count] } else { self.species_shares(count) };
        let groups = start::groups(&self.document, &domain, &shares, self.seed(), floor.as_ref())?;
        let state = raw
            .map(|raw| initial::convert(self, raw, &domain, self.origin::<D>()))
            .transpose()?
            .or(started);
        let world = worlds::world_on(self, &domain, floor.as_ref(), ask)?;
        self.check_parents(&world, state.as_ref(), count)?;
        let bytes_a_boid = wingbeat::memory::bytes_a_boid(self.params(), &world.drives);
        memory::room_for_such::<D>(count, bytes_a_boid, |allowed| {
            self.document.refuse("flock.boids", allowed)
        })?;
        Ok(Plan { count, domain, floor, groups, world, params, state })
    }

    /// Refuses drives that follow a boid that is not there.
    fn check_parents<const D: usize>(
        &self,
        world: &World<D>,
        state: Option<&State<D>>,
        count: usize,
    ) -> Result<(), SceneError> {
        // Of a state, only where a drive asks.
        let ids = OnceCell::<HashSet<u64>>::new();
        let exists = |id| match state {
            Some(state) => ids
                .get_or_init(|| state.boids.iter().map(|boid| boid.id.get()).collect())
                .contains(&id),
            None => id < count as u64,
        };
        check_drives(&world.drives, &Domain::open(), exists)
            .map_err(|refusal| self.document.refuse_param(refusal))
    }

    /// Where the scene's zero lies in the world.
    pub(crate) fn origin<const D: usize>(&self) -> [f64; D] {
        self.document.point::<D>("domain.origin").unwrap_or([0.0; D])
    }

    fn builder<const D: usize>(
        &self,
        domain: &Domain<[f32; D]>,
        params: Params,
    ) -> FlockBuilder<D> {
        Flock::<D>::builder()
            .params(params)
            .domain(*domain)
            .seed(self.seed())
            .steer_every(self.steer_every())
    }

    /// As [`refuse_flock`](Self::refuse_flock). Where a radius is too large for a box that no key
    /// gave, it says what sized the box.
    fn too_large_for_box(&self, refusal: FlockError, count: usize) -> SceneError {
        let mut refused = self.refuse_flock(refusal);
        if let SceneError::Value { key, allowed, .. } = &mut refused
            && key.ends_with(".radius")
            && !self.document.has("domain.min")
            && !self.document.has_section("floor")
        {
            *allowed += &format!(" (the box is sized by spawn.spacing for {count} boids)");
        }
        refused
    }

    /// A refusal of the engine's, placed where its key was given.
    fn refuse_flock(&self, refusal: FlockError) -> SceneError {
        match refusal {
            FlockError::Param(refusal) if refusal.field == "threads" => SceneError::Value {
                place: "--threads".into(),
                key: refusal.field,
                value: refusal.value,
                allowed: refusal.allowed,
            },
            FlockError::Param(refusal) => self.document.refuse_param(refusal),
            FlockError::LevelUnavailable(_) => SceneError::data("--level", refusal),
            FlockError::Threads { .. } => refusal.into(),
            other => SceneError::data(self.name(), other),
        }
    }
}
