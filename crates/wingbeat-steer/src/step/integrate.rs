//! Integration: from steering to the velocity within limits, and to the position after a step.

use alloc::string::String;
use alloc::vec::Vec;

use crate::contact::{Blocked, domain_of, longest_try};
use crate::obstacle::ObstacleSet;
use crate::terms::anticipation::{Answer, Anticipated};
use crate::terms::steering_kind::{Advance, LargestTurn, veer};
use crate::{
    AgentLimits, Boundary, Cruise, Domain, Params, REST_SPEED, TextbookBoid, Vector,
    math::{self, noise},
};

/// What a step makes of a boid's steering, in the order it is computed.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Integrated<V> {
    /// The meaning of steering, and so how it was integrated.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub advance: Advance,
    /// What it makes of others that it foresees to meet, in a flock with anticipation.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "anticipation", skip_serializing_if = "Option::is_none")
    )]
    pub anticipated: Option<Anticipated<V>>,
    /// What changes the velocity, length/time²: F/mass, or the steering of a model that
    /// accelerates. `None` where steering is no force.
    pub acceleration: Option<V>,
    /// The velocity steering asks for: v + acceleration·dt, or direction·speed, or the steering
    /// itself.
    #[cfg_attr(feature = "serde", serde(rename = "wanted_velocity"))]
    pub wanted: V,
    /// What came between that and `limited`.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub limit: Limit,
    /// The velocity after limits and before the domain's edges.
    #[cfg_attr(feature = "serde", serde(rename = "limited_velocity"))]
    pub limited: V,
    /// The displacement, before the domain's edges and before that of a body is cut to what a
    /// periodic box allows.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub way: V,
    /// Where that leads to, cut, before the domain's edges.
    #[cfg_attr(feature = "serde", serde(rename = "moved_to"))]
    pub moved: V,
    /// For each axis, whether the domain's edge (or an obstacle) changed the position or the
    /// velocity on it.
    pub met_edge: Vec<bool>,
    /// What the domain's edge did to the boid, if it did anything.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub edge: Option<EdgeEffect>,
    /// Name of the obstacle that kept the boid outside, if one did.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub obstacle: Option<String>,
    /// What other bodies left of its way, where they were in it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub hindered: Option<Blocked<V>>,
    /// Whether an obstacle overlaps it after the step.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not"))]
    pub squeezed: bool,
    /// The position after the step.
    pub position: V,
    /// The velocity after the step.
    pub velocity: V,
}

impl<V: Vector> Integrated<V> {
    /// Compares the boid after the step with where its steering led: what the domain's edge did.
    pub(crate) fn compare_with_edge(&mut self, domain: &Domain<V>) {
        // Others in its way change the same numbers.
        let changed = |a: usize| {
            self.hindered.is_none()
                && (self.moved.axis(a) != self.position.axis(a)
                    || self.limited.axis(a) != self.velocity.axis(a))
        };
        self.met_edge = (0..V::DIMENSIONS).map(changed).collect();
        // So does an obstacle: what the edge did besides is not known.
        let met = self.met_edge.contains(&true) && self.obstacle.is_none();
        let effect = match domain.boundary {
            Boundary::Periodic => EdgeEffect::Wraps,
            Boundary::Reflecting => EdgeEffect::Reflects,
            Boundary::Walled { .. } => EdgeEffect::Stops,
            // An open domain has no edge.
            Boundary::Open | Boundary::Absorbing => EdgeEffect::LetsOut,
        };
        self.edge = (met || !domain.contains(self.position)).then_some(effect);
    }
}

/// What the edge of a domain does to a boid that meets it.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum EdgeEffect {
    /// The boid enters at the opposite edge.
    Wraps,
    /// It is reflected.
    Reflects,
    /// It is stopped, by a wall.
    Stops,
    /// It leaves the domain.
    LetsOut,
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
    /// The minimum speed; it was at rest too, so it goes in a direction drawn from seed and id.
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
    /// Encounters ahead: the velocity is the answer of an anticipation model.
    Anticipated,
}

#[cfg(feature = "serde")]
impl serde::Serialize for Limit {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (limit, limit_value) = match *self {
            Self::Untouched => ("none", None),
            Self::SlowedTo(speed) => ("max_speed", Some(speed)),
            Self::SpedUpTo(speed) => ("min_speed", Some(speed)),
            Self::WentOnAt(speed) => ("min_speed_onwards", Some(speed)),
            Self::SetOffAt(speed) => ("min_speed_from_rest", Some(speed)),
            Self::Eased(part) => ("smoothing", Some(part)),
            Self::Kept => ("kept", None),
            Self::Clamped(range) => ("range", Some(range)),
            Self::Turned => ("turning_rate", None),
            Self::Leant(part) => ("leaning", Some(part)),
            Self::Anticipated => ("anticipation", None),
        };
        write_keys!(to, "limit": limit, "limit_value": limit_value)
    }
}

/// A boid at the beginning of a step, with its steering and its limits.
#[derive(Clone, Copy)]
pub(crate) struct StepInput<'a, V> {
    pub boid: &'a TextbookBoid<V>,
    pub limits: &'a AgentLimits,
    pub steering: V,
    /// How blocked it was: the angle of its side-step, radians, positive to the right.
    pub blocked: f32,
    pub dt: f32,
    pub seed: u64,
    pub step: u64,
    /// When the step begins.
    pub time: f64,
}

/// Where boids move, and how large they are there: 0 where they are points.
#[derive(Clone, Copy)]
pub(crate) struct Environment<'a, V> {
    pub domain: &'a Domain<V>,
    pub obstacles: &'a ObstacleSet<V>,
    pub radius: f32,
}

/// A boid's velocity by its steering, and how it comes about.
struct SpeedLimited<V> {
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
) -> SpeedLimited<V> {
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
    SpeedLimited { acceleration, wanted, limited, limit }
}

/// The velocity that a boid would choose by its steering with no other to avoid.
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

/// A boid's velocity and position after the step, given its steering and anticipation.
pub(crate) fn advance<V: Vector>(
    input: &StepInput<'_, V>,
    anticipated: Option<Anticipated<V>>,
    params: &Params,
    environment: Environment<'_, V>,
) -> Integrated<V> {
    let &StepInput { boid, limits, steering, dt, seed, .. } = input;
    let Environment { domain, obstacles, radius } = environment;
    let old = boid.velocity;
    let (advance, answer) = (params.advance(), anticipated.as_ref().map(|one| one.answer));
    let SpeedLimited { acceleration, wanted, limited, limit } = match answer {
        Some(Answer::Velocity(velocity)) => {
            let limited = if advance == Advance::Displace { velocity.times(dt) } else { velocity };
            SpeedLimited {
                acceleration: None,
                wanted: velocity,
                limited,
                limit: Limit::Anticipated,
            }
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
    let (tried, going) = in_a_box(way, limited, advance, params, environment);
    let moved = boid.position.plus(tried);
    let inner = domain_of(domain, radius);
    let settled = |a: usize| inner.settle(a, moved.axis(a), going.axis(a));
    let (mut position, mut velocity) = (V::from_fn(|a| settled(a).0), V::from_fn(|a| settled(a).1));
    let (mut met_obstacle, mut squeezed) = (None, false);
    if !obstacles.is_empty() {
        let (near, list) = (&mut obstacles.all(), &mut Vec::new());
        let kept = obstacles.keep_body_outside(boid.position, moved, going, radius, dt, near, list);
        (position, velocity, met_obstacle, squeezed) =
            (kept.position, kept.velocity, kept.met, kept.squeezed);
    }
    let obstacle = met_obstacle.map(|place| obstacles.obstacles().list[place].name.clone());
    Integrated {
        advance,
        anticipated,
        acceleration,
        wanted,
        limit,
        limited,
        way,
        moved,
        met_edge: Vec::new(),
        edge: None,
        obstacle,
        hindered: None,
        squeezed,
        position,
        velocity,
    }
}

/// The displacement that a body tries, and its velocity. In a periodic box the displacement is cut
/// so that at most one image of any other body can be in its way.
fn in_a_box<V: Vector>(
    way: V,
    limited: V,
    advance: Advance,
    params: &Params,
    environment: Environment<'_, V>,
) -> (V, V) {
    if environment.radius == 0.0 || !environment.domain.is_periodic() {
        return (way, limited);
    }
    let most = longest_try(environment.domain, params.least_share());
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
    let limit = crate::schema::limit::VELOCITY;
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
