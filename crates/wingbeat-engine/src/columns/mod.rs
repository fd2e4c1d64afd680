//! The state of boids as columns in slot order: structure of arrays, with their identities.

pub(crate) mod axes;
pub(crate) mod boids;
pub(crate) mod column;
pub(crate) mod extra;
pub(crate) mod frame;
pub(crate) mod neighbor;
pub(crate) mod slices;
pub(crate) mod vector_columns;
