//! Which forms of tests run, by environment variables that `.ci/run` sets.
//!
//! A variable counts if its value is `1`, so that `WINGBEAT_FULL=0` is the short form too.

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| value == "1")
}

/// `WINGBEAT_FULL`: the long forms of tests. A landing runs a seeded sample of what they run whole.
pub fn full() -> bool {
    is_set("WINGBEAT_FULL")
}

/// The short form of something, or by `WINGBEAT_FULL` the long one.
pub fn either<T>(short: T, long: T) -> T {
    if full() { long } else { short }
}

/// Every `n`-th of some cases, the first among them, or by `WINGBEAT_FULL` all.
pub fn sample<I: IntoIterator>(cases: I, n: usize) -> std::iter::StepBy<I::IntoIter> {
    cases.into_iter().step_by(either(n, 1))
}

/// `WINGBEAT_SURVEY`: thousands of random worlds and every setting, run for their statistics.
pub fn survey() -> bool {
    is_set("WINGBEAT_SURVEY")
}

/// `WINGBEAT_WRITE_DOCS`: tests that compare a table of the documentation write it instead.
pub fn writes_docs() -> bool {
    is_set("WINGBEAT_WRITE_DOCS")
}

/// `WINGBEAT_SEED`: the one seed to try instead of a test's own.
pub fn seed() -> Option<u64> {
    std::env::var("WINGBEAT_SEED").ok()?.parse().ok()
}
