//! The boids of one rank, in the plane or in space.

use wingbeat::{
    Event, Flock, Flock2, Flock3, TimeStep,
    subdomain::{CommStats, Subdomain, SubdomainError, Transport},
};
use wingbeat_record::checkpoint::AnyCheckpoint;
use wingbeat_record::{RecordError, Recorder};
use wingbeat_scene::{AnyFlock, Machine, SceneError, Schedule};

use crate::failure::Failure;

/// A rank's subdomain of a flock.
pub enum AnyPart {
    Two(Subdomain<2>),
    Three(Subdomain<3>),
}

macro_rules! either {
    ($any:expr, $part:ident => $value:expr) => {
        match $any {
            AnyPart::Two($part) => $value,
            AnyPart::Three($part) => $value,
        }
    };
}

impl AnyPart {
    /// A subdomain of a flock of which this rank has these boids, or none.
    pub fn join(flock: AnyFlock, ranks: &mut dyn Transport) -> Result<Self, Failure> {
        Ok(match flock {
            AnyFlock::Two(flock) => Self::Two(Subdomain::join(flock, ranks)?),
            AnyFlock::Three(flock) => Self::Three(Subdomain::join(flock, ranks)?),
        })
    }

    /// Makes a step, with the numbers that the scene's ramps have at its beginning. Tells the
    /// events of all ranks.
    pub fn step(
        &mut self,
        dt: TimeStep,
        schedule: Option<&mut Schedule>,
        ranks: &mut dyn Transport,
    ) -> Result<Vec<Event>, Failure> {
        if let Some(schedule) = schedule {
            match self {
                Self::Two(part) => part.set(|flock| follow(schedule, flock, AnyFlock::Two, two))?,
                Self::Three(part) => {
                    part.set(|flock| follow(schedule, flock, AnyFlock::Three, three))?
                }
            }
        }
        Ok(either!(self, part => {
            part.step(dt, ranks)?;
            part.events_of_all(ranks)?
        }))
    }

    /// Boids of all ranks, as the last step began.
    pub fn len_of_all(&self) -> usize {
        either!(self, part => part.len_of_all())
    }

    /// What the rank with most work had to do, in parts of the mean, and how often boundaries have
    /// moved.
    pub fn imbalance(&self) -> (f64, u64) {
        either!(self, part => (part.imbalance(), part.moved_cuts()))
    }

    /// What was sent and waited for since this was asked last.
    pub fn take_traffic(&mut self) -> CommStats {
        either!(self, part => part.take_traffic())
    }

    /// The flock in one piece, on the first rank.
    pub fn whole(&mut self, ranks: &mut dyn Transport) -> Result<Option<AnyFlock>, Failure> {
        Ok(match self {
            Self::Two(part) => part.whole(0, ranks)?.map(AnyFlock::Two),
            Self::Three(part) => part.whole(0, ranks)?.map(AnyFlock::Three),
        })
    }

    /// Everything of this rank that a later step depends on.
    pub fn checkpoint(&mut self) -> AnyCheckpoint {
        match self {
            Self::Two(part) => AnyCheckpoint::Two(Box::new(part.as_flock(Flock::checkpoint))),
            Self::Three(part) => AnyCheckpoint::Three(Box::new(part.as_flock(Flock::checkpoint))),
        }
    }

    /// Hands the boids of this rank to a recorder.
    pub fn record(&mut self, recorder: &mut Recorder) -> Result<(), RecordError> {
        either!(self, part => part.as_flock(|flock| recorder.capture(&flock.frame())))
    }
}

/// A flock that no rank can have a part of is the user's affair; a rank that is gone is not.
impl From<SubdomainError> for Failure {
    fn from(error: SubdomainError) -> Self {
        match error {
            SubdomainError::Refused(refused) => Self::BadInput(refused.to_string()),
            other => Self::Other(other.to_string()),
        }
    }
}

/// Gives a flock the numbers of its present time. What follows ramps takes a flock of either
/// dimension.
// By itself: what changes a part is compiled with the engine's function that it is handed to.
#[inline(never)]
fn follow<const D: usize>(
    schedule: &mut Schedule,
    flock: &mut Flock<D>,
    wrap: fn(Flock<D>) -> AnyFlock,
    unwrap: fn(AnyFlock) -> Option<Flock<D>>,
) -> Result<(), SceneError> {
    let stand_in = Flock::builder().threads(1).build().map_err(SceneError::from)?;
    let mut any = wrap(std::mem::replace(flock, stand_in));
    let followed = schedule.follow(&mut any);
    if let Some(back) = unwrap(any) {
        *flock = back;
    }
    followed
}

fn two(any: AnyFlock) -> Option<Flock2> {
    if let AnyFlock::Two(flock) = any { Some(flock) } else { None }
}

fn three(any: AnyFlock) -> Option<Flock3> {
    if let AnyFlock::Three(flock) = any { Some(flock) } else { None }
}

/// What all ranks have in common.
pub fn without_boids(checkpoint: AnyCheckpoint) -> AnyCheckpoint {
    match checkpoint {
        AnyCheckpoint::Two(all) => AnyCheckpoint::Two(Box::new(all.without_boids())),
        AnyCheckpoint::Three(all) => AnyCheckpoint::Three(Box::new(all.without_boids())),
    }
}

/// The flock of a checkpoint on this machine, on one thread unless it says how many.
pub fn flock_of(checkpoint: &AnyCheckpoint, machine: &Machine) -> Result<AnyFlock, Failure> {
    macro_rules! build {
        ($flock:ty) => {{
            let builder = <$flock>::builder().threads(machine.threads.unwrap_or(1));
            let builder = match machine.level {
                Some(level) => builder.level(level),
                None => builder,
            };
            builder.build().map_err(SceneError::from)?
        }};
    }
    let mut flock = match checkpoint {
        AnyCheckpoint::Two(_) => AnyFlock::Two(build!(Flock2)),
        AnyCheckpoint::Three(_) => AnyFlock::Three(build!(Flock3)),
    };
    flock.restore(checkpoint).map_err(|refusal| Failure::BadInput(refusal.to_string()))?;
    Ok(flock)
}
