//! ORCA in the plane, in lanes: `wingbeat_steer::anticipation::orca`, operation by operation.
//!
//! ```text
//! for each half-plane k of walls, then of neighbors:            one row of lanes each
//!     lanes that are not in it:  best ← the best point of its edge that is in all before it, and
//!                                in the ball
//!     lanes where there is none have failed: relax.rs answers those, from the same half-planes;
//!                                those with walls the definition's program
//! ```
//!
//! Lanes with fewer half-planes than others have some that hold everywhere: normal 0, offset −∞.
//! Such a one is never broken, and on an edge its slope is 0 and nothing is missing, so it changes
//! no bit of the others.

use wingbeat_steer::REST_SPEED;
use wingbeat_steer::anticipation::Orca;
use wingbeat_steer::anticipation::orca::{HalfSpace, PARALLEL, Program};

use crate::simd::{Float, MAX_LANES, Mask, Outlined, Simd, Vectors};

/// A half-plane of every lane: the two components of the normal, and the offset.
pub(super) type PlaneRow = [[f32; MAX_LANES]; 3];

/// One that holds everywhere, in every lane.
pub(super) const EVERYWHERE: PlaneRow =
    [[0.0; MAX_LANES], [0.0; MAX_LANES], [f32::NEG_INFINITY; MAX_LANES]];

/// The half-planes of a block.
#[derive(Debug, Default)]
pub(crate) struct HalfPlanes {
    rows: Vec<PlaneRow>,
    len: usize,
    /// How many rows are of walls: the first.
    required: usize,
}

/// Those that avoid, one a lane.
#[derive(Clone, Copy)]
pub(crate) struct AvoidingLanes<S: Simd, const D: usize> {
    pub velocity: Vectors<S, D>,
    pub preferred: Vectors<S, D>,
    pub radius: S::F,
    pub max_speed: S::F,
}

/// The boids they avoid next, one a lane.
#[derive(Clone, Copy)]
pub(crate) struct Avoided<S: Simd, const D: usize> {
    pub offset: Vectors<S, D>,
    /// d², and 1/d².
    pub distance_sq: S::F,
    pub per_sq: S::F,
    pub velocity: Vectors<S, D>,
    pub radius: S::F,
    pub share: S::F,
    /// Lanes that have one.
    pub there: S::M,
}

impl HalfPlanes {
    pub fn clear(&mut self) {
        (self.len, self.required) = (0, 0);
    }

    /// Half-planes that hold everywhere, up to so many in all.
    fn open(&mut self, len: usize) {
        while self.len < len {
            match self.rows.get_mut(self.len) {
                Some(row) => *row = EVERYWHERE,
                None => self.rows.push(EVERYWHERE),
            }
            self.len += 1;
        }
    }

    /// Sets the half-plane of one lane by a wall: before any of neighbors.
    pub fn require<const D: usize>(
        &mut self,
        place: usize,
        lane: usize,
        plane: &HalfSpace<[f32; D]>,
    ) {
        self.open(place + 1);
        self.required = self.len;
        for a in 0..2 {
            self.rows[place][a][lane] = plane.normal[a];
        }
        self.rows[place][2][lane] = plane.offset;
    }

    /// Whether there are any of walls.
    pub fn has_walls(&self) -> bool {
        self.required > 0
    }

    pub fn rows(&self) -> &[PlaneRow] {
        &self.rows[..self.len]
    }

    /// Sets the half-planes of a lane that has none yet: those of a lane of others.
    pub fn copy_lane(&mut self, lane: usize, of: &Self, from: usize) {
        self.open(of.len);
        for (row, of) in self.rows.iter_mut().zip(of.rows()) {
            for (number, of) in row.iter_mut().zip(of) {
                number[lane] = of[from];
            }
        }
    }

    /// The half-planes of one lane, as a program of the definition.
    pub fn of_lane<const D: usize>(&self, lane: usize, program: &mut Program<[f32; D]>) {
        program.clear();
        for (place, row) in self.rows[..self.len].iter().enumerate() {
            let half_space = HalfSpace {
                normal: crate::arrays::from_fn(|a| row[a][lane]),
                offset: row[2][lane],
            };
            if half_space.offset == f32::NEG_INFINITY {
                continue;
            }
            if place < self.required {
                program.require(half_space)
            } else {
                program.ask(half_space)
            }
        }
    }

    /// Adds what [`Orca::half_space`] says of one neighbor of every lane; lanes in which only the
    /// definition can say.
    #[inline(always)]
    pub fn ask<S: Simd, const D: usize>(
        &mut self,
        s: S,
        (orca, dt): (&Orca, f32),
        mover: &AvoidingLanes<S, D>,
        other: &Avoided<S, D>,
    ) -> S::M {
        let (way, d_sq, zero, rest) =
            (other.offset, other.distance_sq, s.splat(0.0), s.splat(REST_SPEED));
        let relative = mover.velocity - other.velocity;
        let contact = mover.radius + other.radius;
        let contact_sq = contact * contact;
        let rest_sq = s.splat(REST_SPEED * REST_SPEED);
        let overlaps = d_sq.le(contact_sq.gt(rest_sq).select(contact_sq, rest_sq));
        let per_horizon = overlaps.select(s.splat(1.0 / dt), s.splat(1.0 / orca.time_horizon));
        let from_tip = relative - way * per_horizon;
        let (length_sq, along) = (from_tip.dot(from_tip), from_tip.dot(way));
        let at_tip = overlaps | (along.lt(zero) & (along * along).gt(contact_sq * length_sq));
        let length = length_sq.sqrt();
        let (tip, _) = from_tip.heading(s);
        let tip_further = (contact * per_horizon - length) * other.share;
        let right = to_the_right(way);
        let left = right.dot(from_tip).lt(zero);
        let side = Vectors::select(left, right * s.splat(-1.0), right) * (d_sq - contact_sq).sqrt();
        let side = (side - way * contact) * other.per_sq;
        let side_further = -relative.dot(side) * other.share;
        let outward = Vectors::select(at_tip, tip, side);
        let offset = outward.dot(mover.velocity) + at_tip.select(tip_further, side_further);
        if self.len == self.rows.len() {
            self.rows.push(EVERYWHERE);
        }
        store(s, (outward, offset), other.there, &mut self.rows[self.len]);
        self.len += 1;
        at_tip & length.lt(rest) & other.there
    }
}

/// What the best velocity is.
#[derive(Clone, Copy)]
pub(super) enum Aim<S: Simd, const D: usize> {
    /// The nearest to these.
    Near(Vectors<S, D>),
    /// The furthest along these unit vectors.
    Along(Vectors<S, D>),
}

/// Solves them, as a function of its own.
pub(crate) struct Solve<'a, S: Simd, const D: usize> {
    pub planes: &'a HalfPlanes,
    pub mover: &'a AvoidingLanes<S, D>,
    pub lanes: S::M,
    pub best: &'a mut Best<S, D>,
}

/// What half-planes leave.
#[derive(Clone, Copy)]
pub(crate) struct Best<S: Simd, const D: usize> {
    /// The best velocities, or where there is none, the last before the half-plane that left none.
    pub velocity: Vectors<S, D>,
    /// Lanes where there is none, and the number of that half-plane there.
    pub failed: S::M,
    pub failed_at: S::F,
}

impl<S: Simd, const D: usize> Outlined<S> for Solve<'_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let AvoidingLanes { preferred, max_speed, .. } = *self.mover;
        let Best { velocity, failed, failed_at } =
            best(s, self.planes.rows(), Aim::Near(preferred), max_speed, self.lanes);
        let found = finite(s, velocity).truncate(s, max_speed);
        *self.best = Best { velocity: Vectors::select(failed, velocity, found), failed, failed_at };
    }
}

/// The best velocities in all half-planes and the ball.
#[inline(always)]
pub(super) fn best<S: Simd, const D: usize>(
    s: S,
    rows: &[PlaneRow],
    aim: Aim<S, D>,
    radius: S::F,
    lanes: S::M,
) -> Best<S, D> {
    let mut velocity = match aim {
        Aim::Near(point) => point.truncate(s, radius),
        Aim::Along(way) => way * radius,
    };
    let (mut failed, mut failed_at, mut number) = (s.mask(0), s.splat(0.0), s.splat(0.0));
    for (k, this) in rows.iter().enumerate() {
        let (normal, offset) = load::<S, D>(s, this);
        let broken = (offset - normal.dot(velocity)).gt(s.splat(0.0)) & lanes & !failed;
        if broken.any() {
            let (point, none) = best_on_edge(s, (normal, offset), &rows[..k], aim, radius);
            velocity = Vectors::select(broken & !none, point, velocity);
            failed = failed | (broken & none);
            failed_at = (broken & none).select(number, failed_at);
        }
        number = number + s.splat(1.0);
    }
    Best { velocity, failed, failed_at }
}

/// 0 where a component is not finite.
#[inline(always)]
pub(super) fn finite<S: Simd, const D: usize>(s: S, velocity: Vectors<S, D>) -> Vectors<S, D> {
    let mut finite = s.mask(u32::MAX);
    for a in 0..D {
        finite = finite & velocity[a].abs().lt(s.splat(f32::INFINITY));
    }
    velocity.or_zero(s, finite)
}

/// The best points of edges that are in all half-planes before and in the ball; lanes where there
/// is none.
#[inline(always)]
fn best_on_edge<S: Simd, const D: usize>(
    s: S,
    (normal, offset): (Vectors<S, D>, S::F),
    before: &[PlaneRow],
    aim: Aim<S, D>,
    radius: S::F,
) -> (Vectors<S, D>, S::M) {
    let (zero, parallel) = (s.splat(0.0), s.splat(PARALLEL));
    let (foot, way) = (normal * offset, to_the_right(normal));
    let half_chord_sq = radius * radius - foot.dot(foot);
    let mut none = half_chord_sq.lt(zero);
    let most = half_chord_sq.sqrt();
    let (mut low, mut high) = (-most, most);
    for other in before {
        let (normal, offset) = load::<S, D>(s, other);
        let (slope, missing) = (normal.dot(way), offset - normal.dot(foot));
        let along = slope.abs().le(parallel);
        none = none | (along & missing.gt(zero));
        let t = missing / slope;
        let up = slope.gt(zero);
        low = (!along & up & !low.gt(t)).select(t, low);
        high = (!along & !up & !high.lt(t)).select(t, high);
        none = none | low.gt(high);
    }
    let t = match aim {
        Aim::Near(point) => {
            let t = way.dot(point);
            t.lt(low).select(low, t.gt(high).select(high, t))
        }
        Aim::Along(aim) => aim.dot(way).gt(zero).select(high, low),
    };
    (foot + way * t, none)
}

#[inline(always)]
pub(super) fn load<S: Simd, const D: usize>(s: S, row: &PlaneRow) -> (Vectors<S, D>, S::F) {
    let mut normal = Vectors::zero(s);
    for a in 0..2 {
        normal[a] = s.load(&row[a], 0);
    }
    (normal, s.load(&row[2], 0))
}

/// In the other lanes it holds everywhere.
#[inline(always)]
pub(super) fn store<S: Simd, const D: usize>(
    s: S,
    (normal, offset): (Vectors<S, D>, S::F),
    there: S::M,
    row: &mut PlaneRow,
) {
    for a in 0..2 {
        there.select(normal[a], s.splat(0.0)).store(&mut row[a]);
    }
    there.select(offset, s.splat(f32::NEG_INFINITY)).store(&mut row[2]);
}

/// (y, −x).
#[inline(always)]
pub(super) fn to_the_right<S: Simd, const D: usize>(v: Vectors<S, D>) -> Vectors<S, D> {
    let mut right = v;
    (right[0], right[1]) = (v[1], -v[0]);
    right
}
