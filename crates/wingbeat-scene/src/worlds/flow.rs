//! Fields of `[drive.NAME] kind = "flow"`: from a file, or the ways to goals around obstacles.

use npyz::Order;
use wingbeat::Domain;
use wingbeat::steer::drive::FlowField;
use wingbeat::steer::{ObstacleCourse, Obstacles, ParamError};

use super::table::Table;
use crate::SceneError;
use crate::initial::npy;
use crate::scene::Scene;

/// Nodes along the longest side of a field that does not say how fine it is.
const USUAL_NODES: f64 = 100.0;

/// Most nodes of a field that is computed: some ten seconds.
const MOST_NODES: f64 = 1e7;

pub(super) fn field<const D: usize>(
    scene: &Scene,
    table: &Table<'_>,
    domain: &Domain<[f32; D]>,
    obstacles: &Obstacles<[f32; D]>,
) -> Result<FlowField<[f32; D]>, SceneError> {
    let (min, max) = table.region(domain)?;
    match (table.text("file"), table.has("toward")) {
        (Some(_), true) => Err(table.refuse("toward", &format!("left out where {} is given", table.key("file")))),
        (None, false) => Err(table.refuse("toward", &format!("a list of points (or {}, an .npy file)", table.key("file")))),
        (None, true) => toward(table, domain, [min, max], obstacles),
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

/// The ways to the nearest of some points around all that stands still.
fn toward<const D: usize>(
    table: &Table<'_>,
    domain: &Domain<[f32; D]>,
    [min, max]: [[f32; D]; 2],
    obstacles: &Obstacles<[f32; D]>,
) -> Result<FlowField<[f32; D]>, SceneError> {
    let sides: [f64; D] = std::array::from_fn(|a| f64::from(max[a]) - f64::from(min[a]));
    let longest = sides.iter().fold(0.0, |long: f64, &side| if side > long { side } else { long });
    let cell = table.number("cell").unwrap_or(longest / USUAL_NODES);
    let shape = sides.map(|side| (side / cell).ceil().max(1.0) + 1.0);
    if shape.iter().product::<f64>() > MOST_NODES {
        let least = libm::pow(sides.iter().product::<f64>() / MOST_NODES, 1.0 / D as f64);
        return Err(table.refuse("cell", &format!("at least {least:.3e}: larger fields take minutes")));
    }
    let shape = shape.map(|nodes| nodes as usize);
    // Half a cell closes whatever lies between two nodes: no way leads through a thin wall.
    let (clearance, half) = (table.number("clearance").unwrap_or(0.0), 0.5001 * cell);
    let clearance = if clearance > half { clearance } else { half } as f32;
    let standing = obstacles.list.iter().filter(|obstacle| !obstacle.motion.moves()).cloned().collect();
    let course = ObstacleCourse::new(Obstacles { list: standing, avoidance: None }, domain);
    let course = course.map_err(|refusal| crate::place::placed(table.document, refusal))?;
    let blocked = |place: [f32; D]| course.blocked(place, clearance);
    let goals = table.points::<D>("toward");
    FlowField::toward(min, max, shape, &goals, blocked).map_err(|refusal| in_table(table, refusal))
}

fn from_file<const D: usize>(path: &std::path::Path, min: [f32; D], max: [f32; D]) -> Result<FlowField<[f32; D]>, SceneError> {
    let shown = path.display().to_string();
    let wanted = if D == 2 { "[ny, nx, 2]" } else { "[nz, ny, nx, 3]" };
    let array = npy::array(path, &shown, |shape| {
        let fits = shape.len() == D + 1 && shape[D] == D as u64 && shape[..D].iter().all(|&nodes| nodes >= 2);
        if fits { Ok(()) } else { Err(format!("{wanted}, 2 nodes or more an axis")) }
    })?;
    // The file's axes come slowest first; the field's, fastest.
    let shape: [usize; D] = std::array::from_fn(|a| array.shape[D - 1 - a]);
    let nodes = shape.iter().product::<usize>();
    let strides: Vec<usize> = match array.order {
        Order::C => (0..=D).map(|axis| array.shape[axis + 1..].iter().product()).collect(),
        Order::Fortran => (0..=D).map(|axis| array.shape[..axis].iter().product()).collect(),
    };
    let vector = |node: usize| -> [f32; D] {
        let (mut rest, mut place) = (node, 0);
        for a in 0..D {
            place += (rest % shape[a]) * strides[D - 1 - a];
            rest /= shape[a];
        }
        std::array::from_fn(|a| array.values[place + a * strides[D]] as f32)
    };
    let field = FlowField::new(min, max, shape, (0..nodes).map(vector).collect());
    field.map_err(|refusal| {
        SceneError::data(&shown, format!("{} = {}: allowed is {}", refusal.field, refusal.value, refusal.allowed))
    })
}

/// A refusal of the field's, in the words of its table.
fn in_table(table: &Table<'_>, refusal: ParamError) -> SceneError {
    let key = match refusal.field.split(['[', '.']).nth(1) {
        Some("goals") => "toward",
        Some("shape") => "cell",
        Some("min") => "min",
        _ => "max",
    };
    let SceneError::Value { place, .. } = table.refuse(key, "") else { return table.refuse(key, &refusal.allowed) };
    SceneError::Value { place, key: table.key(key), value: refusal.value, allowed: refusal.allowed }
}
