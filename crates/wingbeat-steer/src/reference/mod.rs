//! The textbook flock: a double loop that reads like MODEL.md. Slow, obvious, and the definition
//! the engine is held to.
//!
//! Every boid looks at every other, in slot order, with nothing but scalar `f32`. The engine's step
//! equals this one bit for bit (test `agrees_with_textbook`), so a question about what a rule means
//! is answered by reading this file, `reference/rules.rs` and `reference/sight.rs`. On the way it
//! keeps what it computes, for questions [why](TextbookFlock::explain).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::contact::check_radius;
use crate::explanation::{
    Combined, Context, Decision, Explanation, ModelDecision, Seen, TermParts, TermSource,
};
use crate::gate::{Exits, Sources};
use crate::obstacle::ObstacleSet;
use crate::params::bodies::check_bodies;
use crate::space::boid::{TextbookBoid, heading};
use crate::step::integrate::Integrated;
use crate::terms::budget::serve;
use crate::terms::drive::driven::Memory;
use crate::terms::drive::{Drive, check_drives};
use crate::terms::model::definition::{FocalBoid, Neighbor};
use crate::terms::steering_kind::TermSum;
use crate::{
    Boundary, Cells, Combine, Domain, Extras, HeldForces, Model, ParamError, Params, Perception,
    Term, Traits, Turn, Vector, math,
};

mod bodies;
mod chases;
mod driven;
mod gates;
mod rules;
mod sight;

/// A rule of the host's own as a plain function: what a boid makes of those that its perception
/// sees, in slot order. Where no boid is seen its force is 0, and it is not asked.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct HostRule<V> {
    /// The boids it sees.
    pub perception: Perception,
    /// Its force.
    pub force: fn(&TextbookBoid<V>, &[Seen<V>]) -> V,
}

/// A flock stepped by the double loop, O(n²) a step.
///
/// ```
/// use wingbeat_steer::{Cohesion, Domain, Params, TextbookBoid, TextbookFlock};
/// let boid = |id, x| TextbookBoid { id, position: [x, 0.0], velocity: [0.0, 0.0] };
/// let mut flock = TextbookFlock {
///     params: Params { cohesion: Some(Cohesion::default()), ..Default::default() },
///     domain: Domain::open(),
///     seed: 1,
///     step: 0,
///     boids: vec![boid(0, 0.0), boid(1, 0.5)],
///     ..Default::default()
/// };
/// // Each is drawn to the other.
/// assert_eq!(flock.steering(&flock.slot_order()), [[0.5, 0.0], [-0.5, 0.0]]);
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
    /// Time passed so far: the lengths of all steps, added up.
    pub time: f64,
    /// What is a boid's own, by id; of those not named, the defaults.
    pub traits: BTreeMap<u64, Traits>,
    /// Captures of the last step: captor and prey, by the captors' ids.
    pub captured: Vec<(u64, u64)>,
    /// What boids steer round and never are inside of.
    pub obstacles: ObstacleSet<V>,
    /// Terms that do not come from neighbors.
    pub drives: Vec<Drive<V>>,
    /// Goals of single boids, by id.
    pub goals: BTreeMap<u64, V>,
    /// What boids remember of drives, by id and place of the drive; a boid that is not in it has
    /// not begun.
    pub memories: BTreeMap<(u64, usize), Memory<V>>,
    /// Who arrived in the last step at the goal of which drive, ascending.
    pub arrived: Vec<(u64, usize)>,
    /// Who left an absorbing domain in the last step, ascending.
    pub left: Vec<u64>,
    /// How blocked boids are that anticipate, by id, radians; a boid that is not in it has not
    /// begun.
    pub blocked: BTreeMap<u64, f32>,
    /// Whose bodies an obstacle that moves overlapped when the last step ended, ascending.
    pub squeezed: Vec<u64>,
    /// Where boids leave the flock.
    pub exits: Exits<V>,
    /// Who left in the last step by which exit, ascending.
    pub exited: Vec<(u64, usize)>,
    /// From where boids come to the flock.
    pub sources: Sources<V>,
    /// Who entered in the last step from which source, ascending.
    pub entered: Vec<(u64, usize)>,
    /// The id of the next boid that enters; a step sets it beyond all living ids first.
    pub next_id: u64,
    /// Rules of the host's own, for tests of those of the engine.
    #[doc(hidden)]
    pub host_rules: Vec<HostRule<V>>,
}

/// Empty, in open space, at step 0.
impl<V: Vector> Default for TextbookFlock<V> {
    fn default() -> Self {
        Self {
            params: Params::default(),
            domain: Domain::open(),
            seed: 0,
            step: 0,
            boids: Vec::new(),
            time: 0.0,
            traits: BTreeMap::new(),
            captured: Vec::new(),
            obstacles: ObstacleSet::default(),
            drives: Vec::new(),
            goals: BTreeMap::new(),
            memories: BTreeMap::new(),
            arrived: Vec::new(),
            left: Vec::new(),
            blocked: BTreeMap::new(),
            squeezed: Vec::new(),
            exits: Exits::default(),
            exited: Vec::new(),
            sources: Sources::default(),
            entered: Vec::new(),
            next_id: 0,
            host_rules: Vec::new(),
        }
    }
}

impl<V: Vector> TextbookFlock<V> {
    /// Refuses what the definition does not say anything of: parameters out of range, a radius
    /// above half a periodic side, a model in space that exists in the plane only, drives and
    /// traits that are not accepted. Steps take all this for granted: a caller that fills the
    /// fields by hand calls this first.
    ///
    /// # Errors
    /// Names the first offending value and what is allowed.
    ///
    /// ```
    /// use wingbeat_steer::{Params, TextbookFlock, model::Vicsek1995};
    /// let params = Params { model: Some(Vicsek1995::default().into()), ..Default::default() };
    /// let refusal =
    ///     TextbookFlock::<[f32; 3]> { params, ..Default::default() }.check().unwrap_err();
    /// assert_eq!(
    ///     refusal.to_string(),
    ///     "flock.dimensions = 3: allowed is 2 with model.name = vicsek1995, which is defined in \
    ///         the plane only",
    /// );
    /// ```
    #[inline(never)]
    pub fn check(&self) -> Result<(), ParamError> {
        self.params.check()?;
        match &self.params.model {
            Some(model) => {
                model.check_world(&self.domain)?;
                let radii = self.params.radii_of_species();
                radii.iter().try_for_each(|(_, radius)| self.domain.check(*radius))?;
            }
            None => self.domain.check(self.params.largest_radius())?,
        }
        check_bodies(&self.params, &self.domain)?;
        check_drives(&self.drives, &self.domain, |id| self.boids.iter().any(|boid| boid.id == id))?;
        self.exits.check(&self.params, &self.domain)?;
        self.sources.check(&self.params, &self.domain, Some(&self.obstacles))?;
        self.traits.values().try_for_each(|traits| {
            traits.check(&self.params)?;
            traits.radius.map_or(Ok(()), |radius| check_radius("radius", radius, &self.domain))
        })
    }

    /// Other parameters from now on; boids keep what of their own still means something
    /// ([`Traits::adapted`]).
    pub fn set_params(&mut self, params: Params) {
        self.traits.values_mut().for_each(|traits| *traits = traits.adapted(&params));
        self.params = params;
    }

    /// Indices of the boids in slot order.
    #[inline(never)]
    pub fn slot_order(&self) -> Vec<usize> {
        let own = self.host_rules.iter().map(|rule| rule.perception.radius);
        let largest = own.fold(self.params.largest_radius(), math::max);
        let cells = Cells::new(largest, self.params.expected_neighbors, &self.domain);
        cells.slot_order(self.boids.iter().map(|b| (b.position, b.id)))
    }

    /// One step in the contract's slot order.
    #[inline(never)]
    pub fn step_by(&mut self, dt: f32) {
        let order = self.slot_order();
        self.step_in_order(dt, &order);
    }

    /// One step, neighbors visited in the given order of indices.
    #[inline(never)]
    pub fn step_in_order(&mut self, dt: f32, order: &[usize]) {
        let looked: Vec<Looked<V>> = (0..self.boids.len()).map(|i| self.look(i, order)).collect();
        self.move_by(dt, order, &looked);
    }

    /// One step under time slicing: a boid that has its turn looks and steers; the others go on
    /// with the force they hold, as busy as they were, and capture no boid.
    #[inline(never)]
    pub fn step_holding(&mut self, dt: f32, forces: &mut HeldForces<V>) {
        let order = self.slot_order();
        let mut turn = |i: usize| {
            let id = self.boids[i].id;
            match forces.of(id) {
                Some(steering) if !forces.is_due(id, self.step) => {
                    Looked { id, steering, busy: forces.is_busy(id), capture: None }
                }
                _ => {
                    let looked = self.look(i, &order);
                    forces.hold(id, looked.steering, looked.busy);
                    looked
                }
            }
        };
        let looked: Vec<Looked<V>> = (0..self.boids.len()).map(&mut turn).collect();
        forces.keep(looked.iter().map(|looked| looked.id));
        self.move_by(dt, &order, &looked);
    }

    /// Every boid by its steering, and on to the next step.
    fn move_by(&mut self, dt: f32, order: &[usize], looked: &[Looked<V>]) {
        self.count_ids();
        let leaning = self.leaning();
        self.obstacles.go(self.time, dt);
        let moved: Vec<Integrated<V>> =
            (0..self.boids.len()).map(|i| self.moved(i, order, looked[i].steering, dt)).collect();
        self.squeezed.clear();
        for (boid, advanced) in self.boids.iter_mut().zip(moved) {
            (boid.position, boid.velocity) = (advanced.position, advanced.velocity);
            self.blocked
                .extend(advanced.anticipated.map(|anticipated| (boid.id, anticipated.blocked)));
            self.squeezed.extend(advanced.squeezed.then_some(boid.id));
        }
        self.squeezed.sort_unstable();
        self.obstacles.arrive(self.time, dt);
        let time = self.time + f64::from(dt);
        self.settle_chases(dt, looked);
        self.remember(time, &leaning);
        self.let_out_by_exits((self.time, time));
        // Who is gone is no longer squeezed.
        let boids = &self.boids;
        self.squeezed.retain(|&id| boids.iter().any(|boid| boid.id == id));
        self.let_out();
        self.step += 1;
        self.time = time;
        self.let_in();
    }

    /// A boid that is outside of an absorbing domain leaves.
    fn let_out(&mut self) {
        self.left.clear();
        if self.domain.boundary != Boundary::Absorbing {
            return;
        }
        let domain = &self.domain;
        self.left.extend(
            self.boids.iter().filter(|boid| !domain.contains(boid.position)).map(|boid| boid.id),
        );
        self.left.sort_unstable();
        self.boids.retain(|boid| domain.contains(boid.position));
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
    ///         cohesion: Some(Cohesion { weight: 2.0, ..Default::default() }),
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
        let (course, time) = (self.obstacles.clone(), self.time);
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
            course,
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
        let (separation, alignment, cohesion) = self.rules_of(i);
        let made = |term| match term {
            Term::Separation => {
                Some(TermSource::Rule(self.separation_parts(i, order, separation.as_ref()?)))
            }
            Term::Alignment => {
                Some(TermSource::Rule(self.alignment_parts(i, order, alignment.as_ref()?)))
            }
            Term::Cohesion => {
                Some(TermSource::Rule(self.cohesion_parts(i, order, cohesion.as_ref()?)))
            }
            Term::Interactions => Some(TermSource::Interactions(self.chase_parts(i, order))),
            Term::Rule(place) => match self.host_rules.get(place) {
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

/// What a boid's step begins with: what it made of its look, now or at its last turn.
pub(super) struct Looked<V> {
    pub id: u64,
    pub steering: V,
    /// Whether an interaction had a boid in range.
    pub busy: bool,
    /// The prey it captures; none where it did not look in this step.
    pub capture: Option<u64>,
}
