//! Limits that differ from boid to boid: drawn by the seed and the boid's id alone, so that they
//! are the same whatever the order of boids, the threads, the parts of a flock and the host.

use alloc::format;

use crate::math::noise::{normal_of, stream};
use crate::{AgentLimits, ParamError, Params, Population, SpeciesId, Traits, schema::limit};

/// Where the distribution of maximum speeds ends, in standard deviations.
const ENDS_AT: f64 = 3.0;

/// The slowest of all has at least this part of `max_speed`.
const SLOWEST: f64 = 0.1;

impl AgentLimits {
    /// The maximum speed of the boid of an id, where boids differ: that of a person of
    /// `population`, or `max_speed` +
    /// `max_speed_spread`·[z](crate::math::noise::normal_of), in `f64` and then rounded.
    ///
    /// ```
    /// use wingbeat_steer::AgentLimits;
    /// let limits = AgentLimits { max_speed: 1.34, max_speed_spread: 0.26, ..Default::default() };
    /// let of = |id| limits.max_speed_of(7, id).unwrap();
    /// assert!((0..1000).all(|id| (0.56..2.12).contains(&of(id))));
    /// assert_ne!(of(1), of(2));
    /// assert_eq!(AgentLimits::default().max_speed_of(7, 1), None);
    /// ```
    pub fn max_speed_of(&self, seed: u64, id: u64) -> Option<f32> {
        let drawn = || {
            f64::from(self.max_speed)
                + f64::from(self.max_speed_spread) * normal_of(seed, id, stream::MAX_SPEED)
        };
        self.differs().then(|| self.population.max_speed_of(seed, id).unwrap_or_else(drawn) as f32)
    }

    /// Whether each boid has a maximum speed of its own.
    pub fn differs(&self) -> bool {
        self.max_speed_spread > 0.0 || self.population != Population::None
    }

    /// Refuses a spread of which the slowest would be slower than the minimum speed or hardly move,
    /// and the fastest out of range.
    pub(crate) fn check_spread(&self) -> Result<(), ParamError> {
        let slowest = self.population.slowest();
        if self.min_speed > slowest {
            let allowed =
                format!("at most {slowest}, the speed of the slowest of agent.population");
            return Err(ParamError::new("agent.min_speed", self.min_speed, allowed));
        }
        if self.population != Population::None && self.max_speed_spread != 0.0 {
            let allowed = "left out where agent.population is given, whose speeds differ anyway";
            return Err(ParamError::new("agent.max_speed_spread", self.max_speed_spread, allowed));
        }
        let [speed, least, spread] =
            [self.max_speed, self.min_speed, self.max_speed_spread].map(f64::from);
        let least = if least > SLOWEST * speed { least } else { SLOWEST * speed };
        let (below, above) = (speed - least, f64::from(limit::MAGNITUDE) - speed);
        let most = (if below < above { below } else { above }) / ENDS_AT;
        if spread <= most {
            return Ok(());
        }
        let allowed = format!(
            "0 to {}, so that three standard deviations from agent.max_speed ({}) lead neither \
             below agent.min_speed ({}) or a tenth of \
             agent.max_speed nor above 1e9",
            most as f32, self.max_speed, self.min_speed
        );
        Err(ParamError::new("agent.max_speed_spread", self.max_speed_spread, allowed))
    }
}

impl Params {
    /// Whether boids of any species have limits of their own, drawn by their ids.
    pub fn limits_differ(&self) -> bool {
        self.agent.differs() || self.species.iter().any(|species| species.agent.differs())
    }

    /// The maximum speed of a boid of a species, where they differ there; see
    /// [`AgentLimits::max_speed_of`].
    pub fn max_speed_of(&self, species: SpeciesId, seed: u64, id: u64) -> Option<f32> {
        self.kind(species).map_or(&self.agent, |species| &species.agent).max_speed_of(seed, id)
    }
}

impl Traits {
    /// With the limits drawn for the boid of an id, where those of its species differ and it has
    /// none of its own.
    #[must_use]
    pub fn drawn(self, params: &Params, seed: u64, id: u64) -> Self {
        Self {
            max_speed: self.max_speed.or_else(|| params.max_speed_of(self.species, seed, id)),
            ..self
        }
    }

    /// Without what [`drawn`](Self::drawn) gave it as one of a species: what is left is its own.
    #[must_use]
    pub fn undrawn(self, species: SpeciesId, params: &Params, seed: u64, id: u64) -> Self {
        let drawn = params.max_speed_of(species, seed, id);
        Self { max_speed: self.max_speed.filter(|_| self.max_speed != drawn), ..self }
    }
}
