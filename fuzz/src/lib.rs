//! Helpers shared by the fuzz targets. A target is a file of `targets/`; its first lines name its
//! input and what has to hold.
#![forbid(unsafe_code)]

pub mod message_pack;
pub mod recordings;
pub mod scenes;

// The flocks that the engine's own tests draw, and their comparison with the textbook.
#[allow(dead_code, unused_imports)]
#[path = "../../crates/wingbeat/tests/it/combinations.rs"]
pub mod combinations;
#[path = "../../crates/wingbeat/tests/common/mod.rs"]
pub mod common;
#[allow(dead_code, unused_imports)]
#[path = "../../crates/wingbeat/tests/it/drives.rs"]
mod drives;
#[allow(dead_code, unused_imports)]
#[path = "../../crates/wingbeat/tests/it/explain.rs"]
mod explain;
#[allow(dead_code, unused_imports)]
#[path = "../../crates/wingbeat/tests/it/gates.rs"]
mod gates;
#[allow(dead_code, unused_imports)]
#[path = "../../crates/wingbeat/tests/it/models.rs"]
mod models;
#[path = "../../crates/wingbeat/tests/it/side_by_side.rs"]
mod side_by_side;
#[allow(dead_code, unused_imports)]
#[path = "../../crates/wingbeat/tests/it/species.rs"]
mod species;

// The worlds that the tests of scenes draw, their geometry, and the textbook beside them.
#[path = "../../crates/wingbeat-scene/tests/scenes/random_world.rs"]
pub mod random_world;
#[path = "../../crates/wingbeat-scene/tests/scenes/textbook.rs"]
pub mod textbook;

use std::path::PathBuf;

/// A file of this process with these bytes. `.ci/fuzz` has temporary files in memory.
pub fn file(extension: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fuzz-{}.{extension}", std::process::id()));
    std::fs::write(&path, bytes).expect("room for a file");
    path
}

/// The first byte of an input, and the rest.
pub fn first(bytes: &[u8]) -> (u8, &[u8]) {
    bytes.split_first().map_or((0, &[]), |(&first, rest)| (first, rest))
}
