//! Steering behaviours for single agents, and the textbook flock the engine is held to.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod math;
pub mod noise;
mod vector;

pub use glam;
pub use vector::Vector;
