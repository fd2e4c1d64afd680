//! Time slicing: which boids steer in a step, and the forces that the others hold.

use crate::BoidId;
use crate::columns::boids::Boids;
use crate::columns::extra::{Column, NEW};

/// Sixteen of these are 2²⁴ slots, of which an `f32` holds every number.
const MAX_BATCH: usize = 1 << 20;

/// The turns of a flock that steers every n steps, n > 1; other flocks have none, and no cost.
///
/// Phases are a column of the boids: id mod n, and [`NEW`] until the boid's first turn. They are
/// kept, because finding them anew would cost a scattered read and a division a boid and step.
/// Forces are held in the boids' columns of force: a turn overwrites a boid's place in it, and
/// each sort takes it along.
#[derive(Clone, Debug)]
pub(crate) struct Slices {
    every: u32,
    any_new: bool,
}

/// Whose turn it is in one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turns<'a> {
    phase: &'a [u32],
    due: u32,
}

impl Turns<'_> {
    /// Whether the boid in `slot` steers.
    #[inline]
    pub fn is_due(&self, slot: usize) -> bool {
        let phase = self.phase[slot];
        phase == self.due || phase >= NEW
    }
}

impl Slices {
    /// Turns in which everyone begins by steering; none if everyone steers always.
    pub fn new<const D: usize>(every: u32, boids: &mut Boids<D>) -> Option<Self> {
        let (takes_turns, slots) = (every > 1, boids.len());
        boids.outcome.force.iter_mut().for_each(|column| column.travels(takes_turns));
        boids.extra.phase.be_used(takes_turns, slots);
        if !takes_turns {
            return None;
        }
        let mut slices = Self { every, any_new: true };
        for slot in 0..slots {
            slices.welcome(slot, boids);
        }
        Some(slices)
    }

    /// Slots of a batch: up to 16 usual ones, so that as many in it steer, and short of where
    /// `LaneAssignment` would be inexact.
    pub fn batch(&self, usual: usize) -> usize {
        usual.min(MAX_BATCH) * self.every.min(16) as usize
    }

    /// A boid that has just come.
    pub fn welcome<const D: usize>(&mut self, slot: usize, boids: &mut Boids<D>) {
        let id = boids.ids().of(boids.front.rank[slot]).get();
        boids.extra.phase.values_mut()[slot] = (id % u64::from(self.every)) as u32 | NEW;
        self.any_new = true;
    }

    /// Whose turn it is: (id + step) mod every = 0, or the boid's first.
    pub fn turns<'a>(&self, phase: &'a Column<u32>, step: u64) -> Turns<'a> {
        let every = u64::from(self.every);
        Turns { phase: phase.values(), due: ((every - step % every) % every) as u32 }
    }

    /// Everyone steers in the next step, whatever the turn.
    pub fn renew(&mut self, phase: &mut Column<u32>) {
        phase.values_mut().iter_mut().for_each(|phase| *phase |= NEW);
        self.any_new = true;
    }

    /// Whether this can be the phase of the boid with this id.
    pub fn is_phase_of(&self, id: BoidId, phase: u32) -> bool {
        u64::from(phase & !NEW) == id.get() % u64::from(self.every)
    }

    /// Boids have come from elsewhere, with these phases.
    pub fn join(&mut self, phases: &[u32]) {
        self.any_new |= phases.iter().any(|&phase| phase >= NEW);
    }

    /// Turns go on with these phases.
    pub fn go_on(&mut self, phase: &Column<u32>) {
        self.any_new = phase.values().iter().any(|&phase| phase >= NEW);
    }

    /// All whose turn it was have steered.
    pub fn steered(&mut self, phase: &mut Column<u32>) {
        if std::mem::take(&mut self.any_new) {
            phase.values_mut().iter_mut().for_each(|phase| *phase &= !NEW);
        }
    }
}
