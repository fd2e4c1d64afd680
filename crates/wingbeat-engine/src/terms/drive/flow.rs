//! Flow in lanes.

use wingbeat_steer::drive::{Flow, FlowField, Outside};

use crate::simd::{Float, MAX_LANES, Mask, Simd, Vectors};
use crate::terms::drive::{DriveLanes, InLanes, LaneDrive};

impl<const D: usize> InLanes for Flow<[f32; D]> {
    type Lanes = Self;

    fn in_lanes(self) -> Self {
        self
    }
}

impl<const D: usize> LaneDrive<D> for Flow<[f32; D]> {
    #[inline(always)]
    fn lane_force<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        let (field, flows) = field(s, self, lanes);
        if self.raw {
            return field;
        }
        (field * lanes.max_speed(s) - lanes.block.own.velocity).or_zero(s, flows)
    }

    #[inline(always)]
    fn waiting<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        if self.raw {
            return Vectors::zero(s);
        }
        lanes.stop(s).or_zero(s, field(s, self, lanes).1)
    }
}

/// A flow's field, and lanes where it is not 0.
#[inline(always)]
fn field<S: Simd, const D: usize>(
    s: S,
    flow: &Flow<[f32; D]>,
    lanes: &DriveLanes<'_, S, D>,
) -> (Vectors<S, D>, S::M) {
    let block = lanes.block;
    let field = sample(s, flow.field_at(lanes.driving.time), &block.own.position, block.count);
    (field, field.largest().gt(s.splat(0.0)))
}

/// `FlowField::at` for the first `count` lanes: corners are gathered one lane at a time, all else
/// is done in lanes.
#[inline(always)]
fn sample<S: Simd, const D: usize>(
    s: S,
    field: &FlowField<[f32; D]>,
    position: &Vectors<S, D>,
    count: usize,
) -> Vectors<S, D> {
    let (shape, zero) = (field.shape(), s.splat(0.0));
    let ((min, _), per_length) = (field.bounds(), field.per_length());
    let (mut inside, mut part) = (s.first(S::LANES), Vectors::<S, D>::zero(s));
    let mut first = [0; MAX_LANES];
    let mut stride = 1;
    for a in 0..D {
        let last = s.splat((shape[a] - 1) as f32);
        let raw = (position[a] - s.splat(min[a])) * s.splat(per_length[a]);
        let t = raw.lt(zero).select(zero, raw.gt(last).select(last, raw));
        inside = inside & raw.ge(zero) & raw.le(last);
        let (mut floors, mut nodes) = ([0; MAX_LANES], [0.0; MAX_LANES]);
        t.store_floor(&mut floors);
        for lane in 0..S::LANES {
            let node =
                if floors[lane] > shape[a] as i32 - 2 { shape[a] as i32 - 2 } else { floors[lane] };
            first[lane] += stride * node as usize;
            nodes[lane] = node as f32;
        }
        part[a] = t - s.load(&nodes, 0);
        stride *= shape[a];
    }
    let mut corners = [Vectors::<S, D>::zero(s); 8];
    let values = field.values();
    for corner in 0..1 << D {
        let z = if D == 3 { corner >> 2 & 1 } else { 0 };
        let offset = (corner & 1) + shape[0] * ((corner >> 1 & 1) + shape[1] * z);
        let mut found = [[0.0; MAX_LANES]; D];
        for lane in 0..count {
            let value = &values[first[lane] + offset];
            for a in 0..D {
                found[a][lane] = value[a];
            }
        }
        corners[corner] = Vectors::load(s, &found, 0);
    }
    // Pairs along the first axis, then pairs of those along the second, then along the third.
    let mut count = 1 << D;
    for a in 0..D {
        count /= 2;
        for i in 0..count {
            let (low, high) = (corners[2 * i], corners[2 * i + 1]);
            corners[i] = low + (high - low) * part[a];
        }
    }
    if field.beyond() == Outside::Zero { corners[0].or_zero(s, inside) } else { corners[0] }
}
