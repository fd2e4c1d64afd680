//! The programs on the project's pages, compiled and run with the tests.
#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../crates/wingbeat/README.md")]
struct EngineReadme;

#[cfg(doctest)]
#[doc = include_str!("../crates/wingbeat-steer/README.md")]
struct SteerReadme;

#[cfg(doctest)]
#[doc = include_str!("../crates/wingbeat-view/README.md")]
struct ViewReadme;

#[cfg(doctest)]
#[doc = include_str!("DETERMINISM.md")]
struct Determinism;

#[cfg(doctest)]
#[doc = include_str!("GAMES.md")]
struct Games;

#[cfg(doctest)]
#[doc = include_str!("RECORDINGS.md")]
struct Recordings;
