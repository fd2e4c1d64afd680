//! What rules, models, drives and obstacles speak of: the boids of a block, a candidate, and the sorted flock both are from.

mod eyes;
mod limit;
mod load;
mod noise;
mod own;
mod seats;
mod sorted;

pub(crate) use eyes::Eyes;
pub(crate) use limit::key;
pub use limit::{NearestLimit, NearestLimits, NearestTest};
pub(crate) use load::Block;
pub(crate) use noise::Keyed;
pub use own::{Other, Own, Pair};
pub(crate) use seats::{DueSlots, LaneFinder, Seats};
pub(crate) use sorted::SortedFlock;
