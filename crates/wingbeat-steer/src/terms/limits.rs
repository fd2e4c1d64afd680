//! Limits of an agent, and the combination of terms.

use alloc::format;

use crate::schema::parameter_info::Parameters;
use crate::{ParamError, Population};

parameters! {
    /// Speeds, the most force and the mass of one agent (`[agent]`).
    pub struct AgentLimits in "agent." {
        max_speed: f32 = 2.0, "length/time", 0.0 => 1e9, "The new velocity is scaled down to this \
            before the boid moves.", "faster boids; they outrun their own perception when \
                max_speed·dt nears the radius";
        max_speed_spread: f32 = 0.0, "length/time", 0.0 => 1.5e8, "Standard deviation of max_speed \
            from boid to boid: each has a max_speed of its own, drawn by its id from a normal \
            distribution that ends at three standard deviations; a max_speed given to a boid alone \
            wins. At most a third of the way from max_speed down to min_speed, and to a tenth of \
            max_speed.", "the slow and the fast differ more, faster ones are held up oftener";
        min_speed: f32 = 0.0, "length/time", 0.0 => 1e9, "The new velocity is scaled up to this \
            before the boid moves; at most max_speed.", "boids that cannot stop or hover, as birds";
        max_force: f32 = 5.0, "mass·length/time²", 0.0 => 1e9, "The combined force is cut to this \
            length.", "sharper turns, quicker reactions, and jitter when far too large";
        mass: f32 = 1.0, "mass", 1e-9 => 1e9, "Divides the force.", "more sluggish boids";
    }
    settings {
        population: Population = Population::None, "Persons of a standard, in metres and seconds: \
            each has a max_speed of its own, drawn by its id, and max_speed counts for responses \
            of rules alone. imo: passengers of a ship (MSC.1/Circ.1533), 0.37 to 1.85; rimea: \
            visitors of a building by their ages, 0.4 to 2.5. Left out with max_speed_spread.";
    }
}

impl AgentLimits {
    /// Refuses limits outside their ranges, or a minimum speed above the maximum.
    ///
    /// # Errors
    /// Names the parameter, its value and what is allowed.
    pub fn check(&self) -> Result<(), ParamError> {
        self.check_ranges("agent")?;
        if self.min_speed > self.max_speed {
            let allowed = format!("at most agent.max_speed ({})", self.max_speed);
            return Err(ParamError::new("agent.min_speed", self.min_speed, allowed));
        }
        self.check_spread()
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

impl Combine {
    /// What a scene file calls them.
    pub const NAMES: &'static [&'static str] = &["weighted", "prioritized", "direction"];

    /// What a scene file calls it.
    pub fn name(&self) -> &'static str {
        Self::NAMES[match self {
            Self::Weighted => 0,
            Self::Prioritized => 1,
            Self::Direction(_) => 2,
        }]
    }
}

parameters! {
    /// The `direction` combination's own parameters.
    pub struct Cruise in "agent." {
        cruise_speed: f32 = 1.0, "length/time", 0.0 => 1e9, "Speed under the `direction` \
            combination.", "faster boids";
        smoothing_rate: f32 = 0.0, "1/time", 0.0 => 1e9, "How fast velocity approaches the chosen \
            direction; 0 turns at once.", "quicker turns (0 aside)";
    }
    settings {
        stop_when_alone: bool = false, "Under `direction`: whether a boid whose terms sum to zero \
            stops; otherwise it keeps its velocity.";
    }
}
