//! Shapes to keep away from, walk along or stay inside of.

use crate::schema::limit;
use crate::terms::behavior::geometry::{distance, length_and_direction};
use crate::{ParamError, Vector, check_components, check_range, math};

/// A solid that can say how far away its surface is: what obstacle avoidance, wall following,
/// containment and hiding need.
///
/// Implement it for your own walls; [`Sphere`], [`AxisBox`] and [`Capsule`] are provided.
///
/// ```
/// use wingbeat_steer::behavior::Shape;
/// /// Everything below y = 0.
/// struct Environment;
/// impl Shape<[f32; 2]> for Environment {
///     fn nearest(&self, point: [f32; 2]) -> ([f32; 2], f32) { ([0.0, 1.0], point[1]) }
///     fn middle(&self) -> [f32; 2] { [0.0, 0.0] }
///     fn size(&self) -> f32 { 0.0 }
/// }
/// assert_eq!(Environment.nearest([5.0, 2.0]), ([0.0, 1.0], 2.0));
/// ```
pub trait Shape<V: Vector> {
    /// The outward direction at `point` (a unit vector, or zero where there is none) and the signed
    /// distance of the surface: negative inside. The distance must never be overestimated.
    fn nearest(&self, point: V) -> (V, f32);

    /// A point well inside.
    fn middle(&self) -> V;

    /// Distance from the middle within which everything solid lies.
    fn size(&self) -> f32;
}

/// A ball: a disc in 2-D. Radius in world units, 0…1e12.
///
/// ```
/// use wingbeat_steer::behavior::{Shape, Sphere};
/// let tree = Sphere::new([0.0, 0.0], 2.0)?;
/// assert_eq!(tree.nearest([0.0, 5.0]), ([0.0, 1.0], 3.0));
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere<V> {
    center: V,
    radius: f32,
}

impl<V: Vector> Sphere<V> {
    /// A ball around `center`.
    ///
    /// # Errors
    /// A radius outside 0…1e12, a coordinate outside ±1e30.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Sphere;
    /// assert!(Sphere::new([0.0, 0.0], f32::NAN).is_err());
    /// ```
    pub fn new(center: V, radius: f32) -> Result<Self, ParamError> {
        check_components("sphere.center", center, limit::POSITION)?;
        check_range("sphere.radius", radius, 0.0, 1e12)?;
        Ok(Self { center, radius })
    }
}

impl<V: Vector> Shape<V> for Sphere<V> {
    fn nearest(&self, point: V) -> (V, f32) {
        let (distance, outward) = length_and_direction(point.minus(self.center));
        (outward, distance - self.radius)
    }

    fn middle(&self) -> V {
        self.center
    }

    fn size(&self) -> f32 {
        self.radius
    }
}

/// A box with faces across the axes, given by its lowest and highest corner.
///
/// ```
/// use wingbeat_steer::behavior::{AxisBox, Shape};
/// let house = AxisBox::new([-1.0, -1.0], [1.0, 1.0])?;
/// assert_eq!(house.nearest([3.0, 0.0]), ([1.0, 0.0], 2.0));
/// assert_eq!(house.nearest([0.0, 0.75]), ([0.0, 1.0], -0.25));
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisBox<V> {
    low: V,
    high: V,
}

impl<V: Vector> AxisBox<V> {
    /// The box between two corners.
    ///
    /// # Errors
    /// A coordinate outside ±1e30, or `high` below `low` on some axis.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::AxisBox;
    /// assert_eq!(AxisBox::new([0.0, 0.0], [1.0, -1.0]).unwrap_err().field, "axis_box.high[1]");
    /// ```
    pub fn new(low: V, high: V) -> Result<Self, ParamError> {
        check_components("axis_box.low", low, limit::POSITION)?;
        for a in 0..V::DIMENSIONS {
            check_range(format_args!("axis_box.high[{a}]"), high.axis(a), low.axis(a), 1e30)?;
        }
        Ok(Self { low, high })
    }
}

impl<V: Vector> Shape<V> for AxisBox<V> {
    fn nearest(&self, point: V) -> (V, f32) {
        let kept = V::from_fn(|a| math::clamp(point.axis(a), self.low.axis(a), self.high.axis(a)));
        if kept != point {
            let (distance, outward) = length_and_direction(point.minus(kept));
            return (outward, distance);
        }
        // Inside: out through the nearest face.
        let (mut face, mut side, mut depth) = (0, 1.0, f32::INFINITY);
        for a in 0..V::DIMENSIONS {
            let (below, above) =
                (point.axis(a) - self.low.axis(a), self.high.axis(a) - point.axis(a));
            if below < depth {
                (face, side, depth) = (a, -1.0, below);
            }
            if above < depth {
                (face, side, depth) = (a, 1.0, above);
            }
        }
        (V::from_fn(|a| if a == face { side } else { 0.0 }), -depth)
    }

    fn middle(&self) -> V {
        self.low.times(0.5).plus(self.high.times(0.5))
    }

    fn size(&self) -> f32 {
        distance(self.high, self.middle())
    }
}

/// All points within a radius of a line segment: walls, logs, lanes. Radius in world units, 0…1e12.
///
/// ```
/// use wingbeat_steer::behavior::{Capsule, Shape};
/// let wall = Capsule::new([-5.0, 0.0], [5.0, 0.0], 1.0)?;
/// assert_eq!(wall.nearest([2.0, 4.0]), ([0.0, 1.0], 3.0));
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule<V> {
    from: V,
    to: V,
    radius: f32,
}

impl<V: Vector> Capsule<V> {
    /// The capsule around the segment `from`–`to`.
    ///
    /// # Errors
    /// A radius outside 0…1e12, a coordinate outside ±1e30.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Capsule;
    /// assert!(Capsule::new([0.0, 0.0], [0.0, f32::INFINITY], 1.0).is_err());
    /// ```
    pub fn new(from: V, to: V, radius: f32) -> Result<Self, ParamError> {
        check_components("capsule.from", from, limit::POSITION)?;
        check_components("capsule.to", to, limit::POSITION)?;
        check_range("capsule.radius", radius, 0.0, 1e12)?;
        Ok(Self { from, to, radius })
    }
}

impl<V: Vector> Shape<V> for Capsule<V> {
    fn nearest(&self, point: V) -> (V, f32) {
        let (_, on_axis) = nearest_on_segment(self.from, self.to, point);
        let (distance, outward) = length_and_direction(point.minus(on_axis));
        (outward, distance - self.radius)
    }

    fn middle(&self) -> V {
        self.from.times(0.5).plus(self.to.times(0.5))
    }

    fn size(&self) -> f32 {
        distance(self.to, self.middle()) + self.radius
    }
}

/// The nearest point of the segment `from`–`to`: how far along it (world units), and the point.
pub(crate) fn nearest_on_segment<V: Vector>(from: V, to: V, point: V) -> (f32, V) {
    let (length, direction) = length_and_direction(to.minus(from));
    let along = math::clamp(point.minus(from).inner(direction), 0.0, length);
    // The far end is returned as it is, so that segments join without a gap of rounding.
    let nearest = if along >= length { to } else { from.plus(direction.times(along)) };
    (along, nearest)
}
