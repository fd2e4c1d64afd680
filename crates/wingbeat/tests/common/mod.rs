//! Cases that fast step and textbook must agree on: parameters, domains and nasty states, all from
//! one seed.
#![allow(dead_code)]

pub mod courses;

use std::collections::HashMap;

use wingbeat::steer::*;
use wingbeat::steer::{TextbookBoid, TextbookFlock, Vector};
use wingbeat::*;
pub use wingbeat_test_support::Random;

/// One case: what a flock is before its first step.
#[derive(Clone, Debug)]
pub struct Case<const D: usize> {
    pub seed: u64,
    pub name: String,
    pub params: Params,
    pub domain: Domain<[f32; D]>,
    pub boids: Vec<TextbookBoid<[f32; D]>>,
    pub dt: f32,
}

pub const RAW_UNIT_STEER: [Response; 3] = [Response::Raw, Response::Unit, Response::Steer];
pub const FALLOFFS: [Falloff; 4] =
    [Falloff::Linear, Falloff::Soft, Falloff::Inverse, Falloff::InverseSquare];
pub const KINDS: [&str; 5] = ["open", "periodic", "walled", "reflecting", "absorbing"];
pub const COMBINES: usize = 5;

/// Every separation there is: falloff × response, and flee.
pub fn separations() -> Vec<Separation> {
    let mut all = vec![Separation { response: Response::Flee, ..Default::default() }];
    for falloff in FALLOFFS {
        all.extend(RAW_UNIT_STEER.map(|response| Separation {
            falloff,
            response,
            ..Default::default()
        }));
    }
    all
}

/// Every alignment there is.
pub fn alignments() -> Vec<Alignment> {
    let mut all = Vec::new();
    for of in [AlignmentOf::Velocity, AlignmentOf::Heading] {
        for (relative, include_self) in [(true, false), (true, true), (false, false), (false, true)]
        {
            for response in RAW_UNIT_STEER {
                if response != Response::Steer || !relative {
                    all.push(Alignment {
                        of,
                        relative,
                        include_self,
                        response,
                        ..Default::default()
                    });
                }
            }
        }
    }
    all
}

/// Every cohesion there is.
pub fn cohesions() -> Vec<Cohesion> {
    RAW_UNIT_STEER.map(|response| Cohesion { response, ..Default::default() }).to_vec()
}

/// The combinations, by number.
pub fn combine(number: usize, random: &mut Random) -> (Combine, Vec<Term>) {
    let reversed = vec![Term::Walls, Term::Rule(RuleId::Cohesion), Term::Rule(RuleId::Separation)];
    let priority = if random.coin() { reversed } else { Vec::new() };
    let combine = match number {
        0 => Combine::Weighted,
        1 => Combine::Prioritized,
        2 => Combine::Direction(Cruise::default()),
        3 => Combine::Direction(Cruise {
            cruise_speed: 1.5,
            smoothing_rate: 3.0,
            stop_when_alone: false,
        }),
        _ => Combine::Direction(Cruise {
            cruise_speed: 0.5,
            smoothing_rate: 0.0,
            stop_when_alone: true,
        }),
    };
    (combine, priority)
}

fn perception(radius: f32, random: &mut Random) -> Perception {
    let view = match random.below(6) {
        0 => FieldOfView::All,
        1 => FieldOfView::degrees(180.0),
        2 => FieldOfView::degrees(120.0),
        3 => FieldOfView::Cone { cos_half: random.one_of(&[-1.0, 1.0, -0.707, 0.0]) },
        _ => FieldOfView::degrees(240.0),
    };
    let near_radius = if random.below(4) == 0 { radius * 0.3 } else { 0.0 };
    Perception { radius, view, near_radius, nearest: None }
}

/// Gives the rules radii, sights and weights: half the time shared, half the time each its own.
pub fn perceive(params: &mut Params, largest: f32, random: &mut Random) {
    let shared = random.coin();
    let mut common = perception(largest, random);
    if shared {
        common.near_radius = 0.0;
    }
    let own = |random: &mut Random| {
        let radius = largest * random.one_of(&[1.0, 0.5, 0.75]);
        if shared { common } else { perception(radius, random) }
    };
    if let Some(rule) = &mut params.rules.separation {
        rule.perception = own(random);
        if shared {
            rule.perception.radius = largest * random.one_of(&[1.0, 0.5]);
        }
        rule.weight = random.one_of(&[1.0, 2.5, -0.5]);
    }
    if let Some(rule) = &mut params.rules.alignment {
        rule.perception = own(random);
        rule.weight = random.one_of(&[1.0, 0.3]);
    }
    if let Some(rule) = &mut params.rules.cohesion {
        rule.perception = own(random);
        rule.weight = random.one_of(&[1.0, 0.7]);
    }
    params.agent = AgentLimits {
        max_speed: 2.0,
        min_speed: random.one_of(&[0.0, 0.0, 0.5, 2.0]),
        max_force: random.one_of(&[5.0, 0.7, 0.0]),
        mass: random.one_of(&[1.0, 0.3]),
        ..AgentLimits::default()
    };
    if params.agent.mass < 1.0 {
        params.agent.max_speed_spread = (2.0 - params.agent.min_speed) * 0.25;
    }
    params.expected_neighbors = random.one_of(&[None, None, Some(5.0), Some(60.0)]);
}

/// A domain of the given kind; boxes are one to nine radii wide, at the origin and far from it.
pub fn domain<const D: usize>(kind: &str, radius: f32, random: &mut Random) -> Domain<[f32; D]> {
    let min = <[f32; D]>::from_fn(|_| random.one_of(&[0.0, -3.7, 1000.3, -4096.0]));
    let max = <[f32; D]>::from_fn(|a| {
        let radii = random.one_of(&[2.0, 2.0, 2.3, 3.1, 4.0, 5.5, 9.0]);
        let max = min[a] + radius * radii;
        // The sides must be at least two radii after rounding.
        if max - min[a] < 2.0 * radius { min[a] + radius * 2.5 } else { max }
    });
    match kind {
        "open" => Domain::open(),
        "periodic" => Domain::periodic(min, max),
        "walled" => Domain::walled(min, max, radius * random.one_of(&[0.0, 0.4, 5.0]), 3.0),
        "absorbing" => Domain::absorbing(min, max),
        _ => Domain::reflecting(min, max),
    }
}

pub const STATES: [&str; 12] = [
    "uniform",
    "clump",
    "at_rest",
    "cell_borders",
    "exact_radius",
    "cone_edge",
    "tiny_distances",
    "across_the_wrap",
    "few",
    "one_point",
    "outlier",
    "fast",
];

/// Boids in a state chosen to be nasty, all inside the domain.
pub fn boids<const D: usize>(
    state: &str,
    domain: &Domain<[f32; D]>,
    radius: f32,
    random: &mut Random,
) -> Vec<TextbookBoid<[f32; D]>> {
    let open = domain.boundary == Boundary::Open;
    let (low, high) = if open { ([0.0; D], [4.0 * radius; D]) } else { (domain.min, domain.max) };
    let count = if state == "few" { random.below(3) } else { 20 + random.below(60) };
    let mut boids: Vec<TextbookBoid<[f32; D]>> = (0..count)
        .map(|i| {
            let position =
                <[f32; D]>::from_fn(|a| coordinate(state, low[a], high[a], radius, random));
            let velocity = <[f32; D]>::from_fn(|a| component(state, a, random));
            // Ids neither dense nor in order.
            TextbookBoid {
                id: ((i * 7919) % 1009) as u64 + u64::from(i > 50) * (1 << 40),
                position,
                velocity,
            }
        })
        .collect();
    if state == "outlier" && open {
        for (boid, far) in boids.iter_mut().zip([10.0 * radius, 1e6, 1e30, -1e30]) {
            boid.position[random.below(D)] = far;
        }
    }
    for boid in &mut boids {
        for a in 0..D {
            boid.position[a] = if domain.is_periodic() {
                domain.settle(a, boid.position[a], 0.0).0
            } else if open {
                boid.position[a]
            } else {
                steer::math::clamp(boid.position[a], domain.min[a], domain.max[a])
            };
        }
    }
    boids
}

fn nudge(x: f32, random: &mut Random) -> f32 {
    match random.below(4) {
        0 => x.next_up(),
        1 => x.next_down(),
        _ => x,
    }
}

fn coordinate(state: &str, low: f32, high: f32, radius: f32, random: &mut Random) -> f32 {
    let cells = ((high - low) / (0.25 * radius)) as usize + 1;
    match state {
        "clump" => low + (high - low) * 0.5 + radius * random.within(-0.1, 0.1),
        "cell_borders" => {
            let base =
                if random.coin() { (low / (0.25 * radius)).floor() * 0.25 * radius } else { low };
            nudge(base + 0.25 * radius * random.below(cells) as f32, random)
        }
        "exact_radius" => {
            let x = low + radius * random.one_of(&[0.0, 0.5, 1.0, 1.5, 2.0]);
            if random.below(3) == 0 { nudge(x, random) } else { x }
        }
        "cone_edge" => {
            low + radius
                * (1.0 + random.one_of(&[0.0, 0.5, -0.5, 0.25, -0.25, 0.433_012_7, -0.433_012_7]))
        }
        "tiny_distances" => {
            let tiny = random.one_of(&[
                0.0,
                1e-22,
                3e-23,
                1e-12,
                9e-7 * radius,
                1e-6 * radius,
                1e-3 * radius,
            ]);
            if low == 0.0 || low + tiny != low {
                low + tiny
            } else {
                low + radius * random.one_of(&[0.0, 1e-6, 1e-3])
            }
        }
        "across_the_wrap" => {
            let inwards = radius * random.within(0.0, 0.3);
            if random.coin() { low + inwards } else { (high - inwards).next_down() }
        }
        "one_point" => low + radius * random.one_of(&[0.5, 0.5, 0.5, 0.75]),
        _ => random.within(low, high),
    }
}

fn component(state: &str, axis: usize, random: &mut Random) -> f32 {
    match state {
        "at_rest" => random.one_of(&[0.0, -0.0, 1e-20, -1e-16, 2e-15, 0.5]),
        "cone_edge" if axis == 0 => random.one_of(&[1.0, -1.0]),
        "cone_edge" => 0.0,
        "fast" => random.within(-1.0, 1.0) * random.one_of(&[1e12, 1e3, 30.0]),
        _ => random.within(-1.0, 1.0),
    }
}

/// The textbook flock of a case.
pub fn textbook<const D: usize>(case: &Case<D>) -> TextbookFlock<[f32; D]> {
    TextbookFlock {
        params: case.params.clone(),
        domain: case.domain,
        seed: case.seed,
        step: 0,
        boids: case.boids.clone(),
        ..Default::default()
    }
}

/// The engine's flock of a case.
pub fn engine<const D: usize>(
    case: &Case<D>,
    level: Level,
    threads: usize,
    storage: Storage,
) -> Flock<D> {
    let built = builder(case, level, threads, storage).build();
    built.unwrap_or_else(|refused| panic!("case seed {} {}: {refused}", case.seed, case.name))
}

/// The engine's flock of a case, about to be built.
pub fn builder<const D: usize>(
    case: &Case<D>,
    level: Level,
    threads: usize,
    storage: Storage,
) -> FlockBuilder<D> {
    let boids = case.boids.iter().map(|b| Boid {
        id: BoidId::new(b.id),
        position: b.position,
        velocity: b.velocity,
    });
    Flock::builder()
        .params(case.params.clone())
        .domain(case.domain)
        .seed(case.seed)
        .level(level)
        .threads(threads)
        .storage(storage)
        .boids_with_ids(boids.collect())
}

/// Bits of a flock by ascending id.
pub fn bits<const D: usize>(
    boids: impl Iterator<Item = (u64, [f32; D], [f32; D])>,
) -> Vec<(u64, [u32; D], [u32; D])> {
    let mut all: Vec<_> =
        boids.map(|(id, x, v)| (id, x.map(f32::to_bits), v.map(f32::to_bits))).collect();
    all.sort_unstable();
    all
}

/// Steps that flock and textbook are compared over.
const STEPS: usize = 10;

/// Bits of a boid: id, then of its steering, then of its position and velocity after the step.
pub type Steered<const D: usize> = (u64, [u32; D], [u32; D], [u32; D]);

/// One step: the bits of all who are left, by ascending id, and the ids of those that left an
/// absorbing domain.
type Stepped<const D: usize> = (Vec<Steered<D>>, Vec<u64>);

/// Bits by ascending id, from the steering before a step, by id, and the boids after it.
fn stepped<const D: usize>(
    steering: &HashMap<u64, [f32; D]>,
    boids: impl Iterator<Item = (u64, [f32; D], [f32; D])>,
) -> Vec<Steered<D>> {
    let bits = |v: [f32; D]| v.map(f32::to_bits);
    let mut rows: Vec<Steered<D>> =
        boids.map(|(id, x, v)| (id, bits(steering[&id]), bits(x), bits(v))).collect();
    rows.sort_unstable();
    rows
}

/// What the textbook makes of a case, step by step.
fn textbook_bits<const D: usize>(case: &Case<D>) -> Vec<Stepped<D>> {
    let mut flock = textbook(case);
    (0..STEPS)
        .map(|_| {
            let steering = flock.steering(&flock.slot_order());
            let steering = flock.boids.iter().map(|b| b.id).zip(steering).collect();
            flock.step_by(case.dt);
            (
                stepped(&steering, flock.boids.iter().map(|b| (b.id, b.position, b.velocity))),
                flock.left.clone(),
            )
        })
        .collect()
}

/// Steering of every boid in a frame, by id.
fn steering_by_id<const D: usize>(frame: &Frame<'_, D>) -> HashMap<u64, [f32; D]> {
    let steering = |slot: usize| std::array::from_fn(|a| frame.steering(a)[slot]);
    frame.ids().enumerate().map(|(slot, id)| (id.get(), steering(slot))).collect()
}

/// Whether a level can be tested on this machine. One that `WINGBEAT_LEVELS` names must be there;
/// one that is not is said aloud.
pub fn can_test(level: Level) -> bool {
    let required = std::env::var("WINGBEAT_LEVELS").unwrap_or_default();
    let required = required.split(',').any(|name| name.trim() == level.to_string());
    assert!(
        level.is_available() || !required,
        "WINGBEAT_LEVELS asks for {level}, which this CPU lacks"
    );
    if !level.is_available() {
        eprintln!("NOT TESTED: this CPU lacks {level}");
    }
    level.is_available()
}

/// A boid that left in an event.
pub fn leaver(event: &Event) -> u64 {
    match *event {
        Event::Left { boid } => boid.get(),
        other => panic!("{other:?}"),
    }
}

/// Every level equals the textbook, in either storage, on one thread and on three.
pub fn agrees<const D: usize>(case: &Case<D>, random: &mut Random) {
    let wanted = textbook_bits(case);
    for level in Level::available() {
        let storage = if random.coin() { Storage::Automatic } else { Storage::Sparse };
        let threads = random.one_of(&[1, 1, 1, 3]);
        let crowds = random.one_of(&[Crowds::Automatic, Crowds::Always]);
        let built = builder(case, level, threads, storage).crowds(crowds).build();
        let mut flock = built
            .unwrap_or_else(|refused| panic!("case seed {} {}: {refused}", case.seed, case.name));
        for (step, (wanted, left)) in wanted.iter().enumerate() {
            // Where boids leave, a frame after the step has no steering: ask for it before.
            let mut steering = HashMap::new();
            if case.domain.boundary == Boundary::Absorbing {
                flock.sort();
                flock.steer();
                steering = steering_by_id(&flock.frame());
            }
            flock.step(TimeStep::new(case.dt).unwrap());
            let gone: Vec<u64> = flock.events().iter().map(leaver).collect();
            assert_eq!(
                &gone, left,
                "who left: seed {} {} {D}-D {level} step {step}",
                case.seed, case.name
            );
            let frame = flock.frame();
            if case.domain.boundary != Boundary::Absorbing {
                steering = steering_by_id(&frame);
            }
            let found =
                stepped(&steering, frame.by_slot().map(|b| (b.id.get(), b.position, b.velocity)));
            for (found, wanted) in found.iter().zip(wanted) {
                let at = || {
                    format!(
                        "seed {} {} {D}-D {level} {storage:?} {crowds:?} step {step}\n{case:?}",
                        case.seed, case.name
                    )
                };
                assert_eq!(found, wanted, "id, steering, position, velocity: {}", at());
            }
            assert_eq!(found.len(), wanted.len());
            let finite = |b: Boid<D>| b.position.all_finite() && b.velocity.all_finite();
            assert!(
                frame.by_slot().all(finite),
                "NaN or infinity: seed {} {} {level}",
                case.seed,
                case.name
            );
        }
    }
}
