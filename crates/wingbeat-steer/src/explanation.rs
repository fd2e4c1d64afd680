//! Explanation of one boid's decision: the numbers that the textbook computes, kept.
//!
//! There is no second copy of a formula here: the files of `reference/` and `step/` fill these
//! structs and take their results from them.

use alloc::vec::Vec;

use crate::contact::OtherBody;
use crate::obstacle::{ObstacleSet, Threat};
use crate::step::integrate::{Environment, Integrated, StepInput};
use crate::step::move_boid;
use crate::terms::budget::Share;
use crate::terms::drive::DriveParts;
use crate::terms::rule::{Neighborhood, Response, RuleDefinition, Seen, Wanted};
use crate::terms::steering_kind::TermSum;
use crate::{
    Combine, Domain, Interaction, Model, Params, Perception, REST_SPEED, Term, TextbookBoid,
    TimeStep, Traits, Vector, heading,
};

/// What one boid's steering in the next step is made of; made by `Flock::explain` of the engine and
/// by [`TextbookFlock::explain`](crate::TextbookFlock::explain).
///
/// The parts add up: a reader that repeats the sums in `f32` in the order given has
/// [`steering`](Self::steering) bit for bit.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation<V> {
    /// The boid as it is before the step: id, position, velocity.
    pub boid: TextbookBoid<V>,
    /// Steps made before: the decision is that of step `step` + 1.
    pub step: u64,
    /// What it makes of what it sees, whether or not it is its turn.
    pub decision: Decision<V>,
    /// Whether that counts in the next step.
    pub turn: Turn<V>,
    /// What counts: the decision's steering, or between turns the force it holds. The combined
    /// force, under `direction` the unit vector to go, or what the model says.
    pub steering: V,
    pub(crate) params: Params,
    pub(crate) domain: Domain<V>,
    pub(crate) traits: Traits,
    pub(crate) seed: u64,
    pub(crate) obstacles: ObstacleSet<V>,
    pub(crate) time: f64,
    /// Bodies that may be near, itself first.
    pub(crate) bodies: Vec<OtherBody<V>>,
    /// β, the angle by which its preferred velocity is turned to the right, radians.
    pub(crate) blocked: f32,
}

impl<V: Vector> Explanation<V> {
    /// Where the boid is headed, a unit vector; 0 at rest.
    pub fn heading(&self) -> V {
        heading(self.boid.velocity)
    }

    /// Whether it is too slow to have a heading: ‖v‖ below [`REST_SPEED`]. Who is at rest sees all
    /// round.
    pub fn at_rest(&self) -> bool {
        self.boid.velocity.norm_plain() < REST_SPEED
    }

    /// The rules of the flock.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// What is the boid's own: its species, stamina and limits.
    pub fn traits(&self) -> &Traits {
        &self.traits
    }

    /// What a step of `dt` makes of the steering: velocity and position, and what limited them.
    ///
    /// ```
    /// use wingbeat_steer::{
    ///     Cohesion, Domain, Limit, Params, TextbookBoid, TextbookFlock, TimeStep,
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
    /// let advanced = flock.explain(0, &flock.slot_order()).advance(TimeStep::new(0.5)?);
    /// assert_eq!(advanced.acceleration, Some([5.0, 0.0])); // max_force
    /// assert_eq!(advanced.wanted, [2.5, 0.0]);
    /// assert_eq!(advanced.limit, Limit::SlowedTo(2.0)); // max_speed
    /// assert_eq!(advanced.position, [1.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn advance(&self, dt: TimeStep) -> Integrated<V> {
        let (params, dt) = (&self.params, dt.get());
        let mut obstacles = self.obstacles.clone();
        obstacles.begin_step(self.time, dt);
        let environment = Environment {
            domain: &self.domain,
            obstacles: &obstacles,
            radius: self.traits.radius(params),
        };
        let input = StepInput {
            boid: &self.boid,
            limits: &self.traits.limits(params),
            steering: self.steering,
            blocked: self.blocked,
            dt,
            seed: self.seed,
            step: self.step,
            time: self.time,
        };
        move_boid(&input, params, environment, &self.bodies)
    }
}

/// Whether a boid's decision counts in the next step (`steer_every`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn<V> {
    /// Everyone steers in every step.
    EveryStep,
    /// It is the boid's turn.
    Due {
        /// Steps from one turn to the next.
        every: u32,
    },
    /// It is not: the boid goes on with the force of its last turn.
    Holds {
        /// Steps from one turn to the next.
        every: u32,
        /// The force held.
        force: V,
        /// Steps to go before that of its next turn, at least 1.
        steps_left: u32,
    },
}

/// How steering comes about.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision<V> {
    /// By terms, combined.
    Terms(Combined<V>),
    /// By a whole model from the literature.
    Model(ModelDecision<V>),
}

impl<V: Vector> Decision<V> {
    /// The result.
    pub fn steering(&self) -> V {
        match self {
            Self::Terms(combined) => combined.steering,
            Self::Model(followed) => followed.steering,
        }
    }
}

/// Terms, and what they come to.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Combined<V> {
    /// How they become one.
    pub combine: Combine,
    /// The terms in the order they are taken.
    pub terms: Vec<TermParts<V>>,
    /// All of them added up, from +0, in that order; under `prioritized` what was
    /// [`taken`](TermParts::taken) of them.
    pub sum: V,
    /// max_force, where it cut the sum or, under `prioritized`, left a term unserved or served in
    /// part.
    pub cut_to: Option<f32>,
    /// The sum, truncated to max_force; under `direction` its unit vector.
    pub steering: V,
}

/// One term.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct TermParts<V> {
    /// Which.
    pub term: Term,
    /// What it comes to, weighted.
    pub weighted: V,
    /// What it is made of.
    pub made: TermSource<V>,
    /// Under `prioritized`, what was left of max_force when it was this term's turn; `None` in
    /// other combinations, and where terms before it had left nothing to be asked for.
    pub budget: Option<f32>,
    /// How much of it counts: 1 all of it, 0 nothing. Below 1 under `prioritized` only.
    pub served: f32,
    /// That much of it.
    pub taken: V,
}

impl<V: Vector> TermParts<V> {
    pub(crate) fn whole(term: Term, made: TermSource<V>) -> Self {
        let weighted = match &made {
            TermSource::Rule(parts) => parts.weighted,
            TermSource::Host { force, .. } | TermSource::Walls(force) => *force,
            TermSource::Interactions(met) => {
                met.iter().fold(V::origin(), |sum, met| sum.plus(met.weighted))
            }
            TermSource::Obstacles { force, .. } => *force,
            TermSource::Drive { force, weight, .. } => force.times(*weight),
        };
        Self { term, weighted, made, budget: None, served: 1.0, taken: weighted }
    }

    /// What a budget left of it.
    pub(crate) fn serve(&mut self, share: Option<Share<V>>) {
        self.budget = share.map(|share| share.budget);
        self.served = share.map_or(0.0, |share| share.part);
        self.taken = share.map_or(V::origin(), |share| share.taken);
    }

    /// The neighbors it looks at; interactions, drives, obstacles and walls have none.
    pub fn sees(&self) -> Option<&Neighborhood<V>> {
        match &self.made {
            TermSource::Rule(parts) => Some(&parts.sees),
            TermSource::Host { sees, .. } => Some(sees),
            TermSource::Interactions(_)
            | TermSource::Drive { .. }
            | TermSource::Obstacles { .. }
            | TermSource::Walls(_) => None,
        }
    }
}

/// What a term is made of.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum TermSource<V> {
    /// One of the three rules.
    Rule(RuleParts<V>),
    /// A rule of the host's own: its force as the rule itself gives it (weights are its own
    /// business), and the boids it sees.
    Host {
        /// The boids it sees.
        sees: Neighborhood<V>,
        /// What it makes of them.
        force: V,
    },
    /// Those it flees, pursues or evades: one for each such interaction of its species.
    Interactions(Vec<Target<V>>),
    /// A drive.
    Drive {
        /// Its force, not yet weighted; 0 where it does not apply to the boid.
        force: V,
        /// The drive's weight: the term is force·weight.
        weight: f32,
        /// The numbers on the way to the force; `None` where the drive does not apply to the boid,
        /// and of a drive of the host's own.
        parts: Option<DriveParts<V>>,
    },
    /// Steering ahead of the most urgent obstacle; without one 0.
    Obstacles {
        /// What it is about, if anything is in the way.
        threat: Option<Threat<V>>,
        /// The push.
        force: V,
    },
    /// The push of the domain's walls.
    Walls(V),
}

/// An interaction, and the boid it picked.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target<V> {
    /// The interaction.
    pub interaction: Interaction,
    /// The nearest in range; `None` without any, and while the boid rests.
    pub picked: Option<Seen<V>>,
    /// What the interaction makes of it, not yet weighted.
    pub force: V,
    /// force·weight.
    pub weighted: V,
}

/// What a rule computes, in order.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct RuleParts<V> {
    /// The boids it looks at.
    pub sees: Neighborhood<V>,
    /// Σ of what each neighbor [`adds`](Seen::adds), in slot order, from +0.
    pub sum: V,
    /// Alignment with `include_self`: the own value that is part of the mean.
    pub included: Option<V>,
    /// Alignment and cohesion, where there are neighbors: the mean.
    pub mean: Option<V>,
    /// Alignment with `relative`: the own value taken from the mean.
    pub subtracted: Option<V>,
    /// Separation, where a boid is coincident: the push by hash that parts them.
    pub parting: Option<V>,
    /// X, of which the response is made: 0 − sum (flee: the sum) plus `parting`; the mean less
    /// `subtracted`; the mean.
    pub wanted: V,
    /// Whether X is made of 0 − sum.
    pub away: bool,
    /// Which response the rule has.
    pub kind: Response,
    /// What it makes of X, not yet weighted.
    pub response: V,
    /// The rule's weight.
    pub weight: f32,
    /// response·weight: the term.
    pub weighted: V,
}

impl<V: Vector> RuleParts<V> {
    /// Of a rule that `wanted` something; `None` where there is nothing to respond to.
    pub(crate) fn new(
        sees: Neighborhood<V>,
        sum: V,
        wanted: Option<Wanted<V>>,
        rule: &impl RuleDefinition,
        respond: impl FnOnce(V) -> V,
    ) -> Self {
        let (response, wanted) = match wanted {
            Some(wanted) => (respond(wanted.wanted), wanted),
            None => (V::origin(), Wanted::of(V::origin())),
        };
        let Wanted { wanted, away, included, mean, subtracted, parting } = wanted;
        let (kind, weight) = (rule.response(), rule.weight());
        let weighted = response.times(weight);
        Self {
            sees,
            sum,
            included,
            mean,
            subtracted,
            parting,
            wanted,
            away,
            kind,
            response,
            weight,
            weighted,
        }
    }
}

/// A whole model's steering. Parts inside a model are not told.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct ModelDecision<V> {
    /// The model.
    pub model: Model,
    /// All within its radius that the boid's species counts, under the cap the nearest of them, in
    /// slot order, out of the model's own sight or not; the boid itself is among them where the
    /// model counts it.
    pub sees: Neighborhood<V>,
    /// What the model says.
    pub wanted: V,
    /// The further terms of the flock in the order they are taken; none where it has none.
    pub terms: Vec<TermParts<V>>,
    /// The model's word and the terms, added up in that order.
    pub sum: V,
    /// How both are joined.
    pub joined: TermSum,
    /// What comes of it: [`TermSum::steering`] of `wanted` and `sum`.
    pub steering: V,
}

/// What a textbook flock of candidates alone does not tell.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Context<'a, V> {
    /// Boids of the whole flock.
    pub boids: usize,
    /// Perceptions and forces of the host's own rules.
    pub host_rules: &'a [(Perception, V)],
    /// Forces of the host's own drives.
    pub host_drives: &'a [V],
    /// Whether the decision counts.
    pub turn: Turn<V>,
    /// The body of the boid, and then those of all others in slot order; `None` where they are
    /// those of the textbook flock.
    pub bodies: Option<&'a [OtherBody<V>]>,
    /// How blocked the boid is, where it anticipates.
    pub blocked: f32,
}
