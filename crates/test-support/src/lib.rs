//! What the tests of several crates share: random numbers, and which tests a tier of `.ci/run`
//! runs. It knows nothing of the engine, so that unit tests of the engine may use it.

pub mod random;
pub mod tier;

pub use random::Random;
