//! Recordings: read, measured, converted, shown; and made while a flock flies.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use numpy::ndarray::{Array2, Array3};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wingbeat::Domain;
use wingbeat_measure::{Measurable, Observables, State, Wanted};
use wingbeat_page::{MEGABYTE, PageOptions, replay};
use wingbeat_record::{Frame, Frames, LengthUnit, Options, RecordError};

use crate::errors;
use crate::flock::{Flock, UNINTERRUPTED};

/// A recording that is being made: frames go to a file on a thread of its own.
#[pyclass(module = "wingbeat._native")]
pub(crate) struct Recorder {
    /// Until it is finished.
    recorder: Mutex<Option<wingbeat_record::Recorder>>,
}

#[pymethods]
impl Recorder {
    #[new]
    fn new(path: PathBuf, flock: PyRef<'_, Flock>, every: u64) -> PyResult<Self> {
        let about = flock.live().about(every).map_err(errors::scene)?;
        let recorder = wingbeat_record::Recorder::start(&path, about).map_err(errors::record)?;
        Ok(Self { recorder: Mutex::new(Some(recorder)) })
    }

    fn capture(&self, flock: PyRef<'_, Flock>) -> PyResult<()> {
        let mut recorder = self.recorder.lock().unwrap_or_else(PoisonError::into_inner);
        let recorder =
            recorder.as_mut().ok_or_else(|| errors::value("the recording is finished"))?;
        flock.live().flock().record(recorder).map_err(errors::record)
    }

    /// Makes it whole; tells how many frames and bytes it has.
    fn finish(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let recorder = self.recorder.lock().unwrap_or_else(PoisonError::into_inner).take();
        let recorder = recorder.ok_or_else(|| errors::value("the recording is finished"))?;
        let written = py.detach(|| recorder.finish()).map_err(errors::record)?;
        Ok((written.frames, written.bytes))
    }
}

/// A recording that is read: frames with at least one position, in order.
#[pyclass(frozen, module = "wingbeat._native")]
pub(crate) struct Recording {
    path: PathBuf,
    options: Options,
    recording: Mutex<wingbeat_record::Recording>,
}

impl Recording {
    fn recording(&self) -> MutexGuard<'_, wingbeat_record::Recording> {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Recording {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "as many options as a recording has")]
    #[pyo3(signature = (
        path, fps=None, scale=None, y_down=false, fill_gaps=None, smooth=None, columns=None,
        unit=None
    ))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        fps: Option<f64>,
        scale: Option<f64>,
        y_down: bool,
        fill_gaps: Option<u64>,
        smooth: Option<&str>,
        columns: Option<&str>,
        unit: Option<&str>,
    ) -> PyResult<Self> {
        let smooth = smooth.map(|text| text.parse().map_err(errors::value)).transpose()?;
        let columns = columns.map(|text| text.parse().map_err(errors::value)).transpose()?;
        let columns = columns.unwrap_or_default();
        let unit = unit.and_then(LengthUnit::parse);
        let options =
            Options { fps, scale, unit, y_down, fill_gaps, smooth, columns, ..Options::default() };
        let recording =
            py.detach(|| wingbeat_record::read(&path, &options)).map_err(errors::record)?;
        Ok(Self { path, options, recording: Mutex::new(recording) })
    }

    fn __len__(&self) -> usize {
        self.recording().len()
    }

    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    #[getter]
    fn fps(&self) -> f64 {
        self.recording().fps()
    }

    #[getter]
    fn dimensions(&self) -> usize {
        self.recording().dimensions()
    }

    /// The unit of lengths: `m` or `px`, None where the file states none.
    #[getter]
    fn length_unit(&self) -> Option<String> {
        self.recording().found().length_unit.map(|unit| unit.to_string())
    }

    /// What times count: `s` or `frame`.
    #[getter]
    fn time_unit(&self) -> String {
        self.recording().found().time_unit.to_string()
    }

    /// The species of each of these individuals; None where the file has no species.
    fn _species(&self, ids: Vec<u64>) -> Option<Vec<String>> {
        let recording = self.recording();
        let species = recording.species();
        let name = |id: &u64| {
            let place = species.of(*id).map(usize::from);
            place.and_then(|place| species.names().get(place)).cloned().unwrap_or_default()
        };
        (!species.names().is_empty()).then(|| ids.iter().map(name).collect())
    }

    /// Whether the file states a box.
    #[getter]
    fn bounded(&self) -> bool {
        self.recording().edges().bounds().is_some()
    }

    #[getter]
    fn periodic(&self) -> bool {
        self.recording().edges().is_periodic()
    }

    /// What was in the file, and what was done about it.
    #[getter]
    fn found<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let recording = self.recording();
        let (found, dictionary) = (recording.found(), PyDict::new(py));
        for (name, count) in [
            ("positions", found.positions as u64),
            ("ids", found.ids as u64),
            ("frames", found.frames as u64),
            ("empty_frames", found.empty_frames),
            ("missing_positions", found.missing_positions),
            ("gaps", found.gaps),
            ("longest_gap", found.longest_gap),
            ("gaps_filled", found.gaps_filled),
            ("positions_filled", found.positions_filled),
            ("positions_smoothed", found.positions_smoothed),
            ("duplicates", found.duplicates),
            ("contradictions", found.contradictions),
            ("jumps", found.jumps),
            ("positions_at_origin", found.positions_at_origin),
            ("out_of_order", found.out_of_order),
        ] {
            dictionary.set_item(name, count)?;
        }
        dictionary.set_item("has_velocities", found.has_velocities)?;
        dictionary.set_item("first_frame", found.first_frame)?;
        dictionary.set_item("last_frame", found.last_frame)?;
        dictionary.set_item("notes", found.notes.clone())?;
        Ok(dictionary)
    }

    /// Number, time, ids, positions and velocities of a frame.
    #[expect(clippy::type_complexity, reason = "a tuple of Python's")]
    fn _frame<'py>(
        &self,
        py: Python<'py>,
        k: usize,
    ) -> PyResult<(
        i64,
        f64,
        Bound<'py, PyArray1<u64>>,
        Bound<'py, PyArray2<f64>>,
        Bound<'py, PyArray2<f64>>,
    )> {
        let recording = self.recording();
        if k >= recording.len() {
            return Err(PyIndexError::new_err(format!(
                "frame {k}: allowed is 0 to {}",
                recording.len() - 1
            )));
        }
        let frame = recording.frame(k).map_err(errors::record)?;
        let shape = (frame.rows.len(), frame.dimensions());
        let ids: Vec<u64> = frame.rows.iter().map(|row| row.id).collect();
        let positions = Array2::from_shape_fn(shape, |(i, a)| frame.rows[i].position[a]);
        let velocities = Array2::from_shape_fn(shape, |(i, a)| frame.rows[i].velocity[a]);
        let (positions, velocities) = (positions.into_pyarray(py), velocities.into_pyarray(py));
        Ok((frame.number, frame.time, ids.into_pyarray(py), positions, velocities))
    }

    /// Numbers, times and ids, and for each frame and id where it is (or how it moves): NaN where
    /// it is not.
    #[expect(clippy::type_complexity, reason = "a tuple of Python's")]
    fn _tracks<'py>(
        &self,
        py: Python<'py>,
        of_velocities: bool,
    ) -> PyResult<(
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyArray1<f64>>,
        Bound<'py, PyArray1<u64>>,
        Bound<'py, PyArray3<f64>>,
    )> {
        let (numbers, times, ids, tracks) =
            py.detach(|| tracks_of(&self.recording(), of_velocities)).map_err(errors::record)?;
        Ok((
            numbers.into_pyarray(py),
            times.into_pyarray(py),
            ids.into_pyarray(py),
            tracks.into_pyarray(py),
        ))
    }

    /// Number, time, individuals and the observables of these names of every n-th frame; NaN where
    /// there is no answer. `in_hull`: densities are those in the convex hull, even in a box.
    #[expect(clippy::type_complexity, reason = "a tuple of Python's")]
    #[pyo3(signature = (names, every, radius=None, in_hull=false))]
    fn _measure(
        &self,
        py: Python<'_>,
        names: &str,
        every: usize,
        radius: Option<f64>,
        in_hull: bool,
    ) -> PyResult<(Vec<i64>, Vec<f64>, Vec<u64>, Vec<Vec<f64>>)> {
        let wanted: Wanted = names.parse().map_err(errors::value)?;
        let (mut numbers, mut times, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        let mut columns = vec![Vec::new(); wanted.names().count()];
        let mut left = (0..self.recording().len()).step_by(every.max(1));
        loop {
            // A thread that waits for the recording has the interpreter's lock; the one that has
            // the recording must never wait for that.
            let is_done = py.detach(|| {
                let (recording, begun) = (self.recording(), Instant::now());
                while begun.elapsed() < UNINTERRUPTED {
                    let Some(k) = left.next() else { return Ok(true) };
                    let frame = recording.frame(k).map_err(errors::record)?;
                    let found = match (in_hull, frame.dimensions()) {
                        (false, _) => frame.measure(wanted, radius),
                        (true, 2) => in_open_space::<2>(&frame, wanted, radius),
                        (true, _) => in_open_space::<3>(&frame, wanted, radius),
                    };
                    numbers.push(frame.number);
                    times.push(frame.time);
                    counts.push(found.individuals as u64);
                    let values = Observables::NAMES.into_iter().zip(found.values());
                    let values =
                        values.filter(|(name, _)| wanted.names().any(|wanted| wanted == *name));
                    columns
                        .iter_mut()
                        .zip(values)
                        .for_each(|(column, (_, value))| column.push(value.unwrap_or(f64::NAN)));
                }
                Ok::<_, PyErr>(false)
            })?;
            py.check_signals()?;
            if is_done {
                return Ok((numbers, times, counts, columns));
            }
        }
    }

    /// Writes it again in another format; tells what a user should know about that.
    fn _save(&self, py: Python<'_>, path: PathBuf, every: u64) -> PyResult<Vec<String>> {
        let (from, options) = (&self.path, &self.options);
        let converted = py.detach(|| wingbeat_record::convert(from, &path, options, every));
        converted.map(|converted| converted.notes).map_err(errors::record)
    }

    /// The page that replays it, of at most so many megabytes.
    fn _page(&self, py: Python<'_>, megabytes: f64) -> PyResult<String> {
        let limit = (megabytes * MEGABYTE as f64) as u64;
        let (path, options): (&Path, _) = (&self.path, &self.options);
        let page = py.detach(|| {
            let mut frames = Frames::open(path, options, &|_, _| true)?;
            replay(&mut frames, &PageOptions { limit, ..PageOptions::default() })
        });
        let html = page.map_err(errors::record)?.html;
        String::from_utf8(html).map_err(errors::value)
    }
}

/// The observables of a frame without its box.
fn in_open_space<const D: usize>(
    frame: &Frame<'_>,
    wanted: Wanted,
    radius: Option<f64>,
) -> Observables {
    let first = |v: &[f64; 3]| -> [f64; D] { std::array::from_fn(|a| v[a]) };
    let positions: Vec<[f64; D]> = frame.rows.iter().map(|row| first(&row.position)).collect();
    let velocities: Vec<[f64; D]> = frame.rows.iter().map(|row| first(&row.velocity)).collect();
    State::new(&positions, &velocities, Domain::open()).measure(wanted, radius)
}

/// Numbers and times of all frames, all ids, and for each frame and id where it is or how it moves.
#[expect(clippy::type_complexity, reason = "a tuple of Python's")]
fn tracks_of(
    recording: &wingbeat_record::Recording,
    of_velocities: bool,
) -> Result<(Vec<i64>, Vec<f64>, Vec<u64>, Array3<f64>), RecordError> {
    let (frames, dimensions) = (recording.len(), recording.dimensions());
    let mut ids: Vec<u64> = Vec::new();
    let (mut numbers, mut times) = (Vec::with_capacity(frames), Vec::with_capacity(frames));
    for frame in recording.frames() {
        let frame = frame?;
        numbers.push(frame.number);
        times.push(frame.time);
        ids.extend(frame.rows.iter().map(|row| row.id));
        ids.sort_unstable();
        ids.dedup();
    }
    let mut tracks = Array3::from_elem((frames, ids.len(), dimensions), f64::NAN);
    for (k, frame) in recording.frames().enumerate() {
        for row in frame?.rows.iter() {
            let Ok(place) = ids.binary_search(&row.id) else { continue };
            let vector = if of_velocities { row.velocity } else { row.position };
            (0..dimensions).for_each(|a| tracks[[k, place, a]] = vector[a]);
        }
    }
    Ok((numbers, times, ids, tracks))
}
