//! What rules, models, drives, obstacles and bodies speak of: the boids of a block, its candidates,
//! and the sorted flock both are from.

mod candidates;
mod eyes;
pub(crate) mod limit;
mod list;
mod load;
mod noise;
mod own;
mod seats;
pub(crate) mod smallest;
mod sorted;
mod surroundings;

pub(crate) use candidates::{
    CandidateList, Collector, Consume, DIRECT, FillList, Found, NEAREST, gap_nearest,
};
pub(crate) use eyes::CandidateVisitor;
pub(crate) use limit::key;
pub use limit::{NearestLimit, NearestLimits, NearestTest};
pub(crate) use list::{LIST, List, Listed, ROOM};
pub(crate) use load::Block;
pub(crate) use noise::Keyed;
pub use own::{Candidate, BlockLanes, Pair};
pub(crate) use seats::{DueSlots, LaneFinder, LaneAssignment};
pub(crate) use sorted::SortedFlock;
pub(crate) use surroundings::{LookScratch, Surroundings};
