//! The few operations on f64 vectors that observables share. Their order of additions is part of every published number.

use wingbeat_steer::Domain;

/// The way from one position to another, in a periodic domain to its nearest image.
#[inline]
pub(super) fn offset<const D: usize>(from: &[f64; D], to: &[f64; D], domain: &Domain<[f32; D]>) -> [f64; D] {
    let mut offset = [0.0; D];
    for a in 0..D {
        offset[a] = to[a] - from[a];
        if domain.is_periodic() {
            offset[a] = nearest_image(offset[a], f64::from(domain.side(a)));
        }
    }
    offset
}

/// offset − side·round(offset/side). Inside one box the rounded quotient is −1, 0 or 1, and neither division nor rounding is
/// needed to tell which; both take longer than all the rest of a distance.
#[inline]
pub(super) fn nearest_image(offset: f64, side: f64) -> f64 {
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

#[inline]
pub(super) fn norm<const N: usize>(v: [f64; N]) -> f64 {
    dot(&v, &v).sqrt()
}

/// v/‖v‖; 0 at rest.
#[inline]
pub(super) fn unit<const N: usize>(v: [f64; N]) -> [f64; N] {
    let norm = norm(v);
    if norm < f64::from(wingbeat_steer::REST_SPEED) { [0.0; N] } else { v.map(|c| c / norm) }
}

#[inline]
pub(super) fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    (0..N).fold(0.0, |sum, axis| sum + a[axis] * b[axis])
}

#[inline]
pub(super) fn add<const N: usize>(sum: &mut [f64; N], v: [f64; N]) {
    for a in 0..N {
        sum[a] += v[a];
    }
}

#[inline]
pub(super) fn minus<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

/// a × b; vectors of the plane lie in space with a third component of 0.
#[inline]
pub(super) fn cross<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; 3] {
    let in_space = |v: [f64; N]| -> [f64; 3] { std::array::from_fn(|axis| if axis < N { v[axis] } else { 0.0 }) };
    let (a, b) = (in_space(a), in_space(b));
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
#[path = "../../tests/inside/vectors.rs"]
mod tests;
