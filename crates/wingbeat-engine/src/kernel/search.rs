//! From a block to its candidates: all within reach, a list at a time, shown to a visitor.

use super::crowd::{NextRing, Rings};
use super::filter::{Conditions, Filter, SpeciesFilter};
use crate::grid::{Images, Run, SubcellOrder};
use crate::kernel::input::StepInput;
use crate::neighbors::{
    Block, CandidateList, CandidateVisitor, Collector, FillList, Found, List, Listed,
};
use crate::simd::Simd;
use crate::terms::species_table::SpeciesInBlock;

/// The candidates of a block.
pub(super) struct Candidates<'a, S: Simd, const D: usize> {
    pub input: &'a StepInput<'a, D>,
    pub block: &'a Block<S, D>,
    pub images: Images,
    pub runs: &'a [Run<D>],
    /// Species of the block.
    pub present: &'a SpeciesInBlock,
    pub list: &'a mut List,
    /// Room for candidates that a visitor defers.
    pub deferred: &'a mut List,
    /// What the list still holds from the last search.
    pub listed: Listed,
}

impl<'a, S: Simd, const D: usize> Candidates<'a, S, D> {
    /// Shows a visitor all candidates up to a distance, squared, which it may shorten.
    #[inline(always)]
    pub fn look<E: CandidateVisitor<S, D>>(
        &mut self,
        s: S,
        mut reach_sq: f32,
        mut visitor: E,
    ) -> E {
        let (input, block, listed) = (self.input, self.block, self.listed);
        // A pruned list may lack the block's own boids, so visitors that meet themselves need a
        // full one.
        if !E::IN_ANY_ORDER && listed.serves(reach_sq) && !(E::MEETS_ITSELF && listed.chosen) {
            self.listed = if listed.chosen { Listed::default() } else { listed };
            self.show(
                s,
                &Found { len: listed.len, own: listed.own, shift: [0.0; D] },
                &mut visitor,
            );
            return visitor;
        }
        self.listed = Listed::default();
        if let Some(fine) = input.flock.fine {
            return self.look_about(s, fine, visitor);
        }
        let per_lane = E::ANY_BOX && self.images == Images::PerLane;
        let mut collector = Collector::new(self.runs);
        let (mut lists, mut whole) = (0, Listed::default());
        while !collector.is_done() {
            if E::HOT {
                collector.fill(s, &input.flock, block, self.list, reach_sq, per_lane);
            } else {
                let (collector, list, flock) = (&mut collector, &mut *self.list, &input.flock);
                s.outline(FillList { collector, flock, block, list, reach_sq, per_lane });
            }
            let found = &collector.found;
            lists += 1;
            whole = match lists {
                1 if !per_lane && found.shift == [0.0; D] => {
                    Listed { len: found.len, own: found.own, reach_sq, chosen: false }
                }
                _ => Listed::default(),
            };
            self.show(s, found, &mut visitor);
            if E::IN_ANY_ORDER {
                let nearer_sq = visitor.limit(s).reach_sq(s, block.own.live);
                reach_sq = if nearer_sq < reach_sq { nearer_sq } else { reach_sq };
            }
        }
        self.listed = whole;
        visitor
    }

    /// The same in a crowd.
    #[inline(always)]
    fn look_about<E: CandidateVisitor<S, D>>(
        &mut self,
        s: S,
        fine: &SubcellOrder<D>,
        mut visitor: E,
    ) -> E {
        let mut rings = Rings::new(self, fine, E::IN_ANY_ORDER);
        let mut limit = visitor.limit(s);
        loop {
            let mut found = None;
            s.outline(NextRing { rings: &mut rings, from: self, limit: &limit, found: &mut found });
            let Some(found) = found else { return visitor };
            self.show(s, &found, &mut visitor);
            if E::IN_ANY_ORDER {
                limit = visitor.limit(s);
            }
        }
    }

    /// Shows a visitor what the list holds.
    #[inline(always)]
    fn show<E: CandidateVisitor<S, D>>(&mut self, s: S, found: &Found<D>, visitor: &mut E) {
        let slots = &self.list[..found.len];
        let per_lane = self.images == Images::PerLane;
        let Found { own, shift, .. } = *found;
        let list = CandidateList {
            flock: &self.input.flock,
            block: self.block,
            slots,
            deferred: self.deferred,
            own,
            shift,
            per_lane,
        };
        visitor.visit_list(s, list);
    }

    /// Species of the candidates and of the block, where not all species count all others.
    #[inline(always)]
    pub fn counted(&self) -> Option<(&'a [u32], &'a SpeciesInBlock)> {
        (!self.input.prepared.kinds.all_count_all)
            .then_some((self.input.flock.species, self.present))
    }

    /// Shows a visitor the candidates that the boids' species count.
    #[inline(always)]
    pub fn look_counting<E: CandidateVisitor<S, D>>(
        &mut self,
        s: S,
        reach_sq: f32,
        visitor: E,
    ) -> E {
        match self.counted() {
            Some((species, present)) => {
                self.look(s, reach_sq, SpeciesFilter { species, present, visitor }).visitor
            }
            None => self.look(s, reach_sq, visitor),
        }
    }

    /// The same in any box: for passes too rare for a loop of their own.
    #[inline(always)]
    pub fn look_at_all<E: CandidateVisitor<S, D>>(&mut self, s: S, reach_sq: f32, visitor: E) -> E {
        self.look_under(s, Conditions { reach_sq: None, limits: None }, reach_sq, visitor)
    }

    /// The same under further conditions.
    #[inline(always)]
    pub fn look_under<E: CandidateVisitor<S, D>>(
        &mut self,
        s: S,
        conditions: Conditions<'_, S>,
        reach_sq: f32,
        visitor: E,
    ) -> E {
        let (finder, rank, species) =
            (self.block.lane_slots.finder(s), self.input.flock.identity.rank, self.counted());
        self.look(s, reach_sq, Filter { species, conditions, finder, rank, visitor }).visitor
    }
}
