//! Settings that are accepted and change nothing: each is warned of, with what takes its place.

use wingbeat::steer::math;
use wingbeat::{Boundary, Combine, Params};

use crate::build::Plan;
use crate::number::{as_written, plain};
use crate::scene::Scene;
use crate::start::OwnGoal;

/// A floor longer than so many of the ways that the fastest boid goes in the scene's steps is one in
/// another unit: a run too short for a plan in the right one is shorter than it by less.
const MOST_WAYS: f64 = 5.0;

impl Scene {
    /// Keys that say where and how boids start, where a file says so: a warning. Where the file is named by a
    /// flag, to take their place, it is a note.
    pub(crate) fn about_initial<const D: usize>(&self, plan: &Plan<D>, by_flag: bool) -> Option<String> {
        let document = &self.document;
        if !document.has("initial.file") || document.is_override("initial.file") != by_flag {
            return None;
        }
        let sizes_box = !document.has("domain.min") && plan.domain.boundary != Boundary::Open && plan.floor.is_none();
        let mut inert: Vec<&str> = Vec::new();
        for (key, _) in document.leaves() {
            let Some((section, last)) = key.rsplit_once('.') else { continue };
            if section != "spawn" && !section.ends_with(".spawn") {
                continue;
            }
            let group = plan.groups.iter().find(|group| group.section == section);
            let is_random = group.is_some_and(|group| group.goal == OwnGoal::Random);
            let acts = match last {
                "goal" | "goal_center" => true,
                "spacing" => sizes_box || is_random,
                "shape" | "min" | "max" | "center" | "radius" => is_random,
                _ => false,
            };
            if !acts {
                inert.push(key);
            }
        }
        let first = inert.first()?;
        let (place, have) = (document.place_of(first), if inert.len() == 1 { "has" } else { "have" });
        let keys = inert.join(", ");
        Some(format!("{place}: {keys} {have} no effect: initial.file says where boids start and how fast"))
    }

    /// A plan that is of another unit than the boids: too large to be crossed, or smaller than a body.
    pub(crate) fn about_distance<const D: usize>(&self, plan: &Plan<D>, warnings: &mut Vec<String>) {
        let (Some(floor), params) = (&plan.floor, &plan.params) else { return };
        let [min, max] = floor.bounds();
        let sides = [max[0] - min[0], max[1] - min[1]];
        let (longest, shortest) = if sides[0] > sides[1] { (sides[0], sides[1]) } else { (sides[1], sides[0]) };
        let Some(speed) = largest_speed(params) else { return };
        let stride = as_written(f64::from(speed)) * as_written(f64::from(self.dt().get()));
        let (reach, steps) = (stride * self.steps() as f64, self.steps());
        let place = self.document.place_of_section("floor");
        if reach > 0.0 && longest > MOST_WAYS * reach {
            warnings.push(format!(
                "{place}: the floor is {} long, and at {speed} no boid gets further than {} in flock.steps = {steps}: is the plan in another unit (millimeters)? Scale it, or let boids walk for longer",
                plain(longest), plain(as_written(reach))
            ));
        }
        let width = 2.0 * f64::from(params.largest_body());
        if shortest < width || longest < stride {
            warnings.push(format!(
                "{place}: the floor is {} by {}, bodies are {} wide and go {} in a step: is the plan in another unit (degrees, kilometers)?",
                plain(sides[0]), plain(sides[1]), plain(as_written(width)), plain(as_written(stride))
            ));
        }
    }
}

/// The largest speed of any boid; `None` of models, whose speeds are their own.
fn largest_speed(params: &Params) -> Option<f32> {
    if params.model.is_some() {
        return None;
    }
    if let Combine::Direction(cruise) = params.combine {
        return Some(cruise.cruise_speed);
    }
    let species = params.species.iter().map(|species| species.agent.max_speed);
    Some(if params.species.is_empty() { params.agent.max_speed } else { species.fold(0.0, math::max) })
}
