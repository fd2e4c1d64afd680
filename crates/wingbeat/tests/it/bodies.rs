//! Solid bodies: no two ever overlap, whatever their number, density, speed, time step, rules and world.
//!
//! The short version takes a few seconds; `WINGBEAT_FULL=1` steps a million times with 200 bodies and 10,000 times with 20,000. The worst
//! gaps are printed (`--nocapture`). They are found in `f64`, where differences of `f32` positions of one world are exact, by a search of
//! cells that shares nothing with the engine's.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::common::Random;
use wingbeat::steer::drive::{Goal, Noise, WanderParameters};
use wingbeat::steer::obstacle::{AtEnds, Range};
use wingbeat::steer::{ObstacleCourse, Vector, math};
use wingbeat::*;

const RADIUS: f32 = 0.25;

// ---- Cases -------------------------------------------------------------------------------------------------------------

#[derive(Clone, Copy, Debug, PartialEq)]
enum World {
    Open,
    Periodic,
    Walled,
    Reflecting,
    Absorbing,
}

/// How bodies stand when it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Packing {
    /// On a hexagonal lattice, face-centred cubic in space, that fills this part of the world.
    Lattice(f32),
    /// At random, settled.
    Settled(f32),
}

#[derive(Clone, Copy, Debug)]
enum Obstruction {
    None,
    /// One of every kind.
    Standing,
    /// One that stands and one that moves.
    Moving,
}

/// What drives them.
#[derive(Clone, Copy, Debug)]
enum Urge {
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
struct Case {
    dimensions: usize,
    world: World,
    packing: Packing,
    obstruction: Obstruction,
    urge: Urge,
    dt: f32,
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
fn cases() -> Vec<Case> {
    let none = Obstruction::None;
    let row = |dimensions, world, packing, obstruction, urge, dt, radii_a_step, mixed, origin| Case {
        dimensions,
        world,
        packing,
        obstruction,
        urge,
        dt,
        radii_a_step,
        mixed,
        origin,
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
fn side_of<const D: usize>(volume: f32) -> f32 {
    let volume = f64::from(volume);
    (if D == 2 { libm::sqrt(volume) } else { libm::cbrt(volume) }) as f32
}

/// Places on a lattice that fills this part of space, from the origin on, and its far corner.
fn lattice<const D: usize>(count: usize, filled: f32, origin: f32) -> (Vec<[f32; D]>, [f32; D]) {
    let densest = if D == 2 { std::f32::consts::PI / 12f32.sqrt() } else { std::f32::consts::PI / 18f32.sqrt() };
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

fn obstacles<const D: usize>(of: Obstruction, (low, high): ([f32; D], [f32; D])) -> Vec<Obstacle<[f32; D]>> {
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
    let named = |(i, shape)| Obstacle { name: format!("o{i}"), shape, motion: ObstacleMotion::Static };
    let mut list: Vec<Obstacle<[f32; D]>> = shapes.into_iter().enumerate().map(named).collect();
    match of {
        Obstruction::None => Vec::new(),
        Standing => list,
        Moving => {
            list.truncate(2);
            let way = (high[0] - low[0]) * 0.25;
            let reach = <[f32; D]>::from_fn(|a| if a == 0 { way } else { 0.0 });
            let middle = list[0].shape.middle();
            let range = Range { min: middle.minus(reach), max: middle.plus(reach), ends: AtEnds::TurnBack };
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
        let perception = Perception { radius: math::min(6.0 * RADIUS, side * 0.4), ..Default::default() };
        let weight = agent.max_force * 0.1;
        params.separation = Some(Separation { perception, weight, ..Default::default() });
        params.alignment = Some(Alignment { perception, weight, ..Default::default() });
        params.cohesion = Some(Cohesion { perception, weight: 4.0 * weight, ..Default::default() });
    }
    let settle = matches!(case.packing, Settled(_));
    params.body = Some(SolidBody { radius: RADIUS, settle, ..Default::default() });
    if case.mixed {
        let kind = |(i, part): (usize, f32)| Species {
            name: format!("kind{i}"),
            agent,
            separation: params.separation,
            alignment: params.alignment,
            cohesion: params.cohesion,
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
    let goal = |target| Drive::new("goal", Goal { target, slowing_radius: 0.0, ..Default::default() }).weighted(1e3);
    let noise = Drive::new("noise", Noise { size: math::min(force, 1e9) });
    match case.urge {
        Together => vec![goal(Some(middle)), noise.weighted(0.05)],
        Across => vec![goal(None)],
        Urge::Noise => vec![noise],
        Flocking => vec![Drive::new("wander", WanderParameters::default()).weighted(force * 0.2)],
    }
}

/// A flock about to begin, and the radii of its bodies by id.
fn begin<const D: usize>(case: &Case, count: usize, seed: u64) -> (Flock<D>, Vec<f32>) {
    let mut random = Random::new(seed);
    let kind = |id: usize| if case.mixed { id % 3 } else { 0 };
    let low = [case.origin; D];
    let (mut places, high) = match case.packing {
        Lattice(filled) => lattice::<D>(count, filled, case.origin),
        Settled(filled) => {
            let volume: f32 = (0..count).map(|id| UNIT_BALL[D - 2] * [RADIUS * PARTS[kind(id)]; D].iter().product::<f32>()).sum();
            let high = [case.origin + side_of::<D>(volume / filled); D];
            let drawn =
                (0..count).map(|_| <[f32; D]>::from_fn(|a| math::min(random.within(low[a], high[a]), high[a].next_down())));
            (drawn.collect(), high)
        }
    };
    let (mut min, mut max) = (low, high);
    if case.world != Periodic && matches!(case.packing, Lattice(_)) {
        // Faces a radius and a hair away from those who stand outermost.
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
    let course = ObstacleCourse::new(obstacles.clone().into(), &domain).unwrap();
    places.retain(|&place| course.solid_at(place).is_none());
    let params = params(case, max[0] - min[0]);
    let middle = <[f32; D]>::from_fn(|a| 0.5 * min[a] + 0.5 * max[a]);
    let velocity = |id: usize| steer::noise::direction::<[f32; D]>(seed, id as u64, 0).times(limits(case).max_speed);
    let velocities: Vec<_> = (0..places.len()).map(velocity).collect();
    let kinds: Vec<usize> = if case.mixed { (0..places.len()).map(kind).collect() } else { Vec::new() };
    let radii = (0..places.len()).map(|id| RADIUS * PARTS[kind(id)]).collect();
    let builder = Flock::builder().drives(drives(case, middle)).params(params).domain(domain).seed(seed).threads(1);
    let builder = builder.obstacles(obstacles).boids(&places, &velocities).species(kinds);
    let mut flock = builder.build().unwrap_or_else(|refused| panic!("{case:?}: {refused}"));
    aim(case, &mut flock, &mut random, (min, max));
    (flock, radii)
}

/// Gives everybody another goal, where each has its own.
fn aim<const D: usize>(case: &Case, flock: &mut Flock<D>, random: &mut Random, (min, max): ([f32; D], [f32; D])) {
    if let Across = case.urge {
        let goal =
            |id: &BoidId| (*id, Some(<[f32; D]>::from_fn(|a| math::min(random.within(min[a], max[a]), max[a].next_down()))));
        let goals: Vec<_> = flock.frame().living().iter().map(goal).collect();
        flock.set_goals(&goals).unwrap();
    }
}

// ---- What must hold ----------------------------------------------------------------------------------------------------

/// Least gaps, in f64: below 0 they overlap.
#[derive(Clone, Copy, Debug)]
struct Gaps {
    bodies: f64,
    faces: f64,
    obstacles: f64,
}

impl Gaps {
    const NONE: Self = Self { bodies: f64::INFINITY, faces: f64::INFINITY, obstacles: f64::INFINITY };

    fn and(self, other: Self) -> Self {
        Self {
            bodies: self.bodies.min(other.bodies),
            faces: self.faces.min(other.faces),
            obstacles: self.obstacles.min(other.obstacles),
        }
    }
}

/// Cells at least as long as the largest diameter, with who is in each.
#[derive(Default)]
struct Ruler {
    begin: Vec<u32>,
    order: Vec<u32>,
    cells: Vec<u32>,
}

impl Ruler {
    /// The least gap of two bodies that are nearer than the largest diameter.
    fn least<const D: usize>(&mut self, places: &[[f64; D]], radii: &[f64], domain: &Domain<[f32; D]>) -> f64 {
        let longest = 2.0 * radii.iter().copied().fold(0.0, f64::max) * 1.01;
        let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        for place in places {
            for a in 0..D {
                (low[a], high[a]) = (low[a].min(place[a]), high[a].max(place[a]));
            }
        }
        let wraps = domain.is_periodic();
        if wraps {
            (low, high) = (domain.min.map(f64::from), domain.max.map(f64::from));
        }
        let most = 2.0 * f64::from(side_of::<D>(places.len() as f32)) + 1.0;
        let counts: [usize; D] = std::array::from_fn(|a| ((high[a] - low[a]) / longest).min(most).max(1.0) as usize);
        let cell = |place: &[f64; D]| -> [usize; D] {
            std::array::from_fn(|a| {
                let part = (place[a] - low[a]) / (high[a] - low[a]).max(1e-30);
                ((part * counts[a] as f64) as usize).min(counts[a] - 1)
            })
        };
        let place_of = |cell: [usize; D]| (0..D).rev().fold(0, |at, a| at * counts[a] + cell[a]);
        self.begin.clear();
        self.begin.resize(counts.iter().product::<usize>() + 1, 0);
        self.cells.clear();
        for place in places {
            let at = place_of(cell(place));
            self.cells.push(at as u32);
            self.begin[at + 1] += 1;
        }
        for at in 1..self.begin.len() {
            self.begin[at] += self.begin[at - 1];
        }
        self.order.resize(places.len(), 0);
        let mut next = self.begin.clone();
        for (i, &at) in self.cells.iter().enumerate() {
            self.order[next[at as usize] as usize] = i as u32;
            next[at as usize] += 1;
        }
        let sides: [f64; D] = std::array::from_fn(|a| f64::from(domain.side(a)));
        let mut least = f64::INFINITY;
        for i in 0..places.len() {
            let (place, own) = (places[i], cell(&places[i]));
            'next: for step in 0..3usize.pow(D as u32) {
                let mut there = own;
                for a in 0..D {
                    let way = step / 3usize.pow(a as u32) % 3;
                    // Of fewer than three cells each is visited once.
                    if counts[a] < 3 && way > counts[a] - 1 {
                        continue 'next;
                    }
                    there[a] = match way {
                        _ if counts[a] < 3 => way,
                        0 => own[a],
                        1 if own[a] + 1 < counts[a] => own[a] + 1,
                        2 if own[a] > 0 => own[a] - 1,
                        _ if !wraps => continue 'next,
                        1 => 0,
                        _ => counts[a] - 1,
                    };
                }
                let at = place_of(there);
                for &j in &self.order[self.begin[at] as usize..self.begin[at + 1] as usize] {
                    let j = j as usize;
                    if j >= i {
                        continue;
                    }
                    let mut sum = 0.0;
                    for a in 0..D {
                        let mut way = (places[j][a] - place[a]).abs();
                        if wraps {
                            way = way.min(sides[a] - way);
                        }
                        sum += way * way;
                    }
                    let reach = longest.min(radii[i] + radii[j] + least);
                    if sum < reach * reach {
                        least = least.min(sum.sqrt() - (radii[i] + radii[j]));
                    }
                }
            }
        }
        least
    }

    /// All gaps there are, of bodies whose radii are told by id.
    fn measure<const D: usize>(&mut self, flock: &Flock<D>, radii: &[f32]) -> Gaps {
        let (mut places, mut own) = (Vec::with_capacity(flock.len()), Vec::with_capacity(flock.len()));
        let mut gaps = Gaps::NONE;
        let (domain, mut list) = (flock.domain(), Vec::new());
        let faces = matches!(domain.boundary, Boundary::Walled { .. } | Boundary::Reflecting);
        for boid in flock.frame().by_slot() {
            let (place, radius) = (boid.position.map(f64::from), f64::from(radii[boid.id.get() as usize]));
            for a in 0..if faces { D } else { 0 } {
                let inside = (place[a] - f64::from(domain.min[a])).min(f64::from(domain.max[a]) - place[a]);
                gaps.faces = gaps.faces.min(inside - radius);
            }
            if let Some(course) = flock.obstacles() {
                let at = std::array::from_fn(|a| if a < D { place[a] } else { 0.0 });
                let near = course.standing_within(at, radius * 1.5, &mut course.everyone(), &mut list);
                gaps.obstacles = near.map_or(gaps.obstacles, |(_, distance, _)| gaps.obstacles.min(distance - radius));
            }
            places.push(place);
            own.push(radius);
        }
        gaps.bodies = self.least(&places, &own, domain);
        gaps
    }
}

/// A unit in the last place of the largest coordinate there is.
fn grain<const D: usize>(flock: &Flock<D>) -> f64 {
    let largest = flock.frame().by_slot().fold(0.0f32, |most, boid| math::max(most, boid.position.largest()));
    f64::from(largest) / f64::from(1 << 23)
}

/// Who overlaps an obstacle that moves is told of, and counted.
fn count_squeezed<const D: usize>(flock: &Flock<D>, radii: &[f32], at: &dyn Fn() -> String) -> usize {
    let told = |id: BoidId| flock.events().contains(&Event::Squeezed { boid: id });
    let Some(course) = flock.obstacles().filter(|course| course.moves()) else { return 0 };
    let rounding = 64.0 * grain(flock);
    for boid in flock.frame().by_slot() {
        let deep = f64::from(radii[boid.id.get() as usize]) - course.distance(0, boid.position);
        assert!(deep < rounding || told(boid.id), "{} is squeezed by {deep} and not told of {}", boid.id, at());
    }
    flock.events().iter().filter(|event| matches!(event, Event::Squeezed { .. })).count()
}

/// Steps a case and returns its least gaps, and how often a body was squeezed. When half have left an absorbing domain, another flock
/// goes on.
fn run<const D: usize>(case: &Case, count: usize, steps: usize, every: usize) -> (Gaps, usize) {
    let mut seed = 1;
    let (mut flock, mut radii) = begin::<D>(case, count, seed);
    let mut random = Random::new(7);
    let dt = TimeStep::new(case.dt).unwrap();
    let (mut ruler, mut squeezed) = (Ruler::default(), 0);
    let mut worst = ruler.measure(&flock, &radii);
    for step in 1..=steps {
        if 2 * flock.len() < radii.len() {
            seed += 1;
            (flock, radii) = begin::<D>(case, count, seed);
        } else if step % 500 == 0 && flock.domain().boundary != Boundary::Open {
            let corners = (flock.domain().min, flock.domain().max);
            aim(case, &mut flock, &mut random, corners);
        }
        flock.step(dt);
        let at = || format!("after step {step} of {count} bodies: {case:?}");
        if step % every == 0 || step == steps {
            squeezed += count_squeezed(&flock, &radii, &at);
            let gaps = ruler.measure(&flock, &radii);
            assert!(gaps.bodies >= 0.0, "bodies overlap by {:e} {}", -gaps.bodies, at());
            assert!(gaps.obstacles >= 0.0, "an obstacle overlaps a body by {:e} {}", -gaps.obstacles, at());
            assert!(gaps.faces >= -grain(&flock), "a face overlaps a body by {:e} {}", -gaps.faces, at());
            worst = worst.and(gaps);
        }
    }
    (worst, squeezed)
}

/// Runs cases on as many threads as there are, and prints what they came to.
fn run_all(what: &str, cases: &[Case], count: usize, steps: usize, every: usize) {
    let (next, told) = (AtomicUsize::new(0), Mutex::new(Gaps::NONE));
    let begun = Instant::now();
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begun = Instant::now();
            let run = if case.dimensions == 2 { run::<2> } else { run::<3> };
            let (gaps, squeezed) = run(case, count, steps, every);
            println!("{gaps:?}, squeezed {squeezed}, {:.2} s: {case:?}", begun.elapsed().as_secs_f64());
            let mut told = told.lock().unwrap();
            *told = told.and(gaps);
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    });
    let Gaps { bodies, faces, obstacles } = told.into_inner().unwrap();
    println!(
        "{what}: {} cases of {steps} steps of {count} bodies in {:.1} s: worst gap {bodies:e}, to faces {faces:e}, to obstacles {obstacles:e}",
        cases.len(),
        begun.elapsed().as_secs_f64()
    );
}

fn full() -> bool {
    std::env::var_os("WINGBEAT_FULL").is_some_and(|v| v == "1")
}

#[test]
fn two_hundred_bodies_never_overlap() {
    let cases = cases();
    let steps = if full() { 1_000_000 / cases.len() + 1 } else { 150 };
    run_all("200 bodies", &cases, 200, steps, 1);
}

#[test]
fn twenty_thousand_bodies_never_overlap() {
    // One of five, every world and urge among them.
    let cases: Vec<Case> = cases().into_iter().skip(1).step_by(4).collect();
    let steps = if full() { 10_000 / cases.len() + 1 } else { 3 };
    run_all("20,000 bodies", &cases, if full() { 20_000 } else { 4_000 }, steps, if full() { 10 } else { 1 });
}

// ---- The start ---------------------------------------------------------------------------------------------------------

fn bodies_of(radius: f32, settle: bool) -> Params {
    Params { body: Some(SolidBody { radius, settle, ..Default::default() }), ..Default::default() }
}

fn at<const D: usize>(id: u64, position: [f32; D]) -> Boid<D> {
    Boid { id: BoidId::new(id), position, velocity: [id as f32; D] }
}

#[test]
fn a_start_that_overlaps_is_refused_by_name() {
    let builder = || Flock2::builder().params(bodies_of(0.25, false));
    let refused = |builder: FlockBuilder<2>| builder.build().unwrap_err().to_string();
    let message = refused(builder().boids_with_ids(vec![at(9, [5.0, 5.0]), at(7, [1.0, 2.0]), at(3, [1.0, 2.25])]));
    let allowed = "allowed is at least 0.5 from boid 3, the radii of both; body.settle = true moves bodies apart at the start";
    assert_eq!(message, format!("boid 7: position = [1.0, 2.0]: {allowed}"));
    let across = vec![at(0, [0.125, 5.0]), at(1, [9.875, 5.0])];
    assert!(builder().boids_with_ids(across.clone()).build().is_ok());
    let torus = builder().domain(Domain::periodic([0.0; 2], [10.0; 2]));
    assert!(
        refused(torus.boids_with_ids(across.clone())).starts_with("boid 1: position = [9.875, 5.0]: allowed is at least 0.5")
    );
    let room = builder().domain(Domain::reflecting([0.0; 2], [10.0; 2]));
    assert!(refused(room.boids_with_ids(across)).starts_with("boid 0: position[0] = 0.125: allowed is 0.25 to 9.75"));
    // Radii of species, which are told in the order of the boids.
    let mut params = bodies_of(0.25, false);
    params.species = (0..2).map(|i| Species { name: format!("kind{i}"), ..Default::default() }).collect();
    params.species[1].body.radius = Some(1.0);
    let pair = vec![at(8, [0.0, 0.0]), at(2, [1.0, 0.0])];
    let alike = |species| Flock2::builder().params(params.clone()).species(species).boids_with_ids(pair.clone());
    assert!(alike(vec![0, 0]).build().is_ok());
    for species in [vec![1, 0], vec![0, 1]] {
        assert!(refused(alike(species)).starts_with("boid 8: position = [0.0, 0.0]: allowed is at least 1.25 from boid 2"));
    }
}

#[test]
fn an_obstacle_that_stands_has_no_bodies_in_it_at_the_start() {
    let pillar =
        |motion| Obstacle { name: "pillar".into(), shape: ObstacleShape::Sphere { center: [0.0, 0.0], radius: 1.0 }, motion };
    let build = |motion, settle| {
        let builder = Flock2::builder().params(bodies_of(0.25, settle)).obstacles(vec![pillar(motion)]);
        builder.boids_with_ids(vec![at(4, [1.125, 0.0])]).build()
    };
    let refused = build(ObstacleMotion::Static, false).unwrap_err().to_string();
    assert_eq!(refused, "boid 4: position = [1.125, 0.0]: allowed is at least 0.25 from obstacle.pillar, its radius");
    assert!(build(ObstacleMotion::Host, false).is_ok(), "one that moves pushes");
    let moved = build(ObstacleMotion::Static, true).unwrap().frame().boid(0).position;
    assert!(moved[0] >= 1.25 && moved[0] < 1.26 && moved[1] == 0.0, "{moved:?}");
}

#[test]
fn who_joins_bodies_needs_room() {
    let obstacle = ObstacleShape::Wall { from: [5.0, 0.0], to: [5.0, 9.0] };
    let wall = Obstacle { name: "wall".into(), shape: obstacle, motion: ObstacleMotion::Static };
    let builder = Flock2::builder().params(bodies_of(0.25, false)).obstacles(vec![wall]);
    let mut flock = builder.boids(&[[0.0, 0.0], [1.0, 0.0]], &[[0.0; 2]; 2]).build().unwrap();
    let before = observe::state_hash(&flock.frame());
    let refused = flock.add([0.75, 0.25], [0.0; 2]).unwrap_err().to_string();
    assert!(refused.starts_with("boid 2: position = [0.75, 0.25]: allowed is at least 0.5 from boid 1"), "{refused}");
    let refused = flock.add([4.875, 1.0], [0.0; 2]).unwrap_err().to_string();
    assert!(refused.ends_with("at least 0.25 from obstacle.wall, its radius"), "{refused}");
    assert_eq!((flock.len(), observe::state_hash(&flock.frame())), (2, before));
    assert_eq!(flock.add([0.5, 0.5], [0.0; 2]), Ok(BoidId::new(2)));
    assert!(flock.add([0.5, 0.75], [0.0; 2]).is_err(), "who has joined is in the way");
}

#[test]
fn a_crowd_settles_before_its_first_step() {
    let domain = Domain::reflecting([0.0; 2], [20.0; 2]);
    let spawn = Spawn { shape: Shape::Box { min: [0.25; 2], max: [19.75; 2] }, ..Spawn::default() };
    let builder = |settle| Flock2::builder().params(bodies_of(0.25, settle)).domain(domain).seed(3).spawn(1000, &spawn);
    assert!(builder(false).build().is_err());
    let flock = builder(true).build().unwrap();
    let gaps = Ruler::default().measure(&flock, &[0.25; 1000]);
    assert!(gaps.bodies >= 0.0 && gaps.faces >= 0.0, "{gaps:?}");
    assert!(flock.frame().by_id().map(|boid| boid.id.get()).eq(0..1000));
    let again = builder(true).threads(1).build().unwrap();
    assert_eq!(observe::state_hash(&flock.frame()), observe::state_hash(&again.frame()));
    // Places go with ids, however they are given.
    let pile = vec![at(9, [0.0, 0.0]), at(1, [50.0, 0.0]), at(5, [0.125, 0.0])];
    let flock = Flock2::builder().params(bodies_of(0.25, true)).boids_with_ids(pile).build().unwrap();
    let all: Vec<Boid<2>> = flock.frame().by_id().collect();
    assert_eq!(all[0], at(1, [50.0, 0.0]));
    assert!(all[1].position[0] > 0.3 && all[2].position[0] < -0.15 && all[1].velocity == [5.0; 2], "{all:?}");
    let tight = Domain::periodic([0.0; 2], [4.0; 2]);
    let refused = builder(true).spawn(100, &spawn).domain(tight).build().unwrap_err().to_string();
    assert!(refused.starts_with("body.settle = true, and after 1000 rounds 100 of 100 bodies overlap still"), "{refused}");
}

/// What hosts do later is not refused, but never gets worse.
#[test]
fn bodies_that_a_host_puts_together_only_move_apart() {
    let goal = Drive::new("goal", Goal { target: Some([3.0, 0.0]), ..Default::default() }).weighted(100.0);
    let builder = Flock2::builder().params(bodies_of(0.25, false)).drives(vec![goal]);
    let mut flock = builder.boids(&[[0.0, 0.0], [6.0, 0.5]], &[[0.0; 2]; 2]).build().unwrap();
    let mut ruler = Ruler::default();
    for place in [[2.7, 0.1], [3.3, 0.2]] {
        flock.set_position(BoidId::new(1), place).unwrap();
        flock.set_position(BoidId::new(0), [3.0, 0.0]).unwrap();
        let mut gap = ruler.measure(&flock, &[0.25; 2]).bodies;
        assert!(gap < -0.1);
        for step in 0..500 {
            flock.step(TimeStep::new(0.05).unwrap());
            let now = ruler.measure(&flock, &[0.25; 2]).bodies;
            assert!(now >= gap, "step {step}: {gap} to {now}");
            gap = now.min(0.0);
        }
    }
}
