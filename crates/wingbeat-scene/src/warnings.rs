//! Settings that are accepted but look like mistakes: some contradict each other, some have no
//! effect.

use wingbeat::steer::Advance;
use wingbeat::steer::anticipation::Anticipation;
use wingbeat::steer::{Drive, DriveKind, Obstacle, Vector};
use wingbeat::{
    AgentLimits, Domain, Params, Perception, Rules, Shape,
    steer::{Boundary, Combine, FieldOfView, Model},
};

use crate::SceneError;
use crate::build::{Built, Machine, Plan};
use crate::dimension::by_dimension;
use crate::number::plain;
use crate::scene::Scene;
use crate::start::OwnGoal;
use crate::worlds::Ask;
use crate::worlds::outside::Placed;

mod passage;
mod reach;

/// Longest step of `power_law`, in units of its horizon: 0.02 s at the 3 s of the paper.
const POWER_LAW_DT: f32 = 1.0 / 150.0;

/// Warns of obstacles that move and leave no boid a place beside them.
fn about_obstacles<const D: usize>(plan: &Plan<D>, warnings: &mut Vec<String>) {
    let domain = &plan.domain;
    let fills = |obstacle: &&Obstacle<[f32; D]>| {
        let (low, high) = obstacle.shape.bounds();
        obstacle.motion.moves() && (0..D).all(|a| high[a] - low[a] >= f64::from(domain.side(a)))
    };
    let filling: Vec<_> = plan.world.obstacles.list.iter().filter(fills).collect();
    if let (false, Some(first)) = (domain.boundary == Boundary::Open, filling.first()) {
        let (name, count) = (&first.name, filling.len());
        warnings.push(format!(
            "obstacle {name} moves and is as large as the domain ({count} such): boids in its way \
                have nowhere to go, and steps are slow"
        ));
    }
}

/// The rules that a scene has: their section, weight and perception.
type NamedRules = Vec<(String, f32, Perception)>;

impl Scene {
    /// Builds the flock and gives it up again: refuses what a run would refuse, in the same words,
    /// and returns a line for every setting that is accepted but looks like a mistake.
    ///
    /// # Errors
    /// As [`build`](Scene::build).
    pub fn check(&self) -> Result<Vec<String>, SceneError> {
        Ok(self.check_with_notes()?.0)
    }

    /// The same, with what is done to an initial state beside: columns ignored, boids wrapped,
    /// values left at their default.
    ///
    /// # Errors
    /// As [`build`](Scene::build).
    pub fn check_with_notes(&self) -> Result<(Vec<String>, Vec<String>), SceneError> {
        self.check_turns()?;
        let machine = Machine { threads: Some(1), ..Machine::default() };
        let Built { warnings, notes, .. } = self.built(Ask::Whether, &machine)?;
        Ok((warnings, notes))
    }

    /// The same of settings alone, for a host that builds the flock itself: boids are placed only
    /// where drives lead them around obstacles, to see whether they can.
    ///
    /// # Errors
    /// As [`build`](Scene::build), but for what depends on where boids start.
    pub fn check_settings(&self) -> Result<Vec<String>, SceneError> {
        self.check_turns()?;
        by_dimension!(self, self.check_in::<2>(), self.check_in::<3>())
    }

    /// Refuses what ramps would make of the scene as its flock flies.
    pub(crate) fn check_turns(&self) -> Result<(), SceneError> {
        for scene in &self.at_turns()? {
            by_dimension!(scene, scene.check_in::<2>(), scene.check_in::<3>())?;
        }
        Ok(())
    }

    fn check_in<const D: usize>(&self) -> Result<Vec<String>, SceneError> {
        let plan = self.plan::<D>(Ask::Whether)?;
        let placed = if reach::has_ways(self, &plan) { self.placed(&plan)? } else { None };
        self.warnings(&plan, placed.as_ref())
    }

    /// A line for every setting that looks like a mistake. `placed` are the boids, where the plan
    /// has no state.
    pub(crate) fn warnings<const D: usize>(
        &self,
        plan: &Plan<D>,
        placed: Option<&Placed<D>>,
    ) -> Result<Vec<String>, SceneError> {
        let mut warnings = self.of_settings(plan);
        warnings.extend(self.about_initial(plan, false));
        self.about_inert(plan, &mut warnings);
        self.about_distance(plan, &mut warnings);
        reach::about_goals(self, plan, &mut warnings)
            .map_err(|refusal| self.document.refuse_param(refusal))?;
        passage::about_exits(self, plan, &mut warnings)
            .map_err(|refusal| self.document.refuse_param(refusal))?;
        let initial = self.initial(plan, placed);
        reach::about_sight(self, plan, &initial, &mut warnings)
            .map_err(|refusal| self.document.refuse_param(refusal))?;
        if reach::has_ways(self, plan) {
            reach::about_ways(self, plan, &initial, &mut warnings)?;
        }
        Ok(warnings)
    }

    fn of_settings<const D: usize>(&self, plan: &Plan<D>) -> Vec<String> {
        let params = self.params();
        let rules = rules_of(params);
        let mut warnings = Vec::new();
        for ramp in self.ramps().iter().filter(|ramp| self.document.is_override(&ramp.key)) {
            warnings.push(format!("{} has no effect: [ramp.{}] changes it", ramp.key, ramp.name));
        }
        let has_goals =
            plan.world.drives.iter().any(|drive| matches!(drive.kind, DriveKind::Goal(_)));
        if !has_goals && plan.groups.iter().any(|group| group.goal != OwnGoal::None) {
            let keys = self
                .document
                .leaves()
                .map(|(key, _)| key)
                .filter(|key| key.ends_with("spawn.goal"));
            let keys = keys.collect::<Vec<_>>().join(", ");
            warnings.push(format!("{keys} has no effect: the scene has no drive of the kind goal"));
        }
        about_response(params, &plan.world.drives, &mut warnings);
        self.about_anticipation(params, &mut warnings);
        about_obstacles(plan, &mut warnings);
        self.about_noise(&plan.world.drives, &mut warnings);
        if let Some(model) = &params.model {
            self.about_model(model, largest_coordinate(plan), &mut warnings);
            self.about_unused(params, &mut warnings);
            about_crowding(model.radius().unwrap_or(0.0), plan, &mut warnings);
            return warnings;
        }
        self.about_rules(params, &rules, &mut warnings);
        self.about_motion(params, &rules, largest_coordinate(plan), &mut warnings);
        self.about_contact(params, &mut warnings);
        self.about_walls(params, &plan.domain, &mut warnings);
        self.about_unused(params, &mut warnings);
        self.about_spawn(params, plan, &mut warnings);
        let largest = rules
            .iter()
            .fold(0.0, |r: f32, (_, _, sees)| if sees.radius > r { sees.radius } else { r });
        about_crowding(largest, plan, &mut warnings);
        warnings
    }

    /// Warns of keys of the anticipation that do nothing beside others, and of forces that steps
    /// are too long for.
    fn about_anticipation(&self, params: &Params, warnings: &mut Vec<String>) {
        let Some(model) = params.anticipation else { return };
        let (document, through) = (&self.document, &params.getting_through);
        let force = !model.is_velocity();
        let aside = |key| (key, through.side_step == 0.0, "without anticipation.side_step");
        let force_only = format!("with {}, which answers a force", model.name());
        for (key, unused, why) in [
            ("anticipation.haste", force, force_only.as_str()),
            (
                "anticipation.response",
                force && through.side_step == 0.0 && through.noise == 0.0,
                "without side_step or noise",
            ),
            aside("anticipation.side_step_time"),
            aside("anticipation.handedness"),
            ("anticipation.noise_time", through.noise == 0.0, "without anticipation.noise"),
        ] {
            if unused && document.has(key) {
                warnings.push(format!("{}: {key} has no effect {why}", document.place_of(key)));
            }
        }
        if let Anticipation::PowerLaw(power_law) = model {
            let (dt, longest) = (self.dt().get(), power_law.horizon * POWER_LAW_DT);
            if dt > longest {
                warnings.push(format!(
                    "flock.dt = {dt} is above {longest}, a hundred and fiftieth of \
                        anticipation.horizon: forces just before a touch are stiff, and streams \
                        jam that flow at {longest}"
                ));
            }
        }
    }

    /// Warns of noise that is drawn once a turn, and so depends on dt.
    fn about_noise<const D: usize>(&self, drives: &[Drive<[f32; D]>], warnings: &mut Vec<String>) {
        let turn = self.dt().get() * self.steer_every() as f32;
        for drive in drives {
            if let DriveKind::Noise(noise) = &drive.kind
                && noise.interval < turn
            {
                let (name, interval) = (&drive.name, noise.interval);
                warnings.push(format!(
                    "drive.{name}.interval = {interval} is below flock.dt·flock.steer_every = \
                        {turn}: boids draw once a turn, and how far they scatter depends on dt"
                ));
            }
        }
    }

    fn about_model(&self, model: &Model, coordinate: f32, warnings: &mut Vec<String>) {
        if model.advance() == Advance::Displace
            && self.document.has("flock.dt")
            && self.dt().get() != 1.0
        {
            let place = self.document.place_of("flock.dt");
            warnings.push(format!(
                "{place}: flock.dt has no effect on motion: a step of {} is a step, whatever dt",
                model.name()
            ));
        }
        // Models call it speed, jump or move_speed; it is the one parameter of theirs that is a
        // length by time.
        let Some(parameter) =
            model.parameters().iter().find(|parameter| parameter.unit == "length/time")
        else {
            return;
        };
        let name = format!("model.{}", parameter.key);
        let stride = model.get(parameter.key).unwrap_or(0.0) * self.dt().get();
        if let Some(radius) = model.radius()
            && stride > radius * 0.5
        {
            warnings.push(format!(
                "{name}·dt = {stride} is above half of the radius {radius}: boids outrun what they \
                    see; use a smaller dt"
            ));
        } else if let Some(radius) = model.radius()
            && stride * self.steer_every() as f32 > radius * 0.5
        {
            let turns = self.steer_every();
            warnings.push(format!(
                "{name}·dt = {stride} times flock.steer_every = {turns} is above half of the \
                    radius {radius}: boids outrun what they see between turns; use a smaller \
                    steer_every"
            ));
        }
        self.about_rounding(&name, stride, coordinate, warnings);
    }

    /// Warns where a step is so short, or so far from zero, that `f32` positions round most of it
    /// away.
    fn about_rounding(&self, name: &str, stride: f32, coordinate: f32, warnings: &mut Vec<String>) {
        let rounding = coordinate - coordinate.next_down();
        if stride > 0.0 && stride < 16.0 * rounding {
            warnings.push(format!(
                "{name}·dt = {stride} is below 16 rounding steps ({}) at the largest coordinate \
                    {}: boids there move by rounding; move the scene to domain.origin",
                plain(f64::from(16.0 * rounding)),
                plain(f64::from(coordinate))
            ));
        }
    }

    fn about_rules(&self, params: &Params, rules: &NamedRules, warnings: &mut Vec<String>) {
        let others =
            self.document.tables("drive").len() + self.document.tables("interaction").len();
        if rules.is_empty() && others == 0 {
            warnings.push(
                "no rules: boids fly straight on (add [separation], [alignment] or [cohesion])"
                    .into(),
            );
        }
        for (rule, weight, sees) in rules {
            if *weight == 0.0 {
                warnings.push(format!("{rule}.weight = 0: the rule costs time and does nothing"));
            }
            if let FieldOfView::Cone { cos_half } = sees.view
                && cos_half > 0.9998
                && sees.near_radius == 0.0
            {
                warnings.push(format!(
                    "{rule} sees almost none: its cone is narrower than 2.3 degrees"
                ));
            }
            if sees.near_radius > sees.radius {
                let (near, radius) = (sees.near_radius, sees.radius);
                warnings.push(format!(
                    "{rule}.near_radius = {near} is above {rule}.radius = \
                    {radius}: it sees all round"
                ));
            }
            if let (Some(own), Some(cap)) = (sees.nearest, params.max_neighbors)
                && own > cap
            {
                warnings.push(format!(
                    "{rule}.nearest = {own} is above neighborhood.k = {cap}: the smaller holds"
                ));
            }
        }
        warnings.extend(params.rules.advice());
    }

    fn about_motion(
        &self,
        params: &Params,
        rules: &NamedRules,
        coordinate: f32,
        warnings: &mut Vec<String>,
    ) {
        for (at, agent) in limits_of(params) {
            let (name, speed) = match params.combine {
                Combine::Direction(cruise) => {
                    ("agent.cruise_speed".to_string(), cruise.cruise_speed)
                }
                _ => (format!("{at}.max_speed"), agent.max_speed),
            };
            // A species' speed concerns its own rules only.
            let own = at.strip_suffix("agent").unwrap_or("");
            let of_own = rules.iter().filter(|(rule, ..)| own.is_empty() || rule.starts_with(own));
            self.about_stride(&name, speed * self.dt().get(), of_own, coordinate, warnings);
            // A model of anticipation says what velocity comes of the force.
            let by_velocity = params.anticipation.is_some_and(|model| model.is_velocity());
            if !matches!(params.combine, Combine::Direction(_)) && !by_velocity {
                self.about_turns(&at, &agent, warnings);
            }
        }
    }

    fn about_stride<'a>(
        &self,
        name: &str,
        stride: f32,
        rules: impl Iterator<Item = &'a (String, f32, Perception)>,
        coordinate: f32,
        warnings: &mut Vec<String>,
    ) {
        for (rule, _, sees) in rules {
            if stride > sees.radius * 0.5 {
                let radius = sees.radius;
                warnings.push(format!(
                    "{name}·dt = {stride} is above half of {rule}.radius = {radius}: boids outrun \
                        what they see; use a smaller dt"
                ));
            } else if stride * self.steer_every() as f32 > sees.radius * 0.5 {
                let (turns, radius) = (self.steer_every(), sees.radius);
                warnings.push(format!(
                    "{name}·dt = {stride} times flock.steer_every = {turns} is above half of \
                        {rule}.radius = {radius}: boids outrun what they see between turns; use a \
                        smaller steer_every"
                ));
            }
        }
        self.about_rounding(name, stride, coordinate, warnings);
    }

    fn about_turns(&self, at: &str, agent: &AgentLimits, warnings: &mut Vec<String>) {
        let change = agent.max_force / agent.mass * self.dt().get();
        if agent.min_speed > 0.9 * agent.max_speed && change > agent.max_speed {
            warnings.push(format!(
                "{at}.min_speed = {} is close to {at}.max_speed = {} while max_force turns a boid \
                    about within one step: headings will jitter",
                agent.min_speed, agent.max_speed
            ));
        } else if agent.max_speed > 0.0 && change > 2.0 * agent.max_speed {
            warnings.push(format!(
                "{at}.max_force·dt/mass = {change} is above twice {at}.max_speed = {}: one step \
                    can turn any boid right round",
                agent.max_speed
            ));
        }
        for (key, limit) in [("max_speed", agent.max_speed), ("max_force", agent.max_force)] {
            if limit == 0.0 {
                warnings.push(format!("{at}.{key} = 0: no boid is steered anywhere"));
            }
        }
    }

    fn about_walls<const D: usize>(
        &self,
        params: &Params,
        domain: &Domain<[f32; D]>,
        warnings: &mut Vec<String>,
    ) {
        let Boundary::Walled { margin, strength } = domain.boundary else { return };
        if margin == 0.0 || strength == 0.0 {
            warnings.push(format!(
                "domain.margin = {margin}, domain.strength = {strength}: the walls \
                    do not push, they only stop"
            ));
        }
        if (0..D).any(|a| margin > domain.side(a) * 0.5) {
            warnings.push(format!(
                "domain.margin = {margin} is above half the box: every boid is pushed everywhere"
            ));
        }
        // Flying head-on, a boid of speed v stops within the margin if mass·v²/2 is at most the
        // work of the push, which grows linearly to its strength: strength·margin/2.
        let needed = limits_of(params)
            .into_iter()
            .map(|(_, agent)| agent.mass * agent.max_speed * agent.max_speed);
        let most = needed.fold(0.0, |most, x| if x > most { x } else { most });
        let stops = strength * margin >= most;
        if margin > 0.0
            && strength > 0.0
            && !stops
            && !matches!(params.combine, Combine::Direction(_))
        {
            warnings.push(format!(
                "domain.strength·margin = {} is below mass·max_speed² = {}: a boid at full speed \
                    reaches the wall",
                plain(f64::from(strength * margin)),
                plain(f64::from(most))
            ));
        }
    }

    fn about_unused(&self, params: &Params, warnings: &mut Vec<String>) {
        let direction = matches!(params.combine, Combine::Direction(_));
        let unused: &[&str] = if direction {
            &["agent.max_force", "agent.mass", "agent.min_speed"]
        } else {
            &["agent.cruise_speed", "agent.smoothing_rate", "agent.stop_when_alone"]
        };
        let document = &self.document;
        for key in unused.iter().filter(|key| document.has(key)) {
            warnings.push(format!(
                "{}: {key} has no effect with this agent.combine",
                document.place_of(key)
            ));
        }
        let kind = document.text("domain.kind").unwrap_or(document.usual_domain());
        if kind != "walled" {
            for key in ["domain.margin", "domain.strength"].iter().filter(|key| document.has(key)) {
                warnings.push(format!(
                    "{}: {key} has no effect: domain.kind is {kind}",
                    document.place_of(key)
                ));
            }
        }
        if document.has("neighborhood.k") && params.max_neighbors.is_none() {
            let place = document.place_of("neighborhood.k");
            warnings.push(format!(
                "{place}: neighborhood.k has no effect: neighborhood.kind is metric"
            ));
        }
        if document.has("spawn.spread") && !document.has("spawn.heading") {
            warnings.push(format!(
                "{}: spawn.spread has no effect without spawn.heading",
                document.place_of("spawn.spread")
            ));
        }
    }

    fn about_spawn<const D: usize>(
        &self,
        params: &Params,
        plan: &Plan<D>,
        warnings: &mut Vec<String>,
    ) {
        let limited =
            !matches!(params.combine, Combine::Direction(_)) && !self.document.has("initial.file");
        let limits = limits_of(params);
        for group in plan.groups.iter().filter(|_| limited) {
            let (speed, key) = (group.spawn.speed, &group.speed_key);
            for (at, agent) in
                group.members.iter().filter_map(|(species, _)| limits.get(species.get()))
            {
                if speed < agent.min_speed || speed > agent.max_speed {
                    warnings.push(format!(
                        "{key} = {speed} lies outside {at}.min_speed = {} to {at}.max_speed = {}: \
                            the first step changes it",
                        agent.min_speed, agent.max_speed
                    ));
                }
            }
        }
    }
}

fn rules_of(params: &Params) -> NamedRules {
    let named = |start: String, rules: &Rules| {
        rules
            .iter()
            .map(|rule| (format!("{start}{}", rule.name()), rule.weight, rule.perception))
            .collect::<NamedRules>()
    };
    let of_species = params.species.iter();
    let of_species = of_species.flat_map(|one| named(format!("species.{}.", one.name), &one.rules));
    named(String::new(), &params.rules).into_iter().chain(of_species).collect()
}

/// The limits of the flock, or of every species, each with the section of its keys.
fn limits_of(params: &Params) -> Vec<(String, AgentLimits)> {
    if params.species.is_empty() {
        return vec![("agent".to_string(), params.agent)];
    }
    params
        .species
        .iter()
        .map(|species| (format!("species.{}.agent", species.name), species.agent))
        .collect()
}

/// The largest coordinate boids start at.
fn largest_coordinate<const D: usize>(plan: &Plan<D>) -> f32 {
    let corners = plan.groups.iter().flat_map(|group| <[_; 2]>::from(group.spawn.shape.bounds()));
    let largest = |m: f32, p: [f32; D]| if p.largest() > m { p.largest() } else { m };
    let boids = plan.positions().fold(0.0, largest);
    if boids > 0.0 { boids } else { corners.fold(0.0, largest) }
}

/// Warns of drives that want more than the velocity they are for: a preferred velocity is v +
/// F/mass·response.
fn about_response<const D: usize>(
    params: &Params,
    drives: &[Drive<[f32; D]>],
    warnings: &mut Vec<String>,
) {
    if !params.anticipation.is_some_and(|model| model.is_velocity()) {
        return;
    }
    let response = params.getting_through.response;
    for drive in drives {
        let mass = params.common_limits(drive.species.unwrap_or_default()).mass;
        let part = drive.weight / mass * response;
        let wants_velocity = match &drive.kind {
            DriveKind::Goal(_) | DriveKind::Path(_) => true,
            DriveKind::Flow(flow) => !flow.raw,
            _ => false,
        };
        if wants_velocity && part > 1.0 {
            warnings.push(format!(
                "drive.{}.weight/mass·anticipation.response = {part} is above 1: boids prefer to \
                    go beyond the velocity it leads to, and sway (from 2 on for good)",
                drive.name
            ));
        }
    }
}

/// Warns where boids start with hundreds of neighbors in range, which makes steps slow.
fn about_crowding<const D: usize>(radius: f32, plan: &Plan<D>, warnings: &mut Vec<String>) {
    for group in &plan.groups {
        let Shape::Box { min, max } = group.spawn.shape else { continue };
        let volume: f64 = (0..D).map(|a| f64::from(max[a]) - f64::from(min[a])).product();
        let radius = f64::from(radius);
        let reach =
            std::f64::consts::PI * radius * radius * if D == 3 { radius * 4.0 / 3.0 } else { 1.0 };
        let expected = group.count() as f64 * if reach < volume { reach / volume } else { 1.0 };
        if expected > 300.0 {
            warnings.push(format!(
                "about {expected:.0} neighbors in range of each boid at the \
                start: steps will be slow"
            ));
        }
    }
}
