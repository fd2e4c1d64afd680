//! One column of extra values, and what is done to whole columns of either type of number.

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
    in_use: bool,
}

impl<T: Word> Column<T> {
    /// Every boid, now and later, has the usual value.
    pub fn new(usual: T, slots: usize) -> Self {
        Self { values: vec![usual; slots + PADDING], usual, in_use: true }
    }

    pub const fn unused(usual: T) -> Self {
        Self { values: Vec::new(), usual, in_use: false }
    }

    /// Whether the values are a part of the boids' state, and so travel with them.
    pub fn in_use(&self) -> bool {
        self.in_use
    }

    /// The values, if the column is in use.
    pub fn get(&self) -> Option<&[T]> {
        self.in_use.then_some(&self.values)
    }

    /// The values; empty if the column is not in use.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The same, to write.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// In use or not, with the usual value for all from now on unless that is what it was.
    pub fn be_used(&mut self, wanted: bool, slots: usize) {
        if self.in_use != wanted {
            *self = if wanted { Self::new(self.usual, slots) } else { Self::unused(self.usual) };
        }
    }

    /// In use or not, with the values that are there, if there are any yet.
    pub fn travels(&mut self, wanted: bool) {
        self.in_use = wanted;
    }

    /// Room for a value of so many slots, whether in use or not.
    pub fn make_room(&mut self, slots: usize) {
        self.values.resize(slots + PADDING, self.usual);
    }

    /// Brings the values, if they are in use, to where a sort has put their boids.
    pub fn reorder<S: Default + Send>(
        &mut self,
        spare: &mut Spare,
        order: &[u32],
        workers: &Workers<S>,
    ) {
        if !self.in_use || self.values.is_empty() {
            return;
        }
        let (slots, from, to) = (order.len(), &self.values, T::spare(spare));
        to.resize(slots + PADDING, T::default());
        workers.sweep(slots, [[to.as_mut_slice()]], &|first, [[to]], _| {
            pick(from, to, &order[first..])
        });
        std::mem::swap(&mut self.values, to);
    }

    /// Becomes the same, in the room that is there; values that are not in use are left out.
    pub fn copy_from(&mut self, from: &Self) {
        self.values.clear();
        self.values.extend_from_slice(from.get().unwrap_or_default());
        (self.usual, self.in_use) = (from.usual, from.in_use);
    }
}

/// A quantity is one column, one for each axis, or a list.
impl<T> AsRef<[Column<T>]> for Column<T> {
    fn as_ref(&self) -> &[Self] {
        std::slice::from_ref(self)
    }
}

impl<T> AsMut<[Column<T>]> for Column<T> {
    fn as_mut(&mut self) -> &mut [Self] {
        std::slice::from_mut(self)
    }
}

/// A type of number that boids carry: 32 bits.
pub(crate) trait Word: Copy + Default + Send + Sync {
    const IS_WHOLE: bool;
    const TO_BITS: fn(Self) -> u32;
    const FROM_BITS: fn(u32) -> Self;
    fn spare(of: &mut Spare) -> &mut Vec<Self>;
}

impl Word for f32 {
    const IS_WHOLE: bool = false;
    const TO_BITS: fn(Self) -> u32 = Self::to_bits;
    const FROM_BITS: fn(u32) -> Self = Self::from_bits;

    fn spare(of: &mut Spare) -> &mut Vec<Self> {
        &mut of.numbers
    }
}

impl Word for u32 {
    const IS_WHOLE: bool = true;
    const TO_BITS: fn(Self) -> u32 = std::convert::identity;
    const FROM_BITS: fn(u32) -> Self = std::convert::identity;

    fn spare(of: &mut Spare) -> &mut Vec<Self> {
        &mut of.whole
    }
}

/// Room for sorting, a column for each type of number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spare {
    numbers: Vec<f32>,
    whole: Vec<u32>,
}

/// A column of either type: what is done to all columns alike, at a virtual call a column.
pub(crate) trait AnyColumn {
    /// See [`Column::in_use`].
    fn in_use(&self) -> bool;
    /// See [`Column::be_used`].
    fn be_used(&mut self, wanted: bool, slots: usize);
    fn is_whole(&self) -> bool;
    /// Room for so many slots; from the given one on they have the usual value: padding may hold
    /// anything.
    fn resize(&mut self, slots: usize, from: usize);
    /// Copies values to slots from others.
    fn fill(&mut self, moves: &[(u32, u32)]);
    /// Appends the values of slots, as bits.
    fn gather(&self, slots: &[u32], into: &mut Vec<u32>);
    /// Sets the values of slots to these bits.
    fn scatter(&mut self, slots: &[u32], bits: &[u32]);
    /// Adds the bits of each value to the hash of its boid.
    fn hash(&self, hashes: &mut [u64], add: fn(u64, u32) -> u64);
}

impl<T: Word> AnyColumn for Column<T> {
    fn in_use(&self) -> bool {
        self.in_use
    }

    fn be_used(&mut self, wanted: bool, slots: usize) {
        self.be_used(wanted, slots);
    }

    fn is_whole(&self) -> bool {
        T::IS_WHOLE
    }

    fn resize(&mut self, slots: usize, from: usize) {
        if !self.values.is_empty() {
            self.make_room(slots);
            self.values[from.min(slots)..slots].fill(self.usual);
        }
    }

    fn fill(&mut self, moves: &[(u32, u32)]) {
        if !self.values.is_empty() {
            fill(&mut self.values, moves);
        }
    }

    fn gather(&self, slots: &[u32], into: &mut Vec<u32>) {
        // Before the first step there are no forces yet, though they are in use.
        let value = |&slot: &u32| *self.values.get(slot as usize).unwrap_or(&self.usual);
        into.extend(slots.iter().map(value).map(T::TO_BITS));
    }

    fn scatter(&mut self, slots: &[u32], bits: &[u32]) {
        for (&slot, &bits) in slots.iter().zip(bits) {
            self.values[slot as usize] = T::FROM_BITS(bits);
        }
    }

    fn hash(&self, hashes: &mut [u64], add: fn(u64, u32) -> u64) {
        for (hash, &value) in hashes.iter_mut().zip(&self.values) {
            *hash = add(*hash, T::TO_BITS(value));
        }
    }
}

/// Copies values to slots from others.
pub(crate) fn fill<T: Copy>(values: &mut [T], moves: &[(u32, u32)]) {
    for &(to, from) in moves {
        values[to as usize] = values[from as usize];
    }
}
