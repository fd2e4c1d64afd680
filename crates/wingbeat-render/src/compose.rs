//! From boids to shapes on the canvas, far to near; what comes after only draws.

use rayon::prelude::*;

use crate::backdrop::Shown;
use crate::camera::{Place, View};
use crate::color::{self, Ramp, Rgb, Theme};
use crate::extent::Extent;
use crate::num::{most, within};
use crate::overlay::Labels;
use crate::trails::{Look, Trails};
use crate::{Boids, Bounds, Color};

/// Shapes in pixels from the top left, ready to be drawn in this order: a picture of the world,
/// edges behind, trails, boids, edges before, labels.
#[derive(Debug)]
pub struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) theme: Theme,
    /// Not in SVG.
    pub(crate) backdrop: Option<Shown>,
    pub(crate) behind: Vec<Streak>,
    pub(crate) trails: Vec<Streak>,
    pub(crate) darts: Vec<Dart>,
    pub(crate) before: Vec<Streak>,
    pub(crate) labels: Option<Labels>,
}

impl Picture {
    /// How many boids are in it: those on the canvas and before the camera.
    pub fn boids(&self) -> usize {
        self.darts.len()
    }
}

/// A boid: an arrowhead with a notch behind, the same on both sides of its axis. One without a
/// heading has no length, and is a disc.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dart {
    pub x: f32,
    pub y: f32,
    /// Where it points: a unit vector of the canvas.
    pub along: [f32; 2],
    pub length: f32,
    /// Half its width, or the disc's radius.
    pub half: f32,
    pub color: Rgb,
    /// 0 (not there) to 256.
    pub alpha: u16,
}

/// The parts of a dart's length before its middle, behind it, and from the middle to the notch.
pub const TIP: f32 = 0.58;
pub const TAIL: f32 = 0.42;
pub const NOTCH: f32 = 0.2;

/// A line with straight ends.
#[derive(Clone, Copy, Debug)]
pub struct Streak {
    pub from: [f32; 2],
    pub to: [f32; 2],
    pub half: f32,
    pub color: Rgb,
    /// 0 to 256.
    pub alpha: u16,
}

/// Boids shorter than this on the canvas show no heading: they are drawn as long as this, and
/// fainter.
const SHORTEST: f32 = 2.6;
/// How opaque boids are, of 256: those behind glimmer through.
const OPACITY: f32 = 250.0;
/// How much of the fog is before the farthest.
const FOG: f32 = 0.52;
/// How opaque a trail begins, of 256.
const TRAIL: f32 = 170.0;
/// Bends of a trail are this far apart at least, pixels.
const BEND: f32 = 1.5;
/// Boids to a task.
const TASK: usize = 4096;

/// What shapes are made of beside boids.
pub struct Stage<'a> {
    pub view: &'a View,
    pub ramp: &'a Ramp,
    pub color: Color,
    pub width: u32,
    pub height: u32,
    /// Length of a boid in the world.
    pub length: f32,
    /// Radii of bodies, by species.
    pub radii: &'a [f32],
    pub bounds: Option<&'a Bounds>,
    pub trails: &'a Trails,
}

impl Stage<'_> {
    /// Boids as darts and trails, the farthest first.
    pub fn boids(&self, boids: &Boids<'_>) -> (Vec<Dart>, Vec<Streak>) {
        let tasks: Vec<Vec<(f32, u32, Dart)>> = (0..boids.len().div_ceil(TASK))
            .into_par_iter()
            .map(|task| self.task(boids, task))
            .collect();
        let seen: Vec<(f32, u32, Dart)> = tasks.concat();
        let order = far_to_near(&seen);
        let trails = self.all_trails(boids, &seen, &order);
        (order.iter().map(|&i| seen[i as usize].2).collect(), trails)
    }

    fn task(&self, boids: &Boids<'_>, task: usize) -> Vec<(f32, u32, Dart)> {
        let to = (task * TASK + TASK).min(boids.len());
        let each = |i: usize| {
            let place = self.view.place(boids.position(i))?;
            let dart = self.dart(boids, i, &place);
            // Trails of boids that just left are still drawn.
            let reach = dart.length + dart.half + if self.trails.is_empty() { 0.0 } else { 200.0 };
            let (width, height) = (self.width as f32, self.height as f32);
            let inside = place.x > -reach
                && place.x < width + reach
                && place.y > -reach
                && place.y < height + reach;
            inside.then_some((place.far, i as u32, dart))
        };
        (task * TASK..to).filter_map(each).collect()
    }

    fn dart(&self, boids: &Boids<'_>, i: usize, place: &Place) -> Dart {
        let velocity = boids.velocity(i);
        let nearness = self.view.nearness(place.far);
        let species = boids.species.get(i).copied().unwrap_or(0);
        let color = self.ramp.of(velocity, species);
        // A little lighter or darker each, or neighbors of one heading would melt into one patch.
        let color = color::scaled(color, 0.88 + 0.12 * grain(boids.ids[i]));
        let color = color::blend(color, self.ramp.theme.fog, FOG * (1.0 - nearness));
        let wanted = self.length * place.per_unit;
        let size = most(wanted, SHORTEST);
        // What is drawn larger than it is lets more of what is behind through.
        let alpha = OPACITY * within(wanted / size, 0.25, 1.0);
        let mut dart =
            Dart { x: place.x, y: place.y, color, alpha: alpha as u16, ..Dart::default() };
        let body = self.radii.get(usize::from(species)).filter(|&&radius| radius > 0.0);
        if let Some(radius) = body {
            dart.alpha = OPACITY as u16;
            dart.half = most(radius * place.per_unit, 1.0);
            return dart;
        }
        let speed = crate::num::dot(velocity, velocity).sqrt();
        if speed > 1e-15 && speed.is_finite() {
            let [dx, dy] = self.view.direction(place, velocity.map(|v| v / speed));
            let shown = (dx * dx + dy * dy).sqrt();
            dart.along = if shown > 1e-6 { [dx / shown, dy / shown] } else { [1.0, 0.0] };
            // Who flies towards us looks short, as a cone would.
            dart.length = size * (0.45 + 0.55 * within(shown, 0.0, 1.0));
            dart.half = most(size * 0.31, 1.15);
        } else {
            dart.half = most(size * 0.3, 1.0);
        }
        dart
    }

    fn all_trails(
        &self,
        boids: &Boids<'_>,
        seen: &[(f32, u32, Dart)],
        order: &[u32],
    ) -> Vec<Streak> {
        let looks = self.trails.looks(boids);
        if looks.is_empty() {
            return Vec::new();
        }
        let task = |part: &[u32]| {
            let mut streaks = Vec::new();
            for &i in part {
                let (_, boid, dart) = &seen[i as usize];
                self.trail(boids, *boid as usize, dart, &looks, &mut streaks);
            }
            streaks
        };
        order.par_chunks(TASK).map(task).collect::<Vec<_>>().concat()
    }

    fn trail(
        &self,
        boids: &Boids<'_>,
        i: usize,
        dart: &Dart,
        looks: &[Look<'_>],
        streaks: &mut Vec<Streak>,
    ) {
        let mut last = boids.position(i);
        let (mut from, mut from_world) = ([dart.x, dart.y], last);
        let half = within(dart.half * 0.3, 0.5, 1.6);
        for (k, look) in looks.iter().enumerate() {
            let Some(here) = look.position(i, boids.ids[i]).filter(|&here| !self.wraps(last, here))
            else {
                break;
            };
            last = here;
            let Some(place) = self.view.place(here) else { break };
            let to = [place.x, place.y];
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            let is_last = k + 1 == looks.len();
            if dx * dx + dy * dy < BEND * BEND && !is_last {
                continue;
            }
            let left = 1.0 - k as f32 / looks.len() as f32;
            // A trail has the colours of the headings it shows.
            let color = if self.color == Color::Heading {
                let way: [f32; 3] = std::array::from_fn(|a| from_world[a] - here[a]);
                let nearness = self.view.nearness(place.far);
                color::blend(self.ramp.of_heading(way), self.ramp.theme.fog, FOG * (1.0 - nearness))
            } else {
                dart.color
            };
            let alpha = (TRAIL * left * (0.4 + 0.6 * left)) as u16;
            streaks.push(Streak { from, to, half, color, alpha });
            (from, from_world) = (to, here);
        }
    }

    /// Whether a step was one across a periodic face.
    fn wraps(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        let Some(bounds) = self.bounds.filter(|bounds| bounds.periodic) else { return false };
        (0..3).any(|a| {
            let size = bounds.max[a] - bounds.min[a];
            size > 0.0 && (to[a] - from[a]).abs() > size / 2.0
        })
    }

    /// Lines of the world in a color, as far as the camera sees both ends.
    pub fn lines(&self, lines: &[[[f32; 3]; 2]], color: Rgb) -> Vec<Streak> {
        let half = most(self.height as f32 / 1100.0, 0.6);
        let streak = |line: &[[f32; 3]; 2]| {
            let (start, end) = (self.view.place(line[0])?, self.view.place(line[1])?);
            let fog = FOG * (1.0 - self.view.nearness((start.far + end.far) * 0.5));
            let color = color::blend(color, self.ramp.theme.fog, fog);
            Some(Streak { from: [start.x, start.y], to: [end.x, end.y], half, color, alpha: 190 })
        };
        lines.iter().filter_map(streak).collect()
    }

    /// The edges of the box: those behind the flock, and those before it.
    pub fn edges(&self, dimensions: usize) -> [Vec<Streak>; 2] {
        let mut edges = [Vec::new(), Vec::new()];
        let Some(bounds) = self.bounds else { return edges };
        let corners = Extent::of(bounds, dimensions).corners();
        let half = most(self.height as f32 / 1800.0, 0.5);
        let eye: [f32; 3] = std::array::from_fn(|a| {
            self.view.focus[a] as f32 - self.view.forward[a] * self.view.distance
        });
        for (from, one) in corners.iter().enumerate() {
            for axis in (0..dimensions).filter(|axis| from >> axis & 1 == 0) {
                let to = from | 1 << axis;
                if dimensions == 2 && to > 3 {
                    continue;
                }
                // A face whose outside is seen is before the flock, an edge of two such faces too.
                let outside = |a: usize| {
                    if from >> a & 1 == 1 { eye[a] > bounds.max[a] } else { eye[a] < bounds.min[a] }
                };
                let before = dimensions == 3 && (0..3).filter(|&a| a != axis).all(outside);
                let ends =
                    [*one, corners[to]].map(|corner| self.view.place(corner.map(|x| x as f32)));
                if let [Some(start), Some(end)] = ends {
                    let alpha = if before { 84 } else { 200 };
                    let (from, to) = ([start.x, start.y], [end.x, end.y]);
                    edges[usize::from(before)].push(Streak {
                        from,
                        to,
                        half,
                        color: self.ramp.theme.edge,
                        alpha,
                    });
                }
            }
        }
        edges
    }
}

/// Places of a list by distance, the farthest first; of two as far the first first. A counting sort
/// over 65536 distances: what lies closer together than that may overlap either way.
fn far_to_near(seen: &[(f32, u32, Dart)]) -> Vec<u32> {
    const BINS: usize = 1 << 16;
    let low = seen.iter().fold(f32::INFINITY, |low, (far, ..)| crate::num::least(low, *far));
    let high = seen.iter().fold(f32::NEG_INFINITY, |high, (far, ..)| most(high, *far));
    if high <= low {
        return (0..seen.len() as u32).collect();
    }
    let scale = (BINS - 1) as f32 / (high - low);
    let bin = |far: f32| ((high - far) * scale) as usize;
    let mut starts = vec![0u32; BINS + 1];
    seen.iter().for_each(|(far, ..)| starts[bin(*far) + 1] += 1);
    for i in 0..BINS {
        starts[i + 1] += starts[i];
    }
    let mut order = vec![0u32; seen.len()];
    for (i, (far, ..)) in seen.iter().enumerate() {
        let next = &mut starts[bin(*far)];
        order[*next as usize] = i as u32;
        *next += 1;
    }
    order
}

/// A number in 0 to 1 that is a boid's own (the end of SplitMix64).
fn grain(id: u64) -> f32 {
    let mixed =
        (id.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ (id >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 40) as f32 / (1u32 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_comes_first_and_equals_keep_their_order() {
        let list =
            |far: &[f32]| far.iter().map(|&far| (far, 0, Dart::default())).collect::<Vec<_>>();
        assert_eq!(far_to_near(&list(&[1.0, 3.0, 2.0, 3.0, 1.0])), [1, 3, 2, 0, 4]);
        assert_eq!(far_to_near(&list(&[0.0; 3])), [0, 1, 2]);
        assert!(far_to_near(&[]).is_empty());
        let many: Vec<f32> = (0..5000u32).map(|i| ((i * 7919) % 5003) as f32).collect();
        let order = far_to_near(&list(&many));
        assert!(order.windows(2).all(|pair| many[pair[0] as usize] > many[pair[1] as usize]));
    }
}
