//! The table of all parameters that hold for any flock, by key.

use crate::schema::parameter_info::{
    COS_HALF_VIEW, DT, EXPECTED_NEIGHBORS, FIELD_OF_VIEW, MARGIN, ParameterInfo, STRENGTH,
};
use crate::schema::parameters::Parameters;
use crate::{AgentLimits, Cohesion, Cruise, Perception};

/// What every flock, rule and domain has, in the order of a scene file. Drives, obstacles, species
/// and models have tables of their own, [`Parameters::PARAMETERS`].
pub const PARAMETERS: &[ParameterInfo] = {
    let [radius, near_radius] = Perception::PARAMETERS else {
        panic!("a rule's radius and its near radius")
    };
    let [weight] = Cohesion::PARAMETERS else { panic!("a rule's weight") };
    let [max_speed, max_speed_spread, min_speed, max_force, mass] = AgentLimits::PARAMETERS else {
        panic!("an agent's limits")
    };
    let [cruise_speed, smoothing_rate] = Cruise::PARAMETERS else {
        panic!("the numbers of the direction combination")
    };
    &[
        DT,
        *max_speed,
        *max_speed_spread,
        *min_speed,
        *max_force,
        *mass,
        *cruise_speed,
        *smoothing_rate,
        *weight,
        *radius,
        FIELD_OF_VIEW,
        COS_HALF_VIEW,
        *near_radius,
        MARGIN,
        STRENGTH,
        EXPECTED_NEIGHBORS,
    ]
};

/// The parameter with this key (rules' keys as `rule.weight`).
pub fn parameter(key: &str) -> Option<&'static ParameterInfo> {
    PARAMETERS.iter().find(|k| k.key == key)
}
