//! The answer in one sentence: what the boid does in the step, then what contributes most to that.
//!
//! ```text
//! turns 12° left and slows to 0.93: mostly separation from 41 and 87; it is reflected at the edge
//! └ movement ───────────────────┘   └ reason ────────────────────┘    └ ending ──────────────────┘
//! ```

use wingbeat::steer::anticipation::Answer;
use wingbeat::steer::{Decision, DriveForce, EdgeEffect, Seen, Target, TermParts, Turn};
use wingbeat::{
    query::Explanation,
    steer::{InteractionKind, Model, Term},
};

use super::movement::{dot, movement, norm};

/// Longest sentence, in characters, where leaving out details can keep it within that.
const LONGEST: usize = 120;

/// How much of the reason is told: neighbors named of each term, and terms. The first that fits is
/// taken.
const DETAILS: [(usize, usize); 5] = [(3, 2), (2, 2), (1, 2), (1, 1), (0, 1)];

/// The sentence of an explanation, without its subject.
pub(super) fn sentence<const D: usize>(why: &Explanation<D>) -> String {
    let movement = movement(&why.boid.velocity, &why.advance.limited);
    let ending = ending(why);
    let written = |(names, terms)| format!("{movement}: {}{ending}", reason(why, names, terms));
    let mut fitting = DETAILS.into_iter().map(written);
    fitting
        .find(|text| text.chars().count() <= LONGEST)
        .unwrap_or_else(|| written(DETAILS[DETAILS.len() - 1]))
}

/// What besides steering decides where the boid is after the step, or why it has little to steer
/// by.
fn ending<const D: usize>(why: &Explanation<D>) -> String {
    if why.advance.squeezed {
        return "; it is squeezed".into();
    }
    if let Some(hindered) = &why.advance.hindered {
        return match hindered.by.as_slice() {
            [] => "; it goes no further in one step".into(),
            [one] => format!("; the body of {one} is in its way"),
            [one, other] => format!("; the bodies of {one} and {other} are in its way"),
            many => format!("; {} bodies are in its way", many.len()),
        };
    }
    if let Some(anticipated) = &why.advance.anticipated
        && !anticipated.others.is_empty()
        && match anticipated.answer {
            Answer::Velocity(velocity) => velocity != anticipated.preferred,
            Answer::Force(force) => norm(&force) > 0.0,
        }
    {
        return format!("; it avoids others ({})", anticipated.model);
    }
    let is_resting = why.stamina.is_some_and(|stamina| stamina.resting);
    match (&why.advance.obstacle, why.advance.edge) {
        (Some(name), _) => format!("; obstacle {name} keeps it outside"),
        (None, Some(EdgeEffect::Wraps)) => {
            "; it leaves at one edge and enters at the opposite one".into()
        }
        (None, Some(EdgeEffect::Reflects)) => "; it is reflected at the edge".into(),
        (None, Some(EdgeEffect::Stops)) => "; the edge stops it".into(),
        (None, Some(_)) => "; it leaves the world".into(),
        (None, None) if is_resting => "; it rests until its stamina is back".into(),
        (None, None) => String::new(),
    }
}

fn reason<const D: usize>(why: &Explanation<D>, names: usize, most: usize) -> String {
    if let Turn::Holds { .. } = why.turn {
        return "it goes on with the force of its last turn".into();
    }
    match &why.decision {
        Decision::Terms(combined) => {
            let (terms, steering) = (&combined.terms, &combined.steering);
            let parts: Vec<_> = terms.iter().map(|term| Part::of(term, steering)).collect();
            let reason = main_parts(&parts, steering, names, most);
            match reason {
                Some(reason) if sees_none(terms) => format!("{reason}; it sees no boid"),
                Some(reason) => reason,
                None if terms.iter().any(|term| norm(&term.taken) > 0.0) => "its forces cancel \
                    each other"
                    .into(),
                None if sees_none(terms) => "it sees no boid".into(),
                None => "nothing steers it".into(),
            }
        }
        Decision::Model(followed) => {
            let (terms, wanted, sum) = (&followed.terms, &followed.wanted, &followed.sum);
            let all = followed.sees.neighbors.iter();
            let neighbors: Vec<_> = all.filter(|seen| seen.id != why.boid.id).collect();
            let word = model_word(&followed.model, &neighbors, names);
            if terms.iter().all(|term| norm(&term.taken) == 0.0) {
                return word;
            }
            let own = Part {
                share: dot(wanted, sum),
                is_zero: norm(wanted) == 0.0,
                subject: Subject::Model(followed.model.name(), neighbors.len()),
            };
            let parts: Vec<_> =
                [own].into_iter().chain(terms.iter().map(|term| Part::of(term, sum))).collect();
            main_parts(&parts, sum, names, most).unwrap_or(word)
        }
    }
}

/// Whether some term looks at others, and none of those sees any boid.
fn sees_none<const D: usize>(terms: &[TermParts<[f32; D]>]) -> bool {
    terms.iter().any(|term| term.looks()) && terms.iter().all(|term| term.seen().next().is_none())
}

/// Something that contributes to the steering.
struct Part<'a, const D: usize> {
    /// Its component along the steering, times the steering's length.
    share: f64,
    is_zero: bool,
    subject: Subject<'a, D>,
}

enum Subject<'a, const D: usize> {
    Term(&'a TermParts<[f32; D]>),
    /// A model's name, and how many neighbors it sees.
    Model(&'a str, usize),
}

impl<'a, const D: usize> Part<'a, D> {
    fn of(term: &'a TermParts<[f32; D]>, steering: &[f32]) -> Self {
        Self {
            share: dot(&term.taken, steering),
            is_zero: norm(&term.taken) == 0.0,
            subject: Subject::Term(term),
        }
    }

    fn text(&self, steering: &[f32], names: usize) -> String {
        match self.subject {
            Subject::Term(term) => term_text(term, steering, names),
            Subject::Model(name, neighbors) => {
                format!("what {name} makes of {}", counted(neighbors))
            }
        }
    }
}

/// The part with the largest share, or the two largest where the first has no more than half of it
/// all.
fn main_parts<const D: usize>(
    parts: &[Part<'_, D>],
    steering: &[f32],
    names: usize,
    most: usize,
) -> Option<String> {
    let mut forward: Vec<&Part<'_, D>> = parts.iter().filter(|part| part.share > 0.0).collect();
    // A stable sort: of equal parts the first taken comes first.
    forward.sort_by(|a, b| b.share.total_cmp(&a.share));
    let first = forward.first()?.text(steering, names);
    let total: f64 = forward.iter().map(|part| part.share).sum();
    Some(match forward.get(1) {
        _ if parts.iter().filter(|part| !part.is_zero).count() == 1 => first,
        Some(second) if forward[0].share <= 0.5 * total && most > 1 => {
            let comma = if first.contains(" and ") { "," } else { "" };
            format!("{first}{comma} and {}", second.text(steering, names))
        }
        _ => format!("mostly {first}"),
    })
}

fn term_text<const D: usize>(term: &TermParts<[f32; D]>, steering: &[f32], names: usize) -> String {
    if let (Some(name), Some(drive)) = (&term.name, &term.drive) {
        return format!("drive {name}{}", drive_text(term.kind.unwrap_or("drive"), name, drive));
    }
    if let Some(interactions) = &term.interactions {
        let along = |one: &&Target<[f32; D]>| dot(&one.weighted, steering);
        let main = interactions.iter().max_by(|a, b| along(a).total_cmp(&along(b)));
        return main.map_or("interactions".into(), interaction_text);
    }
    if let Some(obstacle) = &term.obstacle {
        let place = if obstacle.threat.urgency > 0.0 { "ahead" } else { "close by" };
        return format!("obstacle {} {place}", obstacle.name);
    }
    match term.term {
        Term::Rule(rule) => format!("{} {}", rule.phrase(), contributors(term, names)),
        Term::Walls => "the walls".into(),
        // A rule of the host's own.
        _ => {
            let seen = term.sees.as_ref().map_or(0, |sees| sees.neighbors.len());
            format!("{} with {}", term.term, counted(seen))
        }
    }
}

/// What a drive is: its kind, where the name does not say it, and what it makes for.
fn drive_text<const D: usize>(kind: &str, name: &str, drive: &DriveForce<[f32; D]>) -> String {
    match (drive.parts.waypoint, drive.parts.parent) {
        (Some((next, all)), _) => format!(" ({kind}, waypoint {} of {all})", next + 1),
        (_, Some(leader)) => format!(" ({kind} {leader})"),
        _ if kind == name => String::new(),
        _ => format!(" ({kind})"),
    }
}

fn interaction_text<const D: usize>(target: &Target<[f32; D]>) -> String {
    let deed = match target.interaction.kind {
        InteractionKind::Flee => "flight from",
        InteractionKind::Pursue => "pursuit of",
        InteractionKind::Evade => "evasion of",
        other => other.word(),
    };
    let id = target.picked.as_ref().map_or(String::new(), |seen| format!(" {}", seen.id));
    format!("{deed} {}{id}", target.species)
}

/// The neighbors that contribute most to what the rule wants: as few as make half of it, at most
/// `names`; of more the number.
fn contributors<const D: usize>(term: &TermParts<[f32; D]>, names: usize) -> String {
    let (Some(sees), Some(rule)) = (&term.sees, &term.rule) else { return "others".into() };
    let sign = if rule.wanted.away { -1.0 } else { 1.0 };
    let subtracted = rule.wanted.subtracted.as_ref().map_or(0.0, |own| dot(own, &rule.wanted.x));
    let share = |neighbor: &Seen<[f32; D]>| {
        let adds = neighbor.adds.as_ref().map_or(0.0, |adds| dot(adds, &rule.wanted.x));
        sign * (adds - subtracted)
    };
    let mut found: Vec<(f64, u64)> =
        sees.neighbors.iter().map(|neighbor| (share(neighbor), neighbor.id)).collect();
    found.retain(|&(share, _)| share > 0.0);
    if found.is_empty() {
        // Those at the same place add nothing; the push that parts them is random.
        found.extend(
            sees.neighbors
                .iter()
                .filter(|neighbor| neighbor.coincident)
                .map(|neighbor| (1.0, neighbor.id)),
        );
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let total: f64 = found.iter().map(|(share, _)| share).sum();
    let (mut needed, mut sum) = (0, 0.0);
    while needed < found.len() && sum < 0.5 * total {
        sum += found[needed].0;
        needed += 1;
    }
    let ids: Vec<u64> = found.iter().map(|&(_, id)| id).collect();
    if needed <= names { list(&ids[..needed], 0) } else { list(&ids[..names], ids.len() - names) }
}

/// `41, 87 and 3`, or with others unnamed `41, 87 and 16 more`.
fn list(ids: &[u64], unnamed: usize) -> String {
    let mut words: Vec<String> = ids.iter().map(u64::to_string).collect();
    match (words.len(), unnamed) {
        (0, unnamed) => return counted(unnamed),
        (_, 0) => {}
        (_, unnamed) => words.push(format!("{unnamed} more")),
    }
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) }
}

fn counted(neighbors: usize) -> String {
    if neighbors == 1 { "1 neighbor".into() } else { format!("{neighbors} neighbors") }
}

/// What a model does with those it sees.
fn model_word<const D: usize>(
    model: &Model,
    neighbors: &[&Seen<[f32; D]>],
    names: usize,
) -> String {
    if neighbors.is_empty() {
        return "it sees no boid".into();
    }
    let all = counted(neighbors.len());
    match model {
        Model::Couzin2002(model) => {
            let within =
                |radius: f32| neighbors.iter().filter(move |neighbor| neighbor.distance < radius);
            let repelling: Vec<u64> =
                within(model.repulsion_radius).map(|neighbor| neighbor.id).collect();
            if !repelling.is_empty() {
                let named = repelling.len().min(names);
                return format!(
                    "it keeps away from {}",
                    list(&repelling[..named], repelling.len() - named)
                );
            }
            let half_view = 0.5 * model.field_of_perception;
            let is_seen =
                |neighbor: &&&Seen<[f32; D]>| neighbor.angle.is_none_or(|angle| angle <= half_view);
            let seen = neighbors.iter().filter(is_seen).count();
            let aligned = within(model.orientation_radius()).filter(is_seen).count();
            match (aligned, seen - aligned) {
                (0, 0) => "it sees no boid".into(),
                (0, attracting) => format!("it is drawn to {}", counted(attracting)),
                (aligned, 0) => format!("it takes the direction of {}", counted(aligned)),
                (aligned, attracting) => {
                    format!(
                        "it takes the direction of {} and is drawn to {attracting} more",
                        counted(aligned)
                    )
                }
            }
        }
        Model::Vicsek1995(_) => format!("it takes the mean direction of {all}"),
        Model::CuckerSmale(_) => format!("its velocity approaches that of {all}"),
        Model::Circles(_) => format!("it keeps half the radius from {all}"),
        _ => format!("what {} makes of {all}", model.name()),
    }
}
