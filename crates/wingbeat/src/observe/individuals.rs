//! Positions and velocities where they already lie, read as f64: observables copy neither.

use std::ops::Range;

use crate::Frame;

/// The columns of a flock, or the slices of a recording.
///
/// A *place* is an index into these columns or slices. In a flock, places are slots: who is near in space is near in memory.
/// Sums run [`in_order`](Self::in_order), so that they do not depend on how a flock is stored.
#[derive(Clone, Debug)]
pub(super) enum Individuals<'a, const D: usize> {
    /// One f64 vector each, in the order of sums.
    Slices { positions: &'a [[f64; D]], velocities: &'a [[f64; D]] },
    /// One f32 column an axis, and the places in the order of sums; `None` where they are in that order already.
    Columns { positions: [&'a [f32]; D], velocities: [&'a [f32]; D], order: Option<Vec<u32>> },
}

impl<'a, const D: usize> Individuals<'a, D> {
    /// Those of a flock, summed by ascending id. Allocates four bytes a boid.
    pub fn of(frame: &Frame<'a, D>) -> Self {
        let mut slots = vec![0; frame.len()];
        for (slot, &rank) in (0..).zip(frame.ranks()) {
            slots[rank as usize] = slot;
        }
        Self::Columns {
            positions: std::array::from_fn(|a| frame.positions(a)),
            velocities: std::array::from_fn(|a| frame.velocities(a)),
            order: Some(slots),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Slices { positions, .. } => positions.len(),
            Self::Columns { positions, .. } => positions[0].len(),
        }
    }

    /// All places, in the order of sums.
    pub fn in_order(&self) -> impl Iterator<Item = usize> {
        self.some_in_order(0..self.len())
    }

    /// Those from one turn to another in the order of sums.
    pub fn some_in_order(&self, turns: Range<usize>) -> impl Iterator<Item = usize> {
        let order = match self {
            Self::Columns { order: Some(order), .. } => Some(order.as_slice()),
            _ => None,
        };
        turns.map(move |n| order.map_or(n, |places| places[n] as usize))
    }

    /// All places whose velocity is known, in the order of sums.
    pub fn with_velocity(&self) -> impl Iterator<Item = usize> {
        self.in_order().filter(|&place| self.velocity(place).iter().all(|c| !c.is_nan()))
    }

    #[inline]
    pub fn position(&self, place: usize) -> [f64; D] {
        match self {
            Self::Slices { positions, .. } => positions[place],
            Self::Columns { positions, .. } => positions.map(|column| f64::from(column[place])),
        }
    }

    #[inline]
    pub fn velocity(&self, place: usize) -> [f64; D] {
        match self {
            Self::Slices { velocities, .. } => velocities[place],
            Self::Columns { velocities, .. } => velocities.map(|column| f64::from(column[place])),
        }
    }
}
