//! Fields of `[drive.NAME] kind = "flow"`: from a file, or the ways to goals around obstacles.

use std::path::PathBuf;

use npyz::Order;
use wingbeat::Domain;
use wingbeat::steer::drive::FlowField;
use wingbeat::steer::{ObstacleShape, Obstacles, ParamError, Vector};

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
) -> Result<FlowField<[f32; D]>, SceneError>
where
    [f32; D]: Vector,
{
    let (min, max) = table.region(domain)?;
    match (table.text("file"), table.has("toward")) {
        (Some(_), true) => Err(table.refuse("toward", &format!("left out where {} is given", table.key("file")))),
        (None, false) => Err(table.refuse("toward", &format!("a list of points (or {}, an .npy file)", table.key("file")))),
        (None, true) => toward(table, min, max, obstacles),
        (Some(file), false) => {
            for key in ["cell", "clearance"] {
                if table.has(key) {
                    return Err(table
                        .refuse(key, &format!("left out with {}: it is a key of fields that are computed", table.key("file"))));
                }
            }
            let is_override = scene.document.is_override(&table.key("file"));
            let path: PathBuf = if is_override { file.into() } else { scene.folder.join(file) };
            from_file(&path, min, max)
        }
    }
}

/// The ways to the nearest of some points around all that stands still.
fn toward<const D: usize>(
    table: &Table<'_>,
    min: [f32; D],
    max: [f32; D],
    obstacles: &Obstacles<[f32; D]>,
) -> Result<FlowField<[f32; D]>, SceneError>
where
    [f32; D]: Vector,
{
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
    let clearance = table.number("clearance").unwrap_or(0.0).max(0.5 * cell);
    let standing = obstacles.list.iter().filter(|obstacle| !obstacle.motion.moves());
    let solids: Vec<Solid<D>> = standing.map(|obstacle| Solid::new(&obstacle.shape, clearance)).collect();
    let blocked = |place: [f32; D]| solids.iter().any(|solid| solid.reaches(place.map(f64::from)));
    let goals = table.points::<D>("toward");
    FlowField::toward(min, max, shape, &goals, blocked).map_err(|refusal| in_table(table, refusal))
}

fn from_file<const D: usize>(path: &std::path::Path, min: [f32; D], max: [f32; D]) -> Result<FlowField<[f32; D]>, SceneError>
where
    [f32; D]: Vector,
{
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

/// An obstacle with room about it.
struct Solid<'a, const D: usize> {
    shape: &'a ObstacleShape<[f32; D]>,
    room: f64,
    low: [f64; D],
    high: [f64; D],
}

impl<'a, const D: usize> Solid<'a, D> {
    fn new(shape: &'a ObstacleShape<[f32; D]>, room: f64) -> Self {
        let (corners, thick): (Vec<[f32; D]>, f32) = match shape {
            ObstacleShape::Sphere { center, radius } => (vec![*center], *radius),
            ObstacleShape::Capsule { from, to, radius } => (vec![*from, *to], *radius),
            ObstacleShape::Wall { from, to } => (vec![*from, *to], 0.0),
            // Turned, it lies within a ball about its middle.
            ObstacleShape::Box { min, max, angle } => {
                let squares = (0..D).map(|a| f64::from(max[a] - min[a]) * f64::from(max[a] - min[a]));
                let half = 0.5 * libm::sqrt(squares.fold(0.0, |sum, square| sum + square));
                (vec![*min, *max], if *angle == 0.0 { 0.0 } else { half as f32 })
            }
            ObstacleShape::Polygon { points } => (points.clone(), 0.0),
        };
        let reach = f64::from(thick) + room;
        let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        for corner in &corners {
            for a in 0..D {
                let x = f64::from(corner[a]);
                low[a] = if x - reach < low[a] { x - reach } else { low[a] };
                high[a] = if x + reach > high[a] { x + reach } else { high[a] };
            }
        }
        Self { shape, room, low, high }
    }

    /// Whether a place is in it, or nearer than the room about it.
    fn reaches(&self, place: [f64; D]) -> bool {
        if (0..D).any(|a| place[a] < self.low[a] || place[a] > self.high[a]) {
            return false;
        }
        let wide = |point: &[f32; D]| point.map(f64::from);
        match self.shape {
            ObstacleShape::Sphere { center, radius } => distance(place, wide(center)) <= f64::from(*radius) + self.room,
            ObstacleShape::Capsule { from, to, radius } => {
                to_segment(place, wide(from), wide(to)) <= f64::from(*radius) + self.room
            }
            ObstacleShape::Wall { from, to } => to_segment(place, wide(from), wide(to)) <= self.room,
            ObstacleShape::Box { min, max, angle } => to_box(place, wide(min), wide(max), *angle) <= self.room,
            ObstacleShape::Polygon { points } => {
                let edges = || (0..points.len()).map(|i| (wide(&points[i]), wide(&points[(i + 1) % points.len()])));
                let crossings = edges().filter(|(a, b)| {
                    let spans = (a[1] > place[1]) != (b[1] > place[1]);
                    spans && place[0] < a[0] + (b[0] - a[0]) * (place[1] - a[1]) / (b[1] - a[1])
                });
                crossings.count() % 2 == 1 || edges().any(|(a, b)| to_segment(place, a, b) <= self.room)
            }
        }
    }
}

fn distance<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    libm::sqrt((0..D).fold(0.0, |sum, axis| sum + (a[axis] - b[axis]) * (a[axis] - b[axis])))
}

fn to_segment<const D: usize>(place: [f64; D], from: [f64; D], to: [f64; D]) -> f64 {
    let (mut along, mut whole) = (0.0, 0.0);
    for a in 0..D {
        along += (place[a] - from[a]) * (to[a] - from[a]);
        whole += (to[a] - from[a]) * (to[a] - from[a]);
    }
    let part = if whole > 0.0 { (along / whole).clamp(0.0, 1.0) } else { 0.0 };
    distance(place, std::array::from_fn(|a| from[a] + (to[a] - from[a]) * part))
}

fn to_box<const D: usize>(place: [f64; D], min: [f64; D], max: [f64; D], angle: f32) -> f64 {
    let middle: [f64; D] = std::array::from_fn(|a| (min[a] + max[a]) * 0.5);
    let mut turned: [f64; D] = std::array::from_fn(|a| place[a] - middle[a]);
    if angle != 0.0 {
        let (sin, cos) = libm::sincos(-f64::from(angle).to_radians());
        (turned[0], turned[1]) = (cos * turned[0] - sin * turned[1], sin * turned[0] + cos * turned[1]);
    }
    let beyond = |a: usize| (turned[a].abs() - (max[a] - min[a]) * 0.5).max(0.0);
    libm::sqrt((0..D).fold(0.0, |sum, a| sum + beyond(a) * beyond(a)))
}
