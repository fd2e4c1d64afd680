//! Columns that boids carry beside position and velocity. They lie in slot order like those and travel with them through sorts,
//! arrivals and removals: [`Boids`](crate::boids::Boids) owns them all, and moves them in one place.

use crate::parallel::{Workers, pick};

/// Columns are longer than the flock by this many rows, so that the widest vector load needs no scalar tail.
pub(crate) const PADDING: usize = 16;

/// One value a boid, longer than the flock by the padding. A column that is not in use is empty and costs nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column<T> {
    values: Vec<T>,
    /// What a boid that comes has.
    usual: T,
}

impl<T: Copy + Default> Column<T> {
    /// Every boid, now and later, has the usual value.
    pub fn new(usual: T, slots: usize) -> Self {
        Self { values: vec![usual; slots + PADDING], usual }
    }

    pub fn in_use(&self) -> bool {
        !self.values.is_empty()
    }

    /// The values, if the column is in use.
    pub fn get(&self) -> Option<&[T]> {
        self.in_use().then_some(&self.values)
    }

    /// The values; empty if the column is not in use.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The same, to write.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// A boid in the last of so many slots. Padding may hold anything, so its value is set.
    fn add(&mut self, slots: usize) {
        if self.in_use() {
            self.values.resize(slots + PADDING, self.usual);
            self.values[slots - 1] = self.usual;
        }
    }
}

/// All columns beside position and velocity.
#[derive(Clone, Debug)]
pub(crate) struct Carried<const D: usize> {
    /// Place of a boid's species among those of the parameters, a whole number. In use with species.
    pub species: Column<f32>,
    /// Stamina spent, and 1 for who rests. In use where a species has stamina.
    pub spent: Column<f32>,
    pub resting: Column<f32>,
    /// Own maximum speeds and masses, NaN for who has none. In use once somebody has either.
    pub max_speed: Column<f32>,
    pub mass: Column<f32>,
    /// Own goals, NaN for who has none. In use once somebody has one.
    pub goals: [Column<f32>; D],
    /// What boids remember of drives, each drive's columns one after the other.
    pub memories: Vec<Column<f32>>,
    /// When a boid steers (slices.rs). In use where not all steer in every step.
    pub phase: Column<u32>,
    spare: Vec<f32>,
    spare_marks: Vec<u32>,
}

impl<const D: usize> Default for Carried<D> {
    fn default() -> Self {
        Self {
            species: Column::default(),
            spent: Column::default(),
            resting: Column::default(),
            max_speed: Column::default(),
            mass: Column::default(),
            goals: std::array::from_fn(|_| Column::default()),
            memories: Vec::new(),
            phase: Column::default(),
            spare: Vec::new(),
            spare_marks: Vec::new(),
        }
    }
}

/// Does something to every column of numbers; a column that is missing here would not travel.
macro_rules! each_number {
    ($carried:expr, |$column:ident| $what:expr) => {{
        let Carried { species, spent, resting, max_speed, mass, goals, memories, .. } = $carried;
        for $column in [species, spent, resting, max_speed, mass].into_iter().chain(goals).chain(memories) {
            $what;
        }
    }};
}

impl<const D: usize> Carried<D> {
    /// A boid in the last of so many slots: it has the usual values.
    pub fn add(&mut self, slots: usize) {
        self.phase.add(slots);
        each_number!(self, |column| column.add(slots));
    }

    /// Takes everything along to where a sort has put its boid.
    pub fn follow<T: Default + Send>(&mut self, order: &[u32], workers: &Workers<T>) {
        if self.phase.in_use() {
            reorder(&mut self.phase.values, &mut self.spare_marks, order, workers);
        }
        let mut spare = std::mem::take(&mut self.spare);
        each_number!(&mut *self, |column| {
            if column.in_use() {
                reorder(&mut column.values, &mut spare, order, workers);
            }
        });
        self.spare = spare;
    }
}

/// Brings a column into the given order; the other one becomes what it was.
pub(crate) fn reorder<E: Copy + Default + Send + Sync, T: Default + Send>(
    column: &mut Vec<E>,
    spare: &mut Vec<E>,
    order: &[u32],
    workers: &Workers<T>,
) {
    let slots = order.len();
    spare.resize(slots + PADDING, E::default());
    let from = column.as_slice();
    workers.sweep(slots, [[spare.as_mut_slice()]], &|first, [[to]], _| pick(from, to, &order[first..]));
    std::mem::swap(column, spare);
}

#[cfg(test)]
#[path = "../tests/inside/carried.rs"]
mod tests;
