//! Vector algebra in lanes: the definitions of `wingbeat_steer::Vector`, sixteen (or eight, or four) boids at once.
//!
//! Each function rounds exactly like its scalar twin, so that the kernel's finish equals the textbook's.
#![forbid(unsafe_code)]

use crate::simd::{Float, Mask, Simd};

/// One vector per lane.
pub(crate) type Vectors<S, const D: usize> = [<S as Simd>::F; D];

/// The same vector in every lane.
#[inline(always)]
pub(crate) fn zero<S: Simd, const D: usize>(s: S) -> Vectors<S, D> {
    [s.splat(0.0); D]
}

/// a + b.
#[inline(always)]
pub(crate) fn add<S: Simd, const D: usize>(a: Vectors<S, D>, b: Vectors<S, D>) -> Vectors<S, D> {
    std::array::from_fn(|i| a[i] + b[i])
}

/// a − b.
#[inline(always)]
pub(crate) fn sub<S: Simd, const D: usize>(a: Vectors<S, D>, b: Vectors<S, D>) -> Vectors<S, D> {
    std::array::from_fn(|i| a[i] - b[i])
}

/// a·k.
#[inline(always)]
pub(crate) fn scale<S: Simd, const D: usize>(a: Vectors<S, D>, k: S::F) -> Vectors<S, D> {
    std::array::from_fn(|i| a[i] * k)
}

/// (x·x + y·y) + z·z.
#[inline(always)]
pub(crate) fn dot<S: Simd, const D: usize>(a: Vectors<S, D>, b: Vectors<S, D>) -> S::F {
    let mut sum = a[0] * b[0];
    for i in 1..D {
        sum = sum + a[i] * b[i];
    }
    sum
}

/// `yes` or `no`, lane by lane.
#[inline(always)]
pub(crate) fn select<S: Simd, const D: usize>(mask: S::M, yes: Vectors<S, D>, no: Vectors<S, D>) -> Vectors<S, D> {
    std::array::from_fn(|i| mask.select(yes[i], no[i]))
}

/// Largest absolute component.
#[inline(always)]
pub(crate) fn largest<S: Simd, const D: usize>(a: Vectors<S, D>) -> S::F {
    let mut largest = a[0].abs();
    for component in &a[1..] {
        largest = largest.max(component.abs());
    }
    largest
}

/// Length m·√Σ(a/m)², 0 for 0.
#[inline(always)]
pub(crate) fn norm<S: Simd, const D: usize>(s: S, a: Vectors<S, D>) -> S::F {
    let m = largest::<S, D>(a);
    let scaled: Vectors<S, D> = std::array::from_fn(|i| a[i] / m);
    let norm = m * dot::<S, D>(scaled, scaled).sqrt();
    m.gt(s.splat(0.0)).select(norm, s.splat(0.0))
}

/// Direction (a/m)·(1/√Σ(a/m)²), 0 for 0.
#[inline(always)]
pub(crate) fn unit<S: Simd, const D: usize>(s: S, a: Vectors<S, D>) -> Vectors<S, D> {
    let m = largest::<S, D>(a);
    let scaled: Vectors<S, D> = std::array::from_fn(|i| a[i] / m);
    let unit = scale::<S, D>(scaled, s.splat(1.0) / dot::<S, D>(scaled, scaled).sqrt());
    select::<S, D>(m.gt(s.splat(0.0)), unit, zero(s))
}

/// a, or its direction at length `limit` where it is longer.
#[inline(always)]
pub(crate) fn truncate<S: Simd, const D: usize>(s: S, a: Vectors<S, D>, limit: S::F) -> Vectors<S, D> {
    let norm = norm(s, a);
    select::<S, D>(norm.gt(limit), scale::<S, D>(a, limit / norm), a)
}

/// Heading v·(1/‖v‖), and whether the boid is at rest (heading zero).
#[inline(always)]
pub(crate) fn heading<S: Simd, const D: usize>(s: S, velocity: Vectors<S, D>) -> (Vectors<S, D>, S::M) {
    let speed = dot::<S, D>(velocity, velocity).sqrt();
    let at_rest = speed.lt(s.splat(wingbeat_steer::REST_SPEED));
    let heading = scale::<S, D>(velocity, s.splat(1.0) / speed);
    (select::<S, D>(at_rest, zero(s), heading), at_rest)
}
