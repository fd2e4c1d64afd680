//! The program of lanes whose half-planes leave no velocity:
//! `wingbeat_steer::anticipation::orca::Program`'s, operation by operation, in the plane and
//! without walls.
//!
//! Few of a block are among them, so they wait for others of the batch until there is one for every
//! lane:
//!
//! ```text
//! worst ← 0
//! for each half-plane i, in lanes where it is not before the one that left nothing and best breaks
//!         it by more than worst:
//!     relaxed ← where each before i is broken by no more than i
//!     best ← in relaxed, furthest along the normal of i;
//!            where rounding hides that there is one, what it was
//!     worst ← by how much best breaks i
//! ```

use wingbeat_steer::anticipation::orca::PARALLEL;

use crate::motion::anticipate::planes::{
    Aim, Best, EVERYWHERE, HalfPlanes, PlaneRow, best, finite, load, store,
};
use crate::simd::{Float, MAX_LANES, Mask, Outlined, Simd, Vectors};

/// Who waits, one a lane.
#[derive(Debug, Default)]
pub(crate) struct Relaxing {
    planes: HalfPlanes,
    /// Half-planes of the second program.
    relaxed: Vec<PlaneRow>,
    /// The last best velocities there were.
    last: [[f32; MAX_LANES]; 2],
    /// The numbers of the half-planes that left nothing.
    failed_at: [f32; MAX_LANES],
    max_speed: [f32; MAX_LANES],
    /// Where in the batch the answers go.
    places: [usize; MAX_LANES],
    len: usize,
}

/// One that waits.
#[derive(Clone, Copy)]
pub(crate) struct Relaxed {
    pub last: [f32; 2],
    pub failed_at: f32,
    pub max_speed: f32,
    pub place: usize,
}

impl Relaxing {
    pub fn clear(&mut self) {
        self.len = 0;
        self.planes.clear();
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Where the answers go, in their order.
    pub fn places(&self) -> &[usize] {
        &self.places[..self.len]
    }

    /// One more, whose half-planes are those of a lane; there must be room.
    pub fn add(&mut self, planes: &HalfPlanes, lane: usize, one: &Relaxed) {
        let own = self.len;
        self.planes.copy_lane(own, planes, lane);
        for a in 0..2 {
            self.last[a][own] = one.last[a];
        }
        (self.failed_at[own], self.max_speed[own], self.places[own]) =
            (one.failed_at, one.max_speed, one.place);
        self.len += 1;
    }
}

/// Solves them, as a function of its own.
pub(crate) struct Relax<'a, S: Simd, const D: usize> {
    pub relaxing: &'a mut Relaxing,
    pub best: &'a mut Vectors<S, D>,
}

impl<S: Simd, const D: usize> Outlined<S> for Relax<'_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Relaxing { planes, relaxed, last, failed_at, max_speed, len, .. } = self.relaxing;
        let (rows, live) = (planes.rows(), s.first(*len));
        if relaxed.len() < rows.len() {
            relaxed.resize(rows.len(), EVERYWHERE);
        }
        let (failed_at, max_speed) = (s.load(failed_at, 0), s.load(max_speed, 0));
        let mut velocities = Vectors::<S, D>::zero(s);
        for a in 0..2 {
            velocities[a] = s.load(&last[a], 0);
        }
        let (mut worst, mut number) = (s.splat(0.0), s.splat(0.0));
        for (i, this) in rows.iter().enumerate() {
            let (normal, offset) = load::<S, D>(s, this);
            let worse = (offset - normal.dot(velocities)).gt(worst) & failed_at.le(number) & live;
            number = number + s.splat(1.0);
            if !worse.any() {
                continue;
            }
            for (before, relaxed) in rows[..i].iter().zip(relaxed.iter_mut()) {
                no_worse::<S, D>(s, before, (normal, offset), relaxed);
            }
            let Best { velocity, failed, .. } =
                best(s, &relaxed[..i], Aim::Along(normal), max_speed, worse);
            velocities = Vectors::select(worse & !failed, velocity, velocities);
            worst = worse.select(offset - normal.dot(velocities), worst);
        }
        *self.best = finite(s, velocities).truncate(s, max_speed);
    }
}

/// Where one half-plane is broken by no more than another; everywhere in lanes where the two have
/// the same normal, or where there is none.
#[inline(always)]
fn no_worse<S: Simd, const D: usize>(
    s: S,
    before: &PlaneRow,
    this: (Vectors<S, D>, S::F),
    relaxed: &mut PlaneRow,
) {
    let (normal, offset) = load::<S, D>(s, before);
    let difference = normal - this.0;
    let length = difference.dot(difference).sqrt();
    let per_length = s.splat(1.0) / length;
    let there = length.gt(s.splat(PARALLEL)) & offset.gt(s.splat(f32::NEG_INFINITY));
    store(s, (difference * per_length, (offset - this.1) * per_length), there, relaxed);
}
