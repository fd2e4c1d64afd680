//! What a flock does: agent limits, the three rules, and how their responses combine.
//!
//! Formulas are MODEL.md's; the numbers' units, defaults, ranges and effects are in [`knobs`](crate::knobs).

use alloc::{format, string::ToString, vec::Vec};

use crate::{
    Advance, Interaction, Model, ParamError, Species,
    knobs::{self, knob},
    math,
};

/// Default of a knob, as the struct literals below want it.
fn default_of(key: &str) -> f32 {
    knob(key).map_or(0.0, |k| k.default as f32)
}

/// All parameters of a flock. A rule that is `None` does not exist and costs nothing.
///
/// ```
/// use wingbeat_steer::{Alignment, Cohesion, Params, Perception, Separation, FieldOfView};
/// let view = FieldOfView::degrees(240.0);
/// let params = Params {
///     separation: Some(Separation { weight: 2.5, perception: Perception { radius: 0.5, view, ..Default::default() }, ..Default::default() }),
///     alignment: Some(Alignment { perception: Perception { view, ..Default::default() }, ..Default::default() }),
///     cohesion: Some(Cohesion::default()),
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
    /// Keep apart from neighbours.
    pub separation: Option<Separation>,
    /// Fly as neighbours fly.
    pub alignment: Option<Alignment>,
    /// Stay with neighbours.
    pub cohesion: Option<Cohesion>,
    /// How the responses become one force.
    pub combine: Combine,
    /// Terms to take first, in this order; those not named follow in the usual order
    /// (separation, alignment, cohesion, further rules as declared, interactions, drives as declared, obstacles, walls).
    pub priority: Vec<Term>,
    /// Mean neighbour count the cell shape is tuned for (`grid.expected_neighbors`); `None` = 20. Changes the order of sums.
    pub expected_neighbors: Option<f32>,
    /// Neighbour cap: every rule, the host's own too, looks at no more than this many, as if it were their
    /// [`nearest`](Perception::nearest) (where both are given, the smaller holds). Unit: boids; default none, range 1 to 32.
    /// Larger: more is looked at, and dense clumps cost more.
    pub max_neighbors: Option<u32>,
    /// Kinds of agents, each with limits and rules of its own: the flock's own (`agent`, `separation`, `alignment`, `cohesion`) must be
    /// left at their defaults then. Default: none, everybody is alike.
    pub species: Vec<Species>,
    /// What species mean to each other. Default: rules look at their own species alone.
    pub interactions: Vec<Interaction>,
    /// A whole model from the literature in place of rules, limits and combination, which must all be left at their
    /// defaults then. Default none.
    pub model: Option<Model>,
}

/// Limits of one agent (`[agent]`).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct AgentLimits {
    /// Speed is scaled down to this, length/time. Default 2.
    pub max_speed: f32,
    /// Speed is scaled up to this, length/time. Default 0.
    pub min_speed: f32,
    /// The combined force is cut to this. Default 5.
    pub max_force: f32,
    /// Divides the force. Default 1.
    pub mass: f32,
}

impl Default for AgentLimits {
    fn default() -> Self {
        Self {
            max_speed: default_of("agent.max_speed"),
            min_speed: default_of("agent.min_speed"),
            max_force: default_of("agent.max_force"),
            mass: default_of("agent.mass"),
        }
    }
}

/// Whom a rule sees: range and sight.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Perception {
    /// Perception radius, length. In range: d² ≤ r². Default 1.
    pub radius: f32,
    /// Sight cone about the heading. Default all round.
    pub view: FieldOfView,
    /// Neighbours with d² ≤ near_radius² are seen at any angle; 0 switches it off. Default 0.
    pub near_radius: f32,
    /// Topological neighbourhood: of those in range and sight only this many, the nearest by (d², id). Unit: boids; default none
    /// (all of them), range 1 to 32. Larger: smoother motion and a costlier step, nearer to a metric neighbourhood.
    ///
    /// Source: Ballerini et al. 2008, who found starlings to interact with the nearest six or seven.
    pub nearest: Option<u32>,
}

impl Default for Perception {
    fn default() -> Self {
        Self { radius: default_of("rule.radius"), view: FieldOfView::All, near_radius: 0.0, nearest: None }
    }
}

/// Sight: all round, or a cone about the heading.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum FieldOfView {
    /// Everyone in range is seen; no test is made.
    All,
    /// In sight when o·h ≥ cos_half·d.
    Cone {
        /// Cosine of half the field of view, −1…1.
        cos_half: f32,
    },
}

impl FieldOfView {
    /// A cone of `field_of_view` degrees (the whole angle); 360 is [`FieldOfView::All`]. An angle outside 0…360 has no cosine here
    /// (NaN), which [`Perception::check`] refuses.
    pub fn degrees(field_of_view: f64) -> Self {
        if field_of_view == 360.0 {
            Self::All
        } else if (0.0..360.0).contains(&field_of_view) {
            Self::Cone { cos_half: math::cos_half_view(field_of_view) }
        } else {
            Self::Cone { cos_half: f32::NAN }
        }
    }
}

/// How separation fades with distance d within radius r.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Falloff {
    /// f = max(1 − d·(1/r), 0).
    #[default]
    Linear,
    /// f = 1/d: unit vectors.
    Inverse,
    /// f = 1/d² (OpenSteer).
    InverseSquare,
}

/// What a rule makes of its sum X.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Response {
    /// X itself.
    #[default]
    Raw,
    /// X's direction.
    Unit,
    /// unit(X)·max_speed − v (Reynolds 1999). On alignment it requires `relative = false`.
    Steer,
    /// Separation only, falloff ignored: Σ over neighbours with d > 0 of v − (max_speed/d)·o.
    Flee,
}

/// Separation: S = −Σ f(d)·o over the neighbours seen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Separation {
    /// Factor on the response. Default 1.
    pub weight: f32,
    /// Whom it sees.
    pub perception: Perception,
    /// How it fades with distance.
    pub falloff: Falloff,
    /// What is made of the sum.
    pub response: Response,
}

/// Which quantity alignment averages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum AlignmentOf {
    /// Velocities.
    #[default]
    Velocity,
    /// Headings (unit velocities; a boid at rest counts as zero).
    Heading,
}

/// Alignment: A = mean(v) − own v, or of headings.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Alignment {
    /// Factor on the response. Default 1.
    pub weight: f32,
    /// Whom it sees.
    pub perception: Perception,
    /// What is averaged.
    pub of: AlignmentOf,
    /// Whether the own value is subtracted. Default true.
    pub relative: bool,
    /// Whether the own value is part of the mean. Default false.
    pub include_self: bool,
    /// What is made of the sum.
    pub response: Response,
}

/// Cohesion: C = mean(o), the way to the middle of the neighbours seen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Cohesion {
    /// Factor on the response. Default 1.
    pub weight: f32,
    /// Whom it sees.
    pub perception: Perception,
    /// What is made of the sum.
    pub response: Response,
}

impl Default for Separation {
    fn default() -> Self {
        Self { weight: 1.0, perception: Perception::default(), falloff: Falloff::Linear, response: Response::Raw }
    }
}

impl Default for Alignment {
    fn default() -> Self {
        Self {
            weight: 1.0,
            perception: Perception::default(),
            of: AlignmentOf::Velocity,
            relative: true,
            include_self: false,
            response: Response::Raw,
        }
    }
}

impl Default for Cohesion {
    fn default() -> Self {
        Self { weight: 1.0, perception: Perception::default(), response: Response::Raw }
    }
}

/// How the terms become one force, and how that moves the boid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Combine {
    /// F = Σ w·t, cut to max_force.
    #[default]
    Weighted,
    /// Terms in order, until their summed sizes use up max_force (Reynolds 1987).
    Prioritized,
    /// Only the direction of Σ w·t counts; speed is given.
    Direction(Cruise),
}

/// The `direction` combination's own knobs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Cruise {
    /// Speed along the chosen direction, length/time. Default 1.
    pub cruise_speed: f32,
    /// v approaches u·speed at this rate (1/time); 0 takes it at once. Default 0.
    pub smoothing_rate: f32,
    /// Whether a boid whose terms sum to zero stops; otherwise it keeps its velocity. Default false.
    pub stop_when_alone: bool,
}

impl Default for Cruise {
    fn default() -> Self {
        Self { cruise_speed: default_of("agent.cruise_speed"), smoothing_rate: 0.0, stop_when_alone: false }
    }
}

/// One term of the combined force.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Term {
    /// The separation rule.
    Separation,
    /// The alignment rule.
    Alignment,
    /// The cohesion rule.
    Cohesion,
    /// A rule of the host's own, counted from 0 in the order of declaration.
    Rule(usize),
    /// What species that flee, pursue or evade make of those they pick.
    Interactions,
    /// A drive, counted from 0 in the order of declaration.
    Drive(usize),
    /// Steering ahead of obstacles.
    Obstacles,
    /// The push of a walled domain.
    Walls,
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
    /// Refuses any knob outside its range and any combination that has no meaning.
    ///
    /// # Errors
    /// Names the first offending knob, its value and what is allowed.
    pub fn check(&self) -> Result<(), ParamError> {
        if let Some(model) = &self.model {
            self.check_alone(model)?;
            model.check()?;
        }
        self.agent.check()?;
        if let Some(s) = &self.separation {
            check_rule("separation", s.weight, &s.perception)?;
        }
        if let Some(a) = &self.alignment {
            check_alignment(a)?;
        }
        if let Some(c) = &self.cohesion {
            check_cohesion(c)?;
        }
        if let Combine::Direction(cruise) = &self.combine {
            knobs::check("agent.cruise_speed", "agent.cruise_speed", cruise.cruise_speed)?;
            knobs::check("agent.smoothing_rate", "agent.smoothing_rate", cruise.smoothing_rate)?;
        }
        if let Some(k) = self.expected_neighbors {
            knobs::check("grid.expected_neighbors", "grid.expected_neighbors", k)?;
        }
        check_nearest("max_neighbors", self.max_neighbors)?;
        self.check_species()?;
        for (i, term) in self.priority.iter().enumerate() {
            if self.priority[..i].contains(term) {
                return Err(ParamError::new("agent.priority", format!("{term:?} twice"), "each term once"));
            }
        }
        Ok(())
    }

    /// Refuses rules, limits or a combination beside a model, which would have no say.
    fn check_alone(&self, model: &Model) -> Result<(), ParamError> {
        let mut given = self.own_rules().to_vec();
        given.extend([
            ("agent.combine", self.combine != Combine::default()),
            ("agent.priority", !self.priority.is_empty()),
            ("max_neighbors", self.max_neighbors.is_some()),
            ("species", !self.species.is_empty()),
        ]);
        let allowed = format!("left out with model.name = {}, which takes the place of rules and limits", model.name());
        refuse_given(&given, &allowed)
    }

    /// Refuses rules and limits of the flock's own beside species, which have theirs.
    pub(crate) fn check_own_rules_absent(&self) -> Result<(), ParamError> {
        let mut given = self.own_rules().to_vec();
        given.push(("max_neighbors", self.max_neighbors.is_some()));
        refuse_given(&given, "left out with species, each of which has its own")
    }

    /// Rules and limits of the flock's own, and whether they are given.
    fn own_rules(&self) -> [(&'static str, bool); 4] {
        [
            ("separation", self.separation.is_some()),
            ("alignment", self.alignment.is_some()),
            ("cohesion", self.cohesion.is_some()),
            ("agent", self.agent != AgentLimits::default()),
        ]
    }

    /// What is made of a boid's steering.
    pub fn advance(&self) -> Advance {
        match (&self.model, self.combine) {
            (Some(model), _) => model.advance(),
            (None, Combine::Direction(cruise)) => Advance::Cruise(cruise),
            (None, _) => Advance::Accelerate,
        }
    }

    /// A rule's perception under the neighbour cap.
    #[must_use]
    pub fn capped(&self, perception: Perception) -> Perception {
        let nearest = match (perception.nearest, self.max_neighbors) {
            (Some(own), Some(cap)) => Some(own.min(cap)),
            (own, cap) => own.or(cap),
        };
        Perception { nearest, ..perception }
    }

    /// The largest perception radius of the rules present, or the model's; 0 without rules.
    pub fn largest_radius(&self) -> f32 {
        if let Some(model) = &self.model {
            return model.reach();
        }
        let perceptions =
            [self.separation.map(|s| s.perception), self.alignment.map(|a| a.perception), self.cohesion.map(|c| c.perception)];
        let own = perceptions.iter().flatten().fold(0.0, |r, p| math::max(r, p.radius));
        let of_species = self.species.iter().fold(own, |r, species| math::max(r, species.largest_radius()));
        let chases = self.interactions.iter().filter(|interaction| interaction.kind.chases());
        chases.fold(of_species, |r, chase| math::max(r, chase.radius))
    }

    /// The order in which terms are taken, those that the parameters do not tell included: [`priority`](Self::priority) first,
    /// then the rest as usual. Terms that do not exist in this flock are left out (obstacles and walls are always listed).
    pub fn term_order(&self, extras: Extras) -> Vec<Term> {
        let mut usual = Vec::new();
        // Species share one order, whichever rules each has.
        let all = !self.species.is_empty();
        usual.extend((all || self.separation.is_some()).then_some(Term::Separation));
        usual.extend((all || self.alignment.is_some()).then_some(Term::Alignment));
        usual.extend((all || self.cohesion.is_some()).then_some(Term::Cohesion));
        usual.extend((0..extras.rules).map(Term::Rule));
        usual.extend(self.interactions.iter().any(|i| i.kind.chases()).then_some(Term::Interactions));
        usual.extend((0..extras.drives).map(Term::Drive));
        usual.push(Term::Obstacles);
        usual.push(Term::Walls);
        let mut order: Vec<Term> = self.priority.iter().copied().filter(|t| usual.contains(t)).collect();
        usual.retain(|t| !order.contains(t));
        order.append(&mut usual);
        order
    }
}

impl AgentLimits {
    /// Refuses limits outside their ranges, or a minimum speed above the maximum.
    ///
    /// # Errors
    /// Names the knob, its value and what is allowed.
    pub fn check(&self) -> Result<(), ParamError> {
        knobs::check("agent.max_speed", "agent.max_speed", self.max_speed)?;
        knobs::check("agent.min_speed", "agent.min_speed", self.min_speed)?;
        knobs::check("agent.max_force", "agent.max_force", self.max_force)?;
        knobs::check("agent.mass", "agent.mass", self.mass)?;
        if self.min_speed > self.max_speed {
            let allowed = format!("at most agent.max_speed ({})", self.max_speed);
            return Err(ParamError::new("agent.min_speed", self.min_speed, allowed));
        }
        Ok(())
    }
}

impl Perception {
    /// Refuses a radius, cone, near radius or number of nearest outside its range; `rule` is the name to report.
    ///
    /// # Errors
    /// Names the knob, its value and what is allowed.
    pub fn check(&self, rule: &str) -> Result<(), ParamError> {
        knobs::check("rule.radius", &format!("{rule}.radius"), self.radius)?;
        if let FieldOfView::Cone { cos_half } = self.view {
            knobs::check("rule.cos_half_view", &format!("{rule}.cos_half_view"), cos_half)?;
        }
        knobs::check("rule.near_radius", &format!("{rule}.near_radius"), self.near_radius)?;
        check_nearest(&format!("{rule}.nearest"), self.nearest)
    }
}

fn refuse_given(given: &[(&'static str, bool)], allowed: &str) -> Result<(), ParamError> {
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((field, _)) => Err(ParamError::new(field, "given", allowed)),
    }
}

fn check_nearest(field: &str, nearest: Option<u32>) -> Result<(), ParamError> {
    match nearest {
        Some(k) if k == 0 || k > knobs::limit::NEAREST => {
            Err(ParamError::new(field, k, format!("1 to {}, or none", knobs::limit::NEAREST)))
        }
        _ => Ok(()),
    }
}

pub(crate) fn check_alignment(rule: &Alignment) -> Result<(), ParamError> {
    check_rule("alignment", rule.weight, &rule.perception)?;
    refuse_flee("alignment", rule.response)?;
    if rule.response == Response::Steer && rule.relative {
        return Err(ParamError::new("alignment.response", "steer", "raw or unit unless alignment.relative = false"));
    }
    Ok(())
}

pub(crate) fn check_cohesion(rule: &Cohesion) -> Result<(), ParamError> {
    check_rule("cohesion", rule.weight, &rule.perception)?;
    refuse_flee("cohesion", rule.response)
}

pub(crate) fn check_rule(rule: &str, weight: f32, perception: &Perception) -> Result<(), ParamError> {
    knobs::check("rule.weight", &format!("{rule}.weight"), weight)?;
    perception.check(rule)
}

fn refuse_flee(rule: &str, response: Response) -> Result<(), ParamError> {
    if response == Response::Flee {
        return Err(ParamError::new(format!("{rule}.response"), "flee".to_string(), "raw, unit or steer (flee is separation's)"));
    }
    Ok(())
}

/// A length of time one step covers: 0 < dt ≤ 1000, checked once so that a step cannot fail.
///
/// ```
/// use wingbeat_steer::TimeStep;
/// assert_eq!(TimeStep::new(0.02).unwrap().get(), 0.02);
/// assert!(TimeStep::new(0.0).is_err());
/// assert!(TimeStep::new(f32::NAN).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f32", into = "f32"))]
pub struct TimeStep(f32);

impl TimeStep {
    /// Checks a time step.
    ///
    /// # Errors
    /// When `dt` is not above 0 and at most 1000.
    pub fn new(dt: f32) -> Result<Self, ParamError> {
        if dt > 0.0 && dt <= knobs::limit::TIME_STEP {
            Ok(Self(dt))
        } else {
            Err(ParamError::new("flock.dt", crate::error::Decimal(dt), "above 0, at most 1000"))
        }
    }

    /// The time step.
    pub fn get(self) -> f32 {
        self.0
    }
}

impl TryFrom<f32> for TimeStep {
    type Error = ParamError;

    fn try_from(dt: f32) -> Result<Self, ParamError> {
        Self::new(dt)
    }
}

impl From<TimeStep> for f32 {
    fn from(dt: TimeStep) -> Self {
        dt.0
    }
}
