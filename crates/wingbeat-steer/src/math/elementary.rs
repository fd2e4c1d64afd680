//! Sine, cosine, logarithm and exponential as written-out series: elementary operations only, in
//! one order, so that a lane of the engine rounds exactly as these do.

use core::f32::consts::{LN_2, PI, SQRT_2};

/// Added and taken away again, it rounds to the nearest whole number: floats of this size (1.5·2²³)
/// are one apart.
pub const WHOLE: f32 = 12_582_912.0;

/// Taylor coefficients of sine after the first, x³/3! … x¹³/13!. Within ±π/2 what is cut off is
/// below 7·10⁻¹⁰.
pub const SINE: [f32; 6] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
];

/// Taylor coefficients of cosine after the first, x²/2! … x¹²/12!. Within ±π/2 what is cut off is
/// below 7·10⁻⁹.
pub const COSINE: [f32; 6] =
    [-0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];

/// Coefficients of the logarithm's series in the square of t = (m − 1)/(m + 1): 1 + t²/3 + t⁴/5 +
/// t⁶/7 + t⁸/9.
pub const LOGARITHM: [f32; 4] = [1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0, 1.0 / 9.0];

/// Taylor coefficients of e^x after the first, up to x⁷/7!. Within ±½·ln 2 what is cut off is below
/// 6·10⁻⁹.
pub const EXPONENTIAL: [f32; 7] =
    [1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5_040.0];

/// 1 + c₀·x + c₁·x² + …, innermost first (Horner).
fn series(x: f32, coefficients: &[f32]) -> f32 {
    let mut sum = 0.0;
    for &c in coefficients.iter().rev() {
        sum = (sum + c) * x;
    }
    1.0 + sum
}

/// Sine and cosine of an angle in turns (1 is 360°), |turns| at most 10⁶: within 4·10⁻⁷, and exact
/// at whole turns.
///
/// Of the part of a turn that is left after the nearest whole one, half is taken, where the series
/// are short; then sin 2x = 2·(sin x·cos x) and cos 2x = cos²x − sin²x.
///
/// ```
/// use wingbeat_steer::math::sin_cos_turns;
/// assert_eq!(sin_cos_turns(3.0), (0.0, 1.0));
/// let (sin, cos) = sin_cos_turns(1.0 / 12.0); // 30°
/// assert!((sin - 0.5).abs() < 4e-7 && (cos - 0.8660254).abs() < 4e-7);
/// ```
pub fn sin_cos_turns(turns: f32) -> (f32, f32) {
    let part = turns - ((turns + WHOLE) - WHOLE);
    let x = part * PI;
    let square = x * x;
    let (sin, cos) = (x * series(square, &SINE), series(square, &COSINE));
    (2.0 * (sin * cos), cos * cos - sin * sin)
}

/// Logarithm to base 2 of a normal positive number, within 3·10⁻⁷ of the larger of itself and 1;
/// exact at powers of two.
///
/// The mantissa m, halved where it is above √2, gives t = (m − 1)/(m + 1), and log₂ m = 2/ln 2·(t +
/// t³/3 + t⁵/5 + …).
///
/// ```
/// use wingbeat_steer::math::log2;
/// assert_eq!([1.0, 8.0, 0.25].map(log2), [0.0, 3.0, -2.0]);
/// assert!((log2(10.0) - 3.321928).abs() < 1e-6);
/// ```
pub fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    let (m, exponent) =
        if mantissa > SQRT_2 { (mantissa * 0.5, exponent + 1.0) } else { (mantissa, exponent) };
    let t = (m - 1.0) / (m + 1.0);
    exponent + t * (2.0 / LN_2) * series(t * t, &LOGARITHM)
}

/// 2 to the power of `x`, which is kept within −126 … 127: a relative error below 2·10⁻⁷; exact at
/// whole numbers.
///
/// The nearest whole number goes into the exponent, and of the rest f, 2^f = e^(f·ln 2) is a Taylor
/// series.
///
/// ```
/// use wingbeat_steer::math::exp2;
/// assert_eq!([0.0, 10.0, -1.0, -1e9].map(exp2), [1.0, 1024.0, 0.5, f32::MIN_POSITIVE]);
/// assert!((exp2(0.5) - 1.4142135).abs() < 3e-7);
/// ```
pub fn exp2(x: f32) -> f32 {
    let x = super::clamp(x, -126.0, 127.0);
    let biased = x + WHOLE;
    let rest = x - (biased - WHOLE);
    // The lowest bits of `biased` are the whole number, which moves up into the exponent.
    let scale = f32::from_bits((biased.to_bits() << 23).wrapping_add(0x3f80_0000));
    series(rest * LN_2, &EXPONENTIAL) * scale
}

/// A draw from the standard normal distribution made of two uniform in [0, 1) (Box and Muller
/// 1958): √(−2·ln(1 − a))·cos(2π·b). At most 5.8 in size.
///
/// ```
/// assert_eq!(wingbeat_steer::math::gaussian(0.0, 0.3), 0.0);
/// ```
pub fn gaussian(a: f32, b: f32) -> f32 {
    // 1 − a is at least 2⁻²⁴ for an a of 24 bits, and its logarithm exactly 0 at a = 0.
    let radius = super::sqrt(log2(1.0 - a) * (-2.0 * LN_2));
    radius * sin_cos_turns(b).1
}
