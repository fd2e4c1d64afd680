//! `[avoidance]`, `[obstacle.NAME]`, and the walls of a `[floor]`.

use wingbeat::Domain;
use wingbeat::steer::obstacle::{AtEnds, MAX_OBSTACLES, Range};
use wingbeat::steer::parameters::{Kinds, SettingKind};
use wingbeat::steer::{Avoidance, Obstacle, ObstacleMotion, ObstacleShape, Obstacles, Vector};
use wingbeat::steer::{settings, words};

use super::named_table::NamedTable;
use super::scatter;
use crate::SceneError;
use crate::floor::Floor;
use crate::keys::Key;
use crate::scene::Scene;

words! {
    /// How an obstacle moves.
    pub(crate) enum MotionKind {
        #[default]
        Static = "static",
        Line = "line",
        Circle = "circle",
        Waypoints = "waypoints",
        Host = "host",
    }
}

settings! {
    /// How one obstacle moves.
    struct MotionKeys<V: Vector> in "obstacle." {}
    settings {
        motion: MotionKind = MotionKind::Static, "Whether it stands still, moves in a line, round \
            a circle, along a closed line of points, or as the host says by \
            `Flock::set_obstacle_pose`.";
        velocity: Option<V> = None, shown "required for line",
            in "length/time" from -1e9 => 1e9, "Line: its velocity.";
        range_min: Option<V> = None, shown "no range", in "length" from -1e12 => 1e12, "Line: \
            lowest corner of the box its middle stays in; needs range_max.";
        range_max: Option<V> = None, shown "no range", in "length" from -1e12 => 1e12, "Line: \
            highest corner of that box; needs range_min.";
        ends: AtEnds = AtEnds::TurnBack, shown "turn_back", "What happens at the ends of the \
            range: it goes back as it came, or starts again at the other end.";
        orbit: Option<V> = None, shown "required for circle", in "length" from -1e12 => 1e12,
            "Circle: what its middle goes round, in the x-y plane.";
        period: Option<f64> = None, shown "required for circle", in "time" from -1e9 => 1e9,
            "Circle: time of a turn, anticlockwise; negative: clockwise. At least 0.001 in size. \
            Larger: slower.";
        waypoints: Option<Vec<V>> = None, shown "required for waypoints", in "length",
            takes SettingKind::Points { least: 2, most: 1e12 }, "Waypoints: the points; it is \
            shifted by as much as a walker from the first.";
        speed: Option<f32> = None, shown "required for waypoints",
            in "length/time" from 0.0 => 1e9, "Waypoints: speed along the line. Larger: faster.";
    }
}

/// The keys that each motion has.
const MOTION_KEYS: [(MotionKind, &[&str]); 3] = [
    (MotionKind::Line, &["velocity", "range_min", "range_max", "ends"]),
    (MotionKind::Circle, &["orbit", "period"]),
    (MotionKind::Waypoints, &["waypoints", "speed"]),
];

/// The kind of many at random places.
const SCATTER: &str = "scatter";

/// The words of all shapes but those that are left out.
pub(super) fn shapes(but: &str) -> Vec<&'static str> {
    let words = ObstacleShape::<[f32; 2]>::KINDS.iter().map(|kind| kind.word);
    words.filter(|word| *word != but).collect()
}

/// The keys of each shape.
pub(super) fn shape_keys(section: &str, but: &str) -> Vec<Key> {
    let kinds = ObstacleShape::<[f32; 2]>::KINDS.iter().filter(|kind| kind.word != but);
    kinds
        .flat_map(|kind| {
            let keys = kind.settings.iter().map(|setting| Key::setting(section, setting));
            keys.map(|key| key.of_kind(&kind.word))
        })
        .collect()
}

/// Keys of `[avoidance]` and `[obstacle.NAME]`.
pub(super) fn keys() -> Vec<Key> {
    let single: &'static [&'static str] = shapes("").leak();
    let all = [single, &[SCATTER]].concat().leak();
    let about = "The shape: a ball or disc; all within a radius of a segment; a box; a segment \
        without thickness (2-D); a simple polygon (2-D); or many balls at random places. No boid \
        ends a step inside.";
    let mut keys = Key::all::<Avoidance>("avoidance");
    keys.push(Key::kind("obstacle.*", all, about));
    keys.extend(shape_keys("obstacle.*", ""));
    let scatter = Key::all::<scatter::Scatter<[f32; 2]>>("obstacle.*").into_iter();
    keys.extend(scatter.map(|key| key.of_kind(&SCATTER)));
    let motion = Key::all::<MotionKeys<[f32; 2]>>("obstacle.*").into_iter();
    keys.extend(motion.map(|key| key.of_kinds(single)));
    keys
}

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
