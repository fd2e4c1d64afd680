//! SIMD levels.

mod level;
pub use level::Level;
