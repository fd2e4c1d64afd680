//! `[avoidance]`, `[obstacle.NAME]`, and the walls of a `[floor]`.

use wingbeat::Domain;
use wingbeat::steer::obstacle::{AtEnds, MAX_OBSTACLES, Range};
use wingbeat::steer::{Avoidance, Obstacle, ObstacleMotion, ObstacleShape, Obstacles};

use super::named_table::NamedTable;
use super::scatter::{self, scatter};
use crate::SceneError;
use crate::floor::Floor;
use crate::scene::Scene;

/// The keys that each motion has.
const MOTION_KEYS: [(&str, &[&str]); 3] = [
    ("line", &["velocity", "range_min", "range_max", "ends"]),
    ("circle", &["orbit", "period"]),
    ("waypoints", &["waypoints", "speed"]),
];

pub(super) fn obstacles<const D: usize>(
    scene: &Scene,
    domain: &Domain<[f32; D]>,
    floor: Option<&Floor>,
) -> Result<Obstacles<[f32; D]>, SceneError> {
    let (document, usual) = (&scene.document, Avoidance::default());
    let number = |key, usual| document.narrow(key).unwrap_or(usual);
    let avoidance = Avoidance {
        weight: number("avoidance.weight", usual.weight),
        horizon: number("avoidance.horizon", usual.horizon),
        clearance: number("avoidance.clearance", usual.clearance),
    };
    check_count(scene, domain)?;
    let mut list: Vec<_> = floor.into_iter().flat_map(Floor::obstacles).collect();
    for path in document.tables("obstacle") {
        let table = NamedTable { document, path };
        if table.text("kind") == Some("scatter") {
            scatter(&table, domain, scene.seed(), &mut list)?;
            continue;
        }
        let (shape, motion) = (shape(&table)?, motion(&table)?);
        list.push(Obstacle { name: table.name().to_string(), shape, motion });
    }
    let obstacles = Obstacles {
        avoidance: (!list.is_empty() && avoidance.weight > 0.0).then_some(avoidance),
        list,
    };
    obstacles.check(domain).map_err(|refusal| document.refuse_param(refusal))?;
    Ok(obstacles)
}

/// Refuses more obstacles than there may be before any is made: a line of text may stand for a
/// million.
fn check_count<const D: usize>(scene: &Scene, domain: &Domain<[f32; D]>) -> Result<(), SceneError> {
    let mut all = 0;
    for path in scene.document.tables("obstacle") {
        let table = NamedTable { document: &scene.document, path };
        let is_scatter = table.text("kind") == Some("scatter");
        let most = MAX_OBSTACLES as u64 - all;
        let count = if is_scatter { scatter::count(&table, domain)? } else { 1 };
        if count > most {
            let key = if table.has("spacing") {
                "spacing"
            } else if is_scatter {
                "count"
            } else {
                "kind"
            };
            let allowed = format!(
                "what makes at most {most}: all obstacles together are at most {MAX_OBSTACLES}"
            );
            return Err(table.refuse(key, &allowed));
        }
        all += count;
    }
    Ok(())
}

/// The shape that a table describes.
pub(super) fn shape<const D: usize>(
    table: &NamedTable<'_>,
) -> Result<ObstacleShape<[f32; D]>, SceneError> {
    let radius = table.narrow("radius", 1.0);
    let ends = || -> Result<_, SceneError> {
        Ok((table.needed("from", "one end")?, table.needed("to", "the other end")?))
    };
    Ok(match table.text("kind").unwrap_or_default() {
        "sphere" => ObstacleShape::Sphere { center: table.needed("center", "its middle")?, radius },
        "capsule" => {
            let (from, to) = ends()?;
            ObstacleShape::Capsule { from, to, radius }
        }
        "box" => ObstacleShape::Box {
            min: table.needed("min", "its lowest corner")?,
            max: table.needed("max", "its highest corner")?,
            angle: table.narrow("angle", 0.0),
        },
        "wall" => {
            let (from, to) = ends()?;
            ObstacleShape::Wall { from, to }
        }
        _ => ObstacleShape::Polygon { points: table.points("points") },
    })
}

fn motion<const D: usize>(table: &NamedTable<'_>) -> Result<ObstacleMotion<[f32; D]>, SceneError> {
    let name = table.text("motion").unwrap_or("static");
    for (motion, keys) in MOTION_KEYS {
        if let Some(key) = keys.iter().find(|key| motion != name && table.has(key)) {
            return Err(table.refuse(
                key,
                &format!("left out with motion = {name}: it is a key of motion = {motion}"),
            ));
        }
    }
    Ok(match name {
        "line" => {
            let corners = match (table.point("range_min"), table.point("range_max")) {
                (Some(min), Some(max)) => Some((min, max)),
                (None, None) => None,
                (Some(_), None) => {
                    return Err(table.refuse("range_min", "given together with range_max"));
                }
                (None, Some(_)) => {
                    return Err(table.refuse("range_max", "given together with range_min"));
                }
            };
            let ends =
                if table.text("ends") == Some("wrap") { AtEnds::Wrap } else { AtEnds::TurnBack };
            let range = corners.map(|(min, max)| Range { min, max, ends });
            ObstacleMotion::Line { velocity: table.needed("velocity", "its velocity")?, range }
        }
        "circle" => {
            let period = table.number("period").filter(|period| period.abs() >= 1e-3);
            let period = period.ok_or_else(|| {
                table.refuse("period", "a number, -1e9 to 1e9, at least 0.001 in size")
            })?;
            ObstacleMotion::Circle {
                center: table.needed("orbit", "what it goes round")?,
                period: period as f32,
            }
        }
        "waypoints" => {
            let missing = |key| table.refuse(key, "given with motion = waypoints");
            let speed = table.number("speed").ok_or_else(|| missing("speed"))? as f32;
            if !table.has("waypoints") {
                return Err(missing("waypoints"));
            }
            ObstacleMotion::Waypoints { points: table.points("waypoints"), speed }
        }
        "host" => ObstacleMotion::Host,
        _ => ObstacleMotion::Static,
    })
}
