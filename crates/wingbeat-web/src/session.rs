//! A flock behind bytes and columns of numbers, so that a page can have it.

use wingbeat::{FlockMemory, TimeStep};
use wingbeat_page::explain::ExplanationData;
use wingbeat_scene::{AnyFlock, Machine, Row, Scene};

use crate::bytes::{Reader, memory_from, memory_to};

/// A scene and its flock, on the calling thread alone; empty until one is [built](Self::build).
///
/// ```
/// use wingbeat_web::Session;
/// let mut session = Session::default();
/// session.build("small.toml", "[flock]\nboids = 50\ndimensions = 2\n[cohesion]\nradius = 2.0\n")?;
/// session.step(3)?;
/// assert_eq!((session.len(), session.memory()?.step), (50, 3));
/// assert!(session.explain(7)?.contains("\"boid\": 7"));
/// # Ok::<(), String>(())
/// ```
#[derive(Default)]
pub struct Session {
    built: Option<Flying>,
    ids: Vec<u32>,
    positions: Vec<f32>,
    velocities: Vec<f32>,
    species: Vec<u8>,
}

struct Flying {
    scene: Scene,
    flock: AnyFlock,
    origin: Vec<f64>,
}

/// What is said where there is no flock yet.
const NO_FLOCK: &str = "no scene was built: allowed after wingbeat_build";

impl Session {
    /// Builds the flock of a scene, in place of any before. Files that a scene names cannot be read in a page.
    ///
    /// # Errors
    /// In the words of `wingbeat check`; the flock before stays then.
    pub fn build(&mut self, name: &str, toml: &str) -> Result<(), String> {
        let scene = Scene::parse(name, toml, &[]).map_err(|refusal| refusal.to_string())?;
        if let Some(file) = scene.files().first() {
            return Err(format!("{}: allowed in a page is a scene without files", file.display()));
        }
        // One thread is the calling one: none is started.
        let built = scene.build(&Machine { level: None, threads: Some(1) }).map_err(|refusal| refusal.to_string())?;
        self.built = Some(Flying { flock: built.flock, origin: built.origin, scene });
        Ok(())
    }

    /// Number of boids; 0 without a flock.
    pub fn len(&self) -> usize {
        self.built.as_ref().map_or(0, |flying| flying.flock.len())
    }

    /// Whether there are no boids.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// 2 or 3; 0 without a flock.
    pub fn dimensions(&self) -> usize {
        self.built.as_ref().map_or(0, |flying| flying.flock.dimensions())
    }

    /// Makes so many steps of the scene's length.
    ///
    /// # Errors
    /// Without a flock.
    pub fn step(&mut self, steps: u32) -> Result<(), String> {
        let flying = self.flying_mut()?;
        let dt = flying.scene.dt();
        (0..steps).for_each(|_| flying.flock.step(dt));
        Ok(())
    }

    /// Hash of the state, as `wingbeat run --json` prints it; 0 without a flock.
    pub fn state_hash(&self) -> u64 {
        self.built.as_ref().map_or(0, |flying| flying.flock.state_hash())
    }

    /// Copies positions, velocities, ids and species of all boids by ascending id to where [`positions`](Self::positions) and the others
    /// are. Ids beyond 32 bits are refused where a flock gets any; scenes count from 0.
    ///
    /// # Errors
    /// Without a flock.
    pub fn read(&mut self) -> Result<(), String> {
        let flying = self.flying()?;
        let (rows, dimensions) = (flying.flock.rows(), flying.flock.dimensions());
        let species = match &flying.flock {
            AnyFlock::Two(flock) => species_by_id(flock),
            AnyFlock::Three(flock) => species_by_id(flock),
        };
        self.species = species;
        self.ids = rows.iter().map(|row| row.id as u32).collect();
        self.positions = rows.iter().flat_map(|row| row.position.into_iter().take(dimensions)).collect();
        self.velocities = rows.iter().flat_map(|row| row.velocity.into_iter().take(dimensions)).collect();
        Ok(())
    }

    /// As last [read](Self::read): a number for each boid.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// As last [read](Self::read): a number for each axis of a boid, then the next boid.
    pub fn positions(&self) -> &[f32] {
        &self.positions
    }

    /// As last [read](Self::read), likewise.
    pub fn velocities(&self) -> &[f32] {
        &self.velocities
    }

    /// As last [read](Self::read): places among the scene's species; empty in scenes without.
    pub fn species(&self) -> &[u8] {
        &self.species
    }

    /// Puts boids where a recording has them: for each boid an id (`u32`), then for each boid its position, then for each its velocity
    /// (`f32` for each axis), little-endian. Boids that are not among them leave; step and memory stay as they are.
    ///
    /// # Errors
    /// When the bytes are no such columns, an id is not of the flock, or a state is not accepted; nothing is changed then.
    pub fn set_state(&mut self, bytes: &[u8]) -> Result<(), String> {
        let flying = self.flying_mut()?;
        let dimensions = flying.flock.dimensions();
        let row_bytes = 4 + 8 * dimensions;
        if !bytes.len().is_multiple_of(row_bytes) {
            return Err(format!("a state of {} bytes: allowed is {row_bytes} for each boid", bytes.len()));
        }
        let count = bytes.len() / row_bytes;
        let mut reader = Reader::new(bytes);
        let ids: Vec<u32> = (0..count).map(|_| reader.u32()).collect::<Result<_, _>>()?;
        let mut column = || -> Result<Vec<[f32; 3]>, String> {
            let mut vector = || (0..dimensions).try_fold([0.0; 3], |v, a| reader.f32().map(|x| with(v, a, x)));
            (0..count).map(|_| vector()).collect()
        };
        let (positions, velocities) = (column()?, column()?);
        let row = |(id, (position, velocity))| Row { id: u64::from(id), position, velocity };
        let rows: Vec<Row> = ids.into_iter().zip(positions.into_iter().zip(velocities)).map(row).collect();
        flying.flock.set_rows(&rows).map_err(|refusal| refusal.to_string())
    }

    /// Says how many steps were made before this state: the step, and the time that it takes to make so many.
    ///
    /// # Errors
    /// Without a flock.
    pub fn set_step(&mut self, step: u32) -> Result<(), String> {
        let flying = self.flying_mut()?;
        let mut memory = flying.flock.memory();
        (memory.step, memory.time) = (u64::from(step), time_after(step, flying.scene.dt()));
        flying.flock.remember(&memory).map_err(|refusal| refusal.to_string())
    }

    /// What the flock remembers beside positions and velocities.
    ///
    /// # Errors
    /// Without a flock.
    pub fn memory(&self) -> Result<FlockMemory, String> {
        Ok(self.flying()?.flock.memory())
    }

    /// The same as bytes: for [`set_memory`](Self::set_memory), of a flock of the same scene. README.md describes them.
    ///
    /// # Errors
    /// Without a flock.
    pub fn memory_bytes(&self) -> Result<Vec<u8>, String> {
        Ok(memory_to(&self.memory()?))
    }

    /// Goes on from what a flock of the same scene and boids remembered; with its state, in the same bits.
    ///
    /// # Errors
    /// When the bytes are not the memory of such a flock; nothing is changed then.
    pub fn set_memory(&mut self, bytes: &[u8]) -> Result<(), String> {
        let memory = memory_from(bytes)?;
        self.flying_mut()?.flock.remember(&memory).map_err(|refusal| refusal.to_string())
    }

    /// Why a boid goes where it goes in the next step: the text of `wingbeat explain --json`.
    ///
    /// # Errors
    /// When no boid has this id.
    pub fn explain(&mut self, id: u32) -> Result<String, String> {
        let Flying { scene, flock, origin } = self.flying_mut()?;
        let why = ExplanationData::of(flock, u64::from(id), scene.name(), scene.dt(), origin);
        why.map_err(|refusal| refusal.to_string())?.json().map_err(|refusal| refusal.to_string())
    }

    fn flying(&self) -> Result<&Flying, String> {
        self.built.as_ref().ok_or_else(|| NO_FLOCK.to_string())
    }

    fn flying_mut(&mut self) -> Result<&mut Flying, String> {
        self.built.as_mut().ok_or_else(|| NO_FLOCK.to_string())
    }
}

/// Added up step by step, as the engine does: a product would be rounded otherwise.
fn time_after(steps: u32, dt: TimeStep) -> f64 {
    (0..steps).fold(0.0, |time, _| time + f64::from(dt.get()))
}

fn with(mut v: [f32; 3], a: usize, x: f32) -> [f32; 3] {
    v[a] = x;
    v
}

/// Species of the boids by ascending id, in flocks that have any; a scene has at most 64.
fn species_by_id<const D: usize>(flock: &wingbeat::Flock<D>) -> Vec<u8> {
    let mut pairs: Vec<_> = flock.frame().ids().zip(flock.species()).collect();
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, species)| species as u8).collect()
}
