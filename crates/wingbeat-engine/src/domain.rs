//! The domain in lanes: `wingbeat_steer::Domain`, operation by operation.

use wingbeat_steer::body::domain_of;
use wingbeat_steer::{Boundary, Domain};

use crate::simd::{Float, MAX_LANES, Mask, Simd, Vectors};

/// An offset along one axis to its nearest image: o − L where o > L/2, o + L where o < −L/2.
#[inline(always)]
pub(crate) fn nearest_image<S: Simd>(s: S, offset: S::F, side: f32) -> S::F {
    let (half, whole) = (s.splat(side * 0.5), s.splat(side));
    let too_far = offset.gt(half).select(offset - whole, offset);
    offset.lt(-half).select(offset + whole, too_far)
}

/// The nearest images of offsets: `Domain::image`.
#[inline(always)]
pub(crate) fn nearest_images<S: Simd, const D: usize>(
    s: S,
    domain: &Domain<[f32; D]>,
    offset: Vectors<S, D>,
) -> Vectors<S, D> {
    if !domain.is_periodic() {
        return offset;
    }
    let mut image = offset;
    for a in 0..D {
        image[a] = nearest_image(s, offset[a], domain.side(a));
    }
    image
}

/// Push of a walled domain's faces; zero elsewhere.
#[inline(always)]
pub(crate) fn wall_force<S: Simd, const D: usize>(
    s: S,
    domain: &Domain<[f32; D]>,
    position: Vectors<S, D>,
) -> Vectors<S, D> {
    let Boundary::Walled { margin, strength } = domain.boundary else { return Vectors::zero(s) };
    let (margin, strength) = (s.splat(margin), s.splat(strength));
    let mut force = Vectors::zero(s);
    for a in 0..D {
        let from_min = position[a] - s.splat(domain.min[a]);
        let from_max = s.splat(domain.max[a]) - position[a];
        let up = strength * (s.splat(1.0) - from_min / margin);
        let down = strength * (s.splat(1.0) - from_max / margin);
        let pushed = Float::add_where(s.splat(0.0), from_min.lt(margin), up);
        force[a] = from_max.lt(margin).select(pushed - down, pushed);
    }
    force
}

/// What the domain makes of one coordinate and velocity component after a move of bodies of these
/// radii.
#[inline(always)]
pub(crate) fn settle_bodies<S: Simd, const D: usize>(
    s: S,
    domain: &Domain<[f32; D]>,
    radius: S::F,
    axis: usize,
    (x, v): (S::F, S::F),
    live: usize,
) -> (S::F, S::F) {
    if !domain.boundary.has_faces() {
        return settle(s, domain, axis, x, v, live);
    }
    let (min, max) = (s.splat(domain.min[axis]) + radius, s.splat(domain.max[axis]) - radius);
    let outside = (x.lt(min) | x.gt(max)) & s.first(live);
    if !outside.any() {
        return (x, v);
    }
    let (mut xs, mut vs, mut radii) = ([0.0; MAX_LANES], [0.0; MAX_LANES], [0.0; MAX_LANES]);
    x.store(&mut xs);
    v.store(&mut vs);
    radius.store(&mut radii);
    for lane in 0..S::LANES {
        if outside.bits() >> lane & 1 == 1 {
            (xs[lane], vs[lane]) = domain_of(domain, radii[lane]).settle(axis, xs[lane], vs[lane]);
        }
    }
    (s.load(&xs, 0), s.load(&vs, 0))
}

/// What the domain makes of one coordinate and velocity component after a move.
#[inline(always)]
pub(crate) fn settle<S: Simd, const D: usize>(
    s: S,
    domain: &Domain<[f32; D]>,
    axis: usize,
    x: S::F,
    v: S::F,
    live: usize,
) -> (S::F, S::F) {
    if matches!(domain.boundary, Boundary::Open | Boundary::Absorbing) {
        return (x, v);
    }
    let (min, max) = (s.splat(domain.min[axis]), s.splat(domain.max[axis]));
    let past_max = if domain.is_periodic() { x.ge(max) } else { x.gt(max) };
    let outside = (x.lt(min) | past_max) & s.first(live);
    if !outside.any() {
        return (x, v);
    }
    // Few boids cross an edge in a step: those, one at a time, by the definition itself.
    let (mut xs, mut vs) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    x.store(&mut xs);
    v.store(&mut vs);
    for lane in 0..S::LANES {
        if outside.bits() >> lane & 1 == 1 {
            (xs[lane], vs[lane]) = domain.settle(axis, xs[lane], vs[lane]);
        }
    }
    (s.load(&xs, 0), s.load(&vs, 0))
}
