//! A state as its file has it, before and after conversion.

use wingbeat::{Boid, BoidId, SpeciesId};

use crate::scene::{Scene, reason};
use crate::{Row, SceneError, Start};

/// Names of the columns a file may have.
pub(super) const POSITION: [&str; 3] = ["x", "y", "z"];
pub(super) const VELOCITY: [&str; 3] = ["vx", "vy", "vz"];

/// A state as its file has it: in the file's own units and in world coordinates.
pub(crate) struct RawState<const D: usize> {
    /// The file's path, as the user gave it.
    pub path: String,
    /// Ids, where the file has them.
    pub ids: Option<Vec<u64>>,
    pub positions: Vec<[f64; D]>,
    pub velocities: Vec<[f64; D]>,
    /// Species, where the scene has some and the file names them.
    pub species: Option<Vec<SpeciesId>>,
    /// Line of each row in a text file; empty for binary ones.
    pub lines: Vec<u64>,
    /// What the user should know of the reading.
    pub notes: Vec<String>,
}

impl<const D: usize> RawState<D> {
    /// Where a row is: `fish.csv:7`, or for files without lines `fish.npy row 6`.
    pub fn place(&self, row: usize) -> String {
        match self.lines.get(row) {
            Some(line) => format!("{}:{line}", self.path),
            None => format!("{} row {row}", self.path),
        }
    }
}

/// A state as the flock takes it.
pub(crate) struct State<const D: usize> {
    pub boids: Vec<Boid<D>>,
    pub species: Option<Vec<SpeciesId>>,
    pub notes: Vec<String>,
}

impl<const D: usize> State<D> {
    /// Boids in the scene's own coordinates.
    pub fn of(start: &Start) -> Self {
        let narrow = |v: [f32; 3]| std::array::from_fn(|a| v[a]);
        let boid = |row: &Row| Boid {
            id: BoidId::new(row.id),
            position: narrow(row.position),
            velocity: narrow(row.velocity),
        };
        let species = start.species.iter().map(|&species| SpeciesId::new(species.into())).collect();
        let species = (!start.species.is_empty()).then_some(species);
        Self { boids: start.rows.iter().map(boid).collect(), species, notes: Vec::new() }
    }
}

/// The place in the scene's list of a species that a file gives by its name, or else by that place.
pub(super) fn species_named(
    scene: &Scene,
    name: &str,
    place: impl FnOnce() -> String,
) -> Result<SpeciesId, SceneError> {
    let names = scene.params().species_names();
    let numbered =
        |_| name.parse().ok().filter(|place| *place < names.len()).map(SpeciesId::new).ok_or(());
    scene.params().species_named(name).or_else(numbered).map_err(|()| {
        let (shown, last, names) =
            (wingbeat_record::shortened(name), names.len() - 1, names.join(", "));
        let allowed =
            format!("{names}, the species of the scene, or their places in it, 0 to {last}");
        SceneError::data(place(), format!("column species = \"{shown}\": allowed is {allowed}"))
    })
}

pub(super) fn cannot_read(path: &str, error: &std::io::Error) -> SceneError {
    SceneError::file(path, format!("cannot read the initial state: {}", reason(error)))
}

/// A refusal of a file whose dimensions are not the scene's.
pub(super) fn dimension_mismatch(path: &str, what: &str, dimensions: usize) -> SceneError {
    SceneError::data(
        path,
        format!(
            "{what}, but flock.dimensions = {dimensions}: allowed is a file \
        of {dimensions} dimensions"
        ),
    )
}
