//! Traits: what one boid has of its own: species, stamina, limits, radius.

use alloc::format;

use crate::params::species::Stamina;
use crate::schema::parameter_info::Parameters;
use crate::{AgentLimits, ParamError, Params, SpeciesBody, SpeciesId, math};

/// What is a boid's own beside position and velocity: its species, what is left of its stamina,
/// limits that differ from its species'.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Traits {
    /// Its species.
    pub species: SpeciesId,
    /// Stamina spent, up to the capacity of its species.
    pub spent: f32,
    /// Whether it regains its stamina.
    pub resting: bool,
    /// Its own maximum speed, where it has one: for its velocity, its interactions and its drives;
    /// in a flock with a model for the last two.
    pub max_speed: Option<f32>,
    /// Its own mass, where it has one.
    pub mass: Option<f32>,
    /// The radius of its own body, where it has one; only in a flock with bodies.
    pub radius: Option<f32>,
}

impl Traits {
    /// Refuses a species that is not, stamina its species does not have, or a limit outside its
    /// range.
    ///
    /// # Errors
    /// Names it, its value and what is allowed.
    pub fn check(&self, params: &Params) -> Result<(), ParamError> {
        params.check_species_id("species", self.species)?;
        let capacity = self.capacity(params);
        if !(0.0..=capacity).contains(&self.spent) {
            return Err(ParamError::new(
                "spent",
                self.spent,
                format!("0 to {capacity}, the capacity of its species"),
            ));
        }
        if self.resting && capacity == 0.0 {
            return Err(ParamError::new("resting", true, "false in a species without stamina"));
        }
        if let Some(radius) = self.radius {
            let Some(parameter) =
                SpeciesBody::PARAMETERS.iter().find(|parameter| parameter.name() == "radius")
            else {
                return Ok(());
            };
            parameter.check("radius", radius)?;
            if params.body.is_none() {
                return Err(ParamError::new("radius", radius, "none in a flock without bodies"));
            }
        }
        for (key, value) in [("max_speed", self.max_speed), ("mass", self.mass)] {
            let parameter =
                AgentLimits::PARAMETERS.iter().find(|parameter| parameter.name() == key);
            if let (Some(parameter), Some(value)) = (parameter, value) {
                parameter.check(key, value)?;
            }
        }
        Ok(())
    }

    /// What is left of it where a flock takes other parameters. Who was of a species that is no
    /// more is of the first; no boid has spent more stamina than there is, or rests where there is
    /// none; and without bodies no boid keeps the radius of one.
    #[must_use]
    pub fn adapted(mut self, params: &Params) -> Self {
        if params.kind(self.species).is_none() {
            self.species = SpeciesId::default();
        }
        let capacity = self.capacity(params);
        self.spent = math::min(self.spent, capacity);
        self.resting &= capacity > 0.0;
        self.radius = self.radius.filter(|_| params.body.is_some());
        self
    }

    /// The stamina of its species, 0 where nothing tires.
    fn capacity(&self, params: &Params) -> f32 {
        params
            .kind(self.species)
            .and_then(|kind| kind.stamina)
            .map_or(0.0, |stamina| stamina.capacity)
    }

    /// What it may do: what is common to its species, or to the flock ([`Params::common_limits`]),
    /// and its own.
    pub fn limits(&self, params: &Params) -> AgentLimits {
        let common = params.common_limits(self.species);
        let max_speed = self.max_speed.unwrap_or(common.max_speed);
        AgentLimits {
            max_speed,
            min_speed: math::min(common.min_speed, max_speed),
            mass: self.mass.unwrap_or(common.mass),
            ..common
        }
    }

    /// The radius of its body: its own, that of its species, or that of the flock; 0 where boids
    /// are points.
    pub fn radius(&self, params: &Params) -> f32 {
        params.body_of(self.species).map_or(0.0, |body| self.radius.or(body.radius).unwrap_or(0.0))
    }

    /// After a step that it began busy or not.
    pub fn tire(&mut self, stamina: Option<&Stamina>, busy: bool, dt: f32) {
        let Some(stamina) = stamina else { return };
        if self.resting {
            self.spent -= stamina.recover * dt;
            if self.spent <= 0.0 {
                (self.spent, self.resting) = (0.0, false);
            }
        } else if busy {
            self.spent += stamina.drain * dt;
            if self.spent >= stamina.capacity {
                (self.spent, self.resting) = (stamina.capacity, true);
            }
        }
    }
}
