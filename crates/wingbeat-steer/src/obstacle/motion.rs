//! Motion of obstacles: a pure function of time, or set by the host.

use alloc::format;
use alloc::vec::Vec;

use super::shape::{length, wide};
use crate::obstacle::range::{OBSTACLE_LIMIT, placed};
use crate::{ParamError, Vector, check_range};

/// Where an obstacle is: its shape, turned about the world's origin and then shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Pose<V> {
    /// What is added to the shape's coordinates, length, within ±1e12.
    pub position: V,
    /// Degrees anticlockwise about the origin of the shape's coordinates, −360 to 360; 2-D only, 0
    /// in 3-D.
    pub angle: f32,
}

impl<V: Vector> Default for Pose<V> {
    fn default() -> Self {
        Self { position: V::origin(), angle: 0.0 }
    }
}

impl<V: Vector> Pose<V> {
    /// Refuses a pose out of range; `name` is whose.
    ///
    /// # Errors
    /// Names the value and what is allowed.
    pub fn check(&self, name: &str) -> Result<(), ParamError> {
        placed(&format!("{name}.position"), self.position)?;
        let most = if V::DIMENSIONS == 2 { 360.0 } else { 0.0 };
        check_range(format_args!("{name}.angle"), self.angle, -most, most)
    }
}

/// How an obstacle moves. Scripted motions shift its shape without turning it; where it is at time
/// t is evaluated in `f64` and rounded to `f32` once, so no error adds up.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ObstacleMotion<V> {
    /// It does not.
    #[default]
    Static,
    /// In a straight line: its middle is at middle + velocity·t, folded or wrapped into a range.
    Line {
        /// Length/time, components within ±1e9.
        velocity: V,
        /// Where the middle turns back or starts again; `None`: it goes on for ever.
        range: Option<Range<V>>,
    },
    /// Round a circle in the x-y plane: its middle goes about `center` once in `period`.
    Circle {
        /// What it goes about.
        center: V,
        /// Time of a turn, anticlockwise; negative: clockwise. 1e-3 to 1e9 in size.
        period: f32,
    },
    /// Along a closed line of points at constant speed: its middle is shifted by as much as a
    /// walker from the first point.
    Waypoints {
        /// 2 to 10,000 points; the last is joined to the first.
        points: Vec<V>,
        /// Length/time, 0 to 1e9.
        speed: f32,
    },
    /// As the host says by `Flock::set_obstacle_pose`, from step to step.
    Host,
}

/// A box for the middle of an obstacle that moves in a line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Range<V> {
    /// Lowest corner; the middle is in the box at time 0.
    pub min: V,
    /// Highest corner.
    pub max: V,
    /// What happens at its ends, axis by axis.
    pub ends: AtEnds,
}

choices! {
    /// What a moving obstacle does at the end of its range.
    #[non_exhaustive]
    pub enum AtEnds {
        /// It goes back as it came.
        #[default]
        TurnBack = "turn_back",
        /// It starts again at the other end, without pushing any boid on the way there.
        Wrap = "wrap",
    }
}

impl<V: Vector> ObstacleMotion<V> {
    pub(super) fn check(&self, name: &str) -> Result<(), ParamError> {
        const SPEED: f32 = crate::schema::limit::MAGNITUDE;
        match self {
            Self::Static | Self::Host => Ok(()),
            Self::Line { velocity, range } => {
                for a in 0..V::DIMENSIONS {
                    check_range(
                        format_args!("{name}.velocity[{a}]"),
                        velocity.axis(a),
                        -SPEED,
                        SPEED,
                    )?;
                }
                let Some(range) = range else { return Ok(()) };
                placed(&format!("{name}.range_min"), range.min)?;
                placed(&format!("{name}.range_max"), range.max)?;
                for a in 0..V::DIMENSIONS {
                    if range.max.axis(a) < range.min.axis(a) {
                        let allowed =
                            format!("at least {name}.range_min[{a}] = {}", range.min.axis(a));
                        return Err(ParamError::new(
                            format!("{name}.range_max[{a}]"),
                            range.max.axis(a),
                            allowed,
                        ));
                    }
                }
                Ok(())
            }
            Self::Circle { center, period } => {
                placed(&format!("{name}.center"), *center)?;
                let size = if *period < 0.0 { -period } else { *period };
                if (1e-3..=1e9).contains(&size) {
                    return Ok(());
                }
                Err(ParamError::new(format!("{name}.period"), period, "0.001 to 1e9 in size"))
            }
            Self::Waypoints { points, speed } => {
                if !(2..=10_000).contains(&points.len()) {
                    let value = format!("{} points", points.len());
                    return Err(ParamError::new(
                        format!("{name}.waypoints"),
                        value,
                        "2 to 10000 points",
                    ));
                }
                for (i, &point) in points.iter().enumerate() {
                    placed(&format!("{name}.waypoints[{i}]"), point)?;
                }
                check_range(format_args!("{name}.speed"), *speed, 0.0, SPEED)
            }
        }
    }

    /// Whether it can be anywhere else than at time 0.
    pub fn moves(&self) -> bool {
        !matches!(self, Self::Static)
    }

    /// How far the shape is from where it was at time 0, and its velocity, at time `t`; `middle` is
    /// the shape's at time 0. Of hosts' obstacles: nothing.
    pub(super) fn at(&self, middle: [f64; 3], t: f64) -> ([f64; 3], [f64; 3]) {
        match self {
            Self::Static | Self::Host => ([0.0; 3], [0.0; 3]),
            Self::Line { velocity, range } => {
                let v = wide(*velocity);
                let Some(range) = range else { return (v.map(|v| v * t), v) };
                let (low, high) = (wide(range.min), wide(range.max));
                let mut shift = [0.0; 3];
                let mut now = [0.0; 3];
                for a in 0..V::DIMENSIONS {
                    (shift[a], now[a]) =
                        in_range(middle[a], v[a], t, (low[a], high[a]), range.ends);
                }
                (shift, now)
            }
            Self::Circle { center, period } => {
                let turns = t / f64::from(*period);
                let angle = (turns - libm::floor(turns)) * core::f64::consts::TAU;
                let (sin, cos) = libm::sincos(angle);
                let (x, y) =
                    (middle[0] - f64::from(center.axis(0)), middle[1] - f64::from(center.axis(1)));
                let rate = core::f64::consts::TAU / f64::from(*period);
                let (now_x, now_y) = (cos * x - sin * y, sin * x + cos * y);
                ([now_x - x, now_y - y, 0.0], [-rate * now_y, rate * now_x, 0.0])
            }
            Self::Waypoints { points, speed } => along(points, f64::from(*speed), t),
        }
    }
}

/// Shift and velocity on one axis of what starts at `x`, kept in a range.
fn in_range(x: f64, v: f64, t: f64, (low, high): (f64, f64), ends: AtEnds) -> (f64, f64) {
    let side = high - low;
    if side <= 0.0 || v == 0.0 {
        return (0.0, 0.0);
    }
    let from = (x - low) + v * t;
    match ends {
        AtEnds::Wrap => (low + (from - side * libm::floor(from / side)) - x, v),
        AtEnds::TurnBack => {
            let round = 2.0 * side;
            let way = from - round * libm::floor(from / round);
            if way <= side { (low + way - x, v) } else { (low + (round - way) - x, -v) }
        }
    }
}

/// Shift and velocity of what walks along a closed line.
fn along<V: Vector>(points: &[V], speed: f64, t: f64) -> ([f64; 3], [f64; 3]) {
    let n = points.len();
    let leg = |i: usize| {
        let (a, b) = (wide(points[i]), wide(points[(i + 1) % n]));
        let way: [f64; 3] = core::array::from_fn(|d| b[d] - a[d]);
        (a, way, length(way))
    };
    let whole = (0..n).fold(0.0, |sum, i| sum + leg(i).2);
    if whole == 0.0 {
        return ([0.0; 3], [0.0; 3]);
    }
    let walked = speed * t;
    let mut left = walked - whole * libm::floor(walked / whole);
    let start = wide(points[0]);
    for i in 0..n {
        let (a, way, long) = leg(i);
        if left <= long && long > 0.0 {
            let part = left / long;
            return (
                core::array::from_fn(|d| (a[d] + way[d] * part) - start[d]),
                core::array::from_fn(|d| way[d] * (speed / long)),
            );
        }
        left -= long;
    }
    ([0.0; 3], [0.0; 3])
}

/// Rounded once, and kept within the range of coordinates: an obstacle that moves for ever stops
/// there.
pub(super) fn kept(x: f64) -> f32 {
    let limit = f64::from(OBSTACLE_LIMIT);
    (if x < -limit {
        -limit
    } else if x > limit {
        limit
    } else {
        x
    }) as f32
}
