//! A column that NumPy looks at where it lies, by its array interface: no copy, and no unsafe code
//! here.
//!
//! What is shown never changes and never goes away: it is shared memory that a flock leaves alone
//! as soon as another owner has it ([`VectorColumns`]), or a list that belongs to the column alone.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use wingbeat::frame::VectorColumns;

/// Memory that stays as it is.
#[pyclass(frozen, module = "wingbeat._native")]
pub(crate) struct Column {
    kept: Kept,
}

enum Kept {
    /// Of shape (boids, dimensions).
    Vectors(VectorColumns),
    Ids(Arc<Vec<u64>>),
    Places(Arc<Vec<u32>>),
    Lengths(Arc<Vec<f32>>),
}

impl Column {
    pub fn vectors(columns: VectorColumns) -> Self {
        Self { kept: Kept::Vectors(columns) }
    }

    pub fn ids(ids: Arc<Vec<u64>>) -> Self {
        Self { kept: Kept::Ids(ids) }
    }

    pub fn places(places: Arc<Vec<u32>>) -> Self {
        Self { kept: Kept::Places(places) }
    }

    pub fn lengths(lengths: Arc<Vec<f32>>) -> Self {
        Self { kept: Kept::Lengths(lengths) }
    }
}

#[pymethods]
impl Column {
    /// NumPy's array interface, version 3.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (address, kind, shape, strides) = match &self.kept {
            Kept::Vectors(columns) => {
                let (float, shape) = (size_of::<f32>(), [columns.len(), columns.dimensions()]);
                (
                    columns.values().as_ptr().addr(),
                    "<f4",
                    shape.to_vec(),
                    Some([float, columns.stride() * float]),
                )
            }
            Kept::Ids(ids) => (ids.as_ptr().addr(), "<u8", vec![ids.len()], None),
            Kept::Places(places) => (places.as_ptr().addr(), "<u4", vec![places.len()], None),
            Kept::Lengths(lengths) => (lengths.as_ptr().addr(), "<f4", vec![lengths.len()], None),
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        // True: read-only.
        interface.set_item("data", (address, true))?;
        interface.set_item("typestr", kind)?;
        interface.set_item("shape", PyTuple::new(py, shape)?)?;
        if let Some(strides) = strides {
            interface.set_item("strides", PyTuple::new(py, strides)?)?;
        }
        Ok(interface)
    }
}
