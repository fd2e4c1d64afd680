//! `[avoidance]`, `[obstacle.NAME]`, and the walls of a `[floor]`.

use wingbeat::Domain;
use wingbeat::steer::obstacle::{MAX_OBSTACLES, Range};
use wingbeat::steer::{Avoidance, Obstacle, ObstacleMotion, Obstacles};

use super::named_table::NamedTable;
use super::scatter;
use crate::SceneError;
use crate::floor::Floor;
use crate::keys::{MotionKeys, MotionKind, SCATTER};
use crate::scene::Scene;

/// The keys that each motion has.
const MOTION_KEYS: [(MotionKind, &[&str]); 3] = [
    (MotionKind::Line, &["velocity", "range_min", "range_max", "ends"]),
    (MotionKind::Circle, &["orbit", "period"]),
    (MotionKind::Waypoints, &["waypoints", "speed"]),
];

pub(super) fn obstacles<const D: usize>(
    scene: &Scene,
    domain: &Domain<[f32; D]>,
    floor: Option<&Floor>,
) -> Result<Obstacles<[f32; D]>, SceneError> {
    let document = &scene.document;
    let avoidance = document.read("avoidance", Avoidance::default());
    check_count(scene, domain)?;
    let mut list: Vec<_> = floor.into_iter().flat_map(Floor::obstacles).collect();
    for table in NamedTable::all(document, "obstacle") {
        match table.read_kind() {
            None => scatter::scatter(&table, domain, scene.seed(), &mut list)?,
            Some(shape) => {
                let (name, motion) = (table.name().to_string(), motion(&table)?);
                list.push(Obstacle { name, shape, motion });
            }
        }
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
    for table in NamedTable::all(&scene.document, "obstacle") {
        let is_scatter = table.kind() == SCATTER;
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

fn motion<const D: usize>(table: &NamedTable<'_>) -> Result<ObstacleMotion<[f32; D]>, SceneError> {
    let given = table.read(MotionKeys::<[f32; D]>::default());
    for (motion, keys) in MOTION_KEYS {
        if let Some(key) = keys.iter().find(|key| motion != given.motion && table.has(key)) {
            let (name, owner) = (given.motion.word(), motion.word());
            let allowed = format!("left out with motion = {name}: it is a key of motion = {owner}");
            return Err(table.refuse(key, &allowed));
        }
    }
    let missing = |key, allowed: &str| table.refuse(key, allowed);
    Ok(match given.motion {
        MotionKind::Line => ObstacleMotion::Line {
            velocity: given.velocity.ok_or_else(|| missing("velocity", "a point: its velocity"))?,
            range: match (given.range_min, given.range_max) {
                (Some(min), Some(max)) => Some(Range { min, max, ends: given.ends }),
                (None, None) => None,
                (Some(_), None) => {
                    return Err(missing("range_min", "given together with range_max"));
                }
                (None, Some(_)) => {
                    return Err(missing("range_max", "given together with range_min"));
                }
            },
        },
        MotionKind::Circle => {
            let period = given.period.filter(|period| period.abs() >= 1e-3).ok_or_else(|| {
                missing("period", "a number, -1e9 to 1e9, at least 0.001 in size")
            })?;
            let center = given.orbit;
            let center = center.ok_or_else(|| missing("orbit", "a point: what it goes round"))?;
            ObstacleMotion::Circle { center, period: period as f32 }
        }
        MotionKind::Waypoints => {
            let needed = |key| missing(key, "given with motion = waypoints");
            ObstacleMotion::Waypoints {
                speed: given.speed.ok_or_else(|| needed("speed"))?,
                points: given.waypoints.ok_or_else(|| needed("waypoints"))?,
            }
        }
        MotionKind::Host => ObstacleMotion::Host,
        MotionKind::Static => ObstacleMotion::Static,
    })
}
