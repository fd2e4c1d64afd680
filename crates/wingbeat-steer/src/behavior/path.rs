//! Path following: a polyline with a width.

use alloc::vec::Vec;

use super::geometry::{distance, heading, predict};
use super::seek::{arrive, match_speed, seek};
use super::shape::nearest_on_segment;
use crate::error::check_places;
use crate::{ParamError, Vector, check_range, math};

/// A road: a polyline with a radius, open or looped.
///
/// Radius in world units, 0…1e12; larger leaves more freedom. Lengths along the path start at its first point.
///
/// ```
/// use wingbeat_steer::behavior::Path;
/// let road = Path::open([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]], 1.0)?;
/// assert_eq!(road.length(), 20.0);
/// assert_eq!(road.at(15.0), [10.0, 5.0]);
/// assert_eq!(road.nearest([4.0, 3.0]), (4.0, [4.0, 0.0]));
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Reynolds 1999.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "crate::serial::Road<V>",
        into = "crate::serial::Road<V>",
        bound(serialize = "V: crate::Vector + serde::Serialize", deserialize = "V: crate::Vector + serde::Deserialize<'de>")
    )
)]
pub struct Path<V> {
    points: Vec<V>,
    /// Length along the path at each point.
    marks: Vec<f32>,
    radius: f32,
    looped: bool,
}

impl<V: Vector> Path<V> {
    /// A path from the first point to the last.
    ///
    /// # Errors
    /// No point (`path.points` = 0 is outside 1…), a coordinate outside ±1e30, a radius outside 0…1e12.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Path;
    /// assert_eq!(Path::<[f32; 2]>::open([], 1.0).unwrap_err().field, "path.points");
    /// ```
    pub fn open(points: impl IntoIterator<Item = V>, radius: f32) -> Result<Self, ParamError> {
        Self::build(points.into_iter().collect(), radius, false)
    }

    /// A path that leads from the last point back to the first.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Path;
    /// let ring = Path::looped([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]], 1.0)?;
    /// assert_eq!(ring.length(), 12.0);
    /// assert_eq!(ring.at(14.0), [2.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn looped(points: impl IntoIterator<Item = V>, radius: f32) -> Result<Self, ParamError> {
        let mut points: Vec<V> = points.into_iter().collect();
        points.extend(points.first().copied());
        Self::build(points, radius, true)
    }

    fn build(points: Vec<V>, radius: f32, looped: bool) -> Result<Self, ParamError> {
        check_range("path.radius", radius, 0.0, 1e12)?;
        check_places("path.points", &points)?;
        let mut length = 0.0;
        let mut marks = Vec::with_capacity(points.len());
        marks.push(0.0);
        for pair in points.windows(2) {
            length += distance(pair[0], pair[1]);
            marks.push(length);
        }
        Ok(Self { points, marks, radius, looped })
    }

    /// Half the path's width, in world units.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Path;
    /// assert_eq!(Path::open([[0.0, 0.0]], 1.5)?.radius(), 1.5);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The points, each once.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Path;
    /// assert_eq!(Path::looped([[0.0, 0.0], [4.0, 0.0]], 1.0)?.waypoints(), [[0.0, 0.0], [4.0, 0.0]]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn waypoints(&self) -> &[V] {
        let repeated = usize::from(self.looped);
        &self.points[..self.points.len() - repeated]
    }

    /// Whether it leads from the last point back to the first.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Path;
    /// assert!(!Path::open([[0.0, 0.0]], 1.0)?.is_looped());
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn is_looped(&self) -> bool {
        self.looped
    }

    /// Whole length, in world units.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Path;
    /// assert_eq!(Path::open([[0.0, 0.0], [3.0, 4.0]], 1.0)?.length(), 5.0);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn length(&self) -> f32 {
        self.marks[self.marks.len() - 1]
    }

    /// The point at a length along the path: beyond the ends of an open path its end, on a loop round and round.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Path;
    /// let road = Path::open([[0.0, 0.0], [10.0, 0.0]], 1.0)?;
    /// assert_eq!((road.at(2.0), road.at(99.0)), ([2.0, 0.0], [10.0, 0.0]));
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn at(&self, along: f32) -> V {
        let length = self.length();
        let turns = if self.looped && length > 0.0 { libm::floorf(along / length) } else { 0.0 };
        let along = math::clamp(along - turns * length, 0.0, length);
        let segment = self.marks.partition_point(|&mark| mark <= along);
        if segment == 0 || segment == self.points.len() {
            return self.points[if segment == 0 { 0 } else { segment - 1 }];
        }
        let (from, to) = (self.points[segment - 1], self.points[segment]);
        predict(from, to.minus(from).unit(), along - self.marks[segment - 1])
    }

    /// The nearest point of the path: its length along it, and the point. Linear in the number of points.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Path;
    /// let road = Path::open([[0.0, 0.0], [10.0, 0.0]], 1.0)?;
    /// assert_eq!(road.nearest([12.0, 3.0]), (10.0, [10.0, 0.0]));
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn nearest(&self, point: V) -> (f32, V) {
        let mut best = (0.0, self.points[0]);
        let mut shortest = distance(point, best.1);
        for (segment, pair) in self.points.windows(2).enumerate() {
            let (along, nearest) = nearest_on_segment(pair[0], pair[1], point);
            let length = distance(point, nearest);
            if length < shortest {
                (shortest, best) = (length, (self.marks[segment] + along, nearest));
            }
        }
        best
    }

    /// Whether `along` (a length) moves forward to `then`: on a loop the shorter way round counts.
    fn forward(&self, along: f32, then: f32) -> bool {
        let half = self.length() * 0.5;
        let step = then - along;
        if self.looped && step > half {
            false
        } else if self.looped && step < -half {
            true
        } else {
            step > 0.0
        }
    }
}

/// Follows a path in its direction.
///
/// Formula: f = x + v·prediction_time. If f lies within the path's radius and is farther along the path than x, only the
/// speed is made up: `h·max_speed − v`. Otherwise [`seek`] the path's point at (nearest to f) + max_speed·prediction_time. At the end of an open path the agent
/// [`arrive`]s, slowing within max_speed·prediction_time.
///
/// Prediction time 0…1e3; larger cuts corners more. `radius` belongs to the [`Path`].
///
/// ```
/// use wingbeat_steer::behavior::{Path, follow_path};
/// let road = Path::open([[0.0, 0.0], [100.0, 0.0]], 2.0)?;
/// assert_eq!(follow_path([5.0, 1.0], [2.0, 0.0], &road, 1.0, 2.0), [0.0, 0.0]); // on the road, the right way, at full speed
/// assert!(follow_path([5.0, 9.0], [2.0, 0.0], &road, 1.0, 2.0)[1] < 0.0); // off it: come back
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Reynolds 1999 (path following); direction as in OpenSteer.
pub fn follow_path<V: Vector>(position: V, velocity: V, path: &Path<V>, prediction_time: f32, max_speed: f32) -> V {
    let lead = max_speed * prediction_time;
    let future = predict(position, velocity, prediction_time);
    let (now_along, _) = path.nearest(position);
    let (along, on_path) = path.nearest(future);
    let target = path.at(along + lead);
    if !path.looped && along + lead >= path.length() {
        return arrive(position, velocity, target, max_speed, lead);
    }
    let inside = distance(future, on_path) <= path.radius();
    if inside && path.forward(now_along, along) && heading(velocity) != V::origin() {
        return match_speed(velocity, max_speed, V::origin());
    }
    seek(position, velocity, target, max_speed)
}
