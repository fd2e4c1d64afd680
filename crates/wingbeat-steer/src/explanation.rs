//! Explanation of one boid's decision and step: the numbers that the textbook computes, kept.
//!
//! There is no second copy of a formula here: the files of `reference/` and `step/` fill these
//! structs and use their results. With the feature `serde` an explanation is written as
//! wingbeat-session's module `explain` describes it.

use alloc::string::String;
use alloc::vec::Vec;

use crate::contact::OtherBody;
use crate::obstacle::Threat;
use crate::step::integrate::Integrated;
use crate::terms::budget::Share;
use crate::terms::drive::DriveParts;
use crate::terms::rule::{Neighborhood, Response, Seen, Wanted};
use crate::terms::steering_kind::TermSum;
use crate::{Combine, Interaction, Model, Perception, Term, TextbookBoid, TimeStep, Vector};

/// Why one boid goes where it goes in the next step; made by `Flock::explain` of the engine and by
/// [`TextbookFlock::explain`](crate::TextbookFlock::explain).
///
/// The parts add up: a reader that repeats the sums in `f32` in the order given has
/// [`steering`](Self::steering) bit for bit.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Explanation<V> {
    /// The boid as it is before the step: id, position, velocity.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "keys::boid"))]
    pub boid: TextbookBoid<V>,
    /// Steps made before: the decision is that of step `step` + 1.
    pub step: u64,
    /// Name of the boid's species; `None` in a flock without species.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub species: Option<String>,
    /// What the boid has left for its interactions; `None` where they cost nothing.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub stamina: Option<StaminaLeft>,
    /// The time that the step covers.
    pub dt: TimeStep,
    /// Where the boid is headed, a unit vector; 0 at rest.
    pub heading: V,
    /// Whether it is too slow to have a heading: ‖v‖ below `REST_SPEED`. A
    /// boid at rest sees all round.
    pub at_rest: bool,
    /// Whether the decision counts in the next step.
    pub turn: Turn<V>,
    /// What it decides by what it sees, whether or not it is its turn.
    pub decision: Decision<V>,
    /// What counts: the decision's steering, or between turns the force it holds. The combined
    /// force, under `direction` the unit vector to go, or what the model says.
    pub steering: V,
    /// The step that follows: velocity and position, and what limited them.
    pub advance: Integrated<V>,
}

/// Stamina of one boid.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StaminaLeft {
    /// What is left.
    pub left: f32,
    /// All there is when it is full.
    pub capacity: f32,
    /// Whether it is spent and being regained: until it is full, interactions do nothing.
    pub resting: bool,
}

/// Whether a boid's decision counts in the next step (`steer_every`).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case"))]
pub enum Turn<V> {
    /// All boids steer in every step.
    EveryStep,
    /// It is the boid's turn.
    Due {
        /// Steps from one turn to the next.
        every: u32,
    },
    /// It is not: the boid keeps the force of its last turn.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case"))]
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

    /// All boids that it looks at, as often as terms look at them.
    pub(crate) fn all_seen(&mut self) -> impl Iterator<Item = &mut Seen<V>> {
        let (sees, terms) = match self {
            Self::Terms(combined) => (None, &mut combined.terms),
            Self::Model(followed) => (Some(&mut followed.sees), &mut followed.terms),
        };
        let of_terms = terms.iter_mut().flat_map(|part| {
            let sees = part.sees.iter_mut().flat_map(|sees| &mut sees.neighbors);
            let targets = part.interactions.iter_mut().flatten();
            sees.chain(targets.filter_map(|target| target.picked.as_mut()))
        });
        sees.into_iter().flat_map(|sees| &mut sees.neighbors).chain(of_terms)
    }
}

/// Terms, and what they come to.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Combined<V> {
    /// How they become one.
    #[cfg_attr(feature = "serde", serde(serialize_with = "keys::combine"))]
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

/// One term. What does not apply to it is `None`.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TermParts<V> {
    /// Which.
    pub term: Term,
    /// Of a drive: its name.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub name: Option<String>,
    /// Of a drive: what a scene file calls its kind.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub kind: Option<&'static str>,
    /// The neighbors that a rule looks at; interactions, drives, obstacles and walls have none.
    pub sees: Option<Neighborhood<V>>,
    /// The numbers of a rule. A rule of the host's own has none: its weights are its own business.
    pub rule: Option<RuleParts<V>>,
    /// The numbers of a drive; a drive of the host's own has none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub drive: Option<DriveForce<V>>,
    /// The boids that the boid flees, pursues or evades: one for each such interaction of its
    /// species.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub interactions: Option<Vec<Target<V>>>,
    /// The obstacle that the boid steers ahead of, if one is in the way.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub obstacle: Option<ObstacleAhead<V>>,
    /// What it comes to, weighted.
    pub weighted: V,
    /// Under `prioritized`, what was left of max_force when it was this term's turn; `None` in
    /// other combinations, and where terms before it had left nothing to be asked for.
    pub budget: Option<f32>,
    /// How much of it counts: 1 all of it, 0 nothing. Below 1 under `prioritized` only.
    pub served: f32,
    /// That much of it.
    pub taken: V,
}

impl<V: Vector> TermParts<V> {
    /// A term of which nothing but its force is known.
    pub(crate) fn new(term: Term, weighted: V) -> Self {
        Self {
            term,
            name: None,
            kind: None,
            sees: None,
            rule: None,
            drive: None,
            interactions: None,
            obstacle: None,
            weighted,
            budget: None,
            served: 1.0,
            taken: weighted,
        }
    }

    /// Whether it looks at other boids.
    pub fn looks(&self) -> bool {
        self.sees.is_some() || self.interactions.as_ref().is_some_and(|all| !all.is_empty())
    }

    /// The boids it sees: neighbors of a rule, and those that interactions pick.
    pub fn seen(&self) -> impl Iterator<Item = &Seen<V>> {
        let picked = self.interactions.iter().flatten().filter_map(|one| one.picked.as_ref());
        self.sees.iter().flat_map(|sees| &sees.neighbors).chain(picked)
    }

    /// What a budget left of it.
    pub(crate) fn serve(&mut self, share: Option<Share<V>>) {
        self.budget = share.map(|share| share.budget);
        self.served = share.map_or(0.0, |share| share.part);
        self.taken = share.map_or(V::origin(), |share| share.taken);
    }
}

/// A drive's force on one boid, and the numbers on the way to it.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DriveForce<V> {
    /// Whether it drives the boid: whether it is for its species and its present state.
    pub applies: bool,
    /// The numbers on the way to the force; all `None` where the drive does not apply.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub parts: DriveParts<V>,
    /// Its force, not yet weighted; 0 where it does not apply to the boid.
    pub force: V,
    /// The drive's weight: the term is force·weight.
    pub weight: f32,
}

/// The obstacle that a boid steers ahead of: the most urgent one.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ObstacleAhead<V> {
    /// Its name.
    pub name: String,
    /// How urgent it is, and the directions of the push.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub threat: Threat<V>,
}

/// An interaction, and the boid it picked.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Target<V> {
    /// The interaction.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "keys::interaction"))]
    pub interaction: Interaction,
    /// Name of the species it acts upon.
    pub species: String,
    /// The nearest in range; `None` without any, and while the boid rests.
    #[cfg_attr(feature = "serde", serde(rename = "neighbor"))]
    pub picked: Option<Seen<V>>,
    /// The interaction's force, not yet weighted.
    pub force: V,
    /// force·weight.
    pub weighted: V,
}

/// What a rule computes of the neighbors it sees, in order.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RuleParts<V> {
    /// Σ of what each neighbor [`adds`](Seen::adds), in slot order, from +0.
    pub sum: V,
    /// X, of which the response is made, and the numbers on the way to it.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub wanted: Wanted<V>,
    /// Which response the rule has.
    #[cfg_attr(feature = "serde", serde(rename = "response_kind"))]
    pub kind: Response,
    /// The response to X, not yet weighted.
    pub response: V,
    /// The rule's weight: the term is response·weight.
    pub weight: f32,
}

/// A whole model's steering. Parts inside a model are not listed.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ModelDecision<V> {
    /// The model.
    #[cfg_attr(feature = "serde", serde(rename = "name", serialize_with = "keys::model"))]
    pub model: Model,
    /// All within its radius that the boid's species counts, under the cap the nearest of them, in
    /// slot order, out of the model's own sight or not; the boid itself is among them where the
    /// model counts it.
    pub sees: Neighborhood<V>,
    /// What the model says.
    pub wanted: V,
    /// Push of the walls, where they push; it is one of the terms.
    pub walls: Option<V>,
    /// The further terms of the flock in the order they are taken; none where it has none.
    pub terms: Vec<TermParts<V>>,
    /// The model's word and the terms, added up in that order.
    pub sum: V,
    /// How both are joined.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "keys::joined"))]
    pub joined: TermSum,
    /// The result: [`TermSum::steering`] of `wanted` and `sum`.
    pub steering: V,
}

/// What a textbook flock of candidates alone does not know.
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
}

/// How values that are written in another way elsewhere are written in an explanation.
#[cfg(feature = "serde")]
mod keys {
    use serde::{Serialize, Serializer};

    use crate::terms::steering_kind::TermSum;
    use crate::{Combine, Interaction, Model, TextbookBoid};

    pub fn boid<V: Serialize, S: Serializer>(
        boid: &TextbookBoid<V>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        write_keys!(to, "boid": boid.id, "position": boid.position, "velocity": boid.velocity)
    }

    pub fn combine<S: Serializer>(combine: &Combine, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(combine.name())
    }

    pub fn interaction<S: Serializer>(of: &Interaction, to: S) -> Result<S::Ok, S::Error> {
        write_keys!(to, "kind": of.kind, "radius": of.radius, "weight": of.weight)
    }

    pub fn model<S: Serializer>(model: &Model, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(model.name())
    }

    pub fn joined<S: Serializer>(joined: &TermSum, to: S) -> Result<S::Ok, S::Error> {
        let (joined, speed) = match *joined {
            TermSum::Alone => ("alone", None),
            TermSum::Sum => ("sum", None),
            TermSum::Direction => ("direction", None),
            TermSum::Velocity(speed) => ("velocity", Some(speed)),
            TermSum::Kept => ("kept", None),
        };
        write_keys!(to, "joined": joined, "speed": speed)
    }
}
