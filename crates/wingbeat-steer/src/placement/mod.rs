//! Where bodies may start: none overlaps another or an obstacle, or is moved apart first.

mod around;
pub(crate) mod settle;
pub(crate) mod start;
