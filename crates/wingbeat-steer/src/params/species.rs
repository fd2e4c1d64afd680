//! Species: kinds of agents with limits and rules of their own, and their interactions.

use alloc::format;
use alloc::string::String;

use crate::schema::parameter_info::Parameters;
use crate::terms::rule::Rules;
use crate::{AgentLimits, ParamError, SpeciesBody, SpeciesId, Vector, math};

/// Most species of a flock.
pub const MAX_SPECIES: usize = 64;

/// Most interactions of one species in which it flees, pursues or evades.
pub const MAX_CHASES: usize = 4;

/// One kind of agents. Its rules look at its own kind, and at those kinds that an [`Interaction`]
/// of kind [`Flock`](InteractionKind::Flock) tells it to flock with: no other boid is a neighbor,
/// neither among the nearest that a rule counts nor for the host's own rules.
///
/// With a whole model ([`Params::model`](crate::Params::model)) that is the rule of every species:
/// limits and rules are left out here then, and a boid sees of its neighbors those that its species
/// counts.
///
/// ```
/// use wingbeat_steer::{AgentLimits, Cohesion, Interaction, InteractionKind, Params, Species};
/// let hare =
///     Species { name: "hare".into(), rules: Cohesion::default().into(), ..Default::default() };
/// let fox = Species {
///     name: "fox".into(),
///     agent: AgentLimits { max_speed: 2.5, ..Default::default() },
///     ..Default::default()
/// };
/// let mut params = Params::default();
/// let (hare, fox) = (params.add_species(hare), params.add_species(fox));
/// let chase = Interaction::new(fox, hare, InteractionKind::Pursue, 8.0);
/// params.interactions.push(Interaction { capture_radius: 0.2, ..chase });
/// assert!(params.check().is_ok());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Species {
    /// What messages call it.
    pub name: String,
    /// Speed, force and mass limits.
    pub agent: AgentLimits,
    /// What it makes of the neighbors it sees.
    pub rules: Rules,
    /// What chasing and fleeing cost. Default: nothing.
    pub stamina: Option<Stamina>,
    /// What its bodies have of their own, in a flock with bodies.
    pub body: SpeciesBody,
}

parameters! {
    /// What an agent has to spend on its interactions.
    ///
    /// In a step that begins busy (an interaction that flees, pursues or evades has a boid in
    /// range) stamina falls by `drain`·dt. At 0 the agent rests: its interactions do nothing, and
    /// stamina grows by `recover`·dt until it is full. An agent that is neither busy nor resting
    /// keeps what it has.
    ///
    /// Source: the demonstration of the steering manager (drain 2 and recover 1 a step).
    pub struct Stamina in "stamina." {
        capacity: f32 = 200.0, "1", 1e-9 => 1e9, "Stamina of who is rested. Without this table \
            chases and escapes cost nothing.", "longer chases and longer rests";
        drain: f32 = 2.0, "1/time", 0.0 => 1e9, "Spent while busy: while a boid to flee, pursue \
            or evade is in range. At 0 the boid rests, and its interactions do nothing.", "shorter \
                chases";
        recover: f32 = 1.0, "1/time", 1e-9 => 1e9, "Regained while resting, until it is full.",
            "shorter rests";
    }
}

parameters! {
    /// What one species means to another: it flees, pursues or evades the nearest in range, counts
    /// it as a neighbor, or ignores it.
    pub struct Interaction in "interaction." {
        radius: f32 = 1.0, "length", 1e-9 => 1e12, "How far it sees them, all round.", "earlier \
            escapes and chases, costlier steps";
        weight: f32 = 1.0, "1", -1e9 => 1e9, "Factor on the force.", "it wins over the rules";
        capture_radius: f32 = 0.0, "length", 0.0 => 1e12, "Who is this near to its prey captures \
            it, and the prey is no more; 0: no boid is captured.", "easier hunts";
    }
    settings {
        kind: InteractionKind = InteractionKind::Ignore, shown "required", "What boids of SPECIES \
            do about boids of OTHER: the rules do not see it (usual between two species), count \
            it as a neighbor (usual within one), or it flees, pursues or evades the nearest in \
            range. At most four of the last three kinds a species.";
    }
    with {
        /// The species that acts, its place among the species.
        #[cfg_attr(feature = "serde", serde(rename = "who"))]
        pub species: SpeciesId = SpeciesId::default();
        /// The species it acts upon; may be the same.
        #[cfg_attr(feature = "serde", serde(rename = "whom"))]
        pub other: SpeciesId = SpeciesId::default();
    }
}

choices! {
    /// What a boid does about another. Flee, pursue and evade pick the **nearest** in range, of
    /// equally near ones the first in slot order; its force is zero without any. No cap on
    /// neighbors limits them.
    ///
    /// Where boids take turns to steer (`steer_every`), a boid picks in its turn, and holds its
    /// force and whether it was busy in between: it captures in its turns alone, and its stamina
    /// falls in every step that it holds to have been busy.
    ///
    /// With o the way to it, v its velocity, own velocity u and own max_speed m (unit(0) = 0; a
    /// zero direction gives a zero force):
    #[non_exhaustive]
    pub enum InteractionKind {
        /// Not seen by the rules: what holds between species of which nothing is said.
        #[default]
        Ignore = "ignore",
        /// The rules count them as neighbors: what holds within a species of which nothing is said.
        Flock = "flock",
        /// −unit(o)·m − u.
        Flee = "flee",
        /// unit(o + v·T)·m − u, T = ‖o‖/(m + c): to where it will be. c is the speed at which the
        /// other comes nearer, at least 0.
        Pursue = "pursue",
        /// −unit(o + v·T)·m − u, T = ‖o‖/max(‖v‖, m + c): away from where it will be, and never
        /// towards where it is.
        Evade = "evade",
    }
}

impl Species {
    /// A species of these rules, all else by default.
    pub fn new(name: impl Into<String>, rules: Rules) -> Self {
        Self { name: name.into(), rules, ..Self::default() }
    }
}

impl InteractionKind {
    /// Whether it picks a boid and makes a force of it.
    pub fn chases(self) -> bool {
        matches!(self, Self::Flee | Self::Pursue | Self::Evade)
    }
}

impl Interaction {
    /// An interaction of weight 1 that captures no boid.
    pub fn new(species: SpeciesId, other: SpeciesId, kind: InteractionKind, radius: f32) -> Self {
        Self { species, other, kind, radius, ..Self::default() }
    }
}

/// The longest time ahead that pursuit and evasion look, so that a chaser that can hardly move sees
/// no infinity.
pub const FARSIGHT: f32 = 1e9;

/// The force of an interaction upon a boid at `offset` with `velocity`, not yet weighted; see
/// [`InteractionKind`].
///
/// ```
/// use wingbeat_steer::{InteractionKind, chase};
/// assert_eq!(chase(InteractionKind::Flee, [2.0, 0.0], [0.0, 9.0], [0.0, 0.0], 3.0), [-3.0, 0.0]);
/// // Two away, at speed 1: there in time 2, when the other is 2 further on.
/// assert_eq!(
///     chase(InteractionKind::Pursue, [0.0, 2.0], [0.0, 1.0], [0.5, 0.0], 1.0),
///     [-0.5, 1.0]
/// );
/// // A hunter that comes twice as fast: straight away from it.
/// assert_eq!(
///     chase(InteractionKind::Evade, [0.0, 2.0], [0.0, -2.0], [0.0, 0.0], 1.0),
///     [-0.0, -1.0]
/// );
/// ```
pub fn chase<V: Vector>(
    kind: InteractionKind,
    offset: V,
    velocity: V,
    own_velocity: V,
    max_speed: f32,
) -> V {
    let (sign, ahead) = match kind {
        InteractionKind::Ignore | InteractionKind::Flock => return V::origin(),
        InteractionKind::Flee => (-1.0, 0.0),
        InteractionKind::Pursue => (1.0, 1.0),
        InteractionKind::Evade => (-1.0, 1.0),
    };
    let distance = offset.norm_plain();
    let closing = math::max(-(offset.inner(velocity) / distance), 0.0);
    let at_least = if kind == InteractionKind::Evade { velocity.norm_plain() } else { 0.0 };
    let time = math::min(distance / math::max(at_least, max_speed + closing), FARSIGHT) * ahead;
    let place = if max_speed > 0.0 { offset.plus(velocity.times(time)) } else { offset };
    let direction = place.unit();
    if direction == V::origin() {
        V::origin()
    } else {
        direction.times(sign * max_speed).minus(own_velocity)
    }
}

impl Species {
    /// Refuses a number outside its range.
    ///
    /// # Errors
    /// Names it as `species.NAME.…`, with its value and what is allowed.
    pub fn check(&self) -> Result<(), ParamError> {
        self.check_parts().map_err(|refusal| ParamError {
            field: format!("species.{}.{}", self.name, refusal.field),
            ..refusal
        })
    }

    fn check_parts(&self) -> Result<(), ParamError> {
        self.agent.check()?;
        self.rules.check()?;
        if let Some(stamina) = &self.stamina {
            stamina.check_ranges("stamina")?;
        }
        self.body.check_ranges("body")?;
        Ok(())
    }
}
