//! An explanation without its dimension: what `--json` prints, and what the page for people is set from.

use serde::Serialize;
use wingbeat::steer::model::EVERYONE;
use wingbeat::steer::{Advanced, Decision, Limit, Made, Neighborhood, RuleParts, Seen, TermParts, Turn, Vector};
use wingbeat::{Combine, Explanation, Perception, Response, Term, TimeStep, View};

/// Everything there is to say; its fields are the keys of `--json`, which scripts rely on. Vectors have a number for each
/// dimension; numbers have as many digits as bring the `f32` back.
#[derive(Debug, Serialize)]
pub struct Page {
    pub scene: String,
    pub boid: u64,
    /// Steps made before the decision.
    pub step: u64,
    pub dt: f32,
    /// In the engine's coordinates; add `origin` for the scene's.
    pub position: Vec<f32>,
    pub origin: Vec<f64>,
    pub velocity: Vec<f32>,
    pub heading: Vec<f32>,
    pub at_rest: bool,
    pub turn: TurnOf,
    pub decision: DecisionOf,
    /// What counts in the step.
    pub steering: Vec<f32>,
    pub advance: AdvanceOf,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TurnOf {
    EveryStep,
    Due { every: u32 },
    Holds { every: u32, force: Vec<f32>, steps_left: u32 },
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DecisionOf {
    Terms { combine: &'static str, terms: Vec<TermOf>, sum: Vec<f32>, cut_to: Option<f32>, steering: Vec<f32> },
    Model { name: &'static str, sees: SeesOf, wanted: Vec<f32>, walls: Option<Vec<f32>>, steering: Vec<f32> },
}

#[derive(Debug, Serialize)]
pub struct TermOf {
    pub term: String,
    /// `null` of walls.
    pub sees: Option<SeesOf>,
    /// The three rules only.
    pub rule: Option<RuleOf>,
    pub weighted: Vec<f32>,
    pub budget: Option<f32>,
    pub served: f32,
    pub taken: Vec<f32>,
}

#[derive(Debug, Serialize)]
pub struct RuleOf {
    pub sum: Vec<f32>,
    pub included: Option<Vec<f32>>,
    pub mean: Option<Vec<f32>>,
    pub subtracted: Option<Vec<f32>>,
    pub parting: Option<Vec<f32>>,
    pub wanted: Vec<f32>,
    pub response_kind: &'static str,
    pub response: Vec<f32>,
    pub weight: f32,
}

#[derive(Debug, Serialize)]
pub struct SeesOf {
    /// `null`: it looks at everyone, however far.
    pub radius: Option<f32>,
    /// Cosine of half the field of view; `null`: all round.
    pub cos_half_view: Option<f32>,
    pub near_radius: f32,
    pub nearest: Option<u32>,
    pub out_of_sight: usize,
    pub beyond_cap: usize,
    pub neighbors: Vec<NeighborOf>,
}

#[derive(Debug, Serialize)]
pub struct NeighborOf {
    pub id: u64,
    pub offset: Vec<f32>,
    pub distance: f32,
    /// Degrees from the heading; `null` where there is none, or nowhere to look.
    pub angle: Option<f32>,
    pub velocity: Vec<f32>,
    pub coincident: bool,
    pub only_near: bool,
    pub adds: Option<Vec<f32>>,
}

#[derive(Debug, Serialize)]
pub struct AdvanceOf {
    pub acceleration: Option<Vec<f32>>,
    pub wanted_velocity: Vec<f32>,
    pub limit: &'static str,
    /// The limit's number: a speed, a part of the way.
    pub limit_value: Option<f32>,
    pub limited_velocity: Vec<f32>,
    pub moved_to: Vec<f32>,
    /// For each axis, whether the domain's edge had a say.
    pub met_edge: Vec<bool>,
    pub position: Vec<f32>,
    pub velocity: Vec<f32>,
}

impl Page {
    pub fn new<const D: usize>(scene: &str, why: &Explanation<D>, dt: TimeStep, origin: &[f64]) -> Self
    where
        [f32; D]: Vector,
    {
        Self {
            scene: scene.to_string(),
            boid: why.boid.id,
            step: why.step,
            dt: dt.get(),
            position: why.boid.position.to_vec(),
            origin: origin.to_vec(),
            velocity: why.boid.velocity.to_vec(),
            heading: why.heading().to_vec(),
            at_rest: why.at_rest(),
            turn: match why.turn {
                Turn::EveryStep => TurnOf::EveryStep,
                Turn::Due { every } => TurnOf::Due { every },
                Turn::Holds { every, force, steps_left } => TurnOf::Holds { every, force: force.to_vec(), steps_left },
            },
            decision: decision(why),
            steering: why.steering.to_vec(),
            advance: advance(&why.advance(dt)),
        }
    }

    /// One JSON object.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

fn decision<const D: usize>(why: &Explanation<D>) -> DecisionOf
where
    [f32; D]: Vector,
{
    match &why.decision {
        Decision::Terms(combined) => DecisionOf::Terms {
            combine: match combined.combine {
                Combine::Weighted => "weighted",
                Combine::Prioritized => "prioritized",
                Combine::Direction(_) => "direction",
            },
            terms: combined.terms.iter().map(|part| term(why, part)).collect(),
            sum: combined.sum.to_vec(),
            cut_to: combined.cut_to,
            steering: combined.steering.to_vec(),
        },
        Decision::Model(followed) => DecisionOf::Model {
            name: followed.model.name(),
            sees: sees(why, &followed.sees),
            wanted: followed.wanted.to_vec(),
            walls: followed.walls.map(|walls| walls.to_vec()),
            steering: followed.steering.to_vec(),
        },
    }
}

fn term<const D: usize>(why: &Explanation<D>, part: &TermParts<[f32; D]>) -> TermOf
where
    [f32; D]: Vector,
{
    let params = why.params();
    let (name, response) = match part.term {
        Term::Separation => ("separation".to_string(), params.separation.map(|rule| rule.response)),
        Term::Alignment => ("alignment".to_string(), params.alignment.map(|rule| rule.response)),
        Term::Cohesion => ("cohesion".to_string(), params.cohesion.map(|rule| rule.response)),
        Term::Rule(place) => (format!("rule[{place}]"), None),
        Term::Walls => ("walls".to_string(), None),
    };
    TermOf {
        term: name,
        sees: part.sees().map(|seen| sees(why, seen)),
        rule: match &part.made {
            Made::Rule(parts) => Some(rule(parts, response.unwrap_or_default())),
            Made::Host { .. } | Made::Walls(_) => None,
        },
        weighted: part.weighted.to_vec(),
        budget: part.budget,
        served: part.served,
        taken: part.taken.to_vec(),
    }
}

fn rule<const D: usize>(parts: &RuleParts<[f32; D]>, response: Response) -> RuleOf {
    let list = |v: Option<[f32; D]>| v.map(|v| v.to_vec());
    RuleOf {
        sum: parts.sum.to_vec(),
        included: list(parts.included),
        mean: list(parts.mean),
        subtracted: list(parts.subtracted),
        parting: list(parts.parting),
        wanted: parts.wanted.to_vec(),
        response_kind: match response {
            Response::Raw => "raw",
            Response::Unit => "unit",
            Response::Steer => "steer",
            Response::Flee => "flee",
        },
        response: parts.response.to_vec(),
        weight: parts.weight,
    }
}

fn sees<const D: usize>(why: &Explanation<D>, seen: &Neighborhood<[f32; D]>) -> SeesOf
where
    [f32; D]: Vector,
{
    let Perception { radius, view, near_radius, nearest } = seen.perception;
    let heading = why.heading();
    let neighbor = |seen: &Seen<[f32; D]>| NeighborOf {
        id: seen.id,
        offset: seen.offset.to_vec(),
        distance: seen.distance,
        angle: seen.angle_from(heading),
        velocity: seen.velocity.to_vec(),
        coincident: seen.coincident,
        only_near: seen.only_near,
        adds: seen.adds.map(|adds| adds.to_vec()),
    };
    SeesOf {
        radius: (radius < EVERYONE).then_some(radius),
        cos_half_view: match view {
            View::All => None,
            View::Cone { cos_half } => Some(cos_half),
        },
        near_radius,
        nearest,
        out_of_sight: seen.out_of_sight,
        beyond_cap: seen.beyond_cap,
        neighbors: seen.neighbors.iter().map(neighbor).collect(),
    }
}

fn advance<const D: usize>(advanced: &Advanced<[f32; D]>) -> AdvanceOf
where
    [f32; D]: Vector,
{
    let (limit, limit_value) = match advanced.limit {
        Limit::Untouched => ("none", None),
        Limit::SlowedTo(speed) => ("max_speed", Some(speed)),
        Limit::SpedUpTo(speed) => ("min_speed", Some(speed)),
        Limit::WentOnAt(speed) => ("min_speed_onwards", Some(speed)),
        Limit::SetOffAt(speed) => ("min_speed_from_rest", Some(speed)),
        Limit::Eased(part) => ("smoothing", Some(part)),
        Limit::Kept => ("kept", None),
        Limit::Clamped(range) => ("range", Some(range)),
        Limit::Turned => ("turning_rate", None),
        Limit::Leant(part) => ("leaning", Some(part)),
    };
    AdvanceOf {
        acceleration: advanced.acceleration.map(|acceleration| acceleration.to_vec()),
        wanted_velocity: advanced.wanted.to_vec(),
        limit,
        limit_value,
        limited_velocity: advanced.limited.to_vec(),
        moved_to: advanced.moved.to_vec(),
        met_edge: (0..D).map(|axis| advanced.met_edge(axis)).collect(),
        position: advanced.position.to_vec(),
        velocity: advanced.velocity.to_vec(),
    }
}
