//! A flock with what its host still reads.

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::{Arc, OnceLock};

use wingbeat::{Level, SpeciesId, frame::VectorColumns, steer::Traits};
use wingbeat_scene::{Machine, NearColumns, Override, Row, Start};
use wingbeat_session::{EditableScene, EventColumns, LiveFlock};

use crate::status::Failure;
use crate::types::{
    WingbeatColumns, WingbeatEvents, WingbeatIds, WingbeatObserved, WingbeatSpecies, WingbeatState,
    WingbeatTrait,
};

/// Where a scene comes from.
pub(crate) enum Source<'a> {
    /// A preset's name, or a path.
    Place(&'a str),
    /// What messages call it, and its TOML.
    Text(&'a str, &'a str),
}

/// How a flock is opened; what is left out is as the scene or the machine has it.
#[derive(Default)]
pub(crate) struct Opening<'a> {
    pub threads: u32,
    pub level: Option<&'a str>,
    pub overrides: Vec<&'a str>,
    pub start: Option<Rows<'a>>,
}

/// Where boids start, in rows.
pub(crate) struct Rows<'a> {
    pub positions: &'a [f32],
    pub velocities: Option<&'a [f32]>,
    pub species: Option<&'a [u32]>,
}

/// A flock, and the memory that its host has pointers to.
pub(crate) struct Host {
    flock: LiveFlock,
    events: Arc<EventColumns>,
    shown: Shown,
}

/// What was handed out last: it stays until the next of its kind is.
#[derive(Default)]
struct Shown {
    positions: Option<VectorColumns>,
    velocities: Option<VectorColumns>,
    ids: Vec<u64>,
    species: Vec<u32>,
    events: Option<Arc<EventColumns>>,
}

impl Host {
    pub fn open(source: &Source<'_>, opening: &Opening<'_>) -> Result<Self, Failure> {
        let threads = Some(opening.threads as usize).filter(|&threads| threads > 0);
        let level = opening.level.map(str::parse::<Level>).transpose();
        let level = level.map_err(|refusal| Failure::invalid(refusal.to_string()))?;
        let overrides = opening
            .overrides
            .iter()
            .map(|text| override_of(text))
            .collect::<Result<Vec<_>, _>>()?;
        let mut scene = match source {
            Source::Place(place) => EditableScene::load(place, &overrides)?,
            Source::Text(name, toml) => EditableScene::with_overrides(name, toml, &overrides)?,
        };
        if let Some(rows) = &opening.start {
            let start = rows.start(scene.scene().dimensions())?;
            scene = scene.with_start(Arc::new(start))?;
        }
        let flock = LiveFlock::new(scene, Machine { level, threads }, None, true)?;
        Ok(Self { flock, events: Arc::default(), shown: Shown::default() })
    }

    pub fn step(&mut self, steps: u64) {
        // Who still reads the last ones keeps them.
        if Arc::get_mut(&mut self.events).is_none() {
            self.events = Arc::default();
        }
        if let Some(events) = Arc::get_mut(&mut self.events) {
            events.clear();
            self.flock.advance(steps, events);
        }
    }

    pub fn state(&self) -> WingbeatState {
        let flock = self.flock.flock();
        WingbeatState {
            steps: flock.steps(),
            time: self.flock.time(),
            // Only what takes effect in the next step can be set of a flock, so that the scene's is
            // the flock's.
            dt: self.flock.scene().scene().dt().as_written(),
            count: flock.len(),
            dimensions: flock.dimensions() as u32,
            threads: flock.threads() as u32,
            level: level_name(flock.level()),
        }
    }

    pub fn observed(&self) -> WingbeatObserved {
        let flock = self.flock.flock();
        WingbeatObserved {
            polarization: flock.polarization(),
            milling: flock.milling(),
            mean_speed: flock.mean_speed(),
        }
    }

    pub fn state_hash(&self) -> u64 {
        self.flock.flock().state_hash()
    }

    pub fn positions(&mut self) -> WingbeatColumns {
        // The last ones are let go first, so that the flock may use their memory again.
        self.shown.positions = None;
        let columns = self.flock.flock().shared_positions();
        columns_of(self.shown.positions.insert(columns))
    }

    pub fn velocities(&mut self) -> WingbeatColumns {
        self.shown.velocities = None;
        let columns = self.flock.flock().shared_velocities();
        columns_of(self.shown.velocities.insert(columns))
    }

    pub fn ids(&mut self) -> WingbeatIds {
        self.shown.ids = self.flock.flock().ids();
        WingbeatIds { data: start_of(&self.shown.ids), count: self.shown.ids.len() }
    }

    pub fn species(&mut self) -> WingbeatSpecies {
        self.shown.species = self.flock.flock().species().to_vec();
        WingbeatSpecies { data: start_of(&self.shown.species), count: self.shown.species.len() }
    }

    pub fn dimensions(&self) -> usize {
        self.flock.flock().dimensions()
    }

    pub fn within(&self, point: &[f32], radius: f32) -> Result<NearColumns, Failure> {
        let mut found = NearColumns::default();
        self.flock.flock().within(point, radius, &mut found)?;
        Ok(found)
    }

    pub fn nearest(&self, point: &[f32], count: usize) -> Result<NearColumns, Failure> {
        let mut found = NearColumns::default();
        self.flock.flock().nearest_n(point, count, &mut found)?;
        Ok(found)
    }

    pub fn is_free(&self, point: &[f32], radius: f32) -> Result<bool, Failure> {
        Ok(self.flock.flock().are_free(point, radius)?.first() == Some(&true))
    }

    pub fn events(&mut self) -> WingbeatEvents {
        let events = self.shown.events.insert(Arc::clone(&self.events));
        WingbeatEvents {
            step: start_of(&events.step),
            kind: start_of(&events.kind),
            boid: start_of(&events.boid),
            other: start_of(&events.other),
            count: events.len(),
        }
    }

    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Failure> {
        self.flock.set(key, value).map_err(Failure::invalid)
    }

    /// Changes something of many boids: a row for each id.
    pub fn set_rows(&mut self, what: Change, ids: &[u64], rows: &[f32]) -> Result<(), Failure> {
        let flock = self.flock.flock_mut();
        per_boid(what.name(), rows, ids.len(), flock.dimensions())?;
        match what {
            Change::Positions => flock.set_positions(ids, rows)?,
            Change::Velocities => flock.set_velocities(ids, rows)?,
            Change::Goals => flock.set_goals(ids, Some(rows))?,
        }
        Ok(())
    }

    pub fn forget_goals(&mut self, ids: &[u64]) -> Result<(), Failure> {
        Ok(self.flock.flock_mut().set_goals(ids, None)?)
    }

    pub fn set_state(&mut self, positions: &[f32], velocities: &[f32]) -> Result<(), Failure> {
        let flock = self.flock.flock_mut();
        per_boid("positions", positions, flock.len(), flock.dimensions())?;
        per_boid("velocities", velocities, flock.len(), flock.dimensions())?;
        Ok(flock.set_state(positions, velocities)?)
    }

    /// Without values they have what their species has.
    pub fn set_trait(
        &mut self,
        what: WingbeatTrait,
        ids: &[u64],
        values: Option<&[f32]>,
    ) -> Result<(), Failure> {
        let change = |place: usize, traits: &mut Traits| {
            let value = values.map(|values| values[place]);
            match what {
                WingbeatTrait::MaxSpeed => traits.max_speed = value,
                WingbeatTrait::Mass => traits.mass = value,
                WingbeatTrait::Radius => traits.radius = value,
            }
        };
        Ok(self.flock.flock_mut().change_traits(ids, change)?)
    }

    pub fn set_species(&mut self, ids: &[u64], species: &[u32]) -> Result<(), Failure> {
        Ok(self.flock.flock_mut().change_traits(ids, |place, traits| {
            traits.species = SpeciesId::new(species[place] as usize)
        })?)
    }

    /// The id of the first; those of the others follow.
    pub fn add(&mut self, positions: &[f32], velocities: &[f32]) -> Result<u64, Failure> {
        let flock = self.flock.flock_mut();
        whole_rows("positions", positions, flock.dimensions())?;
        Ok(flock.add_all(positions, velocities)?.start)
    }

    pub fn remove(&mut self, ids: &[u64]) -> Result<(), Failure> {
        Ok(self.flock.flock_mut().remove(ids)?)
    }

    pub fn set_obstacle_pose(
        &mut self,
        name: &str,
        position: &[f32],
        angle: f32,
    ) -> Result<(), Failure> {
        let flock = self.flock.flock_mut();
        per_boid("position", position, 1, flock.dimensions())?;
        Ok(flock.set_obstacle_pose(name, position, angle)?)
    }

    pub fn checkpoint(&self) -> Result<Vec<u8>, Failure> {
        self.flock.checkpoint().map_err(Failure::invalid)
    }

    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.flock.restore(bytes).map_err(Failure::invalid)
    }

    /// Why a boid goes where it goes, as JSON.
    pub fn explain(&self, boid: u64) -> Result<String, Failure> {
        // Asked for first, as the explanation refuses by a text alone.
        self.flock.flock().traits(boid)?;
        let data = self.flock.explanation_aside(boid).map_err(Failure::invalid)?;
        data.json().map_err(|error| Failure::invalid(error.to_string()))
    }

    pub fn toml(&self) -> String {
        self.flock.toml()
    }

    /// What is accepted but unlikely to be meant, and what was done to the initial state: a line
    /// each.
    pub fn notes(&self) -> String {
        let warnings = self.flock.scene().warnings().iter().chain(self.flock.notes());
        warnings.flat_map(|line| [line.as_str(), "\n"]).collect()
    }
}

/// One key that is changed before the flock is built; refusals say where C gave it.
fn override_of(text: &str) -> Result<Override, Failure> {
    match Override::set(text) {
        Ok(change) => Ok(Override::flag("overrides", change.key(), change.value())),
        Err(_) => Err(Failure::invalid(format!(
            "overrides: {text}: allowed is KEY=VALUE, for example separation.radius=0.5"
        ))),
    }
}

/// A level's name as C reads texts, for as long as the program runs.
fn level_name(level: Level) -> *const c_char {
    static NAMES: OnceLock<Vec<(Level, CString)>> = OnceLock::new();
    let named = |&level: &Level| (level, CString::new(level.name()).unwrap_or_default());
    let names = NAMES.get_or_init(|| Level::ALL.iter().map(named).collect());
    names.iter().find(|(known, _)| *known == level).map_or(ptr::null(), |(_, name)| name.as_ptr())
}

/// One row of numbers of each boid.
#[derive(Clone, Copy)]
pub(crate) enum Change {
    Positions,
    Velocities,
    Goals,
}

impl Change {
    fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Velocities => "velocities",
            Self::Goals => "goals",
        }
    }
}

impl Rows<'_> {
    fn start(&self, dimensions: usize) -> Result<Start, Failure> {
        let count = whole_rows("start_positions", self.positions, dimensions)?;
        if let Some(velocities) = self.velocities {
            per_boid("start_velocities", velocities, count, dimensions)?;
        }
        let vector = |numbers: &[f32], place: usize| {
            let row = &numbers[place * dimensions..][..dimensions];
            std::array::from_fn(|a| row.get(a).copied().unwrap_or(0.0))
        };
        let row = |place: usize| Row {
            id: place as u64,
            position: vector(self.positions, place),
            velocity: self.velocities.map_or([0.0; 3], |velocities| vector(velocities, place)),
        };
        let species = self.species.unwrap_or_default();
        if self.species.is_some() && species.len() != count {
            return Err(Failure::size(format!(
                "start_species: {} numbers: allowed is one for each of {count}",
                species.len()
            )));
        }
        let narrow = |&species: &u32| {
            u8::try_from(species).map_err(|_| {
                Failure::invalid(format!(
                    "start_species = {species}: allowed is a place among the species"
                ))
            })
        };
        let species = species.iter().map(narrow).collect::<Result<_, _>>()?;
        Ok(Start { rows: (0..count).map(row).collect(), species })
    }
}

/// How many rows there are.
fn whole_rows(what: &str, numbers: &[f32], dimensions: usize) -> Result<usize, Failure> {
    if numbers.len().is_multiple_of(dimensions) {
        return Ok(numbers.len() / dimensions);
    }
    Err(Failure::size(format!(
        "{what}: {} numbers: allowed is {dimensions} for each boid",
        numbers.len()
    )))
}

/// Refuses all but a row for each.
fn per_boid(what: &str, numbers: &[f32], boids: usize, dimensions: usize) -> Result<(), Failure> {
    if boids.checked_mul(dimensions) == Some(numbers.len()) {
        return Ok(());
    }
    let text =
        format!("{what}: {} numbers: allowed is {dimensions} for each of {boids}", numbers.len());
    Err(Failure::size(text))
}

fn columns_of(columns: &VectorColumns) -> WingbeatColumns {
    WingbeatColumns {
        data: if columns.is_empty() { ptr::null() } else { columns.values().as_ptr() },
        stride: columns.stride(),
        count: columns.len(),
        dimensions: columns.dimensions() as u32,
    }
}

/// Where values are; null where there are none.
fn start_of<T>(values: &[T]) -> *const T {
    if values.is_empty() { ptr::null() } else { values.as_ptr() }
}

#[cfg(test)]
mod tests;
