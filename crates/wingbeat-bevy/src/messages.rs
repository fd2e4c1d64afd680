//! What happened in steps, and what users ask for, as messages.
//!
//! A message of Bevy is kept until every reader had its turn in two frames with a step, so several
//! steps in one frame lose none.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use wingbeat::{
    BoidId,
    steer::{DriveId, ExitId, SourceId},
};

/// A boid in a message. Who has left the flock in this step still has its entity until
/// [`WingbeatSystems::Departures`](crate::WingbeatSystems::Departures).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Its entity.
    pub entity: Entity,
    /// Its id.
    pub id: BoidId,
}

/// A boid caught the one it pursued, which has left the flock.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Who did.
    pub captor: Member,
    /// Which boids.
    pub prey: Member,
    /// In which step; the first is 1.
    pub step: u64,
}

/// A boid has come within the arrival radius of a goal. Where the scene's drive says so, it has
/// left the flock.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Who.
    pub boid: Member,
    /// The goal's drive.
    pub drive: DriveId,
    /// In which step; the first is 1.
    pub step: u64,
}

/// A boid has left the flock by an exit.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exited {
    /// Who.
    pub boid: Member,
    /// The exit.
    pub exit: ExitId,
    /// In which step; the first is 1.
    pub step: u64,
}

/// An obstacle that moves overlaps a body that has no room to give way; sent for every step that
/// ends so.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squeezed {
    /// Who is.
    pub boid: Member,
    /// In which step; the first is 1.
    pub step: u64,
}

/// A boid has gone out of an absorbing domain, and so out of the flock.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Who.
    pub boid: Member,
    /// In which step; the first is 1.
    pub step: u64,
}

/// A boid has come from a source; its entity is there already.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entered {
    /// Who.
    pub boid: Member,
    /// The source.
    pub source: SourceId,
    /// In which step; the first is 1.
    pub step: u64,
}

/// The flock did not accept what an entity asked for; the flock is as it was. An entity whose boid
/// was not accepted loses its [`Boid`](crate::Boid); a goal, species or obstacle that was not
/// accepted stays on its entity without effect.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Whose.
    pub entity: Entity,
    /// One line: what was refused, and what is allowed.
    pub reason: String,
}

/// Sets a boid somewhere else, or gives it another velocity, before the next step; nothing is
/// interpolated on the way there.
///
/// Transforms of boids are written by the plugin in every frame, so writing one moves no boid: what
/// stands in it lies between two steps, and that other code wrote it could only be found out by
/// comparing all of them in every step.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct Teleport {
    /// Which boids.
    pub entity: Entity,
    /// Where to, in Bevy's axes, length; `None` leaves the boid where it is.
    pub position: Option<Vec3>,
    /// In Bevy's axes, length/time; `None` leaves it as it is.
    pub velocity: Option<Vec3>,
}
