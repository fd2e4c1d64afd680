//! Extra columns: what boids carry beside position and velocity. They lie in slot order like those
//! and travel with them through sorts, arrivals and removals:
//! [`Boids`](crate::columns::boids::Boids) owns them all, and moves them in one place.

use crate::parallel::{Workers, pick};

/// Columns are longer than the flock by this many rows, so that the widest vector load needs no
/// scalar tail.
pub(crate) const PADDING: usize = 16;

/// One value a boid, longer than the flock by the padding. A column that is not in use is empty and
/// costs nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column<T> {
    values: Vec<T>,
    /// The value of boids that are added.
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

    /// Room for so many slots; from the given one on they have the usual value: padding may hold
    /// anything.
    fn resize(&mut self, slots: usize, from: usize) {
        if self.in_use() {
            self.values.resize(slots + PADDING, self.usual);
            self.values[from.min(slots)..slots].fill(self.usual);
        }
    }

    /// Becomes the same, in the room that is there.
    fn copy_from(&mut self, from: &Self) {
        self.values.clone_from(&from.values);
        self.usual = from.usual;
    }

    /// In use or not, with the usual value for all from now on unless that is what it was.
    pub fn used(&mut self, wanted: bool, usual: T, slots: usize) {
        if self.in_use() != wanted {
            *self = if wanted { Self::new(usual, slots) } else { Self::default() };
        }
    }
}

/// Room for sorting, a column for each type of number.
#[derive(Clone, Debug, Default)]
struct Spare {
    floats: Vec<f32>,
    whole: Vec<u32>,
}

/// A type of number that boids carry.
trait Number: Copy + Default + Send + Sync {
    fn spare(of: &mut Spare) -> &mut Vec<Self>;
}

impl Number for f32 {
    fn spare(of: &mut Spare) -> &mut Vec<Self> {
        &mut of.floats
    }
}

impl Number for u32 {
    fn spare(of: &mut Spare) -> &mut Vec<Self> {
        &mut of.whole
    }
}

/// All columns beside position and velocity.
#[derive(Clone, Debug)]
pub(crate) struct ExtraColumns<const D: usize> {
    /// Place of a boid's species among those of the parameters. In use with species.
    pub species: Column<u32>,
    /// Stamina spent, and 1 for a boid that rests. In use where a species has stamina.
    pub spent: Column<f32>,
    pub resting: Column<u32>,
    /// 1 for boids that have fled, pursued or evaded a boid when it last looked. In use where a
    /// species does.
    pub busy: Column<u32>,
    /// Own maximum speeds and masses, NaN for boids without. In use once a boid has either.
    pub max_speed: Column<f32>,
    pub mass: Column<f32>,
    /// Own radii of bodies, NaN for boids without. In use once a boid has one.
    pub radius: Column<f32>,
    /// Own goals, NaN for boids without. In use once a boid has one.
    pub goals: [Column<f32>; D],
    /// What boids remember of drives, each drive's columns one after the other.
    pub memories: Vec<Column<f32>>,
    /// Bits of how blocked boids are. In use where they anticipate.
    pub blocked: Column<u32>,
    /// When a boid steers (slices.rs). In use where not all steer in every step.
    pub phase: Column<u32>,
    spare: Spare,
}

impl<const D: usize> Default for ExtraColumns<D> {
    fn default() -> Self {
        Self {
            species: Column::default(),
            spent: Column::default(),
            resting: Column::default(),
            busy: Column::default(),
            max_speed: Column::default(),
            mass: Column::default(),
            radius: Column::default(),
            goals: std::array::from_fn(|_| Column::default()),
            memories: Vec::new(),
            blocked: Column::default(),
            phase: Column::default(),
            spare: Spare::default(),
        }
    }
}

/// All columns of numbers and all of whole numbers, in an order that depends on the flock's
/// settings alone; one that is missing here would not travel.
macro_rules! columns {
    ($extra:expr) => {{
        let ExtraColumns {
            species,
            spent,
            resting,
            busy,
            max_speed,
            mass,
            radius,
            goals,
            memories,
            blocked,
            phase,
            spare: _,
        } = $extra;
        let numbers = [spent, max_speed, mass, radius].into_iter().chain(goals).chain(memories);
        (numbers, [species, resting, busy, blocked, phase].into_iter())
    }};
}

impl<const D: usize> ExtraColumns<D> {
    /// Which of the columns are in use that are so once a boid has something of its own: a bit
    /// each.
    pub fn own_in_use(&self) -> u32 {
        let Self { max_speed, mass, radius, goals, .. } = self;
        let used = [max_speed, mass, radius, &goals[0]].map(Column::in_use);
        used.iter().rev().fold(0, |bits, &used| bits << 1 | u32::from(used))
    }

    /// Has those in use of which the bits are set.
    pub fn use_own(&mut self, bits: u32, slots: usize) {
        let Self { max_speed, mass, radius, goals, .. } = self;
        for (bit, column) in [max_speed, mass, radius].into_iter().enumerate() {
            column.used(bits >> bit & 1 == 1, f32::NAN, slots);
        }
        goals.iter_mut().for_each(|column| column.used(bits >> 3 & 1 == 1, f32::NAN, slots));
    }

    /// Room for so many slots; boids from the given one on have the usual values.
    pub fn resize(&mut self, slots: usize, from: usize) {
        let (numbers, whole) = columns!(self);
        numbers.for_each(|column| column.resize(slots, from));
        whole.for_each(|column| column.resize(slots, from));
    }

    /// All columns in use, to write.
    pub fn columns_mut(
        &mut self,
    ) -> (impl Iterator<Item = &mut [f32]>, impl Iterator<Item = &mut [u32]>) {
        let (numbers, whole) = columns!(self);
        let numbers = numbers.filter(|column| column.in_use()).map(Column::values_mut);
        (numbers, whole.filter(|column| column.in_use()).map(Column::values_mut))
    }

    /// Becomes the same, in the room that is there.
    pub fn copy_from(&mut self, from: &Self) {
        self.memories.resize_with(from.memories.len(), Column::default);
        let ((numbers, whole), (other_numbers, other_whole)) = (columns!(self), columns!(from));
        numbers.zip(other_numbers).for_each(|(to, from)| to.copy_from(from));
        whole.zip(other_whole).for_each(|(to, from)| to.copy_from(from));
    }

    /// All columns in use.
    pub fn columns(&self) -> (impl Iterator<Item = &[f32]>, impl Iterator<Item = &[u32]>) {
        let (numbers, whole) = columns!(self);
        (numbers.filter_map(Column::get), whole.filter_map(Column::get))
    }

    /// Takes everything along to where a sort has put its boid.
    pub fn follow<T: Default + Send>(&mut self, order: &[u32], workers: &Workers<T>) {
        let mut spare = std::mem::take(&mut self.spare);
        let (numbers, whole) = columns!(&mut *self);
        numbers.for_each(|column| follow(column, &mut spare, order, workers));
        whole.for_each(|column| follow(column, &mut spare, order, workers));
        self.spare = spare;
    }
}

/// Brings a column that is in use into the given order.
fn follow<E: Number, T: Default + Send>(
    column: &mut Column<E>,
    spare: &mut Spare,
    order: &[u32],
    workers: &Workers<T>,
) {
    if column.in_use() {
        reorder(&mut column.values, E::spare(spare), order, workers);
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
    workers.sweep(slots, [[spare.as_mut_slice()]], &|first, [[to]], _| {
        pick(from, to, &order[first..])
    });
    std::mem::swap(column, spare);
}

#[cfg(test)]
#[path = "../../tests/inside/carried.rs"]
mod tests;
