//! The three rules look at their neighbours.

use super::blocks::{Looker, Outlook};
use super::nearest_eyes::Reach;
use crate::grid::Images;
use crate::rule::three::{EXACT, OWN, SHARED, SharedEyes, ThreeEyes, ThreeSums};
use crate::simd::{Float, Mask, Simd, Vectors};

/// Separation, alignment and cohesion, as many of them as the flock has.
pub(super) struct ThreeRules;

impl<const D: usize> Looker<D> for ThreeRules {
    const HOT: bool = true;

    #[inline(always)]
    fn look<S: Simd>(&self, s: S, from: &mut Outlook<'_, S, D>) -> bool {
        let kinds = &from.world.prepared.kinds;
        let form = if from.exactly || from.candidates.images == Images::PerLane { EXACT } else { kinds.form };
        let sums = match form {
            SHARED => look_fast::<S, SHARED, D>(s, from),
            OWN => look_fast::<S, OWN, D>(s, from),
            _ => Some(look_exactly(s, from)),
        };
        let Some(sums) = sums else { return false };
        from.store(s, 0, &sums.columns(s)[..3 * D + 2]);
        true
    }
}

/// The sums of all lanes in one loop; `None` where boids coincide or ids must decide who is nearest, which this loop cannot do.
#[inline(always)]
fn look_fast<S: Simd, const FORM: u8, const D: usize>(s: S, from: &mut Outlook<'_, S, D>) -> Option<ThreeSums<S, D>> {
    let reach = from.nearest(s);
    if matches!(reach, Some(Reach { tied: true, .. })) {
        return None;
    }
    let (world, block, kinds) = (from.world, from.block, &from.world.prepared.kinds);
    let mut lanes = kinds.lanes::<S, FORM, D>(s, &block.own, from.present);
    let mut reach_sq = kinds.reach_sq;
    if let Some(reach) = &reach {
        lanes.reach::<FORM>(&reach.of_rule);
        reach_sq = reach.largest_sq;
    }
    let sums = if FORM == SHARED {
        from.candidates.look_counting(s, reach_sq, SharedEyes::new(s, &lanes)).sums(s)
    } else {
        let (sums, rank) = (ThreeSums::begin(s), world.flock.identity.rank);
        from.candidates.look_counting(s, reach_sq, ThreeEyes::<S, false, D> { lanes, sums, limits: None, rank }).sums
    };
    let coincide = (sums.closest_sq.le(s.splat(kinds.coincident_sq)) & block.own.live).any();
    (!coincide).then_some(sums)
}

/// The sums species by species, in any box, coincident boids and ties told apart.
#[inline(always)]
fn look_exactly<S: Simd, const D: usize>(s: S, from: &mut Outlook<'_, S, D>) -> ThreeSums<S, D> {
    let (world, block, kinds) = (from.world, from.block, &from.world.prepared.kinds);
    let identity = &world.flock.identity;
    let mut all = ThreeSums::begin(s);
    for &(kind, who) in from.present.kinds() {
        let kind = &kinds.list[kind];
        let limits = from.ranked(s, &kind.ranked, kinds.reach_sq);
        let lanes = kind.sights.lanes::<S, EXACT, D>(s, &block.own, kind.sights.separation.unwrap_or(kinds.separation));
        let (sums, rank) = (ThreeSums::begin(s), identity.rank);
        let eyes = ThreeEyes::<S, true, D> { lanes, sums, limits: limits.as_ref(), rank };
        let mut sums = from.candidates.look_at_all(s, kinds.reach_sq, eyes).sums;
        let max_speed = kind.agent.max_speed;
        kind.responses.part(s, &mut sums, max_speed, |lanes| block.seats.directions(s, identity, lanes, identity.step));
        let mask = s.mask(who);
        all.separation = Vectors::select(mask, sums.separation, all.separation);
        all.alignment = Vectors::select(mask, sums.alignment, all.alignment);
        all.cohesion = Vectors::select(mask, sums.cohesion, all.cohesion);
        all.alignment_count = mask.select(sums.alignment_count, all.alignment_count);
        all.cohesion_count = mask.select(sums.cohesion_count, all.cohesion_count);
    }
    all
}
