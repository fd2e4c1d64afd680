//! A scene: a preset, a file or a text, with what was set on top, and perhaps the boids to start
//! with.

use std::sync::Arc;

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use wingbeat_scene::{KeyKind, Machine, Override, Row, SettingValue, Start, known_key};
use wingbeat_session::{EditableScene, LiveFlock};

use crate::errors;
use crate::flock::Flock;

/// Lowest and highest corner of a box.
type Corners = ([f32; 3], [f32; 3]);

/// A number, and the ends of its slider.
type NumberAndSlider = (Option<f64>, Option<(f64, f64)>);

/// Where a scene is read from.
#[derive(Clone)]
enum Source {
    /// A preset's name or a file's path.
    Named(String),
    /// A text, and what messages call it.
    Text { name: String, text: String },
}

#[pyclass(module = "wingbeat._native")]
pub(crate) struct Scene {
    source: Source,
    overrides: Vec<Override>,
    start: Option<Arc<Start>>,
    tuned: EditableScene,
}

impl Scene {
    fn read(
        source: &Source,
        overrides: &[Override],
        start: Option<&Arc<Start>>,
    ) -> PyResult<EditableScene> {
        let tuned = match source {
            Source::Named(source) => EditableScene::load(source, overrides),
            Source::Text { name, text } => EditableScene::with_overrides(name, text, overrides),
        };
        let tuned = tuned.and_then(|tuned| match start {
            Some(start) => tuned.with_start(Arc::clone(start)),
            None => Ok(tuned),
        });
        tuned.map_err(errors::scene)
    }

    /// What is set, and the box that the scene has without a start, which would otherwise be sized
    /// by how many boids that has.
    fn with_its_box(&self) -> (Vec<Override>, Option<Corners>) {
        let mut overrides = self.overrides.clone();
        let machine = Machine { level: None, threads: Some(1) };
        let plain = Self::read(&self.source, &overrides, None).ok();
        let plain = plain.and_then(|tuned| LiveFlock::new(tuned, machine, None, true).ok());
        let Some(bounds) = plain.and_then(|live| live.flock().bounds()) else {
            return (overrides, None);
        };
        let settings = self.tuned.scene().settings();
        let is_given = |name: &str| {
            settings.iter().any(|setting| setting.is_given && setting.name.starts_with(name))
        };
        if !is_given("domain.min") && !is_given("floor.") {
            let corner =
                |corner: [f32; 3]| format!("{:?}", &corner[..self.tuned.scene().dimensions()]);
            overrides.push(Override::flag("start", "domain.min", &corner(bounds.0)));
            overrides.push(Override::flag("start", "domain.max", &corner(bounds.1)));
        }
        (overrides, Some(bounds))
    }
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (source, name=None, overrides=Vec::new()))]
    fn new(
        py: Python<'_>,
        source: String,
        name: Option<String>,
        overrides: Vec<(String, String)>,
    ) -> PyResult<Self> {
        let source = match name {
            Some(name) => Source::Text { name, text: source },
            None => Source::Named(source),
        };
        let overrides: Vec<Override> =
            overrides.iter().map(|(key, value)| Override::flag("set", key, value)).collect();
        let tuned = py.detach(|| Self::read(&source, &overrides, None))?;
        Ok(Self { source, overrides, start: None, tuned })
    }

    /// Sets keys to values written as in TOML; all or nothing.
    fn _set(&mut self, py: Python<'_>, changes: Vec<(String, String)>) -> PyResult<()> {
        *self = self._with(py, changes)?;
        Ok(())
    }

    /// Another scene with these keys set.
    fn _with(&self, py: Python<'_>, changes: Vec<(String, String)>) -> PyResult<Self> {
        let mut overrides = self.overrides.clone();
        for (key, value) in changes {
            overrides.retain(|before| before.key() != key);
            overrides.push(Override::flag("set", &key, &value));
        }
        let tuned = py.detach(|| Self::read(&self.source, &overrides, self.start.as_ref()))?;
        if self.start.is_some() && tuned.scene().dimensions() != self.tuned.scene().dimensions() {
            let dimensions = self.tuned.scene().dimensions();
            return Err(errors::value(format!(
                "flock.dimensions: allowed is {dimensions}, as its start has"
            )));
        }
        Ok(Self { source: self.source.clone(), overrides, start: self.start.clone(), tuned })
    }

    /// Boids to start with, in place of those that the scene spawns or reads.
    fn _start(
        &mut self,
        py: Python<'_>,
        positions: PyReadonlyArray2<'_, f32>,
        velocities: PyReadonlyArray2<'_, f32>,
        ids: PyReadonlyArray1<'_, u64>,
        species: Option<PyReadonlyArray1<'_, u8>>,
    ) -> PyResult<()> {
        let dimensions = self.tuned.scene().dimensions();
        let (positions, velocities) = (positions.as_array(), velocities.as_array());
        if positions.ncols() != dimensions {
            let given = positions.ncols();
            return Err(errors::value(format!(
                "positions: {given} columns: allowed is {dimensions}, as the scene has dimensions"
            )));
        }
        let wide = |row: numpy::ndarray::ArrayView1<'_, f32>| {
            std::array::from_fn(|a| row.get(a).copied().unwrap_or(0.0))
        };
        let vectors = positions.rows().into_iter().zip(velocities.rows());
        let ids = ids.as_array().to_vec();
        let row = |(id, (position, velocity))| Row {
            id,
            position: wide(position),
            velocity: wide(velocity),
        };
        let rows = ids.into_iter().zip(vectors).map(row).collect();
        let species = species.map(|species| species.as_array().to_vec()).unwrap_or_default();
        let start = Arc::new(Start { rows, species });
        let (overrides, bounds) = py.detach(|| self.with_its_box());
        if let Some((low, high)) = bounds {
            let outside = |row: &&Row| {
                (0..dimensions).any(|a| row.position[a] < low[a] || row.position[a] > high[a])
            };
            let count = start.rows.iter().filter(outside).count();
            if count > 0 {
                let (low, high, all) = (&low[..dimensions], &high[..dimensions], start.rows.len());
                let allowed = "inside; domain.min and domain.max set another box";
                let line = format!(
                    "positions: {count} of {all} are outside the box {low:?} to \
                    {high:?}: allowed is {allowed}"
                );
                return Err(errors::value(line));
            }
        }
        let tuned = py.detach(|| Self::read(&self.source, &overrides, Some(&start)))?;
        (self.tuned, self.overrides, self.start) = (tuned, overrides, Some(start));
        Ok(())
    }

    /// Builds a flock of it.
    #[pyo3(signature = (level=None, threads=None))]
    fn _flock(
        &self,
        py: Python<'_>,
        level: Option<&str>,
        threads: Option<usize>,
    ) -> PyResult<Flock> {
        let level = level.map(|name| name.parse().map_err(errors::value)).transpose()?;
        let (machine, tuned) = (Machine { level, threads }, self.tuned.clone());
        py.detach(|| LiveFlock::new(tuned, machine, None, true))
            .map(Flock::new)
            .map_err(errors::scene)
    }

    /// Of a key that takes any number between two: its value in this scene, None where that depends
    /// on other keys, and the ends of its slider, None where it has none.
    fn _number(&self, py: Python<'_>, key: &str) -> PyResult<NumberAndSlider> {
        let is_number =
            known_key(key).is_some_and(|known| matches!(known.kind, KeyKind::Number { .. }));
        if !is_number || key == "flock.dt" {
            return Err(errors::value(format!(
                "{key}: allowed is a key that takes any number between two, as docs/KEYS.md \
                lists them (but not flock.dt)"
            )));
        }
        let machine = Machine { level: None, threads: Some(1) };
        let live = py
            .detach(|| LiveFlock::new(self.tuned.clone(), machine, None, true))
            .map_err(errors::scene)?;
        let control = live.state().controls.into_iter().find(|control| control.key == key);
        let slider = control.and_then(|control| control.slider);
        let mut settings = self.tuned.scene().settings().into_iter();
        let value =
            settings.find(|setting| setting.name == key).and_then(|setting| match setting.value {
                Some(SettingValue::Number(value)) => Some(value),
                Some(SettingValue::Whole(value)) => Some(value as f64),
                _ => None,
            });
        Ok((value, slider.map(|slider| (slider.min, slider.max))))
    }

    #[getter]
    fn name(&self) -> String {
        self.tuned.scene().name().to_string()
    }

    #[getter]
    fn about(&self) -> String {
        self.tuned.scene().about().to_string()
    }

    #[getter]
    fn dimensions(&self) -> usize {
        self.tuned.scene().dimensions()
    }

    #[getter]
    fn boids(&self) -> Option<usize> {
        self.start.as_ref().map(|start| start.rows.len()).or_else(|| self.tuned.scene().boids())
    }

    #[getter]
    fn units(&self) -> Option<String> {
        self.tuned.scene().unit().map(|unit| unit.to_string())
    }

    #[getter]
    fn dt(&self) -> f64 {
        self.tuned.scene().dt().as_written()
    }

    #[getter]
    fn steps(&self) -> u64 {
        self.tuned.scene().steps()
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.tuned.scene().seed()
    }

    #[getter]
    fn species(&self) -> Vec<String> {
        self.tuned.scene().params().species_names()
    }

    #[getter]
    fn toml(&self) -> String {
        self.tuned.toml().to_string()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.tuned.warnings().to_vec()
    }
}
