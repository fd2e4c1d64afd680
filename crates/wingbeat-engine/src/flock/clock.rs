//! How much of a step several threads can share: for the benchmark of the serial rest.

use std::time::Duration;

use super::Flock;

impl<const D: usize> Flock<D> {
    /// Measures, on one thread, how long work takes that several threads would share; it is divided
    /// as it would be for them.
    #[doc(hidden)]
    pub fn start_clock(&self) {
        self.machine.workers.start_clock();
    }

    /// How long it has taken since this was last asked.
    #[doc(hidden)]
    pub fn clocked_time(&self) -> Duration {
        self.machine.workers.clocked_time()
    }
}
