//! The textbook flock: a double loop that reads like MODEL.md. Slow, obvious, and the definition the engine is held to.
//!
//! Every boid looks at every other, in slot order, with nothing but scalar `f32`. The engine's step equals this one bit for
//! bit (test `agrees_with_textbook`), so a question about what a rule means is answered by reading this file.

use alloc::vec::Vec;

use crate::advance::advance;
use crate::model::{Looker, Neighbor};
use crate::{
    Alignment, AlignmentOf, Cells, Cohesion, Combine, Domain, Falloff, HeldForces, Model, Params, Perception, Response,
    Separation, Term, Vector, View, math, noise,
};

/// Below this speed a boid is at rest and has no heading.
pub const REST_SPEED: f32 = 1e-15;

/// Two boids are coincident, written d = 0, when d² ≤ r²·2⁻⁴⁰.
pub const COINCIDENT: f32 = 1.0 / 1_099_511_627_776.0;

/// One boid's state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextbookBoid<V> {
    /// Identity: never position, never index.
    pub id: u64,
    /// Position, length.
    pub position: V,
    /// Velocity, length/time.
    pub velocity: V,
}

/// A flock stepped by the double loop, O(n²) a step.
///
/// ```
/// use wingbeat_steer::{Cohesion, Domain, Params, TextbookBoid, TextbookFlock};
/// let boid = |id, x| TextbookBoid { id, position: [x, 0.0], velocity: [0.0, 0.0] };
/// let mut flock = TextbookFlock {
///     params: Params { cohesion: Some(Cohesion::default()), ..Default::default() },
///     domain: Domain::open(), seed: 1, step: 0, boids: vec![boid(0, 0.0), boid(1, 0.5)],
/// };
/// assert_eq!(flock.steering(&flock.slot_order()), [[0.5, 0.0], [-0.5, 0.0]]); // each is drawn to the other
/// flock.step_by(1.0);
/// assert_eq!(flock.boids[0].position, [0.5, 0.0]);
/// ```
#[derive(Clone, Debug)]
pub struct TextbookFlock<V> {
    /// The rules.
    pub params: Params,
    /// The world's edges.
    pub domain: Domain<V>,
    /// Key of all randomness inside steps.
    pub seed: u64,
    /// Steps made so far.
    pub step: u64,
    /// The boids, in any order.
    pub boids: Vec<TextbookBoid<V>>,
}

/// What one boid sees of another.
struct Sighting<V> {
    offset: V,
    distance: f32,
    distance_sq: f32,
    coincident: bool,
}

impl<V: Vector> TextbookFlock<V> {
    /// Indices of the boids in slot order.
    pub fn slot_order(&self) -> Vec<usize> {
        let cells = Cells::new(self.params.largest_radius(), self.params.expected_neighbors, &self.domain);
        cells.slot_order(self.boids.iter().map(|b| (b.position, b.id)))
    }

    /// One step in the contract's slot order.
    pub fn step_by(&mut self, dt: f32) {
        let order = self.slot_order();
        self.step_in_order(dt, &order);
    }

    /// One step, neighbours visited in the given order of indices.
    pub fn step_in_order(&mut self, dt: f32, order: &[usize]) {
        self.move_by(dt, &self.steering(order));
    }

    /// One step under time slicing: whoever has its turn steers, the others go on with the force they hold.
    pub fn step_holding(&mut self, dt: f32, forces: &mut HeldForces<V>) {
        let order = self.slot_order();
        for i in 0..self.boids.len() {
            let id = self.boids[i].id;
            if forces.is_due(id, self.step) {
                forces.hold(id, self.combine(i, &order));
            }
        }
        let steering: Vec<V> = self.boids.iter().filter_map(|boid| forces.of(boid.id)).collect();
        self.move_by(dt, &steering);
    }

    /// Every boid by its steering, and on to the next step.
    fn move_by(&mut self, dt: f32, steering: &[V]) {
        for (boid, &steering) in self.boids.iter_mut().zip(steering) {
            advance(boid, steering, dt, &self.params, &self.domain, self.seed);
        }
        self.step += 1;
    }

    /// What each boid (by index) wants: the combined force, under `direction` the unit vector to go, or what its model says.
    pub fn steering(&self, order: &[usize]) -> Vec<V> {
        (0..self.boids.len()).map(|i| self.combine(i, order)).collect()
    }

    /// The terms of boid `i`, weighted, in the order they are taken.
    pub fn terms(&self, i: usize, order: &[usize]) -> Vec<(Term, V)> {
        let boid = self.boids[i];
        let params = &self.params;
        params
            .term_order(0)
            .into_iter()
            .map(|term| {
                let weighted = match term {
                    Term::Separation => params.separation.map(|rule| self.separation(i, order, &rule).times(rule.weight)),
                    Term::Alignment => params.alignment.map(|rule| self.alignment(i, order, &rule).times(rule.weight)),
                    Term::Cohesion => params.cohesion.map(|rule| self.cohesion(i, order, &rule).times(rule.weight)),
                    Term::Rule(_) => None,
                    Term::Walls => Some(self.domain.wall_force(boid.position)),
                };
                (term, weighted.unwrap_or_else(V::origin))
            })
            .collect()
    }

    /// Steering of boid `i` under a model.
    fn follow(&self, i: usize, order: &[usize], model: &Model) -> V {
        let boid = self.boids[i];
        let reach = Perception { radius: model.reach(), ..Default::default() };
        let neighbor = |&j: &usize| {
            let TextbookBoid { position, velocity, .. } = self.boids[j];
            // To itself a boid has no distance, and no image.
            let (offset, distance_sq) = if i == j {
                model.includes_self().then_some((V::origin(), 0.0))?
            } else {
                self.sees(i, j, &reach).map(|seen| (seen.offset, seen.distance_sq))?
            };
            Some(Neighbor { offset, distance_sq, position, velocity, heading: heading(velocity) })
        };
        let neighbors: Vec<_> = order.iter().filter_map(neighbor).collect();
        let own = Looker {
            id: boid.id,
            seed: self.seed,
            step: self.step,
            boids: self.boids.len() as f32,
            position: boid.position,
            velocity: boid.velocity,
            heading: heading(boid.velocity),
        };
        let steering = model.steering(&own, &neighbors);
        if model.accelerates() { steering.plus(self.domain.wall_force(boid.position)) } else { steering }
    }

    fn combine(&self, i: usize, order: &[usize]) -> V {
        if let Some(model) = &self.params.model {
            return self.follow(i, order, model);
        }
        let terms = self.terms(i, order);
        let max_force = self.params.agent.max_force;
        let sum = || terms.iter().fold(V::origin(), |sum, &(_, term)| sum.plus(term));
        match self.params.combine {
            Combine::Weighted => sum().truncate_to(max_force),
            Combine::Prioritized => prioritize(terms.iter().map(|&(_, term)| term), max_force),
            Combine::Direction(_) => sum().unit(),
        }
    }

    /// What `i` sees of `j` under a rule's perception, if it sees it.
    fn sees(&self, i: usize, j: usize, perception: &Perception) -> Option<Sighting<V>> {
        if i == j {
            return None;
        }
        let (own, other) = (&self.boids[i], &self.boids[j]);
        let raw = other.position.minus(own.position);
        let offset = V::from_fn(|a| self.domain.image(a, raw.axis(a)));
        let distance_sq = offset.norm_sq();
        let radius_sq = perception.radius * perception.radius;
        let in_range = distance_sq <= radius_sq;
        if !in_range {
            return None;
        }
        let coincident = distance_sq <= radius_sq * COINCIDENT;
        let distance = math::sqrt(distance_sq);
        let near = perception.near_radius > 0.0 && distance_sq <= perception.near_radius * perception.near_radius;
        let in_sight = match perception.view {
            View::All => true,
            View::Cone { cos_half } => {
                let at_rest = own.velocity.norm_plain() < REST_SPEED;
                at_rest || coincident || near || offset.inner(heading(own.velocity)) >= cos_half * distance
            }
        };
        in_sight.then_some(Sighting { offset, distance, distance_sq, coincident })
    }

    /// All that `i` sees under a rule's perception, in slot order, each with its index: those in range and sight, and where
    /// only the nearest count, the k least of them by (d², id).
    fn neighbors(&self, i: usize, order: &[usize], perception: &Perception) -> Vec<(usize, Sighting<V>)> {
        let perception = self.params.capped(*perception);
        let mut seen: Vec<_> = order.iter().filter_map(|&j| Some((j, self.sees(i, j, &perception)?))).collect();
        if let Some(k) = perception.nearest {
            let rank = |(j, seen): &(usize, Sighting<V>)| (seen.distance_sq, self.boids[*j].id);
            let mut ranked: Vec<_> = seen.iter().map(rank).collect();
            ranked.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            if let Some(&last) = ranked.get(k as usize - 1) {
                // Distances are no NaN, so pairs compare as they were sorted.
                seen.retain(|other| rank(other) <= last);
            }
        }
        seen
    }

    /// Separation's response, not yet weighted.
    pub fn separation(&self, i: usize, order: &[usize], rule: &Separation) -> V {
        let boid = self.boids[i];
        let radius = rule.perception.radius;
        let max_speed = self.params.agent.max_speed;
        let per_radius = 1.0 / radius;
        let flee = rule.response == Response::Flee;
        let mut sum = V::origin();
        let mut coincident = false;
        for (_, seen) in self.neighbors(i, order, &rule.perception) {
            if seen.coincident {
                coincident = true;
                continue;
            }
            let term = if flee {
                boid.velocity.minus(seen.offset.times(max_speed / seen.distance))
            } else {
                let f = match rule.falloff {
                    Falloff::Linear => math::max(1.0 - seen.distance * per_radius, 0.0),
                    Falloff::Inverse => 1.0 / seen.distance,
                    Falloff::InverseSquare => 1.0 / seen.distance_sq,
                };
                seen.offset.times(f)
            };
            sum = sum.plus(term);
        }
        let mut separation = if flee { sum } else { V::origin().minus(sum) };
        if coincident {
            let gain = match rule.falloff {
                _ if flee => max_speed,
                Falloff::Linear => radius * 0.25,
                Falloff::Inverse => 1.0,
                Falloff::InverseSquare => per_radius,
            };
            let away: V = noise::direction(self.seed, boid.id, self.step);
            separation = separation.plus(away.times(gain));
        }
        self.respond(separation, boid.velocity, if flee { Response::Raw } else { rule.response })
    }

    /// Alignment's response, not yet weighted.
    pub fn alignment(&self, i: usize, order: &[usize], rule: &Alignment) -> V {
        let quantity = |velocity: V| match rule.of {
            AlignmentOf::Velocity => velocity,
            AlignmentOf::Heading => heading(velocity),
        };
        let own = quantity(self.boids[i].velocity);
        let mut sum = V::origin();
        let mut n = 0.0;
        for (j, _) in self.neighbors(i, order, &rule.perception) {
            sum = sum.plus(quantity(self.boids[j].velocity));
            n += 1.0;
        }
        if n == 0.0 {
            return V::origin();
        }
        let mean = if rule.include_self { own.plus(sum).times(1.0 / (n + 1.0)) } else { sum.times(1.0 / n) };
        let alignment = if rule.relative { mean.minus(own) } else { mean };
        self.respond(alignment, self.boids[i].velocity, rule.response)
    }

    /// Cohesion's response, not yet weighted.
    pub fn cohesion(&self, i: usize, order: &[usize], rule: &Cohesion) -> V {
        let mut sum = V::origin();
        let mut n = 0.0;
        for (_, seen) in self.neighbors(i, order, &rule.perception) {
            sum = sum.plus(seen.offset);
            n += 1.0;
        }
        if n == 0.0 {
            return V::origin();
        }
        self.respond(sum.times(1.0 / n), self.boids[i].velocity, rule.response)
    }

    /// What is made of a rule's sum; a zero sum stays zero, so that nobody brakes for nobody.
    fn respond(&self, sum: V, velocity: V, response: Response) -> V {
        if sum.largest() == 0.0 {
            return V::origin();
        }
        match response {
            Response::Raw | Response::Flee => sum,
            Response::Unit => sum.unit(),
            Response::Steer => sum.unit().times(self.params.agent.max_speed).minus(velocity),
        }
    }
}

/// Heading h = v·(1/‖v‖), zero at rest.
pub fn heading<V: Vector>(velocity: V) -> V {
    let speed = velocity.norm_plain();
    if speed < REST_SPEED { V::origin() } else { velocity.times(1.0 / speed) }
}

/// Reynolds 1987: whole terms while the budget lasts, then the part of one that is left.
pub fn prioritize<V: Vector>(terms: impl Iterator<Item = V>, max_force: f32) -> V {
    let (mut force, mut budget) = (V::origin(), max_force);
    for term in terms {
        let size = term.norm();
        if size <= budget {
            force = force.plus(term);
            budget -= size;
        } else {
            return force.plus(term.times(budget / size));
        }
    }
    force
}
