//! Explanations of the textbook flock: a boid's decision and step, with the names of species.

use crate::explanation::{Context, Explanation, StaminaLeft};
use crate::reference::TextbookFlock;
use crate::space::boid::{REST_SPEED, heading};
use crate::{TimeStep, Turn, Vector};

impl<V: Vector> TextbookFlock<V> {
    /// Why boid `i` goes where it goes in a next step of `dt`: the numbers that
    /// [`steering`](Self::steering) and the step compute on their way.
    ///
    /// ```
    /// # use wingbeat_steer::{
    /// #     Cohesion, Decision, Domain, Limit, Params, TextbookBoid, TextbookFlock, TimeStep,
    /// # };
    /// # let boid = |id, x| TextbookBoid { id, position: [x, 0.0], velocity: [0.0, 0.0] };
    /// let flock = TextbookFlock {
    /// #
    ///     params: Params {
    ///         rules: Cohesion { weight: 10.0, ..Default::default() }.into(),
    ///         ..Default::default()
    /// #     },
    ///     domain: Domain::open(),
    ///     seed: 1,
    ///     step: 0,
    /// #     boids: vec![boid(0, 0.0), boid(1, 1.0)],
    /// #     ..Default::default()
    /// # };
    /// let why = flock.explain(0, &flock.slot_order(), TimeStep::new(0.5)?);
    /// let Decision::Terms(combined) = &why.decision else { unreachable!() };
    /// // Cohesion: 10 times the way to the other.
    /// assert_eq!(combined.terms[0].weighted, [10.0, 0.0]);
    /// assert_eq!(why.steering, [5.0, 0.0]); // max_force
    /// assert_eq!(why.advance.wanted, [2.5, 0.0]);
    /// assert_eq!(why.advance.limit, Limit::SlowedTo(2.0)); // max_speed
    /// assert_eq!(why.advance.position, [1.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline(never)]
    pub fn explain(&self, i: usize, order: &[usize], dt: TimeStep) -> Explanation<V> {
        self.explain_in(i, order, dt, &self.whole())
    }

    /// The same where `boids` holds only those that may be in reach; `context` has the rest.
    #[doc(hidden)]
    #[inline(never)]
    pub fn explain_in(
        &self,
        i: usize,
        order: &[usize],
        dt: TimeStep,
        context: &Context<'_, V>,
    ) -> Explanation<V> {
        let (boid, own) = (self.boids[i], self.traits_of(i));
        let heading = heading(boid.velocity);
        let mut decision = self.decide(i, order, context);
        for seen in decision.all_seen() {
            let traits = self.traits.get(&seen.id).copied().unwrap_or_default();
            seen.species = self.species_name(traits.species);
            seen.angle = seen.angle_from(heading);
        }
        let steering = match context.turn {
            Turn::Holds { force, .. } => force,
            Turn::EveryStep | Turn::Due { .. } => decision.steering(),
        };
        let mut obstacles = self.obstacles.clone();
        obstacles.begin_step(self.time, dt.get());
        let bodies = context.bodies.map_or_else(|| self.bodies_about(i, order), <[_]>::to_vec);
        let stamina = self.params.kind(own.species).and_then(|species| species.stamina);
        Explanation {
            boid,
            step: self.step,
            species: self.species_name(own.species),
            stamina: stamina.map(|stamina| StaminaLeft {
                left: stamina.capacity - own.spent,
                capacity: stamina.capacity,
                resting: own.resting,
            }),
            dt,
            heading,
            at_rest: boid.velocity.norm_plain() < REST_SPEED,
            turn: context.turn,
            decision,
            steering,
            advance: self.moved(i, steering, dt.get(), &obstacles, &bodies),
        }
    }

    /// The context of a flock that has all its boids, and nothing of a host's own.
    pub(super) fn whole(&self) -> Context<'static, V> {
        Context {
            boids: self.boids.len(),
            host_rules: &[],
            host_drives: &[],
            turn: Turn::EveryStep,
            bodies: None,
        }
    }
}
