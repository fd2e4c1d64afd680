//! The linear programs: of all velocities that half-spaces and a largest speed leave, the nearest
//! to a preferred one; or where they leave none, the one that breaks the worst of them least.
//!
//! ```text
//! best ← the preferred velocity, at most max_speed long
//! for each half-space k that best is not in:
//!     best ← the best point of the edge of k that is in all before it, and in the ball
//!     if there is none:  relax from k on, and done
//!
//! relax:  worst ← 0
//!     for each half-space i from k on that best breaks by more than worst:
//!         best  ← in the required ones, and where everyone before i is broken by no more than i:
//!                 furthest along the normal of i
//!         worst ← by how much best breaks i
//! ```
//!
//! The edge of a half-space is a line in the plane; in space it is a plane, on which the same is
//! done once more with lines. After M. de Berg et al., *Computational Geometry*, chapter 4, in the
//! order given instead of a random one, as RVO2 does. A half-space is kept as its normal and its
//! offset along that, so that "broken by no more than i" is a difference of two: (m_j − m_i)·w ≥
//! b_j − b_i. RVO2 takes the intersection of the two edges instead, which runs away as they become
//! parallel.

use alloc::vec::Vec;

use crate::space::right::{cross, to_the_right};
use crate::{Vector, math};

/// Edges whose sine is at most this are parallel: RVO2's 10⁻⁵. (RVO2-3D has 3·10⁻³, since the line
/// in which its planes meet leaves them as they become parallel. It takes programs for impossible
/// that are not.)
pub const PARALLEL: f32 = 1e-5;

/// All velocities w with normal·w ≥ offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace<V> {
    /// Unit vector into it.
    pub normal: V,
    /// How far the edge is from 0 along the normal; below 0 where 0 is inside.
    pub offset: f32,
}

impl<V: Vector> HalfSpace<V> {
    /// The half-space whose edge goes through `point + normal·further`.
    pub fn through(point: V, normal: V, further: f32) -> Self {
        Self { normal, offset: normal.inner(point) + further }
    }

    /// By how much a velocity breaks it; not above 0 inside.
    pub fn broken_by(&self, velocity: V) -> f32 {
        self.offset - self.normal.inner(velocity)
    }
}

/// What the best velocity is.
#[derive(Clone, Copy)]
enum Objective<V> {
    /// The nearest to this.
    Near(V),
    /// The furthest along this unit vector.
    Along(V),
}

/// A line of velocities: foot + t·way, the foot being its nearest point to 0 and the way a unit
/// vector.
struct Line<V> {
    foot: V,
    way: V,
}

/// A linear program, to be used again and again: half-spaces that must be kept to, others that
/// should be.
#[derive(Clone, Debug)]
pub struct Program<V> {
    half_spaces: Vec<HalfSpace<V>>,
    required: usize,
    relaxed: Vec<HalfSpace<V>>,
}

impl<V> Default for Program<V> {
    fn default() -> Self {
        Self { half_spaces: Vec::new(), required: 0, relaxed: Vec::new() }
    }
}

impl<V: Vector> Program<V> {
    /// Forgets all half-spaces.
    pub fn clear(&mut self) {
        self.half_spaces.clear();
        self.required = 0;
    }

    /// Adds one that must be kept to, after all others of the kind.
    pub fn require(&mut self, half_space: HalfSpace<V>) {
        self.half_spaces.insert(self.required, half_space);
        self.required += 1;
    }

    /// Adds one that should be kept to.
    pub fn ask(&mut self, half_space: HalfSpace<V>) {
        self.half_spaces.push(half_space);
    }

    /// The half-spaces, those required first.
    pub fn half_spaces(&self) -> &[HalfSpace<V>] {
        &self.half_spaces
    }

    /// The velocity nearest to `preferred` and at most `max_speed` long in all half-spaces; where
    /// there is none, the one in those required whose worst breach is least, and where even these
    /// leave none, the one whose worst breach of any is least.
    pub fn nearest_to(&mut self, preferred: V, max_speed: f32) -> V {
        match best(&self.half_spaces, max_speed, Objective::Near(preferred)) {
            Ok(velocity) => velocity,
            Err((failed, last)) => self.relax(failed, last, max_speed),
        }
    }

    fn relax(&mut self, failed: usize, last: V, max_speed: f32) -> V {
        let required = if failed < self.required { 0 } else { self.required };
        let (mut velocity, mut worst) = (last, 0.0);
        for (i, this) in self.half_spaces.iter().enumerate().skip(failed) {
            if this.broken_by(velocity) > worst {
                self.relaxed.clear();
                self.relaxed.extend_from_slice(&self.half_spaces[..required]);
                self.relaxed.extend(
                    self.half_spaces[required..i]
                        .iter()
                        .filter_map(|before| no_worse(before, this)),
                );
                // There is a solution, the last one moved; where rounding hides it, that is kept.
                if let Ok(better) = best(&self.relaxed, max_speed, Objective::Along(this.normal)) {
                    velocity = better;
                }
                worst = this.broken_by(velocity);
            }
        }
        velocity
    }
}

/// Where `before` is broken by no more than `this`; `None` where the two have the same normal, and
/// always or never are.
fn no_worse<V: Vector>(before: &HalfSpace<V>, this: &HalfSpace<V>) -> Option<HalfSpace<V>> {
    let difference = before.normal.minus(this.normal);
    let length = difference.norm_plain();
    let per_length = 1.0 / length;
    let half_space = HalfSpace {
        normal: difference.times(per_length),
        offset: (before.offset - this.offset) * per_length,
    };
    (length > PARALLEL).then_some(half_space)
}

/// The best velocity in all half-spaces and the ball; otherwise the first half-space that leaves
/// none, and the best of those before it.
fn best<V: Vector>(
    half_spaces: &[HalfSpace<V>],
    radius: f32,
    aim: Objective<V>,
) -> Result<V, (usize, V)> {
    let mut best = match aim {
        Objective::Along(way) => way.times(radius),
        Objective::Near(point) => point.truncate_to(radius),
    };
    for (k, this) in half_spaces.iter().enumerate() {
        if this.broken_by(best) > 0.0 {
            let before = &half_spaces[..k];
            best = if V::DIMENSIONS == 2 {
                let line =
                    Line { foot: this.normal.times(this.offset), way: to_the_right(this.normal) };
                best_on_line(&line, before, radius, aim)
            } else {
                best_on_plane(this, before, radius, aim)
            }
            .ok_or((k, best))?;
        }
    }
    Ok(best)
}

/// The best velocity on a line in the ball and in half-spaces, if there is one.
fn best_on_line<V: Vector>(
    line: &Line<V>,
    half_spaces: &[HalfSpace<V>],
    radius: f32,
    aim: Objective<V>,
) -> Option<V> {
    let half_chord_sq = radius * radius - line.foot.norm_sq();
    if half_chord_sq < 0.0 {
        return None;
    }
    let most = math::sqrt(half_chord_sq);
    let (mut low, mut high) = (-most, most);
    for other in half_spaces {
        let (slope, missing) = (other.normal.inner(line.way), other.broken_by(line.foot));
        if slope.abs() <= PARALLEL {
            if missing > 0.0 {
                return None;
            }
            continue;
        }
        let t = missing / slope;
        if slope > 0.0 {
            low = math::max(low, t);
        } else {
            high = math::min(high, t);
        }
        if low > high {
            return None;
        }
    }
    let t = match aim {
        Objective::Along(way) if way.inner(line.way) > 0.0 => high,
        Objective::Along(_) => low,
        Objective::Near(point) => math::clamp(line.way.inner(point), low, high),
    };
    Some(line.foot.plus(line.way.times(t)))
}

/// The best velocity on an edge in space in the ball and in half-spaces, if there is one.
fn best_on_plane<V: Vector>(
    plane: &HalfSpace<V>,
    half_spaces: &[HalfSpace<V>],
    radius: f32,
    aim: Objective<V>,
) -> Option<V> {
    let disc_sq = radius * radius - plane.offset * plane.offset;
    if disc_sq < 0.0 {
        return None;
    }
    let center = plane.normal.times(plane.offset);
    let mut best = match aim {
        Objective::Along(way) => center.plus(along_plane(plane, way).times(math::sqrt(disc_sq))),
        Objective::Near(point) => {
            let flat = point.minus(plane.normal.times(point.inner(plane.normal)));
            let flat_sq = flat.norm_sq();
            let part = if flat_sq > disc_sq { math::sqrt(disc_sq / flat_sq) } else { 1.0 };
            center.plus(flat.times(part))
        }
    };
    for (i, other) in half_spaces.iter().enumerate() {
        if other.broken_by(best) > 0.0 {
            let line = meeting(plane, other)?;
            best = best_on_line(&line, &half_spaces[..i], radius, aim)?;
        }
    }
    Some(best)
}

/// The unit vector along a plane that goes furthest along another; 0 where that is at right angles
/// to the plane.
fn along_plane<V: Vector>(plane: &HalfSpace<V>, way: V) -> V {
    let along = |way: V| way.minus(plane.normal.times(way.inner(plane.normal)));
    let flat = along(way);
    // Of a small part rounding has left some across the plane: once more.
    if flat.norm_plain() <= PARALLEL { V::origin() } else { along(flat.unit()).unit() }
}

/// Where two edges in space meet; `None` if they are parallel.
fn meeting<V: Vector>(plane: &HalfSpace<V>, other: &HalfSpace<V>) -> Option<Line<V>> {
    let across = cross(other.normal, plane.normal);
    if across.norm_plain() <= PARALLEL {
        return None;
    }
    // Where the two are nearly parallel, `across` is uncertain; made of what is at right angles to
    // the plane's normal, the line is on it.
    let on_plane = cross(across.unit(), plane.normal).unit();
    let way = cross(plane.normal, on_plane);
    let center = plane.normal.times(plane.offset);
    let further = other.broken_by(center) / other.normal.inner(on_plane);
    Some(Line { foot: center.plus(on_plane.times(further)), way })
}
