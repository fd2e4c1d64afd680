//! Whether drives can lead boids where they point: warnings of goals inside obstacles, and of
//! boids that start where no way begins.

use wingbeat::SpeciesId;
use wingbeat::steer::drive::{Flow, FlowField};
use wingbeat::steer::{Drive, DriveKind, ParamError};

use crate::SceneError;
use crate::build::{InitialBoid, Plan};
use crate::keys::FlowKeys;
use crate::number::plain;
use crate::scene::Scene;
use crate::warnings::passage;
use crate::worlds::flow::{self, Ask, NodesAround, Ways};
use crate::worlds::gates::lattice;
use crate::worlds::named_table::NamedTable;
use crate::worlds::outside::StaticObstacles;

/// A warning for every goal that no boid can get to.
pub(crate) fn about_goals<const D: usize>(
    scene: &Scene,
    plan: &Plan<D>,
    warnings: &mut Vec<String>,
) -> Result<(), ParamError> {
    let drives = || scene.document.tables("drive").into_iter().zip(&plan.world.drives);
    let all_goals = drives().flat_map(|(path, drive)| {
        let table = NamedTable { document: &scene.document, path };
        goals(&table, drive)
            .into_iter()
            .map(move |(key, point, reach)| (table.key(key), point, reach))
    });
    let mut all_goals = all_goals.peekable();
    if plan.world.obstacles.is_empty() || all_goals.peek().is_none() {
        return Ok(());
    }
    let solid = StaticObstacles::new(&plan.world.obstacles, &plan.domain, plan.floor.clone())?;
    let all = StaticObstacles::all(&plan.world.obstacles, &plan.domain)?;
    for (key, point, reach) in all_goals {
        let lies = match solid.holder(point) {
            // Who arrives within the radius may do so outside of the obstacle.
            Some((name, depth)) if depth >= f64::from(reach) => format!("inside obstacle {name}"),
            None if solid.is_off(point) && !all.is_near(point, reach) => "off the floor".into(),
            _ => continue,
        };
        let place = scene.document.place_of(&key);
        warnings.push(format!(
            "{place}: {key}: {point:?} lies {lies}: no boid gets there; move it into the open"
        ));
    }
    Ok(())
}

/// Boids that are asked whether they see a goal.
const LOOKERS: usize = 1000;

/// A warning for every goal that no boid sees from where it starts: a goal leads straight there.
pub(crate) fn about_sight<const D: usize>(
    scene: &Scene,
    plan: &Plan<D>,
    initial: &[InitialBoid<D>],
    warnings: &mut Vec<String>,
) -> Result<(), ParamError> {
    if plan.world.obstacles.is_empty() {
        return Ok(());
    }
    let all = StaticObstacles::all(&plan.world.obstacles, &plan.domain)?;
    let for_both = |one: Option<SpeciesId>, other: Option<SpeciesId>| {
        one.is_none() || other.is_none() || one == other
    };
    for (path, drive) in scene.document.tables("drive").into_iter().zip(&plan.world.drives) {
        let DriveKind::Goal(goal) = &drive.kind else { continue };
        let Some(target) = goal.target else { continue };
        // What leads round obstacles may bring boids to where they see it.
        let led = |other: &Drive<[f32; D]>| {
            matches!(other.kind, DriveKind::Flow(_) | DriveKind::Path(_))
                && for_both(other.species, drive.species)
        };
        let is_off =
            plan.floor.as_ref().is_some_and(|floor| !floor.contains([target[0], target[1]]));
        if plan.world.drives.iter().any(led) || all.holder(target).is_some() || is_off {
            continue;
        }
        let mut lookers = initial
            .iter()
            .filter(|boid| drive.species.is_none_or(|species| species == boid.species))
            .peekable();
        if lookers.peek().is_some()
            && !lookers.take(LOOKERS).any(|boid| all.is_free(boid.position, target))
        {
            let place = scene.document.place_of(&format!("{path}.target"));
            warnings.push(format!(
                "{place}: {path}.target: no boid that starts can see {target:?} past the \
                    obstacles, and a goal leads straight there: kind = \"flow\" with toward leads \
                    around them"
            ));
        }
    }
    Ok(())
}

/// Where a drive leads: the key that says so, the point, and how near is there.
fn goals<const D: usize>(
    table: &NamedTable<'_>,
    drive: &Drive<[f32; D]>,
) -> Vec<(&'static str, [f32; D], f32)> {
    match &drive.kind {
        DriveKind::Goal(goal) => {
            goal.target.into_iter().map(|target| ("target", target, goal.arrival_radius)).collect()
        }
        DriveKind::Path(path) => path
            .road
            .waypoints()
            .iter()
            .map(|&point| ("points", point, path.road.radius()))
            .collect(),
        DriveKind::Flow(_) => {
            let toward = table.read(FlowKeys::<[f32; D]>::default()).toward;
            toward.unwrap_or_default().into_iter().map(|goal| ("toward", goal, 0.0)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a drive has ways to points that obstacles may close.
pub(crate) fn has_ways<const D: usize>(scene: &Scene, plan: &Plan<D>) -> bool {
    let mut drives = scene.document.tables("drive").into_iter();
    !plan.world.obstacles.is_empty()
        && drives.any(|path| flow::has_ways(&NamedTable { document: &scene.document, path }))
}

/// A warning for every flow field that leads some boids nowhere from where they start.
pub(crate) fn about_ways<const D: usize>(
    scene: &Scene,
    plan: &Plan<D>,
    initial: &[InitialBoid<D>],
    warnings: &mut Vec<String>,
) -> Result<(), SceneError> {
    for (path, drive) in scene.document.tables("drive").into_iter().zip(&plan.world.drives) {
        let table = NamedTable { document: &scene.document, path };
        let (DriveKind::Flow(Flow { field, later, .. }), true) =
            (&drive.kind, flow::has_ways(&table))
        else {
            continue;
        };
        let ways = Ways::of(&table, plan.world.around(&plan.domain))?;
        let fields = std::iter::once(field).chain(later.iter().map(|(_, field)| field));
        let plans: Vec<Nodes<'_, D>> = ways
            .plans
            .iter()
            .zip(fields)
            .map(|(plan, field)| Nodes::of(&ways, plan, field))
            .collect();
        // A boid that finds a way at some time waits for it.
        let is_lost = |position| plans.iter().all(|nodes| nodes.is_lost(position));
        let driven = || {
            initial
                .iter()
                .filter(|boid| drive.species.is_none_or(|species| species == boid.species))
        };
        let lost: Vec<u64> =
            driven().filter(|boid| is_lost(boid.position)).map(|boid| boid.id).collect();
        let (key, cell) = (table.key("cell"), plain(ways.cell));
        let warn = |who: String, warnings: &mut Vec<String>| {
            warnings.push(format!(
                "{}: {who} where {path} knows no way: every door is closed, or narrower than {key} \
                    = {cell} lets through; open one, or use a smaller cell",
                scene.document.place_of_section(path)
            ));
        };
        for source in plan
            .world
            .sources
            .iter()
            .filter(|source| drive.species.is_none_or(|species| species == source.species))
        {
            let mut free = lattice(source).filter(|place| ways.standing.holder(*place).is_none());
            if free.any(is_lost) {
                warn(format!("boids of source.{} may come in", source.name), warnings);
            }
        }
        let led: Vec<[f32; D]> =
            driven().map(|boid| boid.position).filter(|position| !is_lost(*position)).collect();
        about_width(scene, plan, &table, (drive.species, &led), warnings)?;
        let Some(first) = lost.iter().min() else { continue };
        let who = match lost.len() {
            1 => format!("boid {first} starts"),
            many => format!("{many} boids (the first is {first}) start"),
        };
        warn(who, warnings);
    }
    Ok(())
}

/// Warns where ways lead through a passage that bodies do not fit through: with what is too narrow
/// closed, some of the boids that are led find no way.
fn about_width<const D: usize>(
    scene: &Scene,
    plan: &Plan<D>,
    table: &NamedTable<'_>,
    (species, led): (Option<SpeciesId>, &[[f32; D]]),
    warnings: &mut Vec<String>,
) -> Result<(), SceneError> {
    let Some(radius) = passage::least_radius(plan, species).filter(|_| D == 2 && !led.is_empty())
    else {
        return Ok(());
    };
    let gaps =
        passage::gaps(plan, radius).map_err(|refusal| scene.document.refuse_param(refusal))?;
    // How many find no way where all gaps but one are closed; or all of them.
    let lost = |but: Option<usize>| -> usize {
        let mut obstacles = plan.world.obstacles.clone();
        obstacles
            .list
            .extend((0..).zip(&gaps).filter(|(i, _)| Some(*i) != but).map(|(i, gap)| gap.wall(i)));
        let around = NodesAround { obstacles: &obstacles, ..plan.world.around(&plan.domain) };
        // Where not even that much is free, the others are no better off.
        let Ok(ways) = Ways::of(table, around) else { return led.len() };
        let Ok(fields) = ways.fields(Ask::Whether) else { return led.len() };
        let nodes: Vec<Nodes<'_, D>> = ways
            .plans
            .iter()
            .zip(&fields)
            .map(|(plan, (_, field))| Nodes::of(&ways, plan, field))
            .collect();
        led.iter().filter(|place| nodes.iter().all(|nodes| nodes.is_lost(**place))).count()
    };
    let all = if gaps.is_empty() { 0 } else { lost(None) };
    if all == 0 {
        return Ok(());
    }
    let guilty = (0..gaps.len().min(MOST_ASKED)).find(|&gap| lost(Some(gap)) < all).unwrap_or(0);
    let (place, path) = (scene.document.place_of_section(table.path), table.path);
    let told = passage::narrow(&gaps[guilty], radius);
    warnings.push(format!(
        "{place}: {all} boids start where {path} leads through what bodies do \
        not fit through: {told}"
    ));
    Ok(())
}

/// Passages that are asked one by one whether they are the one in the way.
const MOST_ASKED: usize = 8;

/// The nodes of a field.
struct Nodes<'a, const D: usize> {
    ways: &'a Ways<D>,
    field: &'a FlowField<[f32; D]>,
    /// Those at which ways end.
    ends: Vec<[usize; 3]>,
}

impl<'a, const D: usize> Nodes<'a, D> {
    fn of(ways: &'a Ways<D>, plan: &flow::FlowPlan<D>, field: &'a FlowField<[f32; D]>) -> Self {
        let nearest = |&goal: &[f32; D]| {
            let cell = field.cell(goal);
            std::array::from_fn(|a| cell.node[a] + usize::from(cell.part[a] >= 0.5))
        };
        Self { ways, field, ends: plan.goals.iter().map(nearest).collect() }
    }

    /// Whether no way begins at a position.
    fn is_lost(&self, position: [f32; D]) -> bool {
        self.ways.is_lost(position, self.field, &self.ends)
    }
}
