//! How a step changes a velocity, in words.

use std::cmp::Ordering;

use wingbeat::steer::REST_SPEED;

/// Below this a change of direction is not told, degrees.
const STRAIGHT: f64 = 0.5;
/// Up to this part a change of speed is not told.
const STEADY: f64 = 0.01;
/// A heading whose horizontal part is less than this has no left and right.
const VERTICAL: f64 = 0.05;

/// `turns 12° left and slows to 0.93`.
pub(super) fn movement(before: &[f32], after: &[f32]) -> String {
    let (from, to) = (norm(before), norm(after));
    let rest = f64::from(REST_SPEED);
    match (from < rest, to < rest) {
        (true, true) => return "stays at rest".into(),
        (true, false) => return format!("sets off at {}", short(to)),
        (false, true) => return "comes to rest".into(),
        (false, false) => {}
    }
    let angle = angle(before, after);
    let turn = if angle < STRAIGHT {
        "goes straight on".into()
    } else if angle > 180.0 - STRAIGHT {
        "turns round".into()
    } else {
        let digits = usize::from(angle < 9.95);
        format!("turns {angle:.digits$}°{}", side(before, after))
    };
    match to / from - 1.0 {
        change if change > STEADY => format!("{turn} and speeds up to {}", short(to)),
        change if change < -STEADY => format!("{turn} and slows to {}", short(to)),
        _ => turn,
    }
}

/// Degrees between two vectors, 0 to 180.
fn angle(a: &[f32], b: &[f32]) -> f64 {
    let unit = |v: &[f32]| -> Vec<f64> { v.iter().map(|&x| f64::from(x) / norm(v)).collect() };
    let (a, b) = (unit(a), unit(b));
    let size = |sign: f64| {
        a.iter().zip(&b).map(|(x, y)| (x + sign * y) * (x + sign * y)).sum::<f64>().sqrt()
    };
    (2.0 * libm::atan2(size(-1.0), size(1.0))).to_degrees()
}

/// To which side: in the plane left or right; in space, where z is up, up or down if that part of
/// the turn is the larger one.
fn side(before: &[f32], after: &[f32]) -> &'static str {
    let at = |v: &[f32], axis: usize| v.get(axis).map_or(0.0, |&x| f64::from(x) / norm(v));
    let cross = at(before, 0) * at(after, 1) - at(before, 1) * at(after, 0);
    let across = match cross.partial_cmp(&0.0) {
        Some(Ordering::Greater) => " left",
        Some(Ordering::Less) => " right",
        _ => "",
    };
    if before.len() < 3 {
        return across;
    }
    let level = |v: &[f32]| (at(v, 0) * at(v, 0) + at(v, 1) * at(v, 1)).sqrt();
    if level(before) < VERTICAL || level(after) < VERTICAL {
        return "";
    }
    let pitch = |v: &[f32]| libm::atan2(at(v, 2), level(v));
    let climb = pitch(after) - pitch(before);
    let yaw = libm::atan2(cross, at(before, 0) * at(after, 0) + at(before, 1) * at(after, 1));
    // The same change of the compass heading is a smaller turn the steeper the flight.
    let sideways = yaw * libm::cos(0.5 * (pitch(before) + pitch(after)));
    match climb {
        climb if climb.abs() <= sideways.abs() => across,
        climb if climb > 0.0 => " up",
        _ => " down",
    }
}

pub(super) fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
}

pub(super) fn norm(v: &[f32]) -> f64 {
    dot(v, v).sqrt()
}

/// Three digits that say something.
fn short(x: f64) -> String {
    if !(1e-3..1e6).contains(&x) {
        return format!("{x:.2e}");
    }
    let digits = [0.01, 0.1, 1.0, 10.0, 100.0].iter().filter(|&&power| x < power).count();
    let text = format!("{x:.digits$}");
    if digits > 0 { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}
