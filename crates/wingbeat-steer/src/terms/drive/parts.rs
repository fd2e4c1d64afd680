//! The parts of a drive's force on one boid, for explanations.

use crate::Vector;
use crate::terms::behavior;
use crate::terms::drive::driven::{Driven, Memory};
use crate::terms::drive::{Drive, DriveKind};

/// What a drive has to do with one boid: the numbers on the way to its force. What does not apply
/// to the drive's kind is `None`.
///
/// ```
/// use wingbeat_steer::{Decision, Drive, TermSource, TextbookBoid, TextbookFlock, drive::Goal};
/// let door = Goal { target: Some([3.0, 4.0]), slowing_radius: 10.0, ..Default::default() };
/// let flock = TextbookFlock {
///     boids: vec![TextbookBoid { id: 0, position: [0.0, 0.0], velocity: [0.5, 0.0] }],
///     drives: vec![Drive::new("door", door)],
///     ..Default::default()
/// };
/// let Decision::Terms(combined) = flock.explain(0, &[0]).decision else { unreachable!() };
/// let TermSource::Drive { force, parts: Some(parts), .. } = &combined.terms[0].made else {
///     unreachable!()
/// };
/// assert_eq!((parts.target, parts.distance), (Some([3.0, 4.0]), Some(5.0)));
/// // Half of the maximum speed 2: half of the slowing radius is left.
/// assert_eq!(parts.desired, Some([0.6, 0.8]));
/// assert_eq!(*force, [0.6 - 0.5, 0.8]);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveParts<V> {
    /// Where it leads the boid: the goal, the waypoint, the place behind the leader, the anchor of
    /// a tether, the strolling point of a wander.
    pub target: Option<V>,
    /// The way there, through the nearest image.
    pub offset: Option<V>,
    /// Its length.
    pub distance: Option<f32>,
    /// The velocity it would have the boid take. The force is this less the boid's velocity (of
    /// [`Speed`](crate::terms::drive::Speed): times its rate).
    pub desired: Option<V>,
    /// The waypoint the boid makes for, counted from 0, and how many there are.
    pub waypoint: Option<(usize, usize)>,
    /// The leader of the boid.
    pub parent: Option<u64>,
    /// Whether the boid has arrived at its goal before.
    pub arrived: Option<bool>,
    /// Whether the boid waits, its delay not being over. What it would be led to is told all the
    /// same; `desired` is 0 then, or `None`.
    pub waits: bool,
}

impl<V> Default for DriveParts<V> {
    fn default() -> Self {
        Self {
            target: None,
            offset: None,
            distance: None,
            desired: None,
            waypoint: None,
            parent: None,
            arrived: None,
            waits: false,
        }
    }
}

impl<V: Vector> Drive<V> {
    /// What the drive's [`force`](Self::force) on a boid is made of; `force` is that force.
    pub(crate) fn parts(&self, boid: &Driven<'_, V>, force: V) -> DriveParts<V> {
        let waits = self.waits(boid.seed, boid.id, boid.time);
        let parts = self.parts_of_kind(boid, (!waits).then_some(force));
        let wanted = parts.desired.filter(|_| !waits);
        let still = (waits && self.wants_a_velocity(boid)).then(V::origin);
        DriveParts { desired: wanted.or(still), waits, ..parts }
    }

    /// `force` is the drive's unless the boid waits.
    fn parts_of_kind(&self, boid: &Driven<'_, V>, force: Option<V>) -> DriveParts<V> {
        let none = DriveParts::default();
        let to = |target: V, offset: V| DriveParts {
            target: Some(target),
            offset: Some(offset),
            distance: Some(offset.norm()),
            ..DriveParts::default()
        };
        let toward =
            |target: Option<V>| target.map_or(none, |target| to(target, boid.way_to(target)));
        let along = |offset: Option<V>| {
            offset.map_or(none, |offset| to(boid.position.plus(offset), offset))
        };
        match &self.kind {
            DriveKind::Goal(goal) => DriveParts {
                desired: goal.desired(boid),
                arrived: (goal.arrival_radius > 0.0).then_some(match boid.memory {
                    Memory::Settling(part) => part >= 1.0,
                    memory => memory == Memory::Arrived(true),
                }),
                ..toward(goal.target_of(boid))
            },
            DriveKind::Wander(_) => along(force),
            DriveKind::Leader(leader) => DriveParts {
                desired: leader.desired(boid),
                parent: leader.parent_of(boid.id).filter(|_| boid.parent.is_some()),
                ..along(leader.way(boid))
            },
            DriveKind::Path(path) => {
                let (next, points) = (path.next(boid), path.road.waypoints());
                DriveParts {
                    desired: path.desired(boid),
                    waypoint: next.map(|next| (next, points.len())),
                    ..toward(next.map(|next| points[next]))
                }
            }
            DriveKind::Flow(flow) => DriveParts { desired: flow.desired(boid), ..none },
            DriveKind::Wind(wind) => {
                DriveParts { desired: wind.drag.then_some(wind.vector), ..none }
            }
            DriveKind::Speed(speed) => {
                let heading = behavior::heading(boid.velocity);
                DriveParts {
                    desired: (heading.largest() > 0.0).then(|| heading.times(speed.speed)),
                    ..none
                }
            }
            DriveKind::Tether(tether) => toward(Some(tether.anchor)),
            DriveKind::Noise(_) => none,
        }
    }
}

impl<V> DriveKind<V> {
    /// What a scene file calls it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Goal(_) => "goal",
            Self::Wander(_) => "wander",
            Self::Leader(_) => "leader",
            Self::Path(_) => "path",
            Self::Flow(_) => "flow",
            Self::Wind(_) => "wind",
            Self::Speed(_) => "speed",
            Self::Tether(_) => "tether",
            Self::Noise(_) => "noise",
        }
    }
}
