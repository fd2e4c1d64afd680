//! The accepted range of coordinates of obstacles.

use crate::{ParamError, Vector, check_components};

/// Largest coordinate, radius and speed of an obstacle: 1e12, so that squares of distances fit.
pub const OBSTACLE_LIMIT: f32 = 1e12;

/// Refuses a point with a coordinate out of range.
pub(crate) fn placed<V: Vector>(field: &str, point: V) -> Result<(), ParamError> {
    check_components(field, point, OBSTACLE_LIMIT)
}
