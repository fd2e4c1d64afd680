//! What dissolves jams, in lanes: `wingbeat_steer::anticipation::GettingThrough`, operation by operation.

use std::f32::consts::FRAC_1_PI;

use wingbeat_steer::anticipation::GettingThrough;
use wingbeat_steer::noise::stream;

use crate::block::Keyed;
use crate::simd::series::sin_cos_turns;
use crate::simd::{Float, Mask, Simd, Vectors};

/// 1/(2π).
const RADIANS_TO_TURNS: f32 = FRAC_1_PI * 0.5;

/// The preferred velocities after the step aside and noise, and how blocked everyone is now. `part` is how much of the way there a step
/// covers; `key` is needed with noise alone.
#[inline(always)]
pub(super) fn asks_with<S: Simd, const D: usize>(
    s: S,
    (through, part): (&GettingThrough, f32),
    (preferred, velocity): (Vectors<S, D>, Vectors<S, D>),
    beta: S::F,
    key: Option<Keyed<S>>,
) -> (Vectors<S, D>, S::F) {
    let (zero, one) = (s.splat(0.0), s.splat(1.0));
    let speed = preferred.norm(s);
    let progress = velocity.dot(preferred.unit(s));
    let lack = one - progress / speed;
    let lack = lack.lt(zero).select(zero, lack.gt(one).select(one, lack));
    let wanted = speed.gt(zero).select(s.splat(through.side_step) * lack, zero);
    let beta = beta + (wanted - beta) * s.splat(part);
    let turned = turned_right(s, preferred, beta);
    let Some(key) = key else { return (turned, beta) };
    (turned + drawn(s, through.noise, key), beta)
}

/// Vectors turned right by angles in radians.
#[inline(always)]
fn turned_right<S: Simd, const D: usize>(s: S, v: Vectors<S, D>, angle: S::F) -> Vectors<S, D> {
    let (sin, cos) = sin_cos_turns(s, angle * s.splat(RADIANS_TO_TURNS));
    let (x, y) = (v[0], v[1]);
    let mut turned = v;
    (turned[0], turned[1]) = (x * cos + y * sin, y * cos - x * sin);
    if D == 2 {
        return turned;
    }
    let (z, zero) = (v[2], s.splat(0.0));
    let upright = x.abs().le(zero) & y.abs().le(zero);
    let mut about_x = Vectors::zero(s);
    (about_x[1], about_x[2]) = (z * sin, z * cos);
    Vectors::select(upright, about_x, turned)
}

/// What noise adds.
#[inline(always)]
fn drawn<S: Simd, const D: usize>(s: S, noise: f32, key: Keyed<S>) -> Vectors<S, D> {
    let (sin, cos) = sin_cos_turns(s, key.uniform(s, stream::ANTICIPATION));
    let mut direction = Vectors::zero(s);
    if D == 2 {
        (direction[0], direction[1]) = (cos, sin);
    } else {
        let z = s.splat(2.0) * key.uniform(s, stream::ANTICIPATION + 1) - s.splat(1.0);
        let r = (s.splat(1.0) - z * z).sqrt();
        (direction[0], direction[1], direction[D - 1]) = (cos * r, sin * r, z);
    }
    direction * (s.splat(noise) * key.uniform(s, stream::ANTICIPATION + 2))
}
