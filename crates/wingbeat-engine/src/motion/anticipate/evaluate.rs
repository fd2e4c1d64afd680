//! Side-stepping and noise in lanes, in the plane: `wingbeat_steer::anticipation::GettingThrough`,
//! operation by operation.

use std::f32::consts::FRAC_1_PI;

use wingbeat_steer::anticipation::{
    COMING, GETTING_ON, GettingThrough, LARGEST_TURN, MANY, ROOT_3, WAITING,
};
use wingbeat_steer::noise::stream;

use crate::motion::anticipate::planes::{Avoided, AvoidingLanes, to_the_right};
use crate::neighbors::Keyed;
use crate::simd::series::sin_cos_turns;
use crate::simd::{Float, Mask, Simd, Vectors};

/// 1/(2π).
const RADIANS_TO_TURNS: f32 = FRAC_1_PI * 0.5;

/// Boids with a wish, one a lane.
#[derive(Clone, Copy)]
pub(super) struct Wishes<S: Simd, const D: usize> {
    preferred: Vectors<S, D>,
    /// The preferred velocity's length and direction.
    speed: S::F,
    direction: Vectors<S, D>,
    velocity: Vectors<S, D>,
    max_speed: S::F,
}

/// What each lane sees ahead of it.
#[derive(Clone, Copy)]
pub(super) struct AheadLanes<S: Simd, const D: usize> {
    right: Vectors<S, D>,
    back: S::F,
    on: S::F,
    all: S::F,
    coming: S::F,
    stuck: S::F,
    lean: S::F,
}

impl<S: Simd, const D: usize> Wishes<S, D> {
    #[inline(always)]
    pub fn new(s: S, movers: &AvoidingLanes<S, D>) -> Self {
        let AvoidingLanes { preferred, velocity, max_speed, .. } = *movers;
        Self {
            preferred,
            speed: preferred.norm(s),
            direction: preferred.unit(s),
            velocity,
            max_speed,
        }
    }

    /// Nothing ahead yet.
    #[inline(always)]
    pub fn ahead(&self, s: S) -> AheadLanes<S, D> {
        let zero = s.splat(0.0);
        let (back, on) = (s.splat(COMING) * self.speed, s.splat(GETTING_ON) * self.speed);
        AheadLanes {
            right: to_the_right(self.direction),
            back,
            on,
            all: zero,
            coming: zero,
            stuck: zero,
            lean: zero,
        }
    }

    /// One other of every lane.
    #[inline(always)]
    pub fn see(&self, s: S, other: &Avoided<S, D>, ahead: &mut AheadLanes<S, D>) {
        let one = s.splat(1.0);
        let is_ahead = self.direction.dot(other.offset).gt(s.splat(0.0)) & other.there;
        let aside = ahead.right.dot(other.offset) * other.per_sq;
        let progress = other.velocity.dot(self.direction);
        let comes = progress.lt(ahead.back);
        ahead.all = ahead.all.add_where(is_ahead, one);
        ahead.coming = ahead.coming.add_where(is_ahead & comes, one);
        ahead.stuck = ahead.stuck.add_where(is_ahead & progress.lt(ahead.on), one);
        ahead.lean = ahead.lean.add_where(is_ahead, comes.select(-aside, aside));
    }

    /// The β after this step. `part` is how much of the way there a step covers; `key` is of the
    /// step.
    #[inline(always)]
    pub fn turn(
        &self,
        s: S,
        (through, part): (&GettingThrough, f32),
        beta: S::F,
        ahead: Option<&AheadLanes<S, D>>,
        key: impl FnOnce() -> Keyed<S>,
    ) -> S::F {
        let (zero, one) = (s.splat(0.0), s.splat(1.0));
        let lack = clamp(one - self.velocity.dot(self.direction) / self.speed, zero, one);
        let (covered, largest) = (s.splat(part), s.splat(LARGEST_TURN));
        if through.handedness != 0.0 {
            let wanted = self
                .speed
                .gt(zero)
                .select(s.splat(through.handedness * through.side_step) * lack, zero);
            return clamp(beta + (wanted - beta) * covered, -largest, largest);
        }
        let drawn = key().uniform(s, stream::ANTICIPATION + 3);
        let hindered = s.splat(through.side_step) * clamp(s.splat(2.0) * lack - one, zero, one);
        let most = ahead.map_or(zero, |ahead| ahead.stuck.gt(zero).select(hindered, zero));
        let z = s.splat(ROOT_3) * (s.splat(2.0) * drawn - one);
        let mut turned =
            beta - beta * covered + most * ((covered * s.splat(2.0 - part)).sqrt() * z);
        if let Some(ahead) = ahead {
            let right = ahead.lean.gt(zero) | (ahead.lean.equals(zero) & drawn.lt(s.splat(0.5)));
            let wanted =
                right.select(s.splat(through.evasion()), s.splat(-through.evasion())) * lack;
            let away = beta + (wanted - beta) * covered;
            turned = ahead.coming.gt(s.splat(MANY) * ahead.all).select(away, turned);
        }
        let moves = self.speed.gt(s.splat(WAITING) * self.max_speed);
        clamp(moves.select(turned, zero), -largest, largest)
    }

    /// The preferred velocities after noise, drawn with a key of the draw that is held, and the
    /// turn by β.
    #[inline(always)]
    pub fn asked(
        &self,
        s: S,
        noise: f32,
        beta: S::F,
        key: impl FnOnce() -> Keyed<S>,
    ) -> Vectors<S, D> {
        let mut bent = self.preferred;
        if noise != 0.0 {
            bent = (self.direction + drawn(s, noise, key())).unit(s) * self.speed;
        }
        turned_right(s, bent, beta)
    }
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
