//! What holds for every flock the engine accepts, however wild: no NaN, no infinity, limits kept,
//! no boid lost.
//!
//! Cases are drawn from a seed over MODEL's whole accepted range, its ends included. A failure
//! prints the seed that makes the case again; `WINGBEAT_FULL=1` draws many more.

use crate::common::*;
use wingbeat::steer::math;
use wingbeat::steer::*;
use wingbeat::steer::{TextbookBoid, Vector, parameters::limit};
use wingbeat::*;
use wingbeat_test_support::tier;

const STEPS: usize = 4;

fn cases(ordinary: u64) -> u64 {
    let full = tier::full();
    if full { ordinary * 30 } else { ordinary }
}

// ---- Drawing a case
// -------------------------------------------------------------------------------------------------

/// Log-uniform in `low..=high`, one time in four an end of it.
fn size(low: f32, high: f32, random: &mut Random) -> f32 {
    if random.below(4) == 0 {
        return random.one_of(&[low, high]);
    }
    let (from, to) = (libm::log(f64::from(low)), libm::log(f64::from(high)));
    let drawn = libm::exp(from + (to - from) * f64::from(random.unit())) as f32;
    steer::math::clamp(drawn, low, high)
}

fn size_or_zero(low: f32, high: f32, random: &mut Random) -> f32 {
    if random.below(5) == 0 { 0.0 } else { size(low, high, random) }
}

fn signed(x: f32, random: &mut Random) -> f32 {
    if random.coin() { x } else { -x }
}

fn wild_view(random: &mut Random) -> FieldOfView {
    match random.below(4) {
        0 | 1 => FieldOfView::All,
        2 => FieldOfView::Cone { cos_half: random.one_of(&[-1.0, -0.5, 0.0, 0.5, 1.0]) },
        _ => FieldOfView::Cone { cos_half: random.within(-1.0, 1.0) },
    }
}

/// Any rules with any parameters; every other time one perception for all, which has a loop to
/// itself.
fn wild_params(radius: f32, random: &mut Random) -> Params {
    let shared = random.coin();
    let common = Perception { radius, view: wild_view(random), near_radius: 0.0, nearest: None };
    let perception = |random: &mut Random| {
        if shared {
            return common;
        }
        let smaller = size(limit::SMALLEST, radius, random);
        let near_radius = size_or_zero(1e-9, 1e12, random);
        Perception {
            radius: random.one_of(&[radius, smaller]),
            view: wild_view(random),
            near_radius,
            nearest: None,
        }
    };
    let weight = |random: &mut Random| {
        let weight = size_or_zero(1e-9, 1e9, random);
        signed(weight, random)
    };
    let mut params = Params::default();
    if random.below(4) > 0 {
        let rule = random.one_of(&separations());
        params.rules.separation =
            Some(Separation { weight: weight(random), perception: perception(random), ..rule });
    }
    if random.below(4) > 0 {
        let rule = random.one_of(&alignments());
        params.rules.alignment =
            Some(Alignment { weight: weight(random), perception: perception(random), ..rule });
    }
    if random.below(4) > 0 {
        let rule = random.one_of(&cohesions());
        params.rules.cohesion =
            Some(Cohesion { weight: weight(random), perception: perception(random), ..rule });
    }
    let combination = random.below(COMBINES);
    (params.combine, params.priority) = combine(combination, random);
    if let Combine::Direction(cruise) = &mut params.combine {
        cruise.cruise_speed = size_or_zero(1e-9, 1e9, random);
        cruise.smoothing_rate = size_or_zero(1e-9, 1e9, random);
    }
    // Limits below about 1e-17 are kept less exactly: limit/size is then no normal f32.
    let max_speed = size_or_zero(1e-6, 1e9, random);
    let least = max_speed * random.one_of(&[0.0, 0.0, 0.5, 1.0]);
    let room = math::min(max_speed - math::max(least, 0.1 * max_speed), 1e9 - max_speed);
    params.agent = AgentLimits {
        max_speed,
        max_speed_spread: math::min(room * random.one_of(&[0.0, 0.0, 0.2, 0.333]), 1.5e8),
        min_speed: least,
        max_force: size_or_zero(1e-6, 1e9, random),
        mass: size(1e-9, 1e9, random),
        ..AgentLimits::default()
    };
    params.expected_neighbors = random.one_of(&[None, Some(1.0), Some(1e6)]);
    params
}

/// A domain of any size anywhere, and the largest radius to use in it.
fn wild_domain<const D: usize>(random: &mut Random) -> (Domain<[f32; D]>, f32) {
    let kind = random.one_of(&KINDS);
    let side = size(4e-9, 1e30, random);
    let flat = random.below(6) == 0;
    let place = random.one_of(&[0.0, 0.0, 1.0, 1e4, 1e30]);
    let min = <[f32; D]>::from_fn(|_| signed(place * random.unit(), random));
    let max = <[f32; D]>::from_fn(|a| {
        let side =
            if flat && a > 0 { size(4e-9, side, random) } else { side * random.within(1.0, 2.0) };
        steer::math::clamp(min[a] + side, -limit::POSITION, limit::POSITION)
    });
    // Far from the origin a small side rounds to nothing: take the whole world then.
    let usable = (0..D).all(|a| max[a] - min[a] >= 4e-9);
    let (min, max) =
        if usable { (min, max) } else { ([-limit::POSITION; D], [limit::POSITION; D]) };
    let shortest = (0..D).fold(f32::INFINITY, |m, a| steer::math::min(m, max[a] - min[a]));
    let radius = size(limit::SMALLEST, limit::RADIUS, random);
    match kind {
        "open" => (Domain::open(), radius),
        "periodic" => {
            let half = shortest * 0.5;
            let radius = if half < radius || random.below(4) == 0 { half } else { radius };
            (Domain::periodic(min, max), steer::math::min(radius, limit::RADIUS))
        }
        "walled" => {
            let (margin, strength) =
                (size_or_zero(1e-9, 1e12, random), size_or_zero(1e-9, 1e9, random));
            (Domain::walled(min, max, margin, strength), radius)
        }
        "absorbing" => (Domain::absorbing(min, max), radius),
        _ => (Domain::reflecting(min, max), radius),
    }
}

/// One coordinate: anywhere, at an end, in a crowd a few radii across, or on a pile.
fn wild_coordinate(
    style: usize,
    low: f32,
    high: f32,
    middle: f32,
    radius: f32,
    random: &mut Random,
) -> f32 {
    let x = match style {
        0 => {
            let far = size_or_zero(1e-9, limit::POSITION, random);
            signed(far, random)
        }
        1 => random.one_of(&[low, high, high.next_down(), low.next_up(), 0.0, -0.0]),
        2 => middle + radius * random.within(-2.0, 2.0),
        3 => middle + radius * random.one_of(&[0.0, 0.0, 1.0, -1.0, 1e-6, 1e-7, 3e-4]),
        _ => low * (1.0 - random.unit()) + high * random.unit(),
    };
    steer::math::clamp(x, low, high)
}

fn wild_component(random: &mut Random) -> f32 {
    let speed = size_or_zero(1e-20, limit::VELOCITY, random);
    let slow = random.unit() * 2.0;
    let component = random.one_of(&[speed, slow]);
    signed(component, random)
}

fn wild_case<const D: usize>(seed: u64) -> Case<D> {
    let mut random = Random::new(seed);
    let (domain, radius) = wild_domain::<D>(&mut random);
    let params = wild_params(radius, &mut random);
    let open = domain.boundary == Boundary::Open;
    let (low, high) =
        if open { ([-limit::POSITION; D], [limit::POSITION; D]) } else { (domain.min, domain.max) };
    let near =
        <[f32; D]>::from_fn(|_| signed(random.one_of(&[0.0, 1.0, 1e6]), &mut random) * radius);
    let middle = <[f32; D]>::from_fn(|a| if open { near[a] } else { low[a] * 0.5 + high[a] * 0.5 });
    let style = random.below(6);
    let all_still = random.below(8) == 0;
    let count = random.one_of(&[0, 1, 2, 2, 3, 9, 17, 40, 70]);
    let boids = (0..count)
        .map(|i| {
            let style = if style == 5 { random.below(5) } else { style };
            let position = <[f32; D]>::from_fn(|a| {
                wild_coordinate(style, low[a], high[a], middle[a], radius, &mut random)
            });
            let position = <[f32; D]>::from_fn(|a| domain.settle(a, position[a], 0.0).0);
            let velocity =
                <[f32; D]>::from_fn(|_| if all_still { 0.0 } else { wild_component(&mut random) });
            TextbookBoid {
                id: (i * 7919 % 1009) as u64 + u64::from(i % 5 == 4) * (u64::MAX - 2000),
                position,
                velocity,
            }
        })
        .collect();
    let dt = size(1e-9, 1e3, &mut random);
    Case { seed, name: format!("wild {D}-D"), params, domain, boids, dt }
}

// ---- What must hold
// -------------------------------------------------------------------------------------------------

/// Length in f64, where no accepted number overflows.
fn length<const D: usize>(v: [f32; D]) -> f64 {
    v.iter().fold(0.0, |sum, &c| sum + f64::from(c) * f64::from(c)).sqrt()
}

/// Four units in the last place of `limit`.
fn ulps(limit: f32) -> f64 {
    4.0 * f64::from(limit.next_up() - limit)
}

fn holds<const D: usize>(
    case: &Case<D>,
    agent: &AgentLimits,
    boid: &Boid<D>,
    steering: [f32; D],
) -> Result<(), String> {
    let Boid { position, velocity, .. } = *boid;
    if !(position.all_finite() && velocity.all_finite() && steering.all_finite()) {
        return Err("NaN or infinity".into());
    }
    if !case.domain.contains(position) {
        return Err("outside the domain".into());
    }
    let (speed, force) = (length(velocity), length(steering));
    if let Combine::Direction(_) = case.params.combine {
        return if force == 0.0 || (force - 1.0).abs() <= ulps(1.0) {
            Ok(())
        } else {
            Err(format!("direction {force}"))
        };
    }
    if force > f64::from(agent.max_force) + ulps(agent.max_force) {
        return Err(format!("force {force} above {}", agent.max_force));
    }
    if speed > f64::from(agent.max_speed) + ulps(agent.max_speed) {
        return Err(format!("speed {speed} above {}", agent.max_speed));
    }
    // A wall may stop a boid below its minimum speed.
    let stopped = matches!(case.domain.boundary, Boundary::Walled { .. });
    if !stopped && speed < f64::from(agent.min_speed) - ulps(agent.min_speed) {
        return Err(format!("speed {speed} below {}", agent.min_speed));
    }
    Ok(())
}

fn run<const D: usize>(seed: u64) {
    let case = wild_case::<D>(seed);
    let mut random = Random::new(!seed);
    let level = random.one_of(&Level::available());
    let storage = random.one_of(&[Storage::Automatic, Storage::Automatic, Storage::Sparse]);
    let mut wanted: Vec<u64> = case.boids.iter().map(|b| b.id).collect();
    wanted.sort_unstable();
    let mut flock = engine(&case, level, 1, storage);
    for step in 0..STEPS {
        let at = || format!("seed {seed} {D}-D {level} {storage:?} step {step}\n{case:?}");
        flock.step(TimeStep::new(case.dt).unwrap());
        // Of an absorbing domain boids leave, and are told.
        let left: Vec<u64> = flock.events().iter().map(leaver).collect();
        let before = wanted.len();
        wanted.retain(|id| !left.contains(id));
        assert_eq!(wanted.len(), before - left.len(), "who left was not there, or twice: {}", at());
        let frame = flock.frame();
        let ids: Vec<u64> = frame.by_id().map(|b| b.id.get()).collect();
        assert_eq!(ids, wanted, "a boid is lost or new: {}", at());
        for (slot, boid) in frame.by_slot().enumerate() {
            // A frame has no steering once boids have left.
            let steering = if left.is_empty() {
                std::array::from_fn(|a| frame.steering(a)[slot])
            } else {
                [0.0; D]
            };
            let limits = flock.traits(boid.id).expect("it lives").limits(&case.params);
            if let Err(broken) = holds(&case, &limits, &boid, steering) {
                panic!("{broken}: {boid:?} steering {steering:?} {}", at());
            }
        }
    }
    let neighbors = flock.mean_neighbors();
    assert!(
        (0.0..=wanted.len() as f64).contains(&neighbors),
        "mean_neighbors {neighbors} seed {seed}"
    );
}

#[test]
fn a_step_keeps_every_promise_over_the_whole_accepted_range() {
    for seed in 0..tier::either(4_000, cases(15_000)) {
        run::<2>(seed);
        run::<3>(seed);
    }
}

/// Many boids, several threads and batches: no boid is lost, doubled, or sent out of the box.
#[test]
fn a_crowd_stays_complete_and_inside() {
    for kind in ["periodic", "walled", "reflecting"] {
        let mut random = Random::new(11);
        let domain = match kind {
            "periodic" => Domain::periodic([-5.0; 3], [7.0; 3]),
            "walled" => Domain::walled([-5.0; 3], [7.0; 3], 1.0, 2.0),
            _ => Domain::reflecting([-5.0; 3], [7.0; 3]),
        };
        let mut params = wild_params(1.0, &mut random);
        params.rules.separation = Some(Separation::default());
        params.rules.cohesion = Some(Cohesion::default());
        params.combine = Combine::Weighted;
        params.agent = AgentLimits { max_speed: 30.0, max_force: 50.0, ..Default::default() };
        let spawn = Spawn {
            shape: Shape::Box { min: domain.min, max: domain.max },
            speed: 30.0,
            ..Default::default()
        };
        let builder = Flock3::builder().params(params).domain(domain).seed(5).threads(3).batch(100);
        let mut flock = builder.spawn(3000, spawn).build().unwrap();
        for step in 0..20 {
            flock.step(TimeStep::new(0.1).unwrap());
            assert!(flock.frame().by_id().map(|b| b.id.get()).eq(0..3000), "{kind} step {step}");
            assert!(
                flock.frame().by_slot().all(|b| domain.contains(b.position)),
                "{kind} step {step}"
            );
        }
    }
}

// ---- Pairs
// -------------------------------------------------------------------------------------------------

fn pair<const D: usize>(
    params: Params,
    domain: Domain<[f32; D]>,
    seed: u64,
    positions: [[f32; D]; 2],
) -> Flock<D> {
    Flock::builder()
        .params(params)
        .domain(domain)
        .seed(seed)
        .boids(&positions, &[[0.0; D]; 2])
        .build()
        .unwrap()
}

fn apart<const D: usize>(flock: &Flock<D>) -> f32 {
    let all: Vec<Boid<D>> = flock.frame().by_id().collect();
    let raw = all[1].position.minus(all[0].position);
    <[f32; D]>::from_fn(|a| flock.domain().image(a, raw[a])).norm()
}

fn parts_or_meets<const D: usize>(seed: u64, params: Params, parts: bool) {
    let mut random = Random::new(seed);
    let domain = if random.coin() { Domain::open() } else { Domain::periodic([0.0; D], [3.0; D]) };
    let first = <[f32; D]>::from_fn(|_| random.within(0.0, 3.0));
    let way: [f32; D] = steer::noise::direction(seed, 0, 0);
    let second = first.plus(way.times(random.within(0.1, 0.9)));
    let second = <[f32; D]>::from_fn(|a| domain.settle(a, second[a], 0.0).0);
    let mut flock = pair(params, domain, seed, [first, second]);
    let before = apart(&flock);
    flock.step(TimeStep::new(0.05).unwrap());
    let frame = flock.frame();
    for a in 0..D {
        let forces = frame.steering(a);
        assert_eq!(forces[0], -forces[1], "action and reaction, seed {seed} {D}-D");
    }
    let after = apart(&flock);
    assert!(
        if parts { after > before } else { after < before },
        "seed {seed} {D}-D: {before} to {after}, parts {parts}"
    );
}

#[test]
fn separation_parts_two_boids_and_cohesion_joins_them() {
    for seed in 0..cases(200) {
        let separation = separations()[seed as usize % separations().len()];
        let params = Params { rules: separation.into(), ..Default::default() };
        parts_or_meets::<2>(seed, params.clone(), true);
        parts_or_meets::<3>(seed, params, true);
        let cohesion = cohesions()[seed as usize % cohesions().len()];
        let params = Params { rules: cohesion.into(), ..Default::default() };
        parts_or_meets::<2>(seed, params.clone(), false);
        parts_or_meets::<3>(seed, params, false);
    }
}

/// Two boids on one point part within five steps, the same way at every level, and in another way
/// under another seed.
fn coincident_boids_part<const D: usize>(seed: u64, params: &Params) {
    let place = <[f32; D]>::from_fn(|_| Random::new(seed).within(-100.0, 100.0));
    let run = |seed: u64, level: Level| {
        let builder = Flock::builder().params(params.clone()).seed(seed).level(level);
        let mut flock = builder.boids(&[place; 2], &[[0.0; D]; 2]).build().unwrap();
        for _ in 0..5 {
            flock.step(TimeStep::new(0.1).unwrap());
        }
        (apart(&flock), observe::state_hash(&flock.frame()))
    };
    let (distance, hash) = run(seed, Level::Portable);
    // Ten times the distance that counts as coincident. Two hashes may point nearly the same way,
    // so not more.
    assert!(distance > 1e-5, "still {distance} apart, seed {seed} {D}-D {params:?}");
    for level in Level::available() {
        assert_eq!(run(seed, level), (distance, hash), "seed {seed} {D}-D {level} {params:?}");
    }
    assert_ne!(run(seed + 1, Level::Portable).1, hash, "another seed, another way: {seed} {D}-D");
}

#[test]
fn coincident_boids_part_and_deterministically() {
    for seed in 0..cases(20) {
        for separation in separations() {
            let alone = Params { rules: separation.into(), ..Default::default() };
            let together = Params {
                rules: Rules { alignment: Some(Alignment::default()), ..alone.rules },
                ..alone.clone()
            };
            for params in [alone, together] {
                coincident_boids_part::<2>(seed, &params);
                coincident_boids_part::<3>(seed, &params);
            }
        }
    }
}
