//! The steering manager: behaviors add up to one force, which moves the agent.

use alloc::vec::Vec;

use crate::agents::agent::Motion;
use crate::agents::behavior::{time_step, within_reach};
use crate::agents::blend::{self, Blend};
use crate::{Agent, ParamError, Vector, check_range, math};

/// Room for this many terms is made at construction; more make it grow once.
const EXPECTED_TERMS: usize = 16;

/// One behavior's contribution: its name, its weight and its force before weighting.
///
/// ```
/// use wingbeat_steer::SteeringTerm;
/// let term = SteeringTerm { name: "seek", weight: 2.0, force: [1.0, 0.0] };
/// assert_eq!(term.weighted(), [2.0, 0.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteeringTerm<V> {
    /// The behavior's name, as the method that added it is called.
    pub name: &'static str,
    /// What the force is multiplied by.
    pub weight: f32,
    /// The behavior's force.
    pub force: V,
}

impl<V: Vector> SteeringTerm<V> {
    /// `weight·force`: what enters the sum.
    ///
    /// ```
    /// # use wingbeat_steer::SteeringTerm;
    /// assert_eq!(
    ///     SteeringTerm { name: "flee", weight: 0.5, force: [4.0, 0.0] }.weighted(),
    ///     [2.0, 0.0]
    /// );
    /// ```
    #[inline]
    pub fn weighted(&self) -> V {
        self.force.times(self.weight)
    }
}

/// The steering manager of one agent.
///
/// 1. Behaviors are called: each adds a named [`SteeringTerm`].
/// 2. [`update`](Self::update): the terms are blended into one force, which is truncated to
///    max_force and divided by the mass; `v += a·dt`, truncated to the maximum speed; `x += v·dt`;
///    the sum is cleared.
///
/// The manager remembers the agent as it last saw it: at construction, at
/// [`observe`](Self::observe), and where its own update took it. Call `observe` whenever something
/// else has moved the agent. It is itself an [`Agent`], so that others can pursue it.
///
/// After its first frame it allocates nothing (unless a frame has more than 16 terms and more than
/// any before).
///
/// ```
/// use wingbeat_steer::{Body, Jitter, Steering, Wander, WanderParameters};
/// let mut bird = Body::new([0.0, 0.0], [1.0, 0.0], 4.0, 1.0)?;
/// let mut steering = Steering::new(&bird, 10.0)?;
/// let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0))?;
/// for _ in 0..60 {
///     steering.observe(&bird);
///     steering.seek([50.0, 0.0]);
///     steering.weighted(0.25).wander(&mut wander, 1.0 / 60.0);
///     for term in steering.terms() {
///         println!("{}: {:?}", term.name, term.weighted());
///     }
///     bird.follow(steering.update(1.0 / 60.0));
/// }
/// assert!(bird.position[0] > 1.0);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: the steering manager, the fourth of the five source systems.
#[derive(Debug, Clone, PartialEq)]
pub struct Steering<V> {
    pub(crate) position: V,
    pub(crate) velocity: V,
    pub(crate) max_speed: f32,
    mass: f32,
    max_force: f32,
    pub(crate) slowing_radius: f32,
    blend: Blend,
    /// Weight of the next term.
    weight: f32,
    /// The terms have been used by an update: they can still be read, but the next one starts
    /// afresh.
    spent: bool,
    /// The weighted sum of the terms so far, kept so that an update need not walk the list.
    sum: V,
    terms: Vec<SteeringTerm<V>>,
}

impl<V: Vector> Steering<V> {
    /// A manager for `agent` that pushes it with at most `max_force` (0…1e9; larger turns and
    /// brakes harder).
    ///
    /// # Errors
    /// A force outside its range.
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let bird = Body::new([0.0, 0.0], [1.0, 0.0], 4.0, 1.0)?;
    /// let error = Steering::new(&bird, f32::NAN).unwrap_err();
    /// assert_eq!(error.to_string(), "steering.max_force = NaN: allowed is 0 to 1e9");
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn new(agent: &impl Agent<V>, max_force: f32) -> Result<Self, ParamError> {
        check_range("steering.max_force", max_force, 0.0, 1e9)?;
        let mut steering = Self {
            position: V::origin(),
            velocity: V::origin(),
            max_speed: 0.0,
            mass: 1.0,
            max_force,
            slowing_radius: 20.0,
            blend: Blend::Weighted,
            weight: 1.0,
            spent: false,
            sum: V::origin(),
            terms: Vec::with_capacity(EXPECTED_TERMS),
        };
        steering.observe(agent);
        Ok(steering)
    }

    /// The same manager with another blending; the default is [`Blend::Weighted`].
    ///
    /// ```
    /// # use wingbeat_steer::{Blend, Body, Steering};
    /// # let bird = Body::new([0.0, 0.0], [0.0, 0.0], 9.0, 1.0)?;
    /// let mut steering = Steering::new(&bird, 5.0)?.with_blend(Blend::Prioritized);
    /// steering.add("urgent", [3.0, 0.0]).add("less so", [0.0, 4.0]);
    /// assert_eq!(steering.force(), [3.0, 2.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[must_use]
    pub fn with_blend(mut self, blend: Blend) -> Self {
        self.blend = blend;
        self
    }

    /// The same manager with another slowing radius for [`seek`](Self::seek): default 20 (the
    /// source's), range 0…1e12 world units; 0 never slows; larger brakes earlier.
    ///
    /// # Errors
    /// A radius outside its range.
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let bird = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// assert!(Steering::new(&bird, 5.0)?.with_slowing_radius(-2.0).is_err());
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn with_slowing_radius(mut self, slowing_radius: f32) -> Result<Self, ParamError> {
        check_range("steering.slowing_radius", slowing_radius, 0.0, 1e12)?;
        self.slowing_radius = slowing_radius;
        Ok(self)
    }

    /// Looks at the agent anew. Its mass is taken as at least 1e-9, its maximum speed as at
    /// least 0.
    ///
    /// ```
    /// # use wingbeat_steer::{Agent, Body, Steering};
    /// # let mut bird = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// let mut steering = Steering::new(&bird, 5.0)?;
    /// bird.position = [7.0, 0.0]; // a teleporter
    /// steering.observe(&bird);
    /// assert_eq!(steering.position(), [7.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn observe(&mut self, agent: &impl Agent<V>) {
        self.position = agent.position();
        self.velocity = agent.velocity();
        // Written so that a NaN from the host ends at the low end too.
        self.max_speed = math::min(math::max(agent.max_speed(), 0.0), 1e9);
        self.mass = math::min(math::max(agent.mass(), 1e-9), 1e9);
    }

    /// Sets the weight of the next term only (1 otherwise; within ±1e9). Larger makes that term
    /// win.
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let bird = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&bird, 50.0)?;
    /// steering.weighted(3.0).seek([99.0, 0.0]);
    /// assert_eq!(steering.force(), [12.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn weighted(&mut self, weight: f32) -> &mut Self {
        self.weight = weight;
        self
    }

    /// Adds a force of your own, with a name of your own.
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let bird = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&bird, 50.0)?;
    /// steering.add("wind", [0.0, -2.0]);
    /// assert_eq!(steering.terms()[0].name, "wind");
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn add(&mut self, name: &'static str, force: V) -> &mut Self {
        if self.spent {
            self.terms.clear();
            self.sum = V::origin();
            self.spent = false;
        }
        let term = SteeringTerm { name, weight: self.weight, force };
        self.sum = self.sum.plus(term.weighted());
        self.terms.push(term);
        self.weight = 1.0;
        self
    }

    /// Every term by name, weight and force, in call order: see which one wins, or draw them. They
    /// can be read until the first call after the next [`update`](Self::update).
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let bird = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&bird, 50.0)?;
    /// steering.seek([99.0, 0.0]).weighted(0.5).flee([0.0, 1.0]);
    /// let strongest = steering.terms().iter().max_by(|a, b| {
    ///     a.weighted()[0].abs().total_cmp(&b.weighted()[0].abs())
    /// });
    /// assert_eq!(strongest.unwrap().name, "seek");
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn terms(&self) -> &[SteeringTerm<V>] {
        &self.terms
    }

    /// The blended force of the terms added since the last update, truncated to max_force.
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let bird = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&bird, 3.0)?;
    /// steering.seek([99.0, 0.0]);
    /// assert_eq!(steering.force(), [3.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn force(&self) -> V {
        if self.spent {
            return V::origin();
        }
        let force = match self.blend {
            Blend::Weighted => self.sum,
            Blend::Prioritized => {
                blend::prioritized(self.terms.iter().map(SteeringTerm::weighted), self.max_force)
            }
        };
        truncated(force, self.max_force)
    }

    /// Moves the agent by `dt` (0…1000; NaN counts as 0) and clears the sum.
    ///
    /// Formula: `a = truncate(force, max_force)/mass`; `v = truncate(v + a·dt, max_speed)`; `x =
    /// x + v·dt`. With `dt = 1` it is the source's.
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let bird = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 2.0)?;
    /// let mut steering = Steering::new(&bird, 3.0)?;
    /// let moved = steering.seek([99.0, 0.0]).update(1.0);
    /// assert_eq!((moved.velocity, moved.position), ([1.5, 0.0], [1.5, 0.0]));
    /// assert_eq!(steering.force(), [0.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    /// Source: the steering manager; semi-implicit Euler.
    // Always inlined: returned through memory, the motion is stored by components and read back
    // whole, which costs a failed store-to-load forwarding, a third of the whole update.
    #[inline(always)]
    pub fn update(&mut self, dt: f32) -> Motion<V> {
        let dt = time_step(dt);
        let force = self.force();
        // Most agents have mass 1, and x/1 = x: a predicted branch saves a division's wait.
        let acceleration =
            if self.mass == 1.0 { force } else { V::from_fn(|a| force.axis(a) / self.mass) };
        let velocity = truncated(self.velocity.plus(acceleration.times(dt)), self.max_speed);
        // The accepted range ends at 1e30: an agent at its edge stays there instead of leaving the
        // numbers.
        let position = within_reach(self.position.plus(velocity.times(dt)));
        (self.position, self.velocity) = (position, velocity);
        self.spent = true;
        Motion { position, velocity }
    }

    /// Forgets all terms: the force is zero.
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let bird = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&bird, 3.0)?;
    /// steering.seek([9.0, 9.0]).reset();
    /// assert_eq!(steering.force(), [0.0, 0.0]);
    /// assert!(steering.terms().is_empty());
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn reset(&mut self) {
        self.terms.clear();
        self.sum = V::origin();
        self.weight = 1.0;
        self.spent = false;
    }
}

/// [`Vector::truncate_to`], with a short cut that gives the same bits where the vector is clearly
/// within the limit.
#[inline]
fn truncated<V: Vector>(vector: V, limit: f32) -> V {
    // Far above the rounding of either side; a square that over- or underflowed fails it and takes
    // the exact way.
    if limit > 1e-15 && vector.norm_sq() < 0.999 * limit * limit {
        vector
    } else {
        vector.truncate_to(limit)
    }
}

impl<V: Vector> Agent<V> for Steering<V> {
    fn position(&self) -> V {
        self.position
    }

    fn velocity(&self) -> V {
        self.velocity
    }

    fn max_speed(&self) -> f32 {
        self.max_speed
    }

    fn mass(&self) -> f32 {
        self.mass
    }
}
