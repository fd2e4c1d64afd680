//! A small map of where the flock is, in braille: eight dots a character, shaded by how many boids
//! lie under each.

use wingbeat_render::{Boids, Extent};
use wingbeat_scene::AnyFlock;

use crate::still::{bounds, now};

/// Characters across, and at most down.
const COLUMNS: usize = 64;
const MOST_ROWS: usize = 24;

/// The map of a flock seen along z, with one line that says what part of the world it shows.
pub fn map_of(flock: &AnyFlock) -> String {
    let now = now(flock, 0.0);
    let points: Vec<[f64; 2]> =
        (0..now.len()).map(|i| now.position(i)).map(|[x, y, _]| [x.into(), y.into()]).collect();
    let extent = match bounds(flock) {
        Some(bounds) => Extent::of(&bounds, 2),
        None => Boids::new(now.time, &now.ids, &now.positions, &now.velocities)
            .map_or(NOWHERE, |boids| Extent::around(&boids)),
    };
    let ([width, height, _], [low_x, low_y, _], [high_x, high_y, _]) =
        (extent.size(), extent.low, extent.high);
    // Dots are square on screen: a character is twice as high as wide, and holds two by four of
    // them.
    let rows = ((COLUMNS as f64 * 2.0 * height / width / 4.0).round() as usize).clamp(1, MOST_ROWS);
    let columns = ((rows as f64 * 4.0 * width / height / 2.0).round() as usize).clamp(1, COLUMNS);
    let seen = if flock.dimensions() == 3 { ", seen along z" } else { "" };
    let map = map(&points, [low_x, low_y], [high_x, high_y], columns, rows);
    format!("{map}x {low_x:.4} to {high_x:.4}, y {low_y:.4} to {high_y:.4}{seen}\n")
}

/// Stands in for a flock whose columns differ in length, which does not occur.
const NOWHERE: Extent = Extent { low: [-1.0; 3], high: [1.0; 3] };

/// The map of points within `low..high`, y upwards, as lines of braille characters.
pub fn map(
    points: &[[f64; 2]],
    low: [f64; 2],
    high: [f64; 2],
    columns: usize,
    rows: usize,
) -> String {
    let (across, down) = (columns * 2, rows * 4);
    let mut counts = vec![0u32; across * down];
    for point in points {
        let place = |a: usize, dots: usize| {
            let share = (point[a] - low[a]) / (high[a] - low[a]);
            // The highest coordinate belongs to the last dot.
            (0.0..=1.0).contains(&share).then(|| ((share * dots as f64) as usize).min(dots - 1))
        };
        if let (Some(x), Some(y)) = (place(0, across), place(1, down)) {
            counts[(down - 1 - y) * across + x] += 1;
        }
    }
    let full = full_shade(&counts);
    let mut text = String::new();
    for row in 0..rows {
        for column in 0..columns {
            let lit = |dx: usize, dy: usize| {
                let (x, y) = (column * 2 + dx, row * 4 + dy);
                f64::from(counts[y * across + x]) / full > threshold(x, y)
            };
            text.push(braille(lit));
        }
        text.push('\n');
    }
    text
}

/// The count from which a dot is always lit: the 95th percentile of the counts above 0, so that one
/// dense knot does not leave the rest dark.
fn full_shade(counts: &[u32]) -> f64 {
    let mut held: Vec<u32> = counts.iter().copied().filter(|&count| count > 0).collect();
    held.sort_unstable();
    held.get(held.len() * 95 / 100).map_or(1.0, |&count| f64::from(count))
}

/// Ordered dither (Bayer 4 × 4): which share of the full shade lights this dot.
fn threshold(x: usize, y: usize) -> f64 {
    const BAYER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    (f64::from(BAYER[y % 4][x % 4]) + 0.5) / 16.0
}

/// The braille character with these of its two by four dots lit.
fn braille(lit: impl Fn(usize, usize) -> bool) -> char {
    // Unicode numbers the dots down the left column, down the right, and the bottom row last.
    const BITS: [[u32; 2]; 4] = [[0, 3], [1, 4], [2, 5], [6, 7]];
    let mut bits = 0;
    for (dy, row) in BITS.iter().enumerate() {
        for (dx, &bit) in row.iter().enumerate() {
            bits |= u32::from(lit(dx, dy)) << bit;
        }
    }
    char::from_u32(0x2800 + bits).unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_boids_light_their_own_dot() {
        // One character: left column top to bottom, then right, as the eye sees them (y upwards).
        let at = |x, y| map(&[[x, y]], [0.0, 0.0], [2.0, 4.0], 1, 1);
        assert_eq!(at(0.5, 3.5), "⠁\n");
        assert_eq!(at(1.5, 3.5), "⠈\n");
        assert_eq!(at(0.5, 0.5), "⡀\n");
        assert_eq!(at(2.0, 0.0), "⢀\n");
    }

    #[test]
    fn no_boids_and_far_away_ones_leave_it_blank() {
        assert_eq!(map(&[], [0.0; 2], [1.0; 2], 2, 1), "⠀⠀\n");
        assert_eq!(map(&[[9.0, 9.0]], [0.0; 2], [1.0; 2], 2, 1), "⠀⠀\n");
    }

    #[test]
    fn denser_places_have_more_dots() {
        let mut points = Vec::new();
        for i in 0..32u32 {
            for j in 0..16u32 {
                let point = [f64::from(i) + 0.5, f64::from(j) + 0.5];
                // One boid a dot on the left, eight on the right.
                points.extend(std::iter::repeat_n(point, if i < 16 { 1 } else { 8 }));
            }
        }
        let text = map(&points, [0.0; 2], [32.0, 16.0], 16, 4);
        let dots = |keep: fn(usize) -> bool| -> u32 {
            let lines = text.lines().flat_map(|line| line.chars().enumerate());
            lines.filter(|(i, _)| keep(*i)).map(|(_, c)| (c as u32 - 0x2800).count_ones()).sum()
        };
        let (left, right) = (dots(|i| i < 8), dots(|i| i >= 8));
        assert_eq!(right, 16 * 16);
        assert!(left > 0 && left * 4 < right, "{left} of {right}\n{text}");
    }
}
