//! Obstacles for cases, all from one seed.

use super::Random;
use wingbeat::steer::obstacle::{AtEnds, Range};
use wingbeat::steer::*;
use wingbeat::steer::{Vector, math};

/// Kinds of shapes there are in a dimension.
pub const fn shapes<const D: usize>() -> usize {
    if D == 2 { 5 } else { 3 }
}

/// Kinds of motions; the first stands still, the last is the host's.
pub const MOTIONS: usize = 6;

/// A star: simple, and seldom convex.
fn star<const D: usize>(
    random: &mut Random,
    middle: [f32; D],
    size: f32,
) -> ObstacleShape<[f32; D]> {
    let n = 3 + random.below(6);
    let mut points = Vec::new();
    for i in 0..n {
        let (sin, cos) = math::sin_cos_turns(i as f32 / n as f32);
        let r = size * random.within(0.3, 1.0);
        points.push(<[f32; D]>::from_fn(|a| middle[a] + r * [cos, sin][a]));
    }
    ObstacleShape::Polygon { points }
}

/// A shape of this kind, about as large as `size`.
pub fn shape<const D: usize>(
    random: &mut Random,
    kind: usize,
    middle: [f32; D],
    size: f32,
) -> ObstacleShape<[f32; D]> {
    let some = |random: &mut Random| <[f32; D]>::from_fn(|_| random.within(-1.0, 1.0) * size);
    let radius = random.within(0.1, 0.6) * size;
    let other = middle.plus(some(random));
    match kind {
        0 => ObstacleShape::Sphere { center: middle, radius },
        1 => ObstacleShape::Capsule { from: middle, to: other, radius },
        2 => {
            let half = <[f32; D]>::from_fn(|_| random.within(0.1, 0.8) * size);
            let angle = if D == 2 && random.coin() { random.within(-180.0, 180.0) } else { 0.0 };
            ObstacleShape::Box { min: middle.minus(half), max: middle.plus(half), angle }
        }
        3 => ObstacleShape::Wall { from: middle, to: other },
        _ => star(random, middle, size),
    }
}

/// A motion of this kind.
pub fn motion<const D: usize>(
    random: &mut Random,
    kind: usize,
    shape: &ObstacleShape<[f32; D]>,
    size: f32,
) -> ObstacleMotion<[f32; D]> {
    let middle = shape.middle();
    let some = |random: &mut Random| <[f32; D]>::from_fn(|_| random.within(-1.0, 1.0) * size);
    let reach = <[f32; D]>::from_fn(|_| random.within(0.3, 2.0) * size);
    let range = Range {
        min: middle.minus(reach),
        max: middle.plus(reach),
        ends: random.one_of(&[AtEnds::TurnBack, AtEnds::Wrap]),
    };
    match kind {
        0 => ObstacleMotion::Static,
        1 => ObstacleMotion::Line { velocity: some(random), range: None },
        2 => ObstacleMotion::Line { velocity: some(random), range: Some(range) },
        3 => ObstacleMotion::Circle {
            center: middle.plus(some(random)),
            period: random.within(0.5, 5.0),
        },
        4 => {
            let points = (0..3).map(|_| some(random)).collect();
            ObstacleMotion::Waypoints { points, speed: random.within(0.0, 1.0) * size }
        }
        _ => ObstacleMotion::Host,
    }
}

/// Obstacles between two corners, of one kind each or of any.
pub fn course<const D: usize>(
    random: &mut Random,
    (low, high): ([f32; D], [f32; D]),
    count: usize,
    kinds: (Option<usize>, Option<usize>),
) -> Vec<Obstacle<[f32; D]>> {
    let shortest = (0..D).fold(f32::INFINITY, |least, a| math::min(least, high[a] - low[a]));
    let mut list = Vec::new();
    for i in 0..count {
        let size = shortest * random.within(0.02, 0.3);
        let middle = <[f32; D]>::from_fn(|a| random.within(low[a], high[a]));
        let (of, how) = (
            kinds.0.unwrap_or(random.below(shapes::<D>())),
            kinds.1.unwrap_or(random.below(MOTIONS)),
        );
        let shape = shape(random, of, middle, size);
        let motion = motion(random, how, &shape, size);
        list.push(Obstacle { name: format!("o{i}"), shape, motion });
    }
    list
}
