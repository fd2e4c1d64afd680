//! Terms of steering in lanes: rules, models and drives, by species, and their combination.

pub(crate) mod combine;
pub mod drive;
pub(crate) mod model;
pub mod rule;
pub(crate) mod species_table;

/// A definition, from which its lanes are made.
pub(crate) trait InLanes {
    type Lanes;
    fn in_lanes(self) -> Self::Lanes;
}
