//! Outlines of places that no scene has: the tank or the room of a recording.

use wingbeat::steer::ObstacleShape;

use super::{Segment, chains};
use crate::floor::plan_rings;

/// The outline of a shape of the plane, in its own coordinates.
pub fn outline(shape: &ObstacleShape<[f32; 2]>) -> Vec<Segment> {
    let mut lines = Vec::new();
    let narrow = |point: [f64; 3]| point.map(|x| x as f32);
    chains(shape, &mut |points: &[[f64; 3]]| {
        lines.extend(points.windows(2).map(|pair| [narrow(pair[0]), narrow(pair[1])]));
    });
    lines
}

/// The outlines of a floor plan: the rings of the polygons of a text in WKT.
///
/// # Errors
/// In one line, when it is none.
pub fn plan_outline(text: &str) -> Result<Vec<Segment>, String> {
    let rings = plan_rings(text)?;
    Ok(rings.into_iter().flat_map(|points| outline(&ObstacleShape::Polygon { points })).collect())
}
