//! Shapes of obstacles.

use alloc::format;
use alloc::vec::Vec;

use crate::obstacle::range::{OBSTACLE_LIMIT, placed};
use crate::schema::limit::SMALLEST;
use crate::schema::setting::SettingKind;
use crate::{ParamError, Vector, check_range};

/// Most corners of a polygon.
const MAX_CORNERS: usize = 10_000;

kinds! {
    /// A solid's form and place, in the world's coordinates at time 0. Coordinates within ±1e12.
    #[non_exhaustive]
    #[derive(Clone, Debug, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
    pub enum ObstacleShape<V: Vector> {
        /// A ball, a disc in 2-D.
        Sphere = "sphere" {
            center: V = V::origin(), shown "required", in "length" from -1e12 => 1e12, "Its \
                middle.";
            radius: f32 = 1.0, shown "required", in "length" from 1e-9 => 1e12, "Its radius.";
        }
        /// All points within a radius of a segment.
        Capsule = "capsule" {
            from: V = V::origin(), shown "required", in "length" from -1e12 => 1e12, "One end of \
                the segment.";
            to: V = V::origin(), shown "required", in "length" from -1e12 => 1e12, "The other end.";
            radius: f32 = 1.0, shown "required", in "length" from 1e-9 => 1e12, "Half its \
                thickness.";
        }
        /// A box with faces across the axes, in 2-D turned about its middle.
        Box = "box" {
            min: V = V::origin(), shown "required", in "length" from -1e12 => 1e12, "Lowest \
                corner.";
            max: V = V::origin(), shown "required", in "length" from -1e12 => 1e12, "Highest \
                corner, above min on every axis.";
            angle: f32 = 0.0, in "degrees" from -360.0 => 360.0, "Degrees anticlockwise about its \
                middle; 2-D only.";
        }
        /// A segment without thickness that no boid crosses; 2-D only. In space a thin box does
        /// the same.
        Wall = "wall" {
            from: V = V::origin(), shown "required", in "length" from -1e12 => 1e12, "One end of \
                the segment.";
            to: V = V::origin(), shown "required", in "length" from -1e12 => 1e12, "The other end.";
        }
        /// A simple polygon, either way round, not necessarily convex; 2-D only.
        Polygon = "polygon" {
            points: Vec<V> = Vec::new(), shown "required", in "length",
                takes SettingKind::Points { least: 3, most: 1e12 }, "3 to 10,000 corners in \
                order, either way round; the last is joined to the first. Edges meet only at \
                corners.";
        }
    }
}

impl<V: Vector> ObstacleShape<V> {
    /// Refuses what is no solid; `name` is whose, `obstacle.tree`.
    pub(crate) fn check(&self, name: &str) -> Result<(), ParamError> {
        let flat = |kind: &str| match V::DIMENSIONS {
            2 => Ok(()),
            _ => Err(ParamError::new(
                format!("{name}.kind"),
                kind,
                "sphere, capsule or box in three dimensions",
            )),
        };
        let thick = |radius: f32| {
            check_range(format_args!("{name}.radius"), radius, SMALLEST, OBSTACLE_LIMIT)
        };
        match self {
            Self::Sphere { center, radius } => {
                placed(&format!("{name}.center"), *center)?;
                thick(*radius)
            }
            Self::Capsule { from, to, radius } => {
                placed(&format!("{name}.from"), *from)?;
                placed(&format!("{name}.to"), *to)?;
                thick(*radius)
            }
            Self::Box { min, max, angle } => {
                placed(&format!("{name}.min"), *min)?;
                placed(&format!("{name}.max"), *max)?;
                for a in 0..V::DIMENSIONS {
                    if max.axis(a) <= min.axis(a) {
                        let allowed = format!("above {name}.min[{a}] = {}", min.axis(a));
                        return Err(ParamError::new(
                            format!("{name}.max[{a}]"),
                            max.axis(a),
                            allowed,
                        ));
                    }
                }
                if V::DIMENSIONS == 3 && *angle != 0.0 {
                    return Err(ParamError::new(
                        format!("{name}.angle"),
                        angle,
                        "0 in three dimensions",
                    ));
                }
                check_range(format_args!("{name}.angle"), *angle, -360.0, 360.0)
            }
            Self::Wall { from, to } => {
                flat("wall")?;
                placed(&format!("{name}.from"), *from)?;
                placed(&format!("{name}.to"), *to)?;
                if from == to {
                    return Err(ParamError::new(
                        format!("{name}.to"),
                        format!("{to:?}"),
                        format!("another point than {name}.from"),
                    ));
                }
                Ok(())
            }
            Self::Polygon { points } => {
                flat("polygon")?;
                check_polygon(name, points)
            }
        }
    }

    /// Whether it has no inside.
    pub fn is_thin(&self) -> bool {
        matches!(self, Self::Wall { .. })
    }

    /// A point in its middle, which scripted motions are about: the center, the middle of the
    /// segment or box, the mean corner.
    pub fn middle(&self) -> V {
        let half = |a: V, b: V| {
            V::from_fn(|i| (f64::from(a.axis(i)) * 0.5 + f64::from(b.axis(i)) * 0.5) as f32)
        };
        match self {
            Self::Sphere { center, .. } => *center,
            Self::Capsule { from, to, .. } | Self::Wall { from, to } => half(*from, *to),
            Self::Box { min, max, .. } => half(*min, *max),
            Self::Polygon { points } => V::from_fn(|i| {
                let sum = points.iter().fold(0.0, |sum, p| sum + f64::from(p.axis(i)));
                (sum / points.len() as f64) as f32
            }),
        }
    }

    /// Corners of the flat ones, in the world's coordinates at time 0: a box's from its lowest on,
    /// anticlockwise.
    pub(super) fn corners(&self) -> Vec<[f64; 3]> {
        match self {
            Self::Sphere { center, .. } => [*center].map(wide).to_vec(),
            Self::Capsule { from, to, .. } | Self::Wall { from, to } => {
                [*from, *to].map(wide).to_vec()
            }
            Self::Polygon { points } => points.iter().map(|&p| wide(p)).collect(),
            Self::Box { min, max, angle } => {
                let (low, high) = (wide(*min), wide(*max));
                if V::DIMENSIONS == 3 {
                    return [low, high].to_vec();
                }
                let middle = [0, 1].map(|a| low[a] * 0.5 + high[a] * 0.5);
                let (sin, cos) = sin_cos_degrees(*angle);
                let turned = |x: f64, y: f64| {
                    let (x, y) = (x - middle[0], y - middle[1]);
                    [middle[0] + (cos * x - sin * y), middle[1] + (sin * x + cos * y), 0.0]
                };
                let corners =
                    [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
                corners
                    .map(|[x, y]| if *angle == 0.0 { [x, y, 0.0] } else { turned(x, y) })
                    .to_vec()
            }
        }
    }

    /// Its radius about the corners.
    pub(super) fn radius(&self) -> f64 {
        match self {
            Self::Sphere { radius, .. } | Self::Capsule { radius, .. } => f64::from(*radius),
            _ => 0.0,
        }
    }

    /// The box it fills.
    pub fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let r = self.radius();
        for corner in self.corners() {
            for a in 0..3 {
                low[a] = if corner[a] - r < low[a] { corner[a] - r } else { low[a] };
                high[a] = if corner[a] + r > high[a] { corner[a] + r } else { high[a] };
            }
        }
        (low, high)
    }
}

/// A point with three coordinates.
pub(crate) fn wide<V: Vector>(point: V) -> [f64; 3] {
    core::array::from_fn(|a| if a < V::DIMENSIONS { f64::from(point.axis(a)) } else { 0.0 })
}

/// Sine and cosine of an angle in degrees, exact at quarter turns.
pub(super) fn sin_cos_degrees(degrees: f32) -> (f64, f64) {
    let quarters = f64::from(degrees) / 90.0;
    if quarters == libm::floor(quarters) {
        return [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)]
            [(quarters as i64).rem_euclid(4) as usize];
    }
    libm::sincos(f64::from(degrees) * (core::f64::consts::PI / 180.0))
}

/// Twice the area that a, b, c go round anticlockwise.
fn turn(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn check_polygon<V: Vector>(name: &str, points: &[V]) -> Result<(), ParamError> {
    let n = points.len();
    if !(3..=MAX_CORNERS).contains(&n) {
        return Err(ParamError::new(
            format!("{name}.points"),
            format!("{n} points"),
            format!("3 to {MAX_CORNERS} points"),
        ));
    }
    for (i, &point) in points.iter().enumerate() {
        placed(&format!("{name}.points[{i}]"), point)?;
    }
    let corners: Vec<[f64; 3]> = points.iter().map(|&p| wide(p)).collect();
    let area = (1..n - 1).fold(0.0, |sum, i| sum + turn(corners[0], corners[i], corners[i + 1]));
    // Edges first: a figure of eight may have no area either.
    for i in 0..n {
        let (a, b) = (corners[i], corners[(i + 1) % n]);
        if a == b {
            let value = format!("edge {i} (points {i} and {}) without length", (i + 1) % n);
            return Err(ParamError::new(
                format!("{name}.points"),
                value,
                "corners that differ from the next",
            ));
        }
        for j in i + 1..n {
            let (c, d) = (corners[j], corners[(j + 1) % n]);
            let touches = match (j == i + 1, (j + 1) % n == i) {
                // Neighbors share a corner; they may not lie on each other.
                (true, _) => folds_back(a, b, d),
                (_, true) => folds_back(d, a, b) || folds_back(c, d, b),
                _ => cross(a, b, c, d),
            };
            if touches && (n > 3 || area == 0.0) {
                let value = format!(
                    "edge {i} (points {i} and {}) meets edge {j} (points {j} and {})",
                    (i + 1) % n,
                    (j + 1) % n
                );
                return Err(ParamError::new(
                    format!("{name}.points"),
                    value,
                    "edges that meet only at their shared corners",
                ));
            }
        }
    }
    if area == 0.0 {
        return Err(ParamError::new(format!("{name}.points"), "area 0", "an area above 0"));
    }
    Ok(())
}

/// Whether the way from b on to c lies on that from a to b.
fn folds_back(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> bool {
    let along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
    turn(a, b, c) == 0.0 && along < 0.0
}

/// Whether two segments have a point in common.
fn cross(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> bool {
    let apart = |i: usize| {
        let (low, high) = (least(a[i], b[i]), -least(-a[i], -b[i]));
        let (from, to) = (least(c[i], d[i]), -least(-c[i], -d[i]));
        high < from || to < low
    };
    if apart(0) || apart(1) {
        return false;
    }
    let same_side = |p: f64, q: f64| (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
    !same_side(turn(a, b, c), turn(a, b, d)) && !same_side(turn(c, d, a), turn(c, d, b))
}

fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The length of a wide vector, without overflow within ±1e30.
pub(crate) fn length(v: [f64; 3]) -> f64 {
    let squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    #[cfg(feature = "std")]
    {
        squared.sqrt()
    }
    #[cfg(not(feature = "std"))]
    {
        libm::sqrt(squared)
    }
}
