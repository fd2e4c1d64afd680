//! Wingbeat's benchmarks: see the bench targets.
