//! Limits of boids in lanes, of their species or their own, and the traits behind them.

use crate::columns::extra::Column;
use crate::columns::extra::ExtraColumns;
use crate::terms::species_table::SpeciesTable;
use wingbeat_steer::{SpeciesId, Traits};

/// What boids may do, where not all are alike.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    pub kinds: &'a SpeciesTable,
    /// Empty where all are of one species.
    pub species: &'a [u32],
    /// Own maximum speeds and masses, NaN for a boid without one.
    pub own: Option<[&'a [f32]; 2]>,
}

impl<'a> Limits<'a> {
    pub fn new<const D: usize>(kinds: &'a SpeciesTable, extra: &'a ExtraColumns<D>) -> Self {
        let own = extra.max_speed.get().zip(extra.mass.get()).map(<[&[f32]; 2]>::from);
        Self { kinds, species: extra.species.values(), own }
    }

    /// Whether every mass is 1.
    #[inline(always)]
    pub fn unit_mass(&self) -> bool {
        self.own.is_none() && self.kinds.unit_mass
    }
}

impl<const D: usize> ExtraColumns<D> {
    /// The species of the boid in a slot; the first in flocks without.
    pub fn species_of(&self, slot: usize) -> SpeciesId {
        SpeciesId::new(self.species.get().map_or(0, |species| species[slot] as usize))
    }

    /// What is the own of the boid in a slot.
    pub fn traits(&self, slot: usize) -> Traits {
        let own = |column: &Column<f32>| {
            column.get().map(|values| values[slot]).filter(|value| !value.is_nan())
        };
        Traits {
            species: self.species_of(slot),
            spent: own(&self.spent).unwrap_or(0.0),
            resting: self.resting.get().is_some_and(|resting| resting[slot] > 0),
            max_speed: own(&self.max_speed),
            mass: own(&self.mass),
            radius: own(&self.radius),
        }
    }

    /// From now on some of so many boids have limits of their own.
    pub fn use_own_limits(&mut self, slots: usize) {
        self.max_speed.be_used(true, slots);
        self.mass.be_used(true, slots);
    }

    /// Gives the boid in a slot of so many traits of its own.
    pub fn set_traits(&mut self, slot: usize, traits: &Traits, slots: usize) {
        if traits.max_speed.is_some() || traits.mass.is_some() {
            self.use_own_limits(slots);
        }
        for (column, value) in
            [(&mut self.max_speed, traits.max_speed), (&mut self.mass, traits.mass)]
        {
            if column.in_use() {
                column.values_mut()[slot] = value.unwrap_or(f32::NAN);
            }
        }
        self.radius.be_used(traits.radius.is_some() || self.radius.in_use(), slots);
        if self.radius.in_use() {
            self.radius.values_mut()[slot] = traits.radius.unwrap_or(f32::NAN);
        }
        if self.spent.in_use() {
            self.spent.values_mut()[slot] = traits.spent;
        }
        let resting = u32::from(traits.resting);
        for (column, value) in
            [(&mut self.species, traits.species.get() as u32), (&mut self.resting, resting)]
        {
            if column.in_use() {
                column.values_mut()[slot] = value;
            }
        }
    }
}
