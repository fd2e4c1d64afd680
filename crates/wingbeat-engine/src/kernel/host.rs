//! The pass of the host's own rules. The host's crate compiles this and what it calls, and
//! nothing of the engine's rules and models.

use std::any::{Any, TypeId};
use std::sync::Arc;

use wingbeat_steer::Perception;

use super::blocks::{NeighborPass, PassContext};
use crate::kernel::input::{BatchPass, HostPasses, Scratch, StepInput};
use crate::neighbors::limit::MAX_DECLARED;
use crate::neighbors::{
    BlockLanes, Candidate, CandidateVisitor, NearestLimit, NearestLimits, NearestTest,
};
use crate::simd::{Level, Simd, Vectors};
use crate::terms::rule::{Declared, DeclaredRules, Rule};

/// The host's own rules behind one virtual call a batch. Implemented by Wingbeat for every list of
/// rules.
pub trait HostRules<const D: usize>: DeclaredRules<D> {
    /// The rules behind one virtual call a batch. `None` without rules.
    #[doc(hidden)]
    fn erase(self) -> Option<Arc<dyn BatchPass<D>>>;
}

impl<const D: usize> HostRules<D> for () {
    #[inline(never)]
    fn erase(self) -> Option<Arc<dyn BatchPass<D>>> {
        None
    }
}

impl<R: DeclaredRules<D>, A: Rule<D>, const D: usize> HostRules<D> for (R, Declared<A>) {
    fn erase(self) -> Option<Arc<dyn BatchPass<D>>> {
        Some(Arc::new(HostPass(self)))
    }
}

/// What each of the host's own rules does to the boid in one slot.
pub(crate) fn forces_of_host<const D: usize>(
    host: &dyn BatchPass<D>,
    level: Level,
    input: &StepInput<'_, D>,
    slot: usize,
) -> Vec<[f32; D]> {
    let (mut scratch, layout) = (Scratch::default(), &input.prepared.layout);
    scratch.make_room(input, 1);
    host.run_batch(level, input, (slot, 1), &mut scratch);
    let force = |rule: usize| {
        crate::arrays::from_fn(|a| scratch.sums.get(layout.declared + rule * D + a, 0))
    };
    (0..input.prepared.declared).map(force).collect()
}

/// The pass of the host's rules.
struct HostPass<R>(R);

impl<R: DeclaredRules<D>, const D: usize> NeighborPass<D> for HostPass<R> {
    const FINDS_PREY: bool = false;

    fn host(&self) -> Option<&dyn HostPasses<D>> {
        Some(self)
    }

    #[inline(always)]
    fn run<S: Simd>(&self, s: S, context: &mut PassContext<'_, S, D>) -> bool {
        let (input, prepared) = (context.input, context.input.prepared);
        let limits = context.ranked(s, &prepared.declared_ranked, prepared.declared_sq);
        let (rules, rank) = (&self.0, input.flock.identity.rank);
        let own = context.unturned;
        let visitor =
            HostVisitor { rules, sums: rules.begin(s), own, limits: limits.as_ref(), rank };
        let visitor = context.candidates.look_at_all(s, prepared.declared_sq, visitor);
        let mut forces = [Vectors::zero(s); MAX_DECLARED];
        rules.finish(s, visitor.sums, own, &mut forces);
        for rule in 0..R::COUNT {
            context.store(s, prepared.layout.declared + rule * D, &forces[rule].0);
        }
        true
    }
}

impl<R: DeclaredRules<D>, const D: usize> HostPasses<D> for HostPass<R> {
    fn perceptions(&self, found: &mut Vec<Perception>) {
        self.0.perceptions(found);
    }

    fn rule(&self, of: TypeId) -> Option<&dyn Any> {
        self.0.rule(of)
    }

    fn with_rule(&self, rule: &dyn Any) -> Option<Arc<dyn BatchPass<D>>> {
        Some(Arc::new(Self(self.0.with_rule(rule)?)))
    }
}

/// The visitor that shows candidates to the host's rules.
struct HostVisitor<'a, S: Simd, R: DeclaredRules<D>, const D: usize> {
    rules: &'a R,
    sums: R::Sums<S>,
    /// The block's boids as rules are shown them, whichever way drives turn their gaze.
    own: &'a BlockLanes<S, D>,
    /// Where only the nearest count: the limit of each rule.
    limits: Option<&'a NearestLimits<S>>,
    rank: &'a [u32],
}

// By hand: deriving would ask the rules themselves to be `Copy`, which are only borrowed.
impl<S: Simd, R: DeclaredRules<D>, const D: usize> Clone for HostVisitor<'_, S, R, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Simd, R: DeclaredRules<D>, const D: usize> Copy for HostVisitor<'_, S, R, D> {}

impl<S: Simd, R: DeclaredRules<D>, const D: usize> CandidateVisitor<S, D>
    for HostVisitor<'_, S, R, D>
{
    #[inline(always)]
    fn visit(&mut self, s: S, gazing: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let nearest = NearestTest::new(s, self.limits, self.rank, other.slot);
        self.rules.visit(s, &mut self.sums, (gazing, self.own), other, &nearest);
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        self.limits.map_or(NearestLimit::up_to(s, s.splat(f32::INFINITY)), |limits| limits.furthest)
    }
}
