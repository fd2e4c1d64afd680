//! Fields of `[drive.NAME] kind = "flow"`: from a file, or the ways to goals around obstacles.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use wingbeat::Domain;
use wingbeat::steer::drive::FlowField;
use wingbeat::steer::{Obstacles, ParamError};
use wingbeat_record::npy::NpyReader;

use super::named_table::NamedTable;
use super::outside::Standing;
use crate::SceneError;
use crate::scene::{Scene, reason};

/// Nodes along the longest side of a field whose `cell` is left out.
const USUAL_NODES: f64 = 100.0;

/// Most nodes of a field that is computed here: they take some ten seconds.
const MOST_NODES: f64 = 1e7;

pub(super) fn field<const D: usize>(
    scene: &Scene,
    table: &NamedTable<'_>,
    domain: &Domain<[f32; D]>,
    obstacles: &Obstacles<[f32; D]>,
) -> Result<FlowField<[f32; D]>, SceneError> {
    let (min, max) = table.region(domain)?;
    match (table.text("file"), table.has("toward")) {
        (Some(_), true) => Err(table.refuse("toward", &format!("left out where {} is given", table.key("file")))),
        (None, false) => Err(table.refuse("toward", &format!("a list of points (or {}, an .npy file)", table.key("file")))),
        (None, true) => toward(table, domain, obstacles),
        (Some(_), false) => {
            for key in ["cell", "clearance"] {
                if table.has(key) {
                    return Err(table
                        .refuse(key, &format!("left out with {}: it is a key of fields that are computed", table.key("file"))));
                }
            }
            from_file(&scene.file(&table.key("file")).unwrap_or_default(), min, max)
        }
    }
}

/// What leads to the nearest of some points: the grid of a field, and what blocks its nodes.
pub(super) struct Ways<const D: usize> {
    /// Everything that stands still.
    pub standing: Standing<D>,
    pub cell: f64,
    pub goals: Vec<[f32; D]>,
    clearance: f32,
    shape: [usize; D],
    corners: [[f32; D]; 2],
}

impl<const D: usize> Ways<D> {
    pub fn of(table: &NamedTable<'_>, domain: &Domain<[f32; D]>, obstacles: &Obstacles<[f32; D]>) -> Result<Self, SceneError> {
        let (min, max) = table.region(domain)?;
        let sides: [f64; D] = std::array::from_fn(|a| f64::from(max[a]) - f64::from(min[a]));
        let longest = sides.iter().fold(0.0, |long: f64, &side| if side > long { side } else { long });
        let cell = table.number("cell").unwrap_or(longest / USUAL_NODES);
        let shape = sides.map(|side| (side / cell).ceil().max(1.0) + 1.0);
        if shape.iter().product::<f64>() > MOST_NODES {
            let least = libm::pow(sides.iter().product::<f64>() / MOST_NODES, 1.0 / D as f64);
            return Err(table.refuse("cell", &format!("at least {least:.3e}: larger fields take minutes")));
        }
        // With half a cell of clearance a wall thinner than a cell still blocks a node, so that no way leads through it.
        let (clearance, half) = (table.number("clearance").unwrap_or(0.0), 0.5001 * cell);
        Ok(Self {
            standing: Standing::all(obstacles, domain).map_err(|refusal| table.document.refuse_param(refusal))?,
            cell,
            goals: table.points::<D>("toward"),
            clearance: if clearance > half { clearance } else { half } as f32,
            shape: shape.map(|nodes| nodes as usize),
            corners: [min, max],
        })
    }

    /// Whether no way leads through a place.
    pub fn blocked(&self, place: [f32; D]) -> bool {
        self.standing.is_near(place, self.clearance)
    }
}

/// A field of shortest ways to the nearest of some points, around every obstacle that stands still.
fn toward<const D: usize>(
    table: &NamedTable<'_>,
    domain: &Domain<[f32; D]>,
    obstacles: &Obstacles<[f32; D]>,
) -> Result<FlowField<[f32; D]>, SceneError> {
    let ways = Ways::of(table, domain, obstacles)?;
    let [min, max] = ways.corners;
    let field = FlowField::toward(min, max, ways.shape, &ways.goals, |place| ways.blocked(place));
    field.map_err(|refusal| in_table(table, refusal))
}

fn from_file<const D: usize>(path: &Path, min: [f32; D], max: [f32; D]) -> Result<FlowField<[f32; D]>, SceneError> {
    let shown = path.display().to_string();
    let cannot_read = |error: &std::io::Error| SceneError::file(&shown, format!("cannot read the file: {}", reason(error)));
    let refuse = |message: String| SceneError::data(&shown, message);
    let file = File::open(path).map_err(|error| cannot_read(&error))?;
    let about = file.metadata().map_err(|error| cannot_read(&error))?;
    if about.is_dir() {
        return Err(cannot_read(&std::io::ErrorKind::IsADirectory.into()));
    }
    let array = NpyReader::open(BufReader::new(file), about.len()).map_err(refuse)?;
    let sides = array.shape();
    let fits = sides.len() == D + 1 && sides[D] == D as u64 && sides[..D].iter().all(|&nodes| nodes >= 2);
    if !fits {
        let wanted = if D == 2 { "[ny, nx, 2]" } else { "[nz, ny, nx, 3]" };
        return Err(refuse(format!("{}: allowed is {wanted}, 2 nodes or more an axis", array.shown_shape())));
    }
    let array = array.floats().map_err(refuse)?;
    // The file's axes come slowest first; the field's, fastest.
    let shape: [usize; D] = std::array::from_fn(|a| array.shape[D - 1 - a]);
    let nodes = shape.iter().product::<usize>();
    let vector = |node: usize| -> [f32; D] {
        let (mut rest, mut place) = (node, 0);
        for a in 0..D {
            place += (rest % shape[a]) * array.strides[D - 1 - a];
            rest /= shape[a];
        }
        std::array::from_fn(|a| array.values[place + a * array.strides[D]] as f32)
    };
    let field = FlowField::new(min, max, shape, (0..nodes).map(vector).collect());
    field.map_err(|refusal| {
        SceneError::data(&shown, format!("{} = {}: allowed is {}", refusal.field, refusal.value, refusal.allowed))
    })
}

/// A refusal of the field, named by the table's keys.
fn in_table(table: &NamedTable<'_>, refusal: ParamError) -> SceneError {
    let key = match refusal.field.split(['[', '.']).nth(1) {
        Some("goals") => "toward",
        Some("shape") => "cell",
        Some("min") => "min",
        _ => "max",
    };
    let SceneError::Value { place, .. } = table.refuse(key, "") else { return table.refuse(key, &refusal.allowed) };
    SceneError::Value { place, key: table.key(key), value: refusal.value, allowed: refusal.allowed }
}
