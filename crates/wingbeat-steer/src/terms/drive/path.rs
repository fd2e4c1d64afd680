//! Path: along waypoints or a road.

use crate::terms::behavior::{self, arrival_velocity, follow_path_from};
use crate::terms::drive::definition::{
    DriveDefinition, DriveParts, Driven, Field, Memory, Progress, check_place,
};
use crate::{Domain, ParamError, Vector};

settings! {
    /// Drives boids along a path, open or looped.
    ///
    /// Formula, by `follow`:
    /// * [`Follow::Waypoints`]: to waypoint k, at full speed (unit(o)·max_speed − v); at the last
    ///   of an open path slowing down within `slowing_radius`
    ///   ([`arrive`](crate::behavior::arrive)). Who ends a step within the road's radius of
    ///   waypoint k makes for the next from then on; of a loop the first follows the last. Ways are
    ///   those through the nearest image.
    /// * [`Follow::Road`]: [`follow_path_from`], with prediction_time. A boid remembers how far
    ///   along the road it is ([`progress`](behavior::Path::progress)), from the first step in
    ///   which it is driven: an open road is walked once, from where it is joined to its end, also
    ///   where it touches or crosses itself. Images are not looked at. It is evaluated one boid at
    ///   a time, over the segments ahead: some 10 ns a segment.
    ///
    /// ```
    /// use wingbeat_steer::{behavior, drive::{Follow, Path}};
    /// let rounds = Path::new(behavior::Path::looped([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0]], 0.5)?);
    /// assert_eq!((rounds.follow, rounds.slowing_radius), (Follow::Waypoints, 1.0));
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    /// Source: Reynolds 1999 (path following).
    #[derive(Clone, Debug, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
    #[cfg_attr(
        feature = "serde",
        serde(bound(
            serialize = "V: crate::Vector + serde::Serialize",
            deserialize = "V: crate::Vector + serde::Deserialize<'de>"
        ))
    )]
    pub struct Path<V> in "drive." {
        slowing_radius: f32 = 1.0, "length", 0.0 => 1e12, "Waypoints: within this distance of the \
            end of an open path the wanted speed falls.", "earlier and gentler braking";
        prediction_time: f32 = 1.0, "time", 1e-3 => 1e3, "Road: how far ahead a boid looks.",
            "corners are cut more";
    }
    settings {
        follow: Follow = Follow::Waypoints, "From point to point, or along the lines between them \
            as on a road with the radius as half its width, from where a boid joins it to its end.";
    }
    fields {
        /// Points and radius, length; points inside the domain's box.
        pub road: behavior::Path<V>;
    }
}

/// How far along a road a boid is that has not joined it.
const NOWHERE: f32 = -1.0;

choices! {
    /// How a path is followed.
    #[non_exhaustive]
    pub enum Follow {
        /// From point to point.
        #[default]
        Waypoints = "waypoints",
        /// Along the lines between them, as on a road with the radius as half its width.
        Road = "road",
    }
}

impl<V: Vector> Path<V> {
    /// A path whose waypoints are followed.
    pub fn new(road: behavior::Path<V>) -> Self {
        Self { road, follow: Follow::Waypoints, slowing_radius: 1.0, prediction_time: 1.0 }
    }

    /// Distance from waypoint `next` at which slowing down begins: none on the way.
    pub fn slowing_at(&self, next: usize) -> f32 {
        let is_end = !self.road.is_looped() && next + 1 == self.road.waypoints().len();
        if is_end { self.slowing_radius } else { 0.0 }
    }

    /// The force on a boid that is that far along the road.
    pub fn along_road(&self, position: V, velocity: V, along: f32, max_speed: f32) -> V {
        follow_path_from(position, velocity, &self.road, along, self.prediction_time, max_speed)
    }

    /// How far along the road the boid is; below 0: nowhere yet.
    fn walked(&self, boid: &Driven<'_, V>) -> f32 {
        if let Memory::Along(along) = boid.memory { along } else { NOWHERE }
    }

    /// The waypoint the boid makes for; `None` along a road.
    fn next(&self, boid: &Driven<'_, V>) -> Option<usize> {
        let next = if let Memory::Next(next) = boid.memory { next } else { 0 };
        (self.follow == Follow::Waypoints).then_some(next)
    }

    /// The waypoint to make for after a step that ended at `position`.
    pub fn take(&self, next: usize, position: V, domain: &Domain<V>) -> usize {
        let (points, radius) = (self.road.waypoints(), self.road.radius());
        let offset = points[next].minus(position);
        let way = V::from_fn(|a| domain.image(a, offset.axis(a)));
        let taken = self.follow == Follow::Waypoints && way.norm_sq() <= radius * radius;
        match next + 1 {
            _ if !taken => next,
            then if then < points.len() => then,
            _ if self.road.is_looped() => 0,
            _ => next,
        }
    }
}

impl<V: Vector> DriveDefinition<V> for Path<V> {
    const NAME: &'static str = "path";

    fn check(&self, at: &Field<'_>, domain: &Domain<V>) -> Result<(), ParamError> {
        for (i, &point) in self.road.waypoints().iter().enumerate() {
            check_place(&at.key(&alloc::format!("points[{i}]")), point, domain)?;
        }
        at.ranges(self)
    }

    fn begin(&self) -> Memory<V> {
        if self.follow == Follow::Road { Memory::Along(NOWHERE) } else { Memory::Next(0) }
    }

    fn continues(&self, before: &Self) -> bool {
        self.road == before.road && self.follow == before.follow
    }

    /// The velocity that leads to the waypoint; `None` along a road.
    fn desired(&self, boid: &Driven<'_, V>) -> Option<V> {
        let next = self.next(boid)?;
        let way = boid.way_to(self.road.waypoints()[next]);
        Some(arrival_velocity(way, boid.max_speed, self.slowing_at(next)))
    }

    fn force(&self, _place: usize, boid: &Driven<'_, V>) -> V {
        match self.desired(boid) {
            Some(desired) => desired.minus(boid.velocity),
            None => {
                self.along_road(boid.position, boid.velocity, self.walked(boid), boid.max_speed)
            }
        }
    }

    /// On roads too.
    fn waiting(&self, boid: &Driven<'_, V>) -> Option<V> {
        Some(V::origin().minus(boid.velocity))
    }

    fn progress(&self, boid: &Driven<'_, V>, is_driven: bool, _time: f64) -> Progress<V> {
        Progress::none(match boid.memory {
            Memory::Next(next) if is_driven => {
                Memory::Next(self.take(next, boid.position, boid.domain))
            }
            Memory::Along(along) if is_driven => {
                Memory::Along(self.road.progress(along, boid.position))
            }
            memory => memory,
        })
    }

    fn parts(&self, boid: &Driven<'_, V>, _force: Option<V>) -> DriveParts<V> {
        let points = self.road.waypoints();
        self.next(boid).map_or(DriveParts::default(), |next| DriveParts {
            waypoint: Some((next, points.len())),
            ..DriveParts::toward(boid, points[next])
        })
    }
}
