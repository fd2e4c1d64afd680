//! Wingbeat for Python: what of `import wingbeat` has to be Rust.
//!
//! ```text
//! scene.rs      a scene: preset, file or text, with overrides and a start      ──► flock.rs
//! flock.rs      a flock: steps, columns, changes, events, checkpoints
//! column.rs     a column that NumPy looks at where it lies
//! recording.rs  a recording: read, measured, converted, shown; and made
//! errors.rs     refusals ──► ValueError, OSError
//! ```
//!
//! The rest (progress bars, results, sweeps, data frames) is Python, in `python/wingbeat`.
//! Docstrings are there and in its stubs.
#![forbid(unsafe_code)]

use pyo3::prelude::*;

mod column;
mod errors;
mod flock;
mod recording;
mod scene;

/// Names of the scenes that ship, each with one line about it.
#[pyfunction]
fn presets() -> Vec<(&'static str, String)> {
    let about = |preset: &wingbeat_scene::Preset| {
        let scene = wingbeat_scene::Scene::parse(preset.name, preset.text, &[]);
        (preset.name, scene.map(|scene| scene.about().to_string()).unwrap_or_default())
    };
    wingbeat_scene::PRESETS.iter().map(about).collect()
}

/// Names of the SIMD levels that this processor has, the best last.
#[pyfunction]
fn levels() -> Vec<String> {
    wingbeat::Level::available().iter().map(ToString::to_string).collect()
}

/// Names of the observables, in the order of their columns.
#[pyfunction]
fn observables() -> [&'static str; 10] {
    wingbeat_measure::Observables::NAMES
}

/// Endings of the files that hold a recording.
#[pyfunction]
fn readable() -> Vec<&'static str> {
    wingbeat_record::readable()
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("EVENT_KINDS", wingbeat_session::EVENT_KINDS)?;
    module.add("NOTHING_ELSE", wingbeat_session::NOTHING_ELSE)?;
    module.add_class::<column::Column>()?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<flock::Flock>()?;
    module.add_class::<recording::Recorder>()?;
    module.add_class::<recording::Recording>()?;
    module.add_function(wrap_pyfunction!(presets, module)?)?;
    module.add_function(wrap_pyfunction!(levels, module)?)?;
    module.add_function(wrap_pyfunction!(observables, module)?)?;
    module.add_function(wrap_pyfunction!(readable, module)?)?;
    Ok(())
}
