//! The few operations on f64 vectors that observables share. Their order of additions is part of
//! every published number. They are inlined wherever they are used, since loops over them are
//! compiled for each SIMD level.

use wingbeat_steer::Domain;

/// The sides of a periodic domain.
pub fn sides<const D: usize>(domain: &Domain<[f32; D]>) -> Option<[f64; D]> {
    domain.is_periodic().then(|| crate::arrays::from_fn(|a| f64::from(domain.side(a))))
}

/// offset − side·round(offset/side). Inside one box the rounded quotient is −1, 0 or 1, and neither
/// division nor rounding is needed to tell which; both take longer than all the rest of a distance.
#[inline(always)]
pub fn nearest_image(offset: f64, side: f64) -> f64 {
    if offset.abs() >= side {
        return offset - side * (offset / side).round();
    }
    let half = side / 2.0;
    if offset >= half {
        offset - side
    } else if offset <= -half {
        offset + side
    } else {
        offset
    }
}

/// The [`nearest_image`] of many ways at once.
#[inline(always)]
pub fn nearest_images<const N: usize>(ways: &mut [f64; N], side: f64) {
    let mut is_far = false;
    for way in &*ways {
        is_far |= way.abs() >= side;
    }
    if is_far {
        for way in ways {
            *way = nearest_image(*way, side);
        }
        return;
    }
    let half = side / 2.0;
    for way in ways {
        let back = if *way <= -half { *way + side } else { *way };
        *way = if *way >= half { *way - side } else { back };
    }
}

#[inline(always)]
pub fn norm<const N: usize>(v: [f64; N]) -> f64 {
    dot(&v, &v).sqrt()
}

/// v/‖v‖; 0 at rest.
#[inline(always)]
pub fn unit<const N: usize>(v: [f64; N]) -> [f64; N] {
    let norm = norm(v);
    if norm < f64::from(wingbeat_steer::REST_SPEED) { [0.0; N] } else { v.map(|c| c / norm) }
}

#[inline(always)]
pub fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for axis in 0..N {
        sum += a[axis] * b[axis];
    }
    sum
}

#[inline(always)]
pub fn add<const N: usize>(sum: &mut [f64; N], v: [f64; N]) {
    for a in 0..N {
        sum[a] += v[a];
    }
}

#[inline(always)]
pub fn minus<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    crate::arrays::from_fn(|axis| a[axis] - b[axis])
}

/// a × b; vectors of the plane lie in space with a third component of 0.
#[inline(always)]
pub fn cross<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; 3] {
    let in_space = |v: [f64; N]| -> [f64; 3] {
        crate::arrays::from_fn(|axis| if axis < N { v[axis] } else { 0.0 })
    };
    let (a, b) = (in_space(a), in_space(b));
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// 2⁵², from where on there are only whole numbers, whose last bits are those of the number itself.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// A number of 0 and above, below 2³¹, rounded to the nearest whole one, or down where that is
/// above it and `down` is said. A cast would ask one after the other whether they fit.
#[inline(always)]
pub fn whole(x: f64, down: bool) -> u64 {
    let nearest = x + WHOLE - WHOLE;
    let below = if down && nearest > x { nearest - 1.0 } else { nearest };
    (below + WHOLE).to_bits() & 0xffff_ffff
}

/// Sine and cosine of an angle in turns, 0 to 2²⁹ of them: by Taylor's series in the eighth of a
/// turn around each quarter, where what is left out is below the last bit. Unlike a library's, it
/// does not ask where it is, so that several are computed at once.
#[inline(always)]
pub fn sine_cosine(turns: f64) -> (f64, f64) {
    let quarter = whole(4.0 * turns, false);
    let angle = (turns - 0.25 * (4.0 * turns + WHOLE - WHOLE)) * std::f64::consts::TAU;
    let square = angle * angle;
    let (mut sine, mut cosine) = (1.0, 1.0);
    let mut n = 16.0;
    while n > 1.0 {
        cosine = 1.0 - square * (1.0 / (n * (n - 1.0))) * cosine;
        sine = 1.0 - square * (1.0 / (n * (n + 1.0))) * sine;
        n -= 2.0;
    }
    sine *= angle;
    let (one, other) = if quarter & 1 == 0 { (sine, cosine) } else { (cosine, sine) };
    (if quarter & 2 == 0 { one } else { -one }, if (quarter + 1) & 2 == 0 { other } else { -other })
}

#[cfg(test)]
#[path = "../../tests/inside/vectors.rs"]
mod tests;
