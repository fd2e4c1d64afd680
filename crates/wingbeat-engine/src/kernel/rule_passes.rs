//! The passes of rules that the three rules' loop does not sum: for each such rule, and each
//! species in the block, a loop over the candidates. Sums of different rules never mix and each is
//! in slot order, so a loop a rule gives the bits of one loop for all.

use wingbeat_steer::{Params, Perception, RuleId, Rules, math};

use super::blocks::{NeighborPass, PassContext};
use crate::neighbors::{
    BlockLanes, Candidate, CandidateVisitor, NearestLimit, NearestLimits, NearestTest,
};
use crate::simd::{Float, Simd, Sum, Vectors};
use crate::terms::rule::lane_rule::{LaneRule, LaneTally, RuleBlock};
use crate::terms::rule::responses::weigh;
use crate::terms::rule::topological::RankedRule;
use crate::terms::rule::{PASSES, PreparedPerception, with_lane_rule};

/// The rules of a flock that have a pass of their own.
#[derive(Clone, Debug)]
pub(crate) struct PassRules {
    /// Those that some species has, in the usual order of terms.
    pub ids: Vec<RuleId>,
    /// The rules of each species; how many they see is under the flock's neighbor cap.
    of_species: Vec<Rules>,
    /// Square of how far any of them looks.
    reach_sq: f32,
}

impl PassRules {
    /// Those of a flock; all its rules where `unfused`.
    pub fn new(params: &Params, unfused: bool) -> Self {
        let ids = if unfused { RuleId::ALL } else { PASSES };
        let ids: Vec<RuleId> = ids.iter().copied().filter(|&id| params.has_rule(id)).collect();
        let mut of_species: Vec<Rules> =
            params.each_species().map(|kind| *params.rules_of(kind)).collect();
        for rules in &mut of_species {
            for id in RuleId::ALL {
                if let Some(seen) = rules.perception_mut(*id) {
                    *seen = params.capped(*seen);
                }
            }
        }
        let mut passes = Self { ids, of_species, reach_sq: 0.0 };
        let furthest = |radius, seen: Perception| math::max(radius, seen.radius);
        let radius = passes.perceptions().fold(0.0, furthest);
        passes.reach_sq = radius * radius;
        passes
    }

    /// What they see.
    pub fn perceptions(&self) -> impl Iterator<Item = Perception> {
        let rules = self.of_species.iter().flat_map(Rules::iter);
        rules.filter(|rule| self.ids.contains(&rule.id)).map(|rule| rule.perception)
    }
}

/// The passes of the flock's [`PassRules`].
pub(super) struct RulePasses;

impl<const D: usize> NeighborPass<D> for RulePasses {
    const FINDS_PREY: bool = false;

    #[inline(always)]
    fn run<S: Simd>(&self, s: S, context: &mut PassContext<'_, S, D>) -> bool {
        let (prepared, present) = (context.input.prepared, context.present);
        for (place, &id) in prepared.passes.ids.iter().enumerate() {
            let mut force = Vectors::zero(s);
            for &(kind, members) in present.kinds() {
                let rules = &prepared.passes.of_species[kind];
                let of_kind = with_lane_rule!(rules, id, rule => look(s, context, rule, kind));
                force = Vectors::select(s.mask(members), of_kind.unwrap_or(force), force);
            }
            context.store(s, prepared.layout.passes + place * D, &force.0);
        }
        true
    }
}

/// The weighted response of all lanes to one rule of a species.
#[inline(always)]
fn look<S: Simd, R: LaneRule, const D: usize>(
    s: S,
    context: &mut PassContext<'_, S, D>,
    rule: &R,
    kind: usize,
) -> Vectors<S, D> {
    let (input, prepared) = (context.input, context.input.prepared);
    let (seen, reach_sq) = (PreparedPerception::new(rule.perception()), prepared.passes.reach_sq);
    let ranked = rule.perception().nearest.map(|k| [RankedRule { rule: 0, seen, k: k as usize }]);
    let limits = context.ranked(s, ranked.as_ref().map_or(&[], |one| one), reach_sq);
    let boids = RuleBlock {
        own: context.unturned,
        identity: &input.flock.identity,
        lane_slots: &context.block.lane_slots,
        max_speed: prepared.kinds.list[kind].agent.max_speed,
    };
    let tally = LaneTally { sum: Vectors::zero(s), weight: s.splat(0.0), coincident: s.mask(0) };
    let (limits, rank) = (limits.as_ref(), input.flock.identity.rank);
    let visitor = PassVisitor { rule, seen, boids: &boids, tally, limits, rank };
    let tally = context.candidates.look_at_all(s, reach_sq, visitor).tally;
    let (wanted, something) = rule.lane_wanted(s, &boids, &tally);
    let (weight, max_speed) = (s.splat(rule.weight()), s.splat(boids.max_speed));
    weigh(s, wanted, boids.own, rule.response(), weight, max_speed).or_zero(s, something)
}

/// The visitor that adds up one rule.
struct PassVisitor<'a, S: Simd, R, const D: usize> {
    rule: &'a R,
    seen: PreparedPerception,
    boids: &'a RuleBlock<'a, S, D>,
    tally: LaneTally<S, D>,
    /// Where only the nearest count.
    limits: Option<&'a NearestLimits<S>>,
    rank: &'a [u32],
}

// By hand: deriving would ask the rule itself to be `Copy`, which is only borrowed.
impl<S: Simd, R, const D: usize> Clone for PassVisitor<'_, S, R, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Simd, R, const D: usize> Copy for PassVisitor<'_, S, R, D> {}

impl<S: Simd, R: LaneRule, const D: usize> CandidateVisitor<S, D> for PassVisitor<'_, S, R, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, gazing: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let (seen, coincident) = self.seen.test(s, gazing, other);
        let nearest = NearestTest::new(s, self.limits, self.rank, other.slot);
        let mut seen = nearest.among(0, other, seen);
        self.tally.coincident = self.tally.coincident | (seen & coincident);
        if R::SKIPS_COINCIDENT {
            seen = seen & !coincident;
        }
        let (term, weight) = self.rule.lane_term(s, self.boids, other);
        self.tally.sum = self.tally.sum.add_where(seen, term);
        self.tally.weight = Float::add_where(self.tally.weight, seen, weight);
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        match self.limits {
            Some(limits) => limits.furthest,
            None => NearestLimit::up_to(s, s.splat(self.seen.radius_sq)),
        }
    }
}
