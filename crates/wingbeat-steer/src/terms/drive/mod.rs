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
//! One file a kind: its parameters and its formula (`DriveDefinition`), slow, scalar, obvious.
//! [`TextbookFlock`](crate::TextbookFlock) calls them, and the engine's lanes equal them bit for
//! bit.

// How to add a kind of drive (`name`). Its formula in MODEL.md. Here name.rs: its struct and `impl
// DriveDefinition`; a line in `for_each_drive!` below. In the engine terms/drive/name.rs: `impl
// InLanes` and `impl LaneDrive`, operation by operation as the definition. A drive in `kind` of the
// engine's tests/it/drives.rs, which holds the two together; a state computed by hand in this
// crate's tests/it/drives_by_hand.rs. Scenes: a row in `KINDS` of keys/worlds.rs, and a line in
// `kind` of worlds/drives.rs. A drive for one host needs none of this: `own_drive!`.

use alloc::format;
use alloc::string::{String, ToString};

use crate::terms::drive::definition::{DriveDefinition, Field};

use crate::{Domain, ParamError, Vector};

pub(crate) mod definition;
pub(crate) mod delay;
mod even;
mod march;
mod timing;

pub use crate::math::RADIANS_TO_TURNS;
pub use crate::terms::behavior::stroll::{Stroll, WanderClock};
pub use crate::terms::behavior::{WanderFrame, WanderParameters};
pub use definition::{DriveParts, Driven, Memory, Progress, check_place};
pub use delay::Delay;

/// Most drives of a flock.
pub const MAX_DRIVES: usize = 16;

settings! {
    /// One drive of a flock: what it is called, how much it counts, which species it drives and
    /// when.
    ///
    /// At a step that begins at time t it drives a boid if `from` + the boid's delay ≤ t < `until`.
    /// Outside of its window it drives no boid. A boid that waits in it, the delay not being over,
    /// is to stand where the drive would have it take a velocity (a goal, a leader with a
    /// `distance`, a path, a flow that is not `raw`, a speed): the force is that of the wanted
    /// velocity 0; the other kinds leave it alone. A boid that is not driven arrives at no goal and
    /// takes no waypoint.
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
    pub struct Drive<V> in "drive." {
        weight: f32 = 1.0, "1", -1e9 => 1e9, "Factor on the force.", "it wins over other terms \
            more often; negative turns it round";
    }
    settings {
        when: When = When::Always, "In what state of a boid it drives: always; idle, none of \
            its interactions having a boid in range; busy, one having some; resting, until its \
            stamina is back.";
        #[cfg_attr(feature = "serde", serde(default))]
        from: f64 = 0.0, in "time" from 0.0 => 1e12, "When it begins. Larger: later.";
        #[cfg_attr(
            feature = "serde",
            serde(
                default = "crate::schema::serial::never",
                skip_serializing_if = "crate::schema::serial::is_never"
            )
        )]
        until: f64 = f64::INFINITY, shown "never", in "time" from 0.0 => 1e12, "When it ends, at \
            or after from. Larger: later.";
    }
    fields {
        /// What it is called, in messages and scene files.
        pub name: String;
        /// The species driven; everyone if none is given.
        pub species: Option<crate::SpeciesId>;
        /// How long each boid waits from then on. Default: no boid does.
        #[cfg_attr(feature = "serde", serde(default))]
        pub delay: Delay;
        /// What it is.
        pub kind: DriveKind<V>;
    }
}

choices! {
    /// In what state of a boid a drive drives it. Without species everyone is always idle.
    pub enum When {
        /// In any state.
        #[default]
        Always = "always",
        /// None of the boid's interactions has a boid in range, and it does not rest.
        Idle = "idle",
        /// One of its interactions has a boid in range.
        Busy = "busy",
        /// It rests until its stamina is back.
        Resting = "resting",
    }
}

/// Calls a macro with the list of all kinds, each as `module: Kind(Type)`; `$vector` is the type of
/// vectors in it.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_drive {
    ($callback:ident, $vector:ty) => {
        $callback! {
            ($)
            /// To a point.
            goal: Goal(Goal<$vector>),
            /// To a point that strolls on a circle or sphere ahead.
            wander: Wander(WanderParameters),
            /// To another boid.
            leader: Leader(Leader),
            /// Along waypoints or a road.
            path: Path(Path<$vector>),
            /// Along a field of vectors.
            flow: Flow(Flow<$vector>),
            /// A constant.
            wind: Wind(Wind<$vector>),
            /// To a wanted speed.
            speed: Speed(Speed),
            /// Back to an anchor.
            tether: Tether(Tether<$vector>),
            /// At random.
            noise: Noise(Noise),
        }
    };
}

macro_rules! drives {
    (($d:tt) $($(#[$doc:meta])* $file:ident: $kind:ident($of:ty),)*) => {
        $(mod $file; #[allow(unused_imports)] pub use $file::*;)*

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
            $($(#[$doc])* $kind($of),)*
        }

        $(
            impl<V> From<$of> for DriveKind<V> {
                fn from(kind: $of) -> Self {
                    Self::$kind(kind)
                }
            }
        )*

        impl<V: Vector> DriveKind<V> {
            /// What scene files call the kinds.
            pub const NAMES: &'static [&'static str] =
                &[$(<$of as DriveDefinition<V>>::NAME),*];

            /// What a scene file calls it.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$kind(_) => <$of as DriveDefinition<V>>::NAME,)* }
            }

            /// Whether what boids remember changes with the time alone, of boids that it does not
            /// drive, too.
            #[doc(hidden)]
            pub fn runs_on(&self) -> bool {
                match self { $(Self::$kind(_) => <$of as DriveDefinition<V>>::RUNS_ON,)* }
            }

            fn continues(&self, before: &Self) -> bool {
                match (self, before) {
                    $((Self::$kind(now), Self::$kind(then)) => {
                        DriveDefinition::<V>::continues(now, then)
                    })*
                    _ => false,
                }
            }
        }

        /// The expression of whatever definition a kind holds.
        macro_rules! each_drive {
            ($d kind:expr, $d drive:ident => $d of:expr) => {
                match $d kind { $(DriveKind::$kind($d drive) => $d of,)* }
            };
        }
    };
}
for_each_drive!(drives, V);

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
        at.ranges(self)?;
        self.check_times(&at)?;
        each_drive!(&self.kind, drive => drive.check(&at, domain))
    }

    /// What a boid remembers before it was ever driven.
    pub fn begin(&self) -> Memory<V> {
        each_drive!(&self.kind, drive => drive.begin())
    }

    /// Whether what boids remember of `before`, which this one replaces, is still of use: a goal is
    /// where it was (and can be arrived at, or not, as before), a wander is a wander, a path is the
    /// same and followed alike.
    pub fn continues(&self, before: &Self) -> bool {
        self.kind.continues(&before.kind)
    }

    /// The boid that a boid follows, by ids.
    pub fn parent_of(&self, id: u64) -> Option<u64> {
        each_drive!(&self.kind, drive => DriveDefinition::<V>::parent_of(drive, id))
    }

    /// Whether boids look at their leader.
    pub fn looks(&self) -> bool {
        each_drive!(&self.kind, drive => DriveDefinition::<V>::looks(drive))
    }

    /// The force on a boid, not yet weighted; `place` is the drive's among the flock's, counted
    /// from 0.
    pub fn force(&self, place: usize, boid: &Driven<'_, V>) -> V {
        if self.waits(boid.seed, boid.id, boid.time) {
            return self.waiting(boid).unwrap_or(V::origin());
        }
        each_drive!(&self.kind, drive => DriveDefinition::force(drive, place, boid))
    }

    fn waiting(&self, boid: &Driven<'_, V>) -> Option<V> {
        each_drive!(&self.kind, drive => drive.waiting(boid))
    }

    /// What a boid that has moved remembers, `boid` being as it was at the step's beginning but for
    /// its new position, and `time` the step's end.
    pub fn progress(&self, boid: &Driven<'_, V>, time: f64) -> Progress<V> {
        let is_driven = self.drives(boid);
        each_drive!(&self.kind, drive => drive.progress(boid, is_driven, time))
    }

    /// What the drive's [`force`](Self::force) on a boid is made of; `force` is that force.
    pub(crate) fn parts(&self, boid: &Driven<'_, V>, force: V) -> DriveParts<V> {
        let waits = self.waits(boid.seed, boid.id, boid.time);
        let moving = (!waits).then_some(force);
        let desired = if waits {
            self.waiting(boid).map(|_| V::origin())
        } else {
            each_drive!(&self.kind, drive => drive.desired(boid))
        };
        let parts = each_drive!(&self.kind, drive => drive.parts(boid, moving));
        DriveParts { desired, waits, ..parts }
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
        let unknown = each_drive!(
            &drive.kind, drive => DriveDefinition::<V>::unknown(drive, &exists)
        );
        if let Some((key, unknown)) = unknown {
            return Err(ParamError::new(
                format!("drive.{}.{key}", drive.name),
                unknown,
                "the id of a boid that exists",
            ));
        }
    }
    Ok(())
}
