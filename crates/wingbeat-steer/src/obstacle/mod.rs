//! Obstacles: solids that boids steer round and never end a step inside.
//!
//! | what | where |
//! |---|---|
//! | what an obstacle is, and what is refused | this file, shape.rs, motion.rs |
//! | steering ahead | avoid.rs |
//! | where obstacles are at a time, and no boid inside | set/mod.rs |
//! | distances and paths, one solid at a time | solid.rs |
//! | places and fields of ways among obstacles that stand still | boxes.rs, box_tree.rs |

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::schema::parameter_info::Parameters;
use crate::{Domain, ObstacleId, ParamError, Vector};

mod avoid;
mod set;
mod motion;
mod range;
mod shape;
mod solid;
mod box_tree;
mod boxes;

pub use avoid::{Core, PARALLEL, Piece, Threat, images};
pub use boxes::ObstacleBoxes;
pub use motion::{AtEnds, ObstacleMotion, Pose, Range};
pub use range::OBSTACLE_LIMIT;
pub use set::{BodyReach, Everyone, Kept, Near, ObstacleHit, ObstacleSet, ObstacleState};
pub use shape::ObstacleShape;
pub(crate) use shape::{length, wide};
pub(crate) use solid::{Point, Solid};

/// Most obstacles of a flock.
pub const MAX_OBSTACLES: usize = 1_000_000;

/// A solid in the world.
///
/// ```
/// use wingbeat_steer::{Domain, Obstacle, ObstacleMotion, ObstacleShape, Obstacles};
/// let tree = Obstacle::new("tree", ObstacleShape::Sphere { center: [0.0, 0.0], radius: 2.0 });
/// let wagon = Obstacle {
///     motion: ObstacleMotion::Host,
///     ..Obstacle::new("wagon", ObstacleShape::Sphere { center: [9.0, 0.0], radius: 1.0 })
/// };
/// let obstacles = Obstacles::from(vec![tree, wagon]);
/// assert!(obstacles.check(&Domain::open()).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Obstacle<V> {
    /// Its name, for messages and to find it by; one of a kind in a flock.
    pub name: String,
    /// What it is made of, where it is at time 0.
    pub shape: ObstacleShape<V>,
    /// How it moves from there.
    pub motion: ObstacleMotion<V>,
}

impl<V> Obstacle<V> {
    /// One that stands still.
    pub fn new(name: impl Into<String>, shape: ObstacleShape<V>) -> Self {
        Self { name: name.into(), shape, motion: ObstacleMotion::Static }
    }
}

parameters! {
    /// How boids steer ahead of obstacles (Reynolds 1999, obstacle avoidance).
    ///
    /// The path x … x + v·horizon, seen from the obstacle, is looked at for where it comes nearer
    /// to the surface than `clearance`. The sooner it does, the stronger the push across the
    /// heading, away from the surface; a boid within the clearance already is pushed straight out
    /// as well. Of several obstacles the most urgent counts. docs/MODEL.md, *Obstacles*, has the
    /// formula.
    pub struct Avoidance in "avoidance." {
        weight: f32 = 10.0, "mass·length/time²", 0.0 => 1e9, "Push across the heading away from an \
            obstacle ahead, where it is most urgent.", "sharper turns; it shares max_force with \
                the other terms. 0: no boid steers ahead, and still none gets inside";
        horizon: f32 = 1.0, "time", 0.0 => 1e3, "Time looked ahead.", "turns begin earlier";
        clearance: f32 = 0.25, "length", 0.0 => 1e12, "Distance from obstacles that boids like to \
            keep.", "wider berths";
    }
}

/// All obstacles of a flock, and how boids steer ahead of them. No boid ends a step inside one,
/// whether it steers ahead or not.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Obstacles<V> {
    /// The obstacles. Their order decides where two are as urgent as each other.
    pub list: Vec<Obstacle<V>>,
    /// How boids steer ahead; `None`: they do not.
    pub avoidance: Option<Avoidance>,
}

/// None.
impl<V> Default for Obstacles<V> {
    fn default() -> Self {
        Self { list: Vec::new(), avoidance: None }
    }
}

/// These, and the usual avoidance.
impl<V> From<Vec<Obstacle<V>>> for Obstacles<V> {
    fn from(list: Vec<Obstacle<V>>) -> Self {
        Self { list, avoidance: Some(Avoidance::default()) }
    }
}

/// These, and the usual avoidance.
impl<V, const N: usize> From<[Obstacle<V>; N]> for Obstacles<V> {
    fn from(list: [Obstacle<V>; N]) -> Self {
        Vec::from(list).into()
    }
}

impl<V: Vector> Obstacles<V> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether boids steer ahead of any.
    pub fn steers(&self) -> bool {
        self.avoidance.is_some() && !self.is_empty()
    }

    /// The obstacle of this name.
    ///
    /// # Errors
    /// Names those that there are.
    pub fn named(&self, name: &str) -> Result<ObstacleId, ParamError> {
        ObstacleId::named(name, self.list.iter().map(|obstacle| &*obstacle.name))
    }

    /// Refuses shapes and motions that have no meaning, numbers out of range, names given twice,
    /// and in a periodic box whatever is longer than two sides.
    ///
    /// # Errors
    /// Names the obstacle, the value and what is allowed: `obstacle.tree.radius = -1: allowed is
    /// …`.
    #[inline(never)]
    pub fn check(&self, domain: &Domain<V>) -> Result<(), ParamError> {
        if self.list.len() > MAX_OBSTACLES {
            return Err(ParamError::new(
                "obstacles",
                self.list.len(),
                format!("at most {MAX_OBSTACLES}"),
            ));
        }
        if let Some(avoidance) = &self.avoidance {
            avoidance.check_ranges("avoidance")?;
        }
        let mut names: Vec<&str> =
            self.list.iter().map(|obstacle| obstacle.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(ParamError::new(
                format!("obstacle.{}", pair[0]),
                "given twice",
                "every name once",
            ));
        }
        for obstacle in &self.list {
            obstacle.check(domain)?;
        }
        Ok(())
    }
}

impl<V: Vector> Obstacle<V> {
    /// Refuses this one; see [`Obstacles::check`].
    ///
    /// # Errors
    /// Names the obstacle, the value and what is allowed.
    #[inline(never)]
    pub fn check(&self, domain: &Domain<V>) -> Result<(), ParamError> {
        let name = format!("obstacle.{}", self.name);
        if self.name.is_empty() {
            return Err(ParamError::new(
                "obstacle",
                "without a name",
                "a name of at least one letter",
            ));
        }
        self.shape.check(&name)?;
        self.motion.check(&name)?;
        if let ObstacleMotion::Line { range: Some(Range { min, max, .. }), .. } = &self.motion {
            let middle = self.shape.middle();
            for a in 0..V::DIMENSIONS {
                if middle.axis(a) < min.axis(a) || middle.axis(a) > max.axis(a) {
                    let allowed =
                        format!("{} to {}, its range of motion", min.axis(a), max.axis(a));
                    return Err(ParamError::new(
                        format!("{name}.middle[{a}]"),
                        middle.axis(a),
                        allowed,
                    ));
                }
            }
        }
        if !domain.is_periodic() {
            return Ok(());
        }
        let (low, high) = self.shape.bounds();
        for a in 0..V::DIMENSIONS {
            let (length, most) = (high[a] - low[a], 2.0 * f64::from(domain.side(a)));
            if length > most {
                let allowed = format!("at most two periodic sides of axis {a}: {most}");
                return Err(ParamError::new(format!("{name}.length"), length, allowed));
            }
        }
        Ok(())
    }
}
