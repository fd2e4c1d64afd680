//! Path following: a polyline with a width.

use alloc::vec::Vec;

use crate::schema::error::check_places;
use crate::terms::behavior::geometry::{distance, heading, length_and_direction, predict};
use crate::terms::behavior::seek::{arrive, match_speed, seek};
use crate::terms::behavior::shape::nearest_on_segment;
use crate::{ParamError, Vector, check_range, math};

/// A road: a polyline with a radius, open or looped.
///
/// Radius in world units, 0…1e12; larger leaves more freedom. Lengths along the path start at its
/// first point.
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
        try_from = "serial::Road<V>",
        into = "serial::Road<V>",
        bound(
            serialize = "V: crate::Vector + serde::Serialize",
            deserialize = "V: crate::Vector + serde::Deserialize<'de>"
        )
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
    /// No point (`path.points` = 0 is outside 1…), a coordinate outside ±1e30, a radius outside
    /// 0…1e12.
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
    /// assert_eq!(
    ///     Path::looped([[0.0, 0.0], [4.0, 0.0]], 1.0)?.waypoints(),
    ///     [[0.0, 0.0], [4.0, 0.0]]
    /// );
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

    /// The point at a length along the path: beyond the ends of an open path its end, on a loop
    /// round and round.
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

    /// The nearest point of the path: its length along it, and the point. Linear in the number of
    /// points.
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

    /// How far along the path an agent is that was at `along` (a length; below 0: nowhere yet) and
    /// is at `position` now.
    ///
    /// Formula: with δ the distance to the point at `along`, the nearest point on the stretch of
    /// length 2·(δ + radius) that begins at `along`, of equally near ones the first; on a loop the
    /// stretch goes round, at most half of it. An agent that is nowhere yet joins the path at its
    /// first point within the radius, or at the nearest where none is. Never backwards, and never
    /// over to a stretch that only passes by: an open path is walked once from where it is joined
    /// to its end, also where it touches or crosses itself. Linear in the number of points on the
    /// stretch.
    ///
    /// ```
    /// # use wingbeat_steer::behavior::Path;
    /// let there_and_back = Path::open([[0.0, 0.0], [10.0, 0.0], [10.0, 1.0], [0.0, 1.0]], 0.5)?;
    /// let along = there_and_back.progress(-1.0, [0.0, 0.5]);
    /// assert_eq!(along, 0.0); // the end is as near, but the start is on the road and comes first
    /// // Nearer to the way back, which is not yet its turn.
    /// assert_eq!(there_and_back.progress(along, [0.4, 0.9]), 0.4);
    /// assert_eq!(there_and_back.nearest([0.4, 0.9]).0, 20.6);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn progress(&self, along: f32, position: V) -> f32 {
        if along >= 0.0 { self.onward(along, position).along } else { self.join(position) }
    }

    /// The first point within the radius, or the nearest where none is: its length along the path.
    fn join(&self, point: V) -> f32 {
        for (segment, pair) in self.points.windows(2).enumerate() {
            let (along, nearest) = nearest_on_segment(pair[0], pair[1], point);
            if distance(point, nearest) <= self.radius {
                return self.marks[segment] + along;
            }
        }
        self.nearest(point).0
    }

    /// The nearest point on the stretch that begins at `along`, as [`progress`](Self::progress) has
    /// it.
    fn onward(&self, along: f32, point: V) -> Onward<V> {
        let length = self.length();
        let start = self.at(along);
        let mut best = Onward { along: math::clamp(along, 0.0, length), ahead: 0.0, place: start };
        let mut shortest = distance(point, start);
        let segments = self.points.len() - 1;
        if segments == 0 {
            return best;
        }
        let reach = 2.0 * (shortest + self.radius);
        let reach = if self.looped { math::min(reach, length * 0.5) } else { reach };
        let begun = best.along;
        let first = self.marks[1..segments].partition_point(|&mark| mark <= begun);
        for count in first..first + segments {
            let (segment, again) = (count % segments, count >= segments);
            // How far the segment's beginning lies ahead.
            let offset =
                if again { self.marks[segment] + length } else { self.marks[segment] } - begun;
            if offset > reach || again && !self.looped {
                break;
            }
            let (from, to) = (self.points[segment], self.points[segment + 1]);
            let (whole, direction) = length_and_direction(to.minus(from));
            let low = math::clamp(-offset, 0.0, whole);
            let high = math::clamp(reach - offset, low, whole);
            let t = math::clamp(point.minus(from).inner(direction), low, high);
            let place = if t >= whole { to } else { from.plus(direction.times(t)) };
            let away = distance(point, place);
            if away < shortest {
                shortest = away;
                best = Onward {
                    along: self.marks[segment] + t,
                    ahead: math::max(offset + t, 0.0),
                    place,
                };
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

/// A point of a path, seen from another before it.
struct Onward<V> {
    /// Its length along the path.
    along: f32,
    /// How far ahead it is.
    ahead: f32,
    place: V,
}

/// Follows a path in its direction, from where the agent is on it.
///
/// As [`follow_path`], but only the stretch ahead of `along` counts, which is how far the agent has
/// come ([`Path::progress`], below 0: it has not begun): for roads that touch or cross themselves,
/// and those that are to be walked to their end.
///
/// Formula: f = x + v·prediction_time, b the nearest point to f on the stretch from `along` on (as
/// in `progress`). If f lies within the path's radius and b is ahead of `along`: `h·max_speed − v`.
/// Otherwise [`seek`] the point at b + lead, lead = max(max_speed·prediction_time, radius), or
/// [`arrive`] at the end of an open path, slowing within the lead. An agent that looks less far
/// ahead than the path is wide would weave on the spot.
///
/// ```
/// use wingbeat_steer::behavior::{Path, follow_path_from};
/// let hairpin = Path::open([[0.0, 0.0], [10.0, 0.0], [10.0, 1.0], [0.0, 1.0]], 2.0)?;
/// let mut along = -1.0; // kept from call to call
/// let (x, v) = ([5.0, 0.6], [0.0, 0.0]);
/// along = hairpin.progress(along, x);
/// // Out, although the way back is nearer.
/// assert!(follow_path_from(x, v, &hairpin, along, 1.0, 2.0)[0] > 0.0);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Reynolds 1999 (path following); direction as in OpenSteer.
pub fn follow_path_from<V: Vector>(
    position: V,
    velocity: V,
    path: &Path<V>,
    along: f32,
    prediction_time: f32,
    max_speed: f32,
) -> V {
    let lead = math::max(max_speed * prediction_time, path.radius);
    let future = predict(position, velocity, prediction_time);
    let foreseen = path.onward(if along >= 0.0 { along } else { path.join(position) }, future);
    let target = path.at(foreseen.along + lead);
    if !path.looped && foreseen.along + lead >= path.length() {
        return arrive(position, velocity, target, max_speed, lead);
    }
    let inside = distance(future, foreseen.place) <= path.radius();
    if inside && foreseen.ahead > 0.0 && heading(velocity) != V::origin() {
        return match_speed(velocity, max_speed, V::origin());
    }
    seek(position, velocity, target, max_speed)
}

/// Follows a path in its direction, from wherever it is nearest: [`follow_path_from`] is for agents
/// that remember how far they have come.
///
/// Formula: f = x + v·prediction_time. If f lies within the path's radius and is farther along the
/// path than x, only the speed is made up: `h·max_speed − v`. Otherwise [`seek`] the path's point
/// at (nearest to f) + max_speed·prediction_time. At the end of an open path the agent [`arrive`]s,
/// slowing within max_speed·prediction_time.
///
/// Prediction time above 0, up to 1e3; larger cuts corners more. At 0 an agent seeks the point that
/// it stands on, and stalls. `radius` belongs to the [`Path`].
///
/// ```
/// use wingbeat_steer::behavior::{Path, follow_path};
/// let road = Path::open([[0.0, 0.0], [100.0, 0.0]], 2.0)?;
/// // On the road, the right way, at full speed.
/// assert_eq!(follow_path([5.0, 1.0], [2.0, 0.0], &road, 1.0, 2.0), [0.0, 0.0]);
/// assert!(follow_path([5.0, 9.0], [2.0, 0.0], &road, 1.0, 2.0)[1] < 0.0); // off it: come back
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Reynolds 1999 (path following); direction as in OpenSteer.
pub fn follow_path<V: Vector>(
    position: V,
    velocity: V,
    path: &Path<V>,
    prediction_time: f32,
    max_speed: f32,
) -> V {
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

/// Reading and writing with serde.
#[cfg(feature = "serde")]
mod serial {
    use alloc::vec::Vec;

    use serde::{Deserialize, Serialize};

    use crate::terms::behavior::path::Path;
    use crate::{ParamError, Vector};

    /// A path by its points.
    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(crate) struct Road<V> {
        points: Vec<V>,
        radius: f32,
        #[serde(default)]
        looped: bool,
    }

    impl<V: Vector> From<Path<V>> for Road<V> {
        fn from(path: Path<V>) -> Self {
            Self {
                points: path.waypoints().to_vec(),
                radius: path.radius(),
                looped: path.is_looped(),
            }
        }
    }

    impl<V: Vector> TryFrom<Road<V>> for Path<V> {
        type Error = ParamError;

        fn try_from(Road { points, radius, looped }: Road<V>) -> Result<Self, ParamError> {
            if looped { Self::looped(points, radius) } else { Self::open(points, radius) }
        }
    }
}
