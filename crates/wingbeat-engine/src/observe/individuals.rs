//! Positions and velocities of every individual, as f64 columns in the order of sums.

use crate::Frame;
use crate::median::Bounds;

/// Individuals of a task.
const TASK: usize = 8192;

/// One column an axis. A *place* in them is a turn in the order of sums: by ascending id for a
/// flock, as they lie for a recording. So sums do not depend on how a flock is stored, and every
/// walk reads memory from one end to the other.
#[derive(Clone, Debug)]
pub struct Individuals<const D: usize> {
    pub positions: [Vec<f64>; D],
    pub velocities: [Vec<f64>; D],
}

impl<const D: usize> Individuals<D> {
    /// Those of a flock, by ascending id.
    pub fn of(frame: &Frame<'_, D>) -> Self {
        let mut slots = vec![0u32; frame.len()];
        for (slot, &rank) in (0..).zip(frame.ranks()) {
            slots[rank as usize] = slot;
        }
        let gathered = |column: &[f32]| {
            let mut values = vec![0.0; slots.len()];
            frame.pool().rows(TASK, [&mut values], &|first, [values]: [&mut [f64]; 1]| {
                for (value, &slot) in values.iter_mut().zip(&slots[first..]) {
                    *value = f64::from(column[slot as usize]);
                }
            });
            values
        };
        Self {
            positions: std::array::from_fn(|a| gathered(frame.positions(a))),
            velocities: std::array::from_fn(|a| gathered(frame.velocities(a))),
        }
    }

    pub fn of_slices(positions: &[[f64; D]], velocities: &[[f64; D]]) -> Self {
        let column = |of: &[[f64; D]], a: usize| of.iter().map(|v| v[a]).collect();
        Self {
            positions: std::array::from_fn(|a| column(positions, a)),
            velocities: std::array::from_fn(|a| column(velocities, a)),
        }
    }

    pub fn of_columns(positions: [&[f32]; D], velocities: [&[f32]; D]) -> Self {
        let column = |of: &[f32]| of.iter().copied().map(f64::from).collect();
        Self { positions: positions.map(column), velocities: velocities.map(column) }
    }

    pub fn len(&self) -> usize {
        self.positions[0].len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline(always)]
    pub fn position(&self, place: usize) -> [f64; D] {
        crate::arrays::from_fn(|a| self.positions[a][place])
    }

    #[inline(always)]
    pub fn velocity(&self, place: usize) -> [f64; D] {
        crate::arrays::from_fn(|a| self.velocities[a][place])
    }

    /// The box around all positions; turned inside out for no individual.
    pub fn bounds(&self) -> Bounds<D> {
        let mut bounds = Bounds::NONE;
        for a in 0..D {
            for &x in &self.positions[a] {
                bounds.low[a] = if x < bounds.low[a] { x } else { bounds.low[a] };
                bounds.high[a] = if x > bounds.high[a] { x } else { bounds.high[a] };
            }
        }
        bounds
    }
}
