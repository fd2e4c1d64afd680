//! Parameters of a flock: agent limits, the rules, species, a model, and the order of terms.

pub(crate) mod bodies;
mod by_species;
pub(crate) mod parameter_table;
mod own_limits;
pub(crate) mod slicing;
pub(crate) mod species;
pub(crate) mod traits;

use crate::schema::parameter_info;
use alloc::{format, vec::Vec};

use crate::schema::parameter_info::Parameters;
use crate::terms::anticipation::{Anticipation, GettingThrough};
use crate::terms::rule::perception::check_nearest;
use crate::terms::rule::{RuleId, Rules};
use crate::{
    Advance, AgentLimits, Combine, Interaction, Model, ParamError, Perception, SolidBody, Species,
    SpeciesId, Term, math,
};

/// All parameters of a flock. A rule that is `None` does not exist and costs nothing.
///
/// ```
/// use wingbeat_steer::{
///     Alignment, Cohesion, FieldOfView, Params, Perception, Rules, Separation,
/// };
/// let view = FieldOfView::degrees(240.0);
/// let params = Params {
///     rules: Rules {
///         separation: Some(Separation {
///             weight: 2.5,
///             perception: Perception { radius: 0.5, view, ..Default::default() },
///             ..Default::default()
///         }),
///         alignment: Some(Alignment {
///             perception: Perception { view, ..Default::default() },
///             ..Default::default()
///         }),
///         cohesion: Some(Cohesion::default()),
///         ..Default::default()
///     },
///     ..Default::default()
/// };
/// assert!(params.check().is_ok());
/// assert_eq!(params.largest_radius(), 1.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Params {
    /// Speed, force and mass limits.
    pub agent: AgentLimits,
    /// What it makes of the neighbors it sees.
    pub rules: Rules,
    /// How the responses become one force.
    pub combine: Combine,
    /// Terms to take first, in this order; those not named follow in the usual order (rules, those
    /// of the host as declared, interactions, drives as declared, obstacles, walls).
    pub priority: Vec<Term>,
    /// Mean neighbor count the cell shape is tuned for (`grid.expected_neighbors`); `None` = 20.
    /// Changes the order of sums.
    pub expected_neighbors: Option<f32>,
    /// Neighbor cap: every rule of every species, the host's own rules and a model look at no more
    /// than this many, as if it were their [`nearest`](Perception::nearest) (where both are given,
    /// the smaller holds). Interactions that flee, pursue or evade are not limited by it. Unit:
    /// boids; default none, range 1 to 32. Larger: more is looked at, and dense clumps cost more.
    pub max_neighbors: Option<u32>,
    /// Kinds of agents, each with limits and rules of its own: the flock's own (`agent`,
    /// `rules`) must be left at their defaults then. Default: none, every boid is alike.
    pub species: Vec<Species>,
    /// What species mean to each other. Default: rules look at their own species alone.
    pub interactions: Vec<Interaction>,
    /// A whole model from the literature in place of rules, limits and combination, which must all
    /// be left at their defaults then, those of species too: it is the rule of every species.
    /// Further terms (drives, interactions, obstacles, walls, the host's own rules) are joined to
    /// what it says as [`TermSum`](crate::TermSum) tells. Default none.
    pub model: Option<Model>,
    /// Bodies that never overlap, of every boid. Default none: boids are points.
    pub body: Option<SolidBody>,
    /// How bodies avoid each other before they meet. Default none: they only stop when they do.
    pub anticipation: Option<Anticipation>,
    /// What those that anticipate do to get through, whatever the model.
    pub getting_through: GettingThrough,
}

/// How many terms a flock has that its parameters do not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Rules of the host's own.
    pub rules: usize,
    /// Drives.
    pub drives: usize,
}

impl Params {
    /// Separation, alignment and cohesion over the same neighbors ([`Rules::boids`]), all else by
    /// default.
    ///
    /// ```
    /// use wingbeat_steer::{FieldOfView, Params, Perception};
    /// let all_round = Params::boids(2.0);
    /// let view = FieldOfView::degrees(240.0);
    /// let ahead = Params::boids(Perception { radius: 2.0, view, ..Perception::default() });
    /// assert_eq!(all_round.largest_radius(), ahead.largest_radius());
    /// ```
    pub fn boids(perception: impl Into<Perception>) -> Self {
        Self { rules: Rules::boids(perception), ..Self::default() }
    }

    /// Refuses any parameter outside its range and any combination that has no meaning.
    ///
    /// # Errors
    /// Names the first offending parameter, its value and what is allowed.
    pub fn check(&self) -> Result<(), ParamError> {
        if let Some(model) = &self.model {
            self.check_alone(model)?;
            model.check()?;
        }
        self.agent.check()?;
        self.rules.check()?;
        if let Combine::Direction(cruise) = &self.combine {
            cruise.check_ranges("agent")?;
        }
        if let Some(k) = self.expected_neighbors {
            parameter_info::EXPECTED_NEIGHBORS.check("grid.expected_neighbors", k)?;
        }
        check_nearest("max_neighbors", self.max_neighbors)?;
        if let Some(body) = &self.body {
            body.check()?;
        }
        self.check_anticipation()?;
        self.check_species()?;
        for (i, term) in self.priority.iter().enumerate() {
            if self.priority[..i].contains(term) {
                return Err(ParamError::new(
                    "agent.priority",
                    format!("{term} twice"),
                    "each term once",
                ));
            }
        }
        Ok(())
    }

    /// Refuses a model of anticipation without bodies to avoid, and one that says forces where
    /// steering is not a force.
    fn check_anticipation(&self) -> Result<(), ParamError> {
        self.getting_through.check()?;
        let Some(anticipation) = &self.anticipation else { return Ok(()) };
        anticipation.check()?;
        let (field, name) = ("anticipation.kind", anticipation.name());
        if self.body.is_none() {
            return Err(ParamError::new(
                field,
                name,
                "left out without body.radius: it looks at bodies",
            ));
        }
        let forces = matches!(self.advance(), Advance::Accelerate | Advance::Unlimited);
        if !anticipation.is_velocity() && !forces {
            return Err(ParamError::new(
                field,
                name,
                "orca or collision_free_speed where steering is no force that another could be \
                    added to",
            ));
        }
        Ok(())
    }

    /// Refuses rules, limits or a combination beside a model, which would have no say.
    fn check_alone(&self, model: &Model) -> Result<(), ParamError> {
        let mut given = own_rules(&self.rules, &self.agent);
        given.extend([
            ("agent.combine", self.combine != Combine::default()),
            ("agent.priority", !self.priority.is_empty()),
        ]);
        let allowed = format!(
            "left out with model.name = {}, which takes the place of rules and limits",
            model.name()
        );
        refuse_given(&given, &allowed)?;
        self.species.iter().try_for_each(|species| {
            let named = |field: &str| format!("species.{}.{field}", species.name);
            refuse_given(&own_rules(&species.rules, &species.agent), &allowed)
                .map_err(|refusal| ParamError { field: named(&refusal.field), ..refusal })
        })
    }

    /// Refuses rules and limits of the flock's own beside species, which have theirs.
    pub(crate) fn check_own_rules_absent(&self) -> Result<(), ParamError> {
        let given = own_rules(&self.rules, &self.agent);
        refuse_given(&given, "left out with species, each of which has its own")
    }

    /// The meaning of steering, and so how it is integrated.
    pub fn advance(&self) -> Advance {
        match (&self.model, self.combine) {
            (Some(model), _) => model.advance(),
            (None, Combine::Direction(cruise)) => Advance::Cruise(cruise),
            (None, _) => Advance::Accelerate,
        }
    }

    /// What all boids of a species may do, before limits of their own
    /// ([`Traits::limits`](crate::Traits::limits) adds those): the limits of the species, or of a
    /// flock without species its [`agent`](Self::agent). With a model, whose boids have none, the
    /// usual limits with the model's constant speed for the maximum, where it has one
    /// ([`Advance::speed`]): drives and interactions go by that.
    ///
    /// ```
    /// use wingbeat_steer::{Params, SpeciesId, model::Couzin2002};
    /// let first = SpeciesId::default();
    /// let model = Couzin2002 { speed: 3.5, ..Default::default() }.into();
    /// assert_eq!(
    ///     Params { model: Some(model), ..Default::default() }.common_limits(first).max_speed,
    ///     3.5
    /// );
    /// assert_eq!(Params::default().common_limits(first).max_speed, 2.0);
    /// ```
    pub fn common_limits(&self, species: SpeciesId) -> AgentLimits {
        let limits = self.kind(species).map_or(self.agent, |kind| kind.agent);
        let speed = self.model.as_ref().and_then(|model| model.advance().speed());
        AgentLimits { max_speed: speed.unwrap_or(limits.max_speed), ..limits }
    }

    /// A rule's or model's perception under the neighbor cap.
    #[must_use]
    pub fn capped(&self, perception: Perception) -> Perception {
        let nearest = match (perception.nearest, self.max_neighbors) {
            (Some(own), Some(cap)) => Some(own.min(cap)),
            (own, cap) => own.or(cap),
        };
        Perception { nearest, ..perception }
    }

    /// The largest radius of the rules and interactions present, or of the model and interactions,
    /// or how far the largest bodies look for each other at least, three of their radii; 0 without
    /// any.
    pub fn largest_radius(&self) -> f32 {
        let of_model = self.model.as_ref().map_or(0.0, Model::reach);
        let bodies = self.largest_body();
        let of_bodies = self
            .anticipation
            .zip(self.body)
            .map_or(0.0, |(model, body)| model.reach(bodies * (1.0 + body.margin)));
        let of_model = math::max(of_model, math::max(of_bodies, 3.0 * bodies));
        let own = math::max(of_model, self.rules.largest_radius());
        let of_species = self
            .species
            .iter()
            .fold(own, |r, species| math::max(r, species.rules.largest_radius()));
        let chases = self.interactions.iter().filter(|interaction| interaction.kind.chases());
        chases.fold(of_species, |r, chase| math::max(r, chase.radius))
    }

    /// Whether the flock, or any of its species, has a rule.
    pub fn has_rule(&self, id: RuleId) -> bool {
        let species = self.species.iter().map(|species| &species.rules);
        species.chain([&self.rules]).any(|rules| rules.iter().any(|rule| rule.id == id))
    }

    /// The order in which terms are taken, those that the parameters do not tell included:
    /// [`priority`](Self::priority) first, then the rest as usual. Terms that do not exist in this
    /// flock are left out (obstacles and walls are always listed). With a model these are the
    /// further terms, which are joined to what it says.
    pub fn term_order(&self, extras: Extras) -> Vec<Term> {
        let mut usual = Vec::new();
        let rules = RuleId::ALL.iter().copied();
        usual.extend(rules.filter(|&id| self.has_rule(id)).map(Term::Rule));
        usual.extend((0..extras.rules).map(Term::HostRule));
        usual.extend(
            self.interactions.iter().any(|i| i.kind.chases()).then_some(Term::Interactions),
        );
        usual.extend((0..extras.drives).map(Term::Drive));
        usual.push(Term::Obstacles);
        usual.push(Term::Walls);
        let mut order: Vec<Term> =
            self.priority.iter().copied().filter(|t| usual.contains(t)).collect();
        usual.retain(|t| !order.contains(t));
        order.append(&mut usual);
        order
    }
}

/// The rules that are given, and the limits.
fn own_rules(rules: &Rules, agent: &AgentLimits) -> Vec<(&'static str, bool)> {
    let rules = rules.iter().map(|rule| (rule.name(), true));
    rules.chain([("agent", *agent != AgentLimits::default())]).collect()
}

fn refuse_given(given: &[(&'static str, bool)], allowed: &str) -> Result<(), ParamError> {
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((field, _)) => Err(ParamError::new(field, "given", allowed)),
    }
}
