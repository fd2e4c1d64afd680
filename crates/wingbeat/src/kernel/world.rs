//! What a batch reads and what it works with.

use super::chosen::Met;
use super::kinds::SpeciesInBlock;
use super::list::{List, ROOM};
use super::prepared::Prepared;
use crate::block::{DueSlots, SortedFlock};
use crate::combine::{MAX_TERMS, WaitingTerms};
use crate::drive::Driving;
use crate::grid::Run;
use crate::obstacle::{Course, Lists};
use crate::simd::{Level, MAX_LANES};

/// What one worker thread needs beside the columns; reused in every step.
#[derive(Debug)]
pub struct Scratch<const D: usize> {
    pub(crate) runs: Vec<Run<D>>,
    pub(super) list: Box<List>,
    /// Slots whose turn it is, where not all steer.
    pub(super) due: DueSlots,
    /// Blocks (first slot or place in `due`, count) that hold a coincident pair or lie in a tiny periodic box.
    pub(super) again: Vec<(usize, usize)>,
    /// The nearest of every rule and lane, where only those count and ids must decide.
    pub(super) keys: Vec<u64>,
    /// A block's terms, where they are not taken as they come.
    pub(super) terms: Box<WaitingTerms<D>>,
    /// What a search for the nearest met.
    pub(super) met: Box<Met>,
    /// The species of a block.
    pub(super) present: Box<SpeciesInBlock>,
    /// Obstacles near a block.
    pub(crate) obstacles: Lists,
}

impl<const D: usize> Default for Scratch<D> {
    fn default() -> Self {
        Self {
            runs: Vec::new(),
            list: Box::new([0; ROOM + MAX_LANES]),
            due: DueSlots::default(),
            again: Vec::new(),
            keys: Vec::new(),
            terms: Box::new([[[0.0; MAX_LANES]; D]; MAX_TERMS]),
            met: Box::new(Met::new()),
            present: Box::new(SpeciesInBlock::new()),
            obstacles: Lists::default(),
        }
    }
}

/// Everything a step reads, borrowed for its duration.
pub struct World<'a, const D: usize> {
    pub(crate) flock: SortedFlock<'a, D>,
    pub(crate) prepared: &'a Prepared,
    /// Obstacles that boids steer ahead of.
    pub(crate) course: Option<&'a Course<D>>,
    /// Drives, where there are any.
    pub(crate) drives: Option<Driving<'a, D>>,
}

/// One batch of one step, whatever the rules: the one virtual call of a batch.
pub trait Steer<const D: usize>: Send + Sync {
    /// Steers the slots from `first` on, as many as the columns of `out` are long.
    fn batch(&self, level: Level, world: &World<'_, D>, first: usize, out: [&mut [f32]; D], scratch: &mut Scratch<D>);
}
