//! What is true of obstacles, one boid at a time: nobody gets in, nobody gets through, and what is no solid is refused.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use wingbeat_steer::obstacle::{AtEnds, Pose, Range};
use wingbeat_steer::*;

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }
    fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.0.next_u32() >> 8) as f32 / 16_777_216.0)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }
    fn point<V: Vector>(&mut self, side: f32) -> V {
        V::from_fn(|_| self.within(-side, side))
    }
}

fn obstacle<V>(name: &str, shape: ObstacleShape<V>, motion: ObstacleMotion<V>) -> Obstacle<V> {
    Obstacle { name: name.into(), shape, motion }
}

/// A star with `n` points: simple, and not convex.
fn star<V: Vector>(random: &mut Random, middle: V, size: f32) -> ObstacleShape<V> {
    let n = 3 + random.below(6);
    let point = |i: usize, random: &mut Random| {
        let turn = i as f32 / n as f32;
        let (sin, cos) = math::sin_cos_turns(turn);
        let r = size * random.within(0.3, 1.0);
        V::from_fn(|a| middle.axis(a) + r * [cos, sin][a])
    };
    ObstacleShape::Polygon { points: (0..n).map(|i| point(i, random)).collect() }
}

fn shape<V: Vector>(random: &mut Random, kind: usize, side: f32) -> ObstacleShape<V> {
    let middle: V = random.point(side);
    let size = random.within(0.05, 0.4) * side;
    let radius = random.within(0.01, 0.2) * side;
    let other = middle.plus(random.point(size));
    match kind {
        0 => ObstacleShape::Sphere { center: middle, radius },
        1 => ObstacleShape::Capsule { from: middle, to: other, radius },
        2 => {
            let half = V::from_fn(|_| random.within(0.1, 1.0) * size);
            let angle = if V::DIMENSIONS == 2 && random.below(2) == 0 { random.within(-180.0, 180.0) } else { 0.0 };
            ObstacleShape::Box { min: middle.minus(half), max: middle.plus(half), angle }
        }
        3 => ObstacleShape::Wall { from: middle, to: other },
        _ => star(random, middle, size),
    }
}

fn motion<V: Vector>(random: &mut Random, kind: usize, shape: &ObstacleShape<V>, side: f32) -> ObstacleMotion<V> {
    let middle = shape.middle();
    let reach = V::from_fn(|_| random.within(0.1, 0.5) * side);
    let ends = [AtEnds::TurnBack, AtEnds::Wrap][random.below(2)];
    match kind {
        0 => ObstacleMotion::Static,
        1 => ObstacleMotion::Line { velocity: random.point(side), range: None },
        2 => {
            let range = Some(Range { min: middle.minus(reach), max: middle.plus(reach), ends });
            ObstacleMotion::Line { velocity: random.point(side), range }
        }
        3 => ObstacleMotion::Circle { center: random.point(side), period: random.within(0.5, 5.0) },
        4 => {
            let points = (0..3).map(|_| random.point(side)).collect();
            ObstacleMotion::Waypoints { points, speed: random.within(0.0, side) }
        }
        _ => ObstacleMotion::Host,
    }
}

fn domain<V: Vector>(random: &mut Random, side: f32) -> Domain<V> {
    let (min, max) = (V::uniform(-side), V::uniform(side));
    match random.below(4) {
        0 => Domain::open(),
        1 => Domain::periodic(min, max),
        2 => Domain::walled(min, max, 0.0, 0.0),
        _ => Domain::reflecting(min, max),
    }
}

/// The worst depth that boids were in after steps with random velocities, and how often they met anything.
fn worst<V: Vector>(seed: u64, moving: bool) -> (f64, usize) {
    let mut random = Random::new(seed);
    let side = [1.0, 10.0, 3000.0][random.below(3)];
    let domain: Domain<V> = domain(&mut random, side);
    let kinds = if V::DIMENSIONS == 2 { 5 } else { 3 };
    let count = 1 + random.below(4);
    let list = (0..count).map(|i| {
        let kind = random.below(kinds);
        let shape = shape(&mut random, kind, 0.6 * side);
        let how = if moving { random.below(6) } else { 0 };
        let motion = motion(&mut random, how, &shape, side);
        obstacle(&format!("o{i}"), shape, motion)
    });
    let obstacles: Obstacles<V> = Obstacles { list: list.collect(), avoidance: None };
    let mut course = ObstacleCourse::new(obstacles, &domain).expect("obstacles");
    let (mut time, dt) = (0.0, 0.1);
    let mut boids = Vec::new();
    while boids.len() < 8 {
        let place: V = random.point(side * 0.999);
        if course.solid_at(place).is_none() {
            boids.push(place);
        }
    }
    let (mut worst, mut met) = (0.0, 0);
    for step in 0..40 {
        for i in 0..count {
            if course.obstacles().list[i].motion == ObstacleMotion::Host && step % 3 == 0 {
                let angle = if V::DIMENSIONS == 2 { random.within(-30.0, 30.0) } else { 0.0 };
                course.set_pose(i, Pose { position: random.point(0.1 * side), angle }).expect("a pose");
            }
        }
        course.go(time, dt);
        for boid in &mut boids {
            let fast = [0.0, 0.1, 1.0, 30.0, 1e4][random.below(5)] * side;
            let velocity: V = random.point(fast);
            let moved = boid.plus(velocity.times(dt));
            let kept = course.keep_outside(*boid, moved, velocity, dt, &mut course.everyone());
            assert!(kept.position.all_finite() && kept.velocity.all_finite(), "seed {seed}: {kept:?}");
            assert!(domain.contains(kept.position), "seed {seed}: {kept:?} left {domain:?}");
            met += usize::from(kept.met.is_some());
            *boid = kept.position;
        }
        course.arrive(time, dt);
        time += f64::from(dt);
        for &boid in &boids {
            let depth = course.penetration(boid);
            assert!(moving || depth == 0.0, "seed {seed} step {step}: {depth} inside at {boid:?} in {course:?}");
            worst = if depth > worst { depth } else { worst };
        }
    }
    (worst, met)
}

#[test]
fn nobody_gets_into_what_stands_still() {
    let met: usize = (0..400).map(|seed| worst::<[f32; 2]>(seed, false).1 + worst::<[f32; 3]>(seed, false).1).sum();
    println!("{met} contacts");
    assert!(met > 3000, "{met}");
}

#[test]
fn nobody_is_in_what_moves() {
    let found: Vec<_> = (0..400).flat_map(|seed| [worst::<[f32; 2]>(seed, true), worst::<[f32; 3]>(seed, true)]).collect();
    let deepest = found.iter().fold(0.0, |most, &(depth, _)| if depth > most { depth } else { most });
    println!("deepest {deepest}, {} contacts", found.iter().map(|found| found.1).sum::<usize>());
    assert_eq!(deepest, 0.0);
}
