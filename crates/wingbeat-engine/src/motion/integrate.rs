//! Integration: from steering to velocity to position, one linear sweep.
//!
//! ```text
//! for each register of consecutive slots:
//!     velocity ← by `Advance`: v + F/m·dt within the speed limits, or what a combination or model
//!                says instead
//!     way      ← velocity·dt
//!     position, velocity ← where the domain puts position + way; outside of obstacles
//! ```

use wingbeat_steer::{
    Advance, Cruise, Domain, LargestTurn, Params, REST_SPEED, math, parameters::limit,
};

use crate::columns::boids::Columns;
use crate::domain::{settle, settle_bodies};
use crate::identity::Identity;
use crate::motion::body::BodyColumns;
use crate::motion::limits::Limits;
use crate::motion::obstacle::{KeepOutside, Lists, ObstacleIndex};
use crate::simd::{
    Float, Level, MAX_LANES, Mask, Simd, Vectors, Work, dispatch, load_part, store_part,
};

/// What integration reads.
pub struct Motion<'a, const D: usize> {
    pub steering: [&'a [f32]; D],
    pub identity: Identity<'a>,
    limits: Limits<'a>,
    pub domain: &'a Domain<[f32; D]>,
    pub dt: f32,
    pub course: Option<&'a ObstacleIndex<D>>,
    /// Bodies, where boids are no points.
    pub bodies: Option<&'a BodyColumns>,
    /// What a model of anticipation says, and whether that is velocities; otherwise forces.
    pub answers: Option<([&'a [f32]; D], bool)>,
    advance: Advance,
    /// Part of the way to the wanted velocity covered in dt (`direction` with smoothing).
    part: f32,
    /// What turns are limited to in dt ([`Advance::Veer`]).
    largest_turn: LargestTurn,
}

impl<'a, const D: usize> Motion<'a, D> {
    pub(crate) fn new(
        steering: [&'a [f32]; D],
        identity: Identity<'a>,
        params: &'a Params,
        limits: Limits<'a>,
        domain: &'a Domain<[f32; D]>,
        dt: f32,
        (course, bodies): (Option<&'a ObstacleIndex<D>>, Option<&'a BodyColumns>),
    ) -> Self {
        let advance = params.advance();
        let part = if let Advance::Cruise(cruise) = advance {
            math::approach(cruise.smoothing_rate, dt)
        } else {
            1.0
        };
        let turning_rate =
            if let Advance::Veer { turning_rate, .. } = advance { turning_rate } else { 0.0 };
        let largest_turn = LargestTurn::new(turning_rate, dt);
        Self {
            steering,
            identity,
            limits,
            domain,
            dt,
            course,
            bodies,
            answers: None,
            advance,
            part,
            largest_turn,
        }
    }
}

/// Moves the boids of `position` and `velocity`, which begin at slot `first`. `squeezed` has 1 for
/// those that an obstacle overlaps then, 0 for others; it is empty without obstacles.
#[inline(never)]
pub(crate) fn integrate<const D: usize>(
    level: Level,
    motion: &Motion<'_, D>,
    first: usize,
    (position, velocity, squeezed): ([&mut [f32]; D], [&mut [f32]; D], &mut [u32]),
    lists: &mut Lists,
) {
    squeezed.fill(0);
    dispatch(level, IntegrateBatch { motion, first, position, velocity, squeezed, lists });
}

/// What the boids would choose for their velocities with no other to avoid, steering acting
/// for `response`: written into the columns, which begin at slot `first`.
#[inline(never)]
pub(crate) fn prefer<const D: usize>(
    level: Level,
    motion: &Motion<'_, D>,
    (columns, response): (&Columns<D>, f32),
    first: usize,
    preferred: [&mut [f32]; D],
) {
    dispatch(level, Preferring { motion, columns, response, first, preferred });
}

struct Preferring<'a, 'b, const D: usize> {
    motion: &'a Motion<'a, D>,
    columns: &'a Columns<D>,
    response: f32,
    first: usize,
    preferred: [&'b mut [f32]; D],
}

impl<const D: usize> Work for Preferring<'_, '_, D> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let count = self.preferred[0].len();
        let pace = Pace { motion: self.motion, first: self.first };
        let time = s.splat(self.response);
        for at in (0..count).step_by(S::LANES) {
            let live = S::LANES.min(count - at);
            let old = Vectors::load(s, &self.columns.velocity.each_ref(), self.first + at);
            let steering = Vectors::load(s, &self.motion.steering, self.first + at);
            let velocity = pace.paced(s, steering, old, time, at, live);
            for a in 0..D {
                let paced = if matches!(self.motion.advance, Advance::Displace) {
                    velocity[a] / s.splat(self.motion.dt)
                } else {
                    velocity[a]
                };
                store_part(s, paced, &mut *self.preferred[a], at, live);
            }
        }
    }
}

/// Limits of the lanes.
struct OwnLimits<S: Simd> {
    min: S::F,
    max: S::F,
    mass: S::F,
    /// Whether every mass is 1.
    unit_mass: bool,
}

struct IntegrateBatch<'a, 'b, const D: usize> {
    motion: &'a Motion<'a, D>,
    first: usize,
    position: [&'b mut [f32]; D],
    velocity: [&'b mut [f32]; D],
    squeezed: &'b mut [u32],
    lists: &'b mut Lists,
}

impl<const D: usize> Work for IntegrateBatch<'_, '_, D> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let count = self.position[0].len();
        let pace = Pace { motion: self.motion, first: self.first };
        for at in (0..count).step_by(S::LANES) {
            let live = S::LANES.min(count - at);
            let (mut old, mut position) = (Vectors::<S, D>::zero(s), Vectors::<S, D>::zero(s));
            for a in 0..D {
                old[a] = load_part(s, &*self.velocity[a], at);
                position[a] = load_part(s, &*self.position[a], at);
            }
            let steering = Vectors::load(s, &self.motion.steering, self.first + at);
            let dt = s.splat(self.motion.dt);
            let velocity = match &self.motion.answers {
                None => pace.paced(s, steering, old, dt, at, live),
                Some((forces, false)) => {
                    let force = Vectors::load(s, forces, self.first + at);
                    pace.paced(s, steering + force, old, dt, at, live)
                }
                Some((velocities, true)) => {
                    let velocity = Vectors::load(s, velocities, self.first + at);
                    if matches!(self.motion.advance, Advance::Displace) {
                        velocity * dt
                    } else {
                        velocity
                    }
                }
            };
            let way = match &self.motion.advance {
                Advance::Displace => velocity,
                Advance::Replace { move_with_old: true, .. } if self.motion.answers.is_none() => {
                    old * dt
                }
                _ => velocity * dt,
            };
            let (way, velocity) = self.in_a_box(s, way, velocity);
            let moved = position + way;
            if let Some(course) = self.motion.course {
                let (old, limited, dt) = (position, velocity, self.motion.dt);
                let (lists, position, velocity) =
                    (&mut *self.lists, &mut self.position, &mut self.velocity);
                let squeezed = &mut *self.squeezed;
                let radii = self
                    .motion
                    .bodies
                    .map(|bodies| (bodies.largest, &bodies.radii[self.first + at..]));
                let keep = KeepOutside {
                    course,
                    lists,
                    old,
                    moved,
                    limited,
                    radii,
                    dt,
                    at,
                    live,
                    position,
                    velocity,
                    squeezed,
                };
                s.outline(keep);
                continue;
            }
            if let Some(bodies) = self.motion.bodies {
                let radius = s.load(&bodies.radii, self.first + at);
                for a in 0..D {
                    let (x, v) = settle_bodies(
                        s,
                        self.motion.domain,
                        radius,
                        a,
                        (moved[a], velocity[a]),
                        live,
                    );
                    store_part(s, x, &mut *self.position[a], at, live);
                    store_part(s, v, &mut *self.velocity[a], at, live);
                }
                continue;
            }
            for a in 0..D {
                let (x, v) = settle(s, self.motion.domain, a, moved[a], velocity[a], live);
                store_part(s, x, &mut *self.position[a], at, live);
                store_part(s, v, &mut *self.velocity[a], at, live);
            }
        }
    }
}

impl<const D: usize> IntegrateBatch<'_, '_, D> {
    /// The ways that bodies try and their velocities: cut to what a periodic box allows.
    #[inline(always)]
    fn in_a_box<S: Simd>(
        &self,
        s: S,
        way: Vectors<S, D>,
        velocity: Vectors<S, D>,
    ) -> (Vectors<S, D>, Vectors<S, D>) {
        let Some(bodies) = self.motion.bodies.filter(|_| self.motion.domain.is_periodic()) else {
            return (way, velocity);
        };
        let (size, most) = (way.dot(way).sqrt(), s.splat(bodies.longest_try));
        let cut = size.gt(most);
        if !cut.any() {
            return (way, velocity);
        }
        let part = most / size;
        let slowed = match self.motion.advance {
            Advance::Replace { move_with_old: true, .. } => velocity,
            _ => Vectors::select(cut, velocity * part, velocity),
        };
        (Vectors::select(cut, way * part, way), slowed)
    }
}

/// How velocities come about, from slot `first` on.
#[derive(Clone, Copy)]
struct Pace<'a, const D: usize> {
    motion: &'a Motion<'a, D>,
    first: usize,
}

impl<const D: usize> Pace<'_, D> {
    /// What steering makes of a velocity, accelerations acting for `time`.
    #[inline(always)]
    fn paced<S: Simd>(
        &self,
        s: S,
        steering: Vectors<S, D>,
        old: Vectors<S, D>,
        time: S::F,
        at: usize,
        live: usize,
    ) -> Vectors<S, D> {
        match &self.motion.advance {
            Advance::Accelerate => self.accelerate(s, steering, old, time, at, live),
            Advance::Cruise(cruise) => turn(s, steering, old, cruise, self.motion.part),
            Advance::Unlimited => kept_within(s, old + steering * time, limit::VELOCITY),
            Advance::Veer { speed, .. } => {
                let (heading, _) = old.heading(s);
                heading.veer(s, steering, &self.motion.largest_turn) * s.splat(*speed)
            }
            Advance::Lean { speed } => {
                lean(s, steering, old, s.splat(self.motion.dt)) * s.splat(*speed)
            }
            Advance::Replace { .. } => steering,
            Advance::Displace => kept_within(s, steering, limit::VELOCITY),
        }
    }

    /// v + F/m·dt, within the speed limits.
    #[inline(always)]
    fn accelerate<S: Simd>(
        &self,
        s: S,
        force: Vectors<S, D>,
        old: Vectors<S, D>,
        dt: S::F,
        at: usize,
        live: usize,
    ) -> Vectors<S, D> {
        let OwnLimits { min, max, mass, unit_mass } = self.limits(s, at);
        let mut wanted = old;
        for a in 0..D {
            // x/1 = x, and a division takes as long as the rest.
            let acceleration = if unit_mass { force[a] } else { force[a] / mass };
            wanted[a] = old[a] + acceleration * dt;
        }
        // Mostly no lane is near a limit: no speed is less than its largest component.
        let between = wanted.surely_within(s, max) & wanted.largest().ge(min);
        if !(!between & s.first(live)).any() {
            return wanted;
        }
        let speed = wanted.norm(s);
        let slowed = wanted * (max / speed);
        let hurried = wanted * (min / speed);
        let (too_fast, too_slow) = (speed.gt(max), speed.lt(min));
        let limited = Vectors::select(too_fast, slowed, Vectors::select(too_slow, hurried, wanted));
        let nowhere = too_slow & speed.lt(s.splat(REST_SPEED)) & s.first(live);
        if nowhere.any() { self.set_off(s, limited, nowhere, old, min, at) } else { limited }
    }

    /// The limits of the boids from `at` on.
    #[inline(always)]
    fn limits<S: Simd>(&self, s: S, at: usize) -> OwnLimits<S> {
        let Limits { kinds, species, own } = &self.motion.limits;
        let [min, mut max, mut mass] = kinds.limits_of(s, species, self.first + at);
        if let Some([own_max, own_mass]) = own {
            let (own_max, own_mass) =
                (s.load(own_max, self.first + at), s.load(own_mass, self.first + at));
            max = own_max.ge(s.splat(0.0)).select(own_max, max);
            mass = own_mass.gt(s.splat(0.0)).select(own_mass, mass);
        }
        OwnLimits { min: min.min(max), max, mass, unit_mass: self.motion.limits.unit_mass() }
    }

    /// A boid at rest that must move goes on as it went, or if it was at rest too, where its hash
    /// says. Rare.
    #[inline(always)]
    fn set_off<S: Simd>(
        &self,
        s: S,
        limited: Vectors<S, D>,
        active: S::M,
        old: Vectors<S, D>,
        min_speed: S::F,
        at: usize,
    ) -> Vectors<S, D> {
        let mut columns = [[0.0; MAX_LANES]; D];
        for lane in 0..S::LANES {
            if active.bits() >> lane & 1 == 0 {
                continue;
            }
            // The same at every step, so that a boid that keeps coming to rest does not jitter.
            let direction: [f32; D] = self.motion.identity.direction(self.first + at + lane, 0);
            for a in 0..D {
                columns[a][lane] = direction[a];
            }
        }
        let hashed = Vectors::load(s, &columns, 0);
        let moving = old.norm(s).ge(s.splat(REST_SPEED));
        let direction = Vectors::select(moving, old.unit(s), hashed);
        Vectors::select(active, direction * min_speed, limited)
    }
}

/// The `direction` combination: towards u·speed, at once or smoothed.
#[inline(always)]
fn turn<S: Simd, const D: usize>(
    s: S,
    direction: Vectors<S, D>,
    old: Vectors<S, D>,
    cruise: &Cruise,
    part: f32,
) -> Vectors<S, D> {
    let wanted = direction * s.splat(cruise.cruise_speed);
    let turned =
        if cruise.smoothing_rate == 0.0 { wanted } else { old + (wanted - old) * s.splat(part) };
    if cruise.stop_when_alone {
        return turned;
    }
    let somewhere = direction.largest().gt(s.splat(0.0));
    Vectors::select(somewhere, turned, old)
}

/// The heading, some of the way to the steering.
#[inline(always)]
fn lean<S: Simd, const D: usize>(
    s: S,
    steering: Vectors<S, D>,
    old: Vectors<S, D>,
    part: S::F,
) -> Vectors<S, D> {
    let (heading, _) = old.heading(s);
    let leant = heading + (steering - heading) * part;
    Vectors::select(leant.largest().gt(s.splat(0.0)), leant.unit(s), heading)
}

/// Every component within ±`limit`.
#[inline(always)]
fn kept_within<S: Simd, const D: usize>(
    s: S,
    mut velocity: Vectors<S, D>,
    limit: f32,
) -> Vectors<S, D> {
    for a in 0..D {
        velocity[a] = velocity[a].max(s.splat(-limit)).min(s.splat(limit));
    }
    velocity
}
