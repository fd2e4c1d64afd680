//! The textbook flock: a double loop that reads like MODEL.md. Slow, obvious, and the definition
//! the engine is held to.
//!
//! Every boid looks at every other, in slot order, with nothing but scalar `f32`. The engine's step
//! equals this one bit for bit (test `agrees_with_textbook`), so a question about what a rule means
//! is answered by reading this file (a step), decide.rs (a boid's decision), rules.rs (the three
//! rules) and sight.rs (which neighbors count). On the way it keeps what it computes, for questions
//! [why](TextbookFlock::explain).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::Seen;
use crate::contact::{OtherBody, check_radius};
use crate::gate::{Exits, Sources};
use crate::obstacle::ObstacleSet;
use crate::params::bodies::check_bodies;
use crate::space::boid::TextbookBoid;
use crate::step::integrate::{Environment, Integrated, StepInput};
use crate::step::move_boid;
use crate::terms::drive::definition::Memory;
use crate::terms::drive::{Drive, check_drives};
use crate::{
    Boundary, Cells, Domain, HeldForces, ParamError, Params, Perception, Traits, Vector, math,
};

mod bodies;
mod chases;
mod decide;
mod driven;
mod explain;
mod gates;
mod rules;
mod sight;
mod species;

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
///     params: Params { rules: Cohesion::default().into(), ..Default::default() },
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
    /// All parameters of the flock.
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
    /// β of boids that anticipate, by id: the angle by which their preferred velocity is turned to
    /// the right, radians; a boid that is not in it has not begun.
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
    ///     "flock.dimensions = 3: allowed is 2 with model.name = vicsek1995, \
    ///      which is defined in the plane only",
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

    /// One step, neighbors visited in [slot order](Self::slot_order):
    ///
    /// 1. Each boid looks at the flock as it is and decides: the terms it has, weighted, in their
    ///    order, and combined; or what its model says (decide.rs).
    /// 2. Obstacles move. Each boid moves by its decision, all from the same state: anticipation,
    ///    velocity within limits, edges, obstacles, other bodies ([`Integrated`]).
    /// 3. All are written back. Then stamina and captures, what drives remember and arrivals,
    ///    exits, the edge of an absorbing domain; the clock goes on; sources let boids in.
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

    /// Parts 2 and 3 of a step: every boid by its decision.
    fn move_by(&mut self, dt: f32, order: &[usize], looked: &[Looked<V>]) {
        self.count_ids();
        let leaning = self.leaning();
        self.obstacles.begin_step(self.time, dt);
        let moved = |i, steering| {
            self.moved(i, steering, dt, &self.obstacles, &self.bodies_about(i, order))
        };
        let moved: Vec<Integrated<V>> =
            (0..self.boids.len()).map(|i| moved(i, looked[i].steering)).collect();
        self.squeezed.clear();
        for (boid, advanced) in self.boids.iter_mut().zip(moved) {
            (boid.position, boid.velocity) = (advanced.position, advanced.velocity);
            self.blocked
                .extend(advanced.anticipated.map(|anticipated| (boid.id, anticipated.blocked)));
            self.squeezed.extend(advanced.squeezed.then_some(boid.id));
        }
        self.squeezed.sort_unstable();
        self.obstacles.end_step(self.time, dt);
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

    /// Boid `i` after a step by its steering, among obstacles that have begun the step and bodies
    /// where they were before it, its own first.
    fn moved(
        &self,
        i: usize,
        steering: V,
        dt: f32,
        obstacles: &ObstacleSet<V>,
        bodies: &[OtherBody<V>],
    ) -> Integrated<V> {
        let (params, own, boid) = (&self.params, self.traits_of(i), &self.boids[i]);
        let environment =
            Environment { domain: &self.domain, obstacles, radius: own.radius(params) };
        let input = StepInput {
            boid,
            limits: &own.limits(params),
            steering,
            blocked: self.blocked.get(&boid.id).copied().unwrap_or(0.0),
            dt,
            seed: self.seed,
            step: self.step,
            time: self.time,
        };
        move_boid(&input, params, environment, bodies)
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
}

/// What a boid's step begins with: its decision, made now or at its last turn.
pub(super) struct Looked<V> {
    pub id: u64,
    pub steering: V,
    /// Whether an interaction had a boid in range.
    pub busy: bool,
    /// The prey it captures; none where it did not look in this step.
    pub capture: Option<u64>,
}
