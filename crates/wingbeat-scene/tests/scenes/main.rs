//! The tests of scenes, as one program: what they link is linked once for all of them, not once for each.
//!
//! `cargo test -p wingbeat-scene --test scenes presets::` runs one file.

mod explain;
mod floors;
mod gates;
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

/// As many boids as asked for, or as a preset that has room for no more can start with.
fn at_most(preset: &str, wanted: usize) -> usize {
    let most = match preset {
        "rvo_blocks" => 100,
        "counterflow" => 400,
        "crossing" => 200,
        _ => wanted,
    };
    if most < wanted { most } else { wanted }
}
