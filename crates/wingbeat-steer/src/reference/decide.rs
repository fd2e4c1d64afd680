//! The decision of one boid: neighbors and terms it looks at, and the steering they come to.

use alloc::vec::Vec;

use crate::explanation::{
    Combined, Context, Decision, Explanation, ModelDecision, Target, TermParts, TermSource,
};
use crate::reference::{Looked, TextbookFlock};
use crate::space::boid::{TextbookBoid, heading};
use crate::terms::budget::serve;
use crate::terms::model::definition::{FocalBoid, Neighbor};
use crate::terms::rule::with_rule;
use crate::terms::steering_kind::TermSum;
use crate::{Combine, Extras, Model, Perception, Seen, Term, Turn, Vector};

impl<V: Vector> TextbookFlock<V> {
    /// What boid `i` decides: its steering, whether it is busy, and the prey it captures.
    pub(super) fn look(&self, i: usize, order: &[usize]) -> Looked<V> {
        let parts = self.chase_parts(i, order);
        let within = |met: &&Target<V>| {
            let reach = met.interaction.capture_radius;
            reach > 0.0 && met.picked.is_some_and(|one| one.distance_sq <= reach * reach)
        };
        Looked {
            id: self.boids[i].id,
            steering: self.decide(i, order, &self.whole()).steering(),
            busy: parts.iter().any(|met| met.picked.is_some()),
            capture: parts.iter().find(within).and_then(|met| met.picked).map(|one| one.id),
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

    /// What boid `i`'s steering in the next step is made of: the numbers
    /// [`steering`](Self::steering) computes on its way.
    ///
    /// ```
    /// # use wingbeat_steer::{Cohesion, Decision, Domain, Params, TextbookBoid, TextbookFlock};
    /// # let boid = |id, x| TextbookBoid { id, position: [x, 0.0], velocity: [0.0, 0.0] };
    /// let flock = TextbookFlock {
    /// #
    ///     params: Params {
    ///         rules: Cohesion { weight: 2.0, ..Default::default() }.into(),
    ///         ..Default::default()
    /// #     },
    ///     domain: Domain::open(),
    ///     seed: 1,
    ///     step: 0,
    /// #     boids: vec![boid(0, 0.0), boid(1, 0.5)],
    /// #     ..Default::default()
    /// # };
    /// let why = flock.explain(0, &flock.slot_order());
    /// let Decision::Terms(combined) = &why.decision else { unreachable!() };
    /// // Cohesion: 2 times the way to the other.
    /// assert_eq!(combined.terms[0].weighted, [1.0, 0.0]);
    /// assert_eq!(why.steering, [1.0, 0.0]);
    /// ```
    #[inline(never)]
    pub fn explain(&self, i: usize, order: &[usize]) -> Explanation<V> {
        self.explain_in(i, order, &self.whole())
    }

    /// The same where `boids` holds only those that may be in reach; `context` tells the rest.
    #[doc(hidden)]
    #[inline(never)]
    pub fn explain_in(
        &self,
        i: usize,
        order: &[usize],
        context: &Context<'_, V>,
    ) -> Explanation<V> {
        let boid = self.boids[i];
        let decision = self.decide(i, order, context);
        let steering = match context.turn {
            Turn::Holds { force, .. } => force,
            Turn::EveryStep | Turn::Due { .. } => decision.steering(),
        };
        let (params, domain, traits) = (self.params.clone(), self.domain, self.traits_of(i));
        let (obstacles, time) = (self.obstacles.clone(), self.time);
        let (step, turn, seed) = (self.step, context.turn, self.seed);
        let bodies = context.bodies.map_or_else(|| self.bodies_about(i, order), <[_]>::to_vec);
        let blocked = self.blocked.get(&boid.id).copied().unwrap_or(context.blocked);
        Explanation {
            boid,
            step,
            decision,
            turn,
            steering,
            params,
            domain,
            traits,
            seed,
            obstacles,
            time,
            bodies,
            blocked,
        }
    }

    /// Nothing but what is here.
    fn whole(&self) -> Context<'static, V> {
        Context {
            boids: self.boids.len(),
            host_rules: &[],
            host_drives: &[],
            turn: Turn::EveryStep,
            bodies: None,
            blocked: 0.0,
        }
    }

    /// The terms of boid `i` and what they are made of, in the order they are taken.
    fn term_parts(&self, i: usize, order: &[usize], context: &Context<'_, V>) -> Vec<TermParts<V>> {
        let made = |term| match term {
            Term::Rule(id) => {
                let parts = with_rule!(self.rules_of(i), id, rule => {
                    self.rule_parts(i, order, rule)
                });
                parts.map(TermSource::Rule)
            }
            Term::Interactions => Some(TermSource::Interactions(self.chase_parts(i, order))),
            Term::HostRule(place) => match self.host_rules.get(place) {
                Some(rule) => {
                    let sees = self.neighbors(i, order, &rule.perception).told();
                    let unseen = sees.neighbors.is_empty();
                    let force = if unseen {
                        V::origin()
                    } else {
                        (rule.force)(&self.boids[i], &sees.neighbors)
                    };
                    Some(TermSource::Host { sees, force })
                }
                None => {
                    let &(perception, force) =
                        context.host_rules.get(place - self.host_rules.len())?;
                    Some(TermSource::Host {
                        sees: self.neighbors(i, order, &perception).told(),
                        force,
                    })
                }
            },
            Term::Drive(place) => match self.drives.get(place) {
                Some(drive) => Some(self.drive_parts(i, place, drive)),
                None => {
                    let force = *context.host_drives.get(place - self.drives.len())?;
                    Some(TermSource::Drive { force, weight: 1.0, parts: None })
                }
            },
            Term::Obstacles => self.obstacle_parts(i),
            // What a model says stays untouched where there is nothing to join to it.
            Term::Walls if self.params.model.is_some() && !self.domain.pushes() => None,
            Term::Walls => Some(TermSource::Walls(self.domain.wall_force(self.boids[i].position))),
        };
        let rules = self.host_rules.len() + context.host_rules.len();
        let extras = Extras { rules, drives: self.drives.len() + context.host_drives.len() };
        let taken = self.params.term_order(extras).into_iter();
        taken.filter_map(|term| Some(TermParts::whole(term, made(term)?))).collect()
    }

    /// Steering ahead of obstacles, where there is any to steer ahead of.
    fn obstacle_parts(&self, i: usize) -> Option<TermSource<V>> {
        let avoidance =
            self.obstacles.obstacles().avoidance.filter(|_| !self.obstacles.is_empty())?;
        let TextbookBoid { position, velocity, .. } = self.boids[i];
        let threat = self.obstacles.threat(position, velocity);
        Some(TermSource::Obstacles {
            threat,
            force: threat.map_or(V::origin(), |threat| threat.force(&avoidance)),
        })
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
        ModelDecision { model: *model, sees: sees.told(), wanted, terms, sum, joined, steering }
    }

    fn decide(&self, i: usize, order: &[usize], context: &Context<'_, V>) -> Decision<V> {
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
