//! Sine, cosine, logarithm, exponential and normal draws in lanes: the series of
//! `wingbeat_steer::math`, operation by operation.

use std::f32::consts::{LN_2, PI, SQRT_2};

use wingbeat_steer::math::{COSINE, EXPONENTIAL, LOGARITHM, SINE, WHOLE};

use super::{Float, Mask, Simd, Whole};

/// 1 + c₀·x + c₁·x² + …
#[inline(always)]
fn series<S: Simd, const N: usize>(s: S, x: S::F, coefficients: &[f32; N]) -> S::F {
    let mut sum = s.splat(0.0);
    for i in 0..N {
        sum = (sum + s.splat(coefficients[N - 1 - i])) * x;
    }
    s.splat(1.0) + sum
}

/// Sine and cosine of angles in turns.
#[inline(always)]
pub(crate) fn sin_cos_turns<S: Simd>(s: S, turns: S::F) -> (S::F, S::F) {
    let whole = s.splat(WHOLE);
    let part = turns - ((turns + whole) - whole);
    let x = part * s.splat(PI);
    let square = x * x;
    let (sin, cos) = (x * series(s, square, &SINE), series(s, square, &COSINE));
    (s.splat(2.0) * (sin * cos), cos * cos - sin * sin)
}

/// Logarithm to base 2 of normal positive numbers.
#[inline(always)]
pub(crate) fn log2<S: Simd>(s: S, x: S::F) -> S::F {
    let bits = x.as_whole();
    let exponent = bits.shift_right(23).to_float() - s.splat(127.0);
    let mantissa = bits.and(s.splat_whole(0x007f_ffff)).or(s.splat_whole(0x3f80_0000)).as_float();
    let upper = mantissa.gt(s.splat(SQRT_2));
    let m = upper.select(mantissa * s.splat(0.5), mantissa);
    let exponent = upper.select(exponent + s.splat(1.0), exponent);
    let t = (m - s.splat(1.0)) / (m + s.splat(1.0));
    exponent + t * s.splat(2.0 / LN_2) * series(s, t * t, &LOGARITHM)
}

/// 2 to the power of `x`, which is kept within −126 … 127.
#[inline(always)]
pub(crate) fn exp2<S: Simd>(s: S, x: S::F) -> S::F {
    let x = x.max(s.splat(-126.0)).min(s.splat(127.0));
    let biased = x + s.splat(WHOLE);
    let rest = x - (biased - s.splat(WHOLE));
    let scale = biased.as_whole().shift_left(23).plus(s.splat_whole(0x3f80_0000)).as_float();
    series(s, rest * s.splat(LN_2), &EXPONENTIAL) * scale
}

/// Draws from the standard normal distribution made of two uniform in [0, 1).
#[inline(always)]
pub(crate) fn gaussian<S: Simd>(s: S, a: S::F, b: S::F) -> S::F {
    let radius = (log2(s, s.splat(1.0) - a) * s.splat(-2.0 * LN_2)).sqrt();
    radius * sin_cos_turns(s, b).1
}

#[cfg(test)]
#[path = "../../tests/inside/series.rs"]
mod tests;
