//! Drives: terms of a boid's force that do not come from its neighbors.
//!
//! A [`Drive`] has a name, a weight and a [kind](DriveKind); a flock takes up to [`MAX_DRIVES`] of
//! them, and each adds the term weight·force to the combination, after the rules and in the order
//! of declaration ([`Term::Drive`](crate::Term::Drive)).
//!
//! | kind | force | file |
//! |---|---|---|
//! | [`Goal`] | to a point, slowing down before it | goal.rs |
//! | [`Wander`](WanderParameters) | to a point strolling on a circle or sphere ahead | wander.rs |
//! | [`Leader`] | to another boid, or to a place behind it | leader.rs |
//! | [`Path`] | along waypoints or a road | path.rs |
//! | [`Flow`] | along a vector grid; [`FlowField::toward`]: to goals, around obstacles | flow.rs |
//! | [`Wind`] | the same everywhere | wind.rs |
//! | [`Speed`] | to a wanted speed | speed.rs |
//! | [`Tether`] | back to an anchor | tether.rs |
//! | [`Noise`] | random | noise.rs |
//!
//! A drive may have a window of time, and boids a [`Delay`] of their own before it sets them going
//! (timing.rs).
//!
//! The functions here are the definition: slow, scalar, obvious.
//! [`TextbookFlock`](crate::TextbookFlock) calls them, and the engine's lanes equal them bit for
//! bit.

// How to add a drive. A file here with its struct, `check` and `force`; a variant of `DriveKind`
// and its arms below. In the engine its arm in `LaneDrive` (terms/drive/mod.rs) and
// `DriveLanes::force` (lanes.rs), operation by operation; what it remembers are columns that a task
// in progress.rs moves on. A number in `kind` of the engine's tests/it/drives.rs, which holds the
// two together; a state computed by hand in this crate's tests/it/drives_by_hand.rs; a row in
// MODEL.md.

use crate::schema::parameter_info;
use alloc::format;
use alloc::string::{String, ToString};

use crate::terms::drive::driven::Field;

use crate::{Domain, ParamError, Vector};

pub(crate) mod delay;
pub(crate) mod driven;
mod even;
mod flow;
mod goal;
mod leader;
mod march;
mod noise;
mod parts;
mod path;
mod speed;
mod tether;
mod timing;
mod wander;
mod wind;

pub use crate::math::RADIANS_TO_TURNS;
pub use crate::terms::behavior::stroll::{Stroll, WanderClock};
pub use crate::terms::behavior::{WanderFrame, WanderParameters};
pub use delay::Delay;
pub use driven::{Driven, Memory, Progress, check_place};
pub use flow::{Cell, Flow, FlowField, Outside};
pub use goal::{Goal, OnArrival};
pub use leader::Leader;
pub use noise::Noise;
pub use parts::DriveParts;
pub use path::{Follow, Path};
pub use speed::Speed;
pub use tether::{FARTHEST_PULL, Tether};
pub use wind::Wind;

/// Most drives of a flock.
pub const MAX_DRIVES: usize = 16;

/// One drive of a flock: what it is called, how much it counts, which species it drives and when.
///
/// At a step that begins at time t it drives a boid if `from` + the boid's delay ≤ t < `until`.
/// Outside of its window it drives no boid. A boid that waits in it, the delay not being over, is
/// to stand where the drive would have it take a velocity (a goal, a leader with a `distance`, a
/// path, a flow that is not `raw`, a speed): the force is that of the wanted velocity 0; the other
/// kinds leave it alone. A boid that is not driven arrives at no goal and takes no waypoint.
///
/// ```
/// use wingbeat_steer::{Domain, Drive, drive::Goal};
/// let home = Drive::new("home", Goal { target: Some([3.0, 4.0]), ..Default::default() });
/// assert_eq!(home.weight, 1.0);
/// assert!(home.check(&Domain::open()).is_ok());
/// ```
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
pub struct Drive<V> {
    /// What it is called, in messages and scene files.
    pub name: String,
    /// Factor on the force. Unit 1, default 1, range −1e9…1e9. Larger: the drive wins over other
    /// terms more often; negative turns it round.
    pub weight: f32,
    /// The species driven, by number; everyone if none is given.
    pub species: Option<usize>,
    /// In what state of a boid it drives.
    pub when: When,
    /// When it begins, time, 0 to 1e12. Default 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub from: f64,
    /// When it is over, time, at or after `from`. Default infinite: never.
    #[cfg_attr(
        feature = "serde",
        serde(
            default = "crate::schema::serial::never",
            skip_serializing_if = "crate::schema::serial::is_never"
        )
    )]
    pub until: f64,
    /// How long each boid waits from then on. Default: no boid does.
    #[cfg_attr(feature = "serde", serde(default))]
    pub delay: Delay,
    /// What it is.
    pub kind: DriveKind<V>,
}

/// In what state of a boid a drive drives it. Without species everyone is always idle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum When {
    /// In any state.
    #[default]
    Always,
    /// None of the boid's interactions has a boid in range, and it does not rest.
    Idle,
    /// One of its interactions has a boid in range.
    Busy,
    /// It rests until its stamina is back.
    Resting,
}

/// What a drive is; each kind's formula, units and ranges are at its own type.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "V: crate::Vector + serde::Serialize",
        deserialize = "V: crate::Vector + serde::Deserialize<'de>"
    ))
)]
pub enum DriveKind<V> {
    /// To a point.
    Goal(Goal<V>),
    /// To a point that strolls on a circle or sphere ahead.
    Wander(WanderParameters),
    /// To another boid.
    Leader(Leader),
    /// Along waypoints or a road.
    Path(Path<V>),
    /// Along a field of vectors.
    Flow(Flow<V>),
    /// A constant.
    Wind(Wind<V>),
    /// To a wanted speed.
    Speed(Speed),
    /// Back to an anchor.
    Tether(Tether<V>),
    /// At random.
    Noise(Noise),
}

macro_rules! kinds {
    ($($kind:ident($of:ty);)*) => {$(
        impl<V> From<$of> for DriveKind<V> {
            fn from(kind: $of) -> Self {
                Self::$kind(kind)
            }
        }
    )*};
}
kinds! {
    Goal(Goal<V>);
    Wander(WanderParameters);
    Leader(Leader);
    Path(Path<V>);
    Flow(Flow<V>);
    Wind(Wind<V>);
    Speed(Speed);
    Tether(Tether<V>);
    Noise(Noise);
}

impl<V: Vector> Drive<V> {
    /// A drive of weight 1 for everyone, always.
    pub fn new(name: impl ToString, kind: impl Into<DriveKind<V>>) -> Self {
        Self {
            name: name.to_string(),
            weight: 1.0,
            species: None,
            when: When::Always,
            from: 0.0,
            until: f64::INFINITY,
            delay: Delay::None,
            kind: kind.into(),
        }
    }

    /// The same with another weight.
    #[must_use]
    pub fn weighted(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// Refuses any value outside its range, and places outside the domain's box.
    ///
    /// # Errors
    /// Names the value as `drive.NAME.key`, and what is allowed.
    #[inline(never)]
    pub fn check(&self, domain: &Domain<V>) -> Result<(), ParamError> {
        let at = Field { name: &self.name };
        parameter_info::DRIVE_WEIGHT.check(at.key("weight"), self.weight)?;
        self.check_times(&at)?;
        match &self.kind {
            DriveKind::Goal(goal) => goal.check(&at, domain),
            DriveKind::Wander(parameters) => wander::check(parameters, &at),
            DriveKind::Leader(leader) => leader.check(&at),
            DriveKind::Path(path) => path.check(&at, domain),
            DriveKind::Flow(flow) => flow.check(&at),
            DriveKind::Wind(wind) => wind.check(&at),
            DriveKind::Speed(speed) => speed.check(&at),
            DriveKind::Tether(tether) => tether.check(&at, domain),
            DriveKind::Noise(noise) => noise.check(&at),
        }
    }

    /// What a boid remembers before it was ever driven.
    pub fn begin(&self) -> Memory<V> {
        match &self.kind {
            DriveKind::Goal(goal) => goal.begin(),
            DriveKind::Wander(_) => Memory::Stroll(Stroll::default()),
            DriveKind::Path(path) => path.begin(),
            _ => Memory::Nothing,
        }
    }

    /// Whether what boids remember of `before`, which this one replaces, is still of use: a goal is
    /// where it was (and can be arrived at, or not, as before), a wander is a wander, a path is the
    /// same and followed alike.
    pub fn goes_on_from(&self, before: &Self) -> bool {
        match (&self.kind, &before.kind) {
            (DriveKind::Goal(now), DriveKind::Goal(then)) => {
                now.target == then.target
                    && (now.arrival_radius > 0.0) == (then.arrival_radius > 0.0)
                    && now.settles() == then.settles()
            }
            (DriveKind::Wander(_), DriveKind::Wander(_)) => true,
            (DriveKind::Path(now), DriveKind::Path(then)) => {
                now.road == then.road && now.follow == then.follow
            }
            _ => false,
        }
    }

    /// The force on a boid, not yet weighted; `place` is the drive's among the flock's, counted
    /// from 0.
    pub fn force(&self, place: usize, boid: &Driven<'_, V>) -> V {
        if self.waits(boid.seed, boid.id, boid.time) {
            return self.standing(boid);
        }
        match &self.kind {
            DriveKind::Goal(goal) => {
                goal.desired(boid).map_or(V::origin(), |desired| desired.minus(boid.velocity))
            }
            DriveKind::Wander(parameters) => wander::force(parameters, boid),
            DriveKind::Leader(leader) => leader.force(boid),
            DriveKind::Path(path) => path.force(boid),
            DriveKind::Flow(flow) => flow.force(boid),
            DriveKind::Wind(wind) => wind.force(boid.velocity),
            DriveKind::Speed(speed) => speed.force(boid.velocity),
            DriveKind::Tether(tether) => tether.force(boid),
            DriveKind::Noise(noise) => noise.force(boid, place),
        }
    }

    /// What a boid that has moved remembers, `boid` being as it was at the step's beginning but for
    /// its new position, and `time` the step's end.
    pub fn progress(&self, boid: &Driven<'_, V>, time: f64) -> Progress<V> {
        let memory = boid.memory;
        let same = Progress { memory, arrived: false };
        match (&self.kind, memory) {
            (DriveKind::Goal(goal), Memory::Arrived(false)) if self.drives(boid) => {
                let arrived = goal.is_at(boid);
                Progress { memory: Memory::Arrived(arrived), arrived }
            }
            (DriveKind::Goal(goal), Memory::Settling(part)) if part < 1.0 && self.drives(boid) => {
                let arrived = goal.is_at(boid);
                Progress { memory: Memory::Settling(if arrived { 1.0 } else { part }), arrived }
            }
            (DriveKind::Wander(parameters), Memory::Stroll(stroll)) => Progress {
                memory: Memory::Stroll(wander::go_on(parameters, stroll, boid, time)),
                ..same
            },
            (DriveKind::Path(path), Memory::Next(next)) if self.drives(boid) => Progress {
                memory: Memory::Next(path.take(next, boid.position, boid.domain)),
                ..same
            },
            (DriveKind::Path(path), Memory::Along(along)) if self.drives(boid) => {
                Progress { memory: Memory::Along(path.road.progress(along, boid.position)), ..same }
            }
            _ => same,
        }
    }
}

/// Refuses drives that are too many, share a name, or follow boids that do not exist, and whatever
/// [`Drive::check`] refuses.
///
/// # Errors
/// Names the drive's value and what is allowed.
pub fn check_drives<V: Vector>(
    drives: &[Drive<V>],
    domain: &Domain<V>,
    exists: impl Fn(u64) -> bool,
) -> Result<(), ParamError> {
    if drives.len() > MAX_DRIVES {
        return Err(ParamError::new("drives", drives.len(), format!("at most {MAX_DRIVES}")));
    }
    for (i, drive) in drives.iter().enumerate() {
        if drives[..i].iter().any(|other| other.name == drive.name) {
            return Err(ParamError::new(
                format!("drive.{}", drive.name),
                "given twice",
                "each name once",
            ));
        }
        drive.check(domain)?;
        if let DriveKind::Leader(leader) = &drive.kind
            && let Some((key, unknown)) = leader.unknown(&exists)
        {
            return Err(ParamError::new(
                format!("drive.{}.{key}", drive.name),
                unknown,
                "the id of a boid that exists",
            ));
        }
    }
    Ok(())
}
