//! The stage `Steer`: each boid looks at its neighbors, and its terms are combined.
//!
//! A register holds several **boids of one block**; candidates are broadcast one after the other.
//! (The usual way round, one boid against a register of candidates, needs horizontal sums, whose
//! order depends on the lane width.)
//!
//! ```text
//! for each of: the three rules or a model, each further rule, the host's own rules
//!         (what the flock has: batch.rs; models and the host's rules by one virtual call a batch)
//!     for each block of up to LANES consecutive slots of one grid row:      (blocks.rs)
//!         own         ← positions, velocities, headings, one boid a lane
//!         [low, high] ← bounding box of the block
//!         for each run of slots within reach of the box, ascending:         (grid/search.rs)
//!             list ← those whose distance to the box is within the radius
//!                 (vector test, branch-free push: neighbors/candidates.rs)
//!         for each listed slot, ascending:
//!             broadcast it; offset, distance; test range and sight and add under the mask
//!         in the first pass: the nearest boid that each flees, pursues or evades (chase.rs)
//!         write what was seen into a table, a row a boid
//! for each register of boids that steer:                                    (decide.rs)
//!     read the table; responses, drives, obstacles, walls, combination; write steering
//! ```
//!
//! Passes and decision are separate so that any passes can be combined, and because blocks end
//! where rows end, while deciding can fill its registers.
//!
//! The box test clamps the candidate to the box and then does as the pair test does, in the same
//! order; subtraction, squaring, addition round monotonically: a neighbor of any lane passes. What
//! fails a mask adds a zero, which changes no sum begun at +0.0. So each lane's sum is exactly the
//! textbook's sum in slot order, whatever the block, the batch, or the number of lanes.

// How to add another pass. A visitor (`CandidateVisitor`) and columns in `Layout`; then either, as
// prey is, a piece of work on the block that the rules look from (chase.rs, called in blocks.rs),
// or a type that implements `NeighborPass` and a call in batch.rs; the use of its columns in
// decide.rs. A feature of tests/it/combinations.rs, which holds it together with all others.

// Files of this room use one another: a batch runs passes over blocks, whose context holds the
// search.
mod batch;
mod blocks;
mod chase;
mod kept;
mod crowd;
mod decide;
mod filter;
pub(crate) mod headings;
mod host;
mod models;
mod nearest;
mod nearest_visitor;
mod other_terms;
mod own_rules;
mod prepared;
mod ranked;
mod rule_passes;
mod rules;
mod search;
mod input;

pub(crate) use batch::{Captures, OtherPasses, steer};
pub use host::HostRules;
pub(crate) use host::forces_of_host;
pub use input::BatchPass;
pub(crate) use input::{Scratch, StepInput};
pub(crate) use models::model;
pub(crate) use own_rules::{OwnRule, OwnRules};
pub(crate) use prepared::Prepared;
