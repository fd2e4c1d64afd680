//! From boids to triangles on a canvas; what comes after only draws.

use wingbeat::steer::math;
use wingbeat_scene::Row;

use super::color::{self, Rgb};
use super::view::Window;

/// The longer side of a picture, pixels.
const LONG_SIDE: f64 = 1600.0;
/// Air around the world, pixels.
const MARGIN: f64 = 32.0;
/// Shortest and longest triangle, pixels: below, a heading cannot be seen; above, a few boids look like a logo.
const LENGTHS: [f32; 2] = [5.5, 26.0];
/// Slower than this has no heading.
const AT_REST: f64 = 1e-15;

/// A picture ready to be drawn, coordinates in pixels from the top left.
#[derive(Debug)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The domain's edge: left, top, width, height.
    pub edge: Option<[f32; 4]>,
    /// Boids, the farthest first.
    pub triangles: Vec<Triangle>,
}

/// One boid.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Tip, then the two ends of the tail.
    pub points: [[f32; 2]; 3],
    /// Its colour.
    pub color: Rgb,
}

/// Places the boids on a canvas that has the world's shape.
pub fn compose(rows: &[Row], bounds: Option<([f32; 3], [f32; 3])>, dimensions: usize) -> Picture {
    let points: Vec<[f64; 2]> = rows.iter().map(|row| [f64::from(row.position[0]), f64::from(row.position[1])]).collect();
    let window = Window::around(&points, bounds);
    let [width, height] = window.size();
    let longest = if width > height { width } else { height };
    let per_unit = (LONG_SIDE - 2.0 * MARGIN) / longest;
    let inner = [width * per_unit, height * per_unit];
    let place = |point: [f64; 2]| {
        [MARGIN + (point[0] - window.low[0]) * per_unit, MARGIN + inner[1] - (point[1] - window.low[1]) * per_unit]
    };
    let length = length_for(inner[0] * inner[1], rows.len());
    let depths = Depths::of(rows, dimensions);
    let mut order: Vec<&Row> = rows.iter().filter(|row| inside(row, &window)).collect();
    if dimensions == 3 {
        order.sort_by(|one, other| one.position[2].total_cmp(&other.position[2]));
    }
    let triangles = order.into_iter().map(|row| {
        let at = place([f64::from(row.position[0]), f64::from(row.position[1])]);
        triangle(at, row.velocity.map(f64::from), length, depths.nearness(row))
    });
    Picture {
        width: (inner[0] + 2.0 * MARGIN).ceil() as u32,
        height: (inner[1] + 2.0 * MARGIN).ceil() as u32,
        edge: bounds.map(|_| [MARGIN, MARGIN, inner[0], inner[1]].map(|x| x as f32)),
        triangles: triangles.collect(),
    }
}

/// Long enough to show a heading, short enough to leave neighbours apart.
fn length_for(area: f64, boids: usize) -> f64 {
    let between = (area / boids.max(1) as f64).sqrt();
    math::clamp((between * 1.1) as f32, LENGTHS[0], LENGTHS[1]).into()
}

fn inside(row: &Row, window: &Window) -> bool {
    (0..2).all(|a| (window.low[a]..=window.high[a]).contains(&f64::from(row.position[a])))
}

fn triangle(at: [f64; 2], velocity: [f64; 3], length: f64, nearness: f64) -> Triangle {
    let speed = (velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]).sqrt();
    let along = (velocity[0] * velocity[0] + velocity[1] * velocity[1]).sqrt();
    let (direction, color) = if speed < AT_REST || along < AT_REST {
        ([1.0, 0.0], color::at_rest(nearness))
    } else {
        ([velocity[0] / along, velocity[1] / along], color::of_heading(libm::atan2(velocity[1], velocity[0]), nearness))
    };
    // A boid that flies towards us looks short, and far ones look small.
    let foreshortened = if speed < AT_REST { 0.5 } else { 0.45 + 0.55 * along / speed };
    let size = length * (0.7 + 0.3 * nearness);
    let (tip, tail, half_width) = (size * 0.62 * foreshortened, size * 0.42 * foreshortened, size * 0.25);
    // The canvas has y downwards.
    let [dx, dy] = [direction[0], -direction[1]];
    let point = |forward: f64, left: f64| [(at[0] + dx * forward + dy * left) as f32, (at[1] + dy * forward - dx * left) as f32];
    Triangle { points: [point(tip, 0.0), point(-tail, half_width), point(-tail, -half_width)], color }
}

/// How deep the flock is, along z.
struct Depths {
    far: f64,
    near: f64,
}

impl Depths {
    fn of(rows: &[Row], dimensions: usize) -> Self {
        let mut heights: Vec<f32> = rows.iter().map(|row| row.position[2]).collect();
        heights.sort_unstable_by(f32::total_cmp);
        let at = |share: usize| heights.get(heights.len() * share / 100).map_or(0.0, |&z| f64::from(z));
        if dimensions == 2 { Self { far: 0.0, near: 0.0 } } else { Self { far: at(2), near: at(98) } }
    }

    /// 0.4 for the farthest to 1 for the nearest; the plane is near.
    fn nearness(&self, row: &Row) -> f64 {
        let span = self.near - self.far;
        if span <= 0.0 {
            return 1.0;
        }
        let share = (f64::from(row.position[2]) - self.far) / span;
        0.4 + 0.6 * f64::from(math::clamp(share as f32, 0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: f32, y: f32, z: f32, velocity: [f32; 3]) -> Row {
        Row { id: 0, position: [x, y, z], velocity }
    }

    #[test]
    fn the_tip_points_along_the_heading() {
        let rows = [row(5.0, 5.0, 0.0, [0.0, 2.0, 0.0])];
        let picture = compose(&rows, Some(([0.0; 3], [10.0; 3])), 2);
        let [tip, left, right] = picture.triangles[0].points;
        // Upwards in the world is towards the top of the canvas.
        assert!(tip[1] < left[1] && tip[1] < right[1] && (tip[0] - 800.0).abs() < 0.5, "{tip:?}");
        assert_eq!((picture.width, picture.height), (1600, 1600));
    }

    #[test]
    fn the_nearest_is_drawn_last_and_brightest() {
        let rows: Vec<Row> = (0..100u8).map(|i| row(5.0, 5.0, f32::from(i), [1.0, 0.0, 0.0])).rev().collect();
        let picture = compose(&rows, Some(([0.0; 3], [10.0; 3])), 3);
        let brightness = |t: &Triangle| t.color.iter().map(|&c| u32::from(c)).sum::<u32>();
        assert!(brightness(&picture.triangles[99]) > brightness(&picture.triangles[0]));
    }

    #[test]
    fn nobody_makes_an_empty_picture() {
        let picture = compose(&[], None, 2);
        assert!(picture.triangles.is_empty() && picture.width >= 100 && picture.height >= 100);
    }
}
