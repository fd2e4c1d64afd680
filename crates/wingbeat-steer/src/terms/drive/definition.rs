//! The definition of a kind of drive, its inputs (the boid, and the drive's memory of it), and the
//! parts of its force.

use alloc::format;
use alloc::string::String;

use crate::schema::parameter_info::Parameters;
use crate::terms::behavior::stroll::Stroll;
use crate::{Domain, ParamError, Vector, check_components, schema::limit};

/// What a boid remembers of one drive.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Memory<V> {
    /// Nothing: most kinds have no memory.
    Nothing,
    /// [`Goal`](crate::drive::Goal): whether it has arrived.
    Arrived(bool),
    /// [`Goal`](crate::drive::Goal) where boids settle: 0 under way, 1 once it has arrived; in
    /// between while settled ones keep it from the goal.
    Settling(f32),
    /// [`Wander`](crate::drive::WanderParameters): where on the circle or sphere the point is.
    Stroll(Stroll<V>),
    /// [`Path`](crate::drive::Path): the waypoint it makes for.
    Next(usize),
    /// [`Path`](crate::drive::Path) along a road: how far along it is, length; below 0 before it
    /// has joined the road.
    Along(f32),
}

/// All that a drive's force depends on.
#[derive(Clone, Copy, Debug)]
pub struct Driven<'a, V> {
    /// The boid.
    pub id: u64,
    /// Key of the flock's randomness.
    pub seed: u64,
    /// Steps made before.
    pub step: u64,
    /// Time passed before, the lengths of all steps added up.
    pub time: f64,
    /// The boid's position.
    pub position: V,
    /// The boid's velocity.
    pub velocity: V,
    /// The boid's maximum speed.
    pub max_speed: f32,
    /// The world's edges.
    pub domain: &'a Domain<V>,
    /// The boid's own goal, if it has one.
    pub goal: Option<V>,
    /// Position and velocity of the boid it follows, if there is one.
    pub parent: Option<(V, V)>,
    /// What it remembers of the drive.
    pub memory: Memory<V>,
}

impl<V: Vector> Driven<'_, V> {
    /// The way to a point, through the nearest image.
    pub fn way_to(&self, point: V) -> V {
        let offset = point.minus(self.position);
        V::from_fn(|a| self.domain.image(a, offset.axis(a)))
    }
}

/// What a step brought a boid that is driven.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress<V> {
    /// What it remembers from now on.
    pub memory: Memory<V>,
    /// Whether it has just arrived at its [`Goal`](crate::drive::Goal).
    pub arrived: bool,
}

impl<V> Progress<V> {
    /// A step that changed nothing.
    pub(super) fn none(memory: Memory<V>) -> Self {
        Self { memory, arrived: false }
    }
}

/// One kind of drive: its parameters are the type's, its formula the methods'.
pub(crate) trait DriveDefinition<V: Vector>: Sized {
    /// What a scene file calls it.
    const NAME: &'static str;
    /// Whether what boids remember changes with the time alone, of boids that it does not drive,
    /// too.
    const RUNS_ON: bool = false;

    /// Refuses any value outside its range, and places outside the domain's box.
    fn check(&self, at: &Field<'_>, domain: &Domain<V>) -> Result<(), ParamError>;

    /// The key and the id of a boid that is named and does not exist.
    fn unknown(&self, _exists: &dyn Fn(u64) -> bool) -> Option<(&'static str, u64)> {
        None
    }

    /// What a boid remembers before it was ever driven.
    fn begin(&self) -> Memory<V> {
        Memory::Nothing
    }

    /// Whether what boids remember of `before`, which this one replaces, is still of use.
    fn continues(&self, _before: &Self) -> bool {
        false
    }

    /// The boid that a boid follows.
    fn parent_of(&self, _id: u64) -> Option<u64> {
        None
    }

    /// Whether boids look at their leader.
    fn looks(&self) -> bool {
        false
    }

    /// The velocity it would have the boid take, if that is what it is about.
    fn desired(&self, _boid: &Driven<'_, V>) -> Option<V> {
        None
    }

    /// The force, not yet weighted; `place` is the drive's among the flock's. Unless told
    /// otherwise: the desired velocity less the boid's, 0 where there is none.
    fn force(&self, _place: usize, boid: &Driven<'_, V>) -> V {
        self.desired(boid).map_or(V::origin(), |desired| desired.minus(boid.velocity))
    }

    /// The force on a boid that waits, which is to stand where the drive would have it take a
    /// velocity; `None` where it would not.
    fn waiting(&self, boid: &Driven<'_, V>) -> Option<V> {
        self.desired(boid).map(|_| V::origin().minus(boid.velocity))
    }

    /// What a boid remembers after the step that ends at `time`, in which it has moved;
    /// `is_driven`: whether it was driven.
    fn progress(&self, boid: &Driven<'_, V>, _is_driven: bool, _time: f64) -> Progress<V> {
        Progress::none(boid.memory)
    }

    /// Where it leads the boid, and what else an explanation shows beside
    /// [`desired`](Self::desired); `force` is the drive's, unless the boid waits.
    fn parts(&self, _boid: &Driven<'_, V>, _force: Option<V>) -> DriveParts<V> {
        DriveParts::default()
    }
}

/// What a drive has to do with one boid: the numbers on the way to its force. What does not apply
/// to the drive's kind is `None`.
///
/// ```
/// use wingbeat_steer::{Decision, Drive, TextbookBoid, TextbookFlock, TimeStep, drive::Goal};
/// let door = Goal { target: Some([3.0, 4.0]), slowing_radius: 10.0, ..Default::default() };
/// let flock = TextbookFlock {
///     boids: vec![TextbookBoid { id: 0, position: [0.0, 0.0], velocity: [0.5, 0.0] }],
///     drives: vec![Drive::new("door", door)],
///     ..Default::default()
/// };
/// let why = flock.explain(0, &[0], TimeStep::new(0.1)?);
/// let Decision::Terms(combined) = &why.decision else { unreachable!() };
/// let drive = combined.terms[0].drive.expect("a drive");
/// assert_eq!((drive.parts.target, drive.parts.distance), (Some([3.0, 4.0]), Some(5.0)));
/// // Half of the maximum speed 2: half of the slowing radius is left.
/// assert_eq!(drive.parts.desired, Some([0.6, 0.8]));
/// assert_eq!(drive.force, [0.6 - 0.5, 0.8]);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DriveParts<V> {
    /// Where it leads the boid: the goal, the waypoint, the place behind the leader, the anchor of
    /// a tether, the strolling point of a wander.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub target: Option<V>,
    /// The way there, through the nearest image.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub offset: Option<V>,
    /// Its length.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub distance: Option<f32>,
    /// The velocity it would have the boid take. The force is this less the boid's velocity (of
    /// [`Speed`](crate::terms::drive::Speed): times its rate).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub desired: Option<V>,
    /// The waypoint the boid makes for, counted from 0, and how many there are.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "write_waypoint"))]
    pub waypoint: Option<(usize, usize)>,
    /// The leader of the boid.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "leader", skip_serializing_if = "Option::is_none")
    )]
    pub parent: Option<u64>,
    /// Whether the boid has arrived at its goal before.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub arrived: Option<bool>,
    /// Whether the boid waits, its delay not being over. What it would be led to is told all the
    /// same; `desired` is 0 then, or `None`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not"))]
    pub waits: bool,
}

/// Writes the waypoint as explanations have it, counted from 1; nothing of other drives.
#[cfg(feature = "serde")]
fn write_waypoint<S: serde::Serializer>(
    waypoint: &Option<(usize, usize)>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match waypoint {
        Some((next, all)) => write_keys!(to, "waypoint": next + 1, "waypoints": all),
        None => to.serialize_none(),
    }
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

impl<V: Vector> DriveParts<V> {
    /// It leads to a point.
    pub(super) fn toward(boid: &Driven<'_, V>, target: V) -> Self {
        Self::at(target, boid.way_to(target))
    }

    /// It leads along an offset.
    pub(super) fn along(boid: &Driven<'_, V>, offset: V) -> Self {
        Self::at(boid.position.plus(offset), offset)
    }

    fn at(target: V, offset: V) -> Self {
        Self {
            target: Some(target),
            offset: Some(offset),
            distance: Some(offset.norm()),
            ..Self::default()
        }
    }
}

/// Whose values are checked.
pub(crate) struct Field<'a> {
    pub name: &'a str,
}

impl Field<'_> {
    pub(crate) fn key(&self, key: &str) -> String {
        format!("drive.{}.{key}", self.name)
    }

    /// All numbers of a kind.
    pub(crate) fn ranges(&self, of: &impl Parameters) -> Result<(), ParamError> {
        of.check_ranges(format_args!("drive.{}", self.name))
    }
}

/// Refuses a point outside the domain's box, or outside the accepted range of positions.
///
/// # Errors
/// Names the axis, the value and what is allowed.
pub fn check_place<V: Vector>(field: &str, place: V, domain: &Domain<V>) -> Result<(), ParamError> {
    check_components(field, place, limit::POSITION)?;
    for a in 0..V::DIMENSIONS {
        let x = place.axis(a);
        let (min, max) = (domain.min.axis(a), domain.max.axis(a));
        if domain.boundary != crate::Boundary::Open
            && (x < min || x > max || domain.is_periodic() && x >= max)
        {
            let end = if domain.is_periodic() { "below " } else { "" };
            return Err(ParamError::new(
                format!("{field}[{a}]"),
                x,
                format!("{min} to {end}{max}, the domain"),
            ));
        }
    }
    Ok(())
}
