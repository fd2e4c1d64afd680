//! Bodies at the start: none overlaps another, a face or an obstacle that stands still, or is
//! refused by name; or moved aside first.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

use crate::contact::{OtherBody, domain_of};
use crate::obstacle::{Near, Point, wide};
use crate::placement::around::CellsAround;
use crate::{Domain, ObstacleSet, ParamError, Vector, math};

/// What bodies start among. Obstacles that move are not looked at: they push, then or later.
pub struct Start<'a, V> {
    /// The world's edges.
    pub domain: &'a Domain<V>,
    /// Obstacles as they are now.
    pub obstacles: &'a ObstacleSet<V>,
    /// Where to look for them.
    pub near: Box<dyn Near + 'a>,
}

impl<V: Vector> Start<'_, V> {
    /// Refuses the first body, by ascending id, that stands nearer than its radius to a face or an
    /// obstacle; then the first pair, smallest ids first, that overlaps. O(n log n).
    ///
    /// Distances are those of exact arithmetic as far as `f64` goes. Two bodies may touch. Inner
    /// faces are those of [`domain_of`].
    ///
    /// # Errors
    /// Names whose position is refused, and what is allowed.
    #[inline(never)]
    pub fn check(&mut self, bodies: &[OtherBody<V>]) -> Result<(), (u64, ParamError)> {
        let mut list = Vec::new();
        bodies.iter().try_for_each(|body| {
            self.check_alone(body, &mut list).map_err(|refusal| (body.id, refusal))
        })?;
        match first_pair(bodies, self.domain) {
            None => Ok(()),
            Some((i, j)) => Err((bodies[j].id, overlap(&bodies[j], &bodies[i]))),
        }
    }

    /// Refuses a body that stands nearer than its radius to a face or an obstacle.
    ///
    /// # Errors
    /// Names the position and what is allowed.
    pub fn check_alone(
        &mut self,
        body: &OtherBody<V>,
        list: &mut Vec<u32>,
    ) -> Result<(), ParamError> {
        let &OtherBody { position, radius, .. } = body;
        if self.domain.boundary.has_faces() {
            let inner = domain_of(self.domain, radius);
            for a in 0..V::DIMENSIONS {
                let (x, min, max) = (position.axis(a), inner.min.axis(a), inner.max.axis(a));
                if x < min || x > max {
                    let allowed = format!(
                        "{min} to {max}, its radius {radius} away from the faces of the domain"
                    );
                    return Err(ParamError::new(format!("position[{a}]"), x, allowed));
                }
            }
        }
        match self.obstacles.standing_within(
            wide(position),
            f64::from(radius),
            &mut self.near,
            list,
        ) {
            Some((i, ..)) => {
                let allowed = format!(
                    "at least {radius} from obstacle.{}, its radius",
                    self.obstacles.obstacles().list[i].name
                );
                Err(ParamError::new("position", format!("{position:?}"), allowed))
            }
            None => Ok(()),
        }
    }
}

/// Refuses a body that overlaps one of others, which may be given in any order: the first of them
/// is named. O(n).
///
/// # Errors
/// Names the position and what is in the way.
pub fn check_newcomer<V: Vector>(
    body: &OtherBody<V>,
    others: impl Iterator<Item = OtherBody<V>>,
    domain: &Domain<V>,
) -> Result<(), ParamError> {
    let in_the_way = others.filter(|other| {
        overlaps(wide(body.position), wide(other.position), radii(body, other), domain)
    });
    match in_the_way.min_by_key(|other| other.id) {
        Some(other) => Err(overlap(body, &other)),
        None => Ok(()),
    }
}

/// Whether a body overlaps one of others.
pub fn overlaps_any<V: Vector>(
    body: &OtherBody<V>,
    mut others: impl Iterator<Item = OtherBody<V>>,
    domain: &Domain<V>,
) -> bool {
    others.any(|other| {
        overlaps(wide(body.position), wide(other.position), radii(body, &other), domain)
    })
}

/// The refusal of a body that overlaps another.
fn overlap<V: Vector>(body: &OtherBody<V>, other: &OtherBody<V>) -> ParamError {
    let (radii, id) = (radii(body, other), other.id);
    let allowed = format!(
        "at least {radii} from boid {id}, the radii of both; body.settle = true moves \
            bodies apart at the start"
    );
    ParamError::new("position", format!("{:?}", body.position), allowed)
}

/// The radii of two.
pub(super) fn radii<V>(a: &OtherBody<V>, b: &OtherBody<V>) -> f64 {
    f64::from(a.radius) + f64::from(b.radius)
}

/// The largest distance at which two of these bodies can overlap.
pub(super) fn largest_reach<V>(bodies: &[OtherBody<V>]) -> f64 {
    2.0 * f64::from(bodies.iter().fold(0.0, |most, body| math::max(most, body.radius)))
}

/// The way from a place to the nearest image of another, 0 along axes that there are not.
pub(crate) fn nearest_way<V: Vector>(from: Point, to: Point, domain: &Domain<V>) -> Point {
    core::array::from_fn(|a| {
        let way = to[a] - from[a];
        if a >= V::DIMENSIONS || !domain.is_periodic() {
            return way;
        }
        let side = f64::from(domain.side(a));
        way - side * libm::floor(way / side + 0.5)
    })
}

/// Whether two bodies at these places overlap whose radii together are `radii`; those that touch do
/// not.
pub(crate) fn overlaps<V: Vector>(a: Point, b: Point, radii: f64, domain: &Domain<V>) -> bool {
    let [x, y, z] = nearest_way(a, b, domain);
    x * x + y * y + z * z < radii * radii
}

/// The first pair of bodies that overlap, by places in the list.
///
/// Places are walked in order, so the first that overlaps another ends the search: all before it
/// have room, which bounds how many can be near any place, however many others are piled up there.
pub(super) fn first_pair<V: Vector>(
    bodies: &[OtherBody<V>],
    domain: &Domain<V>,
) -> Option<(usize, usize)> {
    let around = CellsAround::new(
        bodies.iter().map(|body| wide(body.position)),
        largest_reach(bodies),
        domain,
    );
    (0..bodies.len()).find_map(|i| {
        let (at, mut first) = (wide(bodies[i].position), None);
        around.visit(at, &mut |j| {
            if j != i
                && overlaps(at, wide(bodies[j].position), radii(&bodies[i], &bodies[j]), domain)
            {
                first = Some(first.map_or(j, |first| if j < first { j } else { first }));
            }
            true
        });
        Some((i, first?))
    })
}

/// How many bodies overlap another.
pub(super) fn overlapping<V: Vector>(bodies: &[OtherBody<V>], domain: &Domain<V>) -> usize {
    let around = CellsAround::new(
        bodies.iter().map(|body| wide(body.position)),
        largest_reach(bodies),
        domain,
    );
    let overlaps_any = |i: &usize| {
        let (at, mut any) = (wide(bodies[*i].position), false);
        around.visit(at, &mut |j| {
            any = j != *i
                && overlaps(at, wide(bodies[j].position), radii(&bodies[*i], &bodies[j]), domain);
            !any
        });
        any
    };
    (0..bodies.len()).filter(overlaps_any).count()
}
