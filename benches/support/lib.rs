//! What the benchmarks share: the points they measure at, and the scalar baseline.
#![forbid(unsafe_code)]

pub mod points;
pub mod scalar_grid;
