//! Fields of `[drive.NAME] kind = "flow"`: from a file, or the ways to goals or exits around
//! obstacles.

use std::io::BufReader;
use std::path::Path;

use wingbeat::Domain;
use wingbeat::steer::drive::{FieldKind, FlowField};
use wingbeat::steer::gate::Exits;
use wingbeat::steer::{Exit, Obstacle, ObstacleMotion, ObstacleSet, Obstacles, ParamError};
use wingbeat_record::npy::NpyReader;
use wingbeat_record::open_regular;

use super::named_table::NamedTable;
use super::outside::StaticObstacles;
use crate::SceneError;
use crate::keys::{FlowKeys, WaysKind};
use crate::scene::{Scene, reason};

/// Nodes along the longest side of a field whose `cell` is left out.
const USUAL_NODES: f64 = 100.0;

/// Most nodes of a field that is computed here: they take some ten seconds.
const MOST_NODES: f64 = 1e7;

/// Most obstacles that the nodes of a field look at, each counted as often as it is looked at: they
/// take some ten seconds.
const MOST_LOOKS: f64 = 3e8;

/// Nodes that are asked how many they look at.
const ASKED: usize = 1000;

/// How many cells deep inside an exit its ways end, where it is as deep: people do not slow down
/// before they are out.
const CELLS_INSIDE: f64 = 1.5;

/// The obstacles and exits that ways are found among.
#[derive(Clone, Copy)]
pub(crate) struct NodesAround<'a, const D: usize> {
    pub domain: &'a Domain<[f32; D]>,
    pub obstacles: &'a Obstacles<[f32; D]>,
    pub exits: &'a Exits<[f32; D]>,
    pub ask: Ask,
}

/// What is asked of ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Where they lead.
    Whither,
    /// From where there are any, which is found sooner: enough to check a scene.
    Whether,
}

/// Whether a drive has ways that are found here.
pub(crate) fn has_ways(table: &NamedTable<'_>) -> bool {
    table.has("toward") || table.document.flag(&table.key("to_exits")) == Some(true)
}

/// A field, and those that take its place later, each with the time from which it is followed.
type Fields<const D: usize> = Vec<(f64, FlowField<[f32; D]>)>;

pub(super) fn fields<const D: usize>(
    scene: &Scene,
    table: &NamedTable<'_>,
    keys: &FlowKeys<[f32; D]>,
    around: NodesAround<'_, D>,
) -> Result<Fields<D>, SceneError> {
    let (min, max) = table.region(keys.min, keys.max, around.domain)?;
    let [file, toward] = ["file", "toward"].map(|key| table.key(key));
    match (&keys.file, keys.toward.is_some(), keys.to_exits) {
        (Some(_), true, _) => {
            Err(table.refuse("toward", &format!("left out where {file} is given")))
        }
        (Some(_), _, true) => {
            Err(table.refuse("to_exits", &format!("left out where {file} is given")))
        }
        (_, true, true) => {
            Err(table.refuse("to_exits", &format!("left out where {toward} is given")))
        }
        (None, false, false) => Err(table.refuse(
            "toward",
            &format!("a list of points (or {}, or {file}, an .npy file)", table.key("to_exits")),
        )),
        (None, ..) => {
            Ways::of(table, around)?.fields(around.ask).map_err(|refusal| in_table(table, refusal))
        }
        (Some(_), false, false) => {
            for key in ["cell", "clearance", "ways"] {
                if table.has(key) {
                    return Err(table.refuse(
                        key,
                        &format!("left out with {file}: it is a key of fields that are computed"),
                    ));
                }
            }
            let field = from_file(&scene.file(&file).unwrap_or_default(), min, max)?;
            Ok(vec![(0.0, field)])
        }
    }
}

/// Where ways lead from a time on; nowhere while every door is closed.
pub(crate) struct FlowPlan<const D: usize> {
    pub from: f64,
    pub goals: Vec<[f32; D]>,
}

/// What leads to the nearest of some points: the grid of a field, and what blocks its nodes.
pub(crate) struct Ways<const D: usize> {
    /// Everything that stands still.
    pub standing: StaticObstacles<D>,
    pub cell: f64,
    /// Where ways lead from which time on.
    pub plans: Vec<FlowPlan<D>>,
    clearance: f32,
    /// Whether ways share the floor; otherwise each is the shortest.
    even: bool,
    shape: [usize; D],
    corners: [[f32; D]; 2],
}

impl<const D: usize> Ways<D> {
    pub fn of(table: &NamedTable<'_>, around: NodesAround<'_, D>) -> Result<Self, SceneError> {
        let keys = table.read(FlowKeys::<[f32; D]>::default());
        let (min, max) = table.region(keys.min, keys.max, around.domain)?;
        let sides: [f64; D] = std::array::from_fn(|a| f64::from(max[a]) - f64::from(min[a]));
        let longest =
            sides.iter().fold(0.0, |long: f64, &side| if side > long { side } else { long });
        let cell = keys.cell.unwrap_or(longest / USUAL_NODES);
        let shape = sides.map(|side| (side / cell).ceil().max(1.0) + 1.0);
        if shape.iter().product::<f64>() > MOST_NODES {
            let least = libm::pow(sides.iter().product::<f64>() / MOST_NODES, 1.0 / D as f64);
            return Err(
                table.refuse("cell", &format!("at least {least:.3e}: larger fields take minutes"))
            );
        }
        // With half a cell of clearance a wall thinner than a cell still blocks a node, so that no
        // way leads through it.
        let (clearance, half) = (keys.clearance, 0.5001 * cell);
        // A node just as far off as the clearance is free, however its place was rounded: else a
        // door and its mirror image differ by a node.
        let clearance = clearance - 1e-3 * cell;
        let standing = StaticObstacles::all(around.obstacles, around.domain)
            .map_err(|refusal| table.document.refuse_param(refusal))?;
        let mut ways = Self {
            standing,
            cell,
            plans: vec![FlowPlan { from: 0.0, goals: keys.toward.unwrap_or_default() }],
            clearance: if clearance > half { clearance } else { half } as f32,
            even: keys.ways.map_or(keys.to_exits, |ways| ways == WaysKind::Even),
            shape: shape.map(|nodes| nodes as usize),
            corners: [min, max],
        };
        // The ends of ways are found among all nodes too, though once.
        ways.check_looks(table, if keys.to_exits { around.exits.list().len() } else { 0 })?;
        if keys.to_exits {
            ways.end_in_exits(table, around)?;
        }
        Ok(ways)
    }

    /// Refuses a field whose nodes would look at obstacles for minutes, judged by some of the
    /// nodes.
    fn check_looks(&self, table: &NamedTable<'_>, exits: usize) -> Result<(), SceneError> {
        let nodes = self.shape.iter().product::<usize>();
        let step = nodes.div_ceil(ASKED);
        let looks = self.standing.boxes.looks(self.corners, &self.shape, step, self.clearance);
        let all = (looks as f64 / nodes.div_ceil(step) as f64 + exits as f64) * nodes as f64;
        if all > MOST_LOOKS {
            let allowed = format!(
                "larger, or fewer obstacles: {nodes} nodes would look at {all:.0e} obstacles and \
                    exits, allowed are {MOST_LOOKS:.0e}"
            );
            return Err(table.refuse("cell", &allowed));
        }
        Ok(())
    }

    /// Has ways end inside of the exits that are open to the boids that the drive leads, planned
    /// anew whenever one opens or closes.
    fn end_in_exits(
        &mut self,
        table: &NamedTable<'_>,
        around: NodesAround<'_, D>,
    ) -> Result<(), SceneError> {
        let led = table.species()?;
        let usable =
            |exit: &&Exit<[f32; D]>| exit.open && (exit.species.is_none() || exit.species == led);
        let mut ends = Vec::new();
        for exit in around.exits.list().iter().filter(usable) {
            let goals = self
                .ends_in(exit, around.domain)
                .map_err(|refusal| table.document.refuse_param(refusal))?;
            ends.push((exit, goals));
        }
        let mut times: Vec<f64> = ends
            .iter()
            .flat_map(|(exit, _)| [exit.opens, exit.closes])
            .filter(|time| *time > 0.0)
            .collect();
        times.retain(|time| time.is_finite());
        times.push(0.0);
        times.sort_by(f64::total_cmp);
        times.dedup();
        let goals_at = |from: f64| -> Vec<[f32; D]> {
            let open = ends.iter().filter(|(exit, _)| exit.opens <= from && from < exit.closes);
            open.flat_map(|(_, goals)| goals.iter().copied()).collect()
        };
        self.plans =
            times.into_iter().map(|from| FlowPlan { from, goals: goals_at(from) }).collect();
        let (plans, nodes) = (self.plans.len(), self.shape.iter().product::<usize>());
        if plans as f64 * nodes as f64 > MOST_NODES {
            let allowed = format!(
                "larger, or fewer times at which exits open and close: {plans} fields of \
                    {nodes} nodes are needed"
            );
            return Err(table.refuse("cell", &allowed));
        }
        if self.plans.iter().all(|plan| plan.goals.is_empty()) {
            let allowed = "given with an [exit.NAME] that is open to the boids it drives, and not \
                all inside obstacles";
            return Err(table.refuse("to_exits", allowed));
        }
        Ok(())
    }

    /// The fields of all plans: where there is nowhere to go, people stand.
    pub fn fields(&self, ask: Ask) -> Result<Fields<D>, ParamError> {
        let ([min, max], shape) = (self.corners, self.shape);
        let field = |plan: &FlowPlan<D>| {
            Ok((
                plan.from,
                if plan.goals.is_empty() {
                    FlowField::new(min, max, shape, vec![[0.0; D]; shape.iter().product()])?
                } else {
                    let kind = match (ask, self.even) {
                        (Ask::Whether, _) => FieldKind::Reached,
                        (Ask::Whither, true) => FieldKind::Even,
                        (Ask::Whither, false) => FieldKind::Shortest,
                    };
                    let boxes = &self.standing.boxes;
                    boxes.flow_field(kind, [min, max], &shape, &plan.goals, self.clearance)?
                },
            ))
        };
        self.plans.iter().map(field).collect()
    }

    /// The free nodes deep enough inside of an exit, or else the deepest; of an exit between nodes,
    /// its middle.
    fn ends_in(
        &self,
        exit: &Exit<[f32; D]>,
        domain: &Domain<[f32; D]>,
    ) -> Result<Vec<[f32; D]>, ParamError> {
        let (name, shape) = (exit.name.clone(), exit.shape.clone());
        let region = Obstacle { name, shape, motion: ObstacleMotion::Static };
        let region = ObstacleSet::new(Obstacles { list: vec![region], avoidance: None }, domain)?;
        let (boxes, clearance) = (&self.standing.boxes, self.clearance);
        let inside = boxes.nodes_inside(&region, self.corners, &self.shape, clearance);
        let free: Vec<_> = inside.iter().filter(|(.., is_free)| *is_free).collect();
        let deepest = free
            .iter()
            .fold(0.0, |deepest, (depth, ..)| if *depth > deepest { *depth } else { deepest });
        let enough = CELLS_INSIDE * self.cell;
        // Nodes that are as deep but for rounding count.
        let enough = if deepest < enough { deepest * (1.0 - 1e-6) } else { enough };
        if inside.is_empty() {
            return Ok(vec![exit.shape.middle()]);
        }
        Ok(free
            .into_iter()
            .filter(|(depth, ..)| *depth >= enough)
            .map(|(_, place, _)| *place)
            .collect())
    }

    /// Whether no way of a field begins at a position; at the nodes `ends` ways end.
    pub fn is_lost(
        &self,
        position: [f32; D],
        field: &FlowField<[f32; D]>,
        ends: &[[usize; 3]],
    ) -> bool {
        self.standing.boxes.is_lost(position, field, ends, self.clearance)
    }
}

fn from_file<const D: usize>(
    path: &Path,
    min: [f32; D],
    max: [f32; D],
) -> Result<FlowField<[f32; D]>, SceneError> {
    let shown = path.display().to_string();
    let cannot_read = |error: &std::io::Error| {
        SceneError::file(&shown, format!("cannot read the file: {}", reason(error)))
    };
    let refuse = |message: String| SceneError::data(&shown, message);
    let (file, bytes) = open_regular(path).map_err(|error| cannot_read(&error))?;
    let array = NpyReader::open(BufReader::new(file), bytes).map_err(refuse)?;
    let sides = array.shape();
    let fits =
        sides.len() == D + 1 && sides[D] == D as u64 && sides[..D].iter().all(|&nodes| nodes >= 2);
    if !fits {
        let wanted = if D == 2 { "[ny, nx, 2]" } else { "[nz, ny, nx, 3]" };
        return Err(refuse(format!(
            "{}: allowed is {wanted}, 2 nodes or more an axis",
            array.shown_shape()
        )));
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
        SceneError::data(
            &shown,
            format!("{} = {}: allowed is {}", refusal.field, refusal.value, refusal.allowed),
        )
    })
}

/// A refusal of the field, named by the table's keys.
fn in_table(table: &NamedTable<'_>, refusal: ParamError) -> SceneError {
    if !table.has("toward") && refusal.field.starts_with("flow.goals") {
        return table.refuse("cell", "small enough that a free node lies in or next to every exit");
    }
    let key = match refusal.field.split(['[', '.']).nth(1) {
        Some("goals") => "toward",
        Some("shape") => "cell",
        Some("min") => "min",
        _ => "max",
    };
    let SceneError::Value { place, .. } = table.refuse(key, "") else {
        return table.refuse(key, &refusal.allowed);
    };
    SceneError::Value { place, key: table.key(key), value: refusal.value, allowed: refusal.allowed }
}
