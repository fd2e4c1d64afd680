//! An explanation without its dimension: what `--json` prints, and what the page for people is set from.

use serde::Serialize;
use wingbeat::steer::model::EVERYONE;
use wingbeat::steer::{Advanced, Decision, Limit, Made, Neighborhood, RuleParts, Seen, TermParts, Turn};
use wingbeat::{BoidId, Combine, Explanation, FieldOfView, FlockError, Perception, Response, Term, TimeStep};
use wingbeat_scene::AnyFlock;

/// Everything there is to say; its fields are the keys of `--json`, which scripts rely on. Vectors have a number for each
/// dimension; numbers have as many digits as bring the `f32` back.
#[derive(Debug, Serialize)]
pub struct Page {
    /// Name of the scene.
    pub scene: String,
    /// Id of the boid.
    pub boid: u64,
    /// Steps made before the decision.
    pub step: u64,
    /// Time the step covers.
    pub dt: f32,
    /// In the engine's coordinates; add `origin` for the scene's.
    pub position: Vec<f32>,
    /// Where the scene's zero lies in the world.
    pub origin: Vec<f64>,
    /// Before the step.
    pub velocity: Vec<f32>,
    /// Unit vector along the velocity; zeros at rest.
    pub heading: Vec<f32>,
    /// Whether it has no heading, and so sees all round.
    pub at_rest: bool,
    /// Whether it steers in this step.
    pub turn: TurnOf,
    /// What it would like to do, in parts.
    pub decision: DecisionOf,
    /// What counts in the step.
    pub steering: Vec<f32>,
    /// What the step makes of that.
    pub advance: AdvanceOf,
}

/// Whether a boid steers in this step.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TurnOf {
    /// Everyone does.
    EveryStep,
    /// It is its turn.
    Due {
        /// Steps from turn to turn.
        every: u32,
    },
    /// It is not, and goes on with the force of its last turn.
    Holds {
        /// Steps from turn to turn.
        every: u32,
        /// What it goes on with.
        force: Vec<f32>,
        /// Steps until its turn.
        steps_left: u32,
    },
}

/// A decision in parts.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DecisionOf {
    /// Of rules and walls.
    Terms {
        /// `weighted`, `prioritized` or `direction`.
        combine: &'static str,
        /// In the order they are taken.
        terms: Vec<TermOf>,
        /// Of all of them.
        sum: Vec<f32>,
        /// max_force, where it cut the sum.
        cut_to: Option<f32>,
        /// What is left.
        steering: Vec<f32>,
    },
    /// Of a whole model.
    Model {
        /// As a scene has it.
        name: &'static str,
        /// Whom it looks at.
        sees: SeesOf,
        /// What the model says.
        wanted: Vec<f32>,
        /// The push of the walls, if it feels one.
        walls: Option<Vec<f32>>,
        /// Both.
        steering: Vec<f32>,
    },
}

/// One term of a sum.
#[derive(Debug, Serialize)]
pub struct TermOf {
    /// `separation`, `alignment`, `cohesion`, `obstacles`, `walls`, or `rule[N]` of the host.
    pub term: String,
    /// `null` of obstacles and walls.
    pub sees: Option<SeesOf>,
    /// The three rules only.
    pub rule: Option<RuleOf>,
    /// Weight times response.
    pub weighted: Vec<f32>,
    /// What was left of max_force when its turn came, under `prioritized`.
    pub budget: Option<f32>,
    /// The part of it that was granted; 1 is all.
    pub served: f32,
    /// What enters the sum.
    pub taken: Vec<f32>,
}

/// A rule's numbers, in the order of MODEL.md.
#[derive(Debug, Serialize)]
pub struct RuleOf {
    /// Over the neighbors.
    pub sum: Vec<f32>,
    /// The own value, where it is part of the mean.
    pub included: Option<Vec<f32>>,
    /// The sum over its count.
    pub mean: Option<Vec<f32>>,
    /// The own value, where it is subtracted.
    pub subtracted: Option<Vec<f32>>,
    /// The push by hash from who stands on the boid.
    pub parting: Option<Vec<f32>>,
    /// What the response is made of.
    pub wanted: Vec<f32>,
    /// `raw`, `unit`, `steer` or `flee`.
    pub response_kind: &'static str,
    /// What is made of it.
    pub response: Vec<f32>,
    /// Factor on the response.
    pub weight: f32,
}

/// Whom a rule or model looks at.
#[derive(Debug, Serialize)]
pub struct SeesOf {
    /// `null`: it looks at everyone, however far.
    pub radius: Option<f32>,
    /// Cosine of half the field of view; `null`: all round.
    pub cos_half_view: Option<f32>,
    /// Within this it sees at any angle.
    pub near_radius: f32,
    /// At most so many count.
    pub nearest: Option<u32>,
    /// In range, out of sight.
    pub out_of_sight: usize,
    /// In range and sight, beyond the nearest that count.
    pub beyond_cap: usize,
    /// Those who count, in slot order.
    pub neighbors: Vec<NeighborOf>,
}

/// One neighbor.
#[derive(Debug, Serialize)]
pub struct NeighborOf {
    /// Who.
    pub id: u64,
    /// The way to it.
    pub offset: Vec<f32>,
    /// Length of the offset.
    pub distance: f32,
    /// Degrees from the heading; `null` where there is none, or nowhere to look.
    pub angle: Option<f32>,
    /// Its velocity.
    pub velocity: Vec<f32>,
    /// Whether it stands on the boid.
    pub coincident: bool,
    /// Whether it is seen only for being within the near radius.
    pub only_near: bool,
    /// What it adds to the rule's sum.
    pub adds: Option<Vec<f32>>,
}

/// From steering to velocity to position.
#[derive(Debug, Serialize)]
pub struct AdvanceOf {
    /// Force over mass, where steering is a force.
    pub acceleration: Option<Vec<f32>>,
    /// What it would fly at without limits.
    pub wanted_velocity: Vec<f32>,
    /// Which limit changed that; docs/EXPLAIN.md lists them.
    pub limit: &'static str,
    /// The limit's number: a speed, a part of the way.
    pub limit_value: Option<f32>,
    /// After the limit.
    pub limited_velocity: Vec<f32>,
    /// Where that leads.
    pub moved_to: Vec<f32>,
    /// For each axis, whether the domain's edge had a say.
    pub met_edge: Vec<bool>,
    /// After the domain's edge had its say.
    pub position: Vec<f32>,
    /// After the step.
    pub velocity: Vec<f32>,
}

impl Page {
    /// The page of an explanation.
    pub fn new<const D: usize>(scene: &str, why: &Explanation<D>, dt: TimeStep, origin: &[f64]) -> Self {
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

    /// The page of a boid of a scene's flock as it is now: of its decision in the next step.
    ///
    /// # Errors
    /// When there is no boid of this id.
    pub fn of(flock: &mut AnyFlock, id: u64, scene: &str, dt: TimeStep, origin: &[f64]) -> Result<Self, FlockError> {
        let id = BoidId::new(id);
        Ok(match flock {
            AnyFlock::Two(flock) => Self::new(scene, &flock.explain(id)?, dt, origin),
            AnyFlock::Three(flock) => Self::new(scene, &flock.explain(id)?, dt, origin),
        })
    }

    /// One JSON object, on many lines.
    ///
    /// # Errors
    /// None in practice: numbers and texts can always be written.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

fn decision<const D: usize>(why: &Explanation<D>) -> DecisionOf {
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

fn term<const D: usize>(why: &Explanation<D>, part: &TermParts<[f32; D]>) -> TermOf {
    let (separation, alignment, cohesion) = why.params().rules_of(why.traits().species);
    let (name, response) = match part.term {
        Term::Separation => ("separation".to_string(), separation.map(|rule| rule.response)),
        Term::Alignment => ("alignment".to_string(), alignment.map(|rule| rule.response)),
        Term::Cohesion => ("cohesion".to_string(), cohesion.map(|rule| rule.response)),
        Term::Interactions => ("interactions".to_string(), None),
        Term::Rule(place) => (format!("rule[{place}]"), None),
        Term::Drive(place) => (format!("drive[{place}]"), None),
        Term::Obstacles => ("obstacles".to_string(), None),
        Term::Walls => ("walls".to_string(), None),
        other => (format!("{other:?}").to_lowercase(), None),
    };
    TermOf {
        term: name,
        sees: part.sees().map(|seen| sees(why, seen)),
        rule: match &part.made {
            Made::Rule(parts) => Some(rule(parts, response.unwrap_or_default())),
            _ => None,
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

fn sees<const D: usize>(why: &Explanation<D>, seen: &Neighborhood<[f32; D]>) -> SeesOf {
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
            FieldOfView::All => None,
            FieldOfView::Cone { cos_half } => Some(cos_half),
        },
        near_radius,
        nearest,
        out_of_sight: seen.out_of_sight,
        beyond_cap: seen.beyond_cap,
        neighbors: seen.neighbors.iter().map(neighbor).collect(),
    }
}

fn advance<const D: usize>(advanced: &Advanced<[f32; D]>) -> AdvanceOf {
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
        _ => ("other", None),
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
