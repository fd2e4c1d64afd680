//! Bodies when a flock is built, and of boids that join it: none overlaps another, or is refused
//! by name.

use wingbeat_steer::body::{OtherBody, Start, check_newcomer};
use wingbeat_steer::{Domain, ObstacleSet, Params};

use crate::columns::boids::Boids;
use crate::motion::body::BodyColumns;
use crate::motion::obstacle::{Lists, ObstacleIndex};
use crate::{Boid, BoidId, FlockError, SpeciesId};

/// Refuses boids, sorted by id, whose bodies overlap, or where the parameters say so moves them
/// apart. Nothing in a flock of points.
#[inline(never)]
pub(crate) fn set_up<const D: usize>(
    params: &Params,
    domain: &Domain<[f32; D]>,
    course: Option<&ObstacleIndex<D>>,
    boids: &mut [Boid<D>],
    species: &[SpeciesId],
) -> Result<(), FlockError> {
    let Some(body) = &params.body else { return Ok(()) };
    let of = |(i, boid): (usize, &Boid<D>)| {
        let own = params.body_of(species.get(i).copied().unwrap_or_default()).unwrap_or_default();
        let radius = own.radius.unwrap_or(body.radius);
        OtherBody {
            id: boid.id.get(),
            position: boid.position,
            velocity: boid.velocity,
            radius,
            priority: own.priority,
        }
    };
    let mut bodies: Vec<OtherBody<[f32; D]>> = boids.iter().enumerate().map(of).collect();
    let (none, mut lists) = (ObstacleSet::default(), Lists::default());
    let mut start = among(domain, course, &none, &mut lists);
    if body.settle {
        start.settle(&mut bodies)?;
    } else {
        start
            .check(&bodies)
            .map_err(|(id, refusal)| FlockError::Boid { id: BoidId::new(id), refusal })?;
    }
    for (boid, body) in boids.iter_mut().zip(bodies) {
        boid.position = body.position;
    }
    Ok(())
}

/// Refuses a boid of a species that would overlap a boid, a face or an obstacle that
/// stands still.
pub(crate) fn admit_newcomer<const D: usize>(
    columns: &BodyColumns,
    boids: &Boids<D>,
    (newcomer, species): (&Boid<D>, SpeciesId),
    domain: &Domain<[f32; D]>,
    course: Option<&ObstacleIndex<D>>,
) -> Result<(), FlockError> {
    let [radius, priority] = columns.kinds[species.get()];
    let body = OtherBody {
        id: newcomer.id.get(),
        position: newcomer.position,
        velocity: newcomer.velocity,
        radius,
        priority,
    };
    let refused = |refusal| FlockError::Boid { id: newcomer.id, refusal };
    let (none, mut lists) = (ObstacleSet::default(), Lists::default());
    among(domain, course, &none, &mut lists)
        .check_alone(&body, &mut Vec::new())
        .map_err(refused)?;
    let others = (0..boids.len()).map(|slot| columns.body(boids, slot));
    check_newcomer(&body, others, domain).map_err(refused)
}

/// What bodies start among.
fn among<'a, const D: usize>(
    domain: &'a Domain<[f32; D]>,
    course: Option<&'a ObstacleIndex<D>>,
    none: &'a ObstacleSet<[f32; D]>,
    lists: &'a mut Lists,
) -> Start<'a, [f32; D]> {
    match course {
        Some(there) => {
            Start { domain, obstacles: &there.course, near: Box::new(there.near(lists)) }
        }
        None => Start { domain, obstacles: none, near: Box::new(none.all()) },
    }
}
