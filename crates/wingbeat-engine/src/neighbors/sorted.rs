//! The sorted flock, as the stage `Sort` writes it and `Steer` reads it.

use wingbeat_steer::Domain;

use crate::columns::boids::Columns;
use crate::columns::extra::ExtraColumns;
use crate::columns::slices::Turns;
use crate::grid::{Grid, SubcellOrder};
use crate::identity::Identity;

/// Boids in slot order, borrowed for a step, and how to find them.
pub(crate) struct SortedFlock<'a, const D: usize> {
    pub columns: &'a Columns<D>,
    /// What alignment averages: velocities or headings.
    pub aligned: [&'a [f32]; D],
    /// Place of every boid's species among the kinds, in the order of the columns; empty where all
    /// are of one.
    pub species: &'a [u32],
    pub identity: Identity<'a>,
    pub grid: &'a Grid<D>,
    pub domain: &'a Domain<[f32; D]>,
    /// The finer order that the columns are in, if they are; a slot is a place then.
    pub fine: Option<&'a SubcellOrder<D>>,
    /// Whose turn it is, where not all steer in every step.
    pub turns: Option<Turns<'a>>,
}

impl<'a, const D: usize> SortedFlock<'a, D> {
    /// All boids in slot order, as if each steered.
    pub fn new(
        columns: &'a Columns<D>,
        extra: &'a ExtraColumns<D>,
        identity: Identity<'a>,
        (grid, domain): (&'a Grid<D>, &'a Domain<[f32; D]>),
    ) -> Self {
        let (aligned, species) = (columns.velocity.each_ref(), extra.species.values());
        Self { columns, aligned, species, identity, grid, domain, fine: None, turns: None }
    }

    /// The slot of a boid, where the columns are in the finer order.
    #[inline]
    pub fn slot(&self, place: usize) -> usize {
        self.fine.map_or(place, |fine| fine.slot[place] as usize)
    }
}
