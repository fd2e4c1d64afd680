//! The pass of rules that are closures of the host's: scalar code, a boid at a time.
//!
//! ```text
//! for each rule, for each block:
//!     visit the candidates: to the list of each lane that sees it, its slot    (slot order)
//!     for each lane: force ← closure(boid, its neighbors), into the table
//! ```
//!
//! What a boid sees is decided by the same tests as in all passes, in four lanes on every machine:
//! the time goes into the closures, and what is compiled once is compiled fast.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::sync::Arc;

use wingbeat_steer::{Perception, SpeciesId, Vector, math};

use super::blocks::{NeighborPass, PassContext, run_portably};
use crate::columns::neighbor::{FocalBoid, Neighbor};
use crate::kernel::input::{BatchPass, HostPasses, Scratch, StepInput};
use crate::neighbors::{
    BlockLanes, Candidate, CandidateVisitor, NearestLimit, NearestLimits, NearestTest,
};
use crate::simd::{Level, MAX_LANES, Mask, Portable, Simd, Vectors};
use crate::terms::rule::PreparedPerception;

/// The force on a boid by its neighbors.
pub(crate) type OwnForce<const D: usize> =
    dyn Fn(&FocalBoid<D>, &[Neighbor<D>]) -> [f32; D] + Send + Sync;

/// A closure and what it sees.
#[derive(Clone)]
pub(crate) struct OwnRule<const D: usize> {
    pub perception: Perception,
    pub force: Arc<OwnForce<D>>,
}

/// All closures of a flock, after its rules in lanes, if it has any.
pub(crate) struct OwnRules<const D: usize> {
    rules: Vec<(PreparedPerception, OwnRule<D>)>,
    in_lanes: Option<Arc<dyn BatchPass<D>>>,
    /// How many of those there are.
    before: usize,
}

impl<const D: usize> OwnRules<D> {
    /// Rules in lanes, of which there are so many, with closures after them.
    #[inline(never)]
    pub fn after(
        in_lanes: Option<Arc<dyn BatchPass<D>>>,
        before: usize,
        rules: Vec<OwnRule<D>>,
    ) -> Option<Arc<dyn BatchPass<D>>> {
        if rules.is_empty() {
            return in_lanes;
        }
        let prepared = |rule: OwnRule<D>| (PreparedPerception::new(&rule.perception), rule);
        let rules = rules.into_iter().map(prepared).collect();
        Some(Arc::new(Self { rules, in_lanes, before }))
    }
}

impl<const D: usize> BatchPass<D> for OwnRules<D> {
    fn level(&self, level: Level) -> Level {
        level
    }

    fn run_batch(
        &self,
        level: Level,
        input: &StepInput<'_, D>,
        batch: (usize, usize),
        scratch: &mut Scratch<D>,
    ) {
        if let Some(rules) = &self.in_lanes {
            rules.run_batch(level, input, batch, scratch);
        }
        if let Some(turns) = input.flock.turns {
            // The last pass: no other reads how blocks are cut. Rows stay as they are.
            let (first, count) = batch;
            let radius = input.prepared.radius;
            scratch.due.find(&input.flock, radius, turns, first..first + count, Portable::LANES);
        }
        for (i, (sight, rule)) in self.rules.iter().enumerate() {
            let pass = OwnPass { sight, force: &*rule.force, rule: self.before + i };
            run_portably(&pass, input, batch, scratch);
        }
    }

    fn host(&self) -> Option<&dyn HostPasses<D>> {
        Some(self)
    }
}

impl<const D: usize> HostPasses<D> for OwnRules<D> {
    fn perceptions(&self, found: &mut Vec<Perception>) {
        if let Some(rules) = self.in_lanes.as_ref().and_then(|rules| rules.host()) {
            rules.perceptions(found);
        }
        found.extend(self.rules.iter().map(|(_, rule)| rule.perception));
    }

    fn rule(&self, of: TypeId) -> Option<&dyn Any> {
        self.in_lanes.as_ref()?.host()?.rule(of)
    }

    fn with_rule(&self, rule: &dyn Any) -> Option<Arc<dyn BatchPass<D>>> {
        let in_lanes = Some(self.in_lanes.as_ref()?.host()?.with_rule(rule)?);
        Some(Arc::new(Self { in_lanes, rules: self.rules.clone(), before: self.before }))
    }
}

/// Room for closures to be called in.
#[derive(Debug, Default)]
pub(crate) struct OwnRuleScratch<const D: usize> {
    /// For each lane the slots of the boids that it sees.
    seen: [Vec<u32>; MAX_LANES],
    /// The same boids of one lane, by value.
    neighbors: Vec<Neighbor<D>>,
}

/// The pass of one closure.
struct OwnPass<'a, const D: usize> {
    sight: &'a PreparedPerception,
    force: &'a OwnForce<D>,
    /// Its place among the host's rules.
    rule: usize,
}

impl<const D: usize> NeighborPass<D> for OwnPass<'_, D> {
    const FINDS_PREY: bool = false;

    #[inline(always)]
    fn run<S: Simd>(&self, s: S, context: &mut PassContext<'_, S, D>) -> bool {
        let (input, prepared) = (context.input, context.input.prepared);
        let limits = context.ranked(s, &prepared.declared_ranked, prepared.declared_sq);
        let mut scratch = std::mem::take(context.own_rules);
        scratch.seen.iter_mut().for_each(Vec::clear);
        let seen = RefCell::new(&mut scratch.seen);
        let visitor = SeenVisitor {
            sight: self.sight,
            rule: self.rule,
            limits: limits.as_ref(),
            rank: input.flock.identity.rank,
            seen: &seen,
        };
        context.candidates.look_at_all(s, prepared.declared_sq, visitor);
        let mut forces = [[0.0; MAX_LANES]; D];
        for lane in 0..context.block.count {
            let force = self.force_on(context, lane, &mut scratch);
            for a in 0..D {
                forces[a][lane] = force[a];
            }
        }
        let forces = Vectors::<S, D>::load(s, &forces, 0);
        context.store(s, prepared.layout.declared + self.rule * D, &forces.0);
        *context.own_rules = scratch;
        true
    }
}

impl<const D: usize> OwnPass<'_, D> {
    /// What the closure makes of the neighbors that a lane sees, if there are any.
    #[inline(never)]
    fn force_on<S: Simd>(
        &self,
        context: &PassContext<'_, S, D>,
        lane: usize,
        scratch: &mut OwnRuleScratch<D>,
    ) -> [f32; D] {
        let OwnRuleScratch { seen, neighbors } = scratch;
        let flock = &context.input.flock;
        let place = context.block.lane_slots.slot(lane);
        let at = |place: usize| flock.columns.position(place);
        let species = |place: usize| flock.species.get(place).map_or(0, |&species| species);
        let species = |place: usize| SpeciesId::new(species(place) as usize);
        let id = |place: usize| flock.identity.ids.of(flock.identity.rank[place]);
        let (own, velocity) = (at(place), flock.columns.velocity(place));
        neighbors.clear();
        neighbors.extend(seen[lane].iter().map(|&other| {
            let other = other as usize;
            let position = at(other);
            let offset: [f32; D] =
                crate::arrays::from_fn(|a| flock.domain.image(a, position[a] - own[a]));
            Neighbor {
                id: id(other),
                position,
                velocity: flock.columns.velocity(other),
                species: species(other),
                offset,
                distance: math::sqrt(offset.norm_sq()),
            }
        }));
        let boid = FocalBoid {
            id: id(place),
            position: own,
            velocity,
            heading: wingbeat_steer::heading(velocity),
            species: species(place),
            step: flock.identity.step,
        };
        (self.force)(&boid, neighbors)
    }
}

/// The visitor that notes who is seen.
struct SeenVisitor<'a, 'b, S: Simd> {
    sight: &'a PreparedPerception,
    rule: usize,
    /// Where only the nearest count: the limit of each rule.
    limits: Option<&'a NearestLimits<S>>,
    rank: &'a [u32],
    seen: &'a RefCell<&'b mut [Vec<u32>; MAX_LANES]>,
}

impl<S: Simd> Clone for SeenVisitor<'_, '_, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Simd> Copy for SeenVisitor<'_, '_, S> {}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for SeenVisitor<'_, '_, S> {
    #[inline(always)]
    fn visit(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let (seen, _) = self.sight.test(s, own, other);
        if !seen.any() {
            return;
        }
        let nearest = NearestTest::new(s, self.limits, self.rank, other.slot);
        let mut lanes = (nearest.among(self.rule, other, seen) & own.live).bits();
        let mut lists = self.seen.borrow_mut();
        while lanes != 0 {
            lists[lanes.trailing_zeros() as usize].push(other.slot as u32);
            lanes &= lanes - 1;
        }
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        self.limits.map_or(NearestLimit::up_to(s, s.splat(f32::INFINITY)), |limits| limits.furthest)
    }
}
