//! The tests of the measures, as one program: what is generic is compiled once for all of them.

// The engine's own generator of worlds: boxes, awkward states, sights.
#[path = "../../../wingbeat/tests/common/mod.rs"]
mod common;

mod crowds;
mod curves;
mod lines;
mod measured_once;
mod measures;
mod nearest;
mod same_measures;
mod threads;

use wingbeat_record::{Options, Recording, read};

/// What is read from a file of this name and content.
fn recorded(name: &str, content: impl AsRef<[u8]>, fps: f64) -> Recording {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a scratch file");
    read(&path, &Options { fps: Some(fps), ..Options::default() })
        .unwrap_or_else(|error| panic!("{error}"))
}
