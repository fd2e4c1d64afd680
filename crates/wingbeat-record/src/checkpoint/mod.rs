//! Checkpoints of flocks of either dimension, and as files: versioned, compressed, and with a
//! checksum. docs/RECORDINGS.md describes them.

use wingbeat::snapshot::{Checkpoint, StateRecord};

// Pages have no files.
#[cfg(not(target_family = "wasm"))]
mod message_pack;
#[cfg(not(target_family = "wasm"))]
mod file;
#[cfg(not(target_family = "wasm"))]
pub use file::{load, open, read, read_parts, save, seal};

/// Everything of a flock of either dimension, for hosts that learn the dimension from a file.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_family = "wasm"), derive(serde::Serialize, serde::Deserialize))]
pub enum AnyCheckpoint {
    /// In the plane.
    Two(Box<Checkpoint<2>>),
    /// In space.
    Three(Box<Checkpoint<3>>),
}

impl AnyCheckpoint {
    /// What the flock remembers beside its boids, to read or to change.
    pub fn state_mut(&mut self) -> &mut StateRecord {
        match self {
            Self::Two(checkpoint) => &mut checkpoint.state,
            Self::Three(checkpoint) => &mut checkpoint.state,
        }
    }
}
