//! From a choice of features to a flock and its textbook; and the flock going on elsewhere.

use super::super::drives::{drives, give_times};
use super::super::gates::{exits, give_hours, sources};
use super::super::models::drawn;
use super::features::*;
use super::host_rules::*;
use crate::common::courses::course;
use crate::common::*;
use wingbeat::snapshot::*;
use wingbeat::steer::anticipation::{GettingThrough, anticipations};
use wingbeat::steer::gate::{Exits, Sources};
use wingbeat::steer::parameters::{Parameters, SettingKind, SettingValue};
use wingbeat::steer::*;
use wingbeat::steer::{HostRule, ObstacleSet, TextbookBoid, TextbookFlock, Vector, math};
use wingbeat::*;

/// A flock about to be built, and what is told to it before the first step.
#[derive(Debug)]
pub struct Setup<const D: usize> {
    pub case: Case<D>,
    pub choice: Choice,
    pub species: Vec<usize>,
    pub drives: Vec<Drive<[f32; D]>>,
    pub obstacles: Obstacles<[f32; D]>,
    pub goals: Vec<(u64, [f32; D])>,
    pub traits: Vec<(u64, Traits)>,
    pub exits: Vec<Exit<[f32; D]>>,
    pub sources: Vec<Source<[f32; D]>>,
    pub threads: usize,
    pub batch: usize,
}

/// Gives parameters the three rules in one of their forms; of several species those of one.
pub fn give_rules(params: &mut Params, choice: &Choice, of: AlignmentOf, random: &mut Random) {
    let form = choice[RULES];
    if form == 0 {
        return;
    }
    let cone = FieldOfView::degrees(240.0);
    let mut seen = |radius: f32| match form {
        1 => Perception { radius, view: cone, ..Default::default() },
        _ => Perception {
            radius: radius * random.one_of(&[1.0, 0.8]),
            view: random.one_of(&[FieldOfView::All, cone, FieldOfView::degrees(120.0)]),
            near_radius: random.one_of(&[0.0, 0.3]),
            nearest: None,
        },
    };
    let [apart, along, together] = [seen(0.6), seen(1.0), seen(1.0)];
    let (mut separation, mut alignment, mut cohesion) =
        (Separation::default(), Alignment::default(), Cohesion::default());
    if form == 3 {
        separation = random.one_of(&separations());
        (alignment, cohesion) = (random.one_of(&alignments()), random.one_of(&cohesions()));
    }
    params.rules.separation =
        Some(Separation { perception: apart, weight: random.one_of(&[1.0, 2.5]), ..separation });
    // Of all kinds, species average velocities beside others that average headings.
    let of = if form == 3 { alignment.of } else { of };
    params.rules.alignment = Some(Alignment { perception: along, of, ..alignment });
    params.rules.cohesion =
        Some(Cohesion { perception: together, weight: random.one_of(&[1.0, 0.3]), ..cohesion });
    if form == 3 && random.coin() {
        params.rules.cohesion = None;
    }
    if form >= 3 {
        give_further_rules(&mut params.rules, form == 4, random);
    }
    if choice[NEAREST] == 1 {
        count_nearest(params, random);
    }
}

/// Gives some of the rules that have a pass of their own, and where `one` is asked for one at
/// least, with any numbers and settings.
fn give_further_rules(rules: &mut Rules, one: bool, random: &mut Random) {
    let further = &RuleId::ALL[3..];
    let always = random.below(further.len());
    for (place, &id) in further.iter().enumerate() {
        if !(one && place == always || random.coin()) {
            continue;
        }
        rules.insert(id);
        for parameter in id.parameters().iter().chain(Perception::PARAMETERS) {
            rules.set(id, parameter.name(), random.within(0.2, 1.0));
        }
        for setting in id.settings() {
            let value = match setting.kind {
                SettingKind::Choice(words) => SettingValue::Text(random.one_of(words).into()),
                _ => SettingValue::Flag(random.coin()),
            };
            assert!(rules.choose(id, setting.key, &value), "{}.{}", id.name(), setting.key);
        }
        let view = random.one_of(&[FieldOfView::All, FieldOfView::degrees(120.0)]);
        let near_radius = random.one_of(&[0.0, 0.3]);
        let seen = rules.perception_mut(id).expect("a rule that was added");
        *seen = Perception { view, near_radius, ..*seen };
    }
}

/// Gives some rules, and one at least, a number of nearest that count.
pub fn count_nearest(params: &mut Params, random: &mut Random) {
    let mut always = true;
    for &id in RuleId::ALL {
        if let Some(seen) = params.rules.perception_mut(id) {
            let counts = std::mem::take(&mut always) || random.coin();
            seen.nearest = counts.then(|| 1 + random.below(7) as u32);
        }
    }
}

pub fn interactions(kinds: usize, random: &mut Random) -> Vec<Interaction> {
    use InteractionKind::{Evade, Flee, Flock, Ignore, Pursue};
    let capture = |who, other| Interaction {
        capture_radius: 0.2,
        weight: 2.0,
        ..Interaction::new(who, other, Pursue, 1.0)
    };
    let one = |who, other, kind| Interaction::new(who, other, kind, 0.8);
    match kinds {
        2 => vec![
            one(SpeciesId::new(0), SpeciesId::new(1), Flock),
            one(SpeciesId::new(1), SpeciesId::new(0), Flock),
        ],
        3 => vec![
            capture(SpeciesId::new(1), SpeciesId::new(0)),
            one(SpeciesId::new(0), SpeciesId::new(1), Evade),
            one(SpeciesId::new(0), SpeciesId::new(2), Flee),
            one(SpeciesId::new(2), SpeciesId::new(0), Flock),
            one(SpeciesId::new(2), SpeciesId::new(1), Ignore),
            one(SpeciesId::new(1), SpeciesId::new(2), Pursue),
        ],
        _ => {
            let mut list: Vec<Interaction> = Vec::new();
            for who in 0..kinds {
                for other in 0..kinds {
                    if random.below(3) > 0 {
                        continue;
                    }
                    let chases = list
                        .iter()
                        .filter(|i| i.species == SpeciesId::new(who) && i.kind.chases())
                        .count();
                    match random.one_of(&[Flock, Flock, Ignore, Flee, Pursue, Evade]) {
                        kind if kind.chases() && chases == 4 => {}
                        Pursue => list.push(capture(SpeciesId::new(who), SpeciesId::new(other))),
                        kind => list.push(one(SpeciesId::new(who), SpeciesId::new(other), kind)),
                    }
                }
            }
            list
        }
    }
}

/// Gives boids bodies: of one size, of the size and priority of their species, or so large that
/// hardly any has room.
pub fn give_bodies(params: &mut Params, option: usize, random: &mut Random) {
    if option == 0 {
        return;
    }
    let radius = if option == 3 { 0.25 } else { random.one_of(&[0.02, 0.1]) };
    params.body =
        Some(SolidBody { radius, share: random.one_of(&[0.75, 0.5, 0.9]), ..Default::default() });
    if option == 2 {
        for species in &mut params.species {
            species.body.radius = random.coin().then(|| random.within(0.01, 0.25));
            species.body.priority = random.below(3) as f32;
        }
    }
}

/// Gives boids with bodies a model of anticipation.
pub fn anticipate(params: &mut Params, option: usize, random: &mut Random) {
    let Some(mut model) = option.checked_sub(1).and_then(|place| anticipations().nth(place)) else {
        return;
    };
    model.set("distance", random.one_of(&[0.9, 0.5]));
    model.set("neighbors", random.one_of(&[1.0, 4.0, 10.0]));
    model.set("time_horizon", random.one_of(&[2.0, 0.5]));
    let anisotropy = random.one_of(&[1.0, 0.3]);
    model.set("anisotropy", anisotropy);
    model.set("time_gap_spread", 1.0 - anisotropy);
    params.anticipation = Some(model);
    let (side_step, noise) = (random.one_of(&[0.0, 1.0]), random.one_of(&[0.0, 0.2]));
    params.getting_through = GettingThrough {
        side_step,
        noise,
        response: random.one_of(&[1.0, 0.2]),
        ..Default::default()
    };
}

pub fn params_of(choice: &Choice, random: &mut Random) -> Params {
    let kinds = [0, 2, 3, 18][choice[SPECIES]];
    let of = random.one_of(&[AlignmentOf::Velocity, AlignmentOf::Heading]);
    let is_model = choice[MODEL] > 0;
    let limits = |random: &mut Random| {
        let mut limits = AgentLimits {
            max_speed: random.one_of(&[2.0, 1.0, 3.5]),
            min_speed: random.one_of(&[0.0, 0.4]),
            max_force: random.one_of(&[5.0, 0.7, 50.0]),
            mass: random.one_of(&[1.0, 0.3]),
            ..AgentLimits::default()
        };
        // Half of them differ from boid to boid, some as persons do.
        match (limits.mass < 1.0, limits.min_speed > 0.0) {
            (true, true) => limits.max_speed_spread = 0.15,
            (true, false) => {
                limits.population =
                    if limits.max_speed > 1.5 { Population::Imo } else { Population::Rimea }
            }
            _ => {}
        }
        limits
    };
    let mut params = Params::default();
    if is_model {
        let name = options()[MODEL][choice[MODEL]].clone();
        params.model = Some(drawn(&name, 1.0, random));
    } else {
        let number =
            if choice[COMBINATION] < 2 { choice[COMBINATION] } else { random.one_of(&[2, 3, 4]) };
        (params.combine, params.priority) = combine(number, random);
        if kinds == 0 {
            params.agent = limits(random);
            give_rules(&mut params, choice, of, random);
        }
    }
    for place in 0..kinds {
        let mut own = Params::default();
        give_rules(&mut own, choice, of, random);
        let agent = if is_model { AgentLimits::default() } else { limits(random) };
        let capacity = 0.2 + random.unit();
        let stamina = random.coin().then_some(Stamina { capacity, drain: 2.0, recover: 5.0 });
        let (name, body) = (format!("kind{place}"), SpeciesBody::default());
        params.species.push(Species { name, agent, rules: own.rules, stamina, body });
    }
    if kinds > 0 {
        params.interactions = interactions(kinds, random);
    }
    give_bodies(&mut params, choice[BODIES], random);
    anticipate(&mut params, choice[ANTICIPATION], random);
    params.max_neighbors = (choice[NEAREST] == 2).then(|| 1 + random.below(9) as u32);
    params.expected_neighbors = random.one_of(&[None, Some(5.0), Some(60.0)]);
    params
}

pub fn domain_of<const D: usize>(
    option: usize,
    reach: f32,
    random: &mut Random,
) -> Domain<[f32; D]> {
    let low = random.one_of(&[0.0, -3.7, 1000.3]);
    let sides = if option == 2 { 2.2 } else { random.one_of(&[3.1, 4.0]) };
    let (min, max) = ([low; D], <[f32; D]>::from_fn(|_| low + reach * sides));
    match option {
        0 => Domain::open(),
        1 | 2 => Domain::periodic(min, max),
        3 => Domain::walled(min, max, reach * random.one_of(&[0.4, 2.0]), 3.0),
        4 => Domain::reflecting(min, max),
        _ => Domain::absorbing(min, max),
    }
}

/// Some of them on one point, some nearly, some at rest.
pub fn boids_of<const D: usize>(
    (low, high): ([f32; D], [f32; D]),
    random: &mut Random,
) -> Vec<TextbookBoid<[f32; D]>> {
    let mut boids: Vec<TextbookBoid<[f32; D]>> = (0..40 + random.below(51))
        .map(|i| TextbookBoid {
            id: ((i * 7919) % 1009) as u64 + u64::from(i > 30) * (1 << 40),
            position: <[f32; D]>::from_fn(|a| {
                low[a] + (high[a] - low[a]) * random.within(0.0, 0.99)
            }),
            velocity: <[f32; D]>::from_fn(|_| random.within(-1.0, 1.0)),
        })
        .collect();
    for i in 0..4 {
        boids[i].position = boids[i + 4 + i % 2].position;
        boids[i + 10].position =
            <[f32; D]>::from_fn(|a| math::max(boids[i + 20].position[a].next_down(), low[a]));
        boids[i * 3].velocity = [random.one_of(&[0.0, -0.0, 1e-20]); D];
    }
    boids
}

pub fn setup<const D: usize>(seed: u64, choice: Choice) -> Setup<D> {
    let mut random = Random::new(seed);
    let params = params_of(&choice, &mut random);
    // Some models look at everyone.
    let reach =
        if params.largest_radius() < 1e6 { math::max(params.largest_radius(), 1.0) } else { 1.0 };
    let domain = domain_of::<D>(choice[DOMAIN], reach, &mut random);
    let open = domain.boundary == Boundary::Open;
    let corners = if open { ([0.0; D], [3.5 * reach; D]) } else { (domain.min, domain.max) };
    let boids = boids_of(corners, &mut random);
    let ids: Vec<u64> = boids.iter().map(|boid| boid.id).collect();
    let kinds = params.species.len();
    let numbers: &[usize] =
        [&[][..], &[1, 3], &[4, 6, 11], &[2, 5, 7, 8, 9, 10, 0, 11]][choice[DRIVES]];
    let mut drives = drives(numbers, &domain, &ids, kinds, &mut random);
    let motion = if choice[OBSTACLES] == 2 { 1 + random.below(4) } else { 0 };
    let count = if choice[OBSTACLES] == 0 { 0 } else { 5 };
    let mut list = course(&mut random, corners, count, (None, Some(motion)));
    let alone = |one: &Obstacle<[f32; D]>| {
        ObstacleSet::new(vec![one.clone()].into(), &domain).expect("obstacles")
    };
    list.retain(|one| {
        one.motion.moves() || boids.iter().all(|boid| alone(one).solid_at(boid.position).is_none())
    });
    let avoidance =
        Avoidance { weight: random.one_of(&[10.0, 0.5]), horizon: 1.0, clearance: 0.25 };
    let obstacles = Obstacles { list, avoidance: (choice[OBSTACLES] != 3).then_some(avoidance) };
    let goal = |id: &u64| {
        let place = |a: usize| corners.0[a] + (corners.1[a] - corners.0[a]) * 0.25;
        (*id, <[f32; D]>::from_fn(place))
    };
    let goals = ids.iter().step_by(5).map(goal).collect();
    let species: Vec<usize> =
        ids.iter().map(|_| if kinds == 0 { 0 } else { random.below(kinds) }).collect();
    let special = random.coin();
    let own = |(&id, &species): (&u64, &usize)| {
        let own = special && random.below(4) == 0;
        let (max_speed, mass) = (own.then_some(0.7), (own && random.coin()).then_some(2.5));
        let radius =
            (own && choice[BODIES] == 2 && random.coin()).then(|| random.within(0.01, 0.27));
        (
            id,
            Traits {
                species: SpeciesId::new(species),
                max_speed,
                mass,
                radius,
                ..Traits::default()
            },
        )
    };
    let traits = ids.iter().zip(&species).map(own).collect();
    let (threads, batch) = random.one_of(&[(1, 512), (1, 37), (1, 5), (3, 16)]);
    let case =
        Case { seed, name: String::new(), params, domain, boids, dt: random.one_of(&[0.05, 0.3]) };
    give_times(&mut drives, choice[TIMES] % 2 == 1, choice[TIMES] >= 2, case.dt, &mut random);
    let mut exits =
        if choice[GATES] % 2 == 1 { exits(corners, kinds, &mut random) } else { Vec::new() };
    give_hours(&mut exits, choice[TIMES] % 2 == 1, choice[TIMES] >= 2, case.dt, &mut random);
    let mut sources =
        if choice[GATES] >= 2 { sources(corners, kinds, case.dt, &mut random) } else { Vec::new() };
    let course = ObstacleSet::new(obstacles.clone(), &case.domain).expect("obstacles");
    sources.retain(|one| {
        Sources::new(vec![one.clone()], &case.params, &case.domain, Some(&course)).is_ok()
    });
    Setup {
        case,
        choice,
        species,
        drives,
        obstacles,
        goals,
        traits,
        exits,
        sources,
        threads,
        batch,
    }
}

impl<const D: usize> Setup<D> {
    pub fn every(&self) -> u32 {
        [1, 3][self.choice[TURNS]]
    }

    pub fn textbook(&self) -> TextbookFlock<[f32; D]> {
        let spring = HostRule { perception: spring_sees(), force: spring };
        let shy = HostRule { perception: shy_sees(), force: shy };
        TextbookFlock {
            drives: self.drives.clone(),
            obstacles: ObstacleSet::new(self.obstacles.clone(), &self.case.domain)
                .expect("obstacles"),
            goals: self.goals.iter().copied().collect(),
            traits: self.traits.iter().copied().collect(),
            host_rules: [spring, shy][..[0, 1, 2, 1, 2][self.choice[HOST]]].to_vec(),
            exits: Exits::new(self.exits.clone(), &self.case.params, &self.case.domain)
                .expect("exits"),
            sources: Sources::new(self.sources.clone(), &self.case.params, &self.case.domain, None)
                .expect("sources"),
            ..textbook(&self.case)
        }
    }

    pub fn engine(&self) -> Result<Flock<D>, FlockError> {
        let levels = Level::available();
        let level = levels[self.choice[LEVEL] % levels.len()];
        let (crowds, storage) = [
            (Crowds::Never, Storage::Automatic),
            (Crowds::Never, Storage::Sparse),
            (Crowds::Always, Storage::Automatic),
            (Crowds::Always, Storage::Sparse),
        ][self.choice[ORDER]];
        let builder =
            builder(&self.case, level, self.threads, storage).crowds(crowds).batch(self.batch);
        // A start that overlaps is refused; boids that are given bodies later may.
        let points = Params { body: None, anticipation: None, ..self.case.params.clone() };
        let builder = builder.params(points);
        let builder = builder
            .steer_every(self.every())
            .drives(self.drives.clone())
            .obstacles(self.obstacles.clone());
        let builder = builder.exits(self.exits.clone()).sources(self.sources.clone());
        let builder = if self.case.params.species.is_empty() {
            builder
        } else {
            builder.species(self.species.iter().copied().map(SpeciesId::new))
        };
        #[cfg(debug_assertions)]
        let builder = if self.choice[PASSES] == 1 { builder.unfused() } else { builder };
        let mut flock = self.with_host_rules(builder)?;
        flock.set_params(self.case.params.clone())?;
        for &(id, traits) in self.traits.iter().filter(|(_, traits)| traits.max_speed.is_some()) {
            flock.set_traits(BoidId::new(id), traits)?;
        }
        for &(id, goal) in &self.goals {
            flock.set_goal(BoidId::new(id), Some(goal))?;
        }
        Ok(flock)
    }
}

impl<const D: usize> Setup<D> {
    /// An empty flock, at another level and on other threads than the setup says, with the same
    /// rules of the host's own.
    fn elsewhere(&self) -> Result<Flock<D>, FlockError> {
        let levels = Level::available();
        let level = levels[(self.choice[LEVEL] + 1) % levels.len()];
        let storage = [Storage::Sparse, Storage::Automatic][self.choice[ORDER] % 2];
        let builder = Flock::<D>::builder()
            .level(level)
            .threads(3 - self.threads.clamp(1, 2))
            .storage(storage)
            .batch(7);
        self.with_host_rules(builder)
    }

    /// The flock with the setup's rules of the host's own, in lanes or as closures.
    fn with_host_rules(&self, builder: FlockBuilder<D>) -> Result<Flock<D>, FlockError> {
        match self.choice[HOST] {
            0 => builder.build(),
            1 => builder.rule(Spring).build(),
            2 => builder.rule(Spring).rule(Shy).build(),
            3 => builder.own_rule(spring_sees(), spring_by_closure).build(),
            _ => builder.own_rule(shy_sees(), shy_by_closure).rule(Spring).build(),
        }
    }

    /// The flock before a step, in other ways at other steps: resumed elsewhere, gone back to
    /// after some steps and other settings, or as it was. Nothing of it may show.
    pub fn broken(
        &self,
        step: usize,
        mut flock: Flock<D>,
        saved: &mut Snapshot<D>,
    ) -> Result<Flock<D>, FlockError> {
        match step {
            2 => {
                let mut other = self.elsewhere()?;
                other.restore(&flock.checkpoint())?;
                assert_eq!(other.checkpoint(), flock.checkpoint());
                Ok(other)
            }
            3 | 5 => {
                flock.save(saved);
                let hash = saved.hash();
                (0..2).for_each(|_| flock.step(TimeStep::new(self.case.dt).expect("a step")));
                if step == 5 {
                    // Sources, which cannot be changed, may be of a species that these parameters
                    // do not have.
                    let _ = flock
                        .set_exits(Vec::new())
                        .and_then(|()| flock.set_params(Params::default()));
                    flock.set_drives(Vec::new())?;
                    flock.set_obstacles(Vec::new())?;
                    flock.set_steer_every(2)?;
                    let first = flock.frame().living().first().copied();
                    flock.remove(first.as_slice())?;
                    // Whatever was changed, what a flock tells of itself is taken.
                    self.elsewhere()?.restore(&flock.checkpoint())?;
                }
                flock.load(saved)?;
                flock.save(saved);
                assert_eq!(saved.hash(), hash);
                Ok(flock)
            }
            4 => {
                flock.save(saved);
                let mut other = self.elsewhere()?;
                other.load(saved)?;
                Ok(other)
            }
            _ => Ok(flock),
        }
    }
}
