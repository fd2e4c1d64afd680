//! Where bodies may start: starts that overlap a body or an obstacle are refused, or moved apart.

mod around;
pub(crate) mod occupied;
pub(crate) mod settle;
pub(crate) mod start;
