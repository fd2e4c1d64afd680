//! Whether bodies fit through what is around them: warnings of passages that are too narrow, and of
//! exits that no body's middle can get into.

use wingbeat::steer::{
    Obstacle, ObstacleMotion, ObstacleSet, ObstacleShape, Obstacles, ParamError, Vector, math,
};

use crate::build::Plan;
use crate::number::plain;
use crate::scene::Scene;
use crate::worlds::outside::StaticObstacles;
use wingbeat::SpeciesId;

/// Places along each axis of an exit that are tried.
const TRIED: usize = 33;

/// Most gaps that are closed; a plan with more is of another scale than its bodies.
const MOST_GAPS: usize = 10_000;

/// Where a body does not fit between two parts of what stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gap<const D: usize> {
    pub from: [f32; D],
    pub to: [f32; D],
}

impl<const D: usize> Gap<D> {
    pub fn width(&self) -> f64 {
        let way = |a: usize| f64::from(self.to[a]) - f64::from(self.from[a]);
        (0..D).map(|a| way(a) * way(a)).sum::<f64>().sqrt()
    }

    pub fn middle(&self) -> [f32; D] {
        std::array::from_fn(|a| self.from[a] + (self.to[a] - self.from[a]) * 0.5)
    }

    /// A wall in its place, of a name that no scene gives.
    pub fn wall(&self, number: usize) -> Obstacle<[f32; D]> {
        let shape = ObstacleShape::Wall { from: self.from, to: self.to };
        Obstacle { name: format!("a gap {number}"), shape, motion: ObstacleMotion::Static }
    }
}

/// The gaps that bodies of a radius do not fit through, in the open and on the floor, the widest
/// first: from every corner, or middle of what is round, to the nearest points of all parts around
/// it. No place of a gap is as far from both of its ends as a body's middle has to be, so that no
/// body passes one. Empty where there are too many.
pub(super) fn gaps<const D: usize>(plan: &Plan<D>, radius: f32) -> Result<Vec<Gap<D>>, ParamError> {
    let solid = StaticObstacles::new(&plan.world.obstacles, &plan.domain, plan.floor.clone())?;
    let all = StaticObstacles::all(&plan.world.obstacles, &plan.domain)?;
    let mut gaps: Vec<Gap<D>> = Vec::new();
    for shape in all.shapes() {
        for (corner, round) in corners(shape) {
            for wall in all.parts_near(corner, 2.0 * radius + round) {
                let away = wall.distance - round;
                // What the corner is of, and what touches it.
                if away <= 1e-3 * radius || away >= 2.0 * radius * 0.9999 {
                    continue;
                }
                let along = wall.offset.times(1.0 / wall.distance);
                let gap =
                    Gap { from: corner.plus(along.times(round)), to: corner.plus(wall.offset) };
                if !solid.is_closed(gap.middle()) {
                    gaps.push(gap);
                }
            }
        }
        if gaps.len() > MOST_GAPS {
            return Ok(Vec::new());
        }
    }
    gaps.sort_by(|a, b| b.width().total_cmp(&a.width()));
    Ok(gaps)
}

/// Corners of a shape, each with the radius about it.
fn corners<const D: usize>(shape: &ObstacleShape<[f32; D]>) -> Vec<([f32; D], f32)> {
    let flat = |corners: [[f32; 2]; 4]| {
        corners.map(|[x, y]| (std::array::from_fn(|a| [x, y][a % 2]), 0.0)).to_vec()
    };
    match shape {
        ObstacleShape::Sphere { center, radius } => vec![(*center, *radius)],
        ObstacleShape::Capsule { from, to, radius } => vec![(*from, *radius), (*to, *radius)],
        ObstacleShape::Wall { from, to } => vec![(*from, 0.0), (*to, 0.0)],
        ObstacleShape::Polygon { points } => points.iter().map(|point| (*point, 0.0)).collect(),
        // Turned boxes and boxes in space have gaps of another kind.
        ObstacleShape::Box { min, max, angle } if D == 2 && *angle == 0.0 => {
            flat([[min[0], min[1]], [max[0], min[1]], [max[0], max[1]], [min[0], max[1]]])
        }
        _ => Vec::new(),
    }
}

/// Warns of exits that no body's middle can get into.
pub(crate) fn about_exits<const D: usize>(
    scene: &Scene,
    plan: &Plan<D>,
    warnings: &mut Vec<String>,
) -> Result<(), ParamError> {
    if plan.params.body.is_none() {
        return Ok(());
    }
    let walls = StaticObstacles::all(&plan.world.obstacles, &plan.domain)?;
    for exit in plan.world.exits.list() {
        let Some(radius) = least_radius(plan, exit.species) else { continue };
        let region = Obstacle {
            name: exit.name.clone(),
            shape: exit.shape.clone(),
            motion: ObstacleMotion::Static,
        };
        let Ok(region) =
            ObstacleSet::new(Obstacles { list: vec![region], avoidance: None }, &plan.domain)
        else {
            continue;
        };
        let (low, high) = region.bounds(0);
        let place = |mut number: usize| -> [f32; D] {
            std::array::from_fn(|a| {
                let part = (number % TRIED) as f64 / (TRIED - 1) as f64;
                number /= TRIED;
                (low[a] + (high[a] - low[a]) * part) as f32
            })
        };
        let is_inside = |place: &[f32; D]| region.distance(0, *place) <= 0.0;
        let has_room =
            |place: [f32; D]| faces_off(plan, place) >= radius && !walls.is_near(place, radius);
        let mut places =
            (0..TRIED.pow(D as u32)).map(place).chain([exit.shape.middle()]).filter(is_inside);
        if !places.any(has_room) {
            let (name, place) =
                (&exit.name, scene.document.place_of_section(&format!("exit.{}", exit.name)));
            warnings.push(format!(
                "{place}: exit.{name}: no body of radius {radius} can get its middle into it: \
                    every place in it is nearer than that to a wall; make it larger, or bodies \
                    smaller"
            ));
        }
    }
    Ok(())
}

/// The least radius of the bodies of a species, or of any.
pub(super) fn least_radius<const D: usize>(
    plan: &Plan<D>,
    species: Option<SpeciesId>,
) -> Option<f32> {
    let kinds = plan.params.each_species();
    let kinds = kinds.filter(|kind| species.is_none_or(|whose| whose == *kind));
    kinds.filter_map(|kind| plan.params.body_of(kind)?.radius).reduce(math::min)
}

/// How far a place is from the faces that bodies keep their radius from.
fn faces_off<const D: usize>(plan: &Plan<D>, place: [f32; D]) -> f32 {
    if !plan.domain.boundary.has_faces() {
        return f32::INFINITY;
    }
    let gap = |a: usize| math::min(place[a] - plan.domain.min[a], plan.domain.max[a] - place[a]);
    (0..D).map(gap).fold(f32::INFINITY, math::min)
}

/// The words for a passage that is too narrow.
pub(super) fn narrow<const D: usize>(gap: &Gap<D>, radius: f32) -> String {
    let place = gap.middle().map(|x| plain(f64::from((x * 1000.0).round() / 1000.0))).join(", ");
    let width = plain((gap.width() * 1e4).round() / 1e4);
    format!(
        "the passage at [{place}] is {width} wide, and bodies of body.radius = {radius} need {}",
        2.0 * radius
    )
}
