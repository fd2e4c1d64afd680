//! Sequential update: boids move one after the other, as in NetLogo, Mesa, Agents.jl and MASON.
//!
//! Everywhere else in Wingbeat everyone looks at the same state and then everyone moves, so that
//! nothing depends on an order. Those tools take one agent after the other, in an order drawn anew
//! for every step, and each sees what those before it have done. That is another dynamical system,
//! with other averages. Here is the scalar definition of it; there is no faster one.

use alloc::vec::Vec;

use crate::terms::model::Model;
use crate::terms::model::definition::{FocalBoid, Neighbor};
use crate::{Advance, Domain, TextbookBoid, Vector, heading, math::noise};

/// What a boid sees of those whose turn came before its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VisibleChange {
    /// Where they have moved, and how.
    All,
    /// How they have turned; everyone moves in the end.
    Headings,
}

/// Whether the tool behind a model moves its agents one after the other.
///
/// ```
/// use wingbeat_steer::{Model, moves_sequentially};
/// assert!(Model::named("mesa").is_some_and(|mesa| moves_sequentially(&mesa)));
/// assert!(Model::named("unity").is_some_and(|unity| !moves_sequentially(&unity)));
/// ```
pub fn moves_sequentially(model: &Model) -> bool {
    seen(model).is_some()
}

fn seen(model: &Model) -> Option<VisibleChange> {
    match model {
        Model::NetLogo(_) => Some(VisibleChange::Headings),
        Model::Mesa(_) | Model::AgentsJl(_) | Model::Mason(_) => Some(VisibleChange::All),
        _ => None,
    }
}

/// The order of a step, as indices: by 32 hashed bits of (seed, id, step), and of equal ones by id.
pub fn update_order<V>(boids: &[TextbookBoid<V>], seed: u64, step: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..boids.len()).collect();
    order.sort_unstable_by_key(|&i| {
        (noise::bits(seed, boids[i].id, step, noise::stream::TURN), boids[i].id)
    });
    order
}

/// One step of a model by itself, one boid after the other in the order of [`update_order`]; O(n²).
/// `boids` are by ascending id, which is also the order in which neighbors are summed. Under
/// `netlogo` boids turn one after the other and move together in the end; under `mesa`, `agents_jl`
/// and `mason` each turns and moves in its turn. Of the domain only images and edges count, not
/// walls that push.
///
/// Models whose tool moves everyone at once are not stepped: false.
///
/// ```
/// use wingbeat_steer::{Domain, Model, TextbookBoid, model::Mesa, step_sequentially, update_order};
/// let boid = |id, x: f32, vy| TextbookBoid { id, position: [x, 0.0], velocity: [0.0, vy] };
/// let mut boids = [boid(0, 0.0, 1.0), boid(1, 3.0, -1.0)];
/// let model = Model::from(Mesa {
///     match_factor: 1.0,
///     cohere_factor: 0.0,
///     separate_factor: 0.0,
///     ..Mesa::default()
/// });
/// let first = update_order(&boids, 7, 0)[0];
/// assert!(step_sequentially(&model, &Domain::open(), (7, 0), 1.0, &mut boids));
/// // The first sees the other as it was, and their headings cancel: it keeps its own. The second
/// // sees the same of it.
/// assert_eq!(boids[first].velocity, [0.0, if first == 0 { 1.0 } else { -1.0 }]);
/// ```
#[inline(never)]
pub fn step_sequentially<V: Vector>(
    model: &Model,
    domain: &Domain<V>,
    (seed, step): (u64, u64),
    dt: f32,
    boids: &mut [TextbookBoid<V>],
) -> bool {
    let Some(seen) = seen(model) else { return false };
    debug_assert!(
        matches!(model.advance(), Advance::Replace { move_with_old: false, .. }),
        "steering is the new velocity"
    );
    let mut neighbors = Vec::new();
    for i in update_order(boids, seed, step) {
        look(model, domain, boids, i, &mut neighbors);
        let TextbookBoid { id, position, velocity } = boids[i];
        let heading = heading(velocity);
        let own =
            FocalBoid { id, seed, step, boids: boids.len() as f32, position, velocity, heading };
        boids[i].velocity = model.steering(&own, &neighbors);
        if seen == VisibleChange::All {
            go(domain, dt, &mut boids[i]);
        }
    }
    if seen == VisibleChange::Headings {
        boids.iter_mut().for_each(|boid| go(domain, dt, boid));
    }
    true
}

/// All within the model's radius of boid `i`, by ascending id.
fn look<V: Vector>(
    model: &Model,
    domain: &Domain<V>,
    boids: &[TextbookBoid<V>],
    i: usize,
    neighbors: &mut Vec<Neighbor<V>>,
) {
    neighbors.clear();
    let reach_sq = model.reach() * model.reach();
    for (j, other) in boids.iter().enumerate() {
        let raw = other.position.minus(boids[i].position);
        let offset = V::from_fn(|a| domain.image(a, raw.axis(a)));
        let distance_sq = offset.norm_sq();
        if j != i && distance_sq <= reach_sq {
            let (position, velocity) = (other.position, other.velocity);
            neighbors.push(Neighbor {
                offset,
                distance_sq,
                position,
                velocity,
                heading: heading(velocity),
            });
        }
    }
}

/// Moves a boid by its velocity.
fn go<V: Vector>(domain: &Domain<V>, dt: f32, boid: &mut TextbookBoid<V>) {
    let moved = boid.position.plus(boid.velocity.times(dt));
    let settled = |a: usize| domain.settle(a, moved.axis(a), boid.velocity.axis(a));
    (boid.position, boid.velocity) = (V::from_fn(|a| settled(a).0), V::from_fn(|a| settled(a).1));
}
