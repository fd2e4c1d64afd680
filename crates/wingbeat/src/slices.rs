//! Time slicing: whose turn it is to steer, and forces that are held in between.
#![forbid(unsafe_code)]

use crate::BoidId;
use crate::boids::{Boids, PADDING};
use crate::grid::pick;
use crate::parallel::Workers;

/// Marks the phase of a boid that has not steered yet. Phases are below 1000.
const NEW: u32 = 1 << 31;

/// Sixteen of these are 2²⁴ slots, of which an `f32` holds every number.
const MAX_BATCH: usize = 1 << 20;

/// The turns of a flock that steers every n steps, n > 1; other flocks have none, and no cost.
///
/// Forces are held in the flock's column of steering: a turn overwrites a boid's place in it, and each sort takes it along.
#[derive(Clone, Debug)]
pub(crate) struct Slices {
    every: u32,
    /// Of every slot: id mod every, and [`NEW`] until the boid's first turn. Kept, because finding it anew would cost a
    /// scattered read and a division a boid and step.
    phase: Vec<u32>,
    any_new: bool,
    /// Back buffers of the sort.
    phase_back: Vec<u32>,
    force_back: Vec<f32>,
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
    pub fn new<const D: usize>(every: u32, boids: &Boids<D>) -> Option<Self> {
        if every == 1 {
            return None;
        }
        let mut slices = Self { every, phase: Vec::new(), any_new: false, phase_back: Vec::new(), force_back: Vec::new() };
        for &rank in &boids.front.rank[..boids.len()] {
            slices.add(boids.ids[rank as usize]);
        }
        Some(slices)
    }

    /// Steps from one turn to the next.
    pub fn every(&self) -> u32 {
        self.every
    }

    /// Slots of a batch: up to 16 usual ones, so that as many in it steer, and short of where `Seats` would be inexact.
    pub fn batch(&self, usual: usize) -> usize {
        usual.min(MAX_BATCH) * self.every.min(16) as usize
    }

    /// A boid in the last slot.
    pub fn add(&mut self, id: BoidId) {
        self.phase.push((id.get() % u64::from(self.every)) as u32 | NEW);
        self.any_new = true;
    }

    /// What a boid holds goes to a slot that is free.
    pub fn moved<const D: usize>(&mut self, forces: &mut [Vec<f32>; D], from: usize, to: usize) {
        self.phase[to] = self.phase[from];
        for force in forces {
            // Before the first step there are no forces yet.
            if from < force.len() {
                force[to] = force[from];
            }
        }
    }

    /// The slots left after a removal.
    pub fn keep(&mut self, slots: usize) {
        self.phase.truncate(slots);
    }

    /// Takes phases and forces along to where a sort has put their boids.
    pub fn follow<T: Default + Send, const D: usize>(&mut self, order: &[u32], forces: &mut [Vec<f32>; D], workers: &Workers<T>) {
        let slots = order.len();
        self.phase_back.resize(slots, 0);
        workers.sweep(slots, [[self.phase_back.as_mut_slice()]], &|first, [[back]], _| {
            pick(&self.phase, back, &order[first..]);
        });
        std::mem::swap(&mut self.phase, &mut self.phase_back);
        for force in forces {
            force.resize(slots + PADDING, 0.0);
            self.force_back.resize(slots + PADDING, 0.0);
            let from = force.as_slice();
            workers.sweep(slots, [[self.force_back.as_mut_slice()]], &|first, [[back]], _| {
                pick(from, back, &order[first..]);
            });
            std::mem::swap(force, &mut self.force_back);
        }
    }

    /// Whose turn it is: (id + step) mod every = 0, or the boid's first.
    pub fn turns(&self, step: u64) -> Turns<'_> {
        let every = u64::from(self.every);
        Turns { phase: &self.phase, due: ((every - step % every) % every) as u32 }
    }

    /// Everyone steers in the next step, whatever the turn.
    pub fn renew(&mut self) {
        self.phase.iter_mut().for_each(|phase| *phase |= NEW);
        self.any_new = true;
    }

    /// All whose turn it was have steered.
    pub fn settle(&mut self) {
        if std::mem::take(&mut self.any_new) {
            self.phase.iter_mut().for_each(|phase| *phase &= !NEW);
        }
    }
}
