//! The decision of one boid: neighbors and terms it looks at, and the steering they come to.

use alloc::vec::Vec;

use crate::explanation::{
    Combined, Context, Decision, ModelDecision, ObstacleAhead, Target, TermParts,
};
use crate::reference::{Looked, TextbookFlock};
use crate::space::boid::{TextbookBoid, heading};
use crate::terms::budget::serve;
use crate::terms::model::definition::{FocalBoid, Neighbor};
use crate::terms::rule::with_rule;
use crate::terms::steering_kind::TermSum;
use crate::{Combine, Extras, Model, Perception, Seen, Term, Vector};

impl<V: Vector> TextbookFlock<V> {
    /// What boid `i` decides: its steering, whether it is busy, and the prey it captures.
    pub(super) fn look(&self, i: usize, order: &[usize]) -> Looked<V> {
        let parts = self.chase_parts(i, order);
        let within = |met: &&Target<V>| {
            let reach = met.interaction.capture_radius;
            let is_near = |one: &Seen<V>| one.distance_sq <= reach * reach;
            reach > 0.0 && met.picked.as_ref().is_some_and(is_near)
        };
        Looked {
            id: self.boids[i].id,
            steering: self.decide(i, order, &self.whole()).steering(),
            busy: parts.iter().any(|met| met.picked.is_some()),
            capture: parts.iter().find(within).and_then(|met| Some(met.picked.as_ref()?.id)),
        }
    }

    /// What each boid (by index) wants: the combined force, under `direction` the unit vector to
    /// go, or what its model says.
    #[inline(never)]
    pub fn steering(&self, order: &[usize]) -> Vec<V> {
        (0..self.boids.len()).map(|i| self.decide(i, order, &self.whole()).steering()).collect()
    }

    /// The terms of boid `i`, weighted, in the order they are taken; in a flock with a model the
    /// further terms beside it.
    #[inline(never)]
    pub fn terms(&self, i: usize, order: &[usize]) -> Vec<(Term, V)> {
        self.term_parts(i, order, &self.whole())
            .into_iter()
            .map(|part| (part.term, part.weighted))
            .collect()
    }

    /// The terms of boid `i` with their parts, in the order they are taken.
    fn term_parts(&self, i: usize, order: &[usize], context: &Context<'_, V>) -> Vec<TermParts<V>> {
        let rules = self.host_rules.len() + context.host_rules.len();
        let extras = Extras { rules, drives: self.drives.len() + context.host_drives.len() };
        let taken = self.params.term_order(extras).into_iter();
        taken.filter_map(|term| self.term(i, order, term, context)).collect()
    }

    /// One term; `None` where there is none.
    fn term(
        &self,
        i: usize,
        order: &[usize],
        term: Term,
        context: &Context<'_, V>,
    ) -> Option<TermParts<V>> {
        match term {
            Term::Rule(id) => with_rule!(self.rules_of(i), id, rule => {
                self.rule_term(i, order, (term, rule))
            }),
            Term::Interactions => {
                let targets = self.chase_parts(i, order);
                let forces = targets.iter().map(|target| target.weighted);
                let weighted = forces.fold(V::origin(), |sum, force| sum.plus(force));
                Some(TermParts { interactions: Some(targets), ..TermParts::new(term, weighted) })
            }
            Term::HostRule(place) => {
                let (sees, force) = match self.host_rules.get(place) {
                    Some(rule) => {
                        let sees = self.neighbors(i, order, &rule.perception).told();
                        let unseen = sees.neighbors.is_empty();
                        let force = if unseen {
                            V::origin()
                        } else {
                            (rule.force)(&self.boids[i], &sees.neighbors)
                        };
                        (sees, force)
                    }
                    None => {
                        let place = place - self.host_rules.len();
                        let &(perception, force) = context.host_rules.get(place)?;
                        (self.neighbors(i, order, &perception).told(), force)
                    }
                };
                Some(TermParts { sees: Some(sees), ..TermParts::new(term, force) })
            }
            Term::Drive(place) => match self.drives.get(place) {
                Some(drive) => Some(self.drive_term(i, place, drive)),
                None => {
                    let force = context.host_drives.get(place - self.drives.len())?;
                    Some(TermParts::new(term, *force))
                }
            },
            Term::Obstacles => self.obstacle_term(i),
            // What a model says stays untouched where there is nothing to join to it.
            Term::Walls if self.params.model.is_some() && !self.domain.pushes() => None,
            Term::Walls => {
                Some(TermParts::new(term, self.domain.wall_force(self.boids[i].position)))
            }
        }
    }

    /// Steering ahead of obstacles, where there is any to steer ahead of.
    fn obstacle_term(&self, i: usize) -> Option<TermParts<V>> {
        let obstacles = self.obstacles.obstacles();
        let avoidance = obstacles.avoidance.filter(|_| !self.obstacles.is_empty())?;
        let TextbookBoid { position, velocity, .. } = self.boids[i];
        let threat = self.obstacles.threat(position, velocity);
        let force = threat.map_or(V::origin(), |threat| threat.force(&avoidance));
        let obstacle = threat.map(|threat| {
            let name = obstacles.list[threat.obstacle].name.clone();
            ObstacleAhead { name, threat }
        });
        Some(TermParts { obstacle, ..TermParts::new(Term::Obstacles, force) })
    }

    /// Steering of boid `i` under a model, further terms joined to what it says.
    fn follow(
        &self,
        i: usize,
        order: &[usize],
        model: &Model,
        context: &Context<'_, V>,
    ) -> ModelDecision<V> {
        let boid = self.boids[i];
        let mut sees =
            self.neighbors(i, order, &Perception { radius: model.reach(), ..Default::default() });
        if model.includes_self() {
            // To itself a boid has no distance, and no image; it is of its own species, and none of
            // the nearest.
            sees.include(i, order, Seen::itself(&boid));
        }
        // A model knows no other coincidence than this, and its radius may be everything.
        sees.seen.iter_mut().for_each(|(_, seen)| seen.coincident = seen.distance_sq == 0.0);
        let neighbor = |(j, seen): &(usize, Seen<V>)| {
            let TextbookBoid { position, velocity, .. } = self.boids[*j];
            Neighbor {
                offset: seen.offset,
                distance_sq: seen.distance_sq,
                position,
                velocity,
                heading: heading(velocity),
            }
        };
        let neighbors: Vec<_> = sees.seen.iter().map(neighbor).collect();
        let own = FocalBoid {
            id: boid.id,
            seed: self.seed,
            step: self.step,
            boids: context.boids as f32,
            position: boid.position,
            velocity: boid.velocity,
            heading: heading(boid.velocity),
        };
        let wanted = model.steering(&own, &neighbors);
        let terms = self.term_parts(i, order, context);
        let sum = terms.iter().fold(wanted, |sum, part| sum.plus(part.weighted));
        let joined =
            if terms.is_empty() { TermSum::Alone } else { TermSum::of(&model.advance(), sum) };
        let steering = joined.steering(wanted, sum);
        let walls = terms.iter().find(|part| part.term == Term::Walls).map(|part| part.weighted);
        let (model, sees) = (*model, sees.told());
        ModelDecision { model, sees, wanted, walls, terms, sum, joined, steering }
    }

    pub(super) fn decide(
        &self,
        i: usize,
        order: &[usize],
        context: &Context<'_, V>,
    ) -> Decision<V> {
        if let Some(model) = &self.params.model {
            return Decision::Model(self.follow(i, order, model, context));
        }
        let mut terms = self.term_parts(i, order, context);
        let (combine, max_force) = (self.params.combine, self.limits_of(i).max_force);
        let total = |terms: &[TermParts<V>]| {
            terms.iter().fold(V::origin(), |sum, part| sum.plus(part.weighted))
        };
        let (sum, steering) = match combine {
            Combine::Weighted => {
                let sum = total(&terms);
                (sum, sum.truncate_to(max_force))
            }
            Combine::Prioritized => {
                let mut shares = Vec::new();
                let force = serve(terms.iter().map(|part| part.weighted), max_force, |share| {
                    shares.push(share)
                });
                let shares = shares.into_iter().map(Some).chain(core::iter::repeat(None));
                terms.iter_mut().zip(shares).for_each(|(part, share)| part.serve(share));
                (force, force)
            }
            Combine::Direction(_) => {
                let sum = total(&terms);
                (sum, sum.unit())
            }
        };
        let cut_to = match combine {
            Combine::Weighted => (sum.norm() > max_force).then_some(max_force),
            Combine::Prioritized => terms.iter().any(|part| part.served < 1.0).then_some(max_force),
            Combine::Direction(_) => None,
        };
        Decision::Terms(Combined { combine, terms, sum, cut_to, steering })
    }
}
