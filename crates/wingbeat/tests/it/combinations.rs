//! Everything with everything: flocks whose features are drawn such that every two options that go
//! together meet in some flock. Each equals the textbook bit for bit, and explains itself as it
//! goes: the parts add up.
//!
//! The fuzz target `world` draws its flocks here too, and compares them in the same way
//! (fuzz/targets/world.rs).
//!
//! A failure names its case. `WINGBEAT_CASE=CASE cargo test -p wingbeat --test it combinations::`
//! runs that one alone, and `WINGBEAT_FULL=1` some thousands of random ones besides.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::drives::{drives, give_times};
use super::explain::adds_up;
use super::gates::{exits, give_hours, sources};
use super::models::drawn;
use super::side_by_side::{bits, same, side_by_side};
use crate::common::courses::course;
use crate::common::*;
use wingbeat::simd::{Float, Vectors};
use wingbeat::steer::anticipation::{GettingThrough, anticipations};
use wingbeat::steer::gate::{Exits, Sources};
use wingbeat::steer::model::models;
use wingbeat::steer::{
    Advance, HeldForces, HostRule, ObstacleSet, Seen, TextbookBoid, TextbookFlock, Vector, math,
};
use wingbeat::*;
use wingbeat_test_support::tier;

const STEPS: usize = 6;

/// Times that every two options meet, in other flocks each time.
const ROUNDS: usize = 8;

// ---- Features and what goes
// together ----------------------------------------------------------------------------------

const SPECIES: usize = 0;
const RULES: usize = 1;
const NEAREST: usize = 2;
const TURNS: usize = 3;
const MODEL: usize = 4;
const DRIVES: usize = 5;
const OBSTACLES: usize = 6;
const HOST: usize = 7;
const DOMAIN: usize = 8;
pub const DIMENSIONS: usize = 9;
const COMBINATION: usize = 10;
const LEVEL: usize = 11;
const ORDER: usize = 12;
const BODIES: usize = 13;
const ANTICIPATION: usize = 14;
const GATES: usize = 15;
const TIMES: usize = 16;
pub const FEATURES: usize = 17;

/// One option of each feature.
pub type Choice = [usize; FEATURES];

/// Two options: feature and place, feature and place.
type Pairing = ((usize, usize), (usize, usize));

/// The options of every feature, by name; the first of most is that the flock does without.
pub fn options() -> [Vec<String>; FEATURES] {
    let named = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let mut with_models = named(&["none"]);
    with_models.extend(models().map(|model| model.name().to_string()));
    let mut with_anticipations = named(&["none"]);
    with_anticipations.extend(anticipations().map(|model| model.name().to_string()));
    [
        named(&["none", "two that mingle", "three that hunt", "eighteen"]),
        named(&["none", "shared sight", "own sights", "of all kinds"]),
        named(&["all", "a rule's nearest", "max_neighbors"]),
        named(&["every step", "every third"]),
        with_models,
        named(&["none", "goal, wander", "leader to look at, path, noise", "many"]),
        named(&["none", "standing", "moving", "not steered round"]),
        named(&["none", "one", "two"]),
        named(&["open", "periodic", "tiny", "walled", "reflecting", "absorbing"]),
        named(&["2-D", "3-D"]),
        named(&["weighted", "prioritized", "direction"]),
        // The same everywhere, so that all machines draw the same flocks.
        named(&["first level", "second level", "third level"]),
        named(&["slots", "slots, sparse", "crowds", "crowds, sparse"]),
        named(&["none", "of one size", "of many", "crowded"]),
        with_anticipations,
        named(&["none", "exits", "sources", "exits, sources"]),
        named(&["always", "windows, hours", "delays, turnstiles", "all of these"]),
    ]
}

/// Whether two options mean nothing together: rules or a combination beside a model, which takes
/// their place; the nearest of a rule where there is none; a model of the plane in space;
/// anticipation without bodies, and forces where steering is none; times without drives.
pub fn contradict((f, a): (usize, usize), (g, b): (usize, usize)) -> bool {
    let one_way = |(f, a): (usize, usize), (g, b): (usize, usize)| match (f, g) {
        (MODEL, RULES | COMBINATION) => a > 0 && b > 0,
        (MODEL, NEAREST) => a > 0 && b == 1,
        (MODEL, DIMENSIONS) => {
            b == 1 && a > 0 && models().nth(a - 1).is_some_and(|model| model.is_planar())
        }
        (RULES, NEAREST) => a == 0 && b == 1,
        (ANTICIPATION, BODIES) => a > 0 && b == 0,
        (DRIVES, TIMES) => a == 0 && b > 0,
        (ANTICIPATION, COMBINATION) => says_forces(a) && b == 2,
        (ANTICIPATION, MODEL) => {
            let takes =
                |model: Model| matches!(model.advance(), Advance::Accelerate | Advance::Unlimited);
            says_forces(a) && b > 0 && !models().nth(b - 1).is_some_and(takes)
        }
        _ => false,
    };
    one_way((f, a), (g, b)) || one_way((g, b), (f, a))
}

/// Whether a model of anticipation says forces.
fn says_forces(option: usize) -> bool {
    option > 0 && anticipations().nth(option - 1).is_some_and(|model| !model.is_velocity())
}

/// All pairs of options of different features that go together.
fn pairings(options: &[Vec<String>; FEATURES]) -> Vec<Pairing> {
    let all: Vec<_> =
        (0..FEATURES).flat_map(|f| (0..options[f].len()).map(move |a| (f, a))).collect();
    let pairs = all.iter().flat_map(|&one| all.iter().map(move |&other| (one, other)));
    pairs.filter(|&(one, other)| one.0 < other.0 && !contradict(one, other)).collect()
}

fn holds(choice: &Choice, &((f, a), (g, b)): &Pairing) -> bool {
    choice[f] == a && choice[g] == b
}

/// A choice that holds a pair of options: features in random order, each with the option that meets
/// most others for the first time.
fn grown(
    pair: &Pairing,
    missing: &[Pairing],
    options: &[Vec<String>; FEATURES],
    random: &mut Random,
) -> Option<Choice> {
    let mut taken: Vec<(usize, usize)> = vec![pair.0, pair.1];
    let mut rest: Vec<usize> = (0..FEATURES).filter(|f| *f != pair.0.0 && *f != pair.1.0).collect();
    while !rest.is_empty() {
        let f = rest.swap_remove(random.below(rest.len()));
        let first = random.below(options[f].len());
        let mut best = None;
        for a in (0..options[f].len()).map(|a| (a + first) % options[f].len()) {
            if taken.iter().any(|&other| contradict((f, a), other)) {
                continue;
            }
            let met = |other: &&(usize, usize)| {
                missing.contains(&((f, a).min(**other), (f, a).max(**other)))
            };
            let news = taken.iter().filter(met).count();
            if best.is_none_or(|(most, _)| news > most) {
                best = Some((news, a));
            }
        }
        taken.push((f, best?.1));
    }
    let mut choice = [0; FEATURES];
    taken.iter().for_each(|&(f, a)| choice[f] = a);
    Some(choice)
}

/// Choices such that every pair of options that go together is in one of them.
pub fn covering(random: &mut Random) -> Vec<Choice> {
    let options = options();
    let all = pairings(&options);
    let (mut missing, mut choices) = (all.clone(), Vec::new());
    while let Some(pair) = missing.first() {
        // An order of features may end where nothing goes with what was taken; another will not.
        if let Some(choice) = (0..100).find_map(|_| grown(pair, &missing, &options, random)) {
            missing.retain(|pair| !holds(&choice, pair));
            choices.push(choice);
        } else {
            panic!("no flock holds {pair:?}");
        }
    }
    assert!(
        all.iter().all(|pair| choices.iter().any(|choice| holds(choice, pair))),
        "every pair is in a flock"
    );
    choices
}

/// Any choice without a contradiction.
fn any_choice(random: &mut Random) -> Choice {
    let options = options();
    loop {
        let choice: Choice = std::array::from_fn(|f| random.below(options[f].len()));
        let all: Vec<_> = choice.iter().copied().enumerate().collect();
        if !all.iter().any(|&one| all.iter().any(|&other| contradict(one, other))) {
            return choice;
        }
    }
}

// ---- Rules of the host's own, in lanes and as plain
// functions ---------------------------------------------------------

/// A damped spring to the boids it sees ahead.
struct Spring;

const STIFFNESS: f32 = 1.5;
const LENGTH: f32 = 0.6;
const DAMPING: f32 = 0.3;

fn spring_sees() -> Perception {
    Perception { radius: 1.0, view: FieldOfView::degrees(240.0), near_radius: 0.2, nearest: None }
}

pair_rule! {
    impl<S, D> Rule for Spring {
        type Sum = (Vectors<S, D>, S::F);
        fn perception(&self) -> Perception { spring_sees() }
        fn term(&self, s, own, pair) {
            let stretch = (pair.distance - s.splat(LENGTH)) * s.splat(STIFFNESS);
            let drag = (pair.velocity - own.velocity) * s.splat(DAMPING);
            (pair.direction(s) * stretch + drag, s.splat(1.0))
        }
        fn force(&self, s, own, sum) { sum.0 * (s.splat(1.0) / sum.1.max(s.splat(1.0))) }
    }
}

fn spring<V: Vector>(own: &TextbookBoid<V>, seen: &[Seen<V>]) -> V {
    let (mut sum, mut n) = (V::origin(), 0.0);
    for one in seen {
        let direction = one.offset.times(if one.coincident { 0.0 } else { 1.0 / one.distance });
        let drag = one.velocity.minus(own.velocity).times(DAMPING);
        sum = sum.plus(direction.times((one.distance - LENGTH) * STIFFNESS).plus(drag));
        n += 1.0;
    }
    sum.times(1.0 / n)
}

/// Away from the four nearest, whatever their distance.
struct Shy;

fn shy_sees() -> Perception {
    Perception { radius: 0.7, nearest: Some(4), ..Default::default() }
}

pair_rule! {
    impl<S, D> Rule for Shy {
        type Sum = Vectors<S, D>;
        fn perception(&self) -> Perception { shy_sees() }
        fn term(&self, s, own, pair) { pair.direction(s) }
        fn force(&self, s, own, sum) { sum * s.splat(-0.5) }
    }
}

fn shy<V: Vector>(_: &TextbookBoid<V>, seen: &[Seen<V>]) -> V {
    let away =
        |one: &Seen<V>| one.offset.times(if one.coincident { 0.0 } else { 1.0 / one.distance });
    seen.iter().fold(V::origin(), |sum, one| sum.plus(away(one))).times(-0.5)
}

// ---- From a choice to a
// flock -----------------------------------------------------------------------------------------

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
fn give_rules(params: &mut Params, choice: &Choice, of: AlignmentOf, random: &mut Random) {
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
    params.separation =
        Some(Separation { perception: apart, weight: random.one_of(&[1.0, 2.5]), ..separation });
    // Of all kinds, species average velocities beside others that average headings.
    let of = if form == 3 { alignment.of } else { of };
    params.alignment = Some(Alignment { perception: along, of, ..alignment });
    params.cohesion =
        Some(Cohesion { perception: together, weight: random.one_of(&[1.0, 0.3]), ..cohesion });
    if form == 3 && random.coin() {
        params.cohesion = None;
    }
    if choice[NEAREST] == 1 {
        count_nearest(params, random);
    }
}

/// Gives some rules, and one at least, a number of nearest that count.
fn count_nearest(params: &mut Params, random: &mut Random) {
    let mut k = |always: bool| (always || random.coin()).then(|| 1 + random.below(7) as u32);
    if let Some(rule) = &mut params.separation {
        rule.perception.nearest = k(true);
    }
    if let Some(rule) = &mut params.alignment {
        rule.perception.nearest = k(false);
    }
    if let Some(rule) = &mut params.cohesion {
        rule.perception.nearest = k(false);
    }
}

fn interactions(kinds: usize, random: &mut Random) -> Vec<Interaction> {
    use InteractionKind::{Evade, Flee, Flock, Ignore, Pursue};
    let capture = |who, other| Interaction {
        capture_radius: 0.2,
        weight: 2.0,
        ..Interaction::new(who, other, Pursue, 1.0)
    };
    let one = |who, other, kind| Interaction::new(who, other, kind, 0.8);
    match kinds {
        2 => vec![one(0, 1, Flock), one(1, 0, Flock)],
        3 => vec![
            capture(1, 0),
            one(0, 1, Evade),
            one(0, 2, Flee),
            one(2, 0, Flock),
            one(2, 1, Ignore),
            one(1, 2, Pursue),
        ],
        _ => {
            let mut list: Vec<Interaction> = Vec::new();
            for who in 0..kinds {
                for other in 0..kinds {
                    if random.below(3) > 0 {
                        continue;
                    }
                    let chases =
                        list.iter().filter(|i| i.species == who && i.kind.chases()).count();
                    match random.one_of(&[Flock, Flock, Ignore, Flee, Pursue, Evade]) {
                        kind if kind.chases() && chases == 4 => {}
                        Pursue => list.push(capture(who, other)),
                        kind => list.push(one(who, other, kind)),
                    }
                }
            }
            list
        }
    }
}

/// Gives boids bodies: of one size, of the size and priority of their species, or so large that
/// hardly any has room.
fn give_bodies(params: &mut Params, option: usize, random: &mut Random) {
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
fn anticipate(params: &mut Params, option: usize, random: &mut Random) {
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

fn params_of(choice: &Choice, random: &mut Random) -> Params {
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
        let Params { separation, alignment, cohesion, .. } = own;
        let agent = if is_model { AgentLimits::default() } else { limits(random) };
        let capacity = 0.2 + random.unit();
        let stamina = random.coin().then_some(Stamina { capacity, drain: 2.0, recover: 5.0 });
        let (name, body) = (format!("kind{place}"), SpeciesBody::default());
        params.species.push(Species {
            name,
            agent,
            separation,
            alignment,
            cohesion,
            stamina,
            body,
        });
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

fn domain_of<const D: usize>(option: usize, reach: f32, random: &mut Random) -> Domain<[f32; D]> {
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
fn boids_of<const D: usize>(
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
        (id, Traits { species, max_speed, mass, radius, ..Traits::default() })
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
    fn every(&self) -> u32 {
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
            host_rules: [spring, shy][..self.choice[HOST]].to_vec(),
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
            builder.species(self.species.clone())
        };
        let mut flock = match self.choice[HOST] {
            0 => builder.build(),
            1 => builder.rule(Spring).build(),
            _ => builder.rule(Spring).rule(Shy).build(),
        }?;
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

// ---- Going on elsewhere
// ------------------------------------------------------------------------------------------------

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
        match self.choice[HOST] {
            0 => builder.build(),
            1 => builder.rule(Spring).build(),
            _ => builder.rule(Spring).rule(Shy).build(),
        }
    }

    /// The flock before a step, in other ways at other steps: resumed elsewhere, gone back to
    /// after some steps and other settings, or as it was. Nothing of it may show.
    fn broken(
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

// ---- The comparison
// -------------------------------------------------------------------------------------------------

/// Captures, arrivals, who left, was squeezed, went by an exit, came from a source, waited there,
/// waited at a turnstile, waited to set off.
pub type Counts = [usize; 9];

/// Boids that are inside an exit when a step has ended, and did not leave yet.
fn queued<const D: usize>(book: &TextbookFlock<[f32; D]>) -> usize {
    let species = |id: u64| book.traits.get(&id).map_or(0, |traits| traits.species);
    // Who has just entered was not there.
    let old = |id: u64| book.entered.iter().all(|&(new, _)| new != id);
    book.boids
        .iter()
        .filter(|b| old(b.id) && book.exits.of(b.position, species(b.id), book.time).is_some())
        .count()
}

/// Drives that are on, and boids that wait until they set off, in the step that begins.
fn who_waits<const D: usize>(book: &TextbookFlock<[f32; D]>) -> usize {
    let on = book.drives.iter().filter(|drive| drive.is_on(book.time));
    on.map(|drive| {
        book.boids.iter().filter(|boid| drive.waits(book.seed, boid.id, book.time)).count()
    })
    .sum()
}

/// Steps a flock and its textbook side by side; counts what happened.
pub fn compare<const D: usize>(setup: &Setup<D>, counts: &mut Counts) -> Result<(), String> {
    let mut book = setup.textbook();
    book.check().map_err(|refusal| format!("the textbook refuses {refusal}"))?;
    let mut flock = setup.engine().map_err(|refusal| format!("the engine refuses {refusal}"))?;
    let mut forces = HeldForces::new(setup.every()).expect("turns");
    let dt = TimeStep::new(setup.case.dt).expect("a step");
    let mut saved = Snapshot::default();
    for step in 0..STEPS {
        flock = setup
            .broken(step, flock, &mut saved)
            .map_err(|refusal| format!("step {step}: going on is refused: {refusal}"))?;
        let asked = book.boids.get(step * 7).map(|boid| BoidId::new(boid.id));
        let why = asked
            .map(|id| flock.explain(id).map(|why| (id, why)))
            .transpose()
            .map_err(|e| e.to_string())?;
        let mut before = flock.clone();
        let undecided = who_waits(&book);
        book.step_holding(setup.case.dt, &mut forces);
        flock.step(dt);
        let at = |told: String| format!("step {step}: {told}");
        side_by_side(&flock, &book, &forces).map_err(|(told, boid)| {
            let why = boid.and_then(|id| before.explain(id).ok());
            at(told) + &why.map_or_else(String::new, |why| format!("\n  {:?}", why.advance(dt)))
        })?;
        let waiting = flock.memory().sources.iter().filter(|source| source.tries > 0).count();
        let gates = [book.exited.len(), book.entered.len(), waiting, queued(&book), undecided];
        let others =
            [book.captured.len(), book.arrived.len(), book.left.len(), book.squeezed.len()];
        let happened = others.into_iter().chain(gates);
        counts.iter_mut().zip(happened).for_each(|(all, now)| *all += now);
        if let Some((id, why)) = why {
            let wanted = forces.of(id.get()).expect("a boid that has steered");
            same("steering as explained", bits(why.steering), bits(wanted)).map_err(at)?;
            adds_up(&why);
            if let Some(after) = book.boids.iter().find(|boid| boid.id == id.get()) {
                same("way as explained", bits(why.advance(dt).position), bits(after.position))
                    .map_err(at)?;
            }
        }
    }
    Ok(())
}

/// What is wrong with a case, if anything is.
fn verdict(seed: u64, choice: Choice, counts: &mut Counts) -> Result<(), String> {
    let run = AssertUnwindSafe(|| {
        if choice[DIMENSIONS] == 0 {
            compare(&setup::<2>(seed, choice), counts)
        } else {
            compare(&setup::<3>(seed, choice), counts)
        }
    });
    catch_unwind(run).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(format!(
            "panic: {}",
            text.or(panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
        ))
    })
}

/// Whether a choice is of the plane.
pub fn is_planar(choice: &Choice) -> bool {
    choice[DIMENSIONS] == 0
}

/// A case as `WINGBEAT_CASE` takes it.
pub fn written(seed: u64, choice: &Choice) -> String {
    format!("{seed}:{}", choice.map(|option| option.to_string()).join("."))
}

pub fn read(case: &str) -> (u64, Choice) {
    let (seed, choice) = case.split_once(':').expect("SEED:OPTION.OPTION…");
    let choice: Vec<usize> =
        choice.split('.').map(|option| option.parse().expect("an option")).collect();
    (seed.parse().expect("a seed"), choice.try_into().expect("an option of each feature"))
}

/// The options of a choice in words.
pub fn in_words(choice: &Choice) -> String {
    let options = options();
    (0..FEATURES).map(|f| options[f][choice[f]].as_str()).collect::<Vec<_>>().join(" · ")
}

/// Runs cases and tells of all that fail, and of which options they have.
fn run(cases: &[(u64, Choice)]) {
    let options = options();
    let (mut counts, mut failed) = (Counts::default(), Vec::new());
    for &(seed, choice) in cases {
        if let Err(told) = verdict(seed, choice, &mut counts) {
            failed.push((seed, choice, told));
        }
    }
    let [captures, arrivals, left, squeezed, exited, entered, waiting, queued, undecided] = counts;
    println!(
        "{} cases: {captures} captures, {arrivals} arrivals, {left} left, {squeezed} squeezed",
        cases.len()
    );
    println!("{exited} by exits, {entered} from sources, {waiting} times one waited");
    println!("{queued} times one waited at a turnstile, {undecided} times to set off");
    if failed.is_empty() {
        assert!(
            cases.len() == 1 || counts.iter().all(|&count| count > 0),
            "{counts:?}: the cases hold too little"
        );
        return;
    }
    let mut text = format!("{} of {} cases fail", failed.len(), cases.len());
    for (seed, choice, told) in failed.iter().take(12) {
        text += &format!(
            "\nWINGBEAT_CASE={}\n  {}\n  {told}",
            written(*seed, choice),
            in_words(choice)
        );
    }
    text += "\nfailures by option:";
    for (f, named) in options.iter().enumerate() {
        for (a, name) in named.iter().enumerate() {
            let of = |choice: &Choice| choice[f] == a;
            let (bad, all) = (
                failed.iter().filter(|one| of(&one.1)).count(),
                cases.iter().filter(|one| of(&one.1)).count(),
            );
            text += &format!("{}{name} {bad}/{all}", if a == 0 { "\n  " } else { ", " });
        }
    }
    panic!("{text}");
}

#[test]
fn whatever_goes_together_equals_the_textbook() {
    if let Ok(case) = std::env::var("WINGBEAT_CASE") {
        return run(&[read(&case)]);
    }
    let mut random = Random::new(2026);
    let choices: Vec<Choice> = (0..ROUNDS).flat_map(|_| covering(&mut random)).collect();
    let mut cases: Vec<(u64, Choice)> = (0..).zip(choices).collect();
    if tier::full() {
        cases.extend((10_000..16_000).map(|seed| (seed, any_choice(&mut random))));
    }
    run(&cases);
}
