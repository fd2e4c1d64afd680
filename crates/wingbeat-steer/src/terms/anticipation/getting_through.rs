//! Side-stepping and noise, which dissolve jams under every anticipation model.

use core::f32::consts::FRAC_PI_2;

use crate::space::right::{to_the_right, turned_right};
use crate::terms::anticipation::definition::{Mover, Nearby};
use crate::terms::behavior::stroll::WanderClock;
use crate::{
    ParamError, Vector,
    math::{self, noise},
};

/// The largest turn, radians.
pub const LARGEST_TURN: f32 = 3.0;

/// A boid ahead comes towards the mover if its velocity along the wish is below this part of the
/// preferred speed: a slow step back is none.
pub const COMING: f32 = -0.05;

/// A boid ahead gets on if its velocity along the wish is at least this part of the preferred
/// speed.
pub const GETTING_ON: f32 = 0.02;

/// A boid that prefers less than this part of its largest speed waits.
pub const WAITING: f32 = 0.05;

/// The part of the boids ahead that has to come towards the mover for it to turn away from those.
pub const MANY: f32 = 0.3;

/// Root of 3: numbers uniform within ± this have a variance of 1.
pub const ROOT_3: f32 = 1.732_050_8;

parameters! {
    /// A turn of the wish where progress is poor, and noise: both change the preferred velocity
    /// before a model is asked.
    ///
    /// A boid that makes less than half of the progress it wishes, with one ahead that does not get
    /// on, turns its wish by an angle that wanders at random to either side, the further the less
    /// progress it makes; where all ahead get on it waits its turn. Where more than three in ten of
    /// the boids ahead come towards it, it turns away from those, to the side of the others.
    ///
    /// The angle β, in radians and positive to the right, is 0 at the start. In every step, with p
    /// the preferred velocity, s its length, e its direction, v the velocity, o the offset and w
    /// the velocity of each boid that the model looks at:
    ///
    /// ```text
    /// lack = clamp(1 − v·e/s, 0, 1);  part = 1 − exp(−dt/side_step_time)
    ///                                           where s ≤ max_speed/20: β = 0
    /// ahead: e·o > 0;  coming: ahead and w·e < −0.05·s;  stuck: ahead and w·e < 0.02·s
    /// lean = Σ over ahead ±(right·o)/‖o‖², + of those that do not come, − of those that do
    ///                                           right: across e, of its length
    /// if coming > 0.3·ahead:   β = β + (side·min(side_step, π/2)·lack − β)·part
    ///                                           side: the sign of lean; drawn where lean = 0
    /// otherwise:               β = β − β·part + M·√(part·(2 − part))·√3·(2·U − 1)
    ///                          M = side_step·clamp(2·lack − 1, 0, 1), 0 if stuck = 0
    ///                                           U drawn for every step
    /// β = clamp(β, −3, 3)
    /// p = s·unit(e + direction·(noise·U′))
    ///                                           a direction and U′, drawn for every noise_time
    /// p = p turned right by β
    /// ```
    ///
    /// Right and left are alike: the mirror image of a scene has the same statistics. With
    /// `handedness` h = ±1 they are not: β goes to h·side_step·lack whatever is ahead, as people do
    /// who keep to one side, or robots that are told to. That takes a crowd apart in which all
    /// cross one point, and makes dense streams drift to that side.
    ///
    /// A boid that waits (s at most a twentieth of its largest speed) does not turn, and where p =
    /// 0 there is no noise either. A boid that sets off with none ahead of it goes straight. Noise
    /// bends the wish and leaves its length, so that it slows down slow and fast boids alike, by a
    /// part of noise²/12 or so. A draw is held for `noise_time`, so that what noise does over a
    /// time does not depend on dt as long as dt is at most that. The wander of β does not depend on
    /// dt either: its spread is M at any.
    ///
    /// A model that answers a velocity is asked with p. One that answers a force is asked with p
    /// too, and adds the force that makes of the preferred velocity what p is: (p −
    /// preferred)·mass/response.
    ///
    /// In space turns are about z, and where p is along z about x.
    ///
    /// Source: measured on this engine with some seventy forms of the rule (docs/decisions/0033): a
    /// turn to a side of one's own or at random gets boids through doors and never through a
    /// counterflow, a turn to the freer side the other way round, hence the two branches.
    pub struct GettingThrough in "anticipation." {
        side_step: f32 = 2.5, "radians", 0.0 => 3.0, "Spread of the turn of a boid that makes no \
            progress; 0 turns this off.", "jams dissolve sooner, wider detours";
        side_step_time: f32 = 0.5, "time", 1e-6 => 1e6, "Time constant with which the turn follows \
            the progress.", "patience: the turn comes later and stays longer";
        handedness: f32 = 0.0, "1", -1.0 => 1.0, "0: either side, by chance or away from those \
            that come. 1: always to the right, −1: always to the left; nothing between.", "at ±1 \
                crowds that cross one point part, and dense streams drift to that side";
        response: f32 = 1.0, "time", 1e-6 => 1e6, "How far ahead steering is thought: the \
            preferred velocity is v + F/mass·response, within the speed limits.", "the goal counts \
                more and the present velocity less; 1 is where a goal of weight 1 says the \
                preferred velocity outright";
        haste: f32 = 1.25, "1", 1.0 => 10.0, "Largest speed in avoiding others, in maximum speeds: \
            what a model that chooses velocities may choose. Forces do not ask for it.", "quicker \
                evasion, at speeds above what the boid likes";
        noise: f32 = 0.0, "1", 0.0 => 10.0, "Largest length of what is added to the direction of \
            the preferred velocity, whose speed stays: about half of it, in radians, is the \
            bend.", "jams that break up by chance, unsteady ways";
        noise_time: f32 = 0.05, "time", 1e-3 => 1e6, "How long a draw of noise is held. From dt on \
            what comes of noise does not depend on dt.", "longer swerves: boids scatter as the \
                root of it";
    }
}

/// What a boid sees ahead of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Ahead {
    /// How many there are.
    all: f32,
    /// How many of them come towards it.
    coming: f32,
    /// How many of them do not get on, including those that come.
    stuck: f32,
    /// Where those are that do not come rather than those that do, the nearer counting more:
    /// positive to the right.
    lean: f32,
}

impl Ahead {
    fn of<V: Vector>(direction: V, speed: f32, others: &[Nearby<V>]) -> Self {
        let (right, back, on) = (to_the_right(direction), COMING * speed, GETTING_ON * speed);
        let mut ahead = Self::default();
        for other in others.iter().filter(|other| direction.inner(other.offset) > 0.0) {
            let aside = right.inner(other.offset) * (1.0 / other.distance_sq);
            let progress = other.velocity.inner(direction);
            let comes = progress < back;
            ahead.all += 1.0;
            ahead.coming += if comes { 1.0 } else { 0.0 };
            ahead.stuck += if progress < on { 1.0 } else { 0.0 };
            ahead.lean += if comes { -aside } else { aside };
        }
        ahead
    }
}

impl GettingThrough {
    /// The part of the way from β to what is wanted that a step covers: 1 −
    /// exp(−dt/side_step_time), the same for every boid.
    pub fn part(&self, dt: f32) -> f32 {
        math::approach(1.0 / self.side_step_time, dt)
    }

    /// The largest turn away from boids that come: `side_step`, and no more than a right angle,
    /// since nothing is evaded by going back.
    pub fn evasion(&self) -> f32 {
        math::min(self.side_step, FRAC_PI_2)
    }

    /// Whether the turn depends on the boids ahead.
    pub fn looks_ahead(&self) -> bool {
        self.handedness == 0.0 && self.side_step > 0.0
    }

    /// β after a step, given the one before and the [`part`](Self::part) that the step covers;
    /// `others` are those the model looks at.
    ///
    /// ```
    /// use wingbeat_steer::anticipation::{GettingThrough, Mover, Nearby};
    /// let through = GettingThrough { side_step: 1.5, handedness: 1.0, ..Default::default() };
    /// let mover = |speed| Mover {
    ///     id: 0,
    ///     seed: 1,
    ///     step: 0,
    ///     velocity: [speed, 0.0],
    ///     preferred: [2.0, 0.0],
    ///     radius: 0.2,
    ///     max_speed: 2.0,
    ///     dt: 0.1,
    /// };
    /// assert_eq!(through.turn(&mover(2.0), &[], 0.0, 0.5), 0.0); // as fast as it likes
    /// // It stands: half of the way to 1.5.
    /// assert_eq!(through.turn(&mover(0.0), &[], 0.0, 0.5), 0.75);
    /// let either = GettingThrough { handedness: 0.0, ..through };
    /// let stands = Nearby {
    ///     offset: [1.0, 0.0],
    ///     distance_sq: 1.0,
    ///     velocity: [0.0, 0.0],
    ///     radius: 0.2,
    ///     share: 0.5,
    /// };
    /// // Half as fast as it likes: not yet.
    /// assert_eq!(either.turn(&mover(1.0), &[stands], 0.0, 0.5), 0.0);
    /// assert_ne!(either.turn(&mover(0.0), &[stands], 0.0, 0.5), 0.0); // to one of the sides
    /// // None is ahead: it sets off straight.
    /// assert_eq!(either.turn(&mover(0.0), &[], 0.0, 0.5), 0.0);
    /// ```
    pub fn turn<V: Vector>(
        &self,
        mover: &Mover<V>,
        others: &[Nearby<V>],
        beta: f32,
        part: f32,
    ) -> f32 {
        let (speed, direction) = (mover.preferred.norm(), mover.preferred.unit());
        let lack = math::clamp(1.0 - mover.velocity.inner(direction) / speed, 0.0, 1.0);
        let toward = |wanted: f32| beta + (wanted - beta) * part;
        let turned = if self.handedness != 0.0 {
            toward(if speed > 0.0 { self.handedness * self.side_step * lack } else { 0.0 })
        } else if speed > WAITING * mover.max_speed {
            self.either_side(mover, (direction, speed, lack), others, (beta, part), toward)
        } else {
            0.0
        };
        math::clamp(turned, -LARGEST_TURN, LARGEST_TURN)
    }

    fn either_side<V: Vector>(
        &self,
        mover: &Mover<V>,
        (direction, speed, lack): (V, f32, f32),
        others: &[Nearby<V>],
        (beta, part): (f32, f32),
        toward: impl Fn(f32) -> f32,
    ) -> f32 {
        let drawn =
            noise::uniform(mover.seed, mover.id, mover.step, noise::stream::ANTICIPATION + 3);
        let ahead =
            if self.looks_ahead() { Ahead::of(direction, speed, others) } else { Ahead::default() };
        if ahead.coming > MANY * ahead.all {
            let right = ahead.lean > 0.0 || (ahead.lean == 0.0 && drawn < 0.5);
            return toward(if right { self.evasion() } else { -self.evasion() } * lack);
        }
        let hindered = self.side_step * math::clamp(2.0 * lack - 1.0, 0.0, 1.0);
        let most = if ahead.stuck > 0.0 { hindered } else { 0.0 };
        beta - beta * part
            + most * (math::sqrt(part * (2.0 - part)) * (ROOT_3 * (2.0 * drawn - 1.0)))
    }

    /// What a boid that would go with the preferred velocity of `mover` asks a model with, and the
    /// new β: noise, and then the turn. `beta` is that of before, `draw` the
    /// [number](Self::draw_at) of the noise.
    pub fn asks_with<V: Vector>(
        &self,
        mover: &Mover<V>,
        others: &[Nearby<V>],
        beta: f32,
        part: f32,
        draw: u64,
    ) -> (V, f32) {
        let beta = self.turn(mover, others, beta, part);
        (turned_right(self.bent(mover, draw), beta), beta)
    }

    /// The number of the draw that is held at a time: trunc(time/noise_time).
    pub fn draw_at(&self, time: f64) -> u64 {
        WanderClock::at(time, self.noise_time).draw
    }

    /// The preferred velocity of `mover` after noise: of the same length, in the direction of its
    /// own plus what is [drawn](Self::drawn).
    pub fn bent<V: Vector>(&self, mover: &Mover<V>, draw: u64) -> V {
        if self.noise == 0.0 {
            return mover.preferred;
        }
        mover.preferred.unit().plus(self.drawn(mover, draw)).unit().times(mover.preferred.norm())
    }

    /// What noise adds to a direction: a uniform direction, uniform lengths up to `noise`.
    ///
    /// With U₀, U₁, U₂ keyed noise of (seed, id, draw, 96 + index): in the plane (cos, sin) of U₀
    /// turns times U₂·noise; in space, with z = 2·U₁ − 1, (√(1 − z²)·(cos, sin), z) times that.
    pub fn drawn<V: Vector>(&self, mover: &Mover<V>, draw: u64) -> V {
        let draw =
            |which| noise::uniform(mover.seed, mover.id, draw, noise::stream::ANTICIPATION + which);
        let (sin, cos) = math::sin_cos_turns(draw(0));
        let flat = [cos, sin];
        let direction = if V::DIMENSIONS == 2 {
            V::from_fn(|a| flat[a])
        } else {
            let z = 2.0 * draw(1) - 1.0;
            let r = math::sqrt(1.0 - z * z);
            V::from_fn(|a| if a == 2 { z } else { flat[a] * r })
        };
        direction.times(self.noise * draw(2))
    }

    /// Refuses a value outside its range, and a handedness between its three.
    ///
    /// # Errors
    /// Names the key, its value and what is allowed.
    pub fn check(&self) -> Result<(), ParamError> {
        use crate::schema::parameter_info::Parameters;
        self.check_ranges("anticipation")?;
        if [-1.0, 0.0, 1.0].contains(&self.handedness) {
            return Ok(());
        }
        Err(ParamError::new("anticipation.handedness", self.handedness, "-1, 0 or 1"))
    }
}
