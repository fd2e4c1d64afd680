//! Wingbeat on several machines.
#![forbid(unsafe_code)]

mod ranks;

pub use ranks::Ranks;
