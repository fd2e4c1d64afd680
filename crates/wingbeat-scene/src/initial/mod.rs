//! Initial states from files: read as they are, then brought into the scene's coordinates.

mod csv;
mod npy;
mod recording;
mod settle;

use wingbeat::Boid;

use crate::SceneError;
use crate::scene::{Scene, reason};

pub(crate) use settle::settle;

/// Names of the columns a file may have, position first.
const POSITION: [&str; 3] = ["x", "y", "z"];
const VELOCITY: [&str; 3] = ["vx", "vy", "vz"];

/// A file as it is: its own units, world coordinates.
pub(crate) struct Table<const D: usize> {
    /// The file, as the user knows it.
    pub path: String,
    /// Ids where the file has them.
    pub ids: Option<Vec<u64>>,
    pub positions: Vec<[f64; D]>,
    pub velocities: Vec<[f64; D]>,
    /// Line of each row in a text file; empty for binary ones.
    lines: Vec<u64>,
    pub notes: Vec<String>,
}

impl<const D: usize> Table<D> {
    /// Where a row is: `fish.csv:7`, or for files without lines `fish.npy row 6`.
    fn place(&self, row: usize) -> String {
        match self.lines.get(row) {
            Some(line) => format!("{}:{line}", self.path),
            None => format!("{} row {row}", self.path),
        }
    }
}

/// A state as the flock takes it.
pub(crate) struct State<const D: usize> {
    pub boids: Vec<Boid<D>>,
    pub notes: Vec<String>,
}

/// Reads the scene's initial state, if it names one.
pub(crate) fn read<const D: usize>(scene: &Scene) -> Result<Option<Table<D>>, SceneError> {
    let Some(path) = scene.initial_file() else { return Ok(None) };
    let shown = path.display().to_string();
    let bytes = std::fs::metadata(&path).map_err(|error| cannot_read(&shown, &error))?;
    if bytes.is_dir() {
        return Err(SceneError::file(&shown, "cannot read the initial state: it is a folder"));
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    match extension.as_str() {
        _ if scene.document.has("initial.frame") => recording::read(scene, &path, &shown).map(Some),
        "csv" => csv::read(&path, &shown).map(Some),
        "npy" => npy::read(&path, &shown, bytes.len()).map(Some),
        known if wingbeat_record::readable().contains(&known) => recording::read(scene, &path, &shown).map(Some),
        _ => {
            let endings: Vec<String> = wingbeat_record::readable().iter().map(|ending| format!(".{ending}")).collect();
            Err(scene.document.refuse("initial.file", &format!("a file that ends in one of {}", endings.join(", "))))
        }
    }
}

fn cannot_read(path: &str, error: &std::io::Error) -> SceneError {
    SceneError::file(path, format!("cannot read the initial state: {}", reason(error)))
}

/// What to say of a file that describes another world than the scene.
fn dimension_mismatch(path: &str, what: &str, dimensions: usize) -> SceneError {
    SceneError::data(path, format!("{what}, but flock.dimensions = {dimensions}: allowed is a file of {dimensions} dimensions"))
}
