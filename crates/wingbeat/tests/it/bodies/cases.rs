//! What bodies are stepped through: worlds, densities, obstacles, what drives them, and how fast.

use crate::common::Random;
use wingbeat::steer::drive::{Goal, Noise, WanderParameters};
use wingbeat::steer::obstacle::{AtEnds, Range};
use wingbeat::steer::*;
use wingbeat::steer::{ObstacleSet, Vector, math};
use wingbeat::*;

const RADIUS: f32 = 0.25;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum World {
    Open,
    Periodic,
    Walled,
    Reflecting,
    Absorbing,
}

/// How bodies stand when it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Packing {
    /// On a hexagonal lattice, face-centred cubic in space, that fills this part of the world.
    Lattice(f32),
    /// At random, settled.
    Settled(f32),
}

#[derive(Clone, Copy, Debug)]
pub enum Obstruction {
    None,
    /// One of every kind.
    Standing,
    /// One that stands and one that moves.
    Moving,
}

/// What drives them.
#[derive(Clone, Copy, Debug)]
pub enum Urge {
    /// All to one point.
    Together,
    /// Each to a point of its own.
    Across,
    /// Separation, alignment and cohesion, and wandering.
    Flocking,
    /// At random.
    Noise,
}

#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub dimensions: usize,
    world: World,
    packing: Packing,
    obstruction: Obstruction,
    urge: Urge,
    pub dt: f32,
    /// Longest way of a step, in radii.
    radii_a_step: f32,
    /// Three sizes with priorities of their own.
    mixed: bool,
    /// Where the world is, on every axis.
    origin: f32,
}

use Obstruction::{Moving, Standing};
use Packing::{Lattice, Settled};
use Urge::{Across, Flocking, Together};
use World::{Absorbing, Open, Periodic, Reflecting, Walled};

/// Every value of each column, in cases that differ in most of them.
pub fn cases() -> Vec<Case> {
    let none = Obstruction::None;
    let row = |dimensions, world, packing, obstruction, urge, dt, radii_a_step, mixed, origin| {
        Case { dimensions, world, packing, obstruction, urge, dt, radii_a_step, mixed, origin }
    };
    vec![
        // Drawn to one point, in every domain, from the slowest to the fastest.
        row(2, Open, Lattice(0.84), none, Together, 0.001, 0.01, false, 0.0),
        row(2, Open, Settled(0.5), none, Together, 0.05, 1.0, true, 0.0),
        row(3, Open, Lattice(0.64), none, Together, 1.0, 100.0, false, 0.0),
        row(2, Periodic, Lattice(0.84), none, Together, 0.05, 0.3, false, 0.0),
        row(2, Periodic, Settled(0.8), none, Urge::Noise, 1.0, 100.0, false, 0.0),
        row(2, Periodic, Settled(0.6), none, Across, 0.05, 3.0, true, -3.7),
        row(3, Periodic, Lattice(0.64), none, Urge::Noise, 0.02, 1.0, false, 0.0),
        row(3, Periodic, Settled(0.56), none, Across, 0.1, 10.0, false, 0.0),
        row(3, Periodic, Settled(0.3), none, Flocking, 0.02, 0.3, true, 1000.3),
        row(2, Walled, Settled(0.6), none, Together, 0.02, 0.3, false, 0.0),
        row(2, Walled, Lattice(0.84), none, Urge::Noise, 0.001, 100.0, false, 0.0),
        row(3, Walled, Settled(0.4), none, Together, 1.0, 30.0, true, 0.0),
        row(2, Reflecting, Settled(0.7), none, Across, 0.05, 1.0, true, 0.0),
        row(2, Reflecting, Lattice(0.84), none, Flocking, 1.0, 10.0, false, 0.0),
        row(3, Reflecting, Settled(0.5), none, Across, 0.001, 0.1, false, 1000.3),
        row(2, Absorbing, Settled(0.6), none, Flocking, 0.05, 1.0, true, 0.0),
        row(3, Absorbing, Lattice(0.64), none, Together, 0.02, 10.0, false, 0.0),
        // Among obstacles, standing and moving.
        row(2, Open, Settled(0.5), Standing, Together, 0.05, 0.3, false, 0.0),
        row(2, Periodic, Settled(0.5), Standing, Across, 0.02, 1.0, true, 0.0),
        row(2, Walled, Settled(0.5), Standing, Flocking, 0.1, 3.0, false, 1000.3),
        row(2, Reflecting, Settled(0.4), Standing, Urge::Noise, 1.0, 100.0, true, 0.0),
        row(2, Absorbing, Settled(0.4), Standing, Together, 0.001, 0.1, false, 0.0),
        row(3, Periodic, Settled(0.3), Standing, Across, 0.05, 1.0, true, 0.0),
        row(3, Reflecting, Settled(0.4), Standing, Together, 0.02, 10.0, false, 0.0),
        row(2, Periodic, Settled(0.5), Moving, Across, 0.02, 0.3, false, 0.0),
        row(2, Reflecting, Settled(0.4), Moving, Together, 0.05, 3.0, true, 0.0),
        row(3, Walled, Settled(0.3), Moving, Urge::Noise, 0.05, 1.0, false, 0.0),
        // Where positions are coarse: a unit in the last place is a hundredth of a radius.
        row(2, Periodic, Settled(0.3), none, Together, 0.05, 1.0, false, 30_000.0),
        row(3, Open, Settled(0.2), Standing, Flocking, 0.05, 1.0, true, -30_000.0),
    ]
}

/// Volume of a disc and of a ball of radius 1.
const UNIT_BALL: [f32; 2] = [std::f32::consts::PI, 4.188_790_3];

/// Radii of the three kinds in mixed cases, as parts of the largest.
const PARTS: [f32; 3] = [1.0, 0.5, 0.8];

/// Side of a square or cube of this volume.
pub fn side_of<const D: usize>(volume: f32) -> f32 {
    let volume = f64::from(volume);
    (if D == 2 { libm::sqrt(volume) } else { libm::cbrt(volume) }) as f32
}

/// Places on a lattice that fills this part of space, from the origin on, and its far corner.
fn lattice<const D: usize>(count: usize, filled: f32, origin: f32) -> (Vec<[f32; D]>, [f32; D]) {
    let densest = if D == 2 {
        std::f32::consts::PI / 12f32.sqrt()
    } else {
        std::f32::consts::PI / 18f32.sqrt()
    };
    let apart = 2.0 * RADIUS * side_of::<D>(densest / filled);
    let root = if D == 2 { 3f32.sqrt() } else { 2f32.sqrt() };
    let cell = <[f32; D]>::from_fn(|a| if D == 2 && a == 0 { apart } else { apart * root });
    let places: &[[f32; 3]] = if D == 2 {
        &[[0.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    } else {
        &[[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]]
    };
    let cells = (1..).find(|n: &usize| n.pow(D as u32) * places.len() >= count).unwrap();
    let mut all = Vec::new();
    for i in 0..cells.pow(D as u32) {
        for place in places {
            let steps = |a: usize| (i / cells.pow(a as u32) % cells) as f32 + place[a];
            all.push(<[f32; D]>::from_fn(|a| origin + cell[a] * steps(a)));
        }
    }
    (all, cell.map(|side| origin + side * cells as f32))
}

fn obstacles<const D: usize>(
    of: Obstruction,
    (low, high): ([f32; D], [f32; D]),
) -> Vec<Obstacle<[f32; D]>> {
    let at = |parts: [f32; 3]| <[f32; D]>::from_fn(|a| low[a] + (high[a] - low[a]) * parts[a]);
    let size = (high[0] - low[0]) * 0.08;
    let mut shapes = vec![ObstacleShape::Sphere { center: at([0.3, 0.3, 0.4]), radius: size }];
    let (from, to) = (at([0.6, 0.2, 0.7]), at([0.8, 0.3, 0.6]));
    shapes.push(ObstacleShape::Capsule { from, to, radius: size * 0.5 });
    let angle = if D == 2 { 30.0 } else { 0.0 };
    shapes.push(ObstacleShape::Box { min: at([0.2, 0.6, 0.2]), max: at([0.3, 0.8, 0.4]), angle });
    if D == 2 {
        shapes.push(ObstacleShape::Wall { from: at([0.55, 0.55, 0.0]), to: at([0.9, 0.5, 0.0]) });
        let corners = [[0.6, 0.7, 0.0], [0.85, 0.7, 0.0], [0.68, 0.76, 0.0], [0.7, 0.9, 0.0]];
        shapes.push(ObstacleShape::Polygon { points: corners.map(at).to_vec() });
    }
    let named =
        |(i, shape)| Obstacle { name: format!("o{i}"), shape, motion: ObstacleMotion::Static };
    let mut list: Vec<Obstacle<[f32; D]>> = shapes.into_iter().enumerate().map(named).collect();
    match of {
        Obstruction::None => Vec::new(),
        Standing => list,
        Moving => {
            list.truncate(2);
            let way = (high[0] - low[0]) * 0.25;
            let reach = <[f32; D]>::from_fn(|a| if a == 0 { way } else { 0.0 });
            let middle = list[0].shape.middle();
            let range =
                Range { min: middle.minus(reach), max: middle.plus(reach), ends: AtEnds::TurnBack };
            let velocity = <[f32; D]>::from_fn(|a| if a == 0 { way * 0.5 } else { 0.0 });
            list[0].motion = ObstacleMotion::Line { velocity, range: Some(range) };
            list
        }
    }
}

fn limits(case: &Case) -> AgentLimits {
    let max_speed = case.radii_a_step * RADIUS / case.dt;
    AgentLimits { max_speed, max_force: 2.0 * max_speed / case.dt, ..Default::default() }
}

fn params(case: &Case, side: f32) -> Params {
    let agent = limits(case);
    let mut params = Params { agent, ..Default::default() };
    if let Flocking = case.urge {
        let perception =
            Perception { radius: math::min(6.0 * RADIUS, side * 0.4), ..Default::default() };
        let weight = agent.max_force * 0.1;
        params.rules.separation = Some(Separation { perception, weight, ..Default::default() });
        params.rules.alignment = Some(Alignment { perception, weight, ..Default::default() });
        params.rules.cohesion =
            Some(Cohesion { perception, weight: 4.0 * weight, ..Default::default() });
    }
    let settle = matches!(case.packing, Settled(_));
    params.body = Some(SolidBody { radius: RADIUS, settle, ..Default::default() });
    if case.mixed {
        let kind = |(i, part): (usize, f32)| Species {
            name: format!("kind{i}"),
            agent,
            rules: Rules {
                separation: params.rules.separation,
                alignment: params.rules.alignment,
                cohesion: params.rules.cohesion,
                ..Default::default()
            },
            stamina: None,
            body: SpeciesBody { radius: Some(RADIUS * part), priority: [0.0, 2.0, 1.0][i] },
        };
        params.species = PARTS.into_iter().enumerate().map(kind).collect();
        params = Params { body: params.body, species: params.species, ..Default::default() };
    }
    params
}

fn drives<const D: usize>(case: &Case, middle: [f32; D]) -> Vec<Drive<[f32; D]>> {
    let force = limits(case).max_force;
    let goal = |target| {
        Drive::new("goal", Goal { target, slowing_radius: 0.0, ..Default::default() }).weighted(1e3)
    };
    let noise = Drive::new("noise", Noise { size: math::min(force, 1e9), interval: case.dt });
    match case.urge {
        Together => vec![goal(Some(middle)), noise.weighted(0.05)],
        Across => vec![goal(None)],
        Urge::Noise => vec![noise],
        Flocking => vec![Drive::new("wander", WanderParameters::default()).weighted(force * 0.2)],
    }
}

/// A flock about to begin, and the radii of its bodies by id.
pub fn begin<const D: usize>(case: &Case, count: usize, seed: u64) -> (Flock<D>, Vec<f32>) {
    let mut random = Random::new(seed);
    let kind = |id: usize| if case.mixed { id % 3 } else { 0 };
    let low = [case.origin; D];
    let (mut places, high) = match case.packing {
        Lattice(filled) => lattice::<D>(count, filled, case.origin),
        Settled(filled) => {
            let volume: f32 = (0..count)
                .map(|id| UNIT_BALL[D - 2] * [RADIUS * PARTS[kind(id)]; D].iter().product::<f32>())
                .sum();
            let high = [case.origin + side_of::<D>(volume / filled); D];
            let drawn = (0..count).map(|_| {
                <[f32; D]>::from_fn(|a| {
                    math::min(random.within(low[a], high[a]), high[a].next_down())
                })
            });
            (drawn.collect(), high)
        }
    };
    let (mut min, mut max) = (low, high);
    if case.world != Periodic && matches!(case.packing, Lattice(_)) {
        // Faces a radius and a hair away from those that stand outermost.
        (min, max) = (low.map(|x| x - RADIUS * 1.01), high.map(|x| x + RADIUS * 1.01));
    }
    let domain = match case.world {
        Open => Domain::open(),
        Periodic => Domain::periodic(min, max),
        Walled => Domain::walled(min, max, RADIUS, 100.0),
        Reflecting => Domain::reflecting(min, max),
        Absorbing => Domain::absorbing(min, max),
    };
    let obstacles = obstacles::<D>(case.obstruction, (low, high));
    let course = ObstacleSet::new(obstacles.clone().into(), &domain).unwrap();
    places.retain(|&place| course.solid_at(place).is_none());
    let params = params(case, max[0] - min[0]);
    let middle = <[f32; D]>::from_fn(|a| 0.5 * min[a] + 0.5 * max[a]);
    let velocity = |id: usize| {
        steer::noise::direction::<[f32; D]>(seed, id as u64, 0).times(limits(case).max_speed)
    };
    let velocities: Vec<_> = (0..places.len()).map(velocity).collect();
    let kinds: Vec<usize> =
        if case.mixed { (0..places.len()).map(kind).collect() } else { Vec::new() };
    let radii = (0..places.len()).map(|id| RADIUS * PARTS[kind(id)]).collect();
    let builder = Flock::builder()
        .drives(drives(case, middle))
        .params(params)
        .domain(domain)
        .seed(seed)
        .threads(1);
    let builder = builder
        .obstacles(obstacles)
        .boids(&places, &velocities)
        .species(kinds.into_iter().map(SpeciesId::new));
    let mut flock = builder.build().unwrap_or_else(|refused| panic!("{case:?}: {refused}"));
    aim(case, &mut flock, &mut random, (min, max));
    (flock, radii)
}

/// Gives every boid another goal, where each has its own.
pub fn aim<const D: usize>(
    case: &Case,
    flock: &mut Flock<D>,
    random: &mut Random,
    (min, max): ([f32; D], [f32; D]),
) {
    if let Across = case.urge {
        let goal = |id: &BoidId| {
            (
                *id,
                Some(<[f32; D]>::from_fn(|a| {
                    math::min(random.within(min[a], max[a]), max[a].next_down())
                })),
            )
        };
        let goals: Vec<_> = flock.frame().living().iter().map(goal).collect();
        flock.set_goals(&goals).unwrap();
    }
}
