//! Flocks that are steered in the finer order of a crowd (grid/subcells.rs) in place of slot order.

use crate::columns::boids::{Boids, Columns};
use crate::columns::extra::{Column, PADDING};
use crate::columns::slices::Turns;
use crate::flock::parts::Machine;
use crate::grid::{Crowds, Grid, SubcellOrder};
use crate::kernel::Prepared;
use crate::parallel::{Workers, pick};

/// From so many boids in a row within a radius on, on average, the finer order is worth its making.
/// See docs/decisions/0015-a-finer-order-for-crowds.md.
const CROWDED: f64 = 170.0;

/// The finer order, and forces in it. Empty for flocks that never are crowded.
#[derive(Clone, Debug)]
pub(crate) struct Crowd<const D: usize> {
    pub fine: SubcellOrder<D>,
    /// The combined force of every place; longer than the flock by the padding.
    pub steering: [Vec<f32>; D],
    /// The species of every place, where there are several.
    pub species: Vec<u32>,
}

impl<const D: usize> Default for Crowd<D> {
    fn default() -> Self {
        let (fine, species) = (SubcellOrder::default(), Vec::new());
        Self { fine, steering: [const { Vec::new() }; D], species }
    }
}

impl<const D: usize> Crowd<D> {
    /// Whether a sorted flock is to be steered in the finer order; the order, and the columns in
    /// it, are made then, in the back columns: those are free until the next sort.
    pub fn find(
        &mut self,
        Machine { level, workers, crowds, .. }: &Machine<D>,
        prepared: &Prepared,
        grid: &Grid<D>,
        (boids, back): (&Boids<D>, &mut Columns<D>),
    ) -> bool {
        let Some(nearest) = &prepared.nearest else { return false };
        let worth_it = match crowds {
            // Prey is looked for in slot order.
            _ if !nearest.all || prepared.kinds.chases > 0 || grid.is_empty() => false,
            Crowds::Automatic => grid.crowding() > CROWDED,
            Crowds::Always => true,
            Crowds::Never => false,
        };
        if worth_it {
            self.fine.expect(nearest.widest.about);
            self.fine.build(grid, &boids.front, back, level.lanes(), workers);
            for column in &mut self.steering {
                column.resize(self.fine.slot.len() + PADDING, 0.0);
            }
            if let Some(species) = boids.extra.species.get() {
                self.bring_species(species, workers);
            }
        }
        worth_it
    }

    /// Species in the finer order.
    fn bring_species<T: Default + Send>(&mut self, species: &[u32], workers: &Workers<T>) {
        let order = &self.fine.slot;
        self.species.resize(order.len() + PADDING, 0);
        workers.sweep(order.len(), [[&mut self.species[..]]], &|first, [[to]], _| {
            pick(species, to, &order[first..])
        });
    }

    /// Forces from places to slots, of those whose turn it was.
    pub fn hand_over<T: Default + Send>(
        &self,
        to: &mut [Column<f32>; D],
        turns: Option<Turns<'_>>,
        slots: usize,
        workers: &Workers<T>,
    ) {
        let to = to.each_mut().map(Column::values_mut);
        workers.sweep(slots, [to], &|first, [to], _| {
            for (to, from) in to.into_iter().zip(&self.steering) {
                match turns {
                    None => pick(from, to, &self.fine.place[first..]),
                    Some(turns) => {
                        for (i, to) in to.iter_mut().enumerate() {
                            if turns.is_due(first + i) {
                                *to = from[self.fine.place[first + i] as usize];
                            }
                        }
                    }
                }
            }
        });
    }
}
