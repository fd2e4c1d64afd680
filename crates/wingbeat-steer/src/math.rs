//! Scalar arithmetic with pinned rounding: the same bits on every machine, with or without `std`.

mod elementary;
mod gamma;
pub mod noise;
mod quantile;
pub(crate) mod vector;
pub use elementary::{
    COSINE, EXPONENTIAL, LOGARITHM, SINE, WHOLE, exp2, gaussian, log2, sin_cos_turns,
};
pub use gamma::gamma_quantile;
pub use quantile::normal_quantile;

/// 1/(2π).
pub const RADIANS_TO_TURNS: f32 = core::f32::consts::FRAC_1_PI * 0.5;

/// IEEE square root (correctly rounded everywhere; `core` has none, so without `std` it comes from
/// `libm`).
#[inline]
pub fn sqrt(x: f32) -> f32 {
    #[cfg(feature = "std")]
    {
        x.sqrt()
    }
    #[cfg(not(feature = "std"))]
    {
        libm::sqrtf(x)
    }
}

/// The larger; `b` where the two compare equal.
#[inline]
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller; `b` where the two compare equal.
#[inline]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// `x` kept within `low..=high`.
#[inline]
pub fn clamp(x: f32, low: f32, high: f32) -> f32 {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

/// Cosine of half a field of view given in degrees (the whole angle, 0…360).
///
/// Evaluated as sin(90° − half) in f64 with the pinned `libm`, so that it is exact at 0, 120, 180,
/// 240 and 360 degrees and the same on every machine.
///
/// ```
/// use wingbeat_steer::math::cos_half_view;
/// assert_eq!([0.0, 120.0, 180.0, 240.0, 360.0].map(cos_half_view), [1.0, 0.5, 0.0, -0.5, -1.0]);
/// ```
pub fn cos_half_view(field_of_view_degrees: f64) -> f32 {
    let complement = 90.0 - field_of_view_degrees * 0.5;
    libm::sin(complement * (core::f64::consts::PI / 180.0)) as f32
}

/// Fraction of the way to go in a time `dt` when approaching at `rate` per second: `1 −
/// exp(−rate·dt)`.
///
/// Whatever the frame rate, the same time covers the same part of the way: two steps of `dt/2`
/// equal one of `dt`.
pub fn approach(rate: f32, dt: f32) -> f32 {
    // expm1 keeps all digits when rate·dt is tiny.
    -libm::expm1(-f64::from(rate) * f64::from(dt)) as f32
}
