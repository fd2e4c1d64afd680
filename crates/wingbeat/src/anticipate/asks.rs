//! What dissolves jams, in lanes and in the plane: `wingbeat_steer::anticipation::GettingThrough`, operation by operation.

use std::f32::consts::FRAC_1_PI;

use wingbeat_steer::anticipation::{COMING, GettingThrough, LARGEST_TURN, MANY, ROOT_3};
use wingbeat_steer::noise::stream;

use super::planes::{Avoided, to_the_right};
use crate::block::Keyed;
use crate::simd::series::sin_cos_turns;
use crate::simd::{Float, Mask, Simd, Vectors};

/// 1/(2π).
const RADIANS_TO_TURNS: f32 = FRAC_1_PI * 0.5;

/// What each lane sees ahead of it.
#[derive(Clone, Copy)]
pub(super) struct Ahead<S: Simd, const D: usize> {
    direction: Vectors<S, D>,
    right: Vectors<S, D>,
    slow: S::F,
    all: S::F,
    coming: S::F,
    lean: S::F,
}

impl<S: Simd, const D: usize> Ahead<S, D> {
    /// Nothing yet; boids that go with these preferred velocities.
    #[inline(always)]
    pub fn new(s: S, preferred: Vectors<S, D>) -> Self {
        let (direction, zero) = (preferred.unit(s), s.splat(0.0));
        let slow = s.splat(COMING) * preferred.norm(s);
        Self { direction, right: to_the_right(direction), slow, all: zero, coming: zero, lean: zero }
    }

    /// One other of every lane.
    #[inline(always)]
    pub fn add(&mut self, s: S, other: &Avoided<S, D>) {
        let (zero, one, offset) = (s.splat(0.0), s.splat(1.0), other.offset);
        let ahead = self.direction.dot(offset).gt(zero) & other.there;
        let sine = self.right.dot(offset) / offset.dot(offset).sqrt();
        let comes = other.velocity.dot(self.direction).lt(self.slow);
        self.all = self.all.add_where(ahead, one);
        self.coming = self.coming.add_where(ahead & comes, one);
        self.lean = self.lean.add_where(ahead, comes.select(-sine, sine));
    }
}

/// Boids with a wish, one a lane.
#[derive(Clone, Copy)]
pub(super) struct Wishes<S: Simd, const D: usize> {
    pub preferred: Vectors<S, D>,
    pub velocity: Vectors<S, D>,
    /// β of the step before.
    pub beta: S::F,
}

/// The new β. `part` is how much of the way there a step covers; `key` is of the step.
#[inline(always)]
pub(super) fn turn<S: Simd, const D: usize>(
    s: S,
    (through, part): (&GettingThrough, f32),
    wishes: &Wishes<S, D>,
    ahead: Option<&Ahead<S, D>>,
    key: impl FnOnce() -> Keyed<S>,
) -> S::F {
    let Wishes { preferred, velocity, beta } = *wishes;
    let (zero, one) = (s.splat(0.0), s.splat(1.0));
    let speed = preferred.norm(s);
    let lack = clamp(one - velocity.dot(preferred.unit(s)) / speed, zero, one);
    let (moves, covered) = (speed.gt(zero), s.splat(part));
    let largest = s.splat(LARGEST_TURN);
    if through.handedness != 0.0 {
        let wanted = moves.select(s.splat(through.handedness * through.side_step) * lack, zero);
        return clamp(beta + (wanted - beta) * covered, -largest, largest);
    }
    let drawn = key().uniform(s, stream::ANTICIPATION + 3);
    let most = s.splat(through.side_step) * clamp(s.splat(2.0) * lack - one, zero, one);
    let z = s.splat(ROOT_3) * (s.splat(2.0) * drawn - one);
    let mut turned = beta - beta * covered + most * ((covered * s.splat(2.0 - part)).sqrt() * z);
    if let Some(ahead) = ahead {
        let right = ahead.lean.gt(zero) | (ahead.lean.equals(zero) & drawn.lt(s.splat(0.5)));
        let wanted = right.select(s.splat(through.side_step), s.splat(-through.side_step)) * lack;
        let away = beta + (wanted - beta) * covered;
        turned = ahead.coming.gt(s.splat(MANY) * ahead.all).select(away, turned);
    }
    clamp(moves.select(turned, zero), -largest, largest)
}

/// The preferred velocities after noise, drawn with a key of the draw that is held, and the turn by β.
#[inline(always)]
pub(super) fn asked<S: Simd, const D: usize>(
    s: S,
    noise: f32,
    preferred: Vectors<S, D>,
    beta: S::F,
    key: impl FnOnce() -> Keyed<S>,
) -> Vectors<S, D> {
    let mut bent = preferred;
    if noise != 0.0 {
        bent = (preferred.unit(s) + drawn(s, noise, key())).unit(s) * preferred.norm(s);
    }
    turned_right(s, bent, beta)
}

/// `math::clamp`.
#[inline(always)]
fn clamp<F: Float>(x: F, least: F, most: F) -> F {
    x.lt(least).select(least, x.gt(most).select(most, x))
}

/// Vectors turned right by angles in radians.
#[inline(always)]
fn turned_right<S: Simd, const D: usize>(s: S, v: Vectors<S, D>, angle: S::F) -> Vectors<S, D> {
    let (sin, cos) = sin_cos_turns(s, angle * s.splat(RADIANS_TO_TURNS));
    let (x, y) = (v[0], v[1]);
    let mut turned = v;
    (turned[0], turned[1]) = (x * cos + y * sin, y * cos - x * sin);
    turned
}

/// What noise adds to a direction.
#[inline(always)]
fn drawn<S: Simd, const D: usize>(s: S, noise: f32, key: Keyed<S>) -> Vectors<S, D> {
    let (sin, cos) = sin_cos_turns(s, key.uniform(s, stream::ANTICIPATION));
    let mut direction = Vectors::zero(s);
    (direction[0], direction[1]) = (cos, sin);
    direction * (s.splat(noise) * key.uniform(s, stream::ANTICIPATION + 2))
}
