//! What the tests of several crates share: random numbers, which tests a tier of `.ci/run` runs,
//! and a clock that other programs do not move. It knows nothing of the engine, so that unit tests
//! of the engine may use it.

pub mod random;
pub mod tier;

/// What this thread has computed. A test that compares durations uses it, because the clock on the
/// wall also counts what other programs compute.
pub use cpu_time::ThreadTime;
pub use random::Random;
