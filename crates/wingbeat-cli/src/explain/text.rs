//! The page for people.

use wingbeat_page::explain::{
    AdvanceData, DecisionData, DriveData, ExplanationData, InteractionData, NeighborData,
    ObstacleData, RuleData, SightData, TermData, TurnData,
};

/// Neighbors shown; `--json` has them all.
const SHOWN: usize = 40;

/// Width of the column of labels.
const LABEL: usize = 24;

/// The whole page.
pub fn of(page: &ExplanationData) -> String {
    let ExplanationData { scene, boid, step, dt, .. } = page;
    let mut text = format!("boid {boid} {}\n\n", page.sentence);
    text += &format!(
        "boid {boid} of {scene}, after {step} steps: its decision in step {}\n\n",
        step + 1
    );
    page.species
        .iter()
        .for_each(|species| text += &format!("  {:<LABEL$}{species:>12}\n", "species"));
    if let Some(stamina) = &page.stamina {
        let resting = if stamina.resting { ", resting until it is full" } else { "" };
        let note = format!("of {}{resting}", stamina.capacity);
        text += &line("stamina", &[number(f64::from(stamina.left))], &note);
    }
    let position: Vec<f64> =
        page.position.iter().zip(&page.origin).map(|(&x, origin)| f64::from(x) + origin).collect();
    text += &line("position", &position.iter().map(|&x| number(x)).collect::<Vec<_>>(), "");
    text += &vector("velocity", &page.velocity, &format!("speed {}", size(&page.velocity)));
    text += &vector(
        "heading",
        &page.heading,
        if page.at_rest { "at rest: it sees all round" } else { "" },
    );
    match &page.decision {
        DecisionData::Terms { combine, terms, sum, cut_to, steering } => {
            text += &neighbors(terms);
            terms.iter().for_each(|term| text += &term_lines(term, &page.origin));
            text += &combined(combine, terms, sum, *cut_to, steering);
        }
        DecisionData::Model { name, sees, wanted, terms, sum, joined, speed, steering, .. } => {
            let everyone: Vec<_> =
                sees.neighbors.iter().map(|neighbor| (neighbor, String::new())).collect();
            text += &format!("\nmodel {name}: boids {}\n", counts(sees));
            text += &table(everyone, "");
            terms.iter().for_each(|term| text += &term_lines(term, &page.origin));
            text += "\nsteering\n";
            text += &vector("the model says", wanted, "");
            let told = terms.iter().filter(|term| counts_for_something(term));
            told.for_each(|term| {
                text += &vector(&label(term), &term.weighted, &size_of(&term.weighted))
            });
            if !matches!(*joined, "alone" | "sum") {
                text += &vector("= sum", sum, &size_of(sum));
            }
            let how = match (*joined, speed) {
                ("direction", _) => "its direction".to_string(),
                ("velocity", Some(speed)) => format!("its direction, at the speed {speed}"),
                ("kept", _) => "which is none: as the model says".to_string(),
                _ => size_of(steering),
            };
            text += &vector("= steering", steering, &how);
        }
        _ => text += "\nsteering is explained by --json only\n",
    }
    match &page.turn {
        TurnData::EveryStep => {}
        TurnData::Due { every } => {
            text += &format!("\nIt steers once in {every} steps, and this is its turn.\n")
        }
        TurnData::Holds { every, force, steps_left } => {
            text += &format!(
                "\nIt steers once in {every} steps, and its turn comes in {steps_left}: \
                    till then it goes on with\n"
            );
            text += &vector("force it holds", force, &size_of(force));
        }
    }
    text + &advance_lines(&page.advance, &page.origin, *dt)
}

/// Everyone any rule sees, nearest first, and which do.
fn neighbors(terms: &[TermData]) -> String {
    let mut everyone: Vec<(&NeighborData, String)> = Vec::new();
    let looks = |term: &TermData| {
        term.sees.is_some() || term.interactions.as_ref().is_some_and(|all| !all.is_empty())
    };
    if !terms.iter().any(looks) {
        return String::new();
    }
    for term in terms {
        let picked = term
            .interactions
            .iter()
            .flatten()
            .filter_map(|interaction| interaction.neighbor.as_ref());
        for neighbor in term.sees.iter().flat_map(|sees| &sees.neighbors).chain(picked) {
            let mark = if neighbor.only_near {
                format!("{} (near)", term.term)
            } else {
                term.term.clone()
            };
            match everyone.iter_mut().find(|(other, _)| other.id == neighbor.id) {
                Some((_, marks)) => *marks += &format!(", {mark}"),
                None => everyone.push((neighbor, mark)),
            }
        }
    }
    format!("\nneighbors\n{}", table(everyone, "seen by"))
}

fn table(mut rows: Vec<(&NeighborData, String)>, last: &str) -> String {
    if rows.is_empty() {
        return "  no boid\n".into();
    }
    rows.sort_by(|(a, _), (b, _)| a.distance.total_cmp(&b.distance).then(a.id.cmp(&b.id)));
    let dimensions = rows[0].0.offset.len();
    let mut text = format!("  {:>10}{:>12}{:>9}", "id", "distance", "angle");
    text += &format!("  {:<width$}  {last}", "       offset", width = 12 * dimensions);
    text = text.trim_end().to_string() + "\n";
    for (neighbor, marks) in rows.iter().take(SHOWN) {
        let angle = neighbor.angle.map_or("-".to_string(), |angle| format!("{angle:.1}°"));
        text += &format!(
            "  {:>10}{:>12}{:>9}  ",
            neighbor.id,
            number(f64::from(neighbor.distance)),
            angle
        );
        neighbor.offset.iter().for_each(|&x| text += &format!("{:>12}", number(f64::from(x))));
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

fn counts(sees: &SightData) -> String {
    let mut text = sees
        .radius
        .map_or("anywhere".into(), |radius| format!("within {}", number(f64::from(radius))));
    if let Some(cos_half) = sees.cos_half_view {
        text +=
            &format!(", field of view {:.0}°", 2.0 * libm::acos(f64::from(cos_half)).to_degrees());
    }
    if sees.near_radius > 0.0 {
        text += &format!(", all round within {}", number(f64::from(sees.near_radius)));
    }
    text += &format!(": {}", sees.neighbors.len());
    if sees.out_of_sight > 0 {
        text += &format!(", and {} in range out of sight", sees.out_of_sight);
    }
    if let Some(nearest) = sees.nearest.filter(|_| sees.beyond_cap > 0) {
        text += &format!(", and {} beyond the nearest {nearest}", sees.beyond_cap);
    }
    text
}

/// What a term is called: `drive exit (path)`.
fn label(term: &TermData) -> String {
    match (&term.name, term.kind) {
        (Some(name), Some(kind)) if name == kind => format!("drive {name}"),
        (Some(name), Some(kind)) => format!("drive {name} ({kind})"),
        _ => term.term.clone(),
    }
}

/// Whether a term is worth a line among the others: walls and obstacles that are far, drives for
/// other boids or states, leaders of no boid and interactions with no boid are not.
fn counts_for_something(term: &TermData) -> bool {
    let has_target = |drive: &DriveData| drive.applies && drive.target.is_some();
    term.sees.is_some()
        || term.drive.as_ref().is_some_and(has_target)
        || term.weighted.iter().any(|&x| x != 0.0)
}

fn term_lines(term: &TermData, origin: &[f64]) -> String {
    if let Some(drive) = term.drive.as_ref().filter(|_| counts_for_something(term)) {
        return format!("\n{}\n{}", label(term), drive_lines(drive, &term.weighted, origin));
    }
    if let Some(interactions) = term.interactions.as_ref().filter(|all| !all.is_empty()) {
        let lines: String = interactions.iter().map(interaction_lines).collect();
        return format!("\n{}\n{lines}", term.term);
    }
    if let Some(ObstacleData { name, urgency, depth, .. }) = &term.obstacle {
        let numbers =
            format!("urgency {}, depth {}", number(f64::from(*urgency)), number(f64::from(*depth)));
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

fn drive_lines(drive: &DriveData, weighted: &[f32], origin: &[f64]) -> String {
    let mut notes = Vec::new();
    if let (Some(next), Some(all)) = (drive.waypoint, drive.waypoints) {
        notes.push(format!("waypoint {next} of {all}"));
    }
    drive.leader.iter().for_each(|leader| notes.push(format!("behind {leader}")));
    drive
        .distance
        .iter()
        .for_each(|&distance| notes.push(format!("distance {}", number(f64::from(distance)))));
    if drive.arrived == Some(true) {
        notes.push("arrived".into());
    }
    let mut text = String::new();
    if drive.waits {
        text += &line("waits", &[], "until its delay is over");
    }
    drive
        .target
        .iter()
        .for_each(|target| text += &line("target", &world(target, origin), &notes.join(", ")));
    drive
        .desired
        .iter()
        .for_each(|v| text += &vector("desired velocity", v, &format!("speed {}", size(v))));
    text += &vector("force", &drive.force, &size_of(&drive.force));
    text + &vector(&format!("times {}", drive.weight), weighted, &size_of(weighted))
}

fn interaction_lines(interaction: &InteractionData) -> String {
    let InteractionData { kind, species, radius, neighbor, force, weight, weighted, .. } =
        interaction;
    let Some(NeighborData { id, distance, .. }) = neighbor else {
        return format!("  {kind} {species}: no boid within {radius}\n");
    };
    let mut text = format!(
        "  {kind} {species}: {id}, the nearest within {radius}, at {}\n",
        number(f64::from(*distance))
    );
    text += &vector("force", force, &size_of(force));
    text + &vector(&format!("times {weight}"), weighted, &size_of(weighted))
}

fn rule_lines(rule: &RuleData, weighted: &[f32]) -> String {
    let mut text = vector("sum", &rule.sum, "");
    for (label, v, note) in [
        ("own value", &rule.included, "part of the mean"),
        ("mean", &rule.mean, ""),
        ("- own value", &rule.subtracted, ""),
        ("parting", &rule.parting, "by hash, from who stands on it"),
    ] {
        v.iter().for_each(|v| text += &vector(label, v, note));
    }
    if rule.away || rule.response_kind == "flee" || rule.subtracted.is_some() {
        let note = if rule.away { "away: 0 - sum" } else { "" };
        text += &vector("= wanted", &rule.wanted, note);
    }
    if !matches!(rule.response_kind, "raw" | "flee") {
        text += &vector(&format!("{} of that", rule.response_kind), &rule.response, "");
    }
    text + &vector(&format!("times {}", rule.weight), weighted, &size_of(weighted))
}

fn combined(
    combine: &str,
    terms: &[TermData],
    sum: &[f32],
    cut_to: Option<f32>,
    steering: &[f32],
) -> String {
    let mut text = format!("\nsteering: {combine}\n");
    let told: Vec<&TermData> = terms.iter().filter(|term| counts_for_something(term)).collect();
    for term in told {
        let note = match (term.budget, term.served) {
            (Some(budget), served) if served < 1.0 => {
                format!(
                    "{}: {:.1} % of it, for {} are left",
                    size_of(&term.weighted),
                    served * 100.0,
                    number(f64::from(budget))
                )
            }
            (_, 0.0) => format!("{}: nothing of it, for nothing is left", size_of(&term.weighted)),
            (Some(budget), _) => {
                format!("{} of the {} left", size_of(&term.weighted), number(f64::from(budget)))
            }
            (None, _) => size_of(&term.weighted),
        };
        text += &vector(&label(term), &term.weighted, &note);
    }
    text += &vector("= sum", sum, &size_of(sum));
    match (combine, cut_to) {
        ("direction", _) => text + &vector("its direction", steering, ""),
        ("weighted", Some(limit)) => {
            text + &vector(
                "cut by max_force",
                steering,
                &format!("to {}", number(f64::from(limit))),
            )
        }
        ("prioritized", Some(limit)) => {
            text + &format!("  max_force {} is spent\n", number(f64::from(limit)))
        }
        _ => text,
    }
}

fn advance_lines(advance: &AdvanceData, origin: &[f64], dt: f32) -> String {
    let mut text = format!("\nstep of {dt}\n");
    if let Some(one) = &advance.anticipation {
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
        one.velocity.iter().for_each(|velocity| text += &vector("it chooses", velocity, &looks_at));
        one.force.iter().for_each(|force| text += &vector("its force", force, &looks_at));
    }
    advance.acceleration.iter().for_each(|a| text += &vector("acceleration", a, &size_of(a)));
    text += &vector(
        "wanted velocity",
        &advance.wanted_velocity,
        &format!("speed {}", size(&advance.wanted_velocity)),
    );
    let value = advance.limit_value.map_or(String::new(), |value| number(f64::from(value)));
    let note = match advance.limit {
        "none" => None,
        "max_speed" => Some(format!("slowed to the maximum speed {value}")),
        "min_speed" => Some(format!("sped up to the minimum speed {value}")),
        "min_speed_onwards" => {
            Some(format!("on in the old direction, at the minimum speed {value}"))
        }
        "min_speed_from_rest" => Some(format!("set off by hash, at the minimum speed {value}")),
        "smoothing" => Some(format!("smoothed: {value} of the way there")),
        "kept" => Some("no direction wanted: as before".to_string()),
        "turning_rate" => Some("turned by as much as the turning rate allows".to_string()),
        "anticipation" => None,
        "leaning" => Some(format!("leaning there by {value} of the way")),
        _ => Some(format!("components within {value}")),
    };
    note.iter().for_each(|note| text += &vector("limited", &advance.limited_velocity, note));
    if advance.met_edge.contains(&true) {
        text += &line("moved to", &world(&advance.moved_to, origin), "");
        text += &match (&advance.obstacle, advance.edge) {
            (Some(name), _) => format!("  obstacle {name} keeps it outside:\n"),
            (None, Some("wraps")) => {
                "  the domain's edge: it enters at the opposite one:\n".to_string()
            }
            (None, Some("reflects")) => "  the domain's edge reflects it:\n".to_string(),
            _ => "  the domain's edge stops it:\n".to_string(),
        };
    }
    if let Some(hindered) = &advance.hindered {
        let by: Vec<String> = hindered.by.iter().map(u64::to_string).collect();
        text += &vector("way wanted", &hindered.wanted, &format!("in the way: {}", by.join(", ")));
        text += &vector(
            "way left",
            &hindered.way,
            if hindered.by.is_empty() { "as a periodic box allows" } else { "" },
        );
    }
    if advance.squeezed {
        text += "  squeezed: an obstacle overlaps it, and no straight way leads to a free place\n";
    }
    text += &line("position", &world(&advance.position, origin), "");
    text + &vector("velocity", &advance.velocity, &format!("speed {}", size(&advance.velocity)))
}

/// A position in the scene's coordinates.
fn world(position: &[f32], origin: &[f64]) -> Vec<String> {
    position.iter().zip(origin).map(|(&x, origin)| number(f64::from(x) + origin)).collect()
}

fn vector(label: &str, v: &[f32], note: &str) -> String {
    line(label, &v.iter().map(|&x| number(f64::from(x))).collect::<Vec<_>>(), note)
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
fn number(x: f64) -> String {
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
