//! Visitors in front of other visitors: a candidate that does not count is passed on infinitely
//! far, and so out of every range.

use wingbeat_steer::MAX_SPECIES;

use crate::neighbors::{
    BlockLanes, Candidate, CandidateVisitor, LaneFinder, NearestLimit, NearestLimits, NearestTest,
};
use crate::simd::{Float, Mask, Simd};
use crate::terms::species_table::SpeciesInBlock;

/// Hands candidates on to lanes whose species counts theirs: for the innermost loops.
#[derive(Clone, Copy)]
pub(super) struct SpeciesFilter<'a, E> {
    pub species: &'a [u32],
    pub present: &'a SpeciesInBlock,
    pub visitor: E,
}

impl<S: Simd, E: CandidateVisitor<S, D>, const D: usize> CandidateVisitor<S, D>
    for SpeciesFilter<'_, E>
{
    const IN_ANY_ORDER: bool = E::IN_ANY_ORDER;
    const MEETS_ITSELF: bool = E::MEETS_ITSELF;
    const HOT: bool = E::HOT;
    const DEFERS: bool = E::DEFERS;

    #[inline(always)]
    fn visit(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        self.visitor.visit(s, own, &counted(s, self.species, self.present, other));
    }

    #[inline(always)]
    fn visit_or_defer(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) -> bool {
        self.visitor.visit_or_defer(s, own, &counted(s, self.species, self.present, other))
    }

    #[inline(always)]
    fn visit_deferred(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        self.visitor.visit_deferred(s, own, &counted(s, self.species, self.present, other));
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        self.visitor.limit(s)
    }
}

/// The candidate, infinitely far from lanes whose species does not count it.
#[inline(always)]
fn counted<S: Simd, const D: usize>(
    s: S,
    species: &[u32],
    present: &SpeciesInBlock,
    other: &Candidate<S, D>,
) -> Candidate<S, D> {
    let bounds = &present.distance_floor[species[other.slot] as usize % MAX_SPECIES];
    let mut seen = *other;
    seen.distance_sq = other.distance_sq.max(s.load(bounds, 0));
    seen
}

/// Conditions beside the species that count.
#[derive(Clone, Copy)]
pub(super) struct Conditions<'a, S: Simd> {
    /// The limit of each lane, squared.
    pub reach_sq: Option<S::F>,
    /// The nearest of the first rule.
    pub limits: Option<&'a NearestLimits<S>>,
}

/// Hands candidates on under all conditions there are: for blocks that come again, and for passes
/// that are too rare for a loop of their own.
#[derive(Clone, Copy)]
pub(super) struct Filter<'a, S: Simd, E> {
    /// Species of the candidates, where they matter.
    pub species: Option<(&'a [u32], &'a SpeciesInBlock)>,
    pub conditions: Conditions<'a, S>,
    /// Visitors with `MEETS_ITSELF` see the boid itself even where the conditions exclude it.
    pub finder: LaneFinder<S>,
    pub rank: &'a [u32],
    pub visitor: E,
}

impl<S: Simd, E: CandidateVisitor<S, D>, const D: usize> CandidateVisitor<S, D>
    for Filter<'_, S, E>
{
    const IN_ANY_ORDER: bool = E::IN_ANY_ORDER;
    const MEETS_ITSELF: bool = E::MEETS_ITSELF;
    const ANY_BOX: bool = true;

    #[inline(always)]
    fn visit(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let (far, mut seen) = (s.splat(f32::INFINITY), *other);
        if let Some((species, present)) = self.species {
            seen = counted(s, species, present, other);
        }
        if let Some(reach_sq) = self.conditions.reach_sq {
            seen.distance_sq = seen.distance_sq.le(reach_sq).select(seen.distance_sq, far);
        }
        if self.conditions.limits.is_some() {
            let nearest = NearestTest::new(s, self.conditions.limits, self.rank, other.slot);
            seen.distance_sq =
                nearest.among(0, other, s.first(S::LANES)).select(seen.distance_sq, far);
        }
        if E::MEETS_ITSELF {
            seen.distance_sq =
                self.finder.lane_of(s, other.slot).select(s.splat(0.0), seen.distance_sq);
        }
        self.visitor.visit(s, own, &seen);
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        self.visitor.limit(s)
    }
}
