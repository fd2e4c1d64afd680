//! A flock: steps, columns, changes, events, checkpoints.

use std::sync::Arc;
use std::time::{Duration, Instant};

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use wingbeat::{Domain, FlockError, SpeciesId};
use wingbeat_measure::{Measurable, Wanted, measure};
use wingbeat_scene::{AnyFlock, NearColumns};
use wingbeat_session::{EventColumns, LiveFlock};

use crate::column::Column;
use crate::errors;

/// How long work goes on before Ctrl-C is looked for.
pub(crate) const UNINTERRUPTED: Duration = Duration::from_millis(50);

#[pyclass(module = "wingbeat._native")]
pub(crate) struct Flock {
    live: LiveFlock,
    /// What happened in the last call of `step`.
    events: EventColumns,
    /// Ids and species in slot order, once they have been asked for since the flock was changed
    /// last.
    ids: Option<Arc<Vec<u64>>>,
    species: Option<Arc<Vec<u32>>>,
}

impl Flock {
    pub fn new(live: LiveFlock) -> Self {
        Self { live, events: EventColumns::default(), ids: None, species: None }
    }

    pub fn live(&self) -> &LiveFlock {
        &self.live
    }

    /// The flock, to be changed.
    fn changing(&mut self) -> &mut LiveFlock {
        (self.ids, self.species) = (None, None);
        &mut self.live
    }
}

/// An array's numbers, which the Python side has made contiguous.
fn numbers<'a>(rows: &'a PyReadonlyArray2<'_, f32>) -> PyResult<&'a [f32]> {
    rows.as_slice().map_err(errors::value)
}

fn list<'a>(ids: &'a PyReadonlyArray1<'_, u64>) -> PyResult<&'a [u64]> {
    ids.as_slice().map_err(errors::value)
}

/// Columns of boids near points: which point, id, distance.
type Near = (Column, Column, Column);

/// Asks without the interpreter's lock.
fn near(
    py: Python<'_>,
    ask: impl FnOnce(&mut NearColumns) -> Result<(), FlockError> + Send,
) -> PyResult<Near> {
    let mut found = NearColumns::default();
    py.detach(|| ask(&mut found)).map_err(errors::value)?;
    let NearColumns { point, id, distance } = found;
    Ok((
        Column::places(Arc::new(point)),
        Column::ids(Arc::new(id)),
        Column::lengths(Arc::new(distance)),
    ))
}

#[pymethods]
impl Flock {
    /// Makes so many steps without the interpreter's lock; the events of all of them stay.
    fn _step(&mut self, py: Python<'_>, steps: u64) -> PyResult<()> {
        (self.ids, self.species) = (None, None);
        self.events.clear();
        let (live, events) = (&mut self.live, &mut self.events);
        let mut left = steps;
        while left > 0 {
            left = py.detach(|| {
                let (mut left, begun) = (left, Instant::now());
                while left > 0 && begun.elapsed() < UNINTERRUPTED {
                    live.advance(1, events);
                    left -= 1;
                }
                left
            });
            py.check_signals()?;
        }
        Ok(())
    }

    fn _positions(&self) -> Column {
        Column::vectors(self.live.flock().shared_positions())
    }

    fn _velocities(&self) -> Column {
        Column::vectors(self.live.flock().shared_velocities())
    }

    fn _ids(&mut self) -> Column {
        let flock = self.live.flock();
        Column::ids(Arc::clone(self.ids.get_or_insert_with(|| Arc::new(flock.ids()))))
    }

    fn _species(&mut self) -> Column {
        let flock = self.live.flock();
        Column::places(Arc::clone(
            self.species.get_or_insert_with(|| Arc::new(flock.species().to_vec())),
        ))
    }

    /// Columns of the boids within a radius of points: which point, id, distance.
    fn _within(
        &self,
        py: Python<'_>,
        points: PyReadonlyArray2<'_, f32>,
        radius: f32,
    ) -> PyResult<Near> {
        let (points, flock) = (numbers(&points)?, self.live.flock());
        near(py, |found| flock.within(points, radius, found))
    }

    /// The same of the nearest so many.
    fn _nearest(
        &self,
        py: Python<'_>,
        points: PyReadonlyArray2<'_, f32>,
        count: usize,
    ) -> PyResult<Near> {
        let (points, flock) = (numbers(&points)?, self.live.flock());
        near(py, |found| flock.nearest_n(points, count, found))
    }

    fn _are_free(&self, points: PyReadonlyArray2<'_, f32>, radius: f32) -> PyResult<Vec<bool>> {
        self.live.flock().are_free(numbers(&points)?, radius).map_err(errors::value)
    }

    fn _set_positions(
        &mut self,
        ids: PyReadonlyArray1<'_, u64>,
        rows: PyReadonlyArray2<'_, f32>,
    ) -> PyResult<()> {
        self.changing()
            .flock_mut()
            .set_positions(list(&ids)?, numbers(&rows)?)
            .map_err(errors::value)
    }

    fn _set_velocities(
        &mut self,
        ids: PyReadonlyArray1<'_, u64>,
        rows: PyReadonlyArray2<'_, f32>,
    ) -> PyResult<()> {
        self.changing()
            .flock_mut()
            .set_velocities(list(&ids)?, numbers(&rows)?)
            .map_err(errors::value)
    }

    fn _set_state(
        &mut self,
        positions: PyReadonlyArray2<'_, f32>,
        velocities: PyReadonlyArray2<'_, f32>,
    ) -> PyResult<()> {
        self.changing()
            .flock_mut()
            .set_state(numbers(&positions)?, numbers(&velocities)?)
            .map_err(errors::value)
    }

    fn _set_goals(
        &mut self,
        ids: PyReadonlyArray1<'_, u64>,
        rows: Option<PyReadonlyArray2<'_, f32>>,
    ) -> PyResult<()> {
        let rows = rows.as_ref().map(numbers).transpose()?;
        self.changing().flock_mut().set_goals(list(&ids)?, rows).map_err(errors::value)
    }

    /// Own limits of boids, one number each; NaN is the usual one.
    fn _set_traits(
        &mut self,
        ids: PyReadonlyArray1<'_, u64>,
        max_speed: Option<PyReadonlyArray1<'_, f32>>,
        mass: Option<PyReadonlyArray1<'_, f32>>,
        radius: Option<PyReadonlyArray1<'_, f32>>,
        species: Option<PyReadonlyArray1<'_, u64>>,
    ) -> PyResult<()> {
        let own = |column: &Option<PyReadonlyArray1<'_, f32>>, place: usize| {
            column
                .as_ref()
                .and_then(|column| column.as_array().get(place).copied())
                .map(|x| Some(x).filter(|x| !x.is_nan()))
        };
        let change = |place: usize, traits: &mut wingbeat::steer::Traits| {
            traits.max_speed = own(&max_speed, place).unwrap_or(traits.max_speed);
            traits.mass = own(&mass, place).unwrap_or(traits.mass);
            traits.radius = own(&radius, place).unwrap_or(traits.radius);
            let other = species.as_ref().and_then(|column| column.as_array().get(place).copied());
            traits.species = other.map_or(traits.species, |species| {
                SpeciesId::new(usize::try_from(species).unwrap_or(usize::MAX))
            });
        };
        self.changing().flock_mut().change_traits(list(&ids)?, change).map_err(errors::value)
    }

    /// The first new id and that after the last.
    fn _add(
        &mut self,
        positions: PyReadonlyArray2<'_, f32>,
        velocities: PyReadonlyArray2<'_, f32>,
    ) -> PyResult<(u64, u64)> {
        let added =
            self.changing().flock_mut().add_all(numbers(&positions)?, numbers(&velocities)?);
        added.map(|ids| (ids.start, ids.end)).map_err(errors::value)
    }

    fn _remove(&mut self, ids: PyReadonlyArray1<'_, u64>) -> PyResult<()> {
        self.changing().flock_mut().remove(list(&ids)?).map_err(errors::value)
    }

    fn _set(&mut self, py: Python<'_>, key: &str, value: &str) -> PyResult<()> {
        let live = self.changing();
        py.detach(|| live.set(key, value)).map_err(errors::value)
    }

    fn _set_obstacle(&mut self, name: &str, position: Vec<f32>, angle: f32) -> PyResult<()> {
        self.changing().flock_mut().set_obstacle_pose(name, &position, angle).map_err(errors::value)
    }

    /// Columns of the events of the last call of step: step, kind, boid, other.
    fn _events(&self) -> (Vec<u64>, Vec<u16>, Vec<u64>, Vec<u64>) {
        let EventColumns { step, kind, boid, other } = &self.events;
        // Bytes would come out as a bytes object.
        (
            step.clone(),
            kind.iter().map(|&kind| u16::from(kind)).collect(),
            boid.clone(),
            other.clone(),
        )
    }

    fn _explain(&self, py: Python<'_>, id: u64) -> PyResult<String> {
        let explanation = py.detach(|| self.live.explanation_aside(id)).map_err(errors::value)?;
        explanation.json().map_err(errors::value)
    }

    fn goal(&self, id: u64) -> PyResult<Option<Vec<f32>>> {
        self.live.flock().goal(id).map_err(errors::value)
    }

    fn traits<'py>(&self, py: Python<'py>, id: u64) -> PyResult<Bound<'py, PyDict>> {
        let traits = self.live.flock().traits(id).map_err(errors::value)?;
        let dictionary = PyDict::new(py);
        dictionary.set_item("species", traits.species.get())?;
        dictionary.set_item("max_speed", traits.max_speed)?;
        dictionary.set_item("mass", traits.mass)?;
        dictionary.set_item("radius", traits.radius)?;
        Ok(dictionary)
    }

    /// Values of the observables of these names, None where there is no answer. `radius` of None is
    /// the largest of perception; `in_hull`: densities are those in the convex hull, even in a box.
    #[pyo3(signature = (names, radius=None, in_hull=false))]
    fn _measure(
        &self,
        py: Python<'_>,
        names: &str,
        radius: Option<f64>,
        in_hull: bool,
    ) -> PyResult<Vec<Option<f64>>> {
        let wanted: Wanted =
            if names.is_empty() { Wanted::NONE } else { names.parse().map_err(errors::value)? };
        let flock = self.live.flock();
        let radius = radius.or_else(|| self.perception());
        let found = py.detach(|| match flock {
            _ if !in_hull => flock.measure(wanted, radius),
            AnyFlock::Two(flock) => measure(&flock.frame(), &Domain::open(), wanted, radius),
            AnyFlock::Three(flock) => measure(&flock.frame(), &Domain::open(), wanted, radius),
        });
        let all = wingbeat_measure::Observables::NAMES.into_iter().zip(found.values());
        Ok(wanted
            .names()
            .filter_map(|name| {
                all.clone().find_map(|(known, value)| (known == name).then_some(value))
            })
            .collect())
    }

    fn checkpoint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.live.checkpoint()).map_err(errors::value)?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn _restore(&mut self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        self.events.clear();
        let live = self.changing();
        py.detach(|| live.restore(bytes)).map_err(errors::value)
    }

    fn _page(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| wingbeat_page::flock_page(&self.live)).map_err(errors::scene)
    }

    /// The key that is part of every random number in a step.
    #[getter]
    fn seed(&self) -> u64 {
        self.live.scene().scene().seed()
    }

    #[getter]
    fn name(&self) -> String {
        self.live.scene().scene().name().to_string()
    }

    #[getter]
    fn toml(&self) -> String {
        self.live.toml()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.live.notes().to_vec()
    }

    #[getter]
    fn state_hash(&self) -> String {
        format!("{:016x}", self.live.flock().state_hash())
    }

    #[getter]
    fn steps(&self) -> u64 {
        self.live.flock().steps()
    }

    #[getter]
    fn time(&self) -> f64 {
        self.live.time()
    }

    #[getter]
    fn dt(&self) -> f64 {
        self.live.scene().scene().dt().as_written()
    }

    #[getter]
    fn dimensions(&self) -> usize {
        self.live.flock().dimensions()
    }

    #[getter]
    fn level(&self) -> String {
        self.live.flock().level().to_string()
    }

    #[getter]
    fn threads(&self) -> usize {
        self.live.flock().threads()
    }

    #[getter]
    fn species_names(&self) -> Vec<String> {
        self.live.flock().params().species_names()
    }

    #[getter]
    fn exits(&self) -> Vec<String> {
        self.live.flock().exits()
    }

    #[getter]
    fn periodic(&self) -> bool {
        self.live.flock().is_periodic()
    }

    /// Lowest and highest corner of the domain; None where it has no edges.
    #[getter]
    fn bounds(&self) -> Option<(Vec<f32>, Vec<f32>)> {
        let dimensions = self.live.flock().dimensions();
        self.live
            .flock()
            .bounds()
            .map(|(low, high)| (low[..dimensions].to_vec(), high[..dimensions].to_vec()))
    }

    /// The largest radius of perception; None where no rule has one.
    #[getter]
    fn perception(&self) -> Option<f64> {
        let radius = f64::from(self.live.flock().params().largest_radius());
        Some(radius).filter(|&radius| radius > 0.0)
    }

    /// Whether any boid is still to come from a source.
    #[getter]
    fn awaits_others(&self) -> bool {
        self.live.flock().awaits_others()
    }

    fn __len__(&self) -> usize {
        self.live.flock().len()
    }
}
