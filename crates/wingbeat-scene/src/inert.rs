//! Settings that are accepted and change nothing: each is warned of, with what takes its place.

use wingbeat::steer::math;
use wingbeat::{
    Params,
    steer::{Boundary, Combine},
};

use crate::build::Plan;
use crate::number::{as_written, plain};
use crate::scene::Scene;
use crate::start::{self, OwnGoal};

/// A floor longer than so many of the ways that the fastest boid goes in the scene's steps is one
/// in another unit: a run too short for a plan in the right one is shorter than it by less.
const MOST_WAYS: f64 = 5.0;

impl Scene {
    /// Keys that say where and how boids start, where a file says so: a warning. Where the file is
    /// named by a flag, to take their place, it is a note.
    pub(crate) fn about_initial<const D: usize>(
        &self,
        plan: &Plan<D>,
        by_flag: bool,
    ) -> Option<String> {
        let document = &self.document;
        if !document.has("initial.file") || document.is_override("initial.file") != by_flag {
            return None;
        }
        let sizes_box = !document.has("domain.min")
            && plan.domain.boundary != Boundary::Open
            && plan.floor.is_none();
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
        let (place, have) =
            (document.place_of(first), if inert.len() == 1 { "has" } else { "have" });
        let keys = inert.join(", ");
        Some(format!(
            "{place}: {keys} {have} no effect: initial.file says where boids start and how fast"
        ))
    }

    /// Keys that would act only beside others that are not given.
    pub(crate) fn about_inert<const D: usize>(&self, plan: &Plan<D>, warnings: &mut Vec<String>) {
        let document = &self.document;
        let mut inert: Vec<(String, String)> = Vec::new();
        for table in document.tables("drive") {
            self.about_drive(table, &mut inert);
        }
        for (key, _) in document.leaves() {
            let (section, last) = key.rsplit_once('.').unwrap_or(("", key));
            let number = |key: &str| document.number(&format!("{section}.{key}")).unwrap_or(0.0);
            let has = |key: &str| document.has(&format!("{section}.{key}"));
            let (all, half) = (number("field_of_view") == 360.0, number("cos_half_view"));
            let sees_all_round =
                all || !has("field_of_view") && (!has("cos_half_view") || half <= -1.0);
            let is_spawn = section == "spawn" || section.ends_with(".spawn");
            let is_body = section == "body" || section.ends_with(".body");
            let why = match last {
                "near_radius" if sees_all_round && document.number(key) != Some(0.0) => {
                    "where the rule sees all round"
                }
                "center" | "spacing" if is_spawn && !self.changes_start(plan, key) => {
                    "with the shape that is given"
                }
                "spread"
                    if is_spawn
                        && section != "spawn"
                        && !has("heading")
                        && !document.has("spawn.heading") =>
                {
                    "without a heading"
                }
                _ if is_body && plan.params.body.is_none() => "without [body]",
                _ if section == "avoidance" && plan.world.obstacles.is_empty() => {
                    "without obstacles"
                }
                "obstacle_x" | "obstacle_y" | "obstacle_z"
                    if section == "model" && number("obstacle_aversion_distance") == 0.0 =>
                {
                    "without model.obstacle_aversion_distance"
                }
                _ => continue,
            };
            inert.push((key.to_string(), why.to_string()));
        }
        let given = inert.into_iter().filter(|(key, _)| document.has(key));
        warnings.extend(
            given.map(|(key, why)| {
                format!("{}: {key} has no effect {why}", document.place_of(&key))
            }),
        );
    }

    /// The same of a drive's keys.
    fn about_drive(&self, table: &str, inert: &mut Vec<(String, String)>) {
        let document = &self.document;
        let path = |key: &str| format!("{table}.{key}");
        let has = |key: &str| document.has(&path(key));
        let kind = document.kind_of(table).unwrap_or_default();
        let is_road = document.text(&path("follow")) == Some("road");
        for (key, without) in [
            ("delay_sigma", "delay_median"),
            ("delay_gamma_shape", "delay_gamma_scale"),
            ("delay_weibull_shape", "delay_weibull_scale"),
        ] {
            if !has(without) {
                inert.push((path(key), format!("without {}", path(without))));
            }
        }
        match kind {
            "path" => {
                if !is_road {
                    inert.push((path("prediction_time"), "without follow = \"road\"".into()));
                }
                if is_road || document.flag(&path("looped")) == Some(true) {
                    let why = if is_road {
                        "on a road"
                    } else {
                        "where the first point follows the last"
                    };
                    inert.push((path("slowing_radius"), why.into()));
                }
            }
            "goal" if document.number(&path("arrival_radius")).unwrap_or(0.0) == 0.0 => {
                inert.push((path("on_arrival"), format!("without {}", path("arrival_radius"))));
            }
            _ => {}
        }
    }

    /// Whether another value of a number or point of a spawn changes where boids start, or would be
    /// refused.
    fn changes_start<const D: usize>(&self, plan: &Plan<D>, key: &str) -> bool {
        let mut other = self.document.clone();
        let Some(leaf) = other.leaf(key) else { return true };
        let changed = leaf.scaled(0.875);
        other.put(key, changed);
        let Ok(domain) = start::domain::<D>(&other, plan.count, plan.floor.as_ref()) else {
            return true;
        };
        let mut shares = vec![0; plan.groups.iter().map(|group| group.members.len()).sum()];
        for (species, boids) in plan.groups.iter().flat_map(|group| &group.members) {
            shares[species.get()] = boids.len();
        }
        let Ok(groups) = start::groups(&other, &domain, &shares, self.seed(), plan.floor.as_ref())
        else {
            return true;
        };
        let shape = |group: &start::Group<D>| group.spawn.shape;
        domain != plan.domain || groups.iter().map(shape).ne(plan.groups.iter().map(shape))
    }

    /// A plan that is of another unit than the boids: too large to be crossed, or smaller than a
    /// body.
    pub(crate) fn about_distance<const D: usize>(
        &self,
        plan: &Plan<D>,
        warnings: &mut Vec<String>,
    ) {
        let (Some(floor), params) = (&plan.floor, &plan.params) else { return };
        let [min, max] = floor.bounds();
        let sides = [max[0] - min[0], max[1] - min[1]];
        let (longest, shortest) =
            if sides[0] > sides[1] { (sides[0], sides[1]) } else { (sides[1], sides[0]) };
        let Some(speed) = largest_speed(params) else { return };
        let stride = as_written(f64::from(speed)) * as_written(f64::from(self.dt().get()));
        let (reach, steps) = (stride * self.steps() as f64, self.steps());
        let place = self.document.place_of_section("floor");
        if reach > 0.0 && longest > MOST_WAYS * reach {
            warnings.push(format!(
                "{place}: the floor is {} long, and at {speed} no boid gets further than {} in \
                    flock.steps = {steps}: is the plan in another unit (millimeters)? Scale it, or \
                    let boids walk for longer",
                plain(longest),
                plain(as_written(reach))
            ));
        }
        let width = 2.0 * f64::from(params.largest_body());
        if shortest < width || longest < stride {
            warnings.push(format!(
                "{place}: the floor is {} by {}, bodies are {} wide and go {} in a step: is the \
                    plan in another unit (degrees, kilometers)?",
                plain(sides[0]),
                plain(sides[1]),
                plain(as_written(width)),
                plain(as_written(stride))
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
    Some(if params.species.is_empty() {
        params.agent.max_speed
    } else {
        species.fold(0.0, math::max)
    })
}
