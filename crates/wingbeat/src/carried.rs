//! Columns that boids take along: what they remember and what is theirs alone follows them through sorts and removals.
#![forbid(unsafe_code)]

use crate::boids::PADDING;
use crate::grid::pick;
use crate::parallel::Workers;

/// Columns beside position and velocity, of one number a boid and column, in slot order like those. Without columns nothing costs anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carried {
    columns: Vec<Vec<f32>>,
    /// What a boid that comes has in each.
    usual: Vec<f32>,
    slots: usize,
    back: Vec<f32>,
}

impl Carried {
    /// One column for each of the usual values, for so many boids.
    pub fn new(usual: Vec<f32>, slots: usize) -> Self {
        let columns = usual.iter().map(|&value| vec![value; slots + PADDING]).collect();
        Self { columns, usual, slots, back: Vec::new() }
    }

    /// Number of columns.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// A column, longer than the flock by the padding, so that lanes may be loaded from any slot on.
    pub fn column(&self, which: usize) -> &[f32] {
        &self.columns[which]
    }

    /// The same, to write.
    pub fn column_mut(&mut self, which: usize) -> &mut [f32] {
        &mut self.columns[which]
    }

    /// Columns from `first` on, to write.
    pub fn columns_mut(&mut self, first: usize) -> impl Iterator<Item = &mut [f32]> {
        self.columns[first..].iter_mut().map(Vec::as_mut_slice)
    }

    /// A boid in the last slot.
    pub fn add(&mut self) {
        self.slots += 1;
        for (column, &usual) in self.columns.iter_mut().zip(&self.usual) {
            column.resize(self.slots + PADDING, usual);
            column[self.slots - 1] = usual;
        }
    }

    /// What a boid has goes to a slot that is free.
    pub fn moved(&mut self, from: usize, to: usize) {
        for column in &mut self.columns {
            column[to] = column[from];
        }
    }

    /// The slots left after a removal.
    pub fn keep(&mut self, slots: usize) {
        self.slots = slots;
        for column in &mut self.columns {
            column.truncate(slots + PADDING);
        }
    }

    /// Takes everything along to where a sort has put its boid.
    pub fn follow<T: Default + Send>(&mut self, order: &[u32], workers: &Workers<T>) {
        let slots = order.len();
        for column in &mut self.columns {
            self.back.resize(slots + PADDING, 0.0);
            let from = column.as_slice();
            workers.sweep(slots, [[self.back.as_mut_slice()]], &|first, [[back]], _| pick(from, back, &order[first..]));
            std::mem::swap(column, &mut self.back);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_boids_carry_stays_with_them() {
        let workers = Workers::<()>::new(Some(1), 512).expect("one thread");
        let mut carried = Carried::new(vec![0.0, 7.0], 3);
        for slot in 0..3 {
            carried.column_mut(0)[slot] = slot as f32;
        }
        carried.follow(&[2, 0, 1], &workers);
        assert_eq!((&carried.column(0)[..3], &carried.column(1)[..3]), (&[2.0, 0.0, 1.0][..], &[7.0; 3][..]));
        carried.add();
        assert_eq!((carried.column(0)[3], carried.column(1)[3]), (0.0, 7.0));
        // The boid in slot 1 goes.
        carried.moved(2, 1);
        carried.moved(3, 2);
        carried.keep(3);
        assert_eq!(&carried.column(0)[..3], &[2.0, 1.0, 0.0]);
        assert_eq!((carried.count(), carried.column(0).len()), (2, 3 + PADDING));
    }
}
