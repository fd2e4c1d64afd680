//! What the first rank tells the others to do: what a run does when is decided there alone.

use mpi::collective::Root;
use mpi::topology::Communicator;
use serde::{Deserialize, Serialize};
use wingbeat::Transport;
use wingbeat_record::checkpoint::{self, AnyCheckpoint};

use crate::ranks::Ranks;
use crate::recording;

/// What sealed orders say they are.
const KIND: &str = "order";

/// An order to all ranks but the first, which does the same itself.
#[derive(Serialize, Deserialize)]
pub enum Order {
    /// A flock comes; the followers hold none of its boids yet.
    Begin(BeginFlock),
    /// A step.
    Step,
    /// Their boids are wanted on the first rank.
    Whole,
    /// A checkpoint of their boids, in this file and beside it.
    Checkpoint { path: String, made: u64 },
    /// Their boids are to be recorded from now on.
    BeginRecording(Box<recording::BeginRecording>),
    /// They are recorded as they are.
    Record,
    /// All that was recorded is to be on the disk.
    SyncRecording,
    /// The recording is over.
    FinishRecording,
    /// What was sent and waited for.
    Report,
    /// The run is over, with this exit code.
    End(u8),
}

/// A flock, which itself comes with the order, without its boids.
#[derive(Serialize, Deserialize)]
pub struct BeginFlock {
    pub dt: f32,
    /// The scene's name and text, where it has ramps.
    pub scene: Option<(String, String)>,
    /// The SIMD level, where one was asked for.
    pub level: Option<String>,
    pub threads: usize,
}

/// A step is the order that comes most, and is short.
const STEP: u32 = 0;

/// Bytes that MPI counts.
const LONGEST: u32 = i32::MAX as u32;

impl Ranks {
    /// Gives an order, on the first rank.
    pub fn order(&self, order: &Order) -> Result<(), String> {
        self.order_with(order, None)
    }

    /// The same, with a flock that belongs to the order.
    pub fn order_with(&self, order: &Order, flock: Option<&AnyCheckpoint>) -> Result<(), String> {
        let mut length = STEP;
        let first = self.communicator().process_at_rank(0);
        if matches!(order, Order::Step) {
            first.broadcast_into(&mut length);
            return Ok(());
        }
        let mut bytes = checkpoint::seal(KIND, order, flock)?;
        length = u32::try_from(bytes.len())
            .ok()
            .filter(|&length| length <= LONGEST)
            .ok_or("an order of more than 2 GiB")?;
        first.broadcast_into(&mut length);
        first.broadcast_into(&mut bytes[..]);
        Ok(())
    }

    /// Hears the next order, on any other rank.
    pub fn hear(&self) -> Result<(Order, Option<AnyCheckpoint>), String> {
        let mut length = STEP;
        let first = self.communicator().process_at_rank(0);
        first.broadcast_into(&mut length);
        if length == STEP {
            return Ok((Order::Step, None));
        }
        let mut bytes = vec![0u8; length as usize];
        first.broadcast_into(&mut bytes[..]);
        checkpoint::open(KIND, &bytes)
    }

    /// Whether all ranks have done what they were told, or what is wrong on the first of those that
    /// have not. Collective.
    pub fn agree(&mut self, done: Result<(), String>) -> Result<(), String> {
        let text = done.err().unwrap_or_default();
        let words: Vec<u32> = text.chars().map(u32::from).collect();
        let all = self.all(&words).map_err(|lost| lost.to_string())?;
        match all.iter().find(|words| !words.is_empty()) {
            Some(words) => Err(words.iter().filter_map(|&word| char::from_u32(word)).collect()),
            None => Ok(()),
        }
    }
}
