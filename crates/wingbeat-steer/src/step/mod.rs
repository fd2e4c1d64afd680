//! A step of one boid: its anticipation, its velocity and position, contacts; and sequential steps.

use crate::contact::OtherBody;
use crate::{Params, Vector, math};
use contacts::NearbyBodies;
use integrate::{Environment, Integrated, StepInput, advance};

pub(crate) mod anticipate;
pub(crate) mod contacts;
pub(crate) mod integrate;
pub(crate) mod sequential;

/// Moves one boid: asks the anticipation model, integrates, and keeps the body apart from others.
///
/// `bodies` holds the boid's own body and then all others in slot order; it is empty in a flock of
/// points.
pub(crate) fn move_boid<V: Vector>(
    input: &StepInput<'_, V>,
    params: &Params,
    environment: Environment<'_, V>,
    bodies: &[OtherBody<V>],
) -> Integrated<V> {
    let Environment { domain, obstacles, .. } = environment;
    let mut moved = match bodies.split_first() {
        None => advance(input, None, params, environment),
        Some((own, others)) => {
            let radii = bodies.iter().map(|body| body.radius);
            let largest = radii.fold(params.largest_body(), math::max);
            let nearby = NearbyBodies { params, domain, obstacles, others, largest };
            let mut moved = advance(input, nearby.anticipate(own, input), params, environment);
            nearby.keep_apart(own, &mut moved, input.dt);
            moved
        }
    };
    moved.compare_with_edge(domain);
    moved
}
