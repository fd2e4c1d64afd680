//! The tests of scenes, as one program: what they link is linked once for all of them, not once for each.
//!
//! `cargo test -p wingbeat-scene --test scenes presets::` runs one file.

mod explain;
mod floors;
mod keys;
mod memory;
mod models;
mod preset_worlds;
mod presets;
mod reach;
mod same_bits;
mod settings;
mod species;
mod text;
mod worlds;
