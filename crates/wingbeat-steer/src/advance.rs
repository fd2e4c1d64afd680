//! From steering to velocity to position: the ways there are to move a boid.
//!
//! The three rules end in a force or a direction; a model from the literature says how its own
//! steering is meant.

use alloc::vec::Vec;

use crate::anticipation::{Answer, Anticipated};
use crate::body::{Hindered, domain_of, longest_try};
use crate::obstacle::ObstacleCourse;
use crate::{AgentLimits, Cruise, Domain, Params, REST_SPEED, TextbookBoid, Vector, math, noise};

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
/// use wingbeat_steer::{Advance, Joined};
/// let veer = Advance::Veer { speed: 3.0, turning_rate: 40.0 };
/// let (word, sum) = ([1.0, 0.0], [3.0, 4.0]);
/// let joined = Joined::of(&veer, sum);
/// assert_eq!(joined, Joined::Direction);
/// assert_eq!(joined.steering(word, sum), [0.6, 0.8]);
/// assert_eq!(Joined::of(&veer, [0.0, -0.0]).steering(word, [0.0, -0.0]), word); // w and the terms cancel out
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joined {
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

impl Joined {
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

/// What a step makes of a boid's steering, in the order it is computed.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Advanced<V> {
    /// What steering is, and what is made of it.
    pub advance: Advance,
    /// What it makes of others that it foresees to meet, in a flock with anticipation.
    pub anticipated: Option<Anticipated<V>>,
    /// What changes the velocity, length/time²: F/mass, or the steering of a model that
    /// accelerates. `None` where steering is no force.
    pub acceleration: Option<V>,
    /// The velocity steering asks for: v + acceleration·dt, or direction·speed, or the steering
    /// itself.
    pub wanted: V,
    /// What came between that and `limited`.
    pub limit: Limit,
    /// The velocity after limits and before the domain's edges.
    pub limited: V,
    /// The displacement, before the domain's edges and before that of a body is cut to what a
    /// periodic box allows.
    pub way: V,
    /// Where that leads to, cut, before the domain's edges.
    pub moved: V,
    /// The position after the step.
    pub position: V,
    /// The velocity after the step.
    pub velocity: V,
    /// Place in its list of the obstacle that kept the boid outside, if one did.
    pub met_obstacle: Option<usize>,
    /// What other bodies left of its way, where they were in it.
    pub hindered: Option<Hindered<V>>,
    /// Whether an obstacle overlaps it after the step.
    pub squeezed: bool,
}

impl<V: Vector> Advanced<V> {
    /// Whether the domain's edge (or an obstacle) changed the position or the velocity on this
    /// axis.
    pub fn met_edge(&self, axis: usize) -> bool {
        let changed = self.moved.axis(axis) != self.position.axis(axis)
            || self.limited.axis(axis) != self.velocity.axis(axis);
        // Others in its way change the same numbers.
        self.hindered.is_none() && changed
    }
}

/// What keeps a boid from the velocity its steering asks for.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Nothing does.
    Untouched,
    /// The maximum speed.
    SlowedTo(f32),
    /// The minimum speed.
    SpedUpTo(f32),
    /// The minimum speed; what it wants is rest, so it goes on in the direction it had.
    WentOnAt(f32),
    /// The minimum speed; it was at rest too, so it goes where its hash sends it.
    SetOffAt(f32),
    /// Smoothing: it gets this part of the way from its velocity to the wanted one.
    Eased(f32),
    /// A direction of zero: it keeps its velocity.
    Kept,
    /// The accepted range: every component within ± this.
    Clamped(f32),
    /// The largest turn of a step.
    Turned,
    /// A heading that leans to the wanted one, by this part.
    Leant(f32),
    /// Whom it would meet: the velocity is the answer of a model of anticipation.
    Anticipated,
}

/// Where boids move, and how large they are there: 0 where they are points.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a, V> {
    pub domain: &'a Domain<V>,
    pub course: &'a ObstacleCourse<V>,
    pub radius: f32,
}

/// A boid's velocity by its steering, and how it comes about.
struct Paced<V> {
    acceleration: Option<V>,
    wanted: V,
    limited: V,
    limit: Limit,
}

/// The velocity that `steering` gives a boid in a step of `dt`; accelerations act for `time`.
fn paced<V: Vector>(
    boid: &TextbookBoid<V>,
    steering: V,
    (time, dt): (f32, f32),
    params: &Params,
    limits: &AgentLimits,
    seed: u64,
) -> Paced<V> {
    let old = boid.velocity;
    let mut acceleration = None;
    let (wanted, (limited, limit)) = match params.advance() {
        Advance::Accelerate => {
            let mass = limits.mass;
            let per_time = V::from_fn(|a| steering.axis(a) / mass);
            acceleration = Some(per_time);
            let wanted = V::from_fn(|a| old.axis(a) + per_time.axis(a) * time);
            (wanted, limit_speed(wanted, boid, limits, seed))
        }
        Advance::Cruise(cruise) => {
            let wanted = steering.times(cruise.cruise_speed);
            (wanted, turn_to(steering, wanted, old, dt, &cruise))
        }
        Advance::Replace { .. } => (steering, (steering, Limit::Untouched)),
        // A force against the velocity, strongly weighted, would make it grow from step to step.
        Advance::Displace => (steering, within_range(steering)),
        Advance::Unlimited => {
            acceleration = Some(steering);
            let wanted = old.plus(steering.times(time));
            (wanted, within_range(wanted))
        }
        Advance::Veer { speed, turning_rate } => {
            let turned = veer(crate::heading(old), steering, &LargestTurn::new(turning_rate, dt));
            let limit = if turned == steering.unit() { Limit::Untouched } else { Limit::Turned };
            (steering.times(speed), (turned.times(speed), limit))
        }
        Advance::Lean { speed } => {
            let heading = crate::heading(old);
            let leant = heading.plus(steering.minus(heading).times(dt));
            let kept = leant.largest() == 0.0;
            let velocity = if kept { heading } else { leant.unit() }.times(speed);
            (steering.times(speed), (velocity, if kept { Limit::Kept } else { Limit::Leant(dt) }))
        }
    };
    Paced { acceleration, wanted, limited, limit }
}

/// The velocity that a boid would choose by its steering if it had nobody to avoid.
pub(crate) fn preferred_velocity<V: Vector>(
    boid: &TextbookBoid<V>,
    steering: V,
    dt: f32,
    params: &Params,
    limits: &AgentLimits,
    seed: u64,
) -> V {
    let velocity =
        paced(boid, steering, (params.getting_through.response, dt), params, limits, seed).limited;
    match params.advance() {
        Advance::Displace => V::from_fn(|a| velocity.axis(a) / dt),
        _ => velocity,
    }
}

/// What becomes of a boid by its steering, and what it makes of whom it foresees.
#[expect(clippy::too_many_arguments, reason = "all that a step is made of")]
pub(crate) fn advance<V: Vector>(
    boid: &TextbookBoid<V>,
    steering: V,
    anticipated: Option<Anticipated<V>>,
    dt: f32,
    params: &Params,
    limits: &AgentLimits,
    ground: Ground<'_, V>,
    seed: u64,
) -> Advanced<V> {
    let Ground { domain, course, radius } = ground;
    let old = boid.velocity;
    let (advance, answer) = (params.advance(), anticipated.as_ref().map(|one| one.answer));
    let Paced { acceleration, wanted, limited, limit } = match answer {
        Some(Answer::Velocity(velocity)) => {
            let limited = if advance == Advance::Displace { velocity.times(dt) } else { velocity };
            Paced { acceleration: None, wanted: velocity, limited, limit: Limit::Anticipated }
        }
        Some(Answer::Force(force)) => {
            paced(boid, steering.plus(force), (dt, dt), params, limits, seed)
        }
        None => paced(boid, steering, (dt, dt), params, limits, seed),
    };
    let way = match advance {
        Advance::Replace { move_with_old: true, .. } if anticipated.is_none() => old.times(dt),
        Advance::Displace => limited,
        _ => limited.times(dt),
    };
    // The way that obstacles are looked at for is the one that it goes.
    let (tried, going) = in_a_box(way, limited, advance, params, ground);
    let moved = boid.position.plus(tried);
    let inner = domain_of(domain, radius);
    let settled = |a: usize| inner.settle(a, moved.axis(a), going.axis(a));
    let (mut position, mut velocity) = (V::from_fn(|a| settled(a).0), V::from_fn(|a| settled(a).1));
    let (mut met_obstacle, mut squeezed) = (None, false);
    if !course.is_empty() {
        let (near, list) = (&mut course.everyone(), &mut Vec::new());
        let kept = course.keep_body_outside(boid.position, moved, going, radius, dt, near, list);
        (position, velocity, met_obstacle, squeezed) =
            (kept.position, kept.velocity, kept.met, kept.squeezed);
    }
    let hindered = None;
    Advanced {
        advance,
        anticipated,
        acceleration,
        wanted,
        limit,
        limited,
        way,
        moved,
        position,
        velocity,
        met_obstacle,
        hindered,
        squeezed,
    }
}

/// The way that a body tries and its velocity: in a periodic box it goes no further than no two
/// images of another can be in its way.
fn in_a_box<V: Vector>(
    way: V,
    limited: V,
    advance: Advance,
    params: &Params,
    ground: Ground<'_, V>,
) -> (V, V) {
    if ground.radius == 0.0 || !ground.domain.is_periodic() {
        return (way, limited);
    }
    let most = longest_try(ground.domain, params.least_share());
    let size = way.norm_plain();
    if size <= most {
        return (way, limited);
    }
    let part = most / size;
    let keeps = matches!(advance, Advance::Replace { move_with_old: true, .. });
    (way.times(part), if keeps { limited } else { limited.times(part) })
}

/// A velocity whose components are kept within the accepted range.
fn within_range<V: Vector>(wanted: V) -> (V, Limit) {
    let limit = crate::knobs::limit::VELOCITY;
    let velocity = V::from_fn(|a| math::clamp(wanted.axis(a), -limit, limit));
    (velocity, if velocity == wanted { Limit::Untouched } else { Limit::Clamped(limit) })
}

fn limit_speed<V: Vector>(
    wanted: V,
    boid: &TextbookBoid<V>,
    limits: &AgentLimits,
    seed: u64,
) -> (V, Limit) {
    let (min_speed, max_speed) = (limits.min_speed, limits.max_speed);
    let speed = wanted.norm();
    if speed > max_speed {
        (wanted.times(max_speed / speed), Limit::SlowedTo(max_speed))
    } else if speed >= min_speed {
        (wanted, Limit::Untouched)
    } else if speed >= REST_SPEED {
        (wanted.times(min_speed / speed), Limit::SpedUpTo(min_speed))
    } else if boid.velocity.norm() >= REST_SPEED {
        (boid.velocity.unit().times(min_speed), Limit::WentOnAt(min_speed))
    } else {
        (noise::direction::<V>(seed, boid.id, 0).times(min_speed), Limit::SetOffAt(min_speed))
    }
}

fn turn_to<V: Vector>(
    direction: V,
    wanted: V,
    velocity: V,
    dt: f32,
    cruise: &Cruise,
) -> (V, Limit) {
    if direction.largest() == 0.0 && !cruise.stop_when_alone {
        return (velocity, Limit::Kept);
    }
    if cruise.smoothing_rate == 0.0 {
        return (wanted, Limit::Untouched);
    }
    let t = math::approach(cruise.smoothing_rate, dt);
    (velocity.plus(wanted.minus(velocity).times(t)), Limit::Eased(t))
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
