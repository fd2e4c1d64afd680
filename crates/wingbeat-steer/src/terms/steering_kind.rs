//! The meaning of steering: a force, a direction, a velocity, a displacement, a turn.
//!
//! The three rules end in a force or a direction; a model from the literature says how its own
//! steering is meant.

use crate::{Cruise, Vector};

/// What integration makes of a boid's steering s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advance {
    /// s is a force: v + (s/mass)·dt within the speed limits, then x + v·dt.
    Accelerate,
    /// s is a direction: v goes there at once or smoothly, then x + v·dt.
    Cruise(Cruise),
    /// s is the new velocity. x + v·dt with it, or with the velocity from before.
    Replace {
        /// Speed of every boid, length/time: the length of s, but for a sum of zero that some
        /// models take for rest.
        speed: f32,
        /// Whether the boid moves with the velocity it had (Vicsek).
        move_with_old: bool,
    },
    /// s is an acceleration: v + s·dt without limits but the accepted range (each component within
    /// ±10¹²), then x + v·dt.
    Unlimited,
    /// s is the displacement of the step, whatever dt, each component kept within ±10¹²: x + s, and
    /// v = s.
    Displace,
    /// s is a direction: the heading turns there by at most so much, v = heading·speed, then x +
    /// v·dt.
    Veer {
        /// Speed, length/time.
        speed: f32,
        /// Largest turn, degrees/time.
        turning_rate: f32,
    },
    /// s is a heading h leans to, as a frame-by-frame engine has it: h ← unit(h + (s − h)·dt), kept
    /// if that is zero; v = speed·h, then x + v·dt.
    Lean {
        /// Speed, length/time.
        speed: f32,
    },
}

impl Advance {
    /// The constant speed of a model that has one, length/time: what drives and interactions beside
    /// it go by.
    pub const fn speed(&self) -> Option<f32> {
        match *self {
            Self::Replace { speed, .. } | Self::Veer { speed, .. } | Self::Lean { speed } => {
                Some(speed)
            }
            Self::Accelerate | Self::Cruise(_) | Self::Unlimited | Self::Displace => None,
        }
    }
}

/// How a boid's steering is made in a flock with a whole model: of the model's word w, and of
/// `sum` = ((w + t₁) + t₂) + …, t being the further terms of the flock, weighted, in their usual
/// order.
///
/// The sum is in the model's own unit, and so are the terms: an acceleration, a displacement, parts
/// of a direction of length 1, a velocity. Where the model has a direction or a constant speed, the
/// sum is brought back to that length. So Couzin et al. 2005 (*Effective leadership and
/// decision-making in animal groups on the move*, Nature 433) add an informed individual's wish to
/// its social direction and take the direction of both.
///
/// ```
/// use wingbeat_steer::{Advance, TermSum};
/// let veer = Advance::Veer { speed: 3.0, turning_rate: 40.0 };
/// let (word, sum) = ([1.0, 0.0], [3.0, 4.0]);
/// let joined = TermSum::of(&veer, sum);
/// assert_eq!(joined, TermSum::Direction);
/// assert_eq!(joined.steering(word, sum), [0.6, 0.8]);
/// // w and the terms cancel out.
/// assert_eq!(TermSum::of(&veer, [0.0, -0.0]).steering(word, [0.0, -0.0]), word);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TermSum {
    /// The flock has no further terms: steering is w, untouched.
    Alone,
    /// The sum: accelerations and displacements.
    Sum,
    /// unit(sum), of a model whose steering is a direction.
    Direction,
    /// unit(sum) times this speed, of a model whose steering is a velocity.
    Velocity(f32),
    /// The sum is zero and has no direction: w.
    Kept,
}

impl TermSum {
    /// How a model's word and further terms, which there are, are joined where their sum is `sum`.
    pub fn of<V: Vector>(advance: &Advance, sum: V) -> Self {
        match advance {
            Advance::Accelerate | Advance::Cruise(_) | Advance::Unlimited | Advance::Displace => {
                Self::Sum
            }
            _ if sum.largest() == 0.0 => Self::Kept,
            Advance::Veer { .. } | Advance::Lean { .. } => Self::Direction,
            Advance::Replace { speed, .. } => Self::Velocity(*speed),
        }
    }

    /// What comes of the model's word and the sum.
    pub fn steering<V: Vector>(self, word: V, sum: V) -> V {
        match self {
            Self::Alone | Self::Kept => word,
            Self::Sum => sum,
            Self::Direction => sum.unit(),
            Self::Velocity(speed) => sum.unit().times(speed),
        }
    }
}

/// The largest turn of one step, in the form that [`veer`] tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LargestTurn {
    /// Its cosine.
    pub cos: f32,
    /// Its sine; −1 from 180° on, where every direction is within it.
    pub sin: f32,
    /// Whether it is above 90°.
    pub wide: bool,
}

impl LargestTurn {
    /// The turn that `turning_rate` degrees per unit of time allow in `dt`, evaluated in f64 with
    /// the pinned `libm`.
    pub fn new(turning_rate: f32, dt: f32) -> Self {
        let degrees = f64::from(turning_rate) * f64::from(dt);
        if degrees >= 180.0 {
            return Self { cos: -1.0, sin: -1.0, wide: true };
        }
        let (sin, cos) = libm::sincos(degrees * (core::f64::consts::PI / 180.0));
        Self { cos: cos as f32, sin: sin as f32, wide: degrees > 90.0 }
    }
}

/// Straight behind: where the part of a direction across the heading is less than this, it does not
/// tell left from right.
pub const BEHIND: f32 = 1e-3;

/// The direction `target`, or if that is further away than the largest turn, the heading turned
/// towards it by that much.
///
/// Both are unit vectors; a heading of zero (a boid at rest) takes the target. The part of the
/// target across the heading tells the angle between them: small angles are lost in a cosine. With
/// the target straight behind, the turn is to the left (in 3-D: about an axis fixed by the heading,
/// see [`perpendicular`]).
///
/// ```
/// use wingbeat_steer::{LargestTurn, veer};
/// let most = LargestTurn::new(30.0, 1.0);
/// let turned = veer([1.0, 0.0], [0.0, 1.0], &most);
/// assert!((turned[1] - 0.5).abs() < 1e-6); // 30° of the 90° wanted
/// assert_eq!(veer([1.0, 0.0], [0.0, 1.0], &LargestTurn::new(120.0, 1.0)), [0.0, 1.0]);
/// ```
pub fn veer<V: Vector>(heading: V, target: V, most: &LargestTurn) -> V {
    let along = target.inner(heading);
    let across = target.minus(heading.times(along));
    let size = across.norm_plain();
    let ahead = along > 0.0;
    let within = if most.wide { ahead || size >= most.sin } else { ahead && size <= most.sin };
    if within || heading.largest() == 0.0 {
        return target.unit();
    }
    let side = if !ahead && size < BEHIND { perpendicular(heading) } else { across };
    heading.times(most.cos).plus(side.unit().times(most.sin)).unit()
}

/// A vector at right angles to another: its left in the plane; in space its cross product with the
/// axis along which its component is smallest (the first of equal ones).
pub fn perpendicular<V: Vector>(v: V) -> V {
    let [x, y] = [v.axis(0), v.axis(1)];
    if V::DIMENSIONS == 2 {
        return V::from_fn(|a| [-y, x][a]);
    }
    let z = v.axis(2);
    let sizes = [x.abs(), y.abs(), z.abs()];
    let crossed = if sizes[0] <= sizes[1] && sizes[0] <= sizes[2] {
        [0.0, z, -y]
    } else if sizes[1] <= sizes[2] {
        [-z, 0.0, x]
    } else {
        [y, -x, 0.0]
    };
    V::from_fn(|a| crossed[a])
}
