//! Rules of the host's own, in lanes and as plain functions.

use wingbeat::simd::Vectors;
use wingbeat::steer::*;
use wingbeat::steer::{Seen, TextbookBoid, Vector};
use wingbeat::*;

/// A damped spring to the boids it sees ahead.
pub struct Spring;

pub const STIFFNESS: f32 = 1.5;
pub const LENGTH: f32 = 0.6;
pub const DAMPING: f32 = 0.3;

pub fn spring_sees() -> Perception {
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

/// The same rule as a closure, by the same function.
pub fn spring_by_closure<const D: usize>(
    boid: &FocalBoid<D>,
    neighbors: &[Neighbor<D>],
) -> [f32; D] {
    by_function(spring, spring_sees(), boid, neighbors)
}

/// The same of the other rule.
pub fn shy_by_closure<const D: usize>(boid: &FocalBoid<D>, neighbors: &[Neighbor<D>]) -> [f32; D] {
    by_function(shy, shy_sees(), boid, neighbors)
}

fn by_function<const D: usize>(
    force: impl Fn(&TextbookBoid<[f32; D]>, &[Seen<[f32; D]>]) -> [f32; D],
    sees: Perception,
    boid: &FocalBoid<D>,
    neighbors: &[Neighbor<D>],
) -> [f32; D] {
    // A rule in lanes has nothing to say there.
    if neighbors.is_empty() {
        return [0.0; D];
    }
    let FocalBoid { id, position, velocity, .. } = *boid;
    let own = TextbookBoid { id: id.get(), position, velocity };
    assert_eq!(boid.heading, wingbeat::steer::heading(velocity));
    let seen = |other: &Neighbor<D>| {
        let distance_sq = other.offset.norm_sq();
        Seen {
            id: other.id.get(),
            species: None,
            offset: other.offset,
            distance: other.distance,
            distance_sq,
            angle: None,
            velocity: other.velocity,
            coincident: distance_sq <= sees.radius * sees.radius * wingbeat::steer::COINCIDENT,
            only_near: false,
            adds: None,
        }
    };
    force(&own, &neighbors.iter().map(seen).collect::<Vec<_>>())
}

pub fn spring<V: Vector>(own: &TextbookBoid<V>, seen: &[Seen<V>]) -> V {
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
pub struct Shy;

pub fn shy_sees() -> Perception {
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

pub fn shy<V: Vector>(_: &TextbookBoid<V>, seen: &[Seen<V>]) -> V {
    let away =
        |one: &Seen<V>| one.offset.times(if one.coincident { 0.0 } else { 1.0 / one.distance });
    seen.iter().fold(V::origin(), |sum, one| sum.plus(away(one))).times(-0.5)
}
