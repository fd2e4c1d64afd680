//! The neighborhood of a block: its boids in lanes, its candidates, and the sorted flock both are
//! from.

mod candidates;
mod visitor;
pub(crate) mod limit;
mod list;
mod load;
mod noise;
mod block_lanes;
mod lane_assignment;
pub(crate) mod smallest;
mod sorted;
mod surroundings;

pub use block_lanes::{BlockLanes, Candidate, Pair};
pub(crate) use candidates::{
    CandidateList, Collector, Consume, DIRECT, FillList, Found, NEAREST, gap_nearest,
};
pub(crate) use lane_assignment::{DueSlots, LaneAssignment, LaneFinder};
pub(crate) use limit::key;
pub use limit::{NearestLimit, NearestLimits, NearestTest};
pub(crate) use list::{LIST, List, Listed, ROOM};
pub(crate) use load::Block;
pub(crate) use noise::Keyed;
pub(crate) use sorted::SortedFlock;
pub(crate) use surroundings::{SearchScratch, Surroundings};
pub(crate) use visitor::CandidateVisitor;
