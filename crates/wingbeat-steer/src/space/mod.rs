//! Space and time: the domain, its grid of cells, the time step, a boid in it, its right and left.

pub(crate) mod boid;
pub(crate) mod cells;
pub(crate) mod domain;
pub(crate) mod right;
pub(crate) mod time_step;
