//! A part of a flock of either dimension, as the program has it: orders come with the dimensions of
//! a scene.

use wingbeat::{
    CommStats, Event, Flock, Flock2, Flock3, Level, Subdomain, SubdomainError, TimeStep,
};
use wingbeat_record::checkpoint::AnyCheckpoint;
use wingbeat_record::{RecordError, Recorder};
use wingbeat_scene::{AnyFlock, SceneError, Schedule};

use crate::ranks::Ranks;

/// A part of a flock in the plane or in space.
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
    /// A part of a flock of which this rank has these boids, or none.
    pub fn join(flock: AnyFlock, ranks: &mut Ranks) -> Result<Self, SubdomainError> {
        Ok(match flock {
            AnyFlock::Two(flock) => Self::Two(Subdomain::join(flock, ranks)?),
            AnyFlock::Three(flock) => Self::Three(Subdomain::join(flock, ranks)?),
        })
    }

    /// A step, with the numbers that the scene's ramps have at its beginning.
    pub fn step(
        &mut self,
        dt: TimeStep,
        schedule: Option<&mut Schedule>,
        ranks: &mut Ranks,
    ) -> Result<(), StepError> {
        if let Some(schedule) = schedule {
            match self {
                Self::Two(part) => part.set(|flock| follow(schedule, flock, AnyFlock::Two, two))?,
                Self::Three(part) => {
                    part.set(|flock| follow(schedule, flock, AnyFlock::Three, three))?
                }
            }
        }
        Ok(either!(self, part => part.step(dt, ranks))?)
    }

    pub fn events(&self, ranks: &mut Ranks) -> Result<Vec<Event>, SubdomainError> {
        either!(self, part => part.events_of_all(ranks))
    }

    pub fn len_of_all(&self) -> usize {
        either!(self, part => part.len_of_all())
    }

    pub fn imbalance(&self) -> (f64, u64) {
        either!(self, part => (part.imbalance(), part.moved_cuts()))
    }

    /// What was sent and waited for, since this was asked last: boids moved and told, words,
    /// nanoseconds of writing and waiting; two words each.
    pub fn traffic_words(&mut self) -> Vec<u32> {
        let CommStats { moved, told, words, writing, waiting, .. } =
            either!(self, part => part.take_traffic());
        let numbers = [moved, told, words, writing.as_nanos() as u64, waiting.as_nanos() as u64];
        numbers.iter().flat_map(|&number| [number as u32, (number >> 32) as u32]).collect()
    }

    /// The flock in one piece, on the first rank.
    pub fn whole(&mut self, ranks: &mut Ranks) -> Result<Option<AnyFlock>, SubdomainError> {
        Ok(match self {
            Self::Two(part) => part.whole(0, ranks)?.map(AnyFlock::Two),
            Self::Three(part) => part.whole(0, ranks)?.map(AnyFlock::Three),
        })
    }

    /// Everything of this part that a later step depends on.
    pub fn checkpoint(&mut self) -> AnyCheckpoint {
        match self {
            Self::Two(part) => AnyCheckpoint::Two(Box::new(part.as_flock(Flock::checkpoint))),
            Self::Three(part) => AnyCheckpoint::Three(Box::new(part.as_flock(Flock::checkpoint))),
        }
    }

    /// Hands the boids of this part to a recorder.
    pub fn record(&mut self, recorder: &mut Recorder) -> Result<(), RecordError> {
        either!(self, part => part.as_flock(|flock| recorder.capture(&flock.frame())))
    }
}

/// Why a step was not made.
pub enum StepError {
    Subdomain(SubdomainError),
    Scene(SceneError),
}

impl From<SubdomainError> for StepError {
    fn from(error: SubdomainError) -> Self {
        Self::Subdomain(error)
    }
}

impl From<SceneError> for StepError {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}

/// Gives a flock the numbers of its present time. What follows ramps takes a flock of either
/// dimension.
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

/// A flock of no boid, to go on from a checkpoint.
pub fn empty_flock(
    checkpoint: &AnyCheckpoint,
    level: Option<Level>,
    threads: usize,
) -> Result<AnyFlock, SubdomainError> {
    let mut flock = match checkpoint {
        AnyCheckpoint::Two(_) => {
            let builder = Flock2::builder().threads(threads);
            AnyFlock::Two(level.map_or(builder.clone(), |level| builder.level(level)).build()?)
        }
        AnyCheckpoint::Three(_) => {
            let builder = Flock3::builder().threads(threads);
            AnyFlock::Three(level.map_or(builder.clone(), |level| builder.level(level)).build()?)
        }
    };
    flock.restore(checkpoint)?;
    Ok(flock)
}
