//! ROOM 2, steer: every boid looks at its neighbours and decides.
//!
//! A register holds several **boids of one block**; candidates are broadcast one after the other. (The usual way round,
//! one boid against a register of candidates, needs horizontal sums, whose order depends on the lane width.)
//!
//! ```text
//! for each block of up to LANES consecutive slots of one grid row:
//!     own         ← positions, velocities, headings, one boid a lane
//!     [low, high] ← bounding box of the block
//!     for each run of slots within reach of the box, ascending:             (grid/search.rs)
//!         list ← those whose distance to the box is within the radius       (vector test, branch-free push)
//!     for each listed slot, ascending:
//!         broadcast it; offset, distance; every rule tests range and sight and adds under its mask
//!     means, responses, combination; write the block's own slots
//! ```
//!
//! The box test is built from the same operations as the pair test in the same order, and subtraction, squaring, addition
//! round monotonically: a neighbour of any lane passes. What fails a mask adds +0.0. So each lane's sum is exactly the
//! textbook's sum in slot order, whatever the block, the batch, or the number of lanes.

mod batch;
mod blocks;
mod candidates;
mod chase;
mod chosen;
mod crowd;
mod decide;
mod finish;
pub(crate) mod headings;
mod host;
mod judged;
pub(crate) mod kinds;
mod list;
mod models;
mod nearest;
mod nearest_eyes;
mod prepared;
mod ranked;
mod rules;
mod search;
mod smallest;
mod world;

pub(crate) use batch::{Captures, Lookers, steer};
pub use host::Kernel;
pub(crate) use host::forces_of_host;
pub(crate) use models::model;
pub(crate) use prepared::Prepared;
pub use world::Look;
pub(crate) use world::{Scratch, World};
