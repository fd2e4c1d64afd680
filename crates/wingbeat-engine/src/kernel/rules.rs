//! The pass of the three rules.

use super::blocks::{NeighborPass, PassContext};
use super::filter::SpeciesFilter;
use crate::grid::Images;
use crate::kernel::nearest_visitor::FastReach;
use crate::neighbors::{BlockLanes, Candidate, CandidateList, CandidateVisitor, NearestLimit};
use crate::simd::{Float, Mask, Simd, Vectors};
use crate::terms::rule::responses::separate_coincident;
use crate::terms::rule::three::{
    DIVIDED, EXACT, INVERSE_SQUARE, OWN, OwnVisitor, SHARED, SOFT, SeparationForm, SharedForm,
    SharedSums, SharedVisitor, ThreeSums,
};
use crate::terms::species_table::SpeciesInBlock;

/// Separation, alignment and cohesion, as many of them as the flock has.
pub(super) struct ThreeRules;

impl<const D: usize> NeighborPass<D> for ThreeRules {
    const HOT: bool = true;

    #[inline(always)]
    fn run<S: Simd>(&self, s: S, context: &mut PassContext<'_, S, D>) -> bool {
        let kinds = &context.input.prepared.kinds;
        let form = if context.exactly || context.candidates.images == Images::PerLane {
            EXACT
        } else {
            kinds.form
        };
        let sums = match form {
            SHARED => run_fast::<S, SHARED, D>(s, context),
            OWN => run_fast::<S, OWN, D>(s, context),
            _ => Some(run_exactly(s, context)),
        };
        let Some(sums) = sums else { return false };
        context.store(s, 0, &sums.columns(s)[..3 * D + 2]);
        true
    }
}

/// The sums of all lanes in one loop; `None` where boids coincide or ids must decide which is
/// nearest, which this loop cannot do.
#[inline(always)]
fn run_fast<S: Simd, const FORM: u8, const D: usize>(
    s: S,
    context: &mut PassContext<'_, S, D>,
) -> Option<ThreeSums<S, D>> {
    let reach = context.nearest(s);
    if matches!(reach, Some(FastReach { tied: true, .. })) {
        return None;
    }
    let (input, block, kinds) = (context.input, context.block, &context.input.prepared.kinds);
    let mut lanes = kinds.lanes::<S, FORM, D>(s, &block.own, context.present);
    let mut reach_sq = kinds.reach_sq;
    if let Some(reach) = &reach {
        lanes.reach::<FORM>(&reach.of_rule);
        reach_sq = reach.largest_sq;
    }
    let sums = if FORM == SHARED {
        let visitor = ChosenLoop {
            form: kinds.shared,
            counted: context.candidates.counted(),
            sums: SharedSums::new(s, &lanes),
        };
        context.candidates.look(s, reach_sq, visitor).sums.sums(s)
    } else {
        let (sums, rank) = (ThreeSums::begin(s), input.flock.identity.rank);
        context
            .candidates
            .look_counting(
                s,
                reach_sq,
                OwnVisitor::<S, false, D> { lanes, sums, limits: None, rank },
            )
            .sums
    };
    let coincide = (sums.closest_sq.le(s.splat(kinds.coincident_sq)) & block.own.live).any();
    (!coincide).then_some(sums)
}

/// The sums species by species, in any box, with coincidence and ties decided exactly.
#[inline(always)]
fn run_exactly<S: Simd, const D: usize>(
    s: S,
    context: &mut PassContext<'_, S, D>,
) -> ThreeSums<S, D> {
    let (input, block, kinds) = (context.input, context.block, &context.input.prepared.kinds);
    let identity = &input.flock.identity;
    let mut all = ThreeSums::begin(s);
    for &(kind, members) in context.present.kinds() {
        let kind = &kinds.list[kind];
        let limits = context.ranked(s, &kind.ranked, kinds.reach_sq);
        let lanes = kind.sights.lanes::<S, EXACT, D>(
            s,
            &block.own,
            kind.sights.separation.unwrap_or(kinds.separation),
        );
        let (sums, rank) = (ThreeSums::begin(s), identity.rank);
        let visitor = OwnVisitor::<S, true, D> { lanes, sums, limits: limits.as_ref(), rank };
        let mut sums = context.candidates.look_at_all(s, kinds.reach_sq, visitor).sums;
        let max_speed = kind.agent.max_speed;
        separate_coincident(&kind.rules, s, &mut sums, max_speed, |lanes| {
            block.lane_slots.directions(s, identity, lanes, identity.step)
        });
        let mask = s.mask(members);
        all.separation = Vectors::select(mask, sums.separation, all.separation);
        all.alignment = Vectors::select(mask, sums.alignment, all.alignment);
        all.cohesion = Vectors::select(mask, sums.cohesion, all.cohesion);
        all.alignment_count = mask.select(sums.alignment_count, all.alignment_count);
        all.cohesion_count = mask.select(sums.cohesion_count, all.cohesion_count);
    }
    all
}

/// Visits candidates in the loop of [`SHARED`] that is made for the view and falloff of all
/// species. It is chosen list by list, so that what lists candidates is compiled once for all of
/// them.
#[derive(Clone, Copy)]
struct ChosenLoop<'a, S: Simd, const D: usize> {
    form: SharedForm,
    /// Species of the candidates, where they matter.
    counted: Option<(&'a [u32], &'a SpeciesInBlock)>,
    sums: SharedSums<S, D>,
}

impl<S: Simd, const D: usize> ChosenLoop<'_, S, D> {
    #[inline(always)]
    fn show<const SEPARATION: u8, const ALL_ROUND: bool, const DEFERRED: bool>(
        &mut self,
        s: S,
        list: CandidateList<'_, S, D>,
    ) {
        let mut visitor = SharedVisitor::<S, SEPARATION, ALL_ROUND, DEFERRED, D>(self.sums);
        if let Some((species, present)) = self.counted {
            let mut filter = SpeciesFilter { species, present, visitor };
            list.show(s, &mut filter);
            visitor = filter.visitor;
        } else {
            list.show(s, &mut visitor);
        }
        self.sums = visitor.0;
    }
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for ChosenLoop<'_, S, D> {
    const HOT: bool = true;

    /// Lists are visited whole.
    fn visit(&mut self, _: S, _: &BlockLanes<S, D>, _: &Candidate<S, D>) {}

    #[inline(always)]
    fn visit_list(&mut self, s: S, list: CandidateList<'_, S, D>) {
        let SharedForm { separation, all_round, deferred } = self.form;
        match (separation, all_round, D == 3 && deferred) {
            (SeparationForm::Soft, false, _) => self.show::<SOFT, false, false>(s, list),
            (SeparationForm::Soft, true, _) => self.show::<SOFT, true, false>(s, list),
            (SeparationForm::InverseSquare, false, _) => {
                self.show::<INVERSE_SQUARE, false, false>(s, list)
            }
            (SeparationForm::InverseSquare, true, _) => {
                self.show::<INVERSE_SQUARE, true, false>(s, list)
            }
            (_, false, false) => self.show::<DIVIDED, false, false>(s, list),
            (_, true, false) => self.show::<DIVIDED, true, false>(s, list),
            (_, false, true) => self.show::<DIVIDED, false, true>(s, list),
            (_, true, true) => self.show::<DIVIDED, true, true>(s, list),
        }
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        self.sums.limit(s)
    }
}
