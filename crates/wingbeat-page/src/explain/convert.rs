//! From the engine's explanation, of either dimension, to plain data.

use wingbeat::steer::anticipation::Answer;
use wingbeat::steer::drive::DriveParts;
use wingbeat::steer::model::EVERYONE;
use wingbeat::steer::obstacle::Threat;
use wingbeat::steer::{
    Decision, Integrated, Limit, Neighborhood, RuleParts, Seen, Target, TermParts, TermSource,
    TermSum, Turn,
};
use wingbeat::{
    BoidId, Boundary, Combine, Explanation, FieldOfView, Flock, FlockError, InteractionKind,
    Perception, Term, TimeStep,
};
use wingbeat_scene::AnyFlock;

use super::data::{
    AdvanceData, AnticipationData, DecisionData, DriveData, ExplanationData, HinderedData,
    InteractionData, NeighborData, ObstacleData, RuleData, SightData, StaminaData, TermData,
    TurnData,
};
use super::sentence::sentence;

impl ExplanationData {
    /// Explains what a boid of a scene's flock will do in the next step; `origin` is where the
    /// scene's zero lies in the world.
    ///
    /// # Errors
    /// When there is no boid of this id.
    pub fn of(
        flock: &mut AnyFlock,
        id: u64,
        scene: &str,
        dt: TimeStep,
        origin: &[f64],
    ) -> Result<Self, FlockError> {
        let id = BoidId::new(id);
        Ok(match flock {
            AnyFlock::Two(flock) => Self::new(&flock.explain(id)?, flock, scene, dt, origin),
            AnyFlock::Three(flock) => Self::new(&flock.explain(id)?, flock, scene, dt, origin),
        })
    }

    /// An explanation as plain data, with the names that its flock knows.
    fn new<const D: usize>(
        why: &Explanation<D>,
        flock: &Flock<D>,
        scene: &str,
        dt: TimeStep,
        origin: &[f64],
    ) -> Self {
        let own = why.traits();
        let stamina = why.params().species.get(own.species).and_then(|species| species.stamina);
        let mut page = Self {
            scene: scene.to_string(),
            boid: why.boid.id,
            step: why.step,
            sentence: String::new(),
            species: species_name(flock, own.species),
            stamina: stamina.map(|stamina| StaminaData {
                left: stamina.capacity - own.spent,
                capacity: stamina.capacity,
                resting: own.resting,
            }),
            dt: dt.get(),
            position: why.boid.position.to_vec(),
            origin: origin.to_vec(),
            velocity: why.boid.velocity.to_vec(),
            heading: why.heading().to_vec(),
            at_rest: why.at_rest(),
            turn: match why.turn {
                Turn::EveryStep => TurnData::EveryStep,
                Turn::Due { every } => TurnData::Due { every },
                Turn::Holds { every, force, steps_left } => {
                    TurnData::Holds { every, force: force.to_vec(), steps_left }
                }
            },
            decision: decision(why, flock),
            steering: why.steering.to_vec(),
            advance: advance(&why.advance(dt), flock),
        };
        page.sentence = sentence(&page, why.params().model.as_ref());
        page
    }

    /// One JSON object, on many lines.
    ///
    /// # Errors
    /// None in practice: numbers and texts can always be written.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

fn decision<const D: usize>(why: &Explanation<D>, flock: &Flock<D>) -> DecisionData {
    match &why.decision {
        Decision::Terms(combined) => DecisionData::Terms {
            combine: match combined.combine {
                Combine::Weighted => "weighted",
                Combine::Prioritized => "prioritized",
                Combine::Direction(_) => "direction",
            },
            terms: combined.terms.iter().map(|part| term(why, flock, part)).collect(),
            sum: combined.sum.to_vec(),
            cut_to: combined.cut_to,
            steering: combined.steering.to_vec(),
        },
        Decision::Model(followed) => DecisionData::Model {
            name: followed.model.name(),
            sees: sees(why, flock, &followed.sees),
            wanted: followed.wanted.to_vec(),
            walls: followed
                .terms
                .iter()
                .find(|part| part.term == Term::Walls)
                .map(|part| part.weighted.to_vec()),
            terms: followed.terms.iter().map(|part| term(why, flock, part)).collect(),
            sum: followed.sum.to_vec(),
            joined: match followed.joined {
                TermSum::Alone => "alone",
                TermSum::Sum => "sum",
                TermSum::Direction => "direction",
                TermSum::Velocity(_) => "velocity",
                TermSum::Kept => "kept",
                _ => "other",
            },
            speed: if let TermSum::Velocity(speed) = followed.joined { Some(speed) } else { None },
            steering: followed.steering.to_vec(),
        },
    }
}

fn term<const D: usize>(
    why: &Explanation<D>,
    flock: &Flock<D>,
    part: &TermParts<[f32; D]>,
) -> TermData {
    let drive = if let Term::Drive(place) = part.term { flock.drives().get(place) } else { None };
    TermData {
        term: part.term.to_string(),
        name: drive.map(|drive| drive.name.clone()),
        kind: drive.map(|drive| drive.kind.name()),
        sees: part.sees().map(|seen| sees(why, flock, seen)),
        rule: match &part.made {
            TermSource::Rule(parts) => Some(rule(parts)),
            _ => None,
        },
        drive: match &part.made {
            TermSource::Drive { force, weight, parts } if drive.is_some() => {
                Some(drive_data(parts.as_ref(), *force, *weight))
            }
            _ => None,
        },
        interactions: match &part.made {
            TermSource::Interactions(met) => {
                Some(met.iter().map(|met| interaction(why, flock, met)).collect())
            }
            _ => None,
        },
        obstacle: match &part.made {
            TermSource::Obstacles {
                threat: Some(Threat { obstacle, urgency, depth, .. }), ..
            } => obstacle_name(flock, *obstacle).map(|name| ObstacleData {
                name,
                urgency: *urgency,
                depth: *depth,
            }),
            _ => None,
        },
        weighted: part.weighted.to_vec(),
        budget: part.budget,
        served: part.served,
        taken: part.taken.to_vec(),
    }
}

fn rule<const D: usize>(parts: &RuleParts<[f32; D]>) -> RuleData {
    let list = |v: Option<[f32; D]>| v.map(|v| v.to_vec());
    RuleData {
        sum: parts.sum.to_vec(),
        included: list(parts.included),
        mean: list(parts.mean),
        subtracted: list(parts.subtracted),
        parting: list(parts.parting),
        wanted: parts.wanted.to_vec(),
        away: parts.away,
        response_kind: parts.kind.word(),
        response: parts.response.to_vec(),
        weight: parts.weight,
    }
}

fn drive_data<const D: usize>(
    parts: Option<&DriveParts<[f32; D]>>,
    force: [f32; D],
    weight: f32,
) -> DriveData {
    let list = |v: Option<[f32; D]>| v.map(|v| v.to_vec());
    let own = DriveData {
        applies: parts.is_some(),
        force: force.to_vec(),
        weight,
        ..DriveData::default()
    };
    let Some(parts) = parts else { return own };
    DriveData {
        target: list(parts.target),
        offset: list(parts.offset),
        distance: parts.distance,
        desired: list(parts.desired),
        waypoint: parts.waypoint.map(|(next, _)| next + 1),
        waypoints: parts.waypoint.map(|(_, all)| all),
        leader: parts.parent,
        arrived: parts.arrived,
        waits: parts.waits,
        ..own
    }
}

fn interaction<const D: usize>(
    why: &Explanation<D>,
    flock: &Flock<D>,
    met: &Target<[f32; D]>,
) -> InteractionData {
    let Target { interaction, picked, force, weighted, .. } = met;
    InteractionData {
        kind: match interaction.kind {
            InteractionKind::Flee => "flee",
            InteractionKind::Pursue => "pursue",
            InteractionKind::Evade => "evade",
            _ => "other",
        },
        species: species_name(flock, interaction.other).unwrap_or_default(),
        radius: interaction.radius,
        neighbor: picked.map(|seen| neighbor(why, flock, &seen)),
        force: force.to_vec(),
        weight: interaction.weight,
        weighted: weighted.to_vec(),
    }
}

fn species_name<const D: usize>(flock: &Flock<D>, place: usize) -> Option<String> {
    flock.params().species.get(place).map(|species| species.name.clone())
}

fn obstacle_name<const D: usize>(flock: &Flock<D>, place: usize) -> Option<String> {
    flock.obstacles()?.obstacles().list.get(place).map(|obstacle| obstacle.name.clone())
}

fn neighbor<const D: usize>(
    why: &Explanation<D>,
    flock: &Flock<D>,
    seen: &Seen<[f32; D]>,
) -> NeighborData {
    NeighborData {
        id: seen.id,
        species: flock
            .traits(BoidId::new(seen.id))
            .ok()
            .and_then(|traits| species_name(flock, traits.species)),
        offset: seen.offset.to_vec(),
        distance: seen.distance,
        angle: seen.angle_from(why.heading()),
        velocity: seen.velocity.to_vec(),
        coincident: seen.coincident,
        only_near: seen.only_near,
        adds: seen.adds.map(|adds| adds.to_vec()),
    }
}

fn sees<const D: usize>(
    why: &Explanation<D>,
    flock: &Flock<D>,
    seen: &Neighborhood<[f32; D]>,
) -> SightData {
    let Perception { radius, view, near_radius, nearest } = seen.perception;
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
        neighbors: seen.neighbors.iter().map(|seen| neighbor(why, flock, seen)).collect(),
    }
}

fn anticipation<const D: usize>(
    advanced: &Integrated<[f32; D]>,
    flock: &Flock<D>,
) -> Option<AnticipationData> {
    let (one, model) = (advanced.anticipated.as_ref()?, flock.params().anticipation?);
    let (velocity, force) = match one.answer {
        Answer::Velocity(velocity) => (Some(velocity.to_vec()), None),
        Answer::Force(force) => (None, Some(force.to_vec())),
    };
    Some(AnticipationData {
        model: model.name(),
        preferred: one.preferred.to_vec(),
        asked: one.asked.to_vec(),
        blocked: one.blocked,
        others: one.others.clone(),
        walls: one.walls,
        velocity,
        force,
    })
}

fn advance<const D: usize>(advanced: &Integrated<[f32; D]>, flock: &Flock<D>) -> AdvanceData {
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
        Limit::Anticipated => ("anticipation", None),
        _ => ("other", None),
    };
    let met_edge: Vec<bool> = (0..D).map(|axis| advanced.met_edge(axis)).collect();
    let edge = match flock.domain().boundary {
        Boundary::Periodic => "wraps",
        Boundary::Reflecting => "reflects",
        Boundary::Walled { .. } => "stops",
        // An open domain has no edge, and an absorbing one lets all boids out.
        _ => "lets_out",
    };
    // An obstacle that was met changed the same numbers: what the edge did besides is not told.
    let met = met_edge.contains(&true) && advanced.met_obstacle.is_none();
    AdvanceData {
        anticipation: anticipation(advanced, flock),
        hindered: advanced.hindered.as_ref().map(|hindered| HinderedData {
            by: hindered.by.clone(),
            wanted: hindered.wanted.to_vec(),
            way: hindered.kept.way.to_vec(),
            slides: hindered.kept.slides,
            part: hindered.kept.part,
            squeezed: advanced.squeezed,
        }),
        squeezed: advanced.squeezed,
        edge: (met || !flock.domain().contains(advanced.position)).then_some(edge),
        obstacle: advanced.met_obstacle.and_then(|place| obstacle_name(flock, place)),
        acceleration: advanced.acceleration.map(|acceleration| acceleration.to_vec()),
        wanted_velocity: advanced.wanted.to_vec(),
        limit,
        limit_value,
        limited_velocity: advanced.limited.to_vec(),
        moved_to: advanced.moved.to_vec(),
        met_edge,
        position: advanced.position.to_vec(),
        velocity: advanced.velocity.to_vec(),
    }
}
