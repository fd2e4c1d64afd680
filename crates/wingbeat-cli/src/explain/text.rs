//! The page for people.

use wingbeat::steer::anticipation::Answer;
use wingbeat::steer::model::EVERYONE;
use wingbeat::steer::{
    Combined, Decision, DriveForce, EdgeEffect, Limit, ModelDecision, Neighborhood, ObstacleAhead,
    RuleParts, Seen, Target, TermParts, TermSum, Turn,
};
use wingbeat::{
    Perception,
    query::Explanation,
    steer::{Combine, Interaction, Response},
};
use wingbeat_session::explain::{AnyExplanation, SceneExplanation};

/// Neighbors shown; `--json` has them all.
const SHOWN: usize = 40;

/// Width of the column of labels.
const LABEL: usize = 24;

/// The whole page.
pub fn of(page: &SceneExplanation) -> String {
    match &page.explanation {
        AnyExplanation::Two(why) => of_boid(page, why),
        AnyExplanation::Three(why) => of_boid(page, why),
    }
}

fn of_boid<const D: usize>(page: &SceneExplanation, why: &Explanation<D>) -> String {
    let SceneExplanation { scene, sentence, origin, .. } = page;
    let (boid, step) = (why.boid.id, why.step);
    let mut text = format!("boid {boid} {sentence}\n\n");
    text += &format!(
        "boid {boid} of {scene}, after {step} steps: its decision in step {}\n\n",
        step + 1
    );
    why.species
        .iter()
        .for_each(|species| text += &format!("  {:<LABEL$}{species:>12}\n", "species"));
    if let Some(stamina) = &why.stamina {
        let resting = if stamina.resting { ", resting until it is full" } else { "" };
        let note = format!("of {}{resting}", stamina.capacity);
        text += &line("stamina", &[number(stamina.left)], &note);
    }
    text += &line("position", &world(&why.boid.position, origin), "");
    let velocity = &why.boid.velocity;
    text += &vector("velocity", velocity, &format!("speed {}", size(velocity)));
    let note = if why.at_rest { "at rest: it sees all round" } else { "" };
    text += &vector("heading", &why.heading, note);
    match &why.decision {
        Decision::Terms(combined) => {
            text += &neighbors(&combined.terms);
            combined.terms.iter().for_each(|term| text += &term_lines(term, origin));
            text += &combination(combined);
        }
        Decision::Model(followed) => text += &model_lines(followed, origin),
    }
    match &why.turn {
        Turn::EveryStep => {}
        Turn::Due { every } => {
            text += &format!("\nIt steers once in {every} steps, and this is its turn.\n")
        }
        Turn::Holds { every, force, steps_left } => {
            text += &format!(
                "\nIt steers once in {every} steps, and its turn comes in {steps_left}: \
                    till then it goes on with\n"
            );
            text += &vector("force it holds", force, &size_of(force));
        }
    }
    text + &advance_lines(why, origin)
}

fn model_lines<const D: usize>(followed: &ModelDecision<[f32; D]>, origin: &[f64]) -> String {
    let ModelDecision { model, sees, wanted, terms, sum, joined, steering, .. } = followed;
    let all_seen = sees.neighbors.iter().map(|neighbor| (neighbor, String::new())).collect();
    let mut text = format!("\nmodel {}: boids {}\n", model.name(), counts(sees));
    text += &table(all_seen, "");
    terms.iter().for_each(|term| text += &term_lines(term, origin));
    text += "\nsteering\n";
    text += &vector("the model says", wanted, "");
    for term in terms.iter().filter(|term| counts_for_something(term)) {
        text += &vector(&label(term), &term.weighted, &size_of(&term.weighted));
    }
    if !matches!(joined, TermSum::Alone | TermSum::Sum) {
        text += &vector("= sum", sum, &size_of(sum));
    }
    let how = match joined {
        TermSum::Direction => "its direction".to_string(),
        TermSum::Velocity(speed) => format!("its direction, at the speed {speed}"),
        TermSum::Kept => "which is none: as the model says".to_string(),
        _ => size_of(steering),
    };
    text + &vector("= steering", steering, &how)
}

/// All boids that any rule sees, nearest first, and which rules do.
fn neighbors<const D: usize>(terms: &[TermParts<[f32; D]>]) -> String {
    let mut all_seen: Vec<(&Seen<[f32; D]>, String)> = Vec::new();
    if !terms.iter().any(|term| term.looks()) {
        return String::new();
    }
    for term in terms {
        for neighbor in term.seen() {
            let mark = if neighbor.only_near {
                format!("{} (near)", term.term)
            } else {
                term.term.to_string()
            };
            match all_seen.iter_mut().find(|(other, _)| other.id == neighbor.id) {
                Some((_, marks)) => *marks += &format!(", {mark}"),
                None => all_seen.push((neighbor, mark)),
            }
        }
    }
    format!("\nneighbors\n{}", table(all_seen, "seen by"))
}

fn table<const D: usize>(mut rows: Vec<(&Seen<[f32; D]>, String)>, last: &str) -> String {
    if rows.is_empty() {
        return "  no boid\n".into();
    }
    rows.sort_by(|(a, _), (b, _)| a.distance.total_cmp(&b.distance).then(a.id.cmp(&b.id)));
    let mut text = format!("  {:>10}{:>12}{:>9}", "id", "distance", "angle");
    text += &format!("  {:<width$}  {last}", "       offset", width = 12 * D);
    text = text.trim_end().to_string() + "\n";
    for (neighbor, marks) in rows.iter().take(SHOWN) {
        let angle = neighbor.angle.map_or("-".to_string(), |angle| format!("{angle:.1}°"));
        text += &format!("  {:>10}{:>12}{:>9}  ", neighbor.id, number(neighbor.distance), angle);
        neighbor.offset.iter().for_each(|&x| text += &format!("{:>12}", number(x)));
        let together = if neighbor.coincident { " (coincident)" } else { "" };
        let species =
            neighbor.species.as_ref().map_or(String::new(), |species| format!("{species}: "));
        text += &format!("  {species}{marks}{together}");
        text = text.trim_end().to_string() + "\n";
    }
    if rows.len() > SHOWN {
        text += &format!("  and {} further away: --json has all\n", rows.len() - SHOWN);
    }
    text
}

fn counts<const D: usize>(sees: &Neighborhood<[f32; D]>) -> String {
    let Perception { radius, near_radius, view, nearest } = sees.perception;
    let mut text =
        if radius < EVERYONE { format!("within {}", number(radius)) } else { "anywhere".into() };
    if let Some(cos_half) = view.cos_half() {
        text +=
            &format!(", field of view {:.0}°", 2.0 * libm::acos(f64::from(cos_half)).to_degrees());
    }
    if near_radius > 0.0 {
        text += &format!(", all round within {}", number(near_radius));
    }
    text += &format!(": {}", sees.neighbors.len());
    if sees.out_of_sight > 0 {
        text += &format!(", and {} in range out of sight", sees.out_of_sight);
    }
    if let Some(nearest) = nearest.filter(|_| sees.beyond_cap > 0) {
        text += &format!(", and {} beyond the nearest {nearest}", sees.beyond_cap);
    }
    text
}

/// What a term is called: `drive exit (path)`.
fn label<const D: usize>(term: &TermParts<[f32; D]>) -> String {
    match (&term.name, term.kind) {
        (Some(name), Some(kind)) if name == kind => format!("drive {name}"),
        (Some(name), Some(kind)) => format!("drive {name} ({kind})"),
        _ => term.term.to_string(),
    }
}

/// Whether a term is worth a line among the others: walls and obstacles that are far, drives for
/// other boids or states, leaders of no boid and interactions with no boid are not.
fn counts_for_something<const D: usize>(term: &TermParts<[f32; D]>) -> bool {
    term.sees.is_some()
        || term.drive.is_some_and(|drive| drive.parts.target.is_some())
        || term.weighted.iter().any(|&x| x != 0.0)
}

fn term_lines<const D: usize>(term: &TermParts<[f32; D]>, origin: &[f64]) -> String {
    if let Some(drive) = term.drive.as_ref().filter(|_| counts_for_something(term)) {
        return format!("\n{}\n{}", label(term), drive_lines(drive, &term.weighted, origin));
    }
    if let Some(interactions) = term.interactions.as_ref().filter(|all| !all.is_empty()) {
        let lines: String = interactions.iter().map(interaction_lines).collect();
        return format!("\n{}\n{lines}", term.term);
    }
    if let Some(ObstacleAhead { name, threat, .. }) = &term.obstacle {
        let [urgency, depth] = [threat.urgency, threat.depth].map(number);
        let numbers = format!("urgency {urgency}, depth {depth}");
        return format!("\n{}: {name}, {numbers}\n", term.term);
    }
    let Some(sees) = &term.sees else { return String::new() };
    let mut text = format!("\n{}: {}\n", term.term, counts(sees));
    match &term.rule {
        Some(rule) => text += &rule_lines(rule, &term.weighted),
        None => text += &vector("its own force", &term.weighted, &size_of(&term.weighted)),
    }
    text
}

fn drive_lines<const D: usize>(
    drive: &DriveForce<[f32; D]>,
    weighted: &[f32],
    origin: &[f64],
) -> String {
    let parts = &drive.parts;
    let mut notes = Vec::new();
    if let Some((next, all)) = parts.waypoint {
        notes.push(format!("waypoint {} of {all}", next + 1));
    }
    notes.extend(parts.parent.map(|leader| format!("behind {leader}")));
    notes.extend(parts.distance.map(|distance| format!("distance {}", number(distance))));
    if parts.arrived == Some(true) {
        notes.push("arrived".into());
    }
    let mut text = String::new();
    if parts.waits {
        text += &line("waits", &[], "until its delay is over");
    }
    if let Some(target) = &parts.target {
        text += &line("target", &world(target, origin), &notes.join(", "));
    }
    if let Some(v) = &parts.desired {
        text += &vector("desired velocity", v, &format!("speed {}", size(v)));
    }
    text += &vector("force", &drive.force, &size_of(&drive.force));
    text + &vector(&format!("times {}", drive.weight), weighted, &size_of(weighted))
}

fn interaction_lines<const D: usize>(target: &Target<[f32; D]>) -> String {
    let Target { interaction, species, picked, force, weighted, .. } = target;
    let Interaction { radius, weight, .. } = interaction;
    let kind = interaction.kind.word();
    let Some(Seen { id, distance, .. }) = picked else {
        return format!("  {kind} {species}: no boid within {radius}\n");
    };
    let mut text = format!(
        "  {kind} {species}: {id}, the nearest within {radius}, at {}\n",
        number(*distance)
    );
    text += &vector("force", force, &size_of(force));
    text + &vector(&format!("times {weight}"), weighted, &size_of(weighted))
}

fn rule_lines<const D: usize>(rule: &RuleParts<[f32; D]>, weighted: &[f32]) -> String {
    let mut text = vector("sum", &rule.sum, "");
    for (label, v, note) in [
        ("own value", &rule.wanted.included, "part of the mean"),
        ("mean", &rule.wanted.mean, ""),
        ("- own value", &rule.wanted.subtracted, ""),
        ("parting", &rule.wanted.parting, "by hash, from who stands on it"),
    ] {
        v.iter().for_each(|v| text += &vector(label, v, note));
    }
    if rule.wanted.away || rule.kind == Response::Flee || rule.wanted.subtracted.is_some() {
        let note = if rule.wanted.away { "away: 0 - sum" } else { "" };
        text += &vector("= wanted", &rule.wanted.x, note);
    }
    if !matches!(rule.kind, Response::Raw | Response::Flee) {
        text += &vector(&format!("{} of that", rule.kind.word()), &rule.response, "");
    }
    text + &vector(&format!("times {}", rule.weight), weighted, &size_of(weighted))
}

fn combination<const D: usize>(combined: &Combined<[f32; D]>) -> String {
    let Combined { combine, terms, sum, cut_to, steering, .. } = combined;
    let mut text = format!("\nsteering: {}\n", combine.name());
    for term in terms.iter().filter(|term| counts_for_something(term)) {
        let note = match (term.budget, term.served) {
            (Some(budget), served) if served < 1.0 => {
                format!(
                    "{}: {:.1} % of it, for {} are left",
                    size_of(&term.weighted),
                    served * 100.0,
                    number(budget)
                )
            }
            (_, 0.0) => format!("{}: nothing of it, for nothing is left", size_of(&term.weighted)),
            (Some(budget), _) => {
                format!("{} of the {} left", size_of(&term.weighted), number(budget))
            }
            (None, _) => size_of(&term.weighted),
        };
        text += &vector(&label(term), &term.weighted, &note);
    }
    text += &vector("= sum", sum, &size_of(sum));
    match (combine, cut_to) {
        (Combine::Direction(_), _) => text + &vector("its direction", steering, ""),
        (Combine::Weighted, Some(limit)) => {
            text + &vector("cut by max_force", steering, &format!("to {}", number(*limit)))
        }
        (Combine::Prioritized, Some(limit)) => {
            text + &format!("  max_force {} is spent\n", number(*limit))
        }
        _ => text,
    }
}

fn advance_lines<const D: usize>(why: &Explanation<D>, origin: &[f64]) -> String {
    let advance = &why.advance;
    let mut text = format!("\nstep of {}\n", why.dt.get());
    if let Some(one) = &advance.anticipated {
        text += &vector(
            "preferred velocity",
            &one.preferred,
            &format!("speed {}", size(&one.preferred)),
        );
        if one.asked != one.preferred {
            let (turn, side) = (
                f64::from(one.blocked).to_degrees(),
                if one.blocked < 0.0 { "left" } else { "right" },
            );
            text += &vector(
                "turned",
                &one.asked,
                &format!("{}° to the {side}, and noise", number(turn.abs())),
            );
        }
        let looks_at =
            format!("{} looks at {} others and {} walls", one.model, one.others.len(), one.walls);
        text += &match &one.answer {
            Answer::Velocity(velocity) => vector("it chooses", velocity, &looks_at),
            Answer::Force(force) => vector("its force", force, &looks_at),
        };
    }
    advance.acceleration.iter().for_each(|a| text += &vector("acceleration", a, &size_of(a)));
    text +=
        &vector("wanted velocity", &advance.wanted, &format!("speed {}", size(&advance.wanted)));
    text += &limit_note(advance.limit)
        .map_or(String::new(), |note| vector("limited", &advance.limited, &note));
    if advance.met_edge.contains(&true) {
        text += &line("moved to", &world(&advance.moved, origin), "");
        text += &match (&advance.obstacle, advance.edge) {
            (Some(name), _) => format!("  obstacle {name} keeps it outside:\n"),
            (None, Some(EdgeEffect::Wraps)) => {
                "  the domain's edge: it enters at the opposite one:\n".to_string()
            }
            (None, Some(EdgeEffect::Reflects)) => "  the domain's edge reflects it:\n".to_string(),
            _ => "  the domain's edge stops it:\n".to_string(),
        };
    }
    if let Some(hindered) = &advance.hindered {
        let by: Vec<String> = hindered.by.iter().map(u64::to_string).collect();
        text += &vector("way wanted", &hindered.wanted, &format!("in the way: {}", by.join(", ")));
        text += &vector(
            "way left",
            &hindered.kept.way,
            if hindered.by.is_empty() { "as a periodic box allows" } else { "" },
        );
    }
    if advance.squeezed {
        text += "  squeezed: an obstacle overlaps it, and no straight way leads to a free place\n";
    }
    text += &line("position", &world(&advance.position, origin), "");
    text + &vector("velocity", &advance.velocity, &format!("speed {}", size(&advance.velocity)))
}

/// What limited the velocity, in words; `None` where nothing did but anticipation.
fn limit_note(limit: Limit) -> Option<String> {
    Some(match limit {
        Limit::SlowedTo(speed) => format!("slowed to the maximum speed {}", number(speed)),
        Limit::SpedUpTo(speed) => format!("sped up to the minimum speed {}", number(speed)),
        Limit::WentOnAt(speed) => {
            format!("on in the old direction, at the minimum speed {}", number(speed))
        }
        Limit::SetOffAt(speed) => {
            format!("set off by hash, at the minimum speed {}", number(speed))
        }
        Limit::Eased(part) => format!("smoothed: {} of the way there", number(part)),
        Limit::Kept => "no direction wanted: as before".into(),
        Limit::Clamped(range) => format!("components within {}", number(range)),
        Limit::Turned => "turned by as much as the turning rate allows".into(),
        Limit::Leant(part) => format!("leaning there by {} of the way", number(part)),
        _ => return None,
    })
}

/// A position in the scene's coordinates.
fn world(position: &[f32], origin: &[f64]) -> Vec<String> {
    position.iter().zip(origin).map(|(&x, origin)| number(f64::from(x) + origin)).collect()
}

fn vector(label: &str, v: &[f32], note: &str) -> String {
    line(label, &v.iter().map(|&x| number(x)).collect::<Vec<_>>(), note)
}

fn line(label: &str, numbers: &[String], note: &str) -> String {
    // A drive's name may be long: numbers stay apart from it.
    let mut text =
        if label.len() < LABEL { format!("  {label:<LABEL$}") } else { format!("  {label} ") };
    numbers.iter().for_each(|number| text += &format!("{number:>12}"));
    text += &format!("   {note}");
    text.trim_end().to_string() + "\n"
}

fn size_of(v: &[f32]) -> String {
    format!("size {}", size(v))
}

/// Of a vector, for reading.
fn size(v: &[f32]) -> String {
    let squares = v.iter().fold(0.0, |sum, &x| sum + f64::from(x) * f64::from(x));
    number(squares.sqrt())
}

/// Six digits that say something.
fn number(x: impl Into<f64>) -> String {
    let x = x.into();
    let size = x.abs();
    if size == 0.0 {
        "0".into()
    } else if (1e-3..1e6).contains(&size) {
        let before_the_point =
            [1.0, 10.0, 100.0, 1e3, 1e4, 1e5].iter().filter(|&&power| size >= power).count();
        format!("{x:.*}", 6 - before_the_point)
    } else {
        format!("{x:.4e}")
    }
}
