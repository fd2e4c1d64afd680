//! Errors: why a flock, or a change to one, is refused.

use wingbeat_steer::ParamError;

use crate::{BoidId, Level};

/// A refusal: what was given and what is allowed. Nothing was changed.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum FlockError {
    /// A parameter outside its range.
    Param(ParamError),
    /// No living boid has this id.
    UnknownBoid(BoidId),
    /// Two boids were given the same id.
    DuplicateId(BoidId),
    /// A boid's state is not accepted.
    Boid {
        /// Which boid.
        id: BoidId,
        /// What is wrong: field, value and allowed range.
        refusal: ParamError,
    },
    /// As many velocities as positions are needed.
    Lengths {
        /// Positions given.
        positions: usize,
        /// Velocities given.
        velocities: usize,
    },
    /// More boids than can be counted or held in memory.
    TooManyBoids {
        /// Boids asked for.
        boids: usize,
        /// Bytes they would take.
        bytes: u128,
    },
    /// This CPU lacks the instructions, or the program was compiled without them.
    LevelUnavailable(Level),
    /// The worker threads could not be started.
    Threads {
        /// Threads asked for.
        threads: usize,
        /// Why not.
        reason: String,
    },
}

impl std::fmt::Display for FlockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Param(refusal) => refusal.fmt(f),
            Self::UnknownBoid(id) => write!(f, "no living boid has id {id}"),
            Self::DuplicateId(id) => write!(f, "id {id} is given twice: allowed is once"),
            Self::Boid { id, refusal } => write!(f, "boid {id}: {refusal}"),
            Self::Lengths { positions, velocities } => {
                write!(f, "{velocities} velocities for {positions} positions: allowed is one each")
            }
            Self::TooManyBoids { boids, bytes } => {
                write!(
                    f,
                    "{boids} boids need {bytes} bytes: allowed is what memory holds, at most \
                    {} boids",
                    crate::memory::MAX_BOIDS
                )
            }
            Self::LevelUnavailable(level) => {
                let (lacks, cure) = match level.is_compiled() {
                    true => ("available on this CPU", ""),
                    false => (
                        "compiled in this program",
                        " (a build with WINGBEAT_BUILD_LEVELS=all has every level)",
                    ),
                };
                let allowed = Level::list(&Level::available());
                write!(f, "level {level} is not {lacks}: allowed is {allowed}{cure}")
            }
            Self::Threads { threads, reason } => {
                write!(f, "{threads} threads cannot be started: {reason}")
            }
        }
    }
}

/// As `Display`: it is what a program ends with whose `main` returns it.
impl std::fmt::Debug for FlockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for FlockError {}

impl From<ParamError> for FlockError {
    fn from(refusal: ParamError) -> Self {
        Self::Param(refusal)
    }
}
