//! What a segment meets first: an obstacle, or the body of a boid.
//!
//! ```text
//! hit ← the first obstacle                            (the definition, over the tree's candidates)
//! for each piece of the segment, from its start on:
//!     for each boid that the grid has near the piece:
//!         hit ← the sphere of its body, if it is met earlier    (f64; of equals the lowest id)
//!     stop if the hit lies before the end of the piece
//! ```

use wingbeat_steer::{ObstacleId, Vector};

use super::{Flock, Neighbors, Query, checks};
use crate::BoidId;
use crate::grid::Reach;
use crate::motion::body::BodyColumns;
use crate::simd::with_default_rounding;

/// Most pieces that a segment is searched in.
const PIECES: f64 = 1024.0;

/// What a segment met.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitTarget {
    /// An obstacle.
    Obstacle(ObstacleId),
    /// The body of a boid.
    Boid(BoidId),
}

/// Where a segment first meets something; see [`Flock::first_hit`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<const D: usize> {
    /// What it meets.
    pub target: HitTarget,
    /// Where, length. In a periodic box it is in the box.
    pub position: [f32; D],
    /// Unit vector out of the surface there.
    pub normal: [f32; D],
    /// From the start of the segment to there, length.
    pub distance: f32,
}

impl<const D: usize> Flock<D> {
    /// What the straight segment between two points first meets: an obstacle or, in a flock with
    /// bodies, a boid. In a periodic box it goes to the nearest image of `to`. A segment that
    /// begins inside of something meets that at once. `None`: the line of sight is free; also where
    /// a point is not finite.
    ///
    /// ```
    /// use wingbeat::query::HitTarget;
    /// use wingbeat::steer::{Obstacle, ObstacleMotion, ObstacleShape, SolidBody};
    /// use wingbeat::{Flock2, Params};
    /// let shape = ObstacleShape::Sphere { center: [5.0, 0.0], radius: 1.0 };
    /// let tree = Obstacle { name: "tree".into(), shape, motion: ObstacleMotion::Static };
    /// let body = SolidBody { radius: 0.5, ..SolidBody::default() };
    /// let flock = Flock2::builder()
    ///     .params(Params { body: Some(body), ..Params::default() })
    ///     .obstacles(vec![tree])
    ///     .boids(&[[2.0, 0.0]], &[[0.0; 2]])
    ///     .build()?;
    /// let hit = flock.first_hit([0.0, 0.0], [9.0, 0.0]).unwrap();
    /// assert!(matches!(hit.target, HitTarget::Boid(id) if id.get() == 0));
    /// assert_eq!((hit.distance, hit.normal), (1.5, [-1.0, 0.0]));
    /// // From behind the boid the tree is first.
    /// let hit = flock.first_hit([2.75, 0.0], [9.0, 0.0]).unwrap();
    /// assert!(matches!(hit.target, HitTarget::Obstacle(_)) && (hit.distance - 1.25).abs() < 1e-5);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// The way costs what it passes: some boids a piece of a radius of perception.
    pub fn first_hit(&self, from: impl Into<[f32; D]>, to: impl Into<[f32; D]>) -> Option<Hit<D>> {
        self.find_first_hit(from.into(), to.into(), &mut |_| true)
    }

    /// The same among the obstacles and boids for which `is_wanted` holds: all but the boid that
    /// looks, say.
    ///
    /// ```
    /// use wingbeat::{Flock2, Params, query::HitTarget, steer::SolidBody};
    /// let body = SolidBody { radius: 0.5, ..SolidBody::default() };
    /// let flock = Flock2::builder()
    ///     .params(Params { body: Some(body), ..Params::default() })
    ///     .boids(&[[0.0, 0.0], [4.0, 0.0]], &[[0.0; 2]; 2])
    ///     .build()?;
    /// let own = HitTarget::Boid(flock.frame().boid(0).id);
    /// let hit = flock.first_hit_where([0.0, 0.0], [9.0, 0.0], |target| target != own);
    /// assert_eq!(hit.map(|hit| hit.distance), Some(3.5));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    pub fn first_hit_where(
        &self,
        from: impl Into<[f32; D]>,
        to: impl Into<[f32; D]>,
        mut is_wanted: impl FnMut(HitTarget) -> bool,
    ) -> Option<Hit<D>> {
        self.find_first_hit(from.into(), to.into(), &mut is_wanted)
    }

    #[inline(never)]
    pub(crate) fn find_first_hit(
        &self,
        from: [f32; D],
        to: [f32; D],
        is_wanted: &mut dyn FnMut(HitTarget) -> bool,
    ) -> Option<Hit<D>> {
        if !(from.all_finite() && to.all_finite()) {
            return None;
        }
        with_default_rounding(|| {
            let mut query = self.query(from);
            let Neighbors { query: Query { point: from, .. }, scratch, .. } = &mut query;
            let (from, domain) = (*from, &self.settings.domain);
            let end = checks::settled(to, domain);
            let segment = Segment {
                from: from.map(f64::from),
                way: crate::arrays::from_fn(|a| {
                    let way = f64::from(end[a]) - f64::from(from[a]);
                    if domain.is_periodic() { nearest_image(way, domain.side(a)) } else { way }
                }),
            };
            let mut first = self.state.course.as_ref().and_then(|course| {
                let to = segment.at(1.0).map(|x| x as f32);
                let is_wanted = &mut |obstacle| is_wanted(HitTarget::Obstacle(obstacle));
                let hit = course.first_hit(from, to, is_wanted, &mut scratch.lists)?;
                let target = HitTarget::Obstacle(hit.obstacle);
                Some(Contact { part: hit.part, target, normal: hit.normal.map(f64::from) })
            });
            if let Some(bodies) = &self.derived.bodies {
                query.first_body(&segment, bodies, is_wanted, &mut first);
            }
            first.map(|contact| {
                let (at, long) = (segment.at(contact.part), segment.length());
                Hit {
                    target: contact.target,
                    position: checks::settled(at.map(|x| x as f32), domain),
                    normal: contact.normal.map(|x| x as f32),
                    distance: (contact.part * long) as f32,
                }
            })
        })
    }
}

/// A straight way.
struct Segment<const D: usize> {
    from: [f64; D],
    way: [f64; D],
}

impl<const D: usize> Segment<D> {
    fn at(&self, part: f64) -> [f64; D] {
        crate::arrays::from_fn(|a| self.from[a] + self.way[a] * part)
    }

    fn length(&self) -> f64 {
        dot(self.way, self.way).sqrt()
    }

    /// The parts between which it is in a box: the first above the second if it is in none.
    fn within(&self, low: [f64; D], high: [f64; D]) -> (f64, f64) {
        let (mut first, mut last) = (0.0, 1.0);
        for a in 0..D {
            let (from, way) = (self.from[a], self.way[a]);
            if way == 0.0 {
                if from < low[a] || from > high[a] {
                    return (1.0, 0.0);
                }
                continue;
            }
            let (near, far) = ((low[a] - from) / way, (high[a] - from) / way);
            let (near, far) = if near < far { (near, far) } else { (far, near) };
            first = if near > first { near } else { first };
            last = if far < last { far } else { last };
        }
        (first, last)
    }
}

/// What was met, at which part of the way.
struct Contact<const D: usize> {
    part: f64,
    target: HitTarget,
    normal: [f64; D],
}

impl<const D: usize> Neighbors<'_, D> {
    /// The first body on a segment that begins at the query's point, if it comes before what was
    /// found already.
    fn first_body(
        &mut self,
        segment: &Segment<D>,
        bodies: &BodyColumns,
        is_wanted: &mut dyn FnMut(HitTarget) -> bool,
        first: &mut Option<Contact<D>>,
    ) {
        let Query { flock, index, .. } = self.query;
        if flock.is_empty() {
            return;
        }
        let domain = &flock.settings.domain;
        let largest = index.largest_body * (1.0 + 1.0 / 65_536.0);
        let wide = f64::from(largest);
        let (start, end) = if domain.is_periodic() {
            (0.0, 1.0)
        } else {
            let grown = |ends: [f32; D], by: f64| ends.map(|x| f64::from(x) + by);
            segment.within(grown(index.low, -wide), grown(index.high, wide))
        };
        // As long as the grid's radius, if that makes no more than so many.
        let reach = f64::from(index.grid.cell_size()).max(2.0 * wide);
        let pieces = ((end - start) * segment.length() / reach).ceil().clamp(1.0, PIECES);
        let share = (end - start) / pieces;
        let (radius, scratch) = (Reach::new(largest, domain), &mut self.scratch);
        for piece in 0..pieces as u32 {
            let parts = [start + share * f64::from(piece), start + share * f64::from(piece + 1)];
            if parts[0] > parts[1] || first.as_ref().is_some_and(|hit| hit.part < parts[0]) {
                return;
            }
            // Seen from the middle of the piece, which is in the box.
            let middle = segment.at(0.5 * (parts[0] + parts[1]));
            let there = checks::settled(middle.map(|x| x as f32), domain);
            let (mut low, mut high) = (there, there);
            for a in 0..D {
                let half = (0.5 * share * segment.way[a]).abs() as f32;
                let half = half + (there[a].abs() + half) * (1.0 / 1_048_576.0);
                (low[a], high[a]) = (there[a] - half, there[a] + half);
            }
            index.grid.search_within(&radius, &index.position, &low, &high, &mut scratch.runs);
            for place in scratch.runs.iter().flat_map(|run| run.first..run.end) {
                let position = index.position.at(place as usize);
                let center: [f64; D] = crate::arrays::from_fn(|a| {
                    let way = f64::from(position[a]) - middle[a];
                    let way =
                        if domain.is_periodic() { nearest_image(way, domain.side(a)) } else { way };
                    middle[a] + way
                });
                let slot = index.slot(place);
                let radius = f64::from(bodies.radius_of(&flock.state.boids.extra, slot));
                let Some((part, normal)) = meets_sphere(segment, center, radius) else { continue };
                let target =
                    HitTarget::Boid(flock.state.boids.ids().of(index.rank[place as usize]));
                let is_first = first.as_ref().is_none_or(|hit| {
                    part < hit.part || part == hit.part && is_before(target, hit.target)
                });
                if is_first && is_wanted(target) {
                    *first = Some(Contact { part, target, normal });
                }
            }
        }
    }
}

/// Where a segment meets a sphere: the part of it before, and the unit vector out of the sphere.
fn meets_sphere<const D: usize>(
    segment: &Segment<D>,
    center: [f64; D],
    radius: f64,
) -> Option<(f64, [f64; D])> {
    let away: [f64; D] = crate::arrays::from_fn(|a| segment.from[a] - center[a]);
    let outside = dot(away, away) - radius * radius;
    let part = if outside <= 0.0 {
        0.0
    } else {
        // |away + part·way| = radius; the root that is smaller, in the form that loses no digits.
        let (along, long) = (-dot(away, segment.way), dot(segment.way, segment.way));
        let inner = along * along - long * outside;
        if along <= 0.0 || inner < 0.0 {
            return None;
        }
        let part = outside / (along + inner.sqrt());
        if part > 1.0 {
            return None;
        }
        part
    };
    let out: [f64; D] = crate::arrays::from_fn(|a| away[a] + segment.way[a] * part);
    let long = dot(out, out).sqrt();
    let normal = if long > 0.0 {
        out.map(|x| x / long)
    } else {
        crate::arrays::from_fn(|a| f64::from(a == 0))
    };
    Some((part, normal))
}

/// Of targets met at once obstacles come first, then boids by id.
fn is_before(one: HitTarget, other: HitTarget) -> bool {
    match (one, other) {
        (HitTarget::Boid(one), HitTarget::Boid(other)) => one < other,
        _ => matches!(one, HitTarget::Obstacle(_)),
    }
}

fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).fold(0.0, |sum, axis| sum + a[axis] * b[axis])
}

/// A way along an axis of a periodic box to the nearest image.
fn nearest_image(way: f64, side: f32) -> f64 {
    let side = f64::from(side);
    way - side * (way / side + 0.5).floor()
}
