//! A block: the boids that share a register.

use super::{DueSlots, Own, Seats, SortedFlock};
use crate::simd::{Float, MAX_LANES, Simd, Vectors};

/// Boids of one row, one per lane, and their bounding box.
pub(crate) struct Block<S: Simd, const D: usize> {
    pub first: usize,
    pub count: usize,
    pub seats: Seats<S>,
    pub own: Own<S, D>,
    pub low: [f32; D],
    pub high: [f32; D],
}

impl<S: Simd, const D: usize> Block<S, D> {
    /// The block of `count` slots from `first` on, or where not all steer, at the place `first` of those that do.
    #[inline(always)]
    pub fn load(s: S, flock: &SortedFlock<'_, D>, due: &DueSlots, first: usize, count: usize) -> Self {
        Self::load_looking(s, flock, due, first, count, true)
    }

    /// The same for boids that may not care where they look: a heading is a root and a division.
    #[inline(always)]
    pub fn load_looking(s: S, flock: &SortedFlock<'_, D>, due: &DueSlots, first: usize, count: usize, looking: bool) -> Self {
        let columns = flock.columns;
        let seats = if flock.turns.is_some() { due.seats(s, first, count) } else { Seats::Row(first) };
        let (position, velocity) = match &seats {
            // Lanes beyond the block read on into the next slots or the padding: stale, never stored.
            Seats::Row(_) => (Vectors::load(s, &columns.position, first), Vectors::load(s, &columns.velocity, first)),
            Seats::Each { slots, .. } => (collect(s, &columns.position, slots), collect(s, &columns.velocity, slots)),
        };
        let (heading, at_rest) = if looking { velocity.heading(s) } else { (Vectors::zero(s), s.mask(0)) };
        let live = s.first(count);
        let own = Own { position, velocity, heading, at_rest, live };
        // In the box such lanes stand where the first boid stands.
        let inside = Vectors::select(live, position, Vectors::splat(s, columns.position(seats.slot(0))));
        let (mut low, mut high) = ([0.0; D], [0.0; D]);
        for a in 0..D {
            (low[a], high[a]) = (inside[a].reduce_min(), inside[a].reduce_max());
        }
        Self { first, count, seats, own, low, high }
    }
}

/// The given slots of every column, one a lane.
#[inline(always)]
fn collect<S: Simd, const D: usize>(s: S, columns: &[Vec<f32>; D], slots: &[u32; MAX_LANES]) -> Vectors<S, D> {
    let mut lanes = [[0.0; MAX_LANES]; D];
    for a in 0..D {
        for lane in 0..S::LANES {
            lanes[a][lane] = columns[a][slots[lane] as usize];
        }
    }
    Vectors::load(s, &lanes, 0)
}
