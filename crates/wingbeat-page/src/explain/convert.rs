//! From the engine's explanation, of either dimension, to plain data.

use wingbeat::steer::model::EVERYONE;
use wingbeat::steer::{Advanced, Decision, Joined, Limit, Made, Neighborhood, RuleParts, Seen, TermParts, Turn};
use wingbeat::{BoidId, Combine, Explanation, FieldOfView, FlockError, Perception, Response, Term, TimeStep};
use wingbeat_scene::AnyFlock;

use super::data::{AdvanceData, DecisionData, ExplanationData, NeighborData, RuleData, SightData, TermData, TurnData};

impl ExplanationData {
    /// An explanation as plain data; `origin` is where the scene's zero lies in the world.
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
                Turn::EveryStep => TurnData::EveryStep,
                Turn::Due { every } => TurnData::Due { every },
                Turn::Holds { every, force, steps_left } => TurnData::Holds { every, force: force.to_vec(), steps_left },
            },
            decision: decision(why),
            steering: why.steering.to_vec(),
            advance: advance(&why.advance(dt)),
        }
    }

    /// Explains what a boid of a scene's flock will do in the next step.
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

fn decision<const D: usize>(why: &Explanation<D>) -> DecisionData {
    match &why.decision {
        Decision::Terms(combined) => DecisionData::Terms {
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
        Decision::Model(followed) => DecisionData::Model {
            name: followed.model.name(),
            sees: sees(why, &followed.sees),
            wanted: followed.wanted.to_vec(),
            walls: followed.terms.iter().find(|part| part.term == Term::Walls).map(|part| part.weighted.to_vec()),
            terms: followed.terms.iter().map(|part| term(why, part)).collect(),
            sum: followed.sum.to_vec(),
            joined: match followed.joined {
                Joined::Alone => "alone",
                Joined::Sum => "sum",
                Joined::Direction => "direction",
                Joined::Velocity(_) => "velocity",
                Joined::Kept => "kept",
                _ => "other",
            },
            speed: if let Joined::Velocity(speed) = followed.joined { Some(speed) } else { None },
            steering: followed.steering.to_vec(),
        },
    }
}

fn term<const D: usize>(why: &Explanation<D>, part: &TermParts<[f32; D]>) -> TermData {
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
    TermData {
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

fn rule<const D: usize>(parts: &RuleParts<[f32; D]>, response: Response) -> RuleData {
    let list = |v: Option<[f32; D]>| v.map(|v| v.to_vec());
    RuleData {
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

fn sees<const D: usize>(why: &Explanation<D>, seen: &Neighborhood<[f32; D]>) -> SightData {
    let Perception { radius, view, near_radius, nearest } = seen.perception;
    let heading = why.heading();
    let neighbor = |seen: &Seen<[f32; D]>| NeighborData {
        id: seen.id,
        offset: seen.offset.to_vec(),
        distance: seen.distance,
        angle: seen.angle_from(heading),
        velocity: seen.velocity.to_vec(),
        coincident: seen.coincident,
        only_near: seen.only_near,
        adds: seen.adds.map(|adds| adds.to_vec()),
    };
    SightData {
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

fn advance<const D: usize>(advanced: &Advanced<[f32; D]>) -> AdvanceData {
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
    AdvanceData {
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
