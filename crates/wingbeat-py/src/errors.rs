//! Refusals as Python's exceptions, in the engine's words: what was given is at fault with a
//! `ValueError`, a file with an `OSError`, the machine with a `RuntimeError`.

use pyo3::PyErr;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyRuntimeError, PyValueError};
use wingbeat_record::RecordError;
use wingbeat_scene::SceneError;

/// Of a line, or of anything that is shown as one.
pub(crate) fn value(refusal: impl ToString) -> PyErr {
    PyValueError::new_err(refusal.to_string())
}

pub(crate) fn scene(refusal: SceneError) -> PyErr {
    match refusal {
        SceneError::File { .. } => PyOSError::new_err(refusal.to_string()),
        _ if refusal.is_bad_input() => value(refusal),
        _ => PyRuntimeError::new_err(refusal.to_string()),
    }
}

pub(crate) fn record(refusal: RecordError) -> PyErr {
    match refusal {
        RecordError::File { .. } | RecordError::Write { .. } => {
            PyOSError::new_err(refusal.to_string())
        }
        RecordError::Stopped => PyKeyboardInterrupt::new_err("stopped"),
        _ => value(refusal),
    }
}
